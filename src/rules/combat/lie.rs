//! How the ground lies under a combat: going, height and banks worked out from the two bases.
//!
//! What a person entered is left alone. An element inside a City, Fort or camp stands on no ground of its own;
//! those who assault a City or Fort ignore the going of the hill that it stands on (clause dba3.bua.12).

use super::View;
use super::conditions::{Height, Mode, Place, Situation, Stronghold};
use crate::geometry::separation_from_area;
use crate::rules::terrain::{Ground, TerrainKind};
use crate::rules::{Element, Location, Reason, Settings};

/// A situation with its ground and height filled in, and why.
pub(super) struct Lie {
    pub situation: Situation,
    pub reasons: Vec<Reason>,
}

/// Fills in what the table itself shows of `own`'s situation against `other`.
pub(super) fn lie(
    view: &View<'_>,
    (own, other): (&Element, &Element),
    situation: &Situation,
    mode: Mode,
) -> Lie {
    let mut found = Lie { situation: situation.clone(), reasons: Vec::new() };
    found.situation.ground = situation.ground.map(|surface| surface.under(view.context.settings));
    if view.ground.is_bare() {
        return found;
    }
    if situation.ground.is_none() && own.location == Location::Board {
        going(view, own, &mut found);
    }
    if situation.height.is_none() && mode == Mode::CloseCombat {
        height(view, own, other, &mut found);
    }
    found
}

fn going(view: &View<'_>, own: &Element, found: &mut Lie) {
    let rules = view.context.settings.ruleset();
    let Some(troop) = rules.troop(&own.troop) else { return };
    let assaults = matches!(found.situation.place, Place::Assaults(Stronghold::City | Stronghold::Fort));
    let under_stronghold = |ground: &Ground, at: usize| {
        let hill = &ground.features[at];
        let built =
            |f: &&crate::rules::terrain::Feature| matches!(f.kind, TerrainKind::City | TerrainKind::Fort);
        hill.kind.is_hill()
            && ground.features.iter().filter(built).any(|f| hill.outline.holds(f.outline.centroid()))
    };
    let without_hill;
    let mut ground = view.ground;
    if assaults && (0..ground.features.len()).any(|at| under_stronghold(ground, at)) {
        let kept = (0..ground.features.len()).filter(|&at| !under_stronghold(ground, at));
        without_hill =
            Ground { features: kept.map(|at| ground.features[at].clone()).collect(), ..ground.clone() };
        ground = &without_hill;
        let text = format!("{} assaults: the going of the hill under it does not count", own.name);
        found.reasons.push(Reason::holds("dba3.bua.12", text));
    }
    let under = ground.underfoot(&own.name, &own.footprint, troop, view.context.settings);
    found.situation.ground = Some(under.surface);
    found.reasons.extend(under.reasons);
    if let Some(on) = ground.on_road(&own.footprint, view.context.scale)
        && on.margin.satisfied()
    {
        let text = format!("{} is on {}: in close combat the ground around it counts", own.name, on.road);
        found.reasons.push(Reason::tested("dba3.road.12", text, on.margin));
    }
}

fn height(view: &View<'_>, own: &Element, other: &Element, found: &mut Lie) {
    let lift = match (own.location, other.location) {
        (Location::Board, Location::Board) => open(view, own, other, found),
        (Location::City | Location::Fort, Location::Board) => {
            waterside(view.ground, view.context.settings, own, other, found)
        }
        _ => Height::Level,
    };
    found.situation.height = Some(lift);
}

fn open(view: &View<'_>, own: &Element, other: &Element, found: &mut Lie) -> Height {
    let (ground, settings) = (view.ground, view.context.settings);
    let (a, b) = ((own.name.as_str(), &own.footprint), (other.name.as_str(), &other.footprint));
    let mut lift = Height::Level;
    if let Some(uphill) = ground.uphill(a, b, &settings.tolerances) {
        if uphill.margin.satisfied() {
            lift = Height::Uphill;
        }
        found.reasons.extend(uphill.reasons);
    }
    let Some(bank) = ground.bank(a, b) else { return lift };
    found.reasons.extend(bank.reasons);
    let by_road = ground.on_road(&own.footprint, view.context.scale).filter(|on| on.margin.satisfied());
    match (by_road, bank.defends) {
        (Some(on), Some(true)) => {
            let text = format!("{} is on {}, where no bank is defended", own.name, on.road);
            found.reasons.push(Reason::fails("dba3.tac.9", text));
        }
        (None, Some(true)) if lift == Height::Level => lift = Height::Bank,
        _ => {}
    }
    lift
}

/// The occupiers of a City or Fort beside a river against those who still stand in it (clause dba3.bua.10).
fn waterside(
    ground: &Ground,
    settings: &Settings,
    own: &Element,
    other: &Element,
    found: &mut Lie,
) -> Height {
    if ground.features.iter().any(|f| f.hill.is_some()) {
        let text = format!("{} is inside: it is never uphill of those who assault", own.name);
        found.reasons.push(Reason::holds("dba3.bua.11", text));
    }
    let kind = if own.location == Location::City { TerrainKind::City } else { TerrainKind::Fort };
    let mut places = ground.features.iter().filter(|f| f.kind == kind);
    let touched = places.find(|f| {
        separation_from_area(&other.footprint, &f.outline).mm <= settings.tolerances.contact_gap_mm
    });
    for river in &ground.rivers {
        let in_water = river.course.reach_of(&other.footprint);
        if touched.is_none() || !in_water.satisfied() {
            continue;
        }
        let defended = river.state.banks_defended();
        let text = format!("{} assaults from {} ({})", other.name, river.name, river.state.word());
        found.reasons.push(Reason { holds: defended == Some(true), ..Reason::holds("dba3.bua.10", text) });
        if defended == Some(true) {
            return Height::Waterside;
        }
    }
    Height::Level
}
