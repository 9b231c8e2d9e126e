//! Moves that a player may try: groups and single elements ahead, into contact, against a camp or City. Going in and out of
//! them is [`super::gates`]'s.

use super::gates;
use groma::geometry::{Corner, Edge, Heading, Leg, Pose, Vector, gap_to_area, separation};
use groma::rules::battle::{Battle, State};
use groma::rules::conform::{self, Way};
use groma::rules::group::{Formation, Formed, Shape, formation, groups};
use groma::rules::movement::{Mover, TacticalMove, straight_to, until_touch};
use groma::rules::stronghold::held;
use groma::rules::{Element, Location, Ruleset, Setup};

/// Who touches somebody before it has gone so far does not go, millimetres.
const STIRS_MM: f64 = 0.5;

/// A move to try.
#[derive(Debug, Clone)]
pub(super) struct Proposal {
    /// The move.
    pub made: TacticalMove,
    /// How much it is worth trying before others.
    pub promises: f64,
    /// Whether it ends in contact.
    pub contacts: bool,
}

/// Everything worth a try, in no order.
pub(super) fn proposals(battle: &Battle, state: &State) -> Vec<Proposal> {
    let side = state.bound.side;
    let setup = &state.setup;
    let mine = |e: &&Element| e.side == side && e.location == Location::Board;
    let fresh = |e: &&Element| state.bound.moves_of(&e.name).next().is_none();
    let own: Vec<&Element> = setup.elements.iter().filter(mine).filter(fresh).collect();
    let enemies: Vec<&Element> =
        setup.elements.iter().filter(|e| e.side != side && e.location == Location::Board).collect();
    let mut all = Vec::new();
    for names in groups(setup, &battle.settings, &Formed::default()) {
        let members: Vec<&Element> = names.iter().filter_map(|n| setup.element(n)).collect();
        for part in parts(&members) {
            if part.iter().all(|e| own.iter().any(|o| o.name == e.name)) {
                let made = formation(&part, &battle.settings, &Formed::default());
                of_group(battle, state, &part, &made, &enemies, &mut all);
            }
        }
    }
    for element in &own {
        single(battle, state, element, &enemies, &mut all);
    }
    all.retain(|p| has_room(setup, &p.made));
    all.extend(gates::proposals(battle, state));
    all
}

/// The files of a group that stand next to each other, every run of them: the whole, its halves, single files.
fn parts<'e>(members: &[&'e Element]) -> Vec<Vec<&'e Element>> {
    let Some(first) = members.first() else { return Vec::new() };
    let pose = first.footprint.pose();
    let aside = |e: &Element| pose.seen_from_here(e.footprint.pose().centre).x;
    let mut files: Vec<(f64, Vec<&Element>)> = Vec::new();
    for &element in members {
        let at = aside(element);
        match files.iter_mut().find(|(x, _)| (x - at).abs() < element.footprint.width_mm() / 2.0) {
            Some((_, file)) => file.push(element),
            None => files.push((at, vec![element])),
        }
    }
    files.sort_by(|a, b| a.0.total_cmp(&b.0));
    let runs = (0..files.len()).flat_map(|from| (from + 1..=files.len()).map(move |to| (from, to)));
    runs.map(|(from, to)| files[from..to].iter().flat_map(|(_, file)| file.iter().copied()).collect())
        .collect()
}

/// Whether nobody would come to stand in anybody.
fn has_room(setup: &Setup, made: &TacticalMove) -> bool {
    let after = made.applied_to(setup);
    let on = || after.elements.iter().filter(|e| e.location == Location::Board);
    let moved = |e: &&Element| made.movers.iter().chain(&made.conforming).any(|m| m.name == e.name);
    on().filter(moved)
        .all(|a| on().all(|b| b.name == a.name || separation(&a.footprint, &b.footprint).mm > -0.5))
}

