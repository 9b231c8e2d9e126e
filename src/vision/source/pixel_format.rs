//! What webcams send, turned into pictures.
//!
//! A buffer may be longer than its picture, never shorter. `None` means a torn frame: it is dropped,
//! never shown as if it were whole.

use super::decode::rgb_of_jpeg;
use crate::vision::{GreyImage, RgbImage};

/// A way in which a webcam sends a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PixelFormat {
    /// JPEG pictures one after another.
    Mjpeg,
    /// Brightness in the even bytes, two pixels sharing their colour in the odd ones.
    Yuyv,
    /// A plane of brightness, then a plane of colour at half the size each way.
    Nv12,
    /// Brightness alone.
    Grey,
    /// Red green blue.
    Rgb,
    /// Blue green red.
    Bgr,
}

impl PixelFormat {
    /// What people call it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mjpeg => "mjpeg",
            Self::Yuyv => "yuyv",
            Self::Nv12 => "nv12",
            Self::Grey => "grey",
            Self::Rgb => "rgb",
            Self::Bgr => "bgr",
        }
    }

    /// The one that is called so.
    pub fn named(name: &str) -> Option<Self> {
        [Self::Mjpeg, Self::Yuyv, Self::Nv12, Self::Grey, Self::Rgb, Self::Bgr]
            .into_iter()
            .find(|f| f.name().eq_ignore_ascii_case(name))
    }

    /// The picture in a camera's buffer: brightness for detection, colour for showing where there is
    /// any. `None` where the buffer is torn or holds another size.
    pub fn decode(self, width: usize, height: usize, buffer: &[u8]) -> Option<(GreyImage, Option<RgbImage>)> {
        let pixels = width.checked_mul(height)?;
        let grey_and_colour = |rgb: RgbImage| (rgb.to_grey(), Some(rgb));
        match self {
            Self::Mjpeg => {
                let rgb = rgb_of_jpeg(buffer)?;
                ((rgb.width(), rgb.height()) == (width, height)).then(|| grey_and_colour(rgb))
            }
            Self::Yuyv => {
                let bytes = buffer.get(..pixels.checked_mul(2)?)?;
                let grey = GreyImage::new(width, height, bytes.iter().step_by(2).copied().collect())?;
                Some((grey, yuyv_colour(width, height, bytes)))
            }
            Self::Nv12 => {
                let bytes = buffer.get(..pixels.checked_add(pixels / 2)?)?;
                let grey = GreyImage::new(width, height, bytes[..pixels].to_vec())?;
                Some((grey, nv12_colour(width, height, bytes)))
            }
            Self::Grey => Some((GreyImage::new(width, height, buffer.get(..pixels)?.to_vec())?, None)),
            Self::Rgb => {
                let bytes = buffer.get(..pixels.checked_mul(3)?)?;
                RgbImage::new(width, height, bytes.to_vec()).map(grey_and_colour)
            }
            Self::Bgr => {
                let bytes = buffer.get(..pixels.checked_mul(3)?)?;
                let rgb = bytes.chunks_exact(3).flat_map(|p| [p[2], p[1], p[0]]).collect();
                RgbImage::new(width, height, rgb).map(grey_and_colour)
            }
        }
    }
}

/// Red green blue of one pixel, BT.601 in the video range (16 to 235), as USB webcams send it.
fn rgb_of(y: u8, u: u8, v: u8) -> [u8; 3] {
    let (y, u, v) = (298 * (i32::from(y) - 16), i32::from(u) - 128, i32::from(v) - 128);
    let clamp = |value: i32| ((value + 128) >> 8).clamp(0, 255) as u8;
    [clamp(y + 409 * v), clamp(y - 100 * u - 208 * v), clamp(y + 516 * u)]
}

fn yuyv_colour(width: usize, height: usize, bytes: &[u8]) -> Option<RgbImage> {
    let pairs = bytes.chunks_exact(4);
    let rgb = pairs.flat_map(|p| [rgb_of(p[0], p[1], p[3]), rgb_of(p[2], p[1], p[3])]).flatten().collect();
    RgbImage::new(width, height, rgb)
}

