//! The board from above, to scale: bases as the rules see them, the threat zones of what is picked,
//! and the distance between the two.

use super::labels::{Labels, Prefer, Reach, Text, weight};
use super::paint::{self, BaseStyle};
use super::{ghosts, ground as features, reach, ways};
use crate::app::command::{Command, Page};
use crate::app::state::State;
use crate::app::theme::Palette;
use crate::geometry::Point;
use crate::rules::Side;
use crate::session::view::{ElementView, PlaceView, TableView, ZoneView};
use crate::tracking::Visibility;
use egui::{Align2, FontId, Painter, Pos2, Rect, RichText, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, vec2};

/// From the table frame (y away) to the screen (y down).
pub(super) struct Map {
    origin: Pos2,
    points_per_mm: f32,
}

impl Map {
    /// The largest board that fits into `room`, at its top.
    fn fitting(room: Rect, (width_mm, depth_mm): (f64, f64)) -> (Self, Rect) {
        let points_per_mm = (room.width() / width_mm as f32).min(room.height() / depth_mm as f32).max(0.01);
        let size = vec2(width_mm as f32, depth_mm as f32) * points_per_mm;
        let left = room.center().x - size.x / 2.0;
        let rect = Rect::from_min_size(Pos2::new(left, room.top()), size);
        (Self { origin: rect.left_bottom(), points_per_mm }, rect)
    }

    pub(super) fn to_screen(&self, p: Point) -> Pos2 {
        self.origin + vec2(p.x as f32, -(p.y as f32)) * self.points_per_mm
    }

    pub(super) fn points_per_mm(&self) -> f32 {
        self.points_per_mm
    }

    /// The same board as it was painted into this rectangle.
    pub(super) fn painted(rect: Rect, (width_mm, _): (f64, f64)) -> Self {
        Self { origin: rect.left_bottom(), points_per_mm: rect.width() / width_mm as f32 }
    }

    fn to_table(&self, p: Pos2) -> Point {
        let d = (p - self.origin) / self.points_per_mm;
        Point::new(f64::from(d.x), f64::from(-d.y))
    }
}

/// Paints the board into `room` and takes clicks on it. Gives the room it took.
pub fn show(ui: &mut Ui, room: Rect, state: &State, out: &mut Vec<Command>) -> Rect {
    let palette = Palette::of(ui);
    let table = state.table();
    let (map, rect) = Map::fitting(room.shrink(1.0), table.board_mm);
    let response = ui.interact(rect, ui.scope_id().with("board"), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "Board from above"));
    let painter = ui.painter_at(room);
    ground(&painter, rect, table, &map, &palette);
    features::paint(&painter.with_clip_rect(rect), &state.engine().table().ground, &map, &palette);
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
        && let Some(element) = table.element_at(map.to_table(at), f64::from(4.0 / map.points_per_mm))
    {
        out.push(Command::Pick(element.name.clone()));
    }
    reach::draw(&painter, state, &map, &palette);
    zones(&painter, state, &map, &palette);
    for element in &table.elements {
        if let Some(place) = &element.place {
            one(ui, &painter, element, place, state, &map, &palette, out);
        }
    }
    ghosts::to_stand(&painter, &state.start(), &map, &palette);
    ghosts::to_stand(&painter, &state.awaited(), &map, &palette);
    if state.page() == Page::Moves {
        ways::show(&painter, state, &map, &palette);
    } else {
        ghosts::shot(&painter, state, &map, &palette);
        ghosts::aftermath(&painter, state, &map, &palette);
    }
    let ends = distance_line(&painter, state, &map, &palette);
    let hovered = response.hover_pos().and_then(|at| table.element_at(map.to_table(at), 1.0));
    captions(&painter, rect, state, hovered, ends, &map, &palette);
    rect
}

