//! What is being moved: what move it is, whether it is legal, every condition with its margin, and what would make it
//! so; and what is over. Nothing here holds anybody up: what is not known is left open.

use super::form::{sentence, test_line};
use super::{nudges, paint};
use crate::app::command::{Command, MovesCommand};
use crate::app::state::State;
use crate::app::theme::{self, Palette};
use crate::rules::Side;
use crate::session::play::{Moves, Phase};
use crate::session::view::{Call, ConditionView, ExplanationView, MoveView, MovesView, TestView};
use egui::{Button, RichText, Sense, Ui, WidgetInfo, vec2};

/// Conditions that hold and are shown without being asked for.
const SHOWN: usize = 3;

/// Shows the page.
pub fn show(ui: &mut Ui, state: &State, out: &mut Vec<Command>) {
    let palette = Palette::of(ui);
    let moves = state.moves();
    marks(ui, moves, out);
    super::session::buttons(ui, state, out);
    if let Some(why) = moves.failed() {
        ui.label(RichText::new(format!("Watching has ended: {why}")).color(palette.no));
    }
    if !moves.marked() {
        let words = if moves.at_work() || moves.failed().is_none() {
            "Play is watched as soon as everything on the table is at rest. Nothing need be pressed: what is being \
             moved, whether it is legal and what it costs is shown here, a move is over when another element starts \
             to move, and a bound when the other side does. \"Mark start\" begins anew by hand."
        } else {
            "Press \"Mark start\" to have play watched again from where everything stands."
        };
        ui.label(RichText::new(words).color(palette.faint));
        return;
    }
    theme::card(&palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        bound(ui, moves, &palette, out);
    });
    super::session::show(ui, state, out);
    if moves.phase() == Phase::Combat {
        let words = if moves.follows() {
            "Moves of this bound are over. What is moved now, shooting and combat bring about. The other side's first \
             move, or its PIP die, begins the next bound."
        } else {
            "Moves of this bound are over. What is moved now, shooting and combat bring about; press \"Next bound\" \
             when all of it is done."
        };
        ui.label(RichText::new(words).color(palette.faint));
        if !moves.follows() {
            return;
        }
    }
    if moves.moving() || moves.at_work() {
        let words = if moves.moving() {
            "Something moves: this was when all last stood still."
        } else {
            "What was moved is being worked out..."
        };
        ui.label(RichText::new(words).small().color(palette.close));
    }
    let Some(view) = moves.view() else { return };
    for name in &view.unseen {
        let words = format!("{name} is not seen now: it is left out.");
        ui.label(RichText::new(words).small().color(palette.close));
    }
    nudges::show(ui, view, &palette, out);
    match view.explanations.get(moves.chosen()) {
        Some(chosen) => explanation(ui, chosen, view, &palette, out),
        None if view.unexplained.is_empty() && view.nudged.is_empty() => {
            ui.label(RichText::new("Nothing has moved since the mark.").color(palette.faint));
        }
        None => unexplained(ui, view, &palette, out),
    }
    others(ui, view, moves.chosen(), &palette, out);
}

fn marks(ui: &mut Ui, moves: &Moves, out: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        // All four fit one row of the panel.
        ui.spacing_mut().button_padding.x = 5.0;
        ui.spacing_mut().item_spacing.x = 6.0;
        let words = if moves.marked() { "Mark anew" } else { "Mark start" };
        if ui.button(words).clicked() {
            out.push(Command::Moves(MovesCommand::Mark));
        }
        if moves.marked() {
            if moves.phase() == Phase::Moves && ui.button("Moves over").clicked() {
                out.push(Command::Moves(MovesCommand::EndMoves));
            }
            if ui.button("Next bound").clicked() {
                out.push(Command::Moves(MovesCommand::NextBound));
            }
            if ui.button("Forget").clicked() {
                out.push(Command::Moves(MovesCommand::Forget));
            }
        }
    });
}

