//! The boards a lens is calibrated from: a chessboard, or a grid of AprilTags. Board frame: millimetres,
//! flat, x to the right and y downwards from the first corner, as the board is read.

use crate::tracking::{Tag, TagFamily};
use crate::vision::TagPattern;
use nalgebra::Point2;
use std::fmt;
use std::str::FromStr;

/// A calibration board.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Board {
    /// Dark and light squares; the corners where four meet are found, and all of them must show.
    Chessboard {
        /// Inner corners along a row.
        columns: u32,
        /// Inner corners down a column.
        rows: u32,
        /// Measured side of a square, millimetres.
        square_mm: f64,
    },
    /// Tags in rows, ids rising along each row; any part of it may be out of the picture.
    Tags {
        /// Their family.
        family: TagFamily,
        /// The first tag's id.
        first_id: u32,
        /// Tags along a row.
        columns: u32,
        /// Rows.
        rows: u32,
        /// Measured side of a tag's black square, millimetres.
        size_mm: f64,
        /// Measured distance from one tag's left edge to the next one's, millimetres.
        pitch_mm: f64,
    },
}

impl Board {
    /// The chessboard's inner corners, row by row; none for a grid of tags.
    pub fn chessboard_corners(&self) -> Vec<Point2<f64>> {
        match *self {
            Self::Chessboard { columns, rows, square_mm } => (0..rows)
                .flat_map(|r| {
                    (0..columns).map(move |c| Point2::new(f64::from(c) * square_mm, f64::from(r) * square_mm))
                })
                .collect(),
            Self::Tags { .. } => Vec::new(),
        }
    }

    /// The corners of a tag of the grid: top left, top right, bottom right, bottom left. `None` where the
    /// tag is not on this board.
    pub fn tag_corners(&self, tag: Tag) -> Option<[Point2<f64>; 4]> {
        let Self::Tags { family, first_id, columns, rows, size_mm, pitch_mm } = *self else { return None };
        let index = tag.id.checked_sub(first_id).filter(|&i| tag.family == family && i < columns * rows)?;
        let (x, y) = (f64::from(index % columns) * pitch_mm, f64::from(index / columns) * pitch_mm);
        Some(
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
                .map(|(i, j)| Point2::new(x + i * size_mm, y + j * size_mm)),
        )
    }

    /// Its printed size, width and height, millimetres, without its margin.
    pub fn extent_mm(&self) -> (f64, f64) {
        match *self {
            Self::Chessboard { columns, rows, square_mm } => {
                (f64::from(columns + 1) * square_mm, f64::from(rows + 1) * square_mm)
            }
            Self::Tags { columns, rows, size_mm, pitch_mm, .. } => {
                (f64::from(columns - 1) * pitch_mm + size_mm, f64::from(rows - 1) * pitch_mm + size_mm)
            }
        }
    }

    /// The same printed so much too large, to a micrometre.
    pub fn scaled(&self, scale: f64) -> Self {
        let mut board = *self;
        let by = |mm: &mut f64| *mm = (*mm * scale * 1e3).round() / 1e3;
        match &mut board {
            Self::Chessboard { square_mm, .. } => by(square_mm),
            Self::Tags { size_mm, pitch_mm, .. } => [size_mm, pitch_mm].into_iter().for_each(by),
        }
        board
    }
}

/// What a board is written as.
pub const BOARD_FORM: &str = "chessboard:COLUMNSxROWS:SQUARE_MM counting inner corners, or tags:FAMILY:FIRST_ID:COLUMNSxROWS:SIZE_MM:PITCH_MM";

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Chessboard { columns, rows, square_mm } => {
                write!(f, "chessboard:{columns}x{rows}:{square_mm}")
            }
            Self::Tags { family, first_id, columns, rows, size_mm, pitch_mm } => {
                write!(f, "tags:{family}:{first_id}:{columns}x{rows}:{size_mm}:{pitch_mm}")
            }
        }
    }
}

impl FromStr for Board {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("board \"{text}\": {what}; a board is written {BOARD_FORM}");
        let count = |part: &str| -> Result<(u32, u32), String> {
            let (c, r) = part.split_once('x').ok_or_else(|| wrong("COLUMNSxROWS was expected"))?;
            let number = |n: &str| {
                n.parse()
                    .ok()
                    .filter(|n| (1..=60).contains(n))
                    .ok_or_else(|| wrong("counts run from 1 to 60"))
            };
            Ok((number(c)?, number(r)?))
        };
        let length = |part: &str| -> Result<f64, String> {
            part.parse()
                .ok()
                .filter(|l: &f64| l.is_finite() && (0.5..=500.0).contains(l))
                .ok_or_else(|| wrong("lengths run from 0.5 to 500 millimetres"))
        };
        match text.split(':').collect::<Vec<_>>().as_slice() {
            ["chessboard", counts, square] => {
                let (columns, rows) = count(counts)?;
                if columns < 3 || rows < 3 {
                    return Err(wrong("a chessboard needs at least 3 inner corners each way"));
                }
                if columns == rows {
                    return Err(wrong("columns and rows must differ, or nobody can tell which way up it is"));
                }
                Ok(Self::Chessboard { columns, rows, square_mm: length(square)? })
            }
            ["tags", family, first, counts, size, pitch] => {
                let family: TagFamily = family.parse()?;
                let (columns, rows) = count(counts)?;
                let first_id: u32 = first.parse().map_err(|_| wrong("the first id is a whole number"))?;
                if first_id.saturating_add(columns * rows) > family.ids() {
                    return Err(wrong(&format!("{family} has only {} ids", family.ids())));
                }
                let (size_mm, pitch_mm) = (length(size)?, length(pitch)?);
                let picture_mm =
                    TagPattern::of(Tag::new(family, first_id)).map_or(size_mm, |p| p.picture_mm(size_mm));
                if pitch_mm < picture_mm {
                    return Err(wrong(&format!(
                        "a {family} of that size is {picture_mm:.1} mm wide with its edge, and the pitch is less"
                    )));
                }
                Ok(Self::Tags { family, first_id, columns, rows, size_mm, pitch_mm })
            }
            _ => Err(wrong("it is neither")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_board_is_written_as_it_is_read() {
        for text in ["chessboard:7x5:30", "tags:tag36h11:100:6x4:24:30.5"] {
            assert_eq!(text.parse::<Board>().map(|b| b.to_string()), Ok(text.to_owned()));
        }
    }

    #[test]
    fn an_impossible_board_is_refused_with_its_form() {
        for text in [
            "chessboard:7x7:30",
            "chessboard:2x5:30",
            "chess:7x5:30",
            "tags:tag16h5:0:8x8:20:30",
            "tags:tag36h11:0:4x4:20:20",
        ] {
            let why = text.parse::<Board>().expect_err(text);
            assert!(why.contains(BOARD_FORM), "{why}");
        }
    }

    #[test]
    fn ids_rise_along_a_row_and_then_down() {
        let board: Board = "tags:tag36h11:10:3x2:20:30".parse().expect("a good board");
        let corner = |id| board.tag_corners(Tag::new(TagFamily::Tag36h11, id)).map(|c| c[0]);
        assert_eq!(corner(10), Some(Point2::new(0.0, 0.0)));
        assert_eq!(corner(14), Some(Point2::new(30.0, 30.0)));
        assert_eq!((corner(9), corner(16)), (None, None));
    }
}
