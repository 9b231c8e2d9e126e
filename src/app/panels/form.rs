//! Pieces that several pages are made of: fields, sentences, reasons and conditions.

use super::paint;
use crate::app::theme::Palette;
use crate::session::view::{ReasonView, TestView};
use egui::text::LayoutJob;
use egui::{Label, RichText, Sense, TextEdit, TextFormat, TextStyle, Ui, WidgetInfo, vec2};

/// A field with its name above it; its new text where it changed.
pub fn field(ui: &mut Ui, name: &str, text: &str, enabled: bool) -> Option<String> {
    let name = ui.label(RichText::new(name).small());
    let mut edited = text.to_owned();
    let field = ui.add_enabled(enabled, TextEdit::singleline(&mut edited).desired_width(f32::INFINITY));
    field.labelled_by(name.id).changed().then_some(edited)
}

/// Advice as a sentence.
pub fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    let end = if words.ends_with(['.', '?', '!']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// A step of an answer: what it says, and the clause in a paler hand.
pub fn reason_line(ui: &mut Ui, reason: &ReasonView, palette: &Palette) {
    let mut line = LayoutJob::default();
    let small = TextStyle::Small.resolve(ui.style());
    line.append(&sentence(&reason.text), 0.0, TextFormat::simple(small.clone(), palette.ink));
    line.append(&reason.clause, 6.0, TextFormat::simple(small, palette.faint));
    ui.add(Label::new(line).wrap());
}

/// A condition with its verdict's mark before it.
pub fn test_line(ui: &mut Ui, test: &TestView, palette: &Palette) {
    ui.horizontal_top(|ui| {
        let (rect, mark) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 13.0, test.call, palette);
        let label = format!("{}: {}", test.call.words(), test.text);
        mark.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
        let reason = ReasonView { clause: test.clause.clone(), text: test.text.clone() };
        reason_line(ui, &reason, palette);
    });
}
