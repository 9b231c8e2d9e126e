//! A table that does not fit what the camera sees says so, and its plus-minus grows by it.

use groma::cli::sim_scene::scene_from;
use groma::judge::{samples, tag_book};
use groma::tracking::TagBook;
use groma::vision::sim::{SimSettings, SimulatedCamera};
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
