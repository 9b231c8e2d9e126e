//! What is wrong with a picture before any tag is asked of it: too dark, too bright, blurred. And how large the tags in
//! it are.
//!
//! Values are of 255, widths in pixels. Blur is the sigma of a Gaussian that would make the picture's sharpest edges as
//! wide as they are: an edge that rises by `rise` with the slope `slope` is `rise / (slope * sqrt(2 pi))` wide. The
//! limits of light that is too bright and of blur are where tags begin to be lost on the simulated sample table at 1920x1080:
//! `tests/it/quality.rs` measures both sides. That of darkness is a choice: tags are still read below it.

use super::{Detection, GreyImage, TagPattern};

/// Something that is wrong with a picture.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum PictureFault {
    /// Its lightest parts are dark.
    #[error(
        "too dark: white paper shows at {white} of 255, {LEAST_WHITE} are needed; turn on a light, or let the camera expose longer"
    )]
    Dark {
        /// The lightest of its parts.
        white: u8,
    },
    /// What is light in it is as light as the camera can tell.
    #[error(
        "too bright: white paper shows at {white} of 255, as white as can be, and the edges of tags run; dim the light, or let the camera expose for a shorter time"
    )]
    Bright {
        /// The lightest of its parts.
        white: u8,
    },
    /// Its sharpest edges are wide.
    #[error(
        "blurred: the sharpest edges are {sigma_px:.1} px wide, {MOST_BLUR_PX} px at most are good; focus the camera, clean its lens, and see that it stands still"
    )]
    Blurred {
        /// Sigma of the blur.
        sigma_px: f64,
    },
}

/// The lightest hundredth of a picture is at least as light as this, of 255.
pub const LEAST_WHITE: u8 = 30;
/// The lightest hundredth is below this, or tells nothing but white. 253 with all tags read, 254 with most lost.
const CLIPPED: u8 = 254;
/// The most blur, one sigma in pixels.
pub const MOST_BLUR_PX: f64 = 1.4;
/// Every so many rows are looked at.
const STEP: usize = 3;
/// An edge is looked for so far to either side, pixels.
const REACH: usize = 8;
/// What rises by less than this is grain, of 255.
const LEAST_RISE: i32 = 40;
/// Fewer edges than this say nothing of a lens.
const LEAST_EDGES: usize = 60;

/// What is wrong with a picture: nothing where it is good.
pub fn picture_faults(picture: &GreyImage) -> Vec<PictureFault> {
    let histogram = histogram(picture);
    let white = lightest(&histogram);
    if white < LEAST_WHITE {
        // In the dark nothing can be said of its edges.
        return vec![PictureFault::Dark { white }];
    }
    let bright = (white >= CLIPPED).then_some(PictureFault::Bright { white });
    let sigma = blur_px(picture).filter(|sigma| *sigma > MOST_BLUR_PX);
    bright.into_iter().chain(sigma.map(|sigma_px| PictureFault::Blurred { sigma_px })).collect()
}

fn rows(picture: &GreyImage) -> impl Iterator<Item = &[u8]> {
    picture.data().chunks_exact(picture.width().max(1)).step_by(STEP)
}

fn histogram(picture: &GreyImage) -> [u64; 256] {
    let mut counts = [0; 256];
    rows(picture).flatten().for_each(|value| counts[usize::from(*value)] += 1);
    counts
}

/// The value that all but the lightest hundredth keep below.
fn lightest(histogram: &[u64; 256]) -> u8 {
    let all: u64 = histogram.iter().sum();
    let mut above = 0;
    for value in (0..=255u8).rev() {
        above += histogram[usize::from(value)];
        if above * 100 >= all.max(1) {
            return value;
        }
    }
    0
}

