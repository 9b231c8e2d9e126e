//! How the two that are picked fight, what their dice brought about, and what is due on the whole table.

use super::FightKind;
use crate::geometry::Corner;
use crate::judge::{Measured, Table};
use crate::rules::aftermath::{Decisions, RecoilBy};
use crate::rules::bound::Bound;
use crate::rules::combat::Brief;
use crate::rules::due::Told;
use crate::rules::shooting::Known;
use crate::rules::terrain::{BaseEdges, BoardEdge};
use crate::rules::{Setup, Side};
use crate::session::engine::Engine;
use crate::session::view::{AftermathView, Chooses, Decides, DueView, OutcomeView, ShootingView};
use crate::tracking::Held;
use std::collections::BTreeMap;

/// Places that changed by less than this since they were last worked on are not worked on anew, millimetres: what a
/// base at rest is read to wander.
const WANDER_MM: f64 = 0.15;

/// What combat and shooting are shown of.
#[derive(Debug, Default)]
pub struct Fight {
    kind: FightKind,
    shooting: Option<ShootingView>,
    due: Option<DueView>,
    /// What [`Fight::due`] was asked of last.
    asked: Option<Asked>,
    at_work: bool,
    failed: Option<String>,
    /// Shots that players chose: who, at whom.
    chosen: Vec<(String, String)>,
    /// What players chose before the dice lie.
    said: Vec<Chooses>,
    recoil: BTreeMap<String, RecoilBy>,
    /// Who occupies a stormed place.
    occupies: BTreeMap<String, String>,
    /// Red's base edge, where it was said.
    red_edge: Option<BoardEdge>,
    fought: Option<Fought>,
}

/// What the due combats were asked of.
#[derive(Debug, Clone, PartialEq)]
struct Asked {
    setup: Setup,
    held: Option<Held>,
    bound: Bound,
    told: Told,
    said: Vec<Chooses>,
    fought: Vec<String>,
}

/// What becomes of what was said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stands {
    /// It stands.
    Yes,
    /// It was said before, and is taken back.
    TakenBack,
}

/// The table on which dice were thrown, and what came of them.
#[derive(Debug)]
struct Fought {
    measured: Measured,
    brief: Brief,
    outcome: OutcomeView,
    aftermath: Result<AftermathView, String>,
}

impl Fight {
    /// Close combat or shooting.
    pub fn kind(&self) -> FightKind {
        self.kind
    }

    /// The first of the pair shooting at the second.
    pub fn shooting(&self) -> Option<&ShootingView> {
        self.shooting.as_ref()
    }

    /// Another pair is looked at, or the same on another table.
    pub fn look_at(&mut self, shooting: Option<ShootingView>) {
        self.shooting = shooting;
    }

    /// Every combat and shot that is due, as last worked out.
    pub fn due(&self) -> Option<&DueView> {
        self.due.as_ref()
    }

    /// Whether it is being worked out anew.
    pub fn at_work(&self) -> bool {
        self.at_work
    }

    /// Why it is not known, if so.
    pub fn failed(&self) -> Option<&str> {
        self.failed.as_deref()
    }

    /// What the dice bring about.
    pub fn aftermath(&self) -> Option<&Result<AftermathView, String>> {
        self.fought.as_ref().map(|f| &f.aftermath)
    }

    /// The edge that was said to be red's base edge.
    pub fn red_edge(&self) -> Option<BoardEdge> {
        self.red_edge
    }

    /// The base edges of a table: as they were said, else as its file says, else as the armies stand.
    pub(super) fn edges(&self, table: &Table, setup: &Setup) -> BaseEdges {
        let said = self.red_edge.or(table.red_edge);
        said.map_or_else(|| BaseEdges::with(nearer(setup), BoardEdge::Near), |red| BaseEdges { red })
    }

    /// Whether a shot was chosen.
    pub fn chose(&self, shooter: &str, target: &str) -> bool {
        self.chosen.iter().any(|(who, at)| who == shooter && at == target)
    }

    /// What players chose before the dice lie.
    pub fn said(&self) -> &[Chooses] {
        &self.said
    }

    /// What fighting depends on and the table does not show.
    pub(super) fn told(&self, moved: Vec<(String, f64)>, exposed: Vec<String>) -> Told {
        let refused = self.said.iter().filter_map(|said| match said {
            Chooses::Refuses(contactor, contacted) => Some((contactor.clone(), contacted.clone())),
            _ => None,
        });
        Told {
            shooting: Known { moved, chosen: self.chosen.clone(), ..Known::default() },
            exposed,
            refused: refused.collect(),
        }
    }

    /// A player answers a question; the same again takes it back.
    pub(super) fn say(&mut self, chooses: Chooses) -> Stands {
        let known = self.said.contains(&chooses);
        self.said.retain(|said| !said.same_question(&chooses));
        if known {
            return Stands::TakenBack;
        }
        self.said.push(chooses);
        Stands::Yes
    }

    /// Close combat or shooting is looked at.
    pub fn turn_to(&mut self, kind: FightKind) {
        if self.kind != kind {
            self.kind = kind;
            self.fought = None;
        }
    }

    /// A shooter's player chooses its target; the same again takes it back.
    pub(super) fn choose(&mut self, shooter: String, target: String) {
        let known = self.chose(&shooter, &target);
        self.chosen.retain(|(who, _)| *who != shooter);
        if !known {
            self.chosen.push((shooter, target));
        }
    }

