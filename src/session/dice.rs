//! Dice: thrown by the session's own seeded generator, or thrown on the table and typed.
//!
//! The engine never rolls (its dice are arguments); this is where chance enters. The same seed gives
//! the same throws on every machine and in every later version: the generator (ChaCha20) and the way from its
//! numbers to faces are fixed here, and a test pins them. A seed is shown after its dice lie, so that
//! anybody can throw them again; whoever knows a seed knows all its dice, so each throw of a session has one of
//! its own ([`super::Throws`]).

use super::Seed;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::fmt;
use std::str::FromStr;

/// A six-sided die as it lies. Invariant: 1 to 6.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Die(u8);

/// A die that was typed wrongly.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DieError {
    /// Nothing was typed.
    #[error("type the die that lies on the table: a whole number from 1 to 6")]
    Nothing,
    /// Something else than a whole number.
    #[error("\"{0}\" is not a die: type a whole number from 1 to 6")]
    NotANumber(String),
    /// A number that no side of a die has.
    #[error("a die shows 1 to 6, not {0}: look again and type what lies there")]
    NoSuchSide(String),
}

impl Die {
    /// A die that shows `pips`, or `None` unless they are 1 to 6.
    pub fn new(pips: u8) -> Option<Self> {
        (1..=6).contains(&pips).then_some(Self(pips))
    }

    /// What it shows, 1 to 6.
    pub fn pips(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Die {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Die {
    type Err = DieError;

    fn from_str(typed: &str) -> Result<Self, DieError> {
        let typed = typed.trim();
        if typed.is_empty() {
            return Err(DieError::Nothing);
        }
        let digits = typed.strip_prefix(['-', '+']).unwrap_or(typed);
        if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
            return Err(DieError::NotANumber(typed.chars().take(12).collect()));
        }
        let pips = typed.parse().ok().and_then(Self::new);
        pips.ok_or_else(|| DieError::NoSuchSide(typed.chars().take(12).collect()))
    }
}

/// The session's generator.
#[derive(Debug, Clone)]
pub struct Dice {
    seed: Seed,
    thrown: u64,
    generator: ChaCha20Rng,
}

impl Dice {
    /// A fresh row of throws from `seed`.
    pub fn from_seed(seed: impl Into<Seed>) -> Self {
        let seed = seed.into();
        let generator = match seed {
            Seed::Number(number) => ChaCha20Rng::seed_from_u64(number),
            Seed::Key(_) => ChaCha20Rng::from_seed(seed.digest(b"groma dice")),
        };
        Self { seed, thrown: 0, generator }
    }

    /// The seed, to be shown once the dice no longer matter.
    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// How many dice have been thrown since the seed.
    pub fn thrown(&self) -> u64 {
        self.thrown
    }

    /// Throws one die.
    pub fn throw(&mut self) -> Die {
        // The largest multiple of 6 that a u32 holds: numbers from there on are thrown again, so that
        // every face is equally likely.
        const FAIR: u32 = u32::MAX - u32::MAX % 6;
        let number = loop {
            let number = self.generator.next_u32();
            if number < FAIR {
                break number;
            }
        };
        self.thrown += 1;
        Die((number % 6) as u8 + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_its_throws_for_ever() {
        let mut dice = Dice::from_seed(7);
        let throws: Vec<u8> = (0..12).map(|_| dice.throw().pips()).collect();
        assert_eq!(throws, [4, 4, 5, 5, 1, 6, 2, 6, 3, 1, 3, 1]);
        assert_eq!((dice.seed(), dice.thrown()), (Seed::Number(7), 12));
    }

    #[test]
    fn every_face_is_equally_likely() {
        for seed in [Seed::Number(1), Seed::Key([1; 16])] {
            let mut dice = Dice::from_seed(seed);
            let mut faces = [0_u32; 6];
            for _ in 0..60_000 {
                faces[usize::from(dice.throw().pips() - 1)] += 1;
            }
            // Chi squared with five degrees of freedom: 20.5 is passed by chance once in a thousand.
            let chi: f64 = faces.iter().map(|&n| (f64::from(n) - 10_000.0).powi(2) / 10_000.0).sum();
            assert!(chi < 20.5, "{faces:?}: chi squared {chi}");
        }
    }

    #[test]
    fn typed_dice_are_one_to_six_and_nothing_else() {
        assert_eq!(" 4 ".parse::<Die>().map(Die::pips), Ok(4));
        assert_eq!("".parse::<Die>(), Err(DieError::Nothing));
        assert_eq!("six".parse::<Die>(), Err(DieError::NotANumber("six".to_owned())));
        for wrong in ["0", "7", "-3", "256", "99999999999999999999"] {
            assert!(matches!(wrong.parse::<Die>(), Err(DieError::NoSuchSide(_))), "{wrong}");
        }
    }
}
