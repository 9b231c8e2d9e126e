//! What an army list says of where and how readily its army fights: home terrain and aggression.
//!
//! Clauses army-lists.home.1, aggr.1 and aggr.2.

use crate::rules::setting_up;
use std::fmt;

/// Home terrain (clause army-lists.home.1): the row of the terrain table that a defender chooses from.
pub use crate::rules::setting_up::Home as HomeTerrain;

/// Its word in files: `arable`.
pub fn home_word(home: HomeTerrain) -> String {
    home.name().to_ascii_lowercase()
}

/// The home terrain of that word, however its letters are written: `Arable`, `ARABLE`.
pub fn home_of_word(word: &str) -> Option<HomeTerrain> {
    HomeTerrain::ALL.into_iter().find(|home| home.name().eq_ignore_ascii_case(word))
}

/// An aggression factor, 0 to 4 (clause army-lists.aggr.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Aggression(u8);

impl Aggression {
    /// The greatest there is.
    pub const MOST: u8 = 4;

    /// That factor; none where it is more than four.
    pub fn new(factor: u8) -> Option<Self> {
        (factor <= Self::MOST).then_some(Self(factor))
    }

    /// The factor.
    pub fn factor(self) -> u8 {
        self.0
    }

    /// The factor and a die, as they are added up (clause army-lists.aggr.2).
    pub fn with_die(self, die: u8) -> setting_up::Aggression {
        setting_up::Aggression { die, factor: self.0 }
    }
}

impl fmt::Display for Aggression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aggression_is_nought_to_four_and_homes_have_their_words() {
        assert_eq!(Aggression::new(4).map(Aggression::factor), Some(4));
        assert_eq!(Aggression::new(5), None);
        for home in HomeTerrain::ALL {
            assert_eq!(home_of_word(&home_word(home)), Some(home));
            assert_eq!(home_of_word(home.name()), Some(home));
        }
        assert_eq!(home_of_word("jungle"), None);
    }
}
