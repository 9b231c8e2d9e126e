//! Small numbers for drawing: single-precision vectors and repeatable noise.
//!
//! Single precision is enough: at a metre it resolves 0.0001 mm, a five-thousandth of a pixel.

use nalgebra::Vector3;

/// A point, direction or linear colour.
pub(super) type V3 = Vector3<f32>;

/// A vector from double precision.
pub(super) fn v3(x: f64, y: f64, z: f64) -> V3 {
    V3::new(x as f32, y as f32, z as f32)
}

/// A linear colour from 8-bit sRGB.
pub(super) fn srgb(r: u8, g: u8, b: u8) -> V3 {
    V3::new(linear(r), linear(g), linear(b))
}

fn linear(v: u8) -> f32 {
    let v = f32::from(v) / 255.0;
    if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
}

/// Linear light, 0 to 1, as an sRGB value, 0 to 1.
pub(super) fn encode(v: f32) -> f32 {
    let v = v.clamp(0.0, 1.0);
    if v <= 0.003_130_8 { v * 12.92 } else { 1.055 * v.powf(1.0 / 2.4) - 0.055 }
}

/// `a` at 0, `b` at 1.
pub(super) fn mix(a: &V3, b: &V3, share: f32) -> V3 {
    a + (b - a) * share
}

/// 0 up to `from`, 1 from `to` on, smooth between. `from` may be larger than `to`.
pub(super) fn smooth(from: f32, to: f32, x: f32) -> f32 {
    let t = ((x - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// A well-mixed number for a cell of a grid.
pub(super) fn hash(x: i32, y: i32, seed: u32) -> u32 {
    let mut h = (x as u32).wrapping_mul(0x85eb_ca6b)
        ^ (y as u32).wrapping_mul(0xc2b2_ae35)
        ^ seed.wrapping_mul(0x27d4_eb2f);
    h ^= h >> 15;
    h = h.wrapping_mul(0x2c1b_3c6d);
    h ^= h >> 12;
    h = h.wrapping_mul(0x297a_2d39);
    h ^ (h >> 15)
}

/// The same as a share, 0 up to 1.
pub(super) fn hash01(x: i32, y: i32, seed: u32) -> f32 {
    (hash(x, y, seed) >> 8) as f32 / 16_777_216.0
}

/// Smooth noise of unit wavelength, 0 to 1.
pub(super) fn noise(x: f32, y: f32, seed: u32) -> f32 {
    let (fx, fy) = (x.floor(), y.floor());
    let (ix, iy) = (fx as i32, fy as i32);
    let (tx, ty) = (x - fx, y - fy);
    let (sx, sy) = (tx * tx * (3.0 - 2.0 * tx), ty * ty * (3.0 - 2.0 * ty));
    let at = |dx, dy| hash01(ix.wrapping_add(dx), iy.wrapping_add(dy), seed);
    let low = at(0, 0) + (at(1, 0) - at(0, 0)) * sx;
    let high = at(0, 1) + (at(1, 1) - at(0, 1)) * sx;
    low + (high - low) * sy
}

/// Noise summed over `octaves`, each half as wide and half as strong, about 0 to 1.
pub(super) fn fbm(x: f32, y: f32, octaves: u32, seed: u32) -> f32 {
    let (mut sum, mut weight, mut scale, mut total) = (0.0, 0.5, 1.0, 0.0);
    for octave in 0..octaves {
        sum += weight * noise(x * scale, y * scale, seed.wrapping_add(octave.wrapping_mul(977)));
        total += weight;
        weight *= 0.5;
        scale *= 2.03;
    }
    sum / total
}
