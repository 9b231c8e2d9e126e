//! Losses and who has won. A base that is gone is not dead until a player says so.

use super::paint;
use crate::app::command::{Command, LossesCommand};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::victory::{CampState, CityState};
use crate::session::view::{LossView, StandView, TallyView};
use egui::{Button, RichText, Sense, Sides, Ui, WidgetInfo, vec2};

/// Shows the page's part about losses.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    if let Some(stand) = state.losses().view() {
        theme::card(&palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            theme::dense(ui);
            standing(ui, state, stand, &palette);
        });
    }
    questions(ui, state, &palette, out);
    if let Some(stand) = state.losses().view() {
        for tally in &stand.tallies {
            theme::card(&palette).show(ui, |ui| {
                ui.set_width(ui.available_width());
                theme::dense(ui);
                losses(ui, state, tally, &palette, out);
            });
        }
    }
    say_lost(ui, state, &palette, out);
}

/// The two sums, and who has won by them.
fn standing(ui: &mut Ui, state: &State, stand: &StandView, palette: &Palette) {
    let decided = state.losses().decided();
    let words = decided.unwrap_or(&stand.words);
    let label = ui.label(RichText::new(words).strong());
    label.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Battle: {words}")));
    if decided.is_none() && stand.loser.is_some() {
        let words = "If the bound ended now. Nothing is decided before: press \"Next bound\" under Moves.";
        ui.label(RichText::new(words).small().color(palette.close));
    }
    for reason in &stand.reasons {
        ui.label(RichText::new(format!("{}  {}", reason.clause, reason.text)).small().color(palette.faint));
    }
}

/// What players are asked: who is gone, and who came back.
fn questions(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let doomed = doomed(state);
    let gone = state.losses().gone(state.table());
    let returned = state.losses().returned(state.table());
    if doomed.is_empty() && gone.is_empty() && returned.is_empty() {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        for name in doomed {
            ask(ui, &format!("{name} is to be taken off by its last combat."), name, palette, out);
        }
        for name in gone {
            ask(ui, &format!("{name} is gone from the table."), name, palette, out);
        }
        for name in returned {
            ui.label(
                RichText::new(format!("{name} was said to be lost, and is on the table."))
                    .color(palette.close),
            );
            give_back(ui, name, &format!("{name} is on the table and not lost"), out);
        }
    });
}

/// Who is taken off by the dice that lie, and was not said to be lost yet.
fn doomed(state: &State) -> Vec<&str> {
    let Some(Ok(aftermath)) = state.fight().aftermath() else { return Vec::new() };
    let off = aftermath.steps.iter().filter(|s| s.what.removes()).map(|s| s.who.as_str());
    off.filter(|name| !state.losses().lost().iter().any(|l| l == name)).collect()
}

fn ask(ui: &mut Ui, words: &str, name: &str, palette: &Palette, out: &mut Vec<Command>) {
    ui.label(RichText::new(words).color(palette.close));
    ui.horizontal(|ui| {
        lost_button(ui, name, out);
        let button = ui.button(RichText::new("Not lost").small());
        button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("{name} is not lost")));
        if button.clicked() {
            out.push(Command::Losses(LossesCommand::Spare(name.to_owned())));
        }
    });
}

/// The button by which a player says that an element is lost.
pub(super) fn lost_button(ui: &mut Ui, name: &str, out: &mut Vec<Command>) {
    let button = ui.button(RichText::new("It is lost").small());
    button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("{name} is lost")));
    if button.clicked() {
        out.push(Command::Losses(LossesCommand::Lost(name.to_owned())));
    }
}

fn give_back(ui: &mut Ui, name: &str, label: &str, out: &mut Vec<Command>) {
    let button = ui.add(Button::new(RichText::new("Take back").small()).small());
    button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, label));
    if button.clicked() {
        out.push(Command::Losses(LossesCommand::Return(name.to_owned())));
    }
}

