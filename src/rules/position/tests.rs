//! Battle lines as real bases make them.

use super::*;
use crate::geometry::{Corner, Pose};
use crate::rules::{Location, Overhang, Side, notation};
use crate::units::Scale;
use proptest::prelude::*;

const DEPTH_MM: f64 = 15.0;

/// Two lines that fight, north and south of y = 300, laid edge to edge with real widths so that the files
/// numbered `meet` have their middles together. Bases are given the width that `known` says: the real
/// one or the nominal.
fn lines(red: &[f64], blue: &[f64], meet: usize, known: fn(f64) -> f64) -> Setup {
    let mut elements = Vec::new();
    for (side, widths, heading) in [(Side::Red, red, 90.0), (Side::Blue, blue, 270.0)] {
        let before: f64 = widths[..meet].iter().sum::<f64>() + widths[meet] / 2.0;
        let mut x = 300.0 - before;
        for (place, &width) in widths.iter().enumerate() {
            let y = if side == Side::Red { 300.0 - DEPTH_MM / 2.0 } else { 300.0 + DEPTH_MM / 2.0 };
            let pose = Pose::new(x + width / 2.0, y, heading);
            x += width;
            let letter = if side == Side::Red { 'A' } else { 'E' };
            elements.push(Element {
                name: format!("{letter}{place}"),
                side,
                troop: "4Bd".to_owned(),
                footprint: Footprint::new(pose, known(width), DEPTH_MM).expect("a good base"),
                general: false,
                tower: false,
                overhang: Overhang::default(),
                location: Location::Board,
            });
        }
    }
    Setup {
        scale: Scale::SMALL,
        board_mm: (600.0, 600.0),
        edges: Default::default(),
        elements,
        ground: Default::default(),
        contingents: Default::default(),
        listed: Default::default(),
    }
}

fn files_fight(setup: &Setup, count: usize) {
    let settings = Settings::dba3();
    let position = Position::of(setup, &settings);
    assert!(position.strained.is_empty(), "{:?}", position.strained);
    let fights: Vec<_> = position.fights(&settings).into_iter().map(|f| (f.a, f.b, f.margin.mm)).collect();
    assert_eq!(fights.len(), count, "{fights:?}");
    for (place, (a, b, mm)) in fights.iter().enumerate() {
        assert_eq!((a, b), (&format!("A{place}"), &format!("E{place}")));
        assert!((mm - 1.0).abs() < 1e-6, "exact contact has the whole tolerance left: {mm}");
    }
    assert_eq!(position.bodies(Side::Red), [(0..count).collect::<Vec<_>>()]);
    for (element, mm) in position.shifts_mm() {
        assert!(mm < 0.6 * count as f64, "{} was taken {mm:.2} mm", element.name);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn lines_of_five_and_eight_with_real_widths_conform(
        widths in prop::collection::vec((39.5..=40.6f64, 39.5..=40.6f64), 8),
        meet in 0..5usize,
        short in any::<bool>(),
        real in any::<bool>(),
    ) {
        let count = if short { 5 } else { 8 };
        let (red, blue): (Vec<f64>, Vec<f64>) = widths[..count].iter().copied().unzip();
        let known: fn(f64) -> f64 = if real { |w| w } else { |_| 40.0 };
        files_fight(&lines(&red, &blue, meet, known), count);
    }

    #[test]
    fn conforming_a_position_again_changes_nothing(
        widths in prop::collection::vec((39.5..=40.6f64, 39.5..=40.6f64), 5), meet in 0..5usize,
    ) {
        let (red, blue): (Vec<f64>, Vec<f64>) = widths.iter().copied().unzip();
        let settings = Settings::dba3();
        let once = Position::of(&lines(&red, &blue, meet, |w| w), &settings);
        let twice = Position::of(&once.setup, &settings);
        for (a, b) in once.setup.elements.iter().zip(&twice.setup.elements) {
            for corner in Corner::ALL {
                prop_assert!((a.footprint.corner(corner) - b.footprint.corner(corner)).norm() < 1e-6);
            }
        }
    }
}

#[test]
fn the_widest_line_against_the_narrowest_fights_file_by_file() {
    // The eighth files are 7.7 mm off: more than any tolerance, and still face to face.
    let setup = lines(&[40.6; 8], &[39.5; 8], 0, |w| w);
    files_fight(&setup, 8);
    let position = Position::of(&setup, &Settings::dba3());
    let last = position.link("A7", "E7").expect("linked");
    assert_eq!(last.found, Found::AlongTheLine);
    assert!((last.margin.mm - (1.0 - 8.25)).abs() < 1e-6, "{:?}", last.margin);
    assert_eq!(position.measured("A7"), Some(&setup.elements[7].footprint));
}

#[test]
fn a_file_whose_front_does_not_meet_is_left_out() {
    let mut setup = lines(&[40.0; 5], &[40.0; 5], 0, |w| w);
    let last = &mut setup.elements[9].footprint;
    *last = last.moved_to(last.pose().nudged(crate::geometry::Vector::new(0.0, 2.5), 0.0));
    let position = Position::of(&setup, &Settings::dba3());
    assert_eq!(position.fights(&Settings::dba3()).len(), 4);
    assert!(position.link("A4", "E4").is_none());
    assert_eq!(position.setup.elements[9].footprint, setup.elements[9].footprint);
}

#[test]
fn a_column_a_flank_and_an_overlap_come_to_exact_contact_together() {
    let settings = Settings::dba3();
    let setup = notation::read_setup(
        "A 4Pk red at (100.3,92.1)mm 90.4deg w40mm d15mm; B 4Pk red at (100.1,76.7)mm 89.8deg w40mm d15mm; \
         E 4Bd blue at (100.0,107.6)mm 270deg w40mm d15mm; F 4Bd blue at (128.3,79.9)mm 180.9deg w40mm d15mm; \
         C 3Ax red at (140.6,90.1)mm 90deg w40mm d20mm",
        settings.ruleset(),
    );
    let setup = setup.expect("a good setup");
    let position = Position::of(&setup, &settings);
    let exact = |a: &str, b: &str| {
        let link = position.link(a, b).unwrap_or_else(|| panic!("{a} and {b} stand together"));
        position.strained.iter().find(|s| s.link == *link).map(|s| s.by_mm)
    };
    assert_eq!(exact("A", "B"), None);
    assert_eq!(exact("A", "E"), None);
    assert_eq!(position.fights(&settings).len(), 1);
}

#[test]
fn who_touches_nobody_stays_where_it_was_measured() {
    let settings = Settings::dba3();
    let setup = notation::read_setup(
        "A 4Bd red at (100,100)mm 91deg w39.7mm d15mm; E 4Bd blue at (100,130)mm 270deg w40mm d15mm",
        settings.ruleset(),
    )
    .expect("a good setup");
    assert_eq!(Position::of(&setup, &settings).setup, setup);
}
