//! The legal region against the judge of moves, on random tables and on figures worked out by hand.

use super::*;
use crate::geometry::{Edge, Footprint, Leg, Vector, separation};
use crate::rules::movement::{self, TacticalMove};
use crate::rules::{Element, Location, Overhang, Side, notation};
use crate::units::Scale;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const CODES: [&str; 8] = ["4Bd", "4Sp", "3Ax", "Ps", "Cv", "LH", "3Kn", "4Bw"];

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

/// A table of 24 about a mover `M` in the middle: some square to it, some touching, nobody in another.
fn table(rng: &mut ChaCha8Rng) -> Setup {
    let mut setup = Setup::bare(Scale::SMALL, (900.0, 900.0), Vec::new());
    let heading = 90.0 + f64::from(rng.random_range(0..4)) * 2.5;
    let code = CODES[rng.random_range(0..CODES.len())];
    let mut mover = element("M".into(), Side::Red, code, Pose::new(450.0, 450.0, heading));
    mover.general = true;
    setup.elements.push(mover);
    while setup.elements.len() < 24 {
        let place = setup.elements.len();
        let red = rng.random_bool(0.45);
        let code = CODES[rng.random_range(0..CODES.len())];
        let square = rng.random_bool(0.5);
        let pose = if red && rng.random_bool(0.3) {
            // Beside a friend, corners together.
            let friends: Vec<&Element> = setup.elements.iter().filter(|e| e.side == Side::Red).collect();
            let friend = friends[rng.random_range(0..friends.len())].footprint;
            Pose {
                centre: friend.pose().at(if rng.random_bool(0.5) { 40.0 } else { -40.0 }, 0.0),
                ..friend.pose()
            }
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
    setup
}

/// Without room for measuring, so that what bounds the region is the rule and not the tolerance.
fn exact() -> Settings {
    let mut settings = Settings::dba3();
    (settings.tolerances.corner_offset_mm, settings.tolerances.same_facing_deg) = (1e-3, 1e-3);
    settings.tolerances.contact_gap_mm = 1e-3;
    settings
}

fn judged(setup: &Setup, bound: &Bound, settings: &Settings, legs: &[Leg]) -> bool {
    let mv = TacticalMove::single("M", legs.to_vec());
    movement::judge(setup, bound, settings, &mv).is_ok_and(|j| j.legal)
}

fn somewhere(rng: &mut ChaCha8Rng, about: Pose, reach: f64) -> Pose {
    let (x, y) = (rng.random_range(-reach..reach), rng.random_range(-reach..reach));
    let turn = if rng.random_bool(0.3) { 0.0 } else { rng.random_range(-180.0..180.0) };
    Pose { centre: about.centre + Vector::new(x, y), heading: about.heading.turned_degrees(turn) }
}

/// A way out of a pose: a share of the table's plane or of the heading, by millimetres or degrees.
fn gone(pose: Pose, way: Vector, turn: f64, by: f64) -> Pose {
    Pose { centre: pose.centre + way * by, heading: pose.heading.turned_degrees(turn * by) }
}

#[test]
#[cfg_attr(
    not(feature = "vision"),
    ignore = "minutes without optimisation; the run with every feature has it"
)]
fn poses_in_and_just_beyond_are_ruled_as_the_judge_rules() {
    in_and_beyond(60);
}

#[test]
#[ignore = "the full count, for a release build"]
fn ten_thousand_poses_in_and_just_beyond_are_ruled_as_the_judge_rules() {
    in_and_beyond(10_000);
}

