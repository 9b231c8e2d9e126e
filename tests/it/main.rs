//! The one integration test binary. A module a concern.

mod layering;
