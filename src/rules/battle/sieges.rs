//! Camps, Cities and Forts in whole battles: storm, sack, gates, sallies, surrender, revolt. Base widths, the table's frame.

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

const BOTH: &str = "A LH blue (3,9)-(2,9) S\nC 4Bd blue (2,9)-(1,9) S";

#[test]
fn of_several_assaulters_the_one_that_is_named_occupies_the_city() {
    // Blades are foot: they go in by half a base width (dba3.faq.6), and the horse that fought stays.
    let by = |who: &str, ends: &str| {
        format!(
            "(side: red, pips: 1, combats: [(of: (\"A\", \"denizens of Ur\"), dice: (6, 1), {who} ends: \"{ends}\", \
             lost: [\"denizens of Ur\"])], after: (losses: (2, 0), places: ((city: Taken), ())))"
        )
    };
    let blades = by("occupies: \"C\",", "A LH blue (3,9)-(2,9) S; C 4Bd blue (2,8.5)-(1,8.5) S in=city");
    assert_eq!(faults(BOTH, &blades), Vec::<String>::new());
    let fought = by("", "A LH blue (3,8)-(2,8) S in=city; C 4Bd blue (2,9)-(1,9) S");
    assert_eq!(faults(BOTH, &fought), Vec::<String>::new());
    let away = faults(BOTH, &by("occupies: \"B\",", ""));
    assert!(away.len() == 1 && away[0].contains("Ur is assaulted by A and C"), "{away:?}");
    let nobody = faults(BOTH, &by("occupies: \"Z\",", ""));
    assert!(nobody.len() == 1 && nobody[0].contains('Z'), "{nobody:?}");
}

/// A friend and an enemy within 2 BW of Ur.
const NEAR: &str = "F 4Sp red (4.5,4.5)-(5.5,4.5) N\nE Cv blue (3,10.5)-(2,10.5) S";

fn sallies(ahead: &str) -> String {
    format!("(side: red, pips: 3, moves: [\"\\\"denizens of Ur\\\" leaves Ur gate 1 ahead {ahead}\"])")
}

#[test]
fn denizens_sally_and_whoever_comes_meanwhile_finds_nobody() {
    let enters = "(side: blue, pips: 3, moves: [\"E enters Ur ahead 1.5\"], after: (losses: (2, 0), lost: [], places: \
                  ((city: Taken), ()), ends: \"E Cv blue (3,7.125)-(2,7.125) S in=city; 'denizens of Ur' Den red \
                  (3,4.5)-(2,4.5) S d0.5\"))"
        .replace('\'', "\\\"");
    assert_eq!(faults(NEAR, &format!("{}, {enters}", sallies("1"))), Vec::<String>::new());
    let back = "(side: blue, pips: 1), (side: red, pips: 4, moves: [\"'denizens of Ur' enters Ur about then ahead 1\"], \
                after: (losses: (0, 0), ends: \"'denizens of Ur' Den red (2,7.75)-(3,7.75) N d0.5 in=city\"))"
        .replace('\'', "\\\"");
    assert_eq!(faults(NEAR, &format!("{}, {back}", sallies("1"))), Vec::<String>::new());
    let empty = faults(
        NEAR,
        &format!(
            "{}, (side: blue, pips: 1, combats: [(of: (\"E\", \"denizens of Ur\"), dice: (6, 1))])",
            sallies("1")
        ),
    );
    assert!(empty.len() == 1 && empty[0].contains("do not fight"), "{empty:?}");
}

#[test]
fn denizens_sally_where_friend_and_enemy_are_near_and_stay_near() {
    // Their front edge is 2 1/2 BW from the City after 2 BW, for they are 1/2 BW deep.
    let on = |mm: &str| {
        let more =
            format!("(side: red, pips: 3, moves: [\"'denizens of Ur' ahead {mm}\"])").replace('\'', "\\\"");
        faults(NEAR, &format!("{}, (side: blue, pips: 1), {more}", sallies("2")))
    };
    assert_eq!(on("0.5"), Vec::<String>::new());
    let far = on("0.6");
    assert!(far.len() == 1 && far[0].contains("dba3.city.15"), "{far:?}");
    for alone in NEAR.lines() {
        let refused = faults(alone, &sallies("1"));
        assert!(refused.len() == 1 && refused[0].contains("dba3.city.14"), "{refused:?}");
    }
}

