//! What kind of camera and table the simulated camera shows.

use super::super::Distortion;

/// How much lies on the table beside the bases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Clutter {
    /// The cloth, the reference tags and the bases with their tags; no figures.
    None,
    /// Figures, and nothing else.
    Troops,
    /// Figures, and terrain where there is room for it.
    Figures,
    /// Also dice, cards, loose trees, and a measuring stick over a reference tag; spears are lowered
    /// across neighbours' tags.
    Heavy,
}

/// What moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Motion {
    /// Nothing.
    Still,
    /// Every few seconds a hand comes in, moves a base or a group, and leaves; after some moves they
    /// are taken back one by one, and all begins again.
    Hands,
}

/// How light becomes picture values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// The sRGB curve, as cameras do. Since lens blur comes before it, the light side of a sharp edge
    /// spreads into the dark: with the default blur a black square's edges show 0.47 px further in.
    Srgb,
    /// Values in proportion to light. No camera does this; edges show where they are.
    Linear,
}

/// Settings of the simulated camera. Lengths in pixels are for the picture's own size.
#[derive(Debug, Clone, PartialEq)]
pub struct SimSettings {
    /// Picture columns. Default 1920.
    pub width: u32,
    /// Picture rows. Default 1080.
    pub height: u32,
    /// Frames in a second of the simulated clock. Default 10. The source itself never waits.
    pub fps: f64,
    /// Field of view across the picture's width, degrees. Default 71.
    pub field_of_view_deg: f64,
    /// The lens's bending. Default k1 -0.06, k2 0.03, p1 -0.0003, p2 0.0004: a plain webcam's.
    pub distortion: Distortion,
    /// One sigma of the lens's blur, pixels, beside the pixel's own square. Default 0.7.
    pub blur_px: f64,
    /// Sensor grain, as a multiple of an ordinary webcam's in room light: 9000 electrons at white
    /// (shot noise) and 18 electrons of read noise. Default 1; 0 is none.
    pub noise: f64,
    /// Exposure, as a multiple of one that shows white paper at about 220 of 255. Default 1.
    pub exposure: f64,
    /// How light becomes values. Default [`Tone::Srgb`].
    pub tone: Tone,
    /// Light lost in the picture's corners, a share. Default 0.18.
    pub vignette: f64,
    /// JPEG quality, 1 to 100, or none. Default 92: the picture is encoded and decoded again.
    pub jpeg_quality: Option<u8>,
    /// What else lies on the table. Default [`Clutter::Figures`].
    pub clutter: Clutter,
    /// What moves. Default [`Motion::Hands`].
    pub motion: Motion,
}

impl Default for SimSettings {
    fn default() -> Self {
        Self {
            width: 1920,
            height: 1080,
            fps: 10.0,
            field_of_view_deg: 71.0,
            distortion: Distortion { k1: -0.06, k2: 0.03, p1: -3e-4, p2: 4e-4, k3: 0.0 },
            blur_px: 0.7,
            noise: 1.0,
            exposure: 1.0,
            tone: Tone::Srgb,
            vignette: 0.18,
            jpeg_quality: Some(92),
            clutter: Clutter::Figures,
            motion: Motion::Hands,
        }
    }
}

impl SimSettings {
    /// Names for [`SimSettings::profile`].
    pub const PROFILES: [&str; 3] = ["clean", "table", "messy"];

    /// A named profile: `clean` (no figures, grain or JPEG, nothing moves), `table` (the default), or
    /// `messy` (all the clutter, more grain, a stronger JPEG). `None` for another name.
    pub fn profile(name: &str) -> Option<Self> {
        let plain = Self::default();
        match name {
            "clean" => Some(Self {
                noise: 0.0,
                jpeg_quality: None,
                clutter: Clutter::None,
                motion: Motion::Still,
                ..plain
            }),
            "table" => Some(plain),
            "messy" => Some(Self { noise: 1.6, jpeg_quality: Some(80), clutter: Clutter::Heavy, ..plain }),
            _ => None,
        }
    }

    /// The same at another picture size.
    pub fn with_size(self, width: u32, height: u32) -> Self {
        Self { width, height, ..self }
    }
}
