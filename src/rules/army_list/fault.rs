//! What is wrong with a written army list or army, and where; and the cursor that reads both.

use crate::text::Position;
use std::fmt;

/// A fault of something written: where it stands, the clause that asks for it to be otherwise, and what would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    /// Where it begins.
    pub at: Position,
    /// The clause that it goes against.
    pub clause: &'static str,
    /// What is wrong and what would do.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.at, self.message, self.clause)
    }
}

/// A text and where it begins in its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Piece {
    pub text: String,
    pub at: Position,
}

impl Piece {
    pub(super) fn new(text: impl Into<String>, at: Position) -> Self {
        Self { text: text.into(), at }
    }

    /// Where its character of that number stands.
    pub(super) fn place(&self, number: usize) -> Position {
        self.text.chars().take(number).fold(self.at, |at, c| match c {
            '\n' => Position { line: at.line + 1, column: 1 },
            _ => Position { line: at.line, column: at.column + 1 },
        })
    }

    /// Its parts between `separator`s, blanks before and after left off; each with its own place.
    pub(super) fn parts(&self, separator: char) -> Vec<Self> {
        let mut from = 0;
        let mut parts = Vec::new();
        for part in self.text.split(separator) {
            let lead = part.chars().take_while(|c| c.is_whitespace()).count();
            parts.push(Self::new(part.trim(), self.place(from + lead)));
            from += part.chars().count() + 1;
        }
        parts
    }

    /// What follows its first `bytes` bytes, blanks left off.
    pub(super) fn after(&self, bytes: usize) -> Self {
        let (before, rest) = self.text.split_at(bytes);
        let lead = rest.chars().take_while(|c| c.is_whitespace()).count();
        Self::new(rest.trim(), self.place(before.chars().count() + lead))
    }

    /// What follows that word, where it begins with it.
    pub(super) fn after_word(&self, word: &str) -> Option<Self> {
        let rest = self.text.strip_prefix(word)?;
        (rest.is_empty() || rest.starts_with(char::is_whitespace)).then(|| self.after(word.len()))
    }
}

/// Reads a piece from left to right.
pub(super) struct Cursor<'a> {
    piece: &'a Piece,
    chars: Vec<char>,
    pub at: usize,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(piece: &'a Piece) -> Self {
        Self { piece, chars: piece.text.chars().collect(), at: 0 }
    }

    pub(super) fn place(&self) -> Position {
        self.piece.place(self.at)
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.chars.get(self.at).copied()
    }

    pub(super) fn skip_spaces(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    pub(super) fn begins(&self, with: &str) -> bool {
        with.chars().enumerate().all(|(n, c)| self.chars.get(self.at + n) == Some(&c))
    }

    /// Goes past `wanted`, where it stands here.
    pub(super) fn take(&mut self, wanted: &str) -> bool {
        let there = self.begins(wanted);
        if there {
            self.at += wanted.chars().count();
        }
        there
    }

    /// The same, blanks before it skipped; where it does not stand here nothing is.
    pub(super) fn take_next(&mut self, wanted: &str) -> bool {
        let from = self.at;
        self.skip_spaces();
        let there = self.take(wanted);
        if !there {
            self.at = from;
        }
        there
    }

    /// Whether the word stands here, ended by a blank or the end.
    pub(super) fn word_is(&self, word: &str) -> bool {
        self.word_at(self.at, word)
    }

    /// Whether the word stands behind the character that is here.
    pub(super) fn word_follows(&self, word: &str) -> bool {
        self.word_at(self.at + 1, word)
    }

    fn word_at(&self, at: usize, word: &str) -> bool {
        let rest = self.chars.get(at..).unwrap_or_default();
        let length = word.chars().count();
        rest.iter().take(length).copied().eq(word.chars())
            && rest.get(length).is_none_or(|c| c.is_whitespace())
    }

    /// Goes past the characters that `wanted` takes, and gives them.
    pub(super) fn while_is(&mut self, wanted: impl Fn(char) -> bool) -> String {
        let from = self.at;
        while self.peek().is_some_and(&wanted) {
            self.at += 1;
        }
        self.chars[from..self.at].iter().collect()
    }

    /// What stands here, for a message.
    pub(super) fn found(&self) -> String {
        let word: String = self.chars[self.at..].iter().take_while(|c| !c.is_whitespace()).take(30).collect();
        if word.is_empty() { "the end".to_owned() } else { format!("`{word}`") }
    }

    pub(super) fn wrong(&self, clause: &'static str, expected: &str) -> Fault {
        let message = format!("expected {expected}, found {}", self.found());
        Fault { at: self.place(), clause, message }
    }
}
