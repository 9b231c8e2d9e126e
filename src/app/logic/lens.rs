//! Calibrating a lens in the window: the camera is taken from the table's reader and given back.

use super::Logic;
use crate::app::command::LensCommand;
use crate::app::state::{LensPage, LensRun, Run};
use crate::app::worker::Feed;
use crate::app::worker::lens::{LensEvent, LensOrder};
use crate::text::{Kind, Output, check_outputs, today, write_outputs};
use crate::vision::calibration::Board;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A profile's file, where nobody has named one.
const FILE: &str = "lens.ron";

impl Logic {
    /// Carries out a wish about the page.
    pub(super) fn carry_out_lens(&mut self, command: LensCommand) {
        match command {
            LensCommand::Open => self.open_lens_page(),
            LensCommand::Close => self.close_lens_page(),
            LensCommand::Start => self.start_lens(),
            LensCommand::Stop => self.stop_lens(),
            LensCommand::Save => self.save_lens(),
            LensCommand::Use => self.use_lens(),
            LensCommand::TypeBoard(_) | LensCommand::TypeCamera(_) | LensCommand::TypeFile(_) => {}
        }
    }

    fn open_lens_page(&mut self) {
        let beside = self.state.named.table.as_deref().and_then(Path::parent).unwrap_or(Path::new(""));
        self.state.lens_page = Some(LensPage::new(beside.join(FILE).display().to_string()));
        self.let_table_go();
    }

    /// Closes the table's reader: the calibration wants its camera.
    pub(super) fn let_table_go(&mut self) {
        self.pending = None;
        if let Some(feed) = self.feed.take() {
            self.ended = Some(feed.close());
            self.state.source.run = Run::Opening;
        }
    }

    fn stop_lens(&mut self) {
        if let Some(feed) = self.lens_feed.take() {
            self.ended = Some(feed.close());
        }
        if let Some(page) = self.state.lens_page.as_mut().filter(|page| page.at_work()) {
            page.run = if page.latest().is_some() { LensRun::Ended } else { LensRun::Choosing };
        }
    }

    fn close_lens_page(&mut self) {
        self.stop_lens();
        self.state.lens_page = None;
        if let Some(spec) = self.spec.clone() {
            self.open(&spec);
        }
    }

    fn start_lens(&mut self) {
        let Some(page) = &mut self.state.lens_page else { return };
        let board: Board = match page.board.trim().parse() {
            Ok(board) => board,
            Err(words) => {
                page.board_error = Some(words);
                return;
            }
        };
        let Some(spec) = self.spec.clone() else {
            page.run = LensRun::Failed("no source is open. Go back and open a camera first.".to_owned());
            return;
        };
        self.stop_lens();
        let Some(page) = &mut self.state.lens_page else { return };
        page.begin();
        let (opener, waker) = (Arc::clone(&self.outside.open_board), Arc::clone(&self.waker));
        let order = LensOrder {
            after: self.ended.take(),
            open: Box::new(move || opener(&spec, board)),
            board,
            wake: Box::new(move || waker()),
        };
        match Feed::calibrate(order) {
            Ok(feed) => self.lens_feed = Some(feed),
            Err(error) => {
                page.run = LensRun::Failed(format!(
                    "cannot start a thread: {error}. Close other programs and try again."
                ));
            }
        }
    }

    /// Takes over what the calibrating thread has given.
    pub(super) fn take_lens(&mut self) {
        while let Some(event) = self.lens_feed.as_ref().and_then(Feed::poll) {
            self.lens_event(event);
        }
    }

    pub(super) fn lens_event(&mut self, event: LensEvent) {
        let Some(page) = &mut self.state.lens_page else { return };
        match event {
            LensEvent::Opened { description, device } => {
                page.run = LensRun::Watching;
                page.description = description;
                if page.camera.is_empty() {
                    page.camera = device.clone().unwrap_or_default();
                }
                page.device = device;
            }
            LensEvent::Seen(sight) => page.take(*sight),
            LensEvent::PassedOver(words) => page.passed_over.push(words),
            LensEvent::Ended => page.run = LensRun::Ended,
            LensEvent::Failed(words) => page.run = LensRun::Failed(words),
        }
    }

    fn save_lens(&mut self) {
        let Some(page) = &mut self.state.lens_page else { return };
        let written = page.profile(&today()).and_then(|(profile, notes)| {
            let path = PathBuf::from(page.file.trim());
            let text = profile.to_ron(&notes);
            check_outputs(&[Output { option: "The file", path: &path, kind: Kind::Lens }])
                .and_then(|()| write_outputs(&[(&path, text.as_bytes())]))
                .map_err(|error| format!("{error}."))?;
            Ok(format!("Saved as {}.", path.display()))
        });
        page.saved = Some(written);
    }

    /// The lens as it stands serves from now on.
    fn use_lens(&mut self) {
        let Some(page) = &mut self.state.lens_page else { return };
        match page.profile(&today()) {
            Ok((profile, _)) => {
                self.set_lens(Some(profile));
                self.close_lens_page();
            }
            Err(words) => page.saved = Some(Err(words)),
        }
    }
}
