//! Moves drawn by chance, legal or not, one function a sort.

use super::Sort;
use super::contact;
use crate::geometry::{Leg, Pose, Vector};
use crate::rules::bound::Bound;
use crate::rules::group::{Formation, Formed, Shape, formation, front_ends, groups};
use crate::rules::movement::{Manoeuvre, TacticalMove, along_road, straight_to};
use crate::rules::{Element, Location, Settings, Setup};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Who may be drawn and what they stand in.
pub(super) struct Hand<'a> {
    pub setup: &'a Setup,
    pub settings: &'a Settings,
    pub bound: &'a Bound,
    pub groups: Vec<Vec<String>>,
}

impl<'a> Hand<'a> {
    pub fn new(setup: &'a Setup, settings: &'a Settings, bound: &'a Bound) -> Self {
        let own = |names: &Vec<String>| setup.element(&names[0]).is_some_and(|e| e.side == bound.side);
        let groups = groups(setup, settings, &Formed::default()).into_iter().filter(own).collect();
        Self { setup, settings, bound, groups }
    }

    /// The side's elements on the board.
    pub fn own(&self) -> Vec<&'a Element> {
        let mine = |e: &&Element| e.side == self.bound.side && e.location == Location::Board;
        self.setup.elements.iter().filter(mine).collect()
    }

    /// The other side's.
    pub fn enemies(&self) -> Vec<&'a Element> {
        let theirs = |e: &&Element| e.side != self.bound.side && e.location == Location::Board;
        self.setup.elements.iter().filter(theirs).collect()
    }

    /// One of the groups, whole, or now and then a part of a line.
    pub fn group(&self, chance: &mut ChaCha8Rng) -> Option<(Vec<&'a Element>, Formation)> {
        if self.groups.is_empty() {
            return None;
        }
        let names = &self.groups[chance.random_range(0..self.groups.len())];
        let mut members: Vec<&Element> = names.iter().filter_map(|n| self.setup.element(n)).collect();
        let made = formation(&members, self.settings, &Formed::default());
        if made.shape == Shape::Block && members.len() > 2 && chance.random_bool(0.3) {
            let order: Vec<&Element> = made.order.iter().map(|&at| members[at]).collect();
            members = order[..chance.random_range(2..order.len())].to_vec();
        }
        let made = formation(&members, self.settings, &Formed::default());
        made.is_whole().then_some((members, made))
    }
}

/// A move of that sort drawn by chance; none where nobody can try one.
pub(super) fn attempt(sort: Sort, hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    match sort {
        Sort::Single | Sort::Detour | Sort::TurnOnTheSpot => single(sort, hand, chance),
        Sort::GroupAhead | Sort::GroupWheel => group(sort, hand, chance),
        Sort::ColumnAhead | Sort::ColumnWheel => column(sort, hand, chance),
        Sort::IntoColumn => into_column(hand, chance),
        Sort::Road => road(hand, chance),
        Sort::ZoneLineUp => zone_line_up(hand, chance),
        Sort::Contact => contact::single(hand, chance),
        Sort::GroupContact => contact::group(hand, chance),
        Sort::Dismount => dismount(hand, chance),
        Sort::Again => again(hand, chance),
        Sort::Several => None,
    }
}

/// One of many.
pub(super) fn one_of<'e>(all: &[&'e Element], chance: &mut ChaCha8Rng) -> Option<&'e Element> {
    (!all.is_empty()).then(|| all[chance.random_range(0..all.len())])
}

