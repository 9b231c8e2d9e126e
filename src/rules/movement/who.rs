//! Who may move at all, and as what: one element, a group, a column, not out of close combat.
//!
//! Clauses: dba3.seq.4, dba3.move.2 to .4, .11 to .13, dba3.group.1 to .4, dba3.set.31, .32, .100.

use super::scene::{Findings, Scene};
use super::{Manoeuvre, companions, strongholds};
use crate::geometry::{Limit, Margin};
use crate::rules::bound::Act;
use crate::rules::group::{Formation, Kind, Shape, formation};
use crate::rules::ruleset::{Mark, Troop};
use crate::rules::{Element, Foot, Question, ask, engagement, exact, margin};

/// Adds what the movers must be. The formation that they make before the move is given back.
pub(super) fn judge(scene: &Scene<'_>, found: &mut Findings) -> Formation {
    turn_of_play(scene, found);
    for walker in &scene.walkers {
        free_to_move(scene, walker.element, found);
    }
    let elements: Vec<&Element> = scene.walkers.iter().map(|w| w.element).collect();
    let formed = formation(&elements, scene.settings, scene.formed);
    as_one(scene, &elements, &formed, found);
    companions::judge(scene, &elements, &formed, found);
    if let Manoeuvre::Dismount { to, .. } = &scene.mv.manoeuvre {
        dismount(scene, to, found);
    }
    formed
}

fn turn_of_play(scene: &Scene<'_>, found: &mut Findings) {
    let turn = scene.bound.turn(scene.walkers[0].element.side, Act::Move);
    let mut reasons = turn.reasons.into_iter();
    if let Some(first) = reasons.next() {
        let wait = || "wait for the moves of your own bound".to_owned();
        found.ask(&first.clause, first.text, turn.may, wait);
    }
    found.notes.extend(reasons);
}

/// Not in close combat; one that merely overlaps may move.
fn free_to_move(scene: &Scene<'_>, element: &Element, found: &mut Findings) {
    let context = scene.context();
    let reach = 3.0 * scene.bw_mm();
    let apart = |e: &Element| (e.footprint.pose().centre - element.footprint.pose().centre).norm();
    let near = scene.enemies().any(|e| exact(apart(e) - reach) < 0.0);
    if !near {
        return;
    }
    let fights = ask::in_combat(element, element, &context);
    let name = &element.name;
    if fights.satisfied() {
        let text = format!("{name} is in close combat and can make no tactical move");
        let margin = Margin { limit: Limit::Strict, mm: -fights.mm.abs().max(1e-6), ..fights };
        found.test("dba3.move.3", text, margin, || {
            "leave it where it is; the others may move as smaller groups".to_owned()
        });
        found.note_not("dba3.move.4", format!("{name} leaves close combat by recoil or flight alone"));
        return;
    }
    found.ask("dba3.move.3", format!("{name} is not in close combat"), true, String::new);
    found.note("dba3.move.4", format!("{name} breaks off from no close combat"));
    for enemy in scene.enemies() {
        let overlap = engagement::overlap_position(element, enemy, &context);
        if overlap.satisfied() {
            let text = format!("{name} merely overlaps {}", enemy.name);
            let holds = !scene.settings.overlapper_in_combat;
            found.ask("dba3.set.100", text, holds, || "leave it where it is".to_owned());
        }
    }
}

/// One element, or one group; a column where a column is meant.
fn as_one(scene: &Scene<'_>, elements: &[&Element], formed: &Formation, found: &mut Findings) {
    let who = scene.who();
    if elements.len() == 1 {
        found.note("dba3.move.2", format!("{who} moves as a single element"));
        return;
    }
    if matches!(scene.mv.manoeuvre, Manoeuvre::Single | Manoeuvre::Dismount { .. }) {
        let text = format!("{who} are several elements; each makes a move of its own");
        found.ask("dba3.move.2", text, false, || "move them one by one, or as a group".to_owned());
        return;
    }
    if let Some(told) = crate::rules::group::contingents(scene.before, elements) {
        let way_out = || "move each contingent by itself".to_owned();
        found.ask("dba3.group.12", told.text, told.holds, way_out);
    }
    let Some(margin) = formed.margin else { return };
    let between = formed.between.map(|(a, b)| (elements[a].name.as_str(), elements[b].name.as_str()));
    let (a, b) = between.unwrap_or_default();
    let corner_only = formed.joints.iter().any(|j| j.kind == Kind::Following);
    let text = if margin.satisfied() {
        format!("{who} are one group; {a} and {b} are joined with {:.1} mm to spare", margin.mm)
    } else {
        format!("{who} are not one group: {a} and {b} are not joined, by {:.1} mm", -margin.mm)
    };
    let clause = if corner_only { "dba3.group.3" } else { "dba3.group.1" };
    let way_out = || format!("move {a} and {b} apart from each other, at a PIP each");
    found.test(clause, text, margin, way_out);
    let text = format!("{who} move as one group");
    found.ask("dba3.move.2", text, margin.satisfied(), way_out);
    let corners = elements
        .iter()
        .enumerate()
        .any(|(i, a)| elements[i + 1..].iter().any(|b| corner_alone(scene, a, b) && !margin.satisfied()));
    if corners {
        found.note_not("dba3.group.2", "a corner alone joins nobody");
    }
    if corner_only {
        let holds = scene.settings.wheeling_column_corner_group;
        let text = "elements of a wheeling column that meet at a corner are one group".to_owned();
        found.ask("dba3.set.32", text, holds, || "move them one by one".to_owned());
    }
    if matches!(scene.mv.manoeuvre, Manoeuvre::Column | Manoeuvre::ByRoad) {
        let column = matches!(formed.shape, Shape::Column | Shape::BentColumn);
        let ordered = formed.order.iter().enumerate().all(|(n, &at)| n == at);
        let text = match (column, ordered) {
            (false, _) => format!("{who} are more than one element wide and no column"),
            (true, false) => format!("{who} are a column, but its leader is not named first"),
            (true, true) => format!("{who} are a column"),
        };
        found.ask("dba3.group.4", text, column && ordered, || {
            "form column first, and name the leader first and the tail last".to_owned()
        });
    }
}

