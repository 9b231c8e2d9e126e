//! The reference tags as strips that are pushed against the board's edges and corners.
//!
//! Frame of a strip: the tag upright, its centre the origin, x right, y up, millimetres. The cut along the board's
//! edge lies as far from the tag's centre as the table file says, so that a strip that touches the board has its tag
//! where the file has it, but for its place along the edge, which a mark on the edge shows.

use super::layout::Item;
use super::pieces::{LEAST_EDGE_MM, face_mm};
use crate::judge::Table;
use crate::markers::letters::fitting;
use crate::markers::sheet::{Sheet, Stroke, pattern_of};
use crate::tracking::ReferenceTag;

/// A tag further beyond the edge than this has no strip.
const REACH_MM: f64 = 90.0;
/// How far a corner's strip reaches along both edges, past the corner.
const ARM_MM: f64 = 22.0;
/// The strip of words above a piece.
const STRIP_MM: f64 = 3.8;
const LETTERS_MM: f64 = 2.4;
/// A rotation that is within so much of a quarter turn is one, degrees.
const SQUARE_DEG: f64 = 0.01;

/// Where a reference tag lies beyond the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Beyond {
    Left,
    Right,
    Near,
    Far,
}

impl Beyond {
    /// From the tag towards the board, in the table's frame.
    fn inwards(self) -> (f64, f64) {
        match self {
            Self::Left => (1.0, 0.0),
            Self::Right => (-1.0, 0.0),
            Self::Near => (0.0, 1.0),
            Self::Far => (0.0, -1.0),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Left => "left",
            Self::Right => "right",
            Self::Near => "near",
            Self::Far => "far",
        }
    }
}

/// How a reference tag lies to the board's edges: beyond which, and its centre's distance from each, millimetres.
fn beyond(table: &Table, r: &ReferenceTag) -> Vec<(Beyond, f64)> {
    let (width, depth) = table.board_mm;
    let all = [
        (Beyond::Left, -r.x_mm),
        (Beyond::Right, r.x_mm - width),
        (Beyond::Near, -r.y_mm),
        (Beyond::Far, r.y_mm - depth),
    ];
    all.into_iter().filter(|(_, away)| *away > 0.0).collect()
}

/// Whether a reference tag's place is taken from its strip: it lies beyond one edge or two, square to them, and its
/// print keeps off the board.
pub fn has_strip(table: &Table, r: &ReferenceTag) -> bool {
    let half = pattern_of(r.tag).picture_mm(r.size_mm) / 2.0;
    let edges = beyond(table, r);
    let turns = r.rotation_deg / 90.0;
    (turns - turns.round()).abs() * 90.0 <= SQUARE_DEG
        && matches!(edges.len(), 1 | 2)
        && edges.iter().all(|(_, away)| (half + 0.5..=REACH_MM).contains(away))
}

/// A strip, or a plain piece for a tag that has none.
struct Strip<'a> {
    tag: &'a ReferenceTag,
    words: String,
    /// Left, right, lower and upper ends, from the tag's centre.
    ends: [f64; 4],
    /// The board's edges: towards it, and how far.
    edges: Vec<((f64, f64), f64)>,
}

