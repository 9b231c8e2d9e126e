//! What the studies draw by chance: tables, armies, cameras. Millimetres, degrees, pixels.
//!
//! Invariant: all chance comes from the generator that is handed in.

use crate::cli::sim_scene::scene_from;
use crate::judge::{BaseSize, MountedTag, Roster, RosterElement, RosterFile, Table, tag_book};
use crate::rules::{Ground, Location, Overhang, Ruleset, Side};
use crate::text::Position;
use crate::tracking::{ReferenceTag, Tag, TagFamily};
use crate::units::Scale;
use crate::vision::sim::{Clutter, Motion, Scene, SimSettings, SimulatedCamera, Truth, View, print_mm};
use crate::vision::{
    CameraModel, Distortion, Frame, FrameSource, Lens, Pipeline, PipelineSettings, Sequence,
};
use anyhow::{Result, anyhow};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A picture's size.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, clap::ValueEnum)]
pub enum Resolution {
    /// 1280x720.
    #[value(name = "720p")]
    P720,
    /// 1920x1080.
    #[value(name = "1080p")]
    P1080,
    /// 3840x2160.
    #[value(name = "2160p")]
    P2160,
}

impl Resolution {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::P720, Self::P1080, Self::P2160];

    /// Columns and rows.
    pub fn size(self) -> (u32, u32) {
        match self {
            Self::P720 => (1280, 720),
            Self::P1080 => (1920, 1080),
            Self::P2160 => (3840, 2160),
        }
    }

    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::P720 => "720p",
            Self::P1080 => "1080p",
            Self::P2160 => "2160p",
        }
    }
}

/// How a tag is mounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mounting {
    /// Flat on the base, behind the figures.
    Rear,
    /// On a stalk above the figures.
    Raised,
    /// Flat on a base without figures.
    Bare,
}

impl Mounting {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Rear, Self::Raised, Self::Bare];
}

/// A number from `low` to `high`, each as likely.
pub fn between(rng: &mut ChaCha8Rng, low: f64, high: f64) -> f64 {
    low + (high - low) * rng.random::<f64>()
}

/// A normal number with sigma 1.
pub fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (u, v): (f64, f64) = (rng.random::<f64>().max(1e-12), rng.random());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}

/// One of a list, each as likely.
pub fn one_of<T: Copy>(rng: &mut ChaCha8Rng, list: &[T]) -> T {
    list[rng.random_range(0..list.len())]
}

/// An element with one tag, whose mount is known exactly.
pub fn element(
    name: String,
    side: Side,
    tag: Tag,
    size_mm: f64,
    mounting: Mounting,
    troop: &str,
) -> RosterElement {
    let print = print_mm(tag, size_mm);
    let (depth_mm, forward_mm, height_mm) = match mounting {
        Mounting::Rear => (print + 14.0, -6.7, 0.3),
        Mounting::Raised => (20.0, 0.0, 28.0),
        Mounting::Bare => (print + 4.0, 0.0, 0.3),
    };
    RosterElement {
        name,
        side,
        troop: troop.to_owned(),
        base: BaseSize {
            width_mm: 40f64.max(print + 2.0),
            depth_mm,
            thickness_mm: 2.0,
            width_sigma_mm: 0.0,
            depth_sigma_mm: 0.0,
        },
        general: false,
        tower: false,
        contingent: None,
        overhang: Overhang::default(),
        location: Location::Board,
        becomes: None,
        list: None,
        tags: vec![MountedTag {
            tag,
            size_mm,
            right_mm: 0.0,
            forward_mm,
            rotation_deg: 0.0,
            height_mm,
            offset_sigma_mm: 0.0,
            rotation_sigma_deg: 0.0,
            height_sigma_mm: 0.0,
            lean_sigma_deg: 0.0,
            at: Position::START,
        }],
        at: Position::START,
        troop_at: Position::START,
    }
}

/// A board with reference tags of 40 mm at its corners and, where `edges`, in the middle of its sides.
pub fn table(board_mm: (f64, f64), along_edges: usize) -> Table {
    let (w, d) = board_mm;
    let (left, right, near, far) = (-30.0, w + 30.0, -30.0, d + 30.0);
    let mut places = vec![(left, near), (right, near), (right, far), (left, far)];
    let edges = [(w / 2.0, near), (right, d / 2.0), (w / 2.0, far), (left, d / 2.0)];
    places.extend(edges.into_iter().take(along_edges));
    let reference = (0u32..).zip(places).map(|(id, (x_mm, y_mm))| ReferenceTag {
        tag: Tag::new(TagFamily::Tag36h11, id),
        size_mm: 40.0,
        x_mm,
        y_mm,
        z_mm: 0.3,
        rotation_deg: 90.0 * f64::from(id % 4),
        sigma_mm: 0.0,
    });
    Table {
        board_mm,
        scale: Scale::SMALL,
        reference: reference.collect(),
        ground: Ground::default(),
        feature_tags: Vec::new(),
        red_edge: None,
    }
}

/// The roster of these elements.
pub fn roster(table: &Table, elements: Vec<RosterElement>) -> Result<Roster> {
    let file = RosterFile { file: "the study's roster".to_owned(), elements };
    Roster::of(table, vec![file], &Ruleset::dba3())
        .map_err(|faults| anyhow!(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))
}

/// Ids of a family that the studies' tables leave to bases.
pub fn free_ids(family: TagFamily) -> std::ops::Range<u32> {
    let first = if family == TagFamily::Tag36h11 { 8 } else { 0 };
    first..family.ids()
}

