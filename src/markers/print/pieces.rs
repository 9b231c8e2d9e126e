//! A tag as a piece to be cut out, in the form of its carrier: flat, a plate, on a stalk, or a flag.
//!
//! Frame of a piece: its upper left corner, x right, y up, millimetres; the tag upright, its top towards the base's
//! front. The face is a square: the tag's pattern, its light ring, and an edge outside it. Invariant: a cut that
//! strays by less than [`LEAST_EDGE_MM`] leaves the light ring whole, and one that strays outwards leaves it light.

use super::layout::Item;
use crate::markers::letters::fitting;
use crate::markers::sheet::{Colour, Sheet, Stroke, pattern_of};
use crate::tracking::Tag;
use crate::vision::sim::Ink;

/// How a tag is carried. Whatever it is, it comes off, and its place is found again by the gauge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Carrier {
    /// A single piece that lies on the base.
    Flat,
    /// Folded double, on a magnet, putty or a clip behind the figures.
    Plate,
    /// Folded double, on a pin above the figures.
    Stalk,
    /// Level as a stalk's plate, its rear leaf hanging down a standard's pole, with the name on it.
    Flag,
}

impl Carrier {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Flat, Self::Plate, Self::Stalk, Self::Flag];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Flat => "flat",
            Self::Plate => "plate",
            Self::Stalk => "stalk",
            Self::Flag => "flag",
        }
    }

    /// The carrier of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.name() == name)
    }

    /// What its pieces are called on a page.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Flat => "Flat on the base",
            Self::Plate => "Plates behind the figures",
            Self::Stalk => "Plates on stalks",
            Self::Flag => "Flags",
        }
    }

    /// What to do with its pieces.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Flat => "Fix each with putty, or glue it on thin steel or card over a magnet in the base.",
            Self::Plate => {
                "Fold the lower half back under along the dots and glue the halves together, a card between them. \
                 Magnet, putty or clip goes on the ring at the back. The fold lies to the base's rear. Set it by the \
                 gauge."
            }
            Self::Stalk => {
                "Fold the lower half back under along the dots and glue the halves together, a card between them. The \
                 pin goes on the cross at the back, upright. The fold lies to the base's rear. Set it by the gauge."
            }
            Self::Flag => {
                "Fold the lower leaf down along the dots until it hangs straight. Glue it to the standard's pole \
                 along the line in its middle. The tag lies level, ahead of the pole."
            }
        }
    }
}

/// A tag to be printed.
#[derive(Debug, Clone, PartialEq)]
pub struct Label {
    /// Which tag.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// What it is for.
    pub name: String,
    /// How it is carried.
    pub carrier: Carrier,
}

/// The edge outside a tag's light ring is at least so wide: a cut may stray by it, and an id can be read in it.
pub const LEAST_EDGE_MM: f64 = 1.1;
/// Height of the name's letters, and the strip for them above the cut line.
const LETTERS_MM: f64 = 2.2;
const STRIP_MM: f64 = 4.0;
/// What is light reaches so far past the cut line.
const BLEED_MM: f64 = 1.0;
/// A flag's hanging leaf.
const LEAF_MM: f64 = 12.0;
/// The ring for a magnet, or for putty.
const RING_MM: f64 = 8.0;

/// The edge outside the light ring: half a module, and never too narrow.
fn edge_mm(tag: Tag, size_mm: f64) -> f64 {
    (pattern_of(tag).module_mm(size_mm) / 2.0).max(LEAST_EDGE_MM)
}

/// Side of the face that is cut out: the whole picture with its light ring, and the edge.
pub fn face_mm(tag: Tag, size_mm: f64) -> f64 {
    pattern_of(tag).picture_mm(size_mm) + 2.0 * edge_mm(tag, size_mm)
}

/// The largest size whose face is no wider than so many millimetres, in steps of half a millimetre.
pub fn size_for_face(tag: Tag, room_mm: f64) -> f64 {
    let mut size = (room_mm * 2.0).floor() / 2.0;
    while size > 0.0 && face_mm(tag, size) > room_mm + 1e-9 {
        size -= 0.5;
    }
    size.max(0.0)
}

impl Label {
    /// Side of its face.
    pub fn face_mm(&self) -> f64 {
        face_mm(self.tag, self.size_mm)
    }

    /// The piece's height below its name.
    fn length_mm(&self) -> f64 {
        let face = self.face_mm();
        match self.carrier {
            Carrier::Flat => face,
            Carrier::Plate | Carrier::Stalk => 2.0 * face,
            Carrier::Flag => face + LEAF_MM,
        }
    }

