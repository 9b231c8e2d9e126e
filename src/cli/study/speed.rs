//! `groma study speed`: time from a decoded grey frame to the snapshot, beside plain AprilTag on the same
//! frames in the same run, against the number of elements; and the memory before and after.
//!
//! Frames are drawn beforehand and shown in a ring: a still table's differ by their grain alone, a hand's
//! run forward and back. Times are wall-clock, so other work on the machine is in them.

use crate::cli::sim_scene::scene_from;
use crate::cli::{Failure, say};
use crate::geometry::{Pose, Vector};
use crate::judge::{samples, tag_book};
use crate::tracking::{CapturedAt, KnownTag, TableSnapshot, Tag, TagBook, TagFamily, Visibility};
use crate::vision::sim::{
    Clutter, Figures, Ink, Motion, Placement, Scene, SceneError, SimBase, SimSettings, SimTag,
    SimulatedCamera,
};
use crate::vision::{
    CameraModel, DetectorSettings, Frame, FrameSource, Lens, Pipeline, PipelineSettings, Sequence,
    TagDetector,
};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Measures the time from a decoded grey frame to the snapshot, 1920x1080, beside plain AprilTag.
///
/// Plain AprilTag: undecimated, edges refined, one family, two threads, on the same frames in the same run.
#[derive(Debug, clap::Args)]
pub struct SpeedArgs {
    /// Frames of the still table with the sample armies; memory is told before and after them.
    #[arg(long, value_name = "N", default_value_t = 3000, value_parser = clap::value_parser!(u64).range(100..))]
    frames: u64,
    /// Numbers of elements to time a still table with: 12,24,48,72,150,300.
    #[arg(long, value_name = "N,N...", value_delimiter = ',', num_args = 1..,
        value_parser = clap::value_parser!(u32).range(1..=MOST_ELEMENTS as i64))]
    elements: Vec<u32>,
    /// The simulated table.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// So many bases fit on the sample board side by side.
const MOST_ELEMENTS: usize = 340;
/// Different pictures of a still table.
const RING: u64 = 6;
/// Frames before times count: tracks come to rest, the picture's grain is learnt.
const SETTLING: u64 = 60;
/// Frames with each number of elements.
const FRAMES_EACH: u64 = 600;
/// Frames a second while a hand moves a base, and the seconds of its move.
const HAND_FPS: f64 = 30.0;
const HAND_S: (f64, f64) = (2.6, 5.8);
/// How often the hand's frames are shown, forward and back.
const HAND_TURNS: usize = 3;
/// How far a base is shifted to be noticed, millimetres.
const SHIFT_MM: f64 = 0.3;

/// Runs the command.
///
/// # Errors
/// A table that cannot be drawn.
pub fn run(args: &SpeedArgs) -> Result<(), Failure> {
    study(args).map_err(Failure::Job)
}

fn study(args: &SpeedArgs) -> Result<(), anyhow::Error> {
    let book = tag_book(&samples::table(), &samples::roster());
    let scene = scene_from(&samples::table(), &samples::roster(), args.seed)?;
    let still = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let mut camera = SimulatedCamera::new(scene.clone(), still.clone(), args.seed)?;
    let frames = ring(&mut camera)?;
    let plain = plain(&frames)?;
    say(format!("plain AprilTag, two threads: {}", plain.words()));

    let mut pipeline = live(book.clone(), camera.lens())?;
    let before = memory_mb();
    let times = still_times(&mut pipeline, &frames, args.frames);
    say(format!("still table, 24 elements: {}; {}", times.words(), times.beside(&plain)));
    if let (Some(before), Some(after)) = (before, memory_mb()) {
        say(format!("  memory: {before:.1} MB before, {after:.1} MB after {} frames", args.frames));
    }
    say(format!("  {}", shifted(&mut pipeline, &frames, &scene, &camera, &still, args)?));

    let hand = SimSettings { motion: Motion::Hands, fps: HAND_FPS, ..SimSettings::default() };
    let mut camera = SimulatedCamera::new(scene, hand, args.seed)?;
    let moving = hand_frames(&mut camera)?;
    let beside = self::plain(&moving)?;
    let mut pipeline = live(book, camera.lens())?;
    let times = hand_times(&mut pipeline, &moving);
    say(format!("a hand moving a base, 24 elements: {}; {}", times.words(), times.beside(&beside)));

    for &count in &args.elements {
        let (scene, book) = grid(count as usize)?;
        let settings = SimSettings { clutter: Clutter::None, ..still.clone() };
        let mut camera = SimulatedCamera::new(scene, settings, args.seed)?;
        let frames = ring(&mut camera)?;
        let plain = self::plain(&frames)?;
        let mut pipeline = live(book, camera.lens())?;
        let times = still_times(&mut pipeline, &frames, FRAMES_EACH);
        let seen = pipeline.take(&frames[0]).snapshot.seen();
        say(format!(
            "still table, {count} elements ({seen} seen): {}; {}",
            times.words(),
            times.beside(&plain)
        ));
    }
    Ok(())
}

