//! Troop types: what a code such as `4Bd` stands for.

use crate::units::Scale;
use serde::Deserialize;

/// The kinds of troops that clauses speak of. Variants of a code share their kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Deserialize)]
pub enum Kind {
    /// El.
    Elephants,
    /// Kn and HCh.
    Knights,
    /// Cv and LCh.
    Cavalry,
    /// LH and LCm.
    LightHorse,
    /// SCh.
    ScythedChariots,
    /// Cm.
    Camelry,
    /// Sp.
    Spears,
    /// Pk.
    Pikes,
    /// Bd.
    Blades,
    /// Ax.
    Auxilia,
    /// Bw, Lb, Cb, mounted infantry too.
    Bows,
    /// Ps.
    Psiloi,
    /// Wb.
    Warband,
    /// Hd.
    Hordes,
    /// Art.
    Artillery,
    /// WWg.
    WarWagons,
    /// CP, Lit and CWg.
    Command,
    /// Camp followers.
    CampFollowers,
    /// Denizens of a city.
    Denizens,
}

/// Mounted, or foot with its class.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Arm {
    /// Mounted have no class (clause dba3.troop.5).
    Mounted,
    /// Fast foot.
    Fast,
    /// Solid foot.
    Solid,
}

/// What sets a code apart from others of its kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize)]
pub enum Mark {
    /// A double element: two ranks on one base.
    Double,
    /// Rides camels: Dunes and Oasis are good going for it.
    Camels,
    /// Longbow.
    Longbow,
    /// Crossbow.
    Crossbow,
    /// Foot that rides to battle.
    MountedInfantry,
    /// Always its general's element.
    AlwaysGeneral,
    /// Moves as Solid though it fights as Fast.
    MovesAsSolid,
}

/// Combat factors, before anything else is added.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Factors {
    /// Against foot, in close combat.
    pub foot: i32,
    /// Against mounted, in close combat; when shooting too.
    pub mounted: i32,
    /// When shot at, where it differs from `foot`.
    #[serde(default)]
    pub shot_at: Option<i32>,
    /// In close combat and shooting as garrison of a City or Fort, where it differs.
    #[serde(default)]
    pub garrison: Option<i32>,
}

/// Least and greatest listed depth of a base, millimetres.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Depths {
    /// On 40 mm bases.
    pub small: (f64, f64),
    /// On 60 mm bases.
    pub large: (f64, f64),
    /// The clause that lists the depth at 40 mm; the 60 mm depths are `dba3.base.13`'s and `.14`'s.
    pub clause: String,
}

/// One troop code.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Troop {
    /// The code that rosters and notation use.
    pub code: String,
    /// The name that the table of troop types has for it, where that is another (`Sp`); it is read too.
    #[serde(default)]
    pub listed: Option<String>,
    /// Other ways that people write its code (`2Ps`), which are read too.
    #[serde(default)]
    pub also: Vec<String>,
    /// What people call it.
    pub name: String,
    /// Its kind.
    pub kind: Kind,
    /// Mounted, Fast or Solid, as it fights.
    pub arm: Arm,
    /// What sets it apart.
    #[serde(default)]
    pub marks: Vec<Mark>,
    /// Figures on a base; a model of a chariot, gun or wagon counts one.
    pub figures: u8,
    /// Combat factors.
    pub factors: Factors,
    /// The clause that gives the factors.
    pub factor_clause: String,
    /// Base depths.
    pub depth: Depths,
    /// Clauses that settle what it is: mounted or foot, class, kind.
    pub clauses: Vec<String>,
}

impl Troop {
    /// The least depth that is listed for its base at that scale, millimetres.
    pub fn listed_depth_mm(&self, scale: Scale) -> f64 {
        if scale.mm_per_bw() > 50.0 { self.depth.large.0 } else { self.depth.small.0 }
    }

    /// Its name in the table of troop types.
    pub fn listed(&self) -> &str {
        self.listed.as_deref().unwrap_or(&self.code)
    }

    /// Whether it is mounted troops.
    pub fn is_mounted(&self) -> bool {
        self.arm == Arm::Mounted
    }

    /// Whether it shoots (clause dba3.sht.1).
    pub fn shoots(&self) -> bool {
        matches!(self.kind, Kind::Bows | Kind::WarWagons | Kind::Artillery)
    }

    /// Whether it bears `mark`.
    pub fn is(&self, mark: Mark) -> bool {
        self.marks.contains(&mark)
    }
}

/// Which troops a row of the data is about. Closed: data chooses, it does not program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub enum Which {
    /// All troops.
    Any,
    /// One kind.
    Kind(Kind),
    /// One code.
    Code(String),
    /// Mounted troops.
    Mounted,
    /// Foot.
    Foot,
    /// Fast foot.
    Fast,
    /// Solid foot.
    Solid,
    /// Bearing a mark.
    Marked(Mark),
    /// Not these.
    Not(Box<Which>),
    /// All of these at once.
    All(Vec<Which>),
    /// Any of these.
    OneOf(Vec<Which>),
}

impl Which {
    /// Whether `troop` is among them.
    pub fn holds(&self, troop: &Troop) -> bool {
        match self {
            Self::Any => true,
            Self::Kind(kind) => troop.kind == *kind,
            Self::Code(code) => troop.code == *code,
            Self::Mounted => troop.arm == Arm::Mounted,
            Self::Foot => troop.arm != Arm::Mounted,
            Self::Fast => troop.arm == Arm::Fast,
            Self::Solid => troop.arm == Arm::Solid,
            Self::Marked(mark) => troop.is(*mark),
            Self::Not(other) => !other.holds(troop),
            Self::All(parts) => parts.iter().all(|p| p.holds(troop)),
            Self::OneOf(parts) => parts.iter().any(|p| p.holds(troop)),
        }
    }

    /// In words: "Solid foot and not Bows".
    pub fn in_words(&self) -> String {
        let list = |parts: &[Self], by: &str| parts.iter().map(Self::in_words).collect::<Vec<_>>().join(by);
        match self {
            Self::Any => "any troops".to_owned(),
            Self::Kind(kind) => format!("{kind:?}"),
            Self::Code(code) => code.clone(),
            Self::Mounted => "mounted".to_owned(),
            Self::Foot => "foot".to_owned(),
            Self::Fast => "Fast foot".to_owned(),
            Self::Solid => "Solid foot".to_owned(),
            Self::Marked(mark) => format!("{mark:?}"),
            Self::Not(other) => format!("not {}", other.in_words()),
            Self::All(parts) => list(parts, " and "),
            Self::OneOf(parts) => list(parts, " or "),
        }
    }

    /// Every code that it names, for checking against the troop table.
    pub fn codes(&self) -> Vec<&str> {
        match self {
            Self::Code(code) => vec![code],
            Self::Not(other) => other.codes(),
            Self::All(parts) | Self::OneOf(parts) => parts.iter().flat_map(Self::codes).collect(),
            _ => Vec::new(),
        }
    }
}

/// How far troops move. Rows are read in order; the first that is about a troop type holds.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pace {
    /// Who.
    pub who: Which,
    /// The clause that gives the distance in good going.
    pub clause: String,
    /// Base widths where all of the move is in good going.
    pub good_bw: f64,
    /// The clause that gives the distance where some of it is not.
    pub hindered_clause: String,
    /// Base widths where any part of the move is in rough or bad going.
    pub hindered_bw: f64,
}

/// A code that earlier editions had.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// The code.
    pub code: String,
    /// The clause that retires it.
    pub clause: String,
    /// What became of it.
    pub says: String,
}
