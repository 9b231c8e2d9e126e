//! Rays from pixels to shapes: linear light for each pixel of the picture.
//!
//! Every ray is the exact inverse of the camera model at points four pixels apart, linear between
//! (worst error with the default lens 0.0004 px). A pixel where its corners and its middle meet the
//! same thing is shaded once; any other is sampled on a lattice of 34 or, where a printed tag shows,
//! 89 points, which puts a straight edge within 0.01 px of its place. The picture is kept in tiles;
//! a tile is drawn again only when a shape or a shadow in it has changed, and what is drawn does not
//! depend on what was drawn before.

use super::light::Shade;
use super::math::{V3, hash};
use super::world::{Material, Owner, Solid, World};
use crate::vision::{CameraModel, PixelPoint};

/// Pixels along a tile's side.
pub(super) const TILE: usize = 16;
/// Pixels between exact rays.
const STEP: usize = 4;
const NODES: usize = TILE / STEP + 1;
/// The thing met where no shape is: the ground.
const GROUND: u32 = u32::MAX;

/// Fibonacci lattices: point i is (i / n, i * generator / n).
const PLAIN_SAMPLES: (u32, u32) = (34, 21);
const TAG_SAMPLES: (u32, u32) = (89, 55);

/// Pixel bounds, the ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Bounds {
    left: f32,
    top: f32,
    right: f32,
    bottom: f32,
}

impl Bounds {
    const NOTHING: Self = Self { left: 1e9, top: 1e9, right: -1e9, bottom: -1e9 };

    fn add(&mut self, x: f32, y: f32, radius: f32) {
        self.left = self.left.min(x - radius);
        self.right = self.right.max(x + radius);
        self.top = self.top.min(y - radius);
        self.bottom = self.bottom.max(y + radius);
    }

    fn holds(&self, x: f32, y: f32) -> bool {
        x >= self.left && x <= self.right && y >= self.top && y <= self.bottom
    }
}

/// What one tile has to look at.
#[derive(Debug, Clone, Default)]
struct TileList {
    seen: Vec<u32>,
    casting: Vec<u32>,
    mark: u64,
}

/// Draws worlds through one camera.
pub(super) struct Renderer {
    camera: CameraModel,
    eye: V3,
    columns: [V3; 3],
    width: usize,
    height: usize,
    across: usize,
    down: usize,
    tiles: Vec<TileList>,
    bounds: Vec<Bounds>,
    drawn: Vec<Option<u64>>,
    light: Vec<[f32; 3]>,
}

impl Renderer {
    /// A renderer of pictures of the camera's size.
    pub(super) fn new(camera: CameraModel) -> Self {
        let empty = Self::empty(camera);
        Self { light: vec![[0.0; 3]; empty.width * empty.height], ..empty }
    }

    fn empty(camera: CameraModel) -> Self {
        let (width, height) = (camera.lens.width as usize, camera.lens.height as usize);
        let (across, down) = (width.div_ceil(TILE), height.div_ceil(TILE));
        let eye = camera.pose.eye();
        let back = camera.pose.camera_from_table.rotation.inverse().to_rotation_matrix();
        let column = |i: usize| {
            let c = back.matrix().column(i);
            super::math::v3(c[0], c[1], c[2])
        };
        Self {
            camera,
            eye: super::math::v3(eye.x, eye.y, eye.z),
            columns: [column(0), column(1), column(2)],
            width,
            height,
            across,
            down,
            tiles: vec![TileList::default(); across * down],
            bounds: Vec::new(),
            drawn: vec![None; across * down],
            light: Vec::new(),
        }
    }

    /// A renderer that only sorts and answers [`Renderer::owner_at`].
    pub(super) fn sorter(camera: CameraModel) -> Self {
        Self { light: Vec::new(), ..Self::empty(camera) }
    }

    /// Linear light of every pixel, row by row.
    pub(super) fn light(&self) -> &[[f32; 3]] {
        &self.light
    }

