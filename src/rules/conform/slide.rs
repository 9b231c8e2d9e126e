//! The free sideways slide of a contactor: how much of where it ended is not measured as movement.
//!
//! A mover that ends front edge to front edge has come to touch that edge somewhere, squarely, and slid
//! along it by less than one base width (clauses dba3.cf.3 and dba3.set.59). Where a friend of that
//! enemy stands beside it the least slide is to the nearer of the two, so no more than half a base
//! width from that side (clause dba3.cf.1). Table frame, millimetres.

use super::motion::Way;
use crate::geometry::{Edge, Heading, Point, Vector};
use crate::rules::neighbours::{self, Stands};
use crate::rules::{Context, Element, Settings, Setup, contact};

/// The free slide open to movers that ended lined up on an enemy's front edge.
#[derive(Debug, Clone, PartialEq)]
pub struct Slide {
    /// Who of them is on the front edge.
    pub mover: String,
    /// Whose front edge.
    pub enemy: String,
    /// The way of a positive slide, to the mover's right as it looks at the enemy.
    pub way: Vector,
    /// The furthest that it may have slid to its right; strict.
    pub right_mm: f64,
    /// The furthest that it may have slid to its left; strict.
    pub left_mm: f64,
}

impl Slide {
    /// The slide, along `way` and within its limits, that leaves the furthest of these corners the least
    /// distance from where it began, and that distance. Corners are given as (start, end); each end is
    /// taken back by the slide. Convex in the slide, so found by halving to a thousandth of a millimetre.
    pub fn least_mm(&self, corners: &[(Point, Point)]) -> (f64, f64) {
        const CLOSE_MM: f64 = 1e-3;
        let far = |s: f64| {
            let lengths = corners.iter().map(|(start, end)| (end - self.way * s - start).norm());
            lengths.fold(0.0, f64::max)
        };
        let margin = CLOSE_MM.min(self.right_mm / 2.0).min(self.left_mm / 2.0);
        let (mut from, mut to) = (-self.left_mm + margin, self.right_mm - margin);
        while to - from > CLOSE_MM {
            let third = (to - from) / 3.0;
            if far(from + third) <= far(to - third) { to -= third } else { from += third }
        }
        let middle = (from + to) / 2.0;
        let best = if far(0.0) <= far(middle) { 0.0 } else { middle };
        (best, far(best))
    }
}

/// The free slide of `movers` as they stand in `after`, one for each mover on an enemy's front edge.
pub fn slide_of(after: &Setup, settings: &Settings, movers: &[&str]) -> Vec<Slide> {
    let context = Context::of(after, settings);
    let width = context.scale.mm_per_bw();
    let tolerances = &settings.tolerances;
    let mut found = Vec::new();
    for mover in movers.iter().filter_map(|name| after.element(name)) {
        for enemy in neighbours::of_side(after, mover.side.enemy()) {
            if !contact::on_edge(mover, enemy, Edge::Front, tolerances).margin().satisfied() {
                continue;
            }
            let heading: Heading = Way::Front.place(&mover.footprint, &enemy.footprint).heading;
            let beside = |stands: Stands| {
                neighbours::friends_at(enemy, &context)
                    .any(|(friend, at)| at == stands && !is_fought(friend, mover.name.as_str(), &context))
            };
            // What is at the enemy's left is at the mover's right. It slid to its right from its left.
            let limit = |taken: bool| if taken { width / 2.0 } else { width };
            found.push(Slide {
                mover: mover.name.clone(),
                enemy: enemy.name.clone(),
                way: heading.right(),
                right_mm: limit(beside(Stands::AtRight)),
                left_mm: limit(beside(Stands::AtLeft)),
            });
        }
    }
    found
}

/// Whether somebody else is on that element's front edge already, so that a mover cannot line up there.
fn is_fought(element: &Element, but: &str, context: &Context<'_>) -> bool {
    let tolerances = &context.settings.tolerances;
    context.elements.iter().any(|e| {
        e.side != element.side
            && e.name != but
            && contact::on_edge(e, element, Edge::Front, tolerances).margin().satisfied()
    })
}
