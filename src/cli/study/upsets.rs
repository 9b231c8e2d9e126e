//! `groma study upsets`: what is noticed, held and told when something happens to the table or the camera
//! while it is followed, and how far off places are before and after.
//!
//! Each happening comes between two frames of a simulated camera of ten frames a second. The table file
//! stays as it was. Errors are those of the centres of tags that show whole, against the drawn scene.

use crate::cli::sim_scene::scene_from;
use crate::cli::{Failure, say};
use crate::geometry::Vector;
use crate::judge::{samples, tag_book};
use crate::tracking::{CapturedAt, Held, TableChange, TableSnapshot, Tag, TagFamily, Visibility};
use crate::vision::sim::{Clutter, Motion, SimSettings, SimulatedCamera, Truth, Upset};
use crate::vision::{CameraModel, CameraPose, Frame, FrameSource, Pipeline, PipelineSettings};
use nalgebra::{Isometry3, Vector3};
use std::sync::Arc;
use std::time::Duration;

/// Upsets the table or the camera while it is followed: what is noticed, held and told, and the errors.
#[derive(Debug, clap::Args)]
pub struct UpsetsArgs {
    /// The simulated tables: so many seeds from 1 on.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u64).range(1..))]
    tables: u64,
}

/// Frames a second.
const FPS: f64 = 10.0;
/// Frames before and after; different pictures are drawn of so many, and shown in turn.
const BEFORE: u64 = 30;
const AFTER: u64 = 60;
const DRAWN: u64 = 4;

/// What happens.
#[derive(Debug, Clone, Copy)]
pub enum Happening {
    /// Nothing.
    Nothing,
    /// Something to the table.
    Table(Upset),
    /// The camera is shifted (mm) and turned (degrees), both in its own frame.
    Knock {
        /// Shift.
        by_mm: Vector3<f64>,
        /// Turn about each axis.
        turn_deg: Vector3<f64>,
    },
    /// The light becomes so many times as strong.
    Light(f64),
}

/// What came of it.
#[derive(Debug, Clone)]
pub struct Course {
    /// Root mean square error before, in the first frame after it, and at the end, millimetres.
    pub errors_mm: [f64; 3],
    /// The worst error at the end.
    pub worst_mm: f64,
    /// Tags read before and at the end.
    pub read: [usize; 2],
    /// Frames until anything was held or told, the first being 1.
    pub noticed_after: Option<u64>,
    /// Frames for which rulings were held, and why at first.
    pub held: (u64, Option<Held>),
    /// Whether rulings are held at the end.
    pub held_at_the_end: bool,
    /// What is told at the end.
    pub told: Vec<TableChange>,
    /// Everything that was told, once each.
    pub ever_told: Vec<TableChange>,
}

/// Lets it happen to the sample table of this seed.
///
/// # Errors
/// A table that cannot be drawn.
pub fn course(happening: Happening, seed: u64) -> Result<Course, anyhow::Error> {
    let scene = scene_from(&samples::table(), &samples::roster(), seed)?;
    let settings =
        SimSettings { motion: Motion::Still, clutter: Clutter::None, fps: FPS, ..SimSettings::default() };
    let mut before = SimulatedCamera::new(scene.clone(), settings.clone(), seed)?;
    let model = *before.camera();
    let lens = before.lens();
    let mut after = match happening {
        Happening::Nothing => SimulatedCamera::with_camera(scene, settings, model, seed)?,
        Happening::Table(upset) => SimulatedCamera::with_camera(scene.upset(upset), settings, model, seed)?,
        Happening::Knock { by_mm, turn_deg } => {
            let knock = Isometry3::new(by_mm, turn_deg.map(f64::to_radians));
            let pose = CameraPose { camera_from_table: knock * model.pose.camera_from_table };
            SimulatedCamera::with_camera(scene, settings, CameraModel { pose, ..model }, seed)?
        }
        Happening::Light(factor) => {
            let settings = SimSettings { exposure: settings.exposure * factor, ..settings };
            SimulatedCamera::with_camera(scene, settings, model, seed)?
        }
    };
    let book = tag_book(&samples::table(), &samples::roster());
    let mut pipeline = Pipeline::new(book, lens, PipelineSettings::for_source(&before))?;
    let mut seq = 0;
    let mut read = |frames: &[Frame], count: u64, each: &mut dyn FnMut(u64, Arc<TableSnapshot>)| {
        for (frame, n) in frames.iter().cycle().zip(1..=count) {
            let captured_at = CapturedAt(Duration::from_secs_f64(seq as f64 / FPS));
            let frame = Frame { seq, captured_at, ..frame.clone() };
            seq += 1;
            each(n, pipeline.take(&frame).snapshot);
        }
    };
    let mut settled = None;
    let still = drawn(&mut before)?;
    read(&still, BEFORE, &mut |_, snapshot| settled = Some(snapshot));
    let settled = settled.expect("more than no frame was read");
    let upset = drawn(&mut after)?;
    let truth = after.truth(0);
    let mut course = Course {
        errors_mm: [errors(&settled, &before.truth(0)).0, f64::NAN, f64::NAN],
        worst_mm: f64::NAN,
        read: [settled.seen(), 0],
        noticed_after: None,
        held: (0, None),
        held_at_the_end: false,
        told: Vec::new(),
        ever_told: Vec::new(),
    };
    read(&upset, AFTER, &mut |n, snapshot| course.take(n, &snapshot, &truth));
    Ok(course)
}