/// A table with its camera, before anything stands on it.
#[derive(Debug, Clone)]
pub struct Drawn {
    /// Which one: the seed of its scene and grain.
    pub seed: u64,
    /// The table.
    pub table: Table,
    /// What may stand on it.
    pub roster: Roster,
    /// The camera's kind.
    pub settings: SimSettings,
    /// The picture's size.
    pub resolution: Resolution,
    /// The camera's place.
    pub view: View,
}

/// A photograph of a drawn table.
pub struct Photograph {
    /// The picture.
    pub frame: Frame,
    /// What is true of it.
    pub truth: Truth,
    /// The camera that took it.
    pub camera: CameraModel,
}

impl Drawn {
    /// Lens, camera and army as they come: fields of view of 50 to 95 degrees, barrel and cushion up to a
    /// tenth of the half diagonal, half to double grain, blur, exposure, three resolutions, JPEG or none,
    /// leaning up to 35 degrees, cluttered or not, four to eight reference tags, all families and mounts.
    pub fn varied(rng: &mut ChaCha8Rng) -> Result<Self> {
        let resolution = one_of(
            rng,
            &[
                Resolution::P720,
                Resolution::P720,
                Resolution::P1080,
                Resolution::P1080,
                Resolution::P1080,
                Resolution::P2160,
            ],
        );
        let board_mm = if resolution == Resolution::P2160 { (1200.0, 800.0) } else { (600.0, 600.0) };
        let table = table(board_mm, rng.random_range(0..5usize));
        let (width, height) = resolution.size();
        let field_of_view_deg = between(rng, 50.0, 95.0);
        let px_per_mm = 0.85 * f64::from(height) / (board_mm.1 + 120.0);
        let family = one_of(
            rng,
            &[
                TagFamily::Tag36h11,
                TagFamily::Tag36h11,
                TagFamily::Tag25h9,
                TagFamily::Tag16h5,
                TagFamily::TagStandard41h12,
            ],
        );
        let troops = ["4Bd", "4Sp", "3Bw", "Ps", "Cv", "3Kn", "4Ax"];
        let count: u32 = rng.random_range(20..29);
        let first = rng.random_range(free_ids(family).start..=family.ids() - count);
        let elements = (0..count).map(|n| {
            // A tag's square of 14 to 34 pixels. tagStandard41h12's is small in a large print.
            let most = if family == TagFamily::TagStandard41h12 { 20.0 } else { 34.0 };
            let size_mm = ((between(rng, 14.0, most) / px_per_mm) * 2.0).round() / 2.0;
            let mounting = one_of(rng, &Mounting::ALL);
            let troop = if mounting == Mounting::Bare { "CP" } else { one_of(rng, &troops) };
            let side = if n % 2 == 0 { Side::Red } else { Side::Blue };
            element(format!("{n}"), side, Tag::new(family, first + n), size_mm, mounting, troop)
        });
        let roster = roster(&table, elements.collect())?;
        let settings = SimSettings {
            field_of_view_deg,
            distortion: bending(rng, (width, height), field_of_view_deg),
            blur_px: between(rng, 0.4, 1.1),
            noise: between(rng, 0.5, 2.0),
            exposure: between(rng, 0.5, 1.1),
            vignette: between(rng, 0.0, 0.3),
            jpeg_quality: one_of(rng, &[None, Some(75), Some(85), Some(90), Some(95), Some(95)]),
            clutter: one_of(rng, &[Clutter::None, Clutter::Figures, Clutter::Figures, Clutter::Heavy]),
            motion: Motion::Still,
            ..SimSettings::default()
        }
        .with_size(width, height);
        let view = View {
            lean_deg: between(rng, 0.0, 35.0),
            aside_deg: between(rng, -15.0, 15.0),
            roll_deg: between(rng, -4.0, 4.0),
        };
        Ok(Self { seed: rng.random(), table, roster, settings, resolution, view })
    }

    /// A photograph with the roster's elements put down by the seed.
    pub fn photograph(&self) -> Result<Photograph> {
        self.photograph_of(scene_from(&self.table, &self.roster, self.seed)?)
    }

    /// A photograph of a scene of this table.
    pub fn photograph_of(&self, scene: Scene) -> Result<Photograph> {
        let mut camera = SimulatedCamera::looking(scene, self.settings.clone(), self.view, self.seed)?;
        let frame = camera.next_frame()?.ok_or_else(|| anyhow!("the simulated camera gave no frame"))?;
        Ok(Photograph { truth: camera.truth(frame.seq), camera: *camera.camera(), frame })
    }

    /// A pipeline for single photographs of this table, with the lens profile or without.
    pub fn pipeline(&self, lens: Option<Lens>) -> Result<Pipeline> {
        let settings = PipelineSettings { sequence: Sequence::Unrelated, ..PipelineSettings::default() };
        Ok(Pipeline::new(tag_book(&self.table, &self.roster), lens, settings)?)
    }
}

/// A lens's bending that shifts the picture's corners by up to a tenth inwards or a fifteenth outwards, with some
/// of a second term and of decentring.
fn bending(rng: &mut ChaCha8Rng, (width, height): (u32, u32), field_of_view_deg: f64) -> Distortion {
    let half = (field_of_view_deg.to_radians() / 2.0).tan();
    let r2 = half * half * (1.0 + (f64::from(height) / f64::from(width)).powi(2));
    Distortion {
        k1: between(rng, -0.10, 0.065) / r2,
        k2: between(rng, -0.02, 0.02) / (r2 * r2),
        p1: between(rng, -5e-4, 5e-4),
        p2: between(rng, -5e-4, 5e-4),
        k3: 0.0,
    }
}
