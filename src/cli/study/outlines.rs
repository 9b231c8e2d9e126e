//! `groma study outlines`: how well terrain's outlines are proposed from pictures, and shifts of known outlines told.
//!
//! Overlap is the area that two outlines share over the area that either covers. Places that are pointed at are drawn
//! from a seed, anywhere in the true outline that is deep enough and that no base stands on: trees included, though a
//! person would point between them.

use super::progress;
use crate::cli::sim_scene::scene_from;
use crate::cli::verify::{LensUse, scenes_of, verify_scene};
use crate::cli::{Failure, say};
use crate::geometry::{Point, Polygon, Vector};
use crate::judge::{read_elements, samples, standing, tag_book};
use crate::vision::outline::{
    Course, Cover, Moved, NotSeen, Rectified, compare_course, compare_standing, propose, rectify,
};
use crate::vision::sim::{SimSettings, SimulatedCamera, TerrainSort, TrueTerrain};
use crate::vision::source::Photographs;
use crate::vision::{Frame, FrameSource, Pipeline, PipelineSettings, Reading};
use anyhow::{Context, Result};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Outlines of terrain: proposed at places drawn by chance, and compared after shifts drawn by chance.
#[derive(Debug, clap::Args)]
pub struct OutlinesArgs {
    /// A folder of photographs whose truth has terrain, in place of simulated tables.
    #[arg(long)]
    scenes: Option<PathBuf>,
    /// How many simulated tables.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,
    /// Which tables and places.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// Tell every place.
    #[arg(long)]
    each: bool,
}

/// Places that are pointed at in each feature; and of the bare cloth of each table.
const PLACES: usize = 6;
/// So deep inside they lie, millimetres.
const DEEP_MM: f64 = 8.0;
/// Figures in these scenes reach so high, millimetres.
const FIGURES_MM: f64 = 35.0;

/// What became of the features of one kind.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct OutlineFigure {
    /// Features.
    pub features: usize,
    /// Overlap at each place for which an outline was proposed.
    pub overlaps: Vec<f64>,
    /// How far the proposed rim is from the true one, root mean square, at each of these; and the sigma claimed.
    pub rims_mm: Vec<(f64, f64)>,
    /// Places for which none was.
    pub refused: usize,
    /// How far a shift was told wrong, with the sigma claimed; of a river or road across it alone.
    pub shifts_mm: Vec<(f64, f64)>,
    /// What was said of each change.
    pub changes: BTreeMap<&'static str, Said>,
}

/// What was said of one change of several features.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Said {
    /// Compared.
    pub asked: usize,
    /// Of these, told to have moved by 3 mm or more.
    pub told: usize,
    /// Of these, told to have turned.
    pub turn_told: usize,
    /// Could not be compared.
    pub unseen: usize,
}

/// What is done to a feature: its name, a shift in millimetres in a direction drawn by chance, a turn in degrees either way.
const CHANGES: [(&str, f64, f64); 6] = [
    ("still", 0.0, 0.0),
    ("3 mm", 3.0, 0.0),
    ("5 mm", 5.0, 0.0),
    ("10 mm", 10.0, 0.0),
    ("20 mm", 20.0, 0.0),
    ("10 degrees", 0.0, 10.0),
];

/// Terrain that is there.
#[derive(Debug, Clone)]
struct There {
    what: String,
    outline: Polygon,
    /// Of a river or road.
    course: Option<Course>,
    /// How high it stands up at once, millimetres.
    rise_mm: f64,
}

impl There {
    /// As a table file would have it, were it to have moved so since; of a river or road to one side, so that it shows.
    fn written(&self, by: Vector, turn_deg: f64) -> Option<Self> {
        let by = self.across(by);
        let middle = self.outline.centroid();
        let (sin, cos) = turn_deg.to_radians().sin_cos();
        let back = |p: &Point| {
            let off = p - middle;
            middle + Vector::new(off.x * cos - off.y * sin, off.x * sin + off.y * cos) - by
        };
        let outline = Polygon::new(self.outline.corners().iter().map(back).collect()).ok()?;
        let course = self
            .course
            .as_ref()
            .map(|c| Course { line: c.line.iter().map(back).collect(), width_mm: c.width_mm });
        Some(Self { what: self.what.clone(), outline, course, rise_mm: self.rise_mm })
    }

