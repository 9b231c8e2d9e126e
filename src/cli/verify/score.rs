//! What was measured against what was there. Millimetres in the table plane, degrees.

use super::scene::{Known, KnownElement, Truth};
use crate::cli::accuracy::{CROSSED, Errors, WHOLE, corner_errors, found};
use crate::geometry::{Pose, PoseEstimate};
use crate::tracking::{TableSnapshot, Tag, Visibility};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Counts and error sums over one scene, or over several added up.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Score {
    elements: usize,
    whole: usize,
    whole_found: usize,
    crossed: usize,
    crossed_found: usize,
    covered: usize,
    wrongly_seen: usize,
    ghosts: usize,
    centre: Errors,
    corner: Errors,
    heading: Errors,
    crossed_corner: Errors,
    inside: usize,
    ms: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Shows {
    Whole,
    Crossed,
    Covered,
}

impl Score {
    /// Scores one scene. `ms` is the time from decoded picture to poses.
    pub fn of(known: &Known, truth: &Truth, snapshot: &TableSnapshot, ms: f64) -> Self {
        let mut score = Self { elements: known.elements.len(), ms: vec![ms], ..Self::default() };
        for (element, true_pose) in known.elements.iter().zip(&truth.poses) {
            score.element(element, true_pose, truth, element.fresh_pose(snapshot));
        }
        let owned: BTreeSet<Tag> = known.elements.iter().flat_map(|e| &e.tags).map(|m| m.tag).collect();
        score.ghosts += snapshot
            .tracks
            .values()
            .filter(|t| t.visibility == Visibility::Seen && !owned.contains(&t.tag))
            .count();
        score
    }

    fn element(&mut self, element: &KnownElement, truth: &Pose, all: &Truth, pose: Option<PoseEstimate>) {
        let share = |tag| all.visible.get(tag).copied().unwrap_or(0.0);
        let share = element.tags.iter().map(|m| share(&m.tag)).fold(0.0, f64::max);
        let shows = if share >= WHOLE {
            Shows::Whole
        } else if share >= CROSSED {
            Shows::Crossed
        } else {
            Shows::Covered
        };
        match shows {
            Shows::Whole => self.whole += 1,
            Shows::Crossed => self.crossed += 1,
            Shows::Covered => self.covered += 1,
        }
        let Some(pose) = pose else { return };
        if shows == Shows::Covered {
            self.wrongly_seen += 1;
        }
        if !found(&pose.pose, truth) {
            self.ghosts += 1;
            return;
        }
        match shows {
            Shows::Whole => {
                self.whole_found += 1;
                self.errors(element, &pose, truth);
            }
            Shows::Crossed => {
                self.crossed_found += 1;
                for corner in corner_errors(element.base_mm, &pose, truth) {
                    self.crossed_corner.add(corner.off.norm());
                }
            }
            Shows::Covered => {}
        }
    }

    fn errors(&mut self, element: &KnownElement, pose: &PoseEstimate, truth: &Pose) {
        self.centre.add((pose.pose.centre - truth.centre).norm());
        self.heading.add(pose.pose.heading.turn_to_radians(truth.heading).to_degrees());
        for corner in corner_errors(element.base_mm, pose, truth) {
            self.corner.add(corner.off.norm());
            self.inside += usize::from(corner.inside_95());
        }
    }

    /// Adds another scene's score.
    pub fn join(&mut self, other: &Self) {
        self.elements += other.elements;
        self.whole += other.whole;
        self.whole_found += other.whole_found;
        self.crossed += other.crossed;
        self.crossed_found += other.crossed_found;
        self.covered += other.covered;
        self.wrongly_seen += other.wrongly_seen;
        self.ghosts += other.ghosts;
        self.centre.join(&other.centre);
        self.corner.join(&other.corner);
        self.heading.join(&other.heading);
        self.crossed_corner.join(&other.crossed_corner);
        self.inside += other.inside;
        self.ms.extend(&other.ms);
    }

    /// The figures as JSON, lengths and times to four decimals; what has no value is null.
    pub fn to_json(&self) -> Map<String, Value> {
        let number = |v: Option<f64>| v.map_or(Value::Null, |v| json!((v * 1e4).round() / 1e4));
        let mut ms = self.ms.clone();
        ms.sort_by(f64::total_cmp);
        let median = match ms.len() {
            0 => None,
            n => Some((ms[n / 2] + ms[(n - 1) / 2]) / 2.0),
        };
        let within = (self.corner.count() > 0).then(|| self.inside as f64 / self.corner.count() as f64);
        let fields = [
            ("elements", json!(self.elements)),
            ("whole", json!(self.whole)),
            ("whole_found", json!(self.whole_found)),
            ("crossed", json!(self.crossed)),
            ("crossed_found", json!(self.crossed_found)),
            ("covered", json!(self.covered)),
            ("wrongly_seen", json!(self.wrongly_seen)),
            ("ghosts", json!(self.ghosts)),
            ("centre_rms_mm", number(self.centre.rms())),
            ("corner_rms_mm", number(self.corner.rms())),
            ("corner_worst_mm", number(self.corner.worst())),
            ("heading_rms_deg", number(self.heading.rms())),
            ("within_95", number(within)),
            ("crossed_corner_rms_mm", number(self.crossed_corner.rms())),
            ("crossed_corner_worst_mm", number(self.crossed_corner.worst())),
            ("ms", number(median)),
        ];
        fields.into_iter().map(|(k, v)| (k.to_owned(), v)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::{PoseEstimate, Rest};
    use crate::tracking::{TagFamily, Track};
    use nalgebra::Matrix3;

    fn scene(shares: &[f64]) -> (Known, Truth) {
        let elements = (0..shares.len() as u32).map(|id| KnownElement {
            name: format!("E{id}"),
            side: 0,
            base_mm: [40.0, 20.0],
            tags: vec![super::super::scene::Mount {
                tag: Tag::new(TagFamily::Tag36h11, id),
                offset_mm: [0.0, 0.0],
                rotation_deg: 180.0,
            }],
        });
        let lens = crate::vision::Lens::from_field_of_view(1920, 1080, 70.0);
        let known =
            Known { book: Default::default(), board_mm: (600.0, 600.0), lens, elements: elements.collect() };
        let truth = Truth {
            poses: (0..shares.len()).map(|i| Pose::new(100.0 * i as f64, 50.0, 90.0)).collect(),
            visible: (0..).zip(shares).map(|(id, s)| (Tag::new(TagFamily::Tag36h11, id), *s)).collect(),
        };
        (known, truth)
    }

    fn seen(id: u32, x: f64, sigma_mm: f64) -> (Tag, Track) {
        let tag = Tag::new(TagFamily::Tag36h11, id);
        // The tag lies turned by half a turn on its base.
        let mut pose = PoseEstimate::exact(Pose::new(x, 50.0, 270.0));
        pose.covariance = Matrix3::from_diagonal_element(sigma_mm * sigma_mm);
        pose.covariance[(2, 2)] = 1e-8;
        (tag, Track { tag, pose: Some(pose), rest: Rest::TABLE, at_rest: true, visibility: Visibility::Seen })
    }

    #[test]
    fn found_misplaced_covered_and_decoys_are_counted_apart() {
        let (known, truth) = scene(&[1.0, 1.0, 0.7, 0.2, 1.0]);
        let tracks = [
            seen(0, 0.3, 0.2),
            seen(1, 104.0, 0.2),
            seen(2, 200.5, 0.2),
            seen(3, 300.0, 0.2),
            seen(99, 7.0, 0.2),
        ];
        let snapshot = TableSnapshot { tracks: tracks.into(), ..TableSnapshot::default() };
        let score = Score::of(&known, &truth, &snapshot, 12.0).to_json();
        let figure = |key: &str| score[key].clone();
        assert_eq!(figure("whole"), 3);
        assert_eq!(figure("whole_found"), 1, "one is 4 mm off, one is not seen");
        assert_eq!((figure("crossed"), figure("crossed_found")), (json!(1), json!(1)));
        assert_eq!((figure("covered"), figure("wrongly_seen")), (json!(1), json!(1)));
        assert_eq!(figure("ghosts"), 2, "the misplaced one and the decoy");
        assert_eq!(figure("corner_rms_mm"), 0.3);
        assert_eq!(figure("crossed_corner_worst_mm"), 0.5);
        assert_eq!(figure("within_95"), 1.0);
    }

    #[test]
    fn a_pose_that_claims_too_much_is_outside_its_ellipse() {
        let (known, truth) = scene(&[1.0]);
        let snapshot = TableSnapshot { tracks: [seen(0, 0.3, 0.1)].into(), ..TableSnapshot::default() };
        assert_eq!(Score::of(&known, &truth, &snapshot, 1.0).to_json()["within_95"], 0.0);
    }

    #[test]
    fn a_summary_adds_up_and_nothing_found_is_null() {
        let (known, truth) = scene(&[1.0]);
        let mut sum = Score::of(&known, &truth, &TableSnapshot::default(), 10.0);
        assert_eq!(sum.to_json()["corner_rms_mm"], Value::Null);
        let snapshot = TableSnapshot { tracks: [seen(0, 0.3, 0.1)].into(), ..TableSnapshot::default() };
        sum.join(&Score::of(&known, &truth, &snapshot, 30.0));
        let json = sum.to_json();
        assert_eq!((json["elements"].clone(), json["ms"].clone()), (json!(2), json!(20.0)));
        assert_eq!(json["corner_rms_mm"], 0.3);
    }
}
