//! An element's error in its parts: what comes of the camera's place and lens, and what of reading the tag.
//!
//! The true camera and the one that was found see the tag's true middle in one pixel; how far apart they lay it on
//! the table is the camera's part. The rest is the reading's. Heights and mounts are exact in the studies that ask.
//! Table frame, millimetres.

use crate::geometry::{PoseEstimate, Source, Vector};
use crate::judge::{Roster, read_elements};
use crate::tracking::{TableSnapshot, Visibility};
use crate::vision::CameraModel;
use crate::vision::sim::{TrueTag, Truth};
use nalgebra::{Matrix2, Point3};
use std::collections::BTreeMap;

/// One part of an error beside what was claimed of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// The error of the base's middle, millimetres.
    pub off_mm: f64,
    /// The claimed sigma, the root of the mean over both axes, millimetres.
    pub sigma_mm: f64,
    /// The squared error in claimed sigmas: chi squared with two degrees of freedom if the claim is true.
    pub normalised2: f64,
}

impl Part {
    fn of(off: Vector, claimed: Matrix2<f64>) -> Self {
        let inverse = claimed.try_inverse();
        Self {
            off_mm: off.norm(),
            sigma_mm: (claimed.trace() / 2.0).sqrt(),
            normalised2: inverse.map_or(f64::INFINITY, |i| (off.transpose() * i * off)[(0, 0)]),
        }
    }
}

/// Both parts of one element's error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Parts {
    /// Of the camera's place and, without a profile, its lens.
    pub camera: Part,
    /// Of reading the tag.
    pub reading: Part,
}

/// The parts of every element that was seen, by name.
pub fn parts(
    roster: &Roster,
    truth: &Truth,
    snapshot: &TableSnapshot,
    (real, found): (&CameraModel, &CameraModel),
) -> BTreeMap<String, Parts> {
    let both = roster.elements().iter().zip(read_elements(roster, snapshot));
    both.filter_map(|(element, reading)| {
        let base = truth.base(&element.name)?;
        let pose = reading.pose.filter(|_| reading.visibility == Visibility::Seen)?;
        let by_camera = shift(base.tags.first()?, real, found)?;
        let whole = pose.pose.centre - base.pose.centre;
        let (camera, own) = claimed(&pose);
        let parts = Parts { camera: Part::of(by_camera, camera), reading: Part::of(whole - by_camera, own) };
        Some((element.name.clone(), parts))
    })
    .collect()
}

/// How far the camera that was found lays a tag's true middle from its place.
fn shift(tag: &TrueTag, real: &CameraModel, found: &CameraModel) -> Option<Vector> {
    let at = tag.pose.centre;
    let pixel = real.image_from_table(Point3::new(at.x, at.y, tag.z_mm))?;
    Some(found.table_from_image(pixel, tag.z_mm)? - at)
}

/// The claimed covariance of the place: the camera's part, and the rest.
fn claimed(pose: &PoseEstimate) -> (Matrix2<f64>, Matrix2<f64>) {
    let mut camera = Matrix2::zeros();
    for shared in &pose.shared {
        if let Source::Registration { .. } = shared.source {
            let v = shared.per_sigma.fixed_rows::<2>(0).into_owned();
            camera += v * v.transpose();
        }
    }
    let all = pose.total_covariance().fixed_view::<2, 2>(0, 0).into_owned();
    (camera, all - camera)
}
