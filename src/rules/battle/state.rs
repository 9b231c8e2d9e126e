//! The battle at one moment, and the one step that leads from there to the next.

use super::combats::Due;
use super::{Act, Battle, Fault, Told};
use crate::geometry::Footprint;
use crate::rules::bound::{Bound, Phase};
use crate::rules::closing::Closing;
use crate::rules::shooting::Known;
use crate::rules::turn::Contactor;
use crate::rules::victory::Places;
use crate::rules::{Element, Location, Setup, Side, settle, stronghold};

/// A battle at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct State {
    /// What stands and lies on the table.
    pub setup: Setup,
    /// The bound, and how far it has gone.
    pub bound: Bound,
    /// Who is in contact and made it, the first contact first.
    pub contactors: Vec<Contactor>,
    /// Contacts that did not line up because the contacted refused: the contactor, the contacted.
    pub refused: Vec<(String, String)>,
    /// What shooting knows of this bound.
    pub known: Known,
    /// Combats that are to be fought in this bound; known once its shooting is over.
    pub due: Vec<Due>,
    /// Elements whose own frontal enemy has gone in this bound (clause dba3.ovl.3).
    pub exposed: Vec<String>,
    /// Who has lost the battle; none while it goes on.
    pub loser: Option<Side>,
    /// The movement phase as it goes on; none outside it.
    pub(super) closing: Option<Closing>,
}

impl State {
    /// Who has won, once it is over.
    pub fn victor(&self) -> Option<Side> {
        self.loser.map(Side::enemy)
    }
}

impl Battle {
    /// What has become of each side's camp and City, red's first.
    pub fn places(&self, state: &State) -> (Places, Places) {
        let of = |side| stronghold::play::places(&state.setup, &self.settings, side);
        (of(Side::Red), of(Side::Blue))
    }

    /// The battle before its first bound.
    pub fn start(&self, setup: Setup) -> State {
        State {
            setup,
            bound: Bound { phase: Phase::PipDie, ..Bound::new(1, self.defender) },
            contactors: Vec::new(),
            refused: Vec::new(),
            known: Known::default(),
            due: Vec::new(),
            exposed: Vec::new(),
            loser: None,
            closing: None,
        }
    }

    /// Plays one act.
    ///
    /// # Errors
    /// An act out of its turn, against the rules, or about elements that are not there; the end of a phase in which
    /// something is still due. The state given is the battle's still.
    pub fn play(&self, state: &State, act: &Act) -> Result<(State, Told), Fault> {
        if let Some(loser) = state.loser {
            return Err(Fault::Over { victor: loser.enemy() });
        }
        match act {
            Act::Roll(score) => self.roll(state, *score),
            Act::River(name, score) => self.river(state, name, *score),
            Act::Revolt(place) => self.revolt(state, place),
            Act::Move { made, refuses } => self.make(state, made, refuses),
            Act::EndMoves { faces } => self.end_moves(state, faces),
            Act::Aim { shooter, target } => self.aim(state, shooter, target),
            Act::Shoot { target, by, dice, own_depth } => self.shoot(state, (target, by), *dice, own_depth),
            Act::EndShooting => self.end_shooting(state),
            Act::Fight { a, b, dice, own_depth, occupies } => {
                let decisions = self.decisions(state, own_depth)?;
                self.fight(state, (a, b), *dice, decisions, occupies.as_deref())
            }
            Act::EndBound => self.end_bound(state),
        }
    }

    /// Has those of that name, who moved together, stand clear of whom they graze.
    pub(super) fn clears(&self, before: &Setup, after: &mut Setup, names: &[&str]) {
        let moved = |e: &&Element| e.location == Location::Board && names.contains(&e.name.as_str());
        let ends: Vec<Footprint> = after.elements.iter().filter(moved).map(|e| e.footprint).collect();
        let first = after.elements.iter().find(moved);
        let Some((now, then)) = first.and_then(|e| Some((e, before.element(&e.name)?))) else { return };
        let back = then.footprint.pose().centre - now.footprint.pose().centre;
        let slack = self.settings.tolerances.contact_gap_mm;
        let by = settle::clearing(after, &ends, names, back, slack);
        if by.norm() > 0.0 {
            for element in after.elements.iter_mut().filter(|e| moved(&&**e)) {
                element.footprint = element.footprint.moved_to(element.footprint.pose().nudged(by, 0.0));
            }
        }
    }

    /// Has everybody who stands elsewhere than before stand clear of whom it grazes, one after the other.
    pub(super) fn each_clears(&self, before: &Setup, after: &mut Setup) {
        let stirred = |e: &&Element| before.element(&e.name).is_some_and(|was| was.footprint != e.footprint);
        let names: Vec<String> = after.elements.iter().filter(stirred).map(|e| e.name.clone()).collect();
        for name in &names {
            self.clears(before, after, &[name]);
        }
    }

    /// Refuses what does not belong to the phase that it is.
    pub(super) fn in_phase(state: &State, phase: Phase, what: &str) -> Result<(), Fault> {
        if state.bound.phase == phase {
            return Ok(());
        }
        Err(Fault::Turn { what: what.to_owned(), belongs: phase.name(), now: state.bound.phase.name() })
    }
}
