//! `groma setup`: the guided list before a battle: what has been done, what the rules say of it, and what is next.

use super::inputs::{table_alone, table_and_roster, told};
use super::outputs::{self, Kind, Output};
use super::rulings::SettingsArgs;
use super::{Failure, say};
use crate::drawing::{Situation, svg};
use crate::judge::{brought, exchanges_chosen, with_armies};
use crate::rules::ruleset::list;
use crate::rules::setting_up::deployment::{NEAR_SIDES_BW, SIDES_BW, zone};
use crate::rules::setting_up::report::{Report, report};
use crate::rules::setting_up::{BaseEdges, Told, Written};
use crate::rules::{Reason, Side};
use crate::session::lists::shelf_of;
use crate::text::{Wanted, read_file};
use anyhow::anyhow;
use serde_json::{Value, json};
use std::path::PathBuf;

/// Setting up, step by step: judges what a file says has been done (aggression, choice of terrain, quarter dice, each
/// feature as it lies, base edges, camps, deployment, landing forces), and says what is next and who does it.
///
/// Every fault is told with its clause and its millimetres.
#[derive(Debug, clap::Args)]
pub struct SetupArgs {
    /// A file of setting up.
    file: PathBuf,
    /// The table file: what lies on the table, in place of the file's own `table`.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A roster file: home terrain, aggression and each `//` come from its army list. May be given more than once.
    #[arg(long, value_name = "FILE")]
    roster: Vec<PathBuf>,
    /// A folder of your own army lists. May be given more than once.
    #[arg(long, value_name = "DIR", requires = "roster")]
    lists: Vec<PathBuf>,
    /// Also tell every condition that holds.
    #[arg(long)]
    reasons: bool,
    /// A drawing of the table with quarters or deployment zones.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// One JSON object.
    #[arg(long, conflicts_with = "reasons")]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be read, a drawing that cannot be written.
pub fn run(args: &SetupArgs) -> Result<(), Failure> {
    let text = read_file(&args.file, Wanted::SettingUp).map_err(anyhow::Error::from)?;
    let name = args.file.display().to_string();
    let mut written =
        Written::read(&name, &text).map_err(|problems| Failure::Job(anyhow!("{}", list(&problems))))?;
    if !args.settings.is_empty() {
        written.settings = args.settings.settings()?;
    }
    let lists = with_files(args, &name, &mut written)?;
    let found = report(&written).map_err(|why| Failure::Job(anyhow!("{name}: {why}")))?;
    if let Some(path) = &args.svg {
        outputs::check(&[Output { option: "--svg", path, kind: Kind::Drawing }])?;
        let drawing = drawn(&written, &found);
        outputs::write(&[(path.as_path(), drawing.as_bytes())])?;
    }
    if args.json {
        say(to_json(&written, &found, &lists));
    } else {
        tell(&written, &found, &lists, args.reasons);
    }
    Ok(())
}

/// What rosters and army lists add.
#[derive(Debug, Default)]
struct OfLists {
    /// What they say of what was done.
    reasons: Vec<(Side, Reason)>,
    /// What is left to say.
    open: Vec<String>,
}

/// Takes the table from its file, and home terrain, aggression and each `//` from rosters and their lists.
fn with_files(args: &SetupArgs, name: &str, written: &mut Written) -> Result<OfLists, Failure> {
    if let Some(path) = &args.table {
        if written.own_table {
            return Err(Failure::Use(format!(
                "{name} says what lies on the table, and --table does too: leave out one of the two"
            )));
        }
        let table = table_alone(path).map_err(|mistakes| Failure::Job(told(&[mistakes])))?;
        let setup = &mut written.setup;
        (setup.board_mm, setup.scale, setup.ground) = (table.board_mm, table.scale, table.ground);
    } else if !written.own_table {
        return Err(Failure::Use(format!(
            "{name} does not say what lies on the table: add `table` to it, or name the table file with --table"
        )));
    }
    if args.roster.is_empty() {
        return Ok(OfLists::default());
    }
    let (_, roster) = table_and_roster(args.table.as_deref(), &args.roster)?;
    let shelf = shelf_of(&args.lists).map_err(|mistakes| Failure::Job(told(&mistakes)))?;
    let (found, mut open) = brought(&roster, &shelf);
    let (mut reasons, unsaid) = with_armies(&found, &mut written.acts);
    open.extend(unsaid);
    reasons.extend(exchanges_chosen(&roster, &written.setup));
    Ok(OfLists { reasons, open })
}

fn line(reason: &Reason) -> String {
    let sign = if reason.holds { "✓" } else { "✗" };
    format!("    {sign} {}: {}", reason.clause, reason.text)
}

fn tell(written: &Written, found: &Report, lists: &OfLists, with_reasons: bool) {
    say(format!("{}    (settings: {})", written.name, written.settings.name()));
    for ruled in &found.acts {
        let sign = if ruled.reasons.iter().all(|r| r.holds) { "✓" } else { "✗" };
        say(format!("  {sign} {}: {}", ruled.by.word(), ruled.act.in_words()));
        for reason in ruled.reasons.iter().filter(|r| with_reasons || !r.holds) {
            say(line(reason));
        }
    }
    for (title, told) in [("terrain", &found.terrain), ("camps and deployment", &found.sides)] {
        if !told.is_empty() {
            say(title);
        }
        for one in told {
            tell_one(one, with_reasons);
        }
    }
    let of_lists = || lists.reasons.iter().filter(|(_, r)| with_reasons || !r.holds);
    if of_lists().next().is_some() {
        say("army lists");
    }
    for (side, reason) in of_lists() {
        let sign = if reason.holds { "✓" } else { "✗" };
        say(format!("  {sign} {}", side.word()));
        say(line(reason));
    }
    for text in zones(found) {
        say(text);
    }
    for words in &lists.open {
        say(format!("open: {words}"));
    }
    say(format!("next: {}", found.needs));
}

/// A feature, camp or element: what fails, else what is nearest to failing.
fn tell_one(told: &Told, with_reasons: bool) {
    let name = if told.name.is_empty() { "all together" } else { &told.name };
    let conditions = &told.terms.conditions;
    let tightest = conditions
        .iter()
        .filter(|r| r.holds)
        .filter_map(|r| Some((r.margin?.mm, r)))
        .min_by(|a, b| a.0.total_cmp(&b.0));
    let room = match tightest {
        Some((mm, reason)) if told.terms.met() => {
            format!(", {mm:.1} mm to spare at least ({}: {})", reason.clause, reason.text)
        }
        _ => String::new(),
    };
    say(format!("  {} {name}{room}", if told.terms.met() { "✓" } else { "✗" }));
    for reason in conditions.iter().filter(|r| with_reasons || !r.holds) {
        say(line(reason));
    }
}

/// Where each side may deploy, in words.
fn zones(found: &Report) -> Vec<String> {
    if found.edges.is_none() {
        return Vec::new();
    }
    let bw = found.table.scale.mm_per_bw();
    let span = |side: Side, off: f64| {
        zone(&found.table, BaseEdges::USUAL.of(side), off).map(|corners| {
            let low =
                corners.iter().fold((f64::INFINITY, f64::INFINITY), |a, p| (a.0.min(p.x), a.1.min(p.y)));
            let high = corners
                .iter()
                .fold((f64::NEG_INFINITY, f64::NEG_INFINITY), |a, p| (a.0.max(p.x), a.1.max(p.y)));
            format!("x {:.2} to {:.2}, y {:.2} to {:.2} BW", low.0 / bw, high.0 / bw, low.1 / bw, high.1 / bw)
        })
    };
    [Side::Red, Side::Blue]
        .into_iter()
        .filter_map(|side| {
            let (near, others) = (span(side, NEAR_SIDES_BW)?, span(side, SIDES_BW)?);
            let word = side.word();
            Some(format!("{word} deploys in {others}; Cavalry, Light Horse, Auxilia and Psiloi in {near}"))
        })
        .collect()
}

/// Every fault, then the conditions that are nearest to being one.
fn drawn(written: &Written, found: &Report) -> String {
    let mut reasons: Vec<Reason> = found.faults().into_iter().map(|(_, reason)| reason.clone()).collect();
    let failing = reasons.len();
    let mut others: Vec<&Reason> = found
        .terrain
        .iter()
        .chain(&found.sides)
        .flat_map(|told| &told.terms.conditions)
        .filter(|r| r.holds && r.margin.is_some())
        .collect();
    others.sort_by(|a, b| {
        let mm = |r: &Reason| r.margin.map_or(f64::INFINITY, |m| m.mm);
        mm(a).total_cmp(&mm(b))
    });
    reasons.extend(others.into_iter().take(6).cloned());
    let conditions = reasons.len();
    // Zones are drawn where a reason is about them.
    reasons.extend(zones(found).into_iter().map(|text| Reason::holds("dba3.dep.3", text)));
    let answer = match failing {
        0 => "no fault so far".to_owned(),
        1 => "one fault".to_owned(),
        n => format!("{n} faults"),
    };
    svg(&Situation {
        title: &written.name,
        question: &format!("next: {}", found.needs),
        answer: &answer,
        setup: &found.table,
        settings: &written.settings,
        moves: &[],
        after: None,
        outline: &[],
        reasons: &reasons,
        conditions,
    })
}

fn reason_json(reason: &Reason) -> Value {
    json!({
        "clause": reason.clause,
        "text": reason.text,
        "holds": reason.holds,
        "margin_mm": reason.margin.map(|m| (m.mm * 1000.0).round() / 1000.0 + 0.0),
    })
}

fn told_json(told: &Told) -> Value {
    let all = |reasons: &[Reason]| reasons.iter().map(reason_json).collect::<Vec<_>>();
    json!({
        "name": told.name,
        "legal": told.terms.met(),
        "conditions": all(&told.terms.conditions),
        "notes": all(&told.terms.notes),
    })
}

fn to_json(written: &Written, found: &Report, lists: &OfLists) -> Value {
    let rounded = |mm: f64| (mm * 1000.0).round() / 1000.0 + 0.0;
    let outline = |side: Side, off: f64| -> Option<Vec<[f64; 2]>> {
        found.edges?;
        let corners = zone(&found.table, BaseEdges::USUAL.of(side), off)?;
        Some(corners.iter().map(|p| [rounded(p.x), rounded(p.y)]).collect())
    };
    let zone_of = |side: Side| json!({"near_sides_mm": outline(side, NEAR_SIDES_BW), "others_mm": outline(side, SIDES_BW)});
    let acts: Vec<Value> = found
        .acts
        .iter()
        .map(|ruled| {
            let reasons: Vec<Value> = ruled.reasons.iter().map(reason_json).collect();
            json!({
                "by": ruled.by.word(),
                "act": ruled.act.in_words(),
                "legal": ruled.reasons.iter().all(|r| r.holds),
                "reasons": reasons,
            })
        })
        .collect();
    json!({
        "name": written.name,
        "under": &**written.settings.name(),
        "acts": acts,
        "terrain": found.terrain.iter().map(told_json).collect::<Vec<_>>(),
        "sides": found.sides.iter().map(told_json).collect::<Vec<_>>(),
        "zones": {"red": zone_of(Side::Red), "blue": zone_of(Side::Blue)},
        "lists": lists.reasons.iter().map(|(side, r)| json!({"side": side.word(), "reason": reason_json(r)})).collect::<Vec<_>>(),
        "open": lists.open,
        "faults": found.faults().len() + lists.reasons.iter().filter(|(_, r)| !r.holds).count(),
        "next": found.next.in_words(),
        "needs": found.needs,
    })
}
