//! `groma read`: every element's pose, sigma and visibility, frame by frame.

use super::watch::{Watch, WatchArgs};
use super::{Failure, say};
use crate::judge::{
    ElementReading, KnownContact, Measured, bent_mounts, known_contacts, read_elements, rounded,
};
use crate::rules::facts::{Fact, FactError};
use crate::rules::{Settings, notation};
use crate::tracking::Visibility;
use crate::vision::{Frame, Reading};
use anyhow::anyhow;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Prints every element's pose, sigma and visibility.
///
/// What stands after ± is one sigma: two readings in three are nearer the truth than that, and nearly all
/// are nearer than three times as much.
#[derive(Debug, clap::Args)]
pub struct ReadArgs {
    /// Pictures, folders of pictures, videos, streams' addresses, camera:N, or sim:SEED.
    #[arg(required = true, value_name = "SOURCE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    sources: Vec<String>,
    /// A contact that the players have agreed, such as "contact A E"; may be given more than once. It counts in each
    /// picture in which the two stand near it. Mounts that contradict several look bent, and are told.
    #[arg(long, value_name = "FACT")]
    agree: Vec<String>,
    #[command(flatten)]
    watch: WatchArgs,
    /// One JSON object a line.
    #[arg(long)]
    json: bool,
}

/// Runs the command. A frame that cannot be placed on the table is named and left out, and so is a
/// picture or a source that cannot be read; the others are still read.
///
/// # Errors
/// See [`Watch`]; and where a source had such a frame and cannot make up for it with a later one.
pub fn run(args: &ReadArgs) -> Result<(), Failure> {
    let facts = args.agree.iter().map(|text| {
        notation::read_fact(text).map_err(|why| Failure::Use(format!("--agree \"{text}\": {why}")))
    });
    let facts: Vec<Fact> = facts.collect::<Result<_, _>>()?;
    let watch = Watch::new(&args.watch, &args.sources)?;
    let mut looks: BTreeMap<String, Vec<KnownContact>> = BTreeMap::new();
    let mut lost = Vec::new();
    let mut unread = 0;
    for spec in &args.sources {
        let mut last: Option<(String, bool)> = None;
        let followed = watch.follow(spec, |frame, reading| {
            if let Err(why) = &reading.registration {
                note!("groma: {}: {}", frame.label, watch.misfit(why));
            }
            // Each photograph of a folder counts for itself; of a moving source the last frame does.
            let placed = reading.registration.is_ok();
            let is_new = last.as_ref().is_none_or(|(label, _)| *label != frame.label);
            if let Some((label, false)) = last.take().filter(|_| is_new) {
                lost.push(label);
            }
            last = Some((frame.label.clone(), placed));
            let elements = read_elements(&watch.roster, &reading.snapshot);
            if placed && !facts.is_empty() {
                let seen = Measured::of(&watch.table_as_seen(&reading.snapshot), &watch.roster, &elements);
                looks.insert(format!("{spec} {}", frame.label), contacts_in(&seen, &facts)?);
            }
            if args.json {
                print_json(frame, reading, &elements)
            } else {
                print_words(frame, reading, &elements)
            }
            Ok(())
        });
        match followed {
            Ok(pictures) => unread += pictures,
            // The others are still read.
            Err(Failure::Job(why)) if args.sources.len() > 1 => {
                note!("groma: {why:#}");
                unread += 1;
            }
            Err(failure) => return Err(failure),
        }
        lost.extend(last.filter(|(_, placed)| !placed).map(|(label, _)| label));
    }
    let contacts: Vec<KnownContact> = looks.into_values().flatten().collect();
    for bent in bent_mounts(&contacts) {
        if args.json { say(bent.to_json()) } else { say(format!("caution: {bent}")) }
    }
    let mut faults = Vec::new();
    match unread {
        0 => {}
        1 => faults.push("one picture or source could not be read".to_owned()),
        n => faults.push(format!("{n} pictures or sources could not be read")),
    }
    if !lost.is_empty() {
        faults.push(format!("the table was not found in {}", lost.join(", ")));
    }
    if faults.is_empty() { Ok(()) } else { Err(Failure::Job(anyhow!("{}", faults.join("; ")))) }
}

/// The agreed contacts that may hold as the table stands: a picture of another moment does not show them.
fn contacts_in(seen: &Measured, facts: &[Fact]) -> Result<Vec<KnownContact>, Failure> {
    let mut known = Vec::new();
    for fact in facts {
        match known_contacts(seen, &Settings::dba3(), std::slice::from_ref(fact)) {
            Ok(contacts) => known.extend(contacts),
            Err(FactError::TooFar { .. } | FactError::NoElement { .. }) => {}
            Err(why) => return Err(Failure::Job(why.into())),
        }
    }
    Ok(known)
}

/// `seen`, `covered`, `missing` or `gone`.
fn word(visibility: Visibility) -> &'static str {
    match visibility {
        Visibility::Seen => "seen",
        Visibility::Covered { .. } => "covered",
        Visibility::Missing => "missing",
        Visibility::Gone => "gone",
    }
}

fn print_json(frame: &Frame, reading: &Reading, elements: &[ElementReading]) {
    let held = reading.snapshot.held.map(|why| why.to_string());
    let changes: Vec<String> = reading.snapshot.changes.iter().map(ToString::to_string).collect();
    for element in elements {
        let pose = element.pose.as_ref();
        let cov = pose.map(|p| {
            let c = p.total_covariance();
            let row = |i| [c[(i, 0)], c[(i, 1)], c[(i, 2)]];
            [row(0), row(1), row(2)]
        });
        let age = match element.visibility {
            Visibility::Seen => Some(0.0),
            Visibility::Covered { age } => Some(age.as_secs_f64()),
            Visibility::Missing | Visibility::Gone => None,
        };
        let line: Value = json!({
            "frame": frame.seq,
            "captured_at": rounded(frame.captured_at.0.as_secs_f64(), 6),
            "name": element.name,
            "side": element.side,
            "visibility": word(element.visibility),
            "x_mm": pose.map(|p| rounded(p.pose.centre.x, 4)),
            "y_mm": pose.map(|p| rounded(p.pose.centre.y, 4)),
            "heading_deg": pose.map(|p| rounded(p.pose.heading.degrees(), 4)),
            "cov": cov,
            "age_s": age.map(|age| rounded(age, 3)),
            "source": frame.label,
            "held": held,
            "changes": changes,
        });
        say(&line);
    }
}

fn print_words(frame: &Frame, reading: &Reading, elements: &[ElementReading]) {
    let table = reading.registration.as_ref().map_or_else(
        |_| "table not found".to_owned(),
        |r| {
            format!(
                "{} of {} reference tags, {:.2} px off",
                r.reference_seen, r.reference_known, r.residual_px
            )
        },
    );
    say(format!("{}, frame {}: {table}", frame.label, frame.seq));
    let width = elements.iter().map(|e| e.name.chars().count()).max().unwrap_or(0);
    for element in elements {
        let place = element.pose.as_ref().map_or_else(String::new, |p| {
            format!(
                "  x {:7.1}  y {:7.1} mm ± {:.1}   heading {:6.1}° ± {:.1}",
                p.pose.centre.x,
                p.pose.centre.y,
                p.sigma_place_mm(),
                p.pose.heading.degrees(),
                p.sigma_heading_rad().to_degrees()
            )
        });
        let age = match element.visibility {
            Visibility::Covered { age } => format!("  {:.1} s old", age.as_secs_f64()),
            _ => String::new(),
        };
        say(format!("  {:width$}  {:7}{place}{age}", element.name, word(element.visibility)));
    }
}
