//! Which friends stand together: side by side with corners that meet, or one behind the other; and who
//! hangs together through them.
//!
//! Bases that truly touch are measured a fraction apart, so links are judged within
//! [`super::Tolerances`]. A link of two friends side by side is the conjunction, in millimetres, of
//! their side edges' gap, the offset of the front or of the rear corners (one pair that meets is
//! enough), and the facing times the width; one behind the other is a front edge on a rear edge, as in
//! `contact`. Invariant: a link of `a` with `b` has the margin of `b` with `a`.
//!
//! Clauses: dba3.group.1 (edge and corners), .2 (a corner alone is no link), .3 (columns).

use super::{Context, Element, Location, Setup, Side, Tolerances, contact, exact};
use crate::geometry::{Binding, Corner, Edge, Feature, Footprint, Margin, Part, Whose};
use std::collections::HashMap;

/// How two friends stand together, seen from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Bond {
    /// The second stands at the left edge of the first, looking the same way.
    AtLeft,
    /// The second stands at the right edge of the first, looking the same way.
    AtRight,
    /// The second stands behind the first, its front edge on the first's rear edge.
    Behind,
    /// The second stands before the first, its rear edge on the first's front edge.
    Ahead,
}

impl Bond {
    /// The same bond seen from the second.
    pub fn reversed(self) -> Self {
        match self {
            Self::AtLeft => Self::AtRight,
            Self::AtRight => Self::AtLeft,
            Self::Behind => Self::Ahead,
            Self::Ahead => Self::Behind,
        }
    }

    const ALL: [Self; 4] = [Self::AtLeft, Self::AtRight, Self::Behind, Self::Ahead];
}

/// By how much `a` and `b` stand together in that way.
pub fn bonded(a: &Element, b: &Element, bond: Bond, tolerances: &Tolerances) -> Margin {
    match bond {
        Bond::AtLeft => swapped(beside(b, a, tolerances)),
        Bond::AtRight => beside(a, b, tolerances),
        Bond::Behind => swapped(contact::on_edge(b, a, Edge::Rear, tolerances).margin()),
        Bond::Ahead => contact::on_edge(a, b, Edge::Rear, tolerances).margin(),
    }
}

/// The bond of two friends, if they stand together, and by how much.
pub fn bond(a: &Element, b: &Element, tolerances: &Tolerances) -> Option<(Bond, Margin)> {
    if a.side != b.side {
        return None;
    }
    Bond::ALL
        .into_iter()
        .map(|bond| (bond, bonded(a, b, bond, tolerances)))
        .filter(|(_, margin)| margin.satisfied())
        .max_by(|a, b| a.1.mm.total_cmp(&b.1.mm))
}

/// `b` at the right edge of `a`, measured in the frame of each in turn; the smaller counts.
fn beside(a: &Element, b: &Element, tolerances: &Tolerances) -> Margin {
    let room = tolerances.contact_gap_mm + a.overhang.sides + b.overhang.sides;
    let turn = a.footprint.pose().heading.turn_to_radians(b.footprint.pose().heading).abs();
    let width = a.footprint.width_mm().min(b.footprint.width_mm());
    let facing = (tolerances.same_facing_deg.to_radians() - turn) * width;
    let looks = Binding(
        Feature { whose: Whose::A, part: Part::Heading, at: a.footprint.pose().centre },
        Feature { whose: Whose::B, part: Part::Heading, at: b.footprint.pose().centre },
    );
    let pair = |own: Corner, other: Corner| {
        let (at, to) = (a.footprint.corner(own), b.footprint.corner(other));
        let binding = Binding(
            Feature { whose: Whose::A, part: Part::Corner(own), at },
            Feature { whose: Whose::B, part: Part::Corner(other), at: to },
        );
        let in_frame = |base: &Footprint| {
            let heading = base.pose().heading;
            let gap = room - (to - at).dot(&heading.right()).abs();
            let offset = tolerances.corner_offset_mm - (to - at).dot(&heading.vector()).abs();
            gap.min(offset)
        };
        Margin::closed(exact(in_frame(&a.footprint).min(in_frame(&b.footprint))), binding)
    };
    let front = pair(Corner::FrontRight, Corner::FrontLeft);
    let rear = pair(Corner::RearRight, Corner::RearLeft);
    front.or(rear).and(Margin::closed(exact(facing), looks))
}

fn swapped(margin: Margin) -> Margin {
    let turned = |feature: Feature, whose| Feature { whose, ..feature };
    Margin {
        binding: Binding(turned(margin.binding.1, Whose::A), turned(margin.binding.0, Whose::B)),
        ..margin
    }
}

/// The places in `setup.elements` of everyone who hangs together with `name` by bonds between friends,
/// in the setup's order, itself included; empty where nobody on the board is called so.
pub fn joined(setup: &Setup, name: &str, tolerances: &Tolerances) -> Vec<usize> {
    let on_board = |e: &Element| e.location == Location::Board;
    let Some(first) = setup.elements.iter().position(|e| e.name == name && on_board(e)) else {
        return Vec::new();
    };
    let side = setup.elements[first].side;
    let friends: Vec<usize> = (0..setup.elements.len())
        .filter(|&i| setup.elements[i].side == side && on_board(&setup.elements[i]))
        .collect();
    let mut found = vec![first];
    let mut next = 0;
    while let Some(&at) = found.get(next) {
        next += 1;
        for &other in &friends {
            if !found.contains(&other)
                && close(&setup.elements[at], &setup.elements[other])
                && bond(&setup.elements[at], &setup.elements[other], tolerances).is_some()
            {
                found.push(other);
            }
        }
    }
    found.sort_unstable();
    found
}

