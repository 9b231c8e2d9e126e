//! The four edges of the battlefield.
//!
//! Table frame: the near edge is y = 0, the left one x = 0. Any of them may be a side's base edge, the other's lies across
//! the table ([`BaseEdges`]); the edges to the left and right of those are the side edges.

use crate::geometry::{Heading, Point, Segment, Vector};
use crate::rules::Side;
use serde::{Deserialize, Serialize};

/// An edge of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum BoardEdge {
    /// y = 0.
    #[default]
    Near,
    /// The greatest x.
    Right,
    /// The greatest y.
    Far,
    /// x = 0.
    Left,
}

impl BoardEdge {
    /// All four, anticlockwise from the near one.
    pub const ALL: [Self; 4] = [Self::Near, Self::Right, Self::Far, Self::Left];

    /// The word for it in notation and files.
    pub fn word(self) -> &'static str {
        match self {
            Self::Near => "near",
            Self::Right => "right",
            Self::Far => "far",
            Self::Left => "left",
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Near => "near edge",
            Self::Right => "right edge",
            Self::Far => "far edge",
            Self::Left => "left edge",
        }
    }

    /// The edge across the table.
    pub fn opposite(self) -> Self {
        match self {
            Self::Near => Self::Far,
            Self::Far => Self::Near,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }

    /// What it becomes as the table is turned so that `near` is the near edge.
    pub fn turned(self, near: Self) -> Self {
        let place = |edge: Self| Self::ALL.iter().position(|e| *e == edge).expect("all four are there");
        Self::ALL[(place(self) + 4 - place(near)) % 4]
    }

    /// How far inside the board a point is from this edge, millimetres.
    pub fn from(self, point: Point, board: (f64, f64)) -> f64 {
        match self {
            Self::Near => point.y,
            Self::Far => board.1 - point.y,
            Self::Left => point.x,
            Self::Right => board.0 - point.x,
        }
    }

    /// The point of the edge straight across from a point.
    pub fn foot(self, point: Point, board: (f64, f64)) -> Point {
        match self {
            Self::Near => Point::new(point.x, 0.0),
            Self::Far => Point::new(point.x, board.1),
            Self::Left => Point::new(0.0, point.y),
            Self::Right => Point::new(board.0, point.y),
        }
    }

    /// How long it is, millimetres.
    pub fn length_mm(self, board: (f64, f64)) -> f64 {
        match self {
            Self::Near | Self::Far => board.0,
            Self::Left | Self::Right => board.1,
        }
    }

    /// The way into the board from it, of length one: what somebody who sits there looks along.
    pub fn inward(self) -> Vector {
        match self {
            Self::Near => Vector::new(0.0, 1.0),
            Self::Far => Vector::new(0.0, -1.0),
            Self::Left => Vector::new(1.0, 0.0),
            Self::Right => Vector::new(-1.0, 0.0),
        }
    }

    /// The way off the board over it: where somebody looks who runs for it.
    pub fn outward(self) -> Heading {
        match self {
            Self::Near => Heading::SOUTH,
            Self::Far => Heading::NORTH,
            Self::Left => Heading::WEST,
            Self::Right => Heading::EAST,
        }
    }

    /// The edge itself, from its end at the left of somebody who sits there to the one at the right.
    pub fn line(self, (width, depth): (f64, f64)) -> Segment {
        let at = Point::new;
        match self {
            Self::Near => Segment::new(at(0.0, 0.0), at(width, 0.0)),
            Self::Far => Segment::new(at(width, depth), at(0.0, depth)),
            Self::Left => Segment::new(at(0.0, depth), at(0.0, 0.0)),
            Self::Right => Segment::new(at(width, 0.0), at(width, depth)),
        }
    }

    /// From it to the edge across the table, millimetres.
    pub fn across_mm(self, board: (f64, f64)) -> f64 {
        self.sides()[0].length_mm(board)
    }

    /// The way to the right of somebody who sits there, of length one.
    pub fn rightward(self) -> Vector {
        let ahead = self.inward();
        Vector::new(ahead.y, -ahead.x)
    }

    /// The two edges to the left and right of somebody who sits there.
    pub fn sides(self) -> [Self; 2] {
        match self {
            Self::Near => [Self::Left, Self::Right],
            Self::Far => [Self::Right, Self::Left],
            Self::Left => [Self::Far, Self::Near],
            Self::Right => [Self::Near, Self::Far],
        }
    }
}

/// The base edges of the two sides: where each deploys from, and where its fleers run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BaseEdges {
    /// Red's; blue's is across the table.
    pub red: BoardEdge,
}

impl BaseEdges {
    /// Red's is the near edge: where nothing else is said.
    pub const USUAL: Self = Self { red: BoardEdge::Near };

    /// The edge of that side.
    pub fn of(self, side: Side) -> BoardEdge {
        match side {
            Side::Red => self.red,
            Side::Blue => self.red.opposite(),
        }
    }

    /// The edges where that one is that side's.
    pub fn with(side: Side, edge: BoardEdge) -> Self {
        Self { red: Self { red: edge }.of(side) }
    }

    /// Whether it is nobody's base edge.
    pub fn is_side_edge(self, edge: BoardEdge) -> bool {
        self.red.sides().contains(&edge)
    }
}

impl Default for BaseEdges {
    fn default() -> Self {
        Self::USUAL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_edge_has_its_line_its_ways_and_its_sides() {
        let board = (600.0, 400.0);
        let middle = Point::new(300.0, 200.0);
        for edge in BoardEdge::ALL {
            let line = edge.line(board);
            assert!(edge.from(line.start, board).abs() < 1e-9 && edge.from(line.end, board).abs() < 1e-9);
            assert!(((line.end - line.start) - edge.rightward() * edge.length_mm(board)).norm() < 1e-9);
            assert!((edge.outward().vector() + edge.inward()).norm() < 1e-9, "{edge:?}");
            assert!((edge.from(middle, board) * 2.0 - edge.across_mm(board)).abs() < 1e-9, "{edge:?}");
            let edges = BaseEdges { red: edge };
            let sides: Vec<_> = BoardEdge::ALL.into_iter().filter(|e| edges.is_side_edge(*e)).collect();
            assert_eq!(sides.len(), 2);
            assert!(![edges.of(Side::Red), edges.of(Side::Blue)].iter().any(|e| sides.contains(e)));
            assert_eq!(BaseEdges::with(Side::Blue, edges.of(Side::Blue)), edges);
        }
    }
}
