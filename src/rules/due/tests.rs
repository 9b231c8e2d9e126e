use super::*;
use crate::rules::combat::{Conditions, Score, brief};
use crate::rules::notation;
use crate::rules::ruleset::Fate;

fn setup(text: &str) -> Setup {
    notation::read_setup(text, Settings::dba3().ruleset()).expect("a setup")
}

fn found(text: &str) -> Due {
    due(&setup(text), &Settings::dba3(), &Bound::new(3, Side::Red), &Told::default())
}

fn totals(found: &Due) -> Vec<(String, String, i32, i32)> {
    let told = |c: &Engagement| {
        let (a, b) = c.names();
        (a.to_owned(), b.to_owned(), c.brief.a.total(), c.brief.b.total())
    };
    found.combats.iter().map(told).collect()
}

const LINES: &str = "A 4Sp red general (5,5)-(6,5) N; B 4Sp red (6,5)-(7,5) N; C 4Pk red (7,5)-(8,5) N\n\
                     D 4Pk red (7,4.625)-(8,4.625) N; E 4Bd blue (6,5)-(5,5) S; F 3Kn blue (7,5)-(6,5) S\n\
                     G 4Bd blue (8,5)-(7,5) S; H Cv blue (9,5)-(8,5) S; K LH red (5,6)-(5,5) E";

#[test]
fn every_pair_of_two_lines_is_reckoned_with_what_stands_about_it() {
    // A: 4 + 1 for the general + 1 for B beside it. E: 5 - 1 for K on its right flank.
    // B: 4, Knights are no foot. F: 3.
    // C: 3 + 3 for D behind - 1 for H, which overlaps its right. G: 5.
    let expected = [("A", "E", 6, 4), ("B", "F", 4, 3), ("C", "G", 5, 5)];
    let expected: Vec<_> =
        expected.iter().map(|(a, b, x, y)| ((*a).to_owned(), (*b).to_owned(), *x, *y)).collect();
    let found = found(LINES);
    assert_eq!(totals(&found), expected);
    assert!(found.idle.is_empty() && found.faults.is_empty(), "{found:?}");
}

#[test]
fn what_is_left_out_of_a_combat_changes_nothing_of_it() {
    let (table, settings) = (setup(LINES), Settings::dba3());
    for combat in found(LINES).combats {
        let (a, b) = combat.names();
        let whole = brief(&table, &settings, &Conditions::default(), a, b).expect("a combat");
        assert_eq!((&combat.brief.a, &combat.brief.b), (&whole.a, &whole.b));
    }
}

#[test]
fn whoever_would_recoil_with_an_enemy_on_its_flank_is_destroyed() {
    let found = found(LINES);
    let combat = &found.combats[0];
    let wins = &combat.effects[Score::AWins as usize];
    assert_eq!((wins.b.fate, wins.b.clause.as_str()), (Fate::Destroyed, "dba3.rec.16"));
    // 6 against 4: A's die must not be two or more below E's: 36 less equal 4 and lost 6.
    assert_eq!((combat.odds.of_b(Fate::Destroyed), combat.odds.of_b(Fate::Recoil)), (26, 0));
}

#[test]
fn an_enemy_whose_own_opponent_has_gone_overlaps() {
    let two = "A 4Bd red (5,5)-(6,5) N; B 4Bd red (6,5)-(7,5) N; E 4Bd blue (6,5)-(5,5) S; F 4Bd blue (7,5)-(6,5) S";
    assert_eq!(totals(&found(two))[0].3, 5);
    let gone = "A 4Bd red (5,5)-(6,5) N; B 4Bd red (6,5)-(7,5) N; E 4Bd blue (6,5)-(5,5) S; F 4Bd blue (7,6)-(6,6) S";
    assert_eq!(totals(&found(gone))[0].3, 4);
}

#[test]
fn a_camp_is_assaulted_by_each_in_turn_with_the_others_still_there() {
    let camp = "ground camp C box (5,5)-(8,6) of=blue held=blue-civilians\n";
    // Camp followers: 2 against foot and 0 against mounted, + 2 for the camp, less 1 for each further assaulter.
    for (assaulters, expected) in [
        ("A 4Bd red (5,5)-(6,5) N", vec![(5, 4)]),
        ("A 4Bd red (5,5)-(6,5) N; B 4Ax red (6,5)-(7,5) N", vec![(5, 3), (3, 3)]),
        (
            "A 4Bd red (5,5)-(6,5) N; B 4Ax red (6,5)-(7,5) N; D 3Kn red (7,5)-(8,5) N",
            vec![(5, 2), (3, 2), (3, 0)],
        ),
    ] {
        let found = found(&format!("{camp}{assaulters}"));
        let told: Vec<(i32, i32)> = totals(&found).into_iter().map(|(_, _, a, b)| (a, b)).collect();
        assert_eq!(told, expected, "{assaulters}");
    }
}

