//! A table to which something happens while the window looks on: a source that shows one scene until it is told to
//! show the next.

use super::{click, has, table};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable;
use groma::app::outside::{NamedFiles, Opener, Setup};
use groma::app::window::Window;
use groma::cli::sim_scene::scene_placed;
use groma::cli::study::upsets::reference;
use groma::geometry::Vector;
use groma::judge::samples;
use groma::tracking::CapturedAt;
use groma::vision::sim::{Clutter, Motion, Placement, Scene, SimSettings, SimulatedCamera, Upset};
use groma::vision::{CameraModel, CameraPose, Frame, FrameSource, Lens, SourceError};
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

const FPS: f64 = 10.0;
/// Different pictures of each scene, shown in turn.
const DRAWN: usize = 3;

fn settings() -> SimSettings {
    SimSettings { motion: Motion::Still, clutter: Clutter::None, fps: FPS, ..SimSettings::default() }
}

/// Which scene is shown.
#[derive(Clone, Default)]
pub struct Stage(Arc<AtomicUsize>);

impl Stage {
    /// Another scene from the next frame on.
    pub fn set(&self, scene: usize) {
        self.0.store(scene, Ordering::SeqCst);
    }
}

struct Staged {
    scenes: Vec<Vec<Frame>>,
    stage: Stage,
    lens: Option<Lens>,
    seq: u64,
}

impl FrameSource for Staged {
    fn description(&self) -> String {
        "a staged table".to_owned()
    }
    fn live(&self) -> bool {
        true
    }
    fn lens(&self) -> Option<Lens> {
        self.lens
    }
    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let scene = &self.scenes[self.stage.0.load(Ordering::SeqCst)];
        let frame = &scene[self.seq as usize % scene.len()];
        let captured_at = CapturedAt(Duration::from_secs_f64(self.seq as f64 / FPS));
        let frame = Frame { seq: self.seq, captured_at, ..frame.clone() };
        self.seq += 1;
        Ok(Some(frame))
    }
}

/// The scenes, each with how its camera is knocked.
pub type Scenes = Vec<(Scene, Isometry3<f64>)>;

/// The sample table with these bases on it.
pub fn scene(placements: &[Placement]) -> Scene {
    scene_placed(&samples::table(), &samples::roster(), placements.to_vec()).expect("a scene")
}

/// A window on the first of the scenes, with the stage that shows another. One frame is read at a time: see [`until`].
pub fn window(scenes: Scenes) -> (Harness<'static, Window>, Stage) {
    window_drawn(move || drawn(&scenes))
}

/// Pictures of each scene, and the lens they were taken with.
pub type Drawn = (Vec<Vec<Frame>>, Option<Lens>);

/// Draws the scenes.
pub fn drawn(scenes: &Scenes) -> Drawn {
    let model = *SimulatedCamera::new(scenes[0].0.clone(), settings(), 1).expect("a camera").camera();
    let mut lens = None;
    let drawn = scenes.iter().map(|(scene, knock)| {
        let pose = CameraPose { camera_from_table: knock * model.pose.camera_from_table };
        let mut camera =
            SimulatedCamera::with_camera(scene.clone(), settings(), CameraModel { pose, ..model }, 1)
                .expect("a camera");
        lens = camera.lens();
        (0..DRAWN).map(|_| camera.next_frame().expect("no fault").expect("a frame")).collect()
    });
    let drawn = drawn.collect();
    (drawn, lens)
}

/// The same over pictures that somebody else draws.
pub fn window_drawn(draw: impl Fn() -> Drawn + Send + Sync + 'static) -> (Harness<'static, Window>, Stage) {
    let stage = Stage::default();
    let shown = stage.clone();
    let open: Opener = Arc::new(move |_| {
        let (scenes, lens) = draw();
        Ok(Box::new(Staged { scenes, stage: shown.clone(), lens, seq: 0 }) as Box<dyn FrameSource>)
    });
    let setup = Setup { ..table::loaded(&NamedFiles::default(), open) };
    let window = table::over(egui::Theme::Dark, setup, table::outside());
    let harness = Harness::builder()
        .with_size([1280.0, 720.0])
        .with_context_setup(groma::app::theme::install)
        .with_accessibility_check(true)
        .build_ui_state(
            |ui, window: &mut Window| {
                assert!(
                    window.logic_mut().settle(super::LONG),
                    "something is worked out for more than a minute"
                );
                window.show(ui);
            },
            window,
        );
    (harness, stage)
}

/// Reads one frame after the other until `holds`, `most` at most.
pub fn until(harness: &mut Harness<'_, Window>, most: usize, holds: impl Fn(&Harness<'_, Window>) -> bool) {
    for _ in 0..most {
        if holds(harness) {
            return;
        }
        let now = std::time::Instant::now();
        assert!(
            harness.state_mut().logic_mut().wait(Duration::from_secs(60), now),
            "no frame within a minute"
        );
        harness.run_steps(2);
    }
    assert!(holds(harness), "not within {most} frames");
}

const HELD: &str = "Rulings are held: the camera was knocked";

#[test]
fn a_knock_is_told_and_holds_rulings_until_the_camera_is_placed_again() {
    let scene = scene(&table::placements());
    let turn = Vector3::new(0.4, -0.4, 0.4).map(f64::to_radians);
    let knock = Isometry3::new(Vector3::new(5.0, -3.0, 2.0), turn);
    let (mut harness, stage) = window(vec![(scene.clone(), Isometry3::identity()), (scene, knock)]);
    click(&mut harness, "Pick Hastati 1");
    click(&mut harness, "Pick Phalanx 1");
    let zone = "Is Hastati 1 in the threat zone of Phalanx 1? ";
    until(&mut harness, 30, |h| h.query_by_label(&format!("{zone}Yes")).is_some());
    assert!(!has(&harness, "Rulings are held"));
    stage.set(1);
    until(&mut harness, 5, |h| has(h, HELD));
    harness.get_by_label(&format!("{zone}Held"));
    until(&mut harness, 30, |h| !has(h, "Rulings are held"));
    harness.get_by_label(&format!("{zone}Yes"));
}

#[test]
fn a_moved_reference_tag_is_told_until_it_is_put_back() {
    let scene = scene(&table::placements());
    let upset = Upset::ReferenceMoved { tag: reference(5), by_mm: Vector::new(2.0, 1.0), turn_deg: 1.0 };
    let still = Isometry3::identity();
    let (mut harness, stage) = window(vec![(scene.clone(), still), (scene.upset(upset), still)]);
    const TOLD: &str = "tag36h11 5 was moved by 2.";
    until(&mut harness, 30, |h| h.state().state().table().elements.iter().any(|e| e.place.is_some()));
    assert!(!has(&harness, "was moved by"));
    stage.set(1);
    until(&mut harness, 30, |h| has(h, TOLD));
    stage.set(0);
    until(&mut harness, 60, |h| !has(h, "was moved by"));
}
