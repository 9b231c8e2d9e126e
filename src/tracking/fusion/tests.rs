use super::super::{TagFamily, TrackerSettings};
use super::*;
use crate::geometry::{MountTerm, Pose, Sensitivity, Source};
use nalgebra::{Matrix3, Vector3};

const TAG: Tag = Tag { family: TagFamily::Tag36h11, id: 7 };
const LEFT: CameraId = CameraId(0);
const RIGHT: CameraId = CameraId(1);

/// A pose known to 0.1 mm by itself, and a camera whose place is off by so much for one sigma.
fn estimate(camera: CameraId, x: f64, camera_mm: f64) -> PoseEstimate {
    let source = Source::Registration { camera: camera.0, component: 0 };
    PoseEstimate {
        pose: Pose::new(x, 50.0, 90.0),
        covariance: Matrix3::from_diagonal(&Vector3::new(0.01, 0.01, 1e-6)),
        shared: vec![Sensitivity { source, per_sigma: Vector3::new(camera_mm, 0.0, 0.0) }],
    }
}

fn track(pose: PoseEstimate, visibility: Visibility) -> Track {
    Track { tag: TAG, pose: Some(pose), rest: Rest::TABLE, at_rest: true, visibility }
}

fn snapshot(ms: u64, track: Track) -> Arc<TableSnapshot> {
    Arc::new(TableSnapshot {
        captured_at: CapturedAt(Duration::from_millis(ms)),
        tracks: [(TAG, track)].into(),
        registration: Some(Registration::default()),
        ..TableSnapshot::default()
    })
}

fn seen(ms: u64, camera: CameraId, x: f64) -> Arc<TableSnapshot> {
    snapshot(ms, track(estimate(camera, x, 0.0), Visibility::Seen))
}

fn covered(ms: u64, camera: CameraId, x: f64, age_ms: u64) -> Arc<TableSnapshot> {
    let age = Duration::from_millis(age_ms);
    snapshot(ms, track(estimate(camera, x, 0.0), Visibility::Covered { age }))
}

fn fusion() -> Fusion {
    Fusion::new(FusionSettings::default())
}

fn x(table: &TableSnapshot) -> f64 {
    table.tracks[&TAG].pose.as_ref().expect("it was seen").pose.centre.x
}

fn sigma_x(table: &TableSnapshot) -> f64 {
    table.tracks[&TAG].pose.as_ref().expect("it was seen").total_covariance()[(0, 0)].sqrt()
}

#[test]
fn one_camera_alone_is_what_it_was() {
    let alone = seen(0, LEFT, 10.0);
    let mut f = fusion();
    let joined = f.take(LEFT, &alone);
    assert_eq!(joined.tracks, alone.tracks);
    assert_eq!(joined.held, None);
}

#[test]
fn two_equal_cameras_meet_in_the_middle_and_are_surer_together() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    let joined = f.take(RIGHT, &seen(0, RIGHT, 10.2));
    assert!((x(&joined) - 10.1).abs() < 1e-9);
    assert!((sigma_x(&joined) - 0.1 / 2f64.sqrt()).abs() < 1e-9);
}

#[test]
fn the_camera_whose_place_is_better_known_weighs_more() {
    let mut f = fusion();
    f.take(LEFT, &snapshot(0, track(estimate(LEFT, 10.0, 0.0), Visibility::Seen)));
    // Its own 0.1 mm and the camera's 0.2: five times the variance, a sixth of the weight.
    let joined = f.take(RIGHT, &snapshot(0, track(estimate(RIGHT, 10.3, 0.2), Visibility::Seen)));
    assert!((x(&joined) - 10.05).abs() < 1e-9, "{}", x(&joined));
    assert!((sigma_x(&joined).powi(2) - 1.0 / (1.0 / 0.01 + 1.0 / 0.05)).abs() < 1e-9);
    // What neighbours share stays shared: each camera's part is a source of its own.
    assert_eq!(joined.tracks[&TAG].pose.as_ref().map(|p| p.shared.len()), Some(2));
}

#[test]
fn how_a_tag_sits_on_its_base_is_not_averaged_away() {
    let glued = |camera: CameraId| {
        let source = Source::Mount { tag: 7, term: MountTerm::Right };
        let mut pose = estimate(camera, 10.0, 0.0);
        pose.shared.push(Sensitivity { source, per_sigma: Vector3::new(0.5, 0.0, 0.0) });
        snapshot(0, track(pose, Visibility::Seen))
    };
    let mut f = fusion();
    f.take(LEFT, &glued(LEFT));
    let joined = f.take(RIGHT, &glued(RIGHT));
    assert!((sigma_x(&joined).powi(2) - (0.25 + 0.005)).abs() < 1e-9);
}

#[test]
fn what_rests_does_not_jump_when_one_camera_is_covered_and_comes_back() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    let both = f.take(RIGHT, &seen(0, RIGHT, 10.2));
    f.take(RIGHT, &seen(100, RIGHT, 10.2));
    let hidden = f.take(LEFT, &covered(200, LEFT, 10.0, 150));
    assert_eq!(hidden.tracks[&TAG].visibility, Visibility::Seen);
    assert!((x(&hidden) - x(&both)).abs() < 1e-9);
    let again = f.take(LEFT, &seen(300, LEFT, 10.0));
    assert!((x(&again) - x(&both)).abs() < 1e-9);
}

