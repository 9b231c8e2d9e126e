//! Whose turn it is for what (clauses dba3.seq.1 to .10, dba3.move.1, .5): bounds by turns, four phases in fixed order.

use super::{Bound, Phase};
use crate::rules::{Reason, Side};
use serde::Deserialize;

/// What a side would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub enum Act {
    /// Roll the PIP die.
    RollPips,
    /// Make tactical moves.
    Move,
    /// Shoot.
    Shoot,
    /// Say in which order both sides shoot, where that is disputed.
    OrderShooting,
    /// Make an outcome move caused by shooting.
    ShootingOutcome,
    /// Fight close combat.
    Fight,
    /// Say which close combat is fought next.
    OrderCombats,
    /// Make an outcome move caused by close combat.
    CombatOutcome,
}

impl Act {
    /// The phase that it belongs to.
    pub fn phase(self) -> Phase {
        match self {
            Self::RollPips => Phase::PipDie,
            Self::Move => Phase::Moves,
            Self::Shoot | Self::OrderShooting | Self::ShootingOutcome => Phase::Shooting,
            Self::Fight | Self::OrderCombats | Self::CombatOutcome => Phase::Combat,
        }
    }

    /// What it costs, PIPs; `None` where that depends on the move. Outcome moves cost none (clause dba3.move.5).
    pub fn pips(self) -> Option<u8> {
        (self != Self::Move).then_some(0)
    }

    /// In a sentence after "may".
    pub fn name(self) -> &'static str {
        match self {
            Self::RollPips => "roll for PIPs",
            Self::Move => "make tactical moves",
            Self::Shoot => "shoot",
            Self::OrderShooting => "settle the order of shooting",
            Self::ShootingOutcome => "make outcome moves of shooting",
            Self::Fight => "fight",
            Self::OrderCombats => "say which close combat is next",
            Self::CombatOutcome => "make outcome moves of close combat",
        }
    }
}

/// Whether a side may do something now.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// Whether it may.
    pub may: bool,
    /// Why, what forbids it first.
    pub reasons: Vec<Reason>,
}

impl Phase {
    /// The phase after it; `None` after the last.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::PipDie => Some(Self::Moves),
            Self::Moves => Some(Self::Shooting),
            Self::Shooting => Some(Self::Combat),
            Self::Combat => None,
        }
    }

    /// In a sentence.
    pub fn name(self) -> &'static str {
        match self {
            Self::PipDie => "the PIP die",
            Self::Moves => "tactical moves",
            Self::Shooting => "shooting",
            Self::Combat => "close combat",
        }
    }
}

impl Bound {
    /// Whether that side may do that now.
    pub fn turn(&self, side: Side, act: Act) -> Turn {
        let now = self.phase == act.phase();
        let own = side == self.side;
        let (clause, text, may) = match act {
            Act::RollPips => ("dba3.seq.3", "the player whose bound it is rolls for PIPs", own),
            Act::Move => {
                ("dba3.seq.4", "the player whose bound it is makes tactical moves, the other none", own)
            }
            Act::Shoot => ("dba3.seq.5", "in the shooting phase both sides shoot", true),
            Act::Fight => ("dba3.seq.8", "in the close combat phase both sides fight", true),
            Act::OrderShooting => {
                ("dba3.seq.6", "the player whose bound it is settles the order of shooting", own)
            }
            Act::OrderCombats => ("dba3.seq.9", "the player whose bound it is orders the close combats", own),
            Act::ShootingOutcome => {
                ("dba3.seq.7", "outcome moves of shooting are made in the shooting phase, at once", now)
            }
            Act::CombatOutcome => {
                ("dba3.seq.10", "outcome moves of a close combat are made as it is fought", now)
            }
        };
        let order = format!("now is {}, and this belongs to {}", self.phase.name(), act.phase().name());
        let turns =
            format!("bound {} is one of {}", self.number, if own { "its own" } else { "the enemy's" });
        let mut reasons = vec![
            Reason { holds: may, ..Reason::holds(clause, text) },
            Reason { holds: now, ..Reason::holds("dba3.seq.2", order) },
            Reason { holds: own || may, ..Reason::holds("dba3.seq.1", turns) },
        ];
        let kind = match act {
            Act::Move => {
                Some(("dba3.move.1", "a tactical move is made before shooting and close combat, or not"))
            }
            Act::ShootingOutcome | Act::CombatOutcome => Some((
                "dba3.move.5",
                "outcome moves follow shooting or close combat; they are compulsory, cost no PIPs and are no tactical moves",
            )),
            _ => None,
        };
        reasons.extend(kind.map(|(clause, text)| Reason { holds: now, ..Reason::holds(clause, text) }));
        reasons.sort_by_key(|reason| reason.holds);
        Turn { may: may && now, reasons }
    }

    /// Whose bound that number is, counted from the defender's first.
    pub fn side_of(defender: Side, number: u32) -> Side {
        if number % 2 == 1 { defender } else { defender.enemy() }
    }

    /// The next phase of this bound, or the first of the other side's bound. PIPs left over are gone with the
    /// bound (clause dba3.pip.2).
    #[must_use]
    pub fn next(&self) -> Self {
        match self.phase.next() {
            Some(phase) => Self { phase, ..self.clone() },
            None => Self {
                number: self.number + 1,
                side: self.side.enemy(),
                phase: Phase::PipDie,
                pips: None,
                done: Vec::new(),
                generals_lost: self.generals_lost.clone(),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bound_runs_through_its_phases_and_the_other_side_follows() {
        let mut bound = Bound { phase: Phase::PipDie, ..Bound::new(1, Side::Blue) }.with_pips(6);
        let mut seen = Vec::new();
        for _ in 0..5 {
            seen.push((bound.number, bound.side, bound.phase, bound.pips));
            bound = bound.next();
        }
        let phases = [Phase::PipDie, Phase::Moves, Phase::Shooting, Phase::Combat];
        let mut expected: Vec<_> = phases.map(|p| (1, Side::Blue, p, Some(6))).to_vec();
        expected.push((2, Side::Red, Phase::PipDie, None));
        assert_eq!(seen, expected);
        assert_eq!(Bound::side_of(Side::Blue, 4), Side::Red);
    }

    #[test]
    fn only_the_side_whose_bound_it_is_moves_and_both_shoot() {
        let moves = Bound::new(3, Side::Red);
        assert!(moves.turn(Side::Red, Act::Move).may && !moves.turn(Side::Blue, Act::Move).may);
        assert!(!moves.turn(Side::Red, Act::Shoot).may);
        let shooting = moves.next();
        assert!(shooting.turn(Side::Blue, Act::Shoot).may && !shooting.turn(Side::Red, Act::Move).may);
    }
}
