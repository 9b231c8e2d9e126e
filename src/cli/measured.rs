//! The table that a command judges: a picture's or another source's, or a written setup.

use super::{Failure, say};
use crate::judge::{KnownContact, Measured, known_contacts};
use crate::rules::check::{lonely, misfits, oddities};
use crate::rules::facts::Fact;
use crate::rules::{Ruleset, Settings, notation};
use crate::text::{Wanted, read_file};
use anyhow::anyhow;
use serde_json::json;
use std::path::Path;

/// Where the table comes from.
#[derive(Debug, clap::Args)]
pub struct FromArgs {
    /// A written setup, or a file with one, in place of a source; its poses are taken as exact.
    #[arg(long, value_name = "SETUP", conflicts_with = "what")]
    #[cfg_attr(feature = "vision", arg(conflicts_with_all = ["table", "roster", "lens", "frames"]))]
    pub setup: Option<String>,
    /// A fact that the players have agreed, such as "contact A E" or "outside-zone A E"; may be given more
    /// than once.
    #[arg(long, value_name = "FACT")]
    pub agree: Vec<String>,
    /// How a source is watched.
    #[cfg(feature = "vision")]
    #[command(flatten)]
    pub watch: super::watch::WatchArgs,
}

impl FromArgs {
    /// The table that the one source shows, or the written setup, with what was agreed and battle lines joined; and
    /// the contacts that were agreed. Those elements must be on it that `names` has.
    ///
    /// # Errors
    /// No source or several, one that cannot be read, or facts that cannot be.
    pub fn read(
        &self,
        sources: &[String],
        names: &[String],
        settings: &Settings,
    ) -> Result<(Measured, Vec<KnownContact>), Failure> {
        let facts = self.agree.iter().map(|text| {
            notation::read_fact(text).map_err(|why| Failure::Use(format!("--agree \"{text}\": {why}")))
        });
        let facts: Vec<Fact> = facts.collect::<Result<_, _>>()?;
        let measured = match (sources, &self.setup) {
            (_, Some(setup)) => written(setup, settings.ruleset())?,
            ([source], None) => from_source(self, source, names)?,
            ([], None) => return Err(Failure::Use("name a source, or --setup SETUP".to_owned())),
            (several, None) => {
                return Err(Failure::Use(format!(
                    "one source is judged, and {} are named: {}",
                    several.len(),
                    several.join(", ")
                )));
            }
        };
        let contacts = known_contacts(&measured, settings, &facts).map_err(anyhow::Error::from)?;
        let agreed = measured.agreed(settings, &facts).map_err(anyhow::Error::from)?;
        Ok((agreed.in_lines(settings), contacts))
    }

    /// Says what is odd about a table, as lines of text or of JSON: of a written setup whatever no table shows, of a
    /// source bases that are not as wide as the table's base width says.
    ///
    /// # Errors
    /// A setup that cannot be read.
    pub fn remark(&self, measured: &Measured, settings: &Settings, as_json: bool) -> Result<(), Failure> {
        if let Some(setup) = &self.setup {
            let table = written(setup, settings.ruleset())?;
            let odd = oddities(&table.setup, &settings.tolerances).into_iter();
            odd.for_each(|odd| remark(&format!("{odd}; the rulings take it as it is written"), as_json));
        } else {
            misfits(&measured.setup).iter().for_each(|misfit| remark(misfit, as_json));
        }
        Ok(())
    }
}

/// Says so where nobody is on the board, or one side alone.
pub fn alone(measured: &Measured, as_json: bool) {
    lonely(&measured.setup).iter().for_each(|why| remark(why, as_json));
}

fn remark(text: &str, as_json: bool) {
    if as_json { say(json!({"remark": text})) } else { say(format!("remark: {text}")) }
}

#[cfg(not(feature = "vision"))]
fn from_source(_from: &FromArgs, source: &str, _names: &[String]) -> Result<Measured, Failure> {
    Err(Failure::Use(format!(
        "{source}: this program was built without eyes, so it judges written setups and cases alone; name --setup SETUP"
    )))
}

