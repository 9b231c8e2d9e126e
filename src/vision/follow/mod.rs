//! Following a table from frame to frame at little cost.
//!
//! Where the picture has not changed, nothing has moved and nothing is measured, but for a few tags a
//! frame in turn. Where it has, the tags there are registered again from their last poses; those lost
//! are looked for by the detector in the changed places alone, and in one tile of the picture after another.
//! The camera is where it was as long as enough reference tags have not changed in the picture.

mod change;

use super::belief::{Refusal, Refused};
use super::location::{ReferenceSight, RegisteredCamera};
use super::measure::Measure;
use super::register::{Optics, Scratch, Start, Window};
use super::{Detection, GreyImage, PixelPoint, TagDetector, TagPattern};
use crate::geometry::Pose;
use crate::tracking::{KnownTag, Observation, Tag};
use change::{ChangeMap, Patchlet};
use nalgebra::Point3;
use std::collections::{BTreeMap, BTreeSet};

/// Tags measured again in every frame, though nothing changed, so that readings gather.
const MEASURED_A_FRAME: usize = 2;
/// A window has changed when its mean squared difference passes the noise's this many times, and by this
/// many grey levels squared more. A base shifted by 0.3 mm gives some hundreds.
const CHANGE_FACTOR: f64 = 1.7;
const CHANGE_FLOOR: f64 = 3.0;
/// Noise to begin with: mean squared difference of two frames with grain of 2.5 levels.
const FIRST_NOISE: f64 = 12.5;
/// So many more unchanged windows are asked for where bases must vouch for the camera.
const VOUCHING: usize = 2;
/// Pixels by which a changed place is grown before tags are looked for in it.
const GROWN_PX: usize = 48;
/// The picture is swept for lost tags in so many tiles along each axis, a tile every so many frames.
const TILES: usize = 4;
const SWEEP_EVERY: usize = 4;

/// One tag as it was last measured.
#[derive(Debug, Clone)]
struct Followed {
    known: KnownTag,
    pose: Pose,
    patchlet: Patchlet,
    /// Whether it was lost since: something lies on it, or it has gone.
    lost: bool,
}

/// What is carried from frame to frame.
#[derive(Debug)]
pub(super) struct Follower {
    camera: RegisteredCamera,
    optics: Optics,
    /// The reference tags that the camera was placed by, as they were.
    references: Vec<Patchlet>,
    tags: BTreeMap<Tag, Followed>,
    map: ChangeMap,
    noise: f64,
    turn: usize,
    size: (usize, usize),
}

/// What one followed frame gave.
pub(super) struct FollowedFrame {
    /// Tags measured in this frame.
    pub observations: Vec<Observation>,
    /// Tags seen unchanged, whose last measure still holds.
    pub still: Vec<Tag>,
    /// Reference tags seen unchanged.
    pub reference_seen: usize,
    /// What the detector found in changed places.
    pub detections: Vec<Detection>,
    /// What was not believed of it.
    pub refused: Vec<Refused>,
}

impl Follower {
    /// Starts from a frame that was read whole.
    pub fn start(
        picture: &GreyImage,
        camera: RegisteredCamera,
        optics: Optics,
        sights: &[ReferenceSight],
        known: &BTreeMap<Tag, KnownTag>,
        observations: &[Observation],
    ) -> Self {
        let references = sights
            .iter()
            .filter(|s| camera.used.contains(&s.place.tag))
            .filter_map(|s| window_of(&s.corners_px.in_order(), picture))
            .map(|window| Patchlet::of(picture, window))
            .collect();
        let size = (picture.width(), picture.height());
        let map = ChangeMap::of(picture);
        let mut follower = Self {
            camera,
            optics,
            references,
            tags: BTreeMap::new(),
            map,
            noise: FIRST_NOISE,
            turn: 0,
            size,
        };
        for seen in observations {
            if let Some(known) = known.get(&seen.tag) {
                follower.remember(picture, seen, *known);
            }
        }
        follower
    }

    /// The camera as last placed.
    pub fn camera(&self) -> &RegisteredCamera {
        &self.camera
    }

    /// The optics as last fitted.
    pub fn optics(&self) -> Optics {
        self.optics
    }

    fn remember(&mut self, picture: &GreyImage, seen: &Observation, known: KnownTag) {
        let pose = seen.pose.pose;
        let Some(patchlet) = self.patchlet_at(picture, seen.tag, &known, pose) else { return };
        self.tags.insert(seen.tag, Followed { known, pose, patchlet, lost: false });
    }

