//! Measured poses: an independent covariance beside errors that several poses share.
//!
//! A pose's error has two parts. The independent part (grain, corner fit) is a 3x3 covariance of
//! (x mm, y mm, heading rad). The shared part (camera pose, lens, heights) is a list of
//! sensitivities: how far the pose shifts when a named source is one sigma off. Two poses that share
//! a source move together, so their relative position is better known than either place.

use super::{Pose, Vector};
use nalgebra::{Const, DMatrix, DVector, Dyn, Matrix3, OMatrix, SMatrix, Vector3};

/// A cause of error that several poses share. Sources are independent of each other, each with
/// sigma 1; correlated parameters (a camera pose) enter as the columns of their covariance's root.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A camera's pose and lens as solved from the reference tags; `component` counts the columns
    /// of the root of their joint covariance.
    Registration {
        /// The camera's number.
        camera: u16,
        /// Column of the covariance's root.
        component: u8,
    },
    /// How high the tags of a mount really stand, common to all mounts of that kind.
    MountHeight,
    /// How well one tag's place on its base is known, its stalk's lean with it. Fixed to the base: reading the
    /// tag again tells no more, and a base that has moved carries the same error along.
    Mount {
        /// The tag's key.
        tag: u64,
        /// Which part of its place.
        term: MountTerm,
    },
}

/// A part of a tag's place on its base.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MountTerm {
    /// Its offset to the base's right.
    Right,
    /// Its offset ahead.
    Forward,
    /// Its turn.
    Turn,
}

/// How a pose answers to one sigma of a source: (x mm, y mm, heading rad).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sensitivity {
    /// The source.
    pub source: Source,
    /// The shift for one sigma.
    pub per_sigma: Vector3<f64>,
}

/// A pose with its uncertainty.
#[derive(Debug, Clone, PartialEq)]
pub struct PoseEstimate {
    /// The best estimate.
    pub pose: Pose,
    /// Covariance of the part that no other pose shares: (x mm, y mm, heading rad).
    pub covariance: Matrix3<f64>,
    /// The part that other poses share.
    pub shared: Vec<Sensitivity>,
}

impl PoseEstimate {
    /// A pose taken as exact.
    pub fn exact(pose: Pose) -> Self {
        Self { pose, covariance: Matrix3::zeros(), shared: Vec::new() }
    }

    /// The estimate of another frame rigidly fixed to this one: its centre lies `arm_mm` away (in the
    /// table frame, as this one stands) and it is turned anticlockwise by `turn_deg`. An error of the
    /// heading swings the arm.
    pub fn carried(&self, arm_mm: Vector, turn_deg: f64) -> Self {
        let swing = Matrix3::new(1.0, 0.0, -arm_mm.y, 0.0, 1.0, arm_mm.x, 0.0, 0.0, 1.0);
        Self {
            pose: Pose {
                centre: self.pose.centre + arm_mm,
                heading: self.pose.heading.turned_degrees(turn_deg),
            },
            covariance: swing * self.covariance * swing.transpose(),
            shared: self
                .shared
                .iter()
                .map(|s| Sensitivity { source: s.source, per_sigma: swing * s.per_sigma })
                .collect(),
        }
    }

    /// The whole covariance of (x mm, y mm, heading rad): the independent and the shared part.
    pub fn total_covariance(&self) -> Matrix3<f64> {
        self.shared.iter().fold(self.covariance, |sum, s| sum + s.per_sigma * s.per_sigma.transpose())
    }

    /// One-sigma radius of the place, millimetres: the root of the larger eigenvalue.
    pub fn sigma_place_mm(&self) -> f64 {
        let c = self.total_covariance();
        let (a, b, d) = (c[(0, 0)], c[(0, 1)], c[(1, 1)]);
        let middle = (a + d) / 2.0;
        (middle + ((a - d) / 2.0).hypot(b)).max(0.0).sqrt()
    }

    /// One sigma of the heading, radians.
    pub fn sigma_heading_rad(&self) -> f64 {
        self.total_covariance()[(2, 2)].max(0.0).sqrt()
    }
}

/// The joint covariance of several poses, three rows a pose, in the order given.
#[derive(Debug, Clone, PartialEq)]
pub struct JointCovariance(DMatrix<f64>);

impl JointCovariance {
    /// Of `poses`, with the errors they share.
    pub fn of(poses: &[&PoseEstimate]) -> Self {
        let mut joint = DMatrix::zeros(3 * poses.len(), 3 * poses.len());
        for (i, a) in poses.iter().enumerate() {
            joint.fixed_view_mut::<3, 3>(3 * i, 3 * i).copy_from(&a.total_covariance());
            for (j, b) in poses.iter().enumerate().skip(i + 1) {
                let mut cross = Matrix3::zeros();
                for s in &a.shared {
                    for t in b.shared.iter().filter(|t| t.source == s.source) {
                        cross += s.per_sigma * t.per_sigma.transpose();
                    }
                }
                joint.fixed_view_mut::<3, 3>(3 * i, 3 * j).copy_from(&cross);
                joint.fixed_view_mut::<3, 3>(3 * j, 3 * i).copy_from(&cross.transpose());
            }
        }
        Self(joint)
    }

