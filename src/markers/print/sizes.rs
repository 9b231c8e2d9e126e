//! Sizes as they were really printed: a page's ruler of 100 mm measures something else, and everything that was taken
//! off that page is as much larger or smaller. The files keep their comments and every other field.
//!
//! Corrected are the sides of all tags, and how far a reference tag with a strip lies from the board's edge: its place
//! along the edge is the board's own. Places that were measured (a `sigma` of their own) stay, and so do their sizes.

use super::strips::has_strip;
use crate::judge::{Table, parse_roster, parse_table};
use crate::markers::RULER_MM;
use crate::text::{Edits, Mistakes, Node, Value, parse, struct_at};
use crate::tracking::ReferenceTag;

/// What stands at the head of a file whose sizes are corrected.
const NOTE: &str = "// Sizes as printed: the pages' ruler of 100 mm measures";

/// Why a file's sizes are not corrected.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SizesError {
    /// The file is not sound.
    #[error("{0}")]
    File(#[from] Mistakes),
    /// It was corrected before.
    #[error(
        "{file}: its sizes are corrected already ({note}); correcting them twice makes them wrong: begin with the file as it was printed from"
    )]
    Twice {
        /// The file.
        file: String,
        /// Its note.
        note: String,
    },
}

/// A file with its sizes corrected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Corrected {
    /// Its text.
    pub text: String,
    /// Tags whose size was changed.
    pub tags: usize,
    /// Reference tags that were measured on the table, and were left as they are.
    pub measured: usize,
}

/// A printed page's true size over its nominal one, from what its ruler measures.
///
/// # Errors
/// A length that the ruler cannot have.
pub fn printed_scale(ruler_mm: f64) -> Result<f64, String> {
    let scale = ruler_mm / RULER_MM;
    if (0.9..=1.1).contains(&scale) {
        return Ok(scale);
    }
    Err(format!(
        "expected what the pages' ruler of {RULER_MM} mm measures, 90 to 110 mm; print again at 100 % if it is further off"
    ))
}

/// A table file's text as it was printed with a ruler of `ruler_mm`.
///
/// # Errors
/// Mistakes in it, or that it was corrected before.
pub fn corrected_table(file: &str, text: &str, ruler_mm: f64) -> Result<Corrected, SizesError> {
    let table = parse_table(file, text)?;
    refuse_twice(file, text)?;
    let scale = ruler_mm / RULER_MM;
    let tree = tree(file, text)?;
    let mut edits = Edits::of(text);
    let nodes = reference_nodes(&tree);
    let mut measured = 0;
    let mut tags = 0;
    for (node, tag) in nodes.iter().zip(&table.reference) {
        if tag.sigma_mm > 0.0 {
            measured += 1;
            continue;
        }
        tags += 1;
        edits.set(node, "size", &number(tag.size_mm * scale));
        if has_strip(&table, tag) {
            let (x, y) = place(&table, tag, scale);
            edits.set(node, "x", &number(x));
            edits.set(node, "y", &number(y));
        }
    }
    Ok(Corrected { text: noted(edits.done(), ruler_mm), tags, measured })
}

/// A roster file's text as it was printed with a ruler of `ruler_mm`.
///
/// # Errors
/// Mistakes in it, or that it was corrected before.
pub fn corrected_roster(file: &str, text: &str, ruler_mm: f64) -> Result<Corrected, SizesError> {
    let elements = parse_roster(file, text)?;
    refuse_twice(file, text)?;
    let tree = tree(file, text)?;
    let mut edits = Edits::of(text);
    let mut tags = 0;
    for tag in elements.iter().flat_map(|e| &e.tags) {
        let Some(node) = struct_at(&tree, tag.at) else { continue };
        tags += 1;
        edits.set(node, "size", &number(tag.size_mm * ruler_mm / RULER_MM));
    }
    Ok(Corrected { text: noted(edits.done(), ruler_mm), tags, measured: 0 })
}