#[test]
fn troops_that_no_element_stands_for_are_told_and_not_reckoned() {
    let found = found("ground fort F box (5,5)-(7,6) held=blue; A 4Bd red (5,5)-(6,5) N");
    assert_eq!(found.combats, []);
    assert_eq!(found.faults, [AskError::NobodyNamed { place: "F".to_owned() }]);
}

#[test]
fn shooting_is_reckoned_for_each_who_may_roll() {
    let found =
        found("X 4Bw red (9,5)-(10,5) N; Y 4Bw red (10,5)-(11,5) N; Z 3Kn blue general (10.5,7)-(9.5,7) S");
    let told: Vec<(&str, i32, i32)> = found
        .volleys
        .iter()
        .map(|v| (v.brief.a.name.as_str(), v.brief.a.total(), v.brief.b.total()))
        .collect();
    // 4 against mounted; Knights 3 when shot at, + 1 for the general, - 1 for the second shooter.
    assert_eq!(told, [("X", 4, 3), ("Y", 4, 3)]);
}

#[test]
fn assaulters_who_are_still_there_count_whoever_defends() {
    // 2 against foot, 2 for the camp, less 1 for the second assaulter (dba3.tac.16).
    let table = "A 4Bd red (5,5)-(6,5) N; B 4Ax red (6,5)-(7,5) N";
    for (held, inside, defender) in [
        ("held=blue-civilians", "", "camp followers of C"),
        ("held=blue-civilians", "; F CF blue (7,5.5)-(6,5.5) S in=camp", "F"),
    ] {
        let text = format!("ground camp C box (5,5)-(8,6) of=blue {held}\n{table}{inside}");
        let settings = Settings::dba3();
        let setup = notation::read_setup(&text, settings.ruleset()).expect("a setup");
        let found = brief(&setup, &settings, &Conditions::default(), "A", defender).expect("a combat");
        assert_eq!((found.a.total(), found.b.total()), (5, 3), "{text}");
    }
}

#[test]
fn who_did_not_conform_fights_as_though_overlapped_once_it_is_said() {
    let settings = Settings::dba3();
    let setup = |off: f64| {
        let text = format!("A 4Bd red (5,5)-(6,5) N; E 4Sp blue ({},5)-({},5) S", 6.0 + off, 5.0 + off);
        notation::read_setup(&text, settings.ruleset()).expect("a setup")
    };
    let found = |off: f64, refused: &[(&str, &str)]| {
        let refused = refused.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect();
        combats(&setup(off), &settings, &Told { refused, ..Told::default() })
    };
    // 12 mm from being lined up.
    let silent = found(0.3, &[]);
    assert!(silent.combats.is_empty());
    let told = &silent.undefended[0];
    assert!(told.clause == "dba3.cf.10" && told.text.contains("12.0 mm from being lined up"), "{told:?}");
    // Blades have 5 against foot, Spears 4; the contacted has one overlap more.
    let totals = |fought: &Fought| {
        let combat = &fought.combats[0];
        assert_eq!(combat.at, Where::Unconformed);
        (combat.names().0.to_owned(), combat.brief.a.total(), combat.brief.b.total())
    };
    assert_eq!(totals(&found(0.3, &[("A", "E")])), ("A".to_owned(), 5, 3));
    assert_eq!(totals(&found(0.3, &[("E", "A")])), ("E".to_owned(), 4, 4));
    assert!(found(0.3, &[("A", "E")]).undefended.is_empty());
    // Lined up they fight as everybody does, and apart not at all.
    assert_eq!(found(0.0, &[("A", "E")]).combats[0].at, Where::Open);
    let apart =
        notation::read_setup("A 4Bd red (5,5)-(6,5) N; E 4Sp blue (6,5.1)-(5,5.1) S", settings.ruleset());
    let refused = vec![("A".to_owned(), "E".to_owned())];
    let told = Told { refused, ..Told::default() };
    assert!(combats(&apart.expect("a setup"), &settings, &told).combats.is_empty());
}
