//! What tags of each size were measured to give: how many are found, and how finely they are read.
//!
//! From `docs/accuracy-size.csv`, which `groma study size` wrote: 20 tags a row, four families, 6 to 20 mm, three
//! resolutions, from straight above and from 30 degrees. Sizes are the pixels of the tag's square in the picture, the
//! mean of its sides. Nothing is believed of tags smaller than the smallest that was measured.

use crate::tracking::Tag;
use crate::tracking::TagFamily;
use crate::vision::TagPattern;
use std::sync::OnceLock;

const STUDY: &str = include_str!("../../../docs/accuracy-size.csv");

/// The study's bases: as wide as this or as the print and a little, as deep as the print and a little, millimetres.
const BASE_MM: f64 = 40.0;
const BESIDE_MM: f64 = 2.0;
const BEFORE_MM: f64 = 4.0;
/// Rows in which fewer of 20 tags were found say nothing of how finely they are read.
const ENOUGH: f64 = 15.0;
/// Below so many pixels errors rise faster than the line through all sizes.
const SMALL_PX: f64 = 10.0;
/// Rows of fewer tags are left out there too.
const SOME: f64 = 5.0;
/// Leaning by which tags were studied: their short side over their long one, at least.
const STUDIED_RATIO: f64 = 0.866;

/// How tags are found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sighting {
    /// In one photograph, nothing known of where they are.
    Photograph,
    /// Known to have been near.
    Followed,
}

/// What was measured of a family.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Pixels of the square and the share found in a photograph, both rising.
    photograph: Vec<(f64, f64)>,
    followed: Vec<(f64, f64)>,
    /// The error of a corner, one axis, one sigma, in pixels: its logarithm over that of the square's pixels.
    line: (f64, f64),
    /// The same as measured of each size, pooled so that it never rises with the pixels. The line is too low for the
    /// smallest tags, whose errors rise faster.
    corners: Vec<(f64, f64)>,
}

/// One row of the study.
struct Row {
    family: TagFamily,
    size_mm: f64,
    square_px: f64,
    tags: f64,
    found: f64,
    followed: f64,
    rms_mm: Option<f64>,
}

impl Measured {
    /// What was measured of a family.
    pub fn of(family: TagFamily) -> &'static Self {
        static ALL: [OnceLock<Measured>; 4] = [const { OnceLock::new() }; 4];
        ALL[family as usize].get_or_init(|| Self::read(family))
    }

    fn read(family: TagFamily) -> Self {
        let rows: Vec<Row> = rows().filter(|r| r.family == family).collect();
        let share = |of: fn(&Row) -> f64| {
            rising(rows.iter().map(|r| (r.square_px, of(r) / r.tags, r.tags)).collect())
        };
        let fine = rows.iter().filter(|r| r.followed >= ENOUGH);
        let points: Vec<(f64, f64)> =
            fine.filter_map(|r| Some((r.square_px.ln(), corner_px(r)?.ln()))).collect();
        let n = points.len() as f64;
        let mean = points.iter().fold((0.0, 0.0), |s, p| (s.0 + p.0 / n, s.1 + p.1 / n));
        let (over, under) = points.iter().fold((0.0, 0.0), |(o, u), p| {
            let dx = p.0 - mean.0;
            (o + dx * (p.1 - mean.1), u + dx * dx)
        });
        let slope = over / under;
        Self {
            photograph: share(|r| r.found),
            followed: share(|r| r.followed),
            line: (mean.1 - slope * mean.0, slope),
            corners: falling(&rows),
        }
    }

    /// The share of tags of `px` pixels that is found.
    pub fn recall(&self, how: Sighting, px: f64) -> f64 {
        let curve = match how {
            Sighting::Photograph => &self.photograph,
            Sighting::Followed => &self.followed,
        };
        if curve.first().is_none_or(|(least, _)| px < *least) { 0.0 } else { between(curve, px) }
    }

    /// One sigma of a corner's error on one axis, pixels, of a tag of `px` pixels: by the line through all sizes, and of
    /// the smallest ones by what was measured of them where that is more. Beyond what was measured it is that of the
    /// largest tags measured.
    pub fn corner_px(&self, px: f64) -> f64 {
        let most = self.followed.last().map_or(px, |(at, _)| *at);
        let line = (self.line.0 + self.line.1 * px.clamp(1.0, most).ln()).exp();
        if px < SMALL_PX { line.max(between(&self.corners, px.max(1.0).ln()).exp()) } else { line }
    }

    /// The pixels from which on this share is found in every measured size.
    pub fn least_px(&self, how: Sighting, share: f64) -> f64 {
        let mut px = 5.0;
        while self.recall(how, px) < share && px < 60.0 {
            px += 0.1;
        }
        px
    }
}

