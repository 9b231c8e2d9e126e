//! The first run: a person is led in seven steps from a camera to a first ruling. Everything is kept in one table folder;
//! what the folder says of it is [`TableFolder`], so that the page can be left and taken up again.

mod checks;

pub use checks::{Check, Mark};

use super::{CameraSearch, State};
use crate::app::command::{FirstField, FirstRunCommand, Step};
use crate::app::worker::look::{PictureLook, look};
use crate::judge::TableFolder;
use crate::rules::Side;
use crate::session::play::Job;
use crate::session::view::PlaceView;
use crate::tracking::TagFamily;
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The folder that is offered.
const FOLDER: &str = "groma-table";
/// A whole picture is looked at no oftener than this.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The page.
#[derive(Debug, Clone)]
pub struct FirstRun {
    /// The step that is shown.
    pub step: Step,
    /// What the folder holds, once it is open.
    pub kept: Option<TableFolder>,
    /// What is known of cameras.
    pub cameras: CameraSearch,
    /// How the last wish of a step ended.
    pub said: BTreeMap<Step, Result<String, String>>,
    /// What is to be expected of this camera on this board.
    pub plan: Vec<Check>,
    /// The source that is being opened.
    pub opening: bool,
    fields: BTreeMap<FirstField, String>,
    checks: Vec<Check>,
    checked: Option<(u64, u64, Step)>,
    look: Option<PictureLook>,
    looks: u64,
    asked: Option<(u64, Instant)>,
}

impl FirstRun {
    /// Before anything is done.
    pub fn new() -> Self {
        let fields = [
            (FirstField::Folder, FOLDER),
            (FirstField::Source, "sim:60"),
            (FirstField::Width, "600"),
            (FirstField::Depth, "600"),
            (FirstField::BaseWidth, "40"),
        ];
        Self {
            step: Step::Camera,
            kept: None,
            cameras: CameraSearch::default(),
            said: BTreeMap::new(),
            plan: Vec::new(),
            opening: false,
            fields: fields.map(|(field, text)| (field, text.to_owned())).into(),
            checks: Vec::new(),
            checked: None,
            look: None,
            looks: 0,
            asked: None,
        }
    }

    /// What the last picture that was looked at whole showed.
    pub fn look(&self) -> Option<&PictureLook> {
        self.look.as_ref()
    }

    /// What is typed in a field.
    pub fn field(&self, field: FirstField) -> &str {
        self.fields.get(&field).map_or("", String::as_str)
    }

    /// The folder as it is typed.
    pub fn folder(&self) -> PathBuf {
        PathBuf::from(self.field(FirstField::Folder).trim())
    }

    /// What is found of the step that is shown.
    pub fn checks(&self) -> &[Check] {
        &self.checks
    }

    /// How the last wish of the step that is shown ended.
    pub fn last(&self) -> Option<&Result<String, String>> {
        self.said.get(&self.step)
    }

    /// Whether the step that is shown has nothing wrong.
    pub fn sound(&self) -> bool {
        !self.checks.iter().any(|check| check.mark == Mark::Wrong)
    }

    pub(in crate::app) fn set(&mut self, field: FirstField, text: String) {
        self.fields.insert(field, text);
    }

    pub(in crate::app) fn say(&mut self, ended: Result<String, String>) {
        self.said.insert(self.step, ended);
        self.checked = None;
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    pub(in crate::app) fn carry_out(&mut self, command: FirstRunCommand) -> Option<FirstRunCommand> {
        match command {
            FirstRunCommand::Type(field, text) => {
                self.set(field, text);
                self.said.remove(&self.step);
                None
            }
            other => Some(other),
        }
    }
}

impl Default for FirstRun {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// The first run's page, while it is open.
    pub fn first_run(&self) -> Option<&FirstRun> {
        self.first_run.as_ref()
    }

    /// Looks at the newest picture for the step that is shown, where that has not been done.
    pub(in crate::app) fn look_for_first_run(&mut self) {
        let Some(page) = &self.first_run else { return };
        let at = Some((self.reads(), page.looks, page.step));
        if page.checked == at {
            return;
        }
        let found = checks::of(self, page);
        if let Some(page) = &mut self.first_run {
            (page.checks, page.checked) = (found, at);
        }
    }

    /// A look at the newest picture, where one is due.
    pub(in crate::app) fn first_look_job(&mut self, now: Instant) -> Option<Job<PictureLook>> {
        let (reads, grey) = (self.reads, Arc::clone(&self.latest.as_ref()?.frame.grey));
        let page = self.first_run.as_mut()?;
        if page
            .asked
            .is_some_and(|(at, when)| at == reads || now.saturating_duration_since(when) < LOOK_EVERY)
        {
            return None;
        }
        page.asked = Some((reads, now));
        let book = self.play.engine().book();
        let tags = book.reference.iter().map(|r| r.tag).chain(book.known.keys().copied());
        let families: BTreeSet<TagFamily> = tags.map(|tag| tag.family).collect();
        Some(Box::new(move || look(&grey, &families)))
    }

    /// Takes over what a picture showed.
    pub(in crate::app) fn take_first_look(&mut self, found: PictureLook) {
        if let Some(page) = &mut self.first_run {
            page.look = Some(found);
            page.looks += 1;
        }
    }

    /// Other files or another source: what was seen before says nothing any more.
    pub(in crate::app) fn forget_first_look(&mut self) {
        if let Some(page) = &mut self.first_run {
            (page.look, page.asked, page.checked) = (None, None, None);
        }
    }

    /// The two elements of opposite sides whose middles are nearest to each other.
    pub(in crate::app) fn nearest_pair(&self) -> Option<[String; 2]> {
        let placed = || self.table().elements.iter().filter_map(|e| Some((e, e.place.as_ref()?)));
        let pairs = placed().flat_map(|a| placed().map(move |b| (a, b)));
        let apart = |a: &PlaceView, b: &PlaceView| {
            nalgebra::distance(&a.footprint.pose().centre, &b.footprint.pose().centre)
        };
        let facing = pairs.filter(|((a, _), (b, _))| a.side == Side::Red && b.side == Side::Blue);
        let nearest = facing.min_by(|(a, b), (c, d)| apart(a.1, b.1).total_cmp(&apart(c.1, d.1)))?;
        let ((a, _), (b, _)) = nearest;
        Some([a.name.clone(), b.name.clone()])
    }
}
