//! The combat calculator: two troop types, and what is said of each in place of a table.
//!
//! What is said is laid out as bases, so that the same rules judge it that judge a table: overlapping enemies stand
//! corner to corner beside the opponent, others have their front edge on a flank or, once both are taken, the rear.

use super::conditions::{Conditions, Height, Mode, Place, Reply, Situation, Stronghold};
use super::outcome::{DieError, FateRuling, Outcome, Score};
use super::{Brief, Odds, brief};
use crate::geometry::{Footprint, Heading, Point, Pose};
use crate::rules::ruleset::{Fate, Going};
use crate::rules::terrain::Surface;
use crate::rules::{AskError, Element, Location, Overhang, Reason, Settings, Setup, Side};
use crate::text::did_you_mean;
use crate::units::Scale;
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
    for entry in [a, b] {
        known(settings, entry)?;
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
    let conditions =
        Conditions { a: situation(a, b, mode), b: situation(b, a, mode), mode, ..Conditions::default() };
    let brief = both(settings, [a, b], &conditions)?;
    let blocked = [a.flanked > 0, b.flanked > 0];
    let consequences =
        [Score::ADoubles, Score::AWins, Score::Equal, Score::BWins, Score::BDoubles].map(|score| {
            let (first, second) = brief.consequence(score);
            Consequence { score, a: pinned(first, blocked[0]), b: pinned(second, blocked[1]) }
        });
    let mut found = Calculation { odds: Odds::default(), brief, consequences, blocked };
    found.odds = Odds::of(|die_a, die_b| found.outcome(die_a, die_b).expect("dice from 1 to 6"));
    Ok(found)
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
    Situation {
        ground: Some(ground),
        height: Some(own.height),
        place,
        rear_support: own.rear_support.as_ref().map(supporter),
        side_support: own.side_support.iter().map(supporter).collect(),
        further_assaulters: if mode == Mode::CloseCombat { enemy.aided } else { 0 },
        ..Situation::default()
    }
}

/// Both totals. Each side's edges are judged on a table of its own, with its enemies alone: what is said of both need
/// not fit on one.
fn both(
    settings: &Settings,
    entries: [&Entry; 2],
    conditions: &Conditions,
) -> Result<Brief, CalculatorError> {
    let of = |own: Side| brief(&laid_out(settings, entries, own), settings, conditions, "A", "B");
    let (mut first, second) = (of(Side::Red)?, of(Side::Blue)?);
    first.b = second.b;
    first.enemy_fronts.1 = second.enemy_fronts.1;
    Ok(first)
}

/// Both front to front in the middle of a board, with the enemies that press the one of side `pressed`.
fn laid_out(settings: &Settings, entries: [&Entry; 2], pressed: Side) -> Setup {
    let bw = Scale::SMALL.mm_per_bw();
    let mut elements = Vec::new();
    let sides = [(Side::Red, "A", Heading::NORTH), (Side::Blue, "B", Heading::SOUTH)];
    for (entry, (side, name, heading)) in entries.into_iter().zip(sides) {
        let front = Pose { centre: Point::new(10.0 * bw, 10.0 * bw), heading };
        let depth = settings.ruleset().troop(&entry.code).map_or(bw, |t| t.depth.small.0);
        let base = standing(name, side, &entry.code, front, (bw, depth));
        elements.push(Element { general: entry.general, ..base });
        if side == pressed {
            // Psiloi press as others do, and give no support.
            elements.extend(pressing(entry, front, bw, depth).into_iter().enumerate().map(|(n, at)| {
                standing(&format!("enemy {}", n + 1), side.enemy(), "Ps", at, (bw, bw / 2.0))
            }));
        }
    }
    Setup::bare(Scale::SMALL, (20.0 * bw, 20.0 * bw), elements)
}

/// An element whose front edge's middle is at `front`.
fn standing(name: &str, side: Side, troop: &str, front: Pose, (width, depth): (f64, f64)) -> Element {
    let pose = Pose { centre: front.at(0.0, -depth / 2.0), heading: front.heading };
    Element {
        name: name.to_owned(),
        side,
        troop: troop.to_owned(),
        footprint: Footprint::new(pose, width, depth).expect("a base of the ruleset has a width and a depth"),
        general: false,
        tower: false,
        overhang: Overhang::default(),
        location: Location::Board,
    }
}

/// Where the front edges of the enemies are that press a base with its own at `front`: flanks before the rear, and
/// overlaps on a flank that is still free.
fn pressing(entry: &Entry, front: Pose, bw: f64, depth: f64) -> Vec<Pose> {
    let facing = |vector| Heading::along(vector).expect("a heading's side has a direction");
    let (left, right) = (facing(front.heading.left()), facing(front.heading.right()));
    let contacts = [
        Pose { centre: front.at(-bw / 2.0, -bw / 2.0), heading: right },
        Pose { centre: front.at(bw / 2.0, -bw / 2.0), heading: left },
        Pose { centre: front.at(0.0, -depth), heading: front.heading },
    ];
    let against = front.heading.reversed();
    let overlaps = [
        Pose { centre: front.at(bw, 0.0), heading: against },
        Pose { centre: front.at(-bw, 0.0), heading: against },
    ];
    let contacts = contacts.into_iter().take(usize::from(entry.flanked));
    contacts.chain(overlaps.into_iter().take(usize::from(entry.overlapped))).collect()
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
