//! A written battle put on a table by hands and read as it stands: whether play that is followed without a word comes
//! to the same moves, bounds, losses and victor.
//!
//! Every act of the battle ([`crate::rules::battle`]) is done on the table as players do it: bases go to where the battle
//! has them, each a little off, dice are told or kept back, the lost are taken off. Nobody says whose bound it is, that
//! moves are over, or who is lost. Places are read with an error of their own, as the camera reads them; which pictures
//! that would take is not simulated here. Table frame, millimetres. The same seed rehearses the same battle.

mod hands;

pub use hands::Hands;

use crate::rules::battle::{Act, Played, Script, Told, replay};
use crate::rules::{Setup, Side};
use crate::session::play;
use crate::session::play::{FightKind, Play};
use crate::session::view::Call;
use std::collections::BTreeSet;

/// What goes otherwise than in a quiet game.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Course {
    /// How many of the dice nobody tells, of 100.
    pub ignored: u32,
    /// The bound in which the table is bumped; none for never.
    pub bump: Option<u32>,
    /// The bound whose first move is made before anybody has looked at the last one before it.
    pub both: Option<u32>,
    /// The bound in which nothing can be seen.
    pub blind: Option<u32>,
}

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Moves that could be looked at, and those that were told as the battle made them.
    pub moves: (usize, usize),
    /// Of these told, how many the rules let pass, as they did in the battle.
    pub legal: usize,
    /// Bounds with a move, and those that had begun for the program when it was made.
    pub bounds: (usize, usize),
    /// Elements lost, and those of them that are lost for the program.
    pub lost: (usize, usize),
    /// Taken for lost, and not lost in the battle.
    pub wrongly_lost: usize,
    /// Whether the victor is the battle's; none where it has none.
    pub victor: Option<bool>,
    /// How often the one key had to be pressed to be in step again.
    pub keys: usize,
    /// What went wrong, in words.
    pub wrong: Vec<String>,
}

impl Tally {
    /// Both together.
    pub fn and(mut self, other: Self) -> Self {
        let add = |a: (usize, usize), b: (usize, usize)| (a.0 + b.0, a.1 + b.1);
        self.moves = add(self.moves, other.moves);
        self.legal += other.legal;
        self.bounds = add(self.bounds, other.bounds);
        self.lost = add(self.lost, other.lost);
        self.wrongly_lost += other.wrongly_lost;
        self.keys += other.keys;
        self.victor = match (self.victor, other.victor) {
            (Some(a), Some(b)) => Some(a && b),
            (a, b) => a.or(b),
        };
        self.wrong.extend(other.wrong);
        self
    }
}

/// Rehearses a battle.
///
/// # Errors
/// In words: the battle cannot be played, or its elements make no roster.
pub fn rehearse(script: &Script, seed: u64, course: Course) -> Result<Tally, String> {
    let played = replay(script);
    if let Some((what, why)) = played.stopped {
        return Err(format!("the battle stops at {what}: {why}"));
    }
    let hands = Hands::new(script, seed)?;
    let mut on = Rehearsal {
        play: Play::new(hands.engine()),
        hands,
        course,
        tally: Tally::default(),
        now: 0,
        last: None,
    };
    on.hands.put_all(&script.setup);
    on.look();
    for (n, act) in played.played.iter().enumerate() {
        on.now = act.bound;
        on.act(act, played.played.get(n + 1).map(|next| &next.act));
    }
    Ok(on.ended(played.played.last(), script))
}

struct Rehearsal {
    play: Play,
    hands: Hands,
    course: Course,
    tally: Tally,
    /// The bound that is played.
    now: u32,
    /// The bound whose first move was counted last.
    last: Option<u32>,
}

impl Rehearsal {
    /// Plays one act; `next` is the one after it.
    fn act(&mut self, played: &Played, next: Option<&Act>) {
        let bound = played.bound;
        if self.course.bump == Some(bound) && matches!(played.act, Act::Roll(_)) {
            self.hands.bump();
            self.look();
        }
        match &played.act {
            Act::Roll(score) => {
                let told = !self.kept_back();
                if told {
                    self.say(play::Act::Pips(Some(*score)));
                }
            }
            Act::Move { made, .. } => {
                self.hands.put_all(&played.state.setup);
                let names: BTreeSet<&str> = made.names().collect();
                // The other player does not wait until the last move has been looked at.
                let more = matches!(next, Some(Act::Move { .. }));
                if more || self.course.both != Some(bound + 1) {
                    self.moved(bound, played.state.bound.side, &names);
                }
            }
            Act::Shoot { dice, .. } | Act::Fight { dice, .. } => self.fought(played, *dice),
            Act::EndMoves { .. } | Act::EndBound => {
                self.hands.put_all(&played.state.setup);
                let quiet = self.course.both == Some(bound + 1) && matches!(played.act, Act::EndMoves { .. });
                if !quiet {
                    self.look();
                }
            }
            _ => {}
        }
        if self.course.blind.is_some_and(|b| b == bound) && matches!(played.act, Act::EndBound) {
            self.course.blind = None;
            self.look();
            self.back_in_step(played);
        }
    }

