//! `groma study sigma`: over varied tables, how far base corners are off and how often they lie inside
//! their own 95 % ellipse.

use super::draw::Drawn;
use super::figures::{self, Csv, number, percent};
use super::parts::{Part, Parts, parts};
use super::progress;
use super::sight::{Made, Shows, Sight, Tally, sights};
use crate::cli::{Failure, say};
use crate::vision::sim::Clutter;
use anyhow::Result;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `groma study sigma`.
#[derive(Debug, clap::Args)]
pub struct SigmaArgs {
    /// How many tables.
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    tables: u32,
    /// Which tables.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// Where to write every element's errors, as CSV.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// Every so many tables one is read again without the lens profile.
const WITHOUT_PROFILE_EVERY: u32 = 2;

/// Whether the pipeline was given the lens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum LensUse {
    Profile,
    Estimated,
}

impl LensUse {
    fn name(self) -> &'static str {
        match self {
            Self::Profile => "profile",
            Self::Estimated => "estimated",
        }
    }
}

/// One element's sight and the table it was seen on.
struct Case {
    table: u32,
    lens: LensUse,
    drawn: Drawn,
    sight: Sight,
    parts: Option<Parts>,
}

/// What the study found.
#[derive(Debug, Clone, Default)]
pub struct SigmaFigures {
    /// Whole tags with the lens profile given.
    pub whole: Tally,
    /// Crossed tags with the lens profile given.
    pub crossed: Tally,
    /// Whole tags, the lens estimated.
    pub estimated: Tally,
    /// Whole tags with the profile, by what may matter.
    pub strata: BTreeMap<String, Tally>,
    /// Whole tags' errors in parts, with the profile and without: each part's squared errors in claimed sigmas.
    parts: BTreeMap<(LensUse, &'static str), Vec<Part>>,
    /// Readings that could not be placed on the table, and why.
    pub unplaced: Vec<String>,
    /// Covered tags that were given a fresh pose.
    pub wrongly_seen: usize,
}

/// Runs it.
///
/// # Errors
/// An output that cannot be written, a table that cannot be drawn.
pub fn run(args: &SigmaArgs) -> Result<(), Failure> {
    figures::check(args.out.as_ref(), None)?;
    let (figures, csv) = sigma_study(args.tables, args.seed)?;
    csv.write(args.out.as_ref())?;
    say(
        "squared errors in claimed sigmas: of a true claim 50, 90, 95 and 99 in 100 stay within 1.39, 4.61, 5.99 and 9.21",
    );
    say("tables                     tags found ghosts RMS mm worst  head° in95%  at50  at90  at95   at99");
    let lines = [
        ("all whole", &figures.whole),
        ("all crossed", &figures.crossed),
        ("whole, no lens profile", &figures.estimated),
    ];
    for (name, tally) in lines {
        say(line(name, tally));
    }
    for (name, tally) in &figures.strata {
        say(line(name, tally));
    }
    say("errors of bases' middles in parts  tags RMS mm sigma   at50  at90  at95   at99");
    for ((lens, part), of) in &figures.parts {
        say(part_line(&format!("{part}, {}", lens.name()), of));
    }
    for why in &figures.unplaced {
        say(format!("not placed: {why}"));
    }
    say(format!(
        "{} tables could not be placed; {} covered tags were given a fresh pose",
        figures.unplaced.len(),
        figures.wrongly_seen
    ));
    Ok(())
}

fn part_line(name: &str, of: &[Part]) -> String {
    let mut squares: Vec<f64> = of.iter().map(|p| p.normalised2).collect();
    squares.sort_by(f64::total_cmp);
    let at = |share: f64| squares.get((share * squares.len() as f64) as usize).copied();
    let rms = |f: fn(&Part) -> f64| (of.iter().map(|p| f(p).powi(2)).sum::<f64>() / of.len() as f64).sqrt();
    format!(
        "{name:34} {:4} {:6.4} {:6.4} {:>5} {:>5} {:>5} {:>6}",
        of.len(),
        rms(|p| p.off_mm),
        rms(|p| p.sigma_mm),
        number(at(0.5), 2),
        number(at(0.9), 2),
        number(at(0.95), 2),
        number(at(0.99), 2)
    )
}

fn line(name: &str, t: &Tally) -> String {
    let at = |share| number(t.normalised2_at(share), 2);
    format!(
        "{name:26} {:4} {:5} {:6} {:>6} {:>5} {:>6} {:>5} {:>5} {:>5} {:>5} {:>6}",
        t.sights,
        t.found,
        t.ghosts,
        number(t.corner.rms(), 3),
        number(t.corner.worst(), 2),
        number(t.heading.rms(), 3),
        percent(t.inside_95()),
        at(0.5),
        at(0.9),
        at(0.95),
        at(0.99)
    )
}

/// Reads `tables` tables drawn from `seed`.
///
/// # Errors
/// A table that cannot be drawn.
pub fn sigma_study(tables: u32, seed: u64) -> Result<(SigmaFigures, Csv)> {
    let bar = progress(tables as usize, "sigma");
    let mut figures = SigmaFigures::default();
    let mut csv = Csv::new("sigma", &COLUMNS);
    for number in 0..tables {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(u64::from(number));
        let drawn = Drawn::varied(&mut rng)?;
        let photograph = drawn.photograph()?;
        let lenses = [LensUse::Profile, LensUse::Estimated];
        let count = if number % WITHOUT_PROFILE_EVERY == 0 { 2 } else { 1 };
        for lens in lenses.into_iter().take(count) {
            let profile = (lens == LensUse::Profile).then_some(photograph.camera.lens);
            let reading = drawn.pipeline(profile)?.take(&photograph.frame);
            let found = match (&reading.registration, &reading.camera) {
                (Ok(_), Some(camera)) => camera,
                (Ok(_), None) => continue,
                (Err(why), _) => {
                    figures.unplaced.push(format!("table {number}, lens {}: {why}", lens.name()));
                    continue;
                }
            };
            let (truth, snapshot) = (&photograph.truth, &reading.snapshot);
            let parts = parts(&drawn.roster, truth, snapshot, (&photograph.camera, found));
            for sight in sights(&drawn.roster, &photograph.truth, &reading.snapshot) {
                let parts = parts.get(&sight.name).copied();
                let case = Case { table: number, lens, drawn: drawn.clone(), sight, parts };
                csv.row(&case.row());
                figures.count(&case);
            }
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok((figures, csv))
}

impl SigmaFigures {
    fn count(&mut self, case: &Case) {
        let sight = &case.sight;
        if let (Shows::Whole, Some(both), true) = (sight.shows, case.parts, sight.is_found()) {
            for (name, part) in [("camera", both.camera), ("reading", both.reading)] {
                self.parts.entry((case.lens, name)).or_default().push(part);
            }
        }
        match (sight.shows, case.lens) {
            (Shows::Whole, LensUse::Profile) => {
                self.whole.add(sight);
                for stratum in case.strata() {
                    self.strata.entry(stratum).or_default().add(sight);
                }
            }
            (Shows::Whole, LensUse::Estimated) => self.estimated.add(sight),
            (Shows::Crossed, LensUse::Profile) => {
                self.crossed.add(sight);
                let share = band(100.0 * sight.visible, &[50.0, 80.0, 90.0, 95.0]);
                self.strata.entry(format!("crossed, shows {share} %")).or_default().add(sight);
            }
            (Shows::Crossed, LensUse::Estimated) => {}
            (Shows::Covered, _) => self.wrongly_seen += usize::from(sight.made != Made::Nothing),
        }
    }
}

/// The name of the band that `value` lies in, bands beginning at these.
fn band(value: f64, from: &[f64]) -> String {
    let at = from.iter().rposition(|f| value >= *f);
    match at {
        None => format!("below {}", from[0]),
        Some(last) if last + 1 == from.len() => format!("from {}", from[last]),
        Some(i) => format!("{} to {}", from[i], from[i + 1]),
    }
}

const COLUMNS: [&str; 30] = [
    "table",
    "lens",
    "resolution",
    "field_of_view_deg",
    "k1",
    "blur_px",
    "noise",
    "exposure",
    "jpeg",
    "clutter",
    "lean_deg",
    "references",
    "element",
    "family",
    "size_mm",
    "side_px",
    "mount_mm",
    "visible",
    "made",
    "corner_rms_mm",
    "corner_worst_mm",
    "heading_deg",
    "sigma_mm",
    "normalised2_worst",
    "camera_mm",
    "camera_sigma_mm",
    "camera_normalised2",
    "reading_mm",
    "reading_sigma_mm",
    "reading_normalised2",
];

impl Case {
    fn strata(&self) -> Vec<String> {
        let (settings, sight) = (&self.drawn.settings, &self.sight);
        let flat = if sight.height_mm > 3.0 { "raised" } else { "flat" };
        vec![
            format!("resolution {}", self.drawn.resolution.name()),
            format!("square px {}", band(sight.side_px, &[14.0, 18.0, 24.0])),
            format!("{}", sight.family),
            format!("mount {flat}"),
            format!("clutter {}", clutter(settings.clutter)),
            format!("grain {}", band(settings.noise, &[0.5, 1.0, 1.5])),
            format!("blur px {}", band(settings.blur_px, &[0.4, 0.6, 0.9])),
            format!("exposure {}", band(settings.exposure, &[0.5, 0.7, 0.9])),
            format!("field of view {}", band(settings.field_of_view_deg, &[50.0, 65.0, 80.0])),
            format!("leaning {}", band(self.drawn.view.lean_deg, &[0.0, 12.0, 24.0])),
            format!("JPEG {}", settings.jpeg_quality.map_or("none".to_owned(), |q| q.to_string())),
            format!("reference tags {}", self.drawn.table.reference.len()),
        ]
    }

    fn row(&self) -> Vec<String> {
        let (drawn, sight) = (&self.drawn, &self.sight);
        let settings = &drawn.settings;
        let mut row = vec![
            self.table.to_string(),
            self.lens.name().to_owned(),
            drawn.resolution.name().to_owned(),
            number(Some(settings.field_of_view_deg), 1),
            number(Some(settings.distortion.k1), 4),
            number(Some(settings.blur_px), 2),
            number(Some(settings.noise), 2),
            number(Some(settings.exposure), 2),
            settings.jpeg_quality.map_or("none".to_owned(), |q| q.to_string()),
            clutter(settings.clutter).to_owned(),
            number(Some(drawn.view.lean_deg), 1),
            drawn.table.reference.len().to_string(),
            sight.name.clone(),
            sight.family.to_string(),
            number(Some(sight.size_mm), 1),
            number(Some(sight.side_px), 2),
            number(Some(sight.height_mm), 1),
            number(Some(sight.visible), 3),
        ];
        row.extend(match &sight.made {
            Made::Nothing => missing("not_found"),
            Made::Ghost => missing("ghost"),
            Made::Found { corners, heading_deg, sigma_mm } => {
                let squares: f64 = corners.iter().map(|c| c.off.norm_squared()).sum();
                let worst = |f: fn(&crate::cli::accuracy::CornerError) -> f64| {
                    corners.iter().map(f).fold(0.0, f64::max)
                };
                vec![
                    "found".to_owned(),
                    number(Some((squares / corners.len().max(1) as f64).sqrt()), 4),
                    number(Some(worst(|c| c.off.norm())), 4),
                    number(Some(*heading_deg), 4),
                    number(Some(*sigma_mm), 4),
                    number(Some(worst(|c| c.normalised2)), 2),
                ]
            }
        });
        let parts = self.parts.map(|p| [p.camera, p.reading]);
        for part in 0..2 {
            let of = |f: fn(&Part) -> f64, digits| number(parts.map(|p| f(&p[part])), digits);
            row.extend([of(|p| p.off_mm, 4), of(|p| p.sigma_mm, 4), of(|p| p.normalised2, 2)]);
        }
        row
    }
}

fn missing(made: &str) -> Vec<String> {
    std::iter::once(made.to_owned()).chain(std::iter::repeat_n(String::new(), 5)).collect()
}

fn clutter(clutter: Clutter) -> &'static str {
    match clutter {
        Clutter::None => "none",
        Clutter::Troops => "troops",
        Clutter::Figures => "figures",
        Clutter::Heavy => "heavy",
    }
}
