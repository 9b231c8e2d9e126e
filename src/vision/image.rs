//! Pictures in memory, tightly packed, row by row from the top left.

/// An 8-bit grey picture. Invariant: `data.len() == width * height`, and neither side is zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GreyImage {
    width: usize,
    height: usize,
    data: Vec<u8>,
}

/// An 8-bit colour picture, red green blue. Invariant: `data.len() == 3 * width * height`, and
/// neither side is zero.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RgbImage {
    width: usize,
    height: usize,
    data: Vec<u8>,
}

macro_rules! picture {
    ($name:ident, $channels:literal) => {
        impl $name {
            /// A picture over `data`, or `None` where the sides and the length do not fit.
            pub fn new(width: usize, height: usize, data: Vec<u8>) -> Option<Self> {
                let right = width > 0
                    && height > 0
                    && width.checked_mul(height).and_then(|n| n.checked_mul($channels)) == Some(data.len());
                right.then_some(Self { width, height, data })
            }

            /// Columns.
            pub fn width(&self) -> usize {
                self.width
            }

            /// Rows.
            pub fn height(&self) -> usize {
                self.height
            }

            /// The bytes, row by row.
            pub fn data(&self) -> &[u8] {
                &self.data
            }

            /// The bytes, to be written.
            pub fn data_mut(&mut self) -> &mut [u8] {
                &mut self.data
            }
        }
    };
}

picture!(GreyImage, 1);
picture!(RgbImage, 3);

impl RgbImage {
    /// Its luma (0.299, 0.587, 0.114, rounded), as a JPEG's own brightness is made.
    pub fn to_grey(&self) -> GreyImage {
        let luma = |p: &[u8]| {
            ((u32::from(p[0]) * 19_595 + u32::from(p[1]) * 38_470 + u32::from(p[2]) * 7_471 + 32_768) >> 16)
                as u8
        };
        GreyImage {
            width: self.width,
            height: self.height,
            data: self.data.chunks_exact(3).map(luma).collect(),
        }
    }
}

impl GreyImage {
    /// The same picture with three equal channels.
    pub fn to_rgb(&self) -> RgbImage {
        RgbImage {
            width: self.width,
            height: self.height,
            data: self.data.iter().flat_map(|&v| [v, v, v]).collect(),
        }
    }
}
