//! A combat that is told and not seen, laid out as bases.
//!
//! Table frame, millimetres, base width 40: both stand front to front in the middle of a board. Overlapping enemies stand
//! corner to corner beside the opponent, others have their front edge on a flank or, once both are taken, the rear.

use super::calculator::Entry;
use super::conditions::Conditions;
use super::{Brief, brief};
use crate::geometry::{Footprint, Heading, Point, Pose};
use crate::rules::{AskError, Element, Location, Overhang, Settings, Setup, Side};
use crate::units::Scale;

/// Both totals. Each side's edges are judged on a table of its own, with its enemies alone: what is said of both need
/// not fit on one.
pub(super) fn both(
    settings: &Settings,
    entries: [&Entry; 2],
    conditions: &Conditions,
) -> Result<Brief, AskError> {
    let of = |own: Side| brief(&laid_out(settings, entries, own), settings, conditions, "A", "B");
    let (mut first, second) = (of(Side::Red)?, of(Side::Blue)?);
    first.b = second.b;
    first.enemy_fronts.1 = second.enemy_fronts.1;
    Ok(first)
}

/// Both front to front in the middle of a board, with the enemies that press the one of side `pressed`.
fn laid_out(settings: &Settings, entries: [&Entry; 2], pressed: Side) -> Setup {
    let bw = Scale::SMALL.mm_per_bw();
    let mut elements = Vec::new();
    let sides = [(Side::Red, "A", Heading::NORTH), (Side::Blue, "B", Heading::SOUTH)];
    for (entry, (side, name, heading)) in entries.into_iter().zip(sides) {
        let front = Pose { centre: Point::new(10.0 * bw, 10.0 * bw), heading };
        let depth = settings.ruleset().troop(&entry.code).map_or(bw, |t| t.depth.small.0);
        let base = standing(name, side, &entry.code, front, (bw, depth));
        elements.push(Element { general: entry.general, ..base });
        if side == pressed {
            // Psiloi press as others do, and give no support.
            elements.extend(pressing(entry, front, bw, depth).into_iter().enumerate().map(|(n, at)| {
                standing(&format!("enemy {}", n + 1), side.enemy(), "Ps", at, (bw, bw / 2.0))
            }));
        }
    }
    Setup::bare(Scale::SMALL, (20.0 * bw, 20.0 * bw), elements)
}

/// An element whose front edge's middle is at `front`.
fn standing(name: &str, side: Side, troop: &str, front: Pose, (width, depth): (f64, f64)) -> Element {
    let pose = Pose { centre: front.at(0.0, -depth / 2.0), heading: front.heading };
    Element {
        name: name.to_owned(),
        side,
        troop: troop.to_owned(),
        footprint: Footprint::new(pose, width, depth).expect("a base of the ruleset has a width and a depth"),
        general: false,
        tower: false,
        overhang: Overhang::default(),
        location: Location::Board,
    }
}

/// Where the front edges of the enemies are that press a base with its own at `front`: flanks before the rear, and
/// overlaps on a flank that is still free.
fn pressing(entry: &Entry, front: Pose, bw: f64, depth: f64) -> Vec<Pose> {
    let facing = |vector| Heading::along(vector).expect("a heading's side has a direction");
    let (left, right) = (facing(front.heading.left()), facing(front.heading.right()));
    let contacts = [
        Pose { centre: front.at(-bw / 2.0, -bw / 2.0), heading: right },
        Pose { centre: front.at(bw / 2.0, -bw / 2.0), heading: left },
        Pose { centre: front.at(0.0, -depth), heading: front.heading },
    ];
    let against = front.heading.reversed();
    let overlaps = [
        Pose { centre: front.at(bw, 0.0), heading: against },
        Pose { centre: front.at(-bw, 0.0), heading: against },
    ];
    let contacts = contacts.into_iter().take(usize::from(entry.flanked));
    contacts.chain(overlaps.into_iter().take(usize::from(entry.overlapped))).collect()
}
