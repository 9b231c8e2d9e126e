//! Measuring mounts in the window: the camera is taken from the table's reader and given back, pictures of bases in
//! the jig are measured in a thread, and what they say is written into the rosters.

use super::Logic;
use crate::app::command::JigCommand;
use crate::app::state::{JigPage, JigRun};
use crate::app::worker::jig::{JigEvent, JigOrder};
use crate::app::worker::{Feed, FeedEvent, FeedOrder, Pace};
use crate::judge::{MountEdit, parse_roster, roster_with};
use crate::markers::{jig_scale, jig_tags_of, mount_edit};
use crate::text::{Kind, Output, Wanted, check_outputs, read_file, write_outputs};
use crate::tracking::{KnownTag, TagBook};
use crate::vision::jig::{JigTag, jig_tags};
use std::path::PathBuf;
use std::sync::Arc;

impl Logic {
    /// Carries out a wish about the page.
    pub(super) fn carry_out_jig(&mut self, command: JigCommand) {
        match command {
            JigCommand::Open => {
                self.state.jig_page = Some(JigPage::new(self.spec.clone().unwrap_or_default()));
                self.let_table_go();
            }
            JigCommand::Close => self.close_jig_page(),
            JigCommand::Start => self.start_jig(),
            JigCommand::Stop => self.stop_jig(),
            JigCommand::Take => {
                if let Some(page) = &mut self.state.jig_page
                    && let Some(name) = page.ready().map(str::to_owned)
                {
                    page.shoot(&name);
                    self.measure_next();
                }
            }
            JigCommand::Save => self.save_jig(),
            JigCommand::TypeSource(_)
            | JigCommand::TypeRuler(_)
            | JigCommand::Await(_)
            | JigCommand::ShowFigures(_)
            | JigCommand::Forget(_) => {}
        }
    }

    fn stop_jig(&mut self) {
        if let Some(feed) = self.jig_feed.take() {
            self.ended = Some(feed.close());
        }
        if let Some(page) = self.state.jig_page.as_mut().filter(|page| page.at_work()) {
            page.run = if page.latest().is_some() { JigRun::Ended } else { JigRun::Choosing };
        }
    }

    fn close_jig_page(&mut self) {
        self.stop_jig();
        self.jig_work = None;
        self.state.jig_page = None;
        if let Some(spec) = self.spec.clone() {
            self.open(&spec);
        }
    }

    /// The printed jig's scale, as it is typed; a mistake is shown beside it.
    fn jig_scale(&mut self) -> Option<f64> {
        let page = self.state.jig_page.as_mut()?;
        let typed = page.ruler.trim();
        let scale =
            typed.parse::<f64>().map_err(|_| format!("\"{typed}\" is no length in mm")).and_then(jig_scale);
        scale.map_err(|why| page.ruler_error = Some(why)).ok()
    }

    fn jig_tags(&self) -> Vec<JigTag> {
        self.state.play.engine().roster().elements().iter().flat_map(jig_tags_of).collect()
    }

    fn start_jig(&mut self) {
        let Some(scale) = self.jig_scale() else { return };
        self.stop_jig();
        let reference = jig_tags(scale);
        let tags = self.jig_tags();
        let Some(page) = &mut self.state.jig_page else { return };
        let spec = page.source.trim().to_owned();
        if spec.is_empty() {
            page.run =
                JigRun::Failed("Say where pictures come from: camera:0, a picture or a folder.".to_owned());
            return;
        }
        page.begin();
        let known = tags.iter().map(|t| {
            let height_mm = t.thickness_mm + t.height_mm.0;
            (t.tag, KnownTag { size_mm: t.size_mm, height_mm, height_sigma_mm: t.height_mm.1 })
        });
        let (opener, waker) = (Arc::clone(&self.opener), Arc::clone(&self.waker));
        let order = FeedOrder {
            after: self.ended.take(),
            open: Box::new(move || opener(&spec)),
            book: TagBook { reference, known: known.collect(), ..TagBook::default() },
            lens: self.lens.clone(),
            pace: Pace::AsCaptured,
            wake: Box::new(move || waker()),
        };
        match Feed::start(order) {
            Ok(feed) => self.jig_feed = Some(feed),
            Err(error) => {
                page.run = JigRun::Failed(format!(
                    "cannot start a thread: {error}. Close other programs and try again."
                ));
            }
        }
    }

    /// Takes over what the page's threads have given.
    pub(super) fn take_jig(&mut self) {
        while let Some(event) = self.jig_feed.as_ref().and_then(Feed::poll) {
            self.jig_picture(event);
        }
        while let Some(event) = self.jig_work.as_ref().and_then(Feed::poll) {
            self.jig_measured(event);
        }
    }

