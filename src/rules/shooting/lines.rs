//! Lines of sight: from each end of the shooting edge to each end of the target's edge, past every other element and
//! through no more cover than the rules allow (clauses dba3.sht.22, .25, .26). Table frame, millimetres.
//!
//! Lines past a base that touches shooter or target are read from where the three stand in exact contact: bases in line are
//! measured a hair before or behind each other, and nobody's neighbour bars his line.

use super::body::Side;
use super::cover::{THROUGH_BW, through};
use crate::geometry::{
    Binding, Edge, Feature, Footprint, Margin, Part, Point, Segment, Whose, convex, separation,
};
use crate::rules::ruleset::Kind;
use crate::rules::settings::SightTest;
use crate::rules::{Element, Location, Reason, Settings, Setup, exact};

/// Who shoots at whom.
pub(super) struct Between<'s> {
    pub setup: &'s Setup,
    /// The same elements, where they were brought to exact contact.
    pub touching: &'s Setup,
    /// Everybody who may stand near a line between the two.
    pub near: &'s [&'s Element],
    pub settings: &'s Settings,
    pub shooter: &'s Element,
    pub target: &'s Element,
    /// Features that one of the two is inside.
    pub inside: Vec<&'s str>,
}

/// What the lines from one edge to another come to.
pub(super) struct Sight {
    /// By how much they are clear.
    pub margin: Margin,
    /// The clauses, what blocks first.
    pub reasons: Vec<Reason>,
}

/// Nearer than this to a line as measured, base widths, whoever touches shooter or target is looked at where it touches.
const BESIDE_BW: f64 = 0.25;
/// Nearer than this bases touch exactly, millimetres.
const TOUCHING_MM: f64 = 1e-6;

/// A line as measured, and between the same points of the two bases where everything that touches does so exactly.
#[derive(Clone, Copy)]
struct Sighted {
    measured: Segment,
    joined: Segment,
}

/// One line and the thing that is nearest to barring it.
struct Line {
    margin: Margin,
    reason: Option<Reason>,
}

