//! The rim of a flat set that is known only by asking of points whether they are in it.
//!
//! Table frame, millimetres. A coarse lattice finds where the set begins and ends; from each such place
//! the rim is followed cell by cell over a fine lattice, and each crossing of a lattice edge is found by
//! halving. Where a coarse cell has no corner in the set it is glimpsed into, for parts that lie within. Invariants: rings are closed, the set to the left of their direction, and every vertex is
//! within [`Lattice::close_mm`] of a change; holes that lie between coarse lattice points, and parts that no glimpse shows, are missed.

use crate::geometry::Point;
use std::collections::{BTreeSet, HashMap};

/// A rim that turns by less than this at a vertex is smooth there, radians: 8 degrees. A choice.
const STRAIGHT_RAD: f64 = 0.14;

/// How finely to look. All in millimetres.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Lattice {
    /// The lower-left corner of what is looked at.
    pub from: Point,
    /// Side of a fine cell.
    pub fine_mm: f64,
    /// Fine cells to a coarse one.
    pub coarse: i32,
    /// Coarse cells across and up.
    pub cells: (i32, i32),
    /// How near to the change a vertex is.
    pub close_mm: f64,
}

impl Lattice {
    /// A lattice that covers the square of that half side about a point, and a coarse cell more.
    pub fn around(centre: Point, half_mm: f64, fine_mm: f64, coarse: i32, close_mm: f64) -> Self {
        let step = fine_mm * f64::from(coarse);
        let reach = (half_mm / step).ceil() + 1.0;
        let from = Point::new(centre.x - reach * step, centre.y - reach * step);
        #[expect(clippy::cast_possible_truncation, reason = "a few dozen cells")]
        let count = 2 * reach as i32;
        Self { from, fine_mm, coarse, cells: (count, count), close_mm }
    }

    fn at(&self, (i, j): (i32, i32)) -> Point {
        Point::new(self.from.x + f64::from(i) * self.fine_mm, self.from.y + f64::from(j) * self.fine_mm)
    }
}

/// A flat set that can be asked.
pub(super) trait Set {
    /// Whether it holds a point.
    fn holds(&mut self, at: Point) -> bool;

    /// Whether it is soon told to hold a point that lies in a coarse cell of which it holds no corner.
    fn glimpses(&mut self, _at: Point) -> bool {
        false
    }

    /// Where between a point inside and one outside it ends, the last point that is known to be inside.
    fn crossing(&mut self, inside: Point, outside: Point, close_mm: f64) -> Point {
        let (mut good, mut bad) = (inside, outside);
        while (bad - good).norm() > close_mm {
            let middle = good + (bad - good) / 2.0;
            if self.holds(middle) { good = middle } else { bad = middle }
        }
        good
    }
}

/// Rims with more vertices where a straight line between two neighbours leaves the rim by more than `off_mm`: looked
/// for at its middle, no further off than `most_mm`.
pub(super) fn refined(
    rings: Vec<Vec<Point>>,
    set: &mut dyn Set,
    off_mm: f64,
    most_mm: f64,
) -> Vec<Vec<Point>> {
    let refine = |ring: Vec<Point>| {
        let mut finer = Vec::with_capacity(ring.len() * 2);
        let count = ring.len();
        // A corner between two vertices shows at either as half of its turn.
        let bends = |n: usize, length: f64| {
            let [before, at, after] = [n + count - 1, n, n + 1].map(|k| ring[k % count]);
            let (a, b) = (at - before, after - at);
            let least = STRAIGHT_RAD.max((off_mm / length).atan());
            (a.x * b.y - a.y * b.x).atan2(a.dot(&b)).abs() > least
        };
        for (n, &from) in ring.iter().enumerate() {
            finer.push(from);
            let length = (ring[(n + 1) % count] - from).norm();
            // A rim that goes on as it came is as straight between its vertices.
            if bends(n, length) || bends((n + 1) % count, length) {
                between(from, ring[(n + 1) % count], set, (off_mm, most_mm), &mut finer);
            }
        }
        finer
    };
    rings.into_iter().map(refine).collect()
}

/// Adds the vertices that are wanted between two of a rim, in order.
fn between(from: Point, to: Point, set: &mut dyn Set, (off_mm, most_mm): (f64, f64), found: &mut Vec<Point>) {
    let along = to - from;
    if along.norm() < 2.0 * off_mm || most_mm < off_mm {
        return;
    }
    let middle = from + along / 2.0;
    let out = crate::geometry::Vector::new(along.y, -along.x).normalize();
    let (beyond, within) = (middle + out * off_mm, middle - out * off_mm);
    let rim = if set.holds(beyond) {
        let far = middle + out * most_mm;
        if set.holds(far) { far } else { set.crossing(beyond, far, off_mm / 4.0) }
    } else if set.holds(within) {
        return;
    } else {
        let far = middle - out * most_mm;
        if !set.holds(far) {
            return;
        }
        set.crossing(far, within, off_mm / 4.0)
    };
    between(from, rim, set, (off_mm, most_mm / 2.0), found);
    found.push(rim);
    between(rim, to, set, (off_mm, most_mm / 2.0), found);
}

