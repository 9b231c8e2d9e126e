//! From a frame to a snapshot of the table: detection, registration, location, tracking.
//!
//! Every detection that does not become an observation is listed with the reason. A frame that cannot
//! be placed on the table still gives a snapshot: every track in it is covered, and the reason is kept.

use super::belief::{BeliefSettings, Refusal, Refused};
use super::detection::{DetectorError, DetectorSettings, TagDetector};
use super::location::{
    CornerNoise, ReferenceSight, RegisteredCamera, RegistrationError, RegistrationSettings, register,
};
use super::measure::{Measure, PatternNoise, refine_reference};
use super::register::{Optics, Scratch};
use super::{CameraModel, Detection, Frame, FrameSource, Lens};
use crate::tracking::{
    CapturedAt, Observation, Registration, TableSnapshot, TagBook, TagFamily, Tracker, TrackerSettings,
};
use std::collections::BTreeSet;
use std::sync::Arc;

/// How the frames of a source belong together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sequence {
    /// One table over time: tracks go on from frame to frame.
    #[default]
    Following,
    /// Each frame is a moment of its own, such as a folder of photographs: nothing is carried over, and
    /// what is seen counts as at rest.
    Unrelated,
}

/// What the pipeline goes by.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PipelineSettings {
    /// How frames belong together.
    pub sequence: Sequence,
    /// Finding tags.
    pub detector: DetectorSettings,
    /// Placing the camera.
    pub registration: RegistrationSettings,
    /// Errors of corners as the detector finds them.
    pub noise: CornerNoise,
    /// Errors of registered patterns.
    pub patterns: PatternNoise,
    /// Which detections are believed.
    pub belief: BeliefSettings,
    /// Following tags.
    pub tracker: TrackerSettings,
}

impl PipelineSettings {
    /// The defaults for the frames of `source`.
    pub fn for_source(source: &dyn FrameSource) -> Self {
        let sequence = if source.unrelated() { Sequence::Unrelated } else { Sequence::Following };
        Self { sequence, ..Self::default() }
    }
}

/// What one frame gave.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The table as it now stands.
    pub snapshot: Arc<TableSnapshot>,
    /// The camera, where the frame could be placed on the table.
    pub camera: Option<CameraModel>,
    /// How well it was placed, or why not.
    pub registration: Result<Registration, RegistrationError>,
    /// Everything found in the picture, believed or not.
    pub detections: Vec<Detection>,
    /// What was not believed, and why.
    pub refused: Vec<Refused>,
}

/// Takes frames, gives readings. Not [`Send`]: it holds the detector, and is made inside the thread
/// that uses it.
#[derive(Debug)]
pub struct Pipeline {
    book: TagBook,
    lens: Option<Lens>,
    settings: PipelineSettings,
    detector: TagDetector,
    tracker: Tracker,
    scratch: Scratch,
}

impl Pipeline {
    /// Over the tags of `book`, with the lens profile where there is one.
    pub fn new(book: TagBook, lens: Option<Lens>, settings: PipelineSettings) -> Result<Self, DetectorError> {
        let named = book.reference.iter().map(|r| r.tag).chain(book.known.keys().copied());
        let families: BTreeSet<TagFamily> = named.map(|t| t.family).collect();
        let detector = TagDetector::new(&families, settings.detector)?;
        let tracker = Tracker::new(book.known.keys().copied(), settings.tracker);
        Ok(Self { book, lens, settings, detector, tracker, scratch: Scratch::default() })
    }

    /// The tags it looks for.
    pub fn book(&self) -> &TagBook {
        &self.book
    }

