//! Playing a written battle: its acts one after the other, and where it differs from what is written.

use super::difference::{Expected, of_bound, of_clash};
use super::script::{Checkpoint, Script, Written, WrittenCombat, WrittenShot};
use super::state::State;
use super::{Act, Fault, Told, shots_of};
use crate::rules::bound::Phase;
use crate::rules::notation;

/// One act of a written battle, and what came of it.
#[derive(Debug, Clone)]
pub struct Played {
    /// What was done.
    pub act: Act,
    /// The number of the bound that it belongs to.
    pub bound: u32,
    /// What stands in the file: a move in notation; empty elsewhere.
    pub written: String,
    /// What came of it.
    pub told: Told,
    /// The battle after it.
    pub state: State,
    /// Where it differs from what is expected.
    pub differs: Vec<String>,
}

/// A written battle, played.
#[derive(Debug, Clone)]
pub struct Replay {
    /// The battle before its first bound.
    pub start: State,
    /// Everything that was played.
    pub played: Vec<Played>,
    /// Where it could not go on, and why; none where it was played to the end of what is written.
    pub stopped: Option<(String, String)>,
}

impl Replay {
    /// The battle as it stands at the end of what was played.
    pub fn state(&self) -> &State {
        self.played.last().map_or(&self.start, |p| &p.state)
    }

    /// Whether everything was played and came out as expected.
    pub fn agrees(&self) -> bool {
        self.stopped.is_none() && self.played.iter().all(|p| p.differs.is_empty())
    }
}

/// Plays a written battle from its first bound to the end of what is written, or to the first act that is refused.
pub fn replay(script: &Script) -> Replay {
    let start = script.battle.start(script.setup.clone());
    let mut player = Player { script, replay: Replay { start, played: Vec::new(), stopped: None } };
    for written in &script.bounds {
        let number = player.replay.state().bound.number;
        if let Err(stopped) = player.bound(written) {
            let (what, why) = *stopped;
            let place = format!("bound {number} ({}), {what}", written.side.word());
            player.replay.stopped = Some((place, why));
            break;
        }
    }
    player.replay
}

/// What was tried and why it is refused.
type Stopped = Box<(String, String)>;

struct Player<'s> {
    script: &'s Script,
    replay: Replay,
}

impl Player<'_> {
    /// One act; what it is called where it is refused.
    fn act(&mut self, act: Act, written: &str, what: &str) -> Result<&mut Played, Stopped> {
        let state = self.replay.state();
        let bound = state.bound.number;
        let told = self.script.battle.play(state, &act);
        let (state, told) = told.map_err(|fault: Fault| Box::new((what.to_owned(), fault.to_string())))?;
        let written = written.to_owned();
        self.replay.played.push(Played { act, bound, written, told, state, differs: Vec::new() });
        Ok(self.replay.played.last_mut().expect("one was pushed"))
    }

    fn bound(&mut self, written: &Written) -> Result<(), Stopped> {
        self.act(Act::Roll(written.pips), "", "the PIP die")?;
        for place in &written.revolts {
            self.act(Act::Revolt(place.clone()), "", &format!("the revolt of {place}"))?;
        }
        for (n, line) in written.moves.iter().enumerate() {
            self.rivers(written, n)?;
            self.make(written, line)?;
        }
        self.rivers(written, usize::MAX)?;
        self.act(Act::EndMoves { faces: written.faces.clone() }, "", "the end of movement")?;
        for at in 0..written.shooting.len() {
            self.shot(&written.shooting[at..])?;
        }
        self.act(Act::EndShooting, "", "the end of shooting")?;
        for combat in &written.combats {
            self.combat(combat)?;
        }
        let battle = &self.script.battle;
        let played = self.act(Act::EndBound, "", "the end of the bound")?;
        let nothing = Checkpoint { ends: None, lost: None, losses: None, places: None, victor: None };
        if let Told::BoundOver(ended) = &played.told {
            let expected = written.after.as_ref().unwrap_or(&nothing);
            played.differs = of_bound(expected, &played.state, &ended.stand, battle);
        }
        Ok(())
    }

    /// The river dice that come before the move of that place.
    fn rivers(&mut self, written: &Written, before: usize) -> Result<(), Stopped> {
        let last = written.moves.len();
        let here = |at: usize| if before == usize::MAX { at >= last } else { at == before };
        for (name, score, _) in written.rivers.iter().filter(|(.., at)| here(*at)) {
            self.act(Act::River(name.clone(), *score), "", &format!("the die for {name}"))?;
        }
        Ok(())
    }

    fn make(&mut self, written: &Written, line: &str) -> Result<(), Stopped> {
        let what = format!("move `{line}`");
        let setup = &self.replay.state().setup;
        let told = |why: String| Box::new((what.clone(), why));
        let rules = self.script.battle.settings.ruleset();
        let read = notation::read_move(line, rules, setup.scale).map_err(|e| told(e.to_string()))?;
        let made = read.on(setup).map_err(|e| told(e.to_string()))?;
        self.act(Act::Move { made, refuses: written.refuses.clone() }, line, &what)?;
        Ok(())
    }

    /// The first of these shots. Those of all of them who may choose take the targets that are written.
    fn shot(&mut self, shots: &[WrittenShot]) -> Result<(), Stopped> {
        for shot in shots {
            for shooter in &shot.by {
                let plan = shots_of(&self.script.battle, self.replay.state());
                let open = plan.options.iter().find(|o| o.shooter == *shooter);
                if open.is_some_and(|o| o.settled.is_none() && o.targets.contains(&shot.at)) {
                    let aim = Act::Aim { shooter: shooter.clone(), target: shot.at.clone() };
                    self.act(aim, "", &format!("the target of {shooter}"))?;
                }
            }
        }
        let Some(shot) = shots.first() else { return Ok(()) };
        let act = Act::Shoot {
            target: shot.at.clone(),
            by: shot.by.clone(),
            dice: shot.dice,
            own_depth: shot.own_depth.clone(),
        };
        let expected = Expected {
            totals: shot.totals,
            fates: shot.fates,
            ends: shot.ends.as_deref(),
            lost: shot.lost.as_deref(),
        };
        self.clash(act, &expected, &format!("the shooting at {}", shot.at))
    }

    fn combat(&mut self, combat: &WrittenCombat) -> Result<(), Stopped> {
        let (a, b) = combat.of.clone();
        let what = format!("the combat of {a} and {b}");
        let (own_depth, occupies) = (combat.own_depth.clone(), combat.occupies.clone());
        let act = Act::Fight { a, b, dice: combat.dice, own_depth, occupies };
        let expected = Expected {
            totals: combat.totals,
            fates: combat.fates,
            ends: combat.ends.as_deref(),
            lost: combat.lost.as_deref(),
        };
        self.clash(act, &expected, &what)
    }

    fn clash(&mut self, act: Act, expected: &Expected<'_>, what: &str) -> Result<(), Stopped> {
        let before = self.replay.state().clone();
        let rules = self.script.battle.settings.ruleset().clone();
        let played = self.act(act, "", what)?;
        debug_assert!(matches!(before.bound.phase, Phase::Shooting | Phase::Combat));
        if let Told::Shot(_, clash) | Told::Fought(clash) = &played.told {
            played.differs = of_clash(expected, clash, (&before, &played.state), &rules);
        }
        Ok(())
    }
}
