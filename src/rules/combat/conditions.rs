//! What a combat depends on beside where the bases stand: ground, height, support, strongholds, what
//! happened earlier in the bound. What a person enters counts; ground and height that nobody entered are worked
//! out from where the bases stand and what lies on the table.

use crate::rules::terrain::{Surface, TerrainKind};
use serde::Deserialize;

/// What lifts an element over its opponent. One counts in all (clause dba3.tac.9).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Height {
    /// Nothing.
    #[default]
    Level,
    /// It is uphill (clause dba3.going.15).
    Uphill,
    /// It defends the bank of a river that is not paltry (clause dba3.riv.9).
    Bank,
    /// It holds a City or Fort at the water, and its assaulter is still in the river (clause dba3.bua.10).
    Waterside,
}

/// A place that is assaulted and defended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Stronghold {
    /// A City.
    City,
    /// A Fort.
    Fort,
    /// A camp.
    Camp,
}

impl Stronghold {
    /// The feature that it is.
    pub fn kind(self) -> TerrainKind {
        match self {
            Self::City => TerrainKind::City,
            Self::Fort => TerrainKind::Fort,
            Self::Camp => TerrainKind::Camp,
        }
    }

    /// In a word.
    pub fn word(self) -> &'static str {
        match self {
            Self::City => "city",
            Self::Fort => "fort",
            Self::Camp => "camp",
        }
    }
}

/// Whether an element fights for a stronghold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Place {
    /// It fights in the open.
    #[default]
    Open,
    /// It defends one.
    Defends(Stronghold),
    /// It assaults one.
    Assaults(Stronghold),
}

/// Whether an element lined up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum LinedUp {
    /// It did.
    #[default]
    Conformed,
    /// It refused, and fights as if overlapped (clause dba3.cf.10).
    Refused,
}

/// One side's part of the conditions.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Situation {
    /// What it stands in; where it is not given, what lies under its base.
    pub ground: Option<Surface>,
    /// What lifts it; where it is not given, what hills and rivers make of where the two stand.
    pub height: Option<Height>,
    /// What it fights for.
    pub place: Place,
    /// Troop code of a friend in rear support position, with what that friend stands in.
    pub rear_support: Option<(String, Surface)>,
    /// Troop codes of friends in side support position, at most one a side.
    pub side_support: Vec<(String, Surface)>,
    /// Assaulters still there beside its opponent, where it defends.
    pub further_assaulters: u8,
    /// Their names, where they are known.
    #[serde(skip)]
    pub assaulters: Vec<String>,
    /// Whether it lined up.
    pub lined_up: LinedUp,
}

impl Situation {
    /// What it stands in, as far as is known.
    pub fn surface(&self) -> Surface {
        self.ground.unwrap_or_default()
    }

    /// What lifts it, as far as is known.
    pub fn lift(&self) -> Height {
        self.height.unwrap_or_default()
    }
}

/// Where shots strike.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Struck {
    /// Not on the rear edge.
    Elsewhere,
    /// At least partly on the rear edge.
    RearEdge,
}

/// Whether the target shoots back at the shooter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Reply {
    /// It does not.
    None,
    /// It does.
    ShootsBack,
}

/// Close combat or shooting.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
pub enum Mode {
    /// Close combat.
    #[default]
    CloseCombat,
    /// The first element shoots at the second.
    Shooting {
        /// Where the shots strike.
        struck: Struck,
        /// Whether the target shoots back.
        reply: Reply,
        /// Other elements that shoot at the same target.
        aiders: u8,
    },
}

/// Everything that the bases do not show.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Conditions {
    /// Of the first element.
    pub a: Situation,
    /// Of the second.
    pub b: Situation,
    /// Close combat or shooting.
    pub mode: Mode,
    /// Elements whose own frontal enemy has gone earlier in this bound (clause dba3.ovl.3).
    pub exposed: Vec<String>,
    /// Elements that made the contact they are in, in an earlier bound, the first contact first (clauses
    /// dba3.turn.6, dba3.set.60).
    pub contactors: Vec<String>,
    /// Elements that pursued into the contact they are in, with the next movement phase still to come
    /// (clause dba3.turn.5).
    pub pursuers: Vec<String>,
    /// The same, where that movement phase closes now.
    pub pursuers_before: Vec<String>,
    /// Contacted elements whose player has them fight unconformed, where he may (clauses dba3.cf.10, dba3.set.62).
    pub refuses: Vec<String>,
    /// Whom elements hit on several edges face, where their owner chooses: the element, the enemy (clause dba3.turn.6).
    pub faces: Vec<(String, String)>,
    /// Mounted elements whose player has them recoil by their own base's depth (clause dba3.rec.3).
    pub recoil_own_depth: Vec<String>,
    /// Elements that are sacking a City, beside those that the ground says do (clauses dba3.city.12, .13).
    pub sacking: Vec<String>,
    /// Shots that players have chosen: who, at whom.
    pub shots: Vec<(String, String)>,
    /// Elements of an allied contingent (clauses dba3.bua.5, dba3.camp.10).
    pub allied: Vec<String>,
    /// Who occupies a stormed City of several that assaulted it: the City, the element (clause dba3.city.9).
    pub occupies: Vec<(String, String)>,
}