    /// The matrix itself: three rows and columns a pose, in order.
    pub fn matrix(&self) -> &DMatrix<f64> {
        &self.0
    }

    /// Sigma of a quantity with this gradient over (x mm, y mm, heading rad) of each pose in turn.
    /// Panics where the gradient is not three entries a pose.
    pub fn sigma(&self, gradient: &DVector<f64>) -> f64 {
        (gradient.transpose() * &self.0 * gradient)[(0, 0)].max(0.0).sqrt()
    }

    /// Covariance of what `jacobian` makes of the poses: three columns a pose, in order.
    /// Panics where it has another number of columns.
    pub fn mapped<const N: usize>(&self, jacobian: &OMatrix<f64, Const<N>, Dyn>) -> SMatrix<f64, N, N> {
        jacobian * &self.0 * jacobian.transpose()
    }
}

/// Covariance of (x mm, y mm, heading rad) of `b` as it stands to `a`: shifting and turning the whole
/// table counts for nothing, so `a` stands still and `b` takes the errors of both. First order in the
/// heading of `a`.
pub fn relative_covariance(a: &PoseEstimate, b: &PoseEstimate) -> Matrix3<f64> {
    let between = b.pose.centre - a.pose.centre;
    #[rustfmt::skip]
    let jacobian = OMatrix::<f64, Const<3>, Dyn>::from_row_slice(&[
        -1.0, 0.0, between.y, 1.0, 0.0, 0.0,
        0.0, -1.0, -between.x, 0.0, 1.0, 0.0,
        0.0, 0.0, -1.0, 0.0, 0.0, 1.0,
    ]);
    JointCovariance::of(&[a, b]).mapped(&jacobian)
}

/// The standard normal distribution's share below `z`, right to 1e-7 (Abramowitz and Stegun 26.2.17).
pub fn normal_cdf(z: f64) -> f64 {
    let x = z.abs();
    let t = 1.0 / (1.0 + 0.231_641_9 * x);
    let tail = (-x * x / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
        * t
        * (0.319_381_530
            + t * (-0.356_563_782 + t * (1.781_477_937 + t * (-1.821_255_978 + t * 1.330_274_429))));
    if z >= 0.0 { 1.0 - tail } else { tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(x: f64, shared_mm: f64) -> PoseEstimate {
        PoseEstimate {
            pose: Pose::new(x, 0.0, 90.0),
            covariance: Matrix3::from_diagonal(&Vector3::new(0.01, 0.01, 1e-6)),
            shared: vec![Sensitivity {
                source: Source::Registration { camera: 0, component: 0 },
                per_sigma: Vector3::new(shared_mm, 0.0, 0.0),
            }],
        }
    }

    #[test]
    fn neighbours_compare_better_than_either_is_known() {
        let (a, b) = (estimate(0.0, 0.5), estimate(40.0, 0.5));
        let between =
            JointCovariance::of(&[&a, &b]).sigma(&DVector::from_vec(vec![-1.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
        assert!((between - 0.02f64.sqrt()).abs() < 1e-9, "{between}");
        assert!(a.sigma_place_mm() > 0.5);
    }

    #[test]
    fn a_frame_carried_on_an_arm_is_swung_by_the_heading() {
        let mut tag = estimate(0.0, 0.5);
        tag.covariance = Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, 1e-4));
        let base = tag.carried(Vector::new(30.0, 0.0), -90.0);
        assert_eq!(base.pose, Pose::new(30.0, 0.0, 0.0));
        // A hundredth of a radian swings 30 mm by 0.3 mm, across the arm; the camera's error is as before.
        assert!((base.covariance[(1, 1)] - 0.09).abs() < 1e-12 && base.covariance[(0, 0)] == 0.0);
        assert_eq!(base.shared, tag.shared);
    }

    #[test]
    fn a_heading_in_doubt_swings_what_is_far_away() {
        let turning = |sigma: f64| PoseEstimate {
            covariance: Matrix3::from_diagonal(&Vector3::new(0.0, 0.0, sigma * sigma)),
            ..PoseEstimate::exact(Pose::new(0.0, 0.0, 90.0))
        };
        let far = PoseEstimate::exact(Pose::new(0.0, 200.0, 270.0));
        let between = relative_covariance(&turning(0.01), &far);
        assert!((between[(0, 0)].sqrt() - 2.0).abs() < 1e-9 && between[(1, 1)] < 1e-12);
        assert!((between[(2, 2)].sqrt() - 0.01).abs() < 1e-12);
        let (a, b) = (estimate(0.0, 0.5), estimate(40.0, 0.5));
        assert!((relative_covariance(&a, &b)[(0, 0)] - 0.02).abs() < 1e-9);
    }

    #[test]
    fn the_normal_distribution_is_right_at_known_places() {
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-7);
        assert!((normal_cdf(1.959_964) - 0.975).abs() < 1e-6);
        assert!((normal_cdf(-2.326_348) - 0.01).abs() < 1e-6);
    }
}
