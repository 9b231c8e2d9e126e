//! Sources, the pipeline over them, and when a live one has said enough: what `read` and `judge` share.

use super::Failure;
use super::camera_notes::CameraNotes;
use super::inputs::{lens_profile, table_and_roster};
use super::sim_scene::simulated_camera;
use crate::judge::{Roster, Table, TagSeen, as_it_lies, features_seen, tag_book};
use crate::tracking::TableSnapshot;
use crate::vision::source::{open_lasting, open_source};
use crate::vision::{
    Companion, Frame, FrameSource, LensProfile, Pipeline, PipelineSettings, Reading, RegistrationError,
    SourceError,
};
use anyhow::{Context, anyhow};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A live source whose table has not come to rest after so many frames is given up.
const PATIENCE: u64 = 600;

/// What a camera looks at, and through what.
#[derive(Debug, clap::Args)]
pub struct WatchArgs {
    /// The table file. Only a simulated source can do without: it then shows the sample table.
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
    /// A roster file; may be given more than once.
    #[arg(long, value_name = "FILE")]
    pub roster: Vec<PathBuf>,
    /// The camera's lens profile. Without one the lens is estimated from the reference tags.
    #[arg(long, value_name = "FILE")]
    pub lens: Option<PathBuf>,
    /// A second camera over the same table: another source, read with the first. What both see counts from both.
    #[arg(long, value_name = "SOURCE", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub second: Option<String>,
    /// The second camera's lens profile.
    #[arg(long, value_name = "FILE", requires = "second")]
    pub second_lens: Option<PathBuf>,
    /// Stop after so many frames. A live source else stops when the table is at rest.
    #[arg(long, value_name = "N", value_parser = at_least_one)]
    pub frames: Option<u64>,
}

/// A count of frames.
fn at_least_one(text: &str) -> Result<u64, String> {
    text.parse().ok().filter(|n| *n > 0).ok_or_else(|| "expected a whole number, 1 at least".to_owned())
}

/// Table, roster and lens, read.
#[derive(Debug)]
pub struct Watch {
    /// The table.
    pub table: Table,
    /// Every roster's elements.
    pub roster: Roster,
    lens: Option<LensProfile>,
    second: Option<(String, Option<LensProfile>)>,
    frames: Option<u64>,
}

/// Whether to go on to the next frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Go {
    /// Go on.
    On,
    /// That is enough.
    Enough,
}

/// The rest of a simulated source's name.
pub fn simulated(spec: &str) -> Option<&str> {
    spec.strip_prefix("sim:")
}

/// Opens what `spec` names, the simulated camera over this table included.
///
/// # Errors
/// Wrong use where a seed is none; a failed job where the source cannot be opened.
pub fn open_any(table: &Table, roster: &Roster, spec: &str) -> Result<Box<dyn FrameSource>, Failure> {
    opened(table, roster, spec, open_source)
}

/// Opens what `spec` names as [`open_any`] does, for a game that lasts: a camera that goes away is waited for.
///
/// # Errors
/// What [`open_any`] says.
pub fn open_any_lasting(table: &Table, roster: &Roster, spec: &str) -> Result<Box<dyn FrameSource>, Failure> {
    opened(table, roster, spec, open_lasting)
}

fn opened(
    table: &Table,
    roster: &Roster,
    spec: &str,
    real: fn(&str) -> Result<Box<dyn FrameSource>, SourceError>,
) -> Result<Box<dyn FrameSource>, Failure> {
    match simulated(spec) {
        Some(seed) => Ok(Box::new(simulated_camera(seed, table, roster)?)),
        None => Ok(real(spec).map_err(anyhow::Error::from)?),
    }
}

impl Watch {
    /// Reads the files.
    ///
    /// # Errors
    /// Wrong use where a real source has no table or roster; a failed job where a file is bad.
    pub fn new(args: &WatchArgs, sources: &[String]) -> Result<Self, Failure> {
        if let (Some(_), [_, _, ..]) = (&args.second, sources) {
            let why = "--second NAME joins two cameras: name one source beside it";
            return Err(Failure::Use(why.to_owned()));
        }
        let all = || sources.iter().chain(&args.second);
        if let Some(real) = all().find(|s| simulated(s).is_none())
            && (args.table.is_none() || args.roster.is_empty())
        {
            let missing = match (args.table.is_none(), args.roster.is_empty()) {
                (true, false) => "no table file is named: add --table FILE",
                (false, true) => {
                    "no roster is named, so no tag is known to belong to an element: add --roster FILE"
                }
                _ => "neither a table file nor a roster is named: add --table FILE --roster FILE",
            };
            return Err(Failure::Use(format!("{real}: {missing}; `groma init DIR` writes samples")));
        }
        let (table, roster) = table_and_roster(args.table.as_deref(), &args.roster)?;
        let lens = args.lens.as_deref().map(lens_profile).transpose()?;
        let second_lens = args.second_lens.as_deref().map(lens_profile).transpose()?;
        let second = args.second.clone().map(|spec| (spec, second_lens));
        Ok(Self { table, roster, lens, second, frames: args.frames })
    }

