//! Where a base's two free edges lie on the jig's stripes.
//!
//! Along a line square to an edge the stripes are there outside the base and gone inside it. Over a piece of the
//! edge as long as one period the light is fitted by a mean and the stripes' own wave at each step across; the
//! share of the stripes in it, corrected for how bright base and ground are there, is the blurred step whose
//! middle is the edge. Colour and texture of the base do not matter, and of its shadow, which dims light and dark
//! stripes alike, little is left. Jig frame, millimetres.

use super::plan::{JIG_STRIPES_MM, stripe_phase};
use crate::vision::register::Response;
use crate::vision::{CameraModel, GreyImage};
use nalgebra::{Matrix3, Point3, Vector3};

/// A free edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FreeEdge {
    /// The base's right side: its place is the base's width.
    Right,
    /// Its front: its place is the base's depth.
    Front,
}

/// A measured length with one sigma, millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Length {
    /// The length.
    pub mm: f64,
    /// One sigma.
    pub sigma_mm: f64,
}

/// How far from its written place an edge is looked for.
const REACH_MM: f64 = 6.0;
/// Steps across the edge, and along it.
const STEP_MM: f64 = 0.15;
const ALONG_MM: f64 = 0.35;
/// Kept off the base's corners, which may be rounded.
const CORNER_MM: f64 = 2.0;
/// Least modulation of the stripes, of the paper's mean light: else they are not there, or too small to see.
const LEAST_MODULATION: f64 = 0.2;
/// Pieces of one edge that nothing hides agree within this.
const AGREE_MM: f64 = 0.4;
/// A bevelled or ragged rim, and what is left of its shadow: one sigma. A choice; simulated bases under figures came
/// out up to 0.15 mm off in a single picture.
const RIM_SIGMA_MM: f64 = 0.1;
/// One sigma of a base's written thickness.
const THICKNESS_SIGMA_MM: f64 = 0.2;

/// One picture of a base in the jig.
pub(super) struct Stripes<'a> {
    pub picture: &'a GreyImage,
    pub camera: &'a CameraModel,
    pub scale: f64,
}

/// The stripes at one step across an edge.
#[derive(Debug, Clone, Copy)]
struct Step {
    at: f64,
    mean: f64,
    /// Amplitude of the stripes' wave, in phase with the print.
    wave: f64,
}

impl Step {
    fn modulation(&self) -> f64 {
        self.wave / self.mean.max(1e-9)
    }
}

/// The most places that lie together within [`AGREE_MM`]; of as many, those nearest the base, for a figure's arm or
/// a tag's plate over the edge only makes it look further out.
fn agreeing(places: &mut [f64]) -> Option<&[f64]> {
    places.sort_by(f64::total_cmp);
    let places = &*places;
    let from = |start: usize| {
        let end = places.partition_point(|p| *p <= places[start] + AGREE_MM);
        &places[start..end]
    };
    (0..places.len()).map(from).reduce(|best, next| if next.len() > best.len() { next } else { best })
}

