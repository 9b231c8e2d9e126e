//! What registration goes by, what it is given, and why it may fail.

use super::noise::Misfit;
use crate::tracking::{ReferenceTag, TagCorners};
use crate::vision::{CameraModel, Lens, PixelPoint};
use nalgebra::Point3;

/// What is believed of a lens without a profile, one sigma each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LensPrior {
    /// Field of view across the longer side of the picture, degrees: the middle of 55 to 90 in the
    /// logarithm of the focal length.
    pub field_of_view_deg: f64,
    /// Logarithm of the focal length: 55 to 90 degrees are two sigma.
    pub ln_focal: f64,
    /// Principal point off the picture's centre, as a share of the longer side. Webcams are within one
    /// in a hundred; believing it exactly central would make every sigma too small.
    pub centre_share: f64,
    /// First term of bending.
    pub k1: f64,
    /// Second term. It and the tangential terms are there for the sigmas' sake: left out, they would go
    /// into the focal length, which a camera that looks straight down hardly shows.
    pub k2: f64,
    /// Both tangential terms.
    pub tangential: f64,
}

impl Default for LensPrior {
    fn default() -> Self {
        Self {
            field_of_view_deg: 71.6,
            ln_focal: 0.163,
            centre_share: 0.005,
            k1: 0.1,
            k2: 0.05,
            tangential: 0.001,
        }
    }
}

/// What registration goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegistrationSettings {
    /// Belief about a lens without a profile.
    pub lens_prior: LensPrior,
    /// A reference tag is left out only if the others' mean squared misfit is so many times smaller
    /// without it, and so many times smaller than if any other were left out. By chance alone a ratio of
    /// 6 over 15 and 22 degrees of freedom comes once in 10,000.
    pub drop_ratio: f64,
    /// Above this mean misfit, as a share of the picture's longer side, the table file and the picture
    /// do not agree: 0.0015 is 2.9 pixels at 1920, some 2 mm on a board of 60 cm.
    pub most_misfit_share: f64,
}

impl Default for RegistrationSettings {
    fn default() -> Self {
        Self { lens_prior: LensPrior::default(), drop_ratio: 6.0, most_misfit_share: 0.0015 }
    }
}

/// The least number of reference tags a table must name.
pub const LEAST_KNOWN: usize = 4;

/// The least number that must be seen: two tags far apart fix a pose, and a third checks them; without
/// a profile the lens must come from them too.
pub fn least_seen(lens: Option<&Lens>) -> usize {
    if lens.is_some() { 2 } else { 3 }
}

/// Why a frame could not be placed on the table. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RegistrationError {
    /// The table file names too few reference tags.
    #[error(
        "the table names {known} reference tags: at least {LEAST_KNOWN} are needed, spread round the board"
    )]
    TooFewKnown {
        /// How many it names.
        known: usize,
    },
    /// Too few are in the picture.
    #[error(
        "{seen} of {known} reference tags seen: {needed} are needed; clear the view of the reference tags or move the camera so that it sees them"
    )]
    TooFewSeen {
        /// How many were found.
        seen: usize,
        /// How many the table names.
        known: usize,
        /// How many it takes.
        needed: usize,
    },
    /// They do not fit together.
    #[error(
        "the {seen} reference tags seen do not fit together: misfit {misfit_px:.1} px, {most_px:.1} allowed; one may have been moved, or the table file has a wrong place, size or rotation"
    )]
    Disagree {
        /// How many were found.
        seen: usize,
        /// Root mean square misfit of their corners.
        misfit_px: f64,
        /// The limit.
        most_px: f64,
    },
    /// The lens profile was made for another picture size.
    #[error(
        "the lens profile is for {profile_width}x{profile_height} pictures and this one is {width}x{height}: use a profile made at this size, or none; it is not rescaled"
    )]
    LensSize {
        /// Columns of the profile.
        profile_width: u32,
        /// Rows of the profile.
        profile_height: u32,
        /// Columns of the picture.
        width: usize,
        /// Rows of the picture.
        height: usize,
    },
}

/// A reference tag as found in the picture.
#[derive(Debug, Clone, Copy)]
pub struct ReferenceSight {
    /// Where it lies on the table.
    pub place: ReferenceTag,
    /// Where its corners are in the picture.
    pub corners_px: TagCorners<PixelPoint>,
}

impl ReferenceSight {
    /// The printed corners on the table.
    pub(super) fn corners_on_table(&self) -> TagCorners<Point3<f64>> {
        let p = &self.place;
        let (sin, cos) = p.rotation_deg.to_radians().sin_cos();
        let half = p.size_mm / 2.0;
        TagCorners {
            top_left: (-half, half),
            top_right: (half, half),
            bottom_right: (half, -half),
            bottom_left: (-half, -half),
        }
        .map(|(x, y)| Point3::new(p.x_mm + cos * x - sin * y, p.y_mm + sin * x + cos * y, p.z_mm))
    }

    /// Pairs of printed place and picture place.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Point3<f64>, PixelPoint)> + use<> {
        self.corners_on_table().in_order().into_iter().zip(self.corners_px.in_order())
    }

    /// How its corners differ from where `camera` would see them; `None` behind it.
    pub(super) fn misfit(&self, camera: &CameraModel) -> Option<Misfit> {
        let [a, b, c, d] = self.corners_on_table().in_order().map(|place| camera.image_from_table(place));
        Some(Misfit::of(self.corners_px.in_order(), [a?, b?, c?, d?]))
    }

    /// Where its corners are less where `camera` would see them, x and y corner by corner from the top left
    /// one on, pixels; `None` behind it.
    pub fn off_px(&self, camera: &CameraModel) -> Option<[f64; 8]> {
        let mut off = [0.0; 8];
        for (k, (place, pixel)) in self.pairs().enumerate() {
            let expected = camera.image_from_table(place)?;
            (off[2 * k], off[2 * k + 1]) = (pixel.x - expected.x, pixel.y - expected.y);
        }
        Some(off)
    }

    /// Sum of squares of the misfit, infinite behind the camera.
    pub(super) fn squares_px2(&self, camera: &CameraModel) -> f64 {
        self.misfit(camera).map_or(f64::INFINITY, |m| m.squares_px2)
    }
}
