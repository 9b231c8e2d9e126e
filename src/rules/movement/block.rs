//! A base with its axes at hand, for asking many times over whether one runs into another.
//!
//! Table frame, millimetres and radians. Invariants: [`Block::gap`] is [`crate::geometry::separation`]'s figure where
//! the two overlap or touch, and no more than it where they do not; what a straight shift is said to reach
//! is exact, and what a turn is said to reach is so within that share of its width.

use crate::geometry::{Corner, FINE_SHARE, Footprint, Leg, Point, Vector};
use std::f64::consts::TAU;

/// An oriented rectangle by its centre, its axes and half its sides.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::rules) struct Block {
    /// Its middle.
    pub centre: Point,
    ahead: Vector,
    half_width: f64,
    half_depth: f64,
    /// From its middle to a corner.
    pub radius: f64,
}

impl Block {
    /// The block of a base.
    pub fn of(base: &Footprint) -> Self {
        let (half_width, half_depth) = (base.width_mm() / 2.0, base.depth_mm() / 2.0);
        Self {
            centre: base.pose().centre,
            ahead: base.pose().heading.vector(),
            half_width,
            half_depth,
            radius: half_width.hypot(half_depth),
        }
    }

    /// Its middle and the way it faces, bit by bit.
    pub fn bits(&self) -> [u64; 4] {
        [self.centre.x, self.centre.y, self.ahead.x, self.ahead.y].map(f64::to_bits)
    }

    fn right(&self) -> Vector {
        Vector::new(self.ahead.y, -self.ahead.x)
    }

