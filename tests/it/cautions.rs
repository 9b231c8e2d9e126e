//! A table that does not fit what the camera sees says so, and its plus-minus grows by it.

use groma::cli::sim_scene::scene_from;
use groma::judge::{samples, tag_book};
use groma::tracking::{Tag, TagBook, TagFamily};
use groma::vision::sim::{Motion, SimSettings, SimulatedCamera};
use groma::vision::{Caution, FrameSource, Lens, Pipeline, PipelineSettings, Reading, Sequence};

fn reading(camera: &mut SimulatedCamera, book: TagBook, lens: Lens) -> Reading {
    let settings = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
    let mut pipeline = Pipeline::new(book, Some(lens), settings).expect("a pipeline");
    camera.skip_to(0);
    pipeline.take(&camera.next_frame().expect("a picture").expect("a live source"))
}

fn camera(seed: u64) -> SimulatedCamera {
    let scene = scene_from(&samples::table(), &samples::roster(), seed).expect("the samples make a scene");
    SimulatedCamera::new(scene, SimSettings::default(), seed).expect("the samples fit the picture")
}

fn book() -> TagBook {
    tag_book(&samples::table(), &samples::roster())
}

#[test]
fn a_table_that_fits_gives_no_caution() {
    let mut camera = camera(2);
    let lens = *camera.camera();
    let reading = reading(&mut camera, book(), lens.lens);
    assert_eq!(reading.cautions(), []);
}

#[test]
fn a_reference_tag_written_down_wrong_is_named() {
    for (index, off_mm) in [(4, 5.0), (6, -40.0)] {
        let mut camera = camera(2);
        let lens = camera.camera().lens;
        let mut wrong = book();
        wrong.reference[index].x_mm += off_mm;
        let tag = wrong.reference[index].tag;
        let cautions = reading(&mut camera, wrong, lens).cautions();
        assert!(
            matches!(cautions.as_slice(), [Caution::LeftOut { tag: named, misfit_px }] if *named == tag && *misfit_px > 2.0),
            "{cautions:?}"
        );
    }
}

#[test]
fn another_lenss_profile_is_told_and_the_sigmas_hold_the_errors() {
    for seed in [2, 5] {
        let mut camera = camera(seed);
        let mut lens = camera.camera().lens;
        lens.fx *= 1.04;
        lens.fy *= 1.04;
        lens.distortion.k1 += 0.08;
        let truth = camera.truth(0);
        let reading = reading(&mut camera, book(), lens);
        let cautions = reading.cautions();
        assert!(cautions.iter().any(|c| matches!(c, Caution::Misfit { .. })), "seed {seed}: {cautions:?}");
        let elements = groma::judge::read_elements(&samples::roster(), &reading.snapshot);
        let mut checked = 0;
        for element in &elements {
            let (Some(pose), Some(base)) = (&element.pose, truth.base(&element.name)) else { continue };
            let off = (pose.pose.centre - base.pose.centre).norm();
            let sigma = pose.sigma_place_mm();
            assert!(off < 3.0 * sigma, "seed {seed}: {} is {off:.2} mm off, sigma {sigma:.2}", element.name);
            checked += 1;
        }
        assert!(checked >= 15, "only {checked} elements seen");
    }
}

/// Of the tags that are detected the one that lies furthest to the left and away, where a slow sweep over the picture begins; and
/// where its base stands.
fn first_of(camera: &mut SimulatedCamera) -> (Tag, [f64; 2]) {
    let lens = camera.camera().lens;
    let detections = reading(camera, book(), lens).detections;
    let truth = camera.truth(0);
    let roster = samples::roster();
    let places = roster.elements().iter().filter_map(|e| {
        let centre = truth.base(&e.name)?.pose.centre;
        let tag = e.tags[0].tag;
        detections.iter().any(|d| d.tag == tag).then_some((tag, [centre.x, centre.y]))
    });
    places.min_by(|(_, a), (_, b)| (a[0] - a[1]).total_cmp(&(b[0] - b[1]))).expect("a tag that is detected")
}