/// The set being traced, with what is known of its lattice points.
struct Traced<'f> {
    lattice: Lattice,
    set: &'f mut dyn Set,
    known: HashMap<(i32, i32), bool>,
}

impl Traced<'_> {
    fn holds(&mut self, node: (i32, i32)) -> bool {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let found = self.set.holds(self.lattice.at(node));
        self.known.insert(node, found);
        found
    }

    /// Where between a node inside and one outside the set ends.
    fn crossing(&mut self, inside: (i32, i32), outside: (i32, i32)) -> Point {
        let (from, to) = (self.lattice.at(inside), self.lattice.at(outside));
        self.set.crossing(from, to, self.lattice.close_mm)
    }
}

/// A lattice edge with its inside end first.
type Crossed = ((i32, i32), (i32, i32));

/// The rings of the set.
pub(super) fn rings(lattice: Lattice, set: &mut dyn Set) -> Vec<Vec<Point>> {
    let mut set = Traced { lattice, set, known: HashMap::new() };
    let mut done: BTreeSet<Crossed> = BTreeSet::new();
    let mut found = Vec::new();
    let step = lattice.coarse;
    for ci in 0..=lattice.cells.0 {
        for cj in 0..=lattice.cells.1 {
            let node = (ci * step, cj * step);
            for way in [(1, 0), (0, 1)] {
                if ci + way.0 > lattice.cells.0 || cj + way.1 > lattice.cells.1 {
                    continue;
                }
                let other = (node.0 + way.0 * step, node.1 + way.1 * step);
                let (here, there) = (set.holds(node), set.holds(other));
                if here == there {
                    continue;
                }
                let (mut good, mut bad) = if here { (node, other) } else { (other, node) };
                while (good.0 - bad.0).abs() + (good.1 - bad.1).abs() > 1 {
                    let middle = ((good.0 + bad.0) / 2, (good.1 + bad.1) / 2);
                    if set.holds(middle) { good = middle } else { bad = middle }
                }
                if !done.contains(&(good, bad)) {
                    found.push(follow(&mut set, (good, bad), &mut done));
                }
            }
        }
    }
    within_cells(&mut set, &mut done, &mut found);
    found
}

/// Adds the rings of parts that lie within coarse cells: glimpsed at the cell's middle and half way to its corners, and
/// where some corners are in the set, at every point within that no ring holds.
fn within_cells(set: &mut Traced<'_>, done: &mut BTreeSet<Crossed>, found: &mut Vec<Vec<Point>>) {
    let (step, cells) = (set.lattice.coarse, set.lattice.cells);
    let (near, middle, far) = (step / 4, step / 2, step - step / 4);
    for (ci, cj) in (0..cells.0).flat_map(|ci| (0..cells.1).map(move |cj| (ci * step, cj * step))) {
        let corners = [(0, 0), (step, 0), (0, step), (step, step)];
        let held = corners.into_iter().filter(|(x, y)| set.holds((ci + x, cj + y))).count();
        if held == corners.len() {
            continue;
        }
        let sparse = [(middle, middle), (near, near), (far, near), (near, far), (far, far)];
        let every = (1..step).flat_map(|x| (1..step).map(move |y| (x, y)));
        let looked: Vec<(i32, i32)> = if held == 0 { sparse.to_vec() } else { every.collect() };
        for (x, y) in looked {
            let node = (ci + x, cj + y);
            let at = set.lattice.at(node);
            let traced = || held > 0 && super::winding(found.iter(), at) != 0;
            if set.known.contains_key(&node) || traced() || !set.set.glimpses(at) {
                continue;
            }
            set.known.insert(node, true);
            let mut good = node;
            while set.holds((good.0 + 1, good.1)) {
                good.0 += 1;
            }
            let edge = (good, (good.0 + 1, good.1));
            if !done.contains(&edge) {
                found.push(follow(set, edge, done));
            }
        }
    }
}

/// Follows the rim from a crossed edge round to it again, the set to the left.
fn follow(set: &mut Traced<'_>, start: Crossed, done: &mut BTreeSet<Crossed>) -> Vec<Point> {
    let mut ring = Vec::new();
    let mut edge = start;
    loop {
        done.insert(edge);
        let at = set.crossing(edge.0, edge.1);
        ring.push(at);
        edge = next(set, edge);
        if edge == start {
            return ring;
        }
    }
}

