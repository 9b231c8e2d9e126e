//! Hills, slopes and leaning stalks under the simulated camera, read by the whole pipeline.

use groma::geometry::{Hill, Point, Polygon, Pose, PoseEstimate, Relief, Rise, Vector};
use groma::judge::{
    ElementReading, Roster, RosterFile, Table, parse_roster, read_elements, samples, tag_book,
};
use groma::rules::Ruleset;
use groma::tracking::{ReferenceTag, TagBook};
use groma::vision::sim::{
    Block, Clutter, Figures, Ink, Lean, Motion, Placement, Props, Scene, SimBase, SimSettings, SimTag,
    SimulatedCamera,
};
use groma::vision::{FrameSource, Pipeline, PipelineSettings};
use nalgebra::Point3;
use std::collections::BTreeMap;

/// A base of the tests: 40 mm wide.
#[derive(Clone)]
pub struct Base {
    pub name: String,
    pub depth_mm: f64,
    pub tag_height_mm: f64,
    pub pose: Pose,
    pub ground_mm: f64,
    pub slope: Vector,
    pub lean: Lean,
}

pub fn base(n: usize, tag_height_mm: f64, pose: Pose, ground_mm: f64, slope: Vector) -> Base {
    Base {
        name: format!("Base {n}"),
        depth_mm: 20.0,
        tag_height_mm,
        pose,
        ground_mm,
        slope,
        lean: Lean::default(),
    }
}

/// The text of the roster of these bases, their mounts written exactly, with more fields for each tag.
pub fn roster_text(bases: &[Base], more: &str) -> String {
    let element = |(n, b): (usize, &Base)| {
        format!(
            "(name: \"{}\", side: {}, troop: \"4Bd\", base: (40, {}), tags: [(family: \"tag36h11\", id: {}, size: 14, \
             height: {}, offset: (1, -0.5), rotation: 2{more})]),\n",
            b.name,
            if n % 2 == 0 { "red" } else { "blue" },
            b.depth_mm,
            20 + n,
            b.tag_height_mm
        )
    };
    format!("(schema: 1, elements: [{}])", bases.iter().enumerate().map(element).collect::<String>())
}

/// The roster of these bases.
pub fn roster(bases: &[Base], more: &str) -> Roster {
    let text = roster_text(bases, more);
    let elements = parse_roster("r.ron", &text).expect("a sound roster");
    let file = RosterFile { file: "r.ron".to_owned(), elements };
    Roster::of(&samples::table(), vec![file], &Ruleset::dba3()).expect("no clashes")
}

/// Mounts known exactly.
pub const EXACT: &str = ", offset_sigma: 0, rotation_sigma: 0, height_sigma: 0";

/// The bases under a camera, with blocks for the ground.
pub fn camera(bases: &[Base], blocks: Vec<Block>, seed: u64) -> SimulatedCamera {
    camera_with(bases, blocks, Vec::new(), seed)
}

/// The same with more tags that lie flat.
pub fn camera_with(
    bases: &[Base],
    blocks: Vec<Block>,
    lying: Vec<ReferenceTag>,
    seed: u64,
) -> SimulatedCamera {
    let tag = |n: usize, b: &Base| SimTag {
        tag: groma::tracking::Tag::new(groma::tracking::TagFamily::Tag36h11, 20 + n as u32),
        size_mm: 14.0,
        right_mm: 1.0,
        forward_mm: -0.5,
        rotation_deg: 2.0,
        height_mm: b.tag_height_mm,
        ink: Ink::Black,
        contrast: 1.0,
    };
    let drawn = bases.iter().enumerate().map(|(n, b)| SimBase {
        name: b.name.clone(),
        side: n % 2,
        width_mm: 40.0,
        depth_mm: b.depth_mm,
        thickness_mm: 2.0,
        tags: vec![tag(n, b)],
        colour: [164, 44, 38],
        figures: Figures::Empty,
    });
    let placed = bases
        .iter()
        .map(|b| Placement { name: b.name.clone(), pose: b.pose, ground_mm: b.ground_mm })
        .collect();
    let props = Props {
        leans: bases.iter().enumerate().map(|(n, b)| (tag(n, b).tag, b.lean)).collect(),
        slopes: bases.iter().map(|b| (b.name.clone(), b.slope)).collect(),
        blocks,
        ..Props::default()
    };
    let reference = samples::table().reference.into_iter().chain(lying).collect();
    let scene = Scene::placed(600.0, 600.0, reference, drawn.collect(), placed).expect("a scene").with(props);
    let settings = SimSettings { motion: Motion::Still, clutter: Clutter::None, ..SimSettings::default() };
    SimulatedCamera::new(scene, settings, seed).expect("a camera")
}

