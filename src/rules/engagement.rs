//! Who fights whom, and which edges of an element are pressed: overlapped flanks and enemy front edges
//! on flank or rear.
//!
//! Poses are taken as exact, contact within the settings' tolerances. A corner overlap is made by an
//! element with no enemy on its own front whose front corner touches the same-hand front corner of an
//! enemy. A side-edge overlap is two side edges lying together for more than the contact gap: less is
//! corner to corner. Side edges of the board are x = 0 and x = its width.
//!
//! Clauses: dba3.ovl.1 to .12, dba3.tac.11 to .13.

mod assaults;
mod pins;
mod supporters;

pub use assaults::{Assault, assaults, front_on};
pub(super) use pins::{pin_ways, pinned_by, pins};
pub use supporters::{Position, Supporter, in_position, supporters};

use super::neighbours::{self, Stands};
use super::ruleset::{Kind, Mark, Troop};
use super::settings::{BoardEdgeOverlap, RearOverlap};
use super::terrain::BoardEdge;
use super::{Context, Element, Location, Reason, Settings, Setup, Side, Tolerances, by_size, contact, exact};
use crate::geometry::{
    Binding, Corner, Edge, Feature, Heading, Limit, Line, Margin, Part, Point, Segment, Whose, separation,
};

/// Two enemies front to front.
#[derive(Debug, Clone, PartialEq)]
pub struct Fight {
    /// One of them, red.
    pub a: String,
    /// The other.
    pub b: String,
    /// By how much they are in contact.
    pub margin: Margin,
}

/// Every pair that fights front to front, in the setup's order.
pub fn fights(setup: &Setup, settings: &Settings) -> Vec<Fight> {
    let elements = &setup.elements;
    let reach_mm = 2.0 * elements.iter().map(neighbours::touching_mm).fold(0.0, f64::max);
    let red_first = |(i, j): (usize, usize)| match (elements[i].side, elements[j].side) {
        (Side::Red, Side::Blue) => Some((i, j)),
        (Side::Blue, Side::Red) => Some((j, i)),
        _ => None,
    };
    let mut pairs: Vec<(usize, usize)> =
        neighbours::near_pairs(elements, reach_mm).into_iter().filter_map(red_first).collect();
    pairs.sort_unstable();
    let fight = |(i, j): (usize, usize)| {
        let (a, b) = (&elements[i], &elements[j]);
        let margin = contact::fronts(a, b, &settings.tolerances);
        margin.satisfied().then(|| Fight { a: a.name.clone(), b: b.name.clone(), margin })
    };
    pairs.into_iter().filter_map(fight).collect()
}

/// Why an edge is pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum How {
    /// An enemy's front edge is on it.
    FrontEdge,
    /// A same-hand front corner of an enemy touches its front corner.
    Corner,
    /// An enemy's side edge lies along it.
    SideEdge,
    /// The board ends beside it.
    BoardEdge,
}

/// One cause of an edge being pressed.
#[derive(Debug, Clone, PartialEq)]
pub struct Pressure {
    /// Left, right or rear edge of the pressed element.
    pub edge: Edge,
    /// What presses it.
    pub how: How,
    /// The enemy, or none for the board's edge.
    pub by: Option<String>,
    /// By how much.
    pub margin: Margin,
    /// How far apart what presses and what is pressed are, millimetres: corners of a corner overlap, else edges.
    pub apart_mm: f64,
    /// The clauses, the deciding one first.
    pub reasons: Vec<Reason>,
}

/// Everything that presses `element`'s flanks and rear while it fights `opponent` to its front, and
/// what was looked at and does not count.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Pressed {
    /// What counts.
    pub by: Vec<Pressure>,
    /// What was looked at and does not count, with the clause that says so.
    pub not: Vec<Reason>,
    /// Enemies, the opponent included, whose front edge is on any of its edges.
    pub enemy_fronts: usize,
}

impl Pressed {
    /// What presses one edge, the first cause.
    pub fn edge(&self, edge: Edge) -> Option<&Pressure> {
        self.by.iter().find(|p| p.edge == edge)
    }
}

