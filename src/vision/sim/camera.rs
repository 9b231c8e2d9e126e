//! The simulated camera: a source of frames with a truth beside it.

use super::build::{Builder, Standing};
use super::hand;
use super::motion::Script;
use super::render::Renderer;
use super::sensor::Sensor;
use super::terrain::TrueTerrain;
use super::truth::{self, Truth};
use super::world::World;
use super::{Moment, Motion, Scene, SceneError, SimSettings};
use crate::tracking::{CameraId, CapturedAt};
use crate::vision::{CameraModel, CameraPose, Frame, FrameSource, Lens, SourceError};
use nalgebra::Point3;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// Least and most picture sides, pixels.
const SIDES: std::ops::RangeInclusive<u32> = 16..=8192;

/// A camera over a simulated table. Frame n is the same whatever was asked for before it, of what is shown.
pub struct SimulatedCamera {
    builder: Builder,
    script: Script,
    settings: SimSettings,
    seed: u64,
    camera: CameraModel,
    renderer: Renderer,
    sensor: Sensor,
    next: u64,
    /// What somebody directs; none where the script does.
    directed: Option<Moment>,
}

impl SimulatedCamera {
    /// A camera that sees the whole table and its reference tags, from a place that `seed` varies.
    pub fn new(scene: Scene, settings: SimSettings, seed: u64) -> Result<Self, SceneError> {
        check(&settings)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6361_6d65_7261);
        let lens = off_centre(&settings, &mut rng);
        let view = View {
            lean_deg: 6.0 + 10.0 * rng.random::<f64>(),
            aside_deg: 8.0 * (rng.random::<f64>() - 0.5),
            roll_deg: 3.0 * (rng.random::<f64>() - 0.5),
        };
        let camera = overlooking(&scene, lens, view)?;
        Self::with_camera(scene, settings, camera, seed)
    }

    /// A camera that sees the whole table and its reference tags the way `view` says, from as near as it can.
    pub fn looking(scene: Scene, settings: SimSettings, view: View, seed: u64) -> Result<Self, SceneError> {
        check(&settings)?;
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6361_6d65_7261);
        let lens = off_centre(&settings, &mut rng);
        let camera = overlooking(&scene, lens, view)?;
        Self::with_camera(scene, settings, camera, seed)
    }

    /// A camera of a given lens and pose; `settings` gives all but its size, field of view and
    /// distortion, which are the lens's.
    pub fn with_camera(
        scene: Scene,
        settings: SimSettings,
        camera: CameraModel,
        seed: u64,
    ) -> Result<Self, SceneError> {
        let lens = camera.lens;
        let settings = SimSettings {
            width: lens.width,
            height: lens.height,
            field_of_view_deg: lens.field_of_view_deg(),
            distortion: lens.distortion,
            ..settings
        };
        check(&settings)?;
        let builder = Builder::new(scene, settings.clutter, seed)?;
        let script = match settings.motion {
            Motion::Still => Script::still(builder.scene()),
            Motion::Hands => Script::hands(builder.scene(), builder.obstacles(), seed),
        };
        Ok(Self {
            builder,
            script,
            renderer: Renderer::new(camera),
            sensor: Sensor::new(&settings, seed),
            settings,
            seed,
            camera,
            next: 0,
            directed: None,
        })
    }

    /// Its lens and pose.
    pub fn camera(&self) -> &CameraModel {
        &self.camera
    }

    /// What it looks at.
    pub fn scene(&self) -> &Scene {
        self.builder.scene()
    }

    /// Frames in a second of its own clock; whoever shows them keeps the pace.
    pub fn fps(&self) -> f64 {
        self.settings.fps
    }

    /// Shows this from the next frame on, until something else is shown; no script moves anything any more.
    pub fn show(&mut self, moment: Moment) {
        self.directed = Some(moment);
    }

    /// Makes `seq` the next frame.
    pub fn skip_to(&mut self, seq: u64) {
        self.next = seq;
    }

    /// What is true of frame `seq`, for scoring only: nothing that reads the table may ask this.
    pub fn truth(&self, seq: u64) -> Truth {
        let (standing, world) = self.moment(seq);
        truth::of(&self.builder, &standing, &world, self.camera, seq)
    }

    /// The terrain that is drawn, from below upwards; for scoring, and for table files that are to know it.
    pub fn terrain(&self) -> &[TrueTerrain] {
        self.builder.terrain()
    }

    /// Linear light of frame `seq` before lens blur and sensor.
    #[cfg(test)]
    pub(super) fn light_of(&self, seq: u64) -> Vec<[f32; 3]> {
        let mut renderer = Renderer::new(self.camera);
        renderer.draw(&self.moment(seq).1);
        renderer.light().to_vec()
    }

    fn moment(&self, seq: u64) -> (BTreeMap<usize, Standing>, World) {
        if let Some(moment) = &self.directed {
            let standing = moment.standing(self.builder.scene());
            let world = self.builder.world(&standing, &moment.solids());
            return (standing, world);
        }
        let (standing, reach) = self.script.at(seq as f64 / self.settings.fps);
        let hand = reach.map(|reach| hand::shapes(&reach)).unwrap_or_default();
        let world = self.builder.world(&standing, &hand);
        (standing, world)
    }
}

