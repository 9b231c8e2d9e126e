//! Round marks: what may be a pip, in any colour, lighter or darker than what lies round it.
//!
//! A pip is a connected piece of one colour channel above or below a level, near an ellipse, whose rim is steep in every
//! direction. Of the same mark found at several levels and in several channels the one with the steepest rim is kept.
//! Image frame, pixels of the picture (found on a grid twice as fine where the picture is small).

use super::ground::{Blob, flood};
use crate::vision::RgbImage;

/// A round mark.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pip {
    /// Its middle.
    pub(super) at: [f32; 2],
    /// The radius of the circle of the same area.
    pub(super) radius: f32,
    /// Its shorter over its longer axis.
    pub(super) round: f32,
    /// Colour of its inside.
    pub(super) inner: [f32; 3],
    /// Colour of what lies round it.
    pub(super) outer: [f32; 3],
    /// How much inside and outside differ, in grey values, where they differ least but for two directions of twelve.
    pub(super) contrast: f32,
    steep: f32,
}

/// A picture read between its pixels.
#[derive(Clone, Copy)]
pub(super) struct Between<'a>(pub(super) &'a RgbImage);

impl Between<'_> {
    /// The colour at a place, the nearest where it lies outside.
    pub(super) fn at(&self, x: f32, y: f32) -> [f32; 3] {
        let (w, h) = (self.0.width(), self.0.height());
        let (x, y) = (x.clamp(0.0, (w - 1) as f32), y.clamp(0.0, (h - 1) as f32));
        let (i, j) = (x as usize, y as usize);
        let (u, v) = (x - i as f32, y - j as f32);
        let (k, l) = ((i + 1).min(w - 1), (j + 1).min(h - 1));
        let c = |x: usize, y: usize, n: usize| f32::from(self.0.data()[3 * (y * w + x) + n]);
        std::array::from_fn(|n| {
            (1.0 - v) * ((1.0 - u) * c(i, j, n) + u * c(k, j, n))
                + v * ((1.0 - u) * c(i, l, n) + u * c(k, l, n))
        })
    }
}

/// The finest level step, in grey values.
const STEP: u8 = 6;
/// The least contrast of a pip.
const FAINTEST: f32 = 14.0;

/// The marks near the blobs of a picture, with a radius of at most `largest` pixels, in the picture's own pixels. It is
/// looked at `fine` times as finely; `reach` is how far outside a blob marks are looked for.
pub(super) fn pips(picture: &RgbImage, blobs: &[Blob], reach: usize, largest: f32, fine: usize) -> Vec<Pip> {
    let bounds = blobs.iter().fold([usize::MAX, usize::MAX, 0, 0], |b, blob| {
        let [l, t, r, e] = blob.bounds;
        let (r, e) = ((r + reach).min(picture.width()), (e + reach).min(picture.height()));
        [b[0].min(l.saturating_sub(reach)), b[1].min(t.saturating_sub(reach)), b[2].max(r), b[3].max(e)]
    });
    let [left, top, right, bottom] = bounds;
    if left >= right || top >= bottom {
        return Vec::new();
    }
    let (w, h) = ((right - left) * fine, (bottom - top) * fine);
    let mut elsewhere = vec![true; w * h];
    for blob in blobs {
        for i in (0..blob.mask.len()).filter(|i| blob.mask[*i]) {
            let (x, y) = (blob.bounds[0] + i % blob.width() - left, blob.bounds[1] + i / blob.width() - top);
            let rows = y.saturating_sub(reach) * fine..((y + reach + 1) * fine).min(h);
            let (from, to) = (x.saturating_sub(reach) * fine, ((x + reach + 1) * fine).min(w));
            let inner = i % blob.width() > 0
                && i % blob.width() + 1 < blob.width()
                && blob.mask[i - 1]
                && blob.mask[i + 1];
            // Inside a run only the rows' own columns are new.
            let (from, to) = if inner { (x * fine, (x + 1) * fine) } else { (from, to) };
            for row in rows {
                elsewhere[row * w + from..row * w + to].fill(false);
            }
        }
    }
    let here: Vec<usize> = (0..w * h).filter(|i| !elsewhere[*i]).collect();
    let between = Between(picture);
    let origin = 0.5 / fine as f32 - 0.5;
    let place =
        |x: f32, y: f32| [left as f32 + x / fine as f32 + origin, top as f32 + y / fine as f32 + origin];
    let mut channels = [vec![0_u8; w * h], vec![0_u8; w * h], vec![0_u8; w * h]];
    for &i in &here {
        let [x, y] = place((i % w) as f32, (i / w) as f32);
        for (channel, c) in channels.iter_mut().zip(between.at(x, y)) {
            channel[i] = c.round() as u8;
        }
    }
    let most = (std::f32::consts::PI * (largest * fine as f32).powi(2)) as usize;
    let mut found: Vec<Pip> = Vec::new();
    for channel in &channels {
        let (low, high) = here.iter().fold((255, 0), |(l, h), &i| (channel[i].min(l), channel[i].max(h)));
        for brighter in [true, false] {
            for level in (low.saturating_add(STEP / 2)..high).step_by(usize::from(STEP)) {
                let of_it = |i: usize| (channel[i] > level) == brighter;
                let mut seen = elsewhere.clone();
                for &start in &here {
                    if !seen[start] && of_it(start) {
                        let members = flood(of_it, &mut seen, w, h, start);
                        if members.len() >= 7 && members.len() <= most {
                            found.extend(pip(&members, [w, h], channel, &between, &place, fine as f32));
                        }
                    }
                }
            }
        }
    }
    found.sort_by(|a, b| b.steep.total_cmp(&a.steep));
    let mut kept: Vec<Pip> = Vec::new();
    for pip in found {
        let apart = |other: &Pip| {
            let (small, large) = (pip.radius.min(other.radius), pip.radius.max(other.radius));
            let far = (pip.at[0] - other.at[0]).hypot(pip.at[1] - other.at[1]);
            // One round a much smaller one, as a die round its pip, is another mark.
            far > 0.7 * large || large > 2.0 * small
        };
        if kept.iter().all(apart) {
            kept.push(pip);
        }
    }
    kept
}

