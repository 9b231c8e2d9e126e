//! Which part of the table is drawn, and how large.

use super::Situation;
use crate::geometry::{Binding, Footprint, Point, Segment, Vector};
use crate::rules::{Location, Setup};

/// Pixels that the table's part fits into.
const TABLE_PX: (f64, f64) = (860.0, 820.0);
/// Pixels of the list of reasons.
const LEGEND_PX: f64 = 520.0;
/// Pixels around everything.
const EDGE_PX: f64 = 16.0;
/// The greatest number of pixels to the millimetre: one base then fills a third of the drawing.
const LARGEST: f64 = 6.0;
/// Margins further from zero than this say nothing about a place, millimetres.
pub(super) const MARKED_MM: f64 = 1e5;

/// The part of the table that is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    left_mm: f64,
    top_mm: f64,
    size_mm: (f64, f64),
    px_per_mm: f64,
    mm_per_bw: f64,
    /// Pixels of the list of reasons; none on a drawing of the table alone.
    legend_px: f64,
}

impl View {
    /// Round what the ruling is about: those who move or are bound, a base width around them; where there is
    /// nothing of that kind, round everything.
    pub fn of(situation: &Situation<'_>) -> Self {
        let setup = situation.setup;
        let mm_per_bw = setup.scale.mm_per_bw();
        let on_board = |setup: &Setup, name: &str| {
            setup.element(name).filter(|e| e.location == Location::Board).map(|e| e.footprint)
        };
        let mut points: Vec<Point> = Vec::new();
        let mut add = |base: Option<Footprint>| points.extend(base.iter().flat_map(Footprint::outline));
        for mover in situation.moves.iter().flat_map(|m| m.movers.iter().chain(&m.conforming)) {
            add(on_board(setup, &mover.name));
            add(situation.after.and_then(|after| on_board(after, &mover.name)));
        }
        points.extend(situation.outline.iter().flatten());
        if super::deployment::whole_board(situation.reasons) {
            points.extend([Point::origin(), Point::new(setup.board_mm.0, setup.board_mm.1)]);
        }
        for margin in situation.reasons.iter().filter_map(|r| r.margin).filter(|m| m.mm.abs() < MARKED_MM) {
            let Binding(a, b) = margin.binding;
            points.extend([a.at, b.at]);
        }
        let everybody = setup.elements.iter().filter(|e| e.location == Location::Board);
        let few = everybody.clone().count() <= 12;
        if points.is_empty() || few {
            points.extend(everybody.flat_map(|e| e.footprint.outline()));
        }
        let (mut low, mut high) = bounds(&points)
            .unwrap_or_else(|| (Point::origin(), Point::new(setup.board_mm.0, setup.board_mm.1)));
        let room = Vector::new(mm_per_bw, mm_per_bw);
        (low, high) = (low - room * 1.2, high + room * 1.2);
        let least = 5.0 * mm_per_bw;
        let middle = low + (high - low) / 2.0;
        let size = Vector::new((high.x - low.x).max(least), (high.y - low.y).max(least));
        (low, high) = (middle - size / 2.0, middle + size / 2.0);
        // Beyond the board there is little to see.
        let rim = Vector::new(mm_per_bw, mm_per_bw) * 0.4;
        let (width, depth) = setup.board_mm;
        let (board_low, board_high) = (Point::origin() - rim, Point::new(width, depth) + rim);
        let (least, most) = bounds(&points).unwrap_or((board_low, board_high));
        low = low.sup(&board_low).inf(&least);
        high = high.inf(&board_high).sup(&most);
        let size_mm = (high.x - low.x, high.y - low.y);
        let px_per_mm = (TABLE_PX.0 / size_mm.0).min(TABLE_PX.1 / size_mm.1).min(LARGEST);
        let (left_mm, top_mm) = (low.x, high.y);
        Self { left_mm, top_mm, size_mm, px_per_mm, mm_per_bw, legend_px: LEGEND_PX }
    }

    /// The whole table, and nothing beside it.
    pub fn whole(setup: &Setup) -> Self {
        let mm_per_bw = setup.scale.mm_per_bw();
        let rim = 0.4 * mm_per_bw;
        let (width, depth) = setup.board_mm;
        let size_mm = (width + 2.0 * rim, depth + 2.0 * rim);
        let px_per_mm = (TABLE_PX.0 / size_mm.0).min(TABLE_PX.1 / size_mm.1).min(LARGEST);
        Self { left_mm: -rim, top_mm: depth + rim, size_mm, px_per_mm, mm_per_bw, legend_px: 0.0 }
    }

    /// A place of the table on the drawing.
    pub fn px(&self, at: Point) -> (f64, f64) {
        (EDGE_PX + (at.x - self.left_mm) * self.px_per_mm, EDGE_PX + (self.top_mm - at.y) * self.px_per_mm)
    }

    pub fn all_px(&self, points: impl IntoIterator<Item = Point>) -> Vec<(f64, f64)> {
        points.into_iter().map(|at| self.px(at)).collect()
    }

