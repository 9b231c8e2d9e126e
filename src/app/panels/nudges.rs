//! What stirred and is no move: to be put back, or accepted where it is. Neither costs a PIP.

use super::form::sentence;
use crate::app::command::{Command, MovesCommand};
use crate::app::theme::{self, Palette};
use crate::session::view::{MovesView, NudgeView, NudgedView};
use egui::{RichText, Ui, WidgetInfo};

/// Shows all that stirred, by what it looks like.
pub fn show(ui: &mut Ui, view: &MovesView, palette: &Palette, out: &mut Vec<Command>) {
    for nudged in &view.nudged {
        theme::card(palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            theme::dense(ui);
            together(ui, nudged, palette, out);
        });
    }
}

fn together(ui: &mut Ui, nudged: &NudgedView, palette: &Palette, out: &mut Vec<Command>) {
    ui.label(RichText::new(sentence(&nudged.words)).strong());
    if let [nudge] = nudged.nudges.as_slice() {
        one(ui, nudge, palette, out);
        return;
    }
    let furthest = nudged.nudges.iter().map(|n| n.mm).fold(0.0, f64::max);
    let names: Vec<String> = nudged.nudges.iter().map(|n| n.name.clone()).collect();
    let words = format!("{} bases shifted by up to {furthest:.1} mm: {}.", names.len(), names.join(", "));
    ui.label(RichText::new(words).small().color(palette.close));
    if nudged.nudges.iter().all(|n| n.going_back) {
        going_back(ui, palette);
        return;
    }
    ui.horizontal(|ui| {
        if ui.button(RichText::new("Accept all there").small()).clicked() {
            out.push(Command::Moves(MovesCommand::AcceptNudges(names.clone())));
        }
        if ui.button(RichText::new("Put all back").small()).clicked() {
            out.push(Command::Moves(MovesCommand::PutBack(names)));
        }
    });
}

fn going_back(ui: &mut Ui, palette: &Palette) {
    let words = "Put back where the dashes are on the board: it goes from this list by itself.";
    ui.label(RichText::new(words).small().color(palette.faint));
}

/// One that stirred.
pub(super) fn one(ui: &mut Ui, nudge: &NudgeView, palette: &Palette, out: &mut Vec<Command>) {
    let words = format!("{} was nudged by {:.1} mm: put it back, or accept it.", nudge.name, nudge.mm);
    ui.label(RichText::new(words).small().color(palette.close));
    if nudge.going_back {
        going_back(ui, palette);
        return;
    }
    ui.horizontal(|ui| {
        let named = |ui: &mut Ui, words: &str, label: String| {
            let button = ui.button(RichText::new(words).small());
            button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, &label));
            button.clicked()
        };
        let names = || vec![nudge.name.clone()];
        if named(ui, "Accept it there", format!("Accept {} where it stands", nudge.name)) {
            out.push(Command::Moves(MovesCommand::AcceptNudges(names())));
        }
        if named(ui, "Put it back", format!("Put {} back", nudge.name)) {
            out.push(Command::Moves(MovesCommand::PutBack(names())));
        }
    });
}
