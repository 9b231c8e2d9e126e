//! The ways by which a single element may be taken to a place: rigid legs, the plainest first.
//!
//! A tactical move of a single element goes any way and ends facing any way (clauses dba3.move.8, .10), so
//! where it may end depends on whether some path is legal. The family tried is: straight and turned on
//! the spot; turned first and then straight; by way of a stage, behind the place as it faces there or
//! ahead of where it begins, where it turns; and by way of points round whatever stands in between, as it
//! stands, with a side leading, or turned at once ([`super::detours`]).

use crate::geometry::{Footprint, Heading, Leg, Point, Pose, Vector};

/// Turns of less than this are none, radians.
const STRAIGHT_RAD: f64 = 1e-12;
/// Shifts of less than this are none, millimetres.
const STILL_MM: f64 = 1e-12;

/// A path under way: where it has come to, and its legs so far.
#[derive(Debug, Clone)]
pub(super) struct Path {
    at: Pose,
    /// The legs.
    pub legs: Vec<Leg>,
}

impl Path {
    /// Begins where a base stands.
    pub fn from(at: Pose) -> Self {
        Self { at, legs: Vec::with_capacity(5) }
    }

    /// Straight to a point.
    pub fn to(mut self, point: Point) -> Self {
        let by: Vector = point - self.at.centre;
        if by.norm() > STILL_MM {
            self.legs.push(Leg::Shift(by));
            self.at.centre = point;
        }
        self
    }

    /// Turned on the spot, the short way round.
    pub fn facing(mut self, heading: Heading) -> Self {
        let by_rad = self.at.heading.turn_to_radians(heading);
        if by_rad.abs() > STRAIGHT_RAD {
            self.legs.push(Leg::Turn { about: self.at.centre, by_rad });
            self.at.heading = heading;
        }
        self
    }
}

/// The direct ways from where a base stands to a pose.
pub(super) fn direct(base: &Footprint, to: Pose) -> impl Iterator<Item = Vec<Leg>> {
    let from = base.pose();
    let half = base.width_mm().hypot(base.depth_mm()) / 2.0;
    let turned = from.heading.turn_to_radians(to.heading).abs() > STRAIGHT_RAD;
    let stages = [half, 2.0 * half];
    let plain = [
        Path::from(from).to(to.centre).facing(to.heading),
        Path::from(from).facing(to.heading).to(to.centre),
    ];
    let behind = stages.map(|by| Path::from(from).to(to.at(0.0, -by)).facing(to.heading).to(to.centre));
    let ahead = stages.map(|by| Path::from(from).to(from.at(0.0, by)).facing(to.heading).to(to.centre));
    // Without a turn they are all the straight way or a detour from it.
    let count = if turned { usize::MAX } else { 1 };
    plain.into_iter().chain(behind).chain(ahead).map(|path| path.legs).take(count)
}

/// The ways round by these points, which are reached facing `heading`: turned at the last of them or at
/// the end.
pub(super) fn round(base: &Footprint, heading: Heading, by: &[Point], to: Pose) -> [Vec<Leg>; 2] {
    let along = by.iter().fold(Path::from(base.pose()).facing(heading), |path, point| path.to(*point));
    [along.clone().to(to.centre).facing(to.heading).legs, along.facing(to.heading).to(to.centre).legs]
}

/// The way round by one point, turned at once as it will stand.
pub(super) fn turned(base: &Footprint, by: &Point, to: Pose) -> Vec<Leg> {
    Path::from(base.pose()).facing(to.heading).to(*by).to(to.centre).legs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(from: Pose, legs: &[Leg]) -> Pose {
        legs.iter().fold(from, |at, leg| leg.applied_to(at))
    }

    #[test]
    fn every_way_ends_where_it_should() {
        let base = Footprint::new(Pose::new(100.0, 50.0, 90.0), 40.0, 15.0).expect("a good base");
        let to = Pose::new(160.0, 110.0, 200.0);
        let by = [Point::new(120.0, 60.0), Point::new(150.0, 80.0)];
        let ways: Vec<Vec<Leg>> = direct(&base, to)
            .chain(round(&base, base.pose().heading, &by, to))
            .chain([turned(&base, &by[0], to)])
            .collect();
        assert_eq!(ways.len(), 9);
        for legs in ways {
            let at = end(base.pose(), &legs);
            assert!((at.centre - to.centre).norm() < 1e-9, "{legs:?}");
            assert!(at.heading.turn_to_radians(to.heading).abs() < 1e-9);
        }
    }

    #[test]
    fn without_a_turn_there_is_one_straight_way() {
        let base = Footprint::new(Pose::new(100.0, 50.0, 90.0), 40.0, 15.0).expect("a good base");
        let to = Pose { centre: Point::new(100.0, 90.0), ..base.pose() };
        assert_eq!(direct(&base, to).collect::<Vec<_>>(), [vec![Leg::Shift(Vector::new(0.0, 40.0))]]);
    }
}
