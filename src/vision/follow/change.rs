//! Has the picture changed here? A window is compared with a copy of itself, light and contrast set
//! equal first, and the whole picture is watched on a coarse grid.

use crate::vision::GreyImage;
use crate::vision::register::Window;

/// A copy of a window as it was when it was last measured.
#[derive(Debug, Clone)]
pub(super) struct Patchlet {
    window: Window,
    pixels: Vec<u8>,
}

impl Patchlet {
    /// The window as it is now.
    pub fn of(picture: &GreyImage, window: Window) -> Self {
        let mut pixels = Vec::with_capacity(window.len());
        for row in rows(picture, window) {
            pixels.extend_from_slice(row);
        }
        Self { window, pixels }
    }

    /// Mean squared difference from the picture now, grey levels squared, after the best gain and offset
    /// have been taken off. Both frames' grain is in it.
    pub fn difference(&self, picture: &GreyImage) -> f64 {
        let (mut sa, mut sb, mut saa, mut sab, mut sbb) = (0u64, 0u64, 0u64, 0u64, 0u64);
        for (now, then) in rows(picture, self.window).zip(self.pixels.chunks_exact(self.window.width)) {
            let (mut ra, mut rb, mut raa, mut rab, mut rbb) = (0u32, 0u32, 0u32, 0u32, 0u32);
            for (&b, &a) in now.iter().zip(then) {
                let (a, b) = (u32::from(a), u32::from(b));
                ra += a;
                rb += b;
                raa += a * a;
                rab += a * b;
                rbb += b * b;
            }
            sa += u64::from(ra);
            sb += u64::from(rb);
            saa += u64::from(raa);
            sab += u64::from(rab);
            sbb += u64::from(rbb);
        }
        let n = self.window.len() as f64;
        let (ma, mb) = (sa as f64 / n, sb as f64 / n);
        let vaa = saa as f64 / n - ma * ma;
        let vbb = sbb as f64 / n - mb * mb;
        let vab = sab as f64 / n - ma * mb;
        // Light may fall or rise by a quarter; more is another thing in the same place.
        let gain = if vaa > 0.0 { (vab / vaa).clamp(0.8, 1.25) } else { 1.0 };
        (vbb - 2.0 * gain * vab + gain * gain * vaa).max(0.0)
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

/// The picture on a coarse grid, to see where it changes from frame to frame.
#[derive(Debug, Clone)]
pub(super) struct ChangeMap {
    width: usize,
    height: usize,
    last: Vec<u8>,
    now: Vec<u8>,
}

impl ChangeMap {
    /// Starts from this picture.
    pub fn of(picture: &GreyImage) -> Self {
        let (width, height) = (picture.width() / STRIDE, picture.height() / STRIDE);
        let mut map = Self { width, height, last: Vec::new(), now: Vec::new() };
        map.sample(picture);
        std::mem::swap(&mut map.now, &mut map.last);
        map
    }

    fn sample(&mut self, picture: &GreyImage) {
        self.now.clear();
        for row in 0..self.height {
            let line = &picture.data()[row * STRIDE * picture.width()..];
            self.now.extend((0..self.width).map(|column| line[column * STRIDE]));
        }
    }

    /// Rectangles of the picture that changed since the last call: blocks whose watched pixels differ by
    /// more than `noise` (mean squared difference of two still frames) allows, joined where they touch.
    pub fn changed(&mut self, picture: &GreyImage, noise: f64) -> Vec<Window> {
        self.sample(picture);
        let (bw, bh) = (self.width / BLOCK, self.height / BLOCK);
        let limit = BLOCK_FACTOR * noise + BLOCK_FLOOR;
        let mut hot = vec![false; bw * bh];
        for by in 0..bh {
            for bx in 0..bw {
                let mut squares = 0u32;
                for y in by * BLOCK..(by + 1) * BLOCK {
                    let at = y * self.width + bx * BLOCK;
                    let pairs = self.now[at..at + BLOCK].iter().zip(&self.last[at..at + BLOCK]);
                    squares += pairs.map(|(&a, &b)| u32::from(a.abs_diff(b)).pow(2)).sum::<u32>();
                }
                hot[by * bw + bx] = f64::from(squares) > limit * (BLOCK * BLOCK) as f64;
            }
        }
        std::mem::swap(&mut self.now, &mut self.last);
        islands(&mut hot, bw, bh)
            .into_iter()
            .map(|[x0, y0, x1, y1]| {
                let side = STRIDE * BLOCK;
                Window {
                    x0: x0 * side,
                    y0: y0 * side,
                    width: (x1 - x0 + 1) * side,
                    height: (y1 - y0 + 1) * side,
                }
            })
            .collect()
    }
}

/// A block is changed when its mean squared difference passes the noise's this many times, and by this
/// many grey levels squared more.
const BLOCK_FACTOR: f64 = 2.5;
const BLOCK_FLOOR: f64 = 10.0;

/// Bounding boxes of the connected groups of hot blocks, diagonals included. Clears `hot`.
fn islands(hot: &mut [bool], width: usize, height: usize) -> Vec<[usize; 4]> {
    let mut boxes = Vec::new();
    let mut stack = Vec::new();
    for start in 0..hot.len() {
        if !hot[start] {
            continue;
        }
        hot[start] = false;
        stack.push(start);
        let mut bounds = [usize::MAX, usize::MAX, 0, 0];
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            bounds = [bounds[0].min(x), bounds[1].min(y), bounds[2].max(x), bounds[3].max(y)];
            for ny in y.saturating_sub(1)..(y + 2).min(height) {
                for nx in x.saturating_sub(1)..(x + 2).min(width) {
                    if std::mem::take(&mut hot[ny * width + nx]) {
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
        assert!(patchlet.difference(&stripes(0, 0)) < 1e-6);
        assert!(patchlet.difference(&stripes(0, 12)) < 1.0);
        assert!(patchlet.difference(&stripes(1, 0)) > 500.0);
    }

    #[test]
    fn changed_blocks_that_touch_are_one_rectangle() {
        let mut map = ChangeMap::of(&picture(|_, _| 100));
        let spot = |x: usize, y: usize| (70..110).contains(&x) && (40..60).contains(&y);
        let changed = map.changed(&picture(|x, y| if spot(x, y) { 180 } else { 100 }), 8.0);
        assert_eq!(changed, [Window { x0: 64, y0: 32, width: 64, height: 32 }]);
        assert!(map.changed(&picture(|x, y| if spot(x, y) { 180 } else { 100 }), 8.0).is_empty());
    }
}
