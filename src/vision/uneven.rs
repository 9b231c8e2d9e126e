//! Measuring tags whose bases stand on hills.
//!
//! A base that is lifted and tilted by the ground carries its tag along. Seen from the base it is the camera that
//! stands elsewhere: so the same fits run on a level base, under a camera moved the other way
//! ([`Rest::table_from_level`]). Where the base stands tells how the ground bears it, and how the ground bears it
//! tells where it is seen: the two are worked out in turn until they agree. Near a step several rests may agree
//! with themselves. The picture tells them apart where it can: a tag that is nearer looks larger, one that
//! leans is foreshortened. Rests that fit the picture about as well as the best make the pose's covariance reach
//! to where each would put the base.

use super::belief::{Refusal, Refused};
use super::location::{RegisteredCamera, fit_flat};
use super::measure::{Measure, Sight};
use super::register::{Scratch, Start};
use super::search;
use super::{CameraModel, CameraPose, Detection};
use crate::geometry::{Footing, Footprint, Point, Pose, PoseEstimate, Rest, Rise, Support, Vector};
use crate::tracking::{KnownTag, Observation, Tag};
use nalgebra::{Matrix3, Vector3};

/// Rounds until place and rest agree, at the most.
const ROUNDS: usize = 12;
/// Where each step is at least such a part of the last, the place that they run to, or from, is worked out.
const SLOW: f64 = 0.5;
/// A step that is as long as the last but for less runs nowhere.
const NOWHERE: f64 = 0.1;
/// How far a place is shifted to see how the tilt answers, millimetres.
const ANSWER_MM: f64 = 0.25;
/// An error grows twenty times at most: nearer to where place and tilt run away from each other nothing is known.
const LEAST_HOLD: f64 = 0.05;
/// How steeply a base may be tipped, of the most that its size allows: where tipped places are looked for.
const TIPPED: [f64; 8] = [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0];
/// They agree when the place moves by less, millimetres.
const AGREED_MM: f64 = 0.02;
/// Two answers nearer to each other are one, millimetres.
const SAME_MM: f64 = 0.05;
/// A rest fits about as well as the best where its residual is at most so many times the best's. A choice: a
/// tag of 14 mm seen 15 mm too low has a residual of twice the right one and more in the tests' pictures.
const AS_GOOD: f64 = 1.3;

/// One way in which the base may stand.
struct Stance {
    rest: Rest,
    camera: RegisteredCamera,
    pose: Pose,
    height_sigma_mm: f64,
    slope_sigma: f64,
    /// What any error of the place grows to, for the base's tilt answers to where it lies; the unit where it does not.
    growth: Matrix3<f64>,
}

/// The camera as a base sees it that rests so, its centre at `centre`, and takes itself to stand level on z = 0.
fn seen_by(camera: &RegisteredCamera, rest: Rest, centre: Point) -> RegisteredCamera {
    let camera_from_table = camera.model.pose.camera_from_table * rest.table_from_level(centre);
    let model = CameraModel { lens: camera.model.lens, pose: CameraPose { camera_from_table } };
    RegisteredCamera { model, ..camera.clone() }
}