    fn patchlet_at(&self, picture: &GreyImage, tag: Tag, known: &KnownTag, pose: Pose) -> Option<Patchlet> {
        let half = TagPattern::of(tag)?.picture_mm(known.size_mm) / 2.0;
        let mut corners = [PixelPoint::origin(); 4];
        let own = [(-half, half), (half, half), (half, -half), (-half, -half)];
        for (corner, (right, up)) in corners.iter_mut().zip(own) {
            let p = pose.at(right, up);
            *corner = self.camera.model.image_from_table(Point3::new(p.x, p.y, known.height_mm))?;
        }
        Some(Patchlet::of(picture, window_of(&corners, picture)?))
    }

    /// Reads the next frame, or `None` where the camera may have moved or the picture has another size:
    /// then the frame must be read whole. `measure` makes the measuring tools for a camera and optics.
    pub fn follow(
        &mut self,
        measure: &Measure<'_>,
        detector: &mut TagDetector,
        needed: usize,
        scratch: &mut Scratch,
    ) -> Option<FollowedFrame> {
        let picture: &GreyImage = &measure.frame.grey;
        if (picture.width(), picture.height()) != self.size {
            return None;
        }
        let limit = CHANGE_FACTOR * self.noise + CHANGE_FLOOR;
        let of_references: Vec<f64> = self.references.iter().map(|r| r.difference(picture)).collect();
        let of_tags: BTreeMap<Tag, f64> =
            self.tags.iter().map(|(&tag, f)| (tag, f.patchlet.difference(picture))).collect();
        let reference_seen = of_references.iter().filter(|&&d| d <= limit).count();
        let tags_unchanged = of_tags.values().filter(|&&d| d <= limit).count();
        // A hand may lie over the reference tags: bases that have not stirred in the picture vouch for
        // the camera too.
        if reference_seen < needed && reference_seen + tags_unchanged < needed + VOUCHING {
            return None;
        }
        let mut frame = FollowedFrame {
            observations: Vec::new(),
            still: Vec::new(),
            reference_seen,
            detections: Vec::new(),
            refused: Vec::new(),
        };
        let in_turn = self.in_turn();
        let mut again: Vec<(Tag, Start)> = Vec::new();
        for (&tag, followed) in &mut self.tags {
            if of_tags[&tag] > limit {
                again.push((tag, Start::Rough));
                continue;
            }
            followed.lost = false;
            if in_turn.contains(&tag) {
                again.push((tag, Start::Near));
            } else {
                frame.still.push(tag);
            }
        }
        let mut differences: Vec<f64> =
            of_references.into_iter().chain(of_tags.into_values()).filter(|&d| d <= limit).collect();
        self.learn_noise(&mut differences);
        for (tag, nearness) in again {
            self.measure_again(measure, (tag, nearness), &mut frame, scratch);
        }
        let changed = self.map.changed(picture, self.noise);
        self.look_for_lost(measure, detector, changed, &mut frame, scratch);
        for seen in &frame.observations {
            if let Some(known) = measure.book.known.get(&seen.tag) {
                self.remember(picture, seen, *known);
            }
        }
        Some(frame)
    }

    /// The tags whose turn it is to be measured though nothing changed.
    fn in_turn(&mut self) -> BTreeSet<Tag> {
        let count = self.tags.len().max(1);
        let first = self.turn * MEASURED_A_FRAME % count;
        self.turn = self.turn.wrapping_add(1);
        self.tags.keys().copied().cycle().skip(first).take(MEASURED_A_FRAME.min(self.tags.len())).collect()
    }

    /// The noise is the median difference of what has not changed.
    fn learn_noise(&mut self, differences: &mut [f64]) {
        differences.sort_by(f64::total_cmp);
        if let Some(&median) = differences.get(differences.len() / 2)
            && median < 2.0 * self.noise + CHANGE_FLOOR
        {
            self.noise += 0.1 * (median.max(0.5) - self.noise);
        }
    }

    /// Registers a tag from its last pose; where its pattern does not show, it is lost.
    fn measure_again(
        &mut self,
        measure: &Measure<'_>,
        (tag, nearness): (Tag, Start),
        frame: &mut FollowedFrame,
        scratch: &mut Scratch,
    ) {
        let Some(followed) = self.tags.get_mut(&tag) else { return };
        match measure.near(tag, &followed.known, (followed.pose, nearness), scratch) {
            Some(seen) => frame.observations.push(seen),
            None => followed.lost = true,
        }
    }

