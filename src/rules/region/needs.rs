//! What would reach an enemy that cannot be reached: each change by itself, tried and found to do.
//!
//! Who stands in the way, or bars it with a threat zone, is found by asking again without each who is near; a way that
//! is too long by asking again from so much nearer; PIPs by asking again with more. Two changes that do only together
//! are not found. Table frame, millimetres. Invariant: with each change named some legal move lines up so.

use super::reach::{Target, reached};
use super::search::Search;
use crate::geometry::{Pose, separation};
use crate::rules::bound::Bound;
use crate::rules::{Element, Location, Settings, Setup};

/// PIPs more than it has that are tried.
const MOST_MORE: u8 = 3;
/// Times that the plain way is too long are begun nearer, the first that does: a way that turns gains less than it is
/// begun nearer.
const FURTHER: [f64; 4] = [1.0, 1.25, 1.5, 2.0];
/// How much nearer than the plain way says is begun, so that rounding does not decide, millimetres.
const SURE_MM: f64 = 1e-6;

/// A change with which an enemy could be reached.
#[derive(Debug, Clone, PartialEq)]
pub enum Need {
    /// So many PIPs more.
    Pips(u8),
    /// To begin so much nearer to the place, straight towards it, millimetres.
    Nearer(f64),
    /// A friend out of the way.
    Friend(String),
    /// An enemy gone, with its threat zone.
    Enemy(String),
}

impl Need {
    /// In words, as a remedy.
    pub fn in_words(&self) -> String {
        match self {
            Self::Pips(1) => "have 1 PIP more".to_owned(),
            Self::Pips(more) => format!("have {more} PIPs more"),
            Self::Nearer(mm) => format!("begin {mm:.1} mm nearer"),
            Self::Friend(name) => format!("move {name} out of the way first"),
            Self::Enemy(name) => format!("be rid of {name} first"),
        }
    }
}

/// The changes with which these could line up with that enemy so.
pub(super) fn needs(
    search: &Search<'_>,
    (setup, bound, settings): (&Setup, &Bound, &Settings),
    names: &[&str],
    target: &Target,
) -> Vec<Need> {
    let reaches = |setup: &Setup, bound: &Bound| {
        Search::of(setup, bound, settings, names)
            .ok()
            .and_then(|search| reached(&search, &target.enemy, target.line_up))
            .is_some_and(|found| found.way.is_some())
    };
    let mut found = Vec::new();
    let more = (1..=MOST_MORE).find(|more| {
        bound.pips.is_some_and(|pips| reaches(setup, &bound.clone().with_pips(pips.saturating_add(*more))))
    });
    found.extend(more.map(Need::Pips));
    let begins = |mm: &f64| begun_nearer(setup, names, target, *mm).is_some_and(|s| reaches(&s, bound));
    let nearer = too_long_mm(target).and_then(|mm| FURTHER.map(|times| mm * times).into_iter().find(begins));
    found.extend(nearer.map(Need::Nearer));
    let side = search.first().side;
    let others =
        search.near().elements.iter().filter(|e| e.name != target.enemy && !names.contains(&e.name.as_str()));
    for other in others.filter(|e| !e.general || e.side != side) {
        let mut without = setup.clone();
        without.elements.retain(|e| e.name != other.name);
        if reaches(&without, bound) {
            let name = other.name.clone();
            found.push(if other.side == side { Need::Friend(name) } else { Need::Enemy(name) });
        }
    }
    found
}

/// By how much the plain way is too long, where that is all that is wrong with it.
fn too_long_mm(target: &Target) -> Option<f64> {
    let mut wrong = target.refused.as_ref()?.conditions.iter().filter(|c| !c.reason.holds);
    let (only, none) = (wrong.next()?, wrong.next());
    let length = only.reason.clause.starts_with("dba3.dist.") && none.is_none();
    only.reason.margin.filter(|_| length).map(|margin| -margin.mm)
}

/// The table with the movers so much nearer to the place, straight towards it, where there is room for them.
fn begun_nearer(setup: &Setup, names: &[&str], target: &Target, mm: f64) -> Option<Setup> {
    let first = setup.element(names[0])?.footprint.pose();
    let by = target.place.centre - first.centre;
    if by.norm() <= mm {
        return None;
    }
    let step = by.normalize() * (mm + SURE_MM);
    let mut nearer = setup.clone();
    for element in nearer.elements.iter_mut().filter(|e| names.contains(&e.name.as_str())) {
        let pose = element.footprint.pose();
        element.footprint = element.footprint.moved_to(Pose { centre: pose.centre + step, ..pose });
    }
    let (moved, others): (Vec<_>, Vec<_>) =
        nearer.elements.iter().partition(|e| names.contains(&e.name.as_str()));
    let on_board = |e: &&&Element| e.location == Location::Board;
    let room = |m: &Element| {
        others.iter().filter(on_board).all(|o| separation(&m.footprint, &o.footprint).mm >= 0.0)
    };
    moved.iter().all(|m| room(m)).then_some(nearer.clone())
}
