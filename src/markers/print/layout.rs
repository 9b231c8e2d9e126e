//! Pieces put on pages, row by row, under a heading that says what to do with them.
//!
//! Frame of a page: millimetres, origin at the lower left corner, y up. Invariant: nothing that is put down lies
//! nearer than a margin to the paper's rim, nor over the heading or the foot.

use crate::markers::letters::wrapped;
use crate::markers::sheet::{FOOT_MM, MARGIN_MM, Orientation, Paper, Sheet};

/// Between two pieces.
const GAP_MM: f64 = 3.5;
/// Size of the heading's letters, of a section's, and of the words under them.
const TITLE_MM: f64 = 5.0;
const SECTION_MM: f64 = 4.0;
const WORDS_MM: f64 = 3.2;
/// From one line of words to the next.
const LINE_MM: f64 = 4.4;

/// How a piece is drawn: on a sheet, its upper left corner at a place.
pub type Drawing<'a> = Box<dyn Fn(&mut Sheet, f64, f64) + 'a>;

/// A piece to be put down.
pub struct Item<'a> {
    /// Its room across.
    pub wide: f64,
    /// Its room up.
    pub high: f64,
    /// What it looks like.
    pub draw: Drawing<'a>,
}

/// What stands at a page's head and foot.
#[derive(Debug, Clone, PartialEq)]
pub struct Heading {
    /// What is on the page.
    pub title: String,
    /// What to do with it.
    pub words: String,
    /// Where the ruler's measured length is told.
    pub told: String,
}

/// Pieces of a kind, with what to do with them.
pub struct Section<'a> {
    /// What they are; empty where the page's title says it.
    pub title: &'a str,
    /// What to do with them; empty where the page's head says it.
    pub words: &'a str,
    /// The pieces, in order.
    pub items: Vec<Item<'a>>,
}

impl Heading {
    /// An empty page under this heading, and where its room begins at the top.
    pub fn page(&self, paper: Paper, orientation: Orientation, further: usize) -> (Sheet, f64) {
        let mut sheet = Sheet::new(paper, orientation);
        let y = sheet.height - MARGIN_MM - TITLE_MM * 0.8;
        let title =
            if further == 0 { self.title.clone() } else { format!("{} ({})", self.title, further + 1) };
        sheet.text(MARGIN_MM, y, TITLE_MM, title);
        let y = words(&mut sheet, &self.words, y - 2.0);
        sheet.foot(&format!("Groma: {}", self.title), &self.told);
        (sheet, y - 4.0)
    }
}

/// Words across the page below `y`; where the last line stands.
fn words(sheet: &mut Sheet, text: &str, mut y: f64) -> f64 {
    for line in wrapped(text, WORDS_MM, sheet.width - 2.0 * MARGIN_MM) {
        y -= LINE_MM;
        sheet.text(MARGIN_MM, y, WORDS_MM, line);
    }
    y
}

/// How high a section's own head is.
fn head_mm(section: &Section<'_>, room: f64) -> f64 {
    let title = if section.title.is_empty() { 0.0 } else { SECTION_MM + 2.0 };
    let lines = wrapped(section.words, WORDS_MM, room).len();
    let words = if lines == 0 { 0.0 } else { lines as f64 * LINE_MM + 3.0 };
    title + words
}

/// Pages with every piece, section after section, a new page only where the room ends. The pieces that are too large
/// for the paper are left out and told by their section and number.
pub fn pages(heading: &Heading, sections: &[Section<'_>], paper: Paper) -> (Vec<Sheet>, Vec<(usize, usize)>) {
    let mut sheets: Vec<Sheet> = Vec::new();
    let mut too_large = Vec::new();
    let (blank, begin) = heading.page(paper, Orientation::Portrait, 0);
    let (right, foot) = (blank.width - MARGIN_MM, MARGIN_MM + FOOT_MM);
    // How low the last page is filled.
    let mut floor = f64::NEG_INFINITY;
    for (s, section) in sections.iter().enumerate() {
        let head = head_mm(section, right - MARGIN_MM);
        // Upper left corner of the next piece, and how high its row is; no row is begun.
        let (mut x, mut top, mut row) = (f64::INFINITY, floor, 0.0f64);
        let mut headed = false;
        for (number, item) in section.items.iter().enumerate() {
            if MARGIN_MM + item.wide > right + 1e-9 || begin - head - item.high < foot - 1e-9 {
                too_large.push((s, number));
                continue;
            }
            if headed && x + item.wide > right + 1e-9 {
                (x, top, row) = (MARGIN_MM, top - row - GAP_MM, 0.0);
            }
            let needed = item.high + if headed { 0.0 } else { head };
            if top - needed < foot - 1e-9 {
                sheets.push(heading.page(paper, Orientation::Portrait, sheets.len()).0);
                (x, top, row) = (MARGIN_MM, begin, 0.0);
            }
            let sheet = sheets.last_mut().expect("a page was begun above");
            if !headed {
                if !section.title.is_empty() {
                    sheet.text(MARGIN_MM, top - SECTION_MM, SECTION_MM, section.title);
                }
                let title = if section.title.is_empty() { 0.0 } else { SECTION_MM + 1.0 };
                words(sheet, section.words, top - title);
                (x, top, headed) = (MARGIN_MM, top - head, true);
            }
            (item.draw)(sheet, x, top);
            x += item.wide + GAP_MM;
            row = row.max(item.high);
        }
        if headed {
            floor = top - row - 2.0 * GAP_MM;
        }
    }
    (sheets, too_large)
}
