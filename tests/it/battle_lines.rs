//! `groma battle --json`: what its lines say adds up, and is what the written battle says.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn groma(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma")).args(args).output().expect("groma runs")
}

fn battle(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/battles").join(name)
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines().map(|line| serde_json::from_str(line).expect("one object a line")).collect()
}

fn are<'v>(lines: &'v [Value], acts: &'v [&str]) -> impl Iterator<Item = &'v Value> {
    lines.iter().filter(|line| acts.iter().any(|act| line["act"] == *act))
}

#[test]
fn a_battle_is_told_act_by_act_in_lines_that_add_up() {
    for name in ["short.ron", "kot.ron", "ur.ron"] {
        let path = battle(name);
        let output = groma(&["battle", "--json", path.to_str().expect("a path")]);
        assert!(output.status.success(), "{name}");
        let lines = lines(&output);
        let mut lost: Vec<&str> = Vec::new();
        let mut fought = 0;
        for clash in are(&lines, &["shooting", "close_combat"]) {
            for side in ["a", "b"] {
                let parts = clash["factors"][side]["factors"].as_array().expect("figures");
                let parts: i64 = parts.iter().map(|m| m["value"].as_i64().expect("a figure")).sum();
                let sum = parts + clash["dice"][side].as_i64().expect("a die");
                assert_eq!(Some(sum), clash["totals"][side].as_i64(), "{name}: {clash}");
            }
            lost.extend(clash["lost"].as_array().expect("a list").iter().filter_map(Value::as_str));
            fought += 1;
        }
        assert!(fought > 5, "{name}: {fought}");
        for end in are(&lines, &["end_of_bound"]) {
            for side in ["red", "blue"] {
                let parts = end["losses"][side]["lines"].as_array().expect("lines");
                let sum: i64 = parts.iter().map(|l| l["counts"].as_i64().expect("a figure")).sum();
                assert_eq!(Some(sum), end["losses"][side]["total"].as_i64(), "{name}: {end}");
            }
        }
        let over = lines.last().expect("an end");
        assert_eq!((&over["act"], &over["as_written"]), (&Value::from("over"), &Value::from(true)), "{name}");
        assert_eq!(
            are(&lines, &["end_of_bound"]).last().map(|l| &l["victor"]),
            Some(&over["victor"]),
            "{name}"
        );
        assert_eq!(
            are(&lines, &["roll"]).count() as u64,
            over["bounds"].as_u64().expect("a number"),
            "{name}"
        );
        lost.sort_unstable();
        let known = lost.len();
        lost.dedup();
        assert_eq!(lost.len(), known, "{name}: nobody is lost twice");
    }
}

#[test]
fn a_base_that_is_not_one_base_width_wide_is_remarked_on() {
    let text = std::fs::read_to_string(battle("short.ron")).expect("the battle");
    let odd = text.replacen(
        "G 3Kn red general (280,160)-(320,160)mm N d30mm",
        "G 3Kn red general (276,160)-(324,160)mm N d30mm",
        1,
    );
    assert_ne!(odd, text);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.ron");
    std::fs::write(&path, odd).expect("written");
    let words = groma(&["battle", path.to_str().expect("a path")]);
    let told = String::from_utf8_lossy(&words.stdout).into_owned();
    assert!(told.contains("remark: G is 48.0 mm wide, where a base width is 40 mm"), "{told}");
    let output = groma(&["battle", "--json", path.to_str().expect("a path")]);
    let lines = lines(&output);
    let remarks = lines.last().expect("an end")["remarks"].to_string();
    assert!(remarks.contains("G is 48.0 mm wide"), "{remarks}");
}
