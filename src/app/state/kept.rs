//! How the battle's journal stands, as the window shows it.

use crate::app::command::JournalCommand;
use crate::session::journal::Keeper;

/// What is known of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KeptView {
    /// Its file, where there is one.
    pub file: Option<String>,
    /// How many records there are.
    pub records: usize,
    /// How many of them are in no file.
    pub unwritten: usize,
    /// Whether something can be undone.
    pub can_undo: bool,
    /// Whether something can be done again.
    pub can_redo: bool,
    /// What is wrong, and what to do.
    pub trouble: Option<String>,
}

/// The journal's part of the window.
#[derive(Debug, Clone, Default)]
pub struct Kept {
    view: KeptView,
    file: String,
    refused: Option<String>,
    goes_back: bool,
}

impl Kept {
    /// How the journal stands.
    pub fn view(&self) -> &KeptView {
        &self.view
    }

    /// What stands in the field for its file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Why the file that was named was not begun.
    pub fn refused(&self) -> Option<&str> {
        self.refused.as_deref()
    }

    /// Whether the battle is being worked out again, to go back.
    pub fn going_back(&self) -> bool {
        self.goes_back
    }

    pub(in crate::app) fn goes_back(&mut self, goes: bool) {
        self.goes_back = goes;
    }

    /// Carries out a wish; gives it back where it is for `logic`.
    pub(super) fn carry_out(&mut self, command: JournalCommand) -> Option<JournalCommand> {
        match command {
            JournalCommand::TypeFile(text) => {
                (self.file, self.refused) = (text, None);
                None
            }
            other => Some(other),
        }
    }

    pub(in crate::app) fn look(&mut self, keeper: &Keeper) {
        self.view = KeptView {
            file: keeper.path().map(|path| path.display().to_string()),
            records: keeper.records().len(),
            unwritten: keeper.unwritten(),
            can_undo: keeper.undo().is_some(),
            can_redo: keeper.redo().is_some(),
            trouble: keeper.trouble().map(|why| format!("{why}.")),
        };
    }

    pub(in crate::app) fn refuse(&mut self, why: String) {
        self.refused = Some(why);
    }
}
