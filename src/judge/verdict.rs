//! From a margin and the poses' covariance to a verdict.
//!
//! A margin is a function of the poses, smooth but for kinks: it is often the smaller or larger of
//! several, and a distance has a kink where two bases touch. So sigma alone is not enough. The rule:
//!
//! 1. Poses taken as exact (sigma zero): the margin's own limit, closed or strict, decides.
//! 2. Each principal axis of the joint covariance is probed one sigma both ways. Where the margin is
//!    more than [`FAR`] times what those probes can move it together, the answer is plain.
//! 3. Where the gradient (central differences) foretells probes at two sigma along every axis, and at
//!    three along its own direction, the margin is linear here: probability = Phi(margin / sigma).
//! 4. Else a kink is near: the margin is worked out along [`LINES`] fixed lines through the poses'
//!    joint normal distribution, and the probability is the share of it in which the margin holds.
//!
//! A test compares 4 with closed forms and with 3. Nothing here is drawn by chance: the same poses
//! give the same verdict.

use crate::geometry::{JointCovariance, Margin, Pose, PoseEstimate, normal_cdf};
use nalgebra::DVector;

/// A clear call is right at least so often.
pub const CLEAR: f64 = 0.99;

/// Beyond so many times what the probes move the margin together, it is plain.
const FAR: f64 = 5.0;

/// How many lines stand for the joint distribution near a kink: in the cases tested the probability is
/// then right to 0.4 in 100, and to 0.1 in 100 where it is near 99.
const LINES: usize = 256;

/// Which way a question that is too close to call leans.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Leans {
    /// More likely yes.
    Yes,
    /// More likely no.
    No,
}

/// The answer to a question about measured poses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Verdict {
    /// Yes, right at least 99 times in 100.
    Yes,
    /// No, right at least 99 times in 100.
    No,
    /// Neither can be said with that certainty.
    TooClose {
        /// Probability of yes.
        probability: f64,
        /// The likelier answer.
        leans: Leans,
    },
}

impl Verdict {
    /// `yes`, `no` or `too_close`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::TooClose { .. } => "too_close",
        }
    }
}

/// A margin weighed against the poses that it rests on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Weighed {
    /// The margin at the best estimate, and what binds it.
    pub margin: Margin,
    /// One sigma of the margin, millimetres. Zero where every pose is taken as exact.
    pub sigma_mm: f64,
    /// Probability of yes.
    pub probability: f64,
}

impl Weighed {
    /// The call: clear only when it is right at least [`CLEAR`] of the times.
    pub fn verdict(&self) -> Verdict {
        if self.probability >= CLEAR {
            Verdict::Yes
        } else if self.probability <= 1.0 - CLEAR {
            Verdict::No
        } else {
            Verdict::TooClose { probability: self.probability, leans: self.leans() }
        }
    }

    /// The likelier answer; at even odds, what the margin itself says.
    pub fn leans(&self) -> Leans {
        let yes = self.probability > 0.5 || (self.probability == 0.5 && self.margin.satisfied());
        if yes { Leans::Yes } else { Leans::No }
    }
}

/// Weighs a margin, a function of the poses of `estimates` in their order.
pub fn weigh(estimates: &[&PoseEstimate], margin: impl Fn(&[Pose]) -> Margin) -> Weighed {
    let best: Vec<Pose> = estimates.iter().map(|e| e.pose).collect();
    let here = margin(&best);
    let joint = JointCovariance::of(estimates);
    let axes = joint.axes();
    if axes.is_empty() {
        let probability = if here.satisfied() { 1.0 } else { 0.0 };
        return Weighed { margin: here, sigma_mm: 0.0, probability };
    }
    let at = |step: &DVector<f64>| margin(&stepped(&best, step));
    let change = |step: &DVector<f64>| at(step).mm - here.mm;

    let reach =
        axes.iter().map(|axis| change(axis).abs().max(change(&-axis).abs()).powi(2)).sum::<f64>().sqrt();
    let gradient = gradient(&best, &margin);
    let linear = joint.sigma(&gradient);
    if here.mm.abs() > FAR * reach.max(linear) {
        let probability = if here.satisfied() { 1.0 } else { 0.0 };
        return Weighed { margin: here, sigma_mm: reach.max(linear), probability };
    }

    let foretold = |step: &DVector<f64>| (change(step) - gradient.dot(step)).abs() <= 0.05 * linear + 1e-9;
    let steepest =
        axes.iter().fold(DVector::zeros(gradient.len()), |sum, axis| sum + axis * axis.dot(&gradient))
            / linear.max(f64::MIN_POSITIVE);
    let mut probes: Vec<DVector<f64>> = axes.iter().flat_map(|axis| [axis * 2.0, axis * -2.0]).collect();
    probes.extend([-3.0, -1.5, 1.5, 3.0].map(|z| &steepest * z));
    if linear > 0.0 && probes.iter().all(foretold) {
        return Weighed { margin: here, sigma_mm: linear, probability: normal_cdf(here.mm / linear) };
    }

    let across = DVector::from_iterator(axes.len(), axes.iter().map(|axis| axis.dot(&gradient)));
    let across = across.try_normalize(0.0).unwrap_or_else(|| {
        // At a peak or in a hollow the gradient says nothing: the axis that moves the margin most.
        let moved = |i: &usize| change(&axes[*i]).abs().max(change(&-&axes[*i]).abs());
        let most = (0..axes.len()).max_by(|i, j| moved(i).total_cmp(&moved(j))).unwrap_or(0);
        DVector::from_fn(axes.len(), |i, _| if i == most { 1.0 } else { 0.0 })
    });
    let (probability, sigma_mm) = by_lines(&axes, &across, here.mm, |step| at(step));
    Weighed { margin: here, sigma_mm, probability }
}

