//! Observations in, snapshots out.
//!
//! At rest, the readings of a tag are combined: the independent part of its covariance shrinks with
//! their number, the shared part (camera, lens, height) stays, so sigma never falls below its floor.
//! A reading that lies outside what the readings so far allow starts the track anew at once: there is
//! no smoothing lag. A reading that is not a finite pose is refused.

use super::{CapturedAt, Observation, Registration, TableSnapshot, Tag, Track, Visibility};
use crate::geometry::{PoseEstimate, Rest};
use nalgebra::{Matrix3, Vector3};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// What the tracker goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TrackerSettings {
    /// Squared Mahalanobis distance, three degrees of freedom, beyond which a reading means motion.
    /// 21.1 is passed by chance once in 10,000 readings.
    pub motion_gate: f64,
    /// Added to every reading's variance before that test: sub-pixel bias differs from place to place.
    pub floor_mm: f64,
    /// The same for the heading.
    pub floor_rad: f64,
    /// Readings in a row within the gate that make a track at rest. A single photograph counts as
    /// at rest: see [`Tracker::still`].
    pub rest_after: u32,
    /// The last good pose of a covered tag is trusted for so long.
    pub gone_after: Duration,
}

impl Default for TrackerSettings {
    fn default() -> Self {
        Self {
            motion_gate: 21.1,
            floor_mm: 0.03,
            floor_rad: 0.001,
            rest_after: 3,
            gone_after: Duration::from_secs(30 * 60),
        }
    }
}

/// One track's running state.
#[derive(Debug, Clone)]
struct Running {
    /// Combined pose; its covariance is the independent part of the mean.
    mean: PoseEstimate,
    /// How the base rests, as last seen.
    rest: Rest,
    readings: u32,
    last_seen: CapturedAt,
}

/// Follows every known tag from frame to frame.
#[derive(Debug, Clone)]
pub struct Tracker {
    settings: TrackerSettings,
    running: BTreeMap<Tag, Running>,
    known: Vec<Tag>,
}

impl Tracker {
    /// Follows these tags; anything else is ignored.
    pub fn new(known: impl IntoIterator<Item = Tag>, settings: TrackerSettings) -> Self {
        Self { settings, running: BTreeMap::new(), known: known.into_iter().collect() }
    }

    /// For a single photograph: nothing can move in it, so whatever is seen is at rest.
    pub fn still(known: impl IntoIterator<Item = Tag>) -> Self {
        Self::new(known, TrackerSettings { rest_after: 1, ..TrackerSettings::default() })
    }

    /// Takes a frame's observations and gives the table as it now stands. Of several observations
    /// of one tag the one with the smallest residual counts. With `registration` `None` the frame
    /// could not be placed on the table: its observations are empty and every track is covered. Tags of
    /// `still` were seen unchanged but not measured again: their poses hold.
    pub fn take(
        &mut self,
        seq: u64,
        captured_at: CapturedAt,
        registration: Option<Registration>,
        observations: &[Observation],
        still: &[Tag],
    ) -> Arc<TableSnapshot> {
        let mut best: BTreeMap<Tag, &Observation> = BTreeMap::new();
        for seen in observations.iter().filter(|o| self.known.contains(&o.tag) && is_finite(&o.pose)) {
            let kept = best.entry(seen.tag).or_insert(seen);
            if seen.residual_px < kept.residual_px {
                *kept = seen;
            }
        }
        for (&tag, seen) in &best {
            let next = match self.running.get(&tag) {
                Some(so_far) => self.settings.combine(so_far, seen),
                None => Running::begin(seen),
            };
            self.running.insert(tag, next);
        }
        for tag in still {
            if let Some(running) = self.running.get_mut(tag).filter(|_| !best.contains_key(tag)) {
                running.last_seen = captured_at;
                running.readings = running.readings.saturating_add(1);
            }
        }
        let tracks = self.known.iter().map(|&tag| (tag, self.track(tag, captured_at))).collect();
        let (held, changes) = (None, Vec::new());
        Arc::new(TableSnapshot { seq, captured_at, tracks, registration, held, changes })
    }

    fn track(&self, tag: Tag, now: CapturedAt) -> Track {
        let Some(running) = self.running.get(&tag) else {
            let rest = Rest::TABLE;
            return Track { tag, pose: None, rest, at_rest: false, visibility: Visibility::Missing };
        };
        let age = now.since(running.last_seen);
        let visibility = if running.last_seen == now {
            Visibility::Seen
        } else if age <= self.settings.gone_after {
            Visibility::Covered { age }
        } else {
            Visibility::Gone
        };
        let at_rest = running.readings >= self.settings.rest_after;
        Track { tag, pose: Some(running.mean.clone()), rest: running.rest, at_rest, visibility }
    }
}

