//! Questions about what follows a combat: recoil, flight, pursuit.

use super::answer::{Answer, Posed};
use super::places::fault;
use crate::rules::aftermath::{Cause, Decisions, Fought, Play, RecoilBy, What, play_out};
use crate::rules::combat::{Mode, brief};
use crate::rules::ruleset::Fate;
use crate::rules::{Location, Question, Reason, ask};
use serde::Deserialize;

/// What an element suffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Suffers {
    /// It has to recoil.
    Recoil,
    /// It has to flee.
    Flee,
}

/// Does it come through, having to recoil or flee?
pub(super) fn suffers(posed: &Posed<'_>, name: &str, fate: Suffers, cause: Cause) -> Result<Answer, String> {
    let decisions = decisions(posed);
    let mut play = Play::new(posed.setup.clone(), posed.settings, &decisions);
    match fate {
        Suffers::Recoil => play.recoil(name, cause),
        Suffers::Flee => play.flee(name),
    }
    .map_err(fault)?;
    let through = play.setup.element(name).is_some_and(|e| e.location == Location::Board);
    Ok(told(&play, through))
}

/// Its opponent recoils, flees or dies in close combat: does it pursue?
pub(super) fn pursues(posed: &Posed<'_>, name: &str, foe: &str, fate: Fate) -> Result<Answer, String> {
    in_contact(posed, name, foe)?;
    let decisions = decisions(posed);
    let mut play = Play::new(posed.setup.clone(), posed.settings, &decisions);
    match fate {
        Fate::None => {
            let text = format!("{foe} has not given way: {name} has nothing to pursue");
            return Ok(Answer::plain(false, "it stands", vec![Reason::fails("dba3.pur.1", text)]));
        }
        Fate::Recoil => play.recoil(foe, Cause::CloseCombat),
        Fate::Flee => play.flee(foe),
        Fate::Destroyed => play.destroy(foe, Vec::new()),
    }
    .map_err(fault)?;
    play.pursue(posed.setup, name, foe).map_err(fault)?;
    let moved = play.steps.iter().any(|s| s.who == name && s.what == What::Pursues);
    Ok(told(&play, moved))
}

/// The whole of what follows a combat with these dice: is the first on the board afterwards?
pub(super) fn after(
    posed: &Posed<'_>,
    (a, b): (&str, &str),
    (die_a, die_b): (u8, u8),
) -> Result<Answer, String> {
    let conditions = &posed.case.conditions;
    let combat = brief(posed.setup, posed.settings, conditions, a, b).map_err(fault)?;
    let outcome = combat.outcome(die_a, die_b).map_err(|e| e.to_string())?;
    let cause = match conditions.mode {
        Mode::CloseCombat => {
            in_contact(posed, a, b)?;
            Cause::CloseCombat
        }
        Mode::Shooting { struck, .. } => Cause::Shooting(struck),
    };
    let decisions = decisions(posed);
    let fought = Fought { a, b, cause, outcome: &outcome };
    let play = play_out(posed.setup, posed.settings, &decisions, &fought).map_err(fault)?;
    let stays = play.setup.element(a).is_some_and(|e| e.location != Location::Off);
    let mut answer = told(&play, stays);
    answer.reasons.extend(combat.a.reasons.iter().chain(&combat.b.reasons).cloned());
    answer.reasons.extend(outcome.a.reasons);
    answer.reasons.extend(outcome.b.reasons);
    Ok(answer)
}

/// Refuses a close combat of two who are not front to front; one of them inside a camp, City or Fort is at no place.
fn in_contact(posed: &Posed<'_>, a: &str, b: &str) -> Result<(), String> {
    let inside = |name: &str| posed.setup.element(name).is_some_and(|e| e.location != Location::Board);
    if inside(a) || inside(b) {
        return Ok(());
    }
    let found = ask(posed.setup, posed.settings, Question::ContactFront, a, b).map_err(fault)?;
    if found.margin.satisfied() {
        return Ok(());
    }
    Err(format!(
        "{a} and {b} are not front to front, so they have fought no close combat: see where they stand"
    ))
}

fn decisions(posed: &Posed<'_>) -> Decisions {
    let own_depth = posed.case.conditions.recoil_own_depth.iter();
    Decisions {
        recoil: own_depth.map(|name| (name.clone(), RecoilBy::OwnDepth)).collect(),
        ..Decisions::default()
    }
}

fn told(play: &Play<'_>, holds: bool) -> Answer {
    let said: Vec<String> = play.steps.iter().map(|s| format!("{} {}", s.who, s.what.name())).collect();
    let reasons = play.steps.iter().flat_map(|s| s.reasons.clone()).collect();
    Answer { after: Some(play.setup.clone()), ..Answer::plain(holds, said.join("; "), reasons) }
}
