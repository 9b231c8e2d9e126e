//! `groma study contrast`: the same tables printed in dark earth on sand and in black on white, at less and less
//! contrast between the two: how many whole tags are found, and how far off their bases' corners are.

use super::draw::{Drawn, Mounting, Resolution, element, free_ids, one_of, roster, table};
use super::figures::{self, Csv, number, percent};
use super::progress;
use super::sight::{Shows, Sight, Tally, sights};
use crate::cli::sim_scene::scene_from;
use crate::cli::{Failure, say};
use crate::rules::Side;
use crate::tracking::{Tag, TagFamily};
use crate::vision::sim::{Ink, Motion, SimSettings, View};
use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::PathBuf;

/// Arguments of `groma study contrast`.
#[derive(Debug, clap::Args)]
pub struct ContrastArgs {
    /// How many tables, each printed in every way.
    #[arg(long, default_value_t = 12, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,
    /// Which tables.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// Where to write the figures, as CSV.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Shares of an ink's own contrast.
const CONTRASTS: [f64; 4] = [1.0, 0.6, 0.4, 0.25];

/// What was found of one print.
#[derive(Debug, Clone)]
pub struct ContrastFigure {
    /// Its colours.
    pub ink: Ink,
    /// Its contrast, as a share of the ink's own.
    pub contrast: f64,
    /// Whole tags that plain detection finds.
    pub plain_found: usize,
    /// Whole tags as Groma reads them.
    pub groma: Tally,
}

/// Runs it.
///
/// # Errors
/// An output that cannot be written, a table that cannot be drawn.
pub fn run(args: &ContrastArgs) -> Result<(), Failure> {
    figures::check(args.out.as_ref(), None)?;
    let found = contrast_study(args.tables, args.seed)?;
    let mut csv = Csv::new(
        "contrast",
        &[
            "ink",
            "contrast",
            "whole_tags",
            "plain_found",
            "groma_found",
            "ghosts",
            "corner_rms_mm",
            "corner_worst_mm",
            "heading_rms_deg",
            "inside_95",
        ],
    );
    say("ink    contrast  tags  plain %  Groma %  ghosts  RMS mm  worst  head°  in95%");
    for f in &found {
        let t = &f.groma;
        let plain = Some(f.plain_found as f64 / t.sights.max(1) as f64);
        say(format!(
            "{:6} {:7}% {:5} {:>8} {:>8} {:7} {:>7} {:>6} {:>6} {:>6}",
            name(f.ink),
            100.0 * f.contrast,
            t.sights,
            percent(plain),
            percent(t.recall()),
            t.ghosts,
            number(t.corner.rms(), 3),
            number(t.corner.worst(), 2),
            number(t.heading.rms(), 3),
            percent(t.inside_95())
        ));
        csv.row(&[
            name(f.ink).to_owned(),
            number(Some(f.contrast), 2),
            t.sights.to_string(),
            f.plain_found.to_string(),
            t.found.to_string(),
            t.ghosts.to_string(),
            number(t.corner.rms(), 4),
            number(t.corner.worst(), 4),
            number(t.heading.rms(), 4),
            number(t.inside_95(), 4),
        ]);
    }
    csv.write(args.out.as_ref())
}

fn name(ink: Ink) -> &'static str {
    match ink {
        Ink::Black => "black",
        Ink::Earth => "earth",
    }
}

/// Reads `tables` tables drawn from `seed` in every print: 1080p, tags of 10 to 14 mm on a board of 600 mm, all
/// families, the lens profile given.
///
/// # Errors
/// A table that cannot be drawn.
pub fn contrast_study(tables: u32, seed: u64) -> Result<Vec<ContrastFigure>> {
    let prints =
        [Ink::Black, Ink::Earth].into_iter().flat_map(|ink| CONTRASTS.map(|contrast| (ink, contrast)));
    let mut figures: Vec<ContrastFigure> = prints
        .map(|(ink, contrast)| ContrastFigure { ink, contrast, plain_found: 0, groma: Tally::default() })
        .collect();
    let bar = progress(tables as usize * figures.len(), "contrast");
    for n in 0..tables {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(n));
        let drawn = draw(&mut rng, TagFamily::ALL[n as usize % TagFamily::ALL.len()])?;
        for figure in &mut figures {
            let scene =
                scene_from(&drawn.table, &drawn.roster, drawn.seed)?.printed(figure.ink, figure.contrast);
            let photograph = drawn.photograph_of(scene)?;
            let reading = drawn.pipeline(Some(photograph.camera.lens))?.take(&photograph.frame);
            let whole: Vec<Sight> = sights(&drawn.roster, &photograph.truth, &reading.snapshot)
                .into_iter()
                .filter(|sight| sight.shows == Shows::Whole)
                .collect();
            for sight in &whole {
                figure.groma.add(sight);
                let tag = drawn.roster.element(&sight.name).and_then(|e| e.tags.first()).map(|t| t.tag);
                figure.plain_found += usize::from(reading.detections.iter().any(|d| Some(d.tag) == tag));
            }
            bar.inc(1);
        }
    }
    bar.finish_and_clear();
    Ok(figures)
}

fn draw(rng: &mut ChaCha8Rng, family: TagFamily) -> Result<Drawn> {
    let table = table((600.0, 600.0), 4);
    let first = free_ids(family).start;
    let elements = (0..20u32).map(|n| {
        let size_mm = one_of(rng, &[10.0, 12.0, 14.0]);
        let mounting = one_of(rng, &Mounting::ALL);
        let troop = if mounting == Mounting::Bare { "CP" } else { one_of(rng, &["4Bd", "4Sp", "Ps", "Cv"]) };
        let side = if n % 2 == 0 { Side::Red } else { Side::Blue };
        element(format!("{n}"), side, Tag::new(family, first + n), size_mm, mounting, troop)
    });
    let roster = roster(&table, elements.collect())?;
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let view = View { lean_deg: 20.0 * rng.random::<f64>(), ..View::default() };
    Ok(Drawn { seed: rng.random(), table, roster, settings, resolution: Resolution::P1080, view })
}
