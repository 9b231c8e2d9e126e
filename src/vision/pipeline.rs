//! From a frame to a snapshot of the table: detection, registration, location, tracking.
//!
//! Every detection that does not become an observation is listed with the reason. A frame that cannot
//! be placed on the table still gives a snapshot: every track in it is covered, and the reason is kept.

use super::bearing::Bearing;
use super::belief::{BeliefSettings, Refusal, Refused};
use super::detection::{DetectorError, DetectorSettings, TagDetector};
use super::follow::{Follower, News, Stir};
use super::location::{
    CornerNoise, ReferenceSight, RegisteredCamera, RegistrationError, RegistrationSettings, least_seen,
    register,
};
use super::measure::{Measure, PatternNoise, refine_reference};
use super::missed::Missed;
use super::register::{Optics, Scratch, Start};
use super::strangers::{Stranger, Strangers};
use super::watching::{Sight, Watch};
use super::{CameraModel, Detection, Frame, FrameSource, Lens};
use crate::geometry::Pose;
use crate::tracking::{
    Held, KnownTag, Observation, Registration, TableSnapshot, Tag, TagBook, TagFamily, Tracker,
    TrackerSettings,
};
use std::collections::{BTreeMap, BTreeSet};
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
    /// Tags that surely lie on the table and are nobody's, or not as they are written.
    pub strangers: Vec<Stranger>,
}

/// A change of the doubt about the playing surface's height that matters, millimetres. A choice.
const LEAST_DOUBT_MM: f64 = 0.2;

/// The doubt about the playing surface's height against the frame before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Doubt {
    AsBefore,
    Changed,
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
    follower: Option<Follower>,
    /// Whether the table has been searched for tags that the detector misses.
    searched: bool,
    watch: Watch,
    /// The tags on bases as they were given; the book's heights are doubted more where the board is bowed.
    given: BTreeMap<Tag, KnownTag>,
    /// That doubt, one sigma, millimetres.
    doubt_mm: f64,
    /// Reference tags for which the camera was placed again since they appeared: once each.
    placed_for: BTreeSet<Tag>,
    /// Where tags were when they were last seen, as told by [`Pipeline::expect`].
    expected: BTreeMap<Tag, Pose>,
    strangers: Strangers,
    /// The hills, as their tags have them.
    bearing: Bearing,
    /// Whether the ground changed since the last frame was read whole.
    laid_anew: bool,
}

/// A camera placed on the table by one frame, and what it was placed by.
struct Placed {
    camera: RegisteredCamera,
    optics: Optics,
    sights: Vec<ReferenceSight>,
}

impl Pipeline {
    /// Over the tags of `book`, with the lens profile where there is one.
    pub fn new(book: TagBook, lens: Option<Lens>, settings: PipelineSettings) -> Result<Self, DetectorError> {
        let named = book.reference.iter().map(|r| r.tag).chain(book.known.keys().copied());
        let families: BTreeSet<TagFamily> = named.map(|t| t.family).collect();
        let detector = TagDetector::new(&families, settings.detector)?;
        let given = book.known.clone();
        let bearing = Bearing::of(&book);
        let tracker = Tracker::new(book.known.keys().copied(), settings.tracker);
        Ok(Self {
            book,
            lens,
            settings,
            detector,
            tracker,
            scratch: Scratch::default(),
            follower: None,
            searched: false,
            watch: Watch::default(),
            given,
            doubt_mm: 0.0,
            placed_for: BTreeSet::new(),
            expected: BTreeMap::new(),
            strangers: Strangers::default(),
            bearing,
            laid_anew: false,
        })
    }

    /// Tells where tags were when they were last seen, by an earlier run. A frame that is read whole looks there for
    /// those that detection misses, which is how a tag too small to be detected is followed.
    pub fn expect(&mut self, poses: BTreeMap<Tag, Pose>) {
        self.expected = poses;
    }

    /// The tags it looks for.
    pub fn book(&self) -> &TagBook {
        &self.book
    }

