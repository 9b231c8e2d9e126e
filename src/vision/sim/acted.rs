//! A simulated table on which hands do what they are told: one step after the other, each with bases that are drawn along
//! or taken off, and a rest after it; from the last step it goes back to the first.
//!
//! Table frame, millimetres; seconds of the camera's own clock. While nothing moves the last pictures are given again, with
//! other times: a long rest costs nothing to draw. Invariant: a frame's time tells which step it belongs to
//! ([`ActedCamera::begins`]).

use super::build::{Builder, Standing};
use super::camera::check;
use super::hand::{self, Reach};
use super::math::smooth;
use super::render::Renderer;
use super::sensor::Sensor;
use super::{Motion, Placement, Scene, SceneError, SimSettings, SimulatedCamera, View};
use crate::geometry::Vector;
use crate::tracking::CapturedAt;
use crate::vision::{CameraModel, Frame, FrameSource, Lens, SourceError};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// A hand comes in, draws bases along, and leaves: seconds each.
const COMES_S: f64 = 0.9;
const DRAWS_S: f64 = 1.4;
const LEAVES_S: f64 = 0.8;
/// Different pictures of a table at rest, shown in turn.
const DRAWN: usize = 3;
/// A base that stands no further off than this has not been moved, millimetres.
const SAME_MM: f64 = 0.01;

/// One step.
#[derive(Debug, Clone, PartialEq)]
pub struct ActedStep {
    /// Where everybody stands at its end; who is not named is off the table.
    pub placements: Vec<Placement>,
    /// From which side the hand comes: 0 from the near edge, else from the far one.
    pub side: usize,
    /// How long nothing happens after it, seconds.
    pub rest_s: f64,
}

/// A camera over such a table.
pub struct ActedCamera {
    builder: Builder,
    renderer: Renderer,
    sensor: Sensor,
    camera: CameraModel,
    fps: f64,
    /// For each step: where everybody stands at its end, from which side, when it begins and when its rest does.
    steps: Vec<Act>,
    length_s: f64,
    next: u64,
    /// The step whose table at rest was drawn last, with its pictures.
    drawn: (usize, Vec<Frame>),
}

struct Act {
    standing: BTreeMap<usize, Standing>,
    side: usize,
    begins_s: f64,
    rests_s: f64,
}

impl ActedCamera {
    /// Over the table of `scene`, whose own placements do not count. The first step is not moved to: it is there.
    ///
    /// # Errors
    /// A placement that names no base, no steps, or a camera that cannot see the table.
    pub fn new(
        scene: &Scene,
        settings: &SimSettings,
        view: View,
        seed: u64,
        steps: &[ActedStep],
    ) -> Result<Self, SceneError> {
        check(settings)?;
        let settings = SimSettings { motion: Motion::Still, ..settings.clone() };
        let camera = *SimulatedCamera::looking(scene.clone(), settings.clone(), view, seed)?.camera();
        let builder = Builder::new(scene.clone(), settings.clutter, seed)?;
        let mut acts: Vec<Act> = Vec::new();
        let mut now_s = 0.0;
        for step in steps {
            let standing = standing(scene, &step.placements)?;
            let moves = acts.last().is_some_and(|last| !moved(&last.standing, &standing).is_empty());
            let rests_s = now_s + if moves { COMES_S + DRAWS_S + LEAVES_S } else { 0.0 };
            acts.push(Act { standing, side: step.side, begins_s: now_s, rests_s });
            now_s = rests_s + step.rest_s.max(0.0);
        }
        if !(now_s > 0.0 && now_s.is_finite()) {
            let why = "nothing is done on it: give it steps that take some time".to_owned();
            return Err(SceneError::Camera { why });
        }
        Ok(Self {
            builder,
            renderer: Renderer::new(camera),
            sensor: Sensor::new(&settings, seed),
            camera,
            fps: settings.fps,
            steps: acts,
            length_s: now_s,
            next: 0,
            drawn: (usize::MAX, Vec::new()),
        })
    }

    /// When each step begins, in the first round.
    pub fn begins(&self) -> Vec<Duration> {
        self.steps.iter().map(|act| Duration::from_secs_f64(act.begins_s)).collect()
    }

    /// How long one round takes.
    pub fn length(&self) -> Duration {
        Duration::from_secs_f64(self.length_s)
    }

    /// Its lens and pose.
    pub fn camera(&self) -> &CameraModel {
        &self.camera
    }

    fn draw(
        &mut self,
        standing: &BTreeMap<usize, Standing>,
        reach: Option<Reach>,
    ) -> Result<Frame, SourceError> {
        let hand = reach.map(|reach| hand::shapes(&reach)).unwrap_or_default();
        let world = self.builder.world(standing, &hand);
        let changed = self.renderer.draw(&world);
        let (across, down) = self.renderer.tiles();
        self.sensor.expose(self.renderer.light(), &changed, across, down);
        let colour = self.sensor.read(self.next)?;
        Ok(Frame {
            seq: self.next,
            captured_at: CapturedAt::default(),
            camera: crate::tracking::CameraId::default(),
            grey: Arc::new(colour.to_grey()),
            colour: Some(Arc::new(colour)),
            label: self.description(),
        })
    }

