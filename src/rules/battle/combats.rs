//! The close combat phase: which combats are due, what each side brings as the table shows it, one after the other.
//!
//! Due are those who are in contact when the phase begins: what outcome moves bring together later waits for the next
//! bound (clause dba3.pur.13), and what they part is no longer due (clause dba3.seq.10).

use super::phases::by_pursuit;
use super::state::State;
use super::{Battle, Clash, Fault, Told};
use crate::rules::Location;
use crate::rules::aftermath::{Cause, Decisions, Fought, MetHow, RecoilBy, play_out};
use crate::rules::ask::find;
use crate::rules::bound::Phase;
use crate::rules::closing::front_on_enemy;
use crate::rules::combat::{Conditions, LinedUp, Situation, brief};
use crate::rules::engagement::{assaults, fights};
use crate::rules::terrain::TerrainKind;
use crate::rules::turn::Contactor;
use std::fmt;

/// A combat of this bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// One of them: red in the open, the assaulter at a City, Fort or camp, the contactor where a contact was refused.
    pub a: String,
    /// The other.
    pub b: String,
    /// What sort of contact it is.
    pub contact: Contact,
}

/// What sort of contact a combat is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contact {
    /// Front edge to front edge.
    Fronts,
    /// The contacted did not line up (clause dba3.cf.10).
    Refused,
    /// An assault of the feature of that name.
    Assault(String),
}

impl fmt::Display for Due {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} and {}", self.a, self.b)
    }
}

impl Due {
    /// Whether it is about these two, in whatever order.
    pub fn is_of(&self, a: &str, b: &str) -> bool {
        (self.a == a && self.b == b) || (self.a == b && self.b == a)
    }
}

/// Every combat that the table as it stands would have fought, in the setup's order: in the open, then refused
/// contacts, then assaults.
pub fn due(battle: &Battle, state: &State) -> Vec<Due> {
    let setup = &state.setup;
    let open = fights(setup, &battle.settings);
    let mut all: Vec<Due> =
        open.into_iter().map(|f| Due { a: f.a, b: f.b, contact: Contact::Fronts }).collect();
    for (a, b) in &state.refused {
        if !all.iter().any(|d| d.is_of(a, b)) {
            all.push(Due { a: a.clone(), b: b.clone(), contact: Contact::Refused });
        }
    }
    for assault in assaults(setup, &battle.settings) {
        let Some(inside) = assault.defender(setup, battle.settings.ruleset()) else { continue };
        for (assaulter, _) in &assault.by {
            let contact = Contact::Assault(assault.feature.name.clone());
            all.push(Due { a: assaulter.name.clone(), b: inside.name.clone(), contact });
        }
    }
    all
}

impl Battle {
    /// What players decided of recoils.
    pub(super) fn decisions(&self, state: &State, own_depth: &[String]) -> Result<Decisions, Fault> {
        for name in own_depth {
            find(&state.setup, name)?;
        }
        let recoil = own_depth.iter().map(|name| (name.clone(), RecoilBy::OwnDepth));
        Ok(Decisions { recoil: recoil.collect(), ..Decisions::default() })
    }

    /// The City that this combat assaults, which `who` is to occupy should it fall: one of its assaulters (clause
    /// dba3.city.9).
    fn occupied(&self, state: &State, due: &Due, who: &str) -> Result<String, Fault> {
        let refused = |why: String| Fault::NotOccupying { who: who.to_owned(), why };
        find(&state.setup, who)?;
        let Contact::Assault(place) = &due.contact else {
            return Err(refused(format!("{due} do not fight about a City")));
        };
        let all = assaults(&state.setup, &self.settings);
        let assault = all.iter().find(|a| a.feature.name == *place);
        let assault = assault.filter(|a| a.feature.kind == TerrainKind::City);
        let Some(assault) = assault else {
            return Err(refused(format!("{place} is no City, and falls to the one that fights")));
        };
        if assault.by.iter().any(|(element, _)| element.name == who) {
            return Ok(place.clone());
        }
        let by =
            assault.by.iter().map(|(element, _)| element.name.as_str()).collect::<Vec<_>>().join(" and ");
        Err(refused(format!("{place} is assaulted by {by}")))
    }

