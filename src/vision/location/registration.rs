//! The camera's pose, and for want of a profile its lens, from the reference tags.
//!
//! Every subset of the reference tags that leaves out none, one or two is tried; one is left out only
//! where the rest then fit several times better: a stick over a reference tag, or a tag that was
//! knocked. With a lens profile the lens is taken as exact. Without one, focal length, principal point
//! and two terms of bending are estimated under a prior, and their uncertainty goes into every pose.

use super::least_squares::{Normal, minimise};
use super::noise::CornerNoise;
use super::projection::{LENS_UNKNOWNS, POSE_UNKNOWNS, lens_moved, pose_moved, project};
use super::start::first_poses;
use crate::tracking::{ReferenceTag, Tag, TagCorners};
use crate::vision::{CameraModel, Lens, PixelPoint};
use nalgebra::{DMatrix, DVector, Point3};

/// What is believed of a lens without a profile, one sigma each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LensPrior {
    /// Field of view across the longer side of the picture, degrees: the middle of 55 to 90 in the
    /// logarithm of the focal length.
    pub field_of_view_deg: f64,
    /// Logarithm of the focal length: 55 to 90 degrees are two sigma.
    pub ln_focal: f64,
    /// Principal point off the picture's centre, as a share of the longer side. Webcams are within one
    /// in a hundred; believing it exactly central would make every sigma too small.
    pub centre_share: f64,
    /// First term of bending.
    pub k1: f64,
    /// Second term. It is there for honesty of the sigmas alone.
    pub k2: f64,
}

impl Default for LensPrior {
    fn default() -> Self {
        Self { field_of_view_deg: 71.6, ln_focal: 0.163, centre_share: 0.005, k1: 0.1, k2: 0.05 }
    }
}

/// What registration goes by.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RegistrationSettings {
    /// Belief about a lens without a profile.
    pub lens_prior: LensPrior,
    /// A reference tag is left out only if the others' mean squared misfit is so many times smaller
    /// without it. By chance alone a ratio of 6 over 18 and 26 degrees of freedom comes once in 10,000.
    pub drop_ratio: f64,
    /// A mean misfit below this is never worth leaving a tag out, pixels.
    pub good_px: f64,
    /// Above this mean misfit, as a share of the picture's longer side, the table file and the picture
    /// do not agree: 0.0015 is 2.9 pixels at 1920, some 2 mm on a board of 60 cm.
    pub most_misfit_share: f64,
}

impl Default for RegistrationSettings {
    fn default() -> Self {
        Self { lens_prior: LensPrior::default(), drop_ratio: 6.0, good_px: 0.1, most_misfit_share: 0.0015 }
    }
}

/// The least number of reference tags a table must name.
pub const LEAST_KNOWN: usize = 4;

/// The least number that must be seen: two tags far apart fix a pose, and a third checks them; without
/// a profile the lens must come from them too.
pub fn least_seen(lens: Option<&Lens>) -> usize {
    if lens.is_some() { 2 } else { 3 }
}

/// Why a frame could not be placed on the table. Every message says what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RegistrationError {
    /// The table file names too few reference tags.
    #[error(
        "the table names {known} reference tags: at least {LEAST_KNOWN} are needed, spread round the board"
    )]
    TooFewKnown {
        /// How many it names.
        known: usize,
    },
    /// Too few are in the picture.
    #[error(
        "{seen} of {known} reference tags seen: {needed} are needed; clear the view of the reference tags or move the camera so that it sees them"
    )]
    TooFewSeen {
        /// How many were found.
        seen: usize,
        /// How many the table names.
        known: usize,
        /// How many it takes.
        needed: usize,
    },
    /// They do not fit together.
    #[error(
        "the {seen} reference tags seen do not fit together: misfit {misfit_px:.1} px, {most_px:.1} allowed; one may have been moved, or the table file has a wrong place, size or rotation"
    )]
    Disagree {
        /// How many were found.
        seen: usize,
        /// Root mean square misfit of their corners.
        misfit_px: f64,
        /// The limit.
        most_px: f64,
    },
    /// The lens profile was made for another picture size.
    #[error(
        "the lens profile is for {profile_width}x{profile_height} pictures and this one is {width}x{height}: use a profile made at this size, or none; it is not rescaled"
    )]
    LensSize {
        /// Columns of the profile.
        profile_width: u32,
        /// Rows of the profile.
        profile_height: u32,
        /// Columns of the picture.
        width: usize,
        /// Rows of the picture.
        height: usize,
    },
}

