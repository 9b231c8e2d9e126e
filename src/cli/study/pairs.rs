//! `groma study pairs`: pairs of enemies set near a limit, photographed many to a picture, read and judged: how often a
//! clear call is right, and how often a question is too close to call.

use super::draw::{Drawn, Mounting, Photograph, Resolution, between, element, normal, one_of, roster, table};
use super::figures::{self, Csv, number, percent};
use super::progress;
use crate::cli::sim_scene::scene_placed;
use crate::cli::{Failure, say};
use crate::geometry::{Footprint, Margin, Point, Pose, Vector, separation};
use crate::judge::{Measured, MountedTag, Verdict, Weighed, read_elements, weigh};
use crate::rules::{Context, Element, Question, Settings, Setup, Side, margin};
use crate::tracking::{Tag, TagFamily};
use crate::vision::sim::{Motion, Placement, Scene, SimSettings, View};
use anyhow::{Result, anyhow};
use clap::ValueEnum;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Arguments of `groma study pairs`.
#[derive(Debug, clap::Args)]
pub struct PairsArgs {
    /// How many pairs, forty to a picture.
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..))]
    pairs: u32,
    /// Which tables.
    #[arg(long, default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
    /// How well the roster knows where tags lie on their bases.
    #[arg(long, value_enum, default_value_t = Mounts::Exact)]
    mounts: Mounts,
    /// Where to write every pair, as CSV.
    #[arg(long)]
    out: Option<PathBuf>,
}

/// How well the roster knows where tags lie on their bases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mounts {
    /// Exactly.
    Exact,
    /// To 0.2 mm along each axis and 0.3 degrees, one sigma, as the jig measures them; they are off by as much.
    Jig,
}

/// What a pair is set near the limit of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Within one base width of each other.
    Distance,
    /// In the other's threat zone.
    Zone,
    /// Front edge on front edge.
    Front,
    /// Front edge on a side edge.
    Flank,
    /// Wholly beyond a flank line.
    FlankLine,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Distance, Self::Zone, Self::Front, Self::Flank, Self::FlankLine];

    fn name(self) -> &'static str {
        match self {
            Self::Distance => "distance",
            Self::Zone => "zone",
            Self::Front => "front contact",
            Self::Flank => "flank contact",
            Self::FlankLine => "flank line",
        }
    }

    fn question(self) -> Question {
        match self {
            Self::Distance => Question::Distance,
            Self::Zone => Question::InZoneOf,
            Self::Front => Question::ContactFront,
            Self::Flank => Question::ContactFlank,
            Self::FlankLine => Question::BehindFlankLine,
        }
    }

    /// The margin of `a` against `b`.
    fn margin(self, a: &Element, b: &Element, context: &Context<'_>) -> Margin {
        let margin = margin(self.question(), a, b, context);
        match self {
            Self::Distance => Margin { mm: context.scale.mm_per_bw() - margin.mm, ..margin },
            Self::Zone | Self::Front | Self::Flank | Self::FlankLine => margin,
        }
    }

    /// A place of `a` near the limit against `b`, and the way to shift it until it is at the limit.
    fn near_limit(self, a: &Element, b: &Element, rng: &mut ChaCha8Rng) -> (Pose, Vector) {
        let there = b.footprint.pose();
        let (wa, da) = (a.footprint.width_mm(), a.footprint.depth_mm());
        let (wb, db) = (b.footprint.width_mm(), b.footprint.depth_mm());
        let turned = |degrees: f64| there.heading.turned_degrees(degrees);
        match self {
            Self::Distance => {
                let way = turned(between(rng, 0.0, 360.0));
                let centre = there.centre + way.vector() * 66.0;
                (Pose { centre, heading: turned(between(rng, 0.0, 360.0)) }, way.vector())
            }
            Self::Zone => {
                let centre = there.at(between(rng, -45.0, 45.0), db / 2.0 + between(rng, 20.0, 55.0));
                let ahead = rng.random_bool(0.7);
                let way = if ahead { there.heading.vector() } else { there.heading.right() };
                (Pose { centre, heading: turned(between(rng, 0.0, 360.0)) }, way)
            }
            Self::Front => {
                let gap = between(rng, 0.05, 1.5);
                let centre = there.at(between(rng, -1.5, 1.5), (da + db) / 2.0 + gap);
                let ahead = rng.random_bool(0.6);
                let way = if ahead { there.heading.vector() } else { there.heading.right() };
                (Pose { centre, heading: turned(180.0 + between(rng, -1.2, 1.2)) }, way)
            }
            Self::Flank => {
                let hand = one_of(rng, &[1.0, -1.0]);
                let right = hand * ((wb + da) / 2.0 + between(rng, 0.05, 1.5));
                let centre = there.at(right, (db - wa) / 2.0 + between(rng, -1.5, 1.5));
                let aside = rng.random_bool(0.6);
                let way = if aside { there.heading.right() } else { there.heading.vector() };
                (Pose { centre, heading: turned(hand * 90.0 + between(rng, -1.2, 1.2)) }, way)
            }
            Self::FlankLine => {
                let hand = one_of(rng, &[1.0, -1.0]);
                let centre = there.at(hand * (wb / 2.0 + 28.0), between(rng, -30.0, 30.0));
                (Pose { centre, heading: turned(between(rng, 0.0, 360.0)) }, there.heading.right())
            }
        }
    }
}

