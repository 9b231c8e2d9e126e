//! Watching play: the rules' observer, with all that the window adds to it. Table frame, millimetres.
//!
//! A [`Watch`] goes from the window to a working thread and back with every job, so only one of the two has it. What
//! people wish and what the camera saw is done in the order in which it came.

use super::Engine;
use super::follow::{Awaited, Follow, Stage, furthest};
use super::moves::{Sureness, changed, explanation, mover, nudge, one, sureness};
use crate::geometry::Corner;
use crate::judge::Measured;
use crate::rules::bound::Bound;
use crate::rules::movement::{Answer, Cause, Event, Explained, Explanation, NUDGE_MM, Nudge, Observer};
use crate::rules::{Location, Setup, Side};
use crate::session::view::{Call, MovesView, NudgedView, OverView};

/// A bound whose number nobody has said is a later one than either side's first.
pub const LATER_BOUND: u32 = 3;

/// Something that happened, in order.
#[derive(Debug, Clone)]
pub enum Happening {
    /// Watching begins, or begins anew, with everything as it stands.
    Mark(Box<Measured>),
    /// The table at rest.
    Look(Box<Measured>),
    /// What is open is over.
    Close,
    /// Another explanation of what is open is taken.
    Choose(usize),
    /// Everything stands as it does, whatever brought it there.
    Stands,
    /// These stay where they were nudged to.
    Accept(Vec<String>),
    /// These are being put back.
    PutBack(Vec<String>),
    /// Whose bound it is; none for the side that moves.
    Side(Option<Side>),
    /// The score of the PIP die; none where it is not known.
    Pips(Option<u8>),
    /// The table is followed from here on: bounds are told from moves, and outcomes from where bases stand.
    Follow(Box<Measured>),
    /// Dice lie: everything that the dice of this bound bring about.
    Await(Vec<Awaited>),
    /// Moves are over.
    EndMoves,
    /// Everybody who is lost by now, and the sides whose general is.
    Lost {
        /// Who.
        names: Vec<String>,
        /// Sides whose general is lost.
        generals_lost: Vec<Side>,
    },
    /// Everything stands as it does, and it is that side's bound.
    CarryOn {
        /// The table.
        now: Box<Measured>,
        /// Whose bound it is.
        side: Side,
        /// Sides whose general is lost.
        generals_lost: Vec<Side>,
    },
    /// The next bound begins with everything as it stands.
    NextBound {
        /// Whose it is; none for the other side's.
        side: Option<Side>,
        /// Sides whose general is lost.
        generals_lost: Vec<Side>,
    },
}

/// Play as far as it was watched.
#[derive(Debug, Clone)]
pub struct Watch {
    pub(super) observer: Observer,
    /// As it was measured when the last move was over.
    pub(super) start: Measured,
    /// As it was looked at last.
    pub(super) last: Measured,
    /// Whose bound the players said it is, or by whose move it began.
    pub(super) said: Option<Side>,
    /// Every explanation of what is open, and the one that is taken.
    offered: Vec<Explanation>,
    chosen: usize,
    pub(super) nudged: Vec<(Nudge, Cause)>,
    pub(super) going_back: Vec<String>,
    pub(super) over: Vec<OverView>,
    pub(super) moved: Vec<(String, f64)>,
    /// Where the table is followed; none where marks are set by hand.
    pub(super) follow: Option<Follow>,
}

/// What is told when something has come of watching, in order.
#[derive(Debug, Clone, PartialEq)]
pub enum Told {
    /// A move is over.
    Over(OverView),
    /// A bound has begun, by its side's first move.
    Turned {
        /// Whose.
        side: Side,
        /// What the dice of the bound before had brought about and was not done.
        left: Vec<String>,
    },
    /// Somebody stands as combat left it, though no dice were given.
    Outcome(String),
}

/// A bound that is followed, as it stands.
#[derive(Debug, Clone)]
pub struct Followed {
    /// How far it has gone.
    pub stage: Stage,
    /// Whose it is, as far as anybody said or moved.
    pub side: Option<Side>,
    /// Where everything stood when it began.
    pub began: Setup,
    /// What its dice bring about and is not done yet.
    pub awaited: Vec<Awaited>,
}

/// What came of watching.
#[derive(Debug)]
pub struct Watched {
    /// To go on with.
    pub watch: Watch,
    /// What is shown.
    pub view: MovesView,
    /// The bound, with the moves that are over.
    pub bound: Bound,
    /// How far each element went in this bound's moves, millimetres at its front corners.
    pub moved: Vec<(String, f64)>,
    /// The explanation that is taken.
    pub chosen: usize,
    /// Moves that were over by this, and what else there is to tell.
    pub told: Vec<Told>,
    /// The bound, where it is followed.
    pub followed: Option<Followed>,
}

