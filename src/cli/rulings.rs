//! What commands about written cases share: settings on the command line, and the case files they name.

use super::Failure;
use crate::rules::cases::{Case, CaseFile};
use crate::rules::clauses::Catalogue;
use crate::rules::ruleset::list;
use crate::rules::{EventFile, Preset, Ruleset, Settings};
use crate::text::{Wanted, read_file};
use anyhow::anyhow;
use std::path::{Path, PathBuf};

/// The settings to judge under.
#[derive(Debug, Clone, Default, clap::Args)]
pub struct SettingsArgs {
    /// The preset: `printed` keeps to the printed words, `community` takes what most players do.
    #[arg(long, value_name = "NAME", conflicts_with = "event")]
    preset: Option<String>,
    /// An event's settings file: a preset and the event's own changes.
    #[arg(long, value_name = "FILE")]
    event: Option<PathBuf>,
    /// Another choice of one setting, such as `tz-off-in-combat=true`; may be given more than once.
    #[arg(long = "set", value_name = "SETTING=WORD")]
    changes: Vec<String>,
}

impl SettingsArgs {
    /// Whether none was given.
    pub fn is_empty(&self) -> bool {
        self.preset.is_none() && self.event.is_none() && self.changes.is_empty()
    }

    /// The settings that they name.
    ///
    /// # Errors
    /// Wrong use: an unknown preset, setting or word. A failed job: an event file that cannot be read.
    pub fn settings(&self) -> Result<Settings, Failure> {
        let mut settings = match (&self.preset, &self.event) {
            (_, Some(path)) => event(path)?,
            (Some(word), None) => {
                let preset = Preset::of_word(word).ok_or_else(|| {
                    Failure::Use(format!("--preset {word}: there are the presets printed and community"))
                })?;
                Settings::preset(Ruleset::dba3(), preset)
            }
            (None, None) => Settings::dba3(),
        };
        for change in &self.changes {
            let (id, word) = change.split_once('=').ok_or_else(|| {
                Failure::Use(format!(
                    "--set {change}: write the setting, `=` and its word, such as tz-off-in-combat=true"
                ))
            })?;
            settings = settings
                .with(id.trim(), word.trim())
                .map_err(|why| Failure::Use(format!("--set {change}: {why}")))?;
        }
        Ok(settings)
    }
}

fn event(path: &Path) -> Result<Settings, Failure> {
    let text = read_file(path, Wanted::Event).map_err(anyhow::Error::from)?;
    let name = path.display().to_string();
    let file = EventFile::read(&name, &text, &Ruleset::dba3());
    Ok(file.map_err(|problems| Failure::Job(anyhow!("{}", list(&problems))))?.settings)
}

/// The sound cases of a file by its path, none where it has none, and every mistake of the others with line and column.
///
/// # Errors
/// A file that cannot be read.
pub fn sound_cases(path: &Path) -> Result<(Option<CaseFile>, Vec<String>), Failure> {
    let text = read_file(path, Wanted::Cases).map_err(anyhow::Error::from)?;
    let name = path.display().to_string();
    let (file, problems) = CaseFile::read_sound(&name, &text, Catalogue::embedded());
    Ok((file, problems.iter().map(ToString::to_string).collect()))
}

/// The cases of a file, each with its variants, whose name has `only` in it, capitals or not.
///
/// # Errors
/// Wrong use: no case has such a name.
pub fn chosen(path: &Path, file: &CaseFile, only: Option<&str>) -> Result<Vec<Case>, Failure> {
    let all: Vec<Case> = file.cases.iter().flat_map(Case::variants).collect();
    let Some(only) = only else { return Ok(all) };
    let wanted = only.to_lowercase();
    let found: Vec<Case> = all.into_iter().filter(|c| c.name.to_lowercase().contains(&wanted)).collect();
    if found.is_empty() {
        let names = file.cases.iter().map(|c| format!("`{}`", c.name)).collect::<Vec<_>>().join(", ");
        return Err(Failure::Use(format!(
            "{}: no case has `{only}` in its name; there are {names}",
            path.display()
        )));
    }
    Ok(found)
}
