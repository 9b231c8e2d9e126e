//! Which enemies can be reached this bound, on which edge, by which move and for how many PIPs.

use super::needs::{Need, needs};
use super::search::Search;
use crate::geometry::Pose;
use crate::rules::bound::Bound;
use crate::rules::conform::{Motion, Way};
use crate::rules::movement::{Judged, TacticalMove};
use crate::rules::{Element, Settings, Setup};

/// A way of lining up with an enemy, and whether it can be reached.
#[derive(Debug, Clone, PartialEq)]
pub struct Target {
    /// The enemy.
    pub enemy: String,
    /// Which edge, and how.
    pub line_up: Way,
    /// Which of the movers lines up.
    pub mover: String,
    /// Where the first of the movers would come to stand.
    pub place: Pose,
    /// How it gets there; none where no move that was tried is legal.
    pub way: Option<Reached>,
    /// Where it cannot be reached, the ruling on the plain way there with the fewest faults.
    pub refused: Option<Judged>,
    /// Where it cannot be reached, each change by itself with which it could.
    pub needs: Vec<Need>,
}

/// A legal move and its price.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// The move.
    pub made: TacticalMove,
    /// What it costs, PIPs.
    pub pips: u8,
}

/// Every way of lining up with every enemy near enough to matter, without the faults of those not reached.
pub(super) fn targets(search: &Search<'_>) -> Vec<Target> {
    search.enemies().flat_map(|enemy| Way::ALL.map(|way| best(search, enemy, way))).collect()
}

/// One way of lining up with one enemy; where it is not reached, with the faults of the plain way and what would reach.
pub(super) fn target(
    search: &Search<'_>,
    enemy: &Element,
    line_up: Way,
    (setup, bound, settings): (&Setup, &Bound, &Settings),
) -> Target {
    let mut found = best(search, enemy, line_up);
    if found.way.is_none() {
        found.refused = search.plainest(found.place);
        let names: Vec<&str> = search.movers().iter().map(|m| m.name.as_str()).collect();
        found.needs = needs(search, (setup, bound, settings), &names, &found);
    }
    found
}

/// One way of lining up with one enemy, if it is near.
pub(super) fn reached(search: &Search<'_>, enemy: &str, line_up: Way) -> Option<Target> {
    let enemy = search.enemies().find(|e| e.name == enemy)?;
    Some(best(search, enemy, line_up))
}

/// The first of the movers that can line up so, or the one that is nearest to it.
fn best(search: &Search<'_>, enemy: &Element, line_up: Way) -> Target {
    let first = search.first().footprint.pose();
    let mut nearest: Option<(f64, Target)> = None;
    for mover in search.movers() {
        let to = line_up.place(&mover.footprint, &enemy.footprint);
        let place = Motion { from: mover.footprint.pose(), to }.carries(first);
        let far = (to.centre - mover.footprint.pose().centre).norm();
        let way = search.way_to(place);
        let reached = way.is_some();
        let found = Target {
            enemy: enemy.name.clone(),
            line_up,
            mover: mover.name.clone(),
            place,
            way,
            refused: None,
            needs: Vec::new(),
        };
        if reached {
            return found;
        }
        if nearest.as_ref().is_none_or(|(least, _)| far < *least) {
            nearest = Some((far, found));
        }
    }
    nearest.expect("somebody moves").1
}
