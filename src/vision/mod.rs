//! From frames to snapshots. Knows tags and never rules.
//!
//! Image frame: pixel centres at whole numbers, x right, y down. Table frame: [crate].
//! OpenCV's `Mat` stays inside this room.

mod bearing;
mod belief;
pub mod calibration;
mod camera_model;
mod caution;
mod companion;
mod detection;
pub mod dice;
mod follow;
mod frame;
mod image;
pub mod jig;
mod lens_profile;
pub mod location;
mod measure;
mod missed;
pub mod outline;
mod pattern;
mod pipeline;
mod quality;
pub mod register;
pub mod search;
pub mod sim;
pub mod source;
mod strangers;
mod uneven;
pub mod untagged;
pub mod watching;

pub use belief::{BeliefSettings, Refusal, Refused};
pub use camera_model::{CameraModel, CameraPose, Distortion, Lens, PixelPoint};
pub use caution::Caution;
pub use companion::{Companion, CompanionLost, FIRST, SECOND, SecondCamera};
pub use detection::{Detection, DetectorError, DetectorSettings, TagDetector, corrected_bits};
pub use frame::{Frame, FrameSource, SourceError};
pub use image::{GreyImage, RgbImage};
pub use lens_profile::{LensProfile, parse_lens_profile};
pub use location::RegistrationError;
pub use measure::PatternNoise;
pub use pattern::TagPattern;
pub use pipeline::{Pipeline, PipelineSettings, Reading, Sequence};
pub use quality::{LEAST_WHITE, MOST_BLUR_PX, PictureFault, blur_px, module_px, picture_faults};
pub use source::open_source;
pub use strangers::Stranger;
