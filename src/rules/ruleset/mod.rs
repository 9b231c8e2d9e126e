//! A ruleset as data: troop types, support, outcomes, settings, read from `rulesets/<id>/`.
//!
//! Invariants of a [`Ruleset`] that was read: codes are unique; every code, clause id and setting that
//! a row names exists; every default is one of its choices. Data chooses among closed cases and holds
//! no program. All problems of all files are reported at once, with line and column.

mod outcome;
mod problem;
mod setting;
mod support;
mod troop;

pub use outcome::{Band, Fate, Going, Outcomes, Row, When};
pub use problem::{Problem, list, read};
pub use setting::{ChoiceSetting, NumberSetting};
pub use support::{Place, Support, Tactic, Tactical};
pub use troop::{Arm, Depths, Factors, Kind, Mark, Retired, Troop, Which};

use super::clauses::Catalogue;
use super::settings::{NUMBERS, TYPED, means_something};
use serde::Deserialize;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

/// The one schema that this program reads.
const SCHEMA: u32 = 1;

/// The texts of a ruleset's files, with the names that its problems carry.
#[derive(Debug, Clone, Copy)]
pub struct Files<'a> {
    /// Troop types.
    pub troops: (&'a str, &'a str),
    /// Support table.
    pub support: (&'a str, &'a str),
    /// Outcome table.
    pub outcomes: (&'a str, &'a str),
    /// Settings.
    pub settings: (&'a str, &'a str),
}

