//! Pictures of dice in a tray, drawn from a seed: what the dice reader is measured against.
//!
//! Tray frame, millimetres: the tray's floor is z = 0, its middle the origin, z up. Dice are boxes with rounded edges met
//! by sphere tracing, with all six faces, pips sunk by colour, a glossy coat that glints, soft shadows, and a camera that
//! may look aslant. Independent of the reader: it knows rays and millimetres, never lattices in pixels.
//! Invariant: one scene gives one picture.

use super::math::{V3, encode, hash01, noise, smooth, srgb};
use crate::vision::RgbImage;
use nalgebra::{Matrix3, Rotation3};

/// A die.
#[derive(Debug, Clone, PartialEq)]
pub struct TrayDie {
    /// What its upper face shows, 1 to 6.
    pub value: u8,
    /// Its middle, millimetres.
    pub middle_mm: [f64; 3],
    /// Turn about the upright, degrees.
    pub turn_deg: f64,
    /// How far it leans, degrees, and towards where, degrees from x.
    pub lean_deg: [f64; 2],
    /// Its side, millimetres.
    pub side_mm: f64,
    /// Colour of its body and its pips, 8-bit sRGB.
    pub colours: [[u8; 3]; 2],
    /// Radius of its pips, in sides.
    pub pip: f64,
    /// How far its pips stand from the middle of the face, in sides.
    pub spread: f64,
    /// How strongly it glints, 0 to 1.
    pub gloss: f64,
}

/// A tray as the camera sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct TrayScene {
    /// The dice.
    pub dice: Vec<TrayDie>,
    /// The floor's colour, 8-bit sRGB.
    pub floor: [u8; 3],
    /// The lamp: from where its light comes, not of length one.
    pub lamp: [f64; 3],
    /// How far the camera looks aslant, degrees from the upright.
    pub aslant_deg: f64,
    /// From the camera to the tray's middle, millimetres.
    pub distance_mm: f64,
    /// Pixels a millimetre at the tray's middle.
    pub px_per_mm: f64,
    /// Noise of a pixel, grey values.
    pub noise: f64,
    /// Of its noise and its floor.
    pub seed: u32,
}

/// How dice are thrown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Throw {
    /// Each on its own on the floor.
    Apart,
    /// One leans on nothing that is seen, by 25 to 45 degrees.
    Cocked,
    /// One lies half upon another.
    Stacked,
    /// Two touch.
    Touching,
}

/// Body and pips of dice that are sold.
const COLOURS: [[[u8; 3]; 2]; 10] = [
    [[236, 234, 226], [22, 22, 24]],
    [[24, 24, 27], [240, 240, 238]],
    [[178, 24, 30], [242, 240, 236]],
    [[24, 60, 158], [240, 240, 240]],
    [[22, 128, 62], [240, 240, 236]],
    [[232, 200, 36], [22, 22, 22]],
    [[92, 34, 118], [238, 236, 240]],
    [[222, 112, 30], [26, 24, 22]],
    [[70, 62, 58], [206, 44, 40]],
    [[30, 108, 100], [226, 190, 50]],
];
/// Cloths and wood of trays.
const FLOORS: [[u8; 3]; 5] = [[196, 192, 184], [70, 92, 66], [120, 88, 58], [44, 46, 54], [150, 34, 40]];

