//! Demo mode: the loop, waking, speaking, going back to sleep, and putting back. Time is the test's own.

use super::staged::{Stage, scene, window};
use super::{has, keep, press};
use egui::Key;
use egui_kittest::Harness;
use groma::app::command::{Command, Mode, ModeCommand};
use groma::app::offscreen::Offscreen;
use groma::app::state::{BACK_FOR, DemoStage, IDLE_AFTER, SETTLES};
use groma::app::window::Window;
use groma::geometry::Pose;
use groma::text::strangers;
use groma::vision::sim::Placement;
use nalgebra::{Isometry3, Point3};
use std::time::{Duration, Instant};

/// Hastati before a Phalanx, and their generals.
fn table(hastati: (f64, f64)) -> Vec<Placement> {
    let places = [
        ("Consul", Pose::new(110.0, 160.0, 90.0)),
        ("Hastati 1", Pose::new(hastati.0, hastati.1, 90.0)),
        ("Phalanx 1", Pose::new(200.0, 340.0, 270.0)),
        ("Strategos", Pose::new(480.0, 470.0, 270.0)),
    ];
    places.map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).into()
}

struct Table {
    harness: Harness<'static, Window>,
    stage: Stage,
    begun: Instant,
    at: Duration,
}

impl Table {
    /// In demo mode, with the table at rest for longer than it takes to settle.
    fn at_rest() -> Self {
        let scenes = [table((200.0, 150.0)), table((200.0, 200.0))];
        let (harness, stage) = window(scenes.iter().map(|t| (scene(t), Isometry3::identity())).collect());
        let mut on = Self { harness, stage, begun: Instant::now(), at: Duration::ZERO };
        on.harness.state_mut().logic_mut().carry_out(Command::Mode(ModeCommand::Be(Mode::Demo)));
        on.until(40, |h| h.state().state().demo().is_some_and(|d| d.has_home()));
        on.wait(SETTLES);
        on
    }

    fn stage(&self) -> DemoStage {
        self.harness.state().state().demo().expect("demo mode").stage()
    }

    /// So much time goes by at once.
    fn wait(&mut self, time: Duration) {
        self.at += time;
        let now = self.begun + self.at;
        self.harness.state_mut().logic_mut().tick(now);
        self.harness.run_steps(2);
    }

