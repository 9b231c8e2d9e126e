//! The simulated camera that watches a calibration board.

use super::Failure;
use super::sim_scene::seed_and_settings;
use crate::vision::calibration::Board;
use crate::vision::sim::SimulatedBoard;

/// The simulated camera of `choice` with `board` before it: a seed, or a seed and a profile, as `7` and
/// `7,messy`.
///
/// # Errors
/// A seed that is no whole number, or an unknown profile.
pub fn simulated_board(choice: &str, board: Board) -> Result<SimulatedBoard, Failure> {
    let (seed, settings) = seed_and_settings(choice)?;
    Ok(SimulatedBoard::new(board, settings, seed).map_err(anyhow::Error::from)?)
}
