//! A player's hand and forearm.

use super::math::{V3, mix, smooth, srgb};
use super::shape::Shape;
use super::world::{Material, Owner, Solid};

/// Where a hand is at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Reach {
    /// The point it grips, on the table, millimetres.
    pub grip: [f32; 2],
    /// Unit direction from the grip to the player.
    pub player: [f32; 2],
    /// 0: off the table, 1: at the grip.
    pub share: f32,
}

/// How far a hand draws back when it leaves, millimetres.
pub(super) const DRAWN_BACK_MM: f32 = 620.0;

/// How far the fingertips reach past the middle of what they grip, millimetres.
const PAST_MM: f32 = 30.0;

/// The shapes of a hand; none when it is off the table.
pub(super) fn shapes(reach: &Reach) -> Vec<Solid> {
    if reach.share <= 0.0 {
        return Vec::new();
    }
    let eased = smooth(0.0, 1.0, reach.share);
    let away = V3::new(reach.player[0], reach.player[1], 0.0);
    let side = V3::new(away.y, -away.x, 0.0);
    let lift = 34.0 * (1.0 - smooth(0.6, 1.0, reach.share));
    // The fingers reach past what they grip, so that the hand lies over it.
    let drawn = DRAWN_BACK_MM * (1.0 - eased) - PAST_MM;
    let origin = V3::new(reach.grip[0], reach.grip[1], lift) + away * drawn;
    // Across the hand, towards the player, up.
    let at = |x: f32, y: f32, z: f32| origin + side * x + away * y + V3::z() * z;
    let skin = srgb(206, 152, 122);
    let mut solids = Vec::new();
    let mut limb = |from: V3, to: V3, radii: [f32; 2], material: Material| {
        let shape = Shape::Limb { from, to, from_radius: radii[0], to_radius: radii[1] };
        solids.push(Solid { shape, material, owner: Owner::Hand });
    };
    let flesh = |tone: f32, seed: u32| Material::Rough {
        colour: mix(&skin, &srgb(224, 150, 128), tone),
        strength: 0.10,
        grain_mm: 5.0,
        seed,
    };
    // Four fingers bent down to the grip, the outer ones shorter.
    for (n, x) in [-27.0f32, -9.5, 8.5, 25.0].into_iter().enumerate() {
        let short = [10.0, 1.0, 0.0, 7.0][n];
        let knuckle = at(x, 50.0 + short, 46.0);
        let middle = at(x * 0.86, 18.0 + short, 42.0 - short * 0.5);
        let tip = at(x * 0.66, -3.0 + short, 11.0 + short * 0.4);
        limb(knuckle, middle, [10.2, 8.8], flesh(0.1, 1));
        limb(middle, tip, [8.8, 7.2], flesh(0.3, 2));
        limb(knuckle, at(x * 0.62, 112.0, 45.0), [11.8, 16.0], flesh(0.0, 3));
    }
    // The thumb.
    limb(at(-26.0, 98.0, 38.0), at(-43.0, 56.0, 30.0), [14.0, 10.5], flesh(0.1, 4));
    limb(at(-43.0, 56.0, 30.0), at(-26.0, 22.0, 14.0), [10.0, 8.0], flesh(0.3, 5));
    // The heel of the hand, the wrist, the forearm with its sleeve.
    limb(at(-14.0, 108.0, 42.0), at(14.0, 112.0, 42.0), [18.0, 18.0], flesh(0.0, 6));
    limb(at(0.0, 112.0, 45.0), at(4.0, 205.0, 58.0), [22.0, 30.0], flesh(0.0, 7));
    let cloth = Material::Rough { colour: srgb(52, 62, 84), strength: 0.5, grain_mm: 2.6, seed: 8 };
    limb(at(3.6, 190.0, 57.0), at(3.8, 200.0, 58.0), [34.0, 35.0], cloth);
    limb(at(4.0, 200.0, 58.0), at(20.0, 470.0, 96.0), [34.5, 47.0], cloth);
    limb(at(20.0, 470.0, 96.0), at(60.0, 780.0, 190.0), [47.0, 60.0], cloth);
    solids
}
