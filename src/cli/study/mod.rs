//! `groma study`: measurements of Groma itself under the simulated camera, one file a study. They take
//! their time and are no tests; `docs/accuracy.md` holds what they gave.

pub mod speed;
pub mod upsets;

use super::Failure;
use clap::Subcommand;

/// Measures how well and how fast Groma reads simulated tables.
#[derive(Debug, clap::Args)]
pub struct StudyArgs {
    #[command(subcommand)]
    study: Study,
}

#[derive(Debug, Subcommand)]
enum Study {
    Speed(speed::SpeedArgs),
    Upsets(upsets::UpsetsArgs),
}

/// Runs the command.
///
/// # Errors
/// A study that cannot be made.
pub fn run(args: &StudyArgs) -> Result<(), Failure> {
    match &args.study {
        Study::Speed(args) => speed::run(args),
        Study::Upsets(args) => upsets::run(args),
    }
}
