//! Terrain as pictures show it: outlines proposed on photographs whose truth is known and on the simulated camera,
//! shifts told, and the table file that keeps every comment when its terrain changes.

use groma::cli::demo::table_with_terrain;
use groma::cli::sim_scene::scene_from;
use groma::cli::study::{OutlineFigure, outline_scenes};
use groma::geometry::{Point, Polygon};
use groma::judge::{Table, ground_rows, parse_table, samples, table_with_ground};
use groma::rules::terrain::{Road, TerrainKind, Way};
use groma::vision::outline::{Course, NotSeen, Rectified, compare_course};
use groma::vision::sim::{SimSettings, SimulatedCamera};
use groma::vision::{FrameSource, RgbImage};
use std::path::{Path, PathBuf};

fn scenes() -> Option<PathBuf> {
    let named = std::env::var_os("GROMA_SHARED").map(PathBuf::from);
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().skip(1).map(|dir| dir.join("shared"));
    let found = named.into_iter().chain(above).map(|shared| shared.join("scenes")).find(|dir| dir.is_dir());
    if found.is_none() {
        println!("skipped: no ../shared/scenes");
    }
    found
}

fn median(values: &[f64]) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Asked: overlap with the true outline at least 90 %.
fn nine_in_ten(what: &str, figure: &OutlineFigure) {
    println!("{what}: {figure:?}");
    assert!(!figure.overlaps.is_empty(), "{what}: nothing was proposed");
    assert!(median(&figure.overlaps) >= 0.9, "{what}: {:?}", figure.overlaps);
}

#[test]
fn outlines_on_path_traced_photographs_overlap_the_true_ones_and_shifts_are_told() {
    let Some(dir) = scenes() else { return };
    let found = outline_scenes(&dir, 1, true).expect("the scenes can be read");
    let of_terrain: Vec<_> = found.iter().filter(|(what, _)| what.contains(" of ")).collect();
    assert_eq!(of_terrain.len(), 4, "two woods and two hills");
    for (what, figure) in of_terrain {
        nine_in_ten(what, figure);
        for (off, sigma) in &figure.shifts_mm {
            assert!(*off < 3.0 && *off < 4.0 * sigma, "{what}: a shift told {off} mm wrong, {sigma} claimed");
        }
    }
}

/// The share of points of a grid that two outlines agree about, of those that either holds.
pub fn overlap(a: &Polygon, b: &Polygon) -> f64 {
    let points =
        (0..300).flat_map(|x| (0..300).map(move |y| Point::new(2.0 * f64::from(x), 2.0 * f64::from(y))));
    let (both, either) = points.fold((0.0, 0.0), |(both, either), p| match (a.holds(p), b.holds(p)) {
        (true, true) => (both + 1.0, either + 1.0),
        (false, false) => (both, either),
        _ => (both, either + 1.0),
    });
    both / either
}

