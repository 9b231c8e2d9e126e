//! How far a fit may be off, told from its own residuals. Units: those of the fit's parameters.
//!
//! Two things make the textbook's sigma^2 (J^T J)^-1 too small. Outliers are weighed down, so the slope of the
//! weighted residuals is less than their weight (the sandwich of an M-estimator, Huber 1964). And residuals hang
//! together from pixel to pixel, by compression, interpolated colours and what the model lacks, so a few pixels
//! count as one: products of residuals up to [`REACH`] pixels apart are summed, near ones more (Bartlett's
//! kernel; Newey and West 1987, on a plane Conley 1999). That kernel is a box's product with itself, so the sum
//! is taken over boxes and is never negative.
//!
//! The parameters that are asked for must lie at an optimum; those fitted beside them need not.

use super::layers::Window;
use nalgebra::{DMatrix, DVector};
use std::ops::Range;

/// One pixel's residual and its slopes over every parameter.
pub(super) struct Row<const MOST: usize> {
    /// Which pixel of the window.
    pub at: usize,
    /// Seen less foretold, grey levels.
    pub residual: f64,
    /// Change of what is foretold for one unit of each parameter.
    pub slopes: [f64; MOST],
}

/// Pixels from which on residuals are taken to be independent. On path-traced and simulated tags their
/// correlation is 0.2 to 0.4 at one pixel and 0.1 and less from two.
const REACH: usize = 3;

