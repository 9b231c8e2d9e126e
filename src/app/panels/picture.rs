//! The camera's picture with what was read from it drawn on it: outlines and names of bases, and the
//! table's own tags.
//!
//! Outlines are the measured poses put back through the camera, so a wrong reading shows.

use super::labels::{Labels, Prefer, Reach, Text, weight};
use super::paint::{self, BaseStyle};
use crate::app::command::Command;
use crate::app::state::State;
use crate::app::theme::Palette;
use crate::rules::Side;
use crate::session::view::{ElementView, PlaceView};
use crate::tracking::Visibility;
use crate::vision::{CameraModel, PixelPoint};
use egui::{
    Align2, Color32, FontId, Painter, Pos2, Rect, Sense, Shape, Stroke, TextureId, Ui, Vec2, WidgetInfo, vec2,
};
use nalgebra::Point3;

/// The part of a frame that is shown, pixels: the whole of it, or the table's surroundings.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Part {
    /// Its corners in pixels, x right and y down, pixel edges at whole numbers.
    pub px: Rect,
    /// Columns and rows of the frame that it is part of.
    pub frame: Vec2,
}

impl Part {
    /// The whole frame; 16 by 9 before the first one.
    pub fn whole(state: &State) -> Self {
        let (width, height) = state.picture_size().unwrap_or((16, 9));
        let frame = vec2(width as f32, height as f32);
        Self { px: Rect::from_min_size(Pos2::ZERO, frame), frame }
    }

    /// The table with its reference tags and a little more, in the shape of a pane of `size`; the whole
    /// frame where the camera could not be placed.
    pub fn table(state: &State, size: Vec2) -> Self {
        let whole = Self::whole(state);
        let Some(camera) = state.camera_model() else { return whole };
        let table = state.table();
        let (w, d) = table.board_mm;
        let rim = [(0.0, 0.0), (w, 0.0), (w, d), (0.0, d)].map(|(x, y)| [x, y, 0.0]);
        let points = rim.into_iter().chain(table.references.iter().flat_map(|r| r.corners()));
        let seen: Vec<Pos2> = points
            .filter_map(|[x, y, z]| camera.image_from_table(Point3::new(x, y, z)))
            .map(|p| Pos2::new(p.x as f32, p.y as f32))
            .collect();
        let bounds = Rect::from_points(&seen).intersect(whole.px);
        if !bounds.is_positive() || !size.x.is_finite() || size.min_elem() < 1.0 {
            return whole;
        }
        // Whole steps, so that a camera that is placed anew in each frame does not make the picture creep.
        const STEP: f32 = 32.0;
        let near = Rect::from_min_max(
            ((bounds.min.to_vec2() / STEP).floor() * STEP - Vec2::splat(STEP)).to_pos2(),
            ((bounds.max.to_vec2() / STEP).ceil() * STEP + Vec2::splat(STEP)).to_pos2(),
        );
        let shape = size.x / size.y;
        let wide = near.width().max(near.height() * shape);
        let wanted = vec2(wide, (wide / shape).max(near.height())).min(whole.frame);
        let middle = near.center();
        let left = (middle.x - wanted.x / 2.0).clamp(0.0, whole.frame.x - wanted.x);
        let top = (middle.y - wanted.y / 2.0).clamp(0.0, whole.frame.y - wanted.y);
        Self { px: Rect::from_min_size(Pos2::new(left, top), wanted), frame: whole.frame }
    }

    /// The board and nothing beside it, in a frame of this size; the whole frame where the camera could not be placed.
    pub(super) fn board(frame: Vec2, camera: Option<&CameraModel>, (wide, deep): (f64, f64)) -> Self {
        let whole = Rect::from_min_size(Pos2::ZERO, frame);
        let rim =
            [(0.0, 0.0), (0.5, 0.0), (1.0, 0.0), (1.0, 0.5), (1.0, 1.0), (0.5, 1.0), (0.0, 1.0), (0.0, 0.5)];
        let seen = |(x, y): (f64, f64)| camera?.image_from_table(Point3::new(x * wide, y * deep, 0.0));
        let seen: Vec<Pos2> =
            rim.into_iter().filter_map(seen).map(|p| Pos2::new(p.x as f32, p.y as f32)).collect();
        let bounds = Rect::from_points(&seen).intersect(whole);
        Self { px: if seen.len() == rim.len() && bounds.is_positive() { bounds } else { whole }, frame }
    }

