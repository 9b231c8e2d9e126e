//! Kinds of terrain, and the rows that say what each does.

use crate::rules::Settings;
use crate::rules::ruleset::{Going, Mark, Troop};
use crate::rules::settings::CamelSand;
use serde::{Deserialize, Serialize};

/// What a feature is. Rivers and roads are lines and have their own types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum TerrainKind {
    /// Woods.
    Wood,
    /// Marsh.
    Marsh,
    /// Gully.
    Gully,
    /// A steep, rocky, thickly scrubbed or wooded hill.
    DifficultHill,
    /// A gentle hill.
    GentleHill,
    /// Sand dunes.
    Dunes,
    /// An oasis.
    Oasis,
    /// Rocky flat ground.
    Rocky,
    /// Scrubby flat ground.
    Scrub,
    /// Boggy flat ground.
    Boggy,
    /// Walled, hedged, ditched or bunded fields.
    Enclosures,
    /// Ploughed fields.
    Plough,
    /// Sea, lake or a river too wide and deep to ford: no element may enter it.
    Waterway,
    /// A beach or flood plain along a waterway.
    Beach,
    /// A built-up area with walls, gates and denizens.
    City,
    /// A fort or castle.
    Fort,
    /// A hamlet or township.
    Hamlet,
    /// A big isolated building or ruin.
    Edifice,
    /// A camp.
    Camp,
}

impl TerrainKind {
    /// All kinds with the words that files use for them.
    pub const ALL: [(&'static str, Self); 19] = [
        ("wood", Self::Wood),
        ("marsh", Self::Marsh),
        ("gully", Self::Gully),
        ("difficult-hill", Self::DifficultHill),
        ("gentle-hill", Self::GentleHill),
        ("dunes", Self::Dunes),
        ("oasis", Self::Oasis),
        ("rocky", Self::Rocky),
        ("scrub", Self::Scrub),
        ("boggy", Self::Boggy),
        ("enclosures", Self::Enclosures),
        ("plough", Self::Plough),
        ("waterway", Self::Waterway),
        ("beach", Self::Beach),
        ("city", Self::City),
        ("fort", Self::Fort),
        ("hamlet", Self::Hamlet),
        ("edifice", Self::Edifice),
        ("camp", Self::Camp),
    ];

    /// The word that files use.
    pub fn word(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }

    /// Whether it is a hill, and so has a crest.
    pub fn is_hill(self) -> bool {
        matches!(self, Self::DifficultHill | Self::GentleHill)
    }

    /// Whether troops may hold it and enemies assault it.
    pub fn is_stronghold(self) -> bool {
        matches!(self, Self::City | Self::Fort | Self::Camp)
    }

    /// Whether it has walls, and so gates (clauses dba3.city.3, dba3.faq.2).
    pub fn has_gates(self) -> bool {
        matches!(self, Self::City | Self::Fort)
    }

    /// Whether it is a built-up area (clause dba3.bua.1).
    pub fn is_bua(self) -> bool {
        matches!(self, Self::City | Self::Fort | Self::Hamlet | Self::Edifice)
    }
}

/// What lies underfoot before it is known whose feet: the worst where there are several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize)]
pub enum Surface {
    /// Good going.
    #[default]
    Good,
    /// Rough going.
    Rough,
    /// Bad going.
    Bad,
    /// Dunes or Oasis: bad, but good for camels (clause dba3.going.5).
    Sand,
    /// The same where it is rough for camels (setting of clause dba3.set.6).
    SlowSand,
}

impl Surface {
    /// What is that going to all troops.
    pub fn of(going: Going) -> Self {
        match going {
            Going::Good => Self::Good,
            Going::Rough => Self::Rough,
            Going::Bad => Self::Bad,
        }
    }

    /// What it is to troops of that type.
    pub fn going_for(self, troop: &Troop) -> Going {
        match self {
            Self::Good => Going::Good,
            Self::Rough => Going::Rough,
            Self::Bad => Going::Bad,
            Self::Sand if troop.is(Mark::Camels) => Going::Good,
            Self::SlowSand if troop.is(Mark::Camels) => Going::Rough,
            Self::Sand | Self::SlowSand => Going::Bad,
        }
    }

    /// What it is where sand is to camels what the settings say.
    pub fn under(self, settings: &Settings) -> Self {
        match (self, settings.camel_sand_going) {
            (Self::Sand, CamelSand::Rough) => Self::SlowSand,
            _ => self,
        }
    }
}

/// What a feature does to command distance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Command {
    /// Troops wholly past its crest are out of sight (clause dba3.pip.11).
    PastCrest,
    /// Troops wholly on its far side are out of sight (clause dba3.pip.12).
    Past,
    /// Troops wholly in it or past it are out of sight (clauses dba3.pip.13 and .14).
    InOrPast,
}

/// What a feature does to shooting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Cover {
    /// Troops entirely past its crest cannot be shot at (clause dba3.sht.21).
    PastCrest,
    /// Troops entirely past it cannot be shot at (clause dba3.sht.21).
    Past,
    /// A line that runs through more than half a base width of it is barred (clause dba3.sht.22).
    Through,
    /// An element wholly inside neither shoots nor is shot at (clause dba3.sht.23).
    Hides,
    /// An element partly inside does not shoot (clause dba3.sht.24).
    Silences,
}

/// Whether a general wholly inside is heard outside (clause dba3.pip.8).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum General {
    /// He is.
    #[default]
    Heard,
    /// He is not.
    Cut,
}

/// Whether elements may go there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Entry {
    /// They may.
    #[default]
    Free,
    /// No element may (clause dba3.wway.2).
    Barred,
}

/// What one kind of terrain does.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TerrainRow {
    /// Which kind.
    pub kind: TerrainKind,
    /// Its name in a sentence.
    pub name: String,
    /// What it is underfoot.
    pub surface: Surface,
    /// The clauses that say so.
    pub clauses: Vec<String>,
    /// What it does to command distance, each with its clause.
    #[serde(default)]
    pub command: Vec<(Command, String)>,
    /// What it does to shooting, each with its clause.
    #[serde(default)]
    pub shooting: Vec<(Cover, String)>,
    /// Whether a general wholly inside is heard.
    #[serde(default)]
    pub general: General,
    /// Whether elements may go there.
    #[serde(default)]
    pub entry: Entry,
}
