//! The page 'Before the battle': where in the order one is, what is next, what was done and what the rules say of it, and the
//! board with quarters and deployment zones.

mod next;
mod zones;

use super::form::{field, sentence};
use super::paint;
use crate::app::command::{Command, SettingUpCommand};
use crate::app::state::{Guided, SettingUpPage, State, Told};
use crate::app::theme::{self, Palette};
use crate::rules::setting_up::order::{Act, Step};
use crate::rules::{Reason, Side};
use crate::session::view::Call;
use egui::{Align, Button, Label, Layout, RichText, ScrollArea, Sense, Ui, Vec2, WidgetInfo};

pub use zones::table;

fn send(out: &mut Vec<Command>, command: SettingUpCommand) {
    out.push(Command::SettingUp(command));
}

fn act(by: Side, act: Act, out: &mut Vec<Command>) {
    send(out, SettingUpCommand::Do(by, act));
}

/// The parts of setting up, in order.
const PARTS: [&str; 8] =
    ["Armies", "Aggression", "Choice", "Terrain", "Edges", "Camps", "Deployment", "First bound"];

/// Which of them a step belongs to.
fn part_of(step: Step) -> usize {
    match step {
        Step::Army(_) => 0,
        Step::Roll(_) => 1,
        Step::Choose(_) => 2,
        Step::Dice(_) | Step::Name(_) | Step::Lay(_) => 3,
        Step::Edge(_) => 4,
        Step::Camp(_) => 5,
        Step::Deploy(_) => 6,
        Step::FirstBound(_) => 7,
    }
}

/// Shows where in the order one is, and the way back.
pub fn top(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let now = match state.setting_up().guided() {
        Some(Ok(guided)) => part_of(guided.report.next),
        _ => 0,
    };
    ui.horizontal(|ui| {
        ui.label(RichText::new("Before the battle").heading());
        ui.add_space(8.0);
        ui.spacing_mut().item_spacing.x = 12.0;
        for (n, name) in PARTS.into_iter().enumerate() {
            let (words, text) = match n.cmp(&now) {
                std::cmp::Ordering::Less => ("done", RichText::new(name).small()),
                std::cmp::Ordering::Equal => ("now", RichText::new(format!("{} {name}", n + 1)).strong()),
                std::cmp::Ordering::Greater => {
                    ("to come", RichText::new(format!("{} {name}", n + 1)).small().color(palette.faint))
                }
            };
            ui.spacing_mut().item_spacing.x = if n < now { 4.0 } else { 12.0 };
            if n < now {
                let (rect, _) = ui.allocate_exact_size(Vec2::splat(14.0), Sense::empty());
                paint::badge(ui.painter(), rect.center(), 11.0, Call::Yes, &palette);
            }
            ui.spacing_mut().item_spacing.x = 12.0;
            let label = ui.label(text);
            label.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("{name}: {words}")));
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Back to the table").clicked() {
                send(out, SettingUpCommand::Close);
            }
        });
    });
}

/// Shows what is next, what was done, and what the rules say.
pub fn side(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let page = state.setting_up();
    let guided = match page.guided() {
        None => {
            ui.label("Being worked out...");
            return;
        }
        Some(Err(why)) => {
            ui.label(RichText::new(sentence(why)).color(palette.no));
            undo(ui, page, out);
            return;
        }
        Some(Ok(guided)) => guided,
    };
    ScrollArea::vertical().id_salt("before the battle").auto_shrink(false).show(ui, |ui| {
        theme::card(&palette).show(ui, |ui| {
            ui.set_width(ui.available_width());
            let needs = sentence(&guided.report.needs);
            let label = ui.add(Label::new(RichText::new(&needs).strong()).wrap());
            label.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Next: {needs}")));
            // Nothing is done by an answer to something else.
            ui.add_enabled_ui(page.settled(), |ui| next::show(ui, state, guided, out));
            undo(ui, page, out);
            if let Some(words) = &page.thrown {
                ui.add(Label::new(RichText::new(words).small().color(palette.faint)).wrap());
            }
        });
        ui.add_space(2.0);
        said(ui, guided, &palette);
        ui.add_space(6.0);
        file(ui, page, &palette, out);
        ui.add_space(10.0);
    });
}

fn undo(ui: &mut Ui, page: &SettingUpPage, out: &mut Vec<Command>) {
    if ui.add_enabled(!page.acts().is_empty(), Button::new("Take back the last")).clicked() {
        send(out, SettingUpCommand::Undo);
    }
}

