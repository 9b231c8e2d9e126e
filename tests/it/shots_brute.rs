//! Who may shoot at whom, whom it must take, who shoots back and who aids, on crowded tables drawn by chance: worked out once
//! more from the clauses' words by walking along edges and lines in small steps, without the engine.
//!
//! Millimetres, the table's frame. What lies so near a limit that steps cannot tell is compared with nobody: `None`.

use groma::geometry::{Footprint, Point, Pose, Vector};
use groma::rules::bound::Bound;
use groma::rules::shooting::{Known, Primary, Shooting, shooting};
use groma::rules::{Element, Settings, Setup, Side, notation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;
use std::collections::BTreeMap;

/// How many tables: fewer where nothing is optimised.
const TABLES: u64 = if cfg!(feature = "vision") { 400 } else { 30 };
const BW: f64 = 40.0;
/// Along edges and lines one looks so often.
const STEP: f64 = 0.1;
/// What is nearer to a limit is not told.
const NEAR: f64 = 0.35;

/// Corners, one after the other round the ground that they enclose.
type Shape = Vec<Point>;

/// Grounds of the tables: a wood and a gully of four corners, a marsh.
const GROUND: &str =
    "ground wood W box (4,4)-(6.5,6); ground gully G box (9,2)-(11,6); ground marsh M box (8,9)-(10.5,11)";

struct Places {
    wood: Shape,
    gully: Shape,
    marsh: Shape,
}

fn boxed((x0, y0): (f64, f64), (x1, y1): (f64, f64)) -> Shape {
    [(x0, y0), (x1, y0), (x1, y1), (x0, y1)].map(|(x, y)| Point::new(x * BW, y * BW)).into()
}

fn table(seed: u64) -> (Setup, Known) {
    let mut chance = ChaCha12Rng::seed_from_u64(seed);
    let text = format!("bw 40mm board 15x15; {GROUND}; A 4Bw red at (20,20)mm 90deg d20mm");
    let mut setup = notation::read_setup(&text, Settings::dba3().ruleset()).expect("a setup");
    let model = setup.elements.remove(0);
    let mut known = Known::default();
    for n in 0..22 {
        let (code, depth) = [
            ("4Bw", 20.0),
            ("3Lb", 20.0),
            ("Art", 40.0),
            ("WWg", 40.0),
            ("Ps", 20.0),
            ("4Bd", 15.0),
            ("3Kn", 30.0),
        ][chance.random_range(0..7)];
        let heading = if chance.random_bool(0.4) {
            f64::from(chance.random_range(0..4)) * 90.0
        } else {
            chance.random_range(0.0..360.0)
        };
        let pose = Pose::new(chance.random_range(60.0..540.0), chance.random_range(60.0..540.0), heading);
        let footprint = Footprint::new(pose, BW, depth).expect("a base");
        // Nobody touches anybody here: close combat is the written battles'.
        let round = |f: &Footprint| f.width_mm().hypot(f.depth_mm()) / 2.0 + 1.5;
        let crowds = |e: &Element| {
            (e.footprint.pose().centre - pose.centre).norm() < round(&e.footprint) + round(&footprint)
        };
        if setup.elements.iter().any(crowds) {
            continue;
        }
        let side = if chance.random_bool(0.5) { Side::Red } else { Side::Blue };
        let name = format!("E{n}");
        if chance.random_bool(0.2) {
            known.moved.push((name.clone(), if chance.random_bool(0.5) { 30.0 } else { 55.0 }));
        }
        setup.elements.push(Element { name, side, troop: code.to_owned(), footprint, ..model.clone() });
    }
    (setup, known)
}

/// How far outside a convex shape a point is; inside it less than nought.
fn outside(shape: &[Point], p: Point) -> f64 {
    let centre = shape.iter().fold(Vector::zeros(), |sum, q| sum + q.coords) / shape.len() as f64;
    let mut worst = f64::NEG_INFINITY;
    let mut nearest = f64::INFINITY;
    for (n, &a) in shape.iter().enumerate() {
        let b = shape[(n + 1) % shape.len()];
        let along = (b - a).normalize();
        let mut out = Vector::new(-along.y, along.x);
        if out.dot(&(a.coords - centre)) < 0.0 {
            out = -out;
        }
        worst = worst.max((p - a).dot(&out));
        let t = (p - a).dot(&along).clamp(0.0, (b - a).norm());
        nearest = nearest.min((p - (a + along * t)).norm());
    }
    if worst <= 0.0 { worst } else { nearest }
}

fn walk(a: Point, b: Point) -> impl Iterator<Item = Point> {
    let n = ((b - a).norm() / STEP).ceil().max(1.0) as usize;
    (0..=n).map(move |k| a + (b - a) * (k as f64 / n as f64))
}

/// More than nought is yes, less no; too near is neither.
fn told(room: f64) -> Option<bool> {
    (room.abs() > NEAR).then_some(room > 0.0)
}

/// All of them; one plain no decides.
fn all(found: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    let mut answer = Some(true);
    for one in found {
        match one {
            Some(false) => return Some(false),
            None => answer = None,
            Some(true) => {}
        }
    }
    answer
}

fn any(found: impl IntoIterator<Item = Option<bool>>) -> Option<bool> {
    all(found.into_iter().map(|one| one.map(|yes| !yes))).map(|none| !none)
}

fn corners(e: &Element) -> [Point; 4] {
    let pose = e.footprint.pose();
    let (w, d) = (e.footprint.width_mm() / 2.0, e.footprint.depth_mm() / 2.0);
    let ahead = pose.heading.vector();
    let right = Vector::new(ahead.y, -ahead.x);
    // Front left, front right, rear right, rear left.
    [(-w, d), (w, d), (w, -d), (-w, -d)].map(|(x, y)| pose.centre + right * x + ahead * y)
}

/// The four edges, the front first, each with the way out of the base.
fn edges(e: &Element) -> [(Point, Point, Vector); 4] {
    let c = corners(e);
    [0, 1, 2, 3].map(|n| {
        let (a, b) = (c[n], c[(n + 1) % 4]);
        let along = (b - a).normalize();
        (a, b, Vector::new(-along.y, along.x))
    })
}

fn shoots(e: &Element) -> bool {
    matches!(e.troop.as_str(), "4Bw" | "3Lb" | "Art" | "WWg")
}

struct Plain<'s> {
    setup: &'s Setup,
    known: &'s Known,
    places: Places,
}

