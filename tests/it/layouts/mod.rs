//! Terrain and deployment of the engine against a plain check written separately: on layouts, choices and bases drawn
//! by chance the two must agree wherever sampling can tell.

mod choices;
mod plain;

use choices::{WORDS, legal};
use groma::rules::setting_up::{
    self, BaseEdges, Home, Pick, Quarter, bodies, choice, deploys, gaps, in_quarter, narrow, shape, waterway,
};
use groma::rules::stronghold::Terms;
use groma::rules::terrain::{BoardEdge, TerrainKind};
use groma::rules::{Ruleset, Settings, Setup, Side, notation};
use plain::{BOARD, Edge, P, Shares, Spill};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use std::collections::BTreeMap;
use std::f64::consts::TAU;

/// How many layouts where each takes a quarter of a second, without optimisation. With it ten thousand are compared.
const LAYOUTS: usize = 20;

/// How often a rule was asked about, and how it went.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    kept: usize,
    broken: usize,
    too_near: usize,
}

/// Everything that was compared, and every difference.
#[derive(Debug, Default)]
struct Compared {
    by_rule: BTreeMap<&'static str, Tally>,
    differ: Vec<String>,
}

impl Compared {
    /// What the plain check says, or none where it cannot tell, and what the engine says.
    fn rule(&mut self, rule: &'static str, plain: Option<bool>, engine: bool, what: &str) {
        let tally = self.by_rule.entry(rule).or_default();
        match plain {
            None => tally.too_near += 1,
            Some(kept) => {
                if kept {
                    tally.kept += 1;
                } else {
                    tally.broken += 1;
                }
                if kept != engine {
                    self.differ.push(format!("{rule}: plainly {kept}, the engine {engine}: {what}"));
                }
            }
        }
    }

    /// The same of a room that sampling measures to so much.
    fn room(&mut self, rule: &'static str, room: f64, error: f64, engine: bool, what: &str) {
        self.rule(rule, (room.abs() > error).then_some(room > 0.0), engine, what);
    }
}

/// Whether every condition of those clauses holds.
fn holds(terms: &Terms, clauses: &[&str]) -> bool {
    terms.conditions.iter().filter(|r| clauses.contains(&r.clause.as_str())).all(|r| r.holds)
}

/// An outline drawn by chance: an oval with bumps, or a box, turned, about a middle.
fn outline(rng: &mut ChaCha12Rng, kind: &str) -> Vec<P> {
    let short = rng.random_range(0.7..4.0);
    let times = if kind == "gully" { rng.random_range(2.3..5.0) } else { rng.random_range(1.0..2.3) };
    let (a, b) = (short * times / 2.0, short / 2.0);
    let straight = match kind {
        "plough" | "hamlet" | "fort" => 0.7,
        _ => 0.15,
    };
    let local: Vec<P> = if rng.random_bool(straight) {
        vec![(-a, -b), (a, -b), (a, b), (-a, b)]
    } else {
        let count = rng.random_range(9..44u32);
        let (waves, at) = (f64::from(rng.random_range(2..5u32)), rng.random_range(0.0..TAU));
        let bump = rng.random_range(0.0..0.25);
        (0..count)
            .map(|n| {
                let turn = TAU * f64::from(n) / f64::from(count);
                let out = 1.0 + bump * (waves * turn + at).sin();
                (a * out * turn.cos(), b * out * turn.sin())
            })
            .collect()
    };
    let (sin, cos) = rng.random_range(0.0..TAU).sin_cos();
    let (x, y) = (rng.random_range(1.5..13.5), rng.random_range(1.5..13.5));
    local.into_iter().map(|(p, q)| (x + p * cos - q * sin, y + p * sin + q * cos)).collect()
}

fn middle(points: &[P]) -> P {
    let count = points.len() as f64;
    (points.iter().map(|p| p.0).sum::<f64>() / count, points.iter().map(|p| p.1).sum::<f64>() / count)
}

fn written(points: &[P]) -> String {
    points.iter().map(|(x, y)| format!("({x:.9},{y:.9})")).collect::<Vec<_>>().join("-")
}

/// A shore along the near edge, mostly all the way.
fn shore(rng: &mut ChaCha12Rng) -> Vec<P> {
    let end = if rng.random_bool(0.8) { BOARD } else { rng.random_range(10.0..14.5) };
    let (low, high) = (rng.random_range(0.7..2.0), rng.random_range(2.5..4.4));
    let steps = rng.random_range(4..12u32);
    let mut points = vec![(0.0, 0.0), (end, 0.0)];
    points.extend((0..=steps).map(|n| {
        let x = end * f64::from(steps - n) / f64::from(steps);
        (x, rng.random_range(low..high))
    }));
    points
}

