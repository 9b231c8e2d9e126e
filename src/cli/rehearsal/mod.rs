//! A written battle put on a table by hands and read as it stands: whether play that is followed without a word comes
//! to the same moves, bounds, losses and victor.
//!
//! Every act of the battle ([`crate::rules::battle`]) is done on the table as players do it: bases go to where the battle
//! has them, each a little off, dice are told or kept back, the lost are taken off. Nobody says whose bound it is, that
//! moves are over, or who is lost. What is seen of it is the [`Eyes`]': [`Glance`] hands places over with an error of
//! their own, and [`filmed`] films it all and reads the pictures. Table frame, millimetres. The same seed rehearses the
//! same battle.

#[cfg(feature = "vision")]
pub mod filmed;
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
    /// The bound whose moves somebody makes leaning over the table.
    pub lean: Option<u32>,
    /// The bound from which on trees are put back over those who stand in a wood, and lifted while anybody moves.
    pub trees: Option<u32>,
}

/// How the table comes to stand otherwise.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// Hands move one thing after another.
    InTurn,
    /// Both players' hands move at once.
    AtOnce,
    /// It slides.
    Slid,
}

/// What is over the bases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cover {
    /// Nothing; trees stand where no base does.
    None,
    /// Somebody's head and shoulders.
    Leaning,
    /// Every tree of every wood.
    Trees,
}

/// What looks at the table.
pub trait Eyes {
    /// The table comes to stand as the hands have it, and play is told what is seen of that, and after it.
    ///
    /// # Errors
    /// In words: nothing can be seen.
    fn look(&mut self, hands: &mut Hands, play: &mut Play, manner: Manner) -> Result<(), String>;

    /// Something comes between the eyes and the bases.
    fn cover(&mut self, cover: Cover);
}

/// Places are handed over as a camera reads them.
#[derive(Debug, Clone, Copy)]
pub struct Glance;

impl Eyes for Glance {
    fn look(&mut self, hands: &mut Hands, play: &mut Play, _: Manner) -> Result<(), String> {
        play.look(hands.readings(), None, true);
        play.catch_up();
        play.events();
        Ok(())
    }

    fn cover(&mut self, _: Cover) {}
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

/// Rehearses a battle whose places are handed over.
///
/// # Errors
/// In words: the battle cannot be played, or its elements make no roster.
pub fn rehearse(script: &Script, seed: u64, course: Course) -> Result<Tally, String> {
    rehearse_before(script, Hands::new(script, seed)?, course, &mut Glance)
}

/// Rehearses a battle before these eyes.
///
/// # Errors
/// In words: the battle cannot be played, or nothing can be seen.
pub fn rehearse_before(
    script: &Script,
    hands: Hands,
    course: Course,
    eyes: &mut dyn Eyes,
) -> Result<Tally, String> {
    let played = replay(script);
    if let Some((what, why)) = played.stopped {
        return Err(format!("the battle stops at {what}: {why}"));
    }
    let mut on = Rehearsal {
        play: Play::new(hands.engine()),
        hands,
        eyes,
        course,
        tally: Tally::default(),
        now: 0,
        last: None,
        unseen: Vec::new(),
        manner: Manner::InTurn,
    };
    on.hands.put_all(&script.setup);
    on.look()?;
    for (n, act) in played.played.iter().enumerate() {
        on.now = act.bound;
        on.act(act, played.played.get(n + 1).map(|next| &next.act))?;
    }
    on.ended(played.played.last(), script)
}

struct Rehearsal<'e> {
    play: Play,
    hands: Hands,
    eyes: &'e mut dyn Eyes,
    course: Course,
    tally: Tally,
    /// The bound that is played.
    now: u32,
    /// The bound whose first move was counted last.
    last: Option<u32>,
    /// Movers of moves that nobody could see, to be told when they show.
    unseen: Vec<BTreeSet<String>>,
    /// How the next thing is done.
    manner: Manner,
}

