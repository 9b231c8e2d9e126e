//! Simulated photographs on disk, for tests that run the program on them.

use groma::geometry::{Point, Pose};
use groma::judge::samples;
use groma::markers::{CHECK_SIZE_MM, check_tags};
use groma::tracking::ReferenceTag;
use groma::vision::sim::{
    Figures, Ink, Motion, Placement, Scene, SimBase, SimSettings, SimTag, SimulatedCamera,
};
use groma::vision::{CameraModel, CameraPose, FrameSource, Lens, LensProfile};
use nalgebra::Point3;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program in a folder.
pub fn groma(dir: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_groma")).args(arguments).current_dir(dir).output().expect("groma starts")
}

/// The lens of every photograph here.
pub fn lens() -> Lens {
    let mut lens = Lens::from_field_of_view(1920, 1080, 70.0);
    lens.distortion = SimSettings::default().distortion;
    lens
}

/// Writes the lens's profile.
pub fn write_profile(path: &Path, lens: Lens) {
    let profile = LensProfile {
        device: None,
        camera: "A webcam".to_owned(),
        date: "2026-11-30".to_owned(),
        lens,
        residuals_px: Vec::new(),
    };
    std::fs::write(path, profile.to_ron(&[])).expect("a written file");
}

/// Where a reference tag lies, and the way its printed top points.
pub fn pose_of(t: &ReferenceTag) -> Pose {
    Pose::new(t.x_mm, t.y_mm, 90.0 + t.rotation_deg)
}

/// The sample table's tags, up to `most_mm` on each axis and 0.4 degrees a millimetre from where its file
/// has them.
pub fn laid(most_mm: f64) -> Vec<ReferenceTag> {
    let mut tags = samples::table().reference;
    let off = |n: usize| ((n * 7919 + 3) % 101) as f64 / 50.0 - 1.0;
    for (n, t) in tags.iter_mut().enumerate() {
        t.x_mm += most_mm * off(3 * n);
        t.y_mm += most_mm * off(3 * n + 1);
        t.rotation_deg += 0.4 * most_mm * off(3 * n + 2);
    }
    tags
}

/// A check sheet printed at `scale` of its size, a tenth of a millimetre thick.
pub fn sheet(scale: f64) -> SimBase {
    let tag = |(tag, at): (_, Point)| SimTag {
        tag,
        size_mm: CHECK_SIZE_MM * scale,
        right_mm: at.x * scale,
        forward_mm: at.y * scale,
        rotation_deg: 0.0,
        height_mm: 0.0,
        ink: Ink::Black,
        contrast: 1.0,
    };
    SimBase {
        name: "sheet".to_owned(),
        side: 0,
        width_mm: 190.0,
        depth_mm: 240.0,
        thickness_mm: 0.1,
        tags: check_tags().into_iter().map(tag).collect(),
        colour: [230, 228, 222],
        figures: Figures::Empty,
    }
}

/// Photographs the table from one place, with a check sheet on it or without.
fn photograph(
    path: &Path,
    tags: &[ReferenceTag],
    on_it: Option<(SimBase, Pose)>,
    pose: CameraPose,
    seed: u64,
) {
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let placed =
        on_it.iter().map(|(base, pose)| Placement { name: base.name.clone(), pose: *pose, ground_mm: 0.0 });
    let placed = placed.collect();
    let bases = on_it.iter().map(|(base, _)| base.clone()).collect();
    let scene = Scene::placed(600.0, 600.0, tags.to_vec(), bases, placed).expect("a scene");
    let camera = CameraModel { lens: lens(), pose };
    save(path, &mut SimulatedCamera::with_camera(scene, settings, camera, seed).expect("a camera"));
}

/// Writes the next picture of a simulated camera.
pub fn save(path: &Path, source: &mut SimulatedCamera) {
    let frame = source.next_frame().expect("a picture").expect("a live source");
    let picture = frame.colour.expect("colour");
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    let buffer = image::RgbImage::from_raw(width, height, picture.data().to_vec()).expect("sizes agree");
    buffer.save(path).expect("a written picture");
}

/// Four photographs of the table into a new folder, from different sides.
pub fn photograph_table(dir: &Path, tags: &[ReferenceTag]) {
    std::fs::create_dir(dir).expect("a folder");
    for (n, side) in [-0.5, -0.2, 0.2, 0.5].into_iter().enumerate() {
        let eye = Point3::new(300.0 + 900.0 * side, -300.0 + 300.0 * side * side, 1180.0);
        let pose = CameraPose::looking_at(eye, Point3::new(300.0, 290.0, 0.0), 5.0 * side).expect("apart");
        photograph(&dir.join(format!("view{n}.png")), tags, None, pose, 40 + n as u64);
    }
}

/// Four photographs of the sheet at four places, from where the camera stands for the game.
pub fn photograph_sheet(dir: &Path, tags: &[ReferenceTag], scale: f64) {
    std::fs::create_dir(dir).expect("a folder");
    let places = [(150.0, 160.0, 92.0), (440.0, 170.0, 40.0), (430.0, 440.0, 181.0), (170.0, 430.0, 270.0)];
    let eye = Point3::new(310.0, 60.0, 1150.0);
    let camera = CameraPose::looking_at(eye, Point3::new(300.0, 290.0, 0.0), 1.0).expect("apart");
    for (n, (x, y, heading)) in places.into_iter().enumerate() {
        let on_it = Some((sheet(scale), Pose::new(x, y, heading)));
        photograph(&dir.join(format!("place{n}.png")), tags, on_it, camera, 70 + n as u64);
    }
}
