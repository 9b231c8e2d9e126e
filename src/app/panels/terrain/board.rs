//! The board from above as the camera sees it, with every outline on it; takes clicks and drags.

use super::send;
use crate::app::command::{Command, Grip, Handle, Item, TerrainCommand};
use crate::app::panels::paint;
use crate::app::state::TerrainPage;
use crate::app::theme::Palette;
use crate::geometry::{Point, Segment};
use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, TextureId, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

/// On the picture the colours are fixed.
const LINE: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);
const PICKED: Color32 = Color32::from_rgb(0x6c, 0xf0, 0xff);
const FAULTY: Color32 = Color32::from_rgb(0xff, 0x8a, 0x80);
const PLATE: Color32 = Color32::from_rgba_premultiplied(8, 9, 12, 200);
const DIM: Color32 = Color32::from_rgb(14, 15, 18);
/// Near enough to a point to take hold of it, points of the screen.
const NEAR: f32 = 9.0;
/// Shown beyond the playing area while nothing is seen, millimetres.
const MARGIN_MM: f64 = 30.0;

/// From the table to the screen.
struct Map {
    rect: Rect,
    top_left: Point,
    points_per_mm: f32,
}

impl Map {
    fn fitting(room: Rect, top_left: Point, (width_mm, depth_mm): (f64, f64)) -> Self {
        let scale = (room.width() / width_mm as f32).min(room.height() / depth_mm as f32).max(0.01);
        let size = vec2(width_mm as f32, depth_mm as f32) * scale;
        let rect = Rect::from_center_size(room.center(), size);
        Self { rect, top_left, points_per_mm: scale }
    }

    fn to_screen(&self, p: Point) -> Pos2 {
        let off = vec2((p.x - self.top_left.x) as f32, (self.top_left.y - p.y) as f32);
        self.rect.min + off * self.points_per_mm
    }

    fn to_table(&self, p: Pos2) -> Point {
        let off = (p - self.rect.min) / self.points_per_mm;
        Point::new(self.top_left.x + f64::from(off.x), self.top_left.y - f64::from(off.y))
    }
}

/// Shows the board and what is drawn on it.
pub fn picture(
    ui: &mut Ui,
    room: Rect,
    page: &TerrainPage,
    texture: Option<TextureId>,
    out: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let (width, depth) = page.board_mm();
    let map = match page.above() {
        Some((made, _)) => {
            let (w, h) = made.size();
            Map::fitting(room, made.top_left, (w as f64 * made.mm_per_px, h as f64 * made.mm_per_px))
        }
        None => {
            let size = (width + 2.0 * MARGIN_MM, depth + 2.0 * MARGIN_MM);
            Map::fitting(room, Point::new(-MARGIN_MM, depth + MARGIN_MM), size)
        }
    };
    let response = ui.interact(map.rect, ui.scope_id().with("terrain board"), Sense::click_and_drag());
    let label = format!("Board from above. {} features", page.items().len());
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, &label));
    paint::pane(&ui.painter_at(map.rect.expand(2.0)), map.rect, DIM, palette.faint);
    let painter = ui.painter_at(map.rect);
    match texture {
        Some(texture) => {
            painter.image(texture, map.rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), Color32::WHITE);
        }
        None => {
            let words = "The camera has not placed the board yet; shapes can be drawn all the same.";
            let at = pos2(map.rect.center().x, map.rect.top() + 16.0);
            paint::plate(&painter, at, Align2::CENTER_TOP, words, 13.0, Color32::WHITE, PLATE);
        }
    }
    let corners = [(0.0, 0.0), (width, 0.0), (width, depth), (0.0, depth)];
    let rim: Vec<Pos2> = corners.iter().map(|(x, y)| map.to_screen(Point::new(*x, *y))).collect();
    painter.add(Shape::closed_line(rim, Stroke::new(1.0, Color32::from_white_alpha(150))));
    for (item, name, _) in page.items() {
        one(&painter, page, item, name, &map);
    }
    if let Some(item) = page.picked() {
        handles(&painter, page, item, &map);
    }
    cross_hair(&painter, map.to_screen(page.aim()));
    pointer(&response, ui, page, &map, out);
}

