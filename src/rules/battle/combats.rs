//! The close combat phase: which combats are due, what each side brings as the table shows it, one after the other.
//!
//! Due are those who are in contact when the phase begins: what outcome moves bring together later waits for the next
//! bound (clause dba3.pur.13), and what they part is no longer due (clause dba3.seq.10).

use super::phases::by_pursuit;
use super::state::State;
use super::{Battle, Clash, Fault, Told, places};
use crate::geometry::{Edge, gap_to_area, separation_from_area};
use crate::rules::aftermath::{Cause, Decisions, Fought, RecoilBy, What, play_out};
use crate::rules::bound::Phase;
use crate::rules::closing::front_on_enemy;
use crate::rules::combat::{Conditions, LinedUp, Situation, brief};
use crate::rules::engagement::fights;
use crate::rules::neighbours::{Stands, friends_at};
use crate::rules::stronghold::{Inside, held};
use crate::rules::terrain::{Feature, Surface};
use crate::rules::turn::Contactor;
use crate::rules::{Context, Element, Location, Setup};
use std::fmt;

/// A combat of this bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// One of them: red in the open, the assaulter at a City, Fort or camp, the contactor where a contact was refused.
    pub a: String,
    /// The other.
    pub b: String,
    /// What sort of contact it is.
    pub contact: Contact,
}

/// What sort of contact a combat is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contact {
    /// Front edge to front edge.
    Fronts,
    /// The contacted did not line up (clause dba3.cf.10).
    Refused,
    /// An assault of the feature of that name.
    Assault(String),
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.a, self.b)
    }
}

impl Due {
    /// Whether it is about these two, in whatever order.
    pub fn is_of(&self, a: &str, b: &str) -> bool {
        (self.a == a && self.b == b) || (self.a == b && self.b == a)
    }
}

/// Every combat that the table as it stands would have fought, in the setup's order: in the open, then refused
/// contacts, then assaults.
pub fn due(battle: &Battle, state: &State) -> Vec<Due> {
    let setup = &state.setup;
    let open = fights(setup, &battle.settings);
    let mut all: Vec<Due> =
        open.into_iter().map(|f| Due { a: f.a, b: f.b, contact: Contact::Fronts }).collect();
    for (a, b) in &state.refused {
        if !all.iter().any(|d| d.is_of(a, b)) {
            all.push(Due { a: a.clone(), b: b.clone(), contact: Contact::Refused });
        }
    }
    for feature in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        let Some(inside) = defender(setup, feature) else { continue };
        for assaulter in assaulters(battle, setup, feature, inside) {
            let contact = Contact::Assault(feature.name.clone());
            all.push(Due { a: assaulter.name.clone(), b: inside.name.clone(), contact });
        }
    }
    all
}

/// The element inside a feature.
fn defender<'s>(setup: &'s Setup, feature: &Feature) -> Option<&'s Element> {
    match held(setup, feature)?.inside {
        Inside::Troops(Some(name)) => setup.element(&name),
        Inside::Troops(None) | Inside::Civilians => None,
    }
}

/// Enemies whose front edge is on a feature, in the setup's order.
fn assaulters<'s>(
    battle: &Battle,
    setup: &'s Setup,
    feature: &Feature,
    inside: &Element,
) -> Vec<&'s Element> {
    let slack = battle.settings.tolerances.contact_gap_mm;
    let on = |e: &&Element| {
        let front = e.footprint.edge(Edge::Front);
        let gap = gap_to_area(&[front.start, front.end], &feature.outline).mm;
        let outside = separation_from_area(&e.footprint, &feature.outline).mm >= -slack;
        outside && gap <= slack + e.overhang.front
    };
    let enemies = setup.elements.iter().filter(|e| e.side != inside.side && e.location == Location::Board);
    enemies.filter(on).collect()
}

impl Battle {
    /// What players decided of recoils.
    pub(super) fn decisions(&self, own_depth: &[String]) -> Decisions {
        let recoil = own_depth.iter().map(|name| (name.clone(), RecoilBy::OwnDepth));
        Decisions { near: self.near, recoil: recoil.collect() }
    }