impl Engine {
    /// Goes on watching with what happened. None where watching has not begun.
    pub fn watch(&self, watch: Option<Watch>, happened: Vec<Happening>) -> Option<Watched> {
        let mut watch = watch;
        let mut told = Vec::new();
        for happening in happened {
            match (happening, &mut watch) {
                (Happening::Mark(now), _) => watch = Some(self.mark(*now, watch.take())),
                (Happening::Follow(now), _) => watch = Some(self.followed(*now)),
                (Happening::CarryOn { now, side, generals_lost }, _) => {
                    let mut on = match watch.take() {
                        Some(watch) if watch.follow.is_some() => watch,
                        _ => self.followed((*now).clone()),
                    };
                    self.carry_on(&mut on, *now, side, generals_lost);
                    watch = Some(on);
                }
                (happening, Some(watch)) => told.extend(self.happened(watch, happening)),
                (_, None) => {}
            }
        }
        let watch = watch?;
        let view = self.view_of(&watch);
        let bound = watch.observer.bound().clone();
        let followed = watch.follow.as_ref().map(|follow| Followed {
            stage: follow.stage,
            side: view.side,
            began: follow.began.clone(),
            awaited: follow.awaited.clone(),
        });
        Some(Watched { view, bound, moved: watch.moved.clone(), chosen: watch.chosen, told, followed, watch })
    }

    pub(super) fn mark(&self, now: Measured, before: Option<Watch>) -> Watch {
        if let Some(mut before) = before {
            before.observer.stand_as(now.setup.clone());
            return Watch { start: now.clone(), last: now, ..before.with_nothing_open() };
        }
        let sigma = sureness(&now, &now).again_mm;
        let bound = Bound::new(LATER_BOUND, Side::Red);
        let observer = Observer::new(now.setup.clone(), bound, self.settings().clone(), sigma);
        Watch {
            observer,
            start: now.clone(),
            last: now,
            said: None,
            offered: Vec::new(),
            chosen: 0,
            nudged: Vec::new(),
            going_back: Vec::new(),
            over: Vec::new(),
            moved: Vec::new(),
            follow: None,
        }
    }

    /// What is open is over.
    pub(super) fn close(&self, watch: &mut Watch) -> Vec<Told> {
        let before = watch.observer.stood().clone();
        let events = watch.observer.close();
        let over = self.over(watch, events, &before);
        watch.start = watch.last.clone();
        watch.offered.clear();
        over.into_iter().map(Told::Over).collect()
    }

    fn happened(&self, watch: &mut Watch, happening: Happening) -> Vec<Told> {
        match happening {
            Happening::Mark(_) | Happening::Follow(_) | Happening::CarryOn { .. } => Vec::new(),
            Happening::Look(now) => {
                let now = now.standing_in(watch.observer.stood());
                match watch.follow {
                    Some(_) => self.follow_look(watch, now),
                    None => self.look_told(watch, now),
                }
            }
            Happening::Close => self.close(watch),
            Happening::Await(all) => {
                let told = self.close(watch);
                if let Some(follow) = &mut watch.follow {
                    follow.awaits(all);
                }
                told
            }
            Happening::EndMoves => {
                if let Some(follow) = &mut watch.follow {
                    (follow.stage, follow.deploying) = (Stage::Combat, false);
                }
                Vec::new()
            }
            Happening::Lost { names, generals_lost } => {
                watch.take_off(&names, &generals_lost);
                Vec::new()
            }
            Happening::Choose(n) => {
                if let Some(explanation) = watch.offered.get(n) {
                    watch.observer.choose(explanation.clone());
                    watch.chosen = n;
                }
                Vec::new()
            }
            Happening::Stands => {
                let now = watch.last.clone();
                watch.observer.stand_as(now.setup.clone());
                watch.forget_open();
                watch.start = now;
                Vec::new()
            }
            Happening::Accept(names) => {
                for name in &names {
                    watch.observer.answer(name, Answer::Accept);
                    watch.start = watch.start.with_one_of(&watch.last, name);
                }
                watch.nudged.retain(|(n, _)| !names.contains(&n.name));
                watch.going_back.retain(|n| !names.contains(n));
                let now = watch.last.clone();
                self.look_told(watch, now)
            }
            Happening::PutBack(names) => {
                watch.going_back.extend(names);
                Vec::new()
            }
            Happening::Side(side) => {
                watch.said = side;
                if let Some(follow) = watch.follow.as_mut().filter(|_| side.is_some()) {
                    follow.deploying = false;
                }
                let known = watch.observer.bound().clone();
                let side = side.unwrap_or(known.side);
                let done = if side == known.side { known.done.clone() } else { Vec::new() };
                self.corrected(watch, Bound { side, done, ..known })
            }
            Happening::Pips(pips) => {
                let mut told = Vec::new();
                if pips.is_some() && watch.next_die() {
                    told.extend(self.close(watch));
                    let side = watch.observer.bound().side.enemy();
                    told.push(self.turn(watch, side));
                }
                if let Some(follow) = watch.follow.as_mut().filter(|_| pips.is_some()) {
                    (follow.deploying, follow.die_is_fresh) = (false, true);
                }
                let bound = Bound { pips, ..watch.observer.bound().clone() };
                told.extend(self.corrected(watch, bound));
                told
            }
            Happening::NextBound { side, generals_lost } => {
                let before = watch.observer.bound();
                let next = Bound::new(before.number + 1, side.unwrap_or(before.side.enemy()));
                watch.observer.stand_as(watch.last.setup.clone());
                watch.observer.correct(Bound { generals_lost, ..next });
                watch.forget_open();
                (watch.over, watch.moved) = (Vec::new(), Vec::new());
                watch.said = Some(watch.observer.bound().side);
                watch.start = watch.last.clone();
                if let Some(follow) = &mut watch.follow {
                    follow.next(watch.last.setup.clone());
                }
                Vec::new()
            }
        }
    }