impl Between<'_> {
    /// Whether the target can be seen from one edge to another.
    pub fn sight(&self, from: &Side, to: &Side) -> Sight {
        let own = [from.line, self.joined(self.shooter, from)];
        let theirs = [to.line, self.joined(self.target, to)];
        let middle = |s: Segment| s.start + (s.end - s.start) / 2.0;
        let line = |a: fn(Segment) -> Point, b: fn(Segment) -> Point| Sighted {
            measured: Segment::new(a(own[0]), b(theirs[0])),
            joined: Segment::new(a(own[1]), b(theirs[1])),
        };
        let ends: [fn(Segment) -> Point; 2] = [|s| s.start, |s| s.end];
        let sights: Vec<Sighted> = match self.settings.line_of_sight_test {
            SightTest::CentreLine => vec![line(middle, middle)],
            SightTest::FourCornerLines | SightTest::AnyClearLine => {
                ends.into_iter().flat_map(|a| ends.map(|b| line(a, b))).collect()
            }
        };
        let lines = sights.into_iter().map(|sight| self.line(sight, from.edge, to.edge));
        let any = self.settings.line_of_sight_test == SightTest::AnyClearLine;
        let decides = |a: Line, b: Line| {
            let first = if any {
                exact(a.margin.mm - b.margin.mm) >= 0.0
            } else {
                exact(b.margin.mm - a.margin.mm) >= 0.0
            };
            if first { a } else { b }
        };
        let line = lines.reduce(decides).expect("there is a line");
        let holds = line.margin.satisfied();
        let how = match self.settings.line_of_sight_test {
            SightTest::FourCornerLines => "all four lines from end to end must be clear",
            SightTest::AnyClearLine => "by the setting one clear line from end to end is enough",
            SightTest::CentreLine => "by the setting the line from middle to middle must be clear",
        };
        let text = format!("{how}; {}", if holds { "they are" } else { "what bars it is named" });
        let mut reasons: Vec<Reason> = line.reason.into_iter().collect();
        reasons.push(Reason::tested("dba3.sht.26", text, line.margin));
        Sight { margin: line.margin, reasons }
    }

    /// An edge of one of the two where it touches others exactly; a rim, or who stands alone, as measured.
    fn joined(&self, of: &Element, side: &Side) -> Segment {
        let base = side.edge.zip(self.touching.element(&of.name));
        base.map_or(side.line, |(edge, element)| element.footprint.edge(edge))
    }

    /// The base of `other` where it touches shooter or target exactly; none where it touches neither.
    fn in_line(&self, other: &Element) -> Option<Footprint> {
        let base = |e: &Element| self.touching.element(&e.name).map(|e| e.footprint);
        let own = base(other)?;
        let beside = |e: &Element| base(e).is_some_and(|b| separation(&own, &b).mm.abs() < TOUCHING_MM);
        (beside(self.shooter) || beside(self.target)).then_some(own)
    }

    fn line(&self, sight: Sighted, own: Option<Edge>, theirs: Option<Edge>) -> Line {
        let (from, to) = (sight.measured.start, sight.measured.end);
        let mut found: Option<Line> = None;
        let mut add = |margin: Margin, reason: Option<Reason>| {
            if found.as_ref().is_none_or(|known| exact(margin.mm - known.margin.mm) < 0.0) {
                found = Some(Line { margin, reason });
            }
        };
        let part = |edge: Option<Edge>| edge.map_or(Part::Rim, Part::Edge);
        let own = Feature { whose: Whose::A, part: part(own), at: from };
        let line = sight.measured;
        let beside_mm = BESIDE_BW * self.setup.scale.mm_per_bw();
        // Cover binds at this at most: whoever is further from the line decides nothing.
        let far_mm = THROUGH_BW * self.setup.scale.mm_per_bw() + 1e-6;
        for other in self.near.iter().filter(|e| self.in_the_way(e)) {
            let base = other.footprint;
            let reach = base.width_mm().hypot(base.depth_mm()) / 2.0 + far_mm;
            if (base.pose().centre - line.nearest_to(base.pose().centre).0).norm() > reach {
                continue;
            }
            let mut gap = convex::gap(&[from, to], &base.outline());
            if gap.mm.abs() < beside_mm
                && let Some(base) = self.in_line(other)
            {
                gap = convex::gap(&[sight.joined.start, sight.joined.end], &base.outline());
            }
            let at = Feature { whose: Whose::B, part: Part::Inside, at: gap.of_b };
            let margin = Margin::closed(exact(gap.mm), Binding(own, at));
            let through_psiloi = self.shoots_through(other);
            let (a, e, o) = (&self.shooter.name, &self.target.name, &other.name);
            if through_psiloi {
                continue;
            }
            let text = if margin.satisfied() {
                format!("the line from {a} to {e} misses {o} by {:.1} mm", gap.mm)
            } else {
                format!("{o} bars the line from {a} to {e}, by {:.1} mm", -gap.mm)
            };
            add(margin, Some(Reason::tested("dba3.sht.25", text, margin)));
        }
        let (margin, reason) =
            through(self, from, to, Binding(own, Feature { whose: Whose::B, part: part(theirs), at: to }));
        add(margin, reason);
        found.expect("cover was looked at")
    }

    /// Whether an element may bar lines at all.
    fn in_the_way(&self, other: &Element) -> bool {
        other.location == Location::Board && other.name != self.shooter.name && other.name != self.target.name
    }

    /// Whether the shooter shoots through `other` as though it were not there (clause dba3.sht.25).
    pub fn shoots_through(&self, other: &Element) -> bool {
        let kind = |e: &Element| self.settings.ruleset().troop(&e.troop).map(|t| t.kind);
        other.side != self.shooter.side
            && kind(self.shooter) == Some(Kind::Artillery)
            && kind(other) == Some(Kind::Psiloi)
    }

    /// Enemy Psiloi that lie across the way of Artillery and do not bar it.
    pub fn psiloi_between(&self, from: &Side, to: &Side) -> Option<Reason> {
        let hull = convex::hull(&[from.line.start, from.line.end, to.line.start, to.line.end]);
        let crossed = |e: &&Element| {
            self.in_the_way(e)
                && self.shoots_through(e)
                && convex::gap(&hull, &e.footprint.outline()).mm < 0.0
        };
        let psiloi = self.near.iter().copied().find(crossed)?;
        let text =
            format!("{} is Artillery and may shoot through {}, enemy Psiloi", self.shooter.name, psiloi.name);
        Some(Reason::holds("dba3.sht.25", text))
    }
}
