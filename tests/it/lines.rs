//! Written battles: how contacts are lined up, from where flanks and rears are contacted, who turns to face, and who passes
//! through whom or pushes whom back, worked out once more from the clauses' words and the bases' corners, without the engine.
//!
//! Millimetres, the table's frame.

use crate::battles::played;
use crate::brute::{Base, base, friend_behind, front_on, kind, mounted, recoil_mm};
use groma::geometry::{Footprint, Point, Pose, separation, separation_from_area};
use groma::rules::battle::{Act, Told};
use groma::rules::{Element, Location, Ruleset, Setup, notation};

/// Nearer than this is touching.
const TOUCH: f64 = 0.6;
/// Bases that reach so far into a way are met: less is touching.
const MET: f64 = 1.0;

fn on_board(setup: &Setup) -> impl Iterator<Item = &Element> {
    setup.elements.iter().filter(|e| e.location == Location::Board)
}

/// Whether an element stands elsewhere than before, or turned.
fn stirred(before: &Setup, now: &Element) -> bool {
    before.element(&now.name).is_some_and(|was| was.footprint != now.footprint)
}

/// Whether more than a corner of one's front edge is on the other's base.
fn front_touches(x: &Element, e: &Element) -> bool {
    let b = base(x);
    let inner = [0.05, 0.25, 0.5, 0.75, 0.95].map(|t| b.fl + (b.fr - b.fl) * t);
    inner.into_iter().any(|p| e.footprint.distance_to_point(p) < TOUCH)
}

/// Fronts that moved onto an enemy and are lined up with none (clauses dba3.con.2 to .6).
fn unlined(before: &Setup, after: &Setup, refused: &[(String, String)]) -> Vec<String> {
    let mut wrong = Vec::new();
    for x in on_board(after).filter(|x| stirred(before, x)) {
        let enemies: Vec<&Element> = on_board(after).filter(|e| e.side != x.side).collect();
        let lined = enemies.iter().any(|e| front_on(x, e).is_some() || front_on(e, x) == Some("front"));
        for e in enemies.iter().filter(|e| !lined && front_touches(x, e)) {
            let pair = (x.name.clone(), e.name.clone());
            if !refused.contains(&pair) {
                wrong.push(format!("{}'s front touches {} and is lined up with nobody", x.name, e.name));
            }
        }
    }
    wrong
}

/// How far points lie beyond a line, the least and the most.
fn beyond(points: &[Point; 4], measure: impl Fn(Point) -> f64) -> (f64, f64) {
    let all = points.map(measure);
    (all.into_iter().fold(f64::INFINITY, f64::min), all.into_iter().fold(f64::NEG_INFINITY, f64::max))
}

fn corners(b: &Base) -> [Point; 4] {
    [b.fl, b.fr, b.rl, b.rr]
}

/// Movers that came onto a flank or rear from where they may not (clauses dba3.con.9 to .12).
fn ill_started(before: &Setup, after: &Setup) -> Vec<String> {
    let mut wrong = Vec::new();
    for x in on_board(after).filter(|x| stirred(before, x)) {
        for e in on_board(after).filter(|e| e.side != x.side && !stirred(before, e)) {
            let Some(was) = before.element(&x.name).filter(|was| was.location == Location::Board) else {
                continue;
            };
            let (me, it) = (corners(&base(was)), base(e));
            let behind = beyond(&me, |p| -(p - it.rl).dot(&it.ahead));
            let left = beyond(&me, |p| -(p - it.fl).dot(&it.right));
            let right = beyond(&me, |p| (p - it.fr).dot(&it.right));
            let from = |flank: (f64, f64)| flank.0 > -MET || (flank.1 > 0.0 && behind.1 > 0.0);
            let ok = match front_on(x, e) {
                Some("left") => from(left),
                Some("right") => from(right),
                Some("rear") => behind.0 > -MET,
                _ => true,
            };
            if !ok && front_on(was, e).is_none() {
                wrong.push(format!(
                    "{} came onto {}'s {:?} edge from where it may not",
                    x.name,
                    e.name,
                    front_on(x, e)
                ));
            }
        }
    }
    wrong
}

