//! The window: what is shown and what a person can do with it.
//!
//! State and commands are apart from painting: panels read a view and send commands, and only
//! `logic` changes the state. The vision pipeline runs in its own thread behind bounded channels.

pub mod offscreen;
