//! Range and arc: how much of a target's edge lies where an edge shoots (clauses dba3.sht.2 to .7).
//!
//! The field of an edge is the ground before it, no more than 1 BW to the side of the strip straight ahead and no
//! further than the range from the nearest point of the edge. Inside a City, Fort or camp there is no arc. Table
//! frame, millimetres; margins are strict where the setting says that exactly at the limit is not within it.

use super::body::{Body, Side};
use crate::geometry::{
    Binding, Feature, Heading, Limit, Margin, Part, Point, Segment, Vector, Whose, convex,
};
use crate::rules::{Settings, exact};

/// How deep the strip before an edge is drawn, in ranges: further than any range reaches.
const FAR: f64 = 20.0;

/// Over what an element shoots.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Arc {
    /// Ahead, and 1 BW to the side.
    Ahead,
    /// All round.
    AllRound,
}

/// The ground that an edge shoots over.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    /// The edge.
    pub from: Side,
    /// How far it reaches, millimetres.
    pub range_mm: f64,
    /// How far to the side, millimetres: 1 BW.
    pub aside_mm: f64,
    /// Whether to the front alone.
    pub arc: Arc,
}

/// By how much a target's edge lies in a field.
#[derive(Debug, Clone, Copy)]
pub(super) struct Reach {
    /// Range less the distance of the nearest points.
    pub range: Margin,
    /// How far the target reaches into the strip ahead; none where there is no arc.
    pub arc: Option<Margin>,
    /// What of the target's edge lies in the field, less what must; where none does, less what it is off.
    pub length: Margin,
    /// What of the target's edge lies in the field.
    pub inside_mm: f64,
}

impl Reach {
    /// All of it together.
    pub fn margin(&self) -> Margin {
        self.arc.map_or(self.range, |arc| self.range.and(arc)).and(self.length)
    }
}

fn binding(own: Side, own_at: Point, theirs: Side, at: Point) -> Binding {
    let part = |side: Side| side.edge.map_or(Part::Rim, Part::Edge);
    Binding(
        Feature { whose: Whose::A, part: part(own), at: own_at },
        Feature { whose: Whose::B, part: part(theirs), at },
    )
}

impl Field {
    fn way(&self) -> Option<Heading> {
        Heading::along(self.from.line.end - self.from.line.start)
    }

    /// A point as seen from the edge's start: along it, and out from it.
    fn seen(&self, way: Heading, point: Point) -> (f64, f64) {
        let from = point - self.from.line.start;
        (from.dot(&way.vector()), from.dot(&way.left()))
    }

    /// By how much one edge of a target lies in the field; none where the field's edge has no length.
    pub fn reach(&self, target: &Body, side: &Side, settings: &Settings) -> Option<Reach> {
        let way = self.way()?;
        let limit = if settings.within_includes_equal { Limit::Closed } else { Limit::Strict };
        let near = convex::gap(&[self.from.line.start, self.from.line.end], &target.outline);
        let range = Margin {
            mm: exact(self.range_mm - near.mm.max(0.0)),
            limit,
            binding: binding(self.from, near.of_a, *side, near.of_b),
        };
        let arc = (self.arc == Arc::Ahead).then(|| {
            let found = convex::gap(&target.outline, &self.strip(way));
            Margin { mm: exact(-found.mm), limit, binding: binding(self.from, found.of_b, *side, found.of_a) }
        });
        let inside = self.inside(way, &side.line);
        let inside_mm = inside.map_or(0.0, |part| part.length());
        let off_mm = if inside.is_some() { 0.0 } else { self.off(way, &side.line) };
        let needed = settings.target_edge_length_bw.bw() * self.aside_mm;
        let at = inside.map_or(side.line.start, |part| part.start + (part.end - part.start) / 2.0);
        let own_at = self.from.line.nearest_to(at).0;
        let length = Margin {
            mm: exact(inside_mm - needed - off_mm),
            limit: Limit::Closed,
            binding: binding(self.from, own_at, *side, at),
        };
        // With no length asked for, a point of the edge must still be there.
        let length = if inside.is_none() { Margin { limit: Limit::Strict, ..length } } else { length };
        Some(Reach { range, arc, length, inside_mm })
    }

