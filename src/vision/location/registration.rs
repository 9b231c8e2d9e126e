//! The camera's pose, and for want of a profile its lens, from the reference tags.
//!
//! Subsets of the reference tags that leave out none, one or two are tried; one is left out only where
//! the rest, a majority, then fit several times better, and better than any other choice: a stick over a
//! reference tag, or a tag that was knocked. With a lens profile the lens is taken as exact. Without one,
//! focal length, principal point and the terms of bending are estimated under a prior, and their
//! uncertainty goes into every pose.

use super::least_squares::{Normal, inverse_of, minimise, root_of};
use super::noise::CornerNoise;
use super::projection::{LENS_UNKNOWNS, POSE_UNKNOWNS, lens_moved, pose_moved, project};
use super::reference::{
    LEAST_KNOWN, LensPrior, ReferenceSight, RegistrationError, RegistrationSettings, least_seen,
};
use super::start::first_poses;
use crate::tracking::Tag;
use crate::vision::{CameraModel, Lens, PixelPoint};
use nalgebra::{DMatrix, DVector, Point3};

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

/// One fit to a subset.
struct Trial {
    model: CameraModel,
    normal: Normal,
    /// Mean squared misfit a degree of freedom, pixels squared. A lens that must be stretched beyond its
    /// prior to fit counts as misfit too.
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

/// A camera to look for more reference tags with: as [`register`] places it, but two tags are enough though the lens is
/// not known. `None` where the sights do not fit together.
pub(in crate::vision) fn guess(
    sights: &[ReferenceSight],
    size: (usize, usize),
    lens: Option<&Lens>,
    noise: &CornerNoise,
    settings: &RegistrationSettings,
) -> Option<CameraModel> {
    let problem = Problem { sights, size, lens, prior: &settings.lens_prior, sigma_px: noise.sigma_px };
    let most_px = settings.most_misfit_share * size.0.max(size.1) as f64;
    let fits = |l: &Lens| (l.width as usize, l.height as usize) == size;
    if !lens.is_none_or(fits) || distinct(sights, &(0..sights.len()).collect::<Vec<_>>()) < LEAST_GUESS {
        return None;
    }
    problem.best(LEAST_GUESS, settings).filter(|t| t.spread_px2.sqrt() <= most_px).map(|t| t.model)
}

/// Reference tags for a [`guess`].
const LEAST_GUESS: usize = 2;

/// Numbers left over when `fitted` unknowns are fitted to the corners of so many tags, the insets taken out.
fn freedom(tags: usize, fitted: f64) -> f64 {
    ((7 * tags) as f64 - fitted).max(1.0)
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
        // Corners that scatter no more than expected are never worth leaving a tag out.
        let good = self.sigma_px * self.sigma_px;
        for left_out in 1..=2 {
            if best.as_ref().is_some_and(|t| t.spread_px2 <= good) || all.len() < needed + left_out {
                break;
            }
            let mut trials: Vec<Trial> = subsets_without(&all, left_out)
                .into_iter()
                // Those that stay must outnumber those that go.
                .filter(|chosen| distinct(self.sights, chosen) > left_out)
                .filter(|chosen| distinct(self.sights, chosen) == chosen.len())
                .filter_map(|chosen| self.fit(&chosen))
                .collect();
            trials.sort_by(|a, b| a.spread_px2.total_cmp(&b.spread_px2));
            let mut trials = trials.into_iter();
            let Some(next) = trials.next() else { continue };
            let bar = settings.drop_ratio * next.spread_px2.max(good / 4.0);
            // Better than with all, and no other choice of tags to leave out would do as well.
            let worth = best.as_ref().is_none_or(|b| b.spread_px2 > bar);
            let clear = trials.next().is_none_or(|second| second.spread_px2 > bar);
            if worth && clear {
                best = Some(next);
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
        let corners: f64 = chosen.iter().map(|&i| self.sights[i].squares_px2(&model)).sum();
        // Each unknown of the lens comes with a prior that counts as one number more: only the pose is fitted.
        let squares = corners + self.prior_squares_px2(&model);
        let spread_px2 = squares / freedom(chosen.len(), POSE_UNKNOWNS as f64);
        Some(Trial { model, normal, spread_px2, chosen: chosen.to_vec() })
    }

    /// Sigmas of the lens's unknowns, in their order.
    fn prior_sigmas(&self) -> [f64; LENS_UNKNOWNS] {
        let p = self.prior;
        let centre_px = p.centre_share * self.size.0.max(self.size.1) as f64;
        [p.ln_focal, centre_px, centre_px, p.k1, p.k2, p.tangential, p.tangential]
    }

    /// How far the lens's unknowns are from the middle of their prior.
    fn off_prior(&self, camera: &CameraModel) -> [f64; LENS_UNKNOWNS] {
        let central = self.plain_lens(self.prior.field_of_view_deg);
        let (l, d) = (&camera.lens, &camera.lens.distortion);
        let focal = (l.fx / central.fx).ln();
        [focal, l.cx - central.cx, l.cy - central.cy, d.k1, d.k2, d.p1, d.p2]
    }

    /// Sum of squares of the prior, weighed as pixels; none with a profile.
    fn prior_squares_px2(&self, camera: &CameraModel) -> f64 {
        if self.lens.is_some() {
            return 0.0;
        }
        let off = self.off_prior(camera).into_iter().zip(self.prior_sigmas());
        off.map(|(value, sigma)| (value / sigma * self.sigma_px).powi(2)).sum()
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
            for (i, (value, sigma)) in self.off_prior(camera).into_iter().zip(self.prior_sigmas()).enumerate()
            {
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
        let squares: f64 = chosen.iter().map(|&i| self.sights[i].squares_px2(&model)).sum();
        let root = match inverse_of(&normal.hessian) {
            Some(inverse) => {
                let sigma = noise.seen(squares, freedom(chosen.len(), self.fitted(&inverse)));
                self.root(&normal, &inverse, sigma, &self.places(&model, &chosen))
            }
            None => DMatrix::zeros(self.unknowns(), 0),
        };
        let left_out = (0..self.sights.len())
            .filter(|i| !chosen.contains(i))
            .map(|i| (i, (self.sights[i].squares_px2(&model) / 4.0).sqrt()))
            .collect();
        RegisteredCamera {
            model,
            lens_estimated: self.lens.is_none(),
            residual_px: (squares / (4 * chosen.len()) as f64).sqrt(),
            used: chosen.iter().map(|&i| self.sights[i].place.tag).collect(),
            left_out,
            root,
        }
    }

    /// What the reference tags' own places are not known to: the gradient's answer to one sigma of each, a
    /// column for each tag and axis. A place that is off moves all four corners of its tag together.
    fn places(&self, camera: &CameraModel, chosen: &[usize]) -> DMatrix<f64> {
        let unknowns = self.unknowns();
        let mut columns = DMatrix::zeros(unknowns, 2 * chosen.len());
        for (n, &i) in chosen.iter().enumerate() {
            let sigma_mm = self.sights[i].place.sigma_mm;
            for (place, _) in self.sights[i].pairs() {
                let Some(p) = project(camera, place) else { continue };
                for axis in 0..2 {
                    for k in 0..unknowns {
                        let by = |row: usize| match k.checked_sub(POSE_UNKNOWNS) {
                            None => p.by_pose[(row, k)],
                            Some(lens) => p.by_lens[(row, lens)],
                        };
                        columns[(k, 2 * n + axis)] +=
                            sigma_mm * (by(0) * p.by_point[(0, axis)] + by(1) * p.by_point[(1, axis)]);
                    }
                }
            }
        }
        columns
    }

    /// Weights of the lens's priors beside corners that weigh one a pixel; none with a profile.
    fn prior_weights(&self) -> impl Iterator<Item = (usize, f64)> + use<> {
        let estimated = self.lens.is_none().then(|| self.prior_sigmas());
        let sigma_px = self.sigma_px;
        let weights = estimated.into_iter().flatten().map(move |prior| (sigma_px / prior).powi(2));
        weights.enumerate().map(|(i, weight)| (POSE_UNKNOWNS + i, weight))
    }

    /// How many unknowns the corners themselves determine: the trace of H^-1 J^T J. What a prior holds of the lens is
    /// not fitted to them.
    fn fitted(&self, inverse: &DMatrix<f64>) -> f64 {
        let held: f64 = self.prior_weights().map(|(k, weight)| weight * inverse[(k, k)]).sum();
        self.unknowns() as f64 - held
    }

    /// Root of the covariance H^-1 S H^-1: H as fitted, S with the corners' sigma as it was seen and the
    /// `places`' own.
    fn root(
        &self,
        normal: &Normal,
        inverse: &DMatrix<f64>,
        sigma: f64,
        places: &DMatrix<f64>,
    ) -> DMatrix<f64> {
        let mut spread = &normal.hessian * (sigma * sigma) + places * places.transpose();
        // The prior is no corner noise: its part of H keeps the sigma that it was weighed with.
        for (k, weight) in self.prior_weights() {
            spread[(k, k)] += weight * (self.sigma_px.powi(2) - sigma * sigma);
        }
        root_of(&(inverse * spread * inverse))
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::TagFamily;
    use crate::tracking::{ReferenceTag, TagCorners};
    use crate::vision::{CameraPose, Distortion};

    const SIZE: (usize, usize) = (1920, 1080);

    fn camera(eye_y: f64) -> CameraModel {
        let mut lens = Lens::from_field_of_view(1920, 1080, 70.0);
        lens.distortion = Distortion { k1: -0.08, k2: 0.03, p1: 2e-4, p2: -3e-4, k3: 0.0 };
        (lens.cx, lens.cy) = (lens.cx + 4.0, lens.cy - 3.0);
        let target = Point3::new(300.0, 300.0, 0.0);
        let pose = CameraPose::looking_at(Point3::new(310.0, eye_y, 1000.0), target, 1.0);
        CameraModel { lens, pose: pose.expect("eye and target differ") }
    }

    /// Reference tags round a board of 600 mm, seen by `camera`, with errors of about 0.05 px.
    fn sights(camera: &CameraModel, places: &[(f64, f64)]) -> Vec<ReferenceSight> {
        let mut state = 17u64;
        let mut error = move || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 40) as f64 / (1u64 << 24) as f64 - 0.5) * 0.17
        };
        let sight = |(id, &(x_mm, y_mm)): (u32, &(f64, f64))| {
            let tag = Tag::new(TagFamily::Tag36h11, id);
            let place =
                ReferenceTag { tag, size_mm: 40.0, x_mm, y_mm, z_mm: 0.3, rotation_deg: 90.0, sigma_mm: 0.0 };
            let blank = TagCorners::from_order([PixelPoint::origin(); 4]);
            let printed = ReferenceSight { place, corners_px: blank }.corners_on_table();
            let corners_px = printed.map(|p| {
                let seen = camera.image_from_table(p).expect("in front");
                PixelPoint::new(seen.x + error(), seen.y + error())
            });
            ReferenceSight { place, corners_px }
        };
        (0..).zip(places).map(sight).collect()
    }

    const FOUR: [(f64, f64); 4] = [(-30.0, -30.0), (630.0, -30.0), (630.0, 630.0), (-30.0, 630.0)];

    fn placed(sights: &[ReferenceSight], lens: Option<&Lens>) -> Result<RegisteredCamera, RegistrationError> {
        register(sights, 4, SIZE, lens, &CornerNoise::default(), &RegistrationSettings::default())
    }

    fn eye_error_mm(found: &RegisteredCamera, real: &CameraModel) -> f64 {
        (found.model.pose.eye() - real.pose.eye()).norm()
    }

    #[test]
    fn with_a_profile_four_tags_place_the_camera() {
        let real = camera(-100.0);
        let found = placed(&sights(&real, &FOUR), Some(&real.lens)).expect("four good tags");
        assert!(eye_error_mm(&found, &real) < 1.0 && found.residual_px < 0.1);
        assert!(found.left_out.is_empty() && !found.lens_estimated);
        assert_eq!(found.root.shape(), (POSE_UNKNOWNS, POSE_UNKNOWNS));
    }

    #[test]
    fn a_tag_that_was_knocked_is_left_out_and_named() {
        let real = camera(-100.0);
        // Without a profile a small knock could as well be the lens's doing.
        for (lens, knock_mm) in [(Some(&real.lens), 4.0), (None, 15.0)] {
            let mut seen = sights(&real, &FOUR);
            // The table file still has the old place.
            seen[2].place.x_mm += knock_mm;
            let found = placed(&seen, lens).expect("three good tags");
            assert_eq!(found.left_out.len(), 1, "{lens:?}");
            assert_eq!(found.left_out[0].0, 2);
            assert!(found.left_out[0].1 > 3.0, "{:?}", found.left_out);
        }
    }

    #[test]
    fn of_two_sights_of_one_tag_the_one_that_fits_is_used() {
        let real = camera(-100.0);
        let mut seen = sights(&real, &FOUR);
        let mut ghost = seen[1];
        ghost.corners_px = ghost.corners_px.map(|c| c + nalgebra::Vector2::new(-300.0, 40.0));
        seen.insert(0, ghost);
        let found = placed(&seen, Some(&real.lens)).expect("four good tags");
        assert_eq!(found.left_out.iter().map(|l| l.0).collect::<Vec<_>>(), [0]);
        assert!(eye_error_mm(&found, &real) < 1.0);
    }

    #[test]
    fn with_a_profile_two_hidden_tags_do_no_harm_and_three_are_too_many() {
        let real = camera(-100.0);
        let seen = sights(&real, &FOUR);
        let found = placed(&[seen[0], seen[2]], Some(&real.lens)).expect("two far apart");
        assert!(eye_error_mm(&found, &real) < 5.0, "{}", eye_error_mm(&found, &real));
        let error = placed(&seen[..1], Some(&real.lens)).expect_err("one tag");
        assert_eq!(error, RegistrationError::TooFewSeen { seen: 1, known: 4, needed: 2 });
        assert!(error.to_string().starts_with("1 of 4 reference tags seen: 2 are needed"), "{error}");
    }

    #[test]
    fn without_a_profile_three_are_needed() {
        let real = camera(-100.0);
        let seen = sights(&real, &FOUR);
        let error = placed(&seen[..2], None).expect_err("two tags");
        assert_eq!(error, RegistrationError::TooFewSeen { seen: 2, known: 4, needed: 3 });
        assert!(placed(&seen[..3], None).expect("three tags").lens_estimated);
    }

    #[test]
    fn tags_that_do_not_fit_together_are_refused() {
        let real = camera(-100.0);
        let mut seen = sights(&real, &FOUR);
        for (i, sight) in seen.iter_mut().enumerate() {
            sight.place.x_mm += [25.0, -30.0, 40.0, -20.0][i];
        }
        let error = placed(&seen, Some(&real.lens)).expect_err("all are wrong");
        assert!(matches!(error, RegistrationError::Disagree { seen: 4, .. }), "{error}");
    }

    #[test]
    fn a_profile_for_another_size_and_a_table_of_three_tags_are_refused() {
        let real = camera(-100.0);
        let seen = sights(&real, &FOUR);
        let small = Lens { width: 1280, height: 720, ..real.lens };
        let error = placed(&seen, Some(&small)).expect_err("another size");
        assert!(error.to_string().contains("1280x720"), "{error}");
        let noise = CornerNoise::default();
        let settings = RegistrationSettings::default();
        let error = register(&seen, 3, SIZE, Some(&real.lens), &noise, &settings).expect_err("three tags");
        assert_eq!(error, RegistrationError::TooFewKnown { known: 3 });
    }

    /// Sigma of the focal length as a share of it.
    fn focal_sigma(found: &RegisteredCamera) -> f64 {
        found.root.row(POSE_UNKNOWNS).norm()
    }

    #[test]
    fn without_a_profile_the_lens_is_found_from_aside_and_the_doubt_is_told_from_above() {
        let aside = camera(-300.0);
        let found = placed(&sights(&aside, &FOUR), None).expect("four good tags");
        let error = (found.model.lens.fx / aside.lens.fx).ln().abs();
        assert!(error < 0.03 && error < 4.0 * focal_sigma(&found), "{error} {}", focal_sigma(&found));
        let above = camera(300.0);
        let doubtful = placed(&sights(&above, &FOUR), None).expect("four good tags");
        let error = (doubtful.model.lens.fx / above.lens.fx).ln().abs();
        assert!(focal_sigma(&doubtful) > 3.0 * focal_sigma(&found), "{}", focal_sigma(&doubtful));
        assert!(error < 3.0 * focal_sigma(&doubtful), "{error} {}", focal_sigma(&doubtful));
    }

    #[test]
    fn the_fit_is_at_least_as_good_as_the_truth() {
        // A walk that stops half way down the valley between focal length and distance would not be.
        for eye_y in [300.0, 290.0, 200.0, -300.0] {
            let real = camera(eye_y);
            let seen = sights(&real, &FOUR);
            let prior = LensPrior::default();
            for sigma_px in [0.12, 0.03] {
                let problem = Problem { sights: &seen, size: SIZE, lens: None, prior: &prior, sigma_px };
                let trial = problem.fit(&[0, 1, 2, 3]).expect("four good tags");
                let pairs: Vec<_> = seen.iter().flat_map(ReferenceSight::pairs).collect();
                let truth = problem.equations(&pairs, &real).expect("in front").cost;
                assert!(trial.normal.cost <= truth, "{eye_y}: {} {truth}", trial.normal.cost);
            }
        }
    }

    #[test]
    fn a_place_that_is_not_sure_makes_the_camera_as_unsure_as_it_moves_it() {
        let real = camera(-100.0);
        let clean = sights(&real, &FOUR);
        let prior = LensPrior::default();
        let with = |sigma_mm: f64| {
            let mut doubted = clean.clone();
            doubted[1].place.sigma_mm = sigma_mm;
            let problem = Problem {
                sights: &doubted,
                size: SIZE,
                lens: Some(&real.lens),
                prior: &prior,
                sigma_px: 0.1,
            };
            let trial = problem.fit(&[0, 1, 2, 3]).expect("four good tags");
            let places = problem.places(&trial.model, &trial.chosen);
            let inverse = inverse_of(&trial.normal.hessian).expect("four tags fix a pose");
            let root = problem.root(&trial.normal, &inverse, 0.1, &places);
            (trial.model, &root * root.transpose())
        };
        let ((model, exact), (_, doubted)) = (with(0.0), with(0.5));
        // The same place moved by half a millimetre each way, and the camera fitted again.
        let mut sum = DMatrix::zeros(POSE_UNKNOWNS, POSE_UNKNOWNS);
        for (dx, dy) in [(0.5, 0.0), (0.0, 0.5)] {
            let mut moved = clean.clone();
            moved[1].place.x_mm += dx;
            moved[1].place.y_mm += dy;
            let problem =
                Problem { sights: &moved, size: SIZE, lens: Some(&real.lens), prior: &prior, sigma_px: 0.1 };
            let other = problem.fit(&[0, 1, 2, 3]).expect("four good tags").model;
            let by = other.pose.camera_from_table * model.pose.camera_from_table.inverse();
            let (turn, shift) = (by.rotation.scaled_axis(), by.translation.vector);
            let d = DVector::from_iterator(6, turn.iter().chain(shift.iter()).copied());
            sum.ger(1.0, &d, &d, 1.0);
        }
        for i in 0..POSE_UNKNOWNS {
            let grown = doubted[(i, i)] - exact[(i, i)];
            assert!((grown / sum[(i, i)] - 1.0).abs() < 0.05, "{i}: {grown} for {}", sum[(i, i)]);
        }
    }

    #[test]
    fn claimed_sigmas_are_those_of_the_errors() {
        // Corners drawn anew many times: the camera's pose scatters as its covariance says.
        let real = camera(-100.0);
        let clean = sights(&real, &FOUR);
        let noise = CornerNoise::default();
        let problem = Problem {
            sights: &clean,
            size: SIZE,
            lens: Some(&real.lens),
            prior: &LensPrior::default(),
            sigma_px: 0.12,
        };
        let trial = problem.fit(&[0, 1, 2, 3]).expect("four good tags");
        let exact = problem.places(&trial.model, &trial.chosen);
        assert_eq!(exact.norm(), 0.0, "the places are taken as exact");
        let inverse = inverse_of(&trial.normal.hessian).expect("four tags fix a pose");
        let root = problem.root(&trial.normal, &inverse, noise.sigma_px, &exact);
        let claimed = &root * root.transpose();
        // One corner moved by a tenth of a pixel moves the pose by the same share of its sigma as the
        // normal equations say: sum over all corners and both axes gives the covariance.
        let mut sum = DMatrix::zeros(POSE_UNKNOWNS, POSE_UNKNOWNS);
        for tag in 0..4 {
            for corner in 0..4 {
                for axis in 0..2 {
                    let mut moved = clean.clone();
                    let mut corners = moved[tag].corners_px.in_order();
                    corners[corner][axis] += 0.1;
                    moved[tag].corners_px = TagCorners::from_order(corners);
                    let other = Problem { sights: &moved, ..problem };
                    let model = other.fit(&[0, 1, 2, 3]).expect("four good tags").model;
                    let by = model.pose.camera_from_table * trial.model.pose.camera_from_table.inverse();
                    let turn = by.rotation.scaled_axis() / 0.1;
                    let shift = by.translation.vector / 0.1;
                    let d = DVector::from_iterator(6, turn.iter().chain(shift.iter()).copied());
                    sum.ger(noise.sigma_px * noise.sigma_px, &d, &d, 1.0);
                }
            }
        }
        for i in 0..POSE_UNKNOWNS {
            let ratio = (sum[(i, i)] / claimed[(i, i)]).sqrt();
            assert!((ratio - 1.0).abs() < 0.02, "{i}: {ratio}");
        }
    }
}
