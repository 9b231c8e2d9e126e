//! The tag book of a table and its rosters.

use super::{Roster, Table};
use crate::tracking::{KnownTag, Mount, Tag, TagBook};
use std::collections::BTreeMap;

/// Every tag that may be seen. A mounted tag's height is its base's thickness and its mount's height
/// together, above the ground that the table's hills make.
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
    TagBook {
        reference: table.reference.clone(),
        known: known.collect(),
        mounts: mounts(roster),
        ..TagBook::default()
    }
}

/// How each tag sits on its base.
fn mounts(roster: &Roster) -> BTreeMap<Tag, Mount> {
    let of_element = |element: &super::RosterElement| {
        let base = element.base;
        let mount = move |tag: &super::MountedTag| Mount {
            right_mm: tag.right_mm,
            forward_mm: tag.forward_mm,
            rotation_deg: tag.rotation_deg,
            width_mm: base.width_mm,
            depth_mm: base.depth_mm,
        };
        element.tags.iter().map(|tag| (tag.tag, mount(tag))).collect::<Vec<_>>()
    };
    roster.elements().iter().flat_map(of_element).collect()
}
