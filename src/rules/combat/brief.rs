//! Both sides of a combat before the dice.

use super::conditions::{Conditions, Mode, Place, Situation, Stronghold};
use super::factors::{Role, Seat, Standing, standing};
use super::lie::lie;
use super::offers::{Offer, offers};
use crate::rules::engagement::{Pressed, assaults, pressed};
use crate::rules::ruleset::Troop;
use crate::rules::stronghold;
use crate::rules::{
    AskError, Context, Element, Ground, Location, Question, Reason, Ruling, Settings, Setup, ask,
};

/// Two elements' totals before their dice, and all that the outcome depends on.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// The first element; in shooting the shooter.
    pub a: Standing,
    /// The second; in shooting the target.
    pub b: Standing,
    /// Whether they are front to front, where both are on the open board. The totals are right for
    /// when they are: a measured gap may be too close to call.
    pub contact: Option<Ruling>,
    pub(super) conditions: Conditions,
    pub(super) settings: Settings,
    pub(super) enemy_fronts: (usize, usize),
}

/// What a combat is read from: elements, of which those that touch nobody near it may be left out, and the ground.
#[derive(Debug, Clone, Copy)]
pub(in crate::rules) struct View<'a> {
    pub context: Context<'a>,
    pub ground: &'a Ground,
}

impl<'a> View<'a> {
    /// All of a setup.
    pub fn of(setup: &'a Setup, settings: &'a Settings) -> Self {
        Self { context: Context::of(setup, settings), ground: &setup.ground }
    }
}

/// What one element brings to a combat.
#[derive(Debug, Clone)]
pub(in crate::rules) struct Part<'e> {
    pub element: &'e Element,
    pub troop: &'e Troop,
    pub situation: Situation,
    pub pressed: Pressed,
    pub offers: Vec<Offer>,
    /// What was read of the ground, and who misses a support position.
    pub reasons: Vec<Reason>,
}

/// What both bring, before it is added up.
#[derive(Debug, Clone)]
pub(in crate::rules) struct Parts<'e> {
    pub a: Part<'e>,
    pub b: Part<'e>,
    pub conditions: Conditions,
    pub contact: Option<Ruling>,
}

/// Gathers what `a` and `b` bring to their combat, front to front, poses taken as exact. Support and what lies
/// underfoot are read off the table where the conditions do not say them.
///
/// An element whose location is a City, Fort or camp defends it, and its enemy assaults it, unless the
/// conditions say otherwise.
///
/// # Errors
/// An unknown name, the same name twice, friends, an element in reserve or lost, an unknown troop code.
pub fn brief(
    setup: &Setup,
    settings: &Settings,
    conditions: &Conditions,
    a: &str,
    b: &str,
) -> Result<Brief, AskError> {
    let peopled = stronghold::peopled(setup, settings.ruleset());
    let setup = &*peopled;
    let (first, second) = (fighter(setup, a)?, fighter(setup, b)?);
    let mut conditions = conditions.clone();
    for (situation, own, other) in [(&mut conditions.a, first, second), (&mut conditions.b, second, first)] {
        let names = other_assaulters(setup, settings, own, other);
        let count = u8::try_from(names.len()).unwrap_or(u8::MAX);
        if situation.further_assaulters == 0 {
            situation.further_assaulters = count;
        }
        // Names are told of those alone that count.
        if situation.further_assaulters == count {
            situation.assaulters = names;
        }
    }
    Ok(gather(&View::of(setup, settings), &conditions, first, second)?.brief(settings))
}

/// Who beside `assaulter` has its front edge on what `defender` holds.
fn other_assaulters(
    setup: &Setup,
    settings: &Settings,
    defender: &Element,
    assaulter: &Element,
) -> Vec<String> {
    if held_place(defender).is_none() {
        return Vec::new();
    }
    let all = assaults(setup, settings);
    let place = stronghold::place_of(&setup.ground, defender);
    let own = all.iter().find(|a| place.is_some_and(|p| p.name == a.feature.name));
    let others = own.iter().flat_map(|a| a.by.iter()).filter(|(e, _)| e.name != assaulter.name);
    others.map(|(e, _)| e.name.clone()).collect()
}

/// What the two bring, each on the board or inside a City, Fort or camp.
///
/// # Errors
/// The same name twice, friends, an unknown troop code.
pub(in crate::rules) fn gather<'e>(
    view: &View<'e>,
    conditions: &Conditions,
    first: &'e Element,
    second: &'e Element,
) -> Result<Parts<'e>, AskError> {
    if first.name == second.name {
        return Err(AskError::SameElement { name: first.name.clone() });
    }
    if first.side == second.side {
        return Err(AskError::Friends { a: first.name.clone(), b: second.name.clone() });
    }
    let conditions = Conditions {
        a: placed(first, second, &conditions.a, conditions.mode),
        b: placed(second, first, &conditions.b, conditions.mode),
        ..conditions.clone()
    };
    let conditions = with_sackers(view.ground, &conditions, [first, second]);
    let open = first.location == Location::Board && second.location == Location::Board;
    let close = conditions.mode == Mode::CloseCombat;
    let a = part(view, &conditions, (first, second), &conditions.a)?;
    let b = part(view, &conditions, (second, first), &conditions.b)?;
    let contact = (open && close).then(|| ask::ruling(Question::ContactFront, first, second, &view.context));
    Ok(Parts { a, b, conditions, contact })
}

