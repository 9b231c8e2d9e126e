//! Points round which an element may go without turning, and the shortest chain to each.
//!
//! Configuration space in layers of one heading: in a layer a base only shifts, and what stands in its way is
//! the convex outline of places where it would stand deeper in somebody, or in an enemy zone, than it may.
//! A visibility graph: nodes are the corners of those outlines, edges straight shifts that keep out of
//! them. Dijkstra from where the element stands when it has turned to the layer's heading. From layer to
//! layer it turns where it begins, at the last node or at the end. Table frame, millimetres.

use super::paths::{Hand, Path, Pivot};
use crate::geometry::{Corner, Footprint, Heading, Leg, Point, Polygon, Pose, Vector, convex, gap_to_area};
use crate::rules::movement::{Block, Prepared};
use std::cell::OnceCell;

/// How far past the limit a node is set, millimetres: rounding must not make it touch.
const CLEAR_MM: f64 = 1e-4;
/// The least that counts as being in a zone on the way, millimetres.
const IN_ZONE_MM: f64 = 1e-6;
/// Chains of more points than this are left out: a move goes four base widths at most.
const MOST_POINTS: usize = 4;
/// Chains that a place is tried from, the shortest first. A choice.
const MOST_CHAINS: usize = 4;

/// Chains that are looked at for these, whether their last point can be left. A choice.
const MOST_LOOKED: usize = 12;

/// What a base must keep out of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// Bases.
    Bases,
    /// Bases and enemy zones.
    Zones,
}

/// A chain of points with its length, millimetres.
pub(super) type Chain = (f64, Vec<Point>);

/// The chains of one heading.
#[derive(Debug)]
pub(super) struct Layer {
    /// How the base faces on the way.
    pub heading: Heading,
    /// What it has turned about.
    pub about: Pivot,
    /// Where it stands when it has turned.
    pub start: Footprint,
    walls: [OnceCell<Vec<Wall>>; 2],
    /// Whether it can turn so where it begins.
    turns: [OnceCell<bool>; 2],
    chains: [OnceCell<Vec<Chain>>; 2],
}

/// Something to keep out of: nearer than the limit is in it.
#[derive(Debug)]
pub(super) struct Wall {
    /// It.
    pub block: Block,
    /// The limit, zero or less, millimetres.
    pub limit_mm: f64,
}

/// The layers of an element: as it stands, and turned a quarter to either hand, so that a side leads.
pub(super) fn layers(base: Footprint) -> Vec<Layer> {
    let own = base.pose().heading;
    let layer = |turn: f64, about: Pivot| {
        let heading = if turn == 0.0 { own } else { own.turned_degrees(turn) };
        let legs = Path::from(base).facing(heading, about, Hand::Short).legs;
        let pose = legs.iter().fold(base.pose(), |at, leg: &Leg| leg.applied_to(at));
        let (walls, turns, chains) = Default::default();
        Layer { heading, about, start: base.moved_to(Pose { heading, ..pose }), walls, turns, chains }
    };
    let abouts = [Pivot::Middle, Pivot::At(Corner::FrontLeft), Pivot::At(Corner::FrontRight)];
    let turned = [90.0, -90.0].into_iter().flat_map(|turn| abouts.map(|about| layer(turn, about)));
    std::iter::once(layer(0.0, Pivot::Middle)).chain(turned).collect()
}

impl Layer {
    /// What is to be kept out of.
    pub fn walls(&self, moves: &Prepared<'_>, keep: Keep) -> &[Wall] {
        self.walls[keep as usize].get_or_init(|| walls(moves, &self.start, keep))
    }

    /// Whether nothing keeps the element from turning so where it begins.
    pub fn turns_in(&self, moves: &Prepared<'_>, keep: Keep) -> bool {
        let open =
            || turns(moves.mover.footprint, (self.heading, self.about), Hand::Short, self.walls(moves, keep));
        *self.turns[keep as usize].get_or_init(open)
    }

    /// The chains within the element's pace, the shortest first.
    fn chains(&self, moves: &Prepared<'_>, keep: Keep, slow: &[Polygon]) -> &[Chain] {
        self.chains[keep as usize].get_or_init(|| {
            let walls = self.walls(moves, keep);
            let mut found = chains(&self.start, walls, &[], moves.good_mm());
            if !slow.is_empty() {
                found.extend(chains(&self.start, walls, slow, moves.good_mm()));
                found.sort_by(|a, b| a.0.total_cmp(&b.0));
            }
            found
        })
    }

