//! A game as it goes on: bounds, PIP dice, moves by chance, contacts lined up, combat, the next bound.

use super::attempts::{Hand, attempt};
use super::{Sort, contact, table};
use crate::rules::bound::{Bound, Done};
use crate::rules::closing::{Chosen, Earlier, close};
use crate::rules::movement::{Judged, TacticalMove, judge};
use crate::rules::{Location, Settings, Setup, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Attempts at a legal move before the bound is over.
const TRIES: u32 = 60;
/// Bounds of a game.
const BOUNDS: u32 = 24;
/// Who is moved goes further than this, millimetres: what stirs less is a nudge.
const STIRS_MM: f64 = 3.0;

/// What is tried, those that seldom come off the more often.
const DRAWN: [Sort; 26] = [
    Sort::Single,
    Sort::Detour,
    Sort::TurnOnTheSpot,
    Sort::GroupAhead,
    Sort::GroupAhead,
    Sort::GroupWheel,
    Sort::GroupWheel,
    Sort::GroupWheel,
    Sort::ColumnAhead,
    Sort::ColumnWheel,
    Sort::ColumnWheel,
    Sort::IntoColumn,
    Sort::IntoColumn,
    Sort::IntoColumn,
    Sort::Road,
    Sort::ZoneLineUp,
    Sort::ZoneLineUp,
    Sort::Contact,
    Sort::Contact,
    Sort::Contact,
    Sort::Contact,
    Sort::GroupContact,
    Sort::GroupContact,
    Sort::GroupContact,
    Sort::Dismount,
    Sort::Again,
];

/// A legal move that was made.
#[derive(Debug, Clone, PartialEq)]
pub struct Made {
    /// The move.
    pub mv: TacticalMove,
    /// What sort it is.
    pub sort: Sort,
    /// What it cost.
    pub pips: u8,
}

/// The table at two moments, and what was done between them.
#[derive(Debug, Clone, PartialEq)]
pub struct Look {
    /// Where everything stood.
    pub before: Setup,
    /// Where it stands.
    pub after: Setup,
    /// The bound, with the moves made before the first moment.
    pub bound: Bound,
    /// The moves made between, in order.
    pub made: Vec<Made>,
    /// Whether a game begins with it: nothing of before holds any more.
    pub fresh: bool,
}

impl Look {
    /// The sort that it is counted under.
    pub fn sort(&self) -> Sort {
        match self.made.as_slice() {
            [one] => one.sort,
            _ => Sort::Several,
        }
    }
}

/// Games without end, one after the other, drawn from a seed.
#[derive(Debug)]
pub struct Game {
    settings: Settings,
    chance: ChaCha8Rng,
    setup: Setup,
    bound: Bound,
    fresh: bool,
}

impl Game {
    /// The first game of a seed.
    pub fn new(seed: u64) -> Self {
        let settings = Settings::dba3();
        let setup = table(&settings);
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let pips = chance.random_range(1..=6);
        Self { setup, settings, chance, bound: Bound::new(1, Side::Red).with_pips(pips), fresh: true }
    }

    /// The rules that it is played by.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Plays on until something was moved, and looks.
    pub fn look(&mut self) -> Look {
        loop {
            let (before, bound) = (self.setup.clone(), self.bound.clone());
            let several = if self.chance.random_bool(0.15) { self.chance.random_range(2..=3) } else { 1 };
            let mut made: Vec<Made> = Vec::new();
            while made.len() < several {
                let Some((one, judged)) = self.legal_move() else { break };
                let movers = one.mv.names().map(str::to_owned).collect();
                self.bound.done.push(Done { movers, how: one.mv.how(), pips: one.pips });
                let in_contact = matches!(one.sort, Sort::Contact | Sort::GroupContact);
                self.setup = judged.after;
                made.push(one);
                if in_contact {
                    break;
                }
            }
            if made.is_empty() {
                self.next_bound();
                continue;
            }
            let moves: Vec<TacticalMove> = made.iter().map(|m| m.mv.clone()).collect();
            let closed = close(&before, &self.settings, &moves, &Earlier::default(), &Chosen::default());
            let shifted = closed.map_or_else(|_| self.setup.clone(), |closed| closed.after);
            let over = shifted != self.setup
                || made.iter().any(|m| matches!(m.sort, Sort::Contact | Sort::GroupContact));
            self.setup = self.becoming(shifted);
            let fresh = std::mem::take(&mut self.fresh);
            let look = Look { before, after: self.setup.clone(), bound, made, fresh };
            if over {
                self.next_bound();
            }
            return look;
        }
    }

    /// The table, those who dismounted being what they became.
    fn becoming(&self, mut shifted: Setup) -> Setup {
        for (element, now) in shifted.elements.iter_mut().zip(&self.setup.elements) {
            element.troop.clone_from(&now.troop);
        }
        shifted
    }

    fn legal_move(&mut self) -> Option<(Made, Judged)> {
        for _ in 0..TRIES {
            let sort = DRAWN[self.chance.random_range(0..DRAWN.len())];
            let hand = Hand::new(&self.setup, &self.settings, &self.bound);
            let Some(mv) = attempt(sort, &hand, &mut self.chance) else { continue };
            let Ok(judged) = judge(&self.setup, &self.bound, &self.settings, &mv) else { continue };
            let stirs = mv.movers.iter().all(|m| {
                let stood = self.setup.element(&m.name).map(|e| e.footprint);
                stood.is_some_and(|base| {
                    let end = base.moved_to(m.end(base.pose()));
                    let far = |c| (end.corner(c) - base.corner(c)).norm();
                    crate::geometry::Corner::ALL.into_iter().map(far).fold(0.0, f64::max) > STIRS_MM
                })
            });
            if judged.legal && (stirs || sort == Sort::Dismount) {
                let moved = mv.names().any(|name| self.bound.moves_of(name).next().is_some());
                let sort = if moved { Sort::Again } else { sort };
                let pips = judged.pips;
                return Some((Made { mv, sort, pips }, judged));
            }
        }
        None
    }

    fn next_bound(&mut self) {
        contact::fight(&mut self.setup, &mut self.chance);
        let pips = self.chance.random_range(1..=6);
        self.bound = self.bound.next().with_pips(pips);
        let left = |side| {
            self.setup.elements.iter().filter(|e| e.side == side && e.location == Location::Board).count()
        };
        if self.bound.number > BOUNDS || left(Side::Red) < 6 || left(Side::Blue) < 6 {
            self.setup = table(&self.settings);
            self.bound = Bound::new(1, Side::Red).with_pips(pips);
            self.fresh = true;
        }
    }
}
