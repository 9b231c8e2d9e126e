//! What must hold after any recoil, flight or pursuit, wherever everyone stands: no two bases overlap that did not
//! before, everyone who is not lost is on the board, and turning the table by quarters with the armies' base edges
//! changes no recoil and no flight.

use groma::geometry::{Footprint, Point, Pose, separation};
use groma::rules::aftermath::{Cause, Decisions, Play, RecoilBy};
use groma::rules::combat::Struck;
use groma::rules::setting_up::turned;
use groma::rules::terrain::BoardEdge;
use groma::rules::{Element, Location, Overhang, Settings, Setup, Side};
use groma::units::Scale;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha12Rng;

/// How many situations: fewer where nothing but the rules is built, which is not optimised and takes ten times as long.
const SITUATIONS: usize = if cfg!(feature = "vision") { 100_000 } else { 1_000 };
/// Bases that touch are measured into each other by the contact gap at most, here 1 mm.
const SLACK: f64 = 1.01;
const CODES: [&str; 14] =
    ["4Bd", "4Sp", "Ps", "El", "3Kn", "Cv", "LH", "4Wb", "4Pk", "SCh", "WWg", "7Hd", "4Ax", "4Bw"];

fn depth(code: &str) -> f64 {
    match code {
        "El" | "SCh" | "WWg" | "7Hd" => 40.0,
        "3Kn" | "Cv" | "LH" => 30.0,
        "Ps" | "4Ax" | "4Bw" => 20.0,
        _ => 15.0,
    }
}

/// A few bases, most of them touching others as troops do: behind, beside, face to face, on a flank; some apart.
fn situation(rng: &mut ChaCha12Rng) -> Setup {
    let mut elements: Vec<Element> = Vec::new();
    let wanted = rng.random_range(2..=9);
    for n in 0..200 {
        if elements.len() == wanted {
            break;
        }
        let code = CODES[rng.random_range(0..CODES.len())];
        let side = if rng.random_bool(0.5) { Side::Red } else { Side::Blue };
        let size = (40.0, depth(code));
        let pose = match elements.len() {
            0 => free(rng),
            len => {
                let next_to = &elements[rng.random_range(0..len)];
                beside(rng, next_to, size.1)
            }
        };
        let footprint = Footprint::new(pose, size.0, size.1).expect("a base");
        let inside =
            footprint.outline().iter().all(|p| (0.0..=600.0).contains(&p.x) && (0.0..=600.0).contains(&p.y));
        let clear = elements.iter().all(|e| separation(&e.footprint, &footprint).mm > -1e-6);
        if inside && clear {
            elements.push(Element {
                name: format!("N{n}"),
                side,
                troop: code.to_owned(),
                footprint,
                general: false,
                tower: false,
                overhang: Overhang::default(),
                location: Location::Board,
            });
        }
    }
    Setup::bare(Scale::SMALL, (600.0, 600.0), elements)
}

fn free(rng: &mut ChaCha12Rng) -> Pose {
    let near_edge = rng.random_bool(0.4);
    let x = if near_edge { rng.random_range(20.0..70.0) } else { rng.random_range(100.0..500.0) };
    let heading = if rng.random_bool(0.7) {
        f64::from(rng.random_range(0..4)) * 90.0
    } else {
        rng.random_range(0.0..360.0)
    };
    Pose::new(x, rng.random_range(30.0..570.0), heading)
}

fn beside(rng: &mut ChaCha12Rng, other: &Element, depth: f64) -> Pose {
    let (pose, own) = (other.footprint.pose(), other.footprint.depth_mm());
    let gap = if rng.random_bool(0.6) { 0.0 } else { rng.random_range(0.0..60.0) };
    let slide = if rng.random_bool(0.6) { 0.0 } else { rng.random_range(-30.0..30.0) };
    let back = (own + depth) / 2.0 + gap;
    let centre: Point = match rng.random_range(0..5) {
        0 => pose.at(slide, -back),
        1 => pose.at(40.0 + gap, (own - depth) / 2.0),
        2 => pose.at(-40.0 - gap, (own - depth) / 2.0),
        3 => return Pose { centre: pose.at(slide, back), heading: pose.heading.reversed() },
        _ => {
            let centre = pose.at(20.0 + depth / 2.0 + gap, own / 2.0 - 20.0);
            return Pose { centre, heading: pose.heading.turned_degrees(90.0) };
        }
    };
    Pose { centre, heading: pose.heading }
}

