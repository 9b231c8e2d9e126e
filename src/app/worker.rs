//! The thread that reads: a source and a pipeline of its own, both made inside it.
//!
//! What it gives goes through a channel that holds one reading. A window that falls behind gets the
//! newest reading and never an old one; with [`Pace::EveryFrame`] the thread waits instead, so that
//! nothing depends on how fast anything runs. A source that ends or fails is an event with words, and
//! the last reading stays with whoever holds it.
//!
//! Dropping a [`Feed`] tells its thread to stop; it does so after the frame in hand. Nobody waits
//! for it: a camera that hangs must not hang the window.

mod channel;
mod clock;
pub mod crop;
pub mod errand;
pub mod jig;
pub mod lens;
pub mod look;
pub mod second;

pub use channel::{Ended, Feed, Report};

use crate::tracking::TagBook;
use crate::vision::source::Locks;
use crate::vision::{Frame, FrameSource, LensProfile, Pipeline, PipelineSettings, Reading, SourceError};
use channel::{Post, Rested, Unheard};
use clock::Clock;
use std::time::{Duration, Instant};

/// A camera that is let go is waited for so long before it is opened again.
const LET_GO_WITHIN: Duration = Duration::from_secs(5);

/// How fast frames are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pace {
    /// At the pace at which they were captured; readings nobody took are replaced by newer ones.
    AsCaptured,
    /// Each one as soon as the last was taken, and none left out.
    EveryFrame,
}

/// A frame with what was read from it.
#[derive(Debug)]
pub struct Sight {
    /// The frame.
    pub frame: Frame,
    /// What was read.
    pub reading: Reading,
    /// From picture to snapshot.
    pub spent: Duration,
    /// Whether the camera keeps its settings, where it is one that could be asked.
    pub locks: Option<Locks>,
}

/// What a feed reports.
#[derive(Debug)]
pub enum FeedEvent {
    /// The source is open and has given a picture, which is the next event.
    Opened {
        /// What people call it.
        description: String,
        /// Whether its frames show unrelated moments: it waits after each one.
        unrelated: bool,
        /// What the camera calls itself, where the source is one.
        device: Option<String>,
    },
    /// A frame was read.
    Read(Box<Sight>),
    /// A frame could not be read; the source goes on with the next.
    PassedOver(String),
    /// The source is away: a camera whose cable is out. It is opened again until it is back or given up. In words
    /// that say what to do.
    Away(String),
    /// The source has no more frames.
    Ended,
    /// The source could not be opened, or failed. In words that say what to do.
    Failed(String),
}

impl Report for FeedEvent {
    fn is_last(&self) -> bool {
        matches!(self, Self::Ended | Self::Failed(_))
    }

    fn broken_down() -> Self {
        let words = "the reading thread broke down. Open the source again, and please report this.";
        Self::Failed(words.to_owned())
    }
}

/// What a feed is started with.
pub struct FeedOrder {
    /// A feed whose end is waited for, where the two may want one camera.
    pub after: Option<Ended>,
    /// Opens the source; called in the feed's own thread.
    pub open: Open,
    /// The tags to look for.
    pub book: TagBook,
    /// The lens profile, where there is one.
    pub lens: Option<LensProfile>,
    /// How fast.
    pub pace: Pace,
    /// Called after each event, to wake the window.
    pub wake: Box<dyn Fn() + Send>,
}

impl Feed<FeedEvent> {
    /// Starts a thread on `order`.
    ///
    /// # Errors
    /// Where the system has no thread left.
    pub fn start(order: FeedOrder) -> std::io::Result<Self> {
        let (after, open, book, lens, pace) = (order.after, order.open, order.book, order.lens, order.pace);
        Self::spawn("groma reader", order.wake, move |post| {
            if let Some(ended) = after {
                ended.wait(LET_GO_WITHIN);
            }
            run(open, book, lens, pace, post)
        })
    }
}

