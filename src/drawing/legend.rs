//! The question, the answer, the settings, and every reason with its clause.

use super::Situation;
use super::canvas::{Anchor, Canvas, INK, PALE, Style};
use super::labels::width_px;
use super::marks::{ink, millimetres};
use super::view::{MARKED_MM, View};

/// Letters of a reason, pixels.
const SIZE_PX: f64 = 13.0;

/// The text in lines that are at most so many pixels long.
fn wrapped(text: &str, size_px: f64, width: f64) -> Vec<String> {
    let mut lines: Vec<String> = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("it begins with one line");
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if line.is_empty() || width_px(&longer, size_px) <= width {
            *line = longer;
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

pub(super) fn legend(canvas: &mut Canvas, view: &View, situation: &Situation<'_>, marked: &[usize]) {
    let (left, width) = view.legend_px();
    let mut y = 34.0;
    let mut block = |canvas: &mut Canvas, indent: f64, text: &str, size: f64, bold: bool, colour: &str| {
        let style = Style { size_px: size, bold, colour, anchor: Anchor::Start };
        // Bold letters are wider.
        let room = (width - indent) * if bold { 0.9 } else { 1.0 };
        for line in wrapped(text, size, room) {
            canvas.text((left + indent, y), &line, style);
            y += size * 1.35;
        }
        y
    };
    block(canvas, 0.0, situation.title, 18.0, true, INK);
    block(canvas, 0.0, situation.question, 14.0, false, INK);
    block(canvas, 0.0, situation.answer, 16.0, true, INK);
    block(canvas, 0.0, &format!("settings: {}", situation.settings.name()), 11.0, false, PALE);
    block(canvas, 0.0, " ", 6.0, false, PALE);
    let bottom = view.height_px() - 58.0;
    for (n, reason) in situation.reasons.iter().enumerate() {
        if n == situation.conditions {
            block(canvas, 0.0, "beside that", SIZE_PX, false, PALE);
        }
        // A clause whose words are not so here and that decides nothing is told in pale ink.
        let asked = n < situation.conditions && (reason.holds || reason.margin.is_some() || n == 0);
        let (sign, colour) = match (asked, reason.holds) {
            (true, true) => ("✓", ink(true)),
            (true, false) => ("✗", ink(false)),
            (false, true) => ("·", PALE),
            (false, false) => ("– not", PALE),
        };
        let margin = reason.margin.filter(|m| m.mm.abs() < MARKED_MM);
        let mm = margin.map_or(String::new(), |m| format!(", {}", millimetres(m.mm)));
        let number = if marked.contains(&n) { format!("{}  ", n + 1) } else { String::new() };
        let text = format!("{number}{sign} {}{mm}", reason.clause);
        let at = block(canvas, 0.0, &text, SIZE_PX, n == 0, colour);
        let at = block(canvas, 18.0, &reason.text, SIZE_PX, false, INK).max(at);
        let left_over = situation.reasons.len() - n - 1;
        if at > bottom - 20.0 && left_over > 0 {
            block(canvas, 0.0, &format!("and {left_over} more"), SIZE_PX, false, PALE);
            break;
        }
    }
    let region = if situation.outline.is_empty() { "" } else { " · green: where its centre may end" };
    let hatched = if super::deployment::whole_board(situation.reasons) {
        "hatched: where a side deploys · dashed: quarters, light troops"
    } else {
        "hatched: threat zone · dashed: where it stood"
    };
    let scale = format!("grid: 1 BW = {} mm · thick edge: front · {hatched}{region}", view.mm_per_bw());
    let style = Style { size_px: 10.5, bold: false, colour: PALE, anchor: Anchor::Start };
    canvas.text((left, view.height_px() - 16.0), &scale, style);
}