fn written(setup: &Setup) -> String {
    groma::rules::notation::write_setup(setup)
}

fn played(setup: &Setup, what: usize, who: &str, foe: &str, decisions: &Decisions) -> Setup {
    let settings = Settings::dba3();
    let mut play = Play::new(setup.clone(), &settings, decisions);
    let done = match what {
        0 => play.recoil(who, Cause::CloseCombat),
        1 => play.recoil(who, Cause::Shooting(Struck::RearEdge)),
        2 => play.flee(who),
        _ => play.destroy(foe, Vec::new()).and_then(|()| play.pursue(setup, who, foe)),
    };
    done.expect("names of the setup");
    play.setup
}

#[test]
fn after_any_outcome_no_two_bases_overlap_and_turning_the_board_with_its_edges_changes_nothing() {
    let mut rng = ChaCha12Rng::seed_from_u64(5);
    let mut moved = 0;
    for n in 0..SITUATIONS {
        let setup = situation(&mut rng);
        let who = setup.elements[rng.random_range(0..setup.elements.len())].name.clone();
        let own = setup.element(&who).expect("named above").side;
        let foe = setup.elements.iter().find(|e| e.side != own).map(|e| e.name.clone());
        let what = if foe.is_some() { rng.random_range(0..4) } else { rng.random_range(0..3) };
        let mut decisions = Decisions::default();
        if rng.random_bool(0.5) {
            decisions.recoil.insert(who.clone(), RecoilBy::OwnDepth);
        }
        let foe = foe.unwrap_or_default();
        let after = played(&setup, what, &who, &foe, &decisions);
        moved += usize::from(after != setup);
        let standing: Vec<&Element> =
            after.elements.iter().filter(|e| e.location == Location::Board).collect();
        for (at, a) in standing.iter().enumerate() {
            let out = a
                .footprint
                .outline()
                .into_iter()
                .any(|p| p.x < -SLACK || p.y < -SLACK || p.x > 600.0 + SLACK || p.y > 600.0 + SLACK);
            assert!(
                !out,
                "situation {n}, {what} of {who}: {} stands off the board\n{}\n{}",
                a.name,
                written(&setup),
                written(&after)
            );
            for b in &standing[at + 1..] {
                let gap = separation(&a.footprint, &b.footprint).mm;
                assert!(
                    gap > -SLACK,
                    "situation {n}, {what} of {who}: {} is {gap} mm in {}\n{}\n{}",
                    a.name,
                    b.name,
                    written(&setup),
                    written(&after)
                );
            }
        }
        if what == 3 {
            // A contact that can be lined up in two ways equally well may go either way.
            continue;
        }
        for near in [BoardEdge::Left, BoardEdge::Far, BoardEdge::Right] {
            let other = played(&turned(&setup, near), what, &who, &foe, &decisions);
            for (a, b) in turned(&after, near).elements.iter().zip(&other.elements) {
                assert_eq!(
                    a.location,
                    b.location,
                    "situation {n}, {what} of {who}: {}, the {} turned to be the near one\n{}",
                    a.name,
                    near.name(),
                    written(&setup)
                );
                let apart = (a.footprint.corner(groma::geometry::Corner::FrontLeft)
                    - b.footprint.corner(groma::geometry::Corner::FrontLeft))
                .norm();
                assert!(apart < 1e-6, "situation {n}: {} ends {apart} mm elsewhere", a.name);
            }
        }
    }
    assert!(moved > SITUATIONS / 2, "most situations move somebody: {moved}");
}
