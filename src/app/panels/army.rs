//! The page on which armies are chosen: the lists, what the chosen one offers, what is taken, and everything that is wrong
//! with it at once.

use super::form::{field, sentence};
use super::paint;
use crate::app::command::{ArmyCommand, Command};
use crate::app::state::ArmyPage;
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::rules::army_list::{
    ARMY, Army, ArmyList, Camp, City, Followers, Form, Key, Whose, general_forms, offers,
};
use crate::session::view::Call;
use egui::{Align, Button, ComboBox, Label, Layout, RichText, ScrollArea, Sense, Ui, Vec2, WidgetInfo, vec2};

/// The lists' column, and that of the army as it stands, points.
const LISTS: f32 = 242.0;
const ARMY_SIDE: f32 = 316.0;

fn send(command: ArmyCommand, out: &mut Vec<Command>) {
    out.push(Command::Army(command));
}

/// Shows the page by itself: with the way back.
pub fn whole(ui: &mut Ui, page: &ArmyPage, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        ui.heading("Armies");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Back to the table").clicked() {
                send(ArmyCommand::Close, out);
            }
        });
    });
    ui.separator();
    show(ui, page, out);
}

/// Shows the lists, what the chosen one offers, and the army.
pub fn show(ui: &mut Ui, page: &ArmyPage, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let room = ui.available_rect_before_wrap();
    let columns = [
        (room.left(), room.left() + LISTS),
        (room.left() + LISTS + 12.0, room.right() - ARMY_SIDE - 12.0),
        (room.right() - ARMY_SIDE, room.right()),
    ];
    for (n, (left, right)) in columns.into_iter().enumerate() {
        let column = egui::Rect::from_x_y_ranges(left..=right.max(left + 40.0), room.y_range());
        ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
            ScrollArea::vertical().id_salt(("armies", n)).auto_shrink(false).show(ui, |ui| match n {
                0 => lists(ui, page, &palette, out),
                1 => options(ui, page, &palette, out),
                _ => army(ui, page, &palette, out),
            });
        });
    }
}

fn lists(ui: &mut Ui, page: &ArmyPage, palette: &Palette, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        for side in [Side::Red, Side::Blue] {
            let (rect, _) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::empty());
            paint::side_mark(ui.painter(), rect.center(), 12.0, side, palette);
            let words = format!("{} army", side.word());
            if ui.selectable_label(page.side == side, sentence(&words).trim_end_matches('.')).clicked() {
                send(ArmyCommand::Show(side), out);
            }
        }
    });
    ui.label(RichText::new("Lists").strong());
    theme::dense(ui);
    for list in page.shelf.lists() {
        let chosen = list.key == page.draft().army.list;
        let row =
            ui.add(Button::selectable(chosen, &list.title).truncate().min_size(vec2(LISTS - 16.0, 0.0)));
        row.widget_info(|| {
            WidgetInfo::selected(
                egui::Role::Button,
                true,
                chosen,
                format!("List {}: {}", list.key, list.title),
            )
        });
        if row.clicked() && !chosen {
            send(ArmyCommand::List(list.key.clone()), out);
        }
    }
    ui.add_space(8.0);
    if let Some(text) = field(ui, "Folder of your own lists", &page.lists, true) {
        send(ArmyCommand::TypeLists(text), out);
    }
    if ui.button("Read lists").clicked() {
        send(ArmyCommand::ReadLists, out);
    }
    said(ui, page.lists_said.as_ref(), palette);
}

fn said(ui: &mut Ui, ended: Option<&Result<String, String>>, palette: &Palette) {
    match ended {
        Some(Ok(words)) => ui.label(RichText::new(words).small().color(palette.yes)),
        Some(Err(words)) => ui.label(RichText::new(words).small().color(palette.no)),
        None => return,
    };
}

