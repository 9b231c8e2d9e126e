//! The second camera: opened with the first, let go with it, and by itself where it fails.

use super::Logic;
use crate::app::worker::second::{Second, SecondNews};
use crate::app::worker::{Feed, FeedOrder, Sight};
use crate::vision::SecondCamera;
use std::sync::Arc;
use std::time::Instant;

impl Logic {
    /// Opens a source, and another camera over the same table beside it; none for an empty name.
    pub fn open_with_second(&mut self, source: &str, second: &str) {
        second.trim().clone_into(&mut self.state.second);
        self.open(source);
    }

    /// Opens a second camera beside the one that is shown, in place of any other; none for an empty name.
    pub fn open_second(&mut self, source: &str) {
        let source = source.trim();
        source.clone_into(&mut self.state.second);
        self.second = None;
        self.state.source.second = None;
        if source.is_empty() {
            return;
        }
        let (opener, text) = (Arc::clone(&self.opener), source.to_owned());
        let waker = Arc::clone(&self.waker);
        let order = FeedOrder {
            after: None,
            open: Box::new(move || Ok(Box::new(SecondCamera(opener(&text)?)))),
            book: self.state.engine().book().clone(),
            // The first camera's lens is not this one's: it is estimated from the reference tags.
            lens: None,
            pace: self.pace,
            wake: Box::new(move || waker()),
        };
        match Feed::start(order) {
            Ok(feed) => {
                self.second = Some(Second::new(feed, Instant::now()));
                self.state.source.second = Some(source.to_owned());
            }
            Err(error) => self.lose_second(&format!("cannot start a reading thread: {error}")),
        }
    }

    /// Takes over what the second camera's feed has given.
    pub(super) fn take_second(&mut self, now: Instant) {
        match self.second.as_mut().and_then(|second| second.tick(now)) {
            None => {}
            Some(SecondNews::Opened(description)) => self.state.source.second = Some(description),
            Some(SecondNews::Away(why)) => {
                let why = why.trim_end_matches('.');
                self.state.notice =
                    Some(format!("Second camera: {why}. The first goes on alone until it is back."));
            }
            Some(SecondNews::Back) => self.state.notice = Some("The second camera is back.".to_owned()),
            Some(SecondNews::Lost(why)) => self.lose_second(&why),
        }
    }

    fn lose_second(&mut self, why: &str) {
        self.second = None;
        self.state.source.second = None;
        let why = why.trim_end_matches('.');
        self.state.notice = Some(format!("Second camera: {why}. The first goes on alone."));
    }

    /// The first camera's sight, with what the second one sees where there is one.
    pub(super) fn with_second(&mut self, sight: Sight, now: Instant) -> Sight {
        match &mut self.second {
            Some(second) => second.join(sight, now),
            None => sight,
        }
    }
}