/// What no move explains: it is put back, or the umpire lets it stand.
fn unexplained(ui: &mut Ui, view: &MovesView, palette: &Palette, out: &mut Vec<Command>) {
    if view.unexplained.is_empty() {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        for name in &view.unexplained {
            let words = format!("No move of the rules brings {name} to where it stands.");
            ui.label(RichText::new(words).color(palette.no));
        }
        overrule(ui, "Overrule: it stands", MovesCommand::Overrule, out);
    });
}

/// A decision against the program: it is written down on the page Battle.
fn overrule(ui: &mut Ui, words: &str, command: MovesCommand, out: &mut Vec<Command>) {
    let button = ui.button(RichText::new(words).small());
    if button.on_hover_text("It is written down in the log on the page \"Battle\".").clicked() {
        out.push(Command::Moves(command));
    }
}

/// Whose bound it is, and its PIPs: both may stay unknown.
fn bound(ui: &mut Ui, moves: &Moves, palette: &Palette, out: &mut Vec<Command>) {
    theme::dense(ui);
    ui.spacing_mut().button_padding = vec2(6.0, 2.0);
    let known = moves.known();
    ui.horizontal(|ui| {
        ui.label("Bound of");
        for (side, words) in [(None, "who moved"), (Some(Side::Red), "red"), (Some(Side::Blue), "blue")] {
            let chosen = known.side == side;
            let button = ui.selectable_label(chosen, words);
            button.widget_info(|| {
                WidgetInfo::selected(egui::Role::Button, true, chosen, format!("Bound of {words}"))
            });
            if button.clicked() {
                out.push(Command::Moves(MovesCommand::Side(side)));
            }
        }
    });
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 3.0;
        ui.label("PIP die");
        ui.add_space(4.0);
        for score in std::iter::once(None).chain((1..=6).map(Some)) {
            let words = score.map_or("not known".to_owned(), |n: u8| n.to_string());
            let chosen = known.pips == score;
            let button = ui.selectable_label(chosen, &words);
            button.widget_info(|| {
                WidgetInfo::selected(egui::Role::Button, true, chosen, format!("PIP die {words}"))
            });
            if button.clicked() {
                out.push(Command::Moves(MovesCommand::Pips(score)));
            }
        }
    });
    let spent: u32 = known.done.iter().map(|d| u32::from(d.pips)).sum();
    if known.done.is_empty() {
        return;
    }
    let count =
        if known.done.len() == 1 { "1 move".to_owned() } else { format!("{} moves", known.done.len()) };
    let words = format!("Over in this bound: {count}, {}", pips_words(spent));
    egui::CollapsingHeader::new(RichText::new(words).small()).id_salt("over").show(ui, |ui| {
        for over in moves.view().into_iter().flat_map(|view| &view.over) {
            let test = TestView { clause: String::new(), text: over.words.clone(), call: over.call };
            test_line(ui, &test, palette);
        }
    });
}

fn pips_words(pips: u32) -> String {
    if pips == 1 { "1 PIP".to_owned() } else { format!("{pips} PIPs") }
}

fn verdict_words(e: &ExplanationView) -> String {
    let pips = pips_words(e.pips);
    match e.call {
        _ if e.moves.is_empty() => "No move".to_owned(),
        Call::Yes => format!("Legal, {pips}"),
        Call::No => "Not legal".to_owned(),
        Call::TooClose => format!("Too close to call, {pips}"),
        Call::Held => "Held".to_owned(),
    }
}

