//! Moves that could have brought elements from where they stood to where they stand.
//!
//! Each candidate is a rigid motion that the rules know: straight, ahead and a wheel and ahead, two wheels,
//! in file after a leader, into a column, along a road. Whether it is legal is [`super::judge`]'s.
//! Invariant: a candidate ends where the elements were seen, within the room given.

use super::columns::straight_to;
use super::fit::{Part, fitted, winding};
use super::road::along;
use super::scene::FRONT;
use super::{Leg, Manoeuvre, TacticalMove};
use crate::geometry::{Heading, Pose, Vector};
use crate::rules::group::{Formed, Shape, formation, front_ends};
use crate::rules::{Element, Settings, Setup};

/// Turns of less than this are none, radians.
const STRAIGHT_RAD: f64 = 1e-6;

/// Every candidate for these elements, moved together by one move.
pub(super) fn of(
    before: &Setup,
    after: &Setup,
    settings: &Settings,
    formed: &Formed,
    names: &[&str],
    room_mm: f64,
) -> Vec<TacticalMove> {
    let pick = |setup: &Setup| -> Option<Vec<Element>> {
        names.iter().map(|name| setup.element(name).cloned()).collect()
    };
    let (Some(from), Some(to)) = (pick(before), pick(after)) else { return Vec::new() };
    let mut found = Vec::new();
    if let ([one], [end]) = (from.as_slice(), to.as_slice()) {
        if one.troop != end.troop {
            let to = Manoeuvre::Dismount { to: end.troop.clone(), depth_mm: end.footprint.depth_mm() };
            found.push(TacticalMove { manoeuvre: to, ..TacticalMove::single(names[0], Vec::new()) });
        }
        singles(one.footprint.pose(), end.footprint.pose(), before.scale.mm_per_bw(), names[0], &mut found);
        by_road(before, settings, names, one, end, &mut found);
    } else {
        bodies((before, after), (&from, &to), names, &mut found);
        files((before, after), settings, formed, names, (&from, &to), &mut found);
    }
    found.retain(|mv| ends_there(mv, before, after, names, room_mm));
    found
}

/// Whether a move brings everyone to where they were seen.
fn ends_there(mv: &TacticalMove, before: &Setup, after: &Setup, names: &[&str], room_mm: f64) -> bool {
    let end = mv.applied_to(before);
    names.iter().all(|name| match (end.element(name), after.element(name)) {
        (Some(a), Some(b)) => {
            FRONT.iter().all(|&c| (a.footprint.corner(c) - b.footprint.corner(c)).norm() <= room_mm)
        }
        _ => false,
    })
}

/// Straight there and turned at the end or at the start; round either side where the way is blocked.
fn singles(from: Pose, to: Pose, bw_mm: f64, name: &str, found: &mut Vec<TacticalMove>) {
    found.push(TacticalMove::single(name, straight_to(from, to)));
    let turn = from.heading.turn_to_radians(to.heading);
    let by = to.centre - from.centre;
    if turn.abs() > STRAIGHT_RAD && by.norm() > 0.0 {
        let first = Leg::Turn { about: from.centre, by_rad: turn };
        found.push(TacticalMove::single(name, vec![first, Leg::Shift(by)]));
    }
    let aside = Vector::new(-by.y, by.x);
    if aside.norm() > 0.0 {
        for out in [1.1, -1.1, 2.1, -2.1] {
            let corner = by / 2.0 + aside / aside.norm() * (out * bw_mm);
            let mut legs = vec![Leg::Shift(corner), Leg::Shift(by - corner)];
            if turn.abs() > STRAIGHT_RAD {
                legs.push(Leg::Turn { about: to.centre, by_rad: turn });
            }
            found.push(TacticalMove::single(name, legs));
        }
    }
}

/// The rigid motion of several elements: how far they turn, and how far one point of them goes.
struct Rigid {
    ahead: Heading,
    turn: f64,
    centre: crate::geometry::Point,
    by: Vector,
}

fn rigid(from: &[Element], to: &[Element]) -> Option<Rigid> {
    let count = from.len() as f64;
    let middle = |all: &[Element]| {
        all.iter().fold(Vector::zeros(), |sum, e| sum + e.footprint.pose().centre.coords) / count
    };
    let (m0, m1) = (middle(from), middle(to));
    // Turn by the lie of the centres and of the headings together, each heading weighed by half a base.
    let (mut dot, mut cross) = (0.0, 0.0);
    let mut heading = Vector::zeros();
    for (a, b) in from.iter().zip(to) {
        heading += a.footprint.pose().heading.vector();
        let arm = a.footprint.width_mm() / 2.0;
        let pairs = [
            (a.footprint.pose().centre.coords - m0, b.footprint.pose().centre.coords - m1),
            (a.footprint.pose().heading.vector() * arm, b.footprint.pose().heading.vector() * arm),
        ];
        for (u, v) in pairs {
            dot += u.dot(&v);
            cross += u.x * v.y - u.y * v.x;
        }
    }
    let ahead = Heading::along(heading)?;
    Some(Rigid { ahead, turn: f64::atan2(cross, dot), centre: m0.into(), by: m1 - m0 })
}