/// Times of one kind, in order of size.
struct Times(Vec<Duration>);

impl Times {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort();
        Self(times)
    }

    /// The time that this share of the frames stayed below, milliseconds.
    fn below_ms(&self, share: f64) -> f64 {
        let last = self.0.len().saturating_sub(1);
        let at = (share * last as f64).round() as usize;
        self.0.get(at).map_or(f64::NAN, |t| t.as_secs_f64() * 1e3)
    }

    fn mean_ms(&self) -> f64 {
        self.0.iter().sum::<Duration>().as_secs_f64() * 1e3 / self.0.len().max(1) as f64
    }

    fn words(&self) -> String {
        format!(
            "median {:.2} ms, mean {:.2}, 95 in 100 below {:.2}, worst {:.1}",
            self.below_ms(0.5),
            self.mean_ms(),
            self.below_ms(0.95),
            self.below_ms(1.0)
        )
    }

    fn beside(&self, plain: &Self) -> String {
        let ratio = plain.below_ms(0.5) / self.below_ms(0.5);
        format!("plain's median is {ratio:.0} times as long ({:.1} ms)", plain.below_ms(0.5))
    }
}

/// A still table's frames.
fn ring(camera: &mut SimulatedCamera) -> Result<Vec<Frame>, anyhow::Error> {
    (0..RING).map(|seq| frame(camera, seq)).collect()
}

fn hand_frames(camera: &mut SimulatedCamera) -> Result<Vec<Frame>, anyhow::Error> {
    let at = |seconds: f64| (seconds * HAND_FPS).round() as u64;
    (at(HAND_S.0)..at(HAND_S.1)).map(|seq| frame(camera, seq)).collect()
}

/// A frame as the pipeline wants it; its colours are for showing and are let go.
fn frame(camera: &mut SimulatedCamera, seq: u64) -> Result<Frame, anyhow::Error> {
    camera.skip_to(seq);
    let frame =
        camera.next_frame()?.ok_or_else(|| anyhow::anyhow!("the simulated camera gave no picture"))?;
    Ok(Frame { colour: None, ..frame })
}

/// Plain AprilTag's times on the frames.
fn plain(frames: &[Frame]) -> Result<Times, anyhow::Error> {
    let family = BTreeSet::from([TagFamily::Tag36h11]);
    let settings = DetectorSettings { threads: 2, ..DetectorSettings::default() };
    let mut detector = TagDetector::new(&family, settings)?;
    detector.detect(&frames[0].grey);
    let timed = frames.iter().cycle().take(frames.len().clamp(24, 48)).map(|frame| {
        let begun = Instant::now();
        std::hint::black_box(detector.detect(&frame.grey));
        begun.elapsed()
    });
    Ok(Times::of(timed.collect()))
}

fn live(book: TagBook, lens: Option<Lens>) -> Result<Pipeline, anyhow::Error> {
    let settings = PipelineSettings { sequence: Sequence::Following, ..PipelineSettings::default() };
    Ok(Pipeline::new(book, lens, settings)?)
}

/// Reads the frame as the `seq`-th of a camera of 30 frames a second.
fn timed(pipeline: &mut Pipeline, frame: &Frame, seq: u64) -> (Arc<TableSnapshot>, Duration) {
    let captured_at = CapturedAt(Duration::from_secs_f64(seq as f64 / HAND_FPS));
    let frame = Frame { seq, captured_at, ..frame.clone() };
    let begun = Instant::now();
    let snapshot = pipeline.take(&frame).snapshot;
    (snapshot, begun.elapsed())
}

fn still_times(pipeline: &mut Pipeline, ring: &[Frame], count: u64) -> Times {
    let mut times = Vec::with_capacity(count as usize);
    for seq in 0..SETTLING + count {
        let (_, spent) = timed(pipeline, &ring[(seq % RING) as usize], seq);
        if seq >= SETTLING {
            times.push(spent);
        }
    }
    Times::of(times)
}

fn hand_times(pipeline: &mut Pipeline, frames: &[Frame]) -> Times {
    let there_and_back: Vec<&Frame> = frames.iter().chain(frames.iter().rev()).collect();
    let turns = there_and_back.iter().cycle().take(there_and_back.len() * HAND_TURNS);
    let mut times = Vec::new();
    for seq in 0..SETTLING {
        timed(pipeline, &frames[0], seq);
    }
    for (seq, frame) in (SETTLING..).zip(turns) {
        times.push(timed(pipeline, frame, seq).1);
    }
    Times::of(times)
}

