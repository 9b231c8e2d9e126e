//! Combat and shooting: what follows the dice, the choices of players, who may shoot at whom, and what is due.

use super::staged::{scene, until, window};
use super::{click, has, keep_sizes, type_into};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::window::Window;
use groma::geometry::Pose;
use groma::vision::sim::Placement;
use nalgebra::Isometry3;

type Places<'a> = &'a [(&'a str, (f64, f64, f64))];

fn on(tables: &[Places<'_>]) -> (Harness<'static, Window>, super::staged::Stage) {
    let placed = |table: &Places<'_>| -> Vec<Placement> {
        let place = |(name, (x, y, deg)): &(&str, (f64, f64, f64))| Placement {
            name: (*name).to_owned(),
            pose: Pose::new(*x, *y, *deg),
            ground_mm: 0.0,
        };
        table.iter().map(place).collect()
    };
    let (mut harness, stage) =
        window(tables.iter().map(|t| (scene(&placed(t)), Isometry3::identity())).collect());
    at_rest(&mut harness, tables[0].len());
    click(&mut harness, "Combat");
    (harness, stage)
}

fn at_rest(harness: &mut Harness<'static, Window>, count: usize) {
    until(harness, 40, |h| {
        let elements = &h.state().state().table().elements;
        elements.iter().filter(|e| e.place.as_ref().is_some_and(|p| p.at_rest)).count() == count
    });
}

fn throw(harness: &mut Harness<'static, Window>, dice: [(&str, &str); 2]) {
    for (name, die) in dice {
        type_into(harness, &format!("Die of {name}"), die);
    }
    click(harness, "Use");
}

/// Hastati front to front with the Libyans, Equites with Gauls.
const FIGHTS: Places<'static> = &[
    ("Hastati 2", (200.0, 240.0, 90.0)),
    ("Libyans", (200.0, 255.2, 270.0)),
    ("Equites", (400.0, 240.0, 90.0)),
    ("Gauls 1", (400.0, 262.7, 270.0)),
];

#[test]
fn what_is_due_is_listed_and_taken_up_by_a_click() {
    let (mut harness, _) = on(&[FIGHTS]);
    harness.get_by_label("Due: Hastati 2 against Libyans");
    harness.get_by_label("Due: Equites against Gauls 1");
    // Blades 5 and spears 4 against foot; horse 3 against foot, warband 2 against mounted.
    assert!(has(&harness, "+5 : +4") && has(&harness, "+3 : +2"));
    assert!(has(&harness, "Whose bound it is nobody has said"));
    click(&mut harness, "Bound of blue");
    assert!(!has(&harness, "Whose bound it is nobody has said"));
    keep_sizes("due", harness.state_mut());
    click(&mut harness, "Due: Hastati 2 against Libyans");
    harness.get_by_label("Factor of Hastati 2: 5");
}

#[test]
fn a_recoil_is_listed_with_how_far_it_goes() {
    let (mut harness, _) = on(&[FIGHTS]);
    click(&mut harness, "Due: Hastati 2 against Libyans");
    // 5 + 4 against 4 + 2: less, and more than half. Foot recoil their depth, here 15 mm (dba3.rec.2).
    throw(&mut harness, [("Hastati 2", "4"), ("Libyans", "2")]);
    harness.get_by_label("Outcome: Libyans: recoils");
    harness.get_by_label("Step 1: Libyans: recoils 15.0 mm");
    // Blades pursue foot half a base width, and stop where they meet them again (dba3.pur.8, .12).
    harness.get_by_label("Step 2: Hastati 2: pursues 15.0 mm");
    click(&mut harness, "Clear dice");
    assert!(!has(&harness, "Step 1: "));
}

#[test]
fn who_is_destroyed_is_lost_once_a_player_says_so() {
    let (mut harness, _) = on(&[FIGHTS]);
    click(&mut harness, "Due: Hastati 2 against Libyans");
    // 5 + 6 against 4 + 1: more than double.
    throw(&mut harness, [("Hastati 2", "6"), ("Libyans", "1")]);
    harness.get_by_label("Step 1: Libyans: is destroyed");
    click(&mut harness, "Battle");
    harness.get_by_label("Losses of blue: 0");
    assert!(has(&harness, "Libyans is to be taken off by its last combat."));
    click(&mut harness, "Combat");
    click(&mut harness, "Libyans is lost");
    click(&mut harness, "Battle");
    harness.get_by_label("Losses of blue: 1");
    assert!(has(
        &harness,
        "Log 1. outcome: Hastati 2 against Libyans: dice 6 and 1, 11 to 5: Libyans: destroyed"
    ));
    assert!(has(&harness, "Log 2. loss: Libyans is lost"));
    // It still stands there: that is told, and it can be given back.
    assert!(has(&harness, "Libyans was said to be lost, and is on the table."));
}

#[test]
fn mounted_who_recoil_have_a_choice_with_its_consequences() {
    let (mut harness, _) = on(&[FIGHTS]);
    click(&mut harness, "Due: Equites against Gauls 1");
    throw(&mut harness, [("Equites", "1"), ("Gauls 1", "3")]);
    harness.get_by_label("Outcome: Equites: recoils");
    // One base width, or their own depth of 30 mm (dba3.rec.3).
    harness.get_by_label("Step 1: Equites: recoils 40.0 mm");
    assert!(has(&harness, "then Equites: recoils 40.0 mm") && has(&harness, "then Equites: recoils 30.0 mm"));
    keep_sizes("aftermath", harness.state_mut());
    click(&mut harness, "Equites: recoil its own depth, 30.0 mm");
    harness.get_by_label("Step 1: Equites: recoils 30.0 mm");
}

/// Archers look down at two Hastati side by side, 82.5 mm before them.
const SHOTS: Places<'static> = &[
    ("Archers", (300.0, 300.0, 270.0)),
    ("Hastati 1", (300.0, 200.0, 90.0)),
    ("Hastati 2", (340.2, 200.0, 90.0)),
];

