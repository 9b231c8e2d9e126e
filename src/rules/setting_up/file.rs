//! A written setting up: the table, and what both sides have done so far, in order. `docs/formats.md` describes every
//! field.
//!
//! Invariant: what [`Written::text`] writes, [`Written::read`] reads back to the same, poses within what the notation keeps.

use super::order::Act;
use crate::rules::ruleset::{DataFile, Placed, Problem};
use crate::rules::terrain::BoardEdge;
use crate::rules::written::Head;
use crate::rules::{Ruleset, Settings, Setup, Side, notation};
use serde::{Deserialize, Serialize};

/// A setting up as it is written.
#[derive(Debug, Clone)]
pub struct Written {
    /// What it is called.
    pub name: String,
    /// The settings that it is judged under.
    pub settings: Settings,
    /// The edge at which the defender stands while he places terrain, from which quarters are numbered.
    pub seat: BoardEdge,
    /// What lies and stands on the table, as it lies when terrain is placed.
    pub setup: Setup,
    /// Whether the file says what lies on the table: one that does not takes it from a table file.
    pub own_table: bool,
    /// What has been done.
    pub acts: Vec<(Side, Act)>,
}

/// One act of a file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct Line(Side, Act);

impl Written {
    /// Reads a file of setting up.
    ///
    /// # Errors
    /// Every problem, with line and column; one of the table with those of its own text.
    pub fn read(name: &str, text: &str) -> Result<Self, Vec<Problem>> {
        let mut file = DataFile::read(name, text);
        let Head { name: title, settings } = Head::read(&mut file);
        let seat: BoardEdge = file.one_if_any("seat").unwrap_or_default();
        let lines: Option<String> = file.one_if_any("table");
        let acts: Vec<Placed<Line>> = file.rows_if_any("acts");
        for line in &acts {
            let Act::Choose(must, may) = &line.value.1 else { continue };
            let names: Vec<&str> = must.iter().chain(may).map(|(name, _)| name.as_str()).collect();
            let twice = |n: &usize| names[..*n].contains(&names[*n]);
            for n in (0..names.len()).filter(twice) {
                let name = names[n];
                file.note(line.at, format!("two features are called `{name}`: give each its own name"));
            }
        }
        let mut setup = None;
        match notation::read_setup(lines.as_deref().unwrap_or_default(), &Ruleset::dba3()) {
            Ok(found) => setup = Some(found),
            Err(errors) => {
                errors.iter().for_each(|e| file.note_field("table", format!("of the table, {e}")));
            }
        }
        let problems = file.finish();
        match (title, settings, setup) {
            (Some(name), Some(settings), Some(setup)) if problems.is_empty() => {
                let acts = acts.into_iter().map(|line| (line.value.0, line.value.1)).collect();
                Ok(Self { name, settings, seat, setup, own_table: lines.is_some(), acts })
            }
            _ => Err(problems),
        }
    }

    /// The file of it, with what lies and stands on the table.
    pub fn text(&self) -> String {
        let settings = &self.settings;
        let changes = settings.changes();
        let mut text = format!("(\n    schema: 1,\n    name: {},\n", quoted(&self.name));
        text.push_str(&format!("    ruleset: {},\n", quoted(settings.ruleset().id())));
        text.push_str(&format!("    preset: {},\n", quoted(settings.preset_of().word())));
        if !changes.is_empty() {
            let all = changes.iter().map(|(id, word)| format!("{}: {}", quoted(id), quoted(word)));
            text.push_str(&format!("    settings: {{{}}},\n", all.collect::<Vec<_>>().join(", ")));
        }
        text.push_str(&format!("    seat: {},\n", ron_of(&self.seat)));
        text.push_str(&format!("    table: {},\n    acts: [\n", quoted(&notation::write_setup(&self.setup))));
        for line in &self.acts {
            text.push_str(&format!("        {},\n", ron_of(line)));
        }
        text.push_str("    ],\n)\n");
        text
    }
}

fn ron_of<T: Serialize>(value: &T) -> String {
    ron::to_string(value).expect("names, numbers and lists of them can be written")
}

/// A text as a file has it; a new line in it stays one.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
