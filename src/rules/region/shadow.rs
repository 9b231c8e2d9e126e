//! The shadow of a region: the centres at which one of some headings is legal.
//!
//! That no heading is legal takes a search with each. So those that were found legal near come first, and those along the
//! edges of what stands near. Table frame, millimetres and degrees. Invariant: a
//! centre is said to be in the shadow only where a legal way to it was found.

use super::carry::Carry;
use super::search::{Search, is_same};
use super::trace::Set;
use crate::geometry::{Heading, Point, Pose};
use std::cell::RefCell;
use std::collections::HashMap;

/// Turns off a heading that is legal, tried where it is so no longer, degrees. A choice.
const TURNED_DEG: [f64; 3] = [6.0, 3.0, 1.0];
/// Side of the cells in each of which all headings are looked at once where the shadow ends, millimetres. A choice.
const CELL_MM: f64 = 8.0;

/// What is known of a cell.
#[derive(Debug, Default)]
struct Cell {
    /// Headings that are legal somewhere in it.
    legal: Vec<Heading>,
    /// Whether all were looked at somewhere in it.
    looked: bool,
}

/// The shadow of a region.
pub(super) struct Shadow<'r, 's> {
    search: &'r Search<'s>,
    headings: Vec<Heading>,
    /// The heading that did for the last point: it mostly does for the next.
    last: Heading,
    /// The last ways that were found.
    kept: RefCell<Carry>,
    cells: HashMap<(i32, i32), Cell>,
}

impl<'r, 's> Shadow<'r, 's> {
    /// The shadow of what is searched.
    pub fn of(search: &'r Search<'s>) -> Self {
        let (headings, last) = (search.headings(), search.first().footprint.pose().heading);
        Self { search, headings, last, kept: RefCell::default(), cells: HashMap::new() }
    }

    fn legal(&self, centre: Point, heading: Heading) -> bool {
        self.search.reaches(Pose { centre, heading }, &mut self.kept.borrow_mut())
    }

    /// Whether a heading a little off the last one is legal there; then it is the last.
    fn turns_to(&mut self, centre: Point) -> bool {
        let near = TURNED_DEG.into_iter().flat_map(|by| [by, -by]).map(|by| self.last.turned_degrees(by));
        let found = near.into_iter().find(|&heading| self.legal(centre, heading));
        self.last = found.unwrap_or(self.last);
        found.is_some()
    }

    /// The cells about a centre, its own the fifth.
    fn about(&self, centre: Point) -> impl Iterator<Item = &Cell> {
        let (x, y) = cell_of(centre);
        let all = (x - 1..=x + 1).flat_map(move |x| (y - 1..=y + 1).map(move |y| (x, y)));
        all.filter_map(|cell| self.cells.get(&cell))
    }

    /// As it faces at first, the headings that were found legal near a centre, and those along the edges of what stands
    /// near.
    fn likely(&self, centre: Point) -> Vec<Heading> {
        let mut found = vec![self.search.first().footprint.pose().heading];
        let edges = self.search.headings_at(centre);
        for &heading in self.about(centre).flat_map(|cell| &cell.legal).chain(&edges) {
            if !found.iter().any(|&known| is_same(known, heading)) {
                found.push(heading);
            }
        }
        found
    }

    /// Whether another heading than the last is legal there; then it is the last.
    fn another(&mut self, centre: Point) -> bool {
        let (last, likely) = (self.last, self.likely(centre));
        let others = likely.iter().copied().filter(|&heading| !is_same(heading, last));
        let mut found = others.into_iter().find(|&heading| self.legal(centre, heading));
        if found.is_none() {
            let known = |heading: Heading| {
                is_same(heading, last) || likely.iter().any(|&other| is_same(other, heading))
            };
            let rest = self.headings.iter().copied().filter(|&heading| !known(heading));
            found = rest.into_iter().find(|&heading| self.legal(centre, heading));
        }
        if let Some(heading) = found {
            self.last = heading;
            self.keep(centre, heading);
        }
        found.is_some()
    }

    /// Keeps that a heading is legal at a centre.
    fn keep(&mut self, centre: Point, heading: Heading) {
        let legal = &mut self.cells.entry(cell_of(centre)).or_default().legal;
        if !legal.iter().any(|&known| is_same(known, heading)) {
            legal.push(heading);
        }
    }

    /// Looks at all headings at a centre in the shadow, once in a cell.
    fn look(&mut self, centre: Point) {
        let cell = self.cells.entry(cell_of(centre)).or_default();
        if std::mem::replace(&mut cell.looked, true) {
            return;
        }
        let mut headings = self.search.headings_at(centre);
        headings.extend(&self.headings);
        for heading in headings {
            if self.legal(centre, heading) {
                self.keep(centre, heading);
            }
        }
    }
}

fn cell_of(at: Point) -> (i32, i32) {
    #[expect(clippy::cast_possible_truncation, reason = "millimetres on a table")]
    let along = |mm: f64| (mm / CELL_MM).floor() as i32;
    (along(at.x), along(at.y))
}

impl Set for Shadow<'_, '_> {
    fn holds(&mut self, centre: Point) -> bool {
        self.legal(centre, self.last) || self.another(centre)
    }

    /// As it faces at first, or along an edge near.
    fn glimpses(&mut self, centre: Point) -> bool {
        let own = self.search.first().footprint.pose().heading;
        let edges = self.search.headings_at(centre);
        let found = std::iter::once(own).chain(edges).find(|&heading| self.legal(centre, heading));
        self.last = found.unwrap_or(self.last);
        found.is_some()
    }

    /// First as far as the heading of the point inside will do, then whether another does further.
    fn crossing(&mut self, inside: Point, outside: Point, close_mm: f64) -> Point {
        if !self.holds(inside) {
            return inside;
        }
        self.look(inside);
        let (mut good, mut bad) = (inside, outside);
        loop {
            while (bad - good).norm() > close_mm {
                let middle = good + (bad - good) / 2.0;
                if self.legal(middle, self.last) { good = middle } else { bad = middle }
            }
            if bad == outside || !(self.turns_to(bad) || self.another(bad)) {
                return good;
            }
            (good, bad) = (bad, outside);
        }
    }
}
