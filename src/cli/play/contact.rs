//! Moves into contact, drawn by chance, and what combat leaves of them.

use super::attempts::{Hand, one_of};
use crate::geometry::{Edge, Leg, separation};
use crate::rules::conform::{self, Way};
use crate::rules::group::Shape;
use crate::rules::movement::{Mover, TacticalMove, straight_to, until_touch};
use crate::rules::{Element, Location, Setup};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A single element straight to where it stands lined up with an enemy.
pub(super) fn single(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let enemy = one_of(&hand.enemies(), chance)?;
    let near = |e: &&Element| (e.footprint.pose().centre - enemy.footprint.pose().centre).norm() < 220.0;
    let one = one_of(&hand.own().into_iter().filter(near).collect::<Vec<_>>(), chance)?;
    let ways = [Way::Front, Way::Front, Way::Flank(Edge::Left), Way::Flank(Edge::Right), Way::Rear];
    let way = ways[chance.random_range(0..ways.len())];
    let to = way.place(&one.footprint, &enemy.footprint);
    Some(TacticalMove::single(one.name.clone(), straight_to(one.footprint.pose(), to)))
}

/// A group straight ahead until it touches, and then conforming.
pub(super) fn group(hand: &Hand<'_>, chance: &mut ChaCha8Rng) -> Option<TacticalMove> {
    let (members, made) = hand.group(chance)?;
    if made.shape != Shape::Block {
        return None;
    }
    let ahead = members[0].footprint.pose().heading.vector();
    let goes = until_touch(&members, &hand.enemies(), ahead, 160.0)?;
    let names: Vec<&str> = members.iter().map(|e| e.name.as_str()).collect();
    let touching = TacticalMove::group(names.iter().copied(), &[Leg::Shift(ahead * goes)]);
    let table = touching.applied_to(hand.setup);
    let found = conform::line_up(hand.setup, &table, hand.settings, &names).ok()?;
    let conforming = found
        .shifts
        .iter()
        .map(|s| Mover { name: s.name.clone(), legs: straight_to(s.from, s.to) })
        .collect();
    Some(TacticalMove { conforming, ..touching })
}

/// What combat leaves, drawn by chance: of two in contact one goes back by its depth, or is lost where it
/// has no room; so nobody touches an enemy when the next bound begins.
pub(super) fn fight(setup: &mut Setup, chance: &mut ChaCha8Rng) {
    loop {
        let board = |e: &Element| e.location == Location::Board;
        let touching = setup.elements.iter().enumerate().find_map(|(i, a)| {
            let meets =
                |b: &Element| a.side != b.side && board(b) && separation(&a.footprint, &b.footprint).mm < 2.0;
            let j = setup.elements.iter().position(meets)?;
            board(a).then_some((i, j))
        });
        let Some((i, j)) = touching else { return };
        let at = if chance.random_bool(0.5) { i } else { j };
        let element = &setup.elements[at];
        let pose = element.footprint.pose();
        let back = element.footprint.moved_to(pose.nudged(-pose.heading.vector() * 40.0, 0.0));
        let others = setup.elements.iter().enumerate().filter(|(n, e)| *n != at && board(e));
        let room = others.map(|(_, e)| separation(&back, &e.footprint).mm).fold(f64::INFINITY, f64::min);
        if room >= 2.0 && chance.random_bool(0.7) {
            setup.elements[at].footprint = back;
        } else {
            setup.elements[at].location = Location::Off;
        }
    }
}
