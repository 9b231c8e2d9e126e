//! Poses of one tag by several cameras, made one. Frame: the table's; millimetres and radians.

use super::FusionSettings;
use crate::geometry::{JointCovariance, PoseEstimate, Sensitivity, Source};
use nalgebra::{Const, DMatrix, Dyn, Matrix3, OMatrix, Vector3};

/// Whether two poses of one tag are one place, by what each is known to and what they share.
pub(super) fn agree(settings: &FusionSettings, a: &PoseEstimate, b: &PoseEstimate) -> bool {
    let difference = OMatrix::<f64, Const<3>, Dyn>::from_fn(6, |row, column| match column {
        c if c == row => -1.0,
        c if c == row + 3 => 1.0,
        _ => 0.0,
    });
    let floor = Vector3::new(settings.floor_mm, settings.floor_mm, settings.floor_rad);
    let floor = Matrix3::from_diagonal(&floor.component_mul(&floor)) * 2.0;
    let spread = JointCovariance::of(&[a, b]).mapped(&difference) + floor;
    let step = a.pose.step_to(&b.pose);
    spread.try_inverse().is_some_and(|inverse| (step.transpose() * inverse * step)[(0, 0)] <= settings.gate)
}

/// The best pose by all of them: each weighs by its own grain and its own camera's place. How the tag sits on its
/// base is the same in all, and takes no part in the weights (else small differences of parallax would be given
/// more than they can bear); it is carried into the result.
pub(super) fn combined(poses: &[&PoseEstimate]) -> PoseEstimate {
    let [first, others @ ..] = poses else {
        unreachable!("a tag that is seen has a pose");
    };
    if others.is_empty() {
        return (*first).clone();
    }
    let own: Vec<PoseEstimate> = poses.iter().map(|p| own_part(p)).collect();
    let Some(weights) = weights(&own.iter().collect::<Vec<_>>()) else { return (*first).clone() };
    let mut step = Vector3::zeros();
    let mut covariance = Matrix3::zeros();
    let mut shared: Vec<Sensitivity> = Vec::new();
    for (pose, weight) in poses.iter().zip(&weights) {
        step += weight * first.pose.step_to(&pose.pose);
        covariance += weight * pose.covariance * weight.transpose();
        for s in &pose.shared {
            let per_sigma = weight * s.per_sigma;
            match shared.iter_mut().find(|t| t.source == s.source) {
                Some(known) => known.per_sigma += per_sigma,
                None => shared.push(Sensitivity { source: s.source, per_sigma }),
            }
        }
    }
    PoseEstimate {
        pose: first.pose.nudged(step.fixed_rows::<2>(0).into_owned(), step.z),
        covariance: (covariance + covariance.transpose()) / 2.0,
        shared,
    }
}

/// `pose` with a plus-minus that reaches `other` too: two places for one tag, and nobody knows which is right.
pub(super) fn spread_over(pose: &PoseEstimate, other: &PoseEstimate) -> PoseEstimate {
    let step = pose.pose.step_to(&other.pose);
    PoseEstimate { covariance: pose.covariance + step * step.transpose(), ..pose.clone() }
}

/// Without what is the tag's own and the same in every picture.
fn own_part(pose: &PoseEstimate) -> PoseEstimate {
    let of_camera = |s: &&Sensitivity| matches!(s.source, Source::Registration { .. });
    let shared = pose.shared.iter().filter(of_camera).copied().collect();
    PoseEstimate { shared, ..pose.clone() }
}

/// The weight matrices of the best linear unbiased estimate; they add up to one. `None` where a covariance has no
/// inverse (a pose taken as exact).
fn weights(poses: &[&PoseEstimate]) -> Option<Vec<Matrix3<f64>>> {
    let n = poses.len();
    let inverse = JointCovariance::of(poses).matrix().clone().try_inverse()?;
    let ones = DMatrix::<f64>::from_fn(3 * n, 3, |row, column| f64::from(u8::from(row % 3 == column)));
    let gathered = ones.transpose() * inverse;
    let sum: Matrix3<f64> = (&gathered * ones).fixed_view::<3, 3>(0, 0).into_owned();
    let sum = sum.try_inverse()?;
    Some((0..n).map(|i| sum * gathered.fixed_view::<3, 3>(0, 3 * i)).collect())
}
