//! Picture files and camera buffers to pictures in memory. OpenCV's `Mat` begins and ends here.

use super::jpeg::end_of_jpeg;
use crate::vision::{RgbImage, SourceError};
use opencv::core::{Mat, MatTraitConst, MatTraitConstManual, Vector};
use opencv::imgcodecs;
use std::io::Cursor;
use std::path::Path;

/// The smallest side of a picture that is worth reading, pixels.
pub const LEAST_SIDE_PX: usize = crate::vision::detection::LEAST_SIDE_PX;
/// The most pixels a picture may have, so that the whole program stays well under 2 GiB with the worst
/// picture: black and white noise of 32 million pixels, in which everything might be the edge of a tag,
/// took 1.1 GiB; an ordinary photograph of 8 million takes 0.3. A JPEG of more is decoded at a half or a
/// quarter of its sides, see [`Reduction`].
pub const MOST_PIXELS: usize = 32_000_000;

/// Keeps OpenCV from writing of its own to stderr, unless `OPENCV_LOG_LEVEL` asks for it: what goes wrong in it
/// is told by the sources. To be called before a capture is opened.
pub fn quieten() {
    if std::env::var_os("OPENCV_LOG_LEVEL").is_none() {
        // What it returns is the level before; where it fails the messages are only in the way.
        let _ = opencv::core::set_log_level(opencv::core::LogLevel::LOG_LEVEL_SILENT);
    }
}

/// How much smaller than it was taken a photograph is decoded: the JPEG decoder itself can leave out detail, so the
/// whole picture is never in memory. Telephones take 50, 108 or 200 million pixels, of which their lenses fill far fewer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reduction {
    None,
    Half,
    Quarter,
}

impl Reduction {
    const ALL: [Self; 3] = [Self::None, Self::Half, Self::Quarter];

    /// The sides of a picture of `size` pixels that is decoded so; what is left over counts as a whole pixel.
    fn of(self, (width, height): (usize, usize)) -> (usize, usize) {
        let by = match self {
            Self::None => 1,
            Self::Half => 2,
            Self::Quarter => 4,
        };
        (width.div_ceil(by), height.div_ceil(by))
    }

    /// The least with which a JPEG of `size` pixels has no more than [`MOST_PIXELS`]; none where even a quarter has.
    fn for_jpeg(size: (usize, usize)) -> Self {
        let fits = |reduction: &Self| {
            let (width, height) = reduction.of(size);
            width.saturating_mul(height) <= MOST_PIXELS
        };
        Self::ALL.into_iter().find(fits).unwrap_or(Self::None)
    }

    fn flags(self) -> i32 {
        let colour = match self {
            Self::None => imgcodecs::IMREAD_COLOR,
            Self::Half => imgcodecs::IMREAD_REDUCED_COLOR_2,
            Self::Quarter => imgcodecs::IMREAD_REDUCED_COLOR_4,
        };
        colour | imgcodecs::IMREAD_IGNORE_ORIENTATION
    }
}

/// Refuses sizes that cannot be worked with. To be asked before a picture is decoded.
pub fn check_size(path: &str, width: usize, height: usize) -> Result<(), SourceError> {
    let refuse = |why: String| Err(SourceError::Size { path: path.to_owned(), width, height, why });
    if width < LEAST_SIDE_PX || height < LEAST_SIDE_PX {
        return refuse(format!("at least {LEAST_SIDE_PX} pixels each way are needed to read a tag"));
    }
    if width.saturating_mul(height) > MOST_PIXELS {
        let share = (MOST_PIXELS as f64 / (width as f64 * height as f64)).sqrt();
        let fits = |side: usize| (side as f64 * share) as usize;
        return refuse(format!(
            "at most {} million pixels are read, to keep memory in bounds; scale it down to {}x{} or less, or set the \
             camera to fewer pixels (telephones have a setting for 12 million)",
            MOST_PIXELS / 1_000_000,
            fits(width),
            fits(height)
        ));
    }
    Ok(())
}

