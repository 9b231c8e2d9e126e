//! A table written as its file: complete, with comments, and read back by [`super::parse_table`].

use super::{Table, table_ground};
use crate::tracking::ReferenceTag;
use std::fmt::Write;

/// The table's file. `notes` are comments at its head, `of_tag` gives the comment above each tag (none
/// where it is empty). Places are rounded to 0.001 mm, rotations to 0.0001 degrees.
pub fn table_text(table: &Table, notes: &[String], of_tag: impl Fn(&ReferenceTag) -> String) -> String {
    let mut text = String::from(
        "// The table: where its reference tags lie, and how large the board is.\n\
         // Lengths are millimetres, angles degrees anticlockwise. x runs to the right and y away from the near\n\
         // edge, from the playing area's lower-left corner; z is up from the playing surface.\n",
    );
    comment(&mut text, "", notes.iter().flat_map(|n| n.lines()));
    let (width, depth) = table.board_mm;
    let _ = writeln!(text, "(\n    schema: 1,\n");
    let _ = writeln!(text, "    // The playing area: (width along x, depth along y).");
    let _ = writeln!(text, "    playing_area: ({}, {}),\n", number(width, 3), number(depth, 3));
    let _ = writeln!(text, "    // One base width, the unit of every rule distance.");
    let _ = writeln!(text, "    base_width: {},\n", number(table.scale.mm_per_bw(), 3));
    text.push_str(
        "    // Tags that never move, flat, on or beside the board; at least four, and not in a line.\n\
         \x20   //   size      side of the black square (tagStandard41h12: of its inner square)\n\
         \x20   //   x, y, z   its centre, and the height of the printed face\n\
         \x20   //   sigma     how well x and y are known; exact where it is left out
         \x20   //   rotation  0 where the printed tag is upright: its top points away from you, to +y\n\
         \x20   reference_tags: [\n",
    );
    for tag in &table.reference {
        comment(&mut text, "        ", of_tag(tag).lines());
        let sigma =
            if tag.sigma_mm > 0.0 { format!(", sigma: {}", number(tag.sigma_mm, 3)) } else { String::new() };
        let _ = writeln!(
            text,
            "        (family: \"{}\", id: {}, size: {}, x: {}, y: {}, z: {}, rotation: {}{sigma}),",
            tag.tag.family,
            tag.tag.id,
            number(tag.size_mm, 3),
            number(tag.x_mm, 3),
            number(tag.y_mm, 3),
            number(tag.z_mm, 3),
            number(tag.rotation_deg, 4)
        );
    }
    text.push_str("    ],\n");
    if let Some(edge) = table.red_edge {
        let _ = writeln!(
            text,
            "    // Red's base edge: blue's is across the table.\n    red_edge: {},",
            edge.word()
        );
    }
    let lies = table_ground::ground_text(&table.ground, &table.feature_tags);
    if !lies.is_empty() {
        let _ = write!(text, "    // What lies on the board: docs/formats.md has every field.\n{lies}");
    }
    text.push_str(")\n");
    text
}

fn comment<'a>(text: &mut String, indent: &str, lines: impl Iterator<Item = &'a str>) {
    for line in lines {
        let _ = writeln!(text, "{indent}// {line}");
    }
}

/// A number with at most so many decimals and no needless zeros.
pub(super) fn number(value: f64, decimals: usize) -> String {
    let written = format!("{value:.decimals$}");
    let short = written.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".to_owned() } else { short.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{parse_table, samples};
    use crate::rules::{Ruleset, notation};

    #[test]
    fn a_table_is_written_as_it_is_read() {
        let mut table = samples::table();
        table.reference[2].x_mm = 631.237;
        table.reference[2].rotation_deg = -1.2345;
        table.reference[2].sigma_mm = 0.125;
        table.board_mm = (1200.0, 600.5);
        let lines = "ground wood \"Old \\\"Beech\\\"\" (3,3)-(5,3)-(5,5)-(3,5); ground gentle-hill H box (6,6)-(9,8)\n\
            ground difficult-hill K box (1,9)-(4,11) crest (1.5,10)-(3.5,10.25) h20mm stepped\n\
            ground camp C box (7,0)-(8,1) of=red held=red-civilians; ground plough P box (0,0)-(1,1)\n\
            ground river R (0,12)-(7,12)-(15,13) w0.8 state=columns-only; ground road S (0,2)-(15,2) w20mm\n\
            ground plough=rough";
        table.ground = notation::read_setup(lines, &Ruleset::dba3()).expect("a ground").ground;
        let notes = ["measured\non a day".to_owned()];
        let text = table_text(&table, &notes, |t| format!("tag {}", t.tag.id));
        assert_eq!(parse_table("table.ron", &text).map_err(|m| m.to_string()), Ok(table));
        assert!(text.contains("// measured\n// on a day\n") && text.contains("        // tag 7\n"));
    }
}
