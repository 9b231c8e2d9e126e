//! The whole of what follows one combat: fates first, then those who fall back with the beaten, then pursuit.

use super::flee::on_board;
use super::{Cause, Decisions, Play, What};
use crate::rules::combat::Outcome;
use crate::rules::ruleset::Fate;
use crate::rules::stronghold::peopled;
use crate::rules::stronghold::play::By;
use crate::rules::{AskError, Location, Reason, Settings, Setup};

/// A combat that has been thrown for.
#[derive(Debug, Clone, Copy)]
pub struct Fought<'o> {
    /// The first element; in shooting the shooter.
    pub a: &'o str,
    /// The second; in shooting the target.
    pub b: &'o str,
    /// Close combat, or what shooting it was.
    pub cause: Cause,
    /// What the dice came to.
    pub outcome: &'o Outcome,
}

/// Plays out what follows a combat. The table of `setup` is the one on which it was fought.
///
/// # Errors
/// A name that the setup does not have, or an unknown troop code.
pub fn play_out<'s>(
    setup: &Setup,
    settings: &'s Settings,
    decisions: &'s Decisions,
    fought: &Fought<'_>,
) -> Result<Play<'s>, AskError> {
    let peopled = peopled(setup, settings.ruleset());
    let setup = &*peopled;
    let mut play = Play::new(setup.clone(), settings, decisions);
    let mut fallen = None;
    let sides = [(fought.a, fought.b, &fought.outcome.a), (fought.b, fought.a, &fought.outcome.b)];
    for (own, foe, ruling) in sides {
        let why = Reason::holds(&ruling.clause, format!("{own} {}", ruling.fate.name()));
        let before = play.steps.len();
        match ruling.fate {
            Fate::None => continue,
            Fate::Destroyed => {
                let place = play.stronghold_of(own);
                let shot = matches!(fought.cause, Cause::Shooting(_));
                match place {
                    Some(place) if shot && play.surrender(&place, own, foe, &why) => {}
                    Some(place) => {
                        play.destroy(own, vec![why.clone()])?;
                        let by = if shot { By::Shooting } else { By::CloseCombat };
                        fallen = Some((place, own, foe, by));
                    }
                    None => play.destroy(own, vec![why.clone()])?,
                }
            }
            Fate::Recoil => {
                let from_walls = play
                    .setup
                    .element(foe)
                    .is_some_and(|e| matches!(e.location, Location::City | Location::Fort));
                let cause = if fought.cause == Cause::CloseCombat && from_walls {
                    Cause::Repulsed
                } else {
                    fought.cause
                };
                play.recoil(own, cause)?;
            }
            Fate::Flee => play.flee(own)?,
        }
        if let Some(step) = play.steps.get_mut(before)
            && ruling.fate != Fate::Destroyed
        {
            step.reasons.push(why);
        }
        if !matches!(fought.cause, Cause::Shooting(_)) {
            let fate = if on_board(&play.setup, own) { ruling.fate } else { Fate::Destroyed };
            if fate == Fate::Destroyed {
                play.bereaved(setup, own, foe)?;
            }
            play.flank_attackers(setup, own, foe, fate)?;
        }
    }
    if let Some((place, own, foe, by)) = fallen {
        play.falls(&place, own, foe, by)?;
    }
    if matches!(fought.cause, Cause::Shooting(_)) {
        return Ok(play);
    }
    for (own, foe, _) in sides {
        let gave_way = sides.iter().any(|(name, _, r)| *name == foe && r.fate != Fate::None);
        let stood = sides.iter().any(|(name, _, r)| *name == own && r.fate == Fate::None);
        let stormed = play.steps.iter().any(|s| s.who == own && s.what == What::MovesIn);
        let there = play.setup.element(own).is_some_and(|e| e.location != Location::Off);
        let assaulted = setup.element(foe).is_some_and(|e| e.location != Location::Board);
        if gave_way && stood && there && !stormed && !assaulted {
            play.pursue(setup, own, foe)?;
        }
    }
    Ok(play)
}
