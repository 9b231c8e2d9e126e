//! The rim, placed to a fraction of a millimetre: along lines square to a rough contour, where what looks like the
//! inside ends and what looks like the outside begins.
//!
//! The shifts of neighbours are chosen together, so that the rim is smooth where nothing shows it (a tree leans over
//! it, a base stands on it) and goes by the picture elsewhere.

use super::features::Features;
use super::mask::{Change, Mask};
use super::model::Model;
use super::rectify::Rectified;
use crate::geometry::{Point, Vector};

/// Between two lines across the rim, and between two places on one, millimetres.
pub(super) const ALONG_MM: f64 = 2.0;
const STEP_MM: f64 = 0.5;
/// How far the rim may be moved, and how much further a line is read, millimetres.
pub(super) const REACH_MM: f64 = 6.0;
const BEYOND_MM: f64 = 4.0;
/// What a bend costs: a shift of one step against the next line.
const BEND: f64 = 0.35;
/// Bays narrower than twice this may be trees that stand on a rim. A choice.
pub(super) const BAY_MM: f64 = 14.0;
/// Further than this from both models, in their spreads, a look is neither: a tree, a figure.
const NEITHER: f32 = 4.5;

/// Evidence for each pixel: 1 inside, -1 outside, 0 where nothing can be said.
#[derive(Debug, Clone)]
pub(super) struct Evidence {
    pub side: Vec<f32>,
}

/// Evidence over the picture, from the model of the inside and from what lies round about a mask.
pub(super) fn evidence(
    made: &Rectified,
    features: &Features,
    mask: &Mask,
    inside: &Model,
) -> Result<Option<Evidence>, opencv::Error> {
    let size = (features.w, features.h);
    // Trees in the bays of a felt are no part of what lies round it.
    let off = mask.changed(Change::Close, made.px(BAY_MM))?.changed(Change::Grow, made.px(4.0))?;
    let ring = mask.changed(Change::Grow, made.px(35.0))?;
    let round: Vec<usize> = ring.pixels().filter(|n| !off.on[*n] && features.own[*n]).collect();
    let Some(outside) = Model::of(features, round.iter().copied()) else { return Ok(None) };
    // What lies outside varies along the rim: its mean is taken near by.
    let counts: Vec<f32> = (0..features.look.len())
        .map(|n| f32::from(u8::from(features.own[n] && ring.on[n] && !off.on[n])))
        .collect();
    let sigma = made.px(12.0);
    let share = super::features::blurred(&counts, size, sigma)?;
    let mut means = Vec::new();
    for channel in 0..4 {
        let plane: Vec<f32> = features.look.iter().map(|l| l[channel]).collect();
        means.push(super::features::mean_of(&plane, &counts, &share, size, sigma)?);
    }
    let side = (0..features.look.len()).map(|n| {
        if !features.own[n] || !ring.on[n] {
            return 0.0;
        }
        let look = &features.look[n];
        let near = if share[n] > 0.01 {
            super::features::Look::new(means[0][n], means[1][n], means[2][n], means[3][n])
        } else {
            outside.mean
        };
        let d_in = inside.distance(look);
        let d_out = outside.distance_from(&near, look).min(outside.distance(look));
        if d_in.min(d_out) > NEITHER {
            return 0.0;
        }
        ((d_out * d_out - d_in * d_in) / 4.0).clamp(-1.0, 1.0)
    });
    Ok(Some(Evidence { side: side.collect() }))
}

/// Evidence at a table point, between pixels.
fn at(made: &Rectified, evidence: &Evidence, point: Point) -> f64 {
    let (w, h) = made.size();
    let (x, y) = made.pixel(point);
    if x < 0.0 || y < 0.0 || x >= (w - 1) as f64 || y >= (h - 1) as f64 {
        return 0.0;
    }
    let (c, r) = (x as usize, y as usize);
    let (fx, fy) = (x - c as f64, y - r as f64);
    let of = |r: usize, c: usize| f64::from(evidence.side[r * w + c]);
    (of(r, c) * (1.0 - fx) + of(r, c + 1) * fx) * (1.0 - fy)
        + (of(r + 1, c) * (1.0 - fx) + of(r + 1, c + 1) * fx) * fy
}

