//! The certificate: distances on a check sheet as measured, beside what they are.
//!
//! At each place every pair of the sheet's tags gives one distance, its error and the sigma that was
//! claimed of it, shared errors included. Millimetres. Invariant: what was claimed is never fitted to the
//! errors; it is only compared with them.

use super::check::check_tags;
use crate::geometry::{JointCovariance, Point, PoseEstimate};
use crate::tracking::Tag;
use nalgebra::DVector;
use std::collections::BTreeMap;

/// Fewer places say little about a board.
pub const LEAST_PLACES: usize = 3;
/// Two places count apart from so much of the board's shorter side on.
const APART_SHARE: f64 = 1.0 / 6.0;
/// Fewer of the sheet's tags make no place.
pub const LEAST_CHECK_TAGS: usize = 4;
/// Errors this many times the sigma claimed are too large: with some twenty independent numbers the ratio
/// strays from one by a sixth, so this is three sigmas.
const TOO_LARGE: f64 = 1.5;
/// Errors below this share of the sigma claimed: it is more careful than it need be.
const SMALL: f64 = 0.5;

/// One distance of a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairCheck {
    /// From one tag ...
    pub from: Tag,
    /// ... to another.
    pub to: Tag,
    /// What it is.
    pub true_mm: f64,
    /// Measured, less what it is.
    pub error_mm: f64,
    /// One sigma that was claimed.
    pub sigma_mm: f64,
}

/// The sheet at one place.
#[derive(Debug, Clone, PartialEq)]
pub struct PlaceCheck {
    /// The picture it was seen in.
    pub label: String,
    /// Mean of its tags' centres, table frame.
    pub centre: Point,
    /// Its tags that were measured.
    pub tags: usize,
    /// Every pair of them.
    pub pairs: Vec<PairCheck>,
}

impl PlaceCheck {
    /// From the sheet's tags as measured; `scale` is the printed sheet's true size over its nominal size.
    /// `None` with fewer than [`LEAST_CHECK_TAGS`].
    pub fn of(label: &str, measured: &BTreeMap<Tag, PoseEstimate>, scale: f64) -> Option<Self> {
        let seen: Vec<(Tag, Point, &PoseEstimate)> =
            check_tags().into_iter().filter_map(|(tag, at)| Some((tag, at, measured.get(&tag)?))).collect();
        if seen.len() < LEAST_CHECK_TAGS {
            return None;
        }
        let sum = seen.iter().fold(nalgebra::Vector2::zeros(), |s, (_, _, e)| s + e.pose.centre.coords);
        let mut pairs = Vec::new();
        for (i, (from, at, a)) in seen.iter().enumerate() {
            for (to, there, b) in &seen[i + 1..] {
                let between = b.pose.centre - a.pose.centre;
                let along = between / between.norm().max(1e-9);
                let gradient = DVector::from_vec(vec![-along.x, -along.y, 0.0, along.x, along.y, 0.0]);
                let true_mm = (there - at).norm() * scale;
                pairs.push(PairCheck {
                    from: *from,
                    to: *to,
                    true_mm,
                    error_mm: between.norm() - true_mm,
                    sigma_mm: JointCovariance::of(&[a, b]).sigma(&gradient),
                });
            }
        }
        let centre = Point::from(sum / seen.len() as f64);
        Some(Self { label: label.to_owned(), centre, tags: seen.len(), pairs })
    }
}

/// Errors of many distances.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ErrorStatistics {
    /// How many.
    pub pairs: usize,
    /// Root mean square error.
    pub rms_mm: f64,
    /// The largest, without its sign.
    pub worst_mm: f64,
    /// Mean error; more than zero: measured too long.
    pub mean_mm: f64,
    /// Root mean square of the sigmas claimed.
    pub sigma_mm: f64,
    /// Root mean square of error over its own sigma: one where the claim is true.
    pub ratio: f64,
    /// The share of errors within two of their sigmas: 0.95 where the claim is true.
    pub within_two: f64,
    /// How much too long distances are measured, as a share of them: what a wrong scale looks like.
    pub stretch: f64,
}

