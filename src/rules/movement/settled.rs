//! The table before a move as it stood, from how it was measured: groups laid out exactly.
//!
//! What is joined within the tolerances and the doubt of its places truly touches; what was joined, has not
//! visibly parted and gapes by more stands as measured. Each group is laid out joint by joint, the surest
//! first, and brought rigidly to where it was measured, by the least sum of squares; round the bend of a column the inner front corners lie one
//! base's depth apart along the path (clause dba3.col.5). Widths and depths stay as they are.
//!
//! Table frame, millimetres. Invariant: who stands in no group stays as measured.

use crate::geometry::{Corner, Footprint, Pose};
use crate::rules::conform::Motion;
use crate::rules::group::{self, Bond, Formed, Joint, Kind, formation, groups};
use crate::rules::position::{Corners, Joint as Square, fitted};
use crate::rules::{Element, Settings, Setup};

/// The table with every group laid out exactly.
pub(super) fn settled(setup: &Setup, settings: &Settings, formed: &Formed, sigma_mm: f64) -> Setup {
    let mut after = setup.clone();
    for names in groups(setup, settings, formed) {
        let places: Vec<usize> = setup
            .elements
            .iter()
            .enumerate()
            .filter(|(_, e)| names.contains(&e.name))
            .map(|(n, _)| n)
            .collect();
        let members: Vec<&Element> = places.iter().map(|&at| &setup.elements[at]).collect();
        let joints = formation(&members, settings, formed).joints;
        let mut bases: Vec<Footprint> = members.iter().map(|e| e.footprint).collect();
        let mut laid = vec![false; bases.len()];
        laid[0] = true;
        // Joints come the surest first; the next is the surest that reaches somebody not laid out yet.
        while let Some(joint) = joints.iter().find(|j| laid[j.first] != laid[j.second]) {
            let (from, to) = match laid[joint.first] {
                true => (joint.first, joint.second),
                false => (joint.second, joint.first),
            };
            let (a, b) = (members[joint.first], members[joint.second]);
            let touches = group::joint(a, b, settings, Bond::Fresh)
                .is_some_and(|fresh| fresh.margin.mm >= -1.5 * sigma_mm);
            let kept = Motion { from: members[from].footprint.pose(), to: bases[from].pose() };
            let measured = kept.carries(members[to].footprint.pose());
            // Laid out from where it was measured to stand to the other.
            bases[to] = bases[to].moved_to(measured);
            let exact = place_of(to, joint, &bases);
            let room = settings.tolerances.contact_gap_mm + 3.0 * sigma_mm;
            let near = (exact.centre - measured.centre).norm() <= 2.0 * room;
            let place = if touches && near { exact } else { measured };
            bases[to] = bases[to].moved_to(place);
            laid[to] = true;
        }
        let all: Vec<usize> = (0..bases.len()).collect();
        let measured: Vec<Element> = members.iter().map(|e| (*e).clone()).collect();
        let fit = fitted(&all, &bases, &measured);
        for (&at, base) in places.iter().zip(&bases) {
            after.elements[at].footprint = base.moved_to(fit.carries(base.pose()));
        }
    }
    after
}

/// Where one of a joint's two stands exactly when the other stands where it does.
fn place_of(which: usize, joint: &Joint, bases: &[Footprint]) -> Pose {
    let (first, second) = (&bases[joint.first], &bases[joint.second]);
    let second_moves = which == joint.second;
    match joint.kind {
        Kind::Beside => {
            let apart = |own: Corner, other: Corner| {
                let gap = second.corner(other) - first.corner(own);
                gap.dot(&first.pose().heading.vector()).abs()
            };
            let front = apart(Corner::FrontRight, Corner::FrontLeft);
            let rear = apart(Corner::RearRight, Corner::RearLeft);
            let square = Square::Beside(if front <= rear { Corners::Front } else { Corners::Rear });
            if second_moves { square.place_of_second(first, second) } else { square.place(first, second) }
        }
        // The lattice names the one behind first.
        Kind::Behind if second_moves => Square::Behind.place(second, first),
        Kind::Behind => Square::Behind.place_of_second(second, first),
        Kind::Following => round_the_bend(first, second, second_moves),
    }
}

/// Where a leader or its follower stands when the other stands where it does, turned as measured.
fn round_the_bend(leader: &Footprint, follower: &Footprint, follower_moves: bool) -> Pose {
    let (l, f) = (leader.pose().heading, follower.pose().heading);
    let inner = if f.turn_to_radians(l) >= 0.0 { Corner::FrontLeft } else { Corner::FrontRight };
    let (at, behind) = (leader.corner(inner), follower.corner(inner));
    let depth = leader.depth_mm();
    // The leader's inner front corner is `past` beyond the bend, the follower's the rest of a depth before it.
    let bow = l.vector() - f.vector();
    let past = ((at - behind - f.vector() * depth).dot(&bow) / bow.norm_squared()).clamp(0.0, depth);
    let apart = f.vector() * depth + bow * past;
    if follower_moves {
        let pose = follower.pose();
        Pose { centre: pose.centre + (at - apart - behind), ..pose }
    } else {
        let pose = leader.pose();
        Pose { centre: pose.centre + (behind + apart - at), ..pose }
    }
}
