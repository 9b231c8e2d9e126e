//! The first of the two shooting at the second: whether it may, what bars it, and at whom it must or may choose to.

use super::form::{reason_line, test_line};
use super::paint;
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::session::view::{Call, ReasonView, ShooterView, ShotView};
use egui::{RichText, Sense, Ui, WidgetInfo, vec2};

/// Shows it for the two that are picked.
pub fn show(ui: &mut Ui, state: &State, palette: &Palette) {
    let Some(shooting) = state.fight().shooting() else { return };
    // Why nothing can be asked is said in place of the dice.
    let Ok(shot) = &shooting.shot else { return };
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        verdict(ui, shot, palette);
        let (bar, hold): (Vec<_>, Vec<_>) = shot.tests.iter().partition(|t| t.call != Call::Yes);
        for test in bar {
            test_line(ui, test, palette);
        }
        let words = match hold.len() {
            1 => "1 condition holds".to_owned(),
            more => format!("{more} conditions hold"),
        };
        egui::CollapsingHeader::new(RichText::new(words).small()).id_salt("what holds").show(ui, |ui| {
            for test in hold {
                test_line(ui, test, palette);
            }
        });
        if let Some(shooter) = shooting.shooter.as_ref() {
            ui.separator();
            why(ui, shooter, palette);
        }
    });
}

fn verdict(ui: &mut Ui, shot: &ShotView, palette: &Palette) {
    let words = match shot.call {
        Call::Yes => "may shoot",
        Call::No => "may not shoot",
        Call::TooClose => "too close to call",
        Call::Held => "held",
    };
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(20.0, 22.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 18.0, shot.call, palette);
        let label = ui.label(RichText::new(words).strong());
        label.widget_info(|| {
            let label = format!("Shooting of {} at {}: {words}", shot.shooter, shot.target);
            WidgetInfo::labeled(egui::Role::Label, true, label)
        });
        if let Some((mm, sigma)) = shot.margin_mm {
            let by = format!("{mm:+.1} mm \u{b1} {:.1}", sigma.max(0.05));
            ui.label(RichText::new(by).small().color(palette.faint));
        }
    });
}

/// At whom the shooter may or must shoot, and why; the choice itself is among what players may choose.
fn why(ui: &mut Ui, shooter: &ShooterView, palette: &Palette) {
    for test in shooter.tests.iter().filter(|t| t.call == Call::Yes).take(1) {
        let reason = ReasonView { clause: test.clause.clone(), text: test.text.clone() };
        reason_line(ui, &reason, palette);
    }
}
