//! `groma replay`: a battle told and worked out again from its journal.

use super::{Failure, say};
use crate::session::engine::Engine;
use crate::session::journal::{Event, Found, Journal, Record, Timeline};
use crate::session::play::{Difference, Written, replay};
use crate::text::time_of;
use anyhow::{Context, anyhow};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Tells a battle from its journal, works every ruling out again, and says where it now comes out otherwise.
///
/// The journal alone is read: table, rosters and settings stand in it. It may be read while it is being written.
#[derive(Debug, clap::Args)]
pub struct ReplayArgs {
    /// The journal.
    #[arg(value_name = "FILE")]
    journal: PathBuf,
    /// One JSON object an entry, and one for the sum.
    #[arg(long)]
    json: bool,
    /// Of a damaged journal: writes the records before the damage to a new file, and tells those.
    #[arg(long, value_name = "NEW")]
    rescue: Option<PathBuf>,
}

/// Runs the command.
///
/// # Errors
/// No journal, or a damaged one; a ruling that comes out otherwise than it did.
pub fn run(args: &ReplayArgs) -> Result<(), Failure> {
    let found = match &args.rescue {
        None => Found::read(&args.journal).map_err(anyhow::Error::from)?,
        Some(new) => {
            let found = Found::read_whole_part(&args.journal).map_err(anyhow::Error::from)?;
            Journal::create(new, &found.records).map_err(anyhow::Error::from)?;
            note!("{} whole records written to {}", found.records.len(), new.display());
            found
        }
    };
    let name = args.journal.display();
    if let (Some(torn), Some(_)) = (&found.torn, &args.rescue) {
        note!(
            "{name}: line {} is damaged or torn. What stands from there on ({} bytes) builds on what is lost and is left out; \
             the file is left as it is",
            found.records.len() + 1,
            torn.bytes.len()
        );
    } else if let Some(torn) = &found.torn {
        note!(
            "{name}: the end was not written whole, or was changed since ({} bytes): it is left out",
            torn.bytes.len()
        );
    }
    let engine = Engine::of_opened(found.opened()).with_context(|| format!("{name}"))?;
    let counts: BTreeSet<u64> = Timeline::of(&found.records).line().into_iter().collect();
    for record in found.records.iter().filter(|r| counts.contains(&r.n)) {
        if let Event::Wrote(written) = &record.event {
            say(entry(record, written, args.json));
        }
    }
    let undone = found.records.len() - counts.len();
    let replayed = replay(engine, &found.records).with_context(|| format!("{name}"))?;
    for difference in &replayed.differences {
        say(told(difference, args.json));
    }
    let (records, compared, differ) = (found.records.len(), replayed.compared, replayed.differences.len());
    if args.json {
        say(json!({"records": records, "undone": undone, "compared": compared, "differ": differ}));
    } else {
        let undone = if undone == 0 { String::new() } else { format!(" ({undone} of them undone)") };
        let entries = if compared == 1 { "entry" } else { "entries" };
        say(format!(
            "{records} records{undone}; {compared} {entries} worked out again, {differ} otherwise than they were"
        ));
    }
    match differ {
        0 => Ok(()),
        _ => Err(Failure::Job(anyhow!(
            "{name}: {differ} entries come out otherwise than they did, by version {} then and {} now; see CHANGELOG.md for rulings that have changed",
            found.opened().groma,
            env!("CARGO_PKG_VERSION")
        ))),
    }
}

fn entry(record: &Record, written: &Written, as_json: bool) -> String {
    let Written { kind, words, under } = written;
    match as_json {
        true => {
            json!({"n": record.n, "at_ms": record.at_ms, "kind": kind.word(), "words": words, "under": under})
                .to_string()
        }
        false => format!("{}  {}: {words}", time_of(record.at_ms), kind.word()),
    }
}

fn told(difference: &Difference, as_json: bool) -> String {
    let was = difference.was.as_ref();
    let now = difference.now.as_ref();
    let words = |written: Option<&Written>| written.map_or(Value::Null, |w| json!(w.words));
    if as_json {
        let n = was.map_or(Value::Null, |(n, _)| json!(n));
        return json!({"n": n, "was": words(was.map(|(_, w)| w)), "now": words(now)}).to_string();
    }
    let line = |written: Option<&Written>| {
        written.map_or("nothing".to_owned(), |w| format!("{}: {}", w.kind.word(), w.words))
    };
    let n = was.map_or("after the end".to_owned(), |(n, _)| format!("record {n}"));
    format!("otherwise, {n}\n  was  {}\n  now  {}", line(was.map(|(_, w)| w)), line(now))
}
