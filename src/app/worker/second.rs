//! A second camera beside the first: a feed of its own, whose newest table is joined to each reading of the first.
//!
//! The first camera's clock counts. How far the second's is from it is told by when pictures arrive: the least time
//! between capture and arrival of each camera is taken for the same delay, so the two agree to the difference of their
//! quickest deliveries. Only of what moves does that matter.

use super::{Feed, FeedEvent, Sight};
use crate::tracking::{CapturedAt, Fusion, FusionSettings, TableSnapshot};
use crate::vision::{FIRST, Frame, SECOND};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The second camera while it is open.
pub struct Second {
    feed: Feed<FeedEvent>,
    fusion: Fusion,
    begun: Instant,
    /// The least time from capture to arrival, by the window's clock, of the first and of the second.
    least: [Option<f64>; 2],
    away: bool,
    /// Its newest picture, until somebody takes it.
    picture: Option<Frame>,
}

/// What there is to tell of the second camera.
#[derive(Debug, PartialEq, Eq)]
pub enum SecondNews {
    /// It is open; what people call it.
    Opened(String),
    /// It went away, and why; it is waited for.
    Away(String),
    /// It is there again.
    Back,
    /// It was let go, and why.
    Lost(String),
}

impl Second {
    /// Over a feed that has just been started, whose frames are numbered as the second camera's.
    pub fn new(feed: Feed<FeedEvent>, now: Instant) -> Self {
        Self {
            feed,
            fusion: Fusion::new(FusionSettings::default()),
            begun: now,
            least: [None; 2],
            away: false,
            picture: None,
        }
    }

    /// Its newest picture, where none was taken since it came.
    pub fn picture(&mut self) -> Option<Frame> {
        self.picture.take()
    }

    /// Takes over what its feed has given. After [`SecondNews::Lost`] it is to be dropped.
    pub fn tick(&mut self, now: Instant) -> Option<SecondNews> {
        while let Some(event) = self.feed.poll() {
            match event {
                FeedEvent::Opened { description, unrelated: false, .. } => {
                    return Some(SecondNews::Opened(description));
                }
                FeedEvent::Opened { description, unrelated: true, .. } => {
                    let why = "it holds photographs, which show other moments: a camera or a video serves";
                    return Some(SecondNews::Lost(format!("{description}: {why}")));
                }
                FeedEvent::Read(sight) => {
                    self.see(&sight, now);
                    self.picture = Some(sight.frame);
                    if std::mem::take(&mut self.away) {
                        return Some(SecondNews::Back);
                    }
                }
                FeedEvent::Away(words) => {
                    self.fusion.forget(SECOND);
                    self.away = true;
                    return Some(SecondNews::Away(words));
                }
                FeedEvent::PassedOver(_) => {}
                FeedEvent::Ended => return Some(SecondNews::Lost("it has no more pictures".to_owned())),
                FeedEvent::Failed(words) => return Some(SecondNews::Lost(words)),
            }
        }
        None
    }

    fn see(&mut self, sight: &Sight, now: Instant) {
        let captured = sight.reading.snapshot.captured_at;
        let delay = self.delay(1, captured, now);
        // Until the first has shown a picture there is no clock to date it by.
        let Some(of_first) = self.least[0] else { return };
        let common = (captured.0.as_secs_f64() + delay - of_first).max(0.0);
        let dated = TableSnapshot {
            captured_at: CapturedAt(Duration::from_secs_f64(common)),
            ..(*sight.reading.snapshot).clone()
        };
        self.fusion.take(SECOND, &Arc::new(dated));
    }

    /// A reading of the first camera with what the second sees beside it.
    pub fn join(&mut self, sight: Sight, now: Instant) -> Sight {
        self.delay(0, sight.reading.snapshot.captured_at, now);
        let table = self.fusion.take(FIRST, &sight.reading.snapshot);
        Sight { reading: sight.reading.joined(table), ..sight }
    }

    /// The least delay of a camera so far, this picture's counted in; seconds.
    fn delay(&mut self, camera: usize, captured: CapturedAt, now: Instant) -> f64 {
        let arrived = now.saturating_duration_since(self.begun).as_secs_f64();
        let this = arrived - captured.0.as_secs_f64();
        let least = self.least[camera].map_or(this, |before| before.min(this));
        self.least[camera] = Some(least);
        least
    }
}
