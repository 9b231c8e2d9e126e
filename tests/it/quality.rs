//! What is told of a picture's light and sharpness, on both sides of each limit: where it is told, tags are lost; where
//! nothing is told, hardly any are.

use groma::cli::sim_scene::scene_from;
use groma::judge::{samples, tag_book};
use groma::vision::sim::{Motion, SimSettings, SimulatedCamera};
use groma::vision::{FrameSource, GreyImage, Pipeline, PipelineSettings, Sequence, blur_px, picture_faults};

/// The sample table as a camera shows it, and how many of its 24 elements are read.
fn seen(settings: SimSettings) -> (std::sync::Arc<GreyImage>, usize) {
    let (table, roster) = (samples::table(), samples::roster());
    let scene = scene_from(&table, &roster, 5).expect("the samples make a scene");
    let settings = SimSettings { motion: Motion::Still, ..settings };
    let mut camera = SimulatedCamera::new(scene, settings, 5).expect("a camera");
    let unrelated = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
    let mut pipeline =
        Pipeline::new(tag_book(&table, &roster), camera.lens(), unrelated).expect("a pipeline");
    let frame = camera.next_frame().expect("a picture").expect("a live source");
    let reading = pipeline.take(&frame);
    (frame.grey, reading.snapshot.seen())
}

#[test]
fn measure() {
    for exposure in [1.0, 0.3, 0.15, 0.1, 0.07, 0.05, 0.03, 1.5, 2.0, 3.0, 5.0, 8.0] {
        let (grey, n) = seen(SimSettings { exposure, ..SimSettings::default() });
        let mut v = grey.data().to_vec();
        v.sort_unstable();
        let white = v[v.len() * 99 / 100];
        let share = v.iter().filter(|x| **x >= 252).count() as f64 / v.len() as f64;
        println!(
            "exposure {exposure}: seen {n} white {white} share {share:.3} blur {:?} {:?}",
            blur_px(&grey),
            picture_faults(&grey)
        );
    }
    for blur in [0.3, 0.7, 1.0, 1.3, 1.6, 2.0, 2.4, 2.8, 3.5, 5.0] {
        for size in [(1920, 1080), (1280, 720)] {
            let (grey, n) =
                seen(SimSettings { blur_px: blur, ..SimSettings::default() }.with_size(size.0, size.1));
            println!("blur {blur} {size:?}: seen {n} blur {:?} {:?}", blur_px(&grey), picture_faults(&grey));
        }
    }
}
