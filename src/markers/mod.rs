//! Printed things: calibration boards, the tags of a table, the check sheet and the jig, on sheets at exact scale; and
//! the certificate that the check sheet gives, and what the jig says of a roster.
//!
//! Frame of a sheet: millimetres, origin at the paper's lower left corner, x right, y up.

mod boards;
mod certificate;
mod certificate_file;
mod certificate_sheet;
mod check;
mod jig;
mod kit;
mod letters;
mod mounts;
mod pdf;
mod sheet;

pub use boards::{TooLarge, board_sheet};
pub use certificate::{
    Agreement, Certificate, ErrorStatistics, HeldTo, LEAST_CHECK_TAGS, LEAST_PLACES, PairCheck, PlaceCheck,
};
pub use certificate_file::{
    KeptCertificate, Standing, certificate_json, certificate_path, place_json, read_certificate, summary_json,
};
pub use certificate_sheet::certificate_sheet;
pub use check::{CHECK_HEIGHT_MM, CHECK_SIZE_MM, check_sheet, check_tags};
pub use jig::{jig_corner, jig_sheet};
pub use kit::{Label, kit_sheets};
pub use mounts::{jig_scale, jig_tags_of, mount_cautions, mount_edit, mount_words};
pub use pdf::to_pdf;
pub use sheet::{MARGIN_MM, Mark, Orientation, Paper, RULER_MM, Sheet, Stroke};
