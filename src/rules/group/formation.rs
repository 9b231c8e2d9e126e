//! What some elements form together: whether they are one group, how it stands, its front edge.
//!
//! Table frame, millimetres. Clauses: dba3.group.1 (a group), .4 (a column).

use super::joint::facing;
use super::{Bond, Formed, Joint, Kind, components, joint, near};
use crate::geometry::{Corner, Heading, Margin, Point, Vector};
use crate::rules::{Element, Settings, by_size};

/// How the elements of a group stand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// One element.
    Single,
    /// One element wide, straight: the leader is first in the order.
    Column,
    /// One element wide, bent where it wheels.
    BentColumn,
    /// More than one wide.
    Block,
}

/// Elements and what joins them.
#[derive(Debug, Clone, PartialEq)]
pub struct Formation {
    /// The joints that hold, by places in the list given.
    pub joints: Vec<Joint>,
    /// How they stand. Of what is no group it means nothing.
    pub shape: Shape,
    /// Places in the list given: of a column from the leader to the tail, else from left to right and
    /// front to rear.
    pub order: Vec<usize>,
    /// By how much they are one group: the weakest of the joints that hold them together, or by how much
    /// the nearest two parts fail to join, and whether all face the same way. None of a single element.
    pub margin: Option<Margin>,
    /// The two elements that decide the margin, by places.
    pub between: Option<(usize, usize)>,
}

impl Formation {
    /// Whether they are one group, or one element.
    pub fn is_whole(&self) -> bool {
        self.margin.is_none_or(|m| m.satisfied())
    }
}

/// What `elements` form, which are of one side.
pub fn formation(elements: &[&Element], settings: &Settings, formed: &Formed) -> Formation {
    let count = elements.len();
    if count < 2 {
        let order = (0..count).collect();
        return Formation { joints: Vec::new(), shape: Shape::Single, order, margin: None, between: None };
    }
    let mut all: Vec<Joint> = Vec::new();
    for i in 0..count {
        for j in i + 1..count {
            let (a, b) = (elements[i], elements[j]);
            if !near(a, b) && count > 2 {
                continue;
            }
            all.extend(joint(a, b, settings, formed.bond(a, b)).map(|mut found| {
                let place = |which: usize| if which == 0 { i } else { j };
                (found.first, found.second) = (place(found.first), place(found.second));
                found
            }));
        }
    }
    // The strongest joints that hold all together (a greatest spanning tree); its weakest one decides.
    all.sort_by(|a, b| by_size(b.margin.mm, a.margin.mm));
    let mut tree: Vec<Joint> = Vec::new();
    for found in &all {
        if components(count, &with(&tree, found)).len() < components(count, &tree).len() {
            tree.push(*found);
        }
    }
    let joints: Vec<Joint> = all.iter().filter(|j| j.margin.satisfied()).copied().collect();
    let weakest = (tree.len() == count - 1).then(|| tree.last().copied()).flatten();
    let (mut margin, mut between) = match weakest {
        Some(joint) => (joint.margin, (joint.first, joint.second)),
        None => apart(elements),
    };
    let bent = joints.iter().any(|j| j.kind == Kind::Following);
    if !bent {
        let bond = if tree.iter().all(|j| formed.bond(elements[j.first], elements[j.second]) == Bond::Formed)
        {
            3.0
        } else {
            1.0
        };
        for (at, element) in elements.iter().enumerate().skip(1) {
            let looks = facing(
                &elements[0].footprint,
                &element.footprint,
                settings.tolerances.same_facing_deg * bond,
            );
            if looks.mm < margin.mm {
                (margin, between) = (looks, (0, at));
            }
        }
    }
    let (shape, order) = shape(elements, &joints, bent);
    Formation { joints, shape, order, margin: Some(margin), between: Some(between) }
}

fn with(tree: &[Joint], one: &Joint) -> Vec<Joint> {
    tree.iter().chain(std::iter::once(one)).copied().collect()
}

/// The margin of elements that stand so far apart that no joint was measured: minus the distance between
/// the first and the one furthest from all others.
fn apart(elements: &[&Element]) -> (Margin, (usize, usize)) {
    let mut worst: Option<(Margin, (usize, usize))> = None;
    for (i, a) in elements.iter().enumerate() {
        let nearest = elements
            .iter()
            .enumerate()
            .filter(|(j, _)| *j != i)
            .map(|(j, b)| (crate::geometry::separation(&a.footprint, &b.footprint), j))
            .min_by(|x, y| by_size(x.0.mm, y.0.mm));
        if let Some((found, j)) = nearest {
            let margin = Margin::strict(-found.mm.abs(), found.binding);
            if worst.as_ref().is_none_or(|(known, _)| margin.mm < known.mm) {
                worst = Some((margin, (i, j)));
            }
        }
    }
    worst.expect("two elements or more were given")
}

fn shape(elements: &[&Element], joints: &[Joint], bent: bool) -> (Shape, Vec<usize>) {
    let count = elements.len();
    // A chain: every element has at most one before it and one behind it, and none beside it.
    let (mut before, mut behind) = (vec![None; count], vec![None; count]);
    let mut chain = true;
    for joint in joints {
        if joint.kind == Kind::Beside || before[joint.second].is_some() || behind[joint.first].is_some() {
            chain = false;
        }
        before[joint.second] = Some(joint.first);
        behind[joint.first] = Some(joint.second);
    }
    let leaders: Vec<usize> = (0..count).filter(|&at| before[at].is_none()).collect();
    if chain && leaders.len() == 1 {
        let mut order = vec![leaders[0]];
        while let Some(next) = behind[order[order.len() - 1]] {
            if order.len() == count {
                break;
            }
            order.push(next);
        }
        if order.len() == count {
            return (if bent { Shape::BentColumn } else { Shape::Column }, order);
        }
    }
    let ahead = elements[0].footprint.pose().heading;
    let place = |at: usize| {
        let front = front_middle(elements[at]) - front_middle(elements[0]);
        (front.dot(&ahead.vector()), front.dot(&ahead.right()))
    };
    let mut order: Vec<usize> = (0..count).collect();
    // Ranks are at least half a base's depth apart: what is nearer together is one rank.
    let rank = |at: usize| (place(at).0 / (elements[0].footprint.depth_mm() / 2.0)).round();
    order.sort_by(|&a, &b| by_size(rank(b), rank(a)).then_with(|| by_size(place(b).1, place(a).1)));
    (Shape::Block, order)
}

/// The middle of a base's front edge.
fn front_middle(element: &Element) -> Point {
    element.footprint.pose().at(0.0, element.footprint.depth_mm() / 2.0)
}

/// The ends of a group's front edge, left and right, as it looks along `ahead`: the outermost of the
/// front corners, and how far the foremost of the corners there stands.
pub fn front_ends(elements: &[&Element], ahead: Heading) -> [Point; 2] {
    let mut ends: [Option<(f64, f64, Point)>; 2] = [None, None];
    for element in elements {
        for (end, corner, sign) in [(0, Corner::FrontLeft, -1.0), (1, Corner::FrontRight, 1.0)] {
            let at = element.footprint.corner(corner);
            let seen = Vector::new(at.coords.dot(&ahead.right()), at.coords.dot(&ahead.vector()));
            let out = sign * seen.x;
            // The foremost of those that are outermost within half a base's width.
            let better = ends[end].is_none_or(|(most, forward, _)| {
                let half = element.footprint.width_mm() / 2.0;
                out > most + half || (out > most - half && seen.y > forward)
            });
            if better {
                ends[end] = Some((out, seen.y, at));
            }
        }
    }
    ends.map(|end| end.expect("a group has elements").2)
}
