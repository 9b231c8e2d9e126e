//! Written battles: each is played exactly as it is written, and so is its mirror image.
//!
//! Lengths are millimetres, the table's frame. The battles are `tests/battles`; what is expected in them was worked
//! out from the clauses, and `brute` works every combat out anew, without the engine.

use crate::brute::{self, Band, Mode, Place};
use crate::toll::{self, Fought, Places};
use crate::transform::Transform;
use groma::geometry::{separation, separation_from_area};
use groma::rules::battle::{Act, Battle, Clash, Contact, Fault, Played, Replay, Script, State, Told, replay};
use groma::rules::combat::Struck;
use groma::rules::terrain::{Feature, TerrainKind};
use groma::rules::{Element, Location, Settings, Setup, Side, notation};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How near mirrored places are.
const SAME_MM: f64 = 1e-6;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/battles")
}

fn battles() -> Vec<Script> {
    let mut paths: Vec<PathBuf> =
        fs::read_dir(folder()).expect("tests/battles").map(|e| e.expect("an entry").path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "ron"));
    paths.sort();
    assert!(!paths.is_empty(), "there are battles");
    let read = |path: &PathBuf| {
        let text = fs::read_to_string(path).expect("a battle");
        let name = path.display().to_string();
        Script::read(&name, &text).unwrap_or_else(|problems| panic!("{problems:#?}"))
    };
    paths.iter().map(read).collect()
}

/// Every battle as it is played, once for all tests.
pub fn played() -> &'static [(Script, Replay)] {
    static PLAYED: OnceLock<Vec<(Script, Replay)>> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let play = |script: Script| {
            let replay = replay(&script);
            (script, replay)
        };
        battles().into_iter().map(play).collect()
    })
}

/// More than this is no rounding, millimetres.
const OVERLAP_MM: f64 = 1e-5;

/// Everything that stands in something else.
fn overlaps(setup: &Setup) -> Vec<String> {
    let on: Vec<_> = setup.elements.iter().filter(|e| e.location == Location::Board).collect();
    let mut found = Vec::new();
    for (n, a) in on.iter().enumerate() {
        for b in &on[n + 1..] {
            let mm = separation(&a.footprint, &b.footprint).mm;
            if mm < -OVERLAP_MM {
                found.push(format!("{} and {} overlap by {:.4} mm", a.name, b.name, -mm));
            }
        }
    }
    found
}

#[test]
fn written_battles_are_played_as_they_are_written() {
    for (script, played) in played() {
        let wrong: Vec<String> = played
            .played
            .iter()
            .flat_map(|p| p.differs.iter().map(|d| format!("bound {}: {:?}: {d}", p.bound, p.act)))
            .collect();
        assert!(wrong.is_empty(), "{}: {}", script.name, wrong.join("\n"));
        assert_eq!(played.stopped, None, "{}", script.name);
        assert!(played.state().victor().is_some(), "{} is fought to the end", script.name);
        assert!(played.agrees());
    }
}

#[test]
fn nobody_ever_stands_in_anybody() {
    for (script, played) in played() {
        for p in &played.played {
            let found = overlaps(&p.state.setup);
            assert!(found.is_empty(), "{}, bound {}, {:?}: {found:?}", script.name, p.bound, p.act);
        }
    }
}

fn mirrored(act: &Act, mirror: &Transform) -> Act {
    match act {
        Act::Move { made, refuses } => Act::Move { made: mirror.tactical(made), refuses: refuses.clone() },
        other => other.clone(),
    }
}

#[test]
fn mirrored_battles_are_played_to_mirrored_tables() {
    for (script, original) in played() {
        let mirror = Transform::mirrored(script.setup.board_mm);
        let mut state = script.battle.start(mirror.setup(&script.setup));
        for p in &original.played {
            let act = mirrored(&p.act, &mirror);
            let (next, _) = script
                .battle
                .play(&state, &act)
                .unwrap_or_else(|why| panic!("{}, bound {}: {why}", script.name, p.bound));
            let wanted = mirror.setup(&p.state.setup);
            for (found, wanted) in next.setup.elements.iter().zip(&wanted.elements) {
                let (a, b) = (found.footprint.pose(), wanted.footprint.pose());
                let same = (a.centre - b.centre).norm() < SAME_MM
                    && a.heading.turn_to_radians(b.heading).abs() < SAME_MM
                    && found.location == wanted.location;
                assert!(same, "{}, bound {}, {:?}: {found:?} is not {wanted:?}", script.name, p.bound, p.act);
            }
            assert_eq!(next.loser, p.state.loser);
            assert_eq!(script.battle.places(&next), script.battle.places(&p.state));
            state = next;
        }
    }
}

