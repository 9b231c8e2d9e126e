//! Pieces of the pages on which something is typed or advised.

use egui::{RichText, TextEdit, Ui};

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
    format!("{first}{}.", letters.as_str())
}
