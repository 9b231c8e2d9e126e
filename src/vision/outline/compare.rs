//! Whether a feature still lies where its outline says: the shift that brings the outline to the rim in the picture; and
//! the same of a river or road, whose banks alone are read: it runs on beyond its ends, and slides along itself unseen.
//!
//! First whole steps of a few millimetres are tried as far as a feature is likely to be pushed; from the best, lines
//! square to the outline say where the rim is, and a shift and turn are fitted to them by weighted least squares, lines that
//! disagree counting less. Its sigma is what is left over.

use super::course::{Course, banks};
use super::edge::{evidence, lines, read_lines};
use super::features::{Colours, Features};
use super::mask::Change;
use super::model::Model;
use super::propose::filled_by;
use super::rectify::Rectified;
use crate::geometry::{Point, Polygon, Vector};
use crate::text::{turn_word, way_words};
use nalgebra::{Matrix3, Vector3};
use thiserror::Error;

/// As far as a shift is looked for, and in what steps at first, millimetres.
const FAR_MM: f64 = 40.0;
const COARSE_MM: f64 = 4.0;
/// Lines across the outline reach so far, millimetres.
const REACH_MM: f64 = 8.0;
const ALONG_MM: f64 = 3.0;
/// Lines on which nothing shows the rim do not count.
const LEAST_WEIGHT: f64 = 0.3;
/// Less of the outline than this shows: nothing is said.
const LEAST_SHOWN: f64 = 0.3;
/// A rim of which so much shows is the feature's own; less sure than this, one sigma in millimetres, nothing is said.
const SURE_SHOWN: f64 = 0.6;
const MOST_SIGMA_MM: f64 = 1.5;
/// What every rim of a picture shares, one sigma, millimetres: the camera's place and the felt's own edge.
const SHARED_MM: f64 = 0.4;
/// Lines this far apart along a rim are taken to err by themselves, millimetres.
const INDEPENDENT_MM: f64 = 12.0;
/// Slopes and the shadows that they cast reach no further than this on either side of the rim of what stands up, and so far round it is
/// the cloth looked at, millimetres. Choices.
const SLOPES_MM: f64 = 10.0;
const ROUND_MM: f64 = 30.0;
/// Looks nearer to each other than this, in spreads, are one colour. A choice.
const ALIKE: f32 = 2.5;
/// How firmly a river or road is held where its banks say nothing of a shift: this share of all the lines that are read.
const HELD: f64 = 0.02;

/// How far a feature lies from its outline.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moved {
    /// From the outline to the feature.
    pub by: Vector,
    /// One sigma along the shift.
    pub sigma_mm: f64,
    /// Its turn, anticlockwise, about the outline's middle; and one sigma.
    pub turn_deg: (f64, f64),
    /// The share of the outline that the picture shows.
    pub shown: f64,
}

impl Moved {
    /// A shift that is told, millimetres.
    pub const TOLD_MM: f64 = 3.0;
    /// A turn that is told, degrees. A choice.
    pub const TOLD_DEG: f64 = 3.0;

    /// Length of the shift.
    pub fn mm(&self) -> f64 {
        self.by.norm()
    }

    /// What is said of it: that it lies as its outline says, or where it has gone.
    pub fn in_words(&self) -> String {
        let (mm, sigma) = (self.mm(), self.sigma_mm);
        if !self.is_told() && self.turn_is_told() {
            let (deg, sigma, way) = (self.turn_deg.0.abs(), self.turn_deg.1, turn_word(self.turn_deg.0));
            return format!(
                "has turned by {deg:.0} \u{b1} {sigma:.0} degrees {way}: turn it back, or take its new outline"
            );
        }
        if !self.is_told() {
            return format!("lies as its outline says ({mm:.1} \u{b1} {sigma:.1} mm off)");
        }
        let way = way_words(self.by.x, self.by.y);
        format!("has moved {mm:.1} \u{b1} {sigma:.1} mm, {way}: put it back, or take its new outline")
    }