fn battle(text: &str) -> (Battle, State) {
    let settings = Settings::dba3();
    let setup = notation::read_setup(text, settings.ruleset()).expect("a setup");
    let battle = Battle { settings, defender: Side::Red };
    let start = battle.start(setup);
    (battle, start)
}

fn done(battle: &Battle, state: &State, act: Act) -> State {
    battle.play(state, &act).unwrap_or_else(|why| panic!("{act:?}: {why}")).0
}

fn moved(battle: &Battle, state: &State, line: &str) -> Result<(State, Told), Fault> {
    let rules = battle.settings.ruleset();
    let read = notation::read_move(line, rules, state.setup.scale).expect("a move");
    let made = read.on(&state.setup).expect("known elements");
    battle.play(state, &Act::Move { made, refuses: Vec::new() })
}

fn to_combat(battle: &Battle, state: &State) -> State {
    let state = done(battle, state, Act::EndMoves { faces: Vec::new() });
    done(battle, &state, Act::EndShooting)
}

fn fight(a: &str, b: &str, dice: (u8, u8)) -> Act {
    Act::Fight { a: a.to_owned(), b: b.to_owned(), dice, own_depth: Vec::new(), occupies: None }
}

const DUEL: &str = "A 4Bd red general (5,6)-(6,6) N; B 4Bd red (6,6)-(7,6) N\n\
                    E 4Sp blue general (6,8)-(5,8) S; F 4Sp blue (7,8)-(6,8) S";

#[test]
fn phases_come_in_their_order_and_nothing_is_left_out() {
    let (battle, start) = battle(DUEL);
    let early = battle.play(&start, &Act::EndMoves { faces: Vec::new() });
    assert!(matches!(early, Err(Fault::Turn { .. })), "the die comes first (dba3.seq.2)");
    assert!(matches!(battle.play(&start, &Act::Roll(7)), Err(Fault::Die(_))));
    let state = done(&battle, &start, Act::Roll(1));
    let (state, _) = moved(&battle, &state, "A+B ahead 2").expect("a legal move");
    let further = moved(&battle, &state, "A+B ahead 1");
    assert!(matches!(further, Err(Fault::Illegal { .. })), "one PIP is one move (dba3.pip.1)");
    let state = to_combat(&battle, &state);
    let names: Vec<String> = state.due.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["A and E", "B and F"]);
    let unfought = battle.play(&state, &Act::EndBound);
    assert_eq!(
        unfought.expect_err("combats are due").to_string(),
        "these combats have no dice yet: A and E, B and F"
    );
    // 5 and the general's 1 against 4 and 1: 6 + 1 = 7 against 5 + 2 = 7, and Solid foot suffer nothing.
    let state = done(&battle, &state, fight("A", "E", (1, 2)));
    assert!(matches!(battle.play(&state, &fight("A", "E", (1, 2))), Err(Fault::NotDue { .. })));
    let state = done(&battle, &state, fight("B", "F", (1, 2)));
    let state = done(&battle, &state, Act::EndBound);
    assert_eq!((state.bound.number, state.bound.side, state.loser), (2, Side::Blue, None));
}

#[test]
fn who_pursues_into_contact_fights_in_the_next_bound() {
    let (battle, start) = battle(DUEL);
    let state = done(&battle, &start, Act::Roll(1));
    let (state, _) = moved(&battle, &state, "A+B ahead 2").expect("a legal move");
    let state = to_combat(&battle, &state);
    // 6 + 6 = 12 against 5 + 2 = 7: Spears recoil their 15 mm, Blades pursue half a base width up to them.
    let state = done(&battle, &state, fight("A", "E", (6, 2)));
    assert!(state.due.iter().all(|d| d.is_of("B", "F") && d.contact == Contact::Fronts), "{:?}", state.due);
    // F is overlapped by A, which has no enemy in front until it meets E again: it has, so it is not.
    let state = done(&battle, &state, fight("B", "F", (1, 2)));
    let state = done(&battle, &state, Act::EndBound);
    let state = done(&battle, &state, Act::Roll(1));
    let state = to_combat(&battle, &state);
    assert!(state.due.iter().any(|d| d.is_of("A", "E")), "dba3.pur.13: {:?}", state.due);
}

