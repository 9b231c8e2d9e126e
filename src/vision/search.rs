//! Looks for tags that detection missed: too small for its square finder, or with a spear across an edge.
//!
//! The picture is laid flat onto the plane of the tags, and every place and turn is asked whether a dark
//! square ring stands in a light one (all tags of a family share that frame). The best places are read
//! bit by bit, softly, against every code of the family, and what is read must then register
//! ([`super::register`]) at the tag's own height. Frame: the table's, millimetres.
//!
//! On the shared path-traced scenes, with every id of each family wanted, it finds all 183 whole and all
//! 12 crossed tags by itself, no ghost (measured before the coarse pass came; with the detector beside it the
//! same tags are found since).

use super::register::{Fit, OnPlane, Optics, OpticsKnowledge, Scratch, Start, Window, fit};
use super::{CameraModel, GreyImage, TagPattern};
use crate::geometry::{Heading, Point, Pose, Vector};
use crate::tracking::{KnownTag, Tag, TagFamily};
use nalgebra::Point3;
use std::collections::BTreeMap;

/// A rectangle of the table, millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Area {
    /// Left, near corner.
    pub least: Point,
    /// Right, far corner.
    pub most: Point,
}

/// A tag found by searching.
#[derive(Debug, Clone)]
pub struct Sighting {
    /// Which tag.
    pub tag: Tag,
    /// Its pattern, registered.
    pub fit: Fit<OnPlane>,
    /// How well its bits were read: 1 is every bit clear and right.
    pub reading: f64,
}

/// Least ratio of the rings' contrast to their unevenness for a place to be read at all. Chosen, not
/// measured: with it every tag of the shared scenes is read.
const LEAST_FRAME: f64 = 1.3;
/// The same on the first, coarse pass, where a frame may be half a module off.
const LEAST_HINT: f64 = 0.55;
/// Places read at the most, best first.
const MOST_PLACES: usize = 400;
/// Least reading to be registered, and least lead over the next code.
const LEAST_READING: f64 = 0.62;
const LEAST_LEAD: f64 = 0.12;
/// Least share of agreeing pixels, and largest residual as a share of the contrast, to be believed.
const LEAST_AGREEING: f64 = 0.8;
const MOST_RESIDUAL: f64 = 0.1;

/// Searches `area` for the tags of `wanted`, leaving out the neighbourhood of the places `taken`.
pub fn search(
    picture: &GreyImage,
    camera: &CameraModel,
    optics: Optics,
    area: Area,
    wanted: &BTreeMap<Tag, KnownTag>,
    taken: &[Point],
    scratch: &mut Scratch,
) -> Vec<Sighting> {
    let mut kinds: Vec<(TagFamily, KnownTag)> = Vec::new();
    for (tag, known) in wanted {
        let same = |k: &(TagFamily, KnownTag)| {
            k.0 == tag.family
                && (k.1.size_mm - known.size_mm).abs() < 0.01 * known.size_mm
                && (k.1.height_mm - known.height_mm).abs() < 5.0
        };
        if !kinds.iter().any(same) {
            kinds.push((tag.family, *known));
        }
    }
    let mut best: BTreeMap<Tag, Sighting> = BTreeMap::new();
    for (family, kind) in kinds {
        let codes = Codes::of(family);
        for Hint { tag, pose, reading } in hints(picture, camera, area, (&codes, &kind), taken) {
            let Some(known) = wanted.get(&tag) else { continue };
            let Some(fit) = register(picture, camera, optics, tag, known, (pose, Start::Rough), scratch)
            else {
                continue;
            };
            let contrast = fit.levels[0] - fit.levels[1];
            let moved = (fit.warp.pose.centre - pose.centre).norm();
            if fit.agreeing < LEAST_AGREEING
                || fit.residual > MOST_RESIDUAL * contrast
                || moved > 1.5 * codes.module_mm(kind.size_mm)
            {
                continue;
            }
            let sighting = Sighting { tag, fit, reading };
            let better = best.get(&tag).is_none_or(|b| b.fit.agreeing < sighting.fit.agreeing);
            if better {
                best.insert(tag, sighting);
            }
        }
    }
    best.into_values().collect()
}

