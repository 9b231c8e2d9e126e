//! Moves read from a mark, and facts that the players agree on, on a table that changes between two frames.

use super::staged::{scene, until, window};
use super::{click, has, keep_sizes, type_into};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::command::{Command, LogCommand, MovesCommand, Page};
use groma::app::window::Window;
use groma::geometry::{Pose, Vector};
use groma::vision::sim::Placement;
use nalgebra::Isometry3;

/// The general stands by; `y` is where the Hastati's centre is, `x` the Phalanx's, far off.
fn table(y: f64, x: f64) -> Vec<Placement> {
    let places = [
        ("Consul", Pose::new(110.0, 160.0, 90.0)),
        ("Hastati 1", Pose::new(200.0, y, 90.0)),
        ("Phalanx 1", Pose::new(x, 470.0, 270.0)),
    ];
    places.map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).into()
}

fn staged(tables: &[Vec<Placement>]) -> (Harness<'static, Window>, super::staged::Stage) {
    window(tables.iter().map(|placed| (scene(placed), Isometry3::identity())).collect())
}

fn ask(harness: &mut Harness<'_, Window>, command: Command) {
    harness.state_mut().logic_mut().carry_out(command);
    harness.run_steps(2);
}

fn found(harness: &Harness<'_, Window>, count: usize) -> bool {
    let table = harness.state().state().table();
    table.elements.iter().filter(|e| e.place.as_ref().is_some_and(|p| p.at_rest)).count() == count
}

fn marked(harness: &mut Harness<'_, Window>) {
    until(harness, 40, |h| found(h, 3));
    click(harness, "Moves");
    // Nobody marks anything: a table at rest is followed.
    until(harness, 3, |h| has(h, "Nothing has moved since the mark."));
}

#[test]
fn a_move_is_read_judged_and_accepted() {
    // Solid foot goes 2 base widths, 80 mm; the Phalanx, whose bound it is not, is bumped by 4 mm.
    let (mut harness, stage) = staged(&[table(150.0, 300.0), table(200.0, 304.0), table(275.0, 304.0)]);
    marked(&mut harness);
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Move: Legal, 1 PIP"));
    assert!(has(&harness, "Hastati 1 moved 50.0 mm."));
    assert!(has(&harness, "dba3.dist.") && has(&harness, "Under the settings: "));
    // What is not known is left open, and blocks nothing.
    assert!(has(&harness, "Not checked: "));
    assert!(has(&harness, "Phalanx 1 was nudged by 4.0 mm: put it back, or accept it."));
    click(&mut harness, "Accept Phalanx 1 where it stands");
    assert!(has(&harness, "Move: Legal, 1 PIP") && !has(&harness, "was nudged"));
    click(&mut harness, "PIP die 3");
    assert!(has(&harness, "Move: Legal, 1 PIP"));
    click(&mut harness, "Accept");
    assert!(has(&harness, "Over in this bound: 1 move, 1 PIP"));
    assert!(has(&harness, "Nothing has moved since the mark."));
    // A second move in the bound, which such foot may not make.
    stage.set(2);
    until(&mut harness, 40, |h| has(h, "Move: Not legal"));
    assert!(has(&harness, "dba3.again."));
    click(&mut harness, "Next bound");
    assert!(has(&harness, "Nothing has moved since the mark.") && !has(&harness, "Over in this bound"));
}

#[test]
fn a_move_too_far_says_by_how_much_and_one_at_its_limit_is_too_close_to_call() {
    let (mut harness, stage) = staged(&[table(150.0, 300.0), table(245.0, 300.0), table(230.0, 300.0)]);
    marked(&mut harness);
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Move: Not legal"));
    // 95 mm of 80.
    let view = harness.state().state().moves().view().expect("a move").explanations[0].moves[0].clone();
    let binding = &view.conditions[0];
    let (margin, sigma) = binding.margin_mm.expect("a length");
    assert!((margin + 15.0).abs() < 0.3 && sigma < 0.3, "{binding:?}");
    assert!(binding.remedy.as_ref().is_some_and(|r| r.contains("15.") || r.contains("14.9")), "{binding:?}");
    assert!(has(&harness, "shorter"));
    // It is the red's move by who moved; said to be the blue's bound, it is a nudge.
    click(&mut harness, "Bound of blue");
    assert!(has(&harness, "It is not this side's bound.") && has(&harness, "Hastati 1 was nudged by 95"));
    assert!(!has(&harness, "Move: "));
    click(&mut harness, "Bound of who moved");
    stage.set(2);
    until(&mut harness, 40, |h| has(h, "Move: Too close to call"));
}

