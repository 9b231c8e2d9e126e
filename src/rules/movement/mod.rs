//! Tactical moves: what a move is, whether it is legal, what it costs, and what move led from one
//! setup to the next.
//!
//! Table frame, millimetres. A move is a list of rigid legs for each mover ([`TacticalMove`]); what the
//! rules say to it is a list of conditions, each with its clause and, where it is geometric, its signed
//! margin ([`Judged`]). Pure: dice and PIPs are arguments, unknown ones are legal states.
//!
//! Invariants: a move is judged on every condition, not on the first that fails; the binding condition
//! comes first; each condition that fails geometrically says what would make the move legal.

mod again;
mod assault;
mod block;
mod bodies;
mod candidates;
mod columns;
mod companions;
mod contacts;
mod corner;
mod cost;
mod edge;
mod explain;
mod files;
mod fit;
mod further;
mod gaps;
mod gates;
mod gateway;
mod ground;
mod judge;
mod judged;
mod length;
mod nudges;
mod observer;
mod parting;
mod passage;
mod prepared;
mod reach;
mod road;
mod scene;
mod seen_way;
mod settled;
mod shape;
mod strongholds;
mod tactical;
mod touch;
mod who;
mod zones;

pub use crate::geometry::Leg;
pub(in crate::rules) use block::Block;
pub(in crate::rules) use candidates::either_side;
pub use columns::straight_to;
pub(in crate::rules) use edge::all_over as over_edge;
pub use explain::{Explained, Explanation, Follows, NUDGE_MM, Nudge, Seen, explain};
pub use gateway::Gateway;
pub use judge::{judge, judge_formed};
pub use judged::{Condition, Judged};
pub use nudges::{Cause, bumped};
pub use observer::{Answer, Event, Observer};
pub(in crate::rules) use prepared::{Body, End, Heed, Prepared, Ruled, Zones};
pub use road::along as along_road;
pub use tactical::{Manoeuvre, MoveError, Mover, TacticalMove};
pub use touch::until_touch;
