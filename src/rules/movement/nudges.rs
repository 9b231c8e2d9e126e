//! What stirred and is no move: a bumped table, a sleeve, bases straightened, a base of the other side.
//!
//! A bump carries most of the table by one small rigid motion; a sleeve shifts a few neighbours a little,
//! each as it likes; a base is straightened when it comes to stand in line with friends that it stood
//! crooked beside. Table frame, millimetres. The limits are choices.

use super::{NUDGE_MM, Nudge};
use crate::geometry::{Corner, Footprint, Pose, Vector};
use crate::rules::bound::Bound;
use crate::rules::group::{Bond, joint};
use crate::rules::{Element, Location, Settings, Setup};

/// A bump carries nobody further than this, millimetres.
const BUMP_MM: f64 = 25.0;
/// Straightening goes no further than this, millimetres at a corner.
const STRAIGHTEN_MM: f64 = 8.0;

/// What a nudge looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Deserialize)]
pub enum Cause {
    /// The table was bumped: most of what stands on it shifted together.
    Bump,
    /// A sleeve or a hand went by: it stirred less than the eye sees.
    Sleeve,
    /// Bases of the bounding side were straightened against their neighbours.
    Straightened,
    /// A base of the side that is not moving.
    OtherSide,
}

/// What stirred between two looks and is no move, by cause. What may be a move is left out.
pub(super) fn causes(
    before: &Setup,
    after: &Setup,
    bound: &Bound,
    settings: &Settings,
    sigma_mm: f64,
) -> Vec<(Vec<Nudge>, Cause)> {
    let still = 8.0 * sigma_mm + 1e-6;
    let all = both(before, after);
    if let Some(bumped) = bump(&all, still) {
        return vec![(bumped, Cause::Bump)];
    }
    let stirred: Vec<&(&Element, Nudge)> = all.iter().filter(|(_, n)| n.mm > still).collect();
    let mut found: Vec<(Vec<Nudge>, Cause)> = Vec::new();
    let mut add = |nudge: &Nudge, cause: Cause| match found.iter_mut().find(|(_, known)| *known == cause) {
        Some((nudges, _)) => nudges.push(nudge.clone()),
        None => found.push((vec![nudge.clone()], cause)),
    };
    // Somebody who really moves may carry a neighbour along a little, or be lined up upon: then it is not
    // the sleeve.
    let moves = stirred.iter().any(|(e, n)| e.side == bound.side && n.mm > NUDGE_MM.max(still));
    for (element, nudge) in stirred {
        if element.side != bound.side {
            // A base that an enemy came up to may conform or turn to face: that is the move's to explain.
            if !moves {
                add(nudge, Cause::OtherSide);
            }
        } else if straightened(element, nudge, (before, after), settings, still) {
            add(nudge, Cause::Straightened);
        } else if nudge.mm <= NUDGE_MM.max(still) && !moves {
            add(nudge, Cause::Sleeve);
        }
    }
    found
}

/// Who was carried along by a bumped table between two looks, by name; nobody where it was not bumped.
pub fn bumped(before: &Setup, after: &Setup, sigma_mm: f64) -> Vec<String> {
    let carried = bump(&both(before, after), 8.0 * sigma_mm + 1e-6);
    carried.unwrap_or_default().into_iter().map(|n| n.name).collect()
}

/// Everybody who stands on the board in both looks, with where.
fn both<'s>(before: &'s Setup, after: &Setup) -> Vec<(&'s Element, Nudge)> {
    let on_board = before.elements.iter().filter(|e| e.location == Location::Board);
    let found = on_board.filter_map(|e| {
        let now = after.element(&e.name).filter(|n| n.location == Location::Board && n.troop == e.troop)?;
        let (stood, stands) = (e.footprint.pose(), now.footprint.pose());
        let mm = furthest(&e.footprint, stands);
        Some((e, Nudge { name: e.name.clone(), stood, stands, mm }))
    });
    found.collect()
}

/// Those that one small motion carried, where they are most of the table and of both sides.
fn bump(all: &[(&Element, Nudge)], still: f64) -> Option<Vec<Nudge>> {
    let stirred: Vec<&(&Element, Nudge)> =
        all.iter().filter(|(_, n)| n.mm > still && n.mm <= BUMP_MM).collect();
    let sides = stirred.iter().any(|(e, _)| e.side != stirred[0].0.side);
    if stirred.len() < 3 || 3 * stirred.len() < 2 * all.len() || !sides {
        return None;
    }
    // The motion that the middle one of them by every coordinate makes: bumped tables slide.
    let middle = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let by = |n: &Nudge| n.stands.centre - n.stood.centre;
    let slide = Vector::new(
        middle(stirred.iter().map(|(_, n)| by(n).x).collect()),
        middle(stirred.iter().map(|(_, n)| by(n).y).collect()),
    );
    let carried: Vec<Nudge> = stirred
        .iter()
        .filter(|(_, n)| (by(n) - slide).norm() <= NUDGE_MM.max(still))
        .map(|(_, n)| n.clone())
        .collect();
    (3 * carried.len() >= 2 * all.len()).then_some(carried)
}

/// Whether it came a little way to stand joined to a friend that stood still, more squarely than it did.
fn straightened(
    element: &Element,
    nudge: &Nudge,
    (before, after): (&Setup, &Setup),
    settings: &Settings,
    still: f64,
) -> bool {
    if nudge.mm > STRAIGHTEN_MM {
        return false;
    }
    let now = Element { footprint: element.footprint.moved_to(nudge.stands), ..element.clone() };
    before.elements.iter().filter(|f| f.side == element.side && f.name != element.name).any(|friend| {
        let stays = after
            .element(&friend.name)
            .is_some_and(|f| furthest(&friend.footprint, f.footprint.pose()) <= still);
        let of = |e: &Element| joint(e, friend, settings, Bond::Fresh).map(|j| j.margin.mm);
        let turn =
            |e: &Element| e.footprint.pose().heading.turn_to_radians(friend.footprint.pose().heading).abs();
        stays
            && of(&now).is_some_and(|is| is >= 0.0 && of(element).is_none_or(|was| is > was))
            && turn(&now) < turn(element)
    })
}

/// How far a corner of a base goes at most, millimetres.
fn furthest(base: &Footprint, to: Pose) -> f64 {
    let there = base.moved_to(to);
    Corner::ALL.into_iter().map(|c| (there.corner(c) - base.corner(c)).norm()).fold(0.0, f64::max)
}
