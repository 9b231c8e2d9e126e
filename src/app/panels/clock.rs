//! The game's clock on the players' page: what is left, large; a word and a mark beside it when the end is near.

use crate::app::command::{ClockCommand, Command};
use crate::app::state::{ClockPhase, State};
use crate::app::theme::{self, Palette};
use egui::{RichText, TextEdit, Ui, WidgetInfo};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let clock = state.clock();
    let mut send = |command| out.push(Command::Clock(command));
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.horizontal(|ui| {
            let words = clock.words();
            let ink = if clock.phase() == ClockPhase::Play { palette.ink } else { palette.close };
            let left = ui.label(RichText::new(&words).size(24.0).strong().color(ink));
            left.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Left: {words}")));
            let button = ui.button(if clock.runs() { "Stop (T)" } else { "Start (T)" });
            button.widget_info(|| {
                let label = if clock.runs() { "Stop the clock" } else { "Start the clock" };
                WidgetInfo::labeled(egui::Role::Button, true, label)
            });
            if button.clicked() {
                send(ClockCommand::StartStop);
            }
            if clock.begun() && !clock.runs() && ui.button("Set back").clicked() {
                send(ClockCommand::SetBack);
            }
            if !clock.runs() {
                let name = ui.label(RichText::new("of").small().color(palette.faint));
                let mut text = clock.minutes().to_owned();
                let field = ui.add(TextEdit::singleline(&mut text).desired_width(42.0)).labelled_by(name.id);
                field.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Minutes of the game"));
                if field.changed() {
                    send(ClockCommand::TypeMinutes(text));
                }
                ui.label(RichText::new("min").small().color(palette.faint));
            }
        });
        let told = match (clock.refused(), clock.phase()) {
            (Some(why), _) => Some(why.to_owned()),
            (None, ClockPhase::NearEnd) => Some("! The end is near.".to_owned()),
            (None, ClockPhase::LastBound) => Some("! Time is up: this bound is the last.".to_owned()),
            (None, ClockPhase::Play) => None,
        };
        if let Some(told) = told {
            ui.label(RichText::new(told).strong().color(palette.close));
        }
    });
}
