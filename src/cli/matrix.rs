//! `groma matrix`: what becomes of every troop type against every other, as CSV or as a page.

use super::rulings::SettingsArgs;
use super::{Failure, say};
use crate::drawing::matrix_page;
use crate::rules::combat::{Cell, matrix};

/// Prints the outcome matrix: every troop type that fails to beat every other, equal, beaten and doubled, in each
/// going, in close combat and under fire.
#[derive(Debug, clap::Args)]
pub struct MatrixArgs {
    /// The ruleset.
    #[arg(long, value_name = "ID", default_value = "dba3")]
    ruleset: String,
    /// One line a row: loser,winner,combat,result,loser_going,winner_going,outcome. This is the default.
    #[arg(long, conflicts_with = "html")]
    csv: bool,
    /// One HTML page that people can read.
    #[arg(long)]
    html: bool,
    #[command(flatten)]
    settings: SettingsArgs,
}

/// The first line of the CSV.
pub const HEADER: &str = "loser,winner,combat,result,loser_going,winner_going,outcome";

/// Runs the command.
///
/// # Errors
/// A ruleset that is not known, or settings that are not.
pub fn run(args: &MatrixArgs) -> Result<(), Failure> {
    let settings = args.settings.settings()?;
    let id = settings.ruleset().id();
    if args.ruleset != id {
        return Err(Failure::Use(format!(
            "--ruleset {}: combat is judged for {id} alone so far",
            args.ruleset
        )));
    }
    let cells = matrix(&settings).map_err(anyhow::Error::from)?;
    if args.html {
        say(matrix_page(&cells, settings.name()));
    } else {
        let lines: Vec<String> = std::iter::once(HEADER.to_owned()).chain(cells.iter().map(row)).collect();
        say(lines.join("\n"));
    }
    Ok(())
}

/// One row of the CSV.
fn row(cell: &Cell<'_>) -> String {
    [
        cell.loser.listed(),
        cell.winner.listed(),
        cell.combat.word(),
        cell.result.word(),
        cell.loser_going.word(),
        cell.winner_going.word(),
        cell.fate.fate.word(),
    ]
    .join(",")
}
