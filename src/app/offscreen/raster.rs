//! Triangles into pixels, as a graphics card draws them.
//!
//! Frame: physical pixels of the picture, x right, y down, pixel centres at .5 (the card's own
//! convention, unlike [`crate::vision`]'s). Vertices are snapped to 1/256 px and edges are tested in
//! whole numbers with the top-left rule, so two triangles that share an edge never both draw a pixel
//! and never leave one out, and the same meshes give the same bytes on every machine.
//!
//! Colours are sRGB bytes with premultiplied alpha, blended without linearising, as egui's own
//! painter does it.

use super::textures::Texture;
use crate::vision::RgbImage;
use egui::epaint::Vertex;

/// Sub-pixel steps to a pixel.
const STEPS: i64 = 256;
/// Vertices beyond this many pixels are not drawn: nothing on a screen reaches there.
const FAR_PX: f32 = 1_048_576.0;

/// A rectangle of whole pixels, its far sides left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClipPx {
    /// First column.
    pub left: usize,
    /// First row.
    pub top: usize,
    /// Column after the last.
    pub right: usize,
    /// Row after the last.
    pub bottom: usize,
}

/// The picture that is being drawn.
pub struct Canvas {
    width: usize,
    height: usize,
    pixels: Vec<u8>,
}

impl Canvas {
    /// A canvas of one colour; sides of zero are taken as one.
    pub fn filled(width: usize, height: usize, [r, g, b]: [u8; 3]) -> Self {
        let (width, height) = (width.max(1), height.max(1));
        Self { width, height, pixels: [r, g, b].repeat(width * height) }
    }

    /// The finished picture.
    pub fn into_picture(self) -> RgbImage {
        RgbImage::new(self.width, self.height, self.pixels).expect("a canvas holds three bytes a pixel")
    }

    /// The clip rectangle in whole pixels, rounded as egui's painter rounds its scissor.
    pub fn clip_px(&self, clip: egui::Rect, pixels_per_point: f32) -> ClipPx {
        let whole =
            |points: f32, most: usize| (points * pixels_per_point).round().clamp(0.0, most as f32) as usize;
        let (left, top) = (whole(clip.min.x, self.width), whole(clip.min.y, self.height));
        ClipPx {
            left,
            top,
            right: whole(clip.max.x, self.width).max(left),
            bottom: whole(clip.max.y, self.height).max(top),
        }
    }

    /// Draws one triangle, whichever way round it runs.
    pub fn triangle(
        &mut self,
        corners: [&Vertex; 3],
        pixels_per_point: f32,
        clip: ClipPx,
        texture: &Texture,
    ) {
        let Some(shape) = Shape::of(corners, pixels_per_point) else { return };
        let paint = Paint::of(corners, texture);
        let rows = shape.rows(clip);
        for row in rows {
            let Some((first, last)) = shape.span(row, clip) else { continue };
            let at = (row * self.width + first) * 3;
            let line = &mut self.pixels[at..at + (last - first) * 3];
            match paint {
                Paint::Even(colour) => even(line, colour),
                Paint::Shaded => shaded(line, corners, &shape, (first, row), texture),
            }
        }
    }
}

/// What a triangle is filled with.
enum Paint {
    /// One colour all over.
    Even([f32; 4]),
    /// Colour or texture changes from place to place.
    Shaded,
}

impl Paint {
    fn of(corners: [&Vertex; 3], texture: &Texture) -> Self {
        let [a, b, c] = corners;
        if a.color == b.color && b.color == c.color && a.uv == b.uv && b.uv == c.uv {
            let texel = texture.sample(a.uv.x, a.uv.y, 1.0);
            Self::Even(product(a.color.to_array().map(f32::from), texel))
        } else {
            Self::Shaded
        }
    }
}

/// A triangle in sub-pixel steps, turned so that its inside is on the positive side of every edge.
struct Shape {
    x: [i64; 3],
    y: [i64; 3],
    /// Twice the area, more than zero.
    area: i64,
    /// For each corner of the shape, which of the caller's corners it is.
    order: [usize; 3],
}

impl Shape {
    fn of(corners: [&Vertex; 3], pixels_per_point: f32) -> Option<Self> {
        let (mut x, mut y) = ([0; 3], [0; 3]);
        for (i, corner) in corners.iter().enumerate() {
            let (px, py) = (corner.pos.x * pixels_per_point, corner.pos.y * pixels_per_point);
            if !(px.abs() < FAR_PX && py.abs() < FAR_PX) {
                return None;
            }
            x[i] = (px * STEPS as f32).round() as i64;
            y[i] = (py * STEPS as f32).round() as i64;
        }
        let area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
        match area {
            0 => None,
            a if a > 0 => Some(Self { x, y, area, order: [0, 1, 2] }),
            a => Some(Self { x: [x[0], x[2], x[1]], y: [y[0], y[2], y[1]], area: -a, order: [0, 2, 1] }),
        }
    }

