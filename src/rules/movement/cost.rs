//! What a move costs, and whether there are PIPs for it.
//!
//! The prices are [`crate::rules::bound::cost`]'s; here a move is given its sort: by road or not, how far of
//! what it could, ending in contact or not. Clauses: dba3.pip.1 to .14, dba3.faq.8.

use super::scene::{Findings, Scene, Walker};
use super::{Manoeuvre, gates, road};
use crate::geometry::{Leg, separation};
use crate::rules::bound::{Ends, RoadFacing, RoadLength, Sort, cost};
use crate::rules::{Element, by_size, exact};

/// The cost of the move, PIPs; adds whether they are left.
pub(super) fn judge(scene: &Scene<'_>, allowed_mm: f64, found: &mut Findings) -> u8 {
    // Who comes out of a camp, City or Fort pays as the garrison that it was.
    let movers: Vec<&Element> =
        scene.walkers.iter().map(|w| scene.indoors.element(w.name()).unwrap_or(w.element)).collect();
    let sort = match scene.mv.manoeuvre {
        Manoeuvre::ByRoad => Sort::Road { length: length(scene, allowed_mm), facing: facing(scene) },
        _ => Sort::Field,
    };
    let ends = if touches(scene) { Ends::InContact } else { Ends::Clear };
    let mut price = cost(scene.indoors, scene.settings, scene.bound, &movers, sort, ends);
    found.notes.extend(price.reasons);
    found.unchecked.extend(price.unchecked);
    if scene.mv.manoeuvre == Manoeuvre::ByRoad {
        let off = found.conditions.iter().any(|c| c.reason.clause == "dba3.road.2" && !c.reason.holds);
        if off {
            found.note_not("dba3.faq.8", "it leaves the road otherwise than to conform");
        } else if !scene.mv.conforming.is_empty() {
            let text = "it slides off the road only to conform, which leaves the price as it is";
            found.note("dba3.faq.8", text);
        }
    }
    if let Some(pips) = gates::price(scene, price.pips, found) {
        price.pips = pips;
    }
    let (enough, mut reasons) = scene.bound.affords(price.pips);
    match enough {
        None => found.unchecked.append(&mut reasons),
        Some(enough) => {
            let mut reasons = reasons.into_iter();
            if let Some(first) = reasons.next() {
                found.ask(&first.clause, first.text, enough, || "wait for your next bound".to_owned());
            }
            found.notes.extend(reasons);
        }
    }
    price.pips
}

/// Whether any walker ends touching an enemy.
fn touches(scene: &Scene<'_>) -> bool {
    scene.walkers.iter().any(|walker| {
        let end = walker.end();
        scene.enemies().any(|enemy| {
            let room = scene.slack_mm() + walker.element.overhang.front + enemy.overhang.front;
            (enemy.footprint.pose().centre - end.pose().centre).norm() < 4.0 * scene.bw_mm()
                && separation(&end, &enemy.footprint).mm <= room
        })
    })
}

/// How far a road move goes of what it could: to the end of its pace or of the road, or until somebody is
/// in its way.
fn length(scene: &Scene<'_>, allowed_mm: f64) -> RoadLength {
    let lead = &scene.walkers[0];
    let gone: f64 = lead.legs.iter().map(|leg| if let Leg::Shift(by) = leg { by.norm() } else { 0.0 }).sum();
    let slack = scene.settings.tolerances.corner_offset_mm;
    // Measured at the corner that goes furthest, so a bend may leave the centre a little short.
    let furthest = super::reach::chord_mm(lead);
    if exact(gone.max(furthest) - allowed_mm + slack) >= 0.0 {
        return RoadLength::Full;
    }
    if touches(scene) {
        return RoadLength::CutShort;
    }
    let end = lead.end().pose();
    let roads = scene.before.ground.roads.iter();
    let Some(course) = roads
        .map(|r| &r.course)
        .min_by(|a, b| by_size(a.nearest_to(end.centre).mm, b.nearest_to(end.centre).mm))
    else {
        return RoadLength::Short;
    };
    let step = scene.slack_mm() + slack;
    let Some(legs) = road::along(course, end, step) else { return RoadLength::Short };
    let on = legs.iter().fold(end, |pose, leg| leg.applied_to(pose));
    if (on.centre - end.centre).norm() < step / 2.0 {
        return RoadLength::Full; // The road ends here.
    }
    let base = lead.end().moved_to(on);
    let blocked = scene.standing.iter().any(|e| separation(&base, &e.footprint).mm < 0.0)
        || scene.enemies().any(|enemy| {
            crate::rules::threat_zones(enemy, scene.before.scale, scene.settings)
                .iter()
                .any(|zone| separation(&base, zone).mm < 0.0 && separation(&lead.end(), zone).mm >= 0.0)
        });
    if blocked { RoadLength::CutShort } else { RoadLength::Short }
}

/// Whether the leader goes on the way that it faces.
fn facing(scene: &Scene<'_>) -> RoadFacing {
    let lead: &Walker<'_> = &scene.walkers[0];
    let back = lead.legs.iter().zip(&lead.stations).any(|(leg, pose)| match leg {
        Leg::Shift(by) => by.dot(&pose.heading.vector()) < -scene.slack_mm(),
        Leg::Turn { .. } => false,
    });
    if back { RoadFacing::Reversed } else { RoadFacing::Kept }
}
