//! Finding tags in a grey picture, through the AprilTag library.
//!
//! Image frame: pixel centres at whole numbers. The library puts them at .5, so half a pixel is taken
//! off here, once, and nowhere else. The library's homography maps (-1,-1) to the top left of the
//! printed tag; a test pins both for every family.

use super::register::Window;
use super::{GreyImage, PixelPoint};
use crate::tracking::{Tag, TagCorners, TagFamily};
use apriltag::{Detector, DetectorBuilder, Family, Image};
use std::collections::BTreeSet;
use std::ffi::CStr;

/// One tag as it was found in a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Detection {
    /// Which tag it reads as.
    pub tag: Tag,
    /// Its corners in the picture.
    pub corners_px: TagCorners<PixelPoint>,
    /// Bits that had to be corrected.
    pub hamming: u32,
    /// Mean distance of its modules from the threshold between dark and light, grey levels.
    pub decision_margin: f64,
}

impl Detection {
    /// The mean of its corners.
    pub fn centre_px(&self) -> PixelPoint {
        let sum = self.corners_px.in_order().iter().fold(nalgebra::Vector2::zeros(), |s, c| s + c.coords);
        PixelPoint::from(sum / 4.0)
    }

    /// Mean length of its sides, pixels.
    pub fn side_px(&self) -> f64 {
        let c = self.corners_px.in_order();
        (0..4).map(|i| (c[(i + 1) % 4] - c[i]).norm()).sum::<f64>() / 4.0
    }
}

/// What the detector goes by. The library's other parameters stay at its own defaults: at least 5
/// pixels a cluster, 10 corner candidates, 10 degrees between edges, mean squared line error 10,
/// 5 grey levels between dark and light, no deglitching. They were chosen by its authors on real
/// pictures, and the bindings hand the angle over in the wrong unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DetectorSettings {
    /// Threads inside the C library. 1: more have an open report of a data race.
    pub threads: u8,
    /// The picture is searched at this fraction of its size. 1: at 1.9 pixels a module 1.5 finds 58 %
    /// of the tags and 2 finds 15 %, where 1 finds all.
    pub decimate: f32,
    /// Blur before the search, pixels. 0: webcams blur enough, and blur costs small tags.
    pub blur_sigma_px: f32,
    /// Sharpening before the modules are read: the library's own 0.25, which helps small tags.
    pub sharpening: f64,
}

impl Default for DetectorSettings {
    fn default() -> Self {
        Self { threads: 1, decimate: 1.0, blur_sigma_px: 0.0, sharpening: 0.25 }
    }
}

/// Bits of a family that may be wrong and are corrected. A square that is no tag passes with the
/// chance ids * 4 turns * (patterns within so many bits) / 2^bits.
pub fn corrected_bits(family: TagFamily) -> u32 {
    match family {
        // 587 * 4 * 667 / 2^36: one in 44,000.
        TagFamily::Tag36h11 => 2,
        // 35 * 4 * 26 / 2^25: one in 9,200; with two bits it would be one in 740.
        TagFamily::Tag25h9 => 1,
        // 30 * 4 / 2^16: one in 546 already. With two bits hundreds of ghosts a frame were counted.
        TagFamily::Tag16h5 => 0,
        // 2115 * 4 * 862 / 2^41: one in 300,000.
        TagFamily::TagStandard41h12 => 2,
    }
}

/// Finds tags. Not [`Send`]: it is made inside the thread that uses it, once, for making it takes up
/// to a second and the library's family tables are never freed.
#[derive(Debug)]
pub struct TagDetector {
    detector: Detector,
}

/// Why there is no detector.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DetectorError {
    /// No family was named, so there is nothing to look for.
    #[error("no tag family to look for: the table file must name its reference tags")]
    NoFamily,
    /// The AprilTag library gave no detector.
    #[error("the AprilTag library gave no detector: {0}")]
    Library(String),
}

/// Pictures with a side below this are not searched: nothing that fits in them can be read.
pub const LEAST_SIDE_PX: usize = 64;

