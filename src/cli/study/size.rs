//! `groma study size`: tags of 6 to 20 mm of every family, in three resolutions, from straight above and from 30
//! degrees: how many are found, and how far off, by plain AprilTag, by Groma from the photograph alone, and by
//! Groma following (told about where each tag was before).

use super::draw::{Drawn, Mounting, Resolution, element, free_ids, normal, roster, table};
use super::figures::{self, Csv, number, percent};
use super::plot::{Curve, Legend, Panel, drawing};
use super::progress;
use super::sight::{Made, Shows, Sight, Tally, sights};
use crate::cli::accuracy::{corner_errors, found};
use crate::cli::{Failure, outputs, say};
use crate::geometry::{Pose, Vector};
use crate::judge::{base_from_tag, tag_book};
use crate::rules::Side;
use crate::tracking::{Tag, TagFamily};
use crate::vision::location::fit_flat;
use crate::vision::sim::{Clutter, Motion, SimSettings, Truth, View};
use crate::vision::{CameraModel, Reading};
use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `groma study size`.
#[derive(Debug, clap::Args)]
pub struct SizeArgs {
    /// Tables of each kind, each of up to 20 tags.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,
    /// Which tables.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// Pictures' sizes: 720p, 1080p, 2160p. All of them where none is given.
    #[arg(long, value_delimiter = ',')]
    resolution: Vec<Resolution>,
    /// Where to write the figures, as CSV.
    #[arg(long)]
    out: Option<PathBuf>,
    /// Where to draw them, as SVG.
    #[arg(long)]
    plot: Option<PathBuf>,
}

/// Sides of the square that the detector returns, millimetres.
const SIZES_MM: [f64; 8] = [6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0];
/// From straight above, degrees.
const LEANING_DEG: [f64; 2] = [0.0, 30.0];
/// How far from its place and heading a followed tag is said to have been, one sigma on each axis. Following
/// leaves less; a base that is nudged between two frames moves so much.
const BEFORE_MM: f64 = 0.3;
const BEFORE_DEG: f64 = 1.0;

/// One tag, read in each way.
#[derive(Debug, Clone)]
pub struct SizeFigure {
    /// The picture's size.
    resolution: Resolution,
    /// Degrees from straight above.
    leaning_deg: f64,
    /// By the detector's corners.
    pub plain: Sight,
    /// From the photograph alone.
    pub groma: Sight,
    /// Told about where it was.
    pub followed: Sight,
}

/// Runs it.
///
/// # Errors
/// An output that cannot be written, a table that cannot be drawn.
pub fn run(args: &SizeArgs) -> Result<(), Failure> {
    figures::check(args.out.as_ref(), args.plot.as_ref())?;
    let all = Resolution::ALL;
    let resolutions = if args.resolution.is_empty() { &all[..] } else { &args.resolution };
    let figures = size_study(args.tables, args.seed, resolutions, &TagFamily::ALL)?;
    print_by_pixels(&figures);
    table_of(&figures).write(args.out.as_ref())?;
    if let Some(path) = &args.plot {
        outputs::write(&[(path.as_path(), plot(&figures).as_bytes())])?;
    }
    Ok(())
}

/// Every tag of every kind of table. Bases are bare, the cloth is textured, grain, blur and JPEG are an ordinary
/// webcam's, the lens profile is given.
///
/// # Errors
/// A table that cannot be drawn.
pub fn size_study(
    tables: u32,
    seed: u64,
    resolutions: &[Resolution],
    families: &[TagFamily],
) -> Result<Vec<SizeFigure>> {
    let kinds = resolutions.len() * LEANING_DEG.len() * families.len() * SIZES_MM.len();
    let bar = progress(kinds * tables as usize, "size");
    let mut figures = Vec::new();
    let mut stream = 0;
    for &resolution in resolutions {
        for leaning_deg in LEANING_DEG {
            for &family in families {
                for size_mm in SIZES_MM {
                    for _ in 0..tables {
                        let mut rng = ChaCha8Rng::seed_from_u64(seed);
                        rng.set_stream(stream);
                        stream += 1;
                        one_table(&mut rng, (resolution, leaning_deg, family, size_mm), &mut figures)?;
                        bar.inc(1);
                    }
                }
            }
        }
    }
    bar.finish_and_clear();
    Ok(figures)
}

