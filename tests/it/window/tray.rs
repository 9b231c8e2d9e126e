//! Dice in a tray beside the table, read by the camera that looks at both: offered by label, accepted by key.

use super::staged::{Drawn, Stage, drawn, scene, until, window_drawn};
use super::{click, has, keep_sizes, press, table};
use egui::{Key, Theme};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, TrayCamera, TrayCommand};
use groma::app::state::TraySays;
use groma::app::window::Window;
use groma::session::play::Kind;
use groma::vision::dice::PixelRect;
use groma::vision::sim::{TrayDie, TrayScene};
use groma::vision::{Frame, RgbImage};
use nalgebra::Isometry3;
use std::sync::Arc;

/// In the picture's lower left corner, beside the board.
const AREA: PixelRect = PixelRect { left: 20, top: 820, width: 320, height: 240 };
const PX_PER_MM: f64 = 2.6;
const SIDE: f64 = 13.0;
const WHITE: [[u8; 3]; 2] = [[236, 234, 226], [22, 22, 24]];
const RED: [[u8; 3]; 2] = [[178, 24, 30], [242, 240, 236]];

/// What lies in the tray: value, place in millimetres from its middle, colours.
type Lies<'a> = &'a [(u8, [f64; 2], [[u8; 3]; 2])];

fn thrown(lies: Lies<'_>) -> RgbImage {
    let dice = lies.iter().enumerate().map(|(n, (value, [x, y], colours))| TrayDie {
        value: *value,
        middle_mm: [*x, *y, SIDE / 2.0],
        turn_deg: 20.0 + 33.0 * n as f64,
        lean_deg: [0.0, 0.0],
        side_mm: SIDE,
        colours: *colours,
        pip: 0.1,
        spread: 0.25,
        gloss: 0.0,
    });
    let scene = TrayScene {
        dice: dice.collect(),
        floor: [70, 92, 66],
        lamp: [0.3, 0.2, 1.0],
        aslant_deg: 6.0,
        distance_mm: 500.0,
        px_per_mm: PX_PER_MM,
        noise: 1.0,
        seed: 5,
    };
    scene.draw(AREA.width, AREA.height)
}

/// The frame with that in the tray, and a webcam's grain over it.
fn with_tray(frame: &Frame, tray: &RgbImage, n: usize) -> Frame {
    let mut colour = (**frame.colour.as_ref().expect("the camera sees colours")).clone();
    let columns = colour.width();
    for y in 0..AREA.height {
        let to = 3 * ((y + AREA.top) * columns + AREA.left);
        let from = 3 * y * AREA.width;
        for k in 0..3 * AREA.width {
            let grain = ((from + k).wrapping_mul(2_654_435_761).wrapping_add(n * 7919) >> 9) % 5;
            colour.data_mut()[to + k] = tray.data()[from + k].saturating_add(grain as u8);
        }
    }
    Frame { grey: Arc::new(colour.to_grey()), colour: Some(Arc::new(colour)), ..frame.clone() }
}

/// The sample table's small battle with each of these trays beside it.
fn beside(trays: Vec<RgbImage>) -> (Harness<'static, Window>, Stage) {
    let draw = move || -> Drawn {
        let (frames, lens) = drawn(&vec![(scene(&table::placements()), Isometry3::identity())]);
        let all = trays
            .iter()
            .map(|tray| frames[0].iter().enumerate().map(|(n, frame)| with_tray(frame, tray, n)).collect());
        (all.collect(), lens)
    };
    let (mut harness, stage) = window_drawn(draw);
    until(&mut harness, 40, |h| h.state().state().moves().marked());
    (harness, stage)
}

fn ask(harness: &mut Harness<'_, Window>, command: TrayCommand) {
    harness.state_mut().logic_mut().carry_out(Command::Tray(command));
    harness.run_steps(2);
}

fn mark(harness: &mut Harness<'_, Window>) {
    ask(harness, TrayCommand::Open);
    ask(harness, TrayCommand::Mark(AREA));
    ask(harness, TrayCommand::Close);
}

fn says(harness: &Harness<'_, Window>) -> TraySays {
    harness.state().state().tray().says()
}

fn pips(harness: &Harness<'_, Window>) -> Option<u8> {
    harness.state().state().moves().known().pips
}

/// So many frames go by.
fn frames(harness: &mut Harness<'_, Window>, count: usize) {
    let reads = harness.state().state().reads() + count as u64;
    until(harness, count + 2, |h| h.state().state().reads() >= reads);
}

fn offered(harness: &Harness<'_, Window>) -> bool {
    harness.state().state().tray().offer().is_some()
}

