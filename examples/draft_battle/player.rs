//! A simple player for both sides: draws dice from a seed, makes the legal move that promises most, fights, and so
//! plays a battle on. It drafts battle files; it is no opponent.
//!
//! Table frame, millimetres. Everything is drawn from the seed: the same seed plays the same battle.

use super::proposals::{Proposal, proposals};
use groma::rules::battle::Played;
use groma::rules::battle::{Act, Battle, Contact, Due, Fault, Replay, State, Told, due, shots_of};
use groma::rules::bound::Phase;
use groma::rules::combat::brief;
use groma::rules::notation;
use groma::rules::ruleset::Fate;
use groma::rules::shooting::Primary;
use groma::rules::terrain::TerrainKind;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Bounds after which a battle is left undecided.
const BOUNDS: u32 = 60;
/// What a contact has to promise at least, kills less losses in the mean, and by how much less after a bound without
/// combat.
const READY: f64 = -0.05;
const IMPATIENCE: f64 = 0.1;
/// Moves looked at for one, the most promising first.
const LOOKED_AT: usize = 90;

/// Plays on.
pub(super) struct Player<'b> {
    battle: &'b Battle,
    chance: ChaCha8Rng,
    replay: Replay,
    /// How ready it is to attack: what a contact has to promise at least.
    wants: f64,
}

impl<'b> Player<'b> {
    /// Plays a battle on from where it was written to, in the middle of a bound too, until somebody has won or many bounds have gone.
    pub fn finish(battle: &'b Battle, replay: Replay, seed: u64) -> Replay {
        let chance = ChaCha8Rng::seed_from_u64(seed);
        let mut player = Self { battle, chance, replay: Replay { stopped: None, ..replay }, wants: READY };
        let first = player.replay.state().bound.number;
        while player.replay.state().loser.is_none() && player.replay.state().bound.number < first + BOUNDS {
            player.bound();
        }
        player.replay
    }

    fn act(&mut self, act: Act, written: String) -> Result<(), Fault> {
        let before = self.replay.state();
        let bound = before.bound.number;
        let (state, told) = self.battle.play(before, &act)?;
        self.replay.played.push(Played { act, bound, written, told, state, differs: Vec::new() });
        Ok(())
    }

    fn sure(&mut self, act: Act) {
        self.act(act, String::new()).expect("an act that is due is not refused");
    }

    fn dice(&mut self) -> (u8, u8) {
        (self.chance.random_range(1..=6), self.chance.random_range(1..=6))
    }

    fn phase(&self) -> Phase {
        self.replay.state().bound.phase
    }

    /// A bound, or what is left of one.
    fn bound(&mut self) {
        if self.phase() == Phase::PipDie {
            let (pips, _) = self.dice();
            self.sure(Act::Roll(pips));
        }
        if self.phase() == Phase::Moves {
            self.revolts();
            while self.best_move() {}
            self.sure(Act::EndMoves { faces: Vec::new() });
        }
        if self.phase() == Phase::Shooting {
            self.shoot();
            self.sure(Act::EndShooting);
        }
        // Who only waits loses patience.
        self.wants = if self.replay.state().due.is_empty() { self.wants - IMPATIENCE } else { READY };
        self.fight();
        self.sure(Act::EndBound);
    }

    /// Has every City revolt that may.
    fn revolts(&mut self) {
        let features = &self.replay.state().setup.ground.features;
        let cities = features.iter().filter(|f| f.kind == TerrainKind::City);
        for city in cities.map(|f| f.name.clone()).collect::<Vec<_>>() {
            // One that may not is left as it is.
            let _ = self.act(Act::Revolt(city), String::new());
        }
    }

    /// Makes the legal move that promises most, if one promises enough.
    fn best_move(&mut self) -> bool {
        let state = self.replay.state().clone();
        let spent = state.bound.spent();
        if state.bound.pips.is_none_or(|pips| u32::from(pips) <= spent) {
            return false;
        }
        let mut all: Vec<Proposal> = proposals(self.battle, &state);
        for proposal in &mut all {
            proposal.promises += self.chance.random_range(0.0..0.3);
        }
        all.sort_by(|a, b| b.promises.total_cmp(&a.promises));
        let mut best: Option<(f64, Proposal, Act)> = None;
        for proposal in all.into_iter().take(LOOKED_AT) {
            let act = Act::Move { made: proposal.made.clone(), refuses: Vec::new() };
            let Ok((after, Told::Moved { .. })) = self.battle.play(&state, &act) else { continue };
            let gain = self.worth(&after) - self.worth(&state);
            let wants = if proposal.contacts { self.wants } else { f64::NEG_INFINITY };
            if gain < wants {
                continue;
            }
            let score = proposal.promises + gain;
            if best.as_ref().is_none_or(|(known, ..)| score > *known) {
                best = Some((score, proposal, act));
            }
        }
        let Some((_, proposal, act)) = best else { return false };
        let written = notation::write_move(&proposal.made, &state.setup);
        self.act(act, written).is_ok()
    }

    /// What the combats as they stand promise the side whose bound it is: kills less losses, in the mean.
    fn worth(&self, state: &State) -> f64 {
        let own = state.bound.side;
        let of = |d: &Due| {
            let conditions = self.battle.conditions(state, d, (&d.a, &d.b));
            let Ok(combat) = brief(&state.setup, &self.battle.settings, &conditions, &d.a, &d.b) else {
                return 0.0;
            };
            let odds = combat.odds();
            let share = |n: u8| f64::from(n) / 36.0;
            let (a, b) = (share(odds.of_a(Fate::Destroyed)), share(odds.of_b(Fate::Destroyed)));
            let push = share(odds.of_b(Fate::Recoil)) - share(odds.of_a(Fate::Recoil));
            let assault = if matches!(d.contact, Contact::Assault(_)) { 0.4 } else { 0.0 };
            let gain = b - a + 0.2 * push;
            let mine = state.setup.element(&d.a).is_some_and(|e| e.side == own);
            (if mine { gain + assault } else { -gain }) + 0.1
        };
        due(self.battle, state).iter().map(of).sum()
    }

    fn shoot(&mut self) {
        loop {
            let plan = shots_of(self.battle, self.replay.state());
            if let Some(open) = plan.options.iter().find(|o| o.settled.is_none() && o.targets.len() > 1) {
                let target = open.targets[self.chance.random_range(0..open.targets.len())].clone();
                self.sure(Act::Aim { shooter: open.shooter.clone(), target });
                continue;
            }
            let Some(fire) = plan.fires.into_iter().next() else { return };
            let first = match &fire.primary {
                Primary::Named(name) => name.clone(),
                Primary::PickedBy(_) => fire.shooters[0].clone(),
            };
            let mut by = vec![first.clone()];
            by.extend(fire.shooters.into_iter().filter(|name| *name != first));
            let dice = self.dice();
            self.sure(Act::Shoot { target: fire.target, by, dice, own_depth: Vec::new() });
        }
    }

    fn fight(&mut self) {
        loop {
            let due = &self.replay.state().due;
            if due.is_empty() {
                return;
            }
            let at = self.chance.random_range(0..due.len());
            let Due { a, b, .. } = due[at].clone();
            let dice = self.dice();
            self.sure(Act::Fight { a, b, dice, own_depth: Vec::new(), occupies: None });
        }
    }
}