impl<'a> Strip<'a> {
    fn of(table: &Table, tag: &'a ReferenceTag) -> Self {
        let half = face_mm(tag.tag, tag.size_mm) / 2.0;
        let mut ends = [-half, half, -half, half];
        let name = format!("{} {}", tag.tag.family.name(), tag.tag.id);
        if !has_strip(table, tag) {
            let words = format!("{} {}: centre at {}, {}", tag.tag.id, name, tag.x_mm, tag.y_mm);
            return Self { tag, words, ends, edges: Vec::new() };
        }
        let edges = beyond(table, tag);
        let quarter = (tag.rotation_deg / 90.0).round() as i64;
        // The table's directions as the upright tag has them: turned back by its rotation.
        let turned = |(x, y): (f64, f64)| match quarter.rem_euclid(4) {
            0 => (x, y),
            1 => (y, -x),
            2 => (-x, -y),
            _ => (-y, x),
        };
        let arm = if edges.len() == 2 { ARM_MM } else { 0.0 };
        let edges: Vec<_> = edges.iter().map(|(e, away)| (*e, turned(e.inwards()), *away)).collect();
        for (_, (x, y), away) in &edges {
            let reach = away + arm;
            match (x.round() as i64, y.round() as i64) {
                (-1, _) => ends[0] = -reach,
                (1, _) => ends[1] = reach,
                (_, -1) => ends[2] = -reach,
                _ => ends[3] = reach,
            }
        }
        let words = match edges.as_slice() {
            [(edge, ..)] => {
                let (from, along) = match edge {
                    Beyond::Left | Beyond::Right => ("near", tag.y_mm),
                    Beyond::Near | Beyond::Far => ("left", tag.x_mm),
                };
                format!("{}: {} edge, mark {along} mm from the {from} end", tag.tag.id, edge.name())
            }
            _ => {
                let names: Vec<&str> = edges.iter().rev().map(|(edge, ..)| edge.name()).collect();
                format!("{}: {} corner", tag.tag.id, names.join(" "))
            }
        };
        Self { tag, words, ends, edges: edges.into_iter().map(|(_, to, away)| (to, away)).collect() }
    }

    fn draw(&self, sheet: &mut Sheet, x: f64, top: f64) {
        let [left, right, lower, upper] = self.ends;
        let words = fitting(&self.words, LETTERS_MM, (right - left).max(60.0));
        sheet.text(x, top - LETTERS_MM, LETTERS_MM, words);
        // Where the tag's centre comes to lie.
        let (cx, cy) = (x - left, top - STRIP_MM - upper);
        let at = |(px, py): (f64, f64)| (cx + px, cy + py);
        let line = |sheet: &mut Sheet, from, to, stroke| sheet.line(at(from), at(to), stroke);
        let size = self.tag.size_mm;
        sheet.tag(&pattern_of(self.tag.tag), size, cx - size / 2.0, cy - size / 2.0);
        match self.edges.as_slice() {
            [(to, away)] => {
                // Along the board's edge, and at the edge's far side where the tag's middle is.
                let along = (-to.1, to.0);
                let side = |s: f64| (to.0 * away + along.0 * s, to.1 * away + along.1 * s);
                let reach = |d: (f64, f64)| d.0.abs() * right.max(-left) + d.1.abs() * upper.max(-lower);
                let half = if to.0 != 0.0 { upper } else { reach(along) };
                line(sheet, side(-half), side(half), Stroke::Solid);
                let tick = |s: f64| (to.0 * (away - s), to.1 * (away - s));
                line(sheet, tick(0.0), tick(LEAST_EDGE_MM + 1.5), Stroke::Solid);
                for (from, to_end) in self.rim() {
                    if !on_edge(from, to_end, *to, *away) {
                        line(sheet, from, to_end, Stroke::Dashed);
                    }
                }
            }
            [(a, da), (b, db)] => {
                let corner = (a.0 * da + b.0 * db, a.1 * da + b.1 * db);
                let past = |d: (f64, f64)| (corner.0 + d.0 * ARM_MM, corner.1 + d.1 * ARM_MM);
                line(sheet, corner, past(*a), Stroke::Solid);
                line(sheet, corner, past(*b), Stroke::Solid);
                for (from, to) in self.rim() {
                    // Each side ends where the board begins.
                    let clipped = |p: (f64, f64)| {
                        let inside = |d: &(f64, f64), away: &f64| p.0 * d.0 + p.1 * d.1 > away + 1e-9;
                        (inside(a, da) && inside(b, db))
                            .then(|| if from.0 == to.0 { along_y(corner, p) } else { along_x(corner, p) })
                    };
                    line(sheet, clipped(from).unwrap_or(from), clipped(to).unwrap_or(to), Stroke::Dashed);
                }
            }
            _ => self.rim().into_iter().for_each(|(from, to)| line(sheet, from, to, Stroke::Dashed)),
        }
        let own = size / pattern_of(self.tag.tag).border_modules() as f64 / 2.0;
        let ring = pattern_of(self.tag.tag).picture_mm(size) / 2.0;
        sheet.text(cx - ring, cy - ring - own.max(LEAST_EDGE_MM) * 0.9, 2.2, self.tag.tag.id.to_string());
    }

