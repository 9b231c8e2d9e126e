//! The dialog for another source, and the files that go with it. The table that is shown stays until the new
//! source is open.

use crate::app::command::{ArmyCommand, BrowseCommand, Command, FirstRunCommand, SettingUpCommand};
use crate::app::state::{Browser, CameraSearch, Dialog, Field, State};
use crate::app::theme::{self, Palette};
use egui::{Id, Key, Modal, RichText, ScrollArea, TextEdit, Ui, WidgetInfo};

/// Shows the dialog where it is open.
pub fn show(ui: &Ui, state: &State, out: &mut Vec<Command>) {
    let Some(dialog) = state.dialog() else { return };
    let shown = Modal::new(Id::unique("sources")).frame(theme::dialog(ui)).show(ui.ctx(), |ui| {
        ui.set_width(560.0);
        match &dialog.browser {
            Some(browser) => list(ui, browser, out),
            None => {
                ui.heading("Open another source");
                ui.add_space(4.0);
                typed(ui, dialog, out);
                ui.add_space(8.0);
                ui.separator();
                cameras(ui, dialog, out);
                ui.separator();
                ui.horizontal(|ui| {
                    if ui.button("First run").clicked() {
                        out.push(Command::HideSources);
                        out.push(Command::FirstRun(FirstRunCommand::Open));
                    }
                    if ui.button("Armies").clicked() {
                        out.push(Command::HideSources);
                        out.push(Command::Army(ArmyCommand::Open));
                    }
                    if ui.button("Before the battle").clicked() {
                        out.push(Command::HideSources);
                        out.push(Command::SettingUp(SettingUpCommand::Open));
                    }
                    ui.label(RichText::new("step by step").small());
                });
            }
        }
    });
    if shown.should_close() {
        out.push(match dialog.browser {
            Some(_) => Command::Browse(BrowseCommand::Close),
            None => Command::HideSources,
        });
    }
}

/// A field with a button that lists files for it; whether Enter was pressed in it.
fn field(ui: &mut Ui, dialog: &Dialog, field: Field, hint: &str, out: &mut Vec<Command>) -> bool {
    let palette = Palette::of(ui);
    let mut text = dialog.field(field).to_owned();
    let mut entered = false;
    ui.horizontal(|ui| {
        let left = egui::Layout::left_to_right(egui::Align::Center);
        let name = ui.allocate_ui_with_layout(egui::vec2(92.0, 24.0), left, |ui| {
            ui.set_min_width(92.0);
            ui.label(field.name())
        });
        let name = name.inner;
        let width = ui.available_width() - 92.0;
        let edit = ui.add(
            TextEdit::singleline(&mut text)
                .desired_width(width)
                .hint_text(RichText::new(hint).color(palette.faint)),
        );
        let edit = edit.labelled_by(name.id);
        if edit.changed() {
            out.push(match field {
                Field::Source => Command::TypeSource(text.clone()),
                other => Command::TypeFiles(other, text.clone()),
            });
        }
        entered = edit.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
        let button = ui.button("Browse");
        button.widget_info(|| {
            WidgetInfo::labeled(
                egui::Role::Button,
                true,
                format!("Browse for the {}", field.name().to_lowercase()),
            )
        });
        if button.clicked() {
            out.push(Command::Browse(BrowseCommand::For(field)));
        }
    });
    entered
}

fn typed(ui: &mut Ui, dialog: &Dialog, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.label("A picture, a folder of pictures, a video, a stream's address, camera:N or sim:SEED");
    let entered = field(ui, dialog, Field::Source, "photos/table.jpg, rtsp://..., camera:0, sim:7", out);
    ui.add_space(4.0);
    ui.label("The table that it shows, and what stands on it");
    field(ui, dialog, Field::Table, "none: the sample table, simulated", out);
    field(ui, dialog, Field::Rosters, "several with ; between them", out);
    field(ui, dialog, Field::Lens, "none: the lens is estimated", out);
    ui.add_space(4.0);
    ui.label("Another camera over the same table: what both see counts from both");
    field(ui, dialog, Field::Second, "none: one camera alone", out);
    if let Some(error) = &dialog.error {
        let words = format!("{error}\nThe present table is still shown.");
        ui.label(RichText::new(words).color(palette.no));
    }
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        let free = dialog.opening.is_none();
        if ui.add_enabled(free, egui::Button::new("Open")).clicked() || (entered && free) {
            out.push(Command::Open(dialog.text.clone()));
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

/// The files of a folder.
fn list(ui: &mut Ui, browser: &Browser, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.heading(browser.field.name());
    ui.label(RichText::new(browser.folder.display().to_string()).color(palette.faint));
    ui.horizontal(|ui| {
        if ui.add_enabled(browser.above.is_some(), egui::Button::new("Up")).clicked()
            && let Some(above) = &browser.above
        {
            out.push(Command::Browse(BrowseCommand::Enter(above.clone())));
        }
        if browser.field == Field::Source && ui.button("All pictures of this folder").clicked() {
            out.push(Command::Browse(BrowseCommand::Choose(browser.folder.clone())));
        }
        if ui.button("Back").clicked() {
            out.push(Command::Browse(BrowseCommand::Close));
        }
    });
    if let Some(note) = &browser.note {
        ui.label(RichText::new(note).color(palette.close));
    }
    ui.separator();
    ScrollArea::vertical().id_salt("files").max_height(340.0).auto_shrink([false, true]).show(ui, |ui| {
        theme::dense(ui);
        for entry in &browser.entries {
            let words = if entry.folder { format!("{}/", entry.name) } else { entry.name.clone() };
            if ui.selectable_label(false, words).clicked() {
                out.push(Command::Browse(if entry.folder {
                    BrowseCommand::Enter(entry.path.clone())
                } else {
                    BrowseCommand::Choose(entry.path.clone())
                }));
            }
        }
    });
}

fn cameras(ui: &mut Ui, dialog: &Dialog, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Cameras").strong());
        if ui.button("Find cameras").clicked() {
            out.push(Command::FindCameras);
        }
    });
    found_cameras(ui, &dialog.cameras, |camera| out.push(Command::Open(camera.to_owned())));
}

/// What is known of cameras, each to be chosen by a click.
pub(in crate::app) fn found_cameras(ui: &mut Ui, known: &CameraSearch, mut chosen: impl FnMut(&str)) {
    let palette = Palette::of(ui);
    match known {
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
                    chosen(&camera.source);
                }
            }
        }
    }
}
