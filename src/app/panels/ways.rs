//! Moves on the board: where their elements stood, the ways they went, what was nudged, and the places that decide.

use super::board::Map;
use super::ghosts::{arrow, ghost};
use super::paint;
use crate::app::state::State;
use crate::app::theme::Palette;
use crate::session::view::{Call, MoveView};
use egui::{Painter, Pos2};

/// Draws the explanation that is shown.
pub(super) fn show(painter: &Painter, state: &State, map: &Map, palette: &Palette) {
    let moves = state.moves();
    let Some(view) = moves.view() else { return };
    for nudge in view.nudged.iter().flat_map(|n| &n.nudges) {
        ghost(painter, &nudge.stood, nudge.side, map, palette);
    }
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
