//! An army list as a whole: what it says, and what is wrong with one that is not sound.
//!
//! A list is written as a file of its own or in one line, its parts parted by `;`:
//! `sample/1 Hill men; general 1x3Kn Chief; 11x4Sp Farmers; aggression 3; home hilly; enemies I/2; allies none; books none`.

use super::entry::{self, Entry};
use super::fault::{Fault, Piece};
use super::{ARMY, Aggression, HomeTerrain, Key, KeyRef, home_of_word, home_word};
use crate::rules::Ruleset;
use crate::rules::ruleset::{Kind, Mark};
use crate::text::{Position, did_you_mean};
use std::fmt;

/// An army list (clause army-lists.gen.6).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArmyList {
    /// What it is called by.
    pub key: Key,
    /// Its title.
    pub title: String,
    /// The general's element: options of one element each.
    pub general: Entry,
    /// The other troops.
    pub entries: Vec<Entry>,
    /// How readily it invades.
    pub aggression: Aggression,
    /// Its home terrain, one or more of which its player chooses one.
    pub homes: Vec<HomeTerrain>,
    /// Whom it fought.
    pub enemies: Vec<KeyRef>,
    /// Its allies; those that stand together furnished contingents at the same battle (clause army-lists.ally.5).
    pub allies: Vec<Vec<KeyRef>>,
    /// Books about it.
    pub books: Vec<String>,
}

impl ArmyList {
    /// Reads a list that is written in one line.
    ///
    /// # Errors
    /// Every fault, line and column counted from the text's beginning.
    pub fn read(text: &str, rules: &Ruleset) -> Result<Self, Vec<Fault>> {
        Draft::of(&Piece::new(text, Position::START)).checked(rules)
    }

    /// The general's entry and then the others.
    pub fn all_entries(&self) -> impl Iterator<Item = &Entry> {
        std::iter::once(&self.general).chain(&self.entries)
    }

    /// Whether it names that list as an enemy (clause army-lists.enemy.1).
    pub fn fought(&self, other: &Key) -> bool {
        self.enemies.iter().any(|enemy| enemy.names(other))
    }

    /// Whether it names that list as an ally (clause army-lists.ally.1).
    pub fn allied_with(&self, other: &Key) -> bool {
        self.allies.iter().flatten().any(|ally| ally.names(other))
    }

    /// Whether it says of two different allies that both furnished contingents at the same battle (clause army-lists.ally.5).
    pub fn allied_with_both(&self, one: &Key, other: &Key) -> bool {
        let stand = |at: usize, to: usize, together: &[KeyRef]| {
            at != to && together[at].names(one) && together[to].names(other)
        };
        one != other
            && self.allies.iter().any(|together| {
                (0..together.len()).any(|at| (0..together.len()).any(|to| stand(at, to, together)))
            })
    }

    /// The home terrains in words: `hilly or arable`.
    pub fn home_words(&self) -> String {
        self.homes.iter().copied().map(home_word).collect::<Vec<_>>().join(" or ")
    }
}

fn listed<T: ToString>(items: &[T], between: &str) -> String {
    if items.is_empty() {
        return "none".to_owned();
    }
    items.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

impl fmt::Display for ArmyList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let allies: Vec<String> = self.allies.iter().map(|together| listed(together, " + ")).collect();
        write!(
            f,
            "{} {}; general {}; {}; aggression {}; home {}; enemies {}; allies {}; books {}",
            self.key,
            self.title,
            self.general,
            listed(&self.entries, ", "),
            self.aggression,
            self.home_words(),
            listed(&self.enemies, ", "),
            listed(&allies, ", "),
            listed(&self.books, ", "),
        )
    }
}

