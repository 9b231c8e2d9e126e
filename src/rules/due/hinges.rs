//! What the figures and fates of a combat hang on, by name: each a fact of the table that players can agree on.

use super::near::Near;
use super::{Engagement, Told, Where, open};
use crate::geometry::Edge;
use crate::rules::combat::{Conditions, Height, Odds, Part, View, gather};
use crate::rules::engagement::{self, How, Position};
use crate::rules::{Context, Element, Location, Settings, Setup};
use std::collections::BTreeSet;

/// A fact that a combat hangs on. Of two names the first is the one that presses, supports or lies in something.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hinge {
    /// The front edge of the first is on that edge of the second.
    Front(String, Edge, String),
    /// The first overlaps the second at that edge.
    Overlap(String, Edge, String),
    /// The board's edge overlaps it there.
    BoardEdge(String, Edge),
    /// The first stands in support position of the second.
    Support(String, Position, String),
    /// It lies in that feature.
    In(String, String),
    /// The first is uphill of the second.
    Uphill(String, String),
    /// The first defends a bank against the second.
    Bank(String, String),
    /// The second's front edge keeps the first from recoiling.
    Pinned(String, String),
    /// The first would overlap the second's opponent, but has that enemy on its own front.
    Busy(String, String),
}

impl Hinge {
    /// The fact in words.
    pub fn words(&self) -> String {
        match self {
            Self::Front(by, edge, of) => format!("{by}'s front edge is on {of}'s {}", edge.name()),
            Self::Overlap(by, edge, of) => format!("{by} overlaps {of} on its {}", edge.name()),
            Self::BoardEdge(of, edge) => format!("the board's edge overlaps {of} on its {}", edge.name()),
            Self::Support(by, Position::Rear, of) => format!("{by} stands straight behind {of}"),
            Self::Support(by, _, of) => format!("{by} stands level beside {of}"),
            Self::In(who, feature) => format!("{who} lies in {feature}"),
            Self::Uphill(a, b) => format!("{a} is uphill of {b}"),
            Self::Bank(a, b) => format!("{a} defends the bank against {b}"),
            Self::Pinned(who, by) => format!("{by}'s front edge keeps {who} from recoiling"),
            Self::Busy(who, enemy) => format!("{who} has {enemy} on its own front"),
        }
    }
}

/// A combat as it is read from one placing of its elements.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// Both totals before the dice.
    pub totals: (i32, i32),
    /// How often each score and fate comes.
    pub odds: Odds,
    /// Everything of the table that it hangs on and that holds.
    pub hinges: BTreeSet<Hinge>,
    /// Who touches whom of the two as overlapping does, whether or not that counts: the one beside, the one that fights.
    pub beside: BTreeSet<(String, String)>,
}

/// A combat on the open board with those near it, to be read again with them a little elsewhere.
#[derive(Debug, Clone)]
pub struct Close {
    table: Setup,
    conditions: Conditions,
    a: String,
    b: String,
}

impl Close {
    /// The combat of this table; none of an assault.
    pub fn of(setup: &Setup, told: &Told, combat: &Engagement) -> Option<Self> {
        let (a, b) = combat.names();
        if combat.at != Where::Open {
            return None;
        }
        let place = |name: &str| setup.elements.iter().position(|e| e.name == name);
        let around = Near::of(setup).around(setup, &[place(a)?, place(b)?]);
        Some(Self {
            table: Setup { elements: around, ..setup.clone() },
            conditions: Conditions { exposed: told.exposed.clone(), ..Conditions::default() },
            a: a.to_owned(),
            b: b.to_owned(),
        })
    }

    /// Who stands near it, in the setup's order.
    pub fn elements(&self) -> &[Element] {
        &self.table.elements
    }

    /// The same elements, to be put elsewhere.
    pub fn elements_mut(&mut self) -> &mut [Element] {
        &mut self.table.elements
    }

    /// The combat with them as they now stand; none where it cannot be reckoned.
    pub fn read(&self, settings: &Settings) -> Option<Reading> {
        let context = Context::of(&self.table, settings);
        let view = View { context, ground: &self.table.ground };
        let (first, second) = (self.table.element(&self.a)?, self.table.element(&self.b)?);
        let parts = gather(&view, &self.conditions, first, second).ok()?;
        let found = Engagement::of(&parts, Where::Open, open::contact_of(first, second, settings), &context);
        let mut hinges = BTreeSet::new();
        hang(&parts.a, second, &view, &mut hinges);
        hang(&parts.b, first, &view, &mut hinges);
        let mut beside = BTreeSet::new();
        for (element, opponent) in [(first, second), (second, first)] {
            if let Some((by, _)) = super::pinner(element, &context) {
                hinges.insert(Hinge::Pinned(element.name.clone(), by.name.clone()));
            }
            for enemy in engagement::all_beside(element, opponent, &context) {
                beside.insert((enemy.name.clone(), element.name.clone()));
                if let Some(busy) = engagement::frontal_enemy(enemy, &context) {
                    hinges.insert(Hinge::Busy(enemy.name.clone(), busy.to_owned()));
                }
            }
        }
        let totals = (found.brief.a.total(), found.brief.b.total());
        Some(Reading { totals, odds: found.odds, hinges, beside })
    }
}

/// Adds what the figures of one of the two hang on.
fn hang(part: &Part<'_>, other: &Element, view: &View<'_>, found: &mut BTreeSet<Hinge>) {
    let name = || part.element.name.clone();
    for pressure in &part.pressed.by {
        found.insert(match (&pressure.by, pressure.how) {
            (Some(by), How::FrontEdge) => Hinge::Front(by.clone(), pressure.edge, name()),
            (Some(by), _) => Hinge::Overlap(by.clone(), pressure.edge, name()),
            (None, _) => Hinge::BoardEdge(name(), pressure.edge),
        });
    }
    for offer in &part.offers {
        let Some(seen) = &offer.seen else { continue };
        found.insert(Hinge::Support(seen.name.clone(), offer.position, name()));
        let friend = view.context.elements.iter().find(|e| e.name == seen.name);
        found.extend(friend.into_iter().flat_map(|e| lies_in(e, view)));
    }
    found.extend(lies_in(part.element, view));
    match part.situation.lift() {
        Height::Uphill => found.insert(Hinge::Uphill(name(), other.name.clone())),
        Height::Bank => found.insert(Hinge::Bank(name(), other.name.clone())),
        Height::Level | Height::Waterside => false,
    };
}

/// Every feature that some of an element lies in.
fn lies_in(element: &Element, view: &View<'_>) -> Vec<Hinge> {
    if element.location != Location::Board {
        return Vec::new();
    }
    let inside = view
        .ground
        .features
        .iter()
        .filter(|f| crate::geometry::separation_from_area(&element.footprint, &f.outline).mm < 0.0);
    inside.map(|f| Hinge::In(element.name.clone(), f.name.clone())).collect()
}