    /// Reads one frame.
    pub fn take(&mut self, frame: &Frame) -> Reading {
        let detections = self.detector.detect(&frame.grey);
        let mut refused = Vec::new();
        let named = self.named(&detections, &mut refused);
        let found = self.reference_sights(&named);
        let sights: Vec<ReferenceSight> = found.iter().map(|(sight, _)| *sight).collect();
        let placed = self.place(frame, &sights);
        let observations = match &placed {
            Ok((camera, optics)) => {
                refused.extend(moved_references(camera, &found));
                self.observations(camera, *optics, frame, &named, &mut refused)
            }
            Err(_) => Vec::new(),
        };
        let placed = placed.map(|(camera, _)| camera);
        let registration = placed.as_ref().map_err(Clone::clone).map(|camera| Registration {
            reference_seen: camera.used.len(),
            reference_known: self.book.reference.len(),
            residual_px: camera.residual_px,
            lens_estimated: camera.lens_estimated,
        });
        let snapshot =
            self.track(frame.seq, frame.captured_at, registration.as_ref().ok().copied(), &observations);
        Reading { snapshot, camera: placed.ok().map(|c| c.model), registration, detections, refused }
    }

    /// Places the camera by the reference tags' corners, then again by their registered patterns.
    fn place(
        &mut self,
        frame: &Frame,
        sights: &[ReferenceSight],
    ) -> Result<(RegisteredCamera, Optics), RegistrationError> {
        let known = self.book.reference.len();
        let size = (frame.grey.width(), frame.grey.height());
        let lens = self.lens.as_ref();
        let settings = &self.settings;
        let rough = register(sights, known, size, lens, &settings.noise, &settings.registration)?;
        let refined = refine_reference(&frame.grey, &rough.model.lens, sights, &mut self.scratch);
        let Some(optics) = refined.optics else { return Ok((rough, Optics::default())) };
        let noise = &settings.patterns.reference;
        match register(&refined.sights, known, size, lens, noise, &settings.registration) {
            Ok(camera) => Ok((camera, optics)),
            Err(_) => Ok((rough, optics)),
        }
    }

    fn observations(
        &mut self,
        camera: &RegisteredCamera,
        optics: Optics,
        frame: &Frame,
        named: &[Detection],
        refused: &mut Vec<Refused>,
    ) -> Vec<Observation> {
        let measure = Measure {
            frame,
            camera,
            optics,
            book: &self.book,
            corners: &self.settings.noise,
            patterns: &self.settings.patterns,
            belief: &self.settings.belief,
        };
        let mut seen = measure.detected(named, refused, &mut self.scratch);
        if self.settings.sequence == Sequence::Unrelated {
            let searched = measure.searched(&seen, &mut self.scratch);
            seen.extend(searched);
        }
        seen
    }

    fn track(
        &mut self,
        seq: u64,
        at: CapturedAt,
        registration: Option<Registration>,
        observations: &[Observation],
    ) -> Arc<TableSnapshot> {
        if self.settings.sequence == Sequence::Unrelated {
            self.tracker = Tracker::still(self.book.known.keys().copied());
        }
        self.tracker.take(seq, at, registration, observations)
    }

    /// The detections that are named and clearly read.
    fn named(&self, detections: &[Detection], refused: &mut Vec<Refused>) -> Vec<Detection> {
        let least = self.settings.belief.least_margin;
        let mut named = Vec::new();
        for &detection in detections {
            let margin = detection.decision_margin;
            let why = if !self.book.names(detection.tag) {
                Refusal::NotNamed
            } else if margin < least {
                Refusal::Faint { margin, least }
            } else {
                named.push(detection);
                continue;
            };
            refused.push(Refused { detection, why });
        }
        named
    }

    fn reference_sights(&self, named: &[Detection]) -> Vec<(ReferenceSight, Detection)> {
        let place = |d: &Detection| self.book.reference.iter().find(|r| r.tag == d.tag).copied();
        named
            .iter()
            .filter_map(|d| Some((ReferenceSight { place: place(d)?, corners_px: d.corners_px }, *d)))
            .collect()
    }
}

/// Sights of reference tags that the camera was not placed by.
fn moved_references(camera: &RegisteredCamera, sights: &[(ReferenceSight, Detection)]) -> Vec<Refused> {
    camera
        .left_out
        .iter()
        .map(|&(index, misfit_px)| Refused {
            detection: sights[index].1,
            why: Refusal::ReferenceMoved { misfit_px },
        })
        .collect()
}
