//! `groma markers`: what is to be printed, as PDF at exact scale.

use super::inputs::table_and_roster;
use super::outputs::{self, Kind, Output};
use super::{Failure, say};
use crate::markers::{Label, Paper, Sheet, board_sheet, check_sheet, jig_sheet, kit_sheets, to_pdf};
use crate::vision::calibration::Board;
use anyhow::Error;
use clap::{Args, Subcommand};
use std::path::PathBuf;

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
    /// The tags of a table and its rosters, with names and cut lines.
    Print(PrintArgs),
}

#[derive(Debug, Args)]
struct BoardArgs {
    /// chessboard:COLUMNSxROWS:SQUARE_MM, counting inner corners, or
    /// tags:FAMILY:FIRST_ID:COLUMNSxROWS:SIZE_MM:PITCH_MM.
    #[arg(long, default_value = "chessboard:9x6:20")]
    board: String,
    #[command(flatten)]
    on: On,
}

#[derive(Debug, Args)]
struct PrintArgs {
    /// The table file; the sample table where none is given.
    #[arg(long)]
    table: Option<PathBuf>,
    /// A roster file; the sample roster where none is given. May be given more than once.
    #[arg(long)]
    roster: Vec<PathBuf>,
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
        What::Print(args) => {
            let paper = args.on.paper()?;
            let labels = labels(args)?;
            let (sheets, too_large) = kit_sheets(&labels, paper);
            if let Some(label) = too_large.first() {
                return Err(Failure::Job(Error::msg(format!(
                    "the tag of {} is {} mm wide and does not go on {}: give it a smaller size",
                    label.name,
                    label.size_mm,
                    paper.name()
                ))));
            }
            args.on.write(&sheets)?;
            let pages =
                if sheets.len() == 1 { "one page".to_owned() } else { format!("{} pages", sheets.len()) };
            say(format!("{}: {} tags on {pages}", args.on.out.display(), labels.len()));
        }
    }
    Ok(())
}

impl On {
    fn paper(&self) -> Result<Paper, Failure> {
        Paper::named(&self.paper)
            .ok_or_else(|| Failure::Use(format!("--paper {}: expected a4 or letter", self.paper)))
    }

    /// Writes the pages, over nothing but another PDF.
    fn write(&self, sheets: &[Sheet]) -> Result<(), Failure> {
        outputs::check(&[Output { option: "--out", path: &self.out, kind: Kind::Pdf }])?;
        outputs::write(&[(&self.out, &to_pdf(sheets))])
    }
}

/// The reference tags first, then the elements' in the rosters' order.
fn labels(args: &PrintArgs) -> Result<Vec<Label>, Error> {
    let (table, roster) = table_and_roster(args.table.as_deref(), &args.roster)?;
    let reference = table.reference.iter().map(|r| Label {
        tag: r.tag,
        size_mm: r.size_mm,
        name: format!("{} at {}, {}", r.tag.family.name(), r.x_mm, r.y_mm),
    });
    let mounted = roster
        .elements()
        .iter()
        .flat_map(|e| e.tags.iter().map(|t| Label { tag: t.tag, size_mm: t.size_mm, name: e.name.clone() }));
    Ok(reference.chain(mounted).collect())
}
