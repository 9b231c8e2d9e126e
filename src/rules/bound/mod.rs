//! The bound that a move is judged in: whose it is, its PIPs, what was moved in it already.
//!
//! A table seen by a camera need not know all of it: a PIP die that nobody entered is `None`, and a ruling
//! that needs it says what could not be checked. Clauses: dba3.seq, dba3.pip, dba3.again.

mod command;
mod cost;
mod order;
mod sight;
mod take_back;

pub use command::{InCommand, in_command};
pub use cost::{Cost, Ends, RoadFacing, RoadLength, Sort, cost};
pub use order::{Act, Turn};
pub use take_back::{Opponent, Start};

use super::{Location, Side};

/// One bound, as far as it has gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bound {
    /// Counted over both sides from 1: odd bounds are the defender's (clause dba3.seq.1).
    pub number: u32,
    /// Whose bound it is.
    pub side: Side,
    /// How far it has gone.
    pub phase: Phase,
    /// The score of the PIP die, where it is known.
    pub pips: Option<u8>,
    /// The tactical moves made so far in this bound, in order.
    pub done: Vec<Done>,
    /// Sides whose general's element is lost, beside those whose element is located off the board.
    pub generals_lost: Vec<Side>,
}

/// The parts of a bound, in their order (clause dba3.seq.2).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Phase {
    /// The PIP die is rolled.
    PipDie,
    /// Tactical moves.
    #[default]
    Moves,
    /// Shooting of both sides.
    Shooting,
    /// Close combat of both sides.
    Combat,
}

/// A tactical move that was made in this bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The elements that moved, by name.
    pub movers: Vec<String>,
    /// What sort of move.
    pub how: How,
    /// What it cost.
    pub pips: u8,
}

/// What sort of move was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum How {
    /// Over open ground, in whole or in part.
    Field,
    /// Wholly along a road.
    Road,
    /// Dismounting (clause dba3.set.31).
    Dismount,
}

impl Bound {
    /// A bound of that side with nothing done yet, its PIP die not known.
    pub fn new(number: u32, side: Side) -> Self {
        Self { number, side, phase: Phase::Moves, pips: None, done: Vec::new(), generals_lost: Vec::new() }
    }

    /// The same with the score of the PIP die.
    pub fn with_pips(self, pips: u8) -> Self {
        Self { pips: Some(pips), ..self }
    }

    /// Who took the first bound of the game.
    pub fn defender(&self) -> Side {
        if self.number % 2 == 1 { self.side } else { self.side.enemy() }
    }

    /// Whether this is its side's first bound.
    pub fn is_first_of_its_side(&self) -> bool {
        self.number <= 2
    }

    /// PIPs spent so far.
    pub fn spent(&self) -> u32 {
        self.done.iter().map(|done| u32::from(done.pips)).sum()
    }

    /// The moves that an element has made in this bound.
    pub fn moves_of<'s>(&'s self, name: &'s str) -> impl Iterator<Item = &'s Done> + 's {
        self.done.iter().filter(move |done| done.movers.iter().any(|m| m == name))
    }
}
