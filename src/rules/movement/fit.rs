//! The path of a known shape that ends nearest to where everybody was seen.
//!
//! Least squares over the centres and headings of all that move, a heading weighing what its turn shifts a
//! corner at a base's width. Table frame, millimetres and radians. Invariant: a fit never ends further off,
//! by that sum, than it began.

use super::{Leg, TacticalMove};
use crate::geometry::{Heading, Point, Pose, Vector};
use crate::rules::group::front_ends;
use crate::rules::{Element, Setup};

/// Steps of the fit at most.
const STEPS: usize = 12;
/// A parameter's step for its slope: millimetres, and radians times a hundred.
const SLOPE: f64 = 1e-4;

/// A body's path in parts: ahead, wheel, ahead, wheel, ahead; `shape` says which of them there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    /// Straight ahead, millimetres.
    Ahead,
    /// Wheel about the outermost front corner on that hand, radians.
    Wheel,
}

/// The legs of a body that begins as it stands, looking along `ahead`.
pub(super) fn winding(body: &[&Element], ahead: Heading, shape: &[Part], by: &[f64]) -> Vec<Leg> {
    let [mut left, mut right] = front_ends(body, ahead);
    let mut heading = ahead;
    let mut legs = Vec::with_capacity(shape.len());
    for (part, &by) in shape.iter().zip(by) {
        let leg = match part {
            Part::Ahead => Leg::Shift(heading.vector() * by),
            Part::Wheel => Leg::Turn { about: if by >= 0.0 { left } else { right }, by_rad: by },
        };
        let carried = |at: Point| leg.applied_to(Pose { centre: at, heading }).centre;
        (left, right) = (carried(left), carried(right));
        heading = leg.applied_to(Pose { centre: left, heading }).heading;
        if by != 0.0 {
            legs.push(leg);
        }
    }
    legs
}

/// The parameters that bring a move nearest to where its movers were seen, from `start`; none where a move
/// cannot be made of them.
pub(super) fn fitted(
    start: &[f64],
    (before, after): (&Setup, &Setup),
    made: impl Fn(&[f64]) -> Option<TacticalMove>,
) -> Option<(Vec<f64>, TacticalMove)> {
    let residuals = |by: &[f64]| -> Option<Vec<f64>> { Some(off(&made(by)?, before, after)) };
    let sum = |all: &[f64]| all.iter().map(|r| r * r).sum::<f64>();
    let mut best = start.to_vec();
    let mut here = residuals(&best)?;
    let mut damping = 1e-6;
    for _ in 0..STEPS {
        let count = best.len();
        let mut slopes = nalgebra::DMatrix::zeros(here.len(), count);
        for p in 0..count {
            let mut aside = best.clone();
            aside[p] += SLOPE;
            let there = residuals(&aside)?;
            for (row, (a, b)) in there.iter().zip(&here).enumerate() {
                slopes[(row, p)] = (a - b) / SLOPE;
            }
        }
        let right = -slopes.transpose() * nalgebra::DVector::from_column_slice(&here);
        let mut normal = slopes.transpose() * &slopes;
        for p in 0..count {
            normal[(p, p)] += damping * normal[(p, p)].max(1e-9);
        }
        let Some(step) = normal.lu().solve(&right) else { break };
        let next: Vec<f64> = best.iter().zip(step.iter()).map(|(a, b)| a + b).collect();
        let Some(there) = residuals(&next) else { break };
        if sum(&there) < sum(&here) {
            let small = sum(&here) - sum(&there) < 1e-12;
            (best, here, damping) = (next, there, (damping / 10.0).max(1e-12));
            if small {
                break;
            }
        } else {
            damping *= 100.0;
            if damping > 1e6 {
                break;
            }
        }
    }
    let mv = made(&best)?;
    Some((best, mv))
}

/// How far each mover ends from where it was seen: right, ahead, and its turn over its width.
fn off(mv: &TacticalMove, before: &Setup, after: &Setup) -> Vec<f64> {
    let mut all = Vec::with_capacity(mv.movers.len() * 3);
    for mover in &mv.movers {
        let (Some(from), Some(to)) = (before.element(&mover.name), after.element(&mover.name)) else {
            continue;
        };
        let (end, seen) = (mover.end(from.footprint.pose()), to.footprint.pose());
        let by: Vector = end.centre - seen.centre;
        let turn = seen.heading.turn_to_radians(end.heading);
        all.extend([by.x, by.y, turn * from.footprint.width_mm()]);
    }
    all
}
