//! Straight ahead until somebody is touched.

use crate::geometry::{Vector, separation};
use crate::rules::Element;

/// A gap of less than this is none, millimetres.
const NONE_MM: f64 = 1e-4;

/// How far these go along `way`, a unit vector, until the first of them touches one of `others`; none where
/// that is further than `most_mm`.
pub fn until_touch(movers: &[&Element], others: &[&Element], way: Vector, most_mm: f64) -> Option<f64> {
    let gap = |goes: f64| {
        let ends = movers.iter().map(|e| e.footprint.moved_to(e.footprint.pose().nudged(way * goes, 0.0)));
        let gaps = ends.flat_map(|base| others.iter().map(move |e| separation(&base, &e.footprint).mm));
        gaps.fold(f64::INFINITY, f64::min)
    };
    let mut goes = 0.0;
    // No step is longer than the gap, so nothing is jumped over.
    while goes <= most_mm {
        let left = gap(goes);
        if left < NONE_MM {
            return Some(goes);
        }
        goes += left;
    }
    None
}
