//! `groma init`: writes the sample table and roster, commented, for people to change.

use super::outputs::reason;
use super::{Failure, say};
use crate::judge::{FIRST_RUN_STEPS, FOLDER_FILE, TableFolder, samples};
use anyhow::anyhow;
use std::fs;
use std::path::PathBuf;

/// Writes a sample table and roster, with comments, into a folder.
#[derive(Debug, clap::Args)]
pub struct InitArgs {
    /// The folder; it is made where there is none. Nothing in it is overwritten.
    dir: PathBuf,
}

/// What to do with the files, for the folder.
const README: &str = "\
A table for Groma

groma.ron    which files are which; \"groma --folder DIR\" opens them all
table.ron    where the reference tags lie, how large the board is, and what lies on it
roster.ron   the elements, their bases, and the tags on them

1. Print the tags, lay the reference tags down, and measure where their centres are: change table.ron.
2. Measure your bases and where the tags are on them: change roster.ron.
3. Take a photograph that shows at least four reference tags, then

       groma read PHOTOGRAPH --table table.ron --roster roster.ron
       groma judge PHOTOGRAPH --table table.ron --roster roster.ron --between \"Consul\" \"Elephants\"

   or try both without a camera: sim:1 in place of PHOTOGRAPH is a simulated table.

A mistake in a file is named with its line and column. docs/formats.md of Groma describes every field.
";

/// Runs the command.
///
/// # Errors
/// A folder that cannot be made, or a file that is there already.
pub fn run(args: &InitArgs) -> Result<(), Failure> {
    let folder = TableFolder {
        source: Some("sim:1".to_owned()),
        rosters: vec!["roster.ron".to_owned()],
        step: FIRST_RUN_STEPS,
        ..TableFolder::default()
    };
    let folder = folder.text();
    let files = [
        (FOLDER_FILE, folder.as_str()),
        ("table.ron", samples::TABLE_RON),
        ("roster.ron", samples::ROSTER_RON),
        ("README.txt", README),
    ];
    let dir = &args.dir;
    if dir.exists() && !dir.is_dir() {
        return Err(Failure::Use(format!("{} is a file: name a folder", dir.display())));
    }
    let there: Vec<String> = files
        .iter()
        .map(|(name, _)| dir.join(name))
        .filter(|path| path.exists())
        .map(|path| path.display().to_string())
        .collect();
    if !there.is_empty() {
        return Err(Failure::Job(anyhow!(
            "nothing was written, for there is already {}: name another folder, or move it away",
            there.join(" and ")
        )));
    }
    fs::create_dir_all(dir)
        .map_err(|e| anyhow!("cannot make the folder {}: {}", dir.display(), reason(&e)))?;
    for (name, text) in files {
        let path = dir.join(name);
        let write = || -> std::io::Result<()> {
            use std::io::Write;
            fs::File::create_new(&path)?.write_all(text.as_bytes())
        };
        write().map_err(|e| anyhow!("cannot write {}: {}", path.display(), reason(&e)))?;
        say(format!("wrote {}", path.display()));
    }
    let named = |name| quoted(&dir.join(name).display().to_string());
    say(format!("next: groma read sim:1 --table {} --roster {}", named("table.ron"), named("roster.ron")));
    Ok(())
}

/// A name as a shell takes it for one word.
fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+,:@%".contains(c);
    if name.chars().all(plain) { name.to_owned() } else { format!("'{}'", name.replace('\'', "'\\''")) }
}
