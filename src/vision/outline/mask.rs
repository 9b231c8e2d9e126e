//! Sets of pixels: the piece that holds a pixel, holes closed, grown and shrunk, and the contour of one.

use opencv::core::{CV_8UC1, Mat, MatTraitConstManual, MatTraitManual, Point as PixelAt, Scalar, Vector};
use opencv::imgproc;

/// A set of pixels of a picture of so many columns and rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mask {
    pub w: usize,
    pub h: usize,
    pub on: Vec<bool>,
}

/// How a mask changes its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    Grow,
    Shrink,
    /// Grown, then shrunk: narrow gaps are closed.
    Close,
    /// Shrunk, then grown: narrow parts go.
    Open,
}

impl Mask {
    pub(super) fn count(&self) -> usize {
        self.on.iter().filter(|on| **on).count()
    }

    pub(super) fn pixels(&self) -> impl Iterator<Item = usize> + Clone + '_ {
        (0..self.on.len()).filter(|n| self.on[*n])
    }

    /// The piece of it, joined edge to edge, that holds one of `seeds`.
    pub(super) fn piece(&self, seeds: impl IntoIterator<Item = usize>) -> Self {
        let mut on = vec![false; self.on.len()];
        let mut left: Vec<usize> = seeds.into_iter().filter(|n| self.on[*n]).collect();
        for n in &left {
            on[*n] = true;
        }
        while let Some(n) = left.pop() {
            for next in self.neighbours(n) {
                if self.on[next] && !on[next] {
                    on[next] = true;
                    left.push(next);
                }
            }
        }
        Self { on, ..*self }
    }

    fn neighbours(&self, n: usize) -> impl Iterator<Item = usize> + use<> {
        let (w, h) = (self.w, self.h);
        let (row, column) = (n / w, n % w);
        [
            (column > 0).then(|| n - 1),
            (column + 1 < w).then_some(n + 1),
            (row > 0).then(|| n - w),
            (row + 1 < h).then_some(n + w),
        ]
        .into_iter()
        .flatten()
    }

    /// With every hole in it.
    pub(super) fn filled(&self) -> Self {
        let outside = Self { on: self.on.iter().map(|on| !on).collect(), ..*self };
        let (w, h) = (self.w, self.h);
        let rim =
            (0..w).flat_map(|c| [c, (h - 1) * w + c]).chain((0..h).flat_map(|r| [r * w, r * w + w - 1]));
        let outside = outside.piece(rim);
        Self { on: outside.on.iter().map(|on| !on).collect(), ..*self }
    }

    fn mat(&self) -> Result<Mat, opencv::Error> {
        let mut mat =
            Mat::new_rows_cols_with_default(self.h as i32, self.w as i32, CV_8UC1, Scalar::all(0.0))?;
        for (to, on) in mat.data_bytes_mut()?.iter_mut().zip(&self.on) {
            *to = if *on { 255 } else { 0 };
        }
        Ok(mat)
    }

    /// Changed by a disc of so many pixels.
    pub(super) fn changed(&self, change: Change, radius_px: f64) -> Result<Self, opencv::Error> {
        let radius = radius_px as f32;
        Ok(match change {
            Change::Grow => self.inverted().shrunk(radius)?.inverted(),
            Change::Shrink => self.shrunk(radius)?,
            Change::Close => self.inverted().shrunk(radius)?.inverted().shrunk(radius)?,
            Change::Open => self.shrunk(radius)?.inverted().shrunk(radius)?.inverted(),
        })
    }

    fn inverted(&self) -> Self {
        Self { on: self.on.iter().map(|on| !on).collect(), ..*self }
    }

    /// What is farther than so many pixels from everything outside.
    fn shrunk(&self, radius: f32) -> Result<Self, opencv::Error> {
        // All of a picture has nothing outside it to be far from.
        if self.on.iter().all(|on| *on) {
            return Ok(self.clone());
        }
        Ok(Self { on: self.depth()?.iter().map(|depth| *depth > radius).collect(), ..*self })
    }

    /// The longest outer contour, pixel by pixel, (column, row).
    pub(super) fn contour(&self) -> Result<Vec<(f64, f64)>, opencv::Error> {
        let mut found = Vector::<Vector<PixelAt>>::new();
        imgproc::find_contours(
            &self.mat()?,
            &mut found,
            imgproc::RETR_EXTERNAL,
            imgproc::CHAIN_APPROX_NONE,
            PixelAt::new(0, 0),
        )?;
        let longest = found.iter().max_by_key(|c| c.len()).unwrap_or_default();
        Ok(longest.iter().map(|p| (f64::from(p.x), f64::from(p.y))).collect())
    }

    /// Distance of each pixel of it to the nearest that is not, pixels; zero off it.
    pub(super) fn depth(&self) -> Result<Vec<f32>, opencv::Error> {
        let mut out = Mat::default();
        imgproc::distance_transform(
            &self.mat()?,
            &mut out,
            imgproc::DIST_L2,
            imgproc::DIST_MASK_PRECISE,
            opencv::core::CV_32F,
        )?;
        Ok(out.data_typed::<f32>()?.to_vec())
    }
}
