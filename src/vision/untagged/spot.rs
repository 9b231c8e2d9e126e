//! The camera over a spot, by the table's own reference tags or by tiles laid round it.

pub use crate::vision::calibration::table::{LEAST_TILES, Spot, SpotError, Tile, TileDoubt, place_by_tiles};

use crate::tracking::{ReferenceTag, Tag};
use crate::vision::calibration::table::{TableFinder, TableView};
use crate::vision::location::{ReferenceSight, RegisteredCamera, RegistrationSettings, register};
use crate::vision::{DetectorError, GreyImage, Lens, PatternNoise, RegistrationError};
use std::collections::BTreeMap;

/// What the plane comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum Ground {
    /// The table's reference tags, their places known.
    Table(Vec<ReferenceTag>),
    /// Tiles laid round the spot, their places unknown.
    Tiles(Vec<Tile>, TileDoubt),
}

/// Why no camera could be placed. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum PlaceError {
    /// By the table's reference tags.
    #[error(transparent)]
    Table(#[from] RegistrationError),
    /// By tiles.
    #[error(transparent)]
    Tiles(#[from] SpotError),
}

/// Places cameras over one ground. Not [`Send`]: it holds the tag detector.
#[derive(Debug)]
pub struct SpotFinder {
    ground: Ground,
    lens: Option<Lens>,
    finder: TableFinder,
}

impl SpotFinder {
    /// Over this ground, with the lens profile where there is one.
    ///
    /// # Errors
    /// Where the detector cannot be made.
    pub fn new(ground: Ground, lens: Option<Lens>) -> Result<Self, DetectorError> {
        let sizes: BTreeMap<Tag, f64> = match &ground {
            Ground::Table(reference) => reference.iter().map(|r| (r.tag, r.size_mm)).collect(),
            Ground::Tiles(tiles, _) => tiles.iter().map(|t| (t.tag, t.size_mm)).collect(),
        };
        Ok(Self { ground, lens, finder: TableFinder::new(sizes)? })
    }

    /// The camera that took this picture, with its uncertainty.
    ///
    /// # Errors
    /// Too few tags, or tags that do not fit together.
    pub fn place(&mut self, label: &str, picture: &GreyImage) -> Result<RegisteredCamera, PlaceError> {
        let view = self.finder.find(label, picture);
        let size = (picture.width(), picture.height());
        match &self.ground {
            Ground::Table(reference) => Ok(by_reference(&view, reference, size, self.lens.as_ref())?),
            Ground::Tiles(tiles, doubt) => {
                Ok(place_by_tiles(&view, tiles, size, self.lens.as_ref(), doubt)?.camera)
            }
        }
    }
}

fn by_reference(
    view: &TableView,
    reference: &[ReferenceTag],
    size: (usize, usize),
    lens: Option<&Lens>,
) -> Result<RegisteredCamera, RegistrationError> {
    let place = |tag: Tag| reference.iter().find(|r| r.tag == tag).copied();
    let sights: Vec<ReferenceSight> = view
        .sights
        .iter()
        .filter_map(|s| Some(ReferenceSight { place: place(s.tag)?, corners_px: s.corners_px }))
        .collect();
    let noise = PatternNoise::default().reference;
    register(&sights, reference.len(), size, lens, &noise, &RegistrationSettings::default())
}