const TABLE: &str = "// My table, do not lose this.
(
    schema: 1,
    playing_area: (600, 600), base_width: 40, // 15 mm
    reference_tags: [
        (family: \"tag36h11\", id: 0, size: 40, x: -30, y: -30), (family: \"tag36h11\", id: 1, size: 40, x: 630, y: -30),
        (family: \"tag36h11\", id: 2, size: 40, x: 630, y: 630), (family: \"tag36h11\", id: 3, size: 40, x: -30, y: 630),
    ],
    terrain: [
        // The old felt.
        (name: \"Beech wood\", kind: \"wood\", /* mine */ outline: [(100, 100), (180, 100), (180, 180), (100, 180)]), // lifted in May
        (name: \"Knoll\", kind: \"gentle-hill\", height: 12, outline: [(300, 300), (400, 300), (400, 380), (300, 380)])
        // nothing more
    ],
)
";

#[test]
fn a_table_s_terrain_changes_and_every_comment_stays() {
    let mut ground = parse_table("t", TABLE).expect("it reads").ground;
    let square = |x: f64| {
        let corners = [(x, 400.0), (x + 60.0, 400.0), (x + 60.0, 460.0), (x, 460.0)];
        Polygon::new(corners.map(|(x, y)| Point::new(x, y)).to_vec()).expect("a square")
    };
    // As it was: not a letter changes.
    assert_eq!(table_with_ground("t", TABLE, &ground).map_err(|m| m.to_string()).as_deref(), Ok(TABLE));
    // One changes, one joins, a road comes where there was no list.
    ground.features[0].outline = square(100.0);
    let mut more = ground.features[0].clone();
    (more.name, more.kind, more.outline) = ("Fen".to_owned(), TerrainKind::Marsh, square(500.0));
    ground.features.push(more);
    let way = Way::new(vec![Point::new(0.0, 20.0), Point::new(600.0, 20.0)], 20.0).expect("a way");
    ground.roads.push(Road { name: "Via".to_owned(), course: way });
    let text = table_with_ground("t", TABLE, &ground).expect("it is written");
    assert_eq!(parse_table("t", &text).expect("it reads").ground, ground, "{text}");
    for comment in [
        "do not lose this",
        "// 15 mm",
        "// The old felt.",
        "/* mine */",
        "// lifted in May",
        "// nothing more",
    ] {
        assert!(text.contains(comment), "{comment} is gone from {text}");
    }
    assert!(text.contains("height: 12, outline: [(300, 300)"), "what did not change is as it was: {text}");
    // The wood goes, what was said above it stays; the hill becomes a wood and loses its height.
    ground.features.remove(0);
    (ground.features[0].kind, ground.features[0].hill) = (TerrainKind::Scrub, None);
    ground.roads.clear();
    let less = table_with_ground("t", &text, &ground).expect("it is written");
    assert_eq!(parse_table("t", &less).expect("it reads").ground, ground, "{less}");
    assert!(less.contains("// The old felt.") && less.contains("// lifted in May"), "{less}");
    // From nothing to something and back on the sample, whose comments are long.
    let bare = samples::TABLE_RON;
    let filled = table_with_ground("t", bare, &ground).expect("it is written");
    assert_eq!(parse_table("t", &filled).expect("it reads").ground, ground);
    let again = table_with_ground("t", &filled, &Default::default()).expect("it is written");
    assert!(parse_table("t", &again).expect("it reads").ground.is_bare());
    for line in bare.lines().filter(|line| line.trim_start().starts_with("//")) {
        assert!(again.contains(line), "{line} is gone");
    }
}

#[test]
fn two_features_of_one_name_are_never_written() {
    let mut ground = parse_table("t", TABLE).expect("it reads").ground;
    let again = ground.features[0].clone();
    ground.features.push(again);
    assert!(table_with_ground("t", TABLE, &ground).is_err());
    assert_eq!(ground_rows(&ground).len(), 3);
}

#[test]
fn the_demo_s_table_knows_the_terrain_that_its_camera_draws() {
    let seed = 60;
    let (table, text) = table_with_terrain(seed).expect("the samples can be drawn");
    // What the journal keeps is what rulings count.
    assert_eq!(parse_table("table.ron", &text).expect("it reads"), table);
    let camera = |table: &Table| {
        let scene = scene_from(table, &samples::roster(), seed).expect("a scene");
        SimulatedCamera::new(scene, SimSettings::default(), seed).expect("a camera")
    };
    let mut bare = camera(&samples::table());
    let ground = &table.ground;
    assert_eq!(ground.names().count(), bare.terrain().len());
    assert!(bare.terrain().len() >= 4, "a wood, two hills and a river or road");
    for there in bare.terrain() {
        let known = match &there.course {
            Some((line, width)) => {
                let mut ways =
                    ground.rivers.iter().map(|r| &r.course).chain(ground.roads.iter().map(|r| &r.course));
                ways.any(|way| {
                    (way.width_mm() - width).abs() < 0.01
                        && way.line().len() == line.len()
                        && way.line().iter().zip(line).all(|(a, b)| (a - b).norm() < 0.01)
                })
            }
            None => ground.features.iter().any(|f| {
                let height = f.hill.as_ref().map_or(0.0, |hill| hill.height_mm);
                overlap(&f.outline, &there.outline) > 0.999 && (height - there.height_mm).abs() < 0.01
            }),
        };
        assert!(known, "{there:?}");
    }
    // Going on from its journal shows the same table: the bases stand where the bare table has them.
    let mut again = camera(&table);
    let frame = |camera: &mut SimulatedCamera| camera.next_frame().expect("a frame").expect("one").grey;
    assert_eq!(again.scene().placements(), bare.scene().placements());
    assert!(frame(&mut again) == frame(&mut bare), "another picture");
}

#[test]
fn a_road_that_was_moved_aside_is_told_and_one_that_slid_along_itself_is_not() {
    // A picture of the board from above: earth of one colour, a straight road of another.
    let (table, size) = ((600.0, 600.0), 600usize);
    let road = |x: usize| if (288..312).contains(&x) { [150u8, 128, 92] } else { [92, 118, 66] };
    let pixels: Vec<u8> = (0..size * size).flat_map(|n| road(n % size)).collect();
    let made = Rectified::of_board(RgbImage::new(size, size, pixels).expect("a picture"), table);
    // Pixel columns 288 to 311 of 1 mm each: the middle is at 300 mm.
    for (aside, told) in [(0.0, false), (2.0, false), (5.0, true), (10.0, true)] {
        let line = vec![Point::new(300.0 - aside, 0.0), Point::new(300.0 - aside, 600.0)];
        let moved = compare_course(&made, &Course { line, width_mm: 24.0 }).expect("it shows");
        assert_eq!(moved.is_told(), told, "{aside} mm: {moved:?}");
        assert!((moved.by.x - aside).abs() < 1.0 && moved.by.y.abs() < 1.0, "{aside} mm: {moved:?}");
    }
    let line = vec![Point::new(300.0, 60.0), Point::new(300.0, 540.0)];
    let slid = compare_course(&made, &Course { line, width_mm: 24.0 }).expect("it shows");
    assert!(!slid.is_told() && !slid.turn_is_told(), "{slid:?}");
    // Banks that would cross each other.
    let sharp = vec![Point::new(300.0, 300.0), Point::new(302.0, 330.0), Point::new(304.0, 300.0)];
    assert_eq!(compare_course(&made, &Course { line: sharp, width_mm: 80.0 }), Err(NotSeen::Sharp));
}
