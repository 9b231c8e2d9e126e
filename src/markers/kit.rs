//! The tags of a table and its armies on paper: each with its name, a white edge that stays on when it is
//! cut out, and dashed lines to cut along.

use super::sheet::{MARGIN_MM, Orientation, Paper, Sheet, Stroke, pattern_of};
use crate::tracking::Tag;

/// A tag to be printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// Which tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// What it is for.
    pub name: String,
}

/// Height of the name's letters, and the strip for them above the cut line.
const LETTERS_MM: f64 = 2.2;
const STRIP_MM: f64 = 3.4;
/// Between two labels.
const GAP_MM: f64 = 3.0;
/// Room at the page's foot for the ruler.
const FOOT_MM: f64 = 16.0;

/// Side of the piece that is cut out: the whole picture with its white ring and half a module more.
fn piece_mm(label: &Label) -> f64 {
    let pattern = pattern_of(label.tag);
    pattern.picture_mm(label.size_mm) + pattern.module_mm(label.size_mm)
}

/// Pages with every label, in order, row by row. A label too large for the paper is left out and
/// returned.
pub fn kit_sheets(labels: &[Label], paper: Paper) -> (Vec<Sheet>, Vec<Label>) {
    let mut sheets: Vec<Sheet> = Vec::new();
    let mut too_large = Vec::new();
    let blank = Sheet::new(paper, Orientation::Portrait);
    let (right, foot) = (blank.width - MARGIN_MM, MARGIN_MM + FOOT_MM);
    // Upper left corner of the next piece, and how low the row reaches.
    let (mut x, mut top, mut row) = (MARGIN_MM, blank.height - MARGIN_MM, 0.0f64);
    for label in labels {
        let piece = piece_mm(label);
        let (wide, high) = (piece, piece + STRIP_MM);
        if MARGIN_MM + wide > right || blank.height - MARGIN_MM - high < foot {
            too_large.push(label.clone());
            continue;
        }
        if x + wide > right {
            (x, top, row) = (MARGIN_MM, top - row - GAP_MM, 0.0);
        }
        if sheets.is_empty() || top - high < foot {
            let mut sheet = blank.clone();
            sheet.ruler(MARGIN_MM, MARGIN_MM + 6.0);
            sheets.push(sheet);
            (x, top, row) = (MARGIN_MM, blank.height - MARGIN_MM, 0.0);
        }
        let sheet = sheets.last_mut().expect("a page was begun above");
        place(sheet, label, x, top);
        x += wide + GAP_MM;
        row = row.max(high);
    }
    (sheets, too_large)
}

/// One label, its piece's upper left corner at (`x`, `top`) below its name.
fn place(sheet: &mut Sheet, label: &Label, x: f64, top: f64) {
    let piece = piece_mm(label);
    // A letter of this font is about half as wide as it is high.
    let room = (piece / (0.5 * LETTERS_MM)) as usize;
    let name: String = label.name.chars().take(room.max(3)).collect();
    sheet.text(x, top - LETTERS_MM, LETTERS_MM, name);
    let upper = top - STRIP_MM;
    for (from, to) in [
        ((x, upper), (x + piece, upper)),
        ((x, upper - piece), (x + piece, upper - piece)),
        ((x, upper), (x, upper - piece)),
        ((x + piece, upper), (x + piece, upper - piece)),
    ] {
        sheet.line(from, to, Stroke::Dashed);
    }
    let pattern = pattern_of(label.tag);
    let edge = (piece - label.size_mm) / 2.0;
    sheet.tag(&pattern, label.size_mm, x + edge, upper - piece + edge);
}
