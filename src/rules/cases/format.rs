//! The case file's form: what stands in one, read and checked.

use super::Asked;
use crate::rules::clauses::Catalogue;
use crate::rules::combat::Conditions;
use crate::rules::ruleset::{DataFile, Fate, Placed, Problem};
use crate::rules::victory::Places;
use crate::text::{Position, did_you_mean};
use serde::Deserialize;
use std::collections::BTreeMap;

/// Yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Verdict {
    /// It holds.
    Yes,
    /// It does not.
    No,
}

impl Verdict {
    /// Yes where it holds.
    pub fn of(holds: bool) -> Self {
        if holds { Self::Yes } else { Self::No }
    }

    /// `yes` or `no`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
        }
    }
}

/// One case. `docs/cases.md` describes every field.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What it shows.
    pub name: String,
    /// The elements in short notation.
    #[serde(default)]
    pub setup: String,
    /// Terrain in short notation, a feature a line or parted by `;`. Empty: a bare table.
    #[serde(default)]
    pub ground: String,
    /// The bound in short notation: whose, its number, PIPs. Empty: nothing is known of it.
    #[serde(default)]
    pub bound: String,
    /// What the players have agreed, in short notation; it outranks what is measured.
    #[serde(default)]
    pub facts: Vec<String>,
    /// The preset: `printed` or `community`. Empty: `printed`.
    #[serde(default)]
    pub preset: String,
    /// Settings that differ from the preset.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// What the bases do not show.
    #[serde(default)]
    pub conditions: Conditions,
    /// What became of each side's camp and City, red's first.
    #[serde(default)]
    pub places: (Places, Places),
    /// The question.
    pub ask: Asked,
    /// Totals of a combat, dice included.
    #[serde(default)]
    pub totals: Option<(i32, i32)>,
    /// Fates of a combat.
    #[serde(default)]
    pub fates: Option<(Fate, Fate)>,
    /// What a move costs, all of them together where there are several.
    #[serde(default)]
    pub pips: Option<u8>,
    /// The moves that what was seen is explained by, in any order, in the notation of moves.
    #[serde(default)]
    pub explained: Option<Vec<String>>,
    /// What would make a move legal: one of the remedies that the engine names has these words.
    #[serde(default)]
    pub remedy: Option<String>,
    /// Where elements come to stand at the end of movement, in short notation, to a thousandth of a
    /// millimetre and of a degree. Those not named are not checked.
    #[serde(default)]
    pub ends: Option<String>,
    /// The elements that are lost, all of them, in any order.
    #[serde(default)]
    pub lost: Option<Vec<String>>,
    /// Whether the answer is yes.
    pub verdict: Verdict,
    /// The margin, to a thousandth of a millimetre.
    #[serde(default)]
    pub margin_mm: Option<f64>,
    /// The clauses that it covers.
    pub clauses: Vec<String>,
    /// The same under other settings.
    #[serde(default)]
    pub under: Vec<Under>,
    /// The settings of which another choice turns the verdict. Where it is given, no other setting may.
    #[serde(default)]
    pub turned_by: Option<Vec<String>>,
    /// Why it is known to fail. A case that passes though it says this is an error.
    #[serde(default)]
    pub fails_because: Option<String>,
}

/// What a case comes to under other settings. What is not given is as in the case itself.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Under {
    /// The settings that differ from the case's.
    pub settings: BTreeMap<String, String>,
    /// Whether the answer is yes.
    pub verdict: Verdict,
    /// The margin, to a thousandth of a millimetre; not checked where it is not given.
    #[serde(default)]
    pub margin_mm: Option<f64>,
    /// What a move costs; not checked where it is not given.
    #[serde(default)]
    pub pips: Option<u8>,
    /// Where elements come to stand; not checked where it is not given.
    #[serde(default)]
    pub ends: Option<String>,
    /// The elements that are lost; not checked where they are not given.
    #[serde(default)]
    pub lost: Option<Vec<String>>,
    /// The clauses that it covers: the setting's own, mostly.
    #[serde(default)]
    pub clauses: Vec<String>,
}

impl Case {
    /// The case itself, and one more for each of `under`, with its own settings and expectations.
    pub fn variants(&self) -> Vec<Self> {
        let plain = Self { under: Vec::new(), ..self.clone() };
        let other = |under: &Under| {
            let words = under.settings.iter().map(|(id, word)| format!("{id}={word}")).collect::<Vec<_>>();
            let mut settings = self.settings.clone();
            settings.extend(under.settings.clone());
            Self {
                name: format!("{}, {}", self.name, words.join(", ")),
                settings,
                verdict: under.verdict,
                margin_mm: under.margin_mm,
                pips: under.pips,
                clauses: under.clauses.clone(),
                explained: None,
                ends: under.ends.clone(),
                lost: under.lost.clone(),
                remedy: None,
                turned_by: None,
                ..plain.clone()
            }
        };
        std::iter::once(plain.clone()).chain(self.under.iter().map(other)).collect()
    }
}

/// A file of cases.
#[derive(Debug, Clone, PartialEq)]
pub struct CaseFile {
    /// The ruleset that they are about.
    pub ruleset: String,
    /// The cases.
    pub cases: Vec<Case>,
}

impl CaseFile {
    /// Reads a case file and checks that it has cases and that each clause is known.
    ///
    /// # Errors
    /// Every problem, with line and column.
    pub fn read(name: &str, text: &str, catalogue: &Catalogue) -> Result<Self, Vec<Problem>> {
        let (file, problems) = Self::read_sound(name, text, catalogue);
        match file {
            Some(file) if problems.is_empty() => Ok(file),
            _ => Err(problems),
        }
    }

    /// Reads what is sound of a case file, none where it has no case that is, and tells every problem of the rest, with
    /// line and column.
    pub fn read_sound(name: &str, text: &str, catalogue: &Catalogue) -> (Option<Self>, Vec<Problem>) {
        let mut file = DataFile::read(name, text);
        let ruleset: Option<String> = file.one("ruleset");
        let cases: Vec<Placed<Case>> = file.rows("cases");
        if cases.is_empty() {
            file.note(Position::START, "the file has no case that can be read".to_owned());
        }
        let mut sound = Vec::new();
        for Placed { at, value: case } in cases {
            let mut wrong = Vec::new();
            if case.clauses.is_empty() {
                wrong.push(format!("`{}` covers no clause", case.name));
            }
            let all = case.clauses.iter().chain(case.under.iter().flat_map(|under| &under.clauses));
            for id in all.filter(|id| catalogue.clause(id).is_none()) {
                let near = did_you_mean(id, catalogue.iter().map(|(_, clause)| clause.id.as_str()));
                wrong.push(format!("`{}` covers `{id}`, which is not in the catalogue{near}", case.name));
            }
            if wrong.is_empty() {
                sound.push(case);
            }
            for message in wrong {
                file.note(at, message);
            }
        }
        let problems = file.finish();
        let ruleset = ruleset.filter(|_| !sound.is_empty());
        (ruleset.map(|ruleset| Self { ruleset, cases: sound }), problems)
    }
}
