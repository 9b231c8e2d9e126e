//! How long and how wide an outline is: the rectangle round it, and the way across its centre.
//!
//! Table frame, millimetres. Invariants: neither figure changes where the outline is turned or shifted, beyond
//! rounding; the rectangle holds every corner.

use super::{Point, Polygon, Vector, convex};
use std::f64::consts::PI;

/// The rectangle round some points whose sides add up to least.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fitted {
    /// Its longer side.
    pub long_mm: f64,
    /// Its shorter side.
    pub short_mm: f64,
    /// The way along the longer side, of length one.
    pub along: Vector,
    /// Points that touch its two short sides, the one at the end that `along` looks from first.
    pub ends: (Point, Point),
}

/// The rectangle round points whose sides add up to least, at whatever angle; none where they all lie in one place. One
/// of its sides runs along an edge of the points' hull, for between two such places the sum only rises and falls again.
pub fn fitted(points: &[Point]) -> Option<Fitted> {
    let hull = convex::hull(points);
    let extremes = |way: Vector| {
        let by = |p: &&Point| p.coords.dot(&way);
        let low = hull.iter().min_by(|a, b| by(a).total_cmp(&by(b))).copied();
        let high = hull.iter().max_by(|a, b| by(a).total_cmp(&by(b))).copied();
        low.zip(high)
    };
    let next = hull.iter().cycle().skip(1);
    let ways = hull.iter().zip(next).filter_map(|(a, b)| (b - a).try_normalize(0.0));
    let boxes = ways.filter_map(|way| {
        let across = Vector::new(-way.y, way.x);
        let ((a, b), (c, d)) = (extremes(way)?, extremes(across)?);
        let (length, width) = ((b - a).dot(&way), (d - c).dot(&across));
        Some(if length >= width {
            Fitted { long_mm: length, short_mm: width, along: way, ends: (a, b) }
        } else {
            Fitted { long_mm: width, short_mm: length, along: across, ends: (c, d) }
        })
    });
    boxes.min_by(|a, b| (a.long_mm + a.short_mm).total_cmp(&(b.long_mm + b.short_mm)))
}

/// The shortest straight way through an outline's centre from rim to rim: its length and its two ends. The centre is
/// that of the area; where it lies outside, as in a crescent, the point inside that is nearest to it is taken.
pub fn across_centre(outline: &Polygon) -> (f64, (Point, Point)) {
    let centre = inside(outline, outline.centroid());
    let mut turns: Vec<f64> = outline
        .corners()
        .iter()
        .map(|p| (p - centre).y.atan2((p - centre).x).rem_euclid(PI))
        .chain([0.0, PI])
        .collect();
    turns.sort_by(f64::total_cmp);
    let mut best = (f64::INFINITY, (centre, centre));
    for pair in turns.windows(2).filter(|pair| pair[1] - pair[0] > 1e-12) {
        let (from, to) = (pair[0], pair[1]);
        let middle = f64::midpoint(from, to);
        // Between two corners' directions the way meets the same two edges throughout, and its length is convex.
        let (Some(ahead), Some(back)) =
            (first_edge(outline, centre, middle), first_edge(outline, centre, middle + PI))
        else {
            continue;
        };
        let length = |turn: f64| reach(ahead, centre, turn) + reach(back, centre, turn + PI);
        let (mut low, mut high) = (from, to);
        // Thirds: 60 steps narrow half a turn to less than a millionth of a degree.
        for _ in 0..60 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if length(a) > length(b) { low = a } else { high = b }
        }
        for turn in [from, f64::midpoint(low, high), to] {
            let mm = length(turn);
            if mm < best.0 {
                let at = |turn: f64, mm: f64| centre + Vector::new(turn.cos(), turn.sin()) * mm;
                let ends =
                    (at(turn, reach(ahead, centre, turn)), at(turn + PI, reach(back, centre, turn + PI)));
                best = (mm, ends);
            }
        }
    }
    best
}

