//! The mark from which moves are read, what is known of the bound, and the explanations of what changed since.

use crate::app::command::MovesCommand;
use crate::app::engine::{Engine, KnownBound};
use crate::app::view::MovesView;
use crate::geometry::Corner;
use crate::judge::Measured;
use crate::rules::group::Formed;
use crate::rules::{Setup, Side};

/// Places that changed by less than this since they were last explained are not explained anew, millimetres: what a
/// base at rest is read to wander.
const WANDER_MM: f64 = 0.15;

/// The mark and what came after it.
#[derive(Debug, Default)]
pub struct Moves {
    mark: Option<Mark>,
    known: KnownBound,
    view: Option<MovesView>,
    explained: Option<Measured>,
    chosen: usize,
    moving: bool,
}

/// Where everything stood.
#[derive(Debug)]
struct Mark {
    measured: Measured,
    formed: Formed,
}

impl Moves {
    /// Whether there is a mark.
    pub fn marked(&self) -> bool {
        self.mark.is_some()
    }

    /// What changed since the mark, as it was last at rest.
    pub fn view(&self) -> Option<&MovesView> {
        self.view.as_ref()
    }

    /// The explanation that is shown: the one that is offered, unless another was chosen.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// What is known of the bound.
    pub fn known(&self) -> &KnownBound {
        &self.known
    }

    /// Whether something still moves: then what was last at rest is shown.
    pub fn moving(&self) -> bool {
        self.moving
    }

    /// Takes over the table as it is now. While something moves nothing is explained.
    pub(super) fn look(&mut self, engine: &Engine, now: &Measured, at_rest: bool) {
        self.moving = !at_rest;
        let Some(mark) = &self.mark else { return };
        let stale = match &self.explained {
            None => true,
            Some(then) => then.held != now.held || differs(&then.setup, &now.setup),
        };
        if !at_rest || !stale {
            return;
        }
        self.view = Some(engine.moves(&mark.measured, now, &mark.formed, &self.known));
        self.explained = Some(now.clone());
        self.chosen = 0;
    }

    /// Carries out a wish, on the table as it is now.
    pub(super) fn carry_out(&mut self, command: MovesCommand, engine: &Engine, now: Option<&Measured>) {
        match command {
            MovesCommand::Mark => self.mark_now(engine, now),
            MovesCommand::Forget => *self = Self::default(),
            MovesCommand::Side(side) => {
                if self.known.side != side {
                    self.known.done.clear();
                }
                self.known.side = side;
            }
            MovesCommand::Pips(pips) => self.known.pips = pips.filter(|p| (1..=6).contains(p)),
            MovesCommand::Choose(n) => {
                self.chosen = n;
                return;
            }
            MovesCommand::Accept => {
                let view = self.view.as_ref();
                let Some(side) = view.and_then(|view| view.side) else { return };
                if let Some(explanation) = view.and_then(|view| view.explanations.get(self.chosen)) {
                    self.known.done.extend(explanation.done.iter().cloned());
                    self.known.side = Some(side);
                }
                self.mark_now(engine, now);
            }
            MovesCommand::AcceptNudge(name) => {
                let (Some(mark), Some(now)) = (&mut self.mark, now) else { return };
                mark.measured = mark.measured.with_one_of(now, &name);
            }
            MovesCommand::NextBound => {
                let side = self.known.side.or(self.view.as_ref().and_then(|view| view.side));
                self.known = KnownBound { side: side.map(Side::enemy), ..KnownBound::default() };
                self.mark_now(engine, now);
            }
        }
        // Something that bears on it has changed.
        self.explained = None;
        if let Some(now) = now {
            let at_rest = !self.moving;
            self.look(engine, now, at_rest);
        }
    }

    fn mark_now(&mut self, engine: &Engine, now: Option<&Measured>) {
        let Some(now) = now else { return };
        // A group once formed stays one until its parts visibly part.
        let before = self.mark.take().map(|mark| mark.formed).unwrap_or_default();
        let formed = before.seen_again(&now.setup, engine.settings());
        self.mark = Some(Mark { measured: now.clone(), formed });
        (self.view, self.explained, self.chosen) = (None, None, 0);
    }
}

/// Whether anything stands visibly elsewhere.
fn differs(then: &Setup, now: &Setup) -> bool {
    then.elements.len() != now.elements.len()
        || then.elements.iter().any(|e| {
            now.element(&e.name).is_none_or(|n| {
                Corner::ALL
                    .into_iter()
                    .any(|c| (n.footprint.corner(c) - e.footprint.corner(c)).norm() > WANDER_MM)
            })
        })
}
