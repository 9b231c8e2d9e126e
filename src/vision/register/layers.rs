//! What a tag's printed pattern looks like through the camera, before any brightness is known.
//!
//! The pattern is area-sampled on a grid finer than the pixels, blurred by the camera's point spread
//! (a round Gaussian) and summed over each pixel. The result is two layers a pixel: how much of its
//! light comes from the light modules, and how much from the tag's picture at all. What is left comes
//! from outside. All three are linear in light, so brightness is applied afterwards.

use crate::vision::{GreyImage, TagPattern};

/// Samples a pixel, along each axis.
const SAMPLES: usize = 3;

/// A rectangle of whole pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Left column.
    pub x0: usize,
    /// Top row.
    pub y0: usize,
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
}

impl Window {
    /// The whole pixels from `least` to `most`, grown by `grow` on every side as far as `picture` reaches. `None`
    /// where any of them but the growth lies outside it.
    pub fn around(least: [f64; 2], most: [f64; 2], grow: f64, picture: &GreyImage) -> Option<Self> {
        let last = [picture.width() as f64 - 1.0, picture.height() as f64 - 1.0];
        let inside = (0..2).all(|k| least[k] >= 0.0 && most[k] <= last[k] && least[k] <= most[k]);
        let from = [0, 1].map(|k| (least[k] - grow).floor().max(0.0) as usize);
        let to = [0, 1].map(|k| (most[k] + grow).ceil().min(last[k]).max(0.0) as usize);
        inside.then(|| Self {
            x0: from[0],
            y0: from[1],
            width: to[0] - from[0] + 1,
            height: to[1] - from[1] + 1,
        })
    }

    /// Pixels in it.
    pub fn len(&self) -> usize {
        self.width * self.height
    }

    /// Whether it has no pixels.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Tag coordinates (right, up, in millimetres) at the corners of a window's pixels:
/// `(width + 1) * (height + 1)` of them, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Lattice {
    /// The window it belongs to.
    pub window: Window,
    /// (right, up) at each pixel corner.
    pub at: Vec<[f64; 2]>,
}

/// One pixel of a lattice: where its centre lies on the tag, and the steps to its neighbours.
#[derive(Debug, Clone, Copy)]
pub struct Cell {
    /// (right, up) of its centre.
    pub centre: [f64; 2],
    /// Change of (right, up) a pixel to the right.
    pub across: [f64; 2],
    /// Change of (right, up) a pixel down.
    pub down: [f64; 2],
}

impl Lattice {
    /// The longest way that one pixel of its middle, across or down, goes on the tag, millimetres.
    pub fn longest_step(&self) -> f64 {
        let cell = self.cell(self.window.width / 2, self.window.height / 2);
        cell.across[0].hypot(cell.across[1]).max(cell.down[0].hypot(cell.down[1]))
    }

    /// The pixel at `column`, `row` of the window.
    pub fn cell(&self, column: usize, row: usize) -> Cell {
        let stride = self.window.width + 1;
        let at = |r: usize, c: usize| self.at[(row + r) * stride + column + c];
        let (a, b, c, d) = (at(0, 0), at(0, 1), at(1, 0), at(1, 1));
        Cell {
            centre: [0, 1].map(|k| (a[k] + b[k] + c[k] + d[k]) / 4.0),
            across: [0, 1].map(|k| (b[k] - a[k] + d[k] - c[k]) / 2.0),
            down: [0, 1].map(|k| (c[k] - a[k] + d[k] - b[k]) / 2.0),
        }
    }
}

/// The layers and how they change across the picture. One entry a pixel, row by row.
#[derive(Debug, Clone, PartialEq)]
pub struct Layers {
    /// Share of the pixel's light that comes from light modules.
    pub light: Vec<f32>,
    /// Share that comes from the tag's picture, light or dark.
    pub inside: Vec<f32>,
    /// Change of `light` a pixel to the right, and a pixel down.
    pub light_slope: Vec<[f32; 2]>,
    /// Change of `inside` a pixel to the right, and a pixel down.
    pub inside_slope: Vec<[f32; 2]>,
}

/// Buffers kept from call to call, so that following a tag allocates nothing.
#[derive(Debug, Default)]
pub struct Scratch {
    fine_light: Vec<f32>,
    fine_inside: Vec<f32>,
    rows: Vec<f32>,
}

