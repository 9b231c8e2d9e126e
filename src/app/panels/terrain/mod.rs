//! The page on which terrain is drawn: what lies on the board, what is picked, what the rules say of it; and the board
//! from above with every outline on it.

mod board;

use super::form::{field, reason_line, sentence};
use super::paint;
use crate::app::command::{Command, Item, ShapeKind, Sort, TerrainCommand};
use crate::app::state::{State, TerrainPage};
use crate::app::theme::{self, Palette};
use crate::rules::Reason;
use crate::rules::setting_up::Told;
use crate::rules::terrain::TerrainKind;
use crate::session::view::{Call, ReasonView};
use egui::{Button, Key, Modifiers, RichText, Ui, WidgetInfo, vec2};

pub use board::picture;

fn send(out: &mut Vec<Command>, command: TerrainCommand) {
    out.push(Command::Terrain(command));
}

/// Shows the side.
pub fn side(ui: &mut Ui, state: &State, page: &TerrainPage, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    ui.horizontal(|ui| {
        ui.heading("Terrain");
        ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
            if ui.button("Back to the table").clicked() {
                send(out, TerrainCommand::Close);
            }
        });
    });
    if page.asks() {
        ui.label(RichText::new("What you drew is not saved.").color(palette.close));
        ui.horizontal(|ui| {
            if ui.button("Leave without saving").clicked() {
                send(out, TerrainCommand::CloseAnyway);
            }
        });
    }
    ui.separator();
    save(ui, state, page, &palette, out);
    egui::ScrollArea::vertical().id_salt("terrain").auto_shrink(false).show(ui, |ui| {
        draw(ui, page, &palette, out);
        ui.add_space(4.0);
        list(ui, page, &palette, out);
        if let Some(item) = page.picked() {
            picked(ui, page, item, &palette, out);
        }
        others(ui, page, &palette);
    });
}

/// Undo, redo, compare, save, and what came of it.
fn save(ui: &mut Ui, state: &State, page: &TerrainPage, palette: &Palette, out: &mut Vec<Command>) {
    let (undo, redo) = page.steps();
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        for (words, can, command) in
            [("Undo", undo, TerrainCommand::Undo), ("Redo", redo, TerrainCommand::Redo)]
        {
            if ui.add_enabled(can, Button::new(words)).clicked() {
                send(out, command);
            }
        }
        let can = page.above().is_some() && page.ground().names().next().is_some() && !page.compares();
        if ui.add_enabled(can, Button::new("Compare")).clicked() {
            send(out, TerrainCommand::Compare);
        }
        let can = page.unsaved() && state.own_files();
        if ui.add_enabled(can, Button::new("Save to table file")).clicked() {
            send(out, TerrainCommand::Save);
        }
    });
    let note = match page.note() {
        _ if page.wanted().is_some() || page.compares() => Some(("Looking...".to_owned(), palette.faint)),
        Some(Ok(words)) => Some((sentence(words), palette.yes)),
        Some(Err(words)) => Some((sentence(words), palette.no)),
        None if !state.own_files() => {
            let words = "The sample table cannot be saved: choose your own files under \"Open source\".";
            Some((words.to_owned(), palette.close))
        }
        None if page.unsaved() => {
            let words =
                "Not saved. Saving keeps every comment and the old file; the battle and its record go on.";
            Some((words.to_owned(), palette.faint))
        }
        None => None,
    };
    if let Some((words, colour)) = note {
        ui.label(RichText::new(words).small().color(colour));
    }
}

/// What is drawn next, and how.
fn draw(ui: &mut Ui, page: &TerrainPage, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Draw").strong());
        let now = page.draws();
        let combo = egui::ComboBox::from_id_salt("terrain draws").selected_text(now.word()).width(128.0);
        let shown = combo.show_ui(ui, |ui| {
            for sort in Sort::all() {
                if ui.selectable_label(sort == now, sort.word()).clicked() {
                    send(out, TerrainCommand::Draw(sort));
                }
            }
        });
        let label = format!("Draw: {}", now.word());
        shown.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, &label));
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        if ui.add_enabled(page.above().is_some(), Button::new("From the picture")).clicked() {
            send(out, TerrainCommand::Propose);
        }
        for (words, shape) in [("Oblong", ShapeKind::Oblong), ("Oval", ShapeKind::Oval)] {
            if ui.button(words).clicked() {
                send(out, TerrainCommand::Shape(shape));
            }
        }
    });
    let at = page.aim();
    let words = format!(
        "Click a felt, hill or road on the picture: its outline is proposed. The cross-hair is at {:.0}, {:.0}; arrows \
         move it, Enter proposes there.",
        at.x, at.y
    );
    ui.label(RichText::new(words).small().color(palette.faint));
}