/// A tag read off the picture laid flat, to about half a module: not yet to be believed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Hint {
    /// Which tag it reads as.
    pub tag: Tag,
    /// Where.
    pub pose: Pose,
    /// How well its bits were read: 1 is every bit clear and right.
    pub reading: f64,
}

/// Where in `area` a tag of this family reads clearly, of the size and at the height of `kind`.
pub(super) fn hints_of(
    picture: &GreyImage,
    camera: &CameraModel,
    area: Area,
    (family, kind): (TagFamily, &KnownTag),
) -> Vec<Hint> {
    hints(picture, camera, area, (&Codes::of(family), kind), &[]).collect()
}

fn hints<'a>(
    picture: &GreyImage,
    camera: &CameraModel,
    area: Area,
    (codes, kind): (&'a Codes, &'a KnownTag),
    taken: &[Point],
) -> impl Iterator<Item = Hint> + use<'a> {
    let flat = Flat::lay(picture, camera, area, kind.height_mm, codes.module_mm(kind.size_mm) / 2.0);
    let places = flat.as_ref().map(|flat| places(flat, codes, kind.size_mm, taken)).unwrap_or_default();
    places.into_iter().filter_map(move |place| {
        let read = codes.read(flat.as_ref()?, &place, kind.size_mm)?;
        let pose = Pose { centre: place.pose.centre, heading: read.heading };
        Some(Hint { tag: read.tag, pose, reading: read.reading })
    })
}

/// Registers a tag near `pose` on its own plane. `None` where it leaves the picture or does not settle.
pub fn register(
    picture: &GreyImage,
    camera: &CameraModel,
    optics: Optics,
    tag: Tag,
    known: &KnownTag,
    (pose, nearness): (Pose, Start),
    scratch: &mut Scratch,
) -> Option<Fit<OnPlane>> {
    let pattern = TagPattern::of(tag)?;
    let half = pattern.picture_mm(known.size_mm) / 2.0;
    let corners = [(-half, half), (half, half), (half, -half), (-half, -half)].map(|(right, up)| {
        let p = pose.at(right, up);
        camera.image_from_table(Point3::new(p.x, p.y, known.height_mm))
    });
    let mut least = [f64::INFINITY; 2];
    let mut most = [f64::NEG_INFINITY; 2];
    for corner in corners {
        let corner = corner?;
        least = [least[0].min(corner.x), least[1].min(corner.y)];
        most = [most[0].max(corner.x), most[1].max(corner.y)];
    }
    let window = Window::around(least, most, 1.5, picture)?;
    let warp = OnPlane::new(camera, known.height_mm, pose, window)?;
    fit(picture, &pattern, known.size_mm, (warp, nearness), (optics, OpticsKnowledge::Given), scratch)
}

/// The picture laid flat on a plane. Invariant: `data.len() == width * height`.
struct Flat {
    origin: Point,
    step_mm: f64,
    width: usize,
    height: usize,
    data: Vec<u8>,
}

impl Flat {
    /// Lays `area` flat at height `z_mm`, a sample every `step_mm`. `None` where it would be empty or
    /// larger than 16 million samples.
    fn lay(picture: &GreyImage, camera: &CameraModel, area: Area, z_mm: f64, step_mm: f64) -> Option<Self> {
        let span = area.most - area.least;
        let (width, height) = ((span.x / step_mm).ceil(), (span.y / step_mm).ceil());
        if width.is_nan() || height.is_nan() || width < 8.0 || height < 8.0 || width * height > 16e6 {
            return None;
        }
        let (width, height) = (width as usize, height as usize);
        let mut data = vec![0; width * height];
        for (row, line) in data.chunks_exact_mut(width).enumerate() {
            for (column, value) in line.iter_mut().enumerate() {
                let (x, y) = (area.least.x + column as f64 * step_mm, area.least.y + row as f64 * step_mm);
                if let Some(p) = camera.image_from_table(Point3::new(x, y, z_mm)) {
                    *value = bilinear(picture, p.x, p.y);
                }
            }
        }
        Some(Self { origin: area.least, step_mm, width, height, data })
    }

