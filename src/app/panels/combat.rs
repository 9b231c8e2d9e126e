//! Close combat and shooting of the two that are picked: factors, dice, outcome and what follows.

use super::form::reason_line;
use super::{aftermath, due, odds, paint, shooting};
use crate::app::command::{Command, FightCommand, Slot};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::session::play::FightKind;
use crate::session::view::{CombatView, FactorView, OutcomeView};
use egui::{Color32, RichText, Sense, Sides, TextEdit, Ui, WidgetInfo, vec2};

/// Shows the combat or the shooting of the two, or says why there is none; and what else is due.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    kinds(ui, state, out);
    if state.pair().is_none() {
        due::show(ui, state, &palette, out);
        ui.label(RichText::new(state.pick_words()).color(palette.faint));
        return;
    }
    if state.fight().kind() == FightKind::Shooting {
        shooting::show(ui, state, &palette);
    }
    match state.combat() {
        Some(Ok(combat)) => fight(ui, state, combat, &palette, out),
        Some(Err(why)) => {
            theme::card(&palette).show(ui, |ui| {
                ui.set_width(ui.available_width());
                let none = match state.fight().kind() {
                    FightKind::Close => "No close combat",
                    FightKind::Shooting => "No dice",
                };
                ui.label(RichText::new(none).strong());
                ui.label(why);
            });
        }
        None => {}
    }
    due::show(ui, state, &palette, out);
}

/// Close combat or shooting.
fn kinds(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for (kind, words) in [(FightKind::Close, "Close combat"), (FightKind::Shooting, "Shooting")] {
            if ui.selectable_label(state.fight().kind() == kind, words).clicked() {
                out.push(Command::Fight(FightCommand::Kind(kind)));
            }
        }
        if let [Some(a), Some(b)] = state.selection()
            && state.fight().kind() == FightKind::Shooting
        {
            ui.label(RichText::new(format!("{a} at {b}")).small().color(Palette::of(ui).faint));
        }
    });
}

fn fight(ui: &mut Ui, state: &State, combat: &CombatView, palette: &Palette, out: &mut Vec<Command>) {
    let thrown = state.outcome();
    // Once dice lie, what they bring about is what is looked for: the factors fold away.
    if thrown.is_none() || combat.caution.is_some() {
        theme::card(palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            theme::dense(ui);
            if let Some(caution) = &combat.caution {
                ui.label(RichText::new(caution).small().color(palette.close));
            }
            if thrown.is_none() {
                factors(ui, combat, palette);
            }
        });
    }
    // Dice and what they came to stand above the odds: a throw's result is in sight without scrolling.
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        dice(ui, state, combat, palette, out);
        theme::dense(ui);
        if let Some(outcome) = thrown {
            result(ui, outcome, combat, palette);
            egui::CollapsingHeader::new(RichText::new("Factors").small())
                .id_salt("the factors")
                .show(ui, |ui| factors(ui, combat, palette));
        }
    });
    aftermath::show(ui, state, palette, out);
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        odds::show(ui, combat, palette);
    });
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        proof(ui, state, palette, out);
    });
}

/// How the program's dice are proved: the commitment before them, the session's seed afterwards.
fn proof(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Proof of the dice").strong());
        if ui.button("End session, show seed").clicked() {
            out.push(Command::RevealDice);
        }
    });
    for line in state.dice_proof() {
        ui.add(egui::Label::new(RichText::new(line).size(11.5).color(palette.faint)).wrap());
    }
}

fn factors(ui: &mut Ui, combat: &CombatView, palette: &Palette) {
    factor(ui, &combat.a, palette);
    ui.separator();
    factor(ui, &combat.b, palette);
}

