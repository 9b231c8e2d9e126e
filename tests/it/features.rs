//! Terrain that bears a tag, from the simulated picture to the outline that is judged, the hill under bases and the journal.

use super::hills::{table, with_hills};
use super::table_pictures::{groma, save, write_profile};
use super::uneven::{Base, EXACT, base, camera_with, corner_error, roster, roster_text, step};
use groma::geometry::{Carry, Pose, Vector};
use groma::judge::{
    FeatureMoved, Table, TagSeen, as_it_lies, features_seen, read_elements, samples, tag_book,
};
use groma::session::engine::Engine;
use groma::session::journal::Event;
use groma::session::play::Play;
use groma::tracking::{ReferenceTag, TableSnapshot};
use groma::vision::sim::{Block, SimulatedCamera};
use groma::vision::{FrameSource, Pipeline, PipelineSettings, Sequence};
use std::sync::Arc;

/// A wood with a flat tag at its rim.
const WOOD: &str = "(name: \"Beech\", kind: \"wood\", outline: [(300, 120), (460, 110), (470, 240), (310, 230)], \
    tag: (family: \"tag36h11\", id: 300, size: 25, x: 330, y: 150, z: 0.5, rotation: 30)),\n";

/// A plateau with a tag on top.
const HILL: &str = "(name: \"Plateau\", kind: \"gentle-hill\", height: 40, profile: stepped, \
    outline: [(330, 300), (560, 300), (560, 540), (330, 540)], \
    tag: (family: \"tag36h11\", id: 301, size: 25, x: 360, y: 510, z: 40.3, rotation: 0)),\n";

/// The feature's tag as it lies once the feature was shifted so, and turned about the tag.
fn moved(tag: &ReferenceTag, by: Vector, deg: f64) -> ReferenceTag {
    let (x_mm, y_mm) = (tag.x_mm + by.x, tag.y_mm + by.y);
    ReferenceTag { x_mm, y_mm, rotation_deg: tag.rotation_deg + deg, ..*tag }
}

/// The snapshot of one picture that stands alone.
fn alone(camera: &mut SimulatedCamera, table: &Table, bases: &[Base]) -> Arc<TableSnapshot> {
    let settings = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
    let book = tag_book(table, &roster(bases, EXACT));
    let mut pipeline = Pipeline::new(book, Some(camera.camera().lens), settings).expect("a pipeline");
    camera.skip_to(0);
    pipeline.take(&camera.next_frame().expect("a picture").expect("a live source")).snapshot
}

fn a_base() -> Vec<Base> {
    vec![base(0, 30.0, Pose::new(120.0, 130.0, 37.0), 0.0, Vector::zeros())]
}

fn only(found: Vec<FeatureMoved>) -> FeatureMoved {
    let [moved] = found.as_slice() else { panic!("{found:?}") };
    moved.clone()
}

