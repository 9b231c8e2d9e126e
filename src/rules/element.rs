//! What stands on the table: elements and the setup they make.

use super::terrain::{BaseEdges, Ground};
use crate::geometry::Footprint;
use crate::units::Scale;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One of the two armies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// The first army of a roster or setup.
    Red,
    /// The second.
    Blue,
}

impl Side {
    /// Its name in files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Red => "red",
            Self::Blue => "blue",
        }
    }

    /// The other army.
    pub fn enemy(self) -> Self {
        match self {
            Self::Red => Self::Blue,
            Self::Blue => Self::Red,
        }
    }
}

/// How far figures stand out over the base's edges, millimetres, none below zero. Contact allows for it: spears keep
/// bases apart.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Overhang {
    /// Past the front edge.
    #[serde(default)]
    pub front: f64,
    /// Past the rear edge.
    #[serde(default)]
    pub rear: f64,
    /// Past either side edge.
    #[serde(default)]
    pub sides: f64,
}

/// Where an element is, as far as a pose cannot tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Location {
    /// On the board, where its pose says.
    #[default]
    Board,
    /// Not yet on the board.
    Reserve,
    /// Inside its camp.
    Camp,
    /// Inside a city.
    City,
    /// Inside a fort.
    Fort,
    /// Lost or not in this battle.
    Off,
}

/// An element as it stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Element {
    /// Its name, unique in the setup.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// Troop code, one of the ruleset's ("4Bd").
    pub troop: String,
    /// The ground its base covers.
    pub footprint: Footprint,
    /// Whether it is its general's element, and works as one: an allied contingent's does not.
    pub general: bool,
    /// Whether it is a War Wagon declared a mobile tower (clause dba3.troop.16).
    pub tower: bool,
    /// How far its figures stand out.
    pub overhang: Overhang,
    /// Where it is.
    pub location: Location,
}

/// What an army list lets an element dismount as in the course of the game (clause army-lists.troop.5).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Foot {
    /// Nobody has said.
    #[default]
    Unknown,
    /// It has no `//`: it may not dismount.
    None,
    /// That troop code.
    As(String),
}

/// What an army list says of an element in play.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Listed {
    /// What it may dismount as.
    pub foot: Foot,
    /// Whether it is the element of an allied contingent's general, which does not work as a general
    /// (clause army-lists.ally.7).
    pub allied_general: bool,
}

/// What stands on the table, perhaps illegally.
#[derive(Debug, Clone, PartialEq)]
pub struct Setup {
    /// Millimetres to the base width.
    pub scale: Scale,
    /// Playing area: width along x and depth along y, millimetres.
    pub board_mm: (f64, f64),
    /// Where each side deploys from and runs to.
    pub edges: BaseEdges,
    /// Every element, in the order given. Names are unique.
    pub elements: Vec<Element>,
    /// What lies on the table. The default is a bare one.
    pub ground: Ground,
    /// Which allied contingent elements belong to, by their names; those not named are of the army itself.
    pub contingents: BTreeMap<String, String>,
    /// What army lists say of elements, by their names; of those not named they say nothing.
    pub listed: BTreeMap<String, Listed>,
}

impl Setup {
    /// Elements on a bare table.
    pub fn bare(scale: Scale, board_mm: (f64, f64), elements: Vec<Element>) -> Self {
        Self {
            scale,
            board_mm,
            edges: BaseEdges::USUAL,
            elements,
            ground: Ground::default(),
            contingents: BTreeMap::new(),
            listed: BTreeMap::new(),
        }
    }

    /// The allied contingent of that element; none where it is of the army itself.
    pub fn contingent(&self, name: &str) -> Option<&str> {
        self.contingents.get(name).map(String::as_str)
    }

    /// What that element may dismount as.
    pub fn foot(&self, name: &str) -> &Foot {
        self.listed.get(name).map_or(&Foot::Unknown, |listed| &listed.foot)
    }

    /// Whether that element is an allied contingent's general's.
    pub fn is_allied_general(&self, name: &str) -> bool {
        self.listed.get(name).is_some_and(|listed| listed.allied_general)
    }

    /// Whether two elements may move as a group as far as contingents go (clause dba3.group.12).
    pub fn same_contingent(&self, a: &str, b: &str) -> bool {
        self.contingent(a) == self.contingent(b)
    }

    /// The element of that name.
    pub fn element(&self, name: &str) -> Option<&Element> {
        self.elements.iter().find(|e| e.name == name)
    }
}
