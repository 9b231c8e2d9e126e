//! Everything that the rules say of a setting up so far: each act, the terrain, camps, deployment, who is held back,
//! and what is next.
//!
//! Table frame, millimetres. Once base edges are taken the table is turned so that red's is the near one, and all of it is
//! judged as it lies then ([`Report::table`]): what is told of edges and quarters is what the drawing shows. A camp is judged once its
//! side has put it down, a side's deployment once it says that it has deployed.

use super::file::Written;
use super::landing::may_hold_back;
use super::layout::{Told, layout};
use super::no_place::no_place;
use super::order::{Act, Fate, State, Step};
use super::quarters::Quarter;
use super::standing::stands;
use super::turned::turned;
use super::{BaseEdges, deploys};
use crate::rules::stronghold::{self, Terms};
use crate::rules::{AskError, Location, Reason, Setup, Side};

/// An act and what the rules say of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Ruled {
    /// Whose act.
    pub by: Side,
    /// What was done.
    pub act: Act,
    /// What the rules say.
    pub reasons: Vec<Reason>,
}

/// What is said of a setting up.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Each act, in order.
    pub acts: Vec<Ruled>,
    /// Of each feature, as it lies.
    pub terrain: Vec<Told>,
    /// Of camps, deployed elements and those held back.
    pub sides: Vec<Told>,
    /// What is next.
    pub next: Step,
    /// What it needs, in a sentence.
    pub needs: String,
    /// The table with red's base edge near; as it is written while no edges are taken.
    pub table: Setup,
    /// Whether base edges are taken.
    pub edges: Option<BaseEdges>,
    /// What has been done.
    pub done: State,
}

impl Report {
    /// Every condition that fails, with whom or what it is about.
    pub fn faults(&self) -> Vec<(String, &Reason)> {
        let acts = self.acts.iter().flat_map(|ruled| {
            let whose = ruled.by.word();
            ruled.reasons.iter().filter(|r| !r.holds).map(move |r| (whose.to_owned(), r))
        });
        let told = self.terrain.iter().chain(&self.sides).flat_map(|told| {
            told.terms.conditions.iter().filter(|r| !r.holds).map(|r| (told.name.clone(), r))
        });
        acts.chain(told).collect()
    }
}

/// Judges everything that has been done.
///
/// # Errors
/// An act that names nobody on the table, an unknown troop code.
pub fn report(written: &Written) -> Result<Report, AskError> {
    let (setup, settings) = (&written.setup, &written.settings);
    let mut state = State::default();
    let mut acts = Vec::new();
    for (by, act) in &written.acts {
        let (next, mut reasons) = state.after(setup, settings, *by, act);
        state = next;
        if let Act::Discard(name) = act
            && let Some(quarter) = sent(written, &state, name)
        {
            reasons.extend(no_place(setup, settings, &quarter, name).reasons());
        }
        acts.push(Ruled { by: *by, act: act.clone(), reasons });
    }
    // Features that were left out lie in the file for their outlines alone.
    let mut laid = setup.clone();
    let out: Vec<&str> =
        state.placements().iter().filter(|p| p.fate == Fate::Discarded).map(|p| p.name.as_str()).collect();
    laid.ground.features.retain(|f| !out.contains(&f.name.as_str()));
    laid.ground.rivers.retain(|r| !out.contains(&r.name.as_str()));
    laid.ground.roads.retain(|r| !out.contains(&r.name.as_str()));
    let edges = state.edges();
    laid.edges = edges.unwrap_or_default();
    let near = laid.edges.red;
    let table = turned(&laid, near);
    let quarters: Vec<(String, Quarter)> = state
        .placements()
        .iter()
        .filter(|p| p.fate == Fate::Laid)
        .filter_map(|p| {
            let seat = written.seat.turned(near);
            let quarter = Quarter::of(p.quarter?, seat, table.board_mm, settings)?;
            Some((p.name.clone(), quarter))
        })
        .collect();
    let terrain = layout(&table, settings, &quarters);
    let mut sides = Vec::new();
    if edges.is_some() {
        for side in [Side::Red, Side::Blue] {
            sides.extend(of_side(written, &state, &table, side)?);
        }
    }
    let (next, needs) = (state.next(), state.needs(&laid, settings));
    Ok(Report { acts, terrain, sides, next, needs, table, edges, done: state })
}