    /// A move was made: whether it is told, and whose bound it is told in.
    fn moved(&mut self, bound: u32, side: Side, names: &BTreeSet<&str>) {
        if self.course.blind == Some(bound) {
            return;
        }
        // The last move before is not looked at by itself.
        self.look();
        self.tally.moves.0 += 1;
        if self.last != Some(bound) {
            self.last = Some(bound);
            self.tally.bounds.0 += 1;
            match self.play.moves().side() {
                Some(now) if now == side => self.tally.bounds.1 += 1,
                other => {
                    let words = format!("bound {bound} is {}'s: it is told as {other:?}", side.word());
                    self.tally.wrong.push(words);
                }
            }
        }
        let view = self.play.moves().view();
        let open = view.and_then(|v| v.explanations.get(self.play.moves().chosen()));
        let told = open.and_then(|e| e.moves.iter().find(|m| movers(m) == *names));
        match told {
            Some(mv) => {
                self.tally.moves.1 += 1;
                self.tally.legal += usize::from(mv.call != Call::No);
                if mv.call == Call::No {
                    let why = mv.conditions.first().map_or(String::new(), |c| c.text.clone());
                    self.tally.wrong.push(format!("bound {bound}: {} is told not legal: {why}", mv.words));
                }
            }
            None => {
                let told: Vec<&str> = open.iter().flat_map(|e| &e.moves).map(|m| m.words.as_str()).collect();
                self.tally.wrong.push(format!("bound {bound}: the move of {names:?} is told as {told:?}"));
            }
        }
    }

    fn fought(&mut self, played: &Played, dice: (u8, u8)) {
        let (kind, clash) = match &played.told {
            Told::Shot(_, clash) => (FightKind::Shooting, clash),
            Told::Fought(clash) => (FightKind::Close, clash),
            _ => return,
        };
        if self.course.blind != Some(self.now) && !self.kept_back() {
            // The battle's dice are the shooter's and the target's, or in the order in which it names the two.
            let (a, b) = match &played.act {
                Act::Fight { a, b, .. } => (a.clone(), b.clone()),
                _ => (clash.a.clone(), clash.b.clone()),
            };
            self.say(play::Act::Fought { kind, a, b, dice: [dice.0, dice.1] });
        }
        self.hands.put_all(&played.state.setup);
        self.look();
    }

    /// Whether nobody tells this die.
    fn kept_back(&mut self) -> bool {
        self.hands.chance(self.course.ignored)
    }

    fn say(&mut self, act: play::Act) {
        self.play.act(act);
        self.play.catch_up();
        self.play.events();
    }

    fn look(&mut self) {
        if self.course.blind == Some(self.now) {
            return;
        }
        self.play.look(self.hands.readings(), None, true);
        self.play.catch_up();
        self.play.events();
    }

    /// One key, where the table and the program are out of step.
    fn back_in_step(&mut self, played: &Played) {
        let lost = self.play.assumed_lost();
        self.tally.keys += 1;
        self.say(play::Act::CarryOn { side: played.state.bound.side, lost });
        self.look();
    }

    /// The end: losses and victor, after one key where something was kept back.
    fn ended(mut self, last: Option<&Played>, script: &Script) -> Tally {
        let Some(last) = last else { return self.tally };
        let lost = lost_in(&script.setup, &last.state.setup);
        let missed = |on: &Self| lost.iter().filter(|n| !on.play.losses().lost().contains(n)).count();
        if missed(&self) > 0 {
            self.back_in_step(last);
        }
        let known = self.play.losses().lost();
        self.tally.lost = (lost.len(), lost.iter().filter(|n| known.contains(n)).count());
        self.tally.wrongly_lost = known.iter().filter(|n| !lost.contains(n)).count();
        for name in lost.iter().filter(|n| !known.contains(n)) {
            self.tally.wrong.push(format!("{name} is lost, and is not told so"));
        }
        for name in known.iter().filter(|n| !lost.contains(n)) {
            self.tally.wrong.push(format!("{name} is told to be lost, and is not"));
        }
        let victor = last.state.victor();
        let told = self.play.losses().view().and_then(|v| v.loser).map(Side::enemy);
        self.tally.victor = victor.map(|v| told == Some(v));
        self.tally
    }
}

/// Who made a move that is told.
fn movers(mv: &crate::session::view::MoveView) -> BTreeSet<&str> {
    mv.movers.iter().map(String::as_str).collect()
}

/// Elements of the first setup that the second has not, or has off the table.
fn lost_in(before: &Setup, after: &Setup) -> Vec<String> {
    let gone = |name: &str| after.element(name).is_none_or(|e| e.location == crate::rules::Location::Off);
    before.elements.iter().map(|e| e.name.clone()).filter(|name| gone(name)).collect()
}
