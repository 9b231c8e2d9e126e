//! A printed page as marks in millimetres: origin at the paper's lower left corner, x right, y up. What is
//! placed here at a millimetre is printed at that millimetre. A sheet knows which tags it bears and where, so that a
//! printed page can be read back.

use super::letters::fitting;
use crate::tracking::Tag;
use crate::vision::TagPattern;
use crate::vision::sim::Ink;

/// A colour, red, green and blue from 0 to 1, in the values that a screen shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Colour(pub [f64; 3]);

impl Colour {
    /// As dark as the printer can.
    pub const BLACK: Self = Self([0.0; 3]);
    /// The paper.
    pub const WHITE: Self = Self([1.0; 3]);

    /// A grey from 0 (black) to 1 (white).
    pub fn grey(level: f64) -> Self {
        Self([level; 3])
    }

    /// Dark and light of a print: black on the white paper, or the earth and sand whose contrast was studied.
    pub fn of(ink: Ink) -> (Self, Self) {
        match ink {
            Ink::Black => (Self::BLACK, Self::WHITE),
            Ink::Earth => {
                let of_255 = |[r, g, b]: [u8; 3]| Self([r, g, b].map(|v| f64::from(v) / 255.0));
                (of_255([58, 42, 28]), of_255([214, 194, 152]))
            }
        }
    }
}

/// A size of paper.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// 210 x 297 mm.
    A4,
    /// 8.5 x 11 inches.
    Letter,
}

impl Paper {
    /// Width and height upright, millimetres.
    pub fn size_mm(self) -> (f64, f64) {
        match self {
            Self::A4 => (210.0, 297.0),
            Self::Letter => (215.9, 279.4),
        }
    }

    /// What people call it, as the command line takes it.
    pub fn name(self) -> &'static str {
        match self {
            Self::A4 => "a4",
            Self::Letter => "letter",
        }
    }

    /// The paper of this name.
    pub fn named(name: &str) -> Option<Self> {
        [Self::A4, Self::Letter].into_iter().find(|p| p.name() == name)
    }
}

/// How the paper lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Orientation {
    /// Taller than wide.
    Portrait,
    /// Wider than tall.
    Landscape,
}

/// Something printed.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A filled rectangle: lower left corner, width, height, colour.
    Fill {
        /// Left.
        x: f64,
        /// Lower.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
        /// Its colour.
        colour: Colour,
    },
    /// A black area inside a closed outline.
    Outline {
        /// Its corners.
        points: Vec<(f64, f64)>,
    },
    /// A thin line.
    Line {
        /// From.
        from: (f64, f64),
        /// To.
        to: (f64, f64),
        /// Its width.
        width: f64,
        /// Solid or dashed.
        stroke: Stroke,
    },
    /// A line of text from its lower left corner.
    Text {
        /// Left.
        x: f64,
        /// Its base line.
        y: f64,
        /// Height of the letters' body.
        size: f64,
        /// What it says.
        text: String,
    },
}

/// How a line is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stroke {
    /// Whole.
    Solid,
    /// In dashes: where to cut.
    Dashed,
    /// In dots: where to fold.
    Dotted,
}

/// A tag on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrintedTag {
    /// Which one.
    pub tag: Tag,
    /// Side of the square whose corners the detector returns, millimetres.
    pub size_mm: f64,
    /// Its centre on the page, millimetres.
    pub centre: (f64, f64),
}

/// One page.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    /// Width, millimetres.
    pub width: f64,
    /// Height, millimetres.
    pub height: f64,
    /// What is printed, in order.
    pub marks: Vec<Mark>,
    /// The tags among it, in order; all upright.
    pub tags: Vec<PrintedTag>,
}

/// Printers leave this much of the paper's rim white.
pub const MARGIN_MM: f64 = 10.0;
/// Room at the page's foot for the ruler and its words, over the margin.
pub(super) const FOOT_MM: f64 = 17.0;
/// Length of the ruler on every page.
pub const RULER_MM: f64 = 100.0;

impl Sheet {
    /// An empty page.
    pub fn new(paper: Paper, orientation: Orientation) -> Self {
        let (w, h) = paper.size_mm();
        let (width, height) = match orientation {
            Orientation::Portrait => (w, h),
            Orientation::Landscape => (h, w),
        };
        Self { width, height, marks: Vec::new(), tags: Vec::new() }
    }

