//! Tactical moves, one after the other, and the close of movement.

use super::state::State;
use super::{Battle, Fault, Told};
use crate::rules::ask::find;
use crate::rules::bound::{Done, Phase};
use crate::rules::closing::Chosen;
use crate::rules::conform::Outcome;
use crate::rules::movement::{TacticalMove, judge};
use crate::rules::turn::Made;

impl Battle {
    /// Makes one tactical move: judged, then its contacts lined up.
    pub(super) fn make(
        &self,
        state: &State,
        made: &TacticalMove,
        refuses: &[String],
    ) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Moves, "a tactical move")?;
        for name in refuses {
            find(&state.setup, name)?;
        }
        let judged = judge(&state.setup, &state.bound, &self.settings, made)?;
        if !judged.legal {
            return Err(Fault::Illegal { judged: Box::new(judged) });
        }
        let mut next = state.clone();
        let chosen = Chosen { refuse: refuses.to_vec(), faces: Vec::new() };
        let closing = next.closing.as_mut().expect("moves are made in the movement phase");
        let line_up = closing.take(&self.settings, made, &chosen)?.clone();
        if line_up.outcome == Outcome::NoMove {
            let why = line_up.reasons.first().map_or(String::new(), |r| r.text.clone());
            return Err(Fault::NoLineUp { why });
        }
        if let Some((contactor, contacted, _)) = &line_up.pair
            && line_up.contacted.iter().any(|c| c.may_refuse && c.shifts.is_none())
        {
            next.refused.push((contactor.clone(), contacted.clone()));
        }
        // What it does to a camp, City or Fort that it goes into or out of.
        closing.table.ground = judged.after.ground.clone();
        self.clears(&state.setup, &mut closing.table, &made.names().collect::<Vec<_>>());
        let table = closing.table.clone();
        next.contactors.clone_from(&closing.contactors);
        next.known.moved.extend(made.gone_mm(&state.setup));
        let movers = made.names().map(str::to_owned).collect();
        next.bound.done.push(Done { movers, how: made.how(), pips: judged.pips });
        next.setup = table;
        Ok((next, Told::Moved { judged: Box::new(judged), line_up: Box::new(line_up) }))
    }

    /// Movement is over: whoever is hit on a flank or rear turns.
    pub(super) fn end_moves(
        &self,
        state: &State,
        faces: &[(String, String)],
    ) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Moves, "the end of movement")?;
        for name in faces.iter().flat_map(|(who, whom)| [who, whom]) {
            find(&state.setup, name)?;
        }
        let mut next = state.clone();
        let closing = next.closing.take().expect("the movement phase is going on");
        let chosen = Chosen { refuse: Vec::new(), faces: faces.to_vec() };
        next.contactors.clone_from(&closing.contactors);
        let closed = closing.finish(&self.settings, &chosen);
        next.setup = closed.after.clone();
        self.each_clears(&state.setup, &mut next.setup);
        for contactor in &mut next.contactors {
            contactor.made = Made::Move;
        }
        self.prune(&mut next);
        next.bound = next.bound.next();
        Ok((next, Told::MovesOver(Box::new(closed))))
    }
}
