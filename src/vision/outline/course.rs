//! The course of a river or road: the middle line of a long narrow piece, and how wide it is.

use super::mask::Mask;
use super::rectify::Rectified;
use crate::geometry::{Point, Polygon, Vector};
use std::collections::BinaryHeap;

/// A piece so many times as long as it is wide may be a river or a road.
const LEAST_SLENDERNESS: f64 = 4.0;
/// A middle line is thinned out to corners that keep within this of it, millimetres.
const KEEP_MM: f64 = 1.5;

/// A middle line with a width, millimetres.
#[derive(Debug, Clone, PartialEq)]
pub struct Course {
    /// Its points, from end to end.
    pub line: Vec<Point>,
    /// From bank to bank.
    pub width_mm: f64,
}

/// The outline between both banks; `None` where the line is none, or bends too sharply for its width.
pub(super) fn banks(course: &Course) -> Option<Polygon> {
    let line = &course.line;
    let side = |sign: f64| -> Option<Vec<Point>> {
        let off = |n: usize| {
            let way = |a: usize, b: usize| -> Option<Vector> { (line[b] - line[a]).try_normalize(1e-9) };
            let (before, after) = match n {
                0 => (way(0, 1)?, way(0, 1)?),
                n if n + 1 == line.len() => (way(n - 1, n)?, way(n - 1, n)?),
                n => (way(n - 1, n)?, way(n, n + 1)?),
            };
            let ahead = (before + after).try_normalize(1e-9)?;
            // At a corner the bank is further out, so that both pieces keep the width.
            let out = sign * course.width_mm / 2.0 / ahead.dot(&before).max(0.3);
            Some(line[n] + Vector::new(-ahead.y, ahead.x) * out)
        };
        (0..line.len()).map(off).collect()
    };
    if line.len() < 2 {
        return None;
    }
    let mut rim = side(-1.0)?;
    rim.extend(side(1.0)?.into_iter().rev());
    Polygon::new(rim).ok()
}

/// The course of a piece; `None` where it is no long narrow one.
pub(super) fn course(made: &Rectified, mask: &Mask) -> Result<Option<Course>, opencv::Error> {
    let depth = mask.depth()?;
    let Some(first) = mask.pixels().max_by(|a, b| depth[*a].total_cmp(&depth[*b])) else { return Ok(None) };
    // From one end to the other, keeping to the middle.
    let far = farthest(mask, &depth, first);
    let (end, _) = far;
    let (other, came) = farthest(mask, &depth, end);
    let mut path = vec![other];
    while let Some(Some(n)) = path.last().map(|n| came.get(*n).copied().flatten()) {
        path.push(n);
    }
    let points: Vec<Point> =
        path.iter().map(|n| made.point((n % mask.w) as f64, (n / mask.w) as f64)).collect();
    let smooth: Vec<Point> = smoothed(&points, (8.0 / made.mm_per_px).round() as usize);
    let length: f64 = smooth.windows(2).map(|p| (p[1] - p[0]).norm()).sum();
    let mut widths: Vec<f64> =
        path.iter().map(|n| (2.0 * f64::from(depth[*n]) - 1.0) * made.mm_per_px).collect();
    widths.sort_by(f64::total_cmp);
    let width_mm = widths[widths.len() / 2];
    if width_mm <= 0.0 || length < LEAST_SLENDERNESS * width_mm {
        return Ok(None);
    }
    let mut line = to_edges(made, thinned(&smooth, KEEP_MM), width_mm);
    line.dedup_by(|a, b| (*a - *b).norm() < 0.5);
    Ok((line.len() >= 2).then_some(Course { line, width_mm }))
}

