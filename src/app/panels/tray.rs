//! The dice tray: what lies in it, beside what waits for dice, to be accepted by a key; and the page on which it is marked.

use super::paint;
use super::picture::{Map, Part};
use crate::app::command::{Command, TrayCamera, TrayCommand};
use crate::app::state::{DiceFor, Offer, OfferedDie, State, TrayPage};
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::vision::PixelPoint;
use crate::vision::dice::PixelRect;
use egui::{
    Align2, Button, Color32, FontId, Key, Modifiers, Pos2, Rect, RichText, Sense, Stroke, StrokeKind,
    TextureId, Ui, WidgetInfo, pos2, vec2,
};

/// On the photograph the colours are fixed.
const MARKED: Color32 = Color32::from_rgb(0x7c, 0xf0, 0xc0);
const DRAWN: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);
const PLATE: Color32 = Color32::from_rgba_premultiplied(8, 9, 12, 200);

/// Shows what lies in the tray; nothing where none was marked.
pub fn card(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    if state.tray().tray().is_none() {
        return;
    }
    let palette = Palette::of(ui);
    let Some(offer) = state.tray().offer() else {
        let words = ui.label(RichText::new(state.tray().says().words()).small().color(palette.faint));
        words.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Label, true, format!("Tray: {}", state.tray().says().words()))
        });
        return;
    };
    theme::card(&palette).stroke(Stroke::new(2.0, palette.measure)).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        let wanted = state.dice_for();
        let for_what = wanted.as_ref().map_or(String::new(), |wanted| format!(" for {}", wanted.words()));
        let heading = format!("Dice in the tray{for_what}");
        ui.label(RichText::new(&heading).strong());
        let whose = wanted.as_ref().and_then(|wanted| whose(state, offer, wanted));
        let enters = |n: usize| match &wanted {
            Some(DiceFor::Pips(_)) => n == offer.turn,
            Some(DiceFor::Fight { .. }) | None => true,
        };
        for (n, one) in offer.dice.iter().enumerate() {
            die(ui, one, n == offer.turn, enters(n), whose.map(|sides| sides[n]), &palette);
        }
        let entering = state.entering();
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().button_padding.x = 6.0;
            let mut send = |button: egui::Response, command| {
                if button.clicked() {
                    out.push(Command::Tray(command));
                }
            };
            send(ui.add_enabled(entering.is_ok(), Button::new("Accept (Enter)")), TrayCommand::Accept);
            send(ui.button("Discard (X)"), TrayCommand::Discard);
            if offer.dice.len() > 1 {
                send(ui.button("Next die (N)"), TrayCommand::Next);
            }
            if whose.is_some() {
                send(ui.button("Swap (Y)"), TrayCommand::Swap);
            }
        });
        let words = match &entering {
            Err(why) => why.as_str(),
            Ok(_) => "Nothing counts until it is accepted. Keys 1 to 6 put the framed die right.",
        };
        ui.label(RichText::new(words).small().color(if entering.is_ok() {
            palette.faint
        } else {
            palette.close
        }));
    });
}

/// Whose each die is, where two sides' dice lie there.
fn whose(state: &State, offer: &Offer, wanted: &DiceFor) -> Option<[Side; 2]> {
    let (DiceFor::Fight { sides: [a, b], .. }, [left, right]) = (wanted, offer.dice.as_slice()) else {
        return None;
    };
    if a == b {
        return None;
    }
    let red = state.tray().whose().die_of(Side::Red, [left, right]);
    Some(if red == 0 { [Side::Red, Side::Blue] } else { [Side::Blue, Side::Red] })
}

fn die(ui: &mut Ui, die: &OfferedDie, turn: bool, enters: bool, side: Option<Side>, palette: &Palette) {
    ui.horizontal(|ui| {
        let (rect, face) = ui.allocate_exact_size(vec2(34.0, 34.0), Sense::empty());
        let words = die.words();
        let owner = side.map_or(String::new(), |side| format!(" of {}", side.word()));
        face.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Image, true, format!("Die in the tray{owner}: {words}"))
        });
        let rim = if turn { palette.measure } else { palette.faint };
        let inner = rect.shrink(3.0);
        match die.value {
            Some(value) => paint::die_face(ui.painter(), inner, value, rim),
            None => {
                ui.painter().rect_stroke(inner, 5.0, Stroke::new(2.0, rim), StrokeKind::Inside);
                let font = FontId::proportional(18.0);
                ui.painter().text(inner.center(), Align2::CENTER_CENTER, "?", font, palette.close);
            }
        }
        if turn {
            ui.painter().rect_stroke(rect, 7.0, Stroke::new(2.0, palette.measure), StrokeKind::Inside);
        }
        if let Some(side) = side {
            let (mark, _) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
            paint::side_mark(ui.painter(), mark.center(), 13.0, side, palette);
        }
        let text = RichText::new(&words).small();
        let text = if die.value.is_none() { text.color(palette.close) } else { text };
        ui.label(if enters { text } else { text.color(palette.faint) });
    });
}

