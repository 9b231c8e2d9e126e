//! The questions that a case may put.

use crate::geometry::Edge;
use crate::rules::ruleset::Which;
use crate::rules::{Question, Side};
use serde::Deserialize;

/// An edge of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum EdgeName {
    /// Ahead.
    Front,
    /// Right flank.
    Right,
    /// Behind.
    Rear,
    /// Left flank.
    Left,
}

impl From<EdgeName> for Edge {
    fn from(name: EdgeName) -> Self {
        match name {
            EdgeName::Front => Self::Front,
            EdgeName::Right => Self::Right,
            EdgeName::Rear => Self::Rear,
            EdgeName::Left => Self::Left,
        }
    }
}

/// What a case asks. Moves are in the notation of `docs/notation.md`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Asked {
    /// One of the geometric questions about two elements.
    Geometry(Question, String, String),
    /// May the first, standing where it does, contact that edge of the second?
    MayStart(String, String, EdgeName),
    /// Is this element legally lined up with an enemy?
    LinedUp(String),
    /// Does anything press that edge of the first while it fights the second?
    Pressed(String, String, EdgeName),
    /// Do the two fight with these dice as `totals` and `fates` say?
    Combat(String, String, (u8, u8)),
    /// Is this element's base as listed?
    Base(String),
    /// Is the board a standard one?
    Board,
    /// Is the army of that side complete?
    Army(Side),
    /// Is that troop code one of these?
    Troop(String, Which),
    /// Does that troop code have so many figures or models on a base?
    Figures(String, u8),
    /// Can a die show this?
    Die(u8),
    /// Is this one move legal? `pips` says what it costs.
    Move(String),
    /// These moves were made, however many in whatever order, and only where everything ended was seen: is
    /// there a legal explanation of it? `explained` says which, `pips` what it costs in all.
    Went(String),
    /// After these moves (`""` for none) movement ends: does everything line up, conform and turn as the
    /// rules ask? `ends` says where everything comes to stand.
    Conform(String),
    /// After these moves (`""` for none) movement ends: does that element turn to face? `ends` says where it
    /// and who makes room for it come to stand.
    Turns(String, String),
    /// Do these elements form one group, `A+B+C`, in any order?
    Group(String),
    /// Are these all the groups of that side, each `A+B+C` in any order? Single elements are left out.
    Groups(Side, Vec<String>),
    /// Can the first reach that edge of the second this bound?
    Reach(String, String, EdgeName),
}
