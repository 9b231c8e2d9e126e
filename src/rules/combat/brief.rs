//! Both sides of a combat before the dice.

use super::conditions::{Conditions, Mode, Place, Situation, Stronghold};
use super::factors::{Role, Seat, Standing, standing};
use super::lie::lie;
use crate::rules::engagement::{Pressed, pressed};
use crate::rules::ruleset::Troop;
use crate::rules::{AskError, Context, Element, Location, Question, Ruling, Settings, Setup, ask};

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

/// Gathers what `a` and `b` bring to their combat, front to front, poses taken as exact.
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
    let (first, second) = (fighter(setup, a)?, fighter(setup, b)?);
    if a == b {
        return Err(AskError::SameElement { name: a.to_owned() });
    }
    if first.side == second.side {
        return Err(AskError::Friends { a: a.to_owned(), b: b.to_owned() });
    }
    let conditions = Conditions {
        a: placed(first, second, &conditions.a),
        b: placed(second, first, &conditions.b),
        ..conditions.clone()
    };
    let conditions = with_sackers(setup, &conditions, [first, second]);
    let lie = |own: &Element, other: &Element, situation: &Situation| {
        lie(setup, settings, (own, other), situation, conditions.mode)
    };
    let (lie_a, lie_b) = (lie(first, second, &conditions.a), lie(second, first, &conditions.b));
    let conditions = Conditions { a: lie_a.situation, b: lie_b.situation, ..conditions };
    let rules = settings.ruleset();
    let code = |element: &Element| {
        rules
            .troop(&element.troop)
            .ok_or_else(|| AskError::UnknownTroop { name: element.name.clone(), code: element.troop.clone() })
    };
    let (troop_a, troop_b): (&Troop, &Troop) = (code(first)?, code(second)?);
    let open = first.location == Location::Board && second.location == Location::Board;
    let close = conditions.mode == Mode::CloseCombat;
    let context = Context::of(setup, settings);
    let press = |own: &Element, other: &Element| {
        if close && own.location == Location::Board {
            pressed(own, other, &context, &conditions.exposed)
        } else {
            Pressed::default()
        }
    };
    let (pressed_a, pressed_b) = (press(first, second), press(second, first));
    let seat_a = Seat { element: first, troop: troop_a, situation: &conditions.a, pressed: &pressed_a };
    let seat_b = Seat { element: second, troop: troop_b, situation: &conditions.b, pressed: &pressed_b };
    let contact =
        if open && close { Some(ask(setup, settings, Question::ContactFront, a, b)?) } else { None };
    let mut a = standing(&seat_a, &seat_b, Role::First, &conditions, settings);
    let mut b = standing(&seat_b, &seat_a, Role::Second, &conditions, settings);
    a.reasons.extend(lie_a.reasons);
    b.reasons.extend(lie_b.reasons);
    Ok(Brief {
        a,
        b,
        contact,
        enemy_fronts: (pressed_a.enemy_fronts, pressed_b.enemy_fronts),
        settings: settings.clone(),
        conditions,
    })
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

fn stronghold(element: &Element) -> Option<Stronghold> {
    match element.location {
        Location::Camp => Some(Stronghold::Camp),
        Location::City => Some(Stronghold::City),
        Location::Fort => Some(Stronghold::Fort),
        Location::Board | Location::Reserve | Location::Off => None,
    }
}

/// The conditions with those named as sackers whom the ground says to be.
fn with_sackers(setup: &Setup, conditions: &Conditions, both: [&Element; 2]) -> Conditions {
    let mut found = conditions.clone();
    let at_work = both.into_iter().filter(|e| crate::rules::stronghold::sacks(setup, e));
    found.sacking.extend(at_work.map(|e| e.name.clone()));
    found
}

/// The situation with the place that locations imply, where none was given.
fn placed(own: &Element, other: &Element, situation: &Situation) -> Situation {
    let place = match (situation.place, stronghold(own), stronghold(other)) {
        (Place::Open, Some(held), _) => Place::Defends(held),
        (Place::Open, None, Some(held)) => Place::Assaults(held),
        (given, ..) => given,
    };
    Situation { place, ..situation.clone() }
}
