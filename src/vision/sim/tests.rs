//! The renderer against the camera model and against the plain AprilTag library.

use super::*;
use crate::geometry::{Pose, Vector};
use crate::tracking::{ReferenceTag, Tag, TagFamily};
use crate::vision::{CameraModel, FrameSource, GreyImage, PixelPoint};
use nalgebra::Point3;

/// A small table, 300 mm across, with a base for each family.
pub(super) fn small_scene(seed: u64) -> Scene {
    let corner = |id, x_mm, y_mm, rotation_deg| ReferenceTag {
        tag: Tag::new(TagFamily::Tag36h11, id),
        size_mm: 30.0,
        x_mm,
        y_mm,
        z_mm: 0.3,
        rotation_deg,
        sigma_mm: 0.0,
    };
    let reference = vec![
        corner(0, -22.0, -22.0, 0.0),
        corner(1, 322.0, -22.0, 90.0),
        corner(2, 322.0, 322.0, 180.0),
        corner(3, -22.0, 322.0, 7.0),
    ];
    let base = |n: usize| {
        let family = TagFamily::ALL[n % 4];
        let raised = n % 2 == 1;
        SimBase {
            name: format!("base {n}"),
            side: n % 2,
            width_mm: 40.0,
            depth_mm: 30.0,
            thickness_mm: 2.0,
            tags: vec![SimTag {
                tag: Tag::new(family, 10 + n as u32),
                size_mm: if family == TagFamily::TagStandard41h12 { 11.0 } else { 16.0 },
                right_mm: if raised { 3.0 } else { 0.0 },
                forward_mm: if raised { 0.0 } else { -4.0 },
                rotation_deg: 15.0 * n as f64,
                height_mm: if raised { 25.0 } else { 0.3 },
                ink: if n == 6 { Ink::Earth } else { Ink::Black },
                contrast: 1.0,
            }],
            colour: [160, 40, 40],
            figures: Figures::Spears,
        }
    };
    Scene::arranged(300.0, 300.0, reference, (0..8).map(base).collect(), seed).expect("a good scene")
}

fn clean() -> SimSettings {
    SimSettings::profile("clean").expect("a profile").with_size(1280, 960)
}

/// Tags the plain library finds, with corners in Groma's convention and order.
fn plain_detections(grey: &GreyImage) -> Vec<(Tag, [PixelPoint; 4])> {
    let mut found = Vec::new();
    for family in TagFamily::ALL {
        let library: apriltag::Family = family.name().parse().expect("the library knows it");
        let mut detector =
            apriltag::DetectorBuilder::new().add_family_bits(library, 1).build().expect("a detector");
        detector.set_decimation(1.0);
        let mut image =
            apriltag::Image::zeros_with_stride(grey.width(), grey.height(), grey.width()).expect("memory");
        image.as_slice_mut().copy_from_slice(grey.data());
        for detection in detector.detect(&image) {
            // The library's corners run anticlockwise from the bottom left of the upright tag.
            let [bottom_left, bottom_right, top_right, top_left] =
                detection.corners().map(|[x, y]| PixelPoint::new(x - 0.5, y - 0.5));
            let tag = Tag::new(family, u32::try_from(detection.id()).expect("a small number"));
            if detection.decision_margin() > 20.0 {
                found.push((tag, [top_left, top_right, bottom_right, bottom_left]));
            }
        }
    }
    found
}

/// Offsets, truth less found, of each whole tag's corners; panics where one is not found.
fn corner_offsets(scene: Scene, settings: SimSettings, seed: u64) -> Vec<[Vector; 4]> {
    let mut camera = SimulatedCamera::new(scene, settings, seed).expect("a camera");
    let frame = camera.next_frame().expect("a picture").expect("a live source");
    let truth = camera.truth(0);
    let found = plain_detections(&frame.grey);
    let all = truth.reference.iter().chain(truth.bases.iter().flat_map(|b| &b.tags));
    all.filter(|t| t.visible > 0.99)
        .map(|tag| {
            let want = tag.corners_px.expect("in front of the camera").in_order();
            let (_, got) = found
                .iter()
                .find(|(t, _)| *t == tag.tag)
                .unwrap_or_else(|| panic!("{} was not found", tag.tag));
            std::array::from_fn(|i| want[i] - got[i])
        })
        .collect()
}