#[test]
fn a_tray_is_drawn_on_the_picture_and_its_die_is_the_pip_die_once_it_is_accepted() {
    let trays = vec![
        thrown(&[]),
        thrown(&[(4, [10.0, 5.0], WHITE)]),
        thrown(&[(4, [10.0, 5.0], WHITE), (2, [-25.0, -8.0], WHITE)]),
    ];
    let (mut harness, stage) = beside(trays);
    let folder = tempfile::tempdir().expect("a folder");
    let (journal, settings) = (folder.path().join("a.journal"), folder.path().join("window.ron"));
    harness.state_mut().logic_mut().keep_in(&journal).expect("a journal");
    harness.state_mut().logic_mut().keep_settings_in(settings.clone());
    press(&mut harness, Key::K);
    assert!(has(&harness, "No tray is marked."));
    let pane = harness.get_by_label("Picture with the tray").rect();
    let at = |x: usize, y: usize| pane.min + egui::vec2(x as f32, y as f32) * (pane.width() / 1920.0);
    let (from, to) = (at(AREA.left, AREA.top), at(AREA.left + AREA.width, AREA.top + AREA.height));
    let button = |pos, pressed| egui::Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    harness.hover_at(from);
    harness.run_steps(1);
    harness.event(button(from, true));
    harness.run_steps(1);
    for share in [0.3, 0.7, 1.0] {
        harness.hover_at(from + (to - from) * share);
        harness.run_steps(1);
    }
    harness.event(button(to, false));
    harness.run_steps(2);
    let tray = *harness.state().state().tray().tray().expect("a tray was drawn");
    let off = [
        tray.area.left.abs_diff(AREA.left),
        tray.area.top.abs_diff(AREA.top),
        tray.area.width.abs_diff(AREA.width),
        tray.area.height.abs_diff(AREA.height),
    ];
    assert!(off.iter().all(|px| *px <= 3) && tray.camera == TrayCamera::First, "{tray:?}");
    keep_sizes("tray-page", harness.state_mut());
    // Its floor alone, for what is drawn by hand may take in the rim.
    ask(&mut harness, TrayCommand::Mark(AREA));
    press(&mut harness, Key::Escape);
    until(&mut harness, 20, |h| says(h) == TraySays::Empty);
    stage.set(1);
    until(&mut harness, 20, |h| has(h, "Die in the tray: 4, confidence "));
    assert!(has(&harness, "Dice in the tray for the PIP die"));
    assert_eq!(pips(&harness), None, "nothing counts until it is accepted");
    keep_sizes("tray-pips", harness.state_mut());
    press(&mut harness, Key::Enter);
    assert_eq!(pips(&harness), Some(4));
    assert!(!offered(&harness));
    // It lies there still, and is not offered again; a second one is, and alone.
    frames(&mut harness, 12);
    assert!(!offered(&harness));
    stage.set(2);
    until(&mut harness, 20, offered);
    let offer = harness.state().state().tray().offer().expect("it is offered");
    assert_eq!(offer.dice.iter().map(|die| die.value).collect::<Vec<_>>(), [Some(2)]);
    press(&mut harness, Key::X);
    frames(&mut harness, 8);
    assert!(!offered(&harness) && pips(&harness) == Some(4));
    let kept = std::fs::read_to_string(&journal).expect("the journal");
    assert!(kept.contains(r#""pips_from":{"pips":4,"from":"camera"}"#), "{kept}");
    // Another day.
    let mut again = table::window(Theme::Dark);
    again.logic_mut().keep_settings_in(settings);
    assert_eq!(again.state().tray().tray().map(|tray| tray.area), Some(AREA));
}

#[test]
fn two_dice_are_put_right_and_swapped_by_key_and_known_by_their_colours_from_then_on() {
    let trays = vec![
        thrown(&[]),
        thrown(&[(2, [-20.0, 5.0], WHITE), (5, [25.0, -4.0], RED)]),
        thrown(&[(3, [-30.0, -12.0], RED), (1, [12.0, 14.0], WHITE)]),
    ];
    let (mut harness, stage) = beside(trays);
    mark(&mut harness);
    for name in ["Hastati 2", "Libyans"] {
        click(&mut harness, &format!("Pick {name}"));
    }
    click(&mut harness, "Combat");
    stage.set(1);
    until(&mut harness, 30, offered);
    assert!(has(&harness, "Dice in the tray for Hastati 2 against Libyans"));
    // The left one is red's until somebody says otherwise.
    assert!(has(&harness, "Die in the tray of red: 2") && has(&harness, "Die in the tray of blue: 5"));
    press(&mut harness, Key::Y);
    assert!(has(&harness, "Die in the tray of blue: 2") && has(&harness, "Die in the tray of red: 5"));
    press(&mut harness, Key::N);
    press(&mut harness, Key::Num6);
    assert!(has(&harness, "Die in the tray of red: 6, by hand"));
    keep_sizes("tray-combat", harness.state_mut());
    assert!(!has(&harness, "Outcome:"));
    press(&mut harness, Key::Enter);
    // 5 + 6 against 3 + 2: more than double.
    harness.get_by_label("Outcome: Libyans: destroyed");
    assert!(has(&harness, "Read by the camera, put right by hand."));
    let words: Vec<&str> = harness.state().state().written().iter().map(|w| w.words.as_str()).collect();
    let wanted = "Hastati 2 against Libyans: dice 6 and 2 (camera, put right by hand), 11 to 5: ";
    assert!(words.iter().any(|w| w.starts_with(wanted)), "{words:?}");
    click(&mut harness, "Clear dice");
    stage.set(2);
    until(&mut harness, 30, offered);
    assert!(has(&harness, "Die in the tray of red: 3") && has(&harness, "Die in the tray of blue: 1"));
}

/// Something brown from the right edge over half of the tray.
fn hand(tray: &RgbImage) -> RgbImage {
    let mut tray = tray.clone();
    for y in 60..190 {
        for x in 150..AREA.width {
            let at = 3 * (y * AREA.width + x);
            let rounded = ((x as f64 - 190.0) / 40.0).powi(2) + ((y as f64 - 125.0) / 65.0).powi(2) < 1.0;
            if x > 190 || rounded {
                tray.data_mut()[at..at + 3].copy_from_slice(&[198, 150, 120]);
            }
        }
    }
    tray
}

/// Half as bright to the left of a soft edge.
fn shadow(tray: &RgbImage) -> RgbImage {
    let mut tray = tray.clone();
    for y in 0..AREA.height {
        for x in 0..AREA.width {
            let share = 0.5 + 0.5 * ((x as f64 - 140.0) / 40.0).clamp(0.0, 1.0);
            let at = 3 * (y * AREA.width + x);
            tray.data_mut()[at..at + 3].iter_mut().for_each(|v| *v = (f64::from(*v) * share) as u8);
        }
    }
    tray
}

#[test]
fn a_hand_or_a_shadow_reads_nothing_and_a_die_that_cannot_be_read_is_told_with_its_reason() {
    let dice: Lies<'_> = &[(6, [-35.0, 5.0], WHITE)];
    let trays = vec![
        thrown(&[]),
        shadow(&thrown(&[])),
        hand(&thrown(&[])),
        hand(&thrown(dice)),
        thrown(dice),
        shadow(&thrown(dice)),
        // Half of the second lies beyond the tray's edge.
        thrown(&[dice[0], (3, [61.5, 0.0], WHITE)]),
    ];
    let (mut harness, stage) = beside(trays);
    mark(&mut harness);
    until(&mut harness, 20, |h| says(h) == TraySays::Empty);
    for covered in [1, 2, 3] {
        stage.set(covered);
        frames(&mut harness, 16);
        assert!(!offered(&harness), "tray {covered}: {:?}", harness.state().state().tray().offer());
    }
    assert_eq!(says(&harness), TraySays::Covered);
    stage.set(4);
    until(&mut harness, 20, |h| has(h, "Die in the tray: 6"));
    press(&mut harness, Key::X);
    stage.set(5);
    frames(&mut harness, 16);
    assert!(!offered(&harness), "it lies as it did: {:?}", harness.state().state().tray().offer());
    stage.set(6);
    until(&mut harness, 20, |h| has(h, "Die in the tray: not read: it lies at the edge of the tray"));
    assert!(has(&harness, "A die was not read: press 1 to 6"));
    keep_sizes("tray-refused", harness.state_mut());
    press(&mut harness, Key::Enter);
    assert_eq!(pips(&harness), None, "a die that was not read does not enter");
    press(&mut harness, Key::Num3);
    assert!(has(&harness, "Die in the tray: 3, by hand"));
    press(&mut harness, Key::Enter);
    assert_eq!(pips(&harness), Some(3));
}

#[test]
fn no_die_enters_without_an_accept_whatever_else_is_pressed() {
    let trays = vec![
        thrown(&[]),
        thrown(&[(4, [10.0, 5.0], WHITE)]),
        thrown(&[(2, [-20.0, 5.0], WHITE), (5, [25.0, -4.0], RED)]),
        thrown(&[(1, [-20.0, -5.0], WHITE), (6, [25.0, 14.0], RED), (3, [0.0, 20.0], RED)]),
        hand(&thrown(&[(4, [-35.0, 5.0], WHITE)])),
    ];
    let count = trays.len();
    let (mut harness, stage) = beside(trays);
    mark(&mut harness);
    for name in ["Hastati 2", "Libyans"] {
        click(&mut harness, &format!("Pick {name}"));
    }
    click(&mut harness, "Combat");
    let keys = [
        Key::Num1,
        Key::Num2,
        Key::Num3,
        Key::Num4,
        Key::Num5,
        Key::Num6,
        Key::N,
        Key::Y,
        Key::X,
        Key::K,
        Key::Space,
        Key::S,
        Key::Tab,
    ];
    let (mut chance, mut offers) = (9_u64, 0);
    let mut below = |n: usize| {
        chance = chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (chance >> 33) as usize % n
    };
    for _ in 0..24 {
        stage.set(below(count));
        frames(&mut harness, 7);
        for _ in 0..below(4) {
            offers += usize::from(offered(&harness));
            let key = keys[below(keys.len())];
            press(&mut harness, key);
            // Whatever it paused or opened is left again.
            match key {
                Key::Space | Key::K => press(&mut harness, key),
                _ => {}
            }
        }
        let state = harness.state().state();
        assert_eq!(state.moves().known().pips, None);
        assert!(state.outcome().is_none());
        let told = state.written().iter().find(|w| matches!(w.kind, Kind::Note | Kind::Outcome));
        assert!(told.is_none(), "{told:?}");
    }
    assert!(offers > 10, "dice were offered {offers} times only");
}