    /// Whether it is to be told: 3 mm or more.
    pub fn is_told(&self) -> bool {
        self.mm() >= Self::TOLD_MM
    }

    /// Whether a turn shows, beyond three sigmas and 3 degrees.
    pub fn turn_is_told(&self) -> bool {
        let (deg, sigma) = self.turn_deg;
        deg.abs() >= (3.0 * sigma).max(Self::TOLD_DEG)
    }
}

/// Why a shift is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum NotSeen {
    /// Too little of the outline lies in the picture or shows.
    #[error("too little of its outline shows in the picture")]
    Hidden,
    /// The inside looks like the outside.
    #[error("it does not stand out from what lies round it")]
    Faint,
    /// A course whose banks cross each other.
    #[error("it bends too sharply for its width")]
    Sharp,
}

/// What is compared.
struct Rim<'a> {
    outline: &'a Polygon,
    /// Where it runs on, and how far round there no rim is: the ends of a river or road.
    open: Option<([Point; 2], f64)>,
}

impl Rim<'_> {
    /// Whether a rim is to be seen at a point of the outline, as it was before it was moved.
    fn is_closed_at(&self, p: Point) -> bool {
        self.open.is_none_or(|(ends, reach)| ends.iter().all(|end| (p - end).norm() > reach))
    }
}

impl From<opencv::Error> for NotSeen {
    fn from(_: opencv::Error) -> Self {
        Self::Hidden
    }
}

/// Compares an outline with the picture.
///
/// # Errors
/// Where the picture does not show enough of it.
pub fn compare(made: &Rectified, outline: &Polygon) -> Result<Moved, NotSeen> {
    compared(made, &Rim { outline, open: None })
}

/// Compares the outline of something that stands up so high at once, as a stepped hill does. In the cloth's own colour it is
/// not told.
///
/// # Errors
/// As [`compare`].
pub fn compare_standing(made: &Rectified, outline: &Polygon, rise_mm: f64) -> Result<Moved, NotSeen> {
    if rise_mm > 0.0 {
        let features = Colours::of(made)?.smoothed(1.0)?;
        if looks_like_the_cloth(made, &features, outline.corners())? {
            return Err(NotSeen::Faint);
        }
    }
    compare(made, outline)
}

/// Compares the course of a river or road with the picture. How far it has slid along itself is not told.
///
/// # Errors
/// As [`compare`]; a course that bends too sharply to have banks.
pub fn compare_course(made: &Rectified, course: &Course) -> Result<Moved, NotSeen> {
    let (Some(first), Some(last)) = (course.line.first(), course.line.last()) else {
        return Err(NotSeen::Sharp);
    };
    let outline = banks(course).ok_or(NotSeen::Sharp)?;
    let reach = course.width_mm / 2.0 + REACH_MM;
    compared(made, &Rim { outline: &outline, open: Some(([*first, *last], reach)) })
}

fn compared(made: &Rectified, rim: &Rim<'_>) -> Result<Moved, NotSeen> {
    let features = Colours::of(made)?.smoothed(1.0)?;
    // Where it is written is believed first: only where that does not show is it looked for elsewhere, and believed
    // there only where much of its rim shows.
    let here = settled(made, &features, rim, Vector::zeros());
    if let Ok(here) = &here
        && here.shown >= SURE_SHOWN
        && here.mm() <= 2.0 * REACH_MM
    {
        return Ok(*here);
    }
    let elsewhere = rough(made, &features, rim).and_then(|by| settled(made, &features, rim, by));
    match (here, elsewhere) {
        (_, Ok(there)) if there.shown >= SURE_SHOWN && there.sigma_mm <= MOST_SIGMA_MM => Ok(there),
        (Ok(here), _) if here.sigma_mm <= MOST_SIGMA_MM && here.mm() <= 2.0 * REACH_MM => Ok(here),
        _ => Err(NotSeen::Faint),
    }
}