    fn jig_picture(&mut self, event: FeedEvent) {
        let roster = self.state.play.engine().roster();
        let Some(page) = &mut self.state.jig_page else { return };
        match event {
            FeedEvent::Opened { description, unrelated, .. } => {
                page.run = JigRun::Watching;
                (page.description, page.unrelated) = (description, unrelated);
            }
            FeedEvent::Read(sight) => {
                page.take(*sight, roster);
                self.next_jig_picture();
            }
            FeedEvent::PassedOver(words) | FeedEvent::Away(words) => {
                page.passed_over.push(words);
                self.next_jig_picture();
            }
            FeedEvent::Ended => page.run = JigRun::Ended,
            FeedEvent::Failed(words) => page.run = JigRun::Failed(words),
        }
        self.measure_next();
    }

    /// Photographs wait for a call after each; nobody needs to look at each one here.
    fn next_jig_picture(&self) {
        if self.state.jig_page.as_ref().is_some_and(|page| page.unrelated)
            && let Some(feed) = &self.jig_feed
        {
            feed.resume();
        }
    }

    fn measure_next(&mut self) {
        let Some(scale) = self.jig_scale() else { return };
        let Some(page) = &mut self.state.jig_page else { return };
        let Some((element, frames)) = page.next_to_measure() else { return };
        let tags = self.state.play.engine().roster().element(&element).map(|e| jig_tags_of(e).collect());
        let waker = Arc::clone(&self.waker);
        let order = JigOrder {
            element,
            frames,
            lens: self.lens.as_ref().map(|profile| profile.lens),
            tags: tags.unwrap_or_default(),
            scale,
            wake: Box::new(move || waker()),
        };
        match Feed::measure(order) {
            Ok(work) => self.jig_work = Some(work),
            Err(error) => {
                page.measuring = None;
                page.passed_over
                    .push(format!("cannot start a thread: {error}. Close other programs and try again"));
            }
        }
    }

    fn jig_measured(&mut self, event: JigEvent) {
        self.jig_work = None;
        let Some(page) = &mut self.state.jig_page else { return };
        page.measuring = None;
        match event {
            JigEvent::Measured { element, reading } => {
                let unused = reading.unused.iter().map(|u| format!("{}: {}", u.label, u.why));
                page.passed_over.extend(unused);
                // One that was forgotten meanwhile stays so.
                if page.shots(&element) > 0 && !reading.mounts.is_empty() {
                    page.measured.insert(element, reading.mounts);
                }
            }
            JigEvent::Failed(words) => page.run = JigRun::Failed(words),
        }
        self.measure_next();
    }

    /// Writes what was measured into the roster files that name the elements, and reads them again.
    fn save_jig(&mut self) {
        let saved = self.rosters_with_mounts().and_then(|files| {
            let outputs: Vec<Output<'_>> = files
                .iter()
                .map(|(path, _)| Output { option: "The roster file", path, kind: Kind::Roster })
                .collect();
            let texts: Vec<(&std::path::Path, &[u8])> =
                files.iter().map(|(path, text)| (path.as_path(), text.as_bytes())).collect();
            check_outputs(&outputs)
                .and_then(|()| write_outputs(&texts))
                .map_err(|error| format!("{error}."))?;
            let setup = (self.outside.load)(&self.state.named)?;
            let names: Vec<String> = files.iter().map(|(path, _)| path.display().to_string()).collect();
            Ok((setup, format!("Saved in {}.", names.join(", "))))
        });
        let saved = saved.map(|(setup, words)| {
            self.adopt(setup);
            words
        });
        if let Some(page) = &mut self.state.jig_page {
            page.saved = Some(saved);
        }
    }

    /// Every roster file that changes, with its new text.
    fn rosters_with_mounts(&self) -> Result<Vec<(PathBuf, String)>, String> {
        let measured = self.state.jig_page.iter().flat_map(|page| &page.measured);
        let edits: Vec<MountEdit> = measured
            .filter_map(|(name, mounts)| Some((self.state.play.engine().roster().element(name)?, mounts)))
            .flat_map(|(element, mounts)| mounts.iter().map(move |m| mount_edit(element, m)))
            .collect();
        let mut files = Vec::new();
        for path in &self.state.named.rosters {
            let file = path.display().to_string();
            let text = read_file(path, Wanted::Roster).map_err(|m| m.to_string())?;
            let elements = parse_roster(&file, &text).map_err(|m| m.to_string())?;
            let named = |edit: &MountEdit| elements.iter().any(|e| e.tags.iter().any(|t| t.tag == edit.tag));
            if edits.iter().any(named) {
                files.push((path.clone(), roster_with(&file, &text, &edits).map_err(|m| m.to_string())?));
            }
        }
        if files.is_empty() {
            return Err(
                "No roster file names what was measured: choose your own under \"Open source\".".to_owned()
            );
        }
        Ok(files)
    }
}
