//! Close combats on the open board, and front edges that make none.

use super::near::Near;
use super::{Engagement, Fought, Idle, Where};
use crate::geometry::{Edge, Margin, separation};
use crate::rules::combat::{Conditions, LinedUp, Situation, View, gather};
use crate::rules::{Context, Element, Location, Reason, Settings, Setup, Side, contact, exact};

/// Adds every combat front to front, and every front edge on a flank or rear whose owner fights nobody.
pub(super) fn fights(
    setup: &Setup,
    settings: &Settings,
    conditions: &Conditions,
    near: &Near,
    found: &mut Fought,
) {
    let elements = &setup.elements;
    let pairs = pairs(setup, settings, near);
    let fighting = who_fights(setup, &pairs);
    for (i, j, margin) in pairs {
        let around = near.around(setup, &[i, j]);
        let context = Context { elements: &around, ..Context::of(setup, settings) };
        let view = View { context, ground: &setup.ground };
        match gather(&view, conditions, named(&around, &elements[i]), named(&around, &elements[j])) {
            Ok(parts) => found.combats.push(Engagement::of(&parts, Where::Open, margin, &context)),
            Err(why) => found.faults.push(why),
        }
    }
    found.idle.extend(idles(setup, settings, near, &fighting));
}

/// Adds every contact of `refused` that is one still and is not lined up, the contactor first, and tells of fronts that touch,
/// are not lined up, and of which nobody said that they fight so.
pub(super) fn unconformed(
    setup: &Setup,
    settings: &Settings,
    (conditions, refused): (&Conditions, &[(String, String)]),
    near: &Near,
    found: &mut Fought,
) {
    let place = |name: &String| setup.elements.iter().position(|e| e.name == *name);
    let fought = |found: &Fought, a: &str, b: &str| {
        found.combats.iter().any(|c| c.names() == (a, b) || c.names() == (b, a))
    };
    for (a, b) in refused {
        let both = place(a).zip(place(b)).filter(|_| !fought(found, a, b));
        let Some((i, j)) = both else { continue };
        let (first, second) = (&setup.elements[i], &setup.elements[j]);
        let margin = touch_of(first, second, settings);
        if !margin.satisfied() || first.side == second.side {
            continue;
        }
        let around = near.around(setup, &[i, j]);
        let context = Context { elements: &around, ..Context::of(setup, settings) };
        let view = View { context, ground: &setup.ground };
        let overlapped = Situation { lined_up: LinedUp::Refused, ..Situation::default() };
        let conditions = Conditions { b: overlapped, ..conditions.clone() };
        match gather(&view, &conditions, named(&around, first), named(&around, second)) {
            Ok(parts) => found.combats.push(Engagement::of(&parts, Where::Unconformed, margin, &context)),
            Err(why) => found.faults.push(why),
        }
    }
    for (i, a) in setup.elements.iter().enumerate().filter(|(_, e)| e.side == Side::Red) {
        for b in near.beside(i).iter().map(|&j| &setup.elements[j]).filter(|e| e.side == Side::Blue) {
            let met = contact::on_edge(a, b, Edge::Front, &settings.tolerances);
            let off = settings.tolerances.corner_offset_mm - met.corners.mm;
            let touch = met.gap.and(met.facing).and(met.side).satisfied() && !met.corners.satisfied();
            let overlaps = exact(off - a.footprint.width_mm() / 2.0) < 0.0;
            if touch && overlaps && !fought(found, &a.name, &b.name) {
                let text = format!(
                    "the fronts of {} and {} touch and are {off:.1} mm from being lined up: no combat, unless it is said that \
                     one of them did not conform",
                    a.name, b.name
                );
                found.undefended.push(Reason::tested("dba3.cf.10", text, met.corners));
            }
        }
    }
}

/// By how much two elements on the board touch.
pub(super) fn touch_of(a: &Element, b: &Element, settings: &Settings) -> Margin {
    let apart = separation(&a.footprint, &b.footprint);
    let overhang = a.overhang.front + b.overhang.front;
    let on_board = a.location == Location::Board && b.location == Location::Board;
    let mm = if on_board {
        settings.tolerances.contact_gap_mm + overhang - apart.mm
    } else {
        -apart.mm.abs() - 1.0
    };
    Margin::closed(exact(mm), apart.binding)
}

