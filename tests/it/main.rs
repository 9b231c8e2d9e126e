//! The one integration test binary. A module a concern.

mod documents;
mod files;
mod layering;
#[cfg(feature = "vision")]
mod pairs;
#[cfg(all(feature = "window", feature = "camera"))]
mod readme;
mod rulings;
#[cfg(feature = "vision")]
mod simulated;
