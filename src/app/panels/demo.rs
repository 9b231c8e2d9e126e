//! Demo mode's page, read from three metres: the picture of the board and nothing beside it, one sentence with the rule
//! behind it, the host's card. Sizes are shares of the room's height, so that a large screen has large letters: the
//! headline's capitals are a 23rd of it, 13 mm on a screen of 30 cm, and 13 mm are read from three metres.

use super::board;
use super::labels::{Labels, Prefer, Reach, Text, weight};
use super::paint::{self, BaseStyle};
use super::picture::{Map, Part, outline, side_colour};
use crate::app::command::{Command, DemoCommand, Mode, ModeCommand};
use crate::app::state::{DemoPage, DemoStage, State};
use crate::app::theme::Palette;
use crate::app::worker::Sight;
use crate::judge::{CardField, HostCard};
use crate::session::talk::Saying;
use crate::session::view::{Call, TableView};
use crate::text::strangers;
use crate::tracking::Visibility;
use egui::{
    Color32, Label, Painter, Rect, RichText, Sense, TextureId, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};

/// Letters, as shares of the room's height.
const HEADLINE: f32 = 0.062;
const RULE: f32 = 0.044;
const SMALL: f32 = 0.029;
/// The picture's share of the width, and the strip's below of the height.
const PICTURE: f32 = 0.54;
const STRIP: f32 = 0.17;
/// Whom the sentence is about.
const TOLD: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);

/// What is shown in the picture's place.
pub struct Shown<'a> {
    /// The picture, cropped to the board, and what was read from it.
    pub sight: &'a Sight,
    /// The table that was read.
    pub table: &'a TableView,
    /// What is said of it.
    pub saying: Option<&'a Saying>,
}

/// The picture that is to be shown: the loop's, or the real table's. None before there is one, and while bases are put
/// back: then the board is shown from above.
pub fn shown<'a>(state: &'a State, page: &'a DemoPage) -> Option<Shown<'a>> {
    match page.stage() {
        DemoStage::Idle => {
            let showing = page.showing()?;
            Some(Shown { sight: showing.sight()?, table: showing.play().table(), saying: showing.saying() })
        }
        DemoStage::Awake => {
            Some(Shown { sight: state.latest()?, table: state.table(), saying: page.saying() })
        }
        DemoStage::PutBack => None,
    }
}

/// How wide the whole frame would be on the screen, points, for a picture of so much of it as shows the board.
pub fn frame_width(room: Rect, shown: &Shown<'_>) -> f32 {
    let part = part(shown);
    let pane = pane(room);
    (pane.width() / part.px.width()).min(pane.height() / part.px.height()) * part.frame.x
}

fn part(shown: &Shown<'_>) -> Part {
    let grey = &shown.sight.frame.grey;
    let frame = vec2(grey.width() as f32, grey.height() as f32);
    Part::board(frame, shown.sight.reading.camera.as_ref(), shown.table.board_mm)
}

fn pane(room: Rect) -> Rect {
    let high = room.height();
    let top = room.top() + high * 0.065;
    Rect::from_min_max(
        pos2(room.left(), top),
        pos2(room.left() + room.width() * PICTURE, room.bottom() - high * STRIP - 8.0),
    )
}

