//! The page on which a lens is calibrated: what to do next, what has been gathered, and the picture with it.

use super::form::{field, sentence};
use super::paint;
use super::picture::Map;
use crate::app::command::{Command, LensCommand};
use crate::app::state::{LensPage, LensRun};
use crate::app::theme::{self, Palette};
use crate::app::worker::lens::LensProgress;
use crate::session::view::Call;
use crate::vision::calibration::{CELLS, Coverage, Grade, MOST_RMS_PX, Side, ViewReport, ViewUse};
use egui::{
    Align2, Button, Color32, FontId, Painter, Pos2, Rect, RichText, Sense, Stroke, TextureId, Ui, Vec2,
    WidgetInfo, pos2, vec2,
};

/// On the photograph the colours are fixed.
const SEEN: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);
const GATHERED: Color32 = Color32::from_rgb(0x7c, 0xf0, 0xc0);
const EMPTY: Color32 = Color32::from_rgba_premultiplied(0, 0, 0, 120);
const LINE: Color32 = Color32::from_rgba_premultiplied(70, 70, 70, 70);
const PLATE: Color32 = Color32::from_rgba_premultiplied(8, 9, 12, 200);

/// Shows the side: instructions, figures, the profile's name and file.
pub fn side(ui: &mut Ui, page: &LensPage, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.heading("Calibrate the lens");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Back to the table").clicked() {
                out.push(Command::Lens(LensCommand::Close));
            }
        });
    });
    ui.separator();
    egui::ScrollArea::vertical().id_salt("lens").auto_shrink(false).show(ui, |ui| {
        start(ui, page, &palette, out);
        if let LensRun::Failed(words) = &page.run {
            ui.label(RichText::new(words).color(palette.no));
        }
        if let Some(words) = page.passed_over.last() {
            ui.label(RichText::new(format!("Left out: {words}")).small().color(palette.close));
        }
        let Some(progress) = page.progress() else {
            if page.run == LensRun::Choosing {
                instructions(ui, &palette);
            }
            return;
        };
        grade(ui, progress, &palette);
        figures(ui, progress);
        save(ui, page, progress, &palette, out);
        views(ui, progress, &palette);
    });
}

fn instructions(ui: &mut Ui, palette: &Palette) {
    let lines = [
        "1. Print a board at 100 %: groma markers board --board chessboard:9x6:20 --out board.pdf",
        "2. Glue it flat on something stiff, and measure a square. Write the measured side above, in place of 20.",
        "3. Press Start and hold the board still before the camera: in every part of the picture, and leaning by 20 to 40 degrees to each side in turn. A view is taken whenever it rests somewhere new; the page says what is still missing.",
        "4. Save when it says good, or better great.",
    ];
    ui.add_space(6.0);
    for line in lines {
        ui.label(RichText::new(line).color(palette.faint));
    }
}

fn start(ui: &mut Ui, page: &LensPage, palette: &Palette, out: &mut Vec<Command>) {
    if let Some(text) = field(ui, "Board", &page.board, !page.at_work()) {
        out.push(Command::Lens(LensCommand::TypeBoard(text)));
    }
    if let Some(words) = &page.board_error {
        ui.label(RichText::new(words).small().color(palette.no));
    }
    ui.horizontal(|ui| {
        if page.at_work() {
            if ui.button("Stop").clicked() {
                out.push(Command::Lens(LensCommand::Stop));
            }
        } else {
            let words = if page.progress().is_some() { "Start again" } else { "Start" };
            if ui.button(words).clicked() {
                out.push(Command::Lens(LensCommand::Start));
            }
            for (name, board) in
                [("Chessboard", "chessboard:9x6:20"), ("Grid of tags", "tags:tag36h11:100:6x4:24:32")]
            {
                if ui.button(name).clicked() {
                    out.push(Command::Lens(LensCommand::TypeBoard(board.to_owned())));
                }
            }
        }
    });
}

