//! The points that bind a margin, joined, with the number of the reason and its millimetres.

use super::Situation;
use super::canvas::{Anchor, Canvas, INK, Style};
use super::labels::{Taken, width_px};
use super::view::{MARKED_MM, View};
use crate::geometry::Binding;

/// The most reasons that are marked, of those that fail and of those that hold: more would hide the table.
const MOST_FAIL: usize = 5;
const MOST_HOLD: usize = 3;
/// Ink of what holds, and of what does not.
const HOLDS: &str = "#1b7a3d";
const FAILS: &str = "#b3261e";

/// Ink for a reason.
pub(super) fn ink(holds: bool) -> &'static str {
    if holds { HOLDS } else { FAILS }
}

/// Millimetres with their sign, to a tenth.
pub(super) fn millimetres(mm: f64) -> String {
    let rounded = (mm * 10.0).round() / 10.0;
    let sign = if rounded < 0.0 { "−" } else { "+" };
    format!("{sign}{:.1} mm", rounded.abs())
}

/// Marks those of the first `listed` reasons that have a place, the deciding one boldest. Gives which of the reasons are marked;
/// their numbers are their places in the list, from 1.
pub(super) fn marks(
    canvas: &mut Canvas,
    view: &View,
    situation: &Situation<'_>,
    listed: usize,
    taken: &mut Taken,
) -> Vec<usize> {
    let mut marked: Vec<usize> = Vec::new();
    let mut seen: Vec<Binding> = Vec::new();
    for (n, reason) in situation.reasons.iter().enumerate().take(listed) {
        let Some(margin) = reason.margin.filter(|m| m.mm.abs() < MARKED_MM) else { continue };
        let alike = marked.iter().filter(|&&m| situation.reasons[m].holds == reason.holds).count();
        let most = if reason.holds { MOST_HOLD.saturating_sub(marked.len() - alike) } else { MOST_FAIL };
        if n >= situation.conditions || alike >= most || seen.contains(&margin.binding) {
            continue;
        }
        seen.push(margin.binding);
        let Binding(a, b) = margin.binding;
        let (from, to) = (view.px(a.at), view.px(b.at));
        let colour = ink(reason.holds);
        let thick = if marked.is_empty() { 2.6 } else { 1.5 };
        canvas.line(&[from, to], &format!("stroke=\"{colour}\" stroke-width=\"{thick}\""));
        for at in [from, to] {
            canvas.circle(
                at,
                thick + 2.0,
                &format!("fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"{thick}\""),
            );
        }
        let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let text = format!("{}  {}", n + 1, millimetres(margin.mm));
        let size = if marked.is_empty() { 13.0 } else { 11.5 };
        let (wide, high) = (width_px(&text, size) + 12.0, size + 8.0);
        let area = taken.near(middle, (wide, high), view.table_px());
        let centre = (area.0 + area.2 / 2.0, area.1 + area.3 / 2.0);
        if (centre.0 - middle.0).hypot(centre.1 - middle.1) > high {
            let reach = (
                centre.0.clamp(area.0, area.0 + area.2),
                if middle.1 < centre.1 { area.1 } else { area.1 + area.3 },
            );
            canvas.line(&[middle, reach], &format!("stroke=\"{colour}\" stroke-width=\"0.9\""));
        }
        let rim = format!(
            "fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"{}\" rx=\"{:.1}\"",
            thick * 0.7,
            high / 2.0
        );
        canvas.rect((area.0, area.1), (area.2, area.3), &rim);
        let style = Style { size_px: size, bold: marked.is_empty(), colour: INK, anchor: Anchor::Middle };
        canvas.text((centre.0, centre.1 + size * 0.36), &text, style);
        marked.push(n);
    }
    marked
}
