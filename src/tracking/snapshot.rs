//! The table at one moment: immutable, shared behind an `Arc`.

use super::{CapturedAt, Held, TableChange, Tag};
use crate::geometry::{PoseEstimate, Rest};
use std::collections::BTreeMap;
use std::time::Duration;

/// How the last known pose of a tag came about. Never a silent guess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Visibility {
    /// Measured in this frame.
    Seen,
    /// Not measured in this frame; the last good pose is kept, and is this old.
    Covered {
        /// Age of the pose.
        age: Duration,
    },
    /// Never seen since the source was opened.
    Missing,
    /// Seen before, but not for so long that its pose is no longer trusted.
    Gone,
}

/// One tag's track.
#[derive(Debug, Clone, PartialEq)]
pub struct Track {
    /// Which tag.
    pub tag: Tag,
    /// The last good pose; `None` while missing.
    pub pose: Option<PoseEstimate>,
    /// How its base rested on the ground at that pose.
    pub rest: Rest,
    /// Whether it has stood still for the last readings.
    pub at_rest: bool,
    /// How the pose came about.
    pub visibility: Visibility,
}

/// How well the camera knows the table in this frame.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Registration {
    /// Reference tags found.
    pub reference_seen: usize,
    /// Reference tags the table names.
    pub reference_known: usize,
    /// Root mean square reprojection error of the reference tags' corners, pixels.
    pub residual_px: f64,
    /// Whether the lens was estimated from the table itself for want of a profile.
    pub lens_estimated: bool,
}

/// Every track at one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TableSnapshot {
    /// The frame's number in its source.
    pub seq: u64,
    /// When the frame was captured.
    pub captured_at: CapturedAt,
    /// Every tag of the book, reference tags left out.
    pub tracks: BTreeMap<Tag, Track>,
    /// The camera's registration, or `None` where this frame could not be placed on the table.
    pub registration: Option<Registration>,
    /// Why no ruling may be given on it, if so.
    pub held: Option<Held>,
    /// What happened to the table, as far as the picture tells.
    pub changes: Vec<TableChange>,
}

impl TableSnapshot {
    /// Whether every seen track stands still.
    pub fn at_rest(&self) -> bool {
        self.tracks.values().all(|t| t.at_rest || !matches!(t.visibility, Visibility::Seen))
    }

    /// How many tags were measured in this frame.
    pub fn seen(&self) -> usize {
        self.tracks.values().filter(|t| t.visibility == Visibility::Seen).count()
    }
}