impl TrayScene {
    /// A throw of two to five dice, pictured from above or a little aslant, 22 to 60 pixels to a die's side.
    pub fn thrown(throw: Throw, seed: u32) -> Self {
        let mut drawn = 0;
        let mut chance = |from: f64, to: f64| {
            drawn += 1;
            from + (to - from) * f64::from(hash01(drawn, 77, seed))
        };
        let side = chance(12.0, 17.0);
        let count = 2 + chance(0.0, 4.0) as usize;
        let floor = FLOORS[chance(0.0, FLOORS.len() as f64) as usize % FLOORS.len()];
        let mut dice: Vec<TrayDie> = Vec::new();
        for _ in 0..2000 {
            if dice.len() == count {
                break;
            }
            let (x, y) = (chance(-58.0, 58.0), chance(-42.0, 42.0));
            let free = |d: &TrayDie| (d.middle_mm[0] - x).hypot(d.middle_mm[1] - y) > 2.1 * side;
            let colours = COLOURS[chance(0.0, COLOURS.len() as f64) as usize % COLOURS.len()];
            // A die of its floor's colour is a camouflaged one; trays are chosen against that.
            let far: f64 = (0..3).map(|k| (f64::from(colours[0][k]) - f64::from(floor[k])).powi(2)).sum();
            let die = TrayDie {
                value: 1 + chance(0.0, 6.0) as u8 % 6,
                middle_mm: [x, y, side / 2.0],
                turn_deg: chance(0.0, 360.0),
                lean_deg: [0.0, 0.0],
                side_mm: side,
                colours,
                pip: chance(0.085, 0.115),
                spread: chance(0.22, 0.27),
                gloss: chance(0.0, 0.8),
            };
            if dice.iter().all(free) && far > 2500.0 {
                dice.push(die);
            }
        }
        match throw {
            Throw::Apart => {}
            Throw::Cocked => {
                let lean = chance(25.0, 45.0);
                dice[0].lean_deg = [lean, chance(0.0, 360.0)];
                // On its lowest corner or edge, near enough.
                dice[0].middle_mm[2] = side * (0.5 + 0.2 * (2.0 * lean.to_radians()).sin());
            }
            Throw::Stacked => {
                let ([x, y, _], turn) = (dice[0].middle_mm, chance(0.0, std::f64::consts::TAU));
                let off = side * chance(0.25, 0.45);
                dice[1].middle_mm = [x + off * turn.cos(), y + off * turn.sin(), 1.5 * side];
            }
            Throw::Touching => {
                let ([x, y, z], turn) = (dice[0].middle_mm, dice[0].turn_deg.to_radians());
                dice[1].middle_mm = [x + 1.02 * side * turn.cos(), y + 1.02 * side * turn.sin(), z];
                dice[1].turn_deg = dice[0].turn_deg + 90.0 * chance(0.0, 4.0).floor();
            }
        }
        let lamp = [chance(-0.8, 0.8), chance(-0.8, 0.8), 1.0];
        Self {
            dice,
            floor,
            lamp,
            aslant_deg: chance(0.0, 22.0),
            distance_mm: chance(350.0, 700.0),
            px_per_mm: chance(22.0, 60.0) / side,
            noise: chance(0.8, 3.0),
            seed,
        }
    }

    /// The camera: where it is, and its right, down and forward.
    fn camera(&self) -> (V3, [V3; 3]) {
        let (s, c) = (self.aslant_deg.to_radians() as f32).sin_cos();
        let back = V3::new(0.0, -s, c);
        (back * self.distance_mm as f32, [V3::x(), V3::new(0.0, -c, -s), -back])
    }

    /// Where a point of the tray is in a picture of that size, in pixels.
    pub fn pixel(&self, point: [f64; 3], width: usize, height: usize) -> [f64; 2] {
        let (eye, [right, down, forward]) = self.camera();
        let d = V3::new(point[0] as f32, point[1] as f32, point[2] as f32) - eye;
        let focal = (self.px_per_mm * self.distance_mm) as f32 / d.dot(&forward);
        [
            f64::from(d.dot(&right) * focal) + (width as f64 - 1.0) / 2.0,
            f64::from(d.dot(&down) * focal) + (height as f64 - 1.0) / 2.0,
        ]
    }

    /// The middle of a die's upper face in a picture of that size.
    pub fn face_px(&self, die: &TrayDie, width: usize, height: usize) -> [f64; 2] {
        let up = Solid::of(die).turn * die.up();
        let half = die.side_mm / 2.0;
        let at = std::array::from_fn(|k| die.middle_mm[k] + half * f64::from(up[k]));
        self.pixel(at, width, height)
    }