/// The point itself where it is inside; else the middle of the widest piece of rim-to-rim line near it.
fn inside(outline: &Polygon, point: Point) -> Point {
    let (depth, rim) = outline.depth_of(point);
    if depth > 0.0 {
        return point;
    }
    // On from the nearest rim, as far again as the outline is thick there.
    let way = (rim - point).try_normalize(0.0).unwrap_or_else(|| Vector::new(1.0, 0.0));
    let (low, high) = outline.bounds();
    let beyond = super::Segment::new(rim, rim + way * (high - low).norm());
    let part = outline.parts_inside(&beyond).into_iter().find(|part| part.length() > 1e-9);
    part.map_or(rim, |part| nalgebra::center(&part.start, &part.end))
}

/// The edge that a ray from a point inside meets first.
fn first_edge(outline: &Polygon, from: Point, turn: f64) -> Option<super::Segment> {
    let ray = Vector::new(turn.cos(), turn.sin());
    let met = outline.edges().filter_map(|edge| {
        let (start, end) = (edge.start - from, edge.end - from);
        let side = |p: Vector| ray.x * p.y - ray.y * p.x;
        let crosses = (side(start) <= 0.0) != (side(end) <= 0.0);
        let mm = crosses.then(|| reach(edge, from, turn))?;
        (mm > 0.0).then_some((edge, mm))
    });
    met.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(edge, _)| edge)
}

/// How far it is from a point to an edge's line in a direction.
fn reach(edge: super::Segment, from: Point, turn: f64) -> f64 {
    let (along, to) = (edge.end - edge.start, edge.start - from);
    let ray = Vector::new(turn.cos(), turn.sin());
    (to.x * along.y - to.y * along.x) / (ray.x * along.y - ray.y * along.x)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(corners: &[(f64, f64)]) -> Polygon {
        Polygon::new(corners.iter().map(|&(x, y)| Point::new(x, y)).collect()).expect("an outline")
    }

    #[test]
    fn a_rectangle_is_its_own_fit_however_it_is_turned() {
        for deg in [0.0_f64, 17.0, 45.0, 133.0] {
            let (sin, cos) = deg.to_radians().sin_cos();
            let turned = |x: f64, y: f64| (30.0 + x * cos - y * sin, 70.0 + x * sin + y * cos);
            let outline = of(&[turned(0.0, 0.0), turned(90.0, 0.0), turned(90.0, 40.0), turned(0.0, 40.0)]);
            let fit = fitted(outline.corners()).expect("a fit");
            assert!((fit.long_mm - 90.0).abs() < 1e-9 && (fit.short_mm - 40.0).abs() < 1e-9, "{fit:?}");
            assert!((across_centre(&outline).0 - 40.0).abs() < 1e-9);
        }
    }

    #[test]
    fn a_triangle_is_narrowest_through_its_centre_along_a_side() {
        // Equilateral, side 60: the line through the centroid parallel to a side is two thirds of it.
        let high = 60.0 * 0.75_f64.sqrt();
        let outline = of(&[(0.0, 0.0), (60.0, 0.0), (30.0, high)]);
        assert!((across_centre(&outline).0 - 40.0).abs() < 1e-6, "{:?}", across_centre(&outline));
        let fit = fitted(outline.corners()).expect("a fit");
        assert!((fit.long_mm - 60.0).abs() < 1e-9 && (fit.short_mm - high).abs() < 1e-9);
    }

    #[test]
    fn a_crescent_is_as_thick_as_where_its_centre_lies_nearest() {
        let horseshoe = of(&[
            (0.0, 0.0),
            (100.0, 0.0),
            (100.0, 90.0),
            (80.0, 90.0),
            (80.0, 20.0),
            (20.0, 20.0),
            (20.0, 90.0),
            (0.0, 90.0),
        ]);
        assert!(!horseshoe.holds(horseshoe.centroid()));
        assert!((across_centre(&horseshoe).0 - 20.0).abs() < 1e-6);
    }
}
