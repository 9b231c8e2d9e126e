use super::*;
use crate::geometry::Corner;
use crate::rules::movement::{Gateway, Leg, Manoeuvre, Mover, TacticalMove};
use crate::rules::{Ruleset, Setup, notation};
use crate::units::Scale;
use proptest::prelude::*;

const LINE: &str = "A 4Bd red (4,5)-(5,5) N; B 4Bd red (5,5)-(6,5) N; C 4Bd red (6,5)-(7,5) N; \
                    K 3Kn red (1,2)-(1,1) E; E 4Sp blue (6,9)-(5,9) S; \
                    ground city Ur box (10,5)-(13,8) of=red gates (11.5,5)-(13,6.5); G 4Sp red (11,6)-(12,6) N in=city";

fn setup() -> Setup {
    notation::read_setup(LINE, &Ruleset::dba3()).expect("a setup")
}

fn made(text: &str) -> TacticalMove {
    read_move(text, &Ruleset::dba3(), Scale::SMALL).expect("a move").on(&setup()).expect("on the setup")
}

fn corner_after(made: &TacticalMove, name: &str, corner: Corner) -> (f64, f64) {
    let after = made.applied_to(&setup());
    let at = after.element(name).expect("there").footprint.corner(corner);
    ((at.x / 40.0 * 1e9).round() / 1e9, (at.y / 40.0 * 1e9).round() / 1e9)
}

#[test]
fn steps_are_seen_by_the_troops_that_go() {
    assert_eq!(corner_after(&made("A ahead 2"), "A", Corner::FrontLeft), (4.0, 7.0));
    assert_eq!(corner_after(&made("K ahead 80mm"), "K", Corner::FrontLeft), (3.0, 2.0));
    assert_eq!(corner_after(&made("K left 1 then back 0.5"), "K", Corner::FrontLeft), (0.5, 3.0));
    assert_eq!(corner_after(&made("A to (8,6)-(8,5) E"), "A", Corner::FrontRight), (8.0, 5.0));
    assert_eq!(corner_after(&made("A shift (1,-1)"), "A", Corner::FrontLeft), (5.0, 4.0));
    // About: the front-left corner comes to stand where the rear-right one stood.
    assert_eq!(corner_after(&made("A about"), "A", Corner::FrontLeft), (5.0, 4.625));
}

#[test]
fn a_group_wheels_about_its_outermost_front_corner() {
    // Clause dba3.group.6's own figure: front (0,0)-(3,0) wheels left 30 degrees, the far corner to (2.598,1.5).
    let wheel = made("A+B+C wheel left 30");
    assert_eq!(wheel.manoeuvre, Manoeuvre::Group);
    let (x, y) = corner_after(&wheel, "C", Corner::FrontRight);
    assert!((x - 4.0 - 2.598_076_211).abs() < 1e-8 && (y - 6.5).abs() < 1e-8, "{x} {y}");
    assert_eq!(corner_after(&made("B+A+C wheel right 30"), "C", Corner::FrontRight), (7.0, 5.0));
}

#[test]
fn columns_have_an_order() {
    let column = made("B,A,C column ahead 2");
    assert_eq!(column.manoeuvre, Manoeuvre::IntoColumn);
    assert_eq!(corner_after(&column, "A", Corner::FrontLeft), (5.0, 6.625));
    assert_eq!(corner_after(&column, "C", Corner::FrontLeft), (5.0, 6.25));
    assert_eq!(made("B,A road 2").manoeuvre, Manoeuvre::ByRoad);
    assert_eq!(
        made("K dismount 4Bd").manoeuvre,
        Manoeuvre::Dismount { to: "4Bd".to_owned(), depth_mm: 15.0 }
    );
}

#[test]
fn a_body_may_part_each_going_its_own_way() {
    let text = "A+B+C ahead 2 / ahead 2 / ahead 1.5";
    let parted = made(text);
    assert_eq!(parted.manoeuvre, Manoeuvre::Group);
    assert_eq!(corner_after(&parted, "C", Corner::FrontLeft), (6.0, 6.5));
    assert_eq!(write_move(&parted, &setup()), text);
    assert_eq!(made(&write_move(&made("K dismount 4Bd d0.5"), &setup())), made("K dismount 4Bd d20mm"));
}

#[test]
fn who_goes_in_comes_out_or_through_goes_by_a_gate() {
    let out = made("G leaves Ur gate 2 ahead 1");
    assert_eq!(out.gateway, Gateway::Out { place: "Ur".to_owned(), gate: 2 });
    // Its rear edge stood on the gate in the east wall, and it faced east.
    assert_eq!(corner_after(&out, "G", Corner::FrontLeft), (14.375, 7.0));
    assert_eq!(corner_after(&made("G leaves Ur ahead 1"), "G", Corner::FrontRight), (11.0, 3.625));
    let after = made("A enters Ur ahead 2").applied_to(&setup());
    let inside = after.element("A").expect("there");
    assert_eq!(inside.location, crate::rules::Location::City);
    assert!((inside.footprint.pose().centre - Point::new(460.0, 260.0)).norm() < 1e-9);
    // A column comes out in its order, the last against the gate.
    let through = made("A,B through Ur gate 2");
    assert_eq!(through.manoeuvre, Manoeuvre::Column);
    assert_eq!(corner_after(&through, "B", Corner::FrontLeft), (13.375, 7.0));
    assert_eq!(corner_after(&through, "A", Corner::FrontLeft), (13.75, 7.0));
    for text in ["A,B through Ur gate 2", "G leaves Ur gate 2 ahead 1", "A enters Ur stands"] {
        assert_eq!(write_move(&made(text), &setup()), text);
    }
    let refused = |text: &str| {
        let line = read_move(text, &Ruleset::dba3(), Scale::SMALL).expect("a move");
        line.on(&setup()).expect_err("no such way").to_string()
    };
    assert!(refused("A enters Rome ahead 1").contains("the ground has Ur"));
    assert!(refused("G leaves Ur gate 3 ahead 1").contains("has 2 gates and no gate 3"));
}

