//! What can be said of the two that are picked: the distance, and every question with its verdict,
//! margin, clause and reasons.

use super::form::reason_line;
use super::{facts, paint};
use crate::app::command::Command;
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::session::play::{Said, fact_words};
use crate::session::view::{BindingView, DistanceView, RulingView};
use egui::{Button, RichText, Sense, Ui, WidgetInfo, vec2};

/// Shows the answers, or says how to ask.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let Some(pair) = state.pair() else {
        ui.label(RichText::new(state.pick_words()).color(palette.faint));
        facts::ground(ui, state.ground(), &palette, out);
        facts::list(ui, state, &palette, out);
        return;
    };
    // Before the answers that rest on it.
    facts::list(ui, state, &palette, out);
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        distance(ui, &pair.distance, &palette);
    });
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        if pair.rulings.is_empty() {
            ui.label(
                RichText::new("They are on the same side: of friends only the distance is asked.").small(),
            );
        } else {
            ui.label(RichText::new(format!("Is {} ...", pair.a)).strong());
        }
        for (n, ruling) in pair.rulings.iter().enumerate() {
            if n > 0 {
                ui.separator();
            }
            let said = state.overrules().of(ruling.asks, &pair.a, &pair.b);
            one(ui, n, ruling, said, state.explained() == Some(n), &palette, out);
        }
    });
    facts::ground(ui, state.ground(), &palette, out);
}

fn distance(ui: &mut Ui, distance: &DistanceView, palette: &Palette) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Distance").strong());
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            ui.label(RichText::new(&distance.clause).small().color(palette.faint));
        });
    });
    let mm = format!("{:.1} mm \u{b1} {:.1}", distance.mm, distance.sigma_mm.max(0.05));
    let bw = format!("{:.3} BW \u{b1} {:.3}", distance.bw, distance.sigma_bw.max(0.0005));
    ui.horizontal(|ui| {
        ui.label(RichText::new(mm).size(22.0).color(palette.measure));
        ui.add_space(8.0);
        ui.label(RichText::new(bw).color(palette.ink));
    });
    features(ui, &distance.binding, palette);
}

fn features(ui: &mut Ui, binding: &[BindingView], palette: &Palette) {
    if let [from, to] = binding {
        let with_article = |words: &str| {
            if words.starts_with("the ") { words.to_owned() } else { format!("the {words}") }
        };
        let words = format!("from {} to {}", with_article(&from.words), with_article(&to.words));
        ui.label(RichText::new(words).small().color(palette.faint));
    }
}

#[allow(clippy::too_many_arguments)]
fn one(
    ui: &mut Ui,
    n: usize,
    ruling: &RulingView,
    said: Option<Said>,
    open: bool,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    ui.horizontal(|ui| {
        let (rect, mark) = ui.allocate_exact_size(vec2(20.0, 36.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 18.0, ruling.call, palette);
        let label = format!("{} {}", ruling.question, ruling.call.words());
        mark.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
        ui.vertical(|ui| {
            ui.add(egui::Label::new(RichText::new(&ruling.predicate).size(14.0)).truncate());
            ui.horizontal(|ui| {
                let colour = paint::call_colour(ruling.call, palette);
                ui.label(RichText::new(ruling.call.words()).strong().color(colour));
                let by = format!("{:+.1} mm \u{b1} {:.1}", ruling.margin_mm, ruling.sigma_mm.max(0.05));
                ui.label(RichText::new(by).small().color(palette.faint));
                ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                    let text = if open { "Less" } else { "Why?" };
                    let button = ui.add(Button::new(RichText::new(text).small()).small());
                    button.widget_info(|| {
                        let label = format!("Why: {}", ruling.question);
                        WidgetInfo::labeled(egui::Role::Button, true, label)
                    });
                    if button.clicked() {
                        out.push(Command::Explain(n));
                    }
                });
            });
        });
    });
    if let Some(leaning) = &ruling.leaning {
        ui.label(RichText::new(leaning).small().color(palette.close));
    }
    if let Some(said) = said {
        let words = format!("By overrule: {}", said.word());
        ui.label(RichText::new(words).small().strong().color(palette.close));
    }
    if let Some(fact) = &ruling.agreed {
        let words = format!("agreed: {}", fact_words(fact));
        ui.label(RichText::new(words).small().color(palette.measure));
    }
    if let Some(two) = &ruling.settle {
        facts::settle(ui, two, out);
    }
    if open {
        features(ui, &ruling.binding, palette);
        let clause = format!("Decided by {} ({})", ruling.clause, ruling.section.to_lowercase());
        ui.label(RichText::new(clause).small().color(palette.faint));
        for reason in &ruling.reasons {
            reason_line(ui, reason, palette);
        }
        overrule(ui, ruling, said, palette, out);
    }
}

/// The umpire's word against the program's, which is written down.
fn overrule(ui: &mut Ui, ruling: &RulingView, said: Option<Said>, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(RichText::new("Overrule").small().color(palette.faint));
        for word in [Said::Yes, Said::No] {
            let chosen = said == Some(word);
            let button = ui.add(Button::selectable(chosen, RichText::new(word.word()).small()));
            button.widget_info(|| {
                let label = format!("Overrule: {} {}", ruling.question, word.word());
                WidgetInfo::selected(egui::Role::Button, true, chosen, label)
            });
            if button.clicked() {
                out.push(Command::Overrule(ruling.asks, word));
            }
        }
    });
}
