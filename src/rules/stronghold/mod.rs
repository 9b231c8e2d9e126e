//! Camps, Cities and Forts: who is inside, who may go in and out, and what becomes of them.
//!
//! Table frame, millimetres. What a place is at a moment is its feature ([`Feature::past`], its owner, its gates) and
//! the elements located in it; [`held()`] reads both. What happens to it are functions from one setup to the next
//! ([`play`]), each with its clauses. Nothing rolls: a PIP score is an argument. Clauses: dba3.bua, dba3.city,
//! dba3.fort, dba3.camp, and the settings that amend them.
//!
//! [`Feature::past`]: crate::rules::terrain::Feature

mod held;
mod laid;
mod past;
pub mod play;
mod sally;
mod touch;
mod who;
mod zone;

pub use held::{Held, Inside, civilians_of, entered, held, inside, loyalty, peopled, place_of, sacks};
pub(in crate::rules) use held::{is_civilian, location_in};
pub use laid::laid;
pub use past::{Civilians, Entered, Garrison, Past, Sack, Told, Yielded};
pub use sally::{leash, sally};
pub use touch::assaulters;
pub(in crate::rules) use touch::front_gap_mm;
pub use who::{Terms, deployed, has_element, may_enter, may_garrison, may_leave};
pub(in crate::rules) use who::{barred_type, bars_type};
pub use zone::{Zone, reach_into_zone, zone};