#[test]
fn who_may_shoot_chooses_and_its_dice_come_to_an_outcome() {
    let (mut harness, _) = on(&[SHOTS]);
    for name in ["Archers", "Hastati 1"] {
        click(&mut harness, &format!("Pick {name}"));
    }
    click(&mut harness, "Shooting");
    harness.get_by_label("Shooting of Archers at Hastati 1: may shoot");
    // Nobody is in their zone: they choose.
    assert!(has(&harness, "Whom Archers shoots at is not settled"));
    keep_sizes("shooting", harness.state_mut());
    click(&mut harness, "Clear");
    click(&mut harness, "Archers shoots at Hastati 2");
    click(&mut harness, "Due: Archers shoots at Hastati 2");
    assert!(!has(&harness, "is not settled"));
    harness.get_by_label("Shooting of Archers at Hastati 2: may shoot");
    throw(&mut harness, [("Archers", "1"), ("Hastati 2", "6")]);
    // A shooter suffers only where its target shoots back (dba3.sht.20).
    harness.get_by_label("Outcome: Nothing happens");
    assert!(has(&harness, "Nobody is moved."));
    // The other way round: Blades do not shoot.
    click(&mut harness, "Swap");
    harness.get_by_label("Shooting of Hastati 2 at Archers: may not shoot");
    assert!(has(&harness, "Hastati 2 may not shoot at Archers."));
}

#[test]
fn what_bars_a_line_is_named() {
    let barred: Places<'_> = &[SHOTS[0], SHOTS[1], SHOTS[2], ("Velites", (300.0, 240.0, 90.0))];
    let (mut harness, _) = on(&[barred]);
    for name in ["Archers", "Hastati 1"] {
        click(&mut harness, &format!("Pick {name}"));
    }
    click(&mut harness, "Shooting");
    harness.get_by_label("Shooting of Archers at Hastati 1: may not shoot");
    harness.get_by_label_contains("No: Velites bars the line from Archers to Hastati 1, by ");
    keep_sizes("barred", harness.state_mut());
}

/// Hastati touch the Libyans 20 mm aside, and a Phalanx stands where they would have to go.
const ASIDE: Places<'static> = &[
    ("Hastati 1", (240.0, 232.5, 90.0)),
    ("Libyans", (260.0, 247.7, 270.0)),
    ("Phalanx 1", (269.0, 215.0, 0.0)),
];

