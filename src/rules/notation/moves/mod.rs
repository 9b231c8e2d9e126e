//! Moves in one line, read and written.
//!
//! `A+B+C wheel left 30 then ahead 1` is a group that wheels and goes on; `B,A,C column ahead 2` a line
//! that narrows into a column. Lengths are base widths unless `mm` follows, angles degrees;
//! `docs/notation.md` has all of it. A line is first read by itself ([`MoveLine`]) and then laid on a
//! setup ([`MoveLine::on`]), which says along which legs each element goes.
//!
//! Invariant: what [`write_move`] writes, [`read_move`] reads back to a move with the same movers, in the
//! same manner, each ending within 1e-5 mm and 1e-7 rad of where it ended.

mod read;
mod resolve;
#[cfg(test)]
mod tests;
mod write;

pub(super) use read::names;
pub use read::{read_move, read_moves};
pub use write::{write_move, write_steps};

use crate::geometry::{Heading, Point, Vector};

/// Left or right, as the troops see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hand {
    /// Anticlockwise.
    Left,
    /// Clockwise.
    Right,
}

impl Hand {
    /// One for left, minus one for right: the sign of a turn to that hand.
    pub(super) fn sign(self) -> f64 {
        match self {
            Self::Left => 1.0,
            Self::Right => -1.0,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
        }
    }
}

/// Where a step leads, millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Place {
    /// The middle of the front edge, and where it looks.
    Front {
        /// The middle of the front edge.
        middle: Point,
        /// Where it looks.
        heading: Heading,
    },
    /// The centre of the base, and where it looks.
    Centre {
        /// The centre.
        centre: Point,
        /// Where it looks.
        heading: Heading,
    },
}

/// One step of a path, as the troops that go first see it. Millimetres and degrees.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// Straight to their front; below zero: to their rear.
    Ahead(f64),
    /// Straight to a side.
    Aside(Hand, f64),
    /// Straight, by so much of the table's x and y.
    Shift(Vector),
    /// Round the foremost corner of the body on that hand, which stays still.
    Wheel(Hand, f64),
    /// On the spot, about the centre of the element that is named first.
    Turn(Hand, f64),
    /// About a point of the table.
    TurnAbout(Hand, f64, Point),
    /// Straight to a place, and turned there on the spot.
    To(Place),
}

/// How the named ones go together.
#[derive(Debug, Clone, PartialEq)]
pub enum Form {
    /// As one body, `A+B`; or a single element.
    Body,
    /// One behind the other, `A,B`, the leader first.
    File,
    /// Into a column, `A,B column`.
    IntoFile,
    /// By road, `A,B road`.
    Road,
    /// Dismounting, `A dismount 4Bd`: the code, and the depth of the foot's base in millimetres.
    Dismount(String, f64),
    /// Going into a camp, City or Fort, `A enters Ur ahead 1`: its name.
    Enters(String),
    /// Coming out of one, `A leaves Ur gate 2 ahead 1`: its name and which gate, from 1.
    Leaves(String, usize),
    /// Marching through a City, `A,B through Ur gate 2`: its name and the gate of exit, from 1.
    Through(String, usize),
}

/// Elements and the steps that they take together.
#[derive(Debug, Clone, PartialEq)]
pub struct Party {
    /// Their names.
    pub names: Vec<String>,
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A move as it is written.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveLine {
    /// Who goes, in order.
    pub names: Vec<String>,
    /// How they go together.
    pub form: Form,
    /// The steps of the first, or of all where they go as one body.
    pub steps: Vec<Step>,
    /// The steps of each of the others, where they are written out; else they follow.
    pub others: Vec<Vec<Step>>,
    /// What shifts when contact is made, after the move.
    pub conforming: Vec<Party>,
}