#[test]
fn a_move_stays_open_while_it_is_adjusted_and_is_over_when_another_element_starts() {
    let with_consul = |y: f64, consul: f64| {
        let mut placed = table(y, 300.0);
        placed[0].pose = Pose::new(110.0, consul, 90.0);
        placed
    };
    let (mut harness, stage) = staged(&[
        with_consul(150.0, 160.0),
        with_consul(200.0, 160.0),
        with_consul(195.0, 160.0),
        with_consul(195.0, 220.0),
    ]);
    marked(&mut harness);
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Hastati 1 moved 50.0 mm."));
    assert!(has(&harness, "Still open: it may be adjusted") && !has(&harness, "Over in this bound"));
    // Adjusted again it is one move still.
    stage.set(2);
    until(&mut harness, 40, |h| has(h, "Hastati 1 moved 45.0 mm."));
    assert!(!has(&harness, "Over in this bound"));
    stage.set(3);
    until(&mut harness, 40, |h| has(h, "Consul moved 60.0 mm."));
    assert!(has(&harness, "Over in this bound: 1 move, 1 PIP") && has(&harness, "Move: Legal, 1 PIP"));
    keep_sizes("open", harness.state_mut());
    click(&mut harness, "Moves over");
    assert!(
        has(&harness, "Over in this bound: 2 moves, 2 PIPs")
            && has(&harness, "Moves of this bound are over.")
    );
    click(&mut harness, "Battle");
    assert!(has(&harness, "Log 1. move: Hastati 1 moved 45.0 mm, 1 PIP, legal"));
    assert!(has(&harness, "Log 2. move: Consul moved 60.0 mm, 1 PIP, legal"));
}

#[test]
fn a_bumped_table_is_told_and_accepted_without_a_pip() {
    let shifted = |x: f64, y: f64| -> Vec<Placement> {
        let mut placed = table(150.0, 300.0);
        for p in &mut placed {
            p.pose = p.pose.nudged(Vector::new(x, y), 0.0);
        }
        placed
    };
    let (mut harness, stage) = staged(&[shifted(0.0, 0.0), shifted(5.0, 3.0)]);
    marked(&mut harness);
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "The table was bumped."));
    // sqrt(5^2 + 3^2) mm.
    assert!(has(&harness, "3 bases shifted by up to 5.8 mm"));
    keep_sizes("bumped", harness.state_mut());
    click(&mut harness, "Accept all there");
    assert!(has(&harness, "Nothing has moved since the mark.") && !has(&harness, "Over in this bound"));
}

#[test]
fn a_base_of_the_other_side_is_put_back_and_goes_from_the_list() {
    let (mut harness, stage) = staged(&[table(150.0, 300.0), table(150.0, 308.0)]);
    marked(&mut harness);
    click(&mut harness, "Bound of red");
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "It is not this side's bound."));
    assert!(has(&harness, "Phalanx 1 was nudged by 8.0 mm: put it back, or accept it."));
    click(&mut harness, "Put Phalanx 1 back");
    assert!(has(&harness, "Put back where the dashes are on the board"));
    stage.set(0);
    until(&mut harness, 40, |h| has(h, "Nothing has moved since the mark."));
    assert!(!has(&harness, "Phalanx 1 was nudged"));
}

