//! A simulated camera in front of which somebody holds a calibration board: still for a moment in one part
//! of the picture after another, leaning to each side in turn, moving in between.
//!
//! Drawn like the table ([`super`]); board frame as in [`Board`]. Invariant: frame n does not depend on the
//! frames before it.

use super::ground::Ground;
use super::math::{V3, srgb};
use super::render::Renderer;
use super::sensor::Sensor;
use super::shape::Shape;
use super::world::{Material, Owner, Solid, World};
use super::{SceneError, SimSettings};
use crate::tracking::{CameraId, CapturedAt, Tag};
use crate::vision::calibration::Board;
use crate::vision::{CameraModel, CameraPose, Frame, FrameSource, Lens, PixelPoint, SourceError, TagPattern};
use nalgebra::{Point3, Rotation3, Unit, Vector3};
use std::sync::Arc;
use std::time::Duration;

/// Frames for which the board is held still, and frames of moving on.
const HELD: u64 = 3;
const MOVING: u64 = 2;
/// Where the board's middle goes, shares of the picture's width and height; how far it leans, degrees, and
/// which side of it comes nearer, degrees clockwise from the picture's right; how much of the picture's
/// width it takes up; its own turn, degrees.
const STATIONS: [[f64; 6]; 18] = [
    [0.50, 0.50, 0.0, 0.0, 0.50, 0.0],
    [0.28, 0.33, 25.0, 0.0, 0.42, 4.0],
    [0.72, 0.33, 25.0, 180.0, 0.42, -5.0],
    [0.72, 0.68, 28.0, 90.0, 0.42, 3.0],
    [0.28, 0.68, 28.0, 270.0, 0.42, -2.0],
    [0.50, 0.50, 35.0, 20.0, 0.55, 8.0],
    [0.50, 0.50, 35.0, 200.0, 0.55, -8.0],
    [0.24, 0.50, 22.0, 110.0, 0.40, 0.0],
    [0.76, 0.50, 22.0, 290.0, 0.40, 6.0],
    [0.50, 0.30, 30.0, 60.0, 0.42, -6.0],
    [0.50, 0.70, 30.0, 240.0, 0.42, 2.0],
    [0.25, 0.28, 12.0, 315.0, 0.36, 10.0],
    [0.75, 0.28, 18.0, 45.0, 0.36, -10.0],
    [0.75, 0.72, 18.0, 135.0, 0.36, 5.0],
    [0.25, 0.72, 18.0, 225.0, 0.36, -4.0],
    [0.50, 0.50, 40.0, 100.0, 0.48, 15.0],
    [0.50, 0.50, 40.0, 280.0, 0.48, -15.0],
    [0.45, 0.55, 8.0, 0.0, 0.62, 90.0],
];

/// Where the board is: its middle and its turn, camera frame.
#[derive(Debug, Clone, Copy)]
struct Held {
    middle: Vector3<f64>,
    turn: Rotation3<f64>,
}

/// A camera that sees a board.
pub struct SimulatedBoard {
    board: Board,
    settings: SimSettings,
    camera: CameraModel,
    renderer: Renderer,
    sensor: Sensor,
    patterns: Vec<TagPattern>,
    next: u64,
}

impl SimulatedBoard {
    /// A camera of `settings`' lens, its principal point a little off the middle.
    ///
    /// # Errors
    /// Settings that no camera has.
    pub fn new(board: Board, settings: SimSettings, seed: u64) -> Result<Self, SceneError> {
        super::camera::check(&settings)?;
        let mut lens = Lens::from_field_of_view(settings.width, settings.height, settings.field_of_view_deg);
        lens.distortion = settings.distortion;
        lens.cx += 0.004 * f64::from(settings.width);
        lens.cy -= 0.003 * f64::from(settings.width);
        let (width_mm, _) = board.extent_mm();
        let high = 1.6 * lens.fx * width_mm / (0.36 * f64::from(settings.width)) + 200.0;
        let pose = CameraPose::looking_at(Point3::new(0.0, -0.1 * high, high), Point3::origin(), 0.0)
            .expect("the eye is above the table");
        let camera = CameraModel { lens, pose };
        let patterns = tags_of(&board).into_iter().filter_map(TagPattern::of).collect();
        Ok(Self {
            board,
            camera,
            renderer: Renderer::new(camera),
            sensor: Sensor::new(&settings, seed),
            patterns,
            settings,
            next: 0,
        })
    }

    /// Frames until the board has been held everywhere once.
    pub fn round(&self) -> u64 {
        STATIONS.len() as u64 * (HELD + MOVING)
    }

    /// The board at one of the stations.
    fn station(&self, index: usize) -> Held {
        let [u, v, lean_deg, nearer_deg, share, turn_deg] = STATIONS[index % STATIONS.len()];
        let lens = &self.camera.lens;
        let (width, height) = (f64::from(lens.width), f64::from(lens.height));
        let at = lens.to_normalised(PixelPoint::new(u * width, v * height));
        let away = lens.fx * self.board.extent_mm().0 / (share * width);
        // The side in that direction of the picture comes nearer: a turn about the direction square to it.
        let direction = nearer_deg.to_radians();
        let axis = Vector3::new(-direction.sin(), direction.cos(), 0.0);
        let lean = Rotation3::from_axis_angle(&Unit::new_normalize(axis), lean_deg.to_radians());
        Held {
            middle: Vector3::new(at.x, at.y, 1.0) * away,
            turn: lean * Rotation3::from_axis_angle(&Vector3::z_axis(), turn_deg.to_radians()),
        }
    }