/// The probability that the margin holds and its root mean square change, by lines. In the space where
/// the poses are a standard normal ball, [`LINES`] evenly spread lines run along `across`; on each the
/// margin is worked out from -4 to 4 sigma in steps of 0.4, its zeros found between the steps,
/// and the normal distribution's share of the stretches where it holds is exact.
fn by_lines(
    axes: &[DVector<f64>],
    across: &DVector<f64>,
    here_mm: f64,
    at: impl Fn(&DVector<f64>) -> Margin,
) -> (f64, f64) {
    const STRIDE: f64 = 0.4;
    const HALF: i32 = 10;
    let strides = strides(axes.len());
    let size = axes[0].len();
    let table = |ball: &DVector<f64>| {
        axes.iter().zip(ball.iter()).fold(DVector::zeros(size), |sum, (axis, z)| sum + axis * *z)
    };
    let way = table(across);
    let (mut held, mut squares) = (0.0, 0.0);
    for line in 0..LINES {
        // Lines come in pairs, mirrored at the best estimate: what is odd in the ball cancels.
        let side = if line % 2 == 0 { 1.0 } else { -1.0 };
        let ball = strides.iter().map(|&s| side * spread_normal(line / 2, s));
        let ball = DVector::from_iterator(axes.len(), ball);
        let beside = table(&(&ball - across * ball.dot(across)));
        let mut before: Option<(f64, Margin)> = None;
        for node in -HALF..=HALF {
            let z = f64::from(node) * STRIDE;
            let margin = at(&(&beside + &way * z));
            squares += (margin.mm - here_mm).powi(2) * STRIDE * density(z);
            let (from, was) = before.unwrap_or((f64::NEG_INFINITY, margin));
            let to = if node == HALF { f64::INFINITY } else { z };
            held += share_held((from, was), (z, margin), to);
            before = Some((z, margin));
        }
    }
    (held / LINES as f64, (squares / LINES as f64).sqrt())
}

/// The normal distribution's share of the stretch between two nodes in which the margin holds; the
/// last one reaches on to `to`.
fn share_held((from, was): (f64, Margin), (z, is): (f64, Margin), to: f64) -> f64 {
    let share = |a: f64, b: f64| if a < b { cdf(b) - cdf(a) } else { 0.0 };
    let beyond = if is.satisfied() { share(z, to) } else { 0.0 };
    beyond
        + match (was.satisfied(), is.satisfied()) {
            (true, true) => share(from, z),
            (false, false) => 0.0,
            (was_held, _) => {
                let zero = from + (z - from) * (was.mm / (was.mm - is.mm)).clamp(0.0, 1.0);
                if was_held { share(from, zero) } else { share(zero, z) }
            }
        }
}

/// [`normal_cdf`], at the ends too.
fn cdf(z: f64) -> f64 {
    if z.is_infinite() { if z > 0.0 { 1.0 } else { 0.0 } } else { normal_cdf(z) }
}

