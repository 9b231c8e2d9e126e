//! Groups and columns: which friends are joined, and what they form together.
//!
//! Two friends are joined side by side, one behind the other, or one following the other round a bend of
//! a column. Joints are judged within [`super::Tolerances`], since bases that truly touch are measured a
//! fraction apart; figures that stand out over the two edges add their overhang. What was joined once
//! stays joined until its parts visibly part ([`Formed`]).
//!
//! Table frame, millimetres. Invariants: a joint's margin does not depend on which of the two is named
//! first; a group is a connected set of joints; an element that is not on the open board is in none.
//! Clauses: dba3.group.1 to .4, .10 to .12, dba3.set.32.

mod formation;
mod joint;
mod told;

pub use formation::{Formation, Shape, formation, front_ends};
pub use joint::{Bond, Joint, Kind, joint};
pub(in crate::rules) use told::contingents;
pub use told::is_group;

use super::{Element, Location, Settings, Setup};

/// The joints that an earlier look at the table found: pairs of names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Formed {
    pairs: Vec<(String, String)>,
}

impl Formed {
    /// What is joined after another look: joints of before that have not visibly parted, and new ones.
    pub fn seen_again(&self, setup: &Setup, settings: &Settings) -> Self {
        let joints = joints(setup, settings, self);
        let name = |at: usize| setup.elements[at].name.clone();
        Self { pairs: joints.iter().map(|j| (name(j.first), name(j.second))).collect() }
    }

    /// Whether the two were joined, and so how strict to be.
    pub fn bond(&self, a: &Element, b: &Element) -> Bond {
        let names = |pair: &(String, String)| {
            (pair.0 == a.name && pair.1 == b.name) || (pair.0 == b.name && pair.1 == a.name)
        };
        if self.pairs.iter().any(names) { Bond::Formed } else { Bond::Fresh }
    }
}

/// Every joint on the table that holds, by the elements' places in the setup.
pub fn joints(setup: &Setup, settings: &Settings, formed: &Formed) -> Vec<Joint> {
    let mut found = Vec::new();
    for (i, a) in setup.elements.iter().enumerate() {
        for (j, b) in setup.elements.iter().enumerate().skip(i + 1) {
            if a.side == b.side && near(a, b) {
                let joint = joint(a, b, settings, formed.bond(a, b)).filter(|j| j.margin.satisfied());
                found.extend(joint.map(|mut joint| {
                    // The joint counts the two from 0; the setup counts all.
                    let place = |which: usize| if which == 0 { i } else { j };
                    (joint.first, joint.second) = (place(joint.first), place(joint.second));
                    joint
                }));
            }
        }
    }
    found
}

/// The groups that stand on the table: names in the setup's order, each group of two or more. Allied contingents are
/// groups of their own (clause dba3.group.12).
pub fn groups(setup: &Setup, settings: &Settings, formed: &Formed) -> Vec<Vec<String>> {
    let name = |at: usize| setup.elements[at].name.as_str();
    let mut joints = joints(setup, settings, formed);
    joints.retain(|j| setup.same_contingent(name(j.first), name(j.second)));
    components(setup.elements.len(), &joints)
        .into_iter()
        .filter(|members| members.len() > 1)
        .map(|members| members.into_iter().map(|at| setup.elements[at].name.clone()).collect())
        .collect()
}

/// Those of `others` that are joined to any of `elements`.
pub fn joined_to<'e>(
    elements: &[&Element],
    others: &[&'e Element],
    settings: &Settings,
    formed: &Formed,
) -> Vec<&'e Element> {
    let joins = |a: &Element, b: &Element| {
        near(a, b) && joint(a, b, settings, formed.bond(a, b)).is_some_and(|found| found.margin.satisfied())
    };
    others.iter().copied().filter(|other| elements.iter().any(|e| joins(e, other))).collect()
}

/// Whether two elements on the board can touch at all, bounding circles and the widest tolerance taken.
fn near(a: &Element, b: &Element) -> bool {
    let reach = |e: &Element| {
        e.footprint.width_mm().hypot(e.footprint.depth_mm()) / 2.0
            + e.overhang.front.max(e.overhang.rear).max(e.overhang.sides)
    };
    let apart = (a.footprint.pose().centre - b.footprint.pose().centre).norm();
    a.location == Location::Board && b.location == Location::Board && apart <= reach(a) + reach(b) + 40.0
}

