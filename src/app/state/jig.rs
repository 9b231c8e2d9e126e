//! The page on which mounts are measured in the jig: what is chosen, what is seen, and what was measured.

use crate::app::command::JigCommand;
use crate::app::worker::Sight;
use crate::judge::{Roster, RosterElement};
use crate::tracking::Visibility;
use crate::vision::Frame;
use crate::vision::jig::MeasuredMount;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the page is doing.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum JigRun {
    /// The source is being named.
    #[default]
    Choosing,
    /// It is being opened.
    Opening,
    /// Pictures are looked at.
    Watching,
    /// There are no more pictures.
    Ended,
    /// The source failed, in words; what was measured stays.
    Failed(String),
}

/// What the last picture shows of bases.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum JigLook {
    /// The jig's tags do not show well enough.
    #[default]
    NoJig,
    /// The jig, and no tag of the roster's.
    NoBase,
    /// A base that has not come to rest.
    Moving(String),
    /// A base at rest.
    Rests(String),
}

/// Pictures of one base are kept up to this many: more would make it no better.
pub const MOST_SHOTS: usize = 6;

/// The page.
#[derive(Debug, Clone, Default)]
pub struct JigPage {
    /// Where pictures come from, as it is typed.
    pub source: String,
    /// What the jig's ruler measures, as it is typed, millimetres.
    pub ruler: String,
    /// What is wrong with that.
    pub ruler_error: Option<String>,
    /// The element that is awaited; without one whichever shows.
    pub element: Option<String>,
    /// What the page is doing.
    pub run: JigRun,
    /// What people call the source.
    pub description: String,
    /// Whether its pictures are photographs, of which each is taken.
    pub unrelated: bool,
    /// Pictures that could not be used, and why.
    pub passed_over: Vec<String>,
    /// Whose pictures are being measured.
    pub measuring: Option<String>,
    /// How the last saving ended: what was written where, or why not.
    pub saved: Option<Result<String, String>>,
    /// What was measured, by element.
    pub measured: BTreeMap<String, Vec<MeasuredMount>>,
    look: JigLook,
    latest: Option<Arc<Sight>>,
    looks: u64,
    shots: BTreeMap<String, Vec<Frame>>,
    /// Elements with pictures that have not been measured, the next first.
    unmeasured: Vec<String>,
    /// The element that figures are shown of.
    shown: Option<String>,
}

impl JigPage {
    /// Before anything is seen; pictures are to come from `source`.
    pub fn new(source: String) -> Self {
        Self { source, ruler: "100".to_owned(), ..Self::default() }
    }

    /// The last picture, with what was read from it.
    pub fn latest(&self) -> Option<&Arc<Sight>> {
        self.latest.as_ref()
    }

    /// What it shows of bases.
    pub fn look(&self) -> &JigLook {
        &self.look
    }

    /// How many pictures were looked at: tells one from another.
    pub fn looks(&self) -> u64 {
        self.looks
    }

    /// Whether a source is open or being opened.
    pub fn at_work(&self) -> bool {
        matches!(self.run, JigRun::Opening | JigRun::Watching)
    }

    /// How many pictures of an element were taken.
    pub fn shots(&self, element: &str) -> usize {
        self.shots.get(element).map_or(0, Vec::len)
    }

    /// The element that figures are shown of.
    pub fn shown(&self) -> Option<&str> {
        self.shown.as_deref()
    }

    /// The element whose picture may be taken just now.
    pub fn ready(&self) -> Option<&str> {
        match &self.look {
            JigLook::Rests(name) if self.run == JigRun::Watching && !self.unrelated && self.awaits(name) => {
                Some(name)
            }
            _ => None,
        }
    }

    fn awaits(&self, name: &str) -> bool {
        self.element.as_deref().is_none_or(|wanted| wanted == name)
    }

    /// What to do just now, in a few words.
    pub fn look_words(&self) -> String {
        match (&self.run, &self.latest) {
            (JigRun::Choosing, _) => return "Say where pictures come from, and press Start.".to_owned(),
            (JigRun::Opening, _) | (JigRun::Watching, None) => return "Opening...".to_owned(),
            (JigRun::Ended, _) => return "All pictures have been looked at.".to_owned(),
            (JigRun::Failed(_), _) => return "Stopped.".to_owned(),
            (JigRun::Watching, Some(_)) => {}
        }
        let wanted = || self.element.clone().unwrap_or_else(|| "a base".to_owned());
        match &self.look {
            JigLook::NoJig => "Show the whole jig, flat and lit.".to_owned(),
            JigLook::NoBase => format!("Push {} into the corner; its tag must show.", wanted()),
            JigLook::Moving(name) | JigLook::Rests(name) if !self.awaits(name) => {
                format!("This is {name}; {} is awaited.", wanted())
            }
            JigLook::Moving(name) => format!("{name}: hold still..."),
            JigLook::Rests(name) => match self.shots(name) {
                _ if self.unrelated => format!("{name} in the jig."),
                0 => format!("{name} in the jig: take a picture."),
                1 => format!("{name}: move the camera to another side, and take another."),
                _ => format!("{name} is measured: push in the next base."),
            },
        }
    }