impl Layers {
    /// The layers of `pattern` printed at `size_mm`, seen through `lattice`, blurred by `blur_px`.
    pub fn render(
        pattern: &TagPattern,
        size_mm: f64,
        lattice: &Lattice,
        blur_px: f64,
        scratch: &mut Scratch,
    ) -> Self {
        let window = lattice.window;
        // Room for the blur on every side, in whole pixels.
        let pad = (3.0 * blur_px).ceil() as usize + 1;
        let (fine_w, fine_h) = ((window.width + 2 * pad) * SAMPLES, (window.height + 2 * pad) * SAMPLES);
        sample(pattern, size_mm, lattice, pad, (fine_w, fine_h), scratch);
        let kernel = kernel(blur_px * SAMPLES as f64);
        let Scratch { fine_light, fine_inside, rows } = scratch;
        blur(fine_light, (fine_w, fine_h), &kernel, rows);
        blur(fine_inside, (fine_w, fine_h), &kernel, rows);
        let (light, light_slope) = gather(fine_light, fine_w, window, pad);
        let (inside, inside_slope) = gather(fine_inside, fine_w, window, pad);
        Self { light, inside, light_slope, inside_slope }
    }
}

/// Fills the fine grids. Points outside the lattice are extrapolated from its nearest pixel.
fn sample(
    pattern: &TagPattern,
    size_mm: f64,
    lattice: &Lattice,
    pad: usize,
    (fine_w, fine_h): (usize, usize),
    scratch: &mut Scratch,
) {
    let window = lattice.window;
    let per_module = 1.0 / pattern.module_mm(size_mm);
    let half = pattern.modules() as f64 / 2.0;
    scratch.fine_light.clear();
    scratch.fine_inside.clear();
    scratch.fine_light.resize(fine_w * fine_h, 0.0);
    scratch.fine_inside.resize(fine_w * fine_h, 0.0);
    let stride = window.width + 1;
    for row in 0..window.height + 2 * pad {
        let cell_row = row.saturating_sub(pad).min(window.height - 1);
        for column in 0..window.width + 2 * pad {
            let cell_column = column.saturating_sub(pad).min(window.width - 1);
            let corner = |dr: usize, dc: usize| lattice.at[(cell_row + dr) * stride + cell_column + dc];
            let (a, b, c) = (corner(0, 0), corner(0, 1), corner(1, 0));
            // Within one pixel the way to the tag is as good as straight.
            let (across, down) = ([b[0] - a[0], b[1] - a[1]], [c[0] - a[0], c[1] - a[1]]);
            let shift = |at: usize, cell: usize| at as f64 - pad as f64 - cell as f64;
            let (off_x, off_y) = (shift(column, cell_column), shift(row, cell_row));
            // Sample footprint in modules, along the tag's own axes.
            let spread_x = (across[0].abs() + down[0].abs()) * per_module / SAMPLES as f64;
            let spread_y = (across[1].abs() + down[1].abs()) * per_module / SAMPLES as f64;
            for sy in 0..SAMPLES {
                let ty = off_y + (sy as f64 + 0.5) / SAMPLES as f64;
                for sx in 0..SAMPLES {
                    let tx = off_x + (sx as f64 + 0.5) / SAMPLES as f64;
                    let right = a[0] + across[0] * tx + down[0] * ty;
                    let up = a[1] + across[1] * tx + down[1] * ty;
                    let (light, inside) = area_sample(
                        pattern,
                        right * per_module + half,
                        half - up * per_module,
                        spread_x,
                        spread_y,
                    );
                    let at = (row * SAMPLES + sy) * fine_w + column * SAMPLES + sx;
                    scratch.fine_light[at] = light;
                    scratch.fine_inside[at] = inside;
                }
            }
        }
    }
}