impl ErrorStatistics {
    /// Of these distances; `None` of none.
    pub fn of<'a>(pairs: impl IntoIterator<Item = &'a PairCheck>) -> Option<Self> {
        let pairs: Vec<&PairCheck> = pairs.into_iter().collect();
        let n = pairs.len() as f64;
        if pairs.is_empty() {
            return None;
        }
        let sum = |f: fn(&PairCheck) -> f64| pairs.iter().map(|p| f(p)).sum::<f64>();
        let sigmas = |p: &PairCheck| p.error_mm / p.sigma_mm.max(1e-6);
        Some(Self {
            pairs: pairs.len(),
            rms_mm: (sum(|p| p.error_mm * p.error_mm) / n).sqrt(),
            worst_mm: pairs.iter().map(|p| p.error_mm.abs()).fold(0.0, f64::max),
            mean_mm: sum(|p| p.error_mm) / n,
            sigma_mm: (sum(|p| p.sigma_mm * p.sigma_mm) / n).sqrt(),
            ratio: (pairs.iter().map(|p| sigmas(p).powi(2)).sum::<f64>() / n).sqrt(),
            within_two: pairs.iter().filter(|p| sigmas(p).abs() <= 2.0).count() as f64 / n,
            stretch: sum(|p| p.error_mm * p.true_mm) / sum(|p| p.true_mm * p.true_mm),
        })
    }
}

/// Whether the errors are such as was claimed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    /// Too few places to say.
    TooFewPlaces,
    /// The errors are as large as was claimed.
    Agrees,
    /// The errors are clearly smaller: the plus-minus is careful.
    Careful,
    /// The errors are clearly larger: the plus-minus is not to be relied on.
    TooSmall,
}

impl Agreement {
    /// Of these places on a board of this width and depth, with these errors over all.
    pub fn of(places: &[PlaceCheck], board_mm: (f64, f64), all: &ErrorStatistics) -> Self {
        if all.ratio > TOO_LARGE {
            Self::TooSmall
        } else if spread(places, board_mm) < LEAST_PLACES {
            Self::TooFewPlaces
        } else if all.ratio < SMALL {
            Self::Careful
        } else {
            Self::Agrees
        }
    }

    /// One word or two for machines.
    pub fn name(self) -> &'static str {
        match self {
            Self::TooFewPlaces => "too few places",
            Self::Agrees => "agrees",
            Self::Careful => "careful",
            Self::TooSmall => "too small",
        }
    }

    /// The one that is called so.
    pub fn named(name: &str) -> Option<Self> {
        [Self::TooFewPlaces, Self::Agrees, Self::Careful, Self::TooSmall]
            .into_iter()
            .find(|a| a.name() == name)
    }

    /// What it means, and what to do.
    pub fn words(self) -> &'static str {
        match self {
            Self::TooFewPlaces => {
                "too few places to vouch for the board: lay the sheet in three or more, spread over it"
            }
            Self::Agrees => "the plus-minus that Groma claims is true",
            Self::Careful => "errors are smaller than Groma claims: its plus-minus is careful",
            Self::TooSmall => {
                "errors are larger than Groma claims: do not rely on it. Lay the sheet flat, measure its ruler, \
                 then make table file and lens profile again"
            }
        }
    }
}

/// How many of the places lie apart from each other.
fn spread(places: &[PlaceCheck], board_mm: (f64, f64)) -> usize {
    let least = APART_SHARE * board_mm.0.min(board_mm.1);
    let mut apart: Vec<Point> = Vec::new();
    for place in places {
        if apart.iter().all(|a| (a - place.centre).norm() >= least) {
            apart.push(place.centre);
        }
    }
    apart.len()
}

/// What a certificate was made with: with anything else it vouches for nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeldTo {
    /// A mark of the table file's board and reference tags.
    pub table: String,
    /// A mark of the lens profile; `None` where the lens was estimated.
    pub lens: Option<String>,
    /// What the camera calls itself; `None` where nobody knows.
    pub device: Option<String>,
}

impl HeldTo {
    /// What differs, in a word: "table file", "lens" or "camera". An unknown camera may be the same.
    pub fn differs(&self, other: &Self) -> Option<&'static str> {
        let known = self.device.as_ref().zip(other.device.as_ref());
        if self.table != other.table {
            Some("table file")
        } else if self.lens != other.lens {
            Some("lens")
        } else {
            known.filter(|(a, b)| a != b).map(|_| "camera")
        }
    }
}

