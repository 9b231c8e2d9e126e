//! A base or a swept area against a feature's outline: how far it reaches in, how far it lies inside.
//!
//! Table frame, millimetres. Invariants: both figures change sign exactly where the base begins to lie in
//! the area, or to lie wholly in it; both move by no more than the base is shifted.

use super::convex::{Gap, gap};
use super::{Binding, Corner, Edge, Feature, Footprint, Part, Point, Polygon, Segment, Separation, Whose};

/// The gap between a convex outline and an area. Below zero they overlap, and it is minus
/// the smallest shift that parts the outline from some convex piece of the area, the largest over pieces:
/// of a convex area the smallest shift that parts them.
pub fn gap_to_area(outline: &[Point], area: &Polygon) -> Gap {
    let mut found: Option<Gap> = None;
    for piece in area.pieces() {
        let next = gap(outline, piece);
        let better = found.is_none_or(|best| match (best.mm < 0.0, next.mm < 0.0) {
            (true, true) | (false, false) => next.mm < best.mm,
            (true, false) => false,
            (false, true) => true,
        });
        if better {
            found = Some(next);
        }
    }
    found.expect("a polygon has a convex piece")
}

/// The gap between two areas; where they overlap below zero, as in [`gap_to_area`], the deepest of all pairs of pieces.
pub fn area_gap(a: &Polygon, b: &Polygon) -> Gap {
    let gaps = a.pieces().iter().map(|piece| gap_to_area(piece, b));
    gaps.min_by(|x, y| x.mm.total_cmp(&y.mm)).expect("a polygon has a convex piece")
}

/// The signed distance between a base and an area: see [`gap_to_area`]. The binding names the base first.
pub fn separation_from_area(base: &Footprint, area: &Polygon) -> Separation {
    let found = gap_to_area(&base.outline(), area);
    Separation { mm: found.mm, binding: Binding(of_base(base, found.of_a), of_ground(Part::Rim, found.of_b)) }
}

/// By how much a base lies wholly inside an area, millimetres: zero or more where it does, the room that it
/// has; below zero minus by how much it does not.
pub fn room_inside_area(base: &Footprint, area: &Polygon) -> Separation {
    let mut room = Room { mm: f64::INFINITY, base: base.pose().centre, rim: base.pose().centre };
    for corner in Corner::ALL {
        let at = base.corner(corner);
        let (depth, near) = area.depth_of(at);
        room.less(depth, at, near);
    }
    let outline = base.outline();
    for edge in area.edges() {
        match chord(&edge, base) {
            Some(inside) => {
                let (deepest, at) = deepest_of(&inside, base);
                let beyond = reach_beyond(&edge, &outline).min(deepest);
                if beyond > 0.0 {
                    room.less(-beyond, at, at);
                }
            }
            None => {
                let outside = base.distance_to_point(edge.start);
                let at = nearest_on_base(base, edge.start);
                room.less(outside, at, edge.start);
            }
        }
    }
    Separation { mm: room.mm, binding: Binding(of_base(base, room.base), of_ground(Part::Rim, room.rim)) }
}

/// The least room found so far.
struct Room {
    mm: f64,
    base: Point,
    rim: Point,
}

impl Room {
    fn less(&mut self, mm: f64, base: Point, rim: Point) {
        if mm < self.mm {
            *self = Self { mm, base, rim };
        }
    }
}

/// The part of `edge` that lies inside the base, its rim included, or `None` where less than a point does.
fn chord(edge: &Segment, base: &Footprint) -> Option<Segment> {
    let along = edge.end - edge.start;
    let (mut from, mut to) = (0.0_f64, 1.0_f64);
    for side in Edge::ALL {
        let line = base.edge_line(side);
        let (start, end) = (line.left_of(edge.start), line.left_of(edge.end));
        if start > 0.0 && end > 0.0 {
            return None;
        }
        if start > 0.0 {
            from = from.max(start / (start - end));
        } else if end > 0.0 {
            to = to.min(start / (start - end));
        }
    }
    (from <= to).then(|| Segment::new(edge.start + along * from, edge.start + along * to))
}

/// The deepest that points of a chord lie inside the base, and where. Depth is concave along it.
fn deepest_of(inside: &Segment, base: &Footprint) -> (f64, Point) {
    let depth = |share: f64| -base.distance_to_point(inside.start + (inside.end - inside.start) * share);
    let (mut low, mut high) = (0.0_f64, 1.0_f64);
    // Thirds: 60 steps narrow a metre to less than a thousandth of a millimetre.
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if depth(a) < depth(b) { low = a } else { high = b }
    }
    let best = [0.0, 1.0, f64::midpoint(low, high)]
        .into_iter()
        .fold(0.0, |best: f64, share| if depth(share) > depth(best) { share } else { best });
    (depth(best), inside.start + (inside.end - inside.start) * best)
}

/// How far a convex outline reaches to the right of an edge's line, the outside of an area.
fn reach_beyond(edge: &Segment, outline: &[Point]) -> f64 {
    let along = edge.end - edge.start;
    let right = super::Vector::new(along.y, -along.x) / along.norm();
    outline.iter().map(|p| (p - edge.start).dot(&right)).fold(f64::NEG_INFINITY, f64::max)
}

fn nearest_on_base(base: &Footprint, point: Point) -> Point {
    let near = Edge::ALL.map(|edge| base.edge(edge).nearest_to(point).0);
    near.into_iter().fold(
        near[0],
        |best, at| {
            if (at - point).norm() < (best - point).norm() { at } else { best }
        },
    )
}

