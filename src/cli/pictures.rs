//! The pictures of several sources, one after the other, for the commands that measure from them.
//!
//! A photograph that cannot be used is named on stderr and passed over, and so is a source that fails where
//! there are others; in the end the command says how many there were. Of a camera no picture is taken before
//! its settings have settled.

use super::Failure;
use super::camera_notes::CameraNotes;
use crate::vision::{Frame, FrameSource};
use anyhow::{Error, anyhow};

/// Opens what a person named.
type Open<'a> = Box<dyn Fn(&str) -> Result<Box<dyn FrameSource>, Failure> + 'a>;

/// The sources that a command was given.
pub struct Pictures<'a> {
    specs: std::slice::Iter<'a, String>,
    open: Open<'a>,
    alone: bool,
    read: usize,
    unused: usize,
    notes: CameraNotes,
    devices: Vec<Option<String>>,
}

impl<'a> Pictures<'a> {
    /// Of these sources.
    pub fn of(
        specs: &'a [String],
        open: impl Fn(&str) -> Result<Box<dyn FrameSource>, Failure> + 'a,
    ) -> Self {
        let (open, alone) = (Box::new(open), specs.len() == 1);
        Self {
            specs: specs.iter(),
            open,
            alone,
            read: 0,
            unused: 0,
            notes: CameraNotes::default(),
            devices: Vec::new(),
        }
    }

    /// The next source that can be opened.
    ///
    /// # Errors
    /// One that cannot, where there is no other; wrong use always.
    pub fn next_source(&mut self) -> Result<Option<Box<dyn FrameSource>>, Failure> {
        for spec in self.specs.by_ref() {
            match (self.open)(spec) {
                Ok(source) => {
                    self.notes = CameraNotes::default();
                    self.devices.push(source.device());
                    return Ok(Some(source));
                }
                Err(Failure::Job(why)) if !self.alone => {
                    note!("groma: {why:#}");
                    self.unused += 1;
                }
                Err(why) => return Err(why),
            }
        }
        Ok(None)
    }

    /// The next picture of `source` that can be read, or `None` at its end.
    ///
    /// # Errors
    /// A source that fails and is no folder of photographs, where there is no other.
    pub fn next_frame(&mut self, source: &mut dyn FrameSource) -> Result<Option<Frame>, Failure> {
        loop {
            match source.next_frame() {
                Ok(Some(frame)) => {
                    self.notes.tell(source);
                    // A lens that still focuses is not yet the one that will be played with.
                    if source.locks().is_some_and(|locks| !locks.settled()) {
                        continue;
                    }
                    self.read += 1;
                    return Ok(Some(frame));
                }
                Ok(None) => return Ok(None),
                Err(why) if source.unrelated() => self.pass_over(&why.to_string()),
                // A stream or camera that failed has ended.
                Err(why) if !self.alone => {
                    self.pass_over(&why.to_string());
                    return Ok(None);
                }
                Err(why) => return Err(Error::from(why).into()),
            }
        }
    }

    /// Names a picture that cannot be used, and counts it.
    pub fn pass_over(&mut self, why: &str) {
        note!("groma: {why}");
        self.unused += 1;
    }

    /// How many pictures were read, those passed over later included.
    pub fn read(&self) -> usize {
        self.read
    }

    /// What the camera calls itself, where all sources are one that does.
    pub fn device(&self) -> Option<String> {
        let first = self.devices.first()?.clone()?;
        self.devices.iter().all(|other| other.as_deref() == Some(&first)).then_some(first)
    }

    /// A failed job where anything was passed over, once the work is done; `made` is what was made all the
    /// same.
    ///
    /// # Errors
    /// Where anything was.
    pub fn outcome(&self, made: &str) -> Result<(), Failure> {
        match self.unused {
            0 => Ok(()),
            1 => {
                Err(Failure::Job(anyhow!("one picture or source could not be used; {made} from the others")))
            }
            n => Err(Failure::Job(anyhow!(
                "{n} pictures or sources could not be used; {made} from the others"
            ))),
        }
    }
}
