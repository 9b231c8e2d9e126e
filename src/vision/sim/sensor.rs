//! From light to a picture: lens blur, falling light, shot and read noise, tone curve, JPEG.

use super::math::{encode, hash};
use super::render::TILE;
use super::{SimSettings, Tone};
use crate::vision::{RgbImage, SourceError};
use opencv::core::{CV_8UC3, Mat, MatTraitConst, MatTraitConstManual, Vector};
use opencv::imgcodecs;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Linear steps of the exposed picture: 4095 is full well, one and a quarter times white.
const STEPS: usize = 4096;
const WHITE_STEP: f32 = (STEPS - 1) as f32 / 1.25;
/// Electrons of white in room light, and read noise, for `noise` = 1.
const WHITE_ELECTRONS: f32 = 9000.0;
const READ_ELECTRONS: f32 = 18.0;
/// Values of ready-made normal noise.
const GRAINS: usize = 1 << 18;

/// A sensor for pictures of one size.
pub(super) struct Sensor {
    width: usize,
    height: usize,
    kernel: Vec<f32>,
    gain: Vec<f32>,
    exposed: Vec<[u16; 3]>,
    sigma: Vec<f32>,
    tone: Vec<u8>,
    grain: Vec<f32>,
    noisy: bool,
    quality: Option<u8>,
    seed: u64,
}

impl Sensor {
    /// A sensor as `settings` say.
    pub(super) fn new(settings: &SimSettings, seed: u64) -> Self {
        let (width, height) = (settings.width as usize, settings.height as usize);
        let curve = |light: f32| match settings.tone {
            Tone::Srgb => encode(light),
            Tone::Linear => light.clamp(0.0, 1.0),
        };
        let tone = (0..STEPS).map(|v| (255.0 * curve(v as f32 / WHITE_STEP)).round() as u8).collect();
        let noise = settings.noise as f32;
        let sigma = (0..STEPS)
            .map(|v| {
                let electrons = v as f32 / WHITE_STEP * WHITE_ELECTRONS;
                noise * (electrons + READ_ELECTRONS * READ_ELECTRONS).sqrt() / WHITE_ELECTRONS * WHITE_STEP
            })
            .collect();
        Self {
            width,
            height,
            kernel: gaussian(settings.blur_px as f32),
            gain: falling_light(width, height, settings),
            exposed: vec![[0; 3]; width * height],
            sigma,
            tone,
            grain: normal_noise(seed),
            noisy: noise > 0.0,
            quality: settings.jpeg_quality,
            seed,
        }
    }

    /// Takes up the light of the tiles that changed, and of their rims.
    pub(super) fn expose(&mut self, light: &[[f32; 3]], changed: &[bool], across: usize, down: usize) {
        for ty in 0..down {
            for tx in 0..across {
                let near = |v: usize, count: usize| v.saturating_sub(1)..=(v + 1).min(count - 1);
                let stale = near(ty, down).any(|y| near(tx, across).any(|x| changed[y * across + x]));
                if stale {
                    self.expose_tile(light, tx * TILE, ty * TILE);
                }
            }
        }
    }

    fn expose_tile(&mut self, light: &[[f32; 3]], left: usize, top: usize) {
        let reach = self.kernel.len() / 2;
        let (columns, rows) = (TILE.min(self.width - left), TILE.min(self.height - top));
        let mut across = vec![[0.0f32; 3]; columns * (rows + 2 * reach)];
        for j in 0..rows + 2 * reach {
            let y = (top + j).saturating_sub(reach).min(self.height - 1);
            let row = &light[y * self.width..(y + 1) * self.width];
            for i in 0..columns {
                let mut sum = [0.0f32; 3];
                for (k, weight) in self.kernel.iter().enumerate() {
                    let x = (left + i + k).saturating_sub(reach).min(self.width - 1);
                    let p = row[x];
                    for c in 0..3 {
                        sum[c] += weight * p[c];
                    }
                }
                across[j * columns + i] = sum;
            }
        }
        for j in 0..rows {
            for i in 0..columns {
                let mut sum = [0.0f32; 3];
                for (k, weight) in self.kernel.iter().enumerate() {
                    let p = across[(j + k) * columns + i];
                    for c in 0..3 {
                        sum[c] += weight * p[c];
                    }
                }
                let at = (top + j) * self.width + left + i;
                let gain = self.gain[at] * WHITE_STEP;
                self.exposed[at] = sum.map(|v| (v * gain + 0.5).clamp(0.0, (STEPS - 1) as f32) as u16);
            }
        }
    }

