//! The first run by its labels: from an empty folder to a first ruling on the simulated camera; what it says of a bad
//! picture; that it can be left, taken up again, and its folder moved.

use super::{click, has, keep_sizes, table, type_into, wait};
use egui::Theme;
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use groma::app::command::{Command, FirstField, FirstRunCommand, Step};
use groma::app::logic::Logic;
use groma::app::outside::{NamedFiles, OpenedFolder, Outside};
use groma::app::state::State;
use groma::app::window::Window;
use groma::app::worker::Pace;
use groma::cli::sim_scene::scene_from;
use groma::cli::window::outside;
use groma::judge::{Table, TableFolder, table_text};
use groma::rules::Settings;
use groma::session::Throws;
use groma::session::engine::Engine;
use groma::vision::FrameSource;
use groma::vision::sim::{Motion, SimSettings, SimulatedCamera, Upset};
use std::path::Path;
use std::sync::Arc;

/// A window that begins with the first run, in `folder`.
fn begun(outside: Outside, folder: &Path) -> Harness<'static, Window> {
    let setup = table::loaded(&NamedFiles::default(), table::opener_of_samples());
    let engine = Engine::new(setup.table.clone(), setup.roster.clone(), Settings::dba3());
    let state = State::new(engine, Throws::from_seed(7), Theme::Dark);
    let mut logic = Logic::new(state, setup, outside, Pace::EveryFrame);
    logic.open_first_run();
    let typed = FirstRunCommand::Type(FirstField::Folder, folder.display().to_string());
    logic.carry_out(Command::FirstRun(typed));
    super::harness(Window::new(logic))
}

fn say(harness: &mut Harness<'_, Window>, command: FirstRunCommand) {
    harness.state_mut().logic_mut().carry_out(Command::FirstRun(command));
    harness.step();
}

fn at(harness: &Harness<'_, Window>, step: Step) -> bool {
    harness.state().state().first_run().is_some_and(|page| page.step == step)
}

fn found(harness: &Harness<'_, Window>) -> Vec<String> {
    let page = harness.state().state().first_run().expect("the page is open");
    page.checks().iter().map(|check| format!("{}: {}", check.mark.word(), check.words)).collect()
}