/// What the marks on the board mean.
pub fn legend(ui: &mut Ui, state: &State) {
    let palette = Palette::of(ui);
    let mark = |ui: &mut Ui, side: Side, covered: bool, words: &str| {
        let (rect, _) = ui.allocate_exact_size(vec2(34.0, 20.0), Sense::empty());
        let r = rect.shrink2(vec2(2.0, 2.0));
        let corners = [r.left_top(), r.right_top(), r.right_bottom(), r.left_bottom()];
        let colour = palette.side(side);
        paint::base(ui.painter(), corners, BaseStyle { colour, side, line: 1.4, covered, hatch: 4.5 });
        ui.label(RichText::new(words).small().color(palette.faint));
    };
    ui.horizontal_wrapped(|ui| {
        mark(ui, Side::Red, false, "red");
        mark(ui, Side::Blue, false, "blue");
        mark(ui, Side::Red, true, "covered: where it was last seen");
    });
    ui.label(
        RichText::new("The heavy edge with the mark is the front. Dashes before it: the threat zone.")
            .small()
            .color(palette.faint),
    );
    if state.page() == Page::Reach && matches!(state.reach().view(), Some(Ok(_))) {
        let words = "Tinted: where the middle of the base may end, turned one way or another.";
        ui.label(RichText::new(words).small().color(palette.faint));
    }
    if state.page() != Page::Moves && state.fight().aftermath().is_some() {
        let words = "Outlines with numbers: where bases are to stand after the combat; a cross: taken off.";
        ui.label(RichText::new(words).small().color(palette.faint));
    }
    if state.page() == Page::Moves && state.moves().marked() {
        let words = "An arrow leads from where a base stood, in dashes; rings are where the rules decide.";
        ui.label(RichText::new(words).small().color(palette.faint));
    }
}

fn ground(painter: &Painter, rect: Rect, table: &TableView, map: &Map, palette: &Palette) {
    paint::pane(painter, rect, palette.table, palette.faint);
    let step = table.scale.mm_per_bw() as f32 * map.points_per_mm;
    if step > 6.0 {
        let lines = |length: f32| (1..).map(move |n| n as f32 * step).take_while(move |d| *d < length - 1.0);
        for x in lines(rect.width()) {
            painter.vline(rect.left() + x, rect.y_range(), Stroke::new(1.0, palette.grid));
        }
        for y in lines(rect.height()) {
            painter.hline(rect.x_range(), rect.bottom() - y, Stroke::new(1.0, palette.grid));
        }
    }
    let text = format!("squares of 1 BW = {} mm", table.scale.mm_per_bw());
    painter.text(
        rect.left_bottom() + vec2(6.0, -4.0),
        Align2::LEFT_BOTTOM,
        text,
        FontId::proportional(11.5),
        palette.faint,
    );
}

/// The threat zones of what is picked, and on the page of moves those that the movers come near to.
fn shown_zones(state: &State) -> impl Iterator<Item = &ZoneView> {
    let near = state.moves().view().filter(|_| state.page() == Page::Moves);
    state.zones().iter().chain(near.into_iter().flat_map(|view| &view.zones))
}

/// Threat zones: a tint, an edge in dashes, and a word.
fn zones(painter: &Painter, state: &State, map: &Map, palette: &Palette) {
    for zone in shown_zones(state) {
        let colour = palette.side(zone.side);
        let corners: Vec<Pos2> = zone.outline.iter().map(|p| map.to_screen(*p)).collect();
        painter.add(Shape::convex_polygon(corners.clone(), colour.gamma_multiply(0.16), Stroke::NONE));
        let mut edge = corners.clone();
        edge.extend(corners.first());
        painter.extend(Shape::dashed_line(&edge, Stroke::new(1.5, colour), 6.0, 4.0));
    }
}

