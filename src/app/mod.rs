//! The window: what is shown and what a person can do with it.
//!
//! State and commands are apart from painting: panels read the state and send commands, and only
//! `logic` changes it. The vision pipeline runs in a thread of its own behind a bounded channel. The
//! same window runs on a display ([`launch`]), off-screen ([`offscreen`]) and in tests.

pub mod command;
pub mod demo;
pub mod keys;
pub mod launch;
pub mod logic;
pub mod look;
pub mod offscreen;
pub mod outside;
mod panels;
pub mod settings;
pub mod state;
pub mod theme;
pub mod window;
pub mod worker;
