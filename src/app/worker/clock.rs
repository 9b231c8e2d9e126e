//! When frames are shown: at the pace at which they were captured.

use std::time::{Duration, Instant};

/// When frames are due, from when they were captured. A clock that is far off (the source was paused,
/// the machine is slow) begins again.
#[derive(Debug, Default)]
pub struct Clock {
    origin: Option<Instant>,
}

impl Clock {
    /// When a frame captured at `captured` should be shown; never more than a second from now.
    pub fn due(&mut self, captured: Duration) -> Instant {
        let now = Instant::now();
        let due = self.origin.and_then(|origin| origin.checked_add(captured));
        let near = due.filter(|due| {
            let off = due.saturating_duration_since(now).max(now.saturating_duration_since(*due));
            off <= Duration::from_secs(1)
        });
        near.unwrap_or_else(|| {
            self.origin = now.checked_sub(captured);
            now
        })
    }
}
