//! What the dice bring about: everything that is moved or taken off, in order, and the choices that players have with
//! what each answer does. The same is drawn on the board ([`super::ghosts`]).

use super::battle::lost_button;
use super::form::reason_line;
use super::paint;
use crate::app::command::{Command, FightCommand};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::terrain::BoardEdge;
use crate::session::view::{AftermathView, AnswerView, Call, StepView};
use egui::{Button, RichText, Sense, Sides, Ui, WidgetInfo, vec2};

/// Shows it; nothing while no dice lie.
pub fn show(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let not_fought = matches!(state.combat(), Some(Ok(combat)) if combat.call == Call::No);
    if state.outcome().is_some() && not_fought {
        ui.label(
            RichText::new("As they stand they do not fight so: nothing is moved.")
                .small()
                .color(palette.close),
        );
        return;
    }
    let Some(aftermath) = state.fight().aftermath() else { return };
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("What follows").strong());
        match aftermath {
            Ok(aftermath) => {
                choices(ui, aftermath, palette, out);
                steps(ui, state, aftermath, palette, out);
                base_edge(ui, state, aftermath, palette, out);
            }
            Err(why) => {
                ui.label(RichText::new(why).color(palette.close));
            }
        }
    });
}

fn steps(ui: &mut Ui, state: &State, aftermath: &AftermathView, palette: &Palette, out: &mut Vec<Command>) {
    if aftermath.steps.is_empty() {
        ui.label(RichText::new("Nobody is moved.").color(palette.faint));
        return;
    }
    for (n, step) in aftermath.steps.iter().enumerate() {
        one(ui, n + 1, step, palette);
        if step.what.removes() && !state.losses().lost().contains(&step.who) {
            ui.horizontal(|ui| {
                ui.add_space(30.0);
                ui.label(RichText::new("Taken off?").small().color(palette.faint));
                lost_button(ui, &step.who, out);
            });
        }
    }
    egui::CollapsingHeader::new(RichText::new("Why").small()).id_salt("why the steps").show(ui, |ui| {
        for step in &aftermath.steps {
            ui.label(RichText::new(&step.words).small().strong());
            for reason in &step.reasons {
                reason_line(ui, reason, palette);
            }
        }
    });
}

fn one(ui: &mut Ui, number: usize, step: &StepView, palette: &Palette) {
    let what = |ui: &mut Ui| {
        ui.label(RichText::new(format!("{number}.")).monospace());
        let (rect, _) = ui.allocate_exact_size(vec2(12.0, 18.0), Sense::empty());
        paint::side_mark(ui.painter(), rect.center(), 10.0, step.side, palette);
        let label = ui.label(&step.words);
        label.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Label, true, format!("Step {number}: {}", step.words))
        });
    };
    let whence = |ui: &mut Ui| {
        if let Some(deciding) = step.reasons.first() {
            ui.label(RichText::new(&deciding.clause).size(11.0).color(palette.faint));
        }
    };
    Sides::new().shrink_left().truncate().show(ui, what, whence);
}

/// Each answer as a button, with what comes of it below.
fn choices(ui: &mut Ui, aftermath: &AftermathView, palette: &Palette, out: &mut Vec<Command>) {
    let mut who: Option<&str> = None;
    for answer in &aftermath.answers {
        if who != Some(&answer.who) {
            ui.horizontal(|ui| {
                ui.label(format!("{} may choose", answer.who));
                ui.label(RichText::new(&answer.clause).small().color(palette.faint));
            });
            who = Some(&answer.who);
        }
        choice(ui, answer, palette, out);
    }
    if who.is_some() {
        ui.separator();
    }
}

fn choice(ui: &mut Ui, answer: &AnswerView, palette: &Palette, out: &mut Vec<Command>) {
    let button = ui.add(Button::new(RichText::new(&answer.words).small()).selected(answer.chosen));
    button.widget_info(|| {
        let label = format!("{}: {}", answer.who, answer.words);
        WidgetInfo::selected(egui::Role::Button, true, answer.chosen, label)
    });
    if button.clicked() {
        out.push(Command::Fight(FightCommand::Decide(answer.decides.clone())));
    }
    let follows =
        if answer.follows.is_empty() { "nobody is moved".to_owned() } else { answer.follows.join("; ") };
    ui.label(RichText::new(format!("then {follows}")).small().color(palette.faint));
}

/// Which edge is whose matters to those who run for their own.
fn base_edge(
    ui: &mut Ui,
    state: &State,
    aftermath: &AftermathView,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    use crate::rules::aftermath::What;
    if !aftermath.steps.iter().any(|s| matches!(s.what, What::Flees | What::OffBoard)) {
        return;
    }
    ui.separator();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Red's base edge is").small().color(palette.faint));
        let edges = BoardEdge::ALL.map(|edge| (Some(edge), edge.word()));
        for (edge, words) in [(None, "as they stand")].into_iter().chain(edges) {
            let chosen = state.fight().red_edge() == edge;
            let button = ui.add(Button::selectable(chosen, RichText::new(words).small()));
            button.widget_info(|| {
                let label = format!("Red's base edge is {words}");
                WidgetInfo::selected(egui::Role::Button, true, chosen, label)
            });
            if button.clicked() {
                out.push(Command::Fight(FightCommand::RedEdge(edge)));
            }
        }
    });
}