    /// The edge opposite corner `i`: (from, to) as indices.
    fn edge(i: usize) -> (usize, usize) {
        ((i + 1) % 3, (i + 2) % 3)
    }

    /// Twice the signed area between the edge opposite corner `i` and a point: zero or more inside.
    fn side(&self, i: usize, x: i64, y: i64) -> i64 {
        let (from, to) = Self::edge(i);
        (self.x[to] - self.x[from]) * (y - self.y[from]) - (self.y[to] - self.y[from]) * (x - self.x[from])
    }

    /// Rows whose pixel centres the triangle may reach.
    fn rows(&self, clip: ClipPx) -> std::ops::Range<usize> {
        let low = self.y.iter().copied().min().unwrap_or(0);
        let high = self.y.iter().copied().max().unwrap_or(0);
        let first = (low - STEPS / 2).div_euclid(STEPS).clamp(clip.top as i64, clip.bottom as i64);
        let last = (high + STEPS / 2).div_euclid(STEPS).clamp(first, clip.bottom as i64);
        first as usize..last as usize
    }

    /// The columns of a row whose centres lie inside, the last left out.
    fn span(&self, row: usize, clip: ClipPx) -> Option<(usize, usize)> {
        let y = row as i64 * STEPS + STEPS / 2;
        let (mut first, mut last) = (clip.left as i64, clip.right as i64);
        for i in 0..3 {
            let (from, to) = Self::edge(i);
            let (dx, dy) = (self.x[to] - self.x[from], self.y[to] - self.y[from]);
            // With the inside on the positive side (y down), an edge that runs up the screen is a left
            // one, and a level edge that runs to the right is a top one: both own their pixels.
            let owns = dy < 0 || (dy == 0 && dx > 0);
            let least = i64::from(!owns);
            // side(x) = base - dy * x must be `least` or more, at x = column * STEPS + STEPS / 2.
            let room = self.side(i, STEPS / 2, y) - least;
            let per_column = dy * STEPS;
            match per_column {
                0 if room < 0 => return None,
                0 => {}
                p if p > 0 => last = last.min(room.div_euclid(p) + 1),
                p => first = first.max(-room.div_euclid(-p)),
            }
        }
        (first < last).then_some((first as usize, last as usize))
    }
}

/// Lays one colour over a run of pixels.
fn even(line: &mut [u8], colour: [f32; 4]) {
    let bytes = colour.map(|v| (v + 0.5) as u8);
    match bytes[3] {
        255 => line.chunks_exact_mut(3).for_each(|p| p.copy_from_slice(&bytes[..3])),
        0 if bytes == [0; 4] => {}
        _ => line.chunks_exact_mut(3).for_each(|p| blend(p, colour)),
    }
}

/// Lays a shaded or textured run over pixels that begin at (column, row).
fn shaded(
    line: &mut [u8],
    corners: [&Vertex; 3],
    shape: &Shape,
    (column, row): (usize, usize),
    texture: &Texture,
) {
    let [a, b, c] = shape.order.map(|i| corners[i]);
    let channels = |v: &Vertex| {
        let [r, g, b, a] = v.color.to_array().map(f32::from);
        [r, g, b, a, v.uv.x, v.uv.y]
    };
    let (at_a, at_b, at_c) = (channels(a), channels(b), channels(c));
    let (x, y) = (column as i64 * STEPS + STEPS / 2, row as i64 * STEPS + STEPS / 2);
    let area = shape.area as f64;
    let share = |side: i64| side as f64 / area;
    let (b_here, c_here) = (share(shape.side(1, x, y)), share(shape.side(2, x, y)));
    let (b_step, c_step) =
        (share(shape.side(1, x + STEPS, y)) - b_here, share(shape.side(2, x + STEPS, y)) - c_here);
    let mut here = [0.0_f32; 6];
    let mut step = [0.0_f32; 6];
    for i in 0..6 {
        let (to_b, to_c) = (f64::from(at_b[i] - at_a[i]), f64::from(at_c[i] - at_a[i]));
        here[i] = (f64::from(at_a[i]) + b_here * to_b + c_here * to_c) as f32;
        step[i] = (b_step * to_b + c_step * to_c) as f32;
    }
    // Texels to a pixel along the row: more than one means the texture is made smaller.
    let texels_per_px = (step[4] * texture.width() as f32).hypot(step[5] * texture.height() as f32);
    for (n, pixel) in line.chunks_exact_mut(3).enumerate() {
        let at = |i: usize| here[i] + n as f32 * step[i];
        let tint = [at(0), at(1), at(2), at(3)].map(|v| v.clamp(0.0, 255.0));
        let colour = product(tint, texture.sample(at(4), at(5), texels_per_px));
        if colour[3] > 0.0 || colour[0] + colour[1] + colour[2] > 0.0 {
            blend(pixel, colour);
        }
    }
}

