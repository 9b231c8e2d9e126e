//! The army that a roster's elements are: what its list is asked about.
//!
//! The foot of a `//` pair is no element of its own; camp followers and denizens come on top (clause dba3.troop.12).

use super::RosterElement;
use crate::rules::army_list::{
    Army, ArmyList, ArmyRuling, Camp, City, Contingent, Finding, Followers, Shelf, Taken, judge,
};
use crate::rules::ruleset::{Kind, Mark};
use crate::rules::{Location, Ruleset};

/// Judges one side's elements of a roster as an army of that list. Contingents are known by the title or the key of their
/// lists.
///
/// # Errors
/// The name of a contingent that no list on the shelf has.
pub fn judge_roster(
    elements: &[RosterElement],
    list: &ArmyList,
    shelf: &Shelf,
    rules: &Ruleset,
) -> Result<(Army, ArmyRuling), String> {
    let army = army_of(elements, list, shelf, rules)?;
    let mut ruling = judge(&army, shelf, rules);
    ruling.findings.extend(feet(elements, list, &army, shelf, rules));
    ruling.findings.sort_by_key(|finding| finding.holds);
    Ok((army, ruling))
}

fn rides(code: &str, rules: &Ruleset) -> bool {
    rules.troop(code).is_some_and(|t| t.is_mounted() || t.is(Mark::MountedInfantry))
}

/// The rider of whom an element is the foot.
fn rider_of<'a>(
    element: &RosterElement,
    all: &'a [RosterElement],
    rules: &Ruleset,
) -> Option<&'a RosterElement> {
    let becomes = |other: &&RosterElement| other.becomes.as_ref() == Some(&element.name);
    all.iter().filter(becomes).find(|other| rides(&other.troop, rules) && !rides(&element.troop, rules))
}

fn army_of(
    elements: &[RosterElement],
    list: &ArmyList,
    shelf: &Shelf,
    rules: &Ruleset,
) -> Result<Army, String> {
    let mut army = Army {
        list: list.key.clone(),
        own: Vec::new(),
        contingents: Vec::new(),
        camp: Camp::Unsaid,
        city: City::None,
    };
    let (mut inside, mut followers) = (Vec::new(), Followers::None);
    for element in elements.iter().filter(|e| rider_of(e, elements, rules).is_none()) {
        let troop = rules.troop(&element.troop);
        match troop.map(|t| t.kind) {
            Some(Kind::CampFollowers) => {
                followers = Followers::Element;
                continue;
            }
            Some(Kind::Denizens) => {
                army.city = City::WithDenizens;
                continue;
            }
            _ => {}
        }
        let code = troop.map_or(&element.troop, |t| &t.code).clone();
        if element.location == Location::Camp {
            inside.push(code.clone());
        }
        let taken = match &element.contingent {
            None => &mut army.own,
            Some(name) => {
                let theirs = of_contingent(name, list, shelf).ok_or_else(|| {
                    format!("the contingent \"{name}\" has the title or key of no army list")
                })?;
                let at = army.contingents.iter().position(|c| c.list == theirs.key).unwrap_or_else(|| {
                    army.contingents.push(Contingent { list: theirs.key.clone(), elements: Vec::new() });
                    army.contingents.len() - 1
                });
                &mut army.contingents[at].elements
            }
        };
        match taken.iter_mut().find(|t| t.code == code && t.general == element.general) {
            Some(same) => same.count = same.count.saturating_add(1),
            None => taken.push(Taken { count: 1, code, general: element.general }),
        }
    }
    if followers != Followers::None || !inside.is_empty() {
        army.camp = Camp::Stands { troops: inside, followers };
    }
    Ok(army)
}

/// The list of a contingent of that name: an ally's before another's of the same title.
fn of_contingent<'s>(name: &str, list: &ArmyList, shelf: &'s Shelf) -> Option<&'s ArmyList> {
    let called = |l: &&ArmyList| l.title == name || l.key.to_string() == name;
    let ally = shelf.lists().iter().filter(called).find(|l| list.allied_with(&l.key));
    ally.or_else(|| shelf.lists().iter().find(called))
}

