//! What lies on the ground of a tray: the ground's colour by a large median, and the blobs that differ from it.
//!
//! Image frame, pixels. A blob is a connected set of pixels unlike the ground, its holes filled. Shadows are the ground's
//! colour made darker, and belong to the ground unless they are deep. Invariant: blobs are disjoint.

use crate::vision::RgbImage;

/// Columns and rows of the grid on which the ground's colour is taken.
const GRID: usize = 32;
/// Samples to a side over the picture, of which the medians are taken.
const SAMPLES: usize = 160;

/// Which pixels are looked at: all, or those inside an outline.
#[derive(Debug, Clone)]
pub(super) struct Area {
    width: usize,
    height: usize,
    inside: Option<Vec<bool>>,
}

impl Area {
    /// The inside of `outline`, a polygon in pixels; everything where there is none.
    pub(super) fn new(width: usize, height: usize, outline: Option<&[[f64; 2]]>) -> Self {
        let inside = outline.map(|corners| {
            let mut inside = vec![false; width * height];
            for y in 0..height {
                let mut cuts: Vec<f64> = (0..corners.len())
                    .filter_map(|i| {
                        let ([x0, y0], [x1, y1]) = (corners[i], corners[(i + 1) % corners.len()]);
                        let row = y as f64;
                        ((y0 <= row) != (y1 <= row)).then(|| x0 + (row - y0) / (y1 - y0) * (x1 - x0))
                    })
                    .collect();
                cuts.sort_by(f64::total_cmp);
                for pair in cuts.chunks_exact(2) {
                    let from = pair[0].ceil().clamp(0.0, width as f64) as usize;
                    let to = (pair[1].floor() + 1.0).clamp(0.0, width as f64) as usize;
                    if from < to {
                        inside[y * width + from..y * width + to].fill(true);
                    }
                }
            }
            inside
        });
        Self { width, height, inside }
    }

    pub(super) fn holds(&self, x: usize, y: usize) -> bool {
        self.inside.as_ref().is_none_or(|inside| inside[y * self.width + x])
    }

    /// The box round it: left, top, right, bottom, the last two not in it.
    pub(super) fn bounds(&self) -> [usize; 4] {
        let Some(inside) = &self.inside else { return [0, 0, self.width, self.height] };
        let mut bounds = [self.width, self.height, 0, 0];
        for (i, _) in inside.iter().enumerate().filter(|(_, held)| **held) {
            let (x, y) = (i % self.width, i / self.width);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x + 1), bounds[3].max(y + 1)];
        }
        bounds
    }
}

/// A connected piece of what is not ground.
#[derive(Debug, Clone)]
pub(super) struct Blob {
    /// Its box: left, top, right, bottom, the last two not in it.
    pub(super) bounds: [usize; 4],
    /// Row by row over the box: whether the pixel is the blob's.
    pub(super) mask: Vec<bool>,
    /// How many pixels it has.
    pub(super) area: usize,
    /// Whether it reaches the edge of what is looked at.
    pub(super) cut: bool,
}

impl Blob {
    /// Columns of its box.
    pub(super) fn width(&self) -> usize {
        self.bounds[2] - self.bounds[0]
    }

    /// Rows of its box.
    pub(super) fn height(&self) -> usize {
        self.bounds[3] - self.bounds[1]
    }

    /// Whether a place of the picture is in it.
    pub(super) fn holds(&self, x: f32, y: f32) -> bool {
        let (x, y) = (x.round() - self.bounds[0] as f32, y.round() - self.bounds[1] as f32);
        let (w, h) = (self.width(), self.height());
        x >= 0.0 && y >= 0.0 && x < w as f32 && y < h as f32 && self.mask[y as usize * w + x as usize]
    }
}

/// The ground's colour, on a grid over the area's box.
pub(super) struct Ground {
    bounds: [usize; 4],
    colours: Vec<[f32; 3]>,
}