/// The grade, as a mark and a word, and what to do next.
fn grade(ui: &mut Ui, progress: &LensProgress, palette: &Palette) {
    let (call, words) = match progress.grade {
        Grade::NotYet(_) => (Call::No, "Not yet"),
        Grade::Good(_) => (Call::TooClose, "Good"),
        Grade::Great => (Call::Yes, "Great"),
    };
    ui.add_space(6.0);
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(22.0), Sense::hover());
            paint::badge(ui.painter(), rect.center(), 20.0, call, palette);
            let label = ui.label(RichText::new(words).heading().strong());
            label.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Label, true, format!("Calibration: {words}"))
            });
        });
        let advice = progress.grade.advice();
        if advice.is_empty() {
            ui.label("Nothing is missing.");
        }
        for (n, what) in advice.iter().enumerate() {
            let text = RichText::new(sentence(what));
            ui.label(if n == 0 { text } else { text.small().color(palette.faint) });
        }
    });
}

fn figures(ui: &mut Ui, progress: &LensProgress) {
    let coverage = &progress.coverage;
    let mut rows = vec![
        ("Views kept", progress.views.to_string()),
        ("Picture covered", format!("{:.0} %", 100.0 * coverage.share())),
    ];
    if let Some(found) = &progress.calibration {
        let l = &found.lens;
        let left_out = found.views.iter().filter(|v| v.used == ViewUse::Outlier).count();
        rows.push(("Leaning", format!("{} views", coverage.tilted)));
        rows.push(("Left out", left_out.to_string()));
        rows.push(("Error", format!("{:.3} px", found.rms_px)));
        rows.push(("Field of view", format!("{:.1} degrees", l.field_of_view_deg())));
        rows.push(("Focal length", format!("{:.1} \u{b1} {:.1} px", l.fx, found.sigma_px[0])));
    }
    ui.add_space(6.0);
    ui.scope(|ui| {
        theme::dense(ui);
        egui::Grid::new("lens figures").num_columns(2).spacing(vec2(14.0, 3.0)).show(ui, |ui| {
            for (name, value) in rows {
                ui.label(name);
                ui.label(RichText::new(value).strong());
                ui.end_row();
            }
        });
    });
}

fn save(ui: &mut Ui, page: &LensPage, progress: &LensProgress, palette: &Palette, out: &mut Vec<Command>) {
    ui.add_space(6.0);
    if let Some(text) = field(ui, "Camera's name", &page.camera, true) {
        out.push(Command::Lens(LensCommand::TypeCamera(text)));
    }
    if let Some(text) = field(ui, "Profile's file", &page.file, true) {
        out.push(Command::Lens(LensCommand::TypeFile(text)));
    }
    let fits = progress.calibration.as_ref().is_some_and(|found| found.rms_px <= MOST_RMS_PX);
    ui.horizontal(|ui| {
        if ui.add_enabled(fits, Button::new("Save profile")).clicked() {
            out.push(Command::Lens(LensCommand::Save));
        }
        if ui.add_enabled(fits, Button::new("Use it now")).clicked() {
            out.push(Command::Lens(LensCommand::Use));
        }
    });
    match &page.saved {
        Some(Ok(words)) => ui.label(RichText::new(words).color(palette.yes)),
        Some(Err(words)) => ui.label(RichText::new(words).color(palette.no)),
        None => return,
    };
}

/// Every view with its error, the newest first.
fn views(ui: &mut Ui, progress: &LensProgress, palette: &Palette) {
    let Some(found) = &progress.calibration else { return };
    ui.add_space(6.0);
    ui.label(RichText::new("Views").strong());
    theme::dense(ui);
    let worst = found.views.iter().map(|v| v.rms_px).fold(0.1, f64::max);
    for view in found.views.iter().rev() {
        row(ui, view, worst, palette);
    }
}

fn row(ui: &mut Ui, view: &ViewReport, worst: f64, palette: &Palette) {
    let left_out = view.used == ViewUse::Outlier;
    let colour = if left_out { palette.close } else { palette.ink };
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(70.0, 12.0), Sense::hover());
        let share = (view.rms_px / worst).clamp(0.0, 1.0) as f32;
        let bar = Rect::from_min_size(rect.min, vec2(rect.width() * share, rect.height()));
        ui.painter().rect_filled(
            bar,
            2.0,
            if left_out { palette.close } else { palette.measure.gamma_multiply(0.6) },
        );
        let mut words = format!("{}: {:.2} px, leaning {:.0}\u{b0}", view.label, view.rms_px, view.tilt.deg);
        if left_out {
            words.push_str(", left out: it fits badly");
        }
        ui.label(RichText::new(words).small().color(colour));
    });
}

