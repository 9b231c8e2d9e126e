//! Nobody goes over the board's edge: not where a move ends, nor on its way.
//!
//! Table frame, millimetres. Where a leg begins and ends all of the base counts; while it turns its middle does, so that
//! an element beside the edge may turn on the spot. Bases at the edge are measured a fraction off it, so that counts
//! which is more than the contact gap; who began over it may come back. No clause says that the table ends where the
//! board does: it is read from the one that says how far its sides go, dba3.board.4.

use super::scene::{Findings, Scene};
use crate::geometry::{Binding, Feature, Footprint, Leg, Margin, Part, Point, Sweep, Whose};
use crate::rules::{by_size, exact};

/// Adds by how much the move leaves the board, where it does.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    let over = scene.walkers.iter().map(|w| (over(&w.start(), w.legs, scene.before.board_mm), w));
    let Some(((mm, at), walker)) = over.max_by(|a, b| by_size(a.0.0, b.0.0)) else { return };
    let room = exact(scene.slack_mm() - mm);
    if room < 0.0 {
        let (width, depth) = scene.before.board_mm;
        let on = Point::new(at.x.clamp(0.0, width), at.y.clamp(0.0, depth));
        let feature = |whose, part, at| Feature { whose, part, at };
        let margin = Margin::closed(
            room,
            Binding(feature(Whose::A, Part::Inside, at), feature(Whose::Ground, Part::Inside, on)),
        );
        let text = format!("{} goes {mm:.1} mm over the board's edge", walker.name());
        found.test("dba3.board.4", text, margin, || "keep on the board".to_owned());
    }
}

/// How far a path goes over the edge of a board of that size, more than it began, and where.
pub(super) fn over(start: &Footprint, legs: &[Leg], board_mm: (f64, f64)) -> (f64, Point) {
    let began = all_over(start, board_mm).0.max(0.0);
    let mut worst = (0.0, start.pose().centre);
    let mut pose = start.pose();
    for &leg in legs {
        let sweep = Sweep { base: start.moved_to(pose), leg };
        let middle = |share: f64| sweep.at(share).pose().centre;
        let turning = match leg {
            Leg::Turn { .. } => sweep.least(|share| -point_over(middle(share), board_mm), 0.0).map(middle),
            Leg::Shift(_) => None,
        };
        let end = all_over(&sweep.end(), board_mm);
        for (mm, at) in turning.map(|at| (point_over(at, board_mm), at)).into_iter().chain([end]) {
            if mm - began > worst.0 {
                worst = (mm - began, at);
            }
        }
        pose = leg.applied_to(pose);
    }
    worst
}

/// How far a base that ends there lies over the edge of a board, more than it began, millimetres.
pub(super) fn ends_over(start: &Footprint, end: &Footprint, board_mm: (f64, f64)) -> f64 {
    all_over(end, board_mm).0 - all_over(start, board_mm).0.max(0.0)
}

/// How far a base at rest lies over the edge at most, millimetres, below zero within the board, and which corner.
pub(in crate::rules) fn all_over(base: &Footprint, board_mm: (f64, f64)) -> (f64, Point) {
    let corners = base.outline().map(|corner| (point_over(corner, board_mm), corner));
    corners.into_iter().fold((f64::NEG_INFINITY, base.pose().centre), |a, b| if b.0 > a.0 { b } else { a })
}

/// How far a point lies beyond the nearest edge, millimetres, below zero within the board.
fn point_over(p: Point, (width, depth): (f64, f64)) -> f64 {
    (-p.x).max(-p.y).max(p.x - width).max(p.y - depth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, Vector};
    use std::f64::consts::PI;

    const BOARD: (f64, f64) = (600.0, 600.0);

    fn base(x: f64, y: f64) -> Footprint {
        Footprint::new(Pose::new(x, y, 90.0), 40.0, 20.0).expect("a good base")
    }

    #[test]
    fn where_it_ends_all_of_it_counts_and_who_began_over_the_edge_may_come_back() {
        let out = [Leg::Shift(Vector::new(-30.0, 0.0))];
        assert!((over(&base(45.0, 100.0), &out, BOARD).0 - 5.0).abs() < 1e-9);
        assert!(over(&base(50.0, 100.0), &out, BOARD).0.abs() < 1e-9);
        let back = [Leg::Shift(Vector::new(5.0, 0.0))];
        assert!(over(&base(10.0, 100.0), &back, BOARD).0.abs() < 1e-9);
    }

    #[test]
    fn a_turn_on_the_spot_beside_the_edge_stays_on_and_a_circle_beyond_it_does_not() {
        let at = base(20.0, 10.0);
        let about = Leg::Turn { about: at.pose().centre, by_rad: PI };
        assert!(over(&at, &[about], BOARD).0.abs() < 1e-9);
        // From 50 mm off the left edge half round a point on it: the middle comes 50 mm beyond.
        let start = base(50.0, 300.0);
        let round = Leg::Turn { about: Point::new(0.0, 300.0), by_rad: 2.0 * PI };
        assert!((over(&start, &[round], BOARD).0 - 50.0).abs() < 0.06);
    }
}
