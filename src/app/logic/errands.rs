//! What takes too long for the window's own thread is worked out elsewhere: the state says what it wants to know, and
//! is told when it is known. The log is kept in its file in the same rounds.

use super::Logic;
use crate::app::state::{Errand, Guided, Log};
use crate::app::worker::errand::Desk;
use crate::app::worker::look::PictureLook;
use crate::session::play::Answer;
use crate::session::view::{DueView, ReachView};
use crate::text::{Kind, Output, check_outputs, today, write_outputs};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The desks at which it is worked out.
pub(super) struct Errands {
    due: Desk<DueView>,
    watch: Desk<Answer>,
    reach: Desk<Result<ReachView, String>>,
    look: Desk<PictureLook>,
    before: Desk<Result<Guided, String>>,
}

impl Errands {
    pub fn new() -> Self {
        Self {
            due: Desk::new("groma due"),
            watch: Desk::new("groma watch"),
            reach: Desk::new("groma reach"),
            look: Desk::new("groma look"),
            before: Desk::new("groma before"),
        }
    }

    fn busy(&self) -> bool {
        let shown = self.due.busy() || self.watch.busy() || self.reach.busy();
        shown || self.look.busy() || self.before.busy()
    }
}

impl Logic {
    /// Takes over what has been worked out, and begins what is wanted next.
    pub(super) fn errands(&mut self) {
        self.terrain_errands();
        self.demo_errands();
        self.gone_back();
        self.spot_errands();
        self.tray_errands();
        self.photograph_errands();
        let (desks, state, wake) = (&mut self.errands, &mut self.state, &self.waker);
        if let Some(answer) = desks.watch.take(wake) {
            state.take_watch(answer);
        }
        if let Some(job) = state.watch_job() {
            desks.watch.ask(job, wake);
        }
        if let Some(answer) = desks.due.take(wake) {
            state.take_due(answer);
        }
        if let Some(job) = state.due_job() {
            desks.due.ask(job, wake);
        }
        if let Some(answer) = desks.reach.take(wake) {
            state.take_reach(answer.and_then(|found| found));
        }
        if let Some(Ok(look)) = desks.look.take(wake) {
            state.take_first_look(look);
        }
        if let Some(job) = state.first_look_job(Instant::now()) {
            desks.look.ask(job, wake);
        }
        state.look_for_first_run();
        if let Some(found) = desks.before.take(wake) {
            state.take_setting_up(found.and_then(|found| found));
        }
        if !desks.before.busy()
            && let Some(job) = state.setting_up_job(Instant::now())
        {
            desks.before.ask(job, wake);
        }
        match state.reach_errand() {
            Errand::Nothing => {}
            Errand::Cancel => desks.reach.cancel(),
            Errand::Do(job) => desks.reach.ask(job, wake),
        }
        self.keep_setting_up();
        let state = &self.state;
        if let Some(path) = state.log.behind(state.written().len()).cloned() {
            self.write_log(path);
        }
    }

    /// Waits until nothing is being worked out any more, `longest` at most: for a window that nobody looks at. Whether
    /// that is so.
    pub fn settle(&mut self, longest: Duration) -> bool {
        const SHORT: Duration = Duration::from_millis(2);
        let until = Instant::now() + longest;
        self.errands();
        while self.errands.busy()
            || self.terrain.busy()
            || self.demo.busy()
            || self.goes_back()
            || self.spot.busy()
            || self.tray.busy()
            || self.photographs.busy()
        {
            if Instant::now() >= until {
                return false;
            }
            std::thread::sleep(SHORT);
            self.errands();
        }
        self.keep();
        true
    }

    /// Writes the log into the file that its page names.
    pub(super) fn save_log(&mut self) {
        let name = self.state.log.file().trim().to_owned();
        if name.is_empty() {
            let why = "Name a file that ends in .txt.".to_owned();
            self.state.log.was_saved(PathBuf::new(), Err(why));
            return;
        }
        self.write_log(PathBuf::from(name));
    }

    fn write_log(&mut self, path: PathBuf) {
        let entries = self.state.written();
        let (text, count) = (Log::text(entries, &today(), self.state.files()), entries.len());
        let output = Output { option: "The log's file", path: &path, kind: Kind::Log };
        let written = check_outputs(&[output])
            .and_then(|()| write_outputs(&[(path.as_path(), text.as_bytes())]))
            .map(|()| count)
            .map_err(|error| format!("{error}."));
        self.state.log.was_saved(path, written);
    }
}
