//! Which detections are believed, and why the others are not.

use super::Detection;

/// Which detections are believed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeliefSettings {
    /// A detection's decision margin must reach this, grey levels.
    pub least_margin: f64,
    /// Least share of a tag's pixels that must agree with its printed pattern once it is registered.
    /// Whole tags on the shared scenes have 0.93 and more, crossed ones 0.86 to 0.96.
    pub least_agreeing: f64,
    /// Most residual of the agreeing pixels, as a share of the contrast between light and dark. Whole
    /// tags on the shared scenes have 0.05 at the most, crossed ones 0.06.
    pub most_residual_share: f64,
    /// Registration may move a detected tag by at most so many of its modules.
    pub most_shift_modules: f64,
    /// Where the pattern cannot be registered the corners must do: a tag's misfit, the root mean square
    /// distance of its corners, must not exceed this many times the sigma of the frame's corners.
    pub most_misfit_sigmas: f64,
    /// And never this, as a share of the tag's side in the picture: a ghost is seldom a square.
    pub most_misfit_share: f64,
    /// Its corners may then lie so far in or out of where its size puts them, pixels. Blur and the
    /// picture's response draw them in by 0.1 to 0.25 pixels.
    pub most_inset_px: f64,
    /// And so much more, as a share of its side, for a size that was measured with a ruler.
    pub most_inset_share: f64,
    /// Of two sights of one tag that both fit, one is believed if its margin is so many times the
    /// other's; else neither is.
    pub margin_ratio: f64,
}

impl Default for BeliefSettings {
    fn default() -> Self {
        Self {
            least_margin: 10.0,
            least_agreeing: 0.8,
            most_residual_share: 0.1,
            most_shift_modules: 1.0,
            most_misfit_sigmas: 5.0,
            most_misfit_share: 0.05,
            most_inset_px: 0.6,
            most_inset_share: 0.02,
            margin_ratio: 2.0,
        }
    }
}

/// A detection that was not believed.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// What was found.
    pub detection: Detection,
    /// Why it does not count.
    pub why: Refusal,
}

/// Why a detection does not count.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Neither the table nor a roster names it.
    #[error("neither the table file nor a roster names it")]
    NotNamed,
    /// It was read too faintly.
    #[error("read too faintly: decision margin {margin:.1}, {least:.1} needed")]
    Faint {
        /// Its decision margin.
        margin: f64,
        /// The limit.
        least: f64,
    },
    /// Its corners are not those of a flat tag of its size at its height.
    #[error(
        "its corners do not fit a flat tag of its size at its height ({residual_px:.2} px off, {most_px:.2} allowed): partly covered, standing elsewhere, or no tag"
    )]
    Misfit {
        /// Root mean square distance of its corners.
        residual_px: f64,
        /// The limit.
        most_px: f64,
    },
    /// It is too small or too large in the picture.
    #[error(
        "it looks {inset_px:.2} px too small (less than zero: too large) for its size at its height, {most_px:.2} allowed: it stands elsewhere, its size or height is wrong, or it is no tag"
    )]
    WrongSize {
        /// How far its corners lie inwards.
        inset_px: f64,
        /// The limit, either way.
        most_px: f64,
    },
    /// Its printed pattern does not show where its corners say it lies.
    #[error("its pattern shows over {agreeing:.0} % of its face only: something lies on it, or it is no tag")]
    Covered {
        /// Share of its pixels that agree, in a hundred.
        agreeing: f64,
    },
    /// Its rays do not meet its plane.
    #[error("it cannot lie on the table where it is seen")]
    OffTable,
    /// The tag was read in two places and neither is clearly the right one, or another one is.
    #[error("the tag was read in more than one place")]
    Twice,
    /// A reference tag that does not fit the others.
    #[error(
        "this reference tag is {misfit_px:.1} px from where the others say it is: it has been moved or something lies on it"
    )]
    ReferenceMoved {
        /// Root mean square distance of its corners.
        misfit_px: f64,
    },
}
