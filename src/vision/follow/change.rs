//! Has the picture changed here? A window is compared with a copy of itself, light and contrast set
//! equal first, and the whole picture is watched on a coarse grid.

use crate::vision::GreyImage;
use crate::vision::register::Window;

/// A copy of a window as it was when it was last measured.
#[derive(Debug, Clone)]
pub(super) struct Patchlet {
    window: Window,
    pixels: Vec<u8>,
    /// Sum and sum of squares of the pixels.
    sums: (u64, u64),
}

/// How a window compares with its copy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Likeness {
    /// Mean squared difference, grey levels squared, after the best gain and offset have been taken off.
    /// Both frames' grain is in it.
    pub difference: f64,
    /// Correlation, -1 to 1; 0 where either is even.
    pub correlation: f64,
    /// The gain that fits best, without bounds; 1 where the copy is even.
    pub gain: f64,
}

/// Light on a window may fall or rise by a quarter; more is another thing in the same place.
const GAIN: std::ops::RangeInclusive<f64> = 0.8..=1.25;

impl Patchlet {
    /// The window as it is now.
    pub fn of(picture: &GreyImage, window: Window) -> Self {
        let mut patchlet = Self { window, pixels: Vec::new(), sums: (0, 0) };
        patchlet.renew(picture, window);
        patchlet
    }

    /// The copy made anew, of this window.
    pub fn renew(&mut self, picture: &GreyImage, window: Window) {
        self.window = window;
        self.pixels.clear();
        self.sums = (0, 0);
        for row in rows(picture, window) {
            self.pixels.extend_from_slice(row);
            let (mut sum, mut squares) = (0i32, 0i32);
            for &a in row {
                let a = i32::from(a);
                sum += a;
                squares += a * a;
            }
            self.sums.0 += u64::from(sum.unsigned_abs());
            self.sums.1 += u64::from(squares.unsigned_abs());
        }
    }

    /// Where it lies.
    pub fn window(&self) -> Window {
        self.window
    }

    /// How the picture now compares with the copy.
    pub fn likeness(&self, picture: &GreyImage) -> Likeness {
        let (mut sb, mut sab, mut sbb) = (0u64, 0u64, 0u64);
        for (now, then) in rows(picture, self.window).zip(self.pixels.chunks_exact(self.window.width)) {
            // Of 32 bits a row, for the compiler to take many pixels at once: 8000 pixels fit.
            let (mut rb, mut rab, mut rbb) = (0i32, 0i32, 0i32);
            for (&b, &a) in now.iter().zip(then) {
                let (a, b) = (i32::from(a), i32::from(b));
                rb += b;
                rab += a * b;
                rbb += b * b;
            }
            sb += u64::from(rb.unsigned_abs());
            sab += u64::from(rab.unsigned_abs());
            sbb += u64::from(rbb.unsigned_abs());
        }
        let n = self.window.len() as f64;
        let (ma, mb) = (self.sums.0 as f64 / n, sb as f64 / n);
        let vaa = self.sums.1 as f64 / n - ma * ma;
        let vbb = sbb as f64 / n - mb * mb;
        let vab = sab as f64 / n - ma * mb;
        let gain = if vaa > 0.0 { vab / vaa } else { 1.0 };
        let bounded = gain.clamp(*GAIN.start(), *GAIN.end());
        Likeness {
            difference: (vbb - 2.0 * bounded * vab + bounded * bounded * vaa).max(0.0),
            correlation: if vaa > 0.0 && vbb > 0.0 { vab / (vaa * vbb).sqrt() } else { 0.0 },
            gain,
        }
    }
}

fn rows(picture: &GreyImage, window: Window) -> impl Iterator<Item = &[u8]> {
    (window.y0..window.y0 + window.height).map(move |y| {
        let start = y * picture.width() + window.x0;
        &picture.data()[start..start + window.width]
    })
}

/// Every so many pixels along each axis are watched.
const STRIDE: usize = 4;
/// Watched pixels a block, along each axis: a block is 32 pixels wide.
const BLOCK: usize = 8;
/// Pixels of a block along each axis.
const SIDE: usize = STRIDE * BLOCK;

