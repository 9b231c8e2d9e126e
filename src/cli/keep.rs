//! `groma keep`: a battle is followed and its journal kept with no window, and what is written down is told line by
//! line. A camera that goes away is waited for.

use super::window::{self, WindowArgs};
use super::{Failure, say};
use crate::app::command::Command;
use crate::app::state::{Run, State};
use crate::text::counted;
use anyhow::anyhow;
use std::sync::Arc;
use std::sync::mpsc::sync_channel;
use std::time::{Duration, Instant};

/// Follows a battle and keeps its journal without a window: for a machine without a display. Dice and losses are told
/// in the window later: `groma --journal FILE` goes on from it.
#[derive(Debug, clap::Args)]
pub struct KeepArgs {
    #[command(flatten)]
    window: WindowArgs,
    /// End after so many minutes; else it goes on until the source ends or it is stopped (Ctrl-C loses nothing).
    #[arg(long, value_name = "N", value_parser = minutes)]
    minutes: Option<f64>,
}

/// Minutes: a number above 0.
fn minutes(text: &str) -> Result<f64, String> {
    let most = Duration::from_hours(24 * 365).as_secs_f64() / 60.0;
    text.parse()
        .ok()
        .filter(|n| *n > 0.0 && *n <= most)
        .ok_or_else(|| "expected a number of minutes above 0".to_owned())
}

/// Nothing new for so long: what the threads behind it have worked out is asked for.
const LONGEST_WAIT: Duration = Duration::from_millis(200);

/// Runs the command.
///
/// # Errors
/// Wrong use where no journal is named; files with mistakes; a source that cannot be opened or fails for good.
pub fn run(args: &KeepArgs) -> Result<(), Failure> {
    let mut window = window::kept(&args.window)?;
    let logic = window.logic_mut();
    let (ring, bell) = sync_channel(1);
    logic.wake_with(Arc::new(move || {
        // A bell that has been rung and not been heard yet rings already.
        let _ = ring.try_send(());
    }));
    let (source, second) = args.window.sources();
    logic.open_with_second(source, second);
    let begun = Instant::now();
    let ends = args.minutes.map(|n| begun + Duration::from_secs_f64(60.0 * n));
    let mut told = Told { lines: logic.state.written().len(), ..Told::default() };
    loop {
        let now = Instant::now();
        logic.tick(now);
        told.tell(&logic.state);
        match &logic.state.source().run {
            Run::Failed(words) => return Err(Failure::Job(anyhow!("{words}"))),
            Run::Ended => return Ok(()),
            Run::Opening | Run::Running | Run::Away => {}
            // Photographs wait for a call after each.
            Run::Paused => logic.carry_out(Command::TogglePause),
        }
        if ends.is_some_and(|end| now >= end) {
            return Ok(());
        }
        let _ = bell.recv_timeout(LONGEST_WAIT);
    }
}

/// What has been told.
#[derive(Default)]
struct Told {
    source: String,
    found: bool,
    notice: Option<String>,
    /// How many lines of what was written down.
    lines: usize,
}

impl Told {
    fn tell(&mut self, state: &State) {
        if state.source().description != self.source {
            self.source.clone_from(&state.source().description);
            say(format!("Reading {}.", self.source));
        }
        if state.notice() != self.notice.as_deref() {
            self.notice = state.notice().map(str::to_owned);
            if let Some(words) = &self.notice {
                note!("groma: {words}");
            }
        }
        let seen = state
            .latest()
            .filter(|sight| sight.reading.registration.is_ok() && sight.reading.snapshot.at_rest());
        if let (false, Some(sight)) = (self.found, seen) {
            self.found = true;
            say(format!("The table is found, with {}.", counted(sight.reading.snapshot.seen(), "base")));
        }
        // An undo takes lines away again.
        for written in state.written().iter().skip(self.lines) {
            say(format!("{}: {} [{}]", written.kind.word(), written.words, written.under));
        }
        self.lines = state.written().len();
    }
}
