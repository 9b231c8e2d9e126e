//! The pure rules engine. No clock, no chance, no input or output, no camera.
//!
//! Frame: the table's, millimetres; the rules' own distances are base widths, bridged by
//! [`crate::units::Scale`]. Dice are arguments. [`ask`] answers one geometric question about two
//! elements of a [`Setup`]; [`margin`] is its figure alone, cheap and smooth, for whoever nudges poses.

pub mod aftermath;
pub mod army_list;
mod ask;
pub mod battle;
pub mod big_battle;
pub mod bound;
pub mod cases;
pub mod check;
pub mod clauses;
pub mod closing;
pub mod combat;
pub mod conform;
mod contact;
pub mod due;
mod element;
pub mod engagement;
pub mod facts;
pub mod group;
pub mod lineup;
pub mod movement;
pub mod neighbours;
pub mod notation;
pub mod passage;
pub mod position;
pub mod region;
pub mod ruleset;
mod ruling;
pub mod sensitivity;
pub mod setting_up;
mod settings;
mod settle;
pub mod shooting;
mod strip;
pub mod stronghold;
pub mod survey;
pub mod terrain;
mod threat_zone;
pub mod turn;
pub mod victory;
mod written;

pub use ask::{AskError, Context, ask, margin};
use ask::{by_size, exact};
pub use bound::{Bound, Phase};
pub use element::{Element, Foot, Listed, Location, Overhang, Setup, Side};
pub use ruleset::Ruleset;
pub use ruling::{Question, Reason, Ruling};
pub use settings::{
    BadGoing, BoardEdgeOverlap, Choice, ColumnForming, ConformMeasure, DepthCheck, DoubleMountedDepth,
    DoubleSpear, EventFile, FriendsBlock, LeadingEdge, MoveMeasure, PassageFacing, PostCombatConformer,
    Preset, PsiloiSecondMove, RearOverlap, SettingError, Settings, ShooterHarmed, SideSupport, Tolerances,
    TurnAfterPursuit, TurnColumnRearHit, TurnDisplacement, TurnTiming, TurnWhichEnemy, ZoneProgress,
};
pub use terrain::Ground;
pub use threat_zone::threat_zones;