/// The mark that those members of a box are, where they are one.
fn pip(
    members: &[usize],
    [w, h]: [usize; 2],
    channel: &[u8],
    between: &Between,
    place: &impl Fn(f32, f32) -> [f32; 2],
    fine: f32,
) -> Option<Pip> {
    let n = members.len() as f32;
    let (mut mx, mut my) = (0.0, 0.0);
    for &i in members {
        let (x, y) = (i % w, i / w);
        if x == 0 || y == 0 || x + 1 == w || y + 1 == h {
            return None;
        }
        mx += x as f32;
        my += y as f32;
    }
    (mx, my) = (mx / n, my / n);
    let (mut xx, mut xy, mut yy) = (1.0 / 12.0, 0.0, 1.0 / 12.0);
    for &i in members {
        let (x, y) = ((i % w) as f32 - mx, (i / w) as f32 - my);
        xx += x * x / n;
        xy += x * y / n;
        yy += y * y / n;
    }
    let (half, root) = ((xx + yy) / 2.0, (((xx - yy) / 2.0).powi(2) + xy * xy).sqrt());
    let (long, short) = (2.0 * (half + root).sqrt(), 2.0 * (half - root).max(1e-3).sqrt());
    let fill = n / (std::f32::consts::PI * long * short);
    if short < 0.5 * long || !(0.86..1.12).contains(&fill) {
        return None;
    }
    let turn = 0.5 * (2.0 * xy).atan2(xx - yy);
    let (c, s) = (turn.cos(), turn.sin());
    let on = |part: f32, k: usize| {
        let angle = k as f32 * std::f32::consts::TAU / 12.0;
        let (u, v) = (part * long * angle.cos(), part * short * angle.sin());
        [mx + u * c - v * s, my + u * s + v * c]
    };
    let value = |[x, y]: [f32; 2]| {
        let (x, y) = (x.round().clamp(0.0, (w - 1) as f32), y.round().clamp(0.0, (h - 1) as f32));
        f32::from(channel[y as usize * w + x as usize])
    };
    let middle = value([mx, my]);
    let mut drops = [0.0; 12];
    let mut steep = 0.0;
    for (k, drop) in drops.iter_mut().enumerate() {
        *drop = (value(on(0.5, k)) + middle) / 2.0 - value(on(1.6, k));
        steep += (value(on(0.75, k)) - value(on(1.3, k))) / 12.0;
    }
    let sign = f32::signum(steep);
    drops.iter_mut().for_each(|d| *d *= sign);
    drops.sort_by(f32::total_cmp);
    let contrast = drops[2];
    if contrast < FAINTEST {
        return None;
    }
    let colour = |part: f32| -> [f32; 3] {
        let mut seen: [Vec<f32>; 3] = Default::default();
        for k in 0..12 {
            let [x, y] = on(part, k);
            let [x, y] = place(x, y);
            seen.iter_mut().zip(between.at(x, y)).for_each(|(v, c)| v.push(c));
        }
        seen.map(|mut v| *v.select_nth_unstable_by(6, f32::total_cmp).1)
    };
    Some(Pip {
        at: place(mx, my),
        radius: (n / std::f32::consts::PI).sqrt() / fine,
        round: short / long,
        inner: colour(0.35),
        outer: colour(1.6),
        contrast,
        steep: steep.abs(),
    })
}
