//! `groma army`: army lists listed and shown, armies checked against them, rosters made from them.

mod roster;
mod show;

use super::inputs::told;
use super::{Failure, say};
use crate::judge::{judge_roster, parse_roster};
use crate::rules::Ruleset;
use crate::rules::army_list::{Army, ArmyRuling, Fault, Key, ListFile, Shelf, judge, read_file};
use crate::session::lists::shelf_of;
use crate::text::{self, Wanted};
use anyhow::anyhow;
use clap::{Args, Subcommand};
use std::path::{Path, PathBuf};

/// Army lists: lists them, shows one, checks an army chosen from one, makes a roster.
#[derive(Debug, Args)]
pub struct ArmyArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Lists the army lists: those that ship, and those in your own folder.
    List(ListArgs),
    /// Shows one list.
    Show(ShowArgs),
    /// Checks an army against its list: everything that is wrong with it, clause by clause.
    Check(CheckArgs),
    /// Makes a roster: chooses from a list, gives names and tags.
    Roster(roster::RosterArgs),
}

#[derive(Debug, Args)]
struct Lists {
    /// A folder of your own army lists, each a file that ends in .ron. May be given more than once.
    #[arg(long, value_name = "DIR")]
    lists: Vec<PathBuf>,
}

#[derive(Debug, Args)]
struct ListArgs {
    #[command(flatten)]
    lists: Lists,
    /// One JSON object a list.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct ShowArgs {
    /// The list's key, such as `sample/1`.
    key: String,
    #[command(flatten)]
    lists: Lists,
    /// As a JSON object.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, Args)]
struct CheckArgs {
    /// A file that says an army, or the army itself: "sample/1: general 3Kn, 2x3Kn, ...".
    #[arg(required_unless_present = "roster", conflicts_with = "roster")]
    army: Option<String>,
    /// A roster to be checked instead.
    #[arg(long)]
    roster: Option<PathBuf>,
    /// The list that a roster is checked against, where the roster does not say it.
    #[arg(long, value_name = "KEY", requires = "roster")]
    list: Option<String>,
    #[command(flatten)]
    lists: Lists,
    /// Everything that holds as well.
    #[arg(long)]
    all: bool,
    /// One JSON object a finding.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Lists or an army that cannot be read, an army that is not legal, a roster that cannot be made.
pub fn run(args: &ArmyArgs) -> Result<(), Failure> {
    match &args.what {
        What::List(args) => {
            let shelf = args.lists.shelf()?;
            for list in shelf.lists() {
                say(if args.json { show::json(list).to_string() } else { show::line(list) });
            }
            let one_sided = shelf.one_sided();
            for (a, b) in one_sided {
                note!("groma: {a} names {b} as an enemy, and {b} does not name it (army-lists.enemy.1)");
            }
            Ok(())
        }
        What::Show(args) => {
            let shelf = args.lists.shelf()?;
            let key = key(&args.key)?;
            let list = shelf.list(&key).ok_or_else(|| unknown(&shelf, &key))?;
            let shown = if args.json { show::json(list).to_string() } else { show::whole(list, &shelf) };
            say(shown);
            Ok(())
        }
        What::Check(args) => {
            let shelf = args.lists.shelf()?;
            let (army, ruling) = match (&args.army, &args.roster) {
                (_, Some(path)) => of_roster(path, args.list.as_deref(), &shelf)?,
                (written, None) => {
                    let army = army(written.as_deref().unwrap_or_default())?;
                    let ruling = judge(&army, &shelf, &Ruleset::dba3());
                    (army, ruling)
                }
            };
            report(&ruling, args.all, args.json);
            if ruling.legal() {
                if !args.json {
                    say(format!("legal: {army}"));
                }
                return Ok(());
            }
            Err(Failure::Job(anyhow!("the army is not legal")))
        }
        What::Roster(args) => roster::run(args),
    }
}

/// A roster of one army, against its list.
fn of_roster(path: &Path, list: Option<&str>, shelf: &Shelf) -> Result<(Army, ArmyRuling), Failure> {
    let file = path.display().to_string();
    let read = text::read_file(path, Wanted::Roster).and_then(|text| parse_roster(&file, &text));
    let elements = read.map_err(|mistakes| Failure::Job(told(&[mistakes])))?;
    if elements.iter().any(|e| e.side != elements[0].side) {
        return Err(Failure::Use(format!("{file} has both sides: check each in a roster of its own")));
    }
    let said = list.or(elements.iter().find_map(|e| e.list.as_deref()));
    let written = said.ok_or_else(|| {
        Failure::Use(format!("{file} does not say its army list: name it, as `--list sample/1`"))
    })?;
    let key = key(written)?;
    let list = shelf.list(&key).ok_or_else(|| unknown(shelf, &key))?;
    judge_roster(&elements, list, shelf, &Ruleset::dba3())
        .map_err(|why| Failure::Job(anyhow!("{file}: {why}")))
}

fn report(ruling: &ArmyRuling, all: bool, json: bool) {
    let mut findings = ruling.findings.iter().filter(|f| all || json || !f.holds).peekable();
    while let Some(finding) = findings.next() {
        if json {
            say(serde_json::json!({
                "clause": finding.clause, "holds": finding.holds, "text": finding.text, "off_by": finding.off_by,
            }));
        } else {
            let mark = if finding.holds { "holds" } else { "FAULT" };
            let mut clauses = vec![finding.clause];
            // Two clauses that say the same are one line.
            while let Some(same) = findings.next_if(|f| f.text == finding.text && f.holds == finding.holds) {
                clauses.push(same.clause);
            }
            say(format!("{mark}  {}  ({})", finding.text, clauses.join(", ")));
        }
    }
}

fn key(written: &str) -> Result<Key, Failure> {
    Key::read(written)
        .map_err(|wrong| Failure::Use(format!("`{written}`: {wrong}; `groma army list` has the keys")))
}

fn unknown(shelf: &Shelf, key: &Key) -> Failure {
    let like = shelf.like(key);
    Failure::Use(format!(
        "no army list {key} is known{like}; `groma army list` has those that are, and `--lists DIR` adds your own"
    ))
}

impl Lists {
    /// The lists that ship and those of the folders.
    fn shelf(&self) -> Result<Shelf, Failure> {
        for folder in &self.lists {
            std::fs::read_dir(folder).map_err(|e| {
                let why = super::outputs::reason(&e);
                Failure::Use(format!("--lists {}: {why}; name a folder of army lists", folder.display()))
            })?;
        }
        shelf_of(&self.lists).map_err(|mistakes| Failure::Job(told(&mistakes)))
    }
}

/// An army: written out, or the file that says it.
fn army(written: &str) -> Result<Army, Failure> {
    let rules = Ruleset::dba3();
    let path = Path::new(written);
    let ron = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("ron"));
    if !ron {
        return Army::read(written, &rules).map_err(|faults| faulty(written, &faults));
    }
    let read = text::read_file(path, Wanted::ArmyList).and_then(|text| read_file(written, &text, &rules));
    match read {
        Ok(ListFile::Army(army)) => Ok(army),
        Ok(ListFile::List(list)) => Err(Failure::Use(format!(
            "{written} is the army list {}: name an army chosen from it, which has `take`",
            list.key
        ))),
        Err(mistakes) => Err(Failure::Job(told(&[mistakes]))),
    }
}

fn faulty(written: &str, faults: &[Fault]) -> Failure {
    let each: Vec<String> =
        faults.iter().map(|f| format!("column {}: {} ({})", f.at.column, f.message, f.clause)).collect();
    Failure::Use(format!("the army `{written}`:\n{}", each.join("\n")))
}
