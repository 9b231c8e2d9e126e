//! `groma army`: lists, an army checked, rosters made.

use groma::judge::{Roster, RosterFile, parse_roster, samples};
use groma::rules::Ruleset;
use std::path::Path;
use std::process::Command;

/// Exit code, stdout, stderr.
fn groma(args: &[&str]) -> (Option<i32>, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_groma")).args(args).output().expect("the program runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn told(args: &[&str], code: i32, parts: &[&str]) {
    let (found, out, err) = groma(args);
    assert_eq!(found, Some(code), "{args:?}: {out}{err}");
    for part in parts {
        assert!(out.contains(part) || err.contains(part), "{args:?}: no {part:?} in {out}{err}");
    }
}

const OWN: &str = r#"(schema: 1, key: "mine/1", title: "Moor folk", general: "1xCv Captain", troops: ["11xLH Riders"],
    aggression: 2, home: dry, enemies: [], allies: [], books: [])"#;

#[test]
fn lists_of_a_folder_stand_beside_those_that_ship() {
    let dir = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).expect("a file");
    let folder = dir.path().to_str().expect("a plain path");
    write("moor.ron", OWN);
    write("army.ron", r#"(schema: 1, list: "mine/1", take: ["general Cv", "11xLH"], camp: "followers")"#);
    write("note.txt", "no list");
    let (code, out, _) = groma(&["army", "list", "--lists", folder]);
    assert_eq!((code, out.lines().count()), (Some(0), 13), "{out}");
    told(
        &["army", "show", "mine/1", "--lists", folder],
        0,
        &["Moor folk", "11xLH Riders", "Light horse, mounted"],
    );
    told(&["army", "show", "mine/1"], 2, &["no army list mine/1 is known"]);
    let army = dir.path().join("army.ron");
    told(
        &["army", "check", army.to_str().expect("a path"), "--lists", folder],
        0,
        &["legal: mine/1: general Cv, 11xLH"],
    );
    // A list that is not sound, and one whose key is taken, are told together.
    write("bad.ron", &OWN.replace("11xLH", "9xLH").replace("mine/1", "mine/2").replace("dry", "damp"));
    write("twice.ron", &OWN.replace("mine/1\"", "mine/1b\""));
    told(
        &["army", "list", "--lists", folder],
        1,
        &["bad.ron", "10 at most: 2 short", "army-lists.home.1", "twice.ron", "mine/1b clashes with mine/1"],
    );
    told(&["army", "list", "--lists", "nowhere"], 2, &["name a folder of army lists"]);
}

#[test]
fn an_army_is_checked_and_all_that_is_wrong_is_told() {
    told(
        &["army", "check", "sample/1: general 3Kn, El, 7x4Sp, 2x4Cb, 3Cb; no camp"],
        1,
        &["army-lists.gen.6", "7 of 4Sp", "3 too many", "army-lists.troop.3", "dba3.camp.1"],
    );
    told(&["army", "check", "sample/1: general 3Kw"], 2, &["column 19", "`3Kw` is no troop code"]);
    let (code, out, _) = groma(&["army", "check", "sample/1: general 3Kn", "--json"]);
    assert_eq!(code, Some(1));
    let each: Vec<serde_json::Value> =
        out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let short = each.iter().find(|f| f["clause"] == "army-lists.gen.7").expect("the total");
    assert_eq!((&short["off_by"], &short["holds"]), (&(-11).into(), &false.into()));
}

#[test]
fn two_rosters_made_beside_each_other_share_a_table() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name).to_str().expect("a plain path").to_owned();
    let (red, blue) = (path("red.ron"), path("blue.ron"));
    told(
        &["army", "roster", "sample/1", "--out", &red],
        2,
        &["leaves a choice", "2xCv Sergeants or 2xLH Border riders"],
    );
    assert!(!Path::new(&red).exists(), "nothing is written where a choice is open");
    let army = "sample/1: general 3Kn, LH, 3Cb, Ps";
    told(&["army", "roster", army, "--out", &red], 0, &["15 tags tag36h11 20 to 34"]);
    told(
        &["army", "roster", army, "--side", "blue", "--beside", &red, "--out", &blue],
        0,
        &["15 tags tag36h11 50 to 64"],
    );
    told(&["army", "check", "--roster", &red], 0, &["legal: sample/1: general 3Kn"]);
    told(&["army", "check", "--roster", &red, "--list", "sample/2"], 1, &["no entry of sample/2 has any"]);
    told(&["army", "check"], 2, &["ARMY"]);
    let files = [&red, &blue].map(|path| RosterFile {
        file: path.clone(),
        elements: parse_roster(path, &std::fs::read_to_string(path).expect("a roster")).expect("a roster"),
    });
    let both = Roster::of(&samples::table(), files.into(), &Ruleset::dba3()).expect("no clash");
    assert_eq!(both.elements().len(), 30);
    // What is there may hold what the jig measured: it is not replaced.
    told(
        &["army", "roster", army, "--side", "blue", "--beside", &red, "--out", &blue],
        2,
        &["it is there already"],
    );
    let other = path("other.ron");
    told(
        &["army", "roster", army, "--block", "1", "--beside", &red, "--out", &other],
        2,
        &["already used: tag36h11 20", "take another block"],
    );
    told(&["army", "roster", army, "--family", "tag25h9", "--out", &other], 2, &["35 ids", "take tag36h11"]);
    told(
        &["army", "roster", army, "--family", "tag25h9", "--first-id", "20", "--out", &other],
        0,
        &["20 to 34"],
    );
    told(
        &["army", "roster", "sample/1: general 3Kn, 5x4Sp", "--out", &path("none.ron")],
        1,
        &["1 too many", "no roster was written"],
    );
}
