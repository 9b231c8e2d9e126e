//! The shooting phase: who still has to shoot at whom, and one shot after the other.
//!
//! Who shoots at whom is looked at anew before each shot, for outcome moves are made at once (clause dba3.seq.7);
//! who has shot is left out. Two that shoot at each other are one combat, which takes both their shots.

use super::combats::after_clash;
use super::state::State;
use super::{Battle, Clash, Fault, Told};
use crate::rules::aftermath::{Cause, Fought, play_out};
use crate::rules::bound::Phase;
use crate::rules::combat::{Conditions, brief};
use crate::rules::shooting::{Fire, Primary, Shooting, shooting};

/// Who shoots at whom as the battle stands, as far as it is settled.
pub fn shots_of(battle: &Battle, state: &State) -> Shooting {
    shooting(&state.setup, &battle.settings, &state.bound, &state.known)
}

/// What is still due of a bound's shooting, in words: who must shoot, and who has to choose his target.
pub fn shots_due(battle: &Battle, state: &State) -> Vec<String> {
    let plan = shots_of(battle, state);
    let open = plan.options.iter().filter(|o| o.settled.is_none() && o.targets.len() > 1);
    let choose =
        open.map(|o| format!("{} must choose whom to shoot at: {}", o.shooter, o.targets.join(" or ")));
    let must = plan.fires.iter().map(|f| {
        let who = f.shooters.join(" and ");
        format!("{who} must shoot at {}, which has no dice", f.target)
    });
    choose.chain(must).collect()
}

impl Battle {
    /// A shooter's player chooses its target.
    pub(super) fn aim(&self, state: &State, shooter: &str, target: &str) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Shooting, "the choice of a target")?;
        crate::rules::ask::find(&state.setup, target)?;
        let mut next = state.clone();
        next.known.chosen.retain(|(who, _)| who != shooter);
        next.known.chosen.push((shooter.to_owned(), target.to_owned()));
        let plan = shots_of(self, &next);
        let open = plan.options.iter().find(|o| o.shooter == shooter);
        if open.is_none_or(|o| !o.targets.iter().any(|t| t == target)) {
            let why = match open {
                Some(o) => format!("{shooter} may shoot at {}", o.targets.join(" or ")),
                None => format!("{shooter} may shoot at nobody"),
            };
            return Err(Fault::NoShot { target: target.to_owned(), why });
        }
        Ok((next, Told::Aimed(Box::new(plan))))
    }

    /// Everything that is shot at one target.
    pub(super) fn shoot(
        &self,
        state: &State,
        (target, by): (&str, &[String]),
        dice: (u8, u8),
        own_depth: &[String],
    ) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Shooting, "a shot")?;
        let plan = shots_of(self, state);
        let Some(fire) = plan.fires.into_iter().find(|f| f.target == target) else {
            return Err(Fault::NoShot { target: target.to_owned(), why: self.said_of_shots(state) });
        };
        let first = self.checked(&fire, by)?;
        let mutual = fire.answers.as_ref() == Some(&first);
        let mode = fire.mode_of(&first);
        let conditions = Conditions { mode, ..Conditions::default() };
        let brief = brief(&state.setup, &self.settings, &conditions, &first, target)?;
        let outcome = brief.outcome(dice.0, dice.1)?;
        let decisions = self.decisions(state, own_depth)?;
        let cause = Cause::Shooting(fire.struck);
        let fought = Fought { a: &first, b: target, cause, outcome: &outcome };
        let play = play_out(&state.setup, &self.settings, &decisions, &fought)?;
        let mut next = state.clone();
        next.setup = play.setup;
        next.known.shot.extend(fire.shooters.iter().cloned());
        if mutual {
            next.known.shot.push(target.to_owned());
        }
        after_clash(self, state, &mut next);
        let (a, b) = (first, target.to_owned());
        let clash = Clash { a, b, brief, outcome, steps: play.steps, choices: play.choices };
        Ok((next, Told::Shot(Box::new(fire), Box::new(clash))))
    }

    /// Who rolls, where those named are those who shoot.
    fn checked(&self, fire: &Fire, by: &[String]) -> Result<String, Fault> {
        let (mut said, mut found) = (by.to_vec(), fire.shooters.clone());
        said.sort();
        found.sort();
        let settled = match &fire.primary {
            Primary::Named(name) => Some(name),
            Primary::PickedBy(_) => None,
        };
        match by.first() {
            Some(first) if said == found && settled.is_none_or(|name| name == first) => Ok(first.clone()),
            _ => Err(Fault::Shooters {
                target: fire.target.clone(),
                found: fire.shooters.join(", "),
                said: by.join(", "),
                primary: settled.map_or(String::new(), |name| format!(", which is {name}")),
            }),
        }
    }

    fn said_of_shots(&self, state: &State) -> String {
        match shots_due(self, state).join("; ") {
            none if none.is_empty() => "no shot is due".to_owned(),
            due => due,
        }
    }

    /// Shooting is over: the combats of the bound are settled.
    pub(super) fn end_shooting(&self, state: &State) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Shooting, "the end of shooting")?;
        let due = shots_due(self, state);
        if !due.is_empty() {
            return Err(Fault::ShotsDue { due });
        }
        let mut next = state.clone();
        next.bound = next.bound.next();
        next.due = super::due(self, &next);
        Ok((next, Told::ShootingOver))
    }
}
