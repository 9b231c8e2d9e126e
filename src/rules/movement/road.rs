//! Moves by road: astride it, along its curves, and whether it is the free first move.
//!
//! Centred is within a tenth of a base width of the road's middle line all the way: a choice, for the
//! rules name no figure (notes of dba3.road.2). Table frame, millimetres.
//!
//! Clauses: dba3.road.2, .10, .11, dba3.group.13, dba3.pip.3, dba3.set.23, .24.

use super::Manoeuvre;
use super::scene::{Findings, Scene};
use crate::geometry::{Binding, Feature, Leg, Margin, Part, Point, Whose};
use crate::rules::group::{Shape, formation};
use crate::rules::terrain::{CENTRED_BW, Road, Way};
use crate::rules::{Element, by_size, exact};

/// Adds what a move by road asks; nothing of other moves.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    if scene.mv.manoeuvre != Manoeuvre::ByRoad {
        return;
    }
    let who = scene.who();
    let best = scene
        .before
        .ground
        .roads
        .iter()
        .map(|road| (road, off_the_middle(scene, road)))
        .min_by(|a, b| by_size(a.1.0, b.1.0));
    let Some((road, (off, at, name))) = best else {
        found.ask("dba3.road.2", format!("{who} would go by road, but there is none"), false, || {
            "make it a move across country".to_owned()
        });
        return;
    };
    let near = road.course.nearest_to(at).at;
    let feature = |whose, part, at| Feature { whose, part, at };
    let margin = Margin::closed(
        exact(CENTRED_BW * scene.bw_mm() - off),
        Binding(feature(Whose::A, Part::Inside, at), feature(Whose::Ground, Part::RoadCentre, near)),
    );
    let text = format!("{name} keeps within {off:.1} mm of the middle of {}", road.name);
    found.test("dba3.road.2", text, margin, || format!("keep on the middle of {}", road.name));
    if scene.walkers.iter().any(|w| w.legs.iter().any(|leg| matches!(leg, Leg::Turn { .. }))) {
        found.note("dba3.road.11", "following the road's curves counts as straight ahead");
    }
    if scene.walkers.len() > 1 {
        let elements: Vec<&Element> = scene.walkers.iter().map(|w| w.element).collect();
        let column = formation(&elements, scene.settings, scene.formed).shape != Shape::Block;
        let not = if column { "" } else { "not " };
        let text = format!("{who} are {not}in column, to go by road");
        found.ask("dba3.group.13", text, column, || "form column first".to_owned());
    }
}

/// The furthest that any walker's centre comes from the middle of a road on its way, where, and whose.
fn off_the_middle<'a>(scene: &'a Scene<'_>, road: &Road) -> (f64, Point, &'a str) {
    let mut worst = (0.0, Point::origin(), "");
    for walker in &scene.walkers {
        let mut look = |at: Point| {
            let off = road.course.nearest_to(at).mm;
            if off > worst.0 || worst.2.is_empty() {
                worst = (off, at, walker.name());
            }
        };
        look(walker.start().pose().centre);
        for sweep in walker.sweeps() {
            // A quarter of a base's width apart the line cannot be left and found again unnoticed by much.
            let steps = (sweep.furthest_mm() / (scene.bw_mm() / 4.0)).ceil().clamp(1.0, 64.0) as u32;
            for n in 1..=steps {
                look(sweep.at(f64::from(n) / f64::from(steps)).pose().centre);
            }
        }
    }
    worst
}

/// The legs that take a walker along a road from where it stands, as far as `goes_mm` and the way that it
/// looks; none where it is not astride the road.
pub fn along(way: &Way, walker: crate::geometry::Pose, goes_mm: f64) -> Option<Vec<Leg>> {
    let start = way.nearest_to(walker.centre).along_mm;
    let mut points: Vec<(f64, Point)> = Vec::new();
    let mut gone = 0.0;
    points.push((0.0, way.line()[0]));
    for part in way.parts() {
        gone += part.length();
        points.push((gone, part.end));
    }
    let place = |s: f64| -> Option<(Point, crate::geometry::Vector)> {
        let next = points.iter().position(|(at, _)| *at >= s - 1e-9)?.max(1);
        let (from, to) = (points[next - 1], points[next]);
        let way = (to.1 - from.1) / (to.0 - from.0);
        Some((from.1 + way * (s - from.0), way))
    };
    let (at, direction) = place(start)?;
    let forward = direction.dot(&walker.heading.vector()) >= 0.0;
    let sign = if forward { 1.0 } else { -1.0 };
    let end = (start + sign * goes_mm).clamp(0.0, gone);
    let mut stops: Vec<f64> = points
        .iter()
        .map(|p| p.0)
        .filter(|s| {
            if forward { *s > start + 1e-6 && *s < end - 1e-6 } else { *s < start - 1e-6 && *s > end + 1e-6 }
        })
        .collect();
    if !forward {
        stops.reverse();
    }
    stops.push(end);
    let mut pose = walker;
    // What it stands off the middle it keeps on the straight, and loses at the first bend.
    let mut aside = walker.centre - at;
    let mut legs = Vec::new();
    let mut here = start;
    for stop in stops {
        let middle = f64::midpoint(here, stop);
        let (_, direction) = place(middle)?;
        let looks = crate::geometry::Heading::along(direction * sign)?;
        let turn = pose.heading.turn_to_radians(looks);
        if !legs.is_empty() && turn.abs() > 1e-9 {
            let leg = Leg::Turn { about: pose.centre, by_rad: turn };
            pose = leg.applied_to(pose);
            legs.push(leg);
            aside = crate::geometry::Vector::zeros();
        }
        let (to, _) = place(stop)?;
        let leg = Leg::Shift(to + aside - pose.centre);
        pose = leg.applied_to(pose);
        legs.push(leg);
        here = stop;
    }
    Some(legs)
}
