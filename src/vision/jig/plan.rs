//! What is printed on the jig, and where.
//!
//! Jig frame: millimetres, origin at the inner corner of the L, x to the right along its lower arm, y up along its
//! left arm, z up from the paper. A base stands with its rear on the lower arm and its left side on the left arm,
//! its front looking to +y. Tags stand round the room for the base, so that it is measured between them; the room
//! itself is striped at 45 degrees, so that wherever the base's free edges come to lie, light and dark end there.

use crate::tracking::{ReferenceTag, Tag, TagFamily};

/// Side of a tag's black square, printed at 100 %.
pub const JIG_TAG_MM: f64 = 20.0;
/// The room for a base, from the corner along x and along y.
pub const JIG_ROOM_MM: f64 = 120.0;
/// A black stripe and a white one together, across them.
pub const JIG_STRIPES_MM: f64 = 4.0;
/// From the L's inner edges out to the middles of the tags on its arms: strips of wood or card fit between.
pub const JIG_ARMS_MM: f64 = 24.0;
/// From the room's other two sides out to the middles of the tags there.
const BEYOND_MM: f64 = 17.0;
/// Along the arms, tags' middles.
const ALONG_MM: [f64; 3] = [10.0, 60.0, 110.0];

const FAMILY: TagFamily = TagFamily::Tag36h11;
/// Ids left for the check sheet, the family's last.
const CHECK_IDS: u32 = 12;
const TAGS: u32 = 4 * ALONG_MM.len() as u32;

/// The jig's tags where they lie, `scale` being the printed sheet's true size over its nominal size. Their ids are
/// the family's last but those of the check sheet, so that they clash with no roster that counts from the
/// beginning.
pub fn jig_tags(scale: f64) -> Vec<ReferenceTag> {
    let (near, far) = (-JIG_ARMS_MM, JIG_ROOM_MM + BEYOND_MM);
    let sides = [
        ALONG_MM.map(|along| (near, along)),
        ALONG_MM.map(|along| (along, near)),
        ALONG_MM.map(|along| (far, along)),
        ALONG_MM.map(|along| (along, far)),
    ];
    let first = FAMILY.ids() - CHECK_IDS - TAGS;
    (first..)
        .zip(sides.into_iter().flatten())
        .map(|(id, (x, y))| ReferenceTag {
            tag: Tag::new(FAMILY, id),
            size_mm: JIG_TAG_MM * scale,
            x_mm: x * scale,
            y_mm: y * scale,
            z_mm: 0.0,
            rotation_deg: 0.0,
            sigma_mm: 0.0,
        })
        .collect()
}

/// Where in the stripes' period a place of the printed sheet lies, 0 up to 1: white below a half.
pub fn stripe_phase(x_mm: f64, y_mm: f64, scale: f64) -> f64 {
    ((x_mm + y_mm) * std::f64::consts::FRAC_1_SQRT_2 / (JIG_STRIPES_MM * scale)).rem_euclid(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tags_stand_round_the_room_and_clash_with_nobody() {
        let tags = jig_tags(1.0);
        let ids: Vec<u32> = tags.iter().map(|t| t.tag.id).collect();
        assert_eq!((ids[0], ids.len(), *ids.last().expect("tags")), (563, 12, 574));
        for t in &tags {
            // With the white ring, a module wide.
            let half = JIG_TAG_MM / 2.0 * 1.25;
            let room = |at: f64| at + half > 0.0 && at - half < JIG_ROOM_MM;
            assert!(!(room(t.x_mm) && room(t.y_mm)), "{t:?} stands in the room");
            for u in tags.iter().filter(|u| u.tag != t.tag) {
                assert!((u.x_mm - t.x_mm).abs().max((u.y_mm - t.y_mm).abs()) >= 2.0 * half, "{t:?} {u:?}");
            }
        }
        assert!((jig_tags(0.97)[5].x_mm - 0.97 * tags[5].x_mm).abs() < 1e-12);
    }

    #[test]
    fn stripes_are_white_first_and_repeat_across_the_diagonal() {
        let across = JIG_STRIPES_MM * std::f64::consts::SQRT_2;
        assert!(stripe_phase(0.1, 0.1, 1.0) < 0.5 && stripe_phase(0.55 * across, 0.0, 1.0) > 0.5);
        assert!((stripe_phase(3.0, 7.0 + across, 1.0) - stripe_phase(3.0, 7.0, 1.0)).abs() < 1e-9);
        assert!((stripe_phase(3.0, 7.0, 1.0) - stripe_phase(5.0, 5.0, 1.0)).abs() < 1e-9);
    }
}
