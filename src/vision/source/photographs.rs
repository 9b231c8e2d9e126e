//! Single photographs and folders of them.

use super::decode::read_picture;
use crate::tracking::{CameraId, CapturedAt};
use crate::vision::{Frame, FrameSource, SourceError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Photographs, one frame each, each a moment of its own.
#[derive(Debug)]
pub struct Photographs {
    description: String,
    paths: Vec<PathBuf>,
    next: usize,
}

impl Photographs {
    /// One photograph.
    pub fn single(path: &Path) -> Result<Self, SourceError> {
        if path.is_file() {
            Ok(Self { description: path.display().to_string(), paths: vec![path.to_owned()], next: 0 })
        } else {
            let why = "there is no such file; check the name".to_owned();
            Err(SourceError::Open { path: path.display().to_string(), why })
        }
    }

    /// Every .jpg, .jpeg and .png of a folder, by name. Folders inside it are not entered.
    pub fn folder(dir: &Path) -> Result<Self, SourceError> {
        let fault = |why: String| SourceError::Open { path: dir.display().to_string(), why };
        let entries = std::fs::read_dir(dir).map_err(|e| fault(format!("{e}; check the name")))?;
        let mut paths: Vec<PathBuf> = entries
            .filter_map(Result::ok)
            .map(|e| e.path())
            .filter(|p| is_picture(p) && p.is_file())
            .collect();
        paths.sort();
        if paths.is_empty() {
            return Err(fault("the folder holds no .jpg, .jpeg or .png file".to_owned()));
        }
        Ok(Self { description: format!("{} ({} photographs)", dir.display(), paths.len()), paths, next: 0 })
    }
}

/// Whether a file's name ends as a picture's does.
pub(super) fn is_picture(path: &Path) -> bool {
    path.extension()
        .and_then(|e| e.to_str())
        .is_some_and(|e| ["jpg", "jpeg", "png"].contains(&e.to_ascii_lowercase().as_str()))
}

impl FrameSource for Photographs {
    fn description(&self) -> String {
        self.description.clone()
    }

    fn live(&self) -> bool {
        false
    }

    fn unrelated(&self) -> bool {
        true
    }

    fn next_frame(&mut self) -> Result<Option<Frame>, SourceError> {
        let Some(path) = self.paths.get(self.next) else { return Ok(None) };
        let seq = self.next as u64;
        // A damaged file is passed over by the next call.
        self.next += 1;
        let colour = read_picture(path)?;
        Ok(Some(Frame {
            seq,
            captured_at: CapturedAt(Duration::from_secs(seq)),
            camera: CameraId(0),
            grey: Arc::new(colour.to_grey()),
            colour: Some(Arc::new(colour)),
            label: path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned()),
        }))
    }
}
