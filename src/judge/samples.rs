//! The table and roster that come with the program: `groma init` writes them, the demo plays on them.

use super::{Roster, RosterFile, Table, parse_roster, parse_table};
use crate::rules::Ruleset;

/// The sample table file: a 600 x 600 mm board with eight reference tags.
pub const TABLE_RON: &str = include_str!("../../markers/samples/table.ron");

/// The sample roster file: two armies of twelve elements.
pub const ROSTER_RON: &str = include_str!("../../markers/samples/roster.ron");

/// The sample table.
pub fn table() -> Table {
    parse_table("table.ron", TABLE_RON).expect("the sample table is tested")
}

/// The sample roster.
pub fn roster() -> Roster {
    let elements = parse_roster("roster.ron", ROSTER_RON).expect("the sample roster is tested");
    let file = RosterFile { file: "roster.ron".to_owned(), elements };
    Roster::of(&table(), vec![file], &Ruleset::dba3()).expect("the sample roster is tested")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Side;

    #[test]
    fn the_samples_are_two_armies_of_twelve_with_a_general_each() {
        for side in [Side::Red, Side::Blue] {
            let roster = roster();
            let army: Vec<_> = roster.elements().iter().filter(|e| e.side == side).collect();
            assert_eq!(army.len(), 12);
            assert_eq!(army.iter().filter(|e| e.general).count(), 1);
            assert!(army.iter().all(|e| e.tags.len() == 1 && (15.0..=40.0).contains(&e.base.depth_mm)));
        }
        assert!(table().reference.len() >= Table::LEAST_TAGS);
    }
}
