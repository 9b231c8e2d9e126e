//! What stands on a simulated table beside the ordinary: ground that rises, stalks that lean, printed sheets.
//!
//! Table frame, millimetres and degrees. All of it is geometry: what a base rests on is told here by its slope,
//! never worked out by the code that is to measure it.

use crate::geometry::{Point, Polygon, Vector};
use crate::tracking::Tag;
use nalgebra::{Isometry3, Point3, Translation3, UnitQuaternion, Vector3};
use std::collections::BTreeMap;

/// Out of the ordinary; the default is nothing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Props {
    /// Stalks that are out of true, by their tag.
    pub leans: BTreeMap<Tag, Lean>,
    /// Bases that do not stand level, by name: the rise of their underside along x and y, millimetres a
    /// millimetre. Their placement's `ground_mm` is the height of the underside's centre.
    pub slopes: BTreeMap<String, Vector>,
    /// Solid pieces: steps, slopes, strips of wood.
    pub blocks: Vec<Block>,
    /// Where no hand moves a base to: hills, on which bases would have to be lifted.
    pub keep_off: Vec<Polygon>,
    /// Printed sheets.
    pub prints: Vec<FlatPrint>,
    /// What terrain there is.
    pub terrain: Terrain,
}

/// What terrain a table has.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Terrain {
    /// As the clutter asks for, drawn by the seed.
    #[default]
    ByChance,
    /// Pieces of felt about as wide and deep as these outlines, and nothing else.
    Felts(Vec<Polygon>),
}

/// A stalk that leans about its foot, the tag and its plate going with it.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Lean {
    /// To the base's right, degrees.
    pub right_deg: f64,
    /// Ahead, degrees.
    pub forward_deg: f64,
}

/// A box; what of it lies under the table does not show.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// The middle of its upper face.
    pub top: Point3<f64>,
    /// Along its own first side, which lies along x before it is turned.
    pub width_mm: f64,
    /// Along its second.
    pub depth_mm: f64,
    /// From its upper face down.
    pub thickness_mm: f64,
    /// Turn about the upright, anticlockwise, degrees.
    pub turn_deg: f64,
    /// Rise of its upper face along x and y, millimetres a millimetre.
    pub slope: Vector,
    /// Its colour, 8-bit sRGB.
    pub colour: [u8; 3],
}

/// What is printed on a sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Printed {
    /// Nothing: white paper.
    Blank,
    /// Stripes of black and white at 45 degrees: white where (x + y) / sqrt(2) divided by the period has a
    /// fraction below a half, x and y from `from`.
    Stripes {
        /// Where the count begins.
        from: Point,
        /// A black stripe and a white one together, millimetres.
        period_mm: f64,
    },
}

/// A sheet that lies level, its sides along x and y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FlatPrint {
    /// Its middle.
    pub middle: Point3<f64>,
    /// Along x.
    pub width_mm: f64,
    /// Along y.
    pub depth_mm: f64,
    /// What is on it.
    pub printed: Printed,
}

/// The least turn that takes the upright to the normal of a plane with this rise.
pub(super) fn tilt(slope: Vector) -> UnitQuaternion<f64> {
    let normal = Vector3::new(-slope.x, -slope.y, 1.0);
    UnitQuaternion::rotation_between(&Vector3::z(), &normal).unwrap_or_default()
}

/// A turn about a point.
pub(super) fn about(point: Point3<f64>, turn: UnitQuaternion<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(point.coords - turn * point.coords), turn)
}
