//! Terrain that bears a tag: where its outline lies by what the camera saw of the tag.
//!
//! Table frame, millimetres. The table file says where the tag lies while its feature lies as its outline says; as the tag has gone
//! from there, so has all of the feature: outline, crest and gates. Invariants: only a tag that rests counts; an outline
//! that would move by less than a millimetre anywhere stays as it is, so that nothing wanders with the noise of readings.

use super::Table;
use crate::geometry::{Carry, Heading, Point, Pose, Vector};
use crate::rules::terrain::{Feature, Ground, Hill};
use crate::text::{turn_word, way_words};
use crate::tracking::{KnownTag, ReferenceTag, TableSnapshot, Tag, Visibility};
use serde::{Deserialize, Serialize};

/// One sigma of the height of a feature's tag, millimetres: felt gives, and hills are measured with a ruler. A choice.
const HEIGHT_SIGMA_MM: f64 = 0.5;

/// A tag that is fixed to a feature of the ground.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureTag {
    /// The feature's name.
    pub feature: String,
    /// Where it lies while the feature lies as its outline says.
    pub place: ReferenceTag,
}

impl FeatureTag {
    /// Its pose while the feature lies as its outline says.
    pub fn pose(&self) -> Pose {
        Pose::new(self.place.x_mm, self.place.y_mm, 90.0 + self.place.rotation_deg)
    }

    /// What is known of it before a picture is looked at.
    pub fn known(&self) -> KnownTag {
        let (size_mm, height_mm) = (self.place.size_mm, self.place.z_mm);
        KnownTag { size_mm, height_mm, height_sigma_mm: HEIGHT_SIGMA_MM }
    }

    /// The same, as its feature was carried.
    fn carried(&self, carry: &Carry) -> Self {
        let there = carry.pose(self.pose());
        let rotation_deg = Heading::NORTH.turn_to_radians(there.heading).to_degrees();
        let place = ReferenceTag { x_mm: there.centre.x, y_mm: there.centre.y, rotation_deg, ..self.place };
        Self { place, ..self.clone() }
    }
}

/// Where a feature's tag was seen: what a journal keeps of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TagSeen {
    /// The feature's name.
    pub feature: String,
    /// The tag's centre.
    pub x_mm: f64,
    /// The tag's centre.
    pub y_mm: f64,
    /// The way its top points, anticlockwise from +x.
    pub heading_deg: f64,
}

impl TagSeen {
    fn pose(&self) -> Pose {
        Pose::new(self.x_mm, self.y_mm, self.heading_deg)
    }
}

/// How a feature lies as against its outline in the table file.
#[derive(Debug, Clone, PartialEq)]
pub struct FeatureMoved {
    /// The feature's name.
    pub feature: String,
    /// Its tag.
    pub tag: Tag,
    /// From the outline's middle to where that is.
    pub by: Vector,
    /// One sigma along the shift.
    pub sigma_mm: f64,
    /// Its turn, anticlockwise, and one sigma.
    pub turn_deg: (f64, f64),
    /// Where the tag was seen.
    pub seen: TagSeen,
}

impl FeatureMoved {
    /// A shift that is told, millimetres.
    pub const TOLD_MM: f64 = 3.0;
    /// A turn that is told, degrees.
    pub const TOLD_DEG: f64 = 3.0;

    /// Length of the shift.
    pub fn mm(&self) -> f64 {
        self.by.norm()
    }

    /// Whether it is to be told: a shift that may be 3 mm or more, or a turn beyond three sigmas and 3 degrees.
    pub fn is_told(&self) -> bool {
        self.shift_is_told() || self.turn_is_told()
    }

    /// A shift of 3 mm is read a little short as often as a little long: both are told.
    fn shift_is_told(&self) -> bool {
        self.mm() + self.sigma_mm >= Self::TOLD_MM
    }

    fn turn_is_told(&self) -> bool {
        let (deg, sigma) = self.turn_deg;
        deg.abs() >= (3.0 * sigma).max(Self::TOLD_DEG)
    }

