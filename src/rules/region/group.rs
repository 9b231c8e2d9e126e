//! Where a group may go as one body: ahead, a wheel about a front corner, ahead again, another wheel;
//! straight back out of a zone; and, where it may adjust to line up, a slide and a pivot.
//!
//! A place is given as the pose of the group's first element; the others keep their places beside it. The
//! first wheel's angle given, the second's follows from the heading, and how far the group goes between
//! them from the place: two equations, two lengths. First wheels are tried by [`STEP_DEG`] and the best
//! of them refined. What decides is the judge of moves. Table frame, millimetres.

use super::reach::Reached;
use super::search::Table;
use crate::geometry::{Heading, Leg, Pose, Vector};
use crate::rules::Element;
use crate::rules::group::front_ends;
use crate::rules::movement::{Body, Ruled, straight_to};

/// Turns of less than this are none, radians.
const STRAIGHT_RAD: f64 = 1e-9;
/// Step between the first wheels tried, degrees. A choice.
const STEP_DEG: f64 = 2.0;
/// Step between the turns that the outline is the shadow of, degrees. A choice.
const TURN_DEG: f64 = 5.0;
/// Lengths of more than this to the rear are backwards, millimetres.
const BACK_MM: f64 = -1e-9;

/// A group and everything that bears on where it may go.
pub(super) struct GroupTrial<'s> {
    pub table: Table<'s>,
    pub group: Vec<&'s Element>,
    pub moves: Body<'s>,
}

/// The part of a way that goes straight ahead: before the wheels, between them, after them.
type Lengths = [f64; 3];

