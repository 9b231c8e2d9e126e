//! Who stands with whom on a table, within the settings' tolerances.

use crate::geometry::{Corner, Edge, Footprint, Margin, Pose};
use crate::rules::conform::{Motion, Way};
use crate::rules::neighbours::{self, Stands};
use crate::rules::{Context, Element, Settings, Setup, Side, by_size, contact};
use std::collections::{BTreeMap, VecDeque};

/// Which corners meet where friends of unequal depth stand side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Corners {
    /// The front corners.
    Front,
    /// The rear corners.
    Rear,
}

/// How the first of two elements stands with the second.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Joint {
    /// Friends side by side, the second at the right edge of the first.
    Beside(Corners),
    /// Friends one behind the other: the first behind the second.
    Behind,
    /// Enemies: the first stands this way with the second.
    Contact(Way),
}

impl Joint {
    /// Where the first stands exactly when the second is there.
    pub(in crate::rules) fn place(self, first: &Footprint, second: &Footprint) -> Pose {
        let pose = second.pose();
        match self {
            Self::Behind => Way::Rear.place(first, second),
            Self::Contact(way) => way.place(first, second),
            Self::Beside(corners) => {
                let aside = -(first.width_mm() + second.width_mm()) / 2.0;
                let deeper = (second.depth_mm() - first.depth_mm()) / 2.0;
                let ahead = if corners == Corners::Front { deeper } else { -deeper };
                Pose { centre: pose.at(aside, ahead), heading: pose.heading }
            }
        }
    }

    /// Where the second stands exactly when the first is there.
    pub(in crate::rules) fn place_of_second(self, first: &Footprint, second: &Footprint) -> Pose {
        let motion = Motion { from: self.place(first, second), to: first.pose() };
        motion.carries(second.pose())
    }
}

/// How a link was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Found {
    /// The two stand within the tolerances themselves.
    Measured,
    /// Their fronts meet, and their corners are off by no more than the widths along the two lines add
    /// up to: the files beside them are linked.
    AlongTheLine,
}

/// Two elements that stand together, by places in the setup.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Link {
    /// The first.
    pub a: usize,
    /// The second.
    pub b: usize,
    /// How the first stands with the second.
    pub joint: Joint,
    /// How it was found.
    pub found: Found,
    /// By how much it holds within the tolerances as measured; below zero for one found along the line
    /// whose corners are off by more than the tolerance.
    pub margin: Margin,
}

/// Every link of a table, the surest first, those found along the line last.
pub(super) fn find(setup: &Setup, settings: &Settings) -> Vec<Link> {
    let elements = &setup.elements;
    let context = Context::of(setup, settings);
    let diagonal = elements.iter().map(|e| e.footprint.width_mm().hypot(e.footprint.depth_mm()));
    let overhang = elements.iter().map(|e| e.overhang.front.max(e.overhang.rear).max(e.overhang.sides));
    let room = settings.tolerances.contact_gap_mm.max(settings.tolerances.corner_offset_mm);
    let most = |all: &mut dyn Iterator<Item = f64>| all.fold(0.0, f64::max);
    let reach = most(&mut diagonal.into_iter()) + 2.0 * (room + most(&mut overhang.into_iter()));
    if reach <= 0.0 {
        return Vec::new();
    }
    let mut links = Vec::new();
    for (i, j) in neighbours::near_pairs(elements, reach) {
        let (a, b) = (&elements[i], &elements[j]);
        let found = if a.side == b.side { friends(a, b, settings) } else { enemies(a, b, &context) };
        if let Some((a_first, joint, margin)) = found {
            let (a, b) = if a_first { (i, j) } else { (j, i) };
            links.push(Link { a, b, joint, found: Found::Measured, margin });
        }
    }
    let rank = |l: &Link| u8::from(matches!(l.joint, Joint::Contact(Way::Overlap(_))));
    links.sort_by(|l, m| {
        rank(l).cmp(&rank(m)).then(by_size(m.margin.mm, l.margin.mm)).then((l.a, l.b).cmp(&(m.a, m.b)))
    });
    run_on(setup, settings, &mut links);
    links
}

/// The joint of two friends: whether `a` is the first of the joint, the joint, the margin.
fn friends(a: &Element, b: &Element, settings: &Settings) -> Option<(bool, Joint, Margin)> {
    let (stands, margin) = neighbours::stands(a, b, settings)?;
    let (first, second) = match stands {
        Stands::AtRight | Stands::Ahead => (a, b),
        Stands::AtLeft | Stands::Behind => (b, a),
    };
    let joint = match stands {
        Stands::AtRight | Stands::AtLeft => {
            let apart = |own: Corner, other: Corner| {
                let gap = second.footprint.corner(other) - first.footprint.corner(own);
                gap.dot(&first.footprint.pose().heading.vector()).abs()
            };
            let front = apart(Corner::FrontRight, Corner::FrontLeft);
            let rear = apart(Corner::RearRight, Corner::RearLeft);
            Joint::Beside(if front <= rear { Corners::Front } else { Corners::Rear })
        }
        Stands::Ahead | Stands::Behind => Joint::Behind,
    };
    Some((std::ptr::eq(first, a), joint, margin))
}

