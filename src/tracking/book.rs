//! What is known of tags before a picture is looked at: where the reference tags lie, and how large
//! and how high the tags on bases are. Made from the table file and the roster.

use super::Tag;
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
}

/// A tag on something that moves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownTag {
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Height of the printed face above the playing surface z = 0: terrain, base and mount together.
    pub height_mm: f64,
    /// One sigma of that height, millimetres.
    pub height_sigma_mm: f64,
}

/// Every tag that may be seen. Anything else is a ghost and refused.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TagBook {
    /// The table's own tags.
    pub reference: Vec<ReferenceTag>,
    /// The tags on bases and on other things that move.
    pub known: BTreeMap<Tag, KnownTag>,
}

impl TagBook {
    /// Whether a tag is named here at all.
    pub fn names(&self, tag: Tag) -> bool {
        self.known.contains_key(&tag) || self.reference.iter().any(|r| r.tag == tag)
    }
}
