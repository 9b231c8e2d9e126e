//! What each pixel of the rectified picture looks like: its colour in Lab and how lively its brightness is round
//! about, smoothed over a few millimetres of what shows.

use super::rectify::{Rectified, lab};
use nalgebra::Vector4;
use opencv::core::{CV_32FC1, Mat, MatTraitConstManual, MatTraitManual, Scalar, Size};
use opencv::imgproc;

/// L, a, b, and the spread of L round about.
pub(super) type Look = Vector4<f32>;

/// Over how much of the board the liveliness of brightness is taken, one sigma, millimetres.
const TEXTURE_MM: f64 = 3.0;
/// A pixel with less than this share of shown neighbours has no look of its own.
const LEAST_SHARE: f32 = 0.12;

/// Looks of a whole picture.
#[derive(Debug, Clone)]
pub(super) struct Features {
    pub w: usize,
    pub h: usize,
    pub look: Vec<Look>,
    /// Whether the look is the board's own: elsewhere it is filled in from round about.
    pub own: Vec<bool>,
}

/// The colours of one picture, to be smoothed more or less.
pub(super) struct Colours {
    w: usize,
    h: usize,
    lab: [Vec<f32>; 3],
    texture: Vec<f32>,
    shown: Vec<bool>,
    mm_per_px: f64,
}

/// A Gaussian of so many pixels, one sigma.
pub(super) fn blurred(
    plane: &[f32],
    (w, h): (usize, usize),
    sigma_px: f64,
) -> Result<Vec<f32>, opencv::Error> {
    let mut source = Mat::new_rows_cols_with_default(h as i32, w as i32, CV_32FC1, Scalar::all(0.0))?;
    source.data_typed_mut::<f32>()?.copy_from_slice(plane);
    let mut out = Mat::default();
    // The border is mirrored, which is OpenCV's own choice.
    imgproc::gaussian_blur_def(&source, &mut out, Size::new(0, 0), sigma_px)?;
    Ok(out.data_typed::<f32>()?.to_vec())
}

/// A Gaussian over the pixels that count: the mean round about, and their share there.
pub(super) fn mean_of(
    plane: &[f32],
    counts: &[f32],
    share: &[f32],
    size: (usize, usize),
    sigma_px: f64,
) -> Result<Vec<f32>, opencv::Error> {
    let weighed: Vec<f32> = plane.iter().zip(counts).map(|(v, c)| v * c).collect();
    let sums = blurred(&weighed, size, sigma_px)?;
    Ok(sums.iter().zip(share).map(|(v, s)| v / s.max(1e-6)).collect())
}

impl Features {
    /// Half as many columns and rows, each look the mean of those that are the board's own.
    pub(super) fn halved(&self) -> Self {
        let (look, own) = half(&self.look, &self.own, (self.w, self.h));
        let mut halved = Self { w: self.w.div_ceil(2), h: self.h.div_ceil(2), look, own };
        for row in 0..halved.h {
            for column in 0..halved.w {
                let n = row * halved.w + column;
                if !halved.own[n] {
                    halved.look[n] = self.look[2 * row * self.w + 2 * column];
                }
            }
        }
        halved
    }
}

/// Means of two by two, and where there is one.
fn half(look: &[Look], own: &[bool], (w, h): (usize, usize)) -> (Vec<Look>, Vec<bool>) {
    let (cw, ch) = (w.div_ceil(2), h.div_ceil(2));
    let mut coarse = vec![Look::zeros(); cw * ch];
    let mut known = vec![false; cw * ch];
    for row in 0..ch {
        for column in 0..cw {
            let (mut sum, mut count) = (Look::zeros(), 0.0f32);
            for (dr, dc) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                let (r, c) = (2 * row + dr, 2 * column + dc);
                if r < h && c < w && own[r * w + c] {
                    sum += look[r * w + c];
                    count += 1.0;
                }
            }
            if count > 0.0 {
                coarse[row * cw + column] = sum / count;
                known[row * cw + column] = true;
            }
        }
    }
    (coarse, known)
}

impl Colours {
    pub(super) fn of(made: &Rectified) -> Result<Self, opencv::Error> {
        let (w, h) = made.size();
        let lab = lab(made)?;
        let counts: Vec<f32> = made.shown.iter().map(|s| f32::from(u8::from(*s))).collect();
        let sigma = made.px(TEXTURE_MM);
        let share = blurred(&counts, (w, h), sigma)?;
        let mean = mean_of(&lab[0], &counts, &share, (w, h), sigma)?;
        let squares: Vec<f32> = lab[0].iter().map(|v| v * v).collect();
        let squares = mean_of(&squares, &counts, &share, (w, h), sigma)?;
        let texture = squares.iter().zip(&mean).map(|(s, m)| (s - m * m).max(0.0).sqrt()).collect();
        Ok(Self { w, h, lab, texture, shown: made.shown.clone(), mm_per_px: made.mm_per_px })
    }

    /// Looks smoothed by a Gaussian of so many millimetres, what is hidden filled in.
    pub(super) fn smoothed(&self, sigma_mm: f64) -> Result<Features, opencv::Error> {
        let size = (self.w, self.h);
        let sigma = sigma_mm / self.mm_per_px;
        let counts: Vec<f32> = self.shown.iter().map(|s| f32::from(u8::from(*s))).collect();
        let share = blurred(&counts, size, sigma)?;
        let planes = [&self.lab[0], &self.lab[1], &self.lab[2], &self.texture];
        let mut smooth = Vec::new();
        for plane in planes {
            smooth.push(mean_of(plane, &counts, &share, size, sigma)?);
        }
        let own: Vec<bool> =
            self.shown.iter().zip(&share).map(|(s, share)| *s && *share > LEAST_SHARE).collect();
        let mut look: Vec<Look> = (0..self.w * self.h)
            .map(|n| Look::new(smooth[0][n], smooth[1][n], smooth[2][n], smooth[3][n]))
            .collect();
        fill(&mut look, &own, size);
        Ok(Features { w: self.w, h: self.h, look, own })
    }
}

/// Fills what has no look of its own so that it passes evenly from one side to the other: what lies under a base is
/// most likely what lies either side of it.
fn fill(look: &mut [Look], own: &[bool], (w, h): (usize, usize)) {
    if w < 3 || h < 3 || !own.iter().any(|own| *own) {
        return;
    }
    if own.iter().all(|own| *own) {
        return;
    }
    // From coarse to fine: the coarse answer is the fine one's beginning.
    let (cw, ch) = (w.div_ceil(2), h.div_ceil(2));
    let (mut coarse, known) = half(look, own, (w, h));
    fill(&mut coarse, &known, (cw, ch));
    for row in 0..h {
        for column in 0..w {
            if !own[row * w + column] {
                look[row * w + column] = coarse[(row / 2) * cw + column / 2];
            }
        }
    }
    let hidden: Vec<usize> = (0..w * h).filter(|n| !own[*n]).collect();
    for _ in 0..12 {
        for &n in &hidden {
            let (row, column) = (n / w, n % w);
            let left = look[n - usize::from(column > 0)];
            let right = look[n + usize::from(column + 1 < w)];
            let above = look[if row > 0 { n - w } else { n }];
            let below = look[if row + 1 < h { n + w } else { n }];
            look[n] = (left + right + above + below) / 4.0;
        }
    }
}