impl Ground {
    /// The ground of a picture, or `None` where hardly anything is looked at.
    pub(super) fn of(picture: &RgbImage, area: &Area) -> Option<Self> {
        let bounds @ [left, top, right, bottom] = area.bounds();
        if right <= left + 8 || bottom <= top + 8 {
            return None;
        }
        let (w, h) = (right - left, bottom - top);
        let step = (w.max(h) / SAMPLES).max(1);
        let (columns, rows) = (w.div_ceil(step), h.div_ceil(step));
        let sample = |c: usize, r: usize| {
            let (x, y) = (left + c * step, top + r * step);
            let i = 3 * (y * picture.width() + x);
            area.holds(x, y).then(|| [picture.data()[i], picture.data()[i + 1], picture.data()[i + 2]])
        };
        // A quarter of the shorter side each way: wide enough to see past dice that lie together.
        let reach = (columns.min(rows) / 8).max(4);
        let mut colours = Vec::with_capacity(GRID * GRID);
        for gy in 0..GRID {
            for gx in 0..GRID {
                let (c, r) = (gx * (columns - 1) / (GRID - 1), gy * (rows - 1) / (GRID - 1));
                let mut reach = reach;
                let median = loop {
                    let mut values: [Vec<u8>; 3] = Default::default();
                    for y in r.saturating_sub(reach)..(r + reach + 1).min(rows) {
                        for x in c.saturating_sub(reach)..(c + reach + 1).min(columns) {
                            if let Some(colour) = sample(x, y) {
                                values.iter_mut().zip(colour).for_each(|(v, c)| v.push(c));
                            }
                        }
                    }
                    if values[0].len() > 40 || reach > columns + rows {
                        break values.map(|mut v| {
                            let middle = v.len() / 2;
                            if v.is_empty() { 0.0 } else { f32::from(*v.select_nth_unstable(middle).1) }
                        });
                    }
                    reach *= 2;
                };
                colours.push(median);
            }
        }
        Some(Self { bounds, colours })
    }

    fn at(&self, x: usize, y: usize) -> [f32; 3] {
        let [left, top, right, bottom] = self.bounds;
        let place = |v: usize, from: usize, to: usize| {
            let g = (v - from) as f32 * (GRID - 1) as f32 / (to - from).max(2) as f32;
            let i = (g as usize).min(GRID - 2);
            (i, g - i as f32)
        };
        let ((i, u), (j, v)) = (place(x, left, right), place(y, top, bottom));
        let c = |i: usize, j: usize| self.colours[j * GRID + i];
        let (a, b, d, e) = (c(i, j), c(i + 1, j), c(i, j + 1), c(i + 1, j + 1));
        std::array::from_fn(|k| (1.0 - v) * ((1.0 - u) * a[k] + u * b[k]) + v * ((1.0 - u) * d[k] + u * e[k]))
    }
}

impl Ground {
    /// The ground's colour at a place or the nearest that is looked at.
    pub(super) fn near(&self, at: [f32; 2]) -> [f32; 3] {
        let [left, top, right, bottom] = self.bounds;
        let x = (at[0].max(0.0) as usize).clamp(left, right - 1);
        let y = (at[1].max(0.0) as usize).clamp(top, bottom - 1);
        self.at(x, y)
    }

    /// Whether a colour is the ground's or its shadow's, more strictly than a blob's outline asks it.
    pub(super) fn like(&self, at: [f32; 2], colour: [f32; 3]) -> bool {
        let ground = self.near(at);
        let bright = |c: [f32; 3]| c[0] + c[1] + c[2];
        !unlike(colour, ground) && bright(colour) < 1.04 * bright(ground)
    }
}

/// Whether a colour is not the ground's: of another hue, brighter, or much darker than a shadow makes it.
fn unlike(colour: [f32; 3], ground: [f32; 3]) -> bool {
    let ratio: [f32; 3] = std::array::from_fn(|k| (colour[k] + 4.0) / (ground[k] + 4.0));
    let mean = (ratio[0] + ratio[1] + ratio[2]) / 3.0;
    let least = ratio[0].min(ratio[1]).min(ratio[2]);
    let most = ratio[0].max(ratio[1]).max(ratio[2]);
    (most - least) * (ground[0] + ground[1] + ground[2]) / 3.0 > 20.0 || !(0.58..=1.05).contains(&mean)
}

