//! A printed page as marks in millimetres: origin at the paper's lower left corner, x right, y up. What is
//! placed here at a millimetre is printed at that millimetre.

use crate::tracking::Tag;
use crate::vision::TagPattern;

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
    /// A filled rectangle: lower left corner, width, height; grey from 0 (black) to 1 (white).
    Fill {
        /// Left.
        x: f64,
        /// Lower.
        y: f64,
        /// Width.
        width: f64,
        /// Height.
        height: f64,
        /// 0 black, 1 white.
        grey: f64,
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
}

/// Printers leave this much of the paper's rim white.
pub const MARGIN_MM: f64 = 10.0;
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
        Self { width, height, marks: Vec::new() }
    }

    /// A black rectangle.
    pub fn black(&mut self, x: f64, y: f64, width: f64, height: f64) {
        self.marks.push(Mark::Fill { x, y, width, height, grey: 0.0 });
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
    /// the detector returns) at (`x`, `y`). Dark modules of a row are one rectangle, so that no light
    /// seam can show between them.
    pub fn tag(&mut self, pattern: &TagPattern, size_mm: f64, x: f64, y: f64) {
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
                // Rows overlap downwards by a hair where the next row is dark too.
                self.black(left, top - (row + 1) as f64 * module, width, module);
            }
        }
    }

    /// A ruler of [`RULER_MM`] to check the printer's scale by, its left end at (`x`, `y`).
    pub fn ruler(&mut self, x: f64, y: f64) {
        self.black(x, y, RULER_MM, 0.2);
        for mm in 0..=RULER_MM as usize {
            let height = match mm {
                _ if mm % 10 == 0 => 4.0,
                _ if mm % 5 == 0 => 3.0,
                _ => 2.0,
            };
            self.black(x + mm as f64 - 0.05, y, 0.1, height);
        }
        let words = "this ruler is 100 mm: print at 100 %, without fitting to the page, and measure it";
        self.text(x, y - 4.0, 3.0, words);
    }
}

/// The pattern of a tag that a checked file names.
pub(super) fn pattern_of(tag: Tag) -> TagPattern {
    TagPattern::of(tag).expect("tables, rosters and boards name only ids that their family has")
}
