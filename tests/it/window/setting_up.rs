//! The page 'Before the battle' by its labels: from the armies to the first bound, on the table as it is seen; and that what it
//! keeps is what `groma setup` reads.

use super::{click, has, keep_sizes, on_the_table, table, wait};
use egui::Theme;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, Page, SettingUpCommand};
use groma::app::offscreen::Offscreen;
use groma::app::outside::{NamedFiles, Setup};
use groma::app::window::Window;
use groma::judge::samples;
use groma::rules::Side;
use groma::rules::setting_up::Pick;
use groma::rules::setting_up::Written;
use groma::rules::setting_up::order::Act;
use groma::rules::terrain::{BoardEdge, TerrainKind};
use std::path::Path;
use std::time::Duration;

fn next(harness: &mut Harness<'_, Window>, words: &str) {
    wait(harness, words, |h| has(h, &format!("Next: {words}")));
}

fn say(harness: &mut Harness<'_, Window>, command: SettingUpCommand) {
    harness.state_mut().logic_mut().carry_out(Command::SettingUp(command));
    harness.step();
}

/// The window on a wall's screen of 3840 by 2160 points of the picture, two to a point of the page.
fn keep_large(name: &str, window: &mut Window) {
    if std::env::var_os("GROMA_SHOTS").is_none() {
        return;
    }
    let mut screen = Offscreen::new(1920.0, 1080.0, 2.0);
    groma::app::theme::install(screen.context());
    for _ in 0..3 {
        screen.pass(Duration::from_millis(100), |ui| window.show(ui));
    }
    super::keep(name, &screen.picture());
}

fn shots(name: &str, harness: &mut Harness<'_, Window>) {
    keep_sizes(name, harness.state_mut());
    keep_large(name, harness.state_mut());
}

#[test]
fn the_list_leads_from_the_armies_to_the_first_bound() {
    let mut harness = on_the_table();
    click(&mut harness, "Open source");
    click(&mut harness, "Before the battle");
    // The samples' roster names no army list: home and aggression are said.
    next(&mut harness, "Red says its army's home terrain and aggression factor.");
    assert!(has(&harness, "Red's roster names no army list"));
    click(&mut harness, "Aggression 1");
    click(&mut harness, "Home HILLY");
    next(&mut harness, "Blue says its army's home terrain");
    click(&mut harness, "Aggression 3");
    click(&mut harness, "Home STEPPE");
    next(&mut harness, "Red rolls a die for aggression.");
    harness.get_by_label("Armies: done");
    harness.get_by_label("Aggression: now");
    // 4 and 1 against 5 and 3: red's total is lower, and red defends (dba3.setup.2).
    click(&mut harness, "Die shows 4");
    next(&mut harness, "Blue rolls a die for aggression.");
    click(&mut harness, "Die shows 5");
    next(&mut harness, "Red defends and chooses");
    // Taken back and thrown by the program instead, with the seed to throw it again.
    click(&mut harness, "Take back the last");
    next(&mut harness, "Blue rolls a die for aggression.");
    click(&mut harness, "Throw it");
    wait(&mut harness, "the throw", |h| has(h, "Again: groma dice --seed"));
    click(&mut harness, "Take back the last");
    next(&mut harness, "Blue rolls a die for aggression.");
    click(&mut harness, "Die shows 5");
    next(&mut harness, "Red defends and chooses");
    shots("before-1-choose", &mut harness);
    click(&mut harness, "The organiser's terrain");
    next(&mut harness, "Blue invades and takes a base edge");
    click(&mut harness, "The far edge");
    for side in ["Red", "Blue"] {
        next(&mut harness, &format!("{side} puts down its camp"));
        click(&mut harness, "No camp");
    }
    next(&mut harness, "Red says whom it holds back");
    // No Waterway lies on the table: nobody may be held back (dba3.dep.7).
    click(&mut harness, "Hold back Triarii 1");
    click(&mut harness, "Red has deployed");
    next(&mut harness, "Blue says whom it holds back");
    assert!(has(&harness, "No Waterway lies on the table. dba3.dep.7"));
    assert!(has(&harness, "Red holds back Triarii 1."));
    click(&mut harness, "Blue has deployed");
    next(&mut harness, "The first bound is red's.");
    // The board's middle is at 300 mm. Hastati 2 stand at 240 mm, 15 mm deep: their front is 52.5 mm short of it, where 3 BW are
    // 120 mm (dba3.dep.3): 67.5 mm too far, as they are seen to a fraction of a millimetre.
    assert!(has(&harness, "No: Hastati 2"));
    let told = harness.state().state().setting_up().guided().expect("an answer").as_ref().expect("no error");
    let hastati = told.sides.iter().find(|t| t.name == "Hastati 2").expect("it is told of");
    let centre = hastati.against.iter().find(|(_, r)| r.clause == "dba3.dep.3").expect("it is against it");
    let mm = centre.1.margin.expect("it is measured").mm;
    assert!((mm + 67.5).abs() < 0.5, "{mm}");
    // Who is neither on the table nor held back is told of.
    assert!(has(&harness, "Triarii 2 is not on the table, and nobody said that it is held back"));
    shots("before-2-deployed", &mut harness);
    // Left and opened again, everything is as it was.
    click(&mut harness, "Back to the table");
    say(&mut harness, SettingUpCommand::Open);
    click(&mut harness, "Begin: watch the first bound");
    let state = harness.state().state();
    assert!(!state.setting_up().open && state.page() == Page::Moves && state.moves().marked());
    assert_eq!(state.moves().known().side, Some(Side::Red));
    let told: Vec<&str> = state.written().iter().map(|w| w.words.as_str()).collect();
    assert!(told.iter().any(|w| w.contains("before the battle: blue rolls 5 for aggression")), "{told:?}");
    assert!(state.losses().lost().is_empty());
    // Begun once more from the same page: the log does not say it all twice.
    let before = |h: &Harness<'static, Window>| {
        h.state().state().written().iter().filter(|w| w.words.starts_with("before the battle")).count()
    };
    let once = before(&harness);
    say(&mut harness, SettingUpCommand::Open);
    click(&mut harness, "Begin: watch the first bound");
    assert!(once > 0 && before(&harness) == once, "{once}");
}

