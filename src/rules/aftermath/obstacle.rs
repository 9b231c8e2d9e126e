//! What stands in the way of an element that goes straight back or straight ahead, other elements left out: ground,
//! Cities, Forts and camps, the board's edges, rivers.

use crate::geometry::{Footprint, Point};
use crate::rules::ruleset::{Going, Kind, Troop};
use crate::rules::strip::{Strip, Towards};
use crate::rules::terrain::{BoardEdge, Entry, Feature, River, TerrainKind};
use crate::rules::{Element, Settings, Setup};

/// Something fixed in the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Obstacle {
    /// From the leading edge, millimetres; negative by the contact gap at most.
    pub near_mm: f64,
    /// What it is.
    pub what: Fixed,
}

/// What is fixed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fixed {
    /// Ground that the element may not enter: the feature's name.
    Barred(String),
    /// Bad going that no part of it is in yet: the feature's name.
    BadGoing(String),
    /// A City, Fort or camp: its name.
    Stronghold(String),
    /// A side edge of the board: nobody's base edge.
    SideEdge,
    /// A base edge of the board.
    EndEdge,
}

impl Fixed {
    /// In a sentence: "the board's side edge".
    pub fn name(&self) -> String {
        match self {
            Self::Barred(name) => format!("{name}, which it may not enter"),
            Self::BadGoing(name) => format!("the bad going of {name}"),
            Self::Stronghold(name) => name.clone(),
            Self::SideEdge => "the board's side edge".to_owned(),
            Self::EndEdge => "the board's edge".to_owned(),
        }
    }
}

/// What is fixed in the way of a recoil or push: ground that the element may not enter, a City, Fort or camp, and the
/// board's edges (clause dba3.rec.13).
pub fn behind(element: &Element, setup: &Setup, settings: &Settings) -> Vec<Obstacle> {
    let strip = Strip::of(element.footprint, Towards::Back, settings.tolerances.contact_gap_mm);
    let troop = settings.ruleset().troop(&element.troop);
    let on_wheels = troop.filter(|t| matches!(t.kind, Kind::Artillery | Kind::WarWagons));
    let mut found = edges(&strip, setup);
    for feature in &setup.ground.features {
        let bad = on_wheels.is_some_and(|t| is_bad(feature, t, setup, settings));
        let what = if feature.kind.is_stronghold() {
            Fixed::Stronghold(feature.name.clone())
        } else if bars(feature, settings) || bad {
            Fixed::Barred(feature.name.clone())
        } else {
            continue;
        };
        found.extend(meets(&strip, feature).map(|near_mm| Obstacle { near_mm, what }));
    }
    sorted(found)
}

/// What is fixed in the way of a fleer that has turned about (clauses dba3.flee.4, .5, .8 to .12).
pub fn ahead(element: &Element, setup: &Setup, settings: &Settings) -> Vec<Obstacle> {
    let strip = Strip::of(element.footprint, Towards::Ahead, settings.tolerances.contact_gap_mm);
    let troop = settings.ruleset().troop(&element.troop);
    let stopped_by_bad = troop.filter(|t| !matches!(t.kind, Kind::Psiloi | Kind::LightHorse));
    let mut found = edges(&strip, setup);
    for feature in &setup.ground.features {
        let bad = |t: &Troop| {
            is_bad(feature, t, setup, settings)
                && feature.kind != TerrainKind::Marsh
                && crate::geometry::separation_from_area(&element.footprint, &feature.outline).mm >= 0.0
        };
        let what = if feature.kind.is_stronghold() {
            Fixed::Stronghold(feature.name.clone())
        } else if bars(feature, settings) {
            Fixed::Barred(feature.name.clone())
        } else if stopped_by_bad.is_some_and(bad) {
            Fixed::BadGoing(feature.name.clone())
        } else {
            continue;
        };
        found.extend(meets(&strip, feature).map(|near_mm| Obstacle { near_mm, what }));
    }
    sorted(found)
}

/// How far the base goes ahead, at most `most_mm`, until it reaches over the edge of the river; none where it does not.
pub fn river_ahead(base: &Footprint, river: &River, most_mm: f64) -> Option<f64> {
    let reaches = |mm: f64| {
        let ahead = base.moved_to(crate::geometry::Pose { centre: base.pose().at(0.0, mm), ..base.pose() });
        let [a, b] = [ahead.outline(), base.outline()];
        let swept: Vec<Point> = a.into_iter().chain(b).collect();
        river.course.reach(&crate::geometry::convex::hull(&swept)).satisfied()
    };
    if !reaches(most_mm) {
        return None;
    }
    // What is swept only grows, so halving finds where it first reaches in.
    let (mut clear, mut wet) = (0.0, most_mm);
    for _ in 0..50 {
        let middle = (clear + wet) / 2.0;
        if reaches(middle) { wet = middle } else { clear = middle }
    }
    Some(wet)
}

fn sorted(mut found: Vec<Obstacle>) -> Vec<Obstacle> {
    found.sort_by(|a, b| a.near_mm.total_cmp(&b.near_mm));
    found
}

fn bars(feature: &Feature, settings: &Settings) -> bool {
    settings.ruleset().terrain(feature.kind).entry == Entry::Barred
}

fn is_bad(feature: &Feature, troop: &Troop, setup: &Setup, settings: &Settings) -> bool {
    setup.ground.surface_of(feature.kind, settings).going_for(troop) == Going::Bad
}

fn meets(strip: &Strip, feature: &Feature) -> Option<f64> {
    strip.span(feature.outline.edges()).map(|(near, _)| near)
}

fn edges(strip: &Strip, setup: &Setup) -> Vec<Obstacle> {
    let met = BoardEdge::ALL.into_iter().filter_map(|edge| {
        let what = if setup.edges.is_side_edge(edge) { Fixed::SideEdge } else { Fixed::EndEdge };
        strip.span([edge.line(setup.board_mm)]).map(|(near_mm, _)| Obstacle { near_mm, what })
    });
    met.collect()
}
