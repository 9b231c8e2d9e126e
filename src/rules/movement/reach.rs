//! How far a move goes and how far it may: the straight distance of the front corner that goes furthest,
//! detours added, against the pace of the slowest.
//!
//! Table frame, millimetres. A mover that ends on an enemy's front edge has a free slide, which is left
//! out. Where the straight way is not open to it a path counts as it was gone, at the front corner that travels
//! furthest along it: then it goes out of its way. Clauses: dba3.dist.1 to .12, dba3.cf.3, dba3.set.36.

use super::ground::{self, Underfoot};
use super::scene::{FRONT, Findings, Scene, Walker};
use super::{Manoeuvre, length};
use crate::geometry::{
    Binding, Corner, Feature, Footprint, Leg, Margin, Part, Sweep, Vector, Whose, separation,
};
use crate::rules::conform::{self, Slide};
use crate::rules::ruleset::Going;
use crate::rules::settings::MoveMeasure;
use crate::rules::{Location, Reason, by_size, exact};

/// A walker's move as it is measured.
#[derive(Debug, Clone, Copy)]
struct Measured {
    /// Millimetres.
    mm: f64,
    /// The front corner that goes furthest.
    corner: Corner,
    /// Detour that was added, millimetres.
    detour_mm: f64,
    /// Free slide left out, millimetres.
    slide_mm: f64,
}

/// Adds by how much the move is within its reach, and what going it was in. Gives back how far the
/// slowest may go, millimetres.
pub(super) fn judge(scene: &Scene<'_>, underfoot: &[Underfoot], found: &mut Findings) -> f64 {
    let limits: Vec<Allowed> =
        scene.walkers.iter().zip(underfoot).map(|(w, u)| allowed(scene, w, u)).collect();
    let slowest_mm = limits.iter().map(|l| l.mm).fold(f64::INFINITY, f64::min);
    within(scene, underfoot, &limits, found);
    slowest_mm
}

/// The straight distance that a walker's front corners go, millimetres, the larger of the two.
pub(super) fn chord_mm(walker: &Walker<'_>) -> f64 {
    furthest_mm(&walker.start(), &walker.end())
}

/// The straight distance between two places of a base, millimetres, at the front corner that goes furthest.
pub(super) fn furthest_mm(start: &Footprint, end: &Footprint) -> f64 {
    furthest(&FRONT.map(|c| (start.corner(c), end.corner(c)))).0
}