    /// The shortest chains from whose last point the base can shift to `centre`, no longer than `most_mm` by there.
    pub fn to<'l>(
        &'l self,
        moves: &Prepared<'_>,
        (keep, slow): (Keep, &[Polygon]),
        centre: Point,
        most_mm: f64,
    ) -> Vec<&'l Chain> {
        let walls = self.walls(moves, keep);
        let whole = |chain: &Chain| chain.1.last().map_or(0.0, |last| chain.0 + (centre - last).norm());
        let chains = self.chains(moves, keep, slow).iter();
        let mut near: Vec<(f64, &Chain)> =
            chains.map(|chain| (whole(chain), chain)).filter(|(mm, _)| *mm <= most_mm).collect();
        if near.len() > MOST_LOOKED {
            near.select_nth_unstable_by(MOST_LOOKED, |a, b| a.0.total_cmp(&b.0));
            near.truncate(MOST_LOOKED);
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0));
        let open = |(_, chain): &(f64, &Chain)| {
            chain.1.last().is_some_and(|&last| opens(&self.start, last, centre, walls))
        };
        near.into_iter().filter(open).take(MOST_CHAINS).map(|(_, chain)| chain).collect()
    }
}

/// An element that has turned at once as it will stand, and the corners that it can go to from there.
#[derive(Debug)]
pub(super) struct Turned {
    /// Where it stands when it has turned.
    start: Footprint,
    /// For each wall its corners that can be come to straight, and how far that is, found when first asked for.
    corners: Vec<OnceCell<Vec<(Point, f64)>>>,
}

impl Turned {
    /// A base that turns to a heading about `about` where it stands, among these.
    pub fn of(base: Footprint, heading: Heading, about: Pivot, walls: &[Wall]) -> Self {
        let legs = Path::from(base).facing(heading, about, Hand::Short).legs;
        let pose = legs.iter().fold(base.pose(), |at, leg| leg.applied_to(at));
        let start = base.moved_to(Pose { heading, ..pose });
        Self { start, corners: walls.iter().map(|_| OnceCell::new()).collect() }
    }

    /// Single points round which it goes to a place, the shortest way first; the walls are those that it was made for.
    pub fn round(&self, walls: &[Wall], to: Footprint, most_mm: f64) -> Vec<Chain> {
        let (from, centre) = (self.start.pose().centre, to.pose().centre);
        if (centre - from).norm() > most_mm {
            return Vec::new();
        }
        // Only what the straight way runs into is gone round.
        let block = Block::of(&self.start);
        let met = walls.iter().zip(&self.corners);
        let met = met.filter(|(w, _)| block.shift_reaches(centre - from, &w.block, w.limit_mm));
        let mut found: Vec<Chain> = met
            .flat_map(|(wall, known)| known.get_or_init(|| self.corners_of(wall, walls)))
            .map(|&(p, mm)| (mm + (centre - p).norm(), vec![p]))
            .filter(|(mm, _)| *mm <= most_mm)
            .collect();
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let open = |(_, by): &Chain| opens(&self.start, by[0], centre, walls);
        found.into_iter().filter(open).take(MOST_CHAINS).collect()
    }

    fn corners_of(&self, wall: &Wall, walls: &[Wall]) -> Vec<(Point, f64)> {
        let from = self.start.pose().centre;
        let all = corners(wall, &Block::of(&self.start)).into_iter();
        all.filter(|&p| opens(&self.start, from, p, walls)).map(|p| (p, (p - from).norm())).collect()
    }
}

/// What a base of that heading must keep out of, as far as it is near enough to matter.
pub(super) fn walls(moves: &Prepared<'_>, start: &Footprint, keep: Keep) -> Vec<Wall> {
    let block = Block::of(start);
    let near = |other: &Block| {
        (other.centre - block.centre).norm() <= moves.good_mm() + other.radius + 2.0 * block.radius
    };
    let solid = moves.others.iter().filter(|o| !o.passed && near(&o.block));
    let mut all: Vec<Wall> = solid.map(|o| Wall { block: o.block, limit_mm: o.limit_mm }).collect();
    if keep == Keep::Zones {
        let zones = moves.others.iter().filter(|o| o.threatens).flat_map(|o| &o.zones);
        let zones = zones.filter(|(_, zone)| near(zone));
        all.extend(zones.map(|(_, zone)| Wall { block: *zone, limit_mm: -IN_ZONE_MM }));
    }
    all
}

/// Whether a base can turn to a heading where it stands, one rear corner left out (clause dba3.ip.11).
pub(super) fn turns(base: Footprint, (heading, about): (Heading, Pivot), hand: Hand, walls: &[Wall]) -> bool {
    let block = Block::of(&base);
    let mut legs = Path::from(base).facing(heading, about, hand).legs.into_iter();
    legs.all(|leg| spared(&block, &leg, walls, [true; 2]).is_some())
}

/// Which rear corners, left and right, are left to be spared after a leg; none where it runs into something.
pub(super) fn spared(block: &Block, leg: &Leg, walls: &[Wall], spares: [bool; 2]) -> Option<[bool; 2]> {
    let mut left = spares;
    for wall in walls.iter().filter(|w| block.reaches(leg, &w.block, w.limit_mm)) {
        let Leg::Turn { about, by_rad } = *leg else { return None };
        for (spare, rear) in left.iter_mut().zip([Corner::RearLeft, Corner::RearRight]) {
            *spare = *spare && !block.turn_reaches_without(rear, (about, by_rad), &wall.block, wall.limit_mm);
        }
        if left == [false; 2] {
            return None;
        }
    }
    Some(left)
}

