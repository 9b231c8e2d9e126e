//! One battle as it goes on: so far its dice.
//!
//! The rules know neither clock nor chance; what happens in time and by chance is kept here.

mod dice;
mod seed;
mod throws;

pub use dice::{Dice, Die, DieError};
pub use seed::{Commitment, Seed, SeedError};
pub use throws::Throws;
