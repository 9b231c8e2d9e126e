//! Who is lost by a combat, who moves into what was stormed, and what a side's losses count: worked out once more from the
//! clauses' words and the bases' corners, without the engine.
//!
//! Millimetres, the table's frame.

use crate::brute::{doubled, front_on, hemmed, kind, mounted};
use groma::geometry::{Footprint, Pose, separation};
use groma::rules::terrain::{Feature, TerrainKind};
use groma::rules::{Element, Location, Setup, Side};

/// Bases that reach so far into a way are met, millimetres: less is touching.
const MET_MM: f64 = 1.0;

fn on_board(setup: &Setup) -> impl Iterator<Item = &Element> {
    setup.elements.iter().filter(|e| e.location == Location::Board)
}

fn is_off(setup: &Setup, name: &str) -> bool {
    setup.element(name).is_none_or(|e| e.location == Location::Off)
}

/// Whether an enemy's front edge lies along a side or the rear of `own` (clauses dba3.rec.16, dba3.flee.13).
fn pinned(setup: &Setup, own: &Element) -> bool {
    on_board(setup).any(|e| e.side != own.side && matches!(front_on(e, own), Some("left" | "right" | "rear")))
}

/// Whom Elephants meet that recoil, nearest first: what reaches into the ground that their base goes over (clause
/// dba3.rec.4).
fn trampled<'s>(setup: &'s Setup, own: &Element) -> Vec<&'s Element> {
    let (pose, deep) = (own.footprint.pose(), own.footprint.depth_mm());
    let goes = setup.scale.mm_per_bw();
    let centre = pose.at(0.0, -(deep + goes) / 2.0);
    let way = Footprint::new(Pose { centre, ..pose }, own.footprint.width_mm(), goes).expect("it has a size");
    let behind = |e: &Element| -pose.seen_from_here(e.footprint.pose().centre).y;
    let mut met: Vec<&Element> = on_board(setup)
        .filter(|e| e.name != own.name && separation(&way, &e.footprint).mm < -MET_MM && behind(e) > 0.0)
        .collect();
    met.sort_by(|a, b| behind(a).total_cmp(&behind(b)));
    met
}

/// One of two that fought.
pub struct Fought<'s> {
    pub own: &'s Element,
    pub foe: &'s Element,
    pub fate: &'s str,
}

