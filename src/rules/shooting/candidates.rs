//! Each element that could shoot in this bound, with every shot that is open to it, and what bars the others.

use super::body::Body;
use super::shot::{Shot, aimed, fields, in_field, range_bw};
use super::stage::Stage;
use super::who::{shooting_conditions, target_conditions};
use crate::rules::ruleset::Kind;
use crate::rules::stronghold::reach_into_zone;
use crate::rules::{Element, Location, Reason, threat_zone};
use std::collections::HashMap;

/// A shot at an enemy in arc and range that may not be made.
#[derive(Debug, Clone, PartialEq)]
pub struct Barred {
    /// Who would shoot.
    pub shooter: String,
    /// At whom.
    pub target: String,
    /// Every condition, those that fail first.
    pub reasons: Vec<Reason>,
}

/// An element of troops that shoot that may not shoot at all.
#[derive(Debug, Clone, PartialEq)]
pub struct Silent {
    /// Who.
    pub who: String,
    /// The conditions that fail.
    pub reasons: Vec<Reason>,
}

/// One shooter with the targets that are open to it.
pub(super) struct Shooter<'s> {
    pub element: &'s Element,
    pub kind: Kind,
    pub shots: Vec<Shot>,
    /// Whether the target of each shot stands in its threat zone.
    pub in_zone: Vec<bool>,
    /// An enemy in its threat zone that it cannot shoot at.
    pub blind: Option<&'s str>,
}

/// What was found.
#[derive(Default)]
pub(super) struct Candidates<'s> {
    pub shooters: Vec<Shooter<'s>>,
    pub barred: Vec<Barred>,
    pub silent: Vec<Silent>,
}

/// Every shooter in the setup's order.
pub(super) fn candidates<'s>(stage: &Stage<'s>) -> Candidates<'s> {
    let setup = stage.setup;
    let held = |e: &Element| !matches!(e.location, Location::Board | Location::Reserve | Location::Off);
    let inside: Vec<usize> = (0..setup.elements.len()).filter(|&at| held(&setup.elements[at])).collect();
    let size = |e: &Element| e.footprint.width_mm() + e.footprint.depth_mm();
    let widest_mm = setup.elements.iter().map(size).fold(0.0, f64::max);
    let mut found = Candidates::default();
    let mut open: HashMap<&str, Vec<Reason>> = HashMap::new();
    for element in setup.elements.iter().filter(|e| !matches!(e.location, Location::Reserve | Location::Off))
    {
        let Some(troop) = stage.settings.ruleset().troop(&element.troop).filter(|t| t.shoots()) else {
            continue;
        };
        let mut failing = shooting_conditions(stage, element);
        failing.retain(|r| !r.holds);
        if !failing.is_empty() {
            found.silent.push(Silent { who: element.name.clone(), reasons: failing });
            continue;
        }
        // A target's far edge lies its own size past the range, and who bars a line half a base width and its size beside.
        let bw = setup.scale.mm_per_bw();
        let reach_mm = (range_bw(troop.kind).0 + 1.0) * bw + size(element) + 2.0 * widest_mm;
        let around = stage.near(element, reach_mm);
        let mut places: Vec<usize> = around.iter().chain(&inside).copied().collect();
        places.sort_unstable();
        let near: Vec<&Element> = around.iter().map(|&at| &setup.elements[at]).collect();
        let own = fields(setup, element, troop);
        let enemies = places.iter().map(|&at| &setup.elements[at]);
        let enemies = enemies.filter(|e| e.side != element.side).filter(|e| in_field(stage, &own, e));
        let mut shooter =
            Shooter { element, kind: troop.kind, shots: Vec::new(), in_zone: Vec::new(), blind: None };
        for target in enemies {
            let known = open.entry(&target.name).or_insert_with(|| {
                let mut failing = target_conditions(stage, target);
                failing.retain(|r| !r.holds);
                failing
            });
            let shot = aimed(stage, &near, (element, target), known.clone());
            if shot.may {
                shooter.in_zone.push(threatens(stage, element, target));
                shooter.shots.push(shot);
            } else {
                found.barred.push(Barred {
                    shooter: element.name.clone(),
                    target: target.name.clone(),
                    reasons: shot.reasons,
                });
            }
        }
        if !shooter.shots.is_empty() {
            let blind = near.iter().copied().filter(|e| e.side != element.side);
            let unseen = |e: &&Element| !shooter.shots.iter().any(|s| s.target == e.name);
            shooter.blind =
                blind.filter(unseen).find(|e| threatens(stage, element, e)).map(|e| e.name.as_str());
            found.shooters.push(shooter);
        }
    }
    found
}

