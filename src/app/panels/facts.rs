//! What the players have agreed: two buttons where a question is too close to call, and the list of what stands.

use crate::app::command::Command;
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::facts::Fact;
use crate::session::play::fact_words;
use crate::session::view::{Call, GroundView};
use egui::{Button, RichText, Sense, Ui, WidgetInfo, vec2};

use super::form::sentence;
use super::paint;

/// The two facts of which one may be agreed on.
pub(super) fn settle(ui: &mut Ui, facts: &[Fact], out: &mut Vec<Command>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(RichText::new("Agree:").small());
        for fact in facts {
            let button = ui.add(Button::new(RichText::new(short(fact)).small()).small());
            button.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Button, true, format!("Agree: {}", fact_words(fact)))
            });
            if button.clicked() {
                out.push(Command::Agree(fact.clone()));
            }
        }
    });
}

fn short(fact: &Fact) -> &'static str {
    match fact {
        Fact::Contact(..) => "in contact",
        Fact::Apart(..) => "apart",
        Fact::InZone(..) => "in the zone",
        Fact::OutsideZone(..) => "outside it",
        Fact::Inside(..) => "in it",
        Fact::ClearOf(..) => "clear of it",
        Fact::WhollyInside(..) => "wholly in it",
        Fact::PartlyOutside(..) => "partly out of it",
        Fact::CanShoot(..) => "can shoot",
        Fact::CannotShoot(..) => "cannot shoot",
        Fact::Supports(..) => "supports",
        Fact::NoSupport(..) => "does not",
        Fact::Overlaps(..) => "overlaps",
        Fact::NoOverlap(..) => "does not",
        Fact::Pins(..) => "pins it",
        Fact::NoPin(..) => "does not",
        Fact::Uphill(..) => "uphill",
        Fact::NotUphill(..) => "not uphill",
        Fact::Bank(..) => "on the bank",
        Fact::NoBank(..) => "not on it",
        Fact::Storms(..) => "front edge on it",
        Fact::NoStorm(..) => "not on it",
    }
}

/// What stands, each with a way to withdraw it. Nothing where nothing was agreed.
pub(super) fn list(ui: &mut Ui, state: &State, palette: &Palette, out: &mut Vec<Command>) {
    let facts = state.facts();
    if let Some(fact) = facts.lapsed() {
        let words = format!("No longer agreed, for one of the two has moved: {}.", fact_words(fact));
        ui.label(RichText::new(words).small().color(palette.close));
    }
    if facts.all().next().is_none() {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Agreed").strong());
        for fact in facts.all() {
            ui.horizontal(|ui| {
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let button = ui.small_button("Withdraw");
                    button.widget_info(|| {
                        WidgetInfo::labeled(
                            egui::Role::Button,
                            true,
                            format!("Withdraw: {}", fact_words(fact)),
                        )
                    });
                    if button.clicked() {
                        out.push(Command::Withdraw(fact.clone()));
                    }
                    ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                        ui.add(egui::Label::new(RichText::new(sentence(&fact_words(fact))).small()).wrap());
                    });
                });
            });
        }
        if let Some(why) = facts.conflict() {
            let words = format!("Nothing of it is taken over: {why}.");
            ui.label(RichText::new(words).small().color(palette.no));
        }
    });
}

/// How what is picked lies to the ground near it.
pub(super) fn ground(ui: &mut Ui, near: &[GroundView], palette: &Palette, out: &mut Vec<Command>) {
    if near.is_empty() {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("Ground").strong());
        for g in near {
            let words = match g.call {
                Call::Yes => format!("{} is clear of {}", g.name, g.feature),
                Call::No => format!("Part of {} is in {}", g.name, g.feature),
                Call::TooClose => format!("Too close to call: {} clear of {}", g.name, g.feature),
                Call::Held => format!("Held: {} clear of {}", g.name, g.feature),
            };
            ui.horizontal(|ui| {
                let (rect, _) = ui.allocate_exact_size(vec2(20.0, 18.0), Sense::empty());
                paint::badge(ui.painter(), rect.center(), 14.0, g.call, palette);
                ui.add(egui::Label::new(RichText::new(words).small()).wrap());
            });
            let by = format!("{:+.1} mm \u{b1} {:.1}", g.mm, g.sigma_mm.max(0.05));
            ui.label(RichText::new(by).small().color(palette.faint));
            if g.call == Call::TooClose {
                settle(ui, &g.settle, out);
            }
        }
    });
}
