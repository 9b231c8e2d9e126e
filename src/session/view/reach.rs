//! What is shown of where an element or a group may go. Table frame, millimetres.

use super::PathView;
use crate::geometry::{Footprint, Point};
use crate::rules::Side;

/// Where it may go.
#[derive(Debug, Clone, PartialEq)]
pub struct ReachView {
    /// Who: one element, or a group whose first is the one that was touched.
    pub names: Vec<String>,
    /// Whose.
    pub side: Side,
    /// The rings of centres at which the first may end, holes among them.
    pub outline: Vec<Vec<Point>>,
    /// Ways of lining up with enemies near by, those that can be reached first.
    pub targets: Vec<TargetView>,
    /// The settings it was worked out under.
    pub under: String,
}

/// A way of lining up with an enemy.
#[derive(Debug, Clone, PartialEq)]
pub struct TargetView {
    /// The enemy.
    pub enemy: String,
    /// On which edge: "its front".
    pub edge: &'static str,
    /// The clause that describes it.
    pub clause: String,
    /// What it costs, PIPs; none where it cannot be reached.
    pub pips: Option<u8>,
    /// How far the one that goes furthest has to go, at its middle, millimetres.
    pub mm: f64,
    /// The ways of those who move.
    pub paths: Vec<PathView>,
    /// Where they come to stand.
    pub ends: Vec<Footprint>,
}
