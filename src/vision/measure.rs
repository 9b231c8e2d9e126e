//! From detections, seen by a camera that is placed on the table, to observations.
//!
//! Each tag's printed pattern is registered on the picture near where its corners were found, which is
//! finer than the corners and shows what lies on it. Where the pattern cannot be registered (blown out,
//! too faint) the corners must do, with their own, larger sigma. Table frame, millimetres.

use super::belief::{BeliefSettings, Refusal, Refused};
use super::caution::MISFIT_PX;
use super::location::{
    CornerNoise, FlatFit, ReferenceSight, RegisteredCamera, fit_flat, sensitivities, with_uncertainty,
};
use super::register::{Fit, OnPlane, Optics, OpticsKnowledge, Patch, Response, Scratch, Start, Window, fit};
use super::search::{self, Area};
use super::uneven::clearest;
use super::{Detection, Frame, GreyImage, Lens, PipelineSettings, PixelPoint, TagPattern};
use crate::geometry::{Point, Pose, PoseEstimate, Rest, Vector};
use crate::tracking::{KnownTag, Observation, ReferenceTag, Tag, TagBook, TagCorners};
use nalgebra::{Matrix3, Point3, Vector3};
use std::collections::BTreeMap;

/// How far registered patterns lie from the truth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PatternNoise {
    /// Errors of the corners of registered reference tags.
    pub reference: CornerNoise,
    /// What the fit's own residuals do not show, added on each axis, one sigma, millimetres: a print's dots (600
    /// to the inch put one edge right to 0.012, and a tag rests on nine and more each way) and what is left of the
    /// optics' model. A choice, made on simulated tables alone (`groma study sigma --seed 901`).
    pub least_mm: f64,
}

impl Default for PatternNoise {
    fn default() -> Self {
        let reference = CornerNoise { sigma_px: 0.035, prior_freedom: 4.0, least_px: 0.01 };
        Self { reference, least_mm: 0.003 }
    }
}

/// Reference tags with their patterns registered, and the optics found on the way.
#[derive(Debug)]
pub(super) struct RefinedReference {
    /// The sights whose pattern could be registered, with their finer corners, each with its place among those
    /// given. Corners as the detector finds them are ten times coarser and never mixed with these: one such tag
    /// among eight shifted a whole table by 0.03 mm.
    pub sights: Vec<(usize, ReferenceSight)>,
    /// Median blur and response, where any pattern could be registered.
    pub optics: Option<Optics>,
}

/// Registers the reference tags' patterns near where their corners were found.
pub(super) fn refine_reference(
    picture: &GreyImage,
    lens: &Lens,
    sights: &[ReferenceSight],
    scratch: &mut Scratch,
) -> RefinedReference {
    let mut blurs = Vec::new();
    let mut gammas = Vec::new();
    let mut refined = Vec::new();
    for (place, sight) in sights.iter().enumerate() {
        let Some(fit) = registered_corners(picture, lens, sight, scratch) else { continue };
        let found = fit.warp.corners_px();
        let moved = found.iter().zip(sight.corners_px.in_order()).map(|(a, b)| (a - b).norm());
        let most_shift_px = MOST_CORNER_SHIFT_PX * fit.optics.blur_px.max(1.0);
        if moved.fold(0.0, f64::max) > most_shift_px || fit.agreeing < LEAST_REFERENCE_AGREEING {
            continue;
        }
        blurs.push(fit.optics.blur_px);
        gammas.push(fit.optics.response.gamma());
        refined.push((place, ReferenceSight { corners_px: TagCorners::from_order(found), ..*sight }));
    }
    let optics = median(&mut blurs)
        .zip(median(&mut gammas))
        .map(|(blur_px, gamma)| Optics { blur_px, response: Response::new(gamma) });
    RefinedReference { sights: refined, optics }
}

fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

/// Registration may move a reference tag's corner by at most this, pixels, where the picture's blur has a sigma of one pixel or
/// less, and by as many times the blur where it has more: the detector's corners lie inside the print by 0.9 to 1.1 of it
/// (one simulated picture, sharp and enlarged two and three times).
const MOST_CORNER_SHIFT_PX: f64 = 1.5;
/// Least share of a detected reference tag's pixels that must agree with its pattern.
const LEAST_REFERENCE_AGREEING: f64 = 0.5;

