//! `groma study latency`: from the hand that leaves a base to the verdict on its move in the window.
//!
//! A hand draws one base along on the simulated table, thirty frames a second, drawn beforehand. Then they come to the
//! real window at that pace, as from a camera: whoever is late gets the newest. What is timed begins with the capture of
//! the last frame in which the hand hides any of the base's tag, and ends when a pass of the window is done that shows
//! the move's verdict. Milliseconds of the wall's clock, so that other work on the machine is in them.

use crate::app::offscreen::Offscreen;
use crate::app::theme;
use crate::app::worker::Pace;
use crate::cli::sim_scene::scene_from;
use crate::cli::{Failure, say, window};
use crate::geometry::{Pose, Vector, separation};
use crate::judge::samples;
use crate::session::Throws;
use crate::tracking::{CapturedAt, Visibility};
use crate::vision::sim::{Arm, Moment, Motion, Scene, SimSettings, SimulatedCamera};
use crate::vision::{Frame, FrameSource, Lens, SourceError};
use anyhow::{Context, anyhow};
use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Times from the hand that leaves to the verdict in the window, at thirty frames a second.
#[derive(Debug, clap::Args)]
pub struct LatencyArgs {
    /// How many tables, each with one move.
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    moves: u64,
    /// The first table's seed.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
}

const FPS: f64 = 30.0;
/// Frames of the still table before the hand comes: the window reads its first frame, and tracks come to rest.
const BEFORE: u64 = 210;
/// Frames in which the hand comes, draws the base along, and leaves.
const COMES: u64 = 10;
const DRAWS: u64 = 14;
const LEAVES: u64 = 10;
/// Different pictures of a still table.
const RING: u64 = 5;
/// How far the base goes, millimetres: a move, and no knock.
const GOES_MM: f64 = 30.0;
/// No verdict is waited for longer after the last hand, seconds.
const PATIENCE_S: f64 = 6.0;

/// What came of one move.
struct Timed {
    /// From the last frame in which the hand hides any of the tag.
    after_tag: Duration,
    /// From the first frame without the hand anywhere; none where the verdict was there before.
    after_hand: Option<Duration>,
    /// Reading the frames after the hand has left the tag, in the middle and at most.
    reading: [Duration; 2],
}

/// Runs the command.
///
/// # Errors
/// A table that cannot be drawn, or a move without a verdict.
pub fn run(args: &LatencyArgs) -> Result<(), Failure> {
    let mut all = Vec::new();
    for seed in args.seed..args.seed + args.moves {
        let timed = one(seed).map_err(Failure::Job)?;
        let Some(timed) = timed else {
            say(format!("table {seed}: nobody has room to move"));
            continue;
        };
        let ms = |d: Duration| d.as_secs_f64() * 1e3;
        let hand = timed.after_hand.map_or("before it".to_owned(), |d| format!("{:.0} ms after it", ms(d)));
        say(format!(
            "table {seed}: {:.0} ms after the tag is free, and of the hand's last frame {hand}; reading {:.0} ms a frame, {:.0} at most",
            ms(timed.after_tag),
            ms(timed.reading[0]),
            ms(timed.reading[1])
        ));
        all.push(ms(timed.after_tag));
    }
    all.sort_by(f64::total_cmp);
    if let (Some(middle), Some(worst)) = (all.get(all.len() / 2), all.last()) {
        let within = all.iter().filter(|ms| **ms < 300.0).count();
        say(format!(
            "from the tag that is free to the verdict in the window: {middle:.0} ms in the middle, {worst:.0} at worst, {within} of {} within 300",
            all.len()
        ));
    }
    Ok(())
}

/// Frames that were drawn beforehand, and when which of them is captured.
struct Film {
    frames: Vec<Frame>,
    lens: Option<Lens>,
    /// The first frame without a hand over the moved base's tag, and the first without any.
    free: u64,
    gone: u64,
    begun: OnceLock<Instant>,
}

impl Film {
    fn picture(&self, seq: u64) -> &Frame {
        let hand = COMES + DRAWS + LEAVES;
        let at = if seq < BEFORE {
            seq % RING
        } else if seq < BEFORE + hand {
            RING + seq - BEFORE
        } else {
            RING + hand + (seq - BEFORE - hand) % RING
        };
        &self.frames[at as usize]
    }

    fn captured(&self, seq: u64) -> Option<Instant> {
        Some(*self.begun.get()? + Duration::from_secs_f64(seq as f64 / FPS))
    }
}

/// A camera that shows a film at its pace; whoever is late gets the newest frame.
struct Camera {
    film: Arc<Film>,
    next: u64,
}

impl FrameSource for Camera {
    fn description(&self) -> String {
        "a filmed table".to_owned()
    }

    fn live(&self) -> bool {
        true
    }

    fn lens(&self) -> Option<Lens> {
        self.film.lens
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let begun = *self.film.begun.get_or_init(Instant::now);
        let newest = (begun.elapsed().as_secs_f64() * FPS) as u64;
        let seq = self.next.max(newest);
        self.next = seq + 1;
        if let Some(wait) = self.film.captured(seq).and_then(|at| at.checked_duration_since(Instant::now())) {
            std::thread::sleep(wait);
        }
        let captured_at = CapturedAt(Duration::from_secs_f64(seq as f64 / FPS));
        Ok(Some(Frame { seq, captured_at, ..self.film.picture(seq).clone() }))
    }
}

