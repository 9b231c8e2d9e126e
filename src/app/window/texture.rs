//! The camera's picture as a texture, made anew for each frame and no larger than it is shown.
//!
//! A picture that is shown at less than half its size is reduced by averaging whole blocks first: a
//! screen's own filter looks at four pixels only and would make tags and figures flicker.

use crate::vision::outline::Rectified;
use crate::vision::{Frame, RgbImage};
use egui::{Color32, ColorImage, TextureHandle, TextureId, TextureOptions, Ui};

/// Which frame of which page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shown {
    /// Of the table: the number of its reading.
    Table(u64),
    /// Of a calibration: the number of its look.
    Lens(u64),
    /// Of a base in the jig: the number of its look.
    Jig(u64),
    /// Of a spot without tags: the number of its picture.
    Spot(u64),
    /// Of demo mode's loop: the number of its look.
    Loop(u64),
    /// Of the second camera: the number of its frame.
    Second(u64),
    /// Of the board from above: the number of its look.
    Above(u64),
}

/// The texture, and what it was made from.
#[derive(Default)]
pub struct PictureTexture {
    handle: Option<TextureHandle>,
    made_of: Option<(Shown, usize)>,
}

impl PictureTexture {
    /// The texture of a frame, which is shown `width` points wide, or `None` where there is none.
    pub fn id(&mut self, ui: &Ui, shown: Option<(&Frame, Shown)>, width: f32) -> Option<TextureId> {
        let Some((frame, shown)) = shown else {
            *self = Self::default();
            return None;
        };
        let shown_px = (width * ui.ctx().pixels_per_point()).max(1.0);
        let block = ((frame.grey.width() as f32 / shown_px).floor() as usize).max(1);
        let made_of = (shown, block);
        if self.made_of != Some(made_of) {
            let image = match &frame.colour {
                Some(colour) => reduced(colour, block),
                None => reduced(&frame.grey.to_rgb(), block),
            };
            self.show(ui, image, made_of);
        }
        self.handle.as_ref().map(TextureHandle::id)
    }
}

impl PictureTexture {
    /// The texture of the board from above, or `None` where it was not seen.
    pub fn above(&mut self, ui: &Ui, seen: Option<(&std::sync::Arc<Rectified>, u64)>) -> Option<TextureId> {
        let Some((seen, look)) = seen else {
            *self = Self::default();
            return None;
        };
        let made_of = (Shown::Above(look), 1);
        if self.made_of != Some(made_of) {
            self.show(ui, reduced(&seen.picture, 1), made_of);
        }
        self.handle.as_ref().map(TextureHandle::id)
    }

    fn show(&mut self, ui: &Ui, image: ColorImage, made_of: (Shown, usize)) {
        match &mut self.handle {
            Some(handle) => handle.set(image, TextureOptions::LINEAR),
            None => self.handle = Some(ui.ctx().load_texture("camera", image, TextureOptions::LINEAR)),
        }
        self.made_of = Some(made_of);
    }
}

/// The picture with each `block` by `block` pixels made one; a rest at the right and the bottom is cut.
fn reduced(picture: &RgbImage, block: usize) -> ColorImage {
    let block = block.clamp(1, picture.width().min(picture.height()));
    let (width, height) = (picture.width() / block, picture.height() / block);
    let row_bytes = 3 * picture.width();
    let mut pixels = Vec::with_capacity(width * height);
    let area = (block * block) as u32;
    let mut sums = vec![0_u32; 3 * width];
    for y in 0..height {
        sums.fill(0);
        for row in picture.data()[y * block * row_bytes..].chunks_exact(row_bytes).take(block) {
            for (sum, bytes) in sums.chunks_exact_mut(3).zip(row.chunks_exact(3 * block)) {
                for pixel in bytes.chunks_exact(3) {
                    sum[0] += u32::from(pixel[0]);
                    sum[1] += u32::from(pixel[1]);
                    sum[2] += u32::from(pixel[2]);
                }
            }
        }
        let mean = |sum: u32| ((sum + area / 2) / area) as u8;
        pixels.extend(sums.chunks_exact(3).map(|s| Color32::from_rgb(mean(s[0]), mean(s[1]), mean(s[2]))));
    }
    ColorImage::new([width, height], pixels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_averaged_and_the_rest_is_cut() {
        let data = (0..5 * 3).flat_map(|n| [n as u8 * 10, 0, 255]).collect();
        let picture = RgbImage::new(5, 3, data).expect("three bytes a pixel");
        let small = reduced(&picture, 2);
        assert_eq!(small.size, [2, 1]);
        assert_eq!(small.pixels, [Color32::from_rgb(30, 0, 255), Color32::from_rgb(50, 0, 255)]);
        assert_eq!(reduced(&picture, 9).size, [1, 1]);
    }
}
