//! What several cameras see of one table, made one snapshot.
//!
//! Each camera keeps a tracker of its own; here their newest snapshots meet, all dated by one clock (whoever
//! calls shifts them). Poses of one tag are weighed by their covariances. Where the cameras' own places are off is
//! an error of each camera's; how a tag sits on its base is common to all of them and is never averaged away.
//!
//! Invariants: a tag that any camera measures is seen. A camera that is covered stands by its last pose as long as
//! another one has seen the tag rest since before: what rests does not jump when a hand covers one camera. Poses
//! that disagree by more than chance allows are told, and the plus-minus covers both.

mod combine;
#[cfg(test)]
mod tests;

use super::{CameraId, CapturedAt, Held, Registration, TableChange, TableSnapshot, Tag, Track, Visibility};
use crate::geometry::{PoseEstimate, Rest};
use combine::{agree, combined, spread_over};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

/// What the fusion goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FusionSettings {
    /// Squared Mahalanobis distance, three degrees of freedom, within which two cameras see a tag at one place.
    /// 21.1 is passed by chance once in 10,000.
    pub gate: f64,
    /// Added to each pose's variance before that test, millimetres: what bends in a lens without a profile differs
    /// from camera to camera.
    pub floor_mm: f64,
    /// The same for the heading, radians.
    pub floor_rad: f64,
    /// A camera that has sent nothing for so long sees nothing.
    pub silent_after: Duration,
}

impl Default for FusionSettings {
    fn default() -> Self {
        Self { gate: 21.1, floor_mm: 0.03, floor_rad: 0.001, silent_after: Duration::from_secs(2) }
    }
}

/// One camera's newest snapshot, and since when each of its tracks has rested without a break.
#[derive(Debug, Clone)]
struct View {
    snapshot: Arc<TableSnapshot>,
    resting: BTreeMap<Tag, CapturedAt>,
}

/// A tag as one camera has it.
#[derive(Debug, Clone, Copy)]
struct Sight<'a> {
    camera: CameraId,
    pose: &'a PoseEstimate,
    rest: Rest,
    at_rest: bool,
    /// When this camera last measured it.
    measured: CapturedAt,
    /// Whether it does so now.
    now: bool,
    /// Since when it rests there without a break, if it does.
    resting: Option<CapturedAt>,
}

/// Joins the snapshots of several cameras over one table.
#[derive(Debug, Clone)]
pub struct Fusion {
    settings: FusionSettings,
    views: BTreeMap<CameraId, View>,
    /// What was last given of each tag that was ever measured, and when it was measured.
    given: BTreeMap<Tag, (Track, CapturedAt)>,
    seq: u64,
}

impl Fusion {
    /// Before the first snapshot.
    pub fn new(settings: FusionSettings) -> Self {
        Self { settings, views: BTreeMap::new(), given: BTreeMap::new(), seq: 0 }
    }

    /// Takes a camera's next snapshot, dated by the clock that all cameras share, and gives the table as all of
    /// them have it now.
    pub fn take(&mut self, camera: CameraId, snapshot: &Arc<TableSnapshot>) -> Arc<TableSnapshot> {
        let resting = self.resting_since(camera, snapshot);
        self.views.insert(camera, View { snapshot: Arc::clone(snapshot), resting });
        let newest = self.views.values().map(|v| v.snapshot.captured_at).max();
        let now = newest.expect("one was just taken");
        let tags: BTreeSet<Tag> =
            self.views.values().flat_map(|v| v.snapshot.tracks.keys().copied()).collect();
        let mut apart = Vec::new();
        let mut tracks = BTreeMap::new();
        for tag in tags {
            let (track, by_mm) = self.track(tag, now);
            apart.extend(by_mm);
            tracks.insert(tag, track);
        }
        let seq = self.seq;
        self.seq += 1;
        let (registration, held) = (self.registration(now), self.held(now));
        let changes = self.changes(&apart);
        Arc::new(TableSnapshot { seq, captured_at: now, tracks, registration, held, changes })
    }

    /// A camera is let go: what it alone saw is covered from now on.
    pub fn forget(&mut self, camera: CameraId) {
        self.views.remove(&camera);
    }

    /// Since when each track of this snapshot has rested. Snapshots in between may have been missed: who rests
    /// elsewhere than before has moved.
    fn resting_since(&self, camera: CameraId, snapshot: &TableSnapshot) -> BTreeMap<Tag, CapturedAt> {
        let before = self.views.get(&camera);
        let since = |tag: &Tag, pose: &PoseEstimate| {
            let view = before?;
            let was = view.snapshot.tracks.get(tag)?.pose.as_ref()?;
            view.resting.get(tag).copied().filter(|_| agree(&self.settings, was, pose))
        };
        let rests = snapshot.tracks.iter().filter(|(_, t)| t.at_rest);
        rests
            .filter_map(|(&tag, t)| {
                Some((tag, since(&tag, t.pose.as_ref()?).unwrap_or(snapshot.captured_at)))
            })
            .collect()
    }

