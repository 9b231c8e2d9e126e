//! A base's rim in the picture: pieces of its four edges, and where along a line square to each of them the base's
//! tint gives way to the ground's.
//!
//! A piece is looked at along a line square to its edge, over a few pixels of its length. On an edge that the camera
//! sees over the base the upper rim hides the ground; on one that it looks at, the base's side shows between upper and
//! lower rim, and where in that strip the step lies depends on the side's own tint: it is taken to lie in its middle,
//! to a share of its width. Offsets are pixels outwards from the expected upper rim.

use super::light::{Channels, Contrast, Light, Tint};
use crate::geometry::{Edge, Footprint, Point, Vector};
use crate::vision::{CameraModel, PixelPoint};
use nalgebra::{Matrix2, Point3, Vector2};

/// Kept off the base's corners, which may be rounded, millimetres.
const CORNER_MM: f64 = 1.5;
/// A piece is so long, pixels, and at least so many lie on an edge.
const PIECE_PX: f64 = 4.0;
/// At most so many pieces lie on an edge.
const MOST_PIECES: usize = 24;
/// Steps across and along, pixels.
const STEP_PX: f64 = 0.25;
const ALONG_PX: f64 = 1.0;
/// What lies on either side of a step is looked at from so near to so far, pixels.
const NEAR_PX: f64 = 0.4;
const FAR_PX: f64 = 2.4;
/// So near a step its blur, and a shadow or a side of the base, is let pass.
const CLEAR_OF_STEP_PX: f64 = 1.2;
/// On either side of a step so much must be the base's or the ground's.
const LEAST_OF_BOTH: f64 = 0.7;

/// A base's outline at the height of its top, seen by a camera.
pub(super) struct Outline<'a> {
    pub camera: &'a CameraModel,
    pub base: Footprint,
    pub thickness_mm: f64,
}

/// A piece of an edge, before the picture is looked at.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub edge: Edge,
    /// Its middle on the expected upper rim.
    pub at: Point,
    pub at_px: PixelPoint,
    /// Square to the edge, outwards, one pixel.
    pub out_px: Vector2<f64>,
    /// Along it, one pixel.
    along_px: Vector2<f64>,
    /// Its length, pixels.
    long_px: f64,
    /// Millimetres outwards for one pixel outwards.
    pub mm_per_px: f64,
    /// How far outwards the lower rim shows beyond the upper one, pixels: none where the base hides it.
    pub side_px: f64,
}

/// The way out of a base over an edge.
pub(super) fn outward(base: &Footprint, edge: Edge) -> Vector {
    let heading = base.pose().heading;
    match edge {
        Edge::Front => heading.vector(),
        Edge::Right => heading.right(),
        Edge::Rear => -heading.vector(),
        Edge::Left => heading.left(),
    }
}

impl Outline<'_> {
    fn pixel(&self, at: Point, z_mm: f64) -> Option<PixelPoint> {
        self.camera.image_from_table(Point3::new(at.x, at.y, z_mm))
    }

    /// The pieces of all edges.
    pub fn pieces(&self) -> Vec<Piece> {
        Edge::ALL.into_iter().flat_map(|edge| self.of_edge(edge)).collect()
    }

    fn of_edge(&self, edge: Edge) -> Vec<Piece> {
        let line = self.base.edge(edge);
        let whole = line.end - line.start;
        let long_mm = whole.norm();
        let free_mm = long_mm - 2.0 * CORNER_MM;
        if free_mm <= 1.0 {
            return Vec::new();
        }
        let way = whole / long_mm;
        let Some((from_px, to_px)) =
            self.pixel(line.start, self.thickness_mm).zip(self.pixel(line.end, self.thickness_mm))
        else {
            return Vec::new();
        };
        let free_px = (to_px - from_px).norm() * free_mm / long_mm;
        let count = ((free_px / PIECE_PX) as usize).clamp(1, MOST_PIECES);
        let piece_mm = free_mm / count as f64;
        (0..count)
            .filter_map(|n| {
                let along_mm = CORNER_MM + (n as f64 + 0.5) * piece_mm;
                self.piece(edge, line.start + way * along_mm, way, free_px / count as f64)
            })
            .collect()
    }

    fn piece(&self, edge: Edge, at: Point, way: Vector, long_px: f64) -> Option<Piece> {
        let out = outward(&self.base, edge);
        let at_px = self.pixel(at, self.thickness_mm)?;
        // The picture's change for a millimetre outwards and one along.
        let by_out = self.pixel(at + out, self.thickness_mm)? - at_px;
        let by_way = self.pixel(at + way, self.thickness_mm)? - at_px;
        let along_px = by_way.try_normalize(1e-9)?;
        let square = Vector2::new(-along_px.y, along_px.x);
        let out_px = if square.dot(&by_out) < 0.0 { -square } else { square };
        let table = Matrix2::from_columns(&[by_out, by_way]).try_inverse()?;
        let mm_per_px = (table * out_px).x;
        let lower = self.pixel(at, 0.0)? - at_px;
        let side_px = lower.dot(&out_px).max(0.0);
        Some(Piece { edge, at, at_px, out_px, along_px, long_px, mm_per_px, side_px })
    }
}

