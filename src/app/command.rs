//! What a person can ask of the window. Panels and keys send commands; `logic` carries them out.

use crate::app::state::Field;
use crate::rules::Side;
use crate::rules::facts::Fact;
use std::path::PathBuf;

/// The first or the second of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The element that questions are about.
    First,
    /// The element that it is compared with.
    Second,
}

impl Slot {
    /// Both, in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// 0 or 1.
    pub fn index(self) -> usize {
        match self {
            Self::First => 0,
            Self::Second => 1,
        }
    }
}

/// What the middle of the window shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Layout {
    /// The camera's picture beside the board.
    #[default]
    Both,
    /// The camera's picture alone.
    Picture,
    /// The board alone.
    Board,
}

/// What the side panel shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Page {
    /// Distance and the geometric questions.
    #[default]
    Rulings,
    /// Close combat.
    Combat,
    /// Moves.
    Moves,
}

/// A person's wish.
#[derive(Debug, Clone, PartialEq)]
pub enum Command {
    /// An element was clicked: it becomes the first, then the second; a third replaces the second; one
    /// that is already picked is let go.
    Pick(String),
    /// The two change places.
    Swap,
    /// Neither is picked any more.
    ClearSelection,
    /// Frames stop, or go on.
    TogglePause,
    /// Two dice are thrown by the session's generator.
    ThrowDice,
    /// The text in one of the fields for real dice changed.
    TypeDie(Slot, String),
    /// The typed dice count.
    TakeTypedDice,
    /// The dice are taken off the table.
    ClearDice,
    /// The middle of the window changes.
    Show(Layout),
    /// The side panel changes.
    Turn(Page),
    /// The question to be shown in full changes; the same one again closes it.
    Explain(usize),
    /// The dialog for another source opens.
    ShowSources,
    /// It closes; whatever was being opened is let go.
    HideSources,
    /// The dialog's text changed.
    TypeSource(String),
    /// Another source is opened. The present one stays until the new one has given a picture.
    Open(String),
    /// The cameras that are plugged in are listed.
    FindCameras,
    /// What went wrong has been read.
    DismissNotice,
    /// From dark to light or back.
    ToggleTheme,
    /// One of the dialog's other fields changed.
    TypeFiles(Field, String),
    /// About the dialog's list of files.
    Browse(BrowseCommand),
    /// The players agree on a fact: it outranks the measurement until one of its elements moves.
    Agree(Fact),
    /// They withdraw it.
    Withdraw(Fact),
    /// About moves.
    Moves(MovesCommand),
    /// About the page on which a lens is calibrated.
    Lens(LensCommand),
    /// About the page on which mounts are measured in the jig.
    Jig(JigCommand),
}

/// A wish about the dialog's list of files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BrowseCommand {
    /// The list opens, for one of the fields.
    For(Field),
    /// A folder is entered.
    Enter(PathBuf),
    /// A file or a folder is what was looked for.
    Choose(PathBuf),
    /// The list closes.
    Close,
}

/// A wish about the page on which a lens is calibrated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LensCommand {
    /// The page opens; the table's reader lets its camera go.
    Open,
    /// It closes, and the table is read again.
    Close,
    /// The board's text changed.
    TypeBoard(String),
    /// The camera's name changed.
    TypeCamera(String),
    /// The profile's file changed.
    TypeFile(String),
    /// Views are gathered, from none.
    Start,
    /// No more views are gathered.
    Stop,
    /// The profile is written to its file.
    Save,
    /// The profile serves from now on, and the table is read again.
    Use,
}

/// A wish about the page on which mounts are measured in the jig.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JigCommand {
    /// The page opens; the table's reader lets its camera go.
    Open,
    /// It closes, and the table is read again.
    Close,
    /// Where pictures come from changed.
    TypeSource(String),
    /// What the jig's ruler measures changed.
    TypeRuler(String),
    /// The element that is awaited changed; none for whichever shows.
    Await(Option<String>),
    /// The source is opened.
    Start,
    /// It is closed.
    Stop,
    /// The picture that shows is taken, where a base rests in it.
    Take,
    /// Another element's figures are shown.
    ShowFigures(String),
    /// An element's pictures and figures are thrown away.
    Forget(String),
    /// What was measured is written into the rosters.
    Save,
}

/// A wish about moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MovesCommand {
    /// Where everything stands now is where the next move begins.
    Mark,
    /// The mark goes, and what is known of the bound.
    Forget,
    /// Whose bound it is; none for the side that moved.
    Side(Option<Side>),
    /// The score of the PIP die; none where it is not known.
    Pips(Option<u8>),
    /// Another explanation is shown.
    Choose(usize),
    /// The move is over, as the explanation that is shown has it; the next begins here.
    Accept,
    /// An element that was nudged stays where it is.
    AcceptNudge(String),
    /// The other side's bound begins here.
    NextBound,
}
