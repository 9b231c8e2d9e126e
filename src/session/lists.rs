//! Army lists that a person keeps in folders of his own, beside those that ship.

use crate::rules::Ruleset;
use crate::rules::army_list::{ListFile, Shelf, read_file, shipped};
use crate::text::{self, Mistakes, Wanted};
use std::path::{Path, PathBuf};

/// The lists that ship and those of the folders. Armies may lie among the lists.
///
/// # Errors
/// Every mistake of every file; a folder that cannot be read; two lists of one key.
pub fn shelf_of(folders: &[PathBuf]) -> Result<Shelf, Vec<Mistakes>> {
    let (mut shelf, mut mistakes) = (shipped().clone(), Vec::new());
    for folder in folders {
        let files = match files(folder) {
            Ok(files) => files,
            Err(why) => {
                mistakes.push(why);
                continue;
            }
        };
        for path in files {
            let name = path.display().to_string();
            let read = text::read_file(&path, Wanted::ArmyList)
                .and_then(|text| read_file(&name, &text, &Ruleset::dba3()));
            match read {
                Ok(ListFile::Army(_)) => {}
                Ok(ListFile::List(list)) => {
                    let own = list.key.clone();
                    if let Err(key) = shelf.add(list) {
                        let why = format!(
                            "its key {own} clashes with {key}, which another list has: give it a number of its own"
                        );
                        mistakes.push(Mistakes::whole(&name, why));
                    }
                }
                Err(found) => mistakes.push(found),
            }
        }
    }
    if mistakes.is_empty() { Ok(shelf) } else { Err(mistakes) }
}

/// The files of a folder that end in .ron, by their names.
fn files(folder: &Path) -> Result<Vec<PathBuf>, Mistakes> {
    let cannot = |e: std::io::Error| {
        let why = format!("{}; name a folder of army lists", text::reason(&e));
        Mistakes::whole(&folder.display().to_string(), why)
    };
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(cannot)? {
        let path = entry.map_err(cannot)?.path();
        if path.is_file() && path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ron")) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