/// What the pipeline reads of one frame, the lens known, on ground of this relief.
pub fn read(
    camera: &mut SimulatedCamera,
    roster: &Roster,
    relief: &Relief,
) -> BTreeMap<String, ElementReading> {
    let table: Table = samples::table();
    let book = TagBook { relief: relief.clone(), ..tag_book(&table, roster) };
    let settings = PipelineSettings::for_source(camera);
    let lens = Some(camera.camera().lens);
    let mut pipeline = Pipeline::new(book, lens, settings).expect("a pipeline");
    let frame = camera.next_frame().expect("a picture").expect("a live source");
    let reading = pipeline.take(&frame);
    for refused in &reading.refused {
        println!("refused {}: {}", refused.detection.tag, refused.why);
    }
    read_elements(roster, &reading.snapshot).into_iter().map(|r| (r.name.clone(), r)).collect()
}

/// How far a measured base's four corners are from the truth, root mean square.
pub fn corner_error(found: &PoseEstimate, truth: &Base) -> f64 {
    let size = (40.0, truth.depth_mm);
    corner_error_of(found, size, truth.pose, size)
}

/// The same of a base whose written size may differ from its true one, (width, depth).
pub fn corner_error_of(found: &PoseEstimate, written: (f64, f64), pose: Pose, size: (f64, f64)) -> f64 {
    let corners = [(-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5)];
    let squares = corners.map(|(x, y)| {
        (found.pose.at(x * written.0, y * written.1) - pose.at(x * size.0, y * size.1)).norm_squared()
    });
    (squares.iter().sum::<f64>() / 4.0).sqrt()
}

pub fn rectangle(x0: f64, y0: f64, x1: f64, y1: f64) -> Polygon {
    let corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x, y));
    Polygon::new(corners.to_vec()).expect("a rectangle")
}

/// A stepped hill, and the block that it is.
pub fn step(x0: f64, y0: f64, x1: f64, y1: f64, height_mm: f64) -> (Hill, Block) {
    let block = Block {
        top: Point3::new((x0 + x1) / 2.0, (y0 + y1) / 2.0, height_mm),
        width_mm: x1 - x0,
        depth_mm: y1 - y0,
        thickness_mm: height_mm,
        turn_deg: 0.0,
        slope: Vector::zeros(),
        colour: [96, 118, 62],
    };
    (Hill::new(rectangle(x0, y0, x1, y1), height_mm, Rise::Stepped).expect("a hill"), block)
}

/// A ridge along x, from x0 to x1, its foot at y0 and y1, and the two sloping blocks that it is.
pub fn ridge(x0: f64, y0: f64, x1: f64, y1: f64, degrees: f64) -> (Hill, Vec<Block>) {
    let (half, rise) = ((y1 - y0) / 2.0, degrees.to_radians().tan());
    let crest = vec![Point::new(x0, y0 + half), Point::new(x1, y0 + half)];
    let hill = Hill::new(rectangle(x0, y0, x1, y1), half * rise, Rise::Sloping { crest }).expect("a hill");
    let side = |y: f64, rise: f64| Block {
        top: Point3::new((x0 + x1) / 2.0, y, half * rise.abs() / 2.0),
        width_mm: x1 - x0,
        depth_mm: half / degrees.to_radians().cos(),
        thickness_mm: 40.0,
        turn_deg: 0.0,
        slope: Vector::new(0.0, rise),
        colour: [96, 118, 62],
    };
    (hill, vec![side(y0 + half / 2.0, rise), side(y1 - half / 2.0, -rise)])
}

