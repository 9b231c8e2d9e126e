//! The table's surface: a cloth over a wooden top, with what is painted or laid flat on it.
//!
//! Table frame, millimetres, z = 0. Everything here is level and has no height.

use super::math::{V3, fbm, hash01, mix, noise, smooth, srgb};

/// Something flat on the cloth.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Patch {
    /// A piece of felt for a wood, or a marsh.
    Felt {
        /// Its middle.
        centre: [f32; 2],
        /// Half its sides.
        half: [f32; 2],
        /// Its colour.
        colour: V3,
        /// Shape of its outline.
        seed: u32,
    },
    /// A road or river along a bent line.
    Way {
        /// The line's points.
        line: Vec<[f32; 2]>,
        /// Half its width.
        half_width: f32,
        /// Colour of its middle.
        colour: V3,
        /// Colour of its rim.
        rim: V3,
        /// How much its middle shines, 0 to 1.
        gloss: f32,
    },
}

/// The table's surface.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Ground {
    /// Playing area: its far right corner; the near left one is the origin.
    pub area: [f32; 2],
    /// The cloth: left, near, right, far.
    pub cloth: [f32; 4],
    /// Main colours of the cloth.
    pub grass: [V3; 3],
    /// Of the table top beyond the cloth.
    pub wood: V3,
    /// What lies flat on the cloth, the last on top.
    pub patches: Vec<Patch>,
    /// Shape of the texture.
    pub seed: u32,
}

impl Ground {
    /// Linear colour at (`x`, `y`), where a pixel is `pixel_mm` wide.
    pub(super) fn colour(&self, x: f32, y: f32, pixel_mm: f32) -> V3 {
        let [left, near, right, far] = self.cloth;
        let wobble = 1.5 * (noise(x / 40.0, y / 40.0, self.seed ^ 77) - 0.5);
        let inside = (x - left).min(right - x).min(y - near).min(far - y) + wobble;
        let cloth_share = smooth(-0.5 * pixel_mm, 0.5 * pixel_mm, inside);
        let mut colour = V3::zeros();
        if cloth_share < 1.0 {
            // A soft dark line where the cloth's edge stands off the wood.
            let shade = 1.0 - 0.45 * (inside.min(0.0) / 3.0).exp();
            colour += self.wood_at(x, y) * ((1.0 - cloth_share) * shade);
        }
        if cloth_share > 0.0 {
            colour += self.cloth_at(x, y, pixel_mm) * cloth_share;
        }
        colour
    }

    fn wood_at(&self, x: f32, y: f32) -> V3 {
        let board = (y / 95.0).floor();
        let shift = hash01(board as i32, 3, self.seed) * 700.0;
        let rings = fbm((x + shift) / 260.0, y / 9.0, 3, self.seed ^ 5);
        let fibre = noise((x + shift) / 22.0, y / 0.9, self.seed ^ 9);
        let tone = 0.62 + 0.5 * rings + 0.14 * fibre + 0.16 * (hash01(board as i32, 8, self.seed) - 0.5);
        let gap = smooth(0.0, 0.9, (y - board * 95.0).min((board + 1.0) * 95.0 - y));
        self.wood * (tone * (0.35 + 0.65 * gap))
    }

