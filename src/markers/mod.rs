//! Printed things: calibration boards and the tags of a table, on sheets at exact scale.
//!
//! Frame of a sheet: millimetres, origin at the paper's lower left corner, x right, y up.

mod boards;
mod kit;
mod pdf;
mod sheet;

pub use boards::{TooLarge, board_sheet};
pub use kit::{Label, kit_sheets};
pub use pdf::to_pdf;
pub use sheet::{MARGIN_MM, Mark, Orientation, Paper, RULER_MM, Sheet, Stroke};