/// A list as it is written, before anything of it is looked at. What is missing is none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Draft {
    pub at: Position,
    pub key: Option<Piece>,
    pub title: Option<Piece>,
    pub general: Option<Piece>,
    pub troops: Option<Vec<Piece>>,
    pub aggression: Option<Piece>,
    pub home: Option<Vec<Piece>>,
    pub enemies: Option<Vec<Piece>>,
    pub allies: Option<Vec<Piece>>,
    pub books: Option<Vec<Piece>>,
    /// What stands in no part of a list.
    pub strange: Vec<Fault>,
}

const HOLDS: &str = "army-lists.gen.6";

impl Draft {
    /// Nothing yet.
    pub fn empty(at: Position) -> Self {
        Self {
            at,
            key: None,
            title: None,
            general: None,
            troops: None,
            aggression: None,
            home: None,
            enemies: None,
            allies: None,
            books: None,
            strange: Vec::new(),
        }
    }

    /// Of one line.
    fn of(piece: &Piece) -> Self {
        let mut draft = Self::empty(piece.at);
        let mut parts = piece.parts(';').into_iter();
        if let Some(head) = parts.next() {
            let end = head.text.find(char::is_whitespace).unwrap_or(head.text.len());
            draft.title = Some(head.after(end));
            draft.key = Some(Piece::new(&head.text[..end], head.at));
        }
        for part in parts.filter(|part| !part.text.is_empty()) {
            draft.take(&part);
        }
        draft
    }

    fn take(&mut self, part: &Piece) {
        let rest = |word: &str| part.after_word(word);
        let twice = if let Some(rest) = rest("general") {
            self.general.replace(rest).is_some()
        } else if let Some(rest) = rest("aggression") {
            self.aggression.replace(rest).is_some()
        } else if let Some(rest) = rest("home") {
            self.home.replace(homes(&rest)).is_some()
        } else if let Some(rest) = rest("enemies") {
            self.enemies.replace(several(&rest)).is_some()
        } else if let Some(rest) = rest("allies") {
            self.allies.replace(several(&rest)).is_some()
        } else if let Some(rest) = rest("books") {
            self.books.replace(several(&rest)).is_some()
        } else if part.text.starts_with(|c: char| c.is_ascii_digit()) {
            self.troops.replace(several(part)).is_some()
        } else {
            let words = ["general", "aggression", "home", "enemies", "allies", "books"];
            let word = part.text.split_whitespace().next().unwrap_or_default();
            let near = did_you_mean(word, words);
            let message = format!(
                "expected {}, or troops such as `4x4Sp Farmers`, found `{word}`{near}",
                words.join(", ")
            );
            self.strange.push(Fault { at: part.at, clause: HOLDS, message });
            false
        };
        if twice {
            let message = "this stands here twice; say it once".to_owned();
            self.strange.push(Fault { at: part.at, clause: HOLDS, message });
        }
    }

