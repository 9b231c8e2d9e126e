//! The thread that calibrates a lens: a source of pictures of a board, the board's finder, and the views so
//! far, all in one thread. What it shows is a [`LensSight`] for each picture; a window that falls behind gets
//! the newest, and what has been gathered is in every one.

use super::channel::{Feed, Post, Report, Rested, Unheard};
use super::clock::Clock;
use super::{Ended, LET_GO_WITHIN, Open};
use crate::vision::calibration::{
    Board, BoardFinder, Calibration, Coverage, Gathering, Grade, LEAST_VIEWS, Look, OneSize, View,
};
use crate::vision::source::Locks;
use crate::vision::{Frame, PixelPoint, SourceError};
use std::sync::Arc;

/// What has been gathered.
#[derive(Debug, Clone, PartialEq)]
pub struct LensProgress {
    /// How many views were kept.
    pub views: usize,
    /// What of the picture and of the board's turns they cover.
    pub coverage: Coverage,
    /// In plain words, whether they will do.
    pub grade: Grade,
    /// The lens so far; `None` while there are too few views, or none fits.
    pub calibration: Option<Calibration>,
    /// Every corner of every view, for the picture.
    pub corners_px: Vec<PixelPoint>,
}

/// What one picture shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LensLook {
    /// A moving source, at a glance.
    Live(Look),
    /// The camera still sets its exposure or focus: nothing is taken yet.
    Settling,
    /// A photograph that shows the board.
    Photograph,
    /// A photograph that does not.
    NoBoard,
}

/// A picture, and what has been gathered up to it.
#[derive(Debug)]
pub struct LensSight {
    /// The picture.
    pub frame: Frame,
    /// What it shows.
    pub look: LensLook,
    /// The board's corners in it, where it was seen.
    pub corners_px: Vec<PixelPoint>,
    /// What has been gathered.
    pub progress: Arc<LensProgress>,
    /// Whether the camera keeps its settings, where it is one that could be asked.
    pub locks: Option<Locks>,
}

/// What the thread reports.
#[derive(Debug)]
pub enum LensEvent {
    /// The source is open.
    Opened {
        /// What people call it.
        description: String,
        /// What the camera calls itself, where the source is one.
        device: Option<String>,
    },
    /// A picture was looked at.
    Seen(Box<LensSight>),
    /// A picture could not be used; the others may.
    PassedOver(String),
    /// The source has no more pictures.
    Ended,
    /// The source could not be opened, or failed. In words that say what to do.
    Failed(String),
}

impl Report for LensEvent {
    fn is_last(&self) -> bool {
        matches!(self, Self::Ended | Self::Failed(_))
    }

    fn broken_down() -> Self {
        Self::Failed("the calibrating thread broke down. Start again, and please report this.".to_owned())
    }
}

/// What the thread is started with.
pub struct LensOrder {
    /// A feed whose end is waited for: the two want one camera.
    pub after: Option<Ended>,
    /// Opens the source; called in the thread.
    pub open: Open,
    /// The board that is shown.
    pub board: Board,
    /// Called after each event, to wake the window.
    pub wake: Box<dyn Fn() + Send>,
}

impl Feed<LensEvent> {
    /// Starts a thread on `order`.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn calibrate(order: LensOrder) -> std::io::Result<Self> {
        let (after, open, board) = (order.after, order.open, order.board);
        Self::spawn("groma lens", order.wake, move |post| {
            if let Some(ended) = after {
                ended.wait(LET_GO_WITHIN);
            }
            run(open, board, post)
        })
    }
}

/// The views with what they come to.
struct Work {
    finder: BoardFinder,
    gathering: Gathering,
    progress: Arc<LensProgress>,
}

impl Work {
    fn new(finder: BoardFinder, size: (usize, usize)) -> Self {
        let gathering = Gathering::new(size);
        let progress = Arc::new(progress(&gathering));
        Self { finder, gathering, progress }
    }

