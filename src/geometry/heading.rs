//! A direction on the table, kept as a unit vector.

use super::Vector;
use std::fmt;

/// The way something looks, anticlockwise from +x. Invariant: the vector inside has length 1.
#[derive(Clone, Copy, PartialEq)]
pub struct Heading(Vector);

impl Heading {
    /// Towards +x.
    pub const EAST: Self = Self(Vector::new(1.0, 0.0));
    /// Towards +y, away from the near edge.
    pub const NORTH: Self = Self(Vector::new(0.0, 1.0));
    /// Towards -x.
    pub const WEST: Self = Self(Vector::new(-1.0, 0.0));
    /// Towards -y.
    pub const SOUTH: Self = Self(Vector::new(0.0, -1.0));

    /// From degrees anticlockwise from +x. Quarter turns are exact.
    pub fn from_degrees(degrees: f64) -> Self {
        let quarter = degrees.rem_euclid(360.0);
        if quarter == 0.0 {
            Self::EAST
        } else if quarter == 90.0 {
            Self::NORTH
        } else if quarter == 180.0 {
            Self::WEST
        } else if quarter == 270.0 {
            Self::SOUTH
        } else {
            Self::from_radians(degrees.to_radians())
        }
    }

    /// From radians anticlockwise from +x.
    pub fn from_radians(radians: f64) -> Self {
        let (sin, cos) = radians.sin_cos();
        Self(Vector::new(cos, sin))
    }

    /// Along `direction`, or `None` where it has no length or is not finite.
    pub fn along(direction: Vector) -> Option<Self> {
        let length = direction.norm();
        (length.is_finite() && length > 0.0).then(|| Self(direction / length))
    }

    /// The unit vector.
    pub fn vector(self) -> Vector {
        self.0
    }

    /// The unit vector a quarter turn to the left (anticlockwise).
    pub fn left(self) -> Vector {
        Vector::new(-self.0.y, self.0.x)
    }

    /// The unit vector a quarter turn to the right (clockwise).
    pub fn right(self) -> Vector {
        Vector::new(self.0.y, -self.0.x)
    }

    /// The opposite way.
    pub fn reversed(self) -> Self {
        Self(-self.0)
    }

    /// Turned anticlockwise by `degrees`.
    pub fn turned_degrees(self, degrees: f64) -> Self {
        let by = Self::from_degrees(degrees).0;
        Self(Vector::new(self.0.x * by.x - self.0.y * by.y, self.0.x * by.y + self.0.y * by.x))
    }

    /// Degrees anticlockwise from +x, from 0 up to but not including 360.
    pub fn degrees(self) -> f64 {
        let degrees = self.radians().to_degrees().rem_euclid(360.0);
        if degrees >= 360.0 { 0.0 } else { degrees }
    }

    /// Radians anticlockwise from +x, in -pi to pi.
    pub fn radians(self) -> f64 {
        self.0.y.atan2(self.0.x)
    }

    /// The signed turn from `self` to `other` in radians, anticlockwise positive, in -pi to pi.
    pub fn turn_to_radians(self, other: Self) -> f64 {
        let cross = self.0.x * other.0.y - self.0.y * other.0.x;
        cross.atan2(self.0.dot(&other.0))
    }
}

impl fmt::Debug for Heading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} deg", self.degrees())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heading_turns_anticlockwise_from_east() {
        assert_eq!(Heading::from_degrees(90.0), Heading::NORTH);
        assert_eq!(Heading::NORTH.left(), Heading::WEST.vector());
        assert_eq!(Heading::NORTH.right(), Heading::EAST.vector());
        assert_eq!(Heading::NORTH.turned_degrees(90.0), Heading::WEST);
    }

    #[test]
    fn a_turn_across_the_cut_is_small() {
        let turn = Heading::from_degrees(179.0).turn_to_radians(Heading::from_degrees(-179.0));
        assert!((turn.to_degrees() - 2.0).abs() < 1e-9);
    }

    #[test]
    fn no_direction_has_no_heading() {
        assert!(Heading::along(Vector::zeros()).is_none());
        assert!(Heading::along(Vector::new(f64::NAN, 1.0)).is_none());
    }
}
