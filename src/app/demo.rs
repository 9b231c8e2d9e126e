//! The demo without a display: the same window, driven by the same commands as a person's, at chosen
//! moments of a simulated table; what it shows is left as pictures and its rulings as JSON lines.
//!
//! Every frame of the source is read, one after the other, so that nothing depends on the machine's
//! pace.

use crate::app::command::{Command, Layout, Page};
use crate::app::offscreen::Offscreen;
use crate::app::state::Run;
use crate::app::theme;
use crate::app::window::Window;
use crate::judge::Measured;
use crate::rules::{Question, Side};
use crate::session::view::{Call, PairView};
use crate::tracking::Visibility;
use crate::vision::RgbImage;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A moment worth a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Moment {
    /// The whole table, nothing picked.
    Table,
    /// Two elements picked, one in the other's threat zone.
    Zone,
    /// Two elements in contact, with the reasons.
    Contact,
    /// Their combat, with dice.
    Combat,
    /// A hand over the board.
    Hand,
    /// The board alone, in the light theme.
    Board,
}

impl Moment {
    /// Every moment, in the order they are waited for.
    pub const ALL: [Self; 6] =
        [Self::Table, Self::Zone, Self::Contact, Self::Combat, Self::Hand, Self::Board];

    /// The picture's file.
    pub fn file_name(self) -> &'static str {
        match self {
            Self::Table => "1-table.png",
            Self::Zone => "2-threat-zone.png",
            Self::Contact => "3-contact.png",
            Self::Combat => "4-combat.png",
            Self::Hand => "5-hand.png",
            Self::Board => "6-board-light.png",
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq)]
pub enum Step {
    /// A frame was read.
    Read {
        /// Its number.
        seq: u64,
    },
    /// A picture was taken, with the rulings that it shows, one JSON object each.
    Picture {
        /// Of what.
        moment: Moment,
        /// The window.
        picture: RgbImage,
        /// What it says of the two that are picked.
        rulings: Vec<serde_json::Value>,
    },
}

/// Why the demo ended early.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum DemoError {
    /// The source failed.
    #[error("the simulated camera failed: {0}")]
    Source(String),
    /// No frame came.
    #[error("no frame came within {0:?}: the machine may be too busy, try again")]
    Silent(Duration),
    /// A picture or the rulings could not be written.
    #[error("cannot write {path}: {why}. Give --out a folder that can be written")]
    Write {
        /// Which file.
        path: PathBuf,
        /// What went wrong.
        why: String,
    },
}

/// How large the off-screen window is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ScreenSize {
    /// Points across.
    pub width: f32,
    /// Points down.
    pub height: f32,
    /// Pixels to the point.
    pub pixels_per_point: f32,
}

/// No frame takes so long, not even on a machine that does much else.
const PATIENCE: Duration = Duration::from_secs(120);

/// The window, off-screen, with the moments still to come.
pub struct Demo {
    window: Window,
    screen: Offscreen,
    waiting: Vec<Moment>,
    frame_time: Duration,
}

impl Demo {
    /// Over a window whose feed gives every frame (`Pace::EveryFrame`), `frame_time` apart.
    pub fn new(window: Window, size: ScreenSize, frame_time: Duration) -> Self {
        let screen = Offscreen::new(size.width, size.height, size.pixels_per_point);
        theme::install(screen.context());
        let mut demo = Self { window, screen, waiting: Moment::ALL.to_vec(), frame_time };
        demo.pass(Duration::ZERO);
        demo
    }

    /// Moments that have not come.
    pub fn waiting(&self) -> &[Moment] {
        &self.waiting
    }

    /// Opens `source` and shows `frames` of it; `tell` hears of each step as it comes.
    ///
    /// # Errors
    /// The first thing that goes wrong.
    pub fn run(
        &mut self,
        source: &str,
        frames: u64,
        mut tell: impl FnMut(Step) -> Result<(), DemoError>,
    ) -> Result<(), DemoError> {
        self.window.logic_mut().open(source);
        let before = self.window.state().reads();
        while self.window.state().reads() - before < frames {
            if !self.window.logic_mut().wait(PATIENCE, Instant::now()) {
                return Err(DemoError::Silent(PATIENCE));
            }
            match &self.window.state().source().run {
                Run::Failed(words) => return Err(DemoError::Source(words.clone())),
                Run::Ended => break,
                Run::Opening | Run::Running | Run::Paused | Run::Away => {}
            }
            // What it shows does not hang on how fast anything is worked out.
            self.window.logic_mut().settle(PATIENCE);
            let Some(seq) = self.window.state().latest().map(|sight| sight.frame.seq) else { continue };
            self.pass(self.frame_time);
            tell(Step::Read { seq })?;
            self.moments(&mut tell)?;
            if self.waiting.is_empty() {
                return Ok(());
            }
        }
        self.board_at_last(&mut tell)
    }

    /// The board can be shown of whatever was read last: a table that never came to rest after the hand,
    /// or never saw one, has its picture too.
    fn board_at_last(
        &mut self,
        tell: &mut impl FnMut(Step) -> Result<(), DemoError>,
    ) -> Result<(), DemoError> {
        if self.waiting.contains(&Moment::Table) || !self.waiting.contains(&Moment::Board) {
            return Ok(());
        }
        self.show_board();
        self.take(Moment::Board, tell)
    }

