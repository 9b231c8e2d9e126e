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
use crate::judge::TagSeen;
use crate::text::html::hex;
use crate::text::{Mistakes, reason};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::path::{Component, Path};

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
    /// Where the tags on terrain were seen, and its outlines lie from here on; all that count, by their features.
    Features(Vec<TagSeen>),
    /// What was written down because of what went before: rulings, outcomes, overrules.
    Wrote(Written),
    /// A picture of the board was taken at this moment.
    Photograph(Photograph),
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

/// A picture of the board, in a file of its own beside the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Photograph {
    /// Its file, as named from the journal's folder, with `/` between folders.
    pub file: String,
    /// The SHA-256 of that file, in hexadecimal.
    pub sha256: String,
}

impl Photograph {
    /// Of this file's bytes.
    pub fn of(file: String, bytes: &[u8]) -> Self {
        Self { file, sha256: hex(&Sha256::digest(bytes)) }
    }

    /// The picture, from the journal's folder.
    ///
    /// # Errors
    /// In words: its name leads out of the folder, it is not there, or it is another than was taken.
    pub fn read(&self, folder: &Path) -> Result<Vec<u8>, String> {
        let inside = |part: Component<'_>| matches!(part, Component::Normal(_));
        if self.file.is_empty() || !Path::new(&self.file).components().all(inside) {
            return Err(format!("{}: it does not lie beside the journal", self.file));
        }
        let bytes = std::fs::read(folder.join(&self.file))
            .map_err(|why| format!("{}: {}", self.file, reason(&why)))?;
        if hex(&Sha256::digest(&bytes)) != self.sha256 {
            return Err(format!("{}: it is not the picture that was taken: it was changed since", self.file));
        }
        Ok(bytes)
    }
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
