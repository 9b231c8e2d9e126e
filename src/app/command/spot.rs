//! What a person can ask of the page on which bases without tags are judged.

use crate::rules::Question;
use crate::vision::PixelPoint;

/// A wish about that page.
#[derive(Debug, Clone, PartialEq)]
pub enum SpotCommand {
    /// The page opens.
    Open,
    /// It closes.
    Close,
    /// Where the picture comes from changed; empty for the picture of the table that the window reads.
    TypeSource(String),
    /// The picture is taken, and held.
    Freeze,
    /// A corner was clicked, pixels of the picture.
    Click(PixelPoint),
    /// The picture is enlarged by this factor, and this pixel stays where it is.
    Zoom(f32, PixelPoint),
    /// The next corner is the second base's.
    Second,
    /// The last click is taken back.
    Undo,
    /// All clicks are taken back.
    Again,
    /// One of the first or second base's fields changed.
    Type(usize, SpotField, String),
    /// Something else is asked.
    Ask(SpotAsk),
    /// The page of evidence's file changed.
    TypeFile(String),
    /// The page of evidence is written.
    Evidence,
}

/// What is typed of a base.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpotField {
    /// What people call it.
    Name,
    /// Its sides, as 40x15.
    Size,
    /// Its troop code.
    Troop,
}

/// What is asked of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpotAsk {
    /// Whether the first is in the second's threat zone.
    Zone,
    /// Whether they are in contact, and at which edge.
    Contact,
    /// Whether corners touch.
    Corners,
    /// Whether the first is behind the second's flank line.
    FlankLine,
    /// How far apart they are.
    Distance,
}

impl SpotAsk {
    /// All of them, in the order of their keys 1 to 5.
    pub const ALL: [Self; 5] = [Self::Zone, Self::Contact, Self::Corners, Self::FlankLine, Self::Distance];

    /// On a button.
    pub fn words(self) -> &'static str {
        match self {
            Self::Zone => "Zone",
            Self::Contact => "Contact",
            Self::Corners => "Corners",
            Self::FlankLine => "Flank line",
            Self::Distance => "Distance",
        }
    }

    /// The rules' questions that answer it.
    pub fn questions(self) -> &'static [Question] {
        match self {
            Self::Zone => &[Question::InZoneOf],
            Self::Contact => &[Question::ContactFront, Question::ContactFlank, Question::ContactRear],
            Self::Corners => &[Question::CornerTouch],
            Self::FlankLine => &[Question::BehindFlankLine],
            Self::Distance => &[Question::Distance],
        }
    }
}
