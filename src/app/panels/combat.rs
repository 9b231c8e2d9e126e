//! Close combat between the two that are picked: factors, odds, dice, outcome.

use super::paint;
use crate::app::command::{Command, Slot};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::app::view::{CombatView, FactorView, OddsView, OutcomeView};
use crate::rules::Side;
use egui::{Color32, Label, RichText, Sense, Sides, TextEdit, Ui, WidgetInfo, vec2};

/// Shows the combat, or says why there is none.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let Some(pair) = state.pair() else {
        ui.label(RichText::new(state.pick_words()).color(palette.faint));
        return;
    };
    let combat = match &pair.combat {
        Ok(combat) => combat,
        Err(why) => {
            theme::card(&palette).show(ui, |ui| {
                ui.set_width(ui.available_width());
                ui.label(RichText::new("No close combat").strong());
                ui.label(why);
            });
            return;
        }
    };
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        if let Some(caution) = &combat.caution {
            ui.label(RichText::new(caution).small().color(palette.close));
            ui.separator();
        }
        factor(ui, &combat.a, &palette);
        ui.separator();
        factor(ui, &combat.b, &palette);
    });
    // Dice and what they came to stand above the odds: a throw's result is in sight without scrolling.
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        dice(ui, state, combat, &palette, out);
    });
    if let Some(outcome) = state.outcome() {
        theme::card(&palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            theme::dense(ui);
            result(ui, outcome, combat, &palette);
        });
    }
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        odds(ui, combat, &palette);
    });
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
    for reason in &outcome.reasons {
        ui.label(RichText::new(format!("{}  {}", reason.clause, reason.text)).small());
    }
    ui.label(RichText::new(&outcome.clause).small().color(palette.faint));
}

/// A die as it lies, with its pips.
fn die(ui: &mut Ui, pips: u8, rim: Color32, whose: &str) {
    let (rect, response) = ui.allocate_exact_size(vec2(30.0, 30.0), Sense::empty());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, format!("{whose} threw {pips}")));
    let painter = ui.painter();
    let face = rect.shrink(1.0);
    painter.rect(face, 5.0, Color32::from_gray(248), egui::Stroke::new(2.0, rim), egui::StrokeKind::Inside);
    let pip = |x: f32, y: f32| {
        painter.circle_filled(face.center() + vec2(x, y) * 7.5, 2.6, Color32::from_gray(20));
    };
    if pips % 2 == 1 {
        pip(0.0, 0.0);
    }
    if pips >= 2 {
        pip(-1.0, -1.0);
        pip(1.0, 1.0);
    }
    if pips >= 4 {
        pip(1.0, -1.0);
        pip(-1.0, 1.0);
    }
    if pips == 6 {
        pip(-1.0, 0.0);
        pip(1.0, 0.0);
    }
}

fn odds(ui: &mut Ui, combat: &CombatView, palette: &Palette) {
    ui.label(RichText::new("Odds over the 36 throws").strong());
    let (bar, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), Sense::empty());
    response.widget_info(|| {
        let all: Vec<String> = combat.odds.iter().map(|o| format!("{} {} of 36", o.words, o.of_36)).collect();
        WidgetInfo::labeled(egui::Role::Image, true, format!("Odds: {}", all.join(", ")))
    });
    let mut left = bar.left();
    for odds in &combat.odds {
        let width = bar.width() * odds.of_36 as f32 / 36.0;
        let part = egui::Rect::from_min_size(egui::pos2(left, bar.top()), vec2(width, bar.height()));
        ui.painter().rect_filled(part.shrink2(vec2(0.5, 0.0)), 2.0, tint(odds, palette));
        if width > 22.0 {
            let font = egui::FontId::proportional(12.0);
            let ink = paint::ink_on(tint(odds, palette));
            ui.painter().text(part.center(), egui::Align2::CENTER_CENTER, odds.of_36.to_string(), font, ink);
        }
        left += width;
    }
    for odds in &combat.odds {
        ui.horizontal(|ui| {
            let (rect, _) = ui.allocate_exact_size(vec2(12.0, 18.0), Sense::empty());
            ui.painter().rect_filled(rect.shrink2(vec2(1.0, 3.0)), 2.0, tint(odds, palette));
            let often = format!("{} / 36  {:.0} %", odds.of_36, f64::from(odds.of_36) / 0.36);
            let begun = ui.cursor().left();
            ui.label(RichText::new(often).small());
            ui.add_space((begun + OFTEN - ui.cursor().left()).max(0.0));
            ui.add(Label::new(RichText::new(&odds.words).small()).wrap());
        });
    }
}

/// How wide the column is that says how often an outcome comes, points.
const OFTEN: f32 = 88.0;

/// The loser's colour, the paler the less it suffers; grey where nobody does.
fn tint(odds: &OddsView, palette: &Palette) -> Color32 {
    let light = (odds.worse as f32 * 0.42).min(0.75);
    match odds.loser {
        Some(Side::Red) => palette.red.lerp_to_gamma(palette.card, light),
        Some(Side::Blue) => palette.blue.lerp_to_gamma(palette.card, light),
        None => palette.faint,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_colour_is_the_worst_outcome_for_either_side() {
        let ctx = egui::Context::default();
        theme::install(&ctx);
        let mut checked = false;
        let mut output = ctx.run_ui(egui::RawInput::default(), |ui| {
            let palette = Palette::of(ui);
            for side in [Side::Red, Side::Blue] {
                let odds = |worse| OddsView { words: String::new(), of_36: 1, loser: Some(side), worse };
                assert_eq!(tint(&odds(0), &palette), palette.side(side));
                assert_ne!(tint(&odds(1), &palette), palette.side(side));
            }
            checked = true;
        });
        output.textures_delta.clear();
        assert!(checked);
    }
}