/// The pixel of a piece that is farthest from one of it, going where it is deep, and how to come back.
fn farthest(mask: &Mask, depth: &[f32], from: usize) -> (usize, Vec<Option<usize>>) {
    #[derive(PartialEq)]
    struct Open(f32, usize);
    impl Eq for Open {}
    impl PartialOrd for Open {
        fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
            Some(self.cmp(other))
        }
    }
    impl Ord for Open {
        fn cmp(&self, other: &Self) -> std::cmp::Ordering {
            other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
        }
    }
    let mut cost = vec![f32::INFINITY; mask.on.len()];
    let mut came = vec![None; mask.on.len()];
    let mut gone = vec![0.0f32; mask.on.len()];
    let deepest = depth.iter().copied().fold(1.0, f32::max);
    cost[from] = 0.0;
    let mut open = BinaryHeap::from([Open(0.0, from)]);
    let mut last = from;
    while let Some(Open(so_far, n)) = open.pop() {
        if so_far > cost[n] {
            continue;
        }
        if gone[n] > gone[last] {
            last = n;
        }
        let (row, column) = ((n / mask.w) as i64, (n % mask.w) as i64);
        for (dr, dc) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let (r, c) = (row + dr, column + dc);
            if r < 0 || c < 0 || r >= mask.h as i64 || c >= mask.w as i64 {
                continue;
            }
            let next = r as usize * mask.w + c as usize;
            if !mask.on[next] {
                continue;
            }
            let step = if dr != 0 && dc != 0 { std::f32::consts::SQRT_2 } else { 1.0 };
            let shallow = 1.0 - depth[next] / deepest;
            let with = so_far + step * (1.0 + 12.0 * shallow * shallow);
            if with < cost[next] {
                cost[next] = with;
                came[next] = Some(n);
                gone[next] = gone[n] + step;
                open.push(Open(with, next));
            }
        }
    }
    (last, came)
}

/// Each point the mean of those within so many of it along the line; the ends stay.
fn smoothed(points: &[Point], reach: usize) -> Vec<Point> {
    let n = points.len();
    (0..n)
        .map(|i| {
            let reach = reach.min(i).min(n - 1 - i);
            let round = &points[i - reach..=i + reach];
            let sum = round.iter().fold(Vector::zeros(), |sum, p| sum + p.coords);
            Point::from(sum / round.len() as f64)
        })
        .collect()
}

/// Fewer points, none of the line further than so much from what is left: Douglas and Peucker's way.
pub(super) fn thinned(line: &[Point], keep_mm: f64) -> Vec<Point> {
    let (Some(first), Some(last)) = (line.first(), line.last()) else { return Vec::new() };
    let across = |p: &Point| crate::geometry::Segment::new(*first, *last).nearest_to(*p).0 - p;
    let worst =
        line.iter().enumerate().map(|(n, p)| (n, across(p).norm())).max_by(|a, b| a.1.total_cmp(&b.1));
    match worst {
        Some((n, off)) if off > keep_mm && n > 0 && n + 1 < line.len() => {
            let mut left = thinned(&line[..=n], keep_mm);
            left.pop();
            left.extend(thinned(&line[n..], keep_mm));
            left
        }
        _ => vec![*first, *last],
    }
}

/// Ends near the board's edge are taken to it, and what lies beyond it goes.
fn to_edges(made: &Rectified, line: Vec<Point>, width_mm: f64) -> Vec<Point> {
    let (wide, deep) = made.board_mm;
    let inside = |p: &Point| (0.0..=wide).contains(&p.x) && (0.0..=deep).contains(&p.y);
    let Some(begin) = line.iter().position(inside) else { return line };
    let end = line.iter().rposition(inside).unwrap_or(begin);
    let mut kept: Vec<Point> = line[begin..=end].to_vec();
    let out_of = |from: Point, ahead: Option<Point>, before: Point| -> Option<Point> {
        let way = ahead.map_or(from - before, |a| a - from);
        if way.norm() < 1e-9 {
            return None;
        }
        let way = way / way.norm();
        let to = |at: f64, speed: f64, high: f64| match speed {
            s if s > 1e-9 => (high - at) / s,
            s if s < -1e-9 => -at / s,
            _ => f64::INFINITY,
        };
        let far = to(from.x, way.x, wide).min(to(from.y, way.y, deep));
        (far <= ahead.map_or(width_mm, |a| (a - from).norm() + 1.0)).then(|| {
            let at = from + way * far;
            Point::new(at.x.clamp(0.0, wide), at.y.clamp(0.0, deep))
        })
    };
    if kept.len() >= 2 || end + 1 < line.len() || begin > 0 {
        let (n, first) = (kept.len(), kept[0]);
        let before_last = if n > 1 { kept[n - 2] } else { first };
        if let Some(at) = out_of(kept[n - 1], line.get(end + 1).copied(), before_last) {
            kept.push(at);
        }
        let second = kept.get(1).copied().unwrap_or(first);
        let beyond = begin.checked_sub(1).map(|n| line[n]);
        if let Some(at) = out_of(first, beyond, second) {
            kept.insert(0, at);
        }
    }
    kept
}
