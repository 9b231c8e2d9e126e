//! The friends that movers leave where they are, and those that they join.
//!
//! Clauses: dba3.group.10, .11.

use super::scene::{Findings, Scene};
use crate::rules::group::{Formation, formation, joined_to};
use crate::rules::{Element, Location};

/// Notes the group that is left, and the one that is joined.
pub(super) fn judge(scene: &Scene<'_>, elements: &[&Element], formed: &Formation, found: &mut Findings) {
    let side = elements[0].side;
    let others: Vec<&Element> = scene.standing.iter().copied().filter(|e| e.side == side).collect();
    let left = joined_to(elements, &others, scene.settings, scene.formed);
    leaving(scene, elements, formed, &left, found);
    joining(scene, elements, formed, &others, &left, found);
}

/// A part of a group moves, which has to be a group by itself.
fn leaving(
    scene: &Scene<'_>,
    elements: &[&Element],
    formed: &Formation,
    left: &[&Element],
    found: &mut Findings,
) {
    if left.is_empty() {
        return;
    }
    let stay = names(left);
    if formed.is_whole() {
        let text = format!("{stay} stay behind: being in a group binds nobody");
        found.note("dba3.group.10", text);
        return;
    }
    let with: Vec<&Element> = elements.iter().chain(left).copied().collect();
    if formation(&with, scene.settings, scene.formed).is_whole() {
        let text = format!("{} are a group only together with {stay}", scene.who());
        found.note_not("dba3.group.10", text);
    }
}

/// Who moves up to others may go on with them as a group in its next move.
fn joining(
    scene: &Scene<'_>,
    elements: &[&Element],
    formed: &Formation,
    others: &[&Element],
    left: &[&Element],
    found: &mut Findings,
) {
    let moved = |e: &&&Element| scene.bound.moves_of(&e.name).next().is_some();
    let came = elements.iter().filter(moved).count();
    if came > 0 && came < elements.len() {
        let who = scene.who();
        if formed.is_whole() {
            found.note("dba3.group.11", format!("{who} were joined by an earlier move and go on as a group"));
        } else {
            found.note_not("dba3.group.11", format!("{who} have not joined up: they form no group"));
        }
    }
    let after: Vec<&Element> = elements
        .iter()
        .filter_map(|e| scene.after.element(&e.name))
        .filter(|e| e.location == Location::Board)
        .collect();
    let joined = joined_to(&after, others, scene.settings, scene.formed);
    let newly: Vec<&Element> =
        joined.into_iter().filter(|e| left.iter().all(|known| known.name != e.name)).collect();
    if !newly.is_empty() {
        let text = format!("now joined to {}, to go on with as a group in the next move", names(&newly));
        found.note("dba3.group.11", text);
    }
}

fn names(elements: &[&Element]) -> String {
    elements.iter().map(|e| e.name.as_str()).collect::<Vec<_>>().join("+")
}
