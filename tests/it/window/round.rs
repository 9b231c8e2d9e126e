//! Rosters swapped between rounds: another battle with a journal of its own, the one before kept as it is.

use super::{click, has, on_the_table, pick, wait};
use groma::app::command::{Command, RoundCommand, RoundField};
use groma::session::journal::{Event, Found};
use std::time::Instant;

#[test]
fn the_next_round_begins_without_a_restart_and_the_battle_of_before_stays_in_its_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let (first, second) = (folder.path().join("round-1.journal"), folder.path().join("round-2.journal"));
    let mut harness = on_the_table();
    harness.state_mut().logic_mut().keep_in(&first).expect("a journal");
    click(&mut harness, "Battle");
    pick(&mut harness, "Strategos", "Elephants");
    click(&mut harness, "Strategos is lost");
    let before = Found::read(&first).expect("the journal").records;
    let ask = |harness: &mut egui_kittest::Harness<'_, groma::app::window::Window>, command| {
        harness.state_mut().logic_mut().carry_out(Command::Round(command));
        harness.run_ok();
    };
    ask(&mut harness, RoundCommand::Open);
    let part = harness.state().state().round().expect("it is prepared").clone();
    assert_eq!(part.journal, second.display().to_string());
    // A journal that is there is not replaced, and what is asked for wrongly changes nothing.
    ask(&mut harness, RoundCommand::Type(RoundField::Journal, first.display().to_string()));
    ask(&mut harness, RoundCommand::Begin);
    assert!(
        harness
            .state()
            .state()
            .round()
            .is_some_and(|r| r.error.as_ref().is_some_and(|e| e.contains("is there already")))
    );
    assert!(!harness.state().state().losses().lost().is_empty());
    ask(&mut harness, RoundCommand::Type(RoundField::Journal, second.display().to_string()));
    let asked = Instant::now();
    ask(&mut harness, RoundCommand::Begin);
    wait(&mut harness, "the next round", |h| h.state().state().round().is_none());
    println!("the next round began after {:.1} s", asked.elapsed().as_secs_f64());
    assert!(asked.elapsed().as_secs() < 60, "within a minute");
    assert!(
        harness.state().state().losses().lost().is_empty() && harness.state().state().written().is_empty()
    );
    wait(&mut harness, "the new table", |h| {
        h.state().state().table().elements.iter().filter(|e| e.place.is_some()).count() == 5
    });
    assert!(!has(&harness, "Log 1."));
    let after = Found::read(&first).expect("the journal").records;
    assert!(after.len() >= before.len() && after[..before.len()] == before[..]);
    let new = Found::read(&second).expect("the new journal").records;
    assert!(matches!(&new[0].event, Event::Opened(opened) if opened.commitment.is_some()));
}
