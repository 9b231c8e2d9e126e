//! Sheets as PDF at exact scale.

use super::letters::encoded;
use super::sheet::{Mark, Sheet, Stroke};
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str};

/// Points in a millimetre.
const POINT: f64 = 72.0 / 25.4;

/// The sheets, a page each.
pub fn to_pdf(sheets: &[Sheet]) -> Vec<u8> {
    let mut pdf = Pdf::new();
    let (catalog, tree, font) = (Ref::new(1), Ref::new(2), Ref::new(3));
    let page_ref = |i: usize| Ref::new(4 + 2 * i as i32);
    let content_ref = |i: usize| Ref::new(5 + 2 * i as i32);
    // Viewers would else fit the page to the paper when printing.
    pdf.catalog(catalog).pages(tree).viewer_preferences().pair(Name(b"PrintScaling"), Name(b"None"));
    pdf.pages(tree).kids((0..sheets.len()).map(page_ref)).count(sheets.len() as i32);
    pdf.type1_font(font).base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
    for (i, sheet) in sheets.iter().enumerate() {
        let mut page = pdf.page(page_ref(i));
        page.media_box(Rect::new(0.0, 0.0, (sheet.width * POINT) as f32, (sheet.height * POINT) as f32));
        page.parent(tree);
        page.contents(content_ref(i));
        page.resources().fonts().pair(Name(b"F"), font);
        page.finish();
        pdf.stream(content_ref(i), &content(sheet));
    }
    pdf.finish()
}

/// A page's drawing. Its unit is the millimetre: one matrix at its head does the scaling.
fn content(sheet: &Sheet) -> Vec<u8> {
    let mut c = Content::new();
    let scale = POINT as f32;
    c.transform([scale, 0.0, 0.0, scale, 0.0, 0.0]);
    for mark in &sheet.marks {
        match mark {
            Mark::Fill { x, y, width, height, colour } => {
                let [red, green, blue] = colour.0.map(|v| v as f32);
                if red == green && green == blue {
                    c.set_fill_gray(red);
                } else {
                    c.set_fill_rgb(red, green, blue);
                }
                c.rect(*x as f32, *y as f32, *width as f32, *height as f32);
                c.fill_nonzero();
            }
            Mark::Outline { points } => {
                let Some((first, others)) = points.split_first() else { continue };
                c.set_fill_gray(0.0);
                c.move_to(first.0 as f32, first.1 as f32);
                for point in others {
                    c.line_to(point.0 as f32, point.1 as f32);
                }
                c.close_path();
                c.fill_nonzero();
            }
            Mark::Line { from, to, width, stroke } => {
                let dashes: &[f32] = match stroke {
                    Stroke::Solid => &[],
                    Stroke::Dashed => &[1.5, 1.5],
                    Stroke::Dotted => &[0.3, 0.9],
                };
                c.set_line_width(*width as f32);
                c.set_dash_pattern(dashes.iter().copied(), 0.0);
                c.move_to(from.0 as f32, from.1 as f32);
                c.line_to(to.0 as f32, to.1 as f32);
                c.stroke();
            }
            Mark::Text { x, y, size, text } => {
                c.set_fill_gray(0.0);
                c.begin_text();
                c.set_font(Name(b"F"), *size as f32);
                c.next_line(*x as f32, *y as f32);
                c.show(Str(&encoded(text)));
                c.end_text();
            }
        }
    }
    c.finish().into_vec()
}
