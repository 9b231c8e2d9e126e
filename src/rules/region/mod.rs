//! Where an element or a group may go this bound, and which enemies it can reach.
//!
//! The legal region is a set of end poses (x, y, heading): those to which some path is legal. For a single
//! element paths of several kinds are searched, round bases and zones where the straight way is closed
//! ([`paths`]); a group goes ahead and wheels ([`group`]). What decides is the judge of moves itself, so a
//! pose in the region comes with a path that is ruled legal. To draw it, the shadow of the set is traced:
//! the centres at which some heading is legal; of a group, the centres of its first element.
//!
//! Table frame, millimetres. Invariants: [`LegalRegion::way_to`] gives a move that [`super::movement`]
//! rules legal, ending at the pose; the outline's vertices, ruled by the prepared judge alone, lie within [`CLOSE_MM`] of where the shadow of
//! the headings looked at ends. Parts narrower than a coarse step that lie apart from all others are found
//! only where they are line-ups with an enemy, which are looked for by themselves.

mod carry;
mod detours;
mod group;
mod needs;
mod paths;
mod reach;
mod roadmap;
mod search;
mod trace;
mod trial;

pub use needs::Need;
pub use reach::{Reached, Target};

use crate::geometry::{Heading, Point, Pose};
use crate::rules::bound::Bound;
use crate::rules::conform::Way as LineUpWay;
use crate::rules::movement::MoveError;
use crate::rules::{Settings, Setup};
use carry::Carry;
use search::Search;
use std::cell::RefCell;
use trace::{Lattice, Set, refined, rings};

/// How near the vertices of an outline are to where the region ends, millimetres. A choice: less than the
/// camera tells.
pub const CLOSE_MM: f64 = 0.1;
/// How far the rim may leave the straight line between two vertices, millimetres. A choice: half of what is told apart.
const STRAIGHT_MM: f64 = 0.25;
/// Side of the lattice's fine cells over the base width: 4 mm at 40. A choice.
const FINE_BW: f64 = 0.1;
/// How far out of a traced rim is looked whether it goes further, and how far it may, millimetres. Choices.
const LEFT_MM: f64 = 0.3;
const MOST_LEFT_MM: f64 = 2.3;
/// Turns off a heading that is legal, tried where it is so no longer, degrees. A choice.
const TURNED_DEG: [f64; 3] = [6.0, 3.0, 1.0];
/// Fine cells to a coarse one. A choice.
const COARSE: i32 = 4;

/// Where one element, or a group as one body, may end.
pub struct LegalRegion<'s> {
    search: Search<'s>,
    /// The shadow of the region: rings of centres, outer ones anticlockwise, holes clockwise.
    pub outline: Vec<Vec<Point>>,
    /// Each way of lining up with each enemy that is near, and whether and how it can be reached.
    pub targets: Vec<Target>,
}

impl<'s> LegalRegion<'s> {
    /// The region of the elements of these names, one or a group, with its outline.
    ///
    /// # Errors
    /// As a move of these elements: nobody, an unknown name or troop code, elements of both sides.
    pub fn of(
        setup: &'s Setup,
        bound: &'s Bound,
        settings: &'s Settings,
        names: &[&str],
    ) -> Result<Self, MoveError> {
        let search = Search::of(setup, bound, settings, names)?;
        let targets = reach::targets(&search);
        let mut region = Self { search, outline: Vec::new(), targets };
        region.outline = region.shadow();
        region.stretch();
        region.islands();
        Ok(region)
    }

    /// Whether it may end with its first element there.
    pub fn contains(&self, pose: Pose) -> bool {
        self.search.way_to(pose).is_some()
    }

    /// A legal move that brings its first element to a pose, if there is one.
    pub fn way_to(&self, pose: Pose) -> Option<Reached> {
        self.search.way_to(pose)
    }

    fn shadow(&self) -> Vec<Vec<Point>> {
        let bw = self.search.near().scale.mm_per_bw();
        let half = self.search.pace_mm() + bw;
        let centre = self.search.first().footprint.pose().centre;
        let lattice = Lattice::around(centre, half, FINE_BW * bw, COARSE, CLOSE_MM);
        let mut shadow = Shadow::of(&self.search);
        let coarse = rings(lattice, &mut shadow);
        refined(coarse, &mut shadow, STRAIGHT_MM, FINE_BW * bw)
    }

    /// Moves the rim out to where a way that ends within it, carried on by one leg, still goes as it faces at first:
    /// while the rim was traced only the last ways were carried on, of one pose those to all poses about it are.
    fn stretch(&mut self) {
        let heading = self.search.first().footprint.pose().heading;
        let stretched = |ring: &Vec<Point>| -> Vec<Point> {
            let count = ring.len();
            let out = |n: usize| {
                let (at, along) = (ring[n], ring[(n + 1) % count] - ring[(n + count - 1) % count]);
                let Some(along) = Heading::along(along) else { return at };
                let out = along.right();
                let legal = |mm: f64| {
                    let turned = |near: Pose| !search::is_same(near.heading, heading);
                    let within = |near: Pose| (near.centre - at).dot(&out) <= LEFT_MM || turned(near);
                    self.search.carries(Pose { centre: at + out * mm, heading }, &within)
                };
                if !legal(LEFT_MM) {
                    return at;
                }
                let (mut good, mut bad) = (LEFT_MM, MOST_LEFT_MM);
                while bad - good > CLOSE_MM {
                    let middle = f64::midpoint(good, bad);
                    if legal(middle) { good = middle } else { bad = middle }
                }
                at + out * good
            };
            (0..count).map(out).collect()
        };
        self.outline = self.outline.iter().map(stretched).collect();
    }

