//! Solving a table: the bundle from its best start, sights that do not fit left out, sigmas as the misfit
//! bears them out, and what the tags say of the lens profile.

use super::bundle::{Anchor, Bundle, LensBelief, State};
use super::start::Begin;
use super::{LEAST_TABLE_VIEWS, TableCalibrationError, TableView, TagToPlace};
use crate::geometry::Point;
use crate::tracking::{ReferenceTag, Tag};
use crate::vision::location::{LENS_UNKNOWNS, LensPrior, minimise};
use crate::vision::{CameraModel, Lens};
use nalgebra::{DMatrix, DVector};
use std::collections::{BTreeMap, BTreeSet};

/// A sight is left out where its corners lie so many times further off than the median sight's ...
const OUTLIER_RATIO: f64 = 5.0;
/// ... and further than this, pixels: below it there is nothing to gain.
const OUTLIER_PX: f64 = 0.3;
/// Of all sights at most this share may be left out; where more do not fit, nothing is known.
const MOST_LEFT_OUT: f64 = 0.25;
/// Above this error of the corners that were kept, as a share of the picture's longer side, the pictures
/// show no one table, or the lens is another one.
const MOST_RMS_SHARE: f64 = 0.0015;
/// The claimed corner sigma weighs as much as this many degrees of freedom against the misfit seen.
const PRIOR_FREEDOM: f64 = 10.0;
/// The lens profile is doubted where a freed lens takes out more than this share of the squared misfit ...
const DOUBT_SHARE: f64 = 0.3;
/// ... and moves a tag by more than this, millimetres.
const DOUBT_MM: f64 = 0.1;

/// A reference tag as measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredTag {
    /// Where it lies, and its true size.
    pub place: ReferenceTag,
    /// One-sigma radius of its place in the anchors' frame, millimetres: the larger half axis.
    pub sigma_mm: f64,
    /// One sigma of its rotation, degrees.
    pub sigma_deg: f64,
    /// Root mean square distance of its corners from where they should show, pixels.
    pub residual_px: f64,
    /// Pictures that it was measured in.
    pub views: usize,
    /// Pictures that show it and were not used for it, since it did not fit there.
    pub left_out: usize,
}

/// How one picture fits.
#[derive(Debug, Clone, PartialEq)]
pub struct TableViewFit {
    /// What people call it.
    pub label: String,
    /// Root mean square distance of the corners used, pixels; `None` where none were.
    pub rms_px: Option<f64>,
    /// Tags used.
    pub used: usize,
    /// Where the camera stood.
    pub camera: CameraModel,
}

/// What the tags say of the lens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum LensCheck {
    /// There was no profile: the lens was estimated with the table.
    Estimated {
        /// One sigma of the focal length as a share of it.
        focal_sigma: f64,
    },
    /// The profile explains the pictures as well as a lens of their own would.
    Agrees(LensCompared),
    /// A lens of their own explains them clearly better: focus or zoom has changed, or it is another camera's.
    Doubted(LensCompared),
}

/// The profile beside the lens that the table's own pictures would choose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LensCompared {
    /// Error with the profile, pixels.
    pub profile_px: f64,
    /// Error with the pictures' own lens, pixels.
    pub own_px: f64,
    /// The own focal length over the profile's, less one.
    pub focal_change: f64,
    /// The most that any tag's place differs between the two, millimetres.
    pub most_mm: f64,
}

/// A table measured.
#[derive(Debug, Clone, PartialEq)]
pub struct TableCalibration {
    /// Every tag that shows, in the order given.
    pub tags: Vec<MeasuredTag>,
    /// Every picture, in the order given.
    pub views: Vec<TableViewFit>,
    /// The lens: the profile's, or as estimated.
    pub lens: Lens,
    /// What the tags say of it.
    pub lens_check: LensCheck,
    /// True size of the prints over their nominal size, and one sigma of it.
    pub size_factor: (f64, f64),
    /// Root mean square distance of the corners used from where they should show, pixels.
    pub rms_px: f64,
    /// The corners' error over what was expected of them.
    pub error_ratio: f64,
}

