//! What was written down, the newest first, a note of one's own, and the file that it is kept in.

use super::form::field;
use crate::app::command::{Command, LogCommand};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::session::play::Kind;
use egui::{RichText, Ui, WidgetInfo};

/// So many entries are shown; all are in the file.
const SHOWN: usize = 40;

/// Shows the log.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let (log, entries) = (state.log(), state.written());
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Log").strong());
        if entries.is_empty() {
            let words = "Nothing is written down yet. Moves, outcomes, losses and overrules will be.";
            ui.label(RichText::new(words).small().color(palette.faint));
        }
        for (n, entry) in entries.iter().enumerate().rev().take(SHOWN) {
            let colour = if entry.kind == Kind::Overrule { palette.close } else { palette.ink };
            let words = format!("{}. {}: {}", n + 1, entry.kind.word(), entry.words);
            let line = ui.label(RichText::new(&words).small().color(colour));
            line.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Log {words}")));
        }
        if entries.len() > SHOWN {
            let words = format!("and {} before these", entries.len() - SHOWN);
            ui.label(RichText::new(words).small().color(palette.faint));
        }
        ui.separator();
        if let Some(text) = field(ui, "Note", log.note(), true) {
            out.push(Command::Log(LogCommand::TypeNote(text)));
        }
        if ui.button("Write down").clicked() {
            out.push(Command::Log(LogCommand::Note));
        }
        ui.separator();
        if let Some(text) = field(ui, "Keep the log in the file (.txt)", log.file(), true) {
            out.push(Command::Log(LogCommand::TypeFile(text)));
        }
        if ui.button("Keep log").clicked() {
            out.push(Command::Log(LogCommand::Save));
        }
        match log.saved() {
            Some(Ok(words)) => {
                ui.label(RichText::new(words).small().color(palette.yes));
            }
            Some(Err(why)) => {
                ui.label(RichText::new(why).small().color(palette.no));
            }
            None => {}
        }
    });
}
