//! Demo mode: its loop is made and read in threads of its own while nobody plays, its pictures are cropped to the board,
//! and the battle begins anew when whoever played is gone.

use super::Logic;
use super::journal::Keeping;
use crate::app::command::{DemoCommand, Mode};
use crate::app::outside::Show;
use crate::app::state::{DemoPage, DemoStage, Showing, Turned};
use crate::app::worker::crop::cropped;
use crate::app::worker::errand::Desk;
use crate::app::worker::{Feed, FeedEvent, FeedOrder, Sight};
use crate::judge::{CARD_FILE, HostCard, parse_card};
use crate::session::journal::{Event, Keeper};
use crate::session::play::{Answer, Play};
use crate::session::view::DueView;
use crate::text::{Wanted, now_ms, read_file};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// So many pictures of the loop are taken over at a time; each wakes the window again.
const MOST_AT_ONCE: usize = 1;

/// What works for demo mode.
pub(super) struct DemoDesks {
    /// When the mode began; none while it is not on.
    begun: Option<Instant>,
    /// When time was told last.
    now: Option<Instant>,
    making: Desk<Result<Show, String>>,
    watch: Desk<Answer>,
    due: Desk<DueView>,
    feed: Option<Feed<FeedEvent>>,
}

impl DemoDesks {
    pub fn new() -> Self {
        Self {
            begun: None,
            now: None,
            making: Desk::new("groma demo"),
            watch: Desk::new("groma demo watch"),
            due: Desk::new("groma demo due"),
            feed: None,
        }
    }

    /// Whether an answer about what was shown is still to come.
    pub fn busy(&self) -> bool {
        self.making.busy() || self.watch.busy() || self.due.busy()
    }

    fn since(&self, now: Instant) -> Duration {
        self.begun.map_or(Duration::ZERO, |begun| now.saturating_duration_since(begun))
    }

    /// The loop is let go.
    fn stop(&mut self) {
        self.making.cancel();
        self.watch.cancel();
        self.due.cancel();
        self.feed = None;
    }
}

impl Logic {
    /// The window is for others.
    pub(super) fn mode_changed(&mut self) {
        match (self.state.mode(), self.state.demo.is_some()) {
            (Mode::Demo, false) => {
                let card = self.card();
                self.state.demo = Some(DemoPage::new(card));
                (self.demo.begun, self.demo.now) = (None, None);
                // The last picture was taken before anything was cropped.
                self.state.blind();
                self.second_thoughts();
            }
            (Mode::Umpire | Mode::Game, true) => {
                self.state.demo = None;
                self.demo.stop();
            }
            _ => {}
        }
    }

    /// Nothing that a stranger should not see stays open.
    fn second_thoughts(&mut self) {
        self.state.dialog = None;
        self.state.notice = None;
    }

    /// The host's card beside the table file; an empty one where there is none. What is wrong with it is told.
    fn card(&mut self) -> HostCard {
        let beside = self.state.named.table.as_deref().map(|table| table.with_file_name(CARD_FILE));
        let Some(path) = beside.filter(|path| path.exists()) else { return HostCard::default() };
        let read =
            read_file(&path, Wanted::Card).and_then(|text| parse_card(&path.display().to_string(), &text));
        read.unwrap_or_else(|mistakes| {
            self.state.notice = Some(mistakes.to_string());
            HostCard::default()
        })
    }

    pub(super) fn carry_out_demo(&mut self, command: DemoCommand) {
        let now = self.demo.now.map_or(Duration::ZERO, |now| self.demo.since(now));
        let Some(mut demo) = self.state.demo.take() else { return };
        match command {
            DemoCommand::PutBack => demo.put_back(now),
            DemoCommand::Begin => demo.make_home(self.state.table()),
        }
        self.state.demo = Some(demo);
    }

    /// In demo mode nothing beside the board is shown or kept.
    pub(super) fn cropped_for_demo(&self, sight: Sight) -> Sight {
        match self.state.demo {
            Some(_) => cropped(sight, self.state.table().board_mm),
            None => sight,
        }
    }

    /// A picture of the real table was taken over at `now`.
    pub(super) fn demo_look(&mut self, now: Instant) {
        let Some(mut demo) = self.state.demo.take() else { return };
        self.demo.begun.get_or_insert(now);
        demo.look(self.state.table(), self.state.play.at_rest(), self.demo.since(now));
        self.state.demo = Some(demo);
    }