/// A reference tag's pattern registered by its four corners, the optics with it, starting from where they were found.
/// `None` where its window leaves the picture or the fit does not settle.
pub(super) fn registered_corners(
    picture: &GreyImage,
    lens: &Lens,
    sight: &ReferenceSight,
    scratch: &mut Scratch,
) -> Option<Fit<Patch>> {
    let pattern = TagPattern::of(sight.place.tag)?;
    let corners = sight.corners_px.in_order();
    let side = (corners[1] - corners[0]).norm().max((corners[2] - corners[1]).norm());
    let ring = (pattern.modules() - pattern.border_modules()) as f64 / 2.0;
    let grow = ring * side / pattern.border_modules() as f64 * 1.5 + 2.0;
    let x = corners.map(|c| c.x);
    let y = corners.map(|c| c.y);
    let least = [x.into_iter().fold(f64::INFINITY, f64::min), y.into_iter().fold(f64::INFINITY, f64::min)];
    let most =
        [x.into_iter().fold(f64::NEG_INFINITY, f64::max), y.into_iter().fold(f64::NEG_INFINITY, f64::max)];
    let window = Window::around(least, most, grow, picture)?;
    let start = Patch::new(lens, sight.place.size_mm, corners, window)?;
    let size_mm = sight.place.size_mm;
    let optics = (Optics::default(), OpticsKnowledge::Fitted);
    fit(picture, &pattern, size_mm, (start, Start::Rough), optics, scratch)
}

/// Numbers left over when place, heading and inset are fitted to four corners.
const FREEDOM: f64 = 4.0;
/// Median of chi squared with four degrees of freedom.
const MEDIAN_CHI2: f64 = 3.356_7;
/// A frame's corner sigma weighs as much as so many degrees of freedom against a tag's own misfit.
const FRAME_WEIGHT: f64 = 10.0;

/// What a frame's tags are measured with.
#[derive(Clone, Copy)]
pub(super) struct Measure<'a> {
    pub frame: &'a Frame,
    pub camera: &'a RegisteredCamera,
    pub optics: Optics,
    pub book: &'a TagBook,
    pub corners: &'a CornerNoise,
    pub patterns: &'a PatternNoise,
    pub belief: &'a BeliefSettings,
}

/// One sight of a tag that may be believed.
pub(super) struct Sight {
    detection: Detection,
    known: KnownTag,
    flat: FlatFit,
    registered: Option<Fit<OnPlane>>,
}

impl Sight {
    /// As detected, its pattern not yet registered.
    pub fn new(detection: Detection, known: KnownTag, flat: FlatFit) -> Self {
        Self { detection, known, flat, registered: None }
    }
}

impl<'a> Measure<'a> {
    /// The tools for a frame seen by `camera` with these `optics`.
    pub fn new(
        frame: &'a Frame,
        camera: &'a RegisteredCamera,
        optics: Optics,
        book: &'a TagBook,
        settings: &'a PipelineSettings,
    ) -> Self {
        let PipelineSettings { noise, patterns, belief, .. } = settings;
        Self { frame, camera, optics, book, corners: noise, patterns, belief }
    }

