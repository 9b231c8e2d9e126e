//! What the rules leave open: named settings with their choices.

use serde::Deserialize;

/// A setting that is one of a few words.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChoiceSetting {
    /// Its name.
    pub id: String,
    /// The clauses that open the question.
    pub clauses: Vec<String>,
    /// The clauses that it amends.
    #[serde(default)]
    pub amends: Vec<String>,
    /// The question in a few words.
    pub title: String,
    /// Its words. Yes-or-no settings have `true` and `false`.
    pub choices: Vec<String>,
    /// The default, one of the choices.
    pub default: String,
    /// What most players do, where that is not the default.
    #[serde(default)]
    pub community: Option<String>,
}

/// A setting that is a number.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NumberSetting {
    /// Its name, which ends in its unit.
    pub id: String,
    /// The clauses that it serves.
    pub clauses: Vec<String>,
    /// What it is.
    pub title: String,
    /// Least value allowed.
    pub least: f64,
    /// Greatest value allowed.
    pub most: f64,
    /// The default.
    pub default: f64,
}
