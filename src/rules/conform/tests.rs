//! Conforming, on the clauses' own examples and on figures worked out by hand.

use super::*;
use crate::geometry::Corner;
use crate::rules::{Settings, Setup, notation};

fn setup(text: &str) -> Setup {
    notation::read_setup(text, Settings::dba3().ruleset()).expect("a good setup")
}

/// How `movers` line up where they stand, having begun far behind.
fn how(text: &str, movers: &[&str]) -> LineUp {
    under(text, movers, &Settings::dba3())
}

fn under(text: &str, movers: &[&str], settings: &Settings) -> LineUp {
    let setup = setup(text);
    line_up(&setup, &setup, settings, movers).expect("known names")
}

fn cites(found: &LineUp, clause: &str, holds: bool) -> bool {
    found.reasons.iter().any(|r| r.clause == clause && r.holds == holds)
}

/// After conforming the pair's contact has its whole tolerance left.
fn exact(found: &LineUp, text: &str) {
    let before = setup(text);
    let after = found.applied_to(&before);
    let (a, e, way) = found.pair.clone().expect("a pair");
    let (a, e) = (after.element(&a).expect("a"), after.element(&e).expect("e"));
    let settings = Settings::dba3();
    let margin = contacts::lined_up_margin(a, e, way, &crate::rules::Context::of(&after, &settings));
    assert!((margin.mm - 1.0).abs() < 1e-6, "{margin:?}");
}

#[test]
fn a_single_element_slides_to_the_single_it_meets() {
    let text = "A 4Bd red (0.3,3)-(1.3,3) N; E 4Bd blue (1,3)-(0,3) S";
    let found = how(text, &["A"]);
    assert_eq!(found.outcome, Outcome::MoversConform);
    assert!((found.slide_mm - 12.0).abs() < 1e-6 && (found.measure_mm - 12.0).abs() < 1e-6, "{found:?}");
    assert!(cites(&found, "dba3.cf.6", true) && cites(&found, "dba3.cf.3", true));
    exact(&found, text);
}

#[test]
fn a_slide_of_a_base_width_is_too_far_and_one_a_little_less_is_not() {
    let at = |x: f64| {
        let text = format!("A 4Bd red ({x},3)-({},3) N; E 4Bd blue (1,3)-(0,3) S", x + 1.0);
        how(&text, &["A"])
    };
    assert_eq!(at(0.9).outcome, Outcome::MoversConform);
    assert!((at(0.9).slide_mm - 36.0).abs() < 1e-6);
    // At a whole base width only corners touch: that is an overlap position.
    assert_eq!(at(1.0).outcome, Outcome::LinedUp);
    assert!(matches!(at(1.0).pair, Some((_, _, Way::Overlap(_)))));
}

#[test]
fn askew_it_pivots_square_and_the_enemy_stays() {
    let text = "A 4Bd red at (20,110.3)mm 96deg w40mm d15mm; E 4Bd blue (1,3)-(0,3) S";
    let found = how(text, &["A"]);
    assert_eq!(found.outcome, Outcome::MoversConform);
    assert!(found.contacted.is_empty());
    exact(&found, text);
}

#[test]
fn a_group_turns_to_match_the_group_that_it_meets() {
    // The line is turned by 5 degrees about the middle one's front edge.
    let text = "A 4Bd red at (19.59,108.79)mm 95deg w40mm d15mm; B 4Bd red at (59.44,112.28)mm 95deg w40mm d15mm; \
                C 4Bd red at (99.29,115.76)mm 95deg w40mm d15mm; E 4Bd blue (2,3.1)-(1,3.1) S; F 4Bd blue (3,3.1)-(2,3.1) S";
    let found = how(text, &["A", "B", "C"]);
    assert_eq!(found.outcome, Outcome::MoversConform, "{found:?}");
    assert_eq!(found.shifts.len(), 3);
    assert!(cites(&found, "dba3.cf.7", true));
    exact(&found, text);
    let after = found.applied_to(&setup(text));
    let heading = after.element("A").expect("A").footprint.pose().heading;
    assert!(heading.turn_to_radians(crate::geometry::Heading::NORTH).abs() < 1e-9);
}

#[test]
fn a_single_conforms_to_the_group_that_contacts_it() {
    let text = "A 4Bd red (0,3)-(1,3) N; B 4Bd red (1,3)-(2,3) N; C 4Bd red (2,3)-(3,3) N; \
                E 4Bd blue (2.2,3)-(1.2,3) S";
    let found = how(text, &["A", "B", "C"]);
    assert_eq!(found.outcome, Outcome::ContactedConform);
    assert!(found.shifts.is_empty());
    let shift = &found.contacted[0].shifts.as_ref().expect("it can")[0];
    assert!((shift.to.centre.x - 60.0).abs() < 1e-6 && (shift.from.centre.x - 68.0).abs() < 1e-6);
    assert!(!found.contacted[0].may_refuse);
    assert!(cites(&found, "dba3.cf.8", true));
}

#[test]
fn odd_gaps_between_enemies_leave_the_second_its_choice() {
    let text = "A 4Bd red (0,3)-(1,3) N; B 4Bd red (1,3)-(2,3) N; \
                E 4Bd blue (1,3)-(0,3) S; F 4Bd blue (2.4,3)-(1.4,3) S; G 4Bd blue (3.4,3)-(2.4,3) S";
    let found = how(text, &["A", "B"]);
    assert_eq!(found.outcome, Outcome::LinedUp);
    assert!(cites(&found, "dba3.cf.10", true), "{:?}", found.reasons);
    let f = &found.contacted[0];
    assert_eq!(f.who, ["F", "G"]);
    assert!(f.may_refuse);
    let shift = &f.shifts.as_ref().expect("it can close up")[0];
    assert!((shift.to.centre.x - 60.0).abs() < 1e-6);
}