/// Whether two bases are near enough to be worth measuring: no further apart than both diagonals.
fn close(a: &Element, b: &Element) -> bool {
    let reach = |e: &Element| e.footprint.width_mm() + e.footprint.depth_mm();
    (a.footprint.pose().centre - b.footprint.pose().centre).norm() <= reach(a) + reach(b)
}

/// The friends of `element` that it hangs together with directly.
pub(super) fn friends_at<'a>(
    element: &'a Element,
    context: &Context<'a>,
) -> impl Iterator<Item = (&'a Element, Bond)> + use<'a> {
    let tolerances = context.settings.tolerances;
    context
        .elements
        .iter()
        .filter(|e| e.location == Location::Board && e.name != element.name)
        .filter(|e| close(e, element))
        .filter_map(move |e| bond(element, e, &tolerances).map(|(bond, _)| (e, bond)))
}

/// Pairs of elements on the board whose centres are no more than `reach_mm` apart, each pair once, the
/// smaller place first, in order. A grid of squares keeps it near linear in the number of elements.
pub fn near_pairs(elements: &[Element], reach_mm: f64) -> Vec<(usize, usize)> {
    let cell = |e: &Element| {
        let at = e.footprint.pose().centre;
        ((at.x / reach_mm).floor() as i64, (at.y / reach_mm).floor() as i64)
    };
    let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
    let mut pairs = Vec::new();
    for (place, element) in elements.iter().enumerate().filter(|(_, e)| e.location == Location::Board) {
        let (x, y) = cell(element);
        for around in (-1..=1).flat_map(|dx| (-1..=1).map(move |dy| (x + dx, y + dy))) {
            let near = cells.get(&around).into_iter().flatten();
            pairs.extend(
                near.copied()
                    .filter(|&other| {
                        let to = elements[other].footprint.pose().centre;
                        (to - element.footprint.pose().centre).norm() <= reach_mm
                    })
                    .map(|other| (other, place)),
            );
        }
        cells.entry((x, y)).or_default().push(place);
    }
    pairs.sort_unstable();
    pairs
}

/// Everyone of one side on the board.
pub(super) fn of_side(setup: &Setup, side: Side) -> impl Iterator<Item = &Element> {
    setup.elements.iter().filter(move |e| e.side == side && e.location == Location::Board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Settings, notation};

    fn setup(text: &str) -> Setup {
        notation::read_setup(text, Settings::dba3().ruleset()).expect("a good setup")
    }

    fn joined_names(text: &str, name: &str) -> Vec<String> {
        let setup = setup(text);
        let found = joined(&setup, name, &Settings::dba3().tolerances);
        found.into_iter().map(|i| setup.elements[i].name.clone()).collect()
    }

    #[test]
    fn edges_and_corners_join_and_a_corner_alone_does_not() {
        let line = "A 4Bd red (0,0)-(1,0) N; B 4Bd red (1,0)-(2,0) N";
        assert_eq!(joined_names(line, "A"), ["A", "B"]);
        let stepped = "A 4Bd red (0,0)-(1,0) N d0.5; B 4Bd red (1,0.3)-(2,0.3) N d0.5";
        assert_eq!(joined_names(stepped, "A"), ["A"]);
        let corner = "A 4Bd red (0,0)-(1,0) N d0.5; B 4Bd red (1,-0.5)-(2,-0.5) N d0.5";
        assert_eq!(joined_names(corner, "A"), ["A"]);
    }

    #[test]
    fn unequal_depths_join_by_their_front_or_their_rear_corners() {
        assert_eq!(joined_names("A 4Bd red (0,0)-(1,0) N d0.5; B 4Bd red (1,0)-(2,0) N d1", "B"), ["A", "B"]);
        let rear = "A 4Bd red (0,0)-(1,0) N d0.5; B 4Bd red (1,0.5)-(2,0.5) N d1";
        assert_eq!(joined_names(rear, "B"), ["A", "B"]);
    }

    #[test]
    fn a_bond_is_the_same_from_both_sides() {
        let setup = setup("A 4Bd red (0,0)-(1,0) N d0.5; B 4Bd red at (60.7,-9.6)mm 91deg w40mm d20mm");
        let tolerances = Settings::dba3().tolerances;
        let (a, b) = (&setup.elements[0], &setup.elements[1]);
        let (there, here) =
            (bonded(a, b, Bond::AtRight, &tolerances), bonded(b, a, Bond::AtLeft, &tolerances));
        assert_eq!(there.mm, here.mm);
        assert!(there.satisfied(), "{there:?}");
    }

    #[test]
    fn a_grid_finds_every_pair_that_is_near() {
        let setup = setup(
            "A Ps red (0,0)-(1,0) N; B Ps red (3,0)-(4,0) N; C Ps blue (1,9)-(0,9) S; D Ps red (2,2)-(3,2) N",
        );
        let all = |reach: f64| {
            let at = |i: usize| setup.elements[i].footprint.pose().centre;
            let pairs = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j)));
            pairs.filter(|&(i, j)| (at(i) - at(j)).norm() <= reach).collect::<Vec<_>>()
        };
        for reach in [50.0, 121.0, 200.0, 900.0] {
            assert_eq!(near_pairs(&setup.elements, reach), all(reach), "{reach}");
        }
    }
}
