//! What a base in the jig says of its roster: what is asked of its pictures, what is told of them, and what is
//! written. The command line and the window share it. Millimetres and degrees, in the base's frame.

use super::RULER_MM;
use crate::judge::{MountEdit, MountedTag, RosterElement};
use crate::vision::jig::{JigTag, Length, MeasuredMount};

/// What is written for a stalk that was measured standing: what it may bend by in play, one sigma, degrees. A choice.
const LEAN_AFTER_DEG: f64 = 0.3;
/// A tag higher than this stands on a stalk, millimetres.
const STALK_MM: f64 = 3.0;
/// A base this far from what is written, in sigmas and in millimetres, is told.
const BASE_SIGMAS: f64 = 3.0;
const BASE_MM: f64 = 0.3;
/// Pictures that disagree more than this many times their sigmas are told.
const DISAGREE: f64 = 3.0;
/// A stalk's tag that is off by as much as a lean of so many degrees would put it is told. A choice: what the eye
/// sees from the side.
const LEAN_TOLD_DEG: f64 = 2.0;

/// A printed jig's true size over its nominal one, from what its ruler measures.
///
/// # Errors
/// A length that the ruler cannot have.
pub fn jig_scale(ruler_mm: f64) -> Result<f64, String> {
    let scale = ruler_mm / RULER_MM;
    if (0.9..=1.1).contains(&scale) {
        return Ok(scale);
    }
    Err(format!(
        "the measured length in mm of the jig's {RULER_MM} mm ruler, 90 to 110; print the jig again at 100 % if it is \
         further off"
    ))
}

/// The tag of an element, as the pictures are asked for it.
pub fn jig_tags_of(element: &RosterElement) -> impl Iterator<Item = JigTag> + '_ {
    let base = element.base;
    element.tags.iter().map(move |t| JigTag {
        tag: t.tag,
        size_mm: t.size_mm,
        height_mm: (t.height_mm, t.height_sigma_mm),
        base_mm: (base.width_mm, base.depth_mm),
        thickness_mm: base.thickness_mm,
    })
}

/// What is written of a mount into its element's roster.
pub fn mount_edit(element: &RosterElement, m: &MeasuredMount) -> MountEdit {
    let base = element.base;
    MountEdit {
        tag: m.tag,
        offset_mm: (m.right_mm, m.forward_mm),
        rotation_deg: m.rotation_deg,
        offset_sigma_mm: m.offset_sigma_mm,
        rotation_sigma_deg: m.rotation_sigma_deg,
        height_mm: m.height.map(|h| (h.mm, h.sigma_mm)),
        lean_sigma_deg: written(element, m).filter(|t| t.height_mm > STALK_MM).map(|_| LEAN_AFTER_DEG),
        base_mm: (m.width.is_some() || m.depth.is_some()).then(|| {
            [
                side(m.width, base.width_mm, base.width_sigma_mm),
                side(m.depth, base.depth_mm, base.depth_sigma_mm),
            ]
        }),
    }
}

/// A side with its sigma, as measured or else as written.
fn side(measured: Option<Length>, written_mm: f64, written_sigma_mm: f64) -> (f64, f64) {
    measured.map_or((written_mm, written_sigma_mm), |l| (l.mm, l.sigma_mm))
}

/// The tag as the roster has it.
fn written<'e>(element: &'e RosterElement, m: &MeasuredMount) -> Option<&'e MountedTag> {
    element.tags.iter().find(|t| t.tag == m.tag)
}

