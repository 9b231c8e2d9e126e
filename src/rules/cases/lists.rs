//! Questions about army lists and the armies chosen from them.

use super::answer::{Answer, Posed};
use crate::rules::army_list::{Army, ArmyList, Fault, Key, Shelf, judge};
use crate::rules::setting_up::roll;
use crate::rules::{Reason, Ruleset, Side};
use serde::Deserialize;

/// What a case asks of army lists. Lists and armies are in their one-line notation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum AskList {
    /// Is this a list's key?
    Key(String),
    /// Is this a sound list?
    Sound(String),
    /// Is this army one of its list? The lists are its own and its allies'.
    Army(Vec<String>, String),
    /// Does the first list name the second as an enemy?
    Enemies(String, String),
    /// With these dice, is it the first list's home terrain that is fought over?
    Home(String, String, (u8, u8)),
}

impl AskList {
    /// The question in words.
    pub fn in_words(&self) -> String {
        match self {
            Self::Key(key) => format!("is `{key}` the key of an army list?"),
            Self::Sound(list) => format!("is this a sound army list: {list}?"),
            Self::Army(_, army) => format!("is this army one of its list: {army}?"),
            Self::Enemies(a, b) => format!("does the first list name the second as an enemy: {a}, {b}?"),
            Self::Home(_, _, (a, b)) => {
                format!("with dice {a} and {b}, is it the first army's home terrain that is fought over?")
            }
        }
    }
}

/// What a list says that is sound, clause by clause.
const SOUND: [(&str, &str); 6] = [
    ("army-lists.gen.5", "its key is of a book, a number and a letter or none"),
    ("army-lists.gen.6", "it says troops, aggression, home terrain, allies, enemies and books"),
    ("army-lists.gen.7", "an army of 12 can be chosen of it"),
    ("army-lists.troop.1", "each entry has its number, name and code"),
    ("army-lists.home.1", "its home terrain is one that the terrain table has"),
    ("army-lists.aggr.1", "its aggression is from 0 to 4"),
];

pub(super) fn answer(posed: &Posed<'_>, what: &AskList) -> Result<Answer, String> {
    let rules = posed.settings.ruleset();
    match what {
        AskList::Key(key) => Ok(match Key::read(key) {
            Ok(key) => one(true, "army-lists.gen.5", format!("{key} is one list's")),
            Err(wrong) => one(false, "army-lists.gen.5", format!("`{key}`: {wrong}")),
        }),
        AskList::Sound(text) => Ok(match ArmyList::read(text, rules) {
            Ok(_) => {
                let reasons = SOUND.iter().map(|(clause, text)| Reason::holds(*clause, *text));
                Answer::plain(true, "a sound list", reasons.collect())
            }
            Err(faults) => {
                let reasons =
                    faults.iter().map(|f| Reason::fails(f.clause, format!("{}: {}", f.at, f.message)));
                Answer::plain(false, told(&faults), reasons.collect())
            }
        }),
        AskList::Army(lists, army) => {
            let mut shelf = Shelf::default();
            for text in lists {
                shelf.add(list(text, rules)?).map_err(|key| format!("two lists have the key {key}"))?;
            }
            let army = Army::read(army, rules).map_err(|faults| told(&faults))?;
            let ruling = judge(&army, &shelf, rules);
            let said = ruling.faults().map(|f| f.text.clone()).collect::<Vec<_>>().join("; ");
            Ok(Answer::plain(ruling.legal(), said, ruling.reasons()))
        }
        AskList::Enemies(a, b) => {
            let (a, b) = (list(a, rules)?, list(b, rules)?);
            let names = if a.fought(&b.key) { "names" } else { "does not name" };
            let text = format!("{} {names} {} as an enemy", a.key, b.key);
            Ok(one(a.fought(&b.key), "army-lists.enemy.1", text))
        }
        AskList::Home(a, b, dice) => {
            let (a, b) = (list(a, rules)?, list(b, rules)?);
            let (first, second) = (a.aggression.with_die(dice.0), b.aggression.with_die(dice.1));
            let rolled = roll(posed.settings, first, second);
            let whose = match rolled.defender {
                Some(Side::Red) => format!("that of {} is fought over", a.key),
                Some(Side::Blue) => format!("that of {} is fought over", b.key),
                None => "nobody's is yet".to_owned(),
            };
            let text = format!("totals {} and {}: {whose}", first.total(), second.total());
            let holds = rolled.defender == Some(Side::Red);
            let mut answer = one(holds, "army-lists.aggr.2", text);
            answer.reasons.extend(rolled.reasons);
            Ok(answer)
        }
    }
}

fn list(text: &str, rules: &Ruleset) -> Result<ArmyList, String> {
    ArmyList::read(text, rules).map_err(|faults| told(&faults))
}

fn told(faults: &[Fault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn one(holds: bool, clause: &str, text: String) -> Answer {
    let reason =
        if holds { Reason::holds(clause, text.clone()) } else { Reason::fails(clause, text.clone()) };
    Answer::plain(holds, text, vec![reason])
}

#[cfg(test)]
mod tests {
    use super::super::{Asked, CaseFile, FILES, Verdict};

    use crate::rules::clauses::Catalogue;

    #[test]
    fn a_case_that_says_no_says_which_clause_does_not_hold() {
        let mut looked_at = 0;
        for &(name, text) in FILES.iter().filter(|(name, _)| name.contains("/army-lists/")) {
            let file = CaseFile::read(name, text, Catalogue::embedded()).expect("a readable file");
            let asked =
                file.cases.iter().filter(|c| c.verdict == Verdict::No && matches!(c.ask, Asked::List(_)));
            for case in asked {
                let answer = case.answer().expect("an answer");
                for clause in &case.clauses {
                    let fails = answer.reasons.iter().any(|r| r.clause == *clause && !r.holds);
                    assert!(fails, "`{}`: {clause} holds: {}", case.name, answer.said);
                }
                looked_at += 1;
            }
        }
        assert!(looked_at >= 40, "{looked_at}");
    }
}