impl Measure<'_> {
    /// Whether hills may bear the base of a tag that on the flat table would lie at `pose`.
    pub(super) fn uneven(&self, tag: Tag, known: &KnownTag, pose: Pose) -> bool {
        let relief = &self.book.relief;
        // A tag on terrain has its height over the playing surface.
        if relief.is_flat() || self.book.bearers.contains_key(&tag) {
            return false;
        }
        let base = self.book.base_under(tag, known, pose);
        let highest = relief.hills().iter().map(|h| h.height_mm()).fold(0.0, f64::max);
        let eye = self.camera.model.pose.eye();
        // A tag that is lifted seems shifted away from the camera by so much.
        let shift = (pose.centre - eye.xy()).norm() * highest / (eye.z - highest - known.height_mm).max(1.0);
        let reach = base.width_mm().hypot(base.depth_mm());
        relief.uneven_near(base.pose().centre, reach + shift)
    }

    /// The same tools, with the camera as this stance's base sees it.
    fn standing<'b>(&'b self, stance: &'b Stance) -> Measure<'b> {
        Measure { camera: &stance.camera, ..*self }
    }

    /// Every way in which the base may stand that agrees with itself, from these starts. `place` finds the tag,
    /// near a pose, under a camera as the base sees it.
    fn stances(
        &self,
        tag: Tag,
        known: &KnownTag,
        starts: &[Pose],
        mut place: impl FnMut(&RegisteredCamera, Pose) -> Option<Pose>,
    ) -> Vec<Stance> {
        let mut found: Vec<Stance> = Vec::new();
        for support in Support::ALL {
            for &start in starts {
                let Some(stance) = self.agreed(tag, known, (support, start), &mut place) else { continue };
                let new = found.iter().all(|s| {
                    (s.pose.centre - stance.pose.centre).norm() > SAME_MM
                        || (s.rest.height_mm - stance.rest.height_mm).abs() > SAME_MM
                });
                if new {
                    found.push(stance);
                }
            }
        }
        found
    }

    fn agreed(
        &self,
        tag: Tag,
        known: &KnownTag,
        (support, start): (Support, Pose),
        place: &mut impl FnMut(&RegisteredCamera, Pose) -> Option<Pose>,
    ) -> Option<Stance> {
        let mut pose = start;
        let mut last: Option<Vector> = None;
        for _ in 0..ROUNDS {
            let base = self.book.base_under(tag, known, pose);
            let footing = Footing::of(&self.book.relief, &base);
            let rest = footing.on(support)?;
            let camera = seen_by(self.camera, rest, base.pose().centre);
            let next = place(&camera, pose)?;
            let by = next.centre - pose.centre;
            // A tag on a stalk leans out by more the further its base lies in: steps may shrink slowly, or grow.
            let share = last.filter(|l| l.norm() > 0.0).map(|l| by.dot(&l) / l.norm_squared());
            let run = share.filter(|s| by.norm() >= AGREED_MM && s.abs() > SLOW && (1.0 - s).abs() > NOWHERE);
            if let Some(share) = run {
                pose = Pose { centre: pose.centre + by / (1.0 - share), ..next };
                last = None;
                continue;
            }
            last = Some(by);
            pose = next;
            if by.norm() < AGREED_MM {
                let (height_sigma_mm, slope_sigma) = footing.sigmas(&self.book.relief, &base, support);
                let growth = self.growth(tag, known, (support, rest, pose), place);
                return Some(Stance { rest, camera, pose, height_sigma_mm, slope_sigma, growth });
            }
        }
        None
    }

    /// What an error along the slope grows to. Of a place that is wrong by one, the tilt there puts the tag out by
    /// `share`, which puts the place out by as much again, and so on: 1 / (1 - share) in all.
    fn growth(
        &self,
        tag: Tag,
        known: &KnownTag,
        (support, rest, pose): (Support, Rest, Pose),
        place: &mut impl FnMut(&RegisteredCamera, Pose) -> Option<Pose>,
    ) -> Matrix3<f64> {
        let level = Matrix3::identity();
        let Some(up) = rest.slope.try_normalize(1e-6) else { return level };
        let mut put = |by: f64| -> Option<f64> {
            let shifted = Pose { centre: pose.centre + up * by, ..pose };
            let base = self.book.base_under(tag, known, shifted);
            let there = Footing::of(&self.book.relief, &base).on(support)?;
            let camera = seen_by(self.camera, there, base.pose().centre);
            Some((place(&camera, shifted)?.centre - pose.centre).dot(&up))
        };
        // Beyond a rim the rest may be another: then the side that is left tells.
        let share = match (put(-ANSWER_MM), put(ANSWER_MM)) {
            (Some(down), Some(on)) => (on - down) / (2.0 * ANSWER_MM),
            (Some(down), None) => -down / ANSWER_MM,
            (None, Some(on)) => on / ANSWER_MM,
            (None, None) => return level,
        };
        let times = 1.0 / (1.0 - share).abs().max(LEAST_HOLD);
        let along = Vector3::new(up.x, up.y, 0.0);
        level + along * along.transpose() * (times.max(1.0) - 1.0)
    }

    /// Where a tag that seems to lie at `flat` on the flat table would be on each of the hills' heights, and where its
    /// base would be tipped over a step's rim.
    fn at_heights(&self, tag: Tag, known: &KnownTag, flat: Pose) -> Vec<Pose> {
        let eye = self.camera.model.pose.eye();
        let heights = self.book.relief.hills().iter().map(|h| h.height_mm());
        let lifted = heights.map(|h| {
            let share = h / (eye.z - known.height_mm).max(1.0);
            Pose { centre: flat.centre + (eye.xy() - flat.centre) * share, ..flat }
        });
        let mut all: Vec<Pose> = std::iter::once(flat).chain(lifted).collect();
        let tipped: Vec<Pose> = all.iter().flat_map(|pose| self.tipped(tag, known, *pose)).collect();
        all.extend(tipped);
        all
    }

    /// Where the base may lie whose tag seems to lie at `seen`, if it is tipped over the rim of a step: its tag leans
    /// out over the low ground, and it lies nearer the hill than it looks.
    fn tipped(&self, tag: Tag, known: &KnownTag, seen: Pose) -> Vec<Pose> {
        let base = self.book.base_under(tag, known, seen);
        let half = base.width_mm().min(base.depth_mm()) / 2.0;
        let hills = self.book.relief.hills().iter().filter(|h| *h.rise() == Rise::Stepped);
        let found = hills.filter_map(|hill| {
            let centre = base.pose().centre;
            let (depth, rim) = hill.outline().depth_of(centre);
            let most = known.height_mm * (hill.height_mm() / half).min(1.0);
            let reach = base.width_mm().hypot(base.depth_mm()) / 2.0;
            let inward = (if depth < 0.0 { rim - centre } else { centre - rim }).try_normalize(1e-9)?;
            let near = depth.abs() <= most + reach;
            near.then(|| TIPPED.map(|share| Pose { centre: seen.centre + inward * (most * share), ..seen }))
        });
        found.flatten().collect()
    }

    /// The observation of a tag that was detected on uneven ground.
    pub(super) fn detected_on_ground(
        &self,
        detection: &Detection,
        known: &KnownTag,
        (flat, sigma_px): (Pose, f64),
        scratch: &mut Scratch,
    ) -> Result<Observation, Refusal> {
        let place = |camera: &RegisteredCamera, _| {
            fit_flat(&camera.model, known, &detection.corners_px).map(|fit| fit.pose)
        };
        let stances = self.stances(detection.tag, known, &self.at_heights(detection.tag, known, flat), place);
        let mut refusal = Refusal::OffTable;
        let mut measured = Vec::new();
        for stance in stances {
            let here = self.standing(&stance);
            let Some(flat) = fit_flat(&stance.camera.model, known, &detection.corners_px) else { continue };
            let mut sight = Sight::new(*detection, *known, flat);
            match here.judge(&mut sight, sigma_px, scratch) {
                Ok(()) => measured.extend(here.observation(&sight, sigma_px).map(|o| (stance, o))),
                Err(why) => refusal = why,
            }
        }
        self.borne(known, measured).ok_or(refusal)
    }

    /// The tag measured on uneven ground from a pose, level as observations have it, near which it must be.
    pub(super) fn near_on_ground(
        &self,
        tag: Tag,
        known: &KnownTag,
        starts: &[Pose],
        scratch: &mut Scratch,
    ) -> Option<Observation> {
        let picture = &self.frame.grey;
        let optics = self.optics;
        let mut register = |camera: &RegisteredCamera, pose: Pose| {
            search::register(picture, &camera.model, optics, tag, known, (pose, Start::Rough), scratch)
        };
        let stances =
            self.stances(tag, known, starts, |camera, pose| Some(register(camera, pose)?.warp.pose));
        let mut measured = Vec::new();
        for stance in stances {
            let Some(fit) = register(&stance.camera, stance.pose) else { continue };
            let here = self.standing(&stance);
            if here.shows(tag, known, stance.pose, &fit).is_ok() {
                measured.extend(here.registered(tag, known, &fit).map(|o| (stance, o)));
            }
        }
        self.borne(known, measured)
    }

    /// A tag that was found by searching the flat table, measured where it may really stand.
    pub(super) fn searched_on_ground(
        &self,
        tag: Tag,
        known: &KnownTag,
        flat: Pose,
        scratch: &mut Scratch,
    ) -> Option<Observation> {
        self.near_on_ground(tag, known, &self.at_heights(tag, known, flat), scratch)
    }

    /// The best of several stances' observations, its covariance reaching to the others that fit as well.
    fn borne(&self, known: &KnownTag, mut measured: Vec<(Stance, Observation)>) -> Option<Observation> {
        measured.sort_by(|a, b| a.1.residual_px.total_cmp(&b.1.residual_px));
        let least = measured.first()?.1.residual_px;
        measured.retain(|(_, o)| o.residual_px <= AS_GOOD * least);
        let count = measured.len() as f64;
        let mut all = measured.into_iter();
        let (stance, best) = all.next()?;
        let own = best.pose.covariance + self.ground_covariance(known, &stance);
        let mut covariance = stance.growth * own * stance.growth.transpose();
        let base = self.book.base_under(best.tag, known, best.pose.pose);
        for (stands, other) in all {
            covariance += shorter(&base, stance.rest, stands.rest) / count;
            let (here, there) = (best.pose.pose, other.pose.pose);
            let by = there.centre - here.centre;
            let off = Vector3::new(by.x, by.y, here.heading.turn_to_radians(there.heading));
            covariance += off * off.transpose() / count;
        }
        Some(Observation { pose: PoseEstimate { covariance, ..best.pose }, rest: stance.rest, ..best })
    }

    /// What the ground's own height and slope, known only so well, do to a base's place.
    fn ground_covariance(&self, known: &KnownTag, stance: &Stance) -> Matrix3<f64> {
        let eye = stance.camera.model.pose.eye();
        let towards = (eye.xy() - stance.pose.centre) / (eye.z - known.height_mm).max(1.0);
        let by_height = Vector3::new(towards.x, towards.y, 0.0) * stance.height_sigma_mm;
        let by_slope = (known.height_mm * stance.slope_sigma).powi(2);
        by_height * by_height.transpose() + Matrix3::from_diagonal(&Vector3::new(by_slope, by_slope, 0.0))
    }
}