/// Margins are spread evenly to so far from the limit, millimetres.
const SPREAD_MM: f64 = 1.5;
/// Pairs stand on a grid of so many places, so far apart: forty to a table.
const GRID: (usize, usize) = (8, 5);
const PITCH_MM: f64 = 120.0;
/// The least gap between bases, millimetres: bases are solid.
const LEAST_GAP_MM: f64 = 0.02;
/// And between one pair's and another's, millimetres.
const CLEAR_MM: f64 = 4.0;
/// Places tried for one pair before it is set anew.
const TRIES: usize = 200;

/// A pair on the table.
#[derive(Debug, Clone)]
struct Pair {
    kind: Kind,
    a: String,
    b: String,
}

/// One judged pair.
#[derive(Debug, Clone)]
struct Judged {
    kind: Kind,
    truth: Margin,
    weighed: Weighed,
}

impl Judged {
    fn clear(&self) -> bool {
        matches!(self.weighed.verdict(), Verdict::Yes | Verdict::No)
    }

    fn right(&self) -> bool {
        match self.weighed.verdict() {
            Verdict::Yes => self.truth.satisfied(),
            Verdict::No => !self.truth.satisfied(),
            Verdict::TooClose { .. } | Verdict::Held(_) => false,
        }
    }
}

/// Counts of judged pairs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Count {
    /// Judged.
    pub pairs: usize,
    /// Of these called clearly.
    pub clear: usize,
    /// Of these rightly.
    pub right: usize,
}

impl Count {
    fn add(&mut self, judged: &Judged) {
        self.pairs += 1;
        self.clear += usize::from(judged.clear());
        self.right += usize::from(judged.right());
    }

    /// Share of the clear calls that are right; `None` of none.
    pub fn right_share(&self) -> Option<f64> {
        (self.clear > 0).then(|| self.right as f64 / self.clear as f64)
    }

    /// Share too close to call; `None` of none.
    pub fn too_close_share(&self) -> Option<f64> {
        (self.pairs > 0).then(|| (self.pairs - self.clear) as f64 / self.pairs as f64)
    }
}

/// What the study found.
#[derive(Debug, Clone, Default)]
pub struct PairFigures {
    /// Every pair.
    pub all: Count,
    /// By what they were set near the limit of.
    pub kinds: BTreeMap<&'static str, Count>,
    /// By how far from the limit they truly are, in twentieths of a millimetre, rounded down.
    pub bands: BTreeMap<u32, Count>,
    /// Pairs of which one was not read.
    pub unread: usize,
}

