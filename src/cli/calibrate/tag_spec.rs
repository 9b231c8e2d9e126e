//! How tags, places and lengths are written on the command line.

use crate::tracking::{Tag, TagFamily};
use crate::vision::calibration::table::Anchor;

/// One sigma of a length measured with a good tape, millimetres.
pub(super) const TAPE_SIGMA_MM: f64 = 0.3;

/// The tag that `text` names among `known`: `3`, or `tag36h11:3` where several families have that id.
pub(super) fn tag_named(text: &str, known: &[Tag]) -> Result<Tag, String> {
    let text = text.trim();
    let matching: Vec<Tag> = match text.split_once(':') {
        Some((family, id)) => {
            let family: TagFamily = family.trim().parse()?;
            known.iter().copied().filter(|t| t.family == family && id.trim().parse() == Ok(t.id)).collect()
        }
        None => known.iter().copied().filter(|t| text.parse() == Ok(t.id)).collect(),
    };
    match matching.as_slice() {
        [one] => Ok(*one),
        [] => Err(format!("\"{text}\" is no reference tag of this table: write its id, as 3, or FAMILY:ID")),
        _ => Err(format!(
            "\"{text}\" could be a tag of several families: write FAMILY:ID, as {}:{}",
            matching[0].family, matching[0].id
        )),
    }
}

/// `A-B=MM` or `A-B=MM+-SIGMA`.
pub(super) fn length(text: &str, known: &[Tag]) -> Result<Anchor, String> {
    let wrong = || {
        format!(
            "--length {text}: expected TAG-TAG=MM between the tags' centres, as 0-1=660 or 0-1=660.5+-0.2"
        )
    };
    let (tags, value) = text.split_once('=').ok_or_else(wrong)?;
    let (a, b) = tags.split_once('-').ok_or_else(wrong)?;
    let (mm, sigma) = match value.split_once("+-") {
        Some((mm, sigma)) => (mm, sigma.trim().parse().map_err(|_| wrong())?),
        None => (value, TAPE_SIGMA_MM),
    };
    let mm: f64 = mm.trim().parse().map_err(|_| wrong())?;
    let (from, to) = (tag_named(a, known)?, tag_named(b, known)?);
    if from == to || !(1.0..=20_000.0).contains(&mm) || !(0.001..=100.0).contains(&sigma) {
        return Err(format!("{}; two tags, 1 to 20000 mm, sigma 0.001 to 100 mm", wrong()));
    }
    Ok(Anchor::Length { from, to, mm, sigma_mm: sigma })
}

/// `TAG` or `TAG@REST`, with what follows the `@`.
pub(super) fn tag_at<'a>(text: &'a str, known: &[Tag]) -> Result<(Tag, Option<&'a str>), String> {
    match text.split_once('@') {
        Some((tag, rest)) => Ok((tag_named(tag, known)?, Some(rest))),
        None => Ok((tag_named(text, known)?, None)),
    }
}

/// Two numbers with `between` between them.
pub(super) fn pair(text: &str, between: char) -> Option<(f64, f64)> {
    let (a, b) = text.split_once(between)?;
    let number = |t: &str| t.trim().parse().ok().filter(|v: &f64| v.is_finite());
    Some((number(a)?, number(b)?))
}

/// `FAMILY:SIZE_MM:FIRST-LAST`: tags of one size with ids in a row.
pub(in crate::cli) fn tags(text: &str) -> Result<Vec<(Tag, f64)>, String> {
    let wrong = || format!("--tags {text}: expected FAMILY:SIZE_MM:FIRST-LAST, as tag36h11:40:0-7");
    let [family, size, ids] = text.split(':').collect::<Vec<_>>()[..] else { return Err(wrong()) };
    let family: TagFamily = family.parse()?;
    let size: f64 = size.parse().ok().filter(|s| (1.0..=1000.0).contains(s)).ok_or_else(wrong)?;
    let (first, last) = ids.split_once('-').ok_or_else(wrong)?;
    let (first, last): (u32, u32) = (first.parse().map_err(|_| wrong())?, last.parse().map_err(|_| wrong())?);
    if first > last || last >= family.ids() {
        return Err(format!("{}; {family} has ids 0 to {}", wrong(), family.ids() - 1));
    }
    Ok((first..=last).map(|id| (Tag::new(family, id), size)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Vec<Tag> {
        vec![
            Tag::new(TagFamily::Tag36h11, 0),
            Tag::new(TagFamily::Tag36h11, 1),
            Tag::new(TagFamily::Tag25h9, 1),
        ]
    }

    #[test]
    fn lengths_are_read_with_and_without_their_sigma() {
        let (from, to) = (known()[0], known()[2]);
        assert_eq!(
            length("0-tag25h9:1=660.5", &known()),
            Ok(Anchor::Length { from, to, mm: 660.5, sigma_mm: 0.3 })
        );
        assert_eq!(
            length("0-tag25h9:1 = 660+-0.1", &known()),
            Ok(Anchor::Length { from, to, mm: 660.0, sigma_mm: 0.1 })
        );
        for (bad, says) in [
            ("0-1=660", "several families"),
            ("0-7=660", "no reference tag"),
            ("0-0=660", "two tags"),
            ("0=660", "TAG-TAG=MM"),
            ("0-tag25h9:1=long", "TAG-TAG=MM"),
        ] {
            let why = length(bad, &known()).expect_err(bad);
            assert!(why.contains(says), "{why}");
        }
    }

    #[test]
    fn rows_of_tags_are_read_and_impossible_ones_refused() {
        assert_eq!(tags("tag25h9:30:3-5").map(|t| t.len()), Ok(3));
        for bad in ["tag25h9:30:3-35", "tag25h9:30:5-3", "tag25h9:0:0-3", "tag25h9:30", "tag9:30:0-3"] {
            assert!(tags(bad).is_err(), "{bad}");
        }
    }
}
