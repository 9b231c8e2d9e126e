//! A roster made from an army: names, bases as listed, and tags from a block of ids that is the army's own.
//!
//! Ids 0 to 19 of a family are the table's; after them each army has a block of 30, numbered from 1. Rosters made from
//! different blocks never have a tag twice. Lengths are millimetres.

use crate::rules::army_list::{Army, Mustered};
use crate::rules::{Location, Ruleset, Side};
use crate::tracking::{Tag, TagFamily};
use crate::units::Scale;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use thiserror::Error;

/// How many ids of a family are left to the table's reference tags.
pub const TABLE_IDS: u32 = 20;

/// How many ids an army's block has: 12 elements, each with a foot to become, and a few more.
pub const BLOCK: u32 = 30;

/// Why there are no ids for an army.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum IdsError {
    /// The family has no block of that number.
    #[error(
        "{family} has {} ids: after {TABLE_IDS} for the table it holds {}, and block {number} is asked for; {}",
        family.ids(), blocks_told(*family), larger(*family, *number)
    )]
    NoBlock {
        /// The family.
        family: TagFamily,
        /// The block that was asked for.
        number: u32,
    },
    /// Each block has tags that are used already.
    #[error("every block of {family} has tags that are used already; {}", larger(*family, blocks(*family) + 1))]
    AllUsed {
        /// The family.
        family: TagFamily,
    },
    /// The ids run past the family's last.
    #[error(
        "{count} tags are needed from id {first} on, and the last id of {family} is {}: {} too few; {}",
        family.ids() - 1, first + count - family.ids(), begin(*family, *count)
    )]
    PastTheEnd {
        /// The family.
        family: TagFamily,
        /// The first id.
        first: u32,
        /// How many are needed.
        count: u32,
    },
    /// Tags that are on the table or in another roster already.
    #[error("already used: {tags}; take another block, or begin at another id")]
    Used {
        /// Which.
        tags: String,
    },
}

/// How many armies a family has blocks for.
pub fn blocks(family: TagFamily) -> u32 {
    family.ids().saturating_sub(TABLE_IDS) / BLOCK
}

fn blocks_told(family: TagFamily) -> String {
    match blocks(family) {
        0 => format!("no block of {BLOCK} for an army"),
        1 => "one army's block".to_owned(),
        n => format!("blocks 1 to {n} for armies"),
    }
}

/// What would do instead of a family that has no block of that number.
fn larger(family: TagFamily, number: u32) -> String {
    let fits: Vec<String> = TagFamily::ALL
        .into_iter()
        .filter(|other| *other != family && blocks(*other) >= number.max(1))
        .map(|other| format!("{other}, which holds {}", blocks_told(other)))
        .collect();
    if fits.is_empty() {
        "no family holds it: take a lower block".to_owned()
    } else {
        format!("take {}", fits.join(", or "))
    }
}

/// Where that many tags fit.
fn begin(family: TagFamily, count: u32) -> String {
    match family.ids().checked_sub(count) {
        Some(last) => format!("begin at {last} or below, or {}", larger(family, 1)),
        None => larger(family, 1),
    }
}

/// The first id of a block, counted from 1.
///
/// # Errors
/// A block that the family does not have.
pub fn block_start(family: TagFamily, number: u32) -> Result<u32, IdsError> {
    if number == 0 || number > blocks(family) {
        return Err(IdsError::NoBlock { family, number });
    }
    Ok(TABLE_IDS + (number - 1) * BLOCK)
}

/// The lowest block none of whose ids is used.
///
/// # Errors
/// A family without blocks, or with none left.
pub fn free_block(family: TagFamily, used: &BTreeSet<Tag>) -> Result<u32, IdsError> {
    if blocks(family) == 0 {
        return Err(IdsError::NoBlock { family, number: 1 });
    }
    let free = |first: u32| (first..first + BLOCK).all(|id| !used.contains(&Tag::new(family, id)));
    (1..=blocks(family))
        .find(|number| block_start(family, *number).is_ok_and(free))
        .ok_or(IdsError::AllUsed { family })
}

/// That many tags from an id on.
///
/// # Errors
/// Ids past the family's last; tags that are used.
pub fn tags_from(
    family: TagFamily,
    first: u32,
    count: u32,
    used: &BTreeSet<Tag>,
) -> Result<Vec<Tag>, IdsError> {
    if first.checked_add(count).is_none_or(|end| end > family.ids()) {
        let first = first.min(family.ids());
        return Err(IdsError::PastTheEnd { family, first, count });
    }
    let tags: Vec<Tag> = (first..first + count).map(|id| Tag::new(family, id)).collect();
    let clash: Vec<String> = tags.iter().filter(|tag| used.contains(tag)).map(ToString::to_string).collect();
    if clash.is_empty() { Ok(tags) } else { Err(IdsError::Used { tags: clash.join(", ") }) }
}

