//! The simulated camera: draws a perspective photograph of a wargame table from a seed.
//!
//! A [`Scene`] (playing area, reference tags, bases with tags and figures) is drawn through the true
//! [`crate::vision::CameraModel`]: solid shapes met by rays, soft shadows, lens blur in linear light,
//! vignetting, shot and read noise, tone curve, JPEG. [`SimulatedCamera`] is a
//! [`crate::vision::FrameSource`] like any other: its pictures go through the whole pipeline, and no
//! pose takes another way. What is true of a frame is told apart, by [`SimulatedCamera::truth`], for
//! scoring only.
//!
//! Table frame and units: [crate]. Invariants: on one machine one seed gives one picture to the byte
//! (elsewhere the last bits of sines and powers may differ); frame n does not depend on the frames
//! before it; nothing reads a clock.

mod acted;
mod arrange;
mod board;
mod build;
mod camera;
mod figures;
mod ground;
mod hand;
mod light;
mod math;
mod moment;
mod motion;
mod print;
mod props;
mod render;
mod scene;
mod scenery;
mod sensor;
mod settings;
mod shape;
mod terrain;
mod tray;
mod truth;
mod upset;
mod world;

pub use acted::{ActedCamera, ActedStep};
pub use board::SimulatedBoard;
pub use camera::{SimulatedCamera, View};
pub use moment::{Arm, Moment};
pub use print::print_mm;
pub use props::{Block, FlatPrint, Lean, Printed, Props, Terrain};
pub use scene::{Figures, Ink, Placement, Scene, SceneError, SimBase, SimTag};
pub use settings::{Clutter, Motion, SimSettings, Tone};
pub use terrain::{TerrainSort, TrueTerrain};
pub use tray::{Throw, TrayDie, TrayScene};
pub use truth::{TrueBase, TrueTag, Truth};
pub use upset::Upset;

#[cfg(test)]
mod tests;
