//! Verdicts near their limits where stalks lean and the ground is uneven, from the simulated picture to the ruling:
//! right or too close to call. Truth is what the bases look like from above, worked out here and not by the program.

use super::hills::{table, with_hills};
use super::uneven::{Base, base, camera, read, ridge, roster, step};
use groma::geometry::{Footprint, Pose, Relief, Vector};
use groma::judge::{Measured, Table, Verdict, relief, rule};
use groma::rules::{Element, Location, Overhang, Question, Settings, Setup, Side};
use groma::vision::sim::{Block, Lean};
use std::collections::BTreeMap;

/// Mounts known exactly, but for the lean of their stalks, which is the default's.
const STALKS_IN_DOUBT: &str = ", offset_sigma: 0, rotation_sigma: 0, height_sigma: 0";
/// Mounts known exactly.
const KNOWN: &str = ", offset_sigma: 0, rotation_sigma: 0, height_sigma: 0, lean_sigma: 0";
const MARGINS_MM: [f64; 10] = [0.25, -0.25, 0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 3.0, -3.0];
/// A contact holds by a millimetre at the most: less would be bases in each other.
const CONTACT_MM: [f64; 8] = [0.75, -0.25, 0.5, -0.5, 0.25, -1.0, -2.0, -3.0];

/// A base as it looks from above; it faces up or down its slope or along it.
fn seen(b: &Base, n: usize) -> Element {
    let shorter = 1.0 / 1f64.hypot(b.slope.norm());
    let along = b.slope.dot(&b.pose.heading.vector()).abs() > 0.5 * b.slope.norm();
    let (width, depth) = if along { (40.0, b.depth_mm * shorter) } else { (40.0 * shorter, b.depth_mm) };
    Element {
        name: b.name.clone(),
        side: if n.is_multiple_of(2) { Side::Red } else { Side::Blue },
        troop: "4Bd".to_owned(),
        footprint: Footprint::new(b.pose, width, depth).expect("a base"),
        general: false,
        tower: false,
        overhang: Overhang::default(),
        location: Location::Board,
    }
}

/// What the rules say of the first against the second as they truly stand: by how much it holds.
fn truth(question: Question, first: &Base, second: &Base, table: &Table) -> f64 {
    let setup = Setup::bare(table.scale, table.board_mm, vec![seen(first, 0), seen(second, 1)]);
    let exact = Measured::exact(setup);
    let judged = rule(&exact, &Settings::dba3(), question, &first.name, &second.name).expect("two enemies");
    judged.ruling.margin.mm
}

/// Bases in pairs, the first of each asked about against the second.
#[derive(Default)]
struct Pairs {
    bases: Vec<Base>,
    asked: Vec<(Question, f64)>,
}

impl Pairs {
    /// Adds a pair, the second shifted along `way` until the question holds by `wanted_mm`. `ground` lays a base on
    /// the ground where it stands.
    fn add(
        &mut self,
        (question, wanted_mm): (Question, f64),
        (first, second): (Base, Base),
        way: Vector,
        ground: impl Fn(Base) -> Base,
        table: &Table,
    ) {
        let first = ground(first);
        let at = |t: f64| ground(Base { pose: second.pose.nudged(way * t, 0.0), ..second.clone() });
        let off = |t: f64| truth(question, &first, &at(t), table) - wanted_mm;
        let (mut low, mut high) = (-8.0, 8.0);
        assert!(off(low) * off(high) < 0.0, "{question:?} {wanted_mm}: {} {}", off(low), off(high));
        for _ in 0..60 {
            let middle = (low + high) / 2.0;
            if off(low) * off(middle) <= 0.0 { high = middle } else { low = middle }
        }
        let second = at(low);
        self.bases.extend([first, second]);
        self.asked.push((question, wanted_mm));
    }

    /// The next pair's bases: the first at `middle`, facing up the table or down it, the second before its front or
    /// beside it. The first's tag stands on a stalk, or both, or none.
    fn next(&self, question: Question, middle: (f64, f64), up: f64) -> (Base, Base) {
        let n = self.bases.len();
        let facing = 90.0 * up;
        let at = |right: f64, ahead: f64, heading: f64| {
            Pose::new(middle.0 + right, middle.1 + up * ahead, heading)
        };
        let heights = [(30.0, 0.3), (30.0, 30.0), (0.3, 0.3)][(n / 2) % 3];
        let second = match question {
            Question::InZoneOf => at(0.0, 60.0, -facing),
            Question::ContactFront => at(0.0, 21.0, -facing),
            _ => at(42.0, -22.0, facing),
        };
        (
            base(n, heights.0, at(0.0, 0.0, facing), 0.0, Vector::zeros()),
            base(n + 1, heights.1, second, 0.0, Vector::zeros()),
        )
    }
}

