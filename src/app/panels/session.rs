//! The battle as it goes on by itself: what the dice want done on the table, what to put back, who is missing, and
//! carrying on from the table as it stands.

use super::form::sentence;
use super::paint;
use crate::app::command::{Command, LossesCommand, SessionCommand};
use crate::app::state::{Ghost, State};
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::session::play::Whereabouts;
use crate::session::view::Call;
use egui::{Align2, Button, Context, RichText, Sense, Ui, WidgetInfo, vec2};

/// Shows what is to be done on the table, and where those are who are missing.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    to_do(ui, "After the dice", &state.awaited(), &palette);
    let back: Vec<Ghost> = state.start();
    if !back.is_empty() {
        let open: Vec<Ghost> = back.iter().filter(|g| !g.met).cloned().collect();
        match open.as_slice() {
            [] => {
                ui.label(RichText::new("All stand where the bound began.").small().color(palette.yes));
            }
            open => to_do(ui, "Back to where the bound began", open, &palette),
        }
    }
    missing(ui, state, &palette, out);
}

/// The buttons: carry on, and where the bound began.
pub fn buttons(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().button_padding.x = 5.0;
        ui.spacing_mut().item_spacing.x = 6.0;
        let on = ui.button("Carry on from here");
        if on
            .on_hover_text("Key C. The table counts as it stands: only whose bound it is is asked.")
            .clicked()
        {
            out.push(Command::Session(SessionCommand::AskCarryOn));
        }
        let shown = state.session().start;
        let start = ui.selectable_label(shown, "Where it began");
        start.widget_info(|| {
            WidgetInfo::selected(egui::Role::Button, true, shown, "Show where the bound began")
        });
        if start.on_hover_text("Key S. Every base's place at the bound's start, to put it back.").clicked() {
            out.push(Command::Session(SessionCommand::ShowStart));
        }
    });
}

fn to_do(ui: &mut Ui, heading: &str, ghosts: &[Ghost], palette: &Palette) {
    if ghosts.is_empty() {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new(heading).strong());
        for ghost in ghosts {
            ui.horizontal_top(|ui| {
                let (rect, mark) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
                if ghost.met {
                    paint::badge(ui.painter(), rect.center(), 13.0, Call::Yes, palette);
                } else {
                    paint::side_mark(ui.painter(), rect.center(), 11.0, ghost.side, palette);
                }
                let done = if ghost.met { "done" } else { "to do" };
                mark.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, done));
                ui.label(RichText::new(sentence(&ghost.words())).small());
            });
        }
    });
}

/// Who was on the table and does not show on it: missing is not dead.
fn missing(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let missing = state.missing();
    if missing.is_empty() {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Not on the board").strong());
        for (name, at) in missing {
            let words = match &at {
                Whereabouts::OffTable => format!("{name} lies beside the board."),
                Whereabouts::InWood(wood) => format!("{name} is in {wood}, unseen, until it shows again."),
                Whereabouts::Unseen => format!("{name} is not seen. It is not lost for that."),
            };
            ui.horizontal_wrapped(|ui| {
                ui.label(RichText::new(words).small());
                if !matches!(at, Whereabouts::InWood(_)) {
                    let button = ui.button(RichText::new("It is lost").small());
                    button.widget_info(|| {
                        WidgetInfo::labeled(
                            egui::Role::Button,
                            true,
                            format!("{name}, not on the board, is lost"),
                        )
                    });
                    if button.clicked() {
                        out.push(Command::Losses(LossesCommand::Lost(name.to_owned())));
                    }
                }
            });
        }
    });
}

/// Asks whose bound it is, over everything else, while play is to be carried on.
pub fn ask(ctx: &Context, state: &State, out: &mut Vec<Command>) {
    let Some(lost) = &state.session().carrying_on else { return };
    let side_now = state.moves().side();
    egui::Window::new("Carry on from here")
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .collapsible(false)
        .resizable(false)
        .show(ctx, |ui| {
            let palette = Palette::of(ui);
            ui.set_max_width(440.0);
            ui.label("The table counts as it stands, whatever brought it there. Whose bound is it?");
            ui.horizontal(|ui| {
                for (side, words) in [(Side::Red, "Red's bound (R)"), (Side::Blue, "Blue's bound (B)")] {
                    let now = side_now == Some(side);
                    let mut text = RichText::new(words).size(20.0);
                    if now {
                        text = text.strong();
                    }
                    if ui.add(Button::new(text)).clicked() {
                        out.push(Command::Session(SessionCommand::CarryOn(side)));
                    }
                }
                if ui.button("Not now (Esc)").clicked() {
                    out.push(Command::Session(SessionCommand::AskCarryOn));
                }
            });
            let candidates = state.missing();
            let candidates: Vec<&str> = candidates
                .iter()
                .filter(|(_, at)| !matches!(at, Whereabouts::InWood(_)))
                .map(|(name, _)| *name)
                .collect();
            if candidates.is_empty() {
                ui.label(RichText::new("Nobody is taken for lost.").color(palette.faint));
                return;
            }
            ui.label("Taken for lost, because they are not on the board:");
            for name in candidates {
                let mut taken = lost.iter().any(|n| n == name);
                if ui.checkbox(&mut taken, name).changed() {
                    out.push(Command::Session(SessionCommand::TakeForLost(name.to_owned())));
                }
            }
        });
}
