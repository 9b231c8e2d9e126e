//! `groma keep`: a battle's journal without a window.

use std::path::Path;
use std::process::{Command, Output};

fn groma(dir: &Path, words: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma"))
        .current_dir(dir)
        .args(words.split_whitespace())
        .output()
        .expect("it runs")
}

fn good(dir: &Path, words: &str) -> String {
    let output = groma(dir, words);
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("words")
}

#[test]
fn a_journal_is_kept_without_a_window_and_gone_on_from() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    good(dir, "init files");
    std::fs::create_dir(dir.join("pictures")).expect("a folder for them");
    for frame in [0, 1] {
        good(dir, &format!("sim --seed 60 --frame {frame} --out pictures/{frame}.png"));
    }
    let keep = "keep --journal game.journal --source pictures";
    let told = good(dir, &format!("{keep} --table files/table.ron --roster files/roster.ron"));
    assert!(told.contains("The table is found, with "), "{told}");
    let size = || std::fs::metadata(dir.join("game.journal")).expect("a journal").len();
    let before = size();
    // Its table and roster are in it.
    good(dir, keep);
    assert!(size() > before, "what was seen later is kept too");
    good(dir, "replay game.journal");
}

#[test]
fn what_cannot_be_kept_is_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    let why = |words: &str, code: i32| {
        let output = groma(dir, words);
        assert_eq!(output.status.code(), Some(code), "{words}");
        String::from_utf8(output.stderr).expect("words")
    };
    assert!(why("keep --source sim:60", 2).contains("--journal FILE"));
    assert!(why("keep --journal g --minutes 0", 2).contains("above 0"));
    assert!(why("keep --journal g --minutes NaN", 2).contains("above 0"));
    assert!(why("keep --journal g --source nowhere.mp4", 2).contains("only the sample table is in use"));
    good(dir, "init files");
    let named = "--table files/table.ron --roster files/roster.ron";
    assert!(
        why(&format!("keep --journal h {named} --source nowhere.mp4"), 1).contains("there is no such file")
    );
}