#[test]
fn the_plain_library_finds_every_corner_where_the_truth_says() {
    let offsets = corner_offsets(small_scene(5), SimSettings { tone: Tone::Linear, ..clean() }, 5);
    let all: Vec<f64> = offsets.iter().flatten().map(|v| v.norm()).collect();
    let rms = (all.iter().map(|v| v * v).sum::<f64>() / all.len() as f64).sqrt();
    let worst = all.iter().copied().fold(0.0, f64::max);
    println!("{} corners: {rms:.3} px RMS, {worst:.3} px worst", all.len());
    assert!(all.len() >= 40, "only {} corners were compared", all.len());
    assert!(rms < 0.10 && worst < 0.35, "{rms:.3} px RMS, {worst:.3} px worst");
}

#[test]
fn a_cameras_tone_curve_draws_edges_inwards_but_leaves_centres_alone() {
    let offsets = corner_offsets(small_scene(5), clean(), 5);
    let centres: Vec<f64> = offsets.iter().map(|c| (c[0] + c[1] + c[2] + c[3]).norm() / 4.0).collect();
    let rms = (centres.iter().map(|v| v * v).sum::<f64>() / centres.len() as f64).sqrt();
    println!("{} centres: {rms:.3} px RMS", centres.len());
    assert!(centres.len() >= 10 && rms < 0.06, "{rms:.3} px RMS over {}", centres.len());
}

/// Where the edge from `from` to `to` (table points at height z) crosses its normal in the picture,
/// less where the model says, mean over points along it, pixels.
fn edge_error(light: &[[f32; 3]], camera: &CameraModel, from: Point3<f64>, to: Point3<f64>) -> f64 {
    let width = camera.lens.width as usize;
    let value = |p: PixelPoint| {
        let (x, y) = (p.x.floor(), p.y.floor());
        let (u, v) = (p.x - x, p.y - y);
        let at = |dx: usize, dy: usize| f64::from(light[(y as usize + dy) * width + x as usize + dx][1]);
        (at(0, 0) * (1.0 - u) + at(1, 0) * u) * (1.0 - v) + (at(0, 1) * (1.0 - u) + at(1, 1) * u) * v
    };
    let place = |share: f64| camera.image_from_table(from + (to - from) * share).expect("in front");
    let mut errors = Vec::new();
    for step in 0..60 {
        let share = 0.15 + 0.7 * f64::from(step) / 59.0;
        let (here, ahead) = (place(share), place(share + 0.001));
        let along = (ahead - here).normalize();
        let outward = Vector::new(along.y, -along.x);
        // The light side's share of a line across the edge tells where the edge lies on it.
        let (reach, parts) = (3.0, 240);
        let (dark, bright) = (value(here - outward * reach), value(here + outward * reach));
        let mut sum = 0.0;
        for part in 0..parts {
            let offset = reach * (2.0 * (f64::from(part) + 0.5) / f64::from(parts) - 1.0);
            sum += (value(here + outward * offset) - dark) / (bright - dark);
        }
        errors.push(reach - sum * 2.0 * reach / f64::from(parts));
    }
    errors.iter().sum::<f64>() / errors.len() as f64
}

#[test]
fn the_edges_of_a_printed_tag_lie_where_the_model_says() {
    for seed in 0..3 {
        let camera = SimulatedCamera::new(small_scene(seed), clean(), seed).expect("a camera");
        let light = camera.light_of(0);
        let mut worst = 0.0f64;
        for r in camera.scene().reference() {
            let pose = Pose::new(r.x_mm, r.y_mm, 90.0 + r.rotation_deg);
            let h = r.size_mm / 2.0;
            let corner = |x: f64, y: f64| {
                let p = pose.at(x * h, y * h);
                Point3::new(p.x, p.y, r.z_mm)
            };
            let ring = [corner(-1.0, 1.0), corner(1.0, 1.0), corner(1.0, -1.0), corner(-1.0, -1.0)];
            for i in 0..4 {
                worst = worst.max(edge_error(&light, camera.camera(), ring[i], ring[(i + 1) % 4]).abs());
            }
        }
        println!("seed {seed}: {worst:.4} px worst");
        assert!(worst < 0.03, "seed {seed}: an edge lies {worst:.4} px off");
    }
}

#[test]
fn one_seed_gives_one_picture_to_the_byte_and_another_seed_another() {
    let picture = |seed: u64, skip: u64| {
        let settings = SimSettings::profile("messy").expect("a profile").with_size(320, 240);
        let mut camera = SimulatedCamera::new(small_scene(seed), settings, seed).expect("a camera");
        for _ in 0..skip {
            camera.next_frame().expect("a picture");
        }
        camera.skip_to(3);
        camera.next_frame().expect("a picture").expect("a live source").colour.expect("colour")
    };
    assert_eq!(picture(1, 0), picture(1, 2), "a frame does not depend on those before it");
    assert_ne!(picture(1, 0), picture(2, 0));
}