/// The next crossed edge: with the inside node on the left and the outside node on the right, the cell ahead
/// has two more nodes, and the rim leaves between the first pair of neighbours that differ, from the left.
fn next(set: &mut Traced<'_>, (good, bad): Crossed) -> Crossed {
    let across = (bad.0 - good.0, bad.1 - good.1);
    // Ahead is a quarter turn to the left of inside-to-outside.
    let ahead = (-across.1, across.0);
    let (good_ahead, bad_ahead) = ((good.0 + ahead.0, good.1 + ahead.1), (bad.0 + ahead.0, bad.1 + ahead.1));
    if !set.holds(good_ahead) {
        (good, good_ahead)
    } else if !set.holds(bad_ahead) {
        (good_ahead, bad_ahead)
    } else {
        (bad_ahead, bad)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl<F: Fn(Point) -> bool> Set for F {
        fn holds(&mut self, at: Point) -> bool {
            self(at)
        }
    }

    fn area(ring: &[Point]) -> f64 {
        let next = ring.iter().cycle().skip(1);
        ring.iter().zip(next).map(|(a, b)| (a.x * b.y - b.x * a.y) / 2.0).sum()
    }

    #[test]
    fn a_disc_with_a_hole_has_two_rings_that_run_opposite_ways() {
        let lattice = Lattice::around(Point::new(50.0, 40.0), 100.0, 2.0, 4, 0.01);
        let disc = |p: Point| (8.0..=60.0).contains(&(p - Point::new(50.0, 40.0)).norm());
        let mut areas: Vec<f64> = rings(lattice, &mut { disc }).iter().map(|r| area(r)).collect();
        areas.sort_by(f64::total_cmp);
        let circle = |r: f64| std::f64::consts::PI * r * r;
        assert_eq!(areas.len(), 2);
        assert!((areas[1] - circle(60.0)).abs() < 20.0, "{areas:?}");
        assert!((areas[0] + circle(8.0)).abs() < 5.0, "{areas:?}");
    }

    /// A strip that passes between all coarse lattice points.
    struct Strip;

    impl Set for Strip {
        fn holds(&mut self, at: Point) -> bool {
            (3.0..=9.0).contains(&at.x) && at.y.abs() <= 20.0
        }

        fn glimpses(&mut self, at: Point) -> bool {
            self.holds(at)
        }
    }

    #[test]
    fn a_strip_between_the_coarse_points_is_found_by_a_glimpse() {
        let lattice = Lattice::around(Point::new(0.0, 0.0), 36.0, 3.0, 4, 0.01);
        let found = rings(lattice, &mut Strip);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((area(&found[0]) - 240.0).abs() < 15.0, "{}", area(&found[0]));
        let blind = |p: Point| Strip.holds(p);
        assert!(rings(lattice, &mut { blind }).is_empty());
    }

    /// A set of which every glimpse tells.
    struct Bounded<F>(F);

    impl<F: Fn(Point) -> bool> Set for Bounded<F> {
        fn holds(&mut self, at: Point) -> bool {
            self.0(at)
        }

        fn glimpses(&mut self, at: Point) -> bool {
            self.0(at)
        }
    }

    #[test]
    fn a_part_within_a_coarse_cell_that_has_corners_in_the_set_is_found() {
        let lattice = Lattice::around(Point::new(0.0, 0.0), 36.0, 3.0, 4, 0.01);
        // A half plane, and a spot in a cell two corners of which lie in it.
        let spotted = |p: Point| p.x <= 0.5 || (p - Point::new(6.0, 6.0)).norm() <= 2.0;
        let bounded = |p: Point| p.x.abs().max(p.y.abs()) <= 30.0 && spotted(p);
        let found = rings(lattice, &mut Bounded(bounded));
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(rings(lattice, &mut { bounded }).len() == 1, "no glimpse, no spot");
    }

    #[test]
    fn two_parts_are_two_rings_and_vertices_lie_on_the_rim() {
        let lattice = Lattice::around(Point::new(0.0, 0.0), 60.0, 3.0, 4, 0.01);
        let parts = |p: Point| (p.x.abs() - 30.0).abs() <= 15.0 && p.y.abs() <= 20.0;
        let found = rings(lattice, &mut { parts });
        assert_eq!(found.len(), 2);
        for p in found.iter().flatten() {
            let out = ((p.x.abs() - 30.0).abs() - 15.0).max(p.y.abs() - 20.0);
            assert!((-0.0101..=1e-9).contains(&out), "{p:?}");
        }
    }
}