/// Every front edge on a flank or rear whose owner fights nobody.
fn idles(setup: &Setup, settings: &Settings, near: &Near, fighting: &[bool]) -> Vec<Idle> {
    let mut found = Vec::new();
    for (i, who) in setup.elements.iter().enumerate().filter(|&(i, _)| !fighting[i]) {
        for &j in near.beside(i) {
            idle(setup, settings, near, (who, j), fighting, &mut found);
        }
    }
    found
}

/// Who stands front to front, by names, and every front edge that makes no combat: what [`fights`] has, without figures.
pub(super) fn standing<'s>(
    setup: &'s Setup,
    settings: &Settings,
    near: &Near,
) -> (Vec<(&'s str, &'s str)>, Vec<Idle>) {
    let pairs = pairs(setup, settings, near);
    let idle = idles(setup, settings, near, &who_fights(setup, &pairs));
    let name = |at: usize| setup.elements[at].name.as_str();
    (pairs.into_iter().map(|(i, j, _)| (name(i), name(j))).collect(), idle)
}

/// By how much two fronts are in contact.
pub(super) fn contact_of(a: &Element, b: &Element, settings: &Settings) -> Margin {
    contact::fronts(a, b, &settings.tolerances)
}

/// Every pair front to front, red first, with by how much.
fn pairs(setup: &Setup, settings: &Settings, near: &Near) -> Vec<(usize, usize, Margin)> {
    let elements = &setup.elements;
    let mut found: Vec<(usize, usize, Margin)> = Vec::new();
    for (i, a) in elements.iter().enumerate().filter(|(_, e)| e.side == Side::Red) {
        for &j in near.beside(i).iter().filter(|&&j| elements[j].side == Side::Blue) {
            let margin = contact::fronts(a, &elements[j], &settings.tolerances);
            if margin.satisfied() {
                found.push((i, j, margin));
            }
        }
    }
    found.sort_by_key(|&(i, j, _)| (i, j));
    found
}

/// Who fights front to front, by places in the setup.
pub(super) fn fighting(setup: &Setup, settings: &Settings, near: &Near) -> Vec<bool> {
    who_fights(setup, &pairs(setup, settings, near))
}

fn who_fights(setup: &Setup, pairs: &[(usize, usize, Margin)]) -> Vec<bool> {
    let mut found = vec![false; setup.elements.len()];
    for &(i, j, _) in pairs {
        (found[i], found[j]) = (true, true);
    }
    found
}

fn named<'e>(around: &'e [Element], element: &Element) -> &'e Element {
    around.iter().find(|e| e.name == element.name).expect("who fights is among those around")
}

/// Whether `who`, which fights nobody, has its front edge on a flank or the rear of an enemy that fights nobody
/// either. Of one that fights it is a figure of that combat.
fn idle(
    setup: &Setup,
    settings: &Settings,
    near: &Near,
    (who, at): (&Element, usize),
    fighting: &[bool],
    found: &mut Vec<Idle>,
) {
    let on = &setup.elements[at];
    if fighting[at] || on.side == who.side || on.location != Location::Board {
        return;
    }
    for edge in [Edge::Left, Edge::Right, Edge::Rear] {
        let margin = contact::on_edge(who, on, edge, &settings.tolerances).margin();
        if !margin.satisfied() {
            continue;
        }
        let (name, enemy) = (&on.name, &who.name);
        // Whoever stands before it, in rear support of that one.
        let ahead = near.beside(at).iter().map(|&j| (j, &setup.elements[j])).find(|(j, e)| {
            fighting[*j]
                && e.side == on.side
                && contact::on_edge(on, e, Edge::Rear, &settings.tolerances).margin().satisfied()
        });
        let touch = format!("{enemy}'s front edge is on {name}'s {}", edge.name());
        let reasons = match ahead {
            Some((_, first)) => vec![
                Reason::holds(
                    "dba3.turn.3",
                    format!("{name} stands behind {}, which fights: it does not turn", first.name),
                ),
                Reason::tested("dba3.turn.1", touch, margin),
            ],
            None => vec![Reason::tested(
                "dba3.turn.1",
                format!(
                    "{touch}, and {name} has no enemy to its front: it turns to face when movement closes, and they fight then"
                ),
                margin,
            )],
        };
        found.push(Idle { who: enemy.clone(), on: name.clone(), edge, margin, reasons });
    }
}