const DBA3: Files<'static> = Files {
    troops: ("rulesets/dba3/troops.ron", include_str!("../../../rulesets/dba3/troops.ron")),
    support: ("rulesets/dba3/support.ron", include_str!("../../../rulesets/dba3/support.ron")),
    outcomes: ("rulesets/dba3/outcomes.ron", include_str!("../../../rulesets/dba3/outcomes.ron")),
    settings: ("rulesets/dba3/settings.ron", include_str!("../../../rulesets/dba3/settings.ron")),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TroopFile {
    schema: u32,
    ruleset: String,
    title: String,
    troops: Vec<Troop>,
    #[serde(default)]
    retired: Vec<Retired>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SupportFile {
    schema: u32,
    support: Vec<Support>,
    tactical: Vec<Tactical>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OutcomeFile {
    schema: u32,
    outcomes: Outcomes,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SettingFile {
    schema: u32,
    choices: Vec<ChoiceSetting>,
    numbers: Vec<NumberSetting>,
}

/// An edition's or variant's data.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruleset {
    id: String,
    title: String,
    troops: Vec<Troop>,
    retired: Vec<Retired>,
    by_code: HashMap<String, usize>,
    support: Vec<Support>,
    tactical: Vec<Tactical>,
    outcomes: Outcomes,
    choices: Vec<ChoiceSetting>,
    numbers: Vec<NumberSetting>,
}

impl Ruleset {
    /// DBA 3.0, embedded; read once.
    pub fn dba3() -> Arc<Self> {
        static LOADED: LazyLock<Arc<Ruleset>> = LazyLock::new(|| {
            Arc::new(Ruleset::read(&DBA3, Catalogue::embedded()).unwrap_or_else(|problems| {
                panic!("the embedded ruleset is tested to be sound: {}", list(&problems))
            }))
        });
        Arc::clone(&LOADED)
    }

    /// Reads a ruleset and checks that its parts fit each other and the catalogue.
    ///
    /// # Errors
    /// Every problem of every file.
    pub fn read(files: &Files<'_>, catalogue: &Catalogue) -> Result<Self, Vec<Problem>> {
        let mut problems = Vec::new();
        let troops: Option<TroopFile> = keep(read(files.troops.0, files.troops.1), &mut problems);
        let support: Option<SupportFile> = keep(read(files.support.0, files.support.1), &mut problems);
        let outcomes: Option<OutcomeFile> = keep(read(files.outcomes.0, files.outcomes.1), &mut problems);
        let settings: Option<SettingFile> = keep(read(files.settings.0, files.settings.1), &mut problems);
        let schemas = [
            (files.troops, troops.as_ref().map(|f| f.schema)),
            (files.support, support.as_ref().map(|f| f.schema)),
            (files.outcomes, outcomes.as_ref().map(|f| f.schema)),
            (files.settings, settings.as_ref().map(|f| f.schema)),
        ];
        for ((name, text), schema) in schemas {
            if let Some(schema) = schema.filter(|&s| s != SCHEMA) {
                let message = format!("schema {schema} is not known; this program reads schema {SCHEMA}");
                problems.push(Problem::at(name, text, "schema", message));
            }
        }
        let mut by_code = HashMap::new();
        for (at, troop) in troops.iter().flat_map(|f| &f.troops).enumerate() {
            check_troop(troop, files.troops, catalogue, &mut problems);
            if by_code.insert(troop.code.clone(), at).is_some() {
                let what = format!("code: \"{}\"", troop.code);
                let message = format!("the code `{}` is given twice", troop.code);
                problems.push(Problem::at_nth(files.troops.0, files.troops.1, &what, 1, message));
            }
        }
        let known =
            Known { catalogue, codes: troops.is_some().then_some(&by_code), settings: settings.as_ref() };
        if let Some(file) = &support {
            for row in &file.support {
                known.clause(files.support, &row.clause, &mut problems);
                for which in [&row.receiver, &row.giver, &row.against] {
                    known.codes(files.support, which, &mut problems);
                }
            }
        }
        if let Some(file) = &support {
            check_tactical(file, files.support, &known, &mut problems);
        }
        if let Some(file) = &outcomes {
            for (_, row) in file.outcomes.all() {
                known.row(files.outcomes, row, &mut problems);
            }
        }
        if let Some(file) = &settings {
            check_settings(file, files.settings, &known, &mut problems);
        }
        match (troops, support, outcomes, settings) {
            (Some(troops), Some(support), Some(outcomes), Some(settings)) if problems.is_empty() => {
                Ok(Self {
                    id: troops.ruleset,
                    title: troops.title,
                    troops: troops.troops,
                    retired: troops.retired,
                    by_code,
                    support: support.support,
                    tactical: support.tactical,
                    outcomes: outcomes.outcomes,
                    choices: settings.choices,
                    numbers: settings.numbers,
                })
            }
            _ => Err(problems),
        }
    }

    /// Its id, the name of its folder.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// The troop type of that code.
    pub fn troop(&self, code: &str) -> Option<&Troop> {
        self.by_code.get(code).map(|&at| &self.troops[at])
    }

    /// What became of a code that earlier editions had.
    pub fn retired(&self, code: &str) -> Option<&Retired> {
        self.retired.iter().find(|r| r.code == code)
    }

    /// Every troop type, in the file's order.
    pub fn troops(&self) -> &[Troop] {
        &self.troops
    }

    /// The support table.
    pub fn support(&self) -> &[Support] {
        &self.support
    }

    /// A tactical factor's figure.
    pub fn tactical(&self, what: Tactic) -> &Tactical {
        self.tactical.iter().find(|t| t.what == what).expect("a read ruleset has every tactical factor")
    }

    /// The outcome table.
    pub fn outcomes(&self) -> &Outcomes {
        &self.outcomes
    }

    /// Settings that are words.
    pub fn choice_settings(&self) -> &[ChoiceSetting] {
        &self.choices
    }

    /// Settings that are numbers.
    pub fn number_settings(&self) -> &[NumberSetting] {
        &self.numbers
    }
}

fn keep<T>(read: Result<T, Vec<Problem>>, problems: &mut Vec<Problem>) -> Option<T> {
    read.map_err(|found| problems.extend(found)).ok()
}

fn check_troop(
    troop: &Troop,
    (name, text): (&str, &str),
    catalogue: &Catalogue,
    problems: &mut Vec<Problem>,
) {
    let at = format!("code: \"{}\"", troop.code);
    let mut wrong = |message: String| problems.push(Problem::at(name, text, &at, message));
    for id in troop.clauses.iter().chain([&troop.factor_clause, &troop.depth.clause]) {
        if catalogue.clause(id).is_none() {
            wrong(format!("`{}` cites the clause `{id}`, which is not in the catalogue", troop.code));
        }
    }
    for (least, most) in [troop.depth.small, troop.depth.large] {
        if !(least > 0.0 && least <= most && most.is_finite()) {
            wrong(format!(
                "`{}` has the depths {least} to {most}; expected 0 < least <= greatest",
                troop.code
            ));
        }
    }
}

/// What rows may name.
struct Known<'a> {
    catalogue: &'a Catalogue,
    codes: Option<&'a HashMap<String, usize>>,
    settings: Option<&'a SettingFile>,
}

impl Known<'_> {
    fn clause(&self, (name, text): (&str, &str), id: &str, problems: &mut Vec<Problem>) {
        if self.catalogue.clause(id).is_none() {
            let message = format!("the clause `{id}` is not in the catalogue");
            problems.push(Problem::at(name, text, &format!("\"{id}\""), message));
        }
    }

    fn codes(&self, (name, text): (&str, &str), which: &Which, problems: &mut Vec<Problem>) {
        let Some(codes) = self.codes else { return };
        for code in which.codes().into_iter().filter(|&code| !codes.contains_key(code)) {
            let message = format!("no troop type has the code `{code}`");
            problems.push(Problem::at(name, text, &format!("Code(\"{code}\")"), message));
        }
    }

    fn row(&self, file: (&str, &str), row: &Row, problems: &mut Vec<Problem>) {
        for id in row.with.iter().chain([&row.clause]) {
            self.clause(file, id, problems);
        }
        self.codes(file, &row.of, problems);
        for when in &row.when {
            for which in when.selectors() {
                self.codes(file, which, problems);
            }
            let Some(settings) = self.settings else { continue };
            for id in when.settings() {
                if !settings.choices.iter().any(|s| s.id == id) {
                    let message = format!("no setting is called `{id}`");
                    problems.push(Problem::at(file.0, file.1, &format!("\"{id}\""), message));
                }
            }
        }
    }
}

