//! `groma army roster`: a roster file from a list.

use super::super::inputs::{table_alone, told};
use super::super::outputs::{self, Kind, Output};
use super::{Failure, Lists, army, report, say, unknown};
use crate::judge::{Begin, Others, RaiseError, Raising, parse_roster, raise};
use crate::rules::army_list::{Army, Camp, City, Completed, Key, complete, judge};
use crate::rules::{Ruleset, Side};
use crate::text::{self, Wanted};
use crate::tracking::{Tag, TagFamily};
use crate::units::Scale;
use anyhow::anyhow;
use clap::Args;
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
    let raising = Raising {
        side,
        scale,
        family: args.family,
        size_mm: args.size,
        height_mm: args.height,
        begin: match (args.first_id, args.block) {
            (Some(first), _) => Begin::Id(first),
            (None, Some(number)) => Begin::Block(number),
            (None, None) => Begin::Free,
        },
    };
    let raised = raise(&whole, &shelf, &rules, &raising, &others(args)?).map_err(|error| match error {
        RaiseError::NotLegal(ruling) => {
            report(&ruling, false, false);
            Failure::Job(anyhow!("the army is not legal, and no roster was written"))
        }
        RaiseError::Ids(error) => Failure::Use(error.to_string()),
    })?;
    outputs::write(&[(args.out.as_path(), raised.text.as_bytes())])?;
    say(format!("{whole}"));
    let ids = |tag: Option<&Tag>| tag.map_or(0, |tag| tag.id);
    say(format!(
        "wrote {}: {} elements, {} tags {} {} to {}",
        args.out.display(),
        raised.elements.len(),
        raised.tags.len(),
        args.family,
        ids(raised.tags.first()),
        ids(raised.tags.last())
    ));
    Ok(())
}

/// Tags and names that the table and other rosters have.
fn others(args: &RosterArgs) -> Result<Others, Failure> {
    let (mut others, mut mistakes) = (Others::default(), Vec::new());
    if let Some(path) = &args.table {
        match table_alone(path) {
            Ok(table) => others.table(&table),
            Err(found) => mistakes.push(found),
        }
    }
    for path in &args.beside {
        let read = text::read_file(path, Wanted::Roster)
            .and_then(|text| parse_roster(&path.display().to_string(), &text));
        match read {
            Ok(elements) => others.roster(&elements),
            Err(found) => mistakes.push(found),
        }
    }
    if mistakes.is_empty() { Ok(others) } else { Err(Failure::Job(told(&mistakes))) }
}
