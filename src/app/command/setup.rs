//! What a person can ask of the pages before a battle: the first run, the armies, and setting up.

use crate::rules::Side;
use crate::rules::army_list::{Camp, City, Key, Whose};
use crate::rules::setting_up::Pick;
use crate::rules::setting_up::order::Act;
use crate::rules::terrain::BoardEdge;

/// A step of the first run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Step {
    /// Where pictures come from, and the folder.
    Camera,
    /// How large the board is.
    Board,
    /// The reference tags.
    Tags,
    /// The lens.
    Lens,
    /// The armies.
    Armies,
    /// The bases.
    Bases,
    /// The first ruling.
    Ruling,
}

impl Step {
    /// All of them, in order.
    pub const ALL: [Self; 7] =
        [Self::Camera, Self::Board, Self::Tags, Self::Lens, Self::Armies, Self::Bases, Self::Ruling];

    /// Counted from 1.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// The step of that number; the nearest where there is none.
    pub fn of(number: u8) -> Self {
        let last = Self::ALL.len() - 1;
        Self::ALL[usize::from(number.saturating_sub(1)).min(last)]
    }

    /// What it is about.
    pub fn name(self) -> &'static str {
        match self {
            Self::Camera => "The camera",
            Self::Board => "The board",
            Self::Tags => "The reference tags",
            Self::Lens => "The lens",
            Self::Armies => "The armies",
            Self::Bases => "The bases",
            Self::Ruling => "The first ruling",
        }
    }
}

/// A field of the first run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FirstField {
    /// The table folder.
    Folder,
    /// Where pictures come from.
    Source,
    /// The board along x.
    Width,
    /// The board along y.
    Depth,
    /// The base width.
    BaseWidth,
    /// What the printed ruler measures.
    Ruler,
    /// A roster file of one's own.
    Roster,
}

/// A wish about the first run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FirstRunCommand {
    /// The page opens.
    Open,
    /// It closes, to be taken up again: nothing is lost.
    Leave,
    /// A field's text changed.
    Type(FirstField, String),
    /// The folder and the source are opened; what is not there is made.
    Look,
    /// Another step is shown.
    Go(Step),
    /// The board is as typed.
    SetBoard,
    /// The table's kit is printed into a file.
    PrintTable,
    /// Sizes are corrected by what the ruler measures.
    Correct,
    /// The lens is calibrated.
    CalibrateLens,
    /// The roster file that is typed is copied into the folder.
    OwnRoster,
    /// Two elements that face each other are picked.
    PickPair,
}

/// A wish about the page on which armies are chosen. What names no side is about the one that is shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArmyCommand {
    /// The page opens.
    Open,
    /// It closes.
    Close,
    /// Whose army is shown.
    Show(Side),
    /// Another list is chosen; the army begins anew.
    List(Key),
    /// The general's element.
    Lead(Whose, Option<String>),
    /// That many of a code.
    Take(Whose, String, u8),
    /// An ally joins, or leaves.
    Join(Key),
    /// The camp.
    Camp(Camp),
    /// The City.
    City(City),
    /// What is left open is filled up with the first choice.
    Fill,
    /// Nothing is chosen any more.
    Clear,
    /// The folder of one's own lists changed.
    TypeLists(String),
    /// It is read.
    ReadLists,
    /// The roster's file changed.
    TypeFile(String),
    /// Tags are given out, and the roster is written.
    Save,
    /// Its tags are printed into a file.
    Print,
}

/// How a feature is chosen as the defender's terrain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picked {
    /// As a compulsory one.
    Compulsory,
    /// As an optional one.
    Optional,
}

/// A wish about the page 'Before the battle'.
#[derive(Debug, Clone, PartialEq)]
pub enum SettingUpCommand {
    /// The page opens, where it was left.
    Open,
    /// It closes; what was done stays.
    Close,
    /// That side does that.
    Do(Side, Act),
    /// What was done last is taken back.
    Undo,
    /// Nothing has been done any more.
    Anew,
    /// A feature that is not on the table yet is to be chosen.
    Add(Pick),
    /// A feature is chosen so, or not any more.
    Pick(String, Option<Picked>),
    /// That side chooses those features.
    Choose(Side),
    /// The edge at which the defender stands while he places terrain.
    Seat(BoardEdge),
    /// An element is to be held back; the same again, not.
    Hold(String),
    /// The aggression of an army whose list is not known.
    Factor(u8),
    /// A die is thrown by the program for that side.
    Throw(Side),
    /// The file's name changed.
    TypeFile(String),
    /// Everything is written into it, and from then on after each act.
    Save,
    /// What the file says has been done takes the place of what has.
    Read,
    /// The battle begins: that side's bound is the first.
    Begin(Side),
}
