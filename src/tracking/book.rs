//! What is known of tags before a picture is looked at: where the reference tags lie, and how large
//! and how high the tags on bases are. Made from the table file and the roster.

use super::Tag;
use crate::geometry::{Footprint, Pose, Relief};
use std::collections::BTreeMap;

/// A tag fixed to the table, flat, at a known place. Table frame, millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ReferenceTag {
    /// Which tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns.
    pub size_mm: f64,
    /// Centre.
    pub x_mm: f64,
    /// Centre.
    pub y_mm: f64,
    /// Height of the printed face above the playing surface.
    pub z_mm: f64,
    /// Turn of the printed tag, anticlockwise; 0 is upright, its top towards +y.
    pub rotation_deg: f64,
    /// One sigma of its place on each axis; 0 where the place is taken as exact.
    pub sigma_mm: f64,
}

/// A tag on something that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownTag {
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Height of the printed face above what its base stands on: base and mount together.
    pub height_mm: f64,
    /// One sigma of that height, millimetres.
    pub height_sigma_mm: f64,
}

/// How a tag sits on the base that carries it, as far as it matters where the ground is uneven.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mount {
    /// The tag's centre to the right of the base's centre, millimetres.
    pub right_mm: f64,
    /// The tag's centre ahead of the base's centre, millimetres.
    pub forward_mm: f64,
    /// Turn of the printed tag on the base, anticlockwise degrees.
    pub rotation_deg: f64,
    /// Of the base, along its front, millimetres; more than zero.
    pub width_mm: f64,
    /// Of the base, from front to rear, millimetres; more than zero.
    pub depth_mm: f64,
}

impl Mount {
    /// The base under a tag that stands level.
    pub fn base(&self, tag: Pose) -> Footprint {
        let heading = tag.heading.turned_degrees(-self.rotation_deg);
        let arm = heading.right() * self.right_mm + heading.vector() * self.forward_mm;
        let pose = Pose { centre: tag.centre - arm, heading };
        Footprint::new(pose, self.width_mm, self.depth_mm)
            .expect("a mount's base has sides of more than zero")
    }
}

/// What a tag on terrain bears.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bearer {
    /// The tag's pose while its feature lies as it is written.
    pub lies: Pose,
    /// Which of the hills it is fixed to, by its place among them; none where it lies on flat terrain.
    pub hill: Option<usize>,
}

/// Every tag that may be seen. Anything else is a ghost and refused.
///
/// Where the ground is uneven an observation's pose is that of the tag **as if its base stood level** with its
/// centre and heading where they are: undoing the mount on the flat gives the base, tilted or not.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TagBook {
    /// The table's own tags.
    pub reference: Vec<ReferenceTag>,
    /// The tags on bases and on other things that move.
    pub known: BTreeMap<Tag, KnownTag>,
    /// How they sit on their bases; a tag without an entry lies flat by itself.
    pub mounts: BTreeMap<Tag, Mount>,
    /// The hills that bases may stand on.
    pub relief: Relief,
    /// The tags on terrain: their height is over the playing surface, hills or not, and hills go with them.
    pub bearers: BTreeMap<Tag, Bearer>,
}

impl TagBook {
    /// The base under a tag, level as its observation has it.
    pub fn base_under(&self, tag: Tag, known: &KnownTag, pose: Pose) -> Footprint {
        let bare = |side: f64| Mount {
            right_mm: 0.0,
            forward_mm: 0.0,
            rotation_deg: 0.0,
            width_mm: side,
            depth_mm: side,
        };
        self.mounts.get(&tag).copied().unwrap_or_else(|| bare(known.size_mm)).base(pose)
    }

    /// Whether a tag is named here at all.
    pub fn names(&self, tag: Tag) -> bool {
        self.known.contains_key(&tag) || self.reference.iter().any(|r| r.tag == tag)
    }
}