impl TrackerSettings {
    fn combine(&self, so_far: &Running, seen: &Observation) -> Running {
        let floor = Matrix3::from_diagonal(&Vector3::new(
            self.floor_mm * self.floor_mm,
            self.floor_mm * self.floor_mm,
            self.floor_rad * self.floor_rad,
        ));
        let step = so_far.mean.pose.step_to(&seen.pose.pose);
        let spread = so_far.mean.covariance + seen.pose.covariance + floor;
        let distance =
            spread.try_inverse().map_or(f64::INFINITY, |inverse| (step.transpose() * inverse * step)[(0, 0)]);
        if distance > self.motion_gate {
            return Running::begin(seen);
        }
        // Information-weighted mean of the readings so far and this one.
        let sum = so_far.mean.covariance + seen.pose.covariance;
        let gain = sum.try_inverse().map_or_else(Matrix3::zeros, |inverse| so_far.mean.covariance * inverse);
        let by = gain * step;
        let covariance = (Matrix3::identity() - gain) * so_far.mean.covariance;
        Running {
            mean: PoseEstimate {
                pose: so_far.mean.pose.nudged(by.fixed_rows::<2>(0).into_owned(), by.z),
                covariance: (covariance + covariance.transpose()) / 2.0,
                shared: seen.pose.shared.clone(),
            },
            rest: seen.rest,
            readings: so_far.readings.saturating_add(1),
            last_seen: seen.captured_at,
        }
    }
}

impl Running {
    fn begin(seen: &Observation) -> Self {
        Self { mean: seen.pose.clone(), rest: seen.rest, readings: 1, last_seen: seen.captured_at }
    }
}

fn is_finite(estimate: &PoseEstimate) -> bool {
    estimate.pose.centre.coords.iter().all(|v| v.is_finite())
        && estimate.pose.heading.vector().iter().all(|v| v.is_finite())
        && estimate.covariance.iter().all(|v| v.is_finite())
}

#[cfg(test)]
mod tests {
    use super::super::{CameraId, TagFamily};
    use super::*;
    use crate::geometry::Pose;

    const TAG: Tag = Tag { family: TagFamily::Tag36h11, id: 7 };

    fn seen(seconds: u64, x: f64) -> Observation {
        Observation {
            tag: TAG,
            camera: CameraId(0),
            pose: PoseEstimate {
                pose: Pose::new(x, 50.0, 90.0),
                covariance: Matrix3::from_diagonal(&Vector3::new(0.0025, 0.0025, 1e-6)),
                shared: Vec::new(),
            },
            rest: Rest::TABLE,
            captured_at: CapturedAt(Duration::from_secs(seconds)),
            residual_px: 0.1,
        }
    }

    fn at(tracker: &mut Tracker, seconds: u64, seen: &[Observation]) -> Track {
        let now = CapturedAt(Duration::from_secs(seconds));
        tracker.take(seconds, now, Some(Registration::default()), seen, &[]).tracks[&TAG].clone()
    }

    fn tracker() -> Tracker {
        Tracker::new([TAG], TrackerSettings::default())
    }

    #[test]
    fn a_tag_never_seen_is_missing_and_one_unseen_now_is_covered_with_its_age() {
        let mut t = tracker();
        assert_eq!(at(&mut t, 0, &[]).visibility, Visibility::Missing);
        at(&mut t, 1, &[seen(1, 10.0)]);
        let track = at(&mut t, 4, &[]);
        assert_eq!(track.visibility, Visibility::Covered { age: Duration::from_secs(3) });
        assert!(track.pose.is_some());
        assert_eq!(at(&mut t, 4000, &[]).visibility, Visibility::Gone);
    }

    #[test]
    fn readings_at_rest_are_combined_and_sigma_shrinks() {
        let mut t = tracker();
        for (second, x) in [(0, 10.02), (1, 9.98), (2, 10.01), (3, 9.99)] {
            at(&mut t, second, &[seen(second, x)]);
        }
        let track = at(&mut t, 4, &[seen(4, 10.0)]);
        let pose = track.pose.expect("seen");
        assert!(track.at_rest && (pose.pose.centre.x - 10.0).abs() < 1e-9);
        assert!((pose.covariance[(0, 0)] - 0.0025 / 5.0).abs() < 1e-9);
    }

    #[test]
    fn a_tag_seen_unchanged_is_seen_and_gains_no_certainty() {
        let mut t = tracker();
        let before = at(&mut t, 0, &[seen(0, 10.0)]).pose.expect("seen");
        let now = CapturedAt(Duration::from_secs(5));
        let track = t.take(1, now, Some(Registration::default()), &[], &[TAG]).tracks[&TAG].clone();
        assert_eq!(track.visibility, Visibility::Seen);
        assert_eq!(track.pose.expect("kept"), before);
    }

    #[test]
    fn motion_shows_at_once_without_lag() {
        let mut t = tracker();
        for second in 0..10 {
            at(&mut t, second, &[seen(second, 10.0)]);
        }
        let track = at(&mut t, 10, &[seen(10, 13.0)]);
        assert!(!track.at_rest);
        assert_eq!(track.pose.expect("seen").pose.centre.x, 13.0);
    }

    #[test]
    fn a_number_that_is_none_cannot_poison_a_track() {
        let mut t = tracker();
        at(&mut t, 0, &[seen(0, 10.0)]);
        let track = at(&mut t, 1, &[seen(1, f64::NAN)]);
        assert_eq!(track.visibility, Visibility::Covered { age: Duration::from_secs(1) });
        assert_eq!(track.pose.expect("kept").pose.centre.x, 10.0);
    }
}
