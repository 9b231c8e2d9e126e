//! `groma study`: how right and how honest Groma is, over tables drawn by chance.
//!
//! Every study draws its tables from a seed, photographs them with the simulated camera, reads the
//! photographs through the whole pipeline, and only then looks at what is true. The same command gives the
//! same figures. Lengths are millimetres in the table plane.

mod contrast;
mod draw;
mod figures;
mod moves;
mod pairs;
mod parts;
mod plot;
mod sight;
mod sigma;
mod size;
pub mod speed;
pub mod upsets;

use super::Failure;
use clap::{Args, Subcommand};

pub use contrast::{ContrastArgs, ContrastFigure, contrast_study};
pub use draw::Resolution;
pub use pairs::{Mounts, PairFigures, PairsArgs, pairs_study};
pub use sight::{Sight, Tally};
pub use sigma::{SigmaArgs, SigmaFigures, sigma_study};
pub use size::{SizeArgs, SizeFigure, size_study};

/// Measures Groma's own accuracy on simulated tables drawn from a seed.
#[derive(Debug, Args)]
pub struct StudyArgs {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Whether the plus-minus is true: many tables, lenses and cameras.
    Sigma(SigmaArgs),
    /// Prints in dark earth on sand beside black on white, at less and less contrast.
    Contrast(ContrastArgs),
    /// Smaller and smaller tags, beside plain AprilTag on the same pictures.
    Size(SizeArgs),
    /// Verdicts about pairs set near a limit.
    Pairs(PairsArgs),
    Speed(speed::SpeedArgs),
    Upsets(upsets::UpsetsArgs),
    /// Whole games played by chance: what was seen, and whether it tells what was done.
    Moves(moves::MovesArgs),
}

/// Runs it.
///
/// # Errors
/// A count of none, an output that cannot be written, a table that cannot be drawn.
pub fn run(args: &StudyArgs) -> Result<(), Failure> {
    match &args.which {
        Which::Sigma(args) => sigma::run(args),
        Which::Contrast(args) => contrast::run(args),
        Which::Size(args) => size::run(args),
        Which::Pairs(args) => pairs::run(args),
        Which::Speed(args) => speed::run(args),
        Which::Upsets(args) => upsets::run(args),
        Which::Moves(args) => moves::run(args),
    }
}

/// A bar on stderr; it does not show where stderr is no terminal.
fn progress(of: usize, what: &'static str) -> indicatif::ProgressBar {
    let style = indicatif::ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} to go")
        .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
    indicatif::ProgressBar::new(of as u64).with_style(style).with_message(what)
}