impl Plain<'_> {
    /// Wholly in the gully nobody shoots or is shot at (clause dba3.sht.23).
    fn hidden(&self, e: &Element) -> Option<bool> {
        let worst =
            corners(e).iter().map(|&p| outside(&self.places.gully, p)).fold(f64::NEG_INFINITY, f64::max);
        told(-worst)
    }

    /// Partly in the marsh nobody shoots (clause dba3.sht.24).
    fn wades(&self, e: &Element) -> Option<bool> {
        let rim = edges(e).into_iter().flat_map(|(a, b, _)| walk(a, b));
        let own = rim.map(|p| outside(&self.places.marsh, p)).fold(f64::INFINITY, f64::min);
        let c = corners(e);
        let mine = self.places.marsh.iter().map(|&p| outside(&c, p)).fold(f64::INFINITY, f64::min);
        told(-own.min(mine))
    }

    /// Whether it may shoot at all in this bound (clauses dba3.sht.1, .10, .11, .23, .24).
    fn able(&self, e: &Element) -> Option<bool> {
        let moved = self.known.moved.iter().find(|(who, _)| *who == e.name).map(|(_, mm)| *mm);
        let still = match moved {
            Some(mm) => e.troop != "Art" && mm <= BW,
            None => true,
        };
        all([Some(shoots(e) && still), self.hidden(e).map(|h| !h), self.wades(e).map(|w| !w)])
    }

    /// Whether one edge may shoot at another (clauses dba3.sht.2 to .7, .22, .25, .26).
    fn edge_at(
        &self,
        (a, from): (&Element, (Point, Point, Vector)),
        (e, to): (&Element, (Point, Point, Vector)),
    ) -> Option<bool> {
        let beyond = |p: Point, edge: (Point, Point, Vector)| (p - edge.0).dot(&edge.2);
        let faces = |one: (Point, Point, Vector), other: (Point, Point, Vector)| {
            told(beyond(one.0, other).max(beyond(one.1, other)))
        };
        let range = if a.troop == "Art" { 5.0 * BW } else { 3.0 * BW };
        let (along, wide) = ((from.1 - from.0).normalize(), (from.1 - from.0).norm());
        let within = |p: Point| {
            let (x, y) = ((p - from.0).dot(&along), (p - from.0).dot(&from.2));
            let nearest = from.0 + along * x.clamp(0.0, wide);
            y >= 0.0 && x >= -BW && x <= wide + BW && (p - nearest).norm() <= range
        };
        let looks: Vec<Point> = walk(to.0, to.1).collect();
        let inside =
            looks.iter().filter(|p| within(**p)).count() as f64 / looks.len() as f64 * (to.1 - to.0).norm();
        let enough = told(inside - BW / 2.0);
        let mut sees = vec![faces(from, to), faces(to, from), enough];
        if sees.contains(&Some(false)) {
            return Some(false);
        }
        for start in [from.0, from.1] {
            for end in [to.0, to.1] {
                sees.push(self.clear(a, e, start, end));
            }
        }
        all(sees)
    }

    /// Whether nothing bars one line.
    fn clear(&self, a: &Element, e: &Element, start: Point, end: Point) -> Option<bool> {
        let looks: Vec<Point> = walk(start, end).collect();
        let step = (end - start).norm() / (looks.len() - 1).max(1) as f64;
        let wood = looks.iter().filter(|p| outside(&self.places.wood, **p) <= 0.0).count() as f64 * step;
        let mut found = vec![told(BW / 2.0 - wood)];
        for other in self.setup.elements.iter().filter(|o| o.name != a.name && o.name != e.name) {
            if a.troop == "Art" && other.troop == "Ps" && other.side != a.side {
                continue;
            }
            let base = corners(other);
            let least = looks.iter().map(|&p| outside(&base, p)).fold(f64::INFINITY, f64::min);
            found.push(told(least));
        }
        all(found)
    }

    fn may(&self, a: &Element, e: &Element) -> Option<bool> {
        let able = all([self.able(a), self.hidden(e).map(|h| !h)]);
        if able == Some(false) {
            return able;
        }
        let over = if a.troop == "WWg" { 4 } else { 1 };
        let ways = edges(a)
            .into_iter()
            .take(over)
            .flat_map(|from| edges(e).map(|to| self.edge_at((a, from), (e, to))));
        all([able, any(ways)])
    }

    /// Whether `e` reaches into the ground 1 BW deep before `a` (clause dba3.tz.1).
    fn in_zone(&self, a: &Element, e: &Element) -> Option<bool> {
        let (fl, fr, out) = edges(a)[0];
        let zone = [fl, fr, fr + out * BW, fl + out * BW];
        let base = corners(e);
        let sides = |c: [Point; 4]| [0, 1, 2, 3].map(|n| (c[n], c[(n + 1) % 4]));
        let least = |rim: [(Point, Point); 4], shape: &[Point]| {
            rim.into_iter()
                .flat_map(|(p, q)| walk(p, q))
                .map(|p| outside(shape, p))
                .fold(f64::INFINITY, f64::min)
        };
        told(-least(sides(base), &zone).min(least(sides(zone), &base)))
    }

    /// Whom each may or must take, from the shots that are open, and who is settled (clauses dba3.sht.9, .12 to .14); none
    /// where a zone is too near to tell.
    fn aims(&self, open: &[(String, String)], bound: &Bound) -> Option<BTreeMap<String, Vec<String>>> {
        let element = |name: &str| self.setup.element(name).expect("it is known");
        let mut shots: BTreeMap<String, Vec<(String, bool)>> = BTreeMap::new();
        for (who, at) in open {
            let zone = self.in_zone(element(who), element(at))?;
            shots.entry(who.clone()).or_default().push((at.clone(), zone));
        }
        let mut settled: BTreeMap<String, String> = BTreeMap::new();
        loop {
            let mut aims: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for (who, targets) in &shots {
                let own = element(who);
                let back = |at: &String| settled.get(at) == Some(who);
                let everybody = || targets.iter().map(|(at, _)| at.clone()).collect::<Vec<_>>();
                let answers: Vec<String> = everybody().into_iter().filter(back).collect();
                let zone: Vec<String> =
                    targets.iter().filter(|(_, zone)| *zone).map(|(at, _)| at.clone()).collect();
                let chosen = match own.troop.as_str() {
                    "Art" if own.side == bound.side => everybody(),
                    "Art" => answers.into_iter().filter(|at| element(at).troop == "Art").collect(),
                    _ if !zone.is_empty() => zone,
                    _ if !answers.is_empty() => answers,
                    _ => everybody(),
                };
                aims.insert(who.clone(), chosen);
            }
            let one = |(who, at): (&String, &Vec<String>)| match at.as_slice() {
                [one] => Some((who.clone(), one.clone())),
                _ => None,
            };
            let next: BTreeMap<String, String> = aims.iter().filter_map(one).collect();
            if next == settled {
                return Some(aims);
            }
            settled = next;
        }
    }
}