    /// The strip ahead with 1 BW on either side, as an outline.
    fn strip(&self, way: Heading) -> [Point; 4] {
        let (along, out) = (way.vector() * self.aside_mm, way.left() * (FAR * self.range_mm));
        let (start, end) = (self.from.line.start - along, self.from.line.end + along);
        [start, end, end + out, start + out]
    }

    /// The part of an edge that lies in the field.
    fn inside(&self, way: Heading, edge: &Segment) -> Option<Segment> {
        let (mut from, mut to) = self.within_range(way, edge)?;
        if self.arc == Arc::Ahead {
            let ((u0, v0), (u1, v1)) = (self.seen(way, edge.start), self.seen(way, edge.end));
            let width = self.from.line.length();
            // Zero or more at a point that is in: beside the left limit, the right one, before the edge.
            for (at_start, at_end) in [
                (u0 + self.aside_mm, u1 + self.aside_mm),
                (width + self.aside_mm - u0, width + self.aside_mm - u1),
                (v0, v1),
            ] {
                let (a, b) = (exact(at_start), exact(at_end));
                match (a < 0.0, b < 0.0) {
                    (true, true) => return None,
                    (true, false) => from = from.max(a / (a - b)),
                    (false, true) => to = to.min(a / (a - b)),
                    (false, false) => {}
                }
            }
        }
        let along = edge.end - edge.start;
        (exact((to - from) * along.norm()) >= 0.0)
            .then(|| Segment::new(edge.start + along * from, edge.start + along * to.max(from)))
    }

    /// The shares of an edge between which it is within range: a stretch, for the ground in range is convex.
    fn within_range(&self, way: Heading, edge: &Segment) -> Option<(f64, f64)> {
        let range = self.range_mm;
        let width = self.from.line.length();
        let ((u0, v0), (u1, v1)) = (self.seen(way, edge.start), self.seen(way, edge.end));
        let (du, dv) = (u1 - u0, v1 - v0);
        let mut found: Option<(f64, f64)> = None;
        let mut add = |from: f64, to: f64| {
            let (from, to) = (from.max(0.0), to.min(1.0));
            if from <= to {
                found = Some(found.map_or((from, to), |(a, b)| (a.min(from), b.max(to))));
            }
        };
        // Straight before or behind the edge.
        let slab = |a: f64, d: f64, low: f64, high: f64| -> Option<(f64, f64)> {
            if exact(d) == 0.0 {
                let inside = exact(a - low) >= 0.0 && exact(high - a) >= 0.0;
                return inside.then_some((0.0, 1.0));
            }
            let (x, y) = ((low - a) / d, (high - a) / d);
            Some((x.min(y), x.max(y)))
        };
        if let (Some(a), Some(b)) = (slab(u0, du, 0.0, width), slab(v0, dv, -range, range)) {
            add(a.0.max(b.0), a.1.min(b.1));
        }
        // Round its two ends.
        for centre in [0.0, width] {
            let start = Vector::new(u0 - centre, v0);
            let step = Vector::new(du, dv);
            let (a, b, c) = (step.norm_squared(), start.dot(&step), start.norm_squared() - range * range);
            let root = b * b - a * c;
            if a > 0.0 && root >= 0.0 {
                add((-b - root.sqrt()) / a, (-b + root.sqrt()) / a);
            }
        }
        found
    }

    /// How far an edge is from the field.
    fn off(&self, way: Heading, edge: &Segment) -> f64 {
        let ends = [edge.start, edge.end];
        let far = convex::gap(&ends, &[self.from.line.start, self.from.line.end]).mm - self.range_mm;
        let aside = if self.arc == Arc::Ahead { convex::gap(&ends, &self.strip(way)).mm } else { 0.0 };
        far.max(aside).max(0.0)
    }
}
