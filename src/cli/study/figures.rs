//! A study's figures as CSV and as lines of a table.

use crate::cli::Failure;
use crate::cli::outputs::{self, Kind, Output};
use std::path::{Path, PathBuf};

/// The files of a study, checked before it begins.
///
/// # Errors
/// See [`outputs::check`].
pub fn check(csv: Option<&PathBuf>, drawing: Option<&PathBuf>) -> Result<(), Failure> {
    let csv = csv.map(|path| Output { option: "--out", path, kind: Kind::Figures });
    let drawing = drawing.map(|path| Output { option: "--plot", path, kind: Kind::Drawing });
    outputs::check(&csv.into_iter().chain(drawing).collect::<Vec<_>>())
}

/// Rows of figures under names. Every row begins with the study's own name.
#[derive(Debug, Clone)]
pub struct Csv {
    study: &'static str,
    text: String,
}

impl Csv {
    /// No rows yet.
    pub fn new(study: &'static str, columns: &[&str]) -> Self {
        Self { study, text: format!("study,{}\n", columns.join(",")) }
    }

    /// One more row. No cell may hold a comma, a quote or a line's end: names and numbers do not.
    pub fn row(&mut self, cells: &[String]) {
        self.text.push_str(&format!("{},{}\n", self.study, cells.join(",")));
    }

    /// The whole file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Writes the file, where one was asked for.
    ///
    /// # Errors
    /// See [`outputs::write`].
    pub fn write(&self, path: Option<&PathBuf>) -> Result<(), Failure> {
        let Some(path) = path else { return Ok(()) };
        let path: &Path = path;
        outputs::write(&[(path, self.text.as_bytes())])
    }
}

/// A number with so many decimals, or `-`.
pub fn number(value: Option<f64>, digits: usize) -> String {
    value.map_or_else(|| "-".to_owned(), |v| format!("{v:.digits$}"))
}

/// A share in a hundred with one decimal, or `-`.
pub fn percent(share: Option<f64>) -> String {
    number(share.map(|s| 100.0 * s), 1)
}
