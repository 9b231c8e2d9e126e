//! Bases: where they stand, and where they stood.

use super::Situation;
use super::canvas::{Anchor, Canvas, INK, Style};
use super::labels::{Taken, width_px};
use super::view::View;
use crate::geometry::{Edge, Footprint};
use crate::rules::{Element, Location, Side};

/// Fill and rim of a side's bases.
pub(super) fn look(side: Side) -> (&'static str, &'static str) {
    match side {
        Side::Red => ("#f1b5ab", "#9c2b1f"),
        Side::Blue => ("#b4cbef", "#1d4687"),
    }
}

/// Where everybody stands: after the moves, where there are any.
fn now<'a>(situation: &Situation<'a>) -> impl Iterator<Item = &'a Element> + use<'a> {
    let setup = situation.after.unwrap_or(situation.setup);
    setup.elements.iter().filter(|e| e.location == Location::Board)
}

/// Everybody where they stand, and an outline where those who moved stood.
pub(super) fn standing(canvas: &mut Canvas, view: &View, situation: &Situation<'_>, taken: &mut Taken) {
    for element in now(situation) {
        let outline = view.all_px(element.footprint.outline());
        let (low, high) =
            outline.iter().fold(((f64::MAX, f64::MAX), (f64::MIN, f64::MIN)), |(low, high), p| {
                ((low.0.min(p.0), low.1.min(p.1)), (high.0.max(p.0), high.1.max(p.1)))
            });
        taken.take((low.0, low.1, high.0 - low.0, high.1 - low.1));
    }
    for element in now(situation) {
        let (fill, rim) = look(element.side);
        let before = situation.setup.element(&element.name).map(|e| e.footprint);
        if let Some(before) = before.filter(|before| *before != element.footprint) {
            let look = format!(
                "fill=\"{fill}\" fill-opacity=\"0.18\" stroke=\"{rim}\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\""
            );
            canvas.polygon(&view.all_px(before.outline()), &look);
            front(canvas, view, &before, rim, 1.6);
        }
        let look = format!("fill=\"{fill}\" stroke=\"{rim}\" stroke-width=\"1.4\"");
        canvas.polygon(&view.all_px(element.footprint.outline()), &look);
        front(canvas, view, &element.footprint, rim, 4.0);
    }
}

/// The front edge, thick, with a point that shows where it looks.
fn front(canvas: &mut Canvas, view: &View, base: &Footprint, colour: &str, thick: f64) {
    let edge = base.edge(Edge::Front);
    canvas
        .line(&view.all_px([edge.start, edge.end]), &format!("stroke=\"{colour}\" stroke-width=\"{thick}\""));
    let (w, d) = (base.width_mm(), base.depth_mm() / 2.0);
    let tip = [base.pose().at(-0.09 * w, d), base.pose().at(0.0, d + 0.09 * w), base.pose().at(0.09 * w, d)];
    canvas.polygon(&view.all_px(tip), &format!("fill=\"{colour}\""));
}

/// Each element's name and troop, inside its base where they fit.
pub(super) fn names(canvas: &mut Canvas, view: &View, situation: &Situation<'_>, taken: &mut Taken) {
    let (left, top, width, height) = view.table_px();
    for element in now(situation) {
        let star = if element.general { " ★" } else { "" };
        let text = format!("{} {}{star}", element.name, element.troop);
        let (wide, deep) = (view.long(element.footprint.width_mm()), view.long(element.footprint.depth_mm()));
        // The text is level: what of the base it may fill depends on how the base lies.
        let turn = element.footprint.pose().heading.radians();
        let (sin, cos) = (turn.sin().abs(), turn.cos().abs());
        let room = if sin > 0.98 {
            (wide, deep)
        } else if cos > 0.98 {
            (deep, wide)
        } else {
            (wide.min(deep), wide.min(deep))
        };
        let size = (room.1 * 0.62).min(14.0);
        let style = Style { size_px: size.max(9.0), bold: true, colour: INK, anchor: Anchor::Middle };
        let long = width_px(&text, style.size_px);
        let at = view.px(element.footprint.pose().centre);
        if long <= room.0 && size >= 9.0 {
            canvas.haloed((at.0, at.1 + style.size_px * 0.36), &text, style);
            continue;
        }
        let short = width_px(&element.name, style.size_px) <= room.0 && size >= 9.0;
        if short {
            canvas.haloed((at.0, at.1 + style.size_px * 0.36), &element.name, style);
        }
        let text = if short { format!("{}{star}", element.troop) } else { text };
        let style = Style { size_px: 11.0, bold: !short, ..style };
        let area = taken.near(at, (width_px(&text, 11.0), 13.0), (left, top, width, height));
        canvas.haloed((area.0 + area.2 / 2.0, area.1 + 10.5), &text, style);
    }
}
