//! A base on its way: rigid legs, and how near it comes to something that stands still.
//!
//! Table frame, millimetres and radians, anticlockwise positive. A shift's clearance to another base is
//! exact: the signed distance of two rectangles is convex along a straight shift, so its least value is
//! found by narrowing. A turn's is found by bisection under the bound that no point of the base moves
//! faster than its furthest corner: it is never more than an eight-hundredth of the base's width above the true
//! least value.
//!
//! Invariant: a clearance is never below the true least separation.

use super::{Corner, Footprint, Heading, Point, Pose, Separation, Vector, convex, separation};

/// How far a turn's clearance may lie above the true least value, as a share of the base's width: 0.05 mm of 40 mm.
/// A choice: a tenth of what the eye sees on a table.
pub const FINE_SHARE: f64 = 1.0 / 800.0;

/// One rigid part of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Leg {
    /// Straight, without turning, millimetres.
    Shift(Vector),
    /// Turned about a point of the table that stays still: a pivot or a wheel.
    Turn {
        /// The point that stays still.
        about: Point,
        /// Anticlockwise, radians.
        by_rad: f64,
    },
}

impl Leg {
    /// Where something that stands at `pose` comes to stand after the whole leg.
    pub fn applied_to(&self, pose: Pose) -> Pose {
        self.part(pose, 1.0)
    }

    /// Where it stands after a share of the leg, 0 at its start and 1 at its end.
    pub fn part(&self, pose: Pose, share: f64) -> Pose {
        match *self {
            Self::Shift(by) => Pose { centre: pose.centre + by * share, heading: pose.heading },
            Self::Turn { about, by_rad } => {
                let turn = Heading::from_radians(by_rad * share);
                let heading = Heading::along(turned(pose.heading.vector(), turn)).unwrap_or(pose.heading);
                Pose { centre: about + turned(pose.centre - about, turn), heading }
            }
        }
    }

    /// The leg that undoes it.
    pub fn reversed(&self) -> Self {
        match *self {
            Self::Shift(by) => Self::Shift(-by),
            Self::Turn { about, by_rad } => Self::Turn { about, by_rad: -by_rad },
        }
    }
}

/// A vector turned by the angle of `turn` from +x.
fn turned(v: Vector, turn: Heading) -> Vector {
    let by = turn.vector();
    Vector::new(v.x * by.x - v.y * by.y, v.x * by.y + v.y * by.x)
}

/// A base on one leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sweep {
    /// The base where the leg starts.
    pub base: Footprint,
    /// The leg.
    pub leg: Leg,
}

/// How near a base comes to another on a leg.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Clearance {
    /// The least separation on the way; below zero they overlap there.
    pub nearest: Separation,
    /// Where on the leg, 0 at its start and 1 at its end.
    pub share: f64,
}

impl Sweep {
    /// The base after a share of the leg.
    pub fn at(&self, share: f64) -> Footprint {
        self.base.moved_to(self.leg.part(self.base.pose(), share))
    }

    /// The base after the whole leg.
    pub fn end(&self) -> Footprint {
        self.at(1.0)
    }

    /// A length that no point of the base exceeds on its way, millimetres: the arc of its furthest corner.
    pub fn furthest_mm(&self) -> f64 {
        match self.leg {
            Leg::Shift(by) => by.norm(),
            Leg::Turn { about, by_rad } => {
                let reach = self.base.outline().iter().map(|c| (c - about).norm()).fold(0.0, f64::max);
                reach * by_rad.abs()
            }
        }
    }

    /// How near it comes to `other`, or `None` where it stays `enough_mm` away or more all the way.
    pub fn clearance(&self, other: &Footprint, enough_mm: f64) -> Option<Clearance> {
        let room = |share: f64| separation(&self.at(share), other).mm;
        let share = match self.leg {
            Leg::Shift(_) => self.least_convex(room, enough_mm),
            Leg::Turn { .. } => self.least(room, enough_mm),
        }?;
        Some(Clearance { nearest: separation(&self.at(share), other), share })
    }

