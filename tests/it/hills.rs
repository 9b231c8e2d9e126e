//! Hills of the table file, from the simulated picture to the places that are read: followed from frame to frame,
//! and through the program.

use super::table_pictures::{groma, save, write_profile};
use super::uneven::{Base, EXACT, base, camera, corner_error, roster, roster_text, step};
use groma::geometry::{Pose, Vector};
use groma::judge::{Roster, Table, parse_table, samples, tag_book};
use groma::tracking::{TableSnapshot, Tag, TagFamily, Visibility};
use groma::vision::sim::{Block, SimulatedCamera};
use groma::vision::{Frame, FrameSource, GreyImage, Pipeline, PipelineSettings};
use nalgebra::Point3;
use serde_json::Value;
use std::sync::Arc;

/// Higher than a tag is wide once the camera looks at it aslant: where the tag would show on the flat table is
/// beside where it does.
const HIGH_MM: f64 = 40.0;

/// The sample table's file with hills in it.
pub fn with_hills(hills: &str) -> String {
    samples::TABLE_RON.replacen("terrain: [", &format!("terrain: [\n{hills}"), 1)
}

/// A table file that is sound.
pub fn table(text: &str) -> Table {
    parse_table("table.ron", text).map_err(|m| m.to_string()).expect("a sound table")
}

const PLATEAU: &str = "(name: \"Plateau\", kind: \"gentle-hill\", height: 40, profile: stepped, \
                       outline: [(330, 300), (560, 300), (560, 540), (330, 540)]),\n";

/// Four bases on the plateau and two beside it.
fn bases() -> (Vec<Base>, Vec<Block>) {
    let places = [
        (370.0, 340.0, HIGH_MM),
        (480.0, 350.0, HIGH_MM),
        (400.0, 460.0, HIGH_MM),
        (510.0, 480.0, HIGH_MM),
        (120.0, 130.0, 0.0),
        (230.0, 160.0, 0.0),
    ];
    let of = |(n, (x, y, ground)): (usize, &(f64, f64, f64))| {
        base(
            n,
            if n % 2 == 0 { 30.0 } else { 0.3 },
            Pose::new(*x, *y, 37.0 * n as f64),
            *ground,
            Vector::zeros(),
        )
    };
    (places.iter().enumerate().map(of).collect(), vec![step(330.0, 300.0, 560.0, 540.0, HIGH_MM).1])
}

fn tag(n: usize) -> Tag {
    Tag::new(TagFamily::Tag36h11, 20 + n as u32)
}

/// The pipeline after some frames, and the number of the next.
fn settled(camera: &mut SimulatedCamera, roster: &Roster) -> (Pipeline, Arc<TableSnapshot>, u64) {
    let book = tag_book(&table(&with_hills(PLATEAU)), roster);
    let lens = Some(camera.camera().lens);
    let mut pipeline = Pipeline::new(book, lens, PipelineSettings::for_source(camera)).expect("a pipeline");
    let taken: Vec<_> = (0..5).map(|seq| pipeline.take(&frame(camera, seq)).snapshot).collect();
    (pipeline, taken[4].clone(), 5)
}

fn frame(camera: &mut SimulatedCamera, seq: u64) -> Frame {
    camera.skip_to(seq);
    camera.next_frame().expect("a picture").expect("a live source")
}

fn place(snapshot: &TableSnapshot, n: usize) -> Pose {
    snapshot.tracks[&tag(n)].pose.as_ref().expect("a tag that was seen has a pose").pose
}

/// The picture with a patch of plain grey, `reach_px` each way, where a tag `z_mm` high over the table is seen.
fn covered(frame: &Frame, camera: &SimulatedCamera, (at, z_mm): (Pose, f64), reach_px: usize) -> Frame {
    let place = Point3::new(at.centre.x, at.centre.y, z_mm);
    let centre = camera.camera().image_from_table(place).expect("in front of the camera");
    let mut grey: GreyImage = (*frame.grey).clone();
    let width = grey.width();
    let (x, y) = (centre.x as usize, centre.y as usize);
    for line in y - reach_px..y + reach_px {
        grey.data_mut()[line * width + x - reach_px..line * width + x + reach_px].fill(90);
    }
    Frame { grey: Arc::new(grey), ..frame.clone() }
}

#[test]
fn a_base_on_a_hill_is_watched_where_it_shows() {
    let (bases, blocks) = bases();
    let roster = roster(&bases, EXACT);
    let mut live = camera(&bases, blocks, 3);
    let (mut pipeline, was, seq) = settled(&mut live, &roster);
    for (n, b) in bases.iter().enumerate() {
        assert_eq!(was.tracks[&tag(n)].visibility, Visibility::Seen);
        assert_eq!(was.tracks[&tag(n)].rest.height_mm, b.ground_mm);
    }
    // Something lies where the tag would show on the flat table: nothing is hidden.
    let (n, high) = (3, 2.0 + bases[3].tag_height_mm);
    let next = frame(&mut live, seq);
    let beside = covered(&next, &live, (place(&was, n), high), 6);
    assert_eq!(pipeline.take(&beside).snapshot.tracks[&tag(n)].visibility, Visibility::Seen);
    // Something lies where it does show.
    let next = frame(&mut live, seq + 1);
    let hidden = covered(&next, &live, (place(&was, n), high + HIGH_MM), 6);
    let snapshot = pipeline.take(&hidden).snapshot;
    assert!(
        matches!(snapshot.tracks[&tag(n)].visibility, Visibility::Covered { .. }),
        "{:?}",
        snapshot.tracks[&tag(n)].visibility
    );
    assert_eq!(place(&snapshot, n), place(&was, n));
}