/// How a base's edges differ from above between two rests, for half of it lies on each side of its centre.
fn shorter(base: &Footprint, one: Rest, other: Rest) -> Matrix3<f64> {
    let heading = base.pose().heading;
    let (a, b) = (one.from_above(heading), other.from_above(heading));
    let right = heading.right() * ((a.right - b.right) * base.width_mm() / 2.0);
    let ahead = heading.vector() * ((a.ahead - b.ahead) * base.depth_mm() / 2.0);
    let (right, ahead) = (Vector3::new(right.x, right.y, 0.0), Vector3::new(ahead.x, ahead.y, 0.0));
    right * right.transpose() + ahead * ahead.transpose()
}

/// Of several detections of one tag the one that is clearly read best, or none.
pub(super) fn clearest<T>(
    mut sights: Vec<T>,
    detection: impl Fn(&T) -> Detection,
    margin_ratio: f64,
    refused: &mut Vec<Refused>,
) -> Option<T> {
    let margin = |s: &T| detection(s).decision_margin;
    sights.sort_by(|a, b| margin(b).total_cmp(&margin(a)));
    let clear = sights.len() < 2 || margin(&sights[0]) >= margin_ratio * margin(&sights[1]);
    let rest = if clear { sights.split_off(1) } else { std::mem::take(&mut sights) };
    refused.extend(rest.iter().map(|s| Refused { detection: detection(s), why: Refusal::Twice }));
    sights.pop()
}
