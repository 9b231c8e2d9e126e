//! The page on which bases without tags are judged: the picture that is held, corners to click under a magnifying glass,
//! the answer large with its plus-minus, the clause, what would change it, and the binding points magnified.

use super::form::{field, sentence};
use super::paint;
use super::picture::{Map, Part};
use crate::app::command::{Command, SpotAsk, SpotCommand, SpotField};
use crate::app::state::{SpotAnswers, SpotPage, SpotStill, State};
use crate::app::theme::{self, Palette};
use crate::geometry::Binding;
use crate::judge::{Judgement, Verdict};
use crate::rules::Question;
use crate::session::engine::question;
use crate::session::evidence::what_would_change;
use crate::session::talk::lesson;
use crate::session::view::Call;
use crate::vision::PixelPoint;
use egui::{
    Align2, Button, Color32, FontId, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, TextureId, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use nalgebra::Point3;

/// The first base's marks and the second's, on any photograph; letters tell them apart as well.
const FIRST: Color32 = Color32::from_rgb(0xff, 0x8a, 0x5c);
const SECOND: Color32 = Color32::from_rgb(0x4d, 0xb4, 0xff);
const BINDS: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);
/// How much the glass magnifies, and its side, points.
const GLASS: f32 = 5.0;
const GLASS_SIDE: f32 = 190.0;
/// The names of the corners, in the order in which they are clicked.
const CORNERS: [&str; 4] = ["front left", "front right", "rear right", "rear left"];

/// Shows the side: the picture's source, the bases, the question and the answer.
pub fn side(ui: &mut Ui, state: &State, page: &SpotPage, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.heading("Bases without tags");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Back (Esc)").clicked() {
                out.push(Command::Spot(SpotCommand::Close));
            }
        });
    });
    ui.separator();
    egui::ScrollArea::vertical().id_salt("spot").auto_shrink(false).show(ui, |ui| {
        take(ui, state, page, &palette, out);
        if let Some(Ok(_)) = page.still() {
            bases(ui, page, out);
            next(ui, page, &palette, out);
            questions(ui, page, out);
            match page.answers() {
                Some(Ok(found)) => {
                    answers(ui, page, found, &palette);
                    evidence(ui, page, &palette, out);
                }
                Some(Err(why)) => {
                    ui.label(RichText::new(sentence(why)).color(palette.no));
                }
                None => {}
            }
        }
        ui.add_space(10.0);
    });
}

fn take(ui: &mut Ui, state: &State, page: &SpotPage, palette: &Palette, out: &mut Vec<Command>) {
    let words = "Picture: a photograph or camera:0; empty for the table's";
    if let Some(text) = field(ui, words, &page.source, !page.at_work) {
        out.push(Command::Spot(SpotCommand::TypeSource(text)));
    }
    ui.horizontal(|ui| {
        let able = !page.at_work && (state.latest().is_some() || !page.source.trim().is_empty());
        if ui.add_enabled(able, Button::new("Freeze (F)")).clicked() {
            out.push(Command::Spot(SpotCommand::Freeze));
        }
        if page.at_work {
            ui.spinner();
            ui.label(RichText::new("Measuring...").small());
        }
    });
    match page.still() {
        Some(Err(why)) => {
            ui.label(RichText::new(why).color(palette.no));
        }
        Some(Ok(still)) => {
            let words = format!(
                "Plane from {}: {} of them, {:.2} px.",
                still.by,
                still.camera.used.len(),
                still.camera.residual_px
            );
            ui.label(RichText::new(words).small().color(palette.faint));
        }
        None => {
            let words = "Lay the umpire's four tiles round the spot, or use a table's own tags. Then freeze a picture and \
                         click the corners of both bases.";
            ui.label(RichText::new(words).color(palette.faint));
        }
    }
}

fn bases(ui: &mut Ui, page: &SpotPage, out: &mut Vec<Command>) {
    for (n, text) in page.texts.iter().enumerate() {
        let which = ["First base", "Second base"][n];
        ui.columns(3, |columns| {
            let fields = [
                (SpotField::Name, which.to_owned(), &text.name),
                (SpotField::Size, "Sides, mm".to_owned(), &text.size),
                (SpotField::Troop, "Troop".to_owned(), &text.troop),
            ];
            for (column, (what, label, value)) in columns.iter_mut().zip(fields) {
                if let Some(text) = field(column, &label, value, true) {
                    out.push(Command::Spot(SpotCommand::Type(n, what, text)));
                }
            }
        });
    }
}