fn within(scene: &Scene<'_>, underfoot: &[Underfoot], limits: &[Allowed], found: &mut Findings) {
    if scene.walkers.iter().all(Walker::stands) {
        return;
    }
    let names: Vec<&str> = scene.walkers.iter().map(Walker::name).collect();
    let slides = conform::slide_of(&scene.after, scene.settings, &names);
    let slowest = limits.iter().enumerate().min_by(|a, b| by_size(a.1.mm, b.1.mm));
    let Some((slowest_at, slowest)) = slowest else { return };
    let together = !matches!(scene.mv.manoeuvre, Manoeuvre::IntoColumn);
    let mut worst: Option<(f64, usize, Measured, &Allowed)> = None;
    for (n, walker) in scene.walkers.iter().enumerate() {
        let measured = measure(scene, walker, &slides, &underfoot[n]);
        let limit = if together { slowest } else { &limits[n] };
        let room = limit.mm - measured.mm;
        if worst.as_ref().is_none_or(|(least, ..)| room < *least) {
            worst = Some((room, n, measured, limit));
        }
    }
    let Some((room, at, measured, limit)) = worst else { return };
    let walker = &scene.walkers[at];
    let bw = scene.bw_mm();
    let place = |base: &Footprint| base.corner(measured.corner);
    let feature = |whose, at| Feature { whose, part: Part::Corner(measured.corner), at };
    let margin = Margin::closed(
        exact(room),
        Binding(feature(Whose::A, place(&walker.end())), feature(Whose::A, place(&walker.start()))),
    );
    let text = format!(
        "{}'s {} goes {:.1} mm or {:.3} BW of {:.1} mm, {}",
        walker.name(),
        measured.corner.name(),
        measured.mm,
        measured.mm / bw,
        limit.mm,
        limit.why
    );
    found.test(&limit.clause, text, margin, || format!("stop {:.1} mm shorter", -room));
    for (clause, text) in &limit.notes {
        found.note(clause, text.clone());
    }
    found.note("dba3.dist.1", "measured at the front corner that goes furthest");
    match scene.settings.move_measure {
        MoveMeasure::Chord => found.note("dba3.set.36", "measured straight from start to end, detours added"),
        MoveMeasure::SumOfLegs => found.note("dba3.set.36", "by the setting measured leg by leg"),
    }
    if measured.detour_mm > 1e-6 {
        let text = format!("the way round adds {:.1} mm", measured.detour_mm);
        found.note("dba3.dist.2", text);
    } else {
        found.note_not("dba3.dist.2", "no detour is added");
    }
    if off_and_on_a_road(scene) {
        found.note_not("dba3.dist.11", "the move is not wholly by road: the going of each part of it counts");
    }
    if let Some(slide) = slides.first() {
        let text = format!("the move brings {} fully against {}'s front edge", slide.mover, slide.enemy);
        found.notes.push(Reason { holds: margin.satisfied(), ..Reason::holds("dba3.set.59", text) });
    }
    if measured.slide_mm > 1e-3 {
        let text = format!("a slide of {:.1} mm along the enemy's front edge is free", measured.slide_mm);
        found.note("dba3.cf.3", text);
    }
    if together && scene.walkers.len() > 1 {
        let slow = scene.walkers[slowest_at].name();
        found.note("dba3.dist.12", format!("a group goes no further than its slowest, {slow}"));
    }
}

/// Whether a move that is not made by road begins or ends astride one.
fn off_and_on_a_road(scene: &Scene<'_>) -> bool {
    let astride = |base: &Footprint| {
        scene.before.ground.on_road(base, scene.before.scale).is_some_and(|on| on.margin.satisfied())
    };
    scene.mv.manoeuvre != Manoeuvre::ByRoad
        && scene.walkers.iter().any(|walker| astride(&walker.start()) || astride(&walker.end()))
}

