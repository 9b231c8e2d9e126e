//! What is wrong with a ruleset's file, and where.

use serde::de::DeserializeOwned;
use std::fmt;

/// A mistake in a data file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The file's name.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
    /// What is wrong and what was expected.
    pub message: String,
}

impl Problem {
    /// A mistake at the first place where `what` stands in the text; at the file's start where it
    /// stands nowhere.
    pub fn at(file: &str, text: &str, what: &str, message: String) -> Self {
        Self::at_nth(file, text, what, 0, message)
    }

    /// A mistake at the place where `what` stands for the `nth` time, from 0.
    pub fn at_nth(file: &str, text: &str, what: &str, nth: usize, message: String) -> Self {
        let offset = text.match_indices(what).nth(nth).map_or(0, |(at, _)| at);
        let before = &text[..offset];
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Self { file: file.to_owned(), line, column, message }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}: {}", self.file, self.line, self.column, self.message)
    }
}

/// Problems, one a line.
pub fn list(problems: &[Problem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Reads a RON file into its shape.
///
/// # Errors
/// Where the text does not have the shape: file, line, column and what was expected.
pub fn read<T: DeserializeOwned>(file: &str, text: &str) -> Result<T, Vec<Problem>> {
    let options = ron::Options::default().with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
    options.from_str(text).map_err(|error| {
        vec![Problem {
            file: file.to_owned(),
            line: error.span.start.line,
            column: error.span.start.col,
            message: error.code.to_string(),
        }]
    })
}
