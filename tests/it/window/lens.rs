//! The page on which a lens is calibrated, with a board held before the simulated camera.

use super::{click, has, on_the_table, wait};
use egui_kittest::kittest::{NodeT, Queryable};
use groma::app::command::{Command, LensCommand};
use groma::app::state::{LensRun, Run};

#[test]
fn a_lens_is_calibrated_saved_and_used() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("lens.ron");
    let mut harness = on_the_table();
    click(&mut harness, "Calibrate lens");
    assert!(has(&harness, "Print a board"));
    // A board that is none is told, and nothing starts.
    let ask = |harness: &mut egui_kittest::Harness<'_, groma::app::window::Window>, command| {
        harness.state_mut().logic_mut().carry_out(Command::Lens(command));
        harness.step();
    };
    ask(&mut harness, LensCommand::TypeBoard("chessboard:7x7:20".to_owned()));
    click(&mut harness, "Start");
    assert!(has(&harness, "columns and rows must differ"));
    click(&mut harness, "Chessboard");
    click(&mut harness, "Start");
    wait(&mut harness, "the first view", |h| has(h, "Calibration: Not yet"));
    assert!(harness.get_by_label("Save profile").accesskit_node().is_disabled());
    wait(&mut harness, "a good calibration", |h| has(h, "Calibration: Great"));
    assert!(has(&harness, "Nothing is missing"));
    let page = harness.state().state().lens_page().expect("the page is open").clone();
    let progress = page.progress().expect("views");
    let found = progress.calibration.as_ref().expect("a lens");
    assert!(progress.views >= 15 && found.rms_px < 0.3, "{} views, {} px", progress.views, found.rms_px);
    // The simulated camera's own field of view.
    assert!((found.lens.field_of_view_deg() - 71.0).abs() < 0.5, "{}", found.lens.field_of_view_deg());
    assert!(has(&harness, "Field of view") && has(&harness, "% covered"));
    ask(&mut harness, LensCommand::TypeFile(path.display().to_string()));
    ask(&mut harness, LensCommand::TypeCamera("The test's camera".to_owned()));
    ask(&mut harness, LensCommand::Save);
    assert!(has(&harness, "Saved as"));
    let text = std::fs::read_to_string(&path).expect("a profile");
    let kept = groma::vision::parse_lens_profile("lens.ron", &text).expect("a good profile");
    assert_eq!((kept.camera.as_str(), kept.lens.width), ("The test's camera", 640));
    assert!(!kept.residuals_px.is_empty());
    // The profile serves from now on; it is for another picture size than the table's camera has.
    ask(&mut harness, LensCommand::Use);
    wait(&mut harness, "the table again", |h| h.state().state().lens_page().is_none());
    let serves =
        |h: &egui_kittest::Harness<'_, groma::app::window::Window>| h.state().state().lens().is_some();
    assert!(serves(&harness));
    wait(&mut harness, "the refusal", |h| has(h, "640x360"));
}

#[test]
fn the_page_can_be_left_and_the_table_is_read_again() {
    let mut harness = on_the_table();
    click(&mut harness, "Calibrate lens");
    click(&mut harness, "Start");
    wait(&mut harness, "a picture", |h| h.state().state().lens_page().is_some_and(|p| p.looks() > 0));
    click(&mut harness, "Stop");
    let run = harness.state().state().lens_page().map(|page| page.run.clone());
    assert_eq!(run, Some(LensRun::Ended));
    assert!(has(&harness, "Start again"));
    click(&mut harness, "Back to the table");
    let reads = harness.state().state().reads();
    wait(&mut harness, "another reading", |h| h.state().state().reads() > reads);
    assert_eq!(harness.state().state().source().run, Run::Running);
    harness.get_by_label("Pick Hastati 1");
}

#[test]
fn a_profile_goes_nowhere_where_it_would_replace_another_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("table.ron");
    std::fs::write(&path, groma::judge::samples::TABLE_RON).expect("a file");
    let mut harness = on_the_table();
    click(&mut harness, "Calibrate lens");
    for command in [LensCommand::TypeFile(path.display().to_string()), LensCommand::Save] {
        harness.state_mut().logic_mut().carry_out(Command::Lens(command));
    }
    let saved = |h: &egui_kittest::Harness<'_, groma::app::window::Window>| {
        h.state().state().lens_page().and_then(|page| page.saved.clone())
    };
    assert!(matches!(saved(&harness), Some(Err(words)) if words.contains("no lens yet")));
    click(&mut harness, "Start");
    wait(&mut harness, "a lens", |h| {
        let page = h.state().state().lens_page();
        page.and_then(|p| p.progress()).is_some_and(|p| p.calibration.is_some())
    });
    harness.state_mut().logic_mut().carry_out(Command::Lens(LensCommand::Save));
    assert!(matches!(saved(&harness), Some(Err(words)) if words.contains("not a lens profile")));
    let text = std::fs::read_to_string(&path).expect("still there");
    assert_eq!(text, groma::judge::samples::TABLE_RON);
}
