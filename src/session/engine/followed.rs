//! What following does to a watch: each look is shared out ([`super::follow`]), and what is no move stands as it is
//! seen before the observer explains the rest. Table frame, millimetres.
//!
//! Nothing is asked: a nudge that nobody answers counts as accepted when play goes on; dice that nobody gave leave the
//! table as it stands. Invariant: of a look that held nothing but moves of the side whose bound it is, the observer is
//! told as it is.

use super::Engine;
use super::follow::{Awaited, Follow, Looks, Shared, Stage, furthest};
use super::watch::{Told, Watch};
use crate::judge::Measured;
use crate::rules::bound::Bound;
use crate::rules::movement::{Answer, Cause, Nudge, bumped};
use crate::rules::{Setup, Side};

/// A side that moves again after combat has begun a bound of its own when it goes so far, millimetres.
const ANEW_MM: f64 = 10.0;

impl Engine {
    /// The watch of a table that is followed from here on, with what was known of the bound.
    pub(super) fn followed(&self, now: Measured) -> Watch {
        let began = now.setup.clone();
        let mut watch = self.mark(now, None);
        watch.follow = Some(Follow::from(began));
        watch
    }

    /// A look at a table that is followed.
    pub(super) fn follow_look(&self, watch: &mut Watch, now: Measured) -> Vec<Told> {
        if self.newcomers(watch, &now) {
            return Vec::new();
        }
        let mut told = self.slid_while_open(watch, &now);
        let shared = self.shared(watch, &now);
        if [&shared.mine, &shared.theirs, &shared.fought].into_iter().any(|s| !s.is_empty()) {
            accept_ignored(watch, &shared);
        }
        told.extend(self.stand_fought(watch, &now, &shared.fought));
        if watch.observer.open().is_none() {
            for name in &shared.conformed {
                stand(watch, &now, name);
            }
        }
        let theirs = without_followers(watch, &now, shared.theirs);
        if !theirs.is_empty() {
            told.extend(self.their_turn(watch, &now, &theirs, &shared.mine));
        } else if watch.stage() == Stage::Combat && shared.mine.iter().any(|n| far(watch, &now, n) > ANEW_MM)
        {
            // The other side has let its bound go by.
            let side = watch.observer.bound().side;
            told.push(self.turn(watch, side.enemy()));
            told.push(self.turn(watch, side));
        }
        told.extend(self.look(watch, now).into_iter().map(Told::Over));
        let moved = watch.observer.open().is_some();
        let over = !watch.observer.bound().done.is_empty();
        if let Some(follow) = &mut watch.follow {
            follow.deploying &= !over;
            follow.die_is_fresh &= !moved;
        }
        told
    }

    /// Who comes on to the table is watched from where it comes; while the armies are being put there, everything is.
    /// Whether they still are.
    fn newcomers(&self, watch: &mut Watch, now: &Measured) -> bool {
        let stood = watch.observer.stood();
        let new: Vec<_> =
            now.setup.elements.iter().filter(|e| stood.element(&e.name).is_none()).cloned().collect();
        let Some(follow) = watch.follow.as_mut().filter(|_| !new.is_empty()) else { return false };
        if follow.deploying {
            follow.began = now.setup.clone();
            watch.observer.stand_as(now.setup.clone());
            watch.forget_open();
            (watch.start, watch.last) = (now.clone(), now.clone());
            return true;
        }
        for element in new {
            watch.observer.put_on(&element);
            follow.began.elements.push(element);
        }
        false
    }

    /// The table was bumped since the last look, and a move was open: it is over as it was then, and whoever made it
    /// slid along.
    fn slid_while_open(&self, watch: &mut Watch, now: &Measured) -> Vec<Told> {
        let Some(open) = watch.observer.open() else { return Vec::new() };
        let movers: Vec<String> = open.moves.iter().flat_map(|m| m.mv.names()).map(str::to_owned).collect();
        let sigma_mm = super::moves::sureness(&watch.start, now).again_mm;
        let carried = bumped(&watch.last.setup, &now.setup, sigma_mm);
        if carried.is_empty() {
            return Vec::new();
        }
        let told = self.close(watch);
        for name in movers.iter().filter(|name| carried.contains(name)) {
            stand(watch, now, name);
        }
        told
    }