/// The surest contact of two enemies: whether `a` is the first of the joint, the joint, the margin.
/// An overlap counts only where no front edge is on the other; side edges together are no joint, for
/// they fix no place along the edge.
fn enemies(a: &Element, b: &Element, context: &Context<'_>) -> Option<(bool, Joint, Margin)> {
    let tolerances = &context.settings.tolerances;
    let on = |first: &Element, second: &Element, way: Way| {
        contact::on_edge(first, second, way.edge(), tolerances).margin()
    };
    let edges = [Way::Front, Way::Rear, Way::Flank(Edge::Left), Way::Flank(Edge::Right)];
    let best = edges
        .into_iter()
        .flat_map(|way| [(true, way, on(a, b, way)), (false, way, on(b, a, way))])
        .filter(|(_, _, margin)| margin.satisfied())
        .max_by(|l, m| by_size(l.2.mm, m.2.mm));
    if let Some((a_first, way, margin)) = best {
        return Some((a_first, Joint::Contact(way), margin));
    }
    let (corner, margin) = contact::corner_touch(a, b, tolerances);
    let edge = if corner == Corner::FrontRight { Edge::Right } else { Edge::Left };
    let reversed = b.footprint.pose().heading.reversed();
    let turn = a.footprint.pose().heading.turn_to_radians(reversed).abs();
    let square = turn <= tolerances.same_facing_deg.to_radians();
    (margin.satisfied() && square).then_some((true, Joint::Contact(Way::Overlap(edge)), margin))
}

/// Lets front contacts run on along two lines: where two enemies are front to front and each has a
/// friend beside it on the same hand, and these friends' fronts meet, they are front to front as well.
fn run_on(setup: &Setup, settings: &Settings, links: &mut Vec<Link>) {
    let mut beside: BTreeMap<usize, [Option<usize>; 2]> = BTreeMap::new();
    let mut opposite: BTreeMap<usize, usize> = BTreeMap::new();
    let mut fronts = VecDeque::new();
    for link in links.iter() {
        match link.joint {
            Joint::Beside(Corners::Front) => {
                beside.entry(link.a).or_default()[1].get_or_insert(link.b);
                beside.entry(link.b).or_default()[0].get_or_insert(link.a);
            }
            Joint::Contact(Way::Front) => {
                opposite.entry(link.a).or_insert(link.b);
                opposite.entry(link.b).or_insert(link.a);
                fronts.push_back((link.a, link.b));
            }
            _ => {}
        }
    }
    let none = [None; 2];
    while let Some((a, e)) = fronts.pop_front() {
        let (of_a, of_e) = (*beside.get(&a).unwrap_or(&none), *beside.get(&e).unwrap_or(&none));
        for hand in [0, 1] {
            // What stands at the left of one faces what stands at the right of the other.
            let (Some(next_a), Some(next_e)) = (of_a[hand], of_e[1 - hand]) else { continue };
            if opposite.contains_key(&next_a) || opposite.contains_key(&next_e) {
                continue;
            }
            let (first, second) = (&setup.elements[next_a], &setup.elements[next_e]);
            let met = contact::on_edge(first, second, Edge::Front, &settings.tolerances);
            let half = setup.scale.mm_per_bw() / 2.0;
            let near = settings.tolerances.corner_offset_mm - met.corners.mm < half;
            if met.gap.and(met.facing).and(met.side).satisfied() && near {
                opposite.insert(next_a, next_e);
                opposite.insert(next_e, next_a);
                fronts.push_back((next_a, next_e));
                links.push(Link {
                    a: next_a,
                    b: next_e,
                    joint: Joint::Contact(Way::Front),
                    found: Found::AlongTheLine,
                    margin: met.margin(),
                });
            }
        }
    }
}

/// The bodies of more than one friend of that side, each in the setup's order.
pub(super) fn bodies(setup: &Setup, links: &[Link], side: Side) -> Vec<Vec<usize>> {
    let mut of: Vec<usize> = (0..setup.elements.len()).collect();
    for link in links.iter().filter(|l| !matches!(l.joint, Joint::Contact(_))) {
        let (keep, drop) = (of[link.a].min(of[link.b]), of[link.a].max(of[link.b]));
        of.iter_mut().filter(|body| **body == drop).for_each(|body| *body = keep);
    }
    let mut found: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (place, body) in of.into_iter().enumerate() {
        if setup.elements[place].side == side {
            found.entry(body).or_default().push(place);
        }
    }
    found.into_values().filter(|body| body.len() > 1).collect()
}
