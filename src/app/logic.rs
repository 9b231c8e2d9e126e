//! What happens: events from the feeds and commands from people change the state.
//!
//! A new source is opened beside the present one and takes its place when it is open, so a source
//! that cannot be opened costs nothing.

use crate::app::command::Command;
use crate::app::state::{CameraEntry, CameraSearch, Run, State};
use crate::app::worker::{Feed, FeedEvent, FeedOrder, Pace};
use crate::vision::{FrameSource, LensProfile};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::Instant;

/// Opens a source from what a person typed: a file, a folder, an address, `camera:N` or `sim:SEED`.
/// Called in the thread that will read from it.
pub type Opener = Arc<dyn Fn(&str) -> Result<Box<dyn FrameSource>, String> + Send + Sync>;

/// Lists the cameras that are plugged in.
pub type CameraLister = Arc<dyn Fn() -> Result<Vec<CameraEntry>, String> + Send + Sync>;

/// Makes the function that wakes the window after each event.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// The state with what feeds it.
pub struct Logic {
    /// What is shown.
    pub state: State,
    opener: Opener,
    cameras: CameraLister,
    lens: Option<LensProfile>,
    pace: Pace,
    waker: Waker,
    feed: Option<Feed>,
    opening: Option<Feed>,
    looking: Option<Receiver<Result<Vec<CameraEntry>, String>>>,
}

impl Logic {
    /// Nothing is read yet: see [`Logic::open`].
    pub fn new(
        state: State,
        opener: Opener,
        cameras: CameraLister,
        lens: Option<LensProfile>,
        pace: Pace,
    ) -> Self {
        Self {
            state,
            opener,
            cameras,
            lens,
            pace,
            waker: Arc::new(|| {}),
            feed: None,
            opening: None,
            looking: None,
        }
    }

    /// Sets what is called after each event of a feed that is opened from now on.
    pub fn wake_with(&mut self, waker: Waker) {
        self.waker = waker;
    }

    /// Opens a source; the present one goes on until it is open.
    pub fn open(&mut self, source: &str) {
        let source = source.trim().to_owned();
        if source.is_empty() {
            self.refused(
                "Type what to open: a picture, a folder, a video, an address, camera:0 or sim:7.".to_owned(),
            );
            return;
        }
        let (opener, waker, text) = (Arc::clone(&self.opener), Arc::clone(&self.waker), source.clone());
        let order = FeedOrder {
            open: Box::new(move || opener(&text)),
            book: self.state.engine().book().clone(),
            lens: self.lens.clone(),
            pace: self.pace,
            wake: Box::new(move || waker()),
        };
        match Feed::start(order) {
            Ok(feed) => {
                self.opening = Some(feed);
                if let Some(dialog) = &mut self.state.dialog {
                    dialog.opening = Some(source);
                    dialog.error = None;
                }
            }
            Err(error) => self.refused(format!(
                "cannot start a reading thread: {error}. Close other programs and try again."
            )),
        }
    }

    /// Takes over what the feeds have given. `now` is the moment of arrival.
    pub fn tick(&mut self, now: Instant) {
        self.take_cameras();
        while let Some(event) = self.opening.as_ref().and_then(Feed::poll) {
            self.opening_event(event);
        }
        while let Some(event) = self.feed.as_ref().and_then(Feed::poll) {
            self.event(event, now);
        }
    }

    /// Waits for one event, `longest` at most, and takes it over: for a window that nobody looks at.
    /// Whether there was one.
    pub fn wait(&mut self, longest: std::time::Duration, now: Instant) -> bool {
        if let Some(opening) = &self.opening {
            let event = opening.wait(longest);
            return event.map(|event| self.opening_event(event)).is_some();
        }
        let event = self.feed.as_ref().and_then(|feed| feed.wait(longest));
        event.map(|event| self.event(event, now)).is_some()
    }

