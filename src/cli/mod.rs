//! The command line, one file a command. No window is needed for any but `groma` itself.
//!
//! Exit codes: 0 done, 1 a job that failed, 2 wrong use. Errors go to stderr, results to stdout;
//! with `--json` a result is one object a line.

/// Writes one line to stderr. Where nobody listens to that either, the work goes on: `eprintln!` would panic.
macro_rules! note {
    ($($words:tt)*) => { $crate::cli::note_line(format_args!($($words)*)) };
}

#[cfg(feature = "vision")]
pub mod accuracy;
pub mod army;
pub mod battle;
#[cfg(feature = "vision")]
pub mod calibrate;
#[cfg(feature = "vision")]
mod camera_notes;
#[cfg(feature = "camera")]
pub mod cameras;
pub mod cases;
#[cfg(feature = "vision")]
pub mod check;
pub mod clauses;
pub mod combat;
#[cfg(feature = "window")]
pub mod demo;
pub mod dice;
mod due;
pub mod evidence;
pub mod explain;
pub mod init;
pub mod inputs;
#[cfg(feature = "vision")]
pub mod jig;
pub mod judge;
pub mod judge_cases;
#[cfg(feature = "window")]
mod keep;
#[cfg(feature = "vision")]
pub mod markers;
pub mod matrix;
#[cfg(feature = "vision")]
pub mod measure;
pub mod measured;
pub mod odds;
pub mod outputs;
#[cfg(feature = "vision")]
mod pictures;
pub mod play;
#[cfg(feature = "vision")]
pub mod read;
pub mod rehearsal;
pub mod replay;
mod report;
mod rulings;
pub mod settings;
pub mod setup;
#[cfg(feature = "window")]
pub mod show;
#[cfg(feature = "vision")]
pub mod sim;
#[cfg(feature = "vision")]
mod sim_board;
#[cfg(feature = "vision")]
pub mod sim_scene;
pub mod study;
#[cfg(feature = "vision")]
pub mod terrain;
#[cfg(feature = "vision")]
pub mod verify;
#[cfg(feature = "vision")]
pub mod watch;
#[cfg(feature = "window")]
pub mod window;

use clap::{Parser, Subcommand};
use std::io::{ErrorKind, Write};
use std::sync::atomic::{AtomicU8, Ordering};

/// Reads a real wargame table through a webcam and judges De Bellis Antiquitatis on it.
#[derive(Debug, Parser)]
#[command(name = "groma", version, about, args_conflicts_with_subcommands = true)]
struct Cli {
    #[cfg(feature = "window")]
    #[command(flatten)]
    window: window::WindowArgs,
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Army(army::ArmyArgs),
    Battle(battle::BattleArgs),
    #[cfg(feature = "vision")]
    Calibrate(calibrate::CalibrateArgs),
    #[cfg(feature = "camera")]
    Cameras(cameras::CamerasArgs),
    Cases(cases::CasesArgs),
    #[cfg(feature = "vision")]
    Check(check::CheckArgs),
    Clauses(clauses::ClausesArgs),
    Combat(combat::CombatArgs),
    #[cfg(feature = "window")]
    Demo(demo::DemoArgs),
    Dice(dice::DiceArgs),
    Evidence(evidence::EvidenceArgs),
    Explain(explain::ExplainArgs),
    Init(init::InitArgs),
    #[cfg(feature = "vision")]
    Jig(jig::JigArgs),
    Judge(judge::JudgeArgs),
    #[cfg(feature = "window")]
    Keep(keep::KeepArgs),
    #[cfg(feature = "vision")]
    Markers(markers::MarkersArgs),
    Matrix(matrix::MatrixArgs),
    #[cfg(feature = "vision")]
    Measure(measure::MeasureArgs),
    Odds(odds::OddsArgs),
    #[cfg(feature = "vision")]
    Read(read::ReadArgs),
    Replay(replay::ReplayArgs),
    Report(report::ReportArgs),
    Settings(settings::SettingsListArgs),
    Setup(setup::SetupArgs),
    /// Writes a picture of the simulated table, and what is true of it.
    #[cfg(feature = "vision")]
    Sim(sim::SimArgs),
    Study(study::StudyArgs),
    #[cfg(feature = "vision")]
    Terrain(terrain::TerrainArgs),
    #[cfg(feature = "vision")]
    Verify(verify::VerifyArgs),
}

impl Command {
    /// Whether it comes to an end by itself and its exit code says what it found.
    fn answers_by_exit_code(&self) -> bool {
        matches!(self, Self::Army(_) | Self::Battle(_) | Self::Cases(_) | Self::Replay(_))
            || matches!(self, Self::Judge(args) if args.is_finite())
    }
}

/// Why a command did not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The job failed: exit code 1.
    Job(anyhow::Error),
    /// The command was used wrongly: exit code 2.
    Use(String),
}

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Self {
        Self::Job(error)
    }
}

/// What comes of a result that nobody reads any more (`groma read ... | head`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Unheard {
    /// The program ends quietly, as others do: a live source would go on for ever.
    Ends,
    /// The work goes on without a word, for the exit code is an answer too.
    Goes,
}

