//! The window without a display: runs egui's passes and paints what they give into a picture.
//!
//! No graphics card, no window system, no clock: time goes on by what the caller says. The same
//! input gives the same picture, byte for byte. Used by `groma demo --headless`, by the window's
//! tests and for the pictures in the documentation.
//!
//! Sizes are in points, as egui lays out; the picture has `pixels_per_point` pixels to the point.

mod raster;
mod textures;

use crate::vision::RgbImage;
use egui::epaint::{ClippedPrimitive, Primitive};
use egui::{Event, Pos2, RawInput, Rect, Vec2, ViewportId};
use raster::Canvas;
use std::time::Duration;
use textures::Textures;

/// A screen that is nowhere.
pub struct Offscreen {
    ctx: egui::Context,
    textures: Textures,
    size_points: Vec2,
    pixels_per_point: f32,
    now: Duration,
    events: Vec<Event>,
    painted: Vec<ClippedPrimitive>,
}

impl Offscreen {
    /// A screen of `width` by `height` points.
    pub fn new(width: f32, height: f32, pixels_per_point: f32) -> Self {
        let ctx = egui::Context::default();
        // A picture is of one moment: nothing may be half way through fading in.
        ctx.all_styles_mut(|style| {
            style.animation_time = 0.0;
            style.scroll_animation = egui::style::ScrollAnimation::none();
            style.visuals.text_cursor.blink = false;
        });
        Self {
            ctx,
            textures: Textures::default(),
            size_points: Vec2::new(width, height),
            pixels_per_point,
            now: Duration::ZERO,
            events: Vec::new(),
            painted: Vec::new(),
        }
    }

    /// The context that the passes run in, for styles and textures.
    pub fn context(&self) -> &egui::Context {
        &self.ctx
    }

    /// Hands an event to the next pass.
    pub fn event(&mut self, event: Event) {
        self.events.push(event);
    }

    /// Runs one pass `later` than the last one.
    pub fn pass(&mut self, later: Duration, show: impl FnMut(&mut egui::Ui)) {
        self.now += later;
        let mut input = RawInput {
            // Larger text leaves fewer points.
            screen_rect: Some(Rect::from_min_size(Pos2::ZERO, self.size_points / self.ctx.zoom_factor())),
            time: Some(self.now.as_secs_f64()),
            predicted_dt: later.as_secs_f32(),
            events: std::mem::take(&mut self.events),
            ..RawInput::default()
        };
        if let Some(viewport) = input.viewports.get_mut(&ViewportId::ROOT) {
            viewport.native_pixels_per_point = Some(self.pixels_per_point);
        }
        let mut output = self.ctx.run_ui(input, show);
        self.textures.take_changes(&mut output.textures_delta);
        self.painted = self.ctx.tessellate(std::mem::take(&mut output.shapes), output.pixels_per_point);
        self.textures.let_go(&mut output.textures_delta);
    }

    /// The picture of the last pass.
    pub fn picture(&self) -> RgbImage {
        let pixels = |points: f32| (points * self.pixels_per_point).round() as usize;
        let ground = self.ctx.global_style().visuals.panel_fill.to_array();
        let mut canvas = Canvas::filled(
            pixels(self.size_points.x),
            pixels(self.size_points.y),
            [ground[0], ground[1], ground[2]],
        );
        paint(&mut canvas, &self.painted, &self.textures, self.ctx.pixels_per_point());
        canvas.into_picture()
    }
}

