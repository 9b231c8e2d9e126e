//! What the window cannot do by itself: open sources, list cameras, read the files that people write. Whoever
//! makes a window hands these over; tests hand over their own.

use crate::app::state::CameraEntry;
use crate::app::worker::Open;
use crate::judge::{Roster, Table, TableFolder};
use crate::markers::KeptCertificate;
use crate::session::engine::Engine;
use crate::session::journal::Kept;
use crate::session::play::Act;
use crate::vision::calibration::Board;
use crate::vision::{FrameSource, LensProfile};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Opens a source from what a person typed: a file, a folder, an address, `camera:N` or `sim:SEED`.
/// Called in the thread that will read from it.
pub type Opener = Arc<dyn Fn(&str) -> Result<Box<dyn FrameSource>, String> + Send + Sync>;

/// Opens the same source for a calibration: the simulated camera then shows the board.
pub type BoardOpener = Arc<dyn Fn(&str, Board) -> Result<Box<dyn FrameSource>, String> + Send + Sync>;

/// Lists the cameras that are plugged in.
pub type CameraLister = Arc<dyn Fn() -> Result<Vec<CameraEntry>, String> + Send + Sync>;

/// Reads table, rosters and lens profile; every mistake of every file at once.
pub type Loader = Arc<dyn Fn(&NamedFiles) -> Result<Setup, String> + Send + Sync>;

/// Opens a table folder; every mistake of every file at once.
pub type FolderOpener = Arc<dyn Fn(&Path) -> Result<OpenedFolder, String> + Send + Sync>;

/// Makes the battle that demo mode plays while nobody does; in words why it cannot.
pub type ShowOpener = Arc<dyn Fn() -> Result<Show, String> + Send + Sync>;

/// A battle that is played by a script on a simulated table, round after round.
pub struct Show {
    /// Its table, armies and rules.
    pub engine: Engine,
    /// The scores and dice that are told in each round, and when, from the round's beginning; in order of time.
    pub acts: Vec<(Duration, Act)>,
    /// How long a round takes.
    pub length: Duration,
    /// Opens its pictures.
    pub open: Open,
}

/// A table folder that was read.
pub struct OpenedFolder {
    /// What it says of itself.
    pub folder: TableFolder,
    /// Its source as it is opened from here: a file of the folder with its way.
    pub source: Option<String>,
    /// Its files; a folder without rosters yet has an empty roster.
    pub setup: Setup,
}

/// The way out of the window.
pub struct Outside {
    /// For calibrations.
    pub open_board: BoardOpener,
    /// For the list of cameras.
    pub cameras: CameraLister,
    /// For other files.
    pub load: Loader,
    /// For table folders.
    pub folder: FolderOpener,
    /// For demo mode.
    pub show: ShowOpener,
}

/// The files that a person has named; no table stands for the samples.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NamedFiles {
    /// The table file.
    pub table: Option<PathBuf>,
    /// The roster files.
    pub rosters: Vec<PathBuf>,
    /// The lens profile.
    pub lens: Option<PathBuf>,
}

/// Files that have been read, with what opens sources over them.
pub struct Setup {
    /// The table.
    pub table: Table,
    /// Every roster's elements.
    pub roster: Roster,
    /// The lens profile, where one is named.
    pub lens: Option<LensProfile>,
    /// The table file and the roster files as they were written, for the journal.
    pub kept: (Kept, Vec<Kept>),
    /// Their names.
    pub named: NamedFiles,
    /// What the status line calls table and rosters.
    pub words: String,
    /// The certificate beside the table file, or why it cannot be read; `None` where there is none.
    pub certificate: Option<Result<KeptCertificate, String>>,
    /// Opens sources over this table.
    pub open: Opener,
}
