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
mod shadow;
mod trace;
mod trial;

pub use needs::Need;
pub use reach::{Reached, Target};

use crate::geometry::{Heading, Leg, Point, Pose, Vector};
use crate::rules::bound::Bound;
use crate::rules::conform::Way as LineUpWay;
use crate::rules::movement::MoveError;
use crate::rules::{Settings, Setup};
use carry::Carry;
use search::Search;
use shadow::Shadow;
use trace::{Lattice, refined, rings};

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
/// How far along a rim the ways to places about a point of it will do, millimetres. A choice.
const LOOKED_MM: f64 = 0.5;
/// Fine cells to a coarse one. A choice.
const COARSE: i32 = 4;

/// Where one element, or a group as one body, may end.
pub struct LegalRegion<'s> {
    search: Search<'s>,
    /// The shadow of the region: rings of centres, outer ones anticlockwise, holes clockwise. Rings may overlap: inside is
    /// where they do not go round as often the one way as the other.
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
        let stretched = |ring: &Vec<Point>| -> Option<Vec<Point>> {
            let (count, mut ways) = (ring.len(), WaysOn::default());
            let along = |n: usize| Heading::along(ring[(n + 1) % count] - ring[(n + count - 1) % count]);
            let out =
                |n: usize| along(n).map_or(ring[n], |way| self.stretched(ring[n], way.right(), &mut ways));
            let moved: Vec<Point> = (0..count).map(out).collect();
            // A hole that is left narrower than is told apart is none.
            let (before, after) = (area(ring), area(&moved));
            let closed = before < 0.0 && after > -CLOSE_MM * length(&moved);
            (!closed).then_some(moved)
        };
        self.outline = self.outline.iter().filter_map(stretched).collect();
    }

    /// A point of the rim, moved out to where ways carried on lead.
    fn stretched(&self, at: Point, out: Vector, ways: &mut WaysOn) -> Point {
        let heading = self.search.first().footprint.pose().heading;
        let there = |mm: f64| Pose { centre: at + out * mm, heading };
        if !self.search.may_end(there(LEFT_MM)) {
            return at;
        }
        if ways.looked.is_none_or(|known| (known - at).norm() > LOOKED_MM) {
            let turned = |near: Pose| !search::is_same(near.heading, heading);
            let within = |near: Pose| (near.centre - at).dot(&out) <= LEFT_MM || turned(near);
            ways.ways.retain(|(end, _)| (end.centre - at).norm() <= MOST_LEFT_MM);
            ways.ways.extend(self.search.ways_about(there(LEFT_MM), &within));
            ways.looked = Some(at);
        }
        let legal = |mm: f64| self.search.carries(&ways.ways, there(mm), MOST_LEFT_MM);
        if !legal(LEFT_MM) {
            return at;
        }
        let most_mm = self.room_mm(at, out).min(MOST_LEFT_MM);
        let (mut good, mut bad) = (LEFT_MM.min(most_mm), most_mm);
        while bad - good > CLOSE_MM {
            let middle = f64::midpoint(good, bad);
            if legal(middle) { good = middle } else { bad = middle }
        }
        at + out * good
    }

    /// Half of the way straight out of a point of the rim to where the rim is met again, millimetres: rims that are moved
    /// out towards each other do not cross.
    fn room_mm(&self, at: Point, out: Vector) -> f64 {
        let far = 2.0 * MOST_LEFT_MM;
        let meets = |(a, b): (Point, Point)| {
            let (from, along) = (a - at, b - a);
            let cross = out.x * along.y - out.y * along.x;
            let ahead = (from.x * along.y - from.y * along.x) / cross;
            let share = (from.x * out.y - from.y * out.x) / cross;
            (ahead > 1e-6 && ahead < far && (0.0..=1.0).contains(&share)).then_some(ahead)
        };
        let edges = self.outline.iter().flat_map(|ring| edges(ring));
        edges.filter_map(meets).fold(far, f64::min) / 2.0
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
        winding(&self.outline, centre) != 0
    }
}

/// Ways to places about points of a rim, with where they end, and the last of those points.
#[derive(Default)]
struct WaysOn {
    looked: Option<Point>,
    ways: Vec<(Pose, Vec<Leg>)>,
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

/// The edges of a ring.
fn edges(ring: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    ring.iter().copied().zip(ring.iter().copied().cycle().skip(1))
}

/// The area of a ring, anticlockwise positive, square millimetres.
fn area(ring: &[Point]) -> f64 {
    edges(ring).map(|(a, b)| (a.x * b.y - b.x * a.y) / 2.0).sum()
}

/// How long a ring is, millimetres.
fn length(ring: &[Point]) -> f64 {
    edges(ring).map(|(a, b)| (b - a).norm()).sum()
}

/// How often rings go round a point, anticlockwise positive: a hole undoes once, and where parts overlap they go round more
/// than once.
fn winding<'r>(rings: impl IntoIterator<Item = &'r Vec<Point>>, point: Point) -> i32 {
    let crossed = |(a, b): (Point, Point)| {
        if (a.y > point.y) == (b.y > point.y) || point.x >= a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
        {
            return 0;
        }
        if b.y > a.y { 1 } else { -1 }
    };
    rings.into_iter().flat_map(|ring| edges(ring)).map(crossed).sum()
}

#[cfg(test)]
mod tests;