/// A written setup, or the one in a file.
fn written(setup: &str, ruleset: &Ruleset) -> Result<Measured, Failure> {
    let path = Path::new(setup);
    let looks_like_a_file = path.exists() || (!setup.contains(char::is_whitespace) && setup.contains('.'));
    let (name, text) = if looks_like_a_file {
        (setup, read_file(path, Wanted::Setup).map_err(anyhow::Error::from)?)
    } else {
        ("setup", setup.to_owned())
    };
    let setup = notation::read_setup(&text, ruleset).map_err(|mistakes| {
        let list = mistakes
            .iter()
            .map(|m| format!("{name}:{}:{}: expected {}, found {}", m.line, m.column, m.expected, m.found));
        Failure::Job(anyhow!("{}", list.collect::<Vec<_>>().join("\n")))
    })?;
    Ok(Measured::exact(setup))
}

#[cfg(feature = "vision")]
fn from_source(from: &FromArgs, source: &str, names: &[String]) -> Result<Measured, Failure> {
    use crate::judge::{Absence, read_elements};
    use crate::text::did_you_mean;
    let watch = super::watch::Watch::new(&from.watch, &[source.to_owned()])?;
    for name in names {
        if watch.roster.element(name).is_none() {
            let known = watch.roster.elements().iter().map(|e| e.name.as_str());
            let near = did_you_mean(name, known);
            return Err(Failure::Job(anyhow!("no roster names an element \"{name}\"{near}")));
        }
    }
    let mut last = None;
    let unread = watch.follow(source, |frame, reading| {
        let placed = reading.registration.as_ref().map(|_| ()).map_err(|why| watch.misfit(why));
        let held = reading.snapshot.held;
        let elements = read_elements(&watch.roster, &reading.snapshot);
        let table = watch.table_as_seen(&reading.snapshot);
        last = Some((frame.label.clone(), placed, held, (elements, table)));
        Ok(())
    })?;
    // Which picture is the last is in doubt where one cannot be read.
    if unread > 0 {
        return Err(Failure::Job(anyhow!(
            "{source}: not judged, for {unread} of its pictures could not be read: name one picture"
        )));
    }
    let (label, placed, held, (readings, table)) =
        last.ok_or_else(|| anyhow!("{source}: there is no frame in it"))?;
    placed.map_err(|why| anyhow!("{label}: {why}"))?;
    for reading in readings.iter().filter(|r| names.contains(&r.name)) {
        let why = match Measured::absence(&table, &watch.roster, &readings, reading) {
            None => continue,
            Some(Absence::NeverSeen) => {
                "no tag of it is seen: it is covered, too small, or not in the picture"
            }
            Some(Absence::Gone) => "it was last seen too long ago",
            Some(Absence::OffTable) => {
                "its tag lies beside the board: put it on the table, or count it as lost"
            }
            Some(Absence::NotInPlay) => "the roster says that it is not in play: change its location",
            Some(Absence::Exchanged) => "the other side of its `//` pair is seen on the table, and counts",
        };
        return Err(Failure::Job(anyhow!("{label}: \"{}\" cannot be judged: {why}", reading.name)));
    }
    let measured = Measured::of(&table, &watch.roster, &readings);
    if names.is_empty() {
        let absent = readings.iter().filter(|reading| {
            let why = Measured::absence(&table, &watch.roster, &readings, reading);
            matches!(why, Some(Absence::NeverSeen | Absence::Gone))
        });
        let absent: Vec<&str> = absent.map(|reading| reading.name.as_str()).collect();
        if measured.setup.elements.is_empty() {
            return Err(Failure::Job(anyhow!(
                "{label}: no element of the roster is seen: check its tags' family, ids and sizes, and that they are in the picture"
            )));
        }
        if !absent.is_empty() {
            note!("{label}: not seen, so not judged: {}", absent.join(", "));
        }
    }
    Ok(measured.held_for(held))
}