/// What presses `element` while it fights `opponent`. `exposed` names elements whose own frontal enemy
/// has gone earlier in this bound (clause dba3.ovl.3).
pub fn pressed(element: &Element, opponent: &Element, context: &Context<'_>, exposed: &[String]) -> Pressed {
    let tolerances = &context.settings.tolerances;
    let mut found = Pressed::default();
    if contact::on_edge(opponent, element, Edge::Front, tolerances).margin().satisfied() {
        found.enemy_fronts += 1;
    }
    let enemies = || {
        let all = context.others(element, opponent).filter(|e| e.side != element.side);
        all.filter(|e| neighbours::may_touch(e, element, 0.0))
    };
    for enemy in enemies() {
        for edge in [Edge::Left, Edge::Right, Edge::Rear] {
            let margin = contact::on_edge(enemy, element, edge, tolerances).margin();
            if margin.satisfied() {
                found.enemy_fronts += 1;
                let text = format!("{}'s front edge is on {}'s {}", enemy.name, element.name, edge.name());
                let reasons = vec![Reason::tested("dba3.tac.12", text, margin)];
                found.by.push(Pressure {
                    edge,
                    how: How::FrontEdge,
                    by: Some(enemy.name.clone()),
                    margin,
                    apart_mm: exact(separation(&enemy.footprint, &element.footprint).mm),
                    reasons,
                });
            }
        }
        if contact::on_edge(enemy, element, Edge::Front, tolerances).margin().satisfied() {
            found.enemy_fronts += 1;
        }
    }
    for enemy in enemies() {
        overlaps_by(enemy, element, context, exposed, &mut found);
    }
    beside_opponent(opponent, context, &mut found);
    behind(element, opponent, context, exposed, &mut found);
    board_edges(element, context, &mut found);
    found
}

/// Says of overlaps by friends that stand beside the opponent that one attacker meets two defenders
/// (clause dba3.faq.11).
fn beside_opponent(opponent: &Element, context: &Context<'_>, found: &mut Pressed) {
    for pressure in found.by.iter_mut().filter(|p| matches!(p.how, How::Corner | How::SideEdge)) {
        let name = pressure.by.as_deref();
        let by = context.elements.iter().find(|e| Some(e.name.as_str()) == name);
        let beside = by.and_then(|by| neighbours::stands(opponent, by, context.settings));
        if let Some((Stands::AtLeft | Stands::AtRight, margin)) = beside {
            let text =
                format!("{} stands beside {} and overlaps its attacker", name.unwrap_or(""), opponent.name);
            pressure.reasons.push(Reason::tested("dba3.faq.11", text, margin));
        }
    }
}

/// Overlaps of `element` by one enemy.
fn overlaps_by(
    enemy: &Element,
    element: &Element,
    context: &Context<'_>,
    exposed: &[String],
    found: &mut Pressed,
) {
    let taken = |found: &Pressed| found.by.iter().any(|p| p.by.as_ref() == Some(&enemy.name));
    if taken(found) {
        return;
    }
    for edge in [Edge::Left, Edge::Right] {
        let Some(margin) = side_edges(enemy, element, edge, context) else { continue };
        if !margin.satisfied() {
            continue;
        }
        if rear_half_only(enemy, element, edge, context) {
            let text = format!("{} lies along the rear half of {} alone", enemy.name, element.name);
            found.not.push(Reason::fails("dba3.ovl.12", text));
            continue;
        }
        let text = format!("{}'s side edge lies along {}'s {}", enemy.name, element.name, edge.name());
        let mut reasons = vec![Reason::tested("dba3.ovl.5", text, margin)];
        if spared_corners(element, context) {
            let text = "Psiloi and Scythed Chariots are overlapped by side edges like others";
            reasons.push(Reason::holds("dba3.ovl.6", text));
        }
        count(enemy, element, edge, How::SideEdge, (margin, reasons), context, found);
        return;
    }
    let (corner, margin) = contact::corner_touch(enemy, element, &context.settings.tolerances);
    let edge = if corner == Corner::FrontRight { Edge::Right } else { Edge::Left };
    if !margin.satisfied() {
        return;
    }
    let hand = if edge == Edge::Right { "right" } else { "left" };
    let text = format!("the {hand} front corners of {} and {} touch", enemy.name, element.name);
    if let Some(busy) = frontal_enemy(enemy, context) {
        let gone = format!("{}'s own frontal enemy is still there", enemy.name);
        found.not.push(Reason::fails("dba3.ovl.3", gone));
        let text = format!("{text}, but {} has {busy} on its own front", enemy.name);
        found.not.push(Reason::fails("dba3.ovl.2", text.clone()));
        found.not.push(Reason::fails("dba3.ovl.1", text));
        return;
    }
    if spared_corners(element, context) {
        let text = format!("{text}, which does nothing to Psiloi and Scythed Chariots");
        found.not.push(Reason::holds("dba3.ovl.4", text));
        for clause in ["dba3.ovl.5", "dba3.ovl.6"] {
            found.not.push(Reason::fails(clause, "their side edges do not lie together"));
        }
        return;
    }
    let mut reasons = vec![Reason::tested("dba3.ovl.1", text, margin)];
    reasons.push(Reason::holds("dba3.ovl.2", format!("{} has no enemy on its own front", enemy.name)));
    reasons.push(Reason::holds(
        "dba3.ovl.4",
        format!("{} is neither Psiloi nor Scythed Chariots", element.name),
    ));
    if exposed.contains(&enemy.name) {
        let text = format!("{}'s own frontal enemy has gone in this bound", enemy.name);
        reasons.push(Reason::holds("dba3.ovl.3", text));
    }
    count(enemy, element, edge, How::Corner, (margin, reasons), context, found);
}

