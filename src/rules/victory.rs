//! Who has lost what, how it counts, and who has lost the battle.
//!
//! Losses count in elements. An element is lost once it is off the board; what else a side has lost (its camp, a City)
//! is given with it. Nothing is decided in the middle of a bound. Clauses: dba3.lost.1, .2, dba3.vic.1 to .11, and the
//! settings dba3.set.93 and .94.

use super::ruleset::{Kind, Mark, Ruleset};
use super::settings::CampSackedWhen;
use super::{Location, Reason, Settings, Setup, Side};
use serde::{Deserialize, Serialize};

/// How many lost elements lose a battle (clause dba3.vic.1).
pub const LOSING: i32 = 4;

/// What has become of a side's camp.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CampState {
    /// It has none.
    #[default]
    NoCamp,
    /// It has one, and no enemy is or was in it.
    Stands,
    /// An enemy moved into it, and nobody had defended it.
    EnteredEmpty,
    /// Its defenders were destroyed and an enemy moved into it.
    Stormed,
}

/// What has become of a side's City.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum CityState {
    /// It has none, or holds it.
    #[default]
    Own,
    /// An enemy element occupied it during the battle, and the enemy controls it still.
    Taken,
    /// It was taken and is its owner's again.
    Retaken,
    /// It surrendered, no enemy element ever moved in, and the enemy controls it.
    SurrenderedUnentered,
}

/// What a side has lost beside its elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Places {
    /// Its camp.
    pub camp: CampState,
    /// Its City.
    pub city: CityState,
}

/// One line of the sum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// What was lost.
    pub what: String,
    /// How much it counts.
    pub counts: i32,
    /// The clauses.
    pub reasons: Vec<LineReason>,
}

/// A clause of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineReason {
    /// Clause id.
    pub clause: &'static str,
    /// What it comes to.
    pub text: String,
}

/// A side's losses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// Whose.
    pub side: Side,
    /// The sum, line by line, in the setup's order, places last.
    pub lines: Vec<Line>,
}

impl Tally {
    /// The sum.
    pub fn total(&self) -> i32 {
        self.lines.iter().map(|l| l.counts).sum()
    }

    /// Every clause, as reasons.
    pub fn reasons(&self) -> impl Iterator<Item = Reason> + '_ {
        self.lines.iter().flat_map(|l| &l.reasons).map(|r| Reason::holds(r.clause, r.text.clone()))
    }
}

/// Counts what `side` has lost.
pub fn tally(setup: &Setup, settings: &Settings, side: Side, places: Places) -> Tally {
    let mut lines = Vec::new();
    let mut doubles = 0;
    for element in setup.elements.iter().filter(|e| e.side == side && e.location == Location::Off) {
        let mut counted = element_line(&element.name, &element.troop, settings.ruleset(), &mut doubles);
        if setup.is_allied_general(&element.name) {
            let text = format!("{} is an allied general's: it counts as any other element", element.name);
            counted.reasons.push(LineReason { clause: "army-lists.ally.7", text });
        }
        lines.push(counted);
        if element.general {
            lines.push(line(
                format!("{} was the general", element.name),
                1,
                "dba3.vic.4",
                "a lost general counts one more",
            ));
        }
    }
    lines.extend(camp_line(settings, places));
    lines.extend(city_line(settings, places));
    if lines.is_empty() {
        lines.push(line("nothing".to_owned(), 0, "dba3.lost.1", "no element of it is off the table"));
    }
    Tally { side, lines }
}

fn line(what: String, counts: i32, clause: &'static str, why: &str) -> Line {
    let text = format!("{what}: {why}");
    Line { what, counts, reasons: vec![LineReason { clause, text }] }
}

fn element_line(name: &str, code: &str, rules: &Ruleset, doubles: &mut u32) -> Line {
    let what = format!("{name} ({code})");
    let troop = rules.troop(code);
    let uncounted = match troop.map(|t| t.kind) {
        Some(Kind::ScythedChariots) => Some(("dba3.vic.9", "scythed chariots do not count")),
        Some(Kind::Hordes) => Some(("dba3.vic.10", "hordes do not count")),
        Some(Kind::CampFollowers | Kind::Denizens) => {
            Some(("dba3.vic.11", "camp followers and denizens do not count"))
        }
        _ => None,
    };
    if let Some((clause, why)) = uncounted {
        return line(what, 0, clause, why);
    }
    if troop.is_some_and(|t| t.is(Mark::Double)) {
        *doubles += 1;
        let (counts, why) = if *doubles == 1 {
            (2, "the first double element counts two")
        } else {
            (1, "a double element after the first counts one")
        };
        return line(what, counts, "dba3.vic.3", why);
    }
    line(what, 1, "dba3.lost.1", "it is lost")
}

