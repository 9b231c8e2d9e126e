//! The table itself and what lies on it.

use super::canvas::{Anchor, Canvas, PALE, Style};
use super::labels::width_px;
use super::view::View;
use crate::geometry::Point;
use crate::rules::Setup;
use crate::rules::terrain::{Ground, TerrainKind};

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

/// Features, rivers and roads, each with its name.
pub(super) fn features(canvas: &mut Canvas, view: &View, ground: &Ground) {
    let name = Style { size_px: 12.0, bold: false, colour: "#4a4235", anchor: Anchor::Middle };
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
        let kind = feature.kind.word().replace('-', " ");
        let text = if feature.name == kind { kind } else { format!("{}, {kind}", feature.name) };
        canvas.haloed(view.px(feature.outline.centroid()), &text, name);
    }
    for river in &ground.rivers {
        let wide = view.long(river.course.width_mm());
        let line = view.all_px(river.course.line().iter().copied());
        canvas.line(&line, &format!("stroke=\"#2f6f9f\" stroke-width=\"{:.1}\"", wide + 2.0));
        canvas.line(&line, &format!("stroke=\"#a9cfe8\" stroke-width=\"{wide:.1}\""));
        named(
            canvas,
            view,
            river.course.line(),
            &format!("{}, river, {}", river.name, river.state.word()),
            name,
        );
    }
    for road in &ground.roads {
        let wide = view.long(road.course.width_mm());
        let line = view.all_px(road.course.line().iter().copied());
        canvas.line(&line, &format!("stroke=\"#9a8358\" stroke-width=\"{:.1}\"", wide + 2.0));
        canvas.line(&line, &format!("stroke=\"#e6d5ab\" stroke-width=\"{wide:.1}\""));
        canvas.line(&line, "stroke=\"#9a8358\" stroke-width=\"1\" stroke-dasharray=\"6 5\"");
        named(canvas, view, road.course.line(), &format!("{}, road", road.name), name);
    }
}

/// A line's name at the middle of its longest part that is seen.
fn named(canvas: &mut Canvas, view: &View, line: &[Point], text: &str, style: Style<'_>) {
    let (low, high) = view.seen_mm();
    let longest = line
        .windows(2)
        .map(|pair| {
            pair.iter()
                .map(|p| Point::new(p.x.clamp(low.x, high.x), p.y.clamp(low.y, high.y)))
                .collect::<Vec<_>>()
        })
        .max_by(|a, b| (a[1] - a[0]).norm().total_cmp(&(b[1] - b[0]).norm()));
    if let Some(pair) = longest {
        let (x, y) = view.px(nalgebra::center(&pair[0], &pair[1]));
        let (left, top, wide, high) = view.table_px();
        let half = width_px(text, style.size_px) / 2.0;
        let inside = (
            x.clamp(left + half, (left + wide - half).max(left + half)),
            y.clamp(top + 14.0, top + high - 16.0),
        );
        canvas.haloed(inside, text, style);
    }
}
