//! The tag book of a table and its rosters.

use super::carried::hill_of;
use super::{FeatureTag, Roster, Table};
use crate::geometry::{Hill, Relief, Rise};
use crate::rules::terrain::{Ground, Profile};
use crate::tracking::{Bearer, KnownTag, Mount, Tag, TagBook};
use std::collections::BTreeMap;

/// Every tag that may be seen. A mounted tag's height is its base's thickness and its mount's height
/// together, above the ground that the table's hills make.
pub fn tag_book(table: &Table, roster: &Roster) -> TagBook {
    let on_terrain = table.feature_tags.iter().map(|t| (t.place.tag, t.known()));
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
        known: known.chain(on_terrain).collect(),
        mounts: mounts(roster),
        relief: relief(&table.ground),
        bearers: bearers(table),
    }
}

/// The tags on terrain.
fn bearers(table: &Table) -> BTreeMap<Tag, Bearer> {
    let of =
        |t: &FeatureTag| (t.place.tag, Bearer { lies: t.pose(), hill: hill_of(&table.ground, &t.feature) });
    table.feature_tags.iter().map(of).collect()
}

/// The hills of a table, on which bases may stand.
pub fn relief(ground: &Ground) -> Relief {
    let hills = ground.features.iter().filter_map(|feature| {
        let hill = feature.hill.as_ref()?;
        let rise = match hill.profile {
            Profile::Stepped => Rise::Stepped,
            Profile::Slope => Rise::Sloping { crest: hill.crest.clone() },
        };
        Some(
            Hill::new(feature.outline.clone(), hill.height_mm, rise)
                .expect("a table file's hills are checked"),
        )
    });
    Relief::new(hills.collect())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Point;
    use crate::judge::{parse_table, samples};

    #[test]
    fn the_hills_of_a_table_file_bear_its_bases() {
        let flat = tag_book(&samples::table(), &samples::roster());
        assert!(flat.relief.is_flat() && flat.bearers.is_empty() && flat.mounts.len() == flat.known.len());
        let hill = "terrain: [\n        (name: \"Hill\", kind: \"gentle-hill\", height: 15, profile: stepped, \
                    outline: [(100, 100), (300, 100), (300, 250), (100, 250)]),";
        let text = samples::TABLE_RON.replacen("terrain: [", hill, 1);
        let table = parse_table("t.ron", &text).map_err(|m| m.to_string()).expect("a sound table");
        let book = tag_book(&table, &samples::roster());
        assert_eq!(book.relief.height_mm(Point::new(200.0, 200.0)), 15.0);
        assert_eq!(book.relief.height_mm(Point::new(310.0, 200.0)), 0.0);
    }
}