    /// The picture of frame `seq`.
    pub(super) fn read(&self, seq: u64) -> Result<RgbImage, SourceError> {
        let mut data = Vec::with_capacity(self.exposed.len() * 3);
        if self.noisy {
            for (y, row) in self.exposed.chunks_exact(self.width).enumerate() {
                let key = (self.seed as u32) ^ ((self.seed >> 32) as u32);
                let mut at = hash(seq as i32, y as i32, key) as usize;
                for pixel in row {
                    for v in pixel {
                        let noisy = f32::from(*v) + self.sigma[*v as usize] * self.grain[at & (GRAINS - 1)];
                        data.push(self.tone[(noisy + 0.5).clamp(0.0, (STEPS - 1) as f32) as usize]);
                        at += 1;
                    }
                }
            }
        } else {
            data.extend(self.exposed.iter().flatten().map(|v| self.tone[*v as usize]));
        }
        let picture = RgbImage::new(self.width, self.height, data).expect("a sensor has a size");
        match self.quality {
            Some(quality) => through_jpeg(&picture, quality),
            None => Ok(picture),
        }
    }
}

fn gaussian(sigma: f32) -> Vec<f32> {
    if sigma <= 0.0 {
        return vec![1.0];
    }
    let reach = (3.5 * sigma).ceil().min((TILE - 1) as f32) as i32;
    let weights: Vec<f32> =
        (-reach..=reach).map(|i| (-((i * i) as f32) / (2.0 * sigma * sigma)).exp()).collect();
    let total: f32 = weights.iter().sum();
    weights.iter().map(|w| w / total).collect()
}

/// Exposure and vignetting of each pixel.
fn falling_light(width: usize, height: usize, settings: &SimSettings) -> Vec<f32> {
    let (cx, cy) = ((width as f64 - 1.0) / 2.0, (height as f64 - 1.0) / 2.0);
    let corner = (cx * cx + cy * cy).max(1.0);
    let mut gain = Vec::with_capacity(width * height);
    for y in 0..height {
        for x in 0..width {
            let r2 = ((x as f64 - cx).powi(2) + (y as f64 - cy).powi(2)) / corner;
            gain.push((settings.exposure * (1.0 - settings.vignette * r2)) as f32);
        }
    }
    gain
}

/// Normal noise, by Box and Muller, kept within four sigma.
fn normal_noise(seed: u64) -> Vec<f32> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed ^ 0x6e6f_6973_6500_0000);
    let mut values = Vec::with_capacity(GRAINS);
    while values.len() < GRAINS {
        let (u, v): (f32, f32) = (rng.random::<f32>().max(1e-7), rng.random());
        let (length, angle) = ((-2.0 * u.ln()).sqrt().min(4.0), std::f32::consts::TAU * v);
        values.push(length * angle.cos());
        values.push(length * angle.sin());
    }
    values
}

/// Encodes and decodes a picture, as a webcam that sends MJPEG does.
fn through_jpeg(picture: &RgbImage, quality: u8) -> Result<RgbImage, SourceError> {
    let failed = |why: String| SourceError::Decode { path: "the simulated camera's JPEG".to_owned(), why };
    let (width, height) = (picture.width(), picture.height());
    let run = || -> opencv::Result<Option<Vec<u8>>> {
        let bgr: Vec<u8> = picture.data().chunks_exact(3).flat_map(|p| [p[2], p[1], p[0]]).collect();
        let flat = Mat::from_slice(&bgr)?;
        let mat = flat.reshape(3, height as i32)?;
        let mut encoded = Vector::<u8>::new();
        let options =
            Vector::from_slice(&[imgcodecs::IMWRITE_JPEG_QUALITY, i32::from(quality.clamp(1, 100))]);
        imgcodecs::imencode(".jpg", &mat, &mut encoded, &options)?;
        let decoded = imgcodecs::imdecode(&encoded, imgcodecs::IMREAD_COLOR)?;
        if decoded.typ() != CV_8UC3 {
            return Ok(None);
        }
        Ok(Some(decoded.data_bytes()?.chunks_exact(3).flat_map(|p| [p[2], p[1], p[0]]).collect()))
    };
    let data = run().map_err(|e| failed(format!("{e}; this is a fault of the program, please report it")))?;
    data.and_then(|data| RgbImage::new(width, height, data))
        .ok_or_else(|| failed("it came back in another size; this is a fault of the program".to_owned()))
}
