//! The case files that the program carries, so that it can tell which clauses have a case.

macro_rules! carried {
    ($($name:literal),+ $(,)?) => {
        /// Every embedded case file: name and text. A test compares the list with the folder.
        pub const FILES: &[(&str, &str)] = &[$(($name, include_str!(concat!("../../../", $name)))),+];
    };
}

carried![
    "tests/rulings/dba3/again.ron",
    "tests/rulings/dba3/agreed.ron",
    "tests/rulings/dba3/aggression.ron",
    "tests/rulings/dba3/approach.ron",
    "tests/rulings/dba3/assault.ron",
    "tests/rulings/dba3/base.ron",
    "tests/rulings/dba3/befalls.ron",
    "tests/rulings/dba3/camp.ron",
    "tests/rulings/dba3/city.ron",
    "tests/rulings/dba3/column.ron",
    "tests/rulings/dba3/conform.ron",
    "tests/rulings/dba3/contact.ron",
    "tests/rulings/dba3/disputes.ron",
    "tests/rulings/dba3/distance.ron",
    "tests/rulings/dba3/equal.ron",
    "tests/rulings/dba3/factors.ron",
    "tests/rulings/dba3/flee.ron",
    "tests/rulings/dba3/fort.ron",
    "tests/rulings/dba3/going.ron",
    "tests/rulings/dba3/group.ron",
    "tests/rulings/dba3/half.ron",
    "tests/rulings/dba3/layout.ron",
    "tests/rulings/dba3/lesser.ron",
    "tests/rulings/dba3/move.ron",
    "tests/rulings/dba3/overlap.ron",
    "tests/rulings/dba3/passage.ron",
    "tests/rulings/dba3/pips.ron",
    "tests/rulings/dba3/pursuit.ron",
    "tests/rulings/dba3/reach.ron",
    "tests/rulings/dba3/recoil.ron",
    "tests/rulings/dba3/river.ron",
    "tests/rulings/dba3/road.ron",
    "tests/rulings/dba3/shooting.ron",
    "tests/rulings/dba3/shots.ron",
    "tests/rulings/dba3/stronghold.ron",
    "tests/rulings/dba3/sundry.ron",
    "tests/rulings/dba3/support.ron",
    "tests/rulings/dba3/table.ron",
    "tests/rulings/dba3/tactical.ron",
    "tests/rulings/dba3/terrain_choice.ron",
    "tests/rulings/dba3/troops.ron",
    "tests/rulings/dba3/turn.ron",
    "tests/rulings/dba3/victory.ron",
    "tests/rulings/dba3/way.ron",
    "tests/rulings/dba3/went.ron",
    "tests/rulings/dba3/worked.ron",
    "tests/rulings/dba3/zone.ron",
];
