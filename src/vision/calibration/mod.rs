//! A lens profile from pictures of a board: find the board in each ([`BoardFinder`]), solve for the lens
//! ([`calibrate`]), and say in plain words whether it will do ([`Grade`]). And a table from pictures of
//! itself: where its reference tags really lie ([`table`]).

mod board;
mod gathering;
mod guidance;
mod solve;
pub mod table;
mod view;

pub use board::{BOARD_FORM, Board};
pub use gathering::{Gathering, Look, OneSize, OtherSize};
pub use guidance::{CELLS, Coverage, Grade, MOST_RMS_PX, Side, Tilt};
pub use solve::{Calibration, CalibrationError, LEAST_VIEWS, ViewReport, ViewUse, calibrate, profile_notes};
pub use view::{BoardFinder, View, ViewError};
