//! The combat calculator: two troop types, and what is said of each in place of a table.
//!
//! What is said is laid out as bases ([`super::layout`]), so that the same rules judge it that judge a table. What cannot
//! be so together is refused; what does not count is told.

use super::conditions::{Conditions, Height, Mode, Place, Reply, Situation, Stronghold};
use super::idle::{Idle, idle};
use super::layout::both;
use super::outcome::{DieError, FateRuling, Outcome, Score};
use super::{Brief, Odds};
use crate::rules::ruleset::{Fate, Going, Kind};
use crate::rules::stronghold::bars_type;
use crate::rules::terrain::Surface;
use crate::rules::{AskError, Reason, Settings};
use crate::text::did_you_mean;
use thiserror::Error;

/// What is said of one side.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Entry {
    /// Troop code.
    pub code: String,
    /// Whether it is its general's element.
    pub general: bool,
    /// Flanks that an enemy overlaps, 0 to 2.
    pub overlapped: u8,
    /// Flanks and rear that have an enemy's front edge on them, 0 to 3.
    pub flanked: u8,
    /// Troop code of the friend behind it.
    pub rear_support: Option<String>,
    /// Troop codes of the friends beside it, two at most.
    pub side_support: Vec<String>,
    /// What lifts it over its opponent.
    pub height: Height,
    /// What it stands in, its supporters too.
    pub going: Option<Going>,
    /// What it defends.
    pub holds: Option<Stronghold>,
    /// Other elements that shoot at the same target, or assault the same place.
    pub aided: u8,
}

/// Why there is nothing to reckon.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum CalculatorError {
    /// No such troops.
    #[error("no troop type has the code `{code}`{hint}")]
    UnknownTroop {
        /// What was given.
        code: String,
        /// What is near it, or what became of it.
        hint: String,
    },
    /// More than a base has edges, or a rule counts.
    #[error("{what} takes {most} at most, not {given}")]
    TooMany {
        /// What was counted.
        what: &'static str,
        /// The most.
        most: u8,
        /// What was given.
        given: u8,
    },
    /// Troops that do not shoot.
    #[error("{code} do not shoot (dba3.sht.1); only Bows, War Wagons and Artillery do")]
    NoShooter {
        /// Their code.
        code: String,
    },
    /// Both hold a place.
    #[error("both sides hold a City, Fort or camp: one of them has to assault")]
    BothInside,
    /// Two things that cannot be so together.
    #[error("{one} and {other} cannot both be so: {why} ({clause})")]
    Contradiction {
        /// One.
        one: String,
        /// The other.
        other: String,
        /// Why.
        why: &'static str,
        /// The clause.
        clause: &'static str,
    },
    /// A figure that means nothing there.
    #[error("{what} counts {only} only")]
    OutOfPlace {
        /// What was given.
        what: &'static str,
        /// Where it counts.
        only: &'static str,
    },
    /// The combat itself.
    #[error(transparent)]
    Ask(#[from] AskError),
}

/// What becomes of both for one score.
#[derive(Debug, Clone, PartialEq)]
pub struct Consequence {
    /// The score.
    pub score: Score,
    /// Of the first element.
    pub a: FateRuling,
    /// Of the second.
    pub b: FateRuling,
}

/// A combat reckoned out.
#[derive(Debug, Clone, PartialEq)]
pub struct Calculation {
    /// Both totals before the dice, with every figure.
    pub brief: Brief,
    /// How often each score comes, of 36, and each fate.
    pub odds: Odds,
    /// What each score does, whether or not these totals can reach it.
    pub consequences: [Consequence; 5],
    /// What was said and does not count.
    pub idle: Vec<Idle>,
    blocked: [bool; 2],
}

impl Calculation {
    /// What two dice do.
    ///
    /// # Errors
    /// A die that is not 1 to 6.
    pub fn outcome(&self, die_a: u8, die_b: u8) -> Result<Outcome, DieError> {
        let outcome = self.brief.outcome(die_a, die_b)?;
        let (a, b) = (pinned(outcome.a, self.blocked[0]), pinned(outcome.b, self.blocked[1]));
        Ok(Outcome { a, b, ..outcome })
    }
}