/// The light along a line square to a piece: its mean over the piece's length, at even steps outwards.
#[derive(Debug, Clone)]
pub(super) struct Profile {
    reach_px: f64,
    steps: Vec<Channels>,
}

impl Piece {
    /// The profile to so far either way; `None` where it leaves the picture.
    pub fn profile(&self, light: &Light<'_>, reach_px: f64) -> Option<Profile> {
        let count = (2.0 * reach_px / STEP_PX).ceil() as usize;
        let across = (self.long_px / ALONG_PX).round().max(1.0) as usize;
        let steps = (0..=count).map(|i| {
            let out = self.out_px * (i as f64 * STEP_PX - reach_px);
            let mut sum = [0.0; 3];
            for j in 0..across {
                let along = self.along_px * ((j as f64 + 0.5) / across as f64 - 0.5) * self.long_px;
                let here = light.at(self.at_px + out + along)?;
                (0..3).for_each(|k| sum[k] += here[k] / across as f64);
            }
            Some(sum)
        });
        Some(Profile { reach_px, steps: steps.collect::<Option<_>>()? })
    }
}

/// A step found in a profile.
#[derive(Debug, Clone, Copy)]
pub(super) struct Step {
    /// How far outwards of the expected rim, pixels.
    pub out_px: f64,
    /// Its height over the expected one.
    pub share: f64,
    /// One sigma of its place by what is left over, pixels.
    pub sigma_px: f64,
}

impl Profile {
    fn index(&self, out_px: f64) -> f64 {
        (out_px + self.reach_px) / STEP_PX
    }

    /// Samples from so far outwards to so far.
    pub fn between(&self, from_px: f64, to_px: f64) -> &[Channels] {
        let last = self.steps.len() - 1;
        let place = |out: f64| (self.index(out).round().max(0.0) as usize).min(last);
        &self.steps[place(from_px)..=place(to_px).max(place(from_px))]
    }

    /// How well a rim at each step outwards fits: 1 where the base lies within and its ground beyond, -1 the other way
    /// round. What is neither's counts nothing.
    pub fn response(&self, contrast: &Contrast) -> Vec<f64> {
        let values: Vec<f64> = self
            .steps
            .iter()
            .map(|s| contrast.of_both(s).map_or(0.0, |share| (2.0 * share - 1.0).clamp(-1.0, 1.0)))
            .collect();
        let (near, far) = ((NEAR_PX / STEP_PX).round() as isize, (FAR_PX / STEP_PX).round() as isize);
        let mean = |from: isize, to: isize| -> Option<f64> {
            if from < 0 || to >= values.len() as isize {
                return None;
            }
            Some(values[from as usize..=to as usize].iter().sum::<f64>() / (to - from + 1) as f64)
        };
        (0..values.len() as isize)
            .map(|i| {
                let sides = mean(i - far, i - near).zip(mean(i + near, i + far));
                sides.map_or(0.0, |(inner, outer)| (inner - outer) / 2.0)
            })
            .collect()
    }