    /// Texture coordinates of the part.
    pub(super) fn uv(&self) -> Rect {
        Rect::from_min_max(
            (self.px.min.to_vec2() / self.frame).to_pos2(),
            (self.px.max.to_vec2() / self.frame).to_pos2(),
        )
    }
}

/// From the frame's pixels (centres at whole numbers) to the screen.
pub(super) struct Map {
    origin: Pos2,
    points_per_px: f32,
}

impl Map {
    /// The part as large as it fits into `room`, at its top.
    pub(super) fn fitting(room: Rect, part: &Part) -> (Self, Rect) {
        let points_per_px = (room.width() / part.px.width()).min(room.height() / part.px.height());
        let size = part.px.size() * points_per_px;
        let rect = Rect::from_min_size(Pos2::new(room.center().x - size.x / 2.0, room.top()), size);
        let origin = rect.min - part.px.min.to_vec2() * points_per_px;
        (Self { origin, points_per_px }, rect)
    }

    /// The whole of a picture of this size, in its middle.
    pub(super) fn whole(room: Rect, frame: Vec2) -> (Self, Rect) {
        let points_per_px = (room.width() / frame.x).min(room.height() / frame.y);
        let rect = Rect::from_center_size(room.center(), frame * points_per_px);
        (Self { origin: rect.min, points_per_px }, rect)
    }

    /// Where a pixel is on the screen.
    pub(super) fn to_screen(&self, p: PixelPoint) -> Pos2 {
        self.origin + vec2(p.x as f32 + 0.5, p.y as f32 + 0.5) * self.points_per_px
    }

    /// Which pixel is there.
    pub(super) fn to_pixel(&self, p: Pos2) -> PixelPoint {
        let d = (p - self.origin) / self.points_per_px;
        PixelPoint::new(f64::from(d.x) - 0.5, f64::from(d.y) - 0.5)
    }
}

/// Paints a part of the picture into `room` and takes clicks on it.
pub fn show(
    ui: &mut Ui,
    room: Rect,
    part: &Part,
    state: &State,
    texture: Option<TextureId>,
    out: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let (map, rect) = Map::fitting(room, part);
    let response = ui.interact(rect, ui.scope_id().with("picture"), Sense::CLICK);
    response.widget_info(|| WidgetInfo::labeled(egui::Role::Image, true, "Camera picture"));
    let painter = ui.painter_at(rect);
    paint::pane(&ui.painter_at(rect.expand(2.0)), rect, Color32::from_rgb(14, 15, 18), palette.faint);
    let Some(texture) = texture else {
        let words = state.waiting_words();
        let font = FontId::proportional(16.0);
        painter.text(rect.center(), Align2::CENTER_CENTER, words, font, Color32::from_gray(220));
        return;
    };
    painter.image(texture, rect, part.uv(), Color32::WHITE);
    let Some(camera) = state.camera_model() else {
        unplaced(&painter, rect, state);
        return;
    };
    references(&painter, state, camera, &map);
    let hovered = response.hover_pos().and_then(|at| element_under(state, camera, map.to_pixel(at)));
    let mut labels = Labels::new(rect.shrink(2.0));
    let mut shown: Vec<(&ElementView, [Pos2; 4])> = Vec::new();
    for element in &state.table().elements {
        let corners = element.place.as_ref().and_then(|place| outline(place, camera, &map));
        if let Some(corners) = corners {
            one(&painter, element, corners, state);
            let judged = state.slot_of(&element.name).is_some();
            labels.avoid(&corners, if judged { weight::JUDGED } else { weight::BASE });
            shown.push((element, corners));
        }
    }
    // Names come after all outlines, so that none is crossed; what is picked finds its place first.
    shown.sort_by_key(|(e, _)| (state.slot_of(&e.name).is_none(), hovered.as_ref() != Some(&e.name)));
    for (element, corners) in shown {
        let pointed = hovered.as_ref() == Some(&element.name);
        name(&painter, element, corners, pointed, state, &mut labels);
    }
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
        && let Some(name) = element_under(state, camera, map.to_pixel(at))
    {
        out.push(Command::Pick(name));
    }
}