    /// Millimetres in pixels.
    pub fn long(&self, mm: f64) -> f64 {
        mm * self.px_per_mm
    }

    /// The base width, millimetres.
    pub fn mm_per_bw(&self) -> f64 {
        self.mm_per_bw
    }

    /// The corners of what is seen: lowest x and y, highest x and y, millimetres.
    pub fn seen_mm(&self) -> (Point, Point) {
        let low = Point::new(self.left_mm, self.top_mm - self.size_mm.1);
        (low, Point::new(self.left_mm + self.size_mm.0, self.top_mm))
    }

    /// The part of an area that is seen, as a ring, and empty where nothing of it is. Of an area with bays the parts
    /// may hang together along the rim.
    pub fn seen_of(&self, outline: &[Point]) -> Vec<Point> {
        let (low, high) = self.seen_mm();
        let sides: [(usize, f64, f64); 4] =
            [(0, 1.0, low.x), (0, -1.0, -high.x), (1, 1.0, low.y), (1, -1.0, -high.y)];
        sides.iter().fold(outline.to_vec(), |ring, &(axis, sign, limit)| {
            let inside = |p: &Point| sign * p[axis] - limit;
            let mut kept = Vec::new();
            for (n, from) in ring.iter().enumerate() {
                let to = &ring[(n + 1) % ring.len()];
                let (a, b) = (inside(from), inside(to));
                if a >= 0.0 {
                    kept.push(*from);
                }
                if a * b < 0.0 {
                    kept.push(from + (to - from) * (a / (a - b)));
                }
            }
            kept
        })
    }

    /// The part of a line that is seen.
    pub fn seen_of_line(&self, line: Segment) -> Option<Segment> {
        let (low, high) = self.seen_mm();
        let along = line.end - line.start;
        let (mut first, mut last) = (0.0f64, 1.0f64);
        for axis in 0..2 {
            let (start, step) = (line.start[axis], along[axis]);
            let (enter, leave) = ((low[axis] - start) / step, (high[axis] - start) / step);
            if step != 0.0 {
                first = first.max(enter.min(leave));
                last = last.min(enter.max(leave));
            } else if start < low[axis] || start > high[axis] {
                return None;
            }
        }
        (first < last).then(|| Segment::new(line.start + along * first, line.start + along * last))
    }

    /// Where the table's part lies on the drawing: left, top, width, height.
    pub fn table_px(&self) -> (f64, f64, f64, f64) {
        (EDGE_PX, EDGE_PX, self.long(self.size_mm.0), self.long(self.size_mm.1))
    }

    /// Where the list of reasons begins, and how wide it is.
    pub fn legend_px(&self) -> (f64, f64) {
        (EDGE_PX * 2.5 + self.long(self.size_mm.0), self.legend_px)
    }

    pub fn width_px(&self) -> f64 {
        let (left, width) = self.legend_px();
        left + width + EDGE_PX
    }

    pub fn height_px(&self) -> f64 {
        (self.long(self.size_mm.1) + 2.0 * EDGE_PX).max(640.0)
    }
}

fn bounds(points: &[Point]) -> Option<(Point, Point)> {
    points.iter().fold(None, |found, at| {
        let (low, high): (Point, Point) = found.unwrap_or((*at, *at));
        Some((low.inf(at), high.sup(at)))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view() -> View {
        let setup = crate::rules::notation::read_setup(
            "board 20x20; A 4Bd red (2,2)-(3,2) N",
            &crate::rules::Ruleset::dba3(),
        );
        View::whole(&setup.expect("a setup"))
    }

    #[test]
    fn of_an_area_across_the_rim_the_inner_part_is_seen_and_of_one_beyond_it_nothing() {
        // The board is 800 mm wide, with a rim of 16 mm.
        let square = |x: f64| {
            [(x, 100.0), (x + 100.0, 100.0), (x + 100.0, 200.0), (x, 200.0)].map(|(x, y)| Point::new(x, y))
        };
        assert_eq!(view().seen_of(&square(300.0)), square(300.0));
        let cut = view().seen_of(&square(766.0));
        assert_eq!(cut.len(), 4);
        assert!(cut.iter().all(|p| p.x <= 816.0 + 1e-9));
        assert!(view().seen_of(&square(900.0)).is_empty());
    }

    #[test]
    fn of_a_line_the_part_on_the_drawing_is_seen() {
        let line = |a: (f64, f64), b: (f64, f64)| Segment::new(Point::new(a.0, a.1), Point::new(b.0, b.1));
        let seen = view().seen_of_line(line((-500.0, 400.0), (400.0, 400.0))).expect("it is seen");
        assert!((seen.start.x + 16.0).abs() < 1e-9 && (seen.end.x - 400.0).abs() < 1e-9);
        assert!(view().seen_of_line(line((900.0, 0.0), (900.0, 800.0))).is_none());
        assert!(view().seen_of_line(line((-100.0, 700.0), (100.0, 1000.0))).is_none());
    }
}
