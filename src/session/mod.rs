//! One battle as it goes on: so far its dice.
//!
//! The rules know neither clock nor chance; what happens in time and by chance is kept here.

mod dice;

pub use dice::{Dice, Die, DieError};