/// Measures where the tags lie. `size` is the pictures' columns and rows. Tags that no picture shows are
/// left out of the result.
///
/// # Errors
/// Too few pictures, anchors that leave frame or scale open, pictures that do not hang together or do not
/// fit one table.
pub fn calibrate_table(
    views: &[TableView],
    tags: &[TagToPlace],
    anchors: &[Anchor],
    size: (usize, usize),
    lens: Option<&Lens>,
) -> Result<TableCalibration, TableCalibrationError> {
    let given: Vec<TableView> = views.iter().filter(|v| v.sights.len() >= 2).cloned().collect();
    if given.len() < LEAST_TABLE_VIEWS {
        return Err(TableCalibrationError::TooFewViews { views: given.len() });
    }
    let seen = |tag: Tag| given.iter().any(|v| v.sights.iter().any(|s| s.tag == tag));
    if let Some(unseen) = anchors.iter().flat_map(Anchor::tags).find(|tag| !seen(*tag)) {
        return Err(TableCalibrationError::AnchorUnseen(unseen));
    }
    if !fixes(anchors) {
        return Err(TableCalibrationError::Loose);
    }
    linked(&given)?;
    let tags: Vec<TagToPlace> = tags.iter().filter(|t| seen(t.tag)).copied().collect();
    let belief = match lens {
        Some(_) => LensBelief::Known,
        None => own_lens(plain_lens(size, LensPrior::default().field_of_view_deg)),
    };
    let problem = Problem { tags: &tags, anchors, size };
    let mut views = given.clone();
    let mut state = problem.first(&views, lens, belief)?;
    let sights: usize = views.iter().map(|v| v.sights.len()).sum();
    let mut left_out: BTreeMap<Tag, usize> = BTreeMap::new();
    loop {
        let bundle = problem.bundle(&views, belief);
        let misfits = misfits(&bundle, &state);
        let Some(&(misfit_px, v, tag)) = misfits.iter().max_by(|a, b| a.0.total_cmp(&b.0)) else { break };
        let mut sorted: Vec<f64> = misfits.iter().map(|m| m.0).collect();
        sorted.sort_by(f64::total_cmp);
        let limit = (OUTLIER_RATIO * sorted[sorted.len() / 2]).max(OUTLIER_PX);
        if misfit_px <= limit {
            break;
        }
        *left_out.entry(tag).or_default() += 1;
        let gone: usize = left_out.values().sum();
        if gone as f64 > MOST_LEFT_OUT * sights as f64 {
            return Err(TableCalibrationError::Disagree { worst: tag, misfit_px });
        }
        views[v].sights.retain(|s| s.tag != tag);
        let bundle = problem.bundle(&views, belief);
        state = bundle.solved(state).ok_or(TableCalibrationError::Disagree { worst: tag, misfit_px })?;
    }
    problem.report(&views, state, belief, &left_out)
}

/// Refuses pictures of which one shares no tag with those that hang together with the first.
fn linked(views: &[TableView]) -> Result<(), TableCalibrationError> {
    let tags = |v: &TableView| v.sights.iter().map(|s| s.tag).collect::<BTreeSet<Tag>>();
    let mut waiting: Vec<&TableView> = views.iter().filter(|v| !v.sights.is_empty()).collect();
    let Some(first) = waiting.first() else { return Ok(()) };
    let mut reached = tags(first);
    loop {
        let before = waiting.len();
        waiting.retain(|v| {
            let own = tags(v);
            let shares = !reached.is_disjoint(&own);
            if shares {
                reached.extend(own);
            }
            !shares
        });
        match waiting.first() {
            None => return Ok(()),
            Some(alone) if waiting.len() == before => {
                return Err(TableCalibrationError::Unlinked { label: alone.label.clone() });
            }
            Some(_) => {}
        }
    }
}

/// Whether the anchors fix shift, turn and scale.
fn fixes(anchors: &[Anchor]) -> bool {
    let of = |f: fn(&Anchor) -> bool| anchors.iter().filter(|a| f(a)).count();
    let places = of(|a| matches!(a, Anchor::Place { .. }));
    let directions = of(|a| matches!(a, Anchor::Direction { .. }));
    let lengths = of(|a| matches!(a, Anchor::Length { .. } | Anchor::Prints { .. }));
    places >= 2 || (places == 1 && directions >= 1 && lengths >= 1)
}

pub(super) fn plain_lens(size: (usize, usize), fov_deg: f64) -> Lens {
    let (width, height) = (size.0 as u32, size.1 as u32);
    let longer = Lens::from_field_of_view(width.max(height), width.min(height), fov_deg);
    let middle = |side: u32| (f64::from(side) - 1.0) / 2.0;
    Lens { width, height, cx: middle(width), cy: middle(height), ..longer }
}

