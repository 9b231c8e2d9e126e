//! All records of a battle, and the file that they are kept in once there is one.
//!
//! Records are kept in memory from the beginning, so that a battle can be undone before anybody has named a file, and
//! that the file then holds all of it. A record that could not be written waits, and is written with the next.

use super::{Event, Found, Journal, JournalError, Opened, Record, Timeline};
use std::path::Path;

/// A battle's records.
#[derive(Debug)]
pub struct Keeper {
    records: Vec<Record>,
    timeline: Timeline,
    file: Option<Journal>,
    /// So many records are in the file.
    written: usize,
    trouble: Option<JournalError>,
}

impl Keeper {
    /// A battle begins.
    pub fn new(at_ms: u64, opened: Opened) -> Self {
        let mut keeper = Self {
            records: Vec::new(),
            timeline: Timeline::default(),
            file: None,
            written: 0,
            trouble: None,
        };
        keeper.take(at_ms, vec![Event::Opened(opened)]);
        keeper
    }

    /// A battle goes on from its file.
    pub fn resumed(file: Journal, found: Found) -> Self {
        let timeline = Timeline::of(&found.records);
        let written = found.records.len();
        Self { records: found.records, timeline, file: Some(file), written, trouble: None }
    }

    /// Every record, the first one first.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The file, where there is one.
    pub fn path(&self) -> Option<&Path> {
        self.file.as_ref().map(Journal::path)
    }

    /// So many records are in no file.
    pub fn unwritten(&self) -> usize {
        self.records.len() - self.written
    }

    /// Why records wait, where they could not be written.
    pub fn trouble(&self) -> Option<&JournalError> {
        self.trouble.as_ref()
    }

    /// Where to go back to, to undo what was done last.
    pub fn undo(&self) -> Option<u64> {
        self.timeline.undo()
    }

    /// Where to go, to do again what was undone last.
    pub fn redo(&self) -> Option<u64> {
        self.timeline.redo()
    }

    /// This happened, at `at_ms`. It is written by [`Keeper::write`].
    pub fn take(&mut self, at_ms: u64, events: Vec<Event>) {
        for event in events {
            let record = Record { n: self.records.len() as u64 + 1, at_ms, event };
            self.timeline.take(&record);
            self.records.push(record);
        }
    }

    /// What is not in the file yet is written, where there is a file. What could not be written waits.
    pub fn write(&mut self) {
        let Some(file) = &mut self.file else { return };
        if self.written < self.records.len() {
            let wrote = file.append(&self.records[self.written..]);
            if wrote.is_ok() {
                self.written = self.records.len();
            }
            self.trouble = wrote.err();
        }
    }

    /// From now on all of it is kept in this new file.
    ///
    /// # Errors
    /// There is a file of that name, or it cannot be written; then all is as it was.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), JournalError> {
        let file = Journal::create(path, &self.records)?;
        (self.file, self.written, self.trouble) = (Some(file), self.records.len(), None);
        Ok(())
    }
}
