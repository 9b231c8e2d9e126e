//! Whether a ruling stands under the other choices of the settings.
//!
//! A ruling is made again with each other choice of each setting that the engine reads, one at a time. A
//! setting bears on a ruling where a choice of it changes anything of what is said; it turns it where the
//! verdict changes. Two settings that turn a ruling only together are not found. Tolerances are numbers and not
//! choices: what they leave open is weighed as sigma.

use super::Settings;
use std::sync::Arc;

/// One other choice of a setting and what it leads to.
#[derive(Debug, Clone, PartialEq)]
pub struct Alternative<T> {
    /// The setting.
    pub setting: String,
    /// The other choice.
    pub word: String,
    /// The ruling under it.
    pub ruling: T,
}

/// A ruling and what the settings do to it.
#[derive(Debug, Clone, PartialEq)]
pub struct Sensitivity<T> {
    /// The ruling under the settings themselves.
    pub ruling: T,
    /// The settings' name.
    pub under: Arc<str>,
    /// The other choices that change what is said but not the verdict.
    pub bears: Vec<Alternative<T>>,
    /// The other choices that turn the verdict.
    pub turns: Vec<Alternative<T>>,
}

/// Rules under the settings and under each other choice. `verdict` is what counts as turned, `said` what
/// counts as bearing on it: all but the settings' name.
pub fn sensitivity<T, V: PartialEq, S: PartialEq>(
    settings: &Settings,
    rule: impl Fn(&Settings) -> T,
    verdict: impl Fn(&T) -> V,
    said: impl Fn(&T) -> S,
) -> Sensitivity<T> {
    let ruling = rule(settings);
    let (mut bears, mut turns) = (Vec::new(), Vec::new());
    for (setting, word, other) in settings.others() {
        let found = rule(&other);
        let turned = verdict(&found) != verdict(&ruling);
        if turned || said(&found) != said(&ruling) {
            let alternative = Alternative { setting, word, ruling: found };
            if turned { turns.push(alternative) } else { bears.push(alternative) }
        }
    }
    Sensitivity { ruling, under: Arc::clone(settings.name()), bears, turns }
}

impl<T> Sensitivity<T> {
    /// The names of the settings that turn it, each once.
    pub fn turned_by(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.turns.iter().map(|a| a.setting.as_str()).collect();
        names.dedup();
        names
    }

    /// In a sentence: `no setting turns it`, or which do.
    pub fn in_words(&self) -> String {
        let listed = |all: &[Alternative<T>]| {
            all.iter().map(|a| format!("{}={}", a.setting, a.word)).collect::<Vec<_>>().join(", ")
        };
        match (self.turns.as_slice(), self.bears.as_slice()) {
            ([], []) => "no setting bears on it".to_owned(),
            ([], bears) => format!("no setting turns it; these bear on it: {}", listed(bears)),
            (turns, _) => format!("it turns with {}", listed(turns)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Question, Ruleset, Ruling, Setup, ask, notation};

    fn told(text: &str, settings: &Settings) -> Sensitivity<Ruling> {
        let setup: Setup = notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
        let rule = |s: &Settings| ask(&setup, s, Question::InZoneOf, "A", "E").expect("a ruling");
        sensitivity(settings, rule, |r| r.margin.satisfied(), |r| (r.margin, r.reasons.clone()))
    }

    #[test]
    fn a_ruling_names_the_setting_that_turns_it() {
        // Exactly one base width ahead.
        let found = told("A 4Bd red (0.2,2)-(1.2,2) N; E 4Bd blue (1,3)-(0,3) S", &Settings::dba3());
        assert_eq!(found.turned_by(), ["within-includes-equal"]);
        assert_eq!(found.in_words(), "it turns with within-includes-equal=false");
    }

    #[test]
    fn a_ruling_that_no_setting_turns_says_so() {
        let found = told("A 4Bd red (0.2,2.4)-(1.2,2.4) N; E 4Bd blue (1,3)-(0,3) S", &Settings::dba3());
        assert!(found.turns.is_empty(), "{}", found.in_words());
        // Elements in between are asked after by a setting, so it bears on every zone.
        assert!(found.in_words().starts_with("no setting turns it"), "{}", found.in_words());
    }
}