    /// Observations of the tags detected, each once.
    pub fn detected(
        &self,
        named: &[Detection],
        refused: &mut Vec<Refused>,
        scratch: &mut Scratch,
    ) -> Vec<Observation> {
        let mut sights = Vec::new();
        let mut uneven: BTreeMap<Tag, Vec<Sight>> = BTreeMap::new();
        for &detection in named {
            let Some(&known) = self.book.known.get(&detection.tag) else { continue };
            match fit_flat(&self.camera.model, &known, &detection.corners_px) {
                Some(flat) if self.uneven(detection.tag, &known, flat.pose) => {
                    uneven.entry(detection.tag).or_default().push(Sight::new(detection, known, flat));
                }
                Some(flat) => sights.push(Sight::new(detection, known, flat)),
                None => refused.push(Refused { detection, why: Refusal::OffTable }),
            }
        }
        let sigma_px = frame_sigma_px(&sights, self.corners);
        let mut by_tag: BTreeMap<Tag, Vec<Sight>> = BTreeMap::new();
        for mut sight in sights {
            match self.judge(&mut sight, sigma_px, scratch) {
                Ok(()) => by_tag.entry(sight.detection.tag).or_default().push(sight),
                Err(why) => refused.push(Refused { detection: sight.detection, why }),
            }
        }
        let ratio = self.belief.margin_ratio;
        let mut found: Vec<Observation> = by_tag
            .into_values()
            .filter_map(|sights| clearest(sights, |s| s.detection, ratio, refused))
            .filter_map(|sight| self.observation(&sight, sigma_px))
            .collect();
        for sights in uneven.into_values() {
            let Some(s) = clearest(sights, |s| s.detection, ratio, refused) else { continue };
            match self.detected_on_ground(&s.detection, &s.known, (s.flat.pose, sigma_px), scratch) {
                Ok(seen) => found.push(seen),
                Err(why) => refused.push(Refused { detection: s.detection, why }),
            }
        }
        found
    }

    /// Observations of tags that were not detected but are found by their frames. Takes some tenths of
    /// a second: for photographs, not for every frame of a live source.
    pub fn searched(&self, seen: &[Observation], scratch: &mut Scratch) -> Vec<Observation> {
        let Some(area) = area_of(&self.book.reference) else { return Vec::new() };
        let wanted: BTreeMap<Tag, KnownTag> = self
            .book
            .known
            .iter()
            .filter(|(tag, _)| seen.iter().all(|o| o.tag != **tag))
            .map(|(tag, known)| (*tag, *known))
            .collect();
        let taken: Vec<Point> = seen.iter().map(|o| o.pose.pose.centre).collect();
        self.sighted(area, &wanted, &taken, scratch)
    }

    /// Observations of those tags that are `missing` and show by their frames in a window of the picture.
    pub fn searched_in(
        &self,
        window: Window,
        missing: &dyn Fn(&Tag) -> bool,
        scratch: &mut Scratch,
    ) -> Vec<Observation> {
        let wanted: BTreeMap<Tag, KnownTag> = self
            .book
            .known
            .iter()
            .filter(|(tag, _)| missing(tag))
            .map(|(tag, known)| (*tag, *known))
            .collect();
        let Some(area) = self.area_under(window, &wanted) else { return Vec::new() };
        self.sighted(area, &wanted, &[], scratch)
    }

    /// The part of the table on which any of these tags may lie to show in a window, its frame and all.
    fn area_under(&self, window: Window, wanted: &BTreeMap<Tag, KnownTag>) -> Option<Area> {
        let (x0, y0) = (window.x0 as f64, window.y0 as f64);
        let (x1, y1) = (x0 + window.width as f64, y0 + window.height as f64);
        let mut area: Option<Area> = None;
        for known in wanted.values() {
            for (x, y) in [(x0, y0), (x1, y0), (x1, y1), (x0, y1)] {
                let Some(at) = self.camera.model.table_from_image(PixelPoint::new(x, y), known.height_mm)
                else {
                    continue;
                };
                let reach = Vector::new(known.size_mm, known.size_mm);
                let (least, most) = (at - reach, at + reach);
                area = Some(area.map_or(Area { least, most }, |a| Area {
                    least: Point::new(a.least.x.min(least.x), a.least.y.min(least.y)),
                    most: Point::new(a.most.x.max(most.x), a.most.y.max(most.y)),
                }));
            }
        }
        let board = area_of(&self.book.reference)?;
        let area = area?;
        let least = Point::new(area.least.x.max(board.least.x), area.least.y.max(board.least.y));
        let most = Point::new(area.most.x.min(board.most.x), area.most.y.min(board.most.y));
        (least.x < most.x && least.y < most.y).then_some(Area { least, most })
    }

