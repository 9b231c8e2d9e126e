//! Everything that fights on a table: what must hold whatever stands where, and the commands that tell it.

use crate::transform::Transform;
use groma::geometry::{Footprint, Pose};
use groma::rules::combat::{Conditions, Odds, brief};
use groma::rules::due::{Change, Engagement, If, Told, changes, combats, due};
use groma::rules::{Bound, Element, Location, Overhang, Settings, Setup, Side};
use groma::units::Scale;
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Write;
use std::process::{Command, Output, Stdio};

const CODES: [&str; 12] = ["4Bd", "3Bd", "Ps", "SCh", "4Pk", "8Sp", "4Sp", "LH", "3Kn", "4Wb", "4Bw", "Cv"];

/// A base of two lines of six that face each other, a second rank behind either, or one about their flanks; each a
/// hair off its place, some further, some not there at all.
fn one(name: String, side: Side, file: f64, rank: usize) -> impl Strategy<Value = Option<Element>> {
    let off = prop_oneof![4 => (-0.3..0.3f64, -0.3..0.3f64), 1 => (-6.0..6.0f64, -6.0..6.0f64)];
    let turn = prop_oneof![4 => Just(0.0), 1 => -1.0..1.0f64, 1 => prop_oneof![Just(90.0), Just(-90.0), Just(180.0)]];
    let size = prop_oneof![3 => Just(15.0), 1 => Just(30.0)];
    (off, turn, size, 0..CODES.len(), 0..8u8).prop_map(move |((dx, dy), turn, depth, code, there)| {
        let ahead = if side == Side::Red { 1.0 } else { -1.0 };
        let heading = if side == Side::Red { 90.0 } else { 270.0 };
        let y = 300.0 - ahead * (depth / 2.0 + 15.0 * rank as f64);
        let pose = Pose::new(180.0 + 40.0 * file + dx, y + dy, heading + turn);
        (there != 0).then(|| Element {
            name: name.clone(),
            side,
            troop: CODES[code].to_owned(),
            footprint: Footprint::new(pose, 40.0, depth).expect("a good base"),
            general: name == "red 0 0",
            tower: false,
            overhang: Overhang::default(),
            location: Location::Board,
        })
    })
}

fn table() -> impl Strategy<Value = Setup> {
    let places = [Side::Red, Side::Blue]
        .into_iter()
        .flat_map(|side| (0..2usize).flat_map(move |rank| (0..6u8).map(move |file| (side, rank, file))));
    let all: Vec<_> = places
        .map(|(side, rank, file)| {
            one(format!("{} {rank} {file}", side.word()), side, f64::from(file), rank).boxed()
        })
        .collect();
    all.prop_map(|all| Setup::bare(Scale::SMALL, (600.0, 600.0), all.into_iter().flatten().collect()))
}

fn settings() -> impl Strategy<Value = Settings> {
    (0..3usize).prop_map(|which| match which {
        0 => Settings::dba3(),
        1 => Settings::community(Settings::dba3().ruleset().clone()),
        _ => Settings::dba3().with("side-support-front-corner", "false").expect("a choice"),
    })
}

/// Two elements, their totals, and how often each score and each fate of either comes.
type Figures = (String, String, (i32, i32), [u8; 5], Vec<u8>);

fn fates(odds: &Odds) -> [Vec<u8>; 2] {
    use groma::rules::ruleset::Fate::{Destroyed, Flee, None, Recoil};
    let all = [None, Recoil, Flee, Destroyed];
    [all.map(|f| odds.of_a(f)).to_vec(), all.map(|f| odds.of_b(f)).to_vec()]
}

fn figures(combat: &Engagement) -> Figures {
    let (a, b) = combat.names();
    let o = &combat.odds;
    let totals = (combat.brief.a.total(), combat.brief.b.total());
    let scores = [o.a_doubles, o.a_wins, o.equal, o.b_wins, o.b_doubles];
    (a.to_owned(), b.to_owned(), totals, scores, fates(o).concat())
}

/// The same combat told from the other side.
fn turned((a, b, (x, y), [ad, aw, eq, bw, bd], fates): Figures) -> Figures {
    (b, a, (y, x), [bd, bw, eq, aw, ad], [&fates[4..], &fates[..4]].concat())
}

