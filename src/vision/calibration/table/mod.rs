//! A table measured from pictures of itself: where its reference tags really lie.
//!
//! One bundle adjustment over all pictures ([`Bundle`]): each picture's camera pose, each tag's x, y and
//! rotation on the table's plane, one size factor that all prints share (the printer's scale), and the
//! lens where it has no profile. Heights and nominal sizes are taken as given. What fixes the frame and the
//! scale is told by [`Anchor`]s: a known place, a direction, a length. Table frame, millimetres.
//!
//! Invariant: what comes out was fitted to at least two pictures, and every tag has its sigma in the
//! anchors' frame: a tag far from the origin is less certain because the known length is.

mod bundle;
mod finder;
mod solve;
mod spot;
mod start;
#[cfg(test)]
mod tests;

pub use bundle::Anchor;
pub use finder::TableFinder;
pub use solve::{LensCheck, MeasuredTag, TableCalibration, TableViewFit, calibrate_table};
pub use spot::{LEAST_TILES, Spot, SpotError, Tile, TileDoubt, place_by_tiles};

use super::super::PixelPoint;
use crate::tracking::{Tag, TagCorners};

/// Pictures that a table needs at least. Three or more, from different sides, check each other.
pub const LEAST_TABLE_VIEWS: usize = 2;

/// A tag as it shows in one picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TagSight {
    /// Which tag.
    pub tag: Tag,
    /// Where its corners are.
    pub corners_px: TagCorners<PixelPoint>,
    /// One sigma of a corner on each axis, pixels.
    pub sigma_px: f64,
}

/// One picture of the table.
#[derive(Debug, Clone, PartialEq)]
pub struct TableView {
    /// What people call the picture.
    pub label: String,
    /// Its tags, each once.
    pub sights: Vec<TagSight>,
}

/// A tag whose place is to be measured: what is known of it beforehand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TagToPlace {
    /// Which tag.
    pub tag: Tag,
    /// Nominal side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Height of the printed face above the playing surface, millimetres.
    pub z_mm: f64,
    /// Where a file says that it lies: x, y in millimetres and rotation in degrees. A start, no more.
    pub written: Option<(f64, f64, f64)>,
}

/// Why no table came out. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum TableCalibrationError {
    /// Too few pictures.
    #[error(
        "{views} pictures show tags of the table, {LEAST_TABLE_VIEWS} are needed at least: take three or more, from different sides"
    )]
    TooFewViews {
        /// How many do.
        views: usize,
    },
    /// An anchor names a tag that no picture shows.
    #[error(
        "{0} sets the table's frame or scale and shows in no picture: take a picture that shows it, or name another tag"
    )]
    AnchorUnseen(Tag),
    /// The anchors leave the frame or the scale open.
    #[error(
        "the tags named do not fix the table's place, turn and scale: name an origin, another tag along a known direction, and one length between two tags"
    )]
    Loose,
    /// Pictures that share no tags.
    #[error(
        "the pictures do not hang together ({label} shares too few tags with the others): each must show at least two tags that another shows, not all in one spot"
    )]
    Unlinked {
        /// One that does not.
        label: String,
    },
    /// Nothing fits.
    #[error(
        "the pictures do not fit one table: {worst} lies {misfit_px:.1} px from where the others put it; a tag may have moved between pictures, bears a wrong size, or does not lie flat; or the lens profile is another camera's"
    )]
    Disagree {
        /// The tag that fits worst.
        worst: Tag,
        /// How badly, pixels.
        misfit_px: f64,
    },
}