/// Whether two bases meet at a corner and share no edge.
fn corner_alone(scene: &Scene<'_>, a: &Element, b: &Element) -> bool {
    let gap = crate::geometry::separation(&a.footprint, &b.footprint).mm;
    gap.abs() <= scene.slack_mm()
}

/// What the army list lets somebody dismount as, where it is known.
fn by_list(scene: &Scene<'_>, name: &str, to: &str, found: &mut Findings) {
    let code = &scene.walkers[0].element.troop;
    match scene.before.foot(name) {
        Foot::Unknown => {}
        Foot::None => {
            let text = format!("the army list has no `//` for the {code} of {name}");
            found.ask("army-lists.troop.5", text, false, || format!("leave {name} mounted"));
        }
        Foot::As(foot) => {
            let text = format!("{name} is {code}//{foot} in its army list");
            found.ask("army-lists.troop.5", text, foot == to, || format!("dismount as {foot}"));
        }
    }
}

/// Dismounting: no other movement, not in a zone, not in contact.
fn dismount(scene: &Scene<'_>, to: &str, found: &mut Findings) {
    let walker = &scene.walkers[0];
    let name = walker.name();
    let known = scene.settings.ruleset().troop(to);
    let rides = |t: &Troop| t.is_mounted() || t.is(Mark::MountedInfantry);
    let foot = known.is_some_and(|t| !rides(t));
    let text = match known {
        _ if !rides(walker.troop) => {
            format!("{name} is {}, which is not mounted and does not dismount", walker.troop.code)
        }
        None => format!("{name} would become {to}, and no troops are called so"),
        Some(_) if !foot => format!("{name} would become {to}, which is mounted too"),
        Some(_) => {
            format!("{name} ({}) is mounted and becomes {to}, its front edge where it was", walker.troop.code)
        }
    };
    let stays =
        walker.stands() || exact((walker.end().pose().centre - walker.start().pose().centre).norm()) == 0.0;
    found.ask("dba3.move.11", text, foot && stays && rides(walker.troop), || {
        "only mounted dismount, to a foot type of the list, without other movement".to_owned()
    });
    by_list(scene, name, to, found);
    let context = scene.context();
    let mut zone: Option<(Margin, &str)> = strongholds::at_start(scene, walker);
    for enemy in scene.enemies() {
        let inside = margin(Question::InZoneOf, walker.element, enemy, &context);
        if zone.as_ref().is_none_or(|(best, _)| inside.mm > best.mm) {
            zone = Some((inside, &enemy.name));
        }
        let touch = exact(crate::geometry::separation(&walker.start(), &enemy.footprint).mm);
        if touch <= scene.slack_mm() {
            let text = format!("{name} touches {}; nobody dismounts in contact with enemy", enemy.name);
            found.ask("dba3.set.31", text, false, || "move away first, in another bound".to_owned());
        }
    }
    if let Some((inside, enemy)) = zone {
        let outside = !inside;
        let text = if outside.satisfied() {
            format!("{name} is {:.1} mm outside {enemy}'s threat zone", outside.mm)
        } else {
            format!("{name} is in {enemy}'s threat zone, where nobody dismounts")
        };
        found.test("dba3.move.13", text, outside, || "leave the zone first, in another bound".to_owned());
    }
    let moved = scene.bound.moves_of(name).next().is_some();
    let text = if moved {
        format!("{name} has moved in this bound; dismounting takes the whole of its move")
    } else {
        "dismounting takes the whole move, and costs what a move of one element costs".to_owned()
    };
    found.ask("dba3.set.31", text, !moved, || "dismount in your next bound".to_owned());
    found.note("dba3.move.12", format!("{name} moves as {to} in later bounds"));
}
