//! What players may choose before the dice lie: each question with its clause, one click for an answer, what comes of
//! each, and what holds while nobody answers. The same click again takes it back.

use crate::app::command::{Command, FightCommand};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::session::view::{Answers, ChoiceView, ChosenView};
use egui::{Button, RichText, Ui, WidgetInfo};

/// Shows them; nothing where nobody has a choice.
pub fn show(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let Some(due) = state.fight().due().filter(|due| !due.choices.is_empty()) else { return };
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Players may choose").strong());
        for (n, choice) in due.choices.iter().enumerate() {
            if n > 0 {
                ui.separator();
            }
            one(ui, state, choice, palette, out);
        }
    });
}

fn one(ui: &mut Ui, state: &State, choice: &ChoiceView, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.label(&choice.words);
        ui.label(RichText::new(&choice.clause).small().color(palette.faint));
    });
    let mut answered = false;
    for answer in &choice.answers {
        answered |= chosen(state, answer);
        offer(ui, state, answer, palette, out);
    }
    if !answered {
        let words = format!("Nobody says: {}.", choice.assumes);
        ui.label(RichText::new(words).small().color(palette.close));
    }
}

fn chosen(state: &State, answer: &ChosenView) -> bool {
    match &answer.does {
        Answers::Says(chooses) => state.fight().said().contains(chooses),
        Answers::Shoots(shooter, target) => state.fight().chose(shooter, target),
    }
}

fn offer(ui: &mut Ui, state: &State, answer: &ChosenView, palette: &Palette, out: &mut Vec<Command>) {
    let stands = chosen(state, answer);
    let button = ui.add(Button::new(RichText::new(&answer.words).small()).selected(stands));
    button.widget_info(|| WidgetInfo::selected(egui::Role::Button, true, stands, label(answer)));
    if button.clicked() {
        let command = match &answer.does {
            Answers::Says(chooses) => FightCommand::Say(chooses.clone()),
            Answers::Shoots(shooter, target) => FightCommand::Shoot(shooter.clone(), target.clone()),
        };
        out.push(Command::Fight(command));
    }
    for line in &answer.comes {
        ui.label(RichText::new(line).small().color(palette.faint));
    }
}

/// What a button is called by who cannot see where it stands.
fn label(answer: &ChosenView) -> String {
    match &answer.does {
        Answers::Says(chooses) => format!("Choose: {}", chooses.words()),
        Answers::Shoots(shooter, target) => format!("{shooter} shoots at {target}"),
    }
}
