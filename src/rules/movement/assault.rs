//! Contacting a camp, City or Fort that the enemy holds: who may, with which edge, how many at once.
//!
//! Table frame, millimetres. A feature is contacted where a base ends no further from its outline than bases that
//! touch are; it has no corners to line up with. Clauses: dba3.con.13 to .15, dba3.troop.16, dba3.set.57, .58, dba3.bua.6.

use super::gateway::front_to_gate;
use super::scene::{Findings, Scene, Walker};
use crate::geometry::{Binding, Footprint, Margin, Part, of_base, of_ground, separation_from_area};
use crate::rules::ruleset::Kind;
use crate::rules::stronghold::{assaulters, front_gap_mm, held};
use crate::rules::terrain::Feature;
use crate::rules::{Reason, exact};
use crate::text::counted;

/// How many may have a front edge on one feature (clause dba3.set.57).
const MOST: usize = 3;

/// Adds what contact with features that the movers' enemy holds asks.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    let side = scene.walkers[0].element.side;
    for feature in scene.before.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        if held(scene.before, scene.settings.ruleset(), feature).is_none_or(|h| h.side == side) {
            continue;
        }
        let touches = |base: &Footprint| separation_from_area(base, &feature.outline).mm <= scene.slack_mm();
        let contactors: Vec<&Walker<'_>> =
            scene.walkers.iter().filter(|w| !w.stands() && touches(&w.end())).collect();
        for walker in &contactors {
            contact(scene, walker, feature, found);
        }
        if !contactors.is_empty() {
            at_most(scene, feature, found);
        }
    }
}

/// Whether one of the movers may contact the feature as it does.
fn contact(scene: &Scene<'_>, walker: &Walker<'_>, feature: &Feature, found: &mut Findings) {
    let (name, place) = (walker.name(), &feature.name);
    let stay_away = || format!("stay clear of {place}");
    let code = &walker.element.troop;
    match walker.troop.kind {
        Kind::WarWagons if walker.element.tower => {
            let text = format!("{name}, a mobile tower, contacts {place}, which the enemy holds");
            found.ask("dba3.con.14", text, true, String::new);
            found.note("dba3.troop.16", format!("{name} is declared a mobile tower"));
        }
        kind @ (Kind::WarWagons | Kind::Command | Kind::Artillery) => {
            let text = format!("{name} is {code}, which may not move into contact; it touches {place}");
            found.ask("dba3.con.13", text, false, stay_away);
            if kind == Kind::WarWagons {
                found.note_not("dba3.con.14", format!("{name} is no mobile tower"));
                found.note_not("dba3.troop.16", format!("{name} is not declared a mobile tower"));
            }
            return;
        }
        Kind::ScythedChariots => {
            let text =
                format!("{name} is {code}, which may contact no City, Fort or camp; it touches {place}");
            found.ask("dba3.con.15", text, false, stay_away);
            return;
        }
        _ => {}
    }
    let end = walker.end();
    if walker.troop.kind == Kind::Elephants && feature.kind.has_gates() {
        at_gate(scene, walker, feature, found);
    }
    let inside = separation_from_area(&end, &feature.outline);
    let outside = Margin::closed(exact(inside.mm + scene.slack_mm()), inside.binding);
    if !outside.satisfied() {
        let text = format!("{name} ends {:.1} mm inside {place}, which the enemy holds", -inside.mm);
        found.test("dba3.con.15", text, outside, || format!("stop at the rim of {place}"));
        return;
    }
    let front = front_gap_mm(&end, feature, scene.slack_mm());
    let room = scene.slack_mm() + walker.element.overhang.front - front;
    let margin = Margin::closed(exact(room), inside.binding);
    let text = if margin.satisfied() {
        format!("{name} contacts {place} with its front edge")
    } else {
        format!("{name} touches {place} otherwise than with its front edge, which is {front:.1} mm off")
    };
    found.test("dba3.con.15", text, margin, || format!("contact {place} with the front edge, or stay clear"));
    if feature.kind.has_gates() && margin.satisfied() {
        let text = format!("whoever holds {place} stands all round it: {name} fights them frontally");
        found.note("dba3.bua.6", text);
    }
}

/// Elephants assault a City or Fort only at a gate (clause dba3.set.58).
fn at_gate(scene: &Scene<'_>, walker: &Walker<'_>, feature: &Feature, found: &mut Findings) {
    let (name, place, end) = (walker.name(), &feature.name, walker.end());
    let Some((mm, gate)) = front_to_gate(&end, feature) else {
        let text = format!("{name} assaults {place}; nobody has said where its gates are");
        found.unchecked.push(Reason::fails("dba3.set.58", text));
        return;
    };
    let binding = Binding(of_base(&end, end.pose().centre), of_ground(Part::Rim, gate));
    let margin = Margin::closed(exact(scene.slack_mm() + walker.element.overhang.front - mm), binding);
    let text = format!("{name} assaults {place} with its front edge {mm:.1} mm from a gate");
    found.test("dba3.set.58", text, margin, || format!("assault {place} at a gate"));
}

/// No more than three front edges on one feature.
fn at_most(scene: &Scene<'_>, feature: &Feature, found: &mut Findings) {
    let side = scene.walkers[0].element.side;
    let count = assaulters(&scene.after, scene.settings, feature, side).count();
    let text = format!("{} on {}; no more than {MOST} may be", counted(count, "front edge"), feature.name);
    let remedy = || format!("wait until one of the others has left {}", feature.name);
    found.ask("dba3.set.57", text, count <= MOST, remedy);
}