    /// Reads one frame: whole where it stands alone or the camera may have moved, else by what changed.
    pub fn take(&mut self, frame: &Frame) -> Reading {
        let mut before = self.follower.take();
        // What was followed stands on other ground now: this frame is read whole.
        let anew = std::mem::take(&mut self.laid_anew);
        let follower = before.as_mut().filter(|_| !anew);
        let followed = follower.and_then(|follower| self.follow(follower, frame));
        let mut reading = match followed {
            Some(reading) => reading,
            None => self.read_whole(frame, before.as_ref()),
        };
        if let Some(relief) = self.bearing.take(&self.book, &reading.snapshot) {
            self.book.relief = relief;
            match self.settings.sequence {
                Sequence::Unrelated => reading = self.read_whole(frame, None),
                Sequence::Following => self.laid_anew = true,
            }
        }
        reading.strangers = self.strangers.take(&reading, &self.book.reference, self.settings.sequence);
        // Where the frame could not be placed (a coat over the camera), the last place may hold again.
        if self.follower.is_none() {
            self.follower = before;
        }
        if self.doubt_heights() == Doubt::Changed {
            // This frame was read without it.
            Arc::make_mut(&mut reading.snapshot).held.get_or_insert(Held::Bowed);
        }
        reading
    }

    /// Where the board was found to be bowed, the heights of all that stands on it are in doubt together: the
    /// next frame is read whole with that in every pose.
    fn doubt_heights(&mut self) -> Doubt {
        let doubt_mm = self.watch.surface_doubt_mm();
        if (doubt_mm - self.doubt_mm).abs() <= LEAST_DOUBT_MM {
            return Doubt::AsBefore;
        }
        self.doubt_mm = doubt_mm;
        for (tag, known) in &mut self.book.known {
            let given = self.given.get(tag).map_or(0.0, |given| given.height_sigma_mm);
            known.height_sigma_mm = given.hypot(doubt_mm);
        }
        self.follower = None;
        Doubt::Changed
    }

    /// Reads a frame by what changed since the last, or `None` where that cannot be.
    fn follow(&mut self, follower: &mut Follower, frame: &Frame) -> Option<Reading> {
        let needed = least_seen(self.lens.as_ref());
        let camera = Arc::clone(follower.camera());
        let measure = Measure::new(frame, &camera, follower.optics(), &self.book, &self.settings);
        let followed = follower.follow(&measure, &mut self.detector, needed, &mut self.scratch)?;
        if let News::Appeared(tag) = followed.news
            && self.placed_for.insert(tag)
        {
            // One more reference tag makes the camera's place surer.
            return None;
        }
        let registration = Registration {
            reference_seen: followed.reference_seen,
            reference_known: self.book.reference.len(),
            residual_px: camera.residual_px,
            lens_estimated: camera.lens_estimated,
        };
        let mut snapshot = self.tracker.take(
            frame.seq,
            frame.captured_at,
            Some(registration),
            &followed.observations,
            &followed.still,
        );
        let sight = match (followed.news, followed.stir) {
            (News::None, Stir::None) => Sight::Steady,
            (News::None, Stir::Together) => Sight::Stirred,
            _ => Sight::ReferenceMoved,
        };
        let references = follower.references();
        let mark = Arc::make_mut(&mut snapshot);
        self.watch.take(sight, Some(&camera), &references, needed, &self.book, mark);
        Some(Reading {
            snapshot,
            camera: Some(camera.model),
            registration: Ok(registration),
            detections: followed.detections,
            refused: followed.refused,
            strangers: Vec::new(),
        })
    }

