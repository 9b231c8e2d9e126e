//! What lies on the board, as the picture shows it: the rectified picture of the board, an outline proposed round a
//! place that was pointed at, and how far an outline that is known has moved.
//!
//! Table frame, millimetres, on the playing surface (z = 0): what stands up (a tree, a figure) is drawn away from the
//! camera, so the outline is that of the felt and never of what stands on it. Bases, tags and whatever else is known
//! to stand in the way are covers: nothing is read from them. Deterministic. OpenCV's `Mat` stays in here.

mod compare;
mod course;
mod edge;
mod features;
mod grow;
mod mask;
mod model;
mod propose;
mod rectify;

pub use compare::{Moved, NotSeen, compare, compare_course, compare_standing};
pub use course::Course;
pub use propose::{NoOutline, Proposal, propose};
pub use rectify::{Cover, Rectified, rectify};
