//! What a tactical move costs, and whether there are PIPs left for it (clauses dba3.pip.1 to .8, dba3.set.23
//! to .26).

use super::command::in_command;
use super::sight::who;
use super::{Bound, Location};
use crate::geometry::Margin;
use crate::rules::settings::RoadBlocked;
use crate::rules::{Element, Reason, Settings, Setup};
use serde::Deserialize;
use std::sync::Arc;

/// How far a road move goes of what it could.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum RoadLength {
    /// The full distance.
    Full,
    /// As far as troops or a threat zone let it.
    CutShort,
    /// Less than it could.
    Short,
}

/// Which way it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum RoadFacing {
    /// On, the way that it faces.
    Kept,
    /// Back.
    Reversed,
}

/// What sort of move it is, as far as its cost depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// In whole or in part off a road, or a group that is no column.
    Field,
    /// Wholly along a road, by a single element or a column.
    Road {
        /// How far.
        length: RoadLength,
        /// Which way.
        facing: RoadFacing,
    },
}

/// Whether a move ends in contact with enemy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// It does not.
    Clear,
    /// It does.
    InContact,
}

/// What a move costs.
#[derive(Debug, Clone, PartialEq)]
pub struct Cost {
    /// PIPs, as far as is known; what is not known is taken to cost nothing.
    pub pips: u8,
    /// The margin of command distance, where it decides.
    pub margin: Option<Margin>,
    /// Every step, the deciding one first.
    pub reasons: Vec<Reason>,
    /// What could not be checked.
    pub unchecked: Vec<Reason>,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

/// What it costs those `movers`, one side's, to make such a move from where they stand in `setup`.
pub fn cost(
    setup: &Setup,
    settings: &Settings,
    bound: &Bound,
    movers: &[&Element],
    sort: Sort,
    ends: Ends,
) -> Cost {
    let pips = settings.ruleset().pips();
    let names = who(movers);
    let mut found = Cost {
        pips: 0,
        margin: None,
        reasons: Vec::new(),
        unchecked: Vec::new(),
        under: Arc::clone(settings.name()),
    };
    if let Sort::Road { length, facing } = sort {
        let free = free_by_road(settings, bound, movers, length, facing, &mut found.reasons);
        if free {
            return found;
        }
    }
    found.pips = pips.ordinary;
    let text = format!("a tactical move of {names} costs {} PIP", pips.ordinary);
    found.reasons.push(Reason::holds("dba3.pip.4", text));
    if bound.is_first_of_its_side() {
        let text = "it is its side's first bound: nothing is added";
        found.reasons.push(Reason::holds("dba3.pip.5", text));
        return found;
    }
    found
        .reasons
        .push(Reason::fails("dba3.pip.5", format!("bound {} is not its side's first", bound.number)));
    let awkward = awkward(settings, movers, ends, &mut found.reasons);
    let command = in_command(setup, settings, bound, movers);
    found.margin = command.margin;
    let beyond = match command.holds {
        Some(in_command) => !in_command,
        None => {
            found.unchecked.extend(command.reasons.clone());
            false
        }
    };
    found.reasons.extend(command.reasons);
    if awkward {
        found.pips += pips.awkward_extra;
    }
    if beyond {
        found.pips += pips.command_extra;
    }
    let text = match (awkward, beyond) {
        (true, true) => "both extra costs are added",
        (true, false) | (false, true) => "one extra cost is added",
        (false, false) => "no extra cost is added",
    };
    found.reasons.push(Reason::holds("dba3.pip.6", format!("{text}: {} in all", found.pips)));
    found
}

/// Whether a road move is free (clause dba3.pip.3).
fn free_by_road(
    settings: &Settings,
    bound: &Bound,
    movers: &[&Element],
    length: RoadLength,
    facing: RoadFacing,
    reasons: &mut Vec<Reason>,
) -> bool {
    let names = who(movers);
    let first = movers.iter().all(|e| bound.moves_of(&e.name).next().is_none());
    let far = match length {
        RoadLength::Full => true,
        RoadLength::CutShort => settings.road_free_move_blocked == RoadBlocked::AsFarAsPossible,
        RoadLength::Short => false,
    };
    let kept = facing == RoadFacing::Kept;
    let free = first && far && kept;
    let text = if free {
        format!("the first move of {names} in this bound, wholly by road and as far as it goes, is free")
    } else if !first {
        format!("{names} has moved in this bound already: a further road move is not free")
    } else if !kept {
        format!("{names} turns back the way it faces: the road move is not free")
    } else {
        format!("{names} stops short of the full distance: the road move is not free")
    };
    reasons.push(Reason { holds: free, ..Reason::holds("dba3.pip.3", text) });
    if length == RoadLength::CutShort && first && kept {
        let text = if far {
            "as far as troops or a threat zone let it is the full distance"
        } else {
            "by the setting only the full distance is free"
        };
        reasons.push(Reason { holds: far, ..Reason::holds("dba3.set.23", text) });
    }
    if bound.is_first_of_its_side() {
        let text = "a road move is free in a side's first bound as in any other";
        reasons.push(Reason { holds: free, ..Reason::holds("dba3.set.24", text) });
    }
    free
}

/// Whether anything moved is awkward (clause dba3.pip.7).
fn awkward(settings: &Settings, movers: &[&Element], ends: Ends, reasons: &mut Vec<Reason>) -> bool {
    let rules = settings.ruleset();
    let pips = rules.pips();
    let garrison = |e: &Element| matches!(e.location, Location::Camp | Location::City | Location::Fort);
    let mut spared = None;
    let is_awkward = |e: &&&Element| {
        let Some(troop) = rules.troop(&e.troop) else { return false };
        garrison(e) || pips.awkward.holds(troop)
    };
    let mut found = None;
    for element in movers.iter().filter(is_awkward) {
        let spare = ends == Ends::InContact
            && !garrison(element)
            && rules.troop(&element.troop).is_some_and(|t| pips.spared_on_contact.holds(t));
        if spare {
            spared = Some(element);
        }
        if !(spare && settings.sch_surcharge_exempt_on_contact) {
            found = found.or(Some(element));
        }
    }
    if let Some(element) = spared {
        let (exempt, name) = (settings.sch_surcharge_exempt_on_contact, &element.name);
        let text = if exempt {
            format!("{name} ends in contact, which costs Scythed Chariots nothing more")
        } else {
            format!("by the setting {name} pays more though it ends in contact")
        };
        reasons.push(Reason { holds: exempt, ..Reason::holds("dba3.set.25", text) });
    }
    match found {
        Some(element) if garrison(element) => {
            let text =
                format!("{} leaves a City, Fort or camp that it garrisons: one PIP more", element.name);
            reasons.push(Reason::holds("dba3.pip.7", text));
        }
        Some(element) => {
            let text = format!("{} is {}: one PIP more", element.name, element.troop);
            reasons.push(Reason::holds("dba3.pip.7", text));
        }
        None => {
            let text = format!("no troops of {} cost more to move", who(movers));
            reasons.push(Reason::fails("dba3.pip.7", text));
        }
    }
    found.is_some()
}

impl Bound {
    /// Whether the PIPs left are enough for so many more, and why: `None` where the die is not known.
    pub fn affords(&self, pips: u8) -> (Option<bool>, Vec<Reason>) {
        let spent = self.spent();
        let Some(score) = self.pips else {
            let text = format!("the PIP die is not known; {spent} spent so far, this move costs {pips}");
            return (None, vec![Reason::fails("dba3.pip.1", text)]);
        };
        let enough = spent + u32::from(pips) <= u32::from(score);
        let left = u32::from(score).saturating_sub(spent);
        let text = format!("the die showed {score}; {left} left, this move costs {pips}");
        let mut reasons = vec![Reason { holds: enough, ..Reason::holds("dba3.pip.1", text) }];
        reasons.push(Reason::holds("dba3.pip.2", "what earlier bounds left over is gone"));
        (Some(enough), reasons)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Side, notation};