    /// The bound was another than was thought: what is seen is told anew.
    fn corrected(&self, watch: &mut Watch, bound: Bound) -> Vec<Told> {
        if bound.side != watch.observer.bound().side {
            (watch.over, watch.moved) = (Vec::new(), Vec::new());
        }
        watch.observer.correct(bound);
        watch.forget_open();
        let now = watch.last.clone();
        self.look_told(watch, now)
    }

    fn look_told(&self, watch: &mut Watch, now: Measured) -> Vec<Told> {
        self.look(watch, now).into_iter().map(Told::Over).collect()
    }

    pub(super) fn look(&self, watch: &mut Watch, now: Measured) -> Vec<OverView> {
        let bound = watch.observer.bound();
        if watch.follow.is_none() && watch.said.is_none() && bound.done.is_empty() {
            let sigma = sureness(&watch.start, &now).again_mm;
            let side = mover(&changed(watch.observer.stood(), &now.setup, sigma));
            if let Some(side) = side.filter(|side| *side != bound.side) {
                let bound = Bound { side, ..bound.clone() };
                watch.observer.correct(bound);
                watch.forget_open();
            }
        }
        watch.back_again(&now);
        let before = watch.observer.stood().clone();
        let events = watch.observer.look(&now.setup);
        let over = self.over(watch, events, &before);
        if !over.is_empty() {
            watch.start = watch.last.clone();
        }
        if watch.observer.open().is_none() {
            watch.offered.clear();
            watch.chosen = 0;
        }
        watch.last = now;
        over
    }

    /// Takes events over; gives the moves that are over by them. `before` is where those began.
    fn over(&self, watch: &mut Watch, events: Vec<Event>, before: &Setup) -> Vec<OverView> {
        let sure = sureness(&watch.start, &watch.last);
        let mut table = before.clone();
        let mut over = Vec::new();
        for event in events {
            match event {
                Event::Open { best, others } => {
                    watch.offered = std::iter::once(best).chain(others).collect();
                    watch.chosen = 0;
                }
                Event::Withdrawn => watch.offered.clear(),
                Event::Over(done) => {
                    over.push(told(&done, &table, &sure, watch));
                    watch.moved.extend(far(&done, &table));
                    table = done.judged.after.clone();
                }
                Event::Followed(_) => {}
                Event::Nudged { nudges, cause } => {
                    watch.nudged.retain(|(n, _)| !nudges.iter().any(|fresh| fresh.name == n.name));
                    watch.nudged.extend(nudges.into_iter().map(|n| (n, cause)));
                }
            }
        }
        watch.over.extend(over.iter().cloned());
        over
    }