/// One body: straight, ahead and wheels, or adjusted in a zone after going ahead.
fn bodies(
    (before, after): (&Setup, &Setup),
    (from, to): (&[Element], &[Element]),
    names: &[&str],
    found: &mut Vec<TacticalMove>,
) {
    let Some(motion) = rigid(from, to) else { return };
    let refs: Vec<&Element> = from.iter().collect();
    let group = |legs: Vec<Leg>| Some(TacticalMove::group(names.iter().copied(), &legs));
    let paths = wheels(&refs, &motion);
    found.extend(wound((before, after), (&refs, &motion), &paths, &group));
    found.extend(paths.into_iter().filter_map(group));
    for part in [0.0, 0.25, 0.5, 0.75] {
        let on = motion.ahead.vector() * (motion.by.dot(&motion.ahead.vector()).max(0.0) * part);
        let about = motion.centre + on;
        let mut legs =
            vec![Leg::Shift(on), Leg::Turn { about, by_rad: motion.turn }, Leg::Shift(motion.by - on)];
        legs.retain(|leg| match leg {
            Leg::Shift(by) => by.norm() > 1e-9,
            Leg::Turn { by_rad, .. } => by_rad.abs() > STRAIGHT_RAD,
        });
        found.extend(group(legs));
    }
}

/// Paths of straights and wheels, each fitted to where everybody was seen, the fewest parts first.
fn wound(
    (before, after): (&Setup, &Setup),
    (body, motion): (&[&Element], &Rigid),
    solved: &[Vec<Leg>],
    made: &dyn Fn(Vec<Leg>) -> Option<TacticalMove>,
) -> Vec<TacticalMove> {
    use Part::{Ahead, Wheel};
    let (goes, turn) = (motion.by.norm(), motion.turn);
    let mut starts: Vec<(&[Part], Vec<f64>)> = vec![
        (&[Ahead], vec![motion.by.dot(&motion.ahead.vector())]),
        (&[Ahead, Wheel], vec![goes, turn]),
        (&[Wheel, Ahead], vec![turn, goes]),
        (&[Ahead, Wheel, Ahead], vec![goes / 2.0, turn, goes / 2.0]),
    ];
    for path in solved {
        let part = |leg: &Leg| match leg {
            Leg::Shift(by) => (Ahead, by.norm()),
            Leg::Turn { by_rad, .. } => (Wheel, *by_rad),
        };
        let (shape, by): (Vec<Part>, Vec<f64>) = path.iter().map(part).unzip();
        let known: Option<&[Part]> = match shape.as_slice() {
            [Ahead, Wheel, Ahead] => Some(&[Ahead, Wheel, Ahead]),
            [Wheel, Ahead, Wheel] => Some(&[Wheel, Ahead, Wheel]),
            [Ahead, Wheel, Ahead, Wheel] => Some(&[Ahead, Wheel, Ahead, Wheel]),
            _ => None,
        };
        starts.extend(known.map(|shape| (shape, by)));
    }
    let mut found = Vec::new();
    for (shape, start) in starts {
        let path = |by: &[f64]| made(winding(body, motion.ahead, shape, by));
        let Some((by, mv)) = fitted(&start, (before, after), path) else { continue };
        let forward = shape.iter().zip(&by).all(|(part, by)| *part == Wheel || *by >= 0.0);
        if forward {
            found.push(mv);
        }
    }
    found
}