fn single(sort: Sort, hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let one = one_of(&hand.own(), chance)?;
    let start = one.footprint.pose();
    let turn = chance.random_range(-1.6..1.6);
    if sort == Sort::TurnOnTheSpot {
        let leg = Leg::Turn { about: start.centre, by_rad: turn };
        return Some(TacticalMove::single(one.name.clone(), vec![leg]));
    }
    let way = start.heading.turned_degrees(chance.random_range(-120.0..120.0));
    let goes = chance.random_range(8.0..170.0);
    let by = way.vector() * goes;
    let turned = if chance.random_bool(0.5) { 0.0 } else { turn };
    let to = start.nudged(by, turned);
    if sort == Sort::Single {
        return Some(TacticalMove::single(one.name.clone(), straight_to(start, to)));
    }
    let corner = by / 2.0 + way.left() * chance.random_range(-60.0..60.0);
    let mut legs = vec![Leg::Shift(corner), Leg::Shift(by - corner)];
    if turned != 0.0 {
        legs.push(Leg::Turn { about: to.centre, by_rad: turned });
    }
    Some(TacticalMove::single(one.name.clone(), legs))
}

/// Ahead, or ahead, a wheel and ahead.
fn winding(sort: Sort, members: &[&Element], chance: &mut ChaCha8Rng) -> Vec<Leg> {
    let ahead = members[0].footprint.pose().heading;
    let on: Vector = ahead.vector() * chance.random_range(6.0..100.0);
    if matches!(sort, Sort::GroupAhead | Sort::ColumnAhead) {
        return vec![Leg::Shift(on)];
    }
    let on = if chance.random_bool(0.2) { Vector::zeros() } else { on * 0.6 };
    let turn: f64 = chance.random_range(-0.7..0.7);
    let [left, right] = front_ends(members, ahead);
    let pivot = if turn >= 0.0 { left } else { right };
    let then = ahead.turned_degrees(turn.to_degrees()).vector() * chance.random_range(0.0..60.0);
    let mut legs = vec![Leg::Shift(on), Leg::Turn { about: pivot + on, by_rad: turn }, Leg::Shift(then)];
    legs.retain(|leg| !matches!(leg, Leg::Shift(by) if by.norm() == 0.0));
    legs
}

fn group(sort: Sort, hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let (members, made) = hand.group(chance)?;
    if made.shape != Shape::Block {
        return None;
    }
    let legs = winding(sort, &members, chance);
    Some(TacticalMove::group(members.iter().map(|e| e.name.as_str()), &legs))
}

fn column(sort: Sort, hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let (members, made) = hand.group(chance)?;
    if made.shape == Shape::Block {
        return None;
    }
    let order: Vec<&str> = made.order.iter().map(|&at| members[at].name.as_str()).collect();
    let legs = winding(sort, &[members[made.order[0]]], chance);
    TacticalMove::column(hand.setup, &order, &legs).ok()
}

fn into_column(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let (members, made) = hand.group(chance)?;
    if made.shape != Shape::Block {
        return None;
    }
    let mut order: Vec<&str> = made.order.iter().map(|&at| members[at].name.as_str()).collect();
    if chance.random_bool(0.5) {
        order.reverse();
    }
    let ahead = members[0].footprint.pose().heading.vector();
    let legs = [Leg::Shift(ahead * chance.random_range(30.0..160.0))];
    TacticalMove::into_column(hand.setup, &order, &legs).ok()
}

fn road(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let near = |at: Pose| {
        let roads = hand.setup.ground.roads.iter();
        roads.map(|r| (r, r.course.nearest_to(at.centre).mm)).min_by(|a, b| a.1.total_cmp(&b.1))
    };
    let astride: Vec<&Element> = hand
        .own()
        .into_iter()
        .filter(|e| {
            near(e.footprint.pose()).is_some_and(|(_, off)| off < hand.setup.scale.mm_per_bw() / 10.0)
        })
        .collect();
    let lead = one_of(&astride, chance)?;
    let mut order = vec![lead.name.as_str()];
    for names in &hand.groups {
        let members: Vec<&Element> = names.iter().filter_map(|n| hand.setup.element(n)).collect();
        let made = formation(&members, hand.settings, &Formed::default());
        if made.shape != Shape::Block && members[made.order[0]].name == lead.name {
            order = made.order.iter().map(|&at| members[at].name.as_str()).collect();
        }
    }
    let pose = lead.footprint.pose();
    let (road, _) = near(pose)?;
    let goes = if chance.random_bool(0.6) { pace(hand, &order) } else { chance.random_range(10.0..200.0) };
    let legs = along_road(&road.course, pose, goes)?;
    TacticalMove::by_road(hand.setup, &order, &legs).ok()
}