fn in_and_beyond(count: u32) {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    let settings = Settings::dba3();
    let bound = Bound::new(3, Side::Red).with_pips(6);
    let (mut inside, mut beyond, mut missed, mut tables) = (0, 0, 0, 0);
    while inside + beyond < count {
        tables += 1;
        assert!(tables < 2000, "{inside} inside and {beyond} beyond on {tables} tables");
        let setup = table(&mut rng);
        let search = Search::of(&setup, &bound, &settings, &["M"]).expect("M is there");
        let Search::Single(trial) = &search else { panic!("one element") };
        let start = trial.mover.footprint.pose();
        for _ in 0..60 {
            let pose = somewhere(&mut rng, start, search.pace_mm());
            let Some(way) = trial.way_to(pose) else { continue };
            inside += 1;
            assert!(
                judged(&setup, &bound, &settings, &way.made.movers[0].legs),
                "{way:?} on {}",
                notation::write_setup(&setup)
            );
            let end = way.made.movers[0].legs.iter().fold(start, |at, leg| leg.applied_to(at));
            assert!((end.centre - pose.centre).norm() < 1e-6);
            // Outward until it ends, and half a millimetre or half a degree beyond.
            let turning = rng.random_bool(0.4);
            let angle = Heading::from_degrees(rng.random_range(0.0..360.0)).vector();
            let (way, turn) = if turning {
                (Vector::zeros(), if rng.random_bool(0.5) { 1.0 } else { -1.0 })
            } else {
                (angle, 0.0)
            };
            let mut by = 0.0;
            while by < 400.0 && trial.way_to(gone(pose, way, turn, by + 2.0)).is_some() {
                by += 2.0;
            }
            let (mut good, mut bad) = (by, by + 2.0);
            while bad - good > 1e-3 {
                let middle = f64::midpoint(good, bad);
                if trial.way_to(gone(pose, way, turn, middle)).is_some() {
                    good = middle
                } else {
                    bad = middle
                }
            }
            let out = gone(pose, way, turn, bad + 0.5);
            if trial.way_to(out).is_some() {
                continue;
            }
            beyond += 1;
            for legs in paths::direct(trial.mover.footprint, trial.mover.footprint.moved_to(out), crate::geometry::Corner::FrontLeft) {
                assert!(
                    !judged(&setup, &bound, &settings, &legs),
                    "{legs:?} to {out:?}, which is not in the region, on\n{}",
                    notation::write_setup(&setup)
                );
            }
            let inner = trial.way_to(gone(pose, way, turn, good)).expect("it was found");
            let wider = (0..20).map(|_| stray(&mut rng, start, out, search.pace_mm()));
            let wider = std::iter::once(carried_on(&inner.made.movers[0].legs, start, out)).chain(wider);
            missed += u32::from(wider.into_iter().any(|legs| judged(&setup, &bound, &settings, &legs)));
        }
    }
    println!("{inside} inside and {beyond} beyond on {tables} tables, {missed} of them by other paths");
    // A figure and no assertion: paths by chance, and one that was legal carried on, know nothing of the search.
}

/// A path by one or two places drawn by chance, each with a heading of its own.
fn stray(rng: &mut ChaCha8Rng, start: Pose, to: Pose, pace: f64) -> Vec<Leg> {
    let (mut at, mut legs) = (start, Vec::new());
    for _ in 0..rng.random_range(1..=2) {
        let mut next = somewhere(rng, start, pace / 2.0);
        if rng.random_bool(0.5) {
            next.heading = if rng.random_bool(0.5) { start.heading } else { to.heading };
        }
        if rng.random_bool(0.5) {
            legs.extend(movement::straight_to(at, Pose { centre: at.centre, ..next }));
            at.heading = next.heading;
        }
        legs.extend(movement::straight_to(at, next));
        at = next;
    }
    legs.extend(movement::straight_to(at, to));
    legs
}

/// A path and half a millimetre or half a degree more.
fn carried_on(legs: &[Leg], start: Pose, to: Pose) -> Vec<Leg> {
    let end = legs.iter().fold(start, |at, leg| leg.applied_to(at));
    legs.iter().copied().chain(movement::straight_to(end, to)).collect()
}

#[test]
#[cfg_attr(
    not(feature = "vision"),
    ignore = "minutes without optimisation; the run with every feature has it"
)]
fn the_outline_is_the_shadow_at_any_heading() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let settings = Settings::dba3();
    let bound = Bound::new(3, Side::Red).with_pips(6);
    let (mut held, mut near) = (0, 0);
    for _ in 0..2 {
        let setup = table(&mut rng);
        let region = LegalRegion::of(&setup, &bound, &settings, &["M"]).expect("M is there");
        let start = region.search.first().footprint.pose();
        for _ in 0..80 {
            let pose = somewhere(&mut rng, start, region.search.pace_mm());
            if !region.contains(pose) {
                continue;
            }
            held += 1;
            // Within a fine cell's diagonal: corners of the shadow are cut by the lattice.
            let close = region.shadow_holds(pose.centre)
                || region.outline.iter().flatten().any(|p| (p - pose.centre).norm() <= 4.3);
            near += usize::from(close);
        }
    }
    assert!(held > 20, "{held}");
    assert!(near * 100 >= held * 99, "{near} of {held} legal poses lie in the outline");
}

fn setup(text: &str) -> Setup {
    notation::read_setup(text, Settings::dba3().ruleset()).expect("a good setup")
}

fn area(rings: &[Vec<Point>]) -> f64 {
    let of = |ring: &Vec<Point>| {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| (a.x * b.y - b.x * a.y) / 2.0).sum::<f64>()
    };
    rings.iter().map(of).sum()
}