fn list(ui: &mut Ui, page: &TerrainPage, palette: &Palette, out: &mut Vec<Command>) {
    let items = page.items();
    ui.label(RichText::new(format!("On the board: {}", items.len())).strong());
    if items.is_empty() {
        ui.label(RichText::new("Nothing is drawn yet.").color(palette.faint));
    }
    theme::dense(ui);
    for (item, name, sort) in items {
        let picked = page.picked() == Some(item);
        let faults =
            of(page, name).map_or(0, |told| told.terms.conditions.iter().filter(|r| !r.holds).count());
        ui.horizontal(|ui| {
            let row = ui.selectable_label(picked, name);
            row.widget_info(|| {
                WidgetInfo::selected(egui::Role::Button, true, picked, format!("Pick terrain {name}"))
            });
            if row.clicked() {
                send(out, TerrainCommand::Pick((!picked).then_some(item)));
            }
            ui.label(RichText::new(sort.word()).small().color(palette.faint));
            let (words, colour) = match faults {
                0 => ("lies well".to_owned(), palette.yes),
                1 => ("1 fault".to_owned(), palette.no),
                n => (format!("{n} faults"), palette.no),
            };
            ui.label(RichText::new(words).small().color(colour));
        });
        if let Some(shift) = page.shifts().get(name) {
            let (words, colour) = match shift {
                Ok(moved) if moved.is_told() => (moved.in_words(), palette.close),
                Ok(moved) => (moved.in_words(), palette.faint),
                Err(why) => (format!("cannot be compared: {why}"), palette.faint),
            };
            ui.label(RichText::new(format!("{name} {words}.")).small().color(colour));
        }
    }
}

fn of<'p>(page: &'p TerrainPage, name: &str) -> Option<&'p Told> {
    page.told().iter().find(|told| told.name == name)
}

/// What is picked: its name, kind and figures, and what the rules say of it.
fn picked(ui: &mut Ui, page: &TerrainPage, item: Item, palette: &Palette, out: &mut Vec<Command>) {
    ui.separator();
    let name = page.name_of(item).to_owned();
    if let Some(text) = field(ui, "Name of what is picked", &name, true) {
        send(out, TerrainCommand::Rename(text));
    }
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        if ui.add_enabled(page.above().is_some(), Button::new("Outline anew")).clicked() {
            send(out, TerrainCommand::Again);
        }
        let words = if page.handle().is_some() { "Remove the point" } else { "Remove" };
        if ui.button(words).clicked() {
            send(out, TerrainCommand::Remove);
        }
        ui.label(RichText::new(format!("{} points", page.handles(item).len())).small().color(palette.faint));
    });
    match item {
        Item::Area(n) => {
            if let Some(feature) = page.ground().features.get(n) {
                area(ui, page, feature.kind, palette, out);
            }
        }
        Item::River(_) | Item::Road(_) => {
            if let Some(text) = field(ui, "Width, mm", page.width_text(), true) {
                send(out, TerrainCommand::Width(text));
            }
        }
    }
    ui.add_space(4.0);
    if let Some(told) = of(page, &name) {
        rulings(ui, &told.terms.reasons(), palette);
    }
}

