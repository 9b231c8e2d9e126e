//! From a place to the piece of board round it that looks the same.
//!
//! The look at the place is its model. For each of many thresholds the piece that is no further from the model than
//! that is taken; the one whose rim is the sharpest all the way round wins: three quarters of its rim are sharper
//! than its figure. The model is then made anew from what was found, and all is done again.

use super::features::Features;
use super::mask::{Change, Mask};
use super::model::Model;

/// Sizes of the place that is taken for the model, radius in millimetres.
const SEEDS_MM: [f64; 2] = [4.0, 8.0];
/// Thresholds, in spreads of the model.
const LEAST_THRESHOLD: f32 = 1.2;
const THRESHOLDS: usize = 22;
const STEP: f32 = 1.11;
/// A piece is no smaller than this, square millimetres: a felt of two centimetres a side.
pub(super) const LEAST_MM2: f64 = 400.0;
/// Pieces smaller than this are less likely to be what was meant: the board between two trees, a bare patch. A choice:
/// a base and a half of 15 mm figures square.
const LIKELY_MM2: f64 = 8000.0;
/// Gaps up to twice this between pieces that look alike are closed, where that makes a better whole: trees stand there.
const GAPS_MM: [f64; 3] = [0.0, 7.0, 12.0];
/// Where so much of the rest of the board looks like the piece, of what does in the piece, it is the cloth.
const CLOTH: f64 = 0.6;
/// Nor larger than this share of the board: that is the cloth.
const MOST_SHARE: f64 = 0.5;
/// Half a window across the rim, millimetres.
const WINDOW_MM: f64 = 5.0;
/// Windows along a rim.
const WINDOWS: usize = 160;
/// The share of a rim that may be less sharp than the piece's figure.
const QUANTILE: f64 = 0.25;

/// A piece that was found.
#[derive(Debug, Clone)]
pub(super) struct Grown {
    pub mask: Mask,
    pub model: Model,
    /// How sharp its rim is, 0 to 1.
    pub sharpness: f64,
}

/// What was tried and refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Nothing {
    /// Only the cloth itself.
    Cloth,
    /// Nothing large enough.
    Small,
}

/// How like a model a look at such a distance is, 1 to 0.
fn likeness(distance: f32) -> f32 {
    1.0 / (1.0 + (distance / 3.0).powi(2))
}

/// How likely a piece of that size is what was meant, 0 to 1.
fn likely(mask: &Mask, mm_per_px: f64) -> f64 {
    (mask.count() as f64 * mm_per_px * mm_per_px / LIKELY_MM2).min(1.0).sqrt()
}

/// The best piece round a pixel, over several smoothings of one picture.
pub(super) fn grow(
    smoothings: &[Features],
    seed: usize,
    mm_per_px: f64,
    board_px: f64,
) -> Result<Grown, Nothing> {
    let mut best: Option<Grown> = None;
    let mut cloth = false;
    for features in smoothings {
        for radius in SEEDS_MM {
            let Some(mut model) = seed_model(features, seed, radius / mm_per_px) else { continue };
            for _ in 0..3 {
                let Some(found) = sharpest(features, seed, &model, mm_per_px, board_px, &mut cloth) else {
                    break;
                };
                model = found.1;
                let sharpness = found.2;
                let worth = |sharpness: f64, mask: &Mask| sharpness * likely(mask, mm_per_px);
                if best.as_ref().is_none_or(|b| worth(sharpness, &found.0) > worth(b.sharpness, &b.mask)) {
                    best = Some(Grown { mask: found.0, model, sharpness });
                }
            }
        }
    }
    best.ok_or(if cloth { Nothing::Cloth } else { Nothing::Small })
}

/// The model of the shown pixels round a pixel.
fn seed_model(features: &Features, seed: usize, radius: f64) -> Option<Model> {
    let (w, h) = (features.w as i64, features.h as i64);
    let (row, column) = (seed as i64 / w, seed as i64 % w);
    let reach = radius.ceil() as i64;
    let disc = (-reach..=reach).flat_map(move |r| (-reach..=reach).map(move |c| (r, c)));
    let pixels: Vec<usize> = disc
        .filter(|(r, c)| ((r * r + c * c) as f64) <= radius * radius)
        .map(|(r, c)| (row + r, column + c))
        .filter(|(r, c)| (0..h).contains(r) && (0..w).contains(c))
        .map(|(r, c)| (r * w + c) as usize)
        .filter(|n| features.own[*n])
        .collect();
    Model::of(features, pixels.iter().copied())
}

