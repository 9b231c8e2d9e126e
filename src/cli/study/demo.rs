//! `groma study demo`: hours of demo mode, faster than real time: whether memory stays flat, and whether every state is
//! still reached at the end.
//!
//! The window runs off-screen over the sample table on the simulated camera. Visitors come, move bases and go; some leave
//! everything as it is, some put it back when the host presses the key. Between them nothing moves, and the pictures of the
//! table at rest are given again with their own grain; each goes through the whole pipeline. Time is the camera's.

use super::super::sim_scene::scene_placed;
use super::super::window::{samples_setup, window};
use super::super::{Failure, say};
use super::speed::memory_mb;
use crate::app::command::{Command, DemoCommand, Mode, ModeCommand};
use crate::app::logic::Opener;
use crate::app::offscreen::Offscreen;
use crate::app::state::{DemoStage, IDLE_AFTER};
use crate::app::theme;
use crate::app::window::Window;
use crate::app::worker::Pace;
use crate::geometry::Pose;
use crate::judge::samples;
use crate::session::{Seed, Throws};
use crate::vision::sim::{ActedCamera, ActedStep, Clutter, Placement, SceneError, SimSettings, View};
use anyhow::anyhow;
use clap::Args;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Hours of demo mode on simulated tables: memory, and whether each state is reached again.
#[derive(Debug, Clone, Args)]
pub struct DemoStudyArgs {
    /// How many hours of the camera's time.
    #[arg(long, default_value_t = 8.0)]
    pub hours: f64,
    /// How long nobody comes between two visitors, minutes of the camera's time.
    #[arg(long, default_value_t = 18.0)]
    pub still: f64,
}

/// Pictures in a second of the real table.
const FPS: f64 = 1.0;
/// The window is painted at each so manyth picture.
const PAINTED: u64 = 20;
/// One picture of the loop is waited for at each so manyth picture of a table that nobody touches.
const LOOPED: u64 = 5;
/// A visitor's moves, seconds apart.
const APART_S: f64 = 12.0;
/// Nothing takes so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// What came of it.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct DemoFigures {
    /// Hours of the camera's time.
    pub hours: f64,
    /// Pictures of the real table that were read.
    pub pictures: u64,
    /// Visitors who came, and how many of them the table woke for.
    pub visitors: (u64, u64),
    /// How often bases were to be put back, and how often the mode slept again when they were.
    pub put_back: (u64, u64),
    /// How often it went to sleep by itself after a visitor who left everything as it was, of how often it should.
    pub slept: (u64, u64),
    /// Pictures of the loop, each a fifth of a second of it, and how often it was played to its end.
    pub show: (u64, u64),
    /// Memory after the first quarter of an hour, and every half hour from then on, megabytes; none where the system does
    /// not tell it.
    pub memory_mb: Vec<f64>,
    /// Whether idle, awake and put back were each reached again after all that, in this order.
    pub reached: [bool; 3],
}

/// A visitor's time: who stands where after each of the moves.
fn visit() -> [Vec<Placement>; 3] {
    let place = |hastati: (f64, f64), libyans: (f64, f64)| {
        let places = [
            ("Consul", Pose::new(110.0, 160.0, 90.0)),
            ("Hastati 1", Pose::new(hastati.0, hastati.1, 90.0)),
            ("Hastati 2", Pose::new(330.0, 240.0, 90.0)),
            ("Phalanx 1", Pose::new(200.0, 380.0, 270.0)),
            ("Libyans", Pose::new(libyans.0, libyans.1, 270.0)),
            ("Strategos", Pose::new(480.0, 470.0, 270.0)),
        ];
        places.map(|(name, pose)| Placement { name: name.to_owned(), pose, ground_mm: 0.0 }).into()
    };
    [
        place((200.0, 200.0), (330.0, 400.0)),
        place((200.0, 270.0), (330.0, 400.0)),
        place((200.0, 270.0), (330.0, 330.0)),
    ]
}

/// The table's round: a visitor who leaves all as it is, one who comes next and puts it back.
struct Plan {
    steps: Vec<ActedStep>,
    /// The steps with which a visitor begins.
    comes: [usize; 2],
    /// The one before which the host presses the key, and with which all is put back.
    back: usize,
}

