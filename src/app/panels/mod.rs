//! The window's panels, one file each. They read the state and send commands; they change nothing.

mod aftermath;
pub mod battle;
pub mod board;
pub mod combat;
pub mod controls;
mod due;
pub mod elements;
mod facts;
mod form;
mod ghosts;
pub mod jig;
pub mod journal;
pub mod labels;
pub mod lens;
pub mod log;
pub mod moves;
mod nudges;
mod odds;
pub mod paint;
pub mod picture;
pub mod reach;
pub mod rulings;
pub mod session;
mod shooting;
pub mod sources;
pub mod status;
mod ways;