impl Rehearsal<'_> {
    /// Plays one act; `next` is the one after it.
    fn act(&mut self, played: &Played, next: Option<&Act>) -> Result<(), String> {
        let bound = played.bound;
        if self.course.bump == Some(bound) && matches!(played.act, Act::Roll(_)) {
            self.hands.bump();
            self.manner = Manner::Slid;
            self.look()?;
        }
        match &played.act {
            Act::Roll(score) => {
                if self.course.lean == Some(bound) {
                    self.eyes.cover(Cover::Leaning);
                    self.look()?;
                }
                let told = !self.kept_back();
                if told {
                    self.say(play::Act::Pips(Some(*score)));
                }
            }
            Act::Move { made, .. } => {
                if self.course.trees.is_some_and(|from| from <= bound) {
                    self.eyes.cover(Cover::None);
                    self.look()?;
                }
                self.hands.put_all(&played.state.setup);
                let names: BTreeSet<String> = made.names().map(str::to_owned).collect();
                let more = matches!(next, Some(Act::Move { .. }));
                if self.course.lean == Some(bound) {
                    self.look()?;
                    self.unseen.push(names);
                    if !more {
                        self.eyes.cover(Cover::None);
                        self.look()?;
                        for names in std::mem::take(&mut self.unseen) {
                            self.moved(bound, played.state.bound.side, &names);
                        }
                    }
                } else if more || self.course.both != Some(bound + 1) {
                    // The other player does not wait until the last move has been looked at.
                    self.look_at_move(bound, played.state.bound.side, &names)?;
                } else {
                    self.manner = Manner::AtOnce;
                }
            }
            Act::Shoot { dice, .. } | Act::Fight { dice, .. } => self.fought(played, *dice)?,
            Act::EndMoves { .. } | Act::EndBound => {
                self.hands.put_all(&played.state.setup);
                let quiet = self.course.both == Some(bound + 1) && matches!(played.act, Act::EndMoves { .. });
                if !quiet {
                    self.look()?;
                }
            }
            _ => {}
        }
        if matches!(played.act, Act::EndBound) && self.course.trees.is_some_and(|from| from <= bound) {
            self.eyes.cover(Cover::Trees);
            self.look()?;
        }
        if self.course.blind.is_some_and(|b| b == bound) && matches!(played.act, Act::EndBound) {
            self.course.blind = None;
            self.look()?;
            self.back_in_step(played)?;
        }
        Ok(())
    }

    /// A move was made, and is looked at.
    fn look_at_move(&mut self, bound: u32, side: Side, names: &BTreeSet<String>) -> Result<(), String> {
        if self.course.blind != Some(bound) {
            self.look()?;
            self.moved(bound, side, names);
        }
        Ok(())
    }

    /// A move was made: whether it is told, and whose bound it is told in.
    fn moved(&mut self, bound: u32, side: Side, names: &BTreeSet<String>) {
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
        let same = |movers: &[String]| movers.iter().cloned().collect::<BTreeSet<String>>() == *names;
        let told = open.and_then(|e| e.moves.iter().find(|m| same(&m.movers)));
        let over = self.play.moves().known().done.iter().zip(view.iter().flat_map(|v| &v.over));
        let over = over.filter(|(done, _)| same(&done.movers));
        let (call, words) = match (told, over.last()) {
            (Some(mv), _) => {
                let why = mv.conditions.first().map_or(String::new(), |c| format!(": {}", c.text));
                (mv.call, format!("{}{why}", mv.words))
            }
            (None, Some((_, over))) => (over.call, over.words.clone()),
            (None, None) => {
                let told: Vec<&str> = open.iter().flat_map(|e| &e.moves).map(|m| m.words.as_str()).collect();
                let over: Vec<&str> = view.iter().flat_map(|v| &v.over).map(|o| o.words.as_str()).collect();
                self.tally.wrong.push(format!(
                    "bound {bound}: the move of {names:?} is told as {told:?}, after {over:?}"
                ));
                return;
            }
        };
        self.tally.moves.1 += 1;
        self.tally.legal += usize::from(call != Call::No);
        if call == Call::No {
            self.tally.wrong.push(format!("bound {bound}: told not legal: {words}"));
        }
    }

    fn fought(&mut self, played: &Played, dice: (u8, u8)) -> Result<(), String> {
        let (kind, clash) = match &played.told {
            Told::Shot(_, clash) => (FightKind::Shooting, clash),
            Told::Fought(clash) => (FightKind::Close, clash),
            _ => return Ok(()),
        };
        if self.course.blind != Some(self.now) && !self.kept_back() {
            // The battle's dice are the shooter's and the target's, or in the order in which it names the two.
            let (a, b) = match &played.act {
                Act::Fight { a, b, .. } => (a.clone(), b.clone()),
                _ => (clash.a.clone(), clash.b.clone()),
            };
            self.say(play::Act::Fought { kind, a, b, dice: [dice.0, dice.1], from: None });
        }
        self.hands.put_all(&played.state.setup);
        self.look()
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

    fn look(&mut self) -> Result<(), String> {
        let manner = std::mem::replace(&mut self.manner, Manner::InTurn);
        if self.course.blind == Some(self.now) {
            return Ok(());
        }
        self.eyes.look(&mut self.hands, &mut self.play, manner)
    }

    /// One key, where the table and the program are out of step.
    fn back_in_step(&mut self, played: &Played) -> Result<(), String> {
        let lost = self.play.assumed_lost();
        self.tally.keys += 1;
        self.say(play::Act::CarryOn { side: played.state.bound.side, lost });
        self.look()
    }

    /// The end: losses and victor, after one key where something was kept back.
    fn ended(mut self, last: Option<&Played>, script: &Script) -> Result<Tally, String> {
        let Some(last) = last else { return Ok(self.tally) };
        let lost = lost_in(&script.setup, &last.state.setup);
        let missed = |on: &Self| lost.iter().filter(|n| !on.play.losses().lost().contains(n)).count();
        if missed(&self) > 0 {
            let missed: Vec<&String> =
                lost.iter().filter(|n| !self.play.losses().lost().contains(n)).collect();
            self.tally
                .wrong
                .push(format!("the key is pressed at the end: {missed:?} are lost, and not told so"));
            self.back_in_step(last)?;
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
        Ok(self.tally)
    }
}

/// Elements of the first setup that the second has not, or has off the table.
fn lost_in(before: &Setup, after: &Setup) -> Vec<String> {
    let gone = |name: &str| after.element(name).is_none_or(|e| e.location == crate::rules::Location::Off);
    before.elements.iter().map(|e| e.name.clone()).filter(|name| gone(name)).collect()
}
