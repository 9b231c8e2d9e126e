//! Which part of the table is drawn, and how large.

use super::Situation;
use crate::geometry::{Binding, Footprint, Point, Vector};
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
