//! What must hold of the rules whatever stands where: turning or shifting the whole table changes no
//! margin, a mirror changes none, scaling scales them, a small shift moves none by more, and combat
//! with its two sides swapped is the same combat.

use crate::transform::Transform;
use groma::geometry::{Footprint, Pose, Vector};
use groma::rules::combat::{Conditions, FateRuling, brief};
use groma::rules::{Context, Element, Location, Overhang, Question, Settings, Setup, Side, margin};
use groma::units::Scale;
use proptest::prelude::*;

const CODES: [&str; 8] = ["4Bd", "Ps", "SCh", "WWg", "8Sp", "LH", "3Kn", "7Hd"];

/// An element near the board's middle, often square to the others and often touching them.
fn element(name: &'static str, side: Side) -> impl Strategy<Value = Element> {
    let place = prop_oneof![
        (-90.0..90.0f64, -90.0..90.0f64),
        (-2..=2i32, -2..=2i32).prop_map(|(x, y)| (f64::from(x) * 40.0, f64::from(y) * 15.0)),
    ];
    let heading = prop_oneof![
        (0..4i32).prop_map(|q| f64::from(q) * 90.0),
        (0..4i32, -3.0..3.0f64).prop_map(|(q, off)| f64::from(q) * 90.0 + off),
        0.0..360.0f64,
    ];
    let sizes = (prop_oneof![Just(15.0), Just(30.0), 15.0..80.0f64], prop_oneof![Just(40.0), 38.0..42.0f64]);
    let overhang = (0.0..3.0f64, 0.0..1.0f64);
    (place, heading, sizes, overhang, 0..CODES.len()).prop_map(
        move |((x, y), heading, (depth, width), (front, sides), code)| Element {
            name: name.to_owned(),
            side,
            troop: CODES[code].to_owned(),
            footprint: Footprint::new(Pose::new(300.0 + x, 300.0 + y, heading), width, depth)
                .expect("a good base"),
            general: false,
            tower: false,
            overhang: Overhang { front, rear: 0.0, sides },
            location: Location::Board,
        },
    )
}

fn setup() -> impl Strategy<Value = Setup> {
    (element("A", Side::Red), element("E", Side::Blue), element("B", Side::Red), element("F", Side::Blue))
        .prop_map(|(a, e, b, f)| Setup::bare(Scale::SMALL, (600.0, 600.0), vec![a, e, b, f]))
}

/// Default settings, those of most players, and every zone setting turned on.
fn settings() -> impl Strategy<Value = Settings> {
    (0..3usize).prop_map(|which| {
        let base = Settings::dba3();
        match which {
            0 => base,
            1 => Settings::community(base.ruleset().clone()),
            _ => base
                .with("wwg-tz-all-edges", "true")
                .and_then(|s| s.with("tz-side-line-counts", "true"))
                .expect("settings of the ruleset"),
        }
    })
}

fn margins(setup: &Setup, settings: &Settings) -> Vec<f64> {
    let context = Context::of(setup, settings);
    Question::ALL.iter().map(|&q| margin(q, &setup.elements[0], &setup.elements[1], &context).mm).collect()
}

fn same(was: &[f64], is: &[f64], times: f64) -> Result<(), TestCaseError> {
    for (question, (was, is)) in Question::ALL.iter().zip(was.iter().zip(is)) {
        prop_assert!((was * times - is).abs() < 1e-6, "{question:?}: {was} times {times} is not {is}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn turning_and_shifting_the_table_changes_no_margin(
        setup in setup(), settings in settings(), turn in 0.0..360.0f64, x in -500.0..500.0f64, y in -500.0..500.0f64,
    ) {
        let turned = Transform::turned(turn, x, y).setup(&setup);
        same(&margins(&setup, &settings), &margins(&turned, &settings), 1.0)?;
    }

    #[test]
    fn a_mirror_changes_no_margin(setup in setup(), settings in settings()) {
        let mirrored = Transform::mirrored(setup.board_mm).setup(&setup);
        same(&margins(&setup, &settings), &margins(&mirrored, &settings), 1.0)?;
    }

    #[test]
    fn scaling_the_base_width_scales_margins(setup in setup(), settings in settings(), times in 0.5..3.0f64) {
        let larger = Transform::scaled(times);
        let (scaled, wider) = (larger.setup(&setup), larger.settings(&settings));
        same(&margins(&setup, &settings), &margins(&scaled, &wider), times)?;
    }

    #[test]
    fn a_small_shift_moves_a_margin_by_no_more(
        setup in setup(), settings in settings(), x in -5.0..5.0f64, y in -5.0..5.0f64, which in 0..2usize,
    ) {
        let shift = Vector::new(x, y);
        let mut shifted = setup.clone();
        let base = &mut shifted.elements[which].footprint;
        *base = base.moved_to(base.pose().nudged(shift, 0.0));
        let (was, is) = (margins(&setup, &settings), margins(&shifted, &settings));
        for (question, (was, is)) in Question::ALL.iter().zip(was.iter().zip(&is)) {
            prop_assert!((was - is).abs() <= shift.norm() + 1e-6, "{question:?}: {was} to {is} by {}", shift.norm());
        }
    }

    #[test]
    fn combat_with_its_sides_swapped_is_the_same_combat(
        setup in setup(), settings in settings(), a in 1..=6u8, e in 1..=6u8,
    ) {
        let there = brief(&setup, &settings, &Conditions::default(), "A", "E").expect("a combat");
        let back = brief(&setup, &settings, &Conditions::default(), "E", "A").expect("a combat");
        prop_assert_eq!((there.a.total(), there.b.total()), (back.b.total(), back.a.total()));
        let (there, back) = (there.outcome(a, e).expect("dice"), back.outcome(e, a).expect("dice"));
        let told = |fate: &FateRuling| {
            let cited: Vec<(String, bool)> = fate.reasons.iter().map(|r| (r.clause.clone(), r.holds)).collect();
            (fate.fate, fate.clause.clone(), cited)
        };
        prop_assert_eq!((told(&there.a), told(&there.b)), (told(&back.b), told(&back.a)));
    }

    #[test]
    fn turning_the_table_changes_no_total(setup in setup(), turn in 0..4i32) {
        let settings = Settings::dba3();
        let turned = Transform::turned(f64::from(turn) * 90.0, 0.0, 0.0).setup(&setup);
        let total = |setup: &Setup| {
            let brief = brief(setup, &settings, &Conditions::default(), "A", "E").expect("a combat");
            (brief.a.total(), brief.b.total())
        };
        prop_assert_eq!(total(&setup), total(&turned));
    }
}
