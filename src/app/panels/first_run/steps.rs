//! What each step of the first run asks for.

use crate::app::command::{Command, FirstField, FirstRunCommand, Step};
use crate::app::panels::form::field;
use crate::app::panels::rulings;
use crate::app::panels::sources::found_cameras;
use crate::app::state::{FirstRun, State};
use crate::app::theme::Palette;
use egui::{RichText, Ui};

/// What is to be done, in short.
pub(super) fn words(step: Step) -> &'static [&'static str] {
    match step {
        Step::Camera => &[
            "Choose where pictures come from, and the folder in which everything about your table is kept.",
            "Set the camera so that it sees the whole board and a hand's breadth round it, as far from above as you can.",
        ],
        Step::Board => {
            &["Measure the board and a base. 40 mm bases are usual for 15 mm figures, 60 mm for 25 mm."]
        }
        Step::Tags => &[
            "Print the table's kit at 100 %, cut the strips along their dashes, and push each against its edge of the board. \
             The white round a tag must stay on.",
            "Each page has a ruler of 100 mm. Measure one and say what it measures: sizes are corrected by it.",
        ],
        Step::Lens => &[
            "A lens profile makes every answer surer. It takes five minutes, once for a camera; you may leave it out.",
            "The board for it is the last page of the table's kit.",
        ],
        Step::Armies => {
            &["Choose both armies. \"Fill up\" takes the first choice wherever a list leaves one."]
        }
        Step::Bases => &[
            "Put the bases on the board, a tag on each, or on a stalk above the figures. Each is outlined in the picture \
             when it is found.",
        ],
        Step::Ruling => &["Click two bases in the picture: what can be said of the two is below."],
    }
}

/// The step's fields and buttons.
pub(super) fn show(ui: &mut Ui, state: &State, page: &FirstRun, palette: &Palette, out: &mut Vec<Command>) {
    match page.step {
        Step::Camera => camera(ui, page, out),
        Step::Board => {
            typed(ui, page, FirstField::Width, "Board along the near edge, mm", out);
            typed(ui, page, FirstField::Depth, "Board from near to far, mm", out);
            typed(ui, page, FirstField::BaseWidth, "Base width, mm", out);
            button(ui, "Take these", FirstRunCommand::SetBoard, out);
        }
        Step::Tags => {
            button(ui, "Make the table's kit (PDF)", FirstRunCommand::PrintTable, out);
            typed(ui, page, FirstField::Ruler, "The printed ruler of 100 mm measures, mm", out);
            button(ui, "Correct sizes", FirstRunCommand::Correct, out);
            if let Some(ruler) = page.kept.as_ref().and_then(|kept| kept.ruler_mm) {
                let words = format!("Corrected already: the ruler measured {ruler} mm.");
                ui.label(RichText::new(words).small().color(palette.faint));
            }
        }
        Step::Lens => button(ui, "Calibrate the lens", FirstRunCommand::CalibrateLens, out),
        Step::Armies => {
            ui.label(RichText::new("Or take a roster file of your own:").small());
            typed(ui, page, FirstField::Roster, "Roster file", out);
            button(ui, "Copy it into the folder", FirstRunCommand::OwnRoster, out);
        }
        Step::Bases => {}
        Step::Ruling => {
            button(ui, "Nearest enemies", FirstRunCommand::PickPair, out);
            rulings::show(ui, state, out);
        }
    }
}

fn typed(ui: &mut Ui, page: &FirstRun, which: FirstField, name: &str, out: &mut Vec<Command>) {
    if let Some(text) = field(ui, name, page.field(which), true) {
        out.push(Command::FirstRun(FirstRunCommand::Type(which, text)));
    }
}

fn button(ui: &mut Ui, words: &str, command: FirstRunCommand, out: &mut Vec<Command>) {
    if ui.button(words).clicked() {
        out.push(Command::FirstRun(command));
    }
}

fn camera(ui: &mut Ui, page: &FirstRun, out: &mut Vec<Command>) {
    let source = |text: &str| Command::FirstRun(FirstRunCommand::Type(FirstField::Source, text.to_owned()));
    typed(ui, page, FirstField::Folder, "Folder", out);
    typed(ui, page, FirstField::Source, "Source: camera:0, a picture, a video, an address, or sim:60", out);
    ui.horizontal(|ui| {
        if ui.button("Simulated table").clicked() {
            out.push(source("sim:60"));
        }
        if ui.button("Find cameras").clicked() {
            out.push(Command::FindCameras);
        }
    });
    found_cameras(ui, &page.cameras, |camera| out.push(source(camera)));
    button(ui, "Look", FirstRunCommand::Look, out);
}
