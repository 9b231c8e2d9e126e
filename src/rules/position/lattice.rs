//! Laying linked bases out exactly, and fitting each body to where it was measured.
//!
//! Bodies grow link by link, the surest first, as a spanning tree; a link within a body is then exact or
//! strained. The fit is the rigid motion with the least sum of squares over centres and headings, a
//! heading weighing what turning the base's own area would move.

use super::{Link, Strain};
use crate::geometry::{Footprint, Heading, Pose, Vector};
use crate::rules::conform::Motion;
use crate::rules::{Element, Setup};

/// A link whose pair stands this near to exact contact is exact, millimetres.
const EXACT_MM: f64 = 1e-3;

/// The elements brought together, and the links that could not be made exact.
pub(super) fn lay_out(setup: &Setup, links: &[Link]) -> (Vec<Element>, Vec<Strain>) {
    let nominal = setup.scale.mm_per_bw();
    let mut bases: Vec<Footprint> = setup.elements.iter().map(|e| e.footprint).collect();
    for place in links.iter().flat_map(|l| [l.a, l.b]) {
        let base = bases[place];
        bases[place] =
            Footprint::new(base.pose(), nominal, base.depth_mm()).expect("a scale and a depth are lengths");
    }
    // Each body is a list of places; `body[i]` says which one holds place i.
    let mut body: Vec<usize> = (0..bases.len()).collect();
    let mut members: Vec<Vec<usize>> = (0..bases.len()).map(|i| vec![i]).collect();
    for link in links {
        let (to, from) = (body[link.a], body[link.b]);
        if to == from {
            continue;
        }
        // The smaller body is carried to the larger.
        let (kept, carried, motion) = if members[to].len() >= members[from].len() {
            let place = link.joint.place_of_second(&bases[link.a], &bases[link.b]);
            (to, from, Motion { from: bases[link.b].pose(), to: place })
        } else {
            let place = link.joint.place(&bases[link.a], &bases[link.b]);
            (from, to, Motion { from: bases[link.a].pose(), to: place })
        };
        let moved = std::mem::take(&mut members[carried]);
        for &place in &moved {
            bases[place] = bases[place].moved_to(motion.carries(bases[place].pose()));
            body[place] = kept;
        }
        members[kept].extend(moved);
    }
    for places in members.iter().filter(|m| m.len() > 1) {
        let fit = fitted(places, &bases, &setup.elements);
        for &place in places {
            bases[place] = bases[place].moved_to(fit.carries(bases[place].pose()));
        }
    }
    let strained = links.iter().filter_map(|link| strain(link, &bases)).collect();
    let elements = setup
        .elements
        .iter()
        .zip(bases)
        .map(|(element, footprint)| Element { footprint, ..element.clone() })
        .collect();
    (elements, strained)
}

/// The rigid motion that brings a body laid out exactly nearest to where its bases were measured.
pub(in crate::rules) fn fitted(places: &[usize], bases: &[Footprint], measured: &[Element]) -> Motion {
    let count = places.len() as f64;
    let mean = |at: &dyn Fn(usize) -> Vector| places.iter().map(|&i| at(i)).sum::<Vector>() / count;
    let laid = mean(&|i| bases[i].pose().centre.coords);
    let was = mean(&|i| measured[i].footprint.pose().centre.coords);
    let (mut along, mut across) = (0.0, 0.0);
    let mut add = |from: Vector, to: Vector, weight: f64| {
        along += weight * from.dot(&to);
        across += weight * (from.x * to.y - from.y * to.x);
    };
    for &i in places {
        let (base, was_base) = (&bases[i], &measured[i].footprint);
        add(base.pose().centre.coords - laid, was_base.pose().centre.coords - was, 1.0);
        let (w, d) = (base.width_mm(), base.depth_mm());
        let turning = (w * w + d * d) / 12.0;
        add(base.pose().heading.vector(), was_base.pose().heading.vector(), turning);
    }
    let turn = Heading::along(Vector::new(along, across)).unwrap_or(Heading::EAST);
    let at = |v: Vector, heading| Pose { centre: v.into(), heading };
    Motion { from: at(laid, Heading::EAST), to: at(was, turn) }
}

fn strain(link: &Link, bases: &[Footprint]) -> Option<Strain> {
    let base = &bases[link.a];
    let place = link.joint.place(base, &bases[link.b]);
    let motion = Motion { from: base.pose(), to: place };
    let by_mm = motion.measure_mm([base], crate::rules::ConformMeasure::FurthestCorner);
    (by_mm > EXACT_MM).then_some(Strain { link: *link, by_mm })
}
