//! Writing moves.

use super::resolve::pivot;
use super::{Form, Hand, MoveLine, Step};
use crate::geometry::{Footprint, Point, Pose, Vector};
use crate::rules::Setup;
use crate::rules::movement::{Gateway, Leg, Manoeuvre, Mover, TacticalMove};
use crate::rules::notation::quoted;

/// What differs by less is the same: a thousandth of what the notation's lengths are written to.
const SAME_MM: f64 = 1e-6;
const SAME_RAD: f64 = 1e-9;

/// Writes a move of that setup.
pub fn write_move(made: &TacticalMove, setup: &Setup) -> String {
    let mut text = names(made.movers.iter().map(|m| m.name.as_str()), sign(&made.manoeuvre));
    match &made.manoeuvre {
        Manoeuvre::IntoColumn => text.push_str(" column"),
        Manoeuvre::ByRoad => text.push_str(" road"),
        Manoeuvre::Dismount { to, depth_mm } => {
            text.push_str(&format!(" dismount {to} d{depth_mm}mm"));
            return text;
        }
        Manoeuvre::Single | Manoeuvre::Group | Manoeuvre::Column => {}
    }
    match &made.gateway {
        Gateway::None => {}
        Gateway::In { place } => text.push_str(&format!(" enters {}", quoted(place))),
        Gateway::Out { place, gate } => text.push_str(&format!(" leaves {} gate {gate}", quoted(place))),
        Gateway::Through { place, gate } => {
            text.push_str(&format!(" through {} gate {gate}", quoted(place)));
            return text;
        }
    }
    let setup = &*made.stepped_out(setup);
    let lone = match made.manoeuvre {
        Manoeuvre::Single => true,
        // A body whose elements went each its own way is written like a column of which that is so.
        Manoeuvre::Group => made.movers.iter().all(|m| same_legs(&m.legs, &made.movers[0].legs)),
        _ => false,
    };
    let body: Vec<&str> = made.names().take(if lone { usize::MAX } else { 1 }).collect();
    if let Some(first) = made.movers.first() {
        text.push(' ');
        text.push_str(&write_steps(setup, &body, &first.legs));
    }
    if !lone && (made.manoeuvre == Manoeuvre::Group || !follows(made, setup)) {
        for mover in made.movers.iter().skip(1) {
            text.push_str(" / ");
            text.push_str(&write_steps(setup, &[mover.name.as_str()], &mover.legs));
        }
    }
    let bare = TacticalMove { conforming: Vec::new(), ..made.clone() };
    let after = bare.applied_to(setup);
    let mut rest = made.conforming.as_slice();
    while let Some(first) = rest.first() {
        let together = rest.iter().take_while(|m| same_legs(&m.legs, &first.legs)).count();
        let (party, left) = rest.split_at(together);
        let members: Vec<&str> = party.iter().map(|m| m.name.as_str()).collect();
        text.push_str(" | ");
        text.push_str(&names(members.iter().copied(), '+'));
        text.push(' ');
        text.push_str(&write_steps(&after, &members, &first.legs));
        rest = left;
    }
    text
}

fn sign(manoeuvre: &Manoeuvre) -> char {
    match manoeuvre {
        Manoeuvre::Single | Manoeuvre::Group | Manoeuvre::Dismount { .. } => '+',
        Manoeuvre::Column | Manoeuvre::IntoColumn | Manoeuvre::ByRoad => ',',
    }
}

fn names<'n>(names: impl Iterator<Item = &'n str>, sign: char) -> String {
    names.map(quoted).collect::<Vec<_>>().join(&sign.to_string())
}

/// Whether all but the first end where the short notation has them end.
fn follows(made: &TacticalMove, setup: &Setup) -> bool {
    let form = match made.manoeuvre {
        Manoeuvre::IntoColumn => Form::IntoFile,
        Manoeuvre::ByRoad => Form::Road,
        _ => Form::File,
    };
    let line = MoveLine {
        names: made.names().map(str::to_owned).collect(),
        form,
        steps: made.movers.first().map(|m| m.legs.iter().map(plain).collect()).unwrap_or_default(),
        others: Vec::new(),
        conforming: Vec::new(),
    };
    let Ok(short) = line.on(setup) else { return false };
    let same = |(a, b): (&Mover, &Mover)| same_legs(&a.legs, &b.legs);
    short.movers.iter().zip(&made.movers).all(same)
}