impl TagDetector {
    /// Looks for tags of these families, which must be at least one.
    pub fn new(families: &BTreeSet<TagFamily>, settings: DetectorSettings) -> Result<Self, DetectorError> {
        if families.is_empty() {
            return Err(DetectorError::NoFamily);
        }
        let add = |builder: DetectorBuilder, &family: &TagFamily| {
            builder.add_family_bits(library_family(family), corrected_bits(family) as usize)
        };
        let mut detector = families
            .iter()
            .fold(Detector::builder(), add)
            .build()
            .map_err(|e| DetectorError::Library(e.to_string()))?;
        detector.set_thread_number(settings.threads);
        detector.set_decimation(settings.decimate);
        detector.set_sigma(settings.blur_sigma_px);
        // The edges are fitted again on the grey values: corners within a tenth of a pixel.
        detector.set_refine_edges(true);
        detector.set_shapening(settings.sharpening);
        detector.set_debug(false);
        Ok(Self { detector })
    }

    /// Every tag found, in the order of family, id, then place. Several may carry one id.
    pub fn detect(&mut self, grey: &GreyImage) -> Vec<Detection> {
        self.detect_in(grey, Window { x0: 0, y0: 0, width: grey.width(), height: grey.height() })
    }

    /// Every tag found in a part of the picture, its corners in the whole picture's pixels. A window that
    /// reaches out of the picture is cut at its rim.
    pub fn detect_in(&mut self, grey: &GreyImage, window: Window) -> Vec<Detection> {
        let (x0, y0) = (window.x0.min(grey.width()), window.y0.min(grey.height()));
        let (width, height) = (window.width.min(grey.width() - x0), window.height.min(grey.height() - y0));
        if width < LEAST_SIDE_PX || height < LEAST_SIDE_PX {
            return Vec::new();
        }
        let window = Window { x0, y0, width, height };
        let Some(image) = library_image(grey, window) else { return Vec::new() };
        let mut found: Vec<Detection> = self.detector.detect(&image).into_iter().filter_map(adopt).collect();
        let offset = nalgebra::Vector2::new(x0 as f64, y0 as f64);
        for detection in &mut found {
            detection.corners_px = detection.corners_px.map(|c| c + offset);
        }
        found.sort_by(|a, b| {
            let place = |d: &Detection| (d.centre_px().y, d.centre_px().x);
            a.tag
                .cmp(&b.tag)
                .then(place(a).partial_cmp(&place(b)).expect("the adapter passes on finite corners only"))
        });
        found
    }
}

fn library_family(family: TagFamily) -> Family {
    match family {
        TagFamily::Tag36h11 => Family::tag_36h11(),
        TagFamily::Tag25h9 => Family::tag_25h9(),
        TagFamily::Tag16h5 => Family::tag_16h5(),
        TagFamily::TagStandard41h12 => Family::tag_standard_41h12(),
    }
}

/// A window of the picture in the library's own buffer, whose rows are padded.
fn library_image(grey: &GreyImage, window: Window) -> Option<Image> {
    let Window { x0, y0, width, height } = window;
    let mut image =
        Image::zeros_with_alignment(width, height, apriltag::image_buf::DEFAULT_ALIGNMENT_U8).ok()?;
    let stride = image.stride();
    let lines = grey.data().chunks(grey.width()).skip(y0).take(height);
    for (to, from) in image.as_slice_mut().chunks_mut(stride).zip(lines) {
        to[..width].copy_from_slice(&from[x0..x0 + width]);
    }
    Some(image)
}