/// Root mean square of corner errors, the worst, and how many were read; those covered count for nothing.
fn scored(bases: &[Base], read: &BTreeMap<String, ElementReading>) -> (f64, f64, usize) {
    let found = bases.iter().filter_map(|b| {
        let pose = read[&b.name].pose.clone()?;
        let error = corner_error(&pose, b);
        println!("{}: {error:.3} mm, claimed {:.3}", b.name, pose.sigma_place_mm());
        Some(error)
    });
    let errors: Vec<f64> = found.collect();
    let rms = (errors.iter().map(|e| e * e).sum::<f64>() / errors.len().max(1) as f64).sqrt();
    (rms, errors.iter().copied().fold(0.0, f64::max), errors.len())
}

#[test]
fn on_a_hill_of_15_mm_places_are_right_once_the_hill_is_known() {
    let (hill, block) = step(60.0, 60.0, 540.0, 520.0, 15.0);
    let relief = Relief::new(vec![hill]);
    let bases: Vec<Base> = (0..12)
        .map(|n| {
            let pose =
                Pose::new(100.0 + 130.0 * (n % 4) as f64, 110.0 + 170.0 * (n / 4) as f64, 31.0 * n as f64);
            base(n, if n % 2 == 0 { 30.0 } else { 0.3 }, pose, 15.0, Vector::zeros())
        })
        .collect();
    let roster = roster(&bases, EXACT);
    for seed in [1, 2] {
        let before =
            scored(&bases, &read(&mut camera(&bases, vec![block], seed), &roster, &Relief::default()));
        let after = scored(&bases, &read(&mut camera(&bases, vec![block], seed), &roster, &relief));
        println!("hill of 15 mm, seed {seed}: (rms, worst, read) before {before:?}, after {after:?}");
        assert_eq!(after.2, bases.len());
        assert!(after.0 < 0.06 && after.1 < 0.2, "{after:?}");
    }
}

#[test]
fn on_a_slope_of_10_degrees_places_are_right_though_the_stalks_lean_with_it() {
    let (hill, blocks) = ridge(60.0, 160.0, 540.0, 440.0, 10.0);
    let relief = Relief::new(vec![hill]);
    let rise = 10f64.to_radians().tan();
    let bases: Vec<Base> = (0..8)
        .map(|n| {
            let (x, up) = (230.0 + 46.0 * (n % 4) as f64, n < 4);
            let y = if up { 160.0 + 60.0 + 12.0 * (n % 3) as f64 } else { 440.0 - 75.0 };
            let pose = Pose::new(x, y, 90.0 + 4.0 * n as f64);
            let ground_mm = rise * if up { y - 160.0 } else { 440.0 - y };
            let slope = Vector::new(0.0, if up { rise } else { -rise });
            base(n, if n % 2 == 0 { 30.0 } else { 0.3 }, pose, ground_mm, slope)
        })
        .collect();
    let roster = roster(&bases, EXACT);
    for seed in [1, 2] {
        let before =
            scored(&bases, &read(&mut camera(&bases, blocks.clone(), seed), &roster, &Relief::default()));
        let after = scored(&bases, &read(&mut camera(&bases, blocks.clone(), seed), &roster, &relief));
        println!("slope of 10 degrees, seed {seed}: (rms, worst, read) before {before:?}, after {after:?}");
        assert_eq!(after.2, bases.len());
        assert!(after.0 < 0.06 && after.1 < 0.2, "{after:?}");
    }
}
