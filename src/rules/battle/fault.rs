//! Why an act is refused: what is wrong with it, or what is due before it.

use crate::rules::combat::DieError;
use crate::rules::movement::{Judged, MoveError};
use crate::rules::{AskError, Side};
use thiserror::Error;

/// Why an act is refused.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum Fault {
    /// The battle has ended.
    #[error("the battle is over: {} has won it", victor.word())]
    Over {
        /// Who has won.
        victor: Side,
    },
    /// It belongs to another phase.
    #[error("{what} belongs to {belongs}, and now is {now}")]
    Turn {
        /// What was tried.
        what: String,
        /// Its phase.
        belongs: &'static str,
        /// The phase that it is.
        now: &'static str,
    },
    /// No river has that name, or its die has been thrown.
    #[error("{name} needs no die: {why}")]
    River {
        /// The name.
        name: String,
        /// Why.
        why: &'static str,
    },
    /// A City whose denizens may not revolt.
    #[error("{place} does not revolt: {why}")]
    NoRevolt {
        /// The City.
        place: String,
        /// What is against it.
        why: String,
    },
    /// A move against the rules.
    #[error("the move is against the rules: {}", against(judged))]
    Illegal {
        /// Everything that was asked of it.
        judged: Box<Judged>,
    },
    /// A move that brings nobody into a contact that can be lined up.
    #[error("the move does not take place, for no line-up can be reached: {why}")]
    NoLineUp {
        /// What hinders.
        why: String,
    },
    /// Somebody has to shoot.
    #[error("{}", due.join("; "))]
    ShotsDue {
        /// Who must shoot at whom, or has to choose.
        due: Vec<String>,
    },
    /// Nobody shoots at that target.
    #[error("nobody shoots at {target}: {why}")]
    NoShot {
        /// The target.
        target: String,
        /// What is so instead.
        why: String,
    },
    /// Others shoot at that target.
    #[error(
        "at {target} shoot {found}, and it says {said}; name them all, first the one that rolls{primary}"
    )]
    Shooters {
        /// The target.
        target: String,
        /// Who does.
        found: String,
        /// Who was said to.
        said: String,
        /// Who rolls, where that is settled: ", which is Bow 1".
        primary: String,
    },
    /// Somebody who cannot be the one that occupies a City.
    #[error("{who} does not occupy it: {why}")]
    NotOccupying {
        /// Who was said to.
        who: String,
        /// What is so instead.
        why: String,
    },
    /// Combats without dice.
    #[error("these combats have no dice yet: {}", due.join(", "))]
    CombatsDue {
        /// Each as "A and B".
        due: Vec<String>,
    },
    /// No such combat in this bound.
    #[error("{a} and {b} do not fight now; due are {due}")]
    NotDue {
        /// One.
        a: String,
        /// The other.
        b: String,
        /// Those that are.
        due: String,
    },
    /// A move that cannot be judged.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A name that is not there, or an unknown troop code.
    #[error(transparent)]
    Ask(#[from] AskError),
    /// No die.
    #[error(transparent)]
    Die(#[from] DieError),
}

fn against(judged: &Judged) -> String {
    let failing = judged.conditions.iter().filter(|c| !c.reason.holds);
    let told = failing.map(|c| {
        let remedy = c.remedy.as_ref().map_or(String::new(), |r| format!(" ({r})"));
        format!("{}: {}{remedy}", c.reason.clause, c.reason.text)
    });
    told.collect::<Vec<_>>().join("; ")
}
