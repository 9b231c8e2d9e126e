//! What rosters and their army lists say before a battle: each side's home terrain and aggression, and who stands mounted
//! and on foot at once.
//!
//! Pure. A roster names its list; a list may leave several home terrains, of which its side says one. Clauses:
//! army-lists.home.1, aggr.1, troop.5; dba3.dep.1.

use super::Roster;
use crate::rules::army_list::{HomeTerrain, Key, Shelf};
use crate::rules::setting_up::order::Act;
use crate::rules::{Element, Location, Reason, Setup, Side};

/// What one side brings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brought {
    /// Whose.
    pub side: Side,
    /// Its list.
    pub list: Key,
    /// The home terrains that the list names.
    pub homes: Vec<HomeTerrain>,
    /// Its aggression factor.
    pub aggression: u8,
    /// Its contingents by their names in the roster, each with its own list's home terrains.
    pub allies: Vec<(String, Vec<HomeTerrain>)>,
}

/// What each side brings, by its roster. In words, what is not known: a roster that names no list, or one that no shelf has.
pub fn brought(roster: &Roster, shelf: &Shelf) -> (Vec<Brought>, Vec<String>) {
    let (mut found, mut unknown) = (Vec::new(), Vec::new());
    for side in [Side::Red, Side::Blue] {
        let of_side = || roster.elements().iter().filter(move |e| e.side == side);
        let Some(named) = of_side().find_map(|e| e.list.as_deref()) else {
            unknown.push(format!(
                "{}'s roster names no army list: say its home terrain and aggression",
                side.word()
            ));
            continue;
        };
        let list = Key::read(named).ok().and_then(|key| shelf.list(&key));
        let Some(list) = list else {
            unknown.push(format!(
                "{}'s army list {named} is on no shelf: say where it is with --lists",
                side.word()
            ));
            continue;
        };
        let mut names: Vec<&str> = of_side().filter_map(|e| e.contingent.as_deref()).collect();
        names.sort_unstable();
        names.dedup();
        let homes_of = |name: &&str| {
            let theirs = shelf.lists().iter().find(|l| l.title == *name || l.key.to_string() == *name);
            theirs.map(|l| ((*name).to_owned(), l.homes.clone()))
        };
        found.push(Brought {
            side,
            list: list.key.clone(),
            homes: list.homes.clone(),
            aggression: list.aggression.factor(),
            allies: names.iter().filter_map(homes_of).collect(),
        });
    }
    (found, unknown)
}

/// Puts what armies bring before the acts that say nothing of it, and tells where an act says otherwise than its list. In
/// words, what is left to say: which of several home terrains a side's is.
pub fn with_armies(brought: &[Brought], acts: &mut Vec<(Side, Act)>) -> (Vec<(Side, Reason)>, Vec<String>) {
    let (mut reasons, mut open, mut first) = (Vec::new(), Vec::new(), Vec::new());
    for army in brought {
        let said = acts.iter().find_map(|(side, act)| match act {
            Act::Army(home, factor) if *side == army.side => Some((*home, *factor)),
            _ => None,
        });
        let named = army.homes.iter().map(|home| home.name()).collect::<Vec<_>>().join(" or ");
        match (said, army.homes.as_slice()) {
            (Some((home, factor)), homes) => {
                let text = format!("the home terrain of {} is {named}", army.list);
                let holds = homes.contains(&home);
                reasons.push((army.side, Reason { holds, ..Reason::holds("army-lists.home.1", text) }));
                let text = format!("the aggression of {} is {}", army.list, army.aggression);
                let holds = factor == army.aggression;
                reasons.push((army.side, Reason { holds, ..Reason::holds("army-lists.aggr.1", text) }));
            }
            (None, [home]) => first.push((army.side, Act::Army(*home, army.aggression))),
            (None, _) => {
                open.push(format!("{} says which its home terrain is: {named}", army.side.word()));
            }
        }
        for (name, homes) in &army.allies {
            let told = acts
                .iter()
                .any(|(side, act)| *side == army.side && matches!(act, Act::Ally(n, _) if n == name));
            if let (false, [home]) = (told, homes.as_slice()) {
                first.push((army.side, Act::Ally(name.clone(), *home)));
            }
        }
    }
    acts.splice(0..0, first);
    (reasons, open)
}