/// The pace in good going, millimetres.
pub(super) fn pace(battle: &Battle, setup: &Setup, members: &[&Element]) -> f64 {
    let rules = battle.settings.ruleset();
    let troops = members.iter().filter_map(|e| rules.troop(&e.troop));
    troops.map(|t| rules.pace(t).good_bw * setup.scale.mm_per_bw()).fold(1000.0, f64::min)
}

fn shoots(battle: &Battle, element: &Element) -> bool {
    battle.settings.ruleset().troop(&element.troop).is_some_and(|t| t.shoots())
}

/// How far the nearest enemy is, millimetres.
fn nearest(members: &[&Element], enemies: &[&Element]) -> f64 {
    let gaps = members.iter().flat_map(|m| enemies.iter().map(|e| separation(&m.footprint, &e.footprint).mm));
    gaps.fold(f64::INFINITY, f64::min)
}

fn of_group(
    battle: &Battle,
    state: &State,
    members: &[&Element],
    made: &Formation,
    enemies: &[&Element],
    all: &mut Vec<Proposal>,
) {
    if !made.is_whole() || members.len() < 2 {
        return;
    }
    let setup = &state.setup;
    let far = pace(battle, setup, members);
    let lead = members[made.order[0]];
    let ahead = lead.footprint.pose().heading.vector();
    let order: Vec<&str> = made.order.iter().map(|&at| members[at].name.as_str()).collect();
    let body = |mm: f64| match made.shape {
        Shape::Block => Some(TacticalMove::group(order.iter().copied(), &[Leg::Shift(ahead * mm)])),
        _ => TacticalMove::column(setup, &order, &[Leg::Shift(ahead * mm)]).ok(),
    };
    let away = nearest(members, enemies);
    let holds = members.iter().any(|e| shoots(battle, e)) && away < 3.0 * setup.scale.mm_per_bw();
    if let Some(mm) = until_touch(members, enemies, ahead, far).filter(|mm| *mm > STIRS_MM) {
        let made = body(mm).and_then(|m| conformed(battle, setup, m));
        all.extend(made.map(|made| Proposal { made, promises: 2.0, contacts: true }));
    }
    if holds {
        return;
    }
    let size = members.len() as f64;
    for share in [1.0, 0.7, 0.4] {
        let promises = 0.5 + 0.1 * size * share;
        all.extend(body(far * share).map(|made| Proposal { made, promises, contacts: false }));
    }
}

/// The move with the line-up that its contact asks of the movers.
fn conformed(battle: &Battle, setup: &Setup, made: TacticalMove) -> Option<TacticalMove> {
    let names: Vec<&str> = made.names().collect();
    let table = made.applied_to(setup);
    let found = conform::line_up(setup, &table, &battle.settings, &names).ok()?;
    let shifts = found.shifts.iter();
    let conforming =
        shifts.map(|s| Mover { name: s.name.clone(), legs: straight_to(s.from, s.to) }).collect();
    Some(TacticalMove { conforming, ..made })
}