fn losses(ui: &mut Ui, state: &State, tally: &TallyView, palette: &Palette, out: &mut Vec<Command>) {
    let side = tally.side;
    let name = |ui: &mut Ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 20.0), Sense::empty());
        paint::side_mark(ui.painter(), rect.center(), 12.0, side, palette);
        ui.label(RichText::new(format!("{} has lost", side.word())).strong());
    };
    let total = |ui: &mut Ui| {
        let total = ui.label(RichText::new(tally.total.to_string()).size(20.0).strong());
        total.widget_info(|| {
            let label = format!("Losses of {}: {}", side.word(), tally.total);
            WidgetInfo::labeled(egui::Role::Label, true, label)
        });
    };
    Sides::new().shrink_left().show(ui, name, total);
    for line in &tally.lines {
        loss(ui, state, line, palette, out);
    }
    ui.separator();
    let places = state.losses().places(side);
    choice(
        ui,
        &format!("Camp of {}", side.word()),
        places.camp,
        [
            (CampState::NoCamp, "none"),
            (CampState::Stands, "stands"),
            (CampState::EnteredEmpty, "entered empty"),
            (CampState::Stormed, "stormed"),
        ],
        |camp| out.push(Command::Losses(LossesCommand::Camp(side, camp))),
    );
    choice(
        ui,
        &format!("City of {}", side.word()),
        places.city,
        [
            (CityState::Own, "none, or its own"),
            (CityState::Taken, "taken"),
            (CityState::Retaken, "retaken"),
            (CityState::SurrenderedUnentered, "surrendered, nobody entered"),
        ],
        |city| out.push(Command::Losses(LossesCommand::City(side, city))),
    );
}

fn loss(ui: &mut Ui, state: &State, line: &LossView, palette: &Palette, out: &mut Vec<Command>) {
    let lost = state.losses().lost().iter().find(|name| line.what.starts_with(&format!("{name} (")));
    let what = |ui: &mut Ui| {
        ui.label(RichText::new(line.counts.to_string()).monospace());
        let label = ui.label(RichText::new(&line.what).small());
        if let Some(reason) = line.reasons.first() {
            label.on_hover_text(&reason.text);
        }
    };
    let whence = |ui: &mut Ui| {
        if let Some(name) = lost {
            give_back(ui, name, &format!("{name} is not lost after all"), out);
        }
        if let Some(reason) = line.reasons.first() {
            ui.label(RichText::new(&reason.clause).size(11.0).color(palette.faint));
        }
    };
    Sides::new().shrink_left().truncate().show(ui, what, whence);
}

/// One of several, in a list that opens.
fn choice<T: Copy + PartialEq>(
    ui: &mut Ui,
    name: &str,
    now: T,
    all: impl IntoIterator<Item = (T, &'static str)> + Clone,
    mut chosen: impl FnMut(T),
) {
    let words = all.clone().into_iter().find(|(value, _)| *value == now).map_or("", |(_, words)| words);
    let what = |ui: &mut Ui| {
        ui.label(RichText::new(name).small());
    };
    let list = |ui: &mut Ui| {
        let list = egui::ComboBox::from_id_salt(name)
            .selected_text(RichText::new(words).small())
            .width(180.0)
            .show_ui(ui, |ui| {
                for (value, words) in all {
                    if ui.selectable_label(value == now, words).clicked() {
                        chosen(value);
                    }
                }
            });
        list.response
            .widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, format!("{name}: {words}")));
    };
    Sides::new().show(ui, what, list);
}

/// The element that is picked can be said to be lost, wherever it is.
fn say_lost(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let picked = state.selection().iter().flatten();
    let open: Vec<&String> = picked.filter(|name| !state.losses().lost().contains(name)).collect();
    if open.is_empty() {
        let words = "Pick an element to say that it is lost.";
        ui.label(RichText::new(words).small().color(palette.faint));
        return;
    }
    for name in open {
        ui.horizontal(|ui| {
            ui.label(RichText::new(name).small());
            lost_button(ui, name, out);
        });
    }
}