    fn compared(&self, made: &Rectified) -> Result<Moved, NotSeen> {
        let standing = || compare_standing(made, &self.outline, self.rise_mm);
        self.course.as_ref().map_or_else(standing, |c| compare_course(made, c))
    }

    /// The way from end to end of a river or road.
    fn way(&self) -> Option<Vector> {
        let line = &self.course.as_ref()?.line;
        (line.last()? - line.first()?).try_normalize(1e-9)
    }

    /// As long a shift, square to the way of a river or road.
    fn across(&self, by: Vector) -> Vector {
        let sign = |way: Vector| if way.x * by.y - way.y * by.x >= 0.0 { 1.0 } else { -1.0 };
        self.way().map_or(by, |way| Vector::new(-way.y, way.x) * sign(way) * by.norm())
    }

    /// The part of a shift that a picture can show: of a river or road that across it.
    fn seen_part(&self, by: Vector) -> Vector {
        self.way().map_or(by, |way| by - way * by.dot(&way))
    }
}

/// Runs it.
///
/// # Errors
/// A folder that cannot be read, a table that cannot be drawn.
pub fn run(args: &OutlinesArgs) -> Result<(), Failure> {
    let found = match &args.scenes {
        Some(dir) => outline_scenes(dir, args.seed, args.each)?,
        None => outline_tables(args.tables, args.seed, args.each)?,
    };
    say(
        "kind                 features  places  refused  overlap: median  least  0.9 and more  rim off RMS  claimed  shift off RMS  claimed",
    );
    for (kind, f) in &found {
        if kind == CLOTH {
            let all = f.refused + f.overlaps.len();
            say(format!("{kind:20} pointed at {all} times: refused {}", f.refused));
            continue;
        }
        let mut overlaps = f.overlaps.clone();
        overlaps.sort_by(f64::total_cmp);
        let median = overlaps.get(overlaps.len() / 2).copied().unwrap_or(0.0);
        let least = overlaps.first().copied().unwrap_or(0.0);
        let good = overlaps.iter().filter(|o| **o >= 0.9).count();
        let (off, claimed) = rms(&f.rims_mm);
        let (shift, shift_claimed) = rms(&f.shifts_mm);
        say(format!(
            "{kind:20} {:8}  {:6}  {:7}  {median:15.3}  {least:5.3}  {good:12}  {off:11.2}  {claimed:7.2}  {shift:13.2}  {shift_claimed:7.2}",
            f.features,
            f.refused + f.overlaps.len(),
            f.refused,
        ));
    }
    say("told of each change: moved by 3 mm or more, turned, of those compared; not compared");
    for (kind, f) in found.iter().filter(|(kind, _)| *kind != CLOTH) {
        let all = CHANGES.iter().filter_map(|(change, ..)| Some((change, f.changes.get(change)?)));
        let all = all.map(|(change, said)| {
            format!("{change} {}, {} of {}; {}", said.told, said.turn_told, said.asked, said.unseen)
        });
        say(format!("{kind:30} {}", all.collect::<Vec<_>>().join(" | ")));
    }
    Ok(())
}

/// What pointing at the bare cloth is counted under.
const CLOTH: &str = "the bare cloth";

fn rms(pairs: &[(f64, f64)]) -> (f64, f64) {
    let n = pairs.len().max(1) as f64;
    let of = |pick: fn(&(f64, f64)) -> f64| (pairs.iter().map(|p| pick(p).powi(2)).sum::<f64>() / n).sqrt();
    (of(|p| p.0), of(|p| p.1))
}

#[derive(Deserialize)]
struct TruthFile {
    #[serde(default)]
    terrain: Vec<Drawn>,
}

/// Terrain of the path-traced scenes: a wood is a rectangle, a hill an ellipse, told by their middle and sides.
#[derive(Deserialize)]
struct Drawn {
    kind: String,
    x: f64,
    y: f64,
    w: f64,
    d: f64,
}

impl Drawn {
    fn outline(&self) -> Option<Polygon> {
        let at = |u: f64, v: f64| Point::new(self.x + u * self.w / 2.0, self.y + v * self.d / 2.0);
        let corners = match self.kind.as_str() {
            "wood" => [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)].map(|(u, v)| at(u, v)).to_vec(),
            _ => (0..90).map(|n| f64::from(n).to_radians() * 4.0).map(|a| at(a.cos(), a.sin())).collect(),
        };
        Polygon::new(corners).ok()
    }
}

