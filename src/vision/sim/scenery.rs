//! What lies on the table beside the bases: terrain, dice, cards, a measuring stick.
//!
//! Terrain with height and loose things are put where no base and no reference tag is; roads, rivers
//! and painted hills lie flat and may run under bases.

use super::ground::{Ground, Patch};
use super::math::{V3, srgb, v3};
use super::print::print_mm;
use super::props::Terrain;
use super::scene::Scene;
use super::shape::Shape;
use super::terrain::{TerrainSort, TrueTerrain, crossings};
use super::world::{Material, Owner, Solid};
use super::{Clutter, Placement};
use crate::geometry::{Point, Polygon};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A round place that bases keep off.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Obstacle {
    /// Its middle, millimetres.
    pub centre: Point,
    /// Its radius, millimetres.
    pub radius_mm: f64,
}

/// Lays out what `clutter` asks for; gives the places that bases keep off from then on, and what terrain there is.
pub(super) fn lay(
    scene: &Scene,
    clutter: Clutter,
    seed: u64,
    ground: &mut Ground,
    solids: &mut Vec<Solid>,
) -> (Vec<Obstacle>, Vec<TrueTerrain>) {
    let mut layer = Layer {
        scene,
        rng: ChaCha8Rng::seed_from_u64(seed ^ 0x0073_6365_6e65_7279),
        ground,
        solids,
        taken: Vec::new(),
        terrain: Vec::new(),
    };
    layer.hills_under_bases();
    if let Terrain::Felts(felts) = &scene.props().terrain {
        felts.iter().for_each(|outline| layer.felt(outline));
    }
    if clutter >= Clutter::Figures {
        // Nobody lays a wood on a printed sheet that is to be measured on.
        if scene.props().prints.is_empty() && scene.props().terrain == Terrain::ByChance {
            layer.painted_hill();
            layer.way();
            layer.wood();
            layer.hill();
        }
        layer.beside_the_board();
    }
    if clutter >= Clutter::Heavy {
        layer.stick_over_a_reference_tag();
        for _ in 0..5 {
            layer.die_on_the_board();
        }
        for _ in 0..2 {
            layer.card_on_the_board();
        }
        for _ in 0..3 {
            layer.loose_tree();
        }
    }
    crossings(&mut layer.terrain);
    (layer.taken, layer.terrain)
}

struct Layer<'a> {
    scene: &'a Scene,
    rng: ChaCha8Rng,
    ground: &'a mut Ground,
    solids: &'a mut Vec<Solid>,
    taken: Vec<Obstacle>,
    terrain: Vec<TrueTerrain>,
}

