//! The one rear corner of a base that may sweep over things while its front edge turns (clause dba3.ip.11).
//!
//! Table frame, millimetres. Invariant: of a walker one rear corner is spared for the whole move, the same for
//! troops, threat zones and ground; where a turn ends, all of the base counts.

use super::block::Block;
use super::passage;
use super::scene::Scene;
use super::zones::TOUCH_MM;
use crate::geometry::{Corner, Footprint, Leg, Sweep, convex_separation, separation, without_corner};
use crate::rules::ruleset::Going;
use crate::rules::{by_size, threat_zones};
use std::cmp::Ordering;

/// The corners that may be spared.
const REAR: [Corner; 2] = [Corner::RearLeft, Corner::RearRight];

/// The rear corner that this walker may sweep over things. None where it does not turn.
pub(super) fn spared(scene: &Scene<'_>, at: usize) -> Option<Corner> {
    let walker = &scene.walkers[at];
    let turns: Vec<Sweep> = walker.sweeps().filter(|s| matches!(s.leg, Leg::Turn { .. })).collect();
    if turns.is_empty() {
        return None;
    }
    let zones: Vec<Footprint> =
        scene.enemies().flat_map(|e| threat_zones(e, scene.before.scale, scene.settings)).collect();
    let obstacles: Vec<Footprint> = passage::obstacles(scene, at).iter().map(|o| o.base).collect();
    let going = |corner| super::ground::worst_along(scene, walker, &turns, Some(corner));
    Some(spared_of(&turns, &obstacles, &zones, scene.slack_mm(), &going))
}

/// Of both rear corners the one without which these turns run into the fewest obstacles and zones, of two that are
/// equal in that the one without which they go through the better going, then the one without which they run less
/// deep, the left one where it makes no difference.
pub(super) fn spared_of(
    turns: &[Sweep],
    obstacles: &[Footprint],
    zones: &[Footprint],
    slack_mm: f64,
    going: &dyn Fn(Corner) -> Going,
) -> Corner {
    // Without a corner it runs into nothing that it does not run into with it.
    let blocks: Vec<(Block, Leg)> = turns.iter().map(|turn| (Block::of(&turn.base), turn.leg)).collect();
    let hit = |other: &&Footprint, limit_mm: f64| {
        let (other, limit_mm) = (Block::of(other), (limit_mm + SURE_MM).min(0.0));
        blocks.iter().any(|(block, leg)| block.reaches(leg, &other, limit_mm))
    };
    let obstacles: Vec<&Footprint> = obstacles.iter().filter(|o| hit(o, -slack_mm)).collect();
    let zones: Vec<&Footprint> = zones.iter().filter(|z| hit(z, -TOUCH_MM)).collect();
    let hits = |corner: Corner| {
        let clearance = |other: &Footprint| {
            let near = turns.iter().filter(|s| near(s, other));
            near.map(|s| clearance_without(s, corner, other)).fold(f64::INFINITY, f64::min)
        };
        let troops = obstacles.iter().copied().map(clearance).filter(|mm| *mm < -slack_mm);
        let zones = zones.iter().copied().map(clearance).filter(|mm| *mm < -TOUCH_MM);
        let deep: Vec<f64> = troops.chain(zones).map(|mm| -mm).collect();
        (deep.len(), going(corner), deep.into_iter().sum::<f64>())
    };
    let [left, right] = REAR.map(hits);
    let order = (left.0, left.1).cmp(&(right.0, right.1)).then(by_size(left.2, right.2));
    if order == Ordering::Greater { Corner::RearRight } else { Corner::RearLeft }
}

/// By how much more than both ways of measuring a turn may differ is looked at, millimetres.
const SURE_MM: f64 = 0.2;

/// Whether a sweep can come near a base at all.
fn near(sweep: &Sweep, other: &Footprint) -> bool {
    let radius = |base: &Footprint| base.width_mm().hypot(base.depth_mm()) / 2.0;
    let apart = (sweep.base.pose().centre - other.pose().centre).norm();
    apart <= sweep.furthest_mm() + radius(&sweep.base) + radius(other)
}

/// The least clearance of a turning base to `other` without that corner; where it ends all of it counts.
pub(super) fn clearance_without(sweep: &Sweep, corner: Corner, other: &Footprint) -> f64 {
    let outline = other.outline();
    let room = |share: f64| convex_separation(&without_corner(&sweep.at(share), corner), &outline);
    let least = sweep.least(room, f64::MAX).map_or(f64::INFINITY, room);
    least.min(separation(&sweep.end(), other).mm)
}
