//! Everything that the rules say of a setting up so far: each act, the terrain, camps, deployment, who is held back,
//! and what is next.
//!
//! Table frame, millimetres. Terrain is judged as it lies when it is placed; once base edges are taken the table is turned
//! so that red's is the near one, and camps and deployment are judged on it ([`Report::table`]). A camp is judged once its
//! side has put it down, a side's deployment once it says that it has deployed.

use super::deployment::{BaseEdges, deploys};
use super::file::Written;
use super::landing::may_hold_back;
use super::layout::{Told, layout};
use super::no_place::no_place;
use super::order::{Act, Fate, State, Step};
use super::quarters::Quarter;
use super::standing::stands;
use super::turned::turned;
use crate::rules::stronghold::{self, Terms};
use crate::rules::terrain::BoardEdge;
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
    let quarters: Vec<(String, Quarter)> = state
        .placements()
        .iter()
        .filter(|p| p.fate == Fate::Laid)
        .filter_map(|p| Some((p.name.clone(), sent(written, &state, &p.name)?)))
        .collect();
    let terrain = layout(&laid, settings, &quarters);
    let edges = state.edges();
    let table = turned(&laid, edges.map_or(BoardEdge::Near, |edges| edges.red));
    let mut sides = Vec::new();
    if edges.is_some() {
        for side in [Side::Red, Side::Blue] {
            sides.extend(of_side(written, &state, &table, side)?);
        }
    }
    let (next, needs) = (state.next(), state.needs(&laid, settings));
    Ok(Report { acts, terrain, sides, next, needs, table, edges })
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
        let mut terms = deploys(table, settings, element, BaseEdges::USUAL, &allied)?;
        terms.extend(stands(table, settings, element));
        if element.location == Location::Reserve && !half.held_back.contains(&element.name) {
            let text = format!("{} is not on the table, and nobody said that it is held back", element.name);
            terms.ask("dba3.dep.1", text, false);
        }
        told.push(of(&element.name, terms));
    }
    for place in table.ground.features.iter().filter(|f| f.kind.is_stronghold() && f.side == Some(side)) {
        told.push(of(&place.name, stronghold::deployed(table, settings, place, &allied)?));
    }
    Ok(told)
}
