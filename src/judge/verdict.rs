//! From a margin and the poses' covariance to a verdict.
//!
//! A margin is a function of the poses, smooth but for kinks: it is often the smaller or larger of
//! several, and a distance has a kink where two bases touch. So sigma alone is not enough. The rule:
//!
//! 1. Poses taken as exact (sigma zero): the margin's own limit, closed or strict, decides.
//! 2. Each principal axis of the covariance between the two is probed one sigma both ways. Where the margin is
//!    more than [`FAR`] times what those probes can move it together, the answer is plain.
//! 3. Where the gradient (central differences) foretells probes at two sigma along every axis, and at
//!    three along its own direction, the margin is linear here: probability = Phi(margin / sigma).
//! 4. Else a kink is near: the margin is worked out along a grid of lines through the poses' joint
//!    normal distribution, and the probability is the share of it in which the margin holds.
//!
//! A test compares 4 with closed forms and with 3. Nothing here is drawn by chance: the same poses
//! give the same verdict.

use crate::geometry::{Margin, Pose, PoseEstimate, normal_cdf, relative_covariance};
use crate::tracking::Held;
use nalgebra::{Matrix3, Vector3};

/// A clear call is right at least so often.
pub const CLEAR: f64 = 0.99;

/// Beyond so many times what the probes move the margin together, it is plain.
const FAR: f64 = 5.0;

/// A pose within so many sigmas is likely: of three numbers together 99 in 100 are.
const LIKELY: f64 = 3.37;

/// Steps in which likely poses are first sifted, sigmas.
const SIFT: f64 = 0.5;

/// A contact whose margin is known no better than this, millimetres, is asked more closely before it is denied
/// ([`may_hold`]): half of what bases in contact may be apart.
pub const WIDE_MM: f64 = 0.5;

/// How far from the best estimate the lines near a kink reach, sigmas. What lies outside is one in 3000.
const RIM: f64 = 4.0;

/// Lines from the middle to the rim, each way on each of two axes.
const GRID: i32 = 8;

/// Places on a line from its middle to the rim, each way. With these three a test finds the probability
/// right to 0.4 in 100, and to 0.1 in 100 where a clear call is decided.
const NODES: i32 = 10;

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
    /// No ruling is given: the poses may be wrong in a way that their sigmas do not tell.
    Held(Held),
}

impl Verdict {
    /// Of something that holds in that share of a row of placings, and here or not: clear where it is the same in all.
    pub(super) fn of_share(share: f64, here: bool) -> Self {
        if share >= 1.0 {
            return Self::Yes;
        }
        if share <= 0.0 {
            return Self::No;
        }
        let leans = if share > 0.5 || (share == 0.5 && here) { Leans::Yes } else { Leans::No };
        Self::TooClose { probability: share, leans }
    }

