//! Calibration boards on paper.

use super::sheet::{MARGIN_MM, Orientation, Paper, Sheet, pattern_of};
use crate::tracking::Tag;
use crate::vision::calibration::Board;

/// Room at the page's foot for the ruler and its words.
const FOOT_MM: f64 = 20.0;

/// Why a board cannot be printed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error(
    "the board is {width_mm:.0} x {height_mm:.0} mm with its light edge, and {paper} has room for {room_mm:.0} x {room_high_mm:.0}: fewer or smaller squares, or larger paper"
)]
pub struct TooLarge {
    /// The board's width.
    pub width_mm: f64,
    /// The board's height.
    pub height_mm: f64,
    /// The paper's name.
    pub paper: &'static str,
    /// Room across.
    pub room_mm: f64,
    /// Room up.
    pub room_high_mm: f64,
}

/// A board on a page, lying the way it fits.
///
/// # Errors
/// Where it fits neither way.
pub fn board_sheet(board: &Board, paper: Paper) -> Result<Sheet, TooLarge> {
    let (width_mm, height_mm) = board.extent_mm();
    let quiet = match *board {
        Board::Chessboard { square_mm, .. } => square_mm / 2.0,
        Board::Tags { family, first_id, size_mm, .. } => {
            let pattern = pattern_of(Tag::new(family, first_id));
            (pattern.picture_mm(size_mm) - size_mm + pattern.module_mm(size_mm)) / 2.0
        }
    };
    let (wide, high) = (width_mm + 2.0 * quiet, height_mm + 2.0 * quiet);
    let fits = |o: Orientation| {
        let sheet = Sheet::new(paper, o);
        let room = (sheet.width - 2.0 * MARGIN_MM, sheet.height - 2.0 * MARGIN_MM - FOOT_MM);
        (wide <= room.0 && high <= room.1).then_some(sheet)
    };
    let Some(mut sheet) = fits(Orientation::Landscape).or_else(|| fits(Orientation::Portrait)) else {
        let sheet = Sheet::new(paper, Orientation::Landscape);
        return Err(TooLarge {
            width_mm: wide,
            height_mm: high,
            paper: paper.name(),
            room_mm: sheet.width - 2.0 * MARGIN_MM,
            room_high_mm: sheet.height - 2.0 * MARGIN_MM - FOOT_MM,
        });
    };
    let left = (sheet.width - width_mm) / 2.0;
    let top = sheet.height - MARGIN_MM - quiet;
    match *board {
        Board::Chessboard { columns, rows, square_mm } => {
            for row in 0..=rows {
                for column in (0..=columns).filter(|c| (c + row) % 2 == 0) {
                    let (x, y) = (f64::from(column) * square_mm, f64::from(row + 1) * square_mm);
                    sheet.black(left + x, top - y, square_mm, square_mm);
                }
            }
        }
        Board::Tags { family, first_id, columns, rows, size_mm, pitch_mm } => {
            for index in 0..columns * rows {
                let (x, y) = (f64::from(index % columns) * pitch_mm, f64::from(index / columns) * pitch_mm);
                let pattern = pattern_of(Tag::new(family, first_id + index));
                sheet.tag(&pattern, size_mm, left + x, top - y - size_mm);
            }
        }
    }
    let told = format!("groma markers sizes --board {board} --ruler ...");
    sheet.foot("Calibration board: glue it flat on something stiff", &told);
    Ok(sheet)
}
