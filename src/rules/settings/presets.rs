//! Presets, and an event's own settings in a file.
//!
//! `printed` keeps to the printed words: each setting's default. `community` takes what most players do
//! where that differs. An event pins a preset and its own changes.

use super::Settings;
use crate::rules::ruleset::{DataFile, Placed, Problem, Ruleset};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;

/// A set of answers to every open question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Preset {
    /// Each setting's default: the printed words.
    #[default]
    Printed,
    /// What most players do.
    Community,
}

impl Preset {
    /// Every preset.
    pub const ALL: [Self; 2] = [Self::Printed, Self::Community];

    /// Its name in files and on rulings.
    pub fn word(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Community => "community",
        }
    }

    /// The preset of that name.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.word() == word)
    }

    /// Every setting's word.
    pub(super) fn words(self, ruleset: &Ruleset) -> BTreeMap<String, String> {
        let choices = ruleset.choice_settings().iter().map(|setting| {
            let common = setting.community.as_ref().filter(|_| self == Self::Community);
            (setting.id.clone(), common.unwrap_or(&setting.default).clone())
        });
        let numbers = ruleset.number_settings().iter().map(|s| (s.id.clone(), s.default.to_string()));
        choices.chain(numbers).collect()
    }
}

impl Settings {
    /// The settings that a file writes: a preset's name, none for `printed`, and what differs from it.
    ///
    /// # Errors
    /// A preset, setting or word that the ruleset does not have.
    pub fn written(preset: Option<&str>, changes: &BTreeMap<String, String>) -> Result<Self, String> {
        let preset = match preset {
            None | Some("") => Preset::Printed,
            Some(word) => Preset::of_word(word)
                .ok_or_else(|| format!("no preset is called `{word}`; there are printed and community"))?,
        };
        let mut settings = Self::preset(Ruleset::dba3(), preset);
        for (id, word) in changes {
            settings = settings.with(id, word).map_err(|e| e.to_string())?;
        }
        Ok(settings)
    }
}

/// Where settings come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Origin {
    pub preset: Preset,
    pub event: Option<Arc<str>>,
}

impl Origin {
    /// `printed`, `printed; x=y`, `Northern Open (community; x=y)`.
    pub fn name(&self, ruleset: &Ruleset, words: &BTreeMap<String, String>) -> Arc<str> {
        let plain = self.preset.words(ruleset);
        let changed = words.iter().filter(|(id, word)| plain.get(*id) != Some(word));
        let changed: Vec<String> = changed.map(|(id, word)| format!("{id}={word}")).collect();
        let preset = self.preset.word();
        let base =
            if changed.is_empty() { preset.to_owned() } else { format!("{preset}; {}", changed.join(", ")) };
        match &self.event {
            Some(event) => format!("{event} ({base})").into(),
            None => base.into(),
        }
    }
}

/// One change of an event's.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    setting: String,
    to: String,
}

/// An event's settings file: `(schema: 1, event: "Northern Open", ruleset: "dba3", preset: "community",
/// changes: [(setting: "tz-off-in-combat", to: "false")])`.
#[derive(Debug, Clone, PartialEq)]
pub struct EventFile {
    /// The settings that it pins, with its name on them.
    pub settings: Settings,
}

impl EventFile {
    /// Reads an event file for that ruleset.
    ///
    /// # Errors
    /// Every problem, with line and column: another ruleset, an unknown preset, setting or word, a setting
    /// changed twice.
    pub fn read(name: &str, text: &str, ruleset: &Arc<Ruleset>) -> Result<Self, Vec<Problem>> {
        let mut file = DataFile::read(name, text);
        let event: Option<String> = file.one("event");
        let of: Option<String> = file.one("ruleset");
        let preset: Option<String> = file.one("preset");
        let changes: Vec<Placed<Change>> = file.rows_if_any("changes");
        if event.as_deref().is_some_and(|event| event.trim().is_empty()) {
            file.note_field("event", "expected the event's name; it stands on every ruling".to_owned());
        }
        if let Some(of) = of.filter(|of| of != ruleset.id()) {
            file.note_field("ruleset", format!("expected `{}`, found `{of}`", ruleset.id()));
        }
        let known = preset.as_deref().and_then(Preset::of_word);
        if let (Some(word), None) = (&preset, known) {
            file.note_field("preset", format!("expected `printed` or `community`, found `{word}`"));
        }
        let mut settings = Settings::preset(Arc::clone(ruleset), known.unwrap_or_default());
        let mut changed: Vec<&str> = Vec::new();
        for Placed { at, value: change } in &changes {
            if changed.contains(&change.setting.as_str()) {
                file.note(*at, format!("`{}` is changed twice", change.setting));
            }
            changed.push(&change.setting);
            match settings.with(&change.setting, &change.to) {
                Ok(found) => settings = found,
                Err(why) => file.note(*at, why.to_string()),
            }
        }
        let problems = file.finish();
        match event {
            Some(event) if problems.is_empty() => Ok(Self { settings: settings.pinned_by(event.trim()) }),
            _ => Err(problems),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_tells_the_preset_and_what_differs_from_it() {
        let printed = Settings::dba3();
        assert_eq!(&**printed.name(), "printed");
        let changed = printed.with("tz-off-in-combat", "true").expect("a choice");
        assert_eq!(&**changed.name(), "printed; tz-off-in-combat=true");
        assert_eq!(changed.changes(), [("tz-off-in-combat", "true")]);
        // What community says already is no change there, and back to the preset's word is none either.
        let community = Settings::community(Ruleset::dba3());
        assert_eq!(&**community.with("tz-off-in-combat", "true").expect("a choice").name(), "community");
        assert_eq!(&**changed.with("tz-off-in-combat", "false").expect("a choice").name(), "printed");
    }

    #[test]
    fn an_event_pins_a_preset_and_its_changes() {
        let text = "(schema: 1, event: \"Northern Open\", ruleset: \"dba3\", preset: \"community\", \
                    changes: [(setting: \"tz-off-in-combat\", to: \"false\"), (setting: \"contact-gap-mm\", to: \"1.5\")])";
        let event = EventFile::read("event.ron", text, &Ruleset::dba3()).expect("an event");
        assert_eq!(
            &**event.settings.name(),
            "Northern Open (community; contact-gap-mm=1.5, tz-off-in-combat=false)"
        );
        assert!(event.settings.wwg_tz_all_edges && !event.settings.tz_off_in_combat);
        assert_eq!(event.settings.tolerances.contact_gap_mm, 1.5);
    }

    #[test]
    fn every_mistake_of_an_event_is_told() {
        let text = "(schema: 1, event: \" \", ruleset: \"dba4\", preset: \"usual\", changes: [\n\
                    (setting: \"tz-of-in-combat\", to: \"true\"),\n(setting: \"turn-timing\", to: \"later\"),\n\
                    (setting: \"turn-timing\", to: \"at-contact\")])";
        let problems = EventFile::read("event.ron", text, &Ruleset::dba3()).expect_err("six mistakes");
        let lines: Vec<usize> = problems.iter().map(|p| p.line).collect();
        assert_eq!(lines, [1, 1, 1, 2, 3, 4], "{problems:?}");
        assert!(problems[3].message.contains("did you mean `tz-off-in-combat`"), "{problems:?}");
    }
}
