//! `groma settings`: the questions that the rules leave open, and how each is answered.

use super::rulings::SettingsArgs;
use super::{Failure, say};
use crate::rules::Settings;
use crate::rules::clauses::{Catalogue, Clause};
use crate::rules::ruleset::{ChoiceSetting, NumberSetting};
use serde_json::json;

/// Lists the settings: what the rules leave open, with the clause, the choices, and what each changes.
#[derive(Debug, clap::Args)]
pub struct SettingsListArgs {
    /// Only settings that have this in their name, title or clauses, such as `tz` or `dba3.con.9`.
    #[arg(value_name = "WORD")]
    only: Option<String>,
    #[command(flatten)]
    settings: SettingsArgs,
    /// One JSON object a setting.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// Settings that are not known, or a word that no setting has.
pub fn run(args: &SettingsListArgs) -> Result<(), Failure> {
    let settings = args.settings.settings()?;
    let wanted = args.only.as_deref().map(str::to_lowercase);
    let fits = |id: &str, title: &str, clauses: &[String]| {
        wanted.as_ref().is_none_or(|w| {
            id.contains(w) || title.to_lowercase().contains(w) || clauses.iter().any(|c| c.contains(w))
        })
    };
    let rules = settings.ruleset();
    let choices: Vec<&ChoiceSetting> =
        rules.choice_settings().iter().filter(|s| fits(&s.id, &s.title, &all_clauses(s))).collect();
    let numbers: Vec<&NumberSetting> =
        rules.number_settings().iter().filter(|s| fits(&s.id, &s.title, &s.clauses)).collect();
    if choices.is_empty() && numbers.is_empty() {
        let only = args.only.as_deref().unwrap_or_default();
        return Err(Failure::Use(format!(
            "no setting has `{only}` in its name, title or clauses; leave it out to list all"
        )));
    }
    if args.json {
        choices.iter().for_each(|s| say(choice_json(s, &settings)));
        numbers.iter().for_each(|s| say(number_json(s, &settings)));
        return Ok(());
    }
    say(format!(
        "settings: {}\nA clause describes what its setting's `true`, or the first word of its list, stands for.",
        settings.name()
    ));
    for setting in choices {
        say(choice_text(setting, &settings));
    }
    for setting in numbers {
        say(number_text(setting, &settings));
    }
    Ok(())
}

fn all_clauses(setting: &ChoiceSetting) -> Vec<String> {
    setting.clauses.iter().chain(&setting.amends).cloned().collect()
}

/// The setting, its choices with the one that stands, its clauses and what they say.
fn choice_text(setting: &ChoiceSetting, settings: &Settings) -> String {
    let now = settings.word(&setting.id).unwrap_or_default();
    let mut text = format!("\n{} = {now}    of {}", setting.id, setting.choices.join(", "));
    if let Some(community) = &setting.community {
        text.push_str(&format!("    printed {}, community {community}", setting.default));
    }
    if !settings.ruleset().reads_setting(&setting.id) {
        text.push_str("    (nothing that is judged so far depends on it)");
    }
    text.push_str(&format!("\n  {}", setting.title));
    for clause in clauses(&setting.clauses) {
        text.push_str(&format!("\n  {}: {}", clause.id, clause.text));
    }
    for clause in clauses(&setting.amends) {
        text.push_str(&format!("\n  amends {}: {}", clause.id, clause.title));
    }
    text
}

fn number_text(setting: &NumberSetting, settings: &Settings) -> String {
    let now = settings.word(&setting.id).unwrap_or_default();
    let mut text = format!(
        "\n{} = {now}    {} to {}, usually {}\n  {}",
        setting.id, setting.least, setting.most, setting.default, setting.title
    );
    for clause in clauses(&setting.clauses) {
        text.push_str(&format!("\n  serves {}: {}", clause.id, clause.title));
    }
    text
}

fn clauses(ids: &[String]) -> impl Iterator<Item = &'static Clause> + '_ {
    ids.iter().filter_map(|id| Catalogue::embedded().clause(id))
}

fn choice_json(setting: &ChoiceSetting, settings: &Settings) -> serde_json::Value {
    json!({
        "id": setting.id,
        "title": setting.title,
        "word": settings.word(&setting.id),
        "choices": setting.choices,
        "printed": setting.default,
        "community": setting.community.as_ref().unwrap_or(&setting.default),
        "clauses": setting.clauses,
        "amends": setting.amends,
        "read": settings.ruleset().reads_setting(&setting.id),
        "under": &**settings.name(),
    })
}

fn number_json(setting: &NumberSetting, settings: &Settings) -> serde_json::Value {
    json!({
        "id": setting.id,
        "title": setting.title,
        "word": settings.word(&setting.id),
        "least": setting.least,
        "most": setting.most,
        "printed": setting.default.to_string(),
        "clauses": setting.clauses,
        "under": &**settings.name(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_setting_is_told_with_its_clause_and_what_it_changes() {
        let settings = Settings::dba3();
        let setting =
            settings.ruleset().choice_settings().iter().find(|s| s.id == "tz-off-in-combat").expect("there");
        let text = choice_text(setting, &settings);
        for part in [
            "tz-off-in-combat = false",
            "of true, false",
            "community true",
            "dba3.set.46: ",
            "amends dba3.tz.1",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        let value = choice_json(setting, &settings);
        assert_eq!(
            (&value["word"], &value["community"], &value["read"]),
            (&json!("false"), &json!("true"), &json!(true))
        );
    }
}