/// Shows the page without any controls, as strangers see it.
pub fn show(ui: &mut Ui, state: &State, page: &DemoPage, texture: Option<TextureId>) {
    let room = ui.available_rect_before_wrap();
    let palette = Palette::of(ui);
    let high = room.height();
    let pane = pane(room);
    let shown = shown(state, page);
    let title = match page.stage() {
        DemoStage::Idle => strangers::SIMULATED,
        DemoStage::Awake | DemoStage::PutBack => strangers::THIS_TABLE,
    };
    let above = Rect::from_min_max(room.min, pos2(pane.right(), pane.top()));
    within(ui, above, |ui| line(ui, title, high * RULE * 0.9, palette.close));
    match (&shown, page.stage()) {
        (Some(shown), _) => picture(ui, pane, shown, texture),
        (None, DemoStage::PutBack) => {
            // Nobody picks anything here.
            board::show(ui, pane, state, &mut Vec::new());
        }
        (None, stage) => {
            let words = match (stage, page.no_show()) {
                (DemoStage::Idle, Some(why)) => why,
                (DemoStage::Idle, None) => strangers::PREPARES,
                _ => strangers::WAITS,
            };
            paint::pane(ui.painter(), pane, Color32::from_rgb(14, 15, 18), palette.faint);
            within(ui, pane.shrink(high * SMALL), |ui| {
                line(ui, words, high * SMALL, Color32::from_gray(220))
            });
        }
    }
    let words =
        Rect::from_min_max(pos2(pane.right() + high * 0.03, pane.top()), pos2(room.right(), pane.bottom()));
    within(ui, words, |ui| match page.stage() {
        DemoStage::PutBack => put_back(ui, state, page, high, &palette),
        _ => speak(ui, shown.and_then(|s| s.saying), high, &palette),
    });
    let strip = Rect::from_min_max(pos2(room.left(), room.bottom() - high * STRIP), room.max);
    within(ui, strip, |ui| {
        if page.stage() == DemoStage::Idle {
            line(ui, strangers::INVITES, high * RULE, palette.yes);
        }
        card(ui, page.card(), high, &palette);
    });
}

/// What the host needs, small, in the lower right corner.
pub fn controls(ui: &mut Ui, page: &DemoPage, out: &mut Vec<Command>) {
    let room = ui.available_rect_before_wrap();
    let corner = Rect::from_min_max(pos2(room.right() - 560.0, room.bottom() - 26.0), room.max);
    let builder = UiBuilder::new().max_rect(corner).layout(egui::Layout::right_to_left(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        let buttons = [
            ("Umpire (U)", Command::Mode(ModeCommand::Be(Mode::Umpire))),
            ("This is the start (H)", Command::Demo(DemoCommand::Begin)),
            (
                if page.stage() == DemoStage::PutBack { "Not now (R)" } else { "Put all back (R)" },
                Command::Demo(DemoCommand::PutBack),
            ),
        ];
        for (words, command) in buttons {
            let able = page.has_home() || !words.ends_with("(R)");
            if ui.add_enabled(able, egui::Button::new(RichText::new(words).small())).clicked() {
                out.push(command);
            }
        }
    });
}

fn within(ui: &mut Ui, room: Rect, paint: impl FnOnce(&mut Ui)) {
    ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
        ui.set_clip_rect(room.intersect(ui.clip_rect()));
        paint(ui);
    });
}

fn line(ui: &mut Ui, words: &str, size: f32, ink: Color32) {
    ui.add(Label::new(RichText::new(words).size(size).color(ink)).wrap());
}

/// One sentence, its rule, its clause.
fn speak(ui: &mut Ui, saying: Option<&Saying>, high: f32, palette: &Palette) {
    ui.spacing_mut().item_spacing.y = high * 0.022;
    let Some(saying) = saying else { return };
    ui.horizontal_top(|ui| {
        if let Some(call) = saying.call {
            let size = high * HEADLINE;
            let (rect, mark) = ui.allocate_exact_size(vec2(size, size * 1.2), Sense::empty());
            paint::badge(ui.painter(), rect.center(), size * 0.8, call, palette);
            mark.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, call.words()));
        }
        let ink =
            saying.call.filter(|c| *c != Call::Yes).map_or(palette.ink, |c| paint::call_colour(c, palette));
        ui.add(Label::new(RichText::new(&saying.headline).size(high * HEADLINE).strong().color(ink)).wrap());
    });
    if !saying.rule.is_empty() {
        line(ui, &saying.rule, high * RULE, palette.ink);
        line(ui, &format!("Rule {}", saying.clause), high * SMALL, palette.faint);
    }
}

