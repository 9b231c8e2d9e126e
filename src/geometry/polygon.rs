//! A simple polygon on the table: the outline of a wood, a hill, a lake.
//!
//! Table frame, millimetres. Invariants: at least three corners, all finite, no edge of no length, no
//! two edges that cross or touch but neighbours at their shared corner; corners run anticlockwise, so
//! the inside lies to the left of every edge.

use super::{Point, Segment, Vector, pieces};
use thiserror::Error;

/// Why corners make no outline.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum PolygonError {
    /// Fewer than three.
    #[error("an outline needs at least three corners, this one has {corners}")]
    TooFew {
        /// How many there are.
        corners: usize,
    },
    /// Infinite or not a number.
    #[error("corner {corner} of the outline is not a place: give both numbers in full")]
    NotAPlace {
        /// Which, from 1.
        corner: usize,
    },
    /// Two neighbours in one place.
    #[error("corners {first} and {second} of the outline lie in one place: leave one out")]
    SamePlace {
        /// Which, from 1.
        first: usize,
        /// The next.
        second: usize,
    },
    /// Two edges meet that should not.
    #[error(
        "the outline crosses itself: the edge from corner {first} meets the edge from corner {second}; \
         give the corners in order round the rim"
    )]
    Crosses {
        /// The corner where the one edge begins, from 1.
        first: usize,
        /// The corner where the other begins.
        second: usize,
    },
}

/// A simple polygon. See the module for what holds of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Polygon {
    corners: Vec<Point>,
    pieces: Vec<Vec<Point>>,
    low: Point,
    high: Point,
}

impl Polygon {
    /// The polygon with these corners, in order round the rim, either way round.
    ///
    /// # Errors
    /// Where they make no simple outline.
    pub fn new(corners: Vec<Point>) -> Result<Self, PolygonError> {
        let count = corners.len();
        if count < 3 {
            return Err(PolygonError::TooFew { corners: count });
        }
        if let Some(at) = corners.iter().position(|p| !(p.x.is_finite() && p.y.is_finite())) {
            return Err(PolygonError::NotAPlace { corner: at + 1 });
        }
        for first in 0..count {
            let second = (first + 1) % count;
            if corners[first] == corners[second] {
                return Err(PolygonError::SamePlace { first: first + 1, second: second + 1 });
            }
        }
        let edge = |n: usize| Segment::new(corners[n], corners[(n + 1) % count]);
        for first in 0..count {
            for second in first + 1..count {
                if meet(&edge(first), &edge(second), neighbours(first, second, count)) {
                    return Err(PolygonError::Crosses { first: first + 1, second: second + 1 });
                }
            }
        }
        let mut corners = corners;
        if doubled_area(&corners) < 0.0 {
            corners.reverse();
        }
        let low = corners.iter().fold(corners[0], |a, p| Point::new(a.x.min(p.x), a.y.min(p.y)));
        let high = corners.iter().fold(corners[0], |a, p| Point::new(a.x.max(p.x), a.y.max(p.y)));
        let pieces = pieces::convex(&corners);
        Ok(Self { corners, pieces, low, high })
    }

    /// The corners, anticlockwise.
    pub fn corners(&self) -> &[Point] {
        &self.corners
    }

    /// The edges, anticlockwise: the inside lies to the left of each.
    pub fn edges(&self) -> impl Iterator<Item = Segment> + '_ {
        let next = self.corners.iter().cycle().skip(1);
        self.corners.iter().zip(next).map(|(&from, &to)| Segment::new(from, to))
    }

    /// Convex outlines, anticlockwise, that cover the inside and overlap nowhere.
    pub fn pieces(&self) -> &[Vec<Point>] {
        &self.pieces
    }

    /// The lower-left and upper-right corners of the upright rectangle round it.
    pub fn bounds(&self) -> (Point, Point) {
        (self.low, self.high)
    }

    /// The area inside, square millimetres.
    pub fn area_mm2(&self) -> f64 {
        doubled_area(&self.corners) / 2.0
    }

    /// The centre of the area.
    pub fn centroid(&self) -> Point {
        let from = self.corners[0];
        let mut sum = Vector::zeros();
        for edge in self.edges() {
            let (a, b) = (edge.start - from, edge.end - from);
            sum += (a + b) * (a.x * b.y - a.y * b.x);
        }
        from + sum / (3.0 * doubled_area(&self.corners))
    }

    /// Whether a point lies inside or on the rim.
    pub fn holds(&self, point: Point) -> bool {
        self.depth_of(point).0 >= 0.0
    }

    /// The parts of a straight edge that lie inside or on the rim, in order along it.
    pub fn parts_inside(&self, edge: &Segment) -> Vec<Segment> {
        let along = edge.end - edge.start;
        let mut cuts = vec![0.0, 1.0];
        let squared = along.norm_squared();
        if squared == 0.0 {
            return if self.holds(edge.start) { vec![*edge] } else { Vec::new() };
        }
        for side in self.edges() {
            cuts.extend(edge.crossing(&side).map(|at| (at - edge.start).dot(&along) / squared));
            // A rim that runs along the edge crosses it nowhere: its ends part what is inside.
            cuts.push(edge.nearest_to(side.start).1);
        }
        cuts.sort_by(f64::total_cmp);
        let at = |share: f64| edge.start + along * share;
        let mut parts: Vec<Segment> = Vec::new();
        for pair in cuts.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            if from == to || !self.holds(at(f64::midpoint(from, to))) {
                continue;
            }
            match parts.last_mut() {
                Some(last) if last.end == at(from) => last.end = at(to),
                _ => parts.push(Segment::new(at(from), at(to))),
            }
        }
        parts
    }

    /// How deep a point lies inside, millimetres, and the nearest point of the rim: zero on the rim, below
    /// zero minus the distance to it.
    pub fn depth_of(&self, point: Point) -> (f64, Point) {
        let (mut best, mut at, mut inside) = (f64::INFINITY, self.corners[0], false);
        for edge in self.edges() {
            let near = edge.nearest_to(point).0;
            let mm = (near - point).norm();
            if mm < best {
                (best, at) = (mm, near);
            }
            let (a, b) = (edge.start, edge.end);
            if (a.y > point.y) != (b.y > point.y)
                && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
            {
                inside = !inside;
            }
        }
        (if inside { best } else { -best }, at)
    }
}