/// A reference tag as found in the picture.
#[derive(Debug, Clone, Copy)]
pub struct ReferenceSight {
    /// Where it lies on the table.
    pub place: ReferenceTag,
    /// Where its corners are in the picture.
    pub corners_px: TagCorners<PixelPoint>,
}

/// A camera placed on the table, with its uncertainty.
#[derive(Debug, Clone)]
pub struct RegisteredCamera {
    /// Pose and lens.
    pub model: CameraModel,
    /// Whether the lens was estimated too.
    pub lens_estimated: bool,
    /// Root mean square distance of the used reference corners from their places, pixels.
    pub residual_px: f64,
    /// Reference tags that were used.
    pub used: Vec<Tag>,
    /// Sights, counted as they were given, that do not fit the others, with their misfit in pixels.
    pub left_out: Vec<(usize, f64)>,
    /// Columns of the root of the covariance over pose and, if estimated, lens.
    pub root: DMatrix<f64>,
}

impl ReferenceSight {
    /// The printed corners on the table.
    fn corners_on_table(&self) -> TagCorners<Point3<f64>> {
        let p = &self.place;
        let (sin, cos) = p.rotation_deg.to_radians().sin_cos();
        let half = p.size_mm / 2.0;
        TagCorners {
            top_left: (-half, half),
            top_right: (half, half),
            bottom_right: (half, -half),
            bottom_left: (-half, -half),
        }
        .map(|(x, y)| Point3::new(p.x_mm + cos * x - sin * y, p.y_mm + sin * x + cos * y, p.z_mm))
    }

    /// Pairs of printed place and picture place.
    pub(super) fn pairs(&self) -> impl Iterator<Item = (Point3<f64>, PixelPoint)> + use<> {
        self.corners_on_table().in_order().into_iter().zip(self.corners_px.in_order())
    }

    /// Root mean square misfit under `camera`, infinite behind it.
    fn misfit_px(&self, camera: &CameraModel) -> f64 {
        let squares = self.pairs().map(|(place, pixel)| {
            camera.image_from_table(place).map_or(f64::INFINITY, |p| (p - pixel).norm_squared())
        });
        (squares.sum::<f64>() / 4.0).sqrt()
    }
}

/// One fit to a subset.
struct Trial {
    model: CameraModel,
    normal: Normal,
    /// Mean squared misfit a degree of freedom, pixels squared; priors left out.
    spread_px2: f64,
    chosen: Vec<usize>,
}

/// Places the camera. `sights` may hold several sights of one tag: at most one of each is used.
/// `size` is the picture's columns and rows.
pub fn register(
    sights: &[ReferenceSight],
    known: usize,
    size: (usize, usize),
    lens: Option<&Lens>,
    noise: &CornerNoise,
    settings: &RegistrationSettings,
) -> Result<RegisteredCamera, RegistrationError> {
    if known < LEAST_KNOWN {
        return Err(RegistrationError::TooFewKnown { known });
    }
    if let Some(l) = lens.filter(|l| (l.width as usize, l.height as usize) != size) {
        return Err(RegistrationError::LensSize {
            profile_width: l.width,
            profile_height: l.height,
            width: size.0,
            height: size.1,
        });
    }
    let needed = least_seen(lens);
    let seen = distinct(sights, &(0..sights.len()).collect::<Vec<_>>());
    if seen < needed {
        return Err(RegistrationError::TooFewSeen { seen, known, needed });
    }
    let problem = Problem { sights, size, lens, prior: &settings.lens_prior, sigma_px: noise.sigma_px };
    let most_px = settings.most_misfit_share * size.0.max(size.1) as f64;
    let best = problem.best(needed, settings);
    let Some(trial) = best.filter(|t| t.spread_px2.sqrt() <= most_px) else {
        let misfit_px = problem.best(needed, settings).map_or(f64::INFINITY, |t| t.spread_px2.sqrt());
        return Err(RegistrationError::Disagree { seen, misfit_px, most_px });
    };
    Ok(problem.finish(trial, noise))
}

/// How many different tags the chosen sights show.
fn distinct(sights: &[ReferenceSight], chosen: &[usize]) -> usize {
    chosen.iter().map(|&i| sights[i].place.tag).collect::<std::collections::BTreeSet<_>>().len()
}

struct Problem<'a> {
    sights: &'a [ReferenceSight],
    size: (usize, usize),
    lens: Option<&'a Lens>,
    prior: &'a LensPrior,
    sigma_px: f64,
}

