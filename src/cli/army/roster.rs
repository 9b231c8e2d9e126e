//! `groma army roster`: a roster file from a list.

use super::super::inputs::{table_alone, told};
use super::super::outputs::{self, Kind, Output};
use super::{Failure, Lists, army, report, say, unknown};
use crate::judge::{
    Making, block_start, blocks, free_block, parse_roster, roster_text, tags_from, tags_needed,
};
use crate::rules::army_list::{Army, Camp, City, Completed, Key, complete, judge, muster};
use crate::rules::{Ruleset, Side};
use crate::text::{self, Wanted};
use crate::tracking::{Tag, TagFamily};
use crate::units::Scale;
use anyhow::anyhow;
use clap::Args;
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(super) struct RosterArgs {
    /// A list's key, an army, or a file that says one. What the list leaves no choice in need not be said:
    /// "sample/1: general Cv, LH, 3Cb, Ps".
    army: String,
    #[command(flatten)]
    lists: Lists,
    /// Whose army it is: red or blue.
    #[arg(long, default_value = "red")]
    side: String,
    /// The base width in millimetres.
    #[arg(long, default_value_t = 40.0, value_name = "MM")]
    base_width: f64,
    /// The tags' family.
    #[arg(long, default_value = "tag36h11")]
    family: TagFamily,
    /// Side of the tags' black squares in millimetres.
    #[arg(long, default_value_t = 12.0, value_name = "MM")]
    size: f64,
    /// Height of the tags' faces above their bases in millimetres.
    #[arg(long, default_value_t = 30.0, value_name = "MM")]
    height: f64,
    /// The army's block of 30 ids, from 1. The first that nobody else has, where it is left out: of red's from 1, of
    /// blue's from 2 on.
    #[arg(long, value_name = "NUMBER", conflicts_with = "first_id")]
    block: Option<u32>,
    /// The first id, instead of a block's.
    #[arg(long, value_name = "ID")]
    first_id: Option<u32>,
    /// Another army's roster, whose tags and names are not to be used again. May be given more than once.
    #[arg(long, value_name = "ROSTER")]
    beside: Vec<PathBuf>,
    /// The table, whose reference tags are not to be used.
    #[arg(long)]
    table: Option<PathBuf>,
    /// Where to write the roster.
    #[arg(long)]
    out: PathBuf,
}

pub(super) fn run(args: &RosterArgs) -> Result<(), Failure> {
    let rules = Ruleset::dba3();
    outputs::check(&[Output { option: "--out", path: &args.out, kind: Kind::Roster }])?;
    if args.out.exists() {
        return Err(Failure::Use(format!(
            "--out {}: it is there already, perhaps with what the jig measured; move it away, or name another file",
            args.out.display()
        )));
    }
    let side = match args.side.as_str() {
        "red" => Side::Red,
        "blue" => Side::Blue,
        other => return Err(Failure::Use(format!("--side {other}: red or blue"))),
    };
    let scale = Scale::new(args.base_width).filter(|s| (5.0..=300.0).contains(&s.mm_per_bw()));
    let scale =
        scale.ok_or_else(|| Failure::Use("--base-width is 5 to 300 mm; 40 and 60 are usual".to_owned()))?;
    if !(1.0..=1000.0).contains(&args.size) || !(-100.0..=1000.0).contains(&args.height) {
        return Err(Failure::Use("--size is 1 to 1000 mm, --height -100 to 1000 mm".to_owned()));
    }
    let shelf = args.lists.shelf()?;
    let wanted = match Key::read(&args.army) {
        Ok(list) => {
            Army { list, own: Vec::new(), contingents: Vec::new(), camp: Camp::Unsaid, city: City::None }
        }
        Err(_) => army(&args.army)?,
    };
    let list = shelf.list(&wanted.list).ok_or_else(|| unknown(&shelf, &wanted.list))?;
    let whole = match judge(&wanted, &shelf, &rules) {
        ruling if ruling.legal() => wanted,
        ruling => match complete(&wanted, list) {
            Completed::One(army) => army,
            // An army that is already too many, or of what the list has not, is told what is wrong with it.
            Completed::None => {
                report(&ruling, false, false);
                return Err(Failure::Job(anyhow!("the army is not legal, and no roster was written")));
            }
            Completed::Several(open) => {
                return Err(Failure::Use(format!(
                    "{} leaves a choice; say which, as in \"{}: general CODE, 2xCODE, ...\":\n  {}",
                    list.key,
                    list.key,
                    open.join("\n  ")
                )));
            }
        },
    };
    let all = muster(&whole, &shelf, &rules).map_err(|ruling| {
        report(&ruling, false, false);
        Failure::Job(anyhow!("the army is not legal, and no roster was written"))
    })?;
    let (used, taken_names) = others(args)?;
    let count = tags_needed(&all);
    let first = first_id(args, side, &used)?;
    let tags = tags_from(args.family, first, count, &used).map_err(|e| Failure::Use(e.to_string()))?;
    let making = Making { side, scale, size_mm: args.size, height_mm: args.height, taken_names };
    let text = roster_text(&whole, &all, &tags, &making, &rules);
    outputs::write(&[(args.out.as_path(), text.as_bytes())])?;
    let last = first + count - 1;
    say(format!("{whole}"));
    say(format!(
        "wrote {}: {} elements, {count} tags {} {first} to {last}",
        args.out.display(),
        all.len(),
        args.family
    ));
    Ok(())
}

fn first_id(args: &RosterArgs, side: Side, used: &BTreeSet<Tag>) -> Result<u32, Failure> {
    let fault = |e: crate::judge::IdsError| Failure::Use(e.to_string());
    if let Some(first) = args.first_id {
        return Ok(first);
    }
    let number = match args.block {
        Some(number) => number,
        None => {
            let mut used = used.clone();
            // Red's usual block stays free for red, where blue's roster is made first.
            if side == Side::Blue && blocks(args.family) > 1 {
                let start = block_start(args.family, 1).map_err(fault)?;
                used.insert(Tag::new(args.family, start));
            }
            free_block(args.family, &used).map_err(fault)?
        }
    };
    block_start(args.family, number).map_err(fault)
}

/// Tags and names that the table and other rosters have.
fn others(args: &RosterArgs) -> Result<(BTreeSet<Tag>, BTreeSet<String>), Failure> {
    let (mut used, mut names, mut mistakes) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
    if let Some(path) = &args.table {
        match table_alone(path) {
            Ok(table) => used.extend(table.reference.iter().map(|r| r.tag)),
            Err(found) => mistakes.push(found),
        }
    }
    for path in &args.beside {
        let read = text::read_file(path, Wanted::Roster)
            .and_then(|text| parse_roster(&path.display().to_string(), &text));
        match read {
            Ok(elements) => {
                used.extend(elements.iter().flat_map(|e| &e.tags).map(|t| t.tag));
                names.extend(elements.into_iter().map(|e| e.name));
            }
            Err(found) => mistakes.push(found),
        }
    }
    if mistakes.is_empty() { Ok((used, names)) } else { Err(Failure::Job(told(&mistakes))) }
}
