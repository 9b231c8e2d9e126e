//! One sight of one tag, already on the table.

use super::Tag;
use crate::geometry::{PoseEstimate, Rest};
use std::time::Duration;

/// A camera's number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CameraId(pub u16);

/// When a frame was captured: time since the source was opened (or since a fixed start for files),
/// apart from when it was read or sent on. Never the wall clock, so that replays agree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct CapturedAt(pub Duration);

impl CapturedAt {
    /// Time from `earlier` to here; zero where `earlier` is later.
    pub fn since(self, earlier: Self) -> Duration {
        self.0.saturating_sub(earlier.0)
    }
}

/// A tag seen once. The pose is the **tag's**: its centre, and the way its printed top points.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// Which tag.
    pub tag: Tag,
    /// Which camera saw it.
    pub camera: CameraId,
    /// Where it lies on the table.
    pub pose: PoseEstimate,
    /// How its base rests on the ground.
    pub rest: Rest,
    /// When.
    pub captured_at: CapturedAt,
    /// Root mean square distance between the four corners found and the fitted pose's, pixels.
    pub residual_px: f64,
}
