//! The ground an element's base covers: an oriented rectangle with named corners and edges.

use super::{Line, Point, Pose, Segment};

/// A corner of a base, as its own troops see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Corner {
    /// Ahead, on the left.
    FrontLeft,
    /// Ahead, on the right.
    FrontRight,
    /// Behind, on the right.
    RearRight,
    /// Behind, on the left.
    RearLeft,
}

impl Corner {
    /// All four, clockwise from the front left.
    pub const ALL: [Self; 4] = [Self::FrontLeft, Self::FrontRight, Self::RearRight, Self::RearLeft];

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::FrontLeft => "front-left corner",
            Self::FrontRight => "front-right corner",
            Self::RearRight => "rear-right corner",
            Self::RearLeft => "rear-left corner",
        }
    }
}

/// An edge of a base, as its own troops see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Edge {
    /// Ahead.
    Front,
    /// The right flank.
    Right,
    /// Behind.
    Rear,
    /// The left flank.
    Left,
}

impl Edge {
    /// All four, clockwise from the front.
    pub const ALL: [Self; 4] = [Self::Front, Self::Right, Self::Rear, Self::Left];

    /// The corners where it begins and ends, clockwise round the base, so that the base lies to the
    /// right of the edge and the world to its left.
    pub fn corners(self) -> [Corner; 2] {
        match self {
            Self::Front => [Corner::FrontLeft, Corner::FrontRight],
            Self::Right => [Corner::FrontRight, Corner::RearRight],
            Self::Rear => [Corner::RearRight, Corner::RearLeft],
            Self::Left => [Corner::RearLeft, Corner::FrontLeft],
        }
    }

    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Front => "front edge",
            Self::Right => "right edge",
            Self::Rear => "rear edge",
            Self::Left => "left edge",
        }
    }
}

/// An oriented rectangle: `pose` is its centre and the way its front looks.
/// Invariant: width and depth are finite and more than zero.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Footprint {
    pose: Pose,
    width_mm: f64,
    depth_mm: f64,
}

impl Footprint {
    /// A base of `width_mm` by `depth_mm` centred on `pose`, or `None` where a side is not finite
    /// and positive.
    pub fn new(pose: Pose, width_mm: f64, depth_mm: f64) -> Option<Self> {
        let good = |side: f64| side.is_finite() && side > 0.0;
        (good(width_mm) && good(depth_mm)).then_some(Self { pose, width_mm, depth_mm })
    }

    /// Centre and heading.
    pub fn pose(&self) -> Pose {
        self.pose
    }

    /// Along the front edge, millimetres.
    pub fn width_mm(&self) -> f64 {
        self.width_mm
    }

    /// From front to rear, millimetres.
    pub fn depth_mm(&self) -> f64 {
        self.depth_mm
    }

    /// The same base at another pose.
    pub fn moved_to(&self, pose: Pose) -> Self {
        Self { pose, ..*self }
    }

    /// A base of another depth whose front edge lies where this one's does, or `None` where the depth is
    /// not finite and positive.
    pub fn redeepened(&self, depth_mm: f64) -> Option<Self> {
        let centre = self.pose.at(0.0, (self.depth_mm - depth_mm) / 2.0);
        Self::new(Pose { centre, ..self.pose }, self.width_mm, depth_mm)
    }

    /// Where a corner stands.
    pub fn corner(&self, corner: Corner) -> Point {
        let (w, d) = (self.width_mm / 2.0, self.depth_mm / 2.0);
        match corner {
            Corner::FrontLeft => self.pose.at(-w, d),
            Corner::FrontRight => self.pose.at(w, d),
            Corner::RearRight => self.pose.at(w, -d),
            Corner::RearLeft => self.pose.at(-w, -d),
        }
    }

    /// The four corners in the order of [`Corner::ALL`], for drawing.
    pub fn outline(&self) -> [Point; 4] {
        Corner::ALL.map(|c| self.corner(c))
    }

    /// An edge, run clockwise round the base: the base lies to its right.
    pub fn edge(&self, edge: Edge) -> Segment {
        let [from, to] = edge.corners();
        Segment::new(self.corner(from), self.corner(to))
    }

    /// The endless line along an edge. The world beyond the edge is on its left (positive) side.
    pub fn edge_line(&self, edge: Edge) -> Line {
        let heading = self.pose.heading;
        // By the heading and not from corner to corner, which of a sliver far from the origin may coincide.
        let way = match edge {
            Edge::Front => heading.turned_degrees(-90.0),
            Edge::Right => heading.reversed(),
            Edge::Rear => heading.turned_degrees(90.0),
            Edge::Left => heading,
        };
        Line { through: self.corner(edge.corners()[0]), way }
    }

    /// Signed distance of a point from the rectangle, millimetres: negative inside, zero on the rim.
    pub fn distance_to_point(&self, point: Point) -> f64 {
        let seen = self.pose.seen_from_here(point);
        let out_x = seen.x.abs() - self.width_mm / 2.0;
        let out_y = seen.y.abs() - self.depth_mm / 2.0;
        if out_x <= 0.0 || out_y <= 0.0 { out_x.max(out_y) } else { out_x.hypot(out_y) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base() -> Footprint {
        Footprint::new(Pose::new(100.0, 100.0, 90.0), 40.0, 20.0).expect("a good base")
    }

    #[test]
    fn corners_are_named_as_the_troops_see_them() {
        assert_eq!(base().corner(Corner::FrontLeft), Point::new(80.0, 110.0));
        assert_eq!(base().corner(Corner::FrontRight), Point::new(120.0, 110.0));
        assert_eq!(base().corner(Corner::RearRight), Point::new(120.0, 90.0));
        assert_eq!(base().corner(Corner::RearLeft), Point::new(80.0, 90.0));
    }

    #[test]
    fn the_world_lies_left_of_every_edge_line() {
        for edge in Edge::ALL {
            assert!(base().edge_line(edge).left_of(base().pose().centre) < 0.0, "{edge:?}");
        }
        assert_eq!(base().edge_line(Edge::Right).left_of(Point::new(125.0, 0.0)), 5.0);
    }

    #[test]
    fn distance_to_a_point_is_negative_inside() {
        assert_eq!(base().distance_to_point(Point::new(100.0, 108.0)), -2.0);
        assert_eq!(base().distance_to_point(Point::new(123.0, 114.0)), 5.0);
    }

    #[test]
    fn another_depth_leaves_the_front_edge_where_it_is() {
        let shallow = base().redeepened(15.0).expect("a good depth");
        assert_eq!(shallow.edge(Edge::Front), base().edge(Edge::Front));
        assert_eq!(shallow.corner(Corner::RearLeft), Point::new(80.0, 95.0));
    }

    #[test]
    fn a_base_without_sides_is_refused() {
        assert!(Footprint::new(Pose::new(0.0, 0.0, 0.0), 0.0, 15.0).is_none());
        assert!(Footprint::new(Pose::new(0.0, 0.0, 0.0), 40.0, f64::NAN).is_none());
    }
}
