//! Cities in whole battles: storm, sack, leaving, surrender, revolt.

use super::{Script, replay};

/// Plays a battle about red's City of Ur, and gives back what differs or is refused.
fn faults(setup: &str, bounds: &str) -> Vec<String> {
    let text = format!(
        "(schema: 1, ruleset: \"dba3\", name: \"Ur\", defender: red, near: red, setup: \"bw 40mm board 15x15\n\
         ground city Ur box (1,6)-(4,9) of=red gates (2.5,6)-(2.5,9)\nR 4Sp red general (13,1)-(14,1) N\n\
         B 4Bd blue general (14,14)-(13,14) S\n{setup}\", bounds: [{bounds}])"
    );
    let script = Script::read("ur.ron", &text).unwrap_or_else(|p| panic!("{p:?}"));
    let played = replay(&script);
    let mut faults: Vec<String> = played.played.iter().flat_map(|p| p.differs.clone()).collect();
    faults.extend(played.stopped.iter().map(|s| format!("{s:?}")));
    faults
}

const STORM: &str = "(side: red, pips: 1, combats: [(of: (\"A\", \"denizens of Ur\"), dice: (6, 1), ends: \"A LH blue \
                     (3,8)-(2,8) S in=city\", lost: [\"denizens of Ur\"])], after: (losses: (2, 0), places: ((city: Taken), ())))";

#[test]
fn who_storms_a_city_sacks_it_until_a_five_or_six_and_leaves_by_a_gate() {
    let a = "A LH blue (3,9)-(2,9) S";
    let leaves = "(side: blue, pips: 5, moves: [\"A leaves Ur gate 2 ahead 1\"], after: (losses: (0, 0), places: ((city: \
                  Retaken), ()), ends: \"A LH blue (2,10.75)-(3,10.75) N\"))";
    assert_eq!(faults(a, &format!("{STORM}, {leaves}")), Vec::<String>::new());
    let early = leaves.replace("pips: 5", "pips: 4");
    let refused = faults(a, &format!("{STORM}, {early}"));
    assert!(refused.len() == 1 && refused[0].contains("dba3.city.10"), "{refused:?}");
}

#[test]
fn a_city_that_artillery_took_revolts_for_five_pips() {
    let gun = "G Art blue (3,13)-(2,13) S";
    let shot = "(side: red, pips: 1), (side: blue, pips: 1, shooting: [(at: \"denizens of Ur\", by: [\"G\"], dice: (6, 1), \
                lost: [])], after: (losses: (0, 0), places: ((city: SurrenderedUnentered), ())))";
    let revolt = "(side: red, pips: 5, revolts: [\"Ur\"], after: (places: ((city: Own), ())))";
    assert_eq!(faults(gun, &format!("{shot}, {revolt}")), Vec::<String>::new());
    let poor = faults(gun, &format!("{shot}, {}", revolt.replace("pips: 5", "pips: 4")));
    assert!(poor.len() == 1 && poor[0].contains("costs 5 PIPs"), "{poor:?}");
    let moves = revolt.replace("after:", "moves: [\"R ahead 1\"], after:");
    let spent = faults(gun, &format!("{shot}, {moves}"));
    assert!(spent.len() == 1 && spent[0].contains("dba3.pip.1"), "{spent:?}");
}

#[test]
fn an_enemy_who_enters_an_empty_camp_has_sacked_it() {
    let camp = "ground camp C box (6,0)-(8,1) of=red\nA LH blue (7.5,3)-(6.5,3) S";
    let enters = "(side: red, pips: 1), (side: blue, pips: 1, moves: [\"A enters C ahead 2.5\"], after: (losses: (1, 0), \
                  places: ((camp: EnteredEmpty), ()), ends: \"A LH blue (7.5,0.5)-(6.5,0.5) S in=camp\"))";
    assert_eq!(faults(camp, enters), Vec::<String>::new());
}
