//! The jig on paper: an L into whose corner a base is pushed, so that its tag's place on it can be measured.
//!
//! What is where on it is told by [`crate::vision::jig`]. The page is glued on card and two straight strips are glued
//! along the L's inner edges; a base stands between them on stripes, over which its free edges are found.

use super::sheet::{MARGIN_MM, Mark, Orientation, Paper, Sheet, Stroke, pattern_of};
use crate::vision::jig::{JIG_ARMS_MM, JIG_ROOM_MM, JIG_STRIPES_MM, JIG_TAG_MM, jig_tags};

/// The strips that are glued along the L end here, seen from its inner edges: clear of the tags' white edge.
const STRIP_MM: f64 = 10.0;
/// From the L's inner corner to the left edge of everything on the page: the tags' white edges, a module wide.
const LEFT_MM: f64 = JIG_ARMS_MM + JIG_TAG_MM * 0.625;
/// Room at the page's foot for the ruler and its words.
const FOOT_MM: f64 = 28.0;

/// Where the L's inner corner lies on the page, from its lower left.
pub fn jig_corner(paper: Paper) -> (f64, f64) {
    let (width, _) = paper.size_mm();
    // As far left as it must, so that the tags beyond the room stay on the page.
    ((MARGIN_MM + LEFT_MM).min(width / 2.0), MARGIN_MM + FOOT_MM + LEFT_MM)
}

/// The page to print.
pub fn jig_sheet(paper: Paper) -> Sheet {
    let mut sheet = Sheet::new(paper, Orientation::Portrait);
    let (x0, y0) = jig_corner(paper);
    for t in jig_tags(1.0) {
        let (x, y) = (x0 + t.x_mm - JIG_TAG_MM / 2.0, y0 + t.y_mm - JIG_TAG_MM / 2.0);
        sheet.tag(&pattern_of(t.tag), JIG_TAG_MM, x, y);
    }
    for points in dark_stripes() {
        let points = points.into_iter().map(|(x, y)| (x0 + x, y0 + y)).collect();
        sheet.marks.push(Mark::Outline { points });
    }
    let end = JIG_ROOM_MM;
    for (from, to, stroke) in [
        ((0.0, 0.0), (end, 0.0), Stroke::Solid),
        ((0.0, 0.0), (0.0, end), Stroke::Solid),
        ((-STRIP_MM, -STRIP_MM), (end, -STRIP_MM), Stroke::Dashed),
        ((-STRIP_MM, -STRIP_MM), (-STRIP_MM, end), Stroke::Dashed),
    ] {
        sheet.line((x0 + from.0, y0 + from.1), (x0 + to.0, y0 + to.1), stroke);
    }
    sheet.text(x0 + 2.0, y0 - 6.5, 3.0, "strip: rear of the base against it");
    sheet.foot("Jig: measures where tags sit", "groma jig --sheet-scale ...");
    let words = [
        "Groma jig. Glue it on stiff card, and two straight strips along the solid lines, within the dashed ones.",
        "Push a base into the corner, its front away from the lower strip, its left side against the left one;",
        "photograph it with the tags round it, from two sides or more. No figure may hide the stripes beyond its edges.",
    ];
    for (line, text) in words.into_iter().enumerate() {
        sheet.text(MARGIN_MM, MARGIN_MM + FOOT_MM - 1.0 - 4.0 * line as f64, 3.0, text);
    }
    sheet
}

/// The outline of every dark stripe of the room, from its corner.
fn dark_stripes() -> Vec<Vec<(f64, f64)>> {
    let step = JIG_STRIPES_MM * std::f64::consts::SQRT_2;
    let count = (2.0 * JIG_ROOM_MM / step).ceil() as usize;
    (0..count)
        .map(|k| ((k as f64 + 0.5) * step, (k as f64 + 1.0) * step))
        .filter(|(from, _)| *from < 2.0 * JIG_ROOM_MM)
        .map(|(from, to)| between(from, to.min(2.0 * JIG_ROOM_MM)))
        .collect()
}

/// The part of the room where x + y lies between two sums.
fn between(from: f64, to: f64) -> Vec<(f64, f64)> {
    let room = JIG_ROOM_MM;
    // Where the line of a sum enters the room at its lower right, and leaves it at its upper left.
    let low = |sum: f64| if sum <= room { (sum, 0.0) } else { (room, sum - room) };
    let high = |sum: f64| {
        let (x, y) = low(sum);
        (y, x)
    };
    let across = from < room && to > room;
    let mut outline = vec![low(from)];
    outline.extend(across.then_some((room, 0.0)));
    outline.extend([low(to), high(to)]);
    outline.extend(across.then_some((0.0, room)));
    outline.push(high(from));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vision::jig::stripe_phase;

    #[test]
    fn everything_is_on_every_paper() {
        for paper in [Paper::A4, Paper::Letter] {
            let sheet = jig_sheet(paper);
            let inside = |x: f64, y: f64| {
                x >= MARGIN_MM - 1e-9
                    && y >= MARGIN_MM - 1e-9
                    && x <= sheet.width - MARGIN_MM
                    && y <= sheet.height - MARGIN_MM
            };
            for mark in &sheet.marks {
                let good = match mark {
                    Mark::Fill { x, y, width, height, .. } => inside(*x, *y) && inside(x + width, y + height),
                    Mark::Outline { points } => points.iter().all(|(x, y)| inside(*x, *y)),
                    Mark::Line { from, to, .. } => inside(from.0, from.1) && inside(to.0, to.1),
                    Mark::Text { x, y, .. } => inside(*x, *y + 4.0),
                };
                assert!(good, "{paper:?}: {mark:?}");
            }
        }
    }

    #[test]
    fn dark_stripes_cover_what_the_measuring_takes_for_dark() {
        let stripes = dark_stripes();
        let dark = |x: f64, y: f64| stripes.iter().any(|s| holds(s, x, y));
        for n in 0..4000u32 {
            let at = |k: u32| f64::from(n * k % 1201) / 1201.0 * JIG_ROOM_MM;
            let (x, y) = (at(17), at(431));
            let phase = stripe_phase(x, y, 1.0);
            if (phase - 0.5).abs() > 0.01 && phase > 0.01 && phase < 0.99 {
                assert_eq!(dark(x, y), phase > 0.5, "({x}, {y})");
            }
        }
    }

    /// Whether a convex outline, anticlockwise or clockwise, holds a point.
    fn holds(outline: &[(f64, f64)], x: f64, y: f64) -> bool {
        let side = |a: (f64, f64), b: (f64, f64)| (b.0 - a.0) * (y - a.1) - (b.1 - a.1) * (x - a.0);
        let next = outline.iter().cycle().skip(1);
        let sides: Vec<f64> = outline.iter().zip(next).map(|(a, b)| side(*a, *b)).collect();
        sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0)
    }
}