/// A lens to be estimated, under the prior's sigmas.
pub(super) fn own_lens(centre: Lens) -> LensBelief {
    let p = LensPrior::default();
    let centre_px = p.centre_share * f64::from(centre.width.max(centre.height));
    let sigmas: [f64; LENS_UNKNOWNS] =
        [p.ln_focal, centre_px, centre_px, p.k1, p.k2, p.tangential, p.tangential];
    LensBelief::About { centre, sigmas }
}

/// Every sight's misfit in pixels, with its view and its tag.
pub(super) fn misfits(bundle: &Bundle, state: &State) -> Vec<(f64, usize, Tag)> {
    let of = |v: usize| {
        bundle.views[v].sights.iter().map(move |s| {
            let misfit = bundle.misfit_px(state, v, bundle.index[&s.tag], s.corners_px.in_order());
            (misfit, v, s.tag)
        })
    };
    (0..bundle.views.len()).flat_map(of).collect()
}

pub(super) fn rms<'a>(values: impl Iterator<Item = &'a f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0usize), |(s, n), v| (s + v * v, n + 1));
    (count > 0).then(|| (sum / count as f64).sqrt())
}

impl Bundle<'_> {
    fn solved(&self, from: State) -> Option<State> {
        minimise(from, |s| self.equations(s), |s, step| self.moved(s, step)).map(|(state, _)| state)
    }
}

/// What does not change from run to run.
pub(super) struct Problem<'a> {
    pub tags: &'a [TagToPlace],
    pub anchors: &'a [Anchor],
    pub size: (usize, usize),
}