/// Whether each foot of the roster is what the list has behind `//` (clause army-lists.troop.5).
fn feet(
    elements: &[RosterElement],
    list: &ArmyList,
    army: &Army,
    shelf: &Shelf,
    rules: &Ruleset,
) -> Vec<Finding> {
    let mut found = Vec::new();
    for foot in elements {
        let Some(rider) = rider_of(foot, elements, rules) else { continue };
        let lists = match &rider.contingent {
            None => vec![list],
            Some(_) => army.contingents.iter().filter_map(|c| shelf.list(&c.list)).collect(),
        };
        let canonical = |code: &str| rules.troop(code).map_or(code.to_owned(), |t| t.code.clone());
        let (code, to) = (canonical(&rider.troop), canonical(&foot.troop));
        let forms = lists.iter().flat_map(|l| l.all_entries()).flat_map(|e| e.items()).flat_map(|i| &i.forms);
        let holds = forms.into_iter().any(|form| form.code == code && form.foot.as_ref() == Some(&to));
        let may = if holds { "has" } else { "does not have" };
        let text = format!("\"{}\" becomes \"{}\", and its list {may} {code}//{to}", rider.name, foot.name);
        found.push(Finding { clause: "army-lists.troop.5", holds, text, off_by: None });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::{Making, parse_roster, roster_text, tags_from, tags_needed};
    use super::*;
    use crate::rules::Side;
    use crate::rules::army_list::{muster, shipped};
    use crate::tracking::TagFamily;
    use crate::units::Scale;

    fn roster(army: &str) -> String {
        let rules = Ruleset::dba3();
        let army = Army::read(army, &rules).expect(army);
        let all = muster(&army, shipped(), &rules).expect("a legal army");
        let tags = tags_from(TagFamily::Tag36h11, 20, tags_needed(&all), &Default::default()).expect("ids");
        let making = Making {
            side: Side::Red,
            scale: Scale::SMALL,
            size_mm: 12.0,
            height_mm: 30.0,
            taken_names: Default::default(),
        };
        roster_text(&army, &all, &tags, &making, &rules)
    }

    fn judged(text: &str) -> Result<(Army, ArmyRuling), String> {
        let elements = parse_roster("r.ron", text).expect("a roster");
        let list = shipped().lists().iter().find(|l| l.key.to_string() == "sample/1").expect("the list");
        judge_roster(&elements, list, shipped(), &Ruleset::dba3())
    }

    const ARMY: &str = "sample/1: general Cv, 3Kn, 3x4Sp, 2x3Cb, LH, Ps; ally sample/12: general 3Kn, 2x4Lb; \
        camp followers; city denizens";

    #[test]
    fn a_roster_made_from_an_army_is_that_army() {
        let (army, ruling) = judged(&roster(ARMY)).expect("known lists");
        assert!(ruling.legal(), "{:?}", ruling.faults().collect::<Vec<_>>());
        let sorted = |army: &Army| {
            let mut army = army.clone();
            army.own.sort_by(|a, b| a.code.cmp(&b.code));
            army
        };
        assert_eq!(sorted(&army), sorted(&Army::read(ARMY, &Ruleset::dba3()).expect("an army")));
    }

    #[test]
    fn what_was_changed_by_hand_is_told() {
        let text = roster(ARMY);
        let faults = |text: &str| -> Vec<&'static str> {
            judged(text).expect("known lists").1.faults().map(|f| f.clause).collect()
        };
        // The household's foot are spears, the crossbows are of two sorts, and the allies' general is nobody.
        let feet = text.replacen("troop: \"4Bd\"", "troop: \"4Sp\"", 1);
        assert_eq!(faults(&feet), ["army-lists.troop.5"]);
        assert_eq!(faults(&text.replacen("3Cb", "4Cb", 2).replacen("4Cb", "3Cb", 1)), ["army-lists.troop.3"]);
        let unknown = text.replace("Free bows of the Weald", "Free men");
        assert!(judged(&unknown).expect_err("no such list").contains("\"Free men\""));
    }
}
