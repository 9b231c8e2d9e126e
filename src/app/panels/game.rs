//! Game mode: the board, and beside it what two players want at a glance, large: whose bound it is, PIPs left, what was
//! just moved, what the dice want done, what is due, and the losses. How much of it is the players' choice.

use super::form::sentence;
use super::{clock, due, paint, session};
use crate::app::command::{Assistance, Command, ModeCommand, MovesCommand, Page};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::session::play::Phase;
use crate::session::view::Call;
use egui::{Button, RichText, Sense, Ui, WidgetInfo, vec2};

/// Text that is read across a table, points.
const LARGE: f32 = 28.0;
const MIDDLE: f32 = 19.0;

/// Shows the page.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    assistance(ui, state, out);
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        bound(ui, state, &palette, out);
    });
    clock::show(ui, state, out);
    if state.assistance() != Assistance::Off {
        just_moved(ui, state, &palette, out);
        session::show(ui, state, out);
    }
    if state.assistance() == Assistance::Full {
        touched(ui, state, out);
        due::show(ui, state, &palette, out);
    }
    losses(ui, state, &palette);
    session::buttons(ui, state, out);
}

fn assistance(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Help").small().color(Palette::of(ui).faint));
        for (assistance, words) in
            [(Assistance::Off, "off"), (Assistance::Quiet, "quiet"), (Assistance::Full, "full")]
        {
            let chosen = state.assistance() == assistance;
            let button = ui.selectable_label(chosen, words);
            button.widget_info(|| {
                WidgetInfo::selected(egui::Role::Button, true, chosen, format!("Assistance {words}"))
            });
            if button.clicked() {
                out.push(Command::Mode(ModeCommand::Assist(assistance)));
            }
        }
    });
}

/// Whose bound it is, how far it has gone, and its PIPs: all of it may stay unknown.
fn bound(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let moves = state.moves();
    let words = match (moves.side(), moves.marked()) {
        (Some(Side::Red), _) => "Red's bound",
        (Some(Side::Blue), _) => "Blue's bound",
        (None, true) => "Who moves first begins",
        (None, false) => "Waiting for the table",
    };
    ui.horizontal(|ui| {
        if let Some(side) = moves.side() {
            let (rect, _) = ui.allocate_exact_size(vec2(30.0, 34.0), Sense::empty());
            paint::side_mark(ui.painter(), rect.center(), 24.0, side, palette);
        }
        ui.label(RichText::new(words).size(LARGE).strong());
    });
    let phase = match moves.phase() {
        Phase::Unwatched => "Play is watched once everything is at rest.",
        Phase::Moves => "Moves",
        Phase::Combat => "Shooting and combat",
    };
    ui.label(RichText::new(phase).color(palette.faint));
    let known = moves.known();
    let spent: u32 = known.done.iter().map(|d| u32::from(d.pips)).sum();
    let open = moves.view().and_then(|v| v.explanations.get(moves.chosen())).map_or(0, |e| e.pips);
    let pips = match known.pips {
        Some(score) => {
            let left = u32::from(score).saturating_sub(spent + open);
            format!("{left} of {score} PIPs left")
        }
        None => format!("PIP die not told, {} spent", spent + open),
    };
    ui.label(RichText::new(pips).size(MIDDLE));
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for score in 1..=6u8 {
            let chosen = known.pips == Some(score);
            let button = ui.add(Button::selectable(chosen, RichText::new(score.to_string()).size(MIDDLE)));
            button.widget_info(|| {
                WidgetInfo::selected(egui::Role::Button, true, chosen, format!("PIP die {score}"))
            });
            if button.clicked() {
                out.push(Command::Moves(MovesCommand::Pips(Some(score))));
            }
        }
    });
}

/// What was moved last, in one line, and why not where it is not legal.
fn just_moved(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let moves = state.moves();
    let Some(view) = moves.view() else { return };
    let Some(open) = view.explanations.get(moves.chosen()).filter(|e| !e.moves.is_empty()) else { return };
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        for mv in &open.moves {
            ui.horizontal_top(|ui| {
                let (rect, mark) = ui.allocate_exact_size(vec2(22.0, 24.0), Sense::empty());
                paint::badge(ui.painter(), rect.center(), 19.0, mv.call, palette);
                let verdict = match mv.call {
                    Call::Yes => "Legal",
                    Call::No => "Not legal",
                    Call::TooClose => "Too close to call",
                    Call::Held => "Held",
                };
                mark.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, verdict));
                ui.vertical(|ui| {
                    ui.label(RichText::new(sentence(&mv.words)).size(16.0).strong());
                    if let Some(c) = mv.conditions.first().filter(|_| mv.call != Call::Yes) {
                        ui.label(RichText::new(sentence(&c.text)).color(palette.close));
                        if let Some(remedy) = &c.remedy {
                            ui.label(RichText::new(sentence(remedy)).small());
                        }
                    }
                });
            });
        }
        if ui.button(RichText::new("Why").small()).clicked() {
            out.push(Command::Turn(Page::Moves));
        }
    });
}

/// The element that was touched: what it may do is one click away.
fn touched(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let [Some(name), _] = state.selection() else { return };
    let Some(element) = state.table().element(name) else { return };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("{name}, {}", element.troop)).strong());
        if ui.button("Where it may go").clicked() {
            out.push(Command::Turn(Page::Reach));
        }
        if state.pair().is_some() && ui.button("Factors, dice and odds").clicked() {
            out.push(Command::Turn(Page::Combat));
        }
    });
}

/// Both sums, and who would have won.
fn losses(ui: &mut Ui, state: &State, palette: &Palette) {
    let Some(stand) = state.losses().view() else { return };
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        ui.horizontal(|ui| {
            ui.label(RichText::new("Losses").size(MIDDLE));
            for tally in &stand.tallies {
                let (rect, _) = ui.allocate_exact_size(vec2(24.0, 30.0), Sense::empty());
                paint::side_mark(ui.painter(), rect.center(), 17.0, tally.side, palette);
                let total = ui.label(RichText::new(tally.total.to_string()).size(LARGE).strong());
                total.widget_info(|| {
                    let label = format!("Losses of {}: {}", tally.side.word(), tally.total);
                    WidgetInfo::labeled(egui::Role::Label, true, label)
                });
            }
        });
        if stand.loser.is_some() {
            ui.label(RichText::new(&stand.words).strong().color(palette.close));
        }
    });
}
