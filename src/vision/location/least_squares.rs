//! Levenberg-Marquardt on normal equations, for the few unknowns of a camera or a tag.

use nalgebra::{DMatrix, DVector};

/// The normal equations at one point: J^T J, J^T r, and the plain sum of squares.
#[derive(Debug, Clone)]
pub(in crate::vision) struct Normal {
    pub(in crate::vision) hessian: DMatrix<f64>,
    pub(in crate::vision) gradient: DVector<f64>,
    pub(in crate::vision) cost: f64,
}

impl Normal {
    pub(in crate::vision) fn zeros(unknowns: usize) -> Self {
        Self { hessian: DMatrix::zeros(unknowns, unknowns), gradient: DVector::zeros(unknowns), cost: 0.0 }
    }

    /// Adds one scalar residual with its row of derivatives.
    pub(in crate::vision) fn add(&mut self, residual: f64, row: &DVector<f64>) {
        self.hessian.ger(1.0, row, row, 1.0);
        self.gradient.axpy(residual, row, 1.0);
        self.cost += residual * residual;
    }

    /// The same for a row that is zero but in a few places: (unknown, derivative).
    pub(in crate::vision) fn add_sparse(&mut self, residual: f64, row: &[(usize, f64)]) {
        for &(i, a) in row {
            for &(j, b) in row {
                self.hessian[(i, j)] += a * b;
            }
            self.gradient[i] += residual * a;
        }
        self.cost += residual * residual;
    }
}

/// Iterations at most. From a linear start five to ten are enough; along the valley in which a lens and
/// its distance trade places, some forty.
const MOST_ITERATIONS: usize = 120;
/// The end is reached when an undamped step promises less than this share of the cost.
const SETTLED: f64 = 1e-9;
/// Damping below which a step counts as undamped.
const UNDAMPED: f64 = 1e-6;

/// Walks downhill from `start` to where no undamped step promises anything. `equations` answers `None`
/// where the point is impossible (behind the camera); such a step is not taken. `None` where even the
/// start is impossible or the result is not finite.
pub(in crate::vision) fn minimise<S: Clone>(
    start: S,
    equations: impl Fn(&S) -> Option<Normal>,
    moved: impl Fn(&S, &DVector<f64>) -> S,
) -> Option<(S, Normal)> {
    let mut at = start;
    let mut normal = equations(&at)?;
    let mut damping = 1e-4;
    for _ in 0..MOST_ITERATIONS {
        let mut damped = normal.hessian.clone();
        for i in 0..damped.nrows() {
            damped[(i, i)] += damping * damped[(i, i)].max(1e-12);
        }
        let Some(factor) = damped.cholesky() else {
            damping *= 10.0;
            continue;
        };
        let step = factor.solve(&-&normal.gradient);
        // The gradient is J^T r, half the cost's; the step's promise is -2 g s - s H s.
        let promised = -2.0 * normal.gradient.dot(&step) - step.dot(&(&normal.hessian * &step));
        let settled = damping <= UNDAMPED && promised <= SETTLED * normal.cost + 1e-24;
        let next = moved(&at, &step);
        match equations(&next) {
            Some(better) if better.cost.is_finite() && better.cost <= normal.cost => {
                (at, normal) = (next, better);
                damping = (damping / 10.0).max(1e-12);
            }
            _ if settled => break,
            _ => damping *= 10.0,
        }
        if settled || damping > 1e12 {
            break;
        }
    }
    normal.cost.is_finite().then_some((at, normal))
}

/// The inverse of a positive matrix whose rows may differ by many powers of ten (radians and pixels): scaled to
/// ones on the diagonal first. `None` where it has none.
pub(super) fn inverse_of(hessian: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = hessian.nrows();
    let scale = DVector::from_fn(n, |i, _| hessian[(i, i)].max(1e-300).sqrt().recip());
    let scaled = DMatrix::from_fn(n, n, |i, j| hessian[(i, j)] * scale[i] * scale[j]);
    let inverse = scaled.try_inverse()?;
    Some(DMatrix::from_fn(n, n, |i, j| inverse[(i, j)] * scale[i] * scale[j]))
}

/// R with R Rt = covariance, by eigenvalues of the correlation; negative ones (rounding) count as none.
pub(in crate::vision) fn root_of(covariance: &DMatrix<f64>) -> DMatrix<f64> {
    let n = covariance.nrows();
    let scale = DVector::from_fn(n, |i, _| covariance[(i, i)].max(1e-300).sqrt());
    let correlation = DMatrix::from_fn(n, n, |i, j| {
        (covariance[(i, j)] + covariance[(j, i)]) / 2.0 / (scale[i] * scale[j])
    });
    let eigen = correlation.symmetric_eigen();
    DMatrix::from_fn(n, n, |i, j| {
        scale[i] * eigen.eigenvectors[(i, j)] * eigen.eigenvalues[j].max(0.0).sqrt()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_valley_of_rosenbrock_is_walked_to_its_end() {
        let equations = |p: &[f64; 2]| {
            let mut n = Normal::zeros(2);
            n.add(10.0 * (p[1] - p[0] * p[0]), &DVector::from_vec(vec![-20.0 * p[0], 10.0]));
            n.add(1.0 - p[0], &DVector::from_vec(vec![-1.0, 0.0]));
            Some(n)
        };
        let (at, normal) =
            minimise([-1.2, 1.0], equations, |p, step| [p[0] + step[0], p[1] + step[1]]).expect("finite");
        assert!((at[0] - 1.0).abs() < 1e-6 && (at[1] - 1.0).abs() < 1e-6, "{at:?} {}", normal.cost);
    }

    #[test]
    fn an_impossible_start_has_no_answer() {
        assert!(minimise(0.0, |_| None, |s, _| *s).is_none());
    }
}