/// Vertex colour times texel, both 0 to 255.
fn product(tint: [f32; 4], texel: [f32; 4]) -> [f32; 4] {
    std::array::from_fn(|i| tint[i] * texel[i] / 255.0)
}

/// Premultiplied source over what is there, rounded to bytes as a frame buffer does.
fn blend(pixel: &mut [u8], source: [f32; 4]) {
    let kept = 1.0 - source[3] / 255.0;
    for (byte, over) in pixel.iter_mut().zip(source) {
        *byte = (over + f32::from(*byte) * kept + 0.5).clamp(0.0, 255.0) as u8;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Color32, pos2};

    const ALL: ClipPx = ClipPx { left: 0, top: 0, right: 20, bottom: 20 };

    fn vertex(x: f32, y: f32, colour: Color32) -> Vertex {
        Vertex::untextured(pos2(x, y), colour)
    }

    /// How often each pixel is drawn, by adding 1 to a black canvas through additive colours.
    fn counts(triangles: &[[(f32, f32); 3]]) -> Vec<u8> {
        let mut canvas = Canvas::filled(20, 20, [0; 3]);
        let one = Color32::from_rgba_premultiplied(1, 1, 1, 0);
        for t in triangles {
            let [a, b, c] = t.map(|(x, y)| vertex(x, y, one));
            canvas.triangle([&a, &b, &c], 1.0, ALL, &Texture::white());
        }
        canvas.pixels.chunks_exact(3).map(|p| p[0]).collect()
    }

    #[test]
    fn triangles_that_share_an_edge_draw_each_pixel_once() {
        // A fan round a point off the grid, both windings, covering the square 2..18.
        let hub = (9.37, 11.81);
        let rim = [(2.0, 2.0), (11.5, 2.0), (18.0, 2.0), (18.0, 18.0), (6.25, 18.0), (2.0, 18.0), (2.0, 7.5)];
        let fan: Vec<_> = (0..rim.len())
            .map(|i| {
                let (p, q) = (rim[i], rim[(i + 1) % rim.len()]);
                if i % 2 == 0 { [hub, p, q] } else { [q, p, hub] }
            })
            .collect();
        for (n, &times) in counts(&fan).iter().enumerate() {
            let (x, y) = (n % 20, n / 20);
            let inside = (2..18).contains(&x) && (2..18).contains(&y);
            assert_eq!(times, u8::from(inside), "pixel {x}, {y}");
        }
    }

    #[test]
    fn the_clip_rectangle_cuts_and_far_or_broken_vertices_draw_nothing() {
        let mut canvas = Canvas::filled(20, 20, [0; 3]);
        let clip = canvas.clip_px(egui::Rect::from_min_max(pos2(4.6, -3.0), pos2(9.4, 99.0)), 1.0);
        assert_eq!(clip, ClipPx { left: 5, top: 0, right: 9, bottom: 20 });
        let big = [(-50.0, -50.0), (100.0, -50.0), (-50.0, 100.0)].map(|(x, y)| vertex(x, y, Color32::WHITE));
        canvas.triangle([&big[0], &big[1], &big[2]], 1.0, clip, &Texture::white());
        let drawn = canvas.pixels.chunks_exact(3).filter(|p| p[0] == 255).count();
        assert_eq!(drawn, 4 * 20);
        let broken = vertex(f32::NAN, 0.0, Color32::RED);
        canvas.triangle([&broken, &big[1], &big[2]], 1.0, ALL, &Texture::white());
        assert_eq!(canvas.pixels.chunks_exact(3).filter(|p| p[0] == 255).count(), drawn);
    }

    #[test]
    fn premultiplied_alpha_lets_the_ground_through() {
        let mut canvas = Canvas::filled(20, 20, [200, 100, 0]);
        let half = Color32::from_rgba_premultiplied(0, 0, 128, 128);
        let [a, b, c] = [(0.0, 0.0), (40.0, 0.0), (0.0, 40.0)].map(|(x, y)| vertex(x, y, half));
        canvas.triangle([&a, &b, &c], 1.0, ALL, &Texture::white());
        assert_eq!(canvas.pixels[..3], [100, 50, 128]);
    }
}