    /// The sample nearest to a table point, or `None` outside.
    fn at(&self, point: Point) -> Option<f64> {
        let (x, y) = ((point.x - self.origin.x) / self.step_mm, (point.y - self.origin.y) / self.step_mm);
        let (column, row) = (x.round(), y.round());
        let inside = column >= 0.0 && row >= 0.0 && column < self.width as f64 && row < self.height as f64;
        inside.then(|| f64::from(self.data[row as usize * self.width + column as usize]))
    }
}

fn bilinear(picture: &GreyImage, x: f64, y: f64) -> u8 {
    if !(x >= 0.0 && y >= 0.0 && x < (picture.width() - 1) as f64 && y < (picture.height() - 1) as f64) {
        return 0;
    }
    let (c, r) = (x as usize, y as usize);
    let (fx, fy) = (x - c as f64, y - r as f64);
    let at = |dr: usize, dc: usize| f64::from(picture.data()[(r + dr) * picture.width() + c + dc]);
    let top = at(0, 0) * (1.0 - fx) + at(0, 1) * fx;
    let bottom = at(1, 0) * (1.0 - fx) + at(1, 1) * fx;
    (top * (1.0 - fy) + bottom * fy).round() as u8
}

/// A place where a frame may stand. Its heading is known up to quarter turns.
#[derive(Debug, Clone, Copy)]
struct Place {
    pose: Pose,
    frame: f64,
    light: f64,
    dark: f64,
}

/// Turns tried at first, of a quarter.
const TURNS: usize = 9;

/// The best places, best first.
fn places(flat: &Flat, codes: &Codes, size_mm: f64, taken: &[Point]) -> Vec<Place> {
    let module = codes.module_mm(size_mm);
    let rings = codes.rings(size_mm);
    let offsets: Vec<[Vec<isize>; 2]> = (0..TURNS)
        .map(|turn| {
            let heading = Heading::from_degrees(90.0 * turn as f64 / TURNS as f64);
            [0, 1].map(|ring: usize| {
                rings[ring]
                    .iter()
                    .map(|v| {
                        let p = heading.vector() * v.x + heading.left() * v.y;
                        let (dx, dy) = ((p.x / flat.step_mm).round(), (p.y / flat.step_mm).round());
                        dy as isize * flat.width as isize + dx as isize
                    })
                    .collect()
            })
        })
        .collect();
    let reach = (codes.reach_modules() * module * 1.5 / flat.step_mm).ceil() as usize + 2;
    if flat.width <= 2 * reach || flat.height <= 2 * reach {
        return Vec::new();
    }
    let near_taken = |p: Point| taken.iter().any(|t| (t - p).norm() < 0.5 * size_mm);
    let best_turn = |row: usize, column: usize| {
        let here = (row * flat.width + column) as isize;
        let score =
            |rings: &[Vec<isize>; 2]| frame_score(sums(flat, here, &rings[0]), sums(flat, here, &rings[1]));
        offsets.iter().map(score).zip(0usize..).max_by(|a, b| a.0.total_cmp(&b.0)).unwrap_or((0.0, 0))
    };
    let mut found: Vec<Place> = Vec::new();
    let mut asked = vec![false; flat.width * flat.height];
    // Every second sample along each axis first, then the neighbours of those that show anything.
    for row in (reach..flat.height - reach).step_by(2) {
        for column in (reach..flat.width - reach).step_by(2) {
            if best_turn(row, column).0 <= LEAST_HINT {
                continue;
            }
            for (r, c) in (row - 1..=row + 1).flat_map(|r| (column - 1..=column + 1).map(move |c| (r, c))) {
                if std::mem::replace(&mut asked[r * flat.width + c], true) {
                    continue;
                }
                let (frame, turn) = best_turn(r, c);
                let centre = flat.origin + Vector::new(c as f64, r as f64) * flat.step_mm;
                if frame > LEAST_FRAME && !near_taken(centre) {
                    let heading = Heading::from_degrees(90.0 * turn as f64 / TURNS as f64);
                    found.push(Place { pose: Pose { centre, heading }, frame, light: 0.0, dark: 0.0 });
                }
            }
        }
    }
    found.sort_by(|a, b| b.frame.total_cmp(&a.frame));
    let mut kept: Vec<Place> = Vec::new();
    for place in found {
        let new = kept.iter().all(|k| (k.pose.centre - place.pose.centre).norm() > 1.5 * module);
        if new {
            kept.push(place);
            if kept.len() == MOST_PLACES {
                break;
            }
        }
    }
    kept.into_iter().filter_map(|place| climb(flat, &rings, place, module)).collect()
}