    /// `yes`, `no`, `too_close` or `held`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Yes => "yes",
            Self::No => "no",
            Self::TooClose { .. } => "too_close",
            Self::Held(_) => "held",
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

/// Weighs a margin between `a` and `b`. `margin` gives it with `a` at its best estimate and `b` at the
/// pose it is handed: what both may be off by is put on `b` ([`relative_covariance`]), for turning and
/// shifting the whole table changes no margin.
pub fn weigh(a: &PoseEstimate, b: &PoseEstimate, margin: impl Fn(Pose) -> Margin) -> Weighed {
    let here = margin(b.pose);
    let covariance = relative_covariance(a, b);
    let axes = axes(&covariance);
    if axes.is_empty() {
        return Weighed { margin: here, sigma_mm: 0.0, probability: sure(here) };
    }
    let at = |step: Vector3<f64>| margin(b.pose.nudged(step.xy(), step.z));
    let change = |step: Vector3<f64>| at(step).mm - here.mm;

    let reached = |axis: &Vector3<f64>| change(*axis).abs().max(change(-axis).abs());
    let reach = axes.iter().map(|axis| reached(axis).powi(2)).sum::<f64>().sqrt();
    let gradient = gradient(&at);
    let linear = (gradient.transpose() * covariance * gradient)[(0, 0)].max(0.0).sqrt();
    if here.mm.abs() > FAR * reach.max(linear) {
        return Weighed { margin: here, sigma_mm: reach.max(linear), probability: sure(here) };
    }

    let foretold = |step: &Vector3<f64>| (change(*step) - gradient.dot(step)).abs() <= 0.05 * linear + 1e-9;
    let steepest = covariance * gradient / linear.max(f64::MIN_POSITIVE);
    let mut probes: Vec<Vector3<f64>> = axes.iter().flat_map(|axis| [axis * 2.0, axis * -2.0]).collect();
    probes.extend([-3.0, -1.5, 1.5, 3.0].map(|z| steepest * z));
    if linear > 0.0 && probes.iter().all(foretold) {
        return Weighed { margin: here, sigma_mm: linear, probability: normal_cdf(here.mm / linear) };
    }

    let (way, beside) = line_axes(&axes, &change);
    let (probability, sigma_mm) = by_lines(way, &beside, here.mm, at);
    Weighed { margin: here, sigma_mm, probability }
}

/// Whether some pose of `b` that is likely (within [`LIKELY`] sigmas of what was measured) satisfies the margin.
///
/// Bases are put into contact on purpose, and contact is a small place: of poses spread as wide as where two bases without
/// tags may stand hardly one in a hundred is in contact, though the measurement does not speak against it. So of a
/// contact that is known no better than [`WIDE_MM`] a no is clear only where no likely pose makes it.
pub fn may_hold(a: &PoseEstimate, b: &PoseEstimate, margin: impl Fn(Pose) -> Margin) -> bool {
    let axes = axes(&relative_covariance(a, b));
    let at = |z: &[f64; 3]| {
        let step: Vector3<f64> = axes.iter().zip(z).map(|(axis, z)| axis * *z).sum();
        margin(b.pose.nudged(step.xy(), step.z))
    };
    let inside = |z: &[f64; 3]| z.iter().map(|v| v * v).sum::<f64>() <= LIKELY * LIKELY;
    let count = (LIKELY / SIFT).floor() as i32;
    let range = |axis: usize| if axis < axes.len() { -count..=count } else { 0..=0 };
    let mut best: Option<([f64; 3], Margin)> = None;
    for i in range(0) {
        for j in range(1) {
            for k in range(2) {
                let z = [i, j, k].map(|n| f64::from(n) * SIFT);
                if inside(&z) {
                    let here = at(&z);
                    if best.as_ref().is_none_or(|(_, most)| here.mm > most.mm) {
                        best = Some((z, here));
                    }
                }
            }
        }
    }
    let Some((mut place, mut most)) = best else { return margin(b.pose).satisfied() };
    let mut step = SIFT;
    while step > SIFT / 64.0 && !most.satisfied() {
        let tries = (0..2 * axes.len()).map(|n| {
            let mut z = place;
            z[n / 2] += if n % 2 == 0 { step } else { -step };
            z
        });
        let better = tries.filter(inside).map(|z| (z, at(&z))).max_by(|a, b| a.1.mm.total_cmp(&b.1.mm));
        match better {
            Some((z, here)) if here.mm > most.mm => (place, most) = (z, here),
            _ => step /= 2.0,
        }
    }
    most.satisfied()
}

/// The way along which lines run, and the others across it: again principal axes of the covariance, one
/// sigma long, turned so that no condition that binds nearby is blind to a step along the first. That is
/// the mean slope over two sigma; at a peak or in a hollow, where it vanishes, the axis that moves the
/// margin most.
fn line_axes(
    axes: &[Vector3<f64>],
    change: &impl Fn(Vector3<f64>) -> f64,
) -> (Vector3<f64>, Vec<Vector3<f64>>) {
    let ends: Vec<(f64, f64)> = axes.iter().map(|axis| (change(axis * 2.0), change(axis * -2.0))).collect();
    let most = ends.iter().map(|(a, b)| a.abs().max(b.abs())).fold(0.0, f64::max);
    let slope: Vec<f64> = ends.iter().map(|(a, b)| a - b).collect();
    let steepest = slope.iter().fold(0.0f64, |m, s| m.max(s.abs()));
    let mut way: Vec<f64> = if steepest > 0.1 * most {
        // A condition that binds but seldom counts at least half, lest a line run beside its limit.
        let even = |s: &f64| s.signum() * (s.abs() / steepest).max(0.5);
        slope.iter().map(|s| if s.abs() > 0.02 * steepest { even(s) } else { 0.0 }).collect()
    } else {
        ends.iter().map(|(a, b)| if a.abs().max(b.abs()) == most { 1.0 } else { 0.0 }).collect()
    };
    let mut turned: Vec<Vec<f64>> = Vec::new();
    for next in 0..=axes.len() {
        // Gram and Schmidt: the way first, then whatever of each axis is not yet spoken for.
        for done in &turned {
            let along: f64 = done.iter().zip(&way).map(|(a, b)| a * b).sum();
            way.iter_mut().zip(done).for_each(|(w, d)| *w -= along * d);
        }
        let length = way.iter().map(|w| w * w).sum::<f64>().sqrt();
        if length > 1e-3 && turned.len() < axes.len() {
            turned.push(way.iter().map(|w| w / length).collect());
        }
        way = (0..axes.len()).map(|i| if i == next { 1.0 } else { 0.0 }).collect();
    }
    let mut table = turned.iter().map(|unit| unit.iter().zip(axes).map(|(u, axis)| axis * *u).sum());
    (table.next().unwrap_or(axes[0]), table.collect())
}

/// The probability of yes where nothing is in doubt.
fn sure(margin: Margin) -> f64 {
    if margin.satisfied() { 1.0 } else { 0.0 }
}

/// The principal axes of a covariance, each one sigma long; axes without length are left out.
fn axes(covariance: &Matrix3<f64>) -> Vec<Vector3<f64>> {
    let eigen = covariance.symmetric_eigen();
    let lengths = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
    lengths.filter(|(l, _)| **l > 1e-18).map(|(l, axis)| axis * l.sqrt()).collect()
}

/// Central differences over (x mm, y mm, heading rad).
fn gradient(at: &impl Fn(Vector3<f64>) -> Margin) -> Vector3<f64> {
    let along = |step: Vector3<f64>| (at(step).mm - at(-step).mm) / (2.0 * step.norm());
    Vector3::new(along(Vector3::x() * 1e-4), along(Vector3::y() * 1e-4), along(Vector3::z() * 1e-6))
}

/// The probability that the margin holds and its root mean square change, by lines. In the space where
/// the poses are a standard normal ball, lines run along `way` through the middles of a grid's cells
/// across it, out to [`RIM`] sigma; each counts by the density where it stands. On a line the margin is
/// worked out in even steps, its zeros are found between them, and the normal distribution's share of
/// the stretches where it holds is exact.
fn by_lines(
    way: Vector3<f64>,
    beside: &[Vector3<f64>],
    here_mm: f64,
    at: impl Fn(Vector3<f64>) -> Margin,
) -> (f64, f64) {
    let middles = |axis: Option<&Vector3<f64>>| -> Vec<(f64, Vector3<f64>)> {
        let Some(axis) = axis else { return vec![(0.0, Vector3::zeros())] };
        let cell = RIM / f64::from(GRID);
        (-GRID..GRID).map(|i| (f64::from(i) + 0.5) * cell).map(|z| (z, axis * z)).collect()
    };
    let (mut held, mut squares, mut whole) = (0.0, 0.0, 0.0);
    for (u, first) in middles(beside.first()) {
        for (v, second) in middles(beside.get(1)) {
            if u.hypot(v) > RIM {
                continue;
            }
            let foot = first + second;
            let weight = density(u) * density(v);
            let (on_it, square) = along_a_line(here_mm, |z| at(foot + way * z));
            held += weight * on_it;
            squares += weight * square;
            whole += weight;
        }
    }
    (held / whole, (squares / whole).sqrt())
}

/// The share of a standard normal line on which the margin holds, and its mean square change.
fn along_a_line(here_mm: f64, at: impl Fn(f64) -> Margin) -> (f64, f64) {
    let (mut held, mut squares) = (0.0, 0.0);
    let mut before: Option<(f64, Margin)> = None;
    for node in -NODES..=NODES {
        let z = f64::from(node) * RIM / f64::from(NODES);
        let margin = at(z);
        squares += (margin.mm - here_mm).powi(2) * density(z) * RIM / f64::from(NODES);
        let (from, was) = before.unwrap_or((f64::NEG_INFINITY, margin));
        let to = if node == NODES { f64::INFINITY } else { z };
        held += share_held((from, was), (z, margin), to);
        before = Some((z, margin));
    }
    (held, squares)
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

    /// The margin's elements: the first exact at the origin, the second known as told.
    fn against_exact(b: &PoseEstimate, margin: impl Fn(Pose) -> Margin) -> Weighed {
        weigh(&PoseEstimate::exact(Pose::new(0.0, 0.0, 90.0)), b, margin)
    }

    #[test]
    fn exact_poses_are_decided_by_the_limit_itself() {
        let exact = PoseEstimate::exact(Pose::new(0.0, 0.0, 0.0));
        let at_the_limit = against_exact(&exact, |_| of(0.0));
        assert_eq!(at_the_limit.verdict(), Verdict::Yes);
        let strict = against_exact(&exact, |_| Margin { limit: Limit::Strict, ..of(0.0) });
        assert_eq!(strict.verdict(), Verdict::No);
        assert_eq!((strict.sigma_mm, strict.probability), (0.0, 0.0));
    }

    #[test]
    fn a_call_is_clear_from_99_in_100_on() {
        let pose = known_to(0.5, 0.5);
        let ask = |mm: f64| against_exact(&pose, move |p| of(mm + p.centre.x));
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
        let w = weigh(&a, &a, |b| of(0.1 + b.centre.x - a.pose.centre.x));
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
            let w = against_exact(&pose, |p| of((a + p.centre.x).min(b + p.centre.y)));
            let right = normal_cdf(a) * normal_cdf(b);
            assert!(near(w.probability, right), "{a} {b}: {} for {right}", w.probability);
            let w = against_exact(&pose, |p| of((a + p.centre.x).max(b + p.centre.y)));
            let right = 1.0 - (1.0 - normal_cdf(a)) * (1.0 - normal_cdf(b));
            assert!(near(w.probability, right), "{a} {b}: {} for {right}", w.probability);
        }
    }

