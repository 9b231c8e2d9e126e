//! What comes before the elements of a setup: the base width, the board's size, and red's base edge.
//!
//! Lengths without a unit are base widths, so the base width comes first.

use super::cursor::Cursor;
use super::{NotationError, end};
use crate::rules::Side;
use crate::rules::terrain::{BaseEdges, BoardEdge};
use crate::units::Scale;

/// `bw 40mm`, or `bw 40mm board 15x15`.
pub(super) fn read(cursor: &mut Cursor<'_>) -> Result<(Scale, Option<(f64, f64)>), NotationError> {
    cursor.take("bw");
    cursor.skip_spaces();
    let from = cursor.at;
    let mm = cursor.number("millimetres to the base width, such as `40mm`")?;
    cursor.expect("mm", "`mm`")?;
    let Some(scale) = Scale::new(mm) else {
        cursor.at = from;
        return Err(cursor.wrong("a base width of more than zero"));
    };
    cursor.skip_spaces();
    if cursor.peek().is_none() {
        return Ok((scale, None));
    }
    Ok((scale, Some(board_size(cursor, scale)?)))
}

/// Whether a line begins with the board's size: an element may be called `board`.
pub(super) fn begins_board(cursor: &Cursor<'_>) -> bool {
    let rest: String = cursor.chars[cursor.at..].iter().collect();
    let size = rest.strip_prefix("board").map(str::trim_start);
    let after = size.map(|size| size.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.'));
    after.zip(size).is_some_and(|(after, size)| after.len() < size.len() && after.starts_with('x'))
}

/// `board 15x15` or `board 600x600mm`.
pub(super) fn board_size(cursor: &mut Cursor<'_>, scale: Scale) -> Result<(f64, f64), NotationError> {
    cursor.expect("board", "`board` and its size, such as `board 15x15`")?;
    cursor.skip_spaces();
    let from = cursor.at;
    let width = cursor.number("the board's width")?;
    cursor.expect("x", "`x` between the board's width and depth")?;
    let depth = cursor.number("the board's depth")?;
    let unit = cursor.unit(scale);
    if !(width > 0.0 && depth > 0.0) {
        cursor.at = from;
        return Err(cursor.wrong("a board of more than zero each way"));
    }
    end(cursor)?;
    Ok((width * unit, depth * unit))
}

/// Whether a line says whose base edge is which, `edge red left`: an element may be called `edge`.
pub(super) fn begins_edge(cursor: &Cursor<'_>) -> bool {
    let rest: String = cursor.chars[cursor.at..].iter().collect();
    let mut words = rest.split_whitespace();
    words.next() == Some("edge") && matches!(words.next(), Some("red" | "blue"))
}

/// `edge red left`: the other side's edge is across the table.
pub(super) fn edge(cursor: &mut Cursor<'_>) -> Result<BaseEdges, NotationError> {
    cursor.take("edge");
    cursor.skip_spaces();
    let side = cursor.one_of(&[("red", Side::Red), ("blue", Side::Blue)], "`red` or `blue`")?;
    cursor.skip_spaces();
    let words = BoardEdge::ALL.map(|edge| (edge.word(), edge));
    let edge = cursor.one_of(&words, "an edge of the board: `near`, `far`, `left` or `right`")?;
    end(cursor)?;
    Ok(BaseEdges::with(side, edge))
}

#[cfg(test)]
mod tests {
    use crate::rules::Ruleset;
    use crate::rules::notation::{read_setup, write_setup};
    use crate::rules::terrain::{BaseEdges, BoardEdge};

    #[test]
    fn either_side_s_base_edge_may_be_said_and_is_written_where_it_is_not_the_usual_one() {
        let read = |text: &str| read_setup(text, &Ruleset::dba3());
        let element = "A 4Bd red (0,0)-(1,0) N";
        for (line, red) in [
            ("edge red left", BoardEdge::Left),
            ("bw 40mm board 15x10; edge blue left", BoardEdge::Right),
            ("board 15x10\nedge red far", BoardEdge::Far),
            ("bw 40mm", BoardEdge::Near),
        ] {
            let setup = read(&format!("{line}\n{element}")).unwrap_or_else(|e| panic!("{line}: {e:?}"));
            assert_eq!(setup.edges, BaseEdges { red }, "{line}");
            let text = write_setup(&setup);
            assert_eq!(text.contains("edge"), red != BoardEdge::Near, "{text}");
            assert_eq!(read(&text).expect("what was written").edges, setup.edges);
        }
        // An element may bear the word as its name.
        assert_eq!(read("edge 4Bd red (0,0)-(1,0) N").expect("an element").elements.len(), 1);
        for wrong in ["edge red top", "edge red", "edge red left left"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn base_width_and_board_may_stand_together_apart_or_alone() {
        let size = |text: &str| {
            let setup = read_setup(text, &Ruleset::dba3()).unwrap_or_else(|e| panic!("{text}: {e:?}"));
            (setup.scale.mm_per_bw(), setup.board_mm, setup.elements.len())
        };
        let element = "A 4Bd red (0,0)-(1,0) N";
        for (head, mm, board_mm) in [
            ("bw 60mm board 20x12", 60.0, (1200.0, 720.0)),
            ("bw 60mm\nboard 20x12", 60.0, (1200.0, 720.0)),
            ("bw 60mm; board 900x600mm", 60.0, (900.0, 600.0)),
            ("board 20x12", 40.0, (800.0, 480.0)),
            ("bw 60mm", 60.0, (900.0, 900.0)),
        ] {
            assert_eq!(size(&format!("{head}\n{element}")), (mm, board_mm, 1), "{head}");
        }
        // An element may bear the word as its name.
        assert_eq!(size("board 4Bd red (0,0)-(1,0) N").2, 1);
        assert!(read_setup("board 20x12\nbw 60mm", &Ruleset::dba3()).is_err(), "the scale comes first");
    }
}