fn factor(ui: &mut Ui, factor: &FactorView, palette: &Palette) {
    let name = |ui: &mut Ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 20.0), Sense::empty());
        paint::side_mark(ui.painter(), rect.center(), 12.0, factor.side, palette);
        ui.label(RichText::new(&factor.name).strong());
    };
    let total = |ui: &mut Ui| {
        let total = ui.label(RichText::new(format!("{:+}", factor.total)).size(20.0).strong());
        total.widget_info(|| {
            let label = format!("Factor of {}: {}", factor.name, factor.total);
            WidgetInfo::labeled(egui::Role::Label, true, label)
        });
        ui.label(RichText::new(&factor.troop).strong());
    };
    // A name that is too long is cut, and shown whole where the pointer is; figures never are.
    Sides::new().shrink_left().truncate().show(ui, name, total);
    for (words, value, clause) in &factor.parts {
        let what = |ui: &mut Ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.add_space(20.0);
            ui.label(RichText::new(format!("{value:+}")).monospace());
            ui.label(RichText::new(words).small());
        };
        let whence = |ui: &mut Ui| {
            ui.label(RichText::new(clause).size(11.0).color(palette.faint));
        };
        Sides::new().shrink_left().truncate().show(ui, what, whence);
    }
}

fn dice(ui: &mut Ui, state: &State, combat: &CombatView, palette: &Palette, out: &mut Vec<Command>) {
    let names = [&combat.a.name, &combat.b.name];
    ui.horizontal(|ui| {
        ui.label(RichText::new("Dice").strong());
        if ui.button("Throw dice").clicked() {
            out.push(Command::ThrowDice);
        }
        if state.outcome().is_some() && ui.button("Clear dice").clicked() {
            out.push(Command::ClearDice);
        }
    });
    ui.horizontal(|ui| {
        ui.label(RichText::new("or type the real ones:").small().color(palette.faint));
        for slot in Slot::BOTH {
            let side = [combat.a.side, combat.b.side][slot.index()];
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 18.0), Sense::empty());
            paint::side_mark(ui.painter(), rect.center(), 10.0, side, palette);
            let mut text = state.typed_die(slot).to_owned();
            let field = ui.add(TextEdit::singleline(&mut text).desired_width(30.0).char_limit(1));
            let label = format!("Die of {}", names[slot.index()]);
            field.widget_info(|| WidgetInfo::labeled(egui::Role::TextInput, true, &label));
            if field.changed() {
                out.push(Command::TypeDie(slot, text));
            }
            if field.lost_focus() && ui.input(|i| i.key_pressed(egui::Key::Enter)) {
                out.push(Command::TakeTypedDice);
            }
        }
        if ui.button("Use").clicked() {
            out.push(Command::TakeTypedDice);
        }
    });
    for slot in Slot::BOTH {
        if let Some(error) = state.die_error(slot) {
            ui.label(RichText::new(format!("{}: {error}", names[slot.index()])).small().color(palette.no));
        }
    }
    if let Some(words) = state.dice_words() {
        ui.label(RichText::new(words).size(11.5).color(palette.faint));
    }
}

fn result(ui: &mut Ui, outcome: &OutcomeView, combat: &CombatView, palette: &Palette) {
    ui.horizontal(|ui| {
        for (n, factor) in [&combat.a, &combat.b].into_iter().enumerate() {
            die(ui, outcome.dice[n], palette.side(factor.side), &factor.name);
            ui.label(format!("{:+} = ", factor.total));
            ui.label(RichText::new(outcome.scores[n].to_string()).size(20.0).strong());
            ui.add_space(14.0);
        }
    });
    let words = ui.label(RichText::new(&outcome.words).size(17.0).strong());
    words.widget_info(|| {
        let label = format!("Outcome: {}", outcome.words);
        WidgetInfo::labeled(egui::Role::Label, true, label)
    });
    egui::CollapsingHeader::new(RichText::new("Why").small()).id_salt("why this outcome").show(ui, |ui| {
        for reason in &outcome.reasons {
            reason_line(ui, reason, palette);
        }
    });
}

/// A die as it lies, with its pips.
fn die(ui: &mut Ui, pips: u8, rim: Color32, whose: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(30.0, 30.0), Sense::empty());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, format!("{whose} threw {pips}")));
    paint::die_face(ui.painter(), rect.shrink(1.0), pips, rim);
}