const KINDS: [&str; 12] = [
    "wood",
    "marsh",
    "gully",
    "difficult-hill",
    "gentle-hill",
    "dunes",
    "rocky",
    "scrub",
    "enclosures",
    "plough",
    "hamlet",
    "fort",
];

fn seat_of(number: u32) -> (BoardEdge, Edge) {
    match number {
        0 => (BoardEdge::Near, Edge::Near),
        1 => (BoardEdge::Right, Edge::Right),
        2 => (BoardEdge::Far, Edge::Far),
        _ => (BoardEdge::Left, Edge::Left),
    }
}

fn spill_of(kind: &str, straddle: &str) -> Spill {
    match kind {
        "gentle-hill" => Spill::Lesser,
        "plough" => Spill::Half { must: straddle == "plough-and-linear" },
        _ => Spill::Never,
    }
}

/// One layout: everything asked of it, of both.
fn layout(rng: &mut ChaCha12Rng, found: &mut Compared) {
    let far_left = rng.random_bool(0.5);
    let straddle = ["plough-and-linear", "linear-only", "optional"][rng.random_range(0..3usize)];
    let settings = Settings::dba3()
        .with("quarter-one-corner", if far_left { "far-left" } else { "near-left" })
        .and_then(|s| s.with("straddle-features", straddle))
        .expect("choices of the settings");
    let features: Vec<(&str, Vec<P>)> = (0..rng.random_range(2..5u32))
        .map(|_| {
            let kind = KINDS[rng.random_range(0..KINDS.len())];
            (kind, outline(rng, kind))
        })
        .collect();
    let bw = if rng.random_bool(0.5) { 40 } else { 60 };
    let mut text = format!("bw {bw}mm board 15x15\n");
    for (n, (kind, points)) in features.iter().enumerate() {
        text.push_str(&format!("ground {kind} F{n} {}\n", written(points)));
    }
    // Half of the rivers keep to one side of the board, as they must.
    let within = if rng.random_bool(0.5) { 1.0..14.0 } else { 1.0..7.3 };
    let river: Vec<P> = [0.0, 5.0, 10.0, 15.0].map(|y| (rng.random_range(within.clone()), y)).to_vec();
    text.push_str(&format!("ground river R {} w0.8\n", written(&river)));
    let lake = shore(rng);
    text.push_str(&format!("ground waterway L {}\n", written(&lake)));
    let setup = notation::read_setup(&text, &Ruleset::dba3()).expect("a layout");
    let (seat, edge) = seat_of(rng.random_range(0..4u32));
    // Mostly the quarter that the first feature has its middle in.
    let (x, y) = middle(&features[0].1);
    let own = (1..5u8).find(|n| plain::quarter(*n, edge, far_left) == (x > BOARD / 2.0, y > BOARD / 2.0));
    let number = own.filter(|_| rng.random_bool(0.7)).unwrap_or_else(|| rng.random_range(1..5u8));
    let quarter = Quarter::of(number, seat, setup.board_mm, &settings).expect("a quarter");
    let home = plain::quarter(number, edge, far_left);
    areas(&setup, &settings, &features, found, &text);
    for (n, (kind, points)) in features.iter().enumerate() {
        // What stands on a hill is one feature with it, which the plain check does not know.
        let alone = bodies(&setup).iter().all(|b| b.merged.is_none() || !b.is_called(&format!("F{n}")));
        if alone {
            let terms = in_quarter(&setup, &settings, &format!("F{n}"), &quarter).expect("a feature");
            let spill = spill_of(kind, straddle);
            if spill == Spill::Never {
                // A tip over the line may be narrower than a strip; its corner is not.
                found.room("dba3.place.6", plain::within(points, home), 1e-6, terms.met(), &text);
                continue;
            }
            let plainly = plain::spilt(Shares::of_area(points), home, spill);
            let rule = match *kind {
                "gentle-hill" => "dba3.place.7",
                _ => "dba3.place.8, Plough",
            };
            found.rule(rule, plainly, terms.met(), &text);
        }
    }
    let must = Spill::Half { must: straddle != "optional" };
    let terms = in_quarter(&setup, &settings, "R", &quarter).expect("a river");
    found.rule("dba3.place.8, River", plain::spilt(Shares::of_line(&river), home, must), terms.met(), &text);
    let terms = in_quarter(&setup, &settings, "L", &quarter).expect("a lake");
    found.rule(
        "dba3.place.8, Waterway",
        plain::spilt(Shares::of_area(&lake), home, must),
        terms.met(),
        &text,
    );
    let terms = waterway(&setup, &settings, setup.ground.feature("L").expect("a lake"));
    let water = plain::water(&lake);
    found.room("dba3.wway.3", water.covered - 14.98, 0.005, holds(&terms, &["dba3.wway.3"]), &text);
    let depth = (water.least - 1.0).min(4.0 - water.most);
    found.room("dba3.wway.4", depth, 0.06, holds(&terms, &["dba3.wway.4"]), &text);
    found.room("dba3.wway.5", water.shallow - 0.5, 0.004, holds(&terms, &["dba3.wway.5"]), &text);
}

