//! What happens: events from the feeds and commands from people change the state.
//!
//! A new source is opened beside the present one and takes its place when it is open, so a source
//! that cannot be opened costs nothing. Other files are read first, and take the place of the present ones
//! together with the new source.

mod army;
mod browse;
mod demo;
mod errands;
mod first_run;
mod jig;
mod journal;
mod lens;
mod photograph;
mod round;
mod second;
mod setting_up;
mod settings;
mod slip;
mod spot;
mod terrain;
mod tray;

use crate::app::command::Command;
use crate::app::outside::{NamedFiles, Outside, Setup};
use crate::app::state::{CameraEntry, CameraSearch, Run, State};
use crate::app::worker::jig::JigEvent;
use crate::app::worker::lens::LensEvent;
use crate::app::worker::second::Second;
use crate::app::worker::{Ended, Feed, FeedEvent, FeedOrder, Pace};
use crate::session::engine::Engine;
use crate::session::journal::{Event, JournalError, Keeper};
use crate::session::play::Play;
use crate::vision::LensProfile;
use errands::Errands;
use journal::{Keeping, begun};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError, sync_channel};
use std::time::Instant;

pub use crate::app::outside::{CameraLister, Opener};

/// What becomes of the game while its camera is away.
const WAITS: &str = "The game stays as it is, and goes on by itself when the camera is back.";
/// What is told when it is.
const BACK: &str = "The camera is back: the game goes on.";

/// Makes the function that wakes the window after each event.
pub type Waker = Arc<dyn Fn() + Send + Sync>;

/// The state with what feeds it.
pub struct Logic {
    /// What is shown.
    pub state: State,
    outside: Outside,
    opener: Opener,
    lens: Option<LensProfile>,
    pace: Pace,
    waker: Waker,
    /// The source that is shown.
    feed: Option<Feed<FeedEvent>>,
    /// What it was opened from.
    spec: Option<String>,
    pending: Option<Pending>,
    /// Another camera over the same table.
    second: Option<Second>,
    /// A feed that may still hold the camera.
    ended: Option<Ended>,
    lens_feed: Option<Feed<LensEvent>>,
    /// The pictures of bases in the jig.
    jig_feed: Option<Feed<FeedEvent>>,
    /// The measuring of one of them.
    jig_work: Option<Feed<JigEvent>>,
    looking: Option<Receiver<Result<Vec<CameraEntry>, String>>>,
    errands: Errands,
    terrain: terrain::TerrainDesks,
    demo: demo::DemoDesks,
    setting_up_kept: setting_up::SettingUpKept,
    spot: spot::SpotDesks,
    tray: tray::TrayDesk,
    photographs: photograph::PhotographDesk,
    settings: settings::SettingsKept,
    /// What the battle of the next round is to be kept in, while its source is being opened.
    next_journal: Option<Option<PathBuf>>,
    keeping: Keeping,
    /// When time was told first.
    begun: Option<Instant>,
}

/// A source that is being opened.
struct Pending {
    feed: Feed<FeedEvent>,
    spec: String,
    /// The files that come with it.
    setup: Option<Setup>,
    /// The second camera that is to stand beside it; empty for none.
    second: String,
}

impl Logic {
    /// Over what is set up. Nothing is read yet: see [`Logic::open`].
    pub fn new(state: State, setup: Setup, outside: Outside, pace: Pace) -> Self {
        let keeping = Keeping::of(begun(&state, &setup.kept), state.engine().again());
        let mut logic = Self {
            state,
            keeping,
            outside,
            opener: Arc::clone(&setup.open),
            lens: None,
            pace,
            waker: Arc::new(|| {}),
            feed: None,
            spec: None,
            pending: None,
            second: None,
            ended: None,
            lens_feed: None,
            jig_feed: None,
            jig_work: None,
            looking: None,
            errands: Errands::new(),
            terrain: terrain::TerrainDesks::new(),
            demo: demo::DemoDesks::new(),
            setting_up_kept: setting_up::SettingUpKept::default(),
            spot: spot::SpotDesks::new(),
            tray: tray::TrayDesk::new(),
            photographs: photograph::PhotographDesk::new(),
            settings: settings::SettingsKept::default(),
            next_journal: None,
            begun: None,
        };
        logic.adopt(setup);
        logic
    }

    /// The battle goes on from its journal: `play` is what its records have come to.
    pub fn resume(&mut self, keeper: Keeper, play: Play) {
        let now = play.engine();
        let began = match keeper.records().first().map(|record| &record.event) {
            Some(Event::Opened(opened)) => Engine::of_opened(opened).unwrap_or_else(|_| now.again()),
            _ => now.again(),
        };
        self.keeping = Keeping::of(keeper, began);
        self.state.kept.look(&self.keeping.keeper);
        self.state.go_back(play);
        self.no_bound_is_new();
    }

