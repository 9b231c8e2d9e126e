//! Setting gauges: a card that is laid on a base, two lips folded down over its rear and its left side, and shows where
//! the tag's carrier goes. With it a carrier that was taken off comes back to its place; the jig then measures it.
//!
//! Frame of a gauge: the base's, its rear left corner the origin, x to the right, y ahead, millimetres, as in the jig.

use super::layout::Item;
use super::pieces::{Carrier, Label};
use crate::judge::{MountedTag, RosterElement};
use crate::markers::letters::fitting;
use crate::markers::sheet::{Sheet, Stroke};

/// The lips that are folded down.
const LIP_MM: f64 = 7.0;
/// The strip of words above a gauge.
const STRIP_MM: f64 = 6.8;
const LETTERS_MM: f64 = 2.4;
/// The card that shows a stalk's height is so wide.
const HEIGHT_CARD_MM: f64 = 14.0;
/// And reaches so far above the tag's face.
const ABOVE_MM: f64 = 8.0;
/// Half the cross on a pin's place.
const CROSS_MM: f64 = 3.0;

/// What a gauge is for: all elements with the same base and mount share one.
#[derive(Debug, Clone, PartialEq)]
struct Gauge {
    base_mm: (f64, f64),
    carrier: Carrier,
    /// Side of the carrier's face.
    face_mm: f64,
    /// The tag's centre from the base's rear left corner.
    at_mm: (f64, f64),
    height_mm: f64,
}

impl Gauge {
    fn of(element: &RosterElement, tag: &MountedTag, label: &Label) -> Self {
        let base = element.base;
        Self {
            base_mm: (base.width_mm, base.depth_mm),
            carrier: label.carrier,
            face_mm: label.face_mm(),
            at_mm: (base.width_mm / 2.0 + tag.right_mm, base.depth_mm / 2.0 + tag.forward_mm),
            height_mm: tag.height_mm,
        }
    }

    fn raised(&self) -> bool {
        matches!(self.carrier, Carrier::Stalk | Carrier::Flag)
    }

    fn wide_mm(&self) -> f64 {
        self.base_mm.0 + LIP_MM + if self.raised() { HEIGHT_CARD_MM + 4.0 } else { 0.0 }
    }

    fn high_mm(&self) -> f64 {
        let card = self.base_mm.1 + LIP_MM;
        if self.raised() { card.max(self.height_mm + ABOVE_MM) } else { card }
    }

    fn draw(&self, names: &str, sheet: &mut Sheet, x: f64, top: f64) {
        let (width, depth) = self.base_mm;
        let what = match self.carrier {
            Carrier::Flat | Carrier::Plate => {
                format!("{width} x {depth}, {}: cut the window out", self.carrier.name())
            }
            Carrier::Stalk => format!("{width} x {depth}, stalk {} high: prick the cross", self.height_mm),
            Carrier::Flag => format!("{width} x {depth}, flag {} high: pole at the cross", self.height_mm),
        };
        let room = self.wide_mm().max(56.0);
        sheet.text(x, top - LETTERS_MM, LETTERS_MM, fitting(&what, LETTERS_MM, room));
        sheet.text(x, top - 2.0 * LETTERS_MM - 0.6, LETTERS_MM, fitting(names, LETTERS_MM, room));
        let (left, rear) = (x + LIP_MM, top - STRIP_MM - depth);
        let (right, front) = (left + width, rear + depth);
        for (from, to, stroke) in [
            ((x, rear), (x, front), Stroke::Dashed),
            ((x, front), (right, front), Stroke::Dashed),
            ((right, front), (right, rear - LIP_MM), Stroke::Dashed),
            ((right, rear - LIP_MM), (left, rear - LIP_MM), Stroke::Dashed),
            ((left, rear - LIP_MM), (left, rear), Stroke::Dashed),
            ((left, rear), (x, rear), Stroke::Dashed),
            ((left, rear), (left, front), Stroke::Dotted),
            ((left, rear), (right, rear), Stroke::Dotted),
        ] {
            sheet.line(from, to, stroke);
        }
        sheet.text(left + 1.0, rear - LIP_MM + 2.2, LETTERS_MM, "rear: fold down");
        let (cx, cy) = (left + self.at_mm.0, rear + self.at_mm.1);
        let half = self.face_mm / 2.0;
        if self.raised() {
            // A flag's pole stands at its plate's rear.
            let foot = if self.carrier == Carrier::Flag { cy - half } else { cy };
            sheet.line((cx - CROSS_MM, foot), (cx + CROSS_MM, foot), Stroke::Solid);
            sheet.line((cx, foot - CROSS_MM), (cx, foot + CROSS_MM), Stroke::Solid);
            self.height_card(sheet, right + 4.0, top - STRIP_MM);
        } else {
            let corners = [(-half, -half), (half, -half), (half, half), (-half, half)];
            for k in 0..4 {
                let at = |(dx, dy): (f64, f64)| ((cx + dx).clamp(left, right), (cy + dy).clamp(rear, front));
                sheet.line(at(corners[k]), at(corners[(k + 1) % 4]), Stroke::Solid);
            }
        }
    }

    /// A card to be stood on the base beside the stalk: the tag's face is level with its line.
    fn height_card(&self, sheet: &mut Sheet, x: f64, top: f64) {
        let (high, right) = (self.height_mm + ABOVE_MM, x + HEIGHT_CARD_MM);
        let foot = top - high;
        let face = foot + self.height_mm;
        for (from, to, stroke) in [
            ((x, foot), (right, foot), Stroke::Solid),
            ((x, foot), (x, top), Stroke::Dashed),
            ((right, foot), (right, top), Stroke::Dashed),
            ((x, top), (right, top), Stroke::Dashed),
            ((x, face), (right, face), Stroke::Solid),
        ] {
            sheet.line(from, to, stroke);
        }
        sheet.text(x + 1.0, face + 1.0, LETTERS_MM, "tag's face");
        sheet.text(x + 1.0, foot + 1.0, LETTERS_MM, "base's top");
    }
}

/// A gauge for each kind of base and mount, in the order in which they come.
pub(super) fn items<'a>(mounted: &[(&'a RosterElement, &'a MountedTag, &'a Label)]) -> Vec<Item<'a>> {
    let mut kinds: Vec<(Gauge, Vec<&str>)> = Vec::new();
    for (element, tag, label) in mounted {
        let gauge = Gauge::of(element, tag, label);
        match kinds.iter_mut().find(|(known, _)| *known == gauge) {
            Some((_, names)) => names.push(&element.name),
            None => kinds.push((gauge, vec![&element.name])),
        }
    }
    let item = |(gauge, names): (Gauge, Vec<&str>)| {
        let (wide, high) = (gauge.wide_mm().max(56.0), gauge.high_mm() + STRIP_MM);
        let names = names.join(", ");
        let draw = move |sheet: &mut Sheet, x: f64, top: f64| gauge.draw(&names, sheet, x, top);
        Item { wide, high, draw: Box::new(draw) }
    };
    kinds.into_iter().map(item).collect()
}

/// What to do with them.
pub(super) const WORDS: &str = "Print on card. Cut along the dashes, fold the lips down along the dots. Lay a gauge on its base, the lips \
     against the base's rear and left side, as in the jig's corner: the carrier goes into the window, or its pin on \
     the cross. Stand the narrow card on the base beside a stalk: the tag's face is level with its upper line. Then \
     measure once with groma jig: a carrier put back by the gauge sits where it was measured.";