/// Shows the picture with what has been gathered drawn over it.
pub fn picture(ui: &mut Ui, room: Rect, page: &LensPage, texture: Option<TextureId>) {
    let palette = Palette::of(ui);
    let frame = page.latest().map(|s| vec2(s.frame.grey.width() as f32, s.frame.grey.height() as f32));
    let size = frame.unwrap_or(vec2(16.0, 9.0));
    let (map, rect) = Map::whole(room, size);
    let response = ui.interact(rect, ui.scope_id().with("lens picture"), Sense::hover());
    let covered = page.progress().map_or(0.0, |p| 100.0 * p.coverage.share());
    response.widget_info(|| {
        let label = format!("Camera picture, {covered:.0} % covered. {}", page.look_words());
        WidgetInfo::labeled(egui::Role::Image, true, label)
    });
    paint::pane(&ui.painter_at(rect.expand(2.0)), rect, Color32::from_rgb(14, 15, 18), palette.faint);
    let painter = ui.painter_at(rect);
    let words_at = rect.center_bottom() - vec2(0.0, 12.0);
    let (Some(texture), Some(sight)) = (texture, page.latest()) else {
        paint::plate(
            &painter,
            rect.center(),
            Align2::CENTER_CENTER,
            page.look_words(),
            16.0,
            Color32::WHITE,
            PLATE,
        );
        return;
    };
    painter.image(texture, rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
    cells(&painter, rect, &sight.progress.coverage);
    for corner in &sight.progress.corners_px {
        painter.circle_filled(map.to_screen(*corner), 1.4, GATHERED.gamma_multiply(0.75));
    }
    for corner in &sight.corners_px {
        painter.circle_stroke(map.to_screen(*corner), 3.0, Stroke::new(1.5, SEEN));
    }
    tilts(&painter, rect, &sight.progress.coverage);
    paint::plate(&painter, words_at, Align2::CENTER_BOTTOM, page.look_words(), 17.0, Color32::WHITE, PLATE);
}

/// The picture's cells: one without a corner is dark and has a ring in it, where the board is to go.
fn cells(painter: &Painter, rect: Rect, coverage: &Coverage) {
    let (columns, rows) = CELLS;
    let size = vec2(rect.width() / columns as f32, rect.height() / rows as f32);
    for (n, count) in coverage.cells.iter().enumerate() {
        let at = vec2((n % columns) as f32 * size.x, (n / columns) as f32 * size.y);
        let cell = Rect::from_min_size(rect.min + at, size);
        if *count == 0 {
            painter.rect_filled(cell, 0.0, EMPTY);
            painter.circle_stroke(cell.center(), size.min_elem() * 0.12, Stroke::new(2.0, Color32::WHITE));
        }
        painter.rect_stroke(cell, 0.0, Stroke::new(1.0, LINE), egui::StrokeKind::Inside);
    }
}

/// How the board leaned: a dot for each view, as far from the middle as it leaned, towards the side that came
/// nearer; a side to which it never leaned has a ring.
fn tilts(painter: &Painter, rect: Rect, coverage: &Coverage) {
    let radius = (rect.height() * 0.13).clamp(26.0, 64.0);
    let centre = rect.right_top() + vec2(-radius - 12.0, radius + 12.0);
    painter.circle(centre, radius + 6.0, PLATE, Stroke::NONE);
    /// The rim stands for this lean, degrees.
    const RIM_DEG: f64 = 45.0;
    for share in [1.0 / 3.0, 2.0 / 3.0, 1.0] {
        painter.circle_stroke(centre, radius * share, Stroke::new(1.0, Color32::from_gray(90)));
    }
    for side in coverage.sides_missing() {
        let way = match side {
            Side::Left => vec2(-1.0, 0.0),
            Side::Right => vec2(1.0, 0.0),
            Side::Upper => vec2(0.0, -1.0),
            Side::Lower => vec2(0.0, 1.0),
        };
        painter.circle_stroke(centre + way * radius * 0.62, radius * 0.14, Stroke::new(2.0, Color32::WHITE));
    }
    for tilt in &coverage.tilts {
        let away = (tilt.deg / RIM_DEG).min(1.0) as f32 * radius;
        let at = centre + vec2(tilt.nearer[0] as f32, tilt.nearer[1] as f32) * away;
        painter.circle_filled(at, 2.6, GATHERED);
    }
    let words_at = centre + vec2(0.0, radius + 9.0);
    painter.text(words_at, Align2::CENTER_TOP, "leaning", FontId::proportional(11.0), Color32::WHITE);
}