#[test]
fn bows_must_shoot() {
    let (battle, start) =
        battle("A 4Bw red general (5,6)-(6,6) N; E 4Sp blue general (6,8)-(5,8) S; F 4Sp blue (7,8)-(6,8) S");
    let state = done(&battle, &start, Act::Roll(1));
    let state = done(&battle, &state, Act::EndMoves { faces: Vec::new() });
    let unshot = battle.play(&state, &Act::EndShooting).expect_err("A has to shoot");
    assert_eq!(unshot.to_string(), "A must choose whom to shoot at: E or F");
    let aim = Act::Aim { shooter: "A".to_owned(), target: "F".to_owned() };
    let state = done(&battle, &state, aim);
    let shoot = |at: &str| Act::Shoot {
        target: at.to_owned(),
        by: vec!["A".to_owned()],
        dice: (1, 6),
        own_depth: Vec::new(),
    };
    assert!(matches!(battle.play(&state, &shoot("E")), Err(Fault::NoShot { .. })));
    let state = done(&battle, &state, shoot("F"));
    assert!(matches!(battle.play(&state, &shoot("F")), Err(Fault::NoShot { .. })), "once (dba3.sht.8)");
    done(&battle, &state, Act::EndShooting);
}

/// How total `own` compares with `other`; nothing for a winner.
fn band(own: i32, other: i32) -> Option<Band> {
    match own {
        _ if own == other => Some(Band::Equal),
        _ if own > other => None,
        _ if 2 * own <= other => Some(Band::Half),
        _ => Some(Band::Less),
    }
}

/// Who sacks the City that it has stormed: it does until its side throws a 5 or 6 (clauses dba3.city.10, .11).
#[derive(Default)]
struct Sacking(Vec<String>);

impl Sacking {
    fn look(&mut self, before: &Setup, p: &Played) {
        match &p.act {
            Act::Roll(5 | 6) => {
                let others = |name: &String| before.element(name).map(|e| e.side) != Some(p.state.bound.side);
                self.0.retain(others);
            }
            Act::Fight { .. } => {
                let came = |e: &&Element| {
                    let was = before.element(&e.name).map(|e| e.location);
                    e.location == Location::City && was == Some(Location::Board)
                };
                self.0.extend(p.state.setup.elements.iter().filter(came).map(|e| e.name.clone()));
            }
            _ => {}
        }
    }
}

/// The place of an element in a fight with `foe`.
fn place(own: &Element, foe: &Element, sacking: &Sacking) -> Place {
    match (own.location, foe.location) {
        (Location::City, _) if sacking.0.contains(&own.name) => Place::Sacks,
        (Location::Camp, _) => Place::Camp,
        (Location::City | Location::Fort, _) => Place::City,
        (_, Location::Camp | Location::City | Location::Fort) => Place::Assaults,
        _ => Place::Open,
    }
}

/// How many more than one enemy stand at the rim of the feature that `own` holds.
fn others(setup: &Setup, own: &Element) -> i32 {
    let wanted = match own.location {
        Location::Camp => TerrainKind::Camp,
        Location::City => TerrainKind::City,
        Location::Fort => TerrainKind::Fort,
        _ => return 0,
    };
    let holds = |f: &&Feature| f.kind == wanted && f.outline.holds(own.footprint.pose().centre);
    let feature = setup.ground.features.iter().find(holds).expect("the feature that it holds");
    let at = |e: &&Element| {
        e.side != own.side
            && e.location == Location::Board
            && separation_from_area(&e.footprint, &feature.outline).mm.abs() < 0.6
    };
    setup.elements.iter().filter(at).count() as i32 - 1
}

/// What a combat comes to, worked out from the clauses alone, and where that is not what the battle has.
fn reckoned(setup: &Setup, clash: &Clash, mode: Mode, sacking: &Sacking) -> Option<String> {
    let of = |name: &str| setup.element(name).expect("who fights");
    let (a, b) = (of(&clash.a), of(&clash.b));
    let dice = clash.outcome.dice;
    let close = mode == Mode::Close;
    let (place_a, place_b) = (place(a, b, sacking), place(b, a, sacking));
    let (others_a, others_b) = if close { (others(setup, a), others(setup, b)) } else { (0, 0) };
    let totals = (
        brute::total(setup, (a, b), place_a, others_a, mode, false) + i32::from(dice.0),
        brute::total(setup, (b, a), place_b, others_b, mode, true) + i32::from(dice.1),
    );
    let unharmed = matches!(mode, Mode::Shot { back: false, .. });
    let fate = |own, foe, place, (mine, theirs)| match band(mine, theirs) {
        Some(band) => brute::fate(setup, (own, foe), place, band, mode),
        None => "none",
    };
    let fate_a = if unharmed { "none" } else { fate(a, b, place_a, totals) };
    let fates = (fate_a, fate(b, a, place_b, (totals.1, totals.0)));
    let found = (clash.outcome.a.fate.word(), clash.outcome.b.fate.word());
    (totals != clash.outcome.totals || fates != found).then(|| {
        format!(
            "{} ({}) and {} ({}): {totals:?} {fates:?}, the engine {:?} {found:?}",
            a.name, a.troop, b.name, b.troop, clash.outcome.totals
        )
    })
}