/// Sum, and sum of squares, of the samples at `offsets` from `here`, and their number.
fn sums(flat: &Flat, here: isize, offsets: &[isize]) -> [f64; 3] {
    let (mut sum, mut squares) = (0u32, 0u32);
    for offset in offsets {
        let value = u32::from(flat.data[(here + offset) as usize]);
        sum += value;
        squares += value * value;
    }
    [f64::from(sum), f64::from(squares), offsets.len() as f64]
}

/// Contrast of the two rings over their unevenness.
fn frame_score(light: [f64; 3], dark: [f64; 3]) -> f64 {
    let mean = |s: [f64; 3]| s[0] / s[2];
    let variance = |s: [f64; 3]| (s[1] / s[2] - mean(s) * mean(s)).max(0.0);
    (mean(light) - mean(dark)) / (variance(light) + variance(dark) + 36.0).sqrt()
}

/// Moves and turns a place by ever smaller steps as long as its frame grows clearer.
fn climb(flat: &Flat, rings: &[Vec<Vector>; 2], start: Place, module: f64) -> Option<Place> {
    let score = |pose: Pose| -> Option<(f64, f64, f64)> {
        let ring = |points: &[Vector]| -> Option<[f64; 3]> {
            let mut s = [0.0; 3];
            for v in points {
                let p = pose.centre + pose.heading.vector() * v.x + pose.heading.left() * v.y;
                let value = flat.at(p)?;
                s = [s[0] + value, s[1] + value * value, s[2] + 1.0];
            }
            Some(s)
        };
        let (light, dark) = (ring(&rings[0])?, ring(&rings[1])?);
        Some((frame_score(light, dark), light[0] / light[2], dark[0] / dark[2]))
    };
    let mut pose = start.pose;
    let mut now = score(pose)?;
    let mut step = (module * 0.5, 5f64.to_radians());
    for _ in 0..4 {
        for _ in 0..6 {
            let tries = [
                (Vector::new(step.0, 0.0), 0.0),
                (Vector::new(-step.0, 0.0), 0.0),
                (Vector::new(0.0, step.0), 0.0),
                (Vector::new(0.0, -step.0), 0.0),
                (Vector::zeros(), step.1),
                (Vector::zeros(), -step.1),
            ];
            let better = tries
                .into_iter()
                .filter_map(|(by, turn)| {
                    let moved = pose.nudged(by, turn);
                    Some((moved, score(moved)?))
                })
                .filter(|(_, s)| s.0 > now.0)
                .max_by(|a, b| a.1.0.total_cmp(&b.1.0));
            let Some((moved, s)) = better else { break };
            (pose, now) = (moved, s);
        }
        step = (step.0 / 2.0, step.1 / 2.0);
    }
    Some(Place { pose, frame: now.0, light: now.1, dark: now.2 })
}

/// What was read at a place.
struct Read {
    tag: Tag,
    heading: Heading,
    reading: f64,
}

/// A family's codes as signs over its data modules.
struct Codes {
    family: TagFamily,
    modules: usize,
    border: usize,
    /// (column, row) of each module that is not a ring's, from the centre: right and up, in modules.
    data: Vec<Vector>,
    signs: Vec<Vec<f32>>,
    /// Whether the ring just inside the border is the light one.
    light_inside: bool,
}

