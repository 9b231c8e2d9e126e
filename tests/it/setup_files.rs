//! `groma setup` over a table file and rosters: the table, home terrain, aggression and each `//` come from them.

use std::path::Path;
use std::process::Command;

fn groma(arguments: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_groma")).args(arguments).output().expect("the program runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

fn write(dir: &Path, name: &str, text: &str) -> String {
    let path = dir.join(name);
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

/// Red brings HILLY with aggression 3 (sample/4), blue DRY or LITTORAL with 1 (sample/10).
fn files(dir: &Path) -> [String; 3] {
    let table = write(dir, "table.ron", groma::judge::samples::TABLE_RON);
    let [red, blue] = [("red", "sample/4"), ("blue", "sample/10")].map(|(side, key)| {
        let list = groma::rules::army_list::Key::read(key).expect("a key");
        let shelf = groma::rules::army_list::shipped();
        let army =
            groma::rules::army_list::Army::begun(list.clone()).filled(shelf.list(&list).expect("a list"));
        let out = dir.join(format!("{side}.ron")).display().to_string();
        let (code, _, told) = groma(&["army", "roster", &army.to_string(), "--side", side, "--out", &out]);
        assert_eq!(code, Some(0), "{told}");
        out
    });
    [table, red, blue]
}

#[test]
fn armies_and_table_come_from_their_files() {
    let dir = tempfile::tempdir().expect("a folder");
    let [table, red, blue] = files(dir.path());
    let run = |acts: &str, more: &[&str]| {
        let text = format!("(schema: 1, name: \"Before\", ruleset: \"dba3\", acts: [{acts}])");
        let file = write(dir.path(), "before.ron", &text);
        let mut arguments = vec!["setup", file.as_str()];
        arguments.extend_from_slice(more);
        groma(&arguments)
    };
    let with = ["--table", &table, "--roster", &red, "--roster", &blue];
    let (code, out, told) = run("", &with);
    assert_eq!(code, Some(0), "{told}");
    // One home terrain is taken; of two one is to be said.
    assert!(out.contains("red: brings an army of HILLY, aggression 3"), "{out}");
    assert!(out.contains("open: blue says which its home terrain is: DRY or LITTORAL"), "{out}");
    assert!(out.contains("next: blue says its army's home terrain"), "{out}");
    let (_, out, _) = run("(blue, Army(Littoral, 1)), (red, Roll(3)), (blue, Roll(4))", &with);
    // 3 and 3 against 4 and 1: blue's total is lower, and blue defends (dba3.setup.2).
    assert!(!out.contains("open:") && !out.contains("✗") && out.contains("next: blue defends"), "{out}");
    // What the list has not is told.
    let (_, out, _) = run("(blue, Army(Steppe, 4))", &with);
    assert!(out.contains("✗ army-lists.home.1: the home terrain of sample/10 is DRY or LITTORAL"), "{out}");
    assert!(out.contains("✗ army-lists.aggr.1: the aggression of sample/10 is 1"), "{out}");
    // Without a table nothing lies anywhere.
    let (code, _, told) = run("", &[]);
    assert!(code == Some(2) && told.contains("name the table file with --table"), "{told}");
}

#[test]
fn a_base_over_the_edge_and_on_another_is_a_fault_of_its_deployment() {
    let dir = tempfile::tempdir().expect("a folder");
    // The board's far edge is at 15 BW. Blue's A has its front edge half a base width (20 mm) past it and is 15 mm deep: 35 mm.
    // B stands on C, sideways by 20 mm: their 15 mm of depth are the shorter way apart.
    let text = "(schema: 1, name: \"Before\", ruleset: \"dba3\",
        table: \"A 4Bd blue (6,15.5)-(5,15.5) S; B 4Bd blue (8,13)-(7,13) S; C 4Bd blue (8.5,13)-(7.5,13) S; D 4Bd red (5,2)-(6,2) N\",
        acts: [(red, Army(Hilly, 1)), (blue, Army(Steppe, 3)), (red, Preset), (red, Roll(1)), (blue, Roll(4)),
            (blue, Edge(Far)), (red, NoCamp), (blue, NoCamp), (red, Deploy), (blue, Deploy)])";
    let file = write(dir.path(), "before.ron", text);
    let (code, out, told) = groma(&["setup", &file]);
    assert_eq!(code, Some(0), "{told}");
    for fault in ["✗ dba3.board.4: A hangs 35.0 mm", "✗ dba3.dep.1: B stands 15.0 mm deep on C"] {
        assert!(out.contains(fault), "{fault}: {out}");
    }
    assert!(!out.contains("D hangs") && !out.contains("D stands"), "{out}");
}

#[test]
fn two_features_of_one_name_are_refused_and_a_factor_over_four_is_a_fault() {
    let dir = tempfile::tempdir().expect("a folder");
    let with = |factor: &str, second: &str| {
        let text = format!(
            "(schema: 1, name: \"Before\", ruleset: \"dba3\", table: \"\",
            acts: [(red, Army(Hilly, {factor})),
                (red, Choose([(\"Ida\", Area(DifficultHill))], [({second}, Area(Wood))]))])"
        );
        groma(&["setup", &write(dir.path(), "before.ron", &text)])
    };
    // army-lists.aggr.1: a number from 0 to 4.
    for (factor, told) in [("4", false), ("5", true), ("9", true)] {
        let (code, out, error) = with(factor, "\"Beech\"");
        assert_eq!(code, Some(0), "{error}");
        assert_eq!(out.contains("✗ army-lists.aggr.1"), told, "{factor}: {out}");
        // dba3.terr.8: two or three.
        assert!(out.contains("1 optional feature; 2 or 3 are chosen"), "{out}");
    }
    let (code, _, told) = with("3", "\"Ida\"");
    assert!(code != Some(0) && told.contains("two features are called `Ida`"), "{told}");
}

#[test]
fn a_camp_that_was_put_down_is_told_once() {
    let dir = tempfile::tempdir().expect("a folder");
    let text = "(schema: 1, name: \"Before\", ruleset: \"dba3\",
        table: \"ground camp Tents box (1,0)-(3,1) of=red; D 4Bd red (5,2)-(6,2) N; A 4Bd blue (6,13)-(5,13) S\",
        acts: [(red, Army(Hilly, 1)), (blue, Army(Steppe, 3)), (red, Preset), (red, Roll(1)), (blue, Roll(4)),
            (blue, Edge(Far)), (red, Camp(\"Tents\")), (blue, NoCamp), (red, Deploy), (blue, Deploy)])";
    let (code, out, told) = groma(&["setup", &write(dir.path(), "before.ron", text)]);
    assert_eq!(code, Some(0), "{told}");
    let sides = out.split("camps and deployment").nth(1).expect("what is said of both sides");
    let lines = sides.lines().filter(|l| l.starts_with("  ✓ Tents") || l.starts_with("  ✗ Tents"));
    assert_eq!(lines.count(), 1, "{out}");
}
