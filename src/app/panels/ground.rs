//! What lies on the board, painted from above: each feature in an outline and hatching of its own, rivers and roads as bands.
//!
//! Table frame to screen. Outlines may be hollow, so that they are hatched and not filled.

use super::board::Map;
use super::labels::{Labels, Prefer, Reach, Text, weight};
use crate::app::theme::Palette;
use crate::geometry::Point;
use crate::rules::terrain::{Feature, Ground, TerrainKind};
use egui::{Color32, Painter, Pos2, Rect, Shape, Stroke, Vec2};

/// Between two lines of hatching, points.
const WIDE: f32 = 9.0;
const CLOSE: f32 = 5.0;

/// Paints everything that lies.
pub fn paint(painter: &Painter, ground: &Ground, map: &Map, palette: &Palette) {
    for river in &ground.rivers {
        band(painter, river.course.line(), river.course.width_mm(), map, palette.blue.gamma_multiply(0.35));
    }
    for feature in &ground.features {
        area(painter, feature, map, palette);
    }
    for road in &ground.roads {
        band(painter, road.course.line(), road.course.width_mm(), map, palette.faint.gamma_multiply(0.45));
    }
}

/// Names what lies, each beside or in its own outline, where no other name is.
pub fn names(painter: &Painter, room: Rect, ground: &Ground, map: &Map, palette: &Palette) {
    let mut labels = Labels::new(room);
    let areas = ground.features.iter().map(|f| (f.name.as_str(), screen(f.outline.corners(), map)));
    let rivers = ground.rivers.iter().map(|r| (r.name.as_str(), screen(r.course.line(), map)));
    let roads = ground.roads.iter().map(|r| (r.name.as_str(), screen(r.course.line(), map)));
    for (name, points) in areas.chain(rivers).chain(roads) {
        let middle = Rect::from_points(&points).center();
        let of = Rect::from_center_size(middle, Vec2::splat(2.0));
        let text = Text { words: name, size: 12.0, ink: palette.ink, ground: palette.label };
        labels.put(painter, text, of, Prefer::Above, Reach::Anywhere);
        labels.avoid(&[of.min, of.max], weight::BASE);
    }
}

fn screen(points: &[Point], map: &Map) -> Vec<Pos2> {
    points.iter().map(|p| map.to_screen(*p)).collect()
}

fn band(painter: &Painter, line: &[Point], width_mm: f64, map: &Map, colour: Color32) {
    let wide = (width_mm as f32 * map.points_per_mm()).max(1.5);
    painter.line(screen(line, map), Stroke::new(wide, colour));
}

/// Colour and hatching of a kind: aslant for hills, ranks for water, upright else; close where it is bad going.
fn look(kind: TerrainKind, palette: &Palette) -> (Color32, (f32, f32), f32) {
    let (level, upright, aslant) = ((1.0, 0.0), (0.0, 1.0), (1.0, 1.0));
    match kind {
        TerrainKind::Wood | TerrainKind::Oasis | TerrainKind::Scrub => (palette.yes, upright, CLOSE),
        TerrainKind::GentleHill | TerrainKind::Plough | TerrainKind::Enclosures => {
            (palette.close, aslant, WIDE)
        }
        TerrainKind::DifficultHill | TerrainKind::Rocky | TerrainKind::Gully | TerrainKind::Dunes => {
            (palette.close, aslant, CLOSE)
        }
        TerrainKind::Waterway | TerrainKind::Marsh | TerrainKind::Boggy => (palette.blue, level, CLOSE),
        TerrainKind::Beach => (palette.blue, level, WIDE),
        TerrainKind::City
        | TerrainKind::Fort
        | TerrainKind::Hamlet
        | TerrainKind::Edifice
        | TerrainKind::Camp => (palette.faint, upright, WIDE),
    }
}

fn area(painter: &Painter, feature: &Feature, map: &Map, palette: &Palette) {
    let corners = screen(feature.outline.corners(), map);
    let (colour, along, apart) = look(feature.kind, palette);
    let thin = Stroke::new(1.0, colour.gamma_multiply(0.35));
    for line in hatching(&corners, along, apart) {
        painter.line_segment(line, thin);
    }
    painter.add(Shape::closed_line(corners, Stroke::new(1.6, colour.gamma_multiply(0.8))));
    if let Some(hill) = &feature.hill {
        let crest = screen(&hill.crest, map);
        painter.extend(Shape::dashed_line(&crest, Stroke::new(1.2, colour.gamma_multiply(0.8)), 5.0, 4.0));
    }
}

/// Lines along a direction, so far apart, as far as they are within the outline.
fn hatching(corners: &[Pos2], (x, y): (f32, f32), apart: f32) -> Vec<[Pos2; 2]> {
    let along = Vec2::new(x, y).normalized();
    let across = Vec2::new(-along.y, along.x);
    let off = |p: &Pos2| p.to_vec2().dot(across);
    let far = |p: &Pos2| p.to_vec2().dot(along);
    let (low, high) =
        corners.iter().map(off).fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), d| (l.min(d), h.max(d)));
    let mut lines = Vec::new();
    let mut at = (low / apart).ceil() * apart;
    while at < high {
        let mut met: Vec<f32> = (0..corners.len())
            .filter_map(|n| {
                let (a, b) = (&corners[n], &corners[(n + 1) % corners.len()]);
                let (from, to) = (off(a), off(b));
                ((from <= at) != (to <= at)).then(|| far(a) + (far(b) - far(a)) * (at - from) / (to - from))
            })
            .collect();
        met.sort_by(f32::total_cmp);
        let point = |along_by: f32| (along * along_by + across * at).to_pos2();
        lines.extend(met.chunks_exact(2).map(|pair| [point(pair[0]), point(pair[1])]));
        at += apart;
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hatching_stays_inside_a_hollow_outline() {
        // A U, 30 wide and high, its hollow 10 wide from the top down to 10: upright lines at 5, 15 and 25 are 30, 10 and 30
        // long.
        let u = [
            (0.0, 0.0),
            (30.0, 0.0),
            (30.0, 30.0),
            (20.0, 30.0),
            (20.0, 10.0),
            (10.0, 10.0),
            (10.0, 30.0),
            (0.0, 30.0),
        ];
        let corners = u.map(|(x, y)| Pos2::new(x, y));
        let lines = hatching(&corners, (0.0, 1.0), 5.0);
        let long = |x: f32| -> f32 {
            let of = lines.iter().filter(|[a, _]| (a.x - x).abs() < 1e-3);
            of.map(|[a, b]| (*b - *a).length()).sum()
        };
        for (x, mm) in [(5.0, 30.0), (15.0, 10.0), (25.0, 30.0)] {
            assert!((long(x) - mm).abs() < 1e-3, "{x}: {}", long(x));
        }
    }
}
