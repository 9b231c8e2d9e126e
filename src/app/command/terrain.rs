//! Wishes about the page on which terrain is drawn.

use crate::geometry::{Point, Vector};
use crate::rules::terrain::TerrainKind;

/// Something that lies on the board, by its place in its list of the ground.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Item {
    /// An area.
    Area(usize),
    /// A river.
    River(usize),
    /// A road.
    Road(usize),
}

/// What is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// An area of that kind.
    Area(TerrainKind),
    /// A river.
    River,
    /// A road.
    Road,
}

impl Sort {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Area(kind) => kind.word(),
            Self::River => "river",
            Self::Road => "road",
        }
    }

    /// All of them, ways behind areas.
    pub fn all() -> impl Iterator<Item = Self> {
        let areas = TerrainKind::ALL.iter().map(|(_, kind)| Self::Area(*kind));
        areas.chain([Self::River, Self::Road])
    }
}

/// A point that can be moved by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Handle {
    /// A corner of an outline, or a point of a course.
    Corner(usize),
    /// A point of a hill's crest.
    Crest(usize),
    /// A gate.
    Gate(usize),
}

/// What is dragged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// One point of what is picked.
    Handle(Handle),
    /// All of it.
    Whole,
}

/// A shape to begin with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ShapeKind {
    /// Three base widths by two.
    Oblong,
    /// The same, round.
    Oval,
}

/// A wish about the page.
#[derive(Debug, Clone, PartialEq)]
pub enum TerrainCommand {
    /// The page opens, over what the table file holds.
    Open,
    /// It closes. What was not saved is asked about first.
    Close,
    /// It closes, and what was not saved goes.
    CloseAnyway,
    /// The cross-hair is put there.
    Aim(Point),
    /// The outline of what shows under the cross-hair is proposed.
    Propose,
    /// What is picked gets the outline that shows under its middle.
    Again,
    /// What is drawn next.
    Draw(Sort),
    /// A shape is put under the cross-hair.
    Shape(ShapeKind),
    /// Something is picked, or nothing.
    Pick(Option<Item>),
    /// One of its points is picked, or none.
    PickHandle(Option<Handle>),
    /// A drag begins at that place.
    Grip(Grip, Point),
    /// It comes to that place.
    DragTo(Point),
    /// It ends.
    LetGo,
    /// The picked point, or without one all that is picked, or the cross-hair, moves by so much.
    Nudge(Vector),
    /// A point is put into the rim or course behind the one of that number.
    Insert(usize, Point),
    /// The picked point goes; without one what is picked.
    Remove,
    /// A gate is put on the rim where it is nearest to the cross-hair.
    AddGate,
    /// A point is put onto the crest's far end.
    LongerCrest,
    /// What is picked is of another kind.
    Kind(TerrainKind),
    /// Its name changed.
    Rename(String),
    /// A hill's height as it is typed.
    Height(String),
    /// A way's width as it is typed.
    Width(String),
    /// The last change is undone.
    Undo,
    /// And done again.
    Redo,
    /// Every outline is compared with the picture.
    Compare,
    /// All is written into the table file.
    Save,
}
