//! Threat zones: the ground before an element that binds its enemies (clauses dba3.tz.1 and .3).
//!
//! A zone is a rectangle as wide as the base's front and one base width deep, straight ahead. Its
//! margin is how far the other base reaches into it: the smallest shift that would take it out, or
//! minus the smallest shift that would bring it in. The far edge and the front edge count as in; a
//! side line alone does not, unless the setting `tz-side-line-counts` says so.
//!
//! Table frame, millimetres.

use super::{Context, Element, Settings, exact};
use crate::geometry::{
    Binding, Corner, Edge, Feature, Footprint, Limit, Margin, Part, Point, Pose, Separation, Whose,
    separation,
};
use crate::rules::ruleset::Kind;
use crate::units::Scale;

/// By how much any part of `a` is in the zone of `b`, other elements left aside.
pub(super) fn reach_into(a: &Element, b: &Element, context: &Context<'_>) -> Margin {
    let depth = context.scale.mm_per_bw();
    let front = zone_before(&b.footprint, Edge::Front, depth);
    let mut margin = if context.settings.tz_blocked_by_elements {
        past_blockers(a, b, &front, context)
    } else {
        into_zone(a, Edge::Front, &front, context)
    };
    if threatens_all_round(b, context) {
        for edge in [Edge::Right, Edge::Rear, Edge::Left] {
            let zone = zone_before(&b.footprint, edge, depth);
            margin = margin.or(into_zone(a, edge, &zone, context));
        }
    }
    margin
}

/// The ground that an element threatens, for drawing: a rectangle before each edge that has a zone, its
/// front the far edge. What other elements cut off is not left out.
pub fn threat_zones(element: &Element, scale: Scale, settings: &Settings) -> Vec<Footprint> {
    let edges = if all_round(element, settings) { &Edge::ALL[..] } else { &[Edge::Front] };
    edges.iter().map(|&edge| zone_before(&element.footprint, edge, scale.mm_per_bw())).collect()
}

/// Whether `b` has a zone before each of its edges (clause dba3.set.47).
pub(super) fn threatens_all_round(b: &Element, context: &Context<'_>) -> bool {
    all_round(b, context.settings)
}

fn all_round(element: &Element, settings: &Settings) -> bool {
    settings.wwg_tz_all_edges
        && settings.ruleset().troop(&element.troop).is_some_and(|t| t.kind == Kind::WarWagons)
}

/// The rectangle before one edge of a base: as wide as the edge, `depth_mm` deep, its front the far edge.
fn zone_before(base: &Footprint, edge: Edge, depth_mm: f64) -> Footprint {
    let (turn, reach, width) = match edge {
        Edge::Front => (0.0, base.depth_mm() / 2.0, base.width_mm()),
        Edge::Right => (-90.0, base.width_mm() / 2.0, base.depth_mm()),
        Edge::Rear => (180.0, base.depth_mm() / 2.0, base.width_mm()),
        Edge::Left => (90.0, base.width_mm() / 2.0, base.depth_mm()),
    };
    let heading = base.pose().heading.turned_degrees(turn);
    let pose = Pose { centre: base.pose().centre, heading };
    let centre = pose.at(0.0, reach + depth_mm / 2.0);
    Footprint::new(Pose { centre, heading }, width, depth_mm).expect("an edge and a scale have length")
}

fn into_zone(a: &Element, edge: Edge, zone: &Footprint, context: &Context<'_>) -> Margin {
    // The zone first: where both would do, the feature named is the zone's edge.
    let found = separation(zone, &a.footprint);
    let mm = exact(-found.mm);
    let touched = (mm == 0.0).then(|| touched(a, &found, zone));
    let closed = match touched.unwrap_or_else(|| nearest_end(&found, zone)) {
        Edge::Front => context.settings.within_includes_equal,
        Edge::Rear => true,
        Edge::Left | Edge::Right => context.settings.tz_side_line_counts,
    };
    let limit = if closed { Limit::Closed } else { Limit::Strict };
    let part = touched.map_or(found.binding.0.part, Part::Edge);
    let own = named(Feature { part, ..found.binding.0 }, edge);
    Margin { mm, limit, binding: Binding(Feature { whose: Whose::A, ..found.binding.1 }, own) }
}

