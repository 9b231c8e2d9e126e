//! The plan as a drawing: the board from above with the expected error at each spot, and beside it what figures hide.
//! SVG, millimetres of the board scaled to pixels, y down.

use super::{PlacePlan, Plan};
use std::fmt::Write as _;

/// The longer side of a board in the drawing, pixels.
const BOARD_PX: f64 = 420.0;
const ROOM_PX: f64 = 70.0;
/// The darkest shade begins to be used at an error of so much, millimetres, however small all are.
const DARK_MM: f64 = 0.3;
const FONT: &str = "DejaVu Sans, Verdana, Arial, sans-serif";
/// From little to much, light to dark, one hue: it can be read in grey too.
const SHADES: [&str; 6] = ["#f1eef6", "#d0d1e6", "#a6bddb", "#74a9cf", "#2b8cbe", "#045a8d"];

/// The drawing of the best place; `None` where there is none.
pub fn plan_svg(plan: &Plan) -> Option<String> {
    let best = plan.best()?;
    let kind = best.hardest()?;
    let (w, d) = plan.request.table.board_mm;
    let scale = BOARD_PX / w.max(d);
    let (wide, high) = (2.0 * (w * scale + 2.0 * ROOM_PX), d * scale + 2.0 * ROOM_PX + 60.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{wide:.0}\" height=\"{high:.0}\" \
         viewBox=\"0 0 {wide:.0} {high:.0}\" font-family=\"{FONT}\">\n\
         <rect width=\"{wide:.0}\" height=\"{high:.0}\" fill=\"#ffffff\"/>\n"
    );
    let errors: Vec<Option<f64>> = kind.at.iter().map(|e| e.map(|e| e.reading_mm)).collect();
    let title = format!(
        "Reading error of bases {:.0} mm deep, mm ({}, {} mm tags)",
        kind.kind.base_mm.1, best.family, kind.mounted.size_mm
    );
    panel(&mut svg, plan, best, (ROOM_PX, scale), &title, (&errors, DARK_MM), |v| format!("{v:.3}"));
    let hidden: Vec<Option<f64>> = best.flat_hidden.iter().map(|h| Some(100.0 * h)).collect();
    let title =
        format!("Hidden of a flat tag behind figures {:.0} mm high, %", plan.request.figures.height_mm);
    let left = 3.0 * ROOM_PX + w * scale;
    panel(&mut svg, plan, best, (left, scale), &title, (&hidden, 100.0), |v| format!("{v:.0}"));
    let eye = best.set_up.eye();
    text(
        &mut svg,
        (ROOM_PX, high - 16.0),
        13.0,
        &format!(
            "{}: lens {:.0} mm over the board, at x {:.0}, y {:.0} (the ring, or the arrow towards it). Squares: tags at the edges.",
            best.set_up.place.name(),
            eye.z,
            eye.x,
            eye.y
        ),
    );
    svg.push_str("</svg>\n");
    Some(svg)
}

/// A board with a figure at each spot, from `left`.
fn panel(
    svg: &mut String,
    plan: &Plan,
    best: &PlacePlan,
    (left, scale): (f64, f64),
    title: &str,
    (figures, dark): (&[Option<f64>], f64),
    written: impl Fn(f64) -> String,
) {
    let (w, d) = plan.request.table.board_mm;
    let at = |x: f64, y: f64| (left + x * scale, ROOM_PX + (d - y) * scale);
    let columns = plan.columns.max(1);
    let rows = (plan.spots.len() / columns).max(1);
    let (cell_w, cell_h) = (w / columns as f64 * scale, d / rows as f64 * scale);
    let most = figures.iter().flatten().copied().fold(dark, f64::max);
    let size = (cell_w * 0.28).min(12.0);
    for ((x, y), figure) in plan.spots.iter().zip(figures) {
        let (cx, cy) = at(*x, *y);
        let shade = figure.map(|v| ((v / most * SHADES.len() as f64) as usize).min(SHADES.len() - 1));
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{cell_w:.1}\" height=\"{cell_h:.1}\" fill=\"{}\"/>",
            cx - cell_w / 2.0,
            cy - cell_h / 2.0,
            shade.map_or("#ffffff", |n| SHADES[n])
        );
        let dark = shade.is_some_and(|n| n + 2 >= SHADES.len());
        let _ = writeln!(
            svg,
            "<text x=\"{cx:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" text-anchor=\"middle\" fill=\"{}\">{}</text>",
            cy + size * 0.36,
            if dark { "#ffffff" } else { "#1f2328" },
            figure.map_or_else(|| "out".to_owned(), &written)
        );
    }
    let (x0, y0) = at(0.0, d);
    let _ = writeln!(
        svg,
        "<rect x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{:.1}\" height=\"{:.1}\" fill=\"none\" stroke=\"#1f2328\" \
         stroke-width=\"1.5\"/>",
        w * scale,
        d * scale
    );
    for r in &plan.request.table.reference {
        let (x, y) = at(r.x_mm, r.y_mm);
        let side = r.size_mm * scale;
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{:.1}\" width=\"{side:.1}\" height=\"{side:.1}\" fill=\"#1f2328\"/>",
            x - side / 2.0,
            y - side / 2.0
        );
    }
    camera(svg, best, &at, (w, d), scale);
    text(svg, (left, 24.0), 13.0, title);
    text(svg, (left, ROOM_PX + d * scale + ROOM_PX * 0.75), 11.0, "near edge");
}

/// A ring where the lens is over the board, or an arrow towards it from the board's rim.
fn camera(
    svg: &mut String,
    best: &PlacePlan,
    at: &impl Fn(f64, f64) -> (f64, f64),
    (w, d): (f64, f64),
    scale: f64,
) {
    let eye = best.set_up.eye();
    let reach = ROOM_PX * 0.8 / scale;
    let inside = (-reach..=w + reach).contains(&eye.x) && (-reach..=d + reach).contains(&eye.y);
    if inside {
        let (x, y) = at(eye.x, eye.y);
        let _ = writeln!(
            svg,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"9\" fill=\"none\" stroke=\"#D55E00\" stroke-width=\"3\"/>"
        );
        return;
    }
    let rim = (eye.x.clamp(0.0, w), eye.y.clamp(0.0, d));
    let (dx, dy) = (eye.x - rim.0, eye.y - rim.1);
    let long = dx.hypot(dy).max(1e-9);
    let (fx, fy) = at(rim.0, rim.1);
    let (tx, ty) = at(rim.0 + dx / long * reach, rim.1 + dy / long * reach);
    let _ = writeln!(
        svg,
        "<line x1=\"{fx:.1}\" y1=\"{fy:.1}\" x2=\"{tx:.1}\" y2=\"{ty:.1}\" stroke=\"#D55E00\" stroke-width=\"4\"/>\n\
         <circle cx=\"{tx:.1}\" cy=\"{ty:.1}\" r=\"7\" fill=\"#D55E00\"/>"
    );
}

fn text(svg: &mut String, (x, y): (f64, f64), size: f64, words: &str) {
    let words = words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let _ =
        writeln!(svg, "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" fill=\"#1f2328\">{words}</text>");
}
