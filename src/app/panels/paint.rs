//! Marks that several panels draw: armies, verdicts, text on pictures, bases.

use crate::app::theme::Palette;
use crate::rules::Side;
use crate::session::view::Call;
use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rect, Shape, Stroke, StrokeKind, Vec2, pos2, vec2,
};

/// A verdict's colour; the shape of its [`badge`] says the same.
pub fn call_colour(call: Call, palette: &Palette) -> Color32 {
    match call {
        Call::Yes => palette.yes,
        Call::No => palette.no,
        Call::TooClose | Call::Held => palette.close,
    }
}

/// Black or white, whichever stands out on `ground`.
pub fn ink_on(ground: Color32) -> Color32 {
    let [r, g, b, _] = ground.to_array().map(u32::from);
    if 299 * r + 587 * g + 114 * b > 120_000 { Color32::from_rgb(16, 18, 22) } else { Color32::WHITE }
}

/// A verdict's mark: a disc with a tick, a square with a cross, a diamond with two waves, a square with two
/// upright bars.
pub fn badge(painter: &Painter, centre: Pos2, size: f32, call: Call, palette: &Palette) {
    let half = size / 2.0;
    let fill = call_colour(call, palette);
    let pen = Stroke::new(size * 0.13, ink_on(fill));
    let at = |x: f32, y: f32| centre + vec2(x, y) * half;
    match call {
        Call::Yes => {
            painter.circle_filled(centre, half, fill);
            painter.line(vec![at(-0.45, 0.05), at(-0.12, 0.4), at(0.48, -0.38)], pen);
        }
        Call::No => {
            painter.rect_filled(Rect::from_center_size(centre, Vec2::splat(size * 0.92)), size * 0.12, fill);
            painter.line_segment([at(-0.4, -0.4), at(0.4, 0.4)], pen);
            painter.line_segment([at(-0.4, 0.4), at(0.4, -0.4)], pen);
        }
        Call::Held => {
            painter.rect_filled(Rect::from_center_size(centre, Vec2::splat(size * 0.92)), size * 0.12, fill);
            painter.line_segment([at(-0.25, -0.45), at(-0.25, 0.45)], pen);
            painter.line_segment([at(0.25, -0.45), at(0.25, 0.45)], pen);
        }
        Call::TooClose => {
            let diamond = vec![at(0.0, -1.1), at(1.1, 0.0), at(0.0, 1.1), at(-1.1, 0.0)];
            painter.add(Shape::convex_polygon(diamond, fill, Stroke::NONE));
            for y in [-0.17, 0.21] {
                painter.line(
                    vec![at(-0.45, y + 0.1), at(-0.15, y - 0.08), at(0.15, y + 0.1), at(0.45, y - 0.08)],
                    pen,
                );
            }
        }
    }
}

/// An army's mark: a diamond for red, a disc for blue.
pub fn side_mark(painter: &Painter, centre: Pos2, size: f32, side: Side, palette: &Palette) {
    let half = size / 2.0;
    let fill = palette.side(side);
    match side {
        Side::Red => {
            let way = |x: f32, y: f32| centre + vec2(x, y) * half * 1.15;
            let diamond = vec![way(0.0, -1.0), way(1.0, 0.0), way(0.0, 1.0), way(-1.0, 0.0)];
            painter.add(Shape::convex_polygon(diamond, fill, Stroke::NONE));
        }
        Side::Blue => {
            painter.circle_filled(centre, half, fill);
        }
    }
}

/// Text on a plate, readable on any picture. Gives the plate.
pub fn plate(
    painter: &Painter,
    at: Pos2,
    anchor: Align2,
    text: &str,
    size: f32,
    ink: Color32,
    ground: Color32,
) -> Rect {
    let galley = painter.layout_no_wrap(text.to_owned(), FontId::proportional(size), ink);
    let rect = anchor.anchor_size(at, galley.size() + vec2(8.0, 3.0));
    painter.rect_filled(rect, CornerRadius::same(3), ground);
    painter.galley(rect.min + vec2(4.0, 1.5), galley, ink);
    rect
}