/// How many tags an army needs: one for each element, and one for the foot of each that may dismount.
pub fn tags_needed(army: &[Mustered]) -> u32 {
    army.iter().map(|one| 1 + u32::from(one.foot.is_some())).sum()
}

/// How a roster is made.
#[derive(Debug, Clone, PartialEq)]
pub struct Making {
    /// Whose it is.
    pub side: Side,
    /// The base width.
    pub scale: Scale,
    /// Side of the tags' squares.
    pub size_mm: f64,
    /// Height of the tags' faces above their bases.
    pub height_mm: f64,
    /// Names that other rosters have.
    pub taken_names: BTreeSet<String>,
}

/// The roster file of an army; `tags` are as many as [`tags_needed`] says. Bases are as listed and not measured yet, and so
/// are the tags: their sigmas say so until `groma jig` has measured them.
pub fn roster_text(army: &Army, all: &[Mustered], tags: &[Tag], making: &Making, rules: &Ruleset) -> String {
    let side = making.side.word();
    let mut text = format!(
        "// {army}\n// Bases as listed and tags as glued by eye: measure them with `groma jig`, or with a ruler, and change what differs.\n\
         (\n    schema: 1,\n    side: {side},\n    list: \"{}\",\n    elements: [\n",
        army.list
    );
    let mut tags = tags.iter();
    for one in all {
        let name = free_name(&one.name, making);
        let foot_name = free_name(&format!("{} on foot", one.name), making);
        let mut write = |name: &str, code: &str, becomes: Option<&str>| {
            let tag = tags.next().expect("as many tags as are needed");
            element(&mut text, one, (name, code, becomes), *tag, making, rules);
        };
        match &one.foot {
            None => write(&name, &one.code, None),
            Some(foot) => {
                write(&name, &one.code, Some(&foot_name));
                write(&foot_name, foot, Some(&name));
            }
        }
    }
    text.push_str("    ],\n)\n");
    text
}

/// The name, with the side's behind it where another roster has it.
fn free_name(name: &str, making: &Making) -> String {
    if making.taken_names.contains(name) {
        format!("{name}, {}", making.side.word())
    } else {
        name.to_owned()
    }
}

fn element(
    text: &mut String,
    one: &Mustered,
    (name, code, becomes): (&str, &str, Option<&str>),
    tag: Tag,
    making: &Making,
    rules: &Ruleset,
) {
    let depth = rules.troop(code).map_or(making.scale.mm_per_bw(), |t| t.listed_depth_mm(making.scale));
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut more = String::new();
    // Writing to a String cannot fail.
    if one.general {
        more.push_str(", general: true");
    }
    if let Some(contingent) = &one.contingent {
        let _ = write!(more, ", contingent: {}", quoted(contingent));
    }
    match one.location {
        Location::Camp => more.push_str(", location: camp"),
        Location::City => more.push_str(", location: city"),
        _ => {}
    }
    if let Some(becomes) = becomes {
        let _ = write!(more, ", becomes: {}", quoted(becomes));
    }
    let (width, size, height) = (making.scale.mm_per_bw(), making.size_mm, making.height_mm);
    let _ = writeln!(
        text,
        "        (name: {}, troop: \"{code}\", base: ({width}, {depth}), base_sigma: (0.3, 0.3){more},\n         tags: \
         [(family: \"{}\", id: {}, size: {size}, height: {height}, offset_sigma: 1, rotation_sigma: 2)]),",
        quoted(name),
        tag.family,
        tag.id,
    );
}

#[cfg(test)]
mod tests {
    use super::super::{Roster, RosterFile, parse_roster, samples};
    use super::*;
    use crate::rules::Foot;
    use crate::rules::army_list::{muster, shipped};

    fn roster(text: &str, side: Side, first: u32, taken_names: BTreeSet<String>) -> String {
        let rules = Ruleset::dba3();
        let army = Army::read(text, &rules).expect(text);
        let all = muster(&army, shipped(), &rules).expect("a legal army");
        let tags = tags_from(TagFamily::Tag36h11, first, tags_needed(&all), &BTreeSet::new()).expect("ids");
        let making = Making { side, scale: Scale::SMALL, size_mm: 12.0, height_mm: 30.0, taken_names };
        roster_text(&army, &all, &tags, &making, &rules)
    }

