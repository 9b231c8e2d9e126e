//! What the dice of a bound bring about, combat by combat, until the bound is over: where bases are to stand, and who
//! is taken off. Table frame, millimetres.

use super::FightKind;
use crate::geometry::Footprint;
use crate::rules::Setup;
use crate::session::engine::{Awaited, MET_MM, furthest};
use crate::session::view::{AftermathView, TableView};
use crate::tracking::Visibility;
use std::time::Duration;

/// Who is to be taken off and has not been seen for so long, with the table at rest, is off: a hand that hides it is
/// gone sooner.
const OFF_AFTER: Duration = Duration::from_secs(2);

/// Everything that the dice of this bound bring about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Awaits {
    combats: Vec<Thrown>,
}

/// What the dice of one combat bring about.
#[derive(Debug, Clone, PartialEq)]
struct Thrown {
    combat: Combat,
    /// Where each is to stand, or that it is taken off.
    ends: Vec<Awaited>,
    /// Where each of them stood.
    from: Vec<(String, Footprint)>,
    /// Who has lost its own frontal enemy by it (clause dba3.ovl.3).
    exposed: Vec<String>,
}

/// Who fought, and how.
type Combat = (FightKind, String, String);

impl Awaits {
    /// The dice of a combat lie; thrown again they take the place of the ones before.
    pub(super) fn threw(&mut self, combat: Combat, aftermath: Option<&AftermathView>, exposed: Vec<String>) {
        self.combats.retain(|known| known.combat != combat);
        let (ends, from) = aftermath.map_or_else(Default::default, |a| (ends(a), from(a)));
        self.combats.push(Thrown { combat, ends, from, exposed });
    }

    /// A player decided something that the dice which were thrown last leave to him.
    pub(super) fn decided(&mut self, aftermath: &AftermathView) {
        if let Some(last) = self.combats.last_mut() {
            (last.ends, last.from) = (ends(aftermath), from(aftermath));
        }
    }

    /// The bound is over.
    pub(super) fn clear(&mut self) {
        self.combats.clear();
    }

    /// Where each is to stand by the dice that were thrown last for it.
    pub fn all(&self) -> Vec<Awaited> {
        let mut all: Vec<Awaited> = Vec::new();
        for awaited in self.combats.iter().flat_map(|c| &c.ends) {
            all.retain(|known| known.who != awaited.who);
            all.push(awaited.clone());
        }
        all
    }

    /// Who has lost its own frontal enemy in this bound by the dice before those of `fight`.
    pub(super) fn exposed(&self, fight: Option<(FightKind, [&str; 2])>) -> Vec<String> {
        let mut all: Vec<String> = self.before(fight).flat_map(|c| c.exposed.clone()).collect();
        all.sort();
        all.dedup();
        all
    }

    /// What the dice before those of `fight` bring about and nobody has done yet: who, and where it is to stand; none: it is
    /// taken off. Who stands elsewhere than where it stood when they lay was moved by its player, and stays there.
    pub(super) fn still_to_do(
        &self,
        fight: Option<(FightKind, [&str; 2])>,
        now: &Setup,
    ) -> Vec<(String, Option<Footprint>)> {
        let before: Vec<&Thrown> = self.before(fight).collect();
        let mut put: Vec<(String, Option<Footprint>)> = Vec::new();
        for awaited in before.iter().flat_map(|c| &c.ends) {
            put.retain(|(who, _)| *who != awaited.who);
            let Some(at) = now.element(&awaited.who).map(|e| &e.footprint) else { continue };
            let mut stood = before.iter().flat_map(|c| &c.from).filter(|(who, _)| *who == awaited.who);
            let waits = stood.any(|(_, from)| furthest(from, at) <= MET_MM);
            if waits && !awaited.met_by(Some(at)) {
                put.push((awaited.who.clone(), awaited.to));
            }
        }
        put
    }

    /// The dice that were thrown before those of `fight`; all of them where it has thrown none, or is none.
    fn before(&self, fight: Option<(FightKind, [&str; 2])>) -> impl Iterator<Item = &Thrown> {
        let same = move |(kind, a, b): &Combat| {
            fight.is_some_and(|(of, names)| of == *kind && (names == [a, b] || names == [b, a]))
        };
        self.combats.iter().take_while(move |c| !same(&c.combat))
    }

    /// Who has fought in close combat in this bound: its dice lie.
    pub(super) fn fought(&self) -> Vec<String> {
        let close = self.combats.iter().filter(|c| c.combat.0 == FightKind::Close);
        close.flat_map(|c| [c.combat.1.clone(), c.combat.2.clone()]).collect()
    }

    /// The same, each with whether it is so on this table.
    pub fn on<'t>(&self, table: &'t TableView) -> Vec<(Awaited, Option<&'t Footprint>, bool)> {
        let place = |who: &str| {
            let element = table.element(who)?;
            let known = matches!(element.visibility, Visibility::Seen | Visibility::Covered { .. });
            element.place.as_ref().filter(|_| known).map(|p| &p.footprint)
        };
        let all = self.all().into_iter();
        all.map(|a| {
            let (at, off) = (place(&a.who), a.to.is_none() && is_off(&a.who, table));
            let met = off || a.to.is_some() && a.met_by(at);
            (a, at, met)
        })
        .collect()
    }

    /// Who is to be taken off and is.
    pub(super) fn taken_off(&self, table: &TableView) -> Vec<String> {
        let off = self.all().into_iter().filter(|a| a.to.is_none() && is_off(&a.who, table));
        off.map(|a| a.who).collect()
    }
}

/// Whether it has not been on the table for a while.
fn is_off(who: &str, table: &TableView) -> bool {
    let Some(element) = table.element(who) else { return true };
    match element.visibility {
        Visibility::Seen => !table.holds(element),
        Visibility::Covered { age } => age >= OFF_AFTER || !table.holds(element),
        Visibility::Missing | Visibility::Gone => true,
    }
}

/// Where everybody stood whom an aftermath moves or takes off.
fn from(aftermath: &AftermathView) -> Vec<(String, Footprint)> {
    let mut found: Vec<(String, Footprint)> = Vec::new();
    for step in &aftermath.steps {
        if !found.iter().any(|(who, _)| *who == step.who) {
            found.push((step.who.clone(), step.from));
        }
    }
    found
}

/// Where an aftermath leaves everybody whom it moves.
fn ends(aftermath: &AftermathView) -> Vec<Awaited> {
    let mut ends: Vec<Awaited> = Vec::new();
    for step in &aftermath.steps {
        let to = (!step.what.removes()).then_some(step.to);
        ends.retain(|known| known.who != step.who);
        if to.is_none() || step.to != step.from || step.way.len() > 1 {
            ends.push(Awaited { who: step.who.clone(), side: step.side, to });
        }
    }
    ends
}
