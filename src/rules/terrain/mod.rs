//! The ground as the rules see it: features with outlines, hills, rivers, roads, and what they do to
//! whoever stands or moves there.
//!
//! Table frame, millimetres. What a kind of terrain does is data (`rulesets/<id>/terrain.ron`); what lies
//! where is a [`Ground`], part of every [`super::Setup`]. Where nothing lies the table is flat good going
//! (clause dba3.terr.3). Touching an outline is not being in the feature (notes of dba3.going.13).

mod bends;
mod board_edge;
mod going;
mod ground;
mod hill;
mod kind;
mod layout;
mod on_road;
mod uphill;
mod water;

pub use board_edge::{BaseEdges, BoardEdge};
pub use going::Underfoot;
pub use ground::{Feature, Ground, Hill, Holder, Plough, Profile, River, RiverState, Road, Way, WayError};
pub use hill::Highest;
pub use kind::{Command, Cover, Entry, General, Surface, TerrainKind, TerrainRow};
pub(in crate::rules) use layout::{edge_at, ends, waterway_at};
pub use layout::{laid_river, laid_road};
pub use on_road::{CENTRED_BW, OnRoad};
pub use uphill::Uphill;
pub use water::{Bank, Crossers, Crossing, Nearest, RiverDie};