#[test]
fn a_wood_goes_with_its_tag_and_three_millimetres_are_told() {
    let table = table(&with_hills(WOOD));
    let bases = a_base();
    let (written, outline) = (table.feature_tags[0].place, table.ground.features[0].outline.clone());
    let (mut worst_mm, mut worst_sigmas, mut worst_deg) = (0.0f64, 0.0f64, 0.0f64);
    for (n, (mm, deg)) in
        [(0.0, 0.0), (3.0, 0.0), (5.0, 0.0), (20.0, 0.0), (0.0, 10.0), (20.0, -10.0)].into_iter().enumerate()
    {
        for seed in 1..=4u64 {
            let angle = 1.0 + seed as f64 * 1.7 + n as f64;
            let by = Vector::new(angle.cos(), angle.sin()) * mm;
            let lies = moved(&written, by, deg);
            let mut camera = camera_with(&bases, Vec::new(), vec![lies], seed);
            let found = only(features_seen(&table, &alone(&mut camera, &table, &bases)));
            assert_eq!(found.is_told(), mm > 0.0 || deg != 0.0, "{mm} mm, {deg} degrees: {found:?}");
            // Truth: every point of the outline, and its middle as it is told.
            let pose = |tag: &ReferenceTag| Pose::new(tag.x_mm, tag.y_mm, 90.0 + tag.rotation_deg);
            let truth = Carry::new(pose(&written), pose(&lies));
            let (low, high) = outline.bounds();
            let middle = nalgebra::center(&low, &high);
            let off = (found.by - (truth.point(middle) - middle)).norm();
            worst_mm = worst_mm.max(off);
            worst_sigmas = worst_sigmas.max(off / found.sigma_mm);
            worst_deg = worst_deg.max((found.turn_deg.0 - deg).abs());
            assert!((found.turn_deg.0 - deg).abs() < 0.5, "{deg}: {found:?}");
            let laid = as_it_lies(&table, std::slice::from_ref(&found.seen));
            for (is, was) in laid.ground.features[0].outline.corners().iter().zip(outline.corners()) {
                // Below a millimetre it stays as it is written.
                assert!((is - truth.point(*was)).norm() < 1.2, "{mm} mm, {deg} degrees: {is} for {was}");
            }
        }
    }
    println!("worst {worst_mm:.3} mm, {worst_sigmas:.1} sigmas, {worst_deg:.3} degrees");
    assert!(worst_mm < 0.6 && worst_sigmas < 4.0, "{worst_mm} mm, {worst_sigmas} sigmas");
}

/// Bases on the plateau once it was shifted so, one over the rim that is written, and one beside it.
fn on_the_hill(by: Vector) -> (Vec<Base>, Vec<Block>) {
    let places = [(410.0, 350.0, 40.0), (548.0, 420.0, 40.0), (460.0, 470.0, 40.0), (120.0, 130.0, 0.0)];
    let of = |(n, (x, y, ground)): (usize, &(f64, f64, f64))| {
        let raised = *ground > 0.0;
        // The second lies across, and its 20 mm of depth go over the rim that is written.
        let heading = if n == 1 { 0.0 } else { 90.0 };
        let pose =
            Pose::new(x + if raised { by.x } else { 0.0 }, y + if raised { by.y } else { 0.0 }, heading);
        base(n, if n % 2 == 0 { 30.0 } else { 0.3 }, pose, *ground, Vector::zeros())
    };
    let block = step(330.0 + by.x, 300.0 + by.y, 560.0 + by.x, 540.0 + by.y, 40.0).1;
    (places.iter().enumerate().map(of).collect(), vec![block])
}

/// How far each base is read from where it stands; none where it is not read.
fn errors(bases: &[Base], snapshot: &TableSnapshot) -> Vec<Option<f64>> {
    let roster = roster(bases, EXACT);
    let readings = read_elements(&roster, snapshot);
    let of = |b: &Base| {
        let reading = readings.iter().find(|r| r.name == b.name)?;
        Some(corner_error(reading.pose.as_ref()?, b))
    };
    bases.iter().map(of).collect()
}

#[test]
fn the_hill_under_bases_goes_with_its_tag() {
    let table = table(&with_hills(HILL));
    for by in [Vector::zeros(), Vector::new(20.0, 0.0), Vector::new(12.0, -16.0)] {
        let (bases, blocks) = on_the_hill(by);
        let lies = moved(&table.feature_tags[0].place, by, 0.0);
        let mut camera = camera_with(&bases, blocks, vec![lies], 3);
        let snapshot = alone(&mut camera, &table, &bases);
        let found = only(features_seen(&table, &snapshot));
        assert!((found.by - by).norm() < 0.6 && found.is_told() == (by.norm() > 0.0), "{by}: {found:?}");
        let off = errors(&bases, &snapshot);
        println!("{by:?}: {off:?}");
        assert!(off.iter().all(|e| e.is_some_and(|e| e < 0.3)), "{by}: {off:?}");
        // Followed from frame to frame it comes to the same once the tag rests.
        let book = tag_book(&table, &roster(&bases, EXACT));
        let lens = Some(camera.camera().lens);
        let mut pipeline =
            Pipeline::new(book, lens, PipelineSettings::for_source(&camera)).expect("a pipeline");
        let mut last = None;
        camera.skip_to(0);
        for _ in 0..15 {
            last = Some(
                pipeline.take(&camera.next_frame().expect("a picture").expect("a live source")).snapshot,
            );
        }
        let off = errors(&bases, &last.expect("frames"));
        assert!(off.iter().all(|e| e.is_some_and(|e| e < 0.3)), "{by}, followed: {off:?}");
    }
}

