//! Moves on the board: where their elements stood, the ways they went, what was nudged, and the places that decide.

use super::board::Map;
use super::paint::{self, BaseStyle};
use crate::app::state::State;
use crate::app::theme::Palette;
use crate::app::view::{Call, MoveView};
use crate::geometry::Footprint;
use crate::rules::Side;
use egui::{Color32, Painter, Pos2, Shape, Stroke};

/// Draws the explanation that is shown.
pub(super) fn show(painter: &Painter, state: &State, map: &Map, palette: &Palette) {
    let moves = state.moves();
    let Some(view) = moves.view() else { return };
    let Some(chosen) = view.explanations.get(moves.chosen()) else { return };
    for nudge in &chosen.nudges {
        ghost(painter, &nudge.stood, nudge.side, map, palette);
    }
    for mv in &chosen.moves {
        ways(painter, mv, map, palette);
    }
}

fn ways(painter: &Painter, mv: &MoveView, map: &Map, palette: &Palette) {
    for path in &mv.paths {
        ghost(painter, &path.stood, path.side, map, palette);
        let points: Vec<Pos2> = path.way.iter().map(|p| map.to_screen(*p)).collect();
        arrow(painter, &points, palette.ink);
    }
    let Some(binding) = mv.conditions.first() else { return };
    let colour = if binding.call == Call::No { palette.no } else { palette.measure };
    for at in &binding.at {
        paint::target(painter, map.to_screen(*at), colour);
    }
}

/// Where a base stood: its outline in dashes, its front heavier.
fn ghost(painter: &Painter, stood: &Footprint, side: Side, map: &Map, palette: &Palette) {
    let corners = stood.outline().map(|p| map.to_screen(p));
    let colour = palette.side(side).gamma_multiply(0.75);
    paint::base(painter, corners, BaseStyle { colour, side, line: 1.0, covered: true, hatch: f32::INFINITY });
}

/// A way with a head at its end.
fn arrow(painter: &Painter, points: &[Pos2], colour: Color32) {
    let [.., before, end] = points else { return };
    painter.add(Shape::line(points.to_vec(), Stroke::new(2.0, colour)));
    let ahead = *end - *before;
    if ahead.length() < 2.0 {
        return;
    }
    let ahead = ahead.normalized();
    let aside = ahead.rot90();
    let head = vec![*end, *end - ahead * 9.0 + aside * 4.5, *end - ahead * 9.0 - aside * 4.5];
    painter.add(Shape::convex_polygon(head, colour, Stroke::NONE));
}
