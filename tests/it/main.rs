//! The one integration test binary. A module a concern.

mod aftermath_properties;
mod army;
mod army_brute;
#[cfg(all(feature = "window", feature = "camera"))]
mod bad_input;
mod battle_lines;
mod battles;
#[cfg(feature = "vision")]
mod bent;
mod brute;
mod case_files;
mod case_properties;
#[cfg(feature = "vision")]
mod cautions;
#[cfg(feature = "vision")]
mod check;
mod clause_examples;
mod combat_facts;
mod combat_table;
#[cfg(feature = "vision")]
mod dice;
mod documents;
mod due;
mod due_doubts;
#[cfg(feature = "vision")]
mod features;
mod files;
mod follow;
#[cfg(feature = "vision")]
mod following;
mod ground_properties;
#[cfg(feature = "vision")]
mod hills;
#[cfg(feature = "vision")]
mod hostile_pictures;
#[cfg(feature = "vision")]
mod jig;
mod journal;
#[cfg(feature = "window")]
mod keep;
mod layering;
mod layouts;
#[cfg(feature = "vision")]
mod lens;
mod lines;
#[cfg(feature = "vision")]
mod markers;
mod move_properties;
#[cfg(feature = "vision")]
mod moving_pictures;
#[cfg(feature = "vision")]
mod pairs;
#[cfg(feature = "vision")]
mod plan;
#[cfg(feature = "vision")]
mod quality;
#[cfg(all(feature = "window", feature = "camera"))]
mod readme;
#[cfg(feature = "vision")]
mod real_tags;
mod region;
mod rehearsal;
#[cfg(feature = "vision")]
mod rendered_scenes;
mod report;
mod rules_properties;
mod rulings;
mod setup_files;
mod shots_brute;
#[cfg(feature = "vision")]
mod simulated;
#[cfg(feature = "vision")]
mod studies;
#[cfg(feature = "vision")]
mod table_calibration;
#[cfg(feature = "vision")]
mod table_pictures;
#[cfg(feature = "vision")]
mod terrain;
mod toll;
mod transform;
#[cfg(feature = "vision")]
mod two_cameras;
#[cfg(feature = "vision")]
mod uneven;
#[cfg(feature = "vision")]
mod uneven_verdicts;
#[cfg(feature = "vision")]
mod untagged;
#[cfg(feature = "vision")]
mod watching;
#[cfg(feature = "window")]
mod window;
