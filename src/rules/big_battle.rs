//! What the settings of DBA 3.0 leave open of Big Battles: the Plough figure and how losses are compared.
//!
//! Losses count in elements, as [`super::victory`] counts them. Clauses: big-battle.terr.7 and .vic.1, amended by
//! dba3.set.95 and .96.

use super::settings::LossComparison;
use super::terrain::Plough;
use super::{Reason, Settings};

/// What one army has lost, elements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Losses {
    /// In the whole battle so far.
    pub in_all: u32,
    /// Of these in the bound that ends.
    pub this_bound: u32,
}

/// What the PIP dice of a side's first bound make of Plough, and why.
pub fn plough(dice: &[u8], settings: &Settings) -> (Plough, Vec<Reason>) {
    let (total, below) = (dice.iter().map(|&d| u32::from(d)).sum::<u32>(), settings.big_battle_plough_below);
    let rough = total < u32::from(below);
    let text = format!("the PIP dice of the first bound total {total}: below {below} Plough is rough");
    let reasons = ["big-battle.terr.7", "dba3.set.95"];
    let reasons = reasons.map(|id| Reason { holds: rough, ..Reason::holds(id, text.clone()) });
    (if rough { Plough::Rough } else { Plough::Good }, reasons.into())
}

/// Whether an army that began with so many troop elements is beaten by its losses at the end of a bound: at least half of
/// it, and more than the enemy's. The first reason that fails says why it is not.
pub fn beaten(began: u32, own: Losses, enemy: Losses, settings: &Settings) -> Vec<Reason> {
    let (of, said) = match settings.big_battle_loss_comparison {
        LossComparison::WholeBattle => ((own.in_all, enemy.in_all), "in the whole battle"),
        LossComparison::ThisBound => ((own.this_bound, enemy.this_bound), "in this bound"),
    };
    let half = format!("{} of {began} elements are lost, and half of them lose the battle", own.in_all);
    let more = format!("{said} it has lost {}, the enemy {}", of.0, of.1);
    vec![
        Reason { holds: 2 * own.in_all >= began, ..Reason::holds("big-battle.vic.1", half) },
        Reason { holds: of.0 > of.1, ..Reason::holds("dba3.set.96", more) },
    ]
}