impl Layer<'_> {
    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.rng.random::<f32>()
    }

    fn size(&self) -> (f32, f32) {
        (self.scene.width_mm() as f32, self.scene.depth_mm() as f32)
    }

    /// Millimetres of free table round a point: to bases, reference tags, and what is taken.
    fn room_at(&self, x: f32, y: f32) -> f32 {
        let p = Point::new(f64::from(x), f64::from(y));
        let bases = self.scene.placements().iter().filter_map(|at| {
            let base = self.scene.base(&at.name)?;
            Some(base.footprint(at.pose).distance_to_point(p))
        });
        let tags = self
            .scene
            .reference()
            .iter()
            .map(|r| (p - Point::new(r.x_mm, r.y_mm)).norm() - print_mm(r.tag, r.size_mm) * 0.71);
        let taken = self.taken.iter().map(|o| (p - o.centre).norm() - o.radius_mm);
        bases.chain(tags).chain(taken).fold(f64::INFINITY, f64::min) as f32
    }

    /// The roomiest of a few places on the board, with its room; `None` below `least_mm`.
    fn place(&mut self, tries: usize, least_mm: f32) -> Option<([f32; 2], f32)> {
        let (w, d) = self.size();
        let mut best: Option<([f32; 2], f32)> = None;
        for _ in 0..tries {
            let (x, y) = (self.between(0.05, 0.95) * w, self.between(0.05, 0.95) * d);
            let edge = x.min(w - x).min(y).min(d - y);
            let room = self.room_at(x, y).min(edge + 15.0);
            if room >= least_mm && best.is_none_or(|(_, r)| room > r) {
                best = Some(([x, y], room));
            }
        }
        best
    }

    fn take(&mut self, at: [f32; 2], radius: f32) {
        let centre = Point::new(f64::from(at[0]), f64::from(at[1]));
        self.taken.push(Obstacle { centre, radius_mm: f64::from(radius) });
    }

    fn add(&mut self, shape: Shape, material: Material) {
        self.solids.push(Solid { shape, material, owner: Owner::Other });
    }

    /// A step of hill under every base that stands above z = 0.
    fn hills_under_bases(&mut self) {
        /// Less than this is paper or card under a base, millimetres.
        const SHEET_MM: f64 = 0.5;
        let stands = |p: &&Placement| p.ground_mm > SHEET_MM;
        let raised: Vec<_> = self.scene.placements().iter().filter(stands).cloned().collect();
        for at in raised {
            let Some(base) = self.scene.base(&at.name) else { continue };
            let reach = base.width_mm.hypot(base.depth_mm) as f32 / 2.0;
            let seed = self.rng.random();
            self.add(
                Shape::Mesa {
                    centre: v3(at.pose.centre.x, at.pose.centre.y, 0.0),
                    half: [reach * 1.35, reach * 1.35],
                    height: at.ground_mm as f32,
                    skirt: at.ground_mm as f32 * 1.2,
                    seed,
                },
                turf(self.ground.grass[1], seed),
            );
        }
    }

    /// A river or a road across the board.
    fn way(&mut self) {
        let (w, _) = self.size();
        let river = self.rng.random_bool(0.5);
        let x = [self.between(0.06, 0.94) * w, self.between(0.06, 0.94) * w];
        let sway = self.between(-0.16, 0.16) * w;
        let line = (0..=24)
            .map(|i| {
                let t = i as f32 / 24.0;
                let bend = sway * (t * std::f32::consts::TAU).sin();
                let (near, far) = (self.ground.cloth[1], self.ground.cloth[3]);
                [(x[0] + (x[1] - x[0]) * t + bend).clamp(20.0, w - 20.0), near + (far - near) * t]
            })
            .collect::<Vec<[f32; 2]>>();
        let (sort, half) = if river { (TerrainSort::River, 19.0) } else { (TerrainSort::Road, 13.0) };
        self.terrain.extend(TrueTerrain::way(sort, &line, half, self.ground.area));
        let patch = if river {
            Patch::Way {
                line,
                half_width: half,
                colour: srgb(78, 94, 88),
                rim: srgb(118, 104, 76),
                gloss: 0.9,
            }
        } else {
            Patch::Way {
                line,
                half_width: half,
                colour: srgb(164, 142, 104),
                rim: srgb(134, 116, 80),
                gloss: 0.0,
            }
        };
        self.ground.patches.push(patch);
    }

    fn painted_hill(&mut self) {
        let (w, d) = self.size();
        let centre = [self.between(0.2, 0.8) * w, self.between(0.2, 0.8) * d];
        let half = [self.between(0.12, 0.18) * w, self.between(0.09, 0.14) * d];
        let seed = self.rng.random();
        let tone = (self.ground.grass[1] + self.ground.grass[2]) * 0.62;
        self.terrain.extend(TrueTerrain::felt(TerrainSort::PaintedHill, centre, half, seed));
        self.ground.patches.push(Patch::Felt { centre, half, colour: tone, seed });
    }

    /// A piece of felt about as wide and deep as that outline.
    fn felt(&mut self, outline: &Polygon) {
        let reach = |of: fn(&Point) -> f64| {
            let all = || outline.corners().iter().map(of);
            (all().fold(f64::INFINITY, f64::min) as f32, all().fold(f64::NEG_INFINITY, f64::max) as f32)
        };
        let ((left, right), (near, far)) = (reach(|p| p.x), reach(|p| p.y));
        let (centre, half) =
            ([(left + right) / 2.0, (near + far) / 2.0], [(right - left) / 2.0, (far - near) / 2.0]);
        let seed = self.rng.random();
        self.terrain.extend(TrueTerrain::felt(TerrainSort::Wood, centre, half, seed));
        self.ground.patches.push(Patch::Felt { centre, half, colour: srgb(84, 78, 44), seed });
    }

    fn wood(&mut self) {
        let Some((centre, room)) = self.place(160, 34.0) else { return };
        let radius = room.min(75.0);
        let seed = self.rng.random();
        let half = [radius * 0.86, radius * self.between(0.62, 0.86)];
        self.terrain.extend(TrueTerrain::felt(TerrainSort::Wood, centre, half, seed));
        self.ground.patches.push(Patch::Felt { centre, half, colour: srgb(84, 78, 44), seed });
        let count = (radius * radius / 420.0) as usize + 2;
        let mut trees: Vec<[f32; 2]> = Vec::new();
        for _ in 0..count * 6 {
            let (angle, away) = (self.between(0.0, std::f32::consts::TAU), self.between(0.0, 0.80f32).sqrt());
            let at = [centre[0] + half[0] * away * angle.cos(), centre[1] + half[1] * away * angle.sin()];
            let clear = trees.iter().all(|t| (t[0] - at[0]).hypot(t[1] - at[1]) > 17.0);
            if clear && trees.len() < count {
                trees.push(at);
                self.tree(at);
            }
        }
        self.take(centre, radius);
    }

    fn tree(&mut self, at: [f32; 2]) {
        tree(at, &mut self.rng, self.solids);
    }

    fn loose_tree(&mut self) {
        if let Some((at, _)) = self.place(60, 16.0) {
            self.tree(at);
            self.take(at, 13.0);
        }
    }

    /// A stepped hill with real height, where nothing stands.
    fn hill(&mut self) {
        let Some((centre, room)) = self.place(160, 40.0) else { return };
        let radius = room.min(80.0);
        let seed = self.rng.random();
        let wide = radius * 0.72;
        let deep = wide * self.between(0.7, 1.0);
        let grass = self.ground.grass[1];
        let foot = V3::new(centre[0], centre[1], 0.0);
        self.terrain.extend(TrueTerrain::mesa(foot, [wide, deep], 6.0, seed, 18.0));
        for (step, share) in [1.0f32, 0.55].into_iter().enumerate() {
            let base = V3::new(centre[0], centre[1], 9.0 * step as f32);
            self.add(
                Shape::Mesa {
                    centre: base,
                    half: [wide * share, deep * share],
                    height: 9.0,
                    skirt: 6.0,
                    seed,
                },
                turf(grass, seed),
            );
        }
        self.take(centre, radius);
    }

    fn die(&mut self, at: [f32; 2], half: f32) {
        let angle = self.between(0.0, 1.57);
        let (sin, cos) = angle.sin_cos();
        let colours = [srgb(226, 220, 204), srgb(168, 36, 34), srgb(38, 60, 120), srgb(30, 30, 32)];
        let colour = colours[self.rng.random_range(0..colours.len())];
        let pips = self.rng.random_range(1..7);
        self.add(
            Shape::Block {
                centre: V3::new(at[0], at[1], half),
                axes: [V3::new(cos, sin, 0.0), V3::new(-sin, cos, 0.0), V3::z()],
                half: [half; 3],
            },
            Material::Die { colour, pips, half_mm: half },
        );
    }

    fn die_on_the_board(&mut self) {
        if let Some((at, _)) = self.place(25, 14.0) {
            self.die(at, 6.0);
            self.take(at, 10.0);
        }
    }

    fn card(&mut self, at: [f32; 2]) {
        let angle = self.between(-0.6, 0.6);
        let (sin, cos) = angle.sin_cos();
        let half = [22.0, 31.5];
        let seed = self.rng.random();
        let colours = [srgb(120, 40, 36), srgb(44, 66, 112), srgb(64, 84, 50)];
        let colour = colours[self.rng.random_range(0..colours.len())];
        self.add(
            Shape::Sheet {
                centre: V3::new(at[0], at[1], 0.4),
                right: V3::new(cos, sin, 0.0),
                up: V3::new(-sin, cos, 0.0),
                half,
                round: 3.0,
            },
            Material::Card { colour, half, seed },
        );
    }

    fn card_on_the_board(&mut self) {
        if let Some((at, _)) = self.place(120, 39.0) {
            self.card(at);
            self.take(at, 38.0);
        }
    }

    /// Dice, cards and a stick on the table top beside the cloth.
    fn beside_the_board(&mut self) {
        let [left, near, right, far] = self.ground.cloth;
        let depth = far - near;
        for _ in 0..3 {
            let at = [right + self.between(25.0, 70.0), near + depth * self.between(0.25, 0.55)];
            self.die(at, 7.0);
        }
        for n in 0..2 {
            let at = [right + 62.0 + 9.0 * n as f32, near + depth * 0.74 + 11.0 * n as f32];
            self.card(at);
        }
        let turn = self.between(1.35, 1.75);
        let aside = self.between(38.0, 60.0);
        self.stick([left - aside, near + depth * 0.55], turn, 150.0);
    }

    fn stick(&mut self, at: [f32; 2], turn: f32, half: f32) {
        let (sin, cos) = turn.sin_cos();
        self.add(
            Shape::Block {
                centre: V3::new(at[0], at[1], 2.0),
                axes: [V3::new(cos, sin, 0.0), V3::new(-sin, cos, 0.0), V3::z()],
                half: [half, 6.0, 1.6],
            },
            Material::Stick { colour: srgb(206, 172, 112), half_mm: half },
        );
    }

    /// Across one reference tag, where the table can spare it.
    fn stick_over_a_reference_tag(&mut self) {
        let tags = self.scene.reference();
        if tags.len() <= 4 {
            return;
        }
        let (w, d) = self.size();
        let middle = |x: f64, y: f64| x > 0.0 && x < f64::from(w) || y > 0.0 && y < f64::from(d);
        let Some(r) = tags.iter().find(|r| middle(r.x_mm, r.y_mm)).or(tags.last()) else { return };
        let along = if r.x_mm > 0.0 && r.x_mm < f64::from(w) { 0.0 } else { std::f32::consts::FRAC_PI_2 };
        let (x, y) = (r.x_mm as f32, r.y_mm as f32);
        let turn = along + self.between(-0.12, 0.12);
        let off = [self.between(-6.0, 6.0), self.between(-6.0, 6.0)];
        self.stick([x + off[0], y + off[1]], turn, 105.0);
    }
}

