//! The first run: which step it is, what is to be done, and what is found in the newest picture.

mod steps;

use super::form::sentence;
use super::paint;
use crate::app::command::{Command, FirstRunCommand, Step};
use crate::app::state::{Check, FirstRun, Mark, State};
use crate::app::theme::{self, Palette};
use crate::session::view::Call;
use egui::{Align, Button, Layout, RichText, ScrollArea, Sense, Ui, Vec2, WidgetInfo};

/// Shows which step it is, and the way to the others.
pub fn top(ui: &mut Ui, page: &FirstRun, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("First run").heading().strong());
        ui.add_space(8.0);
        for step in Step::ALL {
            let words = format!("{} {}", step.number(), short(step));
            let open = page.kept.is_some() || step == Step::Camera;
            let chip = ui.add_enabled(open, Button::selectable(page.step == step, words));
            chip.widget_info(|| {
                let label = format!("Step {}: {}", step.number(), step.name());
                WidgetInfo::selected(egui::Role::Button, open, page.step == step, label)
            });
            if chip.clicked() {
                out.push(Command::FirstRun(FirstRunCommand::Go(step)));
            }
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Leave for now").clicked() {
                out.push(Command::FirstRun(FirstRunCommand::Leave));
            }
        });
    });
}

/// A step's name on a narrow button.
fn short(step: Step) -> &'static str {
    match step {
        Step::Camera => "Camera",
        Step::Board => "Board",
        Step::Tags => "Tags",
        Step::Lens => "Lens",
        Step::Armies => "Armies",
        Step::Bases => "Bases",
        Step::Ruling => "Ruling",
    }
}

/// Shows the way back and on.
pub fn bottom(ui: &mut Ui, page: &FirstRun, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        let number = page.step.number();
        let go = |step: u8| Command::FirstRun(FirstRunCommand::Go(Step::of(step)));
        if ui.add_enabled(number > 1, Button::new("Back")).clicked() {
            out.push(go(number - 1));
        }
        if page.step == Step::Ruling {
            if ui.button("Play").clicked() {
                out.push(Command::FirstRun(FirstRunCommand::Leave));
            }
        } else if ui.add_enabled(page.kept.is_some(), Button::new(next_words(page))).clicked() {
            out.push(go(number + 1));
        }
        let words = match (&page.kept, page.sound()) {
            (None, _) => "Press \"Look\" to begin.",
            (Some(_), true) => "Nothing is in the way of the next step.",
            (Some(_), false) => "Something is wrong; you may go on all the same.",
        };
        ui.label(RichText::new(words).small().color(palette.faint));
    });
}

fn next_words(page: &FirstRun) -> &'static str {
    match page.step {
        Step::Lens if page.kept.as_ref().is_some_and(|kept| kept.lens.is_none()) => "Skip",
        _ => "Next",
    }
}

/// Shows what is to be done in this step, and what is found.
pub fn side(ui: &mut Ui, state: &State, page: &FirstRun, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let heading = ui.heading(format!("{} of 7. {}", page.step.number(), page.step.name()));
    heading.widget_info(|| {
        let label = format!("First run, step {} of 7: {}", page.step.number(), page.step.name());
        WidgetInfo::labeled(egui::Role::Heading, true, label)
    });
    ui.separator();
    ScrollArea::vertical().id_salt(("first run", page.step)).auto_shrink(false).show(ui, |ui| {
        for words in steps::words(page.step) {
            ui.label(RichText::new(*words).color(palette.ink));
        }
        ui.add_space(4.0);
        steps::show(ui, state, page, &palette, out);
        match page.last() {
            Some(Ok(words)) => {
                ui.label(RichText::new(words).color(palette.yes));
            }
            Some(Err(words)) => {
                ui.label(RichText::new(words).color(palette.no));
            }
            None => {}
        }
        if page.opening {
            ui.horizontal(|ui| {
                ui.spinner();
                ui.label("Opening...");
            });
        }
        checks(ui, page.checks(), &palette);
        ui.add_space(10.0);
    });
}

/// What was looked at, each with its mark.
fn checks(ui: &mut Ui, found: &[Check], palette: &Palette) {
    if found.is_empty() {
        return;
    }
    ui.add_space(6.0);
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        for check in found {
            ui.horizontal_top(|ui| {
                let (rect, badge) = ui.allocate_exact_size(Vec2::new(20.0, 20.0), Sense::empty());
                let call = match check.mark {
                    Mark::Good => Call::Yes,
                    Mark::Mind => Call::TooClose,
                    Mark::Wrong => Call::No,
                };
                paint::badge(ui.painter(), rect.center(), 15.0, call, palette);
                let label = format!("{}: {}", check.mark.word(), check.words);
                badge.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
                ui.add(egui::Label::new(sentence(&check.words)).wrap());
            });
        }
    });
}
