//! A ruleset as data: troop types, support, outcomes, settings, read from `rulesets/<id>/`.
//!
//! Invariants of a [`Ruleset`] that was read: codes are unique; every code, clause id and setting that
//! a row names exists; every default is one of its choices. Data chooses among closed cases and holds
//! no program. All problems of all files are reported at once, with line and column.

mod loading;
mod node;
mod outcome;
mod passage;
mod pips;
mod problem;
mod setting;
mod support;
mod troop;

pub use loading::Files;
pub(in crate::rules) use node::{DataFile, Placed};
pub use outcome::{Band, Fate, Going, Outcomes, Row, When};
pub use passage::{Occasion, Passage};
pub use pips::Pips;
pub use problem::{Problem, list};
pub use setting::{ChoiceSetting, NumberSetting};
pub use support::{Place, Support, Tactic, Tactical};
pub use troop::{Arm, Depths, Factors, Kind, Mark, Pace, Retired, Troop, Which};

use super::clauses::Catalogue;
use super::setting_up::{Deploy, Home, HomeRow};
use super::settings::TYPED;
use super::terrain::{TerrainKind, TerrainRow};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};

const DBA3: Files<'static> = Files {
    troops: ("rulesets/dba3/troops.ron", include_str!("../../../rulesets/dba3/troops.ron")),
    support: ("rulesets/dba3/support.ron", include_str!("../../../rulesets/dba3/support.ron")),
    outcomes: ("rulesets/dba3/outcomes.ron", include_str!("../../../rulesets/dba3/outcomes.ron")),
    settings: ("rulesets/dba3/settings.ron", include_str!("../../../rulesets/dba3/settings.ron")),
    pips: ("rulesets/dba3/pips.ron", include_str!("../../../rulesets/dba3/pips.ron")),
    terrain: ("rulesets/dba3/terrain.ron", include_str!("../../../rulesets/dba3/terrain.ron")),
    passage: ("rulesets/dba3/passage.ron", include_str!("../../../rulesets/dba3/passage.ron")),
    setting_up: ("rulesets/dba3/setting_up.ron", include_str!("../../../rulesets/dba3/setting_up.ron")),
};

/// An edition's or variant's data.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruleset {
    id: String,
    title: String,
    troops: Vec<Troop>,
    retired: Vec<Retired>,
    by_code: HashMap<String, usize>,
    paces: Vec<Pace>,
    support: Vec<Support>,
    tactical: Vec<Tactical>,
    outcomes: Outcomes,
    choices: Vec<ChoiceSetting>,
    numbers: Vec<NumberSetting>,
    terrain: Vec<TerrainRow>,
    pips: Pips,
    passage: Vec<Passage>,
    homes: Vec<HomeRow>,
    deploy: Deploy,
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

    /// How far that troop type moves: the first row that is about it.
    pub fn pace(&self, troop: &Troop) -> &Pace {
        self.paces
            .iter()
            .find(|p| p.who.holds(troop))
            .expect("a read ruleset has a pace for every troop type")
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

    /// What moves cost, and how far command reaches.
    pub fn pips(&self) -> &Pips {
        &self.pips
    }

    /// Who may pass through whom, in the file's order.
    pub fn passage(&self) -> &[Passage] {
        &self.passage
    }

    /// What a kind of terrain does.
    pub fn terrain(&self, kind: TerrainKind) -> &TerrainRow {
        self.terrain.iter().find(|row| row.kind == kind).expect("a read ruleset has every kind of terrain")
    }

    /// What a home terrain lets its defender choose.
    pub fn home(&self, home: Home) -> &HomeRow {
        self.homes.iter().find(|row| row.home == home).expect("a read ruleset has every home terrain")
    }

    /// Who may stand where at deployment.
    pub fn deploy(&self) -> &Deploy {
        &self.deploy
    }

    /// Settings that are words.
    pub fn choice_settings(&self) -> &[ChoiceSetting] {
        &self.choices
    }

    /// Whether the engine reads that choice setting: by type, or in a row of the outcomes or of the passages. The
    /// others are answered, and wait for what they are about.
    pub fn reads_setting(&self, id: &str) -> bool {
        let in_row = |row: &Row| row.when.iter().flat_map(When::settings).any(|(read, _)| read == id);
        let in_passage = |row: &Passage| row.only_if.as_ref().is_some_and(|(read, _)| read == id);
        TYPED.contains(&id)
            || self.outcomes.all().any(|(_, row)| in_row(row))
            || self.passage.iter().any(in_passage)
    }

    /// Settings that are numbers.
    pub fn number_settings(&self) -> &[NumberSetting] {
        &self.numbers
    }
}