#[test]
fn friends_in_the_way_stop_the_move_unless_the_setting_says_otherwise() {
    let friend = "A 4Bd red (0.5,3)-(1.5,3) N; E 4Bd blue (2,3)-(1,3) S; \
                  B 4Bd red (1.5,3)-(2.5,3) N; X 4Bd blue (3,3)-(2,3) S";
    let found = how(friend, &["A"]);
    assert_eq!(found.outcome, Outcome::NoMove, "{found:?}");
    assert!(cites(&found, "dba3.set.64", false));
    let settings = Settings::dba3().with("friends-block-conforming", "fight-overlapped").expect("a choice");
    assert_eq!(under(friend, &["A"], &settings).outcome, Outcome::ContactedChoose);
}

#[test]
fn a_blocking_enemy_leaves_it_to_the_contacted() {
    let text = "A 4Bd red (0.5,3)-(1.5,3) N; E 4Bd blue (2,3)-(1,3) S; \
                F 4Bd blue (1.6,2.95)-(1.6,1.95) E d0.375";
    let found = how(text, &["A"]);
    assert_eq!(found.outcome, Outcome::ContactedChoose, "{found:?}");
    assert!(cites(&found, "dba3.cf.10", true) && cites(&found, "dba3.ovl.11", true));
    let shift = &found.contacted[0].shifts.as_ref().expect("it can")[0];
    assert!((shift.to.centre.x - 40.0).abs() < 1e-6);
}

#[test]
fn artillery_may_touch_nothing_and_blades_may() {
    let art = how("A Art red (0,3)-(1,3) N; E 4Bd blue (1,3)-(0,3) S", &["A"]);
    assert_eq!(art.outcome, Outcome::NoMove);
    assert!(cites(&art, "dba3.con.13", false) && cites(&art, "dba3.set.56", false));
    let far = setup("A WWg red (0,2.9)-(1,2.9) N; E 4Bd blue (2,3)-(1,3) S");
    let told = end_of_movement(&far, &far, &Settings::dba3(), &["A"]).expect("known");
    assert!(told.is_empty(), "0.1 BW short is no contact: {told:?}");
}

#[test]
fn the_sum_of_corners_may_choose_another_shift() {
    let text = "A 4Bd red at (31,110.3)mm 99deg w40mm d15mm; E 4Bd blue (1,3)-(0,3) S";
    let furthest = how(text, &["A"]);
    let settings = Settings::dba3().with("conform-measure", "sum-of-corners").expect("a choice");
    let sum = under(text, &["A"], &settings);
    assert!(sum.measure_mm > furthest.measure_mm);
}

#[test]
fn a_flank_is_contacted_from_beyond_its_line_only() {
    let before = setup("A 4Bd red (2,2)-(2,3) W; E 4Bd blue (0,4)-(1,4) N d0.5");
    let after = setup("A 4Bd red (1,3)-(1,4) W; E 4Bd blue (0,4)-(1,4) N d0.5");
    let settings = Settings::dba3();
    let told = end_of_movement(&before, &after, &settings, &["A"]).expect("known");
    assert!(told.iter().all(|t| t.allowed), "{told:?}");
    let ahead = setup("A 4Bd red (1,5)-(0,5) S; E 4Bd blue (0,4)-(1,4) N d0.5");
    let told = end_of_movement(&ahead, &after, &settings, &["A"]).expect("known");
    assert!(!told[0].allowed);
    assert!(told.iter().flat_map(|t| &t.reasons).any(|r| r.clause == "dba3.con.12" && !r.holds));
}

#[test]
fn the_free_slide_saves_its_sideways_part_of_the_reach() {
    // From 1.9 BW ahead and 0.8 BW aside: straight up 1.9 BW, the slide is free (clause dba3.set.59).
    let before = setup("A 8Sp red (0.8,1.1)-(1.8,1.1) N; E 4Bd blue (1,3)-(0,3) S");
    let after = setup("A 8Sp red (0,3)-(1,3) N; E 4Bd blue (1,3)-(0,3) S");
    let slides = slide_of(&after, &Settings::dba3(), &["A"]);
    assert_eq!(slides.len(), 1);
    let corners = [Corner::FrontLeft, Corner::FrontRight].map(|c| {
        let at = |s: &Setup| s.element("A").expect("A").footprint.corner(c);
        (at(&before), at(&after))
    });
    let (slide, reach) = slides[0].least_mm(&corners);
    assert!((slide + 32.0).abs() < 0.01 && (reach - 76.0).abs() < 0.01, "{slide} {reach}");
}

#[test]
fn beside_a_free_enemy_the_least_slide_is_half_a_base_at_most() {
    let two = setup("A 4Bd red (0,3)-(1,3) N; E 4Bd blue (1,3)-(0,3) S; F 4Bd blue (2,3)-(1,3) S");
    let slide = &slide_of(&two, &Settings::dba3(), &["A"])[0];
    // F stands at A's right: having touched further to the right, the least slide is to F.
    assert_eq!((slide.left_mm, slide.right_mm), (20.0, 40.0));
}