fn nv12_colour(width: usize, height: usize, bytes: &[u8]) -> Option<RgbImage> {
    let (luma, chroma) = bytes.split_at(width * height);
    let mut rgb = Vec::with_capacity(3 * luma.len());
    for (row, line) in luma.chunks_exact(width).enumerate() {
        for (column, &y) in line.iter().enumerate() {
            let at = row / 2 * width + column / 2 * 2;
            rgb.extend(rgb_of(y, *chroma.get(at)?, *chroma.get(at + 1)?));
        }
    }
    RgbImage::new(width, height, rgb)
}

#[cfg(test)]
mod tests {
    use super::*;
    use opencv::core::{Mat, MatTrait, Vector, VectorToVec};
    use opencv::imgcodecs;

    /// Two rows of two pixels: black, white, red, grey in YUYV.
    const YUYV: [u8; 8] = [16, 128, 235, 128, 81, 90, 126, 240];

    #[test]
    fn yuyv_brightness_is_every_even_byte_and_stale_bytes_after_it_are_left() {
        let mut buffer = YUYV.to_vec();
        buffer.extend([9; 5]);
        let (grey, colour) = PixelFormat::Yuyv.decode(2, 2, &buffer).expect("whole");
        assert_eq!(grey.data(), [16, 235, 81, 126]);
        let colour = colour.expect("YUYV has colour");
        assert_eq!(colour.data()[..6], [0, 0, 0, 255, 255, 255]);
        // 81, 90, 240 is pure red.
        assert!(colour.data()[6] > 250 && colour.data()[7] < 5 && colour.data()[8] < 5);
    }

    #[test]
    fn a_buffer_one_byte_short_is_torn_in_every_plain_format() {
        for (format, bytes) in [
            (PixelFormat::Yuyv, 8),
            (PixelFormat::Nv12, 6),
            (PixelFormat::Grey, 4),
            (PixelFormat::Rgb, 12),
            (PixelFormat::Bgr, 12),
        ] {
            assert!(format.decode(2, 2, &vec![50; bytes]).is_some(), "{format:?}");
            assert!(format.decode(2, 2, &vec![50; bytes - 1]).is_none(), "{format:?}");
        }
    }

    #[test]
    fn nv12_brightness_is_the_first_plane() {
        let (grey, colour) = PixelFormat::Nv12.decode(2, 2, &[16, 235, 16, 235, 128, 128]).expect("whole");
        assert_eq!(grey.data(), [16, 235, 16, 235]);
        assert_eq!(colour.expect("NV12 has colour").data()[3..6], [255, 255, 255]);
    }

    #[test]
    fn blue_green_red_is_turned_round() {
        let (_, colour) = PixelFormat::Bgr.decode(1, 1, &[1, 2, 3]).expect("whole");
        assert_eq!(colour.expect("colour").data(), [3, 2, 1]);
    }

    fn jpeg(width: i32, height: i32, level: u8) -> Vec<u8> {
        let mut mat =
            Mat::new_rows_cols_with_default(height, width, opencv::core::CV_8UC1, f64::from(level).into())
                .expect("a grey picture");
        *mat.at_2d_mut::<u8>(0, 0).expect("inside") = level;
        let mut bytes = Vector::new();
        imgcodecs::imencode_def(".jpg", &mat, &mut bytes).expect("encodes");
        bytes.to_vec()
    }

    #[test]
    fn mjpeg_is_cut_at_its_end_marker_and_a_torn_one_is_refused() {
        let whole = jpeg(96, 64, 90);
        let mut stale = whole.clone();
        stale.extend(jpeg(96, 64, 200));
        let (grey, _) = PixelFormat::Mjpeg.decode(96, 64, &stale).expect("whole");
        assert!(grey.data().iter().all(|v| v.abs_diff(90) <= 1));
        for length in [0, 2, 40, whole.len() / 2, whole.len() - 1] {
            assert!(PixelFormat::Mjpeg.decode(96, 64, &whole[..length]).is_none(), "{length}");
        }
    }

    #[test]
    fn mjpeg_of_another_size_than_agreed_is_refused() {
        assert!(PixelFormat::Mjpeg.decode(64, 96, &jpeg(96, 64, 90)).is_none());
    }

    #[test]
    fn every_format_is_found_by_its_name() {
        assert_eq!(PixelFormat::named("MJPEG"), Some(PixelFormat::Mjpeg));
        assert_eq!(PixelFormat::named("yuyv"), Some(PixelFormat::Yuyv));
        assert_eq!(PixelFormat::named("h264"), None);
    }
}