#[test]
fn from_an_empty_folder_to_a_first_ruling_and_the_folder_can_be_moved() {
    let dir = tempfile::tempdir().expect("a folder");
    let folder = dir.path().join("club");
    let start = std::time::Instant::now();
    // For docs/walkthrough.md: what the machine takes for each step, without anybody's thinking and gluing.
    let walked = |step: &str| println!("{:6.1} s  {step}", start.elapsed().as_secs_f64());
    let mut harness = begun(outside(), &folder);
    assert!(has(&harness, "First run, step 1 of 7: The camera") && has(&harness, "Press \"Look\" to begin."));
    assert!(harness.get_by_label("Next").accesskit_node().is_disabled());
    click(&mut harness, "Simulated table");
    click(&mut harness, "Look");
    wait(&mut harness, "the picture", |h| has(h, "Good: The picture is light enough, and sharp."));
    assert!(has(&harness, "Good: 1920x1080 pixels."));
    keep_sizes("first-run-1", harness.state_mut());
    walked("1 camera");
    click(&mut harness, "Next");
    // The board of another size: the table file follows, and so does the simulated picture.
    assert!(
        at(&harness, Step::Board)
            && has(&harness, "Good: At 1920x1080 pixels this camera finds tags anywhere")
    );
    say(&mut harness, FirstRunCommand::Type(FirstField::Width, "wide".to_owned()));
    say(&mut harness, FirstRunCommand::Type(FirstField::Depth, "20".to_owned()));
    click(&mut harness, "Take these");
    assert!(has(&harness, "Width: expected 100 to 5000 mm, found \"wide\". Depth: expected 100"));
    say(&mut harness, FirstRunCommand::Type(FirstField::Width, "800".to_owned()));
    say(&mut harness, FirstRunCommand::Type(FirstField::Depth, "600".to_owned()));
    click(&mut harness, "Take these");
    wait(&mut harness, "the other board", |h| h.state().state().table().board_mm == (800.0, 600.0));
    assert!(folder.join("table-before-1.ron").is_file(), "the table before is kept");
    keep_sizes("first-run-2", harness.state_mut());
    walked("2 board");
    click(&mut harness, "Next");
    wait(&mut harness, "the tags", |h| has(h, "Good: All 8 reference tags are seen."));
    click(&mut harness, "Make the table's kit (PDF)");
    for paper in ["a4", "letter"] {
        let pdf = std::fs::read(folder.join(format!("table-kit-{paper}.pdf"))).expect("the kit");
        assert!(pdf.starts_with(b"%PDF"), "{paper}");
    }
    keep_sizes("first-run-3", harness.state_mut());
    // Corrected, and corrected again after a slip: from what was printed each time.
    let size = |folder: &Path| {
        let text = std::fs::read_to_string(folder.join("table.ron")).expect("the table");
        groma::judge::parse_table("table.ron", &text).map_err(|m| m.to_string()).expect("a table").reference
            [0]
        .size_mm
    };
    for (ruler, mm) in [("96", 38.4), ("99,5", 39.8)] {
        say(&mut harness, FirstRunCommand::Type(FirstField::Ruler, ruler.to_owned()));
        click(&mut harness, "Correct sizes");
        assert!((size(&folder) - mm).abs() < 1e-6, "{ruler}: {}", size(&folder));
    }
    walked("3 tags");
    click(&mut harness, "Next");
    assert!(at(&harness, Step::Lens));
    wait(&mut harness, "the lens", |h| has(h, "Good: This source knows its own lens"));
    walked("4 lens");
    click(&mut harness, "Skip");
    assert!(at(&harness, Step::Armies) && has(&harness, "Wrong: There is no red army yet."));
    for army in ["red", "blue"] {
        click(&mut harness, &format!("{}{} army", army[..1].to_uppercase(), &army[1..]));
        assert!(has(&harness, "0 of 12 elements, not legal yet"));
        click(&mut harness, "Fill up");
        assert!(has(&harness, "12 of 12 elements, legal"));
        if army == "red" {
            keep_sizes("first-run-5", harness.state_mut());
        }
        click(&mut harness, "Give out tags and save");
        wait(&mut harness, "the army", |h| has(h, &format!("Good: The {army} army has ")));
        click(&mut harness, "Print its kit");
        assert!(folder.join(format!("{army}-kit-a4.pdf")).is_file());
    }
    walked("5 armies");
    click(&mut harness, "Next");
    wait(&mut harness, "the bases", |h| found(h).iter().any(|c| c.contains(" bases are found")));
    keep_sizes("first-run-6", harness.state_mut());
    walked("6 bases");
    click(&mut harness, "Next");
    wait(&mut harness, "a ruling", |h| has(h, "this is your first ruling"));
    keep_sizes("first-run-7", harness.state_mut());
    walked("7 ruling");
    click(&mut harness, "Play");
    assert!(harness.state().state().first_run().is_none() && harness.state().state().own_files());
    drop(harness);
    // Nothing in the folder says where it was.
    let moved = dir.path().join("elsewhere");
    std::fs::rename(&folder, &moved).expect("it can be moved");
    for entry in std::fs::read_dir(&moved).expect("the folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_some_and(|e| e == "ron") {
            let text = std::fs::read_to_string(&path).expect("a text");
            assert!(
                !text.contains("club") && !text.contains(&dir.path().display().to_string()),
                "{}",
                path.display()
            );
        }
    }
    let opened = (outside().folder)(&moved).expect("it opens");
    assert_eq!(opened.source.as_deref(), Some("sim:60"));
    assert_eq!((opened.folder.step, opened.folder.ruler_mm), (7, Some(99.5)));
    assert_eq!(opened.folder.rosters, ["red.ron", "blue.ron"]);
    // Tags of both armies were made after the ruler was known: 12 mm printed are 11.94.
    let tags = opened.setup.roster.elements().iter().flat_map(|e| &e.tags);
    assert!(tags.clone().count() >= 24 && tags.clone().all(|t| (t.size_mm - 11.94).abs() < 1e-6));
    let mut source = (opened.setup.open)("sim:60").expect("the simulated table");
    assert!(source.next_frame().expect("a picture").is_some());
}

#[test]
fn the_run_is_left_and_taken_up_again_where_it_was() {
    let dir = tempfile::tempdir().expect("a folder");
    let mut harness = begun(outside(), dir.path());
    click(&mut harness, "Look");
    wait(&mut harness, "the picture", |h| has(h, "Good: 1920x1080 pixels."));
    click(&mut harness, "Next");
    click(&mut harness, "Next");
    assert!(at(&harness, Step::Tags));
    click(&mut harness, "Back");
    assert!(at(&harness, Step::Board));
    click(&mut harness, "Leave for now");
    assert!(harness.query_by_label("Leave for now").is_none() && has(&harness, "Open source"));
    click(&mut harness, "Open source");
    click(&mut harness, "First run");
    // It knows the folder that is in use.
    click(&mut harness, "Look");
    assert!(has(&harness, "is taken up again: it had come to step 3."));
    // Another window finds the same.
    drop(harness);
    let mut harness = begun(outside(), dir.path());
    click(&mut harness, "Look");
    assert!(has(&harness, "it had come to step 3."));
    wait(&mut harness, "the picture", |h| has(h, "Good: 1920x1080 pixels."));
    click(&mut harness, "Step 3: The reference tags");
    assert!(at(&harness, Step::Tags));
}