/// The pace of the slowest of these in good going, millimetres.
fn pace(hand: &Hand<'_>, names: &[&str]) -> f64 {
    let rules = hand.settings.ruleset();
    let troops = names.iter().filter_map(|n| rules.troop(&hand.setup.element(n)?.troop));
    troops.map(|t| rules.pace(t).good_bw * hand.setup.scale.mm_per_bw()).fold(1000.0, f64::min)
}

fn zone_line_up(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let enemy = one_of(&hand.enemies(), chance)?;
    let (foe, facing) = (enemy.footprint.pose(), enemy.footprint.pose().heading.reversed());
    let gap = chance.random_range(3.0..35.0);
    let near = |e: &&Element| (e.footprint.pose().centre - foe.centre).norm() < 140.0;
    let place = |e: &Element| {
        let centre = foe.at(0.0, enemy.footprint.depth_mm() / 2.0 + gap + e.footprint.depth_mm() / 2.0);
        Pose { centre, heading: facing }
    };
    if chance.random_bool(0.4) {
        let one = one_of(&hand.own().into_iter().filter(near).collect::<Vec<_>>(), chance)?;
        return Some(TacticalMove::single(one.name.clone(), straight_to(one.footprint.pose(), place(one))));
    }
    let (members, made) = hand.group(chance)?;
    if made.shape != Shape::Block {
        return None;
    }
    let one = one_of(&members.iter().copied().filter(near).collect::<Vec<_>>(), chance)?;
    let (from, to) = (one.footprint.pose(), place(one));
    let turn = from.heading.turn_to_radians(to.heading);
    let pivot = Leg::Turn { about: from.centre, by_rad: turn };
    let legs = [pivot, Leg::Shift(to.centre - from.centre)];
    Some(TacticalMove::group(members.iter().map(|e| e.name.as_str()), &legs))
}

fn dismount(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let mounted: Vec<&Element> = hand.own().into_iter().filter(|e| e.troop == "3Kn").collect();
    let one = one_of(&mounted, chance)?;
    let to = Manoeuvre::Dismount { to: "4Bd".to_owned(), depth_mm: one.footprint.depth_mm() };
    Some(TacticalMove { manoeuvre: to, ..TacticalMove::single(one.name.clone(), Vec::new()) })
}

/// A further move of somebody who has moved in this bound.
fn again(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    if hand.bound.done.is_empty() {
        return None;
    }
    let done = &hand.bound.done[chance.random_range(0..hand.bound.done.len())].movers;
    let movers: Vec<&Element> = done.iter().filter_map(|n| hand.setup.element(n)).collect();
    let sort = match movers.as_slice() {
        [_] => Sort::Single,
        _ => Sort::ColumnWheel,
    };
    let made = formation(&movers, hand.settings, &Formed::default());
    if !made.is_whole() {
        return None;
    }
    if let [one] = movers.as_slice() {
        let narrowed = Setup { elements: vec![(*one).clone()], ..hand.setup.clone() };
        let only = Hand { setup: &narrowed, settings: hand.settings, bound: hand.bound, groups: Vec::new() };
        return if chance.random_bool(0.3) { road(&only, chance) } else { single(sort, &only, chance) };
    }
    let only =
        Hand { setup: hand.setup, settings: hand.settings, bound: hand.bound, groups: vec![done.clone()] };
    match made.shape {
        Shape::Block => group(Sort::GroupWheel, &only, chance),
        _ if chance.random_bool(0.4) => road(&only, chance),
        _ => column(sort, &only, chance),
    }
}
