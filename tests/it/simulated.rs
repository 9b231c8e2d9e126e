//! The sample armies under the simulated camera, read by the whole pipeline and scored by the truth.

use groma::cli::sim_scene::{scene_as_glued, scene_from};
use groma::judge::{read_elements, samples, tag_book};
use groma::tracking::Visibility;
use groma::vision::sim::{Motion, SimSettings, SimulatedCamera, TrueTag, Truth};
use groma::vision::{FrameSource, Pipeline, PipelineSettings, Reading};

fn camera(profile: &str, seed: u64) -> SimulatedCamera {
    let scene = scene_from(&samples::table(), &samples::roster(), seed).expect("the samples make a scene");
    let settings = SimSettings::profile(profile).expect("a profile");
    SimulatedCamera::new(scene, settings, seed).expect("the samples fit the picture")
}

fn pipeline(camera: &SimulatedCamera) -> Pipeline {
    let book = tag_book(&samples::table(), &samples::roster());
    Pipeline::new(book, camera.lens(), PipelineSettings::for_source(camera)).expect("a pipeline")
}

fn read(camera: &mut SimulatedCamera, pipeline: &mut Pipeline) -> (Reading, Truth) {
    let frame = camera.next_frame().expect("a picture").expect("a live source");
    let truth = camera.truth(frame.seq);
    (pipeline.take(&frame), truth)
}

fn tags(truth: &Truth) -> impl Iterator<Item = &TrueTag> {
    truth.bases.iter().flat_map(|base| &base.tags)
}

#[test]
fn poses_of_whole_tags_are_right_and_know_how_right_they_are() {
    let (mut squares, mut inside, mut count, mut whole, mut worst) = (0.0, 0, 0, 0, 0.0f64);
    for seed in [1, 2, 3, 4] {
        // Tags glued as well as the roster says, no better: its sigmas are what is put to the test.
        let (table, roster) = (samples::table(), samples::roster());
        let scene = scene_as_glued(&table, &roster, seed).expect("the samples make a scene");
        let mut camera = SimulatedCamera::new(scene, SimSettings::default(), seed).expect("a camera");
        let mut pipeline = pipeline(&camera);
        let (reading, truth) = read(&mut camera, &mut pipeline);
        assert!(reading.registration.is_ok(), "seed {seed}: {:?}", reading.registration);
        for element in read_elements(&roster, &reading.snapshot) {
            let Some(base) = truth.base(&element.name) else { continue };
            if !base.tags.iter().all(|t| t.visible >= 0.98) {
                continue;
            }
            whole += 1;
            if element.visibility != Visibility::Seen {
                println!("seed {seed}: {} shows whole and is not seen", element.name);
                continue;
            }
            let pose = element.pose.as_ref().expect("a seen element has a pose");
            let off = pose.pose.centre - base.pose.centre;
            let covariance = pose.total_covariance().fixed_view::<2, 2>(0, 0).into_owned();
            let distance2 = off.dot(&(covariance.try_inverse().expect("a real covariance") * off));
            // 95 % of a two-dimensional normal distribution lies within 5.99.
            inside += usize::from(distance2 <= 5.99);
            squares += off.norm_squared();
            worst = worst.max(off.norm());
            count += 1;
        }
    }
    let rms = (squares / f64::from(count)).sqrt();
    println!("{count} of {whole} whole: {rms:.3} mm RMS, {worst:.3} mm worst, {inside} within their 95 %");
    assert!(whole >= 60, "only {whole} elements show whole");
    assert!(count * 100 >= whole * 95, "{count} of {whole} whole elements were seen");
    assert!(rms < 0.3 && worst < 1.0, "{rms:.3} mm RMS, {worst:.3} mm worst");
    assert!(inside * 100 >= count as usize * 85, "{inside} of {count} within their 95 %");
}

#[test]
fn a_hand_comes_moves_a_base_and_nothing_under_it_is_given_a_fresh_pose() {
    let (mut under, mut wrong, mut moved) = (0, 0, false);
    for seed in [1] {
        let mut camera = camera("table", seed);
        let mut pipeline = pipeline(&camera);
        let begin = camera.truth(0);
        let fps = camera.fps();
        // The first move, from before the hand comes until it has gone.
        for step in 0..=9 {
            camera.skip_to(((2.4 + 0.37 * f64::from(step)) * fps).round() as u64);
            let (reading, truth) = read(&mut camera, &mut pipeline);
            for tag in tags(&truth).filter(|t| t.under_hand >= 0.5) {
                under += 1;
                if reading.snapshot.tracks[&tag.tag].visibility == Visibility::Seen {
                    wrong += 1;
                    println!("seed {seed}, step {step}: {} is {:.2} under the hand", tag.tag, tag.under_hand);
                }
            }
            moved |= tags(&truth).zip(tags(&begin)).any(|(now, then)| now.pose != then.pose);
        }
    }
    println!("{under} sights under the hand, {wrong} given a fresh pose");
    assert!(moved && under >= 3, "moved: {moved}, {under} tags under a hand");
    assert_eq!(wrong, 0);
}

#[test]
fn a_still_table_is_the_same_until_the_hand_comes() {
    let scene = scene_from(&samples::table(), &samples::roster(), 5).expect("the samples make a scene");
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let camera = SimulatedCamera::new(scene, settings, 5).expect("the samples fit the picture");
    assert_eq!(camera.truth(0).bases, camera.truth(1000).bases);
    let hands = self::camera("table", 5);
    let loop_frames = (hands.fps() * 6.0 * 8.0).round() as u64;
    let centres = |seq| hands.truth(seq).bases.iter().map(|b| b.pose.centre).collect::<Vec<_>>();
    let (first, again) = (centres(0), centres(loop_frames));
    assert!(first.iter().zip(&again).all(|(a, b)| (a - b).norm() < 1e-9), "the script ends as it began");
    assert!((0..loop_frames).step_by(20).any(|seq| centres(seq) != first), "something moves");
}
