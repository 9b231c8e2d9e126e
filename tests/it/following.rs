//! A live source followed from frame to frame: what moved is noticed at once, what did not keeps its pose,
//! and the camera may be knocked or the reference tags hidden.

use groma::cli::sim_scene::scene_from;
use groma::geometry::{Pose, Vector};
use groma::judge::{samples, tag_book};
use groma::tracking::{TableSnapshot, Tag, Visibility};
use groma::vision::sim::{Clutter, Motion, Placement, Scene, SimSettings, SimulatedCamera};
use groma::vision::{CameraModel, CameraPose, Frame, FrameSource, GreyImage, Pipeline, PipelineSettings};
use nalgebra::{Isometry3, Point3, Vector3};
use std::sync::Arc;
use std::time::Duration;

const SEED: u64 = 3;

fn settings() -> SimSettings {
    SimSettings { motion: Motion::Still, clutter: Clutter::None, ..SimSettings::default() }
}

fn scene() -> Scene {
    scene_from(&samples::table(), &samples::roster(), SEED).expect("the samples make a scene")
}

fn camera(scene: Scene, model: Option<CameraModel>) -> SimulatedCamera {
    match model {
        Some(model) => SimulatedCamera::with_camera(scene, settings(), model, SEED),
        None => SimulatedCamera::new(scene, settings(), SEED),
    }
    .expect("the samples fit the picture")
}

/// The pipeline after some frames of the table, and the number of the next.
fn settled(camera: &mut SimulatedCamera) -> (Pipeline, Arc<TableSnapshot>, u64) {
    let book = tag_book(&samples::table(), &samples::roster());
    let mut pipeline =
        Pipeline::new(book, camera.lens(), PipelineSettings::for_source(camera)).expect("a pipeline");
    let mut snapshot = None;
    for seq in 0..5 {
        snapshot = Some(pipeline.take(&frame(camera, seq)).snapshot);
    }
    (pipeline, snapshot.expect("five frames were read"), 5)
}

fn frame(camera: &mut SimulatedCamera, seq: u64) -> Frame {
    camera.skip_to(seq);
    camera.next_frame().expect("a picture").expect("a live source")
}

fn seen(snapshot: &TableSnapshot) -> Vec<Tag> {
    snapshot.tracks.values().filter(|t| t.visibility == Visibility::Seen).map(|t| t.tag).collect()
}

fn pose(snapshot: &TableSnapshot, tag: Tag) -> Pose {
    snapshot.tracks[&tag].pose.as_ref().expect("a tag that was seen has a pose").pose
}

#[test]
fn a_base_shifted_by_three_tenths_is_noticed_on_the_next_frame_and_its_neighbours_stay() {
    let scene = scene();
    let mut before = camera(scene.clone(), None);
    let (mut pipeline, was, seq) = settled(&mut before);
    let truth = before.truth(seq);
    let whole = |name: &str| truth.base(name).is_some_and(|b| b.tags.iter().all(|t| t.visible > 0.995));
    let base = scene.bases().iter().find(|b| whole(&b.name)).expect("some base's tag shows whole").clone();
    let placements: Vec<Placement> = scene
        .placements()
        .iter()
        .map(|p| {
            let by = if p.name == base.name { Vector::new(0.3, 0.0) } else { Vector::zeros() };
            Placement { pose: p.pose.nudged(by, 0.0), ..p.clone() }
        })
        .collect();
    let moved = Scene::placed(
        scene.width_mm(),
        scene.depth_mm(),
        scene.reference().to_vec(),
        scene.bases().to_vec(),
        placements,
    )
    .expect("the same table");
    let mut after = camera(moved, Some(*before.camera()));
    let now = pipeline.take(&frame(&mut after, seq)).snapshot;
    let tag = base.tags[0].tag;
    assert!(seen(&was).contains(&tag), "{tag} was {:?}", was.tracks[&tag].visibility);
    assert!(seen(&now).contains(&tag), "{tag} is {:?}", now.tracks[&tag].visibility);
    let step = pose(&now, tag).centre - pose(&was, tag).centre;
    assert!((step - Vector::new(0.3, 0.0)).norm() < 0.1, "{step:?}");
    assert!(!now.tracks[&tag].at_rest);
    for other in seen(&was).into_iter().filter(|t| !base.tags.iter().any(|b| b.tag == *t)) {
        let off = (pose(&now, other).centre - pose(&was, other).centre).norm();
        assert!(off < 0.1, "{other} stayed and is said to have moved {off:.3} mm");
    }
}

