//! Bases without tags: clicked on a still, and brought to their rims.
//!
//! Most tournament tables have no tags. Here the plane comes from the table's reference tags where there are some, or
//! from printed tiles laid round the spot ([`place_by_tiles`]); a base comes from clicks on its corners, which are
//! brought to the rim that the picture shows ([`measure_bases`]). Table frame, millimetres; image frame, pixels.
//!
//! Invariant: a pose is never given without its covariance, and none is given where no rim is seen. What all bases of a
//! picture share (camera, lens, the tiles' printed size) is told as sensitivities, so that neighbours compare better
//! than either is known.

mod light;
mod rim;
mod search;
mod solve;
mod spot;
mod tiles;

pub use solve::{EdgeSeen, FoundBase, measure_bases};
pub use spot::{
    Ground, LEAST_TILES, PlaceError, Spot, SpotError, SpotFinder, Tile, TileDoubt, place_by_tiles,
};

pub use tiles::{TILE_MM, TILE_THICKNESS_MM, umpire_tiles};

use super::{GreyImage, PixelPoint, RgbImage};
use crate::geometry::{Corner, Footprint, Heading, Point, Pose, Vector};
use crate::vision::CameraModel;

/// What is known of a base beforehand. Millimetres, one sigma each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct KnownBase {
    /// Along its front.
    pub width_mm: f64,
    /// From front to rear.
    pub depth_mm: f64,
    /// How well both sides are known.
    pub side_sigma_mm: f64,
    /// How thick it is, what it stands on being at height 0.
    pub thickness_mm: f64,
    /// How well that is known.
    pub thickness_sigma_mm: f64,
}

impl KnownBase {
    /// A base of these sides, 2 mm thick, its sides known as a roster's are where it says nothing of them.
    pub fn of(width_mm: f64, depth_mm: f64) -> Self {
        Self { width_mm, depth_mm, side_sigma_mm: 0.1, thickness_mm: 2.0, thickness_sigma_mm: 0.3 }
    }
}

/// A base as it was clicked.
#[derive(Debug, Clone, PartialEq)]
pub struct ClickedBase {
    /// What is known of it.
    pub known: KnownBase,
    /// Its clicked corners, upper rim, each where it is known; at least two.
    pub corners_px: Vec<(Corner, PixelPoint)>,
    /// One sigma of a click on each axis, pixels.
    pub click_sigma_px: f64,
}

/// One sigma of a hand's click, pixels.
pub const CLICK_SIGMA_PX: f64 = 3.0;

/// The picture that a base is looked for in.
#[derive(Debug, Clone, Copy)]
pub struct Still<'a> {
    /// Its brightness.
    pub grey: &'a GreyImage,
    /// Its colour, where there is some: a rim may show in colour alone.
    pub colour: Option<&'a RgbImage>,
}

/// Why a base is not measured. Every message says what to do.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum UntaggedError {
    /// Too few corners.
    #[error(
        "{clicked} corners are clicked: click two at least, the front left one first, then the front right one"
    )]
    TooFewCorners {
        /// How many there are.
        clicked: usize,
    },
    /// Corners that no such base has.
    #[error(
        "the clicked corners lie up to {worst_mm:.0} mm from those of a base of {width_mm} x {depth_mm} mm: click the front left corner first, then clockwise, and check the base's sides"
    )]
    NoSuchBase {
        /// How far the worst lies off.
        worst_mm: f64,
        /// Along the front.
        width_mm: f64,
        /// Front to rear.
        depth_mm: f64,
    },
    /// A base outside the picture or behind the camera.
    #[error("the clicked corners do not lie on the table that the camera sees: click again")]
    OffTheTable,
    /// No rim.
    #[error(
        "no rim of a base of {width_mm} x {depth_mm} mm is seen at the clicked corners: come nearer, mend the light, or lay something lighter or darker under the base's edge"
    )]
    NoRim {
        /// Along the front.
        width_mm: f64,
        /// Front to rear.
        depth_mm: f64,
    },
}

impl ClickedBase {
    /// Where the clicks alone put the base.
    ///
    /// # Errors
    /// Too few clicks, or clicks that fit no such base.
    pub fn roughly(&self, camera: &CameraModel) -> Result<Footprint, UntaggedError> {
        let known = &self.known;
        if self.corners_px.len() < 2 {
            return Err(UntaggedError::TooFewCorners { clicked: self.corners_px.len() });
        }
        let seen: Option<Vec<(Corner, Point)>> = self
            .corners_px
            .iter()
            .map(|(corner, pixel)| Some((*corner, camera.table_from_image(*pixel, known.thickness_mm)?)))
            .collect();
        let seen = seen.ok_or(UntaggedError::OffTheTable)?;
        let flat = Footprint::new(Pose::new(0.0, 0.0, 90.0), known.width_mm, known.depth_mm)
            .ok_or(UntaggedError::OffTheTable)?;
        let count = seen.len() as f64;
        let own: Vec<Vector> = seen.iter().map(|(corner, _)| flat.corner(*corner).coords).collect();
        let own_middle = own.iter().sum::<Vector>() / count;
        let middle = seen.iter().map(|(_, p)| p.coords).sum::<Vector>() / count;
        // The turn that brings the own corners nearest to those seen.
        let (mut dot, mut cross) = (0.0, 0.0);
        for ((_, at), own) in seen.iter().zip(&own) {
            let (to, from) = (at.coords - middle, own - own_middle);
            dot += from.dot(&to);
            cross += from.perp(&to);
        }
        let turn = cross.atan2(dot);
        let heading = Heading::from_radians(std::f64::consts::FRAC_PI_2 + turn);
        let centre = Point::from(middle - heading.right() * own_middle.x - heading.vector() * own_middle.y);
        let base = flat.moved_to(Pose { centre, heading });
        let off = seen.iter().map(|(corner, at)| (base.corner(*corner) - at).norm());
        let worst_mm = off.fold(0.0, f64::max);
        let per_px = mm_per_px(camera, centre, known.thickness_mm).ok_or(UntaggedError::OffTheTable)?;
        if worst_mm > 3.5 * self.click_sigma_px * per_px + 1.0 {
            let (width_mm, depth_mm) = (known.width_mm, known.depth_mm);
            return Err(UntaggedError::NoSuchBase { worst_mm, width_mm, depth_mm });
        }
        Ok(base)
    }
}

/// Millimetres for a pixel at a place of the table, the mean of both ways; `None` where the camera does not see it.
pub(super) fn mm_per_px(camera: &CameraModel, at: Point, z_mm: f64) -> Option<f64> {
    let pixel = |at: Point| camera.image_from_table(nalgebra::Point3::new(at.x, at.y, z_mm));
    let here = pixel(at)?;
    let (right, up) = (pixel(at + Vector::x())? - here, pixel(at + Vector::y())? - here);
    let area = right.perp(&up).abs();
    (area > 1e-12).then(|| area.sqrt().recip())
}