    /// Where on the leg `measure` is least, within [`FINE_SHARE`] of the width, or `None` where it stays at `enough_mm` or
    /// more. `measure` takes a share of the leg and must change by no more than the base moves.
    pub fn least(&self, measure: impl Fn(f64) -> f64, enough_mm: f64) -> Option<f64> {
        let (furthest, fine_mm) = (self.furthest_mm(), FINE_SHARE * self.base.width_mm());
        let (start, end) = (measure(0.0), measure(1.0));
        let mut best = if start <= end { (start, 0.0) } else { (end, 1.0) };
        let mut open = vec![(0.0, start, 1.0, end)];
        while let Some((from, at_from, to, at_to)) = open.pop() {
            let floor = (at_from + at_to - furthest * (to - from)) / 2.0;
            if floor >= enough_mm.min(best.0) - fine_mm {
                continue;
            }
            let middle = f64::midpoint(from, to);
            let at_middle = measure(middle);
            if at_middle < best.0 {
                best = (at_middle, middle);
            }
            // The lower half last, so that it is looked at first.
            let halves = [(from, at_from, middle, at_middle), (middle, at_middle, to, at_to)];
            let lower_first = at_from <= at_to;
            open.extend(if lower_first { [halves[1], halves[0]] } else { halves });
        }
        (best.0 < enough_mm).then_some(best.1)
    }

    /// The same for a measure that is convex along the leg, and exact.
    fn least_convex(&self, measure: impl Fn(f64) -> f64, enough_mm: f64) -> Option<f64> {
        const GOLDEN: f64 = 0.618_033_988_749_894_8;
        let furthest = self.furthest_mm();
        let ends = (measure(0.0), measure(1.0));
        if (ends.0 + ends.1 - furthest) / 2.0 >= enough_mm {
            return None;
        }
        let mut best = if ends.0 <= ends.1 { (ends.0, 0.0) } else { (ends.1, 1.0) };
        let (mut low, mut high) = (0.0, 1.0);
        let mut left = high - GOLDEN * (high - low);
        let mut right = low + GOLDEN * (high - low);
        let (mut at_left, mut at_right) = (measure(left), measure(right));
        while (high - low) * furthest > 1e-7 {
            for (at, share) in [(at_left, left), (at_right, right)] {
                if at < best.0 {
                    best = (at, share);
                }
            }
            if at_left <= at_right {
                (high, right, at_right) = (right, left, at_left);
                left = high - GOLDEN * (high - low);
                at_left = measure(left);
            } else {
                (low, left, at_left) = (left, right, at_right);
                right = low + GOLDEN * (high - low);
                at_right = measure(right);
            }
        }
        (best.0 < enough_mm).then_some(best.1)
    }
}

/// The three corners that are left of a base without one of its corners: what may touch nothing while
/// that corner sweeps over something (clause dba3.ip.11 is the use).
pub fn without_corner(base: &Footprint, left_out: Corner) -> [Point; 3] {
    let kept = Corner::ALL.into_iter().filter(|c| *c != left_out);
    let mut corners = [Point::origin(); 3];
    for (slot, corner) in corners.iter_mut().zip(kept) {
        *slot = base.corner(corner);
    }
    corners
}