/// Elements of the other side that shifted with a move and are not lined up with a mover, nor in a body with one that is
/// (clauses dba3.cf.5, .8, .10).
fn strayed(before: &Setup, after: &Setup, movers: &[&str]) -> Vec<String> {
    let Some(side) = movers.first().and_then(|name| after.element(name)).map(|e| e.side) else {
        return Vec::new();
    };
    let met = |e: &Element| {
        movers
            .iter()
            .filter_map(|name| after.element(name))
            .any(|m| front_on(m, e).is_some() || front_on(e, m).is_some())
    };
    let shifted: Vec<&Element> = on_board(after).filter(|e| e.side != side && stirred(before, e)).collect();
    let beside = |e: &Element, o: &Element| separation(&e.footprint, &o.footprint).mm < TOUCH;
    let alone =
        shifted.iter().filter(|e| !met(e) && !shifted.iter().any(|o| o.name != e.name && beside(e, o)));
    alone.map(|e| format!("{} shifted, and no mover is lined up with it", e.name)).collect()
}

/// Elements hit on a flank or rear that have no enemy in front and have not turned (clauses dba3.turn.1 to .3).
fn unturned(after: &Setup) -> Vec<String> {
    let mut wrong = Vec::new();
    for e in on_board(after) {
        let enemies: Vec<&Element> = on_board(after).filter(|x| x.side != e.side).collect();
        let hit = enemies.iter().find(|x| matches!(front_on(x, e), Some("left" | "right" | "rear")));
        let faces = enemies.iter().any(|y| front_on(y, e) == Some("front") || front_on(e, y).is_some());
        let supports = on_board(after).any(|f| friend_behind(after, f).is_some_and(|b| b.name == e.name));
        if let Some(x) = hit.filter(|_| !faces && !supports) {
            wrong.push(format!("{} is hit by {} and has not turned", e.name, x.name));
        }
    }
    wrong
}

/// Whether one that recoils may pass through such a friend (clauses dba3.ip.6 to .10).
fn passes(own: &str, friend: &str) -> bool {
    match (kind(own), kind(friend)) {
        _ if mounted(own) => !matches!(kind(friend), "Pk" | "Hd" | "El"),
        ("Bd", "Bd" | "Sp") | ("Pk" | "Bw", "Bd") => true,
        ("Ps", friend) => friend != "Ps",
        _ => false,
    }
}

/// The ground behind a base, so deep.
fn behind(own: &Element, deep: f64) -> Footprint {
    let pose = own.footprint.pose();
    let centre = pose.at(0.0, -(own.footprint.depth_mm() + deep) / 2.0);
    Footprint::new(Pose { centre, ..pose }, own.footprint.width_mm(), deep).expect("it has a size")
}

