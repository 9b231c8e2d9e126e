//! Ways to part what moved into blocks that each moved at once.
//!
//! Nobody moves together with somebody whom it was not joined to, so each group of before is parted by
//! itself: whole, by who is joined after, by who kept its place to whom, or one by one.

use crate::rules::group::{Formed, groups};
use crate::rules::{Settings, Setup};

/// What moved, by the groups that stood before; who stood in none is by itself.
pub(super) fn by_group<'n>(moved: &[&'n str], groups: &[Vec<String>]) -> Vec<Vec<&'n str>> {
    let mut parts: Vec<(Option<usize>, Vec<&str>)> = Vec::new();
    for &name in moved {
        let group = groups.iter().position(|g| g.iter().any(|m| m == name));
        match parts.iter_mut().find(|(of, _)| group.is_some() && *of == group) {
            Some((_, part)) => part.push(name),
            None => parts.push((group, vec![name])),
        }
    }
    parts.into_iter().map(|(_, part)| part).collect()
}

/// The ways to part those of one group that moved, the fewest blocks first.
pub(super) fn ways<'n>(
    members: &[&'n str],
    (before, after): (&Setup, &Setup),
    settings: &Settings,
    formed: &Formed,
    room_mm: f64,
) -> Vec<Vec<Vec<&'n str>>> {
    let mut ways = vec![vec![members.to_vec()]];
    let joined = groups(after, settings, formed);
    let mut by_motion: Vec<Vec<&str>> = Vec::new();
    for &name in members {
        match by_motion.iter_mut().find(|part| kept_place(before, after, part[0], name, room_mm)) {
            Some(part) => part.push(name),
            None => by_motion.push(vec![name]),
        }
    }
    let alone = members.iter().map(|&name| vec![name]).collect();
    for way in [by_group(members, &joined), by_motion, alone] {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}

/// Whether one element stands to another as it did.
fn kept_place(before: &Setup, after: &Setup, a: &str, b: &str, room_mm: f64) -> bool {
    let seen = |setup: &Setup| {
        let (a, b) = (setup.element(a)?.footprint.pose(), setup.element(b)?.footprint.pose());
        Some((a.seen_from_here(b.centre), a.heading.turn_to_radians(b.heading)))
    };
    let (Some(was), Some(is)) = (seen(before), seen(after)) else { return false };
    let (apart, width) = ((was.0 - is.0).norm(), before.scale.mm_per_bw());
    // The doubt of the heading of `a` grows with the way to `b`.
    let lever = 1.0 + was.0.norm() / width;
    apart <= 1.0 + room_mm * lever && (was.1 - is.1).abs() * width <= 1.0 + 2.0 * room_mm
}
