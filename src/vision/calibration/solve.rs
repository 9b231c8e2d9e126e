//! A lens from several views of a board, through OpenCV's bundle adjustment.

use super::board::Board;
use super::guidance::{Coverage, Grade, Tilt, grade};
use super::view::View;
use crate::vision::{Distortion, Lens, PixelPoint};
use nalgebra::{Point2, Rotation3, Vector3};
use opencv::calib3d;
use opencv::core::{
    Mat, MatExprTraitConst, MatTraitConst, Point2f, Point3f, Size, TermCriteria, TermCriteria_Type, Vector,
};

/// Fewer views fix no lens.
pub const LEAST_VIEWS: usize = 5;
/// A view is left out when its error passes so many times the median's, and this many pixels.
const OUTLIER_RATIO: f64 = 2.5;
const OUTLIER_PX: f64 = 0.3;
/// The sixth power of the bending is fitted only from this field of view on: a narrower lens hardly has
/// one, and what is fitted then is grain (k3 -12 on the shared chessboards, for 0.05 px less error).
const FIELD_FOR_K3_DEG: f64 = 85.0;

/// A lens found from views.
#[derive(Debug, Clone, PartialEq)]
pub struct Calibration {
    /// The lens.
    pub lens: Lens,
    /// One sigma of fx, fy, cx, cy, pixels, as the fit sees it.
    pub sigma_px: [f64; 4],
    /// Root mean square distance of corner from model over the views used, pixels.
    pub rms_px: f64,
    /// Every view, used or not, in the order given.
    pub views: Vec<ViewReport>,
    /// What of the picture and of the board's turns the used views cover.
    pub coverage: Coverage,
    /// In plain words, whether it will do.
    pub grade: Grade,
}

/// How one view fits.
#[derive(Debug, Clone, PartialEq)]
pub struct ViewReport {
    /// What people call the picture.
    pub label: String,
    /// Root mean square distance of its corners from the model, pixels.
    pub rms_px: f64,
    /// How the board leans.
    pub tilt: Tilt,
    /// Whether it was used or left out as an outlier.
    pub used: ViewUse,
    /// Distance of each corner, pixels.
    pub residuals_px: Vec<f64>,
}

/// Whether a view took part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ViewUse {
    /// It did.
    Used,
    /// It fits so much worse than the others that it was left out: blurred, bent or misread.
    Outlier,
}

/// Why no lens came out. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// Too few views.
    #[error(
        "{views} pictures show the board, {LEAST_VIEWS} are needed at least: take more, from other sides"
    )]
    TooFewViews {
        /// How many there are.
        views: usize,
    },
    /// The solver failed.
    #[error("no lens fits these pictures ({0}): the board may be bent or its size wrong; take them again")]
    Unsolved(String),
}

/// One run of the solver.
struct Solved {
    lens: Lens,
    sigma_px: [f64; 4],
    poses: Vec<(Rotation3<f64>, Vector3<f64>)>,
}

/// Finds the lens of a camera whose pictures have `size` columns and rows.
///
/// # Errors
/// With too few views, or where the solver finds nothing sensible.
pub fn calibrate(views: &[View], size: (usize, usize)) -> Result<Calibration, CalibrationError> {
    let mut used: Vec<usize> = (0..views.len()).collect();
    loop {
        if used.len() < LEAST_VIEWS {
            return Err(CalibrationError::TooFewViews { views: used.len() });
        }
        let chosen: Vec<&View> = used.iter().map(|&i| &views[i]).collect();
        let solved = solve_as_wide(&chosen, size).map_err(|e| CalibrationError::Unsolved(e.message))?;
        if !(solved.lens.fx.is_finite() && solved.lens.fx > 0.0 && solved.lens.fy > 0.0) {
            return Err(CalibrationError::Unsolved("the focal length is no number".to_owned()));
        }
        let errors: Vec<f64> =
            chosen.iter().zip(&solved.poses).map(|(v, p)| rms(&residuals(v, &solved.lens, p))).collect();
        let mut sorted = errors.clone();
        sorted.sort_by(f64::total_cmp);
        let limit = (OUTLIER_RATIO * sorted[sorted.len() / 2]).max(OUTLIER_PX);
        let kept: Vec<usize> =
            used.iter().zip(&errors).filter(|(_, e)| **e <= limit).map(|(&i, _)| i).collect();
        if kept.len() == used.len() || kept.len() < LEAST_VIEWS {
            return Ok(report(views, &used, &solved, size));
        }
        used = kept;
    }
}