/// What is wrong with how a recoiler got by the friends behind it (clauses dba3.rec.8 to .11, dba3.ip.5).
fn passage((before, after): (&Setup, &Setup), own: &Element, own_depth: bool) -> Option<String> {
    let now = after.element(&own.name).filter(|e| e.location == Location::Board)?;
    if kind(&own.troop) == "El" || own.location != Location::Board {
        return None;
    }
    let me = base(own);
    let wanted = recoil_mm(own, own_depth, before.scale.mm_per_bw());
    let way = behind(own, wanted);
    let off = |e: &Element| -(e.footprint.pose().centre - me.centre).dot(&me.ahead);
    let mut met: Vec<&Element> = on_board(before)
        .filter(|e| e.side == own.side && e.name != own.name && off(e) > 0.0)
        .filter(|e| separation(&way, &e.footprint).mm < -MET)
        .collect();
    met.sort_by(|a, b| off(a).total_cmp(&off(b)));
    let first = *met.first()?;
    let there = after.element(&first.name)?;
    let it = base(first);
    let same_way = it.ahead.dot(&me.ahead) > 0.9999;
    let gone = -(now.footprint.pose().centre - me.centre).dot(&me.ahead);
    let gap = until(own, first, wanted);
    let name = &own.name;
    if off(first) < gone {
        // It stands behind the one that it met, whose place is kept.
        let lies = -(now.footprint.pose().centre - it.centre).dot(&me.ahead) - (it.deep + me.deep) / 2.0;
        return match () {
            () if !same_way => Some(format!("{name} passed {}, which faces another way", first.name)),
            () if !passes(&own.troop, &first.troop) => Some(format!("{name} may not pass {}", first.name)),
            () if met.len() == 1 && lies.abs() > TOUCH => {
                Some(format!("{name} stands {lies:.2} mm behind {} and not right behind it", first.name))
            }
            () if stirred(before, there) => Some(format!("{} moved though it was passed", first.name)),
            () => None,
        };
    }
    let pushed = -(there.footprint.pose().centre - it.centre).dot(&me.ahead);
    if there.location != Location::Board {
        return None;
    }
    if pushed > 0.01 {
        let room = behind(first, me.deep);
        let (width, depth) = before.board_mm;
        let clear = on_board(before)
            .all(|e| e.name == first.name || separation(&room, &e.footprint).mm > -0.1)
            && before.ground.features.iter().all(|f| separation_from_area(&room, &f.outline).mm > 0.0)
            && room.outline().into_iter().all(|p| p.x > 0.0 && p.y > 0.0 && p.x < width && p.y < depth);
        return match () {
            () if !same_way => Some(format!("{name} pushed {}, which faces another way", first.name)),
            () if matches!(kind(&first.troop), "El" | "WWg") => Some(format!("{name} pushed {}", first.name)),
            () if (gone - gap - pushed).abs() > MET => {
                Some(format!("{name} went {gone:.2} mm, pushed {} by {pushed:.2} after {gap:.2}", first.name))
            }
            () if passes(&own.troop, &first.troop) && clear && met.len() == 1 => {
                Some(format!("{name} pushed {} though it may pass it", first.name))
            }
            () => None,
        };
    }
    let stopped = (gone - gap).abs() > MET
        && !(gone < gap && on_board(after).any(|e| e.name != *name && close(e, now)));
    stopped.then(|| format!("{name} went {gone:.2} mm, and {} was in its way after {gap:.2}", first.name))
}

fn close(e: &Element, o: &Element) -> bool {
    separation(&e.footprint, &o.footprint).mm < TOUCH
}

/// How far an element goes straight back before it reaches into a friend, at most so far.
fn until(own: &Element, friend: &Element, most: f64) -> f64 {
    const STEP: f64 = 0.02;
    let pose = own.footprint.pose();
    let at = |mm: f64| own.footprint.moved_to(pose.nudged(-pose.heading.vector() * mm, 0.0));
    let mut mm = 0.0;
    while mm < most && separation(&at(mm + STEP), &friend.footprint).mm > -STEP {
        mm += STEP;
    }
    mm
}

#[test]
fn contacts_line_up_and_come_from_where_they_may_and_whoever_is_hit_turns() {
    let (mut moves, mut contacts) = (0, 0);
    for (script, played) in played() {
        let mut before = &played.start;
        let mut began = &played.start;
        let mut wrong = Vec::new();
        for p in &played.played {
            let tables = (&before.setup, &p.state.setup);
            let mut told = Vec::new();
            match (&p.act, &p.told) {
                (Act::Roll(_), _) => began = &p.state,
                (Act::Move { made, .. }, Told::Moved { .. }) => {
                    moves += 1;
                    told.extend(ill_started(tables.0, tables.1));
                    told.extend(strayed(tables.0, tables.1, &made.names().collect::<Vec<_>>()));
                    told.extend(unlined(tables.0, tables.1, &p.state.refused));
                }
                (_, Told::MovesOver(_)) => {
                    told.extend(unlined(&began.setup, tables.1, &p.state.refused));
                    told.extend(unturned(tables.1));
                    let fronts = on_board(tables.1)
                        .filter(|x| on_board(tables.1).any(|e| e.side != x.side && front_on(x, e).is_some()));
                    contacts += fronts.count();
                }
                _ => {}
            }
            wrong.extend(told.into_iter().map(|why| format!("bound {}, {}: {why}", p.bound, p.written)));
            before = &p.state;
        }
        assert!(wrong.is_empty(), "{}:\n{}", script.name, wrong.join("\n"));
    }
    assert!(moves > 100 && contacts > 100, "{moves} moves, {contacts} fronts in contact");
}