/// The edge of the zone that a base touches and no more: a side line where it lies wholly beyond it, for a point of
/// the far edge at a side line is on the side line.
fn touched(a: &Element, found: &Separation, zone: &Footprint) -> Edge {
    let beyond = |side: &Edge| {
        let line = zone.edge_line(*side);
        a.footprint.outline().iter().all(|&corner| exact(line.left_of(corner)) >= 0.0)
    };
    [Edge::Left, Edge::Right].into_iter().find(beyond).unwrap_or_else(|| nearest_end(found, zone))
}

/// The edge of the zone that the binding point is on: at a corner the end's, whatever rounding says.
fn nearest_end(found: &Separation, zone: &Footprint) -> Edge {
    let at = zone.pose().seen_from_here(found.binding.0.at);
    let from_side = zone.width_mm() / 2.0 - at.x.abs();
    let from_end = zone.depth_mm() / 2.0 - at.y.abs();
    match (exact(from_end - from_side) <= 0.0, at.y < 0.0, at.x < 0.0) {
        (true, true, _) => Edge::Rear,
        (true, false, _) => Edge::Front,
        (false, _, true) => Edge::Left,
        (false, _, false) => Edge::Right,
    }
}

/// A feature of the zone's rectangle as one of the element's.
fn named(feature: Feature, edge: Edge) -> Feature {
    let side = |left: bool| match (edge, left) {
        (Edge::Front, true) => Edge::Left,
        (Edge::Front, false) => Edge::Right,
        (Edge::Right, true) | (Edge::Left, false) => Edge::Front,
        (Edge::Right, false) | (Edge::Left, true) => Edge::Rear,
        (Edge::Rear, true) => Edge::Right,
        (Edge::Rear, false) => Edge::Left,
    };
    let part = match feature.part {
        Part::Edge(Edge::Front) | Part::Corner(Corner::FrontLeft | Corner::FrontRight) => Part::ZoneFarEdge,
        Part::Edge(Edge::Left) => Part::ZoneSide(side(true)),
        Part::Edge(Edge::Right) => Part::ZoneSide(side(false)),
        Part::Corner(corner @ (Corner::RearLeft | Corner::RearRight)) if edge == Edge::Front => {
            let left = corner == Corner::RearLeft;
            Part::Corner(if left { Corner::FrontLeft } else { Corner::FrontRight })
        }
        _ => Part::Edge(edge),
    };
    Feature { whose: Whose::B, part, at: feature.at }
}

/// The zone with the ground behind other elements cut off (setting `tz-blocked-by-elements`): seen
/// straight ahead, what stands behind an element that is nearer than `a` is out of the zone. The
/// strips that remain have open sides; where none remains the margin is minus the least by which the
/// blockers' cover reaches past the zone.
fn past_blockers(a: &Element, b: &Element, zone: &Footprint, context: &Context<'_>) -> Margin {
    let whole = into_zone(a, Edge::Front, zone, context);
    let span = |base: &Footprint| {
        let seen = base.outline().map(|p: Point| zone.pose().seen_from_here(p));
        let fold = |f: fn(f64, f64) -> f64, axis: usize| seen.iter().map(|v| v[axis]).reduce(f);
        let of = |f, axis| fold(f, axis).unwrap_or_default();
        (of(f64::min, 0), of(f64::max, 0), of(f64::min, 1))
    };
    let half = zone.width_mm() / 2.0;
    let near = span(&a.footprint).2;
    let (mut open, mut covered) = (vec![(-half, half)], (half, -half));
    for other in context.others(a, b) {
        let reach = separation(&other.footprint, zone).mm;
        let (left, right, forward) = span(&other.footprint);
        if reach >= 0.0 || forward >= near {
            continue;
        }
        covered = (left.min(covered.0), right.max(covered.1));
        open = open
            .into_iter()
            .flat_map(|(from, to)| [(from, to.min(left)), (from.max(right), to)])
            .filter(|(from, to)| exact(to - from) > 0.0)
            .collect();
    }
    let strips = open.iter().filter_map(|&(from, to)| {
        let centre = zone.pose().at((from + to) / 2.0, 0.0);
        let pose = Pose { centre, heading: zone.pose().heading };
        let strip = Footprint::new(pose, to - from, zone.depth_mm())?;
        Some(into_zone(a, Edge::Front, &strip, context))
    });
    let cover = (covered.1 - half).min(-half - covered.0).max(0.0);
    strips.reduce(Margin::or).unwrap_or(Margin { mm: exact(-cover) + 0.0, limit: Limit::Strict, ..whole })
}