/// The picture on a coarse grid, to see where it changes from frame to frame. Only whole blocks are
/// watched: a rim narrower than 32 pixels on the right and at the bottom is not.
#[derive(Debug, Clone)]
pub(super) struct ChangeMap {
    columns: usize,
    rows: usize,
    last: Vec<u8>,
    /// Whether the block changed in this frame.
    hot: Vec<bool>,
    /// Whether the block changed since it was last searched.
    unsearched: Vec<bool>,
}

/// A block is changed when its mean squared difference passes the noise's this many times, and by this
/// many grey levels squared more.
const BLOCK_FACTOR: f64 = 2.5;
const BLOCK_FLOOR: f64 = 10.0;

impl ChangeMap {
    /// Starts from this picture.
    pub fn of(picture: &GreyImage) -> Self {
        let (columns, rows) = (picture.width() / SIDE, picture.height() / SIDE);
        let blocks = columns * rows;
        let last = vec![0; blocks * BLOCK * BLOCK];
        let mut map = Self { columns, rows, last, hot: vec![false; blocks], unsearched: vec![false; blocks] };
        map.watch(picture, 0.0);
        map.hot.fill(false);
        map.unsearched.fill(false);
        map
    }

    /// Compares with the last picture, whose grain gives a mean squared difference of `noise` between two
    /// still frames. Whether anything changed.
    pub fn watch(&mut self, picture: &GreyImage, noise: f64) -> bool {
        let limit = ((BLOCK_FACTOR * noise + BLOCK_FLOOR) * (BLOCK * BLOCK) as f64) as u32;
        let width = self.columns * BLOCK;
        let mut squares = vec![0u32; self.columns];
        let mut any = false;
        for by in 0..self.rows {
            squares.fill(0);
            for y in by * BLOCK..(by + 1) * BLOCK {
                let line = &picture.data()[y * STRIDE * picture.width()..][..self.columns * SIDE];
                let last = &mut self.last[y * width..(y + 1) * width];
                for ((of_block, from), to) in
                    squares.iter_mut().zip(line.chunks_exact(SIDE)).zip(last.chunks_exact_mut(BLOCK))
                {
                    for (pixel, was) in from.iter().step_by(STRIDE).zip(to) {
                        let off = i32::from(*pixel) - i32::from(*was);
                        *of_block += off.unsigned_abs().pow(2);
                        *was = *pixel;
                    }
                }
            }
            for (bx, &of_block) in squares.iter().enumerate() {
                let hot = of_block > limit;
                any |= hot;
                self.hot[by * self.columns + bx] = hot;
                self.unsearched[by * self.columns + bx] |= hot;
            }
        }
        any
    }

    /// The share of the picture that changed since it was last searched and has come to rest.
    pub fn waiting(&self) -> f64 {
        let waiting = self.unsearched.iter().zip(&self.hot).filter(|(u, h)| **u && !**h).count();
        waiting as f64 / self.hot.len().max(1) as f64
    }

    /// Whether any block under the window changed in this frame.
    pub fn is_hot(&self, window: Window) -> bool {
        let last = |from: usize, count: usize, most: usize| ((from + count).div_ceil(SIDE)).min(most);
        (window.y0 / SIDE..last(window.y0, window.height, self.rows)).any(|y| {
            (window.x0 / SIDE..last(window.x0, window.width, self.columns))
                .any(|x| self.hot[y * self.columns + x])
        })
    }

