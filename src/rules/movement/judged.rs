//! What the rules say to a move: every condition, not the first fault alone.

use crate::rules::{Reason, Setup};
use std::sync::Arc;

/// One thing that a move must satisfy.
#[derive(Debug, Clone, PartialEq)]
pub struct Condition {
    /// The clause, what it comes to here, whether it holds and, where it is geometric, by how much.
    pub reason: Reason,
    /// What would make it hold: "stop 6.2 mm shorter". None where it holds or nothing would.
    pub remedy: Option<String>,
}

impl Condition {
    /// A condition without a remedy.
    pub fn of(reason: Reason) -> Self {
        Self { reason, remedy: None }
    }

    /// The same with what would make it hold; kept only where it fails.
    pub fn with_remedy(self, remedy: impl FnOnce() -> String) -> Self {
        let remedy = (!self.reason.holds).then(remedy);
        Self { remedy, ..self }
    }
}

/// The ruling on a move, poses taken as exact.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// Whether every condition holds.
    pub legal: bool,
    /// All conditions: those that fail first, the worst margin before others; then those that hold, the
    /// tightest first.
    pub conditions: Vec<Condition>,
    /// What was read to get there and is no condition: which going counted, what a setting decided, why
    /// a zone does not bind.
    pub notes: Vec<Reason>,
    /// What could not be checked because something is not known (PIPs not rolled, a river not diced).
    pub unchecked: Vec<Reason>,
    /// What the move costs, PIPs, with the clauses that say so in `notes`.
    pub pips: u8,
    /// The table after the move.
    pub after: Setup,
    /// The name of the settings that it was made under.
    pub under: Arc<str>,
}

impl Judged {
    /// The condition that decides: the first that fails, else the tightest that holds.
    pub fn binding(&self) -> Option<&Condition> {
        self.conditions.first()
    }

    /// Every reason, the deciding ones first, for whoever cites clauses.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        self.conditions.iter().map(|c| &c.reason).chain(&self.notes).chain(&self.unchecked)
    }
}