    /// One close combat, and everything that follows.
    pub(super) fn fight(
        &self,
        state: &State,
        (a, b): (&str, &str),
        dice: (u8, u8),
        own_depth: &[String],
    ) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Combat, "a close combat")?;
        let Some(at) = state.due.iter().position(|d| d.is_of(a, b)) else {
            let due = match state.due.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => "none".to_owned(),
                due => due,
            };
            return Err(Fault::NotDue { a: a.to_owned(), b: b.to_owned(), due });
        };
        let conditions = self.conditions(state, &state.due[at], (a, b));
        let brief = brief(&state.setup, &self.settings, &conditions, a, b)?;
        let outcome = brief.outcome(dice.0, dice.1)?;
        let decisions = self.decisions(own_depth);
        let fought = Fought { a, b, cause: Cause::CloseCombat, outcome: &outcome };
        let play = play_out(&state.setup, &self.settings, &decisions, &fought)?;
        let mut next = state.clone();
        next.due.remove(at);
        next.setup = play.setup;
        for step in play.steps.iter().filter(|s| s.what == What::Pursues) {
            let new = !state.contactors.iter().any(|c: &Contactor| c.name == step.who);
            if new && front_on_enemy(&next.setup, &self.settings, &step.who) {
                next.contactors.push(by_pursuit(&step.who));
            }
        }
        after_clash(self, state, &mut next);
        let (a, b) = (a.to_owned(), b.to_owned());
        let clash = Clash { a, b, brief, outcome, steps: play.steps, choices: play.choices };
        Ok((next, Told::Fought(Box::new(clash))))
    }

    /// What the table and the bound so far show of a combat.
    pub fn conditions(&self, state: &State, due: &Due, (a, b): (&str, &str)) -> Conditions {
        let of = |name: &str| {
            let mut situation = state
                .setup
                .element(name)
                .map_or_else(Situation::default, |e| self.supported(&state.setup, e));
            if due.contact == Contact::Refused && name == due.b {
                situation.lined_up = LinedUp::Refused;
            }
            if let Contact::Assault(feature) = &due.contact
                && name == due.b
            {
                situation.further_assaulters = self.further_assaulters(state, feature);
            }
            situation
        };
        Conditions { a: of(a), b: of(b), exposed: state.exposed.clone(), ..Conditions::default() }
    }

    /// How many assault a feature beside the one that fights (clause dba3.tac.15).
    fn further_assaulters(&self, state: &State, feature: &str) -> u8 {
        let found = state.setup.ground.feature(feature);
        let inside = found.and_then(|f| defender(&state.setup, f));
        let count = found.zip(inside).map_or(0, |(f, e)| assaulters(self, &state.setup, f, e).len());
        u8::try_from(count.saturating_sub(1)).unwrap_or(u8::MAX)
    }

    /// Friends in rear and side support positions, with what they stand in (clauses dba3.sup.2, .3).
    fn supported(&self, setup: &Setup, element: &Element) -> Situation {
        let mut situation = Situation::default();
        if element.location != Location::Board {
            return situation;
        }
        let context = Context::of(setup, &self.settings);
        for (friend, at) in friends_at(element, &context) {
            let Some(surface) = self.underfoot(setup, friend) else { continue };
            let support = (friend.troop.clone(), surface);
            match at {
                Stands::Behind => situation.rear_support = Some(support),
                Stands::AtLeft | Stands::AtRight => situation.side_support.push(support),
                Stands::Ahead => {}
            }
        }
        situation
    }

    fn underfoot(&self, setup: &Setup, element: &Element) -> Option<Surface> {
        let rules = self.settings.ruleset();
        let troop = rules.troop(&element.troop)?;
        Some(setup.ground.underfoot(&element.name, &element.footprint, troop, rules).surface)
    }
}

/// What a shot or combat leaves: places, contacts that are no more, combats that are no longer due, and who has lost
/// its frontal enemy.
pub(super) fn after_clash(battle: &Battle, before: &State, next: &mut State) {
    next.places = places::after(&before.setup, &next.setup, battle.defender, before.places);
    battle.prune(next);
    let now = due(battle, next);
    let still = |d: &Due| now.iter().any(|n| n.is_of(&d.a, &d.b));
    next.due.retain(still);
    for gone in fights(&before.setup, &battle.settings) {
        let pair = Due { a: gone.a, b: gone.b, contact: Contact::Fronts };
        if still(&pair) {
            continue;
        }
        for name in [pair.a, pair.b] {
            let here = next.setup.element(&name).is_some_and(|e| e.location == Location::Board);
            if here && !next.exposed.contains(&name) {
                next.exposed.push(name);
            }
        }
    }
}