/// What a profile's file says of where it comes from.
pub fn profile_notes(board: &Board, calibration: &Calibration) -> Vec<String> {
    let used = calibration.views.iter().filter(|v| v.used == ViewUse::Used).count();
    let grade = calibration.grade.name();
    let mut notes = vec![
        format!("board {board}; {used} of {} pictures used; {grade}", calibration.views.len()),
        format!(
            "rms {:.3} px; field of view {:.1} degrees; focal length +- {:.2} px",
            calibration.rms_px,
            calibration.lens.field_of_view_deg(),
            calibration.sigma_px[0]
        ),
    ];
    notes.extend(calibration.grade.advice().iter().map(|a| format!("better still: {a}")));
    notes
}

fn report(views: &[View], used: &[usize], solved: &Solved, size: (usize, usize)) -> Calibration {
    let mut all = Vec::new();
    let reports: Vec<ViewReport> = views
        .iter()
        .enumerate()
        .map(|(i, view)| {
            let place = used.iter().position(|&u| u == i);
            let pose = match place {
                Some(at) => Some(solved.poses[at]),
                None => pose_of(view, &solved.lens),
            };
            let residuals_px = pose.map(|p| residuals(view, &solved.lens, &p)).unwrap_or_default();
            if place.is_some() {
                all.extend_from_slice(&residuals_px);
            }
            let tilt = pose.map_or(Tilt { deg: 0.0, nearer: [0.0; 2] }, |(r, _)| tilt_of(&r));
            let used = if place.is_some() { ViewUse::Used } else { ViewUse::Outlier };
            ViewReport { label: view.label.clone(), rms_px: rms(&residuals_px), tilt, used, residuals_px }
        })
        .collect();
    let tilts: Vec<Tilt> = reports.iter().filter(|r| r.used == ViewUse::Used).map(|r| r.tilt).collect();
    let points = used.iter().flat_map(|&i| views[i].pairs.iter().map(|(_, pixel)| *pixel));
    let coverage = Coverage::of(points, &tilts, size);
    let rms_px = rms(&all);
    let share = solved.sigma_px[0] / solved.lens.fx;
    let grade = grade(&coverage, used.len(), rms_px, share);
    Calibration { lens: solved.lens, sigma_px: solved.sigma_px, rms_px, views: reports, coverage, grade }
}

/// How a board leans whose frame is turned so in the camera's (x right, y down, z ahead).
fn tilt_of(turn: &Rotation3<f64>) -> Tilt {
    let normal = turn * Vector3::z();
    let away = if normal.z < 0.0 { -normal } else { normal };
    let across = away.xy();
    let nearer = across.try_normalize(1e-9).map_or([0.0; 2], |d| [d.x, d.y]);
    Tilt { deg: away.z.min(1.0).acos().to_degrees(), nearer }
}

fn rms(residuals: &[f64]) -> f64 {
    (residuals.iter().map(|r| r * r).sum::<f64>() / residuals.len().max(1) as f64).sqrt()
}

/// Distance of each corner from where the model puts it, pixels.
fn residuals(view: &View, lens: &Lens, (rotation, shift): &(Rotation3<f64>, Vector3<f64>)) -> Vec<f64> {
    view.pairs
        .iter()
        .map(|(place, pixel)| {
            let seen = rotation * Vector3::new(place.x, place.y, 0.0) + shift;
            (lens.to_pixel(seen.x / seen.z, seen.y / seen.z) - pixel).norm()
        })
        .collect()
}

fn object_points(view: &View) -> Vector<Point3f> {
    view.pairs
        .iter()
        .map(|(p, _): &(Point2<f64>, PixelPoint)| Point3f::new(p.x as f32, p.y as f32, 0.0))
        .collect()
}

