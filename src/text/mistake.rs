//! What is wrong with a file, and where.

use std::fmt;

/// A place in a text, counted from 1. Columns count characters, not bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl Position {
    /// Where a text begins.
    pub const START: Self = Self { line: 1, column: 1 };
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Where it is.
    pub at: Position,
    /// What was expected, what was found, and where it is not plain, what to do.
    pub message: String,
}

/// Every mistake of one file, in the order of its lines. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistakes {
    /// What the file is called.
    pub file: String,
    /// The mistakes, by position.
    pub list: Vec<Mistake>,
}

impl Mistakes {
    /// Of the file called `file`. Puts the list in the order of its lines, and drops repetitions.
    pub fn new(file: &str, mut list: Vec<Mistake>) -> Self {
        list.sort_by_key(|m| m.at);
        list.dedup();
        Self { file: file.to_owned(), list }
    }

    /// A mistake of the file as a whole.
    pub fn whole(file: &str, message: impl Into<String>) -> Self {
        Self::new(file, vec![Mistake { at: Position::START, message: message.into() }])
    }
}

/// How many mistakes are written out; the rest are counted.
const SHOWN: usize = 40;

impl fmt::Display for Mistakes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, m) in self.list.iter().take(SHOWN).enumerate() {
            let line = if i == 0 { "" } else { "\n" };
            write!(f, "{line}{}:{}:{}: {}", self.file, m.at.line, m.at.column, m.message)?;
        }
        if self.list.len() > SHOWN {
            write!(f, "\n{}: and {} more mistakes", self.file, self.list.len() - SHOWN)?;
        }
        Ok(())
    }
}

impl std::error::Error for Mistakes {}