    /// Tags of `wanted` that show in an area by their frames, but for those near the places `taken`.
    fn sighted(
        &self,
        area: Area,
        wanted: &BTreeMap<Tag, KnownTag>,
        taken: &[Point],
        scratch: &mut Scratch,
    ) -> Vec<Observation> {
        let picture = &self.frame.grey;
        search::search(picture, &self.camera.model, self.optics, area, wanted, taken, scratch)
            .into_iter()
            .filter_map(|s| {
                let known = &wanted[&s.tag];
                let flat = s.fit.warp.pose;
                if self.uneven(s.tag, known, flat) {
                    return self.searched_on_ground(s.tag, known, flat, scratch);
                }
                self.registered(s.tag, known, &s.fit)
            })
            .collect()
    }

    /// The tag measured from a pose near which it must be, or `None` where its pattern does not show.
    pub fn near(
        &self,
        tag: Tag,
        known: &KnownTag,
        (pose, nearness): (Pose, Start),
        scratch: &mut Scratch,
    ) -> Option<Observation> {
        if self.uneven(tag, known, pose) {
            return self.near_on_ground(tag, known, &[pose], scratch);
        }
        let picture = &self.frame.grey;
        let fit = search::register(
            picture,
            &self.camera.model,
            self.optics,
            tag,
            known,
            (pose, nearness),
            scratch,
        )?;
        self.shows(tag, known, pose, &fit).ok()?;
        self.registered(tag, known, &fit)
    }

    /// Whether a registered pattern may be believed.
    pub(super) fn shows(
        &self,
        tag: Tag,
        known: &KnownTag,
        start: Pose,
        fit: &Fit<OnPlane>,
    ) -> Result<(), Refusal> {
        let module = TagPattern::of(tag).map_or(0.0, |p| p.module_mm(known.size_mm));
        let shift = (fit.warp.pose.centre - start.centre).norm();
        let contrast = fit.levels[0] - fit.levels[1];
        let shows = fit.agreeing >= self.belief.least_agreeing
            && fit.residual <= self.belief.most_residual_share * contrast
            && shift <= self.belief.most_shift_modules * module;
        if shows { Ok(()) } else { Err(Refusal::Covered { agreeing: 100.0 * fit.agreeing }) }
    }

    /// Registers a sight's pattern and says whether the sight may be believed.
    pub(super) fn judge(
        &self,
        sight: &mut Sight,
        sigma_px: f64,
        scratch: &mut Scratch,
    ) -> Result<(), Refusal> {
        let tag = sight.detection.tag;
        let found = search::register(
            &self.frame.grey,
            &self.camera.model,
            self.optics,
            tag,
            &sight.known,
            (sight.flat.pose, Start::Rough),
            scratch,
        );
        if let Some(fit) = found {
            self.shows(tag, &sight.known, sight.flat.pose, &fit)?;
            sight.registered = Some(fit);
            return Ok(());
        }
        let misfit = sight.flat.misfit;
        let (side_px, residual_px) = (sight.detection.side_px(), misfit.residual_px());
        let most_px =
            (self.belief.most_misfit_sigmas * sigma_px).min(self.belief.most_misfit_share * side_px);
        if residual_px > most_px {
            return Err(Refusal::Misfit { residual_px, most_px });
        }
        let most_px = self.belief.most_inset_px + self.belief.most_inset_share * side_px;
        if misfit.inset_px.abs() > most_px {
            return Err(Refusal::WrongSize { inset_px: misfit.inset_px, most_px });
        }
        Ok(())
    }

    pub(super) fn observation(&self, sight: &Sight, frame_sigma_px: f64) -> Option<Observation> {
        let tag = sight.detection.tag;
        if let Some(fit) = &sight.registered {
            return self.registered(tag, &sight.known, fit);
        }
        let own = own_sigma_px(&sight.flat, frame_sigma_px);
        let camera = self.camera;
        let pose = with_uncertainty(camera, self.frame.camera, &sight.known, sight.flat.pose, own)?;
        let pose = PoseEstimate {
            covariance: pose.covariance + self.misfit(sight.known.size_mm, sight.known.height_mm, pose.pose),
            ..pose
        };
        Some(self.seen(tag, pose, sight.flat.misfit.residual_px()))
    }

