//! The dialog for another source. The table that is shown stays until the new source is open.

use crate::app::command::Command;
use crate::app::state::{CameraSearch, Dialog, State};
use crate::app::theme::{self, Palette};
use egui::{Id, Key, Modal, RichText, TextEdit, Ui, WidgetInfo};

/// Shows the dialog where it is open.
pub fn show(ui: &Ui, state: &State, out: &mut Vec<Command>) {
    let Some(dialog) = state.dialog() else { return };
    let shown = Modal::new(Id::unique("sources")).frame(theme::dialog(ui)).show(ui.ctx(), |ui| {
        ui.set_width(520.0);
        ui.heading("Open another source");
        ui.add_space(4.0);
        typed(ui, dialog, out);
        ui.add_space(8.0);
        ui.separator();
        cameras(ui, dialog, out);
    });
    if shown.should_close() {
        out.push(Command::HideSources);
    }
}

fn typed(ui: &mut Ui, dialog: &Dialog, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.label("A picture, a folder of pictures, a video, a stream's address, camera:N or sim:SEED");
    let mut text = dialog.text.clone();
    let field = ui.add(
        TextEdit::singleline(&mut text)
            .desired_width(f32::INFINITY)
            .hint_text(RichText::new("photos/table.jpg, rtsp://..., camera:0, sim:7").color(palette.faint)),
    );
    field.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, "Source"));
    if field.changed() {
        out.push(Command::TypeSource(text.clone()));
    }
    let entered = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
    if let Some(error) = &dialog.error {
        let words = format!("{error}\nThe present table is still shown.");
        ui.label(RichText::new(words).color(palette.no));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let free = dialog.opening.is_none();
        if ui.add_enabled(free, egui::Button::new("Open")).clicked() || (entered && free) {
            out.push(Command::Open(text));
        }
        if ui.button("Simulated table").clicked() {
            out.push(Command::TypeSource("sim:7".to_owned()));
        }
        if ui.button("Cancel").clicked() {
            out.push(Command::HideSources);
        }
        if let Some(source) = &dialog.opening {
            ui.spinner();
            ui.label(format!("Opening {source}..."));
        }
    });
}

fn cameras(ui: &mut Ui, dialog: &Dialog, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.label(RichText::new("Cameras").strong());
        if ui.button("Find cameras").clicked() {
            out.push(Command::FindCameras);
        }
    });
    match &dialog.cameras {
        CameraSearch::NotAsked => {}
        CameraSearch::Looking => {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Looking for cameras...");
            });
        }
        CameraSearch::Failed(words) => {
            ui.label(RichText::new(words).color(palette.close));
        }
        CameraSearch::Found(list) if list.is_empty() => {
            ui.label("No camera is plugged in. Plug one in and press \"Find cameras\" again.");
        }
        CameraSearch::Found(list) => {
            for camera in list {
                if ui.button(format!("{} ({})", camera.name, camera.source)).clicked() {
                    out.push(Command::Open(camera.source.clone()));
                }
            }
        }
    }
}