/// How far a walker may go, and why.
struct Allowed {
    mm: f64,
    clause: String,
    why: String,
    notes: Vec<(&'static str, String)>,
}

fn allowed(scene: &Scene<'_>, walker: &Walker<'_>, underfoot: &Underfoot) -> Allowed {
    let pace = scene.settings.ruleset().pace(walker.troop);
    let (troop, bw) = (&walker.element.troop, scene.bw_mm());
    let mut notes = Vec::new();
    let hindered = underfoot.going > Going::Good;
    let (mut mm, mut clause, mut why) = if hindered {
        let why = format!("{troop} in {}", underfoot.going.name());
        (pace.hindered_bw * bw, pace.hindered_clause.clone(), why)
    } else {
        (pace.good_bw * bw, pace.clause.clone(), format!("{troop} in good going"))
    };
    if underfoot.by_road {
        notes.push(("dba3.dist.11", "wholly by road, so all of it counts as good going".to_owned()));
        notes.push(("dba3.road.10", "movement along a road is in good going".to_owned()));
    }
    if let Some(river) = &underfoot.front_in_river {
        if bw < mm {
            (mm, clause, why) = (bw, "dba3.dist.10".to_owned(), format!("its front edge being in {river}"));
        } else {
            notes.push(("dba3.dist.10", format!("its front edge is in {river}")));
        }
    }
    Allowed { mm, clause, why, notes }
}

fn measure(scene: &Scene<'_>, walker: &Walker<'_>, slides: &[Slide], underfoot: &Underfoot) -> Measured {
    let start = walker.start();
    // What conforming adds is part of the move (clause dba3.cf.2), but for the slide.
    // Who has gone inside stands where no move brought it.
    let after = scene.after.element(walker.name()).filter(|e| e.location == Location::Board);
    let conformed = after.map_or_else(|| walker.end(), |e| e.footprint);
    let corners = FRONT.map(|c| (start.corner(c), conformed.corner(c)));
    let (mut mm, mut slide_mm) = (furthest(&corners).0, 0.0);
    let corner = furthest(&corners).1;
    for slide in slides {
        let (along, least) = slide.least_mm(&corners);
        if least < mm {
            (mm, slide_mm) = (least, along.abs());
        }
    }
    let body = bodies(scene, walker);
    let travelled =
        length::travelled_mm(&start, walker.legs, &body, scene.settings.tolerances.corner_offset_mm);
    let by_legs = FRONT.iter().zip(travelled).map(|(&corner, gone)| {
        let conforming = conformed.corner(corner) - walker.end().corner(corner);
        let mm = match slides.first() {
            // A slide made after the move is taken off whole; one within the legs by its own length.
            Some(slide) if conforming.norm() > 0.0 => {
                gone + (conforming - slide.way * conforming.dot(&slide.way)).norm()
            }
            _ => gone + conforming.norm() - slide_mm,
        };
        (mm, corner)
    });
    let (by_legs, travels) = by_legs.max_by(|a, b| by_size(a.0, b.0)).unwrap_or((mm, corner));
    let sum = matches!(scene.settings.move_measure, MoveMeasure::SumOfLegs);
    if by_legs > mm + 1e-6 && (sum || !straight_way_open(scene, walker, underfoot)) {
        return Measured { mm: by_legs, corner: travels, detour_mm: by_legs - mm, slide_mm };
    }
    Measured { mm, corner, detour_mm: 0.0, slide_mm }
}

fn furthest(corners: &[(crate::geometry::Point, crate::geometry::Point); 2]) -> (f64, Corner) {
    let [left, right] = corners.map(|(from, to)| (to - from).norm());
    if left >= right { (left, FRONT[0]) } else { (right, FRONT[1]) }
}

/// Who stands rigidly together with a walker, itself among them, before the move.
fn bodies(scene: &Scene<'_>, walker: &Walker<'_>) -> Vec<Footprint> {
    match scene.mv.manoeuvre {
        Manoeuvre::Group => scene.walkers.iter().map(Walker::start).collect(),
        _ => vec![walker.start()],
    }
}

/// Whether a walker could have gone straight to its end: shifted as it faced at first, or as it faces at
/// the end, it runs into nobody, into no enemy zone and no worse going than its own path does.
fn straight_way_open(scene: &Scene<'_>, walker: &Walker<'_>, underfoot: &Underfoot) -> bool {
    if walker.stands() {
        return true;
    }
    let (start, end) = (walker.start(), walker.end());
    let by: Vector = end.pose().centre - start.pose().centre;
    let facings = [start.pose().heading, end.pose().heading];
    facings.into_iter().any(|heading| {
        let base = start.moved_to(crate::geometry::Pose { heading, ..start.pose() });
        let sweep = Sweep { base, leg: Leg::Shift(by) };
        let slack = scene.slack_mm();
        let free = |other: &crate::rules::Element| {
            let before = separation(&start, &other.footprint).mm.min(0.0);
            sweep.clearance(&other.footprint, before - slack).is_none()
        };
        scene.standing.iter().all(|other| free(other))
            && !enters_a_zone(scene, walker, &sweep)
            && ground::worst_along(scene, walker, &[sweep], None) <= underfoot.going
    })
}

/// Whether a straight sweep enters a zone that the walker's own path keeps out of.
fn enters_a_zone(scene: &Scene<'_>, walker: &Walker<'_>, sweep: &Sweep) -> bool {
    scene.enemies().any(|enemy| {
        let areas = crate::rules::threat_zones(enemy, scene.before.scale, scene.settings);
        areas.iter().any(|area| {
            sweep.clearance(area, -1e-6).is_some()
                && walker.sweeps().all(|own| own.clearance(area, -1e-6).is_none())
        })
    })
}
