//! A roster's text with mounts as they were measured: every comment and every other field as it was.

use super::parse_roster;
use crate::text::{Edits, Mistakes, parse, struct_at};
use crate::tracking::Tag;

/// How a tag sits on its base, as measured. Millimetres and degrees, in the base's frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MountEdit {
    /// Which tag.
    pub tag: Tag,
    /// Its centre from the base's, to the right and ahead.
    pub offset_mm: (f64, f64),
    /// Its turn on the base, anticlockwise.
    pub rotation_deg: f64,
    /// One sigma of the offset, each way.
    pub offset_sigma_mm: f64,
    /// One sigma of the rotation.
    pub rotation_sigma_deg: f64,
    /// The printed face's height above the base's top with one sigma, where it was measured.
    pub height_mm: Option<(f64, f64)>,
    /// One sigma of the stalk's lean, where it is to be changed.
    pub lean_sigma_deg: Option<f64>,
    /// The base's own width and depth, and one sigma of each, where they were measured.
    pub base_mm: Option<[(f64, f64); 2]>,
}

/// The roster's text with these mounts written into it: lengths to 0.01 mm, angles to 0.01 degrees, sigmas never
/// rounded down to nothing. Tags that the roster does not name are passed over.
///
/// # Errors
/// Every mistake of the roster.
pub fn roster_with(file: &str, text: &str, mounts: &[MountEdit]) -> Result<String, Mistakes> {
    let elements = parse_roster(file, text)?;
    let (tree, _) = parse(text);
    let Some(tree) = tree else { return Err(Mistakes::whole(file, "this file cannot be read")) };
    let mut edits = Edits::of(text);
    for element in &elements {
        for tag in &element.tags {
            let Some(mount) = mounts.iter().find(|m| m.tag == tag.tag) else { continue };
            if let Some(node) = struct_at(&tree, tag.at) {
                let mut set = |field: &str, value: String| edits.set(node, field, &value);
                set("offset", pair(mount.offset_mm));
                set("rotation", number(mount.rotation_deg));
                if let Some((height, sigma)) = mount.height_mm {
                    set("height", number(height));
                    set("height_sigma", sigma_of(sigma));
                }
                set("offset_sigma", sigma_of(mount.offset_sigma_mm));
                set("rotation_sigma", sigma_of(mount.rotation_sigma_deg));
                if let Some(lean) = mount.lean_sigma_deg {
                    set("lean_sigma", sigma_of(lean));
                }
            }
        }
        let base = element.tags.iter().find_map(|t| mounts.iter().find(|m| m.tag == t.tag)?.base_mm);
        if let (Some(base), Some(node)) = (base, struct_at(&tree, element.at)) {
            let [(width, width_sigma), (depth, depth_sigma)] = base;
            edits.set(node, "base", &pair((width, depth)));
            edits.set(node, "base_sigma", &format!("({}, {})", sigma_of(width_sigma), sigma_of(depth_sigma)));
        }
    }
    Ok(edits.done())
}

fn pair((a, b): (f64, f64)) -> String {
    format!("({}, {})", number(a), number(b))
}

/// To two decimals, without needless zeros.
fn number(value: f64) -> String {
    let written = format!("{value:.2}");
    let short = written.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

/// A sigma, rounded up.
fn sigma_of(value: f64) -> String {
    number((value * 100.0 - 1e-9).ceil() / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;
    use crate::tracking::TagFamily;

    fn measured(id: u32) -> MountEdit {
        MountEdit {
            tag: Tag::new(TagFamily::Tag36h11, id),
            offset_mm: (1.404, -6.996),
            rotation_deg: -2.951,
            offset_sigma_mm: 0.1101,
            rotation_sigma_deg: 0.001,
            height_mm: None,
            lean_sigma_deg: Some(0.3),
            base_mm: None,
        }
    }

    #[test]
    fn what_was_measured_is_written_and_all_else_stays() {
        let edits = [
            measured(20),
            MountEdit {
                height_mm: Some((29.2, 0.41)),
                base_mm: Some([(39.81, 0.081), (15.2, 0.1)]),
                ..measured(23)
            },
            measured(400),
        ];
        let text = roster_with("r.ron", samples::ROSTER_RON, &edits).expect("a sound roster");
        let (before, after) = (
            parse_roster("r.ron", samples::ROSTER_RON).expect("sound"),
            parse_roster("r.ron", &text).expect("still sound"),
        );
        let mut wanted = before.clone();
        for (old, new) in wanted.iter_mut().zip(&after) {
            (old.at, old.troop_at) = (new.at, new.troop_at);
            for (old, new) in old.tags.iter_mut().zip(&new.tags) {
                old.at = new.at;
                if [20, 23].contains(&old.tag.id) {
                    (old.right_mm, old.forward_mm, old.rotation_deg) = (1.4, -7.0, -2.95);
                    (old.offset_sigma_mm, old.rotation_sigma_deg, old.lean_sigma_deg) = (0.12, 0.01, 0.3);
                }
                if old.tag.id == 23 {
                    (old.height_mm, old.height_sigma_mm) = (29.2, 0.41);
                }
            }
            if old.tags[0].tag.id == 23 {
                (old.base.width_mm, old.base.depth_mm) = (39.81, 15.2);
                (old.base.width_sigma_mm, old.base.depth_sigma_mm) = (0.09, 0.1);
            }
        }
        assert_eq!(after, wanted);
        // Line for line the same but for those two elements.
        let changed = text.lines().zip(samples::ROSTER_RON.lines()).filter(|(a, b)| a != b).count();
        assert_eq!(text.lines().count(), samples::ROSTER_RON.lines().count());
        assert!(changed <= 8, "{changed} lines changed");
        assert!(text.contains("// tag's centre from the base's centre"));
    }

    #[test]
    fn a_roster_with_mistakes_is_not_touched() {
        let why =
            roster_with("r.ron", "(schema: 1, elements: [(name: 3)])", &[measured(20)]).expect_err("bad");
        assert!(why.to_string().contains("r.ron:1:"), "{why}");
    }
}