    /// Time goes on.
    pub(super) fn demo_tick(&mut self, now: Instant) {
        let Some(mut demo) = self.state.demo.take() else { return };
        self.demo.begun.get_or_insert(now);
        self.demo.now = Some(now);
        let since = self.demo.since(now);
        let turned = demo.tick(since);
        demo.speak(&self.state.play, since);
        self.state.demo = Some(demo);
        if turned == Turned::Anew {
            self.begin_anew();
        }
        self.run_show();
    }

    /// Whoever played is gone: nothing of their battle is kept, and the next begins from the table as it stands.
    fn begin_anew(&mut self) {
        let records = self.keeping.keeper.records();
        let opened = records.iter().find_map(|record| match &record.event {
            Event::Opened(opened) => Some(opened.clone()),
            _ => None,
        });
        // The table as it is now, where its terrain was drawn anew.
        let table = records.iter().rev().find_map(|record| match &record.event {
            Event::Table(kept) => Some(kept.clone()),
            _ => None,
        });
        if let Some(mut opened) = opened {
            opened.table = table.unwrap_or(opened.table);
            self.keeping = Keeping::of(Keeper::new(now_ms(), opened), self.state.engine().again());
            self.state.kept.look(&self.keeping.keeper);
        }
        let play = Play::new(self.state.engine().again());
        self.state.go_back(play);
    }

    /// The loop runs while nobody plays, and only then.
    fn run_show(&mut self) {
        let Some(demo) = &self.state.demo else { return };
        if demo.stage() != DemoStage::Idle {
            self.demo.stop();
            return;
        }
        if demo.showing().is_none() && demo.no_show().is_none() && !self.demo.making.busy() {
            let make = Arc::clone(&self.outside.show);
            self.demo.feed = None;
            self.demo.making.ask(Box::new(move || make()), &self.waker);
        }
        // A thread that waits for nobody could keep this going for ever.
        for _ in 0..MOST_AT_ONCE {
            let Some(event) = self.demo.feed.as_ref().and_then(Feed::poll) else { break };
            self.show_event(event);
        }
    }

    /// Waits for one picture of the loop, `longest` at most, and takes it over; nothing else goes on meanwhile. Whether
    /// there was one.
    pub fn wait_for_show(&mut self, longest: Duration) -> bool {
        let event = self.demo.feed.as_ref().and_then(|feed| feed.wait(longest));
        let come = event.is_some();
        event.into_iter().for_each(|event| self.show_event(event));
        self.errands();
        come
    }

    fn show_event(&mut self, event: FeedEvent) {
        let Some(demo) = &mut self.state.demo else { return };
        match event {
            FeedEvent::Read(sight) => {
                if let Some(showing) = &mut demo.showing {
                    let board_mm = showing.play().table().board_mm;
                    showing.take(cropped(*sight, board_mm));
                }
            }
            FeedEvent::Away(words) | FeedEvent::Failed(words) => demo.no_show = Some(words),
            FeedEvent::Ended => demo.no_show = Some("it has no more pictures".to_owned()),
            FeedEvent::Opened { .. } | FeedEvent::PassedOver(_) => {}
        }
    }

    /// What was worked out for the loop is taken over.
    pub(super) fn demo_errands(&mut self) {
        let made = self.demo.making.take(&self.waker);
        let Some(demo) = &mut self.state.demo else { return };
        if let Some(made) = made.map(|made| made.and_then(|show| show)) {
            match made {
                Ok(mut show) => {
                    let waker = Arc::clone(&self.waker);
                    let open = std::mem::replace(&mut show.open, Box::new(|| Err(String::new())));
                    let order = FeedOrder {
                        after: None,
                        open,
                        book: show.engine.book().clone(),
                        lens: None,
                        pace: self.pace,
                        wake: Box::new(move || waker()),
                    };
                    match Feed::start(order) {
                        Ok(feed) => (self.demo.feed, demo.showing) = (Some(feed), Some(Showing::new(show))),
                        Err(error) => demo.no_show = Some(error.to_string()),
                    }
                }
                Err(why) => demo.no_show = Some(why),
            }
        }
        let Some(showing) = &mut demo.showing else { return };
        if let Some(answer) = self.demo.watch.take(&self.waker) {
            showing.play.take_watch(answer);
        }
        if let Some(job) = showing.play.watch_job() {
            self.demo.watch.ask(job, &self.waker);
        }
        if let Some(answer) = self.demo.due.take(&self.waker) {
            showing.play.fight_mut().take_due(answer);
        }
        if let Some(job) = showing.play.due_job() {
            self.demo.due.ask(job, &self.waker);
        }
    }
}
