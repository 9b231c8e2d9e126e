//! The roster as a list: what was seen, what is covered, what was never found. Picking works from
//! here with the keyboard alone.

use super::paint;
use crate::app::command::Command;
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::session::view::ElementView;
use crate::tracking::Visibility;
use egui::{Button, RichText, ScrollArea, Sense, Ui, WidgetInfo, vec2};

/// Shows the list in what room there is.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    ScrollArea::vertical().id_salt("elements").auto_shrink([false, true]).show(ui, |ui| {
        theme::dense(ui);
        ui.spacing_mut().button_padding = vec2(6.0, 2.0);
        let wide = ui.available_width() >= 430.0;
        let elements = &state.table().elements;
        if wide {
            let half = elements.len().div_ceil(2);
            ui.columns(2, |columns| {
                for (n, element) in elements.iter().enumerate() {
                    row(&mut columns[n / half.max(1)], element, state, out);
                }
            });
        } else {
            for element in elements {
                row(ui, element, state, out);
            }
        }
        strangers(ui, state);
    });
}

fn row(ui: &mut Ui, element: &ElementView, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let slot = state.slot_of(&element.name);
    let order = slot.map_or(String::new(), |slot| format!("{}  ", slot.index() + 1));
    let general = if element.general { ", general" } else { "" };
    let text = format!("{order}{}  {}{general}", element.name, element.troop);
    let words = sight(element);
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(vec2(14.0, 18.0), Sense::empty());
        paint::side_mark(ui.painter(), rect.center(), 11.0, element.side, &palette);
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if !words.is_empty() {
                ui.label(RichText::new(&words).small().color(palette.close));
            }
            ui.with_layout(egui::Layout::left_to_right(egui::Align::Center), |ui| {
                let button = ui.add(Button::selectable(slot.is_some(), text).truncate());
                button.widget_info(|| {
                    let label = format!("Pick {}", element.name);
                    WidgetInfo::selected(egui::Role::Button, true, slot.is_some(), label)
                });
                if button.clicked() {
                    out.push(Command::Pick(element.name.clone()));
                }
            });
        });
    });
}

/// Tags that lie on the table and belong to no element, or not as they are written.
fn strangers(ui: &mut Ui, state: &State) {
    let palette = Palette::of(ui);
    for words in state.strangers() {
        ui.horizontal_wrapped(|ui| {
            ui.label(RichText::new("?").strong().color(palette.close));
            ui.label(RichText::new(words).small().color(palette.close));
        });
    }
}

/// Whether an element is seen, in a word or two; nothing for the usual case.
fn sight(element: &ElementView) -> String {
    match element.visibility {
        Visibility::Seen => String::new(),
        Visibility::Covered { age } if age.as_secs() == 0 => "covered".to_owned(),
        Visibility::Covered { age } => format!("covered {} s", age.as_secs()),
        Visibility::Missing => "not found".to_owned(),
        Visibility::Gone => "gone".to_owned(),
    }
}