impl PairFigures {
    fn add(&mut self, judged: &Judged) {
        self.all.add(judged);
        self.kinds.entry(judged.kind.name()).or_default().add(judged);
        self.bands.entry((judged.truth.mm.abs() * 20.0) as u32).or_default().add(judged);
    }

    /// Pairs truly `mm` from their limit, to 0.05 mm on either side.
    pub fn at(&self, mm: f64) -> Count {
        let middle = (mm * 20.0).round() as u32;
        self.bands.range(middle.saturating_sub(1)..=middle).fold(Count::default(), |sum, (_, c)| Count {
            pairs: sum.pairs + c.pairs,
            clear: sum.clear + c.clear,
            right: sum.right + c.right,
        })
    }
}

/// Runs it.
///
/// # Errors
/// An output that cannot be written, a table that cannot be drawn.
pub fn run(args: &PairsArgs) -> Result<(), Failure> {
    figures::check(args.out.as_ref(), None)?;
    let (found, csv) = pairs_study(args.pairs, args.seed, args.mounts)?;
    csv.write(args.out.as_ref())?;
    say("                     pairs   clear  clear and right %  too close %");
    let show = |name: &str, c: &Count| {
        let (right, close) = (number(c.right_share().map(|s| 100.0 * s), 2), percent(c.too_close_share()));
        say(format!("{name:18} {:7} {:7} {right:>18} {close:>12}", c.pairs, c.clear));
    };
    show("all", &found.all);
    for (name, count) in &found.kinds {
        show(name, count);
    }
    for mm in [1.4, 1.0, 0.75, 0.5, 0.25, 0.1, 0.05] {
        show(&format!("{mm} mm from it"), &found.at(mm));
    }
    say(format!("{} pairs were left out because one of the two was not read", found.unread));
    Ok(())
}

/// Judges `pairs` pairs drawn from `seed`, 1080p, the lens profile given.
///
/// # Errors
/// A table that cannot be drawn.
pub fn pairs_study(pairs: u32, seed: u64, mounts: Mounts) -> Result<(PairFigures, Csv)> {
    let bar = progress(pairs as usize, "pairs");
    let mut csv = Csv::new(
        "pairs",
        &["kind", "true_margin_mm", "margin_mm", "sigma_mm", "probability", "verdict", "right"],
    );
    let mut found = PairFigures::default();
    let mut left = pairs as usize;
    for stream in 0.. {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(stream);
        let count = left.min(GRID.0 * GRID.1);
        let (judged, unread) = one_table(&mut rng, mounts, count)?;
        for judged in &judged {
            found.add(judged);
            csv.row(&[
                judged.kind.name().to_owned(),
                number(Some(judged.truth.mm), 4),
                number(Some(judged.weighed.margin.mm), 4),
                number(Some(judged.weighed.sigma_mm), 4),
                number(Some(judged.weighed.probability), 4),
                judged.weighed.verdict().word().to_owned(),
                judged.right().to_string(),
            ]);
        }
        found.unread += unread;
        left -= count;
        bar.inc(count as u64);
        if left == 0 {
            break;
        }
    }
    bar.finish_and_clear();
    Ok((found, csv))
}

