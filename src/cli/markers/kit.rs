//! `groma markers print` and `groma markers sizes`: the whole kit of a table and its armies, and what its ruler makes
//! of their files.

use super::On;
use crate::cli::inputs::decimal;
use crate::cli::inputs::table_and_roster;
use crate::cli::outputs::{self, Kind, Output};
use crate::cli::rulings::SettingsArgs;
use crate::cli::{Failure, say};
use crate::judge::Roster;
use crate::markers::{
    Carrier, Corrected, KitStyle, Part, SizesError, corrected_roster, corrected_table, kit_sheets,
    printed_scale, sticking_out,
};
use crate::text::{Wanted, free_beside, read_file};
use crate::vision::calibration::Board;
use crate::vision::sim::Ink;
use anyhow::{Context, Error};
use clap::Args;
use std::path::{Path, PathBuf};

#[derive(Debug, Args)]
pub struct PrintArgs {
    /// The table file; the sample table where none is given.
    #[arg(long)]
    table: Option<PathBuf>,
    /// A roster file; the sample roster where none is given. May be given more than once.
    #[arg(long)]
    roster: Vec<PathBuf>,
    /// These parts alone: strips, tags, gauges, jig, tiles, check, board, cards. All of them where none is given.
    #[arg(long, value_delimiter = ',', value_name = "PART")]
    only: Vec<String>,
    /// How all tags are carried: flat, plate, stalk or flag. Where none is given: flat or on a stalk, by the height
    /// that the roster gives each.
    #[arg(long, value_name = "CARRIER")]
    mount: Option<String>,
    /// The colours of the tags on bases: black (on white) or earth (on sand).
    #[arg(long, default_value = "black")]
    ink: String,
    /// The calibration board, as `groma markers board` takes it.
    #[arg(long, default_value = super::BOARD)]
    board: String,
    #[command(flatten)]
    settings: SettingsArgs,
    #[command(flatten)]
    on: On,
}

/// Prints the kit.
///
/// # Errors
/// Wrong use: a name that is none. A failed job: files that cannot be read or written, a kit that cannot be printed.
pub fn print(args: &PrintArgs) -> Result<(), Failure> {
    let named = |given: &str, option: &str, known: &[&str]| {
        Failure::Use(format!("{option} {given}: expected one of {}", known.join(", ")))
    };
    let part =
        |name: &String| Part::named(name).ok_or_else(|| named(name, "--only", &Part::ALL.map(Part::name)));
    let wanted: Vec<Part> = args.only.iter().map(part).collect::<Result<_, _>>()?;
    let wanted = if wanted.is_empty() { Part::ALL.to_vec() } else { wanted };
    let carrier = args.mount.as_deref().map(|name| {
        Carrier::named(name).ok_or_else(|| named(name, "--mount", &Carrier::ALL.map(Carrier::name)))
    });
    let ink = match args.ink.as_str() {
        "black" => Ink::Black,
        "earth" => Ink::Earth,
        other => return Err(named(other, "--ink", &["black", "earth"])),
    };
    let board: Board = args.board.parse().map_err(Failure::Use)?;
    let style = KitStyle {
        paper: args.on.paper()?,
        ink,
        carrier: carrier.transpose()?,
        board,
        settings: args.settings.settings()?,
    };
    args.on.check()?;
    let (table, roster) = table_and_roster(args.table.as_deref(), &args.roster)?;
    let sheets = kit_sheets(&table, &roster, &wanted, &style).map_err(Error::from)?;
    let pages: Vec<_> = sheets.iter().map(|(_, sheet)| sheet.clone()).collect();
    args.on.write(&pages)?;
    let count = if pages.len() == 1 { "one page".to_owned() } else { format!("{} pages", pages.len()) };
    let tags: usize = pages.iter().map(|p| p.tags.len()).sum();
    say(format!("{}: {count}, {tags} tags", args.on.out.display()));
    for part in Part::ALL {
        let of_part: Vec<usize> =
            (1..).zip(&sheets).filter(|(_, (p, _))| *p == part).map(|(n, _)| n).collect();
        if let (Some(first), Some(last)) = (of_part.first(), of_part.last()) {
            let which =
                if first == last { format!("page {first}") } else { format!("pages {first} to {last}") };
            say(format!("  {:7} {which}", part.name()));
        }
    }
    if wanted.contains(&Part::Tags) {
        stick_out(&roster, style.carrier);
    }
    say("print at 100 %, measure the ruler on each page, and tell it: groma markers sizes --ruler MM");
    Ok(())
}

/// Tells which faces stick out past their bases, those alike in one line.
fn stick_out(roster: &Roster, carrier: Option<Carrier>) {
    let mut alike: Vec<(String, Vec<String>)> = Vec::new();
    for (name, by, size) in sticking_out(roster, carrier) {
        let would = if size > 0.0 {
            format!("a tag of {size} mm does not")
        } else {
            "put the tag nearer to the base's middle".to_owned()
        };
        let what = format!("{by:.1} mm past the base's front or rear, where ranks touch; {would}");
        match alike.iter_mut().find(|(known, _)| *known == what) {
            Some((_, names)) => names.push(name),
            None => alike.push((what, vec![name])),
        }
    }
    for (what, names) in alike {
        say(format!("sticks out {what}: {}", names.join(", ")));
    }
}