    fn shared(&self, watch: &Watch, now: &Measured) -> Shared {
        let Some(follow) = &watch.follow else { return Shared::default() };
        let open: Vec<String> = watch.observer.open().map_or(Vec::new(), |open| {
            open.moves.iter().flat_map(|m| m.mv.names()).map(str::to_owned).collect()
        });
        let stood = watch.observer.stood();
        let looks = Looks {
            stood,
            last: if open.is_empty() { stood } else { &watch.last.setup },
            seen: &watch.last.setup,
            now: &now.setup,
            bound: watch.observer.bound(),
            open: &open,
            rules: self.settings().ruleset(),
            sigma_mm: super::moves::sureness(&watch.start, now).again_mm,
        };
        looks.shared(follow)
    }

    /// What combat brought about stands as it is seen.
    fn stand_fought(&self, watch: &mut Watch, now: &Measured, fought: &[String]) -> Vec<Told> {
        if fought.is_empty() {
            return Vec::new();
        }
        let mut told = self.close(watch);
        for name in fought {
            let (was, is) = (watch.observer.stood().element(name), now.setup.element(name));
            let (Some(was), Some(is)) = (was, is) else { continue };
            let (mm, place) = (furthest(&was.footprint, &is.footprint), is.footprint);
            stand(watch, now, name);
            let Some(follow) = &mut watch.follow else { continue };
            follow.stage = Stage::Combat;
            follow.deploying = false;
            match follow.awaited.iter().position(|a| a.who == *name) {
                Some(at) if follow.awaited[at].met_by(Some(&place)) => {
                    let done = follow.awaited.remove(at);
                    follow.done.push(done);
                }
                Some(_) => {}
                None => told.push(Told::Outcome(format!(
                    "{name} stands {mm:.0} mm from where it stood: taken for what combat brought about, whose dice \
                     nobody gave"
                ))),
            }
        }
        told
    }

    /// The other side moves: its bound has begun.
    fn their_turn(&self, watch: &mut Watch, now: &Measured, theirs: &[String], mine: &[String]) -> Vec<Told> {
        let bound = watch.observer.bound();
        let side = bound.side.enemy();
        if !watch.begun() && mine.is_empty() {
            // Nobody had said whose the first bound is.
            let bound = Bound { side, ..bound.clone() };
            watch.observer.correct(bound);
            watch.forget_open();
            return Vec::new();
        }
        let mut told = Vec::new();
        if !mine.is_empty() {
            // Both moved in one look: who had the bound moved first.
            let mut first = now.clone();
            for name in theirs {
                first = first.with_one_of(&watch.last, name);
            }
            told.extend(self.look(watch, first).into_iter().map(Told::Over));
        }
        told.extend(self.close(watch));
        // A die that was told after the last move of the bound before is this one's.
        let fresh = watch.follow.as_ref().is_some_and(|f| f.die_is_fresh) && mine.is_empty();
        let die = watch.observer.bound().pips.filter(|_| fresh && !watch.observer.bound().done.is_empty());
        told.push(self.turn(watch, side));
        if die.is_some() {
            let bound = watch.observer.bound().clone();
            watch.observer.correct(Bound { pips: die, ..bound });
        }
        told
    }

    /// That side's bound begins where everything stands for the rules.
    pub(super) fn turn(&self, watch: &mut Watch, side: Side) -> Told {
        let left = watch.follow.as_ref().map_or(Vec::new(), |f| f.awaited.iter().map(left_words).collect());
        let generals_lost = watch.observer.bound().generals_lost.clone();
        let number = watch.observer.bound().number + 1;
        let stood = watch.observer.stood().clone();
        watch.observer.stand_as(stood.clone());
        watch.observer.correct(Bound { generals_lost, ..Bound::new(number, side) });
        watch.forget_open();
        (watch.over, watch.moved) = (Vec::new(), Vec::new());
        watch.said = Some(side);
        if let Some(follow) = &mut watch.follow {
            follow.next(stood);
        }
        Told::Turned { side, left }
    }