/// Somebody of the near side who has room ahead, and where that one goes.
fn mover(scene: &Scene) -> Option<(String, Pose, Pose)> {
    scene.placements().iter().find_map(|at| {
        let base = scene.base(&at.name).filter(|b| b.side == 0)?;
        let to = Pose { centre: at.pose.at(0.0, GOES_MM), ..at.pose };
        let there = base.footprint(to);
        let inside = there.outline().iter().all(|p| {
            (10.0..scene.width_mm() - 10.0).contains(&p.x) && (10.0..scene.depth_mm() - 10.0).contains(&p.y)
        });
        let mut others = scene.placements().iter().filter(|o| o.name != at.name);
        let free = others
            .all(|o| scene.base(&o.name).is_none_or(|b| separation(&there, &b.footprint(o.pose)).mm > 4.0));
        (inside && free).then(|| (at.name.clone(), at.pose, to))
    })
}

fn film(seed: u64) -> Result<Option<(Film, String)>, anyhow::Error> {
    let scene = scene_from(&samples::table(), &samples::roster(), seed)?;
    let Some((name, from, to)) = mover(&scene) else { return Ok(None) };
    let settings = SimSettings { motion: Motion::Still, fps: FPS, ..SimSettings::default() };
    let mut camera = SimulatedCamera::new(scene, settings, seed)?;
    let stand: BTreeMap<String, Pose> =
        camera.scene().placements().iter().map(|p| (p.name.clone(), p.pose)).collect();
    let (mut frames, mut free) = (Vec::new(), 0);
    let hand = COMES + DRAWS + LEAVES;
    for n in 0..RING + hand + RING {
        // How far the hand is in, and how much of the way is done.
        let (share, done) = match n.checked_sub(RING) {
            None => (0.0, 0.0),
            Some(k) if k < COMES => ((k + 1) as f64 / COMES as f64, 0.0),
            Some(k) if k < COMES + DRAWS => (1.0, (k + 1 - COMES) as f64 / DRAWS as f64),
            Some(k) if k < hand => (1.0 - (k + 1 - COMES - DRAWS) as f64 / LEAVES as f64, 1.0),
            Some(_) => (0.0, 1.0),
        };
        let now = Pose { centre: from.at(0.0, GOES_MM * done), ..from };
        debug_assert!(done < 1.0 || (now.centre - to.centre).norm() < 1e-9, "it ends where it goes");
        let mut places = stand.clone();
        places.insert(name.clone(), now);
        let arm = Arm { grip: now.centre, player: Vector::new(0.18, -1.0), share };
        let arms = if share > 0.0 { vec![arm] } else { Vec::new() };
        camera.show(Moment { places, arms, ..Moment::default() });
        camera.skip_to(n);
        let frame = camera.next_frame()?.context("the simulated camera gave no picture")?;
        let truth = camera.truth(n);
        if truth.base(&name).is_some_and(|b| b.tags.iter().any(|t| t.under_hand > 0.0)) {
            free = BEFORE + n + 1 - RING;
        }
        frames.push(frame);
    }
    let film = Film { frames, lens: camera.lens(), free, gone: BEFORE + hand - 1, begun: OnceLock::new() };
    Ok(Some((film, name)))
}

fn one(seed: u64) -> Result<Option<Timed>, anyhow::Error> {
    let Some((film, name)) = film(seed)? else { return Ok(None) };
    let film = Arc::new(film);
    let shown = Arc::clone(&film);
    let opener: crate::app::logic::Opener =
        Arc::new(move |_| Ok(Box::new(Camera { film: Arc::clone(&shown), next: 0 }) as Box<dyn FrameSource>));
    let mut window = window::window(window::samples_setup(opener), Throws::from_seed(seed), Pace::AsCaptured);
    let mut screen = Offscreen::new(1280.0, 720.0, 1.0);
    theme::install(screen.context());
    window.logic_mut().open("film");
    let mut last = Instant::now();
    let mut reading = Vec::new();
    let (mut reads, mut settled) = (0, false);
    loop {
        window.logic_mut().tick(Instant::now());
        let pass = last.elapsed();
        last = Instant::now();
        screen.pass(pass, |ui| window.show(ui));
        let state = window.state();
        if let Some(sight) = state.latest().filter(|_| state.reads() > reads) {
            reads = state.reads();
            let seq = sight.frame.seq;
            settled |= seq < BEFORE && state.moves().follows();
            if seq >= film.free {
                reading.push(sight.spent);
            }
        }
        let view = state.moves().view();
        let told = view.is_some_and(|v| {
            v.explanations.iter().any(|e| e.moves.iter().any(|m| m.movers == [name.clone()]))
        });
        let (free, gone) = (film.captured(film.free.saturating_sub(1)), film.captured(film.gone));
        let stands =
            state.table().elements.iter().any(|e| e.name == name && e.visibility == Visibility::Seen);
        if let (true, true, Some(free), Some(gone)) = (told, stands, free, gone) {
            // The pass that shows it.
            screen.pass(last.elapsed(), |ui| window.show(ui));
            let now = Instant::now();
            let Some(after_tag) = now.checked_duration_since(free) else {
                // Told of a stop on the way: the hand is not done.
                continue;
            };
            reading.sort();
            let middle = reading.get(reading.len() / 2).copied().unwrap_or_default();
            let most = reading.last().copied().unwrap_or_default();
            return Ok(Some(Timed {
                after_tag,
                after_hand: now.checked_duration_since(gone),
                reading: [middle, most],
            }));
        }
        if gone.is_some_and(|gone| gone.elapsed().as_secs_f64() > PATIENCE_S) {
            let seen = if settled {
                "the table was followed"
            } else {
                "the table was not at rest before the hand came"
            };
            return Err(anyhow!("table {seed}: no verdict on the move of {name}: {seen}"));
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}
