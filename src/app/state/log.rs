//! What was decided, written down in order: moves, outcomes, losses, and every overrule. In a file too, once the user
//! has named one: it is then written anew whenever the log grows.

use crate::app::command::LogCommand;
use std::fmt::Write;
use std::path::PathBuf;

/// What an entry is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A person decided against the program.
    Overrule,
    /// The players agreed on a fact.
    Agreed,
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
            Self::Move => "move",
            Self::Outcome => "outcome",
            Self::Loss => "loss",
            Self::Bound => "bound",
            Self::Note => "note",
        }
    }
}

/// Something that was decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    /// What it is about.
    pub kind: Kind,
    /// What was decided.
    pub words: String,
    /// Under which settings.
    pub under: String,
}

/// How a log file begins: tells it from files that must not be replaced.
pub const HEAD: &str = "Groma log";

/// The log.
#[derive(Debug, Default)]
pub struct Log {
    entries: Vec<Written>,
    note: String,
    file: String,
    /// Where it is kept, once it was saved.
    kept: Option<PathBuf>,
    written: usize,
    saved: Option<Result<String, String>>,
}

impl Log {
    /// Everything, the oldest first.
    pub fn entries(&self) -> &[Written] {
        &self.entries
    }

    /// What stands in the field for a note.
    pub fn note(&self) -> &str {
        &self.note
    }

    /// What stands in the field for the file's name.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Where it was saved, or why not.
    pub fn saved(&self) -> Option<&Result<String, String>> {
        self.saved.as_ref()
    }

    /// How many entries are in no file.
    pub fn unsaved(&self) -> usize {
        self.entries.len() - self.written
    }

    /// The file's text.
    pub fn text(&self, day: &str, files: &str) -> String {
        let mut text = format!("{HEAD}, {day}\n");
        if !files.is_empty() {
            let _ = writeln!(text, "{files}");
        }
        for (n, e) in self.entries.iter().enumerate() {
            let _ = writeln!(text, "{}. {}: {} [{}]", n + 1, e.kind.word(), e.words, e.under);
        }
        text
    }

    pub(super) fn write(&mut self, kind: Kind, words: impl Into<String>, under: &str) {
        self.entries.push(Written { kind, words: words.into(), under: under.to_owned() });
    }

    /// Carries out a wish; gives it back where it is for `logic`.
    pub(super) fn carry_out(&mut self, command: LogCommand, under: &str) -> Option<LogCommand> {
        match command {
            LogCommand::TypeNote(text) => self.note = text,
            LogCommand::Note => {
                let note = std::mem::take(&mut self.note);
                if !note.trim().is_empty() {
                    self.write(Kind::Note, note.trim(), under);
                }
            }
            LogCommand::TypeFile(text) => (self.file, self.saved) = (text, None),
            LogCommand::Save => return Some(LogCommand::Save),
        }
        None
    }

    /// The file that has to be written anew, where there is one.
    pub(in crate::app) fn behind(&self) -> Option<&PathBuf> {
        self.kept.as_ref().filter(|_| self.unsaved() > 0)
    }

    /// It was written, or could not be. One that could not is not tried again until it is asked for.
    pub(in crate::app) fn was_saved(&mut self, path: PathBuf, saved: Result<(), String>) {
        self.saved = Some(match saved {
            Ok(()) => {
                self.written = self.entries.len();
                let words = format!("Kept in {}.", path.display());
                self.kept = Some(path);
                Ok(words)
            }
            Err(why) => {
                self.kept = None;
                Err(why)
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_down_is_in_the_text_in_order() {
        let mut log = Log::default();
        log.write(Kind::Move, "Hastati 1 moved", "standard");
        log.carry_out(LogCommand::TypeNote("  a hand slipped ".to_owned()), "standard");
        log.carry_out(LogCommand::Note, "standard");
        log.carry_out(LogCommand::Note, "standard");
        let told = "Groma log, 2026-11-30\nthe files\n1. move: Hastati 1 moved [standard]\n\
                    2. note: a hand slipped [standard]\n";
        assert_eq!(log.text("2026-11-30", "the files"), told);
        assert_eq!((log.unsaved(), log.behind()), (2, None));
        log.was_saved(PathBuf::from("log.txt"), Ok(()));
        assert_eq!((log.unsaved(), log.behind()), (0, None));
        log.write(Kind::Loss, "Libyans", "standard");
        assert_eq!(log.behind(), Some(&PathBuf::from("log.txt")));
    }
}
