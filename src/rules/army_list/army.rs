//! An army as its player chooses it from a list, and how it is written in one line.
//!
//! `sample/1: general 3Kn, 2x3Kn, 4xLH; ally sample/2: general Cv, 2x4Sp; camp followers`: the list, the elements of its own;
//! after `;` each allied contingent, whether there is a camp and who holds it, and whether there is a City.
//! Invariant: what is written is read back to the same army.

use super::entry::known;
use super::fault::{Cursor, Fault, Piece};
use super::{Key, list::several};
use crate::rules::Ruleset;
use crate::rules::ruleset::Kind;
use crate::text::{Position, did_you_mean};
use std::fmt;

/// So many elements of a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Taken {
    /// How many, one or more.
    pub count: u8,
    /// The ruleset's own code, mounted where they may dismount.
    pub code: String,
    /// Whether they are their general's element.
    pub general: bool,
}

/// Elements of an ally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Contingent {
    /// The ally's list.
    pub list: Key,
    /// What is taken of it.
    pub elements: Vec<Taken>,
}

/// Who of the camp's followers are in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Followers {
    /// None.
    #[default]
    None,
    /// A camp followers' element.
    Element,
    /// Followers who are fixed to the camp.
    Fixed,
}

/// An army's camp.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Camp {
    /// Nothing is said of it.
    #[default]
    Unsaid,
    /// It has none.
    None,
    /// It has one.
    Stands {
        /// Codes of the troop elements inside.
        troops: Vec<String>,
        /// Its followers.
        followers: Followers,
    },
}

/// An army's City.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum City {
    /// It has none.
    #[default]
    None,
    /// It has one.
    Owned,
    /// It has one, with an element of denizens.
    WithDenizens,
}

/// An army, legal or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Army {
    /// The list that it is chosen from.
    pub list: Key,
    /// Its own elements.
    pub own: Vec<Taken>,
    /// Its allies.
    pub contingents: Vec<Contingent>,
    /// Its camp.
    pub camp: Camp,
    /// Its City.
    pub city: City,
}

const KEY: &str = "army-lists.gen.5";
const TAKEN: &str = "army-lists.troop.1";

impl Army {
    /// Reads an army that is written in one line.
    ///
    /// # Errors
    /// Every fault, line and column counted from the text's beginning.
    pub fn read(text: &str, rules: &Ruleset) -> Result<Self, Vec<Fault>> {
        Self::of(&Piece::new(text, Position::START), rules)
    }

    pub(super) fn of(piece: &Piece, rules: &Ruleset) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        let mut parts = piece.parts(';').into_iter();
        let head = parts.next().unwrap_or_else(|| piece.clone());
        let main = headed(&head, "sample/1: general 3Kn, 11x4Sp", rules, &mut faults);
        let (mut contingents, mut camp, mut city) = (Vec::new(), Camp::Unsaid, City::None);
        for part in parts.filter(|part| !part.text.is_empty()) {
            if let Some(rest) = part.after_word("ally") {
                let read = headed(&rest, "ally sample/2: general Cv, 2x4Sp", rules, &mut faults);
                contingents.extend(read.map(|(list, elements)| Contingent { list, elements }));
            } else if let Some(rest) = part.after_word("camp") {
                camp = held(&rest, rules, &mut faults);
            } else if part.text == "no camp" {
                camp = Camp::None;
            } else if let Some(rest) = part.after_word("city") {
                city = match rest.text.as_str() {
                    "" => City::Owned,
                    "denizens" => City::WithDenizens,
                    _ => {
                        let message = format!("expected `city` or `city denizens`, found `{}`", rest.text);
                        faults.push(Fault { at: rest.at, clause: "dba3.camp.1", message });
                        City::None
                    }
                };
            } else {
                let word = part.text.split_whitespace().next().unwrap_or_default();
                let near = did_you_mean(word, ["ally", "camp", "city"]);
                let message =
                    format!("expected `ally`, `camp`, `no camp` or `city` after `;`, found `{word}`{near}");
                faults.push(Fault { at: part.at, clause: TAKEN, message });
            }
        }
        match main {
            Some((list, own)) if faults.is_empty() => Ok(Self { list, own, contingents, camp, city }),
            _ => {
                faults.sort_by_key(|fault| fault.at);
                Err(faults)
            }
        }
    }
}

/// `sample/1: general 3Kn, 2x3Kn`.
fn headed(
    piece: &Piece,
    example: &str,
    rules: &Ruleset,
    faults: &mut Vec<Fault>,
) -> Option<(Key, Vec<Taken>)> {
    let Some(colon) = piece.text.find(':') else {
        let message = format!("expected a list's key, `:` and elements, such as `{example}`");
        faults.push(Fault { at: piece.at, clause: KEY, message });
        return None;
    };
    let key = Piece::new(piece.text[..colon].trim(), piece.at);
    let key = read_key(&key, faults);
    let taken = elements(&piece.after(colon + 1), rules, faults);
    key.zip(taken)
}

pub(super) fn read_key(piece: &Piece, faults: &mut Vec<Fault>) -> Option<Key> {
    Key::read(&piece.text)
        .map_err(|wrong| {
            faults.push(Fault { at: piece.place(wrong.after), clause: KEY, message: wrong.to_string() });
        })
        .ok()
}