/// Opens a source, in the thread that reads from it.
pub type Open = Box<dyn FnOnce() -> Result<Box<dyn FrameSource>, String> + Send>;

/// Reads until the source ends or fails; gives the event that says so.
fn run(
    open: Open,
    book: TagBook,
    lens: Option<LensProfile>,
    pace: Pace,
    post: &mut Post<FeedEvent>,
) -> Result<FeedEvent, Unheard> {
    let mut source = match open() {
        Ok(source) => source,
        Err(words) => return Ok(FeedEvent::Failed(words)),
    };
    let unrelated = source.unrelated();
    let settings = PipelineSettings::for_source(source.as_ref());
    let known = lens.as_ref().map(|profile| profile.lens).or_else(|| source.lens());
    let mut pipeline = match Pipeline::new(book, known, settings) {
        Ok(pipeline) => pipeline,
        Err(error) => return Ok(FeedEvent::Failed(format!("the tag detector cannot start: {error}"))),
    };
    let (description, device) = (source.description(), source.device());
    let first = match first_frame(source.as_mut(), unrelated, &description) {
        Ok(first) => first,
        Err(words) => return Ok(FeedEvent::Failed(words)),
    };
    let mut next = Some(Ok(Some(first.frame)));
    let mut opened = Some(FeedEvent::Opened { description, unrelated, device });
    let mut passed_over = first.passed_over;
    let mut clock = Clock::default();
    let mut away: Option<String> = None;
    loop {
        if post.rest(None)? == Rested::Paused {
            clock = Clock::default();
        }
        let event = match next.take().unwrap_or_else(|| source.next_frame()) {
            Ok(Some(frame)) => {
                away = None;
                let size = (frame.grey.width(), frame.grey.height());
                let unfit = |p: &LensProfile| p.unfit_for(size.0, size.1, source.device().as_deref());
                if let Some(why) = lens.as_ref().and_then(unfit) {
                    return Ok(FeedEvent::Failed(format!("{}: {why}.", frame.label)));
                }
                // When it is due is told from when it came, not from when it was read: the first frame takes longest.
                let due = clock.due(frame.captured_at.0);
                let begun = Instant::now();
                let reading = pipeline.take(&frame);
                let sight = Sight { frame, reading, spent: begun.elapsed(), locks: source.locks() };
                if pace == Pace::AsCaptured && post.rest(Some(due))? == Rested::Paused {
                    clock = Clock::default();
                }
                FeedEvent::Read(Box::new(sight))
            }
            Ok(None) => return Ok(FeedEvent::Ended),
            // Told once for each reason; it is tried again until it is back.
            Err(SourceError::Away { why }) => {
                clock = Clock::default();
                if away.as_ref() == Some(&why) {
                    continue;
                }
                away = Some(why.clone());
                FeedEvent::Away(why)
            }
            // One bad picture of a folder: the others may be good.
            Err(error) if unrelated => FeedEvent::PassedOver(error.to_string()),
            Err(error) => return Ok(FeedEvent::Failed(error.to_string())),
        };
        if let Some(opened) = opened.take() {
            post.deliver(opened)?;
            if let Some(words) = passed_over.take() {
                post.deliver(FeedEvent::PassedOver(words))?;
            }
        }
        if unrelated {
            post.pause_unless_stopped();
        }
        if pace == Pace::AsCaptured && !unrelated {
            post.offer(event)?;
        } else {
            post.deliver(event)?;
        }
        // Whether another picture follows is known before anybody is asked to call for it.
        if unrelated {
            next = Some(source.next_frame());
            if matches!(next, Some(Ok(None))) {
                return Ok(FeedEvent::Ended);
            }
        }
    }
}

/// A source's first frame.
struct First {
    frame: Frame,
    /// What was wrong with the pictures before it.
    passed_over: Option<String>,
}