    /// What is said of it.
    pub fn in_words(&self) -> String {
        let (name, mm, sigma) = (&self.feature, self.mm(), self.sigma_mm);
        if !self.is_told() {
            return format!("{name} lies as its outline says, by its tag ({mm:.1} \u{b1} {sigma:.1} mm off)");
        }
        let (deg, deg_sigma) = self.turn_deg;
        let turned = format!("{:.1} \u{b1} {deg_sigma:.1} degrees {}", deg.abs(), turn_word(deg));
        let moved = format!("{mm:.1} \u{b1} {sigma:.1} mm, {}", way_words(self.by.x, self.by.y));
        let what = match (self.shift_is_told(), self.turn_is_told()) {
            (true, true) => format!("has moved {moved}, and turned by {turned}"),
            (true, false) => format!("has moved {moved}"),
            (false, _) => format!("has turned by {turned}"),
        };
        format!("{name} {what}, by its tag: its outline follows; put it back, or write its new place")
    }
}

/// How every feature lies whose tag rests in view, or did when it was last seen.
pub fn features_seen(table: &Table, snapshot: &TableSnapshot) -> Vec<FeatureMoved> {
    let of = |tag: &FeatureTag| {
        let feature = table.ground.feature(&tag.feature)?;
        let track = snapshot.tracks.get(&tag.place.tag)?;
        let rests =
            track.at_rest && matches!(track.visibility, Visibility::Seen | Visibility::Covered { .. });
        let pose = track.pose.as_ref().filter(|_| rests)?;
        let seen = pose.pose;
        let carry = Carry::new(tag.pose(), seen);
        let middle = middle(feature);
        let there = carry.point(middle);
        let by = there - middle;
        let along = by.try_normalize(1e-9).unwrap_or_else(Vector::x);
        let arm = there - seen.centre;
        let covariance = pose.total_covariance();
        // A turn of the tag swings the outline's middle about it.
        let way = nalgebra::Vector3::new(along.x, along.y, along.y * arm.x - along.x * arm.y);
        let variance = (way.transpose() * covariance * way)[(0, 0)] + tag.place.sigma_mm.powi(2);
        Some(FeatureMoved {
            feature: tag.feature.clone(),
            tag: tag.place.tag,
            by,
            sigma_mm: variance.max(0.0).sqrt(),
            turn_deg: (carry.turn_deg(), covariance[(2, 2)].max(0.0).sqrt().to_degrees()),
            seen: TagSeen {
                feature: tag.feature.clone(),
                x_mm: seen.centre.x,
                y_mm: seen.centre.y,
                heading_deg: seen.heading.degrees(),
            },
        })
    };
    table.feature_tags.iter().filter_map(of).collect()
}

/// The middle of a feature's outline: of the box round it.
fn middle(feature: &Feature) -> Point {
    let (low, high) = feature.outline.bounds();
    nalgebra::center(&low, &high)
}

/// An outline that would move by less than this anywhere stays as it is, millimetres. A choice: a tag at rest is read to a
/// tenth of that.
pub const LEAST_MM: f64 = 1.0;

/// Whether these sights of tags lay any outline of the table otherwise than those before did.
pub fn lie_otherwise(table: &Table, before: &[TagSeen], now: &[TagSeen]) -> bool {
    table.feature_tags.iter().any(|tag| {
        let Some(feature) = table.ground.feature(&tag.feature) else { return false };
        let carry = |seen: &[TagSeen]| {
            let seen = seen.iter().find(|s| s.feature == tag.feature);
            seen.map_or(Carry::new(tag.pose(), tag.pose()), |s| Carry::new(tag.pose(), s.pose()))
        };
        carry(before).apart_mm(&carry(now), &feature.outline) >= LEAST_MM
    })
}

/// The table with every feature, and its tag, where the tag was seen; those not seen lie as they are written.
pub fn as_it_lies(table: &Table, seen: &[TagSeen]) -> Table {
    let mut lies = table.clone();
    for (tag, written) in lies.feature_tags.iter_mut().zip(&table.feature_tags) {
        let Some(seen) = seen.iter().find(|s| s.feature == written.feature) else { continue };
        let place = lies.ground.features.iter_mut().find(|f| f.name == written.feature);
        let Some(feature) = place else { continue };
        let carry = Carry::new(written.pose(), seen.pose());
        let still = Carry::new(written.pose(), written.pose());
        if carry.apart_mm(&still, &feature.outline) < LEAST_MM {
            continue;
        }
        *feature = carried(feature, &carry);
        *tag = written.carried(&carry);
    }
    lies
}

