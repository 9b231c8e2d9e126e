//! Photographs of the board: taken at a key, or as each bound begins, kept as files beside the journal and told in it.
//!
//! Invariants: nothing outside the playing area is in them; without a journal's file, and in demo mode, none is taken.

use super::Logic;
use crate::app::look::Photographs;
use crate::app::worker::crop::board_picture;
use crate::app::worker::errand::Desk;
use crate::session::journal::{Event, Photograph};
use crate::session::play::Written;
use crate::text::{now_ms, reason, write_outputs};
use crate::vision::RgbImage;
use std::path::{Path, PathBuf};

/// Quality of their JPEG.
const QUALITY: u8 = 90;

/// What takes them.
pub(super) struct PhotographDesk {
    taking: Desk<Result<Photograph, String>>,
    /// Bounds that had begun when it was last looked.
    bounds: usize,
}

impl PhotographDesk {
    pub fn new() -> Self {
        Self { taking: Desk::new("groma photograph"), bounds: 0 }
    }

    /// Whether one is being taken.
    pub fn busy(&self) -> bool {
        self.taking.busy()
    }
}

impl Logic {
    /// Takes over the photograph that was taken, and takes one where a bound has begun and the players want that.
    pub(super) fn photograph_errands(&mut self) {
        match self.photographs.taking.take(&self.waker) {
            None => {}
            Some(Ok(Ok(photograph))) => {
                self.keep();
                self.keeping.keeper.take(now_ms(), vec![Event::Photograph(photograph.clone())]);
                self.keep();
                self.state.photographed = Some(format!("Photograph kept: {}.", photograph.file));
            }
            Some(Ok(Err(why)) | Err(why)) => self.state.photographed = Some(why),
        }
        let bounds = self.bounds_begun();
        let begun = bounds > std::mem::replace(&mut self.photographs.bounds, bounds);
        let wanted =
            self.state.photographs() == Photographs::EachBound && self.keeping.keeper.path().is_some();
        if begun && wanted && !self.photographs.busy() && !self.goes_back() {
            self.photograph();
        }
    }

    /// How many bounds have begun.
    fn bounds_begun(&self) -> usize {
        self.state.written().iter().filter(|w| Written::begins_bound(w)).count()
    }

    /// The battle goes on from its journal: the bounds that have begun in it are of before.
    pub(super) fn no_bound_is_new(&mut self) {
        self.photographs.bounds = self.bounds_begun();
    }

    /// Takes a photograph of the board as it was last seen.
    pub(super) fn photograph(&mut self) {
        if let Err(why) = self.ask_photograph() {
            self.state.photographed = Some(why.to_owned());
        }
    }

    fn ask_photograph(&mut self) -> Result<(), &'static str> {
        if self.state.demo.is_some() || self.goes_back() {
            return Err("No photograph is taken now.");
        }
        let journal =
            self.keeping.keeper.path().ok_or("Photographs lie beside the journal: keep the battle first.")?;
        let sight = self.state.latest().ok_or("There is no picture.")?;
        let camera = *sight.reading.camera.as_ref().ok_or("The picture could not be placed on the table.")?;
        let (frame, board_mm) = (sight.frame.clone(), self.state.table().board_mm);
        let (journal, count) = (journal.to_owned(), self.keeping.keeper.records().len() + 1);
        let job = move || {
            let picture =
                board_picture(&frame, Some(&camera), board_mm).ok_or("The board is not in the picture.")?;
            keep(&journal, count, &jpeg(&picture)?)
        };
        self.photographs.taking.ask(Box::new(job), &self.waker);
        Ok(())
    }
}

fn jpeg(picture: &RgbImage) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let (width, height) = (picture.width() as u32, picture.height() as u32);
    image::codecs::jpeg::JpegEncoder::new_with_quality(&mut bytes, QUALITY)
        .encode(picture.data(), width, height, image::ExtendedColorType::Rgb8)
        .map_err(|why| format!("The photograph cannot be encoded: {why}."))?;
    Ok(bytes)
}

/// Writes it into the folder beside the journal; no picture that is there is replaced.
fn keep(journal: &Path, count: usize, bytes: &[u8]) -> Result<Photograph, String> {
    let stem = journal.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let folder = format!("{stem}-pictures");
    let place = journal.with_file_name(&folder);
    let told = |why: String| format!("The photograph is not kept: {}.", why.trim_end_matches('.'));
    std::fs::create_dir_all(&place).map_err(|why| told(reason(&why)))?;
    let free = (count..).map(|n| format!("{n:05}.jpg")).find(|name| !place.join(name).exists());
    let name = free.ok_or_else(|| told("there is no name left".to_owned()))?;
    let path: PathBuf = place.join(&name);
    write_outputs(&[(path.as_path(), bytes)]).map_err(|why| told(why.to_string()))?;
    Ok(Photograph::of(format!("{folder}/{name}"), bytes))
}