    /// Carries out what a person asked for.
    pub fn carry_out(&mut self, command: Command) {
        match self.state.carry_out(command) {
            Some(Command::TogglePause) => self.toggle_pause(),
            Some(Command::HideSources) => {
                self.state.dialog = None;
                self.opening = None;
            }
            Some(Command::Open(source)) => self.open(&source),
            Some(Command::FindCameras) => self.find_cameras(),
            Some(_) | None => {}
        }
    }

    /// Looks for cameras in a thread: asking one what it can do may take seconds.
    fn find_cameras(&mut self) {
        if self.looking.is_some() {
            return;
        }
        let (sender, found) = sync_channel(1);
        let (cameras, waker) = (Arc::clone(&self.cameras), Arc::clone(&self.waker));
        let begun = std::thread::Builder::new().name("groma cameras".to_owned()).spawn(move || {
            // Nobody listens where the window was closed meanwhile.
            let _ = sender.send(cameras());
            waker();
        });
        let state = match begun {
            Ok(_) => {
                self.looking = Some(found);
                CameraSearch::Looking
            }
            Err(error) => CameraSearch::Failed(format!("cannot look for cameras: {error}")),
        };
        if let Some(dialog) = &mut self.state.dialog {
            dialog.cameras = state;
        }
    }

    fn take_cameras(&mut self) {
        let Some(found) = self.looking.as_ref().map(Receiver::try_recv) else { return };
        let state = match found {
            Ok(Ok(list)) => CameraSearch::Found(list),
            Ok(Err(words)) => CameraSearch::Failed(words),
            Err(TryRecvError::Empty) => return,
            Err(TryRecvError::Disconnected) => {
                CameraSearch::Failed("the search for cameras broke down; type camera:0 instead".to_owned())
            }
        };
        self.looking = None;
        if let Some(dialog) = &mut self.state.dialog {
            dialog.cameras = state;
        }
    }

    fn toggle_pause(&mut self) {
        let Some(feed) = &self.feed else { return };
        match self.state.source.run {
            Run::Running => {
                feed.pause();
                self.state.source.run = Run::Paused;
            }
            Run::Paused => {
                feed.resume();
                self.state.source.run = Run::Running;
            }
            Run::Opening | Run::Ended | Run::Failed(_) => {}
        }
    }

    fn opening_event(&mut self, event: FeedEvent) {
        match event {
            FeedEvent::Opened { description, unrelated } => {
                self.feed = self.opening.take();
                self.state.begin_source(description, unrelated);
                self.state.dialog = None;
                self.state.notice = None;
            }
            FeedEvent::Failed(words) => {
                self.opening = None;
                self.refused(words);
            }
            // A feed says whether it is open before anything else.
            FeedEvent::Read(_) | FeedEvent::PassedOver(_) | FeedEvent::Ended => {}
        }
    }

    fn event(&mut self, event: FeedEvent, now: Instant) {
        match event {
            FeedEvent::Read(sight) => {
                self.state.take(*sight, now);
                self.between_pictures();
            }
            FeedEvent::PassedOver(words) => {
                self.state.notice = Some(words);
                self.between_pictures();
            }
            FeedEvent::Ended => self.state.source.run = Run::Ended,
            FeedEvent::Failed(words) => {
                self.state.notice = Some(format!("{words} What was last read is still shown."));
                self.state.source.run = Run::Failed(words);
            }
            FeedEvent::Opened { .. } => {}
        }
    }

    /// A feed of unrelated pictures has paused by itself.
    fn between_pictures(&mut self) {
        if self.state.source.unrelated {
            self.state.source.run = Run::Paused;
        }
    }

    /// A source could not be opened.
    fn refused(&mut self, words: String) {
        match &mut self.state.dialog {
            Some(dialog) => {
                dialog.opening = None;
                dialog.error = Some(words);
            }
            None => {
                if self.feed.is_none() {
                    self.state.source.run = Run::Failed(words.clone());
                }
                self.state.notice = Some(words);
            }
        }
    }
}
