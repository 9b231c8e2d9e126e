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

/// A line of the list, laid out.
struct Line {
    at: (f64, f64),
    text: String,
    size_px: f64,
    bold: bool,
    colour: &'static str,
}

/// The list of reasons, laid out.
pub(super) struct Legend {
    lines: Vec<Line>,
    /// How many of the reasons, from the first, it has room for.
    pub shown: usize,
    /// How far down it reaches, pixels.
    pub height_px: f64,
}

/// The list is at most so long, pixels; what has no room in it is counted.
const MOST_PX: f64 = 1600.0;
/// Pixels that the line about the drawing itself takes at the foot.
const FOOT_PX: f64 = 58.0;
/// Letters of that line, pixels.
const FOOT_SIZE_PX: f64 = 10.5;

impl Legend {
    /// Lays it out; `marked` are the reasons whose number stands on the table.
    pub fn of(view: &View, situation: &Situation<'_>, marked: impl Fn(usize) -> bool) -> Self {
        let (left, width) = view.legend_px();
        let mut lines: Vec<Line> = Vec::new();
        let mut y = 34.0;
        let mut block = |indent: f64, text: &str, size_px: f64, bold: bool, colour: &'static str| {
            // Bold letters are wider.
            let room = (width - indent) * if bold { 0.9 } else { 1.0 };
            for text in wrapped(text, size_px, room) {
                lines.push(Line { at: (left + indent, y), text, size_px, bold, colour });
                y += size_px * 1.35;
            }
            y
        };
        block(0.0, situation.title, 18.0, true, INK);
        block(0.0, situation.question, 14.0, false, INK);
        block(0.0, situation.answer, 16.0, true, INK);
        block(0.0, &format!("settings: {}", situation.settings.name()), 11.0, false, PALE);
        let mut bottom = block(0.0, " ", 6.0, false, PALE);
        let mut shown = situation.reasons.len();
        for (n, reason) in situation.reasons.iter().enumerate() {
            if n == situation.conditions {
                block(0.0, "beside that", SIZE_PX, false, PALE);
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
            let number = if marked(n) { format!("{}  ", n + 1) } else { String::new() };
            block(0.0, &format!("{number}{sign} {}{mm}", reason.clause), SIZE_PX, n == 0, colour);
            bottom = block(18.0, &reason.text, SIZE_PX, false, INK);
            let left_over = situation.reasons.len() - n - 1;
            if bottom > MOST_PX && left_over > 0 {
                bottom = block(0.0, &format!("and {left_over} more"), SIZE_PX, false, PALE);
                shown = n + 1;
                break;
            }
        }
        Self { lines, shown, height_px: bottom + FOOT_PX }
    }

    /// Draws it, with a line on what the drawing's own signs mean at the foot of `height_px`.
    pub fn draw(&self, canvas: &mut Canvas, view: &View, situation: &Situation<'_>, height_px: f64) {
        for Line { at, text, size_px, bold, colour } in &self.lines {
            let style = Style { size_px: *size_px, bold: *bold, colour, anchor: Anchor::Start };
            canvas.text(*at, text, style);
        }
        let (left, width) = view.legend_px();
        let style = Style { size_px: FOOT_SIZE_PX, bold: false, colour: PALE, anchor: Anchor::Start };
        let lines = wrapped(&signs(view, situation), FOOT_SIZE_PX, width);
        for (n, line) in lines.iter().rev().enumerate() {
            canvas.text((left, height_px - 16.0 - n as f64 * FOOT_SIZE_PX * 1.35), line, style);
        }
    }
}

/// What the drawing's signs mean.
fn signs(view: &View, situation: &Situation<'_>) -> String {
    let region = if situation.outline.is_empty() { "" } else { " · green: where its centre may end" };
    let hatched = if super::deployment::whole_board(situation.reasons) {
        "hatched: where a side deploys · dashed: quarters, light troops"
    } else {
        "hatched: threat zone · dashed: where it stood"
    };
    let walled = |f: &crate::rules::terrain::Feature| !f.gates.is_empty();
    let gates =
        if situation.setup.ground.features.iter().any(walled) { " · white square: gate" } else { "" };
    format!("grid: 1 BW = {} mm · thick edge: front · {hatched}{region}{gates}", view.mm_per_bw())
}