    /// Everything stands as it does, in that side's bound.
    pub(super) fn carry_on(&self, watch: &mut Watch, now: Measured, side: Side, generals_lost: Vec<Side>) {
        let bound = watch.observer.bound();
        let same = bound.side == side && watch.begun();
        let number = if same || !watch.begun() { bound.number } else { bound.number + 1 };
        let kept = Bound { generals_lost, ..bound.clone() };
        let bound =
            if same { kept } else { Bound { generals_lost: kept.generals_lost, ..Bound::new(number, side) } };
        watch.observer.stand_as(now.setup.clone());
        watch.observer.correct(bound);
        watch.forget_open();
        watch.said = Some(side);
        let began = now.setup.clone();
        match &mut watch.follow {
            Some(follow) if same => {
                (follow.awaited, follow.deploying) = (Vec::new(), false);
            }
            Some(follow) => follow.next(began),
            None => {}
        }
        if !same {
            (watch.over, watch.moved) = (Vec::new(), Vec::new());
        }
        (watch.start, watch.last) = (now.clone(), now);
    }
}

impl Watch {
    pub(super) fn stage(&self) -> Stage {
        self.follow.as_ref().map_or(Stage::Moves, |f| f.stage)
    }

    /// Whether a PIP die that is told now is the next bound's: combat has begun, or moves were made under another.
    pub(super) fn next_die(&self) -> bool {
        let bound = self.observer.bound();
        let moved = !bound.done.is_empty() || self.observer.open().is_some();
        self.follow.is_some() && (self.stage() == Stage::Combat || bound.pips.is_some() && moved)
    }

    /// Whether anybody has said or done anything in this bound, or before.
    fn begun(&self) -> bool {
        self.said.is_some() || !self.observer.bound().done.is_empty() || self.observer.open().is_some()
    }

    /// Who is lost is off the table.
    pub(super) fn take_off(&mut self, lost: &[String], generals_lost: &[Side]) {
        for name in lost {
            self.observer.take_off(name, generals_lost.to_vec());
            self.nudged.retain(|(n, _)| n.name != *name);
            if let Some(follow) = &mut self.follow {
                follow.take_off(name);
            }
        }
        self.start = self.start.clone().without(lost);
        self.last = self.last.clone().without(lost);
    }
}

/// One element stands for the rules as it is seen, without a move.
fn stand(watch: &mut Watch, now: &Measured, name: &str) {
    if let Some(element) = now.setup.element(name) {
        watch.observer.put_on(element);
        watch.start = watch.start.with_one_of(now, name);
        watch.last = watch.last.with_one_of(now, name);
        watch.nudged.retain(|(n, _)| n.name != name);
    }
}

/// Play has gone on with nudged bases left as they were: they are accepted, but those that are going back.
fn accept_ignored(watch: &mut Watch, shared: &Shared) {
    let moved = |name: &String| {
        [&shared.mine, &shared.theirs, &shared.fought].into_iter().any(|names| names.contains(name))
    };
    // Who slid along with the table and then moved began where it had slid to.
    let stays = |(n, cause): &&(Nudge, Cause)| *cause == Cause::Bump || !moved(&n.name);
    let ignored: Vec<String> = watch.nudged.iter().filter(stays).map(|(n, _)| n.name.clone()).collect();
    for name in ignored.into_iter().filter(|n| !watch.going_back.contains(n)) {
        watch.observer.answer(&name, Answer::Accept);
        watch.start = watch.start.with_one_of(&watch.last, &name);
        watch.nudged.retain(|(n, _)| n.name != name);
    }
}

/// Those of the other side whom no move of this look makes conform or turn to face.
fn without_followers(watch: &Watch, now: &Measured, theirs: Vec<String>) -> Vec<String> {
    if theirs.is_empty() {
        return theirs;
    }
    let mut trial = watch.observer.clone();
    trial.look(&now.setup);
    let follows = |name: &String| trial.open().is_some_and(|o| o.follows.iter().any(|f| f.name == *name));
    theirs.into_iter().filter(|name| !follows(name)).collect()
}

fn far(watch: &Watch, now: &Measured, name: &str) -> f64 {
    let place = |setup: &Setup| setup.element(name).map(|e| e.footprint);
    match (place(watch.observer.stood()), place(&now.setup)) {
        (Some(was), Some(is)) => furthest(&was, &is),
        _ => 0.0,
    }
}

fn left_words(awaited: &Awaited) -> String {
    match awaited.to {
        Some(_) => format!("{} does not stand where the dice put it", awaited.who),
        None => format!("{} is on the table, though the dice take it off", awaited.who),
    }
}
