//! What is shown of moves: the explanations of what changed since the mark, each with its moves and what the rules
//! say to them.

use super::{Call, ReasonView, ZoneView};
use crate::geometry::{Footprint, Point};
use crate::rules::Side;

/// What changed since the mark.
#[derive(Debug, Clone, PartialEq)]
pub struct MovesView {
    /// Whose bound it is taken to be; none where nothing moved and nobody has said.
    pub side: Option<Side>,
    /// The explanations, the one that is offered first.
    pub explanations: Vec<ExplanationView>,
    /// Elements that moved where no motion of the rules explains it.
    pub unexplained: Vec<String>,
    /// Elements that stood at the mark and are not seen now.
    pub unseen: Vec<String>,
    /// What stirred and is no move, by what it looks like.
    pub nudged: Vec<NudgedView>,
    /// The moves that are over in this bound, in order.
    pub over: Vec<OverView>,
    /// The enemies' threat zones that the movers come near to.
    pub zones: Vec<ZoneView>,
    /// The settings they were judged under.
    pub under: String,
}

/// One explanation of all that changed.
#[derive(Debug, Clone, PartialEq)]
pub struct ExplanationView {
    /// Whether every move is legal.
    pub call: Call,
    /// What it costs in all, PIPs.
    pub pips: u32,
    /// The moves in the order in which they can have been made.
    pub moves: Vec<MoveView>,
    /// What stirred beside them and is no move.
    pub nudges: Vec<NudgeView>,
    /// Who conformed or turned to face because of them.
    pub follows: Vec<String>,
}

/// Bases that stirred together and were not moved.
#[derive(Debug, Clone, PartialEq)]
pub struct NudgedView {
    /// What it looks like: "The table was bumped".
    pub words: String,
    /// Which.
    pub nudges: Vec<NudgeView>,
}

/// A move that is over.
#[derive(Debug, Clone, PartialEq)]
pub struct OverView {
    /// What it was, and what the rules say to it.
    pub words: String,
    /// Whether it was legal.
    pub call: Call,
}

/// One move.
#[derive(Debug, Clone, PartialEq)]
pub struct MoveView {
    /// What kind of move, and who made it.
    pub words: String,
    /// The same in the notation.
    pub line: String,
    /// Whether it is legal.
    pub call: Call,
    /// What it costs, PIPs.
    pub pips: u8,
    /// Every condition, the binding one first.
    pub conditions: Vec<ConditionView>,
    /// What was read to get there.
    pub notes: Vec<ReasonView>,
    /// What could not be checked, and why.
    pub unchecked: Vec<ReasonView>,
    /// Who moved, by name.
    pub movers: Vec<String>,
    /// The ways of those who moved.
    pub paths: Vec<PathView>,
}

/// One condition of a move.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionView {
    /// Clause id.
    pub clause: String,
    /// What it comes to here.
    pub text: String,
    /// Whether it holds.
    pub call: Call,
    /// By how much, and one sigma of that, millimetres, where it is geometric.
    pub margin_mm: Option<(f64, f64)>,
    /// What would make it hold.
    pub remedy: Option<String>,
    /// The two places that decide.
    pub at: Vec<Point>,
}

/// The way of one element.
#[derive(Debug, Clone, PartialEq)]
pub struct PathView {
    /// Whose side.
    pub side: Side,
    /// Where it stood.
    pub stood: Footprint,
    /// Where its centre went.
    pub way: Vec<Point>,
}

/// An element that stirred and did not move.
#[derive(Debug, Clone, PartialEq)]
pub struct NudgeView {
    /// Which.
    pub name: String,
    /// Whose.
    pub side: Side,
    /// Where it stood: where it is to be put back.
    pub stood: Footprint,
    /// By how much, millimetres at a corner.
    pub mm: f64,
    /// Whether it was said that it is put back.
    pub going_back: bool,
}
