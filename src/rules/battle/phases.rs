//! The PIP die, the river die, and the end of a bound: conforming after combat, losses, the next bound.

use super::state::State;
use super::{Battle, Ended, Fault, Told};
use crate::rules::bound::{Done, How, Phase};
use crate::rules::closing::{self, Closing, Earlier};
use crate::rules::combat::DieError;
use crate::rules::shooting::Known;
use crate::rules::terrain::{Plough, RiverState};
use crate::rules::turn::{Contactor, Made};
use crate::rules::victory::{Moment, stand};
use crate::rules::{Reason, Setup, stronghold};

impl Battle {
    /// The PIP die. The first of the battle settles what Plough is (clause dba3.going.12).
    pub(super) fn roll(&self, state: &State, score: u8) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::PipDie, "the PIP die")?;
        let score = die(score)?;
        let mut next = state.clone();
        let side = state.bound.side;
        let mut reasons = state.bound.turn(side, crate::rules::bound::Act::RollPips).reasons;
        let text = format!("{} rolls {score}: so many PIPs for its moves", side.word());
        reasons.insert(0, Reason::holds("dba3.pip.1", text));
        if state.bound.number == 1 && next.setup.ground.plough == Plough::Undiced {
            next.setup.ground.plough = Plough::of_first_score(score);
            let rough = next.setup.ground.plough == Plough::Rough;
            let text = "the first PIP score of the battle is a 1, and Plough is rough";
            reasons.push(Reason { holds: rough, ..Reason::holds("dba3.going.12", text) });
        }
        reasons.extend(stronghold::play::scores(&mut next.setup, &self.settings, side, score));
        next.bound = next.bound.next().with_pips(score);
        // Who pursued into contact in the bound before has his victim turn when this movement phase closes.
        for contactor in &mut next.contactors {
            if contactor.made == Made::PursuitJustNow {
                contactor.made = Made::PursuitBefore;
            }
        }
        next.closing = Some(Closing::new(next.setup.clone(), Earlier(next.contactors.clone())));
        Ok((next, Told::Rolled(reasons)))
    }

    /// The die for a river that somebody enters off a road.
    pub(super) fn river(&self, state: &State, name: &str, score: u8) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Moves, "the die for a river")?;
        let score = die(score)?;
        let mut next = state.clone();
        let refused = |why| Fault::River { name: name.to_owned(), why };
        let river = next.setup.ground.rivers.iter_mut().find(|r| r.name == name);
        let river = river.ok_or_else(|| refused("no river on the table is called so"))?;
        if river.state != RiverState::Unknown {
            return Err(refused("it has been thrown for"));
        }
        river.state = RiverState::of_score(score).unwrap_or(river.state);
        let text = format!("the die for {name} shows {score}: {}", river.state.word());
        if let Some(closing) = &mut next.closing {
            closing.table.ground = next.setup.ground.clone();
        }
        Ok((next, Told::Rolled(vec![Reason::holds("dba3.riv.7", text)])))
    }

    /// The denizens of a City revolt: nobody moves, and 5 PIPs are gone.
    pub(super) fn revolt(&self, state: &State, place: &str) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Moves, "a revolt")?;
        let refused = |why: String| Fault::NoRevolt { place: place.to_owned(), why };
        let feature = state.setup.ground.feature(place);
        let feature = feature.ok_or_else(|| refused("nothing on the table is called so".to_owned()))?;
        let terms = stronghold::play::may_revolt(&state.setup, &self.settings, &state.bound, feature);
        if !terms.met() {
            let against: Vec<String> =
                terms.conditions.into_iter().filter(|r| !r.holds).map(|r| r.text).collect();
            return Err(refused(against.join("; ")));
        }
        let mut next = state.clone();
        let mut reasons = stronghold::play::revolt(&mut next.setup, &self.settings, place);
        reasons.extend(terms.reasons());
        let pips = stronghold::play::REVOLT_PIPS;
        next.bound.done.push(Done { movers: Vec::new(), how: How::Field, pips });
        if let Some(closing) = &mut next.closing {
            closing.table = next.setup.clone();
        }
        Ok((next, Told::Rolled(reasons)))
    }

    /// Close combat is over: what still touches conforms, losses are counted, the other side's bound begins.
    pub(super) fn end_bound(&self, state: &State) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Combat, "the end of the bound")?;
        if !state.due.is_empty() {
            let due = state.due.iter().map(ToString::to_string).collect();
            return Err(Fault::CombatsDue { due });
        }
        let makers: Vec<&str> = state.contactors.iter().map(|c| c.name.as_str()).collect();
        let conformed = closing::after_combat(&state.setup, &self.settings, state.bound.side, &makers);
        let mut next = state.clone();
        next.setup = conformed.after.clone();
        self.each_clears(&state.setup, &mut next.setup);
        self.prune(&mut next);
        let stand = stand(&next.setup, &self.settings, self.places(&next), Moment::EndOfBound);
        next.loser = stand.loser;
        next.exposed.clear();
        next.known = Known::default();
        if next.loser.is_none() {
            next.bound = next.bound.next();
        }
        Ok((next, Told::BoundOver(Box::new(Ended { conformed, stand }))))
    }

    /// Forgets contacts that are no more.
    pub(super) fn prune(&self, state: &mut State) {
        let State { setup, contactors, refused, .. } = state;
        let mut seen: Vec<String> = Vec::new();
        contactors.retain(|c| {
            let new = !seen.contains(&c.name);
            seen.push(c.name.clone());
            new && closing::front_on_enemy(setup, &self.settings, &c.name)
        });
        refused.retain(|(a, b)| self.touch(setup, a, b));
    }

    /// Whether two elements on the board touch.
    pub(super) fn touch(&self, setup: &Setup, a: &str, b: &str) -> bool {
        let base = |name: &str| {
            let on_board = |e: &&crate::rules::Element| e.location == crate::rules::Location::Board;
            setup.element(name).filter(on_board).map(|e| e.footprint)
        };
        let (Some(a), Some(b)) = (base(a), base(b)) else { return false };
        crate::geometry::separation(&a, &b).mm <= self.settings.tolerances.contact_gap_mm
    }
}

/// A die that shows 1 to 6.
fn die(value: u8) -> Result<u8, DieError> {
    if (1..=6).contains(&value) { Ok(value) } else { Err(DieError { value }) }
}

/// A contact that pursuit has made just now.
pub(super) fn by_pursuit(name: &str) -> Contactor {
    Contactor { name: name.to_owned(), made: Made::PursuitJustNow }
}
