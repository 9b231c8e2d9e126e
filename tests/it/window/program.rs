//! The program itself, where there is no display.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn groma(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_groma"));
    for name in ["DISPLAY", "WAYLAND_DISPLAY", "WAYLAND_SOCKET"] {
        command.env_remove(name);
    }
    command.args(arguments).output().expect("the program runs")
}

#[cfg(target_os = "linux")]
#[test]
fn without_a_display_the_way_out_is_told_and_nothing_breaks() {
    for arguments in [&[][..], &["demo"], &["--source", "sim:3"]] {
        let output = groma(arguments);
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {told}");
        assert!(told.starts_with("groma: there is no display"), "{arguments:?}: {told}");
        assert!(told.contains("groma demo --headless"), "{arguments:?}: {told}");
    }
}

#[test]
fn a_display_that_refuses_is_told_without_a_trace() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_groma"));
    command.env("DISPLAY", ":64099").env_remove("WAYLAND_DISPLAY").env_remove("WAYLAND_SOCKET");
    if !cfg!(target_os = "linux") {
        return;
    }
    let output = command.output().expect("the program runs");
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{told}");
    assert!(told.contains("groma demo --headless") && !told.contains("panicked"), "{told}");
}

#[test]
fn the_demo_leaves_its_pictures_and_rulings() {
    let dir = tempfile::tempdir().expect("a folder");
    let out = dir.path().join("demo");
    let output = groma(&["demo", "--headless", "--out", &out.display().to_string()]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{told}");
    let said = String::from_utf8_lossy(&output.stdout);
    for name in ["1-table", "2-threat-zone", "3-contact", "4-combat", "5-hand", "6-board-light"] {
        let path = out.join(format!("{name}.png"));
        let picture = image::open(&path).expect("a picture");
        assert_eq!((picture.width(), picture.height()), (1920, 1080), "{name}");
        assert!(said.contains(&path.display().to_string()), "{name} is not said: {said}");
    }
    check_rulings(&out.join("rulings.jsonl"));
}

/// Each line is a ruling as `groma judge --json` prints it; the pictures show a threat zone that is
/// entered, and a contact.
fn check_rulings(path: &Path) {
    let text = std::fs::read_to_string(path).expect("the rulings");
    let rulings: Vec<Value> =
        text.lines().map(|l| serde_json::from_str(l).expect("an object a line")).collect();
    assert_eq!(rulings.len(), 14, "seven questions about each of two pairs");
    for ruling in &rulings {
        for key in ["question", "a", "b", "verdict", "margin_mm", "sigma_mm", "clause", "binding", "reasons"]
        {
            assert!(ruling.get(key).is_some(), "{key} is missing in {ruling}");
        }
    }
    let yes =
        |question: &str| rulings.iter().filter(|r| r["question"] == question).any(|r| r["verdict"] == "yes");
    assert!(yes("in_zone_of") && yes("contact_front"));
}