    /// Its middle, and points a hair within its corners, the front ones first.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        let [left, right] = self.fronts();
        let across = |at: Point| self.centre - (at - self.centre);
        [left, right, across(left), across(right), self.centre].into_iter()
    }

    /// Points a hair within its front corners, left and right.
    pub fn fronts(&self) -> [Point; 2] {
        const WITHIN: f64 = 0.999;
        let (ahead, right) =
            (self.ahead * (self.half_depth * WITHIN), self.right() * (self.half_width * WITHIN));
        [self.centre + ahead - right, self.centre + ahead + right]
    }

    /// For each axis of both, how far the middle of `other` lies along it and how far both reach.
    fn along(&self, other: &Self) -> [(Vector, f64, f64); 4] {
        let between = other.centre - self.centre;
        let (own, own_right, theirs, their_right) = (self.ahead, self.right(), other.ahead, other.right());
        let (cos, sin) = (own.dot(&theirs).abs(), own.dot(&their_right).abs());
        // How far one reaches along the other's depth and width.
        let reach =
            |b: &Self| (b.half_depth * cos + b.half_width * sin, b.half_depth * sin + b.half_width * cos);
        let (mine, others) = (reach(self), reach(other));
        [
            (own, between.dot(&own), self.half_depth + others.0),
            (own_right, between.dot(&own_right), self.half_width + others.1),
            (theirs, between.dot(&theirs), other.half_depth + mine.0),
            (their_right, between.dot(&their_right), other.half_width + mine.1),
        ]
    }

    /// The same, shifted to another place.
    pub fn at(&self, centre: Point) -> Self {
        Self { centre, ..*self }
    }

    /// The axes of both, and how far apart their middles are along each where they just touch.
    pub fn reach_along(&self, other: &Self) -> [(Vector, f64); 4] {
        self.along(other).map(|(axis, _, reach)| (axis, reach))
    }

    /// The greatest gap between the two along an axis of either: below zero minus the smallest shift that
    /// parts them, else no more than their distance.
    pub fn gap(&self, other: &Self) -> f64 {
        self.along(other).iter().fold(f64::NEG_INFINITY, |most, (_, at, reach)| most.max(at.abs() - reach))
    }

    /// Whether shifted by `by` its gap to `other` comes below `limit_mm`, zero or less, anywhere on the way.
    pub fn shift_reaches(&self, by: Vector, other: &Self, limit_mm: f64) -> bool {
        if self.shift_keeps_far(by, other.centre, other.radius) {
            return false;
        }
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for (axis, at, reach) in self.along(other) {
            let (room, goes) = (reach + limit_mm, by.dot(&axis));
            if goes.abs() < 1e-12 {
                if at.abs() >= room {
                    return false;
                }
                continue;
            }
            let ends = ((at - room) / goes, (at + room) / goes);
            from = from.max(ends.0.min(ends.1));
            to = to.min(ends.0.max(ends.1));
            if room <= 0.0 || from >= to {
                // Where the way is a point the bounds may meet in it.
                return false;
            }
        }
        true
    }

    /// Whether on a leg it stays out of a circle, as far as its own circle tells: its middle goes straight or along an
    /// arc.
    pub fn keeps_far(&self, leg: &Leg, middle: Point, radius: f64) -> bool {
        match *leg {
            Leg::Shift(by) => self.shift_keeps_far(by, middle, radius),
            Leg::Turn { about, by_rad } => self.turn_keeps_far((about, by_rad), middle, radius),
        }
    }

    fn shift_keeps_far(&self, by: Vector, middle: Point, radius: f64) -> bool {
        let (between, far) = (middle - self.centre, by.norm_squared());
        let along = if far > 0.0 { (between.dot(&by) / far).clamp(0.0, 1.0) } else { 0.0 };
        (between - by * along).norm_squared() > (self.radius + radius).powi(2)
    }

    fn turn_keeps_far(&self, (about, by_rad): (Point, f64), middle: Point, radius: f64) -> bool {
        let (arm, to) = (self.centre - about, middle - about);
        let room = self.radius + radius;
        if (to.norm() - arm.norm()).abs() > room {
            return true;
        }
        // Where the turn would face it, counted from the beginning in the direction of the turn.
        let at = (arm.x * to.y - arm.y * to.x).atan2(arm.dot(&to)) * by_rad.signum();
        let at = if at < 0.0 { at + TAU } else { at };
        if at <= by_rad.abs() {
            return false;
        }
        let (sin, cos) = by_rad.sin_cos();
        let last = Vector::new(arm.x * cos - arm.y * sin, arm.x * sin + arm.y * cos);
        (to - arm).norm_squared().min((to - last).norm_squared()) > room * room
    }

    /// Whether on a leg its gap to `other` comes below `limit_mm`, zero or less.
    pub fn reaches(&self, leg: &Leg, other: &Self, limit_mm: f64) -> bool {
        match *leg {
            Leg::Shift(by) => self.shift_reaches(by, other, limit_mm),
            Leg::Turn { about, by_rad } => {
                let gap = |block: &Self| block.gap(other);
                self.turn_reaches((about, by_rad), other, limit_mm, &gap)
            }
        }
    }

    /// The same of a turn where one rear corner may sweep over things: it is left out but where the turn ends.
    pub fn turn_reaches_without(
        &self,
        rear: Corner,
        turn: (Point, f64),
        other: &Self,
        limit_mm: f64,
    ) -> bool {
        let gap = |block: &Self| block.gap_without(rear, other);
        self.turned(turn.0, turn.1).gap(other) < limit_mm || self.turn_reaches(turn, other, limit_mm, &gap)
    }

    /// The block where a leg's end takes it.
    pub fn after(&self, leg: &Leg) -> Self {
        match *leg {
            Leg::Shift(by) => Self { centre: self.centre + by, ..*self },
            Leg::Turn { about, by_rad } => self.turned(about, by_rad),
        }
    }

    fn turned(&self, about: Point, by_rad: f64) -> Self {
        let (sin, cos) = by_rad.sin_cos();
        let turn = |v: Vector| Vector::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos);
        Self { centre: about + turn(self.centre - about), ahead: turn(self.ahead), ..*self }
    }

    /// The gap to `other` of the triangle that is left without one rear corner.
    fn gap_without(&self, rear: Corner, other: &Self) -> f64 {
        let (ahead, right) = (self.ahead * self.half_depth, self.right() * self.half_width);
        let kept = if rear == Corner::RearRight { -right } else { right };
        let corners = [ahead - right, ahead + right, kept - ahead];
        // Out of the long side, which runs from the kept rear corner to the front corner of the other hand.
        let long = ahead - kept - (kept - ahead);
        let out = Vector::new(long.y, -long.x);
        let slant = (if out.dot(&kept) > 0.0 { -out } else { out }).normalize();
        let between = other.centre - self.centre;
        let reach = |way: Vector| {
            other.half_depth * other.ahead.dot(&way).abs() + other.half_width * other.right().dot(&way).abs()
        };
        let beyond = |way: Vector| {
            let own = corners.iter().map(|c| c.dot(&way)).fold(f64::NEG_INFINITY, f64::max);
            between.dot(&way) - reach(way) - own
        };
        let axes = [self.ahead, self.right(), other.ahead, other.right()];
        let most = axes.iter().flat_map(|&a| [a, -a]).map(beyond).fold(f64::NEG_INFINITY, f64::max);
        most.max(beyond(slant))
    }

    fn turn_reaches(
        &self,
        (about, by_rad): (Point, f64),
        other: &Self,
        limit_mm: f64,
        gap_of: &dyn Fn(&Self) -> f64,
    ) -> bool {
        if self.turn_keeps_far((about, by_rad), other.centre, other.radius) {
            return false;
        }
        let (ahead, right) = (self.ahead * self.half_depth, self.right() * self.half_width);
        let arm = self.centre - about;
        let reach = [ahead + right, ahead - right, -ahead + right, -ahead - right]
            .iter()
            .map(|corner| (arm + corner).norm())
            .fold(0.0, f64::max);
        let to_middle = about - other.centre;
        let from_rim = Vector::new(
            (to_middle.dot(&other.right()).abs() - other.half_width).max(0.0),
            (to_middle.dot(&other.ahead).abs() - other.half_depth).max(0.0),
        );
        if from_rim.norm() >= reach {
            return false;
        }
        let gap = |share: f64| gap_of(&self.turned(about, by_rad * share));
        let (start, end) = (gap(0.0), gap(1.0));
        if start < limit_mm || end < limit_mm {
            return true;
        }
        let fine_mm = FINE_SHARE * 2.0 * self.half_width;
        let turn = Turn { gap: &gap, limit_mm, fine_mm, furthest_mm: reach * by_rad.abs() };
        turn.meets((0.0, start), (1.0, end))
    }
}

