//! From a frame to a snapshot of the table: detection, registration, location, tracking.
//!
//! Every detection that does not become an observation is listed with the reason. A frame that cannot
//! be placed on the table still gives a snapshot: every track in it is covered, and the reason is kept.

use super::detection::{DetectorError, DetectorSettings, TagDetector};
use super::location::{
    CornerNoise, FlatFit, ReferenceSight, RegisteredCamera, RegistrationError, RegistrationSettings,
    fit_flat, register, with_uncertainty,
};
use super::{CameraModel, Detection, Frame, FrameSource, Lens};
use crate::tracking::{
    CapturedAt, KnownTag, Observation, Registration, TableSnapshot, Tag, TagBook, TagFamily, Tracker,
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
    /// Corner errors.
    pub noise: CornerNoise,
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

/// Which detections are believed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BeliefSettings {
    /// A detection's decision margin must reach this, grey levels.
    pub least_margin: f64,
    /// A tag's misfit must not exceed this many times the sigma of the frame's corners, root mean square
    /// over its five degrees of freedom.
    pub most_misfit_sigmas: f64,
    /// And never this, as a share of the tag's side in the picture: a ghost is seldom a square of the
    /// right size.
    pub most_misfit_share: f64,
    /// Of two sights of one tag that both fit, one is believed if its margin is so many times the
    /// other's; else neither is.
    pub margin_ratio: f64,
}

impl Default for BeliefSettings {
    fn default() -> Self {
        Self { least_margin: 10.0, most_misfit_sigmas: 6.0, most_misfit_share: 0.05, margin_ratio: 2.0 }
    }
}

/// A detection that was not believed.
#[derive(Debug, Clone, PartialEq)]
pub struct Refused {
    /// What was found.
    pub detection: Detection,
    /// Why it does not count.
    pub why: Refusal,
}

/// Why a detection does not count.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
pub enum Refusal {
    /// Neither the table nor a roster names it.
    #[error("neither the table file nor a roster names it")]
    NotNamed,
    /// It was read too faintly.
    #[error("read too faintly: decision margin {margin:.1}, {least:.1} needed")]
    Faint {
        /// Its decision margin.
        margin: f64,
        /// The limit.
        least: f64,
    },
    /// Its corners are not those of a flat tag of its size at its height.
    #[error(
        "its corners do not fit a flat tag of its size at its height ({residual_px:.2} px off, {most_px:.2} allowed): partly covered, standing elsewhere, or no tag"
    )]
    Misfit {
        /// Root mean square distance of its corners.
        residual_px: f64,
        /// The limit.
        most_px: f64,
    },
    /// Its rays do not meet its plane.
    #[error("it cannot lie on the table where it is seen")]
    OffTable,
    /// The tag was read in two places and neither is clearly the right one, or another one is.
    #[error("the tag was read in more than one place")]
    Twice,
    /// A reference tag that does not fit the others.
    #[error(
        "this reference tag is {misfit_px:.1} px from where the others say it is: it has been moved or something lies on it"
    )]
    ReferenceMoved {
        /// Root mean square distance of its corners.
        misfit_px: f64,
    },
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
}

/// A detection that passed as a flat tag, before duplicates are settled.
struct Sight {
    detection: Detection,
    known: KnownTag,
    fit: FlatFit,
}

