//! The throws of a session: each has a seed of its own, made of the session's.
//!
//! The session's commitment is shown before the first throw, each throw's seed once its dice lie, the session's seed at
//! the end. So each throw can be thrown again at once, the seed of one tells nothing of those to come, and in the end
//! everybody can see that none was chosen.

use super::{Commitment, Dice, Seed};

/// A session's throws.
#[derive(Debug, Clone)]
pub struct Throws {
    seed: Seed,
    made: u64,
}

impl Throws {
    /// A session from this seed.
    pub fn from_seed(seed: impl Into<Seed>) -> Self {
        Self { seed: seed.into(), made: 0 }
    }

    /// What is shown before the first throw.
    pub fn commitment(&self) -> Commitment {
        self.seed.commitment()
    }

    /// How many throws have been made.
    pub fn made(&self) -> u64 {
        self.made
    }

    /// The dice of the next throw, as many as are wanted.
    pub fn next_throw(&mut self) -> Dice {
        self.made += 1;
        Self::throw_of(self.seed, self.made)
    }

    /// The dice of that throw of a session, from 1.
    pub fn throw_of(seed: Seed, number: u64) -> Dice {
        let digest = seed.digest(format!("groma throw {number}").as_bytes());
        let mut key = [0; 16];
        key.copy_from_slice(&digest[..16]);
        Dice::from_seed(Seed::Key(key))
    }

    /// Ends the session, and gives its seed.
    pub fn reveal(self) -> Seed {
        self.seed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(dice: &mut Dice) -> (u8, u8) {
        (dice.throw().pips(), dice.throw().pips())
    }

    #[test]
    fn each_throw_can_be_made_again_from_its_own_seed_and_from_the_sessions() {
        let mut session = Throws::from_seed(Seed::fresh().expect("chance"));
        let commitment = session.commitment();
        let mut shown = Vec::new();
        for _ in 0..5 {
            let mut dice = session.next_throw();
            shown.push((two(&mut dice), dice.seed()));
        }
        assert_eq!(session.made(), 5);
        let seed = session.reveal();
        assert_eq!(seed.commitment(), commitment);
        for (number, (dice, own)) in (1..).zip(shown) {
            assert_eq!(two(&mut Dice::from_seed(own)), dice);
            assert_eq!(two(&mut Throws::throw_of(seed, number)), dice);
            assert_eq!(Throws::throw_of(seed, number).seed(), own);
        }
    }

    #[test]
    fn dice_are_pinned_for_ever() {
        let mut first = Throws::throw_of(Seed::Key([7; 16]), 1);
        let faces: Vec<u8> = (0..12).map(|_| first.throw().pips()).collect();
        assert_eq!(faces, PINNED);
    }

    /// Worked out apart from this program: SHA-256 and ChaCha20 of another library.
    const PINNED: [u8; 12] = [5, 2, 6, 2, 1, 1, 6, 3, 2, 1, 1, 1];

    #[test]
    fn pairs_of_all_throws_together_are_evenly_spread() {
        let mut session = Throws::from_seed(3);
        let mut pairs = [0_u32; 36];
        for _ in 0..36_000 {
            let (a, b) = two(&mut session.next_throw());
            pairs[usize::from(6 * (a - 1) + b - 1)] += 1;
        }
        // Chi squared with 35 degrees of freedom: 66.6 is passed by chance once in a thousand.
        let chi: f64 = pairs.iter().map(|&n| (f64::from(n) - 1000.0).powi(2) / 1000.0).sum();
        assert!(chi < 66.6, "{pairs:?}: chi squared {chi}");
    }
}
