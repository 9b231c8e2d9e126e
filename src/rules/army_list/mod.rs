//! Army lists: what they say, how they are written, and whether an army is of one.
//!
//! A list ([`ArmyList`]) says which troops an army may have, its aggression, its home terrain, whom it fought and who was
//! its ally. Clauses: army-lists.*, with dba3.troop.12, .13, .18 and dba3.camp.1, .2, .10, .11 where they bear on them. No real list is
//! carried: those that ship are invented.
//!
//! Invariants: codes are the ruleset's own; a list that was read can make an army of twelve; every fault and every
//! ruling cites a clause of the catalogue.

mod army;
mod camp;
mod contingent;
mod draft;
mod entry;
mod fault;
mod file;
mod finding;
mod fit;
mod home;
#[cfg(test)]
mod hostile_tests;
mod judge;
mod key;
mod list;
mod muster;
mod reading;
mod shelf;
mod shipped;

pub use army::{Army, Camp, City, Contingent, Followers, Taken};
pub use draft::{Offer, Whose, general_forms, offers};
pub use entry::{Entry, Form, Item, Numbers, Origin};
pub use fault::Fault;
pub use file::{ListFile, read_file, write_list};
pub use finding::{ArmyRuling, Finding};
pub use home::{Aggression, HomeTerrain, home_of_word, home_word};
pub use judge::judge;
pub use key::{Book, Key, KeyError, KeyRef};
pub use list::ArmyList;
pub use muster::{Completed, Mustered, complete, muster};
pub use shelf::Shelf;
pub use shipped::shipped;

/// How many elements an army has (clauses army-lists.gen.7, dba3.troop.12).
pub const ARMY: u8 = 12;