    /// Reads a frame by the detector; `before` is what was followed until now.
    fn read_whole(&mut self, frame: &Frame, before: Option<&Follower>) -> Reading {
        let detections = self.detector.detect(&frame.grey);
        let mut refused = Vec::new();
        let named = self.named(&detections, &mut refused);
        let found = self.reference_sights(&named);
        let mut sights: Vec<ReferenceSight> = found.iter().map(|(sight, _)| *sight).collect();
        let missed = Missed {
            picture: &frame.grey,
            lens: self.lens.as_ref(),
            reference: &self.book.reference,
            noise: &self.settings.noise,
            registration: &self.settings.registration,
            belief: &self.settings.belief,
        };
        let by_pattern = missed.find(&sights, &mut self.scratch);
        sights.extend(by_pattern);
        let placed = self.place(frame, &sights);
        let observations = match &placed {
            Ok(placed) => {
                refused.extend(moved_references(&placed.camera, &found));
                self.observations(placed, frame, &named, &mut refused, before)
            }
            Err(_) => Vec::new(),
        };
        let registration = placed.as_ref().map_err(Clone::clone).map(|p| Registration {
            reference_seen: p.camera.used.len(),
            reference_known: self.book.reference.len(),
            residual_px: p.camera.residual_px,
            lens_estimated: p.camera.lens_estimated,
        });
        if self.settings.sequence == Sequence::Unrelated {
            self.tracker = Tracker::still(self.book.known.keys().copied());
        }
        let known = registration.as_ref().ok().copied();
        let mut snapshot = self.tracker.take(frame.seq, frame.captured_at, known, &observations, &[]);
        let camera = placed.as_ref().ok().map(|p| p.camera.model);
        if self.settings.sequence == Sequence::Following {
            self.follower = placed.ok().map(|p| {
                Follower::start(&frame.grey, p.camera, p.optics, &p.sights, &self.book, &observations)
            });
            let light = before.and_then(Follower::light_gain);
            let sight = if self.follower.is_some() { Sight::Placed { light } } else { Sight::Unplaced };
            let references = self.follower.as_ref().map(Follower::references).unwrap_or_default();
            let placed = self.follower.as_ref().map(|f| &**f.camera());
            let needed = least_seen(self.lens.as_ref());
            let mark = Arc::make_mut(&mut snapshot);
            self.watch.take(sight, placed, &references, needed, &self.book, mark);
        }
        Reading { snapshot, camera, registration, detections, refused, strangers: Vec::new() }
    }

    /// Places the camera by the reference tags' corners, then again by their registered patterns.
    fn place(&mut self, frame: &Frame, sights: &[ReferenceSight]) -> Result<Placed, RegistrationError> {
        let known = self.book.reference.len();
        let size = (frame.grey.width(), frame.grey.height());
        let lens = self.lens.as_ref();
        let settings = &self.settings;
        let rough = register(sights, known, size, lens, &settings.noise, &settings.registration)?;
        let refined = refine_reference(&frame.grey, &rough.model.lens, sights, &mut self.scratch);
        let (order, finer): (Vec<usize>, Vec<ReferenceSight>) = refined.sights.into_iter().unzip();
        let fine = refined.optics.and_then(|optics| {
            let noise = settings.patterns.reference.for_blur(optics.blur_px);
            register(&finer, known, size, lens, &noise, &settings.registration).ok()
        });
        let optics = refined.optics.unwrap_or_default();
        Ok(match fine {
            Some(mut camera) => {
                for (sight, _) in &mut camera.left_out {
                    *sight = order[*sight];
                }
                Placed { camera, optics, sights: finer }
            }
            None => Placed { camera: rough, optics, sights: sights.to_vec() },
        })
    }

    fn observations(
        &mut self,
        placed: &Placed,
        frame: &Frame,
        named: &[Detection],
        refused: &mut Vec<Refused>,
        before: Option<&Follower>,
    ) -> Vec<Observation> {
        let measure = Measure::new(frame, &placed.camera, placed.optics, &self.book, &self.settings);
        let mut seen = measure.detected(named, refused, &mut self.scratch);
        // What was followed may be too small or too dark to be detected: it is where it was, or lost.
        let told = self.expected.iter().map(|(tag, pose)| (*tag, *pose));
        for (tag, pose) in before.into_iter().flat_map(Follower::last_poses).chain(told) {
            let unseen = seen.iter().all(|o| o.tag != tag);
            if let Some(known) = self.book.known.get(&tag).filter(|_| unseen) {
                seen.extend(measure.near(tag, known, (pose, Start::Rough), &mut self.scratch));
            }
        }
        let first = match self.settings.sequence {
            Sequence::Unrelated => true,
            Sequence::Following => !std::mem::replace(&mut self.searched, true),
        };
        if first {
            let searched = measure.searched(&seen, &mut self.scratch);
            seen.extend(searched);
        }
        seen
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

/// Detected sights of reference tags that the camera was not placed by; those found by their patterns come after them
/// and are not told.
fn moved_references(camera: &RegisteredCamera, sights: &[(ReferenceSight, Detection)]) -> Vec<Refused> {
    camera
        .left_out
        .iter()
        .filter_map(|&(index, misfit_px)| Some((sights.get(index)?.1, misfit_px)))
        .map(|(detection, misfit_px)| Refused { detection, why: Refusal::ReferenceMoved { misfit_px } })
        .collect()
}