    /// Waits for the loop, whose pictures take as long as it takes to draw them; the table's own time stands still.
    fn loop_until(&mut self, holds: impl Fn(&Harness<'_, Window>) -> bool) {
        let give_up = Instant::now() + Duration::from_secs(240);
        while !holds(&self.harness) {
            let showing = self.harness.state().state().demo().and_then(|d| d.showing());
            let at = showing.map(|s| (s.looks(), s.told(), s.saying().cloned()));
            assert!(Instant::now() < give_up, "the loop has come to {at:?}");
            self.wait(Duration::ZERO);
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Reads pictures, a tenth of a second apart, until it holds.
    fn until(&mut self, most: usize, holds: impl Fn(&Harness<'_, Window>) -> bool) {
        for _ in 0..most {
            if holds(&self.harness) {
                return;
            }
            self.at += Duration::from_millis(100);
            let now = self.begun + self.at;
            let come = self.harness.state_mut().logic_mut().wait(Duration::from_secs(60), now);
            assert!(come, "no frame within a minute");
            self.harness.run_steps(2);
        }
        assert!(holds(&self.harness), "not within {most} frames");
    }
}

/// The page at both ends of the sizes that it is used at.
fn keep_page(name: &str, window: &mut Window) {
    for (width, height, scale) in [(1280.0, 720.0, 1.0), (1920.0, 1080.0, 2.0)] {
        let mut screen = Offscreen::new(width, height, scale);
        groma::app::theme::install(screen.context());
        window.on_another_screen();
        for _ in 0..3 {
            screen.pass(Duration::from_millis(100), |ui| window.show(ui));
        }
        keep(name, &screen.picture());
    }
}

#[test]
fn a_table_that_nobody_touches_shows_a_simulated_battle_and_says_so() {
    let mut on = Table::at_rest();
    assert_eq!(on.stage(), DemoStage::Idle);
    assert!(has(&on.harness, strangers::SIMULATED) && has(&on.harness, strangers::INVITES));
    assert!(!has(&on.harness, strangers::THIS_TABLE));
    // The loop goes through the whole pipeline: its bases are found, and something is said of them.
    on.loop_until(|h| {
        let showing = h.state().state().demo().and_then(|d| d.showing());
        showing.is_some_and(|s| s.told() >= 1 && s.play().moves().view().is_some_and(|v| v.side.is_some()))
    });
    let showing = on.harness.state().state().demo().and_then(|d| d.showing()).expect("the loop");
    let table = showing.play().table();
    assert_eq!(table.elements.iter().filter(|e| table.holds(e)).count(), 12, "all twelve are read");
    assert!(showing.saying().is_some());
    keep_page("demo-idle", on.harness.state_mut());
    press(&mut on.harness, Key::U);
    assert!(on.harness.state().state().demo().is_none() && !has(&on.harness, strangers::SIMULATED));
}

#[test]
fn a_base_that_moves_wakes_it_and_with_nobody_there_it_goes_back_by_itself() {
    let mut on = Table::at_rest();
    on.stage.set(1);
    on.until(60, |h| has(h, strangers::THIS_TABLE));
    assert_eq!(on.stage(), DemoStage::Awake);
    // The move, the verdict, and the clause behind it: at most 2 BW, 80 mm, for Blades (dba3.dist).
    on.until(200, |h| has(h, "Red swordsmen moved 50 mm. Legal."));
    assert!(has(&on.harness, "Rule dba3."));
    keep_page("demo-awake", on.harness.state_mut());
    // Not a moment before nobody has moved anything for the whole time.
    on.wait(IDLE_AFTER - Duration::from_secs(40));
    assert_eq!(on.stage(), DemoStage::Awake);
    on.wait(Duration::from_secs(60));
    assert_eq!(on.stage(), DemoStage::Idle);
    assert!(has(&on.harness, strangers::SIMULATED));
    // The battle of whoever played is gone.
    assert!(on.harness.state().state().written().is_empty());
    // It wakes again.
    on.stage.set(0);
    on.until(60, |h| h.state().state().demo().is_some_and(|d| d.stage() == DemoStage::Awake));
}

#[test]
fn one_key_shows_where_bases_go_back_to_and_when_all_are_there_it_sleeps() {
    let mut on = Table::at_rest();
    on.stage.set(1);
    on.until(60, |h| has(h, strangers::THIS_TABLE));
    on.until(60, |h| h.state().state().moves().marked());
    press(&mut on.harness, Key::R);
    assert_eq!(on.stage(), DemoStage::PutBack);
    assert!(has(&on.harness, strangers::PUT_BACK));
    assert!(has(&on.harness, "Hastati 1 is to go 50 mm, to its outline."));
    assert!(!has(&on.harness, "Phalanx 1 is to go"));
    keep_page("demo-put-back", on.harness.state_mut());
    on.stage.set(0);
    on.until(60, |h| has(h, strangers::ALL_BACK));
    on.wait(BACK_FOR);
    on.until(60, |h| h.state().state().demo().is_some_and(|d| d.stage() == DemoStage::Idle));
}

#[test]
fn nothing_beside_the_board_is_shown_or_kept() {
    let mut on = Table::at_rest();
    on.until(5, |h| h.state().state().latest().is_some());
    let state = on.harness.state().state();
    let sight = state.latest().expect("a picture");
    let camera = sight.reading.camera.as_ref().expect("the camera is placed");
    let colour = sight.frame.colour.as_ref().expect("colour");
    let at = |x: f64, y: f64| {
        let p = camera.image_from_table(Point3::new(x, y, 0.0)).expect("in front");
        let (column, row) = (p.x.round() as usize, p.y.round() as usize);
        let n = 3 * (row * colour.width() + column);
        let grey = sight.frame.grey.data()[row * colour.width() + column];
        (colour.data()[n..n + 3].to_vec(), grey)
    };
    // Beside each edge, and over the board's own tags, which lie outside it.
    let (wide, deep) = state.table().board_mm;
    let tags = state.table().references.iter().map(|r| (r.at_mm[0], r.at_mm[1]));
    let beside = [(wide / 2.0, -6.0), (wide / 2.0, deep + 6.0), (-6.0, deep / 2.0), (wide + 6.0, deep / 2.0)];
    for (x, y) in tags.chain(beside) {
        assert_eq!(at(x, y), (vec![0, 0, 0], 0), "({x}, {y})");
    }
    for (x, y) in [(6.0, 6.0), (wide - 6.0, 6.0), (wide - 6.0, deep - 6.0), (6.0, deep - 6.0)] {
        assert_ne!(at(x, y).0, [0, 0, 0], "({x}, {y})");
    }
    press(&mut on.harness, Key::U);
}