impl<'a> Problem<'a> {
    pub fn bundle<'b>(&self, views: &'b [TableView], belief: LensBelief) -> Bundle<'b>
    where
        'a: 'b,
    {
        let index = self.tags.iter().enumerate().map(|(i, t)| (t.tag, i)).collect();
        Bundle { views, tags: self.tags, index, anchors: self.anchors, belief, inflation: 1.0 }
    }

    /// The best of the bundles from every start.
    pub fn first(
        &self,
        views: &[TableView],
        lens: Option<&Lens>,
        belief: LensBelief,
    ) -> Result<State, TableCalibrationError> {
        let bundle = self.bundle(views, belief);
        let lenses = match lens {
            Some(lens) => vec![*lens],
            None => [LensPrior::default().field_of_view_deg, 58.0, 86.0]
                .map(|fov| plain_lens(self.size, fov))
                .to_vec(),
        };
        let mut best: Option<(f64, State)> = None;
        let mut unlinked = None;
        for lens in lenses {
            let begin = Begin { views, tags: self.tags, index: &bundle.index, lens };
            let states =
                begin.states(self.anchors).map_err(|label| unlinked = Some(label)).unwrap_or_default();
            for state in states {
                let Some(solved) = bundle.solved(state) else { continue };
                let Some(cost) = bundle.equations(&solved).map(|n| n.cost) else { continue };
                if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                    best = Some((cost, solved));
                }
            }
        }
        best.map(|(_, state)| state).ok_or(match unlinked {
            Some(label) => TableCalibrationError::Unlinked { label },
            None => TableCalibrationError::Loose,
        })
    }

    fn report(
        &self,
        views: &[TableView],
        state: State,
        belief: LensBelief,
        left_out: &BTreeMap<Tag, usize>,
    ) -> Result<TableCalibration, TableCalibrationError> {
        // Leaving sights out may have cut the last tie.
        linked(views)?;
        let mut bundle = self.bundle(views, belief);
        let misfits = misfits(&bundle, &state);
        let rms_px = rms(misfits.iter().map(|m| &m.0)).unwrap_or(f64::INFINITY);
        let worst = misfits.iter().max_by(|a, b| a.0.total_cmp(&b.0));
        let most_px = MOST_RMS_SHARE * self.size.0.max(self.size.1) as f64;
        if let Some(&(misfit_px, _, worst)) = worst.filter(|_| rms_px > most_px) {
            return Err(TableCalibrationError::Disagree { worst, misfit_px });
        }
        let normal = bundle.equations(&state).ok_or(TableCalibrationError::Loose)?;
        let rows = 8 * misfits.len();
        let fitted = 1 + 3 * self.tags.len() + 6 * views.len();
        let freedom = rows.saturating_sub(fitted) as f64;
        let error_ratio = ((PRIOR_FREEDOM + normal.cost) / (PRIOR_FREEDOM + freedom)).sqrt();
        // Sigmas as the misfit bears them out; never smaller than was claimed of the corners.
        bundle.inflation = error_ratio.max(1.0);
        let hessian = bundle.equations(&state).ok_or(TableCalibrationError::Loose)?.hessian;
        let covariance = inverse(&hessian).ok_or(TableCalibrationError::Loose)?;
        let tags = self.measured(&bundle, &state, &covariance, &misfits, left_out);
        let size = (
            state.ln_size.exp(),
            state.ln_size.exp() * covariance[(bundle.size_at(), bundle.size_at())].sqrt(),
        );
        let lens_check = match belief {
            LensBelief::About { .. } => LensCheck::Estimated { focal_sigma: covariance[(0, 0)].sqrt() },
            LensBelief::Known => self.check_lens(views, &state, rms_px),
        };
        let views = views
            .iter()
            .enumerate()
            .map(|(v, view)| TableViewFit {
                label: view.label.clone(),
                rms_px: rms(misfits.iter().filter(|m| m.1 == v).map(|m| &m.0)),
                used: view.sights.len(),
                camera: CameraModel { lens: state.lens, pose: state.cameras[v] },
            })
            .collect();
        Ok(TableCalibration {
            tags,
            views,
            lens: state.lens,
            lens_check,
            size_factor: size,
            rms_px,
            error_ratio,
        })
    }

    fn measured(
        &self,
        bundle: &Bundle,
        state: &State,
        covariance: &DMatrix<f64>,
        misfits: &[(f64, usize, Tag)],
        left_out: &BTreeMap<Tag, usize>,
    ) -> Vec<MeasuredTag> {
        let measured = self.tags.iter().enumerate().map(|(i, t)| {
            let own = || misfits.iter().filter(|m| m.2 == t.tag);
            let at = bundle.tag_at(i);
            let (a, b, d) = (covariance[(at, at)], covariance[(at, at + 1)], covariance[(at + 1, at + 1)]);
            let sigma_mm = ((a + d) / 2.0 + ((a - d) / 2.0).hypot(b)).max(0.0).sqrt();
            let place = state.places[i];
            let rotation = place.heading.degrees() - 90.0;
            MeasuredTag {
                place: ReferenceTag {
                    tag: t.tag,
                    size_mm: t.size_mm * state.ln_size.exp(),
                    x_mm: place.centre.x,
                    y_mm: place.centre.y,
                    z_mm: t.z_mm,
                    rotation_deg: if rotation > 180.0 { rotation - 360.0 } else { rotation },
                    sigma_mm,
                },
                sigma_mm,
                sigma_deg: covariance[(at + 2, at + 2)].max(0.0).sqrt().to_degrees(),
                residual_px: rms(own().map(|m| &m.0)).unwrap_or(0.0),
                views: own().count(),
                left_out: left_out.get(&t.tag).copied().unwrap_or(0),
            }
        });
        // A tag left out everywhere is no longer measured by anything.
        measured.filter(|m| m.views > 0).collect()
    }

    /// The profile against the lens that the pictures themselves would choose.
    fn check_lens(&self, views: &[TableView], state: &State, profile_px: f64) -> LensCheck {
        let bundle = self.bundle(views, own_lens(state.lens));
        let own = bundle.solved(state.clone()).unwrap_or_else(|| state.clone());
        let own_px = rms(misfits(&bundle, &own).iter().map(|m| &m.0)).unwrap_or(profile_px);
        let apart = |(a, b): (&crate::geometry::Pose, &crate::geometry::Pose)| -> f64 {
            let (a, b): (Point, Point) = (a.centre, b.centre);
            (a - b).norm()
        };
        let most_mm = state.places.iter().zip(&own.places).map(apart).fold(0.0, f64::max);
        let focal_change = own.lens.fx / state.lens.fx - 1.0;
        let compared = LensCompared { profile_px, own_px, focal_change, most_mm };
        let gain = 1.0 - (own_px / profile_px).powi(2);
        if gain > DOUBT_SHARE && most_mm > DOUBT_MM {
            LensCheck::Doubted(compared)
        } else {
            LensCheck::Agrees(compared)
        }
    }
}

/// The inverse of a matrix whose unknowns differ by many powers of ten: scaled to ones first.
pub(super) fn inverse(hessian: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let n = hessian.nrows();
    let scale = DVector::from_fn(n, |i, _| hessian[(i, i)].max(1e-300).sqrt().recip());
    let scaled = DMatrix::from_fn(n, n, |i, j| hessian[(i, j)] * scale[i] * scale[j]);
    let inverse = scaled.cholesky()?.inverse();
    Some(DMatrix::from_fn(n, n, |i, j| inverse[(i, j)] * scale[i] * scale[j]))
}