/// Size, shape and gaps of every feature.
fn areas(setup: &Setup, settings: &Settings, features: &[(&str, Vec<P>)], found: &mut Compared, text: &str) {
    let all = bodies(setup);
    if all.iter().any(|b| b.merged.is_some()) {
        return;
    }
    let mut widths = Vec::new();
    for (n, (kind, points)) in features.iter().enumerate() {
        let body = all.iter().find(|b| b.is_called(&format!("F{n}"))).expect("a body");
        let terms = shape(setup, settings, body);
        let says = |clause: &str| holds(&terms, &[clause]);
        found.room("dba3.area.2", plain::size(points), 0.002, says("dba3.area.2"), text);
        let width = plain::width(points);
        widths.push(width);
        let room = width.map(|w| w - 1.0).filter(|room| room.abs() > 0.003);
        found.rule("dba3.area.3", room.map(|room| room > 0.0), says("dba3.area.3"), text);
        let gully = *kind == "gully";
        let rule = if gully { "dba3.area.5" } else { "dba3.area.6" };
        let (low, high) = plain::proportions(points, gully);
        let clear = low.abs() > 0.002 && high.abs() > 0.002 && (low > 0.0) == (high > 0.0);
        found.rule(rule, clear.then_some(low > 0.0), says(rule), text);
        if !matches!(*kind, "plough" | "hamlet" | "fort") {
            let (low, high) = plain::curves(points);
            let clear = low.abs() > 1e-6 && (low > 0.0) == (high > 0.0);
            found.rule("dba3.area.8", clear.then_some(low > 0.0), says("dba3.area.8"), text);
        }
        let terms = gaps(setup, body, &all);
        let others = features.iter().enumerate().filter(|(other, _)| *other != n);
        let nearest = others.map(|(_, (_, other))| plain::gap(points, other)).fold(f64::INFINITY, f64::min);
        found.room("dba3.place.10", nearest - 1.0, 0.0005, holds(&terms, &["dba3.place.10"]), text);
        let rim = if matches!(*kind, "hamlet" | "fort") { 0.0 } else { 1.0 };
        let room = plain::from_edges(points) - rim;
        found.room("dba3.place.11", room, 1e-6, holds(&terms, &["dba3.place.11"]), text);
    }
    let near = widths.iter().any(|w| w.is_none_or(|w| (w - 3.0).abs() < 0.003));
    let few = widths.iter().flatten().filter(|w| **w < 3.0).count() <= 1;
    found.rule("dba3.area.4", (!near).then_some(few), narrow(setup, settings).met(), text);
}

const CODES: [&str; 10] = ["4Sp", "Cv", "LH", "Ps", "Cm", "LCh", "4Ax", "El", "8Bw", "Mtd-4Cb"];