/// Adds an overlap, unless the overlapper may overlap one enemy alone and overlaps an earlier one.
fn count(
    enemy: &Element,
    element: &Element,
    edge: Edge,
    how: How,
    (margin, mut reasons): (Margin, Vec<Reason>),
    context: &Context<'_>,
    found: &mut Pressed,
) {
    let others = context
        .elements
        .iter()
        .filter(|e| e.side == element.side && e.location == Location::Board && e.name != element.name)
        .filter(|e| neighbours::may_touch(enemy, e, 0.0));
    let also: Vec<&Element> = others
        .filter(|other| {
            let side = [Edge::Left, Edge::Right]
                .into_iter()
                .filter_map(|edge| side_edges(enemy, other, edge, context))
                .any(|m| m.satisfied());
            side || contact::corner_touch(enemy, other, &context.settings.tolerances).1.satisfied()
        })
        .collect();
    if let Some(other) = also.first() {
        let place = |name: &str| context.elements.iter().position(|e| e.name == name);
        let text = format!("{} overlaps {} as well", enemy.name, other.name);
        if !context.settings.overlap_two_enemies && place(&other.name) < place(&element.name) {
            found.not.push(Reason::fails("dba3.ovl.7", text));
            return;
        }
        reasons.push(if context.settings.overlap_two_enemies {
            Reason::holds("dba3.ovl.7", text)
        } else {
            Reason::fails("dba3.ovl.7", text)
        });
    }
    let apart_mm = match how {
        How::Corner => {
            let corner = if edge == Edge::Right { Corner::FrontRight } else { Corner::FrontLeft };
            (enemy.footprint.corner(corner) - element.footprint.corner(corner)).norm()
        }
        _ => exact(separation(&enemy.footprint, &element.footprint).mm),
    };
    found.by.push(Pressure { edge, how, by: Some(enemy.name.clone()), margin, apart_mm, reasons });
}

/// Overlaps of friends in column straight behind `element`.
fn behind(
    element: &Element,
    opponent: &Element,
    context: &Context<'_>,
    exposed: &[String],
    found: &mut Pressed,
) {
    let tolerances = &context.settings.tolerances;
    let friends = context.others(element, opponent).filter(|e| e.side == element.side);
    for friend in friends.filter(|e| neighbours::may_touch(e, element, 0.0)) {
        if !contact::on_edge(friend, element, Edge::Rear, tolerances).margin().satisfied() {
            continue;
        }
        let enemies = context.others(element, opponent).filter(|e| e.side != element.side);
        for enemy in enemies.filter(|e| neighbours::may_touch(e, friend, 0.0)) {
            if found.by.iter().any(|p| p.by.as_ref() == Some(&enemy.name)) {
                continue;
            }
            let mut of_friend = Pressed::default();
            overlaps_by(enemy, friend, context, exposed, &mut of_friend);
            for pressure in of_friend.by {
                let text =
                    format!("{} overlaps {}, which stands behind {}", enemy.name, friend.name, element.name);
                match context.settings.overlap_on_rear_element {
                    RearOverlap::NoEffect => found.not.push(Reason::holds("dba3.ovl.12", text)),
                    RearOverlap::FrontPenalised => {
                        let text = format!("{text}, and by the setting that counts");
                        let mut reasons = vec![Reason::holds("dba3.ovl.12", text)];
                        reasons.extend(pressure.reasons);
                        found.by.push(Pressure { reasons, ..pressure });
                    }
                }
            }
        }
    }
}

/// By how much `element` stands in an overlap position to `enemy` with no enemy on its own front: front
/// corners of the same hand touching, or side edges together (clauses dba3.con.7 and dba3.set.52).
pub(super) fn overlap_position(element: &Element, enemy: &Element, context: &Context<'_>) -> Margin {
    let sides = beside(element, enemy, context);
    match frontal_enemy(element, context) {
        Some(_) => Margin { mm: sides.mm.min(-context.settings.tolerances.contact_gap_mm), ..sides },
        None => sides,
    }
}

