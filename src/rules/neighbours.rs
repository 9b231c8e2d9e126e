//! Who stands beside or behind whom among friends, who hangs together, and which elements are near each
//! other at all.
//!
//! What joins two friends is [`super::group`]'s: this module reads its joints from one element's point of
//! view. Table frame, millimetres. Clauses: dba3.group.1 to .3.

use super::group::{Bond, Kind, joint};
use super::{Context, Element, Location, Settings, Setup, Side};
use crate::geometry::{Margin, Point};
use std::collections::HashMap;

/// Where a friend stands, seen from an element that it is joined to squarely.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stands {
    /// At its left edge, looking the same way.
    AtLeft,
    /// At its right edge, looking the same way.
    AtRight,
    /// Behind it, front edge on its rear edge.
    Behind,
    /// Before it, rear edge on its front edge.
    Ahead,
}

/// Where `b` stands, seen from its friend `a`, and by how much they are joined; none where they are not,
/// or only round the bend of a column.
pub fn stands(a: &Element, b: &Element, settings: &Settings) -> Option<(Stands, Margin)> {
    if a.side != b.side {
        return None;
    }
    let found = joint(a, b, settings, Bond::Fresh).filter(|j| j.margin.satisfied())?;
    let a_first = found.first == 0;
    let stands = match (found.kind, a_first) {
        (Kind::Beside, true) => Stands::AtRight,
        (Kind::Beside, false) => Stands::AtLeft,
        (Kind::Behind, true) => Stands::Behind,
        (Kind::Behind, false) => Stands::Ahead,
        (Kind::Following, _) => return None,
    };
    Some((stands, found.margin))
}

/// The places in `setup.elements` of everyone who hangs together with `name` by joints between friends,
/// in the setup's order, itself included; empty where nobody on the board is called so.
pub fn joined(setup: &Setup, name: &str, settings: &Settings) -> Vec<usize> {
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
                && joint(&setup.elements[at], &setup.elements[other], settings, Bond::Fresh)
                    .is_some_and(|j| j.margin.satisfied())
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

/// Whether two bases can touch, or come within `slack_mm` of it, the figures' overhang and the widest tolerance taken.
pub(super) fn may_touch(a: &Element, b: &Element, slack_mm: f64) -> bool {
    let apart = a.footprint.pose().centre - b.footprint.pose().centre;
    apart.norm() <= touching_mm(a) + touching_mm(b) + slack_mm
}

/// How far from its centre a base with its figures can touch anything; two tolerances are 15 mm at most.
pub(super) fn touching_mm(element: &Element) -> f64 {
    let (base, over) = (&element.footprint, &element.overhang);
    base.width_mm().hypot(base.depth_mm()) / 2.0 + over.front.max(over.rear).max(over.sides) + 8.0
}

/// The friends of `element` that it is joined to squarely, and where each stands.
pub(super) fn friends_at<'a>(
    element: &'a Element,
    context: &Context<'a>,
) -> impl Iterator<Item = (&'a Element, Stands)> + use<'a> {
    let settings = context.settings;
    context
        .elements
        .iter()
        .filter(|e| e.location == Location::Board && e.name != element.name)
        .filter(|e| close(e, element))
        .filter_map(move |e| stands(element, e, settings).map(|(stands, _)| (e, stands)))
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

/// Elements on the board in squares, to be found by where they stand.
pub(super) struct Grid<'e> {
    elements: &'e [Element],
    cell_mm: f64,
    cells: HashMap<(i64, i64), Vec<usize>>,
}

impl<'e> Grid<'e> {
    /// These elements in squares of that width.
    pub fn of(elements: &'e [Element], cell_mm: f64) -> Self {
        let mut cells: HashMap<(i64, i64), Vec<usize>> = HashMap::new();
        for (place, element) in elements.iter().enumerate().filter(|(_, e)| e.location == Location::Board) {
            let at = element.footprint.pose().centre;
            let cell = ((at.x / cell_mm).floor() as i64, (at.y / cell_mm).floor() as i64);
            cells.entry(cell).or_default().push(place);
        }
        Self { elements, cell_mm, cells }
    }

    /// The places of those whose centre is no further than that from a point, in order.
    pub fn within(&self, at: Point, mm: f64) -> Vec<usize> {
        let cell = |x: f64| (x / self.cell_mm).floor() as i64;
        let mut found = Vec::new();
        for x in cell(at.x - mm)..=cell(at.x + mm) {
            for y in cell(at.y - mm)..=cell(at.y + mm) {
                let here = self.cells.get(&(x, y)).into_iter().flatten().copied();
                found.extend(
                    here.filter(|&place| (self.elements[place].footprint.pose().centre - at).norm() <= mm),
                );
            }
        }
        found.sort_unstable();
        found
    }
}

/// Everyone of one side on the board.
pub(super) fn of_side(setup: &Setup, side: Side) -> impl Iterator<Item = &Element> {
    setup.elements.iter().filter(move |e| e.side == side && e.location == Location::Board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::notation;

    fn setup(text: &str) -> Setup {
        notation::read_setup(text, Settings::dba3().ruleset()).expect("a good setup")
    }

    fn joined_names(text: &str, name: &str) -> Vec<String> {
        let setup = setup(text);
        let found = joined(&setup, name, &Settings::dba3());
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
    fn what_stands_at_the_right_of_one_has_it_at_its_left() {
        let setup = setup("A 4Bd red (0,0)-(1,0) N d0.5; B 4Bd red at (60.7,-9.6)mm 91deg w40mm d20mm");
        let settings = Settings::dba3();
        let (a, b) = (&setup.elements[0], &setup.elements[1]);
        let (there, here) = (stands(a, b, &settings), stands(b, a, &settings));
        assert_eq!(there.map(|s| s.0), Some(Stands::AtRight));
        assert_eq!(here.map(|s| (s.0, s.1.mm)), there.map(|s| (Stands::AtLeft, s.1.mm)));
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
            for width in [30.0, 200.0] {
                let grid = Grid::of(&setup.elements, width);
                let pairs = (0..4).flat_map(|i| {
                    let around = grid.within(setup.elements[i].footprint.pose().centre, reach);
                    around.into_iter().filter(move |&j| i < j).map(move |j| (i, j))
                });
                assert_eq!(pairs.collect::<Vec<_>>(), all(reach), "{reach} in squares of {width}");
            }
        }
    }
}
