//! From a scene and the bases' places to shapes.

use super::figures;
use super::ground::Ground;
use super::math::{V3, srgb, v3};
use super::print::print_mm;
use super::props::{Block, Printed, about, tilt};
use super::scene::{Ink, Scene, SimBase, SimTag};
use super::scenery::{self, Obstacle};
use super::shape::Shape;
use super::terrain::TrueTerrain;
use super::world::{Material, Owner, Solid, World};
use super::{Clutter, SceneError};
use crate::geometry::{Heading, Pose, Vector};
use crate::vision::TagPattern;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// How far the cloth reaches beyond the playing area and the reference tags' prints, millimetres.
const CLOTH_MARGIN_MM: f64 = 14.0;
/// A tag higher than this above its base stands on a stalk, millimetres.
const STALK_MM: f64 = 3.0;
/// What keeps two faces apart that would lie in one, millimetres.
const HAIR_MM: f64 = 0.01;
/// Thickness of the plate under a raised tag, millimetres.
const PLATE_MM: f32 = 0.8;

/// Where a base stands at one moment.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Standing {
    /// Centre and heading.
    pub pose: Pose,
    /// Height of the ground under it, millimetres.
    pub ground_mm: f64,
    /// Rise of its underside along x and y.
    pub slope: Vector,
}

impl Standing {
    /// The motion from a base that stands level on the ground's height to this one.
    fn tilted(&self) -> Isometry3<f64> {
        let centre = self.pose.centre;
        about(Point3::new(centre.x, centre.y, self.ground_mm), tilt(self.slope))
    }

    /// The motion from a tag whose base stands level on the ground's height, its stalk upright, to where it is.
    pub fn table_from_upright(&self, scene: &Scene, base: &SimBase, tag: &SimTag) -> Isometry3<f64> {
        let lean = scene.props().leans.get(&tag.tag).copied().unwrap_or_default();
        let heading = self.pose.heading;
        let foot = tag.pose(self.pose).centre;
        let foot = Point3::new(foot.x, foot.y, self.ground_mm + base.thickness_mm);
        let axis = |along: Vector, deg: f64| {
            // Leaning along a direction is a turn about the one a quarter turn to its left.
            UnitQuaternion::from_scaled_axis(
                nalgebra::Vector3::new(-along.y, along.x, 0.0) * deg.to_radians(),
            )
        };
        let turn = axis(heading.right(), lean.right_deg) * axis(heading.vector(), lean.forward_deg);
        self.tilted() * about(foot, turn)
    }
}

/// Makes worlds of one scene.
pub(super) struct Builder {
    scene: Scene,
    patterns: Vec<TagPattern>,
    reference_patterns: Vec<u32>,
    base_patterns: Vec<Vec<u32>>,
    ground: Ground,
    lamp: V3,
    fixed: Vec<Solid>,
    obstacles: Vec<Obstacle>,
    terrain: Vec<TrueTerrain>,
    clutter: Clutter,
    seed: u64,
}

