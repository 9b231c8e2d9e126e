//! The public screen beside the window, by label. Where there is no second window, as here, it lies in the first.

use super::{has, on_the_table, press};
use egui::Key;
use egui_kittest::kittest::Queryable;

#[test]
fn the_public_screen_shows_board_bound_and_one_sentence_and_goes_by_the_same_key() {
    let mut harness = on_the_table();
    assert!(!has(&harness, "Public"));
    press(&mut harness, Key::G);
    press(&mut harness, Key::W);
    harness.get_by_label("Public: Before the first bound");
    assert!(has(&harness, "Public sentence: "));
    assert_eq!(harness.query_all_by_label("Board from above").count(), 2, "the window's and the public one");
    press(&mut harness, Key::W);
    assert!(!has(&harness, "Public"));
    assert_eq!(harness.query_all_by_label("Board from above").count(), 1);
}