/// By how much `element` touches `enemy` as overlapping does, whether or not it counts: front corners of the same hand
/// touching, or side edges together.
pub(super) fn beside(element: &Element, enemy: &Element, context: &Context<'_>) -> Margin {
    let corners = contact::corner_touch(element, enemy, &context.settings.tolerances).1;
    side_to_side(element, enemy, context).map_or(corners, |sides| corners.or(sides))
}

/// Enemies of `element` other than its opponent that touch it as overlapping does, whether or not that counts.
pub(super) fn all_beside<'c>(
    element: &'c Element,
    opponent: &'c Element,
    context: &'c Context<'_>,
) -> impl Iterator<Item = &'c Element> {
    let enemies = context.others(element, opponent).filter(|e| e.side != element.side);
    let near = enemies.filter(|e| neighbours::may_touch(e, element, 0.0));
    near.filter(|e| beside(e, element, context).satisfied())
}

/// By how much a side edge of `element` lies along one of `enemy`'s; none where none looks that way.
pub(super) fn side_to_side(element: &Element, enemy: &Element, context: &Context<'_>) -> Option<Margin> {
    let sides = [Edge::Left, Edge::Right].into_iter();
    sides.filter_map(|edge| side_edges(element, enemy, edge, context)).reduce(Margin::or)
}

fn troop<'a>(element: &Element, context: &'a Context<'_>) -> Option<&'a Troop> {
    context.settings.ruleset().troop(&element.troop)
}

/// Whether corner overlaps do nothing to it (clause dba3.ovl.4).
fn spared_corners(element: &Element, context: &Context<'_>) -> bool {
    troop(element, context).is_some_and(|t| matches!(t.kind, Kind::Psiloi | Kind::ScythedChariots))
}

/// The enemy that `element` has on its own front, if any: front to front, or its front on their edge.
pub(super) fn frontal_enemy<'a>(element: &'a Element, context: &Context<'a>) -> Option<&'a str> {
    let tolerances = &context.settings.tolerances;
    context
        .others(element, element)
        .filter(|e| e.side != element.side && neighbours::may_touch(e, element, 0.0))
        .find(|e| {
            [Edge::Front, Edge::Right, Edge::Rear, Edge::Left]
                .into_iter()
                .any(|edge| contact::on_edge(element, e, edge, tolerances).margin().satisfied())
                || contact::on_edge(e, element, Edge::Front, tolerances).margin().satisfied()
        })
        .map(|e| e.name.as_str())
}

/// Which of these enemies `element` is in close combat with, if any: its front on an edge of theirs, or theirs on an
/// edge of its own.
pub(super) fn fights_with<'a>(
    element: &Element,
    enemies: &[&'a Element],
    tolerances: &Tolerances,
) -> Option<&'a Element> {
    let on = |a: &Element, b: &Element| {
        Edge::ALL.into_iter().any(|edge| contact::on_edge(a, b, edge, tolerances).margin().satisfied())
    };
    enemies.iter().copied().find(|e| on(element, e) || on(e, element))
}

/// By how much a side edge of `enemy` lies along one side edge of `element`; none where neither of its
/// sides looks that way. The smallest of: gap within tolerance, facing within tolerance, a shared
/// stretch longer than the contact gap, and an overlap of the bases no deeper than the tolerance.
fn side_edges(enemy: &Element, element: &Element, edge: Edge, context: &Context<'_>) -> Option<Margin> {
    let line = element.footprint.edge_line(edge);
    let own = element.footprint.edge(edge);
    [Edge::Left, Edge::Right]
        .into_iter()
        .filter_map(|side| along(enemy, side, element, (edge, &line, own), context))
        .reduce(Margin::or)
}