/// Reads until there is a frame: only then may a source take the place of another. Bad pictures of a
/// folder are passed over.
fn first_frame(source: &mut dyn FrameSource, unrelated: bool, description: &str) -> Result<First, String> {
    let mut bad: Vec<String> = Vec::new();
    loop {
        match source.next_frame() {
            Ok(Some(frame)) => return Ok(First { frame, passed_over: told(bad) }),
            Ok(None) => {
                let none = || format!("{description}: it holds no picture. Open another source.");
                return Err(told(bad).unwrap_or_else(none));
            }
            Err(error) if unrelated => bad.push(error.to_string()),
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// The first of several mistakes, and how many more there are.
fn told(bad: Vec<String>) -> Option<String> {
    let more = bad.len().saturating_sub(1);
    let first = bad.into_iter().next()?;
    Some(if more == 0 { first } else { format!("{first} ({more} more could not be read either.)") })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::{CameraId, CapturedAt, KnownTag, Tag, TagFamily};
    use crate::vision::GreyImage;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// Grey frames, a tenth of a second apart.
    struct Grey {
        next: u64,
        frames: u64,
        asked: Arc<AtomicU64>,
    }

    impl FrameSource for Grey {
        fn description(&self) -> String {
            "grey".to_owned()
        }
        fn live(&self) -> bool {
            true
        }
        fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
            self.asked.fetch_add(1, Ordering::SeqCst);
            let seq = self.next;
            self.next += 1;
            let grey = GreyImage::new(64, 48, vec![128; 64 * 48]).expect("64 by 48");
            Ok((seq < self.frames).then(|| Frame {
                seq,
                captured_at: CapturedAt(Duration::from_millis(seq * 20)),
                camera: CameraId(0),
                grey: Arc::new(grey),
                colour: None,
                label: String::new(),
            }))
        }
    }

    /// A book that names one tag: a detector without a family cannot start.
    fn book() -> TagBook {
        let known = KnownTag { size_mm: 14.0, height_mm: 2.0, height_sigma_mm: 0.1 };
        TagBook { known: [(Tag::new(TagFamily::Tag36h11, 1), known)].into(), ..TagBook::default() }
    }

    fn feed(frames: u64, pace: Pace) -> (Feed<FeedEvent>, Arc<AtomicU64>) {
        let asked = Arc::new(AtomicU64::new(0));
        let seen = Arc::clone(&asked);
        let open =
            Box::new(move || Ok(Box::new(Grey { next: 0, frames, asked: seen }) as Box<dyn FrameSource>));
        let order = FeedOrder { after: None, open, book: book(), lens: None, pace, wake: Box::new(|| {}) };
        (Feed::start(order).expect("a thread"), asked)
    }

    const LONG: Duration = Duration::from_secs(20);

    fn seq(event: Option<FeedEvent>) -> u64 {
        match event {
            Some(FeedEvent::Read(sight)) => sight.frame.seq,
            other => panic!("no frame but {other:?}"),
        }
    }

    #[test]
    fn every_frame_comes_in_order_and_then_the_end_and_then_nothing() {
        let (feed, _) = feed(5, Pace::EveryFrame);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Opened { unrelated: false, .. })));
        let seen: Vec<u64> = (0..5).map(|_| seq(feed.wait(LONG))).collect();
        assert_eq!(seen, [0, 1, 2, 3, 4]);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Ended)));
        assert!(feed.wait(Duration::from_millis(50)).is_none());
    }

    /// Photographs: `good` of each says whether it can be read.
    struct Photos(std::vec::IntoIter<bool>, u64);

    impl FrameSource for Photos {
        fn description(&self) -> String {
            "photographs".to_owned()
        }
        fn live(&self) -> bool {
            false
        }
        fn unrelated(&self) -> bool {
            true
        }
        fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
            let Some(good) = self.0.next() else { return Ok(None) };
            self.1 += 1;
            let mut one = Grey { next: self.1 - 1, frames: u64::MAX, asked: Arc::default() };
            if good {
                one.next_frame()
            } else {
                Err(SourceError::Decode { path: format!("photo {}", self.1), why: "it is none".to_owned() })
            }
        }
    }

    fn photos(good: &[bool]) -> Feed<FeedEvent> {
        let good = good.to_vec();
        let open = Box::new(move || Ok(Box::new(Photos(good.into_iter(), 0)) as Box<dyn FrameSource>));
        let order = FeedOrder {
            after: None,
            open,
            book: book(),
            lens: None,
            pace: Pace::AsCaptured,
            wake: Box::new(|| {}),
        };
        Feed::start(order).expect("a thread")
    }

    #[test]
    fn a_source_without_a_good_picture_is_refused_and_never_opened() {
        for bad in [&[][..], &[false][..], &[false, false][..]] {
            let event = photos(bad).wait(LONG);
            assert!(matches!(event, Some(FeedEvent::Failed(_))), "{bad:?}: {event:?}");
        }
    }

    #[test]
    fn bad_pictures_are_told_of_and_the_last_one_is_known_to_be_the_last() {
        let feed = photos(&[false, true]);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Opened { unrelated: true, .. })));
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::PassedOver(words)) if words.contains("photo 1")));
        assert_eq!(seq(feed.wait(LONG)), 1);
        // Nobody has called for more.
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Ended)));
        let feed = photos(&[true, true]);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Opened { .. })));
        assert_eq!(seq(feed.wait(LONG)), 0);
        assert!(feed.wait(Duration::from_millis(100)).is_none(), "the second waits to be called for");
        feed.resume();
        assert_eq!(seq(feed.wait(LONG)), 1);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Ended)));
    }

    #[test]
    fn a_window_that_falls_behind_gets_the_newest_frame() {
        let (feed, asked) = feed(u64::MAX, Pace::AsCaptured);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Opened { .. })));
        while asked.load(Ordering::SeqCst) < 20 {
            std::thread::sleep(Duration::from_millis(5));
        }
        // One waits in the channel; the next that arrives is the newest.
        seq(feed.wait(LONG));
        assert!(seq(feed.wait(LONG)) >= 18);
    }

    #[test]
    fn a_pause_holds_the_source_and_a_resume_lets_it_go_on() {
        let (feed, asked) = feed(u64::MAX, Pace::AsCaptured);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Opened { .. })));
        seq(feed.wait(LONG));
        feed.pause();
        while feed.wait(Duration::from_millis(200)).is_some() {}
        let held = asked.load(Ordering::SeqCst);
        std::thread::sleep(Duration::from_millis(100));
        assert_eq!(asked.load(Ordering::SeqCst), held);
        feed.resume();
        // One frame may have been in hand when the pause came: it is shown first.
        assert!(seq(feed.wait(LONG)) + 1 >= held);
    }

    #[test]
    fn a_dropped_feed_lets_its_source_go() {
        let (feed, asked) = feed(u64::MAX, Pace::EveryFrame);
        assert!(matches!(feed.wait(LONG), Some(FeedEvent::Opened { .. })));
        drop(feed);
        let give_up = Instant::now() + LONG;
        // The source is dropped with its thread, and its count then has one holder.
        while Arc::strong_count(&asked) > 1 {
            assert!(Instant::now() < give_up, "the thread goes on");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    #[test]
    fn a_source_that_cannot_be_opened_or_breaks_down_says_so_once() {
        let order = |open| FeedOrder {
            after: None,
            open,
            book: book(),
            lens: None,
            pace: Pace::EveryFrame,
            wake: Box::new(|| {}),
        };
        let refused = Feed::start(order(Box::new(|| Err("no such file".to_owned())))).expect("a thread");
        assert!(matches!(refused.wait(LONG), Some(FeedEvent::Failed(words)) if words == "no such file"));
        assert!(refused.wait(LONG).is_none());
        let broken = Feed::start(order(Box::new(|| panic!("a test's panic")))).expect("a thread");
        assert!(matches!(broken.wait(LONG), Some(FeedEvent::Failed(words)) if words.contains("broke down")));
        assert!(broken.wait(LONG).is_none());
    }
}
