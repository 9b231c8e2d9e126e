//! Assaults on camps, Cities and Forts: each assaulter fights the defender separately (clause dba3.tac.16).

use super::near::Near;
use super::{Engagement, Fought, Where};
use crate::rules::combat::{Conditions, Situation, View, gather};
use crate::rules::engagement::{Assault, assaults as on_strongholds, front_on};
use crate::rules::stronghold::held;
use crate::rules::terrain::TerrainKind;
use crate::rules::{AskError, Context, Location, Reason, Settings, Setup};

/// Adds every assault, each as if it were fought first: with all other assaulters still there.
pub(super) fn assaults(
    setup: &Setup,
    settings: &Settings,
    conditions: &Conditions,
    near: &Near,
    found: &mut Fought,
) {
    for feature in setup.ground.features.iter().filter(|f| f.kind == TerrainKind::Camp) {
        if held(setup, settings.ruleset(), feature).is_some() {
            continue;
        }
        let on =
            setup.elements.iter().filter(|e| e.location == Location::Board && feature.side != Some(e.side));
        for (who, margin) in on.map(|e| (&e.name, front_on(e, feature, &settings.tolerances))) {
            if margin.satisfied() {
                let text = format!("{who}'s front edge is on {}, which nobody defends", feature.name);
                found.undefended.push(Reason::tested("dba3.camp.16", text, margin));
            }
        }
    }
    for assault in on_strongholds(setup, settings) {
        let Some(defender) = assault.defender(setup, settings.ruleset()) else {
            found.faults.push(AskError::NobodyNamed { place: assault.feature.name.clone() });
            continue;
        };
        for fought in 0..assault.by.len() {
            one(setup, settings, conditions, near, (&assault, fought), &defender, found);
        }
    }
}

/// Every front edge on a camp, City or Fort that is not its own side's: who, on what.
pub(super) fn fronts_on<'s>(setup: &'s Setup, settings: &Settings) -> Vec<(&'s str, &'s str)> {
    let mut found = Vec::new();
    for feature in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        let owner = held(setup, settings.ruleset(), feature).map(|held| held.side);
        let owner = owner.or(feature.side.filter(|_| feature.kind == TerrainKind::Camp));
        if owner.is_none() && feature.kind != TerrainKind::Camp {
            continue;
        }
        let on = setup.elements.iter().filter(|e| e.location == Location::Board && owner != Some(e.side));
        let on = on.filter(|e| front_on(e, feature, &settings.tolerances).satisfied());
        found.extend(on.map(|e| (e.name.as_str(), feature.name.as_str())));
    }
    found
}

fn one(
    setup: &Setup,
    settings: &Settings,
    conditions: &Conditions,
    near: &Near,
    (assault, which): (&Assault<'_>, usize),
    defender: &crate::rules::Element,
    found: &mut Fought,
) {
    let (assaulter, margin) = assault.by[which];
    let place = setup.elements.iter().position(|e| e.name == assaulter.name);
    let mut around = near.around(setup, &place.into_iter().collect::<Vec<_>>());
    if !around.iter().any(|e| e.name == defender.name) {
        around.push(defender.clone());
    }
    let context = Context { elements: &around, ..Context::of(setup, settings) };
    let view = View { context, ground: &setup.ground };
    let others = assault.by.iter().filter(|(e, _)| e.name != assaulter.name);
    let assaulters: Vec<String> = others.map(|(e, _)| e.name.clone()).collect();
    let further_assaulters = u8::try_from(assaulters.len()).unwrap_or(u8::MAX);
    let conditions = Conditions {
        b: Situation { further_assaulters, assaulters, ..Situation::default() },
        ..conditions.clone()
    };
    match gather(&view, &conditions, assaulter, defender) {
        Ok(parts) => {
            let at = Where::Assault(assault.feature.name.clone());
            found.combats.push(Engagement::of(&parts, at, margin, &context));
        }
        Err(why) => found.faults.push(why),
    }
}
