//! What a written battle and a written setting up begin with: the name, the ruleset, and the settings.

use super::Settings;
use super::ruleset::DataFile;
use std::collections::BTreeMap;

/// The beginning of such a file. What could not be read is none, and noted.
pub(super) struct Head {
    /// What it is called.
    pub name: Option<String>,
    /// The settings that it is judged under.
    pub settings: Option<Settings>,
}

impl Head {
    /// Reads it; what is wrong is noted with line and column.
    pub fn read(file: &mut DataFile) -> Self {
        let name = file.one("name");
        let ruleset: Option<String> = file.one("ruleset");
        if ruleset.is_some_and(|id| id != "dba3") {
            file.note_field("ruleset", "the only ruleset there is is `dba3`".to_owned());
        }
        let preset: Option<String> = file.one_if_any("preset");
        let changes: BTreeMap<String, String> = file.one_if_any("settings").unwrap_or_default();
        let settings = Settings::written(preset.as_deref(), &changes);
        Self { name, settings: settings.map_err(|why| file.note_field("settings", why)).ok() }
    }
}
