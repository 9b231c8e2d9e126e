//! Moves that could have brought elements from where they stood to where they stand.
//!
//! Each candidate is a motion that the rules know: straight, ahead and a wheel and ahead, two wheels, in
//! file after a leader, into a column, along a road, into contact and conforming. Whether it is legal is
//! [`super::judge`]'s. Invariant: a candidate ends where the elements were seen, within the room given, and
//! goes where they were seen on the way.

use super::bodies::bodies;
use super::columns::straight_to;
use super::explain::{NUDGE_MM, Seen};
use super::files::{by_road, files};
use super::scene::FRONT;
use super::seen_way;
use super::{Leg, Manoeuvre, TacticalMove};
use crate::geometry::{Point, Pose, Segment, Vector};
use crate::rules::conform::Way;
use crate::rules::group::Formed;
use crate::rules::{Element, Location, Settings, Setup};

/// Turns of less than this are none, radians.
pub(super) const STRAIGHT_RAD: f64 = 1e-6;

/// Every candidate for these elements, moved together by one move, from where they stand on `table`.
pub(super) fn of(
    table: &Setup,
    seen: Seen<'_>,
    settings: &Settings,
    formed: &Formed,
    names: &[&str],
    room_mm: f64,
) -> Vec<TacticalMove> {
    let pick = |setup: &Setup| -> Option<Vec<Element>> {
        names.iter().map(|name| setup.element(name).cloned()).collect()
    };
    let (Some(from), Some(to)) = (pick(table), pick(seen.after)) else { return Vec::new() };
    let mut found = Vec::new();
    if let ([one], [end]) = (from.as_slice(), to.as_slice()) {
        if one.troop != end.troop {
            let to = Manoeuvre::Dismount { to: end.troop.clone(), depth_mm: end.footprint.depth_mm() };
            found.push(TacticalMove { manoeuvre: to, ..TacticalMove::single(names[0], Vec::new()) });
        }
        let way = on_the_way(seen, names[0], room_mm);
        singles(table, one, end, &way, room_mm, &mut found);
        by_road((table, seen.after), settings, names, one, end, &mut found);
    } else if from.iter().zip(&to).all(|(a, b)| a.troop == b.troop) {
        if let Some(mut moves) = seen_way::along(table, seen, settings, formed, names, room_mm) {
            moves.retain(|mv| ends_there(mv, table, seen.after, names, room_mm));
            return moves;
        }
        bodies((table, seen.after), settings, (&from, &to), names, &mut found);
        files((table, seen.after), settings, formed, names, (&from, &to), &mut found);
    }
    found.retain(|mv| ends_there(mv, table, seen.after, names, room_mm));
    found
}

/// Whether a move brings everyone to where they were seen.
fn ends_there(mv: &TacticalMove, before: &Setup, after: &Setup, names: &[&str], room_mm: f64) -> bool {
    let end = mv.applied_to(before);
    names.iter().all(|name| match (end.element(name), after.element(name)) {
        (Some(a), Some(b)) => {
            // Who dismounts leaves its front edge where it was, on a base of another depth.
            let dismounts = matches!(mv.manoeuvre, Manoeuvre::Dismount { .. });
            let seen = if dismounts { b.footprint } else { a.footprint.moved_to(b.footprint.pose()) };
            a.troop == b.troop
                && FRONT.iter().all(|&c| (a.footprint.corner(c) - seen.corner(c)).norm() <= room_mm)
        }
        _ => false,
    })
}

/// The bends of the way that an element was seen to go, without its ends: fewer than it was seen at, none
/// where it went straight.
fn on_the_way(seen: Seen<'_>, name: &str, room_mm: f64) -> Vec<Point> {
    let ends = [seen.before, seen.after].map(|s| s.element(name).map(|e| e.footprint.pose().centre));
    let [Some(from), Some(to)] = ends else { return Vec::new() };
    let looks = seen.path.iter().filter_map(|look| look.element(name)).map(|e| e.footprint.pose().centre);
    let mut all = vec![from];
    all.extend(looks);
    all.push(to);
    bends(&all, NUDGE_MM.max(room_mm)).into_iter().map(|n| all[n]).collect()
}