impl Pipeline {
    /// Over the tags of `book`, with the lens profile where there is one.
    pub fn new(book: TagBook, lens: Option<Lens>, settings: PipelineSettings) -> Result<Self, DetectorError> {
        let named = book.reference.iter().map(|r| r.tag).chain(book.known.keys().copied());
        let families: BTreeSet<TagFamily> = named.map(|t| t.family).collect();
        let detector = TagDetector::new(&families, settings.detector)?;
        let tracker = Tracker::new(book.known.keys().copied(), settings.tracker);
        Ok(Self { book, lens, settings, detector, tracker })
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
        let sights = self.reference_sights(&named);
        let placed = register(
            &sights.iter().map(|(sight, _)| *sight).collect::<Vec<_>>(),
            self.book.reference.len(),
            (frame.grey.width(), frame.grey.height()),
            self.lens.as_ref(),
            &self.settings.noise,
            &self.settings.registration,
        );
        let observations = match &placed {
            Ok(camera) => {
                refused.extend(moved_references(camera, &sights));
                self.observations(camera, frame, &named, &mut refused)
            }
            Err(_) => Vec::new(),
        };
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

    fn observations(
        &self,
        camera: &RegisteredCamera,
        frame: &Frame,
        named: &[Detection],
        refused: &mut Vec<Refused>,
    ) -> Vec<Observation> {
        let mut sights = Vec::new();
        for &detection in named {
            let Some(&known) = self.book.known.get(&detection.tag) else { continue };
            match fit_flat(&camera.model, &known, &detection.corners_px) {
                Some(fit) => sights.push(Sight { detection, known, fit }),
                None => refused.push(Refused { detection, why: Refusal::OffTable }),
            }
        }
        let noise = &self.settings.noise;
        let sigma_px = frame_sigma_px(&sights, noise);
        let belief = &self.settings.belief;
        let fits = |s: &Sight| {
            let most_px = (belief.most_misfit_sigmas * sigma_px * MISFIT_OF_SIGMA)
                .min(belief.most_misfit_share * s.detection.side_px());
            (s.fit.residual_px() > most_px)
                .then(|| Refusal::Misfit { residual_px: s.fit.residual_px(), most_px })
        };
        let mut by_tag: BTreeMap<Tag, Vec<Sight>> = BTreeMap::new();
        for sight in sights {
            match fits(&sight) {
                Some(why) => refused.push(Refused { detection: sight.detection, why }),
                None => by_tag.entry(sight.detection.tag).or_default().push(sight),
            }
        }
        let believed = by_tag.into_values().filter_map(|sights| self.one_of(sights, refused));
        believed
            .filter_map(|s| {
                let own = own_sigma_px(&s.fit, sigma_px);
                let pose = with_uncertainty(camera, frame.camera, &s.known, s.fit.pose, own, noise)?;
                Some(Observation {
                    tag: s.detection.tag,
                    camera: frame.camera,
                    pose,
                    captured_at: frame.captured_at,
                    residual_px: s.fit.residual_px(),
                })
            })
            .collect()
    }

    /// Of several sights of one tag the one that is clearly read best, or none.
    fn one_of(&self, mut sights: Vec<Sight>, refused: &mut Vec<Refused>) -> Option<Sight> {
        sights.sort_by(|a, b| b.detection.decision_margin.total_cmp(&a.detection.decision_margin));
        let clear = sights.len() < 2
            || sights[0].detection.decision_margin
                >= self.settings.belief.margin_ratio * sights[1].detection.decision_margin;
        let rest = if clear { sights.split_off(1) } else { std::mem::take(&mut sights) };
        refused.extend(rest.into_iter().map(|s| Refused { detection: s.detection, why: Refusal::Twice }));
        sights.pop()
    }
}

/// Root mean square corner distance that goes with a corner sigma of 1 px on one axis: five degrees of
/// freedom over four corners.
const MISFIT_OF_SIGMA: f64 = 1.118_033_988_749_895;

/// Corner sigma of this frame, from the median misfit of its tags: a few bad ones do not move it.
fn frame_sigma_px(sights: &[Sight], noise: &CornerNoise) -> f64 {
    // Median of chi squared with five degrees of freedom.
    const MEDIAN: f64 = 4.351_46;
    let mut squares: Vec<f64> = sights.iter().map(|s| s.fit.squares_px2).collect();
    squares.sort_by(f64::total_cmp);
    let Some(&median) = squares.get(squares.len() / 2) else { return noise.seen(0.0, 0.0) };
    // A median knows about two thirds of what the mean would.
    let freedom = 5.0 * squares.len() as f64 * 2.0 / 3.0;
    noise.seen(median / MEDIAN * freedom, freedom)
}

/// Corner sigma of one tag: the frame's, unless its own corners fit worse.
fn own_sigma_px(fit: &FlatFit, frame_sigma_px: f64) -> f64 {
    const FRAME_WEIGHT: f64 = 10.0;
    let own = (fit.squares_px2 + FRAME_WEIGHT * frame_sigma_px * frame_sigma_px) / (5.0 + FRAME_WEIGHT);
    own.sqrt().max(frame_sigma_px)
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
