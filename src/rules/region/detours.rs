//! Points round which an element may go without turning, and the shortest chain to each.
//!
//! Configuration space in layers of one heading: in a layer a base only shifts. A visibility graph: nodes
//! are the corners of what stands in the way and of enemy zones, pushed out so far that the base as it
//! faces clears them; edges are straight shifts that run into nobody. Dijkstra from where the element
//! stands. From layer to layer it turns on the spot, where it begins, at the last node or at the end.
//! Table frame, millimetres.

use super::trial::{Trial, swept_overlap_mm};
use crate::geometry::{Footprint, Heading, Point, Polygon, Pose, convex::hull, gap_to_area, separation};

/// How far past touching a node is set, millimetres: rounding must not make it touch.
const CLEAR_MM: f64 = 1e-3;
/// Chains of more points than this are left out: a move goes four base widths at most.
const MOST_POINTS: usize = 3;

/// The chains of one heading.
pub(super) struct Layer {
    /// How the base faces on the way.
    pub heading: Heading,
    /// Chains of points within the element's pace, the shortest first, each with its length.
    pub chains: Vec<(f64, Vec<Point>)>,
}

/// The layers of an element: as it stands, and turned a quarter to either hand, so that a side leads.
pub(super) fn layers(trial: &Trial<'_>) -> Vec<Layer> {
    let own = trial.mover.footprint.pose().heading;
    [0.0, 90.0, -90.0]
        .map(|turn| {
            let heading = if turn == 0.0 { own } else { own.turned_degrees(turn) };
            Layer { heading, chains: chains(trial, heading) }
        })
        .into()
}

/// Single points round which an element goes that turns at once as it will stand at `pose`.
pub(super) fn as_it_ends(trial: &Trial<'_>, pose: Pose) -> Vec<Point> {
    let base = trial.mover.footprint.moved_to(Pose { heading: pose.heading, ..trial.mover.footprint.pose() });
    let from = base.pose().centre;
    let length = |p: &Point| (p - from).norm() + (pose.centre - p).norm();
    let (walls, zones) = (trial.solid(), trial.zones());
    let mut found: Vec<Point> = walls
        .iter()
        .chain(&zones)
        .flat_map(|wall| around(wall, &base))
        .filter(|p| length(p) <= trial.table.pace_mm)
        .filter(|&p| {
            walls.iter().all(|w| shift_clears(&base, from, p, w) && shift_clears(&base, p, pose.centre, w))
        })
        .collect();
    found.sort_by(|a, b| length(a).total_cmp(&length(b)));
    found
}

fn chains(trial: &Trial<'_>, heading: Heading) -> Vec<(f64, Vec<Point>)> {
    let start = trial.mover.footprint.moved_to(Pose { heading, ..trial.mover.footprint.pose() });
    let mut found = chains_past(trial, &start, &[]);
    let slow = trial.slow_ground();
    if !slow.is_empty() {
        found.extend(chains_past(trial, &start, &slow));
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    found
}

/// Chains of a base that keep out of these outlines as well.
fn chains_past(trial: &Trial<'_>, start: &Footprint, slow: &[Polygon]) -> Vec<(f64, Vec<Point>)> {
    let pace_mm = trial.table.pace_mm;
    let (walls, zones) = (trial.solid(), trial.zones());
    let half = start.width_mm().hypot(start.depth_mm()) / 2.0 + CLEAR_MM;
    let keeps_out = |from: Point, to: Point| slow.iter().all(|area| shift_keeps_out(start, from, to, area));
    let nodes: Vec<Point> = walls
        .iter()
        .chain(&zones)
        .flat_map(|wall| around(wall, start))
        .chain(slow.iter().flat_map(|area| past_corners(area, half)))
        .filter(|&p| (p - start.pose().centre).norm() <= pace_mm)
        .filter(|&p| walls.iter().all(|wall| shift_clears(start, p, p, wall)))
        .collect();
    let open = |from: Point, to: Point| {
        walls.iter().all(|wall| shift_clears(start, from, to, wall)) && keeps_out(from, to)
    };
    // Shortest chains: nodes are few, so settle the nearest again and again.
    let mut best: Vec<Option<(f64, Vec<Point>)>> = nodes
        .iter()
        .map(|&p| {
            let from = start.pose().centre;
            open(from, p).then(|| ((p - from).norm(), vec![p]))
        })
        .collect();
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
    let mut found: Vec<(f64, Vec<Point>)> = best.into_iter().flatten().collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    found
}

/// Where the centre of `base`, facing as it does, just clears the four corners of `wall`.
fn around(wall: &Footprint, base: &Footprint) -> [Point; 4] {
    let (heading, own) = (wall.pose().heading, base.pose().heading);
    let half = |axis: crate::geometry::Vector| {
        (base.width_mm() * own.right().dot(&axis).abs() + base.depth_mm() * own.vector().dot(&axis).abs())
            / 2.0
    };
    let (aside, ahead) = (
        wall.width_mm() / 2.0 + half(heading.right()) + CLEAR_MM,
        wall.depth_mm() / 2.0 + half(heading.vector()) + CLEAR_MM,
    );
    [(-aside, ahead), (aside, ahead), (aside, -ahead), (-aside, -ahead)].map(|(x, y)| wall.pose().at(x, y))
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
                crate::geometry::Vector::new(along.y, -along.x)
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
    gap_to_area(&hull(&corners), area).mm >= 0.0
}

/// Whether `base` shifted from `from` to `to` stays clear of `wall`, or no deeper in it than it stands now.
fn shift_clears(base: &Footprint, from: Point, to: Point, wall: &Footprint) -> bool {
    let deep = separation(base, wall).mm.min(0.0);
    let at = base.moved_to(Pose { centre: from, ..base.pose() });
    swept_overlap_mm(&at, to - from, wall) <= -deep + CLEAR_MM
}
