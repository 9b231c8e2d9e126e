//! The odds of every outcome over the 36 pairs of dice.

use super::brief::Brief;
use super::outcome::{FateRuling, Outcome, Score};
use crate::rules::ruleset::Fate;

/// How often one fate comes by one clause.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FateShare {
    /// The fate.
    pub fate: Fate,
    /// The clause that gives it.
    pub clause: String,
    /// In how many of the 36 pairs.
    pub of_36: u8,
}

/// Counts over the 36 pairs of dice.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Odds {
    /// The second total is half of the first or less.
    pub a_doubles: u8,
    /// The first is greater, not doubling.
    pub a_wins: u8,
    /// Equal.
    pub equal: u8,
    /// The second is greater, not doubling.
    pub b_wins: u8,
    /// The first total is half of the second or less.
    pub b_doubles: u8,
    /// The first element's fates with their clauses.
    pub a: Vec<FateShare>,
    /// The second's.
    pub b: Vec<FateShare>,
}

impl Odds {
    /// In how many of the 36 pairs the first element meets this fate.
    pub fn of_a(&self, fate: Fate) -> u8 {
        sum(&self.a, fate)
    }

    /// In how many of the 36 pairs the second element meets this fate.
    pub fn of_b(&self, fate: Fate) -> u8 {
        sum(&self.b, fate)
    }
}

fn sum(shares: &[FateShare], fate: Fate) -> u8 {
    shares.iter().filter(|s| s.fate == fate).map(|s| s.of_36).sum()
}

fn note(shares: &mut Vec<FateShare>, ruling: &FateRuling) {
    match shares.iter_mut().find(|s| s.fate == ruling.fate && s.clause == ruling.clause) {
        Some(share) => share.of_36 += 1,
        None => shares.push(FateShare { fate: ruling.fate, clause: ruling.clause.clone(), of_36: 1 }),
    }
}

impl Odds {
    /// Counts all 36 pairs of dice.
    pub(super) fn of(outcome: impl Fn(u8, u8) -> Outcome) -> Self {
        let mut odds = Self::default();
        for die_a in 1..=6 {
            for die_b in 1..=6 {
                let outcome = outcome(die_a, die_b);
                let count = match outcome.score {
                    Score::ADoubles => &mut odds.a_doubles,
                    Score::AWins => &mut odds.a_wins,
                    Score::Equal => &mut odds.equal,
                    Score::BWins => &mut odds.b_wins,
                    Score::BDoubles => &mut odds.b_doubles,
                };
                *count += 1;
                note(&mut odds.a, &outcome.a);
                note(&mut odds.b, &outcome.b);
            }
        }
        odds
    }
}

impl Brief {
    /// Counts all 36 pairs of dice.
    pub fn odds(&self) -> Odds {
        Odds::of(|a, b| self.outcome(a, b).expect("dice from 1 to 6"))
    }
}