/// How many bases are still to be put back, and who.
fn put_back(ui: &mut Ui, state: &State, page: &DemoPage, high: f32, palette: &Palette) {
    ui.spacing_mut().item_spacing.y = high * 0.018;
    let ghosts = page.to_put_back(state.table());
    let open: Vec<_> = ghosts.iter().filter(|g| !g.met).collect();
    if open.is_empty() {
        return line(ui, strangers::ALL_BACK, high * HEADLINE, palette.yes);
    }
    line(ui, strangers::PUT_BACK, high * HEADLINE, palette.ink);
    for ghost in open.iter().take(7) {
        ui.horizontal_top(|ui| {
            let size = high * SMALL;
            let (rect, _) = ui.allocate_exact_size(vec2(size, size * 1.2), Sense::empty());
            paint::side_mark(ui.painter(), rect.center(), size * 0.7, ghost.side, palette);
            line(ui, &strangers::begun(&format!("{}.", ghost.words())), size, palette.ink);
        });
    }
    if open.len() > 7 {
        line(ui, &format!("And {} more.", open.len() - 7), high * SMALL, palette.faint);
    }
}

/// The host's card, in two lines.
fn card(ui: &mut Ui, card: &HostCard, high: f32, palette: &Palette) {
    let of = |fields: &[CardField]| {
        let lines: Vec<&str> = fields.iter().filter_map(|f| card.line(*f)).collect();
        lines.join("  \u{b7}  ")
    };
    let first = of(&[CardField::Club, CardField::Game, CardField::Period, CardField::Scale]);
    let second = of(&[CardField::Makers, CardField::More]);
    if first.is_empty() && second.is_empty() {
        return line(ui, strangers::NO_CARD, high * SMALL, palette.ink);
    }
    for (words, ink) in [(first, palette.ink), (second, palette.faint)] {
        if !words.is_empty() {
            line(ui, &words, high * SMALL, ink);
        }
    }
}

fn picture(ui: &mut Ui, pane: Rect, shown: &Shown<'_>, texture: Option<TextureId>) {
    let palette = Palette::of(ui);
    let part = part(shown);
    let (map, rect) = Map::fitting(pane, &part);
    let response = ui.interact(rect, ui.scope_id().with("demo picture"), Sense::empty());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "The board"));
    let painter = ui.painter_at(rect);
    paint::pane(&ui.painter_at(rect.expand(2.0)), rect, Color32::BLACK, palette.faint);
    if let Some(texture) = texture {
        painter.image(texture, rect, part.uv(), Color32::WHITE);
    }
    let Some(camera) = &shown.sight.reading.camera else { return };
    let mut labels = Labels::new(rect.shrink(2.0));
    let told: &[String] = shown.saying.map_or(&[], |s| s.who.as_slice());
    let mut names: Vec<(Rect, String, Color32)> = Vec::new();
    for element in shown.table.elements.iter().filter(|e| shown.table.holds(e)) {
        let corners = element.place.as_ref().and_then(|place| outline(place, camera, &map));
        let Some(corners) = corners else { continue };
        let covered = element.visibility != Visibility::Seen;
        let colour = side_colour(element.side);
        let style = BaseStyle { colour, side: element.side, line: 1.8, covered, hatch: 0.0 };
        paint::base_outline(&painter, corners, style);
        labels.avoid(&corners, weight::BASE);
        if told.contains(&element.name) {
            paint::ring(&painter, corners, TOLD);
            let words = strangers::named(element.side.word(), &element.troop);
            names.push((Rect::from_points(&corners), words, colour));
        }
    }
    captions(&painter, &names, pane.height(), &mut labels);
}

fn captions(painter: &Painter, names: &[(Rect, String, Color32)], high: f32, labels: &mut Labels) {
    // A whole line of swordsmen needs no dozen names.
    const MOST: usize = 3;
    for (of, words, ink) in names.iter().take(MOST) {
        let text =
            Text { words, size: (high * 0.032).max(13.0), ink: *ink, ground: Color32::from_black_alpha(190) };
        labels.put(painter, text, *of, Prefer::Above, Reach::Anywhere);
    }
}