#[test]
fn a_contacted_enemy_that_may_refuse_is_asked_and_its_answer_is_an_event() {
    let (mut harness, _) = on(&[ASIDE]);
    harness.get_by_label("Hastati 1 cannot line up with Libyans: blue chooses what Libyans does");
    assert!(has(&harness, "Nobody says: Libyans is taken to conform"));
    // Blades 5 and Spears 4 against foot; who fights unconformed counts one overlap more (dba3.ovl.11).
    assert!(has(&harness, "Hastati 1 +5, Libyans +4; of 36:"));
    assert!(has(&harness, "Hastati 1 +5, Libyans +3; of 36:"));
    assert!(!has(&harness, "Due: Hastati 1 against Libyans"));
    keep_sizes("refusal", harness.state_mut());
    let refuses = "Libyans does not conform to Hastati 1 and fights as though overlapped";
    click(&mut harness, &format!("Choose: {refuses}"));
    assert!(!has(&harness, "Nobody says"));
    click(&mut harness, "Due: Hastati 1 against Libyans, unconformed");
    harness.get_by_label("Factor of Libyans: 3");
    assert!(has(&harness, "Libyans did not conform to Hastati 1"));
    click(&mut harness, "Battle");
    assert!(has(&harness, &format!("Log 1. choice: {refuses}")));
    click(&mut harness, "Undo");
    assert!(!has(&harness, "Log 1. choice"));
    click(&mut harness, "Combat");
    until(&mut harness, 5, |h| has(h, "Nobody says: Libyans is taken to conform"));
    assert!(!has(&harness, "unconformed"));
}

/// Two pairs side by side.
const ABREAST: Places<'static> = &[
    ("Hastati 2", (200.0, 240.0, 90.0)),
    ("Libyans", (200.0, 255.2, 270.0)),
    ("Hastati 1", (240.3, 240.0, 90.0)),
    ("Gauls 1", (240.3, 255.2, 270.0)),
];

#[test]
fn which_combat_comes_first_is_asked_where_it_matters() {
    let (mut harness, _) = on(&[ABREAST]);
    harness.get_by_label("red decides which combat is fought first, and it matters");
    // Without the Gauls before them the other Hastati overlap the Libyans (dba3.ovl.3).
    assert!(has(&harness, "if Gauls 1 goes in it, Hastati 2 fights Libyans +5 : +3, not +5 : +4"));
    keep_sizes("first", harness.state_mut());
    let before = ours_first(&harness);
    let last = if before { THEIRS } else { OURS };
    click(&mut harness, &format!("Choose: {} is fought first", &last["Due: ".len()..]));
    until(&mut harness, 5, |h| ours_first(h) != before);
}

const OURS: &str = "Due: Hastati 1 against Gauls 1";
const THEIRS: &str = "Due: Hastati 2 against Libyans";

/// Whether the one combat stands above the other in the list.
fn ours_first(harness: &Harness<'_, Window>) -> bool {
    let top = |label: &str| harness.get_by_label(label).rect().top();
    top(OURS) < top(THEIRS)
}

#[test]
fn what_dice_brought_about_counts_in_the_next_combat_before_the_bases_are_moved() {
    let (mut harness, _) = on(&[ABREAST]);
    click(&mut harness, "Due: Hastati 2 against Libyans");
    harness.get_by_label("Factor of Libyans: 4");
    // The list lies under what is looked at, beyond the window's lower edge.
    click(&mut harness, "Clear");
    click(&mut harness, "Due: Hastati 1 against Gauls 1");
    // 5 + 6 against 3 + 1: more than double.
    throw(&mut harness, [("Hastati 1", "6"), ("Gauls 1", "1")]);
    harness.get_by_label("Step 1: Gauls 1: is destroyed");
    // Nobody has touched a base: the Hastati have no enemy before them now and overlap the Libyans.
    click(&mut harness, "Clear");
    until(&mut harness, 5, |h| has(h, "+5 : +3"));
    click(&mut harness, "Due: Hastati 2 against Libyans");
    harness.get_by_label("Factor of Libyans: 3");
}

#[test]
fn who_has_fought_in_a_bound_is_due_no_more_in_it() {
    let (mut harness, _) = on(&[ABREAST]);
    click(&mut harness, THEIRS);
    // 5 + 2 against 4 + 3: equal, and nobody moves.
    throw(&mut harness, [("Hastati 2", "2"), ("Libyans", "3")]);
    harness.get_by_label("Outcome: Nothing happens");
    click(&mut harness, "Clear");
    until(&mut harness, 5, |h| has(h, "Hastati 2 against Libyans was fought in this bound"));
    assert!(!has(&harness, THEIRS));
    harness.get_by_label(OURS);
}
