//! The table itself and what lies on it.

use super::canvas::{Anchor, Canvas, PALE, Style};
use super::labels::{Taken, width_px};
use super::view::View;
use crate::geometry::{Point, Polygon, Segment, convex};
use crate::rules::Setup;
use crate::rules::terrain::{Ground, TerrainKind};

/// The side of a gate's mark, millimetres.
const GATE_MM: f64 = 6.0;

/// The board, a line at every base width with its figure, and the scale.
pub(super) fn table(canvas: &mut Canvas, view: &View, setup: &Setup) {
    let (width, depth) = setup.board_mm;
    let (left, top, w, h) = view.table_px();
    canvas.rect((left, top), (w, h), "fill=\"#d9d6cf\"");
    let corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)].map(|(x, y)| Point::new(x, y));
    canvas.polygon(&view.all_px(corners), "fill=\"#f4f0e4\" stroke=\"#4a4235\" stroke-width=\"2.5\"");
    let (low, high) = view.seen_mm();
    let bw = view.mm_per_bw();
    let figure = Style { size_px: 10.0, bold: false, colour: PALE, anchor: Anchor::Middle };
    let lines = |from: f64, to: f64, most: f64| {
        let first = (from.max(0.0) / bw).ceil() as i64;
        let last = (to.min(most) / bw + 1e-9).floor() as i64;
        first..=last
    };
    let look = "stroke=\"#cfc6b0\" stroke-width=\"0.8\"";
    for n in lines(low.x, high.x, width) {
        let x = n as f64 * bw;
        let ends = [Point::new(x, low.y.max(0.0)), Point::new(x, high.y.min(depth))];
        canvas.line(&view.all_px(ends), look);
        canvas.text((view.px(Point::new(x, low.y)).0, top + h - 4.0), &n.to_string(), figure);
    }
    for n in lines(low.y, high.y, depth) {
        let y = n as f64 * bw;
        let ends = [Point::new(low.x.max(0.0), y), Point::new(high.x.min(width), y)];
        canvas.line(&view.all_px(ends), look);
        let at = (left + 10.0, view.px(Point::new(low.x, y)).1 + 3.5);
        canvas.text(at, &n.to_string(), figure);
    }
}

/// Fill and rim of a kind of feature.
fn look(kind: TerrainKind) -> (&'static str, &'static str) {
    match kind {
        TerrainKind::Wood | TerrainKind::Oasis => ("#a9c88f", "#4d7a35"),
        TerrainKind::Marsh | TerrainKind::Boggy => ("#b9cfc0", "#4f7a68"),
        TerrainKind::Waterway => ("#9cc3e0", "#2f6f9f"),
        TerrainKind::Beach | TerrainKind::Dunes => ("#eadba6", "#a58d3c"),
        TerrainKind::DifficultHill | TerrainKind::GentleHill => ("#d9c7a0", "#86693a"),
        TerrainKind::Scrub | TerrainKind::Enclosures | TerrainKind::Plough => ("#d3d8a4", "#7c8340"),
        TerrainKind::Rocky | TerrainKind::Gully => ("#cbc3b8", "#6d6458"),
        TerrainKind::City
        | TerrainKind::Fort
        | TerrainKind::Hamlet
        | TerrainKind::Edifice
        | TerrainKind::Camp => ("#d8c3b4", "#7d4f36"),
    }
}

/// Features with their gates, rivers and roads.
pub(super) fn features(canvas: &mut Canvas, view: &View, ground: &Ground) {
    for feature in &ground.features {
        let (fill, rim) = look(feature.kind);
        let outline = view.all_px(feature.outline.corners().iter().copied());
        canvas.polygon(
            &outline,
            &format!("fill=\"{fill}\" fill-opacity=\"0.75\" stroke=\"{rim}\" stroke-width=\"1.6\" stroke-linejoin=\"round\""),
        );
        if let Some(hill) = &feature.hill {
            let crest = view.all_px(hill.crest.iter().copied());
            canvas.line(&crest, &format!("stroke=\"{rim}\" stroke-width=\"2\" stroke-dasharray=\"8 4 2 4\""));
        }
        for gate in &feature.gates {
            let (x, y) = view.px(*gate);
            let half = view.long(GATE_MM / 2.0).max(4.0);
            let look = format!("fill=\"#ffffff\" stroke=\"{rim}\" stroke-width=\"2\"");
            canvas.rect((x - half, y - half), (2.0 * half, 2.0 * half), &look);
        }
    }
    for river in &ground.rivers {
        let wide = view.long(river.course.width_mm());
        let line = view.all_px(river.course.line().iter().copied());
        canvas.line(&line, &format!("stroke=\"#2f6f9f\" stroke-width=\"{:.1}\"", wide + 2.0));
        canvas.line(&line, &format!("stroke=\"#a9cfe8\" stroke-width=\"{wide:.1}\""));
    }
    for road in &ground.roads {
        let wide = view.long(road.course.width_mm());
        let line = view.all_px(road.course.line().iter().copied());
        canvas.line(&line, &format!("stroke=\"#9a8358\" stroke-width=\"{:.1}\"", wide + 2.0));
        canvas.line(&line, &format!("stroke=\"#e6d5ab\" stroke-width=\"{wide:.1}\""));
        canvas.line(&line, "stroke=\"#9a8358\" stroke-width=\"1\" stroke-dasharray=\"6 5\"");
    }
}

/// The names of what lies there and is seen: in the middle of its seen part, or near it where something stands.
pub(super) fn names(canvas: &mut Canvas, view: &View, ground: &Ground, taken: &mut Taken) {
    let style = Style { size_px: 12.0, bold: false, colour: "#4a4235", anchor: Anchor::Middle };
    let mut named = |canvas: &mut Canvas, at: Point, text: &str| {
        let (width, height) = (width_px(text, style.size_px), style.size_px + 3.0);
        let (left, top, ..) = taken.at_or_near(view.px(at), (width, height), view.table_px());
        canvas.haloed((left + width / 2.0, top + style.size_px), text, style);
    };
    for feature in &ground.features {
        let seen = convex::hull(&view.seen_of(feature.outline.corners()));
        let Ok(seen) = Polygon::new(seen) else { continue };
        let kind = feature.kind.word().replace('-', " ");
        let text = if feature.name == kind { kind } else { format!("{}, {kind}", feature.name) };
        named(canvas, seen.centroid(), &text);
    }
    for river in &ground.rivers {
        if let Some(at) = middle_seen(view, river.course.line()) {
            named(canvas, at, &format!("{}, river, {}", river.name, river.state.word()));
        }
    }
    for road in &ground.roads {
        if let Some(at) = middle_seen(view, road.course.line()) {
            named(canvas, at, &format!("{}, road", road.name));
        }
    }
}

/// The middle of a line's longest stretch that is seen.
fn middle_seen(view: &View, line: &[Point]) -> Option<Point> {
    let seen = line.windows(2).filter_map(|pair| view.seen_of_line(Segment::new(pair[0], pair[1])));
    let longest = seen.max_by(|a, b| a.length().total_cmp(&b.length()))?;
    Some(nalgebra::center(&longest.start, &longest.end))
}
