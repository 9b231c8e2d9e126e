//! Six-sided dice with pips, read in a picture of a tray. It refuses rather than guesses.
//!
//! What differs from the ground is a blob; round marks in and about it are pips; a face is a square lattice of nine places
//! whose pattern is exactly one of a die's, each place plainly on or off. Everything that this does not explain is a
//! refusal with its reason: a die that reads wrongly costs a battle, a refusal costs a key.
//! Image frame: pixel centres at whole numbers, x right, y down. Pure: the same picture gives the same dice.

mod decide;
mod face;
mod ground;
mod one;
mod pips;
mod rest;
mod still;
mod tray;

pub use rest::{AtRest, RestSettings};
pub use still::{PixelRect, Pixels, StillSettings, Stillness};
pub use tray::{InTray, TrayReading, read_tray};

use crate::vision::RgbImage;
use std::fmt;

/// A die that was read.
#[derive(Debug, Clone, PartialEq)]
pub struct DieReading {
    /// What it shows, 1 to 6.
    pub value: u8,
    /// The middle of its upper face, in pixels.
    pub middle: [f64; 2],
    /// The side of that face, in pixels, as its pips have it.
    pub side: f64,
    /// How plainly it was read, 0 to 1: the least margin of all that was asked of it. No probability.
    pub confidence: f64,
    /// The colour of its face between the pips: red, green, blue.
    pub colour: [u8; 3],
}

/// Why something in the tray was not read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum WhyNot {
    /// Its pips or what lies between them are not plain: glare, a stain, pips of nearly the die's own colour.
    Unclear,
    /// Its upper face is seen aslant: the die leans.
    Cocked,
    /// More lies there than the faces that were read explain: dice one upon another, or one against something.
    Stacked,
    /// It has pips that its pattern does not explain.
    Contradictory,
    /// It lies at the edge of what is looked at.
    AtTheEdge,
    /// No face was found on it.
    NoFace,
}

impl fmt::Display for WhyNot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unclear => "its pips are not plain to see",
            Self::Cocked => "it leans, or is seen from the side",
            Self::Stacked => "dice lie on or against each other, or something else lies there",
            Self::Contradictory => "its pips contradict each other",
            Self::AtTheEdge => "it lies at the edge of the tray",
            Self::NoFace => "no face can be read on it",
        })
    }
}

/// Something in the tray that was not read.
#[derive(Debug, Clone, PartialEq)]
pub struct DieRefusal {
    /// Where, in pixels.
    pub middle: [f64; 2],
    /// The radius of the circle of its size, in pixels.
    pub radius: f64,
    /// Why.
    pub why: WhyNot,
}

/// What lies in the tray.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DiceSeen {
    /// The dice that were read, from the left.
    pub readings: Vec<DieReading>,
    /// What was not, from the left.
    pub refusals: Vec<DieRefusal>,
}

/// Reads dice in pictures.
#[derive(Debug, Clone, Default)]
pub struct DiceReader {
    outline: Option<Vec<[f64; 2]>>,
}

/// Pictures up to so many pixels wide are looked at twice as finely.
const FINE_UP_TO: usize = 1000;

impl DiceReader {
    /// A reader of the whole picture.
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader of the inside of a tray, a polygon in pixels. Fewer than three corners: the whole picture.
    pub fn within(outline: Vec<[f64; 2]>) -> Self {
        Self { outline: (outline.len() >= 3).then_some(outline) }
    }

    /// What lies in the tray.
    pub fn read(&self, picture: &RgbImage) -> DiceSeen {
        let area = ground::Area::new(picture.width(), picture.height(), self.outline.as_deref());
        let [left, top, right, bottom] = area.bounds();
        if right <= left || bottom <= top {
            return DiceSeen::default();
        }
        let short = (right - left).min(bottom - top) as f32;
        let fine = if right - left <= FINE_UP_TO { 2 } else { 1 };
        let Some(ground) = ground::Ground::of(picture, &area) else { return DiceSeen::default() };
        let blobs = ground::blobs(picture, &ground, &area, 12);
        let marks = pips::pips(picture, &blobs, 8, (short / 40.0).max(6.0), fine);
        decide::decide(picture, &ground, &blobs, marks)
    }
}