#[test]
fn every_combat_is_as_the_clauses_have_it() {
    for (script, played) in played() {
        let mut before = &played.start;
        let (mut wrong, mut sacking) = (Vec::new(), Sacking::default());
        for p in &played.played {
            let found = match &p.told {
                Told::Fought(clash) => reckoned(&before.setup, clash, Mode::Close, &sacking),
                Told::Shot(fire, clash) => {
                    let back = fire.answers.as_ref() == Some(&clash.a);
                    let aiders = fire.shooters.len() as i32 - 1;
                    let rear = fire.struck == Struck::RearEdge;
                    reckoned(&before.setup, clash, Mode::Shot { aiders, back, rear }, &sacking)
                }
                _ => None,
            };
            wrong.extend(found.map(|why| format!("bound {}: {why}", p.bound)));
            sacking.look(&before.setup, p);
            before = &p.state;
        }
        assert!(wrong.is_empty(), "{}:\n{}", script.name, wrong.join("\n"));
    }
}

#[test]
fn losers_and_winners_go_as_far_as_the_clauses_say() {
    for (script, played) in played() {
        let mut before = &played.start;
        let mut wrong = Vec::new();
        for p in &played.played {
            let (clash, close) = match &p.told {
                Told::Fought(clash) => (clash, true),
                Told::Shot(_, clash) => (clash, false),
                _ => {
                    before = &p.state;
                    continue;
                }
            };
            let own_depth: &[String] = match &p.act {
                Act::Fight { own_depth, .. } | Act::Shoot { own_depth, .. } => own_depth,
                _ => &[],
            };
            let tables = (&before.setup, &p.state.setup);
            let fates = [clash.outcome.a.fate.word(), clash.outcome.b.fate.word()];
            let names = [&clash.a, &clash.b];
            for (at, name) in names.into_iter().enumerate() {
                let of = |name: &str| before.setup.element(name).expect("who fights");
                let (own, foe) = (of(name), of(names[1 - at]));
                let by_depth = own_depth.contains(name);
                wrong.extend(brute::misplaced(tables, own, fates[at], by_depth));
                if close && fates[at] == "none" && fates[1 - at] != "none" {
                    wrong.extend(brute::overdone(tables, own, foe));
                }
            }
            before = &p.state;
        }
        assert!(wrong.is_empty(), "{}:\n{}", script.name, wrong.join("\n"));
    }
}

#[test]
fn who_is_lost_who_moves_in_and_what_it_counts_is_as_the_clauses_have_it() {
    for (script, played) in played() {
        let mut before = &played.start;
        let (mut wrong, mut places) = (Vec::new(), Places::default());
        for p in &played.played {
            let tables = (&before.setup, &p.state.setup);
            places.look(tables.1);
            let mut told = Vec::new();
            match (&p.told, &p.act) {
                (Told::Fought(clash) | Told::Shot(_, clash), act) => {
                    let close = matches!(p.told, Told::Fought(_));
                    let of = |name: &str| tables.0.element(name).expect("who fights");
                    let (a, b) = (of(&clash.a), of(&clash.b));
                    let fates = [clash.outcome.a.fate.word(), clash.outcome.b.fate.word()];
                    let both = [
                        Fought { own: a, foe: b, fate: fates[0] },
                        Fought { own: b, foe: a, fate: fates[1] },
                    ];
                    told.extend(toll::losses(tables, &both, close));
                    let picked = match act {
                        Act::Fight { occupies, .. } => occupies.as_deref(),
                        _ => None,
                    };
                    for Fought { own, foe, fate } in both {
                        let held = matches!(own.location, Location::Camp | Location::City | Location::Fort);
                        if close && held && fate == "destroyed" {
                            told.extend(toll::occupied(tables, own, foe, picked));
                        }
                    }
                }
                (Told::BoundOver(ended), _) => {
                    let count = (places.count(tables.1, Side::Red), places.count(tables.1, Side::Blue));
                    let found = (ended.stand.red.total(), ended.stand.blue.total());
                    if count != found {
                        told.push(format!("the losses count {count:?}, the engine says {found:?}"));
                    }
                }
                _ => {}
            }
            wrong.extend(told.into_iter().map(|why| format!("bound {}, {:?}: {why}", p.bound, p.act)));
            before = &p.state;
        }
        assert!(wrong.is_empty(), "{}:\n{}", script.name, wrong.join("\n"));
    }
}

#[test]
fn the_documents_battle_is_as_it_says() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md"))
        .expect("docs/formats.md");
    let example = text.split("```ron battle\n").nth(1).and_then(|rest| rest.split("```").next());
    let script = Script::read("docs/formats.md", example.expect("an example")).expect("a battle");
    let played = replay(&script);
    let differs: Vec<&String> = played.played.iter().flat_map(|p| &p.differs).collect();
    assert!(played.agrees(), "{differs:?}, {:?}", played.stopped);
}