impl Builder {
    pub(super) fn new(scene: Scene, clutter: Clutter, seed: u64) -> Result<Self, SceneError> {
        let mut patterns = Vec::new();
        let mut add = |tag: crate::tracking::Tag| {
            let pattern = TagPattern::of(tag).ok_or(SceneError::Tag { tag, ids: tag.family.ids() })?;
            patterns.push(pattern);
            Ok::<u32, SceneError>(patterns.len() as u32 - 1)
        };
        let reference_patterns =
            scene.reference().iter().map(|r| add(r.tag)).collect::<Result<Vec<_>, _>>()?;
        let base_patterns = scene
            .bases()
            .iter()
            .map(|b| b.tags.iter().map(|t| add(t.tag)).collect::<Result<Vec<_>, _>>())
            .collect::<Result<Vec<_>, _>>()?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6772_6f75_6e64);
        let angle = rng.random::<f32>() * std::f32::consts::TAU;
        let lamp = V3::new(0.55 * angle.cos(), 0.55 * angle.sin(), 1.0).normalize();
        let mut builder = Self {
            ground: plain_ground(&scene, &mut rng),
            scene,
            patterns,
            reference_patterns,
            base_patterns,
            lamp,
            fixed: Vec::new(),
            obstacles: Vec::new(),
            terrain: Vec::new(),
            clutter,
            seed,
        };
        builder.lay_reference_tags();
        builder.lay_props();
        (builder.obstacles, builder.terrain) =
            scenery::lay(&builder.scene, clutter, seed, &mut builder.ground, &mut builder.fixed);
        Ok(builder)
    }

    pub(super) fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Terrain that nobody stands on by the scene's own word.
    pub(super) fn terrain(&self) -> &[TrueTerrain] {
        &self.terrain
    }

    /// Places that bases keep off.
    pub(super) fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    pub(super) fn pattern(&self, base: usize, tag: usize) -> &TagPattern {
        &self.patterns[self.base_patterns[base][tag] as usize]
    }

    pub(super) fn reference_pattern(&self, reference: usize) -> &TagPattern {
        &self.patterns[self.reference_patterns[reference] as usize]
    }

    /// The world with bases where `standing` says, by their number in the scene.
    pub(super) fn world(&self, standing: &BTreeMap<usize, Standing>, extra: &[Solid]) -> World {
        let mut solids = self.fixed.clone();
        for (index, at) in standing {
            self.stand(*index, at, &mut solids);
        }
        solids.extend_from_slice(extra);
        World { ground: self.ground.clone(), lamp: self.lamp, patterns: self.patterns.clone(), solids }
    }

    fn lay_reference_tags(&mut self) {
        for (n, r) in self.scene.reference().iter().enumerate() {
            let pattern = self.reference_patterns[n];
            let up = Heading::NORTH.turned_degrees(r.rotation_deg);
            self.fixed.push(Solid {
                shape: sheet(v3(r.x_mm, r.y_mm, r.z_mm), up, print_mm(r.tag, r.size_mm)),
                material: self.print(pattern, r.size_mm, (Ink::Black, 1.0)),
                owner: Owner::Reference(n),
            });
        }
    }

    fn lay_props(&mut self) {
        for print in &self.scene.props().prints {
            let middle = print.middle;
            let ink = (srgb(27, 26, 27), srgb(232, 230, 224));
            let material = match print.printed {
                Printed::Blank => Material::Paint { colour: ink.1, gloss: 0.0 },
                Printed::Stripes { from, period_mm } => Material::Stripes {
                    from: [(middle.x - from.x) as f32, (middle.y - from.y) as f32],
                    period_mm: period_mm as f32,
                    dark: ink.0,
                    light: ink.1,
                },
            };
            self.fixed.push(Solid {
                shape: Shape::Sheet {
                    centre: v3(middle.x, middle.y, middle.z),
                    right: V3::x(),
                    up: V3::y(),
                    half: [(print.width_mm / 2.0) as f32, (print.depth_mm / 2.0) as f32],
                    round: 0.0,
                },
                material,
                owner: Owner::Other,
            });
        }
        for (n, block) in self.scene.props().blocks.iter().enumerate() {
            self.fixed.push(block_solid(block, self.seed as u32 ^ n as u32));
        }
    }

    fn print(&self, pattern: u32, size_mm: f64, (ink, contrast): (Ink, f64)) -> Material {
        let module_mm = self.patterns[pattern as usize].module_mm(size_mm) as f32;
        let (dark, light) = match ink {
            Ink::Black => ([27.0, 26.0, 27.0], [232.0, 230.0, 224.0]),
            Ink::Earth => ([58.0, 42.0, 28.0], [214.0, 194.0, 152.0]),
        };
        // Towards the middle between the two, in sRGB values.
        let drawn_in = |own: [f64; 3], other: [f64; 3]| {
            let [r, g, b] = [0, 1, 2].map(|c| {
                let middle = (own[c] + other[c]) / 2.0;
                (middle + contrast * (own[c] - middle)).round() as u8
            });
            srgb(r, g, b)
        };
        Material::Tag { pattern, module_mm, dark: drawn_in(dark, light), light: drawn_in(light, dark) }
    }

    fn stand(&self, index: usize, at: &Standing, solids: &mut Vec<Solid>) {
        let first = solids.len();
        self.stand_level(index, at, solids);
        if at.slope != Vector::zeros() {
            let by = at.tilted().cast::<f32>();
            for solid in &mut solids[first..] {
                solid.shape = solid.shape.moved(&by);
            }
        }
    }

    fn stand_level(&self, index: usize, at: &Standing, solids: &mut Vec<Solid>) {
        let base = &self.scene.bases()[index];
        let heading = at.pose.heading;
        let right = v3(heading.right().x, heading.right().y, 0.0);
        let ahead = v3(heading.vector().x, heading.vector().y, 0.0);
        let thick = base.thickness_mm;
        let centre = v3(at.pose.centre.x, at.pose.centre.y, at.ground_mm + thick / 2.0);
        let seed = (self.seed as u32).wrapping_mul(31).wrapping_add(index as u32);
        solids.push(Solid {
            shape: Shape::Block {
                centre,
                axes: [right, ahead, V3::z()],
                half: [
                    (base.width_mm / 2.0) as f32,
                    (base.depth_mm / 2.0) as f32,
                    (thick / 2.0).max(0.005) as f32,
                ],
            },
            material: Material::Rough { colour: earth(base), strength: 0.45, grain_mm: 2.2, seed },
            owner: Owner::Base(index),
        });
        for (n, tag) in base.tags.iter().enumerate() {
            let place = tag.pose(at.pose);
            let z = at.ground_mm + thick + tag.height_mm;
            let pattern = self.base_patterns[index][n];
            let print_mm = tag.print_mm();
            let first = solids.len();
            // A print that is no higher than its base lies a hair above it, so that it is what the eye meets.
            let face = z.max(at.ground_mm + thick + HAIR_MM);
            solids.push(Solid {
                shape: sheet(v3(place.centre.x, place.centre.y, face), place.heading, print_mm),
                material: self.print(pattern, tag.size_mm, (tag.ink, tag.contrast)),
                owner: Owner::Tag(index, n),
            });
            if tag.height_mm > STALK_MM {
                let (tag_right, tag_up) = (place.heading.right(), place.heading.vector());
                let under = v3(place.centre.x, place.centre.y, z);
                let half = (print_mm / 2.0) as f32;
                solids.push(Solid {
                    shape: Shape::Block {
                        centre: under - V3::z() * (PLATE_MM / 2.0 + HAIR_MM as f32),
                        axes: [v3(tag_right.x, tag_right.y, 0.0), v3(tag_up.x, tag_up.y, 0.0), V3::z()],
                        half: [half, half, PLATE_MM / 2.0],
                    },
                    material: Material::Paint { colour: srgb(205, 202, 194), gloss: 0.0 },
                    owner: Owner::Base(index),
                });
                let foot = v3(place.centre.x, place.centre.y, at.ground_mm + thick);
                solids.push(Solid {
                    shape: Shape::Limb { from: foot, to: under - V3::z(), from_radius: 0.7, to_radius: 0.7 },
                    material: Material::Paint { colour: srgb(120, 112, 100), gloss: 0.2 },
                    owner: Owner::Base(index),
                });
            }
            if self.scene.props().leans.contains_key(&tag.tag) {
                let level = Standing { slope: Vector::zeros(), ..*at };
                let by = level.table_from_upright(&self.scene, base, tag).cast::<f32>();
                for solid in &mut solids[first..] {
                    solid.shape = solid.shape.moved(&by);
                }
            }
        }
        if self.clutter >= Clutter::Troops {
            figures::stand(base, index, at, seed, self.clutter, solids);
        }
    }
}