    /// The table at rest after a step.
    fn at_rest(&mut self, step: usize) -> Result<Frame, SourceError> {
        if self.drawn.0 != step {
            self.drawn = (step, Vec::new());
        }
        if self.drawn.1.len() < DRAWN {
            let standing = self.steps[step].standing.clone();
            let frame = self.draw(&standing, None)?;
            self.drawn.1.push(frame.clone());
            return Ok(frame);
        }
        Ok(self.drawn.1[self.next as usize % DRAWN].clone())
    }

    /// The table while a hand moves what the step moves, `since_s` after its beginning.
    fn in_hand(&mut self, step: usize, since_s: f64) -> Result<Frame, SourceError> {
        let (before, after) = (&self.steps[step - 1].standing, &self.steps[step].standing);
        let drawn = ((since_s - COMES_S) / DRAWS_S).clamp(0.0, 1.0);
        let share = f64::from(smooth(0.0, 1.0, drawn as f32));
        let mut now = before.clone();
        let members = moved(before, after);
        let mut sum = Vector::zeros();
        for index in &members {
            let at = match (before.get(index), after.get(index)) {
                (Some(from), Some(to)) => between(from, to, share),
                (None, Some(to)) => *to,
                (Some(from), None) => *from,
                (None, None) => continue,
            };
            sum += at.pose.centre.coords;
            let gone = !after.contains_key(index) && drawn >= 1.0;
            let awaited = !before.contains_key(index) && drawn < 1.0;
            if gone || awaited {
                now.remove(index);
            } else {
                now.insert(*index, at);
            }
        }
        let grip = sum / members.len().max(1) as f64;
        let near = if since_s < COMES_S + DRAWS_S {
            since_s / COMES_S
        } else {
            1.0 - (since_s - COMES_S - DRAWS_S) / LEAVES_S
        };
        let away = if self.steps[step].side == 0 { -1.0 } else { 1.0 };
        let player = Vector::new(0.18, away).normalize();
        let reach = Reach {
            grip: [grip.x as f32, grip.y as f32],
            player: [player.x as f32, player.y as f32],
            share: near.clamp(0.0, 1.0) as f32,
        };
        self.draw(&now, Some(reach))
    }
}

/// Where a base is on its way: straight, turning as it goes the shorter way round.
fn between(from: &Standing, to: &Standing, share: f64) -> Standing {
    let turn = (to.pose.heading.degrees() - from.pose.heading.degrees() + 540.0).rem_euclid(360.0) - 180.0;
    let mut at = *from;
    at.pose.centre += (to.pose.centre - from.pose.centre) * share;
    at.pose.heading =
        if share < 1.0 { from.pose.heading.turned_degrees(turn * share) } else { to.pose.heading };
    at.ground_mm += (to.ground_mm - from.ground_mm) * share;
    at
}

/// Who stands elsewhere, came or went.
fn moved(before: &BTreeMap<usize, Standing>, after: &BTreeMap<usize, Standing>) -> Vec<usize> {
    let same = |a: &Standing, b: &Standing| {
        (a.pose.centre - b.pose.centre).norm() <= SAME_MM
            && (a.pose.heading.vector() - b.pose.heading.vector()).norm() <= 1e-6
    };
    let all: std::collections::BTreeSet<usize> = before.keys().chain(after.keys()).copied().collect();
    let moves = |n: &usize| match (before.get(n), after.get(n)) {
        (Some(a), Some(b)) => !same(a, b),
        _ => true,
    };
    all.into_iter().filter(moves).collect()
}

fn standing(scene: &Scene, placements: &[Placement]) -> Result<BTreeMap<usize, Standing>, SceneError> {
    let one = |p: &Placement| {
        let index = scene.bases().iter().position(|b| b.name == p.name);
        let index = index.ok_or_else(|| SceneError::Unknown { name: p.name.clone() })?;
        Ok((index, Standing { pose: p.pose, ground_mm: p.ground_mm, slope: Vector::zeros() }))
    };
    placements.iter().map(one).collect()
}

impl FrameSource for ActedCamera {
    fn description(&self) -> String {
        "simulated table, played by a script".to_owned()
    }

    fn live(&self) -> bool {
        true
    }

    fn lens(&self) -> Option<Lens> {
        Some(self.camera.lens)
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let at_s = self.next as f64 / self.fps;
        let in_round = at_s % self.length_s;
        let step = self.steps.partition_point(|act| act.begins_s <= in_round).saturating_sub(1);
        let frame = if in_round >= self.steps[step].rests_s {
            self.at_rest(step)?
        } else {
            self.in_hand(step, in_round - self.steps[step].begins_s)?
        };
        let frame = Frame { seq: self.next, captured_at: CapturedAt(Duration::from_secs_f64(at_s)), ..frame };
        self.next += 1;
        Ok(Some(frame))
    }
}
