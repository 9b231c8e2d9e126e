//! How a waterway lies along its edge of the battlefield.
//!
//! Table frame, millimetres. Depth is measured square to the edge that most of its rim lies along. Cut into strips at
//! every corner, the outline is straight between, so the greatest and least depths are found exactly. A rim lies along
//! the edge within the gap of bases in contact. Clauses: dba3.wway.3 to .5.

use super::body::rims;
use crate::geometry::{Margin, Point, Polygon};
use crate::rules::stronghold::Terms;
use crate::rules::terrain::{BoardEdge, Feature};
use crate::rules::{Settings, Setup, exact};

/// Least and greatest depth, base widths (clause dba3.wway.4).
const DEPTH_BW: (f64, f64) = (1.0, 4.0);
/// Half of it is no deeper than this (clause dba3.wway.5).
const HALF_BW: f64 = 3.0;

/// A strip of a waterway between two places along its edge: how deep it is at either end, as far as the water reaches
/// unbroken from the edge, and at most. `None` where no water touches the edge there.
#[derive(Debug, Clone, Copy)]
struct Strip {
    from: f64,
    to: f64,
    unbroken: (f64, f64),
    most: (f64, f64),
}

/// The edge that most of its rim lies along.
pub fn edge_of(setup: &Setup, settings: &Settings, outline: &Polygon) -> BoardEdge {
    let along = |side: BoardEdge| -> f64 {
        strips(setup, settings, outline, side).iter().map(|s| s.to - s.from).sum()
    };
    let best = BoardEdge::ALL.into_iter().max_by(|a, b| along(*a).total_cmp(&along(*b)));
    best.expect("a board has edges")
}

/// Whether a waterway fills its edge and is as deep as it may be.
pub fn waterway(setup: &Setup, settings: &Settings, water: &Feature) -> Terms {
    let (name, bw, board) = (&water.name, setup.scale.mm_per_bw(), setup.board_mm);
    let edge = edge_of(setup, settings, &water.outline);
    let found = strips(setup, settings, &water.outline, edge);
    let mut terms = Terms::default();
    let whole = edge.length_mm(board);
    let filled: f64 = found.iter().map(|s| s.to - s.from).sum();
    let short = whole - filled;
    let slack = settings.tolerances.contact_gap_mm;
    let text = format!("{name} lies along {:.2} of {:.2} BW of the {}", filled / bw, whole / bw, edge.name());
    let start = place(edge, found.first().map_or(0.0, |s| s.from), 0.0, board);
    let end = place(edge, found.last().map_or(0.0, |s| s.to), 0.0, board);
    let mm = if short <= slack { 0.0 } else { -short };
    terms.test("dba3.wway.3", text, Margin::closed(exact(mm), rims(start, end)));
    let ends = |pick: fn(&Strip) -> (f64, f64)| {
        found.iter().flat_map(move |s| [(pick(s).0, s.from), (pick(s).1, s.to)])
    };
    let least = ends(|s| s.unbroken).min_by(|a, b| a.0.total_cmp(&b.0));
    let most = ends(|s| s.most).max_by(|a, b| a.0.total_cmp(&b.0));
    if let (Some(least), Some(most)) = (least, most) {
        let (low, high) = (DEPTH_BW.0 * bw, DEPTH_BW.1 * bw);
        let here =
            |(mm, along): (f64, f64)| rims(place(edge, along, mm, board), place(edge, along, 0.0, board));
        let text = format!("{name} is {:.2} BW deep where it is shallowest; 1 BW at least", least.0 / bw);
        terms.test("dba3.wway.4", text, Margin::closed(exact(least.0 - low), here(least)));
        let text = format!("{name} is {:.2} BW deep where it is deepest; 4 BW at most", most.0 / bw);
        terms.test("dba3.wway.4", text, Margin::closed(exact(high - most.0), here(most)));
        let shallow: f64 = found.iter().map(|s| shallow(s, HALF_BW * bw)).sum();
        let text = format!(
            "{name} is at most 3 BW deep along {:.2} of {:.2} BW; half at least",
            shallow / bw,
            filled / bw
        );
        terms.test("dba3.wway.5", text, Margin::closed(exact(shallow - filled / 2.0), here(most)));
    }
    terms
}

/// The part of a strip where the depth is at most so much.
fn shallow(strip: &Strip, most: f64) -> f64 {
    let (a, b) = strip.most;
    let length = strip.to - strip.from;
    match (a <= most, b <= most) {
        (true, true) => length,
        (false, false) => 0.0,
        (true, false) => length * (most - a) / (b - a),
        (false, true) => length * (most - b) / (a - b),
    }
}

/// A point so far along an edge from its left or near end, and so deep inside.
fn place(edge: BoardEdge, along: f64, deep: f64, board: (f64, f64)) -> Point {
    match edge {
        BoardEdge::Near => Point::new(along, deep),
        BoardEdge::Far => Point::new(along, board.1 - deep),
        BoardEdge::Left => Point::new(deep, along),
        BoardEdge::Right => Point::new(board.0 - deep, along),
    }
}

/// How far along an edge a point is, and how deep.
fn seen(edge: BoardEdge, point: Point, board: (f64, f64)) -> (f64, f64) {
    let along = match edge {
        BoardEdge::Near | BoardEdge::Far => point.x,
        BoardEdge::Left | BoardEdge::Right => point.y,
    };
    (along, edge.from(point, board))
}

/// The strips in which water touches that edge, in order along it.
fn strips(setup: &Setup, settings: &Settings, outline: &Polygon, edge: BoardEdge) -> Vec<Strip> {
    let (board, slack) = (setup.board_mm, settings.tolerances.contact_gap_mm);
    let whole = edge.length_mm(board);
    let corners: Vec<(f64, f64)> = outline.corners().iter().map(|p| seen(edge, *p, board)).collect();
    let mut cuts: Vec<f64> = corners.iter().map(|c| c.0.clamp(0.0, whole)).collect();
    cuts.sort_by(f64::total_cmp);
    let next = corners.iter().cycle().skip(1);
    let sides: Vec<((f64, f64), (f64, f64))> = corners.iter().copied().zip(next.copied()).collect();
    let mut found = Vec::new();
    for pair in cuts.windows(2).filter(|pair| pair[1] - pair[0] > 1e-9) {
        let (from, to) = (pair[0], pair[1]);
        let middle = f64::midpoint(from, to);
        let at =
            |(a, b): ((f64, f64), (f64, f64)), along: f64| a.1 + (b.1 - a.1) * (along - a.0) / (b.0 - a.0);
        let mut met: Vec<((f64, f64), (f64, f64))> =
            sides.iter().copied().filter(|(a, b)| (a.0 < middle) != (b.0 < middle)).collect();
        met.sort_by(|a, b| at(*a, middle).total_cmp(&at(*b, middle)));
        let [first, second, .., last] = met.as_slice() else {
            let [first, second] = met.as_slice() else { continue };
            if at(*first, middle) <= slack {
                let depth = (at(*second, from), at(*second, to));
                found.push(Strip { from, to, unbroken: depth, most: depth });
            }
            continue;
        };
        if at(*first, middle) <= slack {
            found.push(Strip {
                from,
                to,
                unbroken: (at(*second, from), at(*second, to)),
                most: (at(*last, from), at(*last, to)),
            });
        }
    }
    found
}
