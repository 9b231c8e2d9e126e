//! What an army list says of where and how readily its army fights: home terrain and aggression.
//!
//! Clauses army-lists.home.1, aggr.1 and aggr.2.

use crate::rules::Side;
use std::fmt;

/// Home terrain: the row of the terrain table that a defender chooses from (clause army-lists.home.1).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HomeTerrain {
    /// Ploughed land, vineyards, villages.
    Arable,
    /// Woods.
    Forest,
    /// Hills.
    Hilly,
    /// Grassland.
    Steppe,
    /// Desert and its edges.
    Dry,
    /// Jungle.
    Tropical,
    /// A sea or a great river along an edge.
    Littoral,
}

impl HomeTerrain {
    /// All seven, in the order of the terrain table.
    pub const ALL: [Self; 7] =
        [Self::Arable, Self::Forest, Self::Hilly, Self::Steppe, Self::Dry, Self::Tropical, Self::Littoral];

    /// Its word in files: `arable`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Arable => "arable",
            Self::Forest => "forest",
            Self::Hilly => "hilly",
            Self::Steppe => "steppe",
            Self::Dry => "dry",
            Self::Tropical => "tropical",
            Self::Littoral => "littoral",
        }
    }

    /// The home terrain of that word, however its letters are written: `Arable`, `ARABLE`.
    pub fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|home| home.word().eq_ignore_ascii_case(word))
    }
}

impl fmt::Display for HomeTerrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
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

    /// The factor and a die's score added up (clause army-lists.aggr.2).
    pub fn total(self, die: u8) -> u8 {
        self.0 + die
    }
}

impl fmt::Display for Aggression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Whose home terrain is fought over, each army's aggression and die given, red's first: that of the lower total, the
/// defender (clauses army-lists.aggr.2, dba3.setup.2). None where the totals are equal: both throw again, for the clauses
/// do not say.
pub fn defender(red: (Aggression, u8), blue: (Aggression, u8)) -> Option<Side> {
    match red.0.total(red.1).cmp(&blue.0.total(blue.1)) {
        std::cmp::Ordering::Less => Some(Side::Red),
        std::cmp::Ordering::Greater => Some(Side::Blue),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lower_total_is_at_home() {
        let of = |factor: u8| Aggression::new(factor).expect("0 to 4");
        // The example of clause dba3.setup.1: 4 + 1 = 5 against 2 + 4 = 6.
        assert_eq!(defender((of(1), 4), (of(4), 2)), Some(Side::Red));
        assert_eq!(defender((of(4), 2), (of(1), 4)), Some(Side::Blue));
        assert_eq!(defender((of(0), 5), (of(4), 1)), None);
    }

    #[test]
    fn aggression_is_nought_to_four_and_homes_have_their_words() {
        assert_eq!(Aggression::new(4).map(Aggression::factor), Some(4));
        assert_eq!(Aggression::new(5), None);
        for home in HomeTerrain::ALL {
            assert_eq!(HomeTerrain::of_word(&home.word().to_uppercase()), Some(home));
        }
        assert_eq!(HomeTerrain::of_word("jungle"), None);
    }
}