/// The element whose base is under a pixel, each tested at its own height; the nearest of several.
fn element_under(state: &State, camera: &CameraModel, pixel: PixelPoint) -> Option<String> {
    const REACH_MM: f64 = 4.0;
    let distance = |place: &PlaceView| {
        camera.table_from_image(pixel, place.top_mm).map(|p| place.footprint.distance_to_point(p))
    };
    state
        .table()
        .elements
        .iter()
        .filter_map(|e| Some((e, distance(e.place.as_ref()?)?)))
        .filter(|(_, d)| *d <= REACH_MM)
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .map(|(e, _)| e.name.clone())
}

/// On pictures the colours are fixed: the ground is the photograph in both themes.
const RED: Color32 = Color32::from_rgb(0xff, 0x5a, 0x46);
const BLUE: Color32 = Color32::from_rgb(0x4d, 0xb4, 0xff);
const PICKED: Color32 = Color32::from_rgb(0xff, 0xe0, 0x40);
const REFERENCE: Color32 = Color32::from_rgb(0x7c, 0xf0, 0xc0);
const PLATE: Color32 = Color32::from_rgba_premultiplied(8, 9, 12, 190);

/// From this width on, points, a base carries its name.
const SMALLEST_NAMED: f32 = 30.0;

/// A base's corners on the screen.
pub(super) fn outline(place: &PlaceView, camera: &CameraModel, map: &Map) -> Option<[Pos2; 4]> {
    let seen =
        place.footprint.outline().map(|p| camera.image_from_table(Point3::new(p.x, p.y, place.top_mm)));
    let [Some(a), Some(b), Some(c), Some(d)] = seen else { return None };
    Some([a, b, c, d].map(|p| map.to_screen(p)))
}

/// A side's colour on photographs.
pub(super) fn side_colour(side: Side) -> Color32 {
    match side {
        Side::Red => RED,
        Side::Blue => BLUE,
    }
}

fn one(painter: &Painter, element: &ElementView, corners: [Pos2; 4], state: &State) {
    let colour = side_colour(element.side);
    let covered = element.visibility != Visibility::Seen;
    let picked = state.slot_of(&element.name);
    paint::base_outline(
        painter,
        corners,
        BaseStyle { colour, side: element.side, line: 1.5, covered, hatch: 0.0 },
    );
    if picked.is_some() {
        paint::ring(painter, corners, PICKED);
    }
}

/// An element's name, where it does not hide the next rank: on small bases only of what is picked or
/// pointed at, and of what the hand covers.
fn name(
    painter: &Painter,
    element: &ElementView,
    corners: [Pos2; 4],
    pointed: bool,
    state: &State,
    labels: &mut Labels,
) {
    let picked = state.slot_of(&element.name).is_some();
    let wanted = picked || pointed || element.visibility != Visibility::Seen;
    let width = (corners[1] - corners[0]).length();
    if !wanted && width < SMALLEST_NAMED {
        return;
    }
    let size = if picked || pointed { 13.0 } else { (width * 0.25).clamp(9.0, 13.0) };
    // Behind the base, where neither its zone nor its enemy is.
    let [front_left, front_right, rear_right, rear_left] = corners;
    let up = rear_left.y + rear_right.y < front_left.y + front_right.y;
    let prefer = if up { Prefer::Above } else { Prefer::Below };
    let ink = if picked { PICKED } else { side_colour(element.side) };
    let reach = if wanted { Reach::Anywhere } else { Reach::Beside };
    let text = Text { words: &element.name, size, ink, ground: PLATE };
    labels.put(painter, text, Rect::from_points(&corners), prefer, reach);
}

fn references(painter: &Painter, state: &State, camera: &CameraModel, map: &Map) {
    for tag in &state.table().references {
        let seen = tag.corners().map(|[x, y, z]| camera.image_from_table(Point3::new(x, y, z)));
        let corners: Vec<Pos2> = seen.into_iter().flatten().map(|p| map.to_screen(p)).collect();
        if corners.len() == 4 {
            painter.add(Shape::closed_line(corners, Stroke::new(1.5, REFERENCE)));
        }
    }
}

/// The picture could not be placed on the table: says so, and what to do.
fn unplaced(painter: &Painter, rect: Rect, state: &State) {
    let words = state.unplaced_words();
    let galley = painter.layout(words, FontId::proportional(15.0), Color32::WHITE, rect.width() - 48.0);
    let place = Align2::CENTER_BOTTOM.anchor_size(rect.center_bottom() - vec2(0.0, 14.0), galley.size());
    painter.rect_filled(place.expand2(vec2(12.0, 8.0)), 6.0, PLATE);
    painter.galley(place.min, galley, Color32::WHITE);
}