/// Sets up, photographs, reads and judges one table. Gives what was judged, and how many were not read.
fn one_table(rng: &mut ChaCha8Rng, mounts: Mounts, count: usize) -> Result<(Vec<Judged>, usize)> {
    let (drawn, scene, pairs, truth) = set_up(rng, mounts, count)?;
    let Photograph { frame, camera, .. } = drawn.photograph_of(scene)?;
    let reading = drawn.pipeline(Some(camera.lens))?.take(&frame);
    reading
        .registration
        .as_ref()
        .map_err(|why| anyhow!("the study's own table could not be placed: {why}"))?;
    let measured =
        Measured::of(&drawn.table, &drawn.roster, &read_elements(&drawn.roster, &reading.snapshot));
    let settings = Settings::dba3();
    let (seen, real) = (Context::of(&measured.setup, &settings), Context::of(&truth, &settings));
    let mut judged = Vec::new();
    for pair in &pairs {
        let find = |setup: &'_ Setup, name: &str| setup.element(name).cloned();
        let both = |setup: &Setup| find(setup, &pair.a).zip(find(setup, &pair.b));
        let (Some((a, b)), Some((true_a, true_b))) = (both(&measured.setup), both(&truth)) else { continue };
        let (Some(pose_a), Some(pose_b)) = (measured.pose(&pair.a), measured.pose(&pair.b)) else { continue };
        let weighed = weigh(pose_a, pose_b, |pose| {
            let moved = Element { footprint: b.footprint.moved_to(pose), ..b.clone() };
            pair.kind.margin(&a, &moved, &seen)
        });
        judged.push(Judged { kind: pair.kind, truth: pair.kind.margin(&true_a, &true_b, &real), weighed });
    }
    let unread = pairs.len() - judged.len();
    Ok((judged, unread))
}

/// A table with its pairs, and how they truly stand.
fn set_up(rng: &mut ChaCha8Rng, mounts: Mounts, count: usize) -> Result<(Drawn, Scene, Vec<Pair>, Setup)> {
    let board_mm = (GRID.0 as f64 * PITCH_MM, GRID.1 as f64 * PITCH_MM);
    let table = table(board_mm, 4);
    let elements = (0..2 * count as u32).map(|n| {
        let mounting = one_of(rng, &[Mounting::Raised, Mounting::Bare]);
        let troop =
            if mounting == Mounting::Bare { "4Bd" } else { one_of(rng, &["4Bd", "4Sp", "4Bw", "Cv"]) };
        let (side, name) = if n % 2 == 0 { (Side::Red, "a") } else { (Side::Blue, "b") };
        let tag = Tag::new(TagFamily::Tag36h11, 8 + n);
        let mut element = element(format!("{name}{}", n / 2), side, tag, 14.0, mounting, troop);
        if mounts == Mounts::Jig {
            for tag in &mut element.tags {
                tag.offset_sigma_mm = MountedTag::OFFSET_SIGMA_MM;
                tag.rotation_sigma_deg = MountedTag::ROTATION_SIGMA_DEG;
            }
        }
        element
    });
    let roster = roster(&table, elements.collect())?;
    let mut setup = Setup::bare(table.scale, board_mm, Vec::new());
    let mut pairs = Vec::new();
    for n in 0..count {
        let (column, row) = (n % GRID.0, n / GRID.0);
        let middle = [column, row].map(|at| (at as f64 + 0.5) * PITCH_MM);
        let kind = Kind::ALL[rng.random_range(0..Kind::ALL.len())];
        let (a, b) = (format!("a{n}"), format!("b{n}"));
        let stand = |name: &str, pose: Pose| -> Result<Element> {
            let written = roster.element(name).ok_or_else(|| anyhow!("no element {name}"))?;
            let footprint = Footprint::new(pose, written.base.width_mm, written.base.depth_mm)
                .ok_or_else(|| anyhow!("{name} has no size"))?;
            Ok(Element {
                name: name.to_owned(),
                side: written.side,
                troop: written.troop.clone(),
                footprint,
                general: false,
                tower: false,
                overhang: written.overhang,
                location: written.location,
            })
        };
        let (first, second) = near_limit(kind, &stand, (&a, &b), middle, &setup, rng)?;
        setup.elements.extend([first, second]);
        pairs.push(Pair { kind, a, b });
    }
    let placements = setup.elements.iter().map(|e| Placement {
        name: e.name.clone(),
        pose: e.footprint.pose(),
        ground_mm: 0.0,
    });
    let scene = scene_placed(&table, &roster, placements.collect())?;
    let scene = match mounts {
        Mounts::Exact => scene,
        Mounts::Jig => scene.glued(|tag| {
            tag.right_mm += normal(rng) * MountedTag::OFFSET_SIGMA_MM;
            tag.forward_mm += normal(rng) * MountedTag::OFFSET_SIGMA_MM;
            tag.rotation_deg += normal(rng) * MountedTag::ROTATION_SIGMA_DEG;
        }),
    };
    let settings = SimSettings { motion: Motion::Still, ..SimSettings::default() };
    let view = View { lean_deg: between(rng, 0.0, 20.0), aside_deg: between(rng, -8.0, 8.0), roll_deg: 0.0 };
    let drawn = Drawn { seed: rng.random(), table, roster, settings, resolution: Resolution::P1080, view };
    Ok((drawn, scene, pairs, setup))
}