/// The piece with the sharpest rim, the model made of it, and how sharp it is.
fn sharpest(
    features: &Features,
    seed: usize,
    model: &Model,
    mm_per_px: f64,
    board_px: f64,
    cloth: &mut bool,
) -> Option<(Mask, Model, f64)> {
    let distances: Vec<f32> = features.look.iter().map(|look| model.distance(look)).collect();
    let like: Vec<f32> = distances.iter().map(|d| likeness(*d)).collect();
    let sums = Sums::of(features, &like);
    let reach = (3.0 / mm_per_px).round().max(1.0) as usize;
    let near = near(features, seed, reach);
    let mut best = None::<(Mask, f64)>;
    for gap in GAPS_MM {
        if best.as_ref().is_some_and(|(mask, _)| likely(mask, mm_per_px) >= 1.0) {
            break;
        }
        let mut last = 0;
        for n in 0..THRESHOLDS {
            let threshold = LEAST_THRESHOLD * STEP.powi(n as i32);
            let on = distances.iter().map(|d| *d < threshold).collect();
            let below = Mask { w: features.w, h: features.h, on };
            let Ok(below) =
                (if gap > 0.0 { below.changed(Change::Close, gap / mm_per_px) } else { Ok(below) })
            else {
                continue;
            };
            let piece = below.piece(near.iter().copied()).filled();
            let count = piece.count();
            if count as f64 * mm_per_px * mm_per_px < LEAST_MM2 || count == last {
                continue;
            }
            last = count;
            if count as f64 > MOST_SHARE * board_px {
                *cloth = true;
                break;
            }
            let window = (WINDOW_MM / mm_per_px).round() as usize;
            let Some(sharpness) = sharpness(features, &piece, &sums, window) else { continue };
            let worth = |sharpness: f64, mask: &Mask| sharpness * likely(mask, mm_per_px);
            if best.as_ref().is_none_or(|(mask, s)| worth(sharpness, &piece) > worth(*s, mask)) {
                best = Some((piece, sharpness));
            }
        }
    }
    let (mask, sharpness) = best?;
    if alike_elsewhere(features, &mask, &like) > CLOTH {
        *cloth = true;
        return None;
    }
    let alike = mask.pixels().filter(|n| features.own[*n] && like[*n] > 0.3);
    let of: Vec<usize> = alike.collect();
    let model = Model::of(features, of.iter().copied())?;
    Some((mask, model, sharpness))
}

/// The share of the rest that looks like the model, of the share that does in the piece.
fn alike_elsewhere(features: &Features, mask: &Mask, like: &[f32]) -> f64 {
    let share = |inside: bool| {
        let of = (0..like.len()).filter(|n| features.own[*n] && mask.on[*n] == inside);
        let (all, alike) = of.fold((0.0f64, 0.0f64), |(all, alike), n| {
            (all + 1.0, alike + f64::from(u8::from(like[n] > 0.7)))
        });
        alike / all.max(1.0)
    };
    share(false) / share(true).max(1e-6)
}

fn near(features: &Features, seed: usize, reach: usize) -> Vec<usize> {
    let (row, column) = (seed / features.w, seed % features.w);
    let rows = row.saturating_sub(reach)..(row + reach + 1).min(features.h);
    let columns = column.saturating_sub(reach)..(column + reach + 1).min(features.w);
    rows.flat_map(|r| columns.clone().map(move |c| r * features.w + c)).collect()
}

/// Rows of running sums of likeness and of what is shown, for means over windows.
struct Sums {
    like: Vec<f32>,
    own: Vec<f32>,
}

impl Sums {
    fn of(features: &Features, like: &[f32]) -> Self {
        let own: Vec<f32> = features.own.iter().map(|own| f32::from(u8::from(*own))).collect();
        Self { like: like.iter().zip(&own).map(|(l, o)| l * o).collect(), own }
    }
}

/// How much more the inside of a rim is like the model than its outside: the figure that three quarters of the rim
/// reach. `None` where too little of the rim shows.
fn sharpness(features: &Features, piece: &Mask, sums: &Sums, window: usize) -> Option<f64> {
    let (w, h) = (piece.w, piece.h);
    let rim: Vec<usize> = piece
        .pixels()
        .filter(|n| {
            let (row, column) = (n / w, n % w);
            row > 0
                && column > 0
                && row + 1 < h
                && column + 1 < w
                && [n - 1, n + 1, n - w, n + w].iter().any(|next| !piece.on[*next])
        })
        .collect();
    let every = rim.len().div_ceil(WINDOWS).max(1);
    let (mut steps, mut asked) = (Vec::new(), 0);
    for &n in rim.iter().step_by(every) {
        asked += 1;
        let (row, column) = (n / w, n % w);
        let (mut inside, mut outside) = ((0.0f32, 0.0f32), (0.0f32, 0.0f32));
        let mut all = 0.0f32;
        for r in row.saturating_sub(window)..(row + window + 1).min(h) {
            for c in column.saturating_sub(window)..(column + window + 1).min(w) {
                let at = r * w + c;
                let side = if piece.on[at] { &mut inside } else { &mut outside };
                side.0 += sums.like[at];
                side.1 += sums.own[at];
                all += 1.0;
            }
        }
        if features.own[n] && inside.1 > 0.1 * all && outside.1 > 0.1 * all {
            steps.push(f64::from(inside.0 / inside.1 - outside.0 / outside.1));
        }
    }
    if steps.len() < 12 || steps.len() * 4 < asked {
        return None;
    }
    steps.sort_by(f64::total_cmp);
    Some(steps[(steps.len() as f64 * QUANTILE) as usize])
}
