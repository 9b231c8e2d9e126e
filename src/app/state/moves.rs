//! Watching play: what is known of the bound, what waits to be looked at, and what the looks came to.
//!
//! The watch itself goes to a working thread with every job and comes back with its answer. What happens meanwhile
//! waits in order; of the looks that wait only the newest is kept.

use super::fight::differs;
use crate::app::command::MovesCommand;
use crate::app::engine::{Engine, Happening, Watch, Watched};
use crate::app::view::{MovesView, OverView};
use crate::app::worker::errand::Job;
use crate::judge::Measured;
use crate::rules::Side;
use crate::rules::bound::{Bound, Done};
use std::sync::Arc;

/// What is known of the bound in which moves are made. All of it may be unknown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KnownBound {
    /// Whose it is; without it, whose elements moved most.
    pub side: Option<Side>,
    /// The score of the PIP die.
    pub pips: Option<u8>,
    /// The moves that are over in it.
    pub done: Vec<Done>,
}

/// The mark and what came after it.
#[derive(Debug, Default)]
pub struct Moves {
    phase: Phase,
    known: KnownBound,
    view: Option<MovesView>,
    chosen: usize,
    moving: bool,
    failed: Option<String>,
    /// How far each went in this bound's moves, millimetres.
    moved: Vec<(String, f64)>,
    /// At home, while nothing is being worked out.
    watch: Option<Watch>,
    away: bool,
    /// Whether the watch that is away is still wanted.
    wanted: bool,
    waiting: Vec<Happening>,
    look: Option<Measured>,
    /// What was looked at last.
    looked: Option<Measured>,
}

/// What of a bound is watched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Phase {
    /// Nothing: no mark was set.
    #[default]
    Unwatched,
    /// Moves.
    Moves,
    /// Moves are over: what is moved now the combats bring about.
    Combat,
}

/// What came of a job: none where there was nothing to watch.
pub type Answer = Option<Box<Watched>>;

impl Moves {
    /// What of the bound is watched.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether there is a mark.
    pub fn marked(&self) -> bool {
        self.phase != Phase::Unwatched
    }

    /// What changed since the last move was over, as it was last at rest.
    pub fn view(&self) -> Option<&MovesView> {
        self.view.as_ref()
    }

    /// The explanation that is taken: the one that is offered, unless another was chosen.
    pub fn chosen(&self) -> usize {
        self.chosen
    }

    /// What is known of the bound.
    pub fn known(&self) -> &KnownBound {
        &self.known
    }

    /// Whose bound it is, as far as anybody said or moved.
    pub fn side(&self) -> Option<Side> {
        self.known.side.or(self.view.as_ref().and_then(|view| view.side))
    }

    /// How far each went in this bound's moves, millimetres.
    pub fn moved(&self) -> &[(String, f64)] {
        &self.moved
    }

    /// Whether something still moves: then what was last at rest is shown.
    pub fn moving(&self) -> bool {
        self.moving
    }

    /// Whether something is being worked out.
    pub fn at_work(&self) -> bool {
        self.away || !self.waiting.is_empty() || self.look.is_some()
    }

    /// Why watching has ended, if it broke down.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// Takes over the table as it is now. While something moves nothing is explained.
    pub(super) fn look(&mut self, now: &Measured, at_rest: bool) {
        self.moving = !at_rest;
        if self.phase != Phase::Moves || !at_rest {
            return;
        }
        let stale =
            self.looked.as_ref().is_none_or(|then| then.held != now.held || differs(&then.setup, &now.setup));
        if stale {
            self.look = Some(now.clone());
            self.looked = Some(now.clone());
        }
    }