/// How a base is drawn.
#[derive(Debug, Clone, Copy)]
pub struct BaseStyle {
    /// Outline and hatching.
    pub colour: Color32,
    /// Red bases are hatched aslant, blue ones in ranks.
    pub side: Side,
    /// Outline's width, points.
    pub line: f32,
    /// Whether the base is covered: drawn in dashes and without its filling.
    pub covered: bool,
    /// Distance between hatching lines, points.
    pub hatch: f32,
}

/// Draws a base, its corners on the screen from the front left clockwise: an outline, hatching that
/// tells the army, a heavy front edge, and a mark in its middle that points ahead (filled for red, hollow for blue).
pub fn base(painter: &Painter, corners: [Pos2; 4], style: BaseStyle) {
    let [front_left, front_right, rear_right, rear_left] = corners;
    let stroke = Stroke::new(style.line, style.colour);
    let fine = Stroke::new(1.0, style.colour.gamma_multiply(0.55));
    let across = |right: f32, back: f32| {
        let front = front_left + (front_right - front_left) * right;
        let rear = rear_left + (rear_right - rear_left) * right;
        front + (rear - front) * back
    };
    if style.covered {
        let mut outline = corners.to_vec();
        outline.push(front_left);
        painter.extend(Shape::dashed_line(&outline, stroke, 5.0, 4.0));
    } else {
        let fill = style.colour.gamma_multiply(0.30);
        painter.add(Shape::convex_polygon(corners.to_vec(), fill, Stroke::NONE));
        for (from, to) in
            hatching(style, (front_right - front_left).length(), (rear_left - front_left).length())
        {
            painter.line_segment([across(from.x, from.y), across(to.x, to.y)], fine);
        }
        painter.add(Shape::closed_line(corners.to_vec(), stroke));
    }
    painter.line_segment([front_left, front_right], Stroke::new(style.line * 2.2, style.colour));
    let deep =
        ((front_right - front_left).length() * 0.22 / (rear_left - front_left).length().max(1.0)).min(0.5);
    let mark = vec![across(0.5, 0.02), across(0.61, deep), across(0.39, deep)];
    match style.side {
        Side::Red => painter.add(Shape::convex_polygon(mark, style.colour, Stroke::NONE)),
        Side::Blue => painter.add(Shape::closed_line(mark, Stroke::new(style.line.max(1.2), style.colour))),
    };
}

/// Draws a base over a photograph: its outline on a dark shadow, a heavy front edge and the army's
/// front mark. Nothing is filled, so that the figures stay in sight.
pub fn base_outline(painter: &Painter, corners: [Pos2; 4], style: BaseStyle) {
    let shadow = Stroke::new(style.line + 2.0, Color32::from_black_alpha(150));
    let stroke = Stroke::new(style.line, style.colour);
    let [front_left, front_right, rear_right, rear_left] = corners;
    if style.covered {
        let outline = [front_left, front_right, rear_right, rear_left, front_left];
        painter.extend(Shape::dashed_line(&outline, shadow, 6.0, 5.0));
        painter.extend(Shape::dashed_line(&outline, stroke, 6.0, 5.0));
    } else {
        painter.add(Shape::closed_line(corners.to_vec(), shadow));
        painter.add(Shape::closed_line(corners.to_vec(), stroke));
    }
    painter.line_segment([front_left, front_right], Stroke::new(style.line * 2.2, style.colour));
    let front = front_left + (front_right - front_left) / 2.0;
    let back = rear_left + (rear_right - rear_left) / 2.0 - front;
    let side = (front_right - front_left) * 0.1;
    let deep = back * ((front_right - front_left).length() * 0.2 / back.length().max(1.0)).min(0.5);
    let mark = vec![front, front + side + deep, front - side + deep];
    match style.side {
        Side::Red => painter.add(Shape::convex_polygon(mark, style.colour, Stroke::NONE)),
        Side::Blue => painter.add(Shape::closed_line(mark, Stroke::new(style.line, style.colour))),
    };
}