/// Over photographs whose truth has terrain.
///
/// # Errors
/// A folder that cannot be read.
pub fn outline_scenes(dir: &Path, seed: u64, each: bool) -> Result<BTreeMap<String, OutlineFigure>> {
    let mut found = BTreeMap::new();
    for name in scenes_of(dir)? {
        let text = std::fs::read_to_string(dir.join(format!("{name}.truth.json")))?;
        let drawn: TruthFile = serde_json::from_str(crate::text::without_mark(&text))?;
        let scene = verify_scene(dir, &name, LensUse::Profile)?;
        let frame = Photographs::single(&dir.join(format!("{name}.jpg")))?.next_frame()?;
        let frame = frame.context("a photograph gives one frame")?;
        let bases = scene.known.elements.iter().filter_map(|e| {
            let pose = e.fresh_pose(&scene.reading.snapshot)?;
            Some((e.footprint(pose.pose)?.outline().to_vec(), FIGURES_MM))
        });
        let Some(made) = above(&frame, &scene.reading, scene.known.board_mm, bases.collect())? else {
            continue;
        };
        let there: Vec<There> = drawn
            .terrain
            .iter()
            .filter_map(|d| {
                Some(There {
                    what: format!("{} of {name}", d.kind),
                    outline: d.outline()?,
                    course: None,
                    rise_mm: 0.0,
                })
            })
            .collect();
        measure(
            &made,
            &there,
            seed ^ name.bytes().fold(0, |sum, b| sum * 31 + u64::from(b)),
            each,
            &mut found,
        );
    }
    Ok(found)
}

