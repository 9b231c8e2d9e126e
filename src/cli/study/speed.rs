//! `groma study speed`: time from a decoded grey frame to the snapshot, beside plain AprilTag on the same
//! frames in the same run, against the number of elements; and the memory before and after.
//!
//! Frames are drawn beforehand and shown in a ring: a still table's differ by their grain alone, a hand's
//! run forward and back. Times are wall-clock, so other work on the machine is in them.

use crate::cli::sim_scene::scene_from;
use crate::cli::{Failure, say};
use crate::geometry::{Pose, Vector};
use crate::judge::{samples, tag_book};
use crate::tracking::{CapturedAt, KnownTag, TableSnapshot, Tag, TagBook, TagFamily, Track, Visibility};
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
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
}

/// So many bases fit on the sample board side by side.
const MOST_ELEMENTS: usize = 340;
/// Different pictures of a still table; a hand's frames begin with as many still ones.
const RING: u64 = 6;
/// Frames before times count: every tag has been read often enough, the picture's grain is learnt.
const SETTLING: usize = 400;
/// Plain AprilTag reads so many of the frames, spread over the run.
const PLAIN_FRAMES: u64 = 30;
/// Frames with each number of elements.
const FRAMES_EACH: u64 = 600;
/// Frames a second while a hand moves a base, and the seconds of its move.
const HAND_FPS: f64 = 30.0;
const HAND_S: (f64, f64) = (2.4, 5.8);
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
    let mut stand = Stand { plain: plain_detector()?, pipeline: live(book.clone(), camera.lens())?, seq: 0 };
    let frames = ring(&mut camera)?;
    stand.settle(&frames);
    let before = memory_mb();
    let times = stand.times(frames.iter().cycle().take(args.frames as usize), args.frames / PLAIN_FRAMES);
    say(format!("still table, 24 elements, {} frames\n{}", args.frames, times.words()));
    if let (Some(before), Some(after)) = (before, memory_mb()) {
        say(format!("  memory: {before:.1} MB before, {after:.1} MB after"));
    }
    say(format!("  {}", shifted(&mut stand, &frames[0], &scene, &camera, &still, args)?));

    let hand = SimSettings { motion: Motion::Hands, fps: HAND_FPS, ..SimSettings::default() };
    let mut camera = SimulatedCamera::new(scene, hand, args.seed)?;
    let frames = hand_frames(&mut camera)?;
    stand.pipeline = live(book, camera.lens())?;
    stand.settle(&frames);
    let turns = frames.iter().chain(frames.iter().rev()).cycle().take(2 * frames.len() * HAND_TURNS);
    let times = stand.times(turns, (2 * frames.len() * HAND_TURNS) as u64 / PLAIN_FRAMES);
    say(format!("a hand moving a base, 24 elements, {} frames\n{}", times.live.0.len(), times.words()));
    say(format!("  {}", seen_whole(&mut stand, &camera, &frames)));

    for &count in &args.elements {
        let (scene, book) = grid(count as usize)?;
        let settings = SimSettings { clutter: Clutter::None, ..still.clone() };
        let mut camera = SimulatedCamera::new(scene, settings, args.seed)?;
        let frames = ring(&mut camera)?;
        stand.pipeline = live(book, camera.lens())?;
        stand.settle(&frames);
        let times = stand.times(frames.iter().cycle().take(FRAMES_EACH as usize), FRAMES_EACH / PLAIN_FRAMES);
        let seen = stand.take(&frames[0]).0.seen();
        say(format!("still table, {count} elements, {seen} of them seen\n{}", times.words()));
    }
    Ok(())
}

/// A pipeline and plain AprilTag side by side.
struct Stand {
    plain: TagDetector,
    pipeline: Pipeline,
    seq: u64,
}

impl Stand {
    /// Reads the frame as the next of a camera of 30 frames a second.
    fn take(&mut self, frame: &Frame) -> (Arc<TableSnapshot>, Duration) {
        let captured_at = CapturedAt(Duration::from_secs_f64(self.seq as f64 / HAND_FPS));
        let frame = Frame { seq: self.seq, captured_at, ..frame.clone() };
        self.seq += 1;
        let begun = Instant::now();
        let snapshot = self.pipeline.take(&frame).snapshot;
        (snapshot, begun.elapsed())
    }

    /// Frames before times count: tracks come to rest, the picture's grain is learnt.
    fn settle(&mut self, frames: &[Frame]) {
        for frame in frames[..RING as usize].iter().cycle().take(SETTLING) {
            self.take(frame);
        }
    }

    /// The times of both on the same frames; plain AprilTag reads one frame in `plain_every`.
    fn times<'a>(&mut self, frames: impl Iterator<Item = &'a Frame>, plain_every: u64) -> Beside {
        let (mut live, mut plain) = (Vec::new(), Vec::new());
        for (frame, n) in frames.zip(0u64..) {
            if n.is_multiple_of(plain_every.max(1)) {
                let begun = Instant::now();
                std::hint::black_box(self.plain.detect(&frame.grey));
                plain.push(begun.elapsed());
            }
            live.push(self.take(frame).1);
        }
        Beside { live: Times::of(live), plain: Times::of(plain) }
    }
}

/// The times of both.
struct Beside {
    live: Times,
    plain: Times,
}

impl Beside {
    fn words(&self) -> String {
        format!(
            "  plain AprilTag: {}\n  Groma:          {}\n  plain's median is {:.0} times Groma's, its mean {:.0} times",
            self.plain.words(),
            self.live.words(),
            self.plain.below_ms(0.5) / self.live.below_ms(0.5),
            self.plain.mean_ms() / self.live.mean_ms()
        )
    }
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

/// AprilTag undecimated, edges refined, one family, two threads.
fn plain_detector() -> Result<TagDetector, anyhow::Error> {
    let family = BTreeSet::from([TagFamily::Tag36h11]);
    Ok(TagDetector::new(&family, DetectorSettings { threads: 2, ..DetectorSettings::default() })?)
}

fn live(book: TagBook, lens: Option<Lens>) -> Result<Pipeline, anyhow::Error> {
    let settings = PipelineSettings { sequence: Sequence::Following, ..PipelineSettings::default() };
    Ok(Pipeline::new(book, lens, settings)?)
}

/// How many of the tags that show whole are read while the hand moves a base.
fn seen_whole(stand: &mut Stand, camera: &SimulatedCamera, frames: &[Frame]) -> String {
    let (mut whole, mut seen) = (0, 0);
    for frame in frames {
        let (snapshot, _) = stand.take(frame);
        let truth = camera.truth(frame.seq);
        let tags = truth.bases.iter().flat_map(|b| &b.tags).filter(|t| t.visible > 0.98);
        for tag in tags {
            let is_seen = |t: &Track| t.visibility == Visibility::Seen;
            whole += 1;
            seen += usize::from(snapshot.tracks.get(&tag.tag).is_some_and(is_seen));
        }
    }
    format!("of {whole} sights of tags that show whole, {seen} are read in that very frame")
}

/// What the next frame says where one base was shifted by [`SHIFT_MM`].
fn shifted(
    stand: &mut Stand,
    before: &Frame,
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
    let (was, _) = stand.take(before);
    let (now, spent) = stand.take(&frame(&mut after, RING)?);
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
            contrast: 1.0,
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
    Ok((
        scene,
        TagBook { reference, known: (0..count).map(|i| (tag_of(i), known)).collect(), ..TagBook::default() },
    ))
}

/// Memory that the process holds, megabytes; where the system does not tell it as Linux does, none.
pub(super) fn memory_mb() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}
