//! The base's pose from its rim, and how well it is known.
//!
//! Unknowns: x, y, heading, what its sides differ from what was said, and for each edge what its rim is off by as a
//! whole (a bevel, a shadow, the side's own tint). Measured: where each piece of the rim shows; and the clicks
//! themselves, which count little beside it. Sides and edges are held by their own sigmas. Pieces that do not fit the
//! others (a tag's plate, a figure's arm over the rim) count little, and an edge most of whose pieces do not is left out.

use super::light::{Contrast, Light};
use super::rim::{Outline, Piece, Profile, Step, outward, tint};
use super::search::{Looked, by_turn, search};
use super::{ClickedBase, KnownBase, Still, UntaggedError};
use crate::geometry::{Corner, Edge, Footprint, PoseEstimate, Vector};
use crate::tracking::{CameraId, KnownTag};
use crate::vision::location::{RegisteredCamera, sensitivities};
use nalgebra::{Matrix3, SMatrix, SVector, Vector3};

/// Unknowns: x, y, heading, width, depth, and the four edges.
const UNKNOWNS: usize = 9;
type Rows = SMatrix<f64, UNKNOWNS, UNKNOWNS>;
type Row = SVector<f64, UNKNOWNS>;

/// A rim that is bevelled, ragged or shaded: one sigma of a whole edge, millimetres and pixels. A choice, held against
/// path-traced and simulated pictures (docs/accuracy.md).
const RIM_SIGMA_MM: f64 = 0.1;
const RIM_SIGMA_PX: f64 = 0.12;
/// Where in the strip between upper and lower rim the step lies, one sigma of the strip's width about its middle.
const SIDE_SHARE: f64 = 0.35;
/// A piece's own error is never below this, pixels.
const LEAST_PIECE_PX: f64 = 0.15;
/// Steps so high over the expected one, and so low, are somebody else's.
const SHARE: std::ops::RangeInclusive<f64> = 0.4..=2.5;
/// Of an edge's pieces so many must agree for the edge to be seen.
const LEAST_AGREEING: f64 = 0.4;
/// The base must stand so many sigmas of grain from its ground along an edge.
const LEAST_SIGMAS: f64 = 1.0;
/// Where the picture shows less of the outline than this, no rim is seen.
const LEAST_SHOWN: f64 = 0.25;
/// Other bases so near a piece hide its ground.
const CLEAR_OF_OTHERS_MM: f64 = 2.0;
const CLEAR_OF_OTHERS_PX: f64 = 4.0;
/// Of a first look, where the others stand only as they were clicked.
const CLEAR_AT_FIRST_PX: f64 = 6.0;
/// A fine look searches so far from where the last one ended, and looks so far either way, pixels.
const FINE_PX: (f64, f64) = (1.6, 3.0);
/// A place so far from the found one, at a corner, is another one, pixels.
const ELSEWHERE_PX: f64 = 1.5;
/// From so far either way of the rim on the tints are the base's and the ground's.
const TINT_FROM_PX: f64 = 1.5;

/// What was seen of an edge.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EdgeSeen {
    /// Which.
    pub edge: Edge,
    /// Pieces of it that no other base stands against and that lie in the picture.
    pub pieces: usize,
    /// Of these, those where the rim was found.
    pub agreeing: usize,
    /// Whether the base's pose rests on it.
    pub used: bool,
}

/// A base that was clicked and found.
#[derive(Debug, Clone, PartialEq)]
pub struct FoundBase {
    /// Where it stands, its sides as they were found.
    pub footprint: Footprint,
    /// The same with its uncertainty.
    pub estimate: PoseEstimate,
    /// What was seen of each edge.
    pub edges: [EdgeSeen; 4],
    /// The share of the outline that shows, 0 to 1.
    pub shown: f64,
}

