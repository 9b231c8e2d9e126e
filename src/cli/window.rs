//! `groma` alone: the window, on the sample table and a simulated camera unless files and a source are
//! named.

use super::Failure;
use super::inputs::{lens_profile, table_and_roster, table_file, told};
use super::outputs::reason;
use super::watch::{open_any_lasting, simulated};
use crate::app::command::{Command, Mode, ModeCommand};
use crate::app::launch;
use crate::app::logic::{CameraLister, Logic, Opener};
use crate::app::outside::{NamedFiles, OpenedFolder, Outside, Setup};
use crate::app::settings::{SETTINGS_FILE, WindowSettings};
use crate::app::state::State;
use crate::app::window::Window;
use crate::app::worker::Pace;
use crate::judge::{FOLDER_FILE, Roster, Table, parse_folder, samples};
use crate::markers::{KeptCertificate, certificate_path, read_certificate};
use crate::rules::Settings;
use crate::session::engine::Engine;
use crate::session::journal::{Journal, Keeper, Kept};
use crate::session::play::replay;
use crate::session::{Seed, Throws};
use crate::text::{Wanted, read_file};
use anyhow::Context;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What the window begins with.
#[derive(Debug, clap::Args)]
pub struct WindowArgs {
    /// The table file. Without one the sample table is used, and only simulated sources fit it.
    #[arg(long, value_name = "FILE")]
    table: Option<PathBuf>,
    /// A roster file; may be given more than once. Goes with --table.
    #[arg(long, value_name = "FILE")]
    roster: Vec<PathBuf>,
    /// A table folder, as the first run or `groma init` makes it: table, rosters, lens profile and source together.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["table", "roster", "lens", "journal"])]
    folder: Option<PathBuf>,
    /// The camera's lens profile. Without one the lens is estimated from the reference tags.
    #[arg(long, value_name = "FILE")]
    lens: Option<PathBuf>,
    /// The battle's journal: a new file, or one to go on from. It keeps table and rosters, so they are not named with
    /// one to go on from.
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// A picture, a folder, a video, a stream's address, camera:N or sim:SEED. Where neither this nor any file is named,
    /// the window begins with the first run, which leads from a camera to a first ruling.
    #[arg(long, value_name = "SOURCE")]
    source: Option<String>,
    /// A second camera over the same table: what both see counts from both.
    #[arg(long, value_name = "SOURCE")]
    second: Option<String>,
    /// For whom the window is; it can be changed in it.
    #[arg(long, value_enum, default_value_t)]
    mode: Mode,
}

/// What is shown where nobody names a source.
const SOURCE: &str = "sim:60";

/// Opens the window and runs it until it is closed.
///
/// # Errors
/// Wrong use where only one of table and roster is named, or neither for a source that is not simulated; a
/// file with mistakes, or no display. A source that cannot be opened is told in the window.
pub fn run(args: &WindowArgs) -> Result<(), Failure> {
    let second = args.second.clone().unwrap_or_default();
    if let Some(dir) = &args.folder {
        let OpenedFolder { source, setup, .. } = folder(dir)?;
        let source = args.source.clone().or(source).unwrap_or_else(|| SOURCE.to_owned());
        let mut window = window(setup, fresh()?, Pace::AsCaptured);
        window.logic_mut().keep_settings_in(dir.join(SETTINGS_FILE));
        window.logic_mut().carry_out(Command::Mode(ModeCommand::Be(args.mode)));
        return launch::run(window, source, second).map_err(|error| Failure::Job(error.into()));
    }
    let mut begin = match args.journal.as_deref().filter(|path| path.exists()) {
        Some(path) => going_on(args, path)?,
        None => beginning(args)?,
    };
    if let Some(path) = WindowSettings::usual_file() {
        begin.logic_mut().keep_settings_in(path);
    }
    begin.logic_mut().carry_out(Command::Mode(ModeCommand::Be(args.mode)));
    if args.table.is_none()
        && args.roster.is_empty()
        && args.journal.is_none()
        && args.source.is_none()
        && second.is_empty()
        && args.mode == Mode::default()
    {
        begin.logic_mut().open_first_run();
    }
    launch::run(begin, source(args).to_owned(), second).map_err(|error| Failure::Job(error.into()))
}

/// A window that nobody looks at, on a battle whose journal is kept.
///
/// # Errors
/// Wrong use where no journal is named; a file with mistakes.
pub(super) fn kept(args: &WindowArgs) -> Result<Window, Failure> {
    match args.journal.as_deref() {
        Some(path) if path.exists() => going_on(args, path),
        Some(_) => beginning(args),
        None => {
            let why = "no journal is named: add --journal FILE, a new file or one to go on from";
            Err(Failure::Use(why.to_owned()))
        }
    }
}

impl WindowArgs {
    /// The source, and the second camera; empty for none.
    pub(super) fn sources(&self) -> (&str, &str) {
        (source(self), self.second.as_deref().unwrap_or_default())
    }
}

fn source(args: &WindowArgs) -> &str {
    args.source.as_deref().unwrap_or(SOURCE)
}