    /// The list that it is.
    pub fn checked(self, rules: &Ruleset) -> Result<ArmyList, Vec<Fault>> {
        let mut faults = self.strange;
        let at = self.at;
        let mut missing = |what: &str, example: &str| {
            let message = format!("a list says {what}, such as `{example}`");
            faults.push(Fault { at, clause: HOLDS, message });
        };
        if self.general.is_none() {
            missing("who its general's element may be", "general 1x3Kn Chief");
        }
        if self.troops.is_none() {
            missing("its troops", "4x4Sp Farmers");
        }
        if self.aggression.is_none() {
            missing("its aggression", "aggression 2");
        }
        if self.home.is_none() {
            missing("its home terrain", "home arable");
        }
        if self.enemies.is_none() {
            missing("whom it fought", "enemies I/2, or none");
        }
        if self.allies.is_none() {
            missing("which allies it may have", "allies I/3, or none");
        }
        if self.books.is_none() {
            missing("which books are about it", "books none");
        }
        let key = self.key.and_then(|piece| match Key::read(&piece.text) {
            Ok(key) => Some(key),
            Err(wrong) => {
                let at = piece.place(wrong.after);
                faults.push(Fault { at, clause: "army-lists.gen.5", message: wrong.to_string() });
                None
            }
        });
        let title = self.title.and_then(|piece| {
            let good = (1..=60).contains(&piece.text.chars().count()) && !piece.text.contains([';', '\n']);
            if !good {
                let message = "a title of 1 to 60 characters, without `;`".to_owned();
                faults.push(Fault { at: piece.at, clause: "army-lists.gen.5", message });
            }
            good.then_some(piece.text)
        });
        let general = self.general.and_then(|piece| generals(&piece, rules, &mut faults));
        let entries = all(self.troops.unwrap_or_default(), |piece| troops(&piece, rules, &mut faults));
        let aggression = self.aggression.and_then(|piece| {
            let factor = piece.text.parse::<u8>().ok().and_then(Aggression::new);
            if factor.is_none() {
                let message = format!("expected an aggression from 0 to 4, found `{}`", piece.text);
                faults.push(Fault { at: piece.at, clause: "army-lists.aggr.1", message });
            }
            factor
        });
        let homes = all(self.home.unwrap_or_default(), |piece| home(&piece, &mut faults));
        let enemies =
            all(self.enemies.unwrap_or_default(), |piece| named(&piece, "army-lists.enemy.1", &mut faults));
        let allies = all(self.allies.unwrap_or_default(), |piece| {
            all(piece.parts('+'), |one| named(&one, "army-lists.ally.1", &mut faults))
        });
        let books = self.books.unwrap_or_default().into_iter().map(|piece| piece.text).collect();
        if let (Some(general), Some(entries)) = (&general, &entries) {
            faults.extend(size(general, entries, at));
        }
        match (key, title, general, entries, aggression, homes, enemies, allies) {
            (
                Some(key),
                Some(title),
                Some(general),
                Some(entries),
                Some(aggression),
                Some(homes),
                Some(enemies),
                Some(allies),
            ) if faults.is_empty() => {
                Ok(ArmyList { key, title, general, entries, aggression, homes, enemies, allies, books })
            }
            _ => {
                faults.sort_by_key(|fault| fault.at);
                Err(faults)
            }
        }
    }
}

/// Everything read, or none where anything could not be; all of it is looked at.
fn all<T>(pieces: Vec<Piece>, read: impl FnMut(Piece) -> Option<T>) -> Option<Vec<T>> {
    pieces.into_iter().map(read).collect::<Vec<_>>().into_iter().collect()
}

/// `a, b`; nothing for `none`.
pub(super) fn several(piece: &Piece) -> Vec<Piece> {
    if piece.text == "none" { Vec::new() } else { piece.parts(',') }
}

/// `hilly or arable`.
fn homes(piece: &Piece) -> Vec<Piece> {
    let mut homes = Vec::new();
    let mut rest = piece.clone();
    while let Some(at) = rest.text.find(" or ") {
        homes.push(Piece::new(rest.text[..at].trim(), rest.at));
        rest = rest.after(at + 4);
    }
    homes.push(rest);
    homes
}

fn home(piece: &Piece, faults: &mut Vec<Fault>) -> Option<HomeTerrain> {
    let found = home_of_word(&piece.text);
    if found.is_none() {
        let words = HomeTerrain::ALL.map(home_word);
        let near = did_you_mean(&piece.text, words.iter().map(String::as_str));
        let message = format!("expected a home terrain: {}; found `{}`{near}", words.join(", "), piece.text);
        faults.push(Fault { at: piece.at, clause: "army-lists.home.1", message });
    }
    found
}

fn named(piece: &Piece, clause: &'static str, faults: &mut Vec<Fault>) -> Option<KeyRef> {
    KeyRef::read(&piece.text)
        .map_err(|wrong| {
            faults.push(Fault { at: piece.place(wrong.after), clause, message: wrong.to_string() });
        })
        .ok()
}

