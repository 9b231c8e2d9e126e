//! The strip that a base sweeps when it goes straight ahead or straight back.
//!
//! In the base's own frame, millimetres: distances run from its leading edge the way it goes. The strip is as wide as
//! the base less the contact gap on either side, so bases that merely touch its sides are not in it. Distances are
//! told to a millionth of a millimetre, so that none of two equal ones is the nearer for how the table lies.

use crate::geometry::{Footprint, Pose, Segment, Vector};
use crate::units::rounded;

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Towards {
    /// The way it faces: its front edge leads.
    Ahead,
    /// Straight back: its rear edge leads.
    Back,
}

/// A base's strip.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Strip {
    base: Footprint,
    towards: Towards,
    half: f64,
    slack: f64,
}

impl Strip {
    /// The strip of `base`; `slack` is the contact gap.
    pub fn of(base: Footprint, towards: Towards, slack: f64) -> Self {
        Self { base, towards, half: base.width_mm() / 2.0 - slack, slack }
    }

    /// Where the base stands after so far.
    pub fn after(&self, mm: f64) -> Pose {
        let pose = self.base.pose();
        let by = match self.towards {
            Towards::Ahead => mm,
            Towards::Back => -mm,
        };
        Pose { centre: pose.at(0.0, by), ..pose }
    }

    /// How far the leading edge is from the nearest and the furthest part of an outline that is in the strip and not
    /// behind that edge. Negative by the contact gap at most.
    pub fn span(&self, outline: impl IntoIterator<Item = Segment>) -> Option<(f64, f64)> {
        let mut found: Option<(f64, f64)> = None;
        for edge in outline {
            let ends = [edge.start, edge.end].map(|p| self.seen(self.base.pose().seen_from_here(p)));
            let Some([a, b]) = in_band(ends, self.half) else { continue };
            let (near, far) = (told(a.min(b)), told(a.max(b)));
            if far < -self.slack {
                continue;
            }
            let near = near.max(-self.slack);
            found = Some(found.map_or((near, far), |(n, f)| (n.min(near), f.max(far))));
        }
        found
    }

    /// The same for another base. One that reaches past the leading edge stands in it or beside it, not in the way.
    pub fn span_of(&self, other: &Footprint) -> Option<(f64, f64)> {
        let outline = other.outline();
        let edges: Vec<Segment> = (0..4).map(|n| Segment::new(outline[n], outline[(n + 1) % 4])).collect();
        let whole = edges.iter().filter_map(|edge| {
            let ends = [edge.start, edge.end].map(|p| self.seen(self.base.pose().seen_from_here(p)));
            in_band(ends, self.half)
        });
        let ends: Vec<f64> = whole.flatten().collect();
        let near = told(ends.iter().copied().reduce(f64::min)?);
        let far = told(ends.iter().copied().reduce(f64::max)?);
        (near >= -self.slack && far > self.slack).then_some((near, far))
    }

    /// Across and along, from the middle of the leading edge.
    fn seen(&self, at: Vector) -> Vector {
        let along = match self.towards {
            Towards::Ahead => at.y,
            Towards::Back => -at.y,
        };
        Vector::new(at.x, along - self.base.depth_mm() / 2.0)
    }
}

/// A distance to a millionth of a millimetre.
fn told(mm: f64) -> f64 {
    rounded(mm, 6)
}

/// How far along both ends of what lies of a segment in the band |x| <= half are.
fn in_band([from, to]: [Vector; 2], half: f64) -> Option<[f64; 2]> {
    let across = to.x - from.x;
    if across.abs() < f64::EPSILON {
        return (from.x.abs() <= half).then_some([from.y, to.y]);
    }
    let share = |x: f64| ((x - from.x) / across).clamp(0.0, 1.0);
    let (a, b) = (share(-half), share(half));
    let y = |t: f64| from.y + (to.y - from.y) * t;
    ((a - b).abs() > f64::EPSILON).then(|| [y(a), y(b)])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn base(y: f64) -> Footprint {
        Footprint::new(Pose::new(100.0, y, 90.0), 40.0, 20.0).expect("a base")
    }

    #[test]
    fn a_base_straight_behind_is_met_after_the_gap_between_them() {
        let strip = Strip::of(base(100.0), Towards::Back, 0.5);
        let (near, far) = strip.span_of(&base(70.0)).expect("in the strip");
        assert!((near - 10.0).abs() < 1e-9 && (far - 30.0).abs() < 1e-9);
        assert_eq!(Strip::of(base(100.0), Towards::Ahead, 0.5).span_of(&base(70.0)), None);
    }

    #[test]
    fn a_base_that_touches_the_side_alone_is_not_in_the_strip() {
        let strip = Strip::of(base(100.0), Towards::Back, 0.5);
        let beside = Footprint::new(Pose::new(140.0, 80.0, 90.0), 40.0, 20.0).expect("a base");
        assert_eq!(strip.span_of(&beside), None);
    }

    #[test]
    fn an_edge_behind_the_leading_edge_is_not_met() {
        let strip = Strip::of(base(100.0), Towards::Back, 0.5);
        let line = |y: f64| {
            [Segment::new(crate::geometry::Point::new(0.0, y), crate::geometry::Point::new(200.0, y))]
        };
        assert_eq!(strip.span(line(95.0)), None);
        assert_eq!(strip.span(line(60.0)).map(|s| s.0.round()), Some(30.0));
    }
}