#[test]
fn alone_in_the_open_its_outline_is_where_no_front_corner_goes_too_far() {
    let setup = setup("A 4Sp red general (7,7)-(8,7) N");
    let (settings, bound) = (Settings::dba3(), Bound::new(3, Side::Red).with_pips(1));
    let region = LegalRegion::of(&setup, &bound, &settings, &["A"]).expect("A is there");
    // Turned by t about its centre a front corner c goes c' - c further than the centre by d: the furthest d
    // each way, over headings an eighth of a turn apart, is what the outline is the shadow of.
    let furthest = |way: Vector, turn: f64| {
        let corners = [(-20.0, 7.5), (20.0, 7.5)].map(|(x, y): (f64, f64)| {
            Vector::new(x * turn.cos() - y * turn.sin() - x, x * turn.sin() + y * turn.cos() - y)
        });
        let within = |d: f64| corners.iter().all(|c| (way * d + c).norm() <= 80.0);
        (0..2000).map(|n| f64::from(n) * 0.05).filter(|d| within(*d)).fold(0.0, f64::max)
    };
    let by_hand: f64 = (0..720)
        .map(|n| Heading::from_degrees(f64::from(n) / 2.0).vector())
        .map(|way| (0..8).map(|e| furthest(way, f64::from(e) * 45f64.to_radians())).fold(0.0, f64::max))
        .map(|d| d * d / 2.0 * 0.5f64.to_radians())
        .sum();
    assert_eq!(region.outline.len(), 1);
    let found = area(&region.outline);
    assert!((found - by_hand).abs() < by_hand * 0.005, "{found} {by_hand}");
    let none = Bound::new(3, Side::Red).with_pips(0);
    let region = LegalRegion::of(&setup, &none, &settings, &["A"]).expect("A is there");
    assert!(region.outline.is_empty(), "without a PIP nobody moves");
}

#[test]
fn turned_half_round_it_goes_less_far() {
    // Each front corner crosses the base: 40 mm aside and 15 mm back, so 42.7 mm of 80 are spent on it.
    let setup = setup("A 4Sp red general (7,7)-(8,7) N");
    let (settings, bound) = (Settings::dba3(), Bound::new(3, Side::Red));
    let region = LegalRegion::of(&setup, &bound, &settings, &["A"]).expect("A is there");
    let start = setup.elements[0].footprint.pose();
    let about =
        |by: f64| Pose { centre: start.centre + Vector::new(0.0, by), heading: start.heading.reversed() };
    // Forward by d the corners go (40, d - 15): at most sqrt(80^2 - 40^2) + 15 = 84.28 mm.
    assert!(region.contains(about(84.2)) && !region.contains(about(84.4)));
}

#[test]
fn a_wall_of_friends_is_gone_round_and_the_way_round_is_added() {
    // A is 30 deep, its centre at (300, 265); B covers x 280 to 320, y 305 to 320. Round B's end the centre
    // goes to (260, 290), 47.17 mm, up to (260, 335), 45 mm, and on to (300, y): of 160 mm 67.83 are left,
    // so it comes to y = 335 + sqrt(67.83^2 - 40^2) = 389.78, which is 124.78 ahead.
    let wall = "A Cv red general (7,7)-(8,7) N; B 4Sp red (7,8)-(8,8) N";
    let (setup, settings, bound) = (setup(wall), exact(), Bound::new(3, Side::Red).with_pips(2));
    let search = Search::of(&setup, &bound, &settings, &["A"]).expect("A is there");
    let start = setup.elements[0].footprint.pose();
    let ahead = |y: f64| Pose { centre: Point::new(start.centre.x, start.centre.y + y), ..start };
    assert!(search.way_to(ahead(10.0)).is_some() && search.way_to(ahead(40.0)).is_none());
    let way = search.way_to(ahead(124.7)).expect("round the wall");
    assert!(way.made.movers[0].legs.len() >= 2);
    assert!(search.way_to(ahead(125.3)).is_none());
}

#[test]
fn a_gap_too_narrow_for_the_front_is_passed_with_a_side_leading() {
    // B and C leave 30 mm; A is 40 wide and 15 deep. Turned a quarter it fits, and it turns again beyond:
    // 30.2 mm a turn and 75 ahead. Round the outside it is 188 mm of 160.
    let gap = "A LH red general (7,7)-(8,7) N d0.375; B 4Sp red (6.125,8)-(7.125,8) N; \
               C 4Sp red (7.875,8)-(8.875,8) N";
    let (setup, settings, bound) = (setup(gap), exact(), Bound::new(3, Side::Red).with_pips(2));
    let search = Search::of(&setup, &bound, &settings, &["A"]).expect("A is there");
    let start = setup.elements[0].footprint.pose();
    let beyond = Pose { centre: start.centre + Vector::new(0.0, 75.0), ..start };
    assert!(search.way_to(beyond).is_some());
}

