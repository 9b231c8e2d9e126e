//! Where may it go? The region of the element that is picked first, and whom it can reach; the same drawn on the board.

use super::board::Map;
use super::ghosts::{arrow, target};
use super::paint;
use crate::app::command::{Command, Page, ReachCommand};
use crate::app::state::{ReachBody, State};
use crate::app::theme::{self, Palette};
use crate::session::view::{Call, ReachView, TargetView};
use egui::{
    Button, Color32, Painter, Pos2, Rect, RichText, Sense, Shape, Spinner, Stroke, Ui, WidgetInfo, pos2, vec2,
};

/// Shows the page.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let Some(name) = &state.selection()[0] else {
        let words = "Pick an element: where it may end this bound is drawn on the board, with the enemies that it can \
                     reach.";
        ui.label(RichText::new(words).color(palette.faint));
        return;
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new(format!("Where may {name} go?")).strong());
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (body, words) in [(ReachBody::Alone, "Alone"), (ReachBody::Group, "With its group")] {
            if ui.selectable_label(state.reach().body() == body, words).clicked() {
                out.push(Command::Reach(ReachCommand::Body(body)));
            }
        }
    });
    if state.reach().at_work() {
        ui.horizontal(|ui| {
            ui.add(Spinner::new().size(16.0));
            ui.label(RichText::new("Being worked out; go on playing meanwhile.").color(palette.faint));
        });
    }
    match state.reach().view() {
        Some(Ok(view)) => found(ui, state, view, &palette, out),
        Some(Err(why)) => {
            ui.label(RichText::new(why).color(palette.close));
        }
        None if !state.reach().at_work() => {
            ui.label(RichText::new("Worked out once all on the table is at rest.").color(palette.faint));
        }
        None => {}
    }
}

fn found(ui: &mut Ui, state: &State, view: &ReachView, palette: &Palette, out: &mut Vec<Command>) {
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new(view.names.join(", ")).small().color(palette.faint));
        if view.outline.is_empty() {
            ui.label(RichText::new("It may go nowhere.").strong());
        }
        let (can, cannot): (Vec<_>, Vec<_>) =
            view.targets.iter().enumerate().partition(|(_, t)| t.pips.is_some());
        if can.is_empty() {
            ui.label("It can line up with no enemy.");
        } else {
            ui.label(RichText::new("It can line up with").strong());
        }
        for (n, target) in can {
            reached(ui, n, target, state.reach().shown() == Some(n), palette, out);
        }
        if !cannot.is_empty() {
            let words = format!("{} ways are out of its reach", cannot.len());
            egui::CollapsingHeader::new(RichText::new(words).small()).id_salt("out of reach").show(
                ui,
                |ui| {
                    for (_, target) in cannot {
                        ui.label(RichText::new(format!("{}: {}", target.enemy, target.edge)).small());
                    }
                },
            );
        }
        ui.label(RichText::new(format!("Under the settings: {}", view.under)).small().color(palette.faint));
    });
}

fn reached(
    ui: &mut Ui,
    n: usize,
    target: &TargetView,
    shown: bool,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    let pips = match target.pips {
        Some(1) => "1 PIP".to_owned(),
        Some(pips) => format!("{pips} PIPs"),
        None => String::new(),
    };
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 13.0, Call::Yes, palette);
        let words = format!("{}, {}: {pips}", target.enemy, target.edge);
        let button = ui.add(Button::selectable(shown, RichText::new(&words).small()));
        button
            .widget_info(|| WidgetInfo::selected(egui::Role::Button, true, shown, format!("Reach {words}")));
        if button.clicked() {
            out.push(Command::Reach(ReachCommand::Show(n)));
        }
        ui.label(RichText::new(&target.clause).size(11.0).color(palette.faint));
    });
    if shown {
        let words =
            format!("{:.1} mm at the middle of the base, as the arrow on the board shows.", target.mm);
        ui.label(RichText::new(words).small().color(palette.faint));
    }
}

/// Draws the region, and the way to the enemy that is shown.
pub(super) fn draw(painter: &Painter, state: &State, map: &Map, palette: &Palette) {
    if state.page() != Page::Reach {
        return;
    }
    let Some(Ok(view)) = state.reach().view() else { return };
    let colour = palette.side(view.side);
    let rings: Vec<Vec<Pos2>> =
        view.outline.iter().map(|ring| ring.iter().map(|p| map.to_screen(*p)).collect()).collect();
    fill(painter, &rings, colour.gamma_multiply(0.18));
    for ring in rings {
        painter.add(Shape::closed_line(ring, Stroke::new(2.0, colour)));
    }
    let Some(shown) = state.reach().shown().and_then(|n| view.targets.get(n)) else { return };
    for path in &shown.paths {
        let way: Vec<Pos2> = path.way.iter().map(|p| map.to_screen(*p)).collect();
        arrow(painter, &way, palette.ink);
    }
    for (end, path) in shown.ends.iter().zip(&shown.paths) {
        target(painter, end, path.side, map, palette);
    }
}

/// Fills what rings go round, holes left open, in rows.
fn fill(painter: &Painter, rings: &[Vec<Pos2>], colour: Color32) {
    const ROW: f32 = 2.0;
    let ends = rings.iter().flatten().map(|p| p.y);
    let (top, bottom) = ends.fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    if top >= bottom {
        return;
    }
    let rows = ((bottom - top) / ROW).ceil().min(4000.0) as usize;
    for row in 0..rows {
        let y = top + (row as f32 + 0.5) * ROW;
        for (left, right) in spans(rings, y) {
            let strip = Rect::from_min_max(pos2(left, y - ROW / 2.0), pos2(right, y + ROW / 2.0));
            painter.rect_filled(strip, 0.0, colour);
        }
    }
}

/// Where rings go round the row at `y` more often the one way than the other, from left to right.
fn spans(rings: &[Vec<Pos2>], y: f32) -> Vec<(f32, f32)> {
    let mut crossings: Vec<(f32, i32)> = Vec::new();
    for ring in rings {
        let next = ring.iter().cycle().skip(1);
        for (a, b) in ring.iter().zip(next) {
            if (a.y > y) != (b.y > y) {
                let way = if b.y > a.y { 1 } else { -1 };
                crossings.push((a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), way));
            }
        }
    }
    crossings.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (mut found, mut winds, mut from) = (Vec::new(), 0, 0.0);
    for (x, way) in crossings {
        if winds == 0 {
            from = x;
        }
        winds += way;
        if winds == 0 {
            found.push((from, x));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hole_stays_open() {
        let square =
            |from: f32, to: f32| vec![pos2(from, from), pos2(to, from), pos2(to, to), pos2(from, to)];
        // As a region has them: holes the other way round than what they lie in.
        let hole: Vec<Pos2> = square(4.0, 6.0).into_iter().rev().collect();
        let rings = [square(0.0, 10.0), hole];
        assert_eq!(spans(&rings, 2.0), [(0.0, 10.0)]);
        assert_eq!(spans(&rings, 5.0), [(0.0, 4.0), (6.0, 10.0)]);
        assert!(spans(&rings, 11.0).is_empty());
    }

    #[test]
    fn where_parts_overlap_is_no_hole() {
        let part = |from: f32, to: f32| vec![pos2(from, 0.0), pos2(to, 0.0), pos2(to, 9.0), pos2(from, 9.0)];
        assert_eq!(spans(&[part(0.0, 6.0), part(4.0, 10.0)], 5.0), [(0.0, 10.0)]);
    }
}