    /// The dice are off the table.
    pub fn clear(&mut self) {
        self.fought = None;
        self.recoil.clear();
        self.occupies.clear();
    }

    /// Another bound, or another table: what was chosen is over.
    pub(super) fn begin_anew(&mut self) {
        self.chosen.clear();
        self.said.clear();
        self.clear();
    }

    /// The dice lie: what follows is worked out on the table as it is now.
    pub(super) fn fought(
        &mut self,
        engine: &Engine,
        measured: &Measured,
        brief: &Brief,
        outcome: &OutcomeView,
    ) {
        self.recoil.clear();
        self.occupies.clear();
        let aftermath = engine.aftermath(measured, brief, &outcome.outcome, &self.decisions());
        self.fought = Some(Fought {
            measured: measured.clone(),
            brief: brief.clone(),
            outcome: outcome.clone(),
            aftermath,
        });
    }

    /// A player decides what the rules leave to him.
    pub(super) fn decide(&mut self, engine: &Engine, decides: Decides) {
        match decides {
            Decides::Recoil(who, by) => {
                self.recoil.insert(who, by);
            }
            Decides::Occupies(place, who) => {
                self.occupies.insert(place, who);
            }
        }
        self.play_again(engine);
    }

    /// Where red deploys from and runs to. The dice that lie bring about what follows from there.
    pub(super) fn set_red_edge(&mut self, engine: &Engine, edge: Option<BoardEdge>) {
        self.red_edge = edge;
        if let Some(mut fought) = self.fought.take() {
            let edges = self.edges(engine.table(), &fought.measured.setup);
            fought.measured = fought.measured.with_edges(edges);
            self.fought = Some(fought);
        }
        self.play_again(engine);
    }

    fn play_again(&mut self, engine: &Engine) {
        let Some(mut fought) = self.fought.take() else { return };
        let decisions = self.decisions();
        fought.aftermath =
            engine.aftermath(&fought.measured, &fought.brief, &fought.outcome.outcome, &decisions);
        self.fought = Some(fought);
    }

    fn decisions(&self) -> Decisions {
        Decisions { recoil: self.recoil.clone(), occupies: self.occupies.clone() }
    }

    /// Whether what is due must be worked out anew, of this table; it is taken to be asked then.
    /// `fought`: who has fought in close combat in the bound.
    pub(super) fn asks(&mut self, now: &Measured, bound: &Bound, told: &Told, fought: &[String]) -> bool {
        let stale = self.asked.as_ref().is_none_or(|a| {
            let other_edges = a.setup.edges != now.setup.edges;
            a.held != now.held
                || a.bound != *bound
                || a.told != *told
                || a.said != self.said
                || a.fought != fought
                || other_edges
                || differs(&a.setup, &now.setup)
        });
        if stale {
            self.asked = Some(Asked {
                setup: now.setup.clone(),
                held: now.held,
                bound: bound.clone(),
                told: told.clone(),
                said: self.said.clone(),
                fought: fought.to_vec(),
            });
            self.at_work = true;
        }
        stale
    }

    /// They have been worked out.
    pub fn take_due(&mut self, answer: Result<DueView, String>) {
        self.at_work = false;
        match answer {
            Ok(due) => (self.due, self.failed) = (Some(due), None),
            Err(why) => self.failed = Some(why),
        }
    }

    /// Another table: nothing is known of it but what is looked at and which edge is red's.
    pub(super) fn forget(&mut self) {
        let kept = (self.kind, self.red_edge);
        *self = Self::default();
        (self.kind, self.red_edge) = kept;
    }
}

/// The army that stands nearer to the board's edge y = 0.
pub(super) fn nearer(setup: &Setup) -> Side {
    let mean = |side| {
        let of: Vec<f64> =
            setup.elements.iter().filter(|e| e.side == side).map(|e| e.footprint.pose().centre.y).collect();
        (!of.is_empty()).then(|| of.iter().sum::<f64>() / of.len() as f64)
    };
    match (mean(Side::Red), mean(Side::Blue)) {
        (Some(red), Some(blue)) if blue < red => Side::Blue,
        (None, Some(blue)) if blue < setup.board_mm.1 / 2.0 => Side::Blue,
        (Some(red), None) if red > setup.board_mm.1 / 2.0 => Side::Blue,
        _ => Side::Red,
    }
}

/// Whether anything stands visibly elsewhere.
pub fn differs(then: &Setup, now: &Setup) -> bool {
    then.elements.len() != now.elements.len()
        || then.elements.iter().any(|e| {
            now.element(&e.name).is_none_or(|n| {
                e.location != n.location
                    || Corner::ALL
                        .into_iter()
                        .any(|c| (n.footprint.corner(c) - e.footprint.corner(c)).norm() > WANDER_MM)
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, notation};

    #[test]
    fn the_near_edge_is_the_army_s_that_stands_nearer_to_it() {
        let of = |text: &str| nearer(&notation::read_setup(text, &Ruleset::dba3()).expect("a setup"));
        let (low, high) = ("at (100,100)mm 90deg w40mm d15mm", "at (100,300)mm 270deg w40mm d15mm");
        assert_eq!(of(&format!("A 4Bd red {low}; E 4Bd blue {high}")), Side::Red);
        assert_eq!(of(&format!("A 4Bd red {high}; E 4Bd blue {low}")), Side::Blue);
    }
}