/// A base anywhere, an enemy City somewhere: may it be deployed there?
fn deployment(rng: &mut ChaCha12Rng, found: &mut Compared) {
    let camels = rng.random_bool(0.5);
    let word = if camels { "with-camelry-and-mounted-infantry" } else { "printed" };
    let settings = Settings::dba3().with("deploy-2bw-types", word).expect("a choice");
    let code = CODES[rng.random_range(0..CODES.len())];
    let near = rng.random_bool(0.5);
    let (x, deep) = (rng.random_range(1.0..14.0), rng.random_range(0.6..5.5));
    let y = if near { deep } else { BOARD - deep };
    let deg = if rng.random_bool(0.5) { 90.0 } else { rng.random_range(0.0..360.0) };
    let depth = rng.random_range(0.3..1.5);
    let (sin, cos) = f64::to_radians(deg).sin_cos();
    // Ahead is (cos, sin), to the left of it (-sin, cos).
    let corner = |ahead: f64, left: f64| (x + ahead * cos - left * sin, y + ahead * sin + left * cos);
    let (a, l) = (depth / 2.0, 0.5);
    let corners = [corner(a, l), corner(-a, l), corner(-a, -l), corner(a, -l)];
    let (side, foe) = if near { ("red", "blue") } else { ("blue", "red") };
    let mut text = format!(
        "bw 40mm board 15x15\nA {code} {side} at ({:.9},{:.9})mm {deg:.9}deg w40mm d{:.9}mm\n",
        x * 40.0,
        y * 40.0,
        depth * 40.0
    );
    let city = rng.random_bool(0.5).then(|| outline(rng, "fort"));
    if let Some(city) = &city {
        text.push_str(&format!("ground fort F {} of={foe}\n", written(city)));
    }
    let setup = notation::read_setup(&text, &Ruleset::dba3()).expect("a setup");
    let terms = deploys(&setup, &settings, &setup.elements[0], BaseEdges::USUAL, &[]).expect("known troops");
    let engine = holds(&terms, &["dba3.dep.3", "dba3.dep.4", "dba3.dep.5", "dba3.dep.6"]);
    let room = plain::deployed(&corners, code, near, camels, city.as_deref());
    found.room("dba3.dep.3 to .6", room, 1e-6, engine, &text);
}

fn pick(word: &str) -> Pick {
    match word {
        "river" => Pick::River,
        "road" => Pick::Road,
        "wood" => Pick::Area(TerrainKind::Wood),
        "marsh" => Pick::Area(TerrainKind::Marsh),
        "gully" => Pick::Area(TerrainKind::Gully),
        "steep" => Pick::Area(TerrainKind::DifficultHill),
        "gentle" => Pick::Area(TerrainKind::GentleHill),
        "dunes" => Pick::Area(TerrainKind::Dunes),
        "oasis" => Pick::Area(TerrainKind::Oasis),
        "rocky" => Pick::Area(TerrainKind::Rocky),
        "scrub" => Pick::Area(TerrainKind::Scrub),
        "boggy" => Pick::Area(TerrainKind::Boggy),
        "fields" => Pick::Area(TerrainKind::Enclosures),
        "plough" => Pick::Area(TerrainKind::Plough),
        "water" => Pick::Area(TerrainKind::Waterway),
        "hamlet" => Pick::Area(TerrainKind::Hamlet),
        "edifice" => Pick::Area(TerrainKind::Edifice),
        _ => Pick::Area(TerrainKind::Fort),
    }
}

/// A choice: mostly of one that is legal with a feature changed.
fn chosen(rng: &mut ChaCha12Rng, found: &mut Compared) {
    let home = Home::ALL[rng.random_range(0..Home::ALL.len())];
    let draw = |rng: &mut ChaCha12Rng, count: u32| -> Vec<&'static str> {
        (0..count).map(|_| WORDS[rng.random_range(0..WORDS.len())]).collect()
    };
    let (mut must, mut may) = (Vec::new(), Vec::new());
    for _ in 0..3000 {
        let (musts, mays) = (rng.random_range(1..3u32), rng.random_range(2..4u32));
        (must, may) = (draw(rng, musts), draw(rng, mays));
        if legal(home, &must, &may) {
            break;
        }
    }
    if rng.random_bool(0.5) {
        let at = rng.random_range(0..may.len());
        may[at] = WORDS[rng.random_range(0..WORDS.len())];
    }
    let picks = |words: &[&str]| words.iter().map(|w| pick(w)).collect::<Vec<_>>();
    let engine = choice(&Settings::dba3(), home, &picks(&must), &picks(&may)).met();
    let what = format!("{} {must:?} {may:?}", home.name());
    found.rule("dba3.terr, dba3.choose", Some(legal(home, &must, &may)), engine, &what);
}

/// So many layouts, and so many deployments and choices.
fn compared(layouts: usize, others: usize, seed: u64) -> Compared {
    let mut rng = ChaCha12Rng::seed_from_u64(seed);
    let mut found = Compared::default();
    for _ in 0..layouts {
        layout(&mut rng, &mut found);
    }
    for _ in 0..others {
        deployment(&mut rng, &mut found);
        chosen(&mut rng, &mut found);
    }
    found
}

