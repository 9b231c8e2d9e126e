//! The journal in the window: what is undone is open again, and the file holds everything.

use super::staged::{scene, until, window};
use super::{click, has, keep_sizes};
use egui_kittest::Harness;
use groma::app::command::{Command, JournalCommand, LogCommand};
use groma::app::window::Window;
use groma::geometry::Pose;
use groma::session::engine::Engine;
use groma::session::journal::Found;
use groma::session::play::replay;
use groma::vision::sim::Placement;
use nalgebra::Isometry3;
use std::process;

/// The Consul and the Hastati on one side, a Phalanx far off; `y` is where the Hastati's centre is.
fn table(y: f64, consul: f64) -> Vec<Placement> {
    let places = [
        ("Consul", Pose::new(110.0, consul, 90.0)),
        ("Hastati 1", Pose::new(200.0, y, 90.0)),
        ("Phalanx 1", Pose::new(300.0, 470.0, 270.0)),
    ];
    places.map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).into()
}

fn found(harness: &Harness<'_, Window>, count: usize) -> bool {
    let table = harness.state().state().table();
    table.elements.iter().filter(|e| e.place.as_ref().is_some_and(|p| p.at_rest)).count() == count
}

fn ask(harness: &mut Harness<'_, Window>, command: JournalCommand) {
    harness.state_mut().logic_mut().carry_out(Command::Journal(command));
    harness.run_steps(2);
}

#[test]
fn a_move_is_undone_and_done_again_and_its_battle_is_kept_and_replayed() {
    let tables = [table(150.0, 160.0), table(200.0, 160.0), table(200.0, 220.0)];
    let (mut harness, stage) = window(tables.iter().map(|t| (scene(t), Isometry3::identity())).collect());
    until(&mut harness, 40, |h| found(h, 3));
    click(&mut harness, "Moves");
    until(&mut harness, 3, |h| has(h, "Nothing has moved since the mark."));
    click(&mut harness, "Bound of red");
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Hastati 1 moved 50.0 mm."));
    click(&mut harness, "Accept");
    assert!(has(&harness, "Over in this bound: 1 move, 1 PIP"));
    click(&mut harness, "Battle");
    assert!(has(&harness, "Log 1. move: Hastati 1 moved 50.0 mm, 1 PIP, legal"));
    assert!(has(&harness, "records in memory alone"));
    click(&mut harness, "Undo");
    assert!(!has(&harness, "Log 1. move"));
    click(&mut harness, "Moves");
    // It stands where it was moved to, and that is open again.
    until(&mut harness, 20, |h| has(h, "Move: Legal, 1 PIP"));
    assert!(has(&harness, "Hastati 1 moved 50.0 mm.") && !has(&harness, "Over in this bound"));
    click(&mut harness, "Battle");
    click(&mut harness, "Redo");
    assert!(has(&harness, "Log 1. move: Hastati 1 moved 50.0 mm, 1 PIP, legal"));
    // What is said while the battle is worked out again is said of the one that is gone back to.
    let logic = harness.state_mut().logic_mut();
    logic.carry_out(Command::Journal(JournalCommand::Undo));
    logic.carry_out(Command::Journal(JournalCommand::Redo));
    logic.carry_out(Command::Log(LogCommand::TypeNote("said meanwhile".to_owned())));
    logic.carry_out(Command::Log(LogCommand::Note));
    harness.run_steps(3);
    assert!(!harness.state().state().kept().going_back());
    let written: Vec<String> = harness.state().state().written().iter().map(|w| w.words.clone()).collect();
    assert_eq!(written.len(), 2, "{written:?}");
    assert!(
        written[0].starts_with("Hastati 1 moved 50.0 mm") && written[1] == "said meanwhile",
        "{written:?}"
    );
    click(&mut harness, "Undo");
    assert!(has(&harness, "Log 1. move: Hastati 1 moved 50.0 mm, 1 PIP, legal"));
    assert!(!has(&harness, "said meanwhile"));

    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("battle.journal");
    ask(&mut harness, JournalCommand::Keep);
    assert!(has(&harness, "Name a file that ends in .journal."), "{:?}", harness.state().state().kept());
    ask(&mut harness, JournalCommand::TypeFile(path.display().to_string()));
    ask(&mut harness, JournalCommand::Keep);
    assert!(has(&harness, "Journal: Kept in "), "{:?}", harness.state().state().kept());
    keep_sizes("journal", harness.state_mut());
    // What comes now is in the file at once.
    stage.set(2);
    click(&mut harness, "Moves");
    until(&mut harness, 40, |h| has(h, "Consul moved 60.0 mm."));
    click(&mut harness, "Next bound");
    until(&mut harness, 5, |h| h.state().state().written().len() == 3);
    let found = Found::read(&path).expect("whole");
    let engine = Engine::of_opened(found.opened()).expect("the samples");
    let replayed = replay(engine, &found.records).expect("its own looks");
    assert_eq!(replayed.differences, []);
    assert_eq!(replayed.play.written(), harness.state().state().written());
    let output = process::Command::new(env!("CARGO_BIN_EXE_groma"))
        .arg("replay")
        .arg(&path)
        .output()
        .expect("it runs");
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && told.contains("3 entries worked out again, 0 otherwise"), "{told}");
    assert!(
        told.contains("move: Consul moved 60.0 mm, 1 PIP, legal") && told.contains("blue bound begins"),
        "{told}"
    );
}