fn single(battle: &Battle, state: &State, element: &Element, enemies: &[&Element], all: &mut Vec<Proposal>) {
    let setup = &state.setup;
    let far = pace(battle, setup, &[element]);
    let start = element.footprint.pose();
    let to = |pose| TacticalMove::single(element.name.clone(), straight_to(start, pose));
    let reaches = |pose| {
        let end = element.footprint.moved_to(pose);
        Corner::ALL[..2].iter().all(|&c| (end.corner(c) - element.footprint.corner(c)).norm() <= far + 40.0)
    };
    for enemy in enemies {
        if separation(&element.footprint, &enemy.footprint).mm > far {
            continue;
        }
        let ways = [
            (Way::Front, 1.2),
            (Way::Flank(Edge::Left), 2.2),
            (Way::Flank(Edge::Right), 2.2),
            (Way::Rear, 2.5),
            (Way::Overlap(Edge::Left), 0.9),
            (Way::Overlap(Edge::Right), 0.9),
        ];
        for (way, promises) in ways {
            let place = way.place(&element.footprint, &enemy.footprint);
            if reaches(place) {
                all.push(Proposal { made: to(place), promises, contacts: true });
            }
        }
    }
    let rules = battle.settings.ruleset();
    all.extend(assaults(setup, rules, element, far));
    all.extend(towards_strongholds(setup, rules, element, far));
    let away = nearest(&[element], enemies);
    if shoots(battle, element) && away < 3.0 * setup.scale.mm_per_bw() {
        return;
    }
    let ahead = start.heading.vector();
    for share in [1.0, 0.6] {
        let made = TacticalMove::single(element.name.clone(), vec![Leg::Shift(ahead * far * share)]);
        all.push(Proposal { made, promises: 0.2 * share, contacts: false });
    }
    // Towards the nearest enemy, turned to face it.
    let near = enemies.iter().min_by(|a, b| {
        let gap = |e: &Element| separation(&element.footprint, &e.footprint).mm;
        gap(a).total_cmp(&gap(b))
    });
    if let Some(enemy) = near
        && away > far
        && let Some(way) = Heading::along(enemy.footprint.pose().centre - start.centre)
    {
        let goes = far - 2.0 * element.footprint.width_mm().hypot(element.footprint.depth_mm()) / 4.0;
        let pose = Pose { centre: start.centre + way.vector() * goes, heading: way };
        all.push(Proposal { made: to(pose), promises: 0.25, contacts: false });
    }
}

/// Moves of one element straight towards features that the enemy holds, where those are further than it goes.
fn towards_strongholds(setup: &Setup, rules: &Ruleset, element: &Element, far: f64) -> Vec<Proposal> {
    let start = element.footprint.pose();
    let mut found = Vec::new();
    for feature in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        let way = feature.outline.centroid() - start.centre;
        let Some(heading) = Heading::along(way) else { continue };
        if held(setup, rules, feature).is_none_or(|h| h.side == element.side) || way.norm() < 2.0 * far {
            continue;
        }
        // Turning on the spot takes a front corner along: it goes that much less.
        let goes = far - element.footprint.width_mm() / 2.0;
        let pose = Pose { centre: start.centre + heading.vector() * goes, heading };
        let made = TacticalMove::single(element.name.clone(), straight_to(start, pose));
        let rides = rules.troop(&element.troop).is_some_and(|t| t.is_mounted());
        let promises = if rides && !element.general { 0.9 } else { 0.3 };
        found.push(Proposal { made, promises, contacts: false });
    }
    found
}

/// Moves of one element onto a feature that the enemy holds: square on to places along each of its edges.
fn assaults(setup: &Setup, rules: &Ruleset, element: &Element, far: f64) -> Vec<Proposal> {
    let mut found = Vec::new();
    for feature in setup.ground.features.iter().filter(|f| f.kind.is_stronghold()) {
        if held(setup, rules, feature).is_none_or(|h| h.side == element.side) {
            continue;
        }
        let corners = Corner::ALL.map(|c| element.footprint.corner(c));
        if gap_to_area(&corners, &feature.outline).mm > far {
            continue;
        }
        let centre = feature.outline.centroid();
        for edge in feature.outline.edges() {
            for share in [0.5, 0.25, 0.75] {
                let at = edge.start + (edge.end - edge.start) * share;
                let along = (edge.end - edge.start).normalize();
                let mut inward = Vector::new(-along.y, along.x);
                if inward.dot(&(centre - at)) < 0.0 {
                    inward = -inward;
                }
                let Some(heading) = Heading::along(inward) else { continue };
                let centre = at - inward * (element.footprint.depth_mm() / 2.0);
                let pose = Pose { centre, heading };
                let made =
                    TacticalMove::single(element.name.clone(), straight_to(element.footprint.pose(), pose));
                found.push(Proposal { made, promises: 1.8, contacts: true });
            }
        }
    }
    found
}
