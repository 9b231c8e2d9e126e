//! What may be done next before the battle: a die that was thrown on the table, a choice, or that something lies.

use super::{act, send, told_of};
use crate::app::command::{ArmyCommand, Command, Picked, SettingUpCommand, TerrainCommand};
use crate::app::state::{Guided, State};
use crate::app::theme::Palette;
use crate::rules::Side;
use crate::rules::setting_up::order::{Act, Step};
use crate::rules::setting_up::{Home, Pick, Sort, choice, open_edges};
use crate::rules::terrain::{BoardEdge, TerrainKind};
use egui::{Button, Label, RichText, Ui, WidgetInfo, vec2};

/// Shows it.
pub fn show(ui: &mut Ui, state: &State, guided: &Guided, out: &mut Vec<Command>) {
    let report = &guided.report;
    let current = report.done.current().map(|placement| placement.name.clone());
    match (report.next, current) {
        (Step::Army(side), _) => army(ui, state, side, out),
        (Step::Roll(side), _) => {
            dice(ui, side, out, Act::Roll);
        }
        (Step::Choose(side), _) => choose(ui, state, guided, side, out),
        (Step::Dice(side), Some(name)) => dice(ui, side, out, |die| Act::Dice(name.clone(), die)),
        (Step::Name(side), Some(name)) => {
            ui.horizontal(|ui| {
                for quarter in 1..=4 {
                    if ui.button(format!("Quarter {quarter}")).clicked() {
                        act(side, Act::Name(name.clone(), quarter), out);
                    }
                }
            });
        }
        (Step::Lay(side), Some(name)) => lay(ui, guided, side, &name, out),
        (Step::Edge(side), _) => {
            ui.horizontal_wrapped(|ui| {
                for edge in open_edges(&guided.setup, state.engine().settings()) {
                    if ui.button(format!("The {}", edge.name())).clicked() {
                        act(side, Act::Edge(edge), out);
                    }
                }
            });
        }
        (Step::Camp(side), _) => camp(ui, guided, side, out),
        (Step::Deploy(side), _) => deploy(ui, state, side, out),
        (Step::FirstBound(side), _) => {
            let faults = guided.faults();
            if faults > 0 {
                let words = format!("{faults} faults stand below. Nothing forbids to begin.");
                ui.label(RichText::new(words).small().color(Palette::of(ui).close));
            }
            if ui.button("Begin: watch the first bound").clicked() {
                send(out, SettingUpCommand::Begin(side));
            }
        }
        (Step::Dice(_) | Step::Name(_) | Step::Lay(_), None) => {}
    }
}

fn army(ui: &mut Ui, state: &State, side: Side, out: &mut Vec<Command>) {
    let page = state.setting_up();
    let known = state.brought().into_iter().find(|b| b.side == side);
    let (homes, factor) = match &known {
        Some(brought) => (brought.homes.clone(), brought.aggression),
        None => (Home::ALL.to_vec(), page.factor),
    };
    if known.is_none() {
        ui.horizontal(|ui| {
            ui.label("Aggression");
            for n in 0..=4 {
                let button = ui.selectable_label(page.factor == n, n.to_string());
                button.widget_info(|| {
                    WidgetInfo::selected(
                        egui::Role::Button,
                        true,
                        page.factor == n,
                        format!("Aggression {n}"),
                    )
                });
                if button.clicked() {
                    send(out, SettingUpCommand::Factor(n));
                }
            }
        });
    }
    ui.horizontal_wrapped(|ui| {
        for home in homes {
            let button = ui.button(home.name());
            button.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Button, true, format!("Home {}", home.name()))
            });
            if button.clicked() {
                act(side, Act::Army(home, factor), out);
            }
        }
    });
    if known.is_none() && ui.button("Armies").clicked() {
        out.push(Command::Army(ArmyCommand::Open));
    }
}

/// A die as it lies on the table, or one that the program throws.
fn dice(ui: &mut Ui, side: Side, out: &mut Vec<Command>, of: impl Fn(u8) -> Act) {
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new("The die shows").small());
        for die in 1..=6 {
            let button = ui.add(Button::new(die.to_string()).min_size(vec2(30.0, 28.0)));
            button.widget_info(|| WidgetInfo::labeled(egui::Role::Button, true, format!("Die shows {die}")));
            if button.clicked() {
                act(side, of(die), out);
            }
        }
        if ui.button("Throw it").clicked() {
            send(out, SettingUpCommand::Throw(side));
        }
    });
}

/// The kinds of feature that a home's row names.
fn kinds(state: &State, home: Home) -> Vec<Pick> {
    let row = state.engine().settings().ruleset().home(home);
    let sorted = |sort: Sort| -> Vec<Pick> {
        match sort {
            Sort::River => vec![Pick::River],
            Sort::Road => vec![Pick::Road],
            other => {
                let kinds = TerrainKind::ALL.into_iter().map(|(_, kind)| kind);
                kinds.filter(|kind| Sort::of(*kind) == Some(other)).map(Pick::Area).collect()
            }
        }
    };
    let mut all: Vec<Pick> = Vec::new();
    let ways = row.compulsory.ways.iter().flat_map(|way| way.of.iter());
    for pick in ways.chain(&row.optional.of).flat_map(|sort| sorted(*sort)) {
        if !all.contains(&pick) {
            all.push(pick);
        }
    }
    all
}

