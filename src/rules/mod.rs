//! The pure rules engine. No clock, no chance, no input or output, no camera.
//!
//! Frame: the table's, millimetres; the rules' own distances are base widths, bridged by
//! [`crate::units::Scale`]. Dice are arguments.

mod element;
mod ruling;

pub use element::{Element, Location, Overhang, Setup, Side};
pub use ruling::{Question, Reason, Ruling};
