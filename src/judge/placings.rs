//! A measured table with every base a little elsewhere, as its pose may be off: what all poses share by the same for all.
//!
//! The placings are a fixed row: the same poses give the same placings. In each, what the players have agreed holds, and
//! where battle lines were joined they are joined anew from where the bases then stand, so that a base that stands at the
//! limit of being joined is joined in some. Table frame, millimetres. Invariant: a table whose poses are all exact has none.
//!
//! What is said of a table is clear where not one of [`PLACINGS`] says otherwise: where one in a hundred did, that would
//! happen in 3 of 100 rows.

use super::Measured;
use super::measured::joined;
use crate::geometry::{Footprint, PoseEstimate, Source};
use crate::rules::facts::agree;
use crate::rules::{Settings, Setup};
use nalgebra::Vector3;

/// How many placings are looked at.
pub const PLACINGS: usize = 350;

/// The share that so many of the placings are.
pub(super) fn share(count: usize) -> f64 {
    count as f64 / PLACINGS as f64
}

/// One placing: where each base stands, in the setup's order.
#[derive(Debug, Clone)]
struct Placed {
    stands: Vec<Footprint>,
    /// Where it stands with whole battle lines joined, where they are.
    joined: Option<Vec<Footprint>>,
}

/// A pose and half axes of its own covariance.
type Known<'m> = (&'m PoseEstimate, [Vector3<f64>; 3]);

/// The placings of one table.
#[derive(Debug, Clone)]
pub(super) struct Placings<'m> {
    measured: &'m Measured,
    all: Vec<Placed>,
}

impl<'m> Placings<'m> {
    /// Those of a table; none where every pose is exact.
    pub fn of(measured: &'m Measured, settings: &Settings) -> Option<Self> {
        let elements = &measured.setup.elements;
        let poses: Vec<Option<Known<'_>>> =
            elements.iter().map(|e| measured.pose(&e.name).map(|pose| (pose, roots(pose)))).collect();
        let sure = |(pose, own): &Known<'_>| pose.shared.is_empty() && own.iter().all(|v| v.norm() == 0.0);
        if poses.iter().flatten().all(sure) {
            return None;
        }
        let mut row = Row(0x9e37_79b9_7f4a_7c15);
        let mut setup = measured.setup.clone();
        let all = (0..PLACINGS).map(|_| {
            let mut shared: Vec<(Source, f64)> = Vec::new();
            for (at, known) in poses.iter().enumerate() {
                let Some((pose, own)) = known else { continue };
                let mut off: Vector3<f64> = own.iter().map(|axis| axis * row.normal()).sum();
                for part in &pose.shared {
                    let known = shared.iter().find(|(source, _)| *source == part.source).map(|(_, z)| *z);
                    let z = known.unwrap_or_else(|| {
                        let z = row.normal();
                        shared.push((part.source, z));
                        z
                    });
                    off += part.per_sigma * z;
                }
                let base = elements[at].footprint;
                setup.elements[at].footprint = base.moved_to(base.pose().nudged(off.xy(), off.z));
            }
            placed(measured, settings, &setup)
        });
        Some(Self { measured, all: all.collect() })
    }

    /// What is found in each of them, given where the bases stand, and where with whole battle lines joined.
    pub fn each<T>(&self, mut found: impl FnMut(&Setup, &Setup) -> T) -> Vec<T> {
        let put = |setup: &mut Setup, bases: &[Footprint]| {
            for (element, base) in setup.elements.iter_mut().zip(bases) {
                element.footprint = *base;
            }
        };
        let (mut stands, mut joined) = (self.measured.setup.clone(), self.measured.setup.clone());
        let mut in_one = |placed: &Placed| {
            put(&mut stands, &placed.stands);
            match &placed.joined {
                Some(bases) => {
                    put(&mut joined, bases);
                    found(&stands, &joined)
                }
                None => found(&stands, &stands),
            }
        };
        self.all.iter().map(&mut in_one).collect()
    }
}

/// What was agreed, and the joining of lines, on a table as it is placed.
fn placed(measured: &Measured, settings: &Settings, setup: &Setup) -> Placed {
    let agreed = match measured.facts() {
        [] => None,
        // What cannot hold from there is left as it is placed.
        facts => agree(setup, settings, facts).ok().map(|agreed| agreed.setup),
    };
    let setup = agreed.as_ref().unwrap_or(setup);
    let bases = |setup: &Setup| setup.elements.iter().map(|e| e.footprint).collect();
    let joined = measured.is_joined().then(|| bases(&joined(setup, settings, measured.facts())));
    Placed { stands: bases(setup), joined }
}

/// Half axes of an element's own covariance, one sigma long.
fn roots(pose: &PoseEstimate) -> [Vector3<f64>; 3] {
    let eigen = pose.covariance.symmetric_eigen();
    [0, 1, 2].map(|n| {
        let length = eigen.eigenvalues[n].max(0.0).sqrt();
        let axis: Vector3<f64> = eigen.eigenvectors.column(n).into();
        axis * length
    })
}

/// A fixed row of numbers, evenly spread (SplitMix64).
#[derive(Debug, Clone)]
struct Row(u64);

impl Row {
    /// The next, above zero and up to one.
    fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64 + f64::EPSILON / 2.0
    }

    /// The next, normally distributed (Box and Muller).
    fn normal(&mut self) -> f64 {
        let (u, v) = (self.even(), self.even());
        (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
    }
}