fn along(
    enemy: &Element,
    side: Edge,
    element: &Element,
    (edge, line, own): (Edge, &Line, Segment),
    context: &Context<'_>,
) -> Option<Margin> {
    let tolerances = &context.settings.tolerances;
    let theirs = enemy.footprint.edge(side);
    let against = Heading::along(theirs.start - theirs.end)?;
    let turn = line.way.turn_to_radians(against).abs();
    let facing = (tolerances.same_facing_deg.to_radians() - turn) * enemy.footprint.width_mm();
    let front = tolerances.contact_gap_mm + enemy.overhang.front + element.overhang.front;
    let shared = own.shared_length_along(&theirs) - front;
    // The gap at both ends of the shared stretch.
    let place = |p: Point| (p - own.start).dot(&line.way.vector());
    let (from, to) = (place(theirs.start), place(theirs.end));
    let at = |t: f64| {
        let share =
            if (to - from).abs() < f64::EPSILON { 0.5 } else { ((t - from) / (to - from)).clamp(0.0, 1.0) };
        theirs.start + (theirs.end - theirs.start) * share
    };
    let ends = [at(from.clamp(0.0, own.length())), at(to.clamp(0.0, own.length()))];
    let (gap, point) = ends
        .into_iter()
        .map(|p| (line.left_of(p), p))
        .min_by(|a, b| by_size(a.0, b.0))
        .expect("a stretch has two ends");
    let room = tolerances.contact_gap_mm + enemy.overhang.sides + element.overhang.sides - gap;
    let past = tolerances.contact_gap_mm + enemy.overhang.sides + element.overhang.sides + gap;
    let foot = point - line.way.left() * gap;
    let binding = Binding(
        Feature { whose: Whose::A, part: Part::Edge(side), at: point },
        Feature { whose: Whose::B, part: Part::Edge(edge), at: foot },
    );
    let closed = |mm: f64| Margin::closed(exact(mm), binding);
    let strict = Margin { limit: Limit::Strict, ..closed(shared) };
    Some(closed(facing).and(strict).and(closed(room)).and(closed(past)))
}

/// Whether `enemy` lies along the rear half of a double element's side alone, and that does not count.
fn rear_half_only(enemy: &Element, element: &Element, edge: Edge, context: &Context<'_>) -> bool {
    let double = troop(element, context).is_some_and(|t| t.is(Mark::Double));
    if !double || context.settings.overlap_on_rear_element == RearOverlap::FrontPenalised {
        return false;
    }
    let side = element.footprint.edge(edge);
    let middle = side.start + (side.end - side.start) / 2.0;
    let front_half =
        if edge == Edge::Right { Segment::new(side.start, middle) } else { Segment::new(middle, side.end) };
    let room = context.settings.tolerances.contact_gap_mm;
    [Edge::Left, Edge::Right]
        .into_iter()
        .all(|t| front_half.shared_length_along(&enemy.footprint.edge(t)) <= room)
}

/// Overlaps by the board's side edges (clauses dba3.ovl.9 and .10).
fn board_edges(element: &Element, context: &Context<'_>, found: &mut Pressed) {
    let half_bw = context.scale.mm_per_bw() / 2.0;
    let reach = match context.settings.board_edge_overlap {
        BoardEdgeOverlap::UnderHalfBw => half_bw,
        BoardEdgeOverlap::Touching => context.settings.tolerances.contact_gap_mm,
        BoardEdgeOverlap::Off => 0.0,
    };
    for edge in [Edge::Left, Edge::Right] {
        let outward = element.footprint.edge_line(edge).way.left();
        let faces = |e: &BoardEdge| e.inward().dot(&outward) <= -0.5;
        let Some(beyond) = context.edges.red.sides().into_iter().find(faces) else { continue };
        let side = element.footprint.edge(edge);
        let away = |p: Point| beyond.from(p, context.board_mm);
        let (mm, at) = if away(side.start) <= away(side.end) {
            (away(side.start), side.start)
        } else {
            (away(side.end), side.end)
        };
        let feature = |whose| Feature { whose, part: Part::Edge(edge), at };
        let binding = Binding(feature(Whose::A), feature(Whose::A));
        let limit = match context.settings.board_edge_overlap {
            BoardEdgeOverlap::UnderHalfBw => Limit::Strict,
            _ => Limit::Closed,
        };
        let margin = Margin { mm: exact(reach - mm), limit, binding };
        let text = format!("{}'s {} is {mm:.1} mm from the board's side edge", element.name, edge.name());
        if context.settings.board_edge_overlap == BoardEdgeOverlap::Off {
            if mm < half_bw {
                found.not.push(Reason::fails(
                    "dba3.ovl.9",
                    format!("{text}, which by the setting does not count"),
                ));
            }
            continue;
        }
        if !margin.satisfied() {
            if mm < 2.0 * half_bw {
                found.not.push(Reason::tested("dba3.ovl.9", text, margin));
            }
            continue;
        }
        if troop(element, context).is_some_and(|t| matches!(t.kind, Kind::Cavalry | Kind::LightHorse)) {
            found.not.push(Reason::holds(
                "dba3.ovl.10",
                format!("{text}, which does nothing to Cavalry and Light Horse"),
            ));
            continue;
        }
        let reasons = vec![
            Reason::tested("dba3.ovl.9", text, margin),
            Reason::holds("dba3.ovl.10", format!("{} is neither Cavalry nor Light Horse", element.name)),
        ];
        let (how, by) = (How::BoardEdge, None);
        found.by.push(Pressure { edge, how, by, margin, apart_mm: mm, reasons });
    }
}