fn camp_line(settings: &Settings, places: Places) -> Option<Line> {
    let (counts, clauses): (i32, Vec<(&'static str, &str)>) = match (places.camp, settings.camp_sacked_when) {
        (CampState::NoCamp | CampState::Stands, _) => return None,
        (CampState::Stormed, _) => (1, vec![("dba3.vic.5", "a sacked camp counts one")]),
        (CampState::EnteredEmpty, CampSackedWhen::EnemyEnters) => (
            1,
            vec![
                ("dba3.set.93", "it is sacked as soon as an enemy is in it"),
                ("dba3.vic.5", "a sacked camp counts one"),
            ],
        ),
        (CampState::EnteredEmpty, CampSackedWhen::DefendersDestroyed) => {
            (0, vec![("dba3.set.93", "by the setting an undefended camp is not sacked")])
        }
    };
    Some(told("the camp", counts, &clauses))
}

fn city_line(settings: &Settings, places: Places) -> Option<Line> {
    let had_camp = places.camp != CampState::NoCamp;
    let full = |clauses: Vec<(&'static str, &'static str)>| {
        let (counts, clause, why) = if had_camp {
            (1, "dba3.vic.8", "its owner has a camp as well: it counts one")
        } else {
            (2, "dba3.vic.7", "its owner has no camp: it counts two")
        };
        let all: Vec<(&'static str, &str)> = std::iter::once((clause, why)).chain(clauses).collect();
        told("the City", counts, &all)
    };
    match places.city {
        CityState::Own => None,
        CityState::Taken => Some(full(vec![("dba3.vic.6", "the enemy occupied it and controls it still")])),
        CityState::Retaken => Some(told("the City", 0, &[("dba3.vic.6", "the enemy no longer controls it")])),
        CityState::SurrenderedUnentered if settings.surrendered_city_counts_unentered => {
            Some(full(vec![("dba3.set.94", "by the setting it counts though nobody entered it")]))
        }
        CityState::SurrenderedUnentered => Some(told(
            "the City",
            0,
            &[
                ("dba3.set.94", "it surrendered, and no enemy element moved in"),
                ("dba3.vic.6", "the enemy has not occupied it"),
            ],
        )),
    }
}

fn told(what: &str, counts: i32, clauses: &[(&'static str, &str)]) -> Line {
    let reasons = clauses.iter().map(|(clause, why)| LineReason { clause, text: format!("{what}: {why}") });
    Line { what: what.to_owned(), counts, reasons: reasons.collect() }
}

/// When the sums are looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Moment {
    /// At the end of either side's bound.
    EndOfBound,
    /// Before it.
    WithinBound,
}

/// How the battle stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Stand {
    /// The first army's losses.
    pub red: Tally,
    /// The second's.
    pub blue: Tally,
    /// Who has lost the battle; none while it goes on.
    pub loser: Option<Side>,
    /// The clauses, the deciding one first.
    pub reasons: Vec<Reason>,
}

/// How the battle stands: who has lost it, if anybody (clauses dba3.vic.1, .2).
pub fn stand(setup: &Setup, settings: &Settings, places: (Places, Places), moment: Moment) -> Stand {
    let red = tally(setup, settings, Side::Red, places.0);
    let blue = tally(setup, settings, Side::Blue, places.1);
    let (r, b) = (red.total(), blue.total());
    let would_lose = match (r, b) {
        (r, b) if r >= LOSING && r > b => Some(Side::Red),
        (r, b) if b >= LOSING && b > r => Some(Side::Blue),
        _ => None,
    };
    let sum =
        format!("red has lost {r}, blue {b}; {LOSING} or more, and more than the enemy, lose the battle");
    let mut reasons = Vec::new();
    let loser = match moment {
        Moment::EndOfBound => {
            reasons.push(Reason { holds: would_lose.is_some(), ..Reason::holds("dba3.vic.1", sum) });
            reasons.push(Reason::holds("dba3.vic.2", "it is the end of a bound"));
            would_lose
        }
        Moment::WithinBound => {
            reasons.push(Reason::fails("dba3.vic.2", "the bound has not ended: nothing is decided yet"));
            reasons.push(Reason { holds: would_lose.is_some(), ..Reason::holds("dba3.vic.1", sum) });
            None
        }
    };
    reasons.extend(red.reasons());
    reasons.extend(blue.reasons());
    Stand { red, blue, loser, reasons }
}
