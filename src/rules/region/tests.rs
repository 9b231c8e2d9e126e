//! The legal region against the judge of moves, on random tables and on figures worked out by hand.

use super::*;
use crate::geometry::{Edge, Leg, Vector};
use crate::rules::group::Formed;
use crate::rules::movement::{self, Prepared, Ruled, Seen, TacticalMove};
use crate::rules::{Side, notation};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Without room for measuring, so that what bounds the region is the rule and not the tolerance.
fn exact() -> Settings {
    let mut settings = Settings::dba3();
    (settings.tolerances.corner_offset_mm, settings.tolerances.same_facing_deg) = (1e-3, 1e-3);
    settings.tolerances.contact_gap_mm = 1e-3;
    settings
}

/// A crowded table about `M`: friends beside it and before it, enemies askew and square, a wood.
const CROWD: &str = "bw 40mm board 900x900mm
M Cv red general at (450,450)mm 90deg d30mm
F1 4Bd red at (490.4,457)mm 90.6deg d15mm
F2 Ps red at (441,495)mm 93deg d15mm
F3 3Ax red at (380,470)mm 120deg d15mm
F4 4Sp red at (452,400)mm 90deg d15mm
E1 4Bd blue at (455,560)mm 268deg d15mm
E2 4Sp blue at (520,540)mm 200deg d15mm
E3 3Kn blue at (360,540)mm 300deg d30mm
E4 Ps blue at (540,420)mm 180deg d15mm
ground wood W (300,380)-(350,380)-(360,440)-(310,450)mm";

/// What the prepared judge says of a path and what the judge of moves does, for paths drawn by chance.
#[test]
fn the_prepared_judge_rules_as_the_judge_of_moves_does() {
    let settings = Settings::dba3();
    let bound = Bound::new(3, Side::Red).with_pips(6);
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut legal = 0;
    for code in ["Cv", "Ps", "4Bd"] {
        let setup = setup(&CROWD.replace("M Cv", &format!("M {code}")));
        let mover = setup.element("M").expect("M is there");
        let troop = settings.ruleset().troop(code).expect("a known code");
        let moves = Prepared::of(setup.clone(), &bound, &settings, mover, troop);
        for _ in 0..700 {
            let mut pose = mover.footprint.pose();
            let mut legs: Vec<Leg> = Vec::new();
            for _ in 0..rng.random_range(1..=4) {
                let by = Vector::new(rng.random_range(-60.0..60.0), rng.random_range(-60.0..60.0));
                let turn = rng.random_range(-3.0..3.0);
                let arm = Vector::new(rng.random_range(-20.0..20.0), rng.random_range(-20.0..20.0));
                let leg = match rng.random_range(0..4) {
                    0 => Leg::Turn { about: pose.centre, by_rad: turn },
                    1 => Leg::Turn { about: pose.centre + arm, by_rad: turn },
                    2 => Leg::Shift(pose.heading.vector() * by.x),
                    _ => Leg::Shift(by),
                };
                pose = leg.applied_to(pose);
                legs.push(leg);
            }
            let mv = TacticalMove::single("M", legs.clone());
            let judged = movement::judge(&setup, &bound, &settings, &mv).expect("a move");
            let ruled = moves.end(pose).map_or(Ruled::Illegal, |end| moves.rules(&end, &legs));
            legal += u32::from(judged.legal);
            let known = if judged.legal { Ruled::Legal } else { Ruled::Illegal };
            let wrong: Vec<_> = judged.conditions.iter().filter(|c| !c.reason.holds).collect();
            assert_eq!(ruled, known, "{code} {legs:?} {wrong:#?}");
        }
    }
    assert!(legal > 60, "{legal} legal moves");
}

fn setup(text: &str) -> Setup {
    notation::read_setup(text, Settings::dba3().ruleset()).expect("a good setup")
}