/// What is wrong with who was lost by a combat.
pub fn losses((before, after): (&Setup, &Setup), both: &[Fought<'_>; 2], close: bool) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut explained: Vec<String> = Vec::new();
    // Who must be lost, and why.
    let mut expected: Vec<(String, String)> = Vec::new();
    for Fought { own, foe, fate } in both {
        let name = own.name.as_str();
        let elephants = kind(&own.troop) == "El";
        match *fate {
            // Artillery that shoots denizens dead has their City surrender (dba3.city.18).
            "destroyed"
                if own.troop == "Den" && own.location == Location::City && !close && foe.troop == "Art" =>
            {
                let turned = after.element(name).is_some_and(|e| e.side == foe.side);
                if is_off(after, name) || !turned {
                    wrong.push(format!("{name} do not serve the enemy"));
                }
            }
            "destroyed" => expected.push((name.to_owned(), "it is destroyed".to_owned())),
            "recoil" if elephants && close && matches!(foe.location, Location::City | Location::Fort) => {
                expected.push((name.to_owned(), "walls repulse Elephants".to_owned()));
            }
            "recoil" if pinned(before, own) => expected.push((name.to_owned(), "it is pinned".to_owned())),
            "recoil" if elephants => {
                for other in trampled(before, own) {
                    // What stopped it before it met them is near it now.
                    let reached =
                        is_off(after, name) || !hemmed(after, after.element(name).expect("it is known"));
                    if reached || is_off(after, &other.name) {
                        expected.push((other.name.clone(), format!("{name} tramples it")));
                    }
                    if kind(&other.troop) == "El" {
                        expected.push((name.to_owned(), format!("it met {}", other.name)));
                        break;
                    }
                }
                if hemmed(before, own) {
                    explained.push(name.to_owned());
                }
            }
            "recoil" if hemmed(before, own) => explained.push(name.to_owned()),
            "flee" => explained.push(name.to_owned()),
            _ => {}
        }
    }
    for (name, why) in expected {
        if !is_off(after, &name) {
            wrong.push(format!("{name} is not lost, though {why}"));
        }
        explained.push(name);
    }
    let new = before.elements.iter().filter(|e| e.location != Location::Off && is_off(after, &e.name));
    for lost in new.filter(|e| !explained.contains(&e.name)) {
        // Whoever is pushed, or falls back from a flank, and has no room.
        let beside = both.iter().any(|f| separation(&f.own.footprint, &lost.footprint).mm < MET_MM);
        if !(beside && hemmed(before, lost)) {
            wrong.push(format!("{} ({}) is lost, and nothing says why", lost.name, lost.troop));
        }
    }
    wrong
}

/// What is wrong with who holds a camp, City or Fort whose defender `lost` was destroyed by `winner` in close combat
/// (clauses dba3.pur.5, dba3.city.9, dba3.faq.6); `picked` is who was to occupy it.
pub fn occupied(
    (before, after): (&Setup, &Setup),
    lost: &Element,
    winner: &Element,
    picked: Option<&str>,
) -> Option<String> {
    let name = picked.unwrap_or(&winner.name);
    let (was, now) = (before.element(name)?, after.element(name)?);
    if now.location != lost.location {
        return Some(format!("{name} has not moved in"));
    }
    let bw = before.scale.mm_per_bw();
    let wanted = if mounted(&was.troop) || kind(&was.troop) == "Hd" { bw } else { bw / 2.0 };
    let gone = was.footprint.pose().seen_from_here(now.footprint.pose().centre);
    ((gone.y - wanted).abs() > 0.01 || gone.x.abs() > 0.01)
        .then(|| format!("{name} ({}) moves in by {:.2} mm and not {wanted}", was.troop, gone.y))
}

/// What has become of each side's camp and City, looked at after every act.
#[derive(Default)]
pub struct Places {
    camps: Vec<Side>,
    cities: Vec<Side>,
}

fn inside(e: &Element, place: &Feature) -> bool {
    let here = match place.kind {
        TerrainKind::City => Location::City,
        TerrainKind::Camp => Location::Camp,
        _ => return false,
    };
    e.location == here && place.outline.holds(e.footprint.pose().centre)
}

fn civilians(e: &Element) -> bool {
    matches!(e.troop.as_str(), "Den" | "CF")
}

impl Places {
    /// Notes whose places have had an enemy in them (clauses dba3.vic.5, .6).
    pub fn look(&mut self, setup: &Setup) {
        for place in &setup.ground.features {
            let Some(owner) = place.side else { continue };
            let entered = setup.elements.iter().any(|e| e.side != owner && !civilians(e) && inside(e, place));
            match place.kind {
                TerrainKind::Camp if entered => self.camps.push(owner),
                TerrainKind::City if entered => self.cities.push(owner),
                _ => {}
            }
        }
    }

    /// What a side's losses count (clauses dba3.vic.3 to .11).
    pub fn count(&self, setup: &Setup, side: Side) -> i32 {
        let off = setup.elements.iter().filter(|e| e.side == side && e.location == Location::Off);
        let mut sum = 0;
        let mut first_double = true;
        for e in off {
            sum += i32::from(e.general);
            if matches!(kind(&e.troop), "SCh" | "Hd" | "CF" | "Den") {
                continue;
            }
            sum += 1;
            if doubled(&e.troop) && first_double {
                (sum, first_double) = (sum + 1, false);
            }
        }
        let own = |kind| setup.ground.features.iter().filter(move |f| f.kind == kind && f.side == Some(side));
        sum += i32::from(self.camps.contains(&side));
        for city in own(TerrainKind::City).filter(|_| self.cities.contains(&side)) {
            let held = setup.elements.iter().any(|e| e.side != side && inside(e, city));
            let worth = if own(TerrainKind::Camp).next().is_some() { 1 } else { 2 };
            sum += if held { worth } else { 0 };
        }
        sum
    }
}
