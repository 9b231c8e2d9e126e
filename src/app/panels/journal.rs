//! The journal: undo and redo, and the file that everything is kept in.

use super::form::field;
use crate::app::command::{Command, JournalCommand};
use crate::app::look::{LookCommand, Photographs};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use egui::{Button, RichText, Ui, WidgetInfo};

/// Shows the journal.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let (kept, view) = (state.kept(), state.kept().view());
    let mut taken = Vec::new();
    let mut send = |command| out.push(Command::Journal(command));
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Journal").strong());
        ui.horizontal(|ui| {
            let undo = ui.add_enabled(view.can_undo, Button::new("Undo"));
            if undo.on_hover_text("Ctrl+Z").clicked() {
                send(JournalCommand::Undo);
            }
            let redo = ui.add_enabled(view.can_redo, Button::new("Redo"));
            if redo.on_hover_text("Ctrl+Shift+Z").clicked() {
                send(JournalCommand::Redo);
            }
            if kept.going_back() {
                ui.spinner();
                ui.label(RichText::new("Going back: what you do meanwhile is done when it is there.").small());
            }
        });
        let (words, colour) = match (&view.file, &view.trouble) {
            (_, Some(trouble)) => {
                (format!("{trouble} {} records wait in memory.", view.unwritten), palette.no)
            }
            (Some(file), None) => (format!("Kept in {file}: {} records.", view.records), palette.yes),
            (None, None) => {
                let words = format!(
                    "{} records in memory alone: if the program stops, they are lost. Name a file to keep them.",
                    view.records
                );
                (words, palette.close)
            }
        };
        let line = ui.label(RichText::new(&words).small().color(colour));
        line.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Journal: {words}")));
        if view.file.is_none() {
            if let Some(text) = field(ui, "Keep the battle in the file (.journal)", kept.file(), true) {
                send(JournalCommand::TypeFile(text));
            }
            if ui.button("Keep battle").clicked() {
                send(JournalCommand::Keep);
            }
        }
        if view.file.is_some() {
            ui.horizontal_wrapped(|ui| {
                let take = ui.button("Photograph (P)");
                if take.on_hover_text("The board and nothing beside it, for the report.").clicked() {
                    taken.push(Command::Photograph);
                }
                let mut each = state.photographs() == Photographs::EachBound;
                if ui.checkbox(&mut each, "as each bound begins").changed() {
                    taken.push(Command::Look(LookCommand::Photographs));
                }
            });
        }
        if let Some(words) = state.photographed() {
            ui.label(RichText::new(words).small().color(palette.faint));
        }
        if let Some(why) = kept.refused() {
            ui.label(RichText::new(why).small().color(palette.no));
        }
    });
    out.extend(taken);
}