/// How verdicts came out.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
struct Count {
    right: usize,
    wrong: usize,
    close: usize,
    /// One of the two was not read: a neighbour's tag on its stalk hides it, or it is tipped too far.
    unread: usize,
}

/// Reads the pairs and judges them: the verdicts by how far from the limit they are, and the errors of distances in
/// their sigmas.
fn judged(
    what: &str,
    pairs: &Pairs,
    (blocks, mounts, table): (Vec<Block>, &str, &Table),
    seed: u64,
) -> BTreeMap<u32, Count> {
    let roster = roster(&pairs.bases, mounts);
    let readings = read(&mut camera(&pairs.bases, blocks, seed), &roster, &relief(&table.ground));
    let readings: Vec<_> = roster.elements().iter().map(|e| readings[&e.name].clone()).collect();
    let measured = Measured::of(table, &roster, &readings);
    let mut counts: BTreeMap<u32, Count> = BTreeMap::new();
    for (bases, (question, wanted_mm)) in pairs.bases.chunks(2).zip(&pairs.asked) {
        let [first, second] = bases else { panic!("a pair") };
        let ask = |question| rule(&measured, &Settings::dba3(), question, &first.name, &second.name);
        let count = counts.entry((wanted_mm.abs() * 100.0) as u32).or_default();
        if [first, second].iter().any(|b| measured.pose(&b.name).is_none()) {
            count.unread += 1;
            continue;
        }
        let judged = ask(*question).expect("both are seen");
        let found = judged.verdict();
        match found {
            Verdict::TooClose { .. } => count.close += 1,
            Verdict::Yes | Verdict::No if (found == Verdict::Yes) == (*wanted_mm > 0.0) => count.right += 1,
            _ => count.wrong += 1,
        }
        let distance = ask(Question::Distance).expect("both are seen");
        let off = distance.ruling.margin.mm - truth(Question::Distance, first, second, table);
        let sigmas = off / distance.weighed.sigma_mm;
        println!(
            "{what}: {question:?} by {wanted_mm:+.2}: {} (tags {} {}, {:.1} up); distance {off:+.2} mm off, {sigmas:+.1} sigma",
            judged.in_words(),
            first.tag_height_mm,
            second.tag_height_mm,
            first.ground_mm,
        );
        assert!(sigmas.abs() < 3.3, "the distance of {} is {off:.2} mm off, {sigmas:.1} sigma", first.name);
    }
    println!("{what}, seed {seed}: by hundredths of a millimetre from the limit {counts:?}");
    counts
}

fn merged(all: impl IntoIterator<Item = BTreeMap<u32, Count>>) -> BTreeMap<u32, Count> {
    let mut sum: BTreeMap<u32, Count> = BTreeMap::new();
    for (at, count) in all.into_iter().flatten() {
        let into = sum.entry(at).or_default();
        into.right += count.right;
        into.wrong += count.wrong;
        into.close += count.close;
        into.unread += count.unread;
    }
    println!("all: {sum:?}");
    sum
}

/// None sure and wrong, three in four read; and so many clear calls at the least, lest all be dodged.
fn sound(counts: &BTreeMap<u32, Count>, least_clear: usize) {
    let sum = |of: fn(&Count) -> usize| counts.values().map(of).sum::<usize>();
    let (right, close, unread) = (sum(|c| c.right), sum(|c| c.close), sum(|c| c.unread));
    println!("{right} right, {close} too close to call, {unread} not read");
    assert!(counts.values().all(|c| c.wrong == 0), "sure and wrong: {counts:?}");
    assert!(3 * unread <= right + close && right >= least_clear, "{counts:?}");
}

