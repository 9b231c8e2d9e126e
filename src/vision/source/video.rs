//! Video files, through OpenCV.

use super::decode::{check_size, quieten, rgb_of};
use crate::tracking::{CameraId, CapturedAt};
use crate::vision::{Frame, FrameSource, SourceError};
use opencv::core::Mat;
use opencv::videoio::{self, VideoCapture, VideoCaptureTrait, VideoCaptureTraitConst};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A video file, frame by frame, each with the time the file gives it.
#[derive(Debug)]
pub struct VideoFile {
    name: String,
    capture: VideoCapture,
    /// Seconds between frames, where the file does not give its frames a time.
    step_s: f64,
    seq: u64,
    last: Duration,
}

impl VideoFile {
    /// Opens the file and checks its size.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        let name = path.display().to_string();
        let fault = |why: &str| SourceError::Open { path: name.clone(), why: why.to_owned() };
        if !path.is_file() {
            return Err(fault("there is no such file; check the name"));
        }
        let no_video = "OpenCV finds no video in it; save it as MP4, or as JPEG or PNG pictures";
        quieten();
        let mut capture = VideoCapture::from_file(&name, videoio::CAP_ANY).map_err(|_| fault(no_video))?;
        // A capture that could not be opened is an Ok that is not opened.
        if !capture.is_opened().unwrap_or(false) {
            return Err(fault(no_video));
        }
        // As stored: a lens profile holds whichever way the camera was held.
        let _ = capture.set(videoio::CAP_PROP_ORIENTATION_AUTO, 0.0);
        let figure = |property| capture.get(property).ok().filter(|v| v.is_finite() && *v > 0.0);
        let (width, height) = (
            figure(videoio::CAP_PROP_FRAME_WIDTH).ok_or_else(|| fault(no_video))?,
            figure(videoio::CAP_PROP_FRAME_HEIGHT).ok_or_else(|| fault(no_video))?,
        );
        check_size(&name, width as usize, height as usize)?;
        let step_s = figure(videoio::CAP_PROP_FPS).filter(|fps| *fps <= 1000.0).map_or(0.04, |fps| 1.0 / fps);
        Ok(Self { name, capture, step_s, seq: 0, last: Duration::ZERO })
    }
}

impl FrameSource for VideoFile {
    fn description(&self) -> String {
        self.name.clone()
    }

    fn live(&self) -> bool {
        false
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let damaged = || SourceError::Decode {
            path: self.name.clone(),
            why: format!("frame {} is damaged; copy the file again", self.seq),
        };
        let at_ms = self.capture.get(videoio::CAP_PROP_POS_MSEC).unwrap_or(0.0);
        let mut mat = Mat::default();
        if !self.capture.read(&mut mat).map_err(|_| damaged())? {
            return Ok(None);
        }
        let colour = rgb_of(&mat).ok_or_else(damaged)?;
        check_size(&self.name, colour.width(), colour.height())?;
        let stored = Duration::try_from_secs_f64(at_ms / 1e3).unwrap_or_default();
        // Some files give every frame the time zero: count, then.
        let at = if self.seq == 0 || stored > self.last {
            stored
        } else {
            self.last + Duration::from_secs_f64(self.step_s)
        };
        let seq = self.seq;
        (self.seq, self.last) = (seq + 1, at);
        Ok(Some(Frame {
            seq,
            captured_at: CapturedAt(at),
            camera: CameraId(0),
            grey: Arc::new(colour.to_grey()),
            colour: Some(Arc::new(colour)),
            label: format!("{}, frame {seq}", self.name),
        }))
    }
}
