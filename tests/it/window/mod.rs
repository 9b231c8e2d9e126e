//! The window by its labels, as somebody who cannot see it would use it. No display is needed.

mod army;
mod clock;
mod combat;
mod demo;
mod files;
mod first_run;
mod golden;
mod jig;
mod journal;
mod lens;
mod look;
mod moves;
mod photograph;
mod program;
mod public;
mod reach;
mod round;
mod session;
mod setting_up;
mod slip;
mod spot;
mod staged;
mod table;
mod terrain;
mod tray;

use egui::{Key, Theme};
use egui_kittest::kittest::{NodeT, Queryable};
use egui_kittest::{Harness, Node};
use groma::app::command::{Command, Layout};
use groma::app::offscreen::Offscreen;
use groma::app::state::Run;
use groma::app::window::Window;
use std::time::{Duration, Instant};

/// Nothing that the window works out takes so long.
const LONG: Duration = Duration::from_secs(60);

fn harness(window: Window) -> Harness<'static, Window> {
    Harness::builder()
        .with_size([1280.0, 720.0])
        .with_context_setup(groma::app::theme::install)
        .with_accessibility_check(true)
        .build_ui_state(
            |ui, window: &mut Window| {
                window.tick(Instant::now());
                assert!(window.logic_mut().settle(LONG), "something is worked out for more than a minute");
                window.show(ui);
            },
            window,
        )
}

fn on_the_table() -> Harness<'static, Window> {
    harness(table::window(Theme::Dark))
}

fn click(harness: &mut Harness<'_, Window>, label: &str) {
    // What has just appeared moves other things: a dialog is centred anew in the pass after.
    harness.run_steps(3);
    harness.get_by_label(label).click();
    // Where something turns while it waits, passes go on: the limit of steps is no fault.
    harness.run_ok();
}

fn type_into(harness: &mut Harness<'_, Window>, label: &str, text: &str) {
    harness.get_by_label(label).focus();
    harness.run();
    harness.get_by_label(label).type_text(text);
    harness.run();
}

/// Runs passes until `until` holds.
fn wait(harness: &mut Harness<'_, Window>, what: &str, until: impl Fn(&Harness<'_, Window>) -> bool) {
    let give_up = Instant::now() + Duration::from_secs(120);
    while !until(harness) {
        assert!(Instant::now() < give_up, "this did not come: {what}");
        std::thread::sleep(Duration::from_millis(10));
        harness.step();
    }
}

/// Leaves a picture of the window in the folder that GROMA_SHOTS names, to be looked at; nothing without one.
fn keep(name: &str, picture: &groma::vision::RgbImage) {
    let Some(dir) = std::env::var_os("GROMA_SHOTS") else { return };
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let image =
        image::RgbImage::from_raw(width, height, picture.data().to_vec()).expect("three bytes a pixel");
    let path = std::path::PathBuf::from(dir).join(format!("{name}-{width}x{height}.png"));
    image.save(path).expect("the picture can be written");
}

/// Leaves pictures of the window at several sizes.
fn keep_sizes(name: &str, window: &mut Window) {
    for (width, height) in [(900.0, 620.0), (1280.0, 720.0), (1600.0, 1250.0), (1920.0, 1080.0)] {
        let mut screen = Offscreen::new(width, height, 1.0);
        groma::app::theme::install(screen.context());
        for _ in 0..3 {
            screen.pass(Duration::from_millis(100), |ui| window.show(ui));
        }
        keep(name, &screen.picture());
    }
}

fn press(harness: &mut Harness<'_, Window>, key: Key) {
    harness.key_press(key);
    harness.run_steps(3);
}

fn has(harness: &Harness<'_, Window>, label: &str) -> bool {
    harness.query_all_by_label_contains(label).next().is_some()
}

fn pick(harness: &mut Harness<'_, Window>, first: &str, second: &str) {
    click(harness, &format!("Pick {first}"));
    click(harness, &format!("Pick {second}"));
}

