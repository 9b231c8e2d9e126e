//! The result slip's part of the window: the players' names, the file, and what came of writing it.

use crate::app::command::{SlipCommand, SlipField};

/// What was typed, and what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlipPart {
    /// Who plays red, and who blue.
    pub players: [String; 2],
    /// The page's file.
    pub file: String,
    /// Where it was written, or why not.
    pub written: Option<Result<String, String>>,
}

impl Default for SlipPart {
    fn default() -> Self {
        Self { players: Default::default(), file: "result.html".to_owned(), written: None }
    }
}

impl SlipPart {
    /// Carries out a wish; gives it back where it is for `logic`.
    pub(super) fn carry_out(&mut self, command: SlipCommand) -> Option<SlipCommand> {
        match command {
            SlipCommand::Type(SlipField::Red, text) => self.players[0] = text,
            SlipCommand::Type(SlipField::Blue, text) => self.players[1] = text,
            SlipCommand::Type(SlipField::File, text) => (self.file, self.written) = (text, None),
            SlipCommand::Write => return Some(SlipCommand::Write),
        }
        None
    }
}