/// Whether `target` stands in `element`'s threat zone; of an element inside a City, Fort or camp, in that one's.
fn threatens(stage: &Stage<'_>, element: &Element, target: &Element) -> bool {
    if target.location != Location::Board {
        return false;
    }
    let (setup, settings) = (stage.setup, stage.settings);
    if element.location == Location::Board {
        return threat_zone::reach_into(target, element, &stage.context_of_setup()).satisfied();
    }
    let inside = Body::of(setup, element).and_then(|body| body.inside);
    let feature = inside.and_then(|name| setup.ground.feature(&name));
    feature.is_some_and(|f| reach_into_zone(&target.footprint, f, setup.scale, settings).satisfied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Footprint, Pose};
    use crate::rules::bound::Bound;
    use crate::rules::shooting::{Known, shot};
    use crate::rules::{Settings, Setup, Side, notation};
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    const TABLE: &str = "ground wood W box (3,4)-(5,5.5); ground gentle-hill H box (9,3)-(13,6) crest (10,4.5)-(12,4.5)\n\
                         ground marsh M box (6,9)-(8,10); ground river R (0,12)-(15,12) w0.8 state=slowing\n\
                         ground fort F box (7,6)-(8.5,7.5); G 4Bw red (7.2,7)-(8.2,7) N in=fort";

    /// A crowded table, many elements square to each other.
    fn crowded(seed: u64) -> Setup {
        let settings = Settings::dba3();
        let mut chance = ChaCha8Rng::seed_from_u64(seed);
        let mut setup = notation::read_setup(TABLE, settings.ruleset()).expect("a setup");
        for n in 0..30 {
            let code = ["4Bw", "Art", "Ps", "4Bd", "WWg", "3Kn"][chance.random_range(0..6)];
            let side = if chance.random_bool(0.5) { Side::Red } else { Side::Blue };
            let heading = if chance.random_bool(0.6) {
                f64::from(chance.random_range(0..4)) * 90.0
            } else {
                chance.random_range(0.0..360.0)
            };
            let pose = Pose::new(chance.random_range(40.0..560.0), chance.random_range(40.0..560.0), heading);
            let mut element = setup.elements[0].clone();
            element.footprint = Footprint::new(pose, 40.0, 20.0).expect("a base");
            (element.name, element.side, element.troop) = (format!("E{n}"), side, code.to_owned());
            element.location = Location::Board;
            setup.elements.push(element);
        }
        setup
    }

    #[test]
    fn what_is_left_out_of_a_phase_changes_no_shot() {
        let (bound, known) = (Bound::new(3, Side::Red), Known::default());
        let (mut open, mut shut) = (0, 0);
        for (seed, test) in (0..6).zip(["four-corner-lines", "any-clear-line", "centre-line"].iter().cycle())
        {
            let settings = Settings::dba3().with("line-of-sight-test", test).expect("a choice");
            let setup = crowded(seed);
            let stage = Stage::of(&setup, &setup, &settings, Some(&bound), &known);
            let found = candidates(&stage);
            for a in &setup.elements {
                let shooter = found.shooters.iter().find(|s| s.element.name == a.name);
                for e in setup.elements.iter().filter(|e| e.side != a.side) {
                    let alone = shot(&setup, &settings, &bound, &known, &a.name, &e.name).expect("enemies");
                    let here = shooter.and_then(|s| s.shots.iter().find(|shot| shot.target == e.name));
                    assert_eq!(here.is_some(), alone.may, "{} at {}, table {seed}", a.name, e.name);
                    if let Some(here) = here {
                        assert_eq!((here.margin, &here.struck), (alone.margin, &alone.struck));
                        open += 1;
                    }
                    let barred = found.barred.iter().find(|b| b.shooter == a.name && b.target == e.name);
                    if let Some(barred) = barred {
                        assert!(!alone.may && barred.reasons.iter().any(|r| !r.holds), "{barred:?}");
                        shut += 1;
                    }
                }
            }
        }
        assert!(open > 20 && shut > 20, "{open} open, {shut} barred");
    }
}
