//! Where measured meets ruled: what people write about their table, what the camera measured, and what
//! may be said of a rule's question in the face of both.
//!
//! Frame: the table's, millimetres. Pure: texts and snapshots come in as values, values go out.
//! Invariant: nothing is judged on a pose that was never measured, and every verdict carries the sigma
//! of the poses that it rests on.

mod army;
mod bent;
mod brought;
mod carried;
mod doubt;
mod due;
#[cfg(test)]
mod file_tests;
mod hang;
mod host_card;
mod measured;
mod muster;
mod placings;
mod raise;
mod reading;
mod roster;
mod roster_army;
mod roster_edit;
mod rule;
pub mod samples;
mod set_out;
mod standing;
mod table;
mod table_edit;
mod table_folder;
mod table_ground;
mod table_text;
mod tags;
mod verdict;

pub use crate::units::rounded;
pub use army::{Roster, RosterFile};
pub use bent::{BentMount, KnownContact, bent_mounts, known_contacts};
pub use brought::{Brought, brought, exchanges_chosen, with_armies};
pub use carried::{FeatureMoved, FeatureTag, TagSeen, as_it_lies, features_seen, lie_otherwise};
pub use doubt::{Certainty, Open, SureCombat, certainty, pair_certainty, sure_combats};
pub use due::{AimDoubt, Doubt, JudgedDue, JudgedShot, judge_due, judge_shot};
pub use hang::Hang;
pub use host_card::{CARD_FILE, CARD_LINE, CardField, HostCard, parse_card};
pub use measured::{Absence, Measured};
pub use muster::{
    BLOCK, IdsError, Making, TABLE_IDS, block_start, blocks, free_block, roster_text, tags_from, tags_needed,
};
pub use placings::PLACINGS;
pub use raise::{Begin, Others, RaiseError, Raised, Raising, raise};
pub use reading::{ElementReading, base_from_tag, read_elements};
pub use roster::{BaseSize, MountedTag, RosterElement, parse_roster};
pub use roster_army::judge_roster;
pub use roster_edit::{MountEdit, roster_with};
pub use rule::{Judgement, rule};
pub use set_out::{set_out, sure, worst};
pub use standing::standing;
pub use table::{Table, parse_table};
pub use table_edit::{ground_rows, table_with_ground, table_with_tags};
pub use table_folder::{FIRST_RUN_STEPS, FOLDER_FILE, TableFolder, parse_folder};
pub use table_text::table_text;
pub use tags::{relief, tag_book};
pub use verdict::{CLEAR, Leans, Verdict, Weighed, weigh};
