//! How far the detector's corners lie from the truth.
//!
//! Part of a corner's error is its own and shows as misfit of the four corners; part is common to the
//! four (the whole tag seen a little aside) and cannot show. The first is measured in each frame from
//! the misfits of its own tags; the second is a measured multiple of it.

/// What is known of corner errors before a frame is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CornerNoise {
    /// Own error of a corner, one axis, one sigma, pixels.
    pub sigma_px: f64,
    /// The prior weighs as much as this many degrees of freedom; a whole tag gives five.
    pub prior_freedom: f64,
    /// Sigma of the error common to a tag's four corners over that of a corner's own.
    pub common_share: f64,
    /// However well the corners fit, their own error is not believed to be below this, pixels.
    pub least_px: f64,
}

impl Default for CornerNoise {
    fn default() -> Self {
        Self { sigma_px: 0.12, prior_freedom: 10.0, common_share: 0.5, least_px: 0.03 }
    }
}

impl CornerNoise {
    /// Sigma of a corner's own error after seeing misfits with this sum of squares, pixels.
    pub fn seen(&self, squares_px2: f64, freedom: f64) -> f64 {
        let prior = self.sigma_px * self.sigma_px * self.prior_freedom;
        ((prior + squares_px2) / (self.prior_freedom + freedom)).sqrt().max(self.least_px)
    }
}
