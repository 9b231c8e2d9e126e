//! What is shown of losses and of who has won.

use super::ReasonView;
use crate::rules::Side;

/// Both sides' losses.
#[derive(Debug, Clone, PartialEq)]
pub struct StandView {
    /// Red's and blue's.
    pub tallies: [TallyView; 2],
    /// Who has lost if the bound ends now.
    pub loser: Option<Side>,
    /// The same in words: "Red has lost the battle, 4 to 1".
    pub words: String,
    /// Why, the deciding clauses first.
    pub reasons: Vec<ReasonView>,
}

/// One side's losses.
#[derive(Debug, Clone, PartialEq)]
pub struct TallyView {
    /// Whose.
    pub side: Side,
    /// What they come to.
    pub total: i32,
    /// One line for each loss.
    pub lines: Vec<LossView>,
}

/// One loss.
#[derive(Debug, Clone, PartialEq)]
pub struct LossView {
    /// What was lost.
    pub what: String,
    /// What it counts.
    pub counts: i32,
    /// Why, the deciding clause first.
    pub reasons: Vec<ReasonView>,
}