/// What is asked, in turn.
fn question(n: usize) -> (Question, f64) {
    match n % 3 {
        0 => (Question::InZoneOf, MARGINS_MM[n / 3 % MARGINS_MM.len()]),
        1 => (Question::ContactFront, CONTACT_MM[n / 3 % CONTACT_MM.len()]),
        _ => (Question::BehindFlankLine, MARGINS_MM[n / 3 % MARGINS_MM.len()]),
    }
}

/// Along which way the second base is shifted to come nearer to the limit.
fn way(question: Question) -> Vector {
    if question == Question::BehindFlankLine { Vector::x() } else { Vector::y() }
}

#[test]
fn with_a_stalk_4_degrees_out_verdicts_are_right_or_too_close() {
    let table = table(groma::judge::samples::TABLE_RON);
    let scenes = (0..4).map(|scene| {
        let mut pairs = Pairs::default();
        for n in 0..10 {
            let (mut asked, mut wanted) = question(n + 10 * scene);
            // Far from the limit a stalk that may lean is no excuse.
            if n >= 7 {
                (asked, wanted) = (Question::InZoneOf, if n.is_multiple_of(2) { 6.0 } else { -6.0 });
            }
            let middle = (80.0 + 95.0 * (n % 5) as f64, 130.0 + 200.0 * (n / 5) as f64);
            let (first, second) = pairs.next(asked, middle, 1.0);
            let towards = (45.0 * (n + scene) as f64).to_radians();
            let lean = Lean { right_deg: 4.0 * towards.cos(), forward_deg: 4.0 * towards.sin() };
            let first = Base { tag_height_mm: 30.0, lean, ..first };
            pairs.add((asked, wanted), (first, second), way(asked), |b| b, &table);
        }
        judged("stalk 4 degrees out", &pairs, (Vec::new(), STALKS_IN_DOUBT, &table), 20 + scene as u64)
    });
    sound(&merged(scenes.collect::<Vec<_>>()), 12);
}

#[test]
fn on_a_slope_of_10_degrees_verdicts_are_right_or_too_close() {
    let rise = 10f64.to_radians().tan();
    let text = format!(
        "(name: \"Ridge\", kind: \"gentle-hill\", height: {:.2}, profile: slope, crest: [(-300, 300), (900, 300)], \
         outline: [(-300, 130), (900, 130), (900, 470), (-300, 470)]),",
        170.0 * rise
    );
    let table = table(&with_hills(&text));
    // Its ends lie beyond the board: near them it would slope along x too.
    let blocks = ridge(-300.0, 130.0, 900.0, 470.0, 10.0).1;
    let lay = |b: Base| {
        let up = if b.pose.centre.y < 300.0 { 1.0 } else { -1.0 };
        let from_rim = if up > 0.0 { b.pose.centre.y - 130.0 } else { 470.0 - b.pose.centre.y };
        Base { ground_mm: from_rim * rise, slope: Vector::new(0.0, up * rise), ..b }
    };
    let scenes = (0..3).map(|scene| {
        let mut pairs = Pairs::default();
        for n in 0..10 {
            let (asked, wanted) = question(n + 10 * scene);
            let (x, up) = (85.0 + 95.0 * (n % 5) as f64, if n < 5 { 1.0 } else { -1.0 });
            let middle = (x, 300.0 - up * 110.0);
            let two = pairs.next(asked, middle, up);
            pairs.add((asked, wanted), two, way(asked), lay, &table);
        }
        judged("slope of 10 degrees", &pairs, (blocks.clone(), KNOWN, &table), 30 + scene as u64)
    });
    sound(&merged(scenes.collect::<Vec<_>>()), 10);
}

/// A base as it rests over the rim of a step: its middle borne by the top it stands level; else it is tipped over the
/// rim onto its lower edge. `inward` is how far its middle is over the top.
fn over_the_rim(b: Base, step_mm: f64, inward: f64, up: f64) -> Base {
    let half = b.depth_mm / 2.0;
    if inward > half {
        return Base { ground_mm: step_mm, ..b };
    }
    if inward < -half {
        return b;
    }
    if inward >= 0.0 {
        return Base { ground_mm: step_mm, ..b };
    }
    // Tilted by t about its lower edge: that is half its depth along the underside from the middle, the rim
    // -inward across from it: half sin t - inward tan t = the step.
    let (mut low, mut high) = (0.0, 1.2);
    for _ in 0..60 {
        let t: f64 = (low + high) / 2.0;
        if half * t.sin() - inward * t.tan() < step_mm { low = t } else { high = t }
    }
    Base { ground_mm: half * low.sin(), slope: Vector::new(0.0, up * low.tan()), ..b }
}

