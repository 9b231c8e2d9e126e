//! Reference tags that the detector misses, found by their patterns.
//!
//! Two reference tags tell roughly where the others must lie, for a lens that is not known too. There the picture is
//! laid flat and read as [`super::search`] does; what reads as the tag that belongs there must then show its whole
//! pattern. The nearest come first: each one found makes the place of the next surer. A sight found so counts like a
//! detected one: it is left out where the others do not bear it out. Table frame, millimetres.

use super::belief::BeliefSettings;
use super::location::{CornerNoise, ReferenceSight, RegistrationSettings, guess};
use super::measure::registered_corners;
use super::register::Scratch;
use super::search::{Area, hints_of};
use super::{CameraModel, GreyImage, Lens, TagPattern};
use crate::geometry::{Point, Pose, Vector};
use crate::tracking::{KnownTag, ReferenceTag, TagCorners};
use nalgebra::Point3;

/// How far from its place a tag is looked for, as a share of the distance from the nearest that was seen: a lens that
/// is not known may put it wrong by as much.
const REACH_SHARE: f64 = 0.1;

/// What a missed reference tag is looked for with.
pub(super) struct Missed<'a> {
    /// The picture.
    pub picture: &'a GreyImage,
    /// The lens profile, where there is one.
    pub lens: Option<&'a Lens>,
    /// The table's reference tags.
    pub reference: &'a [ReferenceTag],
    /// Errors of corners as the detector finds them.
    pub noise: &'a CornerNoise,
    /// Placing the camera.
    pub registration: &'a RegistrationSettings,
    /// Which patterns are believed.
    pub belief: &'a BeliefSettings,
}

impl Missed<'_> {
    /// The reference tags that none of `seen` shows and whose patterns show where they belong.
    pub fn find(&self, seen: &[ReferenceSight], scratch: &mut Scratch) -> Vec<ReferenceSight> {
        let size = (self.picture.width(), self.picture.height());
        let shown = |tag| seen.iter().any(|s| s.place.tag == tag);
        let mut missing: Vec<&ReferenceTag> = self.reference.iter().filter(|r| !shown(r.tag)).collect();
        let mut sights = seen.to_vec();
        while !missing.is_empty() {
            let Some(camera) = guess(&sights, size, self.lens, self.noise, self.registration) else { break };
            let away = |tag: &ReferenceTag| {
                let from = |s: &ReferenceSight| (middle(&s.place) - middle(tag)).norm();
                sights.iter().map(from).fold(f64::INFINITY, f64::min)
            };
            missing.sort_by(|a, b| away(a).total_cmp(&away(b)));
            let reach = |tag: &ReferenceTag| REACH_SHARE * away(tag);
            let found = missing.iter().enumerate().find_map(|(n, tag)| {
                self.look_for(&camera, tag, reach(tag), scratch).map(|sight| (n, sight))
            });
            let Some((n, sight)) = found else { break };
            missing.remove(n);
            sights.push(sight);
        }
        sights.split_off(seen.len())
    }

    /// The tag where its pattern shows within `reach_mm` of its place as `camera` sees it.
    fn look_for(
        &self,
        camera: &CameraModel,
        tag: &ReferenceTag,
        reach_mm: f64,
        scratch: &mut Scratch,
    ) -> Option<ReferenceSight> {
        let pattern = TagPattern::of(tag.tag)?;
        // The rings about it, turned by any angle, must lie in the area too.
        let half = Vector::repeat(1.5 * pattern.picture_mm(tag.size_mm) + reach_mm);
        let area = Area { least: middle(tag) - half, most: middle(tag) + half };
        let kind = KnownTag { size_mm: tag.size_mm, height_mm: tag.z_mm, height_sigma_mm: 0.0 };
        let mut hints = hints_of(self.picture, camera, area, (tag.tag.family, &kind));
        hints.retain(|hint| hint.tag == tag.tag);
        hints.sort_by(|a, b| b.reading.total_cmp(&a.reading));
        let hint = hints.first()?;
        let corners_px = corners_px(camera, hint.pose, tag)?;
        let start = ReferenceSight { place: *tag, corners_px };
        let fit = registered_corners(self.picture, &camera.lens, &start, scratch)?;
        let corners = fit.warp.corners_px();
        let side_px = (corners[1] - corners[0]).norm().max((corners[2] - corners[1]).norm());
        let most_px = self.belief.most_shift_modules * side_px / pattern.border_modules() as f64;
        let moved = corners.iter().zip(corners_px.in_order()).map(|(a, b)| (a - b).norm());
        let shows = fit.agreeing >= self.belief.least_agreeing
            && fit.residual <= self.belief.most_residual_share * (fit.levels[0] - fit.levels[1])
            && moved.fold(0.0, f64::max) <= most_px;
        shows.then(|| ReferenceSight { corners_px: TagCorners::from_order(corners), ..start })
    }
}

fn middle(tag: &ReferenceTag) -> Point {
    Point::new(tag.x_mm, tag.y_mm)
}

/// Where `camera` sees the corners of a reference tag that lies at `pose`.
fn corners_px(camera: &CameraModel, pose: Pose, tag: &ReferenceTag) -> Option<TagCorners<super::PixelPoint>> {
    let half = tag.size_mm / 2.0;
    let at = |right: f64, up: f64| {
        let p = pose.at(right, up);
        camera.image_from_table(Point3::new(p.x, p.y, tag.z_mm))
    };
    let corners = [at(-half, half)?, at(half, half)?, at(half, -half)?, at(-half, -half)?];
    Some(TagCorners::from_order(corners))
}
