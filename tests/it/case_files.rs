//! Case files and written setups with mistakes in them: what is sound is judged, what is not is told, and what is odd
//! about a table is remarked on.

use std::path::PathBuf;
use std::process::{Command, Output};

/// A case, in a file of cases.
fn case(name: &str, setup: &str, ask: &str, more: &str) -> String {
    format!("(name: \"{name}\", setup: \"{setup}\", ask: {ask}, {more}),\n")
}

const FACING: &str = "A 4Sp red (5,5)-(6,5) N; E 4Bd blue (6,5)-(5,5) S";
const CONTACT: &str = "Geometry(contact_front, \"A\", \"E\")";
const YES: &str = "verdict: Yes, clauses: [\"dba3.con.4\"]";

struct Files {
    dir: tempfile::TempDir,
}

impl Files {
    fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a folder") }
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.dir.path().join(name);
        std::fs::write(&path, text).expect("it can be written");
        path
    }

    fn cases(&self, cases: &[String]) -> String {
        self.write("cases.ron", &file_of(cases)).display().to_string()
    }
}

fn file_of(cases: &[String]) -> String {
    format!("(schema: 1, ruleset: \"dba3\", cases: [\n{}])", cases.concat())
}

fn groma(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma")).args(args).output().expect("the program runs")
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn a_bad_case_is_told_and_the_others_of_its_file_are_judged() {
    let files = Files::new();
    let path = files.cases(&[
        case("first", FACING, CONTACT, YES),
        case("no such clause", FACING, CONTACT, "verdict: Yes, clauses: [\"dba3.cn.4\"]"),
        case("no such question", FACING, "Geometr(contact_front, \"A\", \"E\")", YES),
        case("no such troops", "A 4Sq red (5,5)-(6,5) N", CONTACT, YES),
        case("last", FACING, CONTACT, YES),
    ]);
    let (code, told, why) = said(&groma(&["cases", &path, "--all"]));
    assert_eq!(code, Some(1), "{told}{why}");
    for part in
        ["`first`: as expected", "`last`: as expected", "did you mean `dba3.con.4`?", "Geometr", "4Sq"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(told.contains("3 cases in 1 file, 1 differs"), "{told}");

    let (code, told, why) = said(&groma(&["judge", &path]));
    assert_eq!(code, Some(1));
    assert!(told.contains("first\n") && told.contains("last\n"), "{told}");
    assert!(
        why.contains("dba3.cn.4") && why.contains("Geometr") && why.contains("`no such troops`"),
        "{why}"
    );

    let out = files.dir.path().join("x.svg").display().to_string();
    let (code, told, why) = said(&groma(&["explain", &path, "--out", &out]));
    assert_eq!(code, Some(1));
    assert!(told.contains("x-01.svg: first") && told.contains("x-03.svg: last"), "{told}");
    assert!(why.contains("`no such troops`"), "{why}");
    assert!(files.dir.path().join("x-03.svg").exists() && !files.dir.path().join("x-02.svg").exists());
}

#[test]
fn a_field_that_means_nothing_there_is_named() {
    let files = Files::new();
    let more = "verdict: Yes, margin_mm: 3.0, totals: (1, 2), lost: [\"Nobody\"], clauses: [\"dba3.rec.1\"]";
    let ask = "Suffers(\"A\", Recoil, CloseCombat)";
    let path = files.cases(&[case("one", "A 4Sp red (5,5)-(6,5) N", ask, more)]);
    let (code, told, why) = said(&groma(&["cases", &path]));
    assert_eq!(code, Some(1), "{why}");
    let parts =
        ["`margin_mm`: this question has no margin", "are for `Combat`", "`lost` names `Nobody`, who is not"];
    for part in parts {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert!(!told.contains('{') && !told.contains('"') && told.contains("1 case in 1 file"), "{told}");
}

#[test]
fn bases_over_each_other_or_off_the_board_are_remarked_on() {
    let files = Files::new();
    let over = "A 4Sp red (5,0.1)-(6,0.1) N; E 4Bd blue (6,0)-(5,0) S d0.5";
    let path = files.cases(&[case("over", over, CONTACT, YES), case("beside", FACING, CONTACT, YES)]);
    let (_, told, _) = said(&groma(&["judge", &path, "--json"]));
    let lines: Vec<serde_json::Value> =
        told.lines().map(|line| serde_json::from_str(line).expect("one JSON object a line")).collect();
    let expected = ["A and E lie over each other by 4.0 mm", "A lies 11.0 mm off the board"];
    assert_eq!(lines[0]["remarks"], serde_json::json!(expected));
    assert_eq!(lines[1]["remarks"], serde_json::json!([]));
    let (code, told, _) = said(&groma(&["judge", "--between", "A", "E", "--setup", over]));
    assert_eq!(code, Some(0));
    assert!(told.contains("remark: A and E lie over each other by 4.0 mm"), "{told}");
}

#[test]
fn of_two_friends_it_is_said_that_they_are_friends() {
    let setup = "A 4Sp red (5,5)-(6,5) N; B 4Sp red (6,5)-(7,5) N";
    let (code, told, _) = said(&groma(&["judge", "--between", "A", "B", "--setup", setup]));
    assert_eq!(code, Some(0));
    assert!(told.contains("remark: A and B are friends"), "{told}");
    let (_, told, _) = said(&groma(&["judge", "--between", "A", "B", "--setup", setup, "--json"]));
    let last: serde_json::Value = serde_json::from_str(told.lines().last().expect("a line")).expect("JSON");
    assert!(last["remark"].as_str().is_some_and(|text| text.contains("friends")), "{told}");
}

#[test]
fn a_byte_order_mark_before_a_text_is_no_part_of_it() {
    let files = Files::new();
    let mark = "\u{FEFF}";
    let setup = files.write("setup.txt", &format!("{mark}{FACING}")).display().to_string();
    let (code, told, why) = said(&groma(&["judge", "--between", "A", "E", "--setup", &setup]));
    assert_eq!(code, Some(0), "{told}{why}");
    assert_eq!(
        said(&groma(&["judge", "--between", "A", "E", "--setup", &format!("{mark}{FACING}")])).0,
        Some(0)
    );
    let text = format!(
        "{mark}(schema: 1, ruleset: \"dba3\", cases: [{}])",
        case("marked", &format!("{mark}{FACING}"), CONTACT, YES)
    );
    let path = files.write("marked.ron", &text).display().to_string();
    assert_eq!(said(&groma(&["cases", &path])).0, Some(0));
    let event =
        format!("{mark}(schema: 1, event: \"E\", ruleset: \"dba3\", preset: \"community\", changes: [])");
    let event = files.write("event.ron", &event).display().to_string();
    let (code, _, why) = said(&groma(&["settings", "--event", &event]));
    assert_eq!(code, Some(0), "{why}");
}

#[test]
fn whom_nobody_can_reach_is_told_with_why() {
    let setup = "A 4Sp red (5,5)-(6,5) N; B 4Sp red (8,5)-(9,5) N; E 4Bd blue (6,14)-(5,14) S";
    let files = Files::new();
    let path = files.cases(&[
        case("friend", setup, "Reach(\"A\", \"B\", Front)", "verdict: No, clauses: [\"dba3.con.1\"]"),
        case(
            "far",
            setup,
            "Reach(\"A\", \"E\", Front)",
            "verdict: No, clauses: [\"dba3.dist.7\", \"dba3.dist.1\"]",
        ),
        case("self", setup, "Reach(\"A\", \"A\", Front)", "verdict: No, clauses: [\"dba3.con.1\"]"),
    ]);
    let (code, told, _) = said(&groma(&["cases", &path, "--all"]));
    assert_eq!(code, Some(1));
    assert!(told.contains("`friend`: as expected") && told.contains("`far`: as expected"), "{told}");
    assert!(told.contains("A is one of A"), "{told}");
}

#[test]
fn judge_fails_where_a_case_comes_out_otherwise_than_it_says() {
    let files = Files::new();
    let setup = "A 4Bd red (5,5)-(6,5) N; E 4Bd blue (6,9)-(5,9) S";
    let of = |rest: &str| {
        let path = files.cases(&[case("zone", setup, "Geometry(in_zone_of, \"A\", \"E\")", rest)]);
        said(&groma(&["judge", &path]))
    };
    // 4 base widths off A is in nobody's zone.
    assert_eq!(of("verdict: No, clauses: [\"dba3.tz.1\"]").0, Some(0));
    let (code, told, why) = of("verdict: Yes, clauses: [\"dba3.tz.1\"]");
    assert_eq!(code, Some(1));
    assert!(
        told.contains("zone\n") && why.contains("`zone`: not as the case says: expected yes"),
        "{told}{why}"
    );
    let known = "verdict: Yes, clauses: [\"dba3.tz.1\"], fails_because: \"it is to\"";
    assert_eq!(of(known).0, Some(0));
}

#[test]
fn no_line_of_a_ruling_on_several_moves_is_told_twice() {
    let files = Files::new();
    let setup = "A 4Sp red (5,5)-(6,5) N; B 4Sp red (8,5)-(9,5) N; E 4Bd blue (6,9)-(5,9) S";
    let ask = "Move(\"A ahead 3; B ahead 3\")";
    let path = files.cases(&[case("two", setup, ask, "verdict: No, clauses: [\"dba3.dist.7\"]")]);
    let (_, told, _) = said(&groma(&["judge", &path]));
    let lines: Vec<&str> = told.lines().collect();
    let once: std::collections::BTreeSet<&str> = lines.iter().copied().collect();
    assert!(lines.len() > 8 && once.len() == lines.len(), "{told}");
    let remedies = lines.iter().filter(|line| line.contains("legal if")).count();
    assert_eq!(remedies, 1, "{told}");
}

/// Runs the program with its stdout, and its stderr too if asked, closed at the other end from the start.
fn unheard(args: &[&str]) -> Option<i32> {
    let mut child = Command::new(env!("CARGO_BIN_EXE_groma"))
        .args(args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop((child.stdout.take(), child.stderr.take()));
    child.wait().expect("it ends").code()
}

#[test]
fn an_exit_code_is_the_same_where_nobody_reads_what_is_said() {
    let files = Files::new();
    let right =
        files.write("right.ron", &file_of(&[case("first", FACING, CONTACT, YES)])).display().to_string();
    let wrong = case("first", FACING, CONTACT, "verdict: No, clauses: [\"dba3.con.4\"]");
    let wrong = files.write("wrong.ron", &file_of(&[wrong])).display().to_string();
    for command in ["cases", "judge"] {
        assert_eq!(unheard(&[command, &right]), Some(0), "{command}");
        assert_eq!(unheard(&[command, &wrong]), Some(1), "{command}");
    }
    assert_eq!(unheard(&["army", "check", "sample/1: general 3Kn"]), Some(1));
    // An error that nobody hears is an error all the same, and no panic.
    assert_eq!(unheard(&["judge", "no-such-file.ron"]), Some(1));
    assert_eq!(unheard(&["combat", "4Sp", "4Xx"]), Some(2));
}