#[test]
fn after_a_knock_of_the_camera_the_next_frame_is_right_again() {
    let mut before = camera(scene(), None);
    let (mut pipeline, was, seq) = settled(&mut before);
    let knock = Isometry3::new(Vector3::new(6.0, -4.0, 3.0), Vector3::new(0.006, -0.008, 0.01));
    let old = *before.camera();
    let pose_after = CameraPose { camera_from_table: knock * old.pose.camera_from_table };
    let mut after = camera(scene(), Some(CameraModel { pose: pose_after, ..old }));
    let reading = pipeline.take(&frame(&mut after, seq));
    let found = reading.camera.expect("the reference tags show").pose.eye();
    assert!((found - pose_after.eye()).norm() < 2.0, "{found} {}", pose_after.eye());
    let mut checked = 0;
    for tag in seen(&reading.snapshot).into_iter().filter(|t| seen(&was).contains(t)) {
        let off = (pose(&reading.snapshot, tag).centre - pose(&was, tag).centre).norm();
        assert!(off < 0.3, "{tag} is {off:.3} mm off after the knock");
        checked += 1;
    }
    assert!(checked >= 15, "only {checked} tags seen before and after");
}

#[test]
fn reference_tags_under_coats_change_nothing_about_the_bases() {
    let mut live = camera(scene(), None);
    let (mut pipeline, was, seq) = settled(&mut live);
    let model = *live.camera();
    let mut hidden = frame(&mut live, seq);
    let mut grey: GreyImage = (*hidden.grey).clone();
    let (width, height) = (grey.width(), grey.height());
    for reference in samples::table().reference.iter().skip(1) {
        let at = Point3::new(reference.x_mm, reference.y_mm, reference.z_mm);
        let centre = model.image_from_table(at).expect("in front of the camera");
        for y in (centre.y as usize).saturating_sub(50)..(centre.y as usize + 50).min(height) {
            let left = (centre.x as usize).saturating_sub(50);
            let right = (centre.x as usize + 50).min(width);
            grey.data_mut()[y * width + left..y * width + right].fill(60);
        }
    }
    hidden.grey = Arc::new(grey);
    let reading = pipeline.take(&hidden);
    let registration = reading.registration.expect("the bases vouch for the camera");
    assert_eq!(registration.reference_seen, 1);
    for tag in seen(&was) {
        let track = &reading.snapshot.tracks[&tag];
        assert!(
            matches!(track.visibility, Visibility::Seen | Visibility::Covered { .. }),
            "{tag}: {:?}",
            track.visibility
        );
        assert!((pose(&reading.snapshot, tag).centre - pose(&was, tag).centre).norm() < 0.1, "{tag}");
    }
}

#[test]
fn a_dark_second_loses_nothing() {
    let mut live = camera(scene(), None);
    let (mut pipeline, was, seq) = settled(&mut live);
    let lit = frame(&mut live, seq);
    let dark = GreyImage::new(1920, 1080, vec![4; 1920 * 1080]).expect("sides and length agree");
    let mut blind = lit.clone();
    blind.grey = Arc::new(dark);
    let reading = pipeline.take(&blind);
    assert!(reading.registration.is_err());
    for tag in seen(&was) {
        let track = &reading.snapshot.tracks[&tag];
        assert!(matches!(track.visibility, Visibility::Covered { age } if age > Duration::ZERO), "{tag}");
    }
    let back = pipeline.take(&frame(&mut live, seq + 1));
    assert!(back.registration.is_ok());
    assert_eq!(seen(&back.snapshot), seen(&was));
}
