//! A second camera over the same table, read in step with the first.
//!
//! Each has a pipeline of its own; what both see is joined by [`Fusion`]. Here the second is read by the first one's
//! clock, frame against frame, so that the same pictures give the same readings; a live window reads it in a thread
//! of its own instead and takes what is newest.
//!
//! A second camera that ends or fails is let go and told; the first goes on alone.

use super::source::Locks;
use super::{
    DetectorError, Frame, FrameSource, Lens, LensProfile, Pipeline, PipelineSettings, Reading, SourceError,
};
use crate::tracking::{CameraId, CapturedAt, Fusion, FusionSettings, TableSnapshot, TagBook};
use std::sync::Arc;

/// The first camera's number, and every camera's that is alone.
pub const FIRST: CameraId = CameraId(0);
/// The second camera's number.
pub const SECOND: CameraId = CameraId(1);

impl Reading {
    /// This reading of one camera with the table as several have it. The picture, the camera's place in it and what was
    /// found there stay; where this camera is not placed and another is, the table counts as found.
    pub fn joined(self, table: Arc<TableSnapshot>) -> Self {
        let registration = match (self.registration, table.registration) {
            (Err(_), Some(other)) => Ok(other),
            (own, _) => own,
        };
        Self { registration, snapshot: table, ..self }
    }
}

/// A source whose frames are the second camera's.
pub struct SecondCamera(pub Box<dyn FrameSource>);

impl FrameSource for SecondCamera {
    fn description(&self) -> String {
        self.0.description()
    }
    fn live(&self) -> bool {
        self.0.live()
    }
    fn unrelated(&self) -> bool {
        self.0.unrelated()
    }
    fn lens(&self) -> Option<Lens> {
        self.0.lens()
    }
    fn device(&self) -> Option<String> {
        self.0.device()
    }
    fn locks(&self) -> Option<Locks> {
        self.0.locks()
    }
    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        Ok(self.0.next_frame()?.map(|frame| Frame { camera: SECOND, ..frame }))
    }
}

/// The second camera, and what both have seen.
pub struct Companion {
    source: Option<SecondCamera>,
    profile: Option<LensProfile>,
    pipeline: Pipeline,
    /// Read from the source and not yet due.
    waiting: Option<Frame>,
    fusion: Fusion,
}

/// Why the second camera was let go.
#[derive(Debug, thiserror::Error)]
pub enum CompanionLost {
    /// It has no more frames.
    #[error("the second camera has no more pictures: the first goes on alone")]
    Ended,
    /// It cannot be read.
    #[error("the second camera cannot be read, and the first goes on alone: {0}")]
    Failed(#[from] SourceError),
    /// Its lens profile is another camera's, or of other pictures.
    #[error("the second camera is left out: {0}")]
    Unfit(String),
}

impl Companion {
    /// Over the tags of `book`, through the lens of `profile` where it is known.
    ///
    /// # Errors
    /// Where the detector cannot be made.
    pub fn new(
        source: Box<dyn FrameSource>,
        book: TagBook,
        profile: Option<LensProfile>,
    ) -> Result<Self, DetectorError> {
        let lens = profile.as_ref().map(|p| p.lens).or_else(|| source.lens());
        let pipeline = Pipeline::new(book, lens, PipelineSettings::for_source(source.as_ref()))?;
        let fusion = Fusion::new(FusionSettings::default());
        let source = Some(SecondCamera(source));
        Ok(Self { source, profile, pipeline, waiting: None, fusion })
    }

    /// Reads the second camera up to the moment of `reading`, the first one's newest, and joins the two.
    ///
    /// # Errors
    /// Told once, where the second is let go; `reading` is then joined with what it saw before.
    pub fn join(&mut self, reading: Reading) -> (Reading, Result<(), CompanionLost>) {
        let up_to = reading.snapshot.captured_at;
        let went = self.catch_up(up_to);
        if went.is_err() {
            self.source = None;
            self.fusion.forget(SECOND);
        }
        let table = self.fusion.take(FIRST, &reading.snapshot);
        (reading.joined(table), went)
    }

    fn catch_up(&mut self, up_to: CapturedAt) -> Result<(), CompanionLost> {
        let Some(source) = self.source.as_mut() else { return Ok(()) };
        loop {
            let frame = match self.waiting.take() {
                Some(frame) => frame,
                None => source.next_frame()?.ok_or(CompanionLost::Ended)?,
            };
            if frame.captured_at > up_to {
                self.waiting = Some(frame);
                return Ok(());
            }
            let (width, height) = (frame.grey.width(), frame.grey.height());
            let unfit = |p: &LensProfile| p.unfit_for(width, height, source.device().as_deref());
            if let Some(why) = self.profile.as_ref().and_then(unfit) {
                return Err(CompanionLost::Unfit(why.to_string()));
            }
            let reading = self.pipeline.take(&frame);
            self.fusion.take(SECOND, &reading.snapshot);
        }
    }
}