fn unnamed(cautions: &[Caution]) -> Vec<(Tag, [f64; 2])> {
    let told = cautions.iter().filter_map(|c| match c {
        Caution::Unnamed { tag, x_mm, y_mm } => Some((*tag, [*x_mm, *y_mm])),
        _ => None,
    });
    told.collect()
}

#[test]
fn a_tag_that_nobody_names_is_told_with_its_place_and_no_other() {
    for seed in [2, 5, 9] {
        let mut camera = camera(seed);
        let (tag, [x, y]) = first_of(&mut camera);
        let mut without = book();
        without.known.remove(&tag);
        let lens = camera.camera().lens;
        let told = unnamed(&reading(&mut camera, without, lens).cautions());
        let [(found, at)] = told.as_slice() else { panic!("seed {seed}: {told:?}") };
        // Tags on stalks look up to some centimetres off where they stand.
        assert!(*found == tag && (at[0] - x).hypot(at[1] - y) < 45.0, "seed {seed}: {told:?}, at {x}, {y}");
    }
}

#[test]
fn a_tag_that_is_written_too_large_is_told_where_its_element_is_missing() {
    let mut camera = camera(2);
    let (tag, _) = first_of(&mut camera);
    let mut wrong = book();
    wrong.known.get_mut(&tag).expect("a tag of the book").size_mm *= 1.4;
    let lens = camera.camera().lens;
    let cautions = reading(&mut camera, wrong, lens).cautions();
    assert!(
        matches!(cautions.as_slice(), [Caution::NotAsWritten { tag: found, .. }] if *found == tag),
        "{cautions:?}"
    );
}

#[test]
fn a_tag_that_nobody_names_is_told_of_a_live_source_once_it_has_lain_still() {
    let scene = scene_from(&samples::table(), &samples::roster(), 2).expect("the samples make a scene");
    let still = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let mut camera = SimulatedCamera::new(scene, still, 2).expect("the samples fit the picture");
    let (tag, _) = first_of(&mut camera);
    let mut without = book();
    without.known.remove(&tag);
    // Somebody is missing, so the picture is searched.
    without
        .known
        .insert(Tag::new(TagFamily::Tag36h11, 400), without.known.values().next().copied().expect("a tag"));
    let lens = Some(camera.camera().lens);
    let mut pipeline = Pipeline::new(without, lens, PipelineSettings::default()).expect("a pipeline");
    camera.skip_to(0);
    let mut first = None;
    for n in 0..200 {
        let frame = camera.next_frame().expect("a picture").expect("a live source");
        let told = unnamed(&pipeline.take(&frame).cautions());
        assert!(told.iter().all(|(found, _)| *found == tag), "frame {n}: {told:?}");
        if !told.is_empty() {
            first = Some(n);
            break;
        }
    }
    println!("told at frame {first:?}");
    assert!(first.is_some_and(|n| n > 0), "one look is not enough: {first:?}");
}

#[test]
fn no_ghost_of_the_weakest_family_is_told() {
    for profile in SimSettings::PROFILES {
        for seed in 1..=4 {
            let scene = scene_from(&samples::table(), &samples::roster(), seed).expect("a scene");
            let settings = SimSettings::profile(profile).expect("a kind of table");
            let mut camera = SimulatedCamera::new(scene, settings, seed).expect("a camera");
            let mut book = book();
            let any = book.known.values().next().copied().expect("a tag");
            book.known.insert(Tag::new(TagFamily::Tag16h5, 3), any);
            let lens = camera.camera().lens;
            let reading = reading(&mut camera, book, lens);
            let ghosts = reading.detections.iter().filter(|d| d.tag.family == TagFamily::Tag16h5).count();
            println!("{profile} {seed}: {ghosts} ghosts");
            assert_eq!(reading.strangers, [], "{profile} {seed}");
        }
    }
}