fn check_tactical(
    file: &SupportFile,
    (name, text): (&str, &str),
    known: &Known<'_>,
    problems: &mut Vec<Problem>,
) {
    for row in &file.tactical {
        known.clause((name, text), &row.clause, problems);
        if let Some(which) = &row.spares {
            known.codes((name, text), which, problems);
        }
    }
    for what in Tactic::ALL {
        let given = file.tactical.iter().filter(|t| t.what == what).count();
        if given != 1 {
            let message = format!("the tactical factor {what:?} is given {given} times; expected once");
            problems.push(Problem::at(name, text, "tactical:", message));
        }
    }
}

fn check_settings(
    file: &SettingFile,
    (name, text): (&str, &str),
    known: &Known<'_>,
    problems: &mut Vec<Problem>,
) {
    let mut seen = std::collections::HashSet::new();
    let ids = file.choices.iter().map(|s| &s.id).chain(file.numbers.iter().map(|s| &s.id));
    for id in ids {
        if !seen.insert(id) {
            let message = format!("the setting `{id}` is given twice");
            problems.push(Problem::at_nth(name, text, &format!("id: \"{id}\""), 1, message));
        }
    }
    for setting in &file.choices {
        let at = format!("id: \"{}\"", setting.id);
        for word in [Some(&setting.default), setting.community.as_ref()].into_iter().flatten() {
            if !setting.choices.contains(word) {
                let choices = setting.choices.join(", ");
                let message = format!("`{}` cannot be `{word}`; expected one of {choices}", setting.id);
                problems.push(Problem::at(name, text, &at, message));
            }
        }
        for word in setting.choices.iter().filter(|word| !means_something(&setting.id, word)) {
            let message =
                format!("`{}` has the choice `{word}`, which this program does not know", setting.id);
            problems.push(Problem::at(name, text, &at, message));
        }
        for id in setting.clauses.iter().chain(&setting.amends) {
            known.clause((name, text), id, problems);
        }
    }
    for id in TYPED.iter().filter(|id| !file.choices.iter().any(|s| s.id == **id)) {
        problems.push(Problem::at(name, text, "choices:", format!("the setting `{id}` is missing")));
    }
    for id in NUMBERS.iter().filter(|id| !file.numbers.iter().any(|s| s.id == **id)) {
        problems.push(Problem::at(name, text, "numbers:", format!("the setting `{id}` is missing")));
    }
    for setting in &file.numbers {
        if !(setting.least..=setting.most).contains(&setting.default) {
            let at = format!("id: \"{}\"", setting.id);
            let message = format!(
                "`{}` has the default {}; expected {} to {}",
                setting.id, setting.default, setting.least, setting.most
            );
            problems.push(Problem::at(name, text, &at, message));
        }
        for id in &setting.clauses {
            known.clause((name, text), id, problems);
        }
    }
}
