//! What is told of an act.

use crate::rules::Reason;
use crate::rules::aftermath::{Choice, Step};
use crate::rules::closing::Closed;
use crate::rules::combat::{Brief, Outcome};
use crate::rules::conform::LineUp;
use crate::rules::movement::Judged;
use crate::rules::shooting::{Fire, Shooting};
use crate::rules::victory::Stand;

/// What came of an act.
#[derive(Debug, Clone)]
pub enum Told {
    /// A die for PIPs or a river was thrown, or a City has revolted.
    Rolled(Vec<Reason>),
    /// A move was made.
    Moved {
        /// What the rules say to it.
        judged: Box<Judged>,
        /// How what it brought into contact lines up, and who may choose.
        line_up: Box<LineUp>,
    },
    /// Movement closed: who turned.
    MovesOver(Box<Closed>),
    /// A shooter has aimed: how the shooting stands.
    Aimed(Box<Shooting>),
    /// Shooting at one target.
    Shot(Box<Fire>, Box<Clash>),
    /// Shooting closed.
    ShootingOver,
    /// A close combat.
    Fought(Box<Clash>),
    /// A bound closed.
    BoundOver(Box<Ended>),
}

/// Two elements, their dice, and everything that followed.
#[derive(Debug, Clone)]
pub struct Clash {
    /// The first; in shooting the one that rolls for the shooters.
    pub a: String,
    /// The second; in shooting the target.
    pub b: String,
    /// What each brings.
    pub brief: Brief,
    /// What the dice came to.
    pub outcome: Outcome,
    /// Everything that moved or was removed, in order.
    pub steps: Vec<Step>,
    /// The choices that players had, and what each answer does; the first was taken.
    pub choices: Vec<Choice>,
}

/// The end of a bound.
#[derive(Debug, Clone)]
pub struct Ended {
    /// What conformed after combat.
    pub conformed: Closed,
    /// The losses and who has lost.
    pub stand: Stand,
}