    fn cloth_at(&self, x: f32, y: f32, pixel_mm: f32) -> V3 {
        let mut colour = self.grass_at(x, y);
        for patch in &self.patches {
            match patch {
                Patch::Felt { centre, half, colour: felt, seed } => {
                    let (u, v) = ((x - centre[0]) / half[0], (y - centre[1]) / half[1]);
                    if u.abs() > 1.5 || v.abs() > 1.5 {
                        continue;
                    }
                    let angle = v.atan2(u);
                    let phase = (*seed % 628) as f32 / 100.0;
                    let rim = 1.0 + 0.13 * (2.0 * angle + phase).sin() + 0.08 * (3.0 * angle - phase).sin();
                    let inside = (rim - u.hypot(v)) * half[0].min(half[1]);
                    let share = smooth(-0.6, 0.6, inside);
                    if share > 0.0 {
                        let tone = 0.55
                            + 0.6 * fbm(x / 7.0, y / 7.0, 3, seed ^ 21)
                            + 0.35 * (hash01((x * 1.4) as i32, (y * 1.4) as i32, *seed) - 0.5);
                        let edge = 1.0 - 0.35 * smooth(4.0, 0.0, inside);
                        colour = mix(&colour, &(felt * (tone * edge)), share);
                    }
                }
                Patch::Way { line, half_width, colour: middle, rim, gloss } => {
                    let ragged = 2.2 * (fbm(x / 9.0, y / 9.0, 2, self.seed ^ 41) - 0.5);
                    let distance = distance_to_line(line, x, y) + ragged;
                    if distance > half_width + 4.0 {
                        continue;
                    }
                    let bank = smooth(half_width + 2.5, half_width - 0.5, distance);
                    let inner = smooth(half_width - 1.0, half_width - 4.0, distance);
                    let tone = 0.75 + 0.5 * fbm(x / 5.0, y / 5.0, 3, self.seed ^ 43);
                    let ripple = 1.0 + gloss * 0.5 * (fbm(x / 14.0, y / 4.0, 3, self.seed ^ 47) - 0.5);
                    let way = mix(&(rim * tone), &(middle * (ripple * (tone + (1.0 - tone) * gloss))), inner);
                    colour = mix(&colour, &way, bank);
                }
            }
        }
        self.chalk(x, y, pixel_mm, colour)
    }

    fn grass_at(&self, x: f32, y: f32) -> V3 {
        let s = self.seed;
        let broad = fbm(x / 130.0, y / 130.0, 3, s);
        let tufts = fbm(x / 11.0, y / 11.0, 3, s ^ 101);
        let fine = noise(x / 1.3, y / 1.3, s ^ 211);
        let blade = hash01((x * 1.1).floor() as i32, (y * 1.1).floor() as i32, s ^ 307);
        let mut colour = mix(&self.grass[0], &self.grass[1], smooth(0.32, 0.68, broad));
        let bare = smooth(0.60, 0.74, fbm(x / 55.0 + 31.0, y / 55.0, 3, s ^ 401));
        colour = mix(&colour, &self.grass[2], 0.75 * bare);
        colour * (0.48 + 0.42 * tufts + 0.30 * fine + 0.34 * blade)
    }

    /// Small chalk angles at the playing area's corners.
    fn chalk(&self, x: f32, y: f32, pixel_mm: f32, under: V3) -> V3 {
        let [w, d] = self.area;
        let (dx, dy) = (x.abs().min((x - w).abs()), y.abs().min((y - d).abs()));
        let line = dx.min(dy);
        if line > 2.0 || dx.max(dy) > 22.0 || x < -1.0 || y < -1.0 || x > w + 1.0 || y > d + 1.0 {
            return under;
        }
        let share = smooth(0.6 + 0.5 * pixel_mm, 0.6 - 0.5 * pixel_mm, line);
        let worn = smooth(0.25, 0.55, noise(x / 1.7, y / 1.7, self.seed ^ 509));
        mix(&under, &srgb(214, 208, 188), 0.75 * share * worn)
    }
}

fn distance_to_line(line: &[[f32; 2]], x: f32, y: f32) -> f32 {
    let mut least = f32::INFINITY;
    for pair in line.windows(2) {
        let (ax, ay) = (pair[0][0], pair[0][1]);
        let (bx, by) = (pair[1][0] - ax, pair[1][1] - ay);
        let t = (((x - ax) * bx + (y - ay) * by) / (bx * bx + by * by)).clamp(0.0, 1.0);
        least = least.min((x - ax - t * bx).hypot(y - ay - t * by));
    }
    least
}
