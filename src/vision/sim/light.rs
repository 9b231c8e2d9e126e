//! Light on surfaces: one soft lamp with shadows, and the room's own light from above.

use super::math::{V3, fbm, hash01, mix, noise, smooth, srgb};
use super::world::{Material, World};

/// The lamp's colour and strength.
const LAMP: V3 = V3::new(0.66, 0.62, 0.55);
/// The room's light from above and what comes back from below.
const SKY: V3 = V3::new(0.30, 0.32, 0.35);
const BOUNCE: V3 = V3::new(0.10, 0.10, 0.07);

/// Shading inside one tile.
pub(super) struct Shade<'a> {
    /// What there is.
    pub world: &'a World,
    /// Where the camera stands.
    pub eye: V3,
    /// Shapes whose shadow may fall into the tile.
    pub casting: &'a [u32],
}

impl Shade<'_> {
    /// The light of a pixel made of `parts`: (shape, or `u32::MAX` for the ground; its share; share of
    /// it that is white print; where it was met).
    pub(super) fn colour(&self, ray: &V3, parts: &[(u32, f32, f32, V3)]) -> V3 {
        parts.iter().map(|(what, share, white, p)| self.part(*what, *white, ray, p) * *share).sum()
    }

    fn part(&self, what: u32, white: f32, ray: &V3, p: &V3) -> V3 {
        let lamp = &self.world.lamp;
        let Some(solid) = self.world.solids.get(what as usize) else {
            if p.z > 1.0 || !p.x.is_finite() || p.norm_squared() > 1e9 {
                return V3::new(0.05, 0.05, 0.06);
            }
            let pixel_mm = (p - self.eye).norm() / 1350.0;
            let albedo = self.world.ground.colour(p.x, p.y, pixel_mm);
            let (sun, sky) = self.open(what, p, &V3::z());
            return albedo.component_mul(&(LAMP * (sun * lamp.z) + SKY * sky));
        };
        let (mut normal, [u, v]) = solid.shape.surface(p);
        if normal.dot(ray) > 0.0 {
            normal = -normal;
        }
        let (albedo, gloss) = albedo(&solid.material, white, u, v, p, &mut normal);
        let (sun, sky) = self.open(what, &(p + normal * 0.05), &normal);
        let facing = normal.dot(lamp).max(0.0);
        let up = 0.5 + 0.5 * normal.z;
        let mut light = albedo.component_mul(&(LAMP * (sun * facing) + mix(&BOUNCE, &SKY, up) * sky));
        if gloss > 0.0 {
            let half = (lamp - ray).normalize();
            let shine = normal.dot(&half).max(0.0).powi(24) * sun;
            light += LAMP * (0.35 * gloss * shine);
        }
        light
    }

    /// The shares of the lamp and of the sky that reach `p`.
    fn open(&self, what: u32, p: &V3, normal: &V3) -> (f32, f32) {
        let lamp = &self.world.lamp;
        let (mut sun, mut sky) = (1.0f32, 1.0f32);
        let lit = normal.dot(lamp) > 0.0;
        for index in self.casting {
            if *index == what {
                continue;
            }
            let shape = &self.world.solids[*index as usize].shape;
            let (centre, radius) = shape.ball_around();
            let to = centre - p;
            // Only what rises above the point can shade it.
            if to.z + radius < 0.02 {
                continue;
            }
            let along = to.dot(lamp);
            let off = (to - lamp * along).norm();
            if lit && off < radius + 0.3 + along.max(0.0) * 0.08 && along > -radius {
                sun *= 1.0 - shape.shadow(p, lamp);
            }
            if to.norm_squared() < (radius + 12.0) * (radius + 12.0) {
                sky *= 1.0 - shape.crowding(p);
                sky *= 1.0 - 0.35 * nearness(&to, radius, normal);
            }
        }
        (sun, sky)
    }
}

/// How much of the sky a ball-like neighbour takes away.
fn nearness(to: &V3, radius: f32, normal: &V3) -> f32 {
    let distance2 = to.norm_squared();
    if radius > 12.0 || distance2 < radius * radius * 0.25 {
        return 0.0;
    }
    let facing = (normal.dot(to) / distance2.sqrt()).max(0.0);
    (facing * radius * radius / distance2 * 0.5).min(0.6)
}