/// Chains of a base that keeps out of these, and of `slow` as well.
fn chains(start: &Footprint, walls: &[Wall], slow: &[Polygon], pace_mm: f64) -> Vec<Chain> {
    let (block, from) = (Block::of(start), start.pose().centre);
    let nodes: Vec<Point> = walls
        .iter()
        .flat_map(|wall| corners(wall, &block))
        .chain(slow.iter().flat_map(|area| past_corners(area, block.radius + CLEAR_MM)))
        .filter(|p| (p - from).norm() <= pace_mm)
        .filter(|&p| opens(start, p, p, walls))
        .collect();
    let open = |from: Point, to: Point| {
        opens(start, from, to, walls) && slow.iter().all(|area| shift_keeps_out(start, from, to, area))
    };
    // Shortest chains: nodes are few, so settle the nearest again and again.
    let mut best: Vec<Option<Chain>> =
        nodes.iter().map(|&p| open(from, p).then(|| ((p - from).norm(), vec![p]))).collect();
    let mut settled = vec![false; nodes.len()];
    while let Some(next) = (0..nodes.len())
        .filter(|&n| !settled[n])
        .filter_map(|n| best[n].as_ref().map(|b| (b.0, n)))
        .min_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, n)| n)
    {
        settled[next] = true;
        let Some((length, chain)) = best[next].clone() else { continue };
        if chain.len() >= MOST_POINTS {
            continue;
        }
        for other in 0..nodes.len() {
            let longer = length + (nodes[other] - nodes[next]).norm();
            let better = best[other].as_ref().is_none_or(|b| longer < b.0);
            if !settled[other] && better && longer <= pace_mm && open(nodes[next], nodes[other]) {
                let mut chain = chain.clone();
                chain.push(nodes[other]);
                best[other] = Some((longer, chain));
            }
        }
    }
    let mut found: Vec<Chain> = best.into_iter().flatten().collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Where the middle of `block`, facing as it does, just clears the corners of a wall.
fn corners(wall: &Wall, block: &Block) -> Vec<Point> {
    let sides: Vec<(Vector, f64)> = wall
        .block
        .reach_along(block)
        .into_iter()
        .flat_map(|(axis, reach)| [axis, -axis].map(|way| (way, reach + wall.limit_mm + CLEAR_MM)))
        .collect();
    let inside = |at: &Vector| sides.iter().all(|(way, far)| way.dot(at) <= far + 1e-6);
    let mut found = Vec::with_capacity(8);
    for (n, (a, far_a)) in sides.iter().enumerate() {
        for (b, far_b) in &sides[n + 1..] {
            let det = a.x * b.y - a.y * b.x;
            if det.abs() <= 1e-6 {
                continue;
            }
            let at = Vector::new(far_a * b.y - far_b * a.y, a.x * far_b - b.x * far_a) / det;
            if inside(&at) {
                found.push(wall.block.centre + at);
            }
        }
    }
    found
}

/// Points so far out from the corners of an outline that a base facing anywhere clears them.
fn past_corners(area: &Polygon, half_mm: f64) -> Vec<Point> {
    let edges: Vec<_> = area.edges().collect();
    let before = edges.iter().cycle().skip(edges.len() - 1);
    edges
        .iter()
        .zip(before)
        .filter_map(|(edge, before)| {
            // The inside lies to the left of each edge, so out is to the right of both.
            let out = |e: &crate::geometry::Segment| {
                let along = (e.end - e.start).normalize();
                Vector::new(along.y, -along.x)
            };
            let way = out(edge) + out(before);
            (way.norm() > 1e-9).then(|| edge.start + way.normalize() * half_mm)
        })
        .collect()
}

/// Whether `base` shifted from `from` to `to` keeps out of an outline, or begins in it.
fn shift_keeps_out(base: &Footprint, from: Point, to: Point, area: &Polygon) -> bool {
    let at = |centre: Point| base.moved_to(Pose { centre, ..base.pose() }).outline();
    if gap_to_area(&base.outline(), area).mm < 0.0 {
        return true;
    }
    let corners: Vec<Point> = at(from).into_iter().chain(at(to)).collect();
    gap_to_area(&convex::hull(&corners), area).mm >= 0.0
}

/// Whether `base` shifted from `from` to `to` keeps out of these.
fn opens(base: &Footprint, from: Point, to: Point, walls: &[Wall]) -> bool {
    let block = Block::of(base).at(from);
    let by = to - from;
    walls.iter().all(|wall| !block.shift_reaches(by, &wall.block, wall.limit_mm))
}
