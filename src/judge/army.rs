//! Everything the rosters of one table say together.

use super::{RosterElement, Table};
use crate::rules::ruleset::Mark;
use crate::rules::{Foot, Listed, Ruleset};
use crate::text::{Mistake, Mistakes, did_you_mean};
use crate::tracking::Tag;
use std::collections::BTreeMap;

/// One roster file, already read.
#[derive(Debug, Clone, PartialEq)]
pub struct RosterFile {
    /// What the file is called.
    pub file: String,
    /// Its elements.
    pub elements: Vec<RosterElement>,
}

/// All elements of a table. Invariants: names are unique; each tag is on one base, once, and none is
/// a reference tag of the table; `becomes` names another element of the same side.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Roster {
    elements: Vec<RosterElement>,
    listed: BTreeMap<String, Listed>,
}

impl Roster {
    /// Puts roster files together for `table`, with the troop codes of `ruleset`.
    ///
    /// # Errors
    /// Every clash, under the file in which it stands: a name or a tag given twice within or between
    /// files, a tag that is also the table's or its terrain's, an unknown troop code, a `becomes` without its like.
    pub fn of(table: &Table, files: Vec<RosterFile>, ruleset: &Ruleset) -> Result<Self, Vec<Mistakes>> {
        let mut faults: BTreeMap<usize, Vec<Mistake>> = BTreeMap::new();
        let mut names: BTreeMap<&str, (usize, &RosterElement)> = BTreeMap::new();
        let mut tags: BTreeMap<Tag, String> = BTreeMap::new();
        for (i, roster) in files.iter().enumerate() {
            let place = |at| format!("{}, {at}", roster.file);
            for element in &roster.elements {
                let mut note =
                    |at, message: String| faults.entry(i).or_default().push(Mistake { at, message });
                if let Some((j, first)) = names.get(element.name.as_str()) {
                    let first = format!("{}, {}", files[*j].file, first.at);
                    note(
                        element.at,
                        format!("the name \"{}\" is given twice, first in {first}", element.name),
                    );
                } else {
                    names.insert(&element.name, (i, element));
                }
                if let Some(why) = unknown_troop(ruleset, &element.troop) {
                    note(element.troop_at, why);
                }
                for tag in &element.tags {
                    if table.reference.iter().any(|r| r.tag == tag.tag) {
                        let message =
                            format!("{} on \"{}\" is a reference tag of the table", tag.tag, element.name);
                        note(tag.at, message);
                    }
                    if let Some(on) = table.feature_tags.iter().find(|t| t.place.tag == tag.tag) {
                        let (tag_name, terrain) = (tag.tag, &on.feature);
                        let message = format!("{tag_name} on \"{}\" is the tag of {terrain}", element.name);
                        note(tag.at, message);
                    }
                    if let Some(first) = tags.get(&tag.tag) {
                        let message = format!("{} on \"{}\" is already on {first}", tag.tag, element.name);
                        note(tag.at, message);
                    } else {
                        tags.insert(tag.tag, format!("\"{}\" ({})", element.name, place(tag.at)));
                    }
                }
            }
        }
        for (i, roster) in files.iter().enumerate() {
            for element in &roster.elements {
                let Some(other) = &element.becomes else { continue };
                let message = match names.get(other.as_str()) {
                    None => format!("\"{}\" becomes \"{other}\", which no roster names", element.name),
                    Some(_) if *other == element.name => format!("\"{other}\" becomes itself"),
                    Some((_, o)) if o.side != element.side => {
                        format!("\"{}\" becomes \"{other}\", which is of the other side", element.name)
                    }
                    Some(_) => continue,
                };
                faults.entry(i).or_default().push(Mistake { at: element.at, message });
            }
        }
        if faults.is_empty() {
            let elements: Vec<RosterElement> = files.into_iter().flat_map(|f| f.elements).collect();
            let listed = elements.iter().map(|e| (e.name.clone(), listed(e, &elements, ruleset)));
            let listed = listed.filter(|(_, listed)| *listed != Listed::default()).collect();
            return Ok(Self { elements, listed });
        }
        Err(faults.into_iter().map(|(i, list)| Mistakes::new(&files[i].file, list)).collect())
    }

    /// Every element, in the order of the files.
    pub fn elements(&self) -> &[RosterElement] {
        &self.elements
    }

    /// What army lists say of its elements, by their names; of those not named they say nothing.
    pub fn listed(&self) -> &BTreeMap<String, Listed> {
        &self.listed
    }

    /// The two sides of each `//` pair: who rides, and what it becomes on foot.
    pub fn exchanges(&self) -> Vec<(String, String)> {
        let rides = |name: &str| self.listed.get(name).is_some_and(|l| matches!(l.foot, Foot::As(_)));
        let pair = |e: &RosterElement| Some((e.name.clone(), e.becomes.clone()?));
        self.elements.iter().filter(|e| rides(&e.name)).filter_map(pair).collect()
    }

    /// The element of that name.
    pub fn element(&self, name: &str) -> Option<&RosterElement> {
        self.elements.iter().find(|e| e.name == name)
    }
}

/// What an element's roster says of its army list: the foot that it becomes, and that it has none where the roster is made
/// from a list.
fn listed(element: &RosterElement, all: &[RosterElement], ruleset: &Ruleset) -> Listed {
    let rides =
        |code: &str| ruleset.troop(code).is_some_and(|t| t.is_mounted() || t.is(Mark::MountedInfantry));
    let other = element.becomes.as_ref().and_then(|name| all.iter().find(|e| e.name == *name));
    let foot = match other.filter(|other| rides(&element.troop) && !rides(&other.troop)) {
        Some(foot) => Foot::As(foot.troop.clone()),
        None if element.list.is_some() && rides(&element.troop) => Foot::None,
        None => Foot::Unknown,
    };
    Listed { foot, allied_general: element.general && element.contingent.is_some() }
}

/// What is wrong with a troop code, or `None` where the ruleset knows it.
fn unknown_troop(ruleset: &Ruleset, code: &str) -> Option<String> {
    if ruleset.troop(code).is_some() {
        return None;
    }
    let near = did_you_mean(code, ruleset.troops().iter().map(|t| t.code.as_str()));
    let known = || ruleset.troops().iter().map(|t| t.code.as_str()).collect::<Vec<_>>().join(", ");
    let end = if near.is_empty() { format!("; it has {}", known()) } else { near };
    Some(format!("{} has no troop code `{code}`{end}", ruleset.title()))
}