#[test]
fn what_cannot_be_drawn_is_refused_with_the_reason() {
    let scene = small_scene(1);
    let (bases, reference) = (scene.bases().to_vec(), scene.reference().to_vec());
    let stray = vec![Placement { name: "nobody".into(), pose: Pose::new(0.0, 0.0, 0.0), ground_mm: 0.0 }];
    let placed = Scene::placed(300.0, 300.0, reference.clone(), bases.clone(), stray);
    assert!(matches!(placed, Err(SceneError::Unknown { name }) if name == "nobody"));
    let mut odd = bases.clone();
    odd[0].tags[0].tag = Tag::new(TagFamily::Tag16h5, 30);
    assert!(matches!(
        Scene::placed(300.0, 300.0, reference.clone(), odd, vec![]),
        Err(SceneError::Tag { ids: 30, .. })
    ));
    assert!(matches!(Scene::placed(0.0, 300.0, reference, bases, vec![]), Err(SceneError::Area { .. })));
    let tiny = SimulatedCamera::new(scene, clean().with_size(8, 8), 1);
    assert!(matches!(tiny.err(), Some(SceneError::Camera { .. })));
}

#[test]
fn a_base_on_a_hill_is_drawn_at_its_height() {
    let scene = small_scene(5);
    let raised = |p: &Placement| Placement { ground_mm: 18.0, ..p.clone() };
    let placements = scene.placements().iter().take(3).map(raised).collect();
    let hills = Scene::placed(300.0, 300.0, scene.reference().to_vec(), scene.bases().to_vec(), placements)
        .expect("good");
    let offsets = corner_offsets(hills, SimSettings { tone: Tone::Linear, ..clean() }, 5);
    let worst = offsets.iter().flatten().map(|v| v.norm()).fold(0.0, f64::max);
    assert_eq!(offsets.len(), 7, "four reference tags and three bases");
    assert!(worst < 0.35, "{worst:.3} px");
}

/// Two armies of twelve on bases of every depth, tags on stalks.
fn armies(seed: u64) -> Scene {
    let base = |n: usize| SimBase {
        name: format!("base {n}"),
        side: n % 2,
        width_mm: 40.0,
        depth_mm: [15.0, 20.0, 30.0, 40.0, 60.0, 80.0][n / 2 % 6],
        thickness_mm: 2.0,
        tags: vec![SimTag {
            tag: Tag::new(TagFamily::Tag36h11, 20 + n as u32),
            size_mm: 11.0,
            right_mm: 0.0,
            forward_mm: 0.0,
            rotation_deg: 0.0,
            height_mm: 30.0,
            ink: Ink::Black,
            contrast: 1.0,
        }],
        colour: [40, 40, 160],
        figures: Figures::Spears,
    };
    Scene::arranged(600.0, 600.0, Vec::new(), (0..24).map(base).collect(), seed).expect("a good scene")
}

#[test]
fn no_two_bases_overlap_some_are_in_contact_and_ranks_grow_three_deep() {
    let (mut contacts, mut deep) = (0, 0);
    for seed in 0..20 {
        let scene = armies(seed);
        let standing: Vec<_> = scene
            .placements()
            .iter()
            .map(|p| scene.base(&p.name).expect("placed bases exist").footprint(p.pose))
            .collect();
        for (i, a) in standing.iter().enumerate() {
            for b in &standing[i + 1..] {
                let near = a
                    .outline()
                    .iter()
                    .map(|p| b.distance_to_point(*p))
                    .chain(b.outline().iter().map(|p| a.distance_to_point(*p)))
                    .fold(f64::INFINITY, f64::min);
                assert!(near > 0.0, "seed {seed}: bases overlap by {near} mm");
                contacts += usize::from(near < 1.0);
            }
        }
        // The base right behind another, lined up with it.
        let behind = |a: &crate::geometry::Footprint| {
            standing.iter().find(|b| {
                let place = a.pose().seen_from_here(b.pose().centre);
                let gap = -place.y - (a.depth_mm() + b.depth_mm()) / 2.0;
                place.x.abs() < 0.5
                    && (0.0..1.0).contains(&gap)
                    && a.pose().heading.turn_to_radians(b.pose().heading).abs() < 0.01
            })
        };
        deep += standing.iter().filter(|a| behind(a).and_then(behind).is_some()).count();
    }
    println!("{contacts} contacts, {deep} ranks three deep");
    assert!(contacts >= 100 && deep >= 10, "{contacts} contacts, {deep} ranks three deep");
}
