//! What the first run looks for in a single picture, beside the table's own reader: its light and sharpness, and every
//! tag. The reader looks only where something changed; here the whole picture counts. Worked out at a desk.

use crate::tracking::TagFamily;
use crate::vision::{Detection, DetectorSettings, GreyImage, PictureFault, TagDetector, picture_faults};
use std::collections::BTreeSet;

/// What one picture shows.
#[derive(Debug, Clone, PartialEq)]
pub struct PictureLook {
    /// What is wrong with it.
    pub faults: Vec<PictureFault>,
    /// Every tag in it; none where the detector cannot start.
    pub found: Vec<Detection>,
}

/// Looks at a picture for tags of these families.
pub fn look(picture: &GreyImage, families: &BTreeSet<TagFamily>) -> PictureLook {
    let detector = TagDetector::new(families, DetectorSettings::default());
    let found = detector.map(|mut detector| detector.detect(picture)).unwrap_or_default();
    PictureLook { faults: picture_faults(picture), found }
}