    /// Rectangles of the picture that changed since they were last taken here and have come to rest, joined
    /// where their blocks touch, as many as fit in `budget` pixels (one at the least). They count as
    /// searched from now on.
    pub fn settled(&mut self, budget: usize) -> Vec<Window> {
        let mut ripe: Vec<bool> = self.unsearched.iter().zip(&self.hot).map(|(u, h)| *u && !*h).collect();
        let mut taken = Vec::new();
        let mut spent = 0;
        for [x0, y0, x1, y1] in islands(&mut ripe, self.columns, self.rows) {
            let most_rows = (budget / ((x1 - x0 + 1) * SIDE * SIDE)).max(1);
            let y1 = y1.min(y0 + most_rows - 1);
            let window = Window {
                x0: x0 * SIDE,
                y0: y0 * SIDE,
                width: (x1 - x0 + 1) * SIDE,
                height: (y1 - y0 + 1) * SIDE,
            };
            if spent > 0 && spent + window.len() > budget {
                continue;
            }
            spent += window.len();
            for y in y0..=y1 {
                let row = &mut self.unsearched[y * self.columns..(y + 1) * self.columns];
                for (unsearched, hot) in row[x0..=x1].iter_mut().zip(&self.hot[y * self.columns + x0..]) {
                    *unsearched &= *hot;
                }
            }
            taken.push(window);
        }
        taken
    }
}

/// Bounding boxes of the connected groups of marked blocks, diagonals included. Clears `marked`.
fn islands(marked: &mut [bool], width: usize, height: usize) -> Vec<[usize; 4]> {
    let mut boxes = Vec::new();
    let mut stack = Vec::new();
    for start in 0..marked.len() {
        if !marked[start] {
            continue;
        }
        marked[start] = false;
        stack.push(start);
        let mut bounds = [usize::MAX, usize::MAX, 0, 0];
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    if std::mem::take(&mut marked[ny * width + nx]) {
                        stack.push(ny * width + nx);
                    }
                }
            }
        }
        boxes.push(bounds);
    }
    boxes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(f: impl Fn(usize, usize) -> u8) -> GreyImage {
        let data = (0..256 * 192).map(|i| f(i % 256, i / 256)).collect();
        GreyImage::new(256, 192, data).expect("sides and length agree")
    }

    #[test]
    fn a_change_of_light_is_no_change_and_a_shifted_edge_is() {
        let stripes = |shift: usize, dim: u8| {
            picture(move |x, _| if ((x + shift) / 8).is_multiple_of(2) { 200 - dim } else { 60 - dim / 3 })
        };
        let window = Window { x0: 64, y0: 64, width: 32, height: 32 };
        let patchlet = Patchlet::of(&stripes(0, 0), window);
        assert!(patchlet.likeness(&stripes(0, 0)).difference < 1e-6);
        let dimmed = patchlet.likeness(&stripes(0, 12));
        assert!(dimmed.difference < 1.0 && dimmed.correlation > 0.999 && dimmed.gain < 0.96, "{dimmed:?}");
        let shifted = patchlet.likeness(&stripes(1, 0));
        assert!(shifted.difference > 500.0 && shifted.correlation < 0.9, "{shifted:?}");
    }

    #[test]
    fn changed_blocks_that_touch_are_one_rectangle_once_they_have_come_to_rest() {
        let mut map = ChangeMap::of(&picture(|_, _| 100));
        let spot = |x: usize, y: usize| (70..110).contains(&x) && (40..60).contains(&y);
        let with_spot = picture(|x, y| if spot(x, y) { 180 } else { 100 });
        let place = Window { x0: 64, y0: 32, width: 64, height: 32 };
        assert!(map.watch(&with_spot, 8.0) && map.is_hot(place));
        assert!(map.settled(100_000).is_empty() && map.waiting() == 0.0, "it still moves");
        assert!(!map.watch(&with_spot, 8.0) && !map.is_hot(place));
        assert!((map.waiting() - 2.0 / 48.0).abs() < 1e-9);
        assert_eq!(map.settled(100_000), [place]);
        assert!(map.settled(100_000).is_empty(), "it was searched");
    }

    #[test]
    fn a_large_place_is_searched_a_piece_at_a_time_and_none_twice() {
        let mut map = ChangeMap::of(&picture(|_, _| 100));
        map.watch(&picture(|_, _| 180), 8.0);
        map.watch(&picture(|_, _| 180), 8.0);
        let mut pieces = Vec::new();
        while let [piece] = map.settled(20_000)[..] {
            pieces.push(piece);
        }
        assert_eq!(pieces.iter().map(Window::len).sum::<usize>(), 256 * 192);
        assert!(pieces.len() > 2, "{pieces:?}");
    }
}