    /// Carries out a wish, on the table as it is now; what is to be written down of it.
    pub(super) fn carry_out(
        &mut self,
        command: MovesCommand,
        now: Option<&Measured>,
        generals_lost: Vec<Side>,
    ) -> Option<String> {
        match command {
            MovesCommand::Mark => {
                let now = now?;
                self.put(Happening::Mark(Box::new(now.clone())));
                self.looked = Some(now.clone());
                self.phase = Phase::Moves;
                self.failed = None;
                // What was said before there was anything to watch.
                if self.known.side.is_some() {
                    self.put(Happening::Side(self.known.side));
                }
                if self.known.pips.is_some() {
                    self.put(Happening::Pips(self.known.pips));
                }
            }
            MovesCommand::Forget => {
                let known = std::mem::take(&mut self.known);
                let away = self.away;
                *self = Self { away, known: KnownBound { done: Vec::new(), ..known }, ..Self::default() };
            }
            MovesCommand::Side(side) => {
                if self.known.side != side {
                    self.known.done.clear();
                }
                self.known.side = side;
                self.put(Happening::Side(side));
            }
            MovesCommand::Pips(pips) => {
                self.known.pips = pips.filter(|p| (1..=6).contains(p));
                self.put(Happening::Pips(self.known.pips));
            }
            MovesCommand::Choose(n) => self.put(Happening::Choose(n)),
            MovesCommand::Accept => {
                let open = self.view.as_ref().is_some_and(|view| !view.explanations.is_empty());
                self.put(if open { Happening::Close } else { Happening::Stands });
            }
            MovesCommand::Overrule => {
                let view = self.view.as_ref()?;
                let open = view.explanations.get(self.chosen);
                let words = match open {
                    Some(open) => {
                        let moves: Vec<&str> = open.moves.iter().map(|m| m.words.as_str()).collect();
                        let why = open.moves.iter().flat_map(|m| m.conditions.first());
                        let why: Vec<String> = why.map(|c| format!("{} ({})", c.text, c.clause)).collect();
                        format!("it stands: {}; the program said: {}", moves.join("; "), why.join("; "))
                    }
                    None => {
                        let who = view.unexplained.join(", ");
                        format!("it stands: {who}; the program found no move that explains it")
                    }
                };
                let happening = if open.is_some() { Happening::Close } else { Happening::Stands };
                self.put(happening);
                return Some(words);
            }
            MovesCommand::Disallow => {
                let open = self.view.as_ref()?.explanations.get(self.chosen)?;
                let moves: Vec<&str> = open.moves.iter().map(|m| m.words.as_str()).collect();
                return Some(format!(
                    "it is not allowed, and put back: {}; the program let it pass",
                    moves.join("; ")
                ));
            }
            MovesCommand::AcceptNudges(names) => self.put(Happening::Accept(names)),
            MovesCommand::PutBack(names) => self.put(Happening::PutBack(names)),
            MovesCommand::EndMoves => {
                self.put(Happening::Close);
                self.phase = Phase::Combat;
            }
            MovesCommand::NextBound => {
                if self.phase == Phase::Moves {
                    self.put(Happening::Close);
                }
                let side = self.side().map(Side::enemy);
                if let Some(now) = now {
                    self.put(Happening::Look(Box::new(now.clone())));
                    self.looked = Some(now.clone());
                }
                self.look = None;
                self.put(Happening::NextBound { side, generals_lost });
                self.known = KnownBound { side, ..KnownBound::default() };
                self.moved.clear();
                if self.phase != Phase::Unwatched {
                    self.phase = Phase::Moves;
                }
            }
        }
        None
    }

    /// Everything stands as it does, whatever brought it there: somebody was taken off.
    pub(super) fn stands(&mut self, now: &Measured) {
        if self.phase == Phase::Moves {
            self.put(Happening::Look(Box::new(now.clone())));
            self.put(Happening::Close);
            self.put(Happening::Stands);
            self.looked = Some(now.clone());
        }
    }

    fn put(&mut self, happening: Happening) {
        if self.phase == Phase::Unwatched && !matches!(happening, Happening::Mark(_)) {
            return;
        }
        // A look that came before it is done before it.
        if let Some(look) = self.look.take() {
            self.waiting.push(Happening::Look(Box::new(look)));
        }
        self.waiting.push(happening);
    }

    /// The next job, where there is one and the watch is at home.
    pub(super) fn job(&mut self, engine: &Arc<Engine>) -> Option<Job<Answer>> {
        if self.away || (self.waiting.is_empty() && self.look.is_none()) {
            return None;
        }
        let mut happened = std::mem::take(&mut self.waiting);
        happened.extend(self.look.take().map(|look| Happening::Look(Box::new(look))));
        let (watch, engine) = (self.watch.take(), Arc::clone(engine));
        (self.away, self.wanted) = (true, true);
        Some(Box::new(move || engine.watch(watch, happened).map(Box::new)))
    }

    /// A job is done. Moves that are over by it.
    pub(super) fn take(&mut self, answer: Result<Answer, String>) -> Vec<OverView> {
        self.away = false;
        if !std::mem::take(&mut self.wanted) {
            return Vec::new();
        }
        match answer {
            Ok(Some(watched)) => {
                let Watched { watch, view, bound, moved, chosen, over } = *watched;
                self.watch = Some(watch);
                self.known = self.known_of(&bound);
                (self.view, self.chosen, self.moved) = (Some(view), chosen, moved);
                over
            }
            Ok(None) => Vec::new(),
            Err(why) => {
                let away = self.away;
                *self = Self {
                    away,
                    known: std::mem::take(&mut self.known),
                    failed: Some(why),
                    ..Self::default()
                };
                Vec::new()
            }
        }
    }

    /// What people said of the bound stays as they said it; what is over is the watch's.
    fn known_of(&self, bound: &Bound) -> KnownBound {
        KnownBound { done: bound.done.clone(), ..self.known.clone() }
    }
}
