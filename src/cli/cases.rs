//! `groma cases`: runs a folder of case files and tells which rulings differ from what they expect.

use super::rulings::sound_cases;
use super::{Failure, say};
use crate::text::counted;
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
        let (file, mistakes) = match sound_cases(path) {
            Ok(found) => found,
            Err(Failure::Job(why)) => (None, vec![format!("{why:#}")]),
            Err(other) => return Err(other),
        };
        unread += usize::from(!mistakes.is_empty());
        mistakes.iter().for_each(say);
        let Some(file) = file else { continue };
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
    let differs = if differ == 1 { "differs" } else { "differ" };
    say(format!("{} in {}, {differ} {differs}", counted(count, "case"), counted(files.len(), "file")));
    let differing = format!("{differ} of {} {differs}", counted(count, "case"));
    let not_read = format!("{unread} of {} could not be read, or not whole", counted(files.len(), "file"));
    match (differ, unread) {
        (0, 0) => Ok(()),
        (0, _) => Err(Failure::Job(anyhow!("{not_read}"))),
        (_, 0) => Err(Failure::Job(anyhow!("{differing}"))),
        _ => Err(Failure::Job(anyhow!("{differing}, and {not_read}"))),
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
