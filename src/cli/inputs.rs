//! The files that commands read: table, rosters, lens profile. Every mistake of every file at once.

use crate::judge::{Roster, RosterFile, Table, parse_roster, parse_table, samples};
use crate::rules::Ruleset;
use crate::text::{Mistakes, Wanted, read_file};
#[cfg(feature = "vision")]
use crate::vision::{LensProfile, parse_lens_profile};
use anyhow::{Error, anyhow};
use std::path::{Path, PathBuf};

/// Reads the table and all rosters; the samples stand in for what is not named.
///
/// # Errors
/// Every mistake of every file, then every clash between them, one a line.
pub fn table_and_roster(table: Option<&Path>, rosters: &[PathBuf]) -> Result<(Table, Roster), Error> {
    let mut mistakes = Vec::new();
    let table = match table {
        None => Some(samples::table()),
        Some(path) => keep(read_with(path, Wanted::Table, parse_table), &mut mistakes),
    };
    let mut files = Vec::new();
    for (i, path) in rosters.iter().enumerate() {
        let same =
            |other: &PathBuf| path.canonicalize().ok().is_some_and(|p| other.canonicalize().ok() == Some(p));
        if rosters[..i].iter().any(same) {
            let twice = "this roster is named twice: name it once";
            mistakes.push(Mistakes::whole(&path.display().to_string(), twice));
            continue;
        }
        let file = path.display().to_string();
        let elements = keep(read_with(path, Wanted::Roster, parse_roster), &mut mistakes);
        files.extend(elements.map(|elements| RosterFile { file, elements }));
    }
    if rosters.is_empty() {
        let elements = samples::roster().elements().to_vec();
        files.push(RosterFile { file: "the sample roster".to_owned(), elements });
    }
    let Some(table) = table.filter(|_| mistakes.is_empty()) else { return Err(told(&mistakes)) };
    let roster = Roster::of(&table, files, &Ruleset::dba3()).map_err(|clashes| told(&clashes))?;
    Ok((table, roster))
}

/// Reads a table file alone.
///
/// # Errors
/// Every mistake of the file.
#[cfg(feature = "vision")]
pub fn table_file(path: &Path) -> Result<Table, Error> {
    table_alone(path).map_err(|mistakes| told(&[mistakes]))
}

/// The same, its mistakes to be told with those of other files.
///
/// # Errors
/// Every mistake of the file.
pub fn table_alone(path: &Path) -> Result<Table, Mistakes> {
    read_with(path, Wanted::Table, parse_table)
}

/// Reads a lens profile.
///
/// # Errors
/// Every mistake of the file.
#[cfg(feature = "vision")]
pub fn lens_profile(path: &Path) -> Result<LensProfile, Error> {
    read_with(path, Wanted::Lens, parse_lens_profile).map_err(|mistakes| told(&[mistakes]))
}

fn read_with<T>(
    path: &Path,
    what: Wanted,
    parse: impl FnOnce(&str, &str) -> Result<T, Mistakes>,
) -> Result<T, Mistakes> {
    parse(&path.display().to_string(), &read_file(path, what)?)
}

fn keep<T>(read: Result<T, Mistakes>, mistakes: &mut Vec<Mistakes>) -> Option<T> {
    read.map_err(|found| mistakes.push(found)).ok()
}

/// Every mistake of several files, with their number where there are more than one.
pub fn told(mistakes: &[Mistakes]) -> Error {
    let count: usize = mistakes.iter().map(|m| m.list.len()).sum();
    let list = mistakes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    match count {
        1 => anyhow!("{list}"),
        _ => anyhow!("{count} mistakes:\n{list}"),
    }
}

/// A number as an option gives it.
///
/// # Errors
/// What is no finite number, in words that say how to write it.
pub fn decimal(text: &str) -> Result<f64, String> {
    let number: Option<f64> = text.trim().parse().ok();
    match number.filter(|number| number.is_finite()) {
        Some(number) => Ok(number),
        None if text.contains(',') => {
            Err(format!("a number is written with a point, here {}", text.trim().replace(',', ".")))
        }
        None => Err("expected a number, such as 99.6".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_a_point_and_is_finite() {
        assert_eq!(decimal(" 99.6 "), Ok(99.6));
        assert!(decimal("99,6").expect_err("a comma").contains("99.6"));
        for wrong in ["", "wide", "inf", "NaN"] {
            assert!(decimal(wrong).is_err(), "{wrong}");
        }
    }
}