    fn view_of(&self, watch: &Watch) -> MovesView {
        let (stood, now) = (watch.observer.stood(), &watch.last);
        let sure = sureness(&watch.start, now);
        let side = watch.observer.bound().side;
        let changed = changed(stood, &now.setup, sure.again_mm);
        let nudged_by = |name: &str| watch.nudged.iter().any(|(n, _)| n.name == name);
        let moved: Vec<_> = changed
            .iter()
            .filter(|(e, mm)| e.side == side && *mm > NUDGE_MM && !nudged_by(&e.name))
            .map(|(e, _)| *e)
            .collect();
        let mut explanations: Vec<_> = match watch.observer.open() {
            Some(open) if watch.offered.is_empty() => vec![explanation(open, stood, &sure, now.held)],
            Some(open) => {
                let taken =
                    |n: usize, e: &Explanation| if n == watch.chosen { open.clone() } else { e.clone() };
                let all = watch.offered.iter().enumerate().map(|(n, e)| taken(n, e));
                all.map(|e| explanation(&e, stood, &sure, now.held)).collect()
            }
            None => Vec::new(),
        };
        for nudge in explanations.iter_mut().flat_map(|e| &mut e.nudges) {
            nudge.going_back = watch.going_back.contains(&nudge.name);
        }
        let unseen = stood
            .elements
            .iter()
            .filter(|e| e.location == Location::Board && now.setup.element(&e.name).is_none());
        let unexplained =
            if explanations.is_empty() { moved.iter().map(|e| e.name.clone()).collect() } else { Vec::new() };
        let moved_something = match watch.follow {
            Some(_) => watch.observer.open().is_some(),
            None => !changed.is_empty(),
        };
        let told = watch.said.is_some() || !watch.over.is_empty() || moved_something;
        MovesView {
            side: told.then_some(side),
            explanations,
            unexplained,
            unseen: unseen.map(|e| e.name.clone()).collect(),
            nudged: watch.nudged_views(),
            over: watch.over.clone(),
            zones: self.zones_near(&moved, now),
            under: self.settings().name().to_string(),
        }
    }
}

impl Watch {
    pub(super) fn forget_open(&mut self) {
        self.offered.clear();
        self.chosen = 0;
        self.nudged.clear();
        self.going_back.clear();
    }

    fn with_nothing_open(mut self) -> Self {
        self.forget_open();
        self
    }

    /// What was nudged and stands where it stood is nudged no more.
    fn back_again(&mut self, now: &Measured) {
        let still = 8.0 * sureness(&self.start, now).again_mm;
        let stood = self.observer.stood();
        let back = |name: &str| {
            let (was, is) = (stood.element(name), now.setup.element(name));
            matches!((was, is), (Some(was), Some(is)) if furthest(&was.footprint, &is.footprint) <= still)
        };
        let names: Vec<String> =
            self.nudged.iter().map(|(n, _)| n.name.clone()).filter(|name| back(name)).collect();
        for name in &names {
            self.observer.answer(name, Answer::PutBack);
        }
        self.nudged.retain(|(n, _)| !names.contains(&n.name));
        self.going_back.retain(|n| !names.contains(n));
    }

    /// What stirred, by what it looks like.
    fn nudged_views(&self) -> Vec<NudgedView> {
        let mut views: Vec<(Cause, NudgedView)> = Vec::new();
        for (stirred, cause) in &self.nudged {
            let Some(mut view) = nudge(stirred, self.observer.stood()) else { continue };
            view.going_back = self.going_back.contains(&view.name);
            match views.iter_mut().find(|(known, _)| known == cause) {
                Some((_, known)) => known.nudges.push(view),
                None => views
                    .push((*cause, NudgedView { words: cause_words(*cause).to_owned(), nudges: vec![view] })),
            }
        }
        views.into_iter().map(|(_, view)| view).collect()
    }
}

fn cause_words(cause: Cause) -> &'static str {
    match cause {
        Cause::Bump => "The table was bumped",
        Cause::Sleeve => "Brushed by a sleeve or a hand",
        Cause::Straightened => "Straightened against its neighbours",
        Cause::OtherSide => "It is not this side's bound",
    }
}

/// A move that is over, in words.
fn told(done: &Explained, before: &Setup, sure: &Sureness, watch: &Watch) -> OverView {
    let view = one(done, before, sure, watch.last.held);
    let pips = if view.pips == 1 { "1 PIP".to_owned() } else { format!("{} PIPs", view.pips) };
    let verdict = match view.call {
        Call::Yes => "legal".to_owned(),
        Call::No => {
            let failed = view.conditions.first();
            failed.map_or("not legal".to_owned(), |c| format!("not legal: {} ({})", c.text, c.clause))
        }
        Call::TooClose => "too close to call".to_owned(),
        Call::Held => "rulings were held".to_owned(),
    };
    OverView { words: format!("{}, {pips}, {verdict}", view.words), call: view.call }
}

/// How far each went at its front corner that went furthest, straight from start to end.
fn far(done: &Explained, before: &Setup) -> Vec<(String, f64)> {
    let of = |name: &str| {
        let (from, to) = (before.element(name)?, done.judged.after.element(name)?);
        let corners = [Corner::FrontLeft, Corner::FrontRight];
        let went = |c: Corner| (to.footprint.corner(c) - from.footprint.corner(c)).norm();
        Some((name.to_owned(), corners.into_iter().map(went).fold(0.0, f64::max)))
    };
    done.mv.names().filter_map(of).collect()
}
