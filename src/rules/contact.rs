//! Kinds of contact, and where a flank or rear contact may start from, as signed margins.
//!
//! Bases that truly touch are measured a fraction apart, so contact is judged within
//! [`super::Tolerances`]. A contact of `a`'s front edge with an edge of `b` is the conjunction of
//! four margins, all in millimetres:
//!
//! * **gap**: the contact gap plus the overhang of the figures on the two edges, less the gap. The gap
//!   is measured square to `b`'s edge at both ends of the stretch that the edges share (front to front
//!   also square to `a`'s); the smaller counts, and below zero the bases overlap;
//! * **corners**: the corner offset, less the larger offset, along `b`'s edge, of corners that should
//!   match: both pairs front to front and front to rear; front to flank the one front corner of each;
//! * **facing**: the tolerated turn less the turn, in radians, times the width of `a`'s base, that is,
//!   by how much one end of `a`'s front leads the other;
//! * **side**: half the depth that either base has behind its edge, less the overlap: an edge that
//!   lies past the middle of the other base is not the one that touches it.
//!
//! Clauses: dba3.con.4 (front), .5 (rear), .6 (flank), .9 to .11 (starts), dba3.ovl.1 (corners).

use super::{Context, Element, Tolerances, exact};
use crate::geometry::{Binding, Corner, Edge, Feature, Footprint, Limit, Line, Margin, Part, Point, Whose};

/// The parts of a contact margin. All must hold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Contact {
    /// Which edge of `b`.
    pub edge: Edge,
    /// Tolerance less the gap.
    pub gap: Margin,
    /// Tolerance less the corners' offset.
    pub corners: Margin,
    /// Tolerance less the turn.
    pub facing: Margin,
    /// Whether these edges are the ones that meet.
    pub side: Margin,
}

impl Contact {
    /// All parts together.
    pub fn margin(&self) -> Margin {
        self.gap.and(self.corners).and(self.facing).and(self.side)
    }
}

/// `a`'s front edge on one edge of `b`.
pub(super) fn on_edge(a: &Element, b: &Element, edge: Edge, tolerances: &Tolerances) -> Contact {
    let line = b.footprint.edge_line(edge);
    let [start, end] = edge.corners();
    // Edges run clockwise, so edges that touch run against each other: a's left end meets the end.
    let right = Pair { a: Corner::FrontRight, b: start };
    let left = Pair { a: Corner::FrontLeft, b: end };
    let (pairs, shared): (&[Pair], f64) = match edge {
        Edge::Front | Edge::Rear => (&[right, left], a.footprint.width_mm()),
        Edge::Right => (&[right], a.footprint.width_mm().min(b.footprint.depth_mm())),
        Edge::Left => (&[left], a.footprint.width_mm().min(b.footprint.depth_mm())),
    };
    let overhang = a.overhang.front
        + match edge {
            Edge::Front => b.overhang.front,
            Edge::Rear => b.overhang.rear,
            Edge::Right | Edge::Left => b.overhang.sides,
        };
    let (gap_mm, gap_binding) = gap(a, b, edge, pairs[0], shared, &line);
    let (offset_mm, offset_binding) = offset(&a.footprint, &b.footprint, pairs, &line);
    let turn = line.way.turn_to_radians(a.footprint.pose().heading.turned_degrees(90.0)).abs();
    let behind = match edge {
        Edge::Front | Edge::Rear => b.footprint.depth_mm(),
        Edge::Right | Edge::Left => b.footprint.width_mm(),
    };
    let most_overlap = behind.min(a.footprint.depth_mm()) / 2.0;
    let looks = Binding(
        Feature { whose: Whose::A, part: Part::Heading, at: a.footprint.pose().centre },
        Feature { whose: Whose::B, part: Part::Heading, at: b.footprint.pose().centre },
    );
    let facing_mm = (tolerances.same_facing_deg.to_radians() - turn) * a.footprint.width_mm();
    Contact {
        edge,
        gap: Margin::closed(exact(tolerances.contact_gap_mm + overhang - gap_mm), gap_binding),
        corners: Margin::closed(exact(tolerances.corner_offset_mm - offset_mm), offset_binding),
        facing: Margin::closed(exact(facing_mm), looks),
        side: Margin::closed(exact(gap_mm + most_overlap), gap_binding),
    }
}

