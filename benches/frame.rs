//! One 1080p frame from picture to snapshot, against the plain AprilTag detector on the same frame in
//! the same run. Timings are never a test.

use criterion::{Criterion, criterion_group, criterion_main};
use groma::cli::sim_scene::scene_from;
use groma::judge::{samples, tag_book};
use groma::vision::sim::{SimSettings, SimulatedCamera};
use groma::vision::{Frame, FrameSource, Lens, Pipeline, PipelineSettings, Sequence};
use std::hint::black_box;

const SEED: u64 = 1;
/// Frames drawn beforehand and read in turn.
const FRAMES: usize = 6;

/// Frames of the sample armies under the simulated camera, and its lens.
fn frames() -> (Vec<Frame>, Option<Lens>) {
    let scene = scene_from(&samples::table(), &samples::roster(), SEED).expect("the samples make a scene");
    let settings = SimSettings::default().with_size(1920, 1080);
    let mut camera = SimulatedCamera::new(scene, settings, SEED).expect("the samples fit the picture");
    let frames = (0..FRAMES).map(|_| camera.next_frame().expect("a picture").expect("a live source"));
    (frames.collect(), camera.lens())
}

fn pipeline(lens: Option<Lens>, sequence: Sequence) -> Pipeline {
    let book = tag_book(&samples::table(), &samples::roster());
    let settings = PipelineSettings { sequence, ..PipelineSettings::default() };
    Pipeline::new(book, lens, settings).expect("a pipeline")
}

/// The plain library as its own examples set it up, but undecimated, as small tags need.
fn plain_detector() -> apriltag::Detector {
    let mut detector = apriltag::Detector::builder()
        .add_family_bits(apriltag::Family::tag_36h11(), 2)
        .build()
        .expect("the library gives a detector");
    detector.set_thread_number(1);
    detector.set_decimation(1.0);
    detector
}

fn plain_image(frame: &Frame) -> apriltag::Image {
    let (width, height) = (frame.grey.width(), frame.grey.height());
    let mut image = apriltag::Image::zeros_with_alignment(width, height, 96).expect("an image");
    let stride = image.stride();
    for (to, from) in image.as_slice_mut().chunks_mut(stride).zip(frame.grey.data().chunks(width)) {
        to[..width].copy_from_slice(from);
    }
    image
}

fn picture_to_snapshot(c: &mut Criterion) {
    let (frames, lens) = frames();
    let mut group = c.benchmark_group("1080p frame");
    group.sample_size(10);
    let (mut detector, image) = (plain_detector(), plain_image(&frames[0]));
    group.bench_function("plain apriltag detector", |b| b.iter(|| black_box(detector.detect(&image)).len()));
    let mut photographs = pipeline(lens, Sequence::Unrelated);
    group.bench_function("photograph, picture to snapshot", |b| {
        b.iter(|| photographs.take(black_box(&frames[0])).snapshot.seen());
    });
    let mut estimated = pipeline(None, Sequence::Unrelated);
    group.bench_function("photograph without a lens profile", |b| {
        b.iter(|| estimated.take(black_box(&frames[0])).snapshot.seen());
    });
    // A live source: the next picture of the same table each time.
    let mut live = pipeline(lens, Sequence::Following);
    let mut turn = 0;
    group.bench_function("live, picture to snapshot", |b| {
        b.iter(|| {
            turn += 1;
            live.take(black_box(&frames[turn % FRAMES])).snapshot.seen()
        });
    });
    group.finish();
}

criterion_group!(benches, picture_to_snapshot);
criterion_main!(benches);