/// Hatching lines in shares of the base: x to the right along the front, y from front to rear.
fn hatching(style: BaseStyle, width: f32, depth: f32) -> Vec<(Pos2, Pos2)> {
    if width < 1.0 || depth < 1.0 {
        return Vec::new();
    }
    match style.side {
        Side::Blue => {
            let ranks = (depth / style.hatch).floor().min(60.0) as usize;
            (1..=ranks)
                .map(|n| n as f32 * style.hatch / depth)
                .filter(|y| *y < 0.98)
                .map(|y| (pos2(0.0, y), pos2(1.0, y)))
                .collect()
        }
        Side::Red => {
            // x + y = n steps, in points, cut by the base's sides.
            let step = style.hatch * std::f32::consts::SQRT_2;
            let lines = ((width + depth) / step).floor().min(120.0) as usize;
            (1..=lines)
                .map(|n| n as f32 * step)
                .map(|sum| {
                    let (x0, x1) = ((sum - depth).max(0.0), sum.min(width));
                    (pos2(x0 / width, (sum - x0) / depth), pos2(x1 / width, (sum - x1) / depth))
                })
                .collect()
        }
    }
}

/// A ring round what is selected: `order` 1 or 2 is written beside it by the caller.
pub fn ring(painter: &Painter, corners: [Pos2; 4], colour: Color32) {
    let middle = corners.iter().fold(Vec2::ZERO, |sum, c| sum + c.to_vec2()) / 4.0;
    let wider: Vec<Pos2> = corners
        .iter()
        .map(|c| {
            let out = c.to_vec2() - middle;
            (middle + out * (1.0 + 5.0 / out.length().max(1.0))).to_pos2()
        })
        .collect();
    painter.add(Shape::closed_line(wider, Stroke::new(2.5, colour)));
}

/// A binding point: a small target.
pub fn target(painter: &Painter, at: Pos2, colour: Color32) {
    painter.circle_stroke(at, 4.0, Stroke::new(1.5, colour));
    painter.circle_filled(at, 1.5, colour);
}

/// A panel of the picture or the board: its ground and rim.
pub fn pane(painter: &Painter, rect: Rect, ground: Color32, rim: Color32) {
    painter.rect(rect, CornerRadius::same(4), ground, Stroke::new(1.0, rim), StrokeKind::Outside);
}

/// A die's upper face with its pips.
pub fn die_face(painter: &Painter, face: Rect, pips: u8, rim: Color32) {
    painter.rect(face, 5.0, Color32::from_gray(248), Stroke::new(2.0, rim), StrokeKind::Inside);
    let pip = |x: f32, y: f32| {
        painter.circle_filled(face.center() + vec2(x, y) * 7.5, 2.6, Color32::from_gray(20));
    };
    if pips % 2 == 1 {
        pip(0.0, 0.0);
    }
    if pips >= 2 {
        pip(-1.0, -1.0);
        pip(1.0, 1.0);
    }
    if pips >= 4 {
        pip(1.0, -1.0);
        pip(-1.0, 1.0);
    }
    if pips == 6 {
        pip(-1.0, 0.0);
        pip(1.0, 0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hatching_stays_inside_its_base() {
        for side in [Side::Red, Side::Blue] {
            let style = BaseStyle { colour: Color32::RED, side, line: 1.0, covered: false, hatch: 4.0 };
            let lines = hatching(style, 31.0, 17.0);
            assert!(lines.len() > 3, "{side:?}: {}", lines.len());
            for p in lines.into_iter().flat_map(|(a, b)| [a, b]) {
                assert!(
                    (-1e-4..=1.0001).contains(&p.x) && (-1e-4..=1.0001).contains(&p.y),
                    "{side:?}: {p:?}"
                );
            }
        }
    }
}
