//! Ways carried on: a legal way to a place near another, and one leg more to it.
//!
//! Each kind of way ends where it runs into something or grows too long, and from just within one small shift or turn
//! goes on where the same kind does not. While an outline is traced the last ways found are carried on; of one pose
//! the ways to poses about it are. Table frame, millimetres and degrees.

use crate::geometry::{Heading, Leg, Pose, Vector};
use crate::rules::movement::straight_to;

/// How far off a known way may end that is carried on. A choice.
const NEAR_MM: f64 = 6.0;
const NEAR_DEG: f64 = 6.0;
/// Ways kept. A choice.
const KEPT: usize = 12;
/// Ways that end nearer to each other than this, millimetres, and whose headings differ by less than [`SAME_DEG`], are
/// kept as one. A choice.
const SAME_MM: f64 = 2.0;
const SAME_DEG: f64 = 1.0;
/// How far off a pose those lie to which ways are looked for that are carried on to it. Choices.
const ABOUT_MM: [f64; 2] = [0.75, 2.0];
const ABOUT_DEG: [f64; 4] = [0.75, -0.75, 2.0, -2.0];
const DIRECTIONS: u32 = 8;

/// A way and where it ends.
#[derive(Debug, Clone)]
pub(super) struct Known {
    end: Pose,
    legs: Vec<Leg>,
}

/// The last ways that were found.
#[derive(Debug, Default)]
pub(super) struct Carry {
    last: Vec<Known>,
}

impl Carry {
    /// Keeps a way.
    pub fn keep(&mut self, end: Pose, legs: Vec<Leg>) {
        let same = |k: &Known| is_near(k.end, end, SAME_MM, SAME_DEG);
        self.last.retain(|known| !same(known));
        if self.last.len() == KEPT {
            self.last.remove(0);
        }
        self.last.push(Known { end, legs });
    }

    /// Those that end near a pose, carried on to it, the last kept first.
    pub fn on(&self, to: Pose) -> impl Iterator<Item = Vec<Leg>> + '_ {
        let near = self.last.iter().rev().filter(move |k| is_near(k.end, to, NEAR_MM, NEAR_DEG));
        near.map(move |known| carried(&known.legs, known.end, to))
    }
}

/// A way to `from` with one leg more, a shift or a turn on the spot or both.
pub(super) fn carried(legs: &[Leg], from: Pose, to: Pose) -> Vec<Leg> {
    legs.iter().copied().chain(straight_to(from, to)).collect()
}

/// Poses about one: shifted any way, and turned where it is, the nearest first.
pub(super) fn about(pose: Pose) -> impl Iterator<Item = Pose> {
    let way = |n: u32| Heading::from_degrees(360.0 / f64::from(DIRECTIONS) * f64::from(n)).vector();
    let shifted = move |by: Vector| Pose { centre: pose.centre + by, ..pose };
    let shifts = ABOUT_MM.into_iter().flat_map(move |mm| (0..DIRECTIONS).map(move |n| shifted(way(n) * mm)));
    let turns =
        ABOUT_DEG.into_iter().map(move |by| Pose { heading: pose.heading.turned_degrees(by), ..pose });
    turns.chain(shifts)
}

fn is_near(a: Pose, b: Pose, mm: f64, degrees: f64) -> bool {
    (a.centre - b.centre).norm_squared() <= mm * mm
        && a.heading.vector().dot(&b.heading.vector()) >= degrees.to_radians().cos()
}