/// Of each `//` pair, whether one of the two stands and not both: the choice is made when its side deploys.
pub fn exchanges_chosen(roster: &Roster, setup: &Setup) -> Vec<(Side, Reason)> {
    let off = |e: &Element| matches!(e.location, Location::Off | Location::Reserve);
    let standing = |name: &str| setup.elements.iter().find(|e| e.name == name && !off(e));
    let told = roster.exchanges().into_iter().filter_map(|(rider, foot)| {
        let (mounted, on_foot) = (standing(&rider), standing(&foot));
        let side = mounted.or(on_foot)?.side;
        let (holds, text) = match (mounted, on_foot) {
            (Some(_), Some(_)) => {
                (false, format!("{rider} stands mounted and on foot as {foot}: it is one of the two"))
            }
            (Some(_), None) => (true, format!("{rider} deploys mounted; it might have deployed as {foot}")),
            _ => (true, format!("{rider} deploys on foot as {foot}")),
        };
        Some((side, Reason { holds, ..Reason::holds("army-lists.troop.5", text) }))
    });
    told.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Begin, Others, Raising, RosterFile, parse_roster, raise, samples};
    use crate::rules::army_list::{Army, shipped};
    use crate::rules::{Ruleset, notation};
    use crate::tracking::TagFamily;
    use crate::units::Scale;

    /// Both armies filled up from their lists, as a roster.
    fn roster(red: &str, blue: &str) -> Roster {
        let mut others = Others::default();
        let files = [(Side::Red, red), (Side::Blue, blue)].map(|(side, key)| {
            let list = shipped().list(&Key::read(key).expect("a key")).expect("a list");
            let army = Army::begun(list.key.clone()).filled(list);
            let scale = Scale::new(40.0).expect("a width");
            let family = TagFamily::Tag36h11;
            let raising = Raising { side, scale, family, size_mm: 12.0, height_mm: 30.0, begin: Begin::Free };
            let raised = raise(&army, shipped(), &Ruleset::dba3(), &raising, &others).expect("a legal army");
            let file = format!("{}.ron", side.word());
            let elements = parse_roster(&file, &raised.text).map_err(|m| m.to_string()).expect("it reads");
            others.roster(&elements);
            RosterFile { file, elements }
        });
        Roster::of(&samples::table(), files.into(), &Ruleset::dba3()).expect("they do not clash")
    }

    #[test]
    fn homes_and_aggression_come_from_the_lists() {
        // sample/4: HILLY, aggression 3; sample/10: DRY or LITTORAL, aggression 1.
        let (found, unknown) = brought(&roster("sample/4", "sample/10"), shipped());
        assert!(unknown.is_empty(), "{unknown:?}");
        let mut acts = vec![(Side::Red, Act::Roll(3))];
        let (reasons, open) = with_armies(&found, &mut acts);
        assert_eq!(acts[0], (Side::Red, Act::Army(HomeTerrain::Hilly, 3)));
        assert!(reasons.is_empty() && acts.len() == 2, "{acts:?}");
        assert_eq!(open, ["blue says which its home terrain is: DRY or LITTORAL"]);
        // Said, it is held against the list: LITTORAL is its home, STEPPE is not, and its factor is 1.
        for (home, factor, holds) in
            [(HomeTerrain::Littoral, 1, [true, true]), (HomeTerrain::Steppe, 2, [false, false])]
        {
            let mut acts = vec![(Side::Blue, Act::Army(home, factor))];
            let (reasons, open) = with_armies(&found, &mut acts);
            assert!(open.is_empty());
            let told: Vec<bool> = reasons.iter().map(|(_, r)| r.holds).collect();
            assert_eq!(told, holds);
            let clauses: Vec<&str> = reasons.iter().map(|(_, r)| r.clause.as_str()).collect();
            assert_eq!(clauses, ["army-lists.home.1", "army-lists.aggr.1"]);
        }
    }

    #[test]
    fn of_a_pair_one_stands_and_not_both() {
        let roster = roster("sample/1", "sample/4");
        let (rider, foot) = roster.exchanges()[0].clone();
        for (lines, holds) in [
            (vec![format!("\"{rider}\" 3Kn red (5,5)-(6,5) N")], true),
            (vec![format!("\"{foot}\" 4Bd red (5,5)-(6,5) N")], true),
            (
                vec![
                    format!("\"{rider}\" 3Kn red (5,5)-(6,5) N"),
                    format!("\"{foot}\" 4Bd red (7,5)-(8,5) N"),
                ],
                false,
            ),
        ] {
            let setup = notation::read_setup(&lines.join("; "), &Ruleset::dba3()).expect("a setup");
            let told = exchanges_chosen(&roster, &setup);
            assert_eq!(told.iter().map(|(_, r)| r.holds).collect::<Vec<_>>(), [holds], "{lines:?}");
        }
    }
}