/// Ahead, a wheel, ahead; or a wheel, ahead, a wheel back: paths that end with this turn and shift.
fn wheels(elements: &[&Element], motion: &Rigid) -> Vec<Vec<Leg>> {
    let [left, right] = front_ends(elements, motion.ahead);
    let pivot = |turn: f64| if turn >= 0.0 { left } else { right };
    // Where a body point goes by a turn about its pivot, the pivot having been carried along.
    let swing = |turn: f64, at: crate::geometry::Point, body: crate::geometry::Point| {
        Leg::Turn { about: at, by_rad: turn }.applied_to(Pose { centre: body, heading: motion.ahead }).centre
            - body
    };
    let solve = |u: Vector, v: Vector, w: Vector| -> Option<(f64, f64)> {
        let det = u.x * v.y - u.y * v.x;
        (det.abs() > 1e-6).then(|| ((w.x * v.y - w.y * v.x) / det, (u.x * w.y - u.y * w.x) / det))
    };
    let turned = |by: f64| motion.ahead.turned_degrees(by.to_degrees()).vector();
    let h0 = motion.ahead.vector();
    let mut paths = Vec::new();
    if motion.turn.abs() > STRAIGHT_RAD {
        let (at, h1) = (pivot(motion.turn), turned(motion.turn));
        if let Some((a, b)) = solve(h0, h1, motion.by - swing(motion.turn, at, motion.centre))
            && a >= -0.5
            && b >= -0.5
        {
            let (a, b) = (a.max(0.0), b.max(0.0));
            paths.push(vec![
                Leg::Shift(h0 * a),
                Leg::Turn { about: at + h0 * a, by_rad: motion.turn },
                Leg::Shift(h1 * b),
            ]);
        }
    }
    for step in -18..=18 {
        let first = f64::from(step) * 5f64.to_radians();
        let second = motion.turn - first;
        if first.abs() < STRAIGHT_RAD || second.abs() < STRAIGHT_RAD {
            continue;
        }
        let (p1, h1) = (pivot(first), turned(first));
        let w1 = swing(first, p1, motion.centre);
        // The second pivot is carried by the first wheel.
        let p2_start = pivot(second);
        let p2 = p2_start + swing(first, p1, p2_start);
        let body = motion.centre + w1;
        let w2 = swing(second, p2, body);
        if let Some((a, b)) = solve(h0, h1, motion.by - w1 - w2)
            && a >= -1e-9
            && b >= -1e-9
        {
            let (a, b) = (a.max(0.0), b.max(0.0));
            paths.push(vec![
                Leg::Shift(h0 * a),
                Leg::Turn { about: p1 + h0 * a, by_rad: first },
                Leg::Shift(h1 * b),
                Leg::Turn { about: p2 + h0 * a + h1 * b, by_rad: second },
            ]);
        }
    }
    for path in &mut paths {
        path.retain(|leg| !matches!(leg, Leg::Shift(by) if by.norm() < 1e-9));
    }
    paths
}

/// In file: a column after its leader, across country or by road, or a group that forms one.
fn files(
    (before, after): (&Setup, &Setup),
    settings: &Settings,
    formed: &Formed,
    names: &[&str],
    (from, to): (&[Element], &[Element]),
    found: &mut Vec<TacticalMove>,
) {
    let at_start = formation(&from.iter().collect::<Vec<_>>(), settings, formed);
    let at_end = formation(&to.iter().collect::<Vec<_>>(), settings, formed);
    let column = |shape: Shape| matches!(shape, Shape::Column | Shape::BentColumn);
    if column(at_start.shape) {
        let order: Vec<&str> = at_start.order.iter().map(|&at| names[at]).collect();
        let (lead, end) = (&from[at_start.order[0]], &to[at_start.order[0]]);
        let file = |legs: Vec<Leg>| TacticalMove::column(before, &order, &legs).ok();
        if let Some(motion) = rigid(std::slice::from_ref(lead), std::slice::from_ref(end)) {
            let paths = wheels(&[lead], &motion);
            found.extend(wound((before, after), (&[lead], &motion), &paths, &file));
            found.extend(paths.into_iter().filter_map(file));
        }
        found.extend(file(straight_to(lead.footprint.pose(), end.footprint.pose())));
        by_road(before, settings, &order, lead, end, found);
    }
    if column(at_end.shape) {
        let order: Vec<&str> = at_end.order.iter().map(|&at| names[at]).collect();
        let (lead, end) = (&from[at_end.order[0]], &to[at_end.order[0]]);
        let (stood, goes) =
            (lead.footprint.pose(), end.footprint.pose().centre - lead.footprint.pose().centre);
        let ahead = |by: &[f64]| {
            let legs = [Leg::Shift(stood.heading.vector() * by[0])];
            TacticalMove::into_column(before, &order, &legs).ok()
        };
        let anywhere = |by: &[f64]| {
            let to = stood.nudged(Vector::new(by[0], by[1]), by[2]);
            TacticalMove::into_column(before, &order, &straight_to(stood, to)).ok()
        };
        let turn = stood.heading.turn_to_radians(end.footprint.pose().heading);
        let on = goes.dot(&stood.heading.vector());
        found.extend(fitted(&[on], (before, after), ahead).map(|(_, mv)| mv));
        found.extend(fitted(&[goes.x, goes.y, turn], (before, after), anywhere).map(|(_, mv)| mv));
    }
}

/// Along each road, as far as the leader has come.
fn by_road(
    before: &Setup,
    settings: &Settings,
    order: &[&str],
    lead: &Element,
    end: &Element,
    found: &mut Vec<TacticalMove>,
) {
    let close = settings.tolerances.corner_offset_mm + before.scale.mm_per_bw() / 10.0;
    for road in &before.ground.roads {
        let place = |e: &Element| road.course.nearest_to(e.footprint.pose().centre);
        let (start, stop) = (place(lead), place(end));
        if start.mm > close || stop.mm > close {
            continue;
        }
        let goes = (stop.along_mm - start.along_mm).abs();
        if let Some(legs) = along(&road.course, lead.footprint.pose(), goes) {
            found.extend(TacticalMove::by_road(before, order, &legs));
        }
    }
}
