//! From observations of tags to tracks and snapshots, of one camera and of several. Knows tags, not troops.

mod book;
mod fusion;
mod observation;
mod snapshot;
mod table_change;
mod tag;
mod tracker;

pub use book::{Bearer, KnownTag, Mount, ReferenceTag, TagBook};
pub use fusion::{Fusion, FusionSettings};
pub use observation::{CameraId, CapturedAt, Observation};
pub use snapshot::{Registration, TableSnapshot, Track, Visibility};
pub use table_change::{Held, TableChange};
pub use tag::{Tag, TagCorners, TagFamily};
pub use tracker::{Tracker, TrackerSettings};