impl Codes {
    fn of(family: TagFamily) -> Self {
        let patterns: Vec<TagPattern> =
            (0..family.ids()).filter_map(|id| TagPattern::of(Tag::new(family, id))).collect();
        let first = &patterns[0];
        let (modules, border) = (first.modules(), first.border_modules());
        let middle = (modules as f64 - 1.0) / 2.0;
        // Distance of a ring from the centre, in half modules, tells it from the data.
        let ring_of = |row: usize, column: usize| {
            let far = (row as f64 - middle).abs().max((column as f64 - middle).abs());
            let inner = (border as f64 - 1.0) / 2.0;
            (far - inner).abs() < 0.25 || (far - inner - 1.0).abs() < 0.25
        };
        let places: Vec<(usize, usize)> = (0..modules)
            .flat_map(|row| (0..modules).map(move |column| (row, column)))
            .filter(|&(row, column)| !ring_of(row, column))
            .collect();
        let signs = patterns
            .iter()
            .map(|p| {
                places.iter().map(|&(r, c)| if p.is_light(r, c) == Some(true) { 1.0 } else { -1.0 }).collect()
            })
            .collect();
        let inner = (modules - border) / 2;
        Self {
            family,
            modules,
            border,
            data: places
                .iter()
                .map(|&(row, column)| Vector::new(column as f64 - middle, middle - row as f64))
                .collect(),
            signs,
            light_inside: first.is_light(inner, inner) == Some(true),
        }
    }

    fn module_mm(&self, size_mm: f64) -> f64 {
        size_mm / self.border as f64
    }

    /// Half the outer ring's side, in modules.
    fn reach_modules(&self) -> f64 {
        (self.border as f64 / 2.0 + 1.0).max(self.modules as f64 / 2.0)
    }

    /// Sample points along the light and the dark ring, (forward, left) millimetres.
    fn rings(&self, size_mm: f64) -> [Vec<Vector>; 2] {
        let module = self.module_mm(size_mm);
        let ring = |radius: f64| -> Vec<Vector> {
            let count = (2.0 * radius).round() as i32;
            (0..count)
                .flat_map(|i| {
                    let along = (f64::from(i) - f64::from(count) / 2.0) * module;
                    let out = radius * module;
                    [
                        Vector::new(out, along),
                        Vector::new(-out, -along),
                        Vector::new(-along, out),
                        Vector::new(along, -out),
                    ]
                })
                .collect()
        };
        let (inner, outer) = (ring(self.border as f64 / 2.0 - 0.5), ring(self.border as f64 / 2.0 + 0.5));
        if self.light_inside { [inner, outer] } else { [outer, inner] }
    }

    /// Reads a place against every code in each of the four turns. `None` where no code is clear.
    fn read(&self, flat: &Flat, place: &Place, size_mm: f64) -> Option<Read> {
        let module = self.module_mm(size_mm);
        let (middle, half) = ((place.light + place.dark) / 2.0, (place.light - place.dark) / 2.0);
        if half < 4.0 {
            return None;
        }
        let mut best: Option<(f64, usize, f64)> = None;
        let mut second = 0.0;
        for quarter in 0..4 {
            let turned = place.pose.heading.turned_degrees(90.0 * f64::from(quarter));
            let pose = Pose { centre: place.pose.centre, heading: turned };
            let mut soft = Vec::with_capacity(self.data.len());
            for m in &self.data {
                let value = flat.at(pose.at(m.x * module, m.y * module))?;
                soft.push((((value - middle) / half).clamp(-1.2, 1.2)) as f32);
            }
            let whole: f32 = soft.iter().map(|v| v.abs()).sum();
            for (id, signs) in self.signs.iter().enumerate() {
                let agree: f32 = soft.iter().zip(signs).map(|(a, b)| a * b).sum();
                let reading = f64::from(agree / whole.max(1e-6));
                match best {
                    Some((b, ..)) if reading <= b => second = f64::max(second, reading),
                    _ => {
                        second = best.map_or(second, |b| f64::max(second, b.0));
                        best = Some((reading, id, f64::from(quarter)));
                    }
                }
            }
        }
        let (reading, id, quarter) = best?;
        (reading >= LEAST_READING && reading - second >= LEAST_LEAD).then(|| Read {
            tag: Tag::new(self.family, id as u32),
            heading: place.pose.heading.turned_degrees(90.0 * quarter),
            reading,
        })
    }
}
