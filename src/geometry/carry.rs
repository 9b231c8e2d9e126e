//! How something that was moved whole lies now: every point of it goes as one pose of it went to another.
//!
//! Table frame, millimetres. Invariant: distances and angles within it stay.

use super::{Hill, Point, Polygon, Pose, Rise, Vector};

/// A shift and turn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Carry {
    from: Pose,
    to: Pose,
}

impl Carry {
    /// From one pose to another.
    pub fn new(from: Pose, to: Pose) -> Self {
        Self { from, to }
    }

    /// Where a point went.
    pub fn point(&self, point: Point) -> Point {
        let seen = self.from.seen_from_here(point);
        self.to.at(seen.x, seen.y)
    }

    /// Where points went.
    pub fn points(&self, points: &[Point]) -> Vec<Point> {
        points.iter().map(|p| self.point(*p)).collect()
    }

    /// Where a pose went.
    pub fn pose(&self, pose: Pose) -> Pose {
        let turn = self.from.heading.turn_to_radians(self.to.heading);
        Pose { centre: self.point(pose.centre), ..pose.nudged(Vector::zeros(), turn) }
    }

    /// The turn, anticlockwise degrees.
    pub fn turn_deg(&self) -> f64 {
        self.from.heading.turn_to_radians(self.to.heading).to_degrees()
    }

    /// The outline as it went.
    pub fn outline(&self, outline: &Polygon) -> Polygon {
        Polygon::new(self.points(outline.corners())).expect("an outline that was moved whole is an outline")
    }

    /// The hill as it went.
    pub fn hill(&self, hill: &Hill) -> Hill {
        let rise = match hill.rise() {
            Rise::Stepped => Rise::Stepped,
            Rise::Sloping { crest } => Rise::Sloping { crest: self.points(crest) },
        };
        Hill::new(self.outline(hill.outline()), hill.height_mm(), rise)
            .expect("a hill that was moved is a hill")
    }

    /// How far apart this and another take what lies in an outline, at the most.
    pub fn apart_mm(&self, other: &Self, outline: &Polygon) -> f64 {
        let apart = |p: &Point| (self.point(*p) - other.point(*p)).norm();
        outline.corners().iter().map(apart).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_carried_keeps_its_form_and_goes_where_its_pose_went() {
        let (from, to) = (Pose::new(100.0, 50.0, 90.0), Pose::new(120.0, 70.0, 180.0));
        let carry = Carry::new(from, to);
        let there = carry.pose(from);
        assert!((there.centre - to.centre).norm() < 1e-9, "{there:?}");
        assert!(there.heading.turn_to_radians(to.heading).abs() < 1e-9, "{there:?}");
        // 10 mm to its right was east of it, and is north of it.
        assert!((carry.point(Point::new(110.0, 50.0)) - Point::new(120.0, 80.0)).norm() < 1e-9);
        assert!((carry.turn_deg() - 90.0).abs() < 1e-9);
        let corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 30.0)].map(|(x, y)| Point::new(x, y));
        let outline = Polygon::new(corners.to_vec()).expect("an outline");
        let there = carry.outline(&outline);
        assert!((there.area_mm2() - outline.area_mm2()).abs() < 1e-9);
        let still = Carry::new(from, from);
        assert_eq!(still.apart_mm(&still, &outline), 0.0);
        let shifted = Carry::new(from, from.nudged(Vector::new(3.0, 4.0), 0.0));
        assert!((still.apart_mm(&shifted, &outline) - 5.0).abs() < 1e-9);
    }
}