    /// Its four sides: lower, right, upper, left.
    fn rim(&self) -> [((f64, f64), (f64, f64)); 4] {
        let [left, right, lower, upper] = self.ends;
        let corners = [(left, lower), (right, lower), (right, upper), (left, upper)];
        [0, 1, 2, 3].map(|k| (corners[k], corners[(k + 1) % 4]))
    }
}

/// A place moved along x, or along y, to where a corner is.
fn along_x(corner: (f64, f64), p: (f64, f64)) -> (f64, f64) {
    (corner.0, p.1)
}
fn along_y(corner: (f64, f64), p: (f64, f64)) -> (f64, f64) {
    (p.0, corner.1)
}

/// Whether a side of the rim is the board's edge.
fn on_edge(from: (f64, f64), end: (f64, f64), to: (f64, f64), away: f64) -> bool {
    let height = |p: (f64, f64)| p.0 * to.0 + p.1 * to.1;
    (height(from) - away).abs() < 1e-9 && (height(end) - away).abs() < 1e-9
}

/// Every reference tag of a table, in its order.
pub(super) fn items(table: &Table) -> Vec<Item<'_>> {
    let item = |tag| {
        let strip = Strip::of(table, tag);
        let [left, right, lower, upper] = strip.ends;
        let (wide, high) = ((right - left).max(56.0), upper - lower + STRIP_MM);
        Item { wide, high, draw: Box::new(move |sheet: &mut Sheet, x, top| strip.draw(sheet, x, top)) }
    };
    table.reference.iter().map(item).collect()
}

/// What to do with them.
pub(super) const WORDS: &str = "Cut along the dashes, and exactly along the solid lines: they are the board's edges. Push each strip against the \
     board so that the solid line touches it; corner strips go round their corner, an edge strip's mark goes to the \
     place that is written over it. Tape them down flat. Their faces lie as high over the playing surface as z in the \
     table file says: change it if your board is thick.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;

    #[test]
    fn a_turned_tags_strip_has_the_boards_edge_where_the_board_is() {
        let mut table = samples::table();
        for (quarter, rotation_deg) in [0.0, 90.0, 180.0, -90.0].into_iter().enumerate() {
            table.reference.iter_mut().for_each(|r| r.rotation_deg = rotation_deg);
            // The middle of the near edge: the board lies 30 mm away to +y. Anticlockwise turns of the tag carry that
            // to its right, below it, and to its left.
            let strip = Strip::of(&table, &table.reference[4]);
            let (to, away) = strip.edges[0];
            assert_eq!(away, 30.0);
            assert_eq!(to, [(0.0, 1.0), (1.0, 0.0), (0.0, -1.0), (-1.0, 0.0)][quarter], "{rotation_deg}");
            let end = [strip.ends[3], strip.ends[1], -strip.ends[2], -strip.ends[0]][quarter];
            assert_eq!(end, 30.0, "{rotation_deg}: {:?}", strip.ends);
        }
        // At an angle, on the board, or with a print that would lie on it: no strip.
        for (rotation_deg, y_mm) in [(10.0, -30.0), (0.0, 50.0), (0.0, -20.0)] {
            let tag = ReferenceTag { rotation_deg, y_mm, ..table.reference[4] };
            assert!(!has_strip(&table, &tag), "{rotation_deg} {y_mm}");
        }
    }
}