#[test]
fn two_elements_are_picked_and_their_verdicts_read() {
    let mut harness = on_the_table();
    assert!(has(&harness, "Pick two elements"));
    pick(&mut harness, "Hastati 1", "Phalanx 1");
    harness.get_by_label("Is Hastati 1 in the threat zone of Phalanx 1? Yes");
    harness.get_by_label("Is Hastati 1 in contact with the front of Phalanx 1? No");
    let pair = harness.state().pair().expect("two are picked");
    // The askew base's corner is 40/2 sin 3 degrees nearer than its middle.
    let apart = table::APART_MM - 20.0 * 3f64.to_radians().sin();
    assert!((pair.distance.mm - apart).abs() < 0.4, "{} mm", pair.distance.mm);
    assert!(has(&harness, "mm \u{b1}"));
    // The reasons, with their clause.
    click(&mut harness, "Why: Is Hastati 1 in the threat zone of Phalanx 1?");
    assert!(has(&harness, "dba3.tz.1"));
    click(&mut harness, "Clear");
    assert!(has(&harness, "Pick two elements"));
}

#[test]
fn an_answer_is_overruled_and_written_down() {
    let mut harness = on_the_table();
    pick(&mut harness, "Hastati 1", "Phalanx 1");
    let zone = "Is Hastati 1 in the threat zone of Phalanx 1?";
    click(&mut harness, &format!("Why: {zone}"));
    click(&mut harness, &format!("Overrule: {zone} no"));
    assert!(has(&harness, "By overrule: no"));
    click(&mut harness, "Battle");
    assert!(has(&harness, &format!("Log 1. overrule: {zone} By overrule no; the program said yes, +")));
    click(&mut harness, "Rulings");
    click(&mut harness, &format!("Overrule: {zone} no"));
    assert!(!has(&harness, "By overrule: no"));
    harness.get_by_label(&format!("{zone} Yes"));
}

#[test]
fn who_is_lost_is_said_by_the_players_and_added_up() {
    let mut harness = on_the_table();
    click(&mut harness, "Battle");
    harness.get_by_label("Battle: Nobody has won: red has lost 0, blue 0, of 4");
    // A general counts two (dba3.vic.4).
    pick(&mut harness, "Strategos", "Elephants");
    click(&mut harness, "Strategos is lost");
    harness.get_by_label("Losses of blue: 2");
    click(&mut harness, "Elephants is lost");
    click(&mut harness, "Clear");
    pick(&mut harness, "Phalanx 1", "Hastati 1");
    click(&mut harness, "Phalanx 1 is lost");
    // Four, and more than the enemy (dba3.vic.1).
    harness.get_by_label("Battle: Red has won: blue has lost 4, red 0");
    assert!(has(&harness, "If the bound ended now."));
    keep_sizes("battle", harness.state_mut());
    click(&mut harness, "Phalanx 1 is not lost after all");
    harness.get_by_label("Battle: Nobody has won: red has lost 0, blue 3, of 4");
}

#[test]
fn elements_are_picked_on_the_board_and_let_go_with_escape() {
    let mut harness = on_the_table();
    click(&mut harness, "Hastati 2 on the board");
    click(&mut harness, "Libyans on the board");
    harness.get_by_label("Is Hastati 2 in contact with the front of Libyans? Yes");
    click(&mut harness, "Swap");
    harness.get_by_label("Is Libyans in contact with the front of Hastati 2? Yes");
    harness.key_press(Key::Escape);
    harness.run();
    assert!(harness.state().pair().is_none());
}

#[test]
fn a_click_on_the_picture_picks_what_lies_under_it() {
    let mut harness = on_the_table();
    let at = {
        let state = harness.state().state();
        let place = state.table().element("Libyans").and_then(|e| e.place.clone()).expect("it is seen");
        let centre = place.footprint.pose().centre;
        let camera = state.camera_model().expect("the camera is placed");
        camera.image_from_table(nalgebra::Point3::new(centre.x, centre.y, place.top_mm)).expect("in front")
    };
    // In the picture alone the whole frame fills the pane's width.
    click(&mut harness, "Show picture");
    let pane = harness.get_by_label("Camera picture").rect();
    let (width, _) = harness.state().state().picture_size().expect("a picture");
    let scale = pane.width() / width as f32;
    let point = pane.min + egui::vec2(at.x as f32 + 0.5, at.y as f32 + 0.5) * scale;
    harness.hover_at(point);
    harness.run();
    for pressed in [true, false] {
        harness.event(egui::Event::PointerButton {
            pos: point,
            button: egui::PointerButton::Primary,
            pressed,
            modifiers: egui::Modifiers::NONE,
        });
    }
    harness.run();
    assert_eq!(harness.state().state().selection()[0].as_deref(), Some("Libyans"));
}

