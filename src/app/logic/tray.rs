//! The dice tray: its camera's pictures are looked at as they come, and read at a desk of its own once they rest.

use super::Logic;
use crate::app::command::TrayCamera;
use crate::app::state::Follows;
use crate::app::worker::errand::Desk;
use crate::vision::Frame;
use crate::vision::dice::DiceSeen;

/// What reads the tray.
pub(super) struct TrayDesk {
    reading: Desk<DiceSeen>,
}

impl TrayDesk {
    pub fn new() -> Self {
        Self { reading: Desk::new("groma tray") }
    }

    /// Whether an answer is still to come.
    pub fn busy(&self) -> bool {
        self.reading.busy()
    }
}

impl Logic {
    /// The first camera gave a picture. In demo mode nothing beside the board is looked at.
    pub(super) fn tray_sees(&mut self, frame: &Frame) {
        if self.state.demo.is_none() {
            let follows = if self.state.source.unrelated { Follows::Nothing } else { Follows::Next };
            self.state.tray.look(TrayCamera::First, frame, follows);
        }
    }

    /// The second camera may have given one.
    pub(super) fn second_sees_tray(&mut self) {
        let picture = self.second.as_mut().and_then(|second| second.picture());
        if let Some(frame) = picture.filter(|_| self.state.demo.is_none()) {
            self.state.tray.look(TrayCamera::Second, &frame, Follows::Next);
        }
    }

    /// Takes over what was read, and has the next picture read.
    pub(super) fn tray_errands(&mut self) {
        let (desk, wake) = (&mut self.tray.reading, &self.waker);
        if let Some(seen) = desk.take(wake) {
            self.state.tray.take(seen);
        }
        if !desk.busy()
            && let Some(job) = self.state.tray.job()
        {
            desk.ask(job, wake);
        }
    }
}
