//! What is to be expected of a tag at a spot of the board: whether it is found, and how far its base's corners are off.
//!
//! The error is the locator's own covariance, carried to the base's corners: the camera is registered on the reference
//! tags as they would be seen, and a tag's corners have the error that tags of so many pixels were measured to have.
//! Table frame, millimetres.

use super::measured::{Measured, Sighting, counted_px};
use super::place::SetUp;
use crate::geometry::{Heading, Pose, PoseEstimate, Vector};
use crate::judge::{MountedTag, Table};
use crate::tracking::{CameraId, KnownTag, TagCorners, TagFamily};
use crate::vision::location::{
    CornerNoise, ReferenceSight, RegisteredCamera, RegistrationSettings, register, with_uncertainty,
};
use crate::vision::{CameraModel, Lens, PatternNoise, PixelPoint};
use nalgebra::Point3;

/// How a tag sits on its base, as far as it is planned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Mounted {
    /// Its family.
    pub family: TagFamily,
    /// Side of its square.
    pub size_mm: f64,
    /// Ahead of the base's centre.
    pub forward_mm: f64,
    /// Its face above the base's top.
    pub height_mm: f64,
    /// The base's width and depth.
    pub base_mm: (f64, f64),
}

/// How well a mount is known, one sigma each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MountSigma {
    offset_mm: f64,
    rotation_deg: f64,
    height_mm: f64,
    lean_deg: f64,
}

impl MountSigma {
    /// Exactly.
    pub const EXACT: Self = Self { offset_mm: 0.0, rotation_deg: 0.0, height_mm: 0.0, lean_deg: 0.0 };
    /// As the jig measures it, and a stalk may bend in play.
    pub const JIG: Self = Self {
        offset_mm: MountedTag::OFFSET_SIGMA_MM / 2.0,
        rotation_deg: MountedTag::ROTATION_SIGMA_DEG / 2.0,
        height_mm: MountedTag::HEIGHT_SIGMA_MM,
        lean_deg: 0.3,
    };
    /// Set by eye, and never measured.
    pub const BY_EYE: Self =
        Self { offset_mm: 1.0, rotation_deg: 2.0, height_mm: 1.0, lean_deg: MountedTag::LEAN_SIGMA_DEG };
}

/// What is expected of one tag at one spot.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// The pixels that its square counts for.
    pub square_px: f64,
    /// Pixels a module.
    pub module_px: f64,
    /// The share found in a photograph, nothing hiding it.
    pub photograph: f64,
    /// And followed.
    pub followed: f64,
    /// RMS distance of the base's corners from where they are: what camera and picture alone do.
    pub reading_mm: f64,
    /// With the mount as the jig measures it.
    pub jig_mm: f64,
    /// With a mount set by eye.
    pub by_eye_mm: f64,
}

/// Thickness of a base, millimetres, where nothing says otherwise.
pub const THICKNESS_MM: f64 = 2.0;

/// The camera as it would be registered, its uncertainty that of reference corners with the error that is believed
/// before a picture is looked at. `None` where the reference tags do not fix it.
pub fn registered(table: &Table, set_up: &SetUp, lens: Option<&Lens>) -> Option<RegisteredCamera> {
    let camera = &set_up.camera;
    let sights: Vec<ReferenceSight> = table
        .reference
        .iter()
        .filter_map(|r| {
            let corners = square(r.size_mm, Pose::new(r.x_mm, r.y_mm, 90.0 + r.rotation_deg), r.z_mm);
            let [a, b, c, d] = corners.map(|p| in_picture(camera, p));
            Some(ReferenceSight { place: *r, corners_px: TagCorners::from_order([a?, b?, c?, d?]) })
        })
        .collect();
    let believed = PatternNoise::default().reference.sigma_px;
    // The sights are exact: so firm a belief that they do not shrink it.
    let noise = CornerNoise { sigma_px: believed, prior_freedom: 1e9, least_px: 0.0 };
    let size = (camera.lens.width as usize, camera.lens.height as usize);
    let known = table.reference.len();
    register(&sights, known, size, lens, &noise, &RegistrationSettings::default()).ok()
}

/// A tag's corners in the air, upright: top left first, then clockwise.
fn square(size_mm: f64, pose: Pose, z: f64) -> [Point3<f64>; 4] {
    let half = size_mm / 2.0;
    [(-half, half), (half, half), (half, -half), (-half, -half)].map(|(right, ahead)| {
        let at = pose.at(right, ahead);
        Point3::new(at.x, at.y, z)
    })
}

fn in_picture(camera: &CameraModel, point: Point3<f64>) -> Option<PixelPoint> {
    let (width, height) = (f64::from(camera.lens.width), f64::from(camera.lens.height));
    camera
        .image_from_table(point)
        .filter(|p| (-0.5..=width - 0.5).contains(&p.x) && (-0.5..=height - 0.5).contains(&p.y))
}

/// What is expected of a tag whose base stands at a pose. `None` where it is not in the picture.
pub fn expected(camera: &RegisteredCamera, mounted: &Mounted, base: Pose) -> Option<Expected> {
    let pattern_modules = super::border_modules(mounted.family);
    let tag = Pose { centre: base.at(0.0, mounted.forward_mm), heading: base.heading };
    let height_mm = THICKNESS_MM + mounted.height_mm;
    let [a, b, c, d] = square(mounted.size_mm, tag, height_mm).map(|p| in_picture(&camera.model, p));
    let corners = [a?, b?, c?, d?];
    let sides = [0, 1, 2, 3].map(|k| (corners[(k + 1) % 4] - corners[k]).norm());
    let square_px = counted_px(sides);
    let measured = Measured::of(mounted.family);
    let error = |sigma: MountSigma| {
        let known = KnownTag { size_mm: mounted.size_mm, height_mm, height_sigma_mm: sigma.height_mm };
        let estimate =
            with_uncertainty(camera, CameraId::default(), &known, tag, measured.corner_px(square_px))?;
        Some(base_rms_mm(&estimate, mounted, base, sigma))
    };
    Some(Expected {
        square_px,
        module_px: square_px / pattern_modules,
        photograph: measured.recall(Sighting::Photograph, square_px),
        followed: measured.recall(Sighting::Followed, square_px),
        reading_mm: error(MountSigma::EXACT)?,
        jig_mm: error(MountSigma::JIG)?,
        by_eye_mm: error(MountSigma::BY_EYE)?,
    })
}

/// RMS distance of a base's corners from the truth, the tag read as estimated and its mount known so well.
fn base_rms_mm(tag: &PoseEstimate, mounted: &Mounted, base: Pose, sigma: MountSigma) -> f64 {
    let (width, depth) = mounted.base_mm;
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let lean_mm = mounted.height_mm.max(0.0) * sigma.lean_deg.to_radians().sin();
    let least = PatternNoise::default().least_mm;
    let sum: f64 = corners
        .iter()
        .map(|(x, y)| {
            let arm: Vector = base.at(x * width / 2.0, y * depth / 2.0) - tag.pose.centre;
            let there = tag.carried(arm, 0.0).total_covariance();
            let turned = arm.norm() * sigma.rotation_deg.to_radians();
            there[(0, 0)]
                + there[(1, 1)]
                + 2.0 * (sigma.offset_mm.powi(2) + lean_mm.powi(2) + least * least)
                + turned * turned
        })
        .sum();
    (sum / 4.0).sqrt()
}

/// A base's pose at a spot, its front to the far edge.
pub fn facing_far(x: f64, y: f64) -> Pose {
    Pose { centre: crate::geometry::Point::new(x, y), heading: Heading::NORTH }
}
