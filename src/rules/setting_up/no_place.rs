//! Whether a feature can be put anywhere in its quarter, so that one that cannot is discarded.
//!
//! Table frame, millimetres. The outline, coarsened to at most 16 corners a piece, is tried on a grid of places and turns
//! over its quarter; the best of them are pushed about by ever smaller steps, at last with every corner. The margin is
//! the greatest found of the least margin of all that is asked of a place. A place that is found is certain; that none is
//! found is as sure as the search: a room that only places between those of the grid fit, or a turn between those
//! tried, may be missed. Other features lie as they do. Clause: dba3.place.9.

use super::body::{Body, bodies, is_area, rims};
use super::gaps::GAP_BW;
use super::quarters::{Quarter, least_of};
use crate::geometry::{Margin, Point, Polygon, Vector, convex};
use crate::rules::stronghold::Terms;
use crate::rules::terrain::{BoardEdge, Feature, Hill, TerrainKind};
use crate::rules::{Settings, Setup, exact};

/// Grid over a quarter and beside it, base widths.
const GRID_BW: f64 = 0.5;
/// Turns tried.
const TURNS: u32 = 12;
/// How many of the best are pushed about.
const BEST: usize = 8;
/// Corners to which a piece is coarsened at first.
const COARSE: usize = 16;
/// Step with every corner, base widths.
const FINE_BW: f64 = 0.0125;
/// A City or Fort lies within so much of two edges (clause dba3.bua.3).
const NEAR_EDGES_BW: f64 = 6.0;

/// The best place that was found for a feature in its quarter.
#[derive(Debug, Clone, PartialEq)]
pub struct Room {
    /// The middle of the feature there.
    pub middle: Point,
    /// How far it is turned from how it lies in the setup, degrees anticlockwise.
    pub turned_deg: f64,
    /// The least margin of all that is asked of it, millimetres: zero or more where it may lie there.
    pub mm: f64,
}

impl Room {
    /// A feature, put into this room.
    pub fn put(&self, feature: &Feature) -> Feature {
        let (from, (sin, cos)) = (feature.outline.centroid(), self.turned_deg.to_radians().sin_cos());
        let point = |p: &Point| {
            let v = p - from;
            self.middle + Vector::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos)
        };
        let all = |points: &[Point]| points.iter().map(point).collect::<Vec<Point>>();
        Feature {
            outline: Polygon::new(all(feature.outline.corners())).expect("a turned outline is an outline"),
            hill: feature.hill.as_ref().map(|hill| Hill { crest: all(&hill.crest), ..hill.clone() }),
            gates: all(&feature.gates),
            ..feature.clone()
        }
    }
}

/// An outline that is put here and there: its corners and its convex pieces, about its middle.
struct Shape {
    corners: Vec<Vector>,
    pieces: Vec<Vec<Vector>>,
}

impl Shape {
    fn of(outline: &Polygon, most: usize) -> Self {
        let middle = outline.centroid();
        let thin = |points: &[Point]| -> Vec<Vector> {
            let step = points.len().div_ceil(most).max(1);
            points.iter().step_by(step).map(|p| p - middle).collect()
        };
        Self { corners: thin(outline.corners()), pieces: outline.pieces().iter().map(|p| thin(p)).collect() }
    }

    fn at(&self, place: Place) -> (Vec<Point>, Vec<Vec<Point>>) {
        let (sin, cos) = place.deg.to_radians().sin_cos();
        let put = |v: &Vector| place.middle + Vector::new(v.x * cos - v.y * sin, v.x * sin + v.y * cos);
        let all = |points: &[Vector]| points.iter().map(put).collect::<Vec<Point>>();
        (all(&self.corners), self.pieces.iter().map(|piece| all(piece)).collect())
    }
}

/// A place of a feature's middle, and a turn.
#[derive(Debug, Clone, Copy)]
struct Place {
    middle: Point,
    deg: f64,
}

/// What a place is judged against.
struct Search<'s> {
    setup: &'s Setup,
    settings: &'s Settings,
    quarter: &'s Quarter,
    kind: TerrainKind,
    others: Vec<Body<'s>>,
}

