//! Printed things: calibration boards, the check sheet, the jig and the whole print kit of a table and its armies, on
//! sheets at exact scale; the certificate that the check sheet gives, and what the jig says of a roster.
//!
//! Frame of a sheet: millimetres, origin at the paper's lower left corner, x right, y up.

mod boards;
mod certificate;
mod certificate_file;
mod certificate_sheet;
mod check;
mod jig;
mod letters;
mod mounts;
mod pdf;
mod plan;
mod print;
mod sheet;
mod spot;
mod tiles;

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
pub use mounts::{jig_scale, jig_tags_of, mount_cautions, mount_edit, mount_words};
pub use pdf::to_pdf;
pub use plan::{
    BaseKind, Expected, Figures, KindPlan, Measured, Mounted, Outlook, Place, PlacePlan, Plan,
    Request as PlanRequest, SetUp, Sighting, expected, facing_far, hidden, kinds, plan, plan_json, plan_svg,
    plan_words, registered, set_up,
};
pub use print::{
    Carrier, Corrected, IdNeed, KitError, KitStyle, LEAST_EDGE_MM, Label, Part, SizesError, TooFewIds,
    card_sheets, corrected_roster, corrected_table, face_mm, free_ids, has_strip, kept_tags, kit_sheets,
    label_sheets, labels, printed_scale, size_for_face, sticking_out,
};
pub use sheet::{Colour, MARGIN_MM, Mark, Orientation, Paper, PrintedTag, RULER_MM, Sheet, Stroke};
pub use spot::{
    NamedBase, RestsOn, SpotBase, SpotPicture, find_bases, rests_on, spot_measured, spot_picture,
};
pub use tiles::tile_sheet;