/// The quarter that a feature was sent to, by a die or a player.
fn sent(written: &Written, state: &State, name: &str) -> Option<Quarter> {
    let placement = state.placements().iter().find(|p| p.name == name)?;
    Quarter::of(placement.quarter?, written.seat, written.setup.board_mm, &written.settings)
}

/// What is said of one side's camp, elements and reserve.
fn of_side(written: &Written, state: &State, table: &Setup, side: Side) -> Result<Vec<Told>, AskError> {
    let (settings, half) = (&written.settings, state.half(side));
    let allied: Vec<String> = table.contingents.keys().cloned().collect();
    let mut told = Vec::new();
    let of = |name: &str, terms: Terms| Told { name: name.to_owned(), terms };
    if let Some(Some(camp)) = &half.camp {
        let found = table.ground.feature(camp).and_then(|f| stronghold::laid(table, settings, f));
        let terms = found.unwrap_or_else(|| {
            let mut terms = Terms::default();
            terms.ask("dba3.setup.8", format!("{camp} is no camp that lies on the table"), false);
            terms
        });
        told.push(of(camp, terms));
    }
    if !half.held_back.is_empty()
        && let Some(homes) = state.homes(side)
    {
        let terms = may_hold_back(table, settings, &half.held_back, &homes)?;
        told.push(of(&half.held_back.join(", "), terms));
    }
    if !half.deployed {
        return Ok(told);
    }
    for element in table.elements.iter().filter(|e| e.side == side) {
        let mut terms = deploys(table, settings, element, table.edges, &allied)?;
        terms.extend(stands(table, settings, element));
        if element.location == Location::Reserve && !half.held_back.contains(&element.name) {
            let text = format!("{} is not on the table, and nobody said that it is held back", element.name);
            terms.ask("dba3.dep.1", text, false);
        }
        told.push(of(&element.name, terms));
    }
    for place in table.ground.features.iter().filter(|f| f.kind.is_stronghold() && f.side == Some(side)) {
        let terms = stronghold::deployed(table, settings, place, &allied)?;
        // A camp that was put down is told already: what is asked of it at the end joins that.
        match told.iter_mut().find(|known| known.name == place.name) {
            Some(known) => known.terms.extend(terms),
            None => told.push(of(&place.name, terms)),
        }
    }
    Ok(told)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::terrain::BoardEdge;

    /// A setting up to its edges, blue's being `edge`.
    fn with_edge(edge: &str) -> Report {
        let text = format!(
            "(schema: 1, name: \"x\", ruleset: \"dba3\",
            table: \"ground difficult-hill Ida oval (1.5,8.5)-(6.5,12); ground wood Beech oval (8.5,1.5)-(12.5,4.5)\",
            acts: [(red, Army(Hilly, 1)), (blue, Army(Steppe, 4)), (red, Roll(1)), (blue, Roll(6)),
                (red, Choose([(\"Ida\", Area(DifficultHill))], [(\"Beech\", Area(Wood))])),
                (red, Dice(\"Ida\", 2)), (red, Lay(\"Ida\")), (red, Dice(\"Beech\", 4)), (red, Lay(\"Beech\")),
                (blue, Edge({edge}))])"
        );
        report(&Written::read("x", &text).expect("a file")).expect("a report")
    }

    #[test]
    fn terrain_is_told_as_the_turned_table_shows_it_and_no_margin_changes_by_the_turn() {
        let margins = |found: &Report| {
            let mut mm: Vec<i64> =
                found.terrain.iter().flat_map(|t| &t.terms.conditions).fold(Vec::new(), |mut all, reason| {
                    all.extend(reason.margin.map(|m| (m.mm * 1000.0).round() as i64));
                    all
                });
            mm.sort_unstable();
            mm
        };
        let usual = margins(&with_edge("Far"));
        let mut named = 0;
        for edge in ["Far", "Near", "Left", "Right"] {
            let found = with_edge(edge);
            assert_eq!(margins(&found), usual, "{edge}");
            for reason in found.terrain.iter().flat_map(|t| &t.terms.conditions) {
                let told = BoardEdge::ALL.into_iter().find(|e| reason.text.contains(e.name()));
                let (Some(told), Some(margin)) = (told, reason.margin) else { continue };
                let at = [margin.binding.0.at, margin.binding.1.at];
                assert!(
                    at.iter().any(|p| told.from(*p, found.table.board_mm).abs() < 1e-6),
                    "{edge}: {}: {at:?}",
                    reason.text
                );
                named += 1;
            }
        }
        assert!(named >= 8, "{named}");
    }
}