/// The blobs of the picture inside `area`, of at least `least` pixels.
pub(super) fn blobs(picture: &RgbImage, ground: &Ground, area: &Area, least: usize) -> Vec<Blob> {
    let [left, top, right, bottom] = ground.bounds;
    let (w, h) = (right - left, bottom - top);
    let mut mask = vec![false; w * h];
    for y in top..bottom {
        for x in left..right {
            let i = 3 * (y * picture.width() + x);
            let colour = std::array::from_fn(|k| f32::from(picture.data()[i + k]));
            mask[(y - top) * w + x - left] = area.holds(x, y) && unlike(colour, ground.at(x, y));
        }
    }
    open(&mut mask, w, h);
    let mut found = Vec::new();
    let mut seen = vec![false; w * h];
    for start in 0..w * h {
        if !mask[start] || seen[start] {
            continue;
        }
        let members = flood(|i| mask[i], &mut seen, w, h, start);
        if members.len() >= least {
            found.push(blob(&members, w, [left, top], area));
        }
    }
    found
}

/// Takes away what is thinner than three pixels.
fn open(mask: &mut [bool], w: usize, h: usize) {
    for dilate in [false, true] {
        let before = mask.to_vec();
        for y in 0..h {
            for x in 0..w {
                let near = [
                    (x > 0).then(|| before[y * w + x - 1]),
                    (x + 1 < w).then(|| before[y * w + x + 1]),
                    (y > 0).then(|| before[(y - 1) * w + x]),
                    (y + 1 < h).then(|| before[(y + 1) * w + x]),
                ];
                let here = before[y * w + x];
                mask[y * w + x] = if dilate {
                    here || near.contains(&Some(true))
                } else {
                    here && !near.contains(&Some(false))
                };
            }
        }
    }
}

/// The members of the piece of `mask` that `start` belongs to, by their four neighbours.
pub(super) fn flood(
    mask: impl Fn(usize) -> bool,
    seen: &mut [bool],
    w: usize,
    h: usize,
    start: usize,
) -> Vec<usize> {
    let mut members = vec![start];
    seen[start] = true;
    let mut next = 0;
    while next < members.len() {
        let i = members[next];
        next += 1;
        let (x, y) = (i % w, i / w);
        let near = [
            (x > 0).then(|| i - 1),
            (x + 1 < w).then_some(i + 1),
            (y > 0).then(|| i - w),
            (y + 1 < h).then_some(i + w),
        ];
        for j in near.into_iter().flatten() {
            if !seen[j] && mask(j) {
                seen[j] = true;
                members.push(j);
            }
        }
    }
    members
}

/// The blob of those members, its holes filled.
fn blob(members: &[usize], w: usize, [left, top]: [usize; 2], area: &Area) -> Blob {
    let (mut x0, mut y0, mut x1, mut y1) = (usize::MAX, usize::MAX, 0, 0);
    for &i in members {
        let (x, y) = (i % w, i / w);
        (x0, y0, x1, y1) = (x0.min(x), y0.min(y), x1.max(x + 1), y1.max(y + 1));
    }
    // One pixel more all round, so that the outside is one piece.
    let (bw, bh) = (x1 - x0, y1 - y0);
    let (fw, fh) = (bw + 2, bh + 2);
    let mut outside = vec![true; fw * fh];
    for &i in members {
        outside[(i / w - y0 + 1) * fw + i % w - x0 + 1] = false;
    }
    let mut seen = vec![false; fw * fh];
    flood(|i| outside[i], &mut seen, fw, fh, 0);
    // Pips and glare are filled; the inside of a tray's rim is not.
    for start in 0..fw * fh {
        if outside[start] && !seen[start] {
            let hole = flood(|i| outside[i], &mut seen, fw, fh, start);
            if hole.len() * 2 < members.len() {
                hole.iter().for_each(|i| outside[*i] = false);
            }
        }
    }
    let mask: Vec<bool> = (0..bw * bh).map(|i| !outside[(i / bw + 1) * fw + i % bw + 1]).collect();
    let cut = members.iter().any(|&i| {
        let (x, y) = (i % w + left, i / w + top);
        x <= 1
            || y <= 1
            || x + 2 >= area.width
            || y + 2 >= area.height
            || !area.holds(x - 2, y)
            || !area.holds(x + 2, y)
            || !area.holds(x, y - 2)
            || !area.holds(x, y + 2)
    });
    Blob {
        bounds: [x0 + left, y0 + top, x1 + left, y1 + top],
        area: mask.iter().filter(|m| **m).count(),
        mask,
        cut,
    }
}
