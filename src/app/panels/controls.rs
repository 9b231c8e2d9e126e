//! The bar at the top: pause, another source, what to show, light or dark; and what went wrong.

use super::form::sentence;
use crate::app::command::{
    Command, JigCommand, Layout, LensCommand, Mode, ModeCommand, SpotCommand, TerrainCommand, TrayCommand,
};
use crate::app::look::LookCommand;
use crate::app::state::State;
use crate::app::theme::Palette;
use egui::{Align, Button, RichText, Theme, Ui, WidgetInfo};

/// From this width on, points, every page has a button of its own; below, what is seldom wanted stands in a menu.
const WIDE: f32 = 1200.0;

/// What a table needs once.
fn measuring(ui: &mut Ui, out: &mut Vec<Command>) {
    if ui.button("Calibrate lens").clicked() {
        out.push(Command::Lens(LensCommand::Open));
    }
    if ui.button("Measure bases").clicked() {
        out.push(Command::Jig(JigCommand::Open));
    }
}

/// Other ways to look at it.
fn looking(ui: &mut Ui, out: &mut Vec<Command>) {
    let untagged = ui.button("No tags");
    if untagged.on_hover_text("Key M. Bases without tags, on a picture that is held.").clicked() {
        out.push(Command::Spot(SpotCommand::Open));
    }
    if ui.button("Terrain").clicked() {
        out.push(Command::Terrain(TerrainCommand::Open));
    }
    let tray = ui.button("Tray");
    if tray.on_hover_text("Key K. Dice that the camera reads, and where their tray is.").clicked() {
        out.push(Command::Tray(TrayCommand::Open));
    }
}

/// Shows the bar.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Groma").heading().strong());
        ui.add_space(10.0);
        let pause = state.source().pause_words();
        if ui.add_enabled(pause.is_some(), Button::new(pause.unwrap_or("Pause"))).clicked() {
            out.push(Command::TogglePause);
        }
        if ui.button("Open source").clicked() {
            out.push(Command::ShowSources);
        }
        let narrow = ui.max_rect().width() < WIDE;
        if !narrow {
            measuring(ui, out);
        }
        let (other, words) = match state.mode() {
            Mode::Umpire => (Mode::Game, "Game mode"),
            Mode::Game | Mode::Demo => (Mode::Umpire, "Umpire mode"),
        };
        if ui.button(words).clicked() {
            out.push(Command::Mode(ModeCommand::Be(other)));
        }
        if ui.button("Demo").on_hover_text("Key D. For a table at a show.").clicked() {
            out.push(Command::Mode(ModeCommand::Be(Mode::Demo)));
        }
        if narrow {
            ui.menu_button("More", |ui| {
                measuring(ui, out);
                looking(ui, out);
            });
        } else {
            looking(ui, out);
        }
        ui.add_space(10.0);
        let views = [(Layout::Both, "Both"), (Layout::Picture, "Picture"), (Layout::Board, "Board")];
        for (layout, words) in views {
            let button = ui.selectable_label(state.layout() == layout, words);
            button.widget_info(|| {
                let label = format!("Show {}", words.to_lowercase());
                WidgetInfo::selected(egui::Role::Button, true, state.layout() == layout, label)
            });
            if button.clicked() {
                out.push(Command::Show(layout));
            }
        }
        ui.with_layout(egui::Layout::right_to_left(Align::Center), |ui| {
            let words = if state.theme() == Theme::Dark { "Light" } else { "Dark" };
            let button = ui.button(words);
            button.widget_info(|| {
                let label = format!("{words} theme");
                WidgetInfo::labeled(egui::Role::Button, true, label)
            });
            if button.clicked() {
                out.push(Command::ToggleTheme);
            }
            let keys = ui.button("Keys");
            if keys.on_hover_text("Key F1. Every key of this page.").clicked() {
                out.push(Command::Look(LookCommand::Keys));
            }
        });
    });
}

/// Shows what to bear in mind of the whole table while it is so.
pub fn cautions(ui: &mut Ui, state: &State) {
    let palette = Palette::of(ui);
    for words in state.table_cautions() {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new("!").strong().color(palette.close));
            ui.label(RichText::new(sentence(&words)).small().color(palette.close));
        });
    }
}

/// Shows what went wrong, with a way to put it aside. Nothing where nothing did.
pub fn notice(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let Some(words) = state.notice() else { return };
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("!").strong().color(palette.close));
        ui.label(RichText::new(words).color(palette.close));
        if ui.small_button("Dismiss").clicked() {
            out.push(Command::DismissNotice);
        }
    });
}