/// Corners that should meet.
#[derive(Debug, Clone, Copy)]
struct Pair {
    a: Corner,
    b: Corner,
}

/// The smaller gap at the two ends of the stretch that the edges share, and where.
fn gap(a: &Element, b: &Element, edge: Edge, matched: Pair, shared: f64, line: &Line) -> (f64, Binding) {
    let (a_base, b_base) = (&a.footprint, &b.footprint);
    let from = a_base.corner(matched.a);
    let other = if matched.a == Corner::FrontRight { Corner::FrontLeft } else { Corner::FrontRight };
    let along = (a_base.corner(other) - from) / a_base.width_mm();
    let far = from + along * shared;
    let far_part = if shared >= a_base.width_mm() { Part::Corner(other) } else { Part::Edge(Edge::Front) };
    let mut best = (f64::INFINITY, None);
    for (at, part) in [(from, Part::Corner(matched.a)), (far, far_part)] {
        let mm = line.left_of(at);
        if mm < best.0 {
            let foot = at - line.way.left() * mm;
            let binding = Binding(
                Feature { whose: Whose::A, part, at },
                Feature { whose: Whose::B, part: Part::Edge(edge), at: foot },
            );
            best = (mm, Some(binding));
        }
    }
    if edge == Edge::Front {
        let front = a_base.edge_line(Edge::Front);
        for corner in [Corner::FrontLeft, Corner::FrontRight] {
            let at = b_base.corner(corner);
            let mm = front.left_of(at);
            if mm < best.0 {
                let foot = at - front.way.left() * mm;
                let binding = Binding(
                    Feature { whose: Whose::A, part: Part::Edge(Edge::Front), at: foot },
                    Feature { whose: Whose::B, part: Part::Corner(corner), at },
                );
                best = (mm, Some(binding));
            }
        }
    }
    (best.0, best.1.expect("two ends were measured and footprints are finite"))
}

/// The largest offset of corners that should meet, along `line`.
fn offset(a: &Footprint, b: &Footprint, pairs: &[Pair], line: &Line) -> (f64, Binding) {
    let mut worst: Option<(f64, Binding)> = None;
    for pair in pairs {
        let (at, to) = (a.corner(pair.a), b.corner(pair.b));
        let mm = (at - to).dot(&line.way.vector()).abs();
        if worst.is_none_or(|(most, _)| mm > most) {
            let binding = Binding(
                Feature { whose: Whose::A, part: Part::Corner(pair.a), at },
                Feature { whose: Whose::B, part: Part::Corner(pair.b), at: to },
            );
            worst = Some((mm, binding));
        }
    }
    worst.expect("a contact has corners that should meet")
}

/// The two fronts in contact, whichever of the two it is measured from: what is within the tolerances as seen along one
/// front may be a hair outside along the other.
pub(super) fn fronts(a: &Element, b: &Element, tolerances: &Tolerances) -> Margin {
    let (there, back) = (on_edge(a, b, Edge::Front, tolerances), on_edge(b, a, Edge::Front, tolerances));
    let back = back.margin();
    there.margin().or(Margin { binding: Binding(back.binding.1, back.binding.0), ..back })
}

/// `a`'s front on the nearer-to-lined-up flank of `b`.
pub(super) fn on_flank(a: &Element, b: &Element, tolerances: &Tolerances) -> Contact {
    let right = on_edge(a, b, Edge::Right, tolerances);
    let left = on_edge(a, b, Edge::Left, tolerances);
    if right.margin().or(left.margin()) == right.margin() { right } else { left }
}

