//! A battle that is followed without a word: bounds, carrying on, and where bases are to stand, by label.

use super::staged::{scene, until, window};
use super::{click, has, keep_sizes, press};
use egui::Key;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, FightCommand, Page};
use groma::app::window::Window;
use groma::geometry::Pose;
use groma::rules::Side;
use groma::session::play::FightKind;
use groma::vision::sim::Placement;
use nalgebra::Isometry3;

/// Hastati and Phalanx at these places, and two who stand by.
fn table(hastati: (f64, f64), phalanx: (f64, f64)) -> Vec<Placement> {
    let places = [
        ("Consul", Pose::new(110.0, 160.0, 90.0)),
        ("Hastati 1", Pose::new(hastati.0, hastati.1, 90.0)),
        ("Phalanx 1", Pose::new(phalanx.0, phalanx.1, 270.0)),
        ("Strategos", Pose::new(480.0, 470.0, 270.0)),
    ];
    places.map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).into()
}

fn staged(tables: &[Vec<Placement>]) -> (Harness<'static, Window>, super::staged::Stage) {
    let (mut harness, stage) = window(tables.iter().map(|t| (scene(t), Isometry3::identity())).collect());
    until(&mut harness, 40, |h| h.state().state().moves().marked());
    click(&mut harness, "Moves");
    (harness, stage)
}

fn side(harness: &Harness<'_, Window>) -> Option<Side> {
    harness.state().state().moves().side()
}

#[test]
fn a_bound_begins_with_its_side_s_first_move_and_a_key_carries_on_from_the_table_as_it_stands() {
    let (mut harness, stage) = staged(&[
        table((200.0, 150.0), (300.0, 470.0)),
        table((200.0, 200.0), (300.0, 470.0)),
        table((200.0, 200.0), (300.0, 430.0)),
        table((420.0, 90.0), (80.0, 300.0)),
    ]);
    assert!(has(&harness, "Nothing has moved"));
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Hastati 1 moved 50.0 mm."));
    assert_eq!(side(&harness), Some(Side::Red));
    stage.set(2);
    until(&mut harness, 40, |h| has(h, "Phalanx 1 moved 40.0 mm."));
    assert_eq!(side(&harness), Some(Side::Blue));
    // Where the bound began: the Phalanx is to go back 40 mm.
    press(&mut harness, Key::S);
    assert!(has(&harness, "Phalanx 1 is to go 40 mm, to its outline."));
    assert!(!has(&harness, "Hastati 1 is to go"));
    keep_sizes("start", harness.state_mut());
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "All stand where the bound began."));
    press(&mut harness, Key::S);
    stage.set(3);
    until(&mut harness, 40, |h| {
        let table = h.state().state().table();
        let at = table.element("Phalanx 1").and_then(|e| e.place.as_ref());
        at.is_some_and(|p| p.at_rest && p.footprint.pose().centre.x < 100.0)
    });
    press(&mut harness, Key::C);
    harness.get_by_label_contains("Whose bound is it?");
    assert!(has(&harness, "Nobody is taken for lost."));
    keep_sizes("carry-on", harness.state_mut());
    press(&mut harness, Key::R);
    assert_eq!(side(&harness), Some(Side::Red));
    assert!(has(&harness, "Nothing has moved") && !has(&harness, "Whose bound is it?"));
    click(&mut harness, "Battle");
    assert!(has(&harness, "carried on from the table as it stands, red bound; nobody is taken for lost"));
}

/// The window on a large screen, kept as a picture.
fn keep_large(name: &str, window: &mut Window) {
    let mut screen = groma::app::offscreen::Offscreen::new(1920.0, 1080.0, 2.0);
    groma::app::theme::install(screen.context());
    for _ in 0..3 {
        screen.pass(std::time::Duration::from_millis(100), |ui| window.show(ui));
    }
    super::keep(name, &screen.picture());
}

#[test]
fn game_mode_tells_at_a_glance_and_as_much_as_the_players_want() {
    let (mut harness, stage) =
        staged(&[table((200.0, 150.0), (300.0, 470.0)), table((200.0, 200.0), (300.0, 470.0))]);
    press(&mut harness, Key::G);
    assert!(has(&harness, "Who moves first begins"));
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Red's bound"));
    assert!(has(&harness, "Hastati 1 moved 50.0 mm.") && has(&harness, "PIP die not told, 1 spent"));
    click(&mut harness, "PIP die 4");
    assert!(has(&harness, "3 of 4 PIPs left"));
    harness.get_by_label("Losses of red: 0");
    assert!(has(&harness, "Due this bound"));
    keep_sizes("game", harness.state_mut());
    keep_large("game-large", harness.state_mut());
    click(&mut harness, "Assistance quiet");
    assert!(!has(&harness, "Due this bound") && has(&harness, "Hastati 1 moved 50.0 mm."));
    click(&mut harness, "Assistance off");
    assert!(!has(&harness, "Hastati 1 moved") && has(&harness, "3 of 4 PIPs left"));
    press(&mut harness, Key::U);
    assert!(!has(&harness, "3 of 4 PIPs left"));
}

#[test]
fn after_the_dice_an_outline_shows_where_a_base_is_to_stand_and_turns_solid_when_it_does() {
    // The front edges touch: 15 mm deep each. Blades of 5 and 6 against pikes of 3 and 3 are beaten by more than a
    // little and less than double: the pikes recoil by their depth.
    let (mut harness, stage) = staged(&[
        table((200.0, 200.0), (200.0, 215.2)),
        table((200.0, 200.0), (200.0, 230.2)),
        table((200.0, 215.0), (200.0, 230.2)),
    ]);
    let ask = |harness: &mut Harness<'_, Window>, command: Command| {
        harness.state_mut().logic_mut().carry_out(command);
        harness.run_steps(2);
    };
    let due = FightCommand::Due(FightKind::Close, "Hastati 1".to_owned(), "Phalanx 1".to_owned());
    ask(&mut harness, Command::Fight(due));
    ask(&mut harness, Command::TypeDie(groma::app::command::Slot::First, "6".to_owned()));
    ask(&mut harness, Command::TypeDie(groma::app::command::Slot::Second, "3".to_owned()));
    ask(&mut harness, Command::TakeTypedDice);
    ask(&mut harness, Command::Turn(Page::Moves));
    assert!(has(&harness, "After the dice"));
    assert!(
        has(&harness, "Phalanx 1 is to go 15 mm, to its outline."),
        "{:?}",
        harness.state().state().awaited()
    );
    assert!(has(&harness, "Moves of this bound are over."));
    keep_sizes("awaited", harness.state_mut());
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Phalanx 1 stands there."));
    stage.set(2);
    until(&mut harness, 40, |h| h.state().state().awaited().iter().all(|g| g.met));
    // It was no move: nobody's bound has begun by it.
    assert!(harness.state().state().written().iter().all(|w| !w.words.contains("bound begins")));
    keep_sizes("stands", harness.state_mut());
    keep_large("stands-large", harness.state_mut());
}
