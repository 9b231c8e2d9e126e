//! Tag families, ids and corners.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// A family of printed tags.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TagFamily {
    /// 587 ids, 6x6 bits: the default, no ghosts seen.
    #[serde(rename = "tag36h11")]
    Tag36h11,
    /// 35 ids, 5x5 bits.
    #[serde(rename = "tag25h9")]
    Tag25h9,
    /// 30 ids, 4x4 bits: the largest modules, the most ghosts.
    #[serde(rename = "tag16h5")]
    Tag16h5,
    /// 2115 ids; the detector's square is 5 of its 9 modules.
    #[serde(rename = "tagStandard41h12")]
    TagStandard41h12,
}

impl TagFamily {
    /// Every family that Groma reads.
    pub const ALL: [Self; 4] = [Self::Tag36h11, Self::Tag25h9, Self::Tag16h5, Self::TagStandard41h12];

    /// The name the AprilTag project gives it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Tag36h11 => "tag36h11",
            Self::Tag25h9 => "tag25h9",
            Self::Tag16h5 => "tag16h5",
            Self::TagStandard41h12 => "tagStandard41h12",
        }
    }

    /// How many ids it has: ids run from 0 to one less.
    pub fn ids(self) -> u32 {
        match self {
            Self::Tag36h11 => 587,
            Self::Tag25h9 => 35,
            Self::Tag16h5 => 30,
            Self::TagStandard41h12 => 2115,
        }
    }
}

impl fmt::Display for TagFamily {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for TagFamily {
    type Err = String;
    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|f| f.name() == name).ok_or_else(|| {
            format!("unknown tag family \"{name}\": expected tag36h11, tag25h9, tag16h5 or tagStandard41h12")
        })
    }
}

/// One printed tag: a family and an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Tag {
    /// Its family.
    pub family: TagFamily,
    /// Its number in the family.
    pub id: u32,
}

impl Tag {
    /// Tag `id` of `family`.
    pub fn new(family: TagFamily, id: u32) -> Self {
        Self { family, id }
    }

    /// A number of its own for every tag, for [`crate::geometry::Source::Mount`].
    pub fn key(self) -> u64 {
        ((self.family as u64) << 32) | u64::from(self.id)
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.family, self.id)
    }
}

/// The corners of a tag as it is read upright, whatever frame `P` is in. Upright is AprilTag's own
/// image: the library's homography maps (-1,-1) to `top_left`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TagCorners<P> {
    /// Top left of the printed tag.
    pub top_left: P,
    /// Top right.
    pub top_right: P,
    /// Bottom right.
    pub bottom_right: P,
    /// Bottom left.
    pub bottom_left: P,
}

impl<P: Copy> TagCorners<P> {
    /// In the order top left, top right, bottom right, bottom left.
    pub fn in_order(&self) -> [P; 4] {
        [self.top_left, self.top_right, self.bottom_right, self.bottom_left]
    }

    /// From the order top left, top right, bottom right, bottom left.
    pub fn from_order([top_left, top_right, bottom_right, bottom_left]: [P; 4]) -> Self {
        Self { top_left, top_right, bottom_right, bottom_left }
    }

    /// Each corner turned into another frame.
    pub fn map<Q>(&self, f: impl FnMut(P) -> Q) -> TagCorners<Q> {
        let [top_left, top_right, bottom_right, bottom_left] = self.in_order().map(f);
        TagCorners { top_left, top_right, bottom_right, bottom_left }
    }
}
