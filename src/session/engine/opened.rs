//! Table, rosters and rules from a journal's first record, and the other way round.

use super::Engine;
use crate::judge::{Roster, RosterFile, parse_roster, parse_table};
use crate::rules::{Preset, Ruleset, SettingError, Settings};
use crate::session::journal::{Kept, Opened, SCHEMA};
use crate::text::Mistakes;

/// Why a battle cannot be opened again.
#[derive(Debug, thiserror::Error)]
pub enum OpenedError {
    /// A ruleset that this version does not have.
    #[error("it was played by the ruleset \"{0}\", which this version of Groma does not have")]
    Ruleset(String),
    /// A preset that this version does not have.
    #[error("it was played under the preset \"{0}\", which this version of Groma does not have")]
    Preset(String),
    /// A setting that this version does not have.
    #[error("{0}")]
    Setting(#[from] SettingError),
    /// What it keeps of table and rosters is not in order.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Files(Vec<Mistakes>),
}

impl Engine {
    /// What a journal begins with, for a battle on these files. The files are those that this engine was made of.
    pub fn opened(&self, table: Kept, rosters: Vec<Kept>, commitment: Option<String>) -> Opened {
        let settings = self.settings();
        let changes = settings.changes();
        Opened {
            schema: SCHEMA,
            groma: env!("CARGO_PKG_VERSION").to_owned(),
            table,
            rosters,
            ruleset: settings.ruleset().id().to_owned(),
            preset: settings.preset_of().word().to_owned(),
            event: settings.event().map(str::to_owned),
            changes: changes.into_iter().map(|(id, word)| (id.to_owned(), word.to_owned())).collect(),
            commitment,
        }
    }

    /// The same files, rules and settings again.
    ///
    /// # Errors
    /// Rules that this version does not have; every mistake of the files that are kept.
    pub fn of_opened(opened: &Opened) -> Result<Self, OpenedError> {
        let ruleset = Ruleset::dba3();
        if opened.ruleset != ruleset.id() {
            return Err(OpenedError::Ruleset(opened.ruleset.clone()));
        }
        let preset =
            Preset::of_word(&opened.preset).ok_or_else(|| OpenedError::Preset(opened.preset.clone()))?;
        let mut settings = Settings::preset(ruleset.clone(), preset);
        for (id, word) in &opened.changes {
            settings = settings.with(id, word)?;
        }
        if let Some(event) = &opened.event {
            settings = settings.pinned_by(event);
        }
        let mut mistakes = Vec::new();
        let table = parse_table(&opened.table.name, &opened.table.text).map_err(|m| mistakes.push(m)).ok();
        let files = opened.rosters.iter().filter_map(|kept| {
            let elements = parse_roster(&kept.name, &kept.text).map_err(|m| mistakes.push(m)).ok()?;
            Some(RosterFile { file: kept.name.clone(), elements })
        });
        let files: Vec<_> = files.collect();
        let Some(table) = table.filter(|_| mistakes.is_empty()) else {
            return Err(OpenedError::Files(mistakes));
        };
        let roster = Roster::of(&table, files, &ruleset).map_err(OpenedError::Files)?;
        Ok(Self::new(table, roster, settings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;

    #[test]
    fn a_battle_opens_again_on_the_same_files_and_settings() {
        let ruleset = Ruleset::dba3();
        let (id, word) = Settings::dba3().others().map(|(id, word, _)| (id, word)).next().expect("a setting");
        let settings =
            Settings::community(ruleset).with(&id, &word).expect("its own word").pinned_by("Spring cup");
        let engine = Engine::new(samples::table(), samples::roster(), settings);
        let kept = |name: &str, text: &str| Kept { name: name.to_owned(), text: text.to_owned() };
        let opened = engine.opened(
            kept("table.ron", samples::TABLE_RON),
            vec![kept("roster.ron", samples::ROSTER_RON)],
            None,
        );
        let again = Engine::of_opened(&opened).expect("its own files");
        assert_eq!(again.settings().name(), engine.settings().name());
        assert_eq!(again.settings().changes(), engine.settings().changes());
        assert_eq!(again.table(), engine.table());
        assert_eq!(again.roster(), engine.roster());
        let torn = Opened { table: kept("table.ron", "(schema: 1"), ..opened.clone() };
        assert!(matches!(Engine::of_opened(&torn), Err(OpenedError::Files(_))));
        let other = Opened { ruleset: "chess".to_owned(), ..opened };
        assert!(matches!(Engine::of_opened(&other), Err(OpenedError::Ruleset(_))));
    }
}
