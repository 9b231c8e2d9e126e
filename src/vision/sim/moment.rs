//! A moment that somebody else directs: where bases stand, whose arms reach over the table, who leans over it, which
//! trees stand. Table frame, millimetres. Nothing here decides what happens next.

use super::build::Standing;
use super::hand::{self, Reach};
use super::math::{V3, srgb};
use super::scene::Scene;
use super::scenery;
use super::shape::Shape;
use super::world::{Material, Owner, Solid};
use crate::geometry::{Point, Pose, Vector};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// A player's arm.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arm {
    /// The point that the hand grips.
    pub grip: Point,
    /// From the grip towards the player.
    pub player: Vector,
    /// 0: off the table, 1: at the grip.
    pub share: f64,
}

/// What shows.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Moment {
    /// Where bases stand, by name; all others are off the table.
    pub places: BTreeMap<String, Pose>,
    /// Arms over the table.
    pub arms: Vec<Arm>,
    /// The point under somebody's head who leans over the table from its near side.
    pub leaning: Option<Point>,
    /// Where trees stand.
    pub trees: Vec<Point>,
}

impl Moment {
    /// Where bases stand, by their number in the scene.
    pub(super) fn standing(&self, scene: &Scene) -> BTreeMap<usize, Standing> {
        let of = |(name, pose): (&String, &Pose)| {
            let index = scene.bases().iter().position(|b| b.name == *name)?;
            Some((index, Standing { pose: *pose, ground_mm: 0.0, slope: Vector::zeros() }))
        };
        self.places.iter().filter_map(of).collect()
    }

    /// Everything else that shows.
    pub(super) fn solids(&self) -> Vec<Solid> {
        let mut solids = Vec::new();
        for tree in &self.trees {
            // The same tree at the same place, whichever others stand.
            let mut rng = ChaCha8Rng::seed_from_u64(tree.x.to_bits() ^ tree.y.to_bits().rotate_left(17));
            scenery::tree([tree.x as f32, tree.y as f32], &mut rng, &mut solids);
        }
        for arm in &self.arms {
            let player = arm.player.try_normalize(1e-9).unwrap_or(-Vector::y());
            solids.extend(hand::shapes(&Reach {
                grip: [arm.grip.x as f32, arm.grip.y as f32],
                player: [player.x as f32, player.y as f32],
                share: arm.share as f32,
            }));
        }
        if let Some(head) = self.leaning {
            lean(head, &mut solids);
        }
        solids
    }
}

/// Head, neck and shoulders of somebody who leans over the table, the back towards the near edge.
fn lean(head: Point, solids: &mut Vec<Solid>) {
    let at = |x: f32, y: f32, z: f32| V3::new(head.x as f32 + x, head.y as f32 + y, z);
    let hair = Material::Rough { colour: srgb(70, 52, 40), strength: 0.7, grain_mm: 3.0, seed: 21 };
    let cloth = Material::Rough { colour: srgb(60, 70, 58), strength: 0.5, grain_mm: 4.0, seed: 22 };
    let mut add = |shape: Shape, material: Material| {
        solids.push(Solid { shape, material, owner: Owner::Hand });
    };
    add(Shape::Ball { centre: at(0.0, 0.0, 230.0), radius: 95.0 }, hair);
    for x in [-150.0, 0.0, 150.0] {
        let (from, to) = (at(x * 0.7, -130.0, 190.0), at(x, -520.0, 300.0));
        add(Shape::Limb { from, to, from_radius: 105.0, to_radius: 150.0 }, cloth);
    }
    for side in [-1.0, 1.0] {
        let (from, to) = (at(side * 130.0, -130.0, 180.0), at(side * 250.0, -240.0, 120.0));
        add(Shape::Limb { from, to, from_radius: 85.0, to_radius: 60.0 }, cloth);
    }
}