/// Front corners of the same hand touching. In the frame of each base in turn the corners may be apart
/// square to the front by the contact gap and both front overhangs, and along it by the corner offset:
/// the same room that the friend beside `a`, in contact with `b`, is given.
pub(super) fn corner_touch(a: &Element, b: &Element, tolerances: &Tolerances) -> (Corner, Margin) {
    let hand = |corner: Corner| {
        let (at, to) = (a.footprint.corner(corner), b.footprint.corner(corner));
        let binding = Binding(
            Feature { whose: Whose::A, part: Part::Corner(corner), at },
            Feature { whose: Whose::B, part: Part::Corner(corner), at: to },
        );
        let apart = at - to;
        let gap = tolerances.contact_gap_mm + a.overhang.front + b.overhang.front;
        let room = |base: &Footprint| {
            let heading = base.pose().heading;
            let square = gap - apart.dot(&heading.vector()).abs();
            square.min(tolerances.corner_offset_mm - apart.dot(&heading.right()).abs())
        };
        Margin::closed(exact(room(&a.footprint).min(room(&b.footprint))), binding)
    };
    let (right, left) = (hand(Corner::FrontRight), hand(Corner::FrontLeft));
    if right.or(left) == right { (Corner::FrontRight, right) } else { (Corner::FrontLeft, left) }
}

/// By how much all of `a` lies beyond the endless line along `edge` of `b`.
pub(super) fn wholly_beyond(a: &Footprint, b: &Footprint, edge: Edge, limit: Limit) -> Margin {
    extreme_beyond(a, b, edge, limit, |mm, best| mm < best)
}

/// By how much some of `a` lies beyond the endless line along `edge` of `b`.
fn partly_beyond(a: &Footprint, b: &Footprint, edge: Edge) -> Margin {
    extreme_beyond(a, b, edge, Limit::Strict, |mm, best| mm > best)
}

fn extreme_beyond(
    a: &Footprint,
    b: &Footprint,
    edge: Edge,
    limit: Limit,
    better: fn(f64, f64) -> bool,
) -> Margin {
    let line = b.edge_line(edge);
    let (mut found, mut mm) = (Corner::FrontLeft, line.left_of(a.corner(Corner::FrontLeft)));
    for corner in [Corner::FrontRight, Corner::RearRight, Corner::RearLeft] {
        let next = line.left_of(a.corner(corner));
        if better(next, mm) {
            (found, mm) = (corner, next);
        }
    }
    let at: Point = a.corner(found);
    let binding = Binding(
        Feature { whose: Whose::A, part: Part::Corner(found), at },
        Feature { whose: Whose::B, part: Part::Line(edge), at: at - line.way.left() * mm },
    );
    Margin { mm: exact(mm), limit, binding }
}

/// Whether touching the line is beyond it (clause dba3.set.54).
fn line_limit(context: &Context<'_>) -> Limit {
    if context.settings.flank_line_touch_counts { Limit::Closed } else { Limit::Strict }
}

/// Wholly beyond the line of one of `b`'s flank edges (clause dba3.con.9), and of which.
pub(super) fn behind_flank_line(a: &Element, b: &Element, context: &Context<'_>) -> (Edge, Margin) {
    let limit = line_limit(context);
    let right = wholly_beyond(&a.footprint, &b.footprint, Edge::Right, limit);
    let left = wholly_beyond(&a.footprint, &b.footprint, Edge::Left, limit);
    if right.or(left) == right { (Edge::Right, right) } else { (Edge::Left, left) }
}

/// Whether `a`, standing where it does, may move into contact with one flank edge of `b`, by either of
/// the two ways: wholly beyond the flank line, or partly beyond it and partly beyond the rear line
/// (clauses dba3.con.9 and .10). `flank` is the edge: a front or rear edge gives the right flank.
pub(super) fn flank_start(a: &Element, b: &Element, flank: Edge, context: &Context<'_>) -> [Margin; 2] {
    let flank = if flank == Edge::Left { Edge::Left } else { Edge::Right };
    let wholly = wholly_beyond(&a.footprint, &b.footprint, flank, line_limit(context));
    let aside = partly_beyond(&a.footprint, &b.footprint, flank);
    let behind = partly_beyond(&a.footprint, &b.footprint, Edge::Rear);
    let mut corner = aside.and(behind);
    if !context.settings.flank_start_wholly_behind {
        let not_wholly = !wholly_beyond(&a.footprint, &b.footprint, Edge::Rear, Limit::Closed);
        corner = corner.and(not_wholly);
    }
    [wholly, corner]
}
