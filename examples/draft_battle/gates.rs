//! Moves through the gates of camps, Cities and Forts: garrisons that come out, denizens that sally, elements that go into
//! a place that nobody defends. Millimetres, the table's frame.

use super::proposals::{Proposal, pace};
use groma::geometry::{Leg, Pose, separation_from_area};
use groma::rules::battle::{Battle, State};
use groma::rules::movement::{Gateway, TacticalMove, straight_to};
use groma::rules::stronghold::{held, peopled, place_of};
use groma::rules::terrain::Feature;
use groma::rules::{Element, Location, Setup, Side};

/// How near an enemy has to be for somebody to come out, base widths.
const ALARM_BW: f64 = 2.5;

/// Everything of that sort that the side whose bound it is may try.
pub(super) fn proposals(battle: &Battle, state: &State) -> Vec<Proposal> {
    let side = state.bound.side;
    let peopled = peopled(&state.setup, battle.settings.ruleset());
    let fresh = |e: &&Element| e.side == side && state.bound.moves_of(&e.name).next().is_none();
    let mut found = Vec::new();
    for element in peopled.elements.iter().filter(fresh) {
        match element.location {
            Location::Board => found.extend(enters(battle, &peopled, element)),
            Location::City | Location::Fort | Location::Camp => {
                found.extend(leaves(battle, &peopled, element));
            }
            Location::Off | Location::Reserve => {}
        }
    }
    found
}

/// Whether an enemy stands near that place.
fn alarmed(setup: &Setup, place: &Feature, side: Side) -> bool {
    let enemy = |e: &&Element| e.side != side && e.location == Location::Board;
    let far = ALARM_BW * setup.scale.mm_per_bw();
    setup.elements.iter().filter(enemy).any(|e| separation_from_area(&e.footprint, &place.outline).mm < far)
}

fn leaves(battle: &Battle, setup: &Setup, element: &Element) -> Vec<Proposal> {
    let Some(place) = place_of(&setup.ground, element) else { return Vec::new() };
    let own = place.side == Some(element.side);
    if own && !alarmed(setup, place, element.side) {
        return Vec::new();
    }
    let far = pace(battle, setup, &[element]);
    let mut found = Vec::new();
    for gate in 1..=place.gates.len().max(1) {
        let gateway = Gateway::Out { place: place.name.clone(), gate };
        let nowhere = TacticalMove::single(element.name.clone(), Vec::new()).passing(gateway.clone());
        let out = nowhere.stepped_out(setup);
        let Some(pose) = out.element(&element.name).map(|e| e.footprint.pose()) else { continue };
        for share in [1.0, 0.6, 0.3] {
            let ahead = vec![Leg::Shift(pose.heading.vector() * far * share)];
            let made = TacticalMove::single(element.name.clone(), ahead).passing(gateway.clone());
            found.push(Proposal { made, promises: 0.7 + 0.1 * share, contacts: false });
        }
    }
    found
}

/// Straight to a gate of a place that nobody defends, facing into it, and in.
fn enters(battle: &Battle, setup: &Setup, element: &Element) -> Vec<Proposal> {
    let far = pace(battle, setup, &[element]);
    let start = element.footprint.pose();
    let mut found = Vec::new();
    for place in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        if held(setup, battle.settings.ruleset(), place).is_some() || place.side == Some(element.side) {
            continue;
        }
        for gate in &place.gates {
            if (gate - start.centre).norm() > far + element.footprint.depth_mm() {
                continue;
            }
            let Some(heading) = groma::geometry::Heading::along(place.outline.centroid() - gate) else {
                continue;
            };
            let centre = gate - heading.vector() * (element.footprint.depth_mm() / 2.0);
            let made =
                TacticalMove::single(element.name.clone(), straight_to(start, Pose { centre, heading }))
                    .passing(Gateway::In { place: place.name.clone() });
            found.push(Proposal { made, promises: 3.0, contacts: false });
        }
    }
    found
}