/// The pixels that a tag counts for, from the four sides of its square in the picture: their mean, and less where it is
/// seen more aslant than any that was studied.
pub fn counted_px(sides: [f64; 4]) -> f64 {
    let mean = sides.iter().sum::<f64>() / 4.0;
    let pairs = [(sides[0] + sides[2]) / 2.0, (sides[1] + sides[3]) / 2.0];
    let ratio = pairs[0].min(pairs[1]) / pairs[0].max(pairs[1]).max(1e-9);
    mean * (ratio / STUDIED_RATIO).min(1.0)
}

/// The corner error in the picture that gives a row's error of base corners on the table.
fn corner_px(row: &Row) -> Option<f64> {
    let rms_mm = row.rms_mm?;
    let pattern = TagPattern::of(Tag::new(row.family, 0)).expect("every family has an id 0");
    let print = pattern.picture_mm(row.size_mm);
    let (width, depth) = (BASE_MM.max(print + BESIDE_MM), print + BEFORE_MM);
    let arm2 = (width * width + depth * depth) / 4.0;
    let px_per_mm = row.square_px / row.size_mm;
    // Of four corners with this error: the middle is off by a half of it on each axis, the heading by what a square of
    // that size turns; a base's corner by both.
    Some(px_per_mm * rms_mm * (2.0 / (1.0 + arm2 / row.size_mm.powi(2))).sqrt())
}

fn rows() -> impl Iterator<Item = Row> {
    let mut lines = STUDY.lines();
    let head: Vec<&str> = lines.next().unwrap_or_default().split(',').collect();
    let column = move |name: &str| head.iter().position(|h| *h == name).expect("the study has this column");
    let at = [
        column("family"),
        column("size_mm"),
        column("square_px"),
        column("tags"),
        column("groma_found"),
        column("followed_found"),
        column("followed_rms_mm"),
    ];
    lines.filter_map(move |line| {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |k: usize| cells.get(at[k])?.parse::<f64>().ok();
        Some(Row {
            family: cells.get(at[0])?.parse().ok()?,
            size_mm: number(1)?,
            square_px: number(2)?,
            tags: number(3)?,
            found: number(4)?,
            followed: number(5)?,
            rms_mm: number(6),
        })
    })
}

/// Between the points of a curve, straight from one to the next; before its first and behind its last as there.
fn between(curve: &[(f64, f64)], x: f64) -> f64 {
    let after = curve.partition_point(|(at, _)| *at < x);
    match (after.checked_sub(1).map(|n| curve[n]), curve.get(after)) {
        (Some((x0, y0)), Some(&(x1, y1))) => y0 + (y1 - y0) * (x - x0) / (x1 - x0).max(1e-9),
        (Some((_, last)), None) => last,
        (None, first) => first.map_or(0.0, |(_, y)| *y),
    }
}

/// The logarithm of the corner error over that of the pixels, pooled so that it never rises.
fn falling(rows: &[Row]) -> Vec<(f64, f64)> {
    let seen = rows.iter().filter(|r| r.followed >= SOME);
    let points = seen.filter_map(|r| Some((r.square_px.ln(), -corner_px(r)?.ln(), r.followed)));
    rising(points.collect()).into_iter().map(|(px, error)| (px, -error)).collect()
}