    const FIELD: Sort = Sort::Field;
    const ROAD: Sort = Sort::Road { length: RoadLength::Full, facing: RoadFacing::Kept };

    fn pips(lines: &str, movers: &str, bound: &Bound, sort: Sort, ends: Ends, settings: &Settings) -> u8 {
        let setup = notation::read_setup(lines, settings.ruleset()).expect("a setup");
        let movers: Vec<&Element> = movers.split('+').map(|n| setup.element(n).expect("a mover")).collect();
        cost(&setup, settings, bound, &movers, sort, ends).pips
    }

    const ARMY: &str = "G 3Kn red general (3,3)-(4,3) N; A Art red (13,3)-(14,3) N; B 4Sp red (5,3)-(6,3) N\n\
                        C 4Sp red (6,3)-(7,3) N; S SCh red (7,3)-(8,3) N";

    #[test]
    fn both_extras_add_up_and_the_first_bound_has_none() {
        let settings = Settings::dba3();
        let third = Bound::new(3, Side::Red);
        assert_eq!(pips(ARMY, "A", &third, FIELD, Ends::Clear, &settings), 3);
        assert_eq!(pips(ARMY, "A", &Bound::new(1, Side::Red), FIELD, Ends::Clear, &settings), 1);
        assert_eq!(pips(ARMY, "B+C", &third, FIELD, Ends::Clear, &settings), 1);
        assert_eq!(pips(ARMY, "B+C+S", &third, FIELD, Ends::Clear, &settings), 2);
        assert_eq!(pips(ARMY, "S", &third, FIELD, Ends::InContact, &settings), 1);
        let pays = settings.with("sch-surcharge-exempt-on-contact", "false").expect("a choice");
        assert_eq!(pips(ARMY, "S", &third, FIELD, Ends::InContact, &pays), 2);
    }