/// Draws meshes in order. A mesh whose texture is not there is left out, as egui's painter does;
/// callbacks into a graphics card have nothing to call and are left out too.
fn paint(canvas: &mut Canvas, primitives: &[ClippedPrimitive], textures: &Textures, pixels_per_point: f32) {
    for ClippedPrimitive { clip_rect, primitive } in primitives {
        let Primitive::Mesh(mesh) = primitive else { continue };
        let Some(texture) = textures.get(mesh.texture_id) else { continue };
        let clip = canvas.clip_px(*clip_rect, pixels_per_point);
        for triangle in mesh.triangles() {
            let corners = triangle.map(|i| mesh.vertices.get(i as usize));
            let [Some(a), Some(b), Some(c)] = corners else { continue };
            canvas.triangle([a, b, c], pixels_per_point, clip, texture);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, ColorImage, TextureOptions, pos2};

    fn at(picture: &RgbImage, x: usize, y: usize) -> [u8; 3] {
        let i = (y * picture.width() + x) * 3;
        [picture.data()[i], picture.data()[i + 1], picture.data()[i + 2]]
    }

    #[test]
    fn a_rectangle_lies_where_it_was_put() {
        let mut screen = Offscreen::new(40.0, 30.0, 2.0);
        screen.pass(Duration::ZERO, |ui| {
            let rect = Rect::from_min_max(pos2(10.0, 5.0), pos2(20.0, 15.0));
            ui.painter().rect_filled(rect, 0.0, Color32::from_rgb(10, 200, 30));
        });
        let picture = screen.picture();
        assert_eq!((picture.width(), picture.height()), (80, 60));
        assert_eq!(at(&picture, 30, 20), [10, 200, 30]);
        assert_eq!(at(&picture, 38, 28), [10, 200, 30]);
        assert_ne!(at(&picture, 42, 20), [10, 200, 30]);
        assert_ne!(at(&picture, 30, 32), [10, 200, 30]);
    }

    #[test]
    fn text_darkens_its_own_place_and_nothing_else() {
        let mut screen = Offscreen::new(100.0, 40.0, 1.0);
        screen.pass(Duration::ZERO, |ui| {
            ui.painter().rect_filled(ui.max_rect(), 0.0, Color32::WHITE);
            let font = egui::FontId::proportional(20.0);
            ui.painter().text(pos2(10.0, 10.0), egui::Align2::LEFT_TOP, "Groma", font, Color32::BLACK);
        });
        let picture = screen.picture();
        let dark = |x: std::ops::Range<usize>| {
            x.flat_map(|x| (0..40).map(move |y| (x, y))).filter(|&(x, y)| at(&picture, x, y)[0] < 100).count()
        };
        assert!(dark(10..70) > 100, "{} dark pixels", dark(10..70));
        assert_eq!(dark(0..9) + dark(90..100), 0);
    }

    #[test]
    fn a_picture_is_cut_by_its_clip_rectangle() {
        let mut screen = Offscreen::new(40.0, 40.0, 1.0);
        let mut image = ColorImage::filled([2, 1], Color32::RED);
        image.pixels[1] = Color32::BLUE;
        let texture = screen.context().load_texture("two", image, TextureOptions::NEAREST);
        screen.pass(Duration::ZERO, |ui| {
            let clip = Rect::from_min_max(pos2(0.0, 0.0), pos2(40.0, 20.0));
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            let place = Rect::from_min_max(pos2(10.0, 10.0), pos2(30.0, 30.0));
            ui.painter().with_clip_rect(clip).image(texture.id(), place, whole, Color32::WHITE);
        });
        let picture = screen.picture();
        assert_eq!(at(&picture, 15, 15), [255, 0, 0]);
        assert_eq!(at(&picture, 25, 15), [0, 0, 255]);
        let ground = at(&picture, 35, 35);
        assert_eq!(at(&picture, 15, 25), ground);
    }

    #[test]
    fn the_same_passes_give_the_same_bytes() {
        let take = || {
            let mut screen = Offscreen::new(120.0, 60.0, 1.5);
            screen.pass(Duration::ZERO, |ui| {
                ui.heading("Threat zone");
                ui.button("Roll").clicked();
            });
            screen.picture()
        };
        assert_eq!(take(), take());
    }

    #[test]
    fn a_texture_that_is_not_there_draws_nothing() {
        let mut screen = Offscreen::new(10.0, 10.0, 1.0);
        screen.pass(Duration::ZERO, |_| {});
        let before = screen.picture();
        screen.pass(Duration::ZERO, |ui| {
            let all = ui.max_rect();
            ui.painter().image(egui::TextureId::User(7), all, all, Color32::WHITE);
        });
        assert_eq!(screen.picture(), before);
    }
}
