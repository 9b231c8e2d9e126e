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
    fn what_the_sample_table_shows_of_terrain_can_be_used_as_it_stands() {
        assert!(table().ground.is_bare());
        let shown = TABLE_RON.replace("// (name:", "(name:");
        let ground = parse_table("table.ron", &shown).map_err(|m| m.to_string()).expect("it reads").ground;
        assert_eq!((ground.features.len(), ground.rivers.len(), ground.roads.len()), (3, 1, 1));
        let told =
            TABLE_RON.split("kind      ").nth(1).and_then(|t| t.split("outline").next()).expect("the kinds");
        for (word, _) in crate::rules::terrain::TerrainKind::ALL {
            assert!(told.contains(word), "{word} is not told");
        }
    }

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
