//! Who of a party touches whom, with which edges, and which ways of lining up are open to it there.

use super::motion::Way;
use crate::geometry::{Edge, Footprint, Limit, Margin, Segment, separation};
use crate::rules::{Context, Element, Location, Tolerances, contact, engagement, exact};

/// A mover that touches an enemy.
#[derive(Debug, Clone, Copy)]
pub(super) struct Touch<'s> {
    /// Who of the movers.
    pub mover: &'s Element,
    /// The enemy.
    pub enemy: &'s Element,
    /// The room within which the two touch, less the gap, millimetres.
    pub margin: Margin,
}

/// Tolerance less the gap between two bases, whichever parts of them are nearest.
pub(super) fn touching(a: &Element, b: &Element, tolerances: &Tolerances) -> Margin {
    let most = |e: &Element| e.overhang.front.max(e.overhang.sides).max(e.overhang.rear);
    let found = separation(&a.footprint, &b.footprint);
    let room = tolerances.contact_gap_mm + a.overhang.front + most(b);
    Margin::closed(exact(room - found.mm), found.binding)
}

/// Every touch of these movers with an enemy on the board, the movers' order first.
pub(super) fn touches<'s>(movers: &[&'s Element], context: &Context<'s>) -> Vec<Touch<'s>> {
    let mut found = Vec::new();
    for &mover in movers {
        let enemies = context.elements.iter();
        for enemy in enemies.filter(|e| e.side != mover.side && e.location == Location::Board) {
            let margin = touching(mover, enemy, &context.settings.tolerances);
            if margin.satisfied() {
                found.push(Touch { mover, enemy, margin });
            }
        }
    }
    found
}

/// Whether the front edge of `a` is on that edge of `b` somewhere, at whatever angle.
pub(super) fn front_on(a: &Element, b: &Element, edge: Edge, tolerances: &Tolerances) -> bool {
    let overhang = match edge {
        Edge::Front => b.overhang.front,
        Edge::Rear => b.overhang.rear,
        Edge::Left | Edge::Right => b.overhang.sides,
    };
    let room = tolerances.contact_gap_mm + a.overhang.front + overhang;
    exact(room - apart_mm(a.footprint.edge(Edge::Front), b.footprint.edge(edge))) >= 0.0
}

/// Whether some of the front edge of `a`, more than a corner, is pressed on an edge of `b`: then close
/// combat must follow (clause dba3.con.1) and an overlap will not do.
pub(super) fn pressed_on(a: &Element, b: &Element, tolerances: &Tolerances) -> bool {
    let front = a.footprint.edge(Edge::Front);
    Edge::ALL.into_iter().any(|edge| {
        let theirs = b.footprint.edge(edge);
        front_on(a, b, edge, tolerances)
            && looks_at(&a.footprint, &b.footprint, edge)
            && exact(theirs.shared_length_along(&front) - tolerances.corner_offset_mm) > 0.0
    })
}

/// Whether `a` looks at that edge of `b` rather than along it or away: its facing is less than a quarter
/// turn from square to the edge.
fn looks_at(a: &Footprint, b: &Footprint, edge: Edge) -> bool {
    let outward = b.edge_line(edge).way.left();
    a.pose().heading.vector().dot(&outward) < -1e-6
}

/// Distance between two straight edges, zero where they cross.
fn apart_mm(a: Segment, b: Segment) -> f64 {
    if a.crossing(&b).is_some() {
        return 0.0;
    }
    let from = |edge: Segment, point| (edge.nearest_to(point).0 - point).norm();
    from(a, b.start).min(from(a, b.end)).min(from(b, a.start)).min(from(b, a.end))
}

/// Whether a mover that started where `start` stands may line up that way with `enemy`
/// (clauses dba3.con.9 to .12).
pub(super) fn may(start: &Element, enemy: &Element, way: Way, context: &Context<'_>) -> bool {
    start_margin(start, enemy, way, context).is_none_or(|margin| margin.satisfied())
}

/// By how much the start allows that way; none where it may start from anywhere.
pub(super) fn start_margin(
    start: &Element,
    enemy: &Element,
    way: Way,
    context: &Context<'_>,
) -> Option<Margin> {
    match way {
        Way::Front | Way::Overlap(_) => None,
        Way::Rear => {
            Some(contact::wholly_beyond(&start.footprint, &enemy.footprint, Edge::Rear, Limit::Closed))
        }
        Way::Flank(edge) => {
            let [wholly, corner] = contact::flank_start(start, enemy, edge, context);
            Some(wholly.or(corner))
        }
    }
}

/// Ways of lining up that are open to a touch: the edge is touched by the mover's front edge, the start
/// allows it, and an overlap only where no front edge is pressed.
pub(super) fn open_ways(touch: &Touch<'_>, start: &Element, context: &Context<'_>) -> Vec<Way> {
    let tolerances = &context.settings.tolerances;
    let pressed = pressed_on(touch.mover, touch.enemy, tolerances);
    Way::ALL
        .into_iter()
        .filter(|&way| match way {
            Way::Overlap(edge) => !pressed && beside(touch, edge) && reversed(touch),
            _ => {
                front_on(touch.mover, touch.enemy, way.edge(), tolerances)
                    && looks_at(&touch.mover.footprint, &touch.enemy.footprint, way.edge())
                    && may(start, touch.enemy, way, context)
            }
        })
        .collect()
}

/// Whether the mover is at that side of the enemy: its centre lies beyond the line of the side edge.
fn beside(touch: &Touch<'_>, edge: Edge) -> bool {
    exact(touch.enemy.footprint.edge_line(edge).left_of(touch.mover.footprint.pose().centre)) > 0.0
}

/// Whether the mover faces the enemy's way reversed, within an eighth turn: an overlap is not made by
/// one that stands askew or looks the same way.
fn reversed(touch: &Touch<'_>) -> bool {
    let enemy = touch.enemy.footprint.pose().heading.reversed();
    touch.mover.footprint.pose().heading.turn_to_radians(enemy).abs() <= std::f64::consts::FRAC_PI_4 + 1e-9
}

/// By how much a mover stands lined up that way as it is.
pub(super) fn lined_up_margin(mover: &Element, enemy: &Element, way: Way, context: &Context<'_>) -> Margin {
    match way {
        Way::Overlap(_) => engagement::overlap_position(mover, enemy, context),
        _ => contact::on_edge(mover, enemy, way.edge(), &context.settings.tolerances).margin(),
    }
}

/// The enemies that the front edge of `element` is pressed on, askew or off the corners, without being
/// lined up with them.
pub(in crate::rules) fn pressed_enemies<'s>(element: &Element, context: &Context<'s>) -> Vec<&'s Element> {
    let tolerances = &context.settings.tolerances;
    let lined =
        |e: &Element| Way::ALL.into_iter().any(|way| lined_up_margin(element, e, way, context).satisfied());
    let enemies = context.elements.iter();
    enemies
        .filter(|e| e.side != element.side && e.location == Location::Board)
        .filter(|e| pressed_on(element, e, tolerances) && !lined(e))
        .collect()
}
