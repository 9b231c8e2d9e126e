//! The tags of a table and its armies on paper: each with its name, a white edge that stays on when it is
//! cut out, and dashed lines to cut along.

use super::letters::fitting;
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

/// The edge outside a tag's white ring is at least so wide: room for an id that can be read.
const LEAST_EDGE_MM: f64 = 1.1;

/// The edge outside the white ring: half a module, and never too narrow for the id.
fn edge_mm(label: &Label) -> f64 {
    (pattern_of(label.tag).module_mm(label.size_mm) / 2.0).max(LEAST_EDGE_MM)
}

/// Side of the piece that is cut out: the whole picture with its white ring, and the edge.
fn piece_mm(label: &Label) -> f64 {
    pattern_of(label.tag).picture_mm(label.size_mm) + 2.0 * edge_mm(label)
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

/// One label, its piece's upper left corner at (`x`, `top`) below its id and name. The id and a tick that
/// points up are printed once more in the edge, outside the white ring, so that a piece that is cut out still
/// tells which it is and how it lies.
fn place(sheet: &mut Sheet, label: &Label, x: f64, top: f64) {
    let piece = piece_mm(label);
    let id = label.tag.id.to_string();
    let name = fitting(&format!("{id} {}", label.name), LETTERS_MM, piece);
    // However small the piece, never without its id.
    sheet.text(x, top - LETTERS_MM, LETTERS_MM, if name.starts_with(&id) { name } else { id.clone() });
    let upper = top - STRIP_MM;
    // Digits of this font are 0.72 of its size high: they fill the edge but for a sixth.
    let own = edge_mm(label);
    sheet.text(x + own, upper - 0.92 * own, own / 0.72 * 0.84, id);
    sheet.black(x + piece / 2.0 - 0.15, upper - 0.92 * own, 0.3, 0.84 * own);
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