/// Reads a JPEG or PNG file in colour, as stored: a turn noted in it is not carried out, so that a lens
/// profile holds whichever way the camera was held. A JPEG of more than [`MOST_PIXELS`] comes at a half or a quarter
/// of its sides; one that is too large even so, and a PNG, are refused.
pub fn read_picture(path: &Path) -> Result<RgbImage, SourceError> {
    let name = path.display().to_string();
    let bytes = std::fs::read(path)
        .map_err(|e| SourceError::Open { path: name.clone(), why: format!("{e}; check the name") })?;
    decode_picture(&name, &bytes)
}

/// Decodes a JPEG or PNG in memory; `name` is for messages.
pub fn decode_picture(name: &str, bytes: &[u8]) -> Result<RgbImage, SourceError> {
    let fault = |why: &str| SourceError::Decode { path: name.to_owned(), why: why.to_owned() };
    let reader = image::ImageReader::new(Cursor::new(bytes))
        .with_guessed_format()
        .map_err(|_| fault("it cannot be read; check the file"))?;
    let format = reader.format();
    match format {
        Some(image::ImageFormat::Jpeg) if end_of_jpeg(bytes).is_none() => {
            return Err(fault("the JPEG is cut off before its end; copy it again"));
        }
        Some(image::ImageFormat::Png) if !bytes.windows(4).any(|w| w == b"IEND") => {
            return Err(fault("the PNG is cut off before its end; copy it again"));
        }
        Some(image::ImageFormat::Jpeg | image::ImageFormat::Png) => {}
        _ => return Err(fault("it is neither a JPEG nor a PNG; save it as one of these")),
    }
    let (width, height) = reader
        .into_dimensions()
        .map_err(|e| fault(&format!("its header is damaged ({e}); copy it again")))?;
    let taken = (width as usize, height as usize);
    let reduction = match format {
        Some(image::ImageFormat::Jpeg) => Reduction::for_jpeg(taken),
        _ => Reduction::None,
    };
    let (width, height) = reduction.of(taken);
    check_size(name, width, height)?;
    let damaged = || fault("its contents are damaged; copy it again");
    let mat =
        imgcodecs::imdecode(&Vector::<u8>::from_slice(bytes), reduction.flags()).map_err(|_| damaged())?;
    if (mat.cols(), mat.rows()) != (width as i32, height as i32) {
        return Err(damaged());
    }
    rgb_of(&mat).ok_or_else(damaged)
}

/// The picture in a camera's JPEG buffer: cut at its end marker, which must be there. `None` where it is
/// torn, no JPEG, or of a size that is not read.
pub fn rgb_of_jpeg(buffer: &[u8]) -> Option<RgbImage> {
    let whole = &buffer[..end_of_jpeg(buffer)?];
    let reader = image::ImageReader::with_format(Cursor::new(whole), image::ImageFormat::Jpeg);
    let (width, height) = reader.into_dimensions().ok()?;
    check_size("", width as usize, height as usize).ok()?;
    rgb_of(&imgcodecs::imdecode(&Vector::<u8>::from_slice(whole), Reduction::None.flags()).ok()?)
}

/// OpenCV's blue green red picture as ours; `None` where it is empty or of another kind.
pub fn rgb_of(mat: &Mat) -> Option<RgbImage> {
    if mat.empty() || mat.typ() != opencv::core::CV_8UC3 {
        return None;
    }
    let whole;
    let bytes = match mat.data_bytes() {
        Ok(bytes) => bytes,
        // Rows with gaps between them.
        Err(_) => {
            whole = mat.try_clone().ok()?;
            whole.data_bytes().ok()?
        }
    };
    let mut rgb = vec![0; bytes.len()];
    for (to, from) in rgb.chunks_exact_mut(3).zip(bytes.chunks_exact(3)) {
        to.copy_from_slice(&[from[2], from[1], from[0]]);
    }
    RgbImage::new(mat.cols() as usize, mat.rows() as usize, rgb)
}