    #[test]
    fn a_fold_at_the_limit_is_seen() {
        // Contact within 1 mm of a gap that cannot be negative: |x| <= 1 with x spread by 0.8.
        let pose = known_to(0.8, 0.1);
        let w = against_exact(&pose, |p| of(1.0 - p.centre.x.abs()));
        let right = 1.0 - 2.0 * normal_cdf(-1.25);
        assert!(near(w.probability, right), "{} for {right}", w.probability);
    }

    #[test]
    fn a_distance_from_zero_up_is_never_said_to_be_less_than_nothing() {
        let pose = known_to(0.3, 0.3);
        let w = against_exact(&pose, |p| of(p.centre.coords.norm()));
        assert_eq!(w.verdict(), Verdict::Yes);
    }

    #[test]
    fn what_a_likely_pose_satisfies_cannot_be_denied() {
        let exact = PoseEstimate::exact(Pose::new(0.0, 0.0, 90.0));
        let pose = known_to(2.0, 2.0);
        // A place of 0.4 mm round (3, 3): 2.1 sigma off, and hardly one pose in a thousand is in it.
        let near = |p: Pose| of(0.4 - (p.centre.x - 3.0).hypot(p.centre.y - 3.0));
        assert!(weigh(&exact, &pose, near).probability < 0.01 && may_hold(&exact, &pose, near));
        // 4.2 sigma off it is denied.
        let far = |p: Pose| of(0.4 - (p.centre.x - 6.0).hypot(p.centre.y - 6.0));
        assert!(!may_hold(&exact, &pose, far));
        assert!(!may_hold(&exact, &exact, near) && may_hold(&exact, &exact, |_| of(0.0)));
    }

    proptest! {
        #[test]
        fn lines_agree_with_the_closed_form_where_both_apply(
            mm in -4.0..4.0f64, gx in -1.0..1.0f64, gy in -1.0..1.0f64,
        ) {
            prop_assume!(gx.abs() + gy.abs() > 0.2);
            let axes = [Vector3::x(), Vector3::y() * 0.5, Vector3::z() * 0.001];
            let plane = |step: Vector3<f64>| of(mm + gx * step.x + gy * step.y);
            let (way, beside) = line_axes(&axes, &|step| plane(step).mm - mm);
            let (probability, sigma) = by_lines(way, &beside, mm, plane);
            let right = gx.hypot(gy * 0.5);
            prop_assert!((sigma / right - 1.0).abs() < 0.01, "{sigma} for {right}");
            prop_assert!(near(probability, normal_cdf(mm / right)), "{probability}");
        }
    }
}