/// Who shoots together is as the clauses have it (dba3.sht.15, .16).
fn fires(found: &Shooting, aims: &BTreeMap<String, Vec<String>>) -> Vec<String> {
    let settled = |who: &str| match aims.get(who).map(Vec::as_slice) {
        Some([one]) => Some(one.as_str()),
        _ => None,
    };
    let mut wrong = Vec::new();
    let mut at: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for who in aims.keys() {
        if let Some(target) = settled(who) {
            at.entry(target).or_default().push(who);
        }
    }
    if at.len() != found.fires.len() {
        wrong.push(format!("{} are shot at, the engine has {}", at.len(), found.fires.len()));
    }
    for fire in &found.fires {
        let mut by: Vec<&str> = fire.shooters.iter().map(String::as_str).collect();
        by.sort_unstable();
        let mut plain = at.get(fire.target.as_str()).cloned().unwrap_or_default();
        plain.sort_unstable();
        let back = settled(&fire.target).filter(|b| plain.contains(b));
        let rolls = match (&fire.primary, back) {
            (Primary::Named(one), Some(back)) => one == back,
            (Primary::Named(_), None) => plain.len() == 1,
            (Primary::PickedBy(_), back) => back.is_none() && plain.len() > 1,
        };
        if by != plain
            || usize::from(fire.aiders) != (plain.len() - 1).min(2)
            || fire.answers.as_deref() != back
            || !rolls
        {
            wrong.push(format!("at {}: plainly {plain:?}, back at {back:?}; {fire:?}", fire.target));
        }
    }
    wrong
}