    /// Tiles across and down.
    pub(super) fn tiles(&self) -> (usize, usize) {
        (self.across, self.down)
    }

    /// Draws `world`; gives for each tile whether it was drawn again.
    pub(super) fn draw(&mut self, world: &World) -> Vec<bool> {
        self.sort(world);
        let stale: Vec<bool> =
            self.tiles.iter().zip(&self.drawn).map(|(tile, drawn)| *drawn != Some(tile.mark)).collect();
        for index in (0..stale.len()).filter(|i| stale[*i]) {
            self.draw_tile(world, index);
            self.drawn[index] = Some(self.tiles[index].mark);
        }
        stale
    }

    /// Sorts the world's shapes into tiles without drawing; enough for [`Renderer::owner_at`].
    pub(super) fn sort(&mut self, world: &World) {
        for tile in &mut self.tiles {
            tile.seen.clear();
            tile.casting.clear();
            tile.mark = 1;
        }
        self.bounds.clear();
        for (index, solid) in world.solids.iter().enumerate() {
            let mark = solid.mark();
            let (mut view, mut shade) = (Bounds::NOTHING, Bounds::NOTHING);
            solid.shape.hull(|p, r| {
                self.project(&p, r, &mut view);
                self.project(&p, r, &mut shade);
                let reach = p.z / world.lamp.z;
                let foot = p - world.lamp * reach;
                self.project(&foot, r + 0.4 + reach * 0.08, &mut shade);
            });
            self.bounds.push(view);
            self.each_tile(&view, |tile| {
                tile.seen.push(index as u32);
                tile.mark = stir(tile.mark, mark);
            });
            self.each_tile(&shade, |tile| {
                tile.casting.push(index as u32);
                tile.mark = stir(tile.mark, mark ^ 0x5bd1_e995);
            });
        }
    }

    fn project(&self, p: &V3, radius: f32, bounds: &mut Bounds) {
        let point = nalgebra::Point3::new(f64::from(p.x), f64::from(p.y), f64::from(p.z));
        if let Some(pixel) = self.camera.image_from_table(point) {
            let away = (p - self.eye).norm().max(1.0);
            let reach = radius * 1.25 * self.camera.lens.fx.max(self.camera.lens.fy) as f32 / away;
            bounds.add(pixel.x as f32, pixel.y as f32, reach + 3.0);
        }
    }

    fn each_tile(&mut self, bounds: &Bounds, mut each: impl FnMut(&mut TileList)) {
        let cell = |v: f32, count: usize| ((v + 0.5) / TILE as f32).floor().clamp(-1.0, count as f32) as i64;
        let (left, right) = (cell(bounds.left, self.across), cell(bounds.right, self.across));
        let (top, bottom) = (cell(bounds.top, self.down), cell(bounds.bottom, self.down));
        for y in top.max(0)..=bottom.min(self.down as i64 - 1) {
            for x in left.max(0)..=right.min(self.across as i64 - 1) {
                each(&mut self.tiles[y as usize * self.across + x as usize]);
            }
        }
    }

    /// The unit ray of a point of the picture, exactly.
    fn ray_at(&self, x: f64, y: f64) -> V3 {
        let n = self.camera.lens.to_normalised(PixelPoint::new(x, y));
        (self.columns[0] * n.x as f32 + self.columns[1] * n.y as f32 + self.columns[2]).normalize()
    }