impl GroupTrial<'_> {
    /// The first legal way to a pose.
    pub fn way_to(&self, pose: Pose) -> Option<Reached> {
        let end = self.moves.end(pose)?;
        self.ways(pose).into_iter().find_map(|legs| match self.moves.rules(&end, &legs) {
            Ruled::Illegal => None,
            Ruled::Legal | Ruled::Ask => self.table.judged(&self.group, &legs),
        })
    }

    /// Whether there is a legal way to a pose.
    pub fn reaches(&self, pose: Pose) -> bool {
        let Some(end) = self.moves.end(pose) else { return false };
        self.ways(pose).into_iter().any(|legs| match self.moves.rules(&end, &legs) {
            Ruled::Illegal => false,
            Ruled::Legal => true,
            Ruled::Ask => self.table.judged(&self.group, &legs).is_some(),
        })
    }

    /// The ways that are tried: one wheel, two wheels, straight and pivoted there.
    pub fn ways(&self, pose: Pose) -> Vec<Vec<Leg>> {
        let from = self.group[0].footprint.pose();
        let turn = from.heading.turn_to_radians(pose.heading);
        let by = pose.centre - from.centre;
        let mut ways = Vec::new();
        if turn.abs() <= STRAIGHT_RAD && by.norm() > 0.0 {
            ways.push(vec![Leg::Shift(by)]);
        }
        ways.extend(self.lengths(pose, turn).first().map(|l| self.legs(turn, 0.0, *l)));
        ways.extend(self.two_wheels(pose, turn));
        ways.push(straight_to(from, pose));
        ways
    }

    /// Wheeled by `first` and then to the heading, with the lengths ahead that end at the pose: those of
    /// each pair of stretches that are not backwards.
    fn lengths(&self, pose: Pose, first: f64) -> Vec<Lengths> {
        let from = self.group[0].footprint.pose();
        let second = from.heading.turn_to_radians(pose.heading) - first;
        let wheeled = self.legs(first, second, [0.0; 3]).iter().fold(from, |at, leg| leg.applied_to(at));
        let rest = pose.centre - wheeled.centre;
        let ways = [from.heading, from.heading.turned_degrees(first.to_degrees()), pose.heading];
        let ways = ways.map(Heading::vector);
        let mut found = Vec::new();
        for (a, b) in [(0, 2), (0, 1), (1, 2)] {
            let Some((x, y)) = solved(ways[a], ways[b], rest) else { continue };
            if x >= BACK_MM && y >= BACK_MM {
                let mut lengths = [0.0; 3];
                (lengths[a], lengths[b]) = (x.max(0.0), y.max(0.0));
                found.push(lengths);
            }
        }
        found
    }

    /// Two wheels: the least first wheel that fits, and the one that leaves most room ahead.
    fn two_wheels(&self, pose: Pose, turn: f64) -> Vec<Vec<Leg>> {
        let most = self.most_turn_rad();
        #[expect(clippy::cast_possible_truncation, reason = "a few dozen steps")]
        let steps = (most / STEP_DEG.to_radians()).floor() as i32;
        let mut fits: Vec<(f64, Lengths)> = (-steps..=steps)
            .filter(|n| *n != 0)
            .map(|n| f64::from(n) * STEP_DEG.to_radians())
            .filter(|first| (turn - first).abs() <= most && (turn - first).abs() > STRAIGHT_RAD)
            .flat_map(|first| self.lengths(pose, first).into_iter().map(move |l| (first, l)))
            .collect();
        fits.sort_by(|a, b| a.0.abs().total_cmp(&b.0.abs()));
        let refined = fits.first().map(|(first, _)| {
            // Down to the least first wheel of that hand that fits.
            let (mut good, mut bad) = (*first, *first - first.signum() * STEP_DEG.to_radians());
            while (good - bad).abs() > 1e-7 {
                let middle = f64::midpoint(good, bad);
                if self.lengths(pose, middle).is_empty() { bad = middle } else { good = middle }
            }
            good
        });
        let least = refined.and_then(|first| self.lengths(pose, first).first().map(|l| (first, *l)));
        let widest = fits.last().copied();
        let made = [least, fits.first().copied(), widest];
        made.into_iter().flatten().map(|(first, l)| self.legs(first, turn - first, l)).collect()
    }

    /// Ahead, wheeled by `first`, ahead, wheeled by `second`, ahead.
    fn legs(&self, first: f64, second: f64, [before, between, after]: Lengths) -> Vec<Leg> {
        let mut legs: Vec<Leg> = Vec::with_capacity(5);
        let mut bodies: Vec<Element> = self.group.iter().map(|e| (*e).clone()).collect();
        let mut add = |leg: Leg, bodies: &mut Vec<Element>| {
            for body in bodies.iter_mut() {
                body.footprint = body.footprint.moved_to(leg.applied_to(body.footprint.pose()));
            }
            legs.push(leg);
        };
        let heading = |bodies: &[Element]| bodies[0].footprint.pose().heading;
        for (ahead, wheel) in [(before, first), (between, second), (after, 0.0)] {
            if ahead > 0.0 {
                add(Leg::Shift(heading(&bodies).vector() * ahead), &mut bodies);
            }
            if wheel.abs() > STRAIGHT_RAD {
                let all: Vec<&Element> = bodies.iter().collect();
                let [left, right] = front_ends(&all, heading(&bodies));
                let about = if wheel > 0.0 { left } else { right };
                add(Leg::Turn { about, by_rad: wheel }, &mut bodies);
            }
        }
        legs
    }

    /// The furthest that the outer corner lets it wheel, radians.
    fn most_turn_rad(&self) -> f64 {
        let own = self.group[0].footprint.pose().heading;
        let [left, right] = front_ends(&self.group, own);
        let half_chord = self.table.pace_mm / (2.0 * (right - left).norm());
        2.0 * half_chord.min(1.0).asin()
    }

    /// The turns to both hands that the outline is the shadow of.
    pub fn turns(&self) -> Vec<Heading> {
        let own = self.group[0].footprint.pose().heading;
        let most_deg = self.most_turn_rad().to_degrees().min(180.0);
        let mut all = Vec::new();
        let mut turn = TURN_DEG;
        while turn < most_deg {
            all.extend([own.turned_degrees(turn), own.turned_degrees(-turn)]);
            turn += TURN_DEG;
        }
        all
    }
}

/// The lengths along two ways that add up to `rest`; none where the ways are parallel.
fn solved(a: Vector, b: Vector, rest: Vector) -> Option<(f64, f64)> {
    let cross = a.x * b.y - a.y * b.x;
    if cross.abs() <= STRAIGHT_RAD {
        return None;
    }
    Some(((rest.x * b.y - rest.y * b.x) / cross, (a.x * rest.y - a.y * rest.x) / cross))
}
