//! What is due this bound: every shot and every close combat on the table, each to be taken up by one click.

use super::{facts, paint, questions};
use crate::app::command::{Command, FightCommand, MovesCommand};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::rules::combat::LinedUp;
use crate::session::play::FightKind;
use crate::session::view::{DueCombatView, DueView, FireView};
use egui::{Button, RichText, Sense, Ui, WidgetInfo, vec2};

/// Shows the list.
pub fn show(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    questions::show(ui, state, palette, out);
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.horizontal(|ui| {
            ui.label(RichText::new("Due this bound").strong());
            bound_side(ui, state, out);
        });
        if state.moves().known().side.is_none() {
            let words = "Whose bound it is nobody has said: taken to be red's.";
            ui.label(RichText::new(words).small().color(palette.close));
        }
        if let Some(why) = state.fight().failed() {
            ui.label(RichText::new(format!("What is due is not known: {why}")).small().color(palette.close));
        }
        let Some(due) = state.fight().due() else {
            let words = if state.fight().at_work() {
                "Being worked out..."
            } else {
                "Shown once all on the table is at rest."
            };
            ui.label(RichText::new(words).small().color(palette.faint));
            return;
        };
        list(ui, due, palette, out);
    });
}

fn bound_side(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    for (side, words) in [(Side::Red, "red"), (Side::Blue, "blue")] {
        let chosen = state.moves().known().side == Some(side);
        let button = ui.add(Button::selectable(chosen, RichText::new(words).small()));
        button.widget_info(|| {
            WidgetInfo::selected(egui::Role::Button, true, chosen, format!("Bound of {words}"))
        });
        if button.clicked() {
            out.push(Command::Moves(MovesCommand::Side(Some(side))));
        }
    }
}

fn list(ui: &mut Ui, due: &DueView, palette: &Palette, out: &mut Vec<Command>) {
    if due.combats.is_empty() && due.shooters.is_empty() && due.open.is_empty() {
        ui.label(RichText::new("No combat and no shooting.").color(palette.faint));
        return;
    }
    if let Some(side) = due.order {
        let words = format!("The order of the shooting matters: {} settles it.", side.word());
        ui.label(RichText::new(words).small().color(palette.close));
    }
    for fire in &due.fires {
        shot(ui, fire, palette, out);
    }
    for combat in &due.combats {
        close(ui, combat, palette, out);
    }
    for words in &due.beside {
        ui.label(RichText::new(words).small().color(palette.faint));
    }
    for open in &due.open {
        ui.label(RichText::new(&open.words).small().color(palette.close));
        if !open.to_settle.is_empty() {
            facts::settle(ui, &open.to_settle, out);
        }
    }
}

/// A shot that is settled; a click takes it up.
fn shot(ui: &mut Ui, fire: &FireView, palette: &Palette, out: &mut Vec<Command>) {
    let label = format!("Due: {}", fire.words);
    ui.horizontal(|ui| {
        let (rect, mark) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 13.0, fire.call, palette);
        mark.widget_info(|| {
            let label = format!("Shooting: {}", fire.call.words());
            WidgetInfo::labeled(egui::Role::Image, true, label)
        });
        if row(ui, &fire.words, &label) {
            let (a, b) = (fire.roller.clone(), fire.target.clone());
            out.push(Command::Fight(FightCommand::Due(FightKind::Shooting, a, b)));
        }
    });
    for test in fire.tests.iter().filter(|t| t.clause == "dba3.sht.16") {
        ui.label(RichText::new(&test.text).small().color(palette.faint));
    }
}

fn close(ui: &mut Ui, combat: &DueCombatView, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let (rect, mark) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 13.0, combat.call, palette);
        mark.widget_info(|| {
            let label = format!("In contact: {}", combat.call.words());
            WidgetInfo::labeled(egui::Role::Image, true, label)
        });
        let place = combat.at.as_ref().map_or(String::new(), |at| format!(" for {at}"));
        let how = match combat.lined_up {
            LinedUp::Conformed => "",
            LinedUp::Refused => ", unconformed",
        };
        let words = format!("{} against {}{place}{how}", combat.a, combat.b);
        if row(ui, &words, &format!("Due: {words}")) {
            let (a, b) = (combat.a.clone(), combat.b.clone());
            out.push(Command::Fight(FightCommand::Due(FightKind::Close, a, b)));
        }
        let [a, b] = combat.totals;
        ui.label(RichText::new(format!("{a:+} : {b:+}")).small().color(palette.faint));
    });
}

/// A line to be clicked.
fn row(ui: &mut Ui, words: &str, label: &str) -> bool {
    let button = ui.add(Button::new(RichText::new(words).small()).wrap());
    button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, label));
    button.clicked()
}