/// Shares that never fall with the pixels: neighbours that do are pooled by their weights, and the pool's share holds
/// from its first size to its last.
fn rising(mut points: Vec<(f64, f64, f64)>) -> Vec<(f64, f64)> {
    struct Pool {
        from: f64,
        to: f64,
        share: f64,
        weight: f64,
    }
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut pools: Vec<Pool> = Vec::new();
    for (px, share, weight) in points {
        let mut pool = Pool { from: px, to: px, share, weight };
        while let Some(before) = pools.pop_if(|before| before.share >= pool.share) {
            let weight = before.weight + pool.weight;
            let share = (before.share * before.weight + pool.share * pool.weight) / weight;
            pool = Pool { from: before.from, to: pool.to, share, weight };
        }
        pools.push(pool);
    }
    pools.into_iter().flat_map(|p| [(p.from, p.share), (p.to, p.share)]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_measured_is_what_the_study_says() {
        let m = Measured::of(TagFamily::Tag36h11);
        // docs/accuracy.md: below 8 pixels next to none, 49 % from 9 to 10, all from 14 on.
        assert!(m.recall(Sighting::Photograph, 6.0) < 0.05);
        assert!(
            (0.2..0.8).contains(&m.recall(Sighting::Photograph, 9.5)),
            "{}",
            m.recall(Sighting::Photograph, 9.5)
        );
        for px in [14.0, 20.0, 58.0, 90.0] {
            assert!(m.recall(Sighting::Photograph, px) > 0.985, "{px}");
        }
        // 720p from above, 10 mm: 18 of 20 followed, and 11 of 20 from 30 degrees, where they show 9.9 pixels.
        let share = m.recall(Sighting::Followed, 9.75);
        assert!((share - 29.0 / 40.0).abs() < 0.01, "{share}");
        // Of tag16h5 all of 80 of 9.6 to 9.9 pixels were found, and all larger ones.
        let m16 = Measured::of(TagFamily::Tag16h5);
        for px in [9.7, 9.9, 13.0, 20.0, 58.0] {
            assert!(
                m16.recall(Sighting::Photograph, px) > 0.99,
                "{px}: {}",
                m16.recall(Sighting::Photograph, px)
            );
        }
        assert!(m.recall(Sighting::Followed, 9.5) > m.recall(Sighting::Photograph, 9.5));
        assert_eq!(m.recall(Sighting::Followed, 3.0), 0.0);
        // More pixels are never worse.
        for family in TagFamily::ALL {
            let m = Measured::of(family);
            for n in 10..120 {
                let px = f64::from(n) / 2.0;
                assert!(
                    m.recall(Sighting::Photograph, px + 0.5) >= m.recall(Sighting::Photograph, px) - 1e-12
                );
                assert!(m.corner_px(px + 0.5) <= m.corner_px(px) * 1.000_001, "{family} {px}");
            }
        }
        // 10 mm at 14.5 pixels were read to 0.050 mm of base corners, one row; within what rows scatter by.
        // The smallest tagStandard41h12, of 5.7 to 5.8 pixels, had 0.055 and 0.057 pixels at their corners.
        let small = Measured::of(TagFamily::TagStandard41h12).corner_px(5.75);
        assert!((0.05..0.062).contains(&small), "{small}");
        let sigma = m.corner_px(14.5);
        assert!((0.02..0.045).contains(&sigma), "{sigma}");
    }

    #[test]
    fn a_tag_seen_too_aslant_counts_for_less() {
        assert!((counted_px([20.0; 4]) - 20.0).abs() < 1e-9);
        let at_30 = counted_px([20.0, 17.4, 20.0, 17.4]);
        assert!((at_30 - 18.7).abs() < 1e-9, "{at_30}");
        assert!(counted_px([20.0, 10.0, 20.0, 10.0]) < 9.0);
    }
}