#[test]
fn half_off_a_stepped_hill_verdicts_are_right_or_too_close() {
    // The hill as its file has it: its rim where it lies, or as far off as drawing it by eye may put it.
    let drawn = [(3.0, 0.0), (3.0, 1.5), (3.0, -1.5), (6.0, 0.7)];
    let scenes = drawn.into_iter().enumerate().map(|(scene, (step_mm, out))| {
        let block = step(40.0, 160.0, 560.0, 440.0, step_mm).1;
        let text = format!(
            "(name: \"Step\", kind: \"gentle-hill\", height: {2}, profile: stepped, outline: [(40, {0}), (560, {0}), \
             (560, {1}), (40, {1})]),",
            160.0 - out,
            440.0 + out,
            step_mm
        );
        let table = table(&with_hills(&text));
        let mut pairs = Pairs::default();
        for n in 0..10 {
            let (asked, wanted) = question(n + 10 * scene);
            let (x, up) = (85.0 + 95.0 * (n % 5) as f64, if n < 5 { 1.0 } else { -1.0 });
            let lay = |b: Base| {
                let y = b.pose.centre.y;
                let inward = if up > 0.0 { y - 160.0 } else { 440.0 - y };
                over_the_rim(b, step_mm, inward, up)
            };
            // Its middle 3 mm within the rim or 6, the other on the top.
            let inward = if n.is_multiple_of(2) { 6.0 } else { 3.0 };
            let middle = (x, 300.0 - up * (140.0 - inward));
            let (first, mut second) = pairs.next(asked, middle, up);
            if asked == Question::BehindFlankLine {
                second.pose = second.pose.nudged(Vector::new(0.0, up * 52.0), 0.0);
            }
            pairs.add((asked, wanted), (first, second), way(asked), lay, &table);
        }
        judged("half off a step", &pairs, (vec![block], KNOWN, &table), 40 + scene as u64)
    });
    sound(&merged(scenes.collect::<Vec<_>>()), 10);
}

#[test]
fn a_base_tipped_over_a_steps_rim_is_read_within_its_sigma_or_not_at_all() {
    let (mut read_of, mut all, mut worst) = (0, 0, 0.0f64);
    for (seed, (step_mm, tag_mm)) in
        [(3.0, 30.0), (6.0, 30.0), (3.0, 0.3), (6.0, 0.3)].into_iter().enumerate()
    {
        let (hill, block) = step(40.0, 160.0, 560.0, 440.0, step_mm);
        let relief = Relief::new(vec![hill]);
        let bases: Vec<Base> = (0..10)
            .map(|n| {
                // Its middle 1 to 9 mm beyond the rim.
                let (x, up) = (85.0 + 95.0 * (n % 5) as f64, if n < 5 { 1.0 } else { -1.0 });
                let inward = -1.0 - 2.0 * (n % 5) as f64;
                let pose = Pose::new(x, 300.0 - up * (140.0 - inward), up * 90.0);
                over_the_rim(base(n, tag_mm, pose, 0.0, Vector::zeros()), step_mm, inward, up)
            })
            .collect();
        let found = read(&mut camera(&bases, vec![block], 60 + seed as u64), &roster(&bases, KNOWN), &relief);
        for b in &bases {
            all += 1;
            let Some(pose) = found[&b.name].pose.clone() else { continue };
            read_of += 1;
            let off = pose.pose.centre - b.pose.centre;
            let place = pose.covariance.fixed_view::<2, 2>(0, 0).into_owned();
            let squared = (off.transpose() * place.try_inverse().expect("a sound covariance") * off).x;
            let tipped = b.slope.norm().atan().to_degrees();
            println!(
                "{step_mm} {tag_mm} {}, tipped by {tipped:.0}: {:.2} mm off, {squared:.1} squared sigmas",
                b.name,
                off.norm()
            );
            worst = worst.max(squared);
        }
    }
    println!("read {read_of} of {all}");
    // Of honest sigmas one in a thousand lies beyond 13.8.
    assert!(read_of >= all / 4 && worst < 13.8, "{read_of} of {all}, worst {worst}");
}