#[test]
fn space_pauses_and_the_button_resumes() {
    let mut harness = on_the_table();
    harness.key_press(Key::Space);
    harness.run();
    assert_eq!(harness.state().state().source().run, Run::Paused);
    assert!(has(&harness, "(paused)"));
    // What was on its way may still arrive, late where the machine is busy; then nothing does.
    let mut reads = harness.state().state().reads();
    let mut still = 0;
    for _ in 0..40 {
        std::thread::sleep(Duration::from_millis(250));
        harness.run();
        let now = harness.state().state().reads();
        still = if now == reads { still + 1 } else { 0 };
        reads = now;
        if still == 4 {
            break;
        }
    }
    assert_eq!(still, 4, "frames go on while paused");
    click(&mut harness, "Resume");
    wait(&mut harness, "another frame", |h| h.state().state().reads() > reads);
}

#[test]
fn real_dice_are_typed_and_come_to_an_outcome() {
    let mut harness = on_the_table();
    pick(&mut harness, "Hastati 2", "Libyans");
    click(&mut harness, "Combat");
    // Blades 5 against spears 4, of which the overlap takes 1.
    harness.get_by_label("Factor of Hastati 2: 5");
    harness.get_by_label("Factor of Libyans: 3");
    type_into(&mut harness, "Die of Hastati 2", "6");
    type_into(&mut harness, "Die of Libyans", "1");
    click(&mut harness, "Use");
    harness.get_by_label("Hastati 2 threw 6");
    harness.get_by_label("Libyans threw 1");
    // 11 against 4: more than double.
    harness.get_by_label("Outcome: Libyans: destroyed");
    click(&mut harness, "Clear dice");
    assert!(!has(&harness, "Outcome:"));
}

#[test]
fn a_seven_is_refused_in_words_and_nothing_else_changes() {
    let mut harness = on_the_table();
    pick(&mut harness, "Hastati 2", "Libyans");
    click(&mut harness, "Combat");
    type_into(&mut harness, "Die of Hastati 2", "7");
    type_into(&mut harness, "Die of Libyans", "x");
    click(&mut harness, "Use");
    assert!(has(&harness, "Hastati 2: a die shows 1 to 6, not 7"));
    assert!(has(&harness, "Libyans: \"x\" is not a die"));
    assert!(!has(&harness, "Outcome:"));
}

#[test]
fn thrown_dice_show_their_seed_afterwards() {
    let mut harness = on_the_table();
    pick(&mut harness, "Hastati 2", "Libyans");
    click(&mut harness, "Combat");
    // SHA-256 of "7", the throws and their seeds by another program: SHA-256 and ChaCha20 written anew.
    assert!(has(&harness, "7902699be42c8a8e46fbbb4501726517e86b22c56a189f7625a6da49081b2451"));
    assert!(!has(&harness, "--seed"));
    click(&mut harness, "Throw dice");
    harness.get_by_label("Hastati 2 threw 1");
    harness.get_by_label("Libyans threw 1");
    assert!(has(
        &harness,
        "throw 1 of its session. Again: groma dice --seed 6a43c08dfdf21c84bc2c96d6596465ff --count 2"
    ));
    click(&mut harness, "Throw dice");
    harness.get_by_label("Hastati 2 threw 6");
    harness.get_by_label("Libyans threw 4");
    assert!(has(&harness, "groma dice --seed 6889cd974b4a436a260ff0efe7126226 --count 2"));
    assert!(!has(&harness, "Seed of the session before"));
    // It may stand below the fold.
    harness.get_by_label("End session, show seed").scroll_to_me();
    harness.run_ok();
    harness.get_by_label("End session, show seed").click_accesskit();
    harness.run_ok();
    assert!(has(&harness, "Seed of the session before, of 2 throws: 7"));
    assert!(has(&harness, "Throws of this session so far: 0"));
}