/// The shift and turn from a first guess of the shift.
fn settled(made: &Rectified, features: &Features, rim: &Rim<'_>, first: Vector) -> Result<Moved, NotSeen> {
    let outline = rim.outline;
    let held = if rim.open.is_some() { HELD } else { 0.0 };
    let (mut by, mut turn) = (first, 0.0f64);
    let mut found = None;
    for _ in 0..3 {
        let middle = outline.centroid();
        let moved: Vec<Point> = outline.corners().iter().map(|p| turned(*p, middle, turn) + by).collect();
        let still = |p: Point| turned(p - by, middle, -turn);
        let step = fit(made, features, &moved, middle + by, |p| rim.is_closed_at(still(p)), held)?;
        by += step.by;
        turn += step.turn_deg.0.to_radians();
        found = Some(step);
    }
    let last = found.ok_or(NotSeen::Hidden)?;
    Ok(Moved { by, turn_deg: (turn.to_degrees(), last.turn_deg.1), ..last })
}

/// Whether what lies inside an outline, well away from its rim, looks like what lies round it: of a thing that stands up in the cloth's
/// own colour nothing shows but the light and shade of its slopes, whose edges lie inside and outside its rim.
fn looks_like_the_cloth(
    made: &Rectified,
    features: &Features,
    outline: &[Point],
) -> Result<bool, opencv::Error> {
    let mask = filled_by(made, outline);
    let inner = mask.changed(Change::Shrink, made.px(SLOPES_MM))?;
    let inside: Vec<usize> = inner.pixels().filter(|n| features.own[*n]).collect();
    let Some(inside) = Model::of(features, inside.iter().copied()) else { return Ok(true) };
    let near = mask.changed(Change::Grow, made.px(SLOPES_MM))?;
    let ring = mask.changed(Change::Grow, made.px(ROUND_MM))?;
    let round = ring.pixels().filter(|n| !near.on[*n] && features.own[*n]);
    let mut apart: Vec<f32> = round.map(|n| inside.distance(&features.look[n])).collect();
    apart.sort_by(f32::total_cmp);
    Ok(apart.get(apart.len() / 2).is_none_or(|middle| *middle < ALIKE))
}

fn turned(p: Point, about: Point, by: f64) -> Point {
    let (sin, cos) = by.sin_cos();
    let off = p - about;
    about + Vector::new(off.x * cos - off.y * sin, off.x * sin + off.y * cos)
}

/// The whole step, of a few millimetres, after which the inside and the outside of the outline differ most.
fn rough(made: &Rectified, features: &Features, rim: &Rim<'_>) -> Result<Vector, NotSeen> {
    let mut even = lines(rim.outline.corners(), ALONG_MM * 2.0);
    even.retain(|(p, _)| rim.is_closed_at(*p));
    let look = |p: Point| made.index(p).filter(|n| features.own[*n]).map(|n| features.look[n]);
    // At each line what lies 4 mm inside should look alike, and unlike what lies 4 mm outside.
    let score = |by: Vector| {
        let pairs: Vec<_> = even
            .iter()
            .filter_map(|(p, out)| Some((look(p + by - out * 4.0)?, look(p + by + out * 4.0)?)))
            .collect();
        if (pairs.len() as f64) < LEAST_SHOWN * even.len() as f64 {
            return None;
        }
        let mut steps: Vec<f32> = pairs.iter().map(|(i, o)| (i - o).norm()).collect();
        steps.sort_by(f32::total_cmp);
        Some(steps[steps.len() / 3])
    };
    let still = score(Vector::zeros());
    let n = (FAR_MM / COARSE_MM) as i32;
    let mut best: Option<(f32, Vector)> = None;
    for x in -n..=n {
        for y in -n..=n {
            let by = Vector::new(f64::from(x), f64::from(y)) * COARSE_MM;
            // Of as good ones the nearer.
            let found = score(by).map(|s| s * (1.0 - 0.1 * (by.norm() / FAR_MM) as f32));
            if let Some(s) = found.filter(|s| best.is_none_or(|(most, _)| *s > most)) {
                best = Some((s, by));
            }
        }
    }
    let (sharp, by) = best.ok_or(NotSeen::Hidden)?;
    // Where it lies as it should the rim is as sharp as anywhere, or the step is too small to matter here.
    Ok(if still.is_some_and(|s| s >= 0.8 * sharp) { Vector::zeros() } else { by })
}

