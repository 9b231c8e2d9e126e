//! The board of the page 'Before the battle': quarters while terrain is placed, then where each side may deploy.

use crate::app::command::Command;
use crate::app::panels::board::{self, Map};
use crate::app::panels::{ground, paint};
use crate::app::state::{Guided, State};
use crate::app::theme::Palette;
use crate::geometry::Point;
use crate::rules::Side;
use crate::rules::setting_up::Quarter;
use crate::rules::setting_up::deployment::{NEAR_SIDES_BW, SIDES_BW, zone};
use crate::rules::setting_up::order::Step;
use egui::{Align2, Painter, Pos2, Rect, Shape, Stroke, Ui};

/// Shows the board with what lies on it, quarters or zones.
pub fn table(ui: &mut Ui, room: Rect, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let rect = board::show(ui, room, state, out);
    let map = Map::painted(rect, state.table().board_mm);
    let painter = ui.painter_at(rect);
    let guided = state.setting_up().guided().and_then(|guided| guided.as_ref().ok());
    if let Some(guided) = guided {
        match guided.report.next {
            Step::Choose(_) | Step::Dice(_) | Step::Name(_) | Step::Lay(_) => {
                quarters(&painter, rect, state, guided, &map, &palette);
            }
            Step::Deploy(_) | Step::FirstBound(_) | Step::Camp(_) => zones(&painter, guided, &map, &palette),
            Step::Army(_) | Step::Roll(_) | Step::Edge(_) => {}
        }
    }
    ground::names(&painter, rect, &state.engine().table().ground, &map, &palette);
}

/// The lines between quarters, and their numbers; the one that is meant with a frame.
fn quarters(painter: &Painter, rect: Rect, state: &State, guided: &Guided, map: &Map, palette: &Palette) {
    let pen = Stroke::new(1.6, palette.measure);
    let middle = rect.center();
    painter.extend(Shape::dashed_line(&[rect.center_top(), rect.center_bottom()], pen, 9.0, 6.0));
    painter.extend(Shape::dashed_line(&[rect.left_center(), rect.right_center()], pen, 9.0, 6.0));
    let meant = guided.report.done.current().and_then(|placement| placement.quarter);
    let (board, settings) = (state.table().board_mm, state.engine().settings());
    for number in 1..=4 {
        let Some(quarter) = Quarter::of(number, state.setting_up().seat(), board, settings) else { continue };
        let centre = map.to_screen(quarter.middle());
        let of = Rect::from_two_pos(middle, middle + (centre - middle) * 2.0);
        if meant == Some(number) {
            painter.rect_stroke(
                of.shrink(4.0),
                4.0,
                Stroke::new(3.0, palette.measure),
                egui::StrokeKind::Inside,
            );
        }
        // At the outer corner, where least lies.
        let outer = of.center() + (of.center() - middle) * 0.78;
        let words = format!("quarter {number}");
        let anchor = Align2::CENTER_CENTER;
        paint::plate(painter, outer, anchor, &words, 13.0, palette.measure, palette.label);
    }
}

/// Where each side may deploy: in full lines for all, in dashes for those who may stand nearer to the side edges.
fn zones(painter: &Painter, guided: &Guided, map: &Map, palette: &Palette) {
    let Some(edges) = guided.report.edges else { return };
    for side in [Side::Red, Side::Blue] {
        let colour = palette.side(side);
        let corners = |off: f64| zone(&guided.setup, edges.of(side), off);
        let screen = |all: &[Point; 4]| all.map(|p| map.to_screen(p));
        if let Some(near) = corners(NEAR_SIDES_BW) {
            let mut line: Vec<Pos2> = screen(&near).into();
            line.extend(line.first().copied());
            painter.extend(Shape::dashed_line(&line, Stroke::new(1.6, colour), 7.0, 5.0));
        }
        if let Some(all) = corners(SIDES_BW) {
            let line = screen(&all);
            painter.add(Shape::convex_polygon(
                line.into(),
                colour.gamma_multiply(0.10),
                Stroke::new(2.0, colour),
            ));
            let base = map.to_screen(all[0] + (all[1] - all[0]) / 2.0);
            let inward = map.to_screen(all[3] + (all[2] - all[3]) / 2.0) - base;
            let at = base + inward.normalized() * 14.0;
            let words = format!("{} deploys here", side.word());
            paint::plate(painter, at, Align2::CENTER_CENTER, &words, 13.0, colour, palette.label);
        }
    }
}