/// Reads a table folder.
fn folder(dir: &Path) -> Result<OpenedFolder, Failure> {
    let file = dir.join(FOLDER_FILE);
    if dir.is_dir() && !file.exists() {
        return Err(Failure::Use(format!(
            "{}: there is no {FOLDER_FILE} in it, so this is no table folder: `groma` alone makes one step by step, and \
             `groma init DIR` with samples",
            dir.display()
        )));
    }
    let read = read_file(&file, Wanted::Folder)
        .and_then(|text| parse_folder(&file.display().to_string(), &text))
        .map_err(|mistakes| Failure::Job(told(&[mistakes])))?;
    let named = NamedFiles {
        table: Some(dir.join(&read.table)),
        rosters: read.rosters.iter().map(|name| dir.join(name)).collect(),
        lens: read.lens.as_ref().map(|name| dir.join(name)),
    };
    let words = Files::Own(short(dir));
    let setup = setup(&named, &words)?;
    let source = read.source.as_ref().map(|source| {
        let inside = dir.join(source);
        if inside.exists() { inside.display().to_string() } else { source.clone() }
    });
    Ok(OpenedFolder { folder: read, source, setup })
}

/// A window on a battle that begins.
fn beginning(args: &WindowArgs) -> Result<Window, Failure> {
    let named =
        NamedFiles { table: args.table.clone(), rosters: args.roster.clone(), lens: args.lens.clone() };
    let files = files(named.table.as_deref(), &named.rosters)?;
    if files == Files::Samples {
        only_simulated(source(args)).map_err(Failure::Use)?;
    }
    let mut window = window(setup(&named, &files)?, fresh()?, Pace::AsCaptured);
    if let Some(path) = &args.journal {
        window.logic_mut().keep_in(path).map_err(anyhow::Error::from)?;
    }
    Ok(window)
}

/// A window on a battle that goes on from its journal.
fn going_on(args: &WindowArgs, path: &Path) -> Result<Window, Failure> {
    if args.table.is_some() || !args.roster.is_empty() {
        return Err(Failure::Use(format!(
            "{} holds a battle with its table and rosters: leave out --table and --roster to go on with it, or name \
             a new file",
            path.display()
        )));
    }
    let (journal, found) = Journal::open(path).map_err(anyhow::Error::from)?;
    let name = || path.display().to_string();
    if let Some(torn) = &found.torn {
        note!(
            "{}: the last record was not written whole, or was changed since ({} bytes), and is put aside",
            name(),
            torn.bytes.len()
        );
    }
    let opened = found.opened().clone();
    let engine = Engine::of_opened(&opened).with_context(name)?;
    let samples = opened.table.name == SAMPLE_TABLE;
    let files = if samples { Files::Samples } else { Files::Own(short(path)) };
    if samples {
        only_simulated(source(args)).map_err(Failure::Use)?;
    }
    let (table, roster) = (engine.table().clone(), engine.roster().clone());
    let lens = args.lens.as_deref().map(lens_profile).transpose()?;
    let begin = Setup {
        open: opener(table.clone(), roster.clone(), &files),
        table,
        roster,
        lens,
        kept: (opened.table, opened.rosters),
        named: NamedFiles { lens: args.lens.clone(), ..NamedFiles::default() },
        words: files.words(),
        certificate: None,
    };
    let replayed = replay(engine, &found.records).with_context(name)?;
    let mut window = window(begin, fresh()?, Pace::AsCaptured);
    window.logic_mut().resume(Keeper::resumed(journal, found), replayed.play);
    Ok(window)
}

/// Reads the files.
fn setup(named: &NamedFiles, files: &Files) -> Result<Setup, Failure> {
    let (table, roster) = match &named.table {
        // A table folder whose armies are not chosen yet.
        Some(path) if named.rosters.is_empty() => (table_file(path)?, Roster::default()),
        table => table_and_roster(table.as_deref(), &named.rosters)?,
    };
    let lens = named.lens.as_deref().map(lens_profile).transpose()?;
    let open = opener(table.clone(), roster.clone(), files);
    let certificate = named.table.as_deref().and_then(kept_certificate);
    let kept = match &named.table {
        None => samples_kept(),
        Some(table) => {
            let rosters = named.rosters.iter().map(|path| kept_file(path, Wanted::Roster));
            (kept_file(table, Wanted::Table)?, rosters.collect::<Result<_, _>>()?)
        }
    };
    Ok(Setup { table, roster, lens, kept, named: named.clone(), words: files.words(), certificate, open })
}

/// A file as the journal keeps it.
fn kept_file(path: &Path, what: Wanted) -> Result<Kept, Failure> {
    let text = read_file(path, what).map_err(|mistakes| Failure::Job(told(&[mistakes])))?;
    Ok(Kept { name: path.display().to_string(), text })
}

/// What a journal calls the sample table. Files of a person's own may say the same as the samples, and a camera looks at
/// their table.
const SAMPLE_TABLE: &str = "the sample table";

/// The samples as the journal keeps them.
fn samples_kept() -> (Kept, Vec<Kept>) {
    let kept = |name: &str, text: &str| Kept { name: name.to_owned(), text: text.to_owned() };
    (kept(SAMPLE_TABLE, samples::TABLE_RON), vec![kept("the sample roster", samples::ROSTER_RON)])
}