fn all(setup: &Setup, settings: &Settings) -> BTreeSet<Figures> {
    combats(setup, settings, &Told::default()).combats.iter().map(figures).collect()
}

fn sides_swapped(setup: &Setup) -> Setup {
    let swapped = |e: &Element| Element { side: e.side.enemy(), ..e.clone() };
    Setup { elements: setup.elements.iter().map(swapped).collect(), ..setup.clone() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn odds_add_up_to_36_in_every_combat(setup in table(), settings in settings()) {
        let found = due(&setup, &settings, &Bound::new(3, Side::Red), &Told::default());
        let odds = found.combats.iter().map(|c| &c.odds).chain(found.volleys.iter().map(|v| &v.odds));
        for odds in odds {
            let scores = [odds.a_doubles, odds.a_wins, odds.equal, odds.b_wins, odds.b_doubles];
            prop_assert_eq!(scores.iter().sum::<u8>(), 36);
            for of_one in fates(odds) {
                prop_assert_eq!(of_one.iter().sum::<u8>(), 36);
            }
        }
    }

    #[test]
    fn sides_swapped_the_same_is_fought_the_other_way_round(setup in table(), settings in settings()) {
        let there: BTreeSet<Figures> = all(&setup, &settings);
        let back: BTreeSet<Figures> = all(&sides_swapped(&setup), &settings).into_iter().map(turned).collect();
        prop_assert_eq!(there, back);
    }

    #[test]
    fn a_mirror_changes_no_figure(setup in table(), settings in settings()) {
        let mirrored = Transform::mirrored(setup.board_mm).setup(&setup);
        prop_assert_eq!(all(&setup, &settings), all(&mirrored, &settings));
    }

    #[test]
    fn a_combat_read_from_those_near_it_is_the_one_read_from_all(setup in table(), settings in settings()) {
        for combat in combats(&setup, &settings, &Told::default()).combats {
            let (a, b) = combat.names();
            let whole = brief(&setup, &settings, &Conditions::default(), a, b).expect("a combat");
            prop_assert_eq!((&combat.brief.a, &combat.brief.b), (&whole.a, &whole.b));
        }
    }

    #[test]
    fn a_change_comes_true_where_it_is_made(setup in table()) {
        let settings = Settings::dba3();
        let told = Told::default();
        for combat in combats(&setup, &settings, &told).combats.iter().take(2) {
            for change in changes(&setup, &settings, &told, combat) {
                let Change { what: If::Gone(who), .. } = &change else { continue };
                let mut without = setup.clone();
                without.elements.retain(|e| e.name != *who);
                let (a, b) = combat.names();
                let found = brief(&without, &settings, &Conditions::default(), a, b).expect("a combat");
                prop_assert_eq!((found.a.total(), found.b.total()), (change.brief.a.total(), change.brief.b.total()));
            }
        }
    }
}

#[test]
fn the_tables_have_combats_to_look_at() {
    use proptest::strategy::ValueTree;
    use proptest::test_runner::TestRunner;
    let mut runner = TestRunner::deterministic();
    let found = (0..40).map(|_| table().new_tree(&mut runner).expect("a table").current());
    let of = |setup: Setup| combats(&setup, &Settings::dba3(), &Told::default()).combats.len();
    let fought: usize = found.map(of).sum();
    assert!(fought > 60, "{fought} combats on 40 tables");
}

fn groma(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_groma"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child.stdin.take().expect("an input").write_all(input.as_bytes()).expect("an open input");
    child.wait_with_output().expect("the program ends")
}

fn lines(args: &[&str], input: &str) -> Vec<Value> {
    let output = groma(args, input);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().map(|line| serde_json::from_str(line).expect("a JSON object a line")).collect()
}

const SETUP: &str = "A 4Pk red (5,5)-(6,5) N; B 4Pk red (9,5)-(10,5) N; E 4Bd blue (6,5)-(5,5) S; \
                     X 4Bw red (12,5)-(13,5) N; Y LH blue (13,7)-(12,7) S";

#[test]
fn a_tables_shooting_and_combats_are_told_in_json() {
    let found = lines(&["judge", "--due", "--json", "--setup", SETUP, "--bound", "blue 4"], "");
    let of = |what: &str| -> Vec<&Value> { found.iter().filter(|l| l["due"] == what).collect() };
    assert_eq!(of("bound")[0]["side"], "blue");
    let (combat, shot) = (of("close_combat"), of("shooting"));
    assert_eq!((combat.len(), shot.len()), (1, 1));
    assert_eq!((&combat[0]["a"], &combat[0]["b"]), (&Value::from("A"), &Value::from("E")));
    // Pikes 3 against foot, alone; Blades 5.
    assert_eq!(combat[0]["factors"]["a"]["total"], 3);
    assert_eq!(combat[0]["factors"]["b"]["total"], 5);
    assert_eq!((&shot[0]["a"], &shot[0]["b"]), (&Value::from("X"), &Value::from("Y")));
}

#[test]
fn odds_come_with_what_would_change_them() {
    let found = lines(&["odds", "--json", "--setup", SETUP], "");
    assert_eq!(found.len(), 1);
    let behind = found[0]["what_if"].as_array().expect("changes").iter().find(|c| c["if"] == "B behind A");
    let behind = behind.expect("a second rank of pikes");
    // + 3 for a second rank against foot (dba3.sup.4).
    assert_eq!(behind["totals"], serde_json::json!([6, 5]));
    let odds = &behind["odds_of_36"];
    let sum: u64 =
        ["a_doubles", "a_wins", "equal", "b_wins", "b_doubles"].iter().filter_map(|k| odds[k].as_u64()).sum();
    assert_eq!(sum, 36);
    // 6 against 5: beaten where the second die is two or more above the first, 10 of 36; alone, 3 against 5, in 26.
    let beaten = |odds: &Value| odds["b_wins"].as_u64().zip(odds["b_doubles"].as_u64()).map(|(w, d)| w + d);
    assert_eq!((beaten(odds), beaten(&found[0]["odds_of_36"])), (Some(10), Some(26)));
}

#[test]
fn a_session_of_dice_can_be_thrown_again() {
    let session = lines(&["dice", "--session", "--json"], "2\n\n5\n");
    assert_eq!(session.len(), 5);
    let seed = session[4]["session_seed"].as_str().expect("the session's seed");
    for (throw, count) in [(1, 2), (2, 1), (3, 5)] {
        let told = &session[throw];
        assert_eq!(told["dice"].as_array().map(Vec::len), Some(count));
        let (number, count) = (throw.to_string(), count.to_string());
        let again = lines(&["dice", "--json", "--seed", seed, "--throw", &number, "--count", &count], "");
        assert_eq!((&again[0]["dice"], &again[0]["seed"]), (&told["dice"], &told["seed"]));
        let own = told["seed"].as_str().expect("the throw's seed");
        assert_eq!(lines(&["dice", "--json", "--seed", own, "--count", &count], "")[0]["dice"], told["dice"]);
    }
    let committed = lines(&["dice", "--session", "--json", "--seed", seed], "");
    assert_eq!(committed[0]["commitment"], session[0]["commitment"]);
}

#[test]
fn wrong_use_is_told() {
    for (args, said) in [
        (vec!["judge", "--due"], "name a source"),
        (vec!["judge", "--due", "--setup", SETUP, "--bound", "green 3"], "--bound \"green 3\""),
        (vec!["judge", "--setup", SETUP], "--due"),
        (vec!["odds"], "name a source"),
        (vec!["dice", "--seed", "nonsense"], "\"nonsense\" is no seed"),
        (vec!["dice", "--throw", "1"], "--seed"),
    ] {
        let output = groma(&args, "");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(said), "{args:?}: {text}");
    }
}

#[test]
fn two_that_shoot_at_each_other_throw_once() {
    let told = |setup: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_groma"))
            .args(["judge", "--due", "--bound", "red 3", "--setup", setup])
            .output()
            .expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let duel = told("C 4Bw red (8,4)-(9,4) N; G 4Bw blue (9,6)-(8,6) S");
    assert_eq!(duel.matches("one throw settles this").count(), 1, "{duel}");
    // Blades answer nothing.
    assert!(!told("C 4Bw red (8,4)-(9,4) N; G 4Bd blue (9,6)-(8,6) S").contains("one throw"));
}
