//! Bases that are not there, drawn on the board: where one stood, where one is to stand, the way between, and what the
//! dice bring about, numbered as in the list beside it.

use super::board::Map;
use super::paint::{self, BaseStyle};
use crate::app::command::Page;
use crate::app::state::{Ghost, State};
use crate::app::theme::Palette;
use crate::geometry::Footprint;
use crate::rules::Side;
use crate::session::view::{Call, StepView};
use egui::{Align2, Color32, Painter, Pos2, Shape, Stroke};

/// Draws what the dice bring about.
pub(super) fn aftermath(painter: &Painter, state: &State, map: &Map, palette: &Palette) {
    let Some(Ok(aftermath)) = state.fight().aftermath() else { return };
    for (n, step) in aftermath.steps.iter().enumerate() {
        one(painter, n + 1, step, map, palette);
    }
}

/// Draws the shot that is asked about: from whom to whom, and the places that decide where it is not plainly allowed.
pub(super) fn shot(painter: &Painter, state: &State, map: &Map, palette: &Palette) {
    let shooting = state.fight().shooting().filter(|_| state.page() != Page::Moves);
    let Some(Ok(shot)) = shooting.map(|s| &s.shot) else { return };
    let centre = |name: &str| {
        let place = state.table().element(name)?.place.as_ref()?;
        Some(map.to_screen(place.footprint.pose().centre))
    };
    let colour = paint::call_colour(shot.call, palette);
    if let (Some(from), Some(to)) = (centre(&shot.shooter), centre(&shot.target)) {
        arrow(painter, &[from, to], colour);
    }
    if shot.call != Call::Yes {
        for at in &shot.at {
            paint::target(painter, map.to_screen(*at), colour);
        }
    }
}

/// Draws where bases are to stand, each solid when it is there, and a cross on who is to be taken off.
pub(super) fn to_stand(painter: &Painter, ghosts: &[Ghost], map: &Map, palette: &Palette) {
    for ghost in ghosts {
        match (&ghost.to, &ghost.at) {
            (Some(to), _) if ghost.met => {
                let corners = to.outline().map(|p| map.to_screen(p));
                painter.add(Shape::convex_polygon(
                    corners.to_vec(),
                    palette.yes.gamma_multiply(0.45),
                    Stroke::NONE,
                ));
                painter.add(Shape::closed_line(corners.to_vec(), Stroke::new(2.5, palette.yes)));
            }
            (Some(to), at) => {
                target(painter, to, ghost.side, map, palette);
                if let Some(at) = at {
                    let ends = [at.pose().centre, to.pose().centre].map(|p| map.to_screen(p));
                    arrow(painter, &ends, palette.ink);
                }
            }
            (None, Some(at)) if !ghost.met => {
                let [a, b, c, d] = at.outline().map(|p| map.to_screen(p));
                let pen = Stroke::new(3.0, palette.no);
                painter.line_segment([a, c], pen);
                painter.line_segment([b, d], pen);
            }
            (None, _) => {}
        }
    }
}

/// Where bases are to stand, so that names keep clear of them.
pub(super) fn places(state: &State) -> Vec<Footprint> {
    match state.fight().aftermath() {
        Some(Ok(aftermath)) if state.page() != Page::Moves => aftermath.steps.iter().map(|s| s.to).collect(),
        _ => Vec::new(),
    }
}

fn one(painter: &Painter, number: usize, step: &StepView, map: &Map, palette: &Palette) {
    let number = number.to_string();
    let from = step.from.outline().map(|p| map.to_screen(p));
    if step.what.removes() {
        let pen = Stroke::new(3.0, palette.no);
        painter.line_segment([from[0], from[2]], pen);
        painter.line_segment([from[1], from[3]], pen);
        tag(painter, from, &number, palette);
        return;
    }
    if step.way.len() < 2 && step.from == step.to {
        return;
    }
    target(painter, &step.to, step.side, map, palette);
    let way: Vec<Pos2> = step.way.iter().map(|p| map.to_screen(*p)).collect();
    arrow(painter, &way, palette.ink);
    tag(painter, step.to.outline().map(|p| map.to_screen(p)), &number, palette);
}

/// A step's number, at the rear right corner of its base.
fn tag(painter: &Painter, corners: [Pos2; 4], number: &str, palette: &Palette) {
    let at = corners[2];
    paint::plate(painter, at, Align2::CENTER_CENTER, number, 12.0, palette.ink, palette.label);
}

/// Where a base is to stand: its outline, whole, its front heavier.
pub(super) fn target(painter: &Painter, place: &Footprint, side: Side, map: &Map, palette: &Palette) {
    let corners = place.outline().map(|p| map.to_screen(p));
    let style =
        BaseStyle { colour: palette.side(side), side, line: 1.6, covered: false, hatch: f32::INFINITY };
    paint::base_outline(painter, corners, style);
}

/// Where a base stood: its outline in dashes, its front heavier.
pub(super) fn ghost(painter: &Painter, stood: &Footprint, side: Side, map: &Map, palette: &Palette) {
    let corners = stood.outline().map(|p| map.to_screen(p));
    let colour = palette.side(side).gamma_multiply(0.75);
    paint::base(painter, corners, BaseStyle { colour, side, line: 1.0, covered: true, hatch: f32::INFINITY });
}

/// A way with a head at its end.
pub(super) fn arrow(painter: &Painter, points: &[Pos2], colour: Color32) {
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
