//! Seeds, and commitments to them.
//!
//! A key is 128 bits of the system's own chance, written as 32 hexadecimal digits. Its commitment is its SHA-256: shown
//! before the dice, it binds whoever holds the key and tells nothing of it. A number is short enough to be typed, and
//! to be guessed: it is for tests, demonstrations and pictures.

use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};
use std::fmt;
use std::str::FromStr;

/// Where a row of dice begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Seed {
    /// A number that somebody chose.
    Number(u64),
    /// A key that nobody can guess.
    Key([u8; 16]),
}

/// Why a seed was not read, or not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// It is neither a key nor a number.
    #[error("\"{0}\" is no seed: give the 32 hexadecimal digits of a key, or a whole number below 2^64")]
    NoSeed(String),
    /// The system has no chance to give.
    #[error("the system's source of chance does not answer: {0}; throw real dice, or name a seed")]
    NoChance(String),
}

/// What is shown of a seed before its dice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Commitment([u8; 32]);

impl Seed {
    /// A key that nobody chose.
    ///
    /// # Errors
    /// The system's source of chance does not answer.
    pub fn fresh() -> Result<Self, SeedError> {
        let mut key = [0; 16];
        SysRng.try_fill_bytes(&mut key).map_err(|why| SeedError::NoChance(why.to_string()))?;
        Ok(Self::Key(key))
    }

    /// What may be shown before its dice are thrown: the SHA-256 of the seed as it is written.
    pub fn commitment(&self) -> Commitment {
        Commitment(Sha256::digest(self.to_string()).into())
    }

    /// 256 bits that hang on the seed and on what they are for.
    pub(super) fn digest(&self, purpose: &[u8]) -> [u8; 32] {
        let mut hash = Sha256::new();
        hash.update(purpose);
        hash.update([0]);
        hash.update(self.to_string());
        hash.finalize().into()
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => number.fmt(f),
            Self::Key(key) => hexadecimal(key, f),
        }
    }
}

impl fmt::Display for Commitment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        hexadecimal(&self.0, f)
    }
}

fn hexadecimal(bytes: &[u8], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    bytes.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
}

impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Self, SeedError> {
        let wrong = || SeedError::NoSeed(text.chars().take(40).collect());
        let text = text.trim();
        if text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit()) {
            let mut key = [0; 16];
            for (byte, at) in key.iter_mut().zip((0..32).step_by(2)) {
                *byte = u8::from_str_radix(&text[at..at + 2], 16).map_err(|_| wrong())?;
            }
            return Ok(Self::Key(key));
        }
        if text.is_empty() || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(wrong());
        }
        text.parse().map(Self::Number).map_err(|_| wrong())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        for seed in [Seed::Number(0), Seed::Number(u64::MAX), Seed::Key([0; 16]), Seed::Key([0xa7; 16])] {
            assert_eq!(seed.to_string().parse(), Ok(seed));
        }
        for wrong in ["", "-1", "seed", "18446744073709551616", "0123456789abcdef0123456789abcdeg", "0x12"] {
            assert_eq!(wrong.parse::<Seed>(), Err(SeedError::NoSeed(wrong.to_owned())), "{wrong}");
        }
    }

    #[test]
    fn a_commitment_is_the_sha_256_of_what_is_written() {
        // Published: the SHA-256 of the text "0".
        let published = "5feceb66ffc86f38d952786c6d696c79c2dbc239dd4e91b46729d73a27fb57e9";
        assert_eq!(Seed::Number(0).commitment().to_string(), published);
        assert_ne!(Seed::Key([0; 16]).commitment(), Seed::Key([1; 16]).commitment());
    }

    #[test]
    fn fresh_keys_differ() {
        let keys: Vec<Seed> = (0..4).map(|_| Seed::fresh().expect("chance")).collect();
        assert!((1..4).all(|n| !keys[..n].contains(&keys[n])), "{keys:?}");
    }
}