/// The signed distance of two convex outlines, corners in order, millimetres: below zero they overlap, and it
/// is minus the smallest shift that parts them.
pub fn convex_separation(a: &[Point], b: &[Point]) -> f64 {
    convex::gap(a, b).mm
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f64::consts::FRAC_PI_2;

    fn base(x: f64, y: f64, degrees: f64) -> Footprint {
        Footprint::new(Pose::new(x, y, degrees), 40.0, 20.0).expect("a good base")
    }

    #[test]
    fn a_wheel_about_a_front_corner_leaves_it_where_it_is() {
        let pose = Pose::new(100.0, 100.0, 90.0);
        let corner = pose.at(-20.0, 10.0);
        let end = Leg::Turn { about: corner, by_rad: FRAC_PI_2 }.applied_to(pose);
        assert!((end.at(-20.0, 10.0) - corner).norm() < 1e-12);
        assert!((end.heading.degrees() - 180.0).abs() < 1e-9);
    }

    #[test]
    fn a_shift_past_a_base_comes_as_near_as_the_gap_beside_its_way() {
        let sweep = Sweep { base: base(0.0, 0.0, 90.0), leg: Leg::Shift(Vector::new(0.0, 200.0)) };
        let found = sweep.clearance(&base(43.0, 100.0, 90.0), 10.0).expect("nearer than 10 mm");
        assert!((found.nearest.mm - 3.0).abs() < 1e-9, "{found:?}");
        assert!(sweep.clearance(&base(51.0, 100.0, 90.0), 10.0).is_none());
    }

    #[test]
    fn a_base_run_through_another_overlaps_it_on_the_way() {
        let sweep = Sweep { base: base(0.0, 0.0, 90.0), leg: Leg::Shift(Vector::new(0.0, 200.0)) };
        let found = sweep.clearance(&base(30.0, 100.0, 90.0), 0.0).expect("an overlap");
        assert!((found.nearest.mm + 10.0).abs() < 1e-6, "{found:?}");
    }

    #[test]
    fn a_turned_corner_strikes_what_its_ends_miss() {
        // Turned about its centre by 90 degrees, the corners reach out to the half diagonal, 22.4 mm.
        let sweep =
            Sweep { base: base(0.0, 0.0, 0.0), leg: Leg::Turn { about: Point::origin(), by_rad: FRAC_PI_2 } };
        let other = Footprint::new(Pose::new(121.0, 0.0, 0.0), 200.0, 200.0).expect("a good base");
        assert!(separation(&sweep.base, &other).mm > 0.5 && separation(&sweep.end(), &other).mm > 0.5);
        let found = sweep.clearance(&other, 0.0).expect("an overlap");
        let true_least = 21.0 - 500f64.sqrt();
        assert!((found.nearest.mm - true_least).abs() < FINE_SHARE * 40.0, "{found:?}");
    }

    #[test]
    fn without_a_corner_a_base_is_the_triangle_of_the_others() {
        let left = without_corner(&base(0.0, 0.0, 90.0), Corner::RearRight);
        let other = base(41.0, -18.0, 90.0);
        assert!(convex_separation(&base(0.0, 0.0, 90.0).outline(), &other.outline()) > 0.0);
        let nearer = base(35.0, -18.0, 90.0);
        assert!(convex_separation(&base(0.0, 0.0, 90.0).outline(), &nearer.outline()) < -1.0);
        assert!(convex_separation(&left, &nearer.outline()) > 0.0);
    }

    proptest! {
        /// Against a fine walk along the leg: never below it but for the walk's own step.
        #[test]
        fn no_step_of_a_walk_comes_nearer_than_the_clearance(
            x in -80.0..80.0f64, y in -80.0..80.0f64, heading in 0.0..360.0f64,
            ax in -40.0..40.0f64, ay in -40.0..40.0f64, by in -3.0..3.0f64,
        ) {
            let other = base(x, y, heading);
            for leg in [Leg::Shift(Vector::new(2.0 * ax, 2.0 * ay)), Leg::Turn { about: Point::new(ax, ay), by_rad: by }] {
                let sweep = Sweep { base: base(0.0, 0.0, 90.0), leg };
                let walked = (0..=400)
                    .map(|n| separation(&sweep.at(f64::from(n) / 400.0), &other).mm)
                    .fold(f64::INFINITY, f64::min);
                match sweep.clearance(&other, 1000.0) {
                    Some(found) => {
                        prop_assert!(found.nearest.mm <= walked + FINE_SHARE * 40.0, "{} {walked}", found.nearest.mm);
                        prop_assert!(found.nearest.mm >= walked - sweep.furthest_mm() / 400.0);
                    }
                    None => prop_assert!(false, "everything is nearer than 1000 mm"),
                }
            }
        }

        #[test]
        fn convex_outlines_and_rectangles_are_measured_alike(
            x in -80.0..80.0f64, y in -80.0..80.0f64, heading in 0.0..360.0f64,
        ) {
            let (a, b) = (base(0.0, 0.0, 90.0), base(x, y, heading));
            let (by_outline, by_base) = (convex_separation(&a.outline(), &b.outline()), separation(&a, &b).mm);
            prop_assert!((by_outline - by_base).abs() < 1e-9, "{by_outline} {by_base}");
        }
    }
}