/// A closed line resampled evenly, each point with the way out of it.
pub(super) fn lines(rim: &[Point], along_mm: f64) -> Vec<(Point, Vector)> {
    let n = rim.len();
    if n < 3 {
        return Vec::new();
    }
    let length: f64 = (0..n).map(|i| (rim[(i + 1) % n] - rim[i]).norm()).sum();
    let count = ((length / along_mm).round() as usize).max(12);
    let step = length / count as f64;
    let mut even = Vec::with_capacity(count);
    let (mut left, mut i, mut from) = (0.0, 0, rim[0]);
    while even.len() < count {
        let to = rim[(i + 1) % n];
        let piece = (to - from).norm();
        if piece >= left && piece > 0.0 {
            from += (to - from) * (left / piece);
            even.push(from);
            left = step;
        } else {
            left -= piece;
            i = (i + 1) % n;
            from = rim[i];
        }
    }
    let area: f64 =
        (0..count).map(|i| even[i].x * even[(i + 1) % count].y - even[(i + 1) % count].x * even[i].y).sum();
    let turn = if area >= 0.0 { 1.0 } else { -1.0 };
    let reach = 2.min(count / 4).max(1);
    (0..count)
        .map(|i| {
            let ahead = even[(i + reach) % count] - even[(i + count - reach) % count];
            let out = Vector::new(ahead.y, -ahead.x) * turn;
            let norm = out.norm();
            (even[i], if norm > 1e-9 { out / norm } else { Vector::new(1.0, 0.0) })
        })
        .collect()
}

/// What each shift of one line costs: the evidence that would lie on its wrong side, and how much evidence there is.
#[derive(Debug, Clone)]
pub(super) struct Line {
    costs: Vec<f64>,
    /// Where it alone would put the rim, and how surely: the evidence it stands on, 0 to 1.
    pub alone_mm: f64,
    pub weight: f64,
}

/// The costs of shifts up to `reach_mm` either way along each line.
pub(super) fn read_lines(
    made: &Rectified,
    evidence: &Evidence,
    lines: &[(Point, Vector)],
    reach_mm: f64,
) -> Vec<Line> {
    let half = (reach_mm / STEP_MM).round() as i64;
    let beyond = (BEYOND_MM / STEP_MM).round() as i64;
    lines
        .iter()
        .map(|(from, out)| {
            let read: Vec<f64> = (-half - beyond..=half + beyond)
                .map(|k| at(made, evidence, from + out * ((k as f64 + 0.5) * STEP_MM)))
                .collect();
            let strength: f64 = read.iter().map(|v| v.abs()).sum::<f64>() / read.len() as f64;
            // The rim at k: everything before it should be inside (1), everything behind it outside (-1).
            let mut cost: f64 = read[..beyond as usize].iter().map(|v| 1.0 - v).sum::<f64>()
                + read[beyond as usize..].iter().map(|v| 1.0 + v).sum::<f64>();
            let mut costs = Vec::with_capacity(2 * half as usize + 1);
            for k in 0..=2 * half {
                costs.push(cost * STEP_MM);
                if let Some(v) = read.get((beyond + k) as usize) {
                    cost -= 2.0 * v;
                }
            }
            let (k, least) = costs.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1)).expect("costs");
            let dearest = costs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let told = ((dearest - least) / (2.0 * reach_mm)).min(1.0);
            Line { alone_mm: (k as i64 - half) as f64 * STEP_MM, weight: told * strength.min(1.0), costs }
        })
        .collect()
}

/// The shifts, millimetres outward, that cost least together round a closed rim.
pub(super) fn settle(lines: &[Line]) -> Vec<f64> {
    let Some(states) = lines.first().map(|l| l.costs.len()) else { return Vec::new() };
    let n = lines.len();
    // The closed chain is gone round twice; the middle of that does not feel where it began.
    let mut cost = vec![0.0; states];
    let mut came: Vec<Vec<u16>> = Vec::with_capacity(2 * n);
    for i in 0..2 * n {
        let mut next = vec![0.0; states];
        let mut from = vec![0u16; states];
        for s in 0..states {
            let (low, high) = (s.saturating_sub(4), (s + 5).min(states));
            let (mut best, mut best_from) = (f64::INFINITY, s);
            for (p, before) in cost.iter().enumerate().take(high).skip(low) {
                let sum = before + (s as f64 - p as f64).powi(2) * BEND;
                if sum < best {
                    (best, best_from) = (sum, p);
                }
            }
            next[s] = best + lines[i % n].costs[s];
            from[s] = best_from as u16;
        }
        let least = next.iter().copied().fold(f64::INFINITY, f64::min);
        cost = next.into_iter().map(|c| c - least).collect();
        came.push(from);
    }
    let mut state = (0..states).min_by(|a, b| cost[*a].total_cmp(&cost[*b])).unwrap_or(0);
    let mut path = vec![0usize; 2 * n];
    for i in (0..2 * n).rev() {
        path[i] = state;
        state = usize::from(came[i][state]);
    }
    let half = (states / 2) as f64;
    (0..n)
        .map(|i| {
            let at = if i < n / 2 { i + n } else { i };
            (path[at] as f64 - half) * STEP_MM
        })
        .collect()
}
