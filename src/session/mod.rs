//! One battle as it goes on: what is seen and said, what comes of it, its dice, and its journal.
//!
//! The rules know neither clock nor chance; what happens in time and by chance is kept here. [`engine`] puts table,
//! rosters and rules together and answers as [`view`] shows it; [`play`] is the battle so far; [`journal`] is its file.

mod dice;
pub mod engine;
pub mod evidence;
pub mod journal;
pub mod lists;
pub mod play;
pub mod report;
mod seed;
pub mod slip;
pub mod talk;
mod throws;
pub mod view;

pub use dice::{Dice, Die, DieError};
pub use seed::{Commitment, Seed, SeedError};
pub use throws::Throws;