    fn show_board(&mut self) {
        self.carry_out([Command::Show(Layout::Board), Command::ToggleTheme]);
    }

    /// Takes the pictures whose moment has come.
    fn moments(&mut self, tell: &mut impl FnMut(Step) -> Result<(), DemoError>) -> Result<(), DemoError> {
        for moment in self.waiting.clone() {
            if !self.has_come(moment) {
                continue;
            }
            self.take(moment, tell)?;
        }
        Ok(())
    }

    /// Takes a moment's picture of the window as it stands.
    fn take(
        &mut self,
        moment: Moment,
        tell: &mut impl FnMut(Step) -> Result<(), DemoError>,
    ) -> Result<(), DemoError> {
        self.waiting.retain(|m| *m != moment);
        // Twice: panels find their sizes in the first pass.
        self.pass(Duration::ZERO);
        self.pass(Duration::ZERO);
        let rulings = match (moment, self.window.state().pair()) {
            (Moment::Zone | Moment::Contact, Some(pair)) => {
                pair.judgements.iter().map(|j| j.to_json()).collect()
            }
            _ => Vec::new(),
        };
        tell(Step::Picture { moment, picture: self.screen.picture(), rulings })
    }

    /// Whether a moment has come; if so the window has been brought to show it.
    fn has_come(&mut self, moment: Moment) -> bool {
        let Some(sight) = self.window.state().latest() else { return false };
        let snapshot = &sight.reading.snapshot;
        let seen = sight.reading.registration.is_ok() && snapshot.seen() > 0;
        let rests = seen && snapshot.at_rest();
        match moment {
            Moment::Table => rests,
            Moment::Zone => rests && self.show_pair(&[Question::InZoneOf]),
            Moment::Contact => {
                rests
                    && self.show_pair(&[
                        Question::ContactFront,
                        Question::ContactFlank,
                        Question::ContactRear,
                    ])
            }
            Moment::Combat => {
                // Of the two in contact, right after their picture.
                let ready = !self.waiting.contains(&Moment::Contact);
                if ready {
                    self.carry_out([Command::Turn(Page::Combat), Command::ThrowDice]);
                }
                ready
            }
            Moment::Hand => {
                let come = !self.waiting.contains(&Moment::Table) && self.covered() >= 2;
                if come {
                    self.carry_out([Command::Turn(Page::Rulings)]);
                }
                come
            }
            Moment::Board => {
                let come = rests && !self.waiting.contains(&Moment::Hand) && self.covered() == 0;
                if come {
                    self.show_board();
                }
                come
            }
        }
    }

    /// How many elements are covered just now.
    fn covered(&self) -> usize {
        let elements = &self.window.state().table().elements;
        elements.iter().filter(|e| matches!(e.visibility, Visibility::Covered { .. })).count()
    }

    /// Picks the two enemies of whom the answer to one of `questions` is yes, an earlier question before a
    /// later one and the nearest where there are several. Whether there are any.
    fn show_pair(&mut self, questions: &[Question]) -> bool {
        let engine = self.window.state().engine();
        let Some(sight) = self.window.state().latest() else { return false };
        let measured = engine.measured(&engine.read(&sight.reading.snapshot), sight.reading.snapshot.held);
        let mut pairs: Vec<PairView> =
            enemies(&measured).into_iter().filter_map(|(a, b)| engine.pair(&measured, a, b)).collect();
        pairs.sort_by(|p, q| p.distance.mm.total_cmp(&q.distance.mm));
        let found = questions.iter().find_map(|&q| Some((q, pairs.iter().find(|pair| suits(pair, q))?)));
        let Some((question, pair)) = found else { return false };
        let shown = pair.rulings.iter().position(|r| r.asks == question);
        let picks = [
            Command::ClearSelection,
            Command::Pick(pair.a.clone()),
            Command::Pick(pair.b.clone()),
            Command::Turn(Page::Rulings),
        ];
        self.carry_out(picks.into_iter().chain(shown.map(Command::Explain)).collect::<Vec<_>>());
        true
    }

    fn carry_out(&mut self, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            self.window.logic_mut().carry_out(command);
        }
    }

    fn pass(&mut self, later: Duration) {
        self.screen.pass(later, |ui| self.window.show(ui));
    }
}

/// Every pair of enemies on the table, the red one first.
fn enemies(measured: &Measured) -> Vec<(&str, &str)> {
    let of = |side: Side| measured.setup.elements.iter().filter(move |e| e.side == side);
    of(Side::Red).flat_map(|a| of(Side::Blue).map(move |b| (a.name.as_str(), b.name.as_str()))).collect()
}

/// Whether a pair shows what `question` asks: in the zone and not touching, or in contact.
fn suits(pair: &PairView, question: Question) -> bool {
    let yes = pair.rulings.iter().any(|r| r.asks == question && r.call == Call::Yes);
    yes && (question != Question::InZoneOf || pair.distance.mm > 10.0)
}