/// A block as a shape, rough like turf.
fn block_solid(block: &Block, seed: u32) -> Solid {
    let turn = UnitQuaternion::from_scaled_axis(nalgebra::Vector3::z() * block.turn_deg.to_radians());
    let place = Isometry3::from_parts(Translation3::from(block.top.coords), tilt(block.slope) * turn);
    let half = [block.width_mm, block.depth_mm, block.thickness_mm].map(|side| (side / 2.0) as f32);
    let shape = Shape::Block { centre: V3::new(0.0, 0.0, -half[2]), axes: [V3::x(), V3::y(), V3::z()], half };
    let [r, g, b] = block.colour;
    Solid {
        shape: shape.moved(&place.cast::<f32>()),
        material: Material::Rough { colour: srgb(r, g, b), strength: 0.4, grain_mm: 3.0, seed },
        owner: Owner::Other,
    }
}

fn sheet(centre: V3, up: Heading, side_mm: f64) -> Shape {
    let half = (side_mm / 2.0) as f32;
    let (right, up) = (up.right(), up.vector());
    Shape::Sheet {
        centre,
        right: v3(right.x, right.y, 0.0),
        up: v3(up.x, up.y, 0.0),
        half: [half, half],
        round: 0.0,
    }
}

/// The colour of a base's scatter: earth, a little of its side's colour in it.
fn earth(base: &SimBase) -> V3 {
    let [r, g, b] = base.colour;
    srgb(116, 98, 66) * 0.86 + srgb(r, g, b) * 0.14
}

fn plain_ground(scene: &Scene, rng: &mut ChaCha8Rng) -> Ground {
    let (w, d) = (scene.width_mm(), scene.depth_mm());
    let (mut left, mut near, mut right, mut far) = (0.0f64, 0.0f64, w, d);
    for r in scene.reference() {
        let half = print_mm(r.tag, r.size_mm) * 0.72;
        left = left.min(r.x_mm - half);
        right = right.max(r.x_mm + half);
        near = near.min(r.y_mm - half);
        far = far.max(r.y_mm + half);
    }
    let m = CLOTH_MARGIN_MM;
    let palettes = [
        [srgb(92, 112, 58), srgb(126, 134, 76), srgb(140, 122, 84)],
        [srgb(110, 116, 66), srgb(140, 136, 84), srgb(150, 128, 92)],
        [srgb(84, 104, 60), srgb(112, 122, 70), srgb(128, 110, 76)],
    ];
    let woods = [srgb(150, 108, 70), srgb(104, 72, 50), srgb(172, 138, 98)];
    Ground {
        area: [w as f32, d as f32],
        cloth: [(left - m) as f32, (near - m) as f32, (right + m) as f32, (far + m) as f32],
        grass: palettes[rng.random_range(0..palettes.len())],
        wood: woods[rng.random_range(0..woods.len())],
        patches: Vec::new(),
        seed: rng.random(),
    }
}