/// Reckons what `a` and `b` bring and what comes of it; `mode` says whether `a` shoots at `b`.
///
/// # Errors
/// Unknown codes, counts that no base has room for, shooting by troops that do not shoot.
pub fn calculate(
    settings: &Settings,
    a: &Entry,
    b: &Entry,
    mode: Mode,
) -> Result<Calculation, CalculatorError> {
    let shooting = mode != Mode::CloseCombat;
    let own_codes = [a, b].map(|entry| by_own_codes(settings, entry));
    let [a, b] = &own_codes;
    contradictions([a, b], mode)?;
    for entry in [a, b] {
        known(settings, entry)?;
    }
    barred(settings, [a, b], mode)?;
    for entry in [a, b] {
        counts(entry)?;
        if shooting && (entry.overlapped > 0 || entry.flanked > 0) {
            return Err(CalculatorError::OutOfPlace {
                what: "an overlapped or flanked edge",
                only: "in close combat",
            });
        }
    }
    if a.holds.is_some() && b.holds.is_some() && !shooting {
        return Err(CalculatorError::BothInside);
    }
    let mode = match mode {
        Mode::CloseCombat => mode,
        Mode::Shooting { struck, reply, .. } => {
            for (entry, shoots) in [(a, true), (b, reply == Reply::ShootsBack)] {
                let troop = settings.ruleset().troop(&entry.code);
                if shoots && !troop.is_some_and(|t| t.shoots()) {
                    return Err(CalculatorError::NoShooter { code: entry.code.clone() });
                }
            }
            if b.aided > 0 {
                return Err(CalculatorError::OutOfPlace {
                    what: "--b-aided",
                    only: "for the one who shoots, A,",
                });
            }
            Mode::Shooting { struck, reply, aiders: a.aided }
        }
    };
    for (entry, enemy) in [(a, b), (b, a)] {
        if !shooting && entry.aided > 0 && enemy.holds.is_none() {
            let what = "a number of aiding elements";
            return Err(CalculatorError::OutOfPlace {
                what,
                only: "in shooting, or against a City, Fort or camp",
            });
        }
    }
    let (brief, consequences, blocked) = reckoned(settings, [a, b], mode)?;
    let idle = idle(settings, [a, b], mode, &brief);
    let mut found = Calculation { odds: Odds::default(), brief, consequences, idle, blocked };
    found.odds = Odds::of(|die_a, die_b| found.outcome(die_a, die_b).expect("dice from 1 to 6"));
    Ok(found)
}

type Reckoned = (Brief, [Consequence; 5], [bool; 2]);

fn reckoned(settings: &Settings, [a, b]: [&Entry; 2], mode: Mode) -> Result<Reckoned, CalculatorError> {
    let mode = match mode {
        Mode::CloseCombat => mode,
        Mode::Shooting { struck, reply, .. } => Mode::Shooting { struck, reply, aiders: a.aided },
    };
    let conditions =
        Conditions { a: situation(a, b, mode), b: situation(b, a, mode), mode, ..Conditions::default() };
    let brief = both(settings, [a, b], &conditions)?;
    // Nobody's front edge is on the flank of who is inside.
    let blocked = [a, b].map(|entry| entry.flanked > 0 && entry.holds.is_none());
    let consequences =
        [Score::ADoubles, Score::AWins, Score::Equal, Score::BWins, Score::BDoubles].map(|score| {
            let (first, second) = brief.consequence(score);
            Consequence { score, a: pinned(first, blocked[0]), b: pinned(second, blocked[1]) }
        });
    Ok((brief, consequences, blocked))
}

/// Both totals, and both fates for each score.
pub(super) type Effect = ((i32, i32), [(Fate, Fate); 5]);

/// All that a combat comes to: both totals, and both fates for each score.
pub(super) fn effect(settings: &Settings, [a, b]: &[Entry; 2], mode: Mode) -> Option<Effect> {
    let (brief, consequences, _) = reckoned(settings, [a, b], mode).ok()?;
    Some(((brief.a.total(), brief.b.total()), consequences.map(|c| (c.a.fate, c.b.fate))))
}

/// The same by the codes that the ruleset itself uses: `Sp` and `4Sp` are one.
fn by_own_codes(settings: &Settings, entry: &Entry) -> Entry {
    let own = |code: &String| settings.ruleset().troop(code).map_or(code, |troop| &troop.code).clone();
    Entry {
        code: own(&entry.code),
        rear_support: entry.rear_support.as_ref().map(own),
        side_support: entry.side_support.iter().map(own).collect(),
        ..entry.clone()
    }
}

