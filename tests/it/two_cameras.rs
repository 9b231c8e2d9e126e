//! Two cameras over one table: together they are nearer the truth and say so, nothing jumps when one is covered, and
//! each may see a part only.

use groma::cli::sim_scene::scene_from;
use groma::geometry::PoseEstimate;
use groma::judge::{read_elements, samples, tag_book};
use groma::tracking::{CapturedAt, TableChange, Visibility};
use groma::vision::sim::{Clutter, Motion, Scene, SimSettings, SimulatedCamera, View};
use groma::vision::{
    CameraModel, CameraPose, Companion, Frame, FrameSource, GreyImage, Lens, Pipeline, PipelineSettings,
    Reading, SourceError,
};
use nalgebra::{Point3, Vector3};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

fn settings() -> SimSettings {
    SimSettings { motion: Motion::Still, clutter: Clutter::None, ..SimSettings::default() }
}

fn scene(seed: u64) -> Scene {
    scene_from(&samples::table(), &samples::roster(), seed).expect("the samples make a scene")
}

/// A camera well to one side; its grain is its own.
fn from_side(scene: &Scene, aside_deg: f64, seed: u64) -> SimulatedCamera {
    let view = View { lean_deg: 12.0, aside_deg, roll_deg: 1.0 };
    SimulatedCamera::looking(scene.clone(), settings(), view, seed).expect("the samples fit the picture")
}

/// A camera over which a coat hangs in some of its frames.
struct Coated {
    inner: SimulatedCamera,
    coat: Range<u64>,
}

impl FrameSource for Coated {
    fn description(&self) -> String {
        self.inner.description()
    }
    fn live(&self) -> bool {
        true
    }
    fn lens(&self) -> Option<Lens> {
        FrameSource::lens(&self.inner)
    }
    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let Some(frame) = self.inner.next_frame()? else { return Ok(None) };
        if !self.coat.contains(&frame.seq) {
            return Ok(Some(frame));
        }
        let (width, height) = (frame.grey.width(), frame.grey.height());
        let dark = GreyImage::new(width, height, vec![30; width * height]).expect("every pixel");
        Ok(Some(Frame { grey: Arc::new(dark), colour: None, ..frame }))
    }
}

/// A first camera with its pipeline, and the second beside it.
struct Pair {
    first: Coated,
    pipeline: Pipeline,
    second: Companion,
}

impl Pair {
    fn of(first: Coated, second: Coated) -> Self {
        let book = tag_book(&samples::table(), &samples::roster());
        let settings = PipelineSettings::for_source(&first);
        let pipeline = Pipeline::new(book.clone(), first.lens(), settings).expect("a pipeline");
        let second = Companion::new(Box::new(second), book, None).expect("a pipeline");
        Self { first, pipeline, second }
    }

    /// The next frame as the first camera alone reads it, and as both do.
    fn next(&mut self) -> (Reading, Reading) {
        let frame = self.first.next_frame().expect("a picture").expect("a live source");
        let alone = self.pipeline.take(&frame);
        let (joined, went) = self.second.join(alone.clone());
        went.expect("the second goes on");
        (alone, joined)
    }
}

fn bare(camera: SimulatedCamera) -> Coated {
    Coated { inner: camera, coat: 0..0 }
}

/// Every element's pose that is seen.
fn poses(reading: &Reading) -> BTreeMap<String, PoseEstimate> {
    let elements = read_elements(&samples::roster(), &reading.snapshot);
    let seen = elements.into_iter().filter(|e| e.visibility == Visibility::Seen);
    seen.filter_map(|e| Some((e.name, e.pose?))).collect()
}

/// Squared errors of places, and squared sigmas of them, over everything that is read.
fn scored(scene: &Scene, read: &BTreeMap<String, PoseEstimate>) -> (f64, Vec<f64>) {
    let mut squares = 0.0;
    let mut within = Vec::new();
    for at in scene.placements() {
        let Some(pose) = read.get(&at.name) else { continue };
        let d = pose.pose.step_to(&at.pose);
        squares += d.x * d.x + d.y * d.y;
        let inverse = pose.total_covariance().try_inverse().expect("a measured pose has a spread");
        within
            .push((Vector3::new(d.x, d.y, d.z).transpose() * inverse * Vector3::new(d.x, d.y, d.z))[(0, 0)]);
    }
    (squares, within)
}

#[test]
fn two_cameras_are_nearer_the_truth_than_either_and_their_plus_minus_is_true() {
    let (mut one, mut other, mut both) = (0.0, 0.0, 0.0);
    let mut within = Vec::new();
    for seed in 1..=3 {
        let scene = scene(seed);
        let mut pair =
            Pair::of(bare(from_side(&scene, -28.0, seed)), bare(from_side(&scene, 28.0, seed + 100)));
        let (first, joined) = pair.next();
        let (second, _) =
            Pair::of(bare(from_side(&scene, 28.0, seed + 100)), bare(from_side(&scene, -28.0, seed))).next();
        // What all three see: a tag that only one sees would be compared with nothing.
        let (first, second, joined) = (poses(&first), poses(&second), poses(&joined));
        let common = |read: &BTreeMap<String, PoseEstimate>| -> BTreeMap<String, PoseEstimate> {
            let seen = |name: &String| first.contains_key(name) && second.contains_key(name);
            read.iter().filter(|(n, _)| seen(n)).map(|(n, p)| (n.clone(), p.clone())).collect()
        };
        assert!(joined.len() >= first.len().max(second.len()), "a camera more hides nothing");
        assert!(common(&joined).len() >= 15, "{} in common", common(&joined).len());
        one += scored(&scene, &common(&first)).0;
        other += scored(&scene, &common(&second)).0;
        let (squares, inside) = scored(&scene, &common(&joined));
        both += squares;
        within.extend(inside);
    }
    println!(
        "rms mm: {:.4} and {:.4} alone, {:.4} together",
        (one / within.len() as f64).sqrt(),
        (other / within.len() as f64).sqrt(),
        (both / within.len() as f64).sqrt()
    );
    assert!(both < one && both < other);
    // 95 in 100 of three degrees of freedom lie within 7.81; a binomial of these many, three sigmas low.
    let n = within.len() as f64;
    let inside = within.iter().filter(|d| **d <= 7.815).count() as f64;
    println!("{inside} of {n} inside their 95 % ellipsoids");
    assert!(inside / n >= 0.95 - 3.0 * (0.95 * 0.05 / n).sqrt(), "{inside} of {n}");
}