    fn draw_tile(&mut self, world: &World, index: usize) {
        let (left, top) = ((index % self.across) * TILE, (index / self.across) * TILE);
        let list = std::mem::take(&mut self.tiles[index]);
        let rays = TileRays::new(self, left, top);
        let seen: Vec<(Bounds, u32)> = list.seen.iter().map(|i| (self.bounds[*i as usize], *i)).collect();
        let shade = Shade { world, eye: self.eye, casting: &list.casting };
        let scan =
            Scan { world, eye: self.eye, seen: &seen, rays: &rays, left: left as f32, top: top as f32 };
        let (columns, rows) = (TILE.min(self.width - left), TILE.min(self.height - top));
        let mut corners = [[Met::default(); TILE + 1]; TILE + 1];
        if !seen.is_empty() {
            for (y, row) in corners.iter_mut().enumerate().take(rows + 1) {
                for (x, corner) in row.iter_mut().enumerate().take(columns + 1) {
                    *corner = scan.meet(x as f32 - 0.5, y as f32 - 0.5);
                }
            }
        }
        for y in 0..rows {
            for x in 0..columns {
                let at = (top + y) * self.width + left + x;
                let middle = scan.meet(x as f32, y as f32);
                let around = [corners[y][x], corners[y][x + 1], corners[y + 1][x], corners[y + 1][x + 1]];
                let colour = if seen.is_empty() || around.iter().all(|m| m.same(&middle)) {
                    let ray = rays.at(x as f32, y as f32);
                    shade.colour(
                        &ray,
                        &[(
                            middle.what,
                            1.0,
                            f32::from(u8::from(middle.white)),
                            self.eye + ray * middle.distance,
                        )],
                    )
                } else {
                    let tagged = around.iter().chain([&middle]).any(|m| m.tag);
                    scan.spread(x, y, tagged, &shade)
                };
                self.light[at] = colour.into();
            }
        }
        self.tiles[index] = list;
    }

    /// Whether what the camera sees at `point` is `owner`'s, and if not whether a hand hides it; the
    /// world must be the one last sorted. `None` outside the picture.
    pub(super) fn owner_at(&self, world: &World, point: PixelPoint) -> Option<Owner> {
        let inside = point.x >= -0.5
            && point.y >= -0.5
            && point.x < self.width as f64 - 0.5
            && point.y < self.height as f64 - 0.5;
        if !inside {
            return None;
        }
        let (tx, ty) = (((point.x + 0.5) / TILE as f64) as usize, ((point.y + 0.5) / TILE as f64) as usize);
        let ray = self.ray_at(point.x, point.y);
        let mut nearest = (self.eye.z / -ray.z, Owner::Other);
        for index in &self.tiles[ty * self.across + tx].seen {
            let solid = &world.solids[*index as usize];
            let t = solid.shape.hit(&self.eye, &ray);
            if t < nearest.0 {
                nearest = (t, solid.owner);
            }
        }
        Some(nearest.1)
    }
}

fn stir(mark: u64, with: u64) -> u64 {
    (mark ^ with).wrapping_mul(0x9fb2_1c65_1e98_df25).rotate_left(27)
}

/// Rays inside a tile: exact at nodes, linear between.
struct TileRays {
    nodes: [[V3; NODES]; NODES],
}

impl TileRays {
    fn new(renderer: &Renderer, left: usize, top: usize) -> Self {
        let mut nodes = [[V3::zeros(); NODES]; NODES];
        for (j, row) in nodes.iter_mut().enumerate() {
            for (i, node) in row.iter_mut().enumerate() {
                let (x, y) = ((left + i * STEP) as f64 - 0.5, (top + j * STEP) as f64 - 0.5);
                let n = renderer.camera.lens.to_normalised(PixelPoint::new(x, y));
                let [a, b, c] = renderer.columns;
                *node = a * n.x as f32 + b * n.y as f32 + c;
            }
        }
        Self { nodes }
    }

    /// The unit ray at (`x`, `y`) pixels from the centre of the tile's first pixel.
    fn at(&self, x: f32, y: f32) -> V3 {
        let (u, v) = ((x + 0.5) / STEP as f32, (y + 0.5) / STEP as f32);
        let (i, j) = ((u as usize).min(NODES - 2), (v as usize).min(NODES - 2));
        let (u, v) = (u - i as f32, v - j as f32);
        let low = self.nodes[j][i] + (self.nodes[j][i + 1] - self.nodes[j][i]) * u;
        let high = self.nodes[j + 1][i] + (self.nodes[j + 1][i + 1] - self.nodes[j + 1][i]) * u;
        (low + (high - low) * v).normalize()
    }
}

