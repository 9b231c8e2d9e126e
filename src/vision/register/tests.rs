//! Registration on pictures drawn from the same layers that it fits: what it must recover to the
//! hundredth of a pixel. Pictures drawn by other means are in `tests/it`.

use super::layers::Layers;
use super::*;
use crate::geometry::{Pose, Vector};
use crate::tracking::{Tag, TagFamily};
use crate::vision::{CameraModel, CameraPose, GreyImage, Lens, PixelPoint, TagPattern};
use nalgebra::Point3;

const SIZE_MM: f64 = 14.0;
const HEIGHT_MM: f64 = 32.0;

struct Scene {
    camera: CameraModel,
    pattern: TagPattern,
    size_mm: f64,
    truth: Pose,
    window: Window,
    picture: GreyImage,
}

/// A tag at `truth` on a mid-grey ground, drawn with the given optics, and grain of one grey level.
fn scene(truth: Pose, optics: Optics) -> Scene {
    scene_of(42, SIZE_MM, truth, optics)
}

/// The same of the tag36h11 of this id and size.
fn scene_of(id: u32, size_mm: f64, truth: Pose, optics: Optics) -> Scene {
    let eye = Point3::new(320.0, 180.0, 900.0);
    let pose =
        CameraPose::looking_at(eye, Point3::new(300.0, 300.0, 0.0), 1.0).expect("eye and target differ");
    let camera = CameraModel { lens: Lens::from_field_of_view(1920, 1080, 70.0), pose };
    let pattern = TagPattern::of(Tag::new(TagFamily::Tag36h11, id)).expect("the id exists");
    let at = |right, up| {
        let p = truth.at(right, up);
        camera.image_from_table(Point3::new(p.x, p.y, HEIGHT_MM)).expect("in front of the camera")
    };
    let centre = at(0.0, 0.0);
    let window = Window { x0: centre.x as usize - 18, y0: centre.y as usize - 18, width: 36, height: 36 };
    let warp = OnPlane::new(&camera, HEIGHT_MM, truth, window).expect("the plane is seen");
    let layers = Layers::render(&pattern, size_mm, &warp.lattice(), optics.blur_px, &mut Scratch::default());
    let mut picture = GreyImage::new(1920, 1080, vec![90; 1920 * 1080]).expect("sides and length agree");
    for i in 0..window.len() {
        let (light, inside) = (f64::from(layers.light[i]), f64::from(layers.inside[i]));
        let linear = 0.6 * light + 0.03 * (inside - light) + 0.12 * (1.0 - inside);
        let grain = f64::from((i as u32).wrapping_mul(2_654_435_761) >> 16 & 0xff) / 128.0 - 1.0;
        let value = optics.response.encode(linear).0 + grain;
        let row = (window.y0 + i / window.width) * 1920;
        picture.data_mut()[row + window.x0 + i % window.width] = value.round().clamp(0.0, 255.0) as u8;
    }
    Scene { camera, pattern, size_mm, truth, window, picture }
}

fn fit_on_plane(scene: &Scene, start: Pose, optics: Optics) -> Option<Fit<OnPlane>> {
    let warp = OnPlane::new(&scene.camera, HEIGHT_MM, start, scene.window)?;
    fit(
        &scene.picture,
        &scene.pattern,
        scene.size_mm,
        (warp, Start::Rough),
        (optics, OpticsKnowledge::Given),
        &mut Scratch::default(),
    )
}

#[test]
fn a_pattern_started_half_a_millimetre_and_two_degrees_off_is_found_to_a_hundredth() {
    for heading in [0.0, 33.0, 90.0, 217.0] {
        let optics = Optics::default();
        let scene = scene(Pose::new(312.3, 287.1, heading), optics);
        let start = scene.truth.nudged(Vector::new(0.4, -0.3), 2f64.to_radians());
        let found = fit_on_plane(&scene, start, optics).expect("settles").warp.pose;
        let off = (found.centre - scene.truth.centre).norm();
        let turned = scene.truth.heading.turn_to_radians(found.heading).to_degrees();
        assert!(off < 0.012 && turned.abs() < 0.06, "heading {heading}: {off} mm, {turned} deg");
    }
}