#[derive(Debug, Args)]
pub struct SizesArgs {
    /// What the pages' ruler of 100 mm measures.
    #[arg(long, value_parser = decimal, value_name = "MM")]
    ruler: f64,
    /// The table file that was printed.
    #[arg(long)]
    table: Option<PathBuf>,
    /// A roster file that was printed. May be given more than once.
    #[arg(long)]
    roster: Vec<PathBuf>,
    /// A calibration board that was printed; its true form is told.
    #[arg(long)]
    board: Option<String>,
    /// The folder to write the corrected files to, under their own names.
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,
}

/// Writes the sizes as they were printed.
///
/// # Errors
/// Wrong use: a ruler that cannot be, nothing to correct, a file that would replace the one it was made from. A failed
/// job: files that cannot be read or written, or were corrected before.
pub fn sizes(args: &SizesArgs) -> Result<(), Failure> {
    let scale =
        printed_scale(args.ruler).map_err(|why| Failure::Use(format!("--ruler {}: {why}", args.ruler)))?;
    let files: Vec<(&PathBuf, Wanted)> = args
        .table
        .iter()
        .map(|path| (path, Wanted::Table))
        .chain(args.roster.iter().map(|path| (path, Wanted::Roster)))
        .collect();
    if files.is_empty() && args.board.is_none() {
        return Err(Failure::Use("name what was printed: --table, --roster or --board".to_owned()));
    }
    if let Some(board) = &args.board {
        let board: Board = board.parse().map_err(Failure::Use)?;
        say(format!("--board {}", board.scaled(scale)));
    }
    let places = places(&files, args.into.as_deref())?;
    let mut written = Vec::new();
    for ((path, kind), place) in files.iter().zip(&places) {
        let file = path.display().to_string();
        let text = read_file(path, *kind).map_err(|m| crate::cli::inputs::told(&[m]))?;
        let done = match kind {
            Wanted::Table => corrected_table(&file, &text, args.ruler),
            _ => corrected_roster(&file, &text, args.ruler),
        };
        written.push((place, done.map_err(of_sizes)?));
    }
    // What is in the folder already is kept beside what takes its place.
    let mut aside = Vec::new();
    for (place, _) in written.iter().filter(|(place, _)| place.exists()) {
        let before = std::fs::read(place).with_context(|| format!("{} cannot be kept", place.display()))?;
        aside.push((free_beside(place), before));
    }
    let mut contents: Vec<(&Path, &[u8])> =
        aside.iter().map(|(path, before)| (path.as_path(), before.as_slice())).collect();
    contents.extend(written.iter().map(|(place, done)| (place.as_path(), done.text.as_bytes())));
    outputs::write(&contents)?;
    for (path, _) in &aside {
        say(format!("kept the file that was there as {}", path.display()));
    }
    for (place, Corrected { tags, measured, .. }) in &written {
        let kept = match measured {
            0 => String::new(),
            n => format!("; {n} were measured on the table and stay as they are"),
        };
        say(format!("wrote {}: {tags} tags, {scale:.4} times as printed for{kept}", place.display()));
    }
    Ok(())
}

fn of_sizes(error: SizesError) -> Error {
    match error {
        SizesError::File(mistakes) => crate::cli::inputs::told(&[mistakes]),
        twice => Error::from(twice),
    }
}

/// Where each file goes; never over the file itself.
fn places(files: &[(&PathBuf, Wanted)], into: Option<&Path>) -> Result<Vec<PathBuf>, Failure> {
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let Some(into) = into else {
        return Err(Failure::Use("name the folder for the corrected files: --into DIR".to_owned()));
    };
    if !into.is_dir() {
        return Err(Failure::Job(anyhow::anyhow!(
            "--into {}: there is no such folder: make it first",
            into.display()
        )));
    }
    let mut places = Vec::new();
    for (path, _) in files {
        let Some(name) = path.file_name() else {
            return Err(Failure::Use(format!("{} names no file", path.display())));
        };
        let place = into.join(name);
        if place.canonicalize().is_ok_and(|p| path.canonicalize().is_ok_and(|own| own == p)) {
            return Err(Failure::Use(format!(
                "--into {}: {} is there itself; another folder keeps the file that was printed",
                into.display(),
                path.display()
            )));
        }
        places.push(place);
    }
    let kinds = files.iter().zip(&places).map(|((_, wanted), path)| Output {
        option: "--into",
        path,
        kind: if *wanted == Wanted::Table { Kind::Table } else { Kind::Roster },
    });
    outputs::check(&kinds.collect::<Vec<_>>())?;
    Ok(places)
}
