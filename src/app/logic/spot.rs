//! The page on which bases without tags are judged: pictures are taken and bases measured at desks of its own, and pages
//! of evidence are written.

use super::Logic;
use crate::app::command::SpotCommand;
use crate::app::state::{SpotAnswers, SpotPage, SpotStill};
use crate::app::worker::errand::Desk;
use crate::judge::Table;
use crate::markers::{RestsOn, rests_on, spot_picture};
use crate::session::evidence::{Evidence, Photograph};
use crate::text::{Kind, Output, check_outputs, now_ms, time_of, today, write_outputs};
use crate::units::Scale;
use crate::vision::source::open_source;
use crate::vision::untagged::{Ground, Spot, SpotFinder, TileDoubt, umpire_tiles};
use crate::vision::{Frame, Lens};
use std::path::{Path, PathBuf};

/// What works for the page.
pub(super) struct SpotDesks {
    taking: Desk<Result<SpotStill, String>>,
    measuring: Desk<Result<SpotAnswers, String>>,
}

impl SpotDesks {
    pub fn new() -> Self {
        Self { taking: Desk::new("groma still"), measuring: Desk::new("groma spot") }
    }

    /// Whether an answer is still to come.
    pub fn busy(&self) -> bool {
        self.taking.busy() || self.measuring.busy()
    }
}

impl Logic {
    pub(super) fn carry_out_spot(&mut self, command: SpotCommand) {
        match command {
            SpotCommand::Open => {
                self.state.spot_page.get_or_insert_default();
            }
            SpotCommand::Close => {
                self.state.spot_page = None;
                self.spot.taking.cancel();
                self.spot.measuring.cancel();
            }
            SpotCommand::Freeze => self.freeze(),
            SpotCommand::Evidence => self.write_evidence(),
            // The page has carried out the others.
            _ => {}
        }
    }

    fn freeze(&mut self) {
        let latest = self.state.latest().map(|sight| sight.frame.clone());
        let known = self.state.latest().and_then(|sight| {
            let placed = sight.reading.registration.as_ref().ok().filter(|r| !r.lens_estimated);
            placed.and(sight.reading.camera.as_ref()).map(|camera| camera.lens)
        });
        let profile = self.lens.as_ref().map(|profile| profile.lens);
        let table = self.state.engine().table().clone();
        let file = self.state.named.table.clone();
        let Some(page) = &mut self.state.spot_page else { return };
        let source = page.source.trim().to_owned();
        page.at_work = true;
        let job = move || {
            let (frame, lens) = if source.is_empty() {
                let none = "The window reads no picture: name a photograph or a camera.";
                (latest.ok_or_else(|| none.to_owned())?, profile.or(known))
            } else {
                (picture(&source)?, profile)
            };
            place(frame, lens, &table, file)
        };
        self.spot.taking.ask(Box::new(job), &self.waker);
    }

    /// Takes over what has been worked out, and begins what is wanted next.
    pub(super) fn spot_errands(&mut self) {
        let (desks, wake) = (&mut self.spot, &self.waker);
        let settings = self.state.play.engine().settings().clone();
        let Some(page) = &mut self.state.spot_page else { return };
        if let Some(still) = desks.taking.take(wake) {
            page.take_still(still.and_then(|still| still));
        }
        if let Some(answers) = desks.measuring.take(wake) {
            page.take_answers(answers.and_then(|answers| answers));
        }
        if let Some(job) = page.job(&settings) {
            desks.measuring.ask(job, wake);
        }
    }

    fn write_evidence(&mut self) {
        let lens = self.lens.clone();
        let Some(page) = &mut self.state.spot_page else { return };
        page.written = Some(evidence(page, lens.as_ref()));
    }
}

/// Writes the page of evidence; gives its mark as the players write it down.
fn evidence(page: &SpotPage, lens: Option<&crate::vision::LensProfile>) -> Result<String, String> {
    let (Some(Ok(still)), Some(Ok(found))) = (page.still(), page.answers()) else {
        return Err("Nothing has been measured yet.".to_owned());
    };
    let path = Path::new(page.file.trim());
    let output = Output { option: "The page's file", path, kind: Kind::Page };
    check_outputs(&[output]).map_err(|why| format!("{why}."))?;
    let rests = RestsOn { by: still.by, lens, table: still.table.as_deref() };
    let spot = spot_picture(&still.frame, &still.camera, &found.bases, &found.answers)
        .ok_or_else(|| "The bases lie outside the picture.".to_owned())?;
    let kept = Evidence {
        title: format!("{} and {}", found.bases[0].named.name, found.bases[1].named.name),
        when: format!("Made {} {} UTC", today(), time_of(now_ms())),
        rests_on: rests_on(&still.frame, &still.camera, &found.bases, &found.answers, &rests),
        answers: found.answers.clone(),
        photograph: Some(Photograph {
            jpeg: spot.jpeg()?,
            size_px: (spot.picture.width(), spot.picture.height()),
            outlines: spot.outlines,
            binding: spot.binding,
        }),
    }
    .kept();
    write_outputs(&[(path, kept.page.as_bytes())]).map_err(|why| format!("{why}."))?;
    Ok(kept.short())
}

/// The source's last picture that can be read; of a live one its first.
fn picture(source: &str) -> Result<Frame, String> {
    let mut opened = open_source(source).map_err(|why| why.to_string())?;
    let mut last = None;
    loop {
        match opened.next_frame() {
            Ok(Some(frame)) => last = Some(frame),
            Ok(None) => break,
            Err(_) if last.is_some() && opened.unrelated() => {}
            Err(why) => return Err(why.to_string()),
        }
        if opened.live() {
            break;
        }
    }
    last.ok_or_else(|| format!("{source}: there is no picture in it."))
}

/// Places the camera: by the table's own tags where they show, else by the umpire's tiles.
fn place(
    frame: Frame,
    lens: Option<Lens>,
    table: &Table,
    file: Option<PathBuf>,
) -> Result<SpotStill, String> {
    let by = |ground: Ground| -> Result<_, String> {
        let mut finder = SpotFinder::new(ground, lens).map_err(|why| why.to_string())?;
        finder.place(&frame.label, &frame.grey).map_err(|why| why.to_string())
    };
    let by_table = by(Ground::Table(table.reference.clone()));
    let by_table = match by_table {
        Ok(camera) => {
            let (board_mm, scale) = (table.board_mm, table.scale);
            let by = "the table's reference tags";
            return Ok(SpotStill { frame, camera, by, table: file, board_mm, scale });
        }
        Err(why) => why,
    };
    let side = 2.0 * Spot::MIDDLE_MM;
    match by(Ground::Tiles(umpire_tiles(1.0), TileDoubt::default())) {
        Ok(camera) => {
            let by = "the umpire's tiles";
            Ok(SpotStill { frame, camera, by, table: None, board_mm: (side, side), scale: Scale::SMALL })
        }
        Err(by_tiles) => Err(format!(
            "No plane is seen. By the umpire's tiles: {by_tiles}. By the table's own tags: {by_table}."
        )),
    }
}
