//! What is true of a simulated frame. For scoring only: it never enters the pipeline.

use super::build::{Builder, Standing};
use super::print::print_modules;
use super::render::Renderer;
use super::world::{Owner, World};
use crate::geometry::{Heading, Point, Pose, Vector};
use crate::tracking::{Tag, TagCorners};
use crate::vision::{CameraModel, PixelPoint, TagPattern};
use nalgebra::{Isometry3, Point3, Vector3};
use std::collections::BTreeMap;

/// Points along each side of a module at which its visibility is asked.
const PROBES: usize = 3;

/// A tag as it truly shows.
#[derive(Debug, Clone, PartialEq)]
pub struct TrueTag {
    /// Which tag.
    pub tag: Tag,
    /// Its centre, and the way its printed top points.
    pub pose: Pose,
    /// Height of the printed face's middle above z = 0, millimetres.
    pub z_mm: f64,
    /// Its corners in the picture, whatever stands before them; `None` where one is behind the camera.
    pub corners_px: Option<TagCorners<PixelPoint>>,
    /// The share of its print, white edge included, that the camera sees, 0 to 1.
    pub visible: f64,
    /// The share of its print that a hand hides, 0 to 1.
    pub under_hand: f64,
}

/// A base as it truly stands.
#[derive(Debug, Clone, PartialEq)]
pub struct TrueBase {
    /// Its name.
    pub name: String,
    /// Its centre and the way its front looks.
    pub pose: Pose,
    /// Height of the ground under it, millimetres.
    pub ground_mm: f64,
    /// Rise of its underside along x and y, millimetres a millimetre.
    pub slope: Vector,
    /// Its tags.
    pub tags: Vec<TrueTag>,
}

impl TrueBase {
    /// Whether a hand hides half or more of every tag it has.
    pub fn covered_by_hand(&self) -> bool {
        !self.tags.is_empty() && self.tags.iter().all(|t| t.under_hand >= 0.5)
    }
}

/// A frame's truth.
#[derive(Debug, Clone, PartialEq)]
pub struct Truth {
    /// Which frame.
    pub seq: u64,
    /// Bases on the table, in the scene's order.
    pub bases: Vec<TrueBase>,
    /// The reference tags, in the scene's order.
    pub reference: Vec<TrueTag>,
}

impl Truth {
    /// The base of that name.
    pub fn base(&self, name: &str) -> Option<&TrueBase> {
        self.bases.iter().find(|b| b.name == name)
    }
}

pub(super) fn of(
    builder: &Builder,
    standing: &BTreeMap<usize, Standing>,
    world: &World,
    camera: CameraModel,
    seq: u64,
) -> Truth {
    let scene = builder.scene();
    let mut eye = Renderer::sorter(camera);
    eye.sort(world);
    let look = Look { eye: &eye, world, camera };
    let bases = standing
        .iter()
        .map(|(index, at)| {
            let base = &scene.bases()[*index];
            let tags = base.tags.iter().enumerate().map(|(n, tag)| {
                let z_mm = at.ground_mm + base.thickness_mm + tag.height_mm;
                let print = Print {
                    pose: tag.pose(at.pose),
                    z_mm,
                    size_mm: tag.size_mm,
                    pattern: builder.pattern(*index, n),
                    table_from_upright: at.table_from_upright(scene, base, tag),
                };
                look.tag(tag.tag, &print, Owner::Tag(*index, n))
            });
            TrueBase {
                name: base.name.clone(),
                pose: at.pose,
                ground_mm: at.ground_mm,
                slope: at.slope,
                tags: tags.collect(),
            }
        })
        .collect();
    let reference = scene
        .reference()
        .iter()
        .enumerate()
        .map(|(n, r)| {
            let heading = Heading::NORTH.turned_degrees(r.rotation_deg);
            let pose = Pose { centre: Point::new(r.x_mm, r.y_mm), heading };
            let print = Print {
                pose,
                z_mm: r.z_mm,
                size_mm: r.size_mm,
                pattern: builder.reference_pattern(n),
                table_from_upright: Isometry3::identity(),
            };
            look.tag(r.tag, &print, Owner::Reference(n))
        })
        .collect();
    Truth { seq, bases, reference }
}

struct Print<'a> {
    pose: Pose,
    z_mm: f64,
    size_mm: f64,
    pattern: &'a TagPattern,
    table_from_upright: Isometry3<f64>,
}

impl Print<'_> {
    fn at(&self, right_mm: f64, up_mm: f64) -> Point3<f64> {
        let p = self.pose.at(right_mm, up_mm);
        self.table_from_upright * Point3::new(p.x, p.y, self.z_mm)
    }

    /// Its centre and the way its top points, from above.
    fn seen_from_above(&self) -> Pose {
        let centre = self.at(0.0, 0.0);
        let up = self.pose.heading.vector();
        let up = self.table_from_upright.rotation * Vector3::new(up.x, up.y, 0.0);
        let heading = Heading::along(up.xy()).unwrap_or(self.pose.heading);
        Pose { centre: Point::new(centre.x, centre.y), heading }
    }
}

struct Look<'a> {
    eye: &'a Renderer,
    world: &'a World,
    camera: CameraModel,
}

impl Look<'_> {
    fn tag(&self, tag: Tag, print: &Print<'_>, owner: Owner) -> TrueTag {
        let half = print.size_mm / 2.0;
        let corner = |x: f64, y: f64| self.camera.image_from_table(print.at(x * half, y * half));
        let corners_px = match (corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0)) {
            (Some(top_left), Some(top_right), Some(bottom_right), Some(bottom_left)) => {
                Some(TagCorners { top_left, top_right, bottom_right, bottom_left })
            }
            _ => None,
        };
        let count = print_modules(print.pattern) * PROBES;
        let step = print.pattern.module_mm(print.size_mm) / PROBES as f64;
        let (mut seen, mut hidden) = (0usize, 0usize);
        for row in 0..count {
            for column in 0..count {
                let place = |n: usize| (n as f64 + 0.5 - count as f64 / 2.0) * step;
                let met = self
                    .camera
                    .image_from_table(print.at(place(column), place(row)))
                    .and_then(|pixel| self.eye.owner_at(self.world, pixel));
                seen += usize::from(met == Some(owner));
                hidden += usize::from(met == Some(Owner::Hand));
            }
        }
        let all = (count * count) as f64;
        TrueTag {
            tag,
            pose: print.seen_from_above(),
            z_mm: print.at(0.0, 0.0).z,
            corners_px,
            visible: seen as f64 / all,
            under_hand: hidden as f64 / all,
        }
    }
}
