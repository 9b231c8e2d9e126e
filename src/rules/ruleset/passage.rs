//! Who may pass through whom among friends, as data.

use super::troop::Which;
use serde::Deserialize;

/// On what occasion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Occasion {
    /// A tactical move, or flight.
    Move,
    /// A recoil.
    Recoil,
}

/// One permission to pass.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Passage {
    /// The clause it comes from.
    pub clause: String,
    /// Who passes.
    pub who: Which,
    /// Through whom.
    pub through: Which,
    /// On what occasion.
    pub on: Occasion,
    /// The setting and the word of it under which the row holds; none where it always does.
    #[serde(default)]
    pub only_if: Option<(String, String)>,
    /// In a sentence.
    pub says: String,
}