/// Connected sets of `count` things, in order of their first member.
fn components(count: usize, joints: &[Joint]) -> Vec<Vec<usize>> {
    let mut root: Vec<usize> = (0..count).collect();
    fn top(root: &mut [usize], mut at: usize) -> usize {
        while root[at] != at {
            root[at] = root[root[at]];
            at = root[at];
        }
        at
    }
    for joint in joints {
        let (a, b) = (top(&mut root, joint.first), top(&mut root, joint.second));
        root[a.max(b)] = a.min(b);
    }
    let mut sets: Vec<Vec<usize>> = vec![Vec::new(); count];
    for at in 0..count {
        let of = top(&mut root, at);
        sets[of].push(at);
    }
    sets.retain(|set| !set.is_empty());
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn setup(text: &str) -> Setup {
        notation::read_setup(text, Settings::dba3().ruleset()).expect("a good setup")
    }

    fn found(text: &str) -> Vec<Vec<String>> {
        groups(&setup(text), &Settings::dba3(), &Formed::default())
    }

    #[test]
    fn elements_side_by_side_with_front_corners_together_are_a_group() {
        let two = found("A 4Sp red (0,0)-(1,0) N; B 4Sp red (1,0)-(2,0) N; C 4Sp red (2.5,0)-(3.5,0) N");
        assert_eq!(two, [vec!["A".to_owned(), "B".to_owned()]]);
        assert!(found("A 4Sp red (0,0)-(1,0) N; B 4Sp red (1,0.3)-(2,0.3) N").is_empty());
        assert!(found("A 4Sp red (0,0)-(1,0) N; B 4Sp blue (1,0)-(2,0) N").is_empty());
    }

    #[test]
    fn unequal_depths_need_one_pair_of_corners() {
        assert_eq!(found("A 4Sp red (0,0)-(1,0) N; B Cv red (1,0)-(2,0) N").len(), 1);
        // Rear corners together: front edges 0.375 BW apart.
        assert_eq!(found("A 4Sp red (0,0)-(1,0) N d0.375; B Cv red (1,0.375)-(2,0.375) N d0.75").len(), 1);
    }

    #[test]
    fn a_corner_alone_joins_nobody() {
        assert!(found("A 4Sp red (0,0)-(1,0) N d0.5; B 4Sp red (1,-0.5)-(2,-0.5) N d0.5").is_empty());
    }

    #[test]
    fn a_bent_column_is_linked_by_its_order() {
        // The leader has wheeled left by 30 degrees about its front-left corner.
        let (sin, cos) = 30f64.to_radians().sin_cos();
        let (x, y) = (20.0 * cos + 7.5 * sin, 60.0 + 20.0 * sin - 7.5 * cos);
        let text = format!(
            "A 4Sp red at ({x:.6},{y:.6})mm 120deg w40mm d15mm; B 4Sp red at (20,37.5)mm 90deg w40mm d15mm"
        );
        let bent = setup(&text);
        let members: Vec<&Element> = bent.elements.iter().collect();
        let formed = formation(&members, &Settings::dba3(), &Formed::default());
        assert_eq!((formed.shape, formed.is_whole()), (Shape::BentColumn, true), "{formed:?}");
        assert_eq!(formed.order, [0, 1]);
    }

    #[test]
    fn a_column_has_its_leader_first() {
        let column = setup(
            "B 4Sp red (0,-0.375)-(1,-0.375) N; A 4Sp red (0,0)-(1,0) N; C 4Sp red (0,-0.75)-(1,-0.75) N",
        );
        let members: Vec<&Element> = column.elements.iter().collect();
        let formed = formation(&members, &Settings::dba3(), &Formed::default());
        assert_eq!((formed.shape, formed.order.as_slice()), (Shape::Column, [1, 0, 2].as_slice()));
    }

    #[test]
    fn once_joined_they_stay_so_until_they_visibly_part() {
        let settings = Settings::dba3();
        let at = |gap: f64| {
            setup(&format!(
                "A 4Sp red at (20,20)mm 90deg w40mm d15mm; B 4Sp red at ({},20)mm 90deg w40mm d15mm",
                60.0 + gap
            ))
        };
        assert!(groups(&at(2.0), &settings, &Formed::default()).is_empty());
        let formed = Formed::default().seen_again(&at(0.5), &settings);
        assert_eq!(groups(&at(2.0), &settings, &formed).len(), 1);
        let still = formed.seen_again(&at(2.0), &settings);
        assert_eq!(groups(&at(2.9), &settings, &still).len(), 1);
        assert!(groups(&at(3.1), &settings, &still).is_empty());
    }

    #[test]
    fn a_joint_is_the_same_whoever_is_named_first() {
        let settings = Settings::dba3();
        let two =
            setup("A 4Sp red at (20,20)mm 91deg w40mm d15mm; B Cv red at (60.4,14)mm 89.5deg w40mm d30mm");
        let (a, b) = (&two.elements[0], &two.elements[1]);
        let one = joint(a, b, &settings, Bond::Fresh).expect("a joint");
        let other = joint(b, a, &settings, Bond::Fresh).expect("a joint");
        assert_eq!((one.kind, one.first, one.second), (other.kind, other.second, other.first));
        assert!((one.margin.mm - other.margin.mm).abs() < 1e-12);
    }
}