/// What an umpire shows before the first round.
#[derive(Debug, Clone, PartialEq)]
pub struct Certificate {
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// The camera's name and its profile's day; `None` where the lens was estimated.
    pub profile: Option<(String, String)>,
    /// What it was made with.
    pub held_to: HeldTo,
    /// The table's file.
    pub table: String,
    /// The playing area, width and depth.
    pub board_mm: (f64, f64),
    /// Measured length of the sheet's ruler, whose nominal length is 100.
    pub ruler_mm: f64,
    /// Every place.
    pub places: Vec<PlaceCheck>,
    /// Over all places.
    pub all: ErrorStatistics,
    /// Whether errors and claim agree.
    pub agreement: Agreement,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{Pose, Sensitivity, Source};
    use nalgebra::{Matrix3, Vector3};

    /// The sheet as measured at a place, each tag `error(n)` off along x, sigma 0.1 mm each way.
    fn measured(scale: f64, error: impl Fn(usize) -> f64) -> BTreeMap<Tag, PoseEstimate> {
        check_tags()
            .into_iter()
            .enumerate()
            .map(|(n, (tag, at))| {
                let pose = Pose::new(300.0 + at.x * scale + error(n), 200.0 + at.y * scale, 90.0);
                // An error that all share moves no distance.
                let source = Source::Registration { camera: 0, component: 0 };
                let shared = vec![Sensitivity { source, per_sigma: Vector3::new(2.0, 1.0, 0.0) }];
                (tag, PoseEstimate { pose, covariance: Matrix3::identity() * 0.01, shared })
            })
            .collect()
    }

    const BOARD: (f64, f64) = (600.0, 600.0);

    /// Places in a row along the board, so far apart.
    fn row(count: usize, apart_mm: f64) -> Vec<PlaceCheck> {
        (0..count)
            .map(|n| PlaceCheck {
                label: "a".to_owned(),
                centre: Point::new(apart_mm * n as f64, 0.0),
                tags: 12,
                pairs: Vec::new(),
            })
            .collect()
    }

    #[test]
    fn a_true_sheet_has_no_error_and_a_claim_without_what_is_shared() {
        let place = PlaceCheck::of("a", &measured(1.0, |_| 0.0), 1.0).expect("twelve tags");
        assert_eq!((place.tags, place.pairs.len()), (12, 66));
        let all = ErrorStatistics::of(&place.pairs).expect("pairs");
        assert!(all.worst_mm < 1e-9 && (all.sigma_mm - 0.02f64.sqrt()).abs() < 1e-9, "{all:?}");
        assert!((place.centre - Point::new(300.0, 200.0)).norm() < 1e-9);
        assert_eq!(Agreement::of(&row(3, 100.0), BOARD, &all), Agreement::Careful);
    }

    #[test]
    fn a_wrong_scale_is_a_stretch_and_a_measured_ruler_takes_it_out() {
        let stretched = measured(1.01, |_| 0.0);
        let with = |scale| {
            let place = PlaceCheck::of("a", &stretched, scale).expect("twelve tags");
            ErrorStatistics::of(&place.pairs).expect("pairs")
        };
        assert!((with(1.0).stretch - 0.01).abs() < 1e-9 && with(1.01).worst_mm < 1e-9);
        assert_eq!(Agreement::of(&row(3, 100.0), BOARD, &with(1.0)), Agreement::TooSmall);
    }

    #[test]
    fn errors_beside_the_claim_give_the_verdict() {
        let with = |size: f64| {
            let off = move |n: usize| size * [1.0, -0.6, 0.4, -1.1, 0.2, 0.9, -0.7][n * 5 % 7];
            let place = PlaceCheck::of("a", &measured(1.0, off), 1.0).expect("twelve tags");
            ErrorStatistics::of(&place.pairs).expect("pairs")
        };
        assert_eq!(Agreement::of(&row(5, 100.0), BOARD, &with(0.15)), Agreement::Agrees, "{:?}", with(0.15));
        for few in [row(2, 200.0), row(5, 10.0)] {
            assert_eq!(Agreement::of(&few, BOARD, &with(0.15)), Agreement::TooFewPlaces);
        }
        assert_eq!(Agreement::of(&row(5, 100.0), BOARD, &with(0.8)), Agreement::TooSmall, "{:?}", with(0.8));
        assert_eq!(Agreement::of(&row(5, 100.0), BOARD, &with(0.02)), Agreement::Careful);
    }

    #[test]
    fn three_tags_are_no_place() {
        let mut few = measured(1.0, |_| 0.0);
        while few.len() > 3 {
            few.pop_first();
        }
        assert_eq!(PlaceCheck::of("a", &few, 1.0), None);
    }
}
