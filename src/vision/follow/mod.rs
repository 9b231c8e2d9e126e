//! Following a table from frame to frame at little cost.
//!
//! Where the picture has not changed, nothing has moved and nothing is measured, but for a tag a frame in
//! turn until each has been read often enough. Where it has, the tags there are registered again from
//! where they should be by now; those lost are looked for by the detector round their last places, in
//! places that changed and have come to rest, and in one tile of the picture after another.
//! The camera is where it was as long as enough reference tags have not changed in the picture.

mod change;
mod places;
mod references;

use super::belief::{Refusal, Refused};
use super::location::{ReferenceSight, RegisteredCamera};
use super::measure::Measure;
use super::register::{Optics, Scratch, Start, Window};
use super::watching::ReferenceNow;
use super::{Detection, GreyImage, PixelPoint, TagDetector, TagPattern};
use crate::geometry::{Pose, Vector};
use crate::tracking::{KnownTag, Observation, Tag, TagBook};
use change::{ChangeMap, Likeness, Patchlet};
use nalgebra::Point3;
use places::{Changed, Sweep, places};
pub(super) use references::News;
use references::{FIRST_LOOK, Used, Watched};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A tag that rests is measured so often, one tag a frame in turn, so that readings gather: the part of
/// sigma that readings shrink is then below what they share.
const ENOUGH_READINGS: u32 = 12;
/// Afterwards one tag is measured every so many frames.
const REST_EVERY: usize = 16;
/// A window has changed when its mean squared difference passes the noise's this many times, and by this
/// many grey levels squared more. A base shifted by 0.3 mm gives some hundreds.
const CHANGE_FACTOR: f64 = 1.7;
const CHANGE_FLOOR: f64 = 3.0;
/// Noise to begin with: mean squared difference of two frames with grain of 2.5 levels.
const FIRST_NOISE: f64 = 12.5;
/// So many more unchanged windows are asked for where bases must vouch for the camera.
const VOUCHING: usize = 2;
/// So many reference tags that change in one frame with at least half of the bases: no hand, something happened to the
/// table.
const STIRRED_REFERENCES: usize = 2;
/// A lost tag is registered again where its window is this like its last one, or every so many frames.
const MAY_BE_BACK: f64 = 0.5;
const RETRY_EVERY: u32 = 6;
/// For so many frames after it was lost a tag is looked for round its last place.
const NEAR_FRAMES: u32 = 90;
/// A picture of which a larger share changed and came to rest at once is read whole.
const MOST_WAITING: f64 = 0.3;
/// Lost tags so looked for in one frame.
const NEAR_TAGS: usize = 1;

/// One tag as it was last measured.
#[derive(Debug, Clone)]
struct Followed {
    known: KnownTag,
    pose: Pose,
    /// How far it went in the last frame, where it was measured in both, millimetres.
    step: Vector,
    patchlet: Patchlet,
    /// How its window compares in this frame.
    now: Likeness,
    /// Readings since it came to rest.
    readings: u32,
    /// Frames since it was lost, none while it is seen: something lies on it, it moves, or it has gone.
    lost: u32,
}

/// What is carried from frame to frame.
#[derive(Debug)]
pub(super) struct Follower {
    camera: Arc<RegisteredCamera>,
    optics: Optics,
    references: Vec<Watched>,
    tags: BTreeMap<Tag, Followed>,
    map: ChangeMap,
    sweep: Sweep,
    noise: f64,
    differences: Vec<f64>,
    /// Frames until reference tags that changed together with most bases are looked at again.
    stirred: u32,
    turn: usize,
    size: (usize, usize),
}

/// Whether reference tags and bases changed together of late.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Stir {
    /// They did not.
    #[default]
    None,
    /// Several reference tags and most bases changed in one frame, and those tags were not looked at again yet.
    Together,
}

