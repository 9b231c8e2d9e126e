//! The one integration test binary. A module a concern.

mod documents;
mod layering;
#[cfg(all(feature = "window", feature = "camera"))]
mod readme;
mod rulings;