#[test]
fn a_spear_across_the_tag_moves_it_by_little() {
    let optics = Optics::default();
    let mut scene = scene(Pose::new(300.0, 310.0, 80.0), optics);
    for row in 0..scene.window.height {
        let at = (scene.window.y0 + row) * 1920 + scene.window.x0 + 14;
        scene.picture.data_mut()[at..at + 2].fill(70);
    }
    let fit = fit_on_plane(&scene, scene.truth, optics).expect("settles");
    assert!((fit.warp.pose.centre - scene.truth.centre).norm() < 0.05);
    assert!(fit.agreeing < 0.97, "{}", fit.agreeing);
}

#[test]
fn a_tag_none_of_whose_pixels_is_clearly_light_is_found() {
    let optics = Optics { blur_px: 0.75, ..Optics::default() };
    // A side of 11 pixels: 1.4 a module.
    let size_mm = 7.0;
    let mut unclear = 0;
    for id in 8..48 {
        let scene = scene_of(id, size_mm, Pose::new(305.2, 290.7, 12.0), optics);
        let start = scene.truth.nudged(Vector::new(0.2, -0.15), 1f64.to_radians());
        unclear += usize::from(!is_clear(&scene, optics));
        let found =
            fit_on_plane(&scene, start, optics).unwrap_or_else(|| panic!("id {id} is lost")).warp.pose;
        assert!((found.centre - scene.truth.centre).norm() < 0.03, "id {id}");
    }
    println!("{unclear} of 40 codes show no clearly light pixel");
    assert!(unclear > 0);
}

/// Whether both a clearly light and a clearly dark pixel show.
fn is_clear(scene: &Scene, optics: Optics) -> bool {
    let warp = OnPlane::new(&scene.camera, HEIGHT_MM, scene.truth, scene.window).expect("the plane is seen");
    let mut scratch = Scratch::default();
    let layers = Layers::render(&scene.pattern, scene.size_mm, &warp.lattice(), optics.blur_px, &mut scratch);
    let shares =
        || layers.light.iter().zip(&layers.inside).filter(|(_, i)| **i >= 0.9).map(|(light, _)| *light);
    shares().any(|light| light > 0.8) && shares().any(|light| light < 0.2)
}

#[test]
fn where_modules_are_near_a_pixel_wide_nothing_is_guessed() {
    let optics = Optics { blur_px: 0.75, ..Optics::default() };
    // 0.9 pixels a module.
    let scenes = (8..48).map(|id| scene_of(id, 4.5, Pose::new(305.2, 290.7, 12.0), optics));
    let unclear: Vec<Scene> = scenes.filter(|scene| !is_clear(scene, optics)).collect();
    assert!(!unclear.is_empty());
    assert!(unclear.iter().all(|scene| fit_on_plane(scene, scene.truth, optics).is_none()));
}

#[test]
fn a_blank_card_in_its_place_is_not_a_tag() {
    let optics = Optics::default();
    let mut scene = scene(Pose::new(300.0, 310.0, 80.0), optics);
    scene.picture.data_mut().fill(180);
    assert!(fit_on_plane(&scene, scene.truth, optics).is_none());
}

#[test]
fn a_patch_finds_corners_blur_and_response_together() {
    let optics = Optics { blur_px: 0.55, response: Response::new(1.5) };
    let scene = scene(Pose::new(290.0, 300.0, 75.0), optics);
    let half = SIZE_MM / 2.0;
    let corners = [(-half, half), (half, half), (half, -half), (-half, -half)].map(|(right, up)| {
        let p = scene.truth.at(right, up);
        scene.camera.image_from_table(Point3::new(p.x, p.y, HEIGHT_MM)).expect("in front of the camera")
    });
    let start = corners.map(|c| PixelPoint::new(c.x + 0.3, c.y - 0.2));
    let warp = Patch::new(&scene.camera.lens, SIZE_MM, start, scene.window).expect("a square");
    let knowledge = OpticsKnowledge::Fitted;
    let fit = fit(
        &scene.picture,
        &scene.pattern,
        SIZE_MM,
        (warp, Start::Rough),
        (Optics::default(), knowledge),
        &mut Scratch::default(),
    )
    .expect("settles");
    for (found, truth) in fit.warp.corners_px().iter().zip(corners) {
        assert!((found - truth).norm() < 0.05, "{found} {truth}");
    }
    assert!((fit.optics.blur_px - 0.55).abs() < 0.06, "{}", fit.optics.blur_px);
    assert!((fit.optics.response.gamma() - 1.5).abs() < 0.2, "{}", fit.optics.response.gamma());
}
