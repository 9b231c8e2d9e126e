//! What is written down of a battle: moves, outcomes, losses, and every overrule, in order.

use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A person decided against the program.
    Overrule,
    /// The players agreed on a fact.
    Agreed,
    /// A player chose what the rules leave to him.
    Chosen,
    /// A move is over.
    Move,
    /// Dice came to an outcome.
    Outcome,
    /// Something is lost, or is not after all.
    Loss,
    /// A bound begins, or the battle is decided.
    Bound,
    /// A person wrote it.
    Note,
}

impl Kind {
    /// One word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Overrule => "overrule",
            Self::Agreed => "agreed",
            Self::Chosen => "choice",
            Self::Move => "move",
            Self::Outcome => "outcome",
            Self::Loss => "loss",
            Self::Bound => "bound",
            Self::Note => "note",
        }
    }
}

/// Something that was decided.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Written {
    /// What it is about.
    pub kind: Kind,
    /// What was decided.
    pub words: String,
    /// Under which settings.
    pub under: String,
}

/// How it is put that a bound begins; whose it is where that is known.
pub(super) fn bound_begins(side: Option<Side>) -> String {
    format!("{} bound begins", side.map_or("the next", Side::word))
}

impl Written {
    /// Whether it says that a bound begins, and not whose.
    pub(super) fn names_no_side(&self) -> bool {
        self.kind == Kind::Bound && self.words == bound_begins(None)
    }

    /// Whether it says that a bound begins.
    pub fn begins_bound(&self) -> bool {
        self.kind == Kind::Bound
            && [Some(Side::Red), Some(Side::Blue), None]
                .into_iter()
                .any(|side| self.words == bound_begins(side))
    }
}
