//! What must hold of the ground whatever lies where: turning or shifting the whole table changes no going, no
//! margin and no command; a mirror changes no answer; scaling the base width scales the margins.

use crate::transform::Transform;
use groma::geometry::{Footprint, Point, Polygon, Pose};
use groma::rules::bound::{Bound, in_command};
use groma::rules::stronghold::Past;
use groma::rules::terrain::{
    Feature, Ground, Hill, Holder, Plough, Profile, River, RiverState, Road, TerrainKind, Way,
};
use groma::rules::{Element, Location, Overhang, Settings, Setup, Side, stronghold};
use groma::units::Scale;
use proptest::prelude::*;

const MIDDLE: f64 = 300.0;

fn element(name: &'static str, side: Side, troop: &'static str) -> impl Strategy<Value = Element> {
    (-220.0..220.0f64, -220.0..220.0f64, 0.0..360.0f64).prop_map(move |(x, y, heading)| Element {
        name: name.to_owned(),
        side,
        troop: troop.to_owned(),
        footprint: Footprint::new(Pose::new(MIDDLE + x, MIDDLE + y, heading), 40.0, 20.0)
            .expect("a good base"),
        general: name == "G",
        tower: false,
        overhang: Overhang::default(),
        location: Location::Board,
    })
}

/// An outline seen whole from its middle, with notches.
fn star() -> impl Strategy<Value = Vec<Point>> {
    let place = (-150.0..150.0f64, -150.0..150.0f64);
    (place, proptest::collection::vec(30.0..90.0f64, 5..9)).prop_map(|((x, y), radii)| {
        let step = std::f64::consts::TAU / radii.len() as f64;
        let corner = |(n, r): (usize, &f64)| {
            let (sin, cos) = (step * n as f64).sin_cos();
            Point::new(MIDDLE + x + r * cos, MIDDLE + y + r * sin)
        };
        radii.iter().enumerate().map(corner).collect()
    })
}

fn line() -> impl Strategy<Value = Vec<Point>> {
    proptest::collection::vec(0.0..600.0f64, 3)
        .prop_map(|ys| ys.into_iter().enumerate().map(|(n, y)| Point::new(300.0 * n as f64, y)).collect())
}

const KINDS: [TerrainKind; 8] = [
    TerrainKind::Wood,
    TerrainKind::Scrub,
    TerrainKind::Dunes,
    TerrainKind::Waterway,
    TerrainKind::Hamlet,
    TerrainKind::Fort,
    TerrainKind::DifficultHill,
    TerrainKind::Plough,
];

fn setup() -> impl Strategy<Value = Setup> {
    let elements =
        (element("G", Side::Red, "3Kn"), element("A", Side::Red, "4Sp"), element("E", Side::Blue, "Cm"));
    let lies = (star(), star(), 0..KINDS.len(), line(), line());
    (elements, lies).prop_map(|((g, a, e), (one, hill, kind, course, road))| {
        let feature = |name: &str, kind: TerrainKind, corners: &[Point]| {
            let outline = Polygon::new(corners.to_vec()).expect("a star is simple");
            let crest = vec![corners[0], corners[corners.len() / 2]];
            let hill = kind.is_hill().then_some(Hill { crest, height_mm: 15.0, profile: Profile::Slope });
            let holder = Holder::Civilians(Side::Blue);
            Feature {
                name: name.to_owned(),
                kind,
                outline,
                hill,
                side: None,
                holder,
                gates: Vec::new(),
                past: Past::default(),
            }
        };
        let way = |line| Way::new(line, 25.0).expect("a way");
        let ground = Ground {
            features: vec![feature("W", KINDS[kind], &one), feature("H", TerrainKind::GentleHill, &hill)],
            rivers: vec![River { name: "R".to_owned(), course: way(course), state: RiverState::Slowing }],
            roads: vec![Road { name: "S".to_owned(), course: way(road) }],
            plough: Plough::Rough,
        };
        Setup { ground, ..Setup::bare(Scale::SMALL, (600.0, 600.0), vec![g, a, e]) }
    })
}

/// Everything that is asked: words that must be the same, and margins in millimetres.
fn answers(setup: &Setup, settings: &Settings) -> (Vec<String>, Vec<f64>) {
    let (rules, ground) = (settings.ruleset(), &setup.ground);
    let (mut said, mut margins) = (Vec::new(), Vec::new());
    let base = |n: usize| (setup.elements[n].name.as_str(), &setup.elements[n].footprint);
    for e in &setup.elements {
        let troop = rules.troop(&e.troop).expect("a troop");
        let under = ground.underfoot(&e.name, &e.footprint, troop, settings);
        said.push(format!("{:?} {:?}", under.going, under.by));
        margins.extend(under.margin.map(|m| m.mm));
        for reason in ground.barred(&e.name, &[e.footprint.outline().to_vec()], rules) {
            said.push(format!("{}", reason.holds));
            margins.extend(reason.margin.map(|m| m.mm));
        }
        margins.extend(ground.on_road(&e.footprint, setup.scale).map(|on| on.margin.mm));
        for feature in &ground.features {
            if let Some(zone) = stronghold::zone(setup, settings, e, feature) {
                said.push(format!("{}", zone.binds));
                margins.push(zone.margin.mm);
            }
        }
    }
    for (a, b) in [(1, 2), (2, 1)] {
        let uphill = ground.uphill(base(a), base(b), &settings.tolerances);
        said.push(format!("{:?}", uphill.as_ref().map(|u| (u.margin.satisfied(), u.on.clone()))));
        margins.extend(uphill.map(|u| u.margin.mm));
        let bank = ground.bank(base(a), base(b));
        said.push(format!("{:?}", bank.as_ref().map(|b| b.defends)));
        margins.extend(bank.map(|b| b.margin.mm));
    }
    let command = in_command(setup, settings, &Bound::new(3, Side::Red), &[&setup.elements[1]]);
    said.push(format!("{:?}", command.holds));
    margins.extend(command.margin.map(|m| m.mm));
    (said, margins)
}

fn same(
    was: &(Vec<String>, Vec<f64>),
    is: &(Vec<String>, Vec<f64>),
    times: f64,
) -> Result<(), TestCaseError> {
    prop_assert_eq!(&was.0, &is.0);
    prop_assert_eq!(was.1.len(), is.1.len());
    for (a, b) in was.1.iter().zip(&is.1) {
        prop_assert!((a * times - b).abs() < 1e-5, "{a} became {b}");
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn turning_and_shifting_the_table_changes_nothing(
        setup in setup(), turn in 0.0..360.0f64, dx in -500.0..500.0f64, dy in -500.0..500.0f64,
    ) {
        let settings = Settings::dba3();
        let other = Transform::turned(turn, dx, dy).setup(&setup);
        same(&answers(&setup, &settings), &answers(&other, &settings), 1.0)?;
    }

    /// How an outline is cut into pieces depends on which way round it runs, so that of a base deep in a notched
    /// one the figure may differ; the answers may not.
    #[test]
    fn a_mirror_changes_no_answer(setup in setup()) {
        let settings = Settings::dba3();
        let other = Transform::mirrored(setup.board_mm).setup(&setup);
        prop_assert_eq!(answers(&setup, &settings).0, answers(&other, &settings).0);
    }

    #[test]
    fn scaling_the_base_width_scales_the_margins(setup in setup()) {
        let settings = Settings::dba3();
        let larger = Transform::scaled(1.5);
        let (was, is) = (answers(&setup, &settings), answers(&larger.setup(&setup), &larger.settings(&settings)));
        same(&was, &is, 1.5)?;
    }
}