/// What was done, and everything that the rules say; what speaks against it first.
fn said(ui: &mut Ui, guided: &Guided, palette: &Palette) {
    theme::dense(ui);
    // Once an army has been said nothing is open of it.
    for words in guided.open.iter().filter(|_| part_of(guided.report.next) == 0) {
        ui.add(Label::new(RichText::new(sentence(words)).small().color(palette.close)).wrap());
    }
    for (title, told) in [("Camps and deployment", &guided.sides), ("Terrain", &guided.terrain)] {
        if told.is_empty() || guided.report.acts.len() < 2 {
            continue;
        }
        let failing = told.iter().filter(|one| one.call == Call::No).count();
        let close = told.iter().filter(|one| matches!(one.call, Call::TooClose | Call::Held)).count();
        let mut words = match failing {
            0 => format!("{title}: no fault"),
            1 => format!("{title}: 1 at fault"),
            n => format!("{title}: {n} at fault"),
        };
        if close > 0 {
            words.push_str(&format!(", {close} too close to call"));
        }
        ui.label(RichText::new(words).strong());
        let mut all: Vec<&Told> = told.iter().collect();
        all.sort_by_key(|one| match one.call {
            Call::No => 0,
            Call::TooClose | Call::Held => 1,
            Call::Yes => 2,
        });
        all.into_iter().for_each(|one| told_of(ui, one, palette));
        ui.add_space(4.0);
    }
    let done = &guided.report.acts;
    if done.is_empty() && guided.lists.is_empty() {
        return;
    }
    ui.label(RichText::new("Done").strong());
    for ruled in done.iter().rev() {
        let words = sentence(&format!("{} {}", ruled.by.word(), ruled.act.in_words()));
        line(ui, &words, if ruled.reasons.iter().all(|r| r.holds) { Call::Yes } else { Call::No }, palette);
        ruled.reasons.iter().filter(|r| !r.holds).for_each(|r| against(ui, Call::No, r, palette));
    }
    for (side, reason) in &guided.lists {
        let words = sentence(&format!("{}: {}", side.word(), reason.text));
        line(ui, &words, if reason.holds { Call::Yes } else { Call::No }, palette);
    }
}

fn line(ui: &mut Ui, words: &str, call: Call, palette: &Palette) {
    ui.horizontal_top(|ui| {
        let (rect, mark) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 12.0, call, palette);
        mark.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Image, true, format!("{}: {words}", call.words()))
        });
        ui.add(Label::new(RichText::new(words).small()).wrap());
    });
}

fn against(ui: &mut Ui, call: Call, reason: &Reason, palette: &Palette) {
    let mm = reason.margin.map_or(String::new(), |m| {
        // Of what is zero to a tenth no sign is told.
        format!(" {:+.1} mm,", (m.mm * 10.0).round() / 10.0 + 0.0)
    });
    let words = format!("{}{mm} {}", sentence(&reason.text), reason.clause);
    ui.horizontal_top(|ui| {
        ui.add_space(24.0);
        let colour = if call == Call::No { palette.no } else { palette.close };
        ui.add(Label::new(RichText::new(words).small().color(colour)).wrap());
    });
}

/// A feature, camp or element: what fails or is too close, else how much it has to spare.
fn told_of(ui: &mut Ui, told: &Told, palette: &Palette) {
    let name = if told.name.is_empty() { "All together" } else { &told.name };
    let words = match (&told.spare, told.call) {
        (Some((mm, _)), Call::Yes) => format!("{name}: {mm:.1} mm to spare"),
        (_, Call::TooClose | Call::Held) => format!("{name}: {}", told.call.words().to_lowercase()),
        _ => name.to_owned(),
    };
    line(ui, &words, told.call, palette);
    told.against.iter().for_each(|(call, reason)| against(ui, *call, reason, palette));
}

/// The file that everything is written into.
fn file(ui: &mut Ui, page: &SettingUpPage, palette: &Palette, out: &mut Vec<Command>) {
    ui.separator();
    if let Some(text) = field(ui, "File of this setting up", &page.file, true) {
        send(out, SettingUpCommand::TypeFile(text));
    }
    ui.horizontal(|ui| {
        if ui.button("Save this").clicked() {
            send(out, SettingUpCommand::Save);
        }
        if ui.button("Take it up").clicked() {
            send(out, SettingUpCommand::Read);
        }
        if ui.add_enabled(!page.acts().is_empty(), Button::new("Begin anew")).clicked() {
            send(out, SettingUpCommand::Anew);
        }
    });
    match &page.said {
        Some(Ok(words)) => {
            ui.add(Label::new(RichText::new(words).small().color(palette.yes)).wrap());
        }
        Some(Err(words)) => {
            ui.add(Label::new(RichText::new(words).small().color(palette.no)).wrap());
        }
        None => {}
    }
}