#[test]
fn an_enemy_is_reached_in_front_and_not_in_flank_from_before_it() {
    let text = "A Cv red general (7,5)-(8,5) N; E 4Bd blue (8,7)-(7,7) S";
    let (setup, settings, bound) = (setup(text), Settings::dba3(), Bound::new(3, Side::Red).with_pips(2));
    let targets = reach::targets(&Search::of(&setup, &bound, &settings, &["A"]).expect("A is there"));
    let of = |way: LineUpWay| targets.iter().find(|t| t.line_up == way).expect("each way is looked at");
    assert_eq!(of(LineUpWay::Front).way.as_ref().map(|w| w.pips), Some(1));
    for flank in [Edge::Left, Edge::Right] {
        let target = of(LineUpWay::Flank(flank));
        assert!(target.way.is_none());
        let found =
            reach_of(&setup, &bound, &settings, &["A"], "E", LineUpWay::Flank(flank)).expect("A is there");
        let refused = found.and_then(|t| t.refused).expect("why it is not");
        assert!(refused.reasons().any(|r| r.clause == "dba3.con.9" && !r.holds), "{refused:#?}");
    }
    assert!(of(LineUpWay::Overlap(Edge::Left)).way.is_some());
}

#[test]
fn a_line_goes_ahead_and_wheels_and_not_aside() {
    let text = "A 4Sp red general (6,7)-(7,7) N; B 4Sp red (7,7)-(8,7) N; C 4Sp red (8,7)-(9,7) N";
    let (setup, settings, bound) = (setup(text), Settings::dba3(), Bound::new(3, Side::Red).with_pips(2));
    let region = LegalRegion::of(&setup, &bound, &settings, &["A", "B", "C"]).expect("they are there");
    let start = setup.elements[0].footprint.pose();
    let ahead = |mm: f64| Pose { centre: start.centre + Vector::new(0.0, mm), ..start };
    assert!(region.contains(ahead(80.0)) && !region.contains(ahead(80.5)) && !region.contains(ahead(-5.0)));
    assert!(!region.contains(Pose { centre: start.centre + Vector::new(5.0, 20.0), ..start }));
    // Wheeled left by 30 degrees about A's corner, the far corner goes 62.1 mm.
    let wheel = Leg::Turn { about: Point::new(240.0, 280.0), by_rad: 30f64.to_radians() };
    let wheeled = wheel.applied_to(start);
    assert!(region.contains(wheeled));
    let on = |mm: f64| Pose { centre: wheeled.centre + wheeled.heading.vector() * mm, ..wheeled };
    let legs = region.way_to(on(10.0)).expect("wheeled and on");
    assert_eq!(legs.made.movers[0].legs.len(), 2);
    assert!(!region.contains(on(40.0)));
    assert!(!region.outline.is_empty());
}

#[test]
fn a_line_that_wheels_out_and_back_ends_ahead_and_to_the_side() {
    // Left by t about the left end and right by t about the right end: the line ends as it faced, ahead by
    // 120 sin t and to the left by 120 (1 - cos t), no corner having gone further than 240 sin(t / 2).
    let text = "A 4Sp red general (6,7)-(7,7) N; B 4Sp red (7,7)-(8,7) N; C 4Sp red (8,7)-(9,7) N";
    let (setup, settings, bound) = (setup(text), exact(), Bound::new(3, Side::Red).with_pips(2));
    let search = Search::of(&setup, &bound, &settings, &["A", "B", "C"]).expect("they are there");
    let start = setup.elements[0].footprint.pose();
    let t = 30f64.to_radians();
    let aside = |left: f64, ahead: f64| Pose { centre: start.centre + Vector::new(-left, ahead), ..start };
    let (left, ahead) = (120.0 * (1.0 - t.cos()), 120.0 * t.sin());
    assert!(search.way_to(aside(left, ahead)).is_some(), "{left} {ahead}");
    assert!(search.way_to(aside(left, ahead + 10.0)).is_some());
    // As far aside takes a greater wheel, and so comes further ahead.
    assert!(search.way_to(aside(left + 0.5, ahead)).is_none());
}