    /// The picture.
    pub fn draw(&self, width: usize, height: usize) -> RgbImage {
        let (eye, [right, down, forward]) = self.camera();
        let focal = (self.px_per_mm * self.distance_mm) as f32;
        let solids: Vec<Solid> = self.dice.iter().map(Solid::of).collect();
        let lamp = V3::new(self.lamp[0] as f32, self.lamp[1] as f32, self.lamp[2] as f32).normalize();
        let [r, g, b] = self.floor;
        let floor = srgb(r, g, b);
        let seed = self.seed;
        let light = |x: f32, y: f32| -> V3 {
            let (u, v) =
                ((x - (width as f32 - 1.0) / 2.0) / focal, (y - (height as f32 - 1.0) / 2.0) / focal);
            let ray = (forward + right * u + down * v).normalize();
            let met = solids.iter().filter_map(|s| s.hit(&eye, &ray).map(|t| (t, s)));
            let nearest = met.min_by(|a, b| a.0.total_cmp(&b.0));
            let sun = |p: &V3, n: &V3| {
                let shade: f32 = solids.iter().map(|s| s.shadow(&(p + n * 0.05), &lamp)).product();
                n.dot(&lamp).max(0.0) * shade
            };
            match nearest {
                Some((t, solid)) => {
                    let p = eye + ray * t;
                    let n = solid.normal(&p);
                    let glint = (n.dot(&(lamp - ray).normalize())).max(0.0).powi(60) * solid.gloss;
                    let open = 0.6 + 0.4 * n.z;
                    solid.colour(&p) * (0.45 * open + 0.6 * sun(&p, &n)) + V3::repeat(0.7 * glint)
                }
                None => {
                    let p = eye + ray * (-eye.z / ray.z);
                    let near: f32 = solids.iter().map(|s| s.crowding(&p)).product();
                    let grain = 0.94 + 0.12 * noise(p.x * 0.9, p.y * 0.9, seed);
                    floor * grain * (0.45 * near + 0.6 * sun(&p, &V3::z()))
                }
            }
        };
        // Four rays a pixel, then the sensor: a blur of about half a pixel comes of them.
        let mut data = Vec::with_capacity(3 * width * height);
        for i in 0..width * height {
            let (x, y) = ((i % width) as f32, (i / width) as f32);
            let offsets = [[-0.3, -0.4], [0.4, -0.3], [0.3, 0.4], [-0.4, 0.3]];
            let sum = offsets.iter().fold(V3::zeros(), |sum, [u, v]| sum + light(x + u, y + v));
            for k in 0..3 {
                let grain: f32 = (0..3).map(|n| hash01(i as i32, 3 * n + k as i32, seed ^ 0x51)).sum();
                let value = 255.0 * encode(sum[k] / 4.0) + (2.0 * grain - 3.0) * self.noise as f32;
                data.push(value.round().clamp(0.0, 255.0) as u8);
            }
        }
        RgbImage::new(width, height, data).expect("a picture of its own size")
    }
}

impl TrayDie {
    /// The way its upper face looks, in the die's own axes.
    fn up(&self) -> V3 {
        match self.value {
            1 => V3::z(),
            2 => V3::y(),
            3 => V3::x(),
            4 => -V3::x(),
            5 => -V3::y(),
            _ => -V3::z(),
        }
    }
}

/// A die to be met by rays: its own axes, and its colours as light.
struct Solid {
    middle: V3,
    /// From the die's axes to the tray's.
    turn: Matrix3<f32>,
    half: f32,
    round: f32,
    body: V3,
    pips: V3,
    pip: f32,
    spread: f32,
    gloss: f32,
}

impl Solid {
    fn of(die: &TrayDie) -> Self {
        let upright = Rotation3::rotation_between(&die.up(), &V3::z())
            .unwrap_or_else(|| Rotation3::from_axis_angle(&V3::x_axis(), std::f32::consts::PI));
        let about = Rotation3::from_axis_angle(&V3::z_axis(), die.turn_deg.to_radians() as f32);
        let [lean, to] = die.lean_deg.map(|deg| deg.to_radians() as f32);
        let axis = V3::new(-to.sin(), to.cos(), 0.0);
        let lean = Rotation3::new(axis * lean);
        let [[r, g, b], [pr, pg, pb]] = die.colours;
        let [x, y, z] = die.middle_mm.map(|v| v as f32);
        let half = die.side_mm as f32 / 2.0;
        Self {
            middle: V3::new(x, y, z),
            turn: (lean * about * upright).into_inner(),
            half,
            round: 0.3 * half,
            body: srgb(r, g, b),
            pips: srgb(pr, pg, pb),
            pip: 2.0 * die.pip as f32,
            spread: 2.0 * die.spread as f32,
            gloss: die.gloss as f32,
        }
    }

