//! What the end of a move asks where it touches the enemy: may it, is it lined up, who conforms.
//!
//! The rules of contact are [`crate::rules::conform`]'s; here they become conditions of the move. Enemies
//! that the move says conform are looked at where they stood at the moment of contact, and must come to
//! stand where conforming brings them. Clauses: dba3.con.1 to .13, dba3.cf.1 to .11.

use super::scene::{Findings, Scene, Walker};
use super::{Condition, TacticalMove};
use crate::geometry::{Binding, Feature, Margin, Part, Whose};
use crate::rules::conform;
use crate::rules::{Reason, exact};

/// Adds what contact asks.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) {
    let names: Vec<&str> = scene.walkers.iter().map(Walker::name).collect();
    let at_contact = TacticalMove { conforming: Vec::new(), ..scene.mv.clone() }.applied_to(scene.before);
    // What the move says of conforming is finished: the line-up is looked at as it is then.
    let Ok(told) = conform::end_of_movement(scene.before, &scene.after, scene.settings, &names) else {
        return;
    };
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
        let text = format!("{} conforms, {off:.1} mm from where the least shift brings it", mover.name);
        found.test("dba3.cf.1", text, margin, || format!("place {} where it lines up", mover.name));
    }
}
