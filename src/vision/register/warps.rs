//! The two ways a tag is laid into the picture: flat on a plane of known height seen by a known camera
//! (three parameters), or as a free flat patch (eight), from which the camera itself is found.

use super::fit::Warp;
use super::layers::{Lattice, Window};
use crate::geometry::{Point, Pose, Vector};
use crate::vision::{CameraModel, Lens, PixelPoint};
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};
use std::sync::Arc;

/// A tag on a plane of known height: x, y in millimetres and heading in radians are free.
#[derive(Debug, Clone)]
pub struct OnPlane {
    /// The tag's pose.
    pub pose: Pose,
    ground: Arc<Ground>,
}

/// Table points at the corners of a window's pixels.
#[derive(Debug)]
struct Ground {
    window: Window,
    at: Vec<Point>,
}

impl OnPlane {
    /// A tag at `pose` on the plane `z_mm`, seen by `camera` in `window`. `None` where a pixel's ray
    /// misses the plane.
    pub fn new(camera: &CameraModel, z_mm: f64, pose: Pose, window: Window) -> Option<Self> {
        let at =
            pixel_corners(window).map(|p| camera.table_from_image(p, z_mm)).collect::<Option<Vec<_>>>()?;
        Some(Self { pose, ground: Arc::new(Ground { window, at }) })
    }
}

impl Warp for OnPlane {
    const PARAMETERS: usize = 3;

    fn lattice(&self) -> Lattice {
        let at = self.ground.at.iter().map(|&p| self.pose.seen_from_here(p).into()).collect();
        Lattice { window: self.ground.window, at }
    }

    fn slopes(&self, _index: usize, tag: [f64; 2], into: &mut [[f64; 2]]) {
        let (right, up) = (self.pose.heading.right(), self.pose.heading.vector());
        into[0] = [-right.x, -up.x];
        into[1] = [-right.y, -up.y];
        into[2] = [tag[1], -tag[0]];
    }

    fn step(&self, by: &[f64]) -> Option<Self> {
        let pose = self.pose.nudged(Vector::new(by[0], by[1]), by[2]);
        Some(Self { pose, ground: Arc::clone(&self.ground) })
    }
}

/// A flat patch held by its four corners in the picture a lens without bending would take ("straight"
/// pixels: same focal length and centre). Eight parameters: each corner's two coordinates, pixels.
#[derive(Debug, Clone)]
pub struct Patch {
    /// Top left, top right, bottom right, bottom left of the printed tag, straight pixels.
    pub corners: [[f64; 2]; 4],
    tag_from_straight: Matrix3<f64>,
    /// The same with each coordinate in turn moved by [`PROBE_PX`].
    moved: [Matrix3<f64>; 8],
    fixed: Arc<Fixed>,
}

/// What does not change while a patch is fitted.
#[derive(Debug)]
struct Fixed {
    lens: Lens,
    size_mm: f64,
    window: Window,
    /// Straight pixels at the corners of the window's pixels.
    corners: Vec<[f64; 2]>,
    /// Straight pixels at the centres.
    centres: Vec<[f64; 2]>,
}

/// Pixels a corner is moved by to find how the patch answers.
const PROBE_PX: f64 = 0.01;

impl Patch {
    /// A patch whose corners lie at `corners` in the picture (as bent by the lens). `None` where they
    /// make no square.
    pub fn new(lens: &Lens, size_mm: f64, corners: [PixelPoint; 4], window: Window) -> Option<Self> {
        let centre = |i: usize| {
            PixelPoint::new((window.x0 + i % window.width) as f64, (window.y0 + i / window.width) as f64)
        };
        let fixed = Fixed {
            lens: *lens,
            size_mm,
            window,
            corners: pixel_corners(window).map(|p| straighten(lens, p)).collect(),
            centres: (0..window.len()).map(|i| straighten(lens, centre(i))).collect(),
        };
        Self::held_at(corners.map(|c| straighten(lens, c)), Arc::new(fixed))
    }

    /// The corners in the picture, as bent by the lens.
    pub fn corners_px(&self) -> [PixelPoint; 4] {
        let lens = &self.fixed.lens;
        self.corners.map(|[x, y]| lens.to_pixel((x - lens.cx) / lens.fx, (y - lens.cy) / lens.fy))
    }

