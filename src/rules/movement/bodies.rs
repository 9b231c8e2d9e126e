//! Moves of a group as one body: straight, wheels, adjusted in an enemy's zone, into contact and conforming.
//!
//! Table frame, millimetres and radians.

use super::candidates::STRAIGHT_RAD;
use super::columns::straight_to;
use super::fit::{Part, fitted, winding};
use super::touch::until_touch;
use super::{Leg, Mover, TacticalMove};
use crate::geometry::{Heading, Pose, Vector};
use crate::rules::conform;
use crate::rules::group::front_ends;
use crate::rules::{Element, Location, Settings, Setup};

/// The rigid motion of several elements: how far they turn, and how far one point of them goes.
pub(super) struct Rigid {
    ahead: Heading,
    turn: f64,
    centre: crate::geometry::Point,
    by: Vector,
}

impl Rigid {
    /// Where it brings somebody who is part of the body.
    pub(super) fn applied_to(&self, pose: Pose) -> Pose {
        Leg::Shift(self.by).applied_to(Leg::Turn { about: self.centre, by_rad: self.turn }.applied_to(pose))
    }
}

pub(super) fn rigid(from: &[Element], to: &[Element]) -> Option<Rigid> {
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
pub(super) fn bodies(
    (before, after): (&Setup, &Setup),
    settings: &Settings,
    (from, to): (&[Element], &[Element]),
    names: &[&str],
    found: &mut Vec<TacticalMove>,
) {
    let Some(motion) = rigid(from, to) else { return };
    let refs: Vec<&Element> = from.iter().collect();
    into_contact(before, settings, (&refs, &motion), names, found);
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
pub(super) fn wound(
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
        // Straight back out of a zone is a move of its own.
        if forward || shape.len() == 1 {
            found.push(mv);
        }
    }
    found
}

/// Ahead, a wheel, ahead; or a wheel, ahead, a wheel back: paths that end with this turn and shift.
pub(super) fn wheels(elements: &[&Element], motion: &Rigid) -> Vec<Vec<Leg>> {
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

/// Ahead until somebody touches an enemy, or a wheel and then ahead, and conforming from there.
fn into_contact(
    before: &Setup,
    settings: &Settings,
    (body, motion): (&[&Element], &Rigid),
    names: &[&str],
    found: &mut Vec<TacticalMove>,
) {
    let enemies: Vec<&Element> =
        before.elements.iter().filter(|e| e.side != body[0].side && e.location == Location::Board).collect();
    let most = motion.by.norm() + before.scale.mm_per_bw();
    let mut starts = vec![Vec::new()];
    if motion.turn.abs() > STRAIGHT_RAD {
        starts.push(winding(body, motion.ahead, &[Part::Wheel], &[motion.turn]));
        // As far ahead before the wheel as it takes to end there without a slide.
        starts.extend(
            wheels(body, motion).into_iter().filter(|path| path.len() == 3).map(|path| path[..2].to_vec()),
        );
    }
    for mut legs in starts {
        let ended: Vec<Element> = body
            .iter()
            .map(|e| {
                let pose = legs.iter().fold(e.footprint.pose(), |at, leg: &Leg| leg.applied_to(at));
                Element { footprint: e.footprint.moved_to(pose), ..(*e).clone() }
            })
            .collect();
        let way = ended[0].footprint.pose().heading.vector();
        let Some(goes) = until_touch(&ended.iter().collect::<Vec<_>>(), &enemies, way, most) else {
            continue;
        };
        legs.push(Leg::Shift(way * goes));
        let touching = TacticalMove::group(names.iter().copied(), &legs);
        let Ok(line_up) = conform::line_up(before, &touching.applied_to(before), settings, names) else {
            continue;
        };
        let shifts = line_up.shifts.iter();
        let conforming =
            shifts.map(|s| Mover { name: s.name.clone(), legs: straight_to(s.from, s.to) }).collect();
        found.push(TacticalMove { conforming, ..touching });
    }
}