/// `general 3Kn, 2x3Kn`.
pub(super) fn elements(piece: &Piece, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Vec<Taken>> {
    let read: Vec<Option<Taken>> = several(piece).iter().map(|one| taken(one, rules, faults)).collect();
    read.into_iter().collect()
}

pub(super) fn taken(piece: &Piece, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Taken> {
    let mut cursor = Cursor::new(piece);
    let mut general = false;
    let mut count = None;
    loop {
        cursor.skip_spaces();
        let from = cursor.at;
        if !general && cursor.word_is("general") {
            general = cursor.take("general");
            continue;
        }
        let digits = cursor.while_is(|c| c.is_ascii_digit());
        if count.is_none() && !digits.is_empty() && cursor.take_next("x") {
            count = Some(digits);
            continue;
        }
        cursor.at = from;
        break;
    }
    let place = cursor.place();
    let code = cursor.while_is(|c| c.is_alphanumeric() || c == '-');
    let troop = known(&code, place, rules, faults);
    cursor.skip_spaces();
    if troop.is_some() && cursor.peek().is_some() {
        faults.push(cursor.wrong(TAKEN, "`,`, `;` or the end: an army names elements by their codes alone"));
        return None;
    }
    let troop = troop?;
    if matches!(troop.kind, Kind::CampFollowers | Kind::Denizens) {
        let message = "these come on top of the army: say `camp followers` or `city denizens` after a `;`";
        faults.push(Fault { at: place, clause: "dba3.troop.12", message: message.to_owned() });
        return None;
    }
    let count = match count {
        None => 1,
        Some(digits) => match digits.parse::<u8>() {
            Ok(count) if (1..=99).contains(&count) => count,
            _ => {
                let message = "a number of elements from 1 to 99".to_owned();
                faults.push(Fault { at: piece.at, clause: "army-lists.troop.2", message });
                return None;
            }
        },
    };
    Some(Taken { count, code: troop.code.clone(), general })
}

/// Who is in the camp: nothing, `followers`, `fixed followers`, codes, parted by `+`.
pub(super) fn held(piece: &Piece, rules: &Ruleset, faults: &mut Vec<Fault>) -> Camp {
    let (mut troops, mut followers) = (Vec::new(), Followers::None);
    for part in piece.parts('+').into_iter().filter(|part| !part.text.is_empty()) {
        match part.text.as_str() {
            "followers" => followers = Followers::Element,
            "fixed followers" => followers = Followers::Fixed,
            code => troops.extend(known(code, part.at, rules, faults).map(|t| t.code.clone())),
        }
    }
    Camp::Stands { troops, followers }
}

impl fmt::Display for Taken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.general { "general " } else { "" })?;
        match self.count {
            1 => f.write_str(&self.code),
            count => write!(f, "{count}x{}", self.code),
        }
    }
}

impl fmt::Display for Camp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unsaid => Ok(()),
            Self::None => f.write_str("no camp"),
            Self::Stands { troops, followers } => {
                let mut inside: Vec<&str> = troops.iter().map(String::as_str).collect();
                match followers {
                    Followers::None => {}
                    Followers::Element => inside.push("followers"),
                    Followers::Fixed => inside.push("fixed followers"),
                }
                write!(f, "camp {}", inside.join(" + "))
            }
        }
    }
}

fn listed(elements: &[Taken]) -> String {
    if elements.is_empty() {
        return "none".to_owned();
    }
    elements.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

impl fmt::Display for Army {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.list, listed(&self.own))?;
        for contingent in &self.contingents {
            write!(f, "; ally {}: {}", contingent.list, listed(&contingent.elements))?;
        }
        let camp = self.camp.to_string();
        if !camp.is_empty() {
            write!(f, "; {}", camp.trim_end())?;
        }
        f.write_str(match self.city {
            City::None => "",
            City::Owned => "; city",
            City::WithDenizens => "; city denizens",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_army_is_read_and_written_back() {
        for text in [
            "sample/1: general 3Kn, 2x3Kn, 4xLH",
            "I/2b: general Cv, 8x4Sp; ally sample/2: general Cv, 2x4Sp; camp followers; city denizens",
            "I/2b: general Cv, 8x4Sp; ally I/3: general Cv, Ps; ally I/4: general El, Ps; camp 4Bd + fixed followers",
            "I/2b: none; no camp; city",
            "I/2b: general CP; camp",
        ] {
            let army = Army::read(text, &Ruleset::dba3()).expect(text);
            assert_eq!(army.to_string(), text);
        }
        let rules = Ruleset::dba3();
        let same = |a: &str, b: &str| assert_eq!(Army::read(a, &rules), Army::read(b, &rules), "{a}");
        same("I/2: 1x general 3Cv, 8 x Sp", "I/2: general Cv, 8x4Sp");
        same("I/2: general 1x3Kn", "I/2: general 3Kn");
    }

    #[test]
    fn every_fault_has_its_place_and_its_clause() {
        let faults = |text: &str| -> Vec<(usize, &str)> {
            let faults = Army::read(text, &Ruleset::dba3()).expect_err(text);
            faults.iter().map(|f| (f.at.column, f.clause)).collect()
        };
        assert_eq!(faults("I/2 general Cv"), [(1, KEY)]);
        assert_eq!(faults("V/2: general Cv"), [(1, KEY)]);
        assert_eq!(faults("I/2: general Cw, 2x3Sp"), [(14, TAKEN), (20, TAKEN)]);
        assert_eq!(faults("I/2: general Cv Riders"), [(17, TAKEN)]);
        assert_eq!(faults("I/2: 0xCv, CF"), [(6, "army-lists.troop.2"), (12, "dba3.troop.12")]);
        assert_eq!(faults("I/2: Cv; camps"), [(10, TAKEN)]);
        assert_eq!(
            faults("I/2: Cv; ally I/3; camp Xx; city wall"),
            [(15, KEY), (25, TAKEN), (34, "dba3.camp.1"),]
        );
    }
}