    fn held_at(corners: [[f64; 2]; 4], fixed: Arc<Fixed>) -> Option<Self> {
        let tag_from_straight = tag_from(corners, fixed.size_mm)?;
        let mut moved = [Matrix3::zeros(); 8];
        for (k, m) in moved.iter_mut().enumerate() {
            let mut probe = corners;
            probe[k / 2][k % 2] += PROBE_PX;
            *m = tag_from(probe, fixed.size_mm)?;
        }
        Some(Self { corners, tag_from_straight, moved, fixed })
    }
}

impl Warp for Patch {
    const PARAMETERS: usize = 8;

    fn lattice(&self) -> Lattice {
        let at = self.fixed.corners.iter().map(|&p| apply(&self.tag_from_straight, p)).collect();
        Lattice { window: self.fixed.window, at }
    }

    fn slopes(&self, index: usize, _tag: [f64; 2], into: &mut [[f64; 2]]) {
        let straight = self.fixed.centres[index];
        let here = apply(&self.tag_from_straight, straight);
        for (slope, moved) in into.iter_mut().zip(&self.moved) {
            let there = apply(moved, straight);
            *slope = [(there[0] - here[0]) / PROBE_PX, (there[1] - here[1]) / PROBE_PX];
        }
    }

    fn step(&self, by: &[f64]) -> Option<Self> {
        let mut corners = self.corners;
        for (k, b) in by.iter().enumerate() {
            corners[k / 2][k % 2] += b;
        }
        Self::held_at(corners, Arc::clone(&self.fixed))
    }
}

/// The corners of a window's pixels, row by row.
fn pixel_corners(window: Window) -> impl Iterator<Item = PixelPoint> {
    (0..=window.height).flat_map(move |row| {
        (0..=window.width).map(move |column| {
            PixelPoint::new((window.x0 + column) as f64 - 0.5, (window.y0 + row) as f64 - 0.5)
        })
    })
}

fn straighten(lens: &Lens, pixel: PixelPoint) -> [f64; 2] {
    let n = lens.to_normalised(pixel);
    [n.x * lens.fx + lens.cx, n.y * lens.fy + lens.cy]
}

fn apply(h: &Matrix3<f64>, [x, y]: [f64; 2]) -> [f64; 2] {
    let v = h * Vector3::new(x, y, 1.0);
    [v.x / v.z, v.y / v.z]
}

/// The homography that takes four straightened corners to the tag's own plane (right, up).
fn tag_from(corners: [[f64; 2]; 4], size_mm: f64) -> Option<Matrix3<f64>> {
    let s = size_mm / 2.0;
    let tag = [[-s, s], [s, s], [s, -s], [-s, -s]];
    // Centred and scaled, so that the eight equations are well conditioned.
    let centre =
        [corners.iter().map(|c| c[0]).sum::<f64>() / 4.0, corners.iter().map(|c| c[1]).sum::<f64>() / 4.0];
    let spread = corners.iter().map(|c| (c[0] - centre[0]).hypot(c[1] - centre[1])).sum::<f64>() / 4.0;
    if spread.is_nan() || spread <= 1e-9 {
        return None;
    }
    let mut a = SMatrix::<f64, 8, 8>::zeros();
    let mut b = SVector::<f64, 8>::zeros();
    for (i, (c, t)) in corners.iter().zip(tag).enumerate() {
        let (x, y) = ((c[0] - centre[0]) / spread, (c[1] - centre[1]) / spread);
        let (u, v) = (t[0] / s, t[1] / s);
        a.row_mut(2 * i).copy_from_slice(&[x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y]);
        a.row_mut(2 * i + 1).copy_from_slice(&[0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y]);
        b[2 * i] = u;
        b[2 * i + 1] = v;
    }
    let h = a.lu().solve(&b)?;
    let unit = Matrix3::new(h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7], 1.0);
    let to_unit = Matrix3::new(
        1.0 / spread,
        0.0,
        -centre[0] / spread,
        0.0,
        1.0 / spread,
        -centre[1] / spread,
        0.0,
        0.0,
        1.0,
    );
    Some(Matrix3::from_diagonal(&Vector3::new(s, s, 1.0)) * unit * to_unit)
}
