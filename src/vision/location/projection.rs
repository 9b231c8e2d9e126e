//! The projection and its derivatives: by the table point, by the camera's pose, by the lens.
//!
//! The pose is varied on its left: R becomes exp(w) R and t becomes exp(w) t + v, both in the camera
//! frame, so that the derivatives need no parametrisation of rotations.

use crate::vision::{CameraModel, CameraPose, Lens, PixelPoint};
use nalgebra::{
    Isometry3, Matrix2, Matrix2x3, Point3, SMatrix, SVector, Translation3, UnitQuaternion, Vector3,
};

/// Unknowns of a pose: turn (3, rad), shift (3, mm).
pub(in crate::vision) const POSE_UNKNOWNS: usize = 6;
/// Unknowns of a lens that has no profile: ln of the focal length, principal point (2, px), k1, k2, p1, p2.
pub(in crate::vision) const LENS_UNKNOWNS: usize = 7;

/// A projected point with its derivatives.
pub(in crate::vision) struct Projected {
    pub(in crate::vision) pixel: PixelPoint,
    pub(in crate::vision) by_point: Matrix2x3<f64>,
    pub(in crate::vision) by_pose: SMatrix<f64, 2, POSE_UNKNOWNS>,
    pub(in crate::vision) by_lens: SMatrix<f64, 2, LENS_UNKNOWNS>,
}

/// Projects a table point; `None` behind the camera.
pub(in crate::vision) fn project(camera: &CameraModel, point: Point3<f64>) -> Option<Projected> {
    let rotation = camera.pose.camera_from_table.rotation.to_rotation_matrix();
    let seen = camera.pose.camera_from_table * point;
    if seen.z <= 1e-6 {
        return None;
    }
    let lens = &camera.lens;
    let (x, y) = (seen.x / seen.z, seen.y / seen.z);
    let by_bending = lens_jacobian(lens, x, y);
    let by_depth = Matrix2x3::new(1.0, 0.0, -x, 0.0, 1.0, -y) / seen.z;
    let by_seen: Matrix2x3<f64> = by_bending * by_depth;
    let mut by_pose = SMatrix::<f64, 2, POSE_UNKNOWNS>::zeros();
    by_pose.fixed_view_mut::<2, 3>(0, 0).copy_from(&(-by_seen * seen.coords.cross_matrix()));
    by_pose.fixed_view_mut::<2, 3>(0, 3).copy_from(&by_seen);
    let pixel = lens.to_pixel(x, y);
    let r2 = x * x + y * y;
    let by_lens = SMatrix::<f64, 2, LENS_UNKNOWNS>::from_columns(&[
        SVector::<f64, 2>::new(pixel.x - lens.cx, pixel.y - lens.cy),
        SVector::<f64, 2>::new(1.0, 0.0),
        SVector::<f64, 2>::new(0.0, 1.0),
        SVector::<f64, 2>::new(lens.fx * x, lens.fy * y) * r2,
        SVector::<f64, 2>::new(lens.fx * x, lens.fy * y) * (r2 * r2),
        SVector::<f64, 2>::new(lens.fx * 2.0 * x * y, lens.fy * (r2 + 2.0 * y * y)),
        SVector::<f64, 2>::new(lens.fx * (r2 + 2.0 * x * x), lens.fy * 2.0 * x * y),
    ]);
    Some(Projected { pixel, by_point: by_seen * rotation.matrix(), by_pose, by_lens })
}

/// Derivative of the pixel by the normalised coordinates (x/z, y/z).
fn lens_jacobian(lens: &Lens, x: f64, y: f64) -> Matrix2<f64> {
    let d = &lens.distortion;
    let r2 = x * x + y * y;
    let radial = 1.0 + r2 * (d.k1 + r2 * (d.k2 + r2 * d.k3));
    let slope = 2.0 * (d.k1 + r2 * (2.0 * d.k2 + 3.0 * r2 * d.k3));
    let cross = x * y * slope + 2.0 * d.p1 * x + 2.0 * d.p2 * y;
    Matrix2::new(
        lens.fx * (radial + x * x * slope + 2.0 * d.p1 * y + 6.0 * d.p2 * x),
        lens.fx * cross,
        lens.fy * cross,
        lens.fy * (radial + y * y * slope + 6.0 * d.p1 * y + 2.0 * d.p2 * x),
    )
}

/// The pose after a step of [`POSE_UNKNOWNS`].
pub(in crate::vision) fn pose_moved(pose: &CameraPose, step: &[f64]) -> CameraPose {
    let turn = UnitQuaternion::from_scaled_axis(Vector3::new(step[0], step[1], step[2]));
    let shift = Translation3::new(step[3], step[4], step[5]);
    let by = Isometry3::from_parts(shift, turn);
    CameraPose { camera_from_table: by * pose.camera_from_table }
}

/// The lens after a step of [`LENS_UNKNOWNS`].
pub(in crate::vision) fn lens_moved(lens: &Lens, step: &[f64]) -> Lens {
    let mut moved = *lens;
    // Bounded, so that one wild step cannot overflow.
    let scale = step[0].clamp(-1.0, 1.0).exp();
    moved.fx *= scale;
    moved.fy *= scale;
    moved.cx += step[1];
    moved.cy += step[2];
    moved.distortion.k1 += step[3];
    moved.distortion.k2 += step[4];
    moved.distortion.p1 += step[5];
    moved.distortion.p2 += step[6];
    moved
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::Distortion;

    #[test]
    fn the_derivatives_agree_with_differences() {
        let mut lens = Lens::from_field_of_view(1920, 1080, 70.0);
        lens.distortion = Distortion { k1: -0.1, k2: 0.03, p1: 3e-4, p2: -4e-4, k3: 0.001 };
        let pose =
            CameraPose::looking_at(Point3::new(310.0, -80.0, 950.0), Point3::new(300.0, 300.0, 0.0), 12.0)
                .expect("eye and target differ");
        let camera = CameraModel { lens, pose };
        let point = Point3::new(520.0, 90.0, 30.0);
        let at = |c: &CameraModel, p: Point3<f64>| c.image_from_table(p).expect("in front");
        let projected = project(&camera, point).expect("in front");
        assert!((projected.pixel - at(&camera, point)).norm() < 1e-9);
        let close = |analytic: SVector<f64, 2>, numeric: SVector<f64, 2>, what: &str| {
            let scale = 1.0 + analytic.norm();
            assert!((analytic - numeric).norm() / scale < 1e-5, "{what}: {analytic} {numeric}");
        };
        let h = 1e-5;
        for i in 0..3 {
            let by = Vector3::ith(i, h);
            let numeric = (at(&camera, point + by) - at(&camera, point - by)) / (2.0 * h);
            close(projected.by_point.column(i).into(), numeric, "point");
        }
        for i in 0..POSE_UNKNOWNS {
            let moved = |h: f64| {
                let step: SVector<f64, POSE_UNKNOWNS> = SVector::ith(i, h);
                let pose = pose_moved(&camera.pose, step.as_slice());
                at(&CameraModel { pose, ..camera }, point)
            };
            close(projected.by_pose.column(i).into(), (moved(h) - moved(-h)) / (2.0 * h), "pose");
        }
        for i in 0..LENS_UNKNOWNS {
            let moved = |h: f64| {
                let step: SVector<f64, LENS_UNKNOWNS> = SVector::ith(i, h);
                at(&CameraModel { lens: lens_moved(&camera.lens, step.as_slice()), ..camera }, point)
            };
            close(projected.by_lens.column(i).into(), (moved(h) - moved(-h)) / (2.0 * h), "lens");
        }
    }
}
