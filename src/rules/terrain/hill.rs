//! A hill's crest, and who stands higher.
//!
//! Height is nearness to the crest line, and whatever is off the hill is lowest (notes of clause
//! dba3.going.15). Where a file gives no crest, the hill's long axis is taken: the middle line of the
//! smallest rectangle round it, a quarter of its width short of either end. That quarter is a choice.

use super::{Feature, Ground, Hill, Profile};
use crate::geometry::{Edge, Footprint, Point, Polygon, Relief, Rise, Segment, convex};

impl Hill {
    /// A hill of that outline whose crest is its long axis.
    pub fn of_outline(outline: &Polygon, height_mm: f64, profile: Profile) -> Self {
        Self { crest: long_axis(outline), height_mm, profile }
    }

    /// The straight parts of the crest.
    pub fn crest_parts(&self) -> impl Iterator<Item = Segment> + '_ {
        self.crest.windows(2).map(|pair| Segment::new(pair[0], pair[1]))
    }

    /// How far a point is from the crest, millimetres, and the nearest point of the crest.
    pub fn below_crest(&self, point: Point) -> (f64, Point) {
        let mut best = (f64::INFINITY, point);
        for part in self.crest_parts() {
            let near = part.nearest_to(point).0;
            let mm = (near - point).norm();
            if mm < best.0 {
                best = (mm, near);
            }
        }
        best
    }
}

impl Ground {
    /// The shape of the ground under bases: every hill that has a height.
    pub fn relief(&self) -> Relief {
        let hill = |feature: &Feature| {
            let hill = feature.hill.as_ref()?;
            let rise = match hill.profile {
                Profile::Stepped => Rise::Stepped,
                Profile::Slope => Rise::Sloping { crest: hill.crest.clone() },
            };
            crate::geometry::Hill::new(feature.outline.clone(), hill.height_mm, rise).ok()
        };
        Relief::new(self.features.iter().filter_map(hill).collect())
    }
}

/// Two points of the middle line of the smallest rectangle round an outline.
fn long_axis(outline: &Polygon) -> Vec<Point> {
    let hull = convex::hull(outline.corners());
    let mut best: Option<(f64, [Point; 2])> = None;
    for (n, &from) in hull.iter().enumerate() {
        let along = hull[(n + 1) % hull.len()] - from;
        let along = along / along.norm();
        let across = crate::geometry::Vector::new(-along.y, along.x);
        let range = |way: crate::geometry::Vector| {
            let places = hull.iter().map(|p| (p - from).dot(&way));
            places.fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), v| (lo.min(v), hi.max(v)))
        };
        let (a, b) = (range(along), range(across));
        let (length, width) = (a.1 - a.0, b.1 - b.0);
        if best.as_ref().is_some_and(|(area, _)| length * width >= *area) {
            continue;
        }
        let middle = from + along * f64::midpoint(a.0, a.1) + across * f64::midpoint(b.0, b.1);
        let (way, long, short) =
            if length >= width { (along, length, width) } else { (across, width, length) };
        let half = way * (long / 2.0 - short / 4.0);
        best = Some((length * width, [middle - half, middle + half]));
    }
    best.expect("an outline's hull has edges").1.to_vec()
}

/// The point of some part of a base that is on the hill and nearest to its crest: how far from the crest,
/// and where. `None` where no point of the part is on the hill.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Highest {
    /// From the crest, millimetres.
    pub below_crest_mm: f64,
    /// Where.
    pub at: Point,
}

impl Highest {
    /// The highest point of a base's front edge.
    pub fn of_front(base: &Footprint, feature: &Feature) -> Option<Self> {
        Self::of_segment(&base.edge(Edge::Front), feature)
    }

    /// The highest point of a whole base.
    pub fn of_base(base: &Footprint, feature: &Feature) -> Option<Self> {
        let hill = feature.hill.as_ref()?;
        let inside = |p: Point| base.distance_to_point(p) <= 0.0;
        let on_crest = hill
            .crest_parts()
            .filter(|part| {
                Edge::ALL.iter().any(|e| base.edge(*e).crossing(part).is_some()) || inside(part.start)
            })
            .map(|part| Self { below_crest_mm: 0.0, at: part.start });
        let edges = Edge::ALL.into_iter().filter_map(|e| Self::of_segment(&base.edge(e), feature));
        let rim = feature.outline.corners().iter().filter(|p| inside(**p)).map(|p| Self::of_point(*p, hill));
        on_crest.chain(edges).chain(rim).reduce(Self::higher)
    }

    fn of_point(at: Point, hill: &Hill) -> Self {
        Self { below_crest_mm: hill.below_crest(at).0, at }
    }

    /// The highest point of a straight edge: it is where the edge is nearest to a part of the crest, or where
    /// it enters or leaves the hill.
    fn of_segment(edge: &Segment, feature: &Feature) -> Option<Self> {
        let hill = feature.hill.as_ref()?;
        let mut found: Option<Self> = None;
        for inside in feature.outline.parts_inside(edge) {
            let nearest_to_crest = hill.crest_parts().flat_map(|part| {
                let ends = [part.start, part.end].map(|end| inside.nearest_to(end).0);
                ends.into_iter().chain(inside.crossing(&part))
            });
            for at in nearest_to_crest.chain([inside.start, inside.end]) {
                let next = Self::of_point(at, hill);
                found = Some(found.map_or(next, |best| best.higher(next)));
            }
        }
        found
    }

    fn higher(self, other: Self) -> Self {
        if other.below_crest_mm < self.below_crest_mm { other } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hill(corners: &[(f64, f64)]) -> Polygon {
        Polygon::new(corners.iter().map(|&(x, y)| Point::new(x, y)).collect()).expect("an outline")
    }

    #[test]
    fn the_crest_runs_along_the_long_axis() {
        let outline = hill(&[(0.0, 0.0), (200.0, 0.0), (200.0, 80.0), (0.0, 80.0)]);
        let found = Hill::of_outline(&outline, 15.0, Profile::Slope).crest;
        let mut along: Vec<f64> = found.iter().map(|p| p.x).collect();
        along.sort_by(f64::total_cmp);
        assert_eq!(along, [20.0, 180.0]);
        assert!(found.iter().all(|p| (p.y - 40.0).abs() < 1e-9));
    }

    #[test]
    fn a_turned_hill_has_a_turned_crest() {
        let outline = hill(&[(0.0, 0.0), (120.0, 160.0), (72.0, 196.0), (-48.0, 36.0)]);
        let found = Hill::of_outline(&outline, 15.0, Profile::Slope).crest;
        let along = found[1] - found[0];
        assert!((along.norm() - (200.0 - 30.0)).abs() < 1e-9, "{found:?}");
        assert!((along.x.abs() / along.norm() - 0.6).abs() < 1e-9);
    }
}
