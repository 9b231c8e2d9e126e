//! How far apart two rectangles are, or how deep they overlap, with the two features that decide it.
//!
//! Table frame, millimetres. Invariants: the distance is symmetric in its two rectangles, moves by no
//! more than either is shifted, and passes through zero without a jump where they touch.

use super::{Binding, Corner, Edge, Feature, Footprint, Part, Point, Whose};

/// The signed distance between two rectangles.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Separation {
    /// Nearest points' distance, millimetres. Below zero the rectangles overlap, and it is minus the
    /// smallest shift that parts them.
    pub mm: f64,
    /// The feature of the first rectangle and that of the second between which it lies.
    pub binding: Binding,
}

/// The signed distance between `a` and `b`.
pub fn separation(a: &Footprint, b: &Footprint) -> Separation {
    let (corners_a, corners_b) = (a.outline(), b.outline());
    let along_a = parting_edge(a, &corners_b);
    let along_b = parting_edge(b, &corners_a);
    if along_a.mm <= 0.0 && along_b.mm <= 0.0 {
        return if along_a.mm >= along_b.mm {
            let corner = Corner::ALL[along_a.corner];
            overlap(along_a, Whose::A, a, (Whose::B, corner))
        } else {
            let corner = Corner::ALL[along_b.corner];
            overlap(along_b, Whose::B, b, (Whose::A, corner))
        };
    }
    let from_a = nearest(&corners_a, b, (Whose::A, Whose::B));
    let from_b = nearest(&corners_b, a, (Whose::B, Whose::A));
    if from_a.mm <= from_b.mm {
        from_a
    } else {
        Separation { mm: from_b.mm, binding: Binding(from_b.binding.1, from_b.binding.0) }
    }
}

/// The edge of a base whose line comes nearest to parting it from some points.
struct Parting {
    mm: f64,
    edge: Edge,
    corner: usize,
    at: Point,
}

/// Of the edges of `base`, the one with the most room between its line and the nearest of `points`.
fn parting_edge(base: &Footprint, points: &[Point; 4]) -> Parting {
    let room = |edge: Edge| {
        let line = base.edge_line(edge);
        let mut best = Parting { mm: f64::INFINITY, edge, corner: 0, at: points[0] };
        for (corner, &at) in points.iter().enumerate() {
            let mm = line.left_of(at);
            if mm < best.mm {
                best = Parting { mm, edge, corner, at };
            }
        }
        best
    };
    let mut best = room(Edge::Front);
    for edge in [Edge::Right, Edge::Rear, Edge::Left] {
        let next = room(edge);
        if next.mm > best.mm {
            best = next;
        }
    }
    best
}

fn overlap(parting: Parting, whose: Whose, base: &Footprint, other: (Whose, Corner)) -> Separation {
    let on_edge = base.edge(parting.edge).nearest_to(parting.at).0;
    let edge = Feature { whose, part: Part::Edge(parting.edge), at: on_edge };
    let corner = Feature { whose: other.0, part: Part::Corner(other.1), at: parting.at };
    let binding = if whose == Whose::A { Binding(edge, corner) } else { Binding(corner, edge) };
    Separation { mm: parting.mm, binding }
}

/// The nearest of `corners` to the rim of `base`. The binding names the corner first.
fn nearest(corners: &[Point; 4], base: &Footprint, whose: (Whose, Whose)) -> Separation {
    let mut best: Option<Separation> = None;
    for (corner, &from) in Corner::ALL.iter().zip(corners) {
        for edge in Edge::ALL {
            let (to, share) = base.edge(edge).nearest_to(from);
            let mm = (to - from).norm();
            if best.is_some_and(|b| b.mm <= mm) {
                continue;
            }
            let [start, end] = edge.corners();
            let part = match share {
                0.0 => Part::Corner(start),
                1.0 => Part::Corner(end),
                _ => Part::Edge(edge),
            };
            best = Some(Separation {
                mm,
                binding: Binding(
                    Feature { whose: whose.0, part: Part::Corner(*corner), at: from },
                    Feature { whose: whose.1, part, at: to },
                ),
            });
        }
    }
    best.expect("a base has four corners and four edges")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Pose;

    fn base(x: f64, y: f64, degrees: f64) -> Footprint {
        Footprint::new(Pose::new(x, y, degrees), 40.0, 20.0).expect("a good base")
    }

    #[test]
    fn apart_it_is_the_distance_of_the_nearest_points() {
        let diagonal = separation(&base(0.0, 0.0, 90.0), &base(43.0, 24.0, 90.0));
        assert!((diagonal.mm - 5.0).abs() < 1e-12);
        assert_eq!(diagonal.binding.0.part, Part::Corner(Corner::FrontRight));
        assert_eq!(diagonal.binding.1.part, Part::Corner(Corner::RearLeft));
    }

    #[test]
    fn overlapping_it_is_minus_the_smallest_shift_that_parts_them() {
        let deep = separation(&base(0.0, 0.0, 90.0), &base(10.0, 17.0, 90.0));
        assert!((deep.mm + 3.0).abs() < 1e-12);
    }

    #[test]
    fn a_corner_before_an_edge_is_measured_square_to_the_edge() {
        let apart = separation(&base(0.0, 0.0, 90.0), &base(0.0, 50.0, 45.0));
        let lowest = 50.0 - (20.0 + 10.0) / 2f64.sqrt();
        assert!((apart.mm - (lowest - 10.0)).abs() < 1e-9, "{apart:?}");
        assert_eq!(apart.binding.0.part, Part::Edge(Edge::Front));
    }

    #[test]
    fn swapping_the_two_swaps_the_features_and_keeps_the_distance() {
        let (a, b) = (base(3.0, 4.0, 77.0), base(60.0, 31.0, 12.0));
        let (there, back) = (separation(&a, &b), separation(&b, &a));
        assert!((there.mm - back.mm).abs() < 1e-12);
        assert!((there.binding.0.at - back.binding.1.at).norm() < 1e-9);
    }
}
