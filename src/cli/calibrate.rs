//! `groma calibrate`: measures camera and table. `groma calibrate lens` makes a lens profile from pictures of
//! a board, `groma calibrate table` a table file from pictures of the table.

mod lens;
mod table;
pub(super) mod tag_spec;

use super::Failure;
use clap::{Args, Subcommand};

#[cfg(feature = "window")]
pub(super) use lens::open as open_board;

/// Measures the camera and the table.
#[derive(Debug, Args)]
pub struct CalibrateArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    Lens(lens::LensArgs),
    Table(table::TableArgs),
}

/// Runs it.
///
/// # Errors
/// Those of [`lens::run`] and [`table::run`].
pub fn run(args: &CalibrateArgs) -> Result<(), Failure> {
    match &args.what {
        What::Lens(args) => lens::run(args),
        What::Table(args) => table::run(args),
    }
}
