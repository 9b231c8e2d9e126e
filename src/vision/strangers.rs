//! Tags that surely lie on the table and belong to nobody, or not as they are written: what is behind an element that is
//! "missing" though its base stands there.
//!
//! Only what is a printed tag beyond doubt is told: read clearly and without a wrong bit, a flat square between the reference
//! tags. Of a source that is followed it must also have lain in one place in two looks. Textured cloth gives ghosts, of tag16h5
//! above all; they are seldom square, and seldom read clearly.

use super::belief::Refusal;
use super::measure::area_of;
use super::pipeline::{Reading, Sequence};
use super::{CameraModel, Detection, PixelPoint};
use crate::geometry::Point;
use crate::tracking::{CapturedAt, ReferenceTag, Tag, TagFamily, Visibility};
use std::collections::BTreeMap;
use std::time::Duration;

/// A clearly read tag has a decision margin of so much, grey levels; of tag16h5, whose ghosts are many, of so much. Choices.
const CLEAR: f64 = 30.0;
const CLEAR_16H5: f64 = 45.0;
/// Sides of a tag, millimetres.
const SIDES_MM: (f64, f64) = (4.0, 150.0);
/// Sides, and diagonals over the square's, may differ from their mean by this share.
const SQUARE: f64 = 0.12;
/// Lies where it lay, pixels.
const SAME_PX: f64 = 2.0;
/// What was not read again for so long is not told any more: a slow sweep over the whole picture takes half a minute.
const FORGET: Duration = Duration::from_secs(60);

/// A tag on the table that is nobody's, or not as it is written.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stranger {
    /// Which tag.
    pub tag: Tag,
    /// Where it would lie on the playing surface.
    pub at: Point,
    /// Why it does not count: it is not named, or not of the size that is written.
    pub why: Refusal,
}

/// One that was read.
#[derive(Debug, Clone, Copy)]
struct Sighted {
    stranger: Stranger,
    centre_px: PixelPoint,
    looks: u32,
    last: CapturedAt,
}

/// Those that were read of late.
#[derive(Debug, Default)]
pub(super) struct Strangers {
    sighted: BTreeMap<Tag, Sighted>,
}

impl Strangers {
    /// Takes in what a frame gave; who surely lies there by now.
    pub fn take(
        &mut self,
        reading: &Reading,
        reference: &[ReferenceTag],
        sequence: Sequence,
    ) -> Vec<Stranger> {
        if sequence == Sequence::Unrelated {
            self.sighted.clear();
        }
        let now = reading.snapshot.captured_at;
        self.sighted.retain(|_, s| now.since(s.last) < FORGET);
        let tracks = &reading.snapshot.tracks;
        let missing = |tag: &Tag| tracks.get(tag).is_none_or(|t| t.visibility == Visibility::Missing);
        self.sighted.retain(|tag, _| missing(tag));
        if let Some(camera) = &reading.camera {
            let told = reading.refused.iter().filter(|r| is_told(&r.why) && missing(&r.detection.tag));
            for refused in told {
                let Some(at) = surely(&refused.detection, camera, reference) else { continue };
                let stranger = Stranger { tag: refused.detection.tag, at, why: refused.why };
                let centre_px = refused.detection.centre_px();
                let same = |s: &&Sighted| (s.centre_px - centre_px).norm() <= SAME_PX;
                let looks = self
                    .sighted
                    .get(&stranger.tag)
                    .filter(same)
                    .map_or(1, |s| s.looks + u32::from(s.last != now));
                self.sighted.insert(stranger.tag, Sighted { stranger, centre_px, looks, last: now });
            }
        }
        let needed = match sequence {
            Sequence::Unrelated => 1,
            Sequence::Following => 2,
        };
        self.sighted.values().filter(|s| s.looks >= needed).map(|s| s.stranger).collect()
    }
}

fn is_told(why: &Refusal) -> bool {
    matches!(why, Refusal::NotNamed | Refusal::WrongSize { .. })
}

/// Where it lies, if it is a printed tag on the table beyond doubt.
fn surely(found: &Detection, camera: &CameraModel, reference: &[ReferenceTag]) -> Option<Point> {
    let least = if found.tag.family == TagFamily::Tag16h5 { CLEAR_16H5 } else { CLEAR };
    if found.hamming > 0 || found.decision_margin < least {
        return None;
    }
    let mut corners = [Point::origin(); 4];
    for (corner, pixel) in corners.iter_mut().zip(found.corners_px.in_order()) {
        *corner = camera.table_from_image(pixel, 0.0)?;
    }
    if !is_square(&corners) {
        return None;
    }
    let at = camera.table_from_image(found.centre_px(), 0.0)?;
    let area = area_of(reference)?;
    let within = |low: f64, at: f64, high: f64| (low..=high).contains(&at);
    let held = within(area.least.x, at.x, area.most.x) && within(area.least.y, at.y, area.most.y);
    held.then_some(at)
}

/// Whether four corners in order make a square of a tag's size.
fn is_square(corners: &[Point; 4]) -> bool {
    let side = |n: usize| (corners[(n + 1) % 4] - corners[n]).norm();
    let mean = (0..4).map(side).sum::<f64>() / 4.0;
    let near = |mm: f64, whole: f64| (mm - whole).abs() <= SQUARE * whole;
    let across = [(0, 2), (1, 3)].map(|(a, b)| (corners[b] - corners[a]).norm());
    (SIDES_MM.0..=SIDES_MM.1).contains(&mean)
        && (0..4).all(|n| near(side(n), mean))
        && across.into_iter().all(|d| near(d, mean * std::f64::consts::SQRT_2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_is_told_from_what_cloth_gives() {
        let at = |x: f64, y: f64| Point::new(x, y);
        assert!(is_square(&[at(0.0, 0.0), at(12.0, 0.0), at(12.3, 12.0), at(0.0, 12.2)]));
        // A sliver, a rhombus, one with a corner pulled out, one that is far too small.
        assert!(!is_square(&[at(0.0, 0.0), at(20.0, 0.0), at(20.0, 12.0), at(0.0, 12.0)]));
        assert!(!is_square(&[at(0.0, 0.0), at(12.0, 0.0), at(16.0, 11.3), at(4.0, 11.3)]));
        assert!(!is_square(&[at(0.0, 0.0), at(12.0, 0.0), at(16.0, 16.0), at(0.0, 12.0)]));
        assert!(!is_square(&[at(0.0, 0.0), at(1.0, 0.0), at(1.0, 1.0), at(0.0, 1.0)]));
    }
}