#[test]
fn recoilers_pass_push_or_stop_as_the_clauses_have_it() {
    let mut looked_at = 0;
    for (script, played) in played() {
        let mut before = &played.start;
        let mut wrong = Vec::new();
        for p in &played.played {
            if let (Told::Fought(clash) | Told::Shot(_, clash), act) = (&p.told, &p.act) {
                let own_depth: &[String] = match act {
                    Act::Fight { own_depth, .. } | Act::Shoot { own_depth, .. } => own_depth,
                    _ => &[],
                };
                for (name, fate) in [(&clash.a, clash.outcome.a.fate), (&clash.b, clash.outcome.b.fate)] {
                    if fate.word() == "recoil" {
                        looked_at += 1;
                        let own = before.setup.element(name).expect("who fights");
                        let why = passage((&before.setup, &p.state.setup), own, own_depth.contains(name));
                        wrong.extend(why.map(|why| format!("bound {}: {why}", p.bound)));
                    }
                }
            }
            before = &p.state;
        }
        assert!(wrong.is_empty(), "{}:\n{}", script.name, wrong.join("\n"));
    }
    assert!(looked_at > 50, "{looked_at} recoils");
}

#[test]
fn the_second_reckoning_tells_what_is_wrong() {
    let setup = |text: &str| notation::read_setup(text, &Ruleset::dba3()).expect("a setup");
    let apart = setup("A 4Bd red (5,5)-(6,5) N; E 4Bd blue (6.3,7)-(5.3,7) S");
    let met = setup("A 4Bd red (5,5)-(6,5) N; E 4Bd blue (6.3,5)-(5.3,5) S");
    assert_eq!(unlined(&apart, &met, &[]), ["E's front touches A and is lined up with nobody"]);
    assert!(unlined(&apart, &met, &[("E".to_owned(), "A".to_owned())]).is_empty());
    // E comes from before A onto its left edge.
    let ahead = setup("A 4Bd red (5,5)-(6,5) N d0.5; E 4Bd blue (5,8)-(4,8) S");
    let flank = setup("A 4Bd red (5,5)-(6,5) N d0.5; E 4Bd blue (5,5)-(5,4) E");
    assert_eq!(ill_started(&ahead, &flank).len(), 0, "wholly beyond the line of A's left edge");
    let ahead = setup("A 4Bd red (5,5)-(6,5) N d0.5; E 4Bd blue (5.5,8)-(4.5,8) S");
    assert_eq!(ill_started(&ahead, &flank).len(), 1);
    assert_eq!(unturned(&flank), ["A is hit by E and has not turned"]);
    assert_eq!(strayed(&apart, &met, &["A"]), ["E shifted, and no mover is lined up with it"]);
    // Spears push Spears; they do not pass them.
    let deep = setup("A 4Sp red (5,5)-(6,5) N d0.5; B 4Sp red (5,4.5)-(6,4.5) N d0.5");
    let passed = setup("A 4Sp red (5,4)-(6,4) N d0.5; B 4Sp red (5,4.5)-(6,4.5) N d0.5");
    let pushed = setup("A 4Sp red (5,4.5)-(6,4.5) N d0.5; B 4Sp red (5,4)-(6,4) N d0.5");
    let of = |after: &Setup| passage((&deep, after), &deep.elements[0], false);
    assert_eq!(of(&passed), Some("A may not pass B".to_owned()));
    assert_eq!(of(&pushed), None);
    let over = setup("A 4Sp red (5,4.5)-(6,4.5) N d0.5; B 4Sp red (5,4.5)-(6,4.5) N d0.5");
    assert!(of(&over).is_some_and(|why| why.contains("in its way")));
}
