//! The part of a table that one combat can be read from.
//!
//! Invariant: whoever is further than three touches from both who fight is left out, and nothing that is said of a
//! combat looks further: who presses an element, whom that one fights or presses beside, and the same of a friend
//! straight behind.

use crate::rules::neighbours::{may_touch, near_pairs, touching_mm};
use crate::rules::{Element, Setup};

/// Touches from the two who fight to the last that matters.
const HOPS: usize = 3;

/// Who can touch whom.
pub(super) struct Near {
    /// By places in the setup, in order.
    of: Vec<Vec<usize>>,
}

impl Near {
    pub fn of(setup: &Setup) -> Self {
        let elements = &setup.elements;
        let reach_mm = 2.0 * elements.iter().map(touching_mm).fold(0.0, f64::max);
        let mut of = vec![Vec::new(); elements.len()];
        for (i, j) in near_pairs(elements, reach_mm) {
            if may_touch(&elements[i], &elements[j], 0.0) {
                of[i].push(j);
                of[j].push(i);
            }
        }
        Self { of }
    }

    /// Those that can touch the element at that place.
    pub fn beside(&self, place: usize) -> &[usize] {
        &self.of[place]
    }

    /// The places of these elements and of everybody within three touches of them, in the setup's order.
    pub fn places_around(&self, places: &[usize]) -> Vec<usize> {
        let mut found: Vec<usize> = places.to_vec();
        let mut from = 0;
        for _ in 0..HOPS {
            let to = found.len();
            for at in from..to {
                for &next in &self.of[found[at]] {
                    if !found.contains(&next) {
                        found.push(next);
                    }
                }
            }
            from = to;
        }
        found.sort_unstable();
        found
    }

    /// These elements and everybody within three touches of them, in the setup's order.
    pub fn around(&self, setup: &Setup, places: &[usize]) -> Vec<Element> {
        self.places_around(places).into_iter().map(|at| setup.elements[at].clone()).collect()
    }
}
