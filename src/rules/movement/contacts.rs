//! What the end of a move asks where it touches the enemy: may it, is it lined up, who conforms.
//!
//! The rules of contact are [`crate::rules::conform`]'s; here they become conditions of the move. Enemies
//! that the move says conform are looked at where they stood at the moment of contact, and must come to
//! stand where conforming brings them. Clauses: dba3.con.1 to .13, dba3.cf.1 to .11.

use super::scene::{Findings, Scene, Walker};
use super::{Condition, TacticalMove};
use crate::geometry::{Binding, Edge, Feature, Footprint, Margin, Part, Whose};
use crate::rules::conform;
use crate::rules::{ConformMeasure, Element, Location, Reason, contact, exact};

/// Adds what contact asks.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    let names: Vec<&str> = scene.walkers.iter().map(Walker::name).collect();
    let at_contact = TacticalMove { conforming: Vec::new(), ..scene.mv.clone() }.applied_to(scene.before);
    // What the move says of conforming is finished: the line-up is looked at as it is then.
    let Ok(told) = conform::end_of_movement(scene.before, &scene.after, scene.settings, &names) else {
        return;
    };
    if !told.is_empty() {
        conforming_is_movement(scene, found);
    }
    for told in told {
        let mut reasons = told.reasons.into_iter();
        let Some(first) = reasons.next() else { continue };
        let reason = Reason { holds: told.allowed, margin: Some(told.margin), ..first };
        let remedy = || "finish the line-up, or stop short of contact".to_owned();
        found.conditions.push(Condition::of(reason).with_remedy(remedy));
        found.notes.extend(reasons);
    }
    if !scene.mv.conforming.is_empty() {
        conforming(scene, &at_contact, &names, found);
    }
}

/// What is paid of a price: nothing where no line-up can be reached, for then the move does not take place (clauses
/// dba3.con.8, dba3.set.53).
pub(super) fn paid(scene: &Scene<'_>, price: u8, found: &mut Findings) -> u8 {
    let all = found.conditions.iter().map(|c| &c.reason).chain(&found.notes);
    if !all.into_iter().any(|r| r.clause == "dba3.con.8" && !r.holds) {
        return price;
    }
    if scene.settings.failed_contact_pip_kept {
        found.note("dba3.set.53", "the move does not take place, so it costs no PIP");
        return 0;
    }
    found.note_not("dba3.set.53", "by the setting the PIP is spent though the move does not take place");
    price
}

/// Conforming is part of the move that made contact, and has to fit in it (clause dba3.cf.2); on a flank or rear
/// edge all of it (clause dba3.cf.4).
fn conforming_is_movement(scene: &Scene<'_>, found: &mut Findings) {
    let short = |c: &Condition| !c.reason.holds && c.reason.clause.starts_with("dba3.dist.");
    let reaches = !found.conditions.iter().any(short);
    let told = |clause: &str, text: String| Reason { holds: reaches, ..Reason::holds(clause, text) };
    let fits = if reaches { "and it fits" } else { "and it does not fit" };
    found.notes.push(told(
        "dba3.cf.2",
        format!("{} as part of the move, {fits}", scene.they("conforms", "conform")),
    ));
    let context = crate::rules::Context::of(&scene.after, scene.settings);
    let tolerances = &scene.settings.tolerances;
    for mover in scene.walkers.iter().filter_map(|w| scene.after.element(w.name())) {
        let on = |enemy: &&Element| {
            let edges = [Edge::Left, Edge::Right, Edge::Rear];
            edges
                .into_iter()
                .any(|edge| contact::on_edge(mover, enemy, edge, tolerances).margin().satisfied())
        };
        let enemies = context.elements.iter().filter(|e| e.side != mover.side);
        if let Some(enemy) = enemies.filter(|e| e.location == Location::Board).find(on) {
            let text =
                format!("{} is on no front edge of {}: no slide is free, {fits}", mover.name, enemy.name);
            found.notes.push(told("dba3.cf.4", text));
        }
    }
}

/// Those who are moved to conform come to stand where conforming brings them.
fn conforming(scene: &Scene<'_>, at_contact: &crate::rules::Setup, names: &[&str], found: &mut Findings) {
    let Ok(line_up) = conform::line_up(scene.before, at_contact, scene.settings, names) else { return };
    let meant = line_up.applied_to(at_contact);
    let together = scene.walkers.len() > 1;
    for mover in &scene.mv.conforming {
        let (Some(after), Some(place)) = (scene.after.element(&mover.name), meant.element(&mover.name))
        else {
            continue;
        };
        let (at, to) = (after.footprint.pose().centre, place.footprint.pose().centre);
        let off = (at - to).norm();
        let feature = |whose, at| Feature { whose, part: Part::Inside, at };
        let stood = at_contact.element(&mover.name).map(|e| e.footprint);
        // Who has no cause to conform stays where it is.
        let called = stood.is_some_and(|stood| stood != place.footprint);
        let mm = if called { scene.settings.tolerances.corner_offset_mm - off } else { -off.max(1e-6) };
        let margin = Margin::closed(exact(mm), Binding(feature(Whose::A, at), feature(Whose::B, to)));
        if together && names.contains(&mover.name.as_str()) {
            let text = format!("{} makes the pivot or slide that conforming asks of its group", mover.name);
            found.notes.push(Reason { holds: margin.satisfied(), ..Reason::holds("dba3.group.9", text) });
        }
        slides_enough(scene, &mover.name, stood, &after.footprint, found);
        let how = match scene.settings.conform_measure {
            ConformMeasure::FurthestCorner => "what moves least is measured by its furthest corner",
            ConformMeasure::SumOfCorners => "by the setting what moves least is measured by all its corners",
        };
        found.notes.push(Reason { holds: margin.satisfied(), ..Reason::holds("dba3.set.102", how) });
        let text = format!("{} conforms, {off:.1} mm from where the least shift brings it", mover.name);
        found.test("dba3.cf.1", text, margin, || format!("place {} where it lines up", mover.name));
    }
}

/// A mover that slides onto a front edge slides by less than 1 BW (clause dba3.cf.3).
fn slides_enough(
    scene: &Scene<'_>,
    name: &str,
    stood: Option<Footprint>,
    ends: &Footprint,
    found: &mut Findings,
) {
    let Some(stood) = stood.filter(|_| scene.walkers.iter().any(|w| w.name() == name)) else { return };
    for slide in conform::slide_of(&scene.after, scene.settings, &[name]) {
        let (from, to) = (stood.pose().centre, ends.pose().centre);
        let along = (to - from).dot(&slide.way).abs();
        let feature = |at| Feature { whose: Whose::A, part: Part::Inside, at };
        let margin = Margin::strict(exact(scene.bw_mm() - along), Binding(feature(from), feature(to)));
        let text =
            format!("{name} slides {along:.1} mm along {}'s front edge; less than 1 BW is free", slide.enemy);
        found.test("dba3.cf.3", text, margin, || {
            format!("come within 1 BW of {}'s corners first", slide.enemy)
        });
    }
}
