//! The journal: what happened in a battle, in order, in a file that grows and is never changed.
//!
//! A line is a record: its number, when it was written, what happened, and a sum over all of that. A record is on the
//! disk before anything goes on from it, so whatever befalls the program or the machine, the last record at most is
//! lost. It alone gives undo, replay, recovery and reports: table, rosters and settings stand in its first record, terrain
//! that was drawn anew in a later one, and nothing else is read.
//!
//! Times are milliseconds since 1970-01-01, UTC, and are the caller's: nothing here reads a clock. Invariants: records
//! are numbered from 1 without a gap; the first one opens the battle, and no other does; undoing writes a record and
//! takes none away ([`Timeline`]).

mod file;
mod keeper;
mod look;
mod record;
mod timeline;

pub use file::{Found, Journal, JournalError, Torn};
pub use keeper::Keeper;
pub use look::{Look, LookError};
pub use record::{Record, RecordFault};
pub use timeline::Timeline;

use super::play::{Act, Written};
use crate::text::Mistakes;
use serde::{Deserialize, Serialize};

/// The form in which journals are written today. A journal of a later form is not read.
pub const SCHEMA: u32 = 1;

/// What a record tells.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Event {
    /// A battle begins. The first record, and only that.
    Opened(Opened),
    /// The table as it was read.
    Look(Look),
    /// What somebody said or did.
    Act(Act),
    /// Terrain was drawn anew: the table file as it is from here on. What lies on the board counts of it, and nothing else.
    Table(Kept),
    /// What was written down because of what went before: rulings, outcomes, overrules.
    Wrote(Written),
    /// The battle stands again as it stood after that record: undone, or done again.
    Back {
        /// The record's number.
        to: u64,
    },
}

/// What a battle is played with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opened {
    /// The journal's form: [`SCHEMA`].
    pub schema: u32,
    /// Which version of Groma wrote it.
    pub groma: String,
    /// The table file.
    pub table: Kept,
    /// The roster files.
    pub rosters: Vec<Kept>,
    /// The ruleset.
    pub ruleset: String,
    /// The settings' preset, such as `printed`.
    pub preset: String,
    /// The event that pinned the settings, where one did.
    pub event: Option<String>,
    /// Each setting that differs from the preset, and its choice.
    pub changes: Vec<(String, String)>,
    /// What the throws of this session were committed to before the first.
    pub commitment: Option<String>,
}

/// A file as it was when the battle began, or was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kept {
    /// What it was called.
    pub name: String,
    /// What stood in it.
    pub text: String,
}

/// Why an event of a journal cannot be taken over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TakeError {
    /// A look that looks nowhere.
    #[error(transparent)]
    Look(#[from] LookError),
    /// A table file that is not in order.
    #[error("the table that it keeps is not in order: {0}")]
    Table(Mistakes),
    /// Moves of before are still being worked out.
    #[error("moves are still being worked out: try again in a moment")]
    AtWork,
}
