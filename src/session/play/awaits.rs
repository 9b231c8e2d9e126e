//! What the dice of a bound bring about, combat by combat, until the bound is over: where bases are to stand, and who
//! is taken off. Table frame, millimetres.

use super::FightKind;
use crate::session::engine::Awaited;
use crate::session::view::{AftermathView, TableView};
use crate::tracking::Visibility;
use std::time::Duration;

/// Who is to be taken off and has not been seen for so long, with the table at rest, is off: a hand that hides it is
/// gone sooner.
const OFF_AFTER: Duration = Duration::from_secs(2);

/// Everything that the dice of this bound bring about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Awaits {
    combats: Vec<(Combat, Vec<Awaited>)>,
}

/// Who fought, and how.
type Combat = (FightKind, String, String);

impl Awaits {
    /// The dice of a combat lie; thrown again they take the place of the ones before.
    pub(super) fn threw(&mut self, combat: Combat, aftermath: Option<&AftermathView>) {
        self.combats.retain(|(known, _)| *known != combat);
        self.combats.push((combat, aftermath.map_or(Vec::new(), ends)));
    }

    /// A player decided something that the dice which were thrown last leave to him.
    pub(super) fn decided(&mut self, aftermath: &AftermathView) {
        if let Some((_, last)) = self.combats.last_mut() {
            *last = ends(aftermath);
        }
    }

    /// The bound is over.
    pub(super) fn clear(&mut self) {
        self.combats.clear();
    }

    /// Where each is to stand by the dice that were thrown last for it.
    pub fn all(&self) -> Vec<Awaited> {
        let mut all: Vec<Awaited> = Vec::new();
        for awaited in self.combats.iter().flat_map(|(_, ends)| ends) {
            all.retain(|known| known.who != awaited.who);
            all.push(awaited.clone());
        }
        all
    }

    /// The same, each with whether it is so on this table.
    pub fn on<'t>(
        &self,
        table: &'t TableView,
    ) -> Vec<(Awaited, Option<&'t crate::geometry::Footprint>, bool)> {
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
