//! A frame and where frames come from.

use super::source::Locks;
use super::{GreyImage, Lens, RgbImage};
use crate::tracking::{CameraId, CapturedAt};
use std::sync::Arc;

/// One picture of the table.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Its number in the source, from 0.
    pub seq: u64,
    /// When it was captured.
    pub captured_at: CapturedAt,
    /// By which camera.
    pub camera: CameraId,
    /// Brightness, which detection reads.
    pub grey: Arc<GreyImage>,
    /// Colour, where the source has it, for showing.
    pub colour: Option<Arc<RgbImage>>,
    /// What people call it: a file's name, "camera 0", "simulated table, seed 7".
    pub label: String,
}

/// Anything that gives frames: webcam, video, stream, photographs, simulated camera.
pub trait FrameSource: Send {
    /// What people call it.
    fn description(&self) -> String;

    /// Whether it goes on by itself until it is closed (a camera, a stream, the simulated camera), or
    /// ends (photographs, a video file).
    fn live(&self) -> bool;

    /// Whether each frame shows another, unrelated moment, so that nothing may be carried from one to
    /// the next (a folder of photographs).
    fn unrelated(&self) -> bool {
        false
    }

    /// The true lens, where the source knows it exactly; only the simulated camera does.
    fn lens(&self) -> Option<Lens> {
        None
    }

    /// What the camera calls itself, where the source is one that does: what a lens profile and a
    /// certificate are held to.
    fn device(&self) -> Option<String> {
        None
    }

    /// Whether exposure, focus and white balance stay as they are; `None` where the source is no camera
    /// that could be asked. It changes in the first seconds.
    fn locks(&self) -> Option<Locks> {
        None
    }

    /// The next frame, or `None` at the end. Waits for a live source no longer than a few seconds.
    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError>;
}

/// Why there is no frame. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SourceError {
    /// A file that is not there or cannot be opened.
    #[error("cannot open {path}: {why}")]
    Open {
        /// Which file or address.
        path: String,
        /// What went wrong, and what to do.
        why: String,
    },
    /// A file that is not a picture or a video, or is damaged.
    #[error("cannot read {path} as a picture: {why}")]
    Decode {
        /// Which file.
        path: String,
        /// What went wrong, and what to do.
        why: String,
    },
    /// A picture too large or too small to work with; the limit is named in `why`.
    #[error("{path} is {width}x{height} pixels: {why}")]
    Size {
        /// Which picture.
        path: String,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The limit.
        why: String,
    },
    /// A live source that gave frames and has failed; it is opened again when the next frame is asked for.
    #[error("{why}")]
    Away {
        /// What went wrong, and what to do.
        why: String,
    },
    /// A camera that is not there, is busy, or has gone.
    #[error("camera {camera}: {why}")]
    Camera {
        /// Its number or name.
        camera: String,
        /// What went wrong, and what to do.
        why: String,
    },
}
