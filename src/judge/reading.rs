//! From a snapshot of tags to the poses of bases.
//!
//! A tag's pose is turned into its base's by undoing the mount: rotation first, then offset. What the
//! mount is not known to (glue, and the lean of a stalk) is a shared error of its own: it is fixed to the base, so
//! that no number of readings makes it smaller. Several tags on a base are combined by their information, shared
//! errors kept apart.

use super::{MountedTag, Roster, RosterElement};
use crate::geometry::{MountTerm, PoseEstimate, Rest, Sensitivity, Source};
use crate::rules::Side;
use crate::tracking::{TableSnapshot, Track, Visibility};
use nalgebra::{Matrix3, Vector3};
use std::collections::BTreeMap;
use std::time::Duration;

/// One element as the camera last saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct ElementReading {
    /// Its name.
    pub name: String,
    /// Whose it is.
    pub side: Side,
    /// How the pose came about: that of its best tag.
    pub visibility: Visibility,
    /// Whether every tag that the pose rests on stands still.
    pub at_rest: bool,
    /// The base's centre and heading; `None` while it is missing.
    pub pose: Option<PoseEstimate>,
    /// How the base rests on the ground, as its best tag has it.
    pub rest: Rest,
}

impl ElementReading {
    /// Age of the pose: none while it is seen or missing.
    pub fn age(&self) -> Duration {
        match self.visibility {
            Visibility::Covered { age } => age,
            _ => Duration::ZERO,
        }
    }

    /// The pose, where it may be judged by: seen, or covered and not gone.
    pub fn trusted_pose(&self) -> Option<&PoseEstimate> {
        match self.visibility {
            Visibility::Seen | Visibility::Covered { .. } => self.pose.as_ref(),
            Visibility::Missing | Visibility::Gone => None,
        }
    }
}

/// Every element of the roster, in its order.
pub fn read_elements(roster: &Roster, snapshot: &TableSnapshot) -> Vec<ElementReading> {
    roster.elements().iter().map(|element| read_element(element, snapshot)).collect()
}

/// Best first: seen, covered by age, gone, missing.
fn rank(visibility: Visibility) -> (u8, Duration) {
    match visibility {
        Visibility::Seen => (0, Duration::ZERO),
        Visibility::Covered { age } => (1, age),
        Visibility::Gone => (2, Duration::ZERO),
        Visibility::Missing => (3, Duration::ZERO),
    }
}

fn read_element(element: &RosterElement, snapshot: &TableSnapshot) -> ElementReading {
    let tracks: Vec<(&MountedTag, &Track)> =
        element.tags.iter().filter_map(|tag| Some((tag, snapshot.tracks.get(&tag.tag)?))).collect();
    let best = tracks.iter().map(|(_, track)| rank(track.visibility)).min();
    // Only tags as good as the best one count: a fresh pose is never mixed with an old one.
    let used: Vec<&(&MountedTag, &Track)> =
        tracks.iter().filter(|(_, track)| Some(rank(track.visibility)) == best).collect();
    let poses: Vec<PoseEstimate> =
        used.iter().filter_map(|(tag, track)| Some(base_from_tag(tag, track.pose.as_ref()?))).collect();
    ElementReading {
        name: element.name.clone(),
        side: element.side,
        visibility: used.first().map_or(Visibility::Missing, |(_, track)| track.visibility),
        at_rest: !used.is_empty() && used.iter().all(|(_, track)| track.at_rest),
        pose: combined(&poses),
        rest: used.first().map_or(Rest::TABLE, |(_, track)| track.rest),
    }
}

/// The base's pose from its tag's.
pub fn base_from_tag(mount: &MountedTag, tag: &PoseEstimate) -> PoseEstimate {
    let heading = tag.pose.heading.turned_degrees(-mount.rotation_deg);
    let arm = heading.right() * mount.right_mm + heading.vector() * mount.forward_mm;
    let mut base = tag.carried(-arm, -mount.rotation_deg);
    let place = mount.place_sigma_mm();
    let (right, ahead) = (heading.right() * place, heading.vector() * place);
    let turn = mount.rotation_sigma_deg.to_radians();
    // An offset that is larger than written has put the base too far along; a larger rotation turns it, and
    // swings it about the tag.
    let terms = [
        (MountTerm::Right, Vector3::new(-right.x, -right.y, 0.0)),
        (MountTerm::Forward, Vector3::new(-ahead.x, -ahead.y, 0.0)),
        (MountTerm::Turn, Vector3::new(-arm.y, arm.x, -1.0) * turn),
    ];
    let tag = mount.tag.key();
    base.shared.extend(
        terms
            .into_iter()
            .filter(|(_, per_sigma)| *per_sigma != Vector3::zeros())
            .map(|(term, per_sigma)| Sensitivity { source: Source::Mount { tag, term }, per_sigma }),
    );
    base
}