fn image_points(view: &View) -> Vector<Point2f> {
    view.pairs.iter().map(|(_, p)| Point2f::new(p.x as f32, p.y as f32)).collect()
}

/// Solves without the sixth power, and again with it where the lens turns out wide.
fn solve_as_wide(views: &[&View], size: (usize, usize)) -> opencv::Result<Solved> {
    let plain = solve(views, size, calib3d::CALIB_FIX_K3)?;
    if plain.lens.field_of_view_deg() < FIELD_FOR_K3_DEG { Ok(plain) } else { solve(views, size, 0) }
}

fn solve(views: &[&View], size: (usize, usize), flags: i32) -> opencv::Result<Solved> {
    let objects: Vector<Vector<Point3f>> = views.iter().map(|v| object_points(v)).collect();
    let images: Vector<Vector<Point2f>> = views.iter().map(|v| image_points(v)).collect();
    let (mut matrix, mut bending) = (Mat::default(), Mat::default());
    let (mut turns, mut shifts): (Vector<Mat>, Vector<Mat>) = (Vector::new(), Vector::new());
    let (mut sigmas, mut sigmas_of_views, mut errors) = (Mat::default(), Mat::default(), Mat::default());
    let until =
        TermCriteria::new((TermCriteria_Type::COUNT as i32) | (TermCriteria_Type::EPS as i32), 200, 1e-10)?;
    calib3d::calibrate_camera_extended(
        &objects,
        &images,
        Size::new(size.0 as i32, size.1 as i32),
        &mut matrix,
        &mut bending,
        &mut turns,
        &mut shifts,
        &mut sigmas,
        &mut sigmas_of_views,
        &mut errors,
        flags,
        until,
    )?;
    let k = |row, column| matrix.at_2d::<f64>(row, column).copied();
    let d = |i| bending.at::<f64>(i).copied();
    let lens = Lens {
        width: size.0 as u32,
        height: size.1 as u32,
        fx: k(0, 0)?,
        fy: k(1, 1)?,
        cx: k(0, 2)?,
        cy: k(1, 2)?,
        distortion: Distortion { k1: d(0)?, k2: d(1)?, p1: d(2)?, p2: d(3)?, k3: d(4)? },
    };
    let s = |i| sigmas.at::<f64>(i).copied();
    let poses = turns.iter().zip(shifts.iter()).map(|(t, s)| pose(&t, &s)).collect::<opencv::Result<_>>()?;
    Ok(Solved { lens, sigma_px: [s(0)?, s(1)?, s(2)?, s(3)?], poses })
}

fn pose(turn: &Mat, shift: &Mat) -> opencv::Result<(Rotation3<f64>, Vector3<f64>)> {
    let v = |m: &Mat| -> opencv::Result<Vector3<f64>> {
        Ok(Vector3::new(*m.at::<f64>(0)?, *m.at::<f64>(1)?, *m.at::<f64>(2)?))
    };
    Ok((Rotation3::from_scaled_axis(v(turn)?), v(shift)?))
}

/// The board's pose in a view that was left out, for showing how badly it fits.
fn pose_of(view: &View, lens: &Lens) -> Option<(Rotation3<f64>, Vector3<f64>)> {
    let straight: Vector<Point2f> = view
        .pairs
        .iter()
        .map(|(_, p)| {
            let n = lens.to_normalised(*p);
            Point2f::new(n.x as f32, n.y as f32)
        })
        .collect();
    let identity = Mat::eye(3, 3, opencv::core::CV_64F).ok()?.to_mat().ok()?;
    let (mut turn, mut shift) = (Mat::default(), Mat::default());
    let none = Mat::default();
    let found = calib3d::solve_pnp(
        &object_points(view),
        &straight,
        &identity,
        &none,
        &mut turn,
        &mut shift,
        false,
        calib3d::SOLVEPNP_ITERATIVE,
    )
    .ok()?;
    if !found {
        return None;
    }
    pose(&turn, &shift).ok()
}