fn area(ui: &mut Ui, page: &TerrainPage, kind: TerrainKind, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.label(RichText::new("Kind").small());
        let combo = egui::ComboBox::from_id_salt("terrain kind").selected_text(kind.word()).width(140.0);
        let shown = combo.show_ui(ui, |ui| {
            for (word, other) in TerrainKind::ALL {
                if ui.selectable_label(other == kind, word).clicked() {
                    send(out, TerrainCommand::Kind(other));
                }
            }
        });
        let label = format!("Kind: {}", kind.word());
        shown.response.widget_info(|| WidgetInfo::labeled(egui::Role::ComboBox, true, &label));
        if kind.has_gates() && ui.button("Gate at the cross-hair").clicked() {
            send(out, TerrainCommand::AddGate);
        }
    });
    if kind.is_hill() {
        if let Some(text) = field(ui, "Height, mm", page.height_text(), true) {
            send(out, TerrainCommand::Height(text));
        }
        if ui.button("Crest on to the cross-hair").clicked() {
            send(out, TerrainCommand::LongerCrest);
        }
        let words = "Drag the crest's points; tags on the hill are measured with its height.";
        ui.label(RichText::new(words).small().color(palette.faint));
    }
}

/// Conditions, those that fail first, each with its mark.
fn rulings(ui: &mut Ui, reasons: &[Reason], palette: &Palette) {
    for reason in reasons {
        ui.horizontal_top(|ui| {
            let (rect, response) = ui.allocate_exact_size(vec2(16.0, 18.0), egui::Sense::empty());
            let call = if reason.holds { Call::Yes } else { Call::No };
            paint::badge(ui.painter(), rect.center(), 13.0, call, palette);
            let label = format!("{}: {}", if reason.holds { "holds" } else { "fails" }, reason.text);
            response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
            reason_line(
                ui,
                &ReasonView { clause: reason.clause.clone(), text: reason.text.clone() },
                palette,
            );
        });
    }
}

/// What is said of all features together.
fn others(ui: &mut Ui, page: &TerrainPage, palette: &Palette) {
    let Some(told) = of(page, "") else { return };
    let reasons = told.terms.reasons();
    if reasons.is_empty() {
        return;
    }
    ui.separator();
    ui.label(RichText::new("All together").strong());
    rulings(ui, &reasons, palette);
}

/// Keys that work anywhere but in a text field.
pub fn keys(ui: &Ui, page: &TerrainPage) -> Vec<Command> {
    if ui.ctx().egui_wants_keyboard_input() {
        return Vec::new();
    }
    let mut found = Vec::new();
    ui.input_mut(|input| {
        for (modifiers, mm) in [(Modifiers::SHIFT, 10.0), (Modifiers::NONE, 1.0)] {
            for (key, x, y) in [
                (Key::ArrowLeft, -1.0, 0.0),
                (Key::ArrowRight, 1.0, 0.0),
                (Key::ArrowUp, 0.0, 1.0),
                (Key::ArrowDown, 0.0, -1.0),
            ] {
                if input.consume_key(modifiers, key) {
                    found.push(TerrainCommand::Nudge(crate::geometry::Vector::new(x * mm, y * mm)));
                }
            }
        }
        let command = Modifiers::COMMAND;
        let plain = [
            (command.plus(Modifiers::SHIFT), Key::Z, TerrainCommand::Redo),
            (command, Key::Z, TerrainCommand::Undo),
            (command, Key::S, TerrainCommand::Save),
            (Modifiers::NONE, Key::Delete, TerrainCommand::Remove),
            (Modifiers::NONE, Key::N, TerrainCommand::Pick(page.next_item())),
            (Modifiers::NONE, Key::P, TerrainCommand::PickHandle(page.next_handle())),
            (Modifiers::NONE, Key::C, TerrainCommand::Compare),
        ];
        for (modifiers, key, command) in plain {
            if input.consume_key(modifiers, key) {
                found.push(command);
            }
        }
        if input.consume_key(Modifiers::NONE, Key::I)
            && let Some((behind, at)) = page.halfway()
        {
            found.push(TerrainCommand::Insert(behind, at));
        }
        if input.consume_key(Modifiers::NONE, Key::Enter) && page.picked().is_none() {
            found.push(TerrainCommand::Propose);
        }
        if input.consume_key(Modifiers::NONE, Key::Escape) {
            found.push(match (page.handle(), page.picked()) {
                (Some(_), _) => TerrainCommand::PickHandle(None),
                (None, Some(_)) => TerrainCommand::Pick(None),
                (None, None) => TerrainCommand::Close,
            });
        }
    });
    found.into_iter().map(Command::Terrain).collect()
}
