//! Where something lies and which way it looks.

use super::{Heading, Point, Vector};
use nalgebra::Vector3;

/// A place and a heading in the table frame. For an element the place is the centre of its base; for
/// a tag the centre of the tag, and the heading the way the printed tag's top points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Centre, millimetres.
    pub centre: Point,
    /// The way it looks.
    pub heading: Heading,
}

impl Pose {
    /// At (`x_mm`, `y_mm`), looking `heading_deg` anticlockwise from +x.
    pub fn new(x_mm: f64, y_mm: f64, heading_deg: f64) -> Self {
        Self { centre: Point::new(x_mm, y_mm), heading: Heading::from_degrees(heading_deg) }
    }

    /// The table point that lies `right_mm` to the right and `forward_mm` ahead of the centre.
    pub fn at(&self, right_mm: f64, forward_mm: f64) -> Point {
        self.centre + self.heading.right() * right_mm + self.heading.vector() * forward_mm
    }

    /// (right, forward) of a table point as seen from here, millimetres. The inverse of [`Pose::at`].
    pub fn seen_from_here(&self, point: Point) -> Vector {
        let d = point - self.centre;
        Vector::new(d.dot(&self.heading.right()), d.dot(&self.heading.vector()))
    }

    /// Shifted by `by_mm` and turned anticlockwise about its own centre by `turn_rad`.
    pub fn nudged(&self, by_mm: Vector, turn_rad: f64) -> Self {
        let heading = if turn_rad == 0.0 {
            self.heading
        } else {
            Heading::from_radians(self.heading.radians() + turn_rad)
        };
        Self { centre: self.centre + by_mm, heading }
    }

    /// What [`Pose::nudged`] would have to be given to come to stand as `other`: x mm, y mm, anticlockwise turn rad.
    pub fn step_to(&self, other: &Self) -> Vector3<f64> {
        let d = other.centre - self.centre;
        Vector3::new(d.x, d.y, self.heading.turn_to_radians(other.heading))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_and_forward_are_the_troops_own() {
        let pose = Pose::new(100.0, 50.0, 180.0);
        assert_eq!(pose.at(10.0, 5.0), Point::new(95.0, 60.0));
        assert_eq!(pose.seen_from_here(Point::new(95.0, 60.0)), Vector::new(10.0, 5.0));
    }
}
