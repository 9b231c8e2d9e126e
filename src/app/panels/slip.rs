//! The result slip: the players' names, and the page that they print and sign.

use super::form::field;
use crate::app::command::{Command, SlipCommand, SlipField};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use egui::{RichText, Ui};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let slip = state.slip();
    let mut send = |command| out.push(Command::Slip(command));
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Result slip").strong());
        ui.columns(2, |columns| {
            let fields = [(SlipField::Red, "Player of red"), (SlipField::Blue, "Player of blue")];
            for (n, (what, label)) in fields.into_iter().enumerate() {
                if let Some(text) = field(&mut columns[n], label, &slip.players[n], true) {
                    send(SlipCommand::Type(what, text));
                }
            }
        });
        if let Some(text) = field(ui, "The slip's file (.html)", &slip.file, true) {
            send(SlipCommand::Type(SlipField::File, text));
        }
        let button = ui.button("Write slip");
        let about = "Players, armies, losses, who has won, the clock, the dice's seeds and the journal's hash, to be printed.";
        if button.on_hover_text(about).clicked() {
            send(SlipCommand::Write);
        }
        match &slip.written {
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