impl Problem<'_> {
    fn unknowns(&self) -> usize {
        POSE_UNKNOWNS + if self.lens.is_some() { 0 } else { LENS_UNKNOWNS }
    }

    /// The fit to as many sights as agree: none, one or two left out, each only for good reason.
    fn best(&self, needed: usize, settings: &RegistrationSettings) -> Option<Trial> {
        let all: Vec<usize> = (0..self.sights.len()).collect();
        let unique = distinct(self.sights, &all) == all.len();
        let mut best = if unique { self.fit(&all) } else { None };
        let good = settings.good_px * settings.good_px;
        for left_out in 1..=2 {
            if best.as_ref().is_some_and(|t| t.spread_px2 <= good) || all.len() < needed + left_out {
                break;
            }
            let next = subsets_without(&all, left_out)
                .into_iter()
                .filter(|chosen| distinct(self.sights, chosen) == chosen.len())
                .filter_map(|chosen| self.fit(&chosen))
                .min_by(|a, b| a.spread_px2.total_cmp(&b.spread_px2));
            if let Some(next) = next {
                let worth = best
                    .as_ref()
                    .is_none_or(|b| b.spread_px2 > settings.drop_ratio * next.spread_px2.max(good / 4.0));
                if worth {
                    best = Some(next);
                }
            }
        }
        best
    }

    /// The least-squares camera for these sights.
    fn fit(&self, chosen: &[usize]) -> Option<Trial> {
        let pairs: Vec<_> = chosen.iter().flat_map(|&i| self.sights[i].pairs()).collect();
        let highest = pairs.iter().map(|(p, _)| p.z).fold(f64::NEG_INFINITY, f64::max);
        let lenses = match self.lens {
            Some(lens) => vec![*lens],
            None => [58.0, self.prior.field_of_view_deg, 86.0].map(|fov| self.plain_lens(fov)).to_vec(),
        };
        let (model, normal) = lenses
            .iter()
            .flat_map(|lens| {
                first_poses(&pairs, lens).into_iter().map(|pose| CameraModel { lens: *lens, pose })
            })
            .filter_map(|start| minimise(start, |c| self.equations(&pairs, c), |c, step| self.moved(c, step)))
            .filter(|(c, _)| c.pose.eye().z > highest)
            .min_by(|a, b| a.1.cost.total_cmp(&b.1.cost))?;
        let squares: f64 = chosen.iter().map(|&i| 4.0 * self.sights[i].misfit_px(&model).powi(2)).sum();
        // Priors hold the lens as much as the picture does: it is not counted as fitted.
        let freedom = (2 * pairs.len()).saturating_sub(POSE_UNKNOWNS).max(1) as f64;
        Some(Trial { model, normal, spread_px2: squares / freedom, chosen: chosen.to_vec() })
    }

    fn plain_lens(&self, fov_deg: f64) -> Lens {
        let (width, height) = (self.size.0 as u32, self.size.1 as u32);
        let longer = Lens::from_field_of_view(width.max(height), width.min(height), fov_deg);
        Lens {
            width,
            height,
            cx: (f64::from(width) - 1.0) / 2.0,
            cy: (f64::from(height) - 1.0) / 2.0,
            ..longer
        }
    }

    /// Normal equations in pixels; the lens prior is scaled to the corners' sigma.
    fn equations(&self, pairs: &[(Point3<f64>, PixelPoint)], camera: &CameraModel) -> Option<Normal> {
        let unknowns = self.unknowns();
        let mut normal = Normal::zeros(unknowns);
        let mut row = DVector::zeros(unknowns);
        for (place, pixel) in pairs {
            let p = project(camera, *place)?;
            for axis in 0..2 {
                for i in 0..POSE_UNKNOWNS {
                    row[i] = p.by_pose[(axis, i)];
                }
                for i in POSE_UNKNOWNS..unknowns {
                    row[i] = p.by_lens[(axis, i - POSE_UNKNOWNS)];
                }
                normal.add(p.pixel[axis] - pixel[axis], &row);
            }
        }
        if self.lens.is_none() {
            let central = self.plain_lens(self.prior.field_of_view_deg);
            let centre_px = self.prior.centre_share * self.size.0.max(self.size.1) as f64;
            let l = &camera.lens;
            let off = [
                ((l.fx / central.fx).ln(), self.prior.ln_focal),
                (l.cx - central.cx, centre_px),
                (l.cy - central.cy, centre_px),
                (l.distortion.k1, self.prior.k1),
                (l.distortion.k2, self.prior.k2),
            ];
            for (i, (value, sigma)) in off.into_iter().enumerate() {
                row.fill(0.0);
                row[POSE_UNKNOWNS + i] = self.sigma_px / sigma;
                normal.add(value * self.sigma_px / sigma, &row);
            }
        }
        Some(normal)
    }

    fn moved(&self, camera: &CameraModel, step: &DVector<f64>) -> CameraModel {
        let (pose, lens) = step.as_slice().split_at(POSE_UNKNOWNS);
        CameraModel {
            pose: pose_moved(&camera.pose, pose),
            lens: if lens.is_empty() { camera.lens } else { lens_moved(&camera.lens, lens) },
        }
    }

    /// Covariance and the list of what was used.
    fn finish(&self, trial: Trial, noise: &CornerNoise) -> RegisteredCamera {
        let Trial { model, normal, chosen, .. } = trial;
        let squares: f64 = chosen.iter().map(|&i| 4.0 * self.sights[i].misfit_px(&model).powi(2)).sum();
        let corners = 4 * chosen.len();
        let freedom = (2 * corners).saturating_sub(POSE_UNKNOWNS) as f64;
        let sigma = noise.seen(squares, freedom);
        let root = self.root(&model, &normal, &chosen, sigma, noise.common_share);
        let left_out = (0..self.sights.len())
            .filter(|i| !chosen.contains(i))
            .map(|i| (i, self.sights[i].misfit_px(&model)))
            .collect();
        RegisteredCamera {
            model,
            lens_estimated: self.lens.is_none(),
            residual_px: (squares / corners as f64).sqrt(),
            used: chosen.iter().map(|&i| self.sights[i].place.tag).collect(),
            left_out,
            root,
        }
    }

    /// Root of the covariance H^-1 (s2 H_corners + c2 sum over tags g gt + priors) H^-1, where g sums a
    /// tag's rows along one axis: the error that its four corners have in common.
    fn root(
        &self,
        model: &CameraModel,
        normal: &Normal,
        chosen: &[usize],
        sigma: f64,
        common_share: f64,
    ) -> DMatrix<f64> {
        let unknowns = self.unknowns();
        // The fit scaled the prior to `sigma_px`, so the whole Hessian scales with the sigma believed.
        let mut spread = &normal.hessian * (sigma * sigma);
        let common = sigma * common_share;
        for &i in chosen {
            for axis in 0..2 {
                let mut g = DVector::zeros(unknowns);
                for (place, _) in self.sights[i].pairs() {
                    let Some(p) = project(model, place) else { continue };
                    for k in 0..unknowns {
                        g[k] += if k < POSE_UNKNOWNS {
                            p.by_pose[(axis, k)]
                        } else {
                            p.by_lens[(axis, k - POSE_UNKNOWNS)]
                        };
                    }
                }
                spread.ger(common * common, &g, &g, 1.0);
            }
        }
        if self.lens.is_none() {
            // The prior's own part is not corner noise: give it its full weight back.
            let centre_px = self.prior.centre_share * self.size.0.max(self.size.1) as f64;
            let sigmas = [self.prior.ln_focal, centre_px, centre_px, self.prior.k1, self.prior.k2];
            for (i, prior) in sigmas.into_iter().enumerate() {
                let weight = (self.sigma_px / prior).powi(2);
                let k = POSE_UNKNOWNS + i;
                spread[(k, k)] += weight * self.sigma_px.powi(2) - weight * sigma * sigma;
            }
        }
        // Columns scaled to one before inverting: radians and pixels differ by many powers of ten.
        let scale = DVector::from_fn(unknowns, |i, _| normal.hessian[(i, i)].max(1e-300).sqrt().recip());
        let scaled =
            DMatrix::from_fn(unknowns, unknowns, |i, j| normal.hessian[(i, j)] * scale[i] * scale[j]);
        let Some(inverse) = scaled.try_inverse() else { return DMatrix::zeros(unknowns, 0) };
        let inverse = DMatrix::from_fn(unknowns, unknowns, |i, j| inverse[(i, j)] * scale[i] * scale[j]);
        let covariance = &inverse * spread * &inverse;
        root_of(&covariance)
    }
}

/// R with R Rt = covariance, by eigenvalues of the correlation; negative ones (rounding) count as none.
fn root_of(covariance: &DMatrix<f64>) -> DMatrix<f64> {
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

/// Every subset with exactly one or two left out.
fn subsets_without(all: &[usize], left_out: usize) -> Vec<Vec<usize>> {
    let without = |skip: &[usize]| all.iter().copied().filter(|i| !skip.contains(i)).collect::<Vec<_>>();
    match left_out {
        1 => all.iter().map(|&i| without(&[i])).collect(),
        _ => all
            .iter()
            .flat_map(|&i| all.iter().filter(move |&&j| j > i).map(move |&j| (i, j)))
            .map(|(i, j)| without(&[i, j]))
            .collect(),
    }
}