/// What the next frame says where one base was shifted by [`SHIFT_MM`].
fn shifted(
    pipeline: &mut Pipeline,
    ring: &[Frame],
    scene: &Scene,
    camera: &SimulatedCamera,
    settings: &SimSettings,
    args: &SpeedArgs,
) -> Result<String, anyhow::Error> {
    let truth = camera.truth(0);
    let whole =
        |b: &&SimBase| truth.base(&b.name).is_some_and(|t| t.tags.iter().all(|tag| tag.visible > 0.995));
    let base = scene.bases().iter().find(whole).ok_or_else(|| anyhow::anyhow!("no base shows whole"))?;
    let moved = with_shifted(scene, &base.name)?;
    let model: CameraModel = *camera.camera();
    let mut after = SimulatedCamera::with_camera(moved, settings.clone(), model, args.seed)?;
    let seq = SETTLING + args.frames;
    let (was, _) = timed(pipeline, &ring[0], seq);
    let next = frame(&mut after, RING)?;
    let (now, spent) = timed(pipeline, &next, seq + 1);
    let tag = base.tags[0].tag;
    let at = |s: &TableSnapshot| {
        let track = s.tracks.get(&tag)?;
        let seen = track.visibility == Visibility::Seen;
        track.pose.as_ref().filter(|_| seen).map(|p| (p.pose.centre, track.at_rest))
    };
    Ok(match at(&was).zip(at(&now)) {
        Some(((from, _), (to, at_rest))) => {
            let word = if at_rest { "said to be at rest" } else { "said to be moving" };
            format!(
                "a base shifted by {SHIFT_MM} mm: on the next frame read {:.2} mm on and {word}, in {:.2} ms",
                (to - from).norm(),
                spent.as_secs_f64() * 1e3
            )
        }
        None => "the shifted base's tag was not read".to_owned(),
    })
}

fn with_shifted(scene: &Scene, name: &str) -> Result<Scene, SceneError> {
    let shift = |p: &Placement| {
        let by = if p.name == name { Vector::new(SHIFT_MM, 0.0) } else { Vector::zeros() };
        Placement { pose: p.pose.nudged(by, 0.0), ..p.clone() }
    };
    Scene::placed(
        scene.width_mm(),
        scene.depth_mm(),
        scene.reference().to_vec(),
        scene.bases().to_vec(),
        scene.placements().iter().map(shift).collect(),
    )
}

/// Side of the square bases of [`grid`], and of their tags, millimetres.
const BASE_MM: f64 = 24.0;
const TAG_MM: f64 = 14.0;
/// Their distance from centre to centre, and the first one's place.
const PITCH_MM: (f64, f64) = (29.0, 31.0);
const FIRST_MM: f64 = 24.0;
const COLUMNS: usize = 20;

/// So many bare bases in rows on the sample board.
fn grid(count: usize) -> Result<(Scene, TagBook), SceneError> {
    let table = samples::table();
    let tag_of = |i: usize| Tag::new(TagFamily::Tag36h11, 100 + i as u32);
    let base = |i: usize| SimBase {
        name: format!("base {i}"),
        side: usize::from(i >= count / 2),
        width_mm: BASE_MM,
        depth_mm: BASE_MM,
        thickness_mm: 2.0,
        tags: vec![SimTag {
            tag: tag_of(i),
            size_mm: TAG_MM,
            right_mm: 0.0,
            forward_mm: 0.0,
            rotation_deg: 0.0,
            height_mm: 0.3,
            ink: Ink::Black,
        }],
        colour: [90, 80, 70],
        figures: Figures::Empty,
    };
    // Few bases are spread over the whole board.
    let cells = MOST_ELEMENTS / COLUMNS * COLUMNS;
    let place = |i: usize| {
        let cell = i * cells / count;
        let (column, row) = ((cell % COLUMNS) as f64, (cell / COLUMNS) as f64);
        Placement {
            name: format!("base {i}"),
            pose: Pose::new(FIRST_MM + column * PITCH_MM.0, FIRST_MM + row * PITCH_MM.1, 90.0),
            ground_mm: 0.0,
        }
    };
    let (width, depth) = table.board_mm;
    let reference = table.reference.clone();
    let scene = Scene::placed(
        width,
        depth,
        reference.clone(),
        (0..count).map(base).collect(),
        (0..count).map(place).collect(),
    )?;
    let known = KnownTag { size_mm: TAG_MM, height_mm: 2.3, height_sigma_mm: 0.1 };
    Ok((scene, TagBook { reference, known: (0..count).map(|i| (tag_of(i), known)).collect() }))
}

/// Memory that the process holds, megabytes; where the system does not tell it as Linux does, none.
fn memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