/// Which corner is clicked next, and how to go back.
fn next(ui: &mut Ui, page: &SpotPage, palette: &Palette, out: &mut Vec<Command>) {
    let (name, clicked) = (&page.texts[page.turn].name, page.clicks[page.turn].len());
    let words = match CORNERS.get(clicked) {
        Some(corner) if clicked < 2 => format!("Click the {corner} corner of {name}."),
        Some(corner) => {
            format!("Click the {corner} corner of {name}, or leave it: two are enough, four are better.")
        }
        None => "All corners are clicked.".to_owned(),
    };
    ui.label(RichText::new(words).strong().color(palette.ink));
    ui.horizontal(|ui| {
        let second = page.turn == 0 && clicked >= 2;
        if ui.add_enabled(second, Button::new("Second base (N)")).clicked() {
            out.push(Command::Spot(SpotCommand::Second));
        }
        if ui.button("Undo click (Z)").clicked() {
            out.push(Command::Spot(SpotCommand::Undo));
        }
        if ui.button("All again").clicked() {
            out.push(Command::Spot(SpotCommand::Again));
        }
    });
}

fn questions(ui: &mut Ui, page: &SpotPage, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (n, ask) in SpotAsk::ALL.into_iter().enumerate() {
            let chosen = page.ask == ask;
            let button = ui.selectable_label(chosen, format!("{} ({})", ask.words(), n + 1));
            button.widget_info(|| {
                WidgetInfo::selected(egui::Role::Button, true, chosen, format!("Ask: {}", ask.words()))
            });
            if button.clicked() {
                out.push(Command::Spot(SpotCommand::Ask(ask)));
            }
        }
    });
}

fn call(judged: &Judgement) -> Call {
    match judged.verdict() {
        Verdict::Yes => Call::Yes,
        Verdict::No => Call::No,
        Verdict::TooClose { .. } => Call::TooClose,
        Verdict::Held(_) => Call::Held,
    }
}

fn answers(ui: &mut Ui, page: &SpotPage, found: &SpotAnswers, palette: &Palette) {
    for judged in found.to(page.ask) {
        theme::card(palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            one(ui, judged, palette);
        });
    }
    for base in &found.bases {
        let (mm, deg) = base.own_sigmas();
        let words = format!(
            "{}: place \u{b1} {mm:.1} mm, turn \u{b1} {deg:.1}\u{b0}, by its {}.",
            base.named.name,
            base.edges()
        );
        ui.label(RichText::new(words).small().color(palette.faint));
    }
}

fn one(ui: &mut Ui, judged: &Judgement, palette: &Palette) {
    let (ruling, sigma) = (&judged.ruling, judged.weighed.sigma_mm.max(0.05));
    let by = format!("\u{b1} {sigma:.1} mm");
    if ruling.question == Question::Distance {
        ui.label(RichText::new(format!("{:.1} mm {by}", ruling.margin.mm)).size(30.0).color(palette.measure));
    } else {
        let (asked, call) = (question(ruling.question, &ruling.a, &ruling.b), call(judged));
        ui.label(RichText::new(&asked).strong());
        ui.horizontal(|ui| {
            let (rect, mark) = ui.allocate_exact_size(vec2(40.0, 42.0), Sense::empty());
            paint::badge(ui.painter(), rect.center(), 36.0, call, palette);
            mark.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Image, true, format!("{asked} {}", call.words()))
            });
            ui.label(
                RichText::new(call.words()).size(30.0).strong().color(paint::call_colour(call, palette)),
            );
        });
        ui.label(RichText::new(format!("{:+.1} mm {by}", ruling.margin.mm)).size(20.0));
        ui.label(RichText::new(what_would_change(judged)));
    }
    ui.label(
        RichText::new(format!("{} {}", lesson(&ruling.clause), ruling.clause)).small().color(palette.faint),
    );
}