/// Shows the page's side: how the tray is marked.
pub fn side(ui: &mut Ui, state: &State, page: &TrayPage, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let mut send = |command| out.push(Command::Tray(command));
    ui.horizontal(|ui| {
        ui.heading("Dice tray");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Back (Esc)").clicked() {
                send(TrayCommand::Close);
            }
        });
    });
    ui.separator();
    ui.label(
        "Draw a rectangle round the inside of the tray with the pointer. Or with the arrow keys: they push it, and with \
         the shift key they change its size.",
    );
    ui.horizontal(|ui| {
        ui.label("Picture of the");
        for (camera, words) in [(TrayCamera::First, "first camera"), (TrayCamera::Second, "second camera")] {
            let there = state.picture_of(camera).is_some();
            let button = ui.add_enabled(there, Button::selectable(page.camera == camera, words));
            if button.clicked() {
                send(TrayCommand::Camera(camera));
            }
        }
    });
    match state.tray().tray() {
        Some(tray) => {
            let camera = match tray.camera {
                TrayCamera::First => "first",
                TrayCamera::Second => "second",
            };
            let area = tray.area;
            let words = format!(
                "The tray is {} by {} pixels of the {camera} camera's picture.",
                area.width, area.height
            );
            ui.label(words);
            ui.label(RichText::new(state.tray().says().words()).color(palette.faint));
            if ui.button("No tray").clicked() {
                send(TrayCommand::Forget);
            }
        }
        None => {
            ui.label(RichText::new("No tray is marked.").color(palette.faint));
        }
    }
    ui.add_space(6.0);
    for line in [
        "A die's side should be 20 pixels or more. Mark the floor alone: rims and shadows count as something that lies there.",
        "When the dice rest they are shown beside what waits for them. Nothing counts until it is accepted: Enter. Keys 1 \
         to 6 put a die right, N is the next die, X discards them, Y swaps whose is whose.",
        "A hand or a shadow over the tray reads nothing. Dice that lie unchanged are not offered twice.",
    ] {
        ui.label(RichText::new(line).small().color(palette.faint));
    }
}

/// The keys of the page.
pub fn page_keys(ui: &Ui, state: &State, page: &TrayPage) -> Vec<Command> {
    let pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    if pressed(Modifiers::NONE, Key::Escape) || pressed(Modifiers::NONE, Key::K) {
        return vec![Command::Tray(TrayCommand::Close)];
    }
    let Some([columns, rows]) = state.picture_of(page.camera) else { return Vec::new() };
    let arrows = [
        (Key::ArrowLeft, [-1, 0]),
        (Key::ArrowRight, [1, 0]),
        (Key::ArrowUp, [0, -1]),
        (Key::ArrowDown, [0, 1]),
    ];
    let marked = state.tray().tray().filter(|tray| tray.camera == page.camera).map(|tray| tray.area);
    let mut out = Vec::new();
    for (key, way) in arrows {
        let begun =
            PixelRect { left: columns * 3 / 8, top: rows * 3 / 8, width: columns / 4, height: rows / 4 };
        // Of a key with the shift key first: it would else be taken for the plain one.
        let area = if pressed(Modifiers::SHIFT, key) {
            marked.map_or(begun, |area| sized(area, way, [columns, rows]))
        } else if pressed(Modifiers::NONE, key) {
            marked.map_or(begun, |area| pushed(area, way, [columns, rows]))
        } else {
            continue;
        };
        out.push(Command::Tray(TrayCommand::Mark(area)));
    }
    out
}

/// By so many pixels an arrow key pushes.
const PUSH: i64 = 8;

fn pushed(area: PixelRect, [x, y]: [i64; 2], [columns, rows]: [usize; 2]) -> PixelRect {
    let to = |from: usize, by: i64, most: usize| (from as i64 + PUSH * by).clamp(0, most as i64) as usize;
    PixelRect {
        left: to(area.left, x, columns.saturating_sub(area.width)),
        top: to(area.top, y, rows.saturating_sub(area.height)),
        ..area
    }
}

fn sized(area: PixelRect, [x, y]: [i64; 2], [columns, rows]: [usize; 2]) -> PixelRect {
    let to = |length: usize, by: i64, most: usize| {
        (length as i64 + PUSH * by).clamp(16.min(most as i64), most as i64) as usize
    };
    PixelRect {
        width: to(area.width, x, columns.saturating_sub(area.left)),
        height: to(area.height, y, rows.saturating_sub(area.top)),
        ..area
    }
}