/// The sigma of the blur of the picture's sharpest edges that rise along its rows; `None` where it has too few edges to
/// tell.
pub fn blur_px(picture: &GreyImage) -> Option<f64> {
    let mut widths: Vec<f64> = rows(picture).flat_map(edges).collect();
    if widths.len() < LEAST_EDGES {
        return None;
    }
    // The sharpest fifth: slanting edges and soft shadows are wider than the lens makes them.
    let at = widths.len() / 5;
    let (_, width, _) = widths.select_nth_unstable_by(at, f64::total_cmp);
    Some(*width)
}

/// The widths of the edges in a row, each where it is steepest.
fn edges(row: &[u8]) -> impl Iterator<Item = f64> + '_ {
    let slope = |x: usize| i32::from(row[x + 1]) - i32::from(row[x - 1]);
    let middle = REACH + 1..row.len().saturating_sub(REACH + 1);
    middle.filter_map(move |x| {
        let here = slope(x);
        // A local height of the slope, the first of several alike.
        if here.abs() < LEAST_RISE / 8 || slope(x - 1).abs() >= here.abs() || slope(x + 1).abs() > here.abs()
        {
            return None;
        }
        // From the foot of the edge to its head: as far as it goes on in the same direction.
        let sign = here.signum();
        let end = |towards: &dyn Fn(usize) -> usize| {
            (1..=REACH).map(towards).take_while(|at| slope(*at) * sign > 0).last().unwrap_or(x)
        };
        let (foot, head) = (end(&|k| x - k), end(&|k| x + k));
        let rise = (i32::from(row[head]) - i32::from(row[foot])).abs();
        let wide = f64::from(rise) / (f64::from(here.abs()) / 2.0 * std::f64::consts::TAU.sqrt());
        (rise >= LEAST_RISE).then_some(wide)
    })
}

/// Pixels to a module of a tag as it was found: its square's sides over its modules. `None` for a tag without a pattern.
pub fn module_px(detection: &Detection) -> Option<f64> {
    let pattern = TagPattern::of(detection.tag)?;
    Some(detection.side_px() / pattern.border_modules() as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stripes 24 px wide, dark 30 and light 200, blurred by a Gaussian of that sigma.
    fn stripes(sigma: f64) -> GreyImage {
        let (width, height) = (480, 60);
        let erf = |x: f64| {
            // Abramowitz and Stegun 7.1.26, right to 1.5e-7.
            let t = 1.0 / (1.0 + 0.327_591_1 * x.abs());
            let sum = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
            let poly = sum.into_iter().fold(0.0, |all, a| all * t + a) * t;
            (1.0 - poly * (-x * x).exp()).copysign(x)
        };
        let value = |x: usize| {
            let nearest = (x as f64 / 24.0).round();
            let rise = if nearest as i64 % 2 == 0 { -1.0 } else { 1.0 };
            let d = x as f64 - 24.0 * nearest;
            115.0 + 85.0 * rise * erf(d / (sigma * std::f64::consts::SQRT_2))
        };
        let row: Vec<u8> = (0..width).map(|x| value(x).round() as u8).collect();
        GreyImage::new(width, height, row.repeat(height)).expect("480 by 60")
    }

    #[test]
    fn the_blur_of_an_edge_is_measured() {
        for sigma in [1.2, 1.8, 2.5, 3.5] {
            let found = blur_px(&stripes(sigma)).expect("there are edges");
            // A slope over two pixels is a little less than the steepest.
            assert!((found / sigma - 1.0).abs() < 0.16, "{found} for {sigma}");
        }
    }

    #[test]
    fn a_picture_without_edges_is_not_called_blurred() {
        let grey = GreyImage::new(320, 240, vec![128; 320 * 240]).expect("320 by 240");
        assert_eq!((blur_px(&grey), picture_faults(&grey)), (None, vec![]));
        let dark = GreyImage::new(320, 240, vec![20; 320 * 240]).expect("320 by 240");
        assert_eq!(picture_faults(&dark), [PictureFault::Dark { white: 20 }]);
        let white = GreyImage::new(320, 240, vec![255; 320 * 240]).expect("320 by 240");
        assert_eq!(picture_faults(&white), [PictureFault::Bright { white: 255 }]);
    }
}