    /// A camera whose own place is not known sees nothing that counts.
    fn counts(&self, view: &View, now: CapturedAt) -> bool {
        let placed = view.snapshot.registration.is_some()
            && !matches!(view.snapshot.held, Some(Held::Knocked | Held::Unplaced));
        placed && now.since(view.snapshot.captured_at) <= self.settings.silent_after
    }

    /// The tag as every camera that ever measured it has it.
    fn sights(&self, tag: Tag, now: CapturedAt) -> Vec<Sight<'_>> {
        let mut sights = Vec::new();
        for (&camera, view) in &self.views {
            let Some(track) = view.snapshot.tracks.get(&tag) else { continue };
            let Some(pose) = &track.pose else { continue };
            let taken = view.snapshot.captured_at;
            let (measured, seen) = match track.visibility {
                Visibility::Seen => (taken, true),
                Visibility::Covered { age } => (CapturedAt(taken.0.saturating_sub(age)), false),
                Visibility::Missing | Visibility::Gone => continue,
            };
            sights.push(Sight {
                camera,
                pose,
                rest: track.rest,
                at_rest: track.at_rest,
                measured,
                now: seen && self.counts(view, now),
                resting: view.resting.get(&tag).copied(),
            });
        }
        sights
    }

    /// One tag, and by how much the cameras have it apart where they do and it rests.
    fn track(&mut self, tag: Tag, now: CapturedAt) -> (Track, Option<f64>) {
        let sights = self.sights(tag, now);
        let Some(newest) = sights.iter().filter(|s| s.now).max_by_key(|s| (s.measured, s.camera)) else {
            return (self.unseen(tag, now), None);
        };
        let newest = *newest;
        let with = |other: &&Sight<'_>| agree(&self.settings, newest.pose, other.pose);
        // The newest speaks for itself; who sees the same now, or saw it there and it has rested since, joins in.
        let vouched = |other: &Sight<'_>| newest.resting.is_some_and(|since| since <= other.measured);
        let others = || sights.iter().filter(|s| s.camera != newest.camera);
        let joining = others().filter(|s| s.now || (s.at_rest && vouched(s))).filter(with);
        let together: Vec<&PoseEstimate> =
            std::iter::once(newest.pose).chain(joining.clone().map(|s| s.pose)).collect();
        let at_rest = newest.at_rest || joining.filter(|s| s.now).any(|s| s.at_rest);
        let astray = others().filter(|s| s.now && s.at_rest && newest.at_rest).find(|s| !with(s));
        let mut pose = combined(&together);
        let by_mm = astray.map(|other| {
            let by_mm = (other.pose.pose.centre - pose.pose.centre).norm();
            pose = spread_over(&pose, other.pose);
            by_mm
        });
        let track = Track { tag, pose: Some(pose), rest: newest.rest, at_rest, visibility: Visibility::Seen };
        let measured = newest.measured;
        self.given.insert(tag, (track.clone(), measured));
        (track, by_mm)
    }

    /// A tag that no camera measures now.
    fn unseen(&self, tag: Tag, now: CapturedAt) -> Track {
        let views = self.views.values().filter_map(|v| v.snapshot.tracks.get(&tag));
        let all_gone = {
            let mut seen_once = views.filter(|t| t.visibility != Visibility::Missing).peekable();
            seen_once.peek().is_some() && seen_once.all(|t| t.visibility == Visibility::Gone)
        };
        match self.given.get(&tag) {
            None => {
                Track { tag, pose: None, rest: Rest::TABLE, at_rest: false, visibility: Visibility::Missing }
            }
            Some((track, measured)) => {
                let age = now.since(*measured);
                let visibility = if all_gone { Visibility::Gone } else { Visibility::Covered { age } };
                Track { visibility, ..track.clone() }
            }
        }
    }

    /// That of the camera that is placed by the most reference tags.
    fn registration(&self, now: CapturedAt) -> Option<Registration> {
        let counting = self.views.values().filter(|v| self.counts(v, now));
        counting.filter_map(|v| v.snapshot.registration).max_by_key(|r| r.reference_seen)
    }

    /// A camera that is not placed holds nothing while another is; what happened to the board holds all.
    fn held(&self, now: CapturedAt) -> Option<Held> {
        let placed = self.views.values().any(|v| self.counts(v, now));
        let holds = self.views.values().filter_map(|v| v.snapshot.held);
        let mut holds = holds.filter(|h| !placed || !matches!(h, Held::Knocked | Held::Unplaced));
        holds.next()
    }

    fn changes(&self, apart: &[f64]) -> Vec<TableChange> {
        let mut kinds = BTreeSet::new();
        let all = self.views.values().flat_map(|v| v.snapshot.changes.iter().copied());
        let mut changes: Vec<TableChange> = all.filter(|c| kinds.insert(c.kind())).collect();
        if let Some(by_mm) = apart.iter().copied().reduce(f64::max) {
            changes.push(TableChange::CamerasDisagree { tags: apart.len(), by_mm });
        }
        changes
    }
}
