//! `groma study`: how right and how honest Groma is, over tables drawn by chance.
//!
//! Every study draws its tables from a seed, photographs them with the simulated camera, reads the
//! photographs through the whole pipeline, and only then looks at what is true. The same command gives the
//! same figures. Lengths are millimetres in the table plane.

mod battle;
#[cfg(feature = "vision")]
mod contrast;
#[cfg(feature = "window")]
mod demo;
#[cfg(feature = "vision")]
mod dice;
#[cfg(feature = "vision")]
mod draw;
#[cfg(feature = "vision")]
mod figures;
#[cfg(feature = "window")]
mod latency;
#[cfg(feature = "vision")]
mod moves;
#[cfg(feature = "vision")]
mod outlines;
#[cfg(feature = "vision")]
mod pairs;
#[cfg(feature = "vision")]
mod parts;
#[cfg(feature = "vision")]
mod plot;
mod region;
#[cfg(feature = "vision")]
mod sight;
#[cfg(feature = "vision")]
mod sigma;
#[cfg(feature = "vision")]
mod size;
#[cfg(feature = "vision")]
pub mod speed;
#[cfg(feature = "vision")]
mod untagged;
#[cfg(feature = "vision")]
pub mod upsets;

use super::Failure;
use clap::{Args, Subcommand};

#[cfg(feature = "vision")]
pub use contrast::{ContrastArgs, ContrastFigure, contrast_study};
#[cfg(feature = "window")]
pub use demo::{DemoFigures, DemoStudyArgs, demo_study};
#[cfg(feature = "vision")]
pub use dice::{DiceFigures, Half, photographed_dice, rendered_dice};
#[cfg(feature = "vision")]
pub use draw::Resolution;
#[cfg(feature = "vision")]
pub use outlines::{OutlineFigure, OutlinesArgs, outline_scenes, outline_tables};
#[cfg(feature = "vision")]
pub use pairs::{Mounts, PairFigures, PairsArgs, pairs_study};
pub use region::{RegionArgs, RegionFigures, region_study};
#[cfg(feature = "vision")]
pub use sight::{Sight, Tally};
#[cfg(feature = "vision")]
pub use sigma::{SigmaArgs, SigmaFigures, sigma_study};
#[cfg(feature = "vision")]
pub use size::{SizeArgs, SizeFigure, size_study};
#[cfg(feature = "vision")]
pub use untagged::{Answers, Plane, UntaggedArgs, UntaggedFigures, UntaggedStudy, untagged_study};

/// Measures Groma's own accuracy on simulated tables drawn from a seed.
#[derive(Debug, Args)]
pub struct StudyArgs {
    #[command(subcommand)]
    which: Which,
}

#[derive(Debug, Subcommand)]
enum Which {
    /// Whether the plus-minus is true: many tables, lenses and cameras.
    #[cfg(feature = "vision")]
    Sigma(SigmaArgs),
    /// Prints in dark earth on sand beside black on white, at less and less contrast.
    #[cfg(feature = "vision")]
    Contrast(ContrastArgs),
    /// Smaller and smaller tags, beside plain AprilTag on the same pictures.
    #[cfg(feature = "vision")]
    Size(SizeArgs),
    #[cfg(feature = "vision")]
    Outlines(OutlinesArgs),
    /// Verdicts about pairs set near a limit.
    #[cfg(feature = "vision")]
    Pairs(PairsArgs),
    #[cfg(feature = "vision")]
    Speed(speed::SpeedArgs),
    #[cfg(feature = "window")]
    Latency(latency::LatencyArgs),
    #[cfg(feature = "vision")]
    Upsets(upsets::UpsetsArgs),
    /// Whole games played by chance: what was seen, and whether it tells what was done.
    #[cfg(feature = "vision")]
    Moves(moves::MovesArgs),
    /// Dice read in rendered throws and in photographs.
    #[cfg(feature = "vision")]
    Dice(dice::DiceStudyArgs),
    Region(RegionArgs),
    Battle(battle::BattleArgs),
    #[cfg(feature = "window")]
    Demo(DemoStudyArgs),
    /// Dispute pairs judged without their bases' tags, by clicked corners.
    #[cfg(feature = "vision")]
    Untagged(UntaggedArgs),
}

/// Runs it.
///
/// # Errors
/// A count of none, an output that cannot be written, a table that cannot be drawn.
pub fn run(args: &StudyArgs) -> Result<(), Failure> {
    match &args.which {
        #[cfg(feature = "vision")]
        Which::Sigma(args) => sigma::run(args),
        #[cfg(feature = "vision")]
        Which::Contrast(args) => contrast::run(args),
        #[cfg(feature = "vision")]
        Which::Size(args) => size::run(args),
        #[cfg(feature = "vision")]
        Which::Outlines(args) => outlines::run(args),
        #[cfg(feature = "vision")]
        Which::Pairs(args) => pairs::run(args),
        #[cfg(feature = "vision")]
        Which::Speed(args) => speed::run(args),
        #[cfg(feature = "window")]
        Which::Latency(args) => latency::run(args),
        #[cfg(feature = "vision")]
        Which::Upsets(args) => upsets::run(args),
        #[cfg(feature = "vision")]
        Which::Moves(args) => moves::run(args),
        #[cfg(feature = "vision")]
        Which::Dice(args) => dice::run(args),
        Which::Region(args) => region::run(args),
        Which::Battle(args) => battle::run(args),
        #[cfg(feature = "window")]
        Which::Demo(args) => demo::run(args),
        #[cfg(feature = "vision")]
        Which::Untagged(args) => untagged::run(args),
    }
}

/// A bar on stderr; it does not show where stderr is no terminal.
#[cfg(feature = "vision")]
fn progress(of: usize, what: &'static str) -> indicatif::ProgressBar {
    let style = indicatif::ProgressStyle::with_template("{msg} {wide_bar} {pos}/{len}, {eta} to go")
        .unwrap_or_else(|_| indicatif::ProgressStyle::default_bar());
    indicatif::ProgressBar::new(of as u64).with_style(style).with_message(what)
}