/// The general's entry: one element in each option.
fn generals(piece: &Piece, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Entry> {
    let entry = entry::read(piece, rules, faults)?;
    let one = entry.options.iter().all(|option| {
        matches!(option.as_slice(), [item] if item.numbers.most == 1 && item.numbers.least != Some(0))
    });
    if !one {
        let message = "an army has one general's element: each option is of one, such as `1x3Kn Chief`";
        faults.push(Fault { at: entry.at, clause: "dba3.troop.12", message: message.to_owned() });
    }
    for (code, civilian, _) in sorts(&entry, rules) {
        if civilian {
            let message = format!("{code} come on top of an army and are no general's element");
            faults.push(Fault { at: entry.at, clause: "dba3.troop.12", message });
        }
    }
    one.then_some(entry)
}

fn troops(piece: &Piece, rules: &Ruleset, faults: &mut Vec<Fault>) -> Option<Entry> {
    let entry = entry::read(piece, rules, faults)?;
    for (code, civilian, command) in sorts(&entry, rules) {
        if civilian {
            let message = format!("{code} come on top of an army's twelve elements and are in no entry");
            faults.push(Fault { at: entry.at, clause: "dba3.troop.12", message });
        }
        if command {
            let message = format!("{code} is always a general's element, and stands among the others");
            faults.push(Fault { at: entry.at, clause: "dba3.troop.13", message });
        }
    }
    Some(entry)
}

/// Its codes, each with whether they are civilians and whether they are always a general's.
fn sorts<'a>(entry: &'a Entry, rules: &'a Ruleset) -> impl Iterator<Item = (&'a str, bool, bool)> {
    entry.items().flat_map(|item| &item.forms).filter_map(|form| {
        let troop = rules.troop(&form.code)?;
        let civilian = matches!(troop.kind, Kind::CampFollowers | Kind::Denizens);
        Some((form.code.as_str(), civilian, troop.is(Mark::AlwaysGeneral)))
    })
}

