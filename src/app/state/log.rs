//! What was written down, as a text in a file that the user has named: it is written anew whenever there is more.

use crate::app::command::LogCommand;
use crate::session::play::Written;
use std::fmt::Write;
use std::path::PathBuf;

/// How a log file begins: tells it from files that must not be replaced.
pub const HEAD: &str = "Groma log";

/// The text and its file.
#[derive(Debug, Default)]
pub struct Log {
    note: String,
    file: String,
    /// Where it is kept, once it was saved.
    kept: Option<PathBuf>,
    written: usize,
    saved: Option<Result<String, String>>,
}

impl Log {
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

    /// The file's text: `entries` is all that was written down.
    pub fn text(entries: &[Written], day: &str, files: &str) -> String {
        let mut text = format!("{HEAD}, {day}\n");
        if !files.is_empty() {
            let _ = writeln!(text, "{files}");
        }
        for (n, e) in entries.iter().enumerate() {
            let _ = writeln!(text, "{}. {}: {} [{}]", n + 1, e.kind.word(), e.words, e.under);
        }
        text
    }

    /// Carries out a wish. What is to be written down, where it is a note; the wish itself, where it is for `logic`.
    pub(super) fn carry_out(&mut self, command: LogCommand) -> (Option<String>, Option<LogCommand>) {
        match command {
            LogCommand::TypeNote(text) => self.note = text,
            LogCommand::Note => {
                let note = std::mem::take(&mut self.note);
                let note = note.trim();
                return ((!note.is_empty()).then(|| note.to_owned()), None);
            }
            LogCommand::TypeFile(text) => (self.file, self.saved) = (text, None),
            LogCommand::Save => return (None, Some(LogCommand::Save)),
        }
        (None, None)
    }

    /// The file that has to be written anew, where there is one and so many entries are to be in it.
    pub(in crate::app) fn behind(&self, entries: usize) -> Option<&PathBuf> {
        self.kept.as_ref().filter(|_| entries != self.written)
    }

    /// It was written, or could not be. One that could not is not tried again until it is asked for.
    pub(in crate::app) fn was_saved(&mut self, path: PathBuf, saved: Result<usize, String>) {
        self.saved = Some(match saved {
            Ok(entries) => {
                self.written = entries;
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
    use crate::session::play::Kind;

    fn entry(kind: Kind, words: &str) -> Written {
        Written { kind, words: words.to_owned(), under: "standard".to_owned() }
    }

    #[test]
    fn what_is_written_down_is_in_the_text_in_order() {
        let entries = [entry(Kind::Move, "Hastati 1 moved"), entry(Kind::Note, "a hand slipped")];
        let told = "Groma log, 2026-11-30\nthe files\n1. move: Hastati 1 moved [standard]\n\
                    2. note: a hand slipped [standard]\n";
        assert_eq!(Log::text(&entries, "2026-11-30", "the files"), told);
    }

    #[test]
    fn a_file_is_behind_until_all_is_in_it_and_a_note_is_trimmed() {
        let mut log = Log::default();
        assert_eq!(log.behind(2), None);
        log.was_saved(PathBuf::from("log.txt"), Ok(2));
        assert_eq!(log.behind(2), None);
        assert_eq!(log.behind(3), Some(&PathBuf::from("log.txt")));
        log.carry_out(LogCommand::TypeNote("  a hand slipped ".to_owned()));
        assert_eq!(log.carry_out(LogCommand::Note), (Some("a hand slipped".to_owned()), None));
        assert_eq!(log.carry_out(LogCommand::Note), (None, None));
    }
}
