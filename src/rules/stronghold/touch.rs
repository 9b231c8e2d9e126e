//! Who stands against the rim of a camp, City or Fort.
//!
//! Table frame, millimetres: a base touches where its front edge is no further from the outline than bases that touch
//! are, its figures' overhang allowed for. There are no corners to line up with (clause dba3.con.15).

use crate::geometry::{Corner, Edge, Footprint, Point, gap_to_area};
use crate::rules::terrain::Feature;
use crate::rules::{Element, Location, Settings, Setup, Side};

/// From the front edge of a base to a feature, millimetres; below zero inside. Where a rear corner touches the
/// feature it is not the front edge that is on it, and the further front corner counts.
pub(in crate::rules) fn front_gap_mm(base: &Footprint, feature: &Feature, slack_mm: f64) -> f64 {
    let front = base.edge(Edge::Front);
    let gap = |outline: &[Point]| gap_to_area(outline, &feature.outline).mm;
    let rear = [Corner::RearLeft, Corner::RearRight].into_iter();
    if rear.map(|c| gap(&[base.corner(c)])).any(|mm| mm <= slack_mm) {
        return gap(&[front.start]).max(gap(&[front.end]));
    }
    gap(&[front.start, front.end])
}

/// The elements of that side whose front edge is on a feature, in the setup's order.
pub fn assaulters<'s>(
    setup: &'s Setup,
    settings: &Settings,
    feature: &'s Feature,
    side: Side,
) -> impl Iterator<Item = &'s Element> {
    let slack = settings.tolerances.contact_gap_mm;
    let on = move |e: &&Element| {
        e.side == side
            && e.location == Location::Board
            && front_gap_mm(&e.footprint, feature, slack) <= slack + e.overhang.front
    };
    setup.elements.iter().filter(on)
}