#[test]
fn the_battle_goes_on_where_the_tag_was_seen_and_its_journal_says_so() {
    let table = table(&with_hills(WOOD));
    let bases = a_base();
    let roster = roster(&bases, EXACT);
    let by = Vector::new(0.0, 20.0);
    let mut camera = camera_with(&bases, Vec::new(), vec![moved(&table.feature_tags[0].place, by, 0.0)], 1);
    let snapshot = alone(&mut camera, &table, &bases);
    let begun = || Play::new(Engine::new(table.clone(), roster.clone(), groma::rules::Settings::dba3()));
    let mut play = begun();
    let look = |play: &mut Play| {
        play.look_at_terrain(&snapshot);
        let readings = play.engine().read(&snapshot);
        play.look(readings, snapshot.held, snapshot.at_rest());
    };
    look(&mut play);
    let low = |play: &Play| play.engine().table().ground.features[0].outline.bounds().0.y;
    let laid = low(&play);
    assert!((laid - 130.0).abs() < 0.7, "{laid}");
    assert!(
        (play.measured().expect("a look").setup.ground.features[0].outline.bounds().0.y - laid).abs() < 1e-9
    );
    assert!(play.features()[0].is_told() && play.as_written() == &table);
    let events = play.events();
    let told: Vec<&Vec<TagSeen>> =
        events.iter().filter_map(|e| if let Event::Features(seen) = e { Some(seen) } else { None }).collect();
    assert!(told.len() == 1 && told[0].len() == 1, "{told:?}");
    // The same look again moves nothing; its journal brings the same table about.
    look(&mut play);
    assert!(!play.events().iter().any(|e| matches!(e, Event::Features(_))) && low(&play) == laid);
    let mut again = begun();
    for event in &events {
        let line = serde_json::to_string(event).expect("a line");
        again.take(&serde_json::from_str(&line).expect("what was written")).expect("an event");
    }
    assert!((low(&again) - laid).abs() < 1e-9);
}

#[test]
fn the_program_tells_terrain_that_was_moved() {
    let text = with_hills(WOOD);
    let written = table(&text).feature_tags[0].place;
    let bases = a_base();
    for (mm, wanted) in [(0.0, None), (20.0, Some("Beech has moved"))] {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let dir = folder.path();
        let mut live = camera_with(&bases, Vec::new(), vec![moved(&written, Vector::new(mm, 0.0), 0.0)], 2);
        write_profile(&dir.join("lens.ron"), live.camera().lens);
        save(&dir.join("picture.png"), &mut live);
        std::fs::write(dir.join("table.ron"), &text).expect("a written file");
        std::fs::write(dir.join("roster.ron"), roster_text(&bases, EXACT)).expect("a written file");
        let files = ["--table", "table.ron", "--roster", "roster.ron", "--lens", "lens.ron"];
        let run = |command: &[&str]| {
            let done = groma(dir, &[command, &files[..]].concat());
            let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            assert!(done.status.success(), "{}", said(&done.stderr));
            (said(&done.stdout), said(&done.stderr))
        };
        let (_, notes) = run(&["read", "picture.png"]);
        match wanted {
            Some(words) => assert!(notes.contains(words) && notes.contains("to the right"), "{notes}"),
            None => assert!(!notes.contains("Beech"), "{notes}"),
        }
        let (compared, _) = run(&["terrain", "compare", "picture.png"]);
        let line = compared.lines().find(|l| l.starts_with("Beech")).expect("a line of the wood");
        assert_eq!(line.contains("has moved"), mm > 0.0, "{line}");
    }
    assert!(samples::table().feature_tags.is_empty());
}
