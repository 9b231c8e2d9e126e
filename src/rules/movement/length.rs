//! How far the front corners of a base travel along a path, however it is written.
//!
//! Table frame, millimetres and radians. A shift counts its length. A turn about a point of the base itself, or of the
//! body that it goes with, counts the straight line between where it takes the corner from and to: the front sweeps
//! over all of the ground in between, so nothing is gone round (examples of clauses dba3.dist.1 and dba3.set.36). A
//! turn about any other point goes round what lies within, and counts its arc (clause dba3.dist.2).
//!
//! Invariants: a path is no shorter than the straight distance of the corner; a turn written in parts about the same
//! point counts what it counts written as one.

use super::scene::FRONT;
use crate::geometry::{Footprint, Leg, Point, Pose};

/// Points nearer than this are the same, millimetres.
const SAME_MM: f64 = 1e-6;

/// How far each front corner travels along a path, left and right. `body` is where those stand who go rigidly together,
/// the base itself among them, before the first leg; `room_mm` is how far off them a point still counts as theirs.
pub(super) fn travelled_mm(start: &Footprint, legs: &[Leg], body: &[Footprint], room_mm: f64) -> [f64; 2] {
    let mut gone = [0.0; 2];
    let mut pose = start.pose();
    // Where the corners were when the turn about this point began.
    let mut turning: Option<(Point, [Point; 2])> = None;
    for leg in legs {
        let at = corners(start, pose);
        let next_pose = leg.applied_to(pose);
        let next = corners(start, next_pose);
        match *leg {
            Leg::Shift(by) => {
                gone = gone.map(|mm| mm + by.norm());
                turning = None;
            }
            Leg::Turn { about, .. } if is_own((start, pose), about, body, room_mm) => {
                let same = turning.filter(|(point, _)| (point - about).norm() < SAME_MM);
                let from = same.map_or(at, |(_, from)| from);
                for n in 0..2 {
                    gone[n] += (next[n] - from[n]).norm() - (at[n] - from[n]).norm();
                }
                turning = Some((about, from));
            }
            Leg::Turn { about, by_rad } => {
                for n in 0..2 {
                    gone[n] += (at[n] - about).norm() * by_rad.abs();
                }
                turning = None;
            }
        }
        pose = next_pose;
    }
    gone
}

fn corners(base: &Footprint, pose: Pose) -> [Point; 2] {
    let there = base.moved_to(pose);
    FRONT.map(|corner| there.corner(corner))
}

/// Whether a point belongs to a base that has come to `pose`, or to the body that has come along with it.
fn is_own((start, pose): (&Footprint, Pose), about: Point, body: &[Footprint], room_mm: f64) -> bool {
    let seen = pose.seen_from_here(about);
    // Where the point was of the body before it set out.
    let was = start.pose().at(seen.x, seen.y);
    body.iter().any(|base| base.distance_to_point(was) <= room_mm)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Corner, Vector};
    use std::f64::consts::{PI, TAU};

    fn base() -> Footprint {
        Footprint::new(Pose::new(100.0, 100.0, 90.0), 40.0, 20.0).expect("a good base")
    }

    fn travels(legs: &[Leg]) -> [f64; 2] {
        travelled_mm(&base(), legs, &[base()], 1.0)
    }

    fn close(found: [f64; 2], known: [f64; 2]) {
        assert!((found[0] - known[0]).hypot(found[1] - known[1]) < 1e-6, "{found:?} is not {known:?}");
    }

    #[test]
    fn a_quarter_wheel_counts_its_chord_and_a_turn_about_on_its_own_footprint_the_diagonal() {
        let about = base().corner(Corner::FrontLeft);
        close(travels(&[Leg::Turn { about, by_rad: PI / 2.0 }]), [0.0, 40.0 * 2f64.sqrt()]);
        let diagonal = 40f64.hypot(20.0);
        close(travels(&[Leg::Turn { about: base().pose().centre, by_rad: PI }]), [diagonal; 2]);
    }

    #[test]
    fn a_turn_about_a_far_point_counts_its_arc_however_much_of_a_circle_it_is() {
        // 100 mm to the left of its front edge's left end, level with it.
        let about = base().corner(Corner::FrontLeft) - Vector::new(100.0, 0.0);
        for by_rad in [0.1, PI / 2.0, PI, 1.9 * PI] {
            close(travels(&[Leg::Turn { about, by_rad }]), [100.0 * by_rad, 140.0 * by_rad]);
        }
    }

    #[test]
    fn written_in_parts_a_turn_counts_the_same() {
        for about in [base().corner(Corner::FrontRight), Point::new(300.0, 20.0)] {
            let whole = [Leg::Turn { about, by_rad: -2.0 }];
            let parts = [-0.5, -0.7, -0.8].map(|by_rad| Leg::Turn { about, by_rad });
            close(travels(&parts), travels(&whole));
        }
    }

    #[test]
    fn swings_about_one_corner_count_at_the_other() {
        // A half turn about the right corner, then one about the left: each takes the other corner two widths on.
        let (right, left) = (base().corner(Corner::FrontRight), base().corner(Corner::FrontLeft));
        let first = Leg::Turn { about: right, by_rad: -PI };
        let swung = base().moved_to(first.applied_to(base().pose())).corner(Corner::FrontLeft);
        assert!((swung - left - Vector::new(80.0, 0.0)).norm() < 1e-9);
        close(travels(&[first, Leg::Turn { about: swung, by_rad: -PI }]), [80.0, 80.0]);
        close(
            travels(&[first, Leg::Turn { about: right, by_rad: -PI }, Leg::Shift(Vector::new(0.0, 10.0))]),
            [10.0, 10.0],
        );
    }

    #[test]
    fn a_body_wheels_about_its_own_end_and_not_about_a_point_beside_it() {
        let left = base().moved_to(Pose { centre: base().pose().at(-40.0, 0.0), ..base().pose() });
        let end = left.corner(Corner::FrontLeft);
        let ahead = Leg::Shift(Vector::new(0.0, 30.0));
        let wheel = Leg::Turn { about: end + Vector::new(0.0, 30.0), by_rad: PI / 6.0 };
        let chord = |arm: f64| 2.0 * arm * (PI / 12.0).sin();
        close(
            travelled_mm(&base(), &[ahead, wheel], &[left, base()], 1.0),
            [30.0 + chord(40.0), 30.0 + chord(80.0)],
        );
        close(
            travelled_mm(&base(), &[ahead, wheel], &[base()], 1.0),
            [30.0 + 40.0 * PI / 6.0, 30.0 + 80.0 * PI / 6.0],
        );
        let all_round = Leg::Turn { about: end, by_rad: TAU };
        close(travelled_mm(&base(), &[all_round], &[base()], 1.0), [40.0 * TAU, 80.0 * TAU]);
    }
}
