//! `groma evidence check`: whether pages of evidence are as they were made.

use super::{Failure, say};
use crate::session::evidence::{check, short};
use anyhow::anyhow;
use clap::{Args, Subcommand};
use serde_json::json;
use std::path::PathBuf;

/// Checks the pages of evidence that `groma measure --evidence` writes.
#[derive(Debug, Args)]
pub struct EvidenceArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Whether a page is as it was made: its mark is worked out again. Compare the digits with those that the players
    /// wrote down.
    Check(CheckArgs),
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// The page. May be given more than once.
    #[arg(required = true)]
    file: Vec<PathBuf>,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs it.
///
/// # Errors
/// A page that cannot be read, or that is not as it was made.
pub fn run(args: &EvidenceArgs) -> Result<(), Failure> {
    let What::Check(args) = &args.what;
    let mut bad = 0;
    for path in &args.file {
        let file = path.display().to_string();
        let read = std::fs::read_to_string(path)
            .map_err(|e| format!("cannot be read: {}", super::outputs::reason(&e)))
            .and_then(|page| check(&page).map_err(|why| why.to_string()));
        if args.json {
            let (mark, why) = (read.as_ref().ok(), read.as_ref().err());
            say(json!({"file": file, "as_it_was_made": mark.is_some(), "mark": mark, "why": why}));
        }
        match &read {
            Ok(mark) if !args.json => say(format!("{file}: as it was made, mark {}", short(mark))),
            Ok(_) => {}
            Err(why) => {
                note!("groma: {file}: {why}");
                bad += 1;
            }
        }
    }
    match bad {
        0 => Ok(()),
        1 => Err(Failure::Job(anyhow!("one page is not as it was made, or could not be read"))),
        n => Err(Failure::Job(anyhow!("{n} pages are not as they were made, or could not be read"))),
    }
}