#[test]
fn who_shoots_at_whom_on_crowded_tables_is_as_the_clauses_have_it() {
    let settings = Settings::dba3();
    let (mut yes, mut no, mut near, mut aimed, mut shot_at) = (0, 0, 0, 0, 0);
    for seed in 0..TABLES {
        let (setup, known) = table(seed);
        let bound = Bound::new(3, if seed % 2 == 0 { Side::Red } else { Side::Blue });
        let found = shooting(&setup, &settings, &bound, &known);
        let places = Places {
            wood: boxed((4.0, 4.0), (6.5, 6.0)),
            gully: boxed((9.0, 2.0), (11.0, 6.0)),
            marsh: boxed((8.0, 9.0), (10.5, 11.0)),
        };
        let plain = Plain { setup: &setup, known: &known, places };
        let text = || notation::write_setup(&setup);
        for a in setup.elements.iter().filter(|a| shoots(a)) {
            let reach = if a.troop == "Art" { 5.0 } else { 3.0 } * BW + 80.0;
            for e in setup.elements.iter().filter(|e| e.side != a.side) {
                let open = found.open.iter().any(|(who, at)| *who == a.name && *at == e.name);
                let far = (a.footprint.pose().centre - e.footprint.pose().centre).norm() > reach;
                let told = if far { Some(false) } else { plain.may(a, e) };
                match told {
                    None => near += 1,
                    Some(told) => {
                        assert_eq!(told, open, "table {seed}: {} at {}\n{}", a.name, e.name, text());
                        *(if told { &mut yes } else { &mut no }) += 1;
                    }
                }
            }
        }
        let Some(aims) = plain.aims(&found.open, &bound) else { continue };
        for options in &found.options {
            let mut targets = options.targets.clone();
            targets.sort();
            let mut told = aims[&options.shooter].clone();
            told.sort();
            assert_eq!(targets, told, "table {seed}: {}\n{}", options.shooter, text());
            aimed += 1;
        }
        let wrong = fires(&found, &aims);
        assert!(wrong.is_empty(), "table {seed}: {}\n{}", wrong.join("\n"), text());
        shot_at += found.fires.len();
    }
    println!("{yes} may, {no} may not, {near} too near; {aimed} aims, {shot_at} shot at");
    assert!(
        yes as u64 > 2 * TABLES && no > yes && near * 10 < yes + no,
        "{yes} may, {no} may not, {near} too near"
    );
    assert!(aimed as u64 > TABLES && shot_at as u64 > TABLES, "{aimed} aims, {shot_at} shot at");
}
