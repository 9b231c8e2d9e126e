//! The umpire's tiles on paper: four tags to be cut apart and laid flat round a spot of any table.

use super::sheet::{FOOT_MM, MARGIN_MM, Orientation, Paper, Sheet, Stroke, pattern_of};
use crate::vision::untagged::{TILE_MM, umpire_tiles};

/// From a tile's middle to the next one's.
const PITCH_MM: f64 = 84.0;
/// The dashed cut stands so far outside the light ring, as on labels.
const CUT_MM: f64 = 3.0;

/// The page to print.
pub fn tile_sheet(paper: Paper) -> Sheet {
    let mut sheet = Sheet::new(paper, Orientation::Portrait);
    let middle = (sheet.width / 2.0, (sheet.height + MARGIN_MM + FOOT_MM) / 2.0);
    for (n, tile) in (0u8..).zip(umpire_tiles(1.0)) {
        let pattern = pattern_of(tile.tag);
        let (x, y) =
            (middle.0 + (f64::from(n % 2) - 0.5) * PITCH_MM, middle.1 + (0.5 - f64::from(n / 2)) * PITCH_MM);
        sheet.tag(&pattern, TILE_MM, x - TILE_MM / 2.0, y - TILE_MM / 2.0);
        let half = pattern.picture_mm(TILE_MM) / 2.0 + CUT_MM;
        let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
        for k in 0..4 {
            let at = |(dx, dy): (f64, f64)| (x + dx, y + dy);
            sheet.line(at(corners[k]), at(corners[(k + 1) % 4]), Stroke::Dashed);
        }
    }
    sheet.foot("Umpire's tiles", "groma measure --ruler ...");
    for (line, text) in [
        "Groma: the umpire's tiles. Print on card, or glue on it, and cut along the dashes. Lay all four flat on what the",
        "bases stand on, round the spot in question and as wide as the picture allows, anyhow turned; then groma measure.",
    ]
    .into_iter()
    .enumerate()
    {
        sheet.text(MARGIN_MM, MARGIN_MM + FOOT_MM + 5.0 - 4.0 * line as f64, 3.0, text);
    }
    sheet
}
