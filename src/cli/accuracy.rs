//! How far measured poses are from true ones. Millimetres in the table plane, degrees.

use crate::geometry::{Corner, Footprint, Pose, PoseEstimate, Vector};

/// A fresh pose within so much of the truth is the element found.
const FOUND_MM: f64 = 3.0;
/// And within so much of its heading.
const FOUND_DEG: f64 = 5.0;
/// A tag of which this share shows is whole.
pub const WHOLE: f64 = 0.98;
/// A tag of which this share shows, but not [`WHOLE`], is crossed; less is covered.
pub const CROSSED: f64 = 0.5;
/// Squared Mahalanobis distance that 95 in 100 of a two-dimensional normal distribution stay within.
const WITHIN_95: f64 = 5.991_465;

/// Whether a pose is near enough to the truth to be of the same thing.
pub fn found(pose: &Pose, truth: &Pose) -> bool {
    (pose.centre - truth.centre).norm() <= FOUND_MM
        && pose.heading.turn_to_radians(truth.heading).to_degrees().abs() <= FOUND_DEG
}

/// The error of one corner of a base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CornerError {
    /// Measured less true, millimetres.
    pub off: Vector,
    /// Its squared length in the claimed sigmas (Mahalanobis); infinite where nothing was claimed. Of a
    /// true claim it has the distribution of chi squared with two degrees of freedom.
    pub normalised2: f64,
}

impl CornerError {
    /// Whether the truth lies inside the corner's 95 % ellipse.
    pub fn inside_95(&self) -> bool {
        self.normalised2 <= WITHIN_95
    }
}

/// The errors of a base's four corners; none where the base has no size.
pub fn corner_errors(base_mm: [f64; 2], pose: &PoseEstimate, truth: &Pose) -> Vec<CornerError> {
    let footprint = |pose: Pose| Footprint::new(pose, base_mm[0], base_mm[1]);
    let (Some(measured), Some(real)) = (footprint(pose.pose), footprint(*truth)) else {
        return Vec::new();
    };
    Corner::ALL
        .into_iter()
        .map(|corner| {
            let at = measured.corner(corner);
            let there = pose.carried(at - pose.pose.centre, 0.0).total_covariance();
            let off = at - real.corner(corner);
            let normalised2 = there
                .fixed_view::<2, 2>(0, 0)
                .into_owned()
                .try_inverse()
                .map_or(f64::INFINITY, |inverse| (off.transpose() * inverse * off)[(0, 0)]);
            CornerError { off, normalised2 }
        })
        .collect()
}

/// A sum of squared errors.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Errors {
    squares: f64,
    count: usize,
    worst: f64,
}

impl Errors {
    /// One more.
    pub fn add(&mut self, error: f64) {
        self.squares += error * error;
        self.count += 1;
        self.worst = self.worst.max(error.abs());
    }

    /// Another sum's errors too.
    pub fn join(&mut self, other: &Self) {
        self.squares += other.squares;
        self.count += other.count;
        self.worst = self.worst.max(other.worst);
    }

    /// How many.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Their root mean square; `None` of none.
    pub fn rms(&self) -> Option<f64> {
        (self.count > 0).then(|| (self.squares / self.count as f64).sqrt())
    }

    /// The largest; `None` of none.
    pub fn worst(&self) -> Option<f64> {
        (self.count > 0).then_some(self.worst)
    }
}
