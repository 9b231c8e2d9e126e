//! First guesses at the camera's pose: the homography of the reference plane, taken apart.

use crate::vision::{CameraPose, Lens, PixelPoint};
use nalgebra::{DMatrix, Isometry3, Matrix3, Point3, Rotation3, Translation3, UnitQuaternion, Vector3};

/// Poses from which to walk downhill, best first; empty where the points carry no homography. The
/// points' heights are taken as their mean here; the walk puts that right.
pub(in crate::vision) fn first_poses(pairs: &[(Point3<f64>, PixelPoint)], lens: &Lens) -> Vec<CameraPose> {
    homography_pose(pairs, lens).into_iter().collect()
}

fn homography_pose(pairs: &[(Point3<f64>, PixelPoint)], lens: &Lens) -> Option<CameraPose> {
    if pairs.len() < 4 {
        return None;
    }
    let count = pairs.len() as f64;
    let middle = pairs.iter().fold(Vector3::zeros(), |s, (p, _)| s + p.coords) / count;
    let spread = (pairs.iter().map(|(p, _)| (p.coords - middle).norm_squared()).sum::<f64>() / count).sqrt();
    if spread.is_nan() || spread <= 0.0 {
        return None;
    }
    let mut rows = DMatrix::zeros(2 * pairs.len(), 9);
    for (i, (place, pixel)) in pairs.iter().enumerate() {
        let (x, y) = ((place.x - middle.x) / spread, (place.y - middle.y) / spread);
        let n = lens.to_normalised(*pixel);
        let (u, v) = (n.x, n.y);
        rows.row_mut(2 * i).copy_from_slice(&[x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, -u]);
        rows.row_mut(2 * i + 1).copy_from_slice(&[0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, -v]);
    }
    if rows.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let eigen = (rows.transpose() * &rows).symmetric_eigen();
    let least = eigen.eigenvalues.imin();
    let h = eigen.eigenvectors.column(least);
    let mut h = Matrix3::new(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], h[8]);
    // The middle of the points lies ahead of the camera.
    if h[(2, 2)] < 0.0 {
        h = -h;
    }
    let (a, b, t) = (h.column(0).into_owned(), h.column(1).into_owned(), h.column(2).into_owned());
    let scale = (a.norm() + b.norm()) / 2.0;
    if scale.is_nan() || scale <= 0.0 {
        return None;
    }
    // The nearest rotation to the two columns and their cross product.
    let (a, b) = (a / scale, b / scale);
    let svd = Matrix3::from_columns(&[a, b, a.cross(&b)]).svd(true, true);
    let (u, v_t) = (svd.u?, svd.v_t?);
    let turn = (u * v_t).determinant().signum();
    let rotation = u * Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, turn)) * v_t;
    let translation = t / scale * spread - rotation * middle;
    let rotation = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(rotation));
    translation.iter().all(|v| v.is_finite()).then(|| CameraPose {
        camera_from_table: Isometry3::from_parts(Translation3::from(translation), rotation),
    })
}