#[test]
fn a_surrendered_city_has_no_sallies_and_whoever_comes_in_is_its_garrison() {
    let setup =
        "G Art blue (1.9,13)-(0.9,13) S\nA Cv blue (3.4,10)-(2.4,10) S\nF 4Sp red (4.5,4.5)-(5.5,4.5) N";
    let shot = "(side: red, pips: 1), (side: blue, pips: 1, shooting: [(at: \"denizens of Ur\", by: [\"G\"], dice: (6, 1), \
                lost: [])]), (side: red, pips: 1)";
    let sally =
        "(side: blue, pips: 6, moves: [\"'denizens of Ur' leaves Ur ahead 1\"])".replace('\'', "\\\"");
    let refused = faults(setup, &format!("{shot}, {sally}"));
    assert!(refused.len() == 1 && refused[0].contains("dba3.city.21"), "{refused:?}");
    let enters = "(side: blue, pips: 3, moves: [\"A enters Ur ahead 1\"], after: (losses: (2, 0), places: ((city: Taken), \
                  ())))";
    assert_eq!(faults(setup, &format!("{shot}, {enters}")), Vec::<String>::new());
    let revolts = faults(setup, &format!("{shot}, {enters}, (side: red, pips: 6, revolts: [\"Ur\"])"));
    assert!(revolts.len() == 1 && revolts[0].contains("enemy troops are in Ur"), "{revolts:?}");
}

#[test]
fn a_column_marches_through_its_city_for_a_pip_each() {
    let road = "ground road Via (2.5,0)-(2.5,15)\nA 4Sp red (2,6)-(3,6) N\nC 4Sp red (2,5.625)-(3,5.625) N";
    let march = "(side: red, pips: 2, moves: [\"A,C through Ur gate 2\"], after: (places: ((city: Own), ()), ends: \"A 4Sp red \
                 (2,9.75)-(3,9.75) N; C 4Sp red (2,9.375)-(3,9.375) N\"))";
    assert_eq!(faults(road, march), Vec::<String>::new());
    let poor = faults(road, &march.replace("pips: 2", "pips: 1"));
    assert!(poor.len() == 1 && poor[0].contains("this move costs 2"), "{poor:?}");
}

const FORT: &str =
    "ground fort Kot box (6,6)-(8,8) of=red gates (7,6)-(7,8)\nG 4Ax red (6.5,7.25)-(7.5,7.25) N in=fort\n";

#[test]
fn a_fort_is_left_and_entered_by_its_gates() {
    let setup = format!("{FORT}A Cv blue (7.5,9)-(6.5,9) S");
    let leaves = "(side: red, pips: 3, moves: [\"G leaves Kot gate 1 ahead 1\"], after: (ends: \"G 4Ax red \
                  (7.5,4.5)-(6.5,4.5) S\"))";
    let enters = "(side: blue, pips: 3, moves: [\"A enters Kot ahead 1\"], after: (lost: [], losses: (0, 0), ends: \"A Cv blue \
                  (7.5,6.625)-(6.5,6.625) S in=fort\"))";
    assert_eq!(faults(&setup, &format!("{leaves}, {enters}")), Vec::<String>::new());
    let held = faults(&setup, &format!("(side: red, pips: 1), {enters}"));
    assert!(held.len() == 1 && held[0].contains("it must be assaulted"), "{held:?}");
}

#[test]
fn a_fort_is_stormed_and_counts_for_its_garrison_alone() {
    // 3 and 6 are 9; Auxilia have 3 against mounted, 4 behind walls, and 1: 8.
    let setup = format!("{FORT}A Cv blue (7.5,8)-(6.5,8) S");
    let storm = "(side: red, pips: 1, combats: [(of: (\"A\", \"G\"), dice: (6, 1), totals: (9, 8), fates: (none, destroyed), \
                 lost: [\"G\"], ends: \"A Cv blue (7.5,7)-(6.5,7) S in=fort\")], after: (losses: (1, 0)))";
    assert_eq!(faults(&setup, storm), Vec::<String>::new());
    let misnamed = faults(&setup, &storm.replace("dice:", "occupies: \"A\", dice:"));
    assert!(misnamed.len() == 1 && misnamed[0].contains("Kot is no City"), "{misnamed:?}");
}
