//! Groma reads a wargame table through a webcam and judges De Bellis Antiquitatis on it.
//!
//! # Conventions
//!
//! * **Table frame**: millimetres, origin at the playing area's lower-left corner seen from the near
//!   edge, x to the right, y away, z up.
//! * **Heading**: the way a base's front looks, anticlockwise from +x. Degrees in files and on
//!   screen, unit vectors inside ([`geometry::Heading`]).
//! * **Image frame**: pixels, pixel centres at whole numbers (OpenCV's convention), x right, y down.
//! * **Corners of a base** are named as its own troops see them ([`geometry::Corner`]); **corners of
//!   a tag** as the printed tag is read upright ([`tracking::TagCorners`]). Corners are never indexed.
//! * A **transform** is called `to_from`: `table_from_image` takes an image point to the table.
//! * Names carry their unit where the type does not: `_px`, `_mm`, `_deg`, `_rad`.
//! * Comparisons are closed: "within 1 BW" includes exactly 1 BW, unless a clause says otherwise.
//! * A geometric predicate returns a signed [`geometry::Margin`], never a bare `bool`.
//!
//! # Rooms
//!
//! `text` and `units` are the floor; `geometry` stands on `units`; `rules` and `tracking` on
//! `geometry`; `drawing` draws what `rules` say; `judge` is where measured meets ruled; `vision` sees tags and never rules. The test
//! `tests/it/layering.rs` reads the `use` lines and fails on any other arrow.

pub mod drawing;
pub mod geometry;
pub mod judge;
pub mod rules;
pub mod session;
pub mod text;
pub mod tracking;
pub mod units;

pub mod cli;

#[cfg(feature = "window")]
pub mod app;
#[cfg(feature = "vision")]
pub mod markers;
#[cfg(feature = "vision")]
pub mod vision;