fn plan(still_s: f64) -> Plan {
    let [start, moved, both] = visit();
    let step = |placements: &Vec<Placement>, rest_s: f64| ActedStep {
        placements: placements.clone(),
        side: 0,
        rest_s,
    };
    let gone_s = IDLE_AFTER.as_secs_f64() + still_s;
    Plan {
        steps: vec![
            step(&start, still_s),
            step(&moved, gone_s),
            step(&both, 2.0 * APART_S),
            step(&start, still_s),
        ],
        comes: [1, 2],
        back: 3,
    }
}

fn camera(plan: &Plan) -> Result<ActedCamera, SceneError> {
    let settings = SimSettings { fps: FPS, clutter: Clutter::None, ..SimSettings::default() };
    let scene = scene_placed(&samples::table(), &samples::roster(), plan.steps[0].placements.clone())?;
    ActedCamera::new(&scene, &settings, View { lean_deg: 10.0, ..View::default() }, 3, &plan.steps)
}

/// Runs the study.
///
/// # Errors
/// In words: the table cannot be drawn, or no picture comes.
pub fn demo_study(args: &DemoStudyArgs, mut tell: impl FnMut(&DemoFigures)) -> Result<DemoFigures, String> {
    let plan = plan((args.still * 60.0).max(30.0));
    let told = camera(&plan).map_err(|error| error.to_string())?;
    let (begins, length) = (told.begins(), told.length());
    drop(told);
    let steps = plan.steps.clone();
    let (comes, back) = (plan.comes, plan.back);
    let open: Opener = Arc::new(move |_| {
        let plan = Plan { steps: steps.clone(), comes, back };
        Ok(Box::new(camera(&plan).map_err(|error| error.to_string())?))
    });
    let throws = Throws::from_seed(Seed::from(7));
    let mut run = Run {
        window: window(samples_setup(open), throws, Pace::EveryFrame),
        screen: Offscreen::new(1280.0, 720.0, 1.0),
        begun: Instant::now(),
        at: Duration::ZERO,
        figures: DemoFigures::default(),
        last: None,
        pressed: false,
    };
    theme::install(run.screen.context());
    run.window.logic_mut().carry_out(Command::Mode(ModeCommand::Be(Mode::Demo)));
    run.window.logic_mut().open("sim");
    let until = Duration::from_secs_f64(args.hours.max(0.0) * 3600.0);
    let mut sampled = Duration::from_secs(900);
    // Whole rounds only: whoever has come has gone.
    while run.at < until || run.last.is_none_or(|(_, step)| step != 0) {
        run.picture()?;
        run.see_the_loop()?;
        run.watch(&begins, length, comes, back);
        if run.at >= sampled {
            sampled += Duration::from_secs(1800);
            run.figures.memory_mb.extend(memory_mb());
            run.count();
            tell(&run.figures);
        }
    }
    run.count();
    run.reach()?;
    Ok(run.figures)
}

struct Run {
    window: Window,
    screen: Offscreen,
    begun: Instant,
    at: Duration,
    figures: DemoFigures,
    last: Option<(u64, usize)>,
    pressed: bool,
}

impl Run {
    fn stage(&self) -> DemoStage {
        self.window.state().demo().map_or(DemoStage::Idle, |demo| demo.stage())
    }

    fn now(&self) -> Instant {
        self.begun + self.at
    }

    /// The next picture is read, and all that it leads to is worked out.
    fn picture(&mut self) -> Result<(), String> {
        let before = self.window.state().reads();
        while self.window.state().reads() == before {
            let now = self.now() + Duration::from_secs_f64(1.0 / FPS);
            if !self.window.logic_mut().wait(PATIENCE, now) {
                return Err("no picture came".to_owned());
            }
        }
        if let Some(sight) = self.window.state().latest() {
            self.at = sight.frame.captured_at.0;
        }
        self.window.logic_mut().settle(PATIENCE);
        self.figures.pictures += 1;
        if self.figures.pictures.is_multiple_of(PAINTED) {
            let window = &mut self.window;
            self.screen.pass(Duration::from_secs(1), |ui| window.show(ui));
        }
        Ok(())
    }

    /// Of every few pictures of a table that nobody touches, one of the loop is waited for.
    fn see_the_loop(&mut self) -> Result<(), String> {
        if self.stage() != DemoStage::Idle || !self.figures.pictures.is_multiple_of(LOOPED) {
            return Ok(());
        }
        // Nothing of the table is taken meanwhile: each of its pictures is looked at. A loop that is still being made, or
        // was stopped by a visitor, gives none.
        self.window.logic_mut().wait_for_show(PATIENCE);
        if let Some(why) = self.window.state().demo().and_then(|demo| demo.no_show()) {
            return Err(format!("there is no loop: {why}"));
        }
        self.window.logic_mut().settle(PATIENCE);
        Ok(())
    }

