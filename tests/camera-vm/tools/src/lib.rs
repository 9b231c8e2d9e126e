//! What the helpers of the camera's virtual machine share: pictures as a webcam sends them.

use std::path::Path;

/// A webcam's pixel format.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PixelFormat {
    /// YUV 4:2:2, two bytes a pixel: Y0 U Y1 V.
    Yuyv,
    /// One JPEG a picture.
    Mjpeg,
}

impl PixelFormat {
    /// Every format, in the order of the camera's descriptors.
    pub const ALL: [Self; 2] = [Self::Yuyv, Self::Mjpeg];

    /// What a picture file of this format ends in.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Yuyv => "yuyv",
            Self::Mjpeg => "jpg",
        }
    }
}

/// The limited-range BT.601 values of an RGB colour, as webcams send them.
fn yuv(rgb: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = rgb.map(i32::from);
    let y = ((66 * r + 129 * g + 25 * b + 128) >> 8) + 16;
    let u = ((-38 * r - 74 * g + 112 * b + 128) >> 8) + 128;
    let v = ((112 * r - 94 * g - 18 * b + 128) >> 8) + 128;
    [y, u, v].map(|value| value.clamp(0, 255) as u8)
}

/// A picture in one format, from RGB bytes, row by row. The width is even.
///
/// # Errors
/// When the JPEG encoder refuses it.
pub fn encode(
    format: PixelFormat,
    size: (u16, u16),
    rgb: &[u8],
) -> Result<Vec<u8>, jpeg_encoder::EncodingError> {
    match format {
        PixelFormat::Yuyv => Ok(rgb
            .chunks_exact(6)
            .flat_map(|pair| {
                let [y0, u0, v0] = yuv([pair[0], pair[1], pair[2]]);
                let [y1, u1, v1] = yuv([pair[3], pair[4], pair[5]]);
                let mean = |a: u8, b: u8| u16::midpoint(u16::from(a), u16::from(b)) as u8;
                [y0, mean(u0, u1), y1, mean(v0, v1)]
            })
            .collect()),
        PixelFormat::Mjpeg => {
            let mut out = Vec::new();
            let mut encoder = jpeg_encoder::Encoder::new(&mut out, 85);
            encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_2_1);
            encoder.encode(rgb, size.0, size.1, jpeg_encoder::ColorType::Rgb)?;
            Ok(out)
        }
    }
}

/// Eight upright colour bars: what the fake camera shows in a size it has no pictures for.
pub fn colour_bars(size: (u16, u16)) -> Vec<u8> {
    const BARS: [[u8; 3]; 8] = [
        [235, 235, 235],
        [210, 200, 30],
        [30, 190, 200],
        [30, 180, 40],
        [190, 40, 180],
        [190, 30, 30],
        [40, 40, 190],
        [20, 20, 20],
    ];
    let (width, height) = (usize::from(size.0), usize::from(size.1));
    (0..width * height).flat_map(|i| BARS[(i % width) * BARS.len() / width]).collect()
}

/// The picture files of one format in a folder, in the order of their names.
///
/// # Errors
/// When the folder or a file cannot be read.
pub fn picture_files(folder: &Path, format: PixelFormat) -> std::io::Result<Vec<Vec<u8>>> {
    let mut paths: Vec<_> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|e| e == format.extension()));
    paths.sort();
    paths.iter().map(std::fs::read).collect()
}