#[test]
fn a_base_moved_while_one_camera_is_covered_stands_where_the_other_sees_it() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    f.take(RIGHT, &seen(0, RIGHT, 10.0));
    f.take(LEFT, &covered(100, LEFT, 10.0, 100));
    // A jump of 0.3 mm: within what the two may differ by, but it was seen to move.
    let moving = Track { at_rest: false, ..track(estimate(RIGHT, 10.3, 0.0), Visibility::Seen) };
    let moved = f.take(RIGHT, &snapshot(200, moving));
    assert!((x(&moved) - 10.3).abs() < 1e-9 && !moved.tracks[&TAG].at_rest);
    let rests = f.take(RIGHT, &seen(300, RIGHT, 10.3));
    assert!((x(&rests) - 10.3).abs() < 1e-9, "the covered camera's place is older than the rest");
}

#[test]
fn a_move_in_a_snapshot_that_was_missed_is_no_rest() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    f.take(RIGHT, &seen(0, RIGHT, 10.0));
    f.take(LEFT, &covered(100, LEFT, 10.0, 100));
    // Far off and back, at rest in both snapshots: what lay between was not taken.
    f.take(RIGHT, &seen(2000, RIGHT, 40.0));
    let back = f.take(RIGHT, &seen(4000, RIGHT, 10.2));
    assert!((x(&back) - 10.2).abs() < 1e-9);
}

#[test]
fn of_two_that_see_it_apart_the_newest_is_believed_while_it_moves() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    let moving = Track { at_rest: false, ..track(estimate(RIGHT, 60.0, 0.0), Visibility::Seen) };
    let moved = f.take(RIGHT, &snapshot(50, moving));
    assert!((x(&moved) - 60.0).abs() < 1e-9 && moved.changes.is_empty());
}

#[test]
fn cameras_that_disagree_about_what_rests_are_told_and_the_plus_minus_covers_both() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    let apart = f.take(RIGHT, &seen(0, RIGHT, 12.0));
    let [TableChange::CamerasDisagree { tags: 1, by_mm }] = apart.changes[..] else {
        panic!("{:?}", apart.changes);
    };
    assert!((by_mm - 2.0).abs() < 1e-9 && sigma_x(&apart) >= 2.0);
    // At the limit of chance they agree: sigma of the difference is the root of 0.02 and two floors of 0.0009.
    let limit = (21.1f64 * (0.02 + 0.0018)).sqrt();
    assert!(f.take(RIGHT, &seen(10, RIGHT, 10.0 + limit - 1e-6)).changes.is_empty());
    assert!(!f.take(RIGHT, &seen(20, RIGHT, 10.0 + limit + 1e-6)).changes.is_empty());
}

#[test]
fn a_knocked_camera_holds_nothing_while_the_other_sees() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    let knocked = TableSnapshot { held: Some(Held::Knocked), ..(*seen(100, RIGHT, 30.0)).clone() };
    let joined = f.take(RIGHT, &Arc::new(knocked.clone()));
    assert!((x(&joined) - 10.0).abs() < 1e-9 && joined.held.is_none());
    let mut alone = fusion();
    assert_eq!(alone.take(RIGHT, &Arc::new(knocked)).held, Some(Held::Knocked));
}

#[test]
fn a_board_that_slid_holds_all_whichever_camera_saw_it() {
    let mut f = fusion();
    f.take(LEFT, &seen(0, LEFT, 10.0));
    let slid = TableSnapshot { held: Some(Held::Slid { by_mm: 4.0 }), ..(*seen(100, RIGHT, 10.0)).clone() };
    assert_eq!(f.take(RIGHT, &Arc::new(slid)).held, Some(Held::Slid { by_mm: 4.0 }));
}

#[test]
fn what_a_silent_camera_alone_saw_is_covered() {
    let mut f = fusion();
    f.take(RIGHT, &seen(0, RIGHT, 10.0));
    let missing =
        Track { tag: TAG, pose: None, rest: Rest::TABLE, at_rest: false, visibility: Visibility::Missing };
    let still = f.take(LEFT, &snapshot(2000, missing.clone()));
    assert_eq!(still.tracks[&TAG].visibility, Visibility::Seen);
    let silent = f.take(LEFT, &snapshot(2001, missing.clone()));
    let age = Duration::from_millis(2001);
    assert_eq!(silent.tracks[&TAG].visibility, Visibility::Covered { age });
    assert!((x(&silent) - 10.0).abs() < 1e-9);
    f.forget(RIGHT);
    let alone = f.take(LEFT, &snapshot(3000, missing));
    assert_eq!(alone.tracks[&TAG].visibility, Visibility::Covered { age: Duration::from_secs(3) });
}

#[test]
fn a_tag_that_nobody_ever_saw_is_missing_and_one_long_unseen_by_all_is_gone() {
    let missing =
        Track { tag: TAG, pose: None, rest: Rest::TABLE, at_rest: false, visibility: Visibility::Missing };
    let mut f = fusion();
    assert_eq!(f.take(LEFT, &snapshot(0, missing.clone())).tracks[&TAG].visibility, Visibility::Missing);
    f.take(RIGHT, &seen(10, RIGHT, 10.0));
    let late = TrackerSettings::default().gone_after.as_millis() as u64 + 1000;
    let gone = Track { visibility: Visibility::Gone, ..track(estimate(RIGHT, 10.0, 0.0), Visibility::Gone) };
    f.take(RIGHT, &snapshot(late, gone));
    assert_eq!(f.take(LEFT, &snapshot(late, missing)).tracks[&TAG].visibility, Visibility::Gone);
}