fn one(painter: &Painter, page: &TerrainPage, item: Item, name: &str, map: &Map) {
    let picked = page.picked() == Some(item);
    let faulty =
        page.told().iter().any(|told| told.name == name && told.terms.conditions.iter().any(|r| !r.holds));
    let colour = match (picked, faulty) {
        (true, _) => PICKED,
        (false, true) => FAULTY,
        (false, false) => LINE,
    };
    let stroke = Stroke::new(if picked { 2.4 } else { 1.6 }, colour);
    let (line, closed, width) = outline(page, item);
    let points: Vec<Pos2> = line.iter().map(|p| map.to_screen(*p)).collect();
    let Some(first) = points.first() else { return };
    if closed {
        painter.add(Shape::closed_line(points.clone(), stroke));
    } else {
        let wide = Stroke::new(width as f32 * map.points_per_mm, colour.gamma_multiply(0.28));
        painter.add(Shape::line(points.clone(), wide));
        painter.add(Shape::line(points.clone(), stroke));
    }
    let middle = points.iter().fold(Vec2::ZERO, |sum, p| sum + p.to_vec2()) / points.len() as f32;
    let at = if closed { middle.to_pos2() } else { *first + vec2(0.0, -14.0) };
    let words = if faulty { format!("{name} !") } else { name.to_owned() };
    let at = at.clamp(map.rect.min + vec2(30.0, 12.0), map.rect.max - vec2(30.0, 12.0));
    paint::plate(painter, at, Align2::CENTER_CENTER, &words, 12.0, colour, PLATE);
}

/// The line of something, whether it is closed, and a way's width.
fn outline(page: &TerrainPage, item: Item) -> (Vec<Point>, bool, f64) {
    let ground = page.ground();
    let way = |course: &crate::rules::terrain::Way| (course.line().to_vec(), false, course.width_mm());
    let found = match item {
        Item::Area(n) => ground.features.get(n).map(|f| (f.outline.corners().to_vec(), true, 0.0)),
        Item::River(n) => ground.rivers.get(n).map(|r| way(&r.course)),
        Item::Road(n) => ground.roads.get(n).map(|r| way(&r.course)),
    };
    found.unwrap_or_default()
}

fn handles(painter: &Painter, page: &TerrainPage, item: Item, map: &Map) {
    let all = page.handles(item);
    let crest: Vec<Pos2> = all
        .iter()
        .filter(|(handle, _)| matches!(handle, Handle::Crest(_)))
        .map(|(_, p)| map.to_screen(*p))
        .collect();
    if crest.len() > 1 {
        painter.extend(Shape::dashed_line(&crest, Stroke::new(1.6, PICKED), 6.0, 4.0));
    }
    for (handle, p) in all {
        let at = map.to_screen(p);
        let picked = page.handle() == Some(handle);
        let size = if picked { 5.5 } else { 3.6 };
        let rim = Stroke::new(1.5, if picked { Color32::WHITE } else { DIM });
        match handle {
            Handle::Corner(_) => {
                painter.circle(at, size, PICKED, rim);
            }
            Handle::Crest(_) => {
                let half = size * 1.3;
                let tip = vec![at + vec2(0.0, -half), at + vec2(half, half), at + vec2(-half, half)];
                painter.add(Shape::convex_polygon(tip, PICKED, rim));
            }
            Handle::Gate(_) => {
                let square = Rect::from_center_size(at, Vec2::splat(size * 2.4));
                painter.rect(square, 1.0, LINE, rim, egui::StrokeKind::Middle);
                painter.text(at, Align2::CENTER_CENTER, "G", FontId::proportional(9.0), DIM);
            }
        }
    }
}

fn cross_hair(painter: &Painter, at: Pos2) {
    for (colour, width) in [(DIM, 3.0), (Color32::WHITE, 1.2)] {
        for (from, to) in [(4.0, 11.0), (-4.0, -11.0)] {
            painter.line_segment([at + vec2(from, 0.0), at + vec2(to, 0.0)], Stroke::new(width, colour));
            painter.line_segment([at + vec2(0.0, from), at + vec2(0.0, to)], Stroke::new(width, colour));
        }
    }
}

