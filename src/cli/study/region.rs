//! `groma study region`: whether poses in a legal region are ruled legal and poses just beyond it are not.
//!
//! Crowded tables of 24 drawn from a seed, one element of each to move. A pose in the region has to be ruled
//! legal on the whole table by the way that the region gives. From it one goes out, straight or turning, to
//! where the region ends and half a millimetre or half a degree more: there no path may be ruled legal, of those
//! that only a search without the region's own ways would try: by one or two places drawn by chance, and the
//! last legal path carried on. The same of the drawn outline: half a millimetre outside a vertex, whatever the
//! heading. Millimetres in the table plane. The same seed gives the same
//! tables, whatever comes of them, and the same figures, times aside.

use super::super::{Failure, say};
use crate::geometry::{Footprint, Heading, Leg, Point, Polygon, Pose, Vector, separation};
use crate::rules::group::Formed;
use crate::rules::movement::{self, Seen, TacticalMove, straight_to};
use crate::rules::region::LegalRegion;
use crate::rules::stronghold::Past;
use crate::rules::terrain::{Feature, Holder, TerrainKind};
use crate::rules::{Bound, Element, Location, Overhang, Settings, Setup, Side, notation};
use crate::units::Scale;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::time::{Duration, Instant};

/// Poses in legal regions and just beyond them, ruled by the judge of moves.
#[derive(Debug, clap::Args)]
pub struct RegionArgs {
    /// Poses to look at, those inside and those beyond together.
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(1..))]
    samples: u32,
    /// Where chance begins.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = crate::cli::whole)]
    seed: u64,
}

/// How far beyond the region a pose is looked at: millimetres, and degrees.
const BEYOND: f64 = 0.5;
/// Paths by chance to each pose beyond.
const STRAYS: usize = 20;
/// Elements on a table.
const ELEMENTS: usize = 24;
const CODES: [&str; 8] = ["4Bd", "4Sp", "3Ax", "Ps", "Cv", "LH", "3Kn", "4Bw"];

/// What came of the poses.
#[derive(Debug, Clone, Default)]
pub struct RegionFigures {
    /// Tables drawn.
    pub tables: u32,
    /// Poses in a region.
    pub inside: u32,
    /// Of those, whose way the judge refused on the whole table or that ended elsewhere, as cases.
    pub refused: Vec<String>,
    /// Of those, whose centre lies outside the drawn outline by more than half a millimetre.
    pub undrawn: Vec<String>,
    /// Poses beyond a region, and beyond a drawn outline.
    pub beyond: [u32; 2],
    /// Of those, to which a path was ruled legal, as cases.
    pub reached: Vec<String>,
    /// Poses in a region and beyond it or its outline that were put to the judge without a path, as what a player moved.
    pub asked: [u32; 2],
    /// Of those in a region, for which no one legal move was found, as cases.
    pub denied: Vec<String>,
    /// Of those beyond, for which one was, as cases.
    pub granted: Vec<String>,
    /// How long each region with its outline took: of the processor where the system tells, else by the clock.
    pub took: Vec<Duration>,
    /// The table whose region took longest.
    pub slowest: Option<(Duration, String)>,
}

