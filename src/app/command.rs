//! What a person can ask of the window. Panels and keys send commands; `logic` carries them out.

mod clock;
mod round;
mod setup;
mod slip;
mod spot;
mod terrain;
mod tray;

use crate::app::look::LookCommand;
use crate::app::state::{Field, ReachBody};
use crate::rules::facts::Fact;
use crate::rules::terrain::BoardEdge;
use crate::rules::victory::{CampState, CityState};
use crate::rules::{Question, Side};
use crate::session::play::{FightKind, Said};
use crate::session::view::{Chooses, Decides};
use std::path::PathBuf;

pub use clock::ClockCommand;
pub use round::{RoundCommand, RoundField};
pub use setup::{ArmyCommand, FirstField, FirstRunCommand, Picked, SettingUpCommand, Step};
pub use slip::{SlipCommand, SlipField};
pub use spot::{SpotAsk, SpotCommand, SpotField};
pub use terrain::{Grip, Handle, Item, ShapeKind, Sort, TerrainCommand};
pub use tray::{TrayCamera, TrayCommand};

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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Page {
    /// Distance and the geometric questions.
    #[default]
    Rulings,
    /// Close combat and shooting.
    Combat,
    /// Moves.
    Moves,
    /// Where an element may go.
    Reach,
    /// Losses, who has won, and the log.
    Battle,
    /// Everything that two players want at a glance.
    Game,
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
    /// The session of dice ends: its seed is shown, and another begins.
    RevealDice,
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
    /// About combat and shooting.
    Fight(FightCommand),
    /// About losses.
    Losses(LossesCommand),
    /// About the log.
    Log(LogCommand),
    /// About the journal.
    Journal(JournalCommand),
    /// About where an element may go.
    Reach(ReachCommand),
    /// About the battle as it goes on by itself.
    Session(SessionCommand),
    /// About the mode.
    Mode(ModeCommand),
    /// About the game's clock.
    Clock(ClockCommand),
    /// About how the window looks, and its page of keys.
    Look(LookCommand),
    /// A photograph of the board is taken.
    Photograph,
    /// About the next round.
    Round(RoundCommand),
    /// About the result slip.
    Slip(SlipCommand),
    /// About the dice tray.
    Tray(TrayCommand),
    /// About demo mode.
    Demo(DemoCommand),
    /// About the page on which bases without tags are judged.
    Spot(SpotCommand),
    /// The umpire overrules the answer to a question about two elements; that is written down. The same again takes
    /// it back.
    Overrule(Question, Said),
    /// About the page on which a lens is calibrated.
    Lens(LensCommand),
    /// About the page on which mounts are measured in the jig.
    Jig(JigCommand),
    /// About the first run.
    FirstRun(FirstRunCommand),
    /// About the page on which armies are chosen.
    Army(ArmyCommand),
    /// About the page on which terrain is drawn.
    Terrain(TerrainCommand),
    /// About the page 'Before the battle'.
    SettingUp(SettingUpCommand),
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

/// A wish about combat and shooting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FightCommand {
    /// Close combat, or the first shoots at the second.
    Kind(FightKind),
    /// These two are picked, and fight so.
    Due(FightKind, String, String),
    /// A shooter's player chooses its target; the same again takes it back.
    Shoot(String, String),
    /// A player answers what he may choose before the dice lie; the same again takes it back.
    Say(Chooses),
    /// A player decides what the rules leave to him.
    Decide(Decides),
    /// Red's base edge; none for the one that the table's file says, or that the armies stand nearer to.
    RedEdge(Option<BoardEdge>),
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
    /// Another explanation is taken.
    Choose(usize),
    /// The move is over, as the explanation that is taken has it; the next begins here.
    Accept,
    /// The umpire lets it stand, whatever the rules say to it; that is written down.
    Overrule,
    /// The umpire does not allow it, whatever the rules say to it; that is written down, and it is put back.
    Disallow,
    /// Elements that were nudged stay where they are.
    AcceptNudges(Vec<String>),
    /// They are put back.
    PutBack(Vec<String>),
    /// Moves are over: shooting and combat begin.
    EndMoves,
    /// The other side's bound begins here.
    NextBound,
}

/// A wish about the battle as it goes on by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionCommand {
    /// Play is to be carried on from the table as it stands: it is asked whose bound it is. The same again: not now.
    AskCarryOn,
    /// An element is taken for lost, or not.
    TakeForLost(String),
    /// It is that side's bound.
    CarryOn(Side),
    /// Where the bound began is shown, or not.
    ShowStart,
}

/// For whom the window is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub enum Mode {
    /// An umpire: every question about two elements, picture and board.
    #[default]
    Umpire,
    /// Two players: the board, whose bound, PIPs, what is due, losses.
    Game,
    /// Strangers at a show: a loop while nobody plays, short sentences while somebody does.
    Demo,
}

/// How much the players in game mode want to be told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Assistance {
    /// Whose bound, PIPs and losses.
    Off,
    /// Also what was moved, and what the dice want done.
    Quiet,
    /// Also what is due, and what the element that is touched may do.
    #[default]
    Full,
}

/// A wish about the mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ModeCommand {
    /// The window is for these people.
    Be(Mode),
    /// The players want to be told so much.
    Assist(Assistance),
}

/// A wish about demo mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DemoCommand {
    /// Bases are to be put back to where they began; the same again: not now.
    PutBack,
    /// Where everybody stands now is where they begin.
    Begin,
}

/// A wish about losses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LossesCommand {
    /// An element is lost: the players say so.
    Lost(String),
    /// It is gone from the table, and not lost.
    Spare(String),
    /// It was said to be lost, and is not.
    Return(String),
    /// What has become of a side's camp.
    Camp(Side, CampState),
    /// What has become of its City.
    City(Side, CityState),
}

/// A wish about the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LogCommand {
    /// The note's text changed.
    TypeNote(String),
    /// The note is written down.
    Note,
    /// The file's name changed.
    TypeFile(String),
    /// The log is written to its file, and from then on whenever it grows.
    Save,
}

/// A wish about the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalCommand {
    /// The file's name changed.
    TypeFile(String),
    /// From now on everything is kept in that file.
    Keep,
    /// What was done last is undone.
    Undo,
    /// What was undone last is done again.
    Redo,
}

/// A wish about where an element may go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachCommand {
    /// Alone, or with its group.
    Body(ReachBody),
    /// The way to one of the enemies is shown; the same again hides it.
    Show(usize),
}
