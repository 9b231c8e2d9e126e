//! The files that commands write, with the exit code that a file which cannot be written gives.

use super::Failure;
use crate::text::OutputError;
use std::path::Path;

pub use crate::text::{Kind, Output, reason};

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        match error {
            OutputError::Use(words) => Self::Use(words),
            OutputError::Disk(words) => Self::Job(anyhow::Error::msg(words)),
        }
    }
}

/// Checks the files that a command is to write; to be called before its work begins.
///
/// # Errors
/// Those of [`crate::text::check_outputs`].
pub fn check(outputs: &[Output<'_>]) -> Result<(), Failure> {
    Ok(crate::text::check_outputs(outputs)?)
}

/// Writes the files: all of them whole beside their places first, then each into its place.
///
/// # Errors
/// Those of [`crate::text::write_outputs`].
pub fn write(files: &[(&Path, &[u8])]) -> Result<(), Failure> {
    Ok(crate::text::write_outputs(files)?)
}
