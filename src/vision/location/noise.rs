//! How far the detector's corners lie from the truth.
//!
//! The error of a tag's four corners has parts of different kinds. All four are drawn in towards the
//! middle or pushed out, by blur and by the picture's response to light: on 220 tags of rendered
//! photographs by 0.10 to 0.25 px, nearly the same for all tags of a picture. It hardly moves the tag,
//! so it is taken out as the [`Misfit::inset_px`]. What is left scatters like independent errors:
//! there, 0.12 px on an axis, against 0.11 px for what turns the tag and 0.08 px for what shifts it.

use crate::vision::PixelPoint;

/// What is known of corner errors before a frame is looked at.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CornerNoise {
    /// Error of a corner, one axis, one sigma, pixels, its inset taken out.
    pub sigma_px: f64,
    /// The prior weighs as much as this many degrees of freedom; a whole tag gives four.
    pub prior_freedom: f64,
    /// However well the corners fit, their error is not believed to be below this, pixels.
    pub least_px: f64,
}

impl Default for CornerNoise {
    fn default() -> Self {
        Self { sigma_px: 0.12, prior_freedom: 10.0, least_px: 0.03 }
    }
}

/// Blur of the pictures that [`CornerNoise`]'s figures were measured on, sigma of the point spread, pixels: simulated and
/// path-traced ones of 1920x1080.
const MEASURED_AT_BLUR_PX: f64 = 0.75;

impl CornerNoise {
    /// The same where edges are wider than they were where it was measured: grain and what the optics' model leaves shift
    /// a wide edge by more pixels. In proportion, a choice: so a picture that is only enlarged claims no more than it did.
    pub fn for_blur(self, blur_px: f64) -> Self {
        let wider = (blur_px / MEASURED_AT_BLUR_PX).max(1.0);
        Self { sigma_px: self.sigma_px * wider, least_px: self.least_px * wider, ..self }
    }

    /// Sigma of a corner's error after seeing misfits with this sum of squares, pixels.
    pub fn seen(&self, squares_px2: f64, freedom: f64) -> f64 {
        let prior = self.sigma_px * self.sigma_px * self.prior_freedom;
        ((prior + squares_px2) / (self.prior_freedom + freedom)).sqrt().max(self.least_px)
    }
}

/// How a tag's corners as found differ from its corners as they should be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Misfit {
    /// How far the corners lie towards the tag's middle, in the mean; less than zero: outwards. Pixels.
    pub inset_px: f64,
    /// Sum of squares of what is left besides, pixels squared.
    pub squares_px2: f64,
}

impl Misfit {
    /// Of corners found where these were expected, both in the same order.
    pub fn of(found: [PixelPoint; 4], expected: [PixelPoint; 4]) -> Self {
        let middle = expected.iter().fold(nalgebra::Vector2::zeros(), |s, c| s + c.coords) / 4.0;
        let (mut squares, mut inward) = (0.0, 0.0);
        for (f, e) in found.iter().zip(&expected) {
            let off = f - e;
            squares += off.norm_squared();
            inward -= (e.coords - middle).try_normalize(1e-9).map_or(0.0, |outward| off.dot(&outward));
        }
        let inset_px = inward / 4.0;
        Self { inset_px, squares_px2: (squares - 4.0 * inset_px * inset_px).max(0.0) }
    }

    /// Root mean square distance of the corners, the inset taken out, pixels.
    pub fn residual_px(&self) -> f64 {
        (self.squares_px2 / 4.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [PixelPoint; 4] = [
        PixelPoint::new(0.0, 0.0),
        PixelPoint::new(20.0, 0.0),
        PixelPoint::new(20.0, 20.0),
        PixelPoint::new(0.0, 20.0),
    ];

    #[test]
    fn corners_drawn_inwards_are_an_inset_and_no_misfit() {
        let shrunk = SQUARE.map(|c| c + (PixelPoint::new(10.0, 10.0) - c) * 0.02);
        let misfit = Misfit::of(shrunk, SQUARE);
        assert!((misfit.inset_px - 0.02 * 200f64.sqrt()).abs() < 1e-9 && misfit.residual_px() < 1e-6);
    }

    #[test]
    fn one_corner_astray_is_a_misfit() {
        let mut astray = SQUARE;
        astray[2].x += 4.0;
        assert!(Misfit::of(astray, SQUARE).residual_px() > 1.5);
    }

    #[test]
    fn a_wider_edge_is_known_to_fewer_pixels_and_a_sharper_one_to_no_more() {
        let noise = CornerNoise::default();
        let soft = noise.for_blur(3.0);
        assert!((soft.sigma_px / noise.sigma_px - 4.0).abs() < 1e-12);
        assert!((soft.least_px / noise.least_px - 4.0).abs() < 1e-12);
        assert_eq!(noise.for_blur(0.4), noise);
    }

    #[test]
    fn what_is_seen_outweighs_the_prior_in_the_end() {
        let noise = CornerNoise::default();
        assert!((noise.seen(0.0, 0.0) - noise.sigma_px).abs() < 1e-12);
        assert!((noise.seen(0.04 * 1e5, 1e5) - 0.2).abs() < 1e-3);
        assert_eq!(noise.seen(0.0, 1e9), noise.least_px);
    }
}
