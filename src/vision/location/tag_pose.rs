//! A tag on the table from its four corners in the picture: x, y and heading only.
//!
//! The tag is flat, its size and height are known, so three unknowns face eight measured numbers. One
//! of the five left over is the inset ([`Misfit`]), the other four measure the misfit: a tag that is
//! crossed by a spear, is not the tag it reads as, or does not lie flat at its height does not fit.

use super::least_squares::{Normal, minimise};
use super::noise::Misfit;
use super::projection::{POSE_UNKNOWNS, project};
use super::registration::RegisteredCamera;
use crate::geometry::{Heading, Pose, PoseEstimate, Sensitivity, Source, Vector};
use crate::tracking::{CameraId, KnownTag, TagCorners};
use crate::vision::{CameraModel, PixelPoint};
use nalgebra::{DVector, Matrix3, Point2, Point3, SMatrix, Vector2, Vector3};

/// A tag fitted flat at its height, before its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatFit {
    /// Where it lies.
    pub pose: Pose,
    /// How its corners differ from such a tag's.
    pub misfit: Misfit,
}

/// Corners of a tag of `size_mm` in its own frame: (right, ahead), ahead being its printed top.
fn own_corners(size_mm: f64) -> TagCorners<Vector2<f64>> {
    let half = size_mm / 2.0;
    TagCorners {
        top_left: Vector2::new(-half, half),
        top_right: Vector2::new(half, half),
        bottom_right: Vector2::new(half, -half),
        bottom_left: Vector2::new(-half, -half),
    }
}

/// Fits the tag; `None` where its rays do not meet its plane or no fit is finite.
pub fn fit_flat(
    camera: &CameraModel,
    tag: &KnownTag,
    corners_px: &TagCorners<PixelPoint>,
) -> Option<FlatFit> {
    let start = first_pose(camera, tag, corners_px)?;
    let (pose, _) = minimise(
        start,
        |pose| equations(camera, tag, corners_px, pose),
        |pose, step| pose.nudged(Vector::new(step[0], step[1]), step[2]),
    )?;
    let expected = rows(camera, tag, &pose)?.map(|(pixel, ..)| pixel);
    Some(FlatFit { pose, misfit: Misfit::of(corners_px.in_order(), expected) })
}

/// The corners' rays met with the plane, their mean and mean direction.
fn first_pose(camera: &CameraModel, tag: &KnownTag, corners_px: &TagCorners<PixelPoint>) -> Option<Pose> {
    let meet = |pixel| camera.table_from_image(pixel, tag.height_mm);
    let c = TagCorners {
        top_left: meet(corners_px.top_left)?,
        top_right: meet(corners_px.top_right)?,
        bottom_right: meet(corners_px.bottom_right)?,
        bottom_left: meet(corners_px.bottom_left)?,
    };
    let centre: Vector = c.in_order().iter().fold(Vector::zeros(), |s, p| s + p.coords) / 4.0;
    let ahead = (c.top_left - c.bottom_left) + (c.top_right - c.bottom_right);
    let right = (c.top_right - c.top_left) + (c.bottom_right - c.bottom_left);
    let heading = Heading::along(ahead + Vector::new(-right.y, right.x))?;
    Some(Pose { centre: Point2::from(centre), heading })
}

/// Each corner's pixel with its derivatives by (x, y, heading).
type Rows = [(PixelPoint, SMatrix<f64, 2, 3>, super::projection::Projected); 4];

fn rows(camera: &CameraModel, tag: &KnownTag, pose: &Pose) -> Option<Rows> {
    let row = |own: Vector2<f64>| {
        let arm = pose.heading.right() * own.x + pose.heading.vector() * own.y;
        let place = pose.centre + arm;
        let p = project(camera, Point3::new(place.x, place.y, tag.height_mm))?;
        let turn = p.by_point * Vector3::new(-arm.y, arm.x, 0.0);
        let by = SMatrix::<f64, 2, 3>::from_columns(&[
            p.by_point.column(0).into(),
            p.by_point.column(1).into(),
            turn,
        ]);
        Some((p.pixel, by, p))
    };
    let c = own_corners(tag.size_mm);
    Some([row(c.top_left)?, row(c.top_right)?, row(c.bottom_right)?, row(c.bottom_left)?])
}

fn equations(
    camera: &CameraModel,
    tag: &KnownTag,
    corners_px: &TagCorners<PixelPoint>,
    pose: &Pose,
) -> Option<Normal> {
    let mut normal = Normal::zeros(3);
    for ((pixel, by, _), found) in rows(camera, tag, pose)?.iter().zip(corners_px.in_order()) {
        for axis in 0..2 {
            let row = DVector::from_iterator(3, by.row(axis).iter().copied());
            normal.add(pixel[axis] - found[axis], &row);
        }
    }
    Some(normal)
}

/// The pose with its uncertainty: the tag's own corner errors (`sigma_px` on each axis) as covariance,
/// and how it answers to one sigma of the camera's registration and of its height.
pub fn with_uncertainty(
    camera: &RegisteredCamera,
    id: CameraId,
    tag: &KnownTag,
    pose: Pose,
    sigma_px: f64,
) -> Option<PoseEstimate> {
    let rows = rows(&camera.model, tag, &pose)?;
    let mut hessian = Matrix3::zeros();
    for (_, by, _) in &rows {
        hessian += by.transpose() * by;
    }
    let covariance = hessian.try_inverse()? * (sigma_px * sigma_px);
    let covariance = (covariance + covariance.transpose()) / 2.0;
    Some(PoseEstimate { pose, covariance, shared: sensitivities(camera, id, tag, pose)? })
}

/// How a tag's pose answers to one sigma of the camera's registration and of its height, its image
/// staying where it is.
pub fn sensitivities(
    camera: &RegisteredCamera,
    id: CameraId,
    tag: &KnownTag,
    pose: Pose,
) -> Option<Vec<Sensitivity>> {
    let rows = rows(&camera.model, tag, &pose)?;
    let mut hessian = Matrix3::zeros();
    let mut by_height = Vector3::zeros();
    let unknowns = camera.root.nrows();
    let mut by_camera = nalgebra::DMatrix::zeros(3, unknowns);
    for (_, by, p) in &rows {
        hessian += by.transpose() * by;
        by_height += by.transpose() * p.by_point.column(2);
        for k in 0..unknowns {
            let column = if k < POSE_UNKNOWNS {
                p.by_pose.column(k).into_owned()
            } else {
                p.by_lens.column(k - POSE_UNKNOWNS).into_owned()
            };
            let mut entry = by_camera.column_mut(k);
            entry += by.transpose() * column;
        }
    }
    let inverse = hessian.try_inverse()?;
    let by_root = -(inverse * by_camera) * &camera.root;
    let mut shared: Vec<Sensitivity> = (0..by_root.ncols())
        .map(|k| Sensitivity {
            source: Source::Registration { camera: id.0, component: k as u8 },
            per_sigma: by_root.fixed_view::<3, 1>(0, k).into_owned(),
        })
        .collect();
    if tag.height_sigma_mm > 0.0 {
        let per_sigma = -(inverse * by_height) * tag.height_sigma_mm;
        shared.push(Sensitivity { source: Source::MountHeight, per_sigma });
    }
    Some(shared)
}
