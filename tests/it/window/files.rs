//! Choosing other files in the window, and the certificate that lies beside a table file.

use super::table::FROM_THE_LEFT;
use super::{click, has, on_the_table, type_into, wait};
use egui_kittest::kittest::Queryable;
use groma::app::command::{BrowseCommand, Command};
use groma::app::state::Field;

#[test]
fn table_and_roster_are_chosen_from_a_list_and_taken_with_the_source() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["table.ron", "roster.ron", "bad.ron"] {
        std::fs::write(dir.path().join(name), "(schema: 1)").expect("a file");
    }
    let mut harness = on_the_table();
    click(&mut harness, "Open source");
    type_into(&mut harness, "Source", "the test's table");
    type_into(&mut harness, "Table file", &dir.path().join("nothing.ron").display().to_string());
    // The list begins where what is typed points to.
    click(&mut harness, "Browse for the table file");
    click(&mut harness, "bad.ron");
    let table = |h: &egui_kittest::Harness<'_, groma::app::window::Window>| {
        h.state().state().dialog().map(|d| d.table.clone()).unwrap_or_default()
    };
    assert!(table(&harness).ends_with("bad.ron"), "{}", table(&harness));
    click(&mut harness, "Open");
    assert!(has(&harness, "Name a table file and its roster together"));
    harness
        .state_mut()
        .logic_mut()
        .carry_out(Command::TypeFiles(Field::Rosters, dir.path().join("roster.ron").display().to_string()));
    click(&mut harness, "Open");
    assert!(has(&harness, "bad.ron:1:1: a mistake") && has(&harness, "The present table is still shown."));
    assert!(!harness.state().state().own_files());
    let good = BrowseCommand::Choose(dir.path().join("table.ron"));
    for command in [Command::Browse(BrowseCommand::For(Field::Table)), Command::Browse(good)] {
        harness.state_mut().logic_mut().carry_out(command);
    }
    click(&mut harness, "Open");
    wait(&mut harness, "the table", |h| h.state().state().dialog().is_none());
    assert!(harness.state().state().own_files());
    harness.run_steps(2);
    // A table file has a certificate or has none.
    harness.get_by_label("not checked: groma check");
}

#[test]
fn folders_are_walked_and_a_folder_of_pictures_is_a_source() {
    let dir = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(dir.path().join("photographs")).expect("a folder");
    let mut harness = on_the_table();
    click(&mut harness, "Open source");
    type_into(&mut harness, "Source", &dir.path().display().to_string());
    click(&mut harness, "Browse for the source");
    click(&mut harness, "photographs/");
    click(&mut harness, "Up");
    click(&mut harness, "photographs/");
    click(&mut harness, "All pictures of this folder");
    let typed = harness.state().state().dialog().map(|d| d.text.clone()).unwrap_or_default();
    assert!(typed.ends_with("photographs"), "{typed}");
}

#[test]
fn another_camera_stands_beside_the_first_and_may_fail_without_it() {
    let mut harness = on_the_table();
    let sigma = |h: &egui_kittest::Harness<'_, groma::app::window::Window>| {
        let table = h.state().state().table();
        let place = table.element("Hastati 2").and_then(|e| e.place.as_ref()).map(|p| p.sigma_mm);
        place.expect("it is seen")
    };
    let alone = sigma(&harness);
    click(&mut harness, "Open source");
    type_into(&mut harness, "Source", "the test's table");
    type_into(&mut harness, "Second camera", FROM_THE_LEFT);
    click(&mut harness, "Open");
    wait(&mut harness, "the second camera's part", |h| {
        let read = h.state().state().table().element("Hastati 2").is_some_and(|e| e.place.is_some());
        read && has(h, " with simulated table, seed 2") && sigma(h) < alone
    });
    assert!(told_of_the_table(&harness).is_empty(), "{:?}", told_of_the_table(&harness));
    // It is named again when the dialog opens, and one that cannot be opened costs the first nothing.
    click(&mut harness, "Open source");
    let second = harness.state().state().dialog().map(|d| d.second.clone());
    assert_eq!(second.as_deref(), Some(FROM_THE_LEFT));
    type_into(&mut harness, "Source", "the test's table");
    let nowhere = Command::TypeFiles(Field::Second, "nowhere.mp4".to_owned());
    harness.state_mut().logic_mut().carry_out(nowhere);
    click(&mut harness, "Open");
    wait(&mut harness, "the refusal", |h| has(h, "Second camera: "));
    assert!(has(&harness, "The first goes on alone.") && !has(&harness, " with simulated table"));
    wait(&mut harness, "the first camera's table", |h| {
        h.state().state().table().element("Hastati 2").is_some_and(|e| e.place.is_some())
    });
}

/// What the table's own cautions say.
fn told_of_the_table(harness: &egui_kittest::Harness<'_, groma::app::window::Window>) -> Vec<String> {
    harness.state().state().table_cautions()
}
