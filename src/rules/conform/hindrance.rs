//! What keeps a party from standing where conforming would bring it: other bases, ground that no element
//! may enter, the board's edge.
//!
//! Bases that touch are measured a fraction into each other, so a base may reach into another by the
//! contact gap before it is in its way.

use super::motion::Motion;
use crate::geometry::{Corner, Footprint, separation};
use crate::rules::ruleset::Going;
use crate::rules::{Context, Element, Location, Settings, Setup, Side};

/// Something that a party would have to stand in.
#[derive(Debug, Clone, PartialEq)]
pub struct Hindrance {
    /// Who of the party would.
    pub who: String,
    /// What is there.
    pub what: What,
    /// How deep it would reach in, millimetres.
    pub by_mm: f64,
}

/// What can be in the way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum What {
    /// An element.
    Element {
        /// Its name.
        name: String,
        /// Whose it is.
        side: Side,
    },
    /// The board ends there.
    BoardEdge,
    /// Ground that it may not enter, or, by the setting `group-conforms-into-bad-going`, not in line.
    Ground,
}

impl Hindrance {
    /// What people are told: "F is 12.0 mm in the way of A".
    pub fn says(&self) -> String {
        match &self.what {
            What::Element { name, .. } => {
                format!("{name} is {:.1} mm in the way of {}", self.by_mm, self.who)
            }
            What::Ground => format!("{} would stand {:.1} mm in ground barred to it", self.who, self.by_mm),
            What::BoardEdge => format!("{} would stand {:.1} mm off the board", self.who, self.by_mm),
        }
    }

    /// Whether it is an element, of either side.
    pub fn is_an_element(&self) -> bool {
        matches!(self.what, What::Element { .. })
    }

    /// Whether it is an element of that side.
    pub fn is_of(&self, of: Side) -> bool {
        matches!(self.what, What::Element { side, .. } if side == of)
    }
}

/// Everything in the way of a party that is carried along.
pub(in crate::rules) fn hindrances(
    party: &[&Element],
    motion: &Motion,
    setup: &Setup,
    settings: &Settings,
) -> Vec<Hindrance> {
    let context = Context::of(setup, settings);
    let rules = settings.ruleset();
    let bad_bars = party.len() > 1 && !settings.group_conforms_into_bad_going;
    let room = context.settings.tolerances.contact_gap_mm;
    let in_party = |e: &Element| party.iter().any(|p| p.name == e.name);
    let mut found = Vec::new();
    for element in party {
        let there = element.footprint.moved_to(motion.carries(element.footprint.pose()));
        let off = off_board_mm(&there, context.board_mm);
        if off > room {
            found.push(Hindrance { who: element.name.clone(), what: What::BoardEdge, by_mm: off });
        }
        let outline = [there.outline().to_vec()];
        let barred = setup.ground.barred(&element.name, &outline, rules);
        let mut deep = barred.iter().filter_map(|r| r.margin).map(|m| -m.mm).fold(0.0, f64::max);
        if bad_bars && let Some(troop) = rules.troop(&element.troop) {
            let found = setup.ground.underfoot(&element.name, &there, troop, settings);
            let in_bad = found.going == Going::Bad;
            deep = deep.max(found.margin.filter(|_| in_bad).map_or(0.0, |m| m.mm));
        }
        if deep > 0.0 {
            found.push(Hindrance { who: element.name.clone(), what: What::Ground, by_mm: deep });
        }
        for other in context.elements.iter().filter(|e| e.location == Location::Board && !in_party(e)) {
            let depth = -separation(&there, &other.footprint).mm;
            if depth > room {
                let what = What::Element { name: other.name.clone(), side: other.side };
                found.push(Hindrance { who: element.name.clone(), what, by_mm: depth });
            }
        }
    }
    found
}

/// How far the furthest corner lies off the board, millimetres; zero or less inside.
fn off_board_mm(base: &Footprint, board_mm: (f64, f64)) -> f64 {
    let corners = Corner::ALL.map(|c| base.corner(c));
    let out = corners.iter().map(|p| (-p.x).max(-p.y).max(p.x - board_mm.0).max(p.y - board_mm.1));
    out.fold(f64::NEG_INFINITY, f64::max)
}