    /// Keeps a view, and solves anew where there are enough.
    fn keep(&mut self, view: View) {
        self.gathering.keep(view);
        if self.gathering.views().len() >= LEAST_VIEWS {
            // Where no lens fits, the grade says so.
            let _ = self.gathering.solve();
        }
        self.progress = Arc::new(progress(&self.gathering));
    }

    /// What a picture shows, with its corners; a view that is worth it is kept.
    fn look(&mut self, frame: &Frame, unrelated: bool) -> (LensLook, Vec<PixelPoint>) {
        let corners = |view: &View| view.pairs.iter().map(|(_, pixel)| *pixel).collect();
        if unrelated {
            return match self.finder.find(&frame.label, &frame.grey) {
                Ok(view) => {
                    let seen = corners(&view);
                    self.keep(view);
                    (LensLook::Photograph, seen)
                }
                Err(_) => (LensLook::NoBoard, Vec::new()),
            };
        }
        let label = format!("view {}", self.gathering.views().len() + 1);
        let glance = self.finder.glance(&label, &frame.grey);
        let seen = glance.as_ref().map(corners).unwrap_or_default();
        let look = self.gathering.look(glance);
        if look == Look::New
            && let Ok(view) = self.finder.find(&label, &frame.grey)
        {
            self.keep(view);
        }
        (LensLook::Live(look), seen)
    }
}

fn progress(gathering: &Gathering) -> LensProgress {
    LensProgress {
        views: gathering.views().len(),
        coverage: gathering.coverage(),
        grade: gathering.grade(),
        calibration: gathering.calibration().cloned(),
        corners_px: gathering.views().iter().flat_map(|v| v.pairs.iter().map(|(_, p)| *p)).collect(),
    }
}

/// Looks at pictures until the source ends or fails; gives the event that says so.
fn run(open: Open, board: Board, post: &mut Post<LensEvent>) -> Result<LensEvent, Unheard> {
    let mut source = match open() {
        Ok(source) => source,
        Err(words) => return Ok(LensEvent::Failed(words)),
    };
    let mut finder = match BoardFinder::new(board) {
        Ok(finder) => Some(finder),
        Err(error) => return Ok(LensEvent::Failed(format!("the tag detector cannot start: {error}"))),
    };
    post.deliver(LensEvent::Opened { description: source.description(), device: source.device() })?;
    let unrelated = source.unrelated();
    let (mut size, mut work, mut clock) = (OneSize::default(), None, Clock::default());
    let mut away: Option<String> = None;
    loop {
        if post.rest(None)? == Rested::Paused {
            clock = Clock::default();
        }
        let frame = match source.next_frame() {
            Ok(Some(frame)) => frame,
            Ok(None) => return Ok(LensEvent::Ended),
            Err(error) if unrelated => {
                post.deliver(LensEvent::PassedOver(error.to_string()))?;
                continue;
            }
            // Told once for each reason; it is tried again until it is back.
            Err(SourceError::Away { why }) => {
                clock = Clock::default();
                if away.as_ref() != Some(&why) {
                    post.deliver(LensEvent::PassedOver(why.clone()))?;
                    away = Some(why);
                }
                continue;
            }
            Err(error) => return Ok(LensEvent::Failed(error.to_string())),
        };
        away = None;
        let own = (frame.grey.width(), frame.grey.height());
        if let Err(why) = size.check(&frame.label, own) {
            post.deliver(LensEvent::PassedOver(why.to_string()))?;
            continue;
        }
        if let Some(finder) = finder.take() {
            work = Some(Work::new(finder, own));
        }
        let Some(work) = &mut work else { return Ok(LensEvent::Ended) };
        let due = clock.due(frame.captured_at.0);
        let locks = source.locks();
        let (look, corners_px) = match &locks {
            Some(locks) if !locks.settled() => (LensLook::Settling, Vec::new()),
            _ => work.look(&frame, unrelated),
        };
        let progress = Arc::clone(&work.progress);
        let event = LensEvent::Seen(Box::new(LensSight { frame, look, corners_px, progress, locks }));
        if unrelated {
            post.deliver(event)?;
        } else {
            post.rest(Some(due))?;
            post.offer(event)?;
        }
    }
}