/// A turn that is looked at by halves.
struct Turn<'g> {
    /// The gap after a share of it.
    gap: &'g dyn Fn(f64) -> f64,
    limit_mm: f64,
    fine_mm: f64,
    /// How far the furthest corner goes in all.
    furthest_mm: f64,
}

impl Turn<'_> {
    /// Whether the gap comes below the limit between two shares with their gaps: the half of the lesser gap first.
    fn meets(&self, from: (f64, f64), to: (f64, f64)) -> bool {
        if (from.1 + to.1 - self.furthest_mm * (to.0 - from.0)) / 2.0 >= self.limit_mm - self.fine_mm {
            return false;
        }
        let share = f64::midpoint(from.0, to.0);
        let middle = (share, (self.gap)(share));
        if middle.1 < self.limit_mm {
            return true;
        }
        let mut halves = [(from, middle), (middle, to)];
        if from.1 > to.1 {
            halves.reverse();
        }
        halves.into_iter().any(|(from, to)| self.meets(from, to))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, Sweep, convex_separation, separation, without_corner};
    use proptest::prelude::*;

    fn base(x: f64, y: f64, degrees: f64, depth: f64) -> Footprint {
        Footprint::new(Pose::new(x, y, degrees), 40.0, depth).expect("a good base")
    }

    proptest! {
        #[test]
        fn its_gap_is_the_separation_of_what_overlaps_and_no_more_elsewhere(
            x in -60.0..60.0f64, y in -60.0..60.0f64, own in 0.0..360.0f64, theirs in 0.0..360.0f64,
        ) {
            let (a, b) = (base(0.0, 0.0, own, 15.0), base(x, y, theirs, 30.0));
            let (gap, known) = (Block::of(&a).gap(&Block::of(&b)), separation(&a, &b).mm);
            if known <= 0.0 {
                prop_assert!((gap - known).abs() < 1e-9, "{gap} {known}");
            } else {
                prop_assert!(gap <= known + 1e-9 && gap > 0.0, "{gap} {known}");
            }
        }

        #[test]
        fn without_a_rear_corner_its_gap_is_that_of_the_triangle_that_is_left(
            x in -60.0..60.0f64, y in -60.0..60.0f64, own in 0.0..360.0f64, theirs in 0.0..360.0f64,
        ) {
            let (a, b) = (base(0.0, 0.0, own, 15.0), base(x, y, theirs, 30.0));
            for rear in [Corner::RearLeft, Corner::RearRight] {
                let gap = Block::of(&a).gap_without(rear, &Block::of(&b));
                let known = convex_separation(&without_corner(&a, rear), &b.outline());
                if known <= 0.0 {
                    prop_assert!((gap - known).abs() < 1e-9, "{gap} {known}");
                } else {
                    prop_assert!(gap <= known + 1e-9 && gap > 0.0, "{gap} {known}");
                }
            }
        }

        #[test]
        fn a_leg_reaches_what_its_clearance_says(
            x in -90.0..90.0f64, y in -90.0..90.0f64, own in 0.0..360.0f64, theirs in 0.0..360.0f64,
            ax in -80.0..80.0f64, ay in -80.0..80.0f64, by in -6.0..6.0f64, limit in -3.0..0.0f64,
        ) {
            let (a, b) = (base(0.0, 0.0, own, 15.0), base(x, y, theirs, 30.0));
            for leg in [Leg::Shift(Vector::new(ax, ay)), Leg::Turn { about: Point::new(ax / 2.0, ay / 2.0), by_rad: by }] {
                let least = Sweep { base: a, leg }.clearance(&b, 1e9).expect("nearer than a kilometre").nearest.mm;
                let found = Block::of(&a).reaches(&leg, &Block::of(&b), limit);
                let fine = if matches!(leg, Leg::Shift(_)) { 1e-6 } else { FINE_SHARE * 40.0 };
                if least < limit - fine {
                    prop_assert!(found, "{leg:?} {least} {limit}");
                }
                if least > limit + fine {
                    prop_assert!(!found, "{leg:?} {least} {limit}");
                }
                let end = Sweep { base: a, leg }.end();
                prop_assert!((Block::of(&a).after(&leg).centre - end.pose().centre).norm() < 1e-9);
            }
        }
    }
}