/// The part of an estimate's covariance that no other tag shares: its own, and its mount's.
fn own_covariance(pose: &PoseEstimate) -> Matrix3<f64> {
    let mounts = pose.shared.iter().filter(|s| matches!(s.source, Source::Mount { .. }));
    mounts.fold(pose.covariance, |sum, s| sum + s.per_sigma * s.per_sigma.transpose())
}

/// Several estimates of one pose as one, weighted by the inverse of what each does not share with the others.
/// Where they differ by more than those allow, the covariance grows until they agree.
fn combined(poses: &[PoseEstimate]) -> Option<PoseEstimate> {
    let (first, others) = poses.split_first()?;
    if others.is_empty() {
        return Some(first.clone());
    }
    // A hundredth of what the finest measurement reaches keeps exact poses invertible.
    let least = Matrix3::from_diagonal(&Vector3::new(1e-6, 1e-6, 1e-10));
    let weights: Vec<Matrix3<f64>> = poses
        .iter()
        .map(|p| (own_covariance(p) + least).try_inverse().unwrap_or_else(Matrix3::identity))
        .collect();
    let total: Matrix3<f64> = weights.iter().sum();
    let spread = total.try_inverse()?;
    let steps: Vec<Vector3<f64>> = poses
        .iter()
        .map(|p| {
            let d = p.pose.centre - first.pose.centre;
            Vector3::new(d.x, d.y, first.pose.heading.turn_to_radians(p.pose.heading))
        })
        .collect();
    let by: Vector3<f64> = weights.iter().zip(&steps).map(|(w, step)| spread * w * step).sum();
    let misfit: f64 =
        weights.iter().zip(&steps).map(|(w, s)| ((s - by).transpose() * w * (s - by))[(0, 0)]).sum();
    let excess = (misfit / (3.0 * others.len() as f64)).max(1.0);
    let mut covariance = Matrix3::zeros();
    let mut shared: BTreeMap<Source, Vector3<f64>> = BTreeMap::new();
    for (w, p) in weights.iter().zip(poses) {
        let gain = spread * w;
        covariance += gain * p.covariance * gain.transpose();
        for s in &p.shared {
            *shared.entry(s.source).or_insert_with(Vector3::zeros) += gain * s.per_sigma;
        }
    }
    Some(PoseEstimate {
        pose: first.pose.nudged(by.fixed_rows::<2>(0).into_owned(), by.z),
        covariance: covariance * excess,
        shared: shared.into_iter().map(|(source, per_sigma)| Sensitivity { source, per_sigma }).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{JointCovariance, Point, Pose};
    use crate::text::Position;
    use crate::tracking::{Tag, TagFamily};
    use proptest::prelude::*;

    fn mount(right_mm: f64, forward_mm: f64, rotation_deg: f64) -> MountedTag {
        MountedTag {
            tag: Tag::new(TagFamily::Tag36h11, 1),
            size_mm: 14.0,
            right_mm,
            forward_mm,
            rotation_deg,
            height_mm: 30.0,
            offset_sigma_mm: 0.0,
            rotation_sigma_deg: 0.0,
            height_sigma_mm: 0.0,
            lean_sigma_deg: 0.0,
            at: Position::START,
        }
    }

    fn measured(pose: Pose, sigma_mm: f64) -> PoseEstimate {
        PoseEstimate {
            pose,
            covariance: Matrix3::from_diagonal(&Vector3::new(sigma_mm.powi(2), sigma_mm.powi(2), 1e-6)),
            shared: vec![Sensitivity { source: Source::MountHeight, per_sigma: Vector3::new(0.1, 0.0, 0.0) }],
        }
    }

    #[test]
    fn a_tag_turned_by_180_behind_the_centre_gives_the_bases_own_pose() {
        // The base stands at (100, 50) looking north; its tag lies 6 mm behind, upside down.
        let tag = PoseEstimate::exact(Pose::new(100.0, 44.0, 270.0));
        let base = base_from_tag(&mount(0.0, -6.0, 180.0), &tag);
        assert_eq!(base.pose, Pose::new(100.0, 50.0, 90.0));
    }

    #[test]
    fn a_doubtful_heading_moves_the_centre_across_the_arm_only() {
        let mut loose = mount(0.0, -10.0, 0.0);
        loose.rotation_sigma_deg = 1.0;
        let base = base_from_tag(&loose, &PoseEstimate::exact(Pose::new(0.0, 0.0, 90.0)));
        let across = 10.0 * 1f64.to_radians();
        let total = base.total_covariance();
        assert!((total[(0, 0)].sqrt() - across).abs() < 1e-12);
        assert!(total[(1, 1)] < 1e-20);
    }

    #[test]
    fn a_stalk_that_leans_moves_its_base_and_reading_it_often_does_not_help() {
        let mut leaning = mount(0.0, 0.0, 0.0);
        leaning.lean_sigma_deg = 4.0;
        let tag = PoseEstimate::exact(Pose::new(0.0, 0.0, 70.0));
        let base = base_from_tag(&leaning, &tag);
        assert!((base.sigma_place_mm() - 30.0 * 4f64.to_radians().sin()).abs() < 1e-9);
        assert_eq!(base.covariance, Matrix3::zeros());
        // The same base before and after a move straight ahead: the error has gone along.
        let moved = base_from_tag(&leaning, &PoseEstimate::exact(Pose::new(50.0, 80.0, 70.0)));
        let ahead = nalgebra::DVector::from_vec(vec![-1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);
        assert!(JointCovariance::of(&[&base, &moved]).sigma(&ahead) < 1e-9);
        let turned = base_from_tag(&leaning, &PoseEstimate::exact(Pose::new(50.0, 80.0, 250.0)));
        let twice = 2.0 * base.sigma_place_mm();
        assert!((JointCovariance::of(&[&base, &turned]).sigma(&ahead) - twice).abs() < 1e-9);
    }

    #[test]
    fn of_two_tags_the_one_that_is_mounted_surely_counts_more() {
        let at = |x: f64, stalk: f64| {
            let mut mounted = mount(0.0, 0.0, 0.0);
            mounted.lean_sigma_deg = stalk;
            mounted.tag.id = stalk as u32;
            base_from_tag(&mounted, &PoseEstimate::exact(Pose::new(x, 0.0, 90.0)))
        };
        let both = combined(&[at(0.0, 1.0), at(1.0, 4.0)]).expect("two poses");
        let (sure, loose) = (1f64.to_radians().sin().powi(-2), 4f64.to_radians().sin().powi(-2));
        assert!((both.pose.centre.x - loose / (sure + loose)).abs() < 1e-3, "{:?}", both.pose);
    }

    #[test]
    fn two_tags_that_agree_shrink_the_independent_part_and_keep_the_shared_one() {
        let pose = Pose::new(10.0, 20.0, 30.0);
        let both = combined(&[measured(pose, 0.2), measured(pose, 0.2)]).expect("two poses");
        assert!((both.covariance[(0, 0)] - 0.02).abs() < 1e-6, "{}", both.covariance);
        assert!((both.shared[0].per_sigma.x - 0.1).abs() < 1e-9);
    }

    #[test]
    fn two_tags_that_contradict_each_other_are_not_called_certain() {
        let (a, b) = (measured(Pose::new(0.0, 0.0, 0.0), 0.1), measured(Pose::new(4.0, 0.0, 0.0), 0.1));
        let both = combined(&[a, b]).expect("two poses");
        assert!((both.pose.centre - Point::new(2.0, 0.0)).norm() < 1e-6);
        assert!(both.covariance[(0, 0)].sqrt() > 1.0, "{}", both.covariance[(0, 0)].sqrt());
    }

    proptest! {
        #[test]
        fn mounting_a_tag_and_undoing_the_mount_gives_the_base_back(
            x in -50.0..650.0, y in -50.0..650.0, heading in 0.0..360.0,
            right in -40.0..40.0, forward in -40.0..40.0, rotation in -180.0..180.0,
        ) {
            let base = Pose::new(x, y, heading);
            let tag = Pose { centre: base.at(right, forward), heading: base.heading.turned_degrees(rotation) };
            let back = base_from_tag(&mount(right, forward, rotation), &PoseEstimate::exact(tag)).pose;
            prop_assert!((back.centre - base.centre).norm() < 1e-9);
            prop_assert!(back.heading.turn_to_radians(base.heading).abs() < 1e-12);
        }
    }
}