#[test]
fn a_source_that_is_not_there_is_told_and_the_old_table_stays() {
    let mut harness = on_the_table();
    let before = harness.state().state().table().clone();
    click(&mut harness, "Open source");
    type_into(&mut harness, "Source", "nowhere/at-all.jpg");
    click(&mut harness, "Open");
    wait(&mut harness, "the refusal", |h| has(h, "there is no such file"));
    assert!(has(&harness, "The present table is still shown."));
    let state = harness.state().state();
    assert_eq!(
        state.table().element("Libyans").map(|e| e.visibility),
        before.element("Libyans").map(|e| e.visibility)
    );
    assert_eq!(state.source().run, Run::Running);
    click(&mut harness, "Cancel");
    wait(&mut harness, "the dialog's end", |h| h.query_by_label("Source").is_none());
    assert!(has(&harness, "simulated table"));
}

#[test]
fn cameras_are_listed_on_request() {
    let mut harness = on_the_table();
    click(&mut harness, "Open source");
    click(&mut harness, "Find cameras");
    wait(&mut harness, "the list", |h| has(h, "A test's camera (camera:3)"));
}

#[test]
fn the_status_line_tells_what_was_read() {
    let harness = on_the_table();
    assert!(has(&harness, "tags seen 5 of 24"));
    assert!(has(&harness, "reference tags 8 of 8"));
    assert!(has(&harness, "residual 0."));
    assert!(has(&harness, "frames a second"));
    let missing: Vec<Node<'_>> = harness.query_all_by_label("not found").collect();
    assert_eq!(missing.len(), 19, "the elements that are not on the table");
}

#[test]
fn long_names_leave_the_panels_as_they_are_and_a_throw_is_seen_without_scrolling() {
    let wide = "W".repeat(40);
    let names = [("Hastati 2", wide.as_str()), ("Libyans", "Libyan spearmen of the African left wing")];
    let mut harness = harness(table::window_with_names(Theme::Dark, &names));
    pick(&mut harness, names[0].1, names[1].1);
    click(&mut harness, "Combat");
    let panel = harness.get_by_label("Combat").rect().left();
    click(&mut harness, "Throw dice");
    let screen = egui::Rect::from_min_size(egui::Pos2::ZERO, egui::vec2(1280.0, 720.0));
    let status = harness.get_by_label_contains("residual").rect().top();
    for (_, name) in names {
        for label in [format!("Factor of {name}: "), format!("{name} threw "), format!("{name}: ")] {
            for node in harness.query_all_by_label_contains(&label) {
                let (left, right) = (node.rect().left(), node.rect().right());
                assert!(left > panel - 200.0 && right < screen.right(), "{label} at {:?}", node.rect());
            }
        }
        let threw = harness.get_by_label_contains(&format!("{name} threw ")).rect();
        assert!(threw.bottom() < status, "{name}'s die at {threw:?} is below the fold");
    }
    let outcome = harness.get_by_label_contains("Outcome: ").rect();
    assert!(outcome.bottom() < status && screen.contains_rect(outcome), "the outcome at {outcome:?}");
    assert!(harness.get_by_label("Combat").rect().right() < 1280.0);
}

#[test]
fn every_button_is_reached_with_the_tab_key() {
    let mut harness = on_the_table();
    let mut reached = Vec::new();
    for _ in 0..60 {
        harness.key_press(Key::Tab);
        harness.run();
        let focused = harness
            .root()
            .children_recursive()
            .find(|n| n.is_focused())
            .and_then(|n| n.accesskit_node().label());
        reached.extend(focused);
    }
    for wanted in ["Pause", "Open source", "Show board", "Pick Hastati 1", "Rulings", "Combat"] {
        assert!(reached.iter().any(|r| r == wanted), "{wanted} is not among {reached:?}");
    }
}

#[test]
fn no_size_breaks_the_window() {
    let mut window = table::window(Theme::Dark);
    for command in [Command::Pick("Hastati 2".to_owned()), Command::Pick("Libyans".to_owned())] {
        window.logic_mut().carry_out(command);
    }
    for layout in [Layout::Both, Layout::Picture, Layout::Board] {
        window.logic_mut().carry_out(Command::Show(layout));
        for (width, height) in [(1.0, 1.0), (120.0, 90.0), (420.0, 2000.0), (3000.0, 120.0), (900.0, 1400.0)]
        {
            let mut screen = Offscreen::new(width, height, 1.0);
            groma::app::theme::install(screen.context());
            for _ in 0..2 {
                screen.pass(Duration::from_millis(100), |ui| window.show(ui));
            }
            let picture = screen.picture();
            assert_eq!((picture.width(), picture.height()), (width as usize, height as usize));
        }
    }
}
