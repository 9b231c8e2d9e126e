//! From corners in the picture to poses on the table.
//!
//! The reference tags give the camera ([`register`]); the camera gives each tag's place, heading and
//! uncertainty ([`fit_flat`], [`with_uncertainty`]). A tag's height and size are known, so it has
//! three unknowns, never a pose in space of its own: small tags seen head-on would flip.

mod least_squares;
mod noise;
mod projection;
mod reference;
mod registration;
mod start;
mod tag_pose;

pub(in crate::vision) use least_squares::{Normal, minimise, root_of};
pub use noise::{CornerNoise, Misfit};
pub(in crate::vision) use projection::{LENS_UNKNOWNS, POSE_UNKNOWNS, lens_moved, pose_moved, project};
pub use reference::{
    LEAST_KNOWN, LensPrior, ReferenceSight, RegistrationError, RegistrationSettings, least_seen,
};
pub(in crate::vision) use registration::guess;
pub use registration::{RegisteredCamera, register};
pub(in crate::vision) use start::first_poses;
pub use tag_pose::{FlatFit, fit_flat, sensitivities, with_uncertainty};
