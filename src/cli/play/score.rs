//! Whether what was seen tells what was done.
//!
//! Explained is a look whose best explanation ends where everything was seen, is legal as the moves made
//! were, and no dearer in PIPs. Everything else is missed, and told.

use super::{Game, Look, Sort};
use crate::geometry::Vector;
use crate::rules::group::Formed;
use crate::rules::movement::{Explanation, Seen, explain};
use crate::rules::{Location, Setup, notation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// How often a sort was made and explained, in moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tally {
    /// Moves made.
    pub made: usize,
    /// Moves of looks that were explained.
    pub explained: usize,
}

/// A look that was not explained.
#[derive(Debug, Clone, PartialEq)]
pub struct Missed {
    /// Its sort.
    pub sort: Sort,
    /// What was done and what was made of it.
    pub text: String,
}

/// What came of a trial.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Score {
    /// By sort; a look of several moves counts with all of them under its own.
    pub by_sort: BTreeMap<Sort, Tally>,
    /// Every look that was missed.
    pub missed: Vec<Missed>,
}

impl Score {
    /// Moves made.
    pub fn made(&self) -> usize {
        self.by_sort.values().map(|t| t.made).sum()
    }

    /// Moves of looks that were explained.
    pub fn explained(&self) -> usize {
        self.by_sort.values().map(|t| t.explained).sum()
    }
}

/// Plays until so many moves were made and asks of each look what it was. `sigma_mm` is how far places are
/// off, one sigma along each axis; headings by as much over a base width.
pub fn play(moves: usize, sigma_mm: f64, seed: u64) -> Score {
    let mut game = Game::new(seed);
    let mut chance = ChaCha8Rng::seed_from_u64(seed ^ 0x005e_ed0f_4015_e000);
    let (mut score, mut formed) = (Score::default(), Formed::default());
    while score.made() < moves {
        let look = game.look();
        let before = measured(&look.before, sigma_mm, &mut chance);
        let after = measured(&look.after, sigma_mm, &mut chance);
        let settings = game.settings();
        if look.fresh {
            formed = Formed::default();
        }
        formed = formed.seen_again(&before, settings);
        let found = explain(Seen::ends(&before, &after, sigma_mm), &look.bound, settings, &formed);
        let best = found.first();
        let good = best.is_some_and(|best| explains(best, &look, sigma_mm));
        let tally = score.by_sort.entry(look.sort()).or_default();
        tally.made += look.made.len();
        if good {
            tally.explained += look.made.len();
        } else {
            score.missed.push(Missed { sort: look.sort(), text: told(&look, best) });
        }
        // What the explanation brought together is known to be joined.
        if let Some(best) = best {
            formed = formed.seen_again(&best.after, settings);
        }
    }
    score
}

fn measured(setup: &Setup, sigma_mm: f64, chance: &mut ChaCha8Rng) -> Setup {
    let mut seen = setup.clone();
    if sigma_mm == 0.0 {
        return seen;
    }
    let mut normal = || {
        let (a, b): (f64, f64) = (chance.random_range(1e-12..1.0), chance.random());
        (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
    };
    for element in &mut seen.elements {
        let by = Vector::new(normal(), normal()) * sigma_mm;
        let turn = normal() * sigma_mm / setup.scale.mm_per_bw();
        element.footprint = element.footprint.moved_to(element.footprint.pose().nudged(by, turn));
    }
    seen
}

fn explains(found: &Explanation, look: &Look, sigma_mm: f64) -> bool {
    let room = 0.05 + 5.0 * sigma_mm;
    let there = off(found, look) <= room;
    let pips: u32 = look.made.iter().map(|m| u32::from(m.pips)).sum();
    there && found.legal && found.pips <= pips
}

/// How far from where it truly stands the explanation puts anybody, millimetres; without end where it makes
/// it something else.
fn off(found: &Explanation, look: &Look) -> f64 {
    let on_board = look.after.elements.iter().filter(|e| e.location == Location::Board);
    on_board.fold(0.0, |most, truth| {
        let off = found.after.element(&truth.name).map_or(f64::INFINITY, |end| {
            let by = end.footprint.pose().centre - truth.footprint.pose().centre;
            if end.troop == truth.troop { by.norm() } else { f64::INFINITY }
        });
        off.max(most)
    })
}

fn told(look: &Look, best: Option<&Explanation>) -> String {
    let mut setup = look.before.clone();
    let mut done: Vec<String> = Vec::new();
    for made in &look.made {
        done.push(notation::write_move(&made.mv, &setup));
        setup = made.mv.applied_to(&setup);
    }
    let pips: u32 = look.made.iter().map(|m| u32::from(m.pips)).sum();
    let Some(best) = best else { return format!("{} for {pips}: nothing found", done.join("; ")) };
    let said: Vec<String> = best
        .moves
        .iter()
        .map(|m| {
            let binding = m.judged.binding().map(|c| format!("{} {}", c.reason.clause, c.reason.text));
            let who: Vec<&str> = m.mv.names().collect();
            format!("{:?} {} [{}]", m.mv.manoeuvre, who.join("+"), binding.unwrap_or_default())
        })
        .collect();
    let nudges: Vec<&str> = best.nudges.iter().map(|n| n.name.as_str()).collect();
    format!(
        "{} for {pips}: {} for {}, off by {:.2} mm, {}; nudged {nudges:?}",
        done.join("; "),
        if best.legal { "legal" } else { "not legal" },
        best.pips,
        off(best, look),
        said.join(" then ")
    )
}
