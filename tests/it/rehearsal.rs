//! A written battle put on a table and followed without a word.

use groma::cli::rehearsal::{Course, rehearse};
#[cfg(feature = "vision")]
use groma::cli::rehearsal::{Hands, filmed::Filmed, rehearse_before};
use groma::rules::battle::Script;

fn short() -> Script {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/battles/short.ron");
    let text = std::fs::read_to_string(path).expect("it is there");
    Script::read("short.ron", &text).expect("it reads")
}

#[test]
#[cfg_attr(not(feature = "vision"), ignore = "minutes in a build that is not optimised")]
fn every_move_bound_and_loss_of_a_battle_is_told_with_nobody_saying_a_word() {
    let script = short();
    let tally = rehearse(&script, 1, Course::default()).expect("it plays");
    assert!(tally.moves.0 > 5 && tally.bounds.0 > 2 && tally.lost.0 > 0, "{tally:#?}");
    assert_eq!(tally.wrong, Vec::<String>::new());
    assert_eq!((tally.moves.1, tally.legal, tally.bounds.1), (tally.moves.0, tally.moves.0, tally.bounds.0));
    assert_eq!((tally.lost.1, tally.wrongly_lost, tally.keys), (tally.lost.0, 0, 0));
}

#[test]
#[cfg_attr(not(feature = "vision"), ignore = "minutes in a build that is not optimised")]
fn with_questions_left_unanswered_and_a_bumped_table_one_key_brings_it_back_in_step() {
    let script = short();
    let course = Course { ignored: 30, bump: Some(3), ..Course::default() };
    let tally = rehearse(&script, 2, course).expect("it plays");
    assert_eq!((tally.lost.1, tally.wrongly_lost), (tally.lost.0, 0), "{tally:#?}");
    assert!(tally.keys <= 1, "{tally:#?}");
}

/// Hands come in before the bases, sleeves knock them, and what the simulated camera draws of it is all that is known.
#[test]
#[cfg(feature = "vision")]
fn a_whole_battle_is_told_from_its_pictures_with_nobody_saying_a_word() {
    let script = short();
    let hands = Hands::new(&script, 1).expect("a roster");
    let mut film = Filmed::new(&hands, 1, (1920, 1080)).expect("a table");
    let tally = rehearse_before(&script, hands, Course::default(), &mut film).expect("it plays");
    assert!(tally.moves.0 > 5 && tally.bounds.0 > 2 && tally.lost.0 > 0, "{tally:#?}");
    assert_eq!(tally.wrong, Vec::<String>::new(), "{:#?}", film.spent);
    assert_eq!((tally.moves.1, tally.legal, tally.bounds.1), (tally.moves.0, tally.moves.0, tally.bounds.0));
    assert_eq!((tally.lost.1, tally.wrongly_lost, tally.keys), (tally.lost.0, 0, 0));
    assert!(film.spent.knocks > 0 && film.spent.worst_mm < 1.0, "{:#?}", film.spent);
}
