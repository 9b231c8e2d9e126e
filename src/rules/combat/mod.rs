//! Combat of two elements: factors with their clauses, the outcome of two dice, and the odds of every
//! outcome.
//!
//! [`brief`] gathers both totals before the dice; [`Brief::outcome`] takes two dice; [`Brief::odds`]
//! counts all 36. Dice are arguments: nothing here rolls. Clauses: dba3.fac, dba3.sup, dba3.tac,
//! dba3.out, dba3.eq, dba3.less, dba3.half, and dba3.sht for shooting.

mod brief;
mod calculator;
mod conditions;
mod factors;
mod idle;
mod layout;
mod lie;
mod matrix;
mod odds;
mod offers;
mod outcome;

pub use brief::{Brief, brief};
pub(in crate::rules) use brief::{Part, Parts, View, gather};
pub use calculator::{Calculation, CalculatorError, Consequence, Entry, calculate};
pub use conditions::{Conditions, Height, LinedUp, Mode, Place, Reply, Situation, Stronghold, Struck};
pub use factors::{Modifier, Standing};
pub use idle::Idle;
pub use matrix::{Cell, Combat, matrix};
pub use odds::{Effect, FateShare, Odds};
pub use outcome::{DieError, FateRuling, Outcome, Score};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::ruleset::Fate;
    use crate::rules::{AskError, Settings, Setup, notation};

    fn setup(lines: &str) -> Setup {
        let settings = Settings::dba3();
        notation::read_setup(lines, settings.ruleset()).expect("a setup")
    }

    fn duel(a: &str, b: &str) -> Brief {
        let setup = setup(&format!("A {a} red (5,5)-(6,5) N; B {b} blue (6,5)-(5,5) S"));
        brief(&setup, &Settings::dba3(), &Conditions::default(), "A", "B").expect("a combat")
    }

    #[test]
    fn factors_of_four_and_two_have_the_published_odds() {
        let odds = duel("3Kn", "LH").odds();
        let counts = (odds.a_doubles, odds.a_wins, odds.equal, odds.b_wins, odds.b_doubles);
        assert_eq!(counts, (9, 17, 4, 6, 0));
    }

    #[test]
    fn knights_kill_spears_ten_times_and_are_doubled_four_times() {
        let odds = duel("3Kn", "4Sp").odds();
        assert_eq!(odds.of_b(Fate::Destroyed), 10);
        assert_eq!(odds.of_a(Fate::Destroyed), 4);
    }

    #[test]
    fn an_overlap_turns_a_recoil_into_a_doubling() {
        let alone = duel("4Bd", "4Bd").outcome(6, 1).expect("dice");
        assert_eq!((alone.totals, alone.b.fate), ((11, 6), Fate::Recoil));
        let setup = setup("A 4Bd red (5,5)-(6,5) N; C 4Bd red (4,5)-(5,5) N; B 4Bd blue (6,5)-(5,5) S");
        let brief = brief(&setup, &Settings::dba3(), &Conditions::default(), "A", "B").expect("a combat");
        assert_eq!((brief.a.total(), brief.b.total()), (5, 4));
        assert_eq!(brief.outcome(6, 1).expect("dice").b.fate, Fate::Destroyed);
    }

    #[test]
    fn three_pressed_edges_cost_three() {
        let setup = setup(
            "K 3Kn red (5,5)-(6,5) N d0.75; F 4Bd blue (6,5)-(5,5) S; L 4Bd blue (5,5)-(5,4) E\n\
             R 4Bd blue (6,4)-(6,5) W; P Ps blue (5,4.25)-(6,4.25) N",
        );
        let brief = brief(&setup, &Settings::dba3(), &Conditions::default(), "K", "F").expect("a combat");
        assert_eq!(brief.a.total(), 0, "{:#?}", brief.a.modifiers);
        assert_eq!(brief.enemy_fronts(), (4, 1));
    }

    #[test]
    fn a_die_of_seven_is_refused() {
        assert_eq!(duel("Cv", "4Bd").outcome(7, 1), Err(DieError { value: 7 }));
        assert_eq!(duel("Cv", "4Bd").outcome(1, 0), Err(DieError { value: 0 }));
    }

    #[test]
    fn friends_and_strangers_have_no_combat() {
        let setup = setup("A 4Bd red (5,5)-(6,5) N; B 4Bd red (6,5)-(5,5) S");
        let ask = |b| brief(&setup, &Settings::dba3(), &Conditions::default(), "A", b);
        assert!(matches!(ask("B"), Err(AskError::Friends { .. })));
        assert!(matches!(ask("Z"), Err(AskError::NoElement { .. })));
    }
}