fn part<'e>(
    view: &View<'e>,
    conditions: &Conditions,
    (own, other): (&'e Element, &'e Element),
    situation: &Situation,
) -> Result<Part<'e>, AskError> {
    let troop = view.context.settings.ruleset().troop(&own.troop);
    let troop =
        troop.ok_or_else(|| AskError::UnknownTroop { name: own.name.clone(), code: own.troop.clone() })?;
    let found = lie(view, (own, other), situation, conditions.mode);
    let (situation, mut reasons) = (found.situation, found.reasons);
    let (mut by, mut friends) = (Pressed::default(), Vec::new());
    if conditions.mode == Mode::CloseCombat {
        if own.location == Location::Board {
            by = pressed(own, other, &view.context, &conditions.exposed);
        }
        let (found, missed) = offers(view, own, troop, &situation);
        friends = found;
        reasons.extend(missed);
    }
    Ok(Part { element: own, troop, situation, pressed: by, offers: friends, reasons })
}

impl Part<'_> {
    fn seat(&self) -> Seat<'_> {
        Seat {
            element: self.element,
            troop: self.troop,
            situation: &self.situation,
            pressed: &self.pressed,
            offers: &self.offers,
        }
    }
}

impl Parts<'_> {
    /// Adds it up.
    pub fn brief(&self, settings: &Settings) -> Brief {
        let (first, second) = (self.a.seat(), self.b.seat());
        let conditions = Conditions {
            a: self.a.situation.clone(),
            b: self.b.situation.clone(),
            ..self.conditions.clone()
        };
        let mut a = standing(&first, &second, Role::First, &conditions, settings);
        let mut b = standing(&second, &first, Role::Second, &conditions, settings);
        a.reasons.extend(self.a.reasons.iter().cloned());
        b.reasons.extend(self.b.reasons.iter().cloned());
        Brief {
            a,
            b,
            contact: self.contact.clone(),
            enemy_fronts: (self.a.pressed.enemy_fronts, self.b.pressed.enemy_fronts),
            settings: settings.clone(),
            conditions,
        }
    }
}

impl Brief {
    /// The conditions that it was made under.
    pub fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// How many enemy front edges are on the first element and on the second.
    pub fn enemy_fronts(&self) -> (usize, usize) {
        self.enemy_fronts
    }
}

fn fighter<'s>(setup: &'s Setup, name: &str) -> Result<&'s Element, AskError> {
    let element = ask::find(setup, name)?;
    match element.location {
        Location::Board | Location::Camp | Location::City | Location::Fort => Ok(element),
        Location::Reserve => Err(AskError::NotOnBoard { name: name.to_owned(), place: "in reserve" }),
        Location::Off => Err(AskError::NotOnBoard { name: name.to_owned(), place: "off the board" }),
    }
}

fn held_place(element: &Element) -> Option<Stronghold> {
    match element.location {
        Location::Camp => Some(Stronghold::Camp),
        Location::City => Some(Stronghold::City),
        Location::Fort => Some(Stronghold::Fort),
        Location::Board | Location::Reserve | Location::Off => None,
    }
}

/// The conditions with those named as sackers whom the ground shows to sack a City, or to be in the enemy's camp.
fn with_sackers(ground: &Ground, conditions: &Conditions, both: [&Element; 2]) -> Conditions {
    let mut found = conditions.clone();
    let foreign = |e: &Element| {
        let place = stronghold::place_of(ground, e).filter(|_| e.location == Location::Camp);
        place.and_then(|f| f.side).is_some_and(|side| side != e.side)
    };
    let at_work = both.into_iter().filter(|e| stronghold::sacks(ground, e) || foreign(e));
    found.sacking.extend(at_work.map(|e| e.name.clone()));
    found
}

/// The situation with the place that locations imply, where none was given. Who shoots at a stronghold, or is shot at
/// from one, assaults nothing.
fn placed(own: &Element, other: &Element, situation: &Situation, mode: Mode) -> Situation {
    let place = match (situation.place, held_place(own), held_place(other)) {
        (Place::Open, Some(held), _) => Place::Defends(held),
        (Place::Open, None, Some(held)) if mode == Mode::CloseCombat => Place::Assaults(held),
        (given, ..) => given,
    };
    Situation { place, ..situation.clone() }
}