impl Stripes<'_> {
    /// The place of a free edge of a base of about `size_mm` (width, depth) and so thick; `None` where its stripes
    /// do not show.
    pub fn edge(&self, edge: FreeEdge, size_mm: (f64, f64), thickness_mm: f64) -> Option<Length> {
        let (written, long) = match edge {
            FreeEdge::Right => size_mm,
            FreeEdge::Front => (size_mm.1, size_mm.0),
        };
        let piece = JIG_STRIPES_MM * self.scale * std::f64::consts::SQRT_2;
        let free = long - 2.0 * CORNER_MM;
        let count = (free / piece).floor();
        if count < 1.0 {
            return None;
        }
        let first = (long - count * piece) / 2.0;
        let mut places: Vec<f64> = (0..count as usize)
            .filter_map(|n| self.piece(edge, written, (first + n as f64 * piece, piece)))
            .collect();
        let places = agreeing(&mut places)?;
        let n = places.len() as f64;
        let on_paper = places.iter().sum::<f64>() / n;
        let spread = places.iter().map(|p| (p - on_paper).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
        let (mm, by_thickness) = self.rim(edge, on_paper, long / 2.0, thickness_mm)?;
        // One piece alone has no spread of its own.
        let own = if n > 1.5 { (spread / n).sqrt() } else { 0.1 };
        Some(Length { mm, sigma_mm: own.hypot(RIM_SIGMA_MM).hypot(by_thickness * THICKNESS_SIGMA_MM) })
    }

    /// From where an edge hides the paper to where it is: seen from outside the base it is its lower rim that
    /// ends the paper, seen over the base its upper one. The second number is the shift for a millimetre of
    /// thickness.
    fn rim(&self, edge: FreeEdge, on_paper: f64, along: f64, thickness_mm: f64) -> Option<(f64, f64)> {
        let at = |across: f64| match edge {
            FreeEdge::Right => Point3::new(across, along, 0.0),
            FreeEdge::Front => Point3::new(along, across, 0.0),
        };
        let eye = self.camera.pose.eye();
        let (eye_at, of) = match edge {
            FreeEdge::Right => (eye.x, 0),
            FreeEdge::Front => (eye.y, 1),
        };
        if eye_at >= on_paper {
            return Some((on_paper, 0.0));
        }
        let pixel = self.camera.image_from_table(at(on_paper))?;
        let upper = self.camera.table_from_image(pixel, thickness_mm)?;
        let shift = upper[of] - on_paper;
        Some((upper[of], shift.abs() / thickness_mm.max(1e-6)))
    }

    /// Where the edge hides the paper, along one piece of it.
    fn piece(&self, edge: FreeEdge, written: f64, along: (f64, f64)) -> Option<f64> {
        let count = (2.0 * REACH_MM / STEP_MM) as usize;
        let steps: Vec<Step> = (0..=count)
            .map(|i| self.step(edge, written - REACH_MM + i as f64 * STEP_MM, along))
            .collect::<Option<_>>()?;
        let far: Vec<f64> = steps.iter().rev().take(count / 6).map(Step::modulation).collect();
        let whole = far.iter().sum::<f64>() / far.len().max(1) as f64;
        if whole < LEAST_MODULATION {
            return None;
        }
        // Inwards from where the paper is bare to where the stripes are gone.
        let gone = steps.iter().rposition(|s| s.modulation() < whole / 2.0)?;
        let rough = steps[gone].at;
        // Brightness of the base and of the ground close to the edge, within its shadow if it throws one.
        let mean = |from: f64, to: f64| {
            let near: Vec<f64> =
                steps.iter().filter(|s| (from..=to).contains(&(s.at - rough))).map(|s| s.mean).collect();
            (!near.is_empty()).then(|| near.iter().sum::<f64>() / near.len() as f64)
        };
        let (base, ground) = (mean(-2.2, -1.0)?, mean(0.7, 1.3)?);
        let share = |s: &Step| {
            let m = s.modulation().clamp(0.0, whole);
            base * m / (base * m + ground * (whole - m)).max(1e-9)
        };
        let around: Vec<(f64, f64)> =
            steps.iter().filter(|s| (s.at - rough).abs() <= 1.0).map(|s| (s.at, share(s))).collect();
        around.windows(2).rev().find(|w| w[0].1 < 0.5 && w[1].1 >= 0.5).map(|w| {
            let part = (0.5 - w[0].1) / (w[1].1 - w[0].1);
            w[0].0 + part * (w[1].0 - w[0].0)
        })
    }

    /// Mean and wave over a piece along the edge, so far across. `None` where it leaves the picture.
    fn step(&self, edge: FreeEdge, across: f64, (from, long): (f64, f64)) -> Option<Step> {
        let count = (long / ALONG_MM).round() as usize;
        let (mut normal, mut pull) = (Matrix3::zeros(), Vector3::zeros());
        for i in 0..count {
            let along = from + (i as f64 + 0.5) * long / count as f64;
            let (x, y) = match edge {
                FreeEdge::Right => (across, along),
                FreeEdge::Front => (along, across),
            };
            let light = self.light(x, y)?;
            let (sin, cos) = (std::f64::consts::TAU * stripe_phase(x, y, self.scale)).sin_cos();
            let row = Vector3::new(1.0, sin, cos);
            normal += row * row.transpose();
            pull += row * light;
        }
        let fitted = normal.try_inverse()? * pull;
        Some(Step { at: across, mean: fitted.x, wave: fitted.y })
    }

    /// Light at a place of the paper.
    fn light(&self, x_mm: f64, y_mm: f64) -> Option<f64> {
        let pixel = self.camera.image_from_table(Point3::new(x_mm, y_mm, 0.0))?;
        let (width, height) = (self.picture.width(), self.picture.height());
        let inside =
            pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x < (width - 1) as f64 && pixel.y < (height - 1) as f64;
        if !inside {
            return None;
        }
        let (column, row) = (pixel.x as usize, pixel.y as usize);
        let (u, v) = (pixel.x - column as f64, pixel.y - row as f64);
        let response = Response::default();
        let at = |dr: usize, dc: usize| {
            response.decode(f64::from(self.picture.data()[(row + dr) * width + column + dc]))
        };
        let top = at(0, 0) * (1.0 - u) + at(0, 1) * u;
        let bottom = at(1, 0) * (1.0 - u) + at(1, 1) * u;
        Some(top * (1.0 - v) + bottom * v)
    }
}

#[cfg(test)]
mod tests {
    use super::agreeing;

    #[test]
    fn what_hangs_over_an_edge_makes_it_look_further_out_and_is_left_out() {
        let mut plate = [24.59, 20.79, 20.74, 24.34, 20.79];
        assert_eq!(agreeing(&mut plate), Some(&[20.74, 20.79, 20.79][..]));
        assert_eq!(agreeing(&mut [41.0, 40.0]), Some(&[40.0][..]), "of as many, those nearest the base");
        assert_eq!(agreeing(&mut []), None);
    }
}