/// Told where it is run by hand with `--nocapture`.
fn tell(found: &Compared) {
    for (rule, Tally { kept, broken, too_near }) in &found.by_rule {
        println!("{rule}: {kept} kept, {broken} broken, {too_near} too near to tell");
    }
}

#[test]
fn engine_and_plain_check_agree_on_layouts_choices_and_deployments() {
    let found = compared(LAYOUTS, 100, 11);
    tell(&found);
    assert!(found.differ.is_empty(), "{} differ:\n{}", found.differ.len(), found.differ.join("\n"));
    // Of a few layouts some rules may be asked on one side of their limit alone.
    let rare: Vec<_> = found.by_rule.iter().filter(|(_, t)| t.kept == 0 || t.broken == 0).collect();
    assert!(rare.len() <= 5, "{rare:?}");
    assert_eq!(found.by_rule.len(), 18, "{:?}", found.by_rule.keys());
}

/// 35 s optimised, minutes without: the suite of every feature, which is optimised, runs it. By itself, with its figures:
/// `cargo test --release --no-default-features --test it layouts -- --ignored --nocapture`
#[test]
#[cfg_attr(not(feature = "vision"), ignore = "ten thousand layouts take minutes without optimisation")]
fn engine_and_plain_check_agree_on_ten_thousand_layouts() {
    let found = compared(10_000, 10_000, 12);
    tell(&found);
    let asked: usize = found.by_rule.values().map(|t| t.kept + t.broken).sum();
    println!("{asked} rulings compared, {} differ", found.differ.len());
    assert!(found.differ.is_empty(), "{} differ:\n{}", found.differ.len(), found.differ.join("\n"));
}

#[test]
fn a_place_that_is_found_is_one() {
    // Whatever room the search finds, the feature put there breaks nothing.
    let mut rng = ChaCha12Rng::seed_from_u64(13);
    let settings = Settings::dba3();
    let mut fits = 0;
    for _ in 0..3 {
        let mut text = "bw 40mm board 15x15\n".to_owned();
        for (n, kind) in ["wood", "gentle-hill", "rocky"].iter().enumerate() {
            text.push_str(&format!("ground {kind} F{n} {}\n", written(&outline(&mut rng, kind))));
        }
        let setup = notation::read_setup(&text, &Ruleset::dba3()).expect("a layout");
        let quarter = Quarter::of(rng.random_range(1..5u8), BoardEdge::Near, setup.board_mm, &settings);
        let quarter = quarter.expect("a quarter");
        let room = setting_up::room(&setup, &settings, &quarter, "F0").expect("an area");
        if room.mm < 0.0 {
            continue;
        }
        fits += 1;
        let mut there = setup.clone();
        there.ground.features[0] = room.put(&setup.ground.features[0]);
        let body = setting_up::body_of(&there, "F0").expect("a body");
        let mut terms = gaps(&there, &body, &bodies(&there));
        terms.conditions.extend(in_quarter(&there, &settings, "F0", &quarter).expect("a place").conditions);
        assert!(terms.met(), "{room:?} {text} {terms:?}");
    }
    assert!(fits > 0);
}

#[test]
fn the_example_is_set_up_as_the_rules_ask_and_a_wood_in_the_wrong_place_is_told() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/hilly_against_steppe.ron");
    let text = std::fs::read_to_string(path).expect("the example");
    let judged = |text: &str| {
        let written = setting_up::Written::read("example", text).expect("a file of setting up");
        setting_up::report::report(&written).expect("a report")
    };
    let found = judged(&text);
    assert!(found.faults().is_empty(), "{:?}", found.faults());
    assert_eq!(found.next, setting_up::order::Step::Deploy(Side::Blue));
    // 0.9 BW from the edge are 4 mm too few.
    let moved = text.replace("oval (9.7,1)-(13.5,4)", "oval (10.3,1)-(14.1,4)");
    assert_ne!(moved, text);
    let found = judged(&moved);
    let faults = found.faults();
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert_eq!((faults[0].0.as_str(), faults[0].1.clause.as_str()), ("Beech", "dba3.place.11"));
    assert!(faults[0].1.text.contains("4.0 mm too near the right edge"), "{}", faults[0].1.text);
    // The invader lays a feature: his act, and the clause.
    let stolen = text.replace("(red, Lay(\"Beech\"))", "(blue, Lay(\"Beech\"))");
    let found = judged(&stolen);
    assert!(found.faults().iter().any(|(who, r)| who == "blue" && r.clause == "dba3.setup.4"));
}