/// The shift and turn that lines across an outline ask for, of those `closed` points where a rim is.
fn fit(
    made: &Rectified,
    features: &Features,
    outline: &[Point],
    middle: Point,
    closed: impl Fn(Point) -> bool,
    held: f64,
) -> Result<Moved, NotSeen> {
    let mask = filled_by(made, outline);
    let inner = mask.changed(Change::Shrink, made.px(4.0))?;
    let own: Vec<usize> = inner.pixels().filter(|n| features.own[*n]).collect();
    let first = Model::of(features, own.iter().copied()).ok_or(NotSeen::Hidden)?;
    // Without what stands on it.
    let plain: Vec<usize> =
        own.iter().copied().filter(|n| first.distance(&features.look[*n]) < 2.5).collect();
    let inside = Model::of(features, plain.iter().copied()).unwrap_or(first);
    let told = evidence(made, features, &mask, &inside)?.ok_or(NotSeen::Hidden)?;
    let mut even = lines(outline, ALONG_MM);
    even.retain(|(p, _)| closed(*p));
    let read = read_lines(made, &told, &even, REACH_MM);
    let seen: Vec<_> = even.iter().zip(&read).filter(|(_, line)| line.weight > LEAST_WEIGHT).collect();
    let shown = seen.len() as f64 / even.len().max(1) as f64;
    if shown < LEAST_SHOWN {
        return Err(NotSeen::Faint);
    }
    let size = outline.iter().map(|p| (p - middle).norm()).fold(1.0, f64::max);
    let row = |p: &Point, out: &Vector| {
        let arm = p - middle;
        Vector3::new(out.x, out.y, (arm.x * out.y - arm.y * out.x) / size)
    };
    let mut answer = Vector3::zeros();
    let firm = 1e-9 + held * seen.len() as f64;
    let (mut spread, mut normal) = (1.0f64, Matrix3::identity());
    for _ in 0..6 {
        normal = Matrix3::from_diagonal(&Vector3::new(firm, firm, 1e-2));
        let mut right = Vector3::zeros();
        let mut left: Vec<f64> = Vec::new();
        for ((p, out), line) in &seen {
            let row = row(p, out);
            let off = line.alone_mm - row.dot(&answer);
            left.push(off.abs());
            let weight = line.weight / (1.0 + (off / (1.5 * spread)).powi(2));
            normal += row * row.transpose() * weight;
            right += row * (line.alone_mm * weight);
        }
        left.sort_by(f64::total_cmp);
        spread = (1.48 * left[left.len() / 2]).max(0.3);
        answer = normal.try_inverse().ok_or(NotSeen::Hidden)? * right;
    }
    let covariance =
        normal.try_inverse().ok_or(NotSeen::Hidden)? * (spread * spread * INDEPENDENT_MM / ALONG_MM);
    let by = Vector::new(answer.x, answer.y);
    let along = if by.norm() > 1e-6 { by / by.norm() } else { Vector::new(1.0, 0.0) };
    let line = Vector3::new(along.x, along.y, 0.0);
    let sigma = (line.transpose() * covariance * line)[(0, 0)].max(0.0).sqrt().hypot(SHARED_MM);
    let turn = (answer.z / size).to_degrees();
    let turn_sigma = (covariance[(2, 2)].max(0.0).sqrt() / size).to_degrees();
    Ok(Moved { by, sigma_mm: sigma, turn_deg: (turn, turn_sigma), shown })
}
