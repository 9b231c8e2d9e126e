//! The check sheet: tags at known places on paper, to be laid on the board and measured.
//!
//! Frame: the sheet's, millimetres. The distances between its tags are the same on every paper.

use super::sheet::{MARGIN_MM, Orientation, Paper, RULER_MM, Sheet, pattern_of};
use crate::geometry::Point;
use crate::tracking::{Tag, TagFamily};

/// Side of a tag's black square as printed at 100 %, millimetres: that of a tag on a base.
pub const CHECK_SIZE_MM: f64 = 16.0;
/// Height of the printed face above the board: the paper's thickness, and one sigma of how it lies.
pub const CHECK_HEIGHT_MM: (f64, f64) = (0.1, 0.1);

const FAMILY: TagFamily = TagFamily::Tag36h11;
const COLUMNS: u32 = 3;
const ROWS: u32 = 4;
/// From a tag's centre to the next one's, across and down.
const PITCH_MM: (f64, f64) = (75.0, 68.0);

/// The sheet's tags with their centres, x right and y up from the middle of the grid. Their ids are the
/// family's last, so that they clash with no roster that counts from the beginning.
pub fn check_tags() -> Vec<(Tag, Point)> {
    (0..COLUMNS * ROWS)
        .map(|n| {
            let (column, row) = (f64::from(n % COLUMNS), f64::from(n / COLUMNS));
            let x = (column - f64::from(COLUMNS - 1) / 2.0) * PITCH_MM.0;
            let y = (f64::from(ROWS - 1) / 2.0 - row) * PITCH_MM.1;
            (Tag::new(FAMILY, FAMILY.ids() - COLUMNS * ROWS + n), Point::new(x, y))
        })
        .collect()
}

/// The page to print.
pub fn check_sheet(paper: Paper) -> Sheet {
    let mut sheet = Sheet::new(paper, Orientation::Portrait);
    let reach = f64::from(ROWS - 1) / 2.0 * PITCH_MM.1
        + pattern_of(check_tags()[0].0).picture_mm(CHECK_SIZE_MM) / 2.0;
    let middle = Point::new(sheet.width / 2.0, sheet.height - MARGIN_MM - reach);
    for (tag, at) in check_tags() {
        let corner = middle + at.coords - nalgebra::Vector2::repeat(CHECK_SIZE_MM / 2.0);
        sheet.tag(&pattern_of(tag), CHECK_SIZE_MM, corner.x, corner.y);
    }
    sheet.foot("places, a photograph of each. Do not cut or fold it.", "groma check --sheet-scale ...");
    let words = "Groma: check sheet. Lay it flat on the board in several";
    sheet.text(MARGIN_MM + RULER_MM + 9.0, MARGIN_MM + 16.7, 3.0, words);
    sheet
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twelve_tags_stay_on_every_paper_and_off_the_ruler() {
        let tags = check_tags();
        assert_eq!(tags.len(), 12);
        assert_eq!(tags.last().map(|t| t.0.id), Some(586));
        assert!(((tags[0].1 - tags[11].1).norm() - 150f64.hypot(204.0)).abs() < 1e-9);
        for paper in [Paper::A4, Paper::Letter] {
            let sheet = check_sheet(paper);
            let quiet = pattern_of(tags[0].0).module_mm(CHECK_SIZE_MM);
            // Everything that does not stand on the ruler's line is a tag's.
            let ruler = MARGIN_MM + 6.0 + 4.0;
            for mark in &sheet.marks {
                let super::super::Mark::Fill { x, y, width, height, .. } = mark else { continue };
                if *y == MARGIN_MM + 6.0 {
                    continue;
                }
                assert!(*x - quiet >= MARGIN_MM && x + width + quiet <= sheet.width - MARGIN_MM, "{mark:?}");
                assert!(
                    y + height + quiet <= sheet.height - MARGIN_MM + 1e-9 && y - quiet > ruler,
                    "{mark:?}"
                );
            }
        }
    }
}
