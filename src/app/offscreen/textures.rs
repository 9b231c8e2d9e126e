//! Textures in memory: the font atlas and the window's own pictures.
//!
//! Texels are sRGB bytes with premultiplied alpha. Texture coordinates run from 0 to 1 over the whole
//! texture. Sampling follows the filter and the wrapping that egui asks for.

use egui::epaint::{ImageData, ImageDelta};
use egui::{TextureFilter, TextureId, TextureOptions, TextureWrapMode, TexturesDelta};
use std::collections::BTreeMap;

/// One texture. Invariant: `texels.len() == width * height`.
pub struct Texture {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
    options: TextureOptions,
}

impl Texture {
    /// One white texel.
    #[cfg(test)]
    pub fn white() -> Self {
        Self { width: 1, height: 1, texels: vec![[255; 4]], options: TextureOptions::NEAREST }
    }

    /// Columns.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Rows.
    pub fn height(&self) -> usize {
        self.height
    }

    /// The colour at (`u`, `v`), channels 0 to 255. `texels_per_px` more than 1 means that the
    /// texture is drawn smaller than it is.
    pub fn sample(&self, u: f32, v: f32, texels_per_px: f32) -> [f32; 4] {
        let filter = if texels_per_px > 1.0 { self.options.minification } else { self.options.magnification };
        let (x, y) = (u * self.width as f32, v * self.height as f32);
        match filter {
            TextureFilter::Nearest => self.texel(x.floor() as i64, y.floor() as i64).map(f32::from),
            TextureFilter::Linear => self.between(x - 0.5, y - 0.5),
        }
    }

    /// Mixes the four texels round a place given in texels from the first one's centre.
    fn between(&self, x: f32, y: f32) -> [f32; 4] {
        let (left, top) = (x.floor(), y.floor());
        let (to_right, to_bottom) = (x - left, y - top);
        let (column, row) = (left as i64, top as i64);
        let a = self.texel(column, row);
        if to_right == 0.0 && to_bottom == 0.0 {
            return a.map(f32::from);
        }
        let (b, c, d) =
            (self.texel(column + 1, row), self.texel(column, row + 1), self.texel(column + 1, row + 1));
        std::array::from_fn(|i| {
            let mix = |p: u8, q: u8, share: f32| f32::from(p) + (f32::from(q) - f32::from(p)) * share;
            let (above, below) = (mix(a[i], b[i], to_right), mix(c[i], d[i], to_right));
            above + (below - above) * to_bottom
        })
    }

    fn texel(&self, column: i64, row: i64) -> [u8; 4] {
        let place = |at: i64, size: usize| {
            let size = size as i64;
            match self.options.wrap_mode {
                TextureWrapMode::ClampToEdge => at.clamp(0, size - 1),
                TextureWrapMode::Repeat => at.rem_euclid(size),
                TextureWrapMode::MirroredRepeat => {
                    let twice = at.rem_euclid(2 * size);
                    twice.min(2 * size - 1 - twice)
                }
            }
        };
        self.texels[place(row, self.height) as usize * self.width + place(column, self.width) as usize]
    }
}

/// Every texture that egui has handed over and not yet taken back.
#[derive(Default)]
pub struct Textures {
    held: BTreeMap<TextureId, Texture>,
}

impl Textures {
    /// Takes over new and changed textures; called before painting.
    pub fn take_changes(&mut self, delta: &mut TexturesDelta) {
        for (id, changes) in delta.set.drain() {
            for change in changes {
                self.change(id, &change);
            }
        }
    }

    /// Lets go of those that egui has freed; called after painting.
    pub fn let_go(&mut self, delta: &mut TexturesDelta) {
        for id in delta.free.drain() {
            self.held.remove(&id);
        }
    }

    /// A texture by its number.
    pub fn get(&self, id: TextureId) -> Option<&Texture> {
        self.held.get(&id)
    }

    fn change(&mut self, id: TextureId, change: &ImageDelta) {
        let ImageData::Color(image) = &change.image;
        let [width, height] = image.size;
        if width == 0 || height == 0 {
            return;
        }
        let texels = image.pixels.iter().map(|c| c.to_array());
        let Some([left, top]) = change.pos else {
            self.held
                .insert(id, Texture { width, height, texels: texels.collect(), options: change.options });
            return;
        };
        let Some(texture) = self.held.get_mut(&id) else { return };
        texture.options = change.options;
        for (n, texel) in texels.enumerate() {
            let (x, y) = (left + n % width, top + n / width);
            if x < texture.width && y < texture.height {
                texture.texels[y * texture.width + x] = texel;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(options: TextureOptions) -> Texture {
        Texture { width: 2, height: 1, texels: vec![[0, 0, 0, 255], [200, 0, 0, 255]], options }
    }

    #[test]
    fn linear_sampling_mixes_between_centres_and_holds_at_the_edge() {
        let t = two(TextureOptions::LINEAR);
        assert_eq!(t.sample(0.5, 0.5, 1.0)[0], 100.0);
        assert_eq!(t.sample(0.0, 0.5, 1.0)[0], 0.0);
        assert_eq!(t.sample(0.75, 0.5, 1.0)[0], 200.0);
        assert_eq!(t.sample(9.0, 0.5, 1.0)[0], 200.0);
    }

    #[test]
    fn wrapping_repeats_or_mirrors() {
        assert_eq!(two(TextureOptions::NEAREST_REPEAT).sample(1.1, 0.5, 1.0)[0], 0.0);
        assert_eq!(two(TextureOptions::NEAREST_MIRRORED_REPEAT).sample(1.1, 0.5, 1.0)[0], 200.0);
    }
}
