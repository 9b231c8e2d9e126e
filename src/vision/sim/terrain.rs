//! What terrain a simulated table has: for scoring, and for a table file that is to know it. Never enters the pipeline.

use super::math::V3;
use crate::geometry::{Point, Polygon};

/// What something is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum TerrainSort {
    /// A piece of felt with trees on it.
    Wood,
    /// A hill that is only painted on the cloth.
    PaintedHill,
    /// A stepped hill that stands up.
    Hill,
    /// A river.
    River,
    /// A road.
    Road,
}

/// Terrain as it truly lies, millimetres.
#[derive(Debug, Clone, PartialEq)]
pub struct TrueTerrain {
    /// What it is.
    pub sort: TerrainSort,
    /// Its rim on the table, its raggedness left out.
    pub outline: Polygon,
    /// Its middle line and width, of a river or road.
    pub course: Option<(Vec<Point>, f64)>,
    /// How high it stands.
    pub height_mm: f64,
    /// Whether something lies on it that hides part of it, other than trees and bases.
    pub crossed: bool,
}

/// Corners round an outline.
const CORNERS: u32 = 72;
/// A painted way ends, half between its colour and the cloth's, so far beyond its half width.
const BANK_MM: f64 = 1.0;

/// A rim told by how far it is from the middle at each angle of the unit circle.
fn round(centre: [f32; 2], half: [f32; 2], rim: impl Fn(f32) -> f32) -> Option<Polygon> {
    let corner = |n: u32| {
        let angle = n as f32 / CORNERS as f32 * std::f32::consts::TAU;
        let r = rim(angle);
        let (x, y) = (centre[0] + r * half[0] * angle.cos(), centre[1] + r * half[1] * angle.sin());
        Point::new(f64::from(x), f64::from(y))
    };
    Polygon::new((0..CORNERS).map(corner).collect()).ok()
}

impl TrueTerrain {
    /// A felt, as [`super::ground::Patch::Felt`] is drawn.
    pub(super) fn felt(sort: TerrainSort, centre: [f32; 2], half: [f32; 2], seed: u32) -> Option<Self> {
        let phase = (seed % 628) as f32 / 100.0;
        let rim = |a: f32| 1.0 + 0.13 * (2.0 * a + phase).sin() + 0.08 * (3.0 * a - phase).sin();
        let outline = round(centre, half, rim)?;
        Some(Self { sort, outline, course: None, height_mm: 0.0, crossed: false })
    }

    /// A hill, as the shape [`super::shape::Shape::Mesa`] stands on the table.
    pub(super) fn mesa(centre: V3, half: [f32; 2], skirt: f32, seed: u32, height_mm: f64) -> Option<Self> {
        let phase = (seed % 628) as f32 / 100.0;
        let foot = skirt / half[0].min(half[1]);
        let rim = |a: f32| 1.0 + 0.10 * (2.0 * a + phase).sin() + 0.06 * (3.0 * a + 2.1 * phase).sin() + foot;
        let outline = round([centre.x, centre.y], half, rim)?;
        Some(Self { sort: TerrainSort::Hill, outline, course: None, height_mm, crossed: false })
    }

    /// A river or a road, cut off at the edges of the board.
    pub(super) fn way(sort: TerrainSort, line: &[[f32; 2]], half_width: f32, area: [f32; 2]) -> Option<Self> {
        let depth = f64::from(area[1]);
        let line: Vec<Point> = line.iter().map(|p| Point::new(f64::from(p[0]), f64::from(p[1]))).collect();
        // It runs from near to far, and on beyond the board.
        let at = |y: f64| {
            let pair = line.windows(2).find(|p| p[0].y <= y && y <= p[1].y)?;
            let share = (y - pair[0].y) / (pair[1].y - pair[0].y).max(1e-9);
            Some(Point::new(pair[0].x + share * (pair[1].x - pair[0].x), y))
        };
        let mut on: Vec<Point> = vec![at(0.0)?];
        on.extend(line.iter().copied().filter(|p| p.y > 1.0 && p.y < depth - 1.0));
        on.push(at(depth)?);
        let half = f64::from(half_width) + BANK_MM;
        let side = |sign: f64| -> Vec<Point> {
            (0..on.len())
                .map(|n| {
                    let ahead = on[(n + 1).min(on.len() - 1)] - on[n.saturating_sub(1)];
                    let across = crate::geometry::Vector::new(-ahead.y, ahead.x) / ahead.norm();
                    let p = on[n] + across * (sign * half);
                    Point::new(p.x, p.y.clamp(0.0, depth))
                })
                .collect()
        };
        let mut rim = side(-1.0);
        rim.extend(side(1.0).into_iter().rev());
        rim.dedup();
        let outline = Polygon::new(rim).ok()?;
        Some(Self { sort, outline, course: Some((on, 2.0 * half)), height_mm: 0.0, crossed: false })
    }
}

/// Notes which of them others that were laid later lie on.
pub(super) fn crossings(terrain: &mut [TrueTerrain]) {
    for n in 0..terrain.len() {
        let (first, later) = terrain.split_at(n + 1);
        let corners = |t: &TrueTerrain| t.outline.corners().to_vec();
        let own = &first[n].outline;
        let crossed = later.iter().any(|t| {
            corners(t).iter().any(|p| own.depth_of(*p).0 > -4.0)
                || own.corners().iter().any(|p| t.outline.depth_of(*p).0 > -4.0)
        });
        terrain[n].crossed = crossed;
    }
}