#[test]
fn an_overrule_is_written_down_and_kept_in_the_file_that_the_user_names() {
    let (mut harness, stage) = staged(&[table(150.0, 300.0), table(245.0, 300.0)]);
    marked(&mut harness);
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Move: Not legal"));
    click(&mut harness, "Overrule: it stands");
    assert!(
        has(&harness, "Nothing has moved since the mark.") && has(&harness, "Over in this bound: 1 move")
    );
    click(&mut harness, "Battle");
    assert!(has(&harness, "Log 1. overrule: it stands: Hastati 1 moved 95.0 mm; the program said: "));
    keep_sizes("log", harness.state_mut());
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("evening.txt");
    let ask_log =
        |harness: &mut Harness<'_, Window>, command: LogCommand| ask(harness, Command::Log(command));
    ask_log(&mut harness, LogCommand::TypeFile("evening.doc".to_owned()));
    ask_log(&mut harness, LogCommand::Save);
    assert!(has(&harness, "a log is written, so name a file that ends in .txt"));
    ask_log(&mut harness, LogCommand::TypeFile(path.display().to_string()));
    ask_log(&mut harness, LogCommand::Save);
    assert!(has(&harness, "Kept in "));
    let kept = || std::fs::read_to_string(&path).expect("it is there");
    assert!(
        kept().starts_with("Groma log, ")
            && kept().contains("\n1. overrule: it stands: Hastati 1 moved 95.0 mm")
    );
    // From then on it grows by itself.
    type_into(&mut harness, "Note", "the die rolled off");
    ask_log(&mut harness, LogCommand::Note);
    assert!(kept().contains("note: the die rolled off"));
    // What is no log is not written over.
    let other = folder.path().join("other.txt");
    std::fs::write(&other, "somebody's letter").expect("it is written");
    ask_log(&mut harness, LogCommand::TypeFile(other.display().to_string()));
    ask_log(&mut harness, LogCommand::Save);
    assert!(has(&harness, "is not a log"));
    assert_eq!(std::fs::read_to_string(&other).expect("it is there"), "somebody's letter");
}

/// The zone of the Phalanx ends 40 mm before its front; the Hastati's front is where it ends.
#[test]
fn one_click_agrees_on_what_is_too_close_to_call_until_an_element_moves() {
    let at = |y: f64| {
        vec![
            Placement { name: "Hastati 1".to_owned(), pose: Pose::new(200.0, y, 90.0), ground_mm: 0.0 },
            Placement { name: "Phalanx 1".to_owned(), pose: Pose::new(200.0, 305.0, 270.0), ground_mm: 0.0 },
        ]
    };
    let (mut harness, stage) = staged(&[at(250.0), at(247.0)]);
    until(&mut harness, 40, |h| found(h, 2));
    click(&mut harness, "Pick Hastati 1");
    click(&mut harness, "Pick Phalanx 1");
    let zone = "Is Hastati 1 in the threat zone of Phalanx 1? ";
    harness.get_by_label(&format!("{zone}Too close to call"));
    let outside = "Hastati 1 is outside the threat zone of Phalanx 1";
    click(&mut harness, &format!("Agree: {outside}"));
    harness.get_by_label(&format!("{zone}No"));
    assert!(has(&harness, &format!("agreed: {outside}")));
    keep_sizes("agreed", harness.state_mut());
    // It stands while the two do.
    let reads = harness.state().state().reads();
    until(&mut harness, 8, |h| h.state().state().reads() > reads + 4);
    harness.get_by_label(&format!("{zone}No"));
    click(&mut harness, &format!("Withdraw: {outside}"));
    harness.get_by_label(&format!("{zone}Too close to call"));
    click(&mut harness, "Agree: Hastati 1 is in the threat zone of Phalanx 1");
    harness.get_by_label(&format!("{zone}Yes"));
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "No longer agreed, for one of the two has moved"));
    harness.get_by_label(&format!("{zone}No"));
}

#[test]
fn the_page_of_moves_fits_windows_of_several_sizes() {
    let (mut harness, stage) = staged(&[table(150.0, 300.0), table(245.0, 304.0)]);
    marked(&mut harness);
    stage.set(1);
    until(&mut harness, 40, |h| has(h, "Move: Not legal"));
    ask(&mut harness, Command::Turn(Page::Moves));
    ask(&mut harness, Command::Moves(MovesCommand::Pips(Some(4))));
    keep_sizes("moves", harness.state_mut());
    // Nothing sticks out to the right of the window, and the verdict is seen without scrolling.
    let verdict = harness.get_by_label("Move: Not legal").rect();
    assert!(verdict.right() < 1280.0 && verdict.bottom() < 600.0, "{verdict:?}");
}