    /// The piece as it is put on a page.
    pub(super) fn item(&self, ink: Ink) -> Item<'_> {
        let face = self.face_mm();
        let draw = move |sheet: &mut Sheet, x: f64, top: f64| self.draw(sheet, ink, x, top);
        Item { wide: face, high: self.length_mm() + STRIP_MM, draw: Box::new(draw) }
    }

    /// The piece's upper left corner at (`x`, `top`) below its id and name. The id and a tick that points up are
    /// printed once more in the edge, outside the light ring, so that a piece that is cut out still tells which it
    /// is and how it lies.
    fn draw(&self, sheet: &mut Sheet, ink: Ink, x: f64, top: f64) {
        let (face, own) = (self.face_mm(), edge_mm(self.tag, self.size_mm));
        let (dark, light) = Colour::of(ink);
        let id = self.tag.id.to_string();
        let name = fitting(&format!("{id} {}", self.name), LETTERS_MM, face);
        // However small the piece, never without its id.
        sheet.text(x, top - LETTERS_MM, LETTERS_MM, if name.starts_with(&id) { name } else { id.clone() });
        let upper = top - STRIP_MM;
        let lower = upper - self.length_mm();
        if light != Colour::WHITE {
            let low = if self.carrier == Carrier::Flat { BLEED_MM } else { 0.0 };
            let (wide, high) = (face + 2.0 * BLEED_MM, face + BLEED_MM + low);
            sheet.fill((x - BLEED_MM, upper - face - low), (wide, high), light);
        }
        // Digits of this font are 0.72 of its size high: they fill the edge but for a sixth.
        sheet.text(x + own, upper - 0.92 * own, own / 0.72 * 0.84, id);
        sheet.fill((x + face / 2.0 - 0.15, upper - 0.92 * own), (0.3, 0.84 * own), dark);
        for (from, to) in [
            ((x, upper), (x + face, upper)),
            ((x, lower), (x + face, lower)),
            ((x, upper), (x, lower)),
            ((x + face, upper), (x + face, lower)),
        ] {
            sheet.line(from, to, Stroke::Dashed);
        }
        let edge = (face - self.size_mm) / 2.0;
        sheet.tag_in(&pattern_of(self.tag), self.size_mm, (x + edge, upper - face + edge), dark);
        let fold = upper - face;
        match self.carrier {
            Carrier::Flat => {}
            Carrier::Plate | Carrier::Stalk => self.back(sheet, x, fold),
            Carrier::Flag => self.leaf(sheet, x, fold),
        }
    }

    /// The half that is folded under: the cross comes to lie under the tag's centre.
    fn back(&self, sheet: &mut Sheet, x: f64, fold: f64) {
        let face = self.face_mm();
        sheet.line((x, fold), (x + face, fold), Stroke::Dotted);
        let (cx, cy) = (x + face / 2.0, fold - face / 2.0);
        let reach = RING_MM.min(face - 4.0) / 2.0;
        for (dx, dy) in [(reach, 0.0), (0.0, reach)] {
            sheet.line((cx - dx, cy - dy), (cx + dx, cy + dy), Stroke::Solid);
        }
        if self.carrier == Carrier::Plate {
            ring(sheet, (cx, cy), reach);
        }
        for (line, text) in [(0, self.tag.id.to_string()), (1, self.name.clone())] {
            let y = if line == 0 { fold - 2.6 } else { fold - face + 0.9 };
            sheet.text(x + 1.0, y, LETTERS_MM, fitting(&text, LETTERS_MM, face - 2.0));
        }
    }

    /// The leaf that hangs: the pole's line in its middle, id and name on either side.
    fn leaf(&self, sheet: &mut Sheet, x: f64, fold: f64) {
        let face = self.face_mm();
        sheet.line((x, fold), (x + face, fold), Stroke::Dotted);
        let middle = x + face / 2.0;
        sheet.line((middle, fold - 0.6), (middle, fold - 5.0), Stroke::Solid);
        sheet.text(x + 1.0, fold - 3.6, LETTERS_MM, self.tag.id.to_string());
        sheet.text(x + 1.0, fold - LEAF_MM + 1.6, LETTERS_MM, fitting(&self.name, LETTERS_MM, face - 2.0));
    }
}

/// A thin circle.
fn ring(sheet: &mut Sheet, (cx, cy): (f64, f64), radius: f64) {
    let at = |k: usize| {
        let turn = std::f64::consts::TAU * k as f64 / 24.0;
        (cx + radius * turn.cos(), cy + radius * turn.sin())
    };
    for k in 0..24 {
        sheet.line(at(k), at(k + 1), Stroke::Solid);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tracking::TagFamily;

    #[test]
    fn the_largest_size_fits_and_half_a_millimetre_more_does_not() {
        for family in TagFamily::ALL {
            let tag = Tag::new(family, 1);
            for room in [15.0, 20.0, 30.0] {
                let size = size_for_face(tag, room);
                assert!(size > 0.0 && face_mm(tag, size) <= room, "{family} {room}: {size}");
                assert!(face_mm(tag, size + 0.5) > room, "{family} {room}: {size}");
            }
        }
        // A base 15 mm deep bears ten millimetres of tag36h11: 12.5 with its ring, 14.7 with its edges.
        assert_eq!(size_for_face(Tag::new(TagFamily::Tag36h11, 1), 15.0), 10.0);
        assert_eq!(size_for_face(Tag::new(TagFamily::Tag36h11, 1), 2.0), 0.0);
    }
}