/// Where a tag's centre comes to lie whose strip is printed so much too large.
fn place(table: &Table, tag: &ReferenceTag, scale: f64) -> (f64, f64) {
    let along = |at: f64, end: f64| {
        let on = at.clamp(0.0, end);
        on + (at - on) * scale
    };
    (along(tag.x_mm, table.board_mm.0), along(tag.y_mm, table.board_mm.1))
}

fn tree(file: &str, text: &str) -> Result<Node, Mistakes> {
    parse(text).0.ok_or_else(|| Mistakes::whole(file, "this file cannot be read"))
}

/// The structs of the table's reference tags, in order.
fn reference_nodes(tree: &Node) -> Vec<&Node> {
    let Value::Struct(_, fields) = &tree.value else { return Vec::new() };
    let list = fields.iter().find(|f| f.name.text == "reference_tags").map(|f| &f.value.value);
    match list {
        Some(Value::List(nodes)) => nodes.iter().collect(),
        _ => Vec::new(),
    }
}

fn refuse_twice(file: &str, text: &str) -> Result<(), SizesError> {
    match text.lines().find(|l| l.trim_start().starts_with(NOTE)) {
        Some(note) => Err(SizesError::Twice {
            file: file.to_owned(),
            note: note.trim().trim_start_matches("// ").trim_end_matches('.').to_owned(),
        }),
        None => Ok(()),
    }
}

/// The text with the note at its head, behind a byte order mark.
fn noted(text: String, ruler_mm: f64) -> String {
    let body = text.strip_prefix('\u{FEFF}').unwrap_or(&text);
    format!("{NOTE} {} mm.\n{body}", number(ruler_mm))
}

/// To a micrometre, without needless zeros.
fn number(value: f64) -> String {
    let written = format!("{value:.3}");
    let short = written.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::samples;

    #[test]
    fn a_table_printed_too_small_has_smaller_tags_nearer_to_its_board() {
        let done = corrected_table("t.ron", samples::TABLE_RON, 99.2).expect("a sound table");
        let (was, now) = (samples::table(), parse_table("t.ron", &done.text).expect("still sound"));
        assert_eq!((done.tags, done.measured), (8, 0));
        for (a, b) in was.reference.iter().zip(&now.reference) {
            assert!((b.size_mm - 39.68).abs() < 1e-9, "{b:?}");
            // 30 mm beyond the edge becomes 29.76; what lies along the edge stays.
            for (was, now, end) in [(a.x_mm, b.x_mm, 600.0), (a.y_mm, b.y_mm, 600.0)] {
                let expected = match was {
                    -30.0 => -29.76,
                    630.0 => end + 29.76,
                    along => along,
                };
                assert!((now - expected).abs() < 1e-9, "{was} {now}");
            }
        }
        assert!(done.text.contains("// Four more along the edges"), "its comments stay");
        let why = corrected_table("t.ron", &done.text, 99.2).expect_err("twice").to_string();
        assert!(why.contains("corrected already") && why.contains("99.2 mm"), "{why}");
    }

    #[test]
    fn a_rosters_tags_are_corrected_and_what_was_measured_stays() {
        let done = corrected_roster("r.ron", samples::ROSTER_RON, 101.0).expect("a sound roster");
        let now = parse_roster("r.ron", &done.text).expect("still sound");
        let was = parse_roster("r.ron", samples::ROSTER_RON).expect("sound");
        assert_eq!(done.tags, was.iter().map(|e| e.tags.len()).sum::<usize>());
        for (a, b) in was.iter().zip(&now).flat_map(|(a, b)| a.tags.iter().zip(&b.tags)) {
            assert!((b.size_mm - a.size_mm * 1.01).abs() < 6e-4, "{b:?}");
            assert_eq!((a.right_mm, a.forward_mm, a.height_mm), (b.right_mm, b.forward_mm, b.height_mm));
        }
        let measured = samples::TABLE_RON.replace("z: 0.3,", "z: 0.3, sigma: 0.05,");
        let kept = corrected_table("t.ron", &measured, 101.0).expect("a sound table");
        assert_eq!((kept.tags, kept.measured), (0, 8));
        assert!(printed_scale(89.0).is_err() && printed_scale(99.2) == Ok(0.992));
    }
}