    #[test]
    fn a_road_move_is_free_once() {
        let settings = Settings::dba3();
        let mut third = Bound::new(3, Side::Red);
        assert_eq!(pips(ARMY, "B", &third, ROAD, Ends::Clear, &settings), 0);
        third.done.push(super::super::Done {
            movers: vec!["B".to_owned()],
            how: super::super::How::Road,
            pips: 0,
        });
        assert_eq!(pips(ARMY, "B", &third, ROAD, Ends::Clear, &settings), 1);
        let back = Sort::Road { length: RoadLength::Full, facing: RoadFacing::Reversed };
        assert_eq!(pips(ARMY, "C", &third, back, Ends::Clear, &settings), 1);
    }

    #[test]
    fn without_a_general_on_the_table_it_says_what_was_not_checked() {
        let settings = Settings::dba3();
        let setup = notation::read_setup("B 4Sp red (5,3)-(6,3) N", settings.ruleset()).expect("a setup");
        let found =
            cost(&setup, &settings, &Bound::new(3, Side::Red), &[&setup.elements[0]], FIELD, Ends::Clear);
        assert_eq!((found.pips, found.unchecked.len()), (1, 1));
        let lost = Bound { generals_lost: vec![Side::Red], ..Bound::new(3, Side::Red) };
        assert_eq!(cost(&setup, &settings, &lost, &[&setup.elements[0]], FIELD, Ends::Clear).pips, 2);
    }

    #[test]
    fn the_die_is_what_may_be_spent() {
        let bound = Bound::new(3, Side::Red).with_pips(2);
        assert_eq!((bound.affords(2).0, bound.affords(3).0), (Some(true), Some(false)));
        assert_eq!(Bound::new(3, Side::Red).affords(1).0, None);
    }
}