/// Runs it.
///
/// # Errors
/// None but an output that cannot be written.
pub fn run(args: &RegionArgs) -> Result<(), Failure> {
    let found = region_study(args.samples, args.seed);
    let mut took = found.took.clone();
    took.sort();
    let at = |share: f64| took[((took.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    for (what, cases) in [
        ("refused", &found.refused),
        ("undrawn", &found.undrawn),
        ("reached", &found.reached),
        ("denied", &found.denied),
        ("granted", &found.granted),
    ] {
        for case in cases {
            say(format!("{what}: {case}"));
        }
    }
    say(format!(
        "{} tables: {} poses inside, {} of them refused, {} outside the outline; {} beyond, {} beyond the outline, {} \
         reached all the same",
        found.tables,
        found.inside,
        found.refused.len(),
        found.undrawn.len(),
        found.beyond[0],
        found.beyond[1],
        found.reached.len()
    ));
    say(format!(
        "without a path: of {} inside {} ruled illegal, of {} beyond {} ruled legal",
        found.asked[0],
        found.denied.len(),
        found.asked[1],
        found.granted.len()
    ));
    if let Some((_, setup)) = &found.slowest {
        say(format!("the slowest table:\n{setup}"));
    }
    say(format!(
        "a region with its outline took {:.0} ms of one processor in the middle, {:.0} at nine in ten, {:.0} at most",
        at(0.5),
        at(0.9),
        at(1.0)
    ));
    Ok(())
}

/// Looks at so many poses, or fewer where most tables leave little room.
///
/// # Panics
/// Never: a drawn table has its mover.
pub fn region_study(samples: u32, seed: u64) -> RegionFigures {
    const TABLES_A_SAMPLE: u32 = 4;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // Tables of their own, so that what comes of one changes no other.
    let mut tables = ChaCha8Rng::seed_from_u64(seed);
    tables.set_stream(1);
    let settings = Settings::dba3();
    let bound = Bound::new(3, Side::Red).with_pips(6);
    let mut found = RegionFigures::default();
    let looked = |f: &RegionFigures| f.inside + f.beyond[0] + f.beyond[1];
    while looked(&found) < samples && found.tables < samples * TABLES_A_SAMPLE {
        found.tables += 1;
        let setup = table(&mut tables, found.tables.is_multiple_of(3));
        let began = Stopwatch::start();
        let region = LegalRegion::of(&setup, &bound, &settings, &["M"]).expect("M is there");
        let took = began.elapsed();
        found.took.push(took);
        if found.slowest.as_ref().is_none_or(|(most, _)| took > *most) {
            found.slowest = Some((took, notation::write_setup(&setup)));
        }
        let mut study =
            Study { rng: &mut rng, setup: &setup, bound: &bound, settings: &settings, found: &mut found };
        study.poses(&region);
        study.rim(&region);
    }
    found
}

/// Time from a start on: the processor's to this thread, where Linux tells it, else the clock's.
struct Stopwatch {
    processor: Option<Duration>,
    clock: Instant,
}

impl Stopwatch {
    fn start() -> Self {
        Self { processor: processor_time(), clock: Instant::now() }
    }

    fn elapsed(&self) -> Duration {
        let processor = self.processor.zip(processor_time()).map(|(from, to)| to.saturating_sub(from));
        processor.unwrap_or_else(|| self.clock.elapsed())
    }
}

fn processor_time() -> Option<Duration> {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanoseconds = told.split_whitespace().next()?.parse::<u64>().ok()?;
    (nanoseconds > 0).then(|| Duration::from_nanos(nanoseconds))
}

/// One table under study.
struct Study<'t> {
    rng: &'t mut ChaCha8Rng,
    setup: &'t Setup,
    bound: &'t Bound,
    settings: &'t Settings,
    found: &'t mut RegionFigures,
}

impl Study<'_> {
    fn base(&self) -> Footprint {
        self.setup.elements[0].footprint
    }

    fn reach_mm(&self) -> f64 {
        let troop = self.settings.ruleset().troop(&self.setup.elements[0].troop).expect("a known code");
        self.settings.ruleset().pace(troop).good_bw * self.setup.scale.mm_per_bw()
    }

    fn legal(&self, legs: &[Leg]) -> bool {
        let mv = TacticalMove::single("M", legs.to_vec());
        movement::judge(self.setup, self.bound, self.settings, &mv).is_ok_and(|j| j.legal)
    }

    /// Whether one move of it is found that is legal and ends there, where only that is known; none where it stirred so
    /// little that it is no move.
    fn legal_alone(&self, pose: Pose) -> Option<bool> {
        let mut after = self.setup.clone();
        after.elements[0].footprint = self.base().moved_to(pose);
        let seen = Seen::ends(self.setup, &after, 0.0);
        let found = movement::explain(seen, self.bound, self.settings, &Formed::default());
        let nudged = !found.is_empty() && found.iter().all(|e| e.moves.is_empty());
        (!nudged).then(|| found.iter().any(|e| e.legal && e.moves.len() == 1))
    }

    fn case(&self, legs: &[Leg], pose: Pose) -> String {
        let mv = TacticalMove::single("M", legs.to_vec());
        let place = format!("({:.3},{:.3}) {:.3}deg", pose.centre.x, pose.centre.y, pose.heading.degrees());
        format!(
            "{place} by {} on\n{}",
            notation::write_move(&mv, self.setup),
            notation::write_setup(self.setup)
        )
    }

    /// Poses by chance that are inside, and from each outward.
    fn poses(&mut self, region: &LegalRegion<'_>) {
        const A_TABLE: u32 = 60;
        let (start, reach) = (self.base().pose(), self.reach_mm());
        for _ in 0..A_TABLE {
            let pose = somewhere(self.rng, start, reach);
            let Some(way) = region.way_to(pose) else { continue };
            self.found.inside += 1;
            let legs = &way.made.movers[0].legs;
            let end = end_of(start, legs);
            let there = (end.centre - pose.centre).norm() < 1e-6
                && end.heading.turn_to_radians(pose.heading).abs() < 1e-6;
            if !there || !self.legal(legs) {
                let case = self.case(legs, pose);
                self.found.refused.push(case);
            }
            if !region.shadow_holds(pose.centre) && rim_mm(region, pose.centre) > BEYOND {
                let case = self.case(legs, pose);
                self.found.undrawn.push(case);
            }
            if let Some(legal) = self.legal_alone(pose) {
                self.found.asked[0] += 1;
                if !legal {
                    let case = self.case(legs, pose);
                    self.found.denied.push(case);
                }
            }
            self.outward(region, pose);
        }
    }

    /// Outward until the region ends, and half a millimetre or half a degree beyond.
    fn outward(&mut self, region: &LegalRegion<'_>, pose: Pose) {
        let turn = if self.rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let (way, turn) = if self.rng.random_bool(0.4) {
            (Vector::zeros(), turn)
        } else {
            (Heading::from_degrees(self.rng.random_range(0.0..360.0)).vector(), 0.0)
        };
        let gone = |by: f64| Pose {
            centre: pose.centre + way * by,
            heading: pose.heading.turned_degrees(turn * by),
        };
        let mut by = 0.0;
        while by < 400.0 && region.contains(gone(by + 2.0)) {
            by += 2.0;
        }
        let (mut good, mut bad) = (by, by + 2.0);
        while bad - good > 1e-3 {
            let middle = f64::midpoint(good, bad);
            if region.contains(gone(middle)) { good = middle } else { bad = middle }
        }
        let out = gone(bad + BEYOND);
        if region.contains(out) {
            return;
        }
        self.found.beyond[0] += 1;
        let inner = region.way_to(gone(good)).map(|way| way.made.movers[0].legs.clone());
        self.none_leads_to(out, inner);
    }

    /// Vertices of the outline, and half a millimetre outside them.
    fn rim(&mut self, region: &LegalRegion<'_>) {
        const A_TABLE: usize = 20;
        let corners: Vec<(Point, Point, Point)> = region
            .outline
            .iter()
            .flat_map(|ring| {
                (0..ring.len())
                    .map(move |n| (ring[n], ring[(n + 1) % ring.len()], ring[(n + 2) % ring.len()]))
            })
            .collect();
        for _ in 0..A_TABLE.min(corners.len()) {
            let (before, at, after) = corners[self.rng.random_range(0..corners.len())];
            let Some(along) = Heading::along(after - before) else { continue };
            // The region lies to the left of its rim.
            let centre = at + along.right() * BEYOND;
            if region.shadow_holds(centre) || rim_mm(region, centre) < BEYOND * 0.8 {
                continue;
            }
            let heading = Heading::from_degrees(self.rng.random_range(0.0..360.0));
            let heading = if self.rng.random_bool(0.5) { self.base().pose().heading } else { heading };
            let out = Pose { centre, heading };
            self.found.beyond[1] += 1;
            if let Some(way) = region.way_to(out) {
                let case = self.case(&way.made.movers[0].legs, out);
                self.found.undrawn.push(case);
                continue;
            }
            self.none_leads_to(out, None);
        }
    }

    /// Paths by chance, and one carried on, to where none may be legal.
    fn none_leads_to(&mut self, out: Pose, carried_on: Option<Vec<Leg>>) {
        let (start, reach) = (self.base().pose(), self.reach_mm());
        if let Some(legal) = self.legal_alone(out) {
            self.found.asked[1] += 1;
            if legal {
                let case = self.case(&straight_to(start, out), out);
                self.found.granted.push(case);
            }
        }
        let on = carried_on.map(|legs| {
            let end = end_of(start, &legs);
            legs.into_iter().chain(straight_to(end, out)).collect::<Vec<Leg>>()
        });
        let mut paths: Vec<Vec<Leg>> = on.into_iter().chain([straight_to(start, out)]).collect();
        paths.extend((0..STRAYS).map(|_| stray(self.rng, start, out, reach)));
        if let Some(legs) = paths.iter().find(|legs| self.legal(legs)) {
            let case = self.case(legs, out);
            self.found.reached.push(case);
        }
    }
}

fn end_of(start: Pose, legs: &[Leg]) -> Pose {
    legs.iter().fold(start, |at, leg| leg.applied_to(at))
}

/// How far a point is from the drawn rim.
fn rim_mm(region: &LegalRegion<'_>, point: Point) -> f64 {
    let to_ring = |ring: &Vec<Point>| {
        let next = ring.iter().cycle().skip(1);
        let edges = ring.iter().zip(next).map(|(&a, &b)| crate::geometry::Segment::new(a, b));
        edges.map(|edge| (edge.nearest_to(point).0 - point).norm()).fold(f64::INFINITY, f64::min)
    };
    region.outline.iter().map(to_ring).fold(f64::INFINITY, f64::min)
}

fn somewhere(rng: &mut ChaCha8Rng, about: Pose, reach: f64) -> Pose {
    let (x, y) = (rng.random_range(-reach..reach), rng.random_range(-reach..reach));
    let turn = if rng.random_bool(0.3) { 0.0 } else { rng.random_range(-180.0..180.0) };
    Pose { centre: about.centre + Vector::new(x, y), heading: about.heading.turned_degrees(turn) }
}

/// A path by one or two places drawn by chance, each with a heading of its own.
fn stray(rng: &mut ChaCha8Rng, start: Pose, to: Pose, reach: f64) -> Vec<Leg> {
    let (mut at, mut legs) = (start, Vec::new());
    for _ in 0..rng.random_range(1..=2) {
        let mut next = somewhere(rng, start, reach / 2.0);
        if rng.random_bool(0.5) {
            next.heading = if rng.random_bool(0.5) { start.heading } else { to.heading };
        }
        if rng.random_bool(0.5) {
            legs.extend(straight_to(at, Pose { centre: at.centre, ..next }));
            at.heading = next.heading;
        }
        legs.extend(straight_to(at, next));
        at = next;
    }
    legs.extend(straight_to(at, to));
    legs
}

fn element(name: String, side: Side, code: &str, pose: Pose) -> Element {
    let depth = if matches!(code, "Cv" | "LH" | "3Kn") { 30.0 } else { 15.0 };
    Element {
        name,
        side,
        troop: code.to_owned(),
        footprint: Footprint::new(pose, 40.0, depth).expect("a good base"),
        general: false,
        overhang: Overhang::default(),
        location: Location::Board,
        tower: false,
    }
}

/// A table of 24 about a mover `M` in the middle: some square to it, some touching, nobody in another; with woods and
/// rough going where they are wanted.
fn table(rng: &mut ChaCha8Rng, rough: bool) -> Setup {
    let mut setup = Setup::bare(Scale::SMALL, (900.0, 900.0), Vec::new());
    let heading = 90.0 + f64::from(rng.random_range(0..4)) * 2.5;
    let code = CODES[rng.random_range(0..CODES.len())];
    let mut mover = element("M".into(), Side::Red, code, Pose::new(450.0, 450.0, heading));
    mover.general = true;
    setup.elements.push(mover);
    while setup.elements.len() < ELEMENTS {
        let place = setup.elements.len();
        let red = rng.random_bool(0.45);
        let code = CODES[rng.random_range(0..CODES.len())];
        let square = rng.random_bool(0.5);
        let pose = if red && rng.random_bool(0.3) {
            // Beside a friend, corners together.
            let friends: Vec<&Element> = setup.elements.iter().filter(|e| e.side == Side::Red).collect();
            let friend = friends[rng.random_range(0..friends.len())].footprint;
            let aside = if rng.random_bool(0.5) { 40.0 } else { -40.0 };
            Pose { centre: friend.pose().at(aside, 0.0), ..friend.pose() }
        } else {
            let spread = if square { 160.0 } else { 300.0 };
            let (x, y) = (rng.random_range(-spread..spread), rng.random_range(-spread..spread));
            let heading =
                if square { f64::from(rng.random_range(0..4)) * 90.0 } else { rng.random_range(0.0..360.0) };
            Pose::new(450.0 + x, 450.0 + y, heading)
        };
        let side = if red { Side::Red } else { Side::Blue };
        let next = element(format!("E{place}"), side, code, pose);
        if setup.elements.iter().all(|e| separation(&e.footprint, &next.footprint).mm >= -1e-6) {
            setup.elements.push(next);
        }
    }
    for (n, kind) in [TerrainKind::Wood, TerrainKind::Scrub].into_iter().enumerate().filter(|_| rough) {
        let (x, y) = (rng.random_range(300.0..600.0), rng.random_range(300.0..600.0));
        let ring = (0..6).map(|k| {
            let far = rng.random_range(30.0..60.0);
            Point::new(x, y) + Heading::from_degrees(60.0 * f64::from(k)).vector() * far
        });
        let outline = Polygon::new(ring.collect()).expect("a star about its middle");
        setup.ground.features.push(Feature {
            name: format!("F{n}"),
            kind,
            outline,
            hill: None,
            side: None,
            holder: Holder::Nobody,
            gates: Vec::new(),
            past: Past::default(),
        });
    }
    setup
}
