//! Between two rounds: other rosters on the same table, and a journal of their own.

use super::form::field;
use crate::app::command::{Command, RoundCommand, RoundField};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use egui::{Button, RichText, Ui};

/// Shows the button, and the fields once it was pressed.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let mut send = |command| out.push(Command::Round(command));
    let Some(round) = state.round() else {
        let about = "Another battle on this table: other rosters, a journal of its own. The one before is kept as it is.";
        if ui.button("Next round").on_hover_text(about).clicked() {
            send(RoundCommand::Open);
        }
        return;
    };
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Next round").strong());
        let label = "Rosters, with ; between them";
        if let Some(text) = field(ui, label, &round.rosters, !round.begins) {
            send(RoundCommand::Type(RoundField::Rosters, text));
        }
        let label = "Journal of the new battle (.journal), or none";
        if let Some(text) = field(ui, label, &round.journal, !round.begins) {
            send(RoundCommand::Type(RoundField::Journal, text));
        }
        if let Some(why) = &round.error {
            ui.label(RichText::new(why).small().color(palette.no));
        }
        ui.horizontal(|ui| {
            if ui.add_enabled(!round.begins, Button::new("Begin next round")).clicked() {
                send(RoundCommand::Begin);
            }
            if ui.button("Not yet").clicked() {
                send(RoundCommand::Close);
            }
            if round.begins {
                ui.spinner();
                ui.label(RichText::new("The camera is opened over the new rosters.").small());
            }
        });
        let words = match &state.kept().view().file {
            Some(file) => format!("The battle of before stays in {file}."),
            None => "The battle of before is in memory alone: keep it first, or it is lost.".to_owned(),
        };
        let colour = if state.kept().view().file.is_some() { palette.faint } else { palette.close };
        ui.label(RichText::new(words).small().color(colour));
    });
}