static UNHEARD: AtomicU8 = AtomicU8::new(Unheard::Ends as u8);

/// Writes one result to stdout. Where its reader has gone away, [`Unheard`] says what comes of it; a result that cannot
/// be written for another reason, such as a full disk, ends the program as a job that failed.
pub fn say(line: impl std::fmt::Display) {
    match writeln!(std::io::stdout(), "{line}") {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {
            if UNHEARD.load(Ordering::Relaxed) == Unheard::Ends as u8 {
                leave(0);
            }
        }
        Err(error) => {
            note!("groma: the results cannot be written: {error}; send them somewhere else");
            leave(1);
        }
    }
}

/// Writes one line to stderr, or nowhere where that is closed.
pub(crate) fn note_line(words: std::fmt::Arguments<'_>) {
    // What cannot be told there cannot be told anywhere.
    let _ = writeln!(std::io::stderr(), "{words}");
}

/// Ends the process at once, without the libraries' own clean-up.
///
/// A reading thread may still be inside OpenCV: it is never waited for, because a camera's read can hang
/// for ever. The libraries' clean-up at a usual exit pulls the ground from under it, and the program
/// crashed in some headless demos for that (one of four under a debugger). Everything that is to be kept has been written by now.
pub fn leave(code: i32) -> ! {
    unsafe extern "C" {
        fn _exit(status: i32) -> !;
    }
    // What cannot be flushed cannot be told either.
    let _ = std::io::stdout().flush();
    let _ = std::io::stderr().flush();
    // SAFETY: the C library's `_exit` takes any number and does not return.
    unsafe { _exit(code) }
}

/// A seed: any whole number.
fn whole(text: &str) -> Result<u64, String> {
    let most = u64::MAX;
    text.trim().parse().map_err(|_| format!("expected a whole number, 0 to {most}, such as 7"))
}

/// The run log goes to stderr: warnings, or as much as `GROMA_LOG` asks for (`info`, `debug`).
fn keep_log() {
    let filter = tracing_subscriber::EnvFilter::try_from_env("GROMA_LOG")
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("groma=warn"));
    let kept = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr).try_init();
    // Only a second call could fail, and the first one's log goes on.
    drop(kept);
}

/// Runs the program on the process's own arguments and gives its exit code.
pub fn run() -> i32 {
    keep_log();
    let cli = Cli::parse();
    if cli.command.as_ref().is_some_and(Command::answers_by_exit_code) {
        UNHEARD.store(Unheard::Goes as u8, Ordering::Relaxed);
    }
    let done: Result<(), Failure> = match cli.command {
        #[cfg(feature = "window")]
        None => window::run(&cli.window),
        #[cfg(not(feature = "window"))]
        None => Err(Failure::Use(
            "this program was built without its window; `groma --help` lists what it can do".to_owned(),
        )),
        Some(command) => match command {
            Command::Army(args) => army::run(&args),
            Command::Battle(args) => battle::run(&args),
            #[cfg(feature = "vision")]
            Command::Calibrate(args) => calibrate::run(&args),
            #[cfg(feature = "vision")]
            Command::Markers(args) => markers::run(&args),
            #[cfg(feature = "camera")]
            Command::Cameras(args) => cameras::run(&args),
            Command::Cases(args) => cases::run(&args),
            #[cfg(feature = "vision")]
            Command::Check(args) => check::run(&args),
            Command::Clauses(args) => clauses::run(&args),
            Command::Combat(args) => combat::run(&args),
            #[cfg(feature = "window")]
            Command::Demo(args) => demo::run(&args),
            Command::Dice(args) => dice::run(&args),
            Command::Evidence(args) => evidence::run(&args),
            Command::Explain(args) => explain::run(&args),
            Command::Init(args) => init::run(&args),
            #[cfg(feature = "vision")]
            Command::Jig(args) => jig::run(&args),
            Command::Judge(args) => judge::run(&args),
            #[cfg(feature = "window")]
            Command::Keep(args) => keep::run(&args),
            Command::Matrix(args) => matrix::run(&args),
            #[cfg(feature = "vision")]
            Command::Measure(args) => measure::run(&args),
            Command::Odds(args) => odds::run(&args),
            #[cfg(feature = "vision")]
            Command::Read(args) => read::run(&args),
            Command::Replay(args) => replay::run(&args),
            Command::Report(args) => report::run(&args),
            Command::Settings(args) => settings::run(&args),
            Command::Setup(args) => setup::run(&args),
            #[cfg(feature = "vision")]
            Command::Sim(args) => sim::run(&args),
            Command::Study(args) => study::run(&args),
            #[cfg(feature = "vision")]
            Command::Terrain(args) => terrain::run(&args),
            #[cfg(feature = "vision")]
            Command::Verify(args) => verify::run(&args),
        },
    };
    match done {
        Ok(()) => 0,
        Err(Failure::Job(error)) => {
            note!("groma: {error:#}");
            1
        }
        Err(Failure::Use(message)) => {
            note!("groma: {message}");
            2
        }
    }
}
