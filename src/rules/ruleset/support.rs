//! Support and tactical factors: what is added to an element's combat factor, and taken off it.

use super::troop::Which;
use serde::Deserialize;

/// Where support comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Place {
    /// An element lined up straight behind.
    Rear,
    /// An element lined up at the side.
    Side,
    /// A double element's own second rank.
    OwnSecondRank,
}

/// One row of the support table.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Support {
    /// The clause it comes from.
    pub clause: String,
    /// Who is supported.
    pub receiver: Which,
    /// Who supports; not read for a second rank.
    pub giver: Which,
    /// From where.
    pub place: Place,
    /// Against whom.
    pub against: Which,
    /// What it adds.
    pub bonus: i32,
}

/// What a tactical factor is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Tactic {
    /// The general's element, in close combat and when shot at.
    General,
    /// Foot that defends a City or Fort.
    Garrison,
    /// Foot in its own camp.
    OwnCamp,
    /// Denizens that defend their own City.
    OwnCity,
    /// Uphill of the opponent.
    Uphill,
    /// Defends a river bank.
    River,
    /// Holds a City or Fort at the water against an assaulter still in the river.
    Waterside,
    /// A flank is overlapped.
    Overlapped,
    /// An enemy front edge is on a flank or rear edge.
    EnemyFrontOnEdge,
    /// Fights without having conformed.
    Unconformed,
    /// A second or third assaulter of the City, Fort or camp it defends.
    FurtherAssaulter,
    /// A second or third element that aids the shooting at it.
    ShootingAided,
    /// Fights in bad going.
    BadGoing,
}

impl Tactic {
    /// Every tactical factor that the engine knows.
    pub const ALL: [Self; 13] = [
        Self::General,
        Self::Garrison,
        Self::OwnCamp,
        Self::OwnCity,
        Self::Uphill,
        Self::River,
        Self::Waterside,
        Self::Overlapped,
        Self::EnemyFrontOnEdge,
        Self::Unconformed,
        Self::FurtherAssaulter,
        Self::ShootingAided,
        Self::BadGoing,
    ];
}

/// A tactical factor's figure.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tactical {
    /// What it is for.
    pub what: Tactic,
    /// The clause it comes from.
    pub clause: String,
    /// What it adds.
    pub value: i32,
    /// Troops that it does not touch.
    #[serde(default)]
    pub spares: Option<Which>,
}