/// The certificate beside a table file, if there is one.
fn kept_certificate(table: &Path) -> Option<Result<KeptCertificate, String>> {
    match std::fs::read_to_string(certificate_path(table)) {
        Ok(text) => Some(read_certificate(crate::text::without_mark(&text))),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => Some(Err(reason(&error))),
    }
}

/// The samples, on which the demo plays.
pub(super) fn samples_setup(open: Opener) -> Setup {
    Setup {
        table: samples::table(),
        roster: samples::roster(),
        lens: None,
        kept: samples_kept(),
        named: NamedFiles::default(),
        words: Files::Samples.words(),
        certificate: None,
        open,
    }
}

/// The window, before its first source is opened.
pub(super) fn window(begin: Setup, throws: Throws, pace: Pace) -> Window {
    let engine = Engine::new(begin.table.clone(), begin.roster.clone(), Settings::dba3());
    let state = State::new(engine, throws, egui::Theme::Dark);
    Window::new(Logic::new(state, begin, outside(), pace))
}

/// The way out of a window that the command line opens.
pub fn outside() -> Outside {
    Outside {
        open_board: Arc::new(|spec, board| super::calibrate::open_board(spec, board).map_err(words)),
        cameras: camera_lister(),
        load: Arc::new(|named| {
            let files = files(named.table.as_deref(), &named.rosters).map_err(words)?;
            setup(named, &files).map_err(words)
        }),
        folder: Arc::new(|dir| folder(dir).map_err(words)),
        show: Arc::new(super::show::show),
    }
}

fn words(failure: Failure) -> String {
    match failure {
        Failure::Job(error) => format!("{error:#}"),
        Failure::Use(words) => words,
    }
}

/// Where table and rosters come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Files {
    /// The samples: they fit simulated sources only.
    Samples,
    /// A person's own; as the status line names them.
    Own(String),
}

impl Files {
    fn words(&self) -> String {
        match self {
            Self::Samples => "sample table and roster".to_owned(),
            Self::Own(words) => words.clone(),
        }
    }
}

/// Both files, or neither: a table says nothing without its rosters, nor they without it.
fn files(table: Option<&Path>, rosters: &[PathBuf]) -> Result<Files, Failure> {
    let missing = match (table, rosters) {
        (None, []) => return Ok(Files::Samples),
        (Some(table), [_, ..]) => {
            let names = std::iter::once(table).chain(rosters.iter().map(PathBuf::as_path)).map(short);
            return Ok(Files::Own(names.collect::<Vec<_>>().join(" + ")));
        }
        (Some(_), []) => "--table is given without a roster: add --roster FILE",
        (None, [_, ..]) => "--roster is given without a table: add --table FILE",
    };
    Err(Failure::Use(format!("{missing}; `groma init DIR` writes samples of both")))
}

/// A file as the status line names it: the path's last part.
fn short(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

/// Only a simulated camera shows the sample table; whatever else is read with it gives wrong answers.
fn only_simulated(spec: &str) -> Result<(), String> {
    if simulated(spec).is_some() {
        return Ok(());
    }
    Err(format!(
        "{spec}: only the sample table is in use, and it is not the one that this source shows. Name table and \
         roster under \"Open source\", or start `groma --table FILE --roster FILE --source {spec}`; `groma init \
         DIR` writes samples of both files"
    ))
}

/// A session's throws from a key that nobody chose.
fn fresh() -> Result<Throws, Failure> {
    let seed = Seed::fresh().map_err(|why| Failure::Job(why.into()))?;
    Ok(Throws::from_seed(seed))
}

/// Opens whatever the command line opens; on the samples only what is simulated.
pub(super) fn opener(table: Table, roster: Roster, files: &Files) -> Opener {
    let samples = *files == Files::Samples;
    Arc::new(move |spec| {
        if samples {
            only_simulated(spec)?;
        }
        open_any_lasting(&table, &roster, spec).map_err(words)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn table_and_roster_are_named_together_or_not_at_all() {
        let roster = [PathBuf::from("mine/roster.ron")];
        let table = Path::new("mine/table.ron");
        assert_eq!(files(None, &[]).expect("the samples"), Files::Samples);
        let own = files(Some(table), &roster).expect("both");
        assert_eq!(own, Files::Own("table.ron + roster.ron".to_owned()));
        for (table, rosters, wanted) in
            [(Some(table), &[][..], "add --roster FILE"), (None, &roster[..], "add --table FILE")]
        {
            match files(table, rosters) {
                Err(Failure::Use(words)) => assert!(words.contains(wanted), "{words}"),
                other => panic!("half a pair gives {other:?}"),
            }
        }
    }

    #[test]
    fn the_samples_fit_nothing_but_a_simulated_source() {
        assert_eq!(only_simulated("sim:4"), Ok(()));
        for real in ["photo.jpg", "camera:0", "rtsp://table/1", "photos"] {
            let words = only_simulated(real).expect_err("the samples are not that table");
            assert!(words.contains("groma --table FILE --roster FILE"), "{words}");
        }
    }
}