/// Shows the picture, and takes the rectangle that is drawn on it.
pub fn picture(
    ui: &mut Ui,
    room: Rect,
    state: &State,
    page: &TrayPage,
    texture: Option<TextureId>,
    out: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let (Some([columns, rows]), Some(texture)) = (state.picture_of(page.camera), texture) else {
        paint::pane(ui.painter(), room, Color32::from_rgb(14, 15, 18), palette.faint);
        return;
    };
    let frame = vec2(columns as f32, rows as f32);
    let part = Part { px: Rect::from_min_size(Pos2::ZERO, frame), frame };
    let (map, rect) = Map::fitting(room, &part);
    let response = ui.interact(rect, ui.scope_id().with("tray picture"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "Picture with the tray"));
    let painter = ui.painter_at(rect);
    paint::pane(&ui.painter_at(rect.expand(2.0)), rect, Color32::BLACK, palette.faint);
    painter.image(texture, rect, part.uv(), Color32::WHITE);
    let on_screen = |area: PixelRect| {
        let corner = |x: usize, y: usize| map.to_screen(PixelPoint::new(x as f64 - 0.5, y as f64 - 0.5));
        Rect::from_min_max(
            corner(area.left, area.top),
            corner(area.left + area.width, area.top + area.height),
        )
    };
    if let Some(tray) = state.tray().tray().filter(|tray| tray.camera == page.camera) {
        let area = on_screen(tray.area);
        painter.rect_stroke(area, 2.0, Stroke::new(2.5, MARKED), StrokeKind::Outside);
        let at = pos2(area.left() + 4.0, area.top() + 4.0);
        let galley = painter.layout_no_wrap("tray".to_owned(), FontId::proportional(13.0), MARKED);
        painter.rect_filled(Rect::from_min_size(at, galley.size()).expand(3.0), 3.0, PLATE);
        painter.galley(at, galley, MARKED);
    }
    let drawn = || {
        let from = ui.input(|input| input.pointer.press_origin())?;
        let to = response.interact_pointer_pos()?;
        between(map.to_pixel(from), map.to_pixel(to), [columns, rows])
    };
    if response.dragged()
        && let Some(area) = drawn()
    {
        painter.rect_stroke(on_screen(area), 2.0, Stroke::new(2.0, DRAWN), StrokeKind::Outside);
        // Kept while it is drawn: where the pointer was pressed is forgotten when it is let go.
        ui.data_mut(|data| data.insert_temp(response.id, [area.left, area.top, area.width, area.height]));
    }
    if response.drag_stopped()
        && let Some([left, top, width, height]) =
            ui.data_mut(|data| data.remove_temp::<[usize; 4]>(response.id))
    {
        out.push(Command::Tray(TrayCommand::Mark(PixelRect { left, top, width, height })));
    }
}

/// The pixels of a picture between two points, where that is a rectangle of some size.
fn between(a: PixelPoint, b: PixelPoint, [columns, rows]: [usize; 2]) -> Option<PixelRect> {
    let span = |a: f64, b: f64, most: usize| {
        let edge = |v: f64| (v + 0.5).clamp(0.0, most as f64).round() as usize;
        (edge(a.min(b)), edge(a.max(b)))
    };
    let ((left, right), (top, bottom)) = (span(a.x, b.x, columns), span(a.y, b.y, rows));
    let area = PixelRect { left, top, width: right - left, height: bottom - top };
    (area.width >= 16 && area.height >= 16).then_some(area)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rectangle_is_drawn_from_any_corner_and_stays_in_the_picture() {
        let of = |a: (f64, f64), b: (f64, f64)| {
            between(PixelPoint::new(a.0, a.1), PixelPoint::new(b.0, b.1), [640, 480])
        };
        let area = Some(PixelRect { left: 100, top: 50, width: 200, height: 150 });
        assert_eq!(of((99.5, 49.5), (299.5, 199.5)), area);
        assert_eq!(of((299.5, 49.5), (99.5, 199.5)), area);
        let cut = of((-40.0, 400.0), (80.0, 900.0)).expect("a part of it");
        assert!(cut.left == 0 && cut.top + cut.height == 480 && cut.lies_in(640, 480), "{cut:?}");
        assert_eq!(of((10.0, 10.0), (14.0, 400.0)), None);
    }

    #[test]
    fn arrows_keep_the_tray_in_the_picture() {
        let area = PixelRect { left: 4, top: 460, width: 100, height: 20 };
        let moved = pushed(area, [-1, 1], [640, 480]);
        assert_eq!(moved, PixelRect { left: 0, top: 460, ..area });
        let wide = PixelRect { left: 600, width: 40, ..area };
        assert_eq!(sized(wide, [1, -1], [640, 480]), PixelRect { height: 16, ..wide });
    }
}