    /// What a table that does not fit adds to every pose: a wrong lens, size or place bends the table by
    /// more than the spread of its corners shows. One sigma is the reference tags' misfit as it appears on
    /// the table: a choice, checked with two tables under another lens's profile (`tests/it/cautions.rs`).
    fn misfit(&self, size_mm: f64, height_mm: f64, pose: Pose) -> Matrix3<f64> {
        if self.camera.residual_px <= MISFIT_PX {
            return Matrix3::zeros();
        }
        let at = |dx: f64, dy: f64| {
            let place = Point3::new(pose.centre.x + dx, pose.centre.y + dy, height_mm);
            self.camera.model.image_from_table(place)
        };
        let across = at(0.0, 0.0).zip(at(1.0, 0.0)).map_or(1.0, |(a, b)| (a - b).norm());
        let along = at(0.0, 0.0).zip(at(0.0, 1.0)).map_or(1.0, |(a, b)| (a - b).norm());
        let mm = self.camera.residual_px / across.min(along).max(1e-3);
        let turn = mm / (10.0 * size_mm);
        Matrix3::from_diagonal(&Vector3::new(mm * mm, mm * mm, turn * turn))
    }

    pub(super) fn registered(&self, tag: Tag, known: &KnownTag, fit: &Fit<OnPlane>) -> Option<Observation> {
        let pose = fit.warp.pose;
        let mut covariance = fit.covariance.fixed_view::<3, 3>(0, 0).into_owned();
        let floor = self.patterns.least_mm * self.patterns.least_mm;
        let arm = known.size_mm / 2.0;
        for (k, least) in [floor, floor, floor / (arm * arm)].into_iter().enumerate() {
            covariance[(k, k)] += least;
        }
        covariance += self.misfit(known.size_mm, known.height_mm, pose);
        let shared = sensitivities(self.camera, self.frame.camera, known, pose)?;
        let residual = fit.residual / (fit.levels[0] - fit.levels[1]);
        Some(self.seen(tag, PoseEstimate { pose, covariance, shared }, residual))
    }

    fn seen(&self, tag: Tag, pose: PoseEstimate, residual_px: f64) -> Observation {
        let (camera, captured_at) = (self.frame.camera, self.frame.captured_at);
        Observation { tag, camera, pose, rest: Rest::TABLE, captured_at, residual_px }
    }
}

/// The table between the reference tags, their own squares included.
pub(super) fn area_of(reference: &[ReferenceTag]) -> Option<Area> {
    let over = |f: fn(f64, f64) -> f64, start: f64, at: fn(&ReferenceTag) -> f64, side: f64| {
        reference.iter().fold(start, |s, r| f(s, at(r) + side * r.size_mm))
    };
    let least = Point::new(
        over(f64::min, f64::INFINITY, |r| r.x_mm, -1.0),
        over(f64::min, f64::INFINITY, |r| r.y_mm, -1.0),
    );
    let most = Point::new(
        over(f64::max, f64::NEG_INFINITY, |r| r.x_mm, 1.0),
        over(f64::max, f64::NEG_INFINITY, |r| r.y_mm, 1.0),
    );
    (least.x < most.x && least.y < most.y).then_some(Area { least, most })
}

/// Corner sigma of this frame, from the median misfit of its tags: a few bad ones do not move it.
fn frame_sigma_px(sights: &[Sight], noise: &CornerNoise) -> f64 {
    let mut squares: Vec<f64> = sights.iter().map(|s| s.flat.misfit.squares_px2).collect();
    squares.sort_by(f64::total_cmp);
    let Some(&median) = squares.get(squares.len() / 2) else { return noise.seen(0.0, 0.0) };
    // A median knows about two thirds of what the mean would.
    let freedom = FREEDOM * squares.len() as f64 * 2.0 / 3.0;
    noise.seen(median / MEDIAN_CHI2 * freedom, freedom)
}

/// Corner sigma of one tag: the frame's, and its own misfit as far as that can tell.
fn own_sigma_px(fit: &FlatFit, frame_sigma_px: f64) -> f64 {
    let frame = FRAME_WEIGHT * frame_sigma_px * frame_sigma_px;
    ((fit.misfit.squares_px2 + frame) / (FREEDOM + FRAME_WEIGHT)).sqrt()
}
