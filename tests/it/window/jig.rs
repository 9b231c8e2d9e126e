//! The page on which bases are measured in the jig: photographs, and a camera that looks on.

use super::super::jig::{made, over_the_jig, photographs, roster, roster_text};
use super::super::table_pictures::lens;
use super::{click, harness, has, keep_sizes, table, wait};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use groma::app::command::{Command, JigCommand};
use groma::app::outside::{NamedFiles, Opener, Outside, Setup};
use groma::app::state::{JigPage, JigRun};
use groma::app::window::Window;
use groma::judge::parse_roster;
use groma::vision::source::open_source;
use groma::vision::{FrameSource, LensProfile};
use nalgebra::Point3;
use std::path::Path;
use std::sync::Arc;

/// The camera's places: as it stands for the game, and on the other side.
const EYES: [Point3<f64>; 2] = [Point3::new(-120.0, -180.0, 520.0), Point3::new(330.0, -60.0, 540.0)];

fn profile() -> LensProfile {
    LensProfile {
        device: None,
        camera: "A webcam".to_owned(),
        date: "2026-11-30".to_owned(),
        lens: lens(),
        residuals_px: vec![0.1; 100],
    }
}

/// Files and folders; and the first base in the jig, seen from one of two places.
fn opener() -> Opener {
    let on_the_table = table::loaded(&NamedFiles::default(), table::opener_of_samples()).open;
    Arc::new(move |spec| {
        let eye = match spec {
            "the test's table" => return on_the_table(spec),
            "camera, left" => EYES[0],
            "camera, right" => EYES[1],
            _ => return open_source(spec).map_err(|error| error.to_string()),
        };
        Ok(Box::new(over_the_jig(&made()[0], eye, 1.0, 7)) as Box<dyn FrameSource>)
    })
}

fn setup(named: &NamedFiles) -> Result<Setup, String> {
    let text = std::fs::read_to_string(&named.rosters[0]).map_err(|error| error.to_string())?;
    Ok(Setup { roster: roster(&text), lens: Some(profile()), ..table::loaded(named, opener()) })
}

/// The page over a roster file in `dir`.
fn page_over(dir: &Path) -> Harness<'static, Window> {
    let path = dir.join("roster.ron");
    std::fs::write(&path, roster_text()).expect("a file");
    let named = NamedFiles { table: Some(dir.join("table.ron")), rosters: vec![path], lens: None };
    let outside = Outside { load: Arc::new(setup), ..table::outside() };
    let window = table::over(egui::Theme::Dark, setup(&named).expect("a roster"), outside);
    let mut harness = harness(window);
    click(&mut harness, "Measure bases");
    harness
}

fn page<'h>(harness: &'h Harness<'_, Window>) -> &'h JigPage {
    harness.state().state().jig_page().expect("the page is open")
}

fn ask(harness: &mut Harness<'_, Window>, command: JigCommand) {
    harness.state_mut().logic_mut().carry_out(Command::Jig(command));
    harness.step();
}

#[test]
fn photographs_of_bases_are_measured_and_saved_in_their_roster() {
    let dir = tempfile::tempdir().expect("a folder");
    let pictures = dir.path().join("pictures");
    photographs(&pictures, &EYES, 0.98);
    let mut harness = page_over(dir.path());
    assert!(has(&harness, "Print the jig at 100 %"));
    ask(&mut harness, JigCommand::TypeSource(pictures.display().to_string()));
    ask(&mut harness, JigCommand::TypeRuler("50".to_owned()));
    click(&mut harness, "Start");
    assert!(has(&harness, "90 to 110") && page(&harness).run == JigRun::Choosing);
    ask(&mut harness, JigCommand::TypeRuler("98".to_owned()));
    click(&mut harness, "Start");
    let done =
        |p: &JigPage| made().iter().all(|m| p.measured.get(m.name).is_some_and(|f| f[0].pictures == 2));
    wait(&mut harness, "every base measured", |h| done(page(h)));
    for m in &made()[..2] {
        let found = page(&harness).measured[m.name][0];
        let off = (found.right_mm - m.offset_mm.0).hypot(found.forward_mm - m.offset_mm.1);
        assert!(off < 0.15, "{}: {off} mm off", m.name);
    }
    // The stalk that leans is told; a flat tag cannot lean.
    ask(&mut harness, JigCommand::ShowFigures("Leaning".to_owned()));
    assert!(has(&harness, "its stalk leans by 4 degrees"));
    ask(&mut harness, JigCommand::ShowFigures("Flat tag".to_owned()));
    assert!(!has(&harness, "leans by") && has(&harness, "Its width is 40."));
    ask(&mut harness, JigCommand::ShowFigures("Leaning".to_owned()));
    keep_sizes("jig", harness.state_mut());
    click(&mut harness, "Save in the roster");
    assert!(has(&harness, "Saved in"), "{:?}", page(&harness).saved);
    let text = std::fs::read_to_string(dir.path().join("roster.ron")).expect("a file");
    assert!(text.contains("// Leaning: measured with a ruler"), "comments stay:\n{text}");
    let glued = &parse_roster("roster.ron", &text).expect("a sound roster")[0].tags[0];
    assert!((glued.right_mm - 1.2).abs() < 0.15 && glued.lean_sigma_deg == 0.3, "{glued:?}");
    // What is judged from now on is the new roster.
    let serves = harness.state().state().engine().roster().element("Glued askew").map(|e| e.tags[0].right_mm);
    assert_eq!(serves, Some(glued.right_mm));
    click(&mut harness, "Back to the table");
    wait(&mut harness, "the table", |h| h.state().state().latest().is_some());
}

#[test]
fn a_camera_looks_on_and_two_pictures_tell_the_height() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut harness = page_over(dir.path());
    ask(&mut harness, JigCommand::Await(Some("Flat tag".to_owned())));
    ask(&mut harness, JigCommand::TypeSource("camera, left".to_owned()));
    click(&mut harness, "Start");
    // Another base than the one that is awaited is not taken.
    wait(&mut harness, "the base", |h| has(h, "This is Glued askew; Flat tag is awaited."));
    assert!(harness.get_by_label("Take picture").accesskit_node().is_disabled());
    ask(&mut harness, JigCommand::Await(None));
    wait(&mut harness, "rest", |h| has(h, "Glued askew in the jig: take a picture."));
    click(&mut harness, "Take picture");
    let pictures = |h: &Harness<'_, Window>| page(h).measured.get("Glued askew").map_or(0, |m| m[0].pictures);
    wait(&mut harness, "the first", |h| pictures(h) == 1);
    assert!(has(&harness, "One picture tells neither") && has(&harness, "move the camera to another side"));
    click(&mut harness, "Stop");
    ask(&mut harness, JigCommand::TypeSource("camera, right".to_owned()));
    click(&mut harness, "Start");
    wait(&mut harness, "rest", |h| page(h).ready().is_some());
    click(&mut harness, "Take picture");
    wait(&mut harness, "both", |h| pictures(h) == 2);
    let found = page(&harness).measured["Glued askew"][0];
    let off = (found.right_mm - 1.2).hypot(found.forward_mm + 0.9);
    assert!(off < 0.15 && found.height.is_some(), "{found:?}");
    assert!(has(&harness, "is measured: push in the next base"));
    click(&mut harness, "Forget");
    assert!(page(&harness).measured.is_empty() && has(&harness, "No picture of it yet."));
}
