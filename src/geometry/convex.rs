//! Convex outlines: how far apart two are or how deep they overlap, and the hull of some points.
//!
//! Table frame, millimetres. An outline is a list of corners in order, either way round; one or two points
//! are outlines too. Invariants of [`gap`]: symmetric, moves by no more than either outline is shifted, passes
//! through zero without a jump where they touch.

use super::{Point, Segment};

/// How far apart two convex outlines are, and between which points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Gap {
    /// Nearest points' distance, millimetres. Below zero the outlines overlap, and it is minus the
    /// smallest shift that parts them.
    pub mm: f64,
    /// The deciding point of the first outline.
    pub of_a: Point,
    /// The deciding point of the second.
    pub of_b: Point,
}

impl Gap {
    /// The same with the two outlines the other way round.
    pub fn turned(self) -> Self {
        Self { mm: self.mm, of_a: self.of_b, of_b: self.of_a }
    }
}

/// The gap between two convex outlines, neither of them empty.
pub fn gap(a: &[Point], b: &[Point]) -> Gap {
    let by_a = parting(a, b);
    let by_b = parting(b, a).map(Gap::turned);
    let best = match (by_a, by_b) {
        (Some(x), Some(y)) => Some(if x.mm >= y.mm { x } else { y }),
        (x, y) => x.or(y),
    };
    match best {
        Some(overlap) if overlap.mm <= 0.0 => overlap,
        _ => apart(a, b),
    }
}

/// Of the edges of `a`, the one with the most room between its line and the nearest corner of `b`.
fn parting(a: &[Point], b: &[Point]) -> Option<Gap> {
    let mut best: Option<Gap> = None;
    let way = if winding(a) < 0.0 { -1.0 } else { 1.0 };
    for edge in edges(a) {
        let along = edge.end - edge.start;
        let length = along.norm();
        if length == 0.0 {
            continue;
        }
        let out = super::Vector::new(along.y, -along.x) * way / length;
        let mut nearest: Option<(f64, Point)> = None;
        for &corner in b {
            let mm = (corner - edge.start).dot(&out);
            if nearest.is_none_or(|(least, _)| mm < least) {
                nearest = Some((mm, corner));
            }
        }
        if let Some((mm, corner)) = nearest
            && best.is_none_or(|b| mm > b.mm)
        {
            best = Some(Gap { mm, of_a: edge.nearest_to(corner).0, of_b: corner });
        }
    }
    best
}

/// The distance between outlines that do not overlap: from a corner of the one to an edge of the other.
fn apart(a: &[Point], b: &[Point]) -> Gap {
    let mut best = Gap { mm: f64::INFINITY, of_a: a[0], of_b: b[0] };
    for &corner in a {
        for edge in edges(b) {
            let near = edge.nearest_to(corner).0;
            let mm = (near - corner).norm();
            if mm < best.mm {
                best = Gap { mm, of_a: corner, of_b: near };
            }
        }
    }
    for &corner in b {
        for edge in edges(a) {
            let near = edge.nearest_to(corner).0;
            let mm = (near - corner).norm();
            if mm < best.mm {
                best = Gap { mm, of_a: near, of_b: corner };
            }
        }
    }
    best
}

/// The edges of an outline, the last back to the first corner.
fn edges(outline: &[Point]) -> impl Iterator<Item = Segment> + '_ {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(&from, &to)| Segment::new(from, to))
}

/// The convex outline round some points, anticlockwise, without corners inside an edge. Fewer than three
/// points that are apart give themselves.
pub fn hull(points: &[Point]) -> Vec<Point> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|p, q| p.x.total_cmp(&q.x).then(p.y.total_cmp(&q.y)));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let half = |order: &mut dyn Iterator<Item = Point>| {
        let mut chain: Vec<Point> = Vec::new();
        for point in order {
            while let [.., p, q] = chain.as_slice()
                && turn(*p, *q, point) <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut sorted.iter().copied());
    outline.extend(half(&mut sorted.iter().rev().copied()));
    outline
}

/// Twice the area inside, above zero where the corners run anticlockwise.
fn winding(outline: &[Point]) -> f64 {
    outline.windows(2).map(|pair| turn(outline[0], pair[0], pair[1])).sum()
}

/// Twice the area of a triangle, above zero where it turns left.
pub(super) fn turn(a: Point, b: Point, c: Point) -> f64 {
    let (u, v) = (b - a, c - a);
    u.x * v.y - u.y * v.x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Footprint, Pose, separation};
    use proptest::prelude::*;

    fn points(of: &[(f64, f64)]) -> Vec<Point> {
        of.iter().map(|&(x, y)| Point::new(x, y)).collect()
    }

    #[test]
    fn a_segment_that_cuts_a_square_overlaps_it_by_the_smallest_shift() {
        let square = points(&[(0.0, 0.0), (20.0, 0.0), (20.0, 10.0), (0.0, 10.0)]);
        let line = points(&[(-5.0, 3.0), (25.0, 3.0)]);
        assert_eq!(gap(&square, &line).mm, -3.0);
        assert_eq!(gap(&points(&[(23.0, 14.0)]), &square).mm, 5.0);
        assert_eq!(gap(&points(&[(3.0, 4.0)]), &points(&[(0.0, 0.0)])).mm, 5.0);
    }

    #[test]
    fn a_hull_leaves_out_what_lies_inside() {
        let found = hull(&points(&[(0.0, 0.0), (4.0, 0.0), (2.0, 0.0), (2.0, 1.0), (4.0, 4.0), (0.0, 4.0)]));
        assert_eq!(found, points(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)]));
    }

    proptest! {
        #[test]
        fn of_two_bases_it_is_their_separation(x in -60.0..60.0f64, y in -60.0..60.0f64, deg in 0.0..360.0f64) {
            let base = |pose| Footprint::new(pose, 40.0, 15.0).expect("a good base");
            let (a, b) = (base(Pose::new(0.0, 0.0, 0.0)), base(Pose::new(x, y, deg)));
            let apart = separation(&a, &b).mm;
            prop_assert!((gap(&a.outline(), &hull(&b.outline())).mm - apart).abs() < 1e-9);
        }
    }
}