/// Measures the clicked bases of one picture, each knowing where the others stand.
pub fn measure_bases(
    still: Still<'_>,
    camera: &RegisteredCamera,
    id: CameraId,
    bases: &[ClickedBase],
) -> Vec<Result<FoundBase, UntaggedError>> {
    let light = Light::of(still.grey, still.colour);
    let roughly: Vec<Result<Footprint, UntaggedError>> =
        bases.iter().map(|b| b.roughly(&camera.model)).collect();
    let pass = |places: &[Option<Footprint>], clear_px: f64| -> Vec<Result<FoundBase, UntaggedError>> {
        bases
            .iter()
            .zip(&roughly)
            .enumerate()
            .map(|(i, (clicked, roughly))| {
                let others: Vec<Footprint> =
                    places.iter().enumerate().filter(|(j, _)| *j != i).filter_map(|(_, p)| *p).collect();
                let problem = Problem { light: &light, camera, clicked, others: &others, clear_px };
                problem.found((*roughly)?, id)
            })
            .collect()
    };
    let places: Vec<Option<Footprint>> = roughly.iter().map(|r| r.ok()).collect();
    let first = pass(&places, CLEAR_AT_FIRST_PX);
    let places: Vec<Option<Footprint>> = first
        .iter()
        .zip(&places)
        .map(|(found, rough)| found.as_ref().ok().map(|f| f.footprint).or(*rough))
        .collect();
    if bases.len() > 1 { pass(&places, CLEAR_OF_OTHERS_PX) } else { first }
}

struct Problem<'a> {
    light: &'a Light<'a>,
    camera: &'a RegisteredCamera,
    clicked: &'a ClickedBase,
    others: &'a [Footprint],
    clear_px: f64,
}

/// A piece with what was measured along it.
struct Measured {
    piece: Piece,
    step: Option<Step>,
    weight: f64,
}

impl Problem<'_> {
    fn known(&self) -> &KnownBase {
        &self.clicked.known
    }

    fn outline(&self, base: Footprint) -> Outline<'_> {
        Outline { camera: &self.camera.model, base, thickness_mm: self.known().thickness_mm }
    }

    fn free(&self, piece: &Piece) -> bool {
        let clear_mm = CLEAR_OF_OTHERS_MM.max(self.clear_px * piece.mm_per_px);
        self.others.iter().all(|other| other.distance_to_point(piece.at) > clear_mm)
    }

    fn found(&self, roughly: Footprint, id: CameraId) -> Result<FoundBase, UntaggedError> {
        let known = self.known();
        let none = UntaggedError::NoRim { width_mm: known.width_mm, depth_mm: known.depth_mm };
        let free = |piece: &Piece| self.free(piece);
        let corners: Vec<Corner> = self.clicked.corners_px.iter().map(|(corner, _)| *corner).collect();
        let click_px = self.clicked.click_sigma_px;
        let Looked { best, shown, likely } =
            search(self.light, &self.outline(roughly), &free, click_px, &corners).ok_or(none)?;
        let mut base = best;
        if shown < LEAST_SHOWN {
            return Err(none);
        }
        let mut last = None;
        for _ in 0..4 {
            let mut measured = self.measured(base);
            let solved = self.solve(base, &mut measured).ok_or(none)?;
            base = solved.base;
            last = Some((solved, measured));
        }
        let (solved, measured) = last.ok_or(none)?;
        let edges = Edge::ALL.map(|edge| seen(edge, &measured));
        // One edge ahead or behind, and one at a side: else the rim says nothing of one way.
        let across = |way: [Edge; 2]| edges.iter().any(|e| e.used && way.contains(&e.edge));
        if !across([Edge::Front, Edge::Rear]) || !across([Edge::Left, Edge::Right]) {
            return Err(none);
        }
        let mut estimate = self.estimate(&solved, id).ok_or(none)?;
        estimate.covariance += elsewhere(
            &best,
            &base,
            &likely,
            super::mm_per_px(&self.camera.model, best.pose().centre, known.thickness_mm).unwrap_or(1.0),
        );
        Ok(FoundBase { footprint: base, estimate, edges, shown })
    }

    /// Every free piece of the base's rim, and the step along it.
    fn measured(&self, base: Footprint) -> Vec<Measured> {
        let (search_px, window_px) = FINE_PX;
        let reach_px = search_px + window_px + 1.0;
        let looked: Vec<(Piece, Profile)> = self
            .outline(base)
            .pieces()
            .into_iter()
            .filter(|piece| self.free(piece))
            .filter_map(|piece| Some((piece, piece.profile(self.light, reach_px)?)))
            .collect();
        let own = tint(looked.iter().map(|(_, profile)| profile), -reach_px, -TINT_FROM_PX);
        let mut measured = Vec::new();
        for edge in Edge::ALL {
            let of_edge = || looked.iter().filter(move |(piece, _)| piece.edge == edge);
            let ground = tint(of_edge().map(|(_, profile)| profile), TINT_FROM_PX, reach_px);
            let contrast = own
                .zip(ground)
                .map(|(base, ground)| Contrast::between(&base, &ground))
                .filter(|contrast| contrast.sigmas() >= LEAST_SIGMAS);
            measured.extend(of_edge().map(|(piece, profile)| {
                let step = contrast.as_ref().and_then(|c| profile.step(c, search_px, window_px));
                let step = step.filter(|s| SHARE.contains(&s.share));
                Measured { piece: *piece, step, weight: 0.0 }
            }));
        }
        measured
    }
}