/// Which points of a path, without its ends, it bends at by more than `room_mm`.
pub(super) fn bends(path: &[Point], room_mm: f64) -> Vec<usize> {
    let [first, middle @ .., last] = path else { return Vec::new() };
    let straight = Segment::new(*first, *last);
    let off = |at: &Point| (straight.nearest_to(*at).0 - at).norm();
    let furthest = middle.iter().enumerate().max_by(|a, b| off(a.1).total_cmp(&off(b.1)));
    let Some((n, _)) = furthest.filter(|(_, at)| off(at) > room_mm) else { return Vec::new() };
    let mut all = bends(&path[..=n + 1], room_mm);
    all.push(n + 1);
    all.extend(bends(&path[n + 1..], room_mm).into_iter().map(|later| later + n + 1));
    all
}

/// Turned where it stands; straight there and turned at the end or at the start; round either side where
/// the way is blocked; along the way that it was seen to go, and then no other way.
fn singles(
    table: &Setup,
    one: &Element,
    end: &Element,
    bends: &[Point],
    room_mm: f64,
    found: &mut Vec<TacticalMove>,
) {
    let (from, name) = (one.footprint.pose(), one.name.as_str());
    let mut ends = vec![end.footprint.pose()];
    ends.extend(line_ups(table, one, end.footprint.pose(), room_mm));
    for to in ends {
        let turn = from.heading.turn_to_radians(to.heading);
        let by = to.centre - from.centre;
        let turned = |about: Point| (turn.abs() > STRAIGHT_RAD).then_some(Leg::Turn { about, by_rad: turn });
        if !bends.is_empty() {
            let mut stops = bends.to_vec();
            stops.push(to.centre);
            let starts = std::iter::once(&from.centre).chain(bends);
            let mut legs: Vec<Leg> = starts.zip(&stops).map(|(a, b)| Leg::Shift(b - a)).collect();
            legs.extend(turned(to.centre));
            found.push(TacticalMove::single(name, legs));
            continue;
        }
        // What turned no more than the doubt went straight, and so far aside straight ahead or back.
        let ahead = from.heading.vector();
        if turn.abs() * one.footprint.width_mm() <= room_mm {
            found.push(TacticalMove::single(name, vec![Leg::Shift(ahead * by.dot(&ahead))]));
            found.push(TacticalMove::single(name, vec![Leg::Shift(by)]));
        }
        if by.norm() <= room_mm {
            found.extend(turned(from.centre).map(|leg| TacticalMove::single(name, vec![leg])));
        }
        found.push(TacticalMove::single(name, straight_to(from, to)));
        if by.norm() > 0.0 {
            let legs = turned(from.centre).map(|first| vec![first, Leg::Shift(by)]);
            found.extend(legs.map(|legs| TacticalMove::single(name, legs)));
            let round = either_side(from, to, table.scale.mm_per_bw());
            found.extend(round.map(|legs| TacticalMove::single(name, legs)));
        }
    }
}

/// Round either side of what stands in between, and turned there on the spot.
pub(in crate::rules) fn either_side(from: Pose, to: Pose, bw_mm: f64) -> impl Iterator<Item = Vec<Leg>> {
    let (by, turn) = (to.centre - from.centre, from.heading.turn_to_radians(to.heading));
    let aside = Vector::new(-by.y, by.x) / by.norm().max(f64::MIN_POSITIVE);
    [0.6, -0.6, 1.1, -1.1, 2.1, -2.1].into_iter().map(move |out| {
        let corner = by / 2.0 + aside * (out * bw_mm);
        let turned = (turn.abs() > STRAIGHT_RAD).then_some(Leg::Turn { about: to.centre, by_rad: turn });
        [Leg::Shift(corner), Leg::Shift(by - corner)].into_iter().chain(turned).collect()
    })
}

/// Where it would stand lined up with an enemy, as near to where it was seen as the doubt goes.
fn line_ups(table: &Setup, one: &Element, seen: Pose, room_mm: f64) -> Vec<Pose> {
    let enemies = table.elements.iter().filter(|e| e.side != one.side && e.location == Location::Board);
    let near = enemies.filter(|e| {
        let most = |f: &crate::geometry::Footprint| f.width_mm().hypot(f.depth_mm());
        (e.footprint.pose().centre - seen.centre).norm() <= most(&e.footprint) + most(&one.footprint)
    });
    let places = near.flat_map(|e| Way::ALL.map(|way| way.place(&one.footprint, &e.footprint)));
    let there = |place: &Pose| {
        let (a, b) = (one.footprint.moved_to(*place), one.footprint.moved_to(seen));
        *place != seen && FRONT.iter().all(|&c| (a.corner(c) - b.corner(c)).norm() <= room_mm)
    };
    places.filter(there).collect()
}