/// The standard normal density.
fn density(z: f64) -> f64 {
    (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

/// The poses moved by (x mm, y mm, heading rad) each.
fn stepped(poses: &[Pose], step: &DVector<f64>) -> Vec<Pose> {
    let by = |i: usize| step.fixed_rows::<3>(3 * i);
    let moved = |(i, p): (usize, &Pose)| p.nudged(by(i).fixed_rows::<2>(0).into_owned(), by(i)[2]);
    poses.iter().enumerate().map(moved).collect()
}

/// Central differences over (x mm, y mm, heading rad) of each pose.
fn gradient(best: &[Pose], margin: &impl Fn(&[Pose]) -> Margin) -> DVector<f64> {
    let size = 3 * best.len();
    DVector::from_fn(size, |i, _| {
        let h = if i % 3 == 2 { 1e-6 } else { 1e-4 };
        let mut step = DVector::zeros(size);
        step[i] = h;
        (margin(&stepped(best, &step)).mm - margin(&stepped(best, &-step)).mm) / (2.0 * h)
    })
}

/// The shares that step the points of Roberts's additive recurrence along each of `axes` axes: powers of
/// the inverse of the root of x^(axes + 1) = x + 1. They spread evenly over all axes together.
fn strides(axes: usize) -> Vec<f64> {
    let power = 1.0 / (axes as f64 + 1.0);
    let root = (0..60).fold(1.1f64, |x, _| (1.0 + x).powf(power));
    (1..=axes).map(|i| root.powi(-(i as i32))).collect()
}

/// The `point`th of evenly spread standard normal numbers along the axis of this stride.
fn spread_normal(point: usize, stride: f64) -> f64 {
    let share = (0.5 + (point + 1) as f64 * stride).fract();
    inverse_normal(share.clamp(1e-9, 1.0 - 1e-9))
}

/// The place below which a standard normal number falls with this probability, right to 2e-9 by
/// Acklam's fractions (1.15e-9 relative). `probability` lies strictly between 0 and 1.
fn inverse_normal(probability: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969683028665376e1,
        2.209460984245205e2,
        -2.759285104469687e2,
        1.383577518672690e2,
        -3.066479806614716e1,
        2.506628277459239,
    ];
    const B: [f64; 5] = [
        -5.447609879822406e1,
        1.615858368580409e2,
        -1.556989798598866e2,
        6.680131188771972e1,
        -1.328068155288572e1,
    ];
    const C: [f64; 6] = [
        -7.784894002430293e-3,
        -3.223964580411365e-1,
        -2.400758277161838,
        -2.549732539343734,
        4.374664141464968,
        2.938163982698783,
    ];
    const D: [f64; 4] = [7.784695709041462e-3, 3.224671290700398e-1, 2.445134137142996, 3.754408661907416];
    let by = |c: &[f64], x: f64| c.iter().fold(0.0, |sum, c| sum * x + c);
    let tail = |p: f64| {
        let q = (-2.0 * p.ln()).sqrt();
        by(&C, q) / (by(&D, q) * q + 1.0)
    };
    if probability < 0.02425 {
        tail(probability)
    } else if probability > 1.0 - 0.02425 {
        -tail(1.0 - probability)
    } else {
        let q = probability - 0.5;
        let r = q * q;
        by(&A, r) * q / (by(&B, r) * r + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Binding, Edge, Feature, Limit, Part, Point, Sensitivity, Source, Whose};
    use nalgebra::{Matrix3, Vector3};
    use proptest::prelude::*;

    fn of(mm: f64) -> Margin {
        let feature = |whose| Feature { whose, part: Part::Edge(Edge::Front), at: Point::origin() };
        Margin::closed(mm, Binding(feature(Whose::A), feature(Whose::B)))
    }

    fn known_to(x_mm: f64, y_mm: f64) -> PoseEstimate {
        PoseEstimate {
            pose: Pose::new(0.0, 0.0, 90.0),
            covariance: Matrix3::from_diagonal(&Vector3::new(x_mm * x_mm, y_mm * y_mm, 1e-6)),
            shared: Vec::new(),
        }
    }

    #[test]
    fn exact_poses_are_decided_by_the_limit_itself() {
        let exact = PoseEstimate::exact(Pose::new(0.0, 0.0, 0.0));
        let at_the_limit = weigh(&[&exact], |_| of(0.0));
        assert_eq!(at_the_limit.verdict(), Verdict::Yes);
        let strict = weigh(&[&exact], |_| Margin { limit: Limit::Strict, ..of(0.0) });
        assert_eq!(strict.verdict(), Verdict::No);
        assert_eq!((strict.sigma_mm, strict.probability), (0.0, 0.0));
    }

    #[test]
    fn a_call_is_clear_from_99_in_100_on() {
        let pose = known_to(0.5, 0.5);
        let ask = |mm: f64| weigh(&[&pose], move |p| of(mm + p[0].centre.x));
        assert_eq!(ask(0.5 * 2.33).verdict(), Verdict::Yes);
        assert_eq!(ask(-0.5 * 2.33).verdict(), Verdict::No);
        let Verdict::TooClose { probability, leans } = ask(0.5 * 2.32).verdict() else { panic!("called") };
        assert!(probability > 0.98 && leans == Leans::Yes);
        assert!((ask(0.25).sigma_mm - 0.5).abs() < 1e-6);
    }

    #[test]
    fn what_two_poses_share_does_not_blur_what_lies_between_them() {
        let mut a = known_to(0.01, 0.01);
        a.shared.push(Sensitivity {
            source: Source::Registration { camera: 0, component: 0 },
            per_sigma: Vector3::new(2.0, 0.0, 0.0),
        });
        let w = weigh(&[&a, &a], |p| of(0.1 + p[1].centre.x - p[0].centre.x));
        assert_eq!(w.verdict(), Verdict::Yes);
        assert!((w.sigma_mm - 0.01 * 2f64.sqrt()).abs() < 1e-6);
    }

    /// Right to 0.4 in 100, and to 0.1 in 100 where a clear call is decided.
    fn near(found: f64, right: f64) -> bool {
        (found - right).abs() < if (0.03..0.97).contains(&right) { 0.004 } else { 0.001 }
    }

    #[test]
    fn of_two_conditions_that_bind_together_both_count() {
        let pose = known_to(1.0, 1.0);
        for (a, b) in [(0.0, 0.0), (1.0, 0.5), (2.5, 2.5), (2.4, 3.0), (-0.5, 1.0), (-2.0, -2.2)] {
            let w = weigh(&[&pose], |p| of((a + p[0].centre.x).min(b + p[0].centre.y)));
            let right = normal_cdf(a) * normal_cdf(b);
            assert!(near(w.probability, right), "{a} {b}: {} for {right}", w.probability);
            let w = weigh(&[&pose], |p| of((a + p[0].centre.x).max(b + p[0].centre.y)));
            let right = 1.0 - (1.0 - normal_cdf(a)) * (1.0 - normal_cdf(b));
            assert!(near(w.probability, right), "{a} {b}: {} for {right}", w.probability);
        }
    }

    #[test]
    fn a_fold_at_the_limit_is_seen() {
        // Contact within 1 mm of a gap that cannot be negative: |x| <= 1 with x spread by 0.8.
        let pose = known_to(0.8, 0.1);
        let w = weigh(&[&pose], |p| of(1.0 - p[0].centre.x.abs()));
        let right = 1.0 - 2.0 * normal_cdf(-1.25);
        assert!(near(w.probability, right), "{} for {right}", w.probability);
    }

    #[test]
    fn a_distance_from_zero_up_is_never_said_to_be_less_than_nothing() {
        let pose = known_to(0.3, 0.3);
        let w = weigh(&[&pose], |p| of(p[0].centre.coords.norm()));
        assert_eq!(w.verdict(), Verdict::Yes);
    }

    proptest! {
        #[test]
        fn the_fixed_points_agree_with_the_closed_form_where_both_apply(
            mm in -4.0..4.0f64, gx in -1.0..1.0f64, gy in -1.0..1.0f64,
        ) {
            prop_assume!(gx.abs() + gy.abs() > 0.2);
            let pose = known_to(1.0, 0.5);
            let plane = |p: &[Pose]| mm + gx * p[0].centre.x + gy * p[0].centre.y;
            let smooth = weigh(&[&pose], |p| of(plane(p)));
            // A ripple too high to be called linear and too quick to matter to the probability.
            let rippled = weigh(&[&pose], |p| of(plane(p) + 1e-9 + 0.2 * (40.0 * p[0].centre.x).sin().powi(9)));
            prop_assert!((smooth.probability - rippled.probability).abs() < 0.05);
        }

        #[test]
        fn the_inverse_undoes_the_distribution(z in -5.0..5.0f64) {
            prop_assume!(normal_cdf(z) > 1e-6 && normal_cdf(z) < 1.0 - 1e-6);
            prop_assert!((inverse_normal(normal_cdf(z)) - z).abs() < 0.02);
        }
    }
}
