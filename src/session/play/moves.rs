//! Watching play: what is known of the bound, what waits to be looked at, and what the looks came to.
//!
//! The watch itself goes to a working thread with every job and comes back with its answer. What happens meanwhile
//! waits in order; of the looks that wait only the newest is kept.

use super::fight::differs;
use super::{Act, Job};
use crate::judge::Measured;
use crate::rules::Setup;
use crate::rules::Side;
use crate::rules::bound::{Bound, Done};
use crate::session::engine::{Awaited, Engine, Followed, Happening, Stage, Told, Watch, Watched};
use crate::session::view::MovesView;
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
    follows: Follows,
    followed: Option<Followed>,
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
    wanted: Wanted,
    waiting: Vec<Happening>,
    look: Option<Measured>,
    /// What was looked at last.
    looked: Option<Measured>,
}

/// What is wanted of the watch that is away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
enum Wanted {
    #[default]
    Nothing,
    /// The mark was taken away meanwhile: moves that were over before that are still told.
    WhatIsOver,
    All,
}

/// Whether the table is followed without being told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Follows {
    /// As soon as it is at rest.
    #[default]
    Soon,
    /// It is.
    Yes,
    /// Marks are set by hand, or somebody said to forget it.
    No,
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

    /// Whether a job is being done elsewhere.
    pub(super) fn is_away(&self) -> bool {
        self.away
    }

    /// Whether bounds and outcomes are told from the table without being asked for.
    pub fn follows(&self) -> bool {
        self.follows == Follows::Yes
    }

    /// Where everything stood when this bound began, where it is followed.
    pub fn began(&self) -> Option<&Setup> {
        self.followed.as_ref().map(|f| &f.began)
    }

    /// Whether following may begin.
    pub(super) fn may_follow(&self) -> bool {
        self.follows == Follows::Soon && self.phase == Phase::Unwatched && !self.away
    }

    /// Whether dice wait to be taken into the bound.
    pub(super) fn awaits_more(&self) -> bool {
        self.waiting.iter().any(|h| matches!(h, Happening::Await(_)))
    }

    /// Why watching has ended, if it broke down.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// Takes over the table as it is now. While something moves nothing is explained. Whether it is one to be watched,
    /// in place of the one that waits.
    pub(super) fn look(&mut self, now: &Measured, at_rest: bool) -> bool {
        self.moving = !at_rest;
        let watched = match self.follows {
            // A table that was knocked tells nothing of who moved.
            Follows::Yes => self.phase != Phase::Unwatched && now.held.is_none(),
            Follows::Soon | Follows::No => self.phase == Phase::Moves,
        };
        if !watched || !at_rest {
            return false;
        }
        let stale =
            self.looked.as_ref().is_none_or(|then| then.held != now.held || differs(&then.setup, &now.setup));
        if stale {
            self.watch_this(now);
        }
        stale
    }

    /// This is the next look to be watched.
    pub(super) fn watch_this(&mut self, now: &Measured) {
        self.look = Some(now.clone());
        self.looked = Some(now.clone());
    }

    /// The look that waits is watched before whatever comes now. Whether one waited.
    pub(super) fn settle(&mut self) -> bool {
        let look = self.look.take().map(|look| Happening::Look(Box::new(look)));
        let waited = look.is_some();
        self.waiting.extend(look);
        waited
    }

    /// What a person did about moves, on the table as it is now. Invariant: no look waits.
    pub(super) fn act(&mut self, act: &Act, now: Option<&Measured>, generals_lost: Vec<Side>) {
        match act {
            Act::Mark => {
                let Some(now) = now else { return };
                self.put(Happening::Mark(Box::new(now.clone())));
                self.looked = Some(now.clone());
                self.phase = Phase::Moves;
                self.failed = None;
                self.say_known();
            }
            Act::Follow => {
                let Some(now) = now else { return };
                if self.phase != Phase::Unwatched {
                    self.known = KnownBound::default();
                }
                (self.phase, self.follows, self.failed) = (Phase::Moves, Follows::Yes, None);
                self.put(Happening::Follow(Box::new(now.clone())));
                self.looked = Some(now.clone());
                self.say_known();
            }
            Act::ForgetMark => {
                let known = std::mem::take(&mut self.known);
                let (away, wanted) = (self.away, self.wanted.min(Wanted::WhatIsOver));
                let known = KnownBound { done: Vec::new(), ..known };
                *self = Self { away, wanted, known, follows: Follows::No, ..Self::default() };
            }
            Act::Side(side) => {
                if self.known.side != *side {
                    self.known.done.clear();
                }
                self.known.side = *side;
                self.put(Happening::Side(*side));
            }
            Act::Pips(pips) => {
                self.known.pips = pips.filter(|p| (1..=6).contains(p));
                self.put(Happening::Pips(self.known.pips));
            }
            Act::Choose(n) => self.put(Happening::Choose(*n)),
            Act::Close | Act::LetStand { explained: true, .. } => self.put(Happening::Close),
            Act::Stands | Act::LetStand { explained: false, .. } => self.put(Happening::Stands),
            Act::AcceptNudges(names) => self.put(Happening::Accept(names.clone())),
            Act::PutBack(names) => self.put(Happening::PutBack(names.clone())),
            Act::EndMoves => {
                self.put(Happening::Close);
                self.put(Happening::EndMoves);
                self.phase = Phase::Combat;
            }
            Act::NextBound(side) => {
                if self.phase == Phase::Moves {
                    self.put(Happening::Close);
                }
                let side = *side;
                if let Some(now) = now {
                    self.put(Happening::Look(Box::new(now.clone())));
                    self.looked = Some(now.clone());
                }
                self.put(Happening::NextBound { side, generals_lost });
                self.known = KnownBound { side, ..KnownBound::default() };
                self.moved.clear();
                if self.phase != Phase::Unwatched {
                    self.phase = Phase::Moves;
                }
            }
            _ => {}
        }
    }

    /// What was said before there was anything to watch.
    fn say_known(&mut self) {
        if self.known.side.is_some() {
            self.put(Happening::Side(self.known.side));
        }
        if self.known.pips.is_some() {
            self.put(Happening::Pips(self.known.pips));
        }
    }

    /// Dice lie: all that those of this bound bring about.
    pub(super) fn awaits(&mut self, all: Vec<Awaited>) {
        if self.follows() {
            self.put(Happening::Await(all));
            self.phase = Phase::Combat;
        }
    }

    /// Everybody who is lost by now.
    pub(super) fn lost(&mut self, names: Vec<String>, generals_lost: Vec<Side>) {
        self.put(Happening::Lost { names, generals_lost });
    }

    /// Everything stands as it does, in that side's bound.
    pub(super) fn carry_on(&mut self, now: &Measured, side: Side, generals_lost: Vec<Side>) {
        (self.phase, self.follows, self.failed, self.look) = (Phase::Moves, Follows::Yes, None, None);
        self.put(Happening::CarryOn { now: Box::new(now.clone()), side, generals_lost });
        self.looked = Some(now.clone());
        self.known = match self.side() == Some(side) {
            true => KnownBound { side: Some(side), ..self.known.clone() },
            false => KnownBound { side: Some(side), ..KnownBound::default() },
        };
    }

    /// What is open, as the umpire lets it stand: whether there is an explanation of it, and what is to be written
    /// down. None where nothing was looked at.
    pub fn let_stand(&self) -> Option<(bool, String)> {
        let view = self.view.as_ref()?;
        let Some(open) = view.explanations.get(self.chosen) else {
            let who = view.unexplained.join(", ");
            return Some((false, format!("it stands: {who}; the program found no move that explains it")));
        };
        let moves: Vec<&str> = open.moves.iter().map(|m| m.words.as_str()).collect();
        let why = open.moves.iter().flat_map(|m| m.conditions.first());
        let why: Vec<String> = why.map(|c| format!("{} ({})", c.text, c.clause)).collect();
        Some((true, format!("it stands: {}; the program said: {}", moves.join("; "), why.join("; "))))
    }

    /// What is open, as the umpire does not allow it: what is to be written down. None where nothing is open.
    pub fn disallow(&self) -> Option<String> {
        let open = self.view.as_ref()?.explanations.get(self.chosen)?;
        let moves: Vec<&str> = open.moves.iter().map(|m| m.words.as_str()).collect();
        Some(format!("it is not allowed, and put back: {}; the program let it pass", moves.join("; ")))
    }

    /// Everything stands as it does, whatever brought it there: somebody was taken off.
    pub(super) fn stands(&mut self, now: &Measured) {
        if self.phase == Phase::Moves {
            self.put(Happening::Look(Box::new(now.clone())));
            self.put(Happening::Close);
            self.put(Happening::Stands);
            self.looked = Some(now.clone());
            self.look = None;
        }
    }

    fn put(&mut self, happening: Happening) {
        let begins =
            matches!(happening, Happening::Mark(_) | Happening::Follow(_) | Happening::CarryOn { .. });
        if self.phase == Phase::Unwatched && !begins {
            return;
        }
        self.waiting.push(happening);
    }

    /// Whether there is something to watch and the watch is at home.
    pub(super) fn ready(&self) -> bool {
        !self.away && (!self.waiting.is_empty() || self.look.is_some())
    }

    /// The next job, where there is one and the watch is at home.
    pub(super) fn job(&mut self, engine: &Arc<Engine>) -> Option<Job<Answer>> {
        if self.away || self.waiting.is_empty() {
            return None;
        }
        let happened = std::mem::take(&mut self.waiting);
        let (watch, engine) = (self.watch.take(), Arc::clone(engine));
        (self.away, self.wanted) = (true, Wanted::All);
        Some(Box::new(move || engine.watch(watch, happened).map(Box::new)))
    }

    /// A job is done. Moves that are over by it.
    pub(super) fn take(&mut self, answer: Result<Answer, String>) -> Vec<Told> {
        self.away = false;
        let wanted = std::mem::take(&mut self.wanted);
        match answer {
            _ if wanted == Wanted::Nothing => Vec::new(),
            Ok(watched) if wanted == Wanted::WhatIsOver => watched
                .map_or(Vec::new(), |w| w.told.into_iter().filter(|t| matches!(t, Told::Over(_))).collect()),
            Ok(Some(watched)) => {
                let Watched { watch, view, bound, moved, chosen, told, followed } = *watched;
                self.watch = Some(watch);
                self.known = match &followed {
                    Some(followed) => self.followed_bound(followed, &bound),
                    None => self.known_of(&bound),
                };
                (self.view, self.chosen, self.moved) = (Some(view), chosen, moved);
                self.followed = followed;
                told
            }
            Ok(None) => Vec::new(),
            Err(why) => {
                let away = self.away;
                let known = std::mem::take(&mut self.known);
                *self = Self { away, known, failed: Some(why), follows: Follows::No, ..Self::default() };
                Vec::new()
            }
        }
    }

    /// What people said of the bound stays as they said it; what is over is the watch's.
    fn known_of(&self, bound: &Bound) -> KnownBound {
        KnownBound { done: bound.done.clone(), ..self.known.clone() }
    }

    /// The bound as the watch has it, with what was said since and waits to be watched.
    fn followed_bound(&mut self, followed: &Followed, bound: &Bound) -> KnownBound {
        let mut known = KnownBound { side: followed.side, pips: bound.pips, done: bound.done.clone() };
        self.phase = match followed.stage {
            Stage::Moves => Phase::Moves,
            Stage::Combat => Phase::Combat,
        };
        for happening in &self.waiting {
            match happening {
                Happening::Side(side) => known.side = *side,
                Happening::Pips(pips) => known.pips = *pips,
                Happening::Await(_) | Happening::EndMoves => self.phase = Phase::Combat,
                Happening::NextBound { side, .. } => {
                    known = KnownBound { side: *side, ..KnownBound::default() };
                    self.phase = Phase::Moves;
                }
                Happening::CarryOn { side, .. } => known.side = Some(*side),
                _ => {}
            }
        }
        known
    }
}