    /// The value of an even row of [`Profile::response`] at a place; none beyond its ends.
    pub fn lookup(&self, row: &[f64], out_px: f64) -> f64 {
        let place = self.index(out_px);
        if place < 0.0 || place >= (row.len() - 1) as f64 {
            return 0.0;
        }
        let (i, part) = (place as usize, place.fract());
        row[i] * (1.0 - part) + row[i + 1] * part
    }

    /// The step that fits best within `search_px` of the expected rim, seen over `window_px` either way of it: two
    /// levels with a blurred step between them. `None` where the profile is too short for that.
    pub fn step(&self, contrast: &Contrast, search_px: f64, window_px: f64) -> Option<Step> {
        let values: Vec<f64> = self.steps.iter().map(|s| contrast.share(s)).collect();
        const BLUR_PX: f64 = 1.0;
        let fit = |at: f64| -> Option<(f64, f64)> {
            let (mut n, mut sf, mut sff, mut sv, mut sfv, mut svv) = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0);
            for (i, value) in values.iter().enumerate() {
                let out = i as f64 * STEP_PX - self.reach_px - at;
                if out.abs() > window_px {
                    continue;
                }
                // The base's share of the light here.
                let f = crate::geometry::normal_cdf(-out / BLUR_PX);
                (n, sf, sff) = (n + 1.0, sf + f, sff + f * f);
                (sv, sfv, svv) = (sv + value, sfv + f * value, svv + value * value);
            }
            let across = n * sff - sf * sf;
            if across <= 1e-9 {
                return None;
            }
            let high = (n * sfv - sf * sv) / across;
            let low = (sv - high * sf) / n;
            let left = (svv - low * sv - high * sfv).max(0.0) / n;
            Some((left, high))
        };
        let room = (self.reach_px - window_px).min(search_px);
        if room <= 0.0 {
            return None;
        }
        let count = (2.0 * room / 0.1).floor() as usize;
        let tried: Vec<(f64, f64, f64)> = (0..=count)
            .filter_map(|i| {
                let at = i as f64 * 0.1 - room;
                fit(at).map(|(left, high)| (at, left, high))
            })
            .collect();
        // A step the wrong way is none.
        let best = (0..tried.len())
            .filter(|&i| tried[i].2 > 0.0)
            .min_by(|&a, &b| tried[a].1.total_cmp(&tried[b].1))?;
        let (at, left, high) = tried[best];
        let (before, after) = (tried.get(best.checked_sub(1)?)?, tried.get(best + 1)?);
        let bend = before.1 + after.1 - 2.0 * left;
        let shift = if bend > 1e-15 { 0.05 * (before.1 - after.1) / bend } else { 0.0 };
        // Neighbouring steps share pixels: there is a number of its own for each pixel across and along.
        let slope = high / (BLUR_PX * (std::f64::consts::TAU).sqrt());
        let sigma_px = (left.sqrt() / slope.max(1e-12)).min(3.0);
        let out_px = at + shift.clamp(-0.1, 0.1);
        let sides = self.side(contrast, out_px - window_px, out_px - CLEAR_OF_STEP_PX).zip(self.side(
            contrast,
            out_px + CLEAR_OF_STEP_PX,
            out_px + window_px,
        ));
        let (inner, outer) = sides?;
        (inner > 0.5 && outer < 0.5).then_some(Step { out_px, share: high, sigma_px })
    }

    /// The mean share of the base from so far outwards to so far; `None` where much of it is neither's.
    fn side(&self, contrast: &Contrast, from_px: f64, to_px: f64) -> Option<f64> {
        let samples = self.between(from_px, to_px);
        let of_both: Vec<f64> = samples.iter().filter_map(|s| contrast.of_both(s)).collect();
        let enough = of_both.len() as f64 >= LEAST_OF_BOTH * samples.len() as f64;
        enough.then(|| of_both.iter().sum::<f64>() / of_both.len().max(1) as f64)
    }
}

/// The tint of the profiles from so far outwards to so far.
pub(super) fn tint<'p>(
    profiles: impl Iterator<Item = &'p Profile>,
    from_px: f64,
    to_px: f64,
) -> Option<Tint> {
    let samples: Vec<Channels> =
        profiles.flat_map(|p| p.between(from_px, to_px).iter().step_by(2).copied()).collect();
    Tint::of(&samples)
}
