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

pub use noise::{CornerNoise, Misfit};
pub use reference::{
    LEAST_KNOWN, LensPrior, ReferenceSight, RegistrationError, RegistrationSettings, least_seen,
};
pub use registration::{RegisteredCamera, register};
pub use tag_pose::{FlatFit, fit_flat, sensitivities, with_uncertainty};