/// Twice the signed area: above zero where the corners run anticlockwise.
fn doubled_area(corners: &[Point]) -> f64 {
    let from = corners[0];
    corners
        .windows(2)
        .map(|pair| {
            let (a, b) = (pair[0] - from, pair[1] - from);
            a.x * b.y - a.y * b.x
        })
        .sum()
}

/// How two edges of an outline follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// The second begins where the first ends.
    FirstThenSecond,
    /// The first begins where the second ends.
    SecondThenFirst,
    /// Neither.
    Apart,
}

fn neighbours(first: usize, second: usize, count: usize) -> Follow {
    if first + 1 == second {
        Follow::FirstThenSecond
    } else if (second + 1) % count == first {
        Follow::SecondThenFirst
    } else {
        Follow::Apart
    }
}

/// Whether two edges meet where they should not: neighbours only share a corner, others nothing.
fn meet(a: &Segment, b: &Segment, follow: Follow) -> bool {
    let on = |edge: &Segment, point: Point| (edge.nearest_to(point).0 - point).norm() == 0.0;
    match follow {
        Follow::FirstThenSecond => on(a, b.end) || on(b, a.start),
        Follow::SecondThenFirst => on(b, a.end) || on(a, b.start),
        Follow::Apart => {
            a.crossing(b).is_some() || on(a, b.start) || on(a, b.end) || on(b, a.start) || on(b, a.end)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(corners: &[(f64, f64)]) -> Result<Polygon, PolygonError> {
        Polygon::new(corners.iter().map(|&(x, y)| Point::new(x, y)).collect())
    }

    #[test]
    fn corners_run_anticlockwise_whichever_way_they_were_given() {
        let clockwise = of(&[(0.0, 0.0), (0.0, 10.0), (20.0, 10.0), (20.0, 0.0)]).expect("a square");
        assert_eq!(clockwise.area_mm2(), 200.0);
        assert_eq!(clockwise.centroid(), Point::new(10.0, 5.0));
        assert_eq!(clockwise.bounds(), (Point::new(0.0, 0.0), Point::new(20.0, 10.0)));
    }

    #[test]
    fn depth_is_positive_inside_and_minus_the_distance_outside() {
        let notched =
            of(&[(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (20.0, 10.0), (0.0, 30.0)]).expect("a notch");
        assert_eq!(notched.depth_of(Point::new(20.0, 4.0)).0, 4.0);
        assert!((notched.depth_of(Point::new(20.0, 20.0)).0 + 50f64.sqrt()).abs() < 1e-9);
        assert_eq!(notched.depth_of(Point::new(40.0, 12.0)).0, 0.0);
        assert!(notched.holds(Point::new(0.0, 30.0)) && !notched.holds(Point::new(20.0, 10.1)));
    }

    #[test]
    fn an_edge_is_cut_where_it_leaves_the_inside() {
        let notched =
            of(&[(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (20.0, 10.0), (0.0, 30.0)]).expect("a notch");
        let across = Segment::new(Point::new(-10.0, 20.0), Point::new(50.0, 20.0));
        let found: Vec<(f64, f64)> =
            notched.parts_inside(&across).iter().map(|p| (p.start.x.round(), p.end.x.round())).collect();
        assert_eq!(found, [(0.0, 10.0), (30.0, 40.0)]);
        let along = Segment::new(Point::new(-5.0, 0.0), Point::new(50.0, 0.0));
        let found = notched.parts_inside(&along);
        assert_eq!(found, [Segment::new(Point::new(0.0, 0.0), Point::new(40.0, 0.0))], "along the rim");
    }

    #[test]
    fn what_is_no_outline_is_refused_and_says_why() {
        assert_eq!(of(&[(0.0, 0.0), (1.0, 0.0)]), Err(PolygonError::TooFew { corners: 2 }));
        assert_eq!(
            of(&[(0.0, 0.0), (f64::NAN, 0.0), (1.0, 1.0)]),
            Err(PolygonError::NotAPlace { corner: 2 })
        );
        assert_eq!(
            of(&[(0.0, 0.0), (5.0, 0.0), (5.0, 5.0), (0.0, 0.0)]),
            Err(PolygonError::SamePlace { first: 4, second: 1 })
        );
        let bow_tie = of(&[(0.0, 0.0), (10.0, 10.0), (10.0, 0.0), (0.0, 10.0)]);
        assert_eq!(bow_tie, Err(PolygonError::Crosses { first: 1, second: 3 }));
        assert!(of(&[(0.0, 0.0), (10.0, 0.0), (5.0, 0.0)]).is_err(), "all in a line");
        assert!(of(&[(0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (5.0, 0.0)]).is_err(), "a corner on an edge");
    }
}