/// A leg as a step that depends on nothing.
fn plain(leg: &Leg) -> Step {
    match *leg {
        Leg::Shift(by) => Step::Shift(by),
        Leg::Turn { about, by_rad } => {
            let hand = if by_rad >= 0.0 { Hand::Left } else { Hand::Right };
            Step::TurnAbout(hand, by_rad.abs().to_degrees(), about)
        }
    }
}

fn same_legs(a: &[Leg], b: &[Leg]) -> bool {
    let same = |pair: (&Leg, &Leg)| match pair {
        (Leg::Shift(a), Leg::Shift(b)) => (a - b).norm() < SAME_MM,
        (Leg::Turn { about: a, by_rad: by_a }, Leg::Turn { about: b, by_rad: by_b }) => {
            (a - b).norm() < SAME_MM && (by_a - by_b).abs() < SAME_RAD
        }
        _ => false,
    };
    a.len() == b.len() && a.iter().zip(b).all(same)
}

/// The steps of a body that goes along these legs, as the first named sees them.
pub fn write_steps(setup: &Setup, body: &[&str], legs: &[Leg]) -> String {
    let mut bases: Vec<Footprint> =
        body.iter().filter_map(|name| setup.element(name)).map(|e| e.footprint).collect();
    let mut steps = Vec::new();
    for leg in legs {
        let pose = bases.first().map_or(Pose::new(0.0, 0.0, 0.0), |base| base.pose());
        steps.extend(match *leg {
            Leg::Shift(by) => shift(setup, pose, by),
            Leg::Turn { about, by_rad } => turn(pose, &bases, about, by_rad),
        });
        for base in &mut bases {
            *base = base.moved_to(leg.applied_to(base.pose()));
        }
    }
    if steps.is_empty() { "stands".to_owned() } else { steps.join(" then ") }
}

fn shift(setup: &Setup, pose: Pose, by: Vector) -> Option<String> {
    let (ahead, left) = (by.dot(&pose.heading.vector()), by.dot(&pose.heading.left()));
    let length = |mm: f64| {
        let bw = mm / setup.scale.mm_per_bw();
        let short = (bw * 1000.0).round() / 1000.0;
        if (short - bw).abs() * setup.scale.mm_per_bw() < SAME_MM {
            figure(short)
        } else {
            format!("{}mm", figure(mm))
        }
    };
    match (ahead.abs() < SAME_MM, left.abs() < SAME_MM) {
        (true, true) => None,
        (false, true) => {
            Some(format!("{} {}", if ahead > 0.0 { "ahead" } else { "back" }, length(ahead.abs())))
        }
        (true, false) => {
            Some(format!("{} {}", if left > 0.0 { "left" } else { "right" }, length(left.abs())))
        }
        (false, false) => Some(format!("shift ({},{})mm", figure(by.x), figure(by.y))),
    }
}

fn turn(pose: Pose, bases: &[Footprint], about: Point, by_rad: f64) -> Option<String> {
    if by_rad.abs() < SAME_RAD {
        return None;
    }
    let hand = if by_rad > 0.0 { Hand::Left } else { Hand::Right };
    let degrees = angle(by_rad.abs().to_degrees());
    let at = |point: Point| (point - about).norm() < SAME_MM;
    Some(if at(pivot(pose, bases, hand)) {
        format!("wheel {} {degrees}", hand.word())
    } else if at(pose.centre) {
        format!("turn {} {degrees}", hand.word())
    } else {
        format!("turn {} {degrees} about ({},{})mm", hand.word(), figure(about.x), figure(about.y))
    })
}

/// Millimetres to a millionth, without needless noughts.
fn figure(mm: f64) -> String {
    trimmed(format!("{mm:.6}"))
}

/// Degrees to a hundred-millionth.
fn angle(degrees: f64) -> String {
    trimmed(format!("{degrees:.8}"))
}

fn trimmed(text: String) -> String {
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}