    /// Reads the frames of `spec` and hands each reading to `take`, until the source ends, `--frames`
    /// are read, or a live source's table is at rest. A picture of a folder that cannot be read is told
    /// and passed over; the number of these is returned. An estimated lens is told once.
    ///
    /// # Errors
    /// A source that cannot be opened or read, a lens that does not fit it, a live source that never
    /// comes to rest.
    pub fn follow(
        &self,
        spec: &str,
        mut take: impl FnMut(&Frame, &Reading) -> Result<(), Failure>,
    ) -> Result<usize, Failure> {
        let mut source = open_any(&self.table, &self.roster, spec)?;
        let profile = self.lens.as_ref().map(|p| p.lens).or_else(|| source.lens());
        let settings = PipelineSettings::for_source(source.as_ref());
        let mut pipeline = Pipeline::new(tag_book(&self.table, &self.roster), profile, settings)
            .context("the tag detector cannot be made")?;
        let folder = source.unrelated() && Path::new(spec).is_dir();
        let mut second = self.companion()?;
        let (mut count, mut unread, mut told_of_lens) = (0, 0, false);
        let mut told = BTreeSet::new();
        let mut notes = CameraNotes::default();
        while self.frames.is_none_or(|most| count < most) {
            let frame = match self.fit_frame(source.as_mut()) {
                Ok(Some(frame)) => frame,
                Ok(None) => break,
                Err(why) if folder => {
                    note!("groma: {why:#}");
                    unread += 1;
                    continue;
                }
                Err(why) => return Err(why.into()),
            };
            notes.tell(source.as_ref());
            let mut reading = pipeline.take(&frame);
            if let Some(companion) = &mut second {
                let (joined, went) = companion.join(reading);
                reading = joined;
                if let Err(lost) = went {
                    note!("groma: {lost}");
                }
            }
            count += 1;
            if !told_of_lens && reading.registration.as_ref().is_ok_and(|r| r.lens_estimated) {
                told_of_lens = true;
                note!(
                    "groma: {}: the lens is estimated from the table itself, so places are less certain; \
                     a lens profile (--lens FILE) mends that",
                    frame.label
                );
            }
            for caution in reading.cautions() {
                // The figures vary from frame to frame: once for each kind and tag will do.
                if source.unrelated() || told.insert(caution.kind()) {
                    note!("groma: {}: {caution}", frame.label);
                }
            }
            for moved in features_seen(&self.table, &reading.snapshot).iter().filter(|moved| moved.is_told())
            {
                if source.unrelated() || told.insert(format!("terrain {}", moved.feature)) {
                    note!("groma: {}: {}", frame.label, moved.in_words());
                }
            }
            let go = self.enough(source.as_ref(), &reading, count)?;
            take(&frame, &reading)?;
            if go == Go::Enough {
                break;
            }
        }
        if count == 0 && unread == 0 {
            return Err(Failure::Job(anyhow!("{}: there is no frame in it", source.description())));
        }
        Ok(unread)
    }

    /// The table with its terrain where the tags on it were seen.
    pub fn table_as_seen(&self, snapshot: &TableSnapshot) -> Table {
        let seen: Vec<TagSeen> = features_seen(&self.table, snapshot).into_iter().map(|f| f.seen).collect();
        as_it_lies(&self.table, &seen)
    }

    /// The second camera, where one is named.
    fn companion(&self) -> Result<Option<Companion>, Failure> {
        let Some((spec, lens)) = &self.second else { return Ok(None) };
        let source = open_any(&self.table, &self.roster, spec)?;
        if source.unrelated() {
            let why =
                format!("{spec}: a second camera must be live, or a video; photographs show other moments");
            return Err(Failure::Use(why));
        }
        let book = tag_book(&self.table, &self.roster);
        Ok(Some(Companion::new(source, book, lens.clone()).context("the tag detector cannot be made")?))
    }

    /// The next frame, where it can be read and the lens profile serves it.
    fn fit_frame(&self, source: &mut dyn FrameSource) -> Result<Option<Frame>, anyhow::Error> {
        let Some(frame) = source.next_frame()? else { return Ok(None) };
        let size = (frame.grey.width(), frame.grey.height());
        match self.lens.as_ref().and_then(|lens| lens.unfit_for(size.0, size.1, source.device().as_deref())) {
            Some(why) => Err(anyhow!("{}: {why}", frame.label)),
            None => Ok(Some(frame)),
        }
    }

    /// What to say of a registration that failed: a lens profile that was named is a suspect too.
    pub fn misfit(&self, why: &RegistrationError) -> String {
        match (&self.lens, why) {
            (Some(lens), RegistrationError::Disagree { .. }) => format!(
                "{why}; or the lens profile is not this camera's (\"{}\"): try without --lens",
                lens.camera
            ),
            _ => why.to_string(),
        }
    }

    fn enough(&self, source: &dyn FrameSource, reading: &Reading, count: u64) -> Result<Go, Failure> {
        if !source.live() || self.frames.is_some() {
            return Ok(Go::On);
        }
        let sure = reading.registration.is_ok() && reading.snapshot.held.is_none();
        if sure && reading.snapshot.seen() > 0 && reading.snapshot.at_rest() {
            return Ok(Go::Enough);
        }
        if count < PATIENCE {
            return Ok(Go::On);
        }
        let why = match &reading.registration {
            Err(why) => format!("the table was not found: {why}"),
            Ok(_) if reading.snapshot.held.is_some() => {
                format!(
                    "rulings are held: {}",
                    reading.snapshot.held.map(|h| h.to_string()).unwrap_or_default()
                )
            }
            Ok(_) if reading.snapshot.seen() == 0 => "no element's tag was seen".to_owned(),
            Ok(_) => "something still moves; name --frames N to stop all the same".to_owned(),
        };
        Err(Failure::Job(anyhow!("{}: after {count} frames {why}", source.description())))
    }
}
