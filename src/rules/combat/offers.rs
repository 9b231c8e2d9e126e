//! Friends that may support an element in close combat: those that were entered, else those that the table shows.
//!
//! Invariant: at most one offer from behind and one from either side. Whether an offer counts is told where totals are
//! made. Clauses: dba3.sup.1 to .3.

use super::View;
use super::conditions::Situation;
use crate::geometry::Margin;
use crate::rules::engagement::{Position, Supporter, supporters};
use crate::rules::ruleset::{Going, Place as From, Troop};
use crate::rules::terrain::Surface;
use crate::rules::{Element, Location, Reason};

/// A friend nearer to a support position than so many base widths is told where it misses it.
const NEAR_BW: f64 = 0.5;

/// A friend that may support.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rules) struct Offer {
    /// Its troop code.
    pub code: String,
    /// What it stands in.
    pub surface: Surface,
    /// From where; of an entered one at a side, the left.
    pub position: Position,
    /// Who it is and by how much it stands there, where the table shows it.
    pub seen: Option<Seen>,
}

/// A supporter that the table shows.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::rules) struct Seen {
    /// Its name.
    pub name: String,
    /// By how much it is in position.
    pub margin: Margin,
    /// Why, and what it stands in.
    pub reasons: Vec<Reason>,
}

impl Offer {
    /// Behind or at a side.
    pub fn from(&self) -> From {
        if self.position == Position::Rear { From::Rear } else { From::Side }
    }

    /// What it is called in a total.
    pub fn words(&self) -> String {
        let place = if self.from() == From::Rear { "in rear support" } else { "in side support" };
        match &self.seen {
            Some(seen) => format!("{} ({}) {place}, {:.1} mm to spare", seen.name, self.code, seen.margin.mm),
            None => format!("{} {place}", self.code),
        }
    }
}

/// What is offered to `element`, and what misses a position by little.
pub(in crate::rules) fn offers(
    view: &View<'_>,
    element: &Element,
    troop: &Troop,
    situation: &Situation,
) -> (Vec<Offer>, Vec<Reason>) {
    let entered = |(code, surface): &(String, Surface), position| Offer {
        code: code.clone(),
        surface: *surface,
        position,
        seen: None,
    };
    let mut found: Vec<Offer> = situation.rear_support.iter().map(|s| entered(s, Position::Rear)).collect();
    found.extend(situation.side_support.iter().map(|s| entered(s, Position::Left)));
    let mut missed = Vec::new();
    if element.location != Location::Board {
        return (found, missed);
    }
    let (rear_known, sides_known) = (situation.rear_support.is_some(), !situation.side_support.is_empty());
    let rules = view.context.settings.ruleset();
    let near_mm = NEAR_BW * view.context.scale.mm_per_bw();
    for supporter in supporters(element, &view.context, near_mm) {
        let (known, from) = match supporter.position {
            Position::Rear => (rear_known, From::Rear),
            Position::Left | Position::Right => (sides_known, From::Side),
        };
        let mut rows = rules.support().iter().filter(|r| r.place == from && r.receiver.holds(troop));
        let Some(giver) = rules.troop(&supporter.troop).filter(|_| !known) else { continue };
        if supporter.margin.satisfied() {
            // Of those who are never supported at a side, nobody asks who stands there.
            let asked = from == From::Rear || rows.next().is_some();
            if asked && !found.iter().any(|o| o.position == supporter.position) {
                found.push(offer(view, element, giver, supporter));
            }
        } else if rows.any(|r| r.giver.holds(giver)) {
            missed.push(supporter.reason(&element.name));
        }
    }
    (found, missed)
}

fn offer(view: &View<'_>, element: &Element, giver: &Troop, supporter: Supporter) -> Offer {
    let mut reasons = vec![supporter.reason(&element.name)];
    let mut surface = Surface::default();
    let friend = view.context.elements.iter().find(|e| e.name == supporter.name);
    if let Some(friend) = friend.filter(|_| !view.ground.is_bare()) {
        let under = view.ground.underfoot(&friend.name, &friend.footprint, giver, view.context.settings);
        surface = under.surface;
        if surface.going_for(giver) != Going::Good {
            reasons.extend(under.reasons);
        }
    }
    let Supporter { name, troop, position, margin } = supporter;
    Offer { code: troop, surface, position, seen: Some(Seen { name, margin, reasons }) }
}
