//! Bends that a road does not need (clause dba3.road.4).
//!
//! A road is drawn taut: part of it is laid over towards the straight line between that part's ends, until its edge
//! meets a feature that it goes round. How far it comes is bend that it does not need. The rules name no figure; half
//! a base width is let pass, for models are laid by hand: a choice. What it passes through it does not go round.
//! Table frame, millimetres.

use super::{Ground, Road};
use crate::geometry::{Binding, Margin, Part, Point, gap_to_area, of_ground};
use crate::rules::{Reason, exact};
use crate::units::Scale;

/// Bend that a road may have without need, base widths.
const NEEDLESS_BW: f64 = 0.5;
/// Points of a road whose connecting parts are drawn taut: of more, so many evenly spread.
const KNOTS: usize = 12;
/// Steps in which a part is laid over.
const STEPS: u32 = 32;
/// Rounding, millimetres.
const FINE_MM: f64 = 1e-6;

/// Bend that a part of a road does not need.
#[derive(Debug, Clone, Copy)]
struct Needless {
    mm: f64,
    /// The point that comes furthest, and where it could lie.
    at: Point,
    to: Point,
}

/// Whether a road bends no more than it must to go round features.
pub(super) fn road_bends(ground: &Ground, road: &Road, scale: Scale) -> Reason {
    let (name, bw, line) = (&road.name, scale.mm_per_bw(), road.course.line());
    let mut worst = Needless { mm: 0.0, at: line[0], to: line[0] };
    let knots = knots(line.len());
    for (n, &from) in knots.iter().enumerate() {
        for &to in knots.iter().skip(n + 1).filter(|&&to| to > from + 1) {
            let found = needless(ground, &line[from..=to], road.course.width_mm() / 2.0);
            if found.mm > worst.mm {
                worst = found;
            }
        }
    }
    let binding = Binding(of_ground(Part::RoadCentre, worst.at), of_ground(Part::RoadCentre, worst.to));
    let margin = Margin::closed(exact(NEEDLESS_BW * bw - worst.mm), binding);
    let text = if margin.satisfied() {
        format!("{name} bends by no more than it must, to {:.2} BW", worst.mm / bw)
    } else {
        format!("{name} bends {:.2} BW further than it must to go round anything", worst.mm / bw)
    };
    Reason::tested("dba3.road.4", text, margin)
}

/// The points between which a road of so many is drawn taut.
fn knots(count: usize) -> Vec<usize> {
    let last = count.saturating_sub(1);
    let most = KNOTS.min(count);
    let mut all: Vec<usize> = (0..most).map(|n| n * last / (most - 1).max(1)).collect();
    all.dedup();
    all
}

/// How far a part of a road can be laid over towards the straight line between its ends.
fn needless(ground: &Ground, part: &[Point], half_width_mm: f64) -> Needless {
    let (from, to) = (part[0], part[part.len() - 1]);
    let mut nothing = Needless { mm: 0.0, at: from, to: from };
    let along = to - from;
    let length = along.norm();
    if length < FINE_MM {
        return nothing;
    }
    let way = along / length;
    let foot = |p: Point| from + way * (p - from).dot(&way).clamp(0.0, length);
    let laid = |share: f64| -> Vec<Point> { part.iter().map(|&p| p + (foot(p) - p) * share).collect() };
    let gaps = |line: &[Point]| -> Vec<f64> {
        let gap =
            |outline| line.windows(2).map(|part| gap_to_area(part, outline).mm).fold(f64::INFINITY, f64::min);
        ground.features.iter().map(|f| gap(&f.outline)).collect()
    };
    let before = gaps(part);
    let free = |share: f64| {
        gaps(&laid(share))
            .iter()
            .zip(&before)
            .all(|(now, before)| *before <= 0.0 || *now >= before.min(half_width_mm) - FINE_MM)
    };
    let steps = (1..=STEPS).map(|n| f64::from(n) / f64::from(STEPS));
    let share = steps.take_while(|&share| free(share)).last().unwrap_or(0.0);
    for &p in part {
        let by = (foot(p) - p) * share;
        if by.norm() > nothing.mm {
            nothing = Needless { mm: by.norm(), at: p, to: p + by };
        }
    }
    nothing
}