/// A tree of three or four centimetres, drawn by chance.
pub(super) fn tree(at: [f32; 2], rng: &mut ChaCha8Rng, solids: &mut Vec<Solid>) {
    let mut add = |shape: Shape, material: Material| {
        solids.push(Solid { shape, material, owner: Owner::Other });
    };
    let between = |rng: &mut ChaCha8Rng, low: f32, high: f32| low + (high - low) * rng.random::<f32>();
    let tall = between(rng, 24.0, 36.0);
    let foot = V3::new(at[0], at[1], 0.0);
    let greens = [srgb(62, 88, 40), srgb(84, 104, 48), srgb(52, 78, 44), srgb(104, 112, 54)];
    let green = greens[rng.random_range(0..greens.len())];
    add(
        Shape::Limb { from: foot, to: foot + V3::z() * (tall * 0.6), from_radius: 1.9, to_radius: 1.2 },
        Material::Rough { colour: srgb(92, 70, 50), strength: 0.4, grain_mm: 2.0, seed: 3 },
    );
    for n in 0..9 {
        let ring = if n < 6 { between(rng, 4.5, 7.0) } else { between(rng, 0.0, 3.5) };
        let angle = n as f32 * 1.05 + between(rng, -0.3, 0.3);
        let up = if n < 6 { between(rng, 0.48, 0.66) } else { between(rng, 0.72, 0.92) } * tall;
        let centre = foot + V3::new(ring * angle.cos(), ring * angle.sin(), up);
        let radius = between(rng, 4.2, 6.2);
        let colour = green * between(rng, 0.8, 1.2);
        let seed = rng.random();
        add(Shape::Ball { centre, radius }, Material::Rough { colour, strength: 0.9, grain_mm: 2.4, seed });
    }
}

fn turf(colour: V3, seed: u32) -> Material {
    Material::Rough { colour: colour * 0.9, strength: 0.55, grain_mm: 3.0, seed }
}
