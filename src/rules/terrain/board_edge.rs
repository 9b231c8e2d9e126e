//! The four edges of the battlefield.
//!
//! Table frame: the near edge is y = 0, the left one x = 0. Once base edges are taken the table is turned so that the
//! near edge is red's ([`crate::rules::setting_up::turned`]).

use crate::geometry::{Point, Vector};
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