fn explanation(
    ui: &mut Ui,
    e: &ExplanationView,
    view: &MovesView,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        let words = verdict_words(e);
        ui.horizontal(|ui| {
            if !e.moves.is_empty() {
                let (rect, _) = ui.allocate_exact_size(vec2(22.0, 22.0), Sense::empty());
                paint::badge(ui.painter(), rect.center(), 20.0, e.call, palette);
            }
            let label = ui.label(RichText::new(&words).heading().strong());
            label.widget_info(|| WidgetInfo::labeled(egui::Role::Label, true, format!("Move: {words}")));
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                if matches!(e.call, Call::Yes | Call::TooClose) {
                    let button = ui.add(Button::new("Accept"));
                    if button.on_hover_text("The move is over; the next is read from here.").clicked() {
                        out.push(Command::Moves(MovesCommand::Accept));
                    }
                }
            });
        });
        let open = "Still open: it may be adjusted, and is over when another element starts to move.";
        ui.label(RichText::new(open).small().color(palette.faint));
        for (n, mv) in e.moves.iter().enumerate() {
            if n > 0 {
                ui.separator();
            }
            one(ui, n, mv, palette);
        }
        for name in &e.follows {
            let words = format!("{name} conforms or turns to face because of it.");
            ui.label(RichText::new(words).small().color(palette.faint));
        }
        for nudge in &e.nudges {
            ui.separator();
            nudges::one(ui, nudge, palette, out);
        }
        match e.call {
            Call::No | Call::Held => overrule(ui, "Overrule: it stands", MovesCommand::Overrule, out),
            Call::Yes | Call::TooClose => {
                overrule(ui, "Overrule: it is not allowed", MovesCommand::Disallow, out);
            }
        }
        ui.label(RichText::new(format!("Under the settings: {}", view.under)).small().color(palette.faint));
    });
}

fn one(ui: &mut Ui, n: usize, mv: &MoveView, palette: &Palette) {
    theme::dense(ui);
    ui.label(RichText::new(sentence(&mv.words)).strong());
    let fails = mv.conditions.iter().filter(|c| c.call != Call::Yes).count();
    let shown = fails.max(SHOWN.min(mv.conditions.len()));
    for c in &mv.conditions[..shown] {
        condition(ui, c, palette);
    }
    for open in &mv.unchecked {
        let words = format!("Not checked: {} ({})", open.text, open.clause);
        ui.label(RichText::new(words).small().color(palette.close));
    }
    let rest = &mv.conditions[shown..];
    let words = match rest.len() {
        0 => "What was read".to_owned(),
        1 => "1 more condition holds".to_owned(),
        more => format!("{more} more conditions hold"),
    };
    egui::CollapsingHeader::new(RichText::new(words).small()).id_salt(("conditions", n)).show(ui, |ui| {
        for c in rest {
            condition(ui, c, palette);
        }
        ui.label(RichText::new(&mv.line).small().monospace().color(palette.faint));
        for note in &mv.notes {
            ui.label(RichText::new(format!("{}  {}", note.clause, note.text)).small().color(palette.faint));
        }
    });
}

fn condition(ui: &mut Ui, c: &ConditionView, palette: &Palette) {
    ui.horizontal_top(|ui| {
        let (rect, mark) = ui.allocate_exact_size(vec2(16.0, 18.0), Sense::empty());
        paint::badge(ui.painter(), rect.center(), 13.0, c.call, palette);
        let label = format!("{}: {}", c.call.words(), c.text);
        mark.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
        ui.vertical(|ui| {
            ui.label(RichText::new(sentence(&c.text)).small());
            let by = match c.margin_mm {
                Some((mm, sigma)) => format!("{mm:+.1} mm \u{b1} {:.1}   {}", sigma.max(0.05), c.clause),
                None => c.clause.clone(),
            };
            ui.label(RichText::new(by).small().color(palette.faint));
            if let Some(remedy) = &c.remedy {
                ui.label(RichText::new(sentence(remedy)).small().strong().color(palette.close));
            }
        });
    });
}

/// The other explanations, each to be looked at by one click.
fn others(ui: &mut Ui, view: &MovesView, chosen: usize, palette: &Palette, out: &mut Vec<Command>) {
    if view.explanations.len() < 2 {
        return;
    }
    theme::card(palette).show(ui, |ui| {
        ui.set_width(ui.available_width());
        theme::dense(ui);
        ui.label(RichText::new("It may have been").strong());
        for (n, e) in view.explanations.iter().enumerate() {
            let moves: Vec<&str> = e.moves.iter().map(|m| m.words.as_str()).collect();
            let words = format!("{}: {}", verdict_words(e), moves.join("; "));
            if ui.add(Button::selectable(n == chosen, RichText::new(words).small()).wrap()).clicked() {
                out.push(Command::Moves(MovesCommand::Choose(n)));
            }
        }
    });
}