    #[test]
    fn two_rosters_of_one_list_share_a_table() {
        let army =
            "sample/12: general Mtd-4Lb, 2xMtd-4Cb, 2x3Kn, 4x4Lb, 2x4Bd, Ps; camp followers; city denizens";
        let red =
            roster(army, Side::Red, block_start(TagFamily::Tag36h11, 1).expect("a block"), BTreeSet::new());
        let elements = parse_roster("red.ron", &red).expect("a roster");
        assert_eq!(elements.len(), 14 + 5, "twelve, followers, denizens, and five on foot");
        let names = elements.iter().map(|e| e.name.clone()).collect();
        let blue = roster(army, Side::Blue, block_start(TagFamily::Tag36h11, 2).expect("a block"), names);
        let files = [("red.ron", red), ("blue.ron", blue)].map(|(file, text)| RosterFile {
            file: file.to_owned(),
            elements: parse_roster(file, &text).expect("a roster"),
        });
        let both = Roster::of(&samples::table(), files.into(), &Ruleset::dba3()).expect("no clash");
        assert_eq!(both.elements().len(), 38);
        let rider = both.element("Knights 1").expect("knights");
        assert_eq!((rider.base.width_mm, rider.base.depth_mm), (40.0, 30.0));
        assert_eq!(both.listed()["Knights 1"].foot, Foot::As("4Bd".to_owned()));
        let foot = both.element("Knights 1 on foot, blue").expect("blue's");
        assert_eq!((foot.troop.as_str(), foot.base.depth_mm, foot.side), ("4Bd", 15.0, Side::Blue));
    }

    #[test]
    fn an_allied_general_is_no_general_in_play() {
        let text = roster("sample/8: general CWg, 3xWWg, 4x4Cb, 3x7Hd, Cv", Side::Red, 20, BTreeSet::new());
        assert!(text.contains("general: true"));
        let allied = roster(
            "sample/1: general Cv, 3Kn, 2xLH, 3x4Sp, 4Cb, Ps; ally sample/12: general 3Kn, 2x4Lb",
            Side::Red,
            20,
            BTreeSet::new(),
        );
        let file = RosterFile {
            file: "red.ron".to_owned(),
            elements: parse_roster("red.ron", &allied).expect("a roster"),
        };
        let roster = Roster::of(&samples::table(), vec![file], &Ruleset::dba3()).expect("no clash");
        assert!(roster.listed()["Captain 2"].allied_general && !roster.listed().contains_key("Slingers"));
    }

    #[test]
    fn a_family_without_ids_is_refused_with_what_would_do() {
        assert_eq!(blocks(TagFamily::Tag36h11), 18);
        assert_eq!(block_start(TagFamily::Tag36h11, 18), Ok(530));
        let none = block_start(TagFamily::Tag25h9, 1).expect_err("35 ids").to_string();
        assert!(
            none.contains("35 ids") && none.contains("take tag36h11, which holds blocks 1 to 18"),
            "{none}"
        );
        let far = block_start(TagFamily::Tag36h11, 19).expect_err("19").to_string();
        assert!(far.contains("take tagStandard41h12, which holds blocks 1 to 69"), "{far}");
        let nowhere = block_start(TagFamily::TagStandard41h12, 70).expect_err("70").to_string();
        assert!(nowhere.contains("take a lower block"), "{nowhere}");
        let used: BTreeSet<Tag> = [20, 49, 81].map(|id| Tag::new(TagFamily::Tag36h11, id)).into();
        assert_eq!(free_block(TagFamily::Tag36h11, &used), Ok(2));
        let past = tags_from(TagFamily::Tag25h9, 25, 14, &used).expect_err("39").to_string();
        assert!(past.contains("4 too few") && past.contains("begin at 21 or below"), "{past}");
        assert!(
            tags_from(TagFamily::Tag36h11, 40, 12, &used)
                .expect_err("49")
                .to_string()
                .contains("tag36h11 49")
        );
        assert_eq!(tags_from(TagFamily::Tag36h11, 21, 3, &used).map(|t| t.len()), Ok(3));
        let all: BTreeSet<Tag> = (0..587).map(|id| Tag::new(TagFamily::Tag36h11, id)).collect();
        assert_eq!(
            free_block(TagFamily::Tag36h11, &all),
            Err(IdsError::AllUsed { family: TagFamily::Tag36h11 })
        );
        assert!(tags_from(TagFamily::Tag36h11, u32::MAX, 3, &used).is_err());
    }
}