    /// A black rectangle.
    pub fn black(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.fill((x, y), (width, height), Colour::BLACK);
    }

    /// A rectangle of a colour, its lower left corner and its sides.
    pub fn fill(&mut self, (x, y): (f64, f64), (width, height): (f64, f64), colour: Colour) {
        self.marks.push(Mark::Fill { x, y, width, height, colour });
    }

    /// A line of text.
    pub fn text(&mut self, x: f64, y: f64, size: f64, text: impl Into<String>) {
        self.marks.push(Mark::Text { x, y, size, text: text.into() });
    }

    /// A thin line.
    pub fn line(&mut self, from: (f64, f64), to: (f64, f64), stroke: Stroke) {
        self.marks.push(Mark::Line { from, to, width: 0.15, stroke });
    }

    /// A tag, upright, the lower left corner of its black square (that is: of the square whose corners
    /// the detector returns) at (`x`, `y`), black. Dark modules of a row are one rectangle, so that no light
    /// seam can show between them.
    pub fn tag(&mut self, pattern: &TagPattern, size_mm: f64, x: f64, y: f64) {
        self.tag_in(pattern, size_mm, (x, y), Colour::BLACK);
    }

    /// As [`Self::tag`], its dark modules of a colour; what is light is whatever lies under it.
    pub fn tag_in(&mut self, pattern: &TagPattern, size_mm: f64, (x, y): (f64, f64), colour: Colour) {
        let centre = (x + size_mm / 2.0, y + size_mm / 2.0);
        self.tags.push(PrintedTag { tag: pattern.tag(), size_mm, centre });
        let module = pattern.module_mm(size_mm);
        let modules = pattern.modules();
        let out = (modules - pattern.border_modules()) as f64 / 2.0 * module;
        let top = y + size_mm + out;
        let dark = |row: usize, column: usize| pattern.is_light(row, column) == Some(false);
        for row in 0..modules {
            let mut column = 0;
            while column < modules {
                if !dark(row, column) {
                    column += 1;
                    continue;
                }
                let start = column;
                while column < modules && dark(row, column) {
                    column += 1;
                }
                let left = x - out + start as f64 * module;
                let width = (column - start) as f64 * module;
                self.fill((left, top - (row + 1) as f64 * module), (width, module), colour);
            }
        }
    }

    /// The page's foot: the ruler of [`RULER_MM`] with its left end a margin in and up, what it measures to be
    /// written beside it, `told` saying where the answer goes, and the page's `title`.
    pub fn foot(&mut self, title: &str, told: &str) {
        let (x, y) = (MARGIN_MM + 1.0, MARGIN_MM + 6.0);
        self.ruler(x, y);
        let (x, room) = (x + RULER_MM + 8.0, self.width - MARGIN_MM - (x + RULER_MM + 8.0));
        self.text(x, y + 1.5, 3.0, "The ruler measures");
        self.line((x + 26.0, y + 1.0), (x + 46.0, y + 1.0), Stroke::Solid);
        self.text(x + 47.0, y + 1.5, 3.0, "mm:");
        self.text(x, y - 3.0, 2.6, fitting(told, 2.6, room));
        self.text(x, y + 6.5, 3.0, fitting(title, 3.0, room));
    }

    /// A ruler of [`RULER_MM`] to check the printer's scale by, its left end at (`x`, `y`).
    fn ruler(&mut self, x: f64, y: f64) {
        self.black(x, y, RULER_MM, 0.2);
        for mm in 0..=RULER_MM as usize {
            let height = match mm {
                _ if mm % 10 == 0 => 4.0,
                _ if mm % 5 == 0 => 3.0,
                _ => 2.0,
            };
            self.black(x + mm as f64 - 0.05, y, 0.1, height);
        }
        for cm in [0, 5, 10] {
            let words = if cm == 0 { "0".to_owned() } else { format!("{} mm", cm * 10) };
            let at = x + 10.0 * f64::from(cm) - super::letters::width(&words, 2.4) / 2.0;
            self.text(at.max(x - 0.7), y + 4.8, 2.4, words);
        }
        self.text(x, y - 3.6, 2.8, "This ruler is 100 mm long. Print at 100 %, not fitted to the page.");
    }
}

/// The pattern of a tag that a checked file names.
pub(super) fn pattern_of(tag: Tag) -> TagPattern {
    TagPattern::of(tag).expect("tables, rosters and boards name only ids that their family has")
}
