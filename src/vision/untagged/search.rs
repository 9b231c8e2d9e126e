//! From clicks to the rim: every place and turn near them, by how much of a base's outline shows there.
//!
//! Each piece of the outline is looked at along its own line once; a place and turn of the base then only looks up
//! where it puts each piece. A piece counts no more than a whole step, so that a tag's bright edge counts no more than
//! a brown base's on green.

use super::light::{Contrast, Light};
use super::rim::{Outline, Piece, Profile, outward, tint};
use crate::geometry::{Corner, Edge, Footprint, Vector};
use nalgebra::Vector3;

/// A piece with its profile and what the rim is worth along it.
struct Row {
    out: Vector,
    /// How a turn moves the rim outwards here, millimetres a radian.
    by_turn_mm: f64,
    mm_per_px: f64,
    weight: f64,
    profile: Profile,
    response: Vec<f64>,
}

/// Reach of the first look, in sigmas of a click; and its steps: pixels at the corners.
const REACH_SIGMAS: f64 = 2.6;
const STEP_PX: f64 = 0.6;
/// What a piece that shows wholly counts for in the logarithm of the likelihood. A choice: neighbouring pieces err
/// together.
const PIECE_COUNTS: f64 = 2.5;
/// Pixels from the expected rim from which on what shows is the base's or the ground's.
const CLEAR_PX: (f64, f64) = (3.0, 8.0);
/// Ground that stands less than so many sigmas of grain from the base does not count fully.
const FULL_SIGMAS: f64 = 3.0;

/// How an edge's rim moves outwards at a place when the base turns by a radian.
pub(super) fn by_turn(base: &Footprint, piece: &Piece) -> f64 {
    let arm = piece.at - base.pose().centre;
    Vector::new(-arm.y, arm.x).dot(&outward(base, piece.edge))
}

/// What the first look found.
pub(super) struct Looked {
    /// The place and turn at which most of the outline shows.
    pub best: Footprint,
    /// The share of the outline that shows there, 0 to 1.
    pub shown: f64,
    /// Places and turns that are likely, with their probabilities: shift and turn from `best`, millimetres and radians.
    pub likely: Vec<(Vector3<f64>, f64)>,
}

/// Looks for the base near where it was clicked. `None` where no piece of its outline can be looked at.
pub(super) fn search(
    light: &Light<'_>,
    outline: &Outline<'_>,
    free: &dyn Fn(&Piece) -> bool,
    click_sigma_px: f64,
    corners: &[Corner],
) -> Option<Looked> {
    let reach_px = REACH_SIGMAS * click_sigma_px;
    let rows = rows(light, outline, free, reach_px);
    let whole: f64 = rows.iter().map(|r| r.weight).sum();
    if whole <= 0.0 {
        return None;
    }
    let mm_per_px = rows.iter().map(|r| r.mm_per_px).sum::<f64>() / rows.len() as f64;
    // The clicks themselves: their middle, and their turn about it. The base turns about its own middle instead.
    let count = corners.len() as f64;
    let middle = corners.iter().map(|c| outline.base.corner(*c).coords).sum::<Vector>() / count;
    let arms: f64 = corners.iter().map(|c| (outline.base.corner(*c).coords - middle).norm_squared()).sum();
    let click_mm = click_sigma_px * mm_per_px;
    let (middle_sigma, turn_sigma) = (click_mm / count.sqrt(), click_mm / arms.sqrt().max(1e-9));
    let arm = middle - outline.base.pose().centre.coords;
    let shows = |shift: Vector, turn: f64| -> f64 {
        let of = |r: &Row| {
            let out_px = (shift.dot(&r.out) + turn * r.by_turn_mm) / r.mm_per_px;
            r.weight * r.profile.lookup(&r.response, out_px).clamp(-0.3, 1.0)
        };
        rows.iter().map(of).sum()
    };
    let score = |shift: Vector, turn: f64| -> f64 {
        let moved = shift + Vector::new(-arm.y, arm.x) * turn;
        let clicks = (moved.norm() / middle_sigma).powi(2) + (turn / turn_sigma).powi(2);
        PIECE_COUNTS * shows(shift, turn) - clicks / 2.0
    };
    let step_mm = STEP_PX * mm_per_px;
    let step_rad = 2.0 * step_mm / outline.base.width_mm().hypot(outline.base.depth_mm());
    let steps = (reach_px / STEP_PX).ceil() as i32;
    let turns = (REACH_SIGMAS * turn_sigma / step_rad).ceil() as i32;
    let mut tried = Vec::new();
    for t in -turns..=turns {
        for i in -steps..=steps {
            for j in -steps..=steps {
                let shift = Vector::new(f64::from(i), f64::from(j)) * step_mm;
                let turn = f64::from(t) * step_rad;
                tried.push((shift, turn, score(shift, turn)));
            }
        }
    }
    let mut best = tried.iter().copied().max_by(|a, b| a.2.total_cmp(&b.2))?;
    for fine in [0.3, 0.1] {
        let (shift, turn, _) = best;
        for (t, i, j) in (0..125).map(|n| (n / 25 - 2, n / 5 % 5 - 2, n % 5 - 2)) {
            let shift = shift + Vector::new(f64::from(i), f64::from(j)) * (fine * step_mm);
            let turn = turn + f64::from(t) * fine * step_rad;
            let here = score(shift, turn);
            if here > best.2 {
                best = (shift, turn, here);
            }
        }
    }
    let (shift, turn, most) = best;
    let likely: Vec<(Vector3<f64>, f64)> = tried
        .iter()
        .filter(|(.., s)| *s > most - 12.0)
        .map(|(v, t, s)| (Vector3::new(v.x - shift.x, v.y - shift.y, t - turn), (s - most).exp()))
        .collect();
    let sum: f64 = likely.iter().map(|(_, p)| p).sum();
    let likely = likely.into_iter().map(|(off, p)| (off, p / sum.max(1e-300))).collect();
    let pose = outline.base.pose().nudged(shift, turn);
    Some(Looked { best: outline.base.moved_to(pose), shown: shows(shift, turn) / whole, likely })
}

fn rows(light: &Light<'_>, outline: &Outline<'_>, free: &dyn Fn(&Piece) -> bool, reach_px: f64) -> Vec<Row> {
    let looked: Vec<(Piece, Profile)> = outline
        .pieces()
        .into_iter()
        .filter(|piece| free(piece))
        .filter_map(|piece| Some((piece, piece.profile(light, reach_px + CLEAR_PX.0)?)))
        .collect();
    let Some(own) = tint(looked.iter().map(|(_, profile)| profile), -CLEAR_PX.1, -CLEAR_PX.0) else {
        return Vec::new();
    };
    let contrasts = Edge::ALL.map(|edge| {
        let of_edge = looked.iter().filter(|(piece, _)| piece.edge == edge).map(|(_, profile)| profile);
        tint(of_edge, CLEAR_PX.0, CLEAR_PX.1).map(|ground| Contrast::between(&own, &ground))
    });
    let place = |edge: Edge| Edge::ALL.iter().position(|e| *e == edge).unwrap_or(0);
    looked
        .into_iter()
        .filter_map(|(piece, profile)| {
            let contrast = contrasts[place(piece.edge)].as_ref()?;
            let response = profile.response(contrast);
            let weight = (contrast.sigmas() / FULL_SIGMAS).min(1.0);
            Some(Row {
                out: outward(&outline.base, piece.edge),
                by_turn_mm: by_turn(&outline.base, &piece),
                mm_per_px: piece.mm_per_px,
                weight,
                profile,
                response,
            })
        })
        .collect()
}