fn one_table(
    rng: &mut ChaCha8Rng,
    (resolution, leaning_deg, family, size_mm): (Resolution, f64, TagFamily, f64),
    figures: &mut Vec<SizeFigure>,
) -> Result<()> {
    let table = table((600.0, 600.0), 4);
    let first = free_ids(family).start;
    let elements = (0..20u32).map(|n| {
        let side = if n % 2 == 0 { Side::Red } else { Side::Blue };
        element(format!("{n}"), side, Tag::new(family, first + n), size_mm, Mounting::Bare, "CP")
    });
    let roster = roster(&table, elements.collect())?;
    let (width, height) = resolution.size();
    let settings = SimSettings { clutter: Clutter::None, motion: Motion::Still, ..SimSettings::default() };
    let view = View { lean_deg: leaning_deg, ..View::default() };
    let settings = settings.with_size(width, height);
    let drawn = Drawn { seed: rng.random(), table, roster, settings, resolution, view };
    let photograph = drawn.photograph()?;
    let mut pipeline = drawn.pipeline(Some(photograph.camera.lens))?;
    let alone = pipeline.take(&photograph.frame);
    pipeline.expect(before(&photograph.truth, rng));
    let told = pipeline.take(&photograph.frame);
    let groma = sights(&drawn.roster, &photograph.truth, &alone.snapshot);
    let followed = sights(&drawn.roster, &photograph.truth, &told.snapshot);
    for (groma, followed) in groma.into_iter().zip(followed) {
        if groma.shows != Shows::Whole {
            continue;
        }
        let plain = plain(&drawn, &photograph.truth, &alone, &groma);
        figures.push(SizeFigure { resolution, leaning_deg, plain, groma, followed });
    }
    Ok(())
}

/// Where each tag is said to have been.
fn before(truth: &Truth, rng: &mut ChaCha8Rng) -> BTreeMap<Tag, Pose> {
    let tags = truth.bases.iter().flat_map(|base| &base.tags);
    tags.map(|tag| {
        let shift = Vector::new(normal(rng), normal(rng)) * BEFORE_MM;
        (tag.tag, tag.pose.nudged(shift, (normal(rng) * BEFORE_DEG).to_radians()))
    })
    .collect()
}

/// What plain AprilTag's corners make of an element: the tag laid flat through them at its own height.
fn plain(drawn: &Drawn, truth: &Truth, reading: &Reading, sight: &Sight) -> Sight {
    let place = || {
        let element = drawn.roster.element(&sight.name)?;
        let mount = element.tags.first()?;
        let known = *tag_book(&drawn.table, &drawn.roster).known.get(&mount.tag)?;
        let camera: &CameraModel = reading.camera.as_ref()?;
        let detection = reading.detections.iter().find(|d| d.tag == mount.tag)?;
        let flat = fit_flat(camera, &known, &detection.corners_px)?;
        let base = base_from_tag(mount, &crate::geometry::PoseEstimate::exact(flat.pose));
        let real = truth.base(&sight.name)?.pose;
        Some(if found(&base.pose, &real) {
            Made::Found {
                corners: corner_errors([element.base.width_mm, element.base.depth_mm], &base, &real),
                heading_deg: base.pose.heading.turn_to_radians(real.heading).to_degrees(),
                sigma_mm: 0.0,
            }
        } else {
            Made::Ghost
        })
    };
    Sight { made: place().unwrap_or(Made::Nothing), ..sight.clone() }
}

/// One row for each resolution, leaning, family and size.
fn table_of(figures: &[SizeFigure]) -> Csv {
    let mut csv = Csv::new(
        "size",
        &[
            "resolution",
            "leaning_deg",
            "family",
            "size_mm",
            "square_px",
            "tags",
            "plain_found",
            "groma_found",
            "followed_found",
            "plain_rms_mm",
            "groma_rms_mm",
            "followed_rms_mm",
            "followed_worst_mm",
            "groma_ghosts",
        ],
    );
    let mut kinds: BTreeMap<(Resolution, u32, TagFamily, u32), Vec<&SizeFigure>> = BTreeMap::new();
    for f in figures {
        let kind = (f.resolution, f.leaning_deg as u32, f.groma.family, f.groma.size_mm as u32);
        kinds.entry(kind).or_default().push(f);
    }
    for ((resolution, leaning, family, size), of) in kinds {
        let tallies = Ways::of(of.iter().copied());
        let mean_px = of.iter().map(|f| f.groma.side_px).sum::<f64>() / of.len() as f64;
        csv.row(&[
            resolution.name().to_owned(),
            leaning.to_string(),
            family.to_string(),
            size.to_string(),
            number(Some(mean_px), 1),
            of.len().to_string(),
            tallies.plain.found.to_string(),
            tallies.groma.found.to_string(),
            tallies.followed.found.to_string(),
            number(tallies.plain.corner.rms(), 3),
            number(tallies.groma.corner.rms(), 3),
            number(tallies.followed.corner.rms(), 3),
            number(tallies.followed.corner.worst(), 3),
            tallies.groma.ghosts.to_string(),
        ]);
    }
    csv
}

