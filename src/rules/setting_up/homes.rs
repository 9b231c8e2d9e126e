//! Home terrains, and what each lets its defender choose: `rulesets/<id>/setting_up.ron`.
//!
//! Invariants of a table that was read: every home has one row; a row's ways ask for one feature or more; pairs are of
//! sorts that the row lists.

use crate::rules::ruleset::Which;
use crate::rules::terrain::TerrainKind;
use serde::{Deserialize, Serialize};

/// The terrain that an army mostly fought in at home.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Home {
    /// ARABLE.
    Arable,
    /// FOREST.
    Forest,
    /// HILLY.
    Hilly,
    /// STEPPE.
    Steppe,
    /// DRY.
    Dry,
    /// TROPICAL.
    Tropical,
    /// LITTORAL.
    Littoral,
}

impl Home {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Arable, Self::Forest, Self::Hilly, Self::Steppe, Self::Dry, Self::Tropical, Self::Littoral];

    /// Its name in capitals, as army lists have it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Arable => "ARABLE",
            Self::Forest => "FOREST",
            Self::Hilly => "HILLY",
            Self::Steppe => "STEPPE",
            Self::Dry => "DRY",
            Self::Tropical => "TROPICAL",
            Self::Littoral => "LITTORAL",
        }
    }
}

/// The sorts of feature that a home terrain names. The four kinds of built-up area are one sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Sort {
    /// Woods.
    Wood,
    /// Marsh.
    Marsh,
    /// Gully.
    Gully,
    /// Difficult Hill.
    DifficultHill,
    /// Gentle Hill.
    GentleHill,
    /// Dunes.
    Dunes,
    /// Oasis.
    Oasis,
    /// Rocky ground.
    Rocky,
    /// Scrub.
    Scrub,
    /// Boggy ground.
    Boggy,
    /// Enclosures.
    Enclosures,
    /// Plough.
    Plough,
    /// Waterway.
    Waterway,
    /// River.
    River,
    /// Road.
    Road,
    /// City, Fort, Hamlet or Edifice.
    Bua,
}

impl Sort {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wood => "Wood",
            Self::Marsh => "Marsh",
            Self::Gully => "Gully",
            Self::DifficultHill => "Difficult Hill",
            Self::GentleHill => "Gentle Hill",
            Self::Dunes => "Dunes",
            Self::Oasis => "Oasis",
            Self::Rocky => "Rocky ground",
            Self::Scrub => "Scrub",
            Self::Boggy => "Boggy ground",
            Self::Enclosures => "Enclosures",
            Self::Plough => "Plough",
            Self::Waterway => "Waterway",
            Self::River => "River",
            Self::Road => "Road",
            Self::Bua => "BUA",
        }
    }

    /// The sort of a kind of area that lies on the table; none of a camp and a beach, which nobody chooses.
    pub fn of(kind: TerrainKind) -> Option<Self> {
        Some(match kind {
            TerrainKind::Wood => Self::Wood,
            TerrainKind::Marsh => Self::Marsh,
            TerrainKind::Gully => Self::Gully,
            TerrainKind::DifficultHill => Self::DifficultHill,
            TerrainKind::GentleHill => Self::GentleHill,
            TerrainKind::Dunes => Self::Dunes,
            TerrainKind::Oasis => Self::Oasis,
            TerrainKind::Rocky => Self::Rocky,
            TerrainKind::Scrub => Self::Scrub,
            TerrainKind::Boggy => Self::Boggy,
            TerrainKind::Enclosures => Self::Enclosures,
            TerrainKind::Plough => Self::Plough,
            TerrainKind::Waterway => Self::Waterway,
            TerrainKind::City | TerrainKind::Fort | TerrainKind::Hamlet | TerrainKind::Edifice => Self::Bua,
            TerrainKind::Beach | TerrainKind::Camp => return None,
        })
    }

    /// Whether it is a linear feature (clause dba3.wway.1); all others are area features (dba3.area.1).
    pub fn is_linear(self) -> bool {
        matches!(self, Self::Waterway | Self::River | Self::Road)
    }

    /// How many a layout may hold, and the clause that says so (dba3.choose.2 to .4).
    pub fn most(self) -> (usize, &'static str) {
        match self {
            Self::Waterway | Self::River | Self::Oasis | Self::Gully | Self::Bua => (1, "dba3.choose.2"),
            Self::Road => (2, "dba3.choose.3"),
            _ => (3, "dba3.choose.4"),
        }
    }
}

/// One way to meet the duty of compulsory features.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ways {
    /// Features of these sorts.
    pub of: Vec<Sort>,
    /// No fewer than these.
    pub least: usize,
    /// No more than these.
    pub most: usize,
}

/// Compulsory features.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Compulsory {
    /// The clause.
    pub clause: String,
    /// One of these must be met.
    pub ways: Vec<Ways>,
}

/// Optional features.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Optional {
    /// The clause.
    pub clause: String,
    /// Any of these.
    pub of: Vec<Sort>,
    /// Of the two of each pair one alone (clause dba3.terr.23).
    #[serde(default)]
    pub pairs: Vec<(Sort, Sort)>,
}

/// What one home terrain lets its defender choose.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HomeRow {
    /// Which.
    pub home: Home,
    /// Its name.
    pub name: String,
    /// What must be chosen.
    pub compulsory: Compulsory,
    /// What may be.
    pub optional: Optional,
}

impl HomeRow {
    /// Whether that sort is in its row at all.
    pub fn lists(&self, sort: Sort) -> bool {
        self.optional.of.contains(&sort) || self.compulsory.ways.iter().any(|way| way.of.contains(&sort))
    }
}

/// Who may stand where at deployment.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Deploy {
    /// Those who may stand nearer to the side edges (clause dba3.dep.5).
    pub near_sides: Which,
    /// Those who may too, where the setting `deploy-2bw-types` says so (clause dba3.set.19).
    pub near_sides_too: Which,
    /// Those who may not land (clause dba3.dep.9).
    pub no_landing: Which,
}