/// What one followed frame gave.
#[derive(Debug, Default)]
pub(super) struct FollowedFrame {
    /// Tags measured in this frame.
    pub observations: Vec<Observation>,
    /// Tags seen unchanged, whose last measure still holds.
    pub still: Vec<Tag>,
    /// Reference tags seen unchanged, of those that the camera was placed by.
    pub reference_seen: usize,
    /// What is new of the reference tags.
    pub news: News,
    /// Whether the table as a whole has just changed.
    pub stir: Stir,
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
        book: &TagBook,
        observations: &[Observation],
    ) -> Self {
        let references = sights
            .iter()
            .enumerate()
            .filter_map(|(i, sight)| {
                let used = if camera.left_out.iter().any(|(at, _)| *at == i) { Used::No } else { Used::Yes };
                Watched::new(picture, *sight, used)
            })
            .collect();
        let mut follower = Self {
            camera: Arc::new(camera),
            optics,
            references,
            tags: BTreeMap::new(),
            map: ChangeMap::of(picture),
            sweep: Sweep::default(),
            noise: FIRST_NOISE,
            differences: Vec::new(),
            stirred: 0,
            turn: 0,
            size: (picture.width(), picture.height()),
        };
        for seen in observations {
            follower.remember(picture, seen, book);
        }
        follower
    }

    /// The camera as last placed.
    pub fn camera(&self) -> &Arc<RegisteredCamera> {
        &self.camera
    }

    /// The optics as last fitted.
    pub fn optics(&self) -> Optics {
        self.optics
    }

    /// Where tags on bases were last measured.
    pub fn last_poses(&self) -> impl Iterator<Item = (Tag, Pose)> {
        self.tags.iter().map(|(tag, followed)| (*tag, followed.pose))
    }

    /// Every reference tag that was ever found since the start.
    pub fn references(&self) -> Vec<ReferenceNow> {
        self.references.iter().map(|r| ReferenceNow { sight: r.sight, seen: r.is_seen() }).collect()
    }

    /// By how much the reference tags' light has changed since their windows were kept, a factor: the
    /// median of those that still show the same. `None` where none does.
    pub fn light_gain(&self) -> Option<f64> {
        let mut gains: Vec<f64> = self.references.iter().filter_map(Watched::gain).collect();
        gains.sort_by(f64::total_cmp);
        gains.get(gains.len() / 2).copied()
    }

    /// Keeps how a tag looks where it was measured.
    fn remember(&mut self, picture: &GreyImage, seen: &Observation, book: &TagBook) {
        let Some(&known) = book.known.get(&seen.tag) else { return };
        let pose = seen.pose.pose;
        let Some(window) = self.window_at(picture, seen, &known, book) else { return };
        match self.tags.get_mut(&seen.tag) {
            Some(followed) => {
                let stirred = followed.now.difference > limit(self.noise);
                let fresh = followed.lost == 0;
                followed.step =
                    if stirred && fresh { pose.centre - followed.pose.centre } else { Vector::zeros() };
                followed.readings = if stirred { 1 } else { followed.readings.saturating_add(1) };
                followed.pose = pose;
                followed.lost = 0;
                followed.patchlet.renew(picture, window);
            }
            None => {
                let patchlet = Patchlet::of(picture, window);
                let now = patchlet.likeness(picture);
                let followed =
                    Followed { known, pose, step: Vector::zeros(), patchlet, now, readings: 1, lost: 0 };
                self.tags.insert(seen.tag, followed);
            }
        }
    }

    /// The window round a tag's printed picture as its base rests; `None` where it leaves the picture.
    fn window_at(
        &self,
        picture: &GreyImage,
        seen: &Observation,
        known: &KnownTag,
        book: &TagBook,
    ) -> Option<Window> {
        let half = TagPattern::of(seen.tag)?.picture_mm(known.size_mm) / 2.0;
        let pose = seen.pose.pose;
        let rests = seen.rest.table_from_level(book.base_under(seen.tag, known, pose).pose().centre);
        let mut corners = [PixelPoint::origin(); 4];
        let own = [(-half, half), (half, half), (half, -half), (-half, -half)];
        for (corner, (right, up)) in corners.iter_mut().zip(own) {
            let p = pose.at(right, up);
            *corner = self.camera.model.image_from_table(rests * Point3::new(p.x, p.y, known.height_mm))?;
        }
        window_of(&corners, picture)
    }

    /// Reads the next frame, or `None` where the camera may have moved or the picture has another size:
    /// then the frame must be read whole. `measure` holds the tools for this frame, camera and optics.
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
        let limit = limit(self.noise);
        let references = references::compare(&mut self.references, picture, limit);
        let (mut tags_unchanged, mut tags_changed) = (0, 0);
        for followed in self.tags.values_mut() {
            followed.now = followed.patchlet.likeness(picture);
            let same = followed.now.difference <= limit;
            tags_unchanged += usize::from(same);
            tags_changed += usize::from(!same && followed.lost == 0);
        }
        self.stirred = self.stirred.saturating_sub(1);
        if references.fresh >= STIRRED_REFERENCES && tags_changed >= tags_unchanged {
            self.stirred = FIRST_LOOK;
        }
        // A hand may lie over the reference tags: bases that have not stirred in the picture vouch for
        // the camera too.
        let vouched =
            references.unchanged >= needed || references.unchanged + tags_unchanged >= needed + VOUCHING;
        // After a slight knock some windows are just within their limit; the others show the same thing,
        // a little shifted.
        let knocked = references.shifted >= 2 && references.shifted >= references.unchanged;
        if !vouched || knocked {
            return None;
        }
        let stir = if self.stirred > 0 { Stir::Together } else { Stir::None };
        let reference_seen = references.unchanged;
        let mut frame = FollowedFrame { reference_seen, stir, ..FollowedFrame::default() };
        self.learn_noise(limit);
        let changed = if self.map.watch(picture, self.noise) { Changed::Somewhere } else { Changed::Nowhere };
        self.sweep.count(changed);
        // So much of the picture is new and at rest that it is best read whole: the board slid.
        if changed == Changed::Nowhere && self.map.waiting() > MOST_WAITING {
            return None;
        }
        let again = self.stirred(limit, &mut frame);
        for (tag, nearness) in again {
            self.measure_again(measure, (tag, nearness), &mut frame, scratch);
        }
        let lens = &measure.camera.model.lens;
        frame.news =
            references::look_again(&mut self.references, picture, &self.map, (detector, lens), scratch);
        self.look_for_lost(measure, detector, &mut frame, scratch);
        for seen in &frame.observations {
            self.remember(picture, seen, measure.book);
        }
        Some(frame)
    }

    /// The tags to be measured in this frame, and from how near: those that changed, and one in turn. What
    /// is left rests.
    fn stirred(&mut self, limit: f64, frame: &mut FollowedFrame) -> Vec<(Tag, Start)> {
        let in_turn = self.in_turn();
        let mut again = Vec::new();
        for (&tag, followed) in &mut self.tags {
            if followed.now.difference > limit {
                let hopeful = followed.lost == 0
                    || followed.now.correlation >= MAY_BE_BACK
                    || followed.lost.is_multiple_of(RETRY_EVERY);
                if hopeful {
                    again.push((tag, Start::Rough));
                } else {
                    followed.lost = followed.lost.saturating_add(1);
                }
                continue;
            }
            followed.lost = 0;
            followed.step = Vector::zeros();
            if in_turn == Some(tag) {
                again.push((tag, Start::Near));
            } else {
                frame.still.push(tag);
            }
        }
        again
    }

    /// The tag whose turn it is to be measured though nothing changed.
    fn in_turn(&mut self) -> Option<Tag> {
        self.turn = self.turn.wrapping_add(1);
        let wanting = |f: &Followed| f.lost == 0 && f.readings < ENOUGH_READINGS;
        let first = self.turn % self.tags.len().max(1);
        let mut round = self.tags.iter().cycle().skip(first).take(self.tags.len());
        if let Some((tag, _)) = round.find(|(_, f)| wanting(f)) {
            return Some(*tag);
        }
        let count = self.turn / REST_EVERY;
        let next = self.tags.keys().nth(count % self.tags.len().max(1)).copied();
        next.filter(|_| self.turn.is_multiple_of(REST_EVERY))
    }

    /// The noise is the median difference of what has not changed.
    fn learn_noise(&mut self, limit: f64) {
        self.differences.clear();
        self.differences.extend(self.references.iter().filter_map(Watched::difference));
        self.differences.extend(self.tags.values().map(|f| f.now.difference).filter(|d| *d <= limit));
        if self.differences.is_empty() {
            return;
        }
        let middle = self.differences.len() / 2;
        let median = *self.differences.select_nth_unstable_by(middle, f64::total_cmp).1;
        if median < 2.0 * self.noise + CHANGE_FLOOR {
            self.noise += 0.1 * (median.max(0.5) - self.noise);
        }
    }

    /// Registers a tag from where it should be by now; where its pattern does not show, it is lost.
    fn measure_again(
        &mut self,
        measure: &Measure<'_>,
        (tag, nearness): (Tag, Start),
        frame: &mut FollowedFrame,
        scratch: &mut Scratch,
    ) {
        let Some(followed) = self.tags.get_mut(&tag) else { return };
        let foreseen = Pose { centre: followed.pose.centre + followed.step, ..followed.pose };
        let mut starts = vec![foreseen];
        if followed.step != Vector::zeros() {
            starts.push(followed.pose);
        }
        let mut found = starts
            .into_iter()
            .filter_map(|start| measure.near(tag, &followed.known, (start, nearness), scratch));
        match found.next() {
            Some(seen) => frame.observations.push(seen),
            None => followed.lost = followed.lost.saturating_add(1),
        }
    }

    /// Runs the detector over some places of the picture, if any tag is missing.
    fn look_for_lost(
        &mut self,
        measure: &Measure<'_>,
        detector: &mut TagDetector,
        frame: &mut FollowedFrame,
        scratch: &mut Scratch,
    ) {
        let picture: &GreyImage = &measure.frame.grey;
        let mut present: BTreeSet<Tag> =
            frame.observations.iter().map(|o| o.tag).chain(frame.still.iter().copied()).collect();
        present.extend(self.references.iter().filter(|r| r.is_seen()).map(|r| r.sight.place.tag));
        let all = measure.book.known.keys().copied().chain(measure.book.reference.iter().map(|r| r.tag));
        if all.into_iter().all(|tag| present.contains(&tag)) {
            return;
        }
        let near = self.near_lost();
        let places = places(near, &mut self.map, &mut self.sweep, self.size);
        for window in places.all {
            for detection in detector.detect_in(picture, window) {
                if present.contains(&detection.tag) {
                    continue;
                }
                let (margin, least) = (detection.decision_margin, measure.belief.least_margin);
                if !measure.book.names(detection.tag) {
                    frame.refused.push(Refused { detection, why: Refusal::NotNamed });
                } else if margin < least {
                    frame.refused.push(Refused { detection, why: Refusal::Faint { margin, least } });
                } else if measure.book.known.contains_key(&detection.tag) {
                    frame.detections.push(detection);
                } else {
                    let news = self.found_reference(measure, &detection, scratch);
                    frame.news = if news == News::None { frame.news } else { news };
                }
            }
        }
        let found = measure.detected(&frame.detections, &mut frame.refused, scratch);
        frame.observations.extend(found);
        // Small tags are missed by the detector as often as not: what was moved is looked for by its frame as well.
        for window in places.settled {
            let seen = &frame.observations;
            let missing = |tag: &Tag| !present.contains(tag) && seen.iter().all(|o| o.tag != *tag);
            let found = measure.searched_in(window, &missing, scratch);
            frame.observations.extend(found);
        }
    }

    /// Takes note of a reference tag that was not to be seen until now.
    fn found_reference(&mut self, measure: &Measure<'_>, found: &Detection, scratch: &mut Scratch) -> News {
        let picture: &GreyImage = &measure.frame.grey;
        let lens = &measure.camera.model.lens;
        let Some(place) = measure.book.reference.iter().find(|r| r.tag == found.tag) else {
            return News::None;
        };
        let sight = ReferenceSight { place: *place, corners_px: found.corners_px };
        if let Some(one) = self.references.iter_mut().find(|r| r.sight.place.tag == found.tag) {
            return references::seen_at(one, picture, sight, lens, scratch);
        }
        let Some(mut one) = Watched::new(picture, sight, Used::No) else { return News::None };
        references::seen_at(&mut one, picture, sight, lens, scratch);
        self.references.push(one);
        News::Appeared(found.tag)
    }

    /// Windows round the tags lost of late: a few a frame, in turn.
    fn near_lost(&self) -> Vec<Window> {
        let lost: Vec<&Followed> =
            self.tags.values().filter(|f| (1..=NEAR_FRAMES).contains(&f.lost)).collect();
        let first = self.turn % lost.len().max(1);
        let some = lost.iter().cycle().skip(first).take(NEAR_TAGS.min(lost.len()));
        some.map(|f| f.patchlet.window()).collect()
    }
}

/// The mean squared difference beyond which a window has changed.
fn limit(noise: f64) -> f64 {
    CHANGE_FACTOR * noise + CHANGE_FLOOR
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