/// Over simulated tables with the sample armies.
///
/// # Errors
/// A table that cannot be drawn.
pub fn outline_tables(tables: u32, seed: u64, each: bool) -> Result<BTreeMap<String, OutlineFigure>> {
    let mut found = BTreeMap::new();
    let bar = progress(tables as usize, "tables");
    let (table, roster) = (samples::table(), samples::roster());
    for n in 0..u64::from(tables) {
        let own = seed.wrapping_mul(1000) + n;
        let scene = scene_from(&table, &roster, own)?;
        let mut camera = SimulatedCamera::new(scene, SimSettings::default(), own)?;
        let frame = camera.next_frame()?.context("the simulated camera gives a frame")?;
        let mut pipeline =
            Pipeline::new(tag_book(&table, &roster), camera.lens(), PipelineSettings::default())?;
        let reading = pipeline.take(&frame);
        let readings = read_elements(&roster, &reading.snapshot);
        if let Some(made) = above(&frame, &reading, table.board_mm, standing(&roster, &readings))? {
            let there: Vec<There> = camera.terrain().iter().map(of_truth).collect();
            measure(&made, &there, own, each, &mut found);
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(found)
}

fn of_truth(t: &TrueTerrain) -> There {
    let word = match t.sort {
        TerrainSort::Wood => "wood",
        TerrainSort::PaintedHill => "painted hill",
        TerrainSort::Hill => "stepped hill",
        TerrainSort::River => "river",
        TerrainSort::Road => "road",
    };
    let what = if t.crossed { format!("{word}, partly hidden") } else { word.to_owned() };
    let course = t.course.clone().map(|(line, width_mm)| Course { line, width_mm });
    let rise_mm = if t.sort == TerrainSort::Hill { t.height_mm } else { 0.0 };
    There { what, outline: t.outline.clone(), course, rise_mm }
}

fn above(
    frame: &Frame,
    reading: &Reading,
    board_mm: (f64, f64),
    bases: Vec<(Vec<Point>, f64)>,
) -> Result<Option<Rectified>> {
    let Some(camera) = &reading.camera else { return Ok(None) };
    Ok(Some(rectify(frame, camera, board_mm, &Cover::all(bases, &reading.detections))?))
}

fn measure(
    made: &Rectified,
    there: &[There],
    seed: u64,
    each: bool,
    found: &mut BTreeMap<String, OutlineFigure>,
) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6f75_746c);
    let mut between = |low: f64, high: f64| low + (high - low) * rng.random::<f64>();
    let bare = |p: Point| made.index(p).is_some_and(|n| made.shown[n]);
    for thing in there {
        let figure = found.entry(thing.what.clone()).or_default();
        figure.features += 1;
        let (low, high) = thing.outline.bounds();
        let mut left = PLACES;
        for _ in 0..400 {
            let at = Point::new(between(low.x, high.x), between(low.y, high.y));
            if left == 0 || thing.outline.depth_of(at).0 < DEEP_MM || !bare(at) {
                continue;
            }
            left -= 1;
            match propose(made, at) {
                Ok(p) => {
                    let overlap = overlap(&p.outline, &thing.outline);
                    figure.overlaps.push(overlap);
                    figure.rims_mm.push((apart(&p.outline, &thing.outline), p.sigma_mm));
                    if each {
                        say(format!("{} at {:.0}, {:.0}: overlap {overlap:.3}", thing.what, at.x, at.y));
                    }
                }
                Err(why) => {
                    figure.refused += 1;
                    if each {
                        say(format!("{} at {:.0}, {:.0}: {why}", thing.what, at.x, at.y));
                    }
                }
            }
        }
        for (change, mm, deg) in CHANGES {
            let angle = between(0.0, std::f64::consts::TAU);
            let turn = if between(0.0, 1.0) < 0.5 { -deg } else { deg };
            let by = Vector::new(angle.cos(), angle.sin()) * mm;
            let told = figure.changes.entry(change).or_default();
            match thing.written(by, turn).map(|written| written.compared(made)) {
                Some(Ok(moved)) => {
                    let along = thing.across(by);
                    figure.shifts_mm.push((
                        (thing.seen_part(moved.by) - along).norm(),
                        moved.sigma_mm * std::f64::consts::SQRT_2,
                    ));
                    told.told += usize::from(moved.is_told());
                    told.turn_told += usize::from(moved.turn_is_told());
                    told.asked += 1;
                    if each {
                        let (mm, sigma, turn) = (moved.mm(), moved.sigma_mm, moved.turn_deg);
                        let (what, shown) = (&thing.what, moved.shown);
                        say(format!(
                            "{what}, {change}: {mm:.2} \u{b1} {sigma:.2} mm, turned {:.2} \u{b1} {:.2} degrees, {shown:.2} shown",
                            turn.0, turn.1
                        ));
                    }
                }
                Some(Err(_)) => told.unseen += 1,
                None => {}
            }
        }
    }
    let cloth = found.entry(CLOTH.to_owned()).or_default();
    let mut left = PLACES;
    for _ in 0..400 {
        let at = Point::new(between(0.05, 0.95) * made.board_mm.0, between(0.05, 0.95) * made.board_mm.1);
        if left == 0 || !bare(at) || there.iter().any(|t| t.outline.depth_of(at).0 > -20.0) {
            continue;
        }
        left -= 1;
        match propose(made, at) {
            Ok(_) => cloth.overlaps.push(0.0),
            Err(_) => cloth.refused += 1,
        }
    }
}

/// The area that two outlines share over the area that either covers, on a grid of a millimetre.
pub(super) fn overlap(a: &Polygon, b: &Polygon) -> f64 {
    let ((low_a, high_a), (low_b, high_b)) = (a.bounds(), b.bounds());
    let (left, right) = (low_a.x.min(low_b.x) as i64 - 1, high_a.x.max(high_b.x) as i64 + 1);
    let (near, far) = (low_a.y.min(low_b.y) as i64 - 1, high_a.y.max(high_b.y) as i64 + 1);
    let (mut both, mut either) = (0u32, 0u32);
    for x in left..right {
        for y in near..far {
            let p = Point::new(x as f64 + 0.5, y as f64 + 0.5);
            let (in_a, in_b) = (a.holds(p), b.holds(p));
            both += u32::from(in_a && in_b);
            either += u32::from(in_a || in_b);
        }
    }
    f64::from(both) / f64::from(either.max(1))
}

/// How far the rim of one outline is from that of another, root mean square over points of the first.
fn apart(a: &Polygon, b: &Polygon) -> f64 {
    let points =
        a.edges().flat_map(|e| (0..8).map(move |k| e.start + (e.end - e.start) * (f64::from(k) / 8.0)));
    let squares: Vec<f64> = points.map(|p| b.depth_of(p).0.powi(2)).collect();
    (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt()
}