    /// Takes over what was read from a picture.
    pub(in crate::app) fn take(&mut self, sight: Sight, roster: &Roster) {
        self.look = look_of(&sight, roster);
        self.latest = Some(Arc::new(sight));
        self.looks += 1;
        if self.unrelated {
            self.keep_photograph();
        }
    }

    /// Photographs are kept as they come, each for the element that it shows.
    fn keep_photograph(&mut self) {
        let label = self.latest.as_ref().map(|sight| sight.frame.label.clone()).unwrap_or_default();
        let why = match &self.look {
            JigLook::Moving(name) | JigLook::Rests(name) if self.awaits(name) => {
                let name = name.clone();
                return self.shoot(&name);
            }
            JigLook::Moving(name) | JigLook::Rests(name) => format!("it shows {name}"),
            JigLook::NoBase => "no tag of the roster's shows on the jig".to_owned(),
            JigLook::NoJig => "the jig does not show well enough".to_owned(),
        };
        self.passed_over.push(format!("{label}: {why}"));
    }

    /// Keeps the last picture for an element: the oldest goes where there are too many.
    pub(in crate::app) fn shoot(&mut self, name: &str) {
        let Some(sight) = &self.latest else { return };
        let kept = self.shots.entry(name.to_owned()).or_default();
        if kept.len() == MOST_SHOTS {
            kept.remove(0);
        }
        // Measuring looks at brightness alone.
        kept.push(Frame { colour: None, ..sight.frame.clone() });
        if !self.unmeasured.iter().any(|n| n == name) {
            self.unmeasured.push(name.to_owned());
        }
        self.shown = Some(name.to_owned());
        self.saved = None;
    }

    /// The next element to be measured, with its pictures. Photographs are looked at first, so that each base is
    /// measured once.
    pub(in crate::app) fn next_to_measure(&mut self) -> Option<(String, Vec<Frame>)> {
        let more_to_come = self.unrelated && self.at_work();
        if self.measuring.is_some() || self.unmeasured.is_empty() || more_to_come {
            return None;
        }
        let name = self.unmeasured.remove(0);
        let frames = self.shots.get(&name)?.clone();
        self.measuring = Some(name.clone());
        Some((name, frames))
    }

    /// The source begins anew; what was measured stays.
    pub(in crate::app) fn begin(&mut self) {
        self.run = JigRun::Opening;
        self.passed_over.clear();
        self.saved = None;
        self.latest = None;
        self.look = JigLook::NoJig;
    }

    /// Carries out what concerns the page alone. Gives the command back where it is for `logic`.
    pub(in crate::app) fn carry_out(&mut self, command: JigCommand) -> Option<JigCommand> {
        match command {
            JigCommand::TypeSource(text) => self.source = text,
            JigCommand::TypeRuler(text) => {
                self.ruler = text;
                self.ruler_error = None;
            }
            JigCommand::Await(element) => {
                self.shown = element.clone().or(self.shown.take());
                self.element = element;
            }
            JigCommand::ShowFigures(name) => self.shown = Some(name),
            JigCommand::Forget(name) => {
                self.shots.remove(&name);
                self.measured.remove(&name);
                self.unmeasured.retain(|n| *n != name);
                self.saved = None;
            }
            other => return Some(other),
        }
        None
    }
}

/// The element of the roster that carries a tag in this picture.
fn look_of(sight: &Sight, roster: &Roster) -> JigLook {
    if sight.reading.registration.is_err() {
        return JigLook::NoJig;
    }
    let seen = |e: &&RosterElement| {
        let tracks = &sight.reading.snapshot.tracks;
        e.tags.iter().any(|t| tracks.get(&t.tag).is_some_and(|track| track.visibility == Visibility::Seen))
    };
    match roster.elements().iter().find(seen) {
        None => JigLook::NoBase,
        Some(element) if sight.reading.snapshot.at_rest() => JigLook::Rests(element.name.clone()),
        Some(element) => JigLook::Moving(element.name.clone()),
    }
}