/// The three ways over the same tags.
struct Ways {
    plain: Tally,
    groma: Tally,
    followed: Tally,
}

impl Ways {
    fn of<'a>(figures: impl Iterator<Item = &'a SizeFigure> + Clone) -> Self {
        Self {
            plain: Tally::of(figures.clone().map(|f| &f.plain)),
            groma: Tally::of(figures.clone().map(|f| &f.groma)),
            followed: Tally::of(figures.map(|f| &f.followed)),
        }
    }
}

/// Pixels of the square at which bands begin; each is a pixel wide up to 16.
const BANDS_PX: [f64; 15] =
    [5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 16.0, 20.0, 26.0, 40.0, 200.0];

/// The bands with those of the tags that are `wanted`.
fn bands(figures: &[SizeFigure], wanted: impl Fn(&SizeFigure) -> bool) -> Vec<(f64, f64, Ways, usize)> {
    BANDS_PX
        .windows(2)
        .filter_map(|ends| {
            let in_band = |f: &&SizeFigure| (ends[0]..ends[1]).contains(&f.groma.side_px) && wanted(f);
            let of = figures.iter().filter(in_band);
            let count = of.clone().count();
            (count > 0).then(|| (ends[0], ends[1], Ways::of(of), count))
        })
        .collect()
}

fn print_by_pixels(figures: &[SizeFigure]) {
    let families = TagFamily::ALL.map(Some);
    for family in families {
        say(format!("\n{}", family.map_or("all".to_owned(), |f| f.to_string())));
        say("square px   tags  plain %  photo %  followed %  plain RMS mm  photo  followed  worst");
        for (from, to, ways, count) in
            bands(figures, |f| family.is_none_or(|family| f.groma.family == family))
        {
            say(format!(
                "{from:4} to {to:3} {count:5} {:>8} {:>8} {:>11} {:>13} {:>6} {:>9} {:>6}",
                percent(ways.plain.recall()),
                percent(ways.groma.recall()),
                percent(ways.followed.recall()),
                number(ways.plain.corner.rms(), 3),
                number(ways.groma.corner.rms(), 3),
                number(ways.followed.corner.rms(), 3),
                number(ways.followed.corner.worst(), 2)
            ));
        }
    }
    let ghosts =
        figures.iter().filter(|f| f.groma.made == Made::Ghost || f.followed.made == Made::Ghost).count();
    say(format!("\n{} tags, {ghosts} said to be where they are not", figures.len()));
}

/// What a panel shows of the three ways.
type Shown = fn(&Ways) -> Option<f64>;

/// Recall in each way, and error of those followed, by the square's pixels: four panels a family, a curve for each
/// resolution.
fn plot(figures: &[SizeFigure]) -> String {
    let ways: [(&str, (f64, f64), Shown); 4] = [
        ("plain AprilTag finds, %", (0.0, 100.0), |w| w.plain.recall().map(|v| 100.0 * v)),
        ("Groma finds in a photograph, %", (0.0, 100.0), |w| w.groma.recall().map(|v| 100.0 * v)),
        ("Groma follows, %", (0.0, 100.0), |w| w.followed.recall().map(|v| 100.0 * v)),
        ("base corners followed, RMS mm", (0.0, 0.25), |w| w.followed.corner.rms()),
    ];
    let panels = TagFamily::ALL.into_iter().flat_map(|family| {
        ways.map(|(what, up, shown)| {
            let curve = |resolution: Resolution| {
                let bands = bands(figures, |f| f.groma.family == family && f.resolution == resolution);
                let seen = bands.iter().filter(|(from, ..)| *from < 26.0);
                let point =
                    |(from, to, ways, _): &(f64, f64, Ways, usize)| Some(((from + to) / 2.0, shown(ways)?));
                Curve { name: resolution.name(), points: seen.filter_map(point).collect() }
            };
            Panel {
                title: format!("{family}: {what}"),
                across: "side of the square, pixels",
                range: [(5.0, 24.0), up],
                curves: Resolution::ALL.map(curve).into_iter().filter(|c| !c.points.is_empty()).collect(),
                legend: if up.1 < 1.0 { Legend::Top } else { Legend::Bottom },
            }
        })
    });
    drawing(&panels.collect::<Vec<_>>())
}
