//! A whole layout: everything that the rules ask of each feature where it lies.
//!
//! Table frame, millimetres. What a river, road, City, Fort or camp is asked beside size, shape and gaps is judged by
//! [`laid_river`], [`laid_road`] and [`crate::rules::stronghold::laid`]. Clauses: dba3.area, dba3.place.6 to .11,
//! dba3.wway.3 to .5, dba3.riv.1 to .5, dba3.road.3 to .9, dba3.bua.2 to .4, .13.

use super::body::{Body, bodies, is_area};
use super::gaps::gaps;
use super::quarters::{Quarter, placed, placed_water, placed_way};
use super::shape::{narrow, shape};
use super::waterway::waterway;
use crate::rules::stronghold::{self, Terms};
use crate::rules::terrain::{Feature, TerrainKind, laid_river, laid_road};
use crate::rules::{Reason, Settings, Setup};

/// What is said of one feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Told {
    /// The feature's name; of what is about all of them together nothing.
    pub name: String,
    /// Every condition and note.
    pub terms: Terms,
}

/// The body that a name belongs to.
pub fn body_of<'s>(setup: &'s Setup, name: &str) -> Option<Body<'s>> {
    bodies(setup).into_iter().find(|body| body.is_called(name))
}

/// Size, shape and gaps of an area feature, or how a waterway lies; none of a camp or a beach.
pub fn laid_area(setup: &Setup, settings: &Settings, feature: &Feature) -> Option<Terms> {
    if feature.kind == TerrainKind::Waterway {
        return Some(waterway(setup, settings, feature));
    }
    if !is_area(feature.kind) {
        return None;
    }
    let all = bodies(setup);
    let body = all.iter().find(|body| body.is_called(&feature.name))?;
    let mut terms = shape(setup, settings, body);
    terms.extend(gaps(setup, body, &all));
    Some(terms)
}

/// Where a feature of that name lies in its quarter; none where nothing has the name, or what has it goes in no quarter.
pub fn in_quarter(setup: &Setup, settings: &Settings, name: &str, quarter: &Quarter) -> Option<Terms> {
    let ground = &setup.ground;
    if let Some(body) = body_of(setup, name) {
        return Some(placed(settings, quarter, &body));
    }
    if let Some(water) = ground.feature(name).filter(|f| f.kind == TerrainKind::Waterway) {
        return Some(placed_water(settings, quarter, name, &water.outline));
    }
    let rivers = ground.rivers.iter().map(|r| (&r.name, &r.course));
    let mut ways = rivers.chain(ground.roads.iter().map(|r| (&r.name, &r.course)));
    ways.find(|(known, _)| *known == name).map(|(_, way)| placed_way(settings, quarter, name, way))
}

/// Everything that is asked of every feature, and of all together. `quarters` says which quarter a feature was sent to,
/// by its name; of one that it does not name nothing is asked about quarters.
pub fn layout(setup: &Setup, settings: &Settings, quarters: &[(String, Quarter)]) -> Vec<Told> {
    let ground = &setup.ground;
    let mut told = Vec::new();
    let sent = |name: &str| quarters.iter().find(|(known, _)| known == name).map(|(_, quarter)| quarter);
    let mut say = |name: &str, mut terms: Terms| {
        if let Some(found) = sent(name).and_then(|quarter| in_quarter(setup, settings, name, quarter)) {
            terms.extend(found);
        }
        told.push(Told { name: name.to_owned(), terms });
    };
    for body in bodies(setup) {
        let mut terms = laid_area(setup, settings, body.main).unwrap_or_default();
        for part in body.parts() {
            if let Some(found) = stronghold::laid(setup, settings, part) {
                terms.extend(found);
            }
        }
        if let Some(found) = body.merged.and_then(|bua| {
            sent(&bua.name).and_then(|quarter| in_quarter(setup, settings, &bua.name, quarter))
        }) {
            terms.extend(found);
        }
        say(&body.main.name, terms);
    }
    for water in ground.features.iter().filter(|f| f.kind == TerrainKind::Waterway) {
        say(&water.name, waterway(setup, settings, water));
    }
    for river in &ground.rivers {
        say(&river.name, of_reasons(laid_river(setup, river)));
    }
    for road in &ground.roads {
        say(&road.name, of_reasons(laid_road(setup, road)));
    }
    told.push(Told { name: String::new(), terms: narrow(setup, settings) });
    told
}

fn of_reasons(reasons: Vec<Reason>) -> Terms {
    Terms { conditions: reasons, notes: Vec::new() }
}