/// A table that a bad camera sees.
fn bad(settings: SimSettings, upset: Option<Upset>) -> Outside {
    let folder = move |dir: &Path| {
        let opened = (outside().folder)(dir)?;
        let (table, settings) = (opened.setup.table.clone(), settings.clone());
        let open: groma::app::logic::Opener = Arc::new(move |_| {
            let scene = scene_from(&table, &groma::judge::Roster::default(), 3).map_err(|e| e.to_string())?;
            let scene = upset.map_or(scene.clone(), |upset| scene.upset(upset));
            let settings = SimSettings { motion: Motion::Still, ..settings.clone() };
            let camera = SimulatedCamera::new(scene, settings, 3).map_err(|e| e.to_string())?;
            Ok(Box::new(camera) as Box<dyn FrameSource>)
        });
        Ok(OpenedFolder { setup: groma::app::outside::Setup { open, ..opened.setup }, ..opened })
    };
    Outside { folder: Arc::new(folder), ..outside() }
}

fn told(settings: SimSettings, upset: Option<Upset>, step: Step, words: &str) {
    let dir = tempfile::tempdir().expect("a folder");
    let mut harness = begun(bad(settings, upset), dir.path());
    click(&mut harness, "Look");
    wait(&mut harness, "the picture", |h| h.state().state().latest().is_some());
    say(&mut harness, FirstRunCommand::Go(step));
    wait(&mut harness, words, |h| found(h).iter().any(|check| check.contains(words)));
}

#[test]
fn a_bad_picture_is_told_in_plain_words() {
    let plain = SimSettings::profile("clean").expect("a profile");
    let dark = SimSettings { exposure: 0.004, ..plain.clone() };
    told(dark, None, Step::Camera, "Wrong: The picture is too dark");
    told(SimSettings { blur_px: 3.0, ..plain.clone() }, None, Step::Camera, "Wrong: The picture is blurred");
    told(plain.clone().with_size(640, 360), None, Step::Camera, "Mind: 640x360 pixels are few");
    let few = "Mind: reference tag";
    told(plain.clone().with_size(640, 360), None, Step::Tags, few);
    // The third reference tag lies at the far right.
    let tag = Table::bare((600.0, 600.0), groma::units::Scale::new(40.0).expect("a width")).reference[2].tag;
    let gone = Some(Upset::ReferenceGone { tag });
    told(plain, gone, Step::Tags, "Mind: 7 of 8 reference tags are seen. Not seen: 2 (far right)");
}

#[test]
fn a_folder_that_is_a_file_and_a_source_that_is_not_there_are_told() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("notes.txt");
    std::fs::write(&file, "x").expect("a file");
    let mut harness = begun(outside(), &file);
    click(&mut harness, "Look");
    assert!(has(&harness, "is a file: name a folder."));
    say(
        &mut harness,
        FirstRunCommand::Type(FirstField::Folder, dir.path().join("new").display().to_string()),
    );
    type_into(&mut harness, "Source: camera:0, a picture, a video, an address, or sim:60", "x");
    click(&mut harness, "Look");
    wait(&mut harness, "the refusal", |h| has(h, "sim:60x"));
    assert!(has(&harness, "There is no picture yet") || !found(&harness).is_empty());
}

#[test]
fn a_table_that_init_or_a_person_made_is_taken_up_as_it_is() {
    let dir = tempfile::tempdir().expect("a folder");
    let scale = groma::units::Scale::new(60.0).expect("a width");
    let own = table_text(&Table::bare((900.0, 900.0), scale), &["my own".to_owned()], |_| String::new());
    std::fs::write(dir.path().join("table.ron"), &own).expect("a file");
    let mut harness = begun(outside(), dir.path());
    click(&mut harness, "Look");
    wait(&mut harness, "the table", |h| h.state().state().table().board_mm == (900.0, 900.0));
    assert_eq!(std::fs::read_to_string(dir.path().join("table.ron")).expect("still there"), own);
    let text = std::fs::read_to_string(dir.path().join("groma.ron")).expect("the folder's file");
    let folder = groma::judge::parse_folder("groma.ron", &text).map_err(|m| m.to_string()).expect("it reads");
    assert_eq!(folder, TableFolder { source: Some("sim:60".to_owned()), ..TableFolder::default() });
}