/// Covariance of the parameters `wanted` of the `total`, where residuals are weighed by Tukey's function with this
/// `cut`. `None` where the pixels do not determine them.
pub(super) fn covariance<const MOST: usize>(
    rows: &[Row<MOST>],
    window: Window,
    total: usize,
    cut: f64,
    wanted: Range<usize>,
) -> Option<DMatrix<f64>> {
    let mut bend = DMatrix::<f64>::zeros(total, total);
    let mut mean = DMatrix::<f64>::zeros(total, total);
    let (mut slopes, mut weights) = (0.0, 0.0);
    let mut counted = 0usize;
    for row in rows {
        let u2 = (row.residual / cut).powi(2);
        if u2 >= 1.0 {
            continue;
        }
        counted += 1;
        // Slope of the weighted residual r (1 - u^2)^2.
        let slope = (1.0 - u2) * (1.0 - 5.0 * u2);
        let weight = (1.0 - u2) * (1.0 - u2);
        slopes += slope;
        weights += weight;
        for a in 0..total {
            for b in 0..=a {
                let both = row.slopes[a] * row.slopes[b];
                bend[(a, b)] += slope * both;
                mean[(a, b)] += weight * both;
            }
        }
    }
    bend.fill_upper_triangle_with_lower_triangle();
    mean.fill_upper_triangle_with_lower_triangle();
    mean *= slopes / weights;
    let inverse = match bend.clone().cholesky() {
        Some(exact) => exact.inverse(),
        None => {
            // What is not asked for (light from outside, seen by a few pixels of the rim) need not have settled:
            // there the mean slope stands for each pixel's own. What is asked for must lie at an optimum.
            let kept = bend.view((wanted.start, wanted.start), (wanted.len(), wanted.len())).into_owned();
            mean.view_mut((wanted.start, wanted.start), (wanted.len(), wanted.len())).copy_from(&kept);
            mean.cholesky()?.inverse()
        }
    };
    let n = wanted.len();
    let answer = inverse.rows(wanted.start, n).into_owned();
    // What each pixel's residual does to the parameters, summed over boxes that begin at each place.
    let (width, height) = (window.width + REACH - 1, window.height + REACH - 1);
    let mut boxes = vec![[0.0f64; MOST]; width * height];
    let mut pull = DVector::zeros(total);
    for row in rows {
        let u2 = (row.residual / cut).powi(2);
        if u2 >= 1.0 {
            continue;
        }
        let weighted = row.residual * (1.0 - u2) * (1.0 - u2);
        for (p, s) in pull.iter_mut().zip(&row.slopes) {
            *p = s * weighted;
        }
        let moved = &answer * &pull;
        let (column, line) = (row.at % window.width, row.at / window.width);
        for y in line..line + REACH {
            for cell in &mut boxes[y * width + column..][..REACH] {
                for (c, m) in cell.iter_mut().zip(moved.iter()) {
                    *c += m;
                }
            }
        }
    }
    let share = counted as f64 / counted.saturating_sub(total).max(1) as f64 / (REACH * REACH) as f64;
    Some(DMatrix::from_fn(n, n, |a, b| share * boxes.iter().map(|cell| cell[a] * cell[b]).sum::<f64>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDE: usize = 40;
    const WINDOW: Window = Window { x0: 0, y0: 0, width: SIDE, height: SIDE };

    /// Even numbers between -1 and 1, not by chance but as if.
    struct Shaken(u64);

    impl Shaken {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 40) as f64 / (1u64 << 23) as f64 - 1.0
        }
    }

    /// A level and a slope across the window seen through noise; the noise is summed over `smear` pixels along
    /// each axis. Gives the claimed sigma of the slope, and its error.
    fn level_and_slope(seed: u64, smear: usize) -> (f64, f64) {
        let mut shaken = Shaken(seed);
        let raw: Vec<f64> =
            (0..(SIDE + 4) * (SIDE + 4)).map(|_| shaken.next() + shaken.next() + shaken.next()).collect();
        let noise = |x: usize, y: usize| -> f64 {
            (0..smear)
                .flat_map(|j| (0..smear).map(move |i| (i, j)))
                .map(|(i, j)| raw[(y + j) * (SIDE + 4) + x + i])
                .sum()
        };
        let u = |x: usize| x as f64 / SIDE as f64 - 0.5;
        let at = |i: usize| (i % SIDE, i / SIDE);
        let mean = (0..SIDE * SIDE).map(|i| noise(at(i).0, at(i).1)).sum::<f64>() / (SIDE * SIDE) as f64;
        let over: f64 = (0..SIDE * SIDE).map(|i| u(at(i).0).powi(2)).sum();
        let middle = (0..SIDE * SIDE).map(|i| u(at(i).0)).sum::<f64>() / (SIDE * SIDE) as f64;
        let error = (0..SIDE * SIDE).map(|i| (noise(at(i).0, at(i).1) - mean) * u(at(i).0)).sum::<f64>()
            / (over - middle * middle * (SIDE * SIDE) as f64);
        let rows: Vec<Row<2>> = (0..SIDE * SIDE)
            .map(|i| {
                let (x, y) = at(i);
                Row { at: i, residual: noise(x, y) - mean - error * (u(x) - middle), slopes: [1.0, u(x)] }
            })
            .collect();
        let c = covariance(&rows, WINDOW, 2, 1e6, 1..2).expect("determined");
        (c[(0, 0)].sqrt(), error)
    }

    fn claimed_and_true(smear: usize) -> (f64, f64) {
        let runs: Vec<(f64, f64)> = (1..=200).map(|seed| level_and_slope(seed * 977, smear)).collect();
        let rms = |f: fn(&(f64, f64)) -> f64| {
            (runs.iter().map(|r| f(r).powi(2)).sum::<f64>() / runs.len() as f64).sqrt()
        };
        (rms(|r| r.0), rms(|r| r.1))
    }

    #[test]
    fn independent_residuals_are_told_true() {
        let (claimed, real) = claimed_and_true(1);
        assert!((claimed / real - 1.0).abs() < 0.12, "{claimed} for {real}");
    }

    #[test]
    fn residuals_that_hang_together_widen_the_claim() {
        let (claimed, real) = claimed_and_true(2);
        let alone = claimed_and_true(1).1 * 2.0;
        assert!(real > 1.5 * alone, "{real} for {alone}: the noise hangs together");
        assert!((0.75..1.1).contains(&(claimed / real)), "{claimed} for {real}");
    }

    /// A slope across the window, and a level that a few pixels show, all of them outliers: it has not settled.
    fn beside_an_unsettled_level(wanted: Range<usize>) -> Option<DMatrix<f64>> {
        let mut shaken = Shaken(7);
        let row = |at: usize| {
            let rim = at.is_multiple_of(SIDE);
            let u = (at % SIDE) as f64 / SIDE as f64 - 0.5;
            let residual = if rim { 0.6 } else { 0.1 * shaken.next() };
            Row { at, residual, slopes: if rim { [1.0, 0.0] } else { [0.0, u] } }
        };
        covariance(&(0..SIDE * SIDE).map(row).collect::<Vec<_>>(), WINDOW, 2, 1.0, wanted)
    }

    #[test]
    fn what_is_not_asked_for_need_not_have_settled() {
        let slope = beside_an_unsettled_level(1..2).expect("the slope is determined");
        let over: f64 = (0..SIDE * SIDE).map(|at| ((at % SIDE) as f64 / SIDE as f64 - 0.5).powi(2)).sum();
        let textbook = (0.01 / 3.0 / over).sqrt();
        assert!(
            (slope[(0, 0)].sqrt() / textbook - 1.0).abs() < 0.25,
            "{} for {textbook}",
            slope[(0, 0)].sqrt()
        );
        assert!(beside_an_unsettled_level(0..1).is_none(), "what is asked for lies at no optimum");
    }

    #[test]
    fn pixels_that_tell_nothing_are_refused() {
        let rows: Vec<Row<2>> = (0..50).map(|at| Row { at, residual: 0.1, slopes: [1.0, 0.0] }).collect();
        assert!(covariance(&rows, WINDOW, 2, 10.0, 0..2).is_none());
    }
}
