//! The ways that elements went: arrows from where their front began to where it ended.

use super::Situation;
use super::bases::look;
use super::canvas::{Anchor, Canvas, INK, Style};
use super::labels::{Taken, width_px};
use super::view::View;
use crate::geometry::{Corner, Footprint, Point};
use crate::rules::movement::Mover;

/// Points of an arc to the leg.
const POINTS: u32 = 24;
/// Shorter ways are not drawn, millimetres: the arrow would hide them.
const SHORT_MM: f64 = 1.5;

/// A path for every mover, and for the one that goes furthest the straight line of its furthest front
/// corner with its length.
pub(super) fn paths(canvas: &mut Canvas, view: &View, situation: &Situation<'_>, taken: &mut Taken) {
    let mut setup = situation.setup.clone();
    for made in situation.moves {
        let mut furthest: Option<(f64, Point, Point)> = None;
        for mover in made.movers.iter().chain(&made.conforming) {
            let Some(element) = setup.element(&mover.name) else { continue };
            let base = element.footprint;
            let (_, rim) = look(element.side);
            way(canvas, view, &base, mover, rim);
            let end = base.moved_to(mover.end(base.pose()));
            for corner in [Corner::FrontLeft, Corner::FrontRight] {
                let (from, to) = (base.corner(corner), end.corner(corner));
                let mm = (to - from).norm();
                if furthest.is_none_or(|(most, ..)| mm > most) {
                    furthest = Some((mm, from, to));
                }
            }
        }
        if let Some((mm, from, to)) = furthest.filter(|(mm, ..)| *mm > SHORT_MM) {
            canvas.line(
                &view.all_px([from, to]),
                &format!("stroke=\"{INK}\" stroke-width=\"1.1\" stroke-dasharray=\"2 3\""),
            );
            let text = format!("{:.2} BW", mm / view.mm_per_bw());
            let at = view.px(nalgebra::center(&from, &to));
            let (left, top, width, height) = view.table_px();
            let area = taken.near(at, (width_px(&text, 12.0), 14.0), (left, top, width, height));
            let style = Style { size_px: 12.0, bold: false, colour: INK, anchor: Anchor::Middle };
            canvas.haloed((area.0 + area.2 / 2.0, area.1 + 11.0), &text, style);
        }
        setup = made.applied_to(&setup);
    }
}

/// The way of the middle of a base's front.
fn way(canvas: &mut Canvas, view: &View, base: &Footprint, mover: &Mover, colour: &str) {
    let front = |pose: crate::geometry::Pose| pose.at(0.0, base.depth_mm() / 2.0);
    let mut points = vec![front(base.pose())];
    for (leg, from) in mover.legs.iter().zip(mover.stations(base.pose())) {
        points.extend((1..=POINTS).map(|n| front(leg.part(from, f64::from(n) / f64::from(POINTS)))));
    }
    let long: f64 = points.windows(2).map(|pair| (pair[1] - pair[0]).norm()).sum();
    if long < SHORT_MM {
        return;
    }
    let drawn = view.all_px(points);
    canvas.line(
        &drawn,
        &format!(
            "stroke=\"{colour}\" stroke-width=\"2.2\" stroke-linejoin=\"round\" stroke-opacity=\"0.85\""
        ),
    );
    // The head looks along the last stretch that is long enough to have a direction.
    let tip = drawn[drawn.len() - 1];
    let before = drawn.iter().rev().find(|p| (p.0 - tip.0).hypot(p.1 - tip.1) > 3.0);
    if let Some(before) = before {
        canvas.arrowhead(tip, (tip.0 - before.0, tip.1 - before.1), 11.0, colour);
    }
}
