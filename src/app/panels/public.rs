//! The public screen: a second window for those who look on. The board, whose bound it is, and one sentence, in letters that
//! grow with the window. Nobody picks anything on it.

use super::form::sentence;
use super::{board, demo, paint};
use crate::app::command::Command;
use crate::app::look::LookCommand;
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::session::play::Phase;
use crate::session::view::Call;
use egui::{
    Align2, CentralPanel, Context, FontId, Key, Modifiers, Rect, RichText, TextureId, Ui, UiBuilder,
    ViewportBuilder, ViewportClass, ViewportCommand, ViewportId, WidgetInfo, pos2, vec2,
};

/// Letters, as shares of the room's height.
const HEADLINE: f32 = 0.07;
const SENTENCE: f32 = 0.05;

/// Shows it, in a window of its own where the system has such.
pub fn show(
    ctx: &Context,
    state: &State,
    texture: &mut dyn FnMut(&Ui, Rect) -> Option<TextureId>,
    out: &mut Vec<Command>,
) {
    let id = ViewportId::from_hash_of("groma public screen");
    let builder =
        ViewportBuilder::default().with_title("Groma: the table").with_inner_size(vec2(960.0, 600.0));
    ctx.show_viewport_immediate(id, builder, |ui, class| {
        if class == ViewportClass::EmbeddedWindow {
            let room = ui.ctx().content_rect().size() * 0.6;
            let (rect, _) = ui.allocate_exact_size(room, egui::Sense::empty());
            ui.scope_builder(UiBuilder::new().max_rect(rect), |ui| page(ui, rect, state, texture));
            return;
        }
        full_screen(ui);
        let leaves = ui.input_mut(|input| {
            input.viewport().close_requested() || input.consume_key(Modifiers::NONE, Key::W)
        });
        if leaves {
            out.push(Command::Look(LookCommand::Public));
        }
        CentralPanel::default().frame(theme::panel(ui)).show(ui, |ui| {
            let room = ui.available_rect_before_wrap();
            page(ui, room, state, texture);
        });
    });
}

/// F11 fills the screen that this window is on, or leaves it; Escape leaves it.
pub fn full_screen(ui: &Ui) {
    let full = ui.input(|input| input.viewport().fullscreen.unwrap_or(false));
    let (turn, leave) = ui.input_mut(|input| {
        let turn = input.consume_key(Modifiers::NONE, Key::F11);
        (turn, full && input.consume_key(Modifiers::NONE, Key::Escape))
    });
    if turn || leave {
        ui.ctx().send_viewport_cmd(ViewportCommand::Fullscreen(!full));
    }
}

fn page(ui: &mut Ui, room: Rect, state: &State, texture: &mut dyn FnMut(&Ui, Rect) -> Option<TextureId>) {
    if let Some(page) = state.demo() {
        let id = texture(ui, room);
        ui.scope_builder(UiBuilder::new().max_rect(room), |ui| demo::show(ui, state, page, id));
        return;
    }
    let palette = Palette::of(ui);
    let high = room.height();
    let (headline, below) = (HEADLINE * high, SENTENCE * high);
    let top = Rect::from_min_max(room.min, pos2(room.right(), room.top() + 1.5 * headline));
    let bottom = Rect::from_min_max(pos2(room.left(), room.bottom() - 2.8 * below), room.max);
    head(ui, top, state, headline, &palette);
    let middle = Rect::from_min_max(pos2(room.left(), top.bottom()), pos2(room.right(), bottom.top() - 6.0));
    ui.scope_builder(UiBuilder::new().max_rect(middle), |ui| {
        board::show(ui, middle, state, &mut Vec::new());
    });
    let words = told(state);
    ui.scope_builder(UiBuilder::new().max_rect(bottom), |ui| {
        ui.vertical_centered(|ui| {
            let label = ui.add(egui::Label::new(RichText::new(&words).size(below)).wrap());
            label.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Label, true, format!("Public sentence: {words}"))
            });
        });
    });
}

/// Whose bound it is, PIPs, and both sums of losses.
fn head(ui: &mut Ui, top: Rect, state: &State, size: f32, palette: &Palette) {
    let moves = state.moves();
    let words = match moves.side() {
        Some(Side::Red) => "Red's bound",
        Some(Side::Blue) => "Blue's bound",
        None => "Before the first bound",
    };
    ui.scope_builder(UiBuilder::new().max_rect(top), |ui| {
        ui.horizontal(|ui| {
            if let Some(side) = moves.side() {
                let (rect, _) = ui.allocate_exact_size(vec2(1.2 * size, 1.2 * size), egui::Sense::empty());
                paint::side_mark(ui.painter(), rect.center(), 0.8 * size, side, palette);
            }
            let label = ui.label(RichText::new(words).size(size).strong());
            label.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Public: {words}")));
        });
    });
    if let Some(stand) = state.losses().view() {
        let mut right = top.right();
        for tally in stand.tallies.iter().rev() {
            let font = FontId::proportional(size);
            let at = pos2(right, top.center().y);
            let used =
                ui.painter().text(at, Align2::RIGHT_CENTER, tally.total.to_string(), font, palette.ink);
            let mark = pos2(used.left() - 0.6 * size, top.center().y);
            paint::side_mark(ui.painter(), mark, 0.7 * size, tally.side, palette);
            right = mark.x - 0.9 * size;
        }
        let font = FontId::proportional(0.6 * size);
        ui.painter().text(pos2(right, top.center().y), Align2::RIGHT_CENTER, "lost", font, palette.faint);
    }
}

/// The one sentence: who has won, what is to be done after the dice, what was moved, or what goes on.
fn told(state: &State) -> String {
    let losses = state.losses();
    if let Some(decided) = losses.decided() {
        return sentence(decided);
    }
    if let Some(ghost) = state.awaited().iter().find(|ghost| !ghost.met) {
        return sentence(&ghost.words());
    }
    let moves = state.moves();
    let open = moves.view().and_then(|view| view.explanations.get(moves.chosen()));
    if let Some(moved) = open.and_then(|open| open.moves.last()) {
        let legal = match moved.call {
            Call::Yes => "legal",
            Call::No => "not legal",
            Call::TooClose => "too close to call",
            Call::Held => "held",
        };
        return sentence(&format!("{}: {legal}", moved.words.trim_end_matches('.')));
    }
    let known = moves.known();
    match (moves.phase(), known.pips) {
        (Phase::Unwatched, _) => "The table is being set up.".to_owned(),
        (Phase::Combat, _) => "Shooting and combat.".to_owned(),
        (Phase::Moves, Some(score)) => {
            let spent: u32 = known.done.iter().map(|done| u32::from(done.pips)).sum();
            format!("{} of {score} PIPs left to move.", u32::from(score).saturating_sub(spent))
        }
        (Phase::Moves, None) => "Moves.".to_owned(),
    }
}
