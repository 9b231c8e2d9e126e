//! The window's panels, one file each. They read the state and send commands; they change nothing.

pub mod board;
pub mod combat;
pub mod controls;
pub mod elements;
mod facts;
mod form;
pub mod jig;
pub mod labels;
pub mod lens;
pub mod moves;
pub mod paint;
pub mod picture;
pub mod rulings;
pub mod sources;
pub mod status;
mod ways;