    fn held(&self, seq: u64) -> Held {
        let (station, step) = ((seq / (HELD + MOVING)) as usize, seq % (HELD + MOVING));
        let here = self.station(station);
        if step < HELD {
            return here;
        }
        let next = self.station(station + 1);
        let share = (step - HELD + 1) as f64 / (MOVING + 1) as f64;
        let turn = here.turn.try_slerp(&next.turn, share, 1e-9).unwrap_or(here.turn);
        Held { middle: here.middle.lerp(&next.middle, share), turn }
    }

    fn world(&self, seq: u64) -> World {
        let held = self.held(seq);
        let table_from_camera = self.camera.pose.camera_from_table.inverse();
        let single = |v: Vector3<f64>| V3::new(v.x as f32, v.y as f32, v.z as f32);
        let direction = |v: Vector3<f64>| single(table_from_camera.rotation * (held.turn * v));
        let (right, up) = (direction(Vector3::x()), direction(-Vector3::y()));
        let (middle, quiet) = middle_and_edge(&self.board);
        // `lift` is towards the camera: prints lie a hair above their paper.
        let place = |x: f64, y: f64, lift: f64| {
            let seen = held.middle + held.turn * Vector3::new(x - middle.0, y - middle.1, -lift);
            single(table_from_camera.transform_point(&Point3::from(seen)).coords)
        };
        let sheet = |centre: V3, half: (f64, f64)| Shape::Sheet {
            centre,
            right,
            up,
            half: [half.0 as f32, half.1 as f32],
            round: 0.0,
        };
        let paint = |shade: u8| Material::Paint { colour: srgb(shade, shade, shade), gloss: 0.0 };
        let solid = |shape, material| Solid { shape, material, owner: Owner::Other };
        let (width, height) = self.board.extent_mm();
        let whole = (width / 2.0 + quiet, height / 2.0 + quiet);
        let mut solids = vec![solid(sheet(place(middle.0, middle.1, 0.0), whole), paint(232))];
        match self.board {
            Board::Chessboard { columns, rows, square_mm: s } => {
                for row in 0..=rows {
                    for column in (0..=columns).filter(|c| (c + row) % 2 == 0) {
                        let (x, y) = ((f64::from(column) - 0.5) * s, (f64::from(row) - 0.5) * s);
                        solids.push(solid(sheet(place(x, y, 0.02), (s / 2.0, s / 2.0)), paint(27)));
                    }
                }
            }
            Board::Tags { size_mm, .. } => {
                for (n, pattern) in self.patterns.iter().enumerate() {
                    let Some([corner, ..]) = self.board.tag_corners(pattern.tag()) else { continue };
                    let half = pattern.picture_mm(size_mm) / 2.0;
                    let centre = place(corner.x + size_mm / 2.0, corner.y + size_mm / 2.0, 0.02);
                    let material = Material::Tag {
                        pattern: n as u32,
                        module_mm: pattern.module_mm(size_mm) as f32,
                        dark: srgb(27, 27, 27),
                        light: srgb(232, 232, 232),
                    };
                    solids.push(solid(sheet(centre, (half, half)), material));
                }
            }
        }
        let ground = Ground {
            area: [600.0, 600.0],
            cloth: [-2000.0, -2000.0, 2000.0, 2000.0],
            grass: [srgb(92, 112, 58), srgb(126, 134, 76), srgb(140, 122, 84)],
            wood: srgb(150, 108, 70),
            patches: Vec::new(),
            seed: 5,
        };
        let lamp = V3::new(0.25, 0.3, 1.0).normalize();
        World { ground, lamp, patterns: self.patterns.clone(), solids }
    }
}

fn tags_of(board: &Board) -> Vec<Tag> {
    match *board {
        Board::Chessboard { .. } => Vec::new(),
        Board::Tags { family, first_id, columns, rows, .. } => {
            (first_id..first_id + columns * rows).map(|id| Tag::new(family, id)).collect()
        }
    }
}

/// The print's middle in the board's frame, and the light edge round it.
fn middle_and_edge(board: &Board) -> ((f64, f64), f64) {
    let (width, height) = board.extent_mm();
    match *board {
        Board::Chessboard { square_mm, .. } => {
            ((width / 2.0 - square_mm, height / 2.0 - square_mm), square_mm / 2.0)
        }
        Board::Tags { size_mm, .. } => ((width / 2.0, height / 2.0), size_mm / 2.0),
    }
}

impl FrameSource for SimulatedBoard {
    fn description(&self) -> String {
        format!("simulated board {}", self.board)
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
        let changed = self.renderer.draw(&self.world(seq));
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
