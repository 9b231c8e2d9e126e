//! A die that shows one pip: its face is not known from its pips, so the blob's outline gives it.
//!
//! The pip must lie in the middle of a blob of a single die's shape (what other faces account for taken away), and
//! everything about it out to where other pips would lie must be plainly of the face's colour.

use super::decide::{Judged, SIDE};
use super::face::{Colours, Face, alike};
use super::ground::Blob;
use super::pips::{Between, Pip};

/// Directions in which the outline is measured.
const WAYS: usize = 24;

/// The faces of one pip that stand. Those that do not are left to the blobs' rest.
pub(super) fn ones(picture: Between, round: &[Pip], blobs: &[Blob], judged: &[Judged]) -> Vec<Judged> {
    let mut found: Vec<Judged> = Vec::new();
    for (k, pip) in round.iter().enumerate() {
        let [x, y] = pip.at;
        if pip.round < 0.84
            || judged.iter().any(|j| j.face.pips.contains(&k) || j.holds(pip.at, 1.0))
            || found.iter().any(|j| j.holds(pip.at, 1.0))
        {
            continue;
        }
        let Some(blob) = blobs.iter().find(|b| b.holds(x, y)) else { continue };
        if let Some(one) = one(picture, k, round, blob, judged) {
            found.push(one);
        }
    }
    found
}

fn one(picture: Between, k: usize, round: &[Pip], blob: &Blob, judged: &[Judged]) -> Option<Judged> {
    let pip = &round[k];
    let [x, y] = pip.at;
    let way = |n: usize| {
        let angle = n as f32 * std::f32::consts::TAU / WAYS as f32;
        [angle.cos(), angle.sin()]
    };
    let longest = 14.0 * pip.radius;
    let exits: Vec<f32> = (0..WAYS)
        .map(|n| {
            let [c, s] = way(n);
            let mut far = pip.radius;
            while far < longest {
                let at = [x + far * c, y + far * s];
                if !blob.holds(at[0], at[1]) || judged.iter().any(|j| j.holds(at, 0.2)) {
                    break;
                }
                far += 0.25;
            }
            far
        })
        .collect();
    let widths: Vec<f32> = (0..WAYS / 2).map(|n| exits[n] + exits[n + WAYS / 2]).collect();
    let narrowest = widths.iter().copied().fold(f32::MAX, f32::min);
    let widest = widths.iter().copied().fold(0.0, f32::max);
    let nearest = exits.iter().copied().fold(f32::MAX, f32::min);
    let side = narrowest.min(2.2 * nearest);
    let in_radii = side / pip.radius;
    if !(5.5..14.0).contains(&in_radii) || widest > 1.6 * side || nearest < 0.39 * narrowest {
        return None;
    }
    // Everything about the pip, out to where the pips of other faces end.
    let mut about = Vec::new();
    let mut far = 1.75 * pip.radius;
    while far < 0.42 * side {
        about.extend((0..WAYS).map(|n| picture.at(x + far * way(n)[0], y + far * way(n)[1])));
        far += (0.3 * pip.radius).max(0.5);
    }
    if about.len() < 3 * WAYS {
        return None;
    }
    let ground: [f32; 3] = std::array::from_fn(|n| {
        let mut v: Vec<f32> = about.iter().map(|c| c[n]).collect();
        let m = v.len() / 2;
        *v.select_nth_unstable_by(m, f32::total_cmp).1
    });
    let d: [f32; 3] = std::array::from_fn(|n| pip.inner[n] - ground[n]);
    let square: f32 = d.iter().map(|v| v * v).sum::<f32>().max(1.0);
    let part = |c: &[f32; 3]| (0..3).map(|n| (c[n] - ground[n]) * d[n]).sum::<f32>() / square;
    let off = |c: &[f32; 3]| (0..3).map(|n| (c[n] - ground[n]).powi(2)).sum::<f32>().sqrt() / square.sqrt();
    let strongest_off = about.iter().map(part).fold(0.0, f32::max);
    let stained = about.iter().filter(|c| off(c) > 0.5).count() as f32 / about.len() as f32;
    let colours = Colours { faintest_on: 1.0, strongest_off, stained, contrast: square.sqrt() };
    let others = round.iter().enumerate().any(|(n, other)| {
        let far = (other.at[0] - x).hypot(other.at[1] - y);
        n != k
            && far > pip.radius
            && far < 0.5 * side
            && (alike(other, pip) || other.contrast > 0.5 * pip.contrast)
            && other.radius > 0.45 * pip.radius
            && other.radius < 2.0 * pip.radius
    });
    if others || strongest_off > 0.45 || stained > 0.03 || square.sqrt() < 70.0 {
        return None;
    }
    let face = Face {
        middle: pip.at,
        along: [side / SIDE, 0.0],
        across: [0.0, side / SIDE],
        pips: vec![k],
        on: 0b000_010_000,
        radius: pip.radius,
        off: 0.0,
    };
    Some(Judged { face, colours, why: None })
}
