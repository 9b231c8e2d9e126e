//! The picture's light as it is compared across a rim: in linear light, one grey channel or brightness and two
//! differences of colour, between pixels.
//!
//! A brown base on green cloth is as bright as the cloth: its rim shows in colour alone. Image frame: pixel centres
//! at whole numbers.

use crate::vision::register::Response;
use crate::vision::{GreyImage, PixelPoint, RgbImage};

/// Channels of a place: brightness, red less green, blue less brightness. Linear light, 0 to about 1.
pub(super) type Channels = [f64; 3];

/// A picture to be looked at between its pixels.
pub(super) struct Light<'a> {
    grey: &'a GreyImage,
    colour: Option<&'a RgbImage>,
    linear: [f64; 256],
}

impl<'a> Light<'a> {
    /// Of a picture, in colour where there is colour of the same size.
    pub fn of(grey: &'a GreyImage, colour: Option<&'a RgbImage>) -> Self {
        let same = |c: &&RgbImage| (c.width(), c.height()) == (grey.width(), grey.height());
        let response = Response::default();
        let linear = std::array::from_fn(|value| response.decode(value as f64));
        Self { grey, colour: colour.filter(same), linear }
    }

    /// The light at a place; `None` outside the picture.
    pub fn at(&self, pixel: PixelPoint) -> Option<Channels> {
        let (width, height) = (self.grey.width(), self.grey.height());
        let inside =
            pixel.x >= 0.0 && pixel.y >= 0.0 && pixel.x < (width - 1) as f64 && pixel.y < (height - 1) as f64;
        if !inside {
            return None;
        }
        let (column, row) = (pixel.x as usize, pixel.y as usize);
        let (u, v) = (pixel.x - column as f64, pixel.y - row as f64);
        let weights = [
            (row * width + column, (1.0 - u) * (1.0 - v)),
            (row * width + column + 1, u * (1.0 - v)),
            ((row + 1) * width + column, (1.0 - u) * v),
            ((row + 1) * width + column + 1, u * v),
        ];
        let value =
            |of: &dyn Fn(usize) -> f64| weights.iter().map(|(at, weight)| of(*at) * weight).sum::<f64>();
        let Some(colour) = self.colour else {
            return Some([value(&|at| self.linear[usize::from(self.grey.data()[at])]), 0.0, 0.0]);
        };
        let [r, g, b] = [0, 1, 2].map(|k| value(&|at| self.linear[usize::from(colour.data()[3 * at + k])]));
        let bright = 0.3 * r + 0.6 * g + 0.1 * b;
        Some([bright, r - g, b - bright])
    }
}

/// The middle of what was sampled and its spread in each channel, taken so that figures and tags among it hardly count.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tint {
    pub middle: Channels,
    /// Mean square about the middle.
    pub spread: Channels,
}

/// Below this no light differs, linear: half a grey level in the picture's darker half.
const LEAST_SPREAD: f64 = 0.002;

impl Tint {
    /// Of samples; `None` of fewer than eight.
    pub fn of(samples: &[Channels]) -> Option<Self> {
        if samples.len() < 8 {
            return None;
        }
        let median = |mut values: Vec<f64>| {
            values.sort_by(f64::total_cmp);
            values[values.len() / 2]
        };
        let middle: Channels = std::array::from_fn(|k| median(samples.iter().map(|s| s[k]).collect()));
        let spread = std::array::from_fn(|k| {
            let mad = median(samples.iter().map(|s| (s[k] - middle[k]).abs()).collect());
            (1.4826 * mad).max(LEAST_SPREAD).powi(2)
        });
        Some(Self { middle, spread })
    }
}

/// What tells a base from its ground: the way from one tint to the other, each channel counted in its own grain.
#[derive(Debug, Clone, Copy)]
pub(super) struct Contrast {
    ground: Channels,
    /// From the ground's tint to the base's, and one sigma of each channel.
    step: Channels,
    sigma: Channels,
    /// The squared length of the step, in sigmas.
    square: f64,
}

/// Light further than this from the way from one tint to the other is neither's nor a mixture, sigmas.
const BESIDE: f64 = 4.5;
/// How much of its light a place may have: a base throws a shadow, and its edge is lit otherwise than its top.
const SHADES: [f64; 7] = [1.0, 0.9, 1.1, 0.8, 0.7, 0.6, 0.5];
/// What a shade counts as, sigmas for its logarithm: the even light is the likelier.
const SHADE_COSTS: f64 = 3.0;

impl Contrast {
    /// Between a base and its ground.
    pub fn between(base: &Tint, ground: &Tint) -> Self {
        let sigma: Channels = std::array::from_fn(|k| ((base.spread[k] + ground.spread[k]) / 2.0).sqrt());
        let step: Channels = std::array::from_fn(|k| base.middle[k] - ground.middle[k]);
        let square = (0..3).map(|k| (step[k] / sigma[k]).powi(2)).sum();
        Self { ground: ground.middle, step, sigma, square }
    }

    /// How much of a place is the base's: 0 on its ground, 1 on the base.
    pub fn share(&self, light: &Channels) -> f64 {
        let along: f64 =
            (0..3).map(|k| (light[k] - self.ground[k]) * self.step[k] / self.sigma[k].powi(2)).sum();
        along / self.square.max(1e-12)
    }

    /// The share, where the place is the base's, its ground's or a mixture of both, lit more or less; a tag, a figure or
    /// a dark gap is none of these.
    pub fn of_both(&self, light: &Channels) -> Option<f64> {
        let lit = |shade: &f64| {
            let light = light.map(|v| v / shade);
            let share = self.share(&light);
            let beside: f64 = (0..3)
                .map(|k| ((light[k] - self.ground[k] - share * self.step[k]) / self.sigma[k]).powi(2))
                .sum();
            let beyond = (share - 1.0).max(-share).max(0.0) * self.square.sqrt();
            (beside.sqrt().max(beyond) + SHADE_COSTS * shade.ln().abs(), share)
        };
        let (off, share) = SHADES.iter().map(lit).min_by(|a, b| a.0.total_cmp(&b.0))?;
        (off < BESIDE).then_some(share)
    }

    /// How many sigmas of grain the base's tint stands from the ground's.
    pub fn sigmas(&self) -> f64 {
        self.square.sqrt()
    }
}
