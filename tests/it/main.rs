//! The one integration test binary. A module a concern.

#[cfg(all(feature = "window", feature = "camera"))]
mod bad_input;
mod combat_table;
mod documents;
mod files;
mod layering;
#[cfg(feature = "vision")]
mod pairs;
#[cfg(all(feature = "window", feature = "camera"))]
mod readme;
mod rules_properties;
mod rulings;
#[cfg(feature = "vision")]
mod simulated;
