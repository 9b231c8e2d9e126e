//! What people type for a source, turned into one.

use super::photographs::{Photographs, is_picture};
use super::returning::{Reopen, Returning};
use super::stream::{Stream, is_address};
use super::video::VideoFile;
use crate::vision::{FrameSource, SourceError};
use std::io::Read;
use std::path::Path;

/// Opens what `spec` names:
///
/// * `camera:N` or `camera:NAME`, a webcam; `camera:N,1280x720,mjpeg` chooses its picture size, its
///   format (`yuyv`, `mjpeg`, ...) or both;
/// * `rtsp://...`, `http://...`, a network stream;
/// * a folder of photographs; a JPEG or PNG; any other file is read as a video.
///
/// `sim:SEED`, the simulated camera, is opened elsewhere: it needs a table to draw.
pub fn open_source(spec: &str) -> Result<Box<dyn FrameSource>, SourceError> {
    if let Some(choice) = spec.strip_prefix("camera:") {
        return open_camera(choice);
    }
    if is_address(spec) {
        return Ok(Box::new(Stream::open(spec)?));
    }
    let path = Path::new(spec);
    if path.is_dir() {
        return Ok(Box::new(Photographs::folder(path)?));
    }
    if spec.trim().is_empty() {
        return Err(SourceError::Open {
            path: "the source".to_owned(),
            why: "its name is empty; name a picture, a folder, a video, a stream's address, camera:N or sim:SEED"
                .to_owned(),
        });
    }
    if !path.exists() {
        return Err(SourceError::Open {
            path: spec.to_owned(),
            why: "there is no such file or folder; a source is a picture, a folder, a video, a stream's \
                  address, camera:N or sim:SEED"
                .to_owned(),
        });
    }
    if !path.is_file() {
        // A pipe would be waited for without end.
        return Err(SourceError::Open {
            path: spec.to_owned(),
            why: "it is not an ordinary file; a source is a picture, a folder, a video, a stream's address, \
                  camera:N or sim:SEED"
                .to_owned(),
        });
    }
    if is_picture(path) || begins_as_picture(path) {
        return Ok(Box::new(Photographs::single(path)?));
    }
    Ok(Box::new(VideoFile::open(path)?))
}

/// Opens what `spec` names, as [`open_source`] does, for a game that lasts: a camera or a stream that goes away is
/// opened again when it is back ([`SourceError::Away`] meanwhile), a camera at whatever number it comes back with.
///
/// # Errors
/// What [`open_source`] says.
pub fn open_lasting(spec: &str) -> Result<Box<dyn FrameSource>, SourceError> {
    if let Some(choice) = spec.strip_prefix("camera:") {
        return Ok(Box::new(Returning::open(camera_opener(choice)?)?));
    }
    if is_address(spec) {
        let spec = spec.to_owned();
        return Ok(Box::new(Returning::open(Box::new(move || Ok(Box::new(Stream::open(&spec)?))))?));
    }
    open_source(spec)
}

#[cfg(feature = "camera")]
fn camera_opener(choice: &str) -> Result<Reopen, SourceError> {
    let mut choice: super::webcam::CameraChoice = choice.parse()?;
    Ok(Box::new(move || {
        let camera = super::webcam::Webcam::open(&choice)?;
        choice = choice.clone().back_as(&camera);
        Ok(Box::new(camera))
    }))
}

#[cfg(not(feature = "camera"))]
fn camera_opener(choice: &str) -> Result<Reopen, SourceError> {
    Err(no_webcams(choice))
}

#[cfg(feature = "camera")]
fn open_camera(choice: &str) -> Result<Box<dyn FrameSource>, SourceError> {
    Ok(Box::new(super::webcam::Webcam::open(&choice.parse()?)?))
}

#[cfg(not(feature = "camera"))]
fn open_camera(choice: &str) -> Result<Box<dyn FrameSource>, SourceError> {
    Err(no_webcams(choice))
}

#[cfg(not(feature = "camera"))]
fn no_webcams(choice: &str) -> SourceError {
    let why = "this program was built without webcams; build it with the feature \"camera\"".to_owned();
    SourceError::Camera { camera: choice.to_owned(), why }
}

/// Whether a file without a picture's ending begins as a JPEG or PNG does.
fn begins_as_picture(path: &Path) -> bool {
    let mut begin = [0; 8];
    let whole = std::fs::File::open(path).and_then(|mut f| f.read_exact(&mut begin)).is_ok();
    whole && (begin.starts_with(&[0xFF, 0xD8, 0xFF]) || begin.starts_with(b"\x89PNG\r\n\x1a\n"))
}