/// The feature of the first base at a point: its corner or edge there, or a point inside.
pub fn of_base(base: &Footprint, at: Point) -> Feature {
    const HERE_MM: f64 = 1e-6;
    let near = |p: Point| (p - at).norm() < HERE_MM;
    let corner = Corner::ALL.into_iter().find(|c| near(base.corner(*c))).map(Part::Corner);
    let edge = || Edge::ALL.into_iter().find(|e| near(base.edge(*e).nearest_to(at).0)).map(Part::Edge);
    Feature { whose: Whose::A, part: corner.or_else(edge).unwrap_or(Part::Inside), at }
}

/// A feature of what lies on the table.
pub fn of_ground(part: Part, at: Point) -> Feature {
    Feature { whose: Whose::Ground, part, at }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, Vector};
    use proptest::prelude::*;

    fn area(corners: &[(f64, f64)]) -> Polygon {
        Polygon::new(corners.iter().map(|&(x, y)| Point::new(x, y)).collect()).expect("an outline")
    }

    fn notched() -> Polygon {
        area(&[
            (0.0, 0.0),
            (200.0, 0.0),
            (200.0, 100.0),
            (110.0, 100.0),
            (100.0, 60.0),
            (90.0, 100.0),
            (0.0, 100.0),
        ])
    }

    fn base(x: f64, y: f64, deg: f64) -> Footprint {
        Footprint::new(Pose::new(x, y, deg), 40.0, 20.0).expect("a good base")
    }

    #[test]
    fn a_base_before_a_straight_rim_is_as_far_as_its_nearest_corner() {
        assert!((separation_from_area(&base(50.0, -13.0, 90.0), &notched()).mm - 3.0).abs() < 1e-9);
        let in_it = separation_from_area(&base(50.0, -7.0, 90.0), &notched());
        assert!((in_it.mm + 3.0).abs() < 1e-9, "{in_it:?}");
        assert_eq!(in_it.binding.1.part, Part::Rim);
    }

    #[test]
    fn touching_is_neither_in_nor_out() {
        assert_eq!(separation_from_area(&base(50.0, -10.0, 90.0), &notched()).mm, 0.0);
        assert_eq!(room_inside_area(&base(50.0, 10.0, 90.0), &notched()).mm, 0.0);
    }

    #[test]
    fn a_base_across_a_strip_overlaps_though_no_corner_is_in() {
        let strip = area(&[(0.0, 0.0), (10.0, 0.0), (10.0, 100.0), (0.0, 100.0)]);
        let across = base(5.0, 50.0, 90.0);
        assert!(separation_from_area(&across, &strip).mm < -9.0);
        assert!((room_inside_area(&across, &strip).mm + 15.0).abs() < 1e-6);
    }

    #[test]
    fn room_inside_is_the_least_distance_to_the_rim() {
        assert!((room_inside_area(&base(40.0, 50.0, 90.0), &notched()).mm - 20.0).abs() < 1e-9);
        assert!((room_inside_area(&base(23.0, 50.0, 90.0), &notched()).mm - 3.0).abs() < 1e-9);
        assert!((room_inside_area(&base(17.0, 50.0, 90.0), &notched()).mm + 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_notch_that_pokes_in_by_two_leaves_two_short_of_wholly_in() {
        let under = room_inside_area(&base(100.0, 52.0, 90.0), &notched());
        assert!((under.mm + 2.0).abs() < 1e-6, "{under:?}");
        assert!((room_inside_area(&base(100.0, 47.0, 90.0), &notched()).mm - 3.0).abs() < 1e-9);
    }

    #[test]
    fn a_feature_smaller_than_a_base_is_under_it() {
        let small = area(&[(-3.0, -3.0), (3.0, -3.0), (0.0, 3.0)]);
        assert!(separation_from_area(&base(0.0, 0.0, 30.0), &small).mm < -9.0);
        assert!(room_inside_area(&base(0.0, 0.0, 30.0), &small).mm < -1.0);
    }

    proptest! {
        #[test]
        fn a_shift_changes_neither_figure_by_more(
            x in -60.0..260.0f64, y in -60.0..160.0f64, deg in 0.0..360.0f64, dx in -9.0..9.0f64, dy in -9.0..9.0f64,
        ) {
            let here = base(x, y, deg);
            let by = Vector::new(dx, dy);
            let there = here.moved_to(here.pose().nudged(by, 0.0));
            let area = notched();
            let change = separation_from_area(&here, &area).mm - separation_from_area(&there, &area).mm;
            prop_assert!(change.abs() <= by.norm() + 1e-6, "{}", change);
            let room = room_inside_area(&here, &area).mm - room_inside_area(&there, &area).mm;
            prop_assert!(room.abs() <= by.norm() + 1e-6, "{}", room);
        }

        /// Both signs against many points of the base, which know nothing of pieces or chords.
        #[test]
        fn signs_agree_with_the_points_of_the_base(x in -60.0..260.0f64, y in -60.0..160.0f64, deg in 0.0..360.0f64) {
            let (here, area) = (base(x, y, deg), notched());
            let (mut most, mut least) = (f64::NEG_INFINITY, f64::INFINITY);
            for right in -20..=20 {
                for forward in -10..=10 {
                    let depth = area.depth_of(here.pose().at(f64::from(right), f64::from(forward))).0;
                    most = most.max(depth);
                    least = least.min(depth);
                }
            }
            let (apart, room) = (separation_from_area(&here, &area).mm, room_inside_area(&here, &area).mm);
            // Points a millimetre apart miss what reaches less than that in.
            if most > 0.0 { prop_assert!(apart < 0.0) }
            if apart < -0.8 { prop_assert!(most > 0.0) }
            if least < 0.0 { prop_assert!(room < 0.0) }
            if room < -0.8 { prop_assert!(least < 0.0) }
            if apart > 0.0 { prop_assert!((apart + most) .abs() < 0.8) }
        }
    }
}