    /// Presses the key before bases are put back, and looks whether the mode is where it should be at the end of a step.
    fn watch(&mut self, begins: &[Duration], length: Duration, comes: [usize; 2], back: usize) {
        let round = (self.at.as_secs_f64() / length.as_secs_f64()).floor();
        let in_round = self.at.as_secs_f64() - round * length.as_secs_f64();
        let step = begins.partition_point(|b| b.as_secs_f64() <= in_round).saturating_sub(1);
        let ends = begins.get(step + 1).map_or(length, |next| *next).as_secs_f64();
        let here = (round as u64, step);
        if self.last != Some(here) {
            (self.last, self.pressed) = (Some(here), false);
        }
        // The last pictures of a step: everything that it leads to has come.
        if self.pressed || in_round < ends - 3.0 / FPS {
            return;
        }
        self.pressed = true;
        let stage = self.stage();
        if step == comes[0] {
            self.figures.slept.1 += 1;
            self.figures.slept.0 += u64::from(stage == DemoStage::Idle);
        }
        if comes.contains(&step) {
            self.figures.visitors.0 += 1;
        }
        if step + 1 == back {
            self.figures.put_back.0 += 1;
            self.window.logic_mut().carry_out(Command::Demo(DemoCommand::PutBack));
        }
        if step == back {
            self.figures.put_back.1 += u64::from(stage == DemoStage::Idle);
        }
    }

    fn count(&mut self) {
        self.figures.hours = self.at.as_secs_f64() / 3600.0;
        if let Some(demo) = self.window.state().demo() {
            let now = demo.showing();
            self.figures.show = (demo.looks(), demo.counts().0 + now.map_or(0, |s| s.rounds()));
            self.figures.visitors.1 = demo.counts().1;
        }
    }

    /// Each state once more: idle, awake by a move, put back by the key.
    fn reach(&mut self) -> Result<(), String> {
        let most = (4.0 * 3600.0 * FPS) as u64;
        for (n, wanted) in [DemoStage::Idle, DemoStage::Awake, DemoStage::PutBack].into_iter().enumerate() {
            if wanted == DemoStage::PutBack {
                self.window.logic_mut().carry_out(Command::Demo(DemoCommand::PutBack));
            }
            for _ in 0..most {
                if self.stage() == wanted {
                    break;
                }
                self.picture()?;
            }
            self.figures.reached[n] = self.stage() == wanted;
        }
        Ok(())
    }
}

/// Runs the command.
///
/// # Errors
/// No hours; a table that cannot be drawn.
pub fn run(args: &DemoStudyArgs) -> Result<(), Failure> {
    if !(args.hours > 0.0 && args.hours <= 1000.0 && args.still > 0.0 && args.still <= 600.0) {
        return Err(Failure::Use(
            "--hours and --still: more than nothing, 1000 hours and 600 minutes at most".to_owned(),
        ));
    }
    let begun = Instant::now();
    let figures = demo_study(args, |so_far| {
        let memory = so_far.memory_mb.last().map_or("unknown".to_owned(), |mb| format!("{mb:.0} MB"));
        say(format!("{:5.2} h  memory {memory}, loop {} times", so_far.hours, so_far.show.1));
    });
    let f = figures.map_err(|why| Failure::Job(anyhow!(why)))?;
    say(format!("hours of demo mode        {:.2}, in {:.0} s", f.hours, begun.elapsed().as_secs_f64()));
    say(format!("pictures of the table     {}", f.pictures));
    say(format!("visitors that woke it     {} of {}", f.visitors.1, f.visitors.0));
    say(format!("slept by itself           {} of {}", f.slept.0, f.slept.1));
    say(format!("slept when all were back  {} of {}", f.put_back.1, f.put_back.0));
    say(format!("loop                      {} pictures, {} rounds", f.show.0, f.show.1));
    let memory: Vec<String> = f.memory_mb.iter().map(|mb| format!("{mb:.0}")).collect();
    say(format!("memory, MB                {}", memory.join(" ")));
    say(format!("idle, awake, put back reached again: {:?}", f.reached));
    Ok(())
}