fn area_of(rings: &[Vec<Point>]) -> f64 {
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
    // each way, over all headings, is what the outline is the shadow of.
    let furthest = |way: Vector, turn: f64| {
        let corners = [(-20.0, 7.5), (20.0, 7.5)].map(|(x, y): (f64, f64)| {
            Vector::new(x * turn.cos() - y * turn.sin() - x, x * turn.sin() + y * turn.cos() - y)
        });
        let within = |d: f64| corners.iter().all(|c| (way * d + c).norm() <= 80.0);
        (0..2000).map(|n| f64::from(n) * 0.05).filter(|d| within(*d)).fold(0.0, f64::max)
    };
    let by_hand: f64 = (0..180)
        .map(|n| Heading::from_degrees(f64::from(n) * 2.0).vector())
        .map(|way| (0..180).map(|e| furthest(way, f64::from(e) * 2f64.to_radians())).fold(0.0, f64::max))
        .map(|d| d * d / 2.0 * 2f64.to_radians())
        .sum();
    assert_eq!(region.outline.len(), 1);
    let found = area_of(&region.outline);
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
    // A is 30 deep, its centre at (300, 265); B covers x 280 to 320, y 305 to 320. Facing as it does round B's end
    // the centre goes to (260, 290), 47.17 mm, up to (260, 335), 45 mm, and on to (300, y): of 160 mm 67.83 are left,
    // so it comes to y = 335 + sqrt(67.83^2 - 40^2) = 389.78, which is 124.78 ahead. However it turns, one front
    // corner goes from (320, 280) round (280, 305) and (280, 320), 62.17 mm, and back to x = 320: 97.83 are left, so
    // it comes no further than y = 320 + sqrt(97.83^2 - 40^2) = 409.28, which is 129.28 ahead.
    let wall = "A Cv red general (7,7)-(8,7) N; B 4Sp red (7,8)-(8,8) N";
    let (setup, settings, bound) = (setup(wall), exact(), Bound::new(3, Side::Red).with_pips(2));
    let search = Search::of(&setup, &bound, &settings, &["A"]).expect("A is there");
    let start = setup.elements[0].footprint.pose();
    let ahead = |y: f64| Pose { centre: Point::new(start.centre.x, start.centre.y + y), ..start };
    assert!(search.way_to(ahead(10.0)).is_some() && search.way_to(ahead(40.0)).is_none());
    let way = search.way_to(ahead(124.7)).expect("round the wall");
    assert!(way.made.movers[0].legs.len() >= 2);
    let further = search.way_to(ahead(129.8));
    assert!(further.is_none(), "{further:?}");
}

#[test]
fn what_went_round_a_wall_unseen_is_explained_as_one_legal_move() {
    // As in the test before; straight there it would run into B, and beyond 129.28 mm ahead no way is short enough.
    let wall = "A Cv red general (7,7)-(8,7) N; B 4Sp red (7,8)-(8,8) N";
    let (setup, settings, bound) = (setup(wall), exact(), Bound::new(3, Side::Red).with_pips(1));
    let explained = |ahead: f64| {
        let mut after = setup.clone();
        let start = setup.elements[0].footprint.pose();
        let end = Pose { centre: start.centre + Vector::new(0.0, ahead), ..start };
        after.elements[0].footprint = setup.elements[0].footprint.moved_to(end);
        movement::explain(Seen::ends(&setup, &after, 0.0), &bound, &settings, &Formed::default())
    };
    let found = explained(124.7);
    assert!(found[0].legal && found[0].moves.len() == 1, "{found:#?}");
    assert!(!explained(129.8)[0].legal);
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
fn it_wheels_past_a_zone_by_more_than_a_quarter_turn() {
    // The zone of E is x 180 to 220, y 167.5 to 207.5, the front edge of A x 180 to 220, y 157.5. Wheeled to the right by
    // t about (180 + w, 157.5 + v) its left corner goes t hypot(w, v), 80 mm at most; the front edge, v off that point, just
    // clears the zone's corner where w^2 + (v - 10)^2 = v^2. By 100 degrees: hypot(w, v) is 45.84, so v is 37.97 and w 25.68.
    let text = "A 4Bd red general at (200,150)mm 90deg d15mm; E 4Pk blue at (200,215)mm 270deg d15mm";
    let (setup, settings, bound) = (setup(text), exact(), Bound::new(3, Side::Red).with_pips(2));
    let search = Search::of(&setup, &bound, &settings, &["A"]).expect("A is there");
    let start = setup.elements[0].footprint.pose();
    let wheeled = |reach: f64| {
        let by_rad = 100f64.to_radians();
        let arm = reach / by_rad;
        let v = (200.0 + arm * arm).sqrt() - 10.0;
        let w = (20.0 * v - 100.0).sqrt();
        Leg::Turn { about: Point::new(180.0 + w, 157.5 + v), by_rad: -by_rad }.applied_to(start)
    };
    assert!((wheeled(80.0).centre - Point::new(161.89, 208.96)).norm() < 0.02, "{:?}", wheeled(80.0));
    let way = search.way_to(wheeled(79.9)).expect("one wheel");
    assert_eq!(way.made.movers[0].legs.len(), 1);
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

#[test]
fn where_parts_of_an_outline_overlap_is_no_hole() {
    let part = |from: f64, to: f64| {
        [(from, 0.0), (to, 0.0), (to, 9.0), (from, 9.0)].map(|(x, y)| Point::new(x, y)).to_vec()
    };
    let rings = [part(0.0, 6.0), part(4.0, 10.0)];
    let winds = |x: f64| winding(&rings, Point::new(x, 5.0));
    assert_eq!([winds(2.0), winds(5.0), winds(8.0), winds(11.0)], [1, 2, 1, 0]);
    let hole: Vec<Point> = part(4.0, 6.0).into_iter().rev().collect();
    assert_eq!(winding(&[part(0.0, 10.0), hole], Point::new(5.0, 5.0)), 0);
}