    /// Everything is kept in this new file from now on.
    ///
    /// # Errors
    /// There is a file of that name, or it cannot be written.
    pub fn keep_in(&mut self, path: &Path) -> Result<(), JournalError> {
        self.keeping.keeper.keep_in(path)?;
        self.state.kept.look(&self.keeping.keeper);
        Ok(())
    }

    /// Sets what is called after each event of a feed that is opened from now on.
    pub fn wake_with(&mut self, waker: Waker) {
        self.waker = waker;
    }

    /// Opens a source; the present one goes on until it is open.
    pub fn open(&mut self, source: &str) {
        self.open_with(source, None);
    }

    fn open_with(&mut self, source: &str, setup: Option<Setup>) {
        let source = source.trim().to_owned();
        if source.is_empty() {
            self.refused(
                "Type what to open: a picture, a folder, a video, an address, camera:0 or sim:7.".to_owned(),
            );
            return;
        }
        let opener = Arc::clone(setup.as_ref().map_or(&self.opener, |s| &s.open));
        let (waker, text) = (Arc::clone(&self.waker), source.clone());
        let book = match &setup {
            Some(setup) => crate::judge::tag_book(&setup.table, &setup.roster),
            None => self.state.engine().book().clone(),
        };
        let lens = setup.as_ref().map_or(&self.lens, |s| &s.lens).clone();
        let order = FeedOrder {
            after: self.ended.take(),
            open: Box::new(move || opener(&text)),
            book,
            lens,
            pace: self.pace,
            wake: Box::new(move || waker()),
        };
        match Feed::start(order) {
            Ok(feed) => {
                let second = match &self.state.dialog {
                    Some(dialog) => dialog.second.clone(),
                    None => self.state.second.clone(),
                };
                self.pending = Some(Pending { feed, spec: source.clone(), setup, second });
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
        self.take_lens();
        self.take_jig();
        self.take_second(now);
        self.second_sees_tray();
        while let Some(event) = self.pending.as_ref().and_then(|pending| pending.feed.poll()) {
            self.pending_event(event);
        }
        while let Some(event) = self.feed.as_ref().and_then(Feed::poll) {
            self.event(event, now);
        }
        let begun = *self.begun.get_or_insert(now);
        self.state.clock.tick(now.saturating_duration_since(begun));
        self.demo_tick(now);
        self.errands();
        self.keep();
    }

    /// Waits for one event, `longest` at most, and takes it over: for a window that nobody looks at.
    /// Whether there was one.
    pub fn wait(&mut self, longest: std::time::Duration, now: Instant) -> bool {
        if let Some(pending) = &self.pending {
            let event = pending.feed.wait(longest);
            return event.map(|event| self.pending_event(event)).is_some();
        }
        if let Some(feed) = &self.lens_feed {
            let event = feed.wait(longest);
            return event.map(|event| self.lens_event(event)).is_some();
        }
        let event = self.feed.as_ref().and_then(|feed| feed.wait(longest));
        let come = event.map(|event| self.event(event, now)).is_some();
        self.demo_tick(now);
        self.errands();
        self.keep();
        come
    }

    /// Carries out what a person asked for.
    pub fn carry_out(&mut self, command: Command) {
        let Some(command) = self.unless_it_waits(command) else { return };
        match self.state.carry_out(command) {
            Some(Command::TogglePause) => self.toggle_pause(),
            Some(Command::HideSources) => {
                self.state.dialog = None;
                self.pending = None;
            }
            Some(Command::Open(source)) => self.open_from_dialog(&source),
            Some(Command::FindCameras) => self.find_cameras(),
            Some(Command::Browse(command)) => self.browse(command),
            Some(Command::Lens(command)) => self.carry_out_lens(command),
            Some(Command::Jig(command)) => self.carry_out_jig(command),
            Some(Command::FirstRun(command)) => self.carry_out_first_run(command),
            Some(Command::Army(command)) => self.carry_out_army(command),
            Some(Command::Terrain(command)) => self.carry_out_terrain(command),
            Some(Command::Spot(command)) => self.carry_out_spot(command),
            Some(Command::Demo(command)) => self.carry_out_demo(command),
            Some(Command::Mode(_)) => self.mode_changed(),
            Some(Command::SettingUp(command)) => self.carry_out_setting_up(command),
            Some(Command::Log(_)) => self.save_log(),
            Some(Command::Photograph) => self.photograph(),
            Some(Command::Slip(_)) => self.write_slip(),
            Some(Command::Round(_)) => self.begin_round(),
            Some(Command::Journal(command)) => self.carry_out_journal(command),
            Some(_) | None => {}
        }
        self.errands();
        self.keep();
        self.keep_settings();
    }

    /// Opens a source with the files that the dialog names, where these are others than the present ones.
    fn open_from_dialog(&mut self, source: &str) {
        let Some(dialog) = &self.state.dialog else { return self.open(source) };
        let path = |text: &str| Some(text.trim()).filter(|t| !t.is_empty()).map(PathBuf::from);
        let named = NamedFiles {
            table: path(&dialog.table),
            rosters: dialog.rosters.split(';').filter_map(path).collect(),
            lens: path(&dialog.lens),
        };
        if named == self.state.named {
            return self.open(source);
        }
        if named.table.is_some() == named.rosters.is_empty() {
            return self.refused("Name a table file and its roster together, or neither.".to_owned());
        }
        match (self.outside.load)(&named) {
            Ok(setup) => self.open_with(source, Some(setup)),
            Err(words) => self.refused(words),
        }
    }

    /// Takes files for the present ones.
    fn adopt(&mut self, setup: Setup) {
        self.opener = Arc::clone(&setup.open);
        self.lens = setup.lens.clone();
        let kept = setup.kept.clone();
        self.state.adopt(setup);
        // Another battle: the file of the one before is complete.
        self.keeping = Keeping::of(begun(&self.state, &kept), self.state.engine().again());
        self.state.kept.look(&self.keeping.keeper);
    }

    /// The same battle on the table file as it is now: what lies on the board is otherwise, and the record goes on.
    fn lay(&mut self, setup: Setup) -> Result<(), String> {
        let open = Arc::clone(&setup.open);
        self.state.lay(setup)?;
        self.opener = open;
        Ok(())
    }

    /// Another lens profile serves from the next source on.
    fn set_lens(&mut self, lens: Option<LensProfile>) {
        self.state.set_lens(lens.clone());
        self.lens = lens;
    }

    /// Looks for cameras in a thread: asking one what it can do may take seconds.
    fn find_cameras(&mut self) {
        if self.looking.is_some() {
            return;
        }
        let (sender, found) = sync_channel(1);
        let (cameras, waker) = (Arc::clone(&self.outside.cameras), Arc::clone(&self.waker));
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
        self.tell_cameras(state);
    }

    fn tell_cameras(&mut self, state: CameraSearch) {
        if let Some(page) = &mut self.state.first_run {
            page.cameras = state.clone();
        }
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
        self.tell_cameras(state);
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
            Run::Opening | Run::Away | Run::Ended | Run::Failed(_) => {}
        }
    }

    fn pending_event(&mut self, event: FeedEvent) {
        match event {
            FeedEvent::Opened { description, unrelated, device } => {
                let Some(pending) = self.pending.take() else { return };
                if let Some(setup) = pending.setup {
                    self.adopt(setup);
                    self.round_begins();
                }
                (self.feed, self.spec) = (Some(pending.feed), Some(pending.spec));
                self.open_second(&pending.second);
                self.state.begin_source(description, unrelated, device);
                self.state.dialog = None;
                self.state.notice = None;
                self.first_run_opened();
            }
            FeedEvent::Failed(words) => {
                self.pending = None;
                self.refused(words);
            }
            // A feed says whether it is open before anything else.
            FeedEvent::Read(_) | FeedEvent::PassedOver(_) | FeedEvent::Away(_) | FeedEvent::Ended => {}
        }
    }

    fn event(&mut self, event: FeedEvent, now: Instant) {
        match event {
            FeedEvent::Read(sight) => {
                let sight = self.with_second(*sight, now);
                self.tray_sees(&sight.frame);
                let sight = self.cropped_for_demo(sight);
                if self.state.source.run == Run::Away {
                    self.state.source.run = Run::Running;
                    self.state.notice = Some(BACK.to_owned());
                }
                self.state.take(sight, now);
                self.demo_look(now);
                self.between_pictures();
            }
            FeedEvent::PassedOver(words) => {
                self.state.notice = Some(words);
                self.between_pictures();
            }
            FeedEvent::Away(words) => {
                self.state.notice = Some(format!("{words}. {WAITS}"));
                self.state.source.run = Run::Away;
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
        if self.first_run_refused(&words) {
            return;
        }
        if self.next_journal.is_some() {
            self.state.source.run = Run::Failed(words.clone());
            return self.refuse_round(words);
        }
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