fn pointer(response: &egui::Response, ui: &Ui, page: &TerrainPage, map: &Map, out: &mut Vec<Command>) {
    let Some(at) = response.interact_pointer_pos() else {
        if response.drag_stopped() {
            send(out, TerrainCommand::LetGo);
        }
        return;
    };
    let on_table = map.to_table(at);
    if response.drag_started() {
        // Where the button went down, not where the pointer has come to.
        let origin = ui.input(|input| input.pointer.press_origin()).unwrap_or(at);
        if let Some(grip) = grip(page, map, origin) {
            send(out, TerrainCommand::Grip(grip, map.to_table(origin)));
        }
    }
    if response.dragged() {
        send(out, TerrainCommand::DragTo(on_table));
    }
    if response.drag_stopped() {
        send(out, TerrainCommand::LetGo);
    }
    if response.double_clicked() {
        if let Some((behind, at)) = on_rim(page, map, at) {
            send(out, TerrainCommand::Insert(behind, at));
        }
    } else if response.clicked() {
        clicked(page, map, at, out);
    }
}

fn clicked(page: &TerrainPage, map: &Map, at: Pos2, out: &mut Vec<Command>) {
    let on_table = map.to_table(at);
    if let Some(Grip::Handle(handle)) = grip(page, map, at) {
        return send(out, TerrainCommand::PickHandle(Some(handle)));
    }
    send(out, TerrainCommand::Aim(on_table));
    let under =
        page.items().into_iter().rev().map(|(item, _, _)| item).find(|item| holds(page, *item, on_table));
    match under {
        Some(item) => send(out, TerrainCommand::Pick(Some(item))),
        None => {
            send(out, TerrainCommand::Pick(None));
            if page.above().is_some() && page.wanted().is_none() {
                send(out, TerrainCommand::Propose);
            }
        }
    }
}

/// What is taken hold of at a place of the screen, of what is picked.
fn grip(page: &TerrainPage, map: &Map, at: Pos2) -> Option<Grip> {
    let item = page.picked()?;
    let near = page
        .handles(item)
        .into_iter()
        .map(|(handle, p)| (handle, (map.to_screen(p) - at).length()))
        .filter(|(_, off)| *off <= NEAR)
        // Of a corner and a gate on it the gate.
        .min_by(|a, b| a.1.total_cmp(&b.1).then_with(|| rank(b.0).cmp(&rank(a.0))));
    match near {
        Some((handle, _)) => Some(Grip::Handle(handle)),
        None => holds(page, item, map.to_table(at)).then_some(Grip::Whole),
    }
}

fn rank(handle: Handle) -> u8 {
    match handle {
        Handle::Corner(_) => 0,
        Handle::Crest(_) => 1,
        Handle::Gate(_) => 2,
    }
}

fn holds(page: &TerrainPage, item: Item, at: Point) -> bool {
    match item {
        Item::Area(n) => page.ground().features.get(n).is_some_and(|f| f.outline.holds(at)),
        _ => {
            let (line, _, width) = outline(page, item);
            line.windows(2).any(|p| (Segment::new(p[0], p[1]).nearest_to(at).0 - at).norm() <= width / 2.0)
        }
    }
}

/// The place of the picked one's rim that is near a place of the screen, and the point before it.
fn on_rim(page: &TerrainPage, map: &Map, at: Pos2) -> Option<(usize, Point)> {
    let item = page.picked()?;
    let (line, closed, _) = outline(page, item);
    let sides = if closed { line.len() } else { line.len().saturating_sub(1) };
    let of = |n: usize| Segment::new(line[n], line[(n + 1) % line.len()]).nearest_to(map.to_table(at)).0;
    let near = (0..sides).map(|n| (n, of(n))).map(|(n, p)| (n, p, (map.to_screen(p) - at).length()));
    let (n, p, off) = near.min_by(|a, b| a.2.total_cmp(&b.2))?;
    (off <= NEAR).then_some((n, p))
}