fn choose(ui: &mut Ui, state: &State, guided: &Guided, side: Side, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let page = state.setting_up();
    let ground = &state.engine().table().ground;
    let Some((home, _)) = guided.report.done.half(side).army else { return };
    ui.horizontal_wrapped(|ui| {
        ui.label(RichText::new(format!("Defender of {} at the", home.name())).small());
        for edge in BoardEdge::ALL {
            let chosen = page.seat() == edge;
            let button =
                ui.selectable_label(chosen, RichText::new(edge.name().trim_end_matches(" edge")).small());
            button.widget_info(|| {
                let label = format!("Defender at the {}", edge.name());
                WidgetInfo::selected(egui::Role::Button, true, chosen, label)
            });
            if button.clicked() {
                send(out, SettingUpCommand::Seat(edge));
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        ui.label(RichText::new("Add").small());
        for pick in kinds(state, home) {
            let button = ui.small_button(pick.name());
            button.widget_info(|| {
                WidgetInfo::labeled(egui::Role::Button, true, format!("Add {}", pick.name()))
            });
            if button.clicked() {
                send(out, SettingUpCommand::Add(pick));
            }
        }
    });
    for offered in page.offered(ground) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 4.0;
            for (role, words) in [(Picked::Compulsory, "compulsory"), (Picked::Optional, "optional")] {
                let chosen = offered.picked == Some(role);
                let button = ui.selectable_label(chosen, RichText::new(words).small());
                button.widget_info(|| {
                    let label = format!("{} {words}", offered.name);
                    WidgetInfo::selected(egui::Role::Button, true, chosen, label)
                });
                if button.clicked() {
                    send(out, SettingUpCommand::Pick(offered.name.clone(), (!chosen).then_some(role)));
                }
            }
            let lies = if offered.lies { "" } else { ", not on the table yet" };
            let words = format!("{} ({}){lies}", offered.name, offered.pick.name());
            ui.add(Label::new(RichText::new(words).small()).truncate());
        });
    }
    let of = |so| page.chosen(ground, so).into_iter().map(|(_, pick)| pick).collect::<Vec<_>>();
    let terms = choice(state.engine().settings(), home, &of(Picked::Compulsory), &of(Picked::Optional));
    for reason in terms.conditions.iter().filter(|r| !r.holds) {
        super::against(ui, crate::session::view::Call::No, reason, &palette);
    }
    ui.horizontal_wrapped(|ui| {
        if ui.button("Choose these").clicked() {
            send(out, SettingUpCommand::Choose(side));
        }
        if ui.button("The organiser's terrain").clicked() {
            act(side, Act::Preset, out);
        }
    });
}

fn lay(ui: &mut Ui, guided: &Guided, side: Side, name: &str, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    match &guided.laying {
        Some(told) => told_of(ui, told, &palette),
        None => {
            let words = format!(
                "{name} is not drawn yet: put it on the table, draw it on the terrain page under that name, and save."
            );
            ui.add(Label::new(RichText::new(words).small().color(palette.close)).wrap());
        }
    }
    ui.horizontal_wrapped(|ui| {
        if ui
            .add_enabled(guided.laying.is_some(), Button::new(format!("{name} lies as it is drawn")))
            .clicked()
        {
            act(side, Act::Lay(name.to_owned()), out);
        }
        if ui.button("Draw terrain").clicked() {
            out.push(Command::Terrain(TerrainCommand::Open));
        }
        if ui.button(format!("{name} fits nowhere")).clicked() {
            act(side, Act::Discard(name.to_owned()), out);
        }
    });
}

fn camp(ui: &mut Ui, guided: &Guided, side: Side, out: &mut Vec<Command>) {
    let camps = guided.setup.ground.features.iter().filter(|f| f.kind == TerrainKind::Camp);
    let own: Vec<_> = camps.filter(|f| f.side.is_none_or(|whose| whose == side)).collect();
    ui.horizontal_wrapped(|ui| {
        for camp in &own {
            if ui.button(format!("Camp {}", camp.name)).clicked() {
                act(side, Act::Camp(camp.name.clone()), out);
            }
        }
        if ui.button("No camp").clicked() {
            act(side, Act::NoCamp, out);
        }
        if own.is_empty() && ui.button("Draw terrain").clicked() {
            out.push(Command::Terrain(TerrainCommand::Open));
        }
    });
}

fn deploy(ui: &mut Ui, state: &State, side: Side, out: &mut Vec<Command>) {
    let absent = state.not_standing(side);
    if !absent.is_empty() {
        let words = format!("{} are not seen on the table. Held back for a landing:", absent.len());
        ui.label(RichText::new(words).small());
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
            for name in absent {
                let held = state.setting_up().held_back().contains(&name);
                let button = ui.selectable_label(held, RichText::new(&name).small());
                button.widget_info(|| {
                    WidgetInfo::selected(egui::Role::Button, true, held, format!("Hold back {name}"))
                });
                if button.clicked() {
                    send(out, SettingUpCommand::Hold(name));
                }
            }
        });
    }
    let words = format!("{} has deployed", side.word());
    let words = super::sentence(&words);
    if ui.button(words.trim_end_matches('.')).clicked() {
        act(side, Act::Deploy, out);
    }
}