/// A mount in one line.
pub fn mount_words(element: &RosterElement, m: &MeasuredMount) -> String {
    let length = |what: &str, l: Option<Length>| {
        l.map(|l| format!(", {what} {:.2} ± {:.2}", l.mm, l.sigma_mm)).unwrap_or_default()
    };
    let pictures = if m.pictures == 1 { "1 picture".to_owned() } else { format!("{} pictures", m.pictures) };
    format!(
        "{} ({}), {pictures}: offset ({:.2}, {:.2}) ± {:.2} mm, rotation {:.2} ± {:.2} degrees{}{}{}",
        element.name,
        m.tag,
        m.right_mm,
        m.forward_mm,
        m.offset_sigma_mm,
        m.rotation_deg,
        m.rotation_sigma_deg,
        length("height", m.height),
        length("width", m.width),
        length("depth", m.depth),
    )
}

/// What a person should look at.
pub fn mount_cautions(element: &RosterElement, m: &MeasuredMount) -> Vec<String> {
    let mut list = Vec::new();
    let (base, depth) = (element.base.width_mm, element.base.depth_mm);
    for (what, written, found) in [("width", base, m.width), ("depth", depth, m.depth)] {
        match found {
            None => list.push(format!(
                "its {what} was not measured, {written} mm is kept: the stripes beyond that edge do not show clearly"
            )),
            Some(l) if (l.mm - written).abs() > BASE_MM.max(BASE_SIGMAS * l.sigma_mm) => {
                list.push(format!("its {what} is {:.2} mm, the roster had {written}", l.mm));
            }
            Some(_) => {}
        }
    }
    let stalk = written(element, m).filter(|t| t.height_mm > STALK_MM);
    if let Some(tag) = stalk {
        let off = (m.right_mm - tag.right_mm).hypot(m.forward_mm - tag.forward_mm);
        let lean_deg = off.atan2(tag.height_mm).to_degrees();
        if lean_deg > LEAN_TOLD_DEG && off > BASE_SIGMAS * m.offset_sigma_mm {
            list.push(format!(
                "its tag is {off:.1} mm from where the roster has it: glued so, or its stalk leans by {lean_deg:.0} degrees; \
                 straighten one that leans and measure again"
            ));
        }
    }
    if m.disagreement > DISAGREE {
        let leans = if stalk.is_some() { ", or its stalk leans" } else { "" };
        list.push(format!(
            "its pictures disagree by {:.0} times their plus-minus: the base was not pushed home in each, something \
             moved{leans}",
            m.disagreement
        ));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;

    fn measured(element: &RosterElement, right_mm: f64) -> MeasuredMount {
        let tag = &element.tags[0];
        MeasuredMount {
            tag: tag.tag,
            right_mm: tag.right_mm + right_mm,
            forward_mm: tag.forward_mm,
            offset_sigma_mm: 0.1,
            rotation_deg: 0.0,
            rotation_sigma_deg: 0.2,
            height: None,
            width: Some(Length { mm: element.base.width_mm, sigma_mm: 0.1 }),
            depth: Some(Length { mm: element.base.depth_mm + 0.6, sigma_mm: 0.1 }),
            pictures: 2,
            disagreement: 1.0,
        }
    }

    #[test]
    fn a_stalk_that_may_lean_is_told_and_a_flat_tag_has_none() {
        let mut element = samples::roster().elements()[0].clone();
        for (height_mm, right_mm, leans) in [(30.0, 2.1, true), (30.0, 0.5, false), (0.3, 2.1, false)] {
            element.tags[0].height_mm = height_mm;
            let m = measured(&element, right_mm);
            let cautions = mount_cautions(&element, &m);
            let told = cautions.iter().any(|c| c.contains("leans by 4 degrees"));
            assert_eq!(told, leans, "{height_mm} {right_mm}: {cautions:?}");
            assert!(cautions.iter().any(|c| c.starts_with("its depth is")), "{cautions:?}");
            let edit = mount_edit(&element, &m);
            assert_eq!(edit.lean_sigma_deg.is_some(), height_mm > 3.0);
            let width = (element.base.width_mm, element.base.width_sigma_mm);
            assert_eq!(edit.base_mm, Some([width, (element.base.depth_mm + 0.6, 0.1)]));
        }
    }
}