/// A window over the ground of the example of setting up.
fn over_the_example() -> Harness<'static, Window> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hilly_against_steppe.ron");
    let text = std::fs::read_to_string(path).expect("the example");
    let example = Written::read("the example", &text).expect("it reads");
    let mut table = samples::table();
    assert_eq!(table.board_mm, example.setup.board_mm);
    table.ground = example.setup.ground;
    let setup = Setup { table, ..table::loaded(&NamedFiles::default(), table::opener_of_samples()) };
    super::harness(table::over(Theme::Dark, setup, table::outside()))
}

fn asked_of_the_program(file: &Path) -> serde_json::Value {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_groma"))
        .args(["setup", &file.display().to_string(), "--json"])
        .output()
        .expect("the program runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn terrain_is_chosen_diced_and_laid_and_the_program_reads_what_was_kept() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("before.ron");
    let mut harness = over_the_example();
    say(&mut harness, SettingUpCommand::Open);
    // As the example has it: 3 and 1 against 4 and 3.
    for (factor, home) in [(1, "HILLY"), (3, "STEPPE")] {
        wait(&mut harness, home, |h| {
            has(h, "says its army's home terrain") && h.state().state().setting_up().settled()
        });
        click(&mut harness, &format!("Aggression {factor}"));
        click(&mut harness, &format!("Home {home}"));
    }
    next(&mut harness, "Red rolls a die");
    say(&mut harness, SettingUpCommand::TypeFile(file.display().to_string()));
    say(&mut harness, SettingUpCommand::Save);
    assert!(has(&harness, "Written; each further act is written too."));
    click(&mut harness, "Die shows 3");
    next(&mut harness, "Blue rolls a die");
    click(&mut harness, "Die shows 4");
    next(&mut harness, "Red defends and chooses");
    // Nothing is chosen: one or two compulsory features are (dba3.terr.7).
    assert!(has(&harness, "0 compulsory features; 1 or 2 are chosen. dba3.terr.7"));
    // A feature that nobody has put down yet, by its kind.
    click(&mut harness, "Add Wood");
    assert!(has(&harness, "Wood 1 (Wood), not on the table yet"));
    click(&mut harness, "Ida compulsory");
    click(&mut harness, "Beech optional");
    click(&mut harness, "Styx optional");
    assert!(!has(&harness, "dba3.terr.7") && !has(&harness, "dba3.terr.8"));
    click(&mut harness, "Choose these");
    next(&mut harness, "Red rolls the die for the quarter of Ida.");
    click(&mut harness, "Die shows 2");
    next(&mut harness, "Red puts Ida down in quarter 2");
    shots("before-3-lay", &mut harness);
    click(&mut harness, "Ida lies as it is drawn");
    next(&mut harness, "Red rolls the die for the quarter of Beech.");
    // The wood lies at the right near the near edge: it is in no quarter but the fourth, counted clockwise from the near left.
    click(&mut harness, "Die shows 2");
    next(&mut harness, "Red puts Beech down in quarter 2");
    assert!(has(&harness, "No: Beech"));
    click(&mut harness, "Take back the last");
    next(&mut harness, "Red rolls the die for the quarter of Beech.");
    click(&mut harness, "Die shows 4");
    next(&mut harness, "Red puts Beech down in quarter 4");
    assert!(!has(&harness, "No: Beech"));
    click(&mut harness, "Beech lies as it is drawn");
    next(&mut harness, "Red rolls the die for the quarter of Styx.");
    // At a 6 the invader names it (dba3.place.5).
    click(&mut harness, "Die shows 6");
    next(&mut harness, "Blue names the quarter of Styx.");
    click(&mut harness, "Quarter 1");
    next(&mut harness, "Red puts Styx down in quarter 1");
    click(&mut harness, "Styx lies as it is drawn");
    next(&mut harness, "Blue invades and takes a base edge");
    click(&mut harness, "The far edge");
    next(&mut harness, "Red puts down its camp");
    // Blue's camp is not red's to put down.
    assert!(!has(&harness, "Camp Wagons"));
    click(&mut harness, "Camp Tents");
    next(&mut harness, "Blue puts down its camp");
    click(&mut harness, "Camp Wagons");
    next(&mut harness, "Red says whom it holds back");
    click(&mut harness, "Red has deployed");
    next(&mut harness, "Blue says whom it holds back");
    shots("before-4-half", &mut harness);
    let (needs, faults, acts) = {
        let page = harness.state().state().setting_up();
        let guided = page.guided().expect("an answer").as_ref().expect("no error");
        (guided.report.needs.clone(), guided.faults(), page.acts().to_vec())
    };
    assert!(acts.contains(&(
        Side::Red,
        Act::Choose(
            vec![("Ida".to_owned(), Pick::Area(TerrainKind::DifficultHill))],
            vec![("Beech".to_owned(), Pick::Area(TerrainKind::Wood)), ("Styx".to_owned(), Pick::River)],
        )
    )));
    assert!(acts.contains(&(Side::Blue, Act::Edge(BoardEdge::Far))));
    // Kept up with every act, without another word; bases are written as they stood then.
    let told = asked_of_the_program(&file);
    assert_eq!(told["needs"], serde_json::json!(needs));
    assert_eq!(told["faults"], serde_json::json!(faults));
    assert_eq!(told["acts"].as_array().map(Vec::len), Some(acts.len()));
    let written =
        Written::read("before.ron", &std::fs::read_to_string(&file).expect("the file")).expect("it reads");
    assert_eq!(written.acts, acts);
    assert_eq!(written.setup.ground, harness.state().state().engine().table().ground);
    // Another window takes it up.
    drop(harness);
    let mut harness = over_the_example();
    say(&mut harness, SettingUpCommand::Open);
    say(&mut harness, SettingUpCommand::TypeFile(file.display().to_string()));
    click(&mut harness, "Take it up");
    next(&mut harness, "Blue says whom it holds back");
    assert_eq!(harness.state().state().setting_up().acts(), acts);
    // A file of something else is told, and nothing is lost.
    say(&mut harness, SettingUpCommand::TypeFile(dir.path().join("none.ron").display().to_string()));
    say(&mut harness, SettingUpCommand::Read);
    assert!(has(&harness, "none.ron"));
    assert_eq!(harness.state().state().setting_up().acts(), acts);
    // Saved over a file that this window has not read or written: that one is put aside.
    let other = dir.path().join("other.ron");
    std::fs::write(&other, "somebody's own").expect("a file");
    say(&mut harness, SettingUpCommand::TypeFile(other.display().to_string()));
    say(&mut harness, SettingUpCommand::Save);
    assert_eq!(
        std::fs::read_to_string(dir.path().join("other-before-1.ron")).expect("kept"),
        "somebody's own"
    );
}
