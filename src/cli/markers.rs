//! `groma markers`: what is to be printed, as PDF at exact scale.

mod kit;
mod plan;

use super::outputs::{self, Kind, Output};
use super::{Failure, say};
use crate::markers::{Paper, Sheet, board_sheet, check_sheet, jig_sheet, to_pdf};
use crate::vision::calibration::Board;
use clap::{Args, Subcommand};
use std::path::PathBuf;

/// The board that is printed where none is named.
const BOARD: &str = "chessboard:9x6:20";

/// Makes what is to be printed, as PDF. Print at 100 %, and measure the ruler on each page.
#[derive(Debug, Args)]
pub struct MarkersArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// A calibration board, for `groma calibrate lens`.
    Board(BoardArgs),
    /// The check sheet, for `groma check`.
    Check(On),
    /// The jig that measures where tags sit on their bases, for `groma jig`.
    Jig(On),
    /// The whole kit of a table and its rosters: tags with names, strips for the board's edges, setting gauges, the
    /// jig, the check sheet, a calibration board, quick-reference cards.
    Print(kit::PrintArgs),
    /// Recommends tags and the camera's place for a board, with what to expect, and says where it will not work.
    Plan(plan::PlanArgs),
    /// Corrects what was taken off printed pages by what their ruler measures.
    Sizes(kit::SizesArgs),
}

#[derive(Debug, Args)]
struct BoardArgs {
    /// chessboard:COLUMNSxROWS:SQUARE_MM, counting inner corners, or
    /// tags:FAMILY:FIRST_ID:COLUMNSxROWS:SIZE_MM:PITCH_MM.
    #[arg(long, default_value = BOARD)]
    board: String,
    #[command(flatten)]
    on: On,
}

#[derive(Debug, Args)]
struct On {
    /// a4 or letter.
    #[arg(long, default_value = "a4")]
    paper: String,
    /// Where to write the PDF.
    #[arg(long)]
    out: PathBuf,
}

/// Runs it.
///
/// # Errors
/// Wrong use: a board or paper that is none, a board too large for the paper. A failed job: files that
/// cannot be read or written, a tag too large for the paper.
pub fn run(args: &MarkersArgs) -> Result<(), Failure> {
    match &args.what {
        What::Board(args) => {
            let board: Board = args.board.parse().map_err(Failure::Use)?;
            let sheet = board_sheet(&board, args.on.paper()?).map_err(|e| Failure::Use(e.to_string()))?;
            args.on.write(&[sheet])?;
            say(format!("{}: {board}, one page", args.on.out.display()));
        }
        What::Check(on) => {
            on.write(&[check_sheet(on.paper()?)])?;
            say(format!("{}: check sheet, one page; print at 100 % and measure its ruler", on.out.display()));
        }
        What::Jig(on) => {
            on.write(&[jig_sheet(on.paper()?)])?;
            say(format!("{}: jig, one page; print at 100 % and measure its ruler", on.out.display()));
        }
        What::Print(args) => kit::print(args)?,
        What::Plan(args) => plan::run(args)?,
        What::Sizes(args) => kit::sizes(args)?,
    }
    Ok(())
}

impl On {
    fn paper(&self) -> Result<Paper, Failure> {
        Paper::named(&self.paper)
            .ok_or_else(|| Failure::Use(format!("--paper {}: expected a4 or letter", self.paper)))
    }

    /// Whether the pages can be written: over nothing but another PDF.
    fn check(&self) -> Result<(), Failure> {
        outputs::check(&[Output { option: "--out", path: &self.out, kind: Kind::Pdf }])
    }

    /// Writes the pages.
    fn write(&self, sheets: &[Sheet]) -> Result<(), Failure> {
        self.check()?;
        outputs::write(&[(&self.out, &to_pdf(sheets))])
    }
}
