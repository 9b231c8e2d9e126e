//! The tags of a table in one picture.

use super::super::view::registered;
use super::{TableView, TagSight};
use crate::tracking::{Tag, TagCorners, TagFamily};
use crate::vision::location::CornerNoise;
use crate::vision::register::Scratch;
use crate::vision::{
    BeliefSettings, DetectorError, DetectorSettings, GreyImage, Lens, PatternNoise, TagDetector,
};
use std::collections::{BTreeMap, BTreeSet};

/// Finds a table's tags in pictures. Not [`Send`]: it holds the tag detector.
#[derive(Debug)]
pub struct TableFinder {
    detector: TagDetector,
    sizes_mm: BTreeMap<Tag, f64>,
    scratch: Scratch,
}

impl TableFinder {
    /// Looks for these tags, each with the side of its square in millimetres.
    ///
    /// # Errors
    /// Where the detector cannot be made.
    pub fn new(sizes_mm: BTreeMap<Tag, f64>) -> Result<Self, DetectorError> {
        let families: BTreeSet<TagFamily> = sizes_mm.keys().map(|t| t.family).collect();
        let detector = TagDetector::new(&families, DetectorSettings::default())?;
        Ok(Self { detector, sizes_mm, scratch: Scratch::default() })
    }

    /// Every tag of the table that the picture shows once, its pattern registered where it can be. A tag
    /// that shows twice is a ghost or a copy: neither is used.
    pub fn find(&mut self, label: &str, picture: &GreyImage) -> TableView {
        // Over one tag any lens is as good as straight.
        let plain = Lens::from_field_of_view(picture.width() as u32, picture.height() as u32, 70.0);
        // Below this a reading is taken for a ghost, as in the pipeline.
        let least = BeliefSettings::default().least_margin;
        let mut sights: BTreeMap<Tag, Vec<TagSight>> = BTreeMap::new();
        for found in self.detector.detect(picture) {
            let Some(&size_mm) = self.sizes_mm.get(&found.tag) else { continue };
            if found.decision_margin < least {
                continue;
            }
            let corners = found.corners_px.in_order();
            let fine = registered(picture, &plain, found.tag, size_mm, corners, &mut self.scratch);
            let sigma_px = match fine {
                Some(_) => PatternNoise::default().reference.sigma_px,
                None => CornerNoise::default().sigma_px,
            };
            let corners_px = TagCorners::from_order(fine.unwrap_or(corners));
            sights.entry(found.tag).or_default().push(TagSight { tag: found.tag, corners_px, sigma_px });
        }
        let once = sights.into_values().filter_map(|s| (s.len() == 1).then(|| s[0]));
        TableView { label: label.to_owned(), sights: once.collect() }
    }
}