/// What one ray met.
#[derive(Debug, Clone, Copy, Default)]
struct Met {
    what: u32,
    distance: f32,
    tag: bool,
    white: bool,
}

impl Met {
    fn same(&self, other: &Self) -> bool {
        self.what == other.what && self.white == other.white
    }
}

/// Rays of one tile against its shapes.
struct Scan<'a> {
    world: &'a World,
    eye: V3,
    seen: &'a [(Bounds, u32)],
    rays: &'a TileRays,
    left: f32,
    top: f32,
}

impl Scan<'_> {
    fn meet(&self, x: f32, y: f32) -> Met {
        let ray = self.rays.at(x, y);
        let (px, py) = (self.left + x, self.top + y);
        let mut met = Met { what: GROUND, distance: self.eye.z / -ray.z, tag: false, white: false };
        if met.distance <= 0.0 {
            met.distance = 1e6;
        }
        for (bounds, index) in self.seen {
            if bounds.holds(px, py) {
                let t = self.world.solids[*index as usize].shape.hit(&self.eye, &ray);
                if t < met.distance {
                    (met.what, met.distance) = (*index, t);
                }
            }
        }
        if met.what != GROUND {
            let solid = &self.world.solids[met.what as usize];
            if let Material::Tag { .. } | Material::Stripes { .. } = solid.material {
                met.tag = true;
                met.white = is_white(self.world, solid, &(self.eye + ray * met.distance));
            }
        }
        met
    }

    /// A pixel with more than one thing in it: each is shaded once, by its share.
    fn spread(&self, x: usize, y: usize, tagged: bool, shade: &Shade<'_>) -> V3 {
        let (count, generator) = if tagged { TAG_SAMPLES } else { PLAIN_SAMPLES };
        let (px, py) = ((self.left as usize + x) as i32, (self.top as usize + y) as i32);
        let turn = hash(px, py, 17);
        let (shift_u, shift_v) = ((turn & 0xffff) as f32 / 65536.0, (turn >> 16) as f32 / 65536.0);
        let mut parts: Vec<(u32, f32, f32, V3)> = Vec::with_capacity(4);
        let mut middle = V3::zeros();
        for i in 0..count {
            let u = (i as f32 / count as f32 + shift_u).fract();
            let v = ((i * generator % count) as f32 / count as f32 + shift_v).fract();
            let (sx, sy) = (x as f32 + u - 0.5, y as f32 + v - 0.5);
            let met = self.meet(sx, sy);
            let ray = self.rays.at(sx, sy);
            let p = self.eye + ray * met.distance;
            let white = f32::from(u8::from(met.white));
            middle += ray;
            match parts.iter_mut().find(|part| part.0 == met.what) {
                Some(part) => {
                    part.1 += 1.0;
                    part.2 += white;
                    part.3 += p;
                }
                None => parts.push((met.what, 1.0, white, p)),
            }
        }
        for part in &mut parts {
            part.2 /= part.1;
            part.3 /= part.1;
            part.1 /= count as f32;
        }
        shade.colour(&middle.normalize(), &parts)
    }
}

/// Whether the module of a printed tag, or the stripe, at `p` is white.
fn is_white(world: &World, solid: &Solid, p: &V3) -> bool {
    let (_, [u, v]) = solid.shape.surface(p);
    let (pattern, module_mm) = match solid.material {
        Material::Tag { pattern, module_mm, .. } => (pattern, module_mm),
        Material::Stripes { from, period_mm, .. } => {
            let along = (u + from[0] + v + from[1]) * std::f32::consts::FRAC_1_SQRT_2;
            return (along / period_mm).rem_euclid(1.0) < 0.5;
        }
        _ => return false,
    };
    let pattern = &world.patterns[pattern as usize];
    let half = pattern.modules() as f32 / 2.0;
    let (column, row) = (u / module_mm + half, half - v / module_mm);
    if column < 0.0 || row < 0.0 {
        return true;
    }
    pattern.is_light(row as usize, column as usize).unwrap_or(true)
}