    /// One close combat, and everything that follows.
    pub(super) fn fight(
        &self,
        state: &State,
        (a, b): (&str, &str),
        dice: (u8, u8),
        mut decisions: Decisions,
        occupies: Option<&str>,
    ) -> Result<(State, Told), Fault> {
        Self::in_phase(state, Phase::Combat, "a close combat")?;
        let Some(at) = state.due.iter().position(|d| d.is_of(a, b)) else {
            let due = match state.due.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ") {
                none if none.is_empty() => "none".to_owned(),
                due => due,
            };
            return Err(Fault::NotDue { a: a.to_owned(), b: b.to_owned(), due });
        };
        let conditions = self.conditions(state, &state.due[at], (a, b));
        let brief = brief(&state.setup, &self.settings, &conditions, a, b)?;
        let outcome = brief.outcome(dice.0, dice.1)?;
        if let Some(who) = occupies {
            decisions.occupies.insert(self.occupied(state, &state.due[at], who)?, who.to_owned());
        }
        let fought = Fought { a, b, cause: Cause::CloseCombat, outcome: &outcome };
        let play = play_out(&state.setup, &self.settings, &decisions, &fought)?;
        let mut next = state.clone();
        next.due.remove(at);
        next.setup = play.setup;
        for met in &play.met {
            let new = !state.contactors.iter().any(|c: &Contactor| c.name == met.pursuer);
            if new && front_on_enemy(&next.setup, &self.settings, &met.pursuer) {
                next.contactors.push(by_pursuit(&met.pursuer));
            }
            if met.fought == MetHow::Overlapped {
                next.refused.push((met.pursuer.clone(), met.enemy.clone()));
            }
        }
        after_clash(self, state, &mut next);
        let (a, b) = (a.to_owned(), b.to_owned());
        let clash = Clash { a, b, brief, outcome, steps: play.steps, choices: play.choices };
        Ok((next, Told::Fought(Box::new(clash))))
    }

    /// What the table and the bound so far show of a combat, beside what is read off the table with its totals.
    pub fn conditions(&self, state: &State, due: &Due, (a, b): (&str, &str)) -> Conditions {
        let of = |name: &str| {
            let mut situation = Situation::default();
            if due.contact == Contact::Refused && name == due.b {
                situation.lined_up = LinedUp::Refused;
            }
            if let Contact::Assault(feature) = &due.contact
                && name == due.b
            {
                situation.further_assaulters = self.further_assaulters(state, feature);
            }
            situation
        };
        Conditions { a: of(a), b: of(b), exposed: state.exposed.clone(), ..Conditions::default() }
    }

    /// How many assault a feature beside the one that fights (clause dba3.tac.15).
    fn further_assaulters(&self, state: &State, feature: &str) -> u8 {
        let all = assaults(&state.setup, &self.settings);
        let count = all.iter().find(|a| a.feature.name == feature).map_or(0, |a| a.by.len());
        u8::try_from(count.saturating_sub(1)).unwrap_or(u8::MAX)
    }
}

/// What a shot or combat leaves: places, contacts that are no more, combats that are no longer due, and who has lost
/// its frontal enemy.
pub(super) fn after_clash(battle: &Battle, before: &State, next: &mut State) {
    battle.prune(next);
    let now = due(battle, next);
    let still = |d: &Due| now.iter().any(|n| n.is_of(&d.a, &d.b));
    next.due.retain(still);
    for gone in fights(&before.setup, &battle.settings) {
        let pair = Due { a: gone.a, b: gone.b, contact: Contact::Fronts };
        if still(&pair) {
            continue;
        }
        for name in [pair.a, pair.b] {
            let here = next.setup.element(&name).is_some_and(|e| e.location == Location::Board);
            if here && !next.exposed.contains(&name) {
                next.exposed.push(name);
            }
        }
    }
}