/// What the list offers, and how many of each are taken.
fn options(ui: &mut Ui, page: &ArmyPage, palette: &Palette, out: &mut Vec<Command>) {
    let Some(list) = page.list() else { return };
    let army = &page.draft().army;
    ui.horizontal(|ui| {
        ui.label(RichText::new(&list.title).heading());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            if ui.button("Clear").clicked() {
                send(ArmyCommand::Clear, out);
            }
            if ui.button("Fill up").clicked() {
                send(ArmyCommand::Fill, out);
            }
        });
    });
    let words = format!("Aggression {}, home {}", list.aggression, list.home_words());
    ui.label(RichText::new(words).small().color(palette.faint));
    of_list(ui, list, army, Whose::Own, palette, out);
    allies(ui, page, list, army, palette, out);
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        camp(ui, army, out);
        city(ui, army, out);
    });
}

/// A list's general and entries, for the army's own or an ally's elements.
fn of_list(
    ui: &mut Ui,
    list: &ArmyList,
    army: &Army,
    whose: Whose,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    let of = match whose {
        Whose::Own => String::new(),
        Whose::Ally(_) => format!(" of {}", list.title),
    };
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new(format!("General: {}", list.general)).small().color(palette.faint));
        ui.horizontal_wrapped(|ui| {
            for (form, name) in general_forms(list) {
                let chosen = army.general(whose) == Some(form.code.as_str());
                let button = ui.selectable_label(chosen, format!("{} {name}", code(form)));
                button.widget_info(|| {
                    let label = format!("General{of} {}", form.code);
                    WidgetInfo::selected(egui::Role::Button, true, chosen, label)
                });
                if button.clicked() {
                    let next = (!chosen).then(|| form.code.clone());
                    send(ArmyCommand::Lead(whose, next), out);
                }
            }
        });
        for offer in offers(list) {
            ui.separator();
            ui.label(RichText::new(offer.entry.to_string()).small().color(palette.faint));
            for (form, name) in offer.forms {
                row(ui, army, whose, form, name, &of, out);
            }
            if !offer.shared.is_empty() {
                let words = format!("{}: counted above", offer.shared.join(", "));
                ui.label(RichText::new(words).small().color(palette.faint));
            }
        }
    });
}

/// A code as it is shown, with the foot that it may become.
fn code(form: &Form) -> String {
    match &form.foot {
        Some(foot) => format!("{}//{foot}", form.code),
        None => form.code.clone(),
    }
}

fn row(ui: &mut Ui, army: &Army, whose: Whose, form: &Form, name: &str, of: &str, out: &mut Vec<Command>) {
    let taken = army.taken(whose, &form.code);
    ui.horizontal(|ui| {
        let mut step = |ui: &mut Ui, sign: &str, words: &str, enabled: bool, to: u8| {
            let button = ui.add_enabled(enabled, Button::new(sign).min_size(vec2(26.0, 22.0)));
            button.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Button, enabled, format!("{words} {}{of}", form.code))
            });
            if button.clicked() {
                send(ArmyCommand::Take(whose, form.code.clone(), to), out);
            }
        };
        step(ui, "\u{2212}", "Fewer", taken > 0, taken.saturating_sub(1));
        let count = ui.add_sized(vec2(22.0, 20.0), Label::new(RichText::new(taken.to_string()).strong()));
        count.widget_info(|| {
            WidgetInfo::labeled(egui::Role::Label, true, format!("{taken} of {}{of}", form.code))
        });
        step(ui, "+", "More", taken < ARMY, taken + 1);
        ui.add(Label::new(format!("{} {name}", code(form))).truncate());
    });
}

fn allies(
    ui: &mut Ui,
    page: &ArmyPage,
    list: &ArmyList,
    army: &Army,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    let allied = page.shelf.lists().iter().filter(|other| list.allied_with(&other.key));
    let mut joined = |ui: &mut Ui, key: &Key, title: &str| {
        let chosen = army.contingents.iter().any(|c| c.list == *key);
        if ui.selectable_label(chosen, format!("Ally: {title}")).clicked() {
            send(ArmyCommand::Join(key.clone()), out);
        }
    };
    ui.horizontal_wrapped(|ui| {
        for other in allied {
            joined(ui, &other.key, &other.title);
        }
    });
    for (n, contingent) in army.contingents.iter().enumerate() {
        if let Some(theirs) = page.shelf.list(&contingent.list) {
            ui.label(RichText::new(format!("Allies of {}", theirs.title)).strong());
            of_list(ui, theirs, army, Whose::Ally(n), palette, out);
        }
    }
}

