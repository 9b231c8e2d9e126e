//! Questions about what follows a combat: recoil, flight, pursuit.

use super::answer::{Answer, Posed};
use super::checking::same;
use super::places::{element, fault};
use crate::geometry::Pose;
use crate::rules::aftermath::{Cause, Decisions, Fought, MetHow, Play, RecoilBy, What, play_out};
use crate::rules::combat::{Mode, brief};
use crate::rules::engagement::front_on;
use crate::rules::ruleset::Fate;
use crate::rules::{Location, Question, Reason, ask, stronghold};
use serde::Deserialize;

/// What an element suffers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Suffers {
    /// It has to recoil.
    Recoil,
    /// It has to flee.
    Flee,
}

/// What happens, as a case has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub enum Event {
    /// An element has to recoil or flee, for that cause.
    Suffers(String, Suffers, Cause),
    /// The first's opponent meets that fate in close combat.
    Pursues(String, String, Fate),
    /// The two fight with these dice, and everything follows.
    After(String, String, (u8, u8)),
}

/// How an element went, seen from where it stood: base widths, straight.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
pub enum Went {
    /// Straight back, facing as it did.
    Back(f64),
    /// Straight ahead, facing as it did.
    Ahead(f64),
    /// Turned about where it stood, and then straight the way it then faced.
    About(f64),
}

impl Event {
    /// In words: "A has to recoil".
    pub fn in_words(&self) -> String {
        match self {
            Self::Suffers(name, Suffers::Recoil, _) => format!("{name} has to recoil"),
            Self::Suffers(name, Suffers::Flee, _) => format!("{name} has to flee"),
            Self::Pursues(a, b, fate) => format!("{b}, whom {a} fights, {}", fate.name()),
            Self::After(a, b, (x, y)) => format!("{a} fights {b}, dice {x} and {y}"),
        }
    }

    fn played<'p>(
        &self,
        posed: &Posed<'p>,
        decisions: &'p Decisions,
    ) -> Result<(Play<'p>, Vec<Reason>), String> {
        let fresh = || Play::new(posed.setup.clone(), posed.settings, decisions);
        match self {
            Self::Suffers(name, fate, cause) => {
                let mut play = fresh();
                match fate {
                    Suffers::Recoil => play.recoil(name, *cause),
                    Suffers::Flee => play.flee(name),
                }
                .map_err(fault)?;
                Ok((play, Vec::new()))
            }
            Self::Pursues(name, foe, fate) => {
                in_contact(posed, name, foe)?;
                let mut play = fresh();
                match fate {
                    Fate::None => {
                        let text = format!("{foe} has not given way: {name} has nothing to pursue");
                        let no = ["dba3.pur.1", "dba3.pur.2"].map(|id| Reason::fails(id, text.clone()));
                        return Ok((play, no.into()));
                    }
                    Fate::Recoil => play.recoil(foe, Cause::CloseCombat),
                    Fate::Flee => play.flee(foe),
                    Fate::Destroyed => play.destroy(foe, Vec::new()),
                }
                .map_err(fault)?;
                play.pursue(posed.setup, name, foe).map_err(fault)?;
                Ok((play, Vec::new()))
            }
            Self::After(a, b, dice) => fought(posed, (a, b), *dice, decisions),
        }
    }
}

/// Does it come through, having to recoil or flee?
pub(super) fn suffers(posed: &Posed<'_>, name: &str, fate: Suffers, cause: Cause) -> Result<Answer, String> {
    let decisions = decisions(posed);
    let (play, _) = Event::Suffers(name.to_owned(), fate, cause).played(posed, &decisions)?;
    let through = play.setup.element(name).is_some_and(|e| e.location == Location::Board);
    Ok(told(&play, through, Vec::new()))
}

/// Its opponent recoils, flees or dies in close combat: does it pursue?
pub(super) fn pursues(posed: &Posed<'_>, name: &str, foe: &str, fate: Fate) -> Result<Answer, String> {
    let decisions = decisions(posed);
    let event = Event::Pursues(name.to_owned(), foe.to_owned(), fate);
    let (play, reasons) = event.played(posed, &decisions)?;
    let moved = play.steps.iter().any(|s| s.who == name && s.what == What::Pursues);
    Ok(told(&play, moved, reasons))
}

/// The whole of what follows a combat with these dice: is the first on the board afterwards?
pub(super) fn after(posed: &Posed<'_>, (a, b): (&str, &str), dice: (u8, u8)) -> Result<Answer, String> {
    let decisions = decisions(posed);
    let (play, reasons) = fought(posed, (a, b), dice, &decisions)?;
    let stays = play.setup.element(a).is_some_and(|e| e.location != Location::Off);
    Ok(told(&play, stays, reasons))
}

