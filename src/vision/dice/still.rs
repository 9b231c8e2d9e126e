//! Whether the pixels of a tray rest. It is asked at every frame, so it looks at some thousands of places and no more.
//!
//! Image frame, pixels. Pure: time comes with the pictures. Invariant: what has moved since the last picture counts as
//! moving, whatever it looks like; what lies there is no matter of this file.

use crate::tracking::CapturedAt;
use crate::vision::GreyImage;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A rectangle of whole pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PixelRect {
    /// Its first column.
    pub left: usize,
    /// Its first row.
    pub top: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl PixelRect {
    /// Whether it lies in a picture of so many columns and rows, and is no line.
    pub fn lies_in(&self, columns: usize, rows: usize) -> bool {
        let end = |from: usize, length: usize| from.checked_add(length);
        self.width > 1
            && self.height > 1
            && end(self.left, self.width).is_some_and(|right| right <= columns)
            && end(self.top, self.height).is_some_and(|bottom| bottom <= rows)
    }
}

/// When pixels count as resting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StillSettings {
    /// A place has changed when its brightness did by more, grey values: more than a webcam's grain in the mean of four.
    pub level: u8,
    /// The tray has changed when more than this share of its places did, and more than `few`.
    pub share: f64,
    /// So many places change by chance.
    pub few: usize,
    /// Over so many pictures without a change.
    pub pictures: usize,
    /// And over so long.
    pub time: Duration,
}

impl Default for StillSettings {
    fn default() -> Self {
        Self { level: 18, share: 0.001, few: 4, pictures: 4, time: Duration::from_millis(300) }
    }
}

/// How the pixels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pixels {
    /// They changed since the last picture.
    Changed,
    /// They did not, and have not rested long enough.
    Settling,
    /// They rest.
    Resting,
}

/// About so many places are looked at.
const PLACES: usize = 12_000;

/// Tells when a part of a row of pictures rests.
#[derive(Debug, Clone, Default)]
pub struct Stillness {
    last: Vec<u8>,
    area: Option<PixelRect>,
    still: usize,
    since: Option<CapturedAt>,
}

impl Stillness {
    /// Takes the next picture, captured at `at`. The area lies in it.
    pub fn look(&mut self, grey: &GreyImage, area: PixelRect, at: CapturedAt, s: &StillSettings) -> Pixels {
        let now = places(grey, area);
        let far = self.last.iter().zip(&now).filter(|(a, b)| a.abs_diff(**b) > s.level).count();
        let allowed = s.few.max((s.share * now.len() as f64) as usize);
        let other = self.area != Some(area) || self.last.len() != now.len() || far > allowed;
        (self.last, self.area) = (now, Some(area));
        if other {
            (self.still, self.since) = (1, Some(at));
            return Pixels::Changed;
        }
        self.still += 1;
        let rested = self.since.is_some_and(|since| at.since(since) >= s.time);
        if self.still >= s.pictures && rested { Pixels::Resting } else { Pixels::Settling }
    }
}

/// Means of two by two pixels on a grid over the area.
fn places(grey: &GreyImage, area: PixelRect) -> Vec<u8> {
    let step = ((area.width * area.height) as f64 / PLACES as f64).sqrt().ceil().max(2.0) as usize;
    let (columns, data) = (grey.width(), grey.data());
    let mut seen = Vec::with_capacity((area.width / step + 1) * (area.height / step + 1));
    for y in (area.top..area.top + area.height - 1).step_by(step) {
        for x in (area.left..area.left + area.width - 1).step_by(step) {
            let i = y * columns + x;
            let sum: u16 = [i, i + 1, i + columns, i + columns + 1].iter().map(|i| u16::from(data[*i])).sum();
            seen.push((sum / 4) as u8);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    const AREA: PixelRect = PixelRect { left: 20, top: 10, width: 200, height: 150 };

    fn at(ms: u64) -> CapturedAt {
        CapturedAt(Duration::from_millis(ms))
    }

    /// A grey floor with grain of a few values, and a bright square of 20 pixels at a column.
    fn picture(square: Option<usize>, seed: usize) -> GreyImage {
        let data = (0..320 * 240)
            .map(|i: usize| {
                let (x, y) = (i % 320, i / 320);
                let grain = (i.wrapping_mul(2_654_435_761).wrapping_add(seed * 97) >> 7) % 13;
                let on = square.is_some_and(|left| (left..left + 20).contains(&x) && (60..80).contains(&y));
                (if on { 200 } else { 90 }) + grain as u8
            })
            .collect();
        GreyImage::new(320, 240, data).expect("a picture")
    }

    fn look(still: &mut Stillness, picture: &GreyImage, ms: u64) -> Pixels {
        still.look(picture, AREA, at(ms), &StillSettings::default())
    }

    #[test]
    fn pixels_rest_after_four_pictures_and_three_tenths_of_a_second_and_grain_is_no_change() {
        let mut still = Stillness::default();
        let told: Vec<Pixels> =
            (0..6).map(|n| look(&mut still, &picture(Some(60), n), 100 * n as u64)).collect();
        use Pixels::{Changed, Resting, Settling};
        assert_eq!(told, [Changed, Settling, Settling, Resting, Resting, Resting]);
        // As many pictures, in a tenth of the time.
        let mut still = Stillness::default();
        let told: Vec<Pixels> =
            (0..6).map(|n| look(&mut still, &picture(Some(60), n), 10 * n as u64)).collect();
        assert!(!told.contains(&Resting), "{told:?}");
    }

    #[test]
    fn a_die_that_rolls_a_pixel_on_or_comes_changes_them_and_what_is_beside_the_tray_does_not() {
        let rested = || {
            let mut still = Stillness::default();
            (0..5).for_each(|n| {
                look(&mut still, &picture(Some(60), 0), 100 * n);
            });
            still
        };
        assert_eq!(look(&mut rested(), &picture(Some(60), 0), 500), Pixels::Resting);
        assert_eq!(look(&mut rested(), &picture(Some(62), 0), 500), Pixels::Changed);
        assert_eq!(look(&mut rested(), &picture(None, 0), 500), Pixels::Changed);
        let mut beside = picture(Some(60), 0);
        beside.data_mut()[..320 * 9].fill(0);
        assert_eq!(look(&mut rested(), &beside, 500), Pixels::Resting);
        let other = PixelRect { left: 40, ..AREA };
        let told = rested().look(&picture(Some(60), 0), other, at(500), &StillSettings::default());
        assert_eq!(told, Pixels::Changed);
    }

    #[test]
    fn a_rectangle_lies_in_a_picture_or_it_does_not() {
        assert!(AREA.lies_in(220, 160) && !AREA.lies_in(219, 160) && !AREA.lies_in(220, 159));
        assert!(!PixelRect { width: 1, ..AREA }.lies_in(1000, 1000));
        assert!(!PixelRect { left: usize::MAX, ..AREA }.lies_in(1000, 1000));
    }
}
