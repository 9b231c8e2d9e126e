//! From frames to snapshots. Knows tags and never rules.
//!
//! Image frame: pixel centres at whole numbers, x right, y down. Table frame: [crate].
//! OpenCV's `Mat` stays inside this room.

mod camera_model;
mod frame;
mod image;
mod pattern;
pub mod register;
pub mod search;

pub use camera_model::{CameraModel, CameraPose, Distortion, Lens, PixelPoint};
pub use frame::{Frame, FrameSource, SourceError};
pub use image::{GreyImage, RgbImage};
pub use pattern::TagPattern;
