//! `groma` alone: the window, on the sample table and a simulated camera unless files and a source are
//! named.

use super::Failure;
use super::inputs::{lens_profile, table_and_roster};
use super::watch::open_any;
use crate::app::engine::Engine;
use crate::app::launch;
use crate::app::logic::{CameraLister, Logic, Opener};
use crate::app::state::State;
use crate::app::window::Window;
use crate::app::worker::Pace;
use crate::judge::{Roster, Table};
use crate::rules::Settings;
use crate::session::Dice;
use crate::vision::LensProfile;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// What the window begins with.
#[derive(Debug, clap::Args)]
pub struct WindowArgs {
    /// The table file; the sample table where none is given.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A roster file; may be given more than once. The sample roster where none is given.
    #[arg(long, value_name = "FILE")]
    roster: Vec<PathBuf>,
    /// The camera's lens profile. Without one the lens is estimated from the reference tags.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// A picture, a folder, a video, a stream's address, camera:N or sim:SEED.
    #[arg(long, value_name = "SOURCE", default_value = "sim:60")]
    source: String,
}

/// Opens the window and runs it until it is closed.
///
/// # Errors
/// A file with mistakes, or no display. A source that cannot be opened is told in the window.
pub fn run(args: &WindowArgs) -> Result<(), Failure> {
    let (table, roster) = table_and_roster(args.table.as_deref(), &args.roster)?;
    let lens = args.lens.as_deref().map(lens_profile).transpose()?;
    let opener = opener(table.clone(), roster.clone());
    let parts = WindowParts { table, roster, lens, dice_seed: fresh_seed(), opener, pace: Pace::AsCaptured };
    launch::run(parts.window(), args.source.clone()).map_err(|error| Failure::Job(error.into()))
}

/// What a window is made of.
pub(super) struct WindowParts {
    pub table: Table,
    pub roster: Roster,
    pub lens: Option<LensProfile>,
    pub dice_seed: u64,
    pub opener: Opener,
    pub pace: Pace,
}

impl WindowParts {
    /// The window, before its first source is opened.
    pub fn window(self) -> Window {
        let engine = Engine::new(self.table, self.roster, Settings::dba3());
        let state = State::new(engine, Dice::from_seed(self.dice_seed), egui::Theme::Dark);
        Window::new(Logic::new(state, self.opener, camera_lister(), self.lens, self.pace))
    }
}

/// A seed that nobody chose: from the clock, nine digits, short enough to be written down.
fn fresh_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (now.as_nanos() % 1_000_000_000) as u64
}

/// Opens whatever the command line opens.
pub(super) fn opener(table: Table, roster: Roster) -> Opener {
    Arc::new(move |spec| {
        open_any(&table, &roster, spec).map_err(|failure| match failure {
            Failure::Job(error) => format!("{error:#}"),
            Failure::Use(words) => words,
        })
    })
}

#[cfg(feature = "camera")]
pub(super) fn camera_lister() -> CameraLister {
    use crate::app::state::CameraEntry;
    Arc::new(|| {
        let cameras = crate::vision::source::list_cameras().map_err(|error| error.to_string())?;
        Ok(cameras
            .into_iter()
            .map(|c| CameraEntry { source: format!("camera:{}", c.number), name: c.name })
            .collect())
    })
}

#[cfg(not(feature = "camera"))]
pub(super) fn camera_lister() -> CameraLister {
    Arc::new(
        || Err("this program was built without webcams; build it with the feature \"camera\"".to_owned()),
    )
}
