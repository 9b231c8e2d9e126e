//! The clause catalogue: what every clause says, in our own words, and how it is judged.
//!
//! Invariant: ids are unique over all catalogues; a reason that the engine gives cites one of them.

use super::ruleset::{DataFile, Placed, Problem};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::sync::LazyLock;

/// How a clause is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all(serialize = "snake_case"))]
pub enum Judge {
    /// From where things stand.
    Geometry,
    /// From what has happened in the game.
    State,
    /// From tables and rosters.
    Data,
    /// From dice.
    Dice,
    /// A person says so.
    Declared,
    /// Shown only.
    Advice,
}

/// One clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Clause {
    /// Its id, `<ruleset>.<part>.<number>`.
    pub id: String,
    /// A few words.
    pub title: String,
    /// What it says.
    pub text: String,
    /// How it is judged.
    pub judge: Judge,
    /// The rules' own heading.
    pub section: String,
    /// A worked example, where there is one.
    #[serde(default)]
    pub example: Option<String>,
}

/// Every embedded catalogue file: name and text.
const FILES: &[(&str, &str)] = &[
    ("rulesets/dba3/clauses.ron", include_str!("../../rulesets/dba3/clauses.ron")),
    ("rulesets/dba3/clauses-recovered.ron", include_str!("../../rulesets/dba3/clauses-recovered.ron")),
    ("rulesets/big-battle/clauses.ron", include_str!("../../rulesets/big-battle/clauses.ron")),
    ("rulesets/giant/clauses.ron", include_str!("../../rulesets/giant/clauses.ron")),
    ("rulesets/refight/clauses.ron", include_str!("../../rulesets/refight/clauses.ron")),
    (
        "rulesets/mid-south-big-battle/clauses.ron",
        include_str!("../../rulesets/mid-south-big-battle/clauses.ron"),
    ),
    ("rulesets/options/clauses.ron", include_str!("../../rulesets/options/clauses.ron")),
    ("rulesets/ext1500/clauses.ron", include_str!("../../rulesets/ext1500/clauses.ron")),
    ("rulesets/italicis/clauses.ron", include_str!("../../rulesets/italicis/clauses.ron")),
    ("rulesets/campaign/clauses.ron", include_str!("../../rulesets/campaign/clauses.ron")),
    ("rulesets/tournament/clauses.ron", include_str!("../../rulesets/tournament/clauses.ron")),
    ("rulesets/army-lists/clauses.ron", include_str!("../../rulesets/army-lists/clauses.ron")),
];

/// All clauses of all rulesets.
#[derive(Debug, Clone, Default)]
pub struct Catalogue {
    clauses: Vec<(String, Clause)>,
    place: HashMap<String, usize>,
}

impl Catalogue {
    /// The catalogue that the program carries.
    pub fn embedded() -> &'static Self {
        static EMBEDDED: LazyLock<Catalogue> = LazyLock::new(|| {
            Catalogue::read(FILES).unwrap_or_else(|problems| {
                panic!("the embedded clauses are tested to be sound: {}", super::ruleset::list(&problems))
            })
        });
        &EMBEDDED
    }

    /// Reads catalogue files given as name and text.
    ///
    /// # Errors
    /// Every problem of every file: wrong shape, another schema, an id given twice.
    pub fn read(files: &[(&str, &str)]) -> Result<Self, Vec<Problem>> {
        let (mut catalogue, mut problems) = (Self::default(), Vec::new());
        for &(name, text) in files {
            let mut file = DataFile::read(name, text);
            let ruleset: Option<String> = file.one("ruleset");
            let clauses: Vec<Placed<Clause>> = file.rows("clauses");
            let ruleset = ruleset.unwrap_or_default();
            for Placed { at, value: clause } in clauses {
                if catalogue.place.contains_key(&clause.id) {
                    file.note(
                        at,
                        format!(
                            "the clause id `{}` is given twice; ids are unique over all catalogues",
                            clause.id
                        ),
                    );
                    continue;
                }
                catalogue.place.insert(clause.id.clone(), catalogue.clauses.len());
                catalogue.clauses.push((ruleset.clone(), clause));
            }
            problems.extend(file.finish());
        }
        if problems.is_empty() { Ok(catalogue) } else { Err(problems) }
    }

    /// The clause of that id.
    pub fn clause(&self, id: &str) -> Option<&Clause> {
        self.place.get(id).map(|&at| &self.clauses[at].1)
    }

    /// Every clause with the id of its ruleset, in the files' order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Clause)> {
        self.clauses.iter().map(|(ruleset, clause)| (ruleset.as_str(), clause))
    }

    /// The rulesets that have clauses, in the files' order.
    pub fn rulesets(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for (ruleset, _) in self.iter() {
            if !names.contains(&ruleset) {
                names.push(ruleset);
            }
        }
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_catalogue_is_whole() {
        let catalogue = Catalogue::embedded();
        assert!(catalogue.iter().count() > 1300);
        let zone = catalogue.clause("dba3.tz.1").expect("the zone's clause");
        assert_eq!((zone.judge, zone.section.is_empty()), (Judge::Geometry, false));
        assert!(catalogue.rulesets().contains(&"options"));
    }

    #[test]
    fn an_id_given_twice_is_found_with_its_line() {
        let one = "(schema: 1, ruleset: \"x\", clauses: [\n(id: \"x.1\", title: \"t\", text: \"w\", judge: Data, section: \"s\"),\n])";
        let problems = Catalogue::read(&[("a.ron", one), ("b.ron", one)]).expect_err("twice");
        assert_eq!((problems.len(), problems[0].file.as_str(), problems[0].line), (1, "b.ron", 2));
    }
}