#[test]
fn what_conforms_stands_after_a_bar() {
    let made = made("A+B ahead 2 | A+B right 2mm | E left 3mm");
    let names: Vec<&str> = made.conforming.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["A", "B", "E"]);
    assert_eq!(corner_after(&made, "A", Corner::FrontLeft), (4.05, 7.0));
    assert_eq!(write_move(&made, &setup()), "A+B ahead 2 | A+B right 0.05 | E left 0.075");
}

#[test]
fn mistakes_say_what_would_do() {
    let said =
        |text: &str| read_move(text, &Ruleset::dba3(), Scale::SMALL).expect_err("a mistake").to_string();
    assert!(said("A").contains("column 2: expected `ahead`"), "{}", said("A"));
    assert!(said("A ahead").contains("a distance"));
    assert!(said("A ahead -2").contains("more than zero"));
    assert!(said("A+B column ahead 2").contains("commas in place of `+`"));
    assert!(said("A column ahead 2").contains("needs two elements"));
    assert!(said("A+A ahead 2").contains("`A` again"));
    assert!(said("A+B,C ahead 2").contains("`+` between all"));
    assert!(said("A wheel 30").contains("`left` or `right`"));
    assert!(said("A+B enters Ur ahead 1").contains("one element goes in or comes out"));
    assert!(said("A+B through Ur").contains("a column, `A,B`, marches through"));
    assert!(said("A leaves Ur gate x ahead 1").contains("which gate"));
    assert!(said("A dismount Xy").contains("troop code"));
    assert!(said("A,B ahead 2 / ahead 2 / ahead 2").contains("as many ways as elements"));
    assert!(said("A to (5,5)-(6,5) S").contains("`N`"));
    let errors =
        read_moves("A ahead 2; B sideways 1\nC turn up 3", &Ruleset::dba3(), Scale::SMALL).expect_err("two");
    assert_eq!(errors.iter().map(|e| e.line).collect::<Vec<_>>(), [1, 2]);
}

fn step() -> impl Strategy<Value = String> {
    let hand = prop_oneof![Just("left"), Just("right")];
    let length = prop_oneof![
        (1u32..40).prop_map(|n| format!("{}", f64::from(n) / 10.0)),
        (0.01..150.0f64).prop_map(|mm| format!("{mm}mm"))
    ];
    prop_oneof![
        (prop_oneof![Just("ahead"), Just("back"), Just("left"), Just("right")], length)
            .prop_map(|(v, l)| format!("{v} {l}")),
        (prop_oneof![Just("wheel"), Just("turn")], hand, 0.01..180.0f64)
            .prop_map(|(v, h, d)| format!("{v} {h} {d}")),
        (-3.0..3.0f64, -3.0..3.0f64).prop_map(|(x, y)| format!("shift ({x},{y})")),
        (0.0..9.0f64, 0.0..9.0f64, 0.0..360.0f64).prop_map(|(x, y, h)| format!("to at ({x},{y}) {h}deg")),
        (0.0..9.0f64, 0.0..9.0f64, 0.1..90.0f64)
            .prop_map(|(x, y, d)| format!("turn left {d} about ({x},{y})")),
    ]
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(
        who in prop_oneof![Just("A"), Just("K"), Just("A+B"), Just("C+A+B"), Just("A,B"), Just("B,A,C column"), Just("K road"),
            Just("A enters Ur"), Just("G leaves Ur"), Just("G leaves Ur gate 2")],
        steps in prop::collection::vec(step(), 1..4),
        conforms in prop::option::of(step()),
    ) {
        let bar = conforms.map_or(String::new(), |s| format!(" | E {s}"));
        let text = format!("{who} {}{bar}", steps.join(" then "));
        let first = made(&text);
        let written = write_move(&first, &setup());
        let again = made(&written);
        prop_assert_eq!(&first.manoeuvre, &again.manoeuvre);
        prop_assert_eq!(&first.gateway, &again.gateway);
        let (a, b) = (first.applied_to(&setup()), again.applied_to(&setup()));
        for (x, y) in a.elements.iter().zip(&b.elements) {
            let apart = (x.footprint.pose().centre - y.footprint.pose().centre).norm();
            let turn = x.footprint.pose().heading.turn_to_radians(y.footprint.pose().heading).abs();
            prop_assert!(apart < 1e-5 && turn < 1e-7, "{text} became {written}: {apart} mm, {turn} rad");
        }
    }

    #[test]
    fn ways_of_their_own_are_read_back(mm in 1.0..100.0f64, turn in -1.0..1.0f64) {
        let legs = |by: f64| vec![Leg::Shift(Vector::new(by, mm)), Leg::Turn { about: Point::new(by, 3.0), by_rad: turn }];
        let movers = [("A", 0.0), ("B", 5.0)].map(|(name, by)| Mover { name: name.to_owned(), legs: legs(by) });
        let first = TacticalMove::of(movers.to_vec(), Manoeuvre::Column);
        let written = write_move(&first, &setup());
        let again = made(&written);
        for (a, b) in first.movers.iter().zip(&again.movers) {
            let pose = setup().element(&a.name).expect("there").footprint.pose();
            prop_assert!((a.end(pose).centre - b.end(pose).centre).norm() < 1e-5, "{written}");
        }
    }
}