#[allow(clippy::too_many_arguments)]
fn one(
    ui: &Ui,
    painter: &Painter,
    element: &ElementView,
    place: &PlaceView,
    state: &State,
    map: &Map,
    palette: &Palette,
    out: &mut Vec<Command>,
) {
    let corners = place.footprint.outline().map(|p| map.to_screen(p));
    let picked = state.slot_of(&element.name);
    let covered = element.visibility != Visibility::Seen;
    let colour = palette.side(element.side);
    paint::base(painter, corners, BaseStyle { colour, side: element.side, line: 1.4, covered, hatch: 4.5 });
    if picked.is_some() {
        paint::ring(painter, corners, palette.measure);
    }
    let width_points = place.footprint.width_mm() as f32 * map.points_per_mm;
    let depth_points = place.footprint.depth_mm() as f32 * map.points_per_mm;
    let centre = map.to_screen(place.footprint.pose().centre);
    let size = (width_points * 0.36).min(depth_points * 0.62).min(14.0);
    if size >= 7.5 {
        let at = centre
            + (map.to_screen(place.footprint.pose().at(0.0, -1.0)) - centre).normalized()
                * depth_points
                * 0.14;
        paint::plate(painter, at, Align2::CENTER_CENTER, &element.troop, size, palette.ink, palette.label);
    }
    // Smaller than the base however it is turned: what lies outside is settled by the exact test above.
    let handle = Rect::from_center_size(centre, Vec2::splat(width_points.min(depth_points) * 0.6));
    let response = ui.interact(handle, ui.scope_id().with(("board", &element.name)), Sense::CLICK);
    response.widget_info(|| {
        let label = format!("{} on the board", element.name);
        WidgetInfo::selected(egui::Role::Button, true, picked.is_some(), label)
    });
    if response.clicked() {
        out.push(Command::Pick(element.name.clone()));
    }
}

/// The line between the two nearest points. Gives its ends.
fn distance_line(painter: &Painter, state: &State, map: &Map, palette: &Palette) -> Option<[Pos2; 2]> {
    let [from, to] = &state.pair()?.distance.binding[..] else { return None };
    let ends = [map.to_screen(from.at), map.to_screen(to.at)];
    painter.line_segment(ends, Stroke::new(1.5, palette.measure));
    for end in ends {
        paint::target(painter, end, palette.measure);
    }
    Some(ends)
}

/// Names of what is picked and of what the pointer is over, and the distance; all beside the bases that
/// are judged and never on them.
fn captions(
    painter: &Painter,
    rect: Rect,
    state: &State,
    hovered: Option<&ElementView>,
    ends: Option<[Pos2; 2]>,
    map: &Map,
    palette: &Palette,
) {
    let table = state.table();
    let mut labels = Labels::new(rect);
    for zone in shown_zones(state) {
        let corners: Vec<Pos2> = zone.outline.iter().map(|p| map.to_screen(*p)).collect();
        labels.avoid(&corners, weight::ZONE);
    }
    for element in &table.elements {
        let Some(place) = &element.place else { continue };
        let judged = state.slot_of(&element.name).is_some();
        let corners = place.footprint.outline().map(|p| map.to_screen(p));
        labels.avoid(&corners, if judged { weight::JUDGED } else { weight::BASE });
    }
    for place in ghosts::places(state) {
        labels.avoid(&place.outline().map(|p| map.to_screen(p)), weight::BASE);
    }
    let targets = ends.map(|ends| ends.map(|end| Rect::from_center_size(end, Vec2::splat(9.0))));
    for target in targets.iter().flatten() {
        labels.avoid(&[target.min, target.max], weight::JUDGED);
    }
    let picked = state.selection().iter().flatten().filter_map(|name| table.element(name));
    let mut shown: Vec<&ElementView> = picked.collect();
    shown.extend(hovered.filter(|h| !shown.iter().any(|e| e.name == h.name)));
    let (size, ground) = (13.0, palette.label);
    for element in shown {
        let Some(place) = &element.place else { continue };
        let of = Rect::from_points(&place.footprint.outline().map(|p| map.to_screen(p)));
        // Behind the base, where neither the zone nor the enemy lies.
        let away = place.footprint.pose().heading.vector().y > 0.0;
        let prefer = if away { Prefer::Below } else { Prefer::Above };
        let slot = state.slot_of(&element.name).map_or("", |slot| ["1  ", "2  "][slot.index()]);
        let words = format!("{slot}{}", element.name);
        let text = Text { words: &words, size, ink: palette.ink, ground };
        labels.put(painter, text, of, prefer, Reach::Anywhere);
    }
    if let (Some([from, to]), Some(pair)) = (ends, state.pair()) {
        let words = format!("{:.1} mm", pair.distance.mm);
        let of = Rect::from_center_size(from + (to - from) / 2.0, Vec2::splat(4.0));
        let text = Text { words: &words, size, ink: palette.measure, ground };
        labels.put(painter, text, of, Prefer::Right, Reach::Anywhere);
    }
}