    /// Adds the rims of line-ups that lie apart from everything else, the room within the tolerances, and of the room
    /// that is left about where a hemmed-in mover stands.
    fn islands(&mut self) {
        const RAYS: u32 = 16;
        let fine = FINE_BW * self.search.near().scale.mm_per_bw();
        let start = self.search.first().footprint.pose();
        let reached = self.targets.iter().filter(|t| t.way.is_some()).map(|t| t.place);
        let places: Vec<Pose> = reached.chain([start]).collect();
        for place in places {
            if self.shadow_holds(place.centre) {
                continue;
            }
            let mut kept = Carry::default();
            let ring: Vec<Point> = (0..RAYS)
                .map(|n| {
                    let way = Heading::from_degrees(360.0 / f64::from(RAYS) * f64::from(n)).vector();
                    let (mut good, mut bad) = (0.0, fine);
                    while bad - good > CLOSE_MM / 2.0 {
                        let middle = f64::midpoint(good, bad);
                        let pose = Pose { centre: place.centre + way * middle, ..place };
                        if self.search.reaches(pose, &mut kept) { good = middle } else { bad = middle }
                    }
                    place.centre + way * good
                })
                .collect();
            let wide = ring.iter().any(|p| (p - place.centre).norm() > CLOSE_MM);
            self.outline.extend(wide.then_some(ring));
        }
    }

    /// Whether a centre lies in the drawn outline, holes left out.
    pub fn shadow_holds(&self, centre: Point) -> bool {
        self.outline.iter().filter(|ring| holds(ring, centre)).count() % 2 == 1
    }
}

/// The shadow of a region: the centres at which one of some headings is legal.
struct Shadow<'r, 's> {
    search: &'r Search<'s>,
    headings: Vec<Heading>,
    /// The heading that did for the last point: it mostly does for the next.
    last: Heading,
    /// The last ways that were found.
    kept: RefCell<Carry>,
}

impl<'r, 's> Shadow<'r, 's> {
    fn of(search: &'r Search<'s>) -> Self {
        let (headings, last) = (search.headings(), search.first().footprint.pose().heading);
        Self { search, headings, last, kept: RefCell::default() }
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
}

impl Set for Shadow<'_, '_> {
    fn holds(&mut self, centre: Point) -> bool {
        if self.legal(centre, self.last) {
            return true;
        }
        let edges = self.search.headings_at(centre);
        let found = edges.iter().chain(&self.headings).copied().find(|&heading| self.legal(centre, heading));
        self.last = found.unwrap_or(self.last);
        found.is_some()
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
        let (mut good, mut bad) = (inside, outside);
        loop {
            while (bad - good).norm() > close_mm {
                let middle = good + (bad - good) / 2.0;
                if self.legal(middle, self.last) { good = middle } else { bad = middle }
            }
            if bad == outside || !(self.turns_to(bad) || self.holds(bad)) {
                return good;
            }
            (good, bad) = (bad, outside);
        }
    }
}

/// Whether and how these can line up with an enemy in one way; none where the enemy is too far off to
/// matter, or not on the board.
///
/// # Errors
/// As [`LegalRegion::of`].
pub fn reach_of(
    setup: &Setup,
    bound: &Bound,
    settings: &Settings,
    names: &[&str],
    enemy: &str,
    way: LineUpWay,
) -> Result<Option<Target>, MoveError> {
    let search = Search::of(setup, bound, settings, names)?;
    let enemy = search.enemies().find(|e| e.name == enemy);
    Ok(enemy.map(|enemy| reach::target(&search, enemy, way, (setup, bound, settings))))
}

/// A legal move that brings one element to a pose, if there is one: [`LegalRegion::way_to`] without the region.
///
/// # Errors
/// As [`LegalRegion::of`].
pub fn way_of(
    setup: &Setup,
    bound: &Bound,
    settings: &Settings,
    name: &str,
    pose: Pose,
) -> Result<Option<Reached>, MoveError> {
    Ok(Search::of(setup, bound, settings, &[name])?.way_to(pose))
}

/// Whether a point lies inside a ring, by counting the edges that a ray to the right crosses.
fn holds(ring: &[Point], point: Point) -> bool {
    let next = ring.iter().cycle().skip(1);
    ring.iter().zip(next).fold(false, |inside, (a, b)| {
        let crosses =
            (a.y > point.y) != (b.y > point.y) && point.x < a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x);
        inside != crosses
    })
}

#[cfg(test)]
mod tests;