impl Course {
    fn take(&mut self, n: u64, snapshot: &TableSnapshot, truth: &Truth) {
        let (rms, worst) = errors(snapshot, truth);
        if n == 1 {
            self.errors_mm[1] = rms;
        }
        (self.errors_mm[2], self.worst_mm, self.read[1]) = (rms, worst, snapshot.seen());
        if let Some(why) = snapshot.held {
            self.held = (self.held.0 + 1, self.held.1.or(Some(why)));
        }
        self.held_at_the_end = snapshot.held.is_some();
        if self.noticed_after.is_none() && (snapshot.held.is_some() || !snapshot.changes.is_empty()) {
            self.noticed_after = Some(n);
        }
        for change in &snapshot.changes {
            match self.ever_told.iter_mut().find(|t| t.kind() == change.kind()) {
                Some(told) => *told = *change,
                None => self.ever_told.push(*change),
            }
        }
        self.told.clone_from(&snapshot.changes);
    }
}

/// Root mean square and worst error of the centres of tags that show whole and are read.
fn errors(snapshot: &TableSnapshot, truth: &Truth) -> (f64, f64) {
    let (mut squares, mut count, mut worst) = (0.0, 0, 0.0f64);
    for tag in truth.bases.iter().flat_map(|b| &b.tags).filter(|t| t.visible > 0.98) {
        let track = snapshot.tracks.get(&tag.tag).filter(|t| t.visibility == Visibility::Seen);
        if let Some(pose) = track.and_then(|t| t.pose.as_ref()) {
            let off = (pose.pose.centre - tag.pose.centre).norm();
            squares += off * off;
            worst = worst.max(off);
            count += 1;
        }
    }
    ((squares / f64::from(count.max(1))).sqrt(), worst)
}

fn drawn(camera: &mut SimulatedCamera) -> Result<Vec<Frame>, anyhow::Error> {
    (0..DRAWN)
        .map(|_| {
            let frame = camera.next_frame()?;
            let frame = frame.ok_or_else(|| anyhow::anyhow!("the simulated camera gave no picture"))?;
            Ok(Frame { colour: None, ..frame })
        })
        .collect()
}

/// A reference tag of the sample table.
pub fn reference(id: u32) -> Tag {
    Tag::new(TagFamily::Tag36h11, id)
}

/// What is tried, with its name.
pub fn happenings() -> Vec<(&'static str, Happening)> {
    let tag = reference(5);
    let table = |upset| Happening::Table(upset);
    vec![
        ("nothing", Happening::Nothing),
        (
            "the camera knocked by 6 mm and 0.7 degrees",
            Happening::Knock { by_mm: Vector3::new(5.0, -3.0, 2.0), turn_deg: Vector3::new(0.4, -0.4, 0.4) },
        ),
        (
            "the camera knocked by 0.5 mm",
            Happening::Knock { by_mm: Vector3::new(0.5, 0.0, 0.0), turn_deg: Vector3::zeros() },
        ),
        ("a reference tag covered", table(Upset::ReferenceGone { tag })),
        (
            "a reference tag moved by 2.2 mm",
            table(Upset::ReferenceMoved { tag, by_mm: Vector::new(2.0, 1.0), turn_deg: 1.0 }),
        ),
        ("the board slid by 3.2 mm", table(Upset::Slid { by_mm: Vector::new(3.0, 1.0), turn_deg: 0.2 })),
        ("the board bowed by 6 mm", table(Upset::Bowed { by_mm: 6.0 })),
        ("a wrinkle of 5 mm under a reference tag", table(Upset::Wrinkled { tag, by_mm: 5.0 })),
        ("light at 55 %", Happening::Light(0.55)),
    ]
}

/// Runs the command.
///
/// # Errors
/// A table that cannot be drawn.
pub fn run(args: &UpsetsArgs) -> Result<(), Failure> {
    for (name, happening) in happenings() {
        say(name);
        for seed in 1..=args.tables {
            let course = course(happening, seed).map_err(Failure::Job)?;
            let [before, first, end] = course.errors_mm;
            let noticed =
                course.noticed_after.map_or("not noticed".to_owned(), |n| format!("noticed on frame {n}"));
            let (held, why) = course.held;
            let why = why.map(|w| format!(" ({w})")).unwrap_or_default();
            say(format!(
                "  table {seed}: {before:.3} mm before, {first:.3} on the next frame, {end:.3} at the end \
                 ({:.2} at worst, {} tags read, {} before); {noticed}, held for {held} frames{why}",
                course.worst_mm, course.read[1], course.read[0]
            ));
            for change in &course.ever_told {
                say(format!("    {change}"));
            }
        }
    }
    Ok(())
}
