//! What becomes of camps and Cities: who owns them at the start, and what an enemy inside makes of them.
//!
//! Clauses: dba3.camp.1, dba3.city.6, dba3.vic.5 to .8, dba3.lost.1.

use crate::rules::stronghold::held;
use crate::rules::terrain::{Feature, TerrainKind};
use crate::rules::victory::{CampState, CityState, Places};
use crate::rules::{Setup, Side};

/// Each side's places before the first bound: whose camps lie there. A City is the defender's (clause dba3.city.6).
pub(super) fn at_start(setup: &Setup) -> (Places, Places) {
    let of = |side| {
        let stands = camps(setup).any(|f| f.side == Some(side));
        Places { camp: if stands { CampState::Stands } else { CampState::NoCamp }, city: CityState::Own }
    };
    (of(Side::Red), of(Side::Blue))
}

fn camps(setup: &Setup) -> impl Iterator<Item = &Feature> {
    setup.ground.features.iter().filter(|f| f.kind == TerrainKind::Camp)
}

/// Who holds the City, if anybody does.
fn city_holder(setup: &Setup) -> Option<Side> {
    let city = setup.ground.features.iter().find(|f| f.kind == TerrainKind::City)?;
    held(setup, city).map(|h| h.side)
}

/// The places after something happened on the table. A camp with an enemy in it is stormed where somebody held it
/// before, and entered empty where nobody did; a City that an enemy holds is taken, and retaken once its owner holds
/// it again.
pub(super) fn after(
    before: &Setup,
    now: &Setup,
    defender: Side,
    (mut red, mut blue): (Places, Places),
) -> (Places, Places) {
    for camp in camps(now) {
        let Some(owner) = camp.side else { continue };
        let places = if owner == Side::Red { &mut red } else { &mut blue };
        let held_by_enemy = |setup: &Setup| held(setup, camp).is_some_and(|h| h.side != owner);
        if places.camp == CampState::Stands && held_by_enemy(now) {
            let defended = held(before, camp).is_some_and(|h| h.side == owner);
            places.camp = if defended { CampState::Stormed } else { CampState::EnteredEmpty };
        }
    }
    let city = if defender == Side::Red { &mut red.city } else { &mut blue.city };
    match (city_holder(now), *city) {
        (Some(side), CityState::Own | CityState::Retaken) if side != defender => *city = CityState::Taken,
        (Some(side), CityState::Taken) if side == defender => *city = CityState::Retaken,
        _ => {}
    }
    (red, blue)
}
