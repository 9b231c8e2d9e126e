//! The page of keys, over whatever page is shown.

use crate::app::command::Command;
use crate::app::keys;
use crate::app::look::LookCommand;
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use egui::{Align2, Context, Grid, RichText, ScrollArea, WidgetInfo, vec2};

/// Shows it.
pub fn show(ctx: &Context, state: &State, out: &mut Vec<Command>) {
    let room = ctx.content_rect().size();
    let window = egui::Window::new("Keys").anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0));
    window.collapsible(false).resizable(false).show(ctx, |ui| {
        let palette = Palette::of(ui);
        theme::dense(ui);
        ui.set_max_width((room.x - 80.0).clamp(120.0, 520.0));
        ui.horizontal_wrapped(|ui| {
            if ui.button("Close (F1)").clicked() {
                out.push(Command::Look(LookCommand::Keys));
            }
            let look = state.look();
            for (command, chosen, words) in [
                (LookCommand::Contrast, look.contrast != Default::default(), "High contrast (F2)"),
                (LookCommand::Text, look.text != Default::default(), "Large text (F3)"),
            ] {
                if ui.selectable_label(chosen, words).clicked() {
                    out.push(Command::Look(command));
                }
            }
        });
        ScrollArea::vertical().max_height((room.y - 130.0).max(80.0)).show(ui, |ui| {
            for (heading, keys) in keys::told(state) {
                ui.add_space(6.0);
                ui.label(RichText::new(heading).strong());
                Grid::new(heading).num_columns(2).spacing(vec2(16.0, 3.0)).show(ui, |ui| {
                    for (key, words) in keys {
                        ui.label(RichText::new(&key).monospace().color(palette.measure));
                        let told = ui.label(RichText::new(words).small());
                        told.widget_info(|| {
                            WidgetInfo::labeled(egui::Role::Label, true, format!("Key {key}: {words}"))
                        });
                        ui.end_row();
                    }
                });
            }
        });
    });
}
