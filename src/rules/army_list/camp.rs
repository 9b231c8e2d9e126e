//! Whether an army must have a camp, and who may be in it.
//!
//! Clauses dba3.camp.1, .2, .10, .11, .15, .16; dba3.troop.12 of followers and denizens. What its ground must be is
//! judged where it lies.

use super::army::{Army, Camp, City, Followers, Taken};
use super::finding::ArmyRuling;
use crate::rules::Ruleset;
use crate::rules::ruleset::Kind;

/// War Wagons from which an army may do without a camp (clause dba3.camp.2).
const WAGONS: usize = 3;

pub(super) fn judge(army: &Army, rules: &Ruleset, found: &mut ArmyRuling) {
    let kind = |code: &str| rules.troop(code).map(|t| t.kind);
    let all = army.own.iter().chain(army.contingents.iter().flat_map(|c| &c.elements));
    let wagons: usize =
        all.filter(|t| kind(&t.code) == Some(Kind::WarWagons)).map(|t| usize::from(t.count)).sum();
    let city = army.city != City::None;
    if army.city == City::WithDenizens {
        found.note("dba3.troop.12", "denizens come on top of the twelve");
    }
    let (troops, followers) = match &army.camp {
        Camp::Unsaid => return,
        Camp::None if city || wagons >= WAGONS => {
            let has = if city { "a City".to_owned() } else { format!("{wagons} War Wagons") };
            found.note("dba3.camp.2", format!("with {has} it may do without a camp"));
            return;
        }
        Camp::None => {
            let text = format!("without a City and with {wagons} War Wagons it must have a camp");
            found.fault("dba3.camp.1", text);
            return;
        }
        Camp::Stands { troops, followers } => (troops, followers),
    };
    found.note("dba3.camp.1", "it has a camp");
    let own = |code: &String| army.own.iter().any(|t| t.code == *code);
    let text = format!("{} troop elements inside the camp; one may be", troops.len());
    if troops.len() > 1 {
        found.off("dba3.camp.10", text, troops.len() as i32 - 1);
    }
    for code in troops {
        let allied = army.contingents.iter().flat_map(|c| &c.elements).any(|t: &Taken| t.code == *code);
        match (own(code), allied) {
            (true, _) => found.note("dba3.camp.10", format!("{code} of the army's own holds the camp")),
            (false, true) => {
                found.fault("dba3.camp.10", format!("{code} is allied, and may not be in the camp"))
            }
            (false, false) => {
                found.fault("dba3.camp.10", format!("{code} is to hold the camp, and the army has none"))
            }
        }
        match kind(code) {
            Some(Kind::Elephants | Kind::ScythedChariots) => {
                found.fault("dba3.camp.11", format!("{code} may not be in a camp"));
            }
            _ => found.note("dba3.camp.11", format!("{code} may be in a camp")),
        }
    }
    let kept = *followers != Followers::None;
    if kept && !troops.is_empty() {
        found.fault("dba3.camp.15", "a troop element and followers are in the camp; it is one or the other");
    } else if kept {
        found.note("dba3.camp.15", "followers hold the camp, and no troop element");
    } else if troops.is_empty() {
        found.note("dba3.camp.16", "nobody is in the camp: it is undefended");
    }
    if *followers == Followers::Element {
        found.note("dba3.troop.12", "camp followers come on top of the twelve");
    }
}