/// What cannot be so together.
fn contradictions(entries: [&Entry; 2], mode: Mode) -> Result<(), CalculatorError> {
    let clash = |one: String, other: String, why, clause| {
        Err(CalculatorError::Contradiction { one, other, why, clause })
    };
    let [a, b] = entries.map(|entry| entry.height);
    match (a, b) {
        (Height::Uphill, Height::Uphill) => {
            let why = "of two opponents one at most is uphill";
            return clash("--a-uphill".to_owned(), "--b-uphill".to_owned(), why, "dba3.going.15");
        }
        (Height::Bank, Height::Bank) => {
            let why = "who defends a bank is on land and its opponent in the water";
            return clash("--a-bank".to_owned(), "--b-bank".to_owned(), why, "dba3.riv.9");
        }
        _ => {}
    }
    for (of, letter, other) in [(0, "a", "b"), (1, "b", "a")] {
        let entry = entries[of];
        let Some(place) = entry.holds else { continue };
        let inside = format!("--{letter}-in");
        if entries[1 - of].height == Height::Bank && mode == Mode::CloseCombat {
            let why = "who defends a bank has its opponent in the water, not in a City, Fort or camp";
            return clash(inside, format!("--{other}-bank"), why, "dba3.riv.9");
        }
        match entry.height {
            Height::Uphill if place == Stronghold::Camp => {
                let why = "who is inside a camp stands on no hill of its own";
                return clash(inside, format!("--{letter}-uphill"), why, "dba3.camp.3");
            }
            Height::Uphill => {
                let why = "who is inside a City or Fort is never uphill of those who assault it";
                return clash(inside, format!("--{letter}-uphill"), why, "dba3.bua.11");
            }
            Height::Bank if place == Stronghold::Camp => {
                let why = "a City or Fort beside a river has a bank to defend, a camp has none";
                return clash(inside, format!("--{letter}-bank"), why, "dba3.bua.10");
            }
            _ => {}
        }
        if entry.going.is_some_and(|going| going != Going::Good) && mode == Mode::CloseCombat {
            let why = "who is inside a City, Fort or camp stands in no going of its own";
            return clash(inside, format!("--{letter}-going"), why, "dba3.camp.3");
        }
    }
    Ok(())
}

/// Troops that may not be where they are said to be: inside a camp, City or Fort that keeps their type out, or in contact
/// with one (clauses dba3.camp.11, dba3.city.23, dba3.set.14, dba3.con.13, .15).
fn barred(settings: &Settings, entries: [&Entry; 2], mode: Mode) -> Result<(), CalculatorError> {
    for (of, letter, other) in [(0, "a", "b"), (1, "b", "a")] {
        let Some(troop) = settings.ruleset().troop(&entries[of].code) else { continue };
        let clash = |other: String, why, clause| {
            Err(CalculatorError::Contradiction { one: troop.code.clone(), other, why, clause })
        };
        if let Some(place) = entries[of].holds {
            let (clause, bars) = bars_type(settings, troop, place.kind());
            if bars {
                let why = "troops of that type may not occupy one";
                return clash(format!("--{letter}-in {}", place.word()), why, clause);
            }
        }
        let Some(place) = entries[1 - of].holds.filter(|_| mode == Mode::CloseCombat) else { continue };
        let what = || format!("--{other}-in {}", place.word());
        match troop.kind {
            Kind::ScythedChariots => {
                let why = "Scythed Chariots may not contact a City, Fort or camp";
                return clash(what(), why, "dba3.con.15");
            }
            Kind::Artillery | Kind::Command => {
                let why = "troops of that type move into no contact, and assault nothing";
                return clash(what(), why, "dba3.con.13");
            }
            _ => {}
        }
    }
    Ok(())
}

fn known(settings: &Settings, entry: &Entry) -> Result<(), CalculatorError> {
    let rules = settings.ruleset();
    let codes = std::iter::once(&entry.code).chain(&entry.rear_support).chain(&entry.side_support);
    for code in codes {
        if rules.troop(code).is_none() {
            let hint = match rules.retired(code) {
                Some(old) => format!(": {} ({})", old.says, old.clause),
                None => did_you_mean(code, rules.troops().iter().map(|t| t.code.as_str())),
            };
            return Err(CalculatorError::UnknownTroop { code: code.clone(), hint });
        }
    }
    Ok(())
}

fn counts(entry: &Entry) -> Result<(), CalculatorError> {
    let sides = u8::try_from(entry.side_support.len()).unwrap_or(u8::MAX);
    let given =
        [("overlapped", 2, entry.overlapped), ("flanked", 3, entry.flanked), ("side-support", 2, sides)];
    match given.into_iter().find(|(_, most, given)| given > most) {
        Some((what, most, given)) => Err(CalculatorError::TooMany { what, most, given }),
        None => Ok(()),
    }
}