/// The library's detection in this program's conventions; `None` where it is not finite.
fn adopt(raw: apriltag::Detection) -> Option<Detection> {
    let (id, hamming) = (raw.id(), raw.hamming());
    let decision_margin = f64::from(raw.decision_margin());
    // The library's order is (-1,1), (1,1), (1,-1), (-1,-1) of the tag's own square.
    let [bottom_left, bottom_right, top_right, top_left] =
        raw.corners().map(|[x, y]| PixelPoint::new(x - 0.5, y - 0.5));
    let corners_px = TagCorners { top_left, top_right, bottom_right, bottom_left };
    let pointer = raw.into_raw();
    // SAFETY: the pointer is a live detection, its family was given to the detector and is never
    // freed, and the name is a C string made with the family. It goes back to be freed.
    let name = unsafe {
        let name = CStr::from_ptr((*(*pointer.as_ptr()).family).name).to_string_lossy().into_owned();
        drop(apriltag::Detection::from_raw(pointer.as_ptr()));
        name
    };
    let finite = corners_px.in_order().iter().all(|c| c.x.is_finite() && c.y.is_finite());
    let family = name.parse().ok().filter(|_| finite)?;
    Some(Detection {
        tag: Tag::new(family, u32::try_from(id).ok()?),
        corners_px,
        hamming: u32::try_from(hamming).ok()?,
        decision_margin,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::TagPattern;

    /// A tag drawn with its upper left corner of the detector's square at (`x`, `y`), pixel centres at
    /// whole numbers, `module` pixels a module, unturned, each pixel the mean of 8x8 samples.
    fn drawn(tag: Tag, x: f64, y: f64, module: f64) -> GreyImage {
        let pattern = TagPattern::of(tag).expect("the id exists");
        let size = module * pattern.border_modules() as f64;
        let (width, height) = (220, 200);
        let light = |px: f64, py: f64| {
            let (right, up) = (px - (x + size / 2.0), (y + size / 2.0) - py);
            pattern.light_at(size, right, up).unwrap_or(true)
        };
        let mut data = Vec::with_capacity(width * height);
        for row in 0..height {
            for column in 0..width {
                let lit = (0..64)
                    .filter(|s| {
                        let (i, j) = (f64::from(s % 8), f64::from(s / 8));
                        light(column as f64 - 0.5 + (i + 0.5) / 8.0, row as f64 - 0.5 + (j + 0.5) / 8.0)
                    })
                    .count();
                data.push((30 + lit * 190 / 64) as u8);
            }
        }
        GreyImage::new(width, height, data).expect("the sides fit")
    }

    #[test]
    fn corners_are_named_as_printed_and_pixel_centres_are_whole_numbers_for_every_family() {
        for family in TagFamily::ALL {
            let mut detector = TagDetector::new(&BTreeSet::from([family]), DetectorSettings::default())
                .expect("the library gives a detector");
            // The mean over sub-pixel places cancels the library's own rounding.
            let mut mean = nalgebra::Vector2::zeros();
            let places = [(0.0, 0.0), (0.25, 0.5), (0.5, 0.75), (0.75, 0.25)];
            for (dx, dy) in places {
                let tag = Tag::new(family, 7);
                let (x, y, module) = (60.0 + dx, 50.0 + dy, 9.0);
                let found = detector.detect(&drawn(tag, x, y, module));
                assert_eq!(found.len(), 1, "{family}");
                assert_eq!((found[0].tag, found[0].hamming), (tag, 0));
                let size = module * TagPattern::of(tag).expect("the id exists").border_modules() as f64;
                let c = found[0].corners_px;
                for (corner, at) in [
                    (c.top_left, (x, y)),
                    (c.top_right, (x + size, y)),
                    (c.bottom_right, (x + size, y + size)),
                    (c.bottom_left, (x, y + size)),
                ] {
                    let off = corner - PixelPoint::new(at.0, at.1);
                    assert!(off.norm() < 0.4, "{family}: {corner} should be {at:?}");
                    mean += off / (4.0 * places.len() as f64);
                }
            }
            assert!(mean.norm() < 0.1, "{family}: off by {mean} on the whole");
        }
    }

    #[test]
    fn several_families_are_told_apart_in_one_pass() {
        let families = BTreeSet::from([TagFamily::Tag36h11, TagFamily::Tag25h9]);
        let mut detector =
            TagDetector::new(&families, DetectorSettings::default()).expect("the library gives a detector");
        for tag in [Tag::new(TagFamily::Tag36h11, 20), Tag::new(TagFamily::Tag25h9, 20)] {
            let found = detector.detect(&drawn(tag, 60.0, 50.0, 8.0));
            assert_eq!(found.iter().map(|d| d.tag).collect::<Vec<_>>(), [tag]);
        }
    }

    #[test]
    fn no_family_and_a_picture_of_one_pixel_are_answered() {
        let none = TagDetector::new(&BTreeSet::new(), DetectorSettings::default());
        assert_eq!(none.err(), Some(DetectorError::NoFamily));
        let mut detector =
            TagDetector::new(&BTreeSet::from([TagFamily::Tag25h9]), DetectorSettings::default())
                .expect("the library gives a detector");
        assert!(detector.detect(&GreyImage::new(1, 1, vec![9]).expect("one pixel")).is_empty());
    }
}