/// Light and inside shares of the pattern over a small rectangle centred on (column, row), in modules.
fn area_sample(pattern: &TagPattern, column: f64, row: f64, spread_x: f64, spread_y: f64) -> (f32, f32) {
    let (c0, cw) = straddle(column, spread_x);
    let (r0, rw) = straddle(row, spread_y);
    let (mut light, mut inside) = (0.0, 0.0);
    for (r, weight_r) in [(r0, 1.0 - rw), (r0 + 1, rw)] {
        for (c, weight_c) in [(c0, 1.0 - cw), (c0 + 1, cw)] {
            let weight = weight_r * weight_c;
            if weight > 0.0
                && let (Ok(r), Ok(c)) = (usize::try_from(r), usize::try_from(c))
                && let Some(is_light) = pattern.is_light(r, c)
            {
                inside += weight;
                light += if is_light { weight } else { 0.0 };
            }
        }
    }
    (light as f32, inside as f32)
}

/// The first of the two modules that an interval of `spread` about `at` may reach, and the share of it
/// in the second.
fn straddle(at: f64, spread: f64) -> (i64, f64) {
    // Rounded without a call into the mathematics library: it is asked for every sample.
    let towards_zero = (at + 0.5) as i64;
    let boundary = towards_zero - i64::from(towards_zero as f64 > at + 0.5);
    let second = ((at - boundary as f64) / spread.max(1e-9) + 0.5).clamp(0.0, 1.0);
    (boundary - 1, second)
}

/// A Gaussian's weights out to three sigma, summing to one.
fn kernel(sigma: f64) -> Vec<f32> {
    let reach = (3.0 * sigma).ceil().max(1.0) as i64;
    let raw: Vec<f64> = (-reach..=reach).map(|i| (-((i * i) as f64) / (2.0 * sigma * sigma)).exp()).collect();
    let sum: f64 = raw.iter().sum();
    raw.iter().map(|v| (v / sum) as f32).collect()
}

/// Blurs in place, along rows and then columns; the rim, narrower than the padding, is left zero.
fn blur(picture: &mut [f32], (width, height): (usize, usize), kernel: &[f32], rows: &mut Vec<f32>) {
    let reach = kernel.len() / 2;
    rows.clear();
    rows.resize(width * height, 0.0);
    let inner = width + 1 - kernel.len();
    for (to, from) in rows.chunks_exact_mut(width).zip(picture.chunks_exact(width)) {
        let to = &mut to[reach..reach + inner];
        for (i, &weight) in kernel.iter().enumerate() {
            for (t, f) in to.iter_mut().zip(&from[i..i + inner]) {
                *t += weight * f;
            }
        }
    }
    picture.fill(0.0);
    for y in reach..height - reach {
        let to = &mut picture[y * width..(y + 1) * width];
        for (i, &weight) in kernel.iter().enumerate() {
            let from = &rows[(y + i - reach) * width..(y + i - reach + 1) * width];
            for (t, f) in to.iter_mut().zip(from) {
                *t += weight * f;
            }
        }
    }
}

/// Pixel means of the fine grid, and their slopes: the difference of the light through a pixel's two
/// opposite sides.
fn gather(fine: &[f32], fine_w: usize, window: Window, pad: usize) -> (Vec<f32>, Vec<[f32; 2]>) {
    let across = |fr: usize, fc: usize| -> f32 {
        (0..SAMPLES).map(|s| fine[(fr + s) * fine_w + fc] + fine[(fr + s) * fine_w + fc - 1]).sum()
    };
    let down = |fr: usize, fc: usize| -> f32 {
        (0..SAMPLES).map(|s| fine[fr * fine_w + fc + s] + fine[(fr - 1) * fine_w + fc + s]).sum()
    };
    let half = 1.0 / (2 * SAMPLES) as f32;
    let mut value = Vec::with_capacity(window.len());
    let mut slope = Vec::with_capacity(window.len());
    for row in 0..window.height {
        for column in 0..window.width {
            let (fr, fc) = ((row + pad) * SAMPLES, (column + pad) * SAMPLES);
            let sum: f32 = (0..SAMPLES)
                .map(|s| fine[(fr + s) * fine_w + fc..(fr + s) * fine_w + fc + SAMPLES].iter().sum::<f32>())
                .sum();
            value.push(sum / (SAMPLES * SAMPLES) as f32);
            slope.push([
                (across(fr, fc + SAMPLES) - across(fr, fc)) * half,
                (down(fr + SAMPLES, fc) - down(fr, fc)) * half,
            ]);
        }
    }
    (value, slope)
}
