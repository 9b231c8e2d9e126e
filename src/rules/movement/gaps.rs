//! Gaps that a single element passes: wide enough for its leading edge.
//!
//! A gap is what two others leave between them on both sides of a straight leg, measured across the way;
//! whom the leg comes up to, and does not pass, bounds none.
//! The leading edge is how wide the base is across the way, or by the setting its front edge. Table frame,
//! millimetres. Clauses: dba3.move.8, .9, .10, dba3.set.30.

use super::Manoeuvre;
use super::scene::{Findings, Scene, width_across};
use crate::geometry::{Binding, Feature, Footprint, Leg, Margin, Part, Point, Sweep, Vector, Whose};
use crate::rules::settings::LeadingEdge;
use crate::rules::{Settings, by_size, exact};

/// What stands beside a leg.
struct Beside<'a> {
    name: &'a str,
    /// Nearest to the way, to its left positive, millimetres.
    inner: f64,
    at: Point,
}

/// Adds the tightest gap that a single element passes, and which ways it may go.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    if scene.mv.manoeuvre != Manoeuvre::Single {
        return;
    }
    for walker in &scene.walkers {
        if walker.legs.iter().any(|leg| matches!(leg, Leg::Shift(_))) {
            found.note("dba3.move.8", format!("{} is a single element and may go any way", walker.name()));
        }
        let turn = walker.start().pose().heading.turn_to_radians(walker.end().pose().heading);
        if turn.abs() > 1e-9 {
            found.note("dba3.move.10", format!("{} may end facing any way", walker.name()));
        }
        let mut tightest: Option<(f64, Margin, String)> = None;
        for sweep in walker.sweeps() {
            let Leg::Shift(by) = sweep.leg else { continue };
            if let Some((gap, margin, text)) = gap(scene, &sweep, by, walker.name())
                && tightest.as_ref().is_none_or(|(_, known, _)| margin.mm < known.mm)
            {
                tightest = Some((gap, margin, text));
            }
        }
        if let Some((gap, margin, text)) = tightest {
            let remedy = || format!("the gap is {gap:.1} mm; go round, or turn so that a shorter edge leads");
            found.test("dba3.move.9", text, margin, remedy);
            let by_setting = match scene.settings.gap_leading_edge {
                LeadingEdge::TravelDirection => "the edge that leads on the way must fit the gap",
                LeadingEdge::FrontEdge => "by the setting the front edge must fit the gap",
            };
            found.note("dba3.set.30", by_setting);
        }
    }
}

/// The gap that others leave on both sides of a straight leg, if they stand on both.
fn gap(scene: &Scene<'_>, sweep: &Sweep, by: Vector, name: &str) -> Option<(f64, Margin, String)> {
    let others = scene.standing.iter().map(|e| (e.name.as_str(), e.footprint));
    let Left { mm, needed, sides: [on_left, on_right] } =
        left_between(others, scene.settings, scene.bw_mm(), sweep, by)?;
    let feature = |whose, at| Feature { whose, part: Part::Inside, at };
    let margin = Margin::closed(
        exact(mm + scene.slack_mm() - needed),
        Binding(feature(Whose::A, on_left.at), feature(Whose::B, on_right.at)),
    );
    let text = format!(
        "{name} needs {needed:.1} mm between {} and {}, which leave {mm:.1} mm",
        on_left.name, on_right.name
    );
    Some((mm, margin, text))
}

/// Whether a base on a straight leg fits between these others.
pub(super) fn fits(
    others: impl Iterator<Item = Footprint>,
    settings: &Settings,
    bw_mm: f64,
    sweep: &Sweep,
    by: Vector,
) -> bool {
    let left = left_between(others.map(|base| ("", base)), settings, bw_mm, sweep, by);
    left.is_none_or(|left| exact(left.mm + settings.tolerances.contact_gap_mm - left.needed) >= 0.0)
}

/// What others leave on both sides of a leg.
struct Left<'a> {
    mm: f64,
    /// How wide the edge that leads is.
    needed: f64,
    sides: [Beside<'a>; 2],
}

fn left_between<'a>(
    others: impl Iterator<Item = (&'a str, Footprint)>,
    settings: &Settings,
    bw_mm: f64,
    sweep: &Sweep,
    by: Vector,
) -> Option<Left<'a>> {
    let length = by.norm();
    if length == 0.0 {
        return None;
    }
    let way = by / length;
    let left = Vector::new(-way.y, way.x);
    let (base, centre) = (&sweep.base, sweep.base.pose().centre);
    let own_reach = width_across(base, left) / 2.0;
    let mut nearest: [Option<Beside<'_>>; 2] = [None, None];
    let end = sweep.end();
    for (name, other) in others {
        if comes_up_to(&end, way, &other, settings.tolerances.contact_gap_mm) {
            continue;
        }
        let along = other.outline().map(|p| ((p - centre).dot(&way), (p - centre).dot(&left), p));
        // Only what the base passes: what lies wholly behind its start or beyond its end bounds no gap.
        let from = along.iter().map(|c| c.0).fold(f64::INFINITY, f64::min);
        let to = along.iter().map(|c| c.0).fold(f64::NEG_INFINITY, f64::max);
        if exact(to - own_reach) <= 0.0 || exact(from - length - own_reach) >= 0.0 {
            continue;
        }
        let middle = (other.pose().centre - centre).dot(&left);
        let side = usize::from(middle < 0.0);
        let inner = along
            .iter()
            .map(|c| (if side == 0 { c.1 } else { -c.1 }, c.2))
            .min_by(|a, b| by_size(a.0, b.0))?;
        // What stands across the middle of the way is run into or passed through: it bounds no gap.
        if exact(inner.0) < 0.0 {
            continue;
        }
        if nearest[side].as_ref().is_none_or(|known| exact(inner.0 - known.inner) < 0.0) {
            nearest[side] = Some(Beside { name, inner: inner.0, at: inner.1 });
        }
    }
    let [Some(on_left), Some(on_right)] = nearest else { return None };
    let mm = on_left.inner + on_right.inner;
    let needed = match settings.gap_leading_edge {
        LeadingEdge::TravelDirection => width_across(base, way),
        LeadingEdge::FrontEdge => base.width_mm(),
    };
    // Wide openings are no gaps worth telling of.
    (mm <= 2.0 * needed.max(bw_mm)).then_some(Left { mm, needed, sides: [on_left, on_right] })
}

/// Whether a base that ends its way here has come up to another and not passed it: that one lies wholly
/// beyond the edge that leads.
fn comes_up_to(end: &Footprint, way: Vector, other: &Footprint, slack_mm: f64) -> bool {
    let heading = end.pose().heading;
    let (ahead, aside) = (way.dot(&heading.vector()), way.dot(&heading.right()));
    let beyond = |p: Point| {
        let seen = end.pose().seen_from_here(p);
        if ahead.abs() >= aside.abs() {
            seen.y * ahead.signum() - end.depth_mm() / 2.0
        } else {
            seen.x * aside.signum() - end.width_mm() / 2.0
        }
    };
    other.outline().into_iter().all(|p| beyond(p) >= -slack_mm)
}
