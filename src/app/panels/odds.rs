//! How often each outcome of a combat comes in the 36 throws.

use super::paint;
use crate::app::theme::Palette;
use crate::rules::Side;
use crate::session::view::{CombatView, OddsView};
use egui::{Color32, Label, RichText, Sense, Ui, WidgetInfo, vec2};

/// Shows them.
pub fn show(ui: &mut Ui, combat: &CombatView, palette: &Palette) {
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
    use crate::app::theme;

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