/// Two elements set so that the margin of the first against the second is a number drawn evenly within
/// [`SPREAD_MM`], clear of what stands there already.
fn near_limit(
    kind: Kind,
    stand: &impl Fn(&str, Pose) -> Result<Element>,
    (a, b): (&str, &str),
    middle: [f64; 2],
    setup: &Setup,
    rng: &mut ChaCha8Rng,
) -> Result<(Element, Element)> {
    let settings = Settings::dba3();
    let context = Context { elements: &[], ..Context::of(setup, &settings) };
    for _ in 0..TRIES {
        // A conjunction of conditions (a contact) cannot hold by more than its tolerances: drawn again.
        let wanted = between(rng, -SPREAD_MM, SPREAD_MM);
        let turn = between(rng, 0.0, 360.0);
        let pose = Pose::new(middle[0], middle[1], turn);
        let second = stand(b, pose)?;
        for _ in 0..TRIES / 10 {
            let (start, way) = kind.near_limit(&stand(a, pose)?, &second, rng);
            let first = stand(a, start)?;
            let off = |t: f64| {
                let moved = Element {
                    footprint: first.footprint.moved_to(start.nudged(way * t, 0.0)),
                    ..first.clone()
                };
                kind.margin(&moved, &second, &context).mm - wanted
            };
            let Some(shift) = nearest_root(off) else { continue };
            // The pair's middle stands in the middle of its place; shifting both changes no margin.
            let there = start.nudged(way * shift, 0.0);
            let back = (Point::new(middle[0], middle[1]) - there.centre) / 2.0;
            let at = |element: &Element, pose: Pose| Element {
                footprint: element.footprint.moved_to(pose.nudged(back, 0.0)),
                ..element.clone()
            };
            let (moved, second) = (at(&first, there), at(&second, pose));
            let clear = separation(&moved.footprint, &second.footprint).mm >= LEAST_GAP_MM
                && [&moved, &second].iter().all(|own| {
                    let alone = |e: &Element| separation(&own.footprint, &e.footprint).mm >= CLEAR_MM;
                    let on_board = |p: &Point| {
                        (0.0..=setup.board_mm.0).contains(&p.x) && (0.0..=setup.board_mm.1).contains(&p.y)
                    };
                    setup.elements.iter().all(alone) && own.footprint.outline().iter().all(on_board)
                });
            if clear {
                return Ok((moved, second));
            }
        }
    }
    Err(anyhow!("no place was found for a pair near its limit ({})", kind.name()))
}

/// The shift nearest to none at which `off` is zero, millimetres, within 30 either way.
fn nearest_root(off: impl Fn(f64) -> f64) -> Option<f64> {
    let step = 0.5;
    let ends = (0..60).flat_map(|n| {
        let at = f64::from(n) * step;
        [(at, at + step), (-at - step, -at)]
    });
    for (mut low, mut high) in ends {
        let (below, above) = (off(low), off(high));
        if below * above > 0.0 {
            continue;
        }
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if (off(middle) > 0.0) == (below > 0.0) { low = middle } else { high = middle }
        }
        // A margin may jump where it stops applying; that is no limit.
        return (off(low).abs() < 1e-6).then_some(low);
    }
    None
}