    /// Runs the detector where the picture changed, and over one tile, if any tag is missing.
    fn look_for_lost(
        &mut self,
        measure: &Measure<'_>,
        detector: &mut TagDetector,
        changed: Vec<Window>,
        frame: &mut FollowedFrame,
        scratch: &mut Scratch,
    ) {
        let present: BTreeSet<Tag> =
            frame.observations.iter().map(|o| o.tag).chain(frame.still.iter().copied()).collect();
        if measure.book.known.keys().all(|tag| present.contains(tag)) {
            return;
        }
        let places = changed.into_iter().map(|w| grown(w, GROWN_PX, self.size)).chain(self.tile());
        for window in joined(places.collect()) {
            for detection in detector.detect_in(&measure.frame.grey, window) {
                let wanted =
                    measure.book.known.contains_key(&detection.tag) && !present.contains(&detection.tag);
                let known_already = present.contains(&detection.tag)
                    || measure.book.reference.iter().any(|r| r.tag == detection.tag);
                if wanted && detection.decision_margin >= measure.belief.least_margin {
                    frame.detections.push(detection);
                } else if !known_already {
                    let why = if wanted {
                        let (margin, least) = (detection.decision_margin, measure.belief.least_margin);
                        Refusal::Faint { margin, least }
                    } else {
                        Refusal::NotNamed
                    };
                    frame.refused.push(Refused { detection, why });
                }
            }
        }
        let found = measure.detected(&frame.detections, &mut frame.refused, scratch);
        frame.observations.extend(found);
    }

    /// This frame's tile of the sweep, if any, overlapping its neighbours by a tag.
    fn tile(&self) -> Option<Window> {
        if !self.turn.is_multiple_of(SWEEP_EVERY) {
            return None;
        }
        let at = self.turn / SWEEP_EVERY % (TILES * TILES);
        let (w, h) = (self.size.0 / TILES, self.size.1 / TILES);
        let window = Window { x0: at % TILES * w, y0: at / TILES * h, width: w, height: h };
        Some(grown(window, GROWN_PX, self.size))
    }
}

/// The whole pixels round four corners and a little more. `None` where they leave the picture.
fn window_of(corners: &[PixelPoint; 4], picture: &GreyImage) -> Option<Window> {
    let fold = |f: fn(f64, f64) -> f64, start: f64, at: fn(&PixelPoint) -> f64| {
        corners.iter().map(at).fold(start, f)
    };
    let least = [fold(f64::min, f64::INFINITY, |c| c.x), fold(f64::min, f64::INFINITY, |c| c.y)];
    let most = [fold(f64::max, f64::NEG_INFINITY, |c| c.x), fold(f64::max, f64::NEG_INFINITY, |c| c.y)];
    Window::around(least, most, 0.5, picture)
}

/// A window grown on every side, kept inside the picture.
fn grown(window: Window, by: usize, size: (usize, usize)) -> Window {
    let (x0, y0) = (window.x0.saturating_sub(by), window.y0.saturating_sub(by));
    let (x1, y1) =
        ((window.x0 + window.width + by).min(size.0), (window.y0 + window.height + by).min(size.1));
    Window { x0, y0, width: x1 - x0, height: y1 - y0 }
}

/// Windows that overlap made into one, until none do.
fn joined(mut windows: Vec<Window>) -> Vec<Window> {
    let mut apart: Vec<Window> = Vec::new();
    while let Some(next) = windows.pop() {
        match apart.iter().position(|w| overlap(w, &next)) {
            Some(at) => windows.push(hull(apart.swap_remove(at), next)),
            None => apart.push(next),
        }
    }
    apart
}

fn overlap(a: &Window, b: &Window) -> bool {
    a.x0 < b.x0 + b.width && b.x0 < a.x0 + a.width && a.y0 < b.y0 + b.height && b.y0 < a.y0 + a.height
}

fn hull(a: Window, b: Window) -> Window {
    let (x0, y0) = (a.x0.min(b.x0), a.y0.min(b.y0));
    let (x1, y1) = ((a.x0 + a.width).max(b.x0 + b.width), (a.y0 + a.height).max(b.y0 + b.height));
    Window { x0, y0, width: x1 - x0, height: y1 - y0 }
}
