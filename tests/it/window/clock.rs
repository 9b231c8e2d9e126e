//! The game's clock on the players' page, by label and by key.

use super::{click, has, on_the_table, press, type_into};
use egui::Key;
use egui_kittest::kittest::Queryable;
use std::time::{Duration, Instant};

#[test]
fn the_clock_is_set_started_by_key_and_tells_when_time_is_up() {
    let mut harness = on_the_table();
    press(&mut harness, Key::G);
    harness.get_by_label("Left: 1:00:00");
    type_into(&mut harness, "Minutes of the game", "9");
    assert!(has(&harness, "Left: 10:09:00"), "609 minutes are typed");
    click(&mut harness, "Start the clock");
    assert!(!has(&harness, "Minutes of the game"), "it cannot be set while it runs");
    // Eleven hours go by at once.
    let later = Instant::now() + Duration::from_secs(11 * 3600);
    harness.state_mut().logic_mut().tick(later);
    harness.run_steps(2);
    harness.get_by_label("Left: 0:00");
    assert!(has(&harness, "Time is up: this bound is the last."));
    press(&mut harness, Key::T);
    click(&mut harness, "Set back");
    assert!(!has(&harness, "Time is up") && has(&harness, "Start the clock"));
}