impl FrameSource for SimulatedCamera {
    fn description(&self) -> String {
        format!("simulated table, seed {}", self.seed)
    }

    fn live(&self) -> bool {
        true
    }

    fn lens(&self) -> Option<Lens> {
        Some(self.camera.lens)
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let seq = self.next;
        self.next += 1;
        let (_, world) = self.moment(seq);
        let changed = self.renderer.draw(&world);
        let (across, down) = self.renderer.tiles();
        self.sensor.expose(self.renderer.light(), &changed, across, down);
        let colour = self.sensor.read(seq)?;
        Ok(Some(Frame {
            seq,
            captured_at: CapturedAt(Duration::from_secs_f64(seq as f64 / self.settings.fps)),
            camera: CameraId::default(),
            grey: Arc::new(colour.to_grey()),
            colour: Some(Arc::new(colour)),
            label: self.description(),
        }))
    }
}

pub(super) fn check(settings: &SimSettings) -> Result<(), SceneError> {
    let refuse = |why: &str| Err(SceneError::Camera { why: why.to_owned() });
    if !SIDES.contains(&settings.width) || !SIDES.contains(&settings.height) {
        return refuse("each side of the picture must have 16 to 8192 pixels");
    }
    if !(settings.field_of_view_deg >= 10.0 && settings.field_of_view_deg <= 120.0) {
        return refuse("the field of view must be 10 to 120 degrees");
    }
    if !(settings.fps.is_finite() && settings.fps > 0.0) {
        return refuse("the frames in a second must be more than none");
    }
    Ok(())
}

/// Which way a camera looks at the table's middle. Degrees.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct View {
    /// From straight above towards the near edge's side.
    pub lean_deg: f64,
    /// From straight above towards the right.
    pub aside_deg: f64,
    /// Turn of the camera about its own axis.
    pub roll_deg: f64,
}

/// The lens of `settings`, its axis a little off the picture's middle, as lenses' are.
fn off_centre(settings: &SimSettings, rng: &mut ChaCha8Rng) -> Lens {
    let mut lens = Lens::from_field_of_view(settings.width, settings.height, settings.field_of_view_deg);
    lens.distortion = settings.distortion;
    lens.cx += (rng.random::<f64>() - 0.5) * 0.006 * f64::from(settings.width);
    lens.cy += (rng.random::<f64>() - 0.5) * 0.006 * f64::from(settings.width);
    lens
}

/// A camera on the near edge's side of the table, as near as still sees everything.
fn overlooking(scene: &Scene, lens: Lens, view: View) -> Result<CameraModel, SceneError> {
    let View { lean_deg, aside_deg, roll_deg } = view;
    let (w, d) = (scene.width_mm(), scene.depth_mm());
    let mut corners = vec![
        Point3::new(0.0, 0.0, 0.0),
        Point3::new(w, 0.0, 0.0),
        Point3::new(0.0, d, 0.0),
        Point3::new(w, d, 0.0),
    ];
    for r in scene.reference() {
        let half = r.size_mm * 0.72;
        for (x, y) in [(-half, -half), (half, -half), (half, half), (-half, half)] {
            corners.push(Point3::new(r.x_mm + x, r.y_mm + y, r.z_mm));
        }
    }
    let margin_px = 0.012 * f64::from(lens.width);
    let at = |away_mm: f64, slide_mm: f64| {
        let target = Point3::new(w / 2.0, d / 2.0 + slide_mm, 0.0);
        let eye = target
            + nalgebra::Vector3::new(
                away_mm * aside_deg.to_radians().sin(),
                -away_mm * lean_deg.to_radians().sin(),
                away_mm * lean_deg.to_radians().cos() * aside_deg.to_radians().cos(),
            );
        CameraPose::looking_at(eye, target, roll_deg).map(|pose| CameraModel { lens, pose })
    };
    // The overhang of the worst corner beyond the picture, pixels.
    let overhang = |camera: &CameraModel| {
        corners
            .iter()
            .map(|p| {
                camera.image_from_table(*p).map_or(f64::INFINITY, |q| {
                    let x = (margin_px - q.x).max(q.x - f64::from(lens.width) + margin_px);
                    let y = (margin_px - q.y).max(q.y - f64::from(lens.height) + margin_px);
                    x.max(y)
                })
            })
            .fold(f64::NEG_INFINITY, f64::max)
    };
    let mut best: Option<(f64, CameraModel)> = None;
    for step in 0..21 {
        let slide_mm = d * 0.01 * (f64::from(step) - 10.0);
        let (mut near, mut far) = (0.2 * w.max(d), 12.0 * w.max(d));
        if at(far, slide_mm).is_none_or(|c| overhang(&c) > 0.0) {
            continue;
        }
        for _ in 0..40 {
            let middle = (near + far) / 2.0;
            let sees = at(middle, slide_mm).is_some_and(|c| overhang(&c) <= 0.0);
            if sees { far = middle } else { near = middle }
        }
        if let Some(camera) = at(far, slide_mm)
            && best.is_none_or(|(away, _)| far < away)
        {
            best = Some((far, camera));
        }
    }
    best.map(|(_, camera)| camera).ok_or_else(|| SceneError::Camera {
        why: "no place of the camera shows the whole table: choose a wider field of view or a larger picture"
            .to_owned(),
    })
}