#[test]
fn a_base_shifted_by_three_tenths_on_a_hill_is_noticed_on_the_next_frame() {
    let (bases, blocks) = bases();
    let roster = roster(&bases, EXACT);
    let mut before = camera(&bases, blocks.clone(), 3);
    let (mut pipeline, was, seq) = settled(&mut before, &roster);
    let by = Vector::new(0.3, 0.0);
    for n in [0, 1, 2, 3] {
        let mut moved = bases.clone();
        moved[n].pose = moved[n].pose.nudged(by, 0.0);
        let mut after = camera(&moved, blocks.clone(), 3);
        let now = pipeline.take(&frame(&mut after, seq + 2 * n as u64)).snapshot;
        let track = &now.tracks[&tag(n)];
        let step = place(&now, n).centre - place(&was, n).centre;
        assert!(track.visibility == Visibility::Seen && !track.at_rest, "{track:?}");
        assert!((step - by).norm() < 0.1, "{n}: {step}");
        for other in (0..bases.len()).filter(|o| *o != n) {
            let off = (place(&now, other).centre - place(&was, other).centre).norm();
            assert!(off < 0.1, "{other} stayed and is said to have moved {off:.3} mm");
        }
        pipeline.take(&frame(&mut before, seq + 2 * n as u64 + 1));
    }
}

/// What the program says of a picture of these bases on this table, a JSON object a line.
fn said(bases: &[Base], blocks: Vec<Block>, table: &str, command: &[&str]) -> Vec<Value> {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let dir = folder.path();
    let mut live = camera(bases, blocks, 4);
    write_profile(&dir.join("lens.ron"), live.camera().lens);
    save(&dir.join("picture.png"), &mut live);
    std::fs::write(dir.join("table.ron"), table).expect("a written file");
    std::fs::write(dir.join("roster.ron"), roster_text(bases, EXACT)).expect("a written file");
    let files = ["--table", "table.ron", "--roster", "roster.ron", "--lens", "lens.ron", "--json"];
    let done = groma(dir, &[command, &["picture.png"], &files[..]].concat());
    let said = String::from_utf8_lossy(&done.stdout);
    assert!(done.status.success(), "{said}\n{}", String::from_utf8_lossy(&done.stderr));
    said.lines().map(|l| serde_json::from_str(l).expect("one object a line")).collect()
}

#[test]
fn the_program_reads_and_judges_bases_on_the_hills_of_the_table_file() {
    let (bases, blocks) = bases();
    // The worst base's corners, and how many bases were read.
    let worst = |table: &str| {
        let lines = said(&bases, blocks.clone(), table, &["read"]);
        let errors = bases.iter().filter_map(|b| {
            let line = lines.iter().find(|l| l["name"] == b.name.as_str()).expect("a line a base");
            let number = |key: &str| line[key].as_f64();
            let found = Pose::new(number("x_mm")?, number("y_mm")?, number("heading_deg")?);
            Some(corner_error(&groma::geometry::PoseEstimate::exact(found), b))
        });
        let errors: Vec<f64> = errors.collect();
        (errors.iter().copied().fold(0.0, f64::max), errors.len())
    };
    let (flat, hilly) = (worst(samples::TABLE_RON), worst(&with_hills(PLATEAU)));
    println!("worst base's corners: {flat:?} mm without the hill, {hilly:?} with it, of {}", bases.len());
    assert!(flat.0 > 5.0 && hilly.0 < 0.15 && hilly.1 == bases.len(), "{flat:?} {hilly:?}");
    // 40 mm up the one, on the table the other: their distance as seen from above.
    let lines =
        said(&bases, blocks.clone(), &with_hills(PLATEAU), &["judge", "--between", "Base 0", "Base 5"]);
    let distance = lines.iter().find(|l| l["question"] == "distance").expect("a distance");
    let (a, b) = (&bases[0], &bases[5]);
    let footprint = |b: &Base| groma::geometry::Footprint::new(b.pose, 40.0, b.depth_mm).expect("a base");
    let truth = groma::geometry::separation(&footprint(a), &footprint(b)).mm;
    let found = distance["margin_mm"].as_f64().expect("a number");
    println!("distance {found:.3} mm, truly {truth:.3}");
    assert!((found - truth).abs() < 0.15, "{found} for {truth}");
}
