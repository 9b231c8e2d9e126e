//! How something looks: the mean of its looks and how they vary; and how far another look is from that.

use super::features::{Features, Look};
use nalgebra::Matrix4;

/// Never taken to vary less than this: L, a, b, liveliness. Light falls off across a board, paint is not even.
/// A choice.
const LEAST_SPREAD: [f32; 4] = [2.0, 1.0, 1.0, 0.7];

/// A look with its spread.
#[derive(Debug, Clone, Copy)]
pub(super) struct Model {
    pub mean: Look,
    whitened: Matrix4<f32>,
}

impl Model {
    /// Of the looks of these pixels; `None` of fewer than eight.
    pub(super) fn of(features: &Features, pixels: impl Iterator<Item = usize> + Clone) -> Option<Self> {
        let mut count = 0.0f32;
        let mut sum = Look::zeros();
        for n in pixels.clone() {
            sum += features.look[n];
            count += 1.0;
        }
        if count < 8.0 {
            return None;
        }
        let mean = sum / count;
        let mut spread = Matrix4::zeros();
        for n in pixels {
            let off = features.look[n] - mean;
            spread += off * off.transpose();
        }
        Self::new(mean, spread / count)
    }

    pub(super) fn new(mean: Look, covariance: Matrix4<f32>) -> Option<Self> {
        let floor = Matrix4::from_diagonal(&Look::from(LEAST_SPREAD.map(|s| s * s)));
        let whitened = (covariance + floor).try_inverse()?;
        Some(Self { mean, whitened })
    }

    /// How far a look is from this one, in spreads.
    pub(super) fn distance(&self, look: &Look) -> f32 {
        self.distance_from(&self.mean, look)
    }

    /// The same from another mean.
    pub(super) fn distance_from(&self, mean: &Look, look: &Look) -> f32 {
        let off = look - mean;
        (off.transpose() * self.whitened * off)[(0, 0)].max(0.0).sqrt()
    }
}
