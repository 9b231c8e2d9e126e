//! Before the battle: choosing terrain, laying it, base edges, camps, deployment, landings, and their order.
//!
//! Table frame, millimetres; the rules' own distances are base widths. Pure: dice are arguments. Each judgement is
//! [`Terms`](crate::rules::stronghold::Terms): conditions with signed margins and the points that bind them, and notes.
//! What home terrains allow is data (`rulesets/<id>/setting_up.ron`). Clauses: dba3.terr, dba3.area, dba3.wway,
//! dba3.choose, dba3.place, dba3.bua, dba3.setup, dba3.dep, and the settings that amend them.

mod aggression;
mod body;
mod choice;
pub mod deployment;
mod file;
mod gaps;
mod homes;
pub mod landing;
mod layout;
mod no_place;
pub mod order;
mod quarters;
pub mod report;
mod shape;
mod standing;
mod turned;
mod waterway;

pub use crate::rules::terrain::BaseEdges;
pub use aggression::{Aggression, Roll, defenders_edge, may_take, open_edges, road_edges, roll};
pub use body::{Body, bodies, is_area};
pub use choice::{Pick, choice};
pub use deployment::deploys;
pub use file::Written;
pub use gaps::gaps;
pub use homes::{Compulsory, Deploy, Home, HomeRow, Optional, Sort, Ways};
pub use landing::Homes;
pub use layout::{Told, body_of, in_quarter, laid_area, layout};
pub use no_place::{Room, no_place, room};
pub use quarters::{Namer, Quarter, placed, placed_water, placed_way, quartered};
pub use shape::{narrow, shape};
pub use standing::stands;
pub use turned::turned;
pub use waterway::{edge_of, waterway};
