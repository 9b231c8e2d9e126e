//! One pose, and one height, from several pictures of the same tag.
//!
//! Each picture's pose was found at one height; how it answers to a wrong one is its sensitivity to the height, which
//! differs with where the camera stood. So x, y, heading and the height's error are solved together, the height
//! under the prior of what was written. Jig frame, millimetres, radians.

use super::Length;
use crate::geometry::{Pose, PoseEstimate, Sensitivity, Source};
use nalgebra::{Matrix3, Matrix3x4, Matrix4, Vector3, Vector4};

/// What the pictures agree on.
pub(super) struct Combined {
    pub pose: Pose,
    /// Of (x mm, y mm, heading rad), the height's part included.
    pub covariance: Matrix3<f64>,
    /// The height, less the one that the poses were found at.
    pub height_off: Length,
    /// Root mean square misfit over its sigma; one for a single picture.
    pub disagreement: f64,
}

/// Pictures that disagree by more than this are not of a level face that stood still. A choice.
const CONTRADICT: f64 = 3.0;
/// One sigma of how a leaning face looks turned elsewhere, over the spread of its turns in the jig's pictures. A
/// choice: the two or three pictures see it from the same side.
const LEANING_TURNS: f64 = 2.0;

/// Combines poses that were found at one height. `prior` is what is known of the height, less that one: mean and
/// sigma; `height_sigma_mm` is the sigma that the poses' sensitivities are for. `None` for no pose.
pub(super) fn combined(poses: &[&PoseEstimate], prior: (f64, f64), height_sigma_mm: f64) -> Option<Combined> {
    let first = poses.first()?.pose;
    let mut hessian = Matrix4::zeros();
    let mut pull = Vector4::zeros();
    hessian[(3, 3)] += prior.1.powi(-2);
    pull[3] += prior.0 * prior.1.powi(-2);
    let mut rows = Vec::new();
    for pose in poses {
        let is_height = |s: &&Sensitivity| s.source == Source::MountHeight;
        let by_height: Vector3<f64> = pose.shared.iter().filter(is_height).map(|s| s.per_sigma).sum();
        let others = pose.shared.iter().filter(|s| !is_height(s));
        let spread = others.fold(pose.covariance, |sum, s| sum + s.per_sigma * s.per_sigma.transpose());
        let weight = spread.try_inverse()?;
        // A tag that is higher than looked for by one sigma has its true place shifted by `by_height`: what
        // was found is the truth less that.
        let by_height = by_height / height_sigma_mm;
        let off = pose.pose.centre - first.centre;
        let found = Vector3::new(off.x, off.y, first.heading.turn_to_radians(pose.pose.heading));
        let mut row = Matrix3x4::zeros();
        row.fixed_view_mut::<3, 3>(0, 0).copy_from(&Matrix3::identity());
        row.set_column(3, &-by_height);
        hessian += row.transpose() * weight * row;
        pull += row.transpose() * weight * found;
        rows.push((row, weight, found));
    }
    let inverse = hessian.try_inverse()?;
    let solved = inverse * pull;
    let squares: f64 = rows
        .iter()
        .map(|(row, weight, found)| {
            let miss = found - row * solved;
            (miss.transpose() * weight * miss)[(0, 0)]
        })
        .sum();
    let freedom = 3.0 * (poses.len() as f64 - 1.0);
    let disagreement = if freedom > 0.0 { (squares / freedom).sqrt() } else { 1.0 };
    let excess = disagreement.max(1.0).powi(2);
    let mut covariance = inverse.fixed_view::<3, 3>(0, 0) * excess;
    if disagreement > CONTRADICT {
        // A face that leans looks turned by where it is seen from, and on the table it is seen from elsewhere: taking
        // more pictures does not make up for that.
        let turns = rows.iter().map(|(row, _, found)| (found - row * solved).z.powi(2)).sum::<f64>();
        covariance[(2, 2)] += LEANING_TURNS.powi(2) * turns / (poses.len() as f64 - 1.0);
    }
    Some(Combined {
        pose: first.nudged(solved.xy(), solved.z),
        covariance,
        height_off: Length { mm: solved.w, sigma_mm: (inverse[(3, 3)] * excess).sqrt() },
        disagreement,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tag at (20, 10) seen from a side, `higher_mm` above where it is looked for.
    fn seen(aside: f64, higher_mm: f64) -> PoseEstimate {
        // Higher by a millimetre its true place is nearer to the camera by `aside`.
        let shift = aside * higher_mm;
        PoseEstimate {
            pose: Pose::new(20.0 - shift, 10.0, 93.0),
            covariance: Matrix3::from_diagonal(&Vector3::new(4e-4, 4e-4, 1e-6)),
            shared: vec![Sensitivity {
                source: Source::MountHeight,
                per_sigma: Vector3::new(aside * 0.5, 0.0, 0.0),
            }],
        }
    }

    #[test]
    fn two_sides_tell_the_height_and_one_does_not() {
        let (left, right) = (seen(-0.5, 2.0), seen(0.5, 2.0));
        let both = combined(&[&left, &right], (0.0, 0.5), 0.5).expect("two poses");
        assert!((both.pose.centre.x - 20.0).abs() < 1e-9 && both.pose.centre.y == 10.0);
        // The prior pulls a little: its sigma is 0.5, the pictures' 0.028.
        assert!((both.height_off.mm - 2.0).abs() < 0.01 && both.height_off.sigma_mm < 0.04);
        let one = combined(&[&right], (0.0, 0.5), 0.5).expect("a pose");
        assert_eq!(one.height_off.mm, 0.0);
        assert!((one.height_off.sigma_mm - 0.5).abs() < 1e-9);
        // And its place is as doubtful as the height makes it.
        assert!((one.covariance[(0, 0)].sqrt() - 0.25f64.hypot(0.02)).abs() < 1e-9);
    }

    #[test]
    fn pictures_that_contradict_each_other_widen_the_sigma() {
        let (a, mut b) = (seen(0.0, 0.0), seen(0.0, 0.0));
        b.pose.centre.y += 0.5;
        let both = combined(&[&a, &b], (0.0, 0.5), 0.5).expect("two poses");
        assert!(both.disagreement > 5.0 && both.covariance[(1, 1)].sqrt() > 0.1, "{}", both.disagreement);
    }
}