/// What it adds to the covariance that the base may stand where the first look found it likely too, but the fine look
/// did not come.
fn elsewhere(
    best: &Footprint,
    found: &Footprint,
    likely: &[(Vector3<f64>, f64)],
    mm_per_px: f64,
) -> Matrix3<f64> {
    let (from, to) = (best.pose(), found.pose());
    let moved = to.centre - from.centre;
    let moved = Vector3::new(moved.x, moved.y, from.heading.turn_to_radians(to.heading));
    let half = found.width_mm().hypot(found.depth_mm()) / 2.0;
    let far = |off: &Vector3<f64>| off.xy().norm() + half * off.z.abs() > ELSEWHERE_PX * mm_per_px;
    likely
        .iter()
        .map(|(off, p)| (off - moved, p))
        .filter(|(off, _)| far(off))
        .fold(Matrix3::zeros(), |sum, (off, p)| sum + off * off.transpose() * *p)
}

struct Solved {
    base: Footprint,
    covariance: Rows,
}

impl Measured {
    /// Where the upper rim shows, outwards of the expected one, and one sigma of it, millimetres.
    fn out_mm(&self) -> Option<(f64, f64)> {
        let step = self.step?;
        let out_px = step.out_px - self.piece.side_px / 2.0;
        Some((out_px * self.piece.mm_per_px, step.sigma_px.max(LEAST_PIECE_PX) * self.piece.mm_per_px))
    }

    fn edge_sigma_mm(&self) -> f64 {
        let p = &self.piece;
        RIM_SIGMA_MM.hypot(RIM_SIGMA_PX * p.mm_per_px).hypot(SIDE_SHARE * p.side_px * p.mm_per_px)
    }

    /// How the rim moves outwards here with each unknown.
    fn row(&self, base: &Footprint) -> Row {
        let out = outward(base, self.piece.edge);
        let mut row = Row::zeros();
        (row[0], row[1], row[2]) = (out.x, out.y, by_turn(base, &self.piece));
        let (side, own) = match self.piece.edge {
            Edge::Front => (4, 5),
            Edge::Right => (3, 6),
            Edge::Rear => (4, 7),
            Edge::Left => (3, 8),
        };
        (row[side], row[own]) = (0.5, 1.0);
        row
    }
}

fn seen(edge: Edge, measured: &[Measured]) -> EdgeSeen {
    let of_edge = || measured.iter().filter(|m| m.piece.edge == edge);
    let pieces = of_edge().count();
    let agreeing = of_edge().filter(|m| m.weight > 0.5).count();
    let used = agreeing >= 2 && agreeing as f64 >= LEAST_AGREEING * pieces as f64;
    EdgeSeen { edge, pieces, agreeing, used }
}