fn carried(feature: &Feature, carry: &Carry) -> Feature {
    Feature {
        outline: carry.outline(&feature.outline),
        hill: feature.hill.as_ref().map(|hill| Hill { crest: carry.points(&hill.crest), ..hill.clone() }),
        gates: carry.points(&feature.gates),
        ..feature.clone()
    }
}

/// The place among a ground's hills of the one that is called so.
pub(super) fn hill_of(ground: &Ground, name: &str) -> Option<usize> {
    ground.features.iter().filter(|f| f.hill.is_some()).position(|f| f.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::PoseEstimate;
    use crate::judge::{parse_table, samples, tag_book};
    use crate::tracking::{CapturedAt, Track};
    use std::collections::BTreeMap;

    const TAGGED: &str = "(name: \"Hill\", kind: \"gentle-hill\", height: 15, profile: stepped, \
        outline: [(100, 100), (300, 100), (300, 250), (100, 250)], \
        tag: (family: \"tag36h11\", id: 300, size: 20, x: 130, y: 130, z: 15.3, rotation: 0)),";

    fn table() -> Table {
        let text = samples::TABLE_RON.replacen("terrain: [", &format!("terrain: [\n{TAGGED}"), 1);
        parse_table("t.ron", &text).map_err(|m| m.to_string()).expect("a sound table")
    }

    fn snapshot(pose: Pose, at_rest: bool) -> TableSnapshot {
        let tag = table().feature_tags[0].place.tag;
        let pose = PoseEstimate {
            covariance: nalgebra::Matrix3::from_diagonal(&nalgebra::Vector3::new(0.04, 0.04, 1e-6)),
            ..PoseEstimate::exact(pose)
        };
        let track = Track {
            tag,
            pose: Some(pose),
            rest: crate::geometry::Rest::TABLE,
            at_rest,
            visibility: Visibility::Seen,
        };
        TableSnapshot {
            captured_at: CapturedAt::default(),
            tracks: BTreeMap::from([(tag, track)]),
            ..TableSnapshot::default()
        }
    }

    #[test]
    fn a_feature_lies_where_its_tag_was_seen_and_three_millimetres_are_told() {
        let table = table();
        let written = table.feature_tags[0].pose();
        for (by, told) in [(0.0, false), (2.7, false), (2.9, true), (3.0, true), (20.0, true)] {
            let seen = features_seen(&table, &snapshot(written.nudged(Vector::new(by, 0.0), 0.0), true));
            let [moved] = seen.as_slice() else { panic!("{seen:?}") };
            assert!((moved.mm() - by).abs() < 1e-9 && moved.is_told() == told, "{moved:?}");
            assert!((moved.sigma_mm - 0.2).abs() < 0.02, "{moved:?}");
            let lies = as_it_lies(&table, std::slice::from_ref(&moved.seen));
            let corner = |t: &Table| t.ground.features[0].outline.corners()[0].x;
            assert!((corner(&lies) - corner(&table) - by).abs() < 1e-9);
            // The tag's own place went with it.
            let again = features_seen(&lies, &snapshot(written.nudged(Vector::new(by, 0.0), 0.0), true));
            assert!(again[0].mm() < 1e-9, "{again:?}");
        }
    }

    #[test]
    fn a_turn_is_told_and_swings_the_outline_about_the_tag() {
        let table = table();
        let written = table.feature_tags[0].pose();
        let turned = written.nudged(Vector::zeros(), 10f64.to_radians());
        let seen = features_seen(&table, &snapshot(turned, true));
        assert!((seen[0].turn_deg.0 - 10.0).abs() < 1e-9 && seen[0].is_told());
        assert!(seen[0].in_words().contains("turned by 10.0"), "{}", seen[0].in_words());
        let lies = as_it_lies(&table, std::slice::from_ref(&seen[0].seen));
        let far = lies.ground.features[0].outline.corners()[2];
        let (x, y) = (170.0, 120.0);
        let (sin, cos) = 10f64.to_radians().sin_cos();
        let wanted = Point::new(130.0 + x * cos - y * sin, 130.0 + x * sin + y * cos);
        assert!((far - wanted).norm() < 1e-6, "{far}");
        assert!((lies.feature_tags[0].place.rotation_deg - 10.0).abs() < 1e-9);
    }

    #[test]
    fn what_moves_says_nothing_and_a_hair_moves_no_outline() {
        let table = table();
        let written = table.feature_tags[0].pose();
        assert_eq!(features_seen(&table, &snapshot(written, false)), []);
        let hair = features_seen(&table, &snapshot(written.nudged(Vector::new(0.6, 0.0), 0.0), true));
        assert_eq!(as_it_lies(&table, std::slice::from_ref(&hair[0].seen)), table);
        assert!(!lie_otherwise(&table, &[], std::slice::from_ref(&hair[0].seen)));
        let more = features_seen(&table, &snapshot(written.nudged(Vector::new(1.2, 0.0), 0.0), true));
        assert!(lie_otherwise(&table, &[], std::slice::from_ref(&more[0].seen)));
        assert!(!lie_otherwise(
            &table,
            std::slice::from_ref(&hair[0].seen),
            std::slice::from_ref(&more[0].seen)
        ));
    }

    #[test]
    fn its_tag_is_nobody_else_s() {
        let clash = |text: &str| parse_table("t.ron", text).expect_err("a clash").to_string();
        let with = |more: &str| samples::TABLE_RON.replacen("terrain: [", &format!("terrain: [\n{more}"), 1);
        let of_table = clash(&with(&TAGGED.replacen("id: 300", "id: 0", 1)));
        assert!(of_table.contains("tag36h11 0 of \"Hill\" is the reference tag of"), "{of_table}");
        let twice = clash(&with(&format!("{TAGGED}\n{}", TAGGED.replacen("\"Hill\"", "\"Down\"", 1))));
        assert!(twice.contains("tag36h11 300 of \"Down\" is already on \"Hill\""), "{twice}");
        let text = "(schema: 1, elements: [(name: \"A\", side: red, troop: \"4Bd\", base: (40, 15), \
            tags: [(family: \"tag36h11\", id: 300, size: 14, height: 30)])])";
        let elements = crate::judge::parse_roster("r.ron", text).expect("a sound roster");
        let file = crate::judge::RosterFile { file: "r.ron".to_owned(), elements };
        let clashes = crate::judge::Roster::of(&table(), vec![file], &crate::rules::Ruleset::dba3());
        let clashes = clashes.expect_err("a clash").iter().map(ToString::to_string).collect::<String>();
        assert!(clashes.contains("tag36h11 300 on \"A\" is the tag of Hill"), "{clashes}");
    }

    #[test]
    fn a_table_with_tags_is_written_as_it_is_read_and_changed_where_they_were_seen() {
        let table = table();
        let text = crate::judge::table_text(&table, &[], |_| String::new());
        assert_eq!(parse_table("t.ron", &text).map_err(|m| m.to_string()).expect("a table"), table);
        let seen = TagSeen { feature: "Hill".to_owned(), x_mm: 150.0, y_mm: 125.5, heading_deg: 95.0 };
        let changed = crate::judge::table_with_tags("t.ron", &text, &[seen]).expect("a table");
        let place = parse_table("t.ron", &changed).expect("a table").feature_tags[0].place;
        assert_eq!((place.x_mm, place.y_mm, place.rotation_deg), (150.0, 125.5, 5.0));
        assert_eq!((place.z_mm, place.size_mm), (15.3, 20.0));
    }

    #[test]
    fn its_tag_is_known_and_bears_its_hill() {
        let table = table();
        let book = tag_book(&table, &samples::roster());
        let tag = table.feature_tags[0].place.tag;
        assert!(book.names(tag) && book.known[&tag].height_mm == 15.3);
        let bearer = book.bearers[&tag];
        assert_eq!(bearer.hill, Some(0));
        assert_eq!(bearer.lies, table.feature_tags[0].pose());
    }
}