impl Search<'_> {
    /// The least margin of all that is asked of the shape there; no more than that it is below `floor` where it is.
    fn score(&self, shape: &Shape, obstacles: &[Vec<Vec<Point>>], place: Place, floor: f64) -> f64 {
        let (board, bw) = (self.setup.board_mm, self.setup.scale.mm_per_bw());
        let (corners, pieces) = shape.at(place);
        let mut least = least_of(self.settings, self.quarter, self.kind, &corners);
        let rim = if self.kind.is_bua() { 0.0 } else { GAP_BW * bw };
        for edge in BoardEdge::ALL {
            let near = corners.iter().map(|p| edge.from(*p, board)).fold(f64::INFINITY, f64::min);
            least = least.min(near - rim);
        }
        let walled = matches!(self.kind, TerrainKind::City | TerrainKind::Fort);
        if walled {
            let mut far = BoardEdge::ALL
                .map(|edge| corners.iter().map(|p| edge.from(*p, board)).fold(f64::NEG_INFINITY, f64::max));
            far.sort_by(f64::total_cmp);
            least = least.min(NEAR_EDGES_BW * bw - far[1]);
        }
        if least < floor {
            return least;
        }
        for (other, obstacle) in self.others.iter().zip(obstacles) {
            // A City or Fort may stand on a hill, which is then one feature with it.
            let hill = &other.main.outline;
            if walled && other.kind().is_hill() && corners.iter().all(|p| hill.depth_of(*p).0 > 0.0) {
                continue;
            }
            for (a, b) in pieces.iter().flat_map(|a| obstacle.iter().map(move |b| (a, b))) {
                least = least.min(convex::gap(a, b).mm - GAP_BW * bw);
            }
        }
        least
    }

    /// From a place ever further where it is better, by steps that halve.
    fn pushed(
        &self,
        shape: &Shape,
        obstacles: &[Vec<Vec<Point>>],
        from: (f64, Place),
        (step, turn, halvings, climbs): (f64, f64, u32, u32),
    ) -> (f64, Place) {
        let (mut best, mut step, mut turn) = (from, step, turn);
        for _ in 0..halvings {
            for _ in 0..climbs {
                let at = best.1;
                let to = |x: f64, y: f64| Place { middle: at.middle + Vector::new(x, y) * step, ..at };
                let spun = |by: f64| Place { deg: at.deg + by, ..at };
                let pushes =
                    [to(1.0, 0.0), to(-1.0, 0.0), to(0.0, 1.0), to(0.0, -1.0), spun(turn), spun(-turn)];
                let better = pushes
                    .into_iter()
                    .map(|place| (self.score(shape, obstacles, place, best.0), place))
                    .max_by(|a, b| a.0.total_cmp(&b.0))
                    .filter(|found| found.0 > best.0 + 1e-9);
                let Some(found) = better else { break };
                best = found;
            }
            step /= 2.0;
            turn /= 2.0;
        }
        best
    }

    fn obstacles(&self, most: usize) -> Vec<Vec<Vec<Point>>> {
        let thin = |points: &[Point]| -> Vec<Point> {
            points.iter().copied().step_by(points.len().div_ceil(most).max(1)).collect()
        };
        let of = |body: &Body<'_>| {
            body.parts().flat_map(|part| part.outline.pieces().iter().map(|p| thin(p))).collect()
        };
        self.others.iter().map(of).collect()
    }
}

/// The best place for an area feature in its quarter, whatever place it has now; none of a river, road or waterway.
pub fn room(setup: &Setup, settings: &Settings, quarter: &Quarter, name: &str) -> Option<Room> {
    let feature: &Feature = setup.ground.feature(name).filter(|f| is_area(f.kind))?;
    let mut bare = setup.clone();
    bare.ground.features.retain(|f| f.name != name);
    let search = Search { setup, settings, quarter, kind: feature.kind, others: bodies(&bare) };
    let bw = setup.scale.mm_per_bw();
    let (coarse, fine) = (Shape::of(&feature.outline, COARSE), Shape::of(&feature.outline, usize::MAX));
    let obstacles = search.obstacles(COARSE);
    let steps = |reach: f64| {
        let count = (reach / (GRID_BW * bw)).floor() as i32;
        (-count..=count).map(move |n| f64::from(n) * GRID_BW * bw)
    };
    let (mut tried, mut best): (Vec<(f64, Place)>, f64) = (Vec::new(), f64::NEG_INFINITY);
    for turn in 0..TURNS {
        let deg = f64::from(turn) * 180.0 / f64::from(TURNS);
        for x in steps(setup.board_mm.0 / 4.0 + bw) {
            for y in steps(setup.board_mm.1 / 4.0 + bw) {
                let place = Place { middle: quarter.middle() + Vector::new(x, y), deg };
                let mm = search.score(&coarse, &obstacles, place, best - GRID_BW * bw);
                best = best.max(mm);
                tried.push((mm, place));
            }
        }
    }
    tried.sort_by(|a, b| b.0.total_cmp(&a.0));
    let by = (GRID_BW * bw / 2.0, 90.0 / f64::from(TURNS), 10, 20);
    let pushed = tried.iter().take(BEST).map(|from| search.pushed(&coarse, &obstacles, *from, by));
    let (_, place) = pushed.max_by(|a, b| a.0.total_cmp(&b.0))?;
    let obstacles = search.obstacles(usize::MAX);
    let whole = (search.score(&fine, &obstacles, place, f64::NEG_INFINITY), place);
    let (mm, place) = search.pushed(&fine, &obstacles, whole, (FINE_BW * bw, 0.25, 3, 4));
    Some(Room { middle: place.middle, turned_deg: place.deg, mm })
}

/// Whether a feature is rightly left out, for it can be put nowhere in its quarter. Of rivers, roads and waterways nobody
/// can tell but the players.
pub fn no_place(setup: &Setup, settings: &Settings, quarter: &Quarter, name: &str) -> Terms {
    let mut terms = Terms::default();
    let Some(room) = room(setup, settings, quarter, name) else {
        let text = format!("whether {name} has a place in quarter {} the players must see", quarter.number);
        terms.note("dba3.place.9", text, true);
        return terms;
    };
    let (bw, at) = (setup.scale.mm_per_bw(), room.middle);
    let margin = !Margin::closed(exact(room.mm), rims(at, at));
    let text = if margin.satisfied() {
        format!("{name} fits nowhere in quarter {}: it is {:.1} mm short at best", quarter.number, -room.mm)
    } else {
        format!(
            "{name} can lie in quarter {}, its middle at ({:.2},{:.2}) BW and turned by {:.0} degrees, with {:.1} mm to spare",
            quarter.number,
            at.x / bw,
            at.y / bw,
            room.turned_deg,
            room.mm
        )
    };
    terms.test("dba3.place.9", text, margin);
    terms
}
