//! Watching the table itself while it is followed: is the camera where it was, do the reference tags lie as
//! they did, has the board slid? What is found goes into the snapshot, with whether rulings may be given.
//!
//! The camera counts as knocked when a frame places it elsewhere than the one before. Rulings are then held
//! until it stood still for a few frames, placed by more reference tags than it takes. A snapshot whose
//! frame could not be placed is held too: the table may have changed unseen. So are the frames between several
//! reference tags and most bases changing at once, as where the board bows, and the next look at those tags. The
//! frame in which the board is found to be bowed is held by the pipeline, for its heights were not doubted yet.

pub mod diagnosis;
pub mod slide;

use super::CameraModel;
use super::location::{ReferenceSight, RegisteredCamera};
use crate::tracking::{CapturedAt, Held, TableChange, TableSnapshot, Tag, TagBook};
use diagnosis::{Deviation, diagnose};
use nalgebra::Point3;
use slide::Slide;
use std::collections::BTreeMap;
use std::time::Duration;

/// The camera was knocked when a reference tag's place shifts by more than this in the picture, pixels. A
/// choice: two registrations of one table differ by some hundredths.
const KNOCKED_PX: f64 = 0.25;
/// So many frames must agree on the camera's place before rulings are given again.
const STEADY_FRAMES: u32 = 3;
/// A reference tag that was not seen for so long is told.
const HIDDEN: Duration = Duration::from_secs(3);
/// The light has changed when the reference tags' contrast is off by this factor either way. A choice.
const LIGHT: f64 = 1.25;
/// It is told for so long.
const LIGHT_TOLD: Duration = Duration::from_secs(10);
/// Sigma of a reference tag's place against where it lay before, millimetres: one that was not touched.
const UNTOUCHED_MM: f64 = 0.02;
/// Sigma of a place in a table file that gives none, millimetres: a choice, for a good ruler.
const BY_RULER_MM: f64 = 0.3;

/// How a frame was read.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sight {
    /// The camera is where it was, and the reference tags that are seen lie as they did.
    Steady,
    /// The camera is where it was; several reference tags and most bases have just changed together, and none was looked
    /// at again yet.
    Stirred,
    /// The camera is where it was, and a reference tag was found elsewhere than in the frame before.
    ReferenceMoved,
    /// The frame was read whole and placed.
    Placed {
        /// By how much the light has changed since the frame before, a factor, where that could be told.
        light: Option<f64>,
    },
    /// The frame could not be placed.
    Unplaced,
}

/// Where the camera was found by a frame that was read whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Came {
    /// Where it was before, or for the first time.
    Back,
    /// Elsewhere.
    Elsewhere,
}

/// A reference tag as it is now.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReferenceNow {
    /// Where it was last seen.
    pub sight: ReferenceSight,
    /// Whether it is seen in this frame.
    pub seen: bool,
}

/// The watch over one table.
#[derive(Debug, Default)]
pub(super) struct Watch {
    held: Option<Held>,
    steady: u32,
    /// Where the camera was last.
    camera: Option<CameraModel>,
    /// Reference tags' corners when the camera was last placed.
    before: Vec<ReferenceSight>,
    last_seen: BTreeMap<Tag, CapturedAt>,
    begun: Option<CapturedAt>,
    /// What the reference tags said when the camera was placed, and what changed since.
    standing: Vec<TableChange>,
    since: Vec<TableChange>,
    light: Option<(f64, CapturedAt)>,
    slide: Slide,
}

impl Watch {
    /// Takes in one frame and marks its snapshot. `camera` is where the frame was placed, `needed` the
    /// fewest reference tags that place it; `references` are all that were found since the camera was
    /// placed.
    pub fn take(
        &mut self,
        sight: Sight,
        camera: Option<&RegisteredCamera>,
        references: &[ReferenceNow],
        needed: usize,
        book: &TagBook,
        snapshot: &mut TableSnapshot,
    ) {
        let now = snapshot.captured_at;
        let begun = *self.begun.get_or_insert(now);
        for reference in references.iter().filter(|r| r.seen) {
            self.last_seen.insert(reference.sight.place.tag, now);
        }
        match (sight, camera) {
            (Sight::Steady | Sight::Stirred, Some(camera)) => self.settle(camera.used.len() > needed),
            (Sight::ReferenceMoved, Some(camera)) => {
                self.settle(camera.used.len() > needed);
                self.compare(camera, references);
            }
            (Sight::Placed { light }, Some(camera)) => {
                let before = self.camera.replace(camera.model);
                let knocked = before.is_some_and(|b| shift_px(&b, &camera.model, book) > KNOCKED_PX);
                if knocked {
                    self.held = Some(Held::Knocked);
                    self.steady = 0;
                    self.slide.forget_places();
                } else {
                    self.settle(camera.used.len() > needed);
                }
                if let Some(factor) = light.filter(|f| *f > LIGHT || *f < 1.0 / LIGHT) {
                    self.light = Some((factor, now));
                }
                self.placed(camera, references, if knocked { Came::Elsewhere } else { Came::Back });
            }
            (Sight::Unplaced, _) | (_, None) => {
                self.held = Some(self.held.unwrap_or(Held::Unplaced));
                self.steady = 0;
            }
        }
        self.slide.take(snapshot);
        let sliding = || self.slide.held().map(|m| Held::Slid { by_mm: m.by_mm() });
        let stirred = || matches!(sight, Sight::Stirred).then_some(Held::Stirred);
        snapshot.held = self.held.or_else(sliding).or_else(stirred);
        snapshot.changes = self.changes(now, begun, book);
    }

