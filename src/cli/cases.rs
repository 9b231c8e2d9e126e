//! `groma cases`: runs a folder of case files and tells which rulings differ from what they expect.

use super::rulings::case_file;
use super::{Failure, say};
use anyhow::anyhow;
use std::fs;
use std::path::{Path, PathBuf};

/// Runs every case file of a folder and reports the cases whose ruling differs from what they expect.
#[derive(Debug, clap::Args)]
pub struct CasesArgs {
    /// The folder, searched with the folders inside it; or one case file.
    dir: PathBuf,
    /// Tell every case, also those that agree.
    #[arg(long)]
    all: bool,
}

/// Runs the command.
///
/// # Errors
/// A folder without case files, a file that cannot be read, or a case whose ruling differs.
pub fn run(args: &CasesArgs) -> Result<(), Failure> {
    let files = files_of(&args.dir)?;
    let (mut count, mut differ, mut unread) = (0usize, 0usize, 0usize);
    for path in &files {
        let file = match case_file(path) {
            Ok(file) => file,
            Err(Failure::Job(why)) => {
                say(format!("{why:#}"));
                unread += 1;
                continue;
            }
            Err(other) => return Err(other),
        };
        for case in &file.cases {
            count += 1;
            let found = match (case.run(), &case.fails_because) {
                (Ok(()), None) => Ok("as expected".to_owned()),
                (Err(_), Some(why)) => Ok(format!("differs, as it says: {why}")),
                (Ok(()), Some(why)) => Err(format!("agrees, though it says that it fails: {why}")),
                (Err(what), None) => Err(what),
            };
            match found {
                Ok(text) if args.all => say(format!("{}: `{}`: {text}", path.display(), case.name)),
                Ok(_) => {}
                Err(what) => {
                    differ += 1;
                    say(format!("{}: `{}`: {what}", path.display(), case.name));
                }
            }
        }
    }
    say(format!("{count} cases in {} files, {differ} differ", files.len()));
    match (differ, unread) {
        (0, 0) => Ok(()),
        (0, n) => Err(Failure::Job(anyhow!("{n} of {} files could not be read", files.len()))),
        (n, 0) => Err(Failure::Job(anyhow!("{n} of {count} cases differ"))),
        (n, m) => Err(Failure::Job(anyhow!("{n} of {count} cases differ, and {m} files could not be read"))),
    }
}

/// The case files of a folder and of those inside it, by name; or the one file.
fn files_of(dir: &Path) -> Result<Vec<PathBuf>, Failure> {
    if dir.is_file() {
        return Ok(vec![dir.to_owned()]);
    }
    if !dir.is_dir() {
        return Err(Failure::Job(anyhow!("{}: there is no such folder or file", dir.display())));
    }
    let mut found = Vec::new();
    below(dir, &mut found)?;
    found.sort();
    if found.is_empty() {
        return Err(Failure::Job(anyhow!(
            "{}: there is no case file (.ron) in it; docs/cases.md says how to write one",
            dir.display()
        )));
    }
    Ok(found)
}

fn below(dir: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    let told = |e: std::io::Error| anyhow!("{}: {}", dir.display(), super::outputs::reason(&e));
    for entry in fs::read_dir(dir).map_err(told)? {
        let path = entry.map_err(told)?.path();
        if path.is_dir() {
            below(&path, found)?;
        } else if path.extension().is_some_and(|e| e == "ron") {
            found.push(path);
        }
    }
    Ok(())
}