fn albedo(material: &Material, white: f32, u: f32, v: f32, p: &V3, normal: &mut V3) -> (V3, f32) {
    match material {
        Material::Paint { colour, gloss } => (*colour, *gloss),
        Material::Rough { colour, strength, grain_mm, seed } => {
            // Three slanted slices of flat noise stand in for noise in space.
            let (a, b) = ((p.x + 0.6 * p.z) / grain_mm, (p.y - 0.5 * p.z) / grain_mm);
            let coarse = fbm(a, b, 3, *seed);
            let speck = hash01((a * 2.3).floor() as i32, (b * 2.3).floor() as i32, seed ^ 7);
            let tone = 1.0 + strength * (1.6 * (coarse - 0.5) + 0.7 * (speck - 0.5));
            let tilt = V3::new(
                noise(a * 1.7, b * 1.7, seed ^ 3) - 0.5,
                noise(b * 1.7, a * 1.7, seed ^ 4) - 0.5,
                0.0,
            );
            *normal = (*normal + tilt * *strength).normalize();
            (colour * tone.max(0.1), 0.0)
        }
        Material::Tag { dark, light, .. } | Material::Stripes { dark, light, .. } => {
            (mix(dark, light, white), 0.0)
        }
        Material::Stick { colour, half_mm } => {
            let along = u + half_mm;
            let tick = (along / 10.0 - (along / 10.0).round()).abs() * 10.0;
            let long = ((along / 10.0).round() as i32) % 5 == 0;
            let reach = if long { -1.0 } else { 1.5 };
            let mark = smooth(0.75, 0.25, tick) * smooth(reach - 0.3, reach + 0.3, v);
            let grain = 0.9 + 0.2 * noise(u / 14.0, v / 0.7, 5);
            (mix(&(colour * grain), &srgb(30, 26, 22), 0.9 * mark), 0.15)
        }
        Material::Die { colour, pips, half_mm } => {
            let (a, b) = (u / half_mm, v / half_mm);
            let places: &[(f32, f32)] = match pips {
                1 => &[(0.0, 0.0)],
                2 => &[(-0.5, -0.5), (0.5, 0.5)],
                3 => &[(-0.5, -0.5), (0.0, 0.0), (0.5, 0.5)],
                4 => &[(-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5)],
                5 => &[(-0.5, -0.5), (0.5, 0.5), (-0.5, 0.5), (0.5, -0.5), (0.0, 0.0)],
                _ => &[(-0.5, -0.55), (0.5, 0.55), (-0.5, 0.55), (0.5, -0.55), (-0.5, 0.0), (0.5, 0.0)],
            };
            let nearest = places.iter().map(|(x, y)| (a - x).hypot(b - y)).fold(9.0f32, f32::min);
            let pip = if normal.z > 0.7 { smooth(0.26, 0.18, nearest) } else { 0.0 };
            let contrast = if colour.norm() > 0.7 { srgb(24, 22, 22) } else { srgb(236, 232, 220) };
            (mix(colour, &contrast, pip), 0.5)
        }
        Material::Card { colour, half, seed } => {
            let edge = (half[0] - u.abs()).min(half[1] - v.abs());
            let paper = srgb(226, 219, 200);
            let picture =
                mix(colour, &srgb(226, 190, 110), smooth(0.35, 0.7, fbm(u / 9.0, v / 9.0, 3, *seed)));
            let lines = smooth(0.2, 0.4, ((v / 2.6).fract() - 0.5).abs())
                * smooth(0.25, 0.3, noise(u / 2.0, (v / 2.6).floor(), *seed));
            let text = if v < -half[1] * 0.2 {
                mix(&paper, &srgb(60, 54, 50), 0.7 * (1.0 - lines))
            } else {
                picture
            };
            (mix(&paper, &text, smooth(2.2, 2.8, edge)), 0.2)
        }
    }
}