    /// How far the playing surface may lie from where the table file has it, one sigma, millimetres: half of
    /// what it is bowed by, for bases stand anywhere between its rim and its middle.
    pub fn surface_doubt_mm(&self) -> f64 {
        let bow = |change: &TableChange| match change {
            TableChange::Bowed { by_mm } => Some(by_mm.abs() / 2.0),
            _ => None,
        };
        self.since.iter().chain(&self.standing).filter_map(bow).fold(0.0, f64::max)
    }

    /// One more frame that agrees on where the camera is.
    fn settle(&mut self, enough: bool) {
        self.steady = self.steady.saturating_add(1);
        let over = match self.held {
            Some(Held::Knocked) => self.steady >= STEADY_FRAMES && enough,
            Some(Held::Unplaced) => self.steady >= STEADY_FRAMES,
            Some(Held::Bowed | Held::Stirred | Held::Slid { .. }) | None => true,
        };
        if over {
            self.held = None;
        }
    }

    /// The camera was placed anew: what its reference tags say against the table file.
    fn placed(&mut self, camera: &RegisteredCamera, references: &[ReferenceNow], came: Came) {
        // Placed again where it stood, what was found before still holds against the same beginning.
        if came == Came::Back && !self.before.is_empty() {
            self.compare(camera, references);
            for one in references {
                if self.before.iter().all(|b| b.place.tag != one.sight.place.tag) {
                    self.before.push(one.sight);
                }
            }
            return;
        }
        self.before = references.iter().map(|r| r.sight).collect();
        self.since.clear();
        // A lens that was estimated from these very tags bends to fit them: they say nothing then.
        self.standing = if camera.lens_estimated {
            Vec::new()
        } else {
            let off = |sight: &ReferenceSight| {
                let sigma = sight.place.sigma_mm;
                let place_sigma_mm = if sigma > 0.0 { sigma.hypot(UNTOUCHED_MM) } else { BY_RULER_MM };
                Some(Deviation { place: sight.place, off_px: sight.off_px(&camera.model)?, place_sigma_mm })
            };
            diagnose(&camera.model, &self.before.iter().filter_map(off).collect::<Vec<_>>())
        };
    }

    /// What changed since the camera was placed.
    fn compare(&mut self, camera: &RegisteredCamera, references: &[ReferenceNow]) {
        let mut any = false;
        let deviations: Vec<Deviation> = references
            .iter()
            .filter(|r| r.seen)
            .filter_map(|r| {
                let before = self.before.iter().find(|b| b.place.tag == r.sight.place.tag)?;
                let (is, was) = (r.sight.corners_px.in_order(), before.corners_px.in_order());
                let mut off_px = [0.0; 8];
                for (k, (a, b)) in is.iter().zip(&was).enumerate() {
                    (off_px[2 * k], off_px[2 * k + 1]) = (a.x - b.x, a.y - b.y);
                }
                any |= off_px.iter().any(|v| *v != 0.0);
                Some(Deviation { place: r.sight.place, off_px, place_sigma_mm: UNTOUCHED_MM })
            })
            .collect();
        self.since = if any { diagnose(&camera.model, &deviations) } else { Vec::new() };
    }

    fn changes(&self, now: CapturedAt, begun: CapturedAt, book: &TagBook) -> Vec<TableChange> {
        let mut changes = self.since.clone();
        let told: Vec<String> = changes.iter().map(TableChange::kind).collect();
        changes.extend(self.standing.iter().filter(|c| !told.contains(&c.kind())));
        if let Some((factor, _)) = self.light.filter(|(_, at)| now.since(*at) < LIGHT_TOLD) {
            changes.push(TableChange::Light { factor });
        }
        if let Some((motion, bases)) = self.slide.slid() {
            let (by_mm, turned_deg) = (motion.by_mm(), motion.turned_deg());
            changes.push(TableChange::Slid { by_mm, turned_deg, bases });
        }
        for reference in &book.reference {
            let seen = self.last_seen.get(&reference.tag).copied().unwrap_or(begun);
            let age = now.since(seen);
            if age >= HIDDEN {
                changes.push(TableChange::Hidden { tag: reference.tag, age });
            }
        }
        changes
    }
}

/// How far the reference tags' places shift in the picture from one camera to another, the most.
fn shift_px(before: &CameraModel, after: &CameraModel, book: &TagBook) -> f64 {
    let shift = |at: Point3<f64>| {
        let (a, b) = (before.image_from_table(at)?, after.image_from_table(at)?);
        Some((a - b).norm())
    };
    let places = book.reference.iter().map(|r| Point3::new(r.x_mm, r.y_mm, r.z_mm));
    places.map(|at| shift(at).unwrap_or(f64::INFINITY)).fold(0.0, f64::max)
}