/// Does that happen to that element?
pub(super) fn befalls(posed: &Posed<'_>, name: &str, what: What, event: &Event) -> Result<Answer, String> {
    element(posed, name)?;
    let decisions = decisions(posed);
    let (play, reasons) = event.played(posed, &decisions)?;
    let its = || play.steps.iter().filter(|s| s.who == name);
    let holds = match what {
        What::Stands => its().all(|s| s.what == What::Stands),
        _ => its().any(|s| s.what == what),
    };
    Ok(told(&play, holds, reasons))
}

/// Does that element go that way, and no further?
pub(super) fn goes(posed: &Posed<'_>, name: &str, went: Went, event: &Event) -> Result<Answer, String> {
    let from = element(posed, name)?.footprint;
    let decisions = decisions(posed);
    let (play, reasons) = event.played(posed, &decisions)?;
    let (along, heading) = match went {
        Went::Back(bw) => (-bw, from.pose().heading),
        Went::Ahead(bw) => (bw, from.pose().heading),
        Went::About(bw) => (-bw, from.pose().heading.reversed()),
    };
    let to = Pose { centre: from.pose().at(0.0, along * posed.setup.scale.mm_per_bw()), heading };
    let end = play.setup.element(name).filter(|e| e.location == Location::Board);
    let there = end.is_some_and(|e| same(&e.footprint, &from.moved_to(to)));
    Ok(told(&play, there, reasons))
}

/// Is that element lost for this battle only, so that it comes back in a campaign?
pub(super) fn returns(posed: &Posed<'_>, name: &str, event: &Event) -> Result<Answer, String> {
    element(posed, name)?;
    let decisions = decisions(posed);
    let (play, reasons) = event.played(posed, &decisions)?;
    let mut steps = play.steps.iter().filter(|s| s.who == name);
    let removed = steps.find(|s| s.what.removes()).ok_or_else(|| format!("{name} is not lost"))?;
    let holds = removed.reasons.iter().any(|r| r.clause == "dba3.lost.2" && r.holds);
    Ok(told(&play, holds, reasons))
}

/// Is a contact that this element's pursuit makes fought in the next bound?
pub(super) fn fights_next(posed: &Posed<'_>, name: &str, event: &Event) -> Result<Answer, String> {
    element(posed, name)?;
    let decisions = decisions(posed);
    let (play, reasons) = event.played(posed, &decisions)?;
    let holds = play.met.iter().any(|m| m.pursuer == name && m.fought != MetHow::NotFought);
    Ok(told(&play, holds, reasons))
}

fn fought<'p>(
    posed: &Posed<'p>,
    (a, b): (&str, &str),
    (die_a, die_b): (u8, u8),
    decisions: &'p Decisions,
) -> Result<(Play<'p>, Vec<Reason>), String> {
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
    let play = {
        let fought = Fought { a, b, cause, outcome: &outcome };
        play_out(posed.setup, posed.settings, decisions, &fought).map_err(fault)?
    };
    let mut reasons: Vec<Reason> = combat.a.reasons.iter().chain(&combat.b.reasons).cloned().collect();
    reasons.extend(outcome.a.reasons);
    reasons.extend(outcome.b.reasons);
    Ok((play, reasons))
}

/// Refuses an assault by one whose front edge is not on the place that the other is inside; a place that is not on the
/// ground is nowhere.
fn at_the_wall(posed: &Posed<'_>, a: &str, b: &str) -> Result<(), String> {
    let setup = &*stronghold::peopled(posed.setup, posed.settings.ruleset());
    let (Some(first), Some(second)) = (setup.element(a), setup.element(b)) else { return Ok(()) };
    for (own, other) in [(first, second), (second, first)] {
        let Some(place) = stronghold::place_of(&setup.ground, own) else { continue };
        if !front_on(other, place, &posed.settings.tolerances).satisfied() {
            let (name, place) = (&other.name, &place.name);
            return Err(format!("{name}'s front edge is not on {place}, so it has assaulted nobody there"));
        }
    }
    Ok(())
}

/// Refuses a close combat of two who are not front to front; one of them inside a camp, City or Fort is at no place.
fn in_contact(posed: &Posed<'_>, a: &str, b: &str) -> Result<(), String> {
    // Civilians who hold a place without an element are in no setup.
    let inside = |name: &str| posed.setup.element(name).is_none_or(|e| e.location != Location::Board);
    if inside(a) || inside(b) {
        return at_the_wall(posed, a, b);
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
        occupies: posed.case.conditions.occupies.iter().cloned().collect(),
    }
}

fn told(play: &Play<'_>, holds: bool, more: Vec<Reason>) -> Answer {
    let said: Vec<String> = play.steps.iter().map(|s| format!("{} {}", s.who, s.what.name())).collect();
    let said = if said.is_empty() { "nothing happens".to_owned() } else { said.join("; ") };
    let reasons = play.steps.iter().flat_map(|s| s.reasons.clone()).chain(more).collect();
    Answer { after: Some(play.setup.clone()), ..Answer::plain(holds, said, reasons) }
}