#[test]
fn a_coat_over_either_camera_moves_nothing_and_hides_nothing() {
    let scene = scene(2);
    let coats = [(8..14, 0..0), (0..0, 8..14)];
    for (first, second) in coats {
        let mut pair = Pair::of(
            Coated { inner: from_side(&scene, -28.0, 2), coat: first },
            Coated { inner: from_side(&scene, 28.0, 3), coat: second },
        );
        let mut before = BTreeMap::new();
        for seq in 0..18 {
            let (_, joined) = pair.next();
            assert!(joined.registration.is_ok() && joined.snapshot.held.is_none(), "frame {seq}");
            let now = poses(&joined);
            for (name, was) in &before {
                let is: &PoseEstimate =
                    now.get(name).unwrap_or_else(|| panic!("{name} is lost in frame {seq}"));
                let was: &PoseEstimate = was;
                let jump = (is.pose.centre - was.pose.centre).norm();
                // Readings go on being averaged: a step of a frame is small against what is claimed.
                assert!(jump < was.sigma_place_mm(), "{name} jumps by {jump} mm in frame {seq}");
            }
            // Bases come to be seen for some frames; from then on none may be lost.
            if seq >= 5 {
                before = now;
            }
        }
    }
}

#[test]
fn each_camera_may_see_a_half_and_what_both_see_is_at_one_place() {
    let scene = scene(4);
    let half = |x_mm: f64, grain: u64| {
        let lens = Lens::from_field_of_view(1920, 1080, 60.0);
        let (eye, target) = (Point3::new(x_mm, 180.0, 660.0), Point3::new(x_mm, 300.0, 0.0));
        let pose = CameraPose::looking_at(eye, target, 90.0).expect("it looks down");
        let model = CameraModel { lens, pose };
        SimulatedCamera::with_camera(scene.clone(), settings(), model, grain).expect("it can be drawn")
    };
    let (left, right) = (|| bare(half(150.0, 1)), || bare(half(450.0, 2)));
    let (mine, joined) = Pair::of(left(), right()).next();
    let (theirs, _) = Pair::of(right(), left()).next();
    let (mine, theirs, all) = (poses(&mine), poses(&theirs), poses(&joined));
    println!("{} seen by one, {} by the other, {} in all", mine.len(), theirs.len(), all.len());
    let either: BTreeSet<&String> = mine.keys().chain(theirs.keys()).collect();
    assert_eq!(all.keys().collect::<BTreeSet<_>>(), either);
    let common = mine.keys().filter(|name| theirs.contains_key(*name)).count();
    assert!(common > 0 && either.len() > mine.len().max(theirs.len()), "they overlap, and neither sees all");
    let disagree = |c: &TableChange| matches!(c, TableChange::CamerasDisagree { .. });
    assert!(!joined.snapshot.changes.iter().any(disagree), "{:?}", joined.snapshot.changes);
    let (squares, _) = scored(&scene, &all);
    assert!((squares / all.len() as f64).sqrt() < 0.15, "{}", (squares / all.len() as f64).sqrt());
}

#[test]
fn a_second_camera_that_ends_is_told_once_and_the_first_goes_on() {
    struct Ends(SimulatedCamera);
    impl FrameSource for Ends {
        fn description(&self) -> String {
            "a cable that is pulled".to_owned()
        }
        fn live(&self) -> bool {
            true
        }
        fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
            let frame = self.0.next_frame()?;
            Ok(frame.filter(|f| f.captured_at < CapturedAt(Duration::from_millis(150))))
        }
    }
    let scene = scene(2);
    let book = tag_book(&samples::table(), &samples::roster());
    let mut first = from_side(&scene, -28.0, 2);
    let mut pipeline =
        Pipeline::new(book.clone(), first.lens(), PipelineSettings::for_source(&first)).expect("a pipeline");
    let mut second =
        Companion::new(Box::new(Ends(from_side(&scene, 28.0, 3))), book, None).expect("a pipeline");
    let mut told = Vec::new();
    for _ in 0..4 {
        let frame = first.next_frame().expect("a picture").expect("a live source");
        let (joined, went) = second.join(pipeline.take(&frame));
        told.push(went.err().map(|lost| lost.to_string()));
        assert!(poses(&joined).len() >= 15);
    }
    let said = "the second camera has no more pictures: the first goes on alone".to_owned();
    // It is read one picture ahead: that there is no third is found at the second.
    assert_eq!(told, [None, Some(said), None, None]);
}