/// Whether twelve elements can be chosen of it, and whether its choices are few enough to be tried.
fn size(general: &Entry, entries: &[Entry], at: Position) -> Vec<Fault> {
    let mut faults = Vec::new();
    let choices = super::reading::count(std::iter::once(general).chain(entries));
    if choices > super::reading::MOST {
        let message = format!(
            "its choices come to {choices} kinds of army, and {} are the most that are told apart: make \
             several lists of it, with letters",
            super::reading::MOST
        );
        faults.push(Fault { at, clause: "army-lists.gen.5", message });
        return faults;
    }
    let totals = super::reading::totals(entries);
    let (fewest, most) = totals.iter().fold((usize::MAX, 0), |(a, b), n| (a.min(*n), b.max(*n)));
    if !totals.contains(&(usize::from(ARMY) - 1)) {
        let (fewest, most) = (fewest.saturating_add(1), most + 1);
        let message = format!(
            "an army is {ARMY} elements, its general's among them, and this list makes {}",
            if most < usize::from(ARMY) {
                format!("{most} at most: {} short", usize::from(ARMY) - most)
            } else if fewest > usize::from(ARMY) {
                format!("{fewest} at least: {} over", fewest - usize::from(ARMY))
            } else {
                "fewer or more, but not that many".to_owned()
            }
        );
        faults.push(Fault { at, clause: "army-lists.gen.7", message });
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const HILL: &str = "sample/1a Hill men; general 1x3Kn//4Bd Chief or 1xCv Chief; 6x4Sp Farmers, \
        2x3Kn Lords or 4xLH Scouts, 3x4Wb/3Wb Wild men [subject]; aggression 3; home hilly or arable; \
        enemies I/2, sample/4ab; allies sample/2, sample/3 + sample/4; books Annals of the hills";

    fn faults(text: &str) -> Vec<(usize, &'static str)> {
        let faults = ArmyList::read(text, &Ruleset::dba3()).expect_err(text);
        faults.iter().map(|f| (f.at.column, f.clause)).collect()
    }

    #[test]
    fn a_list_in_one_line_is_read_and_written_back() {
        let list = ArmyList::read(HILL, &Ruleset::dba3()).expect("a list");
        assert_eq!(list.to_string(), HILL);
        assert_eq!(
            (list.aggression.factor(), list.homes.as_slice()),
            (3, &[HomeTerrain::Hilly, HomeTerrain::Arable][..])
        );
        let key = |text: &str| Key::read(text).expect("a key");
        assert!(
            list.fought(&key("I/2c")) && list.fought(&key("sample/4b")) && !list.fought(&key("sample/4c"))
        );
        assert!(list.allied_with(&key("sample/3")) && !list.allied_with(&key("I/2")));
        assert!(list.allied_with_both(&key("sample/4"), &key("sample/3")));
        assert!(!list.allied_with_both(&key("sample/2"), &key("sample/3")));
        assert!(!list.allied_with_both(&key("sample/3"), &key("sample/3")));
    }

    #[test]
    fn what_a_list_does_not_say_is_told_all_at_once() {
        let all = faults("sample/1 Hill men");
        assert_eq!(all.len(), 7);
        assert!(all.iter().all(|(_, clause)| *clause == "army-lists.gen.6"));
    }

    #[test]
    fn each_fault_has_its_column_and_its_clause() {
        let of = |from: &str, to: &str| {
            let text = HILL.replace(from, to);
            assert_ne!(text, HILL, "{from}");
            let place = |word: &str| text.find(word).map_or(0, |at| text[..at].chars().count() + 1);
            let found = faults(&text);
            (found, place(to))
        };
        let same = |(found, at): (Vec<(usize, &'static str)>, usize), clause: &'static str| {
            assert_eq!(found, [(at, clause)]);
        };
        same(of("sample/1a", "Sample/1a"), "army-lists.gen.5");
        same(of("Hill men", "H".repeat(61).as_str()), "army-lists.gen.5");
        same(of("1x3Kn//4Bd Chief", "2x3Kn//4Bd Chief"), "dba3.troop.12");
        same(of("6x4Sp Farmers", "6x4Sp Farmers + 1xLit Prince"), "dba3.troop.13");
        same(of("6x4Sp Farmers", "6x4Sp Farmers + 1xDen Townsmen"), "dba3.troop.12");
        let (found, at) = of("aggression 3", "aggression 5");
        assert_eq!(found, [(at + 11, "army-lists.aggr.1")]);
        same(of("arable", "jungle"), "army-lists.home.1");
        let (found, at) = of("sample/4ab", "sample/4aa");
        assert_eq!(found, [(at + 9, "army-lists.enemy.1")]);
        let (found, at) = of("sample/3 +", "sample/x +");
        assert_eq!(found, [(at + 7, "army-lists.ally.1")]);
        same(of("enemies I/2, sample/4ab", "enemys I/2, sample/4ab; enemies none"), "army-lists.gen.6");
        let (found, at) = of("aggression 3", "aggression 3; aggression 2");
        assert_eq!(found, [(at + 14, "army-lists.gen.6")]);
    }

    #[test]
    fn a_list_that_makes_no_army_of_twelve_is_told_by_how_many() {
        let said = |from: &str, to: &str| {
            let faults = ArmyList::read(&HILL.replace(from, to), &Ruleset::dba3()).expect_err(to);
            assert_eq!(faults.iter().map(|f| f.clause).collect::<Vec<_>>(), ["army-lists.gen.7"]);
            faults[0].message.clone()
        };
        // General 1, Farmers 3, Scouts 4, Wild men 3: 11 at most.
        assert!(said("6x4Sp", "3x4Sp").contains("11 at most: 1 short"));
        // General 1, Farmers 12 at least: 13.
        assert!(said("6x4Sp", "12-12x4Sp").contains("13 at least: 1 over"));
    }

    #[test]
    fn a_list_with_too_many_choices_is_refused() {
        let many = ["1x4Wb/3Wb Men or 1x4Ax/3Ax Men"; 8].join(", ");
        let text = HILL.replace("6x4Sp Farmers", &many);
        assert!(faults(&text).contains(&(1, "army-lists.gen.5")));
    }
}