fn evidence(ui: &mut Ui, page: &SpotPage, palette: &Palette, out: &mut Vec<Command>) {
    if let Some(text) = field(ui, "Page of evidence (.html)", &page.file, true) {
        out.push(Command::Spot(SpotCommand::TypeFile(text)));
    }
    if ui.button("Evidence (E)").clicked() {
        out.push(Command::Spot(SpotCommand::Evidence));
    }
    match &page.written {
        Some(Ok(mark)) => {
            let words = format!("Written. Both players write down its mark: {mark}");
            ui.label(RichText::new(words).strong().color(palette.yes));
        }
        Some(Err(why)) => {
            ui.label(RichText::new(why).color(palette.no));
        }
        None => {}
    }
}

/// Paints the picture and takes clicks on it.
pub fn picture(ui: &mut Ui, room: Rect, page: &SpotPage, texture: Option<TextureId>, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let Some(Ok(still)) = page.still() else {
        paint::pane(ui.painter(), room, Color32::from_rgb(14, 15, 18), palette.faint);
        return;
    };
    let frame = vec2(still.frame.grey.width() as f32, still.frame.grey.height() as f32);
    let (times, corner) = page.zoom;
    let px = Rect::from_min_size(pos2(corner[0], corner[1]), frame / times);
    let part = Part { px, frame };
    let (map, rect) = Map::fitting(room, &part);
    let response = ui.interact(rect, ui.scope_id().with("spot picture"), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "Picture of the spot"));
    let painter = ui.painter_at(rect);
    paint::pane(&ui.painter_at(rect.expand(2.0)), rect, Color32::BLACK, palette.faint);
    let Some(texture) = texture else { return };
    painter.image(texture, rect, part.uv(), Color32::WHITE);
    zoom(ui, &response, page, still, &map, out);
    let glass = Glass { texture, frame, corner: rect.right_top() };
    let marks = marks(page, still);
    draw(&painter, &marks, |p| map.to_screen(p), 1.0);
    if let Some(Ok(found)) = page.answers() {
        let shown = found.to(page.ask).min_by(|a, b| b.ruling.margin.mm.total_cmp(&a.ruling.margin.mm));
        if let Some(at) = shown.and_then(|judged| binding(judged, still)) {
            let middle = PixelPoint::from((at[0].coords + at[1].coords) / 2.0);
            let apart = (at[0] - at[1]).norm() as f32;
            glass.show(&painter, middle, (0.6 * GLASS_SIDE / apart.max(20.0)).min(GLASS), &marks, &palette);
        }
    } else if let Some(at) = response.hover_pos() {
        glass.show(&painter, map.to_pixel(at), GLASS, &marks, &palette);
    }
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        out.push(Command::Spot(SpotCommand::Click(map.to_pixel(at))));
    }
}

/// Wheel, pinch, and the keys plus and minus enlarge the picture about the pointer, or about its middle.
fn zoom(
    ui: &Ui,
    response: &egui::Response,
    page: &SpotPage,
    still: &SpotStill,
    map: &Map,
    out: &mut Vec<Command>,
) {
    const STEP: f32 = 1.5;
    let typing = ui.ctx().egui_wants_keyboard_input();
    let pressed = |key: egui::Key| !typing && ui.input(|input| input.key_pressed(key));
    let by_keys = if pressed(egui::Key::Plus) || pressed(egui::Key::Equals) {
        STEP
    } else if pressed(egui::Key::Minus) {
        1.0 / STEP
    } else {
        1.0
    };
    let hovered = response.hover_pos();
    let by_wheel = match hovered {
        Some(_) => ui.input(|input| (input.smooth_scroll_delta().y / 200.0).exp() * input.zoom_delta()),
        None => 1.0,
    };
    let by = by_keys * by_wheel;
    if (by - 1.0).abs() > 1e-3 {
        let (times, corner) = page.zoom;
        let half =
            [still.frame.grey.width() as f32, still.frame.grey.height() as f32].map(|s| s / times / 2.0);
        let middle = PixelPoint::new(f64::from(corner[0] + half[0]), f64::from(corner[1] + half[1]));
        out.push(Command::Spot(SpotCommand::Zoom(by, hovered.map_or(middle, |at| map.to_pixel(at)))));
    }
}

/// What is drawn over the picture, in its pixels.
struct Marks {
    clicks: Vec<(PixelPoint, Color32)>,
    outlines: Vec<(Vec<PixelPoint>, Color32, String)>,
    binding: Vec<PixelPoint>,
}

