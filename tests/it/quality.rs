//! What is told of a picture's light and sharpness, on both sides of each limit: where it is told, tags are lost; where
//! nothing is told, hardly any are.

use groma::cli::sim_scene::scene_from;
use groma::judge::{samples, tag_book};
use groma::vision::sim::{Motion, SimSettings, SimulatedCamera};
use groma::vision::{FrameSource, Pipeline, PipelineSettings, Sequence, blur_px, picture_faults};

/// What is told of the sample table under such a camera, and how many of its 24 elements are read.
fn told(settings: SimSettings) -> (String, usize) {
    let (table, roster) = (samples::table(), samples::roster());
    let scene = scene_from(&table, &roster, 5).expect("the samples make a scene");
    let settings = SimSettings { motion: Motion::Still, ..settings };
    let mut camera = SimulatedCamera::new(scene, settings, 5).expect("a camera");
    let unrelated = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
    let mut pipeline =
        Pipeline::new(tag_book(&table, &roster), camera.lens(), unrelated).expect("a pipeline");
    let frame = camera.next_frame().expect("a picture").expect("a live source");
    let seen = pipeline.take(&frame).snapshot.seen();
    let words: Vec<String> = picture_faults(&frame.grey).iter().map(ToString::to_string).collect();
    println!("{words:?} {seen} blur {:?}", blur_px(&frame.grey));
    (words.join("; "), seen)
}

fn good(settings: SimSettings) {
    let (words, seen) = told(settings.clone());
    assert!(words.is_empty() && seen >= 20, "{words}: {seen} of 24 under {settings:?}");
}

fn bad(settings: SimSettings, what: &str, most: usize) {
    let (words, seen) = told(settings.clone());
    assert!(words.contains(what) && seen <= most, "{words}: {seen} of 24 under {settings:?}");
}

#[test]
fn light_that_loses_tags_is_told_and_light_that_does_not_is_not() {
    let at = |exposure| SimSettings { exposure, ..SimSettings::default() };
    good(at(0.05));
    good(at(1.0));
    good(at(1.5));
    bad(at(3.0), "too bright", 12);
    bad(at(0.004), "too dark", 22);
}

#[test]
fn blur_that_loses_tags_is_told_and_blur_that_does_not_is_not() {
    let at = |blur_px| SimSettings { blur_px, ..SimSettings::default() };
    good(at(1.3));
    // At 2.0 pixels 5 of 24 are read since the fit looks for more blur than a webcam's.
    bad(at(2.4), "blurred", 4);
}