    /// Distance of a point from the surface, negative inside.
    fn distance(&self, p: &V3) -> f32 {
        let q = self.turn.tr_mul(&(p - self.middle)).abs() - V3::repeat(self.half - self.round);
        q.map(|v| v.max(0.0)).norm() + q.max().min(0.0) - self.round
    }

    fn hit(&self, eye: &V3, ray: &V3) -> Option<f32> {
        let along = ray.dot(&(self.middle - eye));
        let off = (eye + ray * along - self.middle).norm();
        let reach = 1.75 * self.half;
        if off > reach {
            return None;
        }
        let mut t = along - reach;
        for _ in 0..60 {
            let d = self.distance(&(eye + ray * t));
            if d < 0.004 {
                return Some(t);
            }
            t += d;
            if t > along + reach {
                return None;
            }
        }
        None
    }

    fn normal(&self, p: &V3) -> V3 {
        let h = 0.05;
        let d = |axis: V3| self.distance(&(p + axis * h)) - self.distance(&(p - axis * h));
        V3::new(d(V3::x()), d(V3::y()), d(V3::z())).try_normalize(1e-6).unwrap_or(V3::z())
    }

    /// What of the lamp's light comes past it, 0 to 1, with a soft rim.
    fn shadow(&self, p: &V3, lamp: &V3) -> f32 {
        let along = lamp.dot(&(self.middle - p));
        let reach = 1.75 * self.half;
        if along < -reach || (p + lamp * along - self.middle).norm() > 1.6 * reach {
            return 1.0;
        }
        let (mut t, mut open) = (0.15_f32, 1.0_f32);
        for _ in 0..24 {
            let d = self.distance(&(p + lamp * t));
            open = open.min(6.0 * d / t);
            if open < 0.01 || t > along + reach {
                break;
            }
            t += d.max(0.1);
        }
        smooth(0.0, 1.0, open.clamp(0.0, 1.0))
    }

    /// What of the open sky over the floor it leaves.
    fn crowding(&self, p: &V3) -> f32 {
        1.0 - 0.5 * (-self.distance(p).max(0.0) / (0.5 * self.half)).exp()
    }

    /// The colour at a point of the surface: a pip's or the body's.
    fn colour(&self, p: &V3) -> V3 {
        let q = self.turn.tr_mul(&(p - self.middle)) / self.half;
        let a = q.abs();
        let (value, u, v) = if a.z >= a.x && a.z >= a.y {
            (if q.z > 0.0 { 1 } else { 6 }, q.x, q.y)
        } else if a.y >= a.x {
            (if q.y > 0.0 { 2 } else { 5 }, q.x, q.z)
        } else {
            (if q.x > 0.0 { 3 } else { 4 }, q.y, q.z)
        };
        let s = self.spread;
        let places: &[[f32; 2]] = match value {
            1 => &[[0.0, 0.0]],
            2 => &[[-s, -s], [s, s]],
            3 => &[[-s, s], [0.0, 0.0], [s, -s]],
            4 => &[[-s, -s], [s, s], [-s, s], [s, -s]],
            5 => &[[-s, -s], [s, s], [-s, s], [s, -s], [0.0, 0.0]],
            _ => &[[-s, -s], [s, s], [-s, s], [s, -s], [-s, 0.0], [s, 0.0]],
        };
        let far = places.iter().map(|[x, y]| (u - x).hypot(v - y)).fold(f32::MAX, f32::min);
        let share = smooth(self.pip * 1.05, self.pip * 0.95, far);
        self.body + (self.pips - self.body) * share
    }
}