fn situation(own: &Entry, enemy: &Entry, mode: Mode) -> Situation {
    let ground = Surface::of(own.going.unwrap_or(Going::Good));
    let place = match (own.holds, enemy.holds) {
        (Some(held), _) => Place::Defends(held),
        (None, Some(held)) if mode == Mode::CloseCombat => Place::Assaults(held),
        (None, _) => Place::Open,
    };
    let supporter = |code: &String| (code.clone(), ground);
    // Who holds a City or Fort at the water defends its bank against those still in it (clause dba3.bua.10).
    let height = match (own.height, own.holds) {
        (Height::Bank, Some(_)) => Height::Waterside,
        (height, _) => height,
    };
    Situation {
        ground: Some(ground),
        height: Some(height),
        place,
        rear_support: own.rear_support.as_ref().map(supporter),
        side_support: own.side_support.iter().map(supporter).collect(),
        further_assaulters: if mode == Mode::CloseCombat { enemy.aided } else { 0 },
        ..Situation::default()
    }
}

/// A recoil with an enemy's front edge on flank or rear is destruction (clause dba3.rec.16).
fn pinned(fate: FateRuling, blocked: bool) -> FateRuling {
    if !blocked || fate.fate != Fate::Recoil {
        return fate;
    }
    let text = "it would recoil, but an enemy's front edge is on its flank or rear";
    let mut reasons = vec![Reason::holds("dba3.rec.16", text)];
    reasons.extend(fate.reasons);
    FateRuling { fate: Fate::Destroyed, clause: "dba3.rec.16".to_owned(), reasons }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::combat::Struck;

    fn entry(code: &str) -> Entry {
        Entry { code: code.to_owned(), ..Entry::default() }
    }

    fn totals(a: &Entry, b: &Entry) -> (i32, i32) {
        let found = calculate(&Settings::dba3(), a, b, Mode::CloseCombat).expect("a combat");
        (found.brief.a.total(), found.brief.b.total())
    }

    fn shooting() -> Mode {
        Mode::Shooting { struck: Struck::Elsewhere, reply: Reply::None, aiders: 0 }
    }

    #[test]
    fn every_number_of_pressed_edges_costs_what_it_should() {
        for other_overlapped in 0..=2u8 {
            for overlapped in 0..=2u8 {
                for flanked in 0..=3u8 {
                    let a = Entry { overlapped, flanked, ..entry("4Bd") };
                    let b = Entry { overlapped: other_overlapped, ..entry("3Kn") };
                    // An overlap and a front edge on one flank cost 1 together; flanks are taken left, right, rear.
                    let flanks = match (flanked, overlapped) {
                        (0, n) => n,
                        (1, n) => 1 + n.min(1),
                        (n, _) => n,
                    };
                    let expected = (3 - i32::from(flanks), 3 - i32::from(other_overlapped));
                    assert_eq!(totals(&a, &b), expected, "{overlapped} overlapped, {flanked} flanked");
                }
            }
        }
        let one_each = Entry { overlapped: 1, flanked: 1, ..entry("4Bd") };
        assert_eq!(totals(&one_each, &entry("4Bd")), (3, 5));
    }

    #[test]
    fn psiloi_are_not_overlapped_by_corners_and_are_by_front_edges() {
        assert_eq!(totals(&Entry { overlapped: 2, ..entry("Ps") }, &entry("4Bd")), (2, 5));
        assert_eq!(totals(&Entry { flanked: 2, ..entry("Ps") }, &entry("4Bd")), (0, 5));
    }

    #[test]
    fn a_recoil_into_an_enemy_on_the_flank_destroys() {
        let found = calculate(
            &Settings::dba3(),
            &Entry { flanked: 1, ..entry("4Bd") },
            &entry("4Bd"),
            Mode::CloseCombat,
        )
        .expect("a combat");
        // 4 + 2 against 5 + 6.
        let lost = found.outcome(2, 6).expect("dice");
        assert_eq!((lost.a.fate, lost.a.clause.as_str()), (Fate::Destroyed, "dba3.rec.16"));
        assert_eq!(found.odds.of_a(Fate::Recoil), 0);
        // 4 + 6 against 5 + 1: less, and more than half.
        assert_eq!(found.outcome(6, 1).expect("dice").b.fate, Fate::Recoil);
    }

    #[test]
    fn clauses_examples_of_support_ground_and_places() {
        let pikes = Entry { rear_support: Some("4Pk".to_owned()), ..entry("4Pk") };
        assert_eq!(totals(&pikes, &entry("4Bd")), (6, 5));
        assert_eq!(totals(&pikes, &entry("Cv")), (4, 3));
        let general = Entry {
            general: true,
            height: Height::Uphill,
            side_support: vec!["4Sp".to_owned()],
            ..entry("Sp")
        };
        assert_eq!(totals(&general, &entry("4Bd")), (7, 5));
        let garrison = Entry { holds: Some(Stronghold::City), ..entry("4Ax") };
        assert_eq!(totals(&garrison, &entry("4Bd")), (7, 5));
        let assault = Entry { aided: 2, ..entry("4Ax") };
        let held = Entry { holds: Some(Stronghold::Fort), ..entry("4Bd") };
        assert_eq!(totals(&held, &assault), (7, 3));
        let mired = Entry { going: Some(Going::Bad), ..entry("3Kn") };
        assert_eq!(totals(&mired, &entry("4Ax")), (1, 3));
    }

    #[test]
    fn aided_shooting_takes_from_the_target_and_shooters_alone_shoot() {
        let settings = Settings::dba3();
        let three = Entry { aided: 2, ..entry("4Bw") };
        let found = calculate(&settings, &three, &entry("3Kn"), shooting()).expect("shooting");
        assert_eq!((found.brief.a.total(), found.brief.b.total()), (4, 1));
        let refused = calculate(&settings, &entry("Ps"), &entry("3Kn"), shooting());
        assert!(matches!(refused, Err(CalculatorError::NoShooter { .. })), "{refused:?}");
    }

    #[test]
    fn what_contradicts_itself_is_refused() {
        let ask = |a: Entry, b: Entry| calculate(&Settings::dba3(), &a, &b, Mode::CloseCombat);
        let on = |height| Entry { height, ..entry("4Bd") };
        let inside = |place, height| Entry { holds: Some(place), height, ..entry("4Bd") };
        let refused = [
            ask(on(Height::Uphill), on(Height::Uphill)),
            ask(on(Height::Bank), on(Height::Bank)),
            ask(inside(Stronghold::Camp, Height::Bank), entry("4Bd")),
            ask(entry("4Bd"), inside(Stronghold::City, Height::Uphill)),
            ask(on(Height::Bank), inside(Stronghold::Fort, Height::Level)),
            ask(Entry { going: Some(Going::Bad), ..inside(Stronghold::Camp, Height::Level) }, entry("4Bd")),
        ];
        for (n, found) in refused.into_iter().enumerate() {
            assert!(matches!(found, Err(CalculatorError::Contradiction { .. })), "{n}: {found:?}");
        }
        // A City at the water has a bank: 5, 4 as garrison and 1.
        let garrison = ask(inside(Stronghold::City, Height::Bank), entry("4Bd")).expect("a combat");
        assert_eq!(garrison.brief.a.total(), 10);
    }

    #[test]
    fn an_assaulter_with_an_enemy_front_on_its_flank_loses_1_and_cannot_be_overlapped() {
        let city = Entry { holds: Some(Stronghold::City), ..entry("4Bd") };
        let assaults = |flanked, overlapped| totals(&city, &Entry { flanked, overlapped, ..entry("4Bd") });
        assert_eq!(
            [assaults(0, 0), assaults(0, 2), assaults(1, 0), assaults(2, 1)],
            [(9, 5), (9, 5), (9, 4), (9, 3)]
        );
    }

    #[test]
    fn a_code_is_read_as_the_table_of_troop_types_has_it_and_as_people_write_it() {
        for (written, code) in [("Sp", "4Sp"), ("2Ps", "Ps"), ("2LH", "LH"), ("3Cv", "Cv")] {
            assert_eq!(totals(&entry(written), &entry("4Bd")), totals(&entry(code), &entry("4Bd")));
        }
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let ask = |a: Entry, b: Entry| calculate(&Settings::dba3(), &a, &b, Mode::CloseCombat);
        let unknown = ask(entry("4Bx"), entry("Ps"));
        assert!(matches!(unknown, Err(CalculatorError::UnknownTroop { .. })));
        assert!(matches!(
            ask(Entry { overlapped: 3, ..entry("4Bd") }, entry("Ps")),
            Err(CalculatorError::TooMany { most: 2, given: 3, .. })
        ));
        let inside = |code| Entry { holds: Some(Stronghold::Camp), ..entry(code) };
        assert_eq!(ask(inside("4Bd"), inside("Ps")), Err(CalculatorError::BothInside));
        assert!(matches!(
            ask(Entry { aided: 1, ..entry("4Bd") }, entry("Ps")),
            Err(CalculatorError::OutOfPlace { .. })
        ));
    }
}
