//! The odds of every outcome over the 36 pairs of dice.

use super::brief::Brief;
use super::outcome::{FateRuling, Outcome, Score};
use crate::rules::Reason;
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
                odds.count(outcome.score, &outcome.a, &outcome.b);
            }
        }
        odds
    }

    fn count(&mut self, score: Score, a: &FateRuling, b: &FateRuling) {
        *match score {
            Score::ADoubles => &mut self.a_doubles,
            Score::AWins => &mut self.a_wins,
            Score::Equal => &mut self.equal,
            Score::BWins => &mut self.b_wins,
            Score::BDoubles => &mut self.b_doubles,
        } += 1;
        note(&mut self.a, a);
        note(&mut self.b, b);
    }
}

/// What a score does to both.
#[derive(Debug, Clone, PartialEq)]
pub struct Effect {
    /// The score.
    pub score: Score,
    /// What becomes of the first element.
    pub a: FateRuling,
    /// What becomes of the second.
    pub b: FateRuling,
}

impl Brief {
    /// Counts all 36 pairs of dice.
    pub fn odds(&self) -> Odds {
        self.odds_of(&self.effects([None, None]))
    }

    /// What each score does, the best for the first element first. Whoever is `pinned`, for that reason, is destroyed
    /// where it would recoil (clause dba3.rec.16).
    pub fn effects(&self, pinned: [Option<&Reason>; 2]) -> [Effect; 5] {
        Score::ALL.map(|score| {
            let (a, b) = self.consequence(score);
            Effect { score, a: held(a, pinned[0]), b: held(b, pinned[1]) }
        })
    }

    /// How often each of these comes in the 36 pairs of dice: what becomes of both hangs on the score alone.
    pub fn odds_of(&self, effects: &[Effect; 5]) -> Odds {
        let mut odds = Odds::default();
        let (a, b) = (self.a.total(), self.b.total());
        for (die_a, die_b) in (1..=6).flat_map(|die_a| (1..=6).map(move |die_b| (die_a, die_b))) {
            let score = Score::of(a + die_a, b + die_b);
            let effect = &effects[score as usize];
            odds.count(score, &effect.a, &effect.b);
        }
        odds
    }
}

fn held(fate: FateRuling, pinned: Option<&Reason>) -> FateRuling {
    let Some(why) = pinned.filter(|_| fate.fate == Fate::Recoil) else { return fate };
    let mut reasons = vec![why.clone()];
    reasons.extend(fate.reasons);
    FateRuling { fate: Fate::Destroyed, clause: why.clause.clone(), reasons }
}
