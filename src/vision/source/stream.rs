//! Network streams, through OpenCV and FFmpeg, read in a thread of their own: the newest frame wins.

use super::decode::{check_size, quieten, rgb_of};
use super::newest::{Fetch, Fetched, Put, newest};
use crate::tracking::{CameraId, CapturedAt};
use crate::vision::{Frame, FrameSource, SourceError};
use opencv::core::{Mat, Vector};
use opencv::videoio::{self, VideoCapture, VideoCaptureTrait, VideoCaptureTraitConst};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Opening a stream, and then each frame of it, may take so long; milliseconds.
const PATIENCE_MS: i32 = 5_000;
/// A little more, so that the reader's own reason comes first.
const WATCHDOG: Duration = Duration::from_millis(PATIENCE_MS as u64 + 1_000);

/// The beginnings of the addresses that are taken for streams.
const SCHEMES: [&str; 8] =
    ["rtsp://", "rtsps://", "rtp://", "rtmp://", "http://", "https://", "udp://", "tcp://"];

/// Whether `spec` looks like an address and not like a file.
pub fn is_address(spec: &str) -> bool {
    spec.contains("://")
}

/// A stream over the network.
#[derive(Debug)]
pub struct Stream {
    address: String,
    frames: Fetch<Frame, SourceError>,
}

fn fault(address: &str, why: &str) -> SourceError {
    SourceError::Camera { camera: address.to_owned(), why: why.to_owned() }
}

impl Stream {
    /// Connects, and waits for the first answer five seconds at most.
    pub fn open(address: &str) -> Result<Self, SourceError> {
        let lower = address.to_ascii_lowercase();
        if !SCHEMES.iter().any(|s| lower.starts_with(s)) {
            return Err(fault(
                address,
                "streams are read from rtsp, rtmp, rtp, udp, tcp, http and https addresses",
            ));
        }
        let (put, frames) = newest();
        let (opened, answer) = std::sync::mpsc::sync_channel(1);
        let name = address.to_owned();
        let spawned = std::thread::Builder::new().name("stream".to_owned()).spawn(move || {
            // The capture lives and dies in this thread; a silent peer cannot hold anybody else.
            match connect(&name) {
                Ok(capture) => {
                    if opened.send(Ok(())).is_ok() {
                        read(&name, capture, &put);
                    }
                }
                Err(why) => {
                    let _ = opened.send(Err(why));
                }
            }
        });
        spawned.map_err(|e| fault(address, &format!("no thread could be started: {e}")))?;
        match answer.recv_timeout(WATCHDOG) {
            Ok(Ok(())) => Ok(Self { address: address.to_owned(), frames }),
            Ok(Err(why)) => Err(why),
            Err(_) => Err(fault(address, "it does not answer; check the address and the network")),
        }
    }
}

fn connect(address: &str) -> Result<VideoCapture, SourceError> {
    quieten();
    let patience = Vector::from_slice(&[
        videoio::CAP_PROP_OPEN_TIMEOUT_MSEC,
        PATIENCE_MS,
        videoio::CAP_PROP_READ_TIMEOUT_MSEC,
        PATIENCE_MS,
    ]);
    let capture = VideoCapture::from_file_with_params(address, videoio::CAP_FFMPEG, &patience);
    match capture {
        Ok(capture) if capture.is_opened().unwrap_or(false) => Ok(capture),
        _ => Err(fault(address, "no video comes from there; check the address and that the camera is on")),
    }
}

fn read(address: &str, mut capture: VideoCapture, frames: &Put<Frame, SourceError>) {
    let begun = Instant::now();
    let mut mat = Mat::default();
    for seq in 0.. {
        if !frames.wanted() {
            return;
        }
        if !capture.read(&mut mat).unwrap_or(false) {
            frames.end(fault(address, "the stream ended or was cut; open it again"));
            return;
        }
        let captured_at = CapturedAt(begun.elapsed());
        // A damaged picture is passed over: the next one follows at once.
        let Some(colour) = rgb_of(&mat) else { continue };
        if let Err(why) = check_size(address, colour.width(), colour.height()) {
            frames.end(why);
            return;
        }
        frames.put(Frame {
            seq,
            captured_at,
            camera: CameraId(0),
            grey: Arc::new(colour.to_grey()),
            colour: Some(Arc::new(colour)),
            label: address.to_owned(),
        });
    }
}

impl FrameSource for Stream {
    fn description(&self) -> String {
        self.address.clone()
    }

    fn live(&self) -> bool {
        true
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        match self.frames.fetch(WATCHDOG) {
            Fetched::Item(frame) => Ok(Some(frame)),
            Fetched::Ended(why) => Err(why),
            Fetched::Nothing => Err(fault(&self.address, "no picture came in time; check the network")),
        }
    }
}
