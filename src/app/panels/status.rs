//! The line at the bottom: where frames come from and how well they are read.

use crate::app::state::{Run, State};
use crate::app::theme::{self, Palette};
use crate::markers::Standing;
use crate::text::today;
use egui::{RichText, Ui};

/// Shows the line.
pub fn show(ui: &mut Ui, state: &State) {
    let palette = Palette::of(ui);
    ui.horizontal_wrapped(|ui| {
        theme::dense(ui);
        ui.spacing_mut().item_spacing.x = 18.0;
        let words = run_words(state);
        let silent = matches!(state.source().run, Run::Away | Run::Failed(_));
        let colour = if silent { palette.no } else { palette.ink };
        ui.label(RichText::new(words).small().color(colour));
        if !state.files().is_empty() {
            ui.label(RichText::new(state.files()).small().color(palette.ink));
        }
        certificate(ui, state, &palette);
        locks(ui, state, &palette);
        for part in figures(state) {
            ui.label(RichText::new(part).small().color(palette.faint));
        }
    });
}

/// The table's certificate: its age and result, or that there is none.
fn certificate(ui: &mut Ui, state: &State, palette: &Palette) {
    let Some((words, standing)) = state.certificate_words(&today()) else { return };
    let colour = match standing {
        Standing::Good => palette.yes,
        Standing::Doubtful => palette.close,
    };
    ui.label(RichText::new(words).small().color(colour));
}

/// What of the camera is locked, and what is not.
fn locks(ui: &mut Ui, state: &State, palette: &Palette) {
    let Some(locks) = state.latest().and_then(|sight| sight.locks.as_ref()) else { return };
    let words = RichText::new(locks.to_string()).small();
    ui.label(words.color(if locks.loose().is_empty() { palette.faint } else { palette.close }));
}

fn run_words(state: &State) -> String {
    let source = state.source();
    let name = if source.description.is_empty() { "source" } else { &source.description };
    match &source.run {
        Run::Opening => "Opening...".to_owned(),
        Run::Running => match &source.second {
            Some(second) => format!("{name} with {second}"),
            None => name.to_owned(),
        },
        Run::Paused if source.unrelated => format!("{name} (more pictures follow)"),
        Run::Paused => format!("{name} (paused)"),
        Run::Away => format!("{name} (away: see above)"),
        Run::Ended if source.unrelated => format!("{name} (the last picture)"),
        Run::Ended => format!("{name} (at its end)"),
        Run::Failed(_) => format!("{name} (stopped: see above)"),
    }
}

/// What was measured of the last frame and of the last few seconds.
fn figures(state: &State) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some(rate) = state.frame_rate() {
        parts.push(format!("{rate:.1} frames a second"));
    }
    let Some(sight) = state.latest() else { return parts };
    parts.push(format!("frame {} in {:.0} ms", sight.frame.seq, sight.spent.as_secs_f64() * 1000.0));
    let known = sight.reading.snapshot.tracks.len();
    parts.push(format!("tags seen {} of {known}", sight.reading.snapshot.seen()));
    match &sight.reading.registration {
        Ok(r) => {
            parts.push(format!("reference tags {} of {}", r.reference_seen, r.reference_known));
            parts.push(format!("residual {:.2} px", r.residual_px));
            parts.push(if r.lens_estimated { "lens estimated".to_owned() } else { "lens known".to_owned() });
        }
        Err(_) => parts.push("not placed on the table".to_owned()),
    }
    parts
}