fn marks(page: &SpotPage, still: &SpotStill) -> Marks {
    let colours = [FIRST, SECOND];
    let clicks = page.clicks.iter().zip(colours).flat_map(|(c, colour)| c.iter().map(move |p| (*p, colour)));
    let mut marks = Marks { clicks: clicks.collect(), outlines: Vec::new(), binding: Vec::new() };
    let Some(Ok(found)) = page.answers() else { return marks };
    for (base, colour) in found.bases.iter().zip(colours) {
        let high = base.named.clicked.known.thickness_mm;
        let seen = base.base.footprint.outline().into_iter();
        let seen = seen.filter_map(|p| still.camera.model.image_from_table(Point3::new(p.x, p.y, high)));
        marks.outlines.push((seen.collect(), colour, base.named.name.clone()));
    }
    marks.binding.extend(found.to(page.ask).filter_map(|judged| binding(judged, still)).flatten());
    marks
}

/// Where the two features that bind lie in the picture.
fn binding(judged: &Judgement, still: &SpotStill) -> Option<[PixelPoint; 2]> {
    let Binding(first, second) = &judged.ruling.margin.binding;
    let seen = |at: crate::geometry::Point| still.camera.model.image_from_table(Point3::new(at.x, at.y, 2.0));
    Some([seen(first.at)?, seen(second.at)?])
}

fn draw(painter: &Painter, marks: &Marks, to: impl Fn(PixelPoint) -> Pos2, scale: f32) {
    for (outline, colour, name) in &marks.outlines {
        let corners: Vec<Pos2> = outline.iter().map(|p| to(*p)).collect();
        let middle =
            corners.iter().fold(Vec2::ZERO, |sum, c| sum + c.to_vec2()) / corners.len().max(1) as f32;
        painter.add(Shape::closed_line(corners, Stroke::new(1.2 * scale.sqrt(), *colour)));
        let font = FontId::proportional(13.0 * scale.sqrt());
        painter.text(middle.to_pos2(), Align2::CENTER_CENTER, name, font, *colour);
    }
    for (at, colour) in &marks.clicks {
        let (at, arm) = (to(*at), 6.0 * scale.sqrt());
        for way in [vec2(arm, 0.0), vec2(0.0, arm)] {
            painter.line_segment([at - way, at + way], Stroke::new(1.2, *colour));
        }
    }
    for at in &marks.binding {
        paint::target(painter, to(*at), BINDS);
    }
}

/// A magnifying glass in the picture's upper right corner.
struct Glass {
    texture: TextureId,
    frame: Vec2,
    corner: Pos2,
}

impl Glass {
    /// Shows what lies round a pixel; `times` points to the pixel.
    fn show(&self, painter: &Painter, at: PixelPoint, times: f32, marks: &Marks, palette: &Palette) {
        let rect = Rect::from_min_size(self.corner + vec2(-GLASS_SIDE - 8.0, 8.0), Vec2::splat(GLASS_SIDE));
        let centre = pos2(at.x as f32 + 0.5, at.y as f32 + 0.5);
        let half = GLASS_SIDE / 2.0 / times.max(0.1);
        let seen = Rect::from_center_size(centre, Vec2::splat(2.0 * half));
        let uv = Rect::from_min_max(
            (seen.min.to_vec2() / self.frame).to_pos2(),
            (seen.max.to_vec2() / self.frame).to_pos2(),
        );
        let painter = painter.with_clip_rect(rect);
        painter.rect_filled(rect, 4.0, Color32::BLACK);
        painter.image(self.texture, rect, uv, Color32::WHITE);
        let to = |p: PixelPoint| {
            rect.center() + (vec2(p.x as f32 + 0.5, p.y as f32 + 0.5) - centre.to_vec2()) * times
        };
        draw(&painter, marks, to, 2.0);
        if marks.binding.is_empty() {
            let pen = Stroke::new(1.0, BINDS);
            painter.hline(rect.x_range(), rect.center().y, pen);
            painter.vline(rect.center().x, rect.y_range(), pen);
        }
        painter.rect_stroke(rect, 4.0, Stroke::new(2.0, palette.faint), egui::StrokeKind::Inside);
    }
}
