//! Straight edges and endless lines, with exact nearest points.

use super::{Heading, Point, Vector};

/// A straight edge from `start` to `end`, millimetres. It may have no length.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Segment {
    /// Where it begins.
    pub start: Point,
    /// Where it ends.
    pub end: Point,
}

impl Segment {
    /// An edge from `start` to `end`.
    pub fn new(start: Point, end: Point) -> Self {
        Self { start, end }
    }

    /// Its length, millimetres.
    pub fn length(&self) -> f64 {
        (self.end - self.start).norm()
    }

    /// The point of the edge nearest to `point`, and how far along the edge it lies (0 at the start,
    /// 1 at the end). An edge of no length gives its start.
    pub fn nearest_to(&self, point: Point) -> (Point, f64) {
        let along = self.end - self.start;
        let squared = along.norm_squared();
        if squared == 0.0 {
            return (self.start, 0.0);
        }
        let share = ((point - self.start).dot(&along) / squared).clamp(0.0, 1.0);
        (self.start + along * share, share)
    }

    /// Whether the two edges cross or touch, and where. Parallel edges never answer here: the
    /// distance between them comes from their ends.
    pub fn crossing(&self, other: &Self) -> Option<Point> {
        let (r, s) = (self.end - self.start, other.end - other.start);
        let denominator = cross(r, s);
        if denominator.abs() <= f64::EPSILON * r.norm() * s.norm() {
            return None;
        }
        let between = other.start - self.start;
        let t = cross(between, s) / denominator;
        let u = cross(between, r) / denominator;
        ((0.0..=1.0).contains(&t) && (0.0..=1.0).contains(&u)).then(|| self.start + r * t)
    }

    /// Length of the part of `self` that lies beside `other` when both are laid along `self`'s
    /// direction: zero or less where they do not meet, then minus the gap between them.
    pub fn shared_length_along(&self, other: &Self) -> f64 {
        let Some(way) = Heading::along(self.end - self.start) else { return 0.0 };
        let place = |p: Point| (p - self.start).dot(&way.vector());
        let (a, b) = (place(other.start), place(other.end));
        a.max(b).min(self.length()) - a.min(b).max(0.0)
    }
}

/// An endless line through `through`, looking `way`. Its left side is the positive side.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// A point on it.
    pub through: Point,
    /// Its direction.
    pub way: Heading,
}

impl Line {
    /// The endless line along an edge, or `None` where the edge has no length.
    pub fn along(edge: Segment) -> Option<Self> {
        Some(Self { through: edge.start, way: Heading::along(edge.end - edge.start)? })
    }

    /// Signed distance of `point` from the line, millimetres, positive on its left.
    pub fn left_of(&self, point: Point) -> f64 {
        (point - self.through).dot(&self.way.left())
    }
}

/// The z part of the cross product.
fn cross(a: Vector, b: Vector) -> f64 {
    a.x * b.y - a.y * b.x
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edge(x0: f64, y0: f64, x1: f64, y1: f64) -> Segment {
        Segment::new(Point::new(x0, y0), Point::new(x1, y1))
    }

    #[test]
    fn the_nearest_point_is_clamped_to_the_ends() {
        assert_eq!(edge(0.0, 0.0, 10.0, 0.0).nearest_to(Point::new(13.0, 4.0)), (Point::new(10.0, 0.0), 1.0));
        assert_eq!(edge(0.0, 0.0, 10.0, 0.0).nearest_to(Point::new(5.0, 4.0)), (Point::new(5.0, 0.0), 0.5));
    }

    #[test]
    fn edges_that_meet_at_an_end_cross_there() {
        let at = edge(0.0, 0.0, 10.0, 0.0).crossing(&edge(10.0, 0.0, 10.0, 5.0));
        assert_eq!(at, Some(Point::new(10.0, 0.0)));
        assert_eq!(edge(0.0, 0.0, 10.0, 0.0).crossing(&edge(0.0, 1.0, 10.0, 1.0)), None);
    }

    #[test]
    fn shared_length_turns_into_a_gap_below_zero() {
        assert_eq!(edge(0.0, 0.0, 10.0, 0.0).shared_length_along(&edge(14.0, 1.0, 4.0, 1.0)), 6.0);
        assert_eq!(edge(0.0, 0.0, 10.0, 0.0).shared_length_along(&edge(12.0, 1.0, 20.0, 1.0)), -2.0);
    }

    #[test]
    fn left_is_positive() {
        let line = Line::along(edge(0.0, 0.0, 0.0, 10.0)).expect("an edge with length");
        assert_eq!(line.left_of(Point::new(-3.0, 4.0)), 3.0);
    }
}