fn camp(ui: &mut Ui, army: &Army, out: &mut Vec<Command>) {
    let stands = |troops: Vec<String>, followers| Camp::Stands { troops, followers };
    let mut choices = vec![
        ("not said".to_owned(), Camp::Unsaid),
        ("none".to_owned(), Camp::None),
        ("nobody in it".to_owned(), stands(Vec::new(), Followers::None)),
        ("with camp followers".to_owned(), stands(Vec::new(), Followers::Element)),
        ("with followers fixed to it".to_owned(), stands(Vec::new(), Followers::Fixed)),
    ];
    let own = army.own.iter().filter(|t| !t.general);
    choices
        .extend(own.map(|t| (format!("held by {}", t.code), stands(vec![t.code.clone()], Followers::None))));
    choose(ui, "Camp", &choices, &army.camp, |camp| send(ArmyCommand::Camp(camp), out));
}

fn city(ui: &mut Ui, army: &Army, out: &mut Vec<Command>) {
    let choices = [
        ("none".to_owned(), City::None),
        ("owned".to_owned(), City::Owned),
        ("with denizens".to_owned(), City::WithDenizens),
    ];
    choose(ui, "City", &choices, &army.city, |city| send(ArmyCommand::City(city), out));
}

fn choose<T: Clone + PartialEq>(
    ui: &mut Ui,
    name: &str,
    choices: &[(String, T)],
    now: &T,
    mut chosen: impl FnMut(T),
) {
    ui.horizontal(|ui| {
        let label = ui.label(name);
        let words = choices.iter().find(|(_, value)| value == now).map_or("", |(words, _)| words);
        let combo = ComboBox::from_id_salt(name).selected_text(words).show_ui(ui, |ui| {
            for (words, value) in choices {
                if ui.selectable_label(value == now, words).clicked() {
                    chosen(value.clone());
                }
            }
        });
        combo.response.labelled_by(label.id);
    });
}

/// The army as it stands, what is wrong with it, and its file.
fn army(ui: &mut Ui, page: &ArmyPage, palette: &Palette, out: &mut Vec<Command>) {
    let draft = page.draft();
    let legal = draft.ruling.legal();
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(20.0), Sense::empty());
        let call = if legal { Call::Yes } else { Call::No };
        paint::badge(ui.painter(), rect.center(), 16.0, call, palette);
        let words = format!(
            "{} of {ARMY} elements, {}",
            draft.army.size(),
            if legal { "legal" } else { "not legal yet" }
        );
        ui.label(RichText::new(words).strong());
    });
    ui.label(RichText::new(draft.army.to_string()).small());
    theme::dense(ui);
    for fault in draft.ruling.faults() {
        ui.horizontal_top(|ui| {
            let (rect, badge) = ui.allocate_exact_size(Vec2::splat(16.0), Sense::empty());
            paint::badge(ui.painter(), rect.center(), 12.0, Call::No, palette);
            let label = format!("Fault: {} ({})", fault.text, fault.clause);
            badge.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
            ui.add(
                Label::new(RichText::new(format!("{} {}", sentence(&fault.text), fault.clause)).small())
                    .wrap(),
            );
        });
    }
    ui.add_space(6.0);
    if let Some(text) = field(ui, "Roster's file", &draft.file, true) {
        send(ArmyCommand::TypeFile(text), out);
    }
    ui.horizontal(|ui| {
        if ui.add_enabled(legal, Button::new("Give out tags and save")).clicked() {
            send(ArmyCommand::Save, out);
        }
        if ui.button("Print its kit").clicked() {
            send(ArmyCommand::Print, out);
        }
    });
    said(ui, draft.said.as_ref(), palette);
}
