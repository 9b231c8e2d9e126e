//! The tag book of a table and its rosters.

use super::{Roster, Table};
use crate::tracking::{KnownTag, TagBook};

/// Every tag that may be seen. A mounted tag's height is its base's thickness and its mount's height
/// together, on a table that is flat.
pub fn tag_book(table: &Table, roster: &Roster) -> TagBook {
    let known = roster.elements().iter().flat_map(|element| {
        element.tags.iter().map(|tag| {
            let known = KnownTag {
                size_mm: tag.size_mm,
                height_mm: element.base.thickness_mm + tag.height_mm,
                height_sigma_mm: tag.height_sigma_mm,
            };
            (tag.tag, known)
        })
    });
    TagBook { reference: table.reference.clone(), known: known.collect() }
}