impl Problem<'_> {
    /// One step of the pose from the steps along the pieces, those that do not fit the others weighed down.
    fn solve(&self, base: Footprint, measured: &mut [Measured]) -> Option<Solved> {
        for m in measured.iter_mut() {
            m.weight = if m.step.is_some() { 1.0 } else { 0.0 };
        }
        let mut step = Row::zeros();
        let mut covariance = Rows::zeros();
        for round in 0..8 {
            let used = Edge::ALL.map(|edge| seen(edge, measured).used);
            let in_use = |m: &Measured| used[Edge::ALL.iter().position(|e| *e == m.piece.edge).unwrap_or(0)];
            let (mut normal, mut pull) = self.held(&base, measured);
            for m in measured.iter().filter(|m| in_use(m)) {
                let Some((out, sigma)) = m.out_mm() else { continue };
                let row = m.row(&base) / sigma;
                normal += row * row.transpose() * m.weight;
                pull += row * (out / sigma * m.weight);
            }
            covariance = normal.try_inverse()?;
            step = covariance * pull;
            // What is left over at each piece, in its own sigmas; then Tukey's weights about their middle spread.
            let left = |m: &Measured| m.out_mm().map(|(out, sigma)| (out - m.row(&base).dot(&step)) / sigma);
            let mut sizes: Vec<f64> =
                measured.iter().filter(|m| in_use(m)).filter_map(left).map(f64::abs).collect();
            sizes.sort_by(f64::total_cmp);
            let middle = sizes.get(sizes.len() / 2).copied().unwrap_or(1.0);
            let cut = 4.7 * (1.4826 * middle).max(1.0) * if round < 2 { 2.0 } else { 1.0 };
            for m in measured.iter_mut() {
                m.weight = left(m)
                    .map_or(0.0, |l| if l.abs() < cut { (1.0 - (l / cut).powi(2)).powi(2) } else { 0.0 });
            }
        }
        let known = self.known();
        let pose = base.pose().nudged(Vector::new(step[0], step[1]), step[2]);
        // The sides are told anew from what was said at every look: `step` holds the whole difference.
        let width = base.width_mm() + step[3];
        let depth = base.depth_mm() + step[4];
        let far = |side: f64, said: f64| (side - said).abs() > 0.2 * said;
        if far(width, known.width_mm) || far(depth, known.depth_mm) {
            return None;
        }
        Some(Solved { base: Footprint::new(pose, width, depth)?, covariance })
    }

    /// What is known beside the rim: sides and edges by their sigmas, and the clicks.
    fn held(&self, base: &Footprint, measured: &[Measured]) -> (Rows, Row) {
        let known = self.known();
        let (mut normal, mut pull) = (Rows::zeros(), Row::zeros());
        let mut hold = |row: Row, off: f64, sigma: f64| {
            normal += row * row.transpose() / (sigma * sigma);
            pull += row * (off / (sigma * sigma));
        };
        let unit = |i: usize| {
            let mut row = Row::zeros();
            row[i] = 1.0;
            row
        };
        let side_sigma = known.side_sigma_mm.max(1e-3);
        hold(unit(3), known.width_mm - base.width_mm(), side_sigma);
        hold(unit(4), known.depth_mm - base.depth_mm(), side_sigma);
        for (k, edge) in Edge::ALL.into_iter().enumerate() {
            let of_edge: Vec<f64> =
                measured.iter().filter(|m| m.piece.edge == edge).map(Measured::edge_sigma_mm).collect();
            let sigma = of_edge.iter().sum::<f64>() / of_edge.len().max(1) as f64;
            hold(unit(5 + k), 0.0, sigma.max(RIM_SIGMA_MM));
        }
        let camera = &self.camera.model;
        let per_px = super::mm_per_px(camera, base.pose().centre, known.thickness_mm).unwrap_or(1.0);
        for (corner, pixel) in &self.clicked.corners_px {
            let Some(at) = camera.table_from_image(*pixel, known.thickness_mm) else { continue };
            let (there, arm) = (base.corner(*corner), base.corner(*corner) - base.pose().centre);
            let sigma = self.clicked.click_sigma_px * per_px;
            let mut row = unit(0);
            row[2] = -arm.y;
            hold(row, at.x - there.x, sigma);
            let mut row = unit(1);
            row[2] = arm.x;
            hold(row, at.y - there.y, sigma);
        }
        (normal, pull)
    }

    /// The pose with its uncertainty. What the sides are not known to goes into the place: half of it, as of a base in
    /// a roster.
    fn estimate(&self, solved: &Solved, id: CameraId) -> Option<PoseEstimate> {
        let known = self.known();
        let pose = solved.base.pose();
        let own: Matrix3<f64> = solved.covariance.fixed_view::<3, 3>(0, 0).into_owned();
        let half = |k: usize, way: Vector| {
            let by = way * (solved.covariance[(k, k)].max(0.0).sqrt() / 2.0);
            let by = Vector3::new(by.x, by.y, 0.0);
            by * by.transpose()
        };
        let covariance = own + half(3, pose.heading.right()) + half(4, pose.heading.vector());
        let like = KnownTag {
            size_mm: (solved.base.width_mm() * solved.base.depth_mm()).sqrt(),
            height_mm: known.thickness_mm,
            height_sigma_mm: known.thickness_sigma_mm,
        };
        let shared = sensitivities(self.camera, id, &like, pose)?;
        Some(PoseEstimate { pose, covariance: (covariance + covariance.transpose()) / 2.0, shared })
    }
}
